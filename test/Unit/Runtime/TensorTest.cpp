//===- TensorTest.cpp -----------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir::fusion;

namespace {

constexpr ElementType::Kind kAll[] = {
    ElementType::F8E4M3FN, ElementType::F8E5M2,     ElementType::F16,
    ElementType::BF16,     ElementType::F32,        ElementType::F64,
    ElementType::I1,       ElementType::I8,         ElementType::I16,
    ElementType::I32,      ElementType::I64,        ElementType::UI8,
    ElementType::UI16,     ElementType::UI32,       ElementType::UI64,
    ElementType::Index,    ElementType::ComplexF32, ElementType::ComplexF64,
};

TEST(ElementTypeTest, NamesRoundTrip) {
  for (ElementType type : kAll) {
    auto parsed = ElementType::parse(type.getName());
    ASSERT_TRUE(parsed) << type.getName().str();
    EXPECT_EQ(*parsed, type);
  }
  EXPECT_FALSE(ElementType::parse("f31"));
  EXPECT_EQ(ElementType(ElementType::Index).getBytes(), 8u);
  EXPECT_EQ(ElementType(ElementType::I1).getBytes(), 1u);
  EXPECT_EQ(ElementType(ElementType::ComplexF64).getBytes(), 16u);
}

TEST(TensorTest, CountsElements) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({3, 0, 5}), 0);
  EXPECT_EQ(countElements({3, 4}, 8), 12);
  EXPECT_FALSE(countElements({3, -1}));
  EXPECT_FALSE(countElements({INT64_MAX, 2}));
  EXPECT_FALSE(countElements({INT64_MAX}, 2));
  EXPECT_EQ(countElements({INT64_MAX, INT64_MAX, 0}, 8), 0);
}

/// Every pattern of the 16-bit types agrees with APFloat, both ways.
TEST(TensorTest, ConvertsSixteenBitFloats) {
  for (ElementType type : {ElementType::F16, ElementType::BF16}) {
    const llvm::fltSemantics &semantics = type == ElementType::F16
                                              ? llvm::APFloat::IEEEhalf()
                                              : llvm::APFloat::BFloat();
    Tensor tensor(type, {1});
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      uint16_t narrow = bits;
      std::memcpy(tensor.data(), &narrow, 2);
      llvm::APFloat value(semantics, llvm::APInt(16, bits));
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      double got = tensor.getDouble(0);
      if (value.isNaN()) {
        EXPECT_TRUE(std::isnan(got));
        continue;
      }
      ASSERT_EQ(got, value.convertToDouble());
      ASSERT_EQ(std::signbit(got), value.isNegative());
      tensor.setDouble(0, got);
      std::memcpy(&narrow, tensor.data(), 2);
      ASSERT_EQ(narrow, bits);
    }
  }
}

TEST(TensorTest, RoundsToNearestEven) {
  Tensor half(ElementType::F16, {1});
  half.setDouble(0, 2049);
  EXPECT_EQ(half.getDouble(0), 2048);
  half.setDouble(0, 2051);
  EXPECT_EQ(half.getDouble(0), 2052);
  half.setDouble(0, 65520);
  EXPECT_TRUE(std::isinf(half.getDouble(0)));
  Tensor brain(ElementType::BF16, {1});
  brain.setDouble(0, 257);
  EXPECT_EQ(brain.getDouble(0), 256);
  Tensor tiny(ElementType::F8E4M3FN, {1});
  tiny.setDouble(0, 17);
  EXPECT_EQ(tiny.getDouble(0), 16);
}

TEST(TensorTest, StoresIntegers) {
  Tensor bytes(ElementType::I8, {2});
  bytes.setInteger(0, -3);
  bytes.setInteger(1, 255);
  EXPECT_EQ(bytes.getInteger(0), -3);
  EXPECT_EQ(bytes.getInteger(1), -1);
  bytes.setType(ElementType::UI8);
  EXPECT_EQ(bytes.getInteger(1), 255);
  Tensor flag(ElementType::I1, {});
  flag.setInteger(0, 3);
  EXPECT_EQ(flag.getInteger(0), 1);
  Tensor wide(ElementType::I64, {});
  wide.setDouble(0, 1e300);
  EXPECT_EQ(wide.getInteger(0), INT64_MAX);
  wide.setDouble(0, NAN);
  EXPECT_EQ(wide.getInteger(0), 0);
}

TEST(TensorTest, StoresComplexNumbers) {
  Tensor tensor(ElementType::ComplexF32, {2});
  tensor.setComplex(1, {1.5, -2});
  EXPECT_EQ(tensor.getComplex(1), std::complex<double>(1.5, -2));
  EXPECT_EQ(tensor.getDouble(1), 1.5);
  EXPECT_EQ(tensor.printElement(1), "1.5-2i");
}

TEST(TensorTest, Prints) {
  Tensor tensor(ElementType::F32, {2, 3});
  EXPECT_EQ(tensor.describe(), "2x3xf32");
  EXPECT_EQ(tensor.printPosition(4), "[1, 1]");
  EXPECT_EQ(Tensor(ElementType::BF16, {}).describe(), "bf16");
  EXPECT_EQ(Tensor(ElementType::BF16, {}).printPosition(0), "[]");
  tensor.setDouble(0, 0.1);
  EXPECT_EQ(tensor.printElement(0), "0.100000001");
}

TEST(TensorTest, RandomValuesDependOnSeedAndStream) {
  auto draw = [](uint64_t seed, uint64_t stream) {
    Tensor tensor(ElementType::F32, {4096});
    fillRandom(tensor, {seed}, stream);
    return std::string(tensor.data(), tensor.getNumBytes());
  };
  EXPECT_EQ(draw(1, 0), draw(1, 0));
  EXPECT_NE(draw(1, 0), draw(2, 0));
  EXPECT_NE(draw(1, 0), draw(1, 1));
}

TEST(TensorTest, RandomValuesAreUnfriendly) {
  Tensor tensor(ElementType::F32, {4096});
  fillRandom(tensor, {7}, 0);
  bool hasLarge = false, hasTiny = false, hasZero = false, hasNegative = false;
  double sum = 0, squares = 0;
  for (int i = 0; i < 4096; ++i) {
    double v = tensor.getDouble(i);
    hasLarge |= std::abs(v) > 6;
    hasTiny |= v != 0 && std::abs(v) < 1e-5;
    hasZero |= v == 0 && !std::signbit(v);
    hasNegative |= v == 0 && std::signbit(v);
    sum += v;
    squares += v * v;
  }
  EXPECT_TRUE(hasLarge && hasTiny && hasZero && hasNegative);
  EXPECT_LT(std::abs(sum / 4096), 0.2);
  EXPECT_GT(squares / 4096, 0.7);

  Tensor integers(ElementType::I64, {4096});
  fillRandom(integers, {7, -2, 2}, 0);
  int64_t low = 100, high = -100;
  for (int i = 0; i < 4096; ++i) {
    low = std::min(low, integers.getInteger(i));
    high = std::max(high, integers.getInteger(i));
  }
  EXPECT_EQ(low, -2);
  EXPECT_EQ(high, 2);
}

} // namespace
