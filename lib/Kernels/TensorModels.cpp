//===- TensorModels.cpp - FusibleOpInterface for tensor -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusibleOpModels.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// An offset, size or stride as an affine expression.
static AffineExpr toExpr(OpFoldResult value, IndexSpace &space,
                         ShapeAnalysis &shapes) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return space.constant(*constant);
  return shapes.getScalar(cast<Value>(value));
}

/// The `chosen` ones of `lanes`.
static SmallVector<IndexVector> choose(ArrayRef<IndexVector> lanes,
                                       ArrayRef<unsigned> chosen) {
  SmallVector<IndexVector> indices;
  for (unsigned lane : chosen)
    indices.push_back(lanes[lane]);
  return indices;
}

/// Appends the elements of `tensor` at `lanes` to `values`.
static LogicalResult appendElements(ElementEmitter &emitter, Value tensor,
                                    ArrayRef<IndexVector> lanes,
                                    SmallVectorImpl<Value> &values) {
  SmallVector<Value> elements = emitter.elements(tensor, lanes);
  llvm::append_range(values, elements);
  return success(!elements.empty());
}

namespace {

//===----------------------------------------------------------------------===//
// Views: the element of the result is one element of the operand
//===----------------------------------------------------------------------===//

/// `ConcreteModel::pull` maps result indices to operand indices and
/// `ConcreteModel::push` back.
template <typename ConcreteModel, typename OpT>
class ViewModel : public FusibleOpInterface::ExternalModel<ConcreteModel, OpT> {
  friend ConcreteModel;
  ViewModel() = default;

public:
  FusionRole getFusionRole(Operation *) const { return FusionRole::View; }

  FailureOr<IndexVector> getOperandIndices(Operation *op, IndexSpace &space,
                                           ShapeAnalysis &shapes,
                                           OpOperand &operand, unsigned,
                                           ArrayRef<AffineExpr> indices) const {
    if (operand.getOperandNumber() != 0)
      return failure();
    return ConcreteModel::pull(cast<OpT>(op), space, shapes, indices);
  }

  FailureOr<IndexVector> getResultIndices(Operation *op, IndexSpace &space,
                                          ShapeAnalysis &shapes,
                                          OpOperand &operand, unsigned,
                                          ArrayRef<AffineExpr> indices) const {
    if (operand.getOperandNumber() != 0)
      return failure();
    return ConcreteModel::push(cast<OpT>(op), space, shapes, indices);
  }

