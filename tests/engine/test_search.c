/* SPDX-License-Identifier: MIT
 * The search: mates, draws, limits, determinism, and agreement with plain minimax. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/pcg.h"
#include "engine/board/position_make.h"
#include "engine/board/see.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/node.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

enum { HASH_BYTES = 1 << 20 };

static Evaluation material, zero;

static void setup(void)
{
    evaluation_material(&material);
    evaluation_zero(&zero);
}

static Search *instance(const Evaluation *w)
{
    Error err = {0};
    Search *s = search_create(w, HASH_BYTES, &err);
    ck_assert_msg(s != NULL, "%s", err.text);
    return s;
}

static SearchResult run(const Evaluation *w, const char *fen, const SearchLimits *limits)
{
    Search *s = instance(w);
    Position pos = board_from_fen(fen);
    SearchResult r;
    search_run(s, &pos, NULL, limits, &r);
    search_destroy(s);
    return r;
}

static void make(Position *pos, KeyHistory *history, const char *uci)
{
    Position next;
    Move m;
    Error err = {0};
    ck_assert_msg(move_from_uci(pos, uci, &m, &err) == STATUS_OK, "%s", err.text);
    key_history_push(history, pos);
    position_make(&next, pos, m);
    *pos = next;
}

/* ---- Mates and draws */

