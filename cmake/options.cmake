# Compiler settings, as an interface library.
add_library(tabia_options INTERFACE)
target_compile_definitions(tabia_options INTERFACE _POSIX_C_SOURCE=200809L
  # What macOS hides with the former: funopen(), the number of processors.
  _DARWIN_C_SOURCE)
target_include_directories(tabia_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tabia_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef
  -Wvla -Wformat=2
  # Trailing fields that a row of a table leaves out are zero.
  -Wno-missing-field-initializers
  # snprintf may truncate by design; GCC's warning depends on the optimisation level.
  $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
  # The same floating-point results with and without fused multiply-add.
  -ffp-contract=off
  # Square roots in vectors: nothing reads errno after mathematics.
  -fno-math-errno)
if(TABIA_WERROR)
  target_compile_options(tabia_options INTERFACE -Werror)
endif()
if(TABIA_NATIVE)
  target_compile_options(tabia_options INTERFACE -march=native)
endif()
# GCC copies a struct through the widest registers, 64 bytes with AVX-512. Changes to a copied Position then wait for
# the wide store, which halves the speed of perft --full. Stores of 32 bytes do not.
include(CheckCCompilerFlag)
check_c_compiler_flag("-mmove-max=256 -mstore-max=256" TABIA_HAS_MOVE_MAX)
if(TABIA_HAS_MOVE_MAX)
  target_compile_options(tabia_options INTERFACE -mmove-max=256 -mstore-max=256)
endif()
# One compilation serves programs at random or fixed addresses and the module for SQLite: with link-time optimisation the
# code is made when they are linked (program_addresses()). Nothing is visible outside.
target_compile_options(tabia_options INTERFACE -fPIC -fvisibility=hidden)
# Faults that a crafted file finds end the program (docs/security.md). Sanitizers do more; macOS has its own defaults.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <string.h>\nint main(void) { return 0; }" TABIA_HAS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT TABIA_SANITIZE AND NOT APPLE)
  set(fortify -D_FORTIFY_SOURCE=$<IF:$<BOOL:${TABIA_HAS_FORTIFY_3}>,3,2>)
  target_compile_options(tabia_options INTERFACE
    -fstack-protector-strong "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;${fortify}>")
  target_link_options(tabia_options INTERFACE -Wl,-z,relro,-z,now)
  # The bare engine has fixed addresses: position-independent code costs its search 1.5 to 5 % of the speed, perft 7 %.
  set(addresses_tabia-engine no-pie)
  set(addresses_tabia no-pie)
  if(TABIA_PIE)
    set(addresses_tabia pie)
  endif()
endif()
if(TABIA_SANITIZE)
  target_compile_options(tabia_options INTERFACE
    -fsanitize=${TABIA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  target_link_options(tabia_options INTERFACE -fsanitize=${TABIA_SANITIZE})
endif()

# tabia_library(NAME sources… LINK public libraries…)
function(tabia_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tabia_options ${ARG_LINK})
endfunction()

# program_addresses(NAME): links it for the addresses above.
function(program_addresses name)
  if(addresses_${name})
    target_link_options(${name} PRIVATE -f${addresses_${name}} -${addresses_${name}})
  endif()
endfunction()
