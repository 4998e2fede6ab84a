//===- PlanParser.cpp - From plan.json to a launch plan -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanExpression.h"

#include "fusion/Target/PlanEvaluation.h"
#include "fusion/Target/PlanJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Base64.h"

using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// Reads the fields of one object, each once; what is left over is an error.
class ObjectReader {
public:
  ObjectReader(const json::Value &value, json::Path path)
      : object(value.getAsObject()), path(path) {
    if (!object)
      path.report("expected an object");
  }

  explicit operator bool() const { return object; }

  json::Path at(StringRef key) { return path.field(key); }

  /// Returns the field or, without reporting it, null.
  const json::Value *find(StringRef key) {
    known.push_back(key);
    return object->get(key);
  }

  /// Returns the field; reports its absence.
  const json::Value *get(StringRef key) {
    const json::Value *value = find(key);
    if (!value)
      at(key).report("missing");
    return value;
  }

  template <typename T>
  bool read(StringRef key, T &result) {
    const json::Value *value = get(key);
    return value && json::fromJSON(*value, result, at(key));
  }

  /// Reads a number of at most 32 bits, no less than zero.
  bool read(StringRef key, uint32_t &result) {
    const json::Value *value = get(key);
    return value && readNumber(*value, at(key), result);
  }

  static bool readNumber(const json::Value &value, json::Path path,
                         uint32_t &result) {
    std::optional<int64_t> number = value.getAsInteger();
    if (!number || *number < 0 || *number > UINT32_MAX) {
      path.report("expected a number of 32 bits");
      return false;
    }
    result = *number;
    return true;
  }

  /// Reads a flag that is false where it is left out.
  bool readFlag(StringRef key, bool &result) {
    const json::Value *value = find(key);
    result = false;
    return !value || json::fromJSON(*value, result, at(key));
  }

  /// Reports fields that were not asked for.
  bool finish() {
    for (const auto &field : *object) {
      if (llvm::is_contained(known, StringRef(field.first)))
        continue;
      at(field.first).report("unknown key");
      return false;
    }
    return true;
  }

private:
  const json::Object *object;
  json::Path path;
  llvm::SmallVector<StringRef, 12> known;
};

class Parser {
public:
  Parser() : root("plan"), builder(plan.scalars) {}

  llvm::Expected<LaunchPlan> parse(const json::Value &value) {
    if (!parsePlan(value, root)) {
      std::string expression = std::move(expressionError);
      llvm::Error error = root.getError();
      if (expression.empty())
        return std::move(error);
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     llvm::toString(std::move(error)) + ": " +
                                         expression);
    }
    if (llvm::Error error = verifyPlan(plan))
      return std::move(error);
    return std::move(plan);
  }

