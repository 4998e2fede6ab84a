# Thin: each target calls a CMake preset or a script.
#   make demo     install what is missing, build, compile and run a Llama block
#   make check    the same, then every test
PRESET ?= release
FOLDER = $(if $(filter release,$(PRESET)),build,build-$(PRESET))
# The shell asks for python and ccache after setup has installed them.
CONFIGURE = cmake --preset $(PRESET) --log-level=WARNING \
  -DPython3_EXECUTABLE="$$(python3 -c 'import sys; print(sys.executable)')" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$$(command -v ccache)"
BUILD = cmake --build --preset $(PRESET)

# Paths in precompiled headers and time macros must not spoil cache hits.
export CCACHE_SLOPPINESS = pch_defines,time_macros
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR = 1

.PHONY: demo check build setup configure docs format format-check tidy install clean

demo: build
	test/demo $(FOLDER)

check: build
	$(BUILD) --target check-fusion

build: configure
	$(BUILD)

configure: setup
	$(CONFIGURE)

setup:
	.ci/setup $(PRESET)

docs format format-check tidy: configure
	$(BUILD) --target fusion-$@

install: build
	$(BUILD) --target install

clean:
	rm -rf build build-debug build-sanitize
