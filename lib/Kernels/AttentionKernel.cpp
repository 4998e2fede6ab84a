//===- AttentionKernel.cpp - The kernel of an attention group -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeroOperands.h"
#include "fusion/Kernels/Attention.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// An attention and what the template needs to know of it.
struct Analysis {
  AttentionOp op;
  SmallVector<AffineExpr> batchSizes;
  AffineExpr numQueries, numKeys, widthQK, widthV;
  /// The common narrow type of query, key and value before widening; null if
  /// they are multiplied as they are.
  Type elementType;
  /// Batch dimension `groupDimension` holds heads of which `groupSize` share
  /// keys and values; 1 if there is no such dimension.
  int64_t groupDimension = 0, groupSize = 1;
};

} // namespace

/// The size of each domain dimension, from the operands that name it alone.
static FailureOr<SmallVector<AffineExpr>> getDomain(AttentionOp op,
                                                    ShapeAnalysis &shapes) {
  SmallVector<AffineExpr> sizes(op.getQueryMap().getNumDims());
  SmallVector<std::pair<Value, AffineMap>> operands{
      {op.getOutputs()[0], op.getOutputMap()}};
  llvm::append_range(operands, op.getTensorInputs());
  for (auto [value, map] : operands)
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        AffineExpr size = shapes.getDim(value, i);
        AffineExpr &known = sizes[dim.getPosition()];
        if (!known ||
            (isa<AffineConstantExpr>(size) && !isa<AffineConstantExpr>(known)))
          known = size;
      }
  if (llvm::any_of(sizes, [](AffineExpr size) { return !size; }))
    return failure();
  return sizes;
}

/// The batch dimension d and the factor n if keys (or values) are indexed by
/// `d floordiv n`, and by d and other divisions in no other way.
static std::pair<int64_t, int64_t> findSharedHeads(AffineMap map) {
  std::pair<int64_t, int64_t> none{-1, 1}, found = none;
  for (AffineExpr expr : map.getResults()) {
    if (isa<AffineDimExpr, AffineConstantExpr>(expr))
      continue;
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (binary.getKind() != AffineExprKind::FloorDiv || !dim || !factor ||
        found != none)
      return none;
    found = {dim.getPosition(), factor.getValue()};
  }
  if (found != none &&
      llvm::is_contained(map.getResults(),
                         getAffineDimExpr(found.first, map.getContext())))
    return none;
  return found;
}

/// Finds heads that share keys and values.
static void analyzeSharedHeads(Analysis &analysis) {
  auto heads = findSharedHeads(analysis.op.getKeyMap());
  if (heads.first < 0 || heads != findSharedHeads(analysis.op.getValueMap()))
    return;
  auto size = dyn_cast<AffineConstantExpr>(analysis.batchSizes[heads.first]);
  if (size && size.getValue() % heads.second == 0)
    std::tie(analysis.groupDimension, analysis.groupSize) = heads;
}

static FailureOr<Analysis> analyze(GroupOp group, IndexSpace &space,
                                   ShapeAnalysis &shapes) {
  Analysis analysis;
  for (auto op : group.getBody().front().getOps<AttentionOp>()) {
    if (analysis.op)
      return failure();
    analysis.op = op;
  }
  if (!analysis.op)
    return failure();
  AttentionOp op = analysis.op;
  FailureOr<SmallVector<AffineExpr>> domain = getDomain(op, shapes);
  if (failed(domain))
    return failure();
  analysis.batchSizes.assign(domain->begin(),
                             domain->begin() + op.getNumBatchDims());
  analysis.numQueries = (*domain)[op.getQueryDim()];
  analysis.widthQK = (*domain)[op.getWidthDim()];
  analysis.numKeys = (*domain)[op.getKeyDim()];
  analysis.widthV = (*domain)[op.getValueDim()];
  Type element = getElementTypeOrSelf(op.getQuery());
  if (element.isF32()) {
    // Widened operands are multiplied as they were stored.
    Type narrow;
    bool all = true;
    for (Value operand : {op.getQuery(), op.getKey(), op.getValue()}) {
      IndexVector any(cast<ShapedType>(operand.getType()).getRank(),
                      space.constant(0));
      Type type = getElementTypeOrSelf(
          resolveElement(space, shapes, operand, any).value);
      all &=
          isa<Float16Type, BFloat16Type>(type) && (!narrow || narrow == type);
      narrow = type;
    }
    if (all)
      element = narrow;
  }
  analysis.elementType = element;
  analyzeSharedHeads(analysis);
  return analysis;
}