  LogicalResult emitElements(Operation *op, ElementEmitter &emitter, unsigned,
                             ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    SmallVector<IndexVector> sources;
    for (const IndexVector &lane : lanes) {
      FailureOr<IndexVector> source = ConcreteModel::pull(
          cast<OpT>(op), emitter.getSpace(), emitter.getShapes(), lane);
      if (failed(source))
        return op->emitError("view is not understood inside a kernel");
      sources.push_back(*source);
    }
    return appendElements(emitter, op->getOperand(0), sources, values);
  }
};

/// Indices of a shape whose dimension groups `reassociation` merge.
static IndexVector merge(IndexSpace &space,
                         ArrayRef<ReassociationIndices> reassociation,
                         ArrayRef<AffineExpr> fine,
                         ArrayRef<AffineExpr> fineShape) {
  IndexVector coarse;
  for (const ReassociationIndices &group : reassociation) {
    AffineExpr linear = space.constant(0);
    for (int64_t dim : group)
      linear = linear * fineShape[dim] + fine[dim];
    coarse.push_back(space.simplify(linear));
  }
  return coarse;
}

static IndexVector split(IndexSpace &space,
                         ArrayRef<ReassociationIndices> reassociation,
                         ArrayRef<AffineExpr> coarse,
                         ArrayRef<AffineExpr> fineShape) {
  IndexVector fine(fineShape.size());
  for (auto [group, index] : llvm::zip_equal(reassociation, coarse)) {
    SmallVector<AffineExpr> shape;
    for (int64_t dim : group)
      shape.push_back(fineShape[dim]);
    SmallVector<AffineExpr> indices = space.delinearize(index, shape);
    for (auto [dim, i] : llvm::zip_equal(group, indices))
      fine[dim] = i;
  }
  // A tensor of rank 0 expands to ones.
  for (AffineExpr &index : fine)
    if (!index)
      index = space.constant(0);
  return fine;
}

struct ExpandShapeModel : ViewModel<ExpandShapeModel, tensor::ExpandShapeOp> {
  static FailureOr<IndexVector> pull(tensor::ExpandShapeOp op,
                                     IndexSpace &space, ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    return merge(space, op.getReassociationIndices(), indices,
                 shapes.getShape(op.getResult()));
  }
  static FailureOr<IndexVector> push(tensor::ExpandShapeOp op,
                                     IndexSpace &space, ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    return split(space, op.getReassociationIndices(), indices,
                 shapes.getShape(op.getResult()));
  }
};

struct CollapseShapeModel
    : ViewModel<CollapseShapeModel, tensor::CollapseShapeOp> {
  static FailureOr<IndexVector> pull(tensor::CollapseShapeOp op,
                                     IndexSpace &space, ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    return split(space, op.getReassociationIndices(), indices,
                 shapes.getShape(op.getSrc()));
  }
  static FailureOr<IndexVector> push(tensor::CollapseShapeOp op,
                                     IndexSpace &space, ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    return merge(space, op.getReassociationIndices(), indices,
                 shapes.getShape(op.getSrc()));
  }
};

struct ReshapeModel : ViewModel<ReshapeModel, tensor::ReshapeOp> {
  static FailureOr<IndexVector> pull(tensor::ReshapeOp op, IndexSpace &space,
                                     ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    return IndexVector(space.delinearize(
        space.linearize(indices, shapes.getShape(op.getResult())),
        shapes.getShape(op.getSource())));
  }
  static FailureOr<IndexVector> push(tensor::ReshapeOp op, IndexSpace &space,
                                     ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    return IndexVector(space.delinearize(
        space.linearize(indices, shapes.getShape(op.getSource())),
        shapes.getShape(op.getResult())));
  }
};

struct CastModel : ViewModel<CastModel, tensor::CastOp> {
  static FailureOr<IndexVector> pull(tensor::CastOp op, IndexSpace &,
                                     ShapeAnalysis &,
                                     ArrayRef<AffineExpr> indices) {
    return IndexVector(indices);
  }
  static FailureOr<IndexVector> push(tensor::CastOp op, IndexSpace &,
                                     ShapeAnalysis &,
                                     ArrayRef<AffineExpr> indices) {
    return IndexVector(indices);
  }
};

struct ExtractSliceModel
    : ViewModel<ExtractSliceModel, tensor::ExtractSliceOp> {
  static FailureOr<IndexVector> pull(tensor::ExtractSliceOp op,
                                     IndexSpace &space, ShapeAnalysis &shapes,
                                     ArrayRef<AffineExpr> indices) {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    IndexVector source;
    unsigned next = 0;
    for (auto [i, offset] : llvm::enumerate(op.getMixedOffsets())) {
      AffineExpr index = toExpr(offset, space, shapes);
      if (!dropped.test(i))
        index = index + indices[next++] *
                            toExpr(op.getMixedStrides()[i], space, shapes);
      source.push_back(space.simplify(index));
    }
    return source;
  }
  static FailureOr<IndexVector> push(tensor::ExtractSliceOp, IndexSpace &,
                                     ShapeAnalysis &, ArrayRef<AffineExpr>) {
    // Elements outside the slice have no place in the result.
    return failure();
  }
};

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

struct EmptyModel
    : FusibleOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  FusionRole getFusionRole(Operation *) const { return FusionRole::Source; }
  LogicalResult emitElements(Operation *op, ElementEmitter &emitter, unsigned,
                             ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    Value poison = ub::PoisonOp::create(
        emitter.getBuilder(), emitter.getLoc(),
        cast<tensor::EmptyOp>(op).getType().getElementType());
    values.append(lanes.size(), poison);
    return success();
  }
};

