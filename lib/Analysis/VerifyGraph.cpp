//===- VerifyGraph.cpp - What may be compiled -----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/VerifyGraph.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Bits of an element in memory, or nothing for a type that kernels can not
/// hold.
static std::optional<int64_t> getElementBits(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    if (part.isF32() || part.isF64())
      return 2 * part.getIntOrFloatBitWidth();
    return std::nullopt;
  }
  if (type.isIndex())
    return 64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth()))
      return std::max(8u, integer.getWidth());
    return std::nullopt;
  }
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType,
          Float8E5M2Type>(type))
    return type.getIntOrFloatBitWidth();
  return std::nullopt;
}

/// Whether the static part of `type` has fewer than 2^63 bytes.
static bool isCountable(RankedTensorType type, int64_t elementBits) {
  int64_t bytes = elementBits / 8;
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size) && size != 0 &&
        llvm::MulOverflow(bytes, size, bytes))
      return false;
  return true;
}

/// Checks the type of a value of a graph or of a body in it.
static LogicalResult verifyType(Location loc, Type type) {
  if (isa<UnrankedTensorType>(type))
    return emitError(loc, "unranked tensors have no kernel; give the tensor a "
                          "rank (its dimensions may be dynamic)");
  if (isa<BaseMemRefType>(type))
    return emitError(loc, "a graph computes on tensors, not on buffers (")
           << type << "); leave bufferization to the compiler";
  Type element = type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor) {
    element = tensor.getElementType();
    if (tensor.getEncoding())
      return emitError(loc, "an encoding has no meaning here (")
             << type << "); use a dense tensor without one";
  }
  std::optional<int64_t> bits = getElementBits(element);
  if (!bits)
    return emitError(loc, "no kernel computes with ")
           << element
           << "; use i1, i8, i16, i32, i64, index, f16, bf16, f32, f64, "
              "f8E4M3FN, f8E5M2, complex<f32> or complex<f64>";
  if (tensor && !isCountable(tensor, *bits))
    return emitError(loc, "the tensor is too large: ")
           << type << " has 2^63 bytes or more";
  return success();
}

static LogicalResult verifyTypes(Location loc, TypeRange types) {
  for (Type type : types)
    if (failed(verifyType(loc, type)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether an operation can stand in a graph.
static bool hasMeaning(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().getDialectNamespace())
      .Cases({"affine", "arith", "complex", "fusion", "linalg", "math"}, true)
      .Cases({"scf", "tensor", "tosa", "ub"}, true)
      .Case("func", isa<func::ReturnOp, func::CallOp>(op))
      .Case("cf", isa<cf::AssertOp>(op))
      .Default(false);
}

static LogicalResult verifyOperations(func::FuncOp function) {
  WalkResult result = function.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<func::FuncOp>(op))
      return WalkResult::advance();
    if (!hasMeaning(op)) {
      op->emitError("'") << op->getName()
                         << "' has no meaning in a graph, which holds "
                            "operations of linalg, tensor, arith, math, "
                            "complex and tosa";
      return WalkResult::interrupt();
    }
    if (failed(verifyTypes(op->getLoc(), op->getResultTypes())))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(verifyTypes(op->getLoc(), block.getArgumentTypes())))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyFunction(func::FuncOp function) {
  if (failed(verifyTypes(function.getLoc(), function.getArgumentTypes())) ||
      failed(verifyTypes(function.getLoc(), function.getResultTypes())))
    return failure();
  if (function.isExternal())
    return success();
  if (!function.getBody().hasOneBlock())
    return emitError(function.getLoc(), "'")
           << function.getName()
           << "' has several blocks; a graph is one block: turn branches into "
              "arith.select or scf.if";
  return verifyOperations(function);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// Walks calls depth first.
class CallVerifier {
public:
  LogicalResult verify(func::FuncOp function) {
    auto [it, isNew] = visits.try_emplace(function, Visit::Open);
    if (!isNew)
      return success();
    WalkResult result = function.walk([&](func::CallOp call) {
      return succeeded(verify(call)) ? WalkResult::advance()
                                     : WalkResult::interrupt();
    });
    visits[function] = Visit::Done;
    return failure(result.wasInterrupted());
  }

private:
  enum class Visit { Open, Done };

  LogicalResult verify(func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return call.emitError("calls '")
             << call.getCallee()
             << "', which has no body here; give it one or remove the call";
    auto it = visits.find(callee);
    if (it != visits.end() && it->second == Visit::Open)
      return call.emitError("recursion: '")
             << call.getCallee()
             << "' calls itself, directly or not; a graph must be a finite "
                "expression";
    return verify(callee);
  }

  SymbolTableCollection symbols;
  llvm::DenseMap<Operation *, Visit> visits;
};
} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

LogicalResult fusion::verifyGraph(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(verifyFunction(function)))
      return failure();
  CallVerifier calls;
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(calls.verify(function)))
      return failure();
  return success();
}

func::FuncOp fusion::findEntryFunction(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    if (!main.isExternal())
      return main;
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    if (found) {
      emitError(module.getLoc(), "no entry function: several functions are "
                                 "public; call one of them main");
      return nullptr;
    }
    found = function;
  }
  if (!found)
    emitError(module.getLoc(), "no entry function: the module needs a public "
                               "function with a body, best called main");
  return found;
}