/// Indices of the domain for template values.
static SmallVector<AffineExpr> makeDomain(const Analysis &analysis,
                                          IndexSpace &space,
                                          ArrayRef<AffineExpr> batch,
                                          AffineExpr q, AffineExpr d,
                                          AffineExpr k, AffineExpr v) {
  SmallVector<AffineExpr> domain(batch);
  for (AffineExpr expr : {q, d, k, v})
    domain.push_back(expr ? expr : space.constant(0));
  return domain;
}

namespace {
enum class Operand { Query, Key, Value };
} // namespace

/// `value`, or a zero that stands in for it, and sets `failed`, where it is
/// null: an error has been reported then.
static Value orZero(ElementEmitter &emitter, Value value, Type type,
                    bool &failed) {
  if (value)
    return value;
  failed = true;
  OpBuilder &builder = emitter.getBuilder();
  return arith::ConstantOp::create(builder, emitter.getLoc(),
                                   builder.getZeroAttr(type));
}

/// Where an operand lies: rows are queries or keys, columns its width. Its
/// callbacks set `failed` when they can not build what they should.
static OperandAccess makeAccess(GroupKernel &kernel, const Analysis &analysis,
                                Operand which, bool &failed) {
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  ElementEmitter &emitter = kernel.emitter;
  AttentionOp op = analysis.op;
  Value value = which == Operand::Query ? op.getQuery()
                : which == Operand::Key ? op.getKey()
                                        : op.getValue();
  AffineMap map = which == Operand::Query ? op.getQueryMap()
                  : which == Operand::Key ? op.getKeyMap()
                                          : op.getValueMap();
  AffineExpr rows =
      which == Operand::Query ? analysis.numQueries : analysis.numKeys;
  AffineExpr columns =
      which == Operand::Value ? analysis.widthV : analysis.widthQK;
  auto indicesAt = [=, &space](ArrayRef<AffineExpr> batch, AffineExpr row,
                               AffineExpr column) {
    AffineExpr q, d, k, v;
    (which == Operand::Query ? q : k) = row;
    (which == Operand::Value ? v : d) = column;
    return applyMap(space, map, makeDomain(analysis, space, batch, q, d, k, v));
  };
  OperandAccess access;
  access.elementType = analysis.elementType;
  bool narrows = getElementTypeOrSelf(value) != analysis.elementType;
  SmallVector<AffineExpr> batch;
  for (AffineExpr size : analysis.batchSizes)
    batch.push_back(space.addDim(size));
  AffineExpr row = space.addDim(rows), column = space.addDim(columns);
  ResolvedElement resolved =
      resolveElement(space, shapes, value, indicesAt(batch, row, column));
  Value buffer = emitter.getBuffer(resolved.value);
  auto bindAll = [&emitter, analysis](ValueRange values) {
    SmallVector<AffineExpr> exprs;
    for (auto [bound, size] : llvm::zip_equal(values, analysis.batchSizes))
      exprs.push_back(bindIndex(emitter, bound, size));
    return exprs;
  };
  if (buffer && getElementTypeOrSelf(buffer) == analysis.elementType) {
    AffineExpr offset =
        space.linearize(resolved.indices, shapes.getShape(resolved.value));
    int64_t bytes = analysis.elementType.getIntOrFloatBitWidth() / 8;
    access.buffer = buffer;
    if (isContiguousAlong(space, offset, column)) {
      access.contiguous = OperandAccess::Contiguous::Column;
      access.alignment = getAlignmentAlong(space, offset, column, bytes);
    } else if (isContiguousAlong(space, offset, row)) {
      access.contiguous = OperandAccess::Contiguous::Row;
      access.alignment = getAlignmentAlong(space, offset, row, bytes);
    }
    access.offset = [=, &emitter, &failed](
                        OpBuilder &builder, Location, ValueRange batchValues,
                        Value rowValue, Value columnValue) -> Value {
      EmitterCallback callback(emitter, builder);
      ResolvedElement at = resolveElement(
          emitter.getSpace(), emitter.getShapes(), value,
          indicesAt(bindAll(batchValues), bindIndex(emitter, rowValue, rows),
                    bindIndex(emitter, columnValue, columns)));
      Value position = emitter.materialize(emitter.getSpace().linearize(
          at.indices, emitter.getShapes().getShape(at.value)));
      return orZero(emitter, position, builder.getIndexType(), failed);
    };
  }
  access.load = [=, &emitter, &failed](OpBuilder &builder, Location,
                                       ValueRange batchValues, Value rowValue,
                                       Value columnValue) -> Value {
    EmitterCallback callback(emitter, builder);
    IndexVector at =
        indicesAt(bindAll(batchValues), bindIndex(emitter, rowValue, rows),
                  bindIndex(emitter, columnValue, columns));
    ResolvedElement source{value, at};
    if (narrows)
      source =
          resolveElement(emitter.getSpace(), emitter.getShapes(), value, at);
    return orZero(emitter, emitter.element(source.value, source.indices),
                  analysis.elementType, failed);
  };
  if (access.buffer)
    return access;
  // Neighbours along the width are computed together, so that what they load
  // comes in vectors.
  int64_t bytes = analysis.elementType.getIntOrFloatBitWidth() / 8;
  access.contiguous = OperandAccess::Contiguous::Column;
  access.alignment = bytes * space.getPowerOfTwoDivisor(
                                 columns, std::max<int64_t>(16 / bytes, 1));
  access.loadVector = [=, &emitter, &failed](OpBuilder &builder, Location loc,
                                             ValueRange batchValues,
                                             Value rowValue, Value columnValue,
                                             int64_t width) -> Value {
    EmitterCallback callback(emitter, builder);
    OpBuilder &inner = emitter.getBuilder();
    IndexSpace &innerSpace = emitter.getSpace();
    Value piece = KernelBuilder(inner, loc).div(columnValue, width);
    AffineExpr first =
        bindIndex(emitter, piece, innerSpace.simplify(columns.ceilDiv(width))) *
        width;
    SmallVector<AffineExpr> batchExprs = bindAll(batchValues);
    AffineExpr rowExpr = bindIndex(emitter, rowValue, rows);
    SmallVector<IndexVector> lanes;
    Value source = value;
    for (int64_t lane = 0; lane < width; ++lane) {
      IndexVector at =
          indicesAt(batchExprs, rowExpr, innerSpace.simplify(first + lane));
      if (narrows) {
        ResolvedElement resolved =
            resolveElement(innerSpace, emitter.getShapes(), value, at);
        source = resolved.value;
        at = resolved.indices;
      }
      lanes.push_back(at);
    }
    SmallVector<Value> elements = emitter.elements(source, lanes);
    auto type = VectorType::get({width}, analysis.elementType);
    Value vector;
    if (!elements.empty())
      vector = vector::FromElementsOp::create(inner, loc, type, elements);
    return orZero(emitter, vector, type, failed);
  };
  return access;
}

