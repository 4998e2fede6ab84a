//===- Emitter.h - Prints one kernel as MSL ---------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to FusionTargetMSL. A value is an Expression: text and what is
// needed to use it inside other text. Expressions with one use in their block
// stay inline; everything else gets a name. Loads, shuffles and matrix products
// always get a name, so the order of effects is the order of the statements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_MSL_EMITTER_H
#define FUSION_LIB_TARGET_MSL_EMITTER_H

#include "Prelude.h"
#include "Types.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/MSL.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Support/IndentedOstream.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::fusion::msl {

/// How tightly an expression binds; larger is tighter.
enum class Precedence : uint8_t {
  Ternary,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Primary
};

/// The text of a value.
struct Expression {
  Expression(std::string text = {}, Precedence precedence = Precedence::Primary,
             ArrayRef<Value> reads = {})
      : text(std::move(text)), precedence(precedence), reads(reads) {}

  std::string text;
  Precedence precedence;
  /// Variables that the text reads and that a loop assigns to.
  SmallVector<Value, 1> reads;
  /// The same value as an unsigned expression, where that is shorter than a
  /// conversion of the text; empty otherwise.
  std::string unsignedText;

  /// The text, in parentheses unless it binds at least as tightly as `min`.
  std::string at(Precedence min) const {
    return precedence >= min ? text : "(" + text + ")";
  }
};

/// Hands out identifiers that are unique in a kernel.
class Names {
public:
  Names();
  /// An identifier that starts with `base`, made valid.
  std::string unique(StringRef base);

private:
  llvm::StringSet<> used;
};

/// Makes an identifier out of any text.
std::string sanitize(StringRef text);

/// Prints one kernel.
class KernelEmitter {
public:
  KernelEmitter(gpu::GPUFuncOp kernel, Prelude &prelude, raw_ostream &os)
      : kernel(kernel), prelude(prelude), os(os),
        types(kernel->hasAttr("fusion.index32")) {}

  LogicalResult emit();

private:
  // Kernel.cpp: signature, limits, comments, names.
  LogicalResult checkLimits();
  LogicalResult emitSignature();
  LogicalResult emitThreadgroupArrays();
  /// Remembers what is to be said about `op`.
  void noteComments(Operation *op);
  /// Prints what was remembered, before the next statement.
  void flushComments();
  /// The MSL name of `type`; a located error where there is none.
  FailureOr<std::string> typeName(Type type, Location loc);
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOperation(Operation *op);
  /// Makes `expression` the text of `value`, as a named variable if needed.
  LogicalResult bind(Value value, Expression expression);
  /// Declares a variable that holds `expression` and makes it `value`'s text.
  LogicalResult bindVariable(Value value, Expression expression,
                             StringRef hint = {});
  /// Declares a variable without a value.
  FailureOr<std::string> declare(Value value, StringRef hint);
  StringRef nameHint(Value value);

  /// The text of an operand.
  const Expression &get(Value value);
  /// As get(), but a name or a literal, so that it can be repeated.
  FailureOr<Expression> getSimple(Value value);
  /// The operand as its unsigned counterpart.
  Expression getUnsigned(Value value);
  /// Wraps the text of an unsigned expression of `type`'s width.
  Expression fromUnsigned(Expression expression, Type type);
  Expression call(StringRef function, ArrayRef<Expression> operands);
  Expression binary(const Expression &lhs, StringRef symbol,
                    const Expression &rhs, Precedence precedence);
  /// `type(operand)`.
  Expression convert(StringRef type, const Expression &operand);

  // Arith.cpp, MathAndVector.cpp: pure operations. Success with a null optional
  // means that the operation is not one of these.
  FailureOr<std::optional<Expression>> arithExpression(Operation *op);
  FailureOr<std::optional<Expression>> castExpression(Operation *op);
  FailureOr<std::optional<Expression>> constantExpression(arith::ConstantOp op);
  FailureOr<std::optional<Expression>> compare(arith::CmpIOp op);
  FailureOr<std::optional<Expression>> compare(arith::CmpFOp op);
  std::optional<Expression> integerBinary(Operation *op);
  FailureOr<std::optional<Expression>> mathExpression(Operation *op);
  FailureOr<std::optional<Expression>> vectorExpression(Operation *op);
  std::optional<Expression> idExpression(Operation *op);

  // Memory.cpp
  std::string element(Value memref, Value index);
  /// The address of an element, as the operand of a conversion.
  std::string address(Value memref, Value index);
  /// True where threads may read what others write to device memory.
  bool sharesDeviceMemory();
  LogicalResult emit(memref::LoadOp op);
  LogicalResult emit(memref::StoreOp op);
  LogicalResult emit(memref::AtomicRMWOp op);
  LogicalResult emit(memref::ViewOp op);
  LogicalResult emit(memref::AllocaOp op);
  LogicalResult emit(vector::LoadOp op);
  LogicalResult emit(vector::StoreOp op);
  /// The address space of a memref, as a qualifier.
  StringRef addressSpace(Value memref);
  /// True where nothing is written through `memref`.
  bool isReadOnly(Value memref);

  // Statements.cpp
  LogicalResult emit(scf::ForOp op);
  LogicalResult emit(scf::IfOp op);
  LogicalResult emit(scf::WhileOp op);
  LogicalResult emit(scf::IndexSwitchOp op);
  LogicalResult emit(gpu::ShuffleOp op);
  LogicalResult emit(gpu::BarrierOp op);
  LogicalResult emit(cf::AssertOp op);
  LogicalResult emit(SimdgroupMmaOp op);
  LogicalResult emit(vector::InsertOp op);
  LogicalResult emit(vector::ToElementsOp op);
  /// Assigns to all variables at once: no source sees a new value.
  LogicalResult assign(ValueRange variables, ValueRange sources);
  /// Declares variables for the results of `op`.
  LogicalResult declareResults(Operation *op);

  gpu::GPUFuncOp kernel;
  Prelude &prelude;
  raw_indented_ostream os;
  TypePrinter types;
  Names names;
  llvm::DenseMap<Value, Expression> values;
  SmallVector<StringRef> comments;
  StringRef lastComment;
};

} // namespace mlir::fusion::msl

#endif // FUSION_LIB_TARGET_MSL_EMITTER_H
