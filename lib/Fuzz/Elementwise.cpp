//===- Elementwise.cpp - Productions of one element from others -----------===//
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
// Numbers
//===----------------------------------------------------------------------===//

/// Below 4, so that the exponential stays small.
static Value bounded(Scalars &s, Value x) {
  return s.min(x, s.constant(x.getType(), 4));
}

/// A number above 0.5 that depends on x.
static Value positive(Scalars &s, Value x) {
  return s.addConstant(s.abs(x), 0.5);
}

Value fuzz::randomUnary(GraphBuilder &graph, Scalars &s, Value x) {
  Type type = x.getType();
  switch (graph.random.below(30)) {
  case 0:
    return s.neg(x);
  case 1:
    return s.abs(x);
  case 2:
    return s.make<math::ExpOp>(bounded(s, x));
  case 3:
    return s.make<math::TanhOp>(x);
  case 4:
    return s.make<math::ErfOp>(x);
  case 5:
    return s.make<math::SqrtOp>(positive(s, x));
  case 6:
    return s.make<math::RsqrtOp>(positive(s, x));
  case 7: {
    Value divisor = positive(s, x);
    return s.div(s.constant(type, 1), divisor);
  }
  case 8:
    return s.make<math::LogOp>(positive(s, x));
  case 9:
    return s.make<math::Log1pOp>(s.abs(x));
  case 10:
    return s.make<math::ExpM1Op>(bounded(s, x));
  case 11:
    return s.make<math::SinOp>(x);
  case 12:
    return s.make<math::CosOp>(x);
  case 13:
    return s.make<math::AtanOp>(x);
  case 14: {
    Value two = s.constant(graph.i64, 2);
    return s.make<math::FPowIOp>(bounded(s, x), two);
  }
  case 15: {
    Value base = positive(s, x);
    Value exponent = s.constant(type, graph.random.pick({0.5, 1.5, 2.0, -0.5}));
    return s.make<math::PowFOp>(base, exponent);
  }
  case 16:
    return s.max(x, s.constant(type, 0));
  case 17: {
    Value low = s.max(x, s.constant(type, -2));
    return s.min(low, s.constant(type, 3));
  }
  case 18: {
    Value square = s.mul(x, x);
    return s.addConstant(square, 1);
  }
  case 19: {
    // Softplus.
    Value power = s.make<math::ExpOp>(bounded(s, x));
    return s.make<math::Log1pOp>(power);
  }
  case 20:
    return s.mulConstant(x, graph.random.pick({0.3, -1.7, 0.125, 3.0}));
  case 21:
    return s.addConstant(x, graph.random.pick({0.1, -1.0, 2.5}));
  case 22:
    return s.make<math::Exp2Op>(bounded(s, x));
  case 23: {
    // A rounding to a narrower type and back.
    Type narrow =
        type.isF32() ? graph.random.pick({graph.f16, graph.bf16}) : graph.f32;
    return s.cast(s.cast(x, narrow), type);
  }
  case 24: {
    Value zero = s.constant(type, 0);
    auto predicate = graph.random.pick(
        {arith::CmpFPredicate::OGT, arith::CmpFPredicate::ULE,
         arith::CmpFPredicate::ONE, arith::CmpFPredicate::UEQ});
    Value condition = s.compare(predicate, x, zero);
    Value other = s.mulConstant(x, 0.01);
    return s.select(condition, x, other);
  }
  case 25: {
    // The sigmoid.
    Value power = s.make<math::ExpOp>(s.neg(x));
    Value sum = s.addConstant(power, 1);
    return s.div(s.constant(type, 1), sum);
  }
  case 26: {
    Value one = s.constant(type, 1);
    return s.make<math::CopySignOp>(one, x);
  }
  case 27: {
    Value three = s.constant(graph.i64, 3);
    return s.make<math::FPowIOp>(bounded(s, x), three);
  }
  case 28:
    return s.make<math::CbrtOp>(positive(s, x));
  default: {
    Value low = s.make<arith::MaxNumFOp>(x, s.constant(type, -1));
    return s.make<arith::MinNumFOp>(low, s.constant(type, 1));
  }
  }
}

static Value randomBinary(GraphBuilder &graph, Scalars &s, Value x, Value y) {
  switch (graph.random.below(10)) {
  case 0:
  case 1:
    return s.add(x, y);
  case 2:
    return s.sub(x, y);
  case 3:
  case 4:
    return s.mul(x, y);
  case 5:
    return s.div(x, positive(s, y));
  case 6:
    return s.max(x, y);
  case 7:
    return s.min(x, y);
  case 8: {
    Value condition = s.compare(arith::CmpFPredicate::OLT, x, y);
    Value product = s.mulConstant(y, 0.5);
    return s.select(condition, x, product);
  }
  default: {
    Value product = s.mul(x, y);
    return s.make<math::FmaOp>(x, y, product);
  }
  }
}

