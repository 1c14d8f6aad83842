/* SPDX-License-Identifier: MIT
 * Networks: sums by differences, files, what is refused, the search with one. The arithmetic is
 * judged by tests/tools/network.py (test_train.sh). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/position_make.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"
#include "engine/eval/network_file.h"
#include "engine/notation/fen.h"
#include "engine/search/search.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err;

/* kings: with king buckets at random, but the largest, so that neighbours differ. */
static Network *random_network(int hidden, int buckets, bool squared, bool kings, uint64_t seed)
{
    uint8_t table[NETWORK_KING_SQUARES];
    Pcg rng;

    pcg_seed(&rng, seed, 0);
    for (int i = 0; i < NETWORK_KING_SQUARES && kings; i++)
        table[i] = (uint8_t)pcg_below(&rng, 15);
    const NetworkKings all = network_kings(kings ? table : NULL);
    Network *n = network_create(hidden, buckets, squared, NETWORK_SCALE, &all);
    size_t inputs = (size_t)hidden * (size_t)(all.sets * NETWORK_INPUTS + 1);
    ck_assert_ptr_nonnull(n);
    for (size_t i = 0; i < network_numbers(n); i++)
        n->input[i] =
            (int16_t)((int)pcg_below(&rng, i < inputs ? 121 : 41) - (i < inputs ? 60 : 20));
    return n;
}

/* The first unit's weight for a piece on a square, by the description of network.h. */
static const int16_t *plain_column(const Network *n, const Position *pos, Color view, int sq)
{
    int king = position_king(pos, view) ^ (view == WHITE ? 0 : 56), set = 0;
    uint8_t table[NETWORK_KING_SQUARES];

    network_king_table(&n->kings, table);
    int piece = pos->board[sq], file = king % 8;
    if (n->kings.mirrored) set = table[king / 8 * 4 + (file < 4 ? file : 7 - file)];
    if (n->kings.mirrored && file >= 4) sq = sq / 8 * 8 + 7 - sq % 8;
    int input = network_input(view, piece_color(piece), piece_type(piece), sq);
    return n->input + (set * NETWORK_INPUTS + input) * n->hidden;
}

/* The value by the formula of network.h, a unit at a time. */
static int plain_value(const Network *n, const Position *pos)
{
    int width = (32 + n->buckets - 1) / n->buckets;
    int bucket = (popcount(position_occupied(pos)) - 2) / width;
    int64_t output = 0;

    for (int side = 0; side < COLORS; side++) {
        Color view = side == 0 ? position_stm(pos) : opponent(position_stm(pos));
        const int16_t *column[SQUARES];
        int pieces = 0;
        for (int sq = 0; sq < SQUARES; sq++)
            if (pos->board[sq] != NO_PIECE) column[pieces++] = plain_column(n, pos, view, sq);
        for (int k = 0; k < n->hidden; k++) {
            int x = n->bias[k];
            for (int i = 0; i < pieces; i++)
                x += column[i][k];
            int c = x < 0 ? 0 : x > NETWORK_QA ? NETWORK_QA : x;
            output +=
                n->output[(bucket * COLORS + side) * n->hidden + k] * c * (n->squared ? c : 1);
        }
    }
    if (n->squared) output /= NETWORK_QA;
    return (int)((output + n->output_bias[bucket]) * n->scale / (NETWORK_QA * NETWORK_QB));
}

/* Random games from positions with castling, also of Chess960, promotions and en passant; each
 * position's sums come from its parent's, from those of an unrelated position, and from scratch. */
START_TEST(differences_are_exact)
{
    static const char *const starts[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "1r2k1r1/4p3/8/8/8/8/3P4/1R2K1R1 w GBgb - 0 1"};
    static NetworkCache cache;
    static const int sizes[][2] = {{16, 1},  {64, 8},   {80, 5}, {128, 2}, {256, 3},
                                   {512, 6}, {1024, 2}, {16, 4}, {16, 7}};
    Pcg rng;

    pcg_seed(&rng, 7, 0);
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 4 * (int)(sizeof sizes / sizeof *sizes); k++) {
            Network *n = random_network(sizes[k / 4][0], sizes[k / 4][1], k % 2 == 0, k % 4 > 1, 3);
            Accumulator line, other;
            Position pos, next;
            MoveList list;

            ck_assert_int_eq(position_from_fen(&pos, starts[s], &err), STATUS_OK);
            network_clear(n, &line);
            network_clear(n, &other);
            network_clear_cache(n, &cache);
            for (int ply = 0; ply < 200; ply++) {
                network_update(n, &line, &pos, &line, &cache);
                if (ply % 5 == 0) network_update(n, &other, &pos, &other, NULL);
                int value = network_output(n, &line, &pos);
                ck_assert_int_eq(value, network_evaluate(n, &pos));
                ck_assert_int_eq(value, plain_value(n, &pos));
                if (ply % 5 == 0) ck_assert_int_eq(value, network_output(n, &other, &pos));
                movegen_all(&pos, &list);
                if (list.count == 0) break;
                position_make(&next, &pos, list.moves[pcg_below(&rng, (uint32_t)list.count)]);
                pos = next;
            }
            network_destroy(n);
        }
}
END_TEST

