//===- ContractionKernel.cpp - Contraction kernels for tests -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

std::string ContractionCase::getName() const {
  std::string name = target + "_" + operandType + "_" + std::to_string(batch) +
                     "x" + std::to_string(m) + "x" + std::to_string(n) + "x" +
                     std::to_string(k);
  if (numRhs > 1)
    name += "_rhs" + std::to_string(numRhs);
  if (transposeA)
    name += "_tA";
  if (transposeB)
    name += "_tB";
  if (dynamic)
    name += "_dynamic";
  if (loadA)
    name += "_load";
  if (readPartner)
    name += "_partner";
  if (resultType != "f32")
    name += "_to_" + resultType;
  return name;
}

/// The operand's offset function for a matrix stored row by row.
static OperandAccess::ElementFn getOffset(Value rows, Value columns,
                                          bool transposed) {
  return [=](OpBuilder &builder, Location loc, ValueRange batch, Value row,
             Value column) -> Value {
    KernelBuilder kb(builder, loc);
    Value matrix = kb.mul(batch[0], kb.mul(rows, columns));
    Value major = transposed ? column : row;
    Value minor = transposed ? row : column;
    Value stride = transposed ? rows : columns;
    return kb.add(matrix, kb.add(kb.mul(major, stride), minor));
  };
}

/// Elements up to 16 bytes that the rows' starts are multiples of.
static int64_t getAlignment(int64_t stride, int64_t elementBytes) {
  int64_t alignment = 16;
  while (stride * elementBytes % alignment != 0)
    alignment /= 2;
  return alignment;
}

static Value convert(OpBuilder &builder, Location loc, Value value,
                     Type element) {
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = VectorType::get(vector.getShape(), element);
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (isa<FloatType>(element))
    return arith::TruncFOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value);
}

