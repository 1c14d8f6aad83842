/* SPDX-License-Identifier: MIT
 * Reading plain and compressed files as streams of bytes. */
#include "db/files/input_file.h"

#include <errno.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "db/files/bunzip2.h"
#include "db/files/gunzip.h"
#include "engine/base/system.h"

enum { RAW_BYTES = 1 << 17 };

struct InputFile {
    char *path;
    FILE *file;
    int64_t consumed;  /* bytes of the file itself */
    ZSTD_DCtx *zstd;   /* NULL: not a zstd file */
    Bunzip2 *bunzip;   /* NULL: not a bzip2 file */
    Gunzip *gunzip;    /* NULL: not a gzip file */
    bool frame_open;   /* a frame of zstd, a stream of bzip2 or a member of gzip is not complete */
    bool file_ended;   /* nothing follows `raw` */
    ZSTD_inBuffer raw; /* bytes of the file that are not used yet */
    char buffer[RAW_BYTES]; /* what raw points to */
};

/* After Ctrl-C. Memory and time that compressed files ask for have no limit. */
static Status check_wanted(Error *err)
{
    return system_must_end() ? error_set(err, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

static Status fill_raw(InputFile *input, Error *err)
{
    Status status = check_wanted(err);
    if (status != STATUS_OK) return status;
    size_t n = fread(input->buffer, 1, sizeof input->buffer, input->file);

    input->raw = (ZSTD_inBuffer){input->buffer, n, 0};
    input->consumed += (int64_t)n;
    input->file_ended = n < sizeof input->buffer;
    if (!ferror(input->file)) return STATUS_OK;
    int code = errno;
    status = check_wanted(err);
    return status != STATUS_OK
               ? status
               : error_set(err, STATUS_BAD_INPUT, "%s: %s", input->path, strerror(code));
}

static bool begins_with(const InputFile *input, const char *magic)
{
    size_t length = strlen(magic);
    return input->raw.size >= length && memcmp(input->buffer, magic, length) == 0;
}

/* A frame of zstd, or one that is to be skipped, with which pzstd begins. */
static bool is_zstd(const InputFile *input)
{
    const unsigned char *b = (const unsigned char *)input->buffer;

    return begins_with(input, "\x28\xb5\x2f\xfd") ||
           (input->raw.size >= 4 && (b[0] & 0xf0) == 0x50 && b[1] == 0x2a && b[2] == 0x4d &&
            b[3] == 0x18);
}

static Status refuse(const InputFile *input, const char *packer, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "%s: compressed by %s; unpack it first", input->path,
                     packer);
}

/* Recognises the compression by the first bytes. */
static Status recognise(InputFile *input, Error *err)
{
    Status status = fill_raw(input, err);

    if (status != STATUS_OK) return status;
    if (begins_with(input, "\xfd\x37zXZ")) return refuse(input, "xz", err);
    if (begins_with(input, "BZh")) {
        input->bunzip = bunzip2_create();
        if (!input->bunzip) return refuse(input, "bzip2", err);
    } else if (begins_with(input, "\x1f\x8b")) {
        input->gunzip = gunzip_create();
        if (!input->gunzip) return refuse(input, "gzip", err);
    } else if (is_zstd(input)) {
        input->zstd = ZSTD_createDCtx();
        if (!input->zstd) return error_set(err, STATUS_FAILED, "out of memory");
        int widest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound; /* of zstd --long */
        (void)ZSTD_DCtx_setParameter(input->zstd, ZSTD_d_windowLogMax, widest);
    }
    return STATUS_OK;
}

static Status cannot_open(const char *path, Error *err)
{
    int code = errno;
    Status status = check_wanted(err);
    if (status != STATUS_OK) return status;
    if (strcmp(path, "-") == 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "-: standard input is not read here; name a file (/dev/stdin, if it is "
                         "redirected from one)");
    return error_set(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(code));
}

InputFile *input_open(const char *path, Error *err)
{
    InputFile *input = calloc(1, sizeof *input);

    if (!input || !(input->path = strdup(path))) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        free(input);
        return NULL;
    }
    Status status;
    system_may_wait_for(path);
    input->file = fopen(path, "rb");
    if (input->file)
        status = recognise(input, err);
    else
        status = cannot_open(path, err);
    if (status == STATUS_OK) return input;
    input_close(input);
    return NULL;
}

