//===- ShapeAnalysis.cpp - Symbolic sizes of tensors ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/ShapeAnalysis.h"
#include "fusion/IR/Fusion.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

ShapeAnalysis::ShapeAnalysis(Operation *root) : context(root->getContext()) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

ShapeAnalysis::Key ShapeAnalysis::keyOf(Value value, int64_t dim) {
  return {value.getAsOpaquePointer(), dim};
}

unsigned ShapeAnalysis::idOf(Key key) {
  auto [it, inserted] = ids.try_emplace(key, parents.size());
  if (inserted) {
    unsigned id = parents.size();
    parents.push_back(id);
    sizes.push_back({Value::getFromOpaquePointer(key.first), key.second});
    members[id].push_back(sizes.back());
    // An integer constant is its own size.
    if (key.second < 0)
      if (std::optional<int64_t> value =
              getConstantIntValue(sizes.back().value))
        constants[id] = *value;
  }
  return it->second;
}

unsigned ShapeAnalysis::find(unsigned id) {
  while (parents[id] != id)
    id = parents[id] = parents[parents[id]];
  return id;
}

void ShapeAnalysis::unite(Key a, Key b) {
  unsigned rootA = find(idOf(a)), rootB = find(idOf(b));
  if (rootA == rootB)
    return;
  if (rootB < rootA)
    std::swap(rootA, rootB);
  parents[rootB] = rootA;
  if (auto it = constants.find(rootB); it != constants.end())
    constants.try_emplace(rootA, it->second);
  if (auto it = definitions.find(rootB); it != definitions.end())
    definitions.try_emplace(rootA, it->second);
  SmallVector<Size> moved = std::move(members[rootB]);
  members.erase(rootB);
  llvm::append_range(members[rootA], moved);
}

void ShapeAnalysis::setConstant(Key key, int64_t value) {
  constants.try_emplace(find(idOf(key)), value);
}

void ShapeAnalysis::define(Key key, Definition definition) {
  definitions.try_emplace(find(idOf(key)), std::move(definition));
}

void ShapeAnalysis::uniteDims(Value a, unsigned dimA, Value b, unsigned dimB) {
  auto typeA = cast<ShapedType>(a.getType()),
       typeB = cast<ShapedType>(b.getType());
  bool dynamicA = typeA.isDynamicDim(dimA), dynamicB = typeB.isDynamicDim(dimB);
  if (dynamicA && dynamicB)
    unite(keyOf(a, dimA), keyOf(b, dimB));
  else if (dynamicA)
    setConstant(keyOf(a, dimA), typeB.getDimSize(dimB));
  else if (dynamicB)
    setConstant(keyOf(b, dimB), typeA.getDimSize(dimA));
}

void ShapeAnalysis::uniteWithFold(Value tensor, unsigned dim,
                                  OpFoldResult size) {
  if (!cast<ShapedType>(tensor.getType()).isDynamicDim(dim))
    return;
  if (auto value = dyn_cast<Value>(size))
    unite(keyOf(tensor, dim), keyOf(value, -1));
  else if (std::optional<int64_t> constant = getConstantIntValue(size))
    setConstant(keyOf(tensor, dim), *constant);
}

void ShapeAnalysis::addOperand(Definition &definition, Value tensor,
                               unsigned dim) {
  auto type = cast<ShapedType>(tensor.getType());
  if (type.isDynamicDim(dim))
    definition.operands.push_back(keyOf(tensor, dim));
  else
    definition.constants.push_back(type.getDimSize(dim));
}

