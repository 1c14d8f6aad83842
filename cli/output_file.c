/* SPDX-License-Identifier: MIT
 * Output files: text is gathered in memory, compressed if wanted, written, renamed at the end. */
#include "cli/output_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { CHUNK = 1 << 18, COMPRESSION_LEVEL = 3 };

struct OutputFile {
    char *path, *temporary; /* temporary: NULL for standard output */
    FILE *file;
    FILE *stream; /* writes into text */
    char *text;
    size_t size;
    ZSTD_CCtx *compressor; /* NULL: plain */
    char *packed;          /* [CHUNK] */
};

static bool ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static Status write_failed(const OutputFile *out, Error *err)
{
    return error_set(err, STATUS_FAILED, "%s cannot be written: %s",
                     out->temporary ? out->path : "standard output", strerror(errno));
}

static bool open_compressor(OutputFile *out)
{
    out->compressor = ZSTD_createCCtx();
    out->packed = malloc(CHUNK);
    return out->compressor && out->packed &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(out->compressor, ZSTD_c_compressionLevel,
                                                COMPRESSION_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(out->compressor, ZSTD_c_checksumFlag, 1));
}

/* A new file beside `path`, readable as any other (mkstemp's would be its owner's alone). */
static bool open_temporary(OutputFile *out)
{
    size_t size = strlen(out->path) + sizeof ".new-" + 20;

    out->temporary = malloc(size);
    if (!out->temporary) return false;
    (void)snprintf(out->temporary, size, "%s.new-%ld", out->path, (long)getpid());
    out->file = fopen(out->temporary, "wbx");
    if (out->file) return true;
    free(out->temporary); /* not ours to remove */
    out->temporary = NULL;
    return false;
}

OutputFile *output_open(const char *path, Error *err)
{
    OutputFile *out = calloc(1, sizeof *out);

    if (!out || !(out->path = strdup(path))) {
        free(out);
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    bool standard = strcmp(path, "-") == 0;
    if (standard)
        out->file = stdout;
    else if (!open_temporary(out)) {
        (void)error_set(err, STATUS_FAILED, "%s cannot be created: %s", path, strerror(errno));
        output_discard(out);
        return NULL;
    }
    out->stream = open_memstream(&out->text, &out->size);
    if (!out->stream || (!standard && ends_in(path, ".zst") && !open_compressor(out))) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        output_discard(out);
        return NULL;
    }
    return out;
}

FILE *output_stream(OutputFile *out)
{
    return out->stream;
}

static Status write_compressed(OutputFile *out, ZSTD_EndDirective end, Error *err)
{
    ZSTD_inBuffer in = {out->text, out->size, 0};
    size_t left;

    do {
        ZSTD_outBuffer packed = {out->packed, CHUNK, 0};
        left = ZSTD_compressStream2(out->compressor, &packed, &in, end);
        if (ZSTD_isError(left))
            return error_set(err, STATUS_FAILED, "%s: compression failed: %s", out->path,
                             ZSTD_getErrorName(left));
        if (fwrite(out->packed, 1, packed.pos, out->file) != packed.pos)
            return write_failed(out, err);
    } while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return STATUS_OK;
}

/* Ends the memory stream, writes its text, and starts another unless this is the end. */
static Status write_text(OutputFile *out, bool end, Error *err)
{
    bool whole = fclose(out->stream) == 0;
    Status status = STATUS_OK;

    out->stream = NULL;
    if (!whole)
        status = error_set(err, STATUS_FAILED, "out of memory");
    else if (out->compressor)
        status = write_compressed(out, end ? ZSTD_e_end : ZSTD_e_continue, err);
    else if (fwrite(out->text, 1, out->size, out->file) != out->size)
        status = write_failed(out, err);
    free(out->text);
    out->text = NULL;
    if (status || end) return status;
    out->stream = open_memstream(&out->text, &out->size);
    return out->stream ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
}

Status output_flush(OutputFile *out, Error *err)
{
    return ftello(out->stream) < CHUNK ? STATUS_OK : write_text(out, false, err);
}

static Status put_in_place(OutputFile *out, Error *err)
{
    if (!out->temporary) return fflush(out->file) ? write_failed(out, err) : STATUS_OK;
    bool closed = fclose(out->file) == 0;
    out->file = NULL;
    if (!closed || rename(out->temporary, out->path) != 0) return write_failed(out, err);
    free(out->temporary); /* nothing left to remove */
    out->temporary = NULL;
    return STATUS_OK;
}

Status output_commit(OutputFile *out, Error *err)
{
    Status status = write_text(out, true, err);
    if (status == STATUS_OK) status = put_in_place(out, err);
    output_discard(out);
    return status;
}

void output_discard(OutputFile *out)
{
    if (!out) return;
    if (out->stream) (void)fclose(out->stream);
    if (out->file && out->file != stdout) {
        (void)fclose(out->file);
        (void)remove(out->temporary);
    } else if (out->temporary) {
        (void)remove(out->temporary); /* closed, but not renamed */
    }
    free(out->text);
    (void)ZSTD_freeCCtx(out->compressor);
    free(out->packed);
    free(out->temporary);
    free(out->path);
    free(out);
}
