//===- GraphBuilder.cpp - What productions are written with ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion::fuzz;

GraphBuilder::GraphBuilder(func::FuncOp main, uint64_t seed)
    : random(seed), builder(main.getBody()), loc(main.getLoc()),
      module(main->getParentOfType<ModuleOp>()), main(main),
      f16(builder.getF16Type()), bf16(builder.getBF16Type()),
      f32(builder.getF32Type()), f64(builder.getF64Type()),
      i1(builder.getI1Type()), i8(builder.getI8Type()),
      i32(builder.getI32Type()), i64(builder.getI64Type()),
      index(builder.getIndexType()) {
  type = random.pick({f32, f32, f32, f16, f16, bf16, bf16});
  if (random.chance(35))
    dynamicChance = random.pick({20u, 50u, 100u});
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

int64_t GraphBuilder::size(int64_t most) {
  static constexpr int64_t kSizes[] = {1,  2,  2,  3,  3,  4,   5,   5,  7,  8,
                                       11, 13, 16, 17, 24, 31,  32,  33, 37, 48,
                                       63, 64, 64, 65, 96, 127, 128, 129};
  ArrayRef<int64_t> list(kSizes);
  list = list.take_while([&](int64_t size) { return size <= most; });
  return list.empty() ? 1 : random.pick(list);
}

Sizes GraphBuilder::sizes(int64_t rank, int64_t maxVolume) {
  Sizes sizes(rank, 1);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(rank));
  random.shuffle(order);
  for (int64_t d : order) {
    sizes[d] = size(maxVolume);
    maxVolume /= sizes[d];
  }
  return sizes;
}

Type GraphBuilder::floatType() {
  if (random.chance(85))
    return type;
  return random.pick({f32, f16, bf16});
}

Node GraphBuilder::argument(Type element, Integers sizes) {
  if (isCallee)
    return table(element, sizes);
  SmallVector<int64_t> shape(sizes);
  for (int64_t &size : shape) {
    if (!random.chance(dynamicChance))
      continue;
    dynamicSizes.push_back(size);
    size = ShapedType::kDynamic;
  }
  unsigned at = main.getNumArguments();
  auto type = RankedTensorType::get(shape, element);
  if (failed(main.insertArgument(at, type, {}, loc)))
    llvm_unreachable("an argument can always be appended");
  return {main.getArgument(at), Sizes(sizes), 1};
}

Node GraphBuilder::argument(Type element, int64_t minRank, int64_t maxRank) {
  int64_t rank = random.range(minRank, maxRank);
  return argument(element, sizes(rank));
}

Node GraphBuilder::fromPool(llvm::function_ref<bool(const Node &)> isWanted) {
  SmallVector<const Node *> wanted;
  for (const Node &node : pool)
    if (isWanted(node))
      wanted.push_back(&node);
  if (wanted.empty())
    return {};
  // What came last is what exporters use next.
  if (random.chance(50))
    return *wanted.back();
  return *wanted[random.below(wanted.size())];
}

Node GraphBuilder::pickFloat(int64_t minRank, int64_t maxRank,
                             int64_t maxVolume) {
  if (random.chance(75))
    if (Node node = fromPool([&](const Node &node) {
          return node.isFloat() && node.getRank() >= minRank &&
                 node.getRank() <= maxRank && node.getVolume() <= maxVolume;
        }))
      return node;
  int64_t rank = random.range(minRank, maxRank);
  Sizes chosen = sizes(rank, maxVolume);
  Type element = floatType();
  return argument(element, chosen);
}

Node GraphBuilder::pickInteger(int64_t minRank, int64_t maxRank) {
  if (random.chance(60))
    if (Node node = fromPool([&](const Node &node) {
          return node.getElement().isInteger() && node.getRank() >= minRank &&
                 node.getRank() <= maxRank;
        }))
      return node;
  Type element = random.pick({i64, i64, i32, i1});
  return argument(element, minRank, maxRank);
}

