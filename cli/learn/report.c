/* SPDX-License-Identifier: MIT
 * The results and the plan of a run of `tabia learn`, as text and as JSON. */
#include "cli/learn/report.h"

#include <math.h>

#include "cli/match/statistics_text.h"
#include "cli/output/fields.h"
#include "cli/output/progress.h"
#include "cli/output/terminal.h"
#include "cli/tune/weights_text.h"
#include "engine/base/text.h"
#include "selfplay/match/stats.h"
#include "tuner/report/network_tables.h"

/* ---- As a table */

/* What a row shows. */
typedef struct GenerationRow {
    int generation;
    int64_t games, positions;
    double training, held_out; /* NAN before the fit */
    char previous[ELO_TEXT_MAX], since[ELO_TEXT_MAX];
    char kept[COLOURED_MAX + 2];
} GenerationRow;

static void elo_text(const MatchScore *score, char text[ELO_TEXT_MAX])
{
    MatchStats stats;

    match_stats(score, NULL, &stats);
    match_elo_text(&stats, text);
}

/* Of a generation; false: it has none. */
static bool find_rating(const Ratings *ratings, int generation, double *elo, double *elo95)
{
    int player = ratings_generation(ratings, generation);

    *elo = player >= 0 ? ratings->table.elo[player] : NAN;
    *elo95 = player >= 0 ? ratings->table.elo95[player] : NAN;
    return isfinite(*elo);
}

static void rating_text(const Ratings *ratings, int generation, char text[ELO_TEXT_MAX])
{
    double elo, elo95;

    (void)snprintf(text, ELO_TEXT_MAX, "–");
    if (!find_rating(ratings, generation, &elo, &elo95)) return;
    (void)snprintf(text, ELO_TEXT_MAX, "%+.1f", elo);
    if (isfinite(elo95)) text_append(text, ELO_TEXT_MAX, " ± %.1f", elo95);
}

static void fill_row(FILE *out, const LearnReport *r, const Ratings *ratings,
                     const LearnGeneration *g, GenerationRow *row)
{
    bool fitted = g->stage >= LEARN_FITTED, proved = g->stage >= LEARN_PROVED;
    char room[COLOURED_MAX];

    *row = (GenerationRow){.generation = g->generation,
                           .games = g->games,
                           .positions = g->positions,
                           .training = fitted ? g->train_loss : NAN,
                           .held_out = fitted ? g->validation_loss : NAN};
    elo_text(&g->match, row->previous);
    if (r->rated)
        rating_text(ratings, g->generation, row->since);
    else
        elo_text(r->by_material ? &g->against_material : &g->against_start, row->since);
    const char *kept = !proved       ? "unfinished"
                       : g->accepted ? terminal_coloured(out, COLOUR_GREEN, "yes", room)
                                     : terminal_coloured(out, COLOUR_RED, "no", room);
    (void)snprintf(row->kept, sizeof row->kept, "  %s", kept);
}

