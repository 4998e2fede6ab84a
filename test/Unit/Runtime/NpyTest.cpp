//===- NpyTest.cpp --------------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {

/// A folder that goes away with the test.
class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fusion-npy", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> result(folder);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }

  llvm::SmallString<128> folder;
};

/// The text of an .npy file with the given header and bytes of data.
std::string file(llvm::StringRef header, size_t bytes, char version = 1) {
  std::string text("\x93NUMPY", 6);
  text += {version, 0, char(header.size() & 255), char(header.size() >> 8)};
  if (version > 1)
    text += {0, 0};
  text += header;
  text.append(bytes, 0);
  return text;
}

/// The message that parsing `text` gives, or what it parsed.
std::string parse(const std::string &text) {
  llvm::Expected<Tensor> tensor = parseNpy(text, "x.npy");
  if (!tensor)
    return llvm::toString(tensor.takeError());
  return tensor->describe();
}

TEST_F(NpyTest, RoundTripsEveryType) {
  for (llvm::StringRef name :
       {"f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64", "i1", "i8", "i16",
        "i32", "i64", "ui8", "ui16", "ui32", "ui64", "complex<f32>",
        "complex<f64>"}) {
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{}, {5}, {2, 0, 3}, {2, 3, 4}}) {
      Tensor tensor(*ElementType::parse(name), shape);
      fillRandom(tensor, {3, -5, 5}, 0);
      ASSERT_FALSE(bool(writeArray(folder, "arg0", tensor)));
      llvm::Expected<Tensor> read = readArray(folder, "arg0");
      ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
      EXPECT_EQ(read->getType(), tensor.getType());
      EXPECT_EQ(read->getShape(), tensor.getShape());
      EXPECT_EQ(std::string(read->data(), read->getNumBytes()),
                std::string(tensor.data(), tensor.getNumBytes()));
      llvm::sys::fs::remove(path(getNpyFileName("arg0", tensor.getType())));
    }
  }
}

TEST_F(NpyTest, NamesPatternTypes) {
  EXPECT_EQ(getNpyFileName("arg3", ElementType::BF16), "arg3.bf16.npy");
  EXPECT_EQ(getNpyFileName("arg3", ElementType::F16), "arg3.npy");
  Tensor brain(ElementType::BF16, {2});
  ASSERT_FALSE(bool(writeArray(folder, "out0", brain)));
  EXPECT_EQ(findNpy(folder, "out0"), path("out0.bf16.npy"));
  EXPECT_EQ(findNpy(folder, "out1"), std::nullopt);
  Tensor wrong(ElementType::F32, {2});
  ASSERT_FALSE(bool(writeNpy(path("out0.bf16.npy"), wrong)));
  EXPECT_EQ(llvm::toString(readArray(folder, "out0").takeError()),
            path("out0.bf16.npy") + ": expected the bit patterns of bf16 as "
                                    "ui16, found f32");
}

TEST_F(NpyTest, StartsDataAtAMultipleOf64) {
  for (size_t rank = 0; rank < 20; ++rank) {
    Tensor tensor(ElementType::F32, std::vector<int64_t>(rank, 1));
    EXPECT_EQ(printNpy(tensor).size() % 64, 4u);
  }
}

TEST_F(NpyTest, AcceptsOtherHeaders) {
  EXPECT_EQ(parse(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, "
                       "3), }   \n",
                       24)),
            "2x3xf32");
  EXPECT_EQ(parse(file("{\"shape\":(2,),\"fortran_order\":False,\"descr\":"
                       "\"|u1\"}",
                       2, 2)),
            "2xui8");
  EXPECT_EQ(parse(file("{'descr': '=i8', 'fortran_order': False, 'shape': ()}",
                       8, 3)),
            "i64");
}

