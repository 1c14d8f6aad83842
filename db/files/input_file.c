/* SPDX-License-Identifier: MIT
 * Reading plain and compressed files as streams of bytes. libarchive unpacks all formats but gzip,
 * whose checksums it does not compare; zlib does. */
#include "db/files/input_file.h"

#include <archive.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/system.h"
#include "engine/base/text.h"

#define ZLIB_CONST
#include <zlib.h>

enum {
    BUFFER_BYTES = 1 << 17,
    GZIP_WINDOW = 16 + MAX_WBITS /* gzip's header and checksum, its greatest window */
};

/* Bytes in a buffer that were not taken yet. */
typedef struct Pending {
    const char *at;
    size_t left;
} Pending;

struct InputFile {
    char *path;
    FILE *file;
    int64_t consumed; /* bytes of the file itself */
    Pending raw;      /* the next bytes of the file itself */
    Pending data;     /* the next bytes of the unpacked file */
    bool past_end;    /* more bytes were wanted than the file itself has */
    bool ended;       /* nothing follows `data` */
    Error fault;      /* of the file itself, after `raw`, or of its first compressed bytes */

    struct archive *archive; /* NULL: not compressed, or by gzip */

    bool is_gzip, in_member; /* in_member: a member of the gzip file is not complete */
    z_stream gzip;
    char unpacked[BUFFER_BYTES]; /* by gzip */

    char buffer[BUFFER_BYTES]; /* of `raw` */
};

static Status file_fault(const InputFile *input, Error *err)
{
    return error_set(err, input->fault.status, "%s", input->fault.text);
}

static Status fill_raw(InputFile *input, Error *err)
{
    Error *fault = &input->fault;

    if (fault->status == STATUS_OK) fault->status = system_check_end(fault);
    if (fault->status != STATUS_OK) return file_fault(input, err);
    size_t n = fread(input->buffer, 1, sizeof input->buffer, input->file);
    int code = errno;
    input->raw = (Pending){input->buffer, n};
    input->consumed += (int64_t)n;
    input->past_end = n == 0;
    if (!ferror(input->file)) return STATUS_OK;
    if (system_check_end(fault) == STATUS_OK)
        (void)error_set(fault, STATUS_BAD_INPUT, "%s: %s", input->path, strerror(code));
    return file_fault(input, err);
}

static Status cut_off(const InputFile *input, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "%s: cut off in the middle", input->path);
}

static Status cannot_unpack(const InputFile *input, const char *why, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "%s: cannot be unpacked: %s", input->path, why);
}

/* ---- Which compression */

typedef struct Packing {
    const char *name, *ending, *magic;
    int filter;
    int (*support)(struct archive *);
} Packing;

static const Packing packings[] = {
    {"zstd", ".zst", "\x28\xb5\x2f\xfd", ARCHIVE_FILTER_ZSTD, archive_read_support_filter_zstd},
    {"gzip", ".gz", "\x1f\x8b", ARCHIVE_FILTER_GZIP, NULL}, /* by zlib */
    {"bzip2", ".bz2", "BZh", ARCHIVE_FILTER_BZIP2, archive_read_support_filter_bzip2},
    {"xz", ".xz", "\xfd\x37zXZ", ARCHIVE_FILTER_XZ, archive_read_support_filter_xz},
    {"lz4", ".lz4", "\x04\x22\x4d\x18", ARCHIVE_FILTER_LZ4, archive_read_support_filter_lz4},
};
enum { PACKINGS = sizeof packings / sizeof *packings };

/* A frame of zstd that is to be skipped, with which pzstd begins. */
static bool is_skippable(const Pending *raw)
{
    return raw->left >= 4 && (raw->at[0] & 0xf0) == 0x50 &&
           memcmp(raw->at + 1, "\x2a\x4d\x18", 3) == 0;
}

/* NULL: not compressed. */
static const Packing *find_packing(const Pending *raw)
{
    if (is_skippable(raw)) return &packings[0];
    for (int i = 0; i < PACKINGS; i++) {
        size_t length = strlen(packings[i].magic);
        if (raw->left >= length && memcmp(raw->at, packings[i].magic, length) == 0)
            return &packings[i];
    }
    return NULL;
}

