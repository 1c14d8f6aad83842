/* SPDX-License-Identifier: MIT
 * A file as a stream of bytes, decompressed if it is zstd, gzip, bzip2, xz or lz4, in constant
 * memory. */
#ifndef TABIA_DB_FILES_INPUT_FILE_H
#define TABIA_DB_FILES_INPUT_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/files/sha256.h"
#include "engine/base/status.h"

typedef struct InputFile InputFile;

/* Compression is recognised by the magic number, not by the name. NULL and an Error
 * (STATUS_BAD_INPUT, naming the file): missing, unreadable or a directory. */
InputFile *input_open(const char *path, Error *err);
void input_close(InputFile *input); /* NULL-safe */

/* The next bytes, decompressed: fewer than `size` only at the end. STATUS_BAD_INPUT, naming the
 * file: unreadable, damaged or truncated; the *n bytes before the fault are valid. */
MUST_CHECK Status input_read(InputFile *input, void *to, size_t size, size_t *n, Error *err);

/* The compression that the ending of a name promises: "zstd", "gzip", "bzip2", "xz" or "lz4"; NULL
 * without one. *length: of the name before that ending. */
const char *input_packing(const char *path, size_t *length);

/* Those that this build reads itself, "zstd, gzip, ...". */
enum { INPUT_PACKINGS_MAX = 64 };
void input_packings(char out[INPUT_PACKINGS_MAX]);

bool input_is_packed(const InputFile *input); /* by its contents */
const char *input_path(const InputFile *input);
/* Bytes of the file itself that were read, for progress. */
int64_t input_consumed(const InputFile *input);

/* Lower-case hex SHA-256 of a file as it is, and its size. STATUS_INTERRUPTED when *interrupted
 * (may be NULL) becomes non-zero. */
MUST_CHECK Status input_sha256(const char *path, const atomic_int *interrupted,
                               char out[HASH_HEX_MAX], int64_t *size, Error *err);

#endif
