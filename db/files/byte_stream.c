/* SPDX-License-Identifier: MIT
 * Binary files as streams of pieces. */
#include "db/files/byte_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

ByteStream *byte_stream_open(const char *path, Error *err)
{
    ByteStream *bytes = malloc(sizeof *bytes);
    if (!bytes) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    bytes->file = input_open(path, err);
    if (!bytes->file) {
        free(bytes);
        return NULL;
    }
    bytes->at = bytes->end = bytes->buffer;
    bytes->offset = 0;
    bytes->failed = false;
    return bytes;
}

void byte_stream_close(ByteStream *bytes)
{
    if (!bytes) return;
    input_close(bytes->file);
    free(bytes);
}

/* Moves what is left to the front, and reads behind it. */
static Status fill(ByteStream *bytes, Error *err)
{
    size_t left = (size_t)(bytes->end - bytes->at), n;

    memmove(bytes->buffer, bytes->at, left);
    Status status = input_read(bytes->file, bytes->buffer + left, BYTE_BUFFER - left, &n, err);
    bytes->at = bytes->buffer;
    bytes->end = bytes->buffer + left + n;
    return status;
}

static Status fail(ByteStream *bytes, Status status)
{
    bytes->failed = true;
    bytes->at = bytes->end;
    return status;
}

Status byte_stream_take(ByteStream *bytes, size_t size, const uint8_t **data, Error *err)
{
    assert(size <= BYTE_BUFFER);
    *data = NULL;
    if ((size_t)(bytes->end - bytes->at) < size && !bytes->failed) {
        Status status = fill(bytes, err);
        if (status != STATUS_OK) return fail(bytes, status);
    }
    size_t left = (size_t)(bytes->end - bytes->at);
    if (left == 0) return STATUS_OK;
    if (left < size)
        return fail(bytes,
                    error_set(err, STATUS_BAD_INPUT, "%s: cut off: it ends at byte %lld",
                              input_path(bytes->file), (long long)bytes->offset + (long long)left));
    *data = bytes->at;
    bytes->at += size;
    bytes->offset += (int64_t)size;
    return STATUS_OK;
}

Status byte_stream_place(const ByteStream *bytes, int64_t offset, Error *err)
{
    return error_prefix(err, "%s, byte %lld", input_path(bytes->file), (long long)offset);
}