/* Turning the board over turns the value; with king buckets mirroring it keeps the value. */
START_TEST(sides_are_equal)
{
    Network *n = random_network(32, 2, true, true, 5);
    Position a, b;

    MUST(position_from_fen(&a, "r1bqk2r/pp3ppp/2n1pn2/3p4/1bPP4/2N2N2/PP2BPPP/R1BQK2R w KQkq - 0 1",
                           &err));
    MUST(position_from_fen(&b, "r1bqk2r/pp2bppp/2n2n2/1Bpp4/3P4/2N1PN2/PP3PPP/R1BQK2R b KQkq - 0 1",
                           &err));
    ck_assert_int_eq(network_evaluate(n, &a), network_evaluate(n, &b));
    ck_assert_int_ne(network_evaluate(n, &a), 0);
    MUST(position_from_fen(&b, "r2kqb1r/ppp3pp/2np1n2/4p3/4PPb1/2N2N2/PPPB2PP/R2KQB1R w - - 0 1",
                           &err));
    ck_assert_int_eq(network_evaluate(n, &a), network_evaluate(n, &b));
    network_destroy(n);
}
END_TEST

START_TEST(files_come_back)
{
    Network *n = random_network(48, 4, false, _i == 1, 9);
    Evaluation a, b;
    WeightsInfo info;

    n->scale = 410;
    (void)snprintf(n->comment, sizeof n->comment, "one line\nand another");
    MUST(network_save(support_at("a.net"), n, &err));
    MUST(evaluation_load(support_at("a.net"), &a, &info, &err));
    ck_assert_int_eq(a.kind, EVALUATION_NETWORK);
    ck_assert_str_eq(info.label, "a.net");
    ck_assert_str_eq(info.comment, n->comment);
    ck_assert(a.network->hidden == 48 && a.network->buckets == 4 && a.network->scale == 410);
    ck_assert(!a.network->squared);
    ck_assert(network_kings_equal(&a.network->kings, &n->kings));
    ck_assert_mem_eq(a.network->input, n->input, 2 * network_numbers(n));

    /* As text, as a database keeps it. */
    char *text = evaluation_text(&a, n->comment);
    ck_assert_ptr_nonnull(text);
    MUST(evaluation_parse(text, strlen(text), "text", &b, &info, &err));
    ck_assert_ptr_eq(b.network, a.network); /* equal ones are one */
    free(text);
    network_destroy(n);
}
END_TEST

/* Changes bytes[at], or the length, and expects an error sentence. */
static void refused(const uint8_t *bytes, size_t length, size_t at, uint8_t value, const char *part)
{
    uint8_t *copy = malloc(length + 64);

    ck_assert_ptr_nonnull(copy);
    memset(copy, 0, length + 64);
    memcpy(copy, bytes, length);
    copy[at] = value;
    err = (Error){0};
    Status status = network_parse(copy, length, "x.net", &(Network *){NULL}, &err);
    ck_assert_msg(status == STATUS_BAD_INPUT && strstr(err.text, part), "%s, not %s", err.text,
                  part);
    free(copy);
}

