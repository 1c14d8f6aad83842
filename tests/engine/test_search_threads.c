/* SPDX-License-Identifier: MIT
 * The search in several threads: the pool, the vote, and the properties of one thread (mates, legal
 * moves, limits, stops, lines) with more. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/thread_vote.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

enum { HASH_BYTES = 1 << 20, THREADS = 4 };

#define MIDDLE "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

static Evaluation material, zero;

static void setup(void)
{
    evaluation_material(&material);
    evaluation_zero(&zero);
}

static void set_threads(Search *s, int threads)
{
    Error err = {0};
    ck_assert_msg(search_set_threads(s, threads, &err) == STATUS_OK, "%s", err.text);
}

static Search *instance(int threads)
{
    Error err = {0};
    Search *s = search_create(&material, HASH_BYTES, &err);
    ck_assert_msg(s != NULL, "%s", err.text);
    set_threads(s, threads);
    return s;
}

static SearchResult run(Search *s, const char *fen, SearchLimits limits)
{
    Position pos = board_from_fen(fen);
    SearchResult r;
    search_run(s, &pos, NULL, &limits, &r);
    return r;
}

/* ---- The pool */

typedef struct Rounds {
    int done[THREADS + 1]; /* by thread number; each thread writes only its own */
} Rounds;

static void count_round(void *context, int number)
{
    ((Rounds *)context)->done[number]++;
}

START_TEST(every_thread_does_every_job_once)
{
    enum { ROUNDS = 500 };
    Rounds rounds = {{0}};
    Error err = {0};
    ThreadPool *pool = thread_pool_create(THREADS, &err);
    ck_assert_msg(pool != NULL, "%s", err.text);
    for (int i = 1; i <= ROUNDS; i++) {
        thread_pool_start(pool, count_round, &rounds);
        thread_pool_wait(pool);
        for (int n = 1; n <= THREADS; n++)
            ck_assert_int_eq(rounds.done[n], i);
    }
    ck_assert_int_eq(rounds.done[0], 0);
    thread_pool_destroy(pool);
    thread_pool_destroy(NULL);
}
END_TEST

START_TEST(table_is_cleared_in_parts)
{
    enum { PARTS = 3 };
    Tt tt;
    Error err = {0};
    ck_assert_int_eq(tt_init(&tt, 1 << 16, &err), STATUS_OK);
    memset((void *)tt.buckets, 0xff, (tt.mask + 1) * sizeof(TtBucket));
    for (int part = 0; part < PARTS; part++)
        tt_clear(&tt, part, PARTS);
    for (uint64_t b = 0; b <= tt.mask; b++)
        for (int i = 0; i < TT_BUCKET_SLOTS; i++)
            ck_assert_uint_eq(atomic_load(&tt.buckets[b].slot[i]), 0);
    tt_free(&tt);
}
END_TEST

/* ---- The number of threads */

START_TEST(numbers_out_of_range)
{
    Search *s = instance(2);
    static const int wrong[] = {-1, 0, SEARCH_THREADS_MAX + 1};
    for (int i = 0; i < 3; i++) {
        Error err = {0};
        ck_assert_int_eq(search_set_threads(s, wrong[i], &err), STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, "1 to 1024"), "%s", err.text);
        ck_assert_int_eq(s->worker.helper_count, 1);
    }
    search_destroy(s);
}
END_TEST

#if !SANITIZED /* sanitizers need much more address space than they use */

/* Limits the address space to `bytes` more than the process uses. */
static bool allow_memory(size_t bytes)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return false;
    bool known = fscanf(f, "%lu", &pages) == 1;
    (void)fclose(f);
    rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
    return known && setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) == 0;
}

/* Memory for the helpers but not for their stacks, then not even for the helpers. */
START_TEST(want_of_memory_changes_nothing)
{
    static const struct {
        size_t bytes;
        const char *complaint;
    } rooms[] = {{300 << 20, "cannot create thread"}, {8 << 20, "out of memory"}};
    Search *s = instance(2);
    Error err = {0};
    if (!allow_memory(rooms[_i].bytes)) return;
    ck_assert_int_eq(search_set_threads(s, 64, &err), STATUS_FAILED);
    ck_assert_msg(strstr(err.text, rooms[_i].complaint), "%s", err.text);
    ck_assert_int_eq(s->worker.helper_count, 1);
    ck_assert_int_eq(run(s, MIDDLE, (SearchLimits){.depth = 5}).depth, 5);
    search_destroy(s);
}
END_TEST
#endif

