/* SPDX-License-Identifier: MIT
 * Syzygy: files of all three-piece endgames (made by tests/support/support_syzygy.c, as no package
 * ships any) through Fathom, every value checked by our move generator; their use by the search and
 * the referee. */
#include "engine/search/syzygy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/chess/replay.h"
#include "engine/base/pcg.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/search/worker.h"
#include "selfplay/game/game.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"
#include "tests/support/support_syzygy.h"

static char folder[64];
static int longest[KING];

static void setup(void)
{
    Error err = {0};

    strcpy(folder, support_temp_dir());
    ck_assert(support_make_syzygy(folder, longest));
    ck_assert_msg(syzygy_open(folder, &err) == STATUS_OK, "%s", err.text);
}

/* ---- Every three-piece position */

/* White has a king and one piece, Black a king, or the other way round with `flip`. */
typedef struct Three {
    Color stm;
    PieceType man;
    int strong, weak, sq; /* squares as White's if flipped */
} Three;

/* False when there is no such legal position. */
static bool set_up(const Three *three, bool flip, Position *pos)
{
    const int mirror = flip ? 56 : 0;
    const Color us = flip ? BLACK : WHITE, them = flip ? WHITE : BLACK;
    const struct {
        int piece, sq;
    } men[] = {{make_piece(us, KING), three->strong ^ mirror},
               {make_piece(them, KING), three->weak ^ mirror},
               {make_piece(us, three->man), three->sq ^ mirror}};

    if (three->strong == three->weak || three->strong == three->sq || three->weak == three->sq)
        return false;
    if (three->man == PAWN && (three->sq < 8 || three->sq >= 56)) return false;
    *pos = (Position){.stm = (uint8_t)(three->stm ^ flip), .ep_square = NO_SQUARE};
    memset(pos->board, NO_PIECE, sizeof pos->board);
    memset(pos->rook_square, NO_SQUARE, sizeof pos->rook_square);
    for (int i = 0; i < 3; i++) {
        pos->by_type[piece_type(men[i].piece)] |= square_bb(men[i].sq);
        pos->by_color[piece_color(men[i].piece)] |= square_bb(men[i].sq);
        pos->board[men[i].sq] = (uint8_t)men[i].piece;
    }
    position_refresh(pos);
    Color waiting = opponent(position_stm(pos));
    return !(position_attackers(pos, position_king(pos, waiting), position_occupied(pos)) &
             pos->by_color[pos->stm]);
}

/* [side to move][strong king][weak king][piece], by Syzygy; SYZYGY_UNKNOWN: no legal position */
typedef int8_t Results[COLORS][SQUARES][SQUARES][SQUARES];

static void for_each(PieceType man, void (*fn)(void *context, const Three *three), void *context)
{
    for (int stm = WHITE; stm < COLORS; stm++)
        for (int strong = 0; strong < SQUARES; strong++)
            for (int weak = 0; weak < SQUARES; weak++)
                for (int sq = 0; sq < SQUARES; sq++)
                    fn(context, &(Three){(Color)stm, man, strong, weak, sq});
}

static void note_result(void *context, const Three *three)
{
    Results *results = context;
    int8_t *result = &results[three->man][three->stm][three->strong][three->weak][three->sq];
    Position pos;

    *result = SYZYGY_UNKNOWN;
    if (!set_up(three, false, &pos)) return;
    *result = (int8_t)syzygy_probe(&pos);
    if (*result == SYZYGY_UNKNOWN) ck_abort_msg("a legal position is not in the tables");
    if ((three->strong + three->weak + three->sq) % 7 != 0) return;
    ck_assert(set_up(three, true, &pos)); /* some with exchanged colours */
    ck_assert_int_eq(syzygy_probe(&pos), *result);
}

