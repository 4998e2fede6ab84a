//===- Norms.cpp - Productions that normalise rows ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

Exponentials fuzz::exponentiate(GraphBuilder &graph, const Node &x, int64_t d) {
  Type outer = x.getElement();
  Type type = outer;
  if (!outer.isF32() && graph.random.chance(70))
    type = graph.f32;
  Node wide = graph.cast(x, type);
  Node shifted = wide, largest;
  if (graph.random.chance(90)) {
    largest = maximum(graph, wide, d, /*keep=*/true);
    if (graph.random.chance(20)) {
      // JAX compares once more with minus infinity.
      largest = graph.map(largest, [](Scalars &s, ValueRange in) {
        Value low = s.infinity(in[0].getType(), true);
        return s.max(in[0], low);
      });
    }
    shifted = graph.map({wide, largest}, type, [](Scalars &s, ValueRange in) {
      return s.sub(in[0], in[1]);
    });
  } else {
    shifted = graph.map(wide, [](Scalars &s, ValueRange in) {
      return s.min(in[0], s.constant(in[0].getType(), 4));
    });
  }
  bool isBaseTwo = graph.random.chance(15);
  Node powers = graph.map(shifted, [&](Scalars &s, ValueRange in) -> Value {
    if (isBaseTwo)
      return s.make<math::Exp2Op>(s.mulConstant(in[0], 1.44269504));
    return s.make<math::ExpOp>(in[0]);
  });
  powers.scale = 1;
  Node total = graph.sum(powers, {d}, /*keep=*/true);
  return {wide, largest, shifted, powers, total};
}

/// The exponential of the logarithm of a softmax.
static Node divideByLogarithm(GraphBuilder &graph, const Exponentials &parts) {
  Node log = graph.map(parts.total, [](Scalars &s, ValueRange in) {
    return s.make<math::LogOp>(in[0]);
  });
  Node from = parts.shifted;
  if (parts.largest.value && graph.random.chance(50)) {
    log = graph.map(
        {log, parts.largest}, log.getElement(),
        [](Scalars &s, ValueRange in) { return s.add(in[0], in[1]); });
    from = parts.wide;
    if (graph.random.chance(30))
      graph.add(log);
  }
  return graph.map({from, log}, from.getElement(),
                   [](Scalars &s, ValueRange in) {
                     return s.make<math::ExpOp>(s.sub(in[0], in[1]));
                   });
}

Node fuzz::softmax(GraphBuilder &graph, const Node &x, int64_t d) {
  Type outer = x.getElement();
  Exponentials parts = exponentiate(graph, x, d);
  Node powers = parts.powers, total = parts.total;
  Type type = powers.getElement();
  Node result;
  if (type.isF32() && graph.random.chance(8)) {
    result = divideByLogarithm(graph, parts);
  } else if (graph.random.chance(75)) {
    result = graph.map({powers, total}, type, [](Scalars &s, ValueRange in) {
      return s.div(in[0], in[1]);
    });
  } else {
    Node reciprocal = graph.map(total, [](Scalars &s, ValueRange in) {
      return s.div(s.constant(in[0].getType(), 1), in[0]);
    });
    result =
        graph.map({powers, reciprocal}, type, [](Scalars &s, ValueRange in) {
          return s.mul(in[0], in[1]);
        });
  }
  result.scale = 1;
  return graph.cast(result, outer);
}

static bool addSoftmax(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  int64_t d = graph.random.chance(75) ? x.getRank() - 1
                                      : graph.random.below(x.getRank());
  graph.add(softmax(graph, x, d));
  return true;
}

