//===- ExplainGroups.cpp - Why groups are what they are -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/ExplainGroups.h"
#include "Grouping.h"
#include "fusion/Transforms/DuplicateGathers.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

std::string Grouping::explainEdge(GroupId producer, GroupId consumer) {
  if (level == FusionLevel::None)
    return "each operation is a kernel of its own at this level";
  if (!graph.canMerge(producer, consumer))
    return "a third group lies between them";
  StringRef why;
  if (isNorm(producer) && hasRole(consumer, FusionRole::Contraction)) {
    std::optional<GroupId> reader = getOnlyReader(producer);
    if (!reader)
      return "others read it, too";
    std::string cost;
    if (!canFoldNorm(producer, consumer, why))
      return why.str();
    if (!paysToFoldNorm(producer, consumer, cost))
      return "folding it into the product does not pay: " + cost;
  }
  for (Operation *member : graph.getMembers(consumer)) {
    bool reads =
        llvm::any_of(graph.getProducers(member), [&](Operation *operation) {
          return graph.getGroup(operation) == producer;
        });
    if (!reads)
      continue;
    FusionRole role = getRole(member);
    if (role == FusionRole::Contraction || role == FusionRole::Attention)
      return "a product or attention starts a group: its operands are memory";
    if (role == FusionRole::Barrier)
      return "a barrier";
    if (!fits(getUnion(producer, consumer), member, why))
      return why.str();
  }
  return "one kernel could compute both, but each has other readers or "
         "producers that are better off so";
}

/// The size of a value; nullopt if it is not known.
static std::optional<int64_t> getBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  return type.getNumElements() *
         std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1);
}

static void add(std::optional<int64_t> &total, std::optional<int64_t> bytes) {
  total =
      total && bytes ? std::optional<int64_t>(*total + *bytes) : std::nullopt;
}

static std::string nameOf(Value value, AsmState &state) {
  std::string name;
  llvm::raw_string_ostream os(name);
  value.printAsOperand(os, state);
  return name;
}

std::vector<ExplainedGroup>
fusion::explainGroups(func::FuncOp func, const FormGroupsOptions &options) {
  if (options.level >= FusionLevel::Pattern)
    duplicateGathers(func);
  AsmState state(func);
  Grouping grouping(func, options);
  grouping.run();
  GroupGraph &graph = grouping.getGraph();
  SmallVector<GroupGraph::GroupId> order = graph.getTopologicalOrder();
  llvm::DenseMap<GroupGraph::GroupId, size_t> indices;
  std::vector<ExplainedGroup> groups;
  // What leaves its group.
  llvm::SetVector<Value> stored;
  for (Value result : func.getBody().front().getTerminator()->getOperands())
    collectNodeOperands(result, graph, stored);
  for (GroupGraph::GroupId group : order) {
    indices[group] = groups.size();
    ExplainedGroup &explained = groups.emplace_back();
    explained.kind = grouping.classify(graph.getMembers(group));
    llvm::MapVector<GroupGraph::GroupId, llvm::SetVector<Value>> reads;
    for (Operation *member : graph.getMembers(group)) {
      std::string text;
      llvm::raw_string_ostream os(text);
      for (Value result : member->getResults())
        os << nameOf(result, state) << " = ";
      os << member->getName();
      if (member->getNumResults() > 0)
        os << " : " << member->getResult(0).getType();
      explained.operations.push_back(text);
      llvm::SetVector<Value> operands;
      member->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (operand.getParentBlock() == &func.getBody().front())
            collectNodeOperands(operand, graph, operands);
      });
      for (Value operand : operands) {
        Operation *producer = operand.getDefiningOp();
        if (!producer || !graph.isNode(producer))
          continue;
        if (graph.getGroup(producer) == group) {
          add(explained.savedBytes, getBytes(operand));
          continue;
        }
        reads[graph.getGroup(producer)].insert(operand);
        stored.insert(operand);
      }
    }
    for (auto &[producer, values] : reads) {
      ExplainedEdge &edge = explained.edges.emplace_back();
      edge.producer = indices.lookup(producer);
      edge.bytes = 0;
      for (Value value : values) {
        edge.values.push_back(nameOf(value, state));
        add(edge.bytes, getBytes(value));
      }
      edge.why = grouping.explainEdge(producer, group);
    }
  }
  for (auto [group, explained] : llvm::zip_equal(order, groups))
    for (Operation *member : graph.getMembers(group))
      for (Value result : member->getResults())
        if (!stored.contains(result))
          add(explained.savedBytes, getBytes(result));
  return groups;
}