Node GraphBuilder::pickLike(const Node &node) {
  if (random.chance(60))
    if (Node found = fromPool([&](const Node &other) {
          return other.value != node.value &&
                 other.getElement() == node.getElement() &&
                 other.sizes == node.sizes;
        }))
      return found;
  return argument(node.getElement(), node.sizes);
}

Node GraphBuilder::table(Type element, Integers sizes) {
  Node node{{}, Sizes(sizes), 1};
  auto type = RankedTensorType::get(sizes, element);
  int64_t volume = node.getVolume();
  if (volume > 64 || volume == 0) {
    double value = element.isInteger() ? 1 : random.pick({0.5, -1.5, 2.0});
    return splat(element, sizes, value);
  }
  SmallVector<Attribute> elements;
  for (int64_t i = 0; i < volume; ++i) {
    int64_t value = random.range(-16, 16);
    if (isa<FloatType>(element))
      elements.push_back(builder.getFloatAttr(element, double(value) / 8));
    else
      elements.push_back(builder.getIntegerAttr(
          element, element.isInteger(1) ? value & 1 : std::abs(value) % 8));
  }
  node.value = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, elements));
  return node;
}

Node GraphBuilder::splat(Type element, Integers sizes, double value) {
  Attribute attr = isa<FloatType>(element)
                       ? Attribute(builder.getFloatAttr(element, value))
                       : builder.getIntegerAttr(element, int64_t(value));
  auto type = RankedTensorType::get(sizes, element);
  Value constant = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, attr));
  return {constant, Sizes(sizes), std::max(std::abs(value), 0.01)};
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value GraphBuilder::indexConstant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

OpFoldResult GraphBuilder::getSize(const Node &node, int64_t d) {
  if (!node.isDynamic(d))
    return builder.getIndexAttr(node.getType().getDimSize(d));
  Value position = indexConstant(d);
  return tensor::DimOp::create(builder, loc, node.value, position).getResult();
}

Value GraphBuilder::getIndex(OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  return indexConstant(*getConstantIntValue(size));
}

Value GraphBuilder::empty(ArrayRef<OpFoldResult> sizes, Type element) {
  bool isStatic = llvm::all_of(
      sizes, [](OpFoldResult size) { return isa<Attribute>(size); });
  if (isStatic && random.chance(50)) {
    SmallVector<int64_t> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(*getConstantIntValue(size));
    auto type = RankedTensorType::get(shape, element);
    for (Value value : empties)
      if (value.getType() == type &&
          value.getParentBlock() == builder.getBlock())
        return value;
  }
  Value value = tensor::EmptyOp::create(builder, loc, sizes, element);
  if (isStatic)
    empties.push_back(value);
  return value;
}

Value GraphBuilder::emptyLike(const Node &node, Type element) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < node.getRank(); ++d)
    sizes.push_back(getSize(node, d));
  return empty(sizes, element);
}

Value GraphBuilder::fill(Value scalar, Value init) {
  return linalg::FillOp::create(builder, loc, scalar, init).getResult(0);
}

Value GraphBuilder::scalar(Type type, double value) {
  return scalars().constant(type, value);
}

//===----------------------------------------------------------------------===//
// Element-wise operations
//===----------------------------------------------------------------------===//

Node GraphBuilder::pointwise(const Node &shape, ArrayRef<Node> operands,
                             ArrayRef<AffineMap> maps, Type result, Body body) {
  Value init = emptyLike(shape, result);
  SmallVector<Value> values;
  double size = 0;
  for (const Node &operand : operands) {
    values.push_back(operand.value);
    size = std::max(size, operand.scale);
  }
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(builder.getMultiDimIdentityMap(shape.getRank()));
  SmallVector<utils::IteratorType> iterators(shape.getRank(),
                                             utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, loc, init.getType(), values, init, allMaps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Scalars s(b, loc);
        Value value = body(s, arguments.drop_back());
        linalg::YieldOp::create(b, loc, value);
      });
  return {op.getResult(0), shape.sizes, size};
}

