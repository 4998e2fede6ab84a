//===- Emulator.cpp - Runs GPU kernels on the CPU -------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Emulator.h"
#include "HostCompiler.h"
#include "KernelRewriter.h"
#include "Machine.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>
#include <mutex>

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

/// A Metal block has at most this much shared memory.
static constexpr size_t kMetalSharedMemory = 32 << 10;

struct Emulator::Impl {
  // The module goes before its context.
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  EmulatorOptions options;
  bool isMetal = false;
  std::unique_ptr<HostCompiler> compiler;
  std::unique_ptr<GlobalMemory> memory;
  llvm::StringMap<std::unique_ptr<CompiledKernel>> kernels;
  /// Profiles by kernel, in the order of first launch.
  std::vector<NamedKernelProfile> profiles;

  llvm::Expected<const llvm::Function *> findKernel(llvm::StringRef name) const;
  llvm::Expected<std::unique_ptr<llvm::Module>>
  rewrite(const llvm::Function &kernel, CodeQuality quality,
          std::optional<unsigned> sharedShift, CompiledKernel &compiled) const;
  /// Makes a kernel's code.
  llvm::Error build(CompiledKernel &compiled, llvm::StringRef name,
                    CodeQuality quality);
  llvm::Expected<CompiledKernel *> getCompiled(llvm::StringRef name);
  llvm::Error checkRange(const void *memory, size_t bytes,
                         const char *what) const;
  KernelProfile &getProfile(llvm::StringRef name);
};

//===----------------------------------------------------------------------===//
// Creation, compilation
//===----------------------------------------------------------------------===//

Emulator::Emulator(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

Emulator::~Emulator() = default;

llvm::Expected<std::unique_ptr<Emulator>>
Emulator::create(std::unique_ptr<llvm::LLVMContext> context,
                 std::unique_ptr<llvm::Module> module,
                 EmulatorOptions options) {
  auto impl = std::make_unique<Impl>();
  impl->context = std::move(context);
  impl->module = std::move(module);
  impl->options = std::move(options);
  for (const llvm::Function &function : *impl->module)
    impl->isMetal |=
        function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
  if (impl->isMetal)
    impl->options.maxSharedMemory =
        std::min(impl->options.maxSharedMemory, kMetalSharedMemory);
  auto compiler = HostCompiler::create();
  if (!compiler)
    return compiler.takeError();
  impl->compiler = std::move(*compiler);
  auto memory = GlobalMemory::create();
  if (!memory)
    return memory.takeError();
  impl->memory = std::move(*memory);
  return std::unique_ptr<Emulator>(new Emulator(std::move(impl)));
}

llvm::Expected<const llvm::Function *>
Emulator::Impl::findKernel(llvm::StringRef name) const {
  const llvm::Function *function = module->getFunction(name);
  if (!function || !isKernel(*function))
    return llvm::createStringError(
        llvm::formatv("emulator: the module has no kernel '{0}'", name));
  return function;
}

llvm::Expected<std::unique_ptr<llvm::Module>>
Emulator::Impl::rewrite(const llvm::Function &kernel, CodeQuality quality,
                        std::optional<unsigned> sharedShift,
                        CompiledKernel &compiled) const {
  if (!machine.shared.reserve())
    return llvm::createStringError("emulator: out of memory");
  RewriteOptions rewriteOptions;
  rewriteOptions.checks = options.checks;
  rewriteOptions.globalRaces = options.checks && options.globalRaceChecks;
  rewriteOptions.profile = options.profile;
  rewriteOptions.inlineChecks = quality == CodeQuality::Optimized;
  rewriteOptions.sharedShift = sharedShift;
  rewriteOptions.isMetal = isMetal;
  auto metal = options.metalKernels.find(kernel.getName());
  if (metal != options.metalKernels.end())
    rewriteOptions.metal = &metal->second;
  rewriteOptions.memory = memory.get();
  rewriteOptions.sharedBase = machine.shared.getBase();
  rewriteOptions.maxSharedMemory = options.maxSharedMemory;
  rewriteOptions.hostLayout = compiler->getDataLayout();
  rewriteOptions.hostTriple = compiler->getTriple();
  return rewriteKernel(kernel, rewriteOptions, compiled);
}

llvm::Error Emulator::Impl::build(CompiledKernel &compiled,
                                  llvm::StringRef name, CodeQuality quality) {
  auto start = std::chrono::steady_clock::now();
  auto function = findKernel(name);
  if (!function)
    return function.takeError();
  CompiledKernel fresh;
  std::optional<unsigned> sharedShift;
  if (compiled.entry)
    sharedShift = compiled.sharedShift;
  auto rewritten = rewrite(**function, quality, sharedShift, fresh);
  if (!rewritten)
    return rewritten.takeError();
  auto entry = compiler->compile(**rewritten, kEntryName, quality);
  if (!entry)
    return entry.takeError();
  fresh.entry = reinterpret_cast<void (*)(void **)>(*entry);
  fresh.isOptimized = quality == CodeQuality::Optimized;
  fresh.compileSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  compiled = std::move(fresh);
  return llvm::Error::success();
}

llvm::Expected<CompiledKernel *>
Emulator::Impl::getCompiled(llvm::StringRef name) {
  std::unique_ptr<CompiledKernel> &slot = kernels[name];
  if (slot)
    return slot.get();
  auto compiled = std::make_unique<CompiledKernel>();
  if (llvm::Error error = build(*compiled, name, CodeQuality::Quick))
    return std::move(error);
  if (options.optimizeAtOnce)
    if (llvm::Error error = build(*compiled, name, CodeQuality::Optimized))
      return std::move(error);
  slot = std::move(compiled);
  return slot.get();
}

llvm::Error Emulator::compile(llvm::StringRef kernel) {
  return impl->getCompiled(kernel).takeError();
}

llvm::Expected<std::string> Emulator::getHostIR(llvm::StringRef kernel) {
  auto function = impl->findKernel(kernel);
  if (!function)
    return function.takeError();
  CompiledKernel compiled;
  auto rewritten =
      impl->rewrite(**function, CodeQuality::Optimized, std::nullopt, compiled);
  if (!rewritten)
    return rewritten.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  (*rewritten)->print(os, nullptr);
  return text;
}

std::vector<std::string> Emulator::getKernelNames() const {
  std::vector<std::string> names;
  for (const llvm::Function &function : *impl->module)
    if (isKernel(function))
      names.push_back(function.getName().str());
  return names;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Error Emulator::Impl::checkRange(const void *address, size_t bytes,
                                       const char *what) const {
  if (bytes == 0 ||
      memory->isAllocated(reinterpret_cast<uint64_t>(address), bytes))
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "emulator: {0} of {1} bytes is outside of an allocation: {2}", what,
      bytes, memory->describe(reinterpret_cast<uint64_t>(address))));
}