struct ConstantModel
    : FusibleOpInterface::ExternalModel<ConstantModel, arith::ConstantOp> {
  FusionRole getFusionRole(Operation *op) const {
    // A constant table is memory; a scalar or a splat is made on the spot.
    auto elements =
        dyn_cast<ElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    return !elements || elements.isSplat() ? FusionRole::Source
                                           : FusionRole::Barrier;
  }
  LogicalResult emitElements(Operation *op, ElementEmitter &emitter, unsigned,
                             ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    auto elements =
        dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    if (!elements || !elements.isSplat())
      return op->emitError("a constant that is no splat must be an operand of "
                           "the group");
    Value value =
        arith::ConstantOp::create(emitter.getBuilder(), emitter.getLoc(),
                                  elements.getSplatValue<TypedAttr>());
    values.append(lanes.size(), value);
    return success();
  }
};

struct SplatModel
    : FusibleOpInterface::ExternalModel<SplatModel, tensor::SplatOp> {
  FusionRole getFusionRole(Operation *) const { return FusionRole::Source; }
  LogicalResult emitElements(Operation *op, ElementEmitter &emitter, unsigned,
                             ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    Value value = emitter.scalar(cast<tensor::SplatOp>(op).getInput());
    if (!value)
      return failure();
    values.append(lanes.size(), value);
    return success();
  }
};

