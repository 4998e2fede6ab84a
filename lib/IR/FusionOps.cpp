//===- FusionOps.cpp - Operations of the fusion dialect -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

#define GET_OP_CLASSES
#include "fusion/IR/FusionOps.cpp.inc"

Type fusion::getRegionType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return RankedTensorType::get(memref.getShape(), memref.getElementType());
  return type;
}

int64_t fusion::getMemoryBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getMemoryBytes(complex.getElementType());
  if (type.isIndex())
    return 8;
  return std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// GroupOp
//===----------------------------------------------------------------------===//

void GroupOp::build(OpBuilder &builder, OperationState &state,
                    ValueRange inputs, ValueRange outputs, GroupKind kind) {
  state.addOperands(inputs);
  state.addOperands(outputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(outputs.size())};
  properties.kind = GroupKindAttr::get(builder.getContext(), kind);
  for (Value output : outputs)
    if (isa<RankedTensorType>(output.getType()))
      state.addTypes(output.getType());
  Region *region = state.addRegion();
  Block &block = region->emplaceBlock();
  for (Value operand : state.operands)
    block.addArgument(getRegionType(operand.getType()), operand.getLoc());
}

OperandRange GroupOp::getYielded() {
  return cast<YieldOp>(getBody().front().getTerminator()).getValues();
}

/// Parses `keyword(%arg = %operand : type, ...)`, if the keyword is there.
static ParseResult
parseBindings(OpAsmParser &parser, StringRef keyword,
              SmallVectorImpl<OpAsmParser::Argument> &arguments,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
              SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        Type type;
        if (parser.parseArgument(arguments.emplace_back()) ||
            parser.parseEqual() ||
            parser.parseOperand(operands.emplace_back()) ||
            parser.parseColonType(type))
          return failure();
        types.push_back(type);
        arguments.back().type = getRegionType(type);
        return success();
      });
}

ParseResult GroupOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef kindName;
  SMLoc kindLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&kindName))
    return failure();
  std::optional<GroupKind> kind = symbolizeGroupKind(kindName);
  if (!kind)
    return parser.emitError(kindLoc, "unknown kind of group '")
           << kindName << "'";
  auto &properties = result.getOrAddProperties<Properties>();
  properties.kind = GroupKindAttr::get(parser.getContext(), *kind);
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    ScheduleAttr schedule;
    if (parser.parseLParen() || parser.parseAttribute(schedule) ||
        parser.parseRParen())
      return failure();
    properties.schedule = schedule;
  }
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, outputs;
  SmallVector<Type> inputTypes, outputTypes;
  SMLoc loc = parser.getCurrentLocation();
  if (parseBindings(parser, "ins", arguments, inputs, inputTypes) ||
      parseBindings(parser, "outs", arguments, outputs, outputTypes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.resolveOperands(inputs, inputTypes, loc, result.operands) ||
      parser.resolveOperands(outputs, outputTypes, loc, result.operands))
    return failure();
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(outputs.size())};
  return success();
}

static void printBindings(OpAsmPrinter &printer, StringRef keyword,
                          ArrayRef<BlockArgument> arguments,
                          OperandRange operands) {
  if (operands.empty())
    return;
  printer << ' ' << keyword << '(';
  llvm::interleaveComma(
      llvm::zip_equal(arguments, operands), printer, [&](auto pair) {
        auto [argument, operand] = pair;
        printer << argument << " = " << operand << " : " << operand.getType();
      });
  printer << ')';
}

void GroupOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyGroupKind(getKind());
  if (ScheduleAttr schedule = getScheduleAttr())
    printer << " schedule(" << schedule << ")";
  SmallVector<BlockArgument> arguments(getBody().getArguments());
  ArrayRef<BlockArgument> all(arguments);
  size_t numInputs = getInputs().size();
  printBindings(printer, "ins", all.take_front(numInputs), getInputs());
  printBindings(printer, "outs", all.drop_front(numInputs), getOutputs());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getOperandSegmentSizesAttrName(), getKindAttrName(),
                            getScheduleAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalArrowTypeList(getResultTypes());
}

