/* SPDX-License-Identifier: MIT
 * Data sets from stored games: batches of games replayed side by side, joined in canonical order.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/movegen.h"
#include "engine/position_make.h"
#include "engine/search.h"
#include "engine/see.h"
#include "tuner/dataset_internal.h"

/* Games replayed at a time, in groups that one thread takes. */
enum { GROUP_GAMES = 16, BATCH_GROUPS = 64 };

typedef struct ReplayGroup {
    int count;
    GameRecord games[GROUP_GAMES]; /* copies; plies owned */
    int64_t game_ids[GROUP_GAMES];
    int16_t generations[GROUP_GAMES]; /* of their runs */
    Dataset *data;
    Status status;
    Error error;
} ReplayGroup;

/* ---- Filters */

static bool captures_win(const Position *pos)
{
    MoveList noisy;
    movegen_noisy(pos, &noisy);
    for (int i = 0; i < noisy.count; i++)
        if (see_at_least(pos, noisy.moves[i], see_value[PAWN])) return true;
    return false;
}

bool dataset_filter_takes(const DatasetFilter *filter, const GameRecord *game, int ply,
                          const Position *pos, DatasetStats *stats)
{
    DatasetStats uncounted = {0};
    int score = game->plies[ply].score;
    Move move = game->plies[ply].move;
    int64_t *dropped = NULL;

    if (!stats) stats = &uncounted;
    if (filter->drop_drawn && game->result == RESULT_DRAW)
        dropped = &stats->dropped_drawn;
    else if (ply < filter->min_ply || (filter->max_ply > 0 && ply > filter->max_ply))
        dropped = &stats->dropped_ply;
    else if (score == SCORE_UNKNOWN && !filter->keep_unscored)
        dropped = &stats->dropped_unscored;
    else if (score != SCORE_UNKNOWN && (abs(score) >= VALUE_MATE_IN_MAX ||
                                        (filter->max_score > 0 && abs(score) > filter->max_score)))
        dropped = &stats->dropped_score;
    else if (!filter->keep_checks && position_in_check(pos))
        dropped = &stats->dropped_check;
    else if (!filter->keep_noisy && move_is_noisy(move))
        dropped = &stats->dropped_noisy;
    else if (filter->require_quiet && captures_win(pos))
        dropped = &stats->dropped_unquiet;

    if (dropped) (*dropped)++;
    return dropped == NULL;
}

/* ---- Replay */

static Status replay_game(Dataset *data, const GameRecord *game, int32_t number,
                          const DatasetFilter *filter, Error *err)
{
    Position pos[2];
    Status status = position_from_fen(&pos[0], game->start_fen, err);

    if (status != STATUS_OK) return status;
    for (int ply = 0; ply < game->ply_count; ply++) {
        const Position *now = &pos[ply & 1];
        Move move = game->plies[ply].move;
        if (!movegen_is_legal(now, move))
            return error_set(err, STATUS_BAD_INPUT, "the move of ply %d is not legal", ply);
        data->stats.positions_read++;
        if (dataset_filter_takes(filter, game, ply, now, &data->stats)) {
            status = dataset_add_filtered(data, now, filter, game->result, game->plies[ply].score,
                                          number, err);
            if (status != STATUS_OK) return status;
        }
        position_make(&pos[~ply & 1], now, move);
    }
    data->stats.games_read++;
    return STATUS_OK;
}

/* Games that give no position get no number. */
static void replay_group(ReplayGroup *group, const DatasetFilter *filter)
{
    group->status = dataset_create(&group->data, &group->error);
    if (group->status == STATUS_OK) group->data->terms = filter->terms;
    for (int i = 0; i < group->count && group->status == STATUS_OK; i++) {
        group->data->reading = group->generations[i];
        group->status =
            replay_game(group->data, &group->games[i], group->data->games, filter, &group->error);
        if (group->status != STATUS_OK)
            (void)error_prefix(&group->error, "game %lld (number %lld of its run)",
                               (long long)group->game_ids[i], (long long)group->games[i].game_no);
    }
}

/* ---- The store */

static bool run_wanted(const RunRecord *run, int first_generation, int last_generation,
                       const DatasetFilter *filter)
{
    if (run->kind != RUN_SELFPLAY && run->kind != RUN_IMPORT) return false;
    if (filter->last_run > 0 && (run->run_id < filter->first_run || run->run_id > filter->last_run))
        return false;
    return last_generation < 0 ||
           (run->generation >= first_generation && run->generation <= last_generation);
}

static int by_uuid(const void *a, const void *b)
{
    const RunRecord *const *x = a, *const *y = b;
    return strcmp((*x)->uuid, (*y)->uuid);
}

/* The runs that are read. */
typedef struct Chosen {
    int count;
    int64_t *id;         /* in order of their uuids, so that the reading order does not depend on
                            the order in which databases were merged */
    int16_t *generation; /* beside them */
} Chosen;

static void keep_chosen(const RunRecord **runs, Chosen *chosen)
{
    qsort(runs, (size_t)chosen->count, sizeof *runs, by_uuid);
    for (int i = 0; i < chosen->count; i++) {
        chosen->id[i] = runs[i]->run_id;
        chosen->generation[i] = (int16_t)runs[i]->generation;
    }
}

