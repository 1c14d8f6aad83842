/* SPDX-License-Identifier: MIT
 * Decompressing gzip, in builds with zlib. */
#ifndef TABIA_DB_FILES_GUNZIP_H
#define TABIA_DB_FILES_GUNZIP_H

#include <stdbool.h>
#include <zstd.h>

typedef struct Gunzip Gunzip;

/* NULL when out of memory, and always in builds without the library. */
Gunzip *gunzip_create(void);
void gunzip_destroy(Gunzip *gunzip); /* NULL-safe */

/* As bunzip2_step(). A stream is a member of the file here. */
bool gunzip_step(Gunzip *gunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open);

#endif