LogicalResult GroupOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError("group_c1: the region has ")
           << block.getNumArguments() << " arguments for " << getNumOperands()
           << " operands; give it one for each operand, inputs first";
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), getOperands())) {
    Type expected = getRegionType(operand.getType());
    if (argument.getType() != expected)
      return emitOpError("group_c1: argument ")
             << argument.getArgNumber() << " of the region has type "
             << argument.getType() << ", its operand needs " << expected;
  }
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("group_c2: end the region with fusion.yield");
  if (yield.getValues().size() != getOutputs().size())
    return emitOpError("group_c2: fusion.yield yields ")
           << yield.getValues().size() << " values for " << getOutputs().size()
           << " outs; yield one for each";
  for (auto [index, value] : llvm::enumerate(yield.getValues()))
    if (value.getType() != getOutputArgument(index).getType())
      return emitOpError("group_c2: fusion.yield yields ")
             << value.getType() << " as value " << index << ", outs needs "
             << getOutputArgument(index).getType();
  bool buffers =
      llvm::any_of(getOutputs().getTypes(), llvm::IsaPred<MemRefType>);
  if (buffers) {
    if (!llvm::all_of(getOutputs().getTypes(), llvm::IsaPred<MemRefType>))
      return emitOpError("group_c3: outs mix tensors and memrefs; bufferize "
                         "all of them or none");
    if (getNumResults())
      return emitOpError("group_c3: a group on memrefs has no results");
    return success();
  }
  if (getResultTypes() != getOutputs().getTypes())
    return emitOpError("group_c3: results must have the types of outs");
  return success();
}

LogicalResult GroupOp::reifyResultShapes(OpBuilder &builder,
                                         ReifiedRankedShapedTypeDims &shapes) {
  for (Value output : getOutputs())
    shapes.push_back(tensor::getMixedSizes(builder, getLoc(), output));
  return success();
}

void GroupOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // Groups on tensors compute values only. Groups on memrefs read their inputs
  // and write their outputs, which an in-place update reads as well.
  for (OpOperand &operand : (*this)->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand,
                         SideEffects::DefaultResource::get());
    if (operand.getOperandNumber() >= getInputs().size())
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
}

namespace {
/// Drops inputs that the region does not use, and passes one operand once.
struct DropUnusedInputs : OpRewritePattern<GroupOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector drop(op.getBody().getNumArguments());
    llvm::SmallDenseMap<Value, unsigned> first;
    size_t numInputs = op.getInputs().size();
    for (unsigned i = 0; i < numInputs; ++i) {
      BlockArgument argument = op.getInputArgument(i);
      auto [it, inserted] = first.try_emplace(op.getInputs()[i], i);
      if (!inserted)
        rewriter.replaceAllUsesWith(argument, op.getInputArgument(it->second));
      if (argument.use_empty())
        drop.set(i);
    }
    if (drop.none())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      for (int i = static_cast<int>(numInputs) - 1; i >= 0; --i)
        if (drop.test(i))
          op.getInputsMutable().erase(i);
      op.getBody().front().eraseArguments(drop);
    });
    return success();
  }
};

/// Takes casts of operands that know less than their source into the region:
/// folded into the operands alone, as upstream does for every operation with
/// destinations, they would leave the region's arguments behind.
struct AbsorbCasts : OpRewritePattern<GroupOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    size_t numInputs = op.getInputs().size();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto cast = operand.get().getDefiningOp<tensor::CastOp>();
      if (!tensor::canFoldIntoConsumerOp(cast))
        continue;
      changed = true;
      Type known = cast.getSource().getType();
      BlockArgument argument = body.getArgument(operand.getOperandNumber());
      rewriter.modifyOpInPlace(op, [&] {
        operand.set(cast.getSource());
        argument.setType(known);
      });
      rewriter.setInsertionPointToStart(&body);
      auto inner = tensor::CastOp::create(rewriter, cast.getLoc(),
                                          cast.getType(), argument);
      rewriter.replaceAllUsesExcept(argument, inner, inner);
      if (operand.getOperandNumber() < numInputs)
        continue;
      unsigned output = operand.getOperandNumber() - numInputs;
      Operation *yield = body.getTerminator();
      rewriter.setInsertionPoint(yield);
      auto yielded = tensor::CastOp::create(rewriter, cast.getLoc(), known,
                                            yield->getOperand(output));
      rewriter.modifyOpInPlace(yield,
                               [&] { yield->setOperand(output, yielded); });
      OpResult result = op->getResult(output);
      rewriter.modifyOpInPlace(op, [&] { result.setType(known); });
      rewriter.setInsertionPointAfter(op);
      auto outer = tensor::CastOp::create(rewriter, cast.getLoc(),
                                          cast.getType(), result);
      rewriter.replaceAllUsesExcept(result, outer, outer);
    }
    return success(changed);
  }
};
} // namespace

void GroupOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropUnusedInputs>(context);
  // Before upstream's pattern for every operation with destinations.
  patterns.add<AbsorbCasts>(context, /*benefit=*/2);
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

