//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes .npy files. Types that NumPy lacks are stored as unsigned
// integers of their bit patterns, with the type in the file's name:
// `arg3.bf16.npy`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_NPY_H
#define FUSION_RUNTIME_NPY_H

#include "fusion/Runtime/Tensor.h"

namespace mlir::fusion {

/// Reads an array from the bytes of an .npy file; `name` is used in messages.
/// Integers have signed types, except NumPy's unsigned ones.
llvm::Expected<Tensor> parseNpy(llvm::StringRef contents, llvm::StringRef name);

/// Reads the array in the file `path`. When the name ends in `.TYPE.npy` for a
/// type that NumPy lacks, the array has that type.
llvm::Expected<Tensor> readNpy(llvm::StringRef path);

/// Returns the contents of an .npy file for `tensor`.
std::string printNpy(const Tensor &tensor);

/// Writes `tensor` to `path`.
llvm::Error writeNpy(llvm::StringRef path, const Tensor &tensor);

/// Returns the file name of array `name` with elements of `type`: "arg3.npy",
/// "arg3.bf16.npy".
std::string getNpyFileName(llvm::StringRef name, ElementType type);

/// Returns the path of array `name` in `folder`, whatever its type is, or
/// nothing if there is no such file.
std::optional<std::string> findNpy(llvm::StringRef folder,
                                   llvm::StringRef name);

/// Reads array `name` from `folder`.
llvm::Expected<Tensor> readArray(llvm::StringRef folder, llvm::StringRef name);

/// Reads array `name` from `folder`, which must have elements of `type` (or an
/// integer type of the same size, since MLIR's integers have no sign) and the
/// given shape, where a negative size stands for any.
llvm::Expected<Tensor> readArray(llvm::StringRef folder, llvm::StringRef name,
                                 ElementType type,
                                 llvm::ArrayRef<int64_t> shape);

/// Writes `tensor` as array `name` into `folder`, which must exist.
llvm::Error writeArray(llvm::StringRef folder, llvm::StringRef name,
                       const Tensor &tensor);

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_NPY_H
