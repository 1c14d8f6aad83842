/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of files, plain and compressed: characters, blocks of lines and bytes are the
 * same file, and a damaged stream is an error that names it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/files/reader.h"
#include "tests/fuzz/support_fuzz.h"

enum { MOST = 1 << 24 }; /* bytes: a few of a stream can stand for many */

static int64_t count_bytes(const char *path, size_t at_once, bool *fault)
{
    FileReader *reader = reader_open(path, &(Error){0});
    const uint8_t *bytes = NULL;
    int64_t count = 0;
    Status status = STATUS_OK;

    *fault = reader == NULL;
    while (reader && count < MOST) {
        status = reader_take(reader, at_once, &bytes, &(Error){0});
        if (status != STATUS_OK || !bytes) break;
        count += (int64_t)at_once;
    }
    *fault |= status != STATUS_OK;
    reader_close(reader);
    return count;
}

static int64_t count_characters(const char *path, bool *fault)
{
    FileReader *reader = reader_open(path, &(Error){0});
    int64_t count = 0;
    Error err = {0};

    *fault = reader == NULL;
    while (reader && count < MOST && reader_next(reader) != READER_END)
        count++;
    if (reader && count < MOST && reader_fault(reader, &err) != STATUS_OK) {
        *fault = true;
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
    }
    reader_close(reader);
    return count;
}

static int64_t count_blocks(const char *path, bool *fault)
{
    FileReader *reader = reader_open(path, &(Error){0});
    const char *text;
    size_t length = 1;
    int64_t count = 0;
    Status status = STATUS_OK;

    *fault = reader == NULL;
    while (reader && length > 0 && count < MOST && status == STATUS_OK) {
        status = reader_block(reader, 64, &text, &length, &(Error){0});
        if (status == STATUS_OK) count += (int64_t)length;
    }
    *fault |= status != STATUS_OK;
    reader_close(reader);
    return count;
}

static void read_lines(const char *path)
{
    FileReader *reader = reader_open_text(path, &(Error){0});
    const char *line;

    for (int i = 0; reader && i < MOST && (line = reader_line(reader)) != NULL; i++)
        demand(!strchr(line, '\n'));
    reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    bool fault, again;

    fuzz_file("files", data, size, path);
    int64_t count = count_characters(path, &fault);
    if (count < MOST) {
        int64_t bytes =
            count_bytes(path, 1, &again); /* not those that were read ahead of a fault */
        demand(again == fault && (fault ? bytes <= count : bytes == count));
        int64_t blocks = count_blocks(path, &again);
        demand(again == fault && (fault || blocks == count));
        read_lines(path);
    }
    (void)unlink(path);
    return 0;
}
