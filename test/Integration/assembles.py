#!/usr/bin/env python3
"""Compiles graphs and has ptxas assemble the PTX.

usage: assembles.py [--target=T,..] PATTERN...

Fails where ptxas refuses the PTX, a kernel spills registers, an instruction is
serialised (warnings C75xx), or a function is left unresolved.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile


def faults(graph, target, folder):
    """What is wrong with the graph's PTX; and the number of its kernels."""
    done = subprocess.run(
        ["fusion-compile", graph, f"--target={target}", "-o", folder],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return [f"fusion-compile: {done.stderr.strip()[:500]}"], 0
    path = os.path.join(folder, "kernels.ptx")
    with open(path) as file:
        text = file.read()
    kernels = len(re.findall(r"\.visible \.entry", text))
    found = []
    if re.search(r"\.extern\s+\.func", text):
        found.append("an unresolved function")
    if not kernels:
        found.append("no kernel")
    done = subprocess.run(
        ["ptxas", "-v", f"-arch={target}", path, "-o", "/dev/null"],
        capture_output=True,
        text=True,
    )
    log = done.stdout + done.stderr
    if done.returncode:
        found.append(f"ptxas: {log.strip()[:500]}")
    spilt = sum(int(n) for n in re.findall(r"(\d+) bytes spill", log))
    if spilt:
        found.append(f"{spilt} bytes of spills")
    found += sorted(set(re.findall(r"C75\d\d", log)))
    return found, kernels


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("patterns", nargs="+")
    parser.add_argument("--target", default="sm_80")
    options = parser.parse_args()
    ran = failed = 0
    for pattern in options.patterns:
        for graph in sorted(glob.glob(pattern + ".mlir")):
            for target in options.target.split(","):
                with tempfile.TemporaryDirectory() as folder:
                    found, kernels = faults(graph, target, folder)
                ran += 1
                failed += bool(found)
                name = os.path.basename(graph)
                print(f"{name} {target}: {kernels} kernels {'; '.join(found)}")
    print(f"{ran - failed} of {ran} assemble")
    return 0 if ran and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
