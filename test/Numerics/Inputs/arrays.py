"""Writes and reads arrays as fusion-run takes them: bf16 as bit patterns."""

import os

import numpy as np


def to_bf16(values):
    """Rounds f32 (or wider) to the nearest bf16, ties to even, in one step."""
    exact = np.asarray(values, np.float64)
    bits = exact.astype(np.float32).view(np.uint32)
    # f32 rounded to odd keeps what a second rounding needs to know.
    away = np.abs(bits.view(np.float32).astype(np.float64)) > np.abs(exact)
    inexact = bits.view(np.float32).astype(np.float64) != exact
    finite = np.isfinite(exact)
    bits = np.where(finite & inexact & away, bits - 1, bits)
    bits = np.where(finite & inexact, bits | 1, bits).astype(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(exact), 0x7FC0, rounded).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def round_to(kind, values):
    """`values` rounded to `kind`, as f64."""
    if kind == "bf16":
        return from_bf16(to_bf16(values)).astype(np.float64)
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(TYPES[kind]).astype(np.float64)


TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def write(folder, name, kind, values):
    """Writes NAME.npy, or NAME.bf16.npy, of element type `kind`."""
    os.makedirs(folder, exist_ok=True)
    values = np.ascontiguousarray(values)
    path = os.path.join(folder, name)
    with np.errstate(over="ignore"):
        if kind == "bf16":
            np.save(path + ".bf16.npy", to_bf16(values))
        elif kind in TYPES:
            np.save(path + ".npy", np.asarray(values).astype(TYPES[kind]))
        else:
            np.save(path + ".npy", np.asarray(values).astype(kind))


def read(folder, name):
    """Reads an array as f64."""
    path = os.path.join(folder, name)
    if os.path.exists(path + ".bf16.npy"):
        return from_bf16(np.load(path + ".bf16.npy")).astype(np.float64)
    return np.load(path + ".npy").astype(np.float64)