void ShapeAnalysis::visit(Operation *op) {
  // Destination-passing style: a result has the shape of its init.
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      if (isa<RankedTensorType>(result.getType())) {
        Value init = dps.getTiedOpOperand(result)->get();
        for (int64_t i = 0, e = cast<ShapedType>(init.getType()).getRank();
             i < e; ++i)
          uniteDims(result, i, init, i);
      }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    SmallVector<std::pair<Value, unsigned>> first(linalgOp.getNumLoops());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<ShapedType>(operand.get().getType()))
        continue;
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (!dim)
          continue;
        auto &known = first[dim.getPosition()];
        if (!known.first)
          known = {operand.get(), static_cast<unsigned>(i)};
        else
          uniteDims(known.first, known.second, operand.get(), i);
      }
    }
    return;
  }
  TypeSwitch<Operation *>(op)
      .Case([&](GroupOp group) {
        for (auto [operand, argument] :
             llvm::zip(group.getOperands(), group.getBody().getArguments())) {
          if (auto type = dyn_cast<ShapedType>(argument.getType()))
            for (int64_t i = 0; i < type.getRank(); ++i)
              uniteDims(operand, i, argument, i);
          else if (argument.getType().isIntOrIndex())
            unite(keyOf(operand, -1), keyOf(argument, -1));
        }
        for (auto [index, yielded] : llvm::enumerate(group.getYielded()))
          for (int64_t i = 0, e = cast<ShapedType>(yielded.getType()).getRank();
               i < e; ++i)
            uniteDims(group.getOutputArgument(index), i, yielded, i);
      })
      .Case([&](AttentionOp attention) {
        unsigned numDims = attention.getQueryMap().getNumDims();
        SmallVector<std::pair<Value, unsigned>> first(numDims);
        for (auto [tensor, map] : attention.getTensorOperands())
          for (auto [i, expr] : llvm::enumerate(map.getResults()))
            if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
              auto &known = first[dim.getPosition()];
              if (!known.first)
                known = {tensor, static_cast<unsigned>(i)};
              else
                uniteDims(known.first, known.second, tensor, i);
            }
      })
      .Case([&](tensor::DimOp dim) {
        std::optional<int64_t> index = dim.getConstantIndex();
        auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
        if (!index || !type || *index >= type.getRank())
          return;
        if (type.isDynamicDim(*index))
          unite(keyOf(dim.getResult(), -1), keyOf(dim.getSource(), *index));
        else
          setConstant(keyOf(dim.getResult(), -1), type.getDimSize(*index));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(
          [&](auto cast) {
            unite(keyOf(cast.getResult(), -1), keyOf(cast.getOperand(), -1));
          })
      .Case([&](tensor::CastOp cast) {
        auto source = dyn_cast<RankedTensorType>(cast.getSource().getType());
        auto result = dyn_cast<RankedTensorType>(cast.getType());
        if (source && result)
          for (int64_t i = 0; i < source.getRank(); ++i)
            uniteDims(cast.getSource(), i, cast.getResult(), i);
      })
      .Case([&](tensor::EmptyOp empty) {
        for (auto [i, size] : llvm::enumerate(empty.getMixedSizes()))
          uniteWithFold(empty.getResult(), i, size);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        for (auto [i, size] : llvm::enumerate(expand.getMixedOutputShape()))
          uniteWithFold(expand.getResult(), i, size);
        for (auto [i, group] :
             llvm::enumerate(expand.getReassociationIndices())) {
          if (!expand.getSrcType().isDynamicDim(i))
            continue;
          if (group.size() == 1) {
            uniteDims(expand.getSrc(), i, expand.getResult(), group[0]);
            continue;
          }
          // A product with one factor that is not 1 is that factor.
          SmallVector<int64_t> large(
              llvm::make_filter_range(group, [&](int64_t d) {
                return expand.getResultType().getDimSize(d) != 1;
              }));
          if (large.size() == 1) {
            uniteDims(expand.getSrc(), i, expand.getResult(), large[0]);
            continue;
          }
          Definition product{Definition::Product, {}, {}, {}};
          for (int64_t d : group)
            addOperand(product, expand.getResult(), d);
          define(keyOf(expand.getSrc(), i), std::move(product));
        }
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        for (auto [i, group] :
             llvm::enumerate(collapse.getReassociationIndices())) {
          if (!collapse.getResultType().isDynamicDim(i))
            continue;
          SmallVector<int64_t> large(
              llvm::make_filter_range(group, [&](int64_t d) {
                return collapse.getSrcType().getDimSize(d) != 1;
              }));
          if (large.size() == 1) {
            uniteDims(collapse.getResult(), i, collapse.getSrc(), large[0]);
            continue;
          }
          Definition product{Definition::Product, {}, {}, {}};
          for (int64_t d : group)
            addOperand(product, collapse.getSrc(), d);
          define(keyOf(collapse.getResult(), i), std::move(product));
        }
      })
      .Case([&](tensor::ConcatOp concat) {
        int64_t along = concat.getDim();
        Definition sum{Definition::Sum, {}, {}, {}};
        for (Value input : concat.getInputs()) {
          for (int64_t i = 0, e = concat.getResultType().getRank(); i < e; ++i)
            if (i != along)
              uniteDims(concat.getResult(), i, input, i);
          addOperand(sum, input, along);
        }
        if (concat.getResultType().isDynamicDim(along))
          define(keyOf(concat.getResult(), along), std::move(sum));
      })
      .Case([&](tensor::PadOp pad) {
        SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                                  high = pad.getMixedHighPad();
        for (int64_t i = 0, e = pad.getResultType().getRank(); i < e; ++i) {
          if (!pad.getResultType().isDynamicDim(i))
            continue;
          Definition sum{Definition::Sum, {}, {}, {}};
          addOperand(sum, pad.getSource(), i);
          for (OpFoldResult added : {low[i], high[i]}) {
            if (std::optional<int64_t> constant = getConstantIntValue(added))
              sum.constants.push_back(*constant);
            else
              sum.operands.push_back(keyOf(cast<Value>(added), -1));
          }
          define(keyOf(pad.getResult(), i), std::move(sum));
        }
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        unsigned result = 0;
        for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped.test(i))
            uniteWithFold(slice.getResult(), result++, size);
      })
      .Case([&](tensor::InsertSliceOp insert) {
        for (int64_t i = 0, e = insert.getDestType().getRank(); i < e; ++i)
          uniteDims(insert.getResult(), i, insert.getDest(), i);
        llvm::SmallBitVector dropped = insert.getDroppedDims();
        unsigned source = 0;
        for (auto [i, size] : llvm::enumerate(insert.getMixedSizes()))
          if (!dropped.test(i))
            uniteWithFold(insert.getSource(), source++, size);
      })
      .Case([&](tensor::ReshapeOp reshape) {
        auto type = dyn_cast<RankedTensorType>(reshape.getType());
        if (!type)
          return;
        SmallVector<OpFoldResult> sizes;
        DenseIntElementsAttr constant;
        if (auto shape =
                reshape.getShape().getDefiningOp<tensor::FromElementsOp>())
          sizes = getAsOpFoldResult(shape.getElements());
        else if (matchPattern(reshape.getShape(), m_Constant(&constant)))
          for (const APInt &size : constant.getValues<APInt>())
            sizes.push_back(Builder(context).getIndexAttr(size.getSExtValue()));
        for (auto [i, size] : llvm::enumerate(sizes))
          uniteWithFold(reshape.getResult(), i, size);
      })
      .Case<arith::MulIOp, arith::AddIOp>([&](auto arith) {
        bool isProduct = isa<arith::MulIOp>(arith);
        define(
            keyOf(arith.getResult(), -1),
            Definition{isProduct ? Definition::Product : Definition::Sum,
                       {keyOf(arith.getLhs(), -1), keyOf(arith.getRhs(), -1)},
                       {},
                       {}});
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto division) {
            std::optional<int64_t> divisor =
                getConstantIntValue(division.getRhs());
            if (divisor && *divisor > 0)
              define(keyOf(division.getResult(), -1),
                     Definition{Definition::Quotient,
                                {keyOf(division.getLhs(), -1)},
                                {*divisor},
                                {}});
          })
      .Case([&](affine::AffineApplyOp apply) {
        SmallVector<Key> operands;
        SmallVector<AffineExpr> dims, symbols;
        for (Value operand : apply.getMapOperands())
          operands.push_back(keyOf(operand, -1));
        AffineMap map = apply.getAffineMap();
        for (unsigned i = 0; i < map.getNumDims(); ++i)
          dims.push_back(getAffineDimExpr(i, context));
        for (unsigned i = 0; i < map.getNumSymbols(); ++i)
          symbols.push_back(getAffineDimExpr(map.getNumDims() + i, context));
        define(
            keyOf(apply.getResult(), -1),
            Definition{Definition::Affine,
                       operands,
                       {},
                       map.getResult(0).replaceDimsAndSymbols(dims, symbols)});
      });
}

