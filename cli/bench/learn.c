/* SPDX-License-Identifier: MIT
 * tabia bench learn: strength against the cost of learning. Runs of `tabia learn` that differ in
 * their seeds have the same budget of core time; matches against a reference measure the weights
 * that were the best when the generations' cost passed each checkpoint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/learn/learn.h"
#include "cli/learn/options.h"
#include "cli/match/statistics_text.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "engine/eval/weights_file.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/match/stats_json.h"

enum {
    CHECKPOINTS_MAX = 32,
    DEFAULT_NODES = 5000,
    PATH_BYTES = 4096,
    NAME_BYTES = 48,
    HASH_BYTES = 16 << 20
};

/* A run at a checkpoint. */
typedef struct Point {
    uint64_t seed;
    int generation;           /* the best one; 0: the start weights */
    int64_t games, positions; /* of self-play until then */
    double cpu_seconds;       /* of the generations until then */
    MatchScore score;         /* of that generation against the reference */
} Point;

/* A row of the printed table. */
typedef struct Row {
    double minutes;
    char seed[24], elo[ELO_TEXT_MAX];
    int generation;
    int64_t games, positions;
} Row;

typedef struct Curve {
    const BenchOptions *options;
    LearnOptions learn;
    LearnStart start;
    EvalWeights from, reference;
    OpeningBook book;
    Store *matches;
    double marks[CHECKPOINTS_MAX]; /* core-seconds, ascending */
    int mark_count;
    Point *points; /* [mark_count][seeds] */
} Curve;

static Point *point_at(const Curve *c, int mark, int seed)
{
    return &c->points[mark * c->options->seeds + seed];
}

/* ---- The settings */

/* Reads section [learn] of the file; its seed, threads, budget and final matches are not used. */
static Status read_settings(Curve *c, const char *file, OptionParser **parser, Error *err)
{
    const BenchOptions *o = c->options;
    const char *unused_dir = NULL;
    bool unused_flag = false, done;
    char name[] = "learn", config[] = "--config", path[PATH_BYTES];
    char *argv[] = {name, config, path, NULL};

    (void)snprintf(path, sizeof path, "%s", file);
    learn_options_init(&c->learn);
    const Option options[] = {{"dir", OPTION_STRING, &unused_dir, "DIR", ""},
                              {"dry-run", OPTION_FLAG, &unused_flag, NULL, ""},
                              {.kind = OPTION_TABLE, .target = c->learn.rows},
                              {0}};
    const OptionSpec spec = {.command = "learn",
                             .sections = o->sections,
                             .synopsis = "",
                             .description = "",
                             .options = options,
                             .common = &c->learn.common};
    Status status = options_parse(&spec, 3, argv, parser, &done, err);
    if (status == STATUS_OK) status = learn_options_apply(&c->learn, *parser, err);
    if (status != STATUS_OK) return status;
    c->learn.settings.threads = options_threads(&o->common);
    c->learn.settings.budget = o->budget;
    c->learn.settings.generations = 0;
    c->learn.settings.final_games = 0;
    return STATUS_OK;
}

/* Doubling costs, and the budget. */
static void set_marks(Curve *c)
{
    double budget = c->options->budget.seconds, mark = c->options->checkpoint.seconds;

    while (mark < budget && c->mark_count < CHECKPOINTS_MAX - 1) {
        c->marks[c->mark_count++] = mark;
        mark *= 2;
    }
    c->marks[c->mark_count++] = budget;
}

/* ---- Learning */

static void show_generation(void *context, const LearnEvent *event)
{
    const uint64_t *seed = context;
    const LearnGeneration *g = event->proved;
    char elo[ELO_TEXT_MAX];
    MatchStats stats;

    if (!g) return;
    match_stats(&g->match, NULL, &stats);
    match_elo_text(&stats, elo);
    fprintf(stderr, "seed %llu, generation %d: %s, %s (%.2f core-minutes)\n",
            (unsigned long long)*seed, g->generation, elo, g->accepted ? "accepted" : "rejected",
            learn_generation_cost(g).cpu / 60);
}

/* What the run had reached at each checkpoint. */
static void take_points(Curve *c, int seed, const LearnReport *report)
{
    for (int m = 0; m < c->mark_count; m++) {
        Point *p = point_at(c, m, seed);
        double cpu = 0;
        p->seed = c->options->common.seed + (uint64_t)seed;
        for (int i = 1; i < report->count; i++) {
            const LearnGeneration *g = &report->generations[i];
            cpu += learn_generation_cost(g).cpu;
            if (g->stage < LEARN_PROVED || cpu > c->marks[m]) break;
            p->cpu_seconds = cpu;
            p->games += g->games;
            p->positions += g->plies;
            if (g->accepted) p->generation = i;
        }
    }
}

