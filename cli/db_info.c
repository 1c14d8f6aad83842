/* SPDX-License-Identifier: MIT
 * `tabia db info`: one pass over the games, then two ways to print it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/db_verbs.h"
#include "cli/json.h"
#include "engine/types.h"

enum { LENGTH_BIN = 20, LENGTH_BINS = 16, REASONS = 16, BAR_WIDTH = 40 };

/* Upper ends of the score bins, centipawns; the last bin takes the rest, mates have their own. */
static const int score_ends[] = {-1000, -500, -200, -100, -50, -20, 20, 50, 100, 200, 500, 1000};
enum { SCORE_BINS = (int)(sizeof score_ends / sizeof *score_ends) + 1 };

typedef struct DbInfo {
    RunRecord *runs;
    int run_count;
    GameCounts *of_run; /* [run_count] */
    GameCounts all;
    int64_t positions; /* readable rows */
    int shortest, longest;
    int64_t lengths[LENGTH_BINS]; /* games by plies: [0] below 20, … the last is open */
    int64_t scores[SCORE_BINS];   /* plies by White's score */
    int64_t white_mates, black_mates, unscored;
} DbInfo;

static void free_info(DbInfo *info)
{
    store_free_runs(info->runs, info->run_count);
    free(info->of_run);
}

static void count_score(DbInfo *info, int score)
{
    int bin = 0;

    if (score == SCORE_UNKNOWN) {
        info->unscored++;
    } else if (abs(score) > VALUE_MATE_IN_MAX) {
        ++*(score > 0 ? &info->white_mates : &info->black_mates);
    } else {
        while (bin < SCORE_BINS - 1 && score >= score_ends[bin])
            bin++;
        info->scores[bin]++;
    }
}

static void count_game(DbInfo *info, const GameRecord *game)
{
    int bin = game->ply_count / LENGTH_BIN;

    info->lengths[bin < LENGTH_BINS ? bin : LENGTH_BINS - 1]++;
    if (game->ply_count < info->shortest || info->shortest < 0) info->shortest = game->ply_count;
    if (game->ply_count > info->longest) info->longest = game->ply_count;
    for (int i = 0; i < game->ply_count; i++)
        count_score(info, game->plies[i].score);
}

static Status read_games(Store *store, DbInfo *info, Error *err)
{
    const GameRecord *game;
    Status status;

    GameCursor *cursor = store_read_games(store, NULL, 0, 0, err);
    if (!cursor) return err->status;
    info->shortest = -1;
    while ((status = game_cursor_next(cursor, &game, NULL, NULL, err)) == STATUS_OK && game)
        count_game(info, game);
    if (info->shortest < 0) info->shortest = 0;
    game_cursor_close(cursor);
    return status;
}

static Status read_info(Store *store, DbInfo *info, Error *err)
{
    Status status = store_list_runs(store, 0, &info->runs, &info->run_count, err);
    if (status) return status;
    info->of_run = calloc((size_t)info->run_count + 1, sizeof *info->of_run);
    if (!info->of_run) return error_set(err, STATUS_FAILED, "out of memory");
    for (int i = 0; i < info->run_count && status == STATUS_OK; i++)
        status = store_count_games(store, info->runs[i].run_id, &info->of_run[i], err);
    if (status == STATUS_OK) status = store_count_games(store, 0, &info->all, err);
    if (status == STATUS_OK) status = store_count_positions(store, &info->positions, err);
    return status ? status : read_games(store, info, err);
}

/* ---- Text */

