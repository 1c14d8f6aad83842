/* SPDX-License-Identifier: MIT
 * A text file, plain or compressed by zstd, read as a stream of blocks of whole lines. */
#ifndef TABIA_TUNER_DATA_TEXT_SOURCE_H
#define TABIA_TUNER_DATA_TEXT_SOURCE_H

#include <stddef.h>

#include "engine/base/status.h"

typedef struct TextSource TextSource;

/* Compression is recognised by its magic number, not by the name. NULL and an Error
 * (STATUS_BAD_INPUT) when the file cannot be opened. */
TextSource *text_source_open(const char *path, Error *err);

/* The next block: about `size` bytes, ending with a newline except perhaps at the end of the file;
 * longer where a line is. *length is 0 at the end. *text belongs to the source and lives until the
 * next call. STATUS_BAD_INPUT: unreadable, damaged or cut-off compressed data. */
MUST_CHECK Status text_source_read(TextSource *source, size_t size, const char **text,
                                   size_t *length, Error *err);

void text_source_close(TextSource *source); /* NULL-safe */

#endif
