/* SPDX-License-Identifier: MIT
 * Functions of POSIX for Windows. */
#include "engine/base/posix.h"

#include <stdlib.h>

#ifdef _WIN32

#include <errno.h>
#include <io.h>
#include <windows.h>

ssize_t getline(char **line, size_t *room, FILE *in)
{
    size_t length = 0;
    int c = 0;

    while (c != '\n' && (c = getc(in)) != EOF) {
        if (length + 2 > *room) {
            size_t wanted = 2 * length + 128;
            char *grown = realloc(*line, wanted);
            if (!grown) return -1;
            *line = grown;
            *room = wanted;
        }
        (*line)[length++] = (char)c;
        (*line)[length] = '\0';
    }
    return length > 0 ? (ssize_t)length : -1;
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
    DWORD got = 0;

    if (ReadFile((HANDLE)_get_osfhandle(fd), bytes, (DWORD)size, &got, &place)) return got;
    if (GetLastError() == ERROR_HANDLE_EOF) return 0;
    errno = EIO;
    return -1;
}

#endif
