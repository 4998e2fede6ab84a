//===- Kernel.cpp - A kernel's signature, names and values ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::msl;

/// Expressions that are longer get a name.
static constexpr size_t maxInlineLength = 56;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Keywords, types, and the functions and parameters that kernels mention.
static constexpr StringLiteral reservedNames[] = {
    "abs",         "acos",      "acosh",     "alignas",    "alignof",
    "and",         "args",      "asin",      "asinh",      "asm",
    "as_type",     "atan",      "atan2",     "atanh",      "auto",
    "bfloat",      "bitand",    "bitor",     "blockCount", "blockIndex",
    "blockSize",   "bool",      "break",     "case",       "catch",
    "ceil",        "char",      "class",     "clz",        "compl",
    "const",       "constant",  "constexpr", "continue",   "copysign",
    "cos",         "cosh",      "ctz",       "decltype",   "default",
    "delete",      "device",    "do",        "double",     "else",
    "enum",        "exp",       "exp2",      "explicit",   "export",
    "extern",      "fabs",      "false",     "fast",       "float",
    "floor",       "fma",       "fmax",      "fmin",       "fmod",
    "for",         "fragment",  "friend",    "goto",       "half",
    "if",          "inline",    "int",       "kernel",     "laneIndex",
    "log",         "log10",     "log2",      "long",       "main",
    "max",         "metal",     "min",       "mulhi",      "mutable",
    "namespace",   "new",       "noexcept",  "not",        "nullptr",
    "operator",    "or",        "popcount",  "pow",        "precise",
    "private",     "protected", "public",    "register",   "return",
    "rint",        "round",     "rsqrt",     "select",     "short",
    "signed",      "sin",       "sinh",      "size_t",     "sizeof",
    "sqrt",        "static",    "struct",    "switch",     "tan",
    "tanh",        "template",  "this",      "thread",     "threadgroup",
    "threadIndex", "throw",     "true",      "trunc",      "try",
    "typedef",     "typeid",    "typename",  "uchar",      "uint",
    "ulong",       "union",     "unsigned",  "ushort",     "using",
    "vec",         "vertex",    "virtual",   "void",       "volatile",
    "while",       "xor",       "INFINITY",  "NAN"};

std::string msl::sanitize(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  // A leading underscore and a double one are reserved in C++.
  while (StringRef(name).contains("__"))
    name.erase(name.find("__"), 1);
  StringRef trimmed = StringRef(name).ltrim('_');
  if (trimmed.empty() || llvm::isDigit(trimmed.front()))
    return ("v" + trimmed).str();
  return trimmed.str();
}

Names::Names() {
  for (StringRef name : reservedNames)
    used.insert(name);
  // Vector types such as float4 are names (and macros of the host's headers).
  for (StringRef scalar : {"bool", "char", "uchar", "short", "ushort", "int",
                           "uint", "long", "ulong", "half", "float", "bfloat"})
    for (unsigned size : {2, 3, 4})
      used.insert((scalar + Twine(size)).str());
}

std::string Names::unique(StringRef base) {
  std::string name = sanitize(base);
  std::string candidate = name;
  // A number after a digit would read as one number: x1, x1_1.
  StringRef separator = llvm::isDigit(name.back()) ? "_" : "";
  for (unsigned i = 1; !used.insert(candidate).second; ++i)
    candidate = (name + separator + Twine(i)).str();
  return candidate;
}

StringRef KernelEmitter::nameHint(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto thread = dyn_cast_or_null<gpu::ThreadIdOp>(op))
    return thread.getDimension() == gpu::Dimension::x   ? "tx"
           : thread.getDimension() == gpu::Dimension::y ? "ty"
                                                        : "tz";
  if (auto block = dyn_cast_or_null<gpu::BlockIdOp>(op))
    return block.getDimension() == gpu::Dimension::x   ? "bx"
           : block.getDimension() == gpu::Dimension::y ? "by"
                                                       : "bz";
  if (isa_and_nonnull<gpu::LaneIdOp>(op))
    return "lane";
  if (isa_and_nonnull<SimdgroupMmaOp>(op))
    return "acc";
  Type type = value.getType();
  if (isa<VectorType>(type))
    return "vec";
  if (type.isInteger(1))
    return "cond";
  if (type.isIndex())
    return "idx";
  return isa<IntegerType>(type) ? "n" : "val";
}

