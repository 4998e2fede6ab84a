//===- KernelRunner.cpp - Lowers kernels and runs them --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"
#include "fusion/Conversion/FusionGPUToNVVM.h"
#include "fusion/Conversion/LegalizeForMSL.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Runtime/MetalFrontend.h"
#include "fusion/Target/MSL.h"
#include "fusion/Target/PTX.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <cstring>
#include <random>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

MLIRContext &mlir::fusion::test::getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registry
        .insert<FusionDialect, arith::ArithDialect, cf::ControlFlowDialect,
                gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                memref::MemRefDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect,
                scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
    registerPTXDialectTranslations(registry);
    auto *result = new MLIRContext(registry);
    result->loadAllAvailableDialects();
    return result;
  }();
  return *context;
}

MemRefType mlir::fusion::test::getBufferType(Type element) {
  return MemRefType::get({ShapedType::kDynamic}, element);
}

EmptyKernel mlir::fusion::test::makeKernel(StringRef name, StringRef target,
                                           ArrayRef<Type> types,
                                           int64_t sharedBytes,
                                           int64_t numThreads) {
  MLIRContext *context = &getContext();
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  EmptyKernel kernel;
  kernel.module = ModuleOp::create(loc);
  (*kernel.module)->setAttr(kTargetAttrName, TargetAttr::get(context, target));
  builder.setInsertionPointToEnd(kernel.module->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, loc, "kernels");
  builder.setInsertionPointToStart(gpuModule.getBody());
  auto sharedType = MemRefType::get(
      {sharedBytes}, builder.getI8Type(), MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup));
  kernel.function = gpu::GPUFuncOp::create(builder, loc, name,
                                           builder.getFunctionType(types, {}),
                                           TypeRange{sharedType});
  kernel.function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                           builder.getUnitAttr());
  kernel.function.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(numThreads), 1, 1}));
  kernel.shared = kernel.function.getWorkgroupAttributions()[0];
  return kernel;
}

int64_t mlir::fusion::test::getAlignment(int64_t stride, int64_t elementBytes) {
  int64_t alignment = 16;
  while (stride * elementBytes % alignment != 0)
    alignment /= 2;
  return alignment;
}

/// Runs `body` with diagnostics collected into the error that it may return.
template <typename T>
static llvm::Expected<T> collect(MLIRContext *context,
                                 llvm::function_ref<FailureOr<T>()> body) {
  std::string messages;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    return success();
  });
  FailureOr<T> result = body();
  if (failed(result))
    return llvm::createStringError(messages);
  return std::move(*result);
}

static FailureOr<std::unique_ptr<llvm::Module>>
lower(ModuleOp module, llvm::LLVMContext &context, StringRef &chip) {
  chip = module->getAttrOfType<TargetAttr>(kTargetAttrName).getDevice();
  auto gpuModule = *module.getOps<gpu::GPUModuleOp>().begin();
  if (failed(convertFusionGPUToNVVM(gpuModule)))
    return failure();
  return translateToLLVMIR(gpuModule, context, chip);
}

bool mlir::fusion::test::isMetal(ModuleOp module) {
  StringRef name =
      module->getAttrOfType<TargetAttr>(kTargetAttrName).getDevice();
  return lookupTarget(name)->isApple();
}

llvm::Expected<std::string> mlir::fusion::test::makeMSL(ModuleOp module) {
  return collect<std::string>(module.getContext(),
                              [&]() -> FailureOr<std::string> {
                                std::string text;
                                llvm::raw_string_ostream os(text);
                                if (failed(legalizeForMSL(module)) ||
                                    failed(translateToMSL(module, os)))
                                  return failure();
                                return text;
                              });
}

llvm::Expected<std::unique_ptr<Emulator>>
mlir::fusion::test::makeEmulator(ModuleOp module, EmulatorOptions options) {
  if (isMetal(module)) {
    llvm::Expected<std::string> text = makeMSL(module);
    if (!text)
      return text.takeError();
    return createMetalEmulator(*text, std::move(options));
  }
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  StringRef chip;
  auto llvmModule = collect<std::unique_ptr<llvm::Module>>(
      module.getContext(), [&] { return lower(module, *llvmContext, chip); });
  if (!llvmModule)
    return llvmModule.takeError();
  return Emulator::create(std::move(llvmContext), std::move(*llvmModule),
                          std::move(options));
}

llvm::Expected<std::string> mlir::fusion::test::makePTX(ModuleOp module) {
  return collect<std::string>(
      module.getContext(), [&]() -> FailureOr<std::string> {
        llvm::LLVMContext context;
        StringRef chip;
        auto llvmModule = lower(module, context, chip);
        if (failed(llvmModule))
          return failure();
        return emitPTX(**llvmModule, chip, module.getLoc());
      });
}

//===----------------------------------------------------------------------===//
// DeviceBuffer
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &getSemantics(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

static APInt encode(Type type, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(getSemantics(type), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt();
}

static double decode(Type type, const APInt &bits) {
  APFloat number(getSemantics(type), bits);
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

DeviceBuffer::DeviceBuffer(Device &device, Type type,
                           std::vector<double> theValues)
    : values(std::move(theValues)), device(device), type(type),
      elementBytes(std::max(type.getIntOrFloatBitWidth() / 8, 1u)) {
  if (isa<FloatType>(type))
    for (double &value : values)
      value = decode(type, encode(type, value));
  memory = llvm::cantFail(
      device.allocate(std::max<size_t>(values.size() * elementBytes, 16)));
}

DeviceBuffer::~DeviceBuffer() { llvm::cantFail(device.deallocate(memory)); }

void DeviceBuffer::upload(size_t first, size_t end) {
  if (first >= end)
    return;
  std::vector<char> bytes((end - first) * elementBytes);
  for (size_t i = first; i < end; ++i) {
    uint64_t bits = isa<FloatType>(type)
                        ? encode(type, values[i]).getZExtValue()
                        : static_cast<uint64_t>(values[i]);
    std::memcpy(&bytes[(i - first) * elementBytes], &bits, elementBytes);
  }
  llvm::cantFail(
      device.copyToDevice(static_cast<char *>(memory) + first * elementBytes,
                          bytes.data(), bytes.size()));
}

llvm::Error DeviceBuffer::download() {
  std::vector<char> bytes(values.size() * elementBytes);
  if (bytes.empty())
    return llvm::Error::success();
  if (llvm::Error error =
          device.copyFromDevice(bytes.data(), memory, bytes.size()))
    return error;
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &bytes[i * elementBytes], elementBytes);
    values[i] = decode(type, APInt(elementBytes * 8, bits));
  }
  return llvm::Error::success();
}

std::vector<double> mlir::fusion::test::makeRandom(size_t count, uint32_t seed,
                                                   double magnitude) {
  std::mt19937 generator(seed);
  std::vector<double> values(count);
  for (double &value : values)
    value = (generator() / double(std::mt19937::max()) * 2 - 1) * magnitude;
  return values;
}
