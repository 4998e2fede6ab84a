//===- ElementEmitter.cpp - Code for single elements ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// Maps of one arity make element keys comparable as the space grows.
static constexpr unsigned kKeyDims = 1u << 16;

/// Bytes of a value of `type` in memory; 0 for types that are not loaded as
/// vectors.
static int64_t getByteWidth(Type type) {
  if (type.isInteger(1))
    return 0;
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth() / 8;
  return 0;
}

AffineExpr ElementEmitter::bindDim(Value value, AffineExpr bound) {
  AffineExpr dim = space.addDim(bound);
  dimValues[cast<AffineDimExpr>(dim).getPosition()] = value;
  return dim;
}

AffineExpr ElementEmitter::bindOpaqueDim(Value value) {
  AffineExpr dim = space.addOpaqueDim();
  dimValues[cast<AffineDimExpr>(dim).getPosition()] = value;
  return dim;
}

ElementEmitter::ElementKey ElementEmitter::keyOf(Value tensor,
                                                 ArrayRef<AffineExpr> indices) {
  return {tensor,
          AffineMap::get(kKeyDims, kKeyDims, indices, builder.getContext())};
}

void ElementEmitter::setElement(Value tensor, ArrayRef<AffineExpr> indices,
                                Value value) {
  ElementKey key = keyOf(tensor, indices);
  if (known.try_emplace(key, value).second)
    elementLog.push_back(key);
}

void ElementEmitter::rollBack(const Scope &scope) {
  while (elementLog.size() > scope.elementMark)
    known.erase(elementLog.pop_back_val());
  while (indexLog.size() > scope.indexMark)
    knownIndices.erase(indexLog.pop_back_val());
  while (vectorLog.size() > scope.vectorMark)
    knownVectors.erase(vectorLog.pop_back_val());
  while (scalarLog.size() > scope.scalarMark)
    scalars.erase(scalarLog.pop_back_val());
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value ElementEmitter::emitSize(const ShapeAnalysis::Size &size) {
  if (size.dim >= 0)
    return boundSizes.lookup({size.value, static_cast<unsigned>(size.dim)});
  Value value;
  // Only scalars of the region that is emitted are of use: bound ones, and what
  // is computed from them.
  if (!(value = scalars.lookup(size.value)))
    return nullptr;
  return value;
}

Value ElementEmitter::materializeSymbol(unsigned symbol) {
  ArrayRef<ShapeAnalysis::Size> sizes = shapes.getSizes(symbol);
  Value value;
  for (const ShapeAnalysis::Size &size : sizes)
    if ((value = emitSize(size)))
      break;
  // A scalar that is computed from sizes that it is part of is not known.
  if (!value && openSymbols.insert(symbol).second) {
    for (const ShapeAnalysis::Size &size : sizes)
      if (size.dim < 0 && !isa<BlockArgument>(size.value) &&
          (value = scalar(size.value)))
        break;
    openSymbols.erase(symbol);
  }
  if (!value) {
    emitError(loc) << "a dynamic size is not known inside the kernel; pass the "
                      "tensor that has it, or the size, to the group";
    return nullptr;
  }
  if (!value.getType().isIndex())
    value =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
  return value;
}

Value ElementEmitter::materialize(AffineExpr expr) {
  if (Value value = knownIndices.lookup(expr))
    return value;
  Value result;
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    result = arith::ConstantIndexOp::create(
        builder, loc, cast<AffineConstantExpr>(expr).getValue());
    break;
  case AffineExprKind::DimId:
    return dimValues.lookup(cast<AffineDimExpr>(expr).getPosition());
  case AffineExprKind::SymbolId:
    result = materializeSymbol(cast<AffineSymbolExpr>(expr).getPosition());
    break;
  default: {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    Value lhs = materialize(binary.getLHS()),
          rhs = materialize(binary.getRHS());
    if (!lhs || !rhs)
      return nullptr;
    // Indices are not negative, so that unsigned division is floor division
    // and cheaper; opaque dimensions alone may be negative.
    bool isSigned = false;
    binary.getLHS().walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        isSigned |= !space.getBound(dim.getPosition());
      if (auto constant = dyn_cast<AffineConstantExpr>(part))
        isSigned |= constant.getValue() < 0;
    });
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      result = arith::AddIOp::create(builder, loc, lhs, rhs,
                                     arith::IntegerOverflowFlags::nsw);
      break;
    case AffineExprKind::Mul:
      result = arith::MulIOp::create(builder, loc, lhs, rhs,
                                     arith::IntegerOverflowFlags::nsw);
      break;
    case AffineExprKind::FloorDiv:
      result =
          isSigned
              ? arith::FloorDivSIOp::create(builder, loc, lhs, rhs).getResult()
              : arith::DivUIOp::create(builder, loc, lhs, rhs).getResult();
      break;
    case AffineExprKind::Mod:
      if (isSigned) {
        Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
        Value whole = arith::MulIOp::create(builder, loc, quotient, rhs);
        result = arith::SubIOp::create(builder, loc, lhs, whole);
      } else {
        result = arith::RemUIOp::create(builder, loc, lhs, rhs);
      }
      break;
    default: {
      emitError(loc) << "index expression is not affine";
      return nullptr;
    }
    }
  }
  }
  if (result && knownIndices.try_emplace(expr, result).second)
    indexLog.push_back(expr);
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Splits off the constant addend.
static std::pair<AffineExpr, int64_t> splitConstant(AffineExpr expr) {
  MLIRContext *context = expr.getContext();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {getAffineConstantExpr(0, context), constant.getValue()};
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
      sum && sum.getKind() == AffineExprKind::Add) {
    auto [lhs, lhsConstant] = splitConstant(sum.getLHS());
    auto [rhs, rhsConstant] = splitConstant(sum.getRHS());
    return {lhs + rhs, lhsConstant + rhsConstant};
  }
  return {expr, 0};
}