void input_close(InputFile *input)
{
    if (!input) return;
    if (input->file) (void)fclose(input->file);
    (void)ZSTD_freeDCtx(input->zstd);
    bunzip2_destroy(input->bunzip);
    gunzip_destroy(input->gunzip);
    free(input->path);
    free(input);
}

static Status read_plain(InputFile *input, char *to, size_t size, size_t *n, Error *err)
{
    Status status = STATUS_OK;

    for (;;) {
        size_t left = input->raw.size - input->raw.pos;
        size_t part = left < size - *n ? left : size - *n;
        memcpy(to + *n, input->buffer + input->raw.pos, part);
        input->raw.pos += part;
        *n += part;
        if (*n == size || input->file_ended || status != STATUS_OK) return status;
        status = fill_raw(input, err);
    }
}

/* Decompresses as much as `out` and the raw bytes allow. */
static Status unpack(InputFile *input, ZSTD_outBuffer *out, Error *err)
{
    if (input->bunzip) {
        if (bunzip2_step(input->bunzip, out, &input->raw, &input->frame_open)) return STATUS_OK;
        return error_set(err, STATUS_BAD_INPUT, "%s: damaged: not valid bzip2 data", input->path);
    }
    if (input->gunzip) {
        if (gunzip_step(input->gunzip, out, &input->raw, &input->frame_open)) return STATUS_OK;
        return error_set(err, STATUS_BAD_INPUT, "%s: damaged: not valid gzip data", input->path);
    }
    size_t left = ZSTD_decompressStream(input->zstd, out, &input->raw);
    if (ZSTD_isError(left))
        return error_set(err, STATUS_BAD_INPUT, "%s: damaged: %s", input->path,
                         ZSTD_getErrorName(left));
    input->frame_open = left != 0;
    return STATUS_OK;
}

static Status read_packed(InputFile *input, char *to, size_t size, size_t *n, Error *err)
{
    ZSTD_outBuffer out = {to, size, 0};
    bool drained = false;

    while (out.pos < out.size && !drained) {
        size_t before = out.pos;
        Status status = STATUS_OK;
        if (input->raw.pos == input->raw.size && !input->file_ended) status = fill_raw(input, err);
        if (status != STATUS_OK) return status;
        bool empty = input->raw.pos == input->raw.size;
        /* Between frames nothing is left to flush, and the call would begin a new frame. */
        if (empty && !input->frame_open) break;
        status = unpack(input, &out, err);
        *n = out.pos;
        if (status != STATUS_OK) return status;
        drained = empty && out.pos == before;
    }
    if (drained && input->frame_open)
        return error_set(err, STATUS_BAD_INPUT, "%s: cut off in the middle", input->path);
    return STATUS_OK;
}

Status input_read(InputFile *input, void *to, size_t size, size_t *n, Error *err)
{
    *n = 0;
    Status status = check_wanted(err);
    if (status != STATUS_OK) return status;
    return input->zstd || input->bunzip || input->gunzip ? read_packed(input, to, size, n, err)
                                                         : read_plain(input, to, size, n, err);
}

const char *input_path(const InputFile *input)
{
    return input->path;
}

int64_t input_consumed(const InputFile *input)
{
    return input->consumed - (int64_t)(input->raw.size - input->raw.pos);
}

Status input_sha256(const char *path, const atomic_int *interrupted, char out[HASH_HEX_MAX],
                    int64_t *size, Error *err)
{
    uint8_t buffer[1 << 16];
    SHA2_CTX context;
    Status status = STATUS_OK;
    size_t n;

    system_may_wait_for(path);
    FILE *file = fopen(path, "rb");
    if (!file) return cannot_open(path, err);
    *size = 0;
    SHA256Init(&context);
    do {
        n = fread(buffer, 1, sizeof buffer, file);
        SHA256Update(&context, buffer, n);
        *size += (int64_t)n;
        if (interrupted && atomic_load_explicit(interrupted, memory_order_relaxed))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    } while (n == sizeof buffer && status == STATUS_OK);
    if (status == STATUS_OK && ferror(file))
        status = error_set(err, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    (void)fclose(file);
    (void)SHA256End(&context, out);
    return status;
}
