//===- AttentionKernel.cpp - Attention kernels for tests ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "KernelRunner.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

using Order = AttentionCase::Order;
using Mask = AttentionCase::Mask;

std::string AttentionCase::getName() const {
  std::string name = target + "_" + type;
  for (int64_t size : {batches, heads, queries, keys, widthQK, widthV})
    name += "x" + std::to_string(size);
  if (groupSize > 1)
    name += "_group" + std::to_string(groupSize);
  if (order != Order::HeadsOutside)
    name += order == Order::HeadsInside ? "_inside" : "_transposed";
  if (load)
    name += "_load";
  if (dynamicSizes)
    name += "_dynamic";
  if (dynamicWidths)
    name += "_widths";
  if (wideIndices)
    name += "_index64";
  if (factor)
    name += "_factor";
  if (softcap)
    name += "_softcap";
  if (causalOffset)
    name += "_causal" + std::to_string(*causalOffset);
  if (window)
    name += "_window" + std::to_string(*window);
  if (mask != Mask::None)
    name += mask == Mask::Boolean ? "_boolean" : "_mask";
  if (maskedQuery >= 0)
    name += "_masked";
  if (maskedScore)
    name += "_score" + std::to_string(int64_t(*maskedScore));
  if (floor)
    name += "_floor" + std::to_string(int64_t(*floor));
  if (lse)
    name += "_lse";
  if (probabilities)
    name += "_probabilities";
  if (schedule) {
    name += "_" + stringifyMatrixUnitKind(schedule.getUnit()).str();
    for (int64_t size : schedule.getTile().asArrayRef())
      name += "x" + std::to_string(size);
    for (int64_t size : schedule.getWarps().asArrayRef())
      name += "w" + std::to_string(size);
    name += "s" + std::to_string(schedule.getStages());
    name += "v" + std::to_string(schedule.getVector());
  }
  return name;
}

double mlir::fusion::test::getFactor(int64_t query, int64_t key) {
  return 0.5 + (3 * query + key) % 5 * 0.25;
}

ScheduleAttr mlir::fusion::test::makeSchedule(MatrixUnitKind unit,
                                              ArrayRef<int64_t> tile,
                                              ArrayRef<int64_t> warps,
                                              int64_t stages, int64_t vector) {
  MLIRContext *context = &getContext();
  return ScheduleAttr::get(context, Strategy::Attention, unit,
                           DenseI64ArrayAttr::get(context, tile),
                           DenseI64ArrayAttr::get(context, warps), stages,
                           warps[0] * warps[1] * 32, vector);
}

AttentionShape AttentionCase::getShape() const {
  using Contiguous = OperandAccess::Contiguous;
  AttentionShape shape;
  shape.batches = batches * heads;
  shape.groupSize = groupSize;
  shape.numQueries = dynamicSizes ? ShapedType::kDynamic : queries;
  shape.numKeys = dynamicSizes ? ShapedType::kDynamic : keys;
  shape.widthQK = dynamicWidths ? ShapedType::kDynamic : widthQK;
  shape.widthV = dynamicWidths ? ShapedType::kDynamic : widthV;
  shape.elementType = parseType(type, &getContext());
  shape.resultType = shape.elementType;
  shape.query = shape.key = shape.value =
      order == Order::WidthOutside ? Contiguous::Row : Contiguous::Column;
  return shape;
}

/// The position of an element of an operand with `heads` heads.
static OperandAccess::ElementFn getOffset(Order order, int64_t heads,
                                          int64_t groupSize, Value positions,
                                          Value width) {
  return [=](OpBuilder &builder, Location loc, ValueRange batch, Value row,
             Value column) -> Value {
    KernelBuilder kb(builder, loc);
    Value head = kb.div(batch[1], groupSize);
    auto combine = [&](Value outer, Value size, Value inner) {
      return kb.add(kb.mul(outer, size), inner);
    };
    if (order == Order::HeadsInside) {
      Value position = combine(batch[0], positions, row);
      return combine(combine(position, kb.index(heads), head), width, column);
    }
    Value matrix = combine(batch[0], kb.index(heads), head);
    if (order == Order::WidthOutside)
      return combine(combine(matrix, width, column), positions, row);
    return combine(combine(matrix, positions, row), width, column);
  };
}