static const struct {
    const char *fen, *best;
    int plies; /* to mate, negative when being mated */
} mates[] = {
    {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", 1},
    {"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7", 1},
    {"k7/1Q6/K7/8/8/8/8/8 b - - 0 1", "0000", 0},
    {"4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", "b3b8", 3},
    {"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "f8c5", 5},
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5},
    {"8/8/8/8/8/1k6/2r5/K7 w - - 0 1", "a1b1", -4},
};

START_TEST(mates_are_found)
{
    const Evaluation *sets[] = {&material, &zero};
    for (int set = 0; set < 2; set++) {
        SearchLimits limits = {.depth = 10};
        SearchResult r = run(sets[set], mates[_i].fen, &limits);
        char best[UCI_MOVE_MAX];
        Position pos = board_from_fen(mates[_i].fen);
        move_to_uci(&pos, r.best, best);
        int n = mates[_i].plies;
        ck_assert_int_eq(r.score, n > 0 ? VALUE_MATE - n : -VALUE_MATE - n);
        ck_assert_str_eq(best, mates[_i].best);
    }
}
END_TEST

START_TEST(mate_limit_ends_the_search)
{
    SearchLimits limits = {.mate = 3};
    SearchResult r = run(&material, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", &limits);
    ck_assert_int_eq(r.score, VALUE_MATE - 5);
}
END_TEST

static const char *const drawn[] = {
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",    /* stalemate on the board */
    "8/8/8/4k3/8/8/8/4KB2 w - - 0 1",    /* a bishop cannot mate */
    "8/8/8/2b1k3/8/8/8/2B1K3 w - - 0 1", /* nor bishops of one colour */
    "k7/8/8/8/8/8/q7/K7 w - - 0 1",      /* taking the queen leaves bare kings */
    "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",   /* stalemate, or the pawn is lost */
};

START_TEST(draws_are_seen)
{
    SearchLimits limits = {.depth = 6};
    SearchResult r = run(&material, drawn[_i], &limits);
    ck_assert_int_eq(r.score, VALUE_DRAW);
}
END_TEST

START_TEST(fifty_moves)
{
    SearchLimits limits = {.depth = 6};
    /* A rook up, and the next quiet move draws. */
    ck_assert_int_eq(run(&material, "7k/8/8/8/8/8/8/KR6 w - - 99 80", &limits).score, VALUE_DRAW);
    ck_assert_int_gt(run(&material, "7k/8/8/8/8/8/8/KR6 w - - 10 80", &limits).score, 400);
    /* Mate on the hundredth ply comes first. */
    ck_assert_int_eq(run(&material, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80", &limits).score,
                     VALUE_MATE - 1);
}
END_TEST

START_TEST(repetition_saves_the_weaker_side)
{
    /* A queen against queen, rook and pawn: perpetual check on g5 and h5. */
    SearchLimits limits = {.depth = 14};
    SearchResult r = run(&material, "5rk1/5p2/8/7Q/8/8/q7/7K w - - 0 1", &limits);
    ck_assert_int_eq(r.score, VALUE_DRAW);
}
END_TEST

START_TEST(third_occurrence_counts_the_game)
{
    /* White is a rook up, but each rook move back to c1 or h1 has been played twice already. */
    Search *s = instance(&material);
    Position pos = board_from_fen("k7/8/8/8/8/8/8/1K5R w - - 0 1");
    KeyHistory history = {.count = 0};
    static const char *const shuffle[] = {"h1h2", "a8a7", "h2h1", "a7a8"};
    for (int i = 0; i < 8; i++)
        make(&pos, &history, shuffle[i % 4]);
    ck_assert_int_eq(key_history_repetitions(&history, &pos), 2);
    Move only;
    Error err = {0};
    ck_assert_int_eq(move_from_uci(&pos, "h1h2", &only, &err), STATUS_OK);
    SearchLimits limits = {.depth = 1, .root_moves = &only, .root_move_count = 1};
    SearchResult r;
    search_run(s, &pos, &history, &limits, &r);
    ck_assert_int_eq(r.score, VALUE_DRAW);
    search_run(s, &pos, NULL, &limits, &r);
    ck_assert_int_ne(r.score, VALUE_DRAW);
    search_destroy(s);
}
END_TEST

/* ---- Limits */

#define MIDDLE "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

START_TEST(node_limits)
{
    for (uint64_t n = 1; n <= 5000; n = n * 3 + 1) {
        SearchLimits limits = {.nodes_hard = n};
        SearchResult r = run(&material, MIDDLE, &limits);
        ck_assert_uint_eq(r.nodes, n);
        Position pos = board_from_fen(MIDDLE);
        ck_assert(movegen_is_legal(&pos, r.best));
    }
    /* The search stops after the first iteration whose repetition would exceed the soft limit. */
    SearchLimits limits = {.nodes_soft = 3000};
    SearchResult soft = run(&material, MIDDLE, &limits);
    uint64_t nodes[3]; /* to the depth reached, and to those before */
    for (int i = 0; i < 3; i++) {
        SearchLimits depth = {.depth = soft.depth - i};
        nodes[i] = run(&material, MIDDLE, &depth).nodes;
    }
    ck_assert_uint_eq(soft.nodes, nodes[0]);
    ck_assert_uint_ge(nodes[0] + (nodes[0] - nodes[1]), 3000);
    ck_assert_uint_lt(nodes[1] + (nodes[1] - nodes[2]), 3000);
}
END_TEST

START_TEST(depth_limit)
{
    for (int d = 1; d <= 6; d++) {
        SearchLimits limits = {.depth = d};
        ck_assert_int_eq(run(&material, MIDDLE, &limits).depth, d);
    }
}
END_TEST

START_TEST(time_limits)
{
    SearchLimits limits = {.movetime_ms = 60};
    SearchResult r = run(&material, MIDDLE, &limits);
    ck_assert_int_ge(r.time_ms, 20);
    ck_assert_int_lt(r.time_ms, 3000);
    /* Very little time, or none, still gives a legal move. */
    for (int64_t ms = -5; ms <= 20; ms += 5) {
        SearchLimits clock = {.has_clock = true, .time_ms = {ms, ms}};
        r = run(&material, MIDDLE, &clock);
        Position pos = board_from_fen(MIDDLE);
        ck_assert(movegen_is_legal(&pos, r.best));
        ck_assert_int_lt(r.time_ms, 3000);
    }
}
END_TEST

START_TEST(root_moves_restrict)
{
    Position pos = board_from_fen(MIDDLE);
    Move two[2];
    Error err = {0};
    ck_assert_int_eq(move_from_uci(&pos, "a3a4", &two[0], &err), STATUS_OK);
    ck_assert_int_eq(move_from_uci(&pos, "h2h3", &two[1], &err), STATUS_OK);
    SearchLimits limits = {.depth = 6, .root_moves = two, .root_move_count = 2};
    SearchResult r = run(&material, MIDDLE, &limits);
    ck_assert(r.best == two[0] || r.best == two[1]);
}
END_TEST

typedef struct Lines {
    int depth[8], count;
    int score[8];
    Move first[8];
} Lines;

static void collect(void *context, const SearchInfo *info)
{
    Lines *lines = context;
    if (info->bound != 0) return;
    if (info->multipv == 1) lines->count = 0;
    lines->depth[lines->count] = info->depth;
    lines->score[lines->count] = info->score;
    lines->first[lines->count++] = info->pv[0];
    ck_assert_int_eq(lines->count, info->multipv);
}

START_TEST(multipv_lines)
{
    Search *s = instance(&material);
    Position pos = board_from_fen(MIDDLE);
    Lines lines = {0};
    SearchLimits limits = {.depth = 6, .multipv = 4};
    SearchResult r;
    search_set_info(s, collect, &lines);
    search_run(s, &pos, NULL, &limits, &r);
    search_destroy(s);
    ck_assert_int_eq(lines.count, 4);
    ck_assert_int_eq(lines.depth[0], 6);
    ck_assert_int_eq(r.best, lines.first[0]);
    ck_assert_int_eq(r.score, lines.score[0]);
    for (int i = 1; i < 4; i++) {
        ck_assert_int_ge(lines.score[i - 1], lines.score[i]);
        for (int j = 0; j < i; j++)
            ck_assert_int_ne(lines.first[i], lines.first[j]);
    }
}
END_TEST

/* Wherever a search is cut off, its last lines begin with different moves, the best one first.
 * Those of one depth are sorted. */
START_TEST(multipv_cut_off)
{
    Search *s = instance(&material);
    Position pos = board_from_fen(MIDDLE);
    for (uint64_t nodes = 2000; nodes < 22000; nodes += SANITIZED ? 900 : 100) {
        Lines lines = {0};
        SearchLimits limits = {.nodes_hard = nodes, .multipv = 4};
        SearchResult r;
        search_new_game(s);
        search_set_info(s, collect, &lines);
        search_run(s, &pos, NULL, &limits, &r);
        ck_assert_int_eq(lines.count, 4);
        ck_assert_int_eq(r.best, lines.first[0]);
        ck_assert_int_eq(r.score, lines.score[0]);
        for (int i = 1; i < 4; i++) {
            if (lines.depth[i] == lines.depth[0])
                ck_assert_int_ge(lines.score[i - 1], lines.score[i]);
            for (int j = 0; j < i; j++)
                ck_assert_int_ne(lines.first[i], lines.first[j]);
        }
    }
    search_destroy(s);
}
END_TEST

static void *stop_soon(void *search)
{
    struct timespec t = {.tv_nsec = 30000000};
    (void)nanosleep(&t, NULL);
    search_stop(search);
    return NULL;
}

START_TEST(stop_from_another_thread)
{
    Search *s = instance(&material);
    Position pos = board_from_fen(MIDDLE);
    SearchLimits limits = {.infinite = true};
    SearchResult r;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_soon, s), 0);
    search_run(s, &pos, NULL, &limits, &r);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_le(r.time_ms, 500);
    /* A stop after search_begin() applies to the search; a stop without it does not. */
    search_begin(s, false);
    search_stop(s);
    search_run(s, &pos, NULL, &limits, &r);
    ck_assert_uint_le(r.nodes, 1024);
    search_stop(s);
    limits = (SearchLimits){.depth = 5};
    search_run(s, &pos, NULL, &limits, &r);
    ck_assert_int_eq(r.depth, 5);
    search_destroy(s);
}
END_TEST

/* ---- Determinism */

enum { LIMITS = 20 };

/* The node counts and moves of two short games with node limits. */
static void play_two_games(Search *s, uint64_t counts[2 * LIMITS], Move moves[2 * LIMITS])
{
    for (int game = 0; game < 2; game++) {
        Position pos, next;
        KeyHistory history = {.count = 0};
        search_new_game(s);
        position_set_start(&pos);
        for (int i = 0; i < LIMITS; i++) {
            SearchLimits limits = {.nodes_soft = (uint64_t)(100 + 150 * i + 700 * game)};
            SearchResult r;
            search_run(s, &pos, &history, &limits, &r);
            counts[game * LIMITS + i] = r.nodes;
            moves[game * LIMITS + i] = r.best;
            key_history_push(&history, &pos);
            position_make(&next, &pos, r.best);
            pos = next;
        }
    }
}

START_TEST(same_counts_after_reset_and_afresh)
{
    uint64_t first[2 * LIMITS], again[2 * LIMITS], fresh[2 * LIMITS];
    Move m1[2 * LIMITS], m2[2 * LIMITS], m3[2 * LIMITS];
    Search *s = instance(&material);
    play_two_games(s, first, m1);
    play_two_games(s, again, m2);
    search_destroy(s);
    s = instance(&material);
    play_two_games(s, fresh, m3);
    search_destroy(s);
    ck_assert_mem_eq(first, again, sizeof first);
    ck_assert_mem_eq(first, fresh, sizeof first);
    ck_assert_mem_eq(m1, m2, sizeof m1);
    ck_assert_mem_eq(m1, m3, sizeof m1);
}
END_TEST

START_TEST(instances_do_not_meet)
{
    Evaluation other = material;
    other.weights.term[EVAL_MATERIAL + QUEEN][MG] = 1300;
    Position pos;
    SearchResult alone, a, b;
    SearchLimits limits = {.nodes_hard = 4000};
    pos = board_from_fen("r3k2r/pppp1ppp/2n2n2/8/8/2N2N2/PPPP1PPP/R2QK2R w KQkq - 0 1");
    Search *x = instance(&material), *y = instance(&other);
    search_run(x, &pos, NULL, &limits, &alone);
    search_new_game(x);
    search_run(y, &pos, NULL, &limits, &b);
    search_run(x, &pos, NULL, &limits, &a);
    ck_assert_int_eq(alone.best, a.best);
    ck_assert_int_eq(alone.score, a.score);
    ck_assert_int_ne(a.score, b.score);
    search_set_evaluation(y, &material);
    search_run(y, &pos, NULL, &limits, &b);
    ck_assert_int_eq(alone.score, b.score);
    ck_assert_int_eq(alone.depth, b.depth);
    search_destroy(x);
    search_destroy(y);
}
END_TEST

/* ---- References */

static SearchResult reference(SearchStep step, const Position *pos, const Evaluation *w,
                              SearchLimits limits)
{
    SearchResult r;
    Error err = {0};
    ck_assert_int_eq(search_reference(step, pos, w, &limits, &r, &err), STATUS_OK);
    return r;
}

/* Each step has the value of minimax, and the same nodes when it is repeated. */
static void steps_agree(const Position *pos, const Evaluation *w, int depth)
{
    uint64_t nodes[SEARCH_STEPS];
    int score = VALUE_NONE;
    char fen[FEN_MAX];
    position_to_fen(pos, fen);
    for (int step = 0; step < SEARCH_STEPS; step++) {
        SearchResult r = reference((SearchStep)step, pos, w, (SearchLimits){.depth = depth});
        SearchResult again = reference((SearchStep)step, pos, w, (SearchLimits){.depth = depth});
        if (step == SEARCH_MINIMAX) score = r.score;
        if (step < SEARCH_QUIESCENCE)
            ck_assert_msg(r.score == score, "%s depth %d: step %d has %d, minimax %d", fen, depth,
                          step, r.score, score);
        ck_assert_int_eq(r.score, again.score);
        ck_assert_uint_eq(r.nodes, again.nodes);
        nodes[step] = r.nodes;
    }
    if (depth > 1) ck_assert_uint_le(nodes[SEARCH_ALPHABETA], nodes[SEARCH_MINIMAX]);
}

/* Stand pat out of check, then captures and promotions that lose nothing; in check all moves. */
static int quiescence(Worker *w, int ply, const Position *pos, int alpha, int beta)
{
    const bool in_check = position_in_check(pos);
    MoveList list;
    Position next;
    int best = enter_node(w, ply, pos, true);
    if (best != VALUE_NONE) return best;
    best = in_check ? -VALUE_MATE + ply : corrected_eval(w, ply, pos);
    movegen_all(pos, &list);
    for (int i = 0; i < list.count && best < beta; i++) {
        Move m = list.moves[i];
        if (!in_check && !(move_is_noisy(m) && see_at_least(pos, m, 0))) continue;
        worker_make(w, ply, pos, m, &next);
        next.rule50 = 0;
        best = max_int(best, -quiescence(w, ply + 1, &next, -beta, -max_int(alpha, best)));
    }
    return best;
}

/* Minimax with quiescence. */
static int minimax(Worker *w, int ply, const Position *pos, int depth)
{
    MoveList list;
    Position next;
    int best = enter_node(w, ply, pos, true);
    if (best != VALUE_NONE) return best;
    if (depth == 0) return quiescence(w, ply, pos, -VALUE_INFINITE, VALUE_INFINITE);
    movegen_all(pos, &list);
    if (list.count == 0) return position_in_check(pos) ? -VALUE_MATE + ply : VALUE_DRAW;
    best = -VALUE_INFINITE;
    for (int i = 0; i < list.count; i++) {
        worker_make(w, ply, pos, list.moves[i], &next);
        next.rule50 = 0;
        best = max_int(best, -minimax(w, ply + 1, &next, depth - 1));
    }
    return best;
}

/* The step with quiescence has the value of minimax. */
static void quiescence_agrees(const Position *pos, const Evaluation *evaluation, int depth)
{
    Search *s = instance(evaluation);
    Worker *w = &s->worker;
    Position root = *pos;
    char fen[FEN_MAX];
    position_to_fen(pos, fen);
    root.rule50 = 0;
    worker_refresh_psq(w, &root);
    worker_start(w, &root, NULL);
    if (depth > 2 && popcount(position_occupied(pos)) > 8) depth = 2; /* minimax is slow */
    int value = reference(SEARCH_QUIESCENCE, pos, evaluation, (SearchLimits){.depth = depth}).score;
    ck_assert_msg(value == minimax(w, 0, &root, depth), "%s depth %d", fen, depth);
    search_destroy(s);
}

static void agree(const Position *pos, const Evaluation *w, int depth)
{
    steps_agree(pos, w, depth);
    quiescence_agrees(pos, w, depth);
}

START_TEST(references_agree)
{
    Pcg rng;
    pcg_seed(&rng, 99, 0);
    for (int game = 0; game < (SANITIZED ? 9 : 30); game++) {
        Evaluation w = game % 3 == 0 ? material : zero;
        if (game % 3 == 2)
            for (int i = 0; i < EVAL_TERMS; i++)
                w.weights.term[i][MG] = w.weights.term[i][EG] =
                    (int16_t)((int)pcg_below(&rng, 801) - 200);
        Position pos, next;
        MoveList list;
        position_set_start(&pos);
        int plies = (int)pcg_below(&rng, 120);
        for (int ply = 0; ply <= plies; ply++) {
            movegen_all(&pos, &list);
            if (list.count == 0) break;
            position_make(&next, &pos, list.moves[pcg_below(&rng, (uint32_t)list.count)]);
            pos = next;
        }
        for (int depth = 1; depth <= 3; depth++)
            agree(&pos, &w, depth);
    }
}
END_TEST

/* Few pieces, deeper: mates, stalemates, repetitions and fifty moves inside the horizon. */
START_TEST(references_agree_in_endings)
{
    static const char *const fens[] = {
        "8/8/8/8/8/1k6/2r5/K7 w - - 0 1",
        "7k/5K2/6P1/8/8/8/8/8 w - - 0 1",
        "8/6pk/8/8/8/8/8/K5R1 b - - 97 90",
        "k7/2Q5/8/8/8/8/8/K7 b - - 98 90",
        "8/8/8/8/3k4/8/3p4/3K4 w - - 96 1",
        "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        Position pos = board_from_fen(fens[i]);
        for (int depth = 1; depth <= 4; depth++)
            agree(&pos, &material, depth);
    }
}
END_TEST

/* Deep enough for positions that are reached on several paths: the hash table holds values of other
 * depths, mates at other plies, and draws by the fifty-move rule on one of two paths. */
START_TEST(steps_agree_over_transpositions)
{
    static const struct {
        int depth;
        const char *fen;
    } deep[] = {
        {9, "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"},
        {6, "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"},
        {7, "8/8/7p/3K4/6P1/8/P7/1k6 b - - 95 1"},
        {7, "8/8/8/7k/4K3/p1B5/8/8 b - - 94 1"},
    };
    Evaluation w;
    Error err = {0};
    ck_assert_int_eq(evaluation_load("builtin", &w, NULL, &err), STATUS_OK);
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        Position pos = board_from_fen(deep[i].fen);
        steps_agree(&pos, &w, deep[i].depth);
    }
}
END_TEST