Node fuzz::activate(GraphBuilder &graph, const Node &x) {
  auto sigmoid = [](Scalars &s, Value x) {
    Value power = s.make<math::ExpOp>(s.neg(x));
    Value sum = s.addConstant(power, 1);
    return s.div(s.constant(x.getType(), 1), sum);
  };
  switch (graph.random.below(8)) {
  case 0:
    return graph.map(x, [](Scalars &s, ValueRange in) {
      return s.max(in[0], s.constant(in[0].getType(), 0));
    });
  case 1: {
    // SiLU as two operations.
    Node gate = graph.map(
        x, [&](Scalars &s, ValueRange in) { return sigmoid(s, in[0]); });
    return graph.map({x, gate}, x.getElement(), [](Scalars &s, ValueRange in) {
      return s.mul(in[0], in[1]);
    });
  }
  case 2:
    return graph.map(x, [&](Scalars &s, ValueRange in) {
      Value wide = s.cast(in[0], graph.f32);
      Value result = s.mul(wide, sigmoid(s, wide));
      return s.cast(result, in[0].getType());
    });
  case 3:
    // GELU by erf.
    return graph.map(x, [](Scalars &s, ValueRange in) {
      Value root = s.constant(in[0].getType(), 1.41421354);
      Value error = s.make<math::ErfOp>(s.div(in[0], root));
      Value sum = s.addConstant(error, 1);
      return s.mul(in[0], s.mulConstant(sum, 0.5));
    });
  case 4:
    // GELU by tanh.
    return graph.map(x, [&](Scalars &s, ValueRange in) {
      Value three = s.constant(graph.i64, 3);
      Value cube = s.make<math::FPowIOp>(in[0], three);
      Value inner = s.add(in[0], s.mulConstant(cube, 0.044715));
      Value tanh = s.make<math::TanhOp>(s.mulConstant(inner, 0.79772402));
      Value half = s.mulConstant(in[0], 0.5);
      return s.mul(half, s.addConstant(tanh, 1));
    });
  case 5:
    // Quick GELU.
    return graph.map(x, [&](Scalars &s, ValueRange in) {
      return s.mul(in[0], sigmoid(s, s.mulConstant(in[0], 1.702)));
    });
  case 6:
    // Squared ReLU.
    return graph.map(x, [](Scalars &s, ValueRange in) {
      Value positive = s.max(in[0], s.constant(in[0].getType(), 0));
      return s.mul(positive, positive);
    });
  default:
    return graph.map(x, [](Scalars &s, ValueRange in) {
      return s.make<math::TanhOp>(in[0]);
    });
  }
}

//===----------------------------------------------------------------------===//
// Productions
//===----------------------------------------------------------------------===//

static bool addUnary(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(0, 4));
  unsigned count = graph.random.range(1, 4);
  bool isOneBody = graph.random.chance(50);
  if (isOneBody) {
    Node result = graph.map(x, [&](Scalars &s, ValueRange in) {
      Value value = in[0];
      for (unsigned i = 0; i < count; ++i)
        value = randomUnary(graph, s, value);
      return value;
    });
    result.scale = 2;
    graph.add(result);
    return true;
  }
  for (unsigned i = 0; i < count; ++i) {
    x = graph.map(x, [&](Scalars &s, ValueRange in) {
      return randomUnary(graph, s, in[0]);
    });
    x.scale = 2;
  }
  graph.add(x);
  return true;
}

/// Something that is broadcast to x: a row, a column, a number, x's like.
static Node pickPartner(GraphBuilder &graph, const Node &x) {
  Type element = graph.random.chance(80) ? x.getElement() : graph.floatType();
  Sizes sizes = x.sizes;
  switch (graph.random.below(6)) {
  case 0:
    return graph.pickLike(x);
  case 1:
    return graph.argument(element, Integers(sizes).take_back(1));
  case 2:
    if (!sizes.empty())
      sizes.back() = 1;
    return graph.argument(element, sizes);
  case 3:
    return graph.splat(element, {}, graph.random.pick({0.5, -2.0, 1.25}));
  case 4: {
    for (int64_t &size : sizes)
      if (graph.random.chance(50))
        size = 1;
    return graph.argument(element, sizes);
  }
  default: {
    Sizes suffix(
        Integers(sizes).take_back(graph.random.below(sizes.size() + 1)));
    return graph.random.chance(50) ? graph.argument(element, suffix)
                                   : graph.table(element, suffix);
  }
  }
}

