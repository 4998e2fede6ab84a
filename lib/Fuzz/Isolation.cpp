//===- Isolation.cpp - Checks in processes of their own -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check runs in a child of this process, which starts with everything that
// the parent has loaded and compiled. The child writes its outcome into a pipe:
// the kind, the number of results by roundings, and four texts, each behind its
// length.
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Check.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

namespace {

using Clock = std::chrono::steady_clock;

/// A check that is running.
struct Child {
  uint64_t number;
  pid_t process;
  int pipe;
  Clock::time_point deadline;
  std::string output;
};

void append(std::string &text, uint64_t number) {
  text.append(reinterpret_cast<const char *>(&number), sizeof(number));
}

std::string encode(const Outcome &outcome) {
  std::string text;
  append(text, uint64_t(outcome.kind));
  append(text, outcome.byRoundings);
  for (const std::string *part :
       {&outcome.target, &outcome.level, &outcome.key, &outcome.message}) {
    append(text, part->size());
    text += *part;
  }
  return text;
}

/// Returns nothing for a text that ends early.
std::optional<Outcome> decode(StringRef text) {
  auto take = [&](uint64_t &number) {
    if (text.size() < sizeof(number))
      return false;
    std::memcpy(&number, text.data(), sizeof(number));
    text = text.drop_front(sizeof(number));
    return true;
  };
  uint64_t kind, byRoundings;
  if (!take(kind) || !take(byRoundings))
    return std::nullopt;
  Outcome outcome;
  outcome.kind = OutcomeKind(kind);
  outcome.byRoundings = byRoundings;
  for (std::string *part :
       {&outcome.target, &outcome.level, &outcome.key, &outcome.message}) {
    uint64_t size;
    if (!take(size) || text.size() < size)
      return std::nullopt;
    *part = text.take_front(size).str();
    text = text.drop_front(size);
  }
  return outcome;
}

void writeAll(int pipe, StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(pipe, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    text = text.drop_front(written);
  }
}

/// Starts a child; its process is -1 where the system refuses.
Child start(uint64_t number, unsigned timeout,
            llvm::function_ref<Outcome()> function) {
  Child child{number, -1, -1, Clock::now() + std::chrono::seconds(timeout), {}};
  int ends[2];
  if (::pipe(ends) != 0)
    return child;
  llvm::outs().flush();
  llvm::errs().flush();
  child.process = ::fork();
  if (child.process == 0) {
    ::close(ends[0]);
    // What a crash prints would hide the summary; the parent names the signal.
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
      ::signal(signal, SIG_DFL);
    writeAll(ends[1], encode(function()));
    ::_exit(0);
  }
  ::close(ends[1]);
  if (child.process < 0)
    ::close(ends[0]);
  else
    child.pipe = ends[0];
  return child;
}

/// Waits for a child that has closed its pipe or was killed.
Outcome finish(Child &child, bool isLate) {
  ::close(child.pipe);
  int status = 0;
  while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR)
    ;
  Outcome outcome;
  if (isLate) {
    outcome.kind = OutcomeKind::Hang;
    outcome.message = "the time is over";
    return outcome;
  }
  std::optional<Outcome> decoded = decode(child.output);
  if (decoded && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return *decoded;
  outcome.kind = OutcomeKind::Crash;
  outcome.key = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status))
                                    : "exit " + std::to_string(status);
  outcome.message = outcome.key;
  return outcome;
}

} // namespace

void fuzz::runAllIsolated(
    uint64_t count, unsigned jobs, unsigned timeout,
    llvm::function_ref<Outcome(uint64_t)> makeOutcome,
    llvm::function_ref<void(uint64_t, const Outcome &)> report) {
  SmallVector<Child> children;
  uint64_t next = 0;
  while (next < count || !children.empty()) {
    while (next < count && children.size() < jobs) {
      uint64_t number = next++;
      Child child = start(number, timeout, [&] { return makeOutcome(number); });
      if (child.process < 0) {
        Outcome outcome;
        outcome.kind = OutcomeKind::Crash;
        outcome.message = "no process can be started";
        report(number, outcome);
        continue;
      }
      children.push_back(std::move(child));
    }
    if (children.empty())
      continue;
    Clock::time_point now = Clock::now(), first = children.front().deadline;
    SmallVector<pollfd> pipes;
    for (const Child &child : children) {
      first = std::min(first, child.deadline);
      pipes.push_back({child.pipe, POLLIN, 0});
    }
    int64_t wait =
        std::chrono::duration_cast<std::chrono::milliseconds>(first - now)
            .count();
    ::poll(pipes.data(), pipes.size(), int(std::max<int64_t>(0, wait) + 1));
    now = Clock::now();
    for (size_t i = children.size(); i-- > 0;) {
      Child &child = children[i];
      bool isDone = false, isLate = false;
      if (pipes[i].revents) {
        char buffer[65536];
        ssize_t size = ::read(child.pipe, buffer, sizeof(buffer));
        if (size > 0)
          child.output.append(buffer, size);
        isDone = size == 0 || (size < 0 && errno != EINTR);
      }
      if (!isDone && now >= child.deadline) {
        ::kill(child.process, SIGKILL);
        isDone = isLate = true;
      }
      if (!isDone)
        continue;
      uint64_t number = child.number;
      Outcome outcome = finish(child, isLate);
      children.erase(children.begin() + i);
      report(number, outcome);
    }
  }
}

Outcome fuzz::runIsolated(llvm::function_ref<Outcome()> function,
                          unsigned timeout) {
  Outcome result;
  runAllIsolated(
      1, 1, timeout, [&](uint64_t) { return function(); },
      [&](uint64_t, const Outcome &outcome) { result = outcome; });
  return result;
}
