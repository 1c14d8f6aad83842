/* SPDX-License-Identifier: MIT
 * Networks in memory, and reading them from files.
 *
 * The file is that of the examples of bullet (github.com/jw1912/bullet): little-endian 16-bit
 * integers, columns of the inputs, bias, output weights by bucket, output bias by bucket, filled up
 * to a multiple of 64 bytes. It does not contain its sizes, which follow from its length, nor its
 * layout, which is taken to be the common one (network_parse_bare()).
 *
 * A header of Tabia's may precede it: "TABIANET", then little-endian 32-bit integers: version,
 * hidden units, buckets, 1 for squared activation, scale, bytes of the comment; in version 2 the
 * king bucket of each square a1, b1, c1, d1, a2 ... d8 from the own side, a byte each; the comment;
 * zeros up to a multiple of 64 bytes. Version 2 has a set of columns for each king bucket up to the
 * largest in that table, one after the other. */
#ifndef TABIA_ENGINE_EVAL_NETWORK_FILE_H
#define TABIA_ENGINE_EVAL_NETWORK_FILE_H

#include "engine/eval/network.h"

#define NETWORK_MAGIC "TABIANET"
enum { NETWORK_FIELDS = 6, NETWORK_HEAD = 8 + 4 * NETWORK_FIELDS };

/* Of a part of a file. */
static inline size_t network_rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Those of a table[NETWORK_KING_SQUARES] of buckets; NULL: without king buckets. */
NetworkKings network_kings(const uint8_t *bucket);
bool network_kings_equal(const NetworkKings *a, const NetworkKings *b);
/* The table again. */
void network_king_table(const NetworkKings *kings, uint8_t bucket[NETWORK_KING_SQUARES]);

/* Zeroed, of these sizes; NULL when memory is short. kings NULL: without king buckets. */
Network *network_create(int hidden, int buckets, bool squared, int scale,
                        const NetworkKings *kings);
void network_destroy(Network *network); /* NULL-safe */

bool network_sizes(int64_t hidden, int64_t buckets); /* are they within the limits? */
size_t network_numbers(const Network *network);      /* of 16 bits, one block from `input` on */

/* STATUS_BAD_INPUT for values that could overflow 16 or 32 bits. */
MUST_CHECK Status network_check(const Network *network, const char *name, Error *err);

/* What a file without a header does not say. */
typedef struct NetworkLayout {
    NetworkKings kings;
    bool squared;
    int scale;
} NetworkLayout;

/* Reads a file without a header; layout NULL: no king buckets, squared activation, scale 400. For
 * each number of sets of columns the length has one pair of sizes at most. Errors as below. */
MUST_CHECK Status network_parse_bare(const void *bytes, size_t length, const NetworkLayout *layout,
                                     const char *name, Network **network, Error *err);

/* Reads a file, with our header or without it, of the common layout. Refused: sizes that do not fit
 * its length or the limits above, what network_check() refuses: STATUS_BAD_INPUT, naming `name`. */
MUST_CHECK Status network_parse(const void *bytes, size_t length, const char *name,
                                Network **network, Error *err);

/* Takes a network for the life of the process, and returns it or its equal that was taken before.
 */
const Network *network_keep(Network *network);

/* Are these the first bytes of a network rather than of text? */
bool network_is_binary(const void *bytes, size_t length);

#endif
