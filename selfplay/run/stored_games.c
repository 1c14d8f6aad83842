/* SPDX-License-Identifier: MIT
 * Reading the games of a database with data of their runs. */
#include "selfplay/run/stored_games.h"

#include <stdlib.h>

#include "db/chess/replay.h"
#include "db/tables/cursor.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "selfplay/run/run_config.h"

struct StoredGames {
    Store *store;
    GameCursor *cursor;
    RunRecord *runs;
    int run_count;
    RunRecord unknown;     /* a run that cannot be read */
    const RunRecord *run;  /* of the last game; NULL before the first */
    PlayerRecord *players; /* of that run, in order of number */
    SearchLimits *limits;  /* of the players, without any where they are unknown; or NULL */
    int player_count;
    Position *positions; /* [room] */
    bool *taken;         /* [room] */
    int64_t position_room, room;
};

StoredGames *stored_games_open(Store *store, bool salvage, Error *err)
{
    StoredGames *s = calloc(1, sizeof *s);

    if (!s) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    s->store = store;
    s->unknown = (RunRecord){.kind = RUN_IMPORT, .generation = -1};
    Status status = store_list_runs(store, 0, &s->runs, &s->run_count, salvage ? &(Error){0} : err);
    if (status == STATUS_OK || salvage)
        s->cursor =
            salvage ? store_read_salvage(store, err) : store_read_games(store, NULL, 0, 0, err);
    if (s->cursor) return s;
    stored_games_close(s);
    return NULL;
}

static void forget_run(StoredGames *s)
{
    store_free_players(s->players, s->player_count);
    free(s->limits);
    s->players = NULL;
    s->limits = NULL;
    s->player_count = 0;
}

void stored_games_close(StoredGames *s)
{
    if (!s) return;
    forget_run(s);
    game_cursor_close(s->cursor);
    store_free_runs(s->runs, s->run_count);
    free(s->positions);
    free(s->taken);
    free(s);
}

const RunRecord *stored_games_runs(const StoredGames *s, int *count)
{
    *count = s->run_count;
    return s->runs;
}

int64_t stored_games_lost(const StoredGames *s, bool *more)
{
    return game_cursor_lost(s->cursor, more);
}

/* ---- Who played */

static void look_up_run(StoredGames *s, int64_t run_id)
{
    if (s->run && s->run->run_id == run_id) return;
    forget_run(s);
    s->unknown.run_id = run_id;
    s->run = &s->unknown;
    for (int i = 0; i < s->run_count; i++)
        if (s->runs[i].run_id == run_id) s->run = &s->runs[i];
    if (store_list_players(s->store, run_id, &s->players, &s->player_count, &(Error){0}) !=
        STATUS_OK)
        return; /* the list is empty */
    s->limits = calloc((size_t)s->player_count + 1, sizeof *s->limits);
    for (int i = 0; s->limits && i < s->player_count; i++) {
        Status status =
            run_config_read_limits(s->store, s->players[i].config, &s->limits[i], &(Error){0});
        (void)status; /* they are unknown then */
    }
}

static int compare_number(const void *number, const void *player)
{
    int a = *(const int *)number, b = ((const PlayerRecord *)player)->player_no;
    return (a > b) - (a < b);
}

/* Sets the name of a player, and its limits where they are known. */
static void look_up_player(const StoredGames *s, int number, const char **name,
                           const SearchLimits **limits)
{
    const PlayerRecord *player = NULL;

    if (s->player_count > 0)
        player = bsearch(&number, s->players, (size_t)s->player_count, sizeof *s->players,
                         compare_number);
    *name = player ? player->name : s->run->label[0] ? s->run->label : "?";
    const SearchLimits *l = player && s->limits ? &s->limits[player - s->players] : NULL;
    *limits = l && game_is_limited(l) ? l : NULL;
}

/* ---- Games */

Status stored_games_next(StoredGames *s, ExportGame *game, Error *err)
{
    int64_t run_id;

    *game = (ExportGame){0};
    Status status = game_cursor_next(s->cursor, &game->record, NULL, &run_id, err);
    if (status != STATUS_OK || !game->record) return status;
    look_up_run(s, run_id);
    game->run = s->run;
    look_up_player(s, game->record->white, &game->white, &game->limits[WHITE]);
    look_up_player(s, game->record->black, &game->black, &game->limits[BLACK]);
    return STATUS_OK;
}

Status stored_games_replay(StoredGames *s, ExportGame *game, const PositionFilter *filter,
                           Error *err)
{
    const GameRecord *record = game->record;
    int64_t count = record->ply_count + 1;

    Status status = ARRAY_RESERVE(s->positions, s->position_room, count, err);
    if (status == STATUS_OK) status = ARRAY_RESERVE(s->taken, s->room, count, err);
    if (status == STATUS_OK) status = replay_line(record, s->positions, err);
    if (status != STATUS_OK) return status;
    if ((unsigned)record->result > RESULT_WHITE_WINS)
        return error_set(err, STATUS_BAD_INPUT, "game %lld: result %d", (long long)record->game_no,
                         (int)record->result);
    game->positions = s->positions;
    game->taken = filter ? s->taken : NULL;
    for (int i = 0; filter && i < record->ply_count; i++)
        s->taken[i] = position_filter_drops(filter, record, i, &s->positions[i]) == DROP_NONE;
    return STATUS_OK;
}
