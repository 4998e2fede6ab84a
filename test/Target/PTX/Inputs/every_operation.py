#!/usr/bin/env python3
"""Prints a module with one kernel for every operation of kernel IR and every
element type; its argument is the target."""

import sys

FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}

FLOAT_BINARY = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()
INTEGER_BINARY = (
    "addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui maxsi "
    "maxui minsi minui ceildivsi ceildivui floordivsi"
).split()
FLOAT_PREDICATES = "oeq one ogt oge olt ole ord ueq une ugt uge ult ule uno".split()
INTEGER_PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
MATH_UNARY = (
    "absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 "
    "floor log log10 log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh trunc"
).split()
MATH_BINARY = ["atan2", "copysign", "powf"]
MATH_CLASSES = ["isfinite", "isinf", "isnan", "isnormal"]
MATH_INTEGER = ["absi", "ctlz", "ctpop", "cttz"]
FLOAT_ATOMICS = ["addf", "assign", "maximumf", "maxnumf", "minimumf", "minnumf"]
INTEGER_ATOMICS = ["addi", "andi", "assign", "maxs", "maxu", "mins", "minu", "ori"]
REDUCTIONS = ["add", "maximumf", "maxnumf", "minimumf", "minnumf", "mul"]

kernels = []


def kernel(name, arguments, body):
    kernels.append(
        f"    gpu.func @{name}({arguments}) kernel {{\n"
        f"      %i = gpu.thread_id x\n{body}      gpu.return\n    }}\n"
    )


def scalar(name, body, source, result=None, other=None):
    """A kernel that computes %r from %a of type `source` and %b of `other`."""
    result, other = result or source, other or source
    kernel(
        name,
        f"%x: memref<?x{source}>, %y: memref<?x{other}>, %o: memref<?x{result}>",
        f"      %a = memref.load %x[%i] : memref<?x{source}>\n"
        f"      %b = memref.load %y[%i] : memref<?x{other}>\n"
        f"      {body}\n"
        f"      memref.store %r, %o[%i] : memref<?x{result}>\n",
    )


def vector(name, body, source, size=4, result=None):
    """The same for vectors."""
    result = result or source
    kernel(
        name,
        f"%x: memref<?x{source}>, %y: memref<?x{source}>, %o: memref<?x{result}>",
        f"      %a = vector.load %x[%i] : memref<?x{source}>, vector<{size}x{source}>\n"
        f"      %b = vector.load %y[%i] : memref<?x{source}>, vector<{size}x{source}>\n"
        f"      {body}\n"
        f"      vector.store %r, %o[%i] : memref<?x{result}>, vector<{size}x{result}>\n",
    )


def shuffle(t):
    scalar(
        f"shuffle_{t}",
        "%one = arith.constant 1 : i32 %width = arith.constant 32 : i32 "
        f"%r, %valid = gpu.shuffle xor %a, %one, %width : {t}",
        t,
    )


def atomic(kind, t):
    kernel(
        f"atomic_{kind}_{t}",
        f"%x: memref<?x{t}>, %v: {t}",
        f"      %old = memref.atomic_rmw {kind} %v, %x[%i] : ({t}, memref<?x{t}>) -> {t}\n",
    )


