//===- AttentionSchedule.cpp - Schedules of attention kernels -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// Buffers of shared memory start at multiples of this, so that swizzles of
/// every buffer meet the same banks.
static constexpr int64_t kBufferAlignment = 128;
/// The widest queries whose fragments a warp keeps in registers.
static constexpr int64_t kMaxRegisterWidth = 256;
/// Columns of queries and keys that are loaded at a time when they can not be
/// kept, and bytes of queries up to which all columns are kept.
static constexpr int64_t kWidthChunk = 64;
static constexpr int64_t kMaxResidentBytes = 20 * 1024;
/// Registers of a thread that the result may take.
static constexpr int64_t kMaxResultRegisters = 128;
/// Columns of the result at a time when their number is not known.
static constexpr int64_t kDynamicValueChunk = 64;
/// Padding of rows of results in shared memory: neighbouring rows, of which a
/// warp stores several at once, start 8 banks apart.
static constexpr int64_t kStagePadding = 8;
static constexpr int64_t kMaxVector = 8;
/// Bytes that are best stored at a time.
static constexpr int64_t kStoreBytes = 16;
/// The loop over the width of a scalar unit advances by this.
static constexpr int64_t kScalarUnroll = 4;

static int64_t getElementBytes(Type type) {
  return type.getIntOrFloatBitWidth() / 8;
}

static int64_t getConstantOrDynamic(Value value) {
  return KernelBuilder::getConstant(value).value_or(ShapedType::kDynamic);
}

Type mlir::fusion::getAttentionAccumulatorType(Type elementType) {
  return elementType.isF64() ? elementType
                             : Float32Type::get(elementType.getContext());
}

AttentionShape
mlir::fusion::getAttentionShape(const AttentionProblem &problem) {
  AttentionShape shape;
  shape.batches = 1;
  for (Value size : problem.batchSizes) {
    int64_t constant = getConstantOrDynamic(size);
    shape.batches =
        ShapedType::isDynamic(constant) || ShapedType::isDynamic(shape.batches)
            ? ShapedType::kDynamic
            : shape.batches * constant;
  }
  shape.groupSize = problem.groupSize;
  shape.numQueries = getConstantOrDynamic(problem.numQueries);
  shape.numKeys = getConstantOrDynamic(problem.numKeys);
  shape.widthQK = getConstantOrDynamic(problem.widthQK);
  shape.widthV = getConstantOrDynamic(problem.widthV);
  shape.elementType = problem.query.elementType;
  shape.resultType =
      problem.resultType ? problem.resultType : shape.elementType;
  shape.query = problem.query.contiguous;
  shape.key = problem.key.contiguous;
  shape.value = problem.value.contiguous;
  return shape;
}

