/* SPDX-License-Identifier: MIT
 * Output files: text is collected in memory, compressed if needed, and written. */
#include "cli/output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "db/files/input_file.h"
#include "engine/base/new_file.h"
#include "engine/base/system.h"
#include "engine/base/text.h"

enum { CHUNK = 1 << 18, COMPRESSION_LEVEL = 3 };

struct OutputFile {
    NewFile file;          /* .stream is standard output for "-" */
    TextStream text;       /* printed and not yet written */
    bool appended;         /* to a file that readers may have open: whole items, whole frames */
    bool made;             /* by output_append(), and still empty */
    ZSTD_CCtx *compressor; /* NULL: plain */
    char *packed;          /* [CHUNK] */
};

static Status write_failed(const OutputFile *out, Error *err)
{
    return file_failed(out->file.path ? out->file.path : "standard output", "written", err);
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

/* Refuses a file that another process has locked. command: F_SETLK, which locks it until it is
 * closed, or F_GETLK, a test. Devices and file systems without locks are accepted. */
static Status check_lock(const char *path, int fd, int command, Error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat file;

    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return STATUS_OK;
    bool refused = fcntl(fd, command, &lock) != 0 ? errno == EACCES || errno == EAGAIN
                                                  : command == F_GETLK && lock.l_type == F_WRLCK;
    if (!refused) return STATUS_OK;
    return error_set(err, STATUS_FAILED,
                     "%s: another process adds to it; wait for its end, or name another file",
                     path);
}

Status output_check_free(const char *path, Error *err)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return STATUS_OK;
    Status status = check_lock(path, fd, F_GETLK, err);
    (void)close(fd);
    return status;
}

/* The text of an item in one write(), so that a kill seldom cuts it. */
static Status open_end(OutputFile *out, const char *path, Error *err)
{
    struct stat before;
    bool exists = stat(path, &before) == 0;

    out->appended = true;
    out->file.path = strdup(path);
    if (!out->file.path) return error_set(err, STATUS_FAILED, "out of memory");
    system_may_wait_for(path);
    out->file.stream = fopen(path, "ab");
    if (!out->file.stream || setvbuf(out->file.stream, NULL, _IONBF, 0) != 0)
        return write_failed(out, err);
    Status status = check_lock(path, fileno(out->file.stream), F_SETLK, err);
    out->made = !exists && status == STATUS_OK;
    return status;
}

