#!/usr/bin/env python3
"""Runs the commands of a Markdown page and compares what they print.

usage: commands.py PAGE

In ```console blocks, a line '$ COMMAND' is run by a shell; the lines up to the
next command are what it must print on standard output and standard error.
'...' matches anything, within a line or, alone on a line, over several lines.
Blanks at the ends of lines do not count. All commands of a page run in one
folder, which holds a link `models` to test/Models.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def commands(text):
    """Pairs of command and expected output."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            elif command and command.endswith("\\"):
                command += "\n" + line
            else:
                expected.append(line)
        if command:
            yield command, expected


def matches(expected, output):
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(p) for p in line.rstrip().split("...")) + "\n"
    text = "".join(line.rstrip() + "\n" for line in output.splitlines())
    return re.fullmatch(pattern, text) is not None


def main():
    with open(sys.argv[1]) as page:
        todo = list(commands(page.read()))
    if not todo:
        sys.exit("the page has no commands")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "test", "Models"), os.path.join(folder, "models"))
        for command, expected in todo:
            done = subprocess.run(
                command,
                shell=True,
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode or not matches(expected, done.stdout):
                failed += 1
                print(f"$ {command}\nexit status {done.returncode}; it printed:")
                print(done.stdout)
                print("the page says:")
                print("\n".join(expected))
    print(f"{len(todo) - failed} of {len(todo)} commands do what the page says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
