#!/usr/bin/env python3
"""Writes docs/reference from the TableGen files.

usage: generate.py --tblgen=mlir-tblgen --include=DIR [--check]

With --check nothing is written; the exit status says whether the pages are
current, and a difference is printed.
"""

import argparse
import difflib
import glob
import os
import subprocess
import sys

DOCS = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(DOCS), "include")
# Page, title, generator and its arguments, sources.
PAGES = [
    (
        "Dialect.md",
        "",
        ["-gen-dialect-doc", "-dialect=fusion"],
        ["fusion/IR/FusionOps.td"],
    ),
    (
        "Interfaces.md",
        "# Interfaces\n",
        ["-gen-op-interface-docs"],
        ["fusion/Interfaces/*Interface*.td"],
    ),
    ("Passes.md", "# Passes\n", ["-gen-pass-doc"], ["fusion/*/Passes.td"]),
]


def generate(options, generator, sources):
    text = ""
    for pattern in sources:
        for source in sorted(glob.glob(os.path.join(INCLUDE, pattern))):
            command = [options.tblgen, *generator, source, "-I", INCLUDE]
            for folder in options.include:
                command += ["-I", folder]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stderr)
            text += done.stdout
    # One blank line at most, no blanks at the end of a line.
    lines = []
    for line in text.splitlines():
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip() + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    stale = False
    for page, title, generator, sources in PAGES:
        text = generate(options, generator, sources)
        if not text.strip():
            continue
        if title:
            text = title + "\n" + text
        path = os.path.join(DOCS, "reference", page)
        old = open(path).read() if os.path.exists(path) else ""
        if text == old:
            continue
        if options.check:
            stale = True
            sys.stdout.writelines(
                difflib.unified_diff(
                    old.splitlines(True), text.splitlines(True), page, "generated"
                )
            )
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
    if stale:
        print("docs/reference is not current: run `make docs` and commit")
    return stale


if __name__ == "__main__":
    sys.exit(main())
