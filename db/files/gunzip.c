/* SPDX-License-Identifier: MIT
 * gzip with the interface of a zstd stream. */
#include "db/files/gunzip.h"

#include <stdlib.h>

#ifdef TABIA_GZIP
#define ZLIB_CONST
#include <limits.h>
#include <zlib.h>

enum { GZIP_WINDOW = 16 + MAX_WBITS /* gzip's header and checksum, its greatest window */ };

struct Gunzip {
    z_stream stream;
    bool open; /* in the middle of a member */
};

Gunzip *gunzip_create(void)
{
    return calloc(1, sizeof(Gunzip));
}

void gunzip_destroy(Gunzip *gunzip)
{
    if (gunzip && gunzip->open) (void)inflateEnd(&gunzip->stream);
    free(gunzip);
}

/* The library counts in unsigned int. */
static unsigned at_most(size_t bytes)
{
    return bytes < UINT_MAX ? (unsigned)bytes : UINT_MAX;
}

bool gunzip_step(Gunzip *gunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open)
{
    z_stream *stream = &gunzip->stream;

    if (!gunzip->open) {
        *stream = (z_stream){0};
        gunzip->open = inflateInit2(stream, GZIP_WINDOW) == Z_OK;
        if (!gunzip->open) return false;
    }
    unsigned input = at_most(in->size - in->pos), room = at_most(out->size - out->pos);
    stream->avail_in = input;
    stream->avail_out = room;
    stream->next_in = (const Bytef *)in->src + in->pos;
    stream->next_out = (Bytef *)out->dst + out->pos;
    int code = inflate(stream, Z_NO_FLUSH);
    in->pos += input - stream->avail_in;
    out->pos += room - stream->avail_out;
    if (code == Z_STREAM_END) {
        (void)inflateEnd(stream);
        gunzip->open = false;
    }
    *open = gunzip->open;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR; /* the last: no progress */
}

#else

Gunzip *gunzip_create(void)
{
    return NULL;
}

void gunzip_destroy(Gunzip *gunzip)
{
    free(gunzip);
}

bool gunzip_step(Gunzip *gunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open)
{
    (void)gunzip;
    (void)out;
    (void)in;
    (void)open;
    return false;
}

#endif
