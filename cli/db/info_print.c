/* SPDX-License-Identifier: MIT
 * The content of a database as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/db/info.h"
#include "engine/base/json.h"

enum { BAR_WIDTH = 40 };

static const char *const phase_names[GAME_PHASES] = {"opening", "middlegame", "endgame"};

static int reason_count(void)
{
    return (int)(sizeof((GameCounts *)0)->reasons / sizeof((GameCounts *)0)->reasons[0]);
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
        const GameCounts *c = &info->of_run[i].counts;
        char generation[16] = "-";
        if (run->generation >= 0)
            (void)snprintf(generation, sizeof generation, "%d", run->generation);
        printf("%5" PRId64 "  %-8s  %3s %6" PRId64 " %8" PRId64 " %8" PRId64 " %8" PRId64
               "  %-20s  %s%s\n",
               run->run_id, run_kind_name(run->kind), generation, c->games, c->wins, c->draws,
               c->losses, run->started, run->label, run->finished[0] ? "" : " (unfinished)");
    }
}

/* One line of figures for a run or a generation. */
static void print_figures(const char *name, const InfoGroup *g)
{
    const GameCounts *c = &g->counts;
    int64_t mates = g->white_mates + g->black_mates;

    printf("  %-8s %8" PRId64 " %6.1f %6.1f %6.1f %7.1f %9" PRId64, name, c->games,
           100 * share(c->wins, c->games), 100 * share(c->draws, c->games),
           100 * share(c->losses, c->games), share(c->plies, c->games), g->openings);
    for (int i = 0; i < GAME_PHASES; i++)
        printf(" %6.1f", 100 * share(g->phases[i], c->plies));
    printf(" %6.1f %9.0f\n", 100 * share(mates, c->plies), share(c->nodes, c->plies));
}

static void print_figures_header(const char *what)
{
    printf("\n  %-8s %8s %6s %6s %6s %7s %9s %6s %6s %6s %6s %9s\n", what, "games", "1-0 %",
           "draw %", "0-1 %", "plies", "openings", "open %", "mid %", "end %", "mate %",
           "nodes/ply");
}

static void print_groups(const DbInfo *info)
{
    char name[24];

    if (info->run_count > 1) {
        print_figures_header("run");
        for (int i = 0; i < info->run_count; i++) {
            (void)snprintf(name, sizeof name, "%" PRId64, info->runs[i].run_id);
            print_figures(name, &info->of_run[i]);
        }
    }
    if (info->generation_count > 0) {
        print_figures_header("gen");
        for (int i = 0; i < info->generation_count; i++) {
            (void)snprintf(name, sizeof name, "%d", info->of_generation[i].generation);
            print_figures(name, &info->of_generation[i]);
        }
    }
}

static void score_bin_name(int bin, char out[32])
{
    if (bin == 0)
        (void)snprintf(out, 32, "below %d", info_score_ends[0]);
    else if (bin == SCORE_BINS - 1)
        (void)snprintf(out, 32, "%d and above", info_score_ends[bin - 1]);
    else
        (void)snprintf(out, 32, "%d to %d", info_score_ends[bin - 1], info_score_ends[bin] - 1);
}

static void length_bin_name(int bin, char out[32])
{
    if (bin == LENGTH_BINS - 1)
        (void)snprintf(out, 32, "%d and above", LENGTH_BIN * bin);
    else
        (void)snprintf(out, 32, "%d to %d", LENGTH_BIN * bin, LENGTH_BIN * bin + LENGTH_BIN - 1);
}