//===----------------------------------------------------------------------===//
// Arguments and limits
//===----------------------------------------------------------------------===//

FailureOr<MetalArgumentLayout>
fusion::getMetalArgumentLayout(gpu::GPUFuncOp kernel) {
  TypePrinter types(kernel->hasAttr("fusion.index32"));
  MetalArgumentLayout layout;
  unsigned numScalars = 0;
  unsigned numArguments = kernel.getNumArguments();
  for (unsigned i = 0; i < numArguments; ++i) {
    Type type = kernel.getArgument(i).getType();
    MetalArgument argument;
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (numScalars)
        return kernel.emitOpError()
               << "argument #" << i
               << " is a buffer after a scalar; put buffers first";
      if (memref.getRank() != 1 || !memref.getLayout().isIdentity())
        return kernel.emitOpError()
               << "argument #" << i << " is " << type
               << ", but kernels take one-dimensional contiguous memrefs";
      argument.isBuffer = true;
      argument.buffer = layout.numBuffers++;
      argument.size = 8;
    } else {
      if (isa<VectorType>(type) || types.name(type).empty())
        return kernel.emitOpError()
               << "argument #" << i << ": " << types.whyUnsupported(type);
      argument.size = types.byteSize(type);
      argument.offset = llvm::alignTo(layout.scalarBytes, argument.size);
      layout.scalarBytes = argument.offset + argument.size;
      ++numScalars;
    }
    layout.arguments.push_back(argument);
  }
  if (numScalars) {
    for (MetalArgument &argument : layout.arguments)
      if (!argument.isBuffer)
        argument.buffer = layout.numBuffers;
    ++layout.numBuffers;
    layout.packed = numScalars > 1;
  }
  if (layout.numBuffers > MetalLimits::maxBuffers)
    return kernel.emitOpError()
           << "needs " << layout.numBuffers << " buffers, but Metal has "
           << MetalLimits::maxBuffers << "; split the group";
  return layout;
}

LogicalResult KernelEmitter::checkLimits() {
  if (sanitize(kernel.getName()) != kernel.getName() ||
      llvm::is_contained(reservedNames, kernel.getName()))
    return kernel.emitOpError(
        "has a name that is no identifier in MSL; rename it");
  if (!kernel.isKernel())
    return kernel.emitOpError("is no kernel; inline it first");
  if (!llvm::hasSingleElement(kernel.getBody()))
    return kernel.emitOpError(
        "has several blocks; MSL needs structured control flow (scf)");
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize()) {
    int64_t threads = 1;
    for (int32_t extent : *size)
      threads *= extent;
    if (threads > MetalLimits::maxThreadsPerThreadgroup)
      return kernel.emitOpError()
             << "has " << threads << " threads in a block, but Metal has "
             << MetalLimits::maxThreadsPerThreadgroup
             << "; use a schedule with fewer";
  }
  return success();
}

FailureOr<std::string> KernelEmitter::typeName(Type type, Location loc) {
  std::string name = types.name(type);
  if (name.empty())
    return emitError(loc) << types.whyUnsupported(type);
  return name;
}