AffineMap GraphBuilder::broadcastMap(const Node &operand, const Node &shape) {
  int64_t rank = shape.getRank();
  int64_t first = rank - operand.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t d = 0; d < operand.getRank(); ++d) {
    bool isBroadcast = operand.sizes[d] == 1 &&
                       (shape.sizes[first + d] != 1 ||
                        (shape.isDynamic(first + d) && !operand.isDynamic(d)));
    exprs.push_back(isBroadcast ? builder.getAffineConstantExpr(0)
                                : builder.getAffineDimExpr(first + d));
  }
  return AffineMap::get(rank, 0, exprs, builder.getContext());
}

Node GraphBuilder::map(ArrayRef<Node> operands, Type result, Body body) {
  int64_t rank = 0;
  for (const Node &operand : operands)
    rank = std::max(rank, operand.getRank());
  // For each dimension of the result the operand that has its size.
  SmallVector<std::pair<const Node *, int64_t>> owners(rank);
  for (const Node &operand : operands)
    for (int64_t d = 0; d < operand.getRank(); ++d) {
      auto &owner = owners[rank - operand.getRank() + d];
      if (!owner.first ||
          (owner.first->sizes[owner.second] == 1 && operand.sizes[d] != 1))
        owner = {&operand, d};
    }
  Node shape{{}, {}, 1};
  for (auto [owner, d] : owners)
    shape.sizes.push_back(owner->sizes[d]);
  // Mostly one operand has them all.
  const Node *whole = llvm::find_if(operands, [&](const Node &operand) {
    return operand.sizes == shape.sizes;
  });
  if (whole != operands.end()) {
    shape = *whole;
  } else {
    SmallVector<OpFoldResult> sizes;
    for (auto [owner, d] : owners)
      sizes.push_back(getSize(*owner, d));
    shape.value = empty(sizes, result);
  }
  SmallVector<AffineMap> maps;
  for (const Node &operand : operands)
    maps.push_back(broadcastMap(operand, shape));
  return pointwise(shape, operands, maps, result, body);
}

Node GraphBuilder::cast(const Node &node, Type element) {
  if (node.getElement() == element)
    return node;
  return map(node, element,
             [&](Scalars &s, ValueRange in) { return s.cast(in[0], element); });
}

Node GraphBuilder::scale(const Node &node, double factor) {
  Node result = map(node, [&](Scalars &s, ValueRange in) {
    return s.mulConstant(in[0], factor);
  });
  result.scale = node.scale * factor;
  return result;
}

Node GraphBuilder::tame(const Node &node) {
  if (!node.isFloat() || (node.scale <= 6 && node.scale >= 0.05))
    return node;
  return scale(node, std::exp2(-std::round(std::log2(node.scale))));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value GraphBuilder::copy(Value source, ArrayRef<AffineExpr> indices,
                         Value init) {
  int64_t rank = llvm::cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, indices, builder.getContext()),
      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), source, init, maps, iterators,
             [](OpBuilder &b, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(b, loc, arguments.front());
             })
      .getResult(0);
}

Node GraphBuilder::transpose(const Node &node, Integers permutation) {
  SmallVector<OpFoldResult> sizes;
  Node result{{}, {}, node.scale};
  for (int64_t d : permutation) {
    sizes.push_back(getSize(node, d));
    result.sizes.push_back(node.sizes[d]);
  }
  Value init = empty(sizes, node.getElement());
  if (random.chance(75)) {
    result.value =
        linalg::TransposeOp::create(builder, loc, node.value, init, permutation)
            ->getResult(0);
    return result;
  }
  // The same as a generic operation: result dimension i is operand dimension
  // permutation[i].
  SmallVector<AffineExpr> exprs(permutation.size());
  for (auto [i, d] : llvm::enumerate(permutation))
    exprs[d] = builder.getAffineDimExpr(i);
  result.value = copy(node.value, exprs, init);
  return result;
}

