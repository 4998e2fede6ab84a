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

#include "HeroOperands.h"
#include "MatrixUnits.h"
#include "RowReducer.h"
#include "RowValues.h"
#include "TileColumns.h"
#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Kernels/Contraction.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Heroes that one pass over the tiles computes.
struct Component {
  SmallVector<linalg::LinalgOp> heroes;
  ContractionLoops loops;
  SmallVector<AffineExpr> bounds; // of the loops
  /// For each output of the group, its indices as a function of the template
  /// dimensions; nothing for outputs of other components.
  SmallVector<std::optional<IndexVector>> outputs;
  /// The columns that an element of an output is computed from.
  ColumnGroup columns;
  /// What the left operand needs of its rows, as functions of the dimensions
  /// for the batch and the row.
  RowPrologue prologue;
  LeftRows left;
  Type operandType, accumulatorType;
};

} // namespace

/// The cast that the body applies to an operand before the product; null for
/// none. Failure if the body is no plain product.
static FailureOr<Operation *> getBodyCast(linalg::LinalgOp op,
                                          unsigned operand) {
  BlockArgument argument = op.getBlock()->getArgument(operand);
  if (!argument.hasOneUse())
    return failure();
  Operation *user = *argument.getUsers().begin();
  if (user->getNumOperands() == 1 && user->getNumResults() == 1)
    return user;
  return static_cast<Operation *>(nullptr);
}

/// The heroes of a group: its contractions.
static SmallVector<linalg::LinalgOp> getHeroes(GroupOp group) {
  SmallVector<linalg::LinalgOp> heroes;
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>())
    if (op.getFusionRole() == FusionRole::Contraction)
      heroes.push_back(cast<linalg::LinalgOp>(op.getOperation()));
  return heroes;
}

/// Finds what the left operand of a component needs of its rows.
static LogicalResult findPrologue(GroupOp group, Component &component,
                                  IndexSpace &space, ShapeAnalysis &shapes) {
  linalg::LinalgOp hero = component.heroes.front();
  component.left = getLeftRows(space, hero, component.loops, component.bounds);
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front().without_terminator())
    ops.push_back(&op);
  FailureOr<RowPrologue> prologue =
      findRowPrologue(space, shapes, ops, hero.getDpsInputOperand(0)->get(),
                      component.left.rows);
  if (failed(prologue) || !llvm::all_of(prologue->reductions, canReduceRows))
    return failure();
  component.prologue = std::move(*prologue);
  return success();
}

/// Whether anything but left operands needs a reduction: it would be computed
/// once per element of a tile.
static bool hasOtherReductions(GroupOp group, ArrayRef<Component> components) {
  SmallVector<Value> worklist(group.getYielded());
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (const Component &component : components)
    for (linalg::LinalgOp hero : component.heroes) {
      seen.insert(hero);
      llvm::append_range(worklist, llvm::drop_begin(hero->getOperands()));
    }
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (fusible && fusible.getFusionRole() == FusionRole::Reduction)
      return true;
    op->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }
  return false;
}