static Status choose_runs(Store *store, int first_generation, int last_generation,
                          const DatasetFilter *filter, Chosen *chosen, Error *err)
{
    RunRecord *runs = NULL;
    const RunRecord **wanted = NULL;
    int run_count = 0;

    Status status = store_list_runs(store, 0, &runs, &run_count, err);
    if (status != STATUS_OK) return status;
    size_t room = (size_t)run_count + 1;
    wanted = malloc(room * sizeof *wanted);
    chosen->id = malloc(room * sizeof *chosen->id);
    chosen->generation = malloc(room * sizeof *chosen->generation);
    if (wanted && chosen->id && chosen->generation) {
        for (int i = 0; i < run_count; i++)
            if (run_wanted(&runs[i], first_generation, last_generation, filter))
                wanted[chosen->count++] = &runs[i];
        keep_chosen(wanted, chosen);
    } else {
        status = error_set(err, STATUS_FAILED, "out of memory for the list of runs");
    }
    free(wanted);
    store_free_runs(runs, run_count);
    return status;
}

static int16_t generation_of(const Chosen *chosen, int64_t run_id)
{
    for (int i = 0; i < chosen->count; i++)
        if (chosen->id[i] == run_id) return chosen->generation[i];
    return -1;
}

static Status copy_game(GameRecord *to, const GameRecord *from, Error *err)
{
    *to = *from;
    to->plies = malloc(((size_t)from->ply_count + 1) * sizeof *to->plies);
    if (!to->plies) return error_set(err, STATUS_FAILED, "out of memory for a game");
    if (from->ply_count > 0)
        memcpy(to->plies, from->plies, (size_t)from->ply_count * sizeof *to->plies);
    return STATUS_OK;
}

/* Fills groups from the cursor; *count is 0 at the end of the games. */
static Status fetch_batch(GameCursor *cursor, const Chosen *chosen, ReplayGroup *groups, int *count,
                          Error *err)
{
    const GameRecord *game = NULL;
    int64_t run_id;

    for (*count = 0; *count < BATCH_GROUPS;) {
        ReplayGroup *group = &groups[*count];
        for (group->count = 0; group->count < GROUP_GAMES; group->count++) {
            Status status =
                game_cursor_next(cursor, &game, &group->game_ids[group->count], &run_id, err);
            if (status != STATUS_OK) return status;
            if (!game) break;
            group->generations[group->count] = generation_of(chosen, run_id);
            status = copy_game(&group->games[group->count], game, err);
            if (status != STATUS_OK) return status;
        }
        if (group->count > 0) (*count)++;
        if (!game) break;
    }
    return STATUS_OK;
}

static void clear_groups(ReplayGroup *groups)
{
    for (int g = 0; g < BATCH_GROUPS; g++) {
        for (int i = 0; i < GROUP_GAMES; i++) {
            free(groups[g].games[i].plies);
            groups[g].games[i].plies = NULL;
        }
        dataset_destroy(groups[g].data);
        groups[g].data = NULL;
    }
}

static Status read_games(GameCursor *cursor, const Chosen *chosen, const DatasetFilter *filter,
                         int threads, ReplayGroup *groups, Dataset *data, Error *err)
{
    for (int count = 1; count > 0;) {
        Status status = fetch_batch(cursor, chosen, groups, &count, err);
        if (status != STATUS_OK) return status;

#pragma omp parallel for default(none) shared(groups, count, filter) num_threads(threads)          \
    schedule(dynamic)
        for (int g = 0; g < count; g++)
            replay_group(&groups[g], filter);

        for (int g = 0; g < count; g++) {
            if (groups[g].status != STATUS_OK) {
                if (err) *err = groups[g].error;
                return groups[g].status;
            }
            status = dataset_append(data, groups[g].data, data->games, err);
            if (status != STATUS_OK) return status;
        }
        clear_groups(groups);
    }
    return STATUS_OK;
}

Status dataset_from_store(Store *store, int first_generation, int last_generation,
                          const DatasetFilter *filter, int threads, Dataset **data, Error *err)
{
    Chosen chosen = {0};
    GameCursor *cursor = NULL;
    Dataset *built = NULL;
    ReplayGroup *groups = calloc(BATCH_GROUPS, sizeof *groups);
    Status status = STATUS_FAILED;
    Error ignored;

    if (!err) err = &ignored;
    *data = NULL;
    if (!groups) {
        (void)error_set(err, status, "out of memory for replaying games");
        goto cleanup;
    }
    status = choose_runs(store, first_generation, last_generation, filter, &chosen, err);
    if (status != STATUS_OK) goto cleanup;
    if (chosen.count == 0) {
        status = error_set(err, STATUS_BAD_INPUT,
                           "%s: no self-play games of the generations or runs asked for",
                           store_path(store));
        goto cleanup;
    }
    cursor = store_read_games(store, chosen.id, chosen.count, 0, err);
    status = cursor ? dataset_create(&built, err) : err->status;
    if (status == STATUS_OK) built->scratch = filter->scratch;
    if (status == STATUS_OK)
        status = read_games(cursor, &chosen, filter, threads, groups, built, err);
    if (status == STATUS_BAD_INPUT) (void)error_prefix(err, "%s", store_path(store));
    if (status == STATUS_OK && built->positions == 0)
        status = error_set(err, STATUS_BAD_INPUT,
                           "%s: none of the %lld positions of %lld games passes the filters",
                           store_path(store), (long long)built->stats.positions_read,
                           (long long)built->stats.games_read);
    if (status == STATUS_OK) status = dataset_finish(built, threads, err);
    if (status == STATUS_OK) {
        *data = built;
        built = NULL;
    }

cleanup:
    game_cursor_close(cursor);
    if (groups) clear_groups(groups);
    free(groups);
    free(chosen.id);
    free(chosen.generation);
    dataset_destroy(built);
    return status;
}
