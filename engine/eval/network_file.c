/* SPDX-License-Identifier: MIT
 * Networks in memory and from files. */
#include "engine/eval/network_file.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/byte_order.h"

enum { HEAD = NETWORK_HEAD, FIELDS = NETWORK_FIELDS, CACHE_LINE = 64 };

static size_t numbers_of(int hidden, int buckets, int sets)
{
    return (size_t)hidden * (size_t)(sets * NETWORK_INPUTS + 1) +
           (size_t)buckets * (2 * (size_t)hidden + 1);
}

static size_t bytes_of(int hidden, int buckets, int sets)
{
    return network_rounded(2 * numbers_of(hidden, buckets, sets));
}

/* ---- In memory */

NetworkKings network_kings(const uint8_t *bucket)
{
    NetworkKings kings = {.sets = 1, .mirrored = bucket != NULL};

    for (int sq = 0; bucket && sq < SQUARES; sq++) {
        bool right = square_file(sq) > 3;
        int at = bucket[4 * square_rank(sq) + (right ? 7 - square_file(sq) : square_file(sq))];
        kings.index[sq] = (uint8_t)(2 * at + right);
        if (kings.sets <= at) kings.sets = at + 1;
    }
    return kings;
}

bool network_kings_equal(const NetworkKings *a, const NetworkKings *b)
{
    return memcmp(a->index, b->index, sizeof a->index) == 0;
}

void network_king_table(const NetworkKings *kings, uint8_t bucket[NETWORK_KING_SQUARES])
{
    for (int i = 0; i < NETWORK_KING_SQUARES; i++)
        bucket[i] = kings->index[i / 4 * 8 + i % 4] / 2;
}

size_t network_numbers(const Network *n)
{
    return numbers_of(n->hidden, n->buckets, n->kings.sets);
}

Network *network_create(int hidden, int buckets, bool squared, int scale, const NetworkKings *kings)
{
    Network *n = calloc(1, sizeof *n);
    const NetworkKings all = kings ? *kings : network_kings(NULL);

    if (n) n->block = calloc(1, bytes_of(hidden, buckets, all.sets) + CACHE_LINE);
    if (!n || !n->block) {
        free(n);
        return NULL;
    }
    size_t skip = CACHE_LINE - (uintptr_t)n->block % CACHE_LINE;
    n->hidden = hidden;
    n->buckets = buckets;
    n->squared = squared;
    n->scale = scale;
    n->kings = all;
    n->input = (int16_t *)(void *)((char *)n->block + skip);
    n->bias = n->input + all.sets * NETWORK_INPUTS * hidden;
    n->output = n->bias + hidden;
    n->output_bias = n->output + buckets * COLORS * hidden;
    return n;
}

void network_destroy(Network *network)
{
    if (!network) return;
    free(network->block);
    free(network);
}

static bool are_equal(const Network *a, const Network *b)
{
    return a->hidden == b->hidden && a->buckets == b->buckets && a->squared == b->squared &&
           a->scale == b->scale && strcmp(a->comment, b->comment) == 0 &&
           network_kings_equal(&a->kings, &b->kings) &&
           memcmp(a->input, b->input, 2 * network_numbers(a)) == 0;
}

const Network *network_keep(Network *network)
{
    static Network *_Atomic kept; /* a list; never shortened */
    Network *newest = atomic_load(&kept);

    for (Network *n = newest; n; n = n->next)
        if (are_equal(n, network)) {
            network_destroy(network);
            return n;
        }
    do
        network->next = newest;
    while (!atomic_compare_exchange_weak(&kept, &newest, network));
    return network;
}

/* ---- What could overflow */

/* The most that the weights of 32 pieces, of a set of columns, can add to or take from a sum. */
static int extreme(const Network *n, int set, int unit)
{
    enum { COUNT = 32 };
    int largest[COUNT] = {0};

    for (int i = 0; i < NETWORK_INPUTS; i++) {
        int w = abs(n->input[(set * NETWORK_INPUTS + i) * n->hidden + unit]), at = COUNT;
        while (at > 0 && largest[at - 1] < w)
            at--;
        if (at == COUNT) continue;
        memmove(largest + at + 1, largest + at, (size_t)(COUNT - 1 - at) * sizeof *largest);
        largest[at] = w;
    }
    int sum = abs(n->bias[unit]);
    for (int i = 0; i < COUNT; i++)
        sum += largest[i];
    return sum;
}

Status network_check(const Network *n, const char *name, Error *err)
{
    const int most_weight = n->squared ? INT16_MAX / NETWORK_QA : INT16_MAX;

    for (int i = 0; i < n->kings.sets * n->hidden; i++)
        if (extreme(n, i / n->hidden, i % n->hidden) > INT16_MAX)
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: the weights of hidden unit %d overflow 16 bits", name,
                             i % n->hidden);
    for (int b = 0; b < n->buckets; b++) {
        int64_t sum[2] = {0}; /* the most and the least; every sum of parts lies between them */
        if (abs(n->output_bias[b]) > INT16_MAX)
            return error_set(err, STATUS_BAD_INPUT, "%s: output bias %d is beyond ±%d", name, b,
                             INT16_MAX);
        for (int i = 0; i < COLORS * n->hidden; i++) {
            int w = n->output[b * COLORS * n->hidden + i];
            if (abs(w) > most_weight)
                return error_set(err, STATUS_BAD_INPUT, "%s: output weight %d is beyond ±%d", name,
                                 i, most_weight);
            sum[w < 0] += abs(w) * NETWORK_QA * (n->squared ? NETWORK_QA : 1);
        }
        if (sum[0] > INT32_MAX - INT16_MAX || sum[1] > INT32_MAX - INT16_MAX)
            return error_set(err, STATUS_BAD_INPUT, "%s: the output weights overflow 32 bits",
                             name);
    }
    return STATUS_OK;
}