START_TEST(bad_files_are_refused)
{
    enum { LENGTH = 64 + (2 * (16 * 769 + 33) + 63) / 64 * 64, NUMBERS = 64 };
    Network *n = random_network(16, 1, true, false, 1);
    Evaluation w;
    EvalWeights linear;

    MUST(network_save(support_at("b.net"), n, &err));
    FILE *f = fopen(support_at("b.net"), "rb");
    static uint8_t bytes[LENGTH + 1];
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, f), LENGTH);
    (void)fclose(f);

    refused(bytes, LENGTH - 1, 0, 'T', "bytes, but a network of 16 hidden units has");
    refused(bytes, 20, 0, 'T', "cut off");
    refused(bytes, LENGTH, 8, 3, "version 3");
    uint8_t kings[LENGTH];
    memcpy(kings, bytes, LENGTH);
    kings[8] = 2;
    refused(kings, LENGTH, 8 + 24 + 31, 16, "king bucket 16; they are 0 to 15");
    refused(kings, LENGTH, 8 + 24 + 31, 1, "bytes, but a network of 16 hidden units has");
    refused(bytes, LENGTH, 12, 17, "17 hidden units");
    refused(bytes, LENGTH, 16, 9, "9 buckets");
    refused(bytes, LENGTH, 20, 2, "damaged");
    refused(bytes, LENGTH, 30, 1, "damaged"); /* a comment of 65,536 bytes */
    refused(bytes + 64, LENGTH - 65, 0, 1, "no network is");
    refused(bytes, LENGTH, NUMBERS + 2 * 16 * 769 + 1, 1, "output weight 0 is beyond ±128");
    uint8_t wide[LENGTH];
    memcpy(wide, bytes, LENGTH);
    for (int i = 0; i < 40; i++)
        wide[NUMBERS + 32 * i + 7] = 0x20; /* weights of unit 3 */
    refused(wide, LENGTH, 8, 1, "hidden unit 3 overflow 16 bits");

    uint8_t least[LENGTH];
    memcpy(least, bytes, LENGTH);
    least[NUMBERS + 2 * (16 * 769 + 32)] = 0;
    refused(least, LENGTH, NUMBERS + 2 * (16 * 769 + 32) + 1, 0x80,
            "output bias 0 is beyond ±32767");

    /* As text. */
    static const char *const texts[] = {
        "EVAL_NETWORK(16, 1, 1, 0)",         "EVAL_NETWORK(24, 1, 1, 400)",
        "EVAL_NETWORK(16, 1, 1, 400) 1 2 3", "EVAL_NETWORK(16, 1, 1, 400) 40000",
        "EVAL_NETWORK(16, 1, 1, 400, 16)",   "EVAL_NETWORK(16, 1, 1, 400, 2) 1"};
    static const char *const parts[] = {"such sizes",     "such sizes",  "expected a number",
                                        "outside -32767", "outside -15", "expected ','"};
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(evaluation_parse(texts[i], strlen(texts[i]), "x.h", &w, NULL, &err),
                         STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, parts[i]) != NULL, "%s", err.text);
    }

    /* Where weights must be linear. */
    err = (Error){0};
    ck_assert_int_eq(weights_load(support_at("b.net"), &linear, NULL, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "is a network"));
    network_destroy(n);
}
END_TEST

/* The same search again, after another one, by a new instance, and after another network. */
START_TEST(search_is_repeatable)
{
    Evaluation w, v;
    SearchLimits limits = {.nodes_hard = 20000};
    SearchResult first, again, other, changed;
    Position pos, next;

    evaluation_set_network(&w, network_keep(random_network(32, 1, true, true, 11)));
    evaluation_set_network(&v, network_keep(random_network(32, 1, true, true, 12)));
    MUST(position_from_fen(
        &pos, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &err));
    MUST(position_from_fen(&next, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &err));
    Search *a = search_create(&w, 1 << 20, &err), *b = search_create(&w, 1 << 20, &err);
    ck_assert(a && b);
    search_run(a, &pos, NULL, &limits, &first);
    search_run(a, &next, NULL, &limits, &other);
    search_new_game(a);
    search_run(a, &pos, NULL, &limits, &again);
    search_run(b, &pos, NULL, &limits, &other);
    search_set_evaluation(a, &v);
    search_run(a, &pos, NULL, &limits, &changed);
    search_set_evaluation(a, &w);
    search_run(a, &pos, NULL, &limits, &changed);
    ck_assert(first.best == again.best && first.score == again.score && first.nodes == again.nodes);
    ck_assert(first.best == other.best && first.score == other.score && first.depth == other.depth);
    ck_assert(first.best == changed.best && first.score == changed.score);
    search_destroy(a);
    search_destroy(b);
}
END_TEST

/* Alpha-beta in another order has minimax's value: every node was evaluated from its own position.
 */
START_TEST(search_agrees_with_minimax)
{
    Evaluation w;
    SearchResult result[2];
    Position pos;

    evaluation_set_network(&w, network_keep(random_network(16, 2, true, true, 13)));
    MUST(position_from_fen(&pos, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &err));
    for (int i = 0; i < 2; i++)
        MUST(search_reference(i == 0 ? SEARCH_MINIMAX : SEARCH_PVS, &pos, &w,
                              &(SearchLimits){.depth = 4}, &result[i], &err));
    ck_assert_int_eq(result[0].score, result[1].score);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, differences_are_exact, sides_are_equal, bad_files_are_refused,
              search_is_repeatable, search_agrees_with_minimax);
    tcase_add_loop_test(c, files_come_back, 0, 2);
    return support_run(c);
}
