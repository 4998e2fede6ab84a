#!/usr/bin/env python3
"""Writes the arguments of a test, and the results that it must have exactly.

  exact.py CASE FOLDER      arguments as FOLDER/argI, results as FOLDER/outI

Without a second result in f64 beside it, fusion-run compares each outI by
value: every NaN is the same, and so are the two zeros."""

import shutil
import sys

import numpy as np
from arrays import round_to, write

INF, NAN = np.inf, np.nan


def rounding():
    """Three operations on bf16: rounded once, and after each."""
    x = np.arange(-96, 96) * 0.75 + 129
    x = round_to("bf16", x)
    once = round_to("bf16", (x * 1.25 + 0.375) * 3.0)
    each = round_to("bf16", round_to("bf16", round_to("bf16", x * 1.25) + 0.375) * 3.0)
    assert (once != each).any()
    return [("bf16", x)], [("bf16", once)], [("bf16", each)]


def casts():
    """Casts that a detour over f32 or f64 would round twice, ties, overflow, and
    a NaN whose payload lies in the bits that go."""
    integers = np.array([257, 259, -(2**23 + 2**15 + 1), 7, 2**24 - 1])
    wide = np.array([2**60 + 2**36 + 1, 2**24 + 1, -(2**60 + 2**36 + 1), 7, 2**63 - 1])
    patterns = np.array([0x7F800001, 0x7F7FFFFF, 0x3F808000, 0x3F818000, 0x477FF000], np.uint32)
    return (
        [("int32", integers), ("int64", wide), ("f32", patterns.view(np.float32))],
        [
            ("bf16", exact_bf16(integers)),
            # numpy rounds i64 to f32 once.
            ("f32", wide.astype(np.float32)),
            ("bf16", np.array([NAN, INF, 1, 1 + 2.0**-6, 65536])),
            ("f16", np.array([NAN, INF, 1 + 2.0**-8, 1.01171875, INF])),
        ],
    )


def casts_f64():
    """Casts from f64 that a detour over f32 would round twice."""
    x = np.array([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-8 + 2.0**-40, 65519.99999999, 65520, 0.1])
    return [("f64", x)], [("f16", x), ("bf16", x), ("f32", x)]


def exact_bf16(integers):
    """Integers rounded to 8 bits, half to even, by integer arithmetic."""
    rounded = []
    for value in (int(v) for v in integers):
        shift = max(0, abs(value).bit_length() - 8)
        quotient, rest = divmod(abs(value), 1 << shift)
        twice = 2 * rest
        if twice > 1 << shift or (twice == 1 << shift and quotient & 1):
            quotient += 1
        rounded.append(np.copysign(float(quotient << shift), value))
    return np.array(rounded)


def contraction():
    """z is x y, rounded: x y - z is 0 unless the product is not rounded."""
    rng = np.random.default_rng(1)
    x, y = (rng.uniform(1, 2, 64).astype(np.float32) for _ in range(2))
    assert ((x.astype(np.float64) * y) != (x * y)).all()
    return [("f32", x), ("f32", y), ("f32", x * y)], [("f32", np.zeros(64))]


def special():
    """Signed zeros, infinities, NaN and denormal numbers, by their bits."""
    x = np.array([0.0, -0.0, 1, -1, INF, -INF, NAN, 1e-40], np.float32)
    y = np.array([-0.0, 0.0, -1, 0, INF, 3, 1, 1e-41], np.float32)
    with np.errstate(invalid="ignore"):
        total, difference = x + y, x - y
    bits = lambda v: np.where(np.isnan(v), 0, v.astype(np.float32).view(np.int32))
    largest = np.array([0.0, 0.0, 1, 0, INF, 3, NAN, 1e-40])
    least = np.array([-0.0, -0.0, -1, -1, INF, -INF, NAN, 1e-41])
    return (
        [("f32", x), ("f32", y)],
        [
            ("int32", bits(total)),
            ("int32", bits(difference)),
            ("int32", bits(largest.astype(np.float32))),
            ("int32", bits(least)),
            ("int32", (x.view(np.int32) ^ np.int32(-(2**31))) * ~np.isnan(x)),
        ],
    )