LogicalResult KernelEmitter::emitSignature() {
  FailureOr<MetalArgumentLayout> layout = getMetalArgumentLayout(kernel);
  if (failed(layout))
    return failure();

  struct Parameter {
    std::string type, name;
  };
  SmallVector<Parameter> parameters;
  for (auto [i, argument] : llvm::enumerate(layout->arguments)) {
    Value value = kernel.getArgument(i);
    auto given = kernel.getArgAttrOfType<StringAttr>(i, "fusion.name");
    std::string fallback = "arg" + std::to_string(i);
    Parameter parameter;
    parameter.name = names.unique(given ? given.getValue() : fallback);
    Type scalar = getElementTypeOrSelf(value.getType());
    FailureOr<std::string> name = typeName(scalar, kernel.getLoc());
    if (failed(name))
      return failure();
    if (argument.isBuffer) {
      if (scalar.isIndex())
        return kernel.emitOpError()
               << "argument #" << i
               << " is memory of index type; use i32 or i64";
      parameter.type = "device " +
                       std::string(isReadOnly(value) ? "const " : "") + *name +
                       " *";
    } else {
      parameter.type = *name;
    }
    bool inStruct = !argument.isBuffer && layout->packed;
    values[value] = {(inStruct ? "args." : "") + parameter.name};
    parameters.push_back(parameter);
  }

  os << "\n";
  std::string structName;
  if (layout->packed) {
    structName = prelude.uniqueStruct(kernel.getName());
    os << "struct " << structName << " {\n";
    for (auto [argument, parameter] :
         llvm::zip_equal(layout->arguments, parameters))
      if (!argument.isBuffer)
        os << "  " << parameter.type << " " << parameter.name << ";\n";
    os << "};\n\n";
  }

  if (auto comment = kernel->getAttrOfType<StringAttr>("fusion.comment"))
    os << "// " << comment.getValue() << "\n";
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize()) {
    int64_t threads = 1;
    for (int32_t extent : *size)
      threads *= extent;
    os << "[[max_total_threads_per_threadgroup(" << threads << ")]]\n";
  }
  os << "kernel void " << kernel.getName() << "(";
  std::string separator = "\n    ";
  for (auto [argument, parameter] :
       llvm::zip_equal(layout->arguments, parameters)) {
    if (!argument.isBuffer && layout->packed)
      continue;
    os << separator;
    if (argument.isBuffer)
      os << parameter.type;
    else
      os << "constant " << parameter.type << " &";
    os << parameter.name << " [[buffer(" << argument.buffer << ")]]";
    separator = ",\n    ";
  }
  if (layout->packed) {
    os << separator << "constant " << structName << " &args [[buffer("
       << layout->numBuffers - 1 << ")]]";
    separator = ",\n    ";
  }

  // The positions that the body asks for.
  bool usesThread = false, usesBlock = false, usesSize = false,
       usesCount = false, usesLane = false;
  kernel.walk([&](Operation *op) {
    usesThread |= isa<gpu::ThreadIdOp>(op);
    usesBlock |= isa<gpu::BlockIdOp>(op);
    usesSize |= isa<gpu::BlockDimOp>(op);
    usesCount |= isa<gpu::GridDimOp>(op);
    usesLane |= isa<gpu::LaneIdOp>(op);
    if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
      usesLane |= !shuffle.getValid().use_empty();
  });
  auto builtin = [&](bool used, StringRef type, StringRef name,
                     StringRef attribute) {
    if (!used)
      return;
    os << separator << type << " " << name << " [[" << attribute << "]]";
    separator = ",\n    ";
  };
  builtin(usesThread, "uint3", "threadIndex", "thread_position_in_threadgroup");
  builtin(usesBlock, "uint3", "blockIndex", "threadgroup_position_in_grid");
  builtin(usesSize, "uint3", "blockSize", "threads_per_threadgroup");
  builtin(usesCount, "uint3", "blockCount", "threadgroups_per_grid");
  builtin(usesLane, "uint", "laneIndex", "thread_index_in_simdgroup");
  os << ") {\n";
  return success();
}

LogicalResult KernelEmitter::emitThreadgroupArrays() {
  if (!kernel.getPrivateAttributions().empty())
    return kernel.emitOpError(
        "has private attributions; use values or memref.alloca");
  int64_t bytes = 0;
  for (auto [i, value] : llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(value.getType());
    if (!type.hasStaticShape() || type.getRank() != 1)
      return kernel.emitOpError() << "workgroup attribution of type " << type
                                  << " is not one-dimensional and static";
    FailureOr<std::string> name =
        typeName(type.getElementType(), kernel.getLoc());
    if (failed(name))
      return failure();
    // Vectors of 16 bytes may be read from the start of an array.
    bytes = llvm::alignTo(bytes, 16) +
            type.getNumElements() * types.byteSize(type.getElementType());
    auto given = dyn_cast_or_null<StringAttr>(
        kernel.getWorkgroupAttributionAttr(i, "fusion.name"));
    std::string variable = names.unique(given ? given.getValue() : "shared");
    os << "alignas(16) threadgroup " << *name << " " << variable << "["
       << type.getNumElements() << "];\n";
    values[value] = {variable};
  }
  if (bytes > MetalLimits::maxThreadgroupBytes)
    return kernel.emitOpError()
           << "uses " << bytes << " bytes of threadgroup memory, but Metal has "
           << MetalLimits::maxThreadgroupBytes << "; use a smaller tile";
  return success();
}