llvm::Expected<void *> Emulator::allocate(size_t bytes) {
  return impl->memory->allocate(bytes);
}

llvm::Error Emulator::deallocate(void *memory) {
  return impl->memory->deallocate(memory);
}

llvm::Error Emulator::copyToDevice(void *destination, const void *source,
                                   size_t bytes) {
  if (llvm::Error error =
          impl->checkRange(destination, bytes, "copy to the device"))
    return error;
  if (bytes)
    std::memcpy(destination, source, bytes);
  impl->memory->markInitialized(reinterpret_cast<uint64_t>(destination), bytes);
  return llvm::Error::success();
}

llvm::Error Emulator::copyFromDevice(void *destination, const void *source,
                                     size_t bytes) {
  if (llvm::Error error =
          impl->checkRange(source, bytes, "copy from the device"))
    return error;
  if (bytes)
    std::memcpy(destination, source, bytes);
  return llvm::Error::success();
}

llvm::Error Emulator::copyOnDevice(void *destination, const void *source,
                                   size_t bytes) {
  for (const void *memory : {static_cast<const void *>(destination), source})
    if (llvm::Error error =
            impl->checkRange(memory, bytes, "copy on the device"))
      return error;
  if (bytes)
    std::memcpy(destination, source, bytes);
  impl->memory->copyMarks(reinterpret_cast<uint64_t>(destination),
                          reinterpret_cast<uint64_t>(source), bytes);
  return llvm::Error::success();
}

