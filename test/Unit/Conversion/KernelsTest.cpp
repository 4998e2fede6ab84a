//===- KernelsTest.cpp ----------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels on the emulator after their conversion to NVVM: what a look at
// the converted IR does not show to be right.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/FusionGPUToNVVM.h"
#include "fusion/Runtime/Emulator.h"
#include "fusion/Target/PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "gtest/gtest.h"
#include <cmath>
#include <complex>
#include <cstring>
#include <random>

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Compiles one kernel, `@k`, and runs it on the emulator.
class Kernel {
public:
  /// `arguments` and `body` are text of the kernel IR; the block has `threads`
  /// threads.
  Kernel(const std::string &arguments, const std::string &body,
         unsigned threads, const std::string &attributes = "")
      : threads(threads) {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    complex::ComplexDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                    nvgpu::NVGPUDialect, scf::SCFDialect, ub::UBDialect,
                    vector::VectorDialect>();
    registerPTXDialectTranslations(registry);
    MLIRContext context(registry);
    auto module = parseSourceString<ModuleOp>(
        "module { gpu.module @kernels { gpu.func @k(" + arguments +
            ") kernel attributes {" + attributes +
            "known_block_size = array<i32: " + std::to_string(threads) +
            ", 1, 1>} {\n%t = gpu.thread_id x\n" + body + "\ngpu.return\n} } }",
        &context);
    if (!module)
      return;
    auto gpuModule = *module->getOps<gpu::GPUModuleOp>().begin();
    if (failed(convertFusionGPUToNVVM(gpuModule)))
      return;
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    auto llvmModule = translateToLLVMIR(gpuModule, *llvmContext, "sm_80");
    if (failed(llvmModule))
      return;
    if (auto created =
            Emulator::create(std::move(llvmContext), std::move(*llvmModule)))
      emulator = std::move(*created);
  }

  /// Runs one block on `buffers`, which it updates; returns the error's text.
  template <typename... T>
  std::string run(std::vector<T> &...buffers) {
    if (!emulator)
      return "no kernel";
    std::vector<void *> memory;
    std::vector<KernelArgument> arguments;
    (upload(memory, buffers), ...);
    for (void *&address : memory)
      arguments.push_back({&address, sizeof(void *)});
    llvm::Error error = emulator->launch("k", {}, {threads, 1, 1}, arguments);
    if (error)
      return llvm::toString(std::move(error));
    unsigned i = 0;
    (download(memory[i++], buffers), ...);
    return "";
  }

private:
  template <typename T>
  void upload(std::vector<void *> &memory, const std::vector<T> &buffer) {
    size_t bytes = buffer.size() * sizeof(T);
    memory.push_back(llvm::cantFail(emulator->allocate(bytes)));
    llvm::cantFail(emulator->copyToDevice(memory.back(), buffer.data(), bytes));
  }
  template <typename T>
  void download(void *memory, std::vector<T> &buffer) {
    llvm::cantFail(emulator->copyFromDevice(buffer.data(), memory,
                                            buffer.size() * sizeof(T)));
  }

  unsigned threads;
  std::unique_ptr<Emulator> emulator;
};

//===----------------------------------------------------------------------===//
// Floats of eight bits
//===----------------------------------------------------------------------===//

