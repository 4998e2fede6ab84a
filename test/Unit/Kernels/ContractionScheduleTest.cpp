//===- ContractionScheduleTest.cpp - Schedules of contractions ---------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "KernelRunner.h"
#include "fusion/Kernels/MatrixUnit.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

static ScheduleAttr parseSchedule(StringRef text) {
  return dyn_cast_or_null<ScheduleAttr>(parseAttribute(text, &getContext()));
}

/// What is reported when `text` is decoded and used for these types.
static std::string getError(StringRef text, StringRef operandType,
                            StringRef accumulatorType) {
  std::string message;
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  Location loc = UnknownLoc::get(&getContext());
  FailureOr<ContractionSchedule> schedule =
      ContractionSchedule::get(parseSchedule(text), loc);
  if (succeeded(schedule))
    (void)schedule->verify(parseType(operandType, &getContext()),
                           parseType(accumulatorType, &getContext()), loc);
  return message;
}

TEST(ContractionSchedule, AttributesRoundTrip) {
  Location loc = UnknownLoc::get(&getContext());
  for (StringRef text :
       {"#fusion.schedule<contraction, unit = mma_sync, tile = [128, 64, 32], "
        "warps = [2, 2], stages = 3, threads = 128, vector = 8>",
        "#fusion.schedule<contraction, tile = [1, 8, 4096], "
        "warps = [1, 1, 4], stages = 2, threads = 128>"}) {
    ScheduleAttr attr = parseSchedule(text);
    ASSERT_TRUE(attr);
    FailureOr<ContractionSchedule> schedule =
        ContractionSchedule::get(attr, loc);
    ASSERT_TRUE(succeeded(schedule));
    EXPECT_EQ(schedule->getAttr(&getContext()), attr);
  }
}

TEST(ContractionSchedule, WrongOnesAreReported) {
  struct {
    const char *text, *operandType, *accumulatorType, *message;
  } cases[] = {
      {"#fusion.schedule<row>", "f32", "f32", "expected a schedule of a"},
      {"#fusion.schedule<contraction, tile = [64, 64]>", "f32", "f32",
       "three tile sizes"},
      {"#fusion.schedule<contraction, tile = [64, 64, 16], warps = [2, 4], "
       "stages = 2, threads = 128>",
       "f32", "f32", "256 threads, but it says 128"},
      {"#fusion.schedule<contraction, unit = mma_sync, tile = [64, 64, 16], "
       "warps = [2, 4], stages = 2>",
       "f32", "f32", "does not multiply 'f32' into 'f32'"},
      {"#fusion.schedule<contraction, tile = [48, 64, 16], warps = [2, 4], "
       "stages = 2>",
       "f32", "f32", "does not divide into 2 x 4 warps"},
      {"#fusion.schedule<contraction, tile = [64, 64, 16], warps = [2, 4]>",
       "f32", "f32", "needs two stages"},
      {"#fusion.schedule<contraction, tile = [64, 64, 16], warps = [2, 4], "
       "stages = 2, vector = 3>",
       "f32", "f32", "power of two"},
      {"#fusion.schedule<contraction, tile = [1, 8, 100], warps = [1, 1, 8]>",
       "f32", "f32", "a multiple of 2048"},
  };
  for (const auto &test : cases)
    EXPECT_NE(getError(test.text, test.operandType, test.accumulatorType)
                  .find(test.message),
              std::string::npos)
        << test.text << "\n"
        << getError(test.text, test.operandType, test.accumulatorType);
}

/// Whatever is chosen can be built, within the device's static shared memory.
TEST(ContractionSchedule, ChoicesAreValid) {
  MLIRContext *context = &getContext();
  Location loc = UnknownLoc::get(context);
  std::pair<const char *, const char *> types[] = {
      {"f16", "f32"}, {"bf16", "f32"}, {"f32", "f32"},
      {"f64", "f64"}, {"i8", "i32"},   {"i64", "i64"}};
  std::optional<int64_t> sizes[] = {1, 3, 16, 77, 2048, std::nullopt};
  for (const TargetInfo &target : getTargets())
    for (auto [operandType, accumulatorType] : types)
      for (std::optional<int64_t> m : sizes)
        for (std::optional<int64_t> n : sizes)
          for (int64_t numRhs : {1, 2, 3}) {
            ContractionShape shape;
            shape.m = m;
            shape.n = n;
            shape.k = n;
            shape.numRhs = numRhs;
            shape.isKContiguousB = numRhs % 2 == 0;
            shape.operandType = parseType(operandType, context);
            shape.accumulatorType = parseType(accumulatorType, context);
            shape.resultType = shape.operandType;
            ContractionSchedule schedule =
                chooseContractionSchedule(target, shape);
            EXPECT_TRUE(succeeded(schedule.verify(shape.operandType,
                                                  shape.accumulatorType, loc)));
            EXPECT_LE(getContractionSharedBytes(schedule, shape.operandType,
                                                shape.accumulatorType, numRhs),
                      target.staticSharedBytes)
                << target.name.str() << " " << operandType << " " << numRhs;
          }
}