/* After search_new_game() nothing of the helpers remains in a single-threaded instance. */
START_TEST(one_thread_is_itself_again)
{
    static const int counts[] = {3, 1, 4, 2, 1};
    SearchLimits limits = {.depth = 9};
    Error err = {0};
    Search *s = instance(1);
    SearchResult first = run(s, MIDDLE, limits);
    for (int i = 0; i < 5; i++) {
        set_threads(s, counts[i]);
        SearchResult r = run(s, MIDDLE, (SearchLimits){.depth = 7});
        Position pos = board_from_fen(MIDDLE);
        ck_assert(movegen_is_legal(&pos, r.best));
        ck_assert_int_eq(r.depth, 7);
        ck_assert_int_eq(search_resize(s, (size_t)HASH_BYTES << (i % 2), &err), STATUS_OK);
    }
    ck_assert_int_eq(search_resize(s, HASH_BYTES, &err), STATUS_OK);
    search_new_game(s);
    SearchResult again = run(s, MIDDLE, limits);
    ck_assert_uint_eq(first.nodes, again.nodes);
    ck_assert_int_eq(first.score, again.score);
    ck_assert_int_eq(first.best, again.best);
    search_destroy(s);
}
END_TEST

/* With zero weights a helper with other weights would change the score. */
START_TEST(weights_reach_every_thread)
{
    static const char fen[] = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    SearchLimits limits = {.nodes_hard = 100000};
    Search *s = instance(THREADS);
    ck_assert_int_gt(run(s, fen, limits).score, 500);
    search_set_evaluation(s, &zero);
    for (int i = 1; i < THREADS; i++)
        ck_assert_mem_eq(&search_worker(s, i)->psq, &s->worker.psq, sizeof s->worker.psq);
    ck_assert_int_eq(run(s, fen, limits).score, 0);
    search_destroy(s);
}
END_TEST

/* ---- Searching */