LogicalResult KernelEmitter::emit() {
  if (failed(checkLimits()) || failed(emitSignature()))
    return failure();
  os.indent();
  if (failed(emitThreadgroupArrays()) ||
      failed(emitBlock(kernel.getBody().front())))
    return failure();
  os.unindent();
  os << "}\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Comments
//===----------------------------------------------------------------------===//

/// Appends the names that a location carries.
static void collectNames(Location loc, SmallVectorImpl<StringRef> &names) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    if (!llvm::is_contained(names, name.getName().getValue()))
      names.push_back(name.getName().getValue());
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      collectNames(part, names);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectNames(call.getCallee(), names);
  }
}

void KernelEmitter::noteComments(Operation *op) {
  SmallVector<StringRef> found;
  if (auto comment = op->getAttrOfType<StringAttr>("fusion.comment"))
    found.push_back(comment.getValue());
  else
    collectNames(op->getLoc(), found);
  // One comment for a run of operations that share it.
  for (StringRef text : found)
    if (text != lastComment && !llvm::is_contained(comments, text))
      comments.push_back(text);
  if (!found.empty())
    lastComment = found.back();
}

void KernelEmitter::flushComments() {
  if (comments.empty())
    return;
  std::string text = llvm::join(comments, ", ");
  for (char &c : text)
    if (!llvm::isPrint(c) || c == '\\')
      c = ' ';
  os << "// " << text << "\n";
  comments.clear();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const Expression &KernelEmitter::get(Value value) { return values[value]; }

FailureOr<Expression> KernelEmitter::getSimple(Value value) {
  const Expression &expression = get(value);
  if (StringRef(expression.text)
          .find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                             "XYZ0123456789_.") == StringRef::npos)
    return expression;
  // The variable serves this use only: the value may outlive this scope.
  FailureOr<std::string> type = typeName(value.getType(), value.getLoc());
  if (failed(type))
    return failure();
  std::string name = names.unique(nameHint(value));
  os << *type << " " << name << " = " << expression.text << ";\n";
  return Expression{name};
}

Expression KernelEmitter::getUnsigned(Value value) {
  Expression expression = get(value);
  if (value.getType().isInteger(1))
    return expression;
  if (!expression.unsignedText.empty())
    return {expression.unsignedText, Precedence::Primary, expression.reads};
  return convert(types.unsignedName(value.getType()), expression);
}

Expression KernelEmitter::fromUnsigned(Expression expression, Type type) {
  Expression result = convert(types.name(type), expression);
  // Narrow operands were promoted, so their text is not the unsigned value.
  if (types.bitWidth(getElementTypeOrSelf(type)) >= 32)
    result.unsignedText = expression.at(Precedence::Primary);
  return result;
}

Expression KernelEmitter::call(StringRef function,
                               ArrayRef<Expression> operands) {
  Expression result{(function + "(").str()};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    result.text += (i ? ", " : "") + operand.text;
    llvm::append_range(result.reads, operand.reads);
  }
  result.text += ")";
  return result;
}

Expression KernelEmitter::binary(const Expression &lhs, StringRef symbol,
                                 const Expression &rhs, Precedence precedence) {
  // Parentheses around what readers (and compilers' warnings) stumble over:
  // mixed logic, and arithmetic inside bit operations.
  bool plain = precedence == Precedence::Additive ||
               precedence == Precedence::Multiplicative ||
               precedence == Precedence::Relational ||
               precedence == Precedence::Equality;
  bool logical = precedence == Precedence::LogicalAnd ||
                 precedence == Precedence::LogicalOr;
  Precedence left = plain ? precedence : Precedence::Unary;
  Precedence right =
      plain ? Precedence(unsigned(precedence) + 1) : Precedence::Unary;
  if (logical)
    left = right = Precedence::Equality;
  if (precedence == Precedence::Equality)
    left = right = Precedence::Additive;
  auto side = [&](const Expression &operand, Precedence min) {
    return logical && operand.precedence == precedence ? operand.text
                                                       : operand.at(min);
  };
  Expression result{side(lhs, left) + " " + symbol.str() + " " +
                        side(rhs, right),
                    precedence};
  llvm::append_range(result.reads, lhs.reads);
  llvm::append_range(result.reads, rhs.reads);
  return result;
}