def floats():
    for t, width in FLOATS.items():
        for op in FLOAT_BINARY:
            scalar(f"{op}_{t}", f"%r = arith.{op} %a, %b : {t}", t)
            vector(f"v{op}_{t}", f"%r = arith.{op} %a, %b : vector<8x{t}>", t, 8)
        scalar(f"negf_{t}", f"%r = arith.negf %a : {t}", t)
        for p in FLOAT_PREDICATES:
            scalar(f"cmpf_{p}_{t}", f"%r = arith.cmpf {p}, %a, %b : {t}", t, "i1")
        for u, other in FLOATS.items():
            if width != other:
                op = "truncf" if width > other else "extf"
                scalar(f"{op}_{t}_{u}", f"%r = arith.{op} %a : {t} to {u}", t, u)
                body = f"%r = arith.{op} %a : vector<8x{t}> to vector<8x{u}>"
                vector(f"v{op}_{t}_{u}", body, t, 8, u)
        for i in INTEGERS:
            for op in ("sitofp", "uitofp"):
                scalar(f"{op}_{i}_{t}", f"%r = arith.{op} %a : {i} to {t}", i, t)
            for op in ("fptosi", "fptoui"):
                scalar(f"{op}_{t}_{i}", f"%r = arith.{op} %a : {t} to {i}", t, i)
        for op in MATH_UNARY:
            scalar(f"{op}_{t}", f"%r = math.{op} %a : {t}", t)
        for op in MATH_BINARY:
            scalar(f"{op}_{t}", f"%r = math.{op} %a, %b : {t}", t)
        for op in MATH_CLASSES:
            scalar(f"{op}_{t}", f"%r = math.{op} %a : {t}", t, "i1")
        for op in ("exp", "log", "rsqrt", "sin", "tanh"):
            vector(f"v{op}_{t}", f"%r = math.{op} %a : vector<4x{t}>", t)
        scalar(f"fma_{t}", f"%r = math.fma %a, %b, %a : {t}", t)
        scalar(f"clampf_{t}", f"%r = math.clampf %a to [%b, %a] : {t}", t)
        body = f"%s, %c = math.sincos %a : {t} %r = arith.addf %s, %c : {t}"
        scalar(f"sincos_{t}", body, t)
        for i in ("i32", "i64"):
            body = f"%r = math.fpowi %a, %b : {t}, {i}"
            scalar(f"fpowi_{t}_{i}", body, t, other=i)
        for kind in FLOAT_ATOMICS:
            atomic(kind, t)
        shuffle(t)
        for kind in REDUCTIONS:
            body = (
                f"%s = vector.reduction <{kind}>, %a : vector<4x{t}> into {t} "
                f"%r = vector.broadcast %s : {t} to vector<4x{t}>"
            )
            vector(f"reduction_{kind}_{t}", body, t)


def integers():
    for t, width in INTEGERS.items():
        for op in INTEGER_BINARY:
            if t == "i1" and "div" in op:
                continue
            scalar(f"{op}_{t}", f"%r = arith.{op} %a, %b : {t}", t)
        for op in ("addi", "muli", "shli", "maxsi"):
            vector(f"v{op}_{t}", f"%r = arith.{op} %a, %b : vector<4x{t}>", t)
        for p in INTEGER_PREDICATES:
            scalar(f"cmpi_{p}_{t}", f"%r = arith.cmpi {p}, %a, %b : {t}", t, "i1")
        for op in MATH_INTEGER:
            scalar(f"{op}_{t}", f"%r = math.{op} %a : {t}", t)
        scalar(f"ipowi_{t}", f"%r = math.ipowi %a, %b : {t}", t)
        for u, other in INTEGERS.items():
            if width > other:
                scalar(f"trunci_{t}_{u}", f"%r = arith.trunci %a : {t} to {u}", t, u)
            elif width < other:
                for op in ("extsi", "extui"):
                    body = f"%r = arith.{op} %a : {t} to {u}"
                    scalar(f"{op}_{t}_{u}", body, t, u)
        body = f"%r = arith.index_cast %a : index to {t}"
        scalar(f"index_to_{t}", body, "index", t)
        body = f"%r = arith.index_castui %a : {t} to index"
        scalar(f"{t}_to_index", body, t, "index")
        if t == "i1":
            continue
        for kind in INTEGER_ATOMICS:
            atomic(kind, t)
        shuffle(t)
    for op in INTEGER_BINARY:
        scalar(f"{op}_index", f"%r = arith.{op} %a, %b : index", "index")
    for t in ("i32", "i64"):
        for op in ("mulsi_extended", "mului_extended"):
            scalar(f"{op}_{t}", f"%l, %r = arith.{op} %a, %b : {t}", t)
        body = f"%r, %carry = arith.addui_extended %a, %b : {t}, i1"
        scalar(f"addui_extended_{t}", body, t)


