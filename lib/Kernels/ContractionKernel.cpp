//===- ContractionKernel.cpp - The kernel of a contraction group ----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Adapts groups to the contraction template: which loops are m, n and k, where
// operands lie, what stands before and after. A group may hold several heroes:
// those that share their left operand and meet in the epilogue are computed
// together, tile by tile; those that share it and go separate ways get blocks
// of their own in one launch.
//
//===----------------------------------------------------------------------===//

#include "ContractionComponents.h"
#include "ContractionOperands.h"
#include "HeroOperands.h"
#include "MatrixUnits.h"
#include "RowValues.h"
#include "TileColumns.h"
#include "fusion/Kernels/Contraction.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether the hero starts from zero.
static bool startsFromZero(linalg::LinalgOp hero) {
  Value init = hero.getDpsInitOperand(0)->get();
  while (auto fusible = init.getDefiningOp<FusibleOpInterface>()) {
    if (fusible.getFusionRole() != FusionRole::View)
      break;
    init = fusible->getOperand(0);
  }
  Attribute value;
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    if (!matchPattern(fill.getInputs()[0], m_Constant(&value)))
      return false;
  } else if (auto constant = init.getDefiningOp<arith::ConstantOp>()) {
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!dense || !dense.isSplat())
      return false;
    value = dense.getSplatValue<Attribute>();
  }
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValue().isZero();
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return number.getValue().isZero();
  return false;
}

/// The hero's element at `indices`, whose products add up to `sum`; null on
/// failure.
static Value finishSum(ElementEmitter &emitter, linalg::LinalgOp hero,
                       ArrayRef<AffineExpr> indices, Value sum) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Type type = getElementTypeOrSelf(hero->getResult(0).getType());
  if (!startsFromZero(hero)) {
    Value init = emitter.element(hero.getDpsInitOperand(0)->get(), indices);
    if (!init)
      return nullptr;
    if (isNarrowFloat(type))
      init = arith::ExtFOp::create(builder, loc, sum.getType(), init);
    if (isa<FloatType>(sum.getType()))
      sum = arith::AddFOp::create(builder, loc, sum, init);
    else
      sum = arith::AddIOp::create(builder, loc, sum, init);
  }
  if (sum.getType() != type)
    sum = arith::TruncFOp::create(builder, loc, type, sum);
  return sum;
}

namespace {

/// For its lifetime, elements of the heroes that are not known are read from
/// the block's tile.
class ColumnReader {
public:
  ColumnReader(GroupKernel &kernel, const ContractionComponent &component,
               const TileColumns &tileColumns,
               const ContractionElements &elements)
      : emitter(kernel.emitter), component(component), tileColumns(tileColumns),
        elements(elements) {
    if (component.columns.isSingle() || !elements.read)
      return;
    for (auto [rhs, hero] : llvm::enumerate(component.heroes))
      emitter.bindElements(
          hero->getResult(0),
          [this, rhs = static_cast<unsigned>(rhs)](
              ArrayRef<IndexVector> lanes) { return read(rhs, lanes); });
  }
  ~ColumnReader() {
    for (linalg::LinalgOp hero : component.heroes)
      emitter.bindElements(hero->getResult(0), nullptr);
  }
  ColumnReader(const ColumnReader &) = delete;
  ColumnReader &operator=(const ColumnReader &) = delete;

private:
  SmallVector<Value> read(unsigned rhs, ArrayRef<IndexVector> lanes);

  ElementEmitter &emitter;
  const ContractionComponent &component;
  const TileColumns &tileColumns;
  const ContractionElements &elements;
};

} // namespace

