/* SPDX-License-Identifier: MIT
 * The positions of an exported file in random order, whatever its size: all are taken, then given
 * out again. Every order is as likely as any other; it depends on nothing but seed and input. */
#ifndef TABIA_SELFPLAY_FORMATS_SHUFFLE_H
#define TABIA_SELFPLAY_FORMATS_SHUFFLE_H

#include "selfplay/formats/formats.h"

typedef struct Shuffle Shuffle;

/* Of a file in a format of positions. The names of its temporary files begin with `temporary`; they
 * are unlinked at once. Both names must outlive it. NULL and an Error. */
Shuffle *shuffle_open(const char *path, const GameFormat *format, uint64_t seed,
                      const char *temporary, Error *err);
void shuffle_close(Shuffle *shuffle); /* NULL-safe */

/* Takes the next positions of the file, and adds to *count; blank lines, and comments of EPD, are
 * none. *ended: it has no more. STATUS_BAD_INPUT for a file that ends within a position. */
MUST_CHECK Status shuffle_take(Shuffle *shuffle, int64_t *count, bool *ended, Error *err);

/* After that: the next one as it is in the file, with its last newline. Valid until the next call;
 * NULL after the last one. */
MUST_CHECK Status shuffle_next(Shuffle *shuffle, const char **position, size_t *size, Error *err);

#endif