struct FromElementsModel
    : FusibleOpInterface::ExternalModel<FromElementsModel,
                                        tensor::FromElementsOp> {
  FusionRole getFusionRole(Operation *) const { return FusionRole::Source; }
  LogicalResult emitElements(Operation *op, ElementEmitter &emitter, unsigned,
                             ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    auto fromElements = cast<tensor::FromElementsOp>(op);
    OpBuilder &builder = emitter.getBuilder();
    Location loc = emitter.getLoc();
    SmallVector<AffineExpr> shape =
        emitter.getShapes().getShape(fromElements.getResult());
    SmallVector<Value> elements;
    for (Value element : fromElements.getElements()) {
      Value value = emitter.scalar(element);
      if (!value)
        return failure();
      elements.push_back(value);
    }
    for (const IndexVector &lane : lanes) {
      AffineExpr linear = emitter.getSpace().linearize(lane, shape);
      if (auto constant = dyn_cast<AffineConstantExpr>(linear)) {
        values.push_back(elements[constant.getValue()]);
        continue;
      }
      Value index = emitter.materialize(linear), result = elements.back();
      if (!index)
        return failure();
      for (size_t i = elements.size() - 1; i-- > 0;) {
        Value position = arith::ConstantIndexOp::create(builder, loc, i);
        Value isHere = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, index, position);
        result =
            arith::SelectOp::create(builder, loc, isHere, elements[i], result);
      }
      values.push_back(result);
    }
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Piecewise: which operand an element comes from depends on its index
//===----------------------------------------------------------------------===//

/// Emits `inside` where all `conditions` (pairs: index, bound; index must be in
/// [0, bound)) hold and `outside` elsewhere. Lanes whose condition is the same
/// expression, or follows from a shared multiple, share the branch.
static LogicalResult emitPiecewise(
    ElementEmitter &emitter, Type element,
    ArrayRef<SmallVector<std::pair<AffineExpr, AffineExpr>>> conditions,
    function_ref<LogicalResult(ArrayRef<unsigned>, SmallVectorImpl<Value> &)>
        inside,
    function_ref<LogicalResult(ArrayRef<unsigned>, SmallVectorImpl<Value> &)>
        outside,
    SmallVectorImpl<Value> &values) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  IndexSpace &space = emitter.getSpace();
  size_t numLanes = conditions.size();
  values.assign(numLanes, Value());

  // Reduce each lane's condition to the comparisons that are not decided.
  // `index >= 0` is written as 0 <= index, `index < bound`; an index of the
  // form rest + c with rest a multiple of m, and c < m, compares like rest
  // where the bound is a multiple of m.
  struct Comparison {
    bool isLower; // 0 <= index, else index < bound
    AffineExpr index, bound;
    bool operator==(const Comparison &o) const {
      return isLower == o.isLower && index == o.index && bound == o.bound;
    }
  };
  SmallVector<SmallVector<Comparison>> open(numLanes);
  SmallVector<unsigned> never, always;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    bool impossible = false;
    for (const auto &condition : conditions[lane]) {
      AffineExpr index = space.simplify(condition.first);
      AffineExpr bound = condition.second;
      if (space.isWithin(index, bound))
        continue;
      // Decided against: index >= bound, or index < 0.
      AffineExpr above = space.simplify(index - bound);
      AffineExpr below = space.simplify(-index - 1);
      AffineExpr huge = space.constant(int64_t(1) << 40);
      if (space.isWithin(above, huge) || space.isWithin(below, huge)) {
        impossible = true;
        break;
      }
      auto canonical = [&](AffineExpr expr) {
        // Drop c from rest + c where the comparison does not see it.
        int64_t constant = 0;
        AffineExpr rest = expr;
        if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
            sum && sum.getKind() == AffineExprKind::Add) {
          SmallVector<AffineExpr> terms{sum.getLHS(), sum.getRHS()};
          for (unsigned i : {0u, 1u})
            if (auto c = dyn_cast<AffineConstantExpr>(terms[i])) {
              constant = c.getValue();
              rest = terms[1 - i];
            }
        }
        int64_t multiple = std::min(space.getPowerOfTwoDivisor(rest, 64),
                                    space.getPowerOfTwoDivisor(bound, 64));
        int64_t floor =
            constant >= 0 ? constant / multiple * multiple
                          : -((-constant + multiple - 1) / multiple) * multiple;
        return space.simplify(rest + floor);
      };
      AffineExpr compared = canonical(index);
      AffineExpr zero = space.constant(0);
      if (!space.isWithin(index, space.constant(int64_t(1) << 40)))
        open[lane].push_back({true, compared, zero});
      open[lane].push_back({false, compared, bound});
    }
    if (impossible)
      never.push_back(lane);
    else if (open[lane].empty())
      always.push_back(lane);
  }
  auto place = [&](ArrayRef<unsigned> lanes, ValueRange results) {
    for (auto [lane, value] : llvm::zip_equal(lanes, results))
      values[lane] = value;
  };
  for (auto [lanes, emit] :
       {std::make_pair(&never, outside), std::make_pair(&always, inside)}) {
    if (lanes->empty())
      continue;
    SmallVector<Value> results;
    if (failed(emit(*lanes, results)))
      return failure();
    place(*lanes, results);
  }
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    if (values[lane])
      continue;
    SmallVector<unsigned> together;
    for (unsigned other = lane; other < numLanes; ++other)
      if (!values[other] && !llvm::is_contained(never, other) &&
          !llvm::is_contained(always, other) && open[other] == open[lane])
        together.push_back(other);
    Value condition;
    for (const Comparison &comparison : open[lane]) {
      Value index = emitter.materialize(comparison.index);
      Value bound = emitter.materialize(comparison.isLower
                                            ? comparison.bound
                                            : space.simplify(comparison.bound));
      if (!index || !bound)
        return failure();
      Value holds =
          arith::CmpIOp::create(builder, loc,
                                comparison.isLower ? arith::CmpIPredicate::sge
                                                   : arith::CmpIPredicate::slt,
                                index, bound);
      condition = condition
                      ? arith::AndIOp::create(builder, loc, condition, holds)
                            .getResult()
                      : holds;
    }
    SmallVector<Type> types(together.size(), element);
    auto branch = scf::IfOp::create(builder, loc, types, condition,
                                    /*withElseRegion=*/true);
    for (auto [block, emit] : {std::make_pair(branch.thenBlock(), inside),
                               std::make_pair(branch.elseBlock(), outside)}) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(block);
      ElementEmitter::Scope scope(emitter);
      SmallVector<Value> results;
      if (failed(emit(together, results)))
        return failure();
      scf::YieldOp::create(builder, loc, results);
    }
    place(together, branch.getResults());
  }
  return success();
}

