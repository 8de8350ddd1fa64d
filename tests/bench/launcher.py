"""Runs one command and prints what it took: `python launcher.py SECONDS COMMAND...`, a line of JSON.

A process is counted at least the memory that whoever started it had; so a small one starts it.
Stopped after so many seconds, the command's status is that of SIGKILL.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from threading import Timer


def main() -> None:
    """Run the command that the arguments name."""
    limit, *command = sys.argv[1:]
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
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