/* The counts of perft, summed. */
START_TEST(minimax_makes_every_move)
{
    Position pos = board_from_fen(START_FEN);
    SearchLimits limits = {.depth = 4};
    ck_assert_uint_eq(reference(SEARCH_MINIMAX, &pos, &material, limits).nodes,
                      20 + 400 + 8902 + 197281);
    ck_assert_uint_lt(reference(SEARCH_ALPHABETA, &pos, &material, limits).nodes, 206603 / 5);
}
END_TEST

static void keep_last(void *last, const SearchInfo *info)
{
    *(SearchInfo *)last = *info;
}

/* A search that is stopped behind a failure above its window has a lower bound, as it reported. */
START_TEST(stopped_behind_a_bound)
{
    Evaluation builtin;
    Error err = {0};
    Position pos = board_from_fen(MIDDLE);
    SearchInfo last;
    int bounds = 0;

    ck_assert_int_eq(evaluation_builtin(&builtin, &err), STATUS_OK);
    Search *s = instance(&builtin);

    search_set_info(s, keep_last, &last);
    for (uint64_t nodes = 20000; nodes < 60000; nodes += 2003) {
        SearchResult r;
        search_new_game(s);
        search_run(s, &pos, NULL, &(SearchLimits){.nodes_hard = nodes}, &r);
        ck_assert(r.bound == 0 || r.bound == 1);
        if (r.bound == 1) ck_assert(last.bound == 1 && last.score == r.score);
        if (last.bound == 1 && r.score == last.score) ck_assert_int_eq(r.bound, 1);
        bounds += r.bound;
    }
    ck_assert_int_gt(bounds, 0);
    search_destroy(s);
}
END_TEST

