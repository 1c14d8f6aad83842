/* SPDX-License-Identifier: MIT
 * Output files: text is collected in memory, compressed if needed, and written. */
#include "cli/output/output_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "engine/base/new_file.h"

enum { CHUNK = 1 << 18, COMPRESSION_LEVEL = 3 };

struct OutputFile {
    NewFile file;  /* .stream is standard output for "-" */
    FILE *stream;  /* writes into text */
    bool appended; /* to a file that readers may have open: whole items, whole frames */
    bool made;     /* by output_append(), and still empty */
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
                     out->file.path ? out->file.path : "standard output", strerror(errno));
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

static Status open_new(OutputFile *out, const char *path, Error *err)
{
    if (strcmp(path, "-") != 0) return new_file_open(&out->file, path, err);
    out->file.stream = stdout;
    return STATUS_OK;
}

/* The text of an item in one write(), so that a kill seldom cuts it. */
static Status open_end(OutputFile *out, const char *path, Error *err)
{
    struct stat before;
    bool exists = stat(path, &before) == 0;

    out->appended = true;
    out->file.path = strdup(path);
    if (!out->file.path) return error_set(err, STATUS_FAILED, "out of memory");
    out->file.stream = fopen(path, "ab");
    if (!out->file.stream || setvbuf(out->file.stream, NULL, _IONBF, 0) != 0)
        return write_failed(out, err);
    out->made = !exists;
    return STATUS_OK;
}

static OutputFile *open_with(const char *path,
                             Status (*open_file)(OutputFile *, const char *, Error *), Error *err)
{
    OutputFile *out = calloc(1, sizeof *out);

    if (!out) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    Status status = open_file(out, path, err);
    if (status == STATUS_OK) {
        out->stream = open_memstream(&out->text, &out->size);
        if (!out->stream || (out->file.path && ends_in(path, ".zst") && !open_compressor(out)))
            status = error_set(err, STATUS_FAILED, "out of memory");
    }
    if (status == STATUS_OK) return out;
    output_discard(out);
    return NULL;
}

OutputFile *output_open(const char *path, Error *err)
{
    return open_with(path, open_new, err);
}

/* Does a file end within a line? */
static bool is_cut(const char *path)
{
    FILE *file = fopen(path, "rb");
    int last = file && fseek(file, -1, SEEK_END) == 0 ? fgetc(file) : '\n';

    if (file) (void)fclose(file);
    return last != '\n';
}

OutputFile *output_append(const char *path, Error *err)
{
    struct stat there;
    bool cut = stat(path, &there) == 0 && S_ISREG(there.st_mode) && is_cut(path);
    OutputFile *out = open_with(path, open_end, err);

    if (out && cut && !out->compressor) (void)fputc('\n', out->stream);
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
            return error_set(err, STATUS_FAILED, "%s: compression failed: %s", out->file.path,
                             ZSTD_getErrorName(left));
        if (fwrite(out->packed, 1, packed.pos, out->file.stream) != packed.pos)
            return write_failed(out, err);
    } while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return STATUS_OK;
}

static Status write_plain(OutputFile *out, Error *err)
{
    struct stat before;
    bool undo = out->appended && fstat(fileno(out->file.stream), &before) == 0;

    if (fwrite(out->text, 1, out->size, out->file.stream) == out->size) return STATUS_OK;
    Status status = write_failed(out, err);
    int ignored = undo ? ftruncate(fileno(out->file.stream), before.st_size) : 0;
    (void)ignored; /* best effort */
    return status;
}

/* Ends the memory stream, writes its text, and starts another unless this is the end. */
static Status write_text(OutputFile *out, bool end, Error *err)
{
    bool whole = fclose(out->stream) == 0;
    Status status = STATUS_OK;

    out->stream = NULL;
    if (!whole)
        status = error_set(err, STATUS_FAILED, "out of memory");
    else if (out->appended && out->size == 0)
        status = STATUS_OK;
    else if (out->compressor)
        status = write_compressed(out, end || out->appended ? ZSTD_e_end : ZSTD_e_continue, err);
    else
        status = write_plain(out, err);
    out->made &= out->size == 0;
    free(out->text);
    out->text = NULL;
    if (status || end) return status;
    out->stream = open_memstream(&out->text, &out->size);
    return out->stream ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
}

Status output_flush(OutputFile *out, Error *err)
{
    bool at_once = out->appended && !out->compressor;
    return ftello(out->stream) < CHUNK && !at_once ? STATUS_OK : write_text(out, false, err);
}

Status output_finish(OutputFile *out, Error *err)
{
    if (!out->file.path) return STATUS_OK;
    Status status = write_text(out, true, err);
    return status == STATUS_OK ? new_file_finish(&out->file, err) : status;
}

Status output_commit(OutputFile *out, Error *err)
{
    Status status = out->stream ? write_text(out, true, err) : STATUS_OK;
    if (status == STATUS_OK && out->file.path && !out->made)
        status = new_file_commit(&out->file, err);
    else if (status == STATUS_OK && fflush(out->file.stream) != 0)
        status = write_failed(out, err);
    output_discard(out);
    return status;
}

void output_discard(OutputFile *out)
{
    if (!out) return;
    if (out->stream) (void)fclose(out->stream);
    if (out->made && out->file.path) (void)unlink(out->file.path);
    if (out->file.path) new_file_discard(&out->file);
    free(out->text);
    (void)ZSTD_freeCCtx(out->compressor);
    free(out->packed);
    free(out);
}