const char *input_packing(const char *path, size_t *length)
{
    *length = strlen(path);
    for (int i = 0; i < PACKINGS; i++)
        if (text_ends_in(path, packings[i].ending)) {
            *length -= strlen(packings[i].ending);
            return packings[i].name;
        }
    return NULL;
}

void input_packings(char out[INPUT_PACKINGS_MAX])
{
    struct archive *archive = archive_read_new();

    *out = '\0';
    for (int i = 0; i < PACKINGS; i++)
        if (!packings[i].support || (archive && packings[i].support(archive) == ARCHIVE_OK))
            text_append(out, INPUT_PACKINGS_MAX, "%s%s", *out ? ", " : "", packings[i].name);
    (void)archive_read_free(archive);
}

/* ---- By libarchive */

/* libarchive's read callback. */
static la_ssize_t feed(struct archive *archive, void *context, const void **bytes)
{
    InputFile *input = context;

    (void)archive;
    if (input->raw.left == 0 && fill_raw(input, &(Error){0}) != STATUS_OK) return -1;
    size_t n = input->raw.left;
    *bytes = input->raw.at;
    input->raw.left = 0;
    return (la_ssize_t)n;
}

static Status archive_fault(const InputFile *input, Error *err)
{
    const char *why = archive_error_string(input->archive);

    if (input->fault.status != STATUS_OK) return file_fault(input, err);
    return input->past_end ? cut_off(input, err)
                           : cannot_unpack(input, why ? why : "not valid", err);
}

/* A filter ends where it does not find its magic number again: at the end, or at bytes that are
 * not its own. */
static Status archive_end(InputFile *input, Error *err)
{
    input->ended = input->past_end && archive_filter_bytes(input->archive, -1) == input->consumed;
    return input->ended ? STATUS_OK
                        : cannot_unpack(input, "some of its bytes are not compressed data", err);
}

static Status archive_status(InputFile *input, int code, Error *err)
{
    if (code == ARCHIVE_OK) return STATUS_OK;
    return code == ARCHIVE_EOF ? archive_end(input, err) : archive_fault(input, err);
}

/* Unpacks the first bytes. */
static Status start_archive(InputFile *input, Error *err)
{
    struct archive_entry *entry;

    int code = archive_read_open(input->archive, input, NULL, feed, NULL);
    if (code != ARCHIVE_OK || archive_errno(input->archive) != 0) return archive_fault(input, err);
    return archive_status(input, archive_read_next_header(input->archive, &entry), err);
}

/* Damage is reported by the first read. */
static Status open_archive(InputFile *input, const Packing *packing, Error *err)
{
    struct archive *archive = input->archive = archive_read_new();
    Error fault = {0};

    /* ARCHIVE_WARN: libarchive was built without the format, and would start a program. */
    if (!archive || packing->support(archive) != ARCHIVE_OK ||
        archive_read_append_filter(archive, packing->filter) != ARCHIVE_OK ||
        archive_read_support_format_raw(archive) != ARCHIVE_OK ||
        archive_read_support_format_empty(archive) != ARCHIVE_OK)
        return error_set(err, STATUS_FAILED, "%s: cannot be unpacked: %s", input->path,
                         archive ? archive_error_string(archive) : "out of memory");
    if (start_archive(input, &fault) != STATUS_OK) input->fault = fault;
    return STATUS_OK;
}

static Status read_archive(InputFile *input, Error *err)
{
    const void *block = NULL;
    la_int64_t offset;

    if (input->fault.status != STATUS_OK) return file_fault(input, err);
    int code = archive_read_data_block(input->archive, &block, &input->data.left, &offset);
    input->data.at = block;
    return archive_status(input, code, err);
}

/* ---- By zlib */

/* Unpacks some bytes of a member; members may follow one another. */
static Status inflate_some(InputFile *input, Error *err)
{
    z_stream *z = &input->gzip;

    if (!input->in_member) (void)inflateReset(z);
    z->next_in = (const Bytef *)input->raw.at;
    z->avail_in = (uInt)input->raw.left;
    int code = inflate(z, Z_NO_FLUSH);
    input->in_member = code != Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END)
        return cannot_unpack(input, "not valid gzip data", err);
    input->raw = (Pending){(const char *)z->next_in, z->avail_in};
    return STATUS_OK;
}

