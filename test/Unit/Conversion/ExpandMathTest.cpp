//===- ExpandMathTest.cpp -------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// [N18] Runs the expansions on the CPU and measures their distance from the C
// library's functions in more precision, in units in the last place (ulp) of
// the exact result. The bounds below are what was measured, rounded up.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/ExpandMath.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace mlir;

namespace {

/// A function under test.
struct Function {
  const char *name;
  /// The exact value, of one operand or two.
  long double (*unary)(long double);
  long double (*binary)(long double, long double);
  /// Bounds in ulp: f32 in plain arithmetic, f32 with exp2 and rsqrt native,
  /// f64.
  double f32, native, f64;
  /// The largest f64 operand for which the bound holds.
  double largest = std::numeric_limits<double>::infinity();
};

const Function functions[] = {
    {"exp2", exp2l, nullptr, 1, 0.6, 1},
    {"exp", expl, nullptr, 1, 2, 1.1},
    {"expm1", expm1l, nullptr, 1.5, 1.5, 2},
    {"log", logl, nullptr, 1, 1, 1.1},
    {"log2", log2l, nullptr, 1.6, 1.6, 1.5},
    {"log10", log10l, nullptr, 1.8, 1.8, 1.7},
    {"log1p", log1pl, nullptr, 1.5, 1.5, 1.8},
    {"tanh", tanhl, nullptr, 1.7, 1.8, 1.7},
    {"sinh", sinhl, nullptr, 2.2, 4.2, 2.5},
    {"cosh", coshl, nullptr, 2.2, 4.2, 2},
    {"asinh", asinhl, nullptr, 1.9, 1.9, 2.3},
    {"acosh", acoshl, nullptr, 1.6, 1.6, 2.4},
    {"atanh", atanhl, nullptr, 2.2, 2.2, 2.2},
    {"cbrt", cbrtl, nullptr, 0.8, 0.8, 0.8},
    {"rsqrt", [](long double x) { return 1 / sqrtl(x); }, nullptr, 1.5, 1.5,
     1.5},
    {"erf", erfl, nullptr, 1.2, 1.2, 1.1},
    {"erfc", erfcl, nullptr, 4, 5, 4},
    {"sin", sinl, nullptr, 2.6, 2.6, 1.6, 1e9},
    {"cos", cosl, nullptr, 2.6, 2.6, 1.6, 1e9},
    {"tan", tanl, nullptr, 3.6, 3.6, 3, 1e9},
    {"asin", asinl, nullptr, 2.4, 2.4, 2.2},
    {"acos", acosl, nullptr, 1.3, 1.3, 1.3},
    {"atan", atanl, nullptr, 2.6, 2.6, 1.6},
    {"atan2", nullptr, atan2l, 2.7, 2.7, 2.5},
    {"powf", nullptr, powl, 1, 1, 1.1},
    {"remf", nullptr, fmodl, 0, 0, 0},
};

template <typename T>
const char *typeName() {
  return sizeof(T) == 4 ? "f32" : "f64";
}

/// The expansions, compiled for this machine.
class ExpandedMath {
public:
  ExpandedMath(bool native) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                    scf::SCFDialect, vector::VectorDialect>();
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    std::string source;
    llvm::raw_string_ostream os(source);
    for (const Function &function : functions)
      for (const char *type : {"f32", "f64"}) {
        StringRef dialect =
            function.name == StringRef("remf") ? "arith" : "math";
        os << "func.func @" << function.name << "_" << type << "(%x: " << type
           << ", %y: " << type << ") -> " << type << " {\n  %r = " << dialect
           << "." << function.name << (function.binary ? " %x, %y" : " %x")
           << " : " << type << "\n  return %r : " << type << "\n}\n";
      }
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    fusion::ExpandMathOptions options;
    options.nativeExp2 = options.nativeRsqrt = native;
    if (!module || failed(fusion::expandMath(*module, options)))
      return;
    PassManager passes(&context);
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertFuncToLLVMPass());
    passes.addPass(createConvertControlFlowToLLVMPass());
    passes.addPass(createReconcileUnrealizedCastsPass());
    if (failed(passes.run(*module)))
      return;
    llvm::Expected<std::unique_ptr<ExecutionEngine>> created =
        ExecutionEngine::create(*module);
    if (created)
      engine = std::move(*created);
    else
      llvm::consumeError(created.takeError());
  }

  template <typename T>
  T (*get(const Function &function))(T, T) {
    if (!engine)
      return nullptr;
    auto address =
        engine->lookup((Twine(function.name) + "_" + typeName<T>()).str());
    if (!address) {
      llvm::consumeError(address.takeError());
      return nullptr;
    }
    return reinterpret_cast<T (*)(T, T)>(*address);
  }

private:
  MLIRContext context;
  std::unique_ptr<ExecutionEngine> engine;
};

