/* SPDX-License-Identifier: MIT
 * Picking games of a database, and writing parts. */
#include "db/chess/game_pick.h"

#include <stdlib.h>

#include "db/chess/replay.h"
#include "db/store/new_store.h"
#include "db/tables/cursor.h"
#include "db/tables/merge.h"
#include "engine/base/array.h"
#include "engine/base/pcg.h"

enum { RESULT_BITS = 2 }; /* the lowest bits of a position's key hold the result */

/* ---- Reading */

static int by_rank(const void *a, const void *b)
{
    const PickedGame *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Replays a game. */
static Status add_positions(GamePick *pick, const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = ARRAY_RESERVE(pick->positions, pick->position_capacity,
                                  pick->position_count + game->ply_count, err);
    if (status == STATUS_OK) status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        pick->positions[pick->position_count++] =
            (int64_t)(replay_position(&replay)->key >> RESULT_BITS << RESULT_BITS |
                      (uint64_t)game->result);
        status = replay_next(&replay, err);
    }
    return status;
}

static Status read_games(GamePick *pick, GameCursor *cursor, uint64_t seed, bool with_positions,
                         Error *err)
{
    const GameRecord *game;
    int64_t game_id;
    Status status;

    while ((status = game_cursor_next(cursor, &game, &game_id, NULL, err)) == STATUS_OK && game) {
        status = ARRAY_RESERVE(pick->games, pick->capacity, pick->count + 1, err);
        if (status == STATUS_OK && with_positions) status = add_positions(pick, game, err);
        if (status != STATUS_OK) break;
        uint64_t hash = game_record_hash(game);
        pick->games[pick->count] = (PickedGame){.hash = hash,
                                                .rank = mix64(hash ^ mix64(seed)),
                                                .number = pick->count,
                                                .game_id = game_id,
                                                .plies = game->ply_count,
                                                .part = -1,
                                                .result = game->result};
        pick->count++;
    }
    return status;
}

Status game_pick_read(GamePick *pick, const char *path, uint64_t seed, bool with_positions,
                      const atomic_int *interrupted, Error *err)
{
    Store *store = store_open_watched(path, STORE_READ, interrupted, err);
    bool begun = store && store_begin_reading(store, err) == STATUS_OK; /* another may write */
    GameCursor *cursor = begun ? store_read_games(store, NULL, 0, 0, err) : NULL;
    Status status = cursor ? read_games(pick, cursor, seed, with_positions, err) : err->status;

    if (status == STATUS_BAD_INPUT && cursor) status = error_prefix(err, "%s", path);
    game_cursor_close(cursor);
    store_close(store);
    if (pick->count > 0) qsort(pick->games, (size_t)pick->count, sizeof *pick->games, by_rank);
    return status;
}

void game_pick_free(GamePick *pick)
{
    free(pick->games);
    free(pick->positions);
}

/* ---- Picking */

/* The hash is a number in [0, 1): below the first share of their sum is part 0, and so on. */
void game_pick_shares(GamePick *pick, const double *shares, int parts)
{
    double sum = 0;

    for (int k = 0; k < parts; k++)
        sum += shares[k];
    for (int64_t i = 0; i < pick->count; i++) {
        double at = (double)(pick->games[i].hash >> 11) * 0x1p-53 * sum, end = shares[0];
        int k = 0;
        while (k < parts - 1 && at >= end)
            end += shares[++k];
        pick->games[i].part = k;
    }
}

static bool is_copy(const GamePick *pick, int64_t i)
{
    return i > 0 && pick->games[i].rank == pick->games[i - 1].rank;
}

void game_pick_counts(GamePick *pick, const double *counts, int parts, bool rest)
{
    int64_t at = 0;

    for (int k = 0; k < parts; k++)
        for (int64_t n = 0; at < pick->count; n++, at++) {
            bool full = (double)n >= counts[k] && !(n > 0 && is_copy(pick, at));
            if (full && !(rest && k == parts - 1)) break;
            pick->games[at].part = k;
        }
}

