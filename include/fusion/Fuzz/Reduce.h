//===- Reduce.h - A smaller graph that fails alike --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUZZ_REDUCE_H
#define FUSION_FUZZ_REDUCE_H

#include "fusion/Fuzz/Check.h"

namespace mlir::fusion::fuzz {

/// Makes a graph that fails smaller, step by step, as long as it fails like
/// `failure`: results are dropped, values become arguments, operations are
/// replaced by their operands, sizes shrink. Each step runs in a process of its
/// own. Returns what is left, which may be the whole.
FuzzCase reduceCase(const FuzzCase &fuzzCase, const Outcome &failure,
                    const CheckOptions &options);

} // namespace mlir::fusion::fuzz

#endif // FUSION_FUZZ_REDUCE_H
