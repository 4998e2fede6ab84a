//===- SemanticsTest.cpp - MSL computes what MLIR means -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel here goes the whole way: MLIR, fusion-legalize-for-msl, MSL
// text, clang, the emulator. Results are compared with the same operation on
// the host.
//
//===----------------------------------------------------------------------===//

#include "MetalKernel.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float least = std::numeric_limits<float>::min();

/// A module with a kernel per operation, `k0`, `k1`, ...: each reads `inputs`
/// at the thread's index as %a, %b, ..., and stores %r.
std::string elementwise(llvm::ArrayRef<std::string> bodies,
                        llvm::ArrayRef<llvm::StringRef> inputs,
                        llvm::StringRef result) {
  std::string text = "gpu.module @kernels {\n";
  for (size_t i = 0; i < bodies.size(); ++i) {
    std::string parameters, loads;
    for (size_t j = 0; j < inputs.size(); ++j) {
      parameters += llvm::formatv("%p{0}: memref<?x{1}>, ", j, inputs[j]).str();
      loads += llvm::formatv("%{0} = memref.load %p{1}[%t] : memref<?x{2}>\n",
                             char('a' + j), j, inputs[j])
                   .str();
    }
    text += llvm::formatv(
                "gpu.func @k{0}({1}%out: memref<?x{2}>) kernel attributes "
                "{{fusion.index32} {{\n%t = gpu.thread_id x\n{3}{4}\n"
                "memref.store %r, %out[%t] : memref<?x{2}>\ngpu.return\n}\n",
                i, parameters, result, loads, bodies[i])
                .str();
  }
  return text + "}\n";
}

/// Runs kernel `k<i>` of `kernel` on one thread for each element.
template <typename Result, typename... Ts>
std::vector<Result> evaluate(MetalKernel &kernel, unsigned i,
                             const std::vector<Ts> &...inputs) {
  size_t count = std::max({inputs.size()...});
  Result *out = kernel.upload(std::vector<Result>(count));
  std::string error =
      kernel.run("k" + std::to_string(i), {1, 1, 1}, {unsigned(count), 1, 1},
                 kernel.upload(inputs)..., out);
  EXPECT_EQ(error, "") << kernel.text;
  return kernel.download(out, count);
}