static AttentionProblem makeProblem(GroupKernel &kernel,
                                    const Analysis &analysis, bool &failed) {
  ElementEmitter &emitter = kernel.emitter;
  AttentionProblem problem;
  problem.query = makeAccess(kernel, analysis, Operand::Query, failed);
  problem.key = makeAccess(kernel, analysis, Operand::Key, failed);
  problem.value = makeAccess(kernel, analysis, Operand::Value, failed);
  for (AffineExpr size : analysis.batchSizes)
    problem.batchSizes.push_back(
        emitter.materialize(kernel.getSpace().simplify(size)));
  problem.groupDimension = analysis.groupDimension;
  problem.groupSize = analysis.groupSize;
  problem.numQueries = emitter.materialize(analysis.numQueries);
  problem.numKeys = emitter.materialize(analysis.numKeys);
  problem.widthQK = emitter.materialize(analysis.widthQK);
  problem.widthV = emitter.materialize(analysis.widthV);
  AttentionOp op = analysis.op;
  problem.scale = op.getScale().convertToDouble();
  if (op.getSoftcap())
    problem.softcap = op.getSoftcap()->convertToDouble();
  if (op.getWindow())
    problem.window = *op.getWindow();
  if (op.getMaskedScore())
    problem.maskedScore = op.getMaskedScore()->convertToDouble();
  if (op.getFloor())
    problem.floor = op.getFloor()->convertToDouble();
  problem.maskedRows = op.getMaskedRows();
  return problem;
}