/* After a move of White's king or piece, or Black's king; bare kings are a draw. */
static int result_after(const Results *results, const Three *three, Move m)
{
    Three next = *three;

    next.stm = opponent(three->stm);
    if (move_is_capture(m)) return SYZYGY_DRAW;
    if (move_from(m) == three->strong) next.strong = move_to(m);
    if (move_from(m) == three->weak) next.weak = move_to(m);
    if (move_from(m) == three->sq) next.sq = move_to(m);
    if (move_is_promotion(m)) next.man = move_promotion(m);
    return results[next.man][next.stm][next.strong][next.weak][next.sq];
}

/* The value of a position is that of its best move; mate is lost, stalemate drawn. */
static void judge_result(void *context, const Three *three)
{
    const Results *results = context;
    Position pos;
    MoveList list;

    if (!set_up(three, false, &pos)) return;
    movegen_all(&pos, &list);
    int best = list.count > 0 || position_in_check(&pos) ? SYZYGY_LOSS : SYZYGY_DRAW;
    for (int i = 0; i < list.count; i++) {
        int value = -result_after(results, three, list.moves[i]);
        if (value > best) best = value;
    }
    if (best != results[three->man][three->stm][three->strong][three->weak][three->sq]) {
        char fen[FEN_MAX];
        position_to_fen(&pos, fen);
        ck_abort_msg("%s is %d, not %d", fen, best,
                     results[three->man][three->stm][three->strong][three->weak][three->sq]);
    }
}

START_TEST(test_every_result)
{
    Results *results = malloc(KING * sizeof *results);

    ck_assert_ptr_nonnull(results);
    for (PieceType man = PAWN; man <= QUEEN; man++)
        for_each(man, note_result, results);
    for (PieceType man = PAWN; man <= QUEEN; man++)
        for_each(man, judge_result, results);
    free(results);
    /* Known since 1970: mate in 10 with a queen, in 16 with a rook. */
    ck_assert_int_eq(longest[QUEEN], 19);
    ck_assert_int_eq(longest[ROOK], 31);
    ck_assert_int_eq(longest[BISHOP] + longest[KNIGHT], 0);
}
END_TEST

/* ---- Moves */

static bool random_three(Pcg *rng, Position *pos)
{
    const Three three = {.stm = (Color)pcg_below(rng, 2),
                         .man = (PieceType)pcg_below(rng, KING),
                         .strong = (int)pcg_below(rng, SQUARES),
                         .weak = (int)pcg_below(rng, SQUARES),
                         .sq = (int)pcg_below(rng, SQUARES)};
    return set_up(&three, pcg_below(rng, 2) == 1, pos) && movegen_count(pos) > 0;
}

/* Exactly the moves that keep the result are listed. */
START_TEST(test_moves_keep_results)
{
    Position pos, next;
    MoveList legal, best;
    Pcg rng;

    pcg_seed(&rng, 1, 0);
    for (int i = 0; i < 3000; i++) {
        int expected = 0, found = 0;
        if (!random_three(&rng, &pos)) continue;
        SyzygyResult result = syzygy_best_moves(&pos, false, true, &best);
        ck_assert_int_eq(result, syzygy_probe(&pos));
        movegen_all(&pos, &legal);
        for (int k = 0; k < legal.count; k++) {
            position_make(&next, &pos, legal.moves[k]);
            bool keeps = syzygy_probe(&next) == (SyzygyResult)(-(int)result);
            expected += keeps;
            for (int b = 0; b < best.count; b++)
                found += keeps && best.moves[b] == legal.moves[k];
        }
        ck_assert_int_eq(expected, best.count);
        ck_assert_int_eq(expected, found);
    }
}
END_TEST