static bool addBinary(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(0, 4));
  Node y = graph.tame(pickPartner(graph, x));
  bool isUnaryToo = graph.random.chance(40);
  Node result =
      graph.map({x, y}, x.getElement(), [&](Scalars &s, ValueRange in) {
        Value other = s.cast(in[1], in[0].getType());
        Value value = randomBinary(graph, s, in[0], other);
        return isUnaryToo ? randomUnary(graph, s, value) : value;
      });
  result.scale = x.scale * y.scale + x.scale + y.scale;
  graph.add(result);
  return true;
}

static bool addActivation(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  Node result = activate(graph, x);
  graph.add(result);
  return true;
}

static bool addCast(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(0, 4));
  Type other = graph.random.pick({graph.f32, graph.f16, graph.bf16});
  if (other == x.getElement())
    return false;
  Node result = graph.cast(x, other);
  if (graph.random.chance(60)) {
    Node wide = graph.map(result, [&](Scalars &s, ValueRange in) {
      return randomUnary(graph, s, in[0]);
    });
    wide.scale = 2;
    result = graph.cast(wide, x.getElement());
  }
  graph.add(result);
  return true;
}

/// Comparison, logic, choice.
static bool addChoice(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  Node y = graph.pickLike(x);
  auto predicate =
      graph.random.pick({arith::CmpFPredicate::OGT, arith::CmpFPredicate::OLE,
                         arith::CmpFPredicate::UNE, arith::CmpFPredicate::UGE});
  Node condition = graph.map({x, y}, graph.i1, [&](Scalars &s, ValueRange in) {
    return s.compare(predicate, in[0], in[1]);
  });
  if (graph.random.chance(40)) {
    Node other = graph.argument(graph.i1, x.sizes);
    condition =
        graph.map({condition, other}, graph.i1, [&](Scalars &s, ValueRange in) {
          switch (predicate) {
          case arith::CmpFPredicate::OGT:
            return s.make<arith::AndIOp>(in[0], in[1]);
          case arith::CmpFPredicate::OLE:
            return s.make<arith::OrIOp>(in[0], in[1]);
          default:
            return s.make<arith::XOrIOp>(in[0], in[1]);
          }
        });
  }
  Node low = graph.splat(x.getElement(), {}, -1);
  Node result = graph.map(
      {condition, x, low}, x.getElement(),
      [](Scalars &s, ValueRange in) { return s.select(in[0], in[1], in[2]); });
  if (graph.random.chance(40))
    graph.add(condition);
  graph.add(result);
  return true;
}

static bool addIntegers(GraphBuilder &graph) {
  Node x = graph.pickInteger(0, 3);
  Type type = x.getElement();
  if (type.isInteger(1)) {
    Node y = graph.argument(graph.i1, x.sizes);
    unsigned which = graph.random.below(3);
    graph.add(graph.map({x, y}, graph.i1, [&](Scalars &s, ValueRange in) {
      if (which == 0)
        return s.make<arith::AndIOp>(in[0], in[1]);
      if (which == 1)
        return s.make<arith::OrIOp>(in[0], in[1]);
      return s.make<arith::XOrIOp>(in[0], in[1]);
    }));
    return true;
  }
  Node y = graph.pickLike(x);
  unsigned which = graph.random.below(9);
  int64_t divisor = graph.random.pick({int64_t(2), int64_t(3), int64_t(7)});
  Node result =
      graph.map({x, y}, type, [&](Scalars &s, ValueRange in) -> Value {
        Value constant = s.constant(type, double(divisor));
        switch (which) {
        case 0:
          return s.add(in[0], in[1]);
        case 1:
          return s.sub(in[0], in[1]);
        case 2:
          return s.mul(in[0], in[1]);
        case 3:
          return s.max(in[0], in[1]);
        case 4:
          return s.min(in[0], constant);
        case 5:
          return s.make<arith::FloorDivSIOp>(in[0], constant);
        case 6:
          return s.make<arith::RemSIOp>(in[0], constant);
        case 7: {
          Value condition = s.compare(arith::CmpIPredicate::slt, in[0], in[1]);
          return s.select(condition, in[0], constant);
        }
        default:
          return s.make<arith::XOrIOp>(in[0], in[1]);
        }
      });
  graph.add(result);
  if (graph.random.chance(40)) {
    // A float of it; the integers are small.
    Node folded = graph.map(result, [&](Scalars &s, ValueRange in) {
      return s.make<arith::RemSIOp>(in[0], s.constant(type, 64));
    });
    Node number = graph.cast(folded, graph.floatType());
    number.scale = 8;
    graph.add(number);
  }
  return true;
}

