/* SPDX-License-Identifier: MIT
 * The results of a run of `tabia learn` as a table and as JSON. */
#include "cli/learn/report.h"

#include <math.h>

#include "cli/match/statistics_text.h"
#include "cli/output/fields.h"
#include "cli/output/progress.h"
#include "cli/output/table.h"
#include "cli/output/terminal.h"
#include "cli/tune/weights_text.h"
#include "engine/base/text.h"
#include "selfplay/match/stats_json.h"
#include "tuner/report/network_tables.h"

/* ---- As a table */

static void elo_cell(FILE *out, int width, const MatchScore *score)
{
    char text[ELO_TEXT_MAX];
    MatchStats stats;

    match_stats(score, NULL, &stats);
    match_elo_text(&stats, text);
    cell_put(out, width, text);
}

static void put_number(FILE *out, int width, const void *row)
{
    cell_put_int(out, width, ((const LearnGeneration *)row)->generation);
}

static void put_games(FILE *out, int width, const void *row)
{
    cell_put_int(out, width, ((const LearnGeneration *)row)->games);
}

static void put_positions(FILE *out, int width, const void *row)
{
    cell_put_int(out, width, ((const LearnGeneration *)row)->positions);
}

static void put_loss(FILE *out, int width, const LearnGeneration *g, double loss)
{
    cell_put_double(out, width, g->stage >= LEARN_FITTED ? loss : NAN, 5, false);
}

static void put_training(FILE *out, int width, const void *row)
{
    put_loss(out, width, row, ((const LearnGeneration *)row)->train_loss);
}

static void put_held_out(FILE *out, int width, const void *row)
{
    put_loss(out, width, row, ((const LearnGeneration *)row)->validation_loss);
}

static void put_previous(FILE *out, int width, const void *row)
{
    elo_cell(out, width, &((const LearnGeneration *)row)->match);
}

static void put_start(FILE *out, int width, const void *row)
{
    elo_cell(out, width, &((const LearnGeneration *)row)->against_start);
}

static void put_material(FILE *out, int width, const void *row)
{
    elo_cell(out, width, &((const LearnGeneration *)row)->against_material);
}

static void put_kept(FILE *out, int width, const void *row)
{
    const LearnGeneration *g = row;
    bool unfinished = g->stage < LEARN_PROVED;

    (void)width;
    (void)fputs("  ", out);
    terminal_put(out,
                 unfinished    ? COLOUR_NONE
                 : g->accepted ? COLOUR_GREEN
                               : COLOUR_RED,
                 unfinished    ? "unfinished"
                 : g->accepted ? "yes"
                               : "no");
}

static void print_table(FILE *out, const LearnReport *r)
{
    enum { TABLE_COLUMNS = 8, PREVIOUS = 5, SINCE_START };
    TableColumn columns[TABLE_COLUMNS] = {
        {"generation", 10, 0, put_number},   {"games", 8, 3, put_games},
        {"positions", 11, 2, put_positions}, {"training", 10, 5, put_training},
        {"held out", 10, 4, put_held_out},   {"Elo / previous", 23, 1, put_previous},
        {"Elo / gen-000", 23, 0, put_start}, {"kept", 6, 0, put_kept}};

    if (r->by_material) {
        columns[SINCE_START].head = "Elo / material";
        columns[SINCE_START].put = put_material;
        columns[PREVIOUS].width = 0; /* without matches */
    }
    table_fit(columns, TABLE_COLUMNS, terminal_columns(out));
    table_put_head(out, columns, TABLE_COLUMNS);
    (void)fprintf(out, "%10d  %s\n", 0, r->from);
    for (int i = 1; i < r->count; i++)
        table_put_row(out, columns, TABLE_COLUMNS, &r->generations[i]);
}

static bool is_few(const MatchScore *score)
{
    MatchStats stats;

    match_stats(score, NULL, &stats);
    return stats.games > 0 && !stats.normal;
}

static bool has_few_pairs(const LearnReport *r)
{
    bool few = is_few(&r->against_material);

    for (int i = 1; i < r->count && !few; i++)
        few = is_few(&r->generations[i].match) || is_few(&r->generations[i].against_start) ||
              is_few(&r->generations[i].against_material);
    return few;
}

/* A sentence as wide as the terminal; in a file of at most `columns`. */
static void print_sentence(FILE *out, int indent, int columns, const char *text)
{
    int terminal = terminal_columns(out);

    (void)text_wrap(out, indent, terminal > 0 ? terminal : columns, text);
    (void)fputc('\n', out);
}

enum { PROSE_COLUMNS = 96, LIST_COLUMNS = 120 };

static void print_match(FILE *out, const char *opponent, const MatchScore *score)
{
    char elo[ELO_TEXT_MAX], text[160] = "";
    MatchStats stats;

    match_stats(score, NULL, &stats);
    match_elo_text(&stats, elo);
    text_append(text, sizeof text, "  against %-9s ", opponent);
    if (stats.games == 0)
        text_append(text, sizeof text, "not played");
    else
        text_append(text, sizeof text, "%s Elo (%lld won, %lld drawn, %lld lost)", elo,
                    (long long)score->wins, (long long)score->draws, (long long)score->losses);
    print_sentence(out, 4, LIST_COLUMNS, text);
}

