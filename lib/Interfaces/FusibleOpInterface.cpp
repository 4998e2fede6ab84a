//===- FusibleOpInterface.cpp - How an operation fuses --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Interfaces/FusibleOpInterface.h"

#include "fusion/Interfaces/FusibleOpInterface.cpp.inc"