static bool addLogSoftmax(GraphBuilder &graph) {
  Node x = graph.cast(graph.tame(graph.pickFloat(1, 3)), graph.f32);
  int64_t d = x.getRank() - 1;
  Node largest = maximum(graph, x, d, /*keep=*/true);
  Node shifted =
      graph.map({x, largest}, graph.f32,
                [](Scalars &s, ValueRange in) { return s.sub(in[0], in[1]); });
  Node powers = graph.map(shifted, [](Scalars &s, ValueRange in) {
    return s.make<math::ExpOp>(in[0]);
  });
  Node total = graph.sum(powers, {d}, /*keep=*/true);
  Node logarithm = graph.map(total, [](Scalars &s, ValueRange in) {
    return s.make<math::LogOp>(in[0]);
  });
  Node result =
      graph.map({shifted, logarithm}, graph.f32,
                [](Scalars &s, ValueRange in) { return s.sub(in[0], in[1]); });
  result.scale = 4;
  graph.add(result);
  return true;
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// x times a gain, and plus a bias, of the last dimension.
static Node applyAffine(GraphBuilder &graph, const Node &x, Type parameters,
                        bool hasBias) {
  Node gain = graph.argument(parameters, Integers(x.sizes).take_back(1));
  bool isOffset = graph.random.chance(20);
  Node result =
      graph.map({x, gain}, x.getElement(), [&](Scalars &s, ValueRange in) {
        Value factor = s.cast(in[1], in[0].getType());
        if (isOffset)
          factor = s.addConstant(factor, 1);
        return s.mul(in[0], factor);
      });
  if (!hasBias)
    return result;
  Node bias = graph.argument(parameters, Integers(x.sizes).take_back(1));
  return graph.map({result, bias}, x.getElement(),
                   [](Scalars &s, ValueRange in) {
                     return s.add(in[0], s.cast(in[1], in[0].getType()));
                   });
}

/// 1 / sqrt(x + epsilon), as exporters do it.
static Node inverseRoot(GraphBuilder &graph, const Node &x) {
  Value epsilon = graph.scalar(graph.f64, 1e-5);
  Node moved = graph.map(x, [&](Scalars &s, ValueRange in) {
    Value narrow = s.cast(epsilon, in[0].getType());
    return s.add(in[0], narrow);
  });
  if (graph.random.chance(75))
    return graph.map(moved, [](Scalars &s, ValueRange in) {
      return s.make<math::RsqrtOp>(in[0]);
    });
  return graph.map(moved, [](Scalars &s, ValueRange in) {
    Value root = s.make<math::SqrtOp>(in[0]);
    return s.div(s.constant(in[0].getType(), 1), root);
  });
}

static Node average(GraphBuilder &graph, const Node &x, int64_t d) {
  Node total = graph.sum(x, {d}, /*keep=*/true);
  double count = x.sizes[d];
  Node result = graph.map(total, [&](Scalars &s, ValueRange in) {
    return s.div(in[0], s.constant(in[0].getType(), count));
  });
  result.scale = x.scale;
  return result;
}

static Node multiply(GraphBuilder &graph, const Node &x, const Node &y) {
  return graph.map({x, y}, x.getElement(), [](Scalars &s, ValueRange in) {
    return s.mul(in[0], in[1]);
  });
}

static Node normalizeByRoot(GraphBuilder &graph, const Node &x) {
  Type outer = x.getElement();
  Node wide = graph.random.chance(90) ? graph.cast(x, graph.f32) : x;
  bool isPower = graph.random.chance(50);
  Node squares = graph.map(wide, [&](Scalars &s, ValueRange in) -> Value {
    if (!isPower)
      return s.mul(in[0], in[0]);
    Value two = s.constant(graph.i64, 2);
    return s.make<math::FPowIOp>(in[0], two);
  });
  Node root = inverseRoot(graph, average(graph, squares, x.getRank() - 1));
  Node result = multiply(graph, wide, root);
  result.scale = 1;
  if (graph.random.chance(50))
    return applyAffine(graph, graph.cast(result, outer), outer, false);
  return graph.cast(applyAffine(graph, result, outer, false), outer);
}

static Node normalizeLayer(GraphBuilder &graph, const Node &x) {
  Type outer = x.getElement();
  int64_t last = x.getRank() - 1;
  Node wide = graph.cast(x, graph.f32);
  Node variance;
  if (graph.random.chance(50)) {
    // The variance in f64, as torch-mlir has it.
    Node wider = graph.cast(wide, graph.f64);
    Node mean = average(graph, wider, last);
    Node centred =
        graph.map({wider, mean}, graph.f64, [](Scalars &s, ValueRange in) {
          return s.sub(in[0], in[1]);
        });
    Node squares = multiply(graph, centred, centred);
    variance = graph.cast(average(graph, squares, last), graph.f32);
  }
  Node mean = average(graph, wide, last);
  Node centred =
      graph.map({wide, mean}, graph.f32,
                [](Scalars &s, ValueRange in) { return s.sub(in[0], in[1]); });
  if (!variance) {
    Node squares = multiply(graph, centred, centred);
    variance = average(graph, squares, last);
  }
  Node root = inverseRoot(graph, variance);
  Node result = multiply(graph, centred, root);
  result.scale = 1;
  bool hasBias = graph.random.chance(70);
  if (graph.random.chance(80))
    result = applyAffine(graph, result, outer, hasBias);
  return graph.cast(result, outer);
}

Node fuzz::normalizeRows(GraphBuilder &graph, const Node &x) {
  Node result = graph.random.chance(55) ? normalizeByRoot(graph, x)
                                        : normalizeLayer(graph, x);
  result.scale = 1;
  return result;
}

static bool addNorm(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 4);
  // A row of one element is its own mean, and what is left is noise.
  if (x.sizes.back() < 2)
    return false;
  if (graph.random.chance(40)) {
    Node y = graph.pickLike(x);
    x = graph.map({x, y}, x.getElement(), [](Scalars &s, ValueRange in) {
      return s.add(in[0], in[1]);
    });
    if (graph.random.chance(50))
      graph.add(x);
  }
  graph.add(normalizeRows(graph, graph.tame(x)));
  return true;
}

void fuzz::addNormProductions(SmallVectorImpl<Production> &list) {
  list.append({{"softmax", 5, addSoftmax},
               {"log softmax", 2, addLogSoftmax},
               {"norm", 6, addNorm}});
}