TEST_F(NpyTest, RejectsBadFiles) {
  auto header = [](llvm::StringRef descr, llvm::StringRef order,
                   llvm::StringRef shape) {
    return ("{'descr': " + descr + ", 'fortran_order': " + order +
            ", 'shape': " + shape + "}")
        .str();
  };
  EXPECT_EQ(parse("PK\3\4"), "x.npy: not an .npy file");
  EXPECT_EQ(parse(""), "x.npy: not an .npy file");
  EXPECT_EQ(parse(std::string("\x93NUMPY\1", 7)),
            "x.npy: truncated in the .npy header");
  EXPECT_EQ(parse(file(header("'<f4'", "False", "(2,)"), 0).substr(0, 30)),
            "x.npy: truncated in the .npy header");
  EXPECT_EQ(parse(file("", 0, 9)),
            "x.npy: unknown .npy version 9; expected 1 to 3");
  EXPECT_EQ(parse(file(header("'<f4'", "False", "(2, 3)"), 23)),
            "x.npy: expected 24 bytes of data for 2x3xf32, found 23");
  EXPECT_EQ(parse(file(header("'<f4'", "False", "(2, 3)"), 25)),
            "x.npy: expected 24 bytes of data for 2x3xf32, found 25");
  EXPECT_EQ(parse(file(header("'<f4'", "True", "(2, 3)"), 24)),
            "x.npy: the array is in Fortran order; expected C order; hint: "
            "store numpy.ascontiguousarray(array)");
  EXPECT_EQ(parse(file(header("'>f4'", "False", "(2,)"), 8)),
            "x.npy: big-endian elements '>f4'; hint: store with "
            "array.astype('<f4')");
  EXPECT_EQ(parse(file(header("'<U3'", "False", "(2,)"), 24)),
            "x.npy: unsupported element type '<U3'; expected f2, f4, f8, c8, "
            "c16, b1 or an integer of 1 to 8 bytes");
  EXPECT_EQ(parse(file(header("[('a', '<f4')]", "False", "(2,)"), 8)),
            "x.npy: the elements are structures; expected numbers");
  EXPECT_EQ(parse(file(header("'<f4'", "False",
                              "(9223372036854775807, 9223372036854775807)"),
                       8)),
            "x.npy: the array is too large");
  EXPECT_NE(parse(file(header("'<f4'", "False", "(-2,)"), 8)).find("a tuple"),
            std::string::npos);
  EXPECT_NE(parse(file("{'descr': '<f4'}", 8)).find("lacks"),
            std::string::npos);
  EXPECT_NE(parse(file("{'descr': '<f4", 8)).find("structures"),
            std::string::npos);
  EXPECT_NE(parse(file(header("'<f4'", "False", "(2,)") + "x", 8)).find("end"),
            std::string::npos);
}

TEST_F(NpyTest, ChecksTypesAndShapes) {
  Tensor tensor(ElementType::I64, {2, 3});
  ASSERT_FALSE(bool(writeArray(folder, "arg0", tensor)));
  auto read = [&](llvm::StringRef name, ElementType type,
                  llvm::ArrayRef<int64_t> shape) {
    llvm::Expected<Tensor> result = readArray(folder, name, type, shape);
    if (!result)
      return llvm::toString(result.takeError());
    return result->describe();
  };
  EXPECT_EQ(read("arg0", ElementType::I64, {2, -1}), "2x3xi64");
  EXPECT_EQ(read("arg0", ElementType::Index, {-1, -1}), "2x3xindex");
  EXPECT_EQ(read("arg0", ElementType::F64, {2, 3}),
            path("arg0.npy") + ": expected 2x3xf64, found 2x3xi64");
  EXPECT_EQ(read("arg0", ElementType::I32, {2, 3}),
            path("arg0.npy") + ": expected 2x3xi32, found 2x3xi64");
  EXPECT_EQ(read("arg0", ElementType::I64, {-1, 4}),
            path("arg0.npy") + ": expected ?x4xi64, found 2x3xi64");
  EXPECT_EQ(read("arg0", ElementType::I64, {6}),
            path("arg0.npy") + ": expected 6xi64, found 2x3xi64");
  EXPECT_EQ(read("arg1", ElementType::BF16, {6}),
            folder.str().str() + ": there is no arg1.bf16.npy");
}

TEST_F(NpyTest, ReportsMissingFolders) {
  std::string message = llvm::toString(
      writeNpy(path("none/x.npy"), Tensor(ElementType::F32, {})));
  EXPECT_NE(message.find("none/x.npy: can not be written: "),
            std::string::npos);
  message = llvm::toString(readNpy(path("none/x.npy")).takeError());
  EXPECT_NE(message.find("none/x.npy: can not be read: "), std::string::npos);
}

} // namespace
