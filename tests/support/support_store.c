/* SPDX-License-Identifier: MIT
 * Databases for the tests of the store. */
#include "tests/support/support_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "tests/support/support.h"

static char dir[128];
static Error err; /* of the last call that failed */

void support_store_setup(void)
{
    (void)snprintf(dir, sizeof dir, "%s", support_temp_dir());
}

const char *support_at(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

Store *support_open(const char *name, StoreMode mode)
{
    Store *store = store_open(support_at(name), mode, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    return store;
}

RunRecord support_make_run(uint64_t seed)
{
    RunRecord run = {.kind = RUN_SELFPLAY,
                     .config = "{\"nodes\":5000}",
                     .seed = seed,
                     .generation = -1,
                     .label = "test",
                     .program = "0.1.0"};
    run_identify(&run);
    return run;
}

GameRecord support_make_game(int64_t no, int salt, GamePly plies[SUPPORT_PLIES])
{
    GameRecord game = {.game_no = no,
                       .opening_no = no / 2,
                       .result = (GameResult)(no % 3),
                       .reason = (GameReason)(1 + no % 13),
                       .white = (int)(no % 2),
                       .black = (int)(1 - no % 2),
                       .nodes = 1000 * no + 7,
                       .ply_count = (int)(SUPPORT_PLIES - no % 40),
                       .plies = plies};
    (void)snprintf(game.start_fen, sizeof game.start_fen, "start of game %d", (int)no);
    for (int i = 0; i < game.ply_count; i++)
        plies[i] = (GamePly){.move = (uint16_t)(no * 31 + i * 7 + salt),
                             .score = (int16_t)(i % 2 ? -i * 400 : i * 400)};
    return game;
}

void support_make_rows(const GameRecord *game, PositionRow rows[SUPPORT_PLIES])
{
    for (int i = 0; i < game->ply_count; i++) {
        rows[i] = (PositionRow){.ply = i,
                                .score = i == 3 ? SCORE_UNKNOWN : -10 * i,
                                .move = "e7e8q",
                                .flags = (unsigned)i % 16};
        (void)snprintf(rows[i].fen, sizeof rows[i].fen, "position %d of game %d", i,
                       (int)game->game_no);
    }
}

void support_put_game(Store *store, int64_t run_id, int64_t no, bool with_rows)
{
    GamePly plies[SUPPORT_PLIES];
    PositionRow rows[SUPPORT_PLIES];
    GameRecord game = support_make_game(no, 0, plies);
    support_make_rows(&game, rows);
    MUST(store_put_game(store, run_id, &game, with_rows ? rows : NULL, &err));
}

int64_t support_put_games(Store *store, uint64_t seed, int64_t first, int64_t last, bool with_rows)
{
    RunRecord run = support_make_run(seed);
    MUST(store_begin(store, &err));
    MUST(store_open_run(store, &run, NULL, &err));
    for (int64_t no = first; no < last; no++)
        support_put_game(store, run.run_id, no, with_rows);
    MUST(store_commit(store, &err));
    return run.run_id;
}

const char *support_digest(Store *store)
{
    static char texts[4][HASH_HEX_MAX];
    static int next;
    char *text = texts[next++ % 4];
    MUST(store_digest(store, text, &err));
    return text;
}

void support_make_database(const char *name, uint64_t seed, int64_t first, int64_t last)
{
    Store *store = support_open(name, STORE_CREATE);
    (void)support_put_games(store, seed, first, last, true);
    store_close(store);
}

int64_t support_count_rows(Store *store, const char *table)
{
    char sql[128], *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    MUST(store_sql(store, sql, false, out, &err));
    ck_assert_int_eq(fclose(out), 0);
    int64_t count = atoll(text);
    free(text);
    return count;
}
