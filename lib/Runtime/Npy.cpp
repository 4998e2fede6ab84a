//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir::fusion;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using llvm::StringRef;

namespace {

constexpr StringRef kMagic("\x93NUMPY", 6);

/// The types stored as bit patterns.
constexpr ElementType::Kind kPatternTypes[] = {
    ElementType::BF16, ElementType::F8E4M3FN, ElementType::F8E5M2};

Error makeError(StringRef file, const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 file + ": " + text);
}

/// The fields of a header.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t, 4> shape;
};

/// Parses the dictionary of a header: a Python literal with three keys.
class HeaderParser {
public:
  HeaderParser(StringRef text, StringRef file) : rest(text), file(file) {}

  Expected<Header> parse() {
    Header header;
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!consume('{'))
      return fail("'{'");
    while (!consume('}')) {
      std::string key;
      if (!parseString(key))
        return fail("a key");
      if (!consume(':'))
        return fail("':'");
      if (key == "descr" && !hasDescr) {
        hasDescr = true;
        if (!parseString(header.descr))
          return makeError(file,
                           "the elements are structures; expected numbers");
      } else if (key == "fortran_order" && !hasOrder) {
        hasOrder = true;
        if (!parseBool(header.fortranOrder))
          return fail("True or False");
      } else if (key == "shape" && !hasShape) {
        hasShape = true;
        if (!parseShape(header.shape))
          return fail("a tuple of sizes");
      } else {
        return makeError(file, "unexpected or repeated key '" + key +
                                   "' in the .npy header");
      }
      if (!consume(',') && !peek('}'))
        return fail("',' or '}'");
    }
    if (!rest.trim().empty())
      return fail("the end of the header");
    if (!hasDescr || !hasOrder || !hasShape)
      return makeError(file, "the .npy header lacks descr, fortran_order or "
                             "shape");
    return header;
  }

private:
  Error fail(StringRef expected) {
    return makeError(file, "malformed .npy header: expected " + expected +
                               " at '" + rest.take_front(16) + "'");
  }

  bool peek(char c) {
    rest = rest.ltrim();
    return rest.starts_with(StringRef(&c, 1));
  }

  bool consume(char c) {
    if (!peek(c))
      return false;
    rest = rest.drop_front();
    return true;
  }

  bool parseString(std::string &value) {
    char quote = peek('\'') ? '\'' : '"';
    if (!consume(quote))
      return false;
    size_t end = rest.find(quote);
    if (end == StringRef::npos)
      return false;
    value = rest.take_front(end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool parseBool(bool &value) {
    rest = rest.ltrim();
    value = rest.starts_with("True");
    return rest.consume_front("True") || rest.consume_front("False");
  }

  bool parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!consume('('))
      return false;
    while (!consume(')')) {
      rest = rest.ltrim();
      int64_t size;
      if (rest.consumeInteger(10, size) || size < 0)
        return false;
      shape.push_back(size);
      if (!consume(',') && !peek(')'))
        return false;
    }
    return true;
  }

  StringRef rest, file;
};

std::optional<ElementType> getElementType(StringRef code) {
  return llvm::StringSwitch<std::optional<ElementType>>(code)
      .Case("f2", ElementType::F16)
      .Case("f4", ElementType::F32)
      .Case("f8", ElementType::F64)
      .Case("b1", ElementType::I1)
      .Case("i1", ElementType::I8)
      .Case("i2", ElementType::I16)
      .Case("i4", ElementType::I32)
      .Case("i8", ElementType::I64)
      .Case("u1", ElementType::UI8)
      .Case("u2", ElementType::UI16)
      .Case("u4", ElementType::UI32)
      .Case("u8", ElementType::UI64)
      .Case("c8", ElementType::ComplexF32)
      .Case("c16", ElementType::ComplexF64)
      .Default(std::nullopt);
}

StringRef getCode(ElementType type) {
  switch (type.getKind()) {
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
  case ElementType::UI8:
    return "|u1";
  case ElementType::BF16:
  case ElementType::UI16:
    return "<u2";
  case ElementType::F16:
    return "<f2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
  case ElementType::Index:
    return "<i8";
  case ElementType::UI32:
    return "<u4";
  case ElementType::UI64:
    return "<u8";
  case ElementType::ComplexF32:
    return "<c8";
  case ElementType::ComplexF64:
    return "<c16";
  }
  return "";
}