bool Emulator::isInitialized(const void *memory, size_t bytes) const {
  return impl->memory->isInitialized(reinterpret_cast<uint64_t>(memory), bytes);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

KernelProfile &Emulator::Impl::getProfile(llvm::StringRef name) {
  for (NamedKernelProfile &each : profiles)
    if (each.first == name)
      return each.second;
  return profiles.emplace_back(name.str(), KernelProfile()).second;
}

std::vector<NamedKernelProfile> Emulator::getProfiles() const {
  return impl->profiles;
}

namespace {
/// The arguments of a launch as compiled kernels want them: pointers to the
/// values. Holds the memory of Metal's `constant` arguments.
class ArgumentList {
public:
  explicit ArgumentList(GlobalMemory &memory) : memory(memory) {}
  ~ArgumentList() {
    for (const std::unique_ptr<void *> &constant : constants)
      llvm::consumeError(memory.deallocate(*constant));
  }

  void **data() { return pointers.data(); }

  /// Checks the arguments against the kernel's parameters and takes them.
  llvm::Error take(const llvm::Function &kernel, const MetalKernelInfo *metal,
                   llvm::ArrayRef<KernelArgument> arguments);

private:
  llvm::Error takeConstant(unsigned slot, const KernelArgument &argument);
  llvm::Error takeStruct(unsigned slot, llvm::ArrayRef<KernelArgument> members);

  GlobalMemory &memory;
  std::vector<void *> pointers;
  std::vector<std::unique_ptr<void *>> constants;
};
} // namespace

llvm::Error ArgumentList::takeConstant(unsigned slot,
                                       const KernelArgument &argument) {
  auto copy = memory.allocate(argument.size);
  if (!copy)
    return copy.takeError();
  constants.push_back(std::make_unique<void *>(*copy));
  if (argument.size)
    std::memcpy(*copy, argument.data, argument.size);
  memory.markInitialized(reinterpret_cast<uint64_t>(*copy), argument.size);
  pointers[slot] = static_cast<void *>(constants.back().get());
  return llvm::Error::success();
}

llvm::Error ArgumentList::takeStruct(unsigned slot,
                                     llvm::ArrayRef<KernelArgument> members) {
  llvm::SmallVector<char> bytes;
  for (const KernelArgument &member : members) {
    bytes.resize(llvm::alignTo(bytes.size(), std::max<size_t>(member.size, 1)));
    auto *data = static_cast<const char *>(member.data);
    bytes.append(data, data + member.size);
  }
  return takeConstant(slot, {bytes.data(), bytes.size()});
}

llvm::Error ArgumentList::take(const llvm::Function &kernel,
                               const MetalKernelInfo *metal,
                               llvm::ArrayRef<KernelArgument> arguments) {
  auto mismatch = [&](const llvm::Twine &what) {
    return llvm::createStringError(llvm::formatv(
        "emulator: launch of kernel '{0}': {1}", kernel.getName(), what.str()));
  };
  pointers.resize(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments))
    pointers[index] = const_cast<void *>(argument.data);
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  unsigned expected = 0;
  using Kind = MetalKernelInfo::Parameter::Kind;
  for (const llvm::Argument &parameter : kernel.args()) {
    unsigned slot = parameter.getArgNo();
    bool isConstant = false, isPacked = false;
    if (metal) {
      const auto &info = metal->parameters[slot];
      if (info.kind != Kind::Buffer)
        continue;
      slot = info.index;
      // Address space 2 of SPIR is Metal's `constant`.
      isConstant = parameter.getType()->isPointerTy() &&
                   parameter.getType()->getPointerAddressSpace() == 2;
      isPacked = isConstant && info.packed;
    }
    expected = std::max(expected, slot + 1);
    if (slot >= arguments.size())
      continue;
    if (isPacked) {
      if (llvm::Error error = takeStruct(slot, arguments.drop_front(slot)))
        return error;
      expected = arguments.size();
      continue;
    }
    const KernelArgument &argument = arguments[slot];
    if (isConstant) {
      if (llvm::Error error = takeConstant(slot, argument))
        return error;
      continue;
    }
    llvm::Type *type = parameter.hasByValAttr() ? parameter.getParamByValType()
                                                : parameter.getType();
    uint64_t bytes = layout.getTypeStoreSize(type);
    if (argument.size != bytes)
      return mismatch(llvm::formatv("argument {0} has {1} bytes, the parameter "
                                    "{2}",
                                    slot, argument.size, bytes)
                          .str());
  }
  if (arguments.size() != expected)
    return mismatch(
        llvm::formatv("{0} arguments, {1} expected", arguments.size(), expected)
            .str());
  return llvm::Error::success();
}

llvm::Error Emulator::launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                             llvm::ArrayRef<KernelArgument> arguments) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t threads = uint64_t(block.x) * block.y * block.z;
  uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  if (threads == 0 || threads > kMaxThreads || blocks == 0 ||
      grid.x > 0x7fffffff || grid.y > 0xffff || grid.z > 0xffff)
    return llvm::createStringError(llvm::formatv(
        "emulator: kernel '{0}' cannot be launched on {1}x{2}x{3} blocks of "
        "{4}x{5}x{6} threads",
        kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z));
  auto compiled = impl->getCompiled(kernel);
  if (!compiled)
    return compiled.takeError();
  auto metal = impl->options.metalKernels.find(kernel);
  ArgumentList list(*impl->memory);
  if (llvm::Error error = list.take(
          *impl->module->getFunction(kernel),
          metal == impl->options.metalKernels.end() ? nullptr : &metal->second,
          arguments))
    return error;

  machine.kernel = *compiled;
  machine.memory = impl->memory.get();
  machine.arguments = list.data();
  machine.checks = impl->options.checks;
  machine.globalRaces = impl->options.globalRaceChecks;
  machine.reverseBlocks = impl->options.reverseBlockOrder;
  std::optional<Profiler> profiler;
  if (impl->options.profile) {
    KernelProfile &profile = impl->getProfile(kernel);
    ++profile.launches;
    profile.blocks += blocks;
    profile.threads += blocks * threads;
    profiler.emplace(profile);
  }
  machine.profiler = profiler ? &*profiler : nullptr;
  llvm::Error result = runGrid(grid, block, [&] {
    return impl->build(**compiled, kernel, CodeQuality::Optimized);
  });
  machine.profiler = nullptr;
  return result;
}
