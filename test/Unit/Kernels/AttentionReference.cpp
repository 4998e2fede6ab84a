//===- AttentionReference.cpp - Attention in double precision -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "KernelRunner.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

using Order = AttentionCase::Order;
using Mask = AttentionCase::Mask;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The position of an element of an operand.
static size_t getIndex(const AttentionCase &test, int64_t heads,
                       int64_t positions, int64_t width, int64_t batch,
                       int64_t head, int64_t position, int64_t column) {
  switch (test.order) {
  case Order::HeadsOutside:
    return ((batch * heads + head) * positions + position) * width + column;
  case Order::HeadsInside:
    return ((batch * positions + position) * heads + head) * width + column;
  case Order::WidthOutside:
    return ((batch * heads + head) * width + column) * positions + position;
  }
  llvm_unreachable("unknown order");
}

namespace {

/// The operands, rounded, and the exact results.
struct Reference {
  std::vector<double> query, key, value, mask;
  std::vector<double> output, lse, probabilities;

  void compute(const AttentionCase &test);

private:
  double getScore(const AttentionCase &test, int64_t batch, int64_t head,
                  int64_t q, int64_t k) const;
};

} // namespace

double Reference::getScore(const AttentionCase &test, int64_t batch,
                           int64_t head, int64_t q, int64_t k) const {
  if (test.causalOffset && k > q + *test.causalOffset)
    return -kInfinity;
  if (test.window && k <= q + *test.causalOffset - *test.window)
    return -kInfinity;
  int64_t sharedHeads = test.heads / test.groupSize;
  double score = 0;
  for (int64_t d = 0; d < test.widthQK; ++d)
    score += query[getIndex(test, test.heads, test.queries, test.widthQK, batch,
                            head, q, d)] *
             key[getIndex(test, sharedHeads, test.keys, test.widthQK, batch,
                          head / test.groupSize, k, d)];
  score *= test.scale;
  if (test.factor)
    score *= getFactor(q, k);
  if (test.softcap)
    score = *test.softcap * std::tanh(score / *test.softcap);
  double element = test.mask == Mask::None
                       ? 0
                       : mask[(batch * test.queries + q) * test.keys + k];
  // A large element of the mask absorbs the score, as it does in any f32
  // implementation.
  if (test.mask == Mask::Float)
    score = test.type == "f64" ? score + element : float(score + element);
  bool isMasked = test.mask == Mask::Boolean
                      ? element == 0
                      : std::isnan(test.masked) && std::isnan(element);
  if (test.mask != Mask::None && isMasked)
    score = test.maskedScore.value_or(-kInfinity);
  return test.floor ? std::fmax(score, *test.floor) : score;
}

void Reference::compute(const AttentionCase &test) {
  int64_t sharedHeads = test.heads / test.groupSize;
  std::vector<double> scores(test.keys);
  for (int64_t batch = 0; batch < test.batches; ++batch) {
    for (int64_t head = 0; head < test.heads; ++head) {
      for (int64_t q = 0; q < test.queries; ++q) {
        double maximum = -kInfinity;
        for (int64_t k = 0; k < test.keys; ++k) {
          scores[k] = getScore(test, batch, head, q, k);
          maximum = std::fmax(maximum, scores[k]);
        }
        double reference = maximum == -kInfinity ? 0 : maximum;
        double sum = 0;
        for (double &score : scores) {
          score = std::exp(score - reference);
          sum += score;
        }
        int64_t row = (batch * test.heads + head) * test.queries + q;
        lse[row] = maximum + std::log(sum);
        for (int64_t k = 0; k < test.keys; ++k)
          probabilities[row * test.keys + k] =
              sum == 0 && test.maskedRows == MaskedRows::Zero ? 0
                                                              : scores[k] / sum;
        for (int64_t v = 0; v < test.widthV; ++v) {
          double result = 0;
          for (int64_t k = 0; k < test.keys; ++k)
            if (scores[k] != 0)
              result +=
                  scores[k] *
                  value[getIndex(test, sharedHeads, test.keys, test.widthV,
                                 batch, head / test.groupSize, k, v)];
          if (sum == 0)
            result = test.keys == 0 || test.maskedRows == MaskedRows::Zero
                         ? 0
                         : kNaN;
          else
            result /= sum;
          output[row * test.widthV + v] = result;
        }
      }
    }
  }
}

/// The largest difference; infinite where one side is NaN, or an infinity, and
/// the other is not.
static double getMaxError(ArrayRef<double> ours, ArrayRef<double> exact) {
  double error = 0;
  for (auto [x, y] : llvm::zip_equal(ours, exact)) {
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double difference = std::abs(x - y);
    error = std::max(error, std::isnan(difference) ? kInfinity : difference);
  }
  return error;
}

