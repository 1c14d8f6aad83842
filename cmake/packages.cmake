# The libraries we stand on, as imported targets: sqlite, popt, inih, zstd, md, openmp.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.40)
pkg_check_modules(POPT REQUIRED IMPORTED_TARGET popt)
pkg_check_modules(INIH REQUIRED IMPORTED_TARGET inih)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(MD REQUIRED IMPORTED_TARGET libmd)

add_library(tabia_openmp INTERFACE)
if(TABIA_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS C)
  target_link_libraries(tabia_openmp INTERFACE OpenMP::OpenMP_C)
else()
  # The pragmas stay in the source, unread, and with them their thread counts.
  target_compile_options(tabia_openmp INTERFACE -Wno-unknown-pragmas -Wno-unused-parameter)
endif()