START_TEST(reference_node_limit)
{
    Position pos = board_from_fen(MIDDLE);
    for (int step = 0; step < SEARCH_STEPS; step++) {
        SearchResult r = reference((SearchStep)step, &pos, &material,
                                   (SearchLimits){.depth = 5, .nodes_hard = 1000});
        ck_assert_int_eq(r.score, VALUE_NONE);
        ck_assert_int_eq(r.depth, 0);
        ck_assert_uint_eq(r.nodes, 1000);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_unchecked_fixture(c, setup, NULL);
    ADD_TESTS(c, mate_limit_ends_the_search, fifty_moves, repetition_saves_the_weaker_side,
              third_occurrence_counts_the_game, node_limits, depth_limit, time_limits,
              root_moves_restrict, multipv_lines, multipv_cut_off, stop_from_another_thread,
              same_counts_after_reset_and_afresh, instances_do_not_meet, references_agree,
              references_agree_in_endings, steps_agree_over_transpositions,
              minimax_makes_every_move, stopped_behind_a_bound, reference_node_limit);
    tcase_add_loop_test(c, mates_are_found, 0, (int)(sizeof mates / sizeof mates[0]));
    tcase_add_loop_test(c, draws_are_seen, 0, (int)(sizeof drawn / sizeof drawn[0]));
    return support_run(c);
}