/* Moves that make progress mate in the number of plies that the DTZ file has. */
START_TEST(test_progress_mates)
{
    Position pos, next;
    MoveList best;
    Pcg rng;
    int mates = 0;

    pcg_seed(&rng, 2, 0);
    for (int i = 0; i < 600; i++) {
        int plies = 0;
        if (!random_three(&rng, &pos) || syzygy_probe(&pos) != SYZYGY_WIN) continue;
        while (movegen_count(&pos) > 0) {
            ck_assert_int_ne(syzygy_best_moves(&pos, true, true, &best), SYZYGY_UNKNOWN);
            position_make(&next, &pos, best.moves[pcg_below(&rng, (uint32_t)best.count)]);
            pos = next;
            ck_assert_int_lt(plies++, 60);
        }
        ck_assert(position_in_check(&pos));
        mates++;
    }
    ck_assert_int_gt(mates, 50);
}
END_TEST

START_TEST(test_fifty_moves)
{
    Position pos = board_from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1"); /* mate in 15 */
    MoveList best;

    ck_assert_int_eq(syzygy_best_moves(&pos, false, true, &best), SYZYGY_WIN);
    pos.rule50 = 100 - 29; /* just in time */
    ck_assert_int_eq(syzygy_best_moves(&pos, false, true, &best), SYZYGY_WIN);
    pos.rule50++;
    ck_assert_int_eq(syzygy_best_moves(&pos, false, true, &best), SYZYGY_CURSED_WIN);
    ck_assert_int_eq(syzygy_best_moves(&pos, false, false, &best), SYZYGY_WIN);
    pos = board_from_fen("8/8/8/3k4/8/8/8/KR6 b - - 90 1");
    ck_assert_int_eq(syzygy_best_moves(&pos, false, true, &best), SYZYGY_BLESSED_LOSS);
    ck_assert_int_eq(syzygy_best_moves(&pos, false, false, &best), SYZYGY_LOSS);
}
END_TEST

/* ---- Positions that are not in the files */

START_TEST(test_unknown)
{
    static const char *const fens[] = {
        START_FEN, "8/8/8/3k4/8/8/8/KRR5 w - - 0 1", /* four pieces */
        "8/8/8/3k4/8/8/8/R3K3 w Q - 0 1",            /* castling */
    };
    MoveList best;

    ck_assert_int_eq(syzygy_pieces(), 3);
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position pos = board_from_fen(fens[i]);
        ck_assert_int_eq(syzygy_probe(&pos), SYZYGY_UNKNOWN);
        ck_assert_int_eq(syzygy_best_moves(&pos, false, true, &best), SYZYGY_UNKNOWN);
        ck_assert_int_eq(best.count, 0);
    }
    Position mated = board_from_fen("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    ck_assert_int_eq(syzygy_probe(&mated), SYZYGY_LOSS);
    ck_assert_int_eq(syzygy_best_moves(&mated, false, true, &best), SYZYGY_UNKNOWN);
}
END_TEST

static void remove_table(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(unlink(path), 0);
}

START_TEST(test_missing_tables)
{
    Position queen = board_from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    Position rook = board_from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    MoveList best;
    Error err = {0};

    setup(); /* files of its own */
    remove_table("KQvK.rtbw");
    remove_table("KRvK.rtbz");
    ck_assert_int_eq(syzygy_open(folder, &err), STATUS_OK);
    ck_assert_int_eq(syzygy_probe(&queen), SYZYGY_UNKNOWN);
    ck_assert_int_eq(syzygy_best_moves(&queen, false, true, &best), SYZYGY_UNKNOWN);
    ck_assert_int_eq(syzygy_probe(&rook), SYZYGY_WIN);
    ck_assert_int_eq(syzygy_best_moves(&rook, false, true, &best), SYZYGY_WIN);

    ck_assert_int_eq(syzygy_open("/no/such/folder", &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "no Syzygy files in /no/such/folder"));
    ck_assert_int_eq(syzygy_pieces(), 0);
    ck_assert_int_eq(syzygy_probe(&rook), SYZYGY_UNKNOWN);
    static const char *const none[] = {"", "<empty>"};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(syzygy_open(folder, &err), STATUS_OK);
        ck_assert_int_eq(syzygy_pieces(), 3);
        ck_assert_int_eq(syzygy_open(none[i], &err), STATUS_OK);
        ck_assert_int_eq(syzygy_pieces(), 0);
        ck_assert_int_eq(syzygy_probe(&rook), SYZYGY_UNKNOWN);
    }
}
END_TEST