def sums():
    """Sums that f32 has exactly, in any order, and their own types have not;
    NaN and infinities in some of the rows."""
    rng = np.random.default_rng(5)
    h = 1 + rng.integers(0, 2**10, (3, 2100)) * 2.0**-10
    b = 1 + rng.integers(0, 2**7, (3, 520)) * 2.0**-7
    special = np.ones((4, 96))
    special[1, 17] = NAN
    special[2, 5], special[2, 90] = INF, -INF
    special[3, 33] = INF
    starts = np.array([100.0, 0.5, -2100])
    total = h.sum(axis=1) + starts
    return (
        [("f16", h), ("f16", h.T), ("bf16", b), ("f32", special), ("f16", starts)],
        [
            ("f16", total),
            ("f16", total),
            ("bf16", b.sum(axis=1)),
            ("f32", [96, NAN, NAN, INF]),
            ("f32", [1, NAN, INF, INF]),
            ("f32", [1, 1, INF, INF]),
        ],
    )


def variance():
    """Values about a large mean, whose variance is exact."""
    signs = np.where(np.arange(16) % 2 == 0, 1.0, -1.0)
    x = np.stack([1e4 + signs / 64, 1e3 + signs / 32, -1e4 - signs / 64])
    h = np.stack([1e3 + signs / 2, 64 + signs / 16])
    return (
        [("f32", x), ("f16", h)],
        [("f32", np.stack([signs, signs, -signs])), ("f16", np.stack([signs, signs]))],
    )


def softmax_large():
    """Logits x c of up to 1e10, where an f32 is known to 512 or so."""
    x = np.array(
        [
            [3.3e9, 1e9, -3.3e9, 3.2e9, 7.0],
            [1.00000013e9, 1.00000013e9, 0, -1e9, 5],
            [-3e9, -3.1e9, -3.2e9, -2.9e9, -3.3e9],
        ],
        np.float32,
    )
    p = np.zeros((3, 5))
    p[0, 0] = 1
    p[1, :2] = 0.5
    p[2, 3] = 1
    return [("f32", x)], [("f32", p)]


def products():
    """f32 products whose factors need all 24 bits; narrow ones that need f32
    sums."""
    rng = np.random.default_rng(2)
    x = 1 + rng.integers(0, 2**23, (20, 24)) * 2.0**-23
    w = np.zeros((24, 16))
    w[np.arange(16), np.arange(16)] = 1
    w[23, 3] = 2.0**-1
    x[:, 23] = 0
    y = x @ w
    h = np.ones((20, 64))
    h[:, 0] = 2048
    g = np.ones((64, 16))
    big = np.full((20, 64), 300.0)
    return (
        [("f32", x), ("f32", w), ("f16", h), ("f16", g), ("f16", big)],
        [("f32", y), ("f32", y[:1]), ("f32", h @ g), ("f16", h @ g), ("f32", big @ big.T)],
    )


def folded():
    """A norm of rows of +-4 and +-8, whose results f16 has to round, in front of
    a product that adds up pairs of them."""
    rng = np.random.default_rng(6)
    signs = rng.choice([-1.0, 1.0], (20, 64))
    x = signs * np.where(np.arange(20) % 2 == 0, 4.0, 8.0)[:, None]
    gain = round_to("f16", rng.uniform(0.5, 2, 64))
    # Of gain / 3, and so of the product's operand, f16 keeps 11 bits.
    operand = round_to("f16", round_to("f32", signs * gain) / np.float32(3).astype(np.float64))
    w = np.zeros((64, 32))
    w[np.arange(32), np.arange(32)] = 1
    w[32 + np.arange(32), np.arange(32)] = 2
    return [("f16", x), ("f16", gain), ("f16", w)], [("f32", operand @ w)]


def attention_special():
    """Rows of scores that are all equal, so that results are means."""
    rows, keys = 8, 8
    q = np.zeros((1, 1, rows, 16))
    k = np.ones((1, 1, keys, 16))
    v = np.arange(keys * 16, dtype=float).reshape(1, 1, keys, 16) * 8
    mask = np.zeros((1, 1, rows, keys))
    mean = v[0, 0].mean(axis=0)
    out = np.stack([mean] * rows)
    q[0, 0, 1, 3] = NAN
    out[1] = NAN
    mask[0, 0, 2] = -INF
    out[2] = NAN
    mask[0, 0, 3] = np.finfo(np.float32).min
    mask[0, 0, 4, 2:] = -INF
    out[4] = v[0, 0, :2].mean(axis=0)
    q[0, 0, 5, 0] = INF
    out[5] = NAN
    mask[0, 0, 6, 1:] = np.finfo(np.float32).min
    out[6] = v[0, 0, 0]
    return (
        [("f32", q), ("f32", k), ("f32", v), ("f32", mask)],
        [("f32", out.reshape(1, 1, rows, 16))],
    )


