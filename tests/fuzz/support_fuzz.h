/* SPDX-License-Identifier: MIT
 * What every fuzz target needs. */
#ifndef TABIA_TESTS_FUZZ_SUPPORT_FUZZ_H
#define TABIA_TESTS_FUZZ_SUPPORT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's: the target. Its initialisation calls bitboard_init(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must be true; else the input is a find. */
void demand(bool condition);

enum { FUZZ_PATH_MAX = 64 };

/* A file of this process that holds the bytes, for readers of files; `name` tells several apart. */
void fuzz_file(const char *name, const void *data, size_t size, char path[FUZZ_PATH_MAX]);

#endif