AffineExpr ShapeAnalysis::resolve(Key key, unsigned depth) {
  unsigned root = find(idOf(key));
  if (auto it = constants.find(root); it != constants.end())
    return getAffineConstantExpr(it->second, context);
  if (AffineExpr known = resolved.lookup(root))
    return known;
  auto symbol = [&]() -> AffineExpr {
    auto [it, inserted] = symbols.try_emplace(root, symbolRoots.size());
    if (inserted)
      symbolRoots.push_back(root);
    return getAffineSymbolExpr(it->second, context);
  };
  auto it = definitions.find(root);
  // Definitions may be circular (a dimension split and merged again): cut.
  if (it == definitions.end() || depth > 32)
    return symbol();
  resolved[root] = symbol();
  Definition definition = it->second;
  AffineExpr expr;
  if (definition.kind == Definition::Affine) {
    SmallVector<AffineExpr> operands;
    for (Key operand : definition.operands)
      operands.push_back(resolve(operand, depth + 1));
    expr = definition.expr.replaceDims(operands);
  } else if (definition.kind == Definition::Quotient) {
    // Only where nothing is rounded: the divisions round differently.
    AffineExpr dividend = resolve(definition.operands.front(), depth + 1);
    AffineExpr quotient = dividend.floorDiv(definition.constants.front());
    expr = quotient * definition.constants.front() == dividend ? quotient
                                                               : symbol();
  } else {
    bool isProduct = definition.kind == Definition::Product;
    expr = getAffineConstantExpr(isProduct ? 1 : 0, context);
    for (int64_t constant : definition.constants)
      expr = isProduct ? expr * constant : expr + constant;
    for (Key operand : definition.operands) {
      AffineExpr value = resolve(operand, depth + 1);
      expr = isProduct ? expr * value : expr + value;
    }
  }
  // A class defined through itself stays a symbol.
  AffineExpr self = symbol();
  bool circular = false;
  expr.walk([&](AffineExpr part) { circular |= part == self; });
  if (circular)
    return resolved[root] = self;
  // A product with ones, a sum with zeros: whoever knows a size of this class
  // knows the symbol, too.
  if (auto other = dyn_cast<AffineSymbolExpr>(expr))
    llvm::append_range(members[symbolRoots[other.getPosition()]],
                       SmallVector<Size>(members[root]));
  return resolved[root] = expr;
}

