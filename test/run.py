#!/usr/bin/env python3
"""Runs lit and closes with one line: 'fusion: N passed, N failed, N skipped'.

usage: run.py LIT ARGUMENT...
"""

import re
import subprocess
import sys

PASSED = ("Passed", "Passed With Retry", "Expectedly Failed")
FAILED = ("Failed", "Unresolved", "Timed Out", "Unexpectedly Passed")
SKIPPED = ("Skipped", "Unsupported")


def main():
    count = {}
    process = subprocess.Popen(
        sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    for line in process.stdout:
        print(line, end="", flush=True)
        # Lit's summary: "  Passed            : 12 (92.31%)".
        found = re.match(r"\s+([A-Z][A-Za-z ]*?)\s*:\s+(\d+) \(", line)
        if found:
            count[found.group(1)] = int(found.group(2))
    code = process.wait()
    passed, failed, skipped = (
        sum(count.get(kind, 0) for kind in kinds)
        for kinds in (PASSED, FAILED, SKIPPED)
    )
    if code == 0 and passed == 0:
        print("no test ran")
        code = 1
    print(f"fusion: {passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
