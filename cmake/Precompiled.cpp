// Anchors the precompiled header's target; holds no code.
