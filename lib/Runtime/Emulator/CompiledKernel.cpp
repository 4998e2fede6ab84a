//===- CompiledKernel.cpp - A kernel that runs on the host ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledKernel.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::fusion::emulator;

std::string CompiledKernel::describeSite(uint32_t site) const {
  for (const SiteRange &range : sites) {
    if (site - range.firstSite >= range.numSites)
      continue;
    auto it = llvm::inst_begin(range.function);
    std::advance(it, site - range.firstSite);
    const llvm::Instruction &instruction = *it;
    std::string text;
    llvm::raw_string_ostream os(text);
    if (const llvm::DILocation *location = instruction.getDebugLoc().get())
      os << location->getFilename() << ':' << location->getLine() << ':'
         << location->getColumn() << ": ";
    std::string printed;
    llvm::raw_string_ostream printer(printed);
    instruction.print(printer);
    // Attached metadata says nothing to a reader.
    llvm::StringRef shown = llvm::StringRef(printed).trim();
    shown = shown.take_front(shown.find(", !"));
    os << '\'' << shown << '\'';
    if (range.function->getName() != name)
      os << " in '" << range.function->getName() << '\'';
    return text;
  }
  return "an unknown instruction";
}
