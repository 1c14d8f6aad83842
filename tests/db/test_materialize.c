/* SPDX-License-Identifier: MIT
 * Making the positions of a store from its games, and finding contradictions between them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/materialize.h"
#include "db/tables/check.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/positions.h"
#include "db/tables/runs.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

enum { PLIES_MAX = 60, GAMES = 1200 /* several batches */ };

static Error err;
static char path[256];
static MaterializeCounts counts;
static const MaterializeJob job = {.threads = 2};

static void setup(void)
{
    (void)snprintf(path, sizeof path, "%s/a.db", support_temp_dir());
}

/* Random legal moves, a draw by adjudication; every tenth game has no moves. */
static void random_game(int64_t no, GamePly plies[PLIES_MAX], GameRecord *game)
{
    uint64_t state = (uint64_t)no + 1;
    Position pos, before;
    MoveList list;

    *game = (GameRecord){.game_no = no,
                         .start_fen = START_FEN,
                         .result = RESULT_DRAW,
                         .reason = REASON_DRAW_ADJUDICATION,
                         .plies = plies};
    position_set_start(&pos);
    while (no % 10 != 0 && game->ply_count < PLIES_MAX) {
        movegen_all(&pos, &list);
        state = state * 6364136223846793005U + 1442695040888963407U;
        Move move = list.moves[(state >> 33) % (uint64_t)list.count];
        before = pos;
        position_make(&pos, &before, move);
        if (movegen_count(&pos) == 0) break; /* the game is over */
        plies[game->ply_count++] = (GamePly){.move = move, .score = (int16_t)(state >> 56)};
    }
}

static Store *make_store(void)
{
    GamePly plies[PLIES_MAX];
    GameRecord game;
    RunRecord run = {.kind = RUN_SELFPLAY, .config = "{}", .generation = -1};

    Store *store = store_open(path, STORE_CREATE, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    run_identify(&run);
    MUST(store_begin(store, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    for (int64_t no = 0; no < GAMES; no++) {
        random_game(no, plies, &game);
        MUST(store_put_game(store, run.run_id, &game, NULL, &err));
    }
    MUST(store_commit(store, &err));
    return store;
}

/* A row of a game that does not exist. */
static Status put_orphan(Store *store)
{
    const PositionRow row = {.fen = START_FEN, .move = "e2e4"};

    MUST(store_begin(store, &err));
    return store_end(store, store_put_positions(store, GAMES + 1, &row, 1, &err), &err);
}

START_TEST(all_games_get_their_rows)
{
    char before[HASH_HEX_MAX], after[HASH_HEX_MAX];
    GameCounts games;
    int64_t rows;

    Store *store = make_store();
    MUST(store_digest(store, before, &err));
    MUST(materialize_verify(store, &job, &counts, &err));
    ck_assert_int_eq(counts.games, GAMES);
    ck_assert_int_eq(counts.with_positions, 0);
    MUST(materialize_positions(store, &job, &counts, &err));
    ck_assert_int_eq(counts.with_positions, GAMES - GAMES / 10);
    ck_assert_int_eq(put_orphan(store), STATUS_DATABASE);
    MUST(store_count_games(store, 1, &games, &err));
    MUST(store_count_positions(store, &rows, &err));
    ck_assert_int_eq(rows, games.plies);
    ck_assert_int_eq(counts.plies, games.plies);
    MUST(store_check(store, &err));
    MUST(materialize_verify(store, &job, &counts, &err));
    ck_assert_int_eq(counts.with_positions, GAMES - GAMES / 10);
    MUST(materialize_positions(store, &job, &counts, &err));
    ck_assert_int_eq(counts.games, 0); /* all have rows */
    MUST(store_digest(store, after, &err));
    ck_assert_str_eq(before, after);
    store_close(store);
}
END_TEST

static void interrupt(void *flag, const MaterializeCounts *unused)
{
    (void)unused;
    atomic_store((atomic_int *)flag, 1);
}

START_TEST(an_interrupted_job_goes_on)
{
    atomic_int flag = 0;
    int64_t rows;

    Store *store = make_store();
    const MaterializeJob stopped = {
        .threads = 2, .interrupted = &flag, .progress = interrupt, .context = &flag};
    ck_assert_int_eq(materialize_positions(store, &stopped, &counts, &err), STATUS_INTERRUPTED);
    ck_assert_int_eq(put_orphan(store), STATUS_DATABASE);
    int64_t first = counts.games;
    ck_assert(first > 0 && first < GAMES - GAMES / 10);
    MUST(store_count_positions(store, &rows, &err));
    ck_assert_int_eq(rows, counts.plies);
    MUST(materialize_positions(store, &job, &counts, &err));
    ck_assert_int_eq(first + counts.games, GAMES - GAMES / 10);
    MUST(materialize_verify(store, &job, &counts, &err));
    store_close(store);
}
END_TEST

START_TEST(wrong_rows_are_found)
{
    Store *store = make_store();
    PositionRow *rows;
    int count;

    MUST(materialize_positions(store, &job, &counts, &err));
    MUST(store_get_positions(store, 778, &rows, &count, &err));
    for (int what = 0; what < 5; what++) {
        PositionRow saved = rows[5];
        if (what == 0) rows[5].score++;
        if (what == 1) rows[5].flags ^= POSITION_GIVES_CHECK;
        if (what == 2) (void)strcpy(rows[5].move, "a1a1");
        if (what == 3) rows[5].fen[0] = 'X';
        MUST(store_put_positions(store, 778, rows, what == 4 ? count - 1 : count, &err));
        ck_assert_int_eq(materialize_verify(store, &job, &counts, &err), STATUS_FAILED);
        ck_assert_msg(strstr(err.text, "game 777") && strstr(err.text, path), "%s", err.text);
        rows[5] = saved;
    }
    MUST(store_put_positions(store, 778, rows, count, &err));
    MUST(materialize_verify(store, &job, &counts, &err));
    free(rows);
    store_close(store);
}
END_TEST

START_TEST(impossible_games_are_found)
{
    GamePly plies[PLIES_MAX];
    GameRecord game;
    Store *store = make_store();

    random_game(GAMES + 1, plies, &game);
    plies[7].move = MOVE_NONE;
    MUST(store_begin(store, &err));
    MUST(store_put_game(store, 1, &game, NULL, &err));
    MUST(store_commit(store, &err));
    ck_assert_int_eq(materialize_verify(store, &job, &counts, &err), STATUS_FAILED);
    ck_assert_msg(strstr(err.text, "game 1201, ply 7") != NULL, "%s", err.text);
    ck_assert_int_eq(materialize_positions(store, &job, &counts, &err), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, ".db: run 1: game 1201, ply 7") != NULL, "%s", err.text);
    MUST(store_check(store, &err)); /* whole batches only */
    store_close(store);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, setup, NULL);
    ADD_TESTS(c, all_games_get_their_rows, an_interrupted_job_goes_on, wrong_rows_are_found,
              impossible_games_are_found);
    return support_run(c);
}