static AttentionShape getStaticShape(GroupOp group, const Analysis &analysis,
                                     IndexSpace &space, ShapeAnalysis &shapes) {
  AttentionShape shape;
  int64_t batches = 1;
  for (AffineExpr size : analysis.batchSizes) {
    std::optional<int64_t> value = toConstant(size);
    batches = !value || ShapedType::isDynamic(batches) ? ShapedType::kDynamic
                                                       : batches * *value;
  }
  shape.batches = batches;
  shape.groupSize = analysis.groupSize;
  shape.numQueries =
      toConstant(analysis.numQueries).value_or(ShapedType::kDynamic);
  shape.numKeys = toConstant(analysis.numKeys).value_or(ShapedType::kDynamic);
  shape.widthQK = toConstant(analysis.widthQK).value_or(ShapedType::kDynamic);
  shape.widthV = toConstant(analysis.widthV).value_or(ShapedType::kDynamic);
  shape.elementType = analysis.elementType;
  shape.resultType = getElementTypeOrSelf(group.getYielded().front());
  return shape;
}

std::optional<ScheduleAttr>
fusion::chooseAttentionGroupSchedule(GroupOp group, const TargetInfo &target) {
  IndexSpace space(group.getContext());
  ShapeAnalysis shapes(group);
  FailureOr<Analysis> analysis = analyze(group, space, shapes);
  if (failed(analysis))
    return std::nullopt;
  return chooseAttentionSchedule(
      group.getContext(), target,
      getStaticShape(group, *analysis, space, shapes));
}

/// Bytes of keys and values that are read again: in each round of blocks, and
/// keys in each for probabilities, where they are more than half of the
/// device's cache. Sizes that are not known are taken to fit.
static AffineExpr getRereadBytes(const TargetInfo &target, IndexSpace &space,
                                 const Analysis &analysis,
                                 const AttentionShape &shape,
                                 ScheduleAttr schedule) {
  AffineExpr batches = space.constant(1);
  for (AffineExpr size : analysis.batchSizes)
    batches = batches * size;
  AffineExpr columnBytes = batches.floorDiv(analysis.groupSize) *
                           analysis.numKeys *
                           (analysis.elementType.getIntOrFloatBitWidth() / 8);
  AffineExpr bytes =
      space.simplify(columnBytes * (analysis.widthQK + analysis.widthV));
  auto constant = dyn_cast<AffineConstantExpr>(bytes);
  if (!constant || constant.getValue() <= target.getKeptBytes())
    return space.constant(0);
  int64_t resident = target.getResidentBlocks(
      schedule.getThreads(), attentionSharedBytes(shape, schedule));
  AffineExpr blocks =
      batches * analysis.numQueries.ceilDiv(schedule.getTile()[0]);
  AffineExpr rounds = blocks.ceilDiv(resident);
  AffineExpr again = bytes * (rounds - 1);
  AttentionOp op = analysis.op;
  if (op.getProbabilities())
    again = again + columnBytes * analysis.widthQK * rounds;
  return again;
}

