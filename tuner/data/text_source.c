/* SPDX-License-Identifier: MIT
 * Reading text files in blocks of whole lines. */
#include "tuner/data/text_source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "db/files/input_file.h"

struct TextSource {
    InputFile *file;
    bool ended;
    char *text; /* [0, length) read, of which [0, given) was handed out by the last call */
    size_t length, given, capacity;
};

TextSource *text_source_open(const char *path, Error *err)
{
    TextSource *source = calloc(1, sizeof *source);

    if (!source) {
        (void)error_set(err, STATUS_FAILED, "%s: out of memory", path);
        return NULL;
    }
    source->file = input_open(path, err);
    if (source->file) return source;
    free(source);
    return NULL;
}

void text_source_close(TextSource *source)
{
    if (!source) return;
    input_close(source->file);
    free(source->text);
    free(source);
}

/* Room for `size` bytes behind what is there. */
static Status reserve(TextSource *source, size_t size, Error *err)
{
    if (source->capacity - source->length >= size) return STATUS_OK;
    size_t capacity = source->length + size;
    char *grown = realloc(source->text, capacity);
    if (!grown) return error_set(err, STATUS_FAILED, "%s: out of memory", input_path(source->file));
    source->text = grown;
    source->capacity = capacity;
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
        size_t n = 0;
        Status status = reserve(source, size, err);
        if (status == STATUS_OK)
            status = input_read(source->file, source->text + source->length, size, &n, err);
        if (status != STATUS_OK) return status;
        source->length += n;
        source->ended = n < size;
        source->given = whole_lines(source->text, source->length);
    }
    if (source->ended) source->given = source->length;
    *text = source->text;
    *length = source->given;
    return STATUS_OK;
}