/// Converts `value` between formats as arith.extf and truncf do.
llvm::APFloat convert(llvm::APFloat value, const llvm::fltSemantics &to) {
  bool losesInfo;
  value.convert(to, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

void checkNarrowFloat(const std::string &type,
                      const llvm::fltSemantics &semantics) {
  Kernel extend("%x: memref<?x" + type + ">, %y: memref<?xf32>",
                "%v = memref.load %x[%t] : memref<?x" + type +
                    ">\n%w = arith.extf %v : " + type +
                    " to f32\nmemref.store %w, %y[%t] : memref<?xf32>",
                256);
  std::vector<uint8_t> patterns(256);
  for (unsigned i = 0; i < 256; ++i)
    patterns[i] = i;
  std::vector<float> wide(256);
  ASSERT_EQ(extend.run(patterns, wide), "");
  std::vector<float> values;
  for (unsigned i = 0; i < 256; ++i) {
    llvm::APFloat exact = convert(llvm::APFloat(semantics, llvm::APInt(8, i)),
                                  llvm::APFloat::IEEEsingle());
    float expected = exact.convertToFloat();
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(wide[i])) << i;
      continue;
    }
    EXPECT_EQ(wide[i], expected) << i;
    EXPECT_EQ(std::signbit(wide[i]), std::signbit(expected)) << i;
    // Every value, its neighbours and the middle between it and the next.
    float next = i + 1 < 256
                     ? convert(llvm::APFloat(semantics, llvm::APInt(8, i + 1)),
                               llvm::APFloat::IEEEsingle())
                           .convertToFloat()
                     : expected;
    float middle = (expected + next) / 2;
    for (float value : {expected, middle})
      if (std::isfinite(value))
        for (float neighbour : {value, std::nextafter(value, INFINITY),
                                std::nextafter(value, -INFINITY)})
          values.push_back(neighbour);
  }
  for (float value : {INFINITY, -INFINITY, NAN, 3e38f, 464.0f, 464.1f, 479.9f,
                      480.0f, 61440.0f, 65535.0f, 65536.0f, 1e-40f})
    values.push_back(value);
  std::mt19937 random(1);
  while (values.size() < 4096)
    values.push_back(
        std::ldexp(float(random() % 4096) - 2048, int(random() % 40) - 30));
  values.resize(4096);

  Kernel truncate("%x: memref<?xf32>, %y: memref<?x" + type + ">",
                  "%c1 = arith.constant 1 : index\n"
                  "%c256 = arith.constant 256 : index\n"
                  "%c4096 = arith.constant 4096 : index\n"
                  "scf.for %i = %t to %c4096 step %c256 {\n"
                  "%v = memref.load %x[%i] : memref<?xf32>\n"
                  "%w = arith.truncf %v : f32 to " +
                      type + "\nmemref.store %w, %y[%i] : memref<?x" + type +
                      ">\n}",
                  256);
  std::vector<uint8_t> narrow(values.size());
  ASSERT_EQ(truncate.run(values, narrow), "");
  for (size_t i = 0; i < values.size(); ++i) {
    llvm::APFloat expected = convert(llvm::APFloat(values[i]), semantics);
    llvm::APFloat found(semantics, llvm::APInt(8, narrow[i]));
    if (expected.isNaN())
      EXPECT_TRUE(found.isNaN()) << values[i];
    else
      EXPECT_TRUE(found.bitwiseIsEqual(expected))
          << values[i] << " gives pattern " << unsigned(narrow[i]);
  }
}

TEST(KernelsTest, Float8E4M3FN) {
  checkNarrowFloat("f8E4M3FN", llvm::APFloat::Float8E4M3FN());
}

