/* SPDX-License-Identifier: MIT
 * A small text file, plain or compressed by zstd, read whole. */
#ifndef TABIA_SELFPLAY_TEXT_FILE_H
#define TABIA_SELFPLAY_TEXT_FILE_H

#include "engine/status.h"

/* *text becomes the contents, NUL-terminated, malloc'ed. Compression is recognised by its magic
 * number. STATUS_BAD_INPUT, naming the file: missing, unreadable, damaged or cut off, or holding a
 * NUL. */
MUST_CHECK Status text_file_read(const char *path, char **text, Error *err);

#endif
