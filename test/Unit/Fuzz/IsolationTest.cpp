//===- IsolationTest.cpp --------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Check.h"

#include "gtest/gtest.h"
#include <csignal>
#include <map>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static Outcome makeMismatch() {
  Outcome outcome;
  outcome.kind = OutcomeKind::Mismatch;
  outcome.target = "sm_80";
  outcome.level = "none";
  outcome.key = "key";
  outcome.message = std::string(100000, 'x');
  outcome.byRoundings = 3;
  return outcome;
}

TEST(IsolationTest, TheOutcomeComesBackWhole) {
  Outcome outcome = runIsolated(makeMismatch, 60);
  EXPECT_EQ(outcome.kind, OutcomeKind::Mismatch);
  EXPECT_EQ(outcome.target, "sm_80");
  EXPECT_EQ(outcome.level, "none");
  EXPECT_EQ(outcome.key, "key");
  EXPECT_EQ(outcome.message.size(), 100000u);
  EXPECT_EQ(outcome.byRoundings, 3u);
}

TEST(IsolationTest, ACrashIsAnOutcome) {
  Outcome outcome = runIsolated(
      []() -> Outcome {
        ::raise(SIGKILL);
        return {};
      },
      60);
  EXPECT_EQ(outcome.kind, OutcomeKind::Crash);
  EXPECT_NE(outcome.key.find("illed"), std::string::npos) << outcome.key;
  outcome = runIsolated([]() -> Outcome { ::_exit(7); }, 60);
  EXPECT_EQ(outcome.kind, OutcomeKind::Crash);
}

TEST(IsolationTest, WhatNeverEndsIsKilled) {
  Outcome outcome = runIsolated(
      []() -> Outcome {
        for (;;)
          ::pause();
      },
      0);
  EXPECT_EQ(outcome.kind, OutcomeKind::Hang);
}

TEST(IsolationTest, OneCrashSparesTheOthers) {
  std::map<uint64_t, OutcomeKind> kinds;
  runAllIsolated(
      5, 2, 60,
      [](uint64_t i) {
        if (i == 2)
          ::raise(SIGKILL);
        return Outcome();
      },
      [&](uint64_t i, const Outcome &outcome) { kinds[i] = outcome.kind; });
  ASSERT_EQ(kinds.size(), 5u);
  for (auto [i, kind] : kinds)
    EXPECT_EQ(kind, i == 2 ? OutcomeKind::Crash : OutcomeKind::Agrees) << i;
}