struct ConcatModel
    : FusibleOpInterface::ExternalModel<ConcatModel, tensor::ConcatOp> {
  FusionRole getFusionRole(Operation *) const {
    return FusionRole::Elementwise;
  }
  LogicalResult emitElements(Operation *op, ElementEmitter &emitter, unsigned,
                             ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    SmallVector<IndexVector> at(lanes);
    return emitFrom(cast<tensor::ConcatOp>(op), emitter, 0,
                    emitter.getSpace().constant(0), at, values);
  }
  FailureOr<IndexVector> getPickedIndices(Operation *operation,
                                          IndexSpace &space,
                                          ShapeAnalysis &shapes,
                                          OpOperand &operand, unsigned,
                                          ArrayRef<AffineExpr> indices) const {
    auto op = cast<tensor::ConcatOp>(operation);
    uint64_t dim = op.getDim();
    AffineExpr start = space.constant(0);
    for (Value before : op.getInputs().take_front(operand.getOperandNumber()))
      start = start + shapes.getDim(before, dim);
    IndexVector picked(indices);
    AffineExpr size = shapes.getDim(operand.get(), dim);
    AffineExpr index = space.simplify(indices[dim] - start);
    picked[dim] =
        space.isWithin(index, size) ? index : space.narrow(index, size);
    return picked;
  }

private:
  /// Operands `first` and later; they begin at `start` of the dimension.
  static LogicalResult emitFrom(tensor::ConcatOp op, ElementEmitter &emitter,
                                unsigned first, AffineExpr start,
                                ArrayRef<IndexVector> lanes,
                                SmallVectorImpl<Value> &values) {
    IndexSpace &space = emitter.getSpace();
    uint64_t dim = op.getDim();
    Value input = op.getInputs()[first];
    SmallVector<IndexVector> sources(lanes);
    for (IndexVector &source : sources)
      source[dim] = space.simplify(source[dim] - start);
    if (first + 1 == op.getInputs().size())
      return appendElements(emitter, input, sources, values);
    AffineExpr size = emitter.getShapes().getDim(input, dim);
    AffineExpr end = space.simplify(start + size);
    SmallVector<SmallVector<std::pair<AffineExpr, AffineExpr>>> conditions;
    for (const IndexVector &lane : lanes)
      conditions.push_back({{lane[dim], end}});
    return emitPiecewise(
        emitter, op.getResultType().getElementType(), conditions,
        [&](ArrayRef<unsigned> chosen, SmallVectorImpl<Value> &results) {
          return appendElements(emitter, input, choose(sources, chosen),
                                results);
        },
        [&](ArrayRef<unsigned> chosen, SmallVectorImpl<Value> &results) {
          return emitFrom(op, emitter, first + 1, end, choose(lanes, chosen),
                          results);
        },
        values);
  }
};

struct InsertSliceModel
    : FusibleOpInterface::ExternalModel<InsertSliceModel,
                                        tensor::InsertSliceOp> {
  FusionRole getFusionRole(Operation *) const { return FusionRole::Update; }
  LogicalResult emitElements(Operation *operation, ElementEmitter &emitter,
                             unsigned, ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    auto op = cast<tensor::InsertSliceOp>(operation);
    IndexSpace &space = emitter.getSpace();
    ShapeAnalysis &shapes = emitter.getShapes();
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<SmallVector<std::pair<AffineExpr, AffineExpr>>> conditions;
    SmallVector<IndexVector> sources;
    for (const IndexVector &lane : lanes) {
      auto &condition = conditions.emplace_back();
      IndexVector &source = sources.emplace_back();
      for (auto [i, index] : llvm::enumerate(lane)) {
        AffineExpr offset = toExpr(op.getMixedOffsets()[i], space, shapes);
        AffineExpr size = toExpr(op.getMixedSizes()[i], space, shapes);
        AffineExpr stride = toExpr(op.getMixedStrides()[i], space, shapes);
        AffineExpr relative = space.simplify(index - offset);
        if (stride != space.constant(1)) {
          // Strided: the remainder must be zero, too.
          condition.push_back(
              {space.simplify(relative % stride), space.constant(1)});
          condition.push_back({relative, space.simplify(size * stride)});
          relative = space.simplify(relative.floorDiv(stride));
        } else {
          condition.push_back({relative, size});
        }
        if (!dropped.test(i))
          source.push_back(relative);
      }
    }
    return emitPiecewise(
        emitter, op.getDestType().getElementType(), conditions,
        [&](ArrayRef<unsigned> chosen, SmallVectorImpl<Value> &results) {
          return appendElements(emitter, op.getSource(),
                                choose(sources, chosen), results);
        },
        [&](ArrayRef<unsigned> chosen, SmallVectorImpl<Value> &results) {
          return appendElements(emitter, op.getDest(), choose(lanes, chosen),
                                results);
        },
        values);
  }
};

