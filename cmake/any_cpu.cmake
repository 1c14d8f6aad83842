# TABIA_ANY_CPU: programs for every x86-64 processor, with code for three kinds in one file. This build makes that of any
# processor. Two more of the project, with TABIA_CPU set, make that of x86-64-v3 (AVX2) and of x86-64-v4 with VBMI2
# and VPOPCNTDQ (AVX-512). There each program is linked to one object file, in which only its main() is still global,
# under another name. any_cpu.c has the main() of all and chooses.
set(cpu_flags_v3 -march=x86-64-v3)
set(cpu_flags_v4 -march=x86-64-v4 -mavx512vbmi -mavx512vbmi2 -mavx512vpopcntdq)
set(cpu_programs tabia tabia-engine)

# rename_main(NAME): tabia_main_NAME
function(rename_main name)
  foreach(program main IN ZIP_LISTS cpu_programs cpu_mains)
    set_source_files_properties(${main} TARGET_DIRECTORY ${program} PROPERTIES
      COMPILE_OPTIONS "-Dmain=tabia_main_${name};-Wno-missing-prototypes")
  endforeach()
endfunction()
set(cpu_mains cli/commands/main.c engine/uci/main_uci.c)

if(TABIA_CPU)
  target_compile_options(tabia_options INTERFACE ${cpu_flags_${TABIA_CPU}})
  rename_main(${TABIA_CPU})
  foreach(program IN LISTS cpu_programs)
    add_custom_command(OUTPUT ${program}.o
      COMMAND ${CMAKE_C_COMPILER} -flto=auto -flinker-output=nolto-rel -r -nostdlib
        -f${addresses_${program}} $<TARGET_OBJECTS:${program}>
        -Wl,--start-group ${tabia_libraries} -Wl,--end-group -o ${program}.o
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=tabia_main_${TABIA_CPU} ${program}.o
      DEPENDS $<TARGET_OBJECTS:${program}> ${tabia_libraries}
      COMMAND_EXPAND_LISTS VERBATIM)
  endforeach()
  add_custom_target(cpu_objects DEPENDS tabia.o tabia-engine.o)
elseif(TABIA_ANY_CPU AND TABIA_NATIVE)
  message(FATAL_ERROR "TABIA_ANY_CPU needs -DTABIA_NATIVE=OFF")
elseif(TABIA_ANY_CPU AND NOT (CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_C_COMPILER_ID STREQUAL "GNU"))
  message(STATUS "No GCC for x86-64: built for any processor of this kind, without code for some")
elseif(TABIA_ANY_CPU)
  rename_main(base)
  include(ExternalProject)
  foreach(cpu v3 v4)
    set(directory ${CMAKE_BINARY_DIR}/cpu-${cpu})
    set(objects ${directory}/tabia.o ${directory}/tabia-engine.o)
    ExternalProject_Add(cpu-${cpu} SOURCE_DIR ${PROJECT_SOURCE_DIR} BINARY_DIR ${directory} BUILD_ALWAYS ON
      CMAKE_ARGS -DTABIA_CPU=${cpu} -DTABIA_NATIVE=OFF -DTABIA_TESTS=OFF -DTABIA_OPENMP=${TABIA_OPENMP}
        -DTABIA_PIE=${TABIA_PIE} -DTABIA_FATHOM=${TABIA_FATHOM} -DTABIA_MPI=${TABIA_MPI} -DTABIA_WERROR=${TABIA_WERROR}
        -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_C_FLAGS=${CMAKE_C_FLAGS}
        -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=${CMAKE_INTERPROCEDURAL_OPTIMIZATION}
      BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target cpu_objects
      BUILD_BYPRODUCTS ${objects} INSTALL_COMMAND "")
    foreach(program object IN ZIP_LISTS cpu_programs objects)
      target_sources(${program} PRIVATE ${object})
    endforeach()
  endforeach()
  foreach(program IN LISTS cpu_programs)
    target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/any_cpu.c)
  endforeach()
endif()
