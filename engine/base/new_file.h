/* SPDX-License-Identifier: MIT
 * A file that is replaced as a whole or not at all. */
#ifndef TABIA_ENGINE_BASE_NEW_FILE_H
#define TABIA_ENGINE_BASE_NEW_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/status.h"

typedef struct NewFile {
    FILE *stream;
    char *path, *temporary; /* owned; temporary: NULL where the path itself is written to */
} NewFile;

/* Does a file begin like a SQLite database, or is it by its name the log of one, which SQLite
 * writes and removes? */
bool file_is_database(const char *path);

/* In bytes; 0 when it is absent. */
int64_t file_size(const char *path);

/* Are both names of one regular file? Where both are missing: would they be? */
bool file_is_same(const char *a, const char *b);

/* "-", or the file that standard output goes to already? */
bool file_is_standard_output(const char *path);

/* A device or pipe, or the file that standard output or standard error goes to already? */
bool file_is_written_directly(const char *path);

/* The error of a file that could not be created or written ("created", "written"), by errno:
 * STATUS_INTERRUPTED where system_end_waits() ended a wait for its reader, else STATUS_FAILED. */
Status file_failed(const char *path, const char *what, Error *err);

/* Opens a temporary file beside `path`, named `path`.new-PID, and locks it (fcntl) until it is
 * closed. Those of killed processes are removed (new_file_sweep()). Where
 * file_is_written_directly(), nothing is replaced. Errors of file_failed(); STATUS_FAILED also
 * for a folder and where file_is_database(): no file of another kind replaces one. */
MUST_CHECK Status new_file_open(NewFile *file, const char *path, Error *err);

/* Brings what was written to the disk and closes the stream, so that new_file_commit() only
 * renames. Errors of file_failed(). */
MUST_CHECK Status new_file_finish(NewFile *file, Error *err);

/* Brings the name of this file to the disk: syncs its folder. Best effort; errors are ignored. */
void folder_sync(const char *path);

/* Syncs the temporary file to the disk, renames it to `path` and syncs the folder. Errors of
 * file_failed(); the old file stays then. Ends *file in any case. */
MUST_CHECK Status new_file_commit(NewFile *file, Error *err);

/* Calls remove_file for each regular file `path`.new-PID of an ended process: this machine has no
 * process of that number, and the file is not locked, neither as above nor as SQLite does. A
 * process of another machine or container may have the number. */
void new_file_sweep(const char *path, void (*remove_file)(const char *temporary));

/* Removes the temporary file and ends *file. Does nothing when *file is zero or has ended. */
void new_file_discard(NewFile *file);

#endif
