//===- KernelAttributes.cpp - Reads MSL kernels' parameters ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scanner for what clang drops: the attributes of kernel parameters. It knows
// comments, brackets and identifiers, which is all that MSL signatures need.
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/MetalFrontend.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::fusion;
using llvm::StringRef;

/// Buffer indices go from 0 to 30.
static constexpr unsigned numBufferIndices = 31;

/// `text` with comments and preprocessor lines blanked out.
static std::string blankComments(StringRef text) {
  std::string result = text.str();
  size_t i = 0;
  auto blankUntil = [&](size_t end) {
    for (; i < std::min(end, result.size()); ++i)
      if (result[i] != '\n')
        result[i] = ' ';
  };
  bool atLineStart = true;
  while (i < result.size()) {
    StringRef rest = text.drop_front(i);
    if (rest.starts_with("//") || (atLineStart && rest.starts_with("#"))) {
      size_t end = text.find('\n', i);
      // A line that ends in a backslash goes on.
      while (end != StringRef::npos && text[end - 1] == '\\')
        end = text.find('\n', end + 1);
      blankUntil(end);
      continue;
    }
    if (rest.starts_with("/*")) {
      size_t end = text.find("*/", i + 2);
      blankUntil(end == StringRef::npos ? end : end + 2);
      continue;
    }
    atLineStart =
        result[i] == '\n' || (atLineStart && llvm::isSpace(result[i]));
    ++i;
  }
  return result;
}

/// The position of the bracket that closes the one at `open`.
static size_t findClosing(StringRef text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (StringRef("([{").contains(text[i]))
      ++depth;
    else if (StringRef(")]}").contains(text[i]) && --depth == 0)
      return i;
  }
  return StringRef::npos;
}

/// `text` cut at the commas outside brackets.
static llvm::SmallVector<StringRef> splitParameters(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("([{<").contains(text[i]))
      ++depth;
    else if (StringRef(")]}>").contains(text[i]))
      --depth;
    else if (text[i] == ',' && depth == 0) {
      parts.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (StringRef last = text.drop_front(start).trim(); !last.empty())
    parts.push_back(last);
  return parts;
}

/// True where `parameter` takes a struct by reference from constant memory.
static bool isPackedStruct(StringRef parameter) {
  StringRef rest = parameter.trim();
  if (!rest.consume_front("constant"))
    return false;
  StringRef type = rest.ltrim().take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return !llvm::StringSwitch<bool>(type.rtrim("234"))
              .Cases(
                  {"bool", "char", "uchar", "short", "ushort", "int", "uint"},
                  true)
              .Cases({"long", "ulong", "half", "bfloat", "float"}, true)
              .Default(false);
}

llvm::Expected<llvm::StringMap<MetalKernelInfo>>
mlir::fusion::parseMetalKernels(StringRef source) {
  std::string blanked = blankComments(source);
  StringRef text = blanked;
  llvm::StringMap<MetalKernelInfo> kernels;
  size_t position = 0;
  while (true) {
    position = text.find("kernel", position);
    if (position == StringRef::npos)
      return kernels;
    bool isWord = (position == 0 || !(llvm::isAlnum(text[position - 1]) ||
                                      text[position - 1] == '_')) &&
                  llvm::isSpace(text[std::min(position + 6, text.size() - 1)]);
    position += 6;
    StringRef rest = text.drop_front(position).ltrim();
    if (!isWord || !rest.consume_front("void"))
      continue;
    rest = rest.ltrim();
    StringRef name =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    auto error = [&](const llvm::Twine &what) {
      size_t line = text.take_front(position).count('\n') + 1;
      return llvm::createStringError(llvm::formatv(
          "MSL line {0}: kernel '{1}': {2}", line, name, what.str()));
    };
    size_t open = text.find('(', position);
    size_t close = open == StringRef::npos ? open : findClosing(text, open);
    if (name.empty() || close == StringRef::npos)
      return error("no parameter list");

    MetalKernelInfo info;
    llvm::SmallSet<unsigned, 32> buffers;
    for (StringRef parameter : splitParameters(text.slice(open + 1, close))) {
      size_t begin = parameter.find("[["), end = parameter.find("]]");
      if (begin == StringRef::npos || end == StringRef::npos || end < begin)
        return error("parameter '" + parameter + "' has no [[attribute]]");
      StringRef attribute = parameter.slice(begin + 2, end).trim();
      MetalKernelInfo::Parameter entry;
      StringRef number = attribute;
      if (number.consume_front("buffer(") && number.consume_back(")")) {
        entry.kind = MetalKernelInfo::Parameter::Kind::Buffer;
        if (number.trim().getAsInteger(10, entry.index) ||
            entry.index >= numBufferIndices)
          return error("[[" + attribute + "]]: buffer indices go from 0 to 30");
        if (!buffers.insert(entry.index).second)
          return error("[[" + attribute + "]] is there twice");
        entry.packed = isPackedStruct(parameter);
      } else if (std::optional<MetalBuiltin> builtin =
                     parseMetalBuiltin(attribute)) {
        entry.kind = MetalKernelInfo::Parameter::Kind::Builtin;
        entry.builtin = *builtin;
      } else {
        return error("unknown attribute [[" + attribute + "]]");
      }
      info.parameters.push_back(entry);
    }
    if (!kernels.try_emplace(name, std::move(info)).second)
      return error("is defined twice");
    position = close;
  }
}
