/* SPDX-License-Identifier: MIT
 * Reading the games of a database with data of their runs. */
#include "selfplay/run/stored_games.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "selfplay/run/run_config.h"

/* A run with its players. */
typedef struct KnownRun {
    const RunRecord *run;
    RunRecord unknown;     /* instead, if it cannot be read */
    PlayerRecord *players; /* in order of number */
    SearchLimits *limits;  /* of the players, without any where they are unknown; or NULL */
    int player_count;
    struct KnownRun *next;
} KnownRun;

struct StoredGames {
    Store *store;
    GameCursor *cursor;
    RunRecord *runs;
    int run_count;
    KnownRun *known; /* of the games so far, the last one's first */
};

StoredGames *stored_games_open(Store *store, bool salvage, Error *err)
{
    StoredGames *s = calloc(1, sizeof *s);

    if (!s) return ERROR_NULL(err, STATUS_FAILED, "out of memory");
    s->store = store;
    Status status = store_list_runs(store, 0, &s->runs, &s->run_count, salvage ? &(Error){0} : err);
    if (status == STATUS_OK || salvage)
        s->cursor =
            salvage ? store_read_salvage(store, err) : store_read_games(store, NULL, 0, 0, err);
    if (s->cursor) return s;
    stored_games_close(s);
    return NULL;
}

void stored_games_close(StoredGames *s)
{
    if (!s) return;
    game_cursor_close(s->cursor);
    while (s->known) {
        KnownRun *known = s->known;
        s->known = known->next;
        store_free_players(known->players, known->player_count);
        free(known->limits);
        free(known);
    }
    store_free_runs(s->runs, s->run_count);
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

static void read_players(const StoredGames *s, KnownRun *known)
{
    if (store_list_players(s->store, known->run->run_id, &known->players, &known->player_count,
                           &(Error){0}) != STATUS_OK)
        return; /* the list is empty */
    known->limits = calloc((size_t)known->player_count + 1, sizeof *known->limits);
    for (int i = 0; known->limits && i < known->player_count; i++) {
        Status status = run_config_read_limits(s->store, known->players[i].config,
                                               &known->limits[i], &(Error){0});
        (void)status; /* they are unknown then */
    }
}

/* Moves the run to the front of the known ones. */
static Status look_up_run(StoredGames *s, int64_t run_id, Error *err)
{
    KnownRun **at = &s->known;

    while (*at && (*at)->run->run_id != run_id)
        at = &(*at)->next;
    KnownRun *known = *at;
    if (known) {
        *at = known->next;
    } else {
        known = calloc(1, sizeof *known);
        if (!known) return error_set(err, STATUS_FAILED, "out of memory");
        known->unknown = (RunRecord){.run_id = run_id, .kind = RUN_IMPORT, .generation = -1};
        known->run = &known->unknown;
        for (int i = 0; i < s->run_count; i++)
            if (s->runs[i].run_id == run_id) known->run = &s->runs[i];
        read_players(s, known);
    }
    known->next = s->known;
    s->known = known;
    return STATUS_OK;
}

static int compare_number(const void *number, const void *player)
{
    int a = *(const int *)number, b = ((const PlayerRecord *)player)->player_no;
    return (a > b) - (a < b);
}

/* Sets the name of a player, and its limits where they are known. */
static void look_up_player(const KnownRun *known, int number, const char **name,
                           const SearchLimits **limits)
{
    const PlayerRecord *player = NULL;
    const char *label = known->run->label;

    if (known->player_count > 0)
        player = bsearch(&number, known->players, (size_t)known->player_count,
                         sizeof *known->players, compare_number);
    *name = player ? player->name : label[0] ? label : "?";
    const SearchLimits *l =
        player && known->limits ? &known->limits[player - known->players] : NULL;
    *limits = l && game_is_limited(l) ? l : NULL;
}

/* ---- Games */

void stored_game_free(StoredGame *game)
{
    batch_game_free(&game->copy);
    free(game->positions);
    free(game->taken);
}

Status stored_games_next(StoredGames *s, StoredGame *to, bool *found, Error *err)
{
    ExportGame *game = &to->game;
    const GameRecord *record = &to->copy.record;

    *game = (ExportGame){.record = record};
    Status status = batch_game_read(&to->copy, s->cursor, found, err);
    if (status != STATUS_OK || !*found) return status;
    status = look_up_run(s, to->copy.run_id, err);
    if (status != STATUS_OK) return status;
    game->run = s->known->run;
    look_up_player(s->known, record->white, &game->white, &game->limits[WHITE]);
    look_up_player(s->known, record->black, &game->black, &game->limits[BLACK]);
    return STATUS_OK;
}

Status stored_game_replay(StoredGame *s, const PositionFilter *filter, Error *err)
{
    const GameRecord *record = s->game.record;
    int64_t count = record->ply_count + 1;

    Status status = ARRAY_RESERVE(s->positions, s->room, count, err);
    if (status == STATUS_OK) status = ARRAY_RESERVE(s->taken, s->taken_room, count, err);
    if (status == STATUS_OK) status = replay_line(record, s->positions, err);
    if (status != STATUS_OK) return status;
    if ((unsigned)record->result > RESULT_WHITE_WINS)
        return error_set(err, STATUS_BAD_INPUT, "game %lld: result %d", (long long)record->game_no,
                         (int)record->result);
    s->game.positions = s->positions;
    s->game.taken = filter ? s->taken : NULL;
    memset(s->dropped, 0, sizeof s->dropped);
    for (int i = 0; filter && i < record->ply_count; i++) {
        DropReason reason = position_filter_drops(filter, record, i, &s->positions[i]);
        s->taken[i] = reason == DROP_NONE;
        if (!s->taken[i]) s->dropped[reason]++;
    }
    return STATUS_OK;
}
