//===- Erf.cpp - The error function ---------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::fusion;

/// erf(x) / x - 1 as a polynomial in x^2, x in [0, 1].
static constexpr double smallF32[] = {
    1.283791661e-01, -3.761262596e-01, 1.128360033e-01, -2.685444616e-02,
    5.189536605e-03, -8.020845708e-04, 7.889119297e-05};
static constexpr double smallF64[] = {
    0.1283791670955126,      -0.3761263890318375,     0.11283791670954885,
    -0.026866170645077875,   0.005223977624828431,    -0.0008548326981425542,
    0.0001205533113295582,   -1.4925595772180906e-05, 1.64610084778027e-06,
    -1.6350396222864617e-07, 1.466032872274226e-08,   -1.137495573607015e-09,
    5.960685338520971e-11};

/// log2(1 - erf(x)), x in [1, 4] and [1, 6]: beyond, erf rounds to 1.
static constexpr double largeF32[] = {
    -4.936599871e-04, -1.626041770e+00, -9.206560850e-01, -1.487442404e-01,
    3.150175884e-02,  -4.251487553e-03, 2.687653177e-04};
static constexpr double largeF64[] = {
    -3.1795450772761057e-07, -1.627903892195755,      -0.9184624951688724,
    -0.14822964682267306,    0.027521128927426183,    0.00040254185509418244,
    -0.0025416695713107976,  0.0009076409086872806,   -4.592289847057054e-05,
    -0.00011630379911038347, 7.389564207638214e-05,   -2.8022166692010744e-05,
    7.794921792931013e-06,   -1.6780104089506542e-06, 2.8342902992301695e-07,
    -3.739168998582756e-08,  3.783100294663629e-09,   -2.8369476805281154e-10,
    1.4856042598872916e-11,  -4.847722644864495e-13,  7.416772298813255e-15};

/// erf(x) for |x| <= 1.
static Value erfOfSmall(Emitter &e, Value x) {
  return e.fma(e.polynomial(e.mul(x, x), e.table(smallF32, smallF64)), x, x);
}

Value mlir::fusion::expandErf(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value small = erfOfSmall(e, x);
  double end = e.pick(4.0, 6.0);
  Value bounded = e.select(e.greater(a, end), e.constant(end), a);
  Value complement = e.exp2(e.polynomial(bounded, e.table(largeF32, largeF64)));
  Value large = e.copySign(e.sub(e.constant(1), complement), x);
  return e.select(e.less(a, 1.0), small, large);
}

/// erfc(a) e^(a^2) (1 + 2a) as a polynomial in (a - 4) / (a + 4), a >= 0.
static constexpr double complementF32[] = {
    1.232995152e+00,  -1.396211386e-01, 1.537962258e-02,  6.809784472e-02,
    -1.010376215e-01, 9.372135997e-02,  -6.635618955e-02, 3.721963614e-02,
    -1.602163166e-02, 5.052445922e-03,  -1.128848759e-03, -6.397112156e-04};
static constexpr double complementF64[] = {
    1.2329951186255526,      -0.13962111684056286,   0.015379652102620038,
    0.06809705425473445,     -0.10103906603631738,   0.0937328349968877,
    -0.06633036581218511,    0.03716751556104576,    -0.016197734052950583,
    0.005031969768459862,    -0.0007577733737485316, -0.0001992555736080673,
    0.00015062234208047438,  -2.440295243677979e-05, -1.1224954765213503e-05,
    5.7174437543383894e-06,  3.0147248328746675e-07, -8.346178074304032e-07,
    6.274074871766913e-08,   1.1498799000300674e-07, -7.821945167068826e-09,
    -1.3573173284316271e-08, -1.7762893654185789e-09};

Value mlir::fusion::expandErfc(Emitter &e, Value x) {
  Value a = e.abs(x);
  // Beyond, erfc is less than the least denormal.
  double end = e.pick(10.2, 27.5);
  a = e.select(e.greater(a, end), e.constant(end), a);
  Value t = e.div(e.add(a, -4.0), e.add(a, 4.0));
  Value p = e.polynomial(t, e.table(complementF32, complementF64));
  // e^-(square + rest) with the square's rounding error.
  Value square = e.mul(a, a);
  Value rest = e.fma(a, a, e.neg(square));
  Value power = e.exp(e.neg(square));
  power = e.fma(power, e.neg(rest), power);
  Value r = e.div(e.mul(power, p), e.fma(a, 2.0, e.constant(1)));
  r = e.select(e.less(x, 0.0), e.sub(e.constant(2), r), r);
  Value small = e.sub(e.constant(1), erfOfSmall(e, x));
  return e.select(e.less(e.abs(x), 0.5), small, r);
}
