//===- ReportPrinter.cpp - The report as text, JSON and HTML --------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/LevelReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir::fusion;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

json::Value mlir::fusion::toJSON(const ModelReport &report) {
  json::Array levels;
  for (const LevelReport &level : report.levels) {
    json::Object kinds;
    for (const auto &[kind, launches] : level.kinds)
      kinds[kind] = launches;
    levels.push_back(json::Object{
        {"level", level.level},
        {"launches", level.launches},
        {"distinctKernels", level.distinctKernels},
        {"bytes", level.bytes},
        {"minimumBytes", level.minimumBytes},
        {"rereadBytes", level.rereadBytes},
        {"flops", level.flops},
        {"modelledMicroseconds", level.modelledMicroseconds},
        {"compileSeconds", level.compileSeconds},
        {"kinds", std::move(kinds)},
    });
  }
  return json::Object{{"model", json::fixUTF8(report.model)},
                      {"target", report.target},
                      {"levels", std::move(levels)}};
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {

constexpr llvm::StringLiteral kColumns[] = {
    "level",    "launches", "kernels",  "MB moved",  "MB min",
    "MB again", "GFLOP",    "model us", "compile s",
};

std::string printNumber(double value, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, value);
  return text;
}

/// The cells of a row, in the order of the columns.
std::vector<std::string> getCells(const LevelReport &level) {
  return {level.level,
          std::to_string(level.launches),
          std::to_string(level.distinctKernels),
          printNumber(level.bytes * 1e-6, 2),
          printNumber(level.minimumBytes * 1e-6, 2),
          printNumber(level.rereadBytes * 1e-6, 2),
          printNumber(level.flops * 1e-9, 2),
          printNumber(level.modelledMicroseconds, 1),
          printNumber(level.compileSeconds, 2)};
}

std::string printKinds(const LevelReport &level) {
  std::vector<std::string> kinds;
  kinds.reserve(level.kinds.size());
  for (const auto &[kind, launches] : level.kinds)
    kinds.push_back(llvm::formatv("{0} {1}", launches, kind));
  return llvm::join(kinds, ", ");
}

std::string escapeHTML(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}

} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void mlir::fusion::printReportText(const ModelReport &report,
                                   llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows(1);
  for (llvm::StringRef column : kColumns)
    rows[0].push_back(column.str());
  for (const LevelReport &level : report.levels)
    rows.push_back(getCells(level));
  std::vector<size_t> widths(rows[0].size());
  for (const auto &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());

  os << report.model << ", " << report.target << "\n";
  for (const auto &row : rows) {
    // Names start at the left, numbers end at the right.
    os << llvm::left_justify(row[0], widths[0]);
    for (auto [cell, width] : llvm::drop_begin(llvm::zip_equal(row, widths)))
      os << "  " << llvm::right_justify(cell, width);
    os << "\n";
  }
  for (const LevelReport &level : report.levels)
    os << level.level << ": " << printKinds(level) << "\n";
}

//===----------------------------------------------------------------------===//
// HTML
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kPageStart = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>fusion: report</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: right; }
th:first-child, td:first-child, td.kinds { text-align: left; }
td.kinds { color: #777; font-size: .85em; }
.bar { background: #4a7dbd; height: .5rem; margin-left: auto; }
</style>
</head>
<body>
)";

static void printHTMLTable(const ModelReport &report, llvm::raw_ostream &os) {
  double longest = 0;
  for (const LevelReport &level : report.levels)
    longest = std::max(longest, level.modelledMicroseconds);
  os << "<h2>" << escapeHTML(report.model) << ", " << escapeHTML(report.target)
     << "</h2>\n<table>\n<tr>";
  for (llvm::StringRef column : kColumns)
    os << "<th>" << column << "</th>";
  os << "<th>time</th></tr>\n";
  for (const LevelReport &level : report.levels) {
    os << "<tr>";
    for (const std::string &cell : getCells(level))
      os << "<td>" << escapeHTML(cell) << "</td>";
    double share = longest > 0 ? level.modelledMicroseconds / longest : 0;
    os << "<td><div class=\"bar\" style=\"width: "
       << printNumber(100 * share, 1) << "%\"></div></td></tr>\n"
       << "<tr><td class=\"kinds\" colspan=\"9\">"
       << escapeHTML(printKinds(level)) << "</td></tr>\n";
  }
  os << "</table>\n";
}

void mlir::fusion::printReportHTML(llvm::ArrayRef<ModelReport> reports,
                                   llvm::raw_ostream &os) {
  os << kPageStart;
  for (const ModelReport &report : reports)
    printHTMLTable(report, os);
  os << "</body>\n</html>\n";
}