/// All pairs of `values`, as two lists.
template <typename T>
std::pair<std::vector<T>, std::vector<T>> pairs(const std::vector<T> &values) {
  std::pair<std::vector<T>, std::vector<T>> result;
  for (T a : values)
    for (T b : values) {
      result.first.push_back(a);
      result.second.push_back(b);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

TEST(MetalSemantics, ComparesFloats) {
  struct Case {
    const char *predicate;
    bool (*expected)(float, float);
  };
  auto unordered = [](float a, float b) { return a != a || b != b; };
  static bool (*isUnordered)(float, float) = unordered;
  const Case cases[] = {
      {"oeq", [](float a, float b) { return a == b; }},
      {"ogt", [](float a, float b) { return a > b; }},
      {"oge", [](float a, float b) { return a >= b; }},
      {"olt", [](float a, float b) { return a < b; }},
      {"ole", [](float a, float b) { return a <= b; }},
      {"one", [](float a, float b) { return a < b || a > b; }},
      {"ord", [](float a, float b) { return !isUnordered(a, b); }},
      {"ueq", [](float a, float b) { return isUnordered(a, b) || a == b; }},
      {"ugt", [](float a, float b) { return isUnordered(a, b) || a > b; }},
      {"uge", [](float a, float b) { return isUnordered(a, b) || a >= b; }},
      {"ult", [](float a, float b) { return isUnordered(a, b) || a < b; }},
      {"ule", [](float a, float b) { return isUnordered(a, b) || a <= b; }},
      {"une", [](float a, float b) { return a != b; }},
      {"uno", [](float a, float b) { return isUnordered(a, b); }},
      {"true", [](float, float) { return true; }},
      {"false", [](float, float) { return false; }},
  };
  std::vector<std::string> bodies;
  for (const Case &c : cases)
    bodies.push_back(
        llvm::formatv("%r = arith.cmpf {0}, %a, %b : f32", c.predicate).str());
  MetalKernel kernel(elementwise(bodies, {"f32", "f32"}, "i1"));
  ASSERT_TRUE(bool(kernel));
  auto [a, b] =
      pairs<float>({0.0f, -0.0f, 1.0f, -2.5f, infinity, -infinity, nan});
  for (size_t i = 0; i < std::size(cases); ++i) {
    std::vector<uint8_t> got = evaluate<uint8_t>(kernel, i, a, b);
    for (size_t j = 0; j < a.size(); ++j)
      EXPECT_EQ(bool(got[j]), cases[i].expected(a[j], b[j]))
          << cases[i].predicate << " " << a[j] << " " << b[j];
  }
}

/// Equal as values, NaNs included, and with equal signs of zero.
void expectSame(float got, float expected, const std::string &what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << what << ": " << got;
    return;
  }
  EXPECT_EQ(got, expected) << what;
  EXPECT_EQ(std::signbit(got), std::signbit(expected)) << what;
}

TEST(MetalSemantics, FindsMinimaAndMaxima) {
  MetalKernel kernel(elementwise(
      {"%r = arith.maximumf %a, %b : f32", "%r = arith.minimumf %a, %b : f32",
       "%r = arith.maxnumf %a, %b : f32", "%r = arith.minnumf %a, %b : f32"},
      {"f32", "f32"}, "f32"));
  ASSERT_TRUE(bool(kernel));
  auto [a, b] =
      pairs<float>({0.0f, -0.0f, 1.0f, -2.5f, infinity, -infinity, nan});
  std::vector<float> got[4];
  for (int i = 0; i < 4; ++i)
    got[i] = evaluate<float>(kernel, i, a, b);
  for (size_t j = 0; j < a.size(); ++j) {
    std::string what = llvm::formatv("{0} {1}", a[j], b[j]).str();
    bool isNaN = std::isnan(a[j]) || std::isnan(b[j]);
    bool swap = a[j] < b[j] || (a[j] == b[j] && std::signbit(a[j]));
    expectSame(got[0][j], isNaN ? nan : swap ? b[j] : a[j], "max " + what);
    expectSame(got[1][j], isNaN ? nan : swap ? a[j] : b[j], "min " + what);
    // Zeros of either sign are equal here.
    float high = std::fmax(a[j], b[j]), low = std::fmin(a[j], b[j]);
    EXPECT_TRUE(got[2][j] == high ||
                (std::isnan(high) && std::isnan(got[2][j])))
        << what;
    EXPECT_TRUE(got[3][j] == low || (std::isnan(low) && std::isnan(got[3][j])))
        << what;
  }
}

TEST(MetalSemantics, ComputesFunctions) {
  struct Case {
    const char *op;
    double (*expected)(double);
    double ulps;
  };
  const Case cases[] = {
      {"math.erf", std::erf, 2},
      {"math.erfc", std::erfc, 6},
      {"math.log1p", std::log1p, 3},
      {"math.expm1", std::expm1, 3},
      {"math.cbrt", std::cbrt, 3},
      {"math.exp", std::exp, 2},
      {"math.exp2", std::exp2, 2},
      {"math.log", std::log, 2},
      {"math.tanh", std::tanh, 3},
      {"math.sin", std::sin, 2},
      {"math.cos", std::cos, 2},
      {"math.sqrt", std::sqrt, 1},
      {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }, 2},
      {"math.absf", std::fabs, 0},
      {"math.floor", std::floor, 0},
      {"math.ceil", std::ceil, 0},
      {"math.trunc", std::trunc, 0},
      {"math.round", std::round, 0},
      {"math.roundeven", std::nearbyint, 0},
  };
  std::vector<std::string> bodies;
  for (const Case &c : cases)
    bodies.push_back(llvm::formatv("%r = {0} %a : f32", c.op).str());
  MetalKernel kernel(elementwise(bodies, {"f32"}, "f32"));
  ASSERT_TRUE(bool(kernel));
  std::vector<float> a = {0.0f,  -0.0f,  1.0f,      -1.0f,   nan,   infinity,
                          0.5f,  -0.5f,  -infinity, 2.5f,    -1.5f, 1e-6f,
                          1e-3f, -1e-6f, 88.0f,     -100.0f, 1e30f, least};
  while (a.size() < 1000)
    a.push_back((int(a.size()) - 500) * 0.0173f);
  for (size_t i = 0; i < std::size(cases); ++i) {
    std::vector<float> got = evaluate<float>(kernel, i, a);
    for (size_t j = 0; j < a.size(); ++j) {
      double exact = cases[i].expected(a[j]);
      float rounded = float(exact);
      std::string what = llvm::formatv("{0} {1}", cases[i].op, a[j]).str();
      if (std::isnan(rounded)) {
        EXPECT_TRUE(std::isnan(got[j])) << what << ": " << got[j];
      } else if (std::isinf(rounded) || cases[i].ulps == 0) {
        EXPECT_EQ(got[j], rounded) << what;
      } else {
        double ulp =
            std::nextafter(std::fabs(rounded), infinity) - std::fabs(rounded);
        EXPECT_LE(std::fabs(got[j] - exact), (cases[i].ulps + 0.5) * ulp)
            << what << ": " << got[j] << ", not " << exact;
      }
    }
  }
}