START_TEST(test_count)
{
    char paths[300], name[128];

    setup(); /* files of its own */
    snprintf(name, sizeof name, "%s/KQRvKR.rtbw", folder);
    support_write_file(name, "");
    ck_assert_int_eq(syzygy_count(folder, 3), 5);
    ck_assert_int_eq(syzygy_count(folder, 5), 6);
    ck_assert_int_eq(syzygy_count("/no/such/folder", 7), 0);
    ck_assert_int_eq(syzygy_count("", 7), 0);
    snprintf(paths, sizeof paths, "/no/such:%s::%s:", folder, folder); /* none counts twice */
    ck_assert_int_eq(syzygy_count(paths, 3), 5);
}
END_TEST

/* ---- Threads */

static void *probe_many(void *context)
{
    long *sum = context;
    Position pos;
    MoveList best;
    Pcg rng;

    pcg_seed(&rng, 3, 0);
    for (int i = 0; i < 2000; i++) {
        if (!random_three(&rng, &pos)) continue;
        *sum = 31 * *sum % 1000003 + syzygy_probe(&pos);
        if (i % 16 == 0) *sum += syzygy_best_moves(&pos, false, true, &best) + best.count;
    }
    return NULL;
}

/* A file is mapped at its first probe: threads that race for it get the same result. */
START_TEST(test_threads)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    long sums[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, probe_many, &sums[i]), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 1; i < THREADS; i++)
        ck_assert_int_eq(sums[i], sums[0]);
}
END_TEST

/* ---- The search */

START_TEST(test_values)
{
    ck_assert_int_eq(syzygy_value(SYZYGY_WIN, true, 3), VALUE_TB_WIN - 3);
    ck_assert_int_eq(syzygy_value(SYZYGY_LOSS, true, 3), -VALUE_TB_WIN + 3);
    ck_assert_int_eq(syzygy_value(SYZYGY_DRAW, true, 3), VALUE_DRAW);
    ck_assert_int_eq(syzygy_value(SYZYGY_CURSED_WIN, true, 3), VALUE_DRAW + 1);
    ck_assert_int_eq(syzygy_value(SYZYGY_BLESSED_LOSS, true, 3), VALUE_DRAW - 1);
    ck_assert_int_eq(syzygy_value(SYZYGY_CURSED_WIN, false, 3), VALUE_TB_WIN - 3);
    ck_assert_int_eq(syzygy_value(SYZYGY_BLESSED_LOSS, false, 3), -VALUE_TB_WIN + 3);
    ck_assert_int_lt(VALUE_TB_WIN, VALUE_MATE_IN_MAX);
}
END_TEST

typedef struct Found {
    SearchResult result;
    int score; /* as reported */
    uint64_t hits;
} Found;

static void note_info(void *context, const SearchInfo *info)
{
    Found *found = context;
    found->score = info->score;
    found->hits = info->tb_hits;
}

static Found search(const char *fen, int men, int depth)
{
    Evaluation weights;
    Found found = {.score = VALUE_NONE};
    Position pos = board_from_fen(fen);
    SearchLimits limits = {.depth = depth};
    SearchSyzygy tables = {.pieces = men, .probe_depth = 1, .rule50 = true};
    Error err = {0};

    evaluation_material(&weights);
    Search *s = search_create(&weights, 1 << 20, &err);
    ck_assert_ptr_nonnull(s);
    search_set_info(s, note_info, &found);
    search_set_syzygy(s, &tables);
    search_run(s, &pos, NULL, &limits, &found.result);
    search_destroy(s);
    return found;
}

