# Build rules shared by every directory: one static library per directory, one
# link world (MLIR and LLVM as shared libraries), one precompiled header.

separate_arguments(FUSION_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

option(FUSION_WERROR "Treat warnings as errors" ON)
set(FUSION_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")

# Installed tools find MLIR's and LLVM's libraries where the build found them.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

add_library(fusion_options INTERFACE)
target_compile_definitions(fusion_options INTERFACE ${FUSION_LLVM_DEFINITIONS})
target_include_directories(fusion_options SYSTEM INTERFACE
  $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}> $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>)
target_include_directories(fusion_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:include>)
target_compile_options(fusion_options INTERFACE
  $<BUILD_INTERFACE:-fno-exceptions;-Wall;-Wextra;-Wno-unused-parameter>
  $<BUILD_INTERFACE:$<$<BOOL:${FUSION_WERROR}>:-Werror>>
  $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:Clang>:-Xclang;-fno-pch-timestamp>>)
if(FUSION_SANITIZE)
  # LLVM has no run-time type information, and the code that kernels and
  # references are compiled to does not say what its functions' types are.
  target_compile_options(fusion_options INTERFACE
    -fsanitize=${FUSION_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize=vptr,function)
  target_link_options(fusion_options INTERFACE -fsanitize=${FUSION_SANITIZE})
endif()

# MLIR's headers dominate compile time; parse them once.
add_library(fusion_pch STATIC ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
target_link_libraries(fusion_pch PRIVATE fusion_options)
target_precompile_headers(fusion_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)

# The tablegen targets that any library may include headers from.
add_custom_target(fusion-headers)

# fusion_add_library(Name source... [LINK library...])
function(fusion_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC fusion_options ${ARG_LINK} MLIR LLVM)
  target_precompile_headers(${name} REUSE_FROM fusion_pch)
  add_dependencies(${name} fusion-headers)
  set_property(GLOBAL APPEND PROPERTY FUSION_LIBRARIES ${name})
endfunction()

# fusion_add_tool(name source... [LINK library...])
function(fusion_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} fusion_options MLIR LLVM)
  # The precompiled header is position independent code; CMake would compile an
  # executable as -fPIE, which may not share it.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM fusion_pch)
  add_dependencies(${name} fusion-headers)
endfunction()
