/* SPDX-License-Identifier: MIT
 * Reading lines from plain and zstd-compressed files alike. */
#include "tuner/text_source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct TextSource {
    char *path; /* for error sentences */
    FILE *file;
    ZSTD_DCtx *zstd; /* NULL for a plain file */
    ZSTD_inBuffer input;
    char *raw; /* compressed bytes, ZSTD_DStreamInSize() */
    bool frame_open;
    bool ended;
    char *text; /* [0, length) read, of which [0, given) was handed out by the last call */
    size_t length, given, capacity;
};

static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};

static Status out_of_memory(const TextSource *source, Error *err)
{
    return error_set(err, STATUS_FAILED, "%s: out of memory", source->path);
}

TextSource *text_source_open(const char *path, Error *err)
{
    unsigned char magic[4] = {0};
    TextSource *source = calloc(1, sizeof *source);
    char *name = malloc(strlen(path) + 1);

    if (!source || !name) {
        (void)error_set(err, STATUS_FAILED, "%s: out of memory", path);
        free(name);
        free(source);
        return NULL;
    }
    source->path = strcpy(name, path);
    source->file = fopen(path, "rb");
    if (!source->file) {
        (void)error_set(err, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        goto failed;
    }
    size_t n = fread(magic, 1, sizeof magic, source->file);
    if (ferror(source->file) || fseek(source->file, 0, SEEK_SET) != 0) {
        (void)error_set(err, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
        goto failed;
    }
    if (n == sizeof magic && memcmp(magic, zstd_magic, sizeof magic) == 0) {
        source->zstd = ZSTD_createDCtx();
        source->raw = malloc(ZSTD_DStreamInSize());
        source->input.src = source->raw;
        if (!source->zstd || !source->raw) {
            (void)out_of_memory(source, err);
            goto failed;
        }
    }
    return source;

failed:
    text_source_close(source);
    return NULL;
}

void text_source_close(TextSource *source)
{
    if (!source) return;
    if (source->file) (void)fclose(source->file);
    (void)ZSTD_freeDCtx(source->zstd);
    free(source->raw);
    free(source->text);
    free(source->path);
    free(source);
}

static Status read_raw(TextSource *source, char *to, size_t size, size_t *n, Error *err)
{
    *n = fread(to, 1, size, source->file);
    if (*n < size && ferror(source->file))
        return error_set(err, STATUS_BAD_INPUT, "%s: %s", source->path, strerror(errno));
    return STATUS_OK;
}

/* Up to `size` more bytes behind source->length; sets `ended` when there are none. */
static Status fill_plain(TextSource *source, size_t size, Error *err)
{
    size_t n;
    Status status = read_raw(source, source->text + source->length, size, &n, err);
    source->length += n;
    source->ended = n < size;
    return status;
}

static Status fill_zstd(TextSource *source, size_t size, Error *err)
{
    ZSTD_outBuffer out = {source->text + source->length, size, 0};

    while (out.pos < out.size && !source->ended) {
        size_t before = out.pos;
        bool file_ended = false;

        if (source->input.pos == source->input.size) {
            Status status =
                read_raw(source, source->raw, ZSTD_DStreamInSize(), &source->input.size, err);
            if (status != STATUS_OK) return status;
            source->input.pos = 0;
            file_ended = source->input.size == 0;
        }
        /* Between frames there is nothing to flush, and the call would begin a new frame. */
        if (file_ended && !source->frame_open) {
            source->ended = true;
            break;
        }
        size_t left = ZSTD_decompressStream(source->zstd, &out, &source->input);
        if (ZSTD_isError(left))
            return error_set(err, STATUS_BAD_INPUT, "%s: damaged zstd data: %s", source->path,
                             ZSTD_getErrorName(left));
        source->frame_open = left != 0;
        source->ended = file_ended && out.pos == before;
    }
    source->length += out.pos;
    if (source->ended && source->frame_open)
        return error_set(err, STATUS_BAD_INPUT, "%s: the compressed file is cut off", source->path);
    return STATUS_OK;
}

/* Where the last whole line of text[0, length) ends; 0 when there is no newline. */
static size_t whole_lines(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] != '\n')
        length--;
    return length;
}

Status text_source_read(TextSource *source, size_t size, const char **text, size_t *length,
                        Error *err)
{
    source->length -= source->given;
    if (source->length > 0) memmove(source->text, source->text + source->given, source->length);
    source->given = 0;

    while (source->given == 0 && !source->ended) {
        if (source->capacity - source->length < size) {
            size_t capacity = source->length + size;
            char *grown = realloc(source->text, capacity);
            if (!grown) return out_of_memory(source, err);
            source->text = grown;
            source->capacity = capacity;
        }
        Status status = source->zstd ? fill_zstd(source, size, err) : fill_plain(source, size, err);
        if (status != STATUS_OK) return status;
        source->given = whole_lines(source->text, source->length);
    }
    if (source->ended) source->given = source->length;
    *text = source->text;
    *length = source->given;
    return STATUS_OK;
}
