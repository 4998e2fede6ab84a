//===- ProfileTable.cpp - What each kernel did ----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/ProfileTable.h"

#include "fusion/Runtime/PlanExecutor.h"
#include "fusion/Target/LevelReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir::fusion;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {

/// A file that is removed at the end of a scope.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix) {
    if (llvm::sys::fs::createTemporaryFile("fusion", suffix, path))
      path.clear();
    else
      remover.setFile(path);
  }

  bool isValid() const { return !path.empty(); }
  StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
  llvm::FileRemover remover;
};

/// Returns the integer that ends before `after` in `line`.
std::optional<int> getNumberBefore(StringRef line, StringRef after) {
  size_t at = line.find(after);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef before = line.take_front(at).rtrim();
  int value;
  if (before.take_back(before.size() - before.find_last_of(' ') - 1)
          .getAsInteger(10, value))
    return std::nullopt;
  return value;
}

/// Notes what `ptxas -v` printed.
void readAssemblerLog(StringRef log, llvm::StringMap<KernelCode> &kernels) {
  KernelCode *current = nullptr;
  for (StringRef line : llvm::split(log, '\n')) {
    auto [before, name] = line.split("Compiling entry function '");
    if (!name.empty())
      current = &kernels[name.take_until([](char c) { return c == '\''; })];
    if (!current)
      continue;
    if (auto bytes = getNumberBefore(line, " bytes spill stores"))
      current->spillBytes = bytes;
    if (auto registers = getNumberBefore(line, " registers"))
      current->registers = registers;
  }
}

/// Runs ptxas, if there is one, and notes what it prints.
void assemble(StringRef ptx, StringRef target,
              llvm::StringMap<KernelCode> &kernels) {
  auto ptxas = llvm::sys::findProgramByName("ptxas");
  TemporaryFile input("ptx"), output("cubin"), log("log");
  if (!ptxas || !input.isValid() || !output.isValid() || !log.isValid())
    return;
  std::error_code code;
  llvm::raw_fd_ostream os(input.getPath(), code);
  if (code)
    return;
  os << ptx;
  os.close();
  std::string arch = ("-arch=" + target).str();
  StringRef arguments[] = {*ptxas,          "-v", arch,
                           input.getPath(), "-o", output.getPath()};
  std::optional<StringRef> redirects[] = {std::nullopt, log.getPath(),
                                          log.getPath()};
  constexpr unsigned kSecondsToWait = 120;
  if (llvm::sys::ExecuteAndWait(*ptxas, arguments, std::nullopt, redirects,
                                kSecondsToWait) != 0)
    return;
  if (auto text = llvm::MemoryBuffer::getFile(log.getPath()))
    readAssemblerLog((*text)->getBuffer(), kernels);
}

} // namespace

