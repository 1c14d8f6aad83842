/* SPDX-License-Identifier: MIT
 * Reading text files whole. */
#include "selfplay/text_file.h"

#include <stdlib.h>
#include <string.h>

#include "db/input_file.h"

static Status read_all(InputFile *input, char **text, Error *err)
{
    enum { FIRST_ROOM = 1 << 16 };
    size_t length = 0, room = FIRST_ROOM, n;
    Status status = STATUS_OK;

    *text = NULL;
    do {
        char *grown = *text && length + 1 < room ? *text : realloc(*text, room *= 2);
        if (!grown) return error_set(err, STATUS_FAILED, "out of memory for %zu bytes", room);
        *text = grown;
        status = input_read(input, *text + length, room - length - 1, &n, err);
        length += n;
    } while (status == STATUS_OK && n > 0);
    if (status == STATUS_OK && memchr(*text, '\0', length))
        return error_set(err, STATUS_BAD_INPUT, "%s: not a text file", input_path(input));
    (*text)[length] = '\0';
    return status;
}

Status text_file_read(const char *path, char **text, Error *err)
{
    char *read = NULL;
    InputFile *input = input_open(path, err);

    if (!input) return err ? err->status : STATUS_BAD_INPUT;
    Status status = read_all(input, &read, err);
    input_close(input);
    if (status == STATUS_OK)
        *text = read;
    else
        free(read);
    return status;
}
