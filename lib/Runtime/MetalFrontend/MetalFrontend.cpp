//===- MetalFrontend.cpp - Metal Shading Language for the host ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/MetalFrontend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::fusion;

/// The text of include/metal_stdlib.
static constexpr char metalStdlib[] =
#include "MetalStdlib.inc"
    ;

namespace {

/// A directory that goes away with its files.
class TemporaryDirectory {
public:
  static llvm::Expected<TemporaryDirectory> create() {
    TemporaryDirectory directory;
    if (std::error_code code =
            llvm::sys::fs::createUniqueDirectory("fusion-msl", directory.path))
      return llvm::createStringError(
          code, "cannot create a temporary directory: " + code.message());
    return directory;
  }
  TemporaryDirectory(TemporaryDirectory &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~TemporaryDirectory() {
    // A folder that cannot be removed harms nobody.
    if (!path.empty())
      (void)llvm::sys::fs::remove_directories(path);
  }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> result = path;
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

  llvm::Error write(llvm::StringRef name, llvm::StringRef contents) const {
    std::error_code code;
    llvm::raw_fd_ostream os(file(name), code);
    if (!code)
      os << contents;
    os.close();
    if (!code)
      code = os.error();
    os.clear_error();
    if (code)
      return llvm::createStringError(code, "cannot write " + file(name) + ": " +
                                               code.message());
    return llvm::Error::success();
  }

private:
  TemporaryDirectory() = default;
  llvm::SmallString<128> path;
};

} // namespace

static llvm::Expected<std::string> findClang(llvm::StringRef given) {
  for (llvm::StringRef candidate :
       {given, llvm::StringRef(FUSION_CLANG), llvm::StringRef("clang-22"),
        llvm::StringRef("clang")}) {
    if (candidate.empty())
      continue;
    if (llvm::sys::path::has_parent_path(candidate)) {
      if (llvm::sys::fs::can_execute(candidate))
        return candidate.str();
    } else if (auto found = llvm::sys::findProgramByName(candidate)) {
      return *found;
    }
    if (candidate == given)
      break;
  }
  return llvm::createStringError(
      "no clang to compile MSL with; install clang 22 or put it on the PATH");
}

/// The contents of a file, empty where it can not be read.
static std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Runs clang on `text`; the result is bitcode as clang generates it.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
runClang(llvm::StringRef text, const MetalFrontendOptions &options) {
  llvm::Expected<std::string> clang = findClang(options.clang);
  if (!clang)
    return clang.takeError();
  llvm::Expected<TemporaryDirectory> directory = TemporaryDirectory::create();
  if (!directory)
    return directory.takeError();
  for (auto [name, contents] : {std::pair<llvm::StringRef, llvm::StringRef>{
                                    "metal_stdlib", metalStdlib},
                                {"metal_simdgroup_matrix", ""},
                                {"kernels.metal", text}})
    if (llvm::Error error = directory->write(name, contents))
      return error;

  std::string include = directory->file("");
  std::string input = directory->file("kernels.metal");
  std::string output = directory->file("kernels.bc");
  std::string messages = directory->file("messages");
  // Without the generic address space a pointer must say where it points, as
  // in Metal; without program-scope globals, threadgroup memory is declared in
  // kernels. f64 does not exist.
  llvm::SmallVector<llvm::StringRef> arguments{
      *clang,
      "-x",
      "clcpp",
      "-cl-std=clc++2021",
      "-cl-no-stdinc",
      "-target",
      "spir64",
      "-Xclang",
      "-cl-ext=-cl_khr_fp64,-__opencl_c_fp64,"
      "-__opencl_c_program_scope_global_variables,"
      "-__opencl_c_device_enqueue,-__opencl_c_generic_address_space,"
      "-__opencl_c_pipes",
      "-isystem",
      include,
      "-D__FUSION_HOST__",
      "-Wno-unknown-attributes",
      "-fno-discard-value-names",
      "-ffp-contract=off",
      "-O1",
      "-Xclang",
      "-disable-llvm-passes",
      "-fno-caret-diagnostics",
      "-emit-llvm",
      "-c",
      input,
      "-o",
      output};
  if (options.lineTables)
    arguments.push_back("-gline-tables-only");
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""),
                                                llvm::StringRef(messages),
                                                llvm::StringRef(messages)};
  std::string failure;
  int status = llvm::sys::ExecuteAndWait(*clang, arguments, std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &failure);
  if (status != 0) {
    // Lines of the text, not names of temporary files.
    std::string log = failure + readFile(messages);
    std::string quoted;
    llvm::StringRef rest = log;
    while (!rest.empty()) {
      auto [before, after] = rest.split(input + ":");
      quoted += before;
      if (before.size() == rest.size())
        break;
      quoted += "MSL line ";
      rest = after;
    }
    return llvm::createStringError(
        llvm::formatv("clang rejects the MSL text:\n{0}", quoted));
  }
  auto buffer = llvm::MemoryBuffer::getFile(output);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "clang wrote no output: " +
                                       buffer.getError().message());
  return std::move(*buffer);
}

/// Makes everything but kernels internal, so that what was inlined goes away,
/// and optimises.
static void optimize(llvm::Module &module, bool fully) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      // clang puts a kernel's body into a function of its own.
      if (!function.hasFnAttribute(llvm::Attribute::NoInline))
        function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(/*TM=*/nullptr, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes =
      fully ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
            : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  passes.run(module, modules);
}

llvm::Expected<MetalModule>
mlir::fusion::compileMetal(llvm::StringRef text,
                           const MetalFrontendOptions &options) {
  MetalModule result;
  auto kernels = parseMetalKernels(text);
  if (!kernels)
    return kernels.takeError();
  result.kernels = std::move(*kernels);

  auto bitcode = runClang(text, options);
  if (!bitcode)
    return bitcode.takeError();
  result.context = std::make_unique<llvm::LLVMContext>();
  auto module = llvm::parseBitcodeFile(**bitcode, *result.context);
  if (!module)
    return module.takeError();
  result.module = std::move(*module);
  optimize(*result.module, options.optimize);

  for (const llvm::Function &function : *result.module) {
    if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      continue;
    auto info = result.kernels.find(function.getName());
    if (info == result.kernels.end() ||
        info->second.parameters.size() != function.arg_size())
      return llvm::createStringError(
          llvm::formatv("kernel '{0}': the attributes of its parameters were "
                        "not understood",
                        function.getName()));
  }
  return result;
}

llvm::Expected<std::unique_ptr<Emulator>>
mlir::fusion::createMetalEmulator(llvm::StringRef text, EmulatorOptions options,
                                  const MetalFrontendOptions &frontend) {
  llvm::Expected<MetalModule> compiled = compileMetal(text, frontend);
  if (!compiled)
    return compiled.takeError();
  options.metalKernels = std::move(compiled->kernels);
  return Emulator::create(std::move(compiled->context),
                          std::move(compiled->module), std::move(options));
}