ContractionKernel mlir::fusion::test::buildKernel(const ContractionCase &test) {
  MLIRContext *context = &getContext();
  ContractionKernel kernel;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    kernel.error += diagnostic.str() + "\n";
    return success();
  });
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  Type operandType = parseType(test.operandType, context);
  Type accumulatorType = parseType(test.accumulatorType, context);
  Type resultType = parseType(test.resultType, context);
  auto getBytes = [](Type type) {
    return int64_t(type.getIntOrFloatBitWidth() / 8);
  };

  const TargetInfo *target = lookupTarget(test.target);
  if (test.schedule) {
    kernel.schedule = *test.schedule;
  } else {
    ContractionShape shape;
    if (!test.dynamic) {
      shape.m = test.m;
      shape.n = test.n;
      shape.k = test.k;
    }
    shape.batch = test.batch;
    shape.numRhs = test.numRhs;
    shape.operandType = operandType;
    shape.accumulatorType = accumulatorType;
    shape.resultType = resultType;
    kernel.schedule = chooseContractionSchedule(*target, shape);
  }
  const ContractionSchedule &schedule = kernel.schedule;
  kernel.blocks = llvm::divideCeil(test.m, schedule.tileM) *
                  llvm::divideCeil(test.n, schedule.tileN) * test.batch;

  kernel.module = ModuleOp::create(loc);
  (*kernel.module)
      ->setAttr(kTargetAttrName, TargetAttr::get(context, test.target));
  builder.setInsertionPointToEnd(kernel.module->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, loc, "kernels");
  builder.setInsertionPointToStart(gpuModule.getBody());

  // A, the right-hand sides, the results, and the sizes if they are dynamic.
  auto getBuffer = [](Type type) {
    return MemRefType::get({ShapedType::kDynamic}, type);
  };
  SmallVector<Type> types{getBuffer(operandType)};
  types.append(test.numRhs, getBuffer(operandType));
  types.append(test.numRhs, getBuffer(resultType));
  if (test.dynamic)
    types.append(3, builder.getIndexType());
  int64_t bytes = getContractionSharedBytes(schedule, operandType,
                                            accumulatorType, test.numRhs);
  auto workgroup =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto sharedType = MemRefType::get({bytes}, builder.getI8Type(),
                                    MemRefLayoutAttrInterface(), workgroup);
  auto function = gpu::GPUFuncOp::create(builder, loc, "contraction",
                                         builder.getFunctionType(types, {}),
                                         TypeRange{sharedType});
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(schedule.getThreads()), 1, 1}));
  function->setAttr("fusion.index32", builder.getUnitAttr());

  Block &body = function.getBody().front();
  builder.setInsertionPointToStart(&body);
  KernelBuilder kb(builder, loc);
  ContractionProblem problem;
  problem.accumulatorType = accumulatorType;
  problem.batch = kb.index(test.batch);
  int64_t sizes[] = {test.m, test.n, test.k};
  Value *values[] = {&problem.m, &problem.n, &problem.k};
  for (int i = 0; i < 3; ++i)
    *values[i] = test.dynamic ? Value(body.getArgument(1 + 2 * test.numRhs + i))
                              : kb.index(sizes[i]);

  using Contiguous = OperandAccess::Contiguous;
  auto getAccess = [&](Value buffer, Value rows, Value columns,
                       int64_t staticStride, bool transposed) {
    OperandAccess access;
    access.elementType = operandType;
    access.buffer = buffer;
    access.offset = getOffset(rows, columns, transposed);
    access.contiguous = transposed ? Contiguous::Row : Contiguous::Column;
    access.alignment =
        test.dynamic ? 0 : getAlignment(staticStride, getBytes(operandType));
    return access;
  };
  problem.a = getAccess(body.getArgument(0), problem.m, problem.k,
                        test.transposeA ? test.m : test.k, test.transposeA);
  if (test.loadA) {
    OperandAccess plain = problem.a;
    problem.a.buffer = Value();
    problem.a.load = [plain](OpBuilder &b, Location l, ValueRange batch,
                             Value row, Value column) {
      return plain.getElement(b, l, batch, row, column);
    };
  }
  for (int64_t rhs = 0; rhs < test.numRhs; ++rhs)
    problem.b.push_back(getAccess(body.getArgument(1 + rhs), problem.k,
                                  problem.n, test.transposeB ? test.k : test.n,
                                  test.transposeB));
  bool isAligned = !test.dynamic && test.n % 8 == 0;
  problem.epilogue = [&](OpBuilder &b, Location l,
                         const ContractionElements &elements) {
    KernelBuilder kernelBuilder(b, l);
    for (int64_t rhs = 0; rhs < test.numRhs; ++rhs) {
      Value value = elements.accumulators[rhs];
      if (test.readPartner) {
        Value half = kernelBuilder.index(schedule.tileN / 2);
        Value partner =
            elements.read(b, l, rhs, kernelBuilder.bitXor(elements.n, half));
        value = arith::SubFOp::create(b, l, value, partner);
      }
      value = convert(b, l, value, resultType);
      Value buffer = body.getArgument(1 + test.numRhs + rhs);
      Value offset = kernelBuilder.add(
          kernelBuilder.mul(
              kernelBuilder.add(kernelBuilder.mul(elements.batch, problem.m),
                                elements.m),
              problem.n),
          elements.n);
      if (elements.width == 1) {
        memref::StoreOp::create(b, l, value, buffer, offset);
        continue;
      }
      int64_t alignment = getBytes(resultType);
      if (isAligned)
        alignment = std::min<int64_t>(alignment * elements.width, 16);
      vector::StoreOp::create(b, l, value, buffer, offset, false,
                              llvm::MaybeAlign(alignment));
    }
  };
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value shared = function.getWorkgroupAttributions()[0];
  LogicalResult built =
      buildContraction(builder, loc, problem, schedule, block, thread, shared);
  gpu::ReturnOp::create(builder, loc);
  if (failed(built) || failed(verify(*kernel.module)))
    kernel.module = nullptr;
  return kernel;
}

MLIRContext &mlir::fusion::test::getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registry.insert<FusionDialect, arith::ArithDialect, gpu::GPUDialect,
                    LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                    nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect,
                    vector::VectorDialect>();
    auto *result = new MLIRContext(registry);
    result->loadAllAvailableDialects();
    return result;
  }();
  return *context;
}