SmallVector<Value> ColumnReader::read(unsigned rhs,
                                      ArrayRef<IndexVector> lanes) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  IndexSpace &space = emitter.getSpace();
  linalg::LinalgOp hero = component.heroes[rhs];
  Value result = hero->getResult(0);
  SmallVector<unsigned> dims = component.loops.getColumnDims(hero);
  SmallVector<AffineExpr> shape, columns;
  for (unsigned dim : dims)
    shape.push_back(emitter.getShapes().getDim(result, dim));
  for (const IndexVector &lane : lanes) {
    SmallVector<AffineExpr> indices;
    for (unsigned dim : dims)
      indices.push_back(lane[dim]);
    columns.push_back(space.linearize(indices, shape));
  }
  int64_t width = lanes.size();
  bool isVector = llvm::isPowerOf2_64(width) &&
                  tileColumns.getNeighbours(width) == width &&
                  space.getPowerOfTwoDivisor(columns.front(), width) == width;
  for (auto [lane, column] : llvm::enumerate(columns))
    isVector &= space.simplify(column - columns.front()) ==
                space.constant(static_cast<int64_t>(lane));
  auto readColumn = [&](AffineExpr column, int64_t count) -> Value {
    Value index = emitter.materialize(column);
    if (!index)
      return nullptr;
    return elements.read(builder, loc, rhs,
                         tileColumns.getPosition(builder, loc, index), count);
  };
  SmallVector<Value> sums;
  if (isVector && width > 1) {
    Value vector = readColumn(columns.front(), width);
    if (!vector)
      return {};
    sums = extractElements(builder, loc, vector, 0, width);
  } else {
    for (AffineExpr column : columns)
      sums.push_back(readColumn(column, 1));
  }
  for (auto [sum, lane] : llvm::zip_equal(sums, lanes))
    if (!sum || !(sum = finishSum(emitter, hero, lane, sum)))
      return {};
  return sums;
}

static ContractionShape getShape(GroupOp group,
                                 const ContractionComponent &component,
                                 IndexSpace &space) {
  ContractionShape shape;
  shape.batch = toConstant(
      countIterations(space, component.loops.batch, component.bounds));
  shape.m =
      toConstant(countIterations(space, component.loops.m, component.bounds));
  shape.n =
      toConstant(countIterations(space, component.loops.n, component.bounds));
  shape.k =
      toConstant(countIterations(space, component.loops.k, component.bounds));
  shape.numRhs = component.heroes.size();
  shape.operandType = component.operandType;
  shape.accumulatorType = component.accumulatorType;
  shape.resultType = component.accumulatorType;
  shape.columns = component.columns;
  shape.rowBytes = RowValues::getBytesPerRow(component.prologue);
  for (auto [i, indices] : llvm::enumerate(component.outputs))
    if (indices) {
      shape.resultType = getElementTypeOrSelf(group.getYielded()[i].getType());
      break;
    }
  return shape;
}

std::optional<ScheduleAttr>
fusion::chooseContractionGroupSchedule(GroupOp group,
                                       const TargetInfo &target) {
  IndexSpace space(group.getContext());
  ShapeAnalysis shapes(group);
  FailureOr<SmallVector<ContractionComponent, 1>> components =
      analyzeContractions(group, space, shapes);
  if (failed(components))
    return std::nullopt;
  // One schedule for all components: that of the largest, which must suit the
  // types of each.
  ContractionShape shape = getShape(group, components->front(), space);
  for (ContractionComponent &component : *components) {
    ContractionShape other = getShape(group, component, space);
    if (other.operandType != shape.operandType ||
        other.accumulatorType != shape.accumulatorType)
      return std::nullopt;
    if (shape.n && other.n)
      shape.n = std::max(*shape.n, *other.n);
    // Tiles that hold the groups of one component hold those of the others.
    if (shape.columns.isSingle())
      shape.columns = other.columns;
    else if (!other.columns.isSingle() && !(other.columns == shape.columns))
      return std::nullopt;
  }
  // Is B contiguous along k?
  ContractionComponent &first = components->front();
  linalg::LinalgOp hero = first.heroes.front();
  OpOperand *rhs = hero.getDpsInputOperand(1);
  IndexVector loops(first.bounds.size(), space.constant(0));
  AffineExpr k =
      space.addDim(countIterations(space, first.loops.k, first.bounds));
  setLoops(space, first.loops.k, first.bounds, k, loops);
  ResolvedElement resolved =
      resolveElement(space, shapes, rhs->get(),
                     applyMap(space, hero.getMatchingIndexingMap(rhs), loops));
  AffineExpr offset =
      space.linearize(resolved.indices, shapes.getShape(resolved.value));
  shape.isKContiguousB =
      space.simplify(offset.replace(k, k + 1) - offset) == space.constant(1);
  ContractionSchedule schedule = chooseContractionSchedule(target, shape);
  return schedule.getAttr(group.getContext());
}

