//===- ElementEmitter.h - Code for single elements --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Every kernel template computes elements of fused values through this class:
// what stands before a hero is pulled where the hero loads, what stands after
// it is pulled from the group's outputs with the hero's result already known
// (setElement). Emission is on demand and remembers values, so that an element
// used twice in a scope is computed once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_ELEMENTEMITTER_H
#define FUSION_KERNELS_ELEMENTEMITTER_H

#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace mlir::fusion {

class ElementEmitter {
public:
  /// Emits at `builder`'s insertion point. `space` and `shapes` must outlive
  /// the emitter and belong to the region whose values are emitted.
  ElementEmitter(OpBuilder &builder, Location loc, IndexSpace &space,
                 ShapeAnalysis &shapes)
      : builder(builder), loc(loc), space(space), shapes(shapes) {}

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  IndexSpace &getSpace() { return space; }
  ShapeAnalysis &getShapes() { return shapes; }

  //===--------------------------------------------------------------------===//
  // Bindings
  //===--------------------------------------------------------------------===//

  /// Elements of `tensor` are loaded from `buffer`, a one-dimensional memref
  /// that holds it contiguously in row-major order.
  void bindBuffer(Value tensor, Value buffer) { buffers[tensor] = buffer; }
  Value getBuffer(Value tensor) const { return buffers.lookup(tensor); }
  /// Gives one scalar for each of the index vectors, like `elements`.
  using ElementsFn =
      std::function<SmallVector<Value>(ArrayRef<IndexVector> lanes)>;
  /// Elements of `tensor` that are not known come from `read`, a template's own
  /// memory; null takes the binding back.
  void bindElements(Value tensor, ElementsFn read) {
    if (read)
      readers[tensor] = std::move(read);
    else
      readers.erase(tensor);
  }
  /// The scalar `value` of the region is `bound` in the kernel.
  void bindScalar(Value value, Value bound) { scalars[value] = bound; }
  /// Dynamic dimension `dim` of `tensor` is `size` (an index) in the kernel.
  void bindSize(Value tensor, unsigned dim, Value size) {
    boundSizes[{tensor, dim}] = size;
  }
  /// A new dimension of the index space that is `value` (an index in
  /// [0, bound)) in the kernel.
  AffineExpr bindDim(Value value, AffineExpr bound);
  /// A new dimension that is `value`, any index.
  AffineExpr bindOpaqueDim(Value value);

  //===--------------------------------------------------------------------===//
  // Emission
  //===--------------------------------------------------------------------===//

  /// One scalar for each of the index vectors `lanes` of `tensor`. Lanes are
  /// emitted together, so that loads of neighbours become vector loads and a
  /// branch is shared where all lanes take the same side. Empty on failure, a
  /// diagnostic has been given then.
  SmallVector<Value> elements(Value tensor, ArrayRef<IndexVector> lanes);
  /// One element; null on failure.
  Value element(Value tensor, ArrayRef<AffineExpr> indices);
  /// A scalar of the region; null on failure.
  Value scalar(Value value);
  /// From now on, in this scope, the element is `value`.
  void setElement(Value tensor, ArrayRef<AffineExpr> indices, Value value);
  /// The value of an affine expression as an index.
  Value materialize(AffineExpr expr);
  /// Emits the scalar computation of `block` with `mapping` for its arguments,
  /// for one lane; `indices` replaces linalg.index. The operands of the
  /// terminator are appended to `results`.
  LogicalResult inlineBody(Block &block, IRMapping &mapping,
                           ArrayRef<AffineExpr> indices,
                           SmallVectorImpl<Value> &results);

  /// Values found between construction and destruction are forgotten at
  /// destruction: open one around every nested region.
  class Scope {
  public:
    explicit Scope(ElementEmitter &emitter)
        : emitter(emitter), elementMark(emitter.elementLog.size()),
          indexMark(emitter.indexLog.size()),
          vectorMark(emitter.vectorLog.size()),
          scalarMark(emitter.scalarLog.size()) {}
    ~Scope() { emitter.rollBack(*this); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    friend class ElementEmitter;
    ElementEmitter &emitter;
    size_t elementMark, indexMark, vectorMark, scalarMark;
  };

  /// The widest load in bytes that `elements` may use; 0 switches vector loads
  /// off. 16 by default.
  void setMaxLoadBytes(int64_t bytes) { maxLoadBytes = bytes; }

private:
  using ElementKey = std::pair<Value, AffineMap>;
  ElementKey keyOf(Value tensor, ArrayRef<AffineExpr> indices);
  void rollBack(const Scope &scope);
  LogicalResult load(Value tensor, Value buffer, ArrayRef<IndexVector> lanes,
                     SmallVectorImpl<Value> &values);
  Value materializeSymbol(unsigned symbol);
  Value emitSize(const ShapeAnalysis::Size &size);

  OpBuilder &builder;
  Location loc;
  IndexSpace &space;
  ShapeAnalysis &shapes;
  int64_t maxLoadBytes = 16;

  llvm::DenseMap<Value, Value> buffers;
  llvm::DenseMap<Value, ElementsFn> readers;
  llvm::DenseMap<std::pair<Value, unsigned>, Value> boundSizes;
  /// The symbols whose values are being computed.
  llvm::SmallDenseSet<unsigned> openSymbols;
  llvm::DenseMap<unsigned, Value> dimValues;

  // What is known in the current scope, with logs for rolling back.
  llvm::DenseMap<ElementKey, Value> known;
  llvm::DenseMap<AffineExpr, Value> knownIndices;
  llvm::DenseMap<std::pair<Value, AffineExpr>, Value> knownVectors;
  llvm::DenseMap<Value, Value> scalars;
  SmallVector<ElementKey> elementLog;
  SmallVector<AffineExpr> indexLog;
  SmallVector<std::pair<Value, AffineExpr>> vectorLog;
  SmallVector<Value> scalarLog;
};

} // namespace mlir::fusion

#endif // FUSION_KERNELS_ELEMENTEMITTER_H