def masked_rows():
    """A row without keys, of finite values and of infinite ones."""
    mask = np.ones((4, 24))
    mask[1] = 0
    mask[2, 8:] = 0
    mask[3, :16] = 0
    v = np.tile(np.arange(24.0)[:, None], (1, 16))
    v[:, 7] = INF
    out = np.stack([np.full(16, rows.mean()) for rows in (v[:, 0], v[:8, 0], v[:8, 0], v[16:, 0])])
    # Where a key is excluded, 0 times infinity.
    out[:, 7] = [INF, NAN, NAN, NAN]
    zeros, nans = out.copy(), out.copy()
    zeros[1], nans[1] = 0, NAN
    return (
        [("f16", np.zeros((4, 16))), ("f16", np.ones((24, 16))), ("f16", v), ("bool", mask)],
        [("f16", zeros), ("f16", nans)],
    )


def attention_values():
    """NaN and infinities among the values stay in their columns."""
    v = np.ones((1, 1, 8, 16))
    v[0, 0, 3, 5], v[0, 0, 6, 9], v[0, 0, 7, 2] = NAN, INF, -INF
    v[0, 0, 1, 11], v[0, 0, 2, 11] = INF, -INF
    out = np.ones((1, 1, 4, 16))
    out[..., 5], out[..., 9], out[..., 2], out[..., 11] = NAN, INF, -INF, NAN
    return (
        [("f16", np.zeros((1, 1, 4, 16))), ("f16", np.ones((1, 1, 8, 16))), ("f16", v)],
        [("f16", out)],
    )


def attention_range():
    """Scores of f16 beyond 65504, one of which stands out."""
    rng = np.random.default_rng(3)
    rows, keys = 4, 40
    q = np.full((1, 1, rows, 16), 240.0)
    k = np.full((1, 1, keys, 16), 120.0)
    out = np.zeros((1, 1, rows, 16))
    v = rng.integers(-60, 60, (1, 1, keys, 16)).astype(float)
    q[0, 0, 1] = -240
    k[0, 0, 7] = 121
    k[0, 0, 33] = 119
    out[0, 0] = v[0, 0, 7]
    out[0, 0, 1] = v[0, 0, 33]
    return [("f16", q), ("f16", k), ("f16", v)], [("f16", out)]


def attention_large():
    """Scores of f32 up to 1e10 under a scale that is no power of two."""
    rows, keys = 4, 12
    rng = np.random.default_rng(4)
    q = np.full((1, 1, rows, 4), 3.3e4)
    k = rng.uniform(1e4, 2e4, (1, 1, keys, 4))
    k[0, 0, 5] = 2.5e4
    k[0, 0, 9] = 9e3
    q[0, 0, 2] = -3.3e4
    v = rng.integers(-9, 9, (1, 1, keys, 4)).astype(float)
    out = np.zeros((1, 1, rows, 4))
    out[0, 0] = v[0, 0, 5]
    out[0, 0, 2] = v[0, 0, 9]
    return [("f32", q), ("f32", k), ("f32", v)], [("f32", out)]


def probabilities_large():
    """Rows of which one key has all the weight: its score is some hundred, and
    beyond the others by more than the exponential's range."""
    rng = np.random.default_rng(5)
    batches, rows, keys, width = 2, 13, 37, 67
    arguments, results = [], []
    for kind in ("f16", "f32"):
        k = round_to(kind, rng.normal(0, 1, (batches, keys, width)))
        chosen = rng.integers(0, keys, (batches, rows))
        q = 20 * np.take_along_axis(k, chosen[..., None], 1) + rng.normal(0, 1, (batches, rows, width))
        q = round_to(kind, q)
        scores = np.sort(q @ k.swapaxes(1, 2), axis=2)
        assert scores[..., -1].min() > 300 and (scores[..., -1] - scores[..., -2]).min() > 120
        v = rng.integers(-9, 9, (batches, keys, 6)).astype(float)
        p = np.eye(keys)[chosen]
        arguments += [(kind, q), (kind, k), (kind, v)]
        results += [("f32", p @ v), ("f32", p)]
    return arguments, results


def main():
    name, folder = sys.argv[1:]
    case = globals()[name.replace("-", "_").removesuffix("_each")]()
    shutil.rmtree(folder, ignore_errors=True)
    arguments, results = case[0], case[2 if name.endswith("-each") else 1]
    for i, (kind, values) in enumerate(arguments):
        write(folder, f"arg{i}", kind, values)
    for i, (kind, values) in enumerate(results):
        write(folder, f"out{i}", kind, values)


if __name__ == "__main__":
    main()
