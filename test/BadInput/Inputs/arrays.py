"""Writes data folders for exp.mlir into the folder named, each with one fault."""

import os
import sys

import numpy as np


def folder(name, argument, result):
    path = os.path.join(sys.argv[1], name)
    os.makedirs(path)
    exact = None if result is None else result.astype(np.float64)
    for kind, array in (("arg0", argument), ("out0", result), ("out0_f64", exact)):
        if array is not None:
            np.save(os.path.join(path, kind + ".npy"), array)
    return os.path.join(path, "arg0.npy")


def main():
    x = np.arange(20, dtype=np.float32).reshape(4, 5) / 20
    y = np.exp(x)
    folder("good", x, y)
    folder("no-argument", None, y)
    folder("no-result", x, None)
    folder("rank", x[0], y)
    folder("size", x[:3], y)
    folder("type", x.astype(np.float64), y)
    folder("result-shape", x, y[:, :4])
    folder("result-type", x, y.astype(np.float16))
    folder("wrong-values", x, y + 1)
    folder("fortran", np.asfortranarray(x), y)
    folder("big-endian", x.astype(">f4"), y)
    folder("strings", np.array([["a"] * 5] * 4), y)

    cut = folder("cut", x, y)
    with open(cut, "r+b") as file:
        file.truncate(os.path.getsize(cut) - 8)
    header = folder("header", x, y)
    with open(header, "r+b") as file:
        file.seek(12)
        file.write(b"garbage")
    not_npy = folder("not-npy", x, y)
    with open(not_npy, "w") as file:
        file.write("this is no array\n")
    huge = folder("huge", x, y)
    with open(huge, "r+b") as file:
        text = file.read().replace(b"(4, 5), }" + b" " * 20, b"(4, 4611686018427387904), }  ")
        file.seek(0)
        file.write(text)


if __name__ == "__main__":
    main()
