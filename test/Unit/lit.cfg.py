"""Runs every GoogleTest binary named *Tests in the build's test/Unit."""

import lit.formats

config.name = "fusion-unit"
config.suffixes = []
config.test_source_root = config.test_exec_root
if config.sanitize:
    # As in test/lit.cfg.py.
    config.environment.setdefault(
        "ASAN_OPTIONS",
        "detect_leaks=0:allow_user_poisoning=0:detect_stack_use_after_return=0",
    )
    config.environment.setdefault(
        "UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1"
    )
config.test_format = lit.formats.GoogleTest(".", "Tests")
