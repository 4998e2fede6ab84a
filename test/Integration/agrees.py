#!/usr/bin/env python3
"""Runs graphs with fusion-run and compares the results with a framework's.

usage: agrees.py [--target=T,..] [--level=L,..] [--seconds=S] PATTERN...

PATTERN names graphs without their extension; * ? [] match. fusion-run checks
its results itself; here the comparison is made a second time, by numpy, from the
files that it writes, so that a fault of the one shows in the other. The bounds
are those of docs/Numerics.md.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

EPSILON = {
    "bfloat16": 2.0**-8,
    "float16": 2.0**-10,
    "float32": 2.0**-23,
    "float64": 2.0**-52,
}


def load(folder, name):
    """The array and its element type's name; (None, "") where there is none."""
    path = os.path.join(folder, name + ".npy")
    if os.path.exists(path):
        array = np.load(path)
        return array, array.dtype.name
    path = os.path.join(folder, name + ".bf16.npy")
    if os.path.exists(path):
        bits = np.load(path)
        return (bits.astype(np.uint32) << 16).view(np.float32), "bfloat16"
    return None, ""


def rms(values):
    return float(np.sqrt(np.mean(values * values)))


def compare(want, kind, ours, exact):
    """What is wrong with `ours`; an empty string where it is close enough.

    `want` is the framework's result and `exact` the same in f64. An element that
    overflows in the framework alone may be anything.
    """
    want, ours = want.astype(np.float64), ours.astype(np.float64)
    overflowed = np.isfinite(exact) & ~np.isfinite(want)
    finite = np.isfinite(exact) & ~overflowed
    special = ~np.isfinite(exact)
    if not np.isfinite(ours[finite]).all():
        return "NaN or infinity where a number belongs"
    if not np.array_equal(ours[special], exact[special], equal_nan=True):
        return "NaN or infinity is missing"
    if not finite.any():
        return ""
    error = np.abs(ours - exact)[finite]
    theirs = np.abs(want - exact)[finite]
    size = np.abs(exact)[finite]
    eps = EPSILON[kind]
    if kind in ("bfloat16", "float16"):
        top = 1.5 * theirs.max() + eps * size.max()
        mean = 1.25 * rms(theirs) + eps / 4 * rms(size)
    else:
        top = 3 * theirs.max() + 4 * eps * size.max()
        mean = 3 * rms(theirs) + 2 * eps * rms(size)
    if error.max() > top:
        return f"largest error {error.max():.3g}, allowed {top:.3g}"
    if rms(error) > mean:
        return f"rms error {rms(error):.3g}, allowed {mean:.3g}"
    return ""


def disagreement(folder, output):
    """The first result in `folder` that `output` contradicts, or ""."""
    names = sorted(
        m.group(1)
        for m in (re.fullmatch(r"(out\d+)(\.bf16)?\.npy", f) for f in os.listdir(folder))
        if m
    )
    if not names:
        return "the data folder holds no result"
    for name in names:
        want, kind = load(folder, name)
        ours, our_kind = load(output, name)
        if ours is None:
            return f"{name} is missing"
        if (ours.shape, our_kind) != (want.shape, kind):
            return f"{name} is {our_kind} {ours.shape}, not {kind} {want.shape}"
        exact, _ = load(folder, name + "_f64")
        if exact is None:
            if not np.array_equal(ours, want):
                return f"{name}: {int((ours != want).sum())} elements differ"
        else:
            why = compare(want, kind, ours, exact)
            if why:
                return f"{name}: {why}"
    return ""


def folders(graph):
    """The data folders of NAME.mlir: NAME, NAME_* (no graph of that name), or
    the folder of the twin without `_eager`."""
    base = graph[: -len(".mlir")]
    found = [base] if os.path.isdir(base) else []
    found += [
        d
        for d in sorted(glob.glob(glob.escape(base) + "_*"))
        if os.path.isdir(d) and not os.path.exists(d + ".mlir")
    ]
    twin = base.replace("_eager", "")
    if not found and os.path.isdir(twin):
        found = [twin]
    return found


def run(graph, folder, target, level, seconds):
    """Why the graph disagrees with its data, or ""."""
    with tempfile.TemporaryDirectory() as output:
        command = [
            "fusion-run",
            graph,
            f"--target={target}",
            f"--level={level}",
            f"--data={folder}",
            f"--output={output}",
        ]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=seconds
            )
        except subprocess.TimeoutExpired:
            return f"still running after {seconds} s"
        if done.returncode:
            text = (done.stderr + done.stdout).strip()
            return f"fusion-run exits {done.returncode}: {text[-2000:]}"
        return disagreement(folder, output)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("patterns", nargs="+")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--level", default="attention")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()

    ran = failed = 0
    for pattern in options.patterns:
        graphs = sorted(glob.glob(pattern + ".mlir"))
        if not graphs:
            print(f"{pattern}: no graph of this name")
            failed += 1
        for graph in graphs:
            for folder in folders(graph):
                for target in options.target.split(","):
                    for level in options.level.split(","):
                        start = time.monotonic()
                        why = run(graph, folder, target, level, options.seconds)
                        ran += 1
                        failed += bool(why)
                        print(
                            f"{os.path.basename(folder)} {target} {level}: "
                            f"{why or 'agrees'} ({time.monotonic() - start:.1f} s)",
                            flush=True,
                        )
    print(f"{ran - failed} of {ran} agree")
    return 0 if ran and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
