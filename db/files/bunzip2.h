/* SPDX-License-Identifier: MIT
 * Decompressing bzip2, in builds with its library. */
#ifndef TABIA_DB_FILES_BUNZIP2_H
#define TABIA_DB_FILES_BUNZIP2_H

#include <stdbool.h>
#include <zstd.h>

typedef struct Bunzip2 Bunzip2;

/* NULL when out of memory, and always in builds without the library. */
Bunzip2 *bunzip2_create(void);
void bunzip2_destroy(Bunzip2 *bunzip); /* NULL-safe */

/* Like ZSTD_decompressStream(): advances both positions as far as possible; *open: the stream is
 * not complete. Streams may follow one another. False: damaged. */
bool bunzip2_step(Bunzip2 *bunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open);

#endif
