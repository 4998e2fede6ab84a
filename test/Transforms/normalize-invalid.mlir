// RUN: fusion-opt %s --fusion-normalize --split-input-file --verify-diagnostics

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @external(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls 'elsewhere', which has no body here; give it one or remove the call}}
  %b = call @elsewhere(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

func.func @itself(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{recursion: 'itself' calls itself, directly or not}}
  %b = call @itself(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

func.func @ping(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @pong(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func private @pong(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{recursion: 'ping' calls itself, directly or not}}
  %b = call @ping(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// expected-error @+1 {{unranked tensors have no kernel; give the tensor a rank (its dimensions may be dynamic)}}
func.func @argument(%a: tensor<*xf32>) {
  return
}

// -----

func.func @value(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unranked tensors have no kernel; give the tensor a rank (its dimensions may be dynamic)}}
  %b = tensor.cast %a : tensor<4xf32> to tensor<*xf32>
  %c = tensor.cast %b : tensor<*xf32> to tensor<4xf32>
  return %c : tensor<4xf32>
}