TEST(MetalSemantics, ComputesNarrowFloats) {
  // The sum is rounded to bf16 once; the function is computed in f32.
  MetalKernel kernel(elementwise({R"(
    %x = arith.truncf %a : f32 to bf16
    %y = arith.truncf %b : f32 to bf16
    %s = arith.addf %x, %y : bf16
    %r = arith.extf %s : bf16 to f32)",
                                  R"(
    %x = arith.truncf %a : f32 to f16
    %y = arith.truncf %b : f32 to f16
    %s = arith.mulf %x, %y : f16
    %r = arith.extf %s : f16 to f32)",
                                  R"(
    %x = arith.truncf %a : f32 to bf16
    %r = arith.extf %x : bf16 to f32)"},
                                 {"f32", "f32"}, "f32"));
  ASSERT_TRUE(bool(kernel));
  auto toBF16 = [](float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    bits = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000u;
    std::memcpy(&x, &bits, 4);
    return x;
  };
  std::vector<float> a = {1.0f, 1.00390625f, 3.14159f, -65280.0f, 1e-3f};
  std::vector<float> b = {1.0f, 1.0f, 2.71828f, 0.123f, 7.0f};
  std::vector<float> sums = evaluate<float>(kernel, 0, a, b);
  std::vector<float> products = evaluate<float>(kernel, 1, a, b);
  std::vector<float> rounded = evaluate<float>(kernel, 2, a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(sums[i], toBF16(toBF16(a[i]) + toBF16(b[i])));
    EXPECT_EQ(rounded[i], toBF16(a[i]));
    EXPECT_NEAR(products[i], a[i] * b[i], std::fabs(a[i] * b[i]) * 2e-3);
  }
}

