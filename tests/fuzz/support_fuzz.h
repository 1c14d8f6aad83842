/* SPDX-License-Identifier: MIT
 * What every fuzz target needs. */
#ifndef TABIA_TESTS_FUZZ_SUPPORT_FUZZ_H
#define TABIA_TESTS_FUZZ_SUPPORT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's: the target. Its initialisation calls bitboard_init(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts when the condition is false: libFuzzer then reports the input. */
void demand(bool condition);

/* The bytes and a NUL, malloc'ed: of exact size, so that the sanitizer finds every read beyond it.
 */
char *fuzz_copy(const void *data, size_t size);

enum { FUZZ_PATH_MAX = 64 };

/* Writes the bytes to a file of this process and returns its path; `name` makes paths differ. */
void fuzz_file(const char *name, const void *data, size_t size, char path[FUZZ_PATH_MAX]);

#endif