AffineExpr ShapeAnalysis::getDim(Value tensor, unsigned dim) {
  auto type = cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), context);
  return resolve(keyOf(tensor, dim), 0);
}

SmallVector<AffineExpr> ShapeAnalysis::getShape(Value tensor) {
  SmallVector<AffineExpr> shape;
  for (int64_t i = 0, e = cast<ShapedType>(tensor.getType()).getRank(); i < e;
       ++i)
    shape.push_back(getDim(tensor, i));
  return shape;
}

void ShapeAnalysis::setShape(Value tensor, ArrayRef<AffineExpr> shape) {
  auto type = cast<ShapedType>(tensor.getType());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (type.isDynamicDim(dim))
      resolved[find(idOf(keyOf(tensor, dim)))] = size;
}

AffineExpr ShapeAnalysis::getScalar(Value scalar) {
  if (std::optional<int64_t> value = getConstantIntValue(scalar))
    return getAffineConstantExpr(*value, context);
  return resolve(keyOf(scalar, -1), 0);
}

ArrayRef<ShapeAnalysis::Size> ShapeAnalysis::getSizes(unsigned symbol) const {
  auto it = members.find(symbolRoots[symbol]);
  return it == members.end() ? ArrayRef<Size>() : ArrayRef<Size>(it->second);
}