llvm::StringMap<KernelCode> mlir::fusion::inspectKernels(StringRef ptx,
                                                         StringRef target) {
  llvm::StringMap<KernelCode> kernels;
  KernelCode *current = nullptr;
  for (StringRef line : llvm::split(ptx, '\n')) {
    auto [before, entry] = line.split(".entry ");
    if (!entry.empty())
      current = &kernels[entry.take_until([](char c) { return c == '('; })];
    StringRef text = line.trim();
    // The rest are declarations, labels, braces and parameters.
    if (current && text.ends_with(";") && !text.starts_with("."))
      ++current->instructions;
  }
  assemble(ptx, target, kernels);
  return kernels;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns a scalar, or 0 if it has no value.
static int64_t getOrZero(const PlanExecutor &executor, ScalarId scalar) {
  llvm::Expected<int64_t> value = executor.getScalar(scalar);
  if (value)
    return *value;
  llvm::consumeError(value.takeError());
  return 0;
}

std::vector<KernelRow> mlir::fusion::makeKernelRows(
    const LaunchPlan &plan, const PlanExecutor &executor,
    const TargetInfo &target, llvm::ArrayRef<NamedKernelProfile> profiles,
    const llvm::StringMap<KernelCode> &code) {
  std::vector<KernelRow> rows(plan.kernels.size());
  for (auto [kernel, row] : llvm::zip_equal(plan.kernels, rows)) {
    row.name = kernel.name;
    row.kind = kernel.kind;
    row.sharedBytes = kernel.sharedBytes;
    for (const auto &[name, profile] : profiles)
      if (name == kernel.name)
        row.profile = profile;
    if (auto it = code.find(kernel.name); it != code.end())
      row.code = it->second;
  }
  for (const PlanStep &step : plan.steps) {
    if (step.kind != PlanStep::Kind::Launch)
      continue;
    int64_t blocks = 1;
    for (ScalarId size : step.grid)
      blocks *= getOrZero(executor, size);
    if (blocks == 0)
      continue;
    KernelRow &row = rows[step.kernel];
    ++row.launches;
    row.modelledMicroseconds +=
        modelLaunchMicroseconds(target, getOrZero(executor, step.bytes),
                                getOrZero(executor, step.flops), blocks);
  }
  llvm::erase_if(rows, [](const KernelRow &row) { return row.launches == 0; });
  return rows;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

using Cells = std::vector<std::string>;

std::string printNumber(double value, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, value);
  return text;
}

Cells getHeader() {
  return {"kernel",    "kind",      "launches", "global MB", "sectors/req",
          "conflicts", "mma GFLOP", "barriers", "PTX instr", "registers",
          "spills",    "shared B",  "model us"};
}

Cells getCells(const KernelRow &row) {
  Cells cells = {row.name, row.kind, std::to_string(row.launches)};
  if (const auto &profile = row.profile) {
    uint64_t requests =
        profile->globalLoadRequests + profile->globalStoreRequests;
    uint64_t sectors = profile->globalLoadSectors + profile->globalStoreSectors;
    uint64_t conflicts = profile->sharedLoadConflicts +
                         profile->sharedStoreConflicts +
                         profile->ldmatrixConflicts;
    uint64_t bytes = profile->globalLoadBytes + profile->globalStoreBytes;
    cells.push_back(printNumber(bytes * 1e-6, 3));
    cells.push_back(
        requests ? printNumber(double(sectors) / double(requests), 2) : "-");
    cells.push_back(std::to_string(conflicts));
    cells.push_back(printNumber(profile->mmaFlops * 1e-9, 4));
    cells.push_back(std::to_string(profile->barriers));
  } else {
    cells.resize(cells.size() + 5, "-");
  }
  auto addOptional = [&](std::optional<int64_t> number) {
    cells.push_back(number ? std::to_string(*number) : "-");
  };
  KernelCode code = row.code.value_or(KernelCode());
  addOptional(row.code ? std::optional(code.instructions) : std::nullopt);
  addOptional(code.registers);
  addOptional(code.spillBytes);
  cells.push_back(std::to_string(row.sharedBytes));
  cells.push_back(printNumber(row.modelledMicroseconds, 1));
  return cells;
}

} // namespace

void mlir::fusion::printKernelRows(llvm::ArrayRef<KernelRow> rows,
                                   llvm::raw_ostream &os) {
  std::vector<Cells> table = {getHeader()};
  int64_t launches = 0;
  double microseconds = 0;
  for (const KernelRow &row : rows) {
    table.push_back(getCells(row));
    launches += row.launches;
    microseconds += row.modelledMicroseconds;
  }
  std::vector<size_t> widths(table[0].size());
  for (const Cells &cells : table)
    for (auto [width, cell] : llvm::zip_equal(widths, cells))
      width = std::max(width, cell.size());
  constexpr size_t kTextColumns = 2;
  for (const Cells &cells : table) {
    for (auto [column, cell] : llvm::enumerate(cells))
      os << (column ? "  " : "")
         << (column < kTextColumns ? llvm::left_justify(cell, widths[column])
                                   : llvm::right_justify(cell, widths[column]));
    os << "\n";
  }
  os << "total: " << launches << " launches of " << rows.size()
     << " kernels, modelled " << printNumber(microseconds, 1) << " us\n";
}