/// The distance of `found` from `exact` in ulp of T at `exact`; infinite where
/// one of them is special and the other is not, and between the two zeros.
template <typename T>
double distance(T found, long double exact) {
  T rounded = static_cast<T>(exact);
  if (std::isnan(found) || std::isnan(rounded))
    return std::isnan(found) && std::isnan(rounded)
               ? 0
               : std::numeric_limits<double>::infinity();
  // Odd functions keep the sign of zero.
  if (found == 0 && exact == 0 && std::signbit(found) != std::signbit(exact))
    return std::numeric_limits<double>::infinity();
  if (found == rounded)
    return std::isinf(found)
               ? 0
               : std::fabs(static_cast<double>(
                     (found - exact) /
                     (std::nextafter(std::fabs(rounded),
                                     std::numeric_limits<T>::infinity()) -
                      std::fabs(rounded))));
  if (std::isinf(found) || std::isinf(rounded)) {
    // Next to the largest value the two may round differently.
    T other = std::isinf(found) ? rounded : found;
    return std::fabs(other) > std::numeric_limits<T>::max() * T(0.999999)
               ? 1
               : std::numeric_limits<double>::infinity();
  }
  int exponent;
  std::frexp(rounded == 0 ? std::numeric_limits<T>::denorm_min() : rounded,
             &exponent);
  exponent = std::max(exponent - std::numeric_limits<T>::digits,
                      std::numeric_limits<T>::min_exponent -
                          std::numeric_limits<T>::digits);
  return std::fabs(
      static_cast<double>(std::ldexp((long double)found - exact, -exponent)));
}

/// Operands: special values, small and large ones, and bit patterns of every
/// exponent.
template <typename T>
std::vector<T> operands(size_t count) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (T value : {T(0),
                  T(1),
                  T(2),
                  T(3),
                  T(0.5),
                  T(0.25),
                  T(1.5),
                  T(10),
                  T(88),
                  T(89),
                  T(100),
                  T(709),
                  T(710),
                  Limits::infinity(),
                  Limits::max(),
                  Limits::min(),
                  Limits::denorm_min(),
                  Limits::epsilon(),
                  T(1) - Limits::epsilon() / 2,
                  T(1) + Limits::epsilon()}) {
    values.push_back(value);
    values.push_back(-value);
  }
  values.push_back(Limits::quiet_NaN());
  std::mt19937_64 random(1);
  while (values.size() < count) {
    uint64_t bits = random();
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    values.push_back(value);
    // Numbers of ordinary size, which bit patterns seldom are.
    double unit = std::ldexp(static_cast<double>(random() >> 11), -53) * 2 - 1;
    for (double scale : {1.0, 10.0, 100.0, 750.0, 1e6})
      values.push_back(static_cast<T>(unit * scale));
  }
  return values;
}

template <typename T>
void measure(bool native) {
  ExpandedMath math(native);
  std::vector<T> values = operands<T>(sizeof(T) == 4 ? 600000 : 300000);
  for (const Function &function : functions) {
    SCOPED_TRACE(std::string(function.name) + " " + typeName<T>() +
                 (native ? " native" : ""));
    auto *run = math.get<T>(function);
    ASSERT_TRUE(run);
    double worst = 0;
    T worstX = 0, worstY = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      T x = values[i];
      // Pairs of special values, then any.
      T y = values[i < 41 * 41 ? i % 41 : (i * 7919) % values.size()];
      if (i < 41 * 41)
        x = values[i / 41];
      if (sizeof(T) == 8 && std::isfinite(x) && std::fabs(x) > function.largest)
        continue;
      T found = run(x, y);
      long double exact =
          function.binary ? function.binary(x, y) : function.unary(x);
      double d = distance(found, exact);
      if (d > worst || std::isnan(d)) {
        worst = d;
        worstX = x;
        worstY = y;
      }
    }
    double bound = sizeof(T) == 8 ? function.f64
                   : native       ? function.native
                                  : function.f32;
    EXPECT_LE(worst, bound)
        << "at " << worstX << ", " << worstY << " found " << run(worstX, worstY)
        << ", exact "
        << static_cast<T>(function.binary ? function.binary(worstX, worstY)
                                          : function.unary(worstX));
    testing::Test::RecordProperty(function.name, std::to_string(worst));
    if (std::getenv("FUSION_PRINT_ULP"))
      llvm::outs() << function.name << " " << typeName<T>()
                   << (native ? " native " : " ") << worst << " at "
                   << double(worstX) << "\n";
  }
}

TEST(ExpandMathTest, F32) { measure<float>(/*native=*/false); }
TEST(ExpandMathTest, F32OnNativeExp2) { measure<float>(/*native=*/true); }
TEST(ExpandMathTest, F64) { measure<double>(/*native=*/false); }

} // namespace