Node GraphBuilder::transposeLast(const Node &node) {
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(node.getRank()));
  std::swap(permutation.back(), permutation[node.getRank() - 2]);
  return transpose(node, permutation);
}

Node GraphBuilder::collapse(const Node &node,
                            ArrayRef<ReassociationIndices> groups) {
  Node result{{}, {}, node.scale};
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    for (int64_t d : group)
      size *= node.sizes[d];
    result.sizes.push_back(size);
  }
  result.value =
      tensor::CollapseShapeOp::create(builder, loc, node.value, groups);
  return result;
}

Node GraphBuilder::merge(const Node &node, int64_t d, int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < node.getRank(); ++i) {
    if (i > d && i < d + count)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return collapse(node, groups);
}

Node GraphBuilder::expand(const Node &node, int64_t d, Integers sizes) {
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> outputSizes;
  Node result{{}, {}, node.scale};
  int64_t next = 0;
  for (int64_t i = 0; i < node.getRank(); ++i) {
    if (i != d) {
      groups.push_back({next++});
      shape.push_back(node.getType().getDimSize(i));
      outputSizes.push_back(getSize(node, i));
      result.sizes.push_back(node.sizes[i]);
      continue;
    }
    ReassociationIndices &group = groups.emplace_back();
    // Of a dynamic dimension the first part is dynamic.
    int64_t inner = 1;
    for (int64_t size : sizes.drop_front())
      inner *= size;
    for (auto [part, size] : llvm::enumerate(sizes)) {
      group.push_back(next++);
      result.sizes.push_back(size);
      if (part == 0 && node.isDynamic(d)) {
        Value whole = getIndex(getSize(node, d));
        if (inner != 1) {
          Value divisor = indexConstant(inner);
          whole = arith::DivSIOp::create(builder, loc, whole, divisor);
        }
        shape.push_back(ShapedType::kDynamic);
        outputSizes.push_back(whole);
      } else {
        shape.push_back(size);
        outputSizes.push_back(builder.getIndexAttr(size));
      }
    }
  }
  // A tensor of rank 0 has no groups.
  auto type = RankedTensorType::get(shape, node.getElement());
  result.value = tensor::ExpandShapeOp::create(builder, loc, type, node.value,
                                               groups, outputSizes);
  return result;
}

Node GraphBuilder::splitFirst(const Node &node, const Node &like,
                              int64_t parts) {
  SmallVector<ReassociationIndices> groups(node.getRank());
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  Node result{{}, {}, node.scale};
  for (int64_t d = 0; d < parts; ++d) {
    groups[0].push_back(d);
    shape.push_back(like.getType().getDimSize(d));
    sizes.push_back(getSize(like, d));
    result.sizes.push_back(like.sizes[d]);
  }
  for (int64_t d = 1; d < node.getRank(); ++d) {
    groups[d].push_back(parts + d - 1);
    shape.push_back(node.getType().getDimSize(d));
    sizes.push_back(getSize(node, d));
    result.sizes.push_back(node.sizes[d]);
  }
  // A dynamic whole can not have static parts only, nor the other way round.
  bool isDynamic =
      llvm::any_of(ArrayRef(shape).take_front(parts), ShapedType::isDynamic);
  auto type = RankedTensorType::get(shape, node.getElement());
  if (isDynamic != node.isDynamic(0) || (isDynamic && random.chance(50))) {
    SmallVector<Value> elements;
    for (OpFoldResult size : sizes) {
      Value extent = getIndex(size);
      elements.push_back(arith::IndexCastOp::create(builder, loc, i64, extent));
    }
    Value sizesTensor = tensor::FromElementsOp::create(builder, loc, elements);
    result.value =
        tensor::ReshapeOp::create(builder, loc, type, node.value, sizesTensor);
    return result;
  }
  result.value = tensor::ExpandShapeOp::create(builder, loc, type, node.value,
                                               groups, sizes);
  return result;
}