LogicalResult ElementEmitter::load(Value tensor, Value buffer,
                                   ArrayRef<IndexVector> lanes,
                                   SmallVectorImpl<Value> &values) {
  SmallVector<AffineExpr> shape = shapes.getShape(tensor);
  Type element = getElementTypeOrSelf(buffer.getType());
  SmallVector<AffineExpr> offsets;
  for (const IndexVector &lane : lanes)
    offsets.push_back(space.linearize(lane, shape));
  // A vector load serves the lanes whose offsets share all but the constant,
  // where that rest is a multiple of the width.
  int64_t bytes = getByteWidth(element), width = 1;
  AffineExpr size = space.constant(1);
  for (AffineExpr dim : shape)
    size = size * dim;
  size = space.simplify(size);
  llvm::SmallDenseMap<AffineExpr, unsigned> sharers;
  if (bytes && maxLoadBytes > bytes && lanes.size() > 1) {
    llvm::SmallDenseSet<AffineExpr> distinct;
    for (AffineExpr offset : offsets)
      if (distinct.insert(offset).second)
        ++sharers[space.simplify(splitConstant(offset).first)];
    width =
        std::min<int64_t>(maxLoadBytes / bytes, llvm::bit_floor(lanes.size()));
  }
  for (AffineExpr offset : offsets) {
    auto [rest, addend] = splitConstant(offset);
    rest = space.simplify(rest);
    int64_t w = width;
    if (auto it = sharers.find(rest); it == sharers.end())
      w = 1;
    else
      w = std::min<int64_t>(w, llvm::bit_floor(it->second));
    w = std::min(w, space.getPowerOfTwoDivisor(rest, w));
    w = std::min(w, space.getPowerOfTwoDivisor(size, w));
    if (addend < 0)
      w = 1;
    if (w <= 1) {
      Value index = materialize(offset);
      if (!index)
        return failure();
      auto key = std::make_pair(buffer, offset);
      Value loaded = knownVectors.lookup(key);
      if (!loaded) {
        loaded = memref::LoadOp::create(builder, loc, buffer, index);
        knownVectors[key] = loaded;
        vectorLog.push_back(key);
      }
      values.push_back(loaded);
      continue;
    }
    AffineExpr start = space.simplify(rest + addend / w * w);
    // The key of a vector is its start, told apart from scalars by the width.
    auto key = std::make_pair(
        buffer, start + getAffineSymbolExpr(kKeyDims + w, space.getContext()));
    Value vector = knownVectors.lookup(key);
    if (!vector) {
      Value index = materialize(start);
      if (!index)
        return failure();
      vector = vector::LoadOp::create(
          builder, loc, VectorType::get({w}, element), buffer,
          ValueRange{index}, /*nontemporal=*/false,
          llvm::MaybeAlign(static_cast<uint64_t>(w * bytes)));
      knownVectors[key] = vector;
      vectorLog.push_back(key);
    }
    values.push_back(
        vector::ExtractOp::create(builder, loc, vector, addend % w));
  }
  return success();
}

SmallVector<Value> ElementEmitter::elements(Value tensor,
                                            ArrayRef<IndexVector> lanes) {
  // Emit what is not known, each distinct element once.
  SmallVector<IndexVector> missing;
  llvm::SmallDenseSet<AffineMap> requested;
  for (const IndexVector &lane : lanes)
    if (ElementKey key = keyOf(tensor, lane);
        !known.contains(key) && requested.insert(key.second).second)
      missing.push_back(lane);
  if (!missing.empty()) {
    SmallVector<Value> values;
    if (auto reader = readers.find(tensor); reader != readers.end()) {
      // A copy: what it reads may bind others.
      ElementsFn read = reader->second;
      values = read(missing);
      if (values.empty())
        return {};
    } else if (Value buffer = buffers.lookup(tensor)) {
      if (failed(load(tensor, buffer, missing, values)))
        return {};
    } else if (auto result = dyn_cast<OpResult>(tensor)) {
      auto fusible = dyn_cast<FusibleOpInterface>(result.getOwner());
      if (!fusible) {
        result.getOwner()->emitError(
            "operation cannot be part of a kernel: it does not implement "
            "FusibleOpInterface");
        return {};
      }
      if (failed(fusible.emitElements(*this, result.getResultNumber(), missing,
                                      values)))
        return {};
    } else {
      // An output that is not read before it is written.
      Type type = getElementTypeOrSelf(tensor.getType());
      values.assign(missing.size(),
                    ub::PoisonOp::create(builder, loc, type).getResult());
    }
    for (auto [lane, value] : llvm::zip_equal(missing, values))
      setElement(tensor, lane, value);
  }
  SmallVector<Value> result;
  for (const IndexVector &lane : lanes)
    result.push_back(known.lookup(keyOf(tensor, lane)));
  return result;
}