struct PadModel : FusibleOpInterface::ExternalModel<PadModel, tensor::PadOp> {
  FusionRole getFusionRole(Operation *) const {
    return FusionRole::Elementwise;
  }
  LogicalResult emitElements(Operation *operation, ElementEmitter &emitter,
                             unsigned, ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    auto op = cast<tensor::PadOp>(operation);
    IndexSpace &space = emitter.getSpace();
    ShapeAnalysis &shapes = emitter.getShapes();
    SmallVector<AffineExpr> shape = shapes.getShape(op.getSource());
    SmallVector<SmallVector<std::pair<AffineExpr, AffineExpr>>> conditions;
    SmallVector<IndexVector> sources;
    for (const IndexVector &lane : lanes) {
      auto &condition = conditions.emplace_back();
      IndexVector &source = sources.emplace_back();
      for (auto [i, index] : llvm::enumerate(lane)) {
        AffineExpr low = toExpr(op.getMixedLowPad()[i], space, shapes);
        source.push_back(space.simplify(index - low));
        condition.push_back({source.back(), shape[i]});
      }
    }
    return emitPiecewise(
        emitter, op.getResultType().getElementType(), conditions,
        [&](ArrayRef<unsigned> chosen, SmallVectorImpl<Value> &results) {
          return appendElements(emitter, op.getSource(),
                                choose(sources, chosen), results);
        },
        [&](ArrayRef<unsigned> chosen,
            SmallVectorImpl<Value> &results) -> LogicalResult {
          for (unsigned lane : chosen) {
            IRMapping mapping;
            Block &body = op.getRegion().front();
            for (auto [argument, index] :
                 llvm::zip_equal(body.getArguments(), lanes[lane])) {
              Value value = emitter.materialize(index);
              if (!value)
                return failure();
              mapping.map(argument, value);
            }
            if (failed(emitter.inlineBody(body, mapping, lanes[lane], results)))
              return failure();
          }
          return success();
        },
        values);
  }
};

/// Attention is a hero: the attention kernel computes it, never one element.
struct AttentionModel
    : FusibleOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  FusionRole getFusionRole(Operation *) const { return FusionRole::Attention; }
  LogicalResult emitElements(Operation *op, ElementEmitter &, unsigned,
                             ArrayRef<IndexVector>,
                             SmallVectorImpl<Value> &) const {
    return op->emitError("attention cannot be computed element by element; its "
                         "group needs the attention strategy");
  }
};

} // namespace

void fusion::attachTensorModels(MLIRContext *context) {
  tensor::ExpandShapeOp::attachInterface<ExpandShapeModel>(*context);
  tensor::CollapseShapeOp::attachInterface<CollapseShapeModel>(*context);
  tensor::ReshapeOp::attachInterface<ReshapeModel>(*context);
  tensor::CastOp::attachInterface<CastModel>(*context);
  tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
  tensor::EmptyOp::attachInterface<EmptyModel>(*context);
  arith::ConstantOp::attachInterface<ConstantModel>(*context);
  tensor::SplatOp::attachInterface<SplatModel>(*context);
  tensor::FromElementsOp::attachInterface<FromElementsModel>(*context);
  tensor::ConcatOp::attachInterface<ConcatModel>(*context);
  tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
  tensor::PadOp::attachInterface<PadModel>(*context);
  AttentionOp::attachInterface<AttentionModel>(*context);
}

void fusion::registerFusibleOpExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachLinalgModels(context);
  });
  registry.addExtension(+[](MLIRContext *context, FusionDialect *,
                            tensor::TensorDialect *, arith::ArithDialect *,
                            ub::UBDialect *) { attachTensorModels(context); });
}