static void print_table(FILE *out, const LearnReport *r, const Ratings *ratings)
{
    enum { PREVIOUS = 5, SINCE };
    Field columns[] = {
        {NULL, FIELD(GenerationRow, generation), .label = "generation", .width = 10},
        {NULL, FIELD(GenerationRow, games), .label = "games", .width = 8, .drop = 3},
        {NULL, FIELD(GenerationRow, positions), .label = "positions", .width = 11, .drop = 2},
        {NULL, FIELD(GenerationRow, training), .label = "training", .decimals = 5, .width = 10,
         .drop = 5},
        {NULL, FIELD(GenerationRow, held_out), .label = "held out", .decimals = 5, .width = 10,
         .drop = 4},
        {NULL, FIELD(GenerationRow, previous), .label = "Elo / previous", .width = 23, .drop = 1},
        {NULL, FIELD(GenerationRow, since), .label = "Elo / gen-000", .width = 23},
        {NULL, FIELD(GenerationRow, kept), .label = "  kept"},
        {0}};
    GenerationRow row;
    char label[32];

    if (r->by_material) {
        columns[SINCE].label = "Elo / material";
        columns[PREVIOUS].label = NULL; /* without matches */
    }
    if (r->rated && ratings->count > 0) {
        (void)snprintf(label, sizeof label, "Elo / %.16s", ratings->names[ratings->anchor]);
        columns[SINCE].label = label;
    }
    fields_fit(columns, terminal_columns(out));
    fields_header(out, columns);
    (void)fprintf(out, "%10d  %s\n", 0, text_shown(r->from, (char[TEXT_SHOWN_MAX]){0}));
    for (int i = 1; i < r->count; i++) {
        fill_row(out, r, ratings, &r->generations[i], &row);
        fields_row(out, columns, &row);
    }
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

    for (int i = 1; i < r->count && !few; i++) {
        bool shown = !r->rated || i == r->best;
        few = is_few(&r->generations[i].match) ||
              (shown && is_few(&r->generations[i].against_start)) ||
              (!r->rated && is_few(&r->generations[i].against_material));
    }
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

static void print_pieces(FILE *out, const Evaluation *weights)
{
    char text[256] = "   ";
    EvalWeights tables;

    evaluation_tables(weights, &tables);
    print_sentence(out, 4, LIST_COLUMNS,
                   "  pieces in centipawns, with their middle-game and end-game values:");
    for (int i = 0; i < EVAL_MATERIAL_COUNT; i++) {
        int mg = tables.term[EVAL_MATERIAL + i][MG], eg = tables.term[EVAL_MATERIAL + i][EG];
        text_append(text, sizeof text, " %s %d (%d, %d)", weights_pieces[i], (mg + eg) / 2, mg, eg);
    }
    print_sentence(out, 4, LIST_COLUMNS, text);
}

static const char *best_file(const LearnReport *r)
{
    return r->weights.kind == EVALUATION_NETWORK ? "best.net" : "best.h";
}

/* What the ratings rest on. */
static void print_basis(FILE *out, const Ratings *ratings)
{
    char text[320];
    int64_t games = 0;

    for (int i = 0; i < ratings->board.pairing_count; i++)
        games += match_games(&ratings->board.pairings[i].score);
    (void)snprintf(
        text, sizeof text,
        "Elo / %.16s: ratings by maximum likelihood from the %lld games of all matches, ± 95 %%; without ± of few pairs.%s",
        ratings->names[ratings->anchor], (long long)games,
        ratings->table.bounded ? " A player won or lost all of its games, so they are "
                                 "bounds: each pairing has one more draw."
                               : "");
    print_sentence(out, 0, PROSE_COLUMNS, text);
}

void learn_report_print(FILE *out, const char *dir, const LearnReport *r, const Ratings *ratings)
{
    char duration[16], text[256];

    print_table(out, r, ratings);
    if (r->rated && ratings->count > 0) print_basis(out, ratings);
    (void)snprintf(
        text, sizeof text,
        "Few pairs: [low, high], above and below are 95 %% bounds by likelihood where fewer than %d pairs differ from the most frequent result.",
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

static void generation_object(JsonWriter *w, const LearnReport *r, const Ratings *ratings, int i)
{
    LearnGeneration g = r->generations[i];

    double elo, elo95;

    (void)find_rating(ratings, i, &elo, &elo95);
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
    json_double(w, "rating", elo, 10);
    json_double(w, "rating95", elo95, 10);
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

void learn_report_json(FILE *out, const char *dir, const LearnReport *r, const Ratings *ratings)
{
    JsonWriter w;
    MatchStats stats;
    EvalWeights tables;

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
    evaluation_tables(&r->weights, &tables);
    weights_json_pieces(&w, &tables);
    json_string(&w, "rating_anchor", ratings->count > 0 ? ratings->names[ratings->anchor] : NULL);
    json_bool(&w, "ratings_are_bounds", ratings->table.bounded);
    json_array(&w, "generations");
    for (int i = 1; i < r->count; i++)
        generation_object(&w, r, ratings, i);
    json_end_array(&w);
    json_finish(&w);
}

/* ---- The plan */

static const Field plan_fields[] = {
    {"done", FIELD(LearnPlan, done), .label = "generations finished before"},
    {"generations", FIELD(LearnPlan, generations), .label = "last generation of this call"},
    {"games", FIELD(LearnPlan, games), .label = "games of the next generation"},
    {"nodes", FIELD(LearnPlan, nodes), .label = "  nodes a move", .zero = ZERO_NOT_IN_TEXT},
    {"window", FIELD(LearnPlan, window), .label = "generations in a fit"},
    {"gauntlet_games", FIELD(LearnPlan, settings.gauntlet_games),
     .label = "games of a proof, at most"},
    {"gauntlet_nodes", FIELD(LearnPlan, settings.gauntlet_limits.nodes_soft),
     .label = "  nodes a move", .zero = ZERO_NOT_IN_TEXT},
    {"final_matches", FIELD(LearnPlan, final_matches), .label = "final matches, at most"},
    {"final_games", FIELD(LearnPlan, settings.final_games), .label = "  games of each"},
    {"threads", FIELD(LearnPlan, settings.threads), .label = "threads"},
    {"basis", FIELD(LearnPlan, basis)},
    {"generation_cpu", FIELD(LearnPlan, generation_cpu), .label = "core-minutes of a generation",
     .decimals = 2, .scale = 1.0 / 60},
    {"final_cpu", FIELD(LearnPlan, final_cpu), .label = "core-minutes of final matches",
     .decimals = 2, .scale = 1.0 / 60},
    {"cpu_spent", FIELD(LearnPlan, cpu_spent), .label = "core-minutes spent before", .decimals = 2,
     .scale = 1.0 / 60},
    {"cpu_seconds", FIELD(LearnPlan, cpu_seconds), .label = "core-minutes of this call",
     .decimals = 2, .scale = 1.0 / 60},
    {"seconds", FIELD(LearnPlan, seconds), .label = "minutes, with a free core a thread",
     .decimals = 2, .scale = 1.0 / 60},
    {0},
};

void learn_plan_print(const LearnPlan *p)
{
    fields_list(stdout, plan_fields, p);
    if (p->basis > 0)
        printf("\nCosts are estimated by generation %d of the run.\n", p->basis);
    else
        printf(
            "\nCosts are estimated by %d games with the weights `material` on this machine, fits left out.\n",
            2 * PLAN_MEASURED_GAMES);
}

void learn_plan_json(const LearnPlan *p)
{
    fields_json_line(stdout, plan_fields, p);
}
