/* SPDX-License-Identifier: MIT
 * Reading text files, through zstd where need be. */
#include "selfplay/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

typedef struct Buffer {
    char *data;
    size_t length, room;
} Buffer;

/* Makes room for `more` bytes and a NUL behind them. */
static Status buffer_reserve(Buffer *b, size_t more, Error *err)
{
    if (b->length + more + 1 <= b->room) return STATUS_OK;
    size_t room = 2 * b->room + more + 1;
    char *data = realloc(b->data, room);
    if (!data) return error_set(err, STATUS_FAILED, "out of memory for %zu bytes", room);
    b->data = data;
    b->room = room;
    return STATUS_OK;
}

static Status read_all(FILE *f, Buffer *b, Error *err)
{
    enum { BLOCK = 1 << 16 };
    size_t n;

    do {
        Status status = buffer_reserve(b, BLOCK, err);
        if (status != STATUS_OK) return status;
        n = fread(b->data + b->length, 1, BLOCK, f);
        b->length += n;
    } while (n > 0);
    if (ferror(f)) return error_set(err, STATUS_BAD_INPUT, "%s", strerror(errno));
    return STATUS_OK;
}

static Status decompress(const Buffer *packed, Buffer *b, Error *err)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed->data, packed->length, 0};
    size_t hint = 1; /* 0 at the end of a frame */
    Status status = stream ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory for zstd");

    while (status == STATUS_OK && in.pos < in.size) {
        status = buffer_reserve(b, ZSTD_DStreamOutSize(), err);
        if (status != STATUS_OK) break;
        ZSTD_outBuffer out = {b->data + b->length, b->room - b->length - 1, 0};
        hint = ZSTD_decompressStream(stream, &out, &in);
        b->length += out.pos;
        if (ZSTD_isError(hint))
            status = error_set(err, STATUS_BAD_INPUT, "damaged: %s", ZSTD_getErrorName(hint));
    }
    /* All input is taken, but the decoder may still hold output. */
    while (status == STATUS_OK && hint != 0) {
        status = buffer_reserve(b, ZSTD_DStreamOutSize(), err);
        if (status != STATUS_OK) break;
        ZSTD_outBuffer out = {b->data + b->length, b->room - b->length - 1, 0};
        hint = ZSTD_decompressStream(stream, &out, &in);
        b->length += out.pos;
        if (ZSTD_isError(hint) || (out.pos == 0 && hint != 0))
            status = error_set(err, STATUS_BAD_INPUT, "cut off in the middle");
    }
    (void)ZSTD_freeDStream(stream);
    return status;
}

static Status unpack(Buffer *b, Error *err)
{
    static const unsigned char magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    Buffer packed = *b;

    if (b->length < sizeof magic || memcmp(b->data, magic, sizeof magic) != 0) return STATUS_OK;
    *b = (Buffer){0};
    Status status = decompress(&packed, b, err);
    free(packed.data);
    return status;
}

Status text_file_read(const char *path, char **text, Error *err)
{
    Buffer b = {0};
    FILE *f = fopen(path, "rb");

    if (!f) return error_set(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    Status status = read_all(f, &b, err);
    (void)fclose(f);
    if (status == STATUS_OK) status = unpack(&b, err);
    if (status == STATUS_OK) status = buffer_reserve(&b, 0, err);
    if (status == STATUS_OK && b.length > 0 && memchr(b.data, '\0', b.length))
        status = error_set(err, STATUS_BAD_INPUT, "not a text file");
    if (status != STATUS_OK) {
        free(b.data);
        return error_prefix(err, "%s", path);
    }
    b.data[b.length] = '\0';
    *text = b.data;
    return STATUS_OK;
}
