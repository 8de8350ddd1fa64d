"""Run one command and print its cost as a line of JSON: `launcher.py SECONDS PROCESSOR_SECONDS COMMAND...`.

A process's peak memory is at least that of its parent when it was forked, so this small program starts it. A
command that exceeds the seconds, or the whole processor seconds, ends with the status of SIGKILL.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from threading import Timer


def main() -> None:
    """Run the command given by the arguments."""
    limit, processor_limit, *command = sys.argv[1:]
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(processor_limit), int(processor_limit)))
        stopper = Timer(float(limit), process.kill)
        stopper.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        stopper.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        taken = {
            "output": output.read(),
            "status": process.returncode,
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak_megabytes": usage.ru_maxrss / 1024,
        }
    print(json.dumps(taken))


if __name__ == "__main__":
    main()
