#!/usr/bin/env python3
"""Checks a report (--report=json on standard input): launches fall from level to
level, and the last has the given number of attentions.

usage: levels.py ATTENTIONS [MOST LAUNCHES]
"""

import json
import sys


def main():
    rows = json.load(sys.stdin)["levels"]
    names = [row["level"] for row in rows]
    launches = [row["launches"] for row in rows]
    last = rows[-1]
    print(launches, last["kinds"])
    ok = names == ["none", "elementwise", "pattern", "attention"]
    ok &= all(a >= b for a, b in zip(launches, launches[1:]))
    ok &= launches[-1] < launches[0]
    ok &= last["kinds"].get("attention", 0) == int(sys.argv[1])
    ok &= all(sum(row["kinds"].values()) == row["launches"] for row in rows)
    ok &= all(row["bytes"] >= row["minimumBytes"] > 0 for row in rows)
    if len(sys.argv) > 2:
        ok &= launches[-1] <= int(sys.argv[2])
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
