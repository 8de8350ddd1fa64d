"""Runs one command and prints what it took, a line of JSON: `launcher.py SECONDS PROCESSOR_SECONDS COMMAND...`.

A process is counted at least the memory that whoever started it had; so a small one starts it.
Stopped after so many seconds, or whole seconds of the processor, the command's status is that of SIGKILL.
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
    """Run the command that the arguments name."""
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
