#!/usr/bin/env python3
"""Checks that each promise of docs/Numerics.md is named by a test that enforces
it, and that tests name no other."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def labels(pattern, label):
    found = set()
    for path in glob.glob(os.path.join(ROOT, pattern), recursive=True):
        if os.path.isfile(path):
            with open(path) as file:
                found |= set(re.findall(label, file.read()))
    return found


def main():
    promised = labels("docs/Numerics.md", r"\*\*\[(N\d+)\]\*\*")
    tested = labels("test/Numerics/*", r"\[(N\d+)\]") | labels("test/Unit/**/*.cpp", r"\[(N\d+)\]")
    problems = [f"no test names {label}" for label in sorted(promised - tested)]
    problems += [f"docs/Numerics.md has no {label}" for label in sorted(tested - promised)]
    print("\n".join(problems) or f"{len(promised)} promises, each with a test")
    return 1 if problems or not promised else 0


if __name__ == "__main__":
    sys.exit(main())
