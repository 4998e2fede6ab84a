"""Runs every GoogleTest binary named *Tests in the build's test/Unit."""

import lit.formats

config.name = "fusion-unit"
config.suffixes = []
config.test_source_root = config.test_exec_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
