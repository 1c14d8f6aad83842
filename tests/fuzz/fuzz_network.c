/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of networks: the input as it is, and its numbers repeated to the length that
 * its header asks for. Every network is refused with an error that names it, or evaluates positions
 * within its bounds and equally by differences. */
#include <stdlib.h>
#include <string.h>

#include "engine/eval/network_file.h"
#include "engine/notation/fen.h"
#include "tests/fuzz/support_fuzz.h"

enum {
    HEAD = 64,
    INPUTS_MAX = NETWORK_KING_BUCKETS_MAX * NETWORK_INPUTS,
    FILE_MAX = HEAD + 2 * (UINT8_MAX * (INPUTS_MAX + 1) + 8 * 513) + 128 /* sizes are bytes */
};

static void check(const uint8_t *bytes, size_t length)
{
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "QQQQQQQQ/QQQQQQQ1/8/4k3/8/K7/8/8 b - - 0 1", "8/8/8/4k3/8/K7/8/8 w - - 0 1"};
    static NetworkCache cache;
    Error err = {0};
    Accumulator acc;
    Position pos;
    Network *n;

    Status status = network_parse(bytes, length, "input", &n, &err);
    if (status != STATUS_OK) {
        demand(status == STATUS_BAD_INPUT && strstr(err.text, "input") != NULL);
        return;
    }
    network_clear(n, &acc);
    network_clear_cache(n, &cache);
    for (int i = 0; i < 6; i++) {
        if (position_from_fen(&pos, fens[i % 3], &(Error){0}) != STATUS_OK) continue;
        network_update(n, &acc, &pos, &acc, &cache);
        demand(network_output(n, &acc, &pos) == network_evaluate(n, &pos));
    }
    network_destroy(n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[FILE_MAX];

    check(data, size);
    if (size <= HEAD || !network_sizes(data[12], data[16])) return 0;
    const NetworkKings kings = network_kings(data[8] == 2 ? data + NETWORK_HEAD : NULL);
    if (kings.sets > NETWORK_KING_BUCKETS_MAX) return 0;
    Network *n = network_create(data[12], data[16], true, 1, &kings);
    size_t length = HEAD + (2 * network_numbers(n) + 63) / 64 * 64;
    network_destroy(n);
    memcpy(file, data, HEAD);
    for (size_t at = HEAD; at < length; at++)
        file[at] = data[HEAD + (at - HEAD) % (size - HEAD)];
    check(file, length);
    return 0;
}