static double share(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void print_row(const char *name, int64_t count, int64_t whole)
{
    double part = share(count, whole);

    printf("  %-22s %12" PRId64 "  %5.1f %%", name, count, 100 * part);
    int width = (int)(BAR_WIDTH * part + 0.5);
    printf("%s%.*s\n", width ? "  " : "", width, "########################################");
}

static void print_runs(const DbInfo *info)
{
    printf(
        "\n  run  kind      gen  games      1-0  1/2-1/2      0-1  started               label\n");
    for (int i = 0; i < info->run_count; i++) {
        const RunRecord *run = &info->runs[i];
        const GameCounts *c = &info->of_run[i];
        char generation[16] = "-";
        if (run->generation >= 0)
            (void)snprintf(generation, sizeof generation, "%d", run->generation);
        printf("%5" PRId64 "  %-8s  %3s %6" PRId64 " %8" PRId64 " %8" PRId64 " %8" PRId64
               "  %-20s  %s%s\n",
               run->run_id, run_kind_name(run->kind), generation, c->games, c->wins, c->draws,
               c->losses, run->started, run->label, run->finished[0] ? "" : " (unfinished)");
    }
}

static void score_bin_name(int bin, char out[32])
{
    if (bin == 0)
        (void)snprintf(out, 32, "below %d", score_ends[0]);
    else if (bin == SCORE_BINS - 1)
        (void)snprintf(out, 32, "%d and above", score_ends[bin - 1]);
    else
        (void)snprintf(out, 32, "%d to %d", score_ends[bin - 1], score_ends[bin] - 1);
}

static void length_bin_name(int bin, char out[32])
{
    if (bin == LENGTH_BINS - 1)
        (void)snprintf(out, 32, "%d and above", LENGTH_BIN * bin);
    else
        (void)snprintf(out, 32, "%d to %d", LENGTH_BIN * bin, LENGTH_BIN * bin + LENGTH_BIN - 1);
}

static void print_distributions(const DbInfo *info)
{
    const GameCounts *all = &info->all;
    char name[32];

    printf("\nEnds\n");
    for (int i = 1; i < REASONS; i++)
        if (all->reasons[i]) print_row(reason_name((GameReason)i), all->reasons[i], all->games);
    printf("\nLengths in plies (%d to %d, mean %.1f)\n", info->shortest, info->longest,
           share(all->plies, all->games));
    for (int i = 0; i < LENGTH_BINS; i++) {
        length_bin_name(i, name);
        if (info->lengths[i]) print_row(name, info->lengths[i], all->games);
    }
    printf("\nScores of the moves played, centipawns, White's view\n");
    if (info->black_mates) print_row("Black mates", info->black_mates, all->plies);
    for (int i = 0; i < SCORE_BINS; i++) {
        score_bin_name(i, name);
        if (info->scores[i]) print_row(name, info->scores[i], all->plies);
    }
    if (info->white_mates) print_row("White mates", info->white_mates, all->plies);
    if (info->unscored) print_row("not searched", info->unscored, all->plies);
}

static void print_text(const Store *store, const DbInfo *info)
{
    const GameCounts *all = &info->all;

    printf("%s: %d run%s, %" PRId64 " games, %" PRId64 " plies, %" PRId64
           " readable positions, %" PRId64 " nodes\n",
           store_path(store), info->run_count, info->run_count == 1 ? "" : "s", all->games,
           all->plies, info->positions, all->nodes);
    if (info->run_count) print_runs(info);
    if (all->games == 0) return;
    printf("\nResults\n");
    print_row("1-0", all->wins, all->games);
    print_row("1/2-1/2", all->draws, all->games);
    print_row("0-1", all->losses, all->games);
    print_distributions(info);
}

/* ---- JSON */

static void json_counts(JsonWriter *w, const GameCounts *c)
{
    json_int(w, "games", c->games);
    json_int(w, "plies", c->plies);
    json_int(w, "nodes", c->nodes);
    json_int(w, "wins", c->wins);
    json_int(w, "draws", c->draws);
    json_int(w, "losses", c->losses);
    json_object(w, "reasons");
    for (int i = 1; i < REASONS; i++)
        if (c->reasons[i]) json_int(w, reason_name((GameReason)i), c->reasons[i]);
    json_end_object(w);
}

static void json_run(JsonWriter *w, const RunRecord *run, const GameCounts *counts)
{
    json_object(w, NULL);
    json_int(w, "run_id", run->run_id);
    json_string(w, "uuid", run->uuid);
    json_string(w, "kind", run_kind_name(run->kind));
    json_string(w, "label", run->label);
    json_uint(w, "seed", run->seed);
    json_int(w, "generation", run->generation);
    json_string(w, "weights_a", run->weights[0][0] ? run->weights[0] : NULL);
    json_string(w, "weights_b", run->weights[1][0] ? run->weights[1] : NULL);
    json_string(w, "program", run->program);
    json_string(w, "started", run->started);
    json_string(w, "finished", run->finished[0] ? run->finished : NULL);
    json_counts(w, counts);
    json_end_object(w);
}

static void json_bin(JsonWriter *w, const char *name, int64_t count)
{
    if (count) json_int(w, name, count);
}

static void print_json(const Store *store, const DbInfo *info)
{
    JsonWriter w;
    char name[32];

    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_string(&w, "file", store_path(store));
    json_counts(&w, &info->all);
    json_int(&w, "positions", info->positions);
    json_object(&w, "lengths");
    for (int i = 0; i < LENGTH_BINS; i++) {
        length_bin_name(i, name);
        json_bin(&w, name, info->lengths[i]);
    }
    json_end_object(&w);
    json_object(&w, "scores");
    for (int i = 0; i < SCORE_BINS; i++) {
        score_bin_name(i, name);
        json_bin(&w, name, info->scores[i]);
    }
    json_bin(&w, "White mates", info->white_mates);
    json_bin(&w, "Black mates", info->black_mates);
    json_bin(&w, "not searched", info->unscored);
    json_end_object(&w);
    json_array(&w, "runs");
    for (int i = 0; i < info->run_count; i++)
        json_run(&w, &info->runs[i], &info->of_run[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

static Status print_info(Store *store, bool json, Error *err)
{
    DbInfo info = {0};

    Status status = read_info(store, &info, err);
    if (status == STATUS_OK) (json ? print_json : print_text)(store, &info);
    free_info(&info);
    return status;
}

Status db_verb_info(const DbOptions *options, int count, const char **arguments, Error *err)
{
    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = print_info(store, options->common.json, err);
    store_close(store);
    return status;
}