/* A fault is reported when the bytes before it were taken. */
static Status read_gzip(InputFile *input, Error *err)
{
    z_stream *z = &input->gzip;
    Status status = STATUS_OK;

    z->next_out = (Bytef *)input->unpacked;
    z->avail_out = sizeof input->unpacked;
    while (z->avail_out > 0 && !input->ended && status == STATUS_OK) {
        if (input->raw.left == 0) status = fill_raw(input, err);
        for (; !input->in_member && input->raw.left > 0 && *input->raw.at == '\0'; input->raw.at++)
            input->raw.left--; /* zeros fill the last block of a tape */
        if (input->raw.left > 0)
            status = inflate_some(input, err);
        else if (status == STATUS_OK && input->in_member)
            status = cut_off(input, err);
        else
            input->ended = status != STATUS_OK || input->past_end;
    }
    input->data = (Pending){input->unpacked, sizeof input->unpacked - z->avail_out};
    return input->data.left > 0 ? STATUS_OK : status;
}

/* ---- Any file */

static Status read_plain(InputFile *input, Error *err)
{
    Status status = input->raw.left == 0 ? fill_raw(input, err) : STATUS_OK;

    input->data = input->raw;
    input->raw.left = 0;
    input->ended = input->past_end;
    return status;
}

static Status recognise(InputFile *input, Error *err)
{
    Status status = fill_raw(input, err);
    const Packing *packing = find_packing(&input->raw);

    if (status == STATUS_OK && input->raw.left >= 4 && memcmp(input->raw.at, "PAR1", 4) == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: a Parquet file; convert it (docs/formats.md)",
                         input->path);
    if (status != STATUS_OK || !packing) return status;
    if (packing->support) return open_archive(input, packing, err);
    input->is_gzip = inflateInit2(&input->gzip, GZIP_WINDOW) == Z_OK;
    return input->is_gzip ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
}

static Status cannot_open(const char *path, Error *err)
{
    int code = errno;
    Status status = system_check_end(err);
    if (status != STATUS_OK) return status;
    if (strcmp(path, "-") == 0)
        return error_set(
            err, STATUS_BAD_INPUT,
            "-: standard input is not read here; name a file (/dev/stdin, if it is redirected from one)");
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
    (void)archive_read_free(input->archive);
    if (input->is_gzip) (void)inflateEnd(&input->gzip);
    free(input->path);
    free(input);
}

Status input_read(InputFile *input, void *to, size_t size, size_t *n, Error *err)
{
    Status status = system_check_end(err);

    for (*n = 0; *n < size && (input->data.left > 0 || !input->ended) && status == STATUS_OK;) {
        if (input->data.left == 0)
            status = input->archive   ? read_archive(input, err)
                     : input->is_gzip ? read_gzip(input, err)
                                      : read_plain(input, err);
        size_t part = input->data.left < size - *n ? input->data.left : size - *n;
        if (part == 0) continue; /* there may be no block at all */
        memcpy((char *)to + *n, input->data.at, part);
        input->data.at += part;
        input->data.left -= part;
        *n += part;
    }
    return status;
}

bool input_is_packed(const InputFile *input)
{
    return input->archive || input->is_gzip;
}

const char *input_path(const InputFile *input)
{
    return input->path;
}

int64_t input_consumed(const InputFile *input)
{
    return input->consumed - (int64_t)input->raw.left;
}

Status input_sha256(const char *path, const atomic_int *interrupted, char out[HASH_HEX_MAX],
                    int64_t *size, Error *err)
{
    uint8_t buffer[1 << 16];
    struct sha256_ctx context;
    Status status = STATUS_OK;
    size_t n;

    system_may_wait_for(path);
    FILE *file = fopen(path, "rb");
    if (!file) return cannot_open(path, err);
    *size = 0;
    sha256_init(&context);
    do {
        n = fread(buffer, 1, sizeof buffer, file);
        sha256_update(&context, n, buffer);
        *size += (int64_t)n;
        if (interrupted && atomic_load_explicit(interrupted, memory_order_relaxed))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    } while (n == sizeof buffer && status == STATUS_OK);
    if (status == STATUS_OK && ferror(file))
        status = error_set(err, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    (void)fclose(file);
    sha256_end_hex(&context, out);
    return status;
}
