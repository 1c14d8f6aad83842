/* SPDX-License-Identifier: MIT
 * bzip2 with the interface of a zstd stream. */
#include "db/files/bunzip2.h"

#include <stdlib.h>
#include <string.h>

#ifdef TABIA_BZIP2
#include <bzlib.h>
#include <limits.h>

struct Bunzip2 {
    bz_stream stream;
    bool open; /* in the middle of a stream */
};

Bunzip2 *bunzip2_create(void)
{
    return calloc(1, sizeof(Bunzip2));
}

void bunzip2_destroy(Bunzip2 *bunzip)
{
    if (bunzip && bunzip->open) (void)BZ2_bzDecompressEnd(&bunzip->stream);
    free(bunzip);
}

/* The library counts in unsigned int. */
static unsigned at_most(size_t bytes)
{
    return bytes < UINT_MAX ? (unsigned)bytes : UINT_MAX;
}

bool bunzip2_step(Bunzip2 *bunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open)
{
    bz_stream *stream = &bunzip->stream;

    if (!bunzip->open) {
        *stream = (bz_stream){0};
        bunzip->open = BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK;
        if (!bunzip->open) return false;
    }
    unsigned input = at_most(in->size - in->pos), room = at_most(out->size - out->pos);
    const char *next = (const char *)in->src + in->pos;
    stream->avail_in = input;
    stream->avail_out = room;
    memcpy(&stream->next_in, &next, sizeof next); /* the field is not const */
    stream->next_out = (char *)out->dst + out->pos;
    int code = BZ2_bzDecompress(stream);
    in->pos += input - stream->avail_in;
    out->pos += room - stream->avail_out;
    if (code == BZ_STREAM_END) {
        (void)BZ2_bzDecompressEnd(stream);
        bunzip->open = false;
    }
    *open = bunzip->open;
    return code == BZ_OK || code == BZ_STREAM_END;
}

#else

Bunzip2 *bunzip2_create(void)
{
    return NULL;
}

void bunzip2_destroy(Bunzip2 *bunzip)
{
    free(bunzip);
}

bool bunzip2_step(Bunzip2 *bunzip, ZSTD_outBuffer *out, ZSTD_inBuffer *in, bool *open)
{
    (void)bunzip;
    (void)out;
    (void)in;
    (void)open;
    return false;
}

#endif
