# Optional targets for whoever changes the sources: format, format-check, tidy.

set(format ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/test/Style/format.py
  --clang-format=${LLVM_TOOLS_BINARY_DIR}/clang-format)
add_custom_target(fusion-format COMMAND ${format} USES_TERMINAL)
add_custom_target(fusion-format-check COMMAND ${format} --check USES_TERMINAL)

# Slow (minutes): needs a finished build, for the generated headers.
find_program(FUSION_RUN_CLANG_TIDY NAMES run-clang-tidy-22 run-clang-tidy
  HINTS ${LLVM_TOOLS_BINARY_DIR})
if(FUSION_RUN_CLANG_TIDY)
  add_custom_target(fusion-tidy
    COMMAND ${FUSION_RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
      -clang-tidy-binary ${LLVM_TOOLS_BINARY_DIR}/clang-tidy
      "^${PROJECT_SOURCE_DIR}/(lib|tools)/.*"
    DEPENDS fusion-headers
    USES_TERMINAL)
endif()