FailureOr<GridBuilder> fusion::buildContractionKernel(GroupKernel &kernel) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  ElementEmitter &emitter = kernel.emitter;
  FailureOr<ContractionSchedule> schedule =
      ContractionSchedule::get(kernel.schedule, loc);
  if (failed(schedule))
    return failure();
  FailureOr<SmallVector<ContractionComponent, 1>> components =
      analyzeContractions(kernel.group, space, shapes);
  if (failed(components))
    return kernel.group.emitError(
        "the contraction template cannot compute this "
        "group; give it the generic strategy");
  int64_t sharedBytes = 0;
  for (ContractionComponent &component : *components) {
    if (failed(schedule->verify(component.operandType,
                                component.accumulatorType, loc)))
      return failure();
    if (!TileColumns::fits(component.columns, schedule->tileN, /*width=*/1))
      return kernel.group.emitError("the schedule's tiles of ")
             << schedule->tileN
             << " columns do not hold all those from which an element is "
                "computed; give it tiles of a multiple of "
             << component.columns.extent;
    sharedBytes = std::max(
        sharedBytes, getContractionSharedBytes(*schedule, component.operandType,
                                               component.accumulatorType,
                                               component.heroes.size()));
  }
  Value shared = kernel.func.addWorkgroupAttribution(
      MemRefType::get({std::max<int64_t>(sharedBytes, 16)}, builder.getI8Type(),
                      MemRefLayoutAttrInterface{},
                      gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup)),
      loc);
  Value thread = kernel.threadIndex();
  struct Extent {
    AffineExpr batch, m, n;
  };
  SmallVector<Extent> extents;
  Value start; // the first block of the component
  for (ContractionComponent &component : *components) {
    Extent extent{
        countIterations(space, component.loops.batch, component.bounds),
        countIterations(space, component.loops.m, component.bounds),
        countIterations(space, component.loops.n, component.bounds)};
    extents.push_back(extent);
    AffineExpr kSize =
        countIterations(space, component.loops.k, component.bounds);
    ContractionProblem problem;
    AffineExpr again = getContractionRereadBytes(
        kernel.target, *schedule, getShape(kernel.group, component, space),
        extent.batch, extent.m, extent.n, kSize);
    kernel.rereadBytes =
        kernel.rereadBytes ? kernel.rereadBytes + again : again;
    problem.accumulatorType = component.accumulatorType;
    problem.batch = emitter.materialize(extent.batch);
    problem.m = emitter.materialize(extent.m);
    problem.n = emitter.materialize(extent.n);
    problem.k = emitter.materialize(kSize);
    if (!problem.batch || !problem.m || !problem.n || !problem.k)
      return failure();
    TileColumns tileColumns(component.columns, schedule->tileN);
    linalg::LinalgOp first = component.heroes.front();
    bool epilogueFailed = false;
    std::optional<RowValues> rowValues;
    if (!component.prologue.isEmpty()) {
      rowValues.emplace(kernel, component.prologue, component.left,
                        first.getDpsInputOperand(0)->get(), schedule->tileM);
      problem.prologue = [&](OpBuilder &inner, Location, Value batch, Value m) {
        EmitterCallback callback(emitter, inner);
        epilogueFailed |=
            failed(rowValues->compute(thread, schedule->getThreads(), batch,
                                      extent.batch, m, problem.m, extent.m));
      };
    }
    problem.a = makeContractionAccess(kernel, component, first, 0, tileColumns,
                                      rowValues ? &*rowValues : nullptr,
                                      schedule->tileM);
    for (linalg::LinalgOp hero : component.heroes)
      problem.b.push_back(
          makeContractionAccess(kernel, component, hero, 1, tileColumns,
                                /*rowValues=*/nullptr, schedule->tileM));
    problem.epilogue = [&](OpBuilder &inner, Location,
                           const ContractionElements &elements) {
      EmitterCallback callback(emitter, inner);
      OpBuilder &b = emitter.getBuilder();
      int64_t width = elements.width;
      AffineExpr batch = bindIndex(emitter, elements.batch, extent.batch);
      AffineExpr m = bindIndex(emitter, elements.m, extent.m);
      SmallVector<AffineExpr> n = bindNeighbours(
          emitter, tileColumns.getColumn(b, loc, elements.n), width, extent.n);
      // Other columns of the row, from the block's tile.
      ColumnReader reader(kernel, component, tileColumns, elements);
      SmallVector<SmallVector<IndexVector>> outputLanes(
          kernel.group.getOutputs().size());
      for (int64_t lane = 0; lane < width; ++lane) {
        IndexVector at(component.bounds.size(), space.constant(0));
        setLoops(space, component.loops.batch, component.bounds, batch, at);
        setLoops(space, component.loops.m, component.bounds, m, at);
        setLoops(space, component.loops.n, component.bounds, n[lane], at);
        IndexVector heroIndices;
        SmallVector<Value> results;
        for (auto [index, hero] : llvm::enumerate(component.heroes)) {
          heroIndices = applyMap(
              space, hero.getMatchingIndexingMap(hero.getDpsInitOperand(0)),
              at);
          Value sum = elements.accumulators[index];
          if (width > 1)
            sum = vector::ExtractOp::create(b, loc, sum, lane);
          else if (isa<VectorType>(sum.getType()))
            sum = vector::ExtractOp::create(b, loc, sum, 0);
          Value element = finishSum(emitter, hero, heroIndices, sum);
          if (!element) {
            epilogueFailed = true;
            return;
          }
          emitter.setElement(hero->getResult(0), heroIndices, element);
          results.push_back(hero->getResult(0));
        }
        FailureOr<OutputFlow> flow = pushToOutputs(
            space, shapes, kernel.group, results, heroIndices,
            component.loops.getColumnDims(component.heroes.front()));
        if (failed(flow)) {
          epilogueFailed = true;
          return;
        }
        for (auto [lanes, indices] :
             llvm::zip_equal(outputLanes, flow->outputs))
          if (indices)
            lanes.push_back(*indices);
      }
      epilogueFailed |= failed(storeOutputs(kernel, outputLanes));
    };
    Value block = kernel.blockIndex;
    Value size = buildContractionGridSize(builder, loc, *schedule,
                                          problem.batch, problem.m, problem.n);
    OpBuilder::InsertionGuard guard(builder);
    scf::IfOp branch;
    if (components->size() > 1) {
      KernelBuilder k(builder, loc);
      Value end = start ? k.add(start, size) : size;
      Value inside = k.less(block, end);
      if (start) {
        Value begun = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::sge, block, start);
        inside = k.logicalAnd(inside, begun);
        block = k.sub(block, start);
      }
      branch = scf::IfOp::create(builder, loc, inside);
      start = end;
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    ElementEmitter::Scope scope(emitter);
    if (failed(buildContraction(builder, loc, problem, *schedule, block, thread,
                                shared)))
      return failure();
    if (epilogueFailed)
      return kernel.group.emitError("what stands before or behind this product "
                                    "cannot be computed where it is needed");
  }
  ContractionSchedule chosen = *schedule;
  return GridBuilder([extents, chosen](
                         OpBuilder &host, Location at,
                         function_ref<Value(AffineExpr)> materialize) -> Value {
    Value total;
    for (const Extent &extent : extents) {
      Value size = buildContractionGridSize(
          host, at, chosen, materialize(extent.batch), materialize(extent.m),
          materialize(extent.n));
      total = total ? arith::AddIOp::create(host, at, total, size).getResult()
                    : size;
    }
    return total;
  });
}
