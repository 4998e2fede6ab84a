#!/usr/bin/env python3
"""Checks that each constraint label of docs/Spec.md stands in the operations'
descriptions, in the verifiers and in a negative test, and the other way round."""

import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LABEL = r"\b[a-z][a-z_]*_c\d+\b"
PLACES = {
    "docs/Spec.md": ["docs/Spec.md"],
    "the descriptions (include/fusion/IR/*.td)": ["include/fusion/IR/*.td"],
    "the verifiers (lib/IR/*.cpp)": ["lib/IR/*.cpp"],
    "the negative tests (test/IR/invalid*.mlir)": ["test/IR/invalid*.mlir"],
}


def labels(patterns):
    found = set()
    for pattern in patterns:
        for path in glob.glob(os.path.join(ROOT, pattern)):
            with open(path) as file:
                found |= set(re.findall(LABEL, file.read()))
    return found


def main():
    found = {place: labels(patterns) for place, patterns in PLACES.items()}
    every = set().union(*found.values())
    missing = [
        f"{label} is missing in {place}"
        for label in sorted(every)
        for place in PLACES
        if label not in found[place]
    ]
    print("\n".join(missing) or f"{len(every)} labels, everywhere the same")
    return 1 if missing or not every else 0


if __name__ == "__main__":
    sys.exit(main())