SmallVector<std::pair<Value, AffineMap>> AttentionOp::getTensorInputs() {
  SmallVector<std::pair<Value, AffineMap>> tensors{{getQuery(), getQueryMap()},
                                                   {getKey(), getKeyMap()},
                                                   {getValue(), getValueMap()}};
  for (auto [i, tensor] : llvm::enumerate(getOptionalInputs()))
    if (tensor)
      tensors.push_back({tensor, getOptionalMap(i)});
  return tensors;
}

AffineMap AttentionOp::getOptionalMap(unsigned i) {
  auto inputs = getOptionalInputs();
  if (!inputs[i])
    return AffineMap();
  return getMap(3 + llvm::count_if(ArrayRef<Value>(inputs).take_front(i),
                                   [](Value input) { return bool(input); }));
}

unsigned AttentionOp::getNumTensorInputs() {
  return 3 + llvm::count_if(getOptionalInputs(),
                            [](Value input) { return bool(input); });
}

SmallVector<std::pair<Value, AffineMap>> AttentionOp::getTensorOperands() {
  SmallVector<std::pair<Value, AffineMap>> tensors = getTensorInputs();
  for (auto [i, output] : llvm::enumerate(getOutputs()))
    tensors.push_back({output, getResultMap(i)});
  return tensors;
}

double AttentionOp::getMaskedScoreOrInfinity() {
  return getMaskedScore() ? getMaskedScore()->convertToDouble() : -INFINITY;
}

