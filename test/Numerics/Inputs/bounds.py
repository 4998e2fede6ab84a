#!/usr/bin/env python3
"""Runs kernels on unfriendly random data and holds their errors against the
bounds that docs/Numerics.md derives.

  bounds.py FAMILY TARGET FOLDER

Prints for each case the largest share of its bound that an error takes. Fails
where one exceeds it, and where no case comes near: a bound that nothing
approaches says nothing."""

import math
import os
import subprocess
import sys

import numpy as np
from arrays import read, round_to, write

UNIT = {"bf16": 2.0**-8, "f16": 2.0**-11, "f32": 2.0**-24}
# Half of the least denormal number: what rounding a small number costs.
UNDERFLOW = {"bf16": 2.0**-134, "f16": 2.0**-25, "f32": 2.0**-150}
U = UNIT["f32"]
# Matrix units round their sums in a way of their own.
U_MATRIX = 2 * U
EXP2 = 2.0**-22
NEAR = 0.01


def gamma(count, unit=U):
    return count * unit / (1 - count * unit)


def unfriendly(rng, shape, spread):
    """Numbers of either sign whose magnitudes span 2^-spread to 2^spread."""
    return rng.choice([-1.0, 1.0], shape) * np.exp2(rng.uniform(-spread, spread, shape))


def run(folder, name, graph, target, arguments, level="attention"):
    case = os.path.join(folder, name)
    for i, (kind, values) in enumerate(arguments):
        write(case, f"arg{i}", kind, values)
    path = os.path.join(case, "graph.mlir")
    with open(path, "w") as file:
        file.write(graph)
    # There is nothing to compare with: what stands there is not looked at.
    result = graph.rsplit(" : ", 1)[1].splitlines()[0]
    dims = result.removeprefix("tensor<").removesuffix(">").split("x")
    write(case, "out0", dims[-1], np.zeros([int(d) for d in dims[:-1]]))
    found = os.path.join(case, "found")
    command = ["fusion-run", path, f"--target={target}", f"--data={case}", f"--level={level}", f"--output={found}"]
    process = subprocess.run(command, capture_output=True, text=True)
    if not os.path.exists(found):
        sys.exit(f"{name}: {process.stderr}")
    return read(found, "out0")


# ===----------------------------------------------------------------------===//
# Sums and variances
# ===----------------------------------------------------------------------===//


def sum_graph(kind, rows, columns, along_rows):
    shape = f"{rows}x{columns}x{kind}"
    size, dim = (rows, "d0") if along_rows else (columns, "d1")
    loops = '["parallel", "reduction"]' if along_rows else '["reduction", "parallel"]'
    return f"""
func.func @main(%x: tensor<{shape}>) -> tensor<{size}x{kind}> {{
  %zero = arith.constant 0.0 : {kind}
  %e = tensor.empty() : tensor<{size}x{kind}>
  %f = linalg.fill ins(%zero : {kind}) outs(%e : tensor<{size}x{kind}>) -> tensor<{size}x{kind}>
  %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ({dim})>],
      iterator_types = {loops}}} ins(%x : tensor<{shape}>) outs(%f : tensor<{size}x{kind}>) {{
  ^bb0(%in: {kind}, %out: {kind}):
    %v = arith.addf %in, %out : {kind}
    linalg.yield %v : {kind}
  }} -> tensor<{size}x{kind}>
  return %r : tensor<{size}x{kind}>
}}
"""


