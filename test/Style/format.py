#!/usr/bin/env python3
"""Formats the C++ sources, or checks that they are formatted (--check)."""

import argparse
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def sources():
    """C and C++ files: the tracked ones, or all where there is no git."""
    folders = ["include", "lib", "tools", "test", "cmake", "python"]
    done = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode == 0:
        names = done.stdout.splitlines()
    else:
        names = [
            os.path.relpath(os.path.join(folder, f), ROOT)
            for top in folders
            for folder, _, files in os.walk(os.path.join(ROOT, top))
            for f in files
        ]
    return [
        n
        for n in names
        if n.endswith((".cpp", ".h", ".c")) and os.path.exists(os.path.join(ROOT, n))
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang-format", default="clang-format-22")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    mode = ["--dry-run", "-Werror"] if options.check else ["-i"]
    return subprocess.run([options.clang_format, *mode, *sources()], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