private:
  template <typename ParseElement>
  bool parseList(ObjectReader &reader, StringRef key, ParseElement parse) {
    const json::Value *value = reader.get(key);
    if (!value)
      return false;
    const json::Array *array = value->getAsArray();
    if (!array) {
      reader.at(key).report("expected an array");
      return false;
    }
    json::Path path = reader.at(key);
    for (auto [i, element] : llvm::enumerate(*array))
      if (!parse(element, path.index(i)))
        return false;
    return true;
  }

  bool parsePlan(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    if (!reader)
      return false;
    int64_t version;
    if (!reader.read("version", version))
      return false;
    if (version != 1) {
      reader.at("version").report("expected version 1");
      return false;
    }
    auto parser = [this](auto method) {
      return [this, method](const json::Value &value, json::Path path) {
        return (this->*method)(value, path);
      };
    };
    return reader.read("model", plan.model) &&
           reader.read("target", plan.target) &&
           parseList(reader, "scalars", parser(&Parser::parseNamed)) &&
           parseList(reader, "arguments", parser(&Parser::parseArgument)) &&
           parseList(reader, "results", parser(&Parser::parseResult)) &&
           parseScalar(reader, "arenaBytes", plan.arenaBytes) &&
           parseList(reader, "buffers", parser(&Parser::parseBuffer)) &&
           parseList(reader, "kernels", parser(&Parser::parseKernel)) &&
           parseList(reader, "steps", parser(&Parser::parseStep)) &&
           reader.finish();
  }

  bool parseScalar(const json::Value &value, json::Path path,
                   ScalarId &result) {
    if (std::optional<int64_t> number = value.getAsInteger()) {
      result = builder.constant(*number);
      return true;
    }
    std::optional<StringRef> text = value.getAsString();
    if (!text) {
      path.report("expected an integer or an expression");
      return false;
    }
    llvm::Expected<ScalarId> scalar = parseExpression(*text, builder, names);
    if (!scalar) {
      expressionError = llvm::toString(scalar.takeError());
      path.report("malformed expression");
      return false;
    }
    result = *scalar;
    return true;
  }

  bool parseScalar(ObjectReader &reader, StringRef key, ScalarId &result) {
    const json::Value *value = reader.get(key);
    return value && parseScalar(*value, reader.at(key), result);
  }

  bool parseNamed(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    std::string name;
    ScalarId scalar;
    if (!reader || !reader.read("name", name) ||
        !parseScalar(reader, "value", scalar))
      return false;
    if (!isExpressionName(name) || !names.try_emplace(name, scalar).second) {
      reader.at("name").report("expected a new name of letters and digits");
      return false;
    }
    return reader.finish();
  }

  bool parseType(ObjectReader &reader, PlanType &type) {
    return reader.read("element", type.element) &&
           parseList(
               reader, "shape", [&](const json::Value &value, json::Path path) {
                 return parseScalar(value, path, type.shape.emplace_back());
               });
  }

  bool parseArgument(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    bool isDonated;
    if (!reader || !parseType(reader, plan.arguments.emplace_back()) ||
        !reader.readFlag("donated", isDonated))
      return false;
    plan.donated.push_back(isDonated);
    return reader.finish();
  }

  bool parseResult(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    PlanResult &result = plan.results.emplace_back();
    return reader && parseType(reader, result.type) &&
           reader.read("buffer", result.buffer) && reader.finish();
  }

  bool parseBuffer(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    PlanBuffer &buffer = plan.buffers.emplace_back();
    std::string place;
    if (!reader || !reader.read("place", place) ||
        !reader.read("element", buffer.element) ||
        !parseScalar(reader, "bytes", buffer.bytes))
      return false;
    if (place == "argument" || place == "result") {
      buffer.place = place == "argument" ? PlanBuffer::Place::Argument
                                         : PlanBuffer::Place::Result;
      if (!reader.read("index", buffer.index))
        return false;
    } else if (place == "arena") {
      buffer.place = PlanBuffer::Place::Arena;
      if (!parseScalar(reader, "offset", buffer.offset))
        return false;
    } else if (place == "constant") {
      buffer.place = PlanBuffer::Place::Constant;
      std::string data;
      if (!reader.read("data", data))
        return false;
      if (llvm::Error error = llvm::decodeBase64(data, buffer.data)) {
        expressionError = llvm::toString(std::move(error));
        reader.at("data").report("malformed base64");
        return false;
      }
    } else {
      reader.at("place").report("expected argument, result, arena or constant");
      return false;
    }
    return reader.finish();
  }

  bool parseBlock(ObjectReader &reader, PlanKernel &kernel) {
    std::vector<uint32_t> sizes;
    if (!parseList(
            reader, "block", [&](const json::Value &size, json::Path path) {
              return ObjectReader::readNumber(size, path, sizes.emplace_back());
            }))
      return false;
    if (sizes.size() != std::size(kernel.block)) {
      reader.at("block").report("expected three sizes");
      return false;
    }
    llvm::copy(sizes, std::begin(kernel.block));
    return true;
  }

  bool parseKernel(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    PlanKernel &kernel = plan.kernels.emplace_back();
    if (!reader || !reader.read("name", kernel.name) ||
        !reader.read("kind", kernel.kind) ||
        !reader.read("sharedBytes", kernel.sharedBytes) ||
        !reader.readFlag("index32", kernel.index32) ||
        !parseBlock(reader, kernel))
      return false;
    kernels.try_emplace(kernel.name, plan.kernels.size() - 1);
    return reader.finish();
  }

  bool parseOperand(const json::Value &value, json::Path path,
                    PlanOperand &operand) {
    ObjectReader reader(value, path);
    if (!reader)
      return false;
    if (const json::Value *scalar = reader.find("scalar")) {
      operand.kind = PlanOperand::Kind::Scalar;
      return parseScalar(*scalar, reader.at("scalar"), operand.id) &&
             reader.read("bytes", operand.bytes) && reader.finish();
    }
    std::string access;
    if (!reader.read("buffer", operand.id) || !reader.read("access", access))
      return false;
    if (!llvm::is_contained({"", "r", "w", "rw"}, StringRef(access))) {
      reader.at("access").report("expected r, w, rw or nothing");
      return false;
    }
    operand.reads = StringRef(access).contains('r');
    operand.writes = StringRef(access).contains('w');
    return reader.finish();
  }

  bool parseStep(const json::Value &value, json::Path path) {
    ObjectReader reader(value, path);
    PlanStep &step = plan.steps.emplace_back();
    std::string kind;
    if (!reader || !reader.read("kind", kind) ||
        !reader.readFlag("prepare", step.prepare))
      return false;
    if (reader.find("dependencies") &&
        !parseList(reader, "dependencies",
                   [&](const json::Value &dependency, json::Path path) {
                     return ObjectReader::readNumber(
                         dependency, path, step.dependencies.emplace_back());
                   }))
      return false;
    bool isParsed = false;
    if (kind == "launch") {
      isParsed = parseLaunch(reader, step);
    } else if (kind == "copy") {
      step.kind = PlanStep::Kind::Copy;
      isParsed = reader.read("source", step.source) &&
                 reader.read("destination", step.destination);
    } else if (kind == "check") {
      step.kind = PlanStep::Kind::Check;
      isParsed = parseScalar(reader, "condition", step.condition) &&
                 reader.read("message", step.message);
    } else {
      reader.at("kind").report("expected launch, copy or check");
    }
    return isParsed && reader.finish();
  }

  bool parseLaunch(ObjectReader &reader, PlanStep &step) {
    step.kind = PlanStep::Kind::Launch;
    std::string kernel;
    if (!reader.read("kernel", kernel))
      return false;
    auto it = kernels.find(kernel);
    if (it == kernels.end()) {
      reader.at("kernel").report("expected the name of a kernel");
      return false;
    }
    step.kernel = it->second;
    std::vector<ScalarId> grid;
    if (!parseList(reader, "grid",
                   [&](const json::Value &size, json::Path path) {
                     return parseScalar(size, path, grid.emplace_back());
                   }))
      return false;
    if (grid.size() != 3) {
      reader.at("grid").report("expected three sizes");
      return false;
    }
    llvm::copy(grid, step.grid);
    return parseList(reader, "operands",
                     [&](const json::Value &operand, json::Path path) {
                       return parseOperand(operand, path,
                                           step.operands.emplace_back());
                     }) &&
           parseScalar(reader, "minimumBytes", step.minimumBytes) &&
           parseScalar(reader, "bytes", step.bytes) &&
           parseScalar(reader, "rereadBytes", step.rereadBytes) &&
           parseScalar(reader, "flops", step.flops);
  }

  json::Path::Root root;
  LaunchPlan plan;
  ScalarBuilder builder;
  llvm::StringMap<ScalarId> names;
  llvm::StringMap<uint32_t> kernels;
  /// What is wrong with a string, beyond what a path's message can hold.
  std::string expressionError;
};

} // namespace

llvm::Expected<LaunchPlan> mlir::fusion::parsePlanJSON(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  return Parser().parse(*value);
}