/* The king takes a pawn, and its own pawn then wins or draws: at depth 3 only Syzygy shows it. */
START_TEST(test_search_probes)
{
    static const char wins[] = "8/8/8/8/k7/8/1pK4P/8 w - - 0 1";
    static const char draws[] = "7k/8/8/8/8/8/pK5P/8 w - - 0 1";
    Found with = search(wins, 3, 3), without = search(wins, 0, 3);

    ck_assert_int_eq(with.score, VALUE_TB_WIN - 1);
    ck_assert_uint_gt(with.hits, 0);
    ck_assert_int_lt(without.score, 1000);
    ck_assert_uint_eq(without.hits, 0);
    with = search("1R6/8/8/8/8/8/P7/k6K b - - 0 1", 3, 4); /* must take, and loses to the rook */
    ck_assert_int_eq(with.score, -VALUE_TB_WIN + 1);
    with = search(draws, 3, 8);
    without = search(draws, 0, 8);
    ck_assert_int_eq(with.score, VALUE_DRAW);
    ck_assert_int_gt(without.score, 50);
    ck_assert_uint_eq(search(wins, 2, 6).hits, 0); /* limited to fewer pieces */
}
END_TEST

/* Lost and won positions are reported as such and played by Syzygy; a mate found by the search is
 * reported as a mate. */
