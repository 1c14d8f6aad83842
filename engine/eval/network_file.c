/* SPDX-License-Identifier: MIT
 * Networks in memory and from files. */
#include "engine/eval/network_file.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/byte_order.h"

enum { HEAD = NETWORK_HEAD, FIELDS = NETWORK_FIELDS, CACHE_LINE = 64 };

static size_t numbers_of(int hidden, int buckets)
{
    return (size_t)hidden * (NETWORK_INPUTS + 1) + (size_t)buckets * (2 * (size_t)hidden + 1);
}

static size_t bytes_of(int hidden, int buckets)
{
    return network_rounded(2 * numbers_of(hidden, buckets));
}

/* ---- In memory */

size_t network_numbers(const Network *n)
{
    return numbers_of(n->hidden, n->buckets);
}

Network *network_create(int hidden, int buckets, bool squared, int scale)
{
    Network *n = calloc(1, sizeof *n);
    size_t bytes = bytes_of(hidden, buckets);

    if (n) n->block = calloc(1, bytes + CACHE_LINE);
    if (!n || !n->block) {
        free(n);
        return NULL;
    }
    size_t skip = CACHE_LINE - (uintptr_t)n->block % CACHE_LINE;
    n->hidden = hidden;
    n->buckets = buckets;
    n->squared = squared;
    n->scale = scale;
    n->input = (int16_t *)(void *)((char *)n->block + skip);
    n->bias = n->input + NETWORK_INPUTS * hidden;
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
           memcmp(a->input, b->input, 2 * numbers_of(a->hidden, a->buckets)) == 0;
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

/* The most that the weights of 32 pieces can add to or take from a sum. */
static int extreme(const Network *n, int unit)
{
    enum { COUNT = 32 };
    int largest[COUNT] = {0};

    for (int i = 0; i < NETWORK_INPUTS; i++) {
        int w = abs(n->input[i * n->hidden + unit]), at = COUNT;
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

    for (int unit = 0; unit < n->hidden; unit++)
        if (extreme(n, unit) > INT16_MAX)
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: the weights of hidden unit %d overflow 16 bits", name, unit);
    for (int b = 0; b < n->buckets; b++) {
        int64_t sum = abs(n->output_bias[b]);
        if (sum > INT16_MAX)
            return error_set(err, STATUS_BAD_INPUT, "%s: output bias %d is beyond ±%d", name, b,
                             INT16_MAX);
        for (int i = 0; i < COLORS * n->hidden; i++) {
            int w = abs(n->output[b * COLORS * n->hidden + i]);
            if (w > most_weight)
                return error_set(err, STATUS_BAD_INPUT, "%s: output weight %d is beyond ±%d", name,
                                 i, most_weight);
            sum += (int64_t)w * NETWORK_QA * (n->squared ? NETWORK_QA : 1);
        }
        if (sum > INT32_MAX)
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
static void guess_sizes(size_t length, int *hidden, int *buckets)
{
    for (*hidden = NETWORK_HIDDEN_STEP; *hidden <= NETWORK_HIDDEN_MAX;
         *hidden += NETWORK_HIDDEN_STEP)
        for (*buckets = 1; *buckets <= NETWORK_BUCKETS_MAX; ++*buckets)
            if (length == bytes_of(*hidden, *buckets) ||
                length == 2 * numbers_of(*hidden, *buckets))
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

    if (length < HEAD)
        return error_set(err, STATUS_BAD_INPUT, "%s: the network's header is cut off", name);
    for (int i = 0; i < FIELDS; i++)
        field[i] = (uint32_t)get_le(p + 8 + 4 * i, 4);
    if (field[0] != NETWORK_VERSION)
        return error_set(err, STATUS_BAD_INPUT, "%s: a network of version %u; this is %d", name,
                         field[0], NETWORK_VERSION);
    if (!network_sizes(field[1], field[2]))
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s: %u hidden units and %u buckets; units are multiples of %d up to %d, buckets 1 to %d",
            name, field[1], field[2], NETWORK_HIDDEN_STEP, NETWORK_HIDDEN_MAX, NETWORK_BUCKETS_MAX);
    if (field[3] > 1 || field[4] < 1 || field[4] > 10000 || field[5] >= NETWORK_COMMENT_MAX)
        return error_set(err, STATUS_BAD_INPUT, "%s: the network's header is damaged", name);
    int hidden = (int)field[1], buckets = (int)field[2];
    size_t start = network_rounded(HEAD + field[5]), all = start + bytes_of(hidden, buckets);
    if (length != all)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: %zu bytes, but a network of %d hidden units has %zu", name, length,
                         hidden, all);
    Network *n = network_create(hidden, buckets, field[3] == 1, (int)field[4]);
    if (n) memcpy(n->comment, p + HEAD, field[5]);
    return read_numbers(p + start, n, name, out, err);
}

Status network_parse(const void *bytes, size_t length, const char *name, Network **out, Error *err)
{
    int hidden, buckets;

    if (length >= 8 && memcmp(bytes, NETWORK_MAGIC, 8) == 0)
        return parse_ours(bytes, length, name, out, err);
    guess_sizes(length, &hidden, &buckets);
    if (hidden == 0)
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s: no network is %zu bytes long: (768 -> H) x 2 -> 1 in 16-bit integers, H a multiple of %d up to %d",
            name, length, NETWORK_HIDDEN_STEP, NETWORK_HIDDEN_MAX);
    return read_numbers(bytes, network_create(hidden, buckets, true, NETWORK_SCALE), name, out,
                        err);
}