TEST(KernelsTest, Float8E5M2) {
  checkNarrowFloat("f8E5M2", llvm::APFloat::Float8E5M2());
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

TEST(KernelsTest, Complex) {
  using Number = std::complex<float>;
  Kernel kernel("%x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>, "
                "%z: memref<?xf32>",
                "%a = memref.load %x[%t] : memref<?xcomplex<f32>>\n"
                "%b = complex.mul %a, %a : complex<f32>\n"
                "%c = complex.exp %b : complex<f32>\n"
                "memref.store %c, %y[%t] : memref<?xcomplex<f32>>\n"
                "%d = complex.abs %a : complex<f32>\n"
                "memref.store %d, %z[%t] : memref<?xf32>",
                4);
  std::vector<Number> x = {{1, 2}, {0.5, -0.25}, {-1, 0.125}, {0, 0}}, y(4);
  std::vector<float> z(4);
  ASSERT_EQ(kernel.run(x, y, z), "");
  for (unsigned i = 0; i < 4; ++i) {
    Number exact = std::exp(x[i] * x[i]);
    EXPECT_LT(std::abs(y[i] - exact), 1e-6f * std::abs(exact));
    EXPECT_FLOAT_EQ(z[i], std::abs(x[i]));
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST(KernelsTest, IntegerPowers) {
  Kernel kernel("%x: memref<?xi32>, %e: memref<?xi32>, %y: memref<?xi32>",
                "%a = memref.load %x[%t] : memref<?xi32>\n"
                "%b = memref.load %e[%t] : memref<?xi32>\n"
                "%c = math.ipowi %a, %b : i32\n"
                "memref.store %c, %y[%t] : memref<?xi32>",
                8);
  std::vector<int32_t> x = {2, -3, 0, 1, -1, -1, 5, 0},
                       e = {10, 3, 0, -7, -7, -8, -2, 5}, y(8);
  ASSERT_EQ(kernel.run(x, e, y), "");
  EXPECT_EQ(y, (std::vector<int32_t>{1024, -27, 1, 1, -1, 1, 0, 0}));
}

TEST(KernelsTest, Index32KeepsNegativeValues) {
  Kernel kernel("%x: memref<?xindex>, %y: memref<?xindex>",
                "%a = memref.load %x[%t] : memref<?xindex>\n"
                "%c3 = arith.constant 3 : index\n"
                "%b = arith.muli %a, %c3 : index\n"
                "memref.store %b, %y[%t] : memref<?xindex>",
                2, "fusion.index32, ");
  std::vector<int64_t> x = {-5, 7}, y(2);
  ASSERT_EQ(kernel.run(x, y), "");
  EXPECT_EQ(y, (std::vector<int64_t>{-15, 21}));
}

TEST(KernelsTest, Bytes) {
  Kernel kernel("%x: memref<?xi1>, %y: memref<?xi1>",
                "%a = memref.load %x[%t] : memref<?xi1>\n"
                "%true = arith.constant true\n"
                "%b = arith.xori %a, %true : i1\n"
                "memref.store %b, %y[%t] : memref<?xi1>",
                4);
  std::vector<uint8_t> x = {0, 1, 1, 0}, y(4);
  ASSERT_EQ(kernel.run(x, y), "");
  EXPECT_EQ(y, (std::vector<uint8_t>{1, 0, 0, 1}));
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

template <typename T>
void checkShuffle(const std::string &type) {
  Kernel kernel("%x: memref<?x" + type + ">, %y: memref<?x" + type +
                    ">, %v: memref<?xi1>",
                "%w = arith.constant 32 : i32\n%o = arith.constant 3 : i32\n"
                "%a = memref.load %x[%t] : memref<?x" +
                    type + ">\n%b, %valid = gpu.shuffle down %a, %o, %w : " +
                    type + "\n%c, %u = gpu.shuffle xor %b, %o, %w : " + type +
                    "\nmemref.store %c, %y[%t] : memref<?x" + type +
                    ">\nmemref.store %valid, %v[%t] : memref<?xi1>",
                32);
  std::vector<T> x(32), y(32);
  std::vector<uint8_t> valid(32);
  for (unsigned i = 0; i < 32; ++i)
    x[i] = T(i * 37 + 1);
  ASSERT_EQ(kernel.run(x, y, valid), "") << type;
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(valid[i], i + 3 < 32) << type << " lane " << i;
    if ((i ^ 3) + 3 < 32)
      EXPECT_EQ(y[i], x[(i ^ 3) + 3]) << type << " lane " << i;
  }
}

TEST(KernelsTest, Shuffles) {
  checkShuffle<float>("f32");
  checkShuffle<double>("f64");
  checkShuffle<int64_t>("i64");
  checkShuffle<int16_t>("i16");
  checkShuffle<uint16_t>("bf16");
}

TEST(KernelsTest, AssertionsTrap) {
  Kernel kernel("%x: memref<?xi1>, %y: memref<?xf32>",
                "%a = memref.load %x[%t] : memref<?xi1>\n"
                "cf.assert %a, \"not so\"\n%one = arith.constant 1.0 : f32\n"
                "memref.store %one, %y[%t] : memref<?xf32>",
                2);
  std::vector<uint8_t> holds = {1, 1}, fails = {1, 0};
  std::vector<float> y(2);
  EXPECT_EQ(kernel.run(holds, y), "");
  EXPECT_EQ(y, (std::vector<float>{1, 1}));
  EXPECT_NE(kernel.run(fails, y), "");
}

} // namespace