static const struct {
    const char *fen, *best;
    int plies;
} mates[] = {
    {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", 1},
    {"4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", "b3b8", 3},
    {"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "f8c5", 5},
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5},
};

static void check_zeros(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    size_t i = 0;
    while (i < size && b[i] == 0)
        i++;
    ck_assert_msg(i == size, "byte %zu of %zu is not cleared", i, size);
}

static void check_as_new(Search *s)
{
    check_zeros(s->tt.buckets, (s->tt.mask + 1) * sizeof *s->tt.buckets);
    ck_assert_uint_eq(s->tt.generation, 0);
    for (int i = 0; i <= s->worker.helper_count; i++) {
        check_zeros(&search_worker(s, i)->near, sizeof(TtNear));
        check_zeros(&search_worker(s, i)->histories, sizeof(Histories));
    }
}

/* After few stores only what was written is cleared, after many everything is; what helpers wrote
 * is cleared, too, when they are gone. */
START_TEST(new_game_clears_every_byte)
{
    Error err = {0};
    Search *s = instance(1);
    for (uint64_t nodes = 50; nodes < 2000; nodes += 50) {
        run(s, mates[nodes / 50 % 4].fen, (SearchLimits){.nodes_hard = nodes});
        search_new_game(s);
        check_as_new(s);
    }
    for (uint64_t nodes = 2000; nodes < 2000000; nodes *= 2) {
        run(s, MIDDLE, (SearchLimits){.nodes_hard = nodes});
        search_new_game(s);
        if (nodes < 50000) ck_assert(s->clear_logged);
        if (nodes > 1000000) ck_assert(!s->clear_logged);
        check_as_new(s);
    }
    ck_assert_int_eq(search_resize(s, 8 * HASH_BYTES, &err), STATUS_OK);
    run(s, MIDDLE, (SearchLimits){.nodes_hard = 1000000});
    search_new_game(s);
    check_as_new(s);
    set_threads(s, THREADS);
    for (int i = 0; i < 3; i++) {
        run(s, MIDDLE, (SearchLimits){.nodes_hard = 30000});
        if (i == 1) set_threads(s, 1);
        search_new_game(s);
        check_as_new(s);
    }
    search_destroy(s);
}
END_TEST

START_TEST(mates_are_found)
{
    Position pos = board_from_fen(mates[_i].fen);
    int moves = (mates[_i].plies + 1) / 2;
    Search *s = instance(THREADS);
    SearchLimits by_depth = {.depth = 9}, by_mate = {.mate = moves};
    for (int i = 0; i < 2; i++) {
        char best[UCI_MOVE_MAX];
        SearchResult r = run(s, mates[_i].fen, i == 0 ? by_depth : by_mate);
        move_to_uci(&pos, r.best, best);
        ck_assert_int_eq(r.score, VALUE_MATE - mates[_i].plies);
        ck_assert_str_eq(best, mates[_i].best);
        search_new_game(s);
    }
    search_destroy(s);
}
END_TEST

START_TEST(no_legal_move)
{
    Search *s = instance(THREADS);
    SearchLimits limits = {.infinite = true};
    (void)run(s, MIDDLE, (SearchLimits){.depth = 5}); /* whose nodes are not counted again */
    SearchResult r = run(s, "k7/1Q6/K7/8/8/8/8/8 b - - 0 1", limits);
    ck_assert(r.best == MOVE_NONE && r.score == -VALUE_MATE && r.nodes == 0);
    search_destroy(s);
}
END_TEST

/* Follows the line to its end; every move of it is legal. */
static void check_line(const char *fen, const Move *pv, int length)
{
    Position pos = board_from_fen(fen), next;
    ck_assert_int_ge(length, 1);
    for (int i = 0; i < length; i++) {
        ck_assert(movegen_is_legal(&pos, pv[i]));
        position_make(&next, &pos, pv[i]);
        pos = next;
    }
}

typedef struct Heard {
    uint64_t nodes;
    int lines;
    Move best; /* of the last line of number 1 */
} Heard;

static void listen(void *context, const SearchInfo *info)
{
    Heard *heard = context;
    ck_assert_uint_ge(info->nodes, heard->nodes);
    ck_assert_int_ge(info->seldepth, info->depth);
    check_line(MIDDLE, info->pv, info->pv_length);
    heard->nodes = info->nodes;
    if (info->multipv == 1) heard->best = info->pv[0];
    if (info->multipv > heard->lines) heard->lines = info->multipv;
}

/* Nodes are those of all threads and never decrease. The result is the last reported line, unless
 * a hard limit ended an iteration that had already found a better move. */
START_TEST(node_limits_count_all_threads)
{
    Search *s = instance(THREADS);
    for (uint64_t n = 1; n < 400000; n = n * 5 + 1) {
        for (int hard = 0; hard < 2; hard++) {
            Heard heard = {0};
            SearchLimits limits = {.nodes_soft = hard ? 0 : n, .nodes_hard = hard ? n : 0};
            search_set_info(s, listen, &heard);
            SearchResult r = run(s, MIDDLE, limits);
            /* The soft limit counts the nodes so far plus those of the last iteration. */
            ck_assert_uint_ge(r.nodes, hard ? n : (n + 1) / 2);
            if (hard) ck_assert_uint_le(r.nodes, n + THREADS * CHECK_INTERVAL);
            ck_assert_uint_ge(r.nodes, heard.nodes);
            uint64_t sum = 0;
            for (int i = 0; i < THREADS; i++)
                sum += search_worker(s, i)->nodes;
            ck_assert_uint_eq(r.nodes, sum);
            check_line(MIDDLE, r.pv, r.pv_length);
            ck_assert_int_eq(r.best, r.pv[0]);
            if (!hard) ck_assert_int_eq(r.best, heard.best);
        }
    }
    search_destroy(s);
}
END_TEST

START_TEST(lines_and_root_moves)
{
    Search *s = instance(THREADS);
    Heard heard = {0};
    Move two[2];
    Error err = {0};
    Position pos = board_from_fen(MIDDLE);
    search_set_info(s, listen, &heard);
    SearchResult r = run(s, MIDDLE, (SearchLimits){.depth = 7, .multipv = 5});
    ck_assert_int_eq(heard.lines, 5);
    ck_assert_int_eq(r.best, heard.best);

    heard = (Heard){0};
    ck_assert_int_eq(move_from_uci(&pos, "a3a4", &two[0], &err), STATUS_OK);
    ck_assert_int_eq(move_from_uci(&pos, "h2h3", &two[1], &err), STATUS_OK);
    SearchLimits limits = {.nodes_soft = 50000, .root_moves = two, .root_move_count = 2};
    r = run(s, MIDDLE, limits);
    ck_assert(r.best == two[0] || r.best == two[1]);
    search_destroy(s);
}
END_TEST

/* No thread stores the value of some of the moves as the value of the position. */
START_TEST(root_moves_are_not_the_position)
{
    Search *s = instance(_i == 0 ? 1 : THREADS);
    Position pos = board_from_fen(MIDDLE);
    Move one;
    Error err = {0};
    ck_assert_int_eq(move_from_uci(&pos, "a3a4", &one, &err), STATUS_OK);
    SearchLimits limits = {.depth = 4, .root_moves = &one, .root_move_count = 1};
    (void)run(s, MIDDLE, limits);
    ck_assert(!tt_probe(&s->tt, pos.key, 0).found);
    (void)run(s, MIDDLE, (SearchLimits){.depth = 4});
    ck_assert(tt_probe(&s->tt, pos.key, 0).found);
    search_destroy(s);
}
END_TEST

static void *stop_soon(void *search)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    search_stop(search);
    return NULL;
}

