//===- Reduce.cpp - A smaller graph that fails alike ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Reduce.h"

#include "fusion/Analysis/VerifyGraph.h"
#include "fusion/Runtime/Reference.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static FuzzCase clone(const FuzzCase &fuzzCase) {
  FuzzCase copy;
  copy.module = OwningOpRef<ModuleOp>(ModuleOp(*fuzzCase.module).clone());
  copy.options = fuzzCase.options;
  return copy;
}

static unsigned countOperations(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

/// Whether the graph reads what a `tensor.empty` does not hold.
static bool readsUndefined(ModuleOp module) {
  WalkResult result = module.walk([](tensor::EmptyOp empty) {
    for (OpOperand &use : empty->getUses()) {
      Operation *user = use.getOwner();
      if (auto op = dyn_cast<linalg::LinalgOp>(user);
          op && op.isDpsInit(&use) && !op.payloadUsesValueFromOperand(&use))
        continue;
      if (!isa<tensor::DimOp, tensor::InsertSliceOp>(user))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

namespace {

/// The entry function with the sizes of its arguments, which change together.
class Entry {
public:
  explicit Entry(FuzzCase &fuzzCase)
      : options(fuzzCase.options),
        function(findEntryFunction(*fuzzCase.module)) {
    size_t next = 0;
    for (Type type : function.getArgumentTypes()) {
      SmallVector<int64_t> &list = sizes.emplace_back();
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (int64_t i = 0, e = tensor.getNumDynamicDims(); i < e; ++i, ++next)
          list.push_back(
              options.dims.empty()
                  ? 1
                  : options.dims[std::min(next, options.dims.size() - 1)]);
    }
  }

  /// Adds an argument; `dynamicSizes` are those that its type does not say.
  Value addArgument(Type type, ArrayRef<int64_t> dynamicSizes) {
    unsigned at = function.getNumArguments();
    if (failed(function.insertArgument(at, type, {}, function.getLoc())))
      return {};
    sizes.emplace_back(dynamicSizes);
    return function.getArgument(at);
  }

  void eraseUnusedArguments() {
    for (unsigned i = function.getNumArguments(); i-- > 0;) {
      if (!function.getArgument(i).use_empty() ||
          failed(function.eraseArgument(i)))
        continue;
      sizes.erase(sizes.begin() + i);
      if (i < options.weights)
        --options.weights;
      std::vector<unsigned> donated;
      for (unsigned argument : options.donated)
        if (argument != i)
          donated.push_back(argument > i ? argument - 1 : argument);
      options.donated = std::move(donated);
    }
  }

  void dropResult(unsigned i) {
    Operation *terminator = function.getBody().front().getTerminator();
    terminator->eraseOperand(i);
    updateResults();
  }

  void updateResults() {
    Operation *terminator = function.getBody().front().getTerminator();
    function.setFunctionType(FunctionType::get(function.getContext(),
                                               function.getArgumentTypes(),
                                               terminator->getOperandTypes()));
  }

  /// Writes the sizes back.
  void finish() {
    options.dims.clear();
    for (ArrayRef<int64_t> list : sizes)
      options.dims.insert(options.dims.end(), list.begin(), list.end());
  }

  RunOptions &options;
  func::FuncOp function;
  SmallVector<SmallVector<int64_t>> sizes;
};

} // namespace

/// Erases what nothing uses; assertions stay.
static void eraseDeadCode(FuzzCase &fuzzCase) {
  IRRewriter rewriter(fuzzCase.module->getContext());
  Entry entry(fuzzCase);
  (void)runRegionDCE(rewriter, entry.function->getRegions());
  entry.eraseUnusedArguments();
  entry.finish();
}

/// Returns the dynamic sizes of each value that a top-level operation of the
/// entry function computes, in order, found by running the reference, or two
/// for each where it fails.
static std::vector<SmallVector<int64_t>> measureSizes(const FuzzCase &fuzzCase,
                                                      unsigned timeout) {
  FuzzCase copy = clone(fuzzCase);
  Entry entry(copy);
  Operation *terminator = entry.function.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  SmallVector<Value> extents;
  SmallVector<size_t> counts;
  for (Operation &op : entry.function.getBody().front().without_terminator()) {
    for (Value result : op.getResults()) {
      counts.push_back(0);
      auto type = dyn_cast<RankedTensorType>(result.getType());
      for (int64_t d = 0; type && d < type.getRank(); ++d) {
        if (!type.isDynamicDim(d))
          continue;
        ++counts.back();
        Value extent = tensor::DimOp::create(builder, op.getLoc(), result, d);
        extents.push_back(tensor::FromElementsOp::create(
            builder, op.getLoc(), RankedTensorType::get({}, extent.getType()),
            extent));
      }
    }
  }
  terminator->setOperands(extents);
  entry.updateResults();
  std::vector<int64_t> numbers(extents.size(), 2);
  if (!extents.empty()) {
    // A graph that the compiler refuses has not been run yet, and may crash.
    Outcome outcome = runIsolated(
        [&] {
          Outcome measured;
          RunOptions run = copy.options;
          run.device = RunDevice::Reference;
          measured.kind = OutcomeKind::Reference;
          auto reference = GraphReference::create(*copy.module, run);
          if (!reference)
            return llvm::consumeError(reference.takeError()), measured;
          auto results = (*reference)->run(*copy.module, run, llvm::nulls());
          if (!results)
            return llvm::consumeError(results.takeError()), measured;
          measured.kind = OutcomeKind::Agrees;
          for (const Tensor &result : *results)
            measured.message += std::to_string(result.getInteger(0)) + ",";
          return measured;
        },
        timeout);
    StringRef rest = outcome.message;
    if (outcome.kind == OutcomeKind::Agrees)
      for (int64_t &number : numbers) {
        auto [first, others] = rest.split(',');
        if (first.getAsInteger(10, number))
          break;
        rest = others;
      }
  }
  std::vector<SmallVector<int64_t>> sizes;
  ArrayRef<int64_t> rest(numbers);
  for (size_t count : counts) {
    sizes.emplace_back(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {

class Reducer {
public:
  Reducer(const FuzzCase &original, const Outcome &failure,
          const CheckOptions &options)
      : best(clone(original)), failure(failure), options(options) {
    if (!failure.target.empty())
      this->options.targets = {failure.target};
    if (!failure.level.empty())
      this->options.levels = {failure.level};
    this->options.compileOnly = failure.kind == OutcomeKind::Compile;
  }

  FuzzCase run();

private:
  /// Takes `candidate` if it is valid and fails alike.
  bool tryCase(FuzzCase candidate);
  bool tryText(StringRef text);
  /// Changes a copy of the best case, without dead code, and tries it. `change`
  /// returns false where it changes nothing.
  bool tryChange(llvm::function_ref<bool(FuzzCase &)> change);

  bool inlineCalls();
  bool dropOptions();
  bool dropResults();
  bool cutOperations();
  bool bypassOperations();
  bool simplifyBodies();
  bool shrinkSizes();
  bool changeTypes();

  FuzzCase best;
  Outcome failure;
  CheckOptions options;
};

} // namespace

bool Reducer::tryCase(FuzzCase candidate) {
  ScopedDiagnosticHandler quiet(candidate.module->getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(verify(*candidate.module)) || readsUndefined(*candidate.module))
    return false;
  Outcome outcome = runIsolated([&] { return checkCase(candidate, options); },
                                options.timeout);
  if (!outcome.isLike(failure))
    return false;
  best = std::move(candidate);
  return true;
}

bool Reducer::tryChange(llvm::function_ref<bool(FuzzCase &)> change) {
  FuzzCase candidate = clone(best);
  if (!change(candidate))
    return false;
  eraseDeadCode(candidate);
  return tryCase(std::move(candidate));
}

bool Reducer::tryText(StringRef text) {
  FuzzCase candidate;
  candidate.options = best.options;
  {
    ScopedDiagnosticHandler quiet(best.module->getContext(),
                                  [](Diagnostic &) { return success(); });
    candidate.module =
        parseSourceString<ModuleOp>(text, best.module->getContext());
  }
  return candidate.module && tryCase(std::move(candidate));
}

bool Reducer::inlineCalls() {
  bool hasCalls = false;
  best.module->walk([&](func::CallOp) { hasCalls = true; });
  if (!hasCalls)
    return false;
  return tryChange([](FuzzCase &candidate) {
    PassManager manager(candidate.module->getContext());
    manager.addPass(createInlinerPass());
    manager.addPass(createSymbolDCEPass());
    return succeeded(manager.run(*candidate.module));
  });
}

bool Reducer::dropOptions() {
  bool changed = false;
  auto tryOptions = [&](llvm::function_ref<void(RunOptions &)> change) {
    changed |= tryChange([&](FuzzCase &candidate) {
      change(candidate.options);
      return true;
    });
  };
  if (!best.options.donated.empty())
    tryOptions([](RunOptions &options) { options.donated.clear(); });
  if (best.options.donated.size() > 1)
    for (size_t i = best.options.donated.size(); i-- > 0;)
      tryOptions([&](RunOptions &options) {
        if (i < options.donated.size())
          options.donated.erase(options.donated.begin() + i);
      });
  if (best.options.weights)
    tryOptions([](RunOptions &options) { options.weights = 0; });
  if (best.options.exactRounding)
    tryOptions([](RunOptions &options) { options.exactRounding = false; });
  return changed;
}

bool Reducer::dropResults() {
  bool changed = false;
  auto getCount = [&] {
    return findEntryFunction(*best.module).getNumResults();
  };
  // One that fails by itself is found at once.
  unsigned count = getCount();
  for (unsigned kept = 0; count > 1 && kept < count; ++kept)
    if (tryChange([&](FuzzCase &candidate) {
          Entry entry(candidate);
          for (unsigned i = count; i-- > 0;)
            if (i != kept)
              entry.dropResult(i);
          return true;
        }))
      return true;
  for (unsigned i = count; i-- > 0 && getCount() > 1;)
    changed |= tryChange([&](FuzzCase &candidate) {
      Entry(candidate).dropResult(i);
      return true;
    });
  return changed;
}

/// Top-level operations of the entry function.
static SmallVector<Operation *> getOperations(const FuzzCase &fuzzCase) {
  SmallVector<Operation *> operations;
  func::FuncOp function = findEntryFunction(*fuzzCase.module);
  for (Operation &op : function.getBody().front().without_terminator())
    operations.push_back(&op);
  return operations;
}

/// Makes the results of an operation arguments.
bool Reducer::cutOperations() {
  bool changed = false;
  std::vector<SmallVector<int64_t>> sizes = measureSizes(best, options.timeout);
  for (size_t i = getOperations(best).size(); i-- > 0;) {
    bool isCut = tryChange([&](FuzzCase &candidate) {
      SmallVector<Operation *> operations = getOperations(candidate);
      if (i >= operations.size())
        return false;
      Operation *op = operations[i];
      // What is no more than an argument, and what costs nothing.
      if (op->getNumResults() == 0) {
        op->erase();
        return true;
      }
      if (op->getNumOperands() == 0)
        return false;
      size_t first = 0;
      for (size_t before = 0; before < i; ++before)
        first += operations[before]->getNumResults();
      Entry entry(candidate);
      for (auto [n, result] : llvm::enumerate(op->getResults())) {
        if (!isa<RankedTensorType>(result.getType()))
          return false;
        if (result.use_empty())
          continue;
        Value argument = entry.addArgument(result.getType(), sizes[first + n]);
        if (!argument)
          return false;
        result.replaceAllUsesWith(argument);
      }
      entry.finish();
      return true;
    });
    if (!isCut)
      continue;
    changed = true;
    sizes = measureSizes(best, options.timeout);
    i = std::min(i, getOperations(best).size());
  }
  return changed;
}

/// Puts an operand in the place of a result of its type.
bool Reducer::bypassOperations() {
  bool changed = false;
  for (size_t i = getOperations(best).size(); i-- > 0;) {
    for (unsigned n = 0; n < 4; ++n) {
      bool isBypassed = tryChange([&](FuzzCase &candidate) {
        SmallVector<Operation *> operations = getOperations(candidate);
        if (i >= operations.size() || n >= operations[i]->getNumOperands())
          return false;
        Operation *op = operations[i];
        Value operand = op->getOperand(n);
        bool isUsed = false;
        for (Value result : op->getResults()) {
          if (result.use_empty() || result.getType() != operand.getType())
            continue;
          result.replaceAllUsesWith(operand);
          isUsed = true;
        }
        if (isUsed) {
          Entry(candidate).updateResults();
        }
        return isUsed;
      });
      if (isBypassed) {
        changed = true;
        break;
      }
    }
    i = std::min(i, getOperations(best).size());
  }
  return changed;
}

/// Operations within bodies, in order.
static SmallVector<Operation *> getBodyOperations(const FuzzCase &fuzzCase) {
  SmallVector<Operation *> list;
  func::FuncOp function = findEntryFunction(*fuzzCase.module);
  function.walk([&](linalg::LinalgOp op) {
    if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(
            op.getOperation()))
      for (Operation &inner : op.getBlock()->without_terminator())
        if (inner.getNumOperands())
          list.push_back(&inner);
  });
  return list;
}

bool Reducer::simplifyBodies() {
  bool changed = false;
  for (size_t i = getBodyOperations(best).size(); i-- > 0;) {
    for (unsigned n = 0; n < 3; ++n) {
      bool isSimpler = tryChange([&](FuzzCase &candidate) {
        SmallVector<Operation *> list = getBodyOperations(candidate);
        if (i >= list.size() || n >= list[i]->getNumOperands() ||
            list[i]->getNumResults() != 1)
          return false;
        Value operand = list[i]->getOperand(n);
        if (operand.getType() != list[i]->getResult(0).getType())
          return false;
        list[i]->getResult(0).replaceAllUsesWith(operand);
        list[i]->erase();
        return true;
      });
      if (isSimpler) {
        changed = true;
        break;
      }
    }
    i = std::min(i, getBodyOperations(best).size());
  }
  return changed;
}

/// Replaces a size wherever the text has it: in types and in lists of sizes.
static std::string replaceSize(StringRef text, StringRef from, StringRef to) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    bool isStart =
        llvm::isDigit(text[i]) &&
        (i == 0 ||
         (!llvm::isAlnum(text[i - 1]) && text[i - 1] != '%' &&
          text[i - 1] != '.' && text[i - 1] != '_' && text[i - 1] != '#') ||
         (text[i - 1] == 'x' && i > 1 &&
          (llvm::isDigit(text[i - 2]) || text[i - 2] == '?')));
    if (!isStart) {
      result += text[i++];
      continue;
    }
    size_t end = i;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    StringRef number = text.slice(i, end);
    bool isSize = number == from && end < text.size() &&
                  (text[end] == 'x' || text[end] == ',' || text[end] == ']' ||
                   text[end] == ' ');
    result += isSize ? to.str() : number.str();
    i = end;
  }
  return result;
}

bool Reducer::shrinkSizes() {
  bool changed = false;
  llvm::SmallSet<int64_t, 16> sizes;
  best.module->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (int64_t size : tensor.getShape())
          if (!ShapedType::isDynamic(size) && size > 1)
            sizes.insert(size);
  });
  for (Type type : findEntryFunction(*best.module).getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        if (!ShapedType::isDynamic(size) && size > 1)
          sizes.insert(size);
  for (int64_t size : best.options.dims)
    if (size > 1)
      sizes.insert(size);
  SmallVector<int64_t> order(sizes.begin(), sizes.end());
  llvm::sort(order, std::greater<int64_t>());
  for (int64_t size : order) {
    for (int64_t smaller :
         {int64_t(1), int64_t(2), int64_t(3), int64_t(5), size / 2, size - 1}) {
      if (smaller >= size || smaller < 1)
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << *best.module;
      std::vector<int64_t> dims = best.options.dims;
      for (int64_t &dim : best.options.dims)
        if (dim == size)
          dim = smaller;
      if (tryText(replaceSize(text, std::to_string(size),
                              std::to_string(smaller)))) {
        changed = true;
        break;
      }
      best.options.dims = dims;
    }
  }
  return changed;
}

/// f32 in place of narrower types.
bool Reducer::changeTypes() {
  bool changed = false;
  for (StringRef from : {"bf16", "f16"}) {
    std::string text;
    llvm::raw_string_ostream(text) << *best.module;
    std::string replaced;
    for (size_t i = 0; i < text.size();) {
      StringRef rest = StringRef(text).substr(i);
      bool isName =
          rest.starts_with(from) &&
          (i == 0 || (!llvm::isAlpha(text[i - 1]) || text[i - 1] == 'x'));
      replaced += isName ? "f32" : std::string(1, text[i]);
      i += isName ? from.size() : 1;
    }
    if (replaced != text)
      changed |= tryText(replaced);
  }
  return changed;
}

FuzzCase Reducer::run() {
  inlineCalls();
  // A round makes way for the next; a few are enough.
  for (unsigned round = 0; round < 6; ++round) {
    unsigned before = countOperations(*best.module);
    bool changed = dropResults();
    changed |= dropOptions();
    changed |= cutOperations();
    changed |= bypassOperations();
    changed |= simplifyBodies();
    changed |= shrinkSizes();
    if (!changed || (round > 2 && countOperations(*best.module) == before))
      break;
  }
  changeTypes();
  return std::move(best);
}

FuzzCase fuzz::reduceCase(const FuzzCase &fuzzCase, const Outcome &failure,
                          const CheckOptions &options) {
  return Reducer(fuzzCase, failure, options).run();
}
