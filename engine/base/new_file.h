/* SPDX-License-Identifier: MIT
 * A file that appears whole or not at all. */
#ifndef TABIA_ENGINE_BASE_NEW_FILE_H
#define TABIA_ENGINE_BASE_NEW_FILE_H

#include <stdio.h>

#include "engine/base/status.h"

typedef struct NewFile {
    FILE *stream;
    char *path, *temporary; /* owned; temporary: NULL where the path itself is written to */
} NewFile;

/* Opens a temporary file beside `path`. A device or pipe (/dev/null, /dev/stdout) is no file to be
 * replaced: it is written to itself. STATUS_FAILED and a sentence when it cannot be made. */
MUST_CHECK Status new_file_open(NewFile *file, const char *path, Error *err);

/* Brings what was written to the disk and closes the stream, so that new_file_commit() only
 * renames. STATUS_FAILED when that is not possible. */
MUST_CHECK Status new_file_finish(NewFile *file, Error *err);

/* Brings what was written to the disk and renames it to `path`; STATUS_FAILED, and what was there
 * stays, when any of it could not be written. Ends *file in any case. */
MUST_CHECK Status new_file_commit(NewFile *file, Error *err);

/* Removes what was written. Ends *file; one of zeros, or ended already, is left alone. */
void new_file_discard(NewFile *file);

#endif