/// Named operations in place of `linalg.generic`.
static bool addNamed(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  OpBuilder &b = graph.builder;
  Location loc = graph.loc;
  Node result = x;
  SmallVector<Value> one = {x.value};
  unsigned which = graph.random.below(8);
  if (which < 4) {
    Node y = graph.pickLike(x);
    SmallVector<Value> two = {x.value, y.value};
    Value init = graph.emptyLike(x, x.getElement());
    switch (which) {
    case 0:
      result.value = linalg::AddOp::create(b, loc, two, init).getResult(0);
      break;
    case 1:
      result.value = linalg::MulOp::create(b, loc, two, init).getResult(0);
      result.scale = x.scale * y.scale;
      break;
    case 2:
      result.value = linalg::SubOp::create(b, loc, two, init).getResult(0);
      break;
    default:
      result.value = linalg::MaxOp::create(b, loc, two, init).getResult(0);
      break;
    }
    result.scale += y.scale;
  } else {
    Value init = graph.emptyLike(x, x.getElement());
    switch (which) {
    case 4:
      result.value = linalg::TanhOp::create(b, loc, one, init).getResult(0);
      break;
    case 5:
      result.value = linalg::NegFOp::create(b, loc, one, init).getResult(0);
      break;
    case 6:
      result.value = linalg::AbsOp::create(b, loc, one, init).getResult(0);
      break;
    default:
      result.value =
          linalg::MapOp::create(b, loc, one, init,
                                [&](OpBuilder &b, Location loc, ValueRange in) {
                                  Scalars s(b, loc);
                                  Value value = randomUnary(graph, s, in[0]);
                                  linalg::YieldOp::create(b, loc, value);
                                })
              ->getResult(0);
      result.scale = 2;
      break;
    }
  }
  graph.add(result);
  return true;
}

/// One operation with two results, of which both or one are used.
static bool addTwoResults(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  Type other = graph.random.pick({x.getElement(), graph.f32});
  SmallVector<Value> inits = {graph.emptyLike(x, x.getElement())};
  inits.push_back(graph.emptyLike(x, other));
  SmallVector<AffineMap> maps(
      3, graph.builder.getMultiDimIdentityMap(x.getRank()));
  SmallVector<utils::IteratorType> iterators(x.getRank(),
                                             utils::IteratorType::parallel);
  SmallVector<Type> types = {inits[0].getType(), inits[1].getType()};
  auto op = linalg::GenericOp::create(
      graph.builder, graph.loc, types, x.value, inits, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange in) {
        Scalars s(b, loc);
        SmallVector<Value> values = {randomUnary(graph, s, in[0])};
        Value second = randomUnary(graph, s, in[0]);
        values.push_back(s.cast(second, other));
        linalg::YieldOp::create(b, loc, values);
      });
  Node first{op.getResult(0), x.sizes, 2}, second{op.getResult(1), x.sizes, 2};
  if (graph.random.chance(70))
    graph.add(first);
  graph.add(second);
  return true;
}

/// An operation that reads what it overwrites.
static bool addUpdate(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  Node onto = graph.pickLike(x);
  SmallVector<AffineMap> maps(
      2, graph.builder.getMultiDimIdentityMap(x.getRank()));
  SmallVector<utils::IteratorType> iterators(x.getRank(),
                                             utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      graph.builder, graph.loc, onto.value.getType(), x.value, onto.value, maps,
      iterators, [&](OpBuilder &b, Location loc, ValueRange in) {
        Scalars s(b, loc);
        Value value = randomBinary(graph, s, in[0], in[1]);
        linalg::YieldOp::create(b, loc, value);
      });
  graph.add({op.getResult(0), x.sizes, x.scale + onto.scale + 1});
  return true;
}

void fuzz::addElementwiseProductions(SmallVectorImpl<Production> &list) {
  list.append({{"unary", 8, addUnary},
               {"binary", 10, addBinary},
               {"activation", 4, addActivation},
               {"cast", 4, addCast},
               {"choice", 3, addChoice},
               {"integers", 3, addIntegers},
               {"named", 3, addNamed},
               {"two results", 2, addTwoResults},
               {"update", 2, addUpdate}});
}
