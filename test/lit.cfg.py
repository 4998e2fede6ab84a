"""lit's view of the test suite: which files are tests, what they may call, and
what the machine offers (ptxas, a CUDA device)."""

import glob
import os

import lit.formats

config.name = "fusion"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
config.suffixes = [".mlir", ".test", ".ll", ".metal"]
config.excludes = ["Models", "Inputs", "Unit", "CMakeLists.txt"]

tools = os.path.join(config.fusion_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools, config.environment["PATH"]]
)
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
for name in ("HOME", "CCACHE_DIR", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.sanitize:
    # LLVM's command-line registry and MLIR's contexts live as long as the tool.
    # LLVM's own libraries are not instrumented, so they do not lift the poison
    # that allocators in its headers put on memory. The emulator's fibers end
    # without a return, which would leak their copies of frames.
    config.environment.setdefault(
        "ASAN_OPTIONS",
        "detect_leaks=0:allow_user_poisoning=0:detect_stack_use_after_return=0",
    )
    config.environment.setdefault(
        "UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1"
    )
    config.available_features.add("sanitize")


def machine_has_cuda():
    """Whether the driver library and a device file are there."""
    libraries = glob.glob("/usr/lib/*/libcuda.so.1") + glob.glob("/usr/lib64/libcuda.so.1")
    return bool(libraries) and os.path.exists("/dev/nvidia0")


if config.ptxas and not config.ptxas.endswith("-NOTFOUND"):
    config.available_features.add("ptxas")
    config.environment["PATH"] = os.pathsep.join(
        [config.environment["PATH"], os.path.dirname(config.ptxas)]
    )
else:
    lit_config.note("no ptxas: tests that assemble PTX are skipped")
if machine_has_cuda():
    config.available_features.add("cuda-device")
else:
    lit_config.note("no CUDA device: tests that run on one are skipped")

root = config.test_source_root
config.substitutions += [
    ("%models", os.path.join(root, "Models")),
    ("%source", config.fusion_source),
    ("%build", config.fusion_build),
    ("%plugin", config.plugin),
    ("%python", config.python),
    ("%cmake", config.cmake),
    ("%cxx", config.cxx),
    ("%llvm-tools", config.llvm_tools),
    ("%llvm-include", config.llvm_include),
    # Runs a command that must refuse its input.
    ("%refused", f"{config.python} {os.path.join(root, 'BadInput', 'Inputs', 'refused.py')}"),
    # Checks fusion-run's own results against the frameworks', by numpy.
    ("%agrees", f"{config.python} {os.path.join(root, 'Integration', 'agrees.py')}"),
]

# `lit -D verify-roundtrip`: every test again, through text and bytecode.
if "verify-roundtrip" in lit_config.params:
    config.substitutions.append((r"\bfusion-opt\b", "fusion-opt --verify-roundtrip"))
