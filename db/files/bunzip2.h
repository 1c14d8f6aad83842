/* SPDX-License-Identifier: MIT
 * Unpacking bzip2, where the library was found. */
#ifndef TABIA_DB_FILES_BUNZIP2_H
#define TABIA_DB_FILES_BUNZIP2_H

#include <stdbool.h>
#include <zstd.h>

typedef struct Bunzip2 Bunzip2;

/* NULL when out of memory, and always where Tabia was built without the library. */
Bunzip2 *bunzip2_create(void);
void bunzip2_destroy(Bunzip2 *bunzip); /* NULL-safe */

/* Unpacks as ZSTD_decompressStream() does: moves both positions on, as far as room or bytes go;
 * *open: more of the stream must follow. Streams may stand one behind the other. False: damaged. */
bool bunzip2_step(Bunzip2 *bunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open);

#endif