static void print_distributions(const InfoGroup *g)
{
    const GameCounts *all = &g->counts;
    char name[32];

    printf("\nEnds\n");
    for (int i = 1; i < reason_count(); i++)
        if (all->reasons[i]) print_row(reason_name((GameReason)i), all->reasons[i], all->games);
    printf("\nOpenings\n");
    print_row("different openings", g->openings, all->games);
    printf("\nLengths in plies (%d to %d, mean %.1f)\n", g->shortest, g->longest,
           share(all->plies, all->games));
    for (int i = 0; i < LENGTH_BINS; i++) {
        length_bin_name(i, name);
        if (g->lengths[i]) print_row(name, g->lengths[i], all->games);
    }
    printf(
        "\nPhases, by the pieces left (N and B 1, R 2, Q 4: opening above 16, endgame up to 8)\n");
    for (int i = 0; i < GAME_PHASES; i++)
        print_row(phase_names[i], g->phases[i], all->plies);
    printf("\nScores of the moves played, centipawns, White's view\n");
    if (g->black_mates) print_row("Black mates", g->black_mates, all->plies);
    for (int i = 0; i < SCORE_BINS; i++) {
        score_bin_name(i, name);
        if (g->scores[i]) print_row(name, g->scores[i], all->plies);
    }
    if (g->white_mates) print_row("White mates", g->white_mates, all->plies);
    if (g->unscored) print_row("not searched", g->unscored, all->plies);
}

void info_print_text(const Store *store, const DbInfo *info)
{
    const GameCounts *all = &info->all.counts;

    printf("%s: %d run%s, %" PRId64 " games, %" PRId64 " plies, %" PRId64
           " readable positions%s, %" PRId64 " nodes\n",
           store_path(store), info->run_count, info->run_count == 1 ? "" : "s", all->games,
           all->plies, info->positions,
           all->games && !info->positions ? " (tabia db materialize writes them)" : "", all->nodes);
    if (info->run_count) print_runs(info);
    if (all->games == 0) return;
    print_groups(info);
    printf("\nResults\n");
    print_row("1-0", all->wins, all->games);
    print_row("1/2-1/2", all->draws, all->games);
    print_row("0-1", all->losses, all->games);
    print_distributions(&info->all);
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
    for (int i = 1; i < reason_count(); i++)
        if (c->reasons[i]) json_int(w, reason_name((GameReason)i), c->reasons[i]);
    json_end_object(w);
}

static void json_bin(JsonWriter *w, const char *name, int64_t count)
{
    if (count) json_int(w, name, count);
}

static void json_group(JsonWriter *w, const InfoGroup *g)
{
    char name[32];

    json_counts(w, &g->counts);
    json_int(w, "openings", g->openings);
    json_object(w, "lengths");
    for (int i = 0; i < LENGTH_BINS; i++) {
        length_bin_name(i, name);
        json_bin(w, name, g->lengths[i]);
    }
    json_end_object(w);
    json_object(w, "phases");
    for (int i = 0; i < GAME_PHASES; i++)
        json_int(w, phase_names[i], g->phases[i]);
    json_end_object(w);
    json_object(w, "scores");
    for (int i = 0; i < SCORE_BINS; i++) {
        score_bin_name(i, name);
        json_bin(w, name, g->scores[i]);
    }
    json_bin(w, "White mates", g->white_mates);
    json_bin(w, "Black mates", g->black_mates);
    json_bin(w, "not searched", g->unscored);
    json_end_object(w);
}

static void json_run(JsonWriter *w, const RunRecord *run, const InfoGroup *group)
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
    json_group(w, group);
    json_end_object(w);
}

void info_print_json(const Store *store, const DbInfo *info)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_string(&w, "file", store_path(store));
    json_group(&w, &info->all);
    json_int(&w, "positions", info->positions);
    json_array(&w, "runs");
    for (int i = 0; i < info->run_count; i++)
        json_run(&w, &info->runs[i], &info->of_run[i]);
    json_end_array(&w);
    json_array(&w, "generations");
    for (int i = 0; i < info->generation_count; i++) {
        json_object(&w, NULL);
        json_int(&w, "generation", info->of_generation[i].generation);
        json_group(&w, &info->of_generation[i]);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_finish(&w);
}