TEST(MetalSemantics, ConvertsFloats8) {
  for (llvm::StringRef type : {"f8E4M3FN", "f8E5M2"}) {
    const llvm::fltSemantics &format = type == "f8E5M2"
                                           ? llvm::APFloat::Float8E5M2()
                                           : llvm::APFloat::Float8E4M3FN();
    auto decode = [&](uint8_t bits) {
      llvm::APFloat value(format, llvm::APInt(8, bits));
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEsingle(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      return value.convertToFloat();
    };
    std::string body = llvm::formatv("%x = arith.bitcast %a : i8 to {0}\n"
                                     "%r = arith.extf %x : {0} to f32",
                                     type)
                           .str();
    MetalKernel extend(elementwise({body}, {"i8"}, "f32"));
    std::string sum = llvm::formatv("%x = arith.bitcast %a : i8 to {0}\n"
                                    "%y = arith.addf %x, %x : {0}\n"
                                    "%r = arith.bitcast %y : {0} to i8",
                                    type)
                          .str();
    MetalKernel twice(elementwise({sum}, {"i8"}, "i8"));
    ASSERT_TRUE(bool(extend) && bool(twice));
    std::vector<uint8_t> bytes(256);
    std::iota(bytes.begin(), bytes.end(), 0);
    std::vector<float> wide = evaluate<float>(extend, 0, bytes);
    std::vector<uint8_t> doubled = evaluate<uint8_t>(twice, 0, bytes);
    for (int i = 0; i < 256; ++i) {
      float expected = decode(i);
      expectSame(wide[i], expected, type.str() + std::to_string(i));
      llvm::APFloat rounded(2 * expected);
      bool losesInfo;
      rounded.convert(format, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      if (rounded.isNaN())
        EXPECT_TRUE(std::isnan(decode(doubled[i]))) << type.str() << i;
      else
        EXPECT_EQ(doubled[i], rounded.bitcastToAPInt().getZExtValue())
            << type.str() << i;
    }
  }
}

TEST(MetalSemantics, MultipliesComplexNumbers) {
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @k(%x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>) kernel
      attributes {fusion.index32} {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<?xcomplex<f32>>
    %k = complex.constant [0.5 : f32, -2.0 : f32] : complex<f32>
    %b = complex.mul %a, %k : complex<f32>
    memref.store %b, %y[%i] : memref<?xcomplex<f32>>
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  std::vector<float> x = {1, 2, -3, 0.5f};
  auto *y = kernel.upload(std::vector<float>(4));
  EXPECT_EQ(kernel.run("k", {}, {2, 1, 1}, kernel.upload(x), y), "")
      << kernel.text;
  EXPECT_EQ(kernel.download(y, 4),
            (std::vector<float>{0.5f + 4, 1 - 2, -1.5f + 1, 6 + 0.25f}));
}

TEST(MetalSemantics, ConvertsFloats) {
  MetalKernel kernel(elementwise({R"(
    %n = arith.fptosi %a : f32 to i32
    %m = arith.fptoui %b : f32 to i32
    %x = arith.uitofp %m : i32 to f32
    %y = arith.sitofp %n : i32 to f32
    %r = arith.subf %x, %y : f32)",
                                  R"(
    %c = arith.cmpf olt, %a, %b : f32
    %n = arith.extsi %c : i1 to i32
    %m = arith.extui %c : i1 to i32
    %k = arith.subi %n, %m : i32
    %x = arith.sitofp %k : i32 to f32
    %y = arith.uitofp %c : i1 to f32
    %z = arith.sitofp %c : i1 to f32
    %w = arith.subf %y, %z : f32
    %r = arith.addf %x, %w : f32)",
                                  R"(
    %n = arith.bitcast %a : f32 to i32
    %k = arith.constant -2147483648 : i32
    %m = arith.xori %n, %k : i32
    %r = arith.bitcast %m : i32 to f32)"},
                                 {"f32", "f32"}, "f32"));
  ASSERT_TRUE(bool(kernel));
  std::vector<float> a = {-7.9f, 7.9f, -0.5f}, b = {3e9f, 1.5f, 0.0f};
  EXPECT_EQ(evaluate<float>(kernel, 0, a, b),
            (std::vector<float>{3e9f + 7, 1 - 7, 0}));
  EXPECT_EQ(evaluate<float>(kernel, 1, a, b), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(evaluate<float>(kernel, 2, a, b),
            (std::vector<float>{7.9f, -7.9f, 0.5f}));
}

TEST(MetalSemantics, RaisesToPowers) {
  MetalKernel kernel(elementwise({"%c = arith.constant 2 : i32\n"
                                  "%r = math.fpowi %a, %c : f32, i32",
                                  "%c = arith.constant -3 : i32\n"
                                  "%r = math.fpowi %a, %c : f32, i32",
                                  "%c = arith.constant 7.0 : f32\n"
                                  "%r = math.powf %a, %c : f32",
                                  "%c = arith.constant 0.5 : f32\n"
                                  "%r = math.powf %a, %c : f32",
                                  "%n = arith.fptosi %a : f32 to i32\n"
                                  "%r = math.fpowi %a, %n : f32, i32"},
                                 {"f32"}, "f32"));
  ASSERT_TRUE(bool(kernel));
  const double exponents[] = {2, -3, 7, 0.5};
  std::vector<float> a = {1.5f, -2.0f, 0.0f, infinity, 3.25f, -0.0f};
  for (int i = 0; i < 5; ++i) {
    std::vector<float> got = evaluate<float>(kernel, i, a);
    for (size_t j = 0; j < a.size(); ++j) {
      if (i == 4 && std::isinf(a[j]))
        continue;
      double exponent = i == 4 ? std::trunc(a[j]) : exponents[i];
      float expected = float(std::pow(double(a[j]), exponent));
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got[j]));
      else if (std::isinf(expected))
        EXPECT_EQ(got[j], expected);
      else
        EXPECT_NEAR(got[j], expected, std::fabs(expected) * 4e-7) << a[j];
    }
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Checks binary operations on a type, given as the host computes them.
template <typename T>
struct IntegerCase {
  const char *op;
  T (*expected)(T, T);
};

template <typename T>
void checkIntegers(llvm::StringRef type, llvm::ArrayRef<IntegerCase<T>> cases,
                   const std::vector<T> &values, bool (*isDefined)(T, T)) {
  std::vector<std::string> bodies;
  for (const IntegerCase<T> &c : cases)
    bodies.push_back(llvm::formatv("%r = {0} %a, %b : {1}", c.op, type).str());
  MetalKernel kernel(elementwise(bodies, {type, type}, type));
  ASSERT_TRUE(bool(kernel));
  std::vector<T> a, b;
  auto [allA, allB] = pairs<T>(values);
  for (size_t j = 0; j < allA.size(); ++j)
    if (isDefined(allA[j], allB[j])) {
      a.push_back(allA[j]);
      b.push_back(allB[j]);
    }
  for (size_t i = 0; i < cases.size(); ++i) {
    std::vector<T> got = evaluate<T>(kernel, i, a, b);
    for (size_t j = 0; j < a.size(); ++j)
      EXPECT_EQ(int64_t(got[j]), int64_t(cases[i].expected(a[j], b[j])))
          << cases[i].op << " " << type.str() << " " << int64_t(a[j]) << " "
          << int64_t(b[j]);
  }
}

template <typename T>
void checkArithmetic(llvm::StringRef type) {
  using U = std::make_unsigned_t<T>;
  const IntegerCase<T> any[] = {
      {"arith.addi", [](T a, T b) { return T(U(a) + U(b)); }},
      {"arith.subi", [](T a, T b) { return T(U(a) - U(b)); }},
      {"arith.muli", [](T a, T b) { return T(uint64_t(a) * uint64_t(b)); }},
      {"arith.andi", [](T a, T b) { return T(a & b); }},
      {"arith.ori", [](T a, T b) { return T(a | b); }},
      {"arith.xori", [](T a, T b) { return T(a ^ b); }},
      {"arith.maxsi", [](T a, T b) { return std::max(a, b); }},
      {"arith.minsi", [](T a, T b) { return std::min(a, b); }},
      {"arith.maxui", [](T a, T b) { return T(std::max(U(a), U(b))); }},
      {"arith.minui", [](T a, T b) { return T(std::min(U(a), U(b))); }},
  };
  constexpr T low = std::numeric_limits<T>::min();
  constexpr T high = std::numeric_limits<T>::max();
  std::vector<T> values = {0, 1, -1, 7, -8, 100, low, high};
  checkIntegers<T>(type, any, values, [](T, T) { return true; });

  const IntegerCase<T> divisions[] = {
      {"arith.divsi", [](T a, T b) { return T(a / b); }},
      {"arith.remsi", [](T a, T b) { return T(a % b); }},
      {"arith.divui", [](T a, T b) { return T(U(a) / U(b)); }},
      {"arith.remui", [](T a, T b) { return T(U(a) % U(b)); }},
      {"arith.floordivsi",
       [](T a, T b) { return T(a / b - (a % b && (a < 0) != (b < 0))); }},
      {"arith.ceildivsi",
       [](T a, T b) { return T(a / b + (a % b && (a < 0) == (b < 0))); }},
      {"arith.ceildivui",
       [](T a, T b) { return T(U(a) / U(b) + (U(a) % U(b) != 0)); }},
  };
  checkIntegers<T>(type, divisions, values,
                   [](T a, T b) { return b != 0 && !(a == low && b == -1); });

  const IntegerCase<T> shifts[] = {
      {"arith.shli", [](T a, T b) { return T(U(a) << b); }},
      {"arith.shrsi", [](T a, T b) { return T(a >> b); }},
      {"arith.shrui", [](T a, T b) { return T(U(a) >> b); }},
  };
  checkIntegers<T>(type, shifts, {0, 1, -1, 7, -8, 5, low, high},
                   [](T, T b) { return b >= 0 && b <= 7; });
}

TEST(MetalSemantics, ComputesIntegers8) { checkArithmetic<int8_t>("i8"); }
TEST(MetalSemantics, ComputesIntegers16) { checkArithmetic<int16_t>("i16"); }
TEST(MetalSemantics, ComputesIntegers32) { checkArithmetic<int32_t>("i32"); }
TEST(MetalSemantics, ComputesIntegers64) { checkArithmetic<int64_t>("i64"); }

TEST(MetalSemantics, CountsBits) {
  for (const char *type : {"i32", "i64"}) {
    bool wide = llvm::StringRef(type) == "i64";
    std::vector<std::string> bodies;
    for (const char *op : {"math.ctlz", "math.cttz", "math.ctpop"})
      bodies.push_back(llvm::formatv("%n = arith.trunci %a : i64 to i32\n"
                                     "%x = {0} {1} : {2}\n"
                                     "{3}",
                                     op, wide ? "%a" : "%n", type,
                                     wide ? "%r = arith.addi %x, %x : i64"
                                          : "%y = arith.addi %x, %x : i32\n"
                                            "%r = arith.extui %y : i32 to i64")
                           .str());
    MetalKernel kernel(elementwise(bodies, {"i64"}, "i64"));
    ASSERT_TRUE(bool(kernel));
    std::vector<int64_t> a = {0, 1, -1, 0x80, 0x100000000, 0x7000000000000000};
    std::vector<int64_t> got[3];
    for (int i = 0; i < 3; ++i)
      got[i] = evaluate<int64_t>(kernel, i, a);
    for (size_t j = 0; j < a.size(); ++j) {
      uint64_t bits = wide ? uint64_t(a[j]) : uint32_t(a[j]);
      int width = wide ? 64 : 32;
      int leading = bits ? __builtin_clzll(bits) - (64 - width) : width;
      int trailing = bits ? __builtin_ctzll(bits) : width;
      EXPECT_EQ(got[0][j], 2 * leading) << type << " " << a[j];
      EXPECT_EQ(got[1][j], 2 * trailing) << type << " " << a[j];
      EXPECT_EQ(got[2][j], 2 * __builtin_popcountll(bits))
          << type << " " << a[j];
    }
  }
}

TEST(MetalSemantics, MultipliesWide) {
  MetalKernel kernel(
      elementwise({"%l, %r = arith.mului_extended %a, %b : i32",
                   "%l, %r = arith.mulsi_extended %a, %b : i32",
                   "%s, %o = arith.addui_extended %a, %b : i32, i1\n"
                   "%r = arith.extui %o : i1 to i32"},
                  {"i32", "i32"}, "i32"));
  ASSERT_TRUE(bool(kernel));
  auto [a, b] = pairs<int32_t>({0, 1, -1, 123456789, INT32_MIN, INT32_MAX});
  std::vector<int32_t> got[3];
  for (int i = 0; i < 3; ++i)
    got[i] = evaluate<int32_t>(kernel, i, a, b);
  for (size_t j = 0; j < a.size(); ++j) {
    uint64_t product = uint64_t(uint32_t(a[j])) * uint32_t(b[j]);
    EXPECT_EQ(uint32_t(got[0][j]), uint32_t(product >> 32));
    EXPECT_EQ(got[1][j], int32_t((int64_t(a[j]) * b[j]) >> 32));
    EXPECT_EQ(got[2][j],
              int32_t((uint64_t(uint32_t(a[j])) + uint32_t(b[j])) >> 32));
  }
}

//===----------------------------------------------------------------------===//
// Vectors, control flow, threads together
//===----------------------------------------------------------------------===//

TEST(MetalSemantics, SplitsVectors) {
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @k(%x: memref<?xf32>, %m: memref<?xi1>, %y: memref<?xf32>, %n: index)
      kernel attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : vector<7xf32>
    %a = vector.load %x[%c0] {alignment = 16 : i64} : memref<?xf32>, vector<7xf32>
    %p = vector.load %m[%c0] : memref<?xi1>, vector<7xi1>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (vector<7xf32>) {
      %b = arith.addf %s, %k : vector<7xf32>
      scf.yield %b : vector<7xf32>
    }
    %big = arith.cmpf ogt, %r, %k : vector<7xf32>
    %both = arith.andi %big, %p : vector<7xi1>
    %c = arith.select %both, %r, %k : vector<7xi1>, vector<7xf32>
    vector.store %c, %y[%c0] {alignment = 16 : i64} : memref<?xf32>, vector<7xf32>
    vector.store %big, %m[%c0] : memref<?xi1>, vector<7xi1>
    %sum = vector.reduction <add>, %c : vector<7xf32> into f32
    %c7 = arith.constant 7 : index
    memref.store %sum, %y[%c7] : memref<?xf32>
    %e = vector.extract %c[%c3] : f32 from vector<7xf32>
    %c8 = arith.constant 8 : index
    memref.store %e, %y[%c8] : memref<?xf32>
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  std::vector<float> x = {1, -8, 3, -30, 5, 6, -70};
  std::vector<uint8_t> mask = {1, 1, 0, 1, 1, 0, 1};
  auto *m = kernel.upload(mask);
  auto *y = kernel.upload(std::vector<float>(9));
  EXPECT_EQ(kernel.run("k", {}, {}, kernel.upload(x), m, y, int32_t(3)), "")
      << kernel.text;
  std::vector<float> got = kernel.download(y, 9);
  std::vector<uint8_t> big = kernel.download(m, 7);
  float sum = 0;
  for (int i = 0; i < 7; ++i) {
    float r = x[i] + 3 * (i + 1.0f);
    EXPECT_EQ(bool(big[i]), r > i + 1.0f) << i;
    float c = r > i + 1.0f && mask[i] ? r : i + 1.0f;
    EXPECT_EQ(got[i], c) << i;
    sum += c;
  }
  EXPECT_EQ(got[7], sum);
  EXPECT_EQ(got[8], got[3]);
}

TEST(MetalSemantics, CastsBits) {
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @k(%x: memref<?xi8>, %h: memref<?xi16>, %w: memref<?xi32>,
              %l: memref<?xi64>) kernel attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %a = vector.load %x[%c0] : memref<?xi8>, vector<8xi8>
    %b = vector.bitcast %a : vector<8xi8> to vector<4xi16>
    vector.store %b, %h[%c0] : memref<?xi16>, vector<4xi16>
    %c = vector.bitcast %a : vector<8xi8> to vector<2xi32>
    vector.store %c, %w[%c0] : memref<?xi32>, vector<2xi32>
    %d = vector.bitcast %a : vector<8xi8> to vector<1xi64>
    vector.store %d, %l[%c0] : memref<?xi64>, vector<1xi64>
    %f = vector.bitcast %d : vector<1xi64> to vector<2xf32>
    %g = vector.bitcast %f : vector<2xf32> to vector<8xi8>
    vector.store %g, %x[%c0] : memref<?xi8>, vector<8xi8>
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  std::vector<uint8_t> bytes = {0x12, 0xfe, 0x80, 0x7f, 0x01, 0xff, 0x3c, 0xa5};
  auto *x = kernel.upload(bytes);
  auto *h = kernel.upload(std::vector<uint16_t>(4));
  auto *w = kernel.upload(std::vector<uint32_t>(2));
  auto *l = kernel.upload(std::vector<uint64_t>(1));
  EXPECT_EQ(kernel.run("k", {}, {}, x, h, w, l), "") << kernel.text;
  auto expectBytes = [&](const void *data, const char *what) {
    EXPECT_EQ(std::memcmp(data, bytes.data(), 8), 0) << what;
  };
  expectBytes(kernel.download(h, 4).data(), "i16");
  expectBytes(kernel.download(w, 2).data(), "i32");
  expectBytes(kernel.download(l, 1).data(), "i64");
  expectBytes(kernel.download(x, 8).data(), "i8");
}

TEST(MetalSemantics, PacksScalars) {
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @k(%y: memref<?xf32>, %b: i1, %n: index, %h: f16, %w: i32, %g: bf16,
              %f: f32, %c: i8) kernel {
    %c0 = arith.constant 0 : index
    %0 = arith.uitofp %b : i1 to f32
    %1 = arith.extf %h : f16 to f32
    %2 = arith.sitofp %w : i32 to f32
    %3 = arith.extf %g : bf16 to f32
    %4 = arith.sitofp %c : i8 to f32
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %f : f32
    %9 = arith.addf %8, %4 : f32
    memref.store %9, %y[%n] : memref<?xf32>
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  auto *y = kernel.upload(std::vector<float>(3));
  EXPECT_EQ(kernel.run("k", {}, {}, y, true, int64_t(2), uint16_t(0x3c00),
                       int32_t(10), uint16_t(0x4000), 0.5f, int8_t(-100)),
            "")
      << kernel.text;
  EXPECT_EQ(kernel.download(y, 3)[2], 1 + 1 + 10 + 2 + 0.5f - 100);
}

TEST(MetalSemantics, FollowsControlFlow) {
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @fibonacci(%y: memref<?xi32>, %n: index) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %o) -> (i32, i32) {
      %s = arith.addi %a, %b : i32
      scf.yield %b, %s : i32, i32
    }
    memref.store %r#0, %y[%c0] : memref<?xi32>
    gpu.return
  }
  gpu.func @collatz(%y: memref<?xi32>, %n: i32) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %r:2 = scf.while (%a = %n, %steps = %z) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi ne, %a, %o : i32
      scf.condition(%c) %steps, %a : i32, i32
    } do {
    ^bb0(%steps: i32, %a: i32):
      %odd = arith.remui %a, %two : i32
      %k = arith.index_cast %odd : i32 to index
      %b = scf.index_switch %k -> i32
      case 0 {
        %h = arith.divui %a, %two : i32
        scf.yield %h : i32
      }
      default {
        %t = arith.muli %a, %three : i32
        %u = arith.addi %t, %o : i32
        scf.yield %u : i32
      }
      %next = arith.addi %steps, %o : i32
      scf.yield %b, %next : i32, i32
    }
    memref.store %r#0, %y[%c0] : memref<?xi32>
    gpu.return
  }
  gpu.func @check(%y: memref<?xi32>, %i: index) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %v = arith.constant 1 : i32
    %in = arith.cmpi ult, %i, %c4 : index
    cf.assert %in, "out of bounds"
    memref.store %v, %y[%c0] : memref<?xi32>
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  auto *y = kernel.upload(std::vector<int32_t>(1));
  EXPECT_EQ(kernel.run("fibonacci", {}, {}, y, int32_t(20)), "");
  EXPECT_EQ(kernel.download(y, 1)[0], 6765) << kernel.text;
  EXPECT_EQ(kernel.run("collatz", {}, {}, y, int32_t(27)), "");
  EXPECT_EQ(kernel.download(y, 1)[0], 111) << kernel.text;
  EXPECT_EQ(kernel.run("check", {}, {}, y, int32_t(3)), "");
  EXPECT_NE(kernel.run("check", {}, {}, y, int32_t(-1)).find("assertion"),
            std::string::npos);
}

