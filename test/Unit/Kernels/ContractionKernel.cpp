//===- ContractionKernel.cpp - Contraction kernels for tests -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "KernelRunner.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "fusion/Runtime/Tensor.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"
#include <random>

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
  if (dynamicM)
    name += "_dynamicM";
  if (loadA)
    name += loadVectorsA ? "_loadVector" : "_load";
  if (readPartner)
    name += "_partner";
  if (resultType != "f32")
    name += "_to_" + resultType;
  return name;
}

/// The operand's offset function of a matrix stored row by row.
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
      if (!test.dynamicM)
        shape.m = test.m;
      shape.n = test.n;
      shape.k = test.k;
    }
    shape.batch = test.batch;
    shape.numRhs = test.numRhs;
    shape.isKContiguousB = test.transposeB;
    if (test.readPartner)
      shape.columns = {/*extent=*/32, /*stride=*/16};
    shape.operandType = operandType;
    shape.accumulatorType = accumulatorType;
    shape.resultType = resultType;
    kernel.schedule = chooseContractionSchedule(*target, shape);
  }
  const ContractionSchedule &schedule = kernel.schedule;
  kernel.blocks = llvm::divideCeil(test.m, schedule.tileM) *
                  llvm::divideCeil(test.n, schedule.tileN) * test.batch;

  // A, the right-hand sides, the results, and the sizes if they are dynamic.
  SmallVector<Type> types{getBufferType(operandType)};
  types.append(test.numRhs, getBufferType(operandType));
  types.append(test.numRhs, getBufferType(resultType));
  int64_t numSizes = test.dynamic ? 3 : test.dynamicM ? 1 : 0;
  types.append(numSizes, builder.getIndexType());
  EmptyKernel empty =
      makeKernel("contraction", test.target, types,
                 getContractionSharedBytes(schedule, operandType,
                                           accumulatorType, test.numRhs),
                 schedule.getThreads());
  gpu::GPUFuncOp function = empty.function;
  kernel.module = std::move(empty.module);
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
    *values[i] = i < numSizes ? Value(body.getArgument(1 + 2 * test.numRhs + i))
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
    if (test.loadVectorsA)
      problem.a.loadVector = [plain](OpBuilder &b, Location l, ValueRange batch,
                                     Value row, Value column, int64_t width) {
        Value offset = plain.offset(b, l, batch, row, column);
        Value elements = vector::LoadOp::create(
            b, l, VectorType::get({width}, plain.elementType), plain.buffer,
            offset);
        return elements;
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
        Value partner = elements.read(
            b, l, rhs, kernelBuilder.bitXor(elements.n, half), elements.width);
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
  LogicalResult built = buildContraction(builder, loc, problem, schedule, block,
                                         thread, empty.shared);
  gpu::ReturnOp::create(builder, loc);
  if (failed(built) || failed(verify(*kernel.module)))
    kernel.module = nullptr;
  return kernel;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {

/// A matrix stack of the test: host values and their copy on the device.
struct Buffer {
  Buffer(Device &device, const std::string &type, int64_t batch, int64_t rows,
         int64_t columns)
      : device(device),
        tensor(*ElementType::parse(type), {batch, rows, columns}),
        pointer(llvm::cantFail(device.allocate(tensor.getNumBytes()))) {}
  ~Buffer() { llvm::cantFail(device.deallocate(pointer)); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  void upload() {
    llvm::cantFail(
        device.copyToDevice(pointer, tensor.data(), tensor.getNumBytes()));
  }
  llvm::Error download() {
    return device.copyFromDevice(tensor.data(), pointer, tensor.getNumBytes());
  }
  std::vector<double> getValues() const {
    std::vector<double> values(tensor.getNumElements());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = tensor.getDouble(i);
    return values;
  }

  Device &device;
  Tensor tensor;
  void *pointer;
};

} // namespace

/// Fills `tensor` with numbers of magnitude around 1, small integers if it
/// holds integers.
static void fill(Tensor &tensor, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> real(-1, 1);
  std::uniform_int_distribution<int> integer(-3, 3);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, tensor.getType().isFloat() ? real(generator)
                                                   : integer(generator));
}

/// Compares `result` with the product of `a` and `b`; returns the largest error
/// relative to what rounding may cause.
static double compare(const ContractionCase &test, int64_t tileN,
                      ArrayRef<double> a, ArrayRef<double> b,
                      const Buffer &result) {
  double epsilon = result.tensor.getType().isFloat()
                       ? result.tensor.getType().getEpsilon()
                       : 0;
  double sumEpsilon = test.accumulatorType == "f64" ? 0x1p-50 : 0x1p-21;
  if (test.accumulatorType[0] == 'i')
    sumEpsilon = 0;
  double maxError = 0;
  std::vector<double> sums(test.n), magnitudes(test.n);
  for (int64_t batch = 0; batch < test.batch; ++batch) {
    ArrayRef<double> matrixA = a.slice(batch * test.m * test.k);
    ArrayRef<double> matrixB = b.slice(batch * test.k * test.n);
    for (int64_t m = 0; m < test.m; ++m) {
      std::fill(sums.begin(), sums.end(), 0);
      std::fill(magnitudes.begin(), magnitudes.end(), 0);
      for (int64_t k = 0; k < test.k; ++k) {
        double left =
            matrixA[test.transposeA ? k * test.m + m : m * test.k + k];
        for (int64_t n = 0; n < test.n; ++n) {
          double product =
              left * matrixB[test.transposeB ? n * test.k + k : k * test.n + n];
          sums[n] += product;
          magnitudes[n] += std::abs(product);
        }
      }
      for (int64_t n = 0; n < test.n; ++n) {
        double expected = sums[n];
        double magnitude = magnitudes[n];
        if (test.readPartner) {
          int64_t partner = n ^ (tileN / 2);
          expected -= sums[partner];
          magnitude += magnitudes[partner];
        }
        double actual =
            result.tensor.getDouble((batch * test.m + m) * test.n + n);
        double bound = sumEpsilon * magnitude + epsilon * std::abs(expected);
        double error = std::abs(actual - expected);
        // Not a number counts as infinitely wrong.
        if (!(error <= bound))
          maxError = std::max(maxError, std::isnan(error) || bound == 0
                                            ? HUGE_VAL
                                            : error / bound);
        else if (bound > 0)
          maxError = std::max(maxError, error / bound);
      }
    }
  }
  return maxError;
}

ContractionResult mlir::fusion::test::run(const ContractionCase &test,
                                          bool profile) {
  ContractionResult outcome;
  ContractionKernel kernel = buildKernel(test);
  if (!kernel.module) {
    outcome.error = kernel.error;
    return outcome;
  }
  bool metal = isMetal(*kernel.module);
  EmulatorOptions options;
  options.profile = profile;
  auto emulator = makeEmulator(*kernel.module, std::move(options));
  if (!emulator) {
    outcome.error = llvm::toString(emulator.takeError());
    return outcome;
  }
  Device &device = **emulator;

  std::vector<std::unique_ptr<Buffer>> buffers;
  auto addBuffer = [&](const std::string &type, int64_t rows, int64_t columns) {
    buffers.push_back(
        std::make_unique<Buffer>(device, type, test.batch, rows, columns));
    return buffers.back().get();
  };
  addBuffer(test.operandType, test.m, test.k);
  for (int64_t rhs = 0; rhs < test.numRhs; ++rhs)
    addBuffer(test.operandType, test.k, test.n);
  for (size_t i = 0; i < buffers.size(); ++i) {
    fill(buffers[i]->tensor, i + 1);
    buffers[i]->upload();
  }
  for (int64_t rhs = 0; rhs < test.numRhs; ++rhs)
    addBuffer(test.resultType, test.m, test.n);

  SmallVector<KernelArgument> arguments;
  for (auto &buffer : buffers)
    arguments.push_back({&buffer->pointer, sizeof(void *)});
  // On Metal the sizes make one argument.
  int32_t sizes[] = {int32_t(test.m), int32_t(test.n), int32_t(test.k)};
  size_t numSizes = test.dynamic ? 3 : test.dynamicM ? 1 : 0;
  if (metal && numSizes > 0)
    arguments.push_back({sizes, numSizes * sizeof(int32_t)});
  else
    for (size_t i = 0; i < numSizes; ++i)
      arguments.push_back({&sizes[i], sizeof(int32_t)});

  Dim3 grid, block;
  grid.x = kernel.blocks;
  block.x = kernel.schedule.getThreads();
  if (llvm::Error error =
          device.launch("contraction", grid, block, arguments)) {
    outcome.error = llvm::toString(std::move(error));
    return outcome;
  }
  std::vector<double> a = buffers[0]->getValues();
  for (int64_t rhs = 0; rhs < test.numRhs; ++rhs) {
    Buffer &result = *buffers[1 + test.numRhs + rhs];
    llvm::cantFail(result.download());
    outcome.maxError = std::max(outcome.maxError,
                                compare(test, kernel.schedule.tileN, a,
                                        buffers[1 + rhs]->getValues(), result));
  }
  if (profile)
    outcome.profile = device.getProfiles().front().second;
  return outcome;
}