Value ElementEmitter::element(Value tensor, ArrayRef<AffineExpr> indices) {
  SmallVector<Value> values = elements(tensor, {IndexVector(indices)});
  return values.empty() ? Value() : values.front();
}

//===----------------------------------------------------------------------===//
// Scalars and bodies
//===----------------------------------------------------------------------===//

Value ElementEmitter::scalar(Value value) {
  if (Value bound = scalars.lookup(value))
    return bound;
  auto remember = [&](Value emitted) {
    if (emitted && scalars.try_emplace(value, emitted).second)
      scalarLog.push_back(value);
    return emitted;
  };
  Operation *op = value.getDefiningOp();
  if (!op) {
    emitError(loc) << "a scalar is not known inside the kernel";
    return nullptr;
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return remember(
          materialize(space.simplify(shapes.getDim(dim.getSource(), *index))));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    IndexVector indices;
    for (Value index : extract.getIndices()) {
      if (std::optional<int64_t> constant = getConstantIntValue(index)) {
        indices.push_back(space.constant(*constant));
        continue;
      }
      Value emitted = scalar(index);
      if (!emitted)
        return nullptr;
      indices.push_back(bindOpaqueDim(emitted));
    }
    return remember(element(extract.getTensor(), indices));
  }
  if (op->getNumRegions() || !isMemoryEffectFree(op)) {
    op->emitError("operation cannot compute a scalar inside a kernel");
    return nullptr;
  }
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value emitted = scalar(operand);
    if (!emitted)
      return nullptr;
    mapping.map(operand, emitted);
  }
  Operation *clone = builder.clone(*op, mapping);
  for (auto [original, cloned] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    if (scalars.try_emplace(original, cloned).second)
      scalarLog.push_back(original);
  return scalars.lookup(value);
}

LogicalResult ElementEmitter::inlineBody(Block &block, IRMapping &mapping,
                                         ArrayRef<AffineExpr> indices,
                                         SmallVectorImpl<Value> &results) {
  // A value is mapped, defined outside the body, or a constant beside it.
  auto lookup = [&](Value value) -> Value {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    return scalar(value);
  };
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (Value operand : op.getOperands()) {
        Value value = lookup(operand);
        if (!value)
          return failure();
        results.push_back(value);
      }
      return success();
    }
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      Value value = materialize(space.simplify(indices[index.getDim()]));
      if (!value)
        return failure();
      mapping.map(index.getResult(), value);
      continue;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      IndexVector at;
      for (Value operand : extract.getIndices()) {
        if (std::optional<int64_t> constant = getConstantIntValue(operand)) {
          at.push_back(space.constant(*constant));
          continue;
        }
        if (auto index = operand.getDefiningOp<linalg::IndexOp>()) {
          at.push_back(indices[index.getDim()]);
          continue;
        }
        Value value = lookup(operand);
        if (!value)
          return failure();
        at.push_back(bindOpaqueDim(value));
      }
      Value value = element(extract.getTensor(), at);
      if (!value)
        return failure();
      mapping.map(extract.getResult(), value);
      continue;
    }
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      Value value = scalar(dim.getResult());
      if (!value)
        return failure();
      mapping.map(dim.getResult(), value);
      continue;
    }
    for (Value operand : op.getOperands()) {
      Value value = lookup(operand);
      if (!value)
        return failure();
      mapping.map(operand, value);
    }
    if (op.getNumRegions() == 0) {
      builder.clone(op, mapping);
      continue;
    }
    // scf.if and the like: the same, region by region.
    Operation *clone = op.cloneWithoutRegions(mapping);
    builder.insert(clone);
    for (auto [result, cloned] :
         llvm::zip_equal(op.getResults(), clone->getResults()))
      mapping.map(result, cloned);
    for (auto [region, target] :
         llvm::zip_equal(op.getRegions(), clone->getRegions())) {
      if (region.empty())
        continue;
      if (!region.hasOneBlock())
        return op.emitError("a body with unstructured control flow cannot be "
                            "part of a kernel");
      Block &nested = region.front();
      OpBuilder::InsertionGuard guard(builder);
      Block *block = builder.createBlock(&target);
      for (BlockArgument argument : nested.getArguments())
        mapping.map(argument,
                    block->addArgument(argument.getType(), argument.getLoc()));
      builder.setInsertionPointToEnd(block);
      Scope scope(*this);
      SmallVector<Value> yielded;
      if (failed(inlineBody(nested, mapping, indices, yielded)))
        return failure();
      Operation *terminator = nested.getTerminator()->clone();
      terminator->setOperands(yielded);
      builder.insert(terminator);
    }
  }
  return success();
}
