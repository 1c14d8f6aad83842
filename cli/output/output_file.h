/* SPDX-License-Identifier: MIT
 * An output file: appears complete or not at all, or grows item by item; compressed by zstd if its
 * name ends in .zst. */
#ifndef TABIA_CLI_OUTPUT_OUTPUT_FILE_H
#define TABIA_CLI_OUTPUT_OUTPUT_FILE_H

#include <stdio.h>

#include "engine/base/status.h"

typedef struct OutputFile OutputFile;

/* STATUS_USAGE for a name that promises a compression that is not written: .bz2, .gz, .xz,
 * .lz4. */
MUST_CHECK Status output_check_name(const char *path, Error *err);

/* STATUS_USAGE for a name in .zst of weights, which are plain files. path may be NULL. */
MUST_CHECK Status output_check_plain(const char *path, Error *err);

/* Writing goes to a new file beside `path`; "-" is standard output, never compressed. NULL and an
 * Error (STATUS_FAILED; as output_check_name()) when it cannot be created. */
OutputFile *output_open(const char *path, Error *err);

/* Refuses a file that another process has open by output_append(). STATUS_FAILED. */
MUST_CHECK Status output_check_free(const char *path, Error *err);

/* Writing goes to the end of `path`, which is created if absent, and locked as long as this process
 * opens it in no other way. Each output_flush() of a plain file writes the item, or on failure
 * nothing of it; of a compressed one a zstd frame when enough is collected. At the end a file that
 * it made and that is still empty is removed. A plain file that is there gets the newlines that it
 * lacks: 1 where items are lines, 2 where an empty line ends them. */
OutputFile *output_append(const char *path, int newlines, Error *err);

/* Checks before the work that outputs can be written: names that are not empty, differ from each
 * other and from inputs, and name no folder, no database, and nothing in a folder that is not there
 * or not writable. Both lists have `count` places, any of them NULL; "-" is standard output.
 * STATUS_FAILED; as output_check_name(). */
MUST_CHECK Status outputs_check(const char *const *outputs, const char *const *inputs, int count,
                                Error *err);

/* The part of it about names: outputs differ from each other and from inputs. STATUS_FAILED. */
MUST_CHECK Status outputs_differ(const char *const *outputs, const char *const *inputs, int count,
                                 Error *err);

/* Refuses "-" for an output where standard output gets the result. option: without dashes; path may
 * be NULL. STATUS_USAGE. */
MUST_CHECK Status output_needs_file(const char *path, const char *option, Error *err);

/* Checks before the work that no input is named twice, under any names. STATUS_USAGE. */
MUST_CHECK Status inputs_check(const char *const *inputs, int count, Error *err);

/* The stream to print to; to be fetched again after each output_flush(). */
FILE *output_stream(OutputFile *out);

/* Writes the printed text to the file when enough is collected; call it after each item. */
MUST_CHECK Status output_flush(OutputFile *out, Error *err);

/* Writes everything to the new file, so that output_commit() only puts it in place; standard output
 * is not written yet. After a failure output_discard(). */
MUST_CHECK Status output_finish(OutputFile *out, Error *err);

/* Finishes the file and puts it in place of `path`. Frees *out in any case. */
MUST_CHECK Status output_commit(OutputFile *out, Error *err);

/* Removes the new file. Frees *out; NULL-safe. */
void output_discard(OutputFile *out);

#endif
