/* SPDX-License-Identifier: MIT
 * A binary file of any size, plain or compressed by zstd, in pieces, with offsets. */
#ifndef TABIA_DB_FILES_BYTE_STREAM_H
#define TABIA_DB_FILES_BYTE_STREAM_H

#include <stdbool.h>

#include "db/files/input_file.h"

enum { BYTE_BUFFER = 1 << 17 };

typedef struct ByteStream {
    InputFile *file;
    const uint8_t *at, *end; /* not read yet, in buffer */
    int64_t offset;          /* of what comes next, in the unpacked file */
    bool failed;             /* a fault of the file was told: nothing comes next */
    uint8_t buffer[BYTE_BUFFER];
} ByteStream;

/* NULL and an Error as of input_open(). */
ByteStream *byte_stream_open(const char *path, Error *err);
void byte_stream_close(ByteStream *bytes); /* NULL-safe */

/* The next `size` bytes (at most BYTE_BUFFER), valid until the next call; *data is NULL at the end
 * of the file, before the first of them. STATUS_BAD_INPUT, naming the file: the end of the file is
 * within them, or it cannot be read; that is told once, and then the file is at its end. */
MUST_CHECK Status byte_stream_take(ByteStream *bytes, size_t size, const uint8_t **data,
                                   Error *err);

/* Puts "FILE, byte N: " before the text of err; returns err's status. */
Status byte_stream_place(const ByteStream *bytes, int64_t offset, Error *err);

#endif