START_TEST(test_search_at_root)
{
    ck_assert_int_eq(search("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 3, 2).score, VALUE_TB_WIN);
    ck_assert_int_eq(search("8/8/8/3k4/8/8/8/KR6 b - - 0 1", 3, 2).score, -VALUE_TB_WIN);
    Found late = search("8/8/8/3k4/8/8/8/KR6 w - - 90 80", 3, 2);
    ck_assert_int_eq(late.score, VALUE_DRAW + 1);
    ck_assert_int_eq(late.result.score, late.score);
    ck_assert_uint_eq(late.result.tb_hits, late.hits);
    ck_assert_int_eq(search("k7/8/1K6/8/8/8/8/7R w - - 0 1", 3, 3).score, VALUE_MATE - 1);
    /* Below the root only after a capture or pawn move, not after a null move. */
    ck_assert_uint_eq(search("k7/8/8/8/8/8/8/KQ6 w - - 0 1", 3, 10).hits, 1);
    ck_assert_uint_eq(search("8/8/8/3k4/8/8/8/KR6 w - - 90 80", 3, 10).hits, 1);
    /* A pawn that mates by promoting does it, though every promotion to queen or rook wins. */
    Found mate = search("k7/6P1/1K6/8/8/8/8/8 w - - 0 1", 3, 6);
    ck_assert_int_eq(mate.score, VALUE_MATE - 1);
    /* The one move that holds the draw. */
    Found only = search("8/8/4k3/8/3KP3/8/8/8 b - - 0 1", 3, 1);
    ck_assert_int_eq(only.score, VALUE_DRAW);
    ck_assert_int_eq(only.result.best, make_move(44, 43, MOVE_QUIET)); /* Kd6 */
}
END_TEST

/* ---- Games */

/* Plays the first legal move that takes something, else the first. */
static Status choose(Player *player, const GameView *view, const SearchLimits *limits,
                     PlayerMove *out, Error *err)
{
    MoveList list;

    (void)player, (void)limits, (void)err;
    movegen_all(view->position, &list);
    *out = (PlayerMove){.move = list.moves[0], .score = SCORE_UNKNOWN};
    for (int i = 0; i < list.count; i++)
        if (move_is_capture(list.moves[i])) out->move = list.moves[i];
    return STATUS_OK;
}

static Status new_game(Player *player, Error *err)
{
    (void)player, (void)err;
    return STATUS_OK;
}

enum { GOES_ON = -1 };

static const struct {
    const char *fen;
    int men;
    bool ignore_rule50;
    int result; /* by Syzygy, after one ply */
} verdicts[] = {
    {"8/8/8/8/k7/8/1pK4P/8 w - - 0 1", 3, false, RESULT_WHITE_WINS},
    {"8/1Pk4p/8/K7/8/8/8/8 b - - 0 1", 3, false, RESULT_BLACK_WINS},
    {"8/8/8/3k4/4P3/8/8/K6R b - - 0 1", 3, false, RESULT_WHITE_WINS},
    {"7k/8/8/8/8/8/pK5P/8 w - - 0 1", 3, false, RESULT_DRAW},
    {"8/8/8/8/k7/8/1pK4P/8 w - - 0 1", 2, false, GOES_ON},  /* limited to fewer pieces */
    {"8/8/8/3k4/8/8/8/KR6 w - - 10 60", 3, false, GOES_ON}, /* no capture or pawn move */
    {"8/8/8/3k4/8/8/8/KR6 w - - 0 60", 3, false, GOES_ON},
    {"8/8/8/3k4/8/8/8/KR6 w - - 90 60", 3, true, RESULT_WHITE_WINS},
    {"8/8/8/3K4/8/8/8/kr6 b - - 90 60", 3, true, RESULT_BLACK_WINS},
};

START_TEST(test_judge)
{
    static const PlayerVtable vtable = {new_game, choose, NULL};
    GamePly plies[GAME_PLIES_MAX];
    GameRecord game = {.plies = plies};
    Player player = {&vtable};
    GameSetup setup = {.players = {&player, &player},
                       .start_fen = verdicts[_i].fen,
                       .adjudication = {.max_plies = 2,
                                        .table_men = verdicts[_i].men,
                                        .table_ignore_rule50 = verdicts[_i].ignore_rule50}};
    Error err = {0};

    ck_assert_msg(game_play(&setup, &game, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(replay_check(&game, &err) == STATUS_OK, "%s", err.text);
    if (verdicts[_i].result == GOES_ON) {
        ck_assert_int_ne(game.reason, REASON_TABLEBASE);
        return;
    }
    ck_assert_int_eq(game.reason, REASON_TABLEBASE);
    ck_assert_int_eq(game.result, verdicts[_i].result);
    ck_assert_int_eq(game.ply_count, 1);
}
END_TEST

/* Results that are not adjudicated are played on. */
START_TEST(test_judge_spares)
{
    static const PlayerVtable vtable = {new_game, choose, NULL};
    GamePly plies[GAME_PLIES_MAX];
    GameRecord game = {.plies = plies};
    Player player = {&vtable};
    GameSetup setup = {.players = {&player, &player},
                       .start_fen = verdicts[_i].fen,
                       .adjudication = {.max_plies = 2,
                                        .table_men = verdicts[_i].men,
                                        .table_ignore_rule50 = verdicts[_i].ignore_rule50}};
    bool drawn = verdicts[_i].result == RESULT_DRAW;

    if (verdicts[_i].result == GOES_ON) return;
    for (int spared = 0; spared < 2; spared++) {
        setup.adjudication.table_spares_draws = spared ? drawn : !drawn;
        setup.adjudication.table_spares_wins = spared ? !drawn : drawn;
        ck_assert_int_eq(game_play(&setup, &game, &(Error){0}), STATUS_OK);
        ck_assert_int_eq(game.reason == REASON_TABLEBASE, !spared);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    if (!syzygy_built()) {
        printf("skipped: this build has no Fathom library\n");
        return 0;
    }
    tcase_add_unchecked_fixture(c, setup, NULL); /* once for all tests */
    ADD_TESTS(c, test_every_result, test_moves_keep_results, test_progress_mates, test_fifty_moves,
              test_unknown, test_missing_tables, test_count, test_threads, test_values,
              test_search_probes, test_search_at_root);
    tcase_add_loop_test(c, test_judge, 0, sizeof verdicts / sizeof *verdicts);
    tcase_add_loop_test(c, test_judge_spares, 0, sizeof verdicts / sizeof *verdicts);
    return support_run(c);
}
