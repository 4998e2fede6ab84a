//===- FrontendTest.cpp - What the MSL front end accepts and refuses ------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MetalKernel.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::fusion;

namespace {

/// The error of compiling a kernel with `parameters` and `body`, empty where
/// there is none.
std::string compile(llvm::StringRef parameters, llvm::StringRef body = "") {
  auto module = compileMetal(
      llvm::formatv("#include <metal_stdlib>\nusing namespace metal;\n"
                    "struct Args {{ int a; float b; };\n"
                    "kernel void k({0}) {{\n{1}\n}\n",
                    parameters, body)
          .str());
  if (module)
    return "";
  return llvm::toString(module.takeError());
}

void expectError(const std::string &message, llvm::StringRef part) {
  EXPECT_NE(message.find(part.str()), std::string::npos)
      << "missing '" << part.str() << "' in: " << message;
}

TEST(MetalFrontend, ReadsBindings) {
  auto kernels = parseMetalKernels(R"(
// kernel void no(int a [[buffer(99)]]) {}
struct Args { int a; };
/* kernel void neither() */
[[max_total_threads_per_threadgroup(64)]]
kernel void k(
    device const float *x [[buffer(1)]], // the input, kernel void
    constant Args &args [[buffer(3)]],
    constant int &n [[buffer(0)]],
    uint3 t [[thread_position_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {}
kernel void empty() {}
)");
  ASSERT_TRUE(bool(kernels)) << llvm::toString(kernels.takeError());
  EXPECT_EQ(kernels->size(), 2u);
  EXPECT_TRUE(kernels->lookup("empty").parameters.empty());
  auto parameters = kernels->lookup("k").parameters;
  ASSERT_EQ(parameters.size(), 5u);
  using Kind = MetalKernelInfo::Parameter::Kind;
  EXPECT_EQ(parameters[0].kind, Kind::Buffer);
  EXPECT_EQ(parameters[0].index, 1u);
  EXPECT_FALSE(parameters[0].packed);
  EXPECT_EQ(parameters[1].index, 3u);
  EXPECT_TRUE(parameters[1].packed);
  EXPECT_EQ(parameters[2].index, 0u);
  EXPECT_FALSE(parameters[2].packed);
  EXPECT_EQ(parameters[3].kind, Kind::Builtin);
  EXPECT_EQ(parameters[3].builtin, MetalBuiltin::ThreadPositionInThreadgroup);
  EXPECT_EQ(parameters[4].builtin, MetalBuiltin::ThreadIndexInSimdgroup);
}

TEST(MetalFrontend, RefusesBindings) {
  expectError(compile("device float *x [[buffer(31)]]"),
              "buffer indices go from 0 to 30");
  expectError(compile("device float *x [[buffer(0)]], "
                      "device float *y [[buffer(0)]]"),
              "[[buffer(0)]] is there twice");
  expectError(compile("uint t [[thread_position]]"),
              "unknown attribute [[thread_position]]");
  expectError(compile("device float *x"), "has no [[attribute]]");
}

// What Apple's compiler rejects must be rejected here.
TEST(MetalFrontend, RefusesWhatMetalRefuses) {
  const char *x = "device float *x [[buffer(0)]]";
  EXPECT_EQ(compile(x, "x[0] = 1.0f;"), "");
  // Pointers name their address space, and keep it.
  expectError(compile(x, "float *p = x; p[0] = 1.0f;"), "error");
  expectError(compile(x, "threadgroup float *p = x; p[0] = 1.0f;"), "error");
  expectError(compile(x, "thread float *p = x; p[0] = 1.0f;"), "error");
  // Constant memory is constant.
  expectError(compile("constant Args &args [[buffer(0)]]", "args.a = 1;"),
              "error");
  // No doubles, no exceptions, no library beyond Metal's.
  expectError(compile(x, "double d = x[0]; x[1] = d;"), "error");
  expectError(compile(x, "x[0] = erf(x[0]);"), "error");
  expectError(compile(x, "throw 1;"), "error");
  // Vectors of more than four elements do not exist.
  expectError(compile(x, "float8 v = float8(x[0]); x[0] = v.x;"), "error");
  // Errors name lines of the text.
  expectError(compile(x, "x[0] = missing;"), "MSL line 5");
}

TEST(MetalFrontend, NamesAMissingClang) {
  MetalFrontendOptions options;
  options.clang = "/nonexistent/clang";
  auto module = compileMetal("", options);
  ASSERT_FALSE(bool(module));
  expectError(llvm::toString(module.takeError()), "no clang");
}

} // namespace
