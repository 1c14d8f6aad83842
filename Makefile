# Short names for what CMake does (CMakePresets.json):
#
#   make                      release build: build/release/tabia and build/release/tabia-engine
#   make demo                 from the rules of chess to a measured Elo gain, in about four core-minutes
#   make pictures             the pictures of README.md, from the page of configs/builtin.ini's run in SQUARES_DIR
#   make install              programs, manual pages, completions, configs, documents, to PREFIX (/usr/local), below DESTDIR
#   make uninstall            removes what the last installation copied; with its DESTDIR
#   make deb                  a Debian package in build/package
#   make test                 build and run every test; CMAKE_OPTIONS=-DTABIA_WERROR=ON: warnings are errors
#   make format               clang-format over every source file
#   make EXE=path CC=cc       the UCI engine alone, at that path, with only a C compiler
#                             (OpenBench runs this, from an archive without .git); EVALFILE=path: with a weights
#                             header or a network built in
#
# On Debian, missing packages are installed where that needs no password; else the command to run is printed.

ifdef EXE

# The built-in evaluation: a weights header or a network, whose bytes become numbers that the compiler reads.
ifdef EVALFILE
ifeq ($(shell test -f "$(EVALFILE)" && echo there),)
$(error EVALFILE=$(EVALFILE): no such file)
endif
EVAL_BYTES  = $(EXE).evalfile
EVAL_FLAGS  = -DTABIA_EVALFILE='"$(abspath $(EVAL_BYTES))"'
EVAL_END    = ; status=$$?; rm "$(EVAL_BYTES)"; exit $$status
endif

# Compiler and flags can be set; -march=native is for the machine that builds, and no flag of a cross compiler.
NATIVE  := $(shell $(CC) -march=native -fsyntax-only -xc /dev/null 2>/dev/null && echo -march=native)
CFLAGS  ?= -O2 $(NATIVE)
# Without what only tabia uses: it needs a whole POSIX system, the rest of engine/ builds for Windows too.
TABIA_ALONE    = engine/base/json.c engine/base/name_table.c engine/base/new_file.c engine/eval/evaluation_write.c \
                 $(wildcard engine/values/*.c)
ENGINE_SOURCES = $(filter-out $(TABIA_ALONE),$(wildcard engine/*/*.c))
ENGINE_FLAGS   = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DARWIN_C_SOURCE -DNDEBUG -I. -ffp-contract=off -flto=auto -pthread
# The reasons are in cmake/options.cmake and engine/CMakeLists.txt. The second line is for GCC alone.
ENGINE_FLAGS  += -fno-pie -no-pie
GCC_FLAGS      = -mmove-max=256 -mstore-max=256 -fvect-cost-model=very-cheap
GCC_FLAGS     := $(shell $(CC) -Werror $(GCC_FLAGS) -fsyntax-only -xc /dev/null 2>/dev/null && echo $(GCC_FLAGS))
# Windows: one file without libraries beside it. Its GCC aligns no stack to 32 bytes, but spills vectors as if.
ifneq ($(findstring mingw,$(shell $(CC) -dumpmachine)),)
ENGINE_FLAGS  += -static -D_FILE_OFFSET_BITS=64 -Wa,-muse-unaligned-vector-move
endif

# Made anew each time: flags and files may have changed.
.PHONY: $(EXE)
$(EXE):
ifdef EVALFILE
	od -An -v -tu1 "$(EVALFILE)" | sed 's/[0-9][0-9]*/&,/g' >"$(EVAL_BYTES)"
	test -s "$(EVAL_BYTES)" || { rm "$(EVAL_BYTES)"; exit 1; }
endif
	$(CC) $(ENGINE_FLAGS) $(GCC_FLAGS) $(EVAL_FLAGS) $(CFLAGS) $(ENGINE_SOURCES) -o $@ $(LDFLAGS) -lm $(EVAL_END)

else

ifdef EVALFILE
$(error EVALFILE needs EXE=path)
endif
PRESET   ?= release
BUILD     = build/$(PRESET)
DEMO_DIR ?= build/demo
SQUARES_DIR ?= squares
PREFIX   ?= /usr/local
CMAKE_OPTIONS ?=
SOURCES   = $(shell find cli cmake db engine selfplay tests tuner -name '*.[ch]' ! -name eval_weights.h)

.PHONY: all configure install uninstall deb demo pictures test format clean
all: configure
	cmake --build $(BUILD)

# Tests are part of `make test` alone, so that `make` does not need Check.
configure:
	@sh cmake/install-packages.sh build
	@cmake --preset $(PRESET) -DTABIA_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$(PREFIX)" $(CMAKE_OPTIONS) >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@sed -n '/^-- The following features/p; /^ \* /p; /^CMake Warning/,/^-- /p' build/configure.log

install: all
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

uninstall:
	@DESTDIR="$(DESTDIR)" sh cmake/uninstall.sh $(BUILD)

deb:
	@sh cmake/install-packages.sh deb
	$(MAKE) PRESET=package PREFIX=/usr
	cd build/package && cpack

demo: all
	rm -rf $(DEMO_DIR)
	$(BUILD)/tabia learn --config configs/demo.ini --dir $(DEMO_DIR)

pictures:
	python3 tests/tools/learning_curves.py --draw docs/data/learning_curves.csv >docs/img/learning.svg
	python3 tests/tools/page.py picture $(SQUARES_DIR)/report.html "knight, king on g1" docs/img/knight-short.svg
	python3 tests/tools/page.py picture $(SQUARES_DIR)/report.html "knight, king on c1" docs/img/knight-long.svg

test:
	@sh cmake/install-packages.sh build test
	@cmake --preset $(PRESET) -DTABIA_TESTS=ON $(CMAKE_OPTIONS) >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	cmake --build $(BUILD)
	CK_TIMEOUT_MULTIPLIER=5 ctest --test-dir $(BUILD) --output-on-failure -j "$$(getconf _NPROCESSORS_ONLN)"

format:
	clang-format -i $(SOURCES)

clean:
	rm -rf build

endif
