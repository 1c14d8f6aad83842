/* SPDX-License-Identifier: MIT
 * The bench positions and their search. */
#include "engine/search/bench.h"

#include "engine/base/clock.h"
#include "engine/notation/fen.h"

enum { DEFAULT_DEPTH = 14, HASH_BYTES = 16 << 20 };

/* Openings, middle games, tactics, blocked and open boards, endgames, near mates and draws. */
const char *const bench_fens[] = {
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5",
    "rnbqkb1r/ppp2ppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR b KQkq - 3 4",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bqkbnr/pp3ppp/2n1p3/2ppP3/3P4/2P2N2/PP3PPP/RNBQKB1R b KQkq - 2 5",
    "r1b1kb1r/1pq2ppp/p1nppn2/8/3NP3/2N1B3/PPP1BPPP/R2Q1RK1 w kq - 2 9",
    "r2q1rk1/pp1bppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/2KR1B1R w - - 7 10",
    "2rq1rk1/pb2bppp/1pn1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 2 11",
    "r1bq1rk1/pp1nbppp/2p1pn2/3p2B1/2PP4/2NBPN2/PP3PPP/R2QK2R b KQ - 5 8",
    "r2qr1k1/1b1nbppp/p2p1n2/1p2p3/3PP3/1P3N1P/PBBN1PP1/R2QR1K1 w - - 1 15",
    "r1b2rk1/1pq1bppp/p1nppn2/8/P2NP3/2N1BB2/1PP2PPP/R2Q1RK1 b - - 2 11",
    "3r1rk1/p1q2pp1/1p2pn1p/2p5/2PPb3/P1P1PN1P/4BPP1/R2Q1RK1 w - - 0 17",
    "1rbq1rk1/p1p2pbp/2np1np1/1p2p3/2P1P3/1PNP1NP1/P3QPBP/R1B2RK1 w - - 0 12",
    "r4rk1/2q1bppp/p1np1n2/1p2p3/4P1b1/1BN1BN2/PPP1QPPP/3R1RK1 w - - 4 14",
    "r2r2k1/pp2qppp/2n1pn2/8/2BP4/P1N2N2/1P2QPPP/R2R2K1 w - - 1 16",
    "4rrk1/1p1nq3/p7/2p1P1pp/3P2bp/3Q1Bn1/PPPB4/1K2R1NR w - - 40 21",
    "r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 13",
    "2kr3r/ppp1qp1p/2n2p2/3p4/1b1P2b1/2NBPN2/PP3PPP/R2QK2R w KQ - 2 10",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1",
    "8/3k4/p1p2p2/1p1p1Pp1/1P1P2Pp/P1PK3P/8/8 w - - 4 50",
    "8/8/1p2k1p1/3p3p/1p1P1P1P/1P2PK2/8/8 w - - 3 54",
    "2K5/p7/7P/5pR1/8/5k2/r7/8 w - - 0 1",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 1",
    "8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1",
    "8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/R7/2q5/8/6k1/8/1P5p/K6R w - - 0 124",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "r4k2/1R3R2/p3p1pp/4b3/1BNr4/8/P1P5/7K b - - 0 1",
    "8/1p4pk/6rp/3P4/5p2/1q5P/5QP1/4R2K b - - 2 43",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
    "4k2r/1pb2ppp/1p2p3/1R1p4/3P4/2r1PN2/P4PPP/1R4K1 b - - 3 22",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
    "8/p3Rrbp/p3k1p1/P1pnN3/8/6PP/5PK1/8 b - - 1 35",
    NULL,
};

Status bench_run(const BenchSettings *settings, BenchResult *result, Error *err)
{
    size_t hash_bytes = settings->hash_bytes > 0 ? settings->hash_bytes : HASH_BYTES;
    SearchLimits limits = {.depth = settings->depth > 0 ? settings->depth : DEFAULT_DEPTH,
                           .interrupted = settings->interrupted};
    Search *search = search_create(settings->evaluation, hash_bytes, err);
    Status status = STATUS_OK;
    SearchResult found;

    if (!search) return STATUS_FAILED;
    if (settings->params) search_set_params(search, settings->params);
    if (settings->threads > 1) status = search_set_threads(search, settings->threads, err);
    int64_t spent = 0;
    result->nodes = 0;
    for (int i = 0; bench_fens[i] && status == STATUS_OK; i++) {
        Position pos;
        status = position_from_fen(&pos, bench_fens[i], err);
        if (status != STATUS_OK) break;
        search_new_game(search);
        int64_t start = clock_ms();
        search_run(search, &pos, NULL, &limits, &found);
        spent += clock_ms() - start;
        result->nodes += found.nodes;
        if (limits.interrupted && atomic_load(limits.interrupted))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    search_destroy(search);

    result->time_ms = spent > 0 ? spent : 1;
    result->nps = result->nodes * 1000 / (uint64_t)result->time_ms;
    return status;
}
