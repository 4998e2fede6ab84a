#!/usr/bin/env python3
"""Runs a command that must refuse its input.

usage: refused.py OUTPUT COMMAND...

Succeeds where the command exits with status 1 (no signal, no other status), prints
an error, prints nothing on standard output, and leaves nothing at the path
OUTPUT. Prints the command's standard error for FileCheck.
"""

import os
import subprocess
import sys


def main():
    output, command = sys.argv[1], sys.argv[2:]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=60
    )
    print(done.stderr, end="")
    faults = []
    if done.returncode != 1:
        faults.append(f"exits with status {done.returncode}, not 1")
    # LLVM's option parser says 'for the --level option: ...'.
    if "error:" not in done.stderr and " option: " not in done.stderr:
        faults.append("prints no error")
    if "PLEASE submit a bug report" in done.stderr or "Stack dump" in done.stderr:
        faults.append("crashes")
    if done.stdout:
        faults.append(f"prints on standard output: {done.stdout[:200]!r}")
    if os.path.isdir(output) and os.listdir(output):
        faults.append(f"leaves files: {sorted(os.listdir(output))}")
    elif os.path.isfile(output):
        faults.append("leaves a file")
    for fault in faults:
        print(f"refused.py: {command[0]} {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