AttentionResult mlir::fusion::test::run(const AttentionCase &test,
                                        bool profile) {
  AttentionResult result;
  AttentionKernel kernel = buildKernel(test);
  if (!kernel.module) {
    result.error = "not built: " + kernel.error;
    return result;
  }
  EmulatorOptions options;
  options.profile = profile;
  bool metal = isMetal(*kernel.module);
  auto emulator = makeEmulator(*kernel.module, options);
  if (!emulator) {
    result.error = "not lowered: " + llvm::toString(emulator.takeError());
    return result;
  }
  Device &device = **emulator;

  MLIRContext *context = &getContext();
  Type type = test.getShape().elementType;
  Type accumulatorType = getAttentionAccumulatorType(type);
  Type maskType = test.mask == Mask::Boolean
                      ? Type(IntegerType::get(context, 8))
                      : accumulatorType;
  int64_t sharedHeads = test.heads / test.groupSize;
  int64_t queryRows = test.batches * test.heads * test.queries;
  int64_t keyRows = test.batches * sharedHeads * test.keys;
  DeviceBuffer query(device, type,
                     makeRandom(queryRows * test.widthQK, 1, test.magnitude));
  DeviceBuffer key(device, type, makeRandom(keyRows * test.widthQK, 2));
  DeviceBuffer value(device, type, makeRandom(keyRows * test.widthV, 3));
  std::vector<double> maskValues = makeRandom(
      test.mask == Mask::None ? 0 : test.batches * test.queries * test.keys, 4,
      2.0);
  for (size_t i = 0; i < maskValues.size(); ++i) {
    double &element = maskValues[i];
    bool isMasked = element < -1 ||
                    int64_t(i / test.keys) % test.queries == test.maskedQuery;
    if (test.mask == Mask::Boolean)
      element = isMasked ? 0 : 1;
    else if (isMasked)
      element = test.masked;
  }
  DeviceBuffer mask(device, maskType, std::move(maskValues));
  DeviceBuffer output(device, accumulatorType,
                      std::vector<double>(queryRows * test.widthV));
  DeviceBuffer lse(device, accumulatorType, std::vector<double>(queryRows));
  DeviceBuffer probabilities(device, accumulatorType,
                             std::vector<double>(queryRows * test.keys));
  if (test.nanQuery)
    query.values[*test.nanQuery * test.widthQK] = kNaN;
  query.upload();
  mask.upload();
  for (int64_t matrix = 0; matrix < test.batches * sharedHeads; ++matrix) {
    int64_t first = matrix * test.keys;
    int64_t end = first + test.unwrittenKeys.value_or(test.keys);
    key.upload(first * test.widthQK, end * test.widthQK);
    value.upload(first * test.widthV, end * test.widthV);
  }

  int64_t sizes[] = {test.queries, test.keys, test.widthQK, test.widthV,
                     test.causalOffset.value_or(0)};
  // As the kernel takes them: indices of 32 or 64 bits, one after the other.
  size_t indexBytes = test.wideIndices ? 8 : 4;
  std::vector<char> scalars;
  for (int64_t &size : sizes)
    scalars.insert(scalars.end(), reinterpret_cast<char *>(&size),
                   reinterpret_cast<char *>(&size) + indexBytes);
  SmallVector<KernelArgument> arguments;
  for (DeviceBuffer *buffer :
       {&query, &key, &value, &mask, &output, &lse, &probabilities})
    arguments.push_back(buffer->getArgument());
  if (metal)
    arguments.push_back({scalars.data(), scalars.size()});
  else
    for (size_t i = 0; i < scalars.size(); i += indexBytes)
      arguments.push_back({&scalars[i], indexBytes});
  Dim3 grid, block;
  grid.x = kernel.blocks;
  block.x = kernel.schedule.getThreads();
  llvm::Error error = device.launch("attention", grid, block, arguments);
  if (!error)
    error = output.download();
  if (!error && test.lse)
    error = lse.download();
  if (!error && test.probabilities)
    error = probabilities.download();
  if (error) {
    result.error = llvm::toString(std::move(error));
    return result;
  }
  if (profile)
    for (const NamedKernelProfile &named : device.getProfiles())
      result.profile = named.second;

  Reference reference;
  reference.query = query.values;
  reference.key = key.values;
  reference.value = value.values;
  reference.mask = mask.values;
  reference.output.resize(output.values.size());
  reference.lse.resize(lse.values.size());
  reference.probabilities.resize(probabilities.values.size());
  reference.compute(test);
  result.maxError = getMaxError(output.values, reference.output);
  if (test.lse)
    result.maxLseError = getMaxError(lse.values, reference.lse);
  if (test.probabilities)
    result.maxProbabilityError =
        getMaxError(probabilities.values, reference.probabilities);
  return result;
}

std::string mlir::fusion::test::compile(const AttentionCase &test) {
  AttentionKernel kernel = buildKernel(test);
  if (!kernel.module)
    return kernel.error;
  auto text = isMetal(*kernel.module) ? makeMSL(*kernel.module)
                                      : makePTX(*kernel.module);
  return text ? *text : llvm::toString(text.takeError());
}