LogicalResult AttentionOp::verify() {
  SmallVector<Value> operands{getQuery(), getKey(), getValue()};
  SmallVector<StringRef> names{"query", "key", "value"};
  static constexpr StringRef optional[] = {"factor", "mask", "sink", "dropout"};
  for (auto [operand, name] : llvm::zip_equal(getOptionalInputs(), optional)) {
    if (!operand)
      continue;
    operands.push_back(operand);
    names.push_back(name);
  }
  if (!llvm::is_contained({1, 3, 4}, getOutputs().size()))
    return emitOpError("attention_c6: needs one, three or four outs (the "
                       "output, each row's reference and total, the "
                       "probabilities)");
  operands.push_back(getOutputs()[0]);
  names.push_back("output");
  if (hasRowResults()) {
    operands.push_back(getOutputs()[1]);
    names.push_back("reference");
  }
  if (getProbabilities()) {
    operands.push_back(getOutputs()[3]);
    names.push_back("probabilities");
  }
  if (getIndexingMaps().size() != operands.size())
    return emitOpError("attention_c1: ")
           << operands.size() << " tensor operands need as many indexing maps, "
           << "there are " << getIndexingMaps().size();
  unsigned numDims = getQueryMap().getNumDims();
  if (numDims < 4)
    return emitOpError("attention_c1: indexing maps need at least the "
                       "dimensions q, d, k, v");
  unsigned q = getQueryDim(), d = getWidthDim(), k = getKeyDim(),
           v = getValueDim();
  for (auto [index, operand] : llvm::enumerate(operands)) {
    AffineMap map = getMap(index);
    StringRef name = names[index];
    if (map.getNumDims() != numDims || map.getNumSymbols())
      return emitOpError("attention_c1: the map of ")
             << name << " must have " << numDims
             << " dimensions and no symbols";
    auto type = cast<RankedTensorType>(operand.getType());
    if (map.getNumResults() != type.getRank())
      return emitOpError("attention_c2: the map of ")
             << name << " has " << map.getNumResults() << " results for rank "
             << type.getRank();
    llvm::SmallDenseSet<unsigned> alone;
    for (AffineExpr result : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (dim && dim.getPosition() >= q) {
        if (!alone.insert(dim.getPosition()).second)
          return emitOpError("attention_c3: the map of ")
                 << name << " uses d" << dim.getPosition() << " twice";
        continue;
      }
      for (unsigned i : {q, d, k, v})
        if (result.isFunctionOfDim(i))
          return emitOpError("attention_c3: in the map of ")
                 << name << " d" << i << " must be a whole result";
    }
    SmallVector<unsigned> required, allowed;
    if (name == "query")
      required = {q, d};
    else if (name == "key")
      required = {k, d};
    else if (name == "value")
      required = {k, v};
    else if (name == "output")
      required = {q, v};
    else if (name == "reference")
      required = {q};
    else if (name == "probabilities")
      required = {q, k};
    allowed = required;
    if (name == "factor" || name == "mask" || name == "dropout")
      allowed = {q, k};
    else if (name == "sink")
      allowed = {q};
    for (unsigned i : required)
      if (!alone.contains(i))
        return emitOpError("attention_c3: the map of ")
               << name << " must use d" << i;
    for (unsigned i : alone)
      if (!llvm::is_contained(allowed, i))
        return emitOpError("attention_c3: the map of ")
               << name << " must not use d" << i;
  }
  Type element = getElementTypeOrSelf(getQuery());
  if (!isa<FloatType>(element) || getElementTypeOrSelf(getKey()) != element ||
      getElementTypeOrSelf(getValue()) != element)
    return emitOpError("attention_c4: query, key and value must hold floats of "
                       "one type; cast them before");
  for (auto [operand, name] : llvm::zip_equal(getOptionalInputs(), optional)) {
    if (!operand)
      continue;
    Type type = getElementTypeOrSelf(operand);
    bool isMask = operand == getMask();
    if (!isa<FloatType>(type) && !(isMask && type.isInteger(1)))
      return emitOpError("attention_c4: a ")
             << name << " holds floats" << (isMask ? " or i1" : "") << ", not "
             << type;
  }
  if (getWindow() && (!getCausalOffset() || *getWindow() <= 0))
    return emitOpError(
        "attention_c5: a window needs a causal offset and must be positive");
  if (getSoftcap() && getSoftcapAttr().getValueAsDouble() <= 0)
    return emitOpError("attention_c5: softcap must be positive");
  if (getMaskedScore() && (!getMask() || getMaskedScore()->isNaN()))
    return emitOpError(
        "attention_c5: a masked score needs a mask and must be a number");
  if (getFloor() && getFloor()->isNaN())
    return emitOpError("attention_c5: a floor must be a number");
  if (getResultTypes() != getOutputs().getTypes())
    return emitOpError("attention_c6: results must have the types of outs");
  if (hasRowResults()) {
    Type accumulator =
        element.isF64() ? element : Float32Type::get(getContext());
    if (getElementTypeOrSelf(getOutputs()[1]) != accumulator)
      return emitOpError("attention_c6: reference and total must hold ")
             << accumulator;
    if (getOutputs()[1].getType() != getOutputs()[2].getType())
      return emitOpError(
          "attention_c6: reference and total must be of one type");
    if (getProbabilities() &&
        getElementTypeOrSelf(getProbabilities()) != accumulator)
      return emitOpError("attention_c6: probabilities must hold ")
             << accumulator;
  }
  SmallVector<std::optional<int64_t>> extents(numDims);
  for (auto [index, operand] : llvm::enumerate(operands)) {
    auto type = cast<RankedTensorType>(operand.getType());
    for (auto [i, result] : llvm::enumerate(getMap(index).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim)
        continue;
      std::optional<int64_t> &extent = extents[dim.getPosition()];
      int64_t size = type.getDimSize(i);
      if (extent && !ShapedType::isDynamic(*extent) &&
          !ShapedType::isDynamic(size) && *extent != size)
        return emitOpError("attention_c7: d")
               << dim.getPosition() << " has size " << size << " in the "
               << names[index] << " and " << *extent << " before";
      // A mask or reference gives no extent, but must agree.
      bool gives = index < 3 || names[index] == "output";
      if ((gives && !extent) || (extent && ShapedType::isDynamic(*extent)))
        extent = size;
    }
  }
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (!extent)
      return emitOpError("attention_c7: d")
             << dim << " must be a whole result of the map of query, key, "
             << "value or output";
  return success();
}

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  for (Value output : getOutputs())
    shapes.push_back(tensor::getMixedSizes(builder, getLoc(), output));
  return success();
}

//===----------------------------------------------------------------------===//
// SimdgroupMmaOp
//===----------------------------------------------------------------------===//

LogicalResult SimdgroupMmaOp::verify() {
  auto isFragment = [](Type type, auto isElement) {
    auto vector = cast<VectorType>(type);
    return vector.getRank() == 1 && vector.getDimSize(0) == 2 &&
           !vector.isScalable() && isElement(vector.getElementType());
  };
  if (!isFragment(getLhs().getType(), [](Type t) {
        return isa<Float16Type, BFloat16Type, Float32Type>(t);
      }))
    return emitOpError("simdgroup_mma_c1: operands are vector<2xf16>, "
                       "vector<2xbf16> or vector<2xf32>, not ")
           << getLhs().getType();
  if (!isFragment(getAcc().getType(), [](Type t) { return t.isF32(); }))
    return emitOpError(
               "simdgroup_mma_c1: the accumulator is vector<2xf32>, not ")
           << getAcc().getType();
  return success();
}