TEST(MetalSemantics, ReducesInABlock) {
  // The sum of 64 values: shuffles in a SIMD group, shared memory between.
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>)
      workgroup(%s : memref<2xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %w = arith.constant 32 : i32
    %k1 = arith.constant 1 : i32
    %k16 = arith.constant 16 : i32
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %v = memref.load %x[%t] : memref<?xf32>
    %r:2 = scf.while (%a = %v, %o = %k16) : (f32, i32) -> (f32, i32) {
      %z = arith.constant 0 : i32
      %c = arith.cmpi ne, %o, %z : i32
      scf.condition(%c) %a, %o : f32, i32
    } do {
    ^bb0(%a: f32, %o: i32):
      %b, %p = gpu.shuffle xor %a, %o, %w : f32
      %sum = arith.addf %a, %b : f32
      %h = arith.shrui %o, %k1 : i32
      scf.yield %sum, %h : f32, i32
    }
    %warp = arith.divui %t, %c32 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %r#0, %s[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %a = memref.load %s[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
    %c = arith.addf %a, %b : f32
    %d, %p = gpu.shuffle up %c, %k1, %w : f32
    %e = arith.select %p, %d, %v : f32
    memref.store %e, %y[%t] : memref<?xf32>
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  std::vector<float> x(64);
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += x[i] = i * 0.5f;
  auto *y = kernel.upload(std::vector<float>(64));
  EXPECT_EQ(kernel.run("k", {1, 1, 1}, {64, 1, 1}, kernel.upload(x), y), "")
      << kernel.text;
  std::vector<float> got = kernel.download(y, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], i % 32 ? sum : x[i]) << i;
}