namespace {

/// The arguments of the kernel, in order.
enum Argument : unsigned {
  kQuery,
  kKey,
  kValue,
  kMask,
  kOutput,
  kLse,
  kProbabilities,
  kNumQueries,
  kNumKeys,
  kWidthQK,
  kWidthV,
  kCausalOffset
};

} // namespace

/// Fills in the problem of a kernel whose arguments are those of `body`.
static AttentionProblem makeProblem(const AttentionCase &test, KernelBuilder kb,
                                    Block &body, Type type) {
  AttentionProblem problem;
  auto getSize = [&](bool dynamic, int64_t size, Argument argument) {
    return dynamic ? Value(body.getArgument(argument)) : kb.index(size);
  };
  problem.numQueries = getSize(test.dynamicSizes, test.queries, kNumQueries);
  problem.numKeys = getSize(test.dynamicSizes, test.keys, kNumKeys);
  problem.widthQK = getSize(test.dynamicWidths, test.widthQK, kWidthQK);
  problem.widthV = getSize(test.dynamicWidths, test.widthV, kWidthV);
  problem.batchSizes = {kb.index(test.batches), kb.index(test.heads)};
  problem.groupDimension = 1;
  problem.groupSize = test.groupSize;

  using Contiguous = OperandAccess::Contiguous;
  bool isTransposed = test.order == Order::WidthOutside;
  auto getAccess = [&](Argument argument, Value positions, Value width,
                       int64_t stride, bool isShared) {
    OperandAccess access;
    access.elementType = type;
    access.buffer = body.getArgument(argument);
    int64_t heads = isShared ? test.heads / test.groupSize : test.heads;
    access.offset = getOffset(test.order, heads, isShared ? test.groupSize : 1,
                              positions, width);
    access.contiguous = isTransposed ? Contiguous::Row : Contiguous::Column;
    bool dynamic = isTransposed ? test.dynamicSizes : test.dynamicWidths;
    if (!dynamic)
      access.alignment = getAlignment(stride, type.getIntOrFloatBitWidth() / 8);
    if (test.load && isShared) {
      OperandAccess plain = access;
      access.buffer = Value();
      access.load = [plain](OpBuilder &b, Location l, ValueRange batch,
                            Value row, Value column) {
        return plain.getElement(b, l, batch, row, column);
      };
    }
    return access;
  };
  problem.query = getAccess(kQuery, problem.numQueries, problem.widthQK,
                            isTransposed ? test.queries : test.widthQK, false);
  problem.key = getAccess(kKey, problem.numKeys, problem.widthQK,
                          isTransposed ? test.keys : test.widthQK, true);
  problem.value = getAccess(kValue, problem.numKeys, problem.widthV,
                            isTransposed ? test.keys : test.widthV, true);

  problem.scale = test.scale;
  problem.softcap = test.softcap;
  problem.maskedScore = test.maskedScore;
  problem.floor = test.floor;
  if (test.factor)
    problem.factor = [](OpBuilder &b, Location l, ValueRange, Value query,
                        Value key) -> Value {
      KernelBuilder kb(b, l);
      Value step = kb.rem(kb.add(kb.mul(query, 3), key), 5);
      step = arith::IndexCastOp::create(b, l, b.getI32Type(), step);
      step = arith::SIToFPOp::create(b, l, b.getF32Type(), step);
      Value quarter = arith::ConstantOp::create(b, l, b.getF32FloatAttr(0.25f));
      Value half = arith::ConstantOp::create(b, l, b.getF32FloatAttr(0.5f));
      step = arith::MulFOp::create(b, l, step, quarter);
      return arith::AddFOp::create(b, l, step, half);
    };
  problem.window = test.window;
  problem.maskedRows = test.maskedRows;
  if (test.causalOffset)
    problem.causalOffset = body.getArgument(kCausalOffset);
  if (test.mask != Mask::None) {
    // Shared by all heads.
    problem.mask = [&body, problem](OpBuilder &b, Location l, ValueRange batch,
                                    Value query, Value key) -> Value {
      KernelBuilder kb(b, l);
      Value row = kb.add(kb.mul(batch[0], problem.numQueries), query);
      return memref::LoadOp::create(b, l, body.getArgument(kMask),
                                    kb.add(kb.mul(row, problem.numKeys), key));
    };
  }
  int64_t heads = test.heads;
  auto makeStore = [&body, problem, heads](Argument argument, Value size) {
    std::optional<int64_t> known = KernelBuilder::getConstant(size);
    int64_t alignment = known ? getAlignment(*known, 4) : 4;
    return [=, &body](OpBuilder &b, Location l, ValueRange batch, Value query,
                      Value column, Value elements) {
      KernelBuilder kb(b, l);
      Value head = kb.add(kb.mul(batch[0], heads), batch[1]);
      Value row = kb.add(kb.mul(head, problem.numQueries), query);
      Value offset = kb.add(kb.mul(row, size), column);
      Value output = body.getArgument(argument);
      auto vector = dyn_cast<VectorType>(elements.getType());
      if (!vector) {
        memref::StoreOp::create(b, l, elements, output, offset);
        return;
      }
      int64_t bytes = vector.getElementTypeBitWidth() / 8;
      vector::StoreOp::create(
          b, l, elements, output, offset, false,
          llvm::MaybeAlign(std::min(alignment, vector.getDimSize(0) * bytes)));
    };
  };
  problem.store = makeStore(kOutput, problem.widthV);
  if (test.probabilities)
    problem.storeProbabilities = makeStore(kProbabilities, problem.numKeys);
  if (test.lse)
    problem.storeRow = [&body, problem, heads](OpBuilder &b, Location l,
                                               ValueRange batch, Value query,
                                               Value reference, Value total) {
      KernelBuilder kb(b, l);
      Value lse = arith::AddFOp::create(b, l, reference,
                                        math::LogOp::create(b, l, total));
      Value head = kb.add(kb.mul(batch[0], heads), batch[1]);
      memref::StoreOp::create(b, l, lse, body.getArgument(kLse),
                              kb.add(kb.mul(head, problem.numQueries), query));
    };
  return problem;
}