def vectors():
    v = "vector<4xf32>"
    vector("bitcast", f"%r = vector.bitcast %a : {v} to vector<4xi32>", "f32", 4, "i32")
    vector(
        "elements",
        f"%e:4 = vector.to_elements %a : {v} "
        f"%r = vector.from_elements %e#3, %e#2, %e#1, %e#0 : {v}",
        "f32",
    )
    vector(
        "insert",
        f"%e = vector.extract %a[1] : f32 from {v} "
        f"%r = vector.insert %e, %b[2] : f32 into {v}",
        "f32",
    )
    vector(
        "insert_dynamic",
        f"%e = vector.extract %a[%i] : f32 from {v} "
        f"%r = vector.insert %e, %b[%i] : f32 into {v}",
        "f32",
    )
    vector(
        "shape_cast",
        f"%c = vector.shape_cast %a : {v} to vector<2x2xf32> "
        "%d = arith.addf %c, %c : vector<2x2xf32> "
        "%t = vector.transpose %d, [1, 0] : vector<2x2xf32> to vector<2x2xf32> "
        f"%r = vector.shape_cast %t : vector<2x2xf32> to {v}",
        "f32",
    )
    vector(
        "strided_slice",
        "%e = vector.extract_strided_slice %a {offsets = [2], sizes = [2], strides = [1]} "
        f": {v} to vector<2xf32> "
        "%r = vector.insert_strided_slice %e, %b {offsets = [0], strides = [1]} "
        f": vector<2xf32> into {v}",
        "f32",
    )
    vector("shuffle", f"%r = vector.shuffle %a, %b [0, 4, 1, 5] : {v}, {v}", "f32")
    vector(
        "select",
        f"%c = arith.cmpf olt, %a, %b : {v} "
        f"%r = arith.select %c, %a, %b : vector<4xi1>, {v}",
        "f32",
    )


def narrow_floats():
    for t in ("f8E4M3FN", "f8E5M2"):
        for op in FLOAT_BINARY:
            scalar(f"{op}_{t}", f"%r = arith.{op} %a, %b : {t}", t)
        vector(f"vaddf_{t}", f"%r = arith.addf %a, %b : vector<4x{t}>", t)
        scalar(f"negf_{t}", f"%r = arith.negf %a : {t}", t)
        scalar(f"cmpf_{t}", f"%r = arith.cmpf olt, %a, %b : {t}", t, "i1")
        body = f"%c = arith.constant 1.5 : {t} %r = arith.addf %a, %c : {t}"
        scalar(f"constant_{t}", body, t)
        for u in FLOATS:
            scalar(f"truncf_{u}_{t}", f"%r = arith.truncf %a : {u} to {t}", u, t)
            scalar(f"extf_{t}_{u}", f"%r = arith.extf %a : {t} to {u}", t, u)
            body = f"%r = arith.extf %a : vector<8x{t}> to vector<8x{u}>"
            vector(f"vextf_{t}_{u}", body, t, 8, u)
        scalar(f"sitofp_i32_{t}", f"%r = arith.sitofp %a : i32 to {t}", "i32", t)
        scalar(f"fptosi_{t}_i32", f"%r = arith.fptosi %a : {t} to i32", t, "i32")
        for op in ("exp", "absf", "sqrt", "tanh"):
            scalar(f"{op}_{t}", f"%r = math.{op} %a : {t}", t)


def complex_numbers():
    for f in ("f32", "f64"):
        t = f"complex<{f}>"
        for op in ("add", "sub", "mul", "div", "pow", "atan2"):
            scalar(f"complex_{op}_{f}", f"%r = complex.{op} %a, %b : {t}", t)
        for op in "conj cos exp expm1 log log1p neg rsqrt sign sin sqrt tan tanh".split():
            scalar(f"complex_{op}_{f}", f"%r = complex.{op} %a : {t}", t)
        for op in ("abs", "angle", "re", "im"):
            scalar(f"complex_{op}_{f}", f"%r = complex.{op} %a : {t}", t, f)
        for op in ("eq", "neq"):
            scalar(f"complex_{op}_{f}", f"%r = complex.{op} %a, %b : {t}", t, "i1")
        scalar(f"complex_create_{f}", f"%r = complex.create %a, %b : {t}", f, t)
        body = f"%c = complex.constant [1.0 : {f}, 2.0 : {f}] : {t} %r = complex.add %a, %c : {t}"
        scalar(f"complex_constant_{f}", body, t)


floats()
integers()
narrow_floats()
complex_numbers()
vectors()
print(f'module attributes {{fusion.target = #fusion.target<"{sys.argv[1]}">}} {{')
print("  gpu.module @kernels {\n" + "".join(kernels) + "  }\n}")