Expression KernelEmitter::convert(StringRef type, const Expression &operand) {
  return call(type, operand);
}

FailureOr<std::string> KernelEmitter::declare(Value value, StringRef hint) {
  FailureOr<std::string> type = typeName(value.getType(), value.getLoc());
  if (failed(type))
    return failure();
  flushComments();
  std::string name = names.unique(hint.empty() ? nameHint(value) : hint);
  os << *type << " " << name << ";\n";
  values[value] = {name};
  return name;
}

LogicalResult KernelEmitter::bindVariable(Value value, Expression expression,
                                          StringRef hint) {
  FailureOr<std::string> type = typeName(value.getType(), value.getLoc());
  if (failed(type))
    return failure();
  flushComments();
  std::string name = names.unique(hint.empty() ? nameHint(value) : hint);
  os << *type << " " << name << " = " << expression.text << ";\n";
  values[value] = {name};
  return success();
}

LogicalResult KernelEmitter::bind(Value value, Expression expression) {
  if (value.use_empty())
    return success();
  Operation *op = value.getDefiningOp();
  bool isConstant = op->hasTrait<OpTrait::ConstantLike>();
  bool isName =
      StringRef(expression.text).find_first_of(" (") == StringRef::npos;
  bool usedOnceHere =
      value.hasOneUse() &&
      value.use_begin()->getOwner()->getBlock() == op->getBlock();
  // A component of a variable of a loop must not outlive its iteration's value
  // in another block; names in `reads` stay inside their block.
  if (isConstant || (isName && expression.reads.empty()) ||
      (usedOnceHere && expression.text.size() <= maxInlineLength)) {
    values[value] = std::move(expression);
    return success();
  }
  return bindVariable(value, std::move(expression));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOperation(&op)))
      return failure();
  return success();
}

LogicalResult KernelEmitter::emitOperation(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>() &&
      !op->hasTrait<OpTrait::IsTerminator>())
    noteComments(op);

  // Statements.
  using Result = std::optional<LogicalResult>;
  Result statement =
      llvm::TypeSwitch<Operation *, Result>(op)
          .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
                memref::ViewOp, memref::AllocaOp, vector::LoadOp,
                vector::StoreOp, scf::ForOp, scf::IfOp, scf::WhileOp,
                scf::IndexSwitchOp, gpu::ShuffleOp, gpu::BarrierOp,
                cf::AssertOp, SimdgroupMmaOp, vector::InsertOp,
                vector::ToElementsOp>([&](auto typed) {
            flushComments();
            return emit(typed);
          })
          .Case<memref::AssumeAlignmentOp>([&](auto assume) {
            values[assume.getResult()] = get(assume.getMemref());
            return success();
          })
          // Terminators are printed by their parents.
          .Case<gpu::ReturnOp, scf::YieldOp, scf::ConditionOp,
                memref::PrefetchOp>([](auto) { return success(); })
          .Default([](Operation *) { return std::nullopt; });
  if (statement)
    return *statement;

  // Expressions.
  for (auto builder :
       {&KernelEmitter::arithExpression, &KernelEmitter::mathExpression,
        &KernelEmitter::vectorExpression}) {
    FailureOr<std::optional<Expression>> expression = (this->*builder)(op);
    if (failed(expression))
      return failure();
    if (*expression) {
      // Every type in a kernel must have a name, inlined or not.
      if (failed(typeName(op->getResult(0).getType(), op->getLoc())))
        return failure();
      return bind(op->getResult(0), std::move(**expression));
    }
  }
  if (std::optional<Expression> id = idExpression(op))
    return bind(op->getResult(0), std::move(*id));

  for (Type type : op->getOperandTypes())
    if (getElementTypeOrSelf(type).isF64())
      return op->emitOpError(types.whyUnsupported(type));
  return op->emitOpError("has no spelling in MSL; run fusion-legalize-for-msl "
                         "first, or report a bug if it was run");
}