/* ---- Reading */

bool network_is_binary(const void *bytes, size_t length)
{
    return length > 0 && (memchr(bytes, '\0', length) != NULL ||
                          (length >= 8 && memcmp(bytes, NETWORK_MAGIC, 8) == 0));
}

bool network_sizes(int64_t hidden, int64_t buckets)
{
    return hidden >= NETWORK_HIDDEN_STEP && hidden <= NETWORK_HIDDEN_MAX &&
           hidden % NETWORK_HIDDEN_STEP == 0 && buckets >= 1 && buckets <= NETWORK_BUCKETS_MAX;
}

/* The sizes of a file of that length; hidden 0 when there are none. */
static void find_sizes(size_t length, int sets, int *hidden, int *buckets)
{
    for (*hidden = NETWORK_HIDDEN_STEP; *hidden <= NETWORK_HIDDEN_MAX;
         *hidden += NETWORK_HIDDEN_STEP)
        for (*buckets = 1; *buckets <= NETWORK_BUCKETS_MAX; ++*buckets)
            if (length == bytes_of(*hidden, *buckets, sets) ||
                length == 2 * numbers_of(*hidden, *buckets, sets))
                return;
    *hidden = 0;
}

/* The numbers of *n, which is destroyed where they are refused. */
static Status read_numbers(const uint8_t *p, Network *n, const char *name, Network **out,
                           Error *err)
{
    if (!n) return error_set(err, STATUS_BAD_INPUT, "%s: out of memory", name);
    size_t count = network_numbers(n);
    for (size_t i = 0; i < count; i++, p += 2)
        n->input[i] = (int16_t)get_le(p, 2);
    Status status = network_check(n, name, err);
    if (status == STATUS_OK)
        *out = n;
    else
        network_destroy(n);
    return status;
}

/* With our header. */
static Status parse_ours(const uint8_t *p, size_t length, const char *name, Network **out,
                         Error *err)
{
    uint32_t field[FIELDS];

    if (length < HEAD + NETWORK_KING_SQUARES)
        return error_set(err, STATUS_BAD_INPUT, "%s: the network's header is cut off", name);
    for (int i = 0; i < FIELDS; i++)
        field[i] = (uint32_t)get_le(p + 8 + 4 * i, 4);
    if (field[0] != 1 && field[0] != 2)
        return error_set(err, STATUS_BAD_INPUT, "%s: a network of version %u, which is not known",
                         name, field[0]);
    const NetworkKings kings = network_kings(field[0] == 2 ? p + HEAD : NULL);
    size_t head = HEAD + (kings.mirrored ? NETWORK_KING_SQUARES : 0);
    if (kings.sets > NETWORK_KING_BUCKETS_MAX)
        return error_set(err, STATUS_BAD_INPUT, "%s: king bucket %d; they are 0 to %d", name,
                         kings.sets - 1, NETWORK_KING_BUCKETS_MAX - 1);
    if (!network_sizes(field[1], field[2]))
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s: %u hidden units and %u buckets; units are multiples of %d up to %d, buckets 1 to %d",
            name, field[1], field[2], NETWORK_HIDDEN_STEP, NETWORK_HIDDEN_MAX, NETWORK_BUCKETS_MAX);
    if (field[3] > 1 || field[4] < 1 || field[4] > 10000 || field[5] >= NETWORK_COMMENT_MAX)
        return error_set(err, STATUS_BAD_INPUT, "%s: the network's header is damaged", name);
    int hidden = (int)field[1], buckets = (int)field[2];
    size_t start = network_rounded(head + field[5]);
    size_t all = start + bytes_of(hidden, buckets, kings.sets);
    if (length != all)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: %zu bytes, but a network of %d hidden units has %zu", name, length,
                         hidden, all);
    Network *n = network_create(hidden, buckets, field[3] == 1, (int)field[4], &kings);
    if (n) memcpy(n->comment, p + head, field[5]);
    return read_numbers(p + start, n, name, out, err);
}

Status network_parse_bare(const void *bytes, size_t length, const NetworkLayout *layout,
                          const char *name, Network **out, Error *err)
{
    const NetworkLayout common = {.kings = network_kings(NULL), true, NETWORK_SCALE};
    const NetworkLayout *l = layout ? layout : &common;
    int hidden, buckets;

    find_sizes(length, l->kings.sets, &hidden, &buckets);
    if (hidden == 0)
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s: no network is %zu bytes long: (%d x 768 -> H) x 2 -> 1 in 16-bit integers, H a multiple of %d up to %d%s",
            name, length, l->kings.sets, NETWORK_HIDDEN_STEP, NETWORK_HIDDEN_MAX,
            layout ? "" : "; one with king buckets needs a header (tabia weights pack)");
    return read_numbers(bytes, network_create(hidden, buckets, l->squared, l->scale, &l->kings),
                        name, out, err);
}

Status network_parse(const void *bytes, size_t length, const char *name, Network **out, Error *err)
{
    if (length >= 8 && memcmp(bytes, NETWORK_MAGIC, 8) == 0)
        return parse_ours(bytes, length, name, out, err);
    return network_parse_bare(bytes, length, NULL, name, out, err);
}