Node GraphBuilder::unsqueeze(const Node &node, int64_t d) {
  int64_t rank = node.getRank();
  if (rank == 0) {
    Node result{{}, {1}, node.scale};
    auto type = RankedTensorType::get({1}, node.getElement());
    result.value = tensor::ExpandShapeOp::create(
        builder, loc, type, node.value, ArrayRef<ReassociationIndices>{},
        ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
    return result;
  }
  if (d == rank) {
    // Behind the last: the dynamic part comes first.
    return expand(node, d - 1, {node.sizes[d - 1], 1});
  }
  // In front of d: of a dynamic dimension the second part is dynamic.
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> outputSizes;
  Node result{{}, {}, node.scale};
  for (int64_t i = 0; i < rank; ++i) {
    ReassociationIndices &group = groups.emplace_back();
    if (i == d) {
      group.push_back(shape.size());
      shape.push_back(1);
      outputSizes.push_back(builder.getIndexAttr(1));
      result.sizes.push_back(1);
    }
    group.push_back(shape.size());
    shape.push_back(node.getType().getDimSize(i));
    outputSizes.push_back(getSize(node, i));
    result.sizes.push_back(node.sizes[i]);
  }
  auto type = RankedTensorType::get(shape, node.getElement());
  result.value = tensor::ExpandShapeOp::create(builder, loc, type, node.value,
                                               groups, outputSizes);
  return result;
}

Node GraphBuilder::slice(const Node &node, int64_t d, int64_t offset,
                         int64_t size, int64_t stride) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t i = 0; i < node.getRank(); ++i) {
    offsets.push_back(builder.getIndexAttr(i == d ? offset : 0));
    sizes.push_back(i == d ? builder.getIndexAttr(size) : getSize(node, i));
    strides.push_back(builder.getIndexAttr(i == d ? stride : 1));
  }
  Node result{{}, node.sizes, node.scale};
  result.sizes[d] = size;
  result.value = tensor::ExtractSliceOp::create(builder, loc, node.value,
                                                offsets, sizes, strides);
  return result;
}

Node GraphBuilder::concat(ArrayRef<Node> nodes, int64_t d) {
  SmallVector<Value> values;
  Node result{{}, nodes.front().sizes, 0};
  result.sizes[d] = 0;
  for (const Node &node : nodes) {
    values.push_back(node.value);
    result.sizes[d] += node.sizes[d];
    result.scale = std::max(result.scale, node.scale);
  }
  result.value = tensor::ConcatOp::create(builder, loc, d, values);
  return result;
}

Node GraphBuilder::broadcast(const Node &node, int64_t d, int64_t count) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  Node result{{}, {}, node.scale};
  for (int64_t i = 0; i <= node.getRank(); ++i) {
    if (i == d) {
      sizes.push_back(builder.getIndexAttr(count));
      result.sizes.push_back(count);
      continue;
    }
    int64_t from = i < d ? i : i - 1;
    sizes.push_back(getSize(node, from));
    result.sizes.push_back(node.sizes[from]);
    exprs.push_back(builder.getAffineDimExpr(i));
  }
  Value init = empty(sizes, node.getElement());
  if (random.chance(30)) {
    result.value =
        linalg::BroadcastOp::create(builder, loc, node.value, init, Integers{d})
            ->getResult(0);
    return result;
  }
  result.value = copy(node.value, exprs, init);
  return result;
}