bool mlir::fusion::attentionPacksGroups(const AttentionShape &shape,
                                        ScheduleAttr schedule) {
  return shape.groupSize > 1 && !ShapedType::isDynamic(shape.numQueries) &&
         !schedule.getTile().empty() &&
         2 * shape.numQueries <= schedule.getTile()[0];
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Chooses how queries and keys are cut along their width.
static void planWidths(AttentionPlan &plan, const AttentionShape &shape) {
  const MatrixUnit &unit = *plan.unit;
  bool isScalar = unit.getKind() == MatrixUnitKind::Scalar;
  int64_t step = isScalar ? kScalarUnroll : unit.getShape().k;
  bool isStatic = !ShapedType::isDynamic(shape.widthQK);
  int64_t padded = isStatic ? llvm::alignTo(shape.widthQK, step) : 0;
  int64_t bytes = getElementBytes(unit.getOperandType());
  plan.queriesInRegisters =
      !isScalar && isStatic && padded <= kMaxRegisterWidth;
  // Chunks of queries and keys take turns; there is nothing to overlap.
  if (!plan.queriesInRegisters)
    plan.stages = 1;
  plan.isSingleWidthChunk =
      plan.queriesInRegisters ||
      (isStatic && plan.rows * padded * bytes <= kMaxResidentBytes);
  int64_t chunk = kWidthChunk;
  while (chunk > step && plan.rows * chunk * bytes > kMaxResidentBytes)
    chunk /= 2;
  plan.widthChunk = plan.isSingleWidthChunk ? padded : chunk;
  plan.isWidthPadded = !isStatic || (plan.widthChunk != 0 &&
                                     shape.widthQK % plan.widthChunk != 0);
}

/// Chooses how many columns of the result a pass computes.
static void planValues(AttentionPlan &plan, const AttentionShape &shape) {
  const MatrixUnit &unit = *plan.unit;
  int64_t n = unit.getShape().n;
  int64_t registersPerTile =
      unit.getNumElements() *
      llvm::divideCeil(unit.getAccumulatorElementType().getIntOrFloatBitWidth(),
                       32);
  int64_t limit = std::max<int64_t>(
      kMaxResultRegisters / (registersPerTile * plan.rowTiles), 1);
  limit = std::min<int64_t>(limit * n, kMaxRegisterWidth);
  if (ShapedType::isDynamic(shape.widthV)) {
    plan.valueChunk =
        std::min<int64_t>(llvm::alignTo(kDynamicValueChunk, n), limit);
  } else {
    // Passes of equal width.
    int64_t passes =
        std::max<int64_t>(llvm::divideCeil(shape.widthV, limit), 1);
    plan.valueChunk = llvm::alignTo(llvm::divideCeil(shape.widthV, passes), n);
    plan.isSingleValueChunk = passes == 1;
    plan.isValuePadded =
        plan.valueChunk != 0 && shape.widthV % plan.valueChunk != 0;
  }
  plan.valueTiles = plan.valueChunk / n;
}

/// Chooses how tiles lie in shared memory, and how much of it they take.
static void planMemory(AttentionPlan &plan, const AttentionShape &shape) {
  const MatrixUnit &unit = *plan.unit;
  // A scalar unit reads vectors along its outer dimensions; others take tiles
  // as they lie in memory.
  bool isScalar = unit.getKind() == MatrixUnitKind::Scalar;
  auto getOrder = [&](OperandAccess::Contiguous contiguous,
                      OperandAccess::Contiguous outer) {
    return isScalar || contiguous == outer ? TileOrder::OuterContiguous
                                           : TileOrder::KContiguous;
  };
  plan.queryOrder = getOrder(shape.query, OperandAccess::Contiguous::Row);
  plan.keyOrder = getOrder(shape.key, OperandAccess::Contiguous::Row);
  plan.valueOrder = !isScalar && shape.value == OperandAccess::Contiguous::Row
                        ? TileOrder::KContiguous
                        : TileOrder::OuterContiguous;

  auto getLayout = [&](TileOrder order, int64_t outer, int64_t k) {
    return order == TileOrder::KContiguous ? unit.getSharedLayout(outer, k)
                                           : unit.getSharedLayout(k, outer);
  };
  plan.keyLayout = getLayout(plan.keyOrder, plan.keys, plan.widthChunk);
  plan.valueLayout = getLayout(plan.valueOrder, plan.valueChunk, plan.keys);
  int64_t bytes = getElementBytes(unit.getOperandType());
  auto align = [&](int64_t elements) {
    return static_cast<int64_t>(llvm::alignTo(
        elements, std::max<int64_t>(kBufferAlignment / bytes, 1)));
  };
  plan.bufferElements =
      align(std::max(plan.keyLayout.getSize(), plan.valueLayout.getSize()));
  int64_t buffers = plan.stages * plan.bufferElements;

  if (!plan.queriesInRegisters) {
    plan.queryLayout = getLayout(plan.queryOrder, plan.rows, plan.widthChunk);
    plan.queryElements = align(plan.queryLayout.getSize());
    plan.sharedElements = plan.queryElements + buffers;
    return;
  }
  // Queries pass through the buffers, in as many pieces as it takes.
  int64_t k = unit.getShape().k;
  for (int64_t pieces = 1;; ++pieces) {
    plan.queryStageColumns =
        llvm::alignTo(llvm::divideCeil(plan.widthChunk, pieces), k);
    plan.queryLayout =
        getLayout(plan.queryOrder, plan.rows, plan.queryStageColumns);
    if (plan.queryLayout.getSize() <= buffers || plan.queryStageColumns <= k)
      break;
  }
  plan.sharedElements = std::max(buffers, align(plan.queryLayout.getSize()));
}

/// Chooses how the epilogue passes through shared memory.
static void planEpilogue(AttentionPlan &plan, const AttentionShape &shape,
                         int64_t vector) {
  const MatrixUnit &unit = *plan.unit;
  plan.vector = vector;
  plan.stagesResults = plan.keyWarps > 1 || vector > unit.getWidth();
  plan.sharedBytes =
      plan.sharedElements * getElementBytes(unit.getOperandType());
  if (!plan.stagesResults)
    return;
  // As many columns at a time as fit where queries, keys and values were.
  int64_t rows = plan.keyWarps * plan.rows;
  int64_t bytes = getElementBytes(unit.getAccumulatorElementType());
  int64_t step = std::max(unit.getShape().n, vector);
  for (int64_t pieces = 1;; ++pieces) {
    plan.stageColumns =
        llvm::alignTo(llvm::divideCeil(plan.valueChunk, pieces), step);
    plan.stageStride = plan.stageColumns + kStagePadding;
    if (rows * plan.stageStride * bytes <= plan.sharedBytes ||
        plan.stageColumns <= step)
      break;
  }
  plan.sharedBytes = std::max(
      {plan.sharedBytes, rows * plan.stageStride * bytes, 2 * rows * bytes});
}

AttentionPlan mlir::fusion::makeAttentionPlan(const AttentionShape &shape,
                                              ScheduleAttr schedule) {
  AttentionPlan plan;
  plan.unit = createMatrixUnit(schedule.getUnit(), shape.elementType,
                               getAttentionAccumulatorType(shape.elementType));
  plan.rows = schedule.getTile()[0];
  plan.keys = schedule.getTile()[1];
  plan.threads = schedule.getThreads();
  plan.rowWarps = schedule.getWarps()[0];
  plan.keyWarps = schedule.getWarps()[1];
  plan.stages = schedule.getStages();
  plan.packsGroups = attentionPacksGroups(shape, schedule);
  plan.rowTiles = plan.getRowsPerWarp() / plan.unit->getShape().m;
  plan.keyTiles = plan.getKeysPerWarp() / plan.unit->getShape().n;
  planWidths(plan, shape);
  planValues(plan, shape);
  planMemory(plan, shape);
  planEpilogue(plan, shape, schedule.getVector());
  return plan;
}

int64_t mlir::fusion::attentionSharedBytes(const AttentionShape &shape,
                                           ScheduleAttr schedule) {
  return makeAttentionPlan(shape, schedule).sharedBytes;
}

Value mlir::fusion::buildAttentionBlocks(OpBuilder &builder, Location loc,
                                         ValueRange batchSizes,
                                         Value numQueries,
                                         const AttentionShape &shape,
                                         ScheduleAttr schedule) {
  KernelBuilder kb(builder, loc);
  Value batches = kb.index(1);
  for (Value size : batchSizes)
    batches = kb.mul(batches, size);
  Value rows = numQueries;
  if (attentionPacksGroups(shape, schedule)) {
    batches = kb.div(batches, shape.groupSize);
    rows = kb.mul(rows, shape.groupSize);
  }
  return kb.mul(batches, kb.ceilDiv(rows, schedule.getTile()[0]));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult mlir::fusion::verifyAttentionSchedule(
    function_ref<InFlightDiagnostic()> emitError, const TargetInfo &target,
    const AttentionShape &shape, ScheduleAttr schedule) {
  Type accumulatorType = getAttentionAccumulatorType(shape.elementType);
  MatrixUnitKind kind = schedule.getUnit();
  if (schedule.getStrategy() != Strategy::Attention)
    return emitError() << "schedule of an attention must have the strategy "
                          "'attention'";
  bool onTarget = kind == MatrixUnitKind::Scalar ||
                  (kind == MatrixUnitKind::MmaSync ? target.hasAsyncCopy()
                                                   : target.isApple());
  if (!onTarget)
    return emitError() << "matrix unit " << stringifyMatrixUnitKind(kind)
                       << " does not exist on " << target.name;
  if (!supportsMatrixUnit(kind, shape.elementType, accumulatorType))
    return emitError() << "matrix unit " << stringifyMatrixUnitKind(kind)
                       << " does not multiply " << shape.elementType
                       << "; use scalar";
  auto arePositive = [](DenseI64ArrayAttr sizes) {
    return sizes && sizes.size() == 2 &&
           llvm::all_of(sizes.asArrayRef(), [](int64_t s) { return s > 0; });
  };
  if (!arePositive(schedule.getTile()) || !arePositive(schedule.getWarps()))
    return emitError() << "schedule of an attention needs a tile and warps of "
                          "two positive sizes each: query rows, keys";
  ArrayRef<int64_t> tile = schedule.getTile().asArrayRef();
  ArrayRef<int64_t> warps = schedule.getWarps().asArrayRef();
  if (schedule.getThreads() != warps[0] * warps[1] * target.warpSize ||
      schedule.getThreads() > target.maxThreadsPerBlock)
    return emitError() << "schedule has " << schedule.getThreads()
                       << " threads, but " << warps[0] << " x " << warps[1]
                       << " warps; a block has at most "
                       << target.maxThreadsPerBlock << " threads";
  MatrixUnit::Shape instruction =
      createMatrixUnit(kind, shape.elementType, accumulatorType)->getShape();
  int64_t keyStep = std::max(instruction.n, instruction.k);
  if (tile[0] % (warps[0] * instruction.m) != 0 ||
      tile[1] % (warps[1] * keyStep) != 0)
    return emitError() << "tile " << tile[0] << " x " << tile[1]
                       << " is not a multiple of " << instruction.m << " x "
                       << keyStep << " for each warp";
  if (schedule.getStages() < 1)
    return emitError() << "schedule needs at least one stage";
  if (schedule.getVector() < 1 || schedule.getVector() > kMaxVector ||
      !llvm::isPowerOf2_64(schedule.getVector()))
    return emitError() << "schedule stores " << schedule.getVector()
                       << " elements at a time; it can be a power of two up to "
                       << kMaxVector;
  int64_t bytes = attentionSharedBytes(shape, schedule);
  if (bytes > target.staticSharedBytes)
    return emitError() << "schedule takes " << bytes
                       << " bytes of shared memory, but a block on "
                       << target.name << " has " << target.staticSharedBytes;
  return success();
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// The best unit of `target` for `type`.
static MatrixUnitKind chooseUnit(const TargetInfo &target, Type type) {
  Type accumulatorType = getAttentionAccumulatorType(type);
  if (target.isApple() &&
      supportsMatrixUnit(MatrixUnitKind::Simdgroup, type, accumulatorType))
    return MatrixUnitKind::Simdgroup;
  if (target.hasAsyncCopy() &&
      supportsMatrixUnit(MatrixUnitKind::MmaSync, type, accumulatorType))
    return MatrixUnitKind::MmaSync;
  return MatrixUnitKind::Scalar;
}

/// Rows that the queries of a batch make; with a group of heads in a block, if
/// that may be.
static int64_t getNumRows(const AttentionShape &shape) {
  if (ShapedType::isDynamic(shape.numQueries))
    return std::numeric_limits<int64_t>::max();
  return shape.numQueries * shape.groupSize <= 64
             ? shape.numQueries * shape.groupSize
             : shape.numQueries;
}

/// Whether blocks of `rows` rows are enough to occupy every multiprocessor.
static bool fillsTarget(const AttentionShape &shape, const TargetInfo &target,
                        int64_t rows) {
  if (ShapedType::isDynamic(shape.numQueries))
    return true;
  int64_t batches = ShapedType::isDynamic(shape.batches) ? 1 : shape.batches;
  int64_t blocks = batches * llvm::divideCeil(shape.numQueries, rows);
  return blocks >= int64_t(target.multiprocessors);
}

ScheduleAttr
mlir::fusion::chooseAttentionSchedule(MLIRContext *context,
                                      const TargetInfo &target,
                                      const AttentionShape &shape) {
  MatrixUnitKind unit = chooseUnit(target, shape.elementType);
  auto getWidth = [](int64_t size) {
    return ShapedType::isDynamic(size) ? int64_t(128) : size;
  };
  int64_t width = std::max(getWidth(shape.widthQK), getWidth(shape.widthV));

  int64_t rows = getNumRows(shape);

  SmallVector<int64_t, 2> tile, warps;
  int64_t stages = 1;
  switch (unit) {
  case MatrixUnitKind::MmaSync:
    // Wide rows leave no registers for the scores of more keys; more stages
    // have as many bytes under way.
    tile = {64, width > 192 ? 16 : width > 128 ? 32 : 64};
    warps = {4, 1};
    stages = width > 192 ? 5 : width > 64 ? 3 : 4;
    if (rows <= 16) {
      // Few rows: warps share out the keys.
      tile[0] = 16;
      warps = {1, tile[1] / 16};
    } else if (width <= 128 && fillsTarget(shape, target, 128)) {
      // More rows halve the traffic of keys and values. Narrow results leave
      // registers for two instructions' rows in a warp, which halves the
      // traffic of shared memory too.
      tile[0] = 128;
      if (width > 64)
        warps[0] = 8;
    }
    break;
  case MatrixUnitKind::Simdgroup:
    tile = {rows <= 8 ? 8 : 32, width > 64 ? 16 : 32};
    warps = {tile[0] / 8, tile[0] == 8 ? tile[1] / 8 : 1};
    break;
  case MatrixUnitKind::Scalar:
    tile = {rows <= 32 ? 32 : 64, 16};
    warps = {tile[0] / 32, 1};
    if (width > 64) {
      // Wide rows of results leave no registers for more: warps share out the
      // keys.
      int64_t split = llvm::PowerOf2Ceil(llvm::divideCeil(width, 64));
      tile = {32, 16 * split};
      warps = {1, split};
    }
    break;
  }
  // The widest store that rows of results allow.
  Type resultType = shape.resultType ? shape.resultType : shape.elementType;
  int64_t vector = std::max<int64_t>(
      kStoreBytes / std::max<int64_t>(getElementBytes(resultType), 1), 1);
  while (vector > 1 &&
         (ShapedType::isDynamic(shape.widthV) || shape.widthV % vector != 0))
    vector /= 2;

  auto make = [&]() {
    return ScheduleAttr::get(
        context, Strategy::Attention, unit,
        DenseI64ArrayAttr::get(context, tile),
        DenseI64ArrayAttr::get(context, warps), stages,
        /*threads=*/warps[0] * warps[1] * int64_t(target.warpSize), vector);
  };
  // Fewer stages, then fewer keys, until the tiles fit.
  int64_t keyStep = std::max<int64_t>(
      createMatrixUnit(unit, shape.elementType,
                       getAttentionAccumulatorType(shape.elementType))
          ->getShape()
          .n,
      16);
  while (attentionSharedBytes(shape, make()) > target.staticSharedBytes) {
    if (unit == MatrixUnitKind::Scalar && warps[1] > 1) {
      warps[1] /= 2;
      tile[1] /= 2;
      continue;
    }
    bool canHalveKeys = tile[1] / 2 >= keyStep * warps[1];
    if (stages > 2 || (stages > 1 && !canHalveKeys))
      --stages;
    else if (canHalveKeys)
      tile[1] /= 2;
    else
      break;
  }
  return make();
}