FailureOr<GridBuilder> fusion::buildAttentionKernel(GroupKernel &kernel) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  ElementEmitter &emitter = kernel.emitter;
  GroupOp group = kernel.group;
  FailureOr<Analysis> found = analyze(group, space, shapes);
  if (failed(found))
    return group.emitError(
        "the attention template cannot compute this group; "
        "it needs one attention whose batch sizes are known");
  Analysis analysis = *found;
  AttentionOp op = analysis.op;
  // The template stores an output where it has the attention's element, so
  // every output must be made of that element: of the result, or of the
  // probabilities.
  SmallVector<AffineExpr> batch;
  for (AffineExpr size : analysis.batchSizes)
    batch.push_back(space.addDim(size));
  SmallVector<AffineExpr> domain =
      makeDomain(analysis, space, batch, space.addDim(analysis.numQueries), {},
                 space.addDim(analysis.numKeys), space.addDim(analysis.widthV));
  auto reach = [&](unsigned result) {
    return pushToOutputs(space, shapes, group, {op->getResult(result)},
                         applyMap(space, op.getResultMap(result), domain));
  };
  FailureOr<OutputFlow> reached = reach(0), kept = OutputFlow();
  if (op.getProbabilities())
    kept = reach(3);
  if (failed(reached) || failed(kept))
    return group.emitError("an output needs other elements of the attention "
                           "than its own; split the group");
  kept->outputs.resize(reached->outputs.size());
  for (auto [i, indices] : llvm::enumerate(reached->outputs)) {
    bool isRowResult =
        llvm::is_contained(op.getResults().drop_front(), group.getYielded()[i]);
    if (!indices && !kept->outputs[i] && !isRowResult)
      return group.emitError("output ")
             << i << " does not depend on the attention; give it a group of "
             << "its own";
    if (indices && kept->outputs[i])
      return group.emitError("output ")
             << i << " needs both the result of the attention and its "
             << "probabilities; give it a group of its own";
  }
  bool callbackFailed = false;
  AttentionProblem problem = makeProblem(kernel, analysis, callbackFailed);
  SmallVector<Value> sizes(problem.batchSizes);
  sizes.append(
      {problem.numQueries, problem.numKeys, problem.widthQK, problem.widthV});
  if (!llvm::all_of(sizes, [](Value size) { return bool(size); }))
    return failure();
  if (op.getCausalOffset()) {
    problem.causalOffset = emitter.scalar(op.getCausalOffset());
    if (!problem.causalOffset)
      return failure();
  }
  auto bindAll = [&](ValueRange values) {
    SmallVector<AffineExpr> exprs;
    for (auto [bound, size] : llvm::zip_equal(values, analysis.batchSizes))
      exprs.push_back(bindIndex(emitter, bound, size));
    return exprs;
  };
  // An element at a query and, where there is one, a key.
  auto loadElement = [&](OpBuilder &inner, Value tensor, AffineMap map,
                         ValueRange batch, Value q, Value k) -> Value {
    EmitterCallback callback(emitter, inner);
    AffineExpr key = k ? bindIndex(emitter, k, analysis.numKeys) : AffineExpr();
    IndexVector at = applyMap(
        space, map,
        makeDomain(analysis, space, bindAll(batch),
                   bindIndex(emitter, q, analysis.numQueries), {}, key, {}));
    return orZero(emitter, emitter.element(tensor, at),
                  getElementTypeOrSelf(tensor), callbackFailed);
  };
  if (op.getFactor())
    problem.factor = [&](OpBuilder &inner, Location, ValueRange batch, Value q,
                         Value k) {
      return loadElement(inner, op.getFactor(), op.getFactorMap(), batch, q, k);
    };
  if (op.getMask())
    problem.mask = [&](OpBuilder &inner, Location, ValueRange batch, Value q,
                       Value k) {
      return loadElement(inner, op.getMask(), op.getMaskMap(), batch, q, k);
    };
  if (op.getDropout())
    problem.dropout = [&](OpBuilder &inner, Location, ValueRange batch, Value q,
                          Value k) {
      return loadElement(inner, op.getDropout(), op.getDropoutMap(), batch, q,
                         k);
    };
  if (op.getSink())
    problem.sink = [&](OpBuilder &inner, Location, ValueRange batch, Value q) {
      return loadElement(inner, op.getSink(), op.getSinkMap(), batch, q,
                         Value());
    };
  problem.resultType = getElementTypeOrSelf(group.getYielded().front());
  // Neighbouring columns of the result (0) or of the probabilities (3).
  auto storeResult = [&](unsigned number, OpBuilder &inner, ValueRange batch,
                         Value q, Value column, Value elements) {
    EmitterCallback callback(emitter, inner);
    Value result = op->getResult(number);
    bool isKey = number != 0;
    OpBuilder &b = emitter.getBuilder();
    auto vector = dyn_cast<VectorType>(elements.getType());
    int64_t width = vector ? vector.getNumElements() : 1;
    SmallVector<AffineExpr> batchExprs = bindAll(batch);
    AffineExpr qExpr = bindIndex(emitter, q, analysis.numQueries);
    SmallVector<AffineExpr> columns = bindNeighbours(
        emitter, column, width, isKey ? analysis.numKeys : analysis.widthV);
    SmallVector<SmallVector<IndexVector>> lanesOf(group.getOutputs().size());
    for (int64_t lane = 0; lane < width; ++lane) {
      Value sum = elements;
      if (vector)
        sum = vector::ExtractOp::create(b, loc, elements, lane);
      Type type = getElementTypeOrSelf(result);
      if (type != sum.getType()) {
        if (type.getIntOrFloatBitWidth() <
            sum.getType().getIntOrFloatBitWidth())
          sum = arith::TruncFOp::create(b, loc, type, sum);
        else
          sum = arith::ExtFOp::create(b, loc, type, sum);
      }
      AffineExpr key = isKey ? columns[lane] : AffineExpr();
      AffineExpr value = isKey ? AffineExpr() : columns[lane];
      IndexVector at = applyMap(
          space, op.getResultMap(number),
          makeDomain(analysis, space, batchExprs, qExpr, {}, key, value));
      emitter.setElement(result, at, sum);
      FailureOr<OutputFlow> flow =
          pushToOutputs(space, shapes, group, {result}, at);
      if (failed(flow)) {
        callbackFailed = true;
        return;
      }
      for (auto [lanes, indices] : llvm::zip_equal(lanesOf, flow->outputs))
        if (indices)
          lanes.push_back(*indices);
    }
    callbackFailed |= failed(storeOutputs(kernel, lanesOf));
  };
  problem.store = [&](OpBuilder &inner, Location, ValueRange batch, Value q,
                      Value v, Value elements) {
    storeResult(0, inner, batch, q, v, elements);
  };
  if (llvm::any_of(kept->outputs, [](const auto &output) { return !!output; }))
    problem.storeProbabilities =
        [&](OpBuilder &inner, Location, ValueRange batch, Value q, Value k,
            Value elements) { storeResult(3, inner, batch, q, k, elements); };
  if (op.hasRowResults())
    problem.storeRow = [&](OpBuilder &inner, Location, ValueRange batch,
                           Value q, Value reference, Value total) {
      EmitterCallback callback(emitter, inner);
      IndexVector at = applyMap(
          space, op.getRowMap(),
          makeDomain(analysis, space, bindAll(batch),
                     bindIndex(emitter, q, analysis.numQueries), {}, {}, {}));
      Value values[] = {reference, total};
      for (auto [result, value] :
           llvm::zip_equal(op.getResults().slice(1, 2), values)) {
        emitter.setElement(result, at, value);
        for (auto [i, yielded] : llvm::enumerate(group.getYielded()))
          if (yielded == result)
            callbackFailed |= failed(kernel.store(i, {at}, value));
      }
    };
  AttentionShape shape = getAttentionShape(problem);
  auto error = [&]() { return group.emitError(); };
  if (failed(verifyAttentionSchedule(error, kernel.target, shape,
                                     kernel.schedule)))
    return failure();
  kernel.rereadBytes =
      getRereadBytes(kernel.target, space, analysis, shape, kernel.schedule);
  int64_t bytes = attentionSharedBytes(shape, kernel.schedule);
  Value shared = kernel.func.addWorkgroupAttribution(
      MemRefType::get({std::max<int64_t>(bytes, 16)}, builder.getI8Type(),
                      MemRefLayoutAttrInterface{},
                      gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup)),
      loc);
  Value thread = kernel.threadIndex();
  if (failed(buildAttention(builder, loc, problem, kernel.target,
                            kernel.schedule, kernel.blockIndex, thread,
                            shared)))
    return failure();
  if (callbackFailed)
    return group.emitError("what stands around this attention cannot be "
                           "computed where it is needed");
  ScheduleAttr schedule = kernel.schedule;
  return GridBuilder([analysis, shape, schedule](
                         OpBuilder &host, Location at,
                         function_ref<Value(AffineExpr)> materialize) -> Value {
    SmallVector<Value> sizes;
    for (AffineExpr size : analysis.batchSizes)
      sizes.push_back(materialize(size));
    return buildAttentionBlocks(
        host, at, sizes, materialize(analysis.numQueries), shape, schedule);
  });
}
