# Compiler settings as interface libraries: tabia_common_options for all code, tabia_options for programs.
add_library(tabia_common_options INTERFACE)
target_compile_definitions(tabia_common_options INTERFACE _POSIX_C_SOURCE=200809L)
target_include_directories(tabia_common_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tabia_common_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef
  -Wvla -Wformat=2
  # Trailing fields that a row of a table leaves out are zero.
  -Wno-missing-field-initializers
  # snprintf may truncate by design; GCC's warning depends on the optimisation level.
  $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
  # The same floating-point results with and without fused multiply-add.
  -ffp-contract=off)
if(TABIA_NATIVE)
  target_compile_options(tabia_common_options INTERFACE -march=native)
endif()
# GCC copies a struct through the widest registers, 64 bytes with AVX-512. Changes to a copied Position then wait for
# the wide store, which halves the speed of perft --full. Stores of 32 bytes do not.
include(CheckCCompilerFlag)
check_c_compiler_flag("-mmove-max=256 -mstore-max=256" TABIA_HAS_MOVE_MAX)
if(TABIA_HAS_MOVE_MAX)
  target_compile_options(tabia_common_options INTERFACE -mmove-max=256 -mstore-max=256)
endif()
add_library(tabia_options INTERFACE)
target_link_libraries(tabia_options INTERFACE tabia_common_options)
# Addresses known at link time are worth 1.5 % of the speed of the search and 7 % of perft. Sanitizers keep the default.
if(NOT TABIA_SANITIZE)
  target_compile_options(tabia_options INTERFACE -fno-pie)
  target_link_options(tabia_options INTERFACE -no-pie)
endif()
if(TABIA_SANITIZE)
  target_compile_options(tabia_common_options INTERFACE
    -fsanitize=${TABIA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g)
  target_link_options(tabia_common_options INTERFACE -fsanitize=${TABIA_SANITIZE})
endif()

# tabia_library(NAME sources… LINK public libraries…)
function(tabia_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tabia_options ${ARG_LINK})
endfunction()