static void print_pieces(FILE *out, const EvalWeights *weights)
{
    char text[256] = "   ";
    EvalWeights copy = *weights, *w = &copy;

    weights_readable(w);

    print_sentence(out, 4, LIST_COLUMNS,
                   "  pieces in centipawns, with their middle-game and end-game values:");
    for (int i = 0; i < EVAL_MATERIAL_COUNT; i++) {
        int mg = w->term[EVAL_MATERIAL + i][MG], eg = w->term[EVAL_MATERIAL + i][EG];
        text_append(text, sizeof text, " %s %d (%d, %d)", weights_pieces[i], (mg + eg) / 2, mg, eg);
    }
    print_sentence(out, 4, LIST_COLUMNS, text);
}

static const char *best_file(const LearnReport *r)
{
    return r->weights.network ? "best.net" : "best.h";
}

void learn_report_print(FILE *out, const char *dir, const LearnReport *r)
{
    char duration[16], text[256];

    print_table(out, r);
    (void)snprintf(
        text, sizeof text,
        "Few pairs: [low, high], > and < are 95 %% bounds by likelihood where fewer than "
        "%d pairs differ from the most frequent result.",
        MATCH_NORMAL);
    if (has_few_pairs(r)) print_sentence(out, 0, PROSE_COLUMNS, text);
    progress_duration(r->cost.wall, duration);
    (void)snprintf(text, sizeof text,
                   "The best is generation %d, after %s (%.1f core-minutes) of learning:", r->best,
                   duration, r->cost.cpu / 60);
    (void)fputc('\n', out);
    print_sentence(out, 0, PROSE_COLUMNS, text);
    if (r->best > 0) print_match(out, "gen-000", &r->generations[r->best].against_start);
    print_match(out, "material", &r->against_material);
    print_pieces(out, &r->weights);
    if (r->generations[r->count - 1].stage < LEARN_PROVED && r->count > 1) {
        (void)snprintf(
            text, sizeof text,
            "Generation %d is unfinished; the same command with a larger budget continues it.",
            r->count - 1);
        (void)fputc('\n', out);
        print_sentence(out, 0, PROSE_COLUMNS, text);
    }
    fprintf(out,
            "\nweights   %s/%s\ndatabase  %s/learn.db\nresults   %s/results.txt, results.json\n"
            "page      %s/report.html\n",
            dir, best_file(r), dir, dir, dir);
}

/* ---- As JSON */

static void match_object(JsonWriter *w, const char *key, const MatchScore *score)
{
    MatchStats stats;

    if (score->wins + score->draws + score->losses == 0) {
        json_string(w, key, NULL);
        return;
    }
    match_stats(score, NULL, &stats);
    json_object(w, key);
    match_json(w, score, &stats);
    json_end_object(w);
}

static void generation_object(JsonWriter *w, const LearnReport *r, int i)
{
    LearnGeneration g = r->generations[i];

    if (g.stage < LEARN_FITTED) g.k = g.train_loss = g.validation_loss = NAN;
    json_object(w, NULL);
    json_int(w, "generation", i);
    json_bool(w, "accepted", g.accepted);
    json_int(w, "games", g.games);
    json_int(w, "plies", g.plies);
    fields_json(w, learn_fit_figures, &g);
    fields_json(w, learn_split_fields, &g);
    fields_json(w, learn_fit_hashes, &g);
    match_object(w, "against_previous", &g.match);
    match_object(w, "against_start", &g.against_start);
    match_object(w, "against_material", &g.against_material);
    json_string(w, "stage", learn_stage_names[g.stage]);
    fields_json(w, learn_time_fields, &g);
    json_end_object(w);
}

static void path_string(JsonWriter *w, const char *key, const char *dir, const char *file)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    json_string(w, key, path);
}

void learn_report_json(FILE *out, const char *dir, const LearnReport *r)
{
    JsonWriter w;
    MatchStats stats;
    EvalWeights weights = r->weights;

    json_begin(&w, out);
    json_string(&w, "from", r->from);
    json_int(&w, "generation", r->best);
    path_string(&w, "weights", dir, best_file(r));
    path_string(&w, "database", dir, "learn.db");
    json_double(&w, "seconds", r->cost.wall, 6);
    json_double(&w, "cpu_seconds", r->cost.cpu, 6);
    json_double(&w, "seconds_final", r->final_cost.wall, 6);
    json_double(&w, "cpu_final", r->final_cost.cpu, 6);
    match_stats(&r->generations[r->best].against_start, NULL, &stats);
    match_json(&w, &r->generations[r->best].against_start, &stats);
    match_object(&w, "against_material", &r->against_material);
    weights_readable(&weights);
    weights_json_pieces(&w, &weights);
    json_array(&w, "generations");
    for (int i = 1; i < r->count; i++)
        generation_object(&w, r, i);
    json_end_array(&w);
    json_finish(&w);
}
