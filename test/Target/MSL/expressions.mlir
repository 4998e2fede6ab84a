// RUN: fusion-translate --fusion-to-msl %s | FileCheck %s

gpu.module @kernels {
  // Sums, differences, products and left shifts of data wrap, which signed C++
  // must not; index arithmetic stays plain, and so does `nsw`.
  // CHECK-LABEL: kernel void integers(
  gpu.func @integers(%p: memref<?xi32> {fusion.name = "p"},
                     %s: memref<?xi8> {fusion.name = "s"},
                     %i: index {fusion.name = "i"}) kernel
      attributes {fusion.index32} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = arith.addi %i, %c1 : index
    %k = arith.muli %j, %c2 : index
    // CHECK: int [[A:.*]] = p[(i + 1) * 2];
    %a = memref.load %p[%k] : memref<?xi32>
    // CHECK: int [[B:.*]] = p[i];
    %b = memref.load %p[%i] : memref<?xi32>
    %0 = arith.addi %a, %b : i32
    %1 = arith.muli %0, %b : i32
    // CHECK: p[0] = int((uint([[A]]) + uint([[B]])) * uint([[B]]));
    %c0 = arith.constant 0 : index
    memref.store %1, %p[%c0] : memref<?xi32>
    %2 = arith.addi %a, %b overflow<nsw> : i32
    // CHECK: p[0] = [[A]] + [[B]];
    memref.store %2, %p[%c0] : memref<?xi32>
    %3 = arith.divui %a, %b : i32
    // CHECK: p[0] = int(uint([[A]]) / uint([[B]]));
    memref.store %3, %p[%c0] : memref<?xi32>
    %4 = arith.shrui %a, %b : i32
    %5 = arith.shrsi %4, %b : i32
    // CHECK: p[0] = int(uint([[A]]) >> uint([[B]])) >> [[B]];
    memref.store %5, %p[%c0] : memref<?xi32>
    %6 = arith.andi %a, %b : i32
    %7 = arith.ori %6, %a : i32
    // CHECK: p[0] = ([[A]] & [[B]]) | [[A]];
    memref.store %7, %p[%c0] : memref<?xi32>
    %8 = arith.maxui %a, %b : i32
    %9 = arith.minsi %8, %b : i32
    // CHECK: p[0] = min(int(max(uint([[A]]), uint([[B]]))), [[B]]);
    memref.store %9, %p[%c0] : memref<?xi32>
    %least = arith.constant -2147483648 : i32
    // CHECK: p[0] = (-2147483647 - 1);
    memref.store %least, %p[%c0] : memref<?xi32>
    // Narrow operands are promoted, so their result is converted back.
    // CHECK: char [[X:.*]] = s[i];
    %x = memref.load %s[%i] : memref<?xi8>
    %y = arith.muli %x, %x : i8
    %z = arith.divui %y, %x : i8
    // CHECK: s[0] = char(uchar(char([[X]] * [[X]])) / uchar([[X]]));
    memref.store %z, %s[%c0] : memref<?xi8>
    gpu.return
  }

  // One bit is a bool: logic, and -1 as a signed number.
  // CHECK-LABEL: kernel void bits(
  gpu.func @bits(%p: memref<?xi1> {fusion.name = "p"},
                 %q: memref<?xi32> {fusion.name = "q"},
                 %a: i1 {fusion.name = "a"}, %b: i1 {fusion.name = "b"},
                 %n: i32 {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %0 = arith.andi %a, %b : i1
    %1 = arith.xori %0, %true : i1
    %2 = arith.ori %1, %b : i1
    // CHECK: p[0] = !(args.a && args.b) || args.b;
    memref.store %2, %p[%c0] : memref<?xi1>
    %3 = arith.cmpi slt, %a, %b : i1
    // CHECK: p[0] = args.b < args.a;
    memref.store %3, %p[%c0] : memref<?xi1>
    %4 = arith.cmpi ult, %n, %n : i32
    %5 = arith.cmpi eq, %4, %a : i1
    // CHECK: p[0] = (uint(args.n) < uint(args.n)) == args.a;
    memref.store %5, %p[%c0] : memref<?xi1>
    %6 = arith.extsi %a : i1 to i32
    // CHECK: q[0] = -int(args.a);
    memref.store %6, %q[%c0] : memref<?xi32>
    %7 = arith.extui %a : i1 to i32
    // CHECK: q[0] = int(args.a);
    memref.store %7, %q[%c0] : memref<?xi32>
    %8 = arith.trunci %n : i32 to i1
    // CHECK: p[0] = (args.n & 1) != 0;
    memref.store %8, %p[%c0] : memref<?xi1>
    gpu.return
  }

  // Unordered comparisons are true on NaN.
  // CHECK-LABEL: kernel void comparisons(
  gpu.func @comparisons(%p: memref<?xi1> {fusion.name = "p"},
                        %a: f32 {fusion.name = "a"},
                        %b: f32 {fusion.name = "b"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %0 = arith.cmpf ogt, %a, %b : f32
    // CHECK: p[0] = args.a > args.b;
    memref.store %0, %p[%c0] : memref<?xi1>
    %1 = arith.cmpf ugt, %a, %b : f32
    // CHECK: p[0] = !(args.a <= args.b);
    memref.store %1, %p[%c0] : memref<?xi1>
    %2 = arith.cmpf one, %a, %b : f32
    // CHECK: p[0] = args.a < args.b || args.a > args.b;
    memref.store %2, %p[%c0] : memref<?xi1>
    %3 = arith.cmpf ueq, %a, %b : f32
    // CHECK: p[0] = !(args.a < args.b || args.a > args.b);
    memref.store %3, %p[%c0] : memref<?xi1>
    %4 = arith.cmpf uno, %a, %b : f32
    // CHECK: p[0] = args.a != args.a || args.b != args.b;
    memref.store %4, %p[%c0] : memref<?xi1>
    %5 = arith.cmpf ord, %a, %a : f32
    // CHECK: p[0] = args.a == args.a;
    memref.store %5, %p[%c0] : memref<?xi1>
    // An operand that is mentioned twice gets a name.
    %s = arith.addf %a, %b : f32
    %6 = arith.cmpf uno, %s, %s : f32
    // CHECK: float [[S:.*]] = args.a + args.b;
    // CHECK: p[0] = [[S]] != [[S]];
    memref.store %6, %p[%c0] : memref<?xi1>
    gpu.return
  }

  // CHECK-LABEL: kernel void floats(
  gpu.func @floats(%p: memref<?xf32> {fusion.name = "p"},
                   %h: memref<?xf16> {fusion.name = "h"},
                   %g: memref<?xbf16> {fusion.name = "g"},
                   %a: f32 {fusion.name = "a"}, %b: f32 {fusion.name = "b"},
                   %n: i32 {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %0 = arith.subf %a, %b : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.negf %1 : f32
    %3 = arith.mulf %2, %b : f32
    // CHECK: p[0] = -(args.a - (args.a - args.b)) * args.b;
    memref.store %3, %p[%c0] : memref<?xf32>
    %4 = arith.maxnumf %a, %b : f32
    %5 = arith.remf %4, %b : f32
    // CHECK: p[0] = fmod(fmax(args.a, args.b), args.b);
    memref.store %5, %p[%c0] : memref<?xf32>
    %6 = arith.bitcast %a : f32 to i32
    %7 = arith.uitofp %6 : i32 to f32
    // CHECK: p[0] = float(uint(as_type<int>(args.a)));
    memref.store %7, %p[%c0] : memref<?xf32>
    %8 = arith.fptoui %a : f32 to i32
    %9 = arith.sitofp %8 : i32 to f32
    // CHECK: p[0] = float(int(uint(args.a)));
    memref.store %9, %p[%c0] : memref<?xf32>
    %10 = math.rsqrt %a : f32
    %11 = math.powf %10, %b : f32
    %12 = math.roundeven %11 : f32
    // CHECK: p[0] = rint(precise::pow(precise::rsqrt(args.a), args.b));
    memref.store %12, %p[%c0] : memref<?xf32>

    // Constants are exact.
    %inf = arith.constant 0xFF800000 : f32
    // CHECK: p[0] = -INFINITY;
    memref.store %inf, %p[%c0] : memref<?xf32>
    %nan = arith.constant 0x7FC00000 : f32
    // CHECK: p[0] = as_type<float>(0x7fc00000u);
    memref.store %nan, %p[%c0] : memref<?xf32>
    %third = arith.constant 0.333333343 : f32
    // CHECK: p[0] = 0.33333334f;
    memref.store %third, %p[%c0] : memref<?xf32>
    %big = arith.constant 1.0e30 : f32
    // CHECK: p[0] = 1e+30f;
    memref.store %big, %p[%c0] : memref<?xf32>
    %half = arith.constant 0x7E00 : f16
    // CHECK: h[0] = as_type<half>(ushort(0x7e00));
    memref.store %half, %h[%c0] : memref<?xf16>
    %brain = arith.constant -2.0 : bf16
    // CHECK: g[0] = bfloat(-2.0f);
    memref.store %brain, %g[%c0] : memref<?xbf16>
    %any = ub.poison : f32
    // CHECK: p[0] = float(0);
    memref.store %any, %p[%c0] : memref<?xf32>
    gpu.return
  }

  // Atomics, on the types that Metal has.
  // CHECK-LABEL: kernel void atomics(
  gpu.func @atomics(%p: memref<?xf32> {fusion.name = "p"},
                    %q: memref<?xi32> {fusion.name = "q"},
                    %i: index {fusion.name = "i"}, %a: f32 {fusion.name = "a"},
                    %n: i32 {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    // CHECK: atomic_fetch_add_explicit((device atomic<float> *)(p + args.i), args.a, memory_order_relaxed);
    %0 = memref.atomic_rmw addf %a, %p[%i] : (f32, memref<?xf32>) -> f32
    // CHECK: int [[OLD:.*]] = int(atomic_fetch_max_explicit((device atomic<uint> *)(q + args.i), uint(args.n), memory_order_relaxed));
    %1 = memref.atomic_rmw maxu %n, %q[%i] : (i32, memref<?xi32>) -> i32
    // CHECK: q[args.i] = [[OLD]];
    memref.store %1, %q[%i] : memref<?xi32>
    gpu.return
  }
}
