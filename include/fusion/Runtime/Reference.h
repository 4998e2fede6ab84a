//===- Reference.h - Evaluates graphs by upstream's lowering ----*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled kernels are checked against: the graph as it was given, lowered
// to loops by upstream's passes alone and compiled for the CPU. A copy of the
// graph with every float in f64 gives the other half of the comparison bound.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_REFERENCE_H
#define FUSION_RUNTIME_REFERENCE_H

#include "fusion/Runtime/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace mlir::fusion {

/// Registers what the lowering needs in a context beyond the dialects of the
/// graph.
void registerReferenceDialects(DialectRegistry &registry);

/// The type of an argument or a result of a graph.
struct HostType {
  ElementType element;
  /// Sizes; a negative one is dynamic. Empty for a scalar.
  llvm::SmallVector<int64_t, 4> shape;
  bool isTensor;
};

/// Returns the type of a tensor or a number, or nothing for other types.
std::optional<HostType> getHostType(Type type);

/// Returns a copy of `module` in which every float type is f64 and the casts
/// between them are gone. Fails with a diagnostic where that is impossible, as
/// for a graph that looks at the bits of a float.
FailureOr<OwningOpRef<ModuleOp>> promoteFloatsToF64(ModuleOp module);

/// Returns a copy of `module` in f64 in which each operation that rounds is
/// followed by a change of its result by at most the error that the operation
/// may have in its own type: half a unit in the last place, for functions of
/// the math dialect four units. Probabilities of attention that meet widened
/// values are changed by at most half a unit of the values' type, as kernels
/// round them to that. The change depends on the value and on `seed`
/// and on nothing else, so equal values stay equal. Fails as
/// `promoteFloatsToF64` does.
FailureOr<OwningOpRef<ModuleOp>> promoteWithRoundings(ModuleOp module,
                                                      uint64_t seed);

/// What the code of a reference is to be good at. Its results are the same.
enum class ReferenceCode {
  Quick,     ///< compiled soon: for small tensors
  Optimized, ///< run soon
};

/// A graph compiled for the CPU.
class Reference {
public:
  virtual ~Reference() = default;

  /// Lowers and compiles the entry function of `module`, which is left as it
  /// is. Problems with the graph are emitted as diagnostics as well.
  static llvm::Expected<std::unique_ptr<Reference>>
  create(ModuleOp module, ReferenceCode code = ReferenceCode::Optimized);

  /// Runs it. Shapes and types must be those of the entry function; the
  /// arguments are not overwritten, whatever the function is allowed to do with
  /// them. An assertion of the graph that fails is an error.
  virtual llvm::Expected<std::vector<Tensor>>
  run(llvm::ArrayRef<Tensor> arguments) = 0;
};

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_REFERENCE_H