/// Splits a group into components. Failure (silent) if the template cannot
/// compute it.
static FailureOr<SmallVector<Component, 1>>
analyze(GroupOp group, IndexSpace &space, ShapeAnalysis &shapes) {
  SmallVector<linalg::LinalgOp> heroes = getHeroes(group);
  if (heroes.empty())
    return failure();
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>())
    if (op.getFusionRole() == FusionRole::Attention ||
        op.getFusionRole() == FusionRole::Barrier)
      return failure();
  SmallVector<Component, 1> components;
  for (linalg::LinalgOp hero : heroes) {
    Component component;
    std::optional<ContractionLoops> loops = ContractionLoops::get(hero);
    if (!loops || loops->k.empty())
      return failure();
    component.heroes = {hero};
    component.loops = *loops;
    component.bounds = getLoopBounds(hero, shapes);
    if (failed(findPrologue(group, component, space, shapes)))
      return failure();
    components.push_back(component);
  }
  if (hasOtherReductions(group, components))
    return failure();
  // The outputs of each hero. Heroes that reach the same output belong
  // together.
  auto heroIndices = [&](Component &component) {
    IndexSpace &s = space;
    IndexVector loopIndices(component.bounds.size(), s.constant(0));
    AffineExpr batch =
        s.addDim(countIterations(s, component.loops.batch, component.bounds));
    AffineExpr m =
        s.addDim(countIterations(s, component.loops.m, component.bounds));
    AffineExpr n =
        s.addDim(countIterations(s, component.loops.n, component.bounds));
    setLoops(s, component.loops.batch, component.bounds, batch, loopIndices);
    setLoops(s, component.loops.m, component.bounds, m, loopIndices);
    setLoops(s, component.loops.n, component.bounds, n, loopIndices);
    linalg::LinalgOp hero = component.heroes.front();
    return applyMap(s, hero.getMatchingIndexingMap(hero.getDpsInitOperand(0)),
                    loopIndices);
  };
  SmallVector<Component, 1> merged;
  if (components.size() > 1) {
    // Try all of them in one pass.
    auto sameShape = [&](Component &a, Component &b) {
      linalg::LinalgOp x = a.heroes.front(), y = b.heroes.front();
      return x.getIndexingMapsArray() == y.getIndexingMapsArray() &&
             a.bounds == b.bounds &&
             x.getDpsInputOperand(0)->get() == y.getDpsInputOperand(0)->get() &&
             x.getDpsInputOperand(1)->get().getType() ==
                 y.getDpsInputOperand(1)->get().getType() &&
             x->getResult(0).getType() == y->getResult(0).getType();
    };
    bool same = llvm::all_of(components, [&](Component &other) {
      return sameShape(components.front(), other);
    });
    if (same) {
      IndexVector indices = heroIndices(components.front());
      SmallVector<Value> results;
      for (linalg::LinalgOp hero : heroes)
        results.push_back(hero->getResult(0));
      FailureOr<OutputFlow> flow =
          pushToOutputs(space, shapes, group, results, indices,
                        components.front().loops.getColumnDims(heroes.front()));
      // Together only if some output needs two of them.
      bool meet = false;
      for (Value yielded : group.getYielded()) {
        unsigned reached = 0;
        for (Value result : results) {
          SmallVector<Value> worklist{yielded};
          llvm::SmallPtrSet<Operation *, 16> seen;
          bool found = false;
          while (!worklist.empty() && !found) {
            Value value = worklist.pop_back_val();
            found |= value == result;
            if (Operation *def = value.getDefiningOp();
                def && seen.insert(def).second)
              llvm::append_range(worklist, def->getOperands());
          }
          reached += found;
        }
        meet |= reached > 1;
      }
      if (succeeded(flow) && meet) {
        Component all = components.front();
        all.heroes = heroes;
        all.outputs = flow->outputs;
        all.columns = flow->columns;
        merged.push_back(all);
      }
    }
  }
  if (merged.empty()) {
    for (Component &component : components) {
      IndexVector indices = heroIndices(component);
      linalg::LinalgOp hero = component.heroes.front();
      FailureOr<OutputFlow> flow =
          pushToOutputs(space, shapes, group, {hero->getResult(0)}, indices,
                        component.loops.getColumnDims(hero));
      if (failed(flow))
        return failure();
      component.outputs = flow->outputs;
      component.columns = flow->columns;
    }
    merged = components;
    // Each output has one hero.
    for (unsigned i = 0; i < group.getOutputs().size(); ++i) {
      unsigned owners = 0;
      for (Component &component : merged)
        owners += component.outputs[i].has_value();
      if (owners != 1)
        return failure();
    }
  } else {
    for (const std::optional<IndexVector> &indices : merged.front().outputs)
      if (!indices)
        return failure();
  }
  // Types.
  for (Component &component : merged) {
    if (!canTileColumns(component.columns))
      return failure();
    ContractionTypes types =
        getContractionTypes(component.heroes.front(), space, shapes);
    for (linalg::LinalgOp hero : component.heroes)
      if (failed(getBodyCast(hero, 0)) || failed(getBodyCast(hero, 1)) ||
          !(getContractionTypes(hero, space, shapes) == types))
        return failure();
    component.operandType = types.operand;
    component.accumulatorType = types.sum;
    if (!component.accumulatorType.isIntOrFloat())
      return failure();
  }
  return merged;
}