TEST(MetalSemantics, MultipliesMatrices) {
  // One SIMD group; lane l holds two elements of each matrix.
  for (llvm::StringRef type : {"f16", "bf16", "f32"}) {
    // Fragments are loaded as f32 and rounded.
    auto load = [&](llvm::StringRef value, llvm::StringRef memory) {
      bool isF32 = type == "f32";
      std::string wide = isF32 ? value.str() : (value + "w").str();
      std::string text =
          "%" + wide + " = vector.load %" + memory.str() +
          "[%i] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>\n";
      if (!isF32)
        text += "    %" + value.str() + " = arith.truncf %" + wide +
                " : vector<2xf32> to vector<2x" + type.str() + ">\n";
      return text;
    };
    std::string text = llvm::formatv(
        R"(
gpu.module @kernels {{
  gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) kernel
      attributes {{known_block_size = array<i32: 32, 1, 1>, fusion.index32} {{
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %l = gpu.lane_id
    %q = arith.divui %l, %c4 : index
    %q4 = arith.andi %q, %c4 : index
    %h = arith.divui %l, %c2 : index
    %h4 = arith.remui %h, %c4 : index
    %row = arith.addi %q4, %h4 : index
    %q2 = arith.andi %q, %c2 : index
    %q22 = arith.muli %q2, %c2 : index
    %l2 = arith.remui %l, %c2 : index
    %l22 = arith.muli %l2, %c2 : index
    %column = arith.addi %q22, %l22 : index
    %r8 = arith.muli %row, %c8 : index
    %i = arith.addi %r8, %column : index
    {0}
    {1}
    %c = vector.load %z[%i] {{alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    %d = fusion.simdgroup_mma %a, %b, %c : vector<2x{2}>, vector<2xf32>
    vector.store %d, %z[%i] {{alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    gpu.return
  }
})",
        load("a", "x"), load("b", "y"), type);
    MetalKernel kernel(text);
    ASSERT_TRUE(bool(kernel));
    std::vector<float> a(64), b(64), c(64);
    for (int i = 0; i < 64; ++i) {
      a[i] = float(i % 7) - 3;
      b[i] = float(i % 5) * 0.5f;
      c[i] = float(i);
    }
    auto *z = kernel.upload(c);
    EXPECT_EQ(kernel.run("k", {1, 1, 1}, {32, 1, 1}, kernel.upload(a),
                         kernel.upload(b), z),
              "")
        << kernel.text;
    std::vector<float> got = kernel.download(z, 64);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        float expected = c[i * 8 + j];
        for (int k = 0; k < 8; ++k)
          expected += a[i * 8 + k] * b[k * 8 + j];
        EXPECT_EQ(got[i * 8 + j], expected)
            << type.str() << " " << i << " " << j;
      }
  }
}

TEST(MetalSemantics, AddsAtomically) {
  MetalKernel kernel(R"(
gpu.module @kernels {
  gpu.func @k(%x: memref<?xf32>, %n: memref<?xi32>) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %f = arith.sitofp %i : i32 to f32
    %0 = memref.atomic_rmw addf %f, %x[%c0] : (f32, memref<?xf32>) -> f32
    %1 = memref.atomic_rmw addi %i, %n[%c0] : (i32, memref<?xi32>) -> i32
    %2 = memref.atomic_rmw maxs %i, %n[%c1] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
})");
  ASSERT_TRUE(bool(kernel));
  auto *x = kernel.upload(std::vector<float>{0.5f});
  auto *n = kernel.upload(std::vector<int32_t>{1, -5});
  EXPECT_EQ(kernel.run("k", {2, 1, 1}, {64, 1, 1}, x, n), "") << kernel.text;
  EXPECT_EQ(kernel.download(x, 1)[0], 0.5f + 2 * 2016);
  EXPECT_EQ(kernel.download(n, 2), (std::vector<int32_t>{1 + 2 * 2016, 63}));
}

} // namespace