static void run_folder(const Curve *c, uint64_t seed, char path[PATH_BYTES])
{
    (void)snprintf(path, PATH_BYTES, "%s/seed-%llu", c->options->dir, (unsigned long long)seed);
}

static Status learn_seed(Curve *c, int seed, Error *err)
{
    LearnSettings settings = c->learn.settings;
    LearnReport report;
    char folder[PATH_BYTES];
    bool quiet = c->options->common.quiet;

    settings.seed = c->options->common.seed + (uint64_t)seed;
    run_folder(c, settings.seed, folder);
    Status status = learn_run(folder, &c->start, &settings, cli_interrupted(),
                              quiet ? NULL : show_generation, &settings.seed, &report, err);
    if (status == STATUS_OK) take_points(c, seed, &report);
    learn_report_free(&report);
    return status;
}

/* ---- Measuring */

/* Plays what is missing of the match at a checkpoint. Equal weights at several checkpoints are one
 * match. */
static Status measure_point(Curve *c, Point *p, Error *err)
{
    const BenchOptions *o = c->options;
    char folder[PATH_BYTES - NAME_BYTES], path[PATH_BYTES], name[NAME_BYTES];
    EvalWeights weights;
    GauntletSettings g;
    GauntletProgress result;

    (void)snprintf(folder, sizeof folder, "%s", o->dir);
    int stem = snprintf(path, sizeof path, "%s/seed-%llu/weights/gen-%03d", folder,
                        (unsigned long long)p->seed, p->generation);
    (void)snprintf(path + stem, sizeof path - (size_t)stem, ".net");
    if (access(path, F_OK) != 0) (void)snprintf(path + stem, sizeof path - (size_t)stem, ".h");
    (void)snprintf(name, sizeof name, "seed-%llu gen-%03d", (unsigned long long)p->seed,
                   p->generation);
    Status status = evaluation_load(path, &weights, NULL, err);
    if (status != STATUS_OK) return status;
    GauntletPlayer players[2] = {{.name = name, .weights = &weights},
                                 {.name = o->against, .weights = &c->reference}};
    for (int i = 0; i < 2; i++) {
        players[i].limits.nodes_soft = o->nodes > 0 ? (uint64_t)o->nodes : DEFAULT_NODES;
        players[i].hash_bytes = HASH_BYTES;
    }
    gauntlet_defaults(&g);
    g.seed = o->common.seed;
    g.games = o->games;
    g.book = c->book.count > 0 ? &c->book : NULL;
    if (g.book) g.opening.random_plies = 0;
    g.threads = options_threads(&o->common);
    status = gauntlet_run(c->matches, players, 2, &g, NULL, cli_interrupted(), &result, err);
    p->score = result.score;
    scoreboard_free(&result.board);
    return status;
}

/* Before the learning, which takes long. */
static Status open_matches(Curve *c, Error *err)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof path, "%s/matches.db", c->options->dir);
    c->matches = store_open(path, STORE_CREATE, err);
    return c->matches ? STATUS_OK : err->status;
}

static Status measure_all(Curve *c, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < c->mark_count * c->options->seeds && status == STATUS_OK; i++)
        status = measure_point(c, &c->points[i], err);
    return status;
}

/* ---- Printing */

static double points_of(const Point *p)
{
    return (double)p->score.wins + (double)p->score.draws / 2;
}

static int by_points(const void *a, const void *b)
{
    double x = points_of(a), y = points_of(b);
    return (x > y) - (x < y);
}

/* The seed with the median score; of an even number the lower middle one. */
static const Point *median_of(const Curve *c, int mark, Point sorted[])
{
    int seeds = c->options->seeds;

    memcpy(sorted, point_at(c, mark, 0), (size_t)seeds * sizeof *sorted);
    qsort(sorted, (size_t)seeds, sizeof *sorted, by_points);
    return &sorted[(seeds - 1) / 2];
}

static const Field row_fields[] = {
    {NULL, FIELD(Row, minutes), .label = "core-minutes", .decimals = 2, .width = 12},
    {NULL, FIELD(Row, seed), .label = "seed", .width = 8},
    {NULL, FIELD(Row, generation), .label = "generation", .width = 12},
    {NULL, FIELD(Row, games), .label = "games", .width = 10},
    {NULL, FIELD(Row, positions), .label = "positions", .width = 12},
    {NULL, FIELD(Row, elo), .label = "Elo", .width = 23},
    {0},
};

static void print_point(const Curve *c, int mark, const Point *p, bool median)
{
    Row row = {.minutes = c->marks[mark] / 60,
               .generation = p->generation,
               .games = p->games,
               .positions = p->positions};
    MatchStats stats;

    (void)snprintf(row.seed, sizeof row.seed, "%llu", (unsigned long long)p->seed);
    if (median) (void)snprintf(row.seed, sizeof row.seed, "median");
    match_stats(&p->score, NULL, &stats);
    match_elo_text(&stats, row.elo);
    fields_row(stdout, row_fields, &row);
}