static void *ponderhit_soon(void *search)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    search_ponderhit(search);
    return NULL;
}

/* Each of these would never return if a thread missed its signal. */
START_TEST(stops_and_ponderhits_end_it)
{
    Search *s = instance(THREADS);
    Position pos = board_from_fen(MIDDLE);
    SearchLimits endless = {.infinite = true}, pondering = {.ponder = true, .movetime_ms = 30};
    SearchResult r;
    for (int i = 0; i < 6; i++) {
        pthread_t thread;
        const SearchLimits *limits = i % 2 ? &pondering : &endless;
        search_begin(s, limits->ponder);
        ck_assert_int_eq(pthread_create(&thread, NULL, i % 2 ? ponderhit_soon : stop_soon, s), 0);
        search_run(s, &pos, NULL, limits, &r);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        ck_assert(movegen_is_legal(&pos, r.best));
    }
    /* A stop before the search begins. */
    search_begin(s, false);
    search_stop(s);
    search_run(s, &pos, NULL, &endless, &r);
    ck_assert(movegen_is_legal(&pos, r.best));
    search_destroy(s);
}
END_TEST

/* ---- The vote */

typedef struct Opinion {
    Move best;
    int score, depth;
} Opinion;

/* The number of the thread that is chosen. */
static int vote(Search *s, const Opinion opinions[THREADS])
{
    for (int i = 0; i < THREADS; i++)
        search_worker(s, i)->result = (SearchResult){
            .best = opinions[i].best, .score = opinions[i].score, .depth = opinions[i].depth};
    const SearchResult *chosen = thread_vote(s);
    for (int i = 0; i < THREADS; i++)
        if (&search_worker(s, i)->result == chosen) return i;
    return -1;
}

START_TEST(votes)
{
    enum { WIN = VALUE_MATE - 9 };
    static const struct {
        Opinion opinions[THREADS];
        int chosen;
    } cases[] = {
        /* All have the same move: the deepest; equally deep: the main thread. */
        {{{7, 20, 10}, {7, 20, 12}, {7, 20, 11}, {7, 20, 12}}, 1},
        {{{7, 20, 10}, {7, 20, 10}, {7, 20, 10}, {7, 20, 10}}, 0},
        /* Two votes against one each: the deeper of the two. */
        {{{7, 20, 10}, {8, 20, 10}, {9, 20, 10}, {8, 20, 11}}, 3},
        /* Depth and score weigh more than the number of threads. */
        {{{7, 20, 10}, {7, 20, 10}, {9, 80, 20}, {7, 20, 10}}, 2},
        /* The shortest mate, even against a majority; a score of being mated is not preferred. */
        {{{7, 20, 30}, {8, WIN, 9}, {9, WIN + 2, 8}, {7, 20, 30}}, 2},
        {{{7, 20, 10}, {8, -WIN, 10}, {7, 20, 10}, {8, -WIN, 10}}, 0},
        /* A thread that was stopped before its first answer has none. */
        {{{7, 0, 0}, {8, -40, 1}, {9, 0, 0}, {9, 0, 0}}, 1},
        {{{7, 0, 0}, {7, 0, 0}, {7, 0, 0}, {7, 0, 0}}, 0},
    };
    Search *s = instance(THREADS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(vote(s, cases[i].opinions) == cases[i].chosen, "case %zu", i);
    search_destroy(s);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_unchecked_fixture(c, setup, NULL);
    ADD_TESTS(c, every_thread_does_every_job_once, table_is_cleared_in_parts, numbers_out_of_range,
              one_thread_is_itself_again, new_game_clears_every_byte, weights_reach_every_thread,
              no_legal_move, node_limits_count_all_threads, lines_and_root_moves,
              stops_and_ponderhits_end_it, votes);
#if !SANITIZED
    tcase_add_loop_test(c, want_of_memory_changes_nothing, 0, 2);
#endif
    tcase_add_loop_test(c, mates_are_found, 0, (int)(sizeof mates / sizeof mates[0]));
    tcase_add_loop_test(c, root_moves_are_not_the_position, 0, 2);
    return support_run(c);
}
