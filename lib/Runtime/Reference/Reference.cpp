//===- Reference.cpp - Evaluates graphs by upstream's lowering ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Reference.h"

#include "HostFunctions.h"
#include "Lowering.h"
#include "fusion/Analysis/VerifyGraph.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using llvm::createStringError;

namespace {

/// A strided memref as the C interface passes it: two pointers, the offset,
/// sizes, strides.
class Descriptor {
public:
  explicit Descriptor(int64_t rank) : words(3 + 2 * rank), rank(rank) {}

  Descriptor(char *data, ArrayRef<int64_t> shape) : Descriptor(shape.size()) {
    words[0] = words[1] = reinterpret_cast<int64_t>(data);
    int64_t stride = 1;
    for (int64_t d = rank; d-- > 0;) {
      words[3 + d] = shape[d];
      words[3 + rank + d] = stride;
      stride *= shape[d];
    }
  }

  int64_t *data() { return words.data(); }

private:
  std::vector<int64_t> words;
  int64_t rank;
};

/// Copies what the descriptor at `words` describes.
llvm::Expected<Tensor> readResult(const int64_t *words, const HostType &type) {
  size_t rank = type.shape.size();
  ArrayRef<int64_t> sizes(words + 3, rank), strides(words + 3 + rank, rank);
  if (!countElements(sizes, type.element.getBytes()))
    return createStringError(
        "the reference returns a result that is too large");
  Tensor tensor(type.element, sizes);
  const char *source = reinterpret_cast<const char *>(words[1]);
  size_t bytes = type.element.getBytes();
  SmallVector<int64_t> position(rank, 0);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    int64_t offset = words[2];
    for (size_t d = 0; d < rank; ++d)
      offset += position[d] * strides[d];
    std::memcpy(tensor.data() + i * bytes, source + offset * bytes, bytes);
    for (size_t d = rank; d-- > 0;) {
      if (++position[d] < sizes[d])
        break;
      position[d] = 0;
    }
  }
  return tensor;
}

class ReferenceImpl : public Reference {
public:
  llvm::Error initialize(ModuleOp original, ReferenceCode code);
  llvm::Expected<std::vector<Tensor>> run(ArrayRef<Tensor> arguments) override;

private:
  llvm::Error prepare(func::FuncOp entry);
  llvm::Error compile(ModuleOp module, ReferenceCode code);
  llvm::Error checkArguments(ArrayRef<Tensor> arguments) const;

  std::vector<HostType> argumentTypes, resultTypes;
  std::unique_ptr<ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
};

} // namespace

std::optional<HostType> fusion::getHostType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string name;
  llvm::raw_string_ostream(name) << (tensor ? tensor.getElementType() : type);
  std::optional<ElementType> element = ElementType::parse(name);
  if (!element)
    return std::nullopt;
  HostType result{*element, {}, bool(tensor)};
  if (tensor)
    for (int64_t size : tensor.getShape())
      result.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return result;
}

llvm::Expected<std::unique_ptr<Reference>>
Reference::create(ModuleOp module, ReferenceCode code) {
  auto reference = std::make_unique<ReferenceImpl>();
  if (llvm::Error error = reference->initialize(module, code))
    return std::move(error);
  return reference;
}

llvm::Error ReferenceImpl::initialize(ModuleOp original, ReferenceCode code) {
  OwningOpRef<ModuleOp> module(original.clone());
  func::FuncOp entry = findEntryFunction(*module);
  if (!entry)
    return createStringError("the module has no entry function");
  if (llvm::Error error = prepare(entry))
    return error;
  if (failed(lowerToLLVM(*module)))
    return createStringError("the reference lowering failed");
  return compile(*module, code);
}