Status output_check_name(const char *path, Error *err)
{
    size_t length;
    const char *packing = input_packing(path, &length);

    if (!packing || strcmp(packing, "zstd") == 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s: files are not written in %s; use .zst", path, packing);
}

Status output_check_plain(const char *path, Error *err)
{
    if (!path || !text_ends_in(path, ".zst")) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s: weights are not written compressed", path);
}

static OutputFile *open_with(const char *path,
                             Status (*open_file)(OutputFile *, const char *, Error *), Error *err)
{
    if (output_check_name(path, err) != STATUS_OK) return NULL;
    OutputFile *out = calloc(1, sizeof *out);
    if (!out) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    Status status = open_file(out, path, err);
    if (status == STATUS_OK) {
        if (!text_stream_open(&out->text) ||
            (out->file.path && text_ends_in(path, ".zst") && !open_compressor(out)))
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

static Status check_place(const char *path, Error *err)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    struct stat there;

    if (!*path) return error_set(err, STATUS_FAILED, "the name of an output is empty");
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return error_set(err, STATUS_FAILED, "%s: cannot be written: it is a folder", path);
    if (file_is_written_directly(path)) return STATUS_OK;
    if (file_is_database(path))
        return error_set(err, STATUS_FAILED, "%s is a database, or its log, and is not replaced",
                         path);
    if (slash) (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    if (access(folder, W_OK) == 0) return STATUS_OK;
    return error_set(err, STATUS_FAILED, "%s: cannot be written: no writable folder %s", path,
                     folder);
}

Status outputs_differ(const char *const *outputs, const char *const *inputs, int count, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < count && status == STATUS_OK; i++) {
        if (!outputs[i] || strcmp(outputs[i], "-") == 0) continue;
        for (int k = 0; k < count && status == STATUS_OK; k++)
            if (inputs[k] && file_is_same(outputs[i], inputs[k]))
                status = error_set(err, STATUS_FAILED, "%s is an input, and is not replaced",
                                   outputs[i]);
            else if (k < i && outputs[k] && file_is_same(outputs[i], outputs[k]))
                status = error_set(err, STATUS_FAILED, "%s is named for two outputs", outputs[i]);
    }
    return status;
}

Status outputs_check(const char *const *outputs, const char *const *inputs, int count, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < count && status == STATUS_OK; i++) {
        if (!outputs[i] || strcmp(outputs[i], "-") == 0) continue;
        status = output_check_name(outputs[i], err);
        if (status == STATUS_OK) status = check_place(outputs[i], err);
    }
    return status == STATUS_OK ? outputs_differ(outputs, inputs, count, err) : status;
}

Status output_needs_file(const char *path, const char *option, Error *err)
{
    if (!path || strcmp(path, "-") != 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--%s needs a file: standard output gets the result",
                     option);
}

Status inputs_check(const char *const *inputs, int count, Error *err)
{
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (file_is_same(inputs[i], inputs[k]))
                return error_set(err, STATUS_USAGE, "%s: named twice", inputs[i]);
    return STATUS_OK;
}

/* How many of `newlines` a file that is not empty lacks at its end, after its last text. */
static int lacking_newlines(const char *path, int newlines)
{
    FILE *file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    int lacking = size > 0 ? newlines : 0;

    for (long at = size - 1; lacking > 0 && at >= 0 && fseek(file, at, SEEK_SET) == 0; at--) {
        int c = fgetc(file);
        if (c != '\n' && c != '\r') break;
        lacking -= c == '\n';
    }
    if (file) (void)fclose(file);
    return lacking;
}

OutputFile *output_append(const char *path, int newlines, Error *err)
{
    struct stat there;
    bool plain = stat(path, &there) == 0 && S_ISREG(there.st_mode) && !text_ends_in(path, ".zst");
    int lacking = plain ? lacking_newlines(path, newlines) : 0;
    OutputFile *out = open_with(path, open_end, err);

    for (; out && lacking > 0; lacking--)
        (void)fputc('\n', out->text.out);
    return out;
}

FILE *output_stream(OutputFile *out)
{
    return out->text.out;
}

static Status write_compressed(OutputFile *out, ZSTD_EndDirective end, Error *err)
{
    ZSTD_inBuffer in = {out->text.text, out->text.length, 0};
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
    const size_t size = out->text.length;

    if (size == 0 || fwrite(out->text.text, 1, size, out->file.stream) == size) return STATUS_OK;
    return write_failed(out, err);
}

/* Writes the text that was printed. */
static Status write_text(OutputFile *out, bool end, Error *err)
{
    struct stat before;
    Status status = STATUS_OK;

    if (!text_stream_flush(&out->text)) return error_set(err, STATUS_FAILED, "out of memory");
    if (out->appended && out->text.length == 0) return STATUS_OK;
    bool undo = out->appended && fstat(fileno(out->file.stream), &before) == 0;
    if (out->compressor)
        status = write_compressed(out, end || out->appended ? ZSTD_e_end : ZSTD_e_continue, err);
    else
        status = write_plain(out, err);
    if (status != STATUS_OK && undo) {
        int ignored = ftruncate(fileno(out->file.stream), before.st_size);
        (void)ignored; /* best effort */
    }
    if (status == STATUS_OK) out->made &= out->text.length == 0;
    out->text.length = 0;
    return status;
}

static Status end_text(OutputFile *out, Error *err)
{
    Status status = write_text(out, true, err);
    text_stream_discard(&out->text);
    return status;
}

Status output_flush(OutputFile *out, Error *err)
{
    bool at_once = out->appended && !out->compressor;
    return out->text.length < CHUNK && !at_once ? STATUS_OK : write_text(out, false, err);
}

Status output_finish(OutputFile *out, Error *err)
{
    if (!out->file.path) return STATUS_OK;
    Status status = end_text(out, err);
    return status == STATUS_OK ? new_file_finish(&out->file, err) : status;
}

Status output_commit(OutputFile *out, Error *err)
{
    Status status = out->text.out ? end_text(out, err) : STATUS_OK;
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
    text_stream_discard(&out->text);
    if (out->made && out->file.path) (void)unlink(out->file.path);
    if (out->file.path) new_file_discard(&out->file);
    (void)ZSTD_freeCCtx(out->compressor);
    free(out->packed);
    free(out);
}