AttentionKernel mlir::fusion::test::buildKernel(const AttentionCase &test) {
  MLIRContext *context = &getContext();
  AttentionKernel kernel;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    kernel.error += diagnostic.str() + "\n";
    return success();
  });
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  const TargetInfo &target = *lookupTarget(test.target);
  AttentionShape shape = test.getShape();
  Type type = shape.elementType;
  Type accumulatorType = getAttentionAccumulatorType(type);
  // The test's results are not rounded.
  shape.resultType = accumulatorType;
  ScheduleAttr schedule = test.schedule
                              ? test.schedule
                              : chooseAttentionSchedule(context, target, shape);
  kernel.schedule = schedule;

  Type index = builder.getIndexType();
  Type types[] = {getBufferType(type),
                  getBufferType(type),
                  getBufferType(type),
                  getBufferType(test.mask == Mask::Boolean ? builder.getI1Type()
                                                           : accumulatorType),
                  getBufferType(accumulatorType),
                  getBufferType(accumulatorType),
                  getBufferType(accumulatorType),
                  index,
                  index,
                  index,
                  index,
                  index};
  // A schedule that can not be used has no size.
  bool isValid = succeeded(verifyAttentionSchedule(
      [&] { return emitError(loc); }, target, shape, schedule));
  if (!isValid)
    return kernel;
  EmptyKernel empty =
      makeKernel("attention", test.target, types,
                 attentionSharedBytes(shape, schedule), schedule.getThreads());
  gpu::GPUFuncOp function = empty.function;
  kernel.module = std::move(empty.module);
  if (!test.wideIndices)
    function->setAttr("fusion.index32", builder.getUnitAttr());
  for (unsigned argument :
       {kQuery, kKey, kValue, kMask, kOutput, kLse, kProbabilities}) {
    function.setArgAttr(argument, "llvm.noalias", builder.getUnitAttr());
    if (argument < kOutput)
      function.setArgAttr(argument, "llvm.readonly", builder.getUnitAttr());
  }

  Block &body = function.getBody().front();
  builder.setInsertionPointToStart(&body);
  KernelBuilder kb(builder, loc);
  AttentionProblem problem = makeProblem(test, kb, body, type);
  problem.resultType = accumulatorType;
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  LogicalResult built = buildAttention(builder, loc, problem, target, schedule,
                                       block, thread, empty.shared);
  gpu::ReturnOp::create(builder, loc);

  bool packs = attentionPacksGroups(shape, schedule);
  int64_t rows = test.queries * (packs ? test.groupSize : 1);
  kernel.blocks = test.batches * (test.heads / (packs ? test.groupSize : 1)) *
                  llvm::divideCeil(rows, schedule.getTile()[0]);
  if (failed(built) || failed(verify(*kernel.module)))
    kernel.module = nullptr;
  return kernel;
}
