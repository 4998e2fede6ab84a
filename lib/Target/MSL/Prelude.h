//===- Prelude.h - Helper functions that MSL lacks --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_MSL_PRELUDE_H
#define FUSION_LIB_TARGET_MSL_PRELUDE_H

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace mlir::fusion::msl {

/// A function of the prelude; printed only where a kernel calls it.
enum class Helper : unsigned { Assert, Maximum, Minimum, SimdgroupMma };

/// The includes and the helper functions at the top of a file.
class Prelude {
public:
  void require(Helper helper) { required |= 1u << unsigned(helper); }
  /// A name for the struct of a kernel's scalars, `K0Args` for `k0`.
  std::string uniqueStruct(llvm::StringRef kernel);
  void print(llvm::raw_ostream &os) const;

  /// The function's name.
  static llvm::StringRef name(Helper helper);

private:
  bool needs(Helper helper) const {
    return required & (1u << unsigned(helper));
  }
  unsigned required = 0;
  llvm::StringSet<> structs;
};

} // namespace mlir::fusion::msl

#endif // FUSION_LIB_TARGET_MSL_PRELUDE_H