def row_height(columns, kind):
    """Additions between an element of a row and the sum: those of its thread,
    those between lanes and warps, and that of the start."""
    vector = math.gcd(columns, 16 // (4 if kind == "f32" else 2))
    vector &= -vector
    chunks = -(-columns // vector)
    threads = min(max(1 << (chunks - 1).bit_length(), 32), 512)
    while threads > 32 and -(-chunks // (threads // 2)) * vector <= 16:
        threads //= 2
    return -(-chunks // threads) * vector + 5 + threads // 32


def sums(target, folder):
    rng = np.random.default_rng(1)
    for kind in ("f32", "f16", "bf16"):
        for columns in (33, 1000, 5000):
            spread = 6 if kind == "f16" else 20
            x = round_to(kind, unfriendly(rng, (3, columns), spread))
            # A few that cancel what came before.
            x[0, columns // 2] = round_to(kind, -x[0].sum())
            exact, size = x.sum(axis=1), np.abs(x).sum(axis=1)
            rounding = UNIT[kind] * np.abs(exact) if kind != "f32" else 0
            for along_rows in (True, False):
                height = row_height(columns, kind) if along_rows else columns
                bound = gamma(height) * size * (1 + UNIT[kind]) + rounding
                rows, data = (3, x) if along_rows else (columns, x.T)
                graph = sum_graph(kind, *data.shape, along_rows)
                name = f"sum-{kind}-{columns}-{'row' if along_rows else 'column'}"
                found = run(folder, name, graph, target, [(kind, data)])
                yield name, np.abs(found - exact) / bound


def variance_graph(rows, columns):
    shape = f"{rows}x{columns}xf32"
    maps = "affine_map<(d0, d1) -> (d0, d1)>", "affine_map<(d0, d1) -> (d0)>"
    return f"""
func.func @main(%x: tensor<{shape}>) -> tensor<{rows}xf32> {{
  %zero = arith.constant 0.0 : f64
  %n = arith.constant {columns}.0 : f64
  %e = tensor.empty() : tensor<{rows}xf64>
  %en = tensor.empty() : tensor<{rows}xf32>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<{rows}xf64>) -> tensor<{rows}xf64>
  %s = linalg.generic {{indexing_maps = [{maps[0]}, {maps[1]}], iterator_types = ["parallel", "reduction"]}}
      ins(%x : tensor<{shape}>) outs(%f : tensor<{rows}xf64>) {{
  ^bb0(%in: f32, %out: f64):
    %w = arith.extf %in : f32 to f64
    %v = arith.addf %w, %out : f64
    linalg.yield %v : f64
  }} -> tensor<{rows}xf64>
  %q = linalg.generic {{indexing_maps = [{maps[0]}, {maps[1]}, {maps[1]}], iterator_types = ["parallel", "reduction"]}}
      ins(%x, %s : tensor<{shape}>, tensor<{rows}xf64>) outs(%f : tensor<{rows}xf64>) {{
  ^bb0(%in: f32, %sum: f64, %out: f64):
    %w = arith.extf %in : f32 to f64
    %m = arith.divf %sum, %n : f64
    %d = arith.subf %w, %m : f64
    %p = arith.mulf %d, %d : f64
    %v = arith.addf %p, %out : f64
    linalg.yield %v : f64
  }} -> tensor<{rows}xf64>
  %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
      ins(%q : tensor<{rows}xf64>) outs(%en : tensor<{rows}xf32>) {{
  ^bb0(%in: f64, %out: f32):
    %v = arith.divf %in, %n : f64
    %t = arith.truncf %v : f64 to f32
    linalg.yield %t : f32
  }} -> tensor<{rows}xf32>
  return %r : tensor<{rows}xf32>
}}
"""


def variances(target, folder):
    rng = np.random.default_rng(2)
    for columns in (33, 768, 4096):
        for mean in (0.0, 1e3, 1e5):
            x = round_to("f32", rng.normal(mean, 1, (3, columns)))
            exact = x.var(axis=1)
            height = row_height(columns, "f32")
            shift = gamma(height + 1) * np.abs(x).mean(axis=1)
            bound = gamma(height + 4) * exact + (1 + gamma(height + 4)) * shift**2
            name = f"variance-{columns}-mean-{mean:g}"
            found = run(folder, name, variance_graph(3, columns), target, [("f32", x)])
            yield name, np.abs(found - exact) / bound


# ===----------------------------------------------------------------------===//
# Products
# ===----------------------------------------------------------------------===//


def product_graph(kind, m, k, n):
    a, b, c = f"tensor<{m}x{k}x{kind}>", f"tensor<{k}x{n}x{kind}>", f"tensor<{m}x{n}xf32>"
    return f"""
func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {c}
  %f = linalg.fill ins(%zero : f32) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}
  return %r : {c}
}}
"""


def products(target, folder):
    rng = np.random.default_rng(3)
    for kind in ("f32", "f16", "bf16"):
        for m, k, n in ((20, 40, 24), (33, 500, 40), (1, 1024, 32)):
            spread = 5 if kind == "f16" else 12
            a = round_to(kind, unfriendly(rng, (m, k), spread))
            b = round_to(kind, unfriendly(rng, (k, n), spread))
            exact, size = a @ b, np.abs(a) @ np.abs(b)
            unit = U_MATRIX if kind != "f32" or target.startswith("apple") else U
            bound = gamma(k, unit) * size + k * 2.0**-126
            name = f"product-{kind}-{m}x{k}x{n}"
            found = run(folder, name, product_graph(kind, m, k, n), target, [(kind, a), (kind, b)])
            yield name, np.abs(found - exact) / bound


# ===----------------------------------------------------------------------===//
# Attention
# ===----------------------------------------------------------------------===//


def attention_graph(kind, queries, keys, width):
    q, k = f"tensor<2x{queries}x{width}x{kind}>", f"tensor<2x{keys}x{width}x{kind}>"
    s, p = f"tensor<2x{queries}x{keys}xf32>", f"tensor<2x{queries}x{keys}x{kind}>"
    o = f"tensor<2x{queries}x{width}xf32>"
    same = "affine_map<(d0, d1, d2) -> (d0, d1, d2)>"
    dims = "(d0, d1, d2, d3)"
    cast = f"    %t = arith.truncf %x : f32 to {kind}\n    linalg.yield %t : {kind}\n"
    if kind == "f32":
        cast = "    linalg.yield %x : f32\n"
    return f"""
func.func @main(%q: {q}, %k: {k}, %v: {k}) -> {o} {{
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : {s}
  %ep = tensor.empty() : {p}
  %eo = tensor.empty() : {o}
  %fs = linalg.fill ins(%zero : f32) outs(%es : {s}) -> {s}
  %fo = linalg.fill ins(%zero : f32) outs(%eo : {o}) -> {o}
  %s = linalg.batch_matmul indexing_maps = [affine_map<{dims} -> (d0, d1, d3)>, affine_map<{dims} -> (d0, d2, d3)>,
      affine_map<{dims} -> (d0, d1, d2)>] ins(%q, %k : {q}, {k}) outs(%fs : {s}) -> {s}
  %n = linalg.softmax dimension(2) ins(%s : {s}) outs(%es : {s}) -> {s}
  %p = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%n : {s}) outs(%ep : {p}) {{
  ^bb0(%x: f32, %out: {kind}):
{cast}  }} -> {p}
  %r = linalg.batch_matmul ins(%p, %v : {p}, {k}) outs(%fo : {o}) -> {o}
  return %r : {o}
}}
"""


def attention(target, folder):
    rng = np.random.default_rng(4)
    # Tiles have 16 to 128 keys: the worst of both.
    tile, least_tile = 128, 16
    for kind in ("f32", "f16", "bf16"):
        for queries, keys, width, size in ((9, 24, 16, 1.0), (20, 200, 64, 1.0), (20, 200, 64, 3.0)):
            q = round_to(kind, rng.normal(0, size, (2, queries, width)))
            k = round_to(kind, rng.normal(0, size, (2, keys, width)))
            v = round_to(kind, unfriendly(rng, (2, keys, width), 4))
            scores = q @ k.transpose(0, 2, 1)
            weights = np.exp(scores - scores.max(axis=2, keepdims=True))
            weights /= weights.sum(axis=2, keepdims=True)
            exact, magnitude = weights @ v, weights @ np.abs(v)
            unit = U_MATRIX if kind != "f32" or target.startswith("apple") else U
            largest = (np.abs(q) @ np.abs(k).transpose(0, 2, 1)).max(axis=2, keepdims=True)
            tiles = -(-keys // least_tile)
            exponent = largest * (2 * gamma(width + 1, unit) + 16 * U)
            weight = np.expm1(exponent) + (tiles + 1) * (EXP2 + 2 * U)
            relative = 2 * weight + gamma(keys + tiles, unit) + gamma(tile + 2 * tiles + 16) + 3 * U
            bound = relative * magnitude
            if kind != "f32":
                bound = bound + UNIT[kind] * magnitude * (1 + relative)
                bound = bound + UNDERFLOW[kind] * np.abs(v).sum(axis=1, keepdims=True)
            name = f"attention-{kind}-{queries}x{keys}x{width}-size-{size:g}"
            graph = attention_graph(kind, queries, keys, width)
            found = run(folder, name, graph, target, [(kind, q), (kind, k), (kind, v)])
            yield name, np.abs(found - exact) / bound


def main():
    family, target, folder = sys.argv[1:]
    nearest = 0.0
    for name, shares in globals()[family](target, folder):
        share = float(shares.max())
        print(f"{name}: {share:.3f} of the bound")
        if not share <= 1:
            sys.exit(f"{name} exceeds its bound")
        nearest = max(nearest, share)
    if nearest < NEAR:
        sys.exit(f"no {family} come near their bound")
    print(f"{family}: within the bound, at most {nearest:.3f} of it")


if __name__ == "__main__":
    main()