static std::string printBytes(std::optional<int64_t> bytes) {
  if (!bytes)
    return "? bytes";
  return std::to_string(*bytes) + " bytes";
}

/// What a group saves; empty for an operation of its own.
static std::string printSavings(const ExplainedGroup &group) {
  size_t launches = group.operations.size() - 1;
  if (launches == 0)
    return "";
  return llvm::formatv("{0} launch{1} and {2}", launches,
                       launches == 1 ? "" : "es", printBytes(group.savedBytes))
      .str();
}

/// What a group's kernel takes; empty where that is not known.
static std::string printKernel(const ExplainedGroup &group) {
  if (!group.kernel)
    return "";
  const ExplainedKernel &kernel = *group.kernel;
  std::string text =
      llvm::formatv("{0}: {1} threads, {2} bytes of shared memory", kernel.name,
                    kernel.threads, kernel.sharedBytes);
  if (kernel.registers)
    text += llvm::formatv(", {0} registers a thread", *kernel.registers);
  return text;
}

void fusion::printExplanation(ArrayRef<ExplainedGroup> groups,
                              raw_ostream &os) {
  for (auto [index, group] : llvm::enumerate(groups)) {
    os << "group " << index << ", " << stringifyGroupKind(group.kind);
    if (std::string savings = printSavings(group); !savings.empty())
      os << ": saves " << savings;
    os << "\n";
    for (const std::string &operation : group.operations)
      os << "  " << operation << "\n";
    if (std::string kernel = printKernel(group); !kernel.empty())
      os << "  takes " << kernel << "\n";
    for (const ExplainedEdge &edge : group.edges)
      os << "  reads group " << edge.producer << " ("
         << llvm::join(edge.values, ", ") << "; " << printBytes(edge.bytes)
         << "): " << edge.why << "\n";
  }
}

/// Puts what HTML reserves into entities.
static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

void fusion::printExplanationHTML(ArrayRef<ExplainedGroup> groups,
                                  raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">"
        "<title>Groups</title>\n<style>table { border-collapse: collapse } "
        "td, th { border: 1px solid #999; padding: 0.3em; vertical-align: top; "
        "text-align: left }</style></head>\n<body><table>\n"
        "<tr><th>group</th><th>kind</th><th>operations</th><th>saves</th>"
        "<th>takes</th><th>reads</th></tr>\n";
  for (auto [index, group] : llvm::enumerate(groups)) {
    os << "<tr id=\"group" << index << "\"><td>" << index << "</td><td>"
       << stringifyGroupKind(group.kind) << "</td><td>";
    llvm::interleave(
        group.operations, os,
        [&](const std::string &operation) { os << escape(operation); }, "<br>");
    os << "</td><td>" << printSavings(group) << "</td><td>"
       << printKernel(group) << "</td><td>";
    llvm::interleave(
        group.edges, os,
        [&](const ExplainedEdge &edge) {
          os << "<a href=\"#group" << edge.producer << "\">group "
             << edge.producer << "</a> ("
             << escape(llvm::join(edge.values, ", ")) << "; "
             << printBytes(edge.bytes) << "): " << escape(edge.why);
        },
        "<br>");
    os << "</td></tr>\n";
  }
  os << "</table></body></html>\n";
}
