"""Runs every GoogleTest binary named *Tests in the build's test/Unit."""

import lit.formats

config.name = "fusion-unit"
config.suffixes = []
config.test_source_root = config.test_exec_root
if config.sanitize:
    # MLIR's contexts live as long as the test.
    config.environment.setdefault("ASAN_OPTIONS", "detect_leaks=0")
config.test_format = lit.formats.GoogleTest(".", "Tests")