void game_pick_sample(GamePick *pick, double games, double positions)
{
    int64_t plies = 0;

    for (int64_t i = 0; i < pick->count && (double)i < games && (double)plies < positions; i++) {
        pick->games[i].part = 0;
        plies += pick->games[i].plies;
    }
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void count_positions(GamePick *pick, DuplicateGames *found)
{
    int64_t *keys = pick->positions;
    bool contradicts = false;

    found->positions = pick->position_count;
    if (found->positions > 0) qsort(keys, (size_t)found->positions, sizeof *keys, by_number);
    for (int64_t i = 0; i < found->positions; i++) {
        bool same = i > 0 && keys[i] >> RESULT_BITS == keys[i - 1] >> RESULT_BITS;
        if (!same) {
            found->different_positions++;
            contradicts = false;
        } else if (!contradicts && keys[i] != keys[i - 1]) {
            found->contradicting_positions++;
            contradicts = true;
        }
    }
}

void game_pick_different(GamePick *pick, DuplicateGames *found)
{
    GameResult result = RESULT_DRAW; /* of the first of equal games */

    *found = (DuplicateGames){.games = pick->count};
    for (int64_t i = 0; i < pick->count; i++) {
        PickedGame *game = &pick->games[i];
        bool copy = is_copy(pick, i);
        if (!copy) result = game->result;
        game->part = copy ? -1 : 0;
        found->duplicates += copy;
        found->contradicting += copy && game->result != result;
    }
    count_positions(pick, found);
}

/* ---- Writing parts */

static int by_part(const void *a, const void *b)
{
    const PickedGame *x = a, *y = b;
    if (x->part != y->part) return x->part - y->part;
    return x->game_id < y->game_id ? -1 : x->game_id > y->game_id;
}

/* The games of `from` with these game_ids as a new database, still without its name. */
static Status write_part(const char *from, const GamePart *part, NewStore *fresh,
                         const int64_t *ids, const atomic_int *interrupted, Error *err)
{
    const MergeOptions options = {.game_ids = ids, .count = part->games, .mixed = true};
    MergeCounts counts;

    Status status = new_store_open(fresh, part->file, err);
    if (status) return status;
    store_watch(fresh->store, interrupted);
    status = store_merge(fresh->store, from, &options, &counts, err);
    if (status == STATUS_OK && counts.added != part->games)
        status = error_set(err, STATUS_FAILED,
                           "%s: another process changed it meanwhile; repeat the command", from);
    return status == STATUS_OK ? new_store_close(fresh, err) : status;
}

static Status write_parts(const GamePick *pick, const char *from, GamePart *made, NewStore *fresh,
                          int parts, int64_t *ids, const atomic_int *interrupted, Error *err)
{
    const PickedGame *game = pick->games, *end = game + pick->count;
    Status status = STATUS_OK;
    int named = 0;

    while (game < end && game->part < 0)
        game++;
    for (int i = 0; i < parts && status == STATUS_OK; i++) {
        made[i].games = made[i].plies = 0;
        for (; game < end && game->part == i; game++) {
            ids[made[i].games++] = game->game_id;
            made[i].plies += game->plies;
        }
        status = write_part(from, &made[i], &fresh[i], ids, interrupted, err);
    }
    for (; named < parts && status == STATUS_OK; named++)
        status = new_store_commit(&fresh[named], err);
    for (int i = 0; i < parts; i++) {
        new_store_discard(&fresh[i]);
        if (status != STATUS_OK && i < named - 1) store_remove(made[i].file);
    }
    return status;
}

Status game_pick_write(GamePick *pick, const char *from, GamePart *made, int parts,
                       const atomic_int *interrupted, Error *err)
{
    int64_t *ids = malloc(((size_t)pick->count + 1) * sizeof *ids);
    NewStore *fresh = calloc((size_t)parts, sizeof *fresh);

    if (pick->count > 0) qsort(pick->games, (size_t)pick->count, sizeof *pick->games, by_part);
    Status status = ids && fresh
                        ? write_parts(pick, from, made, fresh, parts, ids, interrupted, err)
                        : error_set(err, STATUS_FAILED, "out of memory for the list of games");
    free(ids);
    free(fresh);
    return status;
}