bool isPatternType(ElementType type) {
  return llvm::is_contained(kPatternTypes, type.getKind());
}

} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Expected<Tensor> mlir::fusion::parseNpy(StringRef contents, StringRef name) {
  StringRef rest = contents;
  if (!rest.consume_front(kMagic))
    return makeError(name, "not an .npy file");
  if (rest.size() < 4)
    return makeError(name, "truncated in the .npy header");
  uint8_t version = rest[0];
  if (version < 1 || version > 3)
    return makeError(name, formatv("unknown .npy version {0}; expected 1 to 3",
                                   unsigned(version)));
  rest = rest.drop_front(2);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return makeError(name, "truncated in the .npy header");
  size_t length = version == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return makeError(name, "truncated in the .npy header");

  Expected<Header> header = HeaderParser(rest.take_front(length), name).parse();
  if (!header)
    return header.takeError();
  rest = rest.drop_front(length);

  StringRef code = header->descr;
  if (code.starts_with(">"))
    return makeError(name, "big-endian elements '" + code +
                               "'; hint: store with array.astype('<" +
                               code.drop_front() + "')");
  if (!code.empty() && StringRef("<=|").contains(code.front()))
    code = code.drop_front();
  std::optional<ElementType> type = getElementType(code);
  if (!type)
    return makeError(name, "unsupported element type '" + header->descr +
                               "'; expected f2, f4, f8, c8, c16, b1 or an "
                               "integer of 1 to 8 bytes");
  if (header->fortranOrder)
    return makeError(name, "the array is in Fortran order; expected C order; "
                           "hint: store numpy.ascontiguousarray(array)");
  std::optional<int64_t> count = countElements(header->shape, type->getBytes());
  if (!count)
    return makeError(name, "the array is too large");
  uint64_t bytes = uint64_t(*count) * type->getBytes();
  if (rest.size() != bytes)
    return makeError(name, formatv("expected {0} bytes of data for {1}, found "
                                   "{2}",
                                   bytes, printShape(header->shape, *type),
                                   rest.size()));
  Tensor tensor(*type, header->shape);
  if (bytes)
    std::memcpy(tensor.data(), rest.data(), bytes);
  return tensor;
}

Expected<Tensor> mlir::fusion::readNpy(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(path, "can not be read: " + buffer.getError().message());
  Expected<Tensor> tensor = parseNpy((*buffer)->getBuffer(), path);
  if (!tensor)
    return tensor;
  StringRef stem = llvm::sys::path::stem(path);
  for (ElementType type : kPatternTypes) {
    if (!stem.ends_with(("." + type.getName()).str()))
      continue;
    ElementType pattern =
        type.getBytes() == 1 ? ElementType::UI8 : ElementType::UI16;
    if (tensor->getType() != pattern)
      return makeError(path, formatv("expected the bit patterns of {0} as {1}, "
                                     "found {2}",
                                     type.getName(), pattern.getName(),
                                     tensor->getType().getName()));
    tensor->setType(type);
  }
  return tensor;
}

std::string mlir::fusion::printNpy(const Tensor &tensor) {
  std::string dictionary;
  llvm::raw_string_ostream os(dictionary);
  os << "{'descr': '" << getCode(tensor.getType())
     << "', 'fortran_order': False, 'shape': (";
  llvm::interleaveComma(tensor.getShape(), os);
  if (tensor.getRank() == 1)
    os << ',';
  os << "), }";
  // Version 1 holds 65535 characters, enough for thousands of dimensions. The
  // data starts at a multiple of 64.
  constexpr size_t kPrefix = 10, kAlignment = 64;
  size_t length =
      llvm::alignTo(kPrefix + dictionary.size() + 1, kAlignment) - kPrefix;
  dictionary.resize(length - 1, ' ');
  dictionary += '\n';
  std::string text = kMagic.str();
  text += {1, 0, char(length & 255), char(length >> 8)};
  text += dictionary;
  text.append(tensor.data(), tensor.getNumBytes());
  return text;
}

Error mlir::fusion::writeNpy(StringRef path, const Tensor &tensor) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return makeError(path, "can not be written: " + code.message());
  os << printNpy(tensor);
  os.close();
  if (os.has_error()) {
    std::string message = os.error().message();
    os.clear_error();
    return makeError(path, "can not be written: " + message);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

std::string mlir::fusion::getNpyFileName(StringRef name, ElementType type) {
  std::string file = name.str();
  if (isPatternType(type))
    file += ("." + type.getName()).str();
  return file + ".npy";
}

std::optional<std::string> mlir::fusion::findNpy(StringRef folder,
                                                 StringRef name) {
  auto find = [&](ElementType type) -> std::optional<std::string> {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, getNpyFileName(name, type));
    if (!llvm::sys::fs::exists(path))
      return std::nullopt;
    return std::string(path);
  };
  if (auto path = find(ElementType::F32))
    return path;
  for (ElementType type : kPatternTypes)
    if (auto path = find(type))
      return path;
  return std::nullopt;
}

Expected<Tensor> mlir::fusion::readArray(StringRef folder, StringRef name) {
  std::optional<std::string> path = findNpy(folder, name);
  if (!path)
    return makeError(folder, "there is no " + name + ".npy");
  return readNpy(*path);
}

Expected<Tensor> mlir::fusion::readArray(StringRef folder, StringRef name,
                                         ElementType type,
                                         llvm::ArrayRef<int64_t> shape) {
  std::optional<std::string> path = findNpy(folder, name);
  if (!path)
    return makeError(folder, "there is no " + getNpyFileName(name, type));
  Expected<Tensor> tensor = readNpy(*path);
  if (!tensor)
    return tensor;
  ElementType found = tensor->getType();
  bool matches = found == type || (found.isInteger() && type.isInteger() &&
                                   found.getBytes() == type.getBytes());
  matches &= tensor->getRank() == int64_t(shape.size());
  for (size_t d = 0; matches && d < shape.size(); ++d)
    matches = shape[d] < 0 || shape[d] == tensor->getShape()[d];
  if (!matches) {
    std::string expected;
    for (int64_t size : shape)
      expected += (size < 0 ? "?" : std::to_string(size)) + "x";
    return makeError(*path, "expected " + expected + type.getName() +
                                ", found " + tensor->describe());
  }
  tensor->setType(type);
  return tensor;
}

Error mlir::fusion::writeArray(StringRef folder, StringRef name,
                               const Tensor &tensor) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, getNpyFileName(name, tensor.getType()));
  return writeNpy(path, tensor);
}