Node GraphBuilder::withRank(const Node &node, int64_t rank) {
  if (node.getRank() > rank)
    return merge(node, 0, node.getRank() - rank + 1);
  Node result = node;
  while (result.getRank() < rank)
    result = unsqueeze(result, 0);
  return result;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// `linalg.generic` that reduces `node` onto `init`; `keep` says that reduced
/// dimensions stay, with size 1.
static Value buildReduction(GraphBuilder &graph, const Node &node,
                            Integers dims, bool keep, Value init, Body body) {
  OpBuilder &builder = graph.builder;
  int64_t rank = node.getRank();
  SmallVector<AffineExpr> exprs;
  SmallVector<utils::IteratorType> iterators;
  for (int64_t d = 0; d < rank; ++d) {
    bool isReduced = llvm::is_contained(dims, d);
    iterators.push_back(isReduced ? utils::IteratorType::reduction
                                  : utils::IteratorType::parallel);
    if (!isReduced)
      exprs.push_back(builder.getAffineDimExpr(d));
    else if (keep)
      exprs.push_back(builder.getAffineConstantExpr(0));
  }
  SmallVector<AffineMap> maps = {
      builder.getMultiDimIdentityMap(rank),
      AffineMap::get(rank, 0, exprs, builder.getContext())};
  return linalg::GenericOp::create(
             builder, graph.loc, init.getType(), node.value, init, maps,
             iterators,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Scalars s(b, loc);
               Value value = body(s, arguments);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

Node GraphBuilder::reduce(const Node &node, Integers dims, bool keep,
                          Value start, Type result, Body body) {
  SmallVector<OpFoldResult> sizes;
  Node reduced{{}, {}, node.scale};
  for (int64_t d = 0; d < node.getRank(); ++d) {
    bool isReduced = llvm::is_contained(dims, d);
    if (isReduced && !keep)
      continue;
    sizes.push_back(isReduced ? OpFoldResult(builder.getIndexAttr(1))
                              : getSize(node, d));
    reduced.sizes.push_back(isReduced ? 1 : node.sizes[d]);
  }
  Value init = fill(start, empty(sizes, result));
  reduced.value = buildReduction(*this, node, dims, keep, init, body);
  return reduced;
}

Node GraphBuilder::sum(const Node &node, Integers dims, bool keep) {
  Value zero = scalar(node.getElement(), 0);
  bool accumulatorFirst = random.chance(50);
  Node result = reduce(node, dims, keep, zero, node.getElement(),
                       [&](Scalars &s, ValueRange in) {
                         return accumulatorFirst ? s.add(in[1], in[0])
                                                 : s.add(in[0], in[1]);
                       });
  double count =
      double(node.getVolume()) / std::max<int64_t>(1, result.getVolume());
  result.scale = node.scale * std::sqrt(count);
  return result;
}

Node GraphBuilder::reduceOnto(const Node &node, const Node &starts,
                              Integers dims, Body body) {
  Node result{{}, starts.sizes, std::max(node.scale, starts.scale)};
  bool keep = starts.getRank() == node.getRank();
  result.value = buildReduction(*this, node, dims, keep, starts.value, body);
  return result;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

Node GraphBuilder::contract(StringRef spec, const Node &x, const Node &y,
                            Type accumulator, Node start) {
  auto [inputs, output] = spec.split("->");
  auto [first, second] = inputs.split(',');
  // Iteration dimensions: those of the result, then what is summed over.
  std::string letters = output.str();
  for (char letter : (first + second).str())
    if (letters.find(letter) == std::string::npos)
      letters += letter;
  auto makeMap = [&](StringRef indices) {
    SmallVector<AffineExpr> exprs;
    for (char letter : indices)
      exprs.push_back(builder.getAffineDimExpr(letters.find(letter)));
    return AffineMap::get(letters.size(), 0, exprs, builder.getContext());
  };
  Node result{{}, {}, 0};
  SmallVector<OpFoldResult> sizes;
  int64_t depth = 1;
  for (char letter : letters) {
    size_t inX = first.find(letter), inY = second.find(letter);
    const Node &source = inX != StringRef::npos ? x : y;
    int64_t d = inX != StringRef::npos ? inX : inY;
    if (output.contains(letter)) {
      sizes.push_back(getSize(source, d));
      result.sizes.push_back(source.sizes[d]);
    } else {
      depth *= source.sizes[d];
    }
  }
  Value init = start.value;
  if (!start) {
    Value zero = scalar(accumulator, 0);
    init = fill(zero, empty(sizes, accumulator));
  }
  SmallVector<AffineMap> maps = {makeMap(first), makeMap(second),
                                 makeMap(output)};
  SmallVector<utils::IteratorType> iterators;
  for (char letter : letters)
    iterators.push_back(output.contains(letter)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  bool accumulatorFirst = random.chance(50);
  result.value =
      linalg::GenericOp::create(builder, loc, init.getType(),
                                {x.value, y.value}, init, maps, iterators,
                                [&](OpBuilder &b, Location loc, ValueRange in) {
                                  Scalars s(b, loc);
                                  Value left = s.cast(in[0], accumulator);
                                  Value right = s.cast(in[1], accumulator);
                                  Value product = s.mul(left, right);
                                  Value value = accumulatorFirst
                                                    ? s.add(in[2], product)
                                                    : s.add(product, in[2]);
                                  linalg::YieldOp::create(b, loc, value);
                                })
          .getResult(0);
  result.scale = x.scale * y.scale * std::sqrt(double(depth));
  if (start)
    result.scale += start.scale;
  return result;
}

/// A product of matrices by a named operation, accumulated in f32 or wider.
static Node multiply(GraphBuilder &graph, const Node &x, const Node &y,
                     Type accumulator) {
  OpBuilder &builder = graph.builder;
  int64_t rank = x.getRank();
  Node result{{}, x.sizes, 0};
  result.sizes.back() = y.sizes.back();
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d + 1 < rank; ++d)
    sizes.push_back(graph.getSize(x, d));
  sizes.push_back(graph.getSize(y, rank - 1));
  Value zero = graph.scalar(accumulator, 0);
  Value init = graph.fill(zero, graph.empty(sizes, accumulator));
  SmallVector<Value> inputs = {x.value, y.value};
  if (rank == 3)
    result.value =
        linalg::BatchMatmulOp::create(builder, graph.loc, inputs, init)
            .getResult(0);
  else
    result.value =
        linalg::MatmulOp::create(builder, graph.loc, inputs, init).getResult(0);
  result.scale = x.scale * y.scale * std::sqrt(double(x.sizes.back()));
  return result;
}

Node GraphBuilder::linear(const Node &x, const Node &weight,
                          bool isTransposed) {
  Type element = x.getElement();
  Type accumulator = element;
  if (!element.isF32() && random.chance(70))
    accumulator = f32;
  int64_t rank = x.getRank();
  Node result;
  if (rank <= 3 && random.chance(35)) {
    // As JAX does: a generic contraction.
    StringRef rows = StringRef("abc").take_front(rank - 1);
    std::string spec =
        (rows + "k," + (isTransposed ? "nk" : "kn") + "->" + rows + "n").str();
    result = contract(spec, x, weight, accumulator);
  } else {
    Node right = isTransposed ? transposeLast(weight) : weight;
    Node left = x;
    if (rank == 1)
      left = unsqueeze(x, 0);
    if (rank > 2)
      left = merge(x, 0, rank - 1);
    if (rank == 3 && random.chance(20)) {
      // A batch of products with one weight, repeated.
      if (!x.isDynamic(0)) {
        right = broadcast(right, 0, x.sizes[0]);
        left = x;
      }
    }
    result = multiply(*this, left, right, accumulator);
    if (rank == 1)
      result = merge(result, 0, 2);
    else if (rank > 2 && result.getRank() == 2)
      result = splitRows(result, x);
  }
  return cast(result, element);
}