/// Where operand `operand` of `hero` lies, as a function of batch, outer (m or
/// n) and k.
static OperandAccess makeAccess(GroupKernel &kernel, const Component &component,
                                linalg::LinalgOp hero, unsigned operandIndex,
                                const TileColumns &tileColumns,
                                RowValues *rowValues, int64_t tileM) {
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  ElementEmitter &emitter = kernel.emitter;
  OpOperand *operand = hero.getDpsInputOperand(operandIndex);
  Value value = operand->get();
  AffineMap map = hero.getMatchingIndexingMap(operand);
  Operation *bodyCast = *getBodyCast(hero, operandIndex);
  ContractionLoops loops = component.loops;
  SmallVector<AffineExpr> bounds = component.bounds;
  bool isA = operandIndex == 0;
  SmallVector<unsigned> outer = isA ? loops.m : loops.n;
  AffineExpr batchSize = countIterations(space, loops.batch, bounds),
             outerSize = countIterations(space, outer, bounds),
             kSize = countIterations(space, loops.k, bounds);
  IndexSpace *spacePtr = &space;
  auto indicesAt = [=](AffineExpr batch, AffineExpr o, AffineExpr k) {
    IndexVector at(bounds.size(), spacePtr->constant(0));
    setLoops(*spacePtr, loops.batch, bounds, batch, at);
    setLoops(*spacePtr, outer, bounds, o, at);
    setLoops(*spacePtr, loops.k, bounds, k, at);
    return applyMap(*spacePtr, map, at);
  };
  OperandAccess access;
  access.elementType = component.operandType;
  bool narrow = isNarrowFloat(component.operandType);
  // The place in memory for template dimensions.
  AffineExpr b = space.addDim(batchSize), o = space.addDim(outerSize),
             k = space.addDim(kSize);
  ResolvedElement resolved =
      resolveElement(space, shapes, value, indicesAt(b, o, k));
  Value buffer = emitter.getBuffer(resolved.value);
  Type stored = getElementTypeOrSelf(resolved.value.getType());
  bool plain = buffer && stored == component.operandType &&
               (narrow ||
                (getElementTypeOrSelf(value.getType()) == stored && !bodyCast));
  // Contiguous along a dimension: the next index is the next element, in memory
  // or, of a computed operand, in the row-major order of its elements.
  {
    SmallVector<AffineExpr> shape = shapes.getShape(resolved.value);
    AffineExpr offset = space.linearize(resolved.indices, shape);
    int64_t bytes = std::max<int64_t>(
        1, (plain ? stored : access.elementType).getIntOrFloatBitWidth() / 8);
    auto strideOf = [&](AffineExpr dim) {
      AffineExpr next = offset.replace(dim, dim + 1);
      return space.simplify(next - offset);
    };
    auto alignmentAlong = [&](AffineExpr dim) {
      int64_t width = std::max<int64_t>(1, 16 / bytes);
      // Positions that are multiples of the width.
      AffineExpr blocks = space.addOpaqueDim();
      AffineExpr at = space.simplify(offset.replace(dim, blocks * width));
      return space.getPowerOfTwoDivisor(at, width) * bytes;
    };
    // A dimension that was split or joined on the way (the heads of attention's
    // result) may have neighbours only in aligned groups: enough for vectors.
    auto groupAlong = [&](AffineExpr dim, AffineExpr size) {
      for (int64_t width = 16 / bytes; width > 1; width /= 2) {
        AffineExpr group =
            space.addDim(space.simplify(size.ceilDiv(width))) * width;
        AffineExpr first = space.simplify(offset.replace(dim, group));
        bool isVector = space.getPowerOfTwoDivisor(first, width) == width;
        for (int64_t lane = 1; lane < width && isVector; ++lane)
          isVector = space.simplify(offset.replace(dim, group + lane) -
                                    first) == space.constant(lane);
        if (isVector)
          return width;
      }
      return int64_t(1);
    };
    using Contiguous = OperandAccess::Contiguous;
    Contiguous alongK = isA ? Contiguous::Column : Contiguous::Row;
    Contiguous alongOuter = isA ? Contiguous::Row : Contiguous::Column;
    if (strideOf(k) == space.constant(1)) {
      access.contiguous = alongK;
      access.alignment = alignmentAlong(k);
    } else if (strideOf(o) == space.constant(1)) {
      access.contiguous = alongOuter;
      access.alignment = alignmentAlong(o);
    } else if (int64_t width = groupAlong(k, kSize); width > 1) {
      access.contiguous = alongK;
      access.alignment = width * bytes;
    } else if (int64_t width = groupAlong(o, outerSize); width > 1) {
      access.contiguous = alongOuter;
      access.alignment = width * bytes;
    }
    if (!isA && access.contiguous == alongOuter)
      access.alignment =
          std::min(access.alignment, tileColumns.getNeighbours(16) * bytes);
  }
  // What is known of a row serves neighbours in it.
  if (rowValues && access.contiguous == OperandAccess::Contiguous::Row)
    access.contiguous = OperandAccess::Contiguous::None;
  // The index along n or m of an operand's column or row.
  auto getOuter = [=](OpBuilder &builder, Location loc, Value row,
                      Value column) {
    return isA ? row : tileColumns.getColumn(builder, loc, column);
  };
  if (plain) {
    access.buffer = buffer;
    access.offset = [=, &emitter](OpBuilder &builder, Location loc,
                                  ValueRange batch, Value row,
                                  Value column) -> Value {
      EmitterCallback callback(emitter, builder);
      AffineExpr bi = bindIndex(emitter, batch[0], batchSize);
      AffineExpr oi = bindIndex(
          emitter, getOuter(emitter.getBuilder(), loc, row, column), outerSize);
      AffineExpr ki = bindIndex(emitter, isA ? column : row, kSize);
      ResolvedElement at =
          resolveElement(emitter.getSpace(), emitter.getShapes(), value,
                         indicesAt(bi, oi, ki));
      return emitter.materialize(emitter.getSpace().linearize(
          at.indices, emitter.getShapes().getShape(at.value)));
    };
  }
  // Makes what a row has computed before known to its elements.
  auto bindRow = [=](AffineExpr batch, AffineExpr outer, OpBuilder &builder,
                     Location loc, Value row) {
    if (rowValues)
      rowValues->bind(batch, outer,
                      KernelBuilder(builder, loc).rem(row, tileM));
  };
  // The elements at some lanes' indices, in the type that is multiplied.
  auto getElements = [=, &emitter](Location loc, ArrayRef<IndexVector> lanes) {
    OpBuilder &builder = emitter.getBuilder();
    Value source = value;
    SmallVector<IndexVector> sourceLanes(lanes);
    if (narrow)
      for (IndexVector &lane : sourceLanes) {
        ResolvedElement at = resolveElement(emitter.getSpace(),
                                            emitter.getShapes(), value, lane);
        source = at.value;
        lane = at.indices;
      }
    SmallVector<Value> elements = emitter.elements(source, sourceLanes);
    if (narrow)
      return elements;
    for (Value &element : elements) {
      if (bodyCast) {
        IRMapping mapping;
        mapping.map(bodyCast->getOperand(0), element);
        element = builder.clone(*bodyCast, mapping)->getResult(0);
      }
      // A narrow factor, or one that the body narrows.
      if (isNarrowFloat(element.getType()) &&
          element.getType() != access.elementType)
        element =
            arith::ExtFOp::create(builder, loc, access.elementType, element);
    }
    return elements;
  };
  access.load = [=, &emitter](OpBuilder &builder, Location loc,
                              ValueRange batch, Value row,
                              Value column) -> Value {
    EmitterCallback callback(emitter, builder);
    AffineExpr bi = bindIndex(emitter, batch[0], batchSize);
    AffineExpr oi = bindIndex(
        emitter, getOuter(emitter.getBuilder(), loc, row, column), outerSize);
    AffineExpr ki = bindIndex(emitter, isA ? column : row, kSize);
    bindRow(bi, oi, emitter.getBuilder(), loc, row);
    SmallVector<Value> elements = getElements(loc, indicesAt(bi, oi, ki));
    return elements.empty() ? Value() : elements.front();
  };
  if (plain || access.contiguous == OperandAccess::Contiguous::None)
    return access;
  bool isAlongK =
      (access.contiguous == OperandAccess::Contiguous::Column) == isA;
  access.loadVector = [=, &emitter](OpBuilder &builder, Location loc,
                                    ValueRange batch, Value row, Value column,
                                    int64_t width) -> Value {
    EmitterCallback callback(emitter, builder);
    OpBuilder &b = emitter.getBuilder();
    // The first position is a multiple of the width; loads of vectors follow.
    auto bindFirst = [&](Value position, AffineExpr size) {
      Value blocks = KernelBuilder(b, loc).div(position, width);
      return bindIndex(emitter, blocks,
                       emitter.getSpace().simplify(size.ceilDiv(width))) *
             width;
    };
    Value outerValue = getOuter(b, loc, row, column);
    Value kValue = isA ? column : row;
    AffineExpr bi = bindIndex(emitter, batch[0], batchSize);
    AffineExpr oi = isAlongK ? bindIndex(emitter, outerValue, outerSize)
                             : bindFirst(outerValue, outerSize);
    AffineExpr ki =
        isAlongK ? bindFirst(kValue, kSize) : bindIndex(emitter, kValue, kSize);
    bindRow(bi, oi, b, loc, row);
    SmallVector<IndexVector> lanes;
    for (int64_t lane = 0; lane < width; ++lane)
      lanes.push_back(isAlongK ? indicesAt(bi, oi, ki + lane)
                               : indicesAt(bi, oi + lane, ki));
    SmallVector<Value> elements = getElements(loc, lanes);
    if (elements.empty())
      return Value();
    return vector::FromElementsOp::create(
        b, loc, VectorType::get({width}, access.elementType), elements);
  };
  return access;
}

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
  ColumnReader(GroupKernel &kernel, const Component &component,
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
  const Component &component;
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

static ContractionShape getShape(GroupOp group, const Component &component,
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
  FailureOr<SmallVector<Component, 1>> components =
      analyze(group, space, shapes);
  if (failed(components))
    return std::nullopt;
  // One schedule for all components: that of the largest, which must suit the
  // types of each.
  ContractionShape shape = getShape(group, components->front(), space);
  for (Component &component : *components) {
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
  Component &first = components->front();
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
  FailureOr<SmallVector<Component, 1>> components =
      analyze(kernel.group, space, shapes);
  if (failed(components))
    return kernel.group.emitError(
        "the contraction template cannot compute this "
        "group; give it the generic strategy");
  int64_t sharedBytes = 0;
  for (Component &component : *components) {
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
  for (Component &component : *components) {
    Extent extent{
        countIterations(space, component.loops.batch, component.bounds),
        countIterations(space, component.loops.m, component.bounds),
        countIterations(space, component.loops.n, component.bounds)};
    extents.push_back(extent);
    AffineExpr kSize =
        countIterations(space, component.loops.k, component.bounds);
    ContractionProblem problem;
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
    problem.a = makeAccess(kernel, component, first, 0, tileColumns,
                           rowValues ? &*rowValues : nullptr, schedule->tileM);
    for (linalg::LinalgOp hero : component.heroes)
      problem.b.push_back(makeAccess(kernel, component, hero, 1, tileColumns,
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