static void print_table(const Curve *c, Point sorted[])
{
    const BenchOptions *o = c->options;

    printf("against %s: %lld games each at %lld nodes a move\n\n", o->against, (long long)o->games,
           (long long)(o->nodes > 0 ? o->nodes : DEFAULT_NODES));
    fields_header(stdout, row_fields);
    for (int m = 0; m < c->mark_count; m++) {
        for (int s = 0; s < o->seeds; s++)
            print_point(c, m, point_at(c, m, s), false);
        if (o->seeds > 1) print_point(c, m, median_of(c, m, sorted), true);
    }
}

static const Field point_fields[] = {
    {"seed", FIELD(Point, seed)},
    {"generation", FIELD(Point, generation)},
    {"learned_games", FIELD(Point, games)},
    {"learned_positions", FIELD(Point, positions)},
    {"cpu_seconds", FIELD(Point, cpu_seconds)},
    {0},
};

static void point_json(JsonWriter *w, const char *key, const Point *p)
{
    MatchStats stats;

    match_stats(&p->score, NULL, &stats);
    json_object(w, key);
    fields_json(w, point_fields, p);
    match_json(w, &p->score, &stats);
    json_end_object(w);
}

static void print_json(const Curve *c, Point sorted[])
{
    const BenchOptions *o = c->options;
    JsonWriter w;

    json_begin(&w, stdout);
    json_string(&w, "against", o->against);
    json_int(&w, "seeds", o->seeds);
    json_int(&w, "nodes", o->nodes > 0 ? o->nodes : DEFAULT_NODES);
    json_array(&w, "checkpoints");
    for (int m = 0; m < c->mark_count; m++) {
        json_object(&w, NULL);
        json_double(&w, "budget", c->marks[m], 6);
        point_json(&w, "median", median_of(c, m, sorted));
        json_array(&w, "runs");
        for (int s = 0; s < o->seeds; s++)
            point_json(&w, NULL, point_at(c, m, s));
        json_end_array(&w);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_finish(&w);
}

/* ---- The whole */

static Status check_options(const BenchOptions *o, Error *err)
{
    if (!o->dir || !o->against || o->budget.seconds <= 0)
        return error_set(err, STATUS_USAGE, "bench learn needs --dir, --budget and --against");
    if (!o->budget.cpu || !o->checkpoint.cpu)
        return error_set(err, STATUS_USAGE,
                         "--budget and --checkpoint of bench learn are core time, such as 30cm");
    if (o->games % 2 != 0)
        return error_set(err, STATUS_USAGE, "--games %lld: a match needs an even number",
                         (long long)o->games);
    return STATUS_OK;
}

static Status load(Curve *c, WeightsInfo *info, Error *err)
{
    const BenchOptions *o = c->options;
    OpeningSettings random;

    Status status = weights_load(c->learn.from, &c->from, info, err);
    c->start = (LearnStart){&c->from, info->label, info->comment};
    if (status == STATUS_OK) status = evaluation_load(o->against, &c->reference, NULL, err);
    if (status == STATUS_OK)
        status = opening_options_load(&o->openings, o->common.seed, &c->book, err);
    settings_default(opening_settings, &random);
    if (c->book.count > 0) random.random_plies = 0;
    if (status == STATUS_OK)
        status = opening_options_check(&o->openings, &c->book, &random, o->games / 2, true, err);
    set_marks(c);
    c->points = calloc((size_t)c->mark_count * (size_t)o->seeds, sizeof *c->points);
    if (status == STATUS_OK && !c->points)
        status = error_set(err, STATUS_FAILED, "out of memory for the checkpoints");
    return status;
}

Status bench_learn(const BenchOptions *options, Error *err)
{
    Curve c = {.options = options};
    OptionParser *parser = NULL;
    WeightsInfo info;
    Point *sorted = calloc((size_t)options->seeds, sizeof *sorted);

    Status status = sorted ? check_options(options, err)
                           : error_set(err, STATUS_FAILED, "out of memory for the checkpoints");
    if (status == STATUS_OK) status = read_settings(&c, options->files[0], &parser, err);
    if (status == STATUS_OK) status = load(&c, &info, err);
    if (status == STATUS_OK) status = learn_make_folder(options->dir, err);
    if (status == STATUS_OK) status = open_matches(&c, err);
    for (int s = 0; s < options->seeds && status == STATUS_OK; s++)
        status = learn_seed(&c, s, err);
    if (status == STATUS_OK) status = measure_all(&c, err);
    if (status == STATUS_OK) (options->common.json ? print_json : print_table)(&c, sorted);
    store_close(c.matches);
    opening_book_free(&c.book);
    options_destroy(parser);
    free(c.points);
    free(sorted);
    return status;
}