/// Notes the types of the entry function and gives it the C interface.
llvm::Error ReferenceImpl::prepare(func::FuncOp entry) {
  auto addTypes = [](TypeRange types, std::vector<HostType> &list,
                     StringRef what) -> llvm::Error {
    for (auto [i, type] : llvm::enumerate(types)) {
      std::optional<HostType> hostType = getHostType(type);
      if (!hostType)
        return createStringError(
            llvm::formatv("{0} {1} of the graph is neither a "
                          "tensor nor a number",
                          what, i));
      list.push_back(*hostType);
    }
    return llvm::Error::success();
  };
  if (auto error =
          addTypes(entry.getArgumentTypes(), argumentTypes, "argument"))
    return error;
  if (auto error = addTypes(entry.getResultTypes(), resultTypes, "result"))
    return error;

  entry.getContext()->loadDialect<tensor::TensorDialect>();
  // Scalar results become tensors of rank 0, so that all results are memrefs.
  entry.walk([](func::ReturnOp op) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Type type = operand.get().getType();
      if (isa<TensorType>(type))
        continue;
      operand.set(tensor::FromElementsOp::create(
          builder, op.getLoc(), RankedTensorType::get({}, type),
          operand.get()));
    }
  });
  SmallVector<Type> results;
  for (Type type : entry.getResultTypes())
    results.push_back(isa<TensorType>(type) ? type
                                            : RankedTensorType::get({}, type));
  entry.setFunctionType(
      FunctionType::get(entry.getContext(), entry.getArgumentTypes(), results));
  entry.setName("main");
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                 UnitAttr::get(entry.getContext()));
  return llvm::Error::success();
}

llvm::Error ReferenceImpl::compile(ModuleOp module, ReferenceCode code) {
  static const bool isInitialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)isInitialized;
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  // What is right counts here, so no reassociation and no contraction.
  bool isQuick = code == ReferenceCode::Quick;
  auto optimize = makeOptimizingTransformer(isQuick ? 0 : 1, /*sizeLevel=*/0,
                                            machine->get());
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel =
      isQuick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Less;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto created = ExecutionEngine::create(module, options);
  if (!created)
    return created.takeError();
  engine = std::move(*created);
  engine->registerSymbols(getHostFunctions);
  auto address = engine->lookupPacked("_mlir_ciface_main");
  if (!address)
    return address.takeError();
  function = *address;
  return llvm::Error::success();
}

llvm::Error ReferenceImpl::checkArguments(ArrayRef<Tensor> arguments) const {
  if (arguments.size() != argumentTypes.size())
    return createStringError(llvm::formatv("expected {0} arguments, found {1}",
                                           argumentTypes.size(),
                                           arguments.size()));
  for (auto [i, type, argument] : llvm::enumerate(argumentTypes, arguments)) {
    bool matches = type.element.getBytes() == argument.getType().getBytes() &&
                   type.element.isInteger() == argument.getType().isInteger() &&
                   type.shape.size() == argument.getShape().size();
    for (size_t d = 0; matches && d < type.shape.size(); ++d)
      matches = type.shape[d] < 0 || type.shape[d] == argument.getShape()[d];
    if (!matches)
      return createStringError(llvm::formatv(
          "argument {0} of the graph can not be {1}", i, argument.describe()));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Tensor>>
ReferenceImpl::run(ArrayRef<Tensor> arguments) {
  if (llvm::Error error = checkArguments(arguments))
    return std::move(error);
  std::vector<Tensor> copies(arguments.begin(), arguments.end());
  std::vector<Descriptor> descriptors;
  descriptors.reserve(copies.size());
  for (Tensor &copy : copies)
    descriptors.emplace_back(copy.data(), copy.getShape());

  size_t resultWords = 0;
  for (const HostType &type : resultTypes)
    resultWords += 3 + 2 * type.shape.size();
  std::vector<int64_t> results(resultWords);
  void *resultPointer = results.data();

  // The packed function gets a pointer to each argument; those are pointers to
  // descriptors, or scalars.
  std::vector<void *> pointers(arguments.size());
  std::vector<void *> packed;
  if (!resultTypes.empty())
    packed.push_back(static_cast<void *>(&resultPointer));
  for (size_t i = 0; i < arguments.size(); ++i) {
    pointers[i] = descriptors[i].data();
    packed.push_back(argumentTypes[i].isTensor
                         ? static_cast<void *>(&pointers[i])
                         : static_cast<void *>(copies[i].data()));
  }

  HostRun run;
  if (!run.call(function, packed.data()))
    return createStringError("an assertion of the graph fails: " + run.message);

  std::vector<Tensor> tensors;
  const int64_t *words = results.data();
  for (const HostType &type : resultTypes) {
    llvm::Expected<Tensor> tensor = readResult(words, type);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
    words += 3 + 2 * type.shape.size();
  }
  return tensors;
}
