/* SPDX-License-Identifier: MIT
 * tabia learn: from given weights to better ones, by generations of playing against itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/learn/learn.h"
#include "cli/learn/report.h"
#include "cli/match/statistics_text.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/play/play_options.h"
#include "cli/play/pool.h"
#include "cli/tune/options.h"
#include "engine/base/new_file.h"
#include "engine/eval/weights_file.h"

/* What the option table fills and LearnSettings has in another form. */
typedef struct LearnOptions {
    CommonOptions common;
    PlayOptions play; /* of self-play; openings, hash and adjudication also of the matches */
    const char *from, *dir, *terms, *sprt, *prior, *pool;
    int64_t budget_ms, generations, window;
    int64_t random_until, first_random_until, vary_margin, vary_until;
    int64_t min_ply, max_score, iterations, patience;
    int64_t gauntlet_nodes;
} LearnOptions;

static const char description[] =
    "Learns evaluation weights by playing against itself, generation by generation: self-play by "
    "the\n"
    "best weights so far, a fit to the games of the latest generations, and a match against the "
    "best\n"
    "that decides whether they are replaced. --from zero starts with the rules of chess alone. "
    "Killed\n"
    "and started again with the same options, it goes on where it was.";

static const char epilogue[] =
    "DIR holds learn.db (everything played and fitted), weights/gen-NNN.h, best.h, results.txt "
    "and\n"
    "results.json. Weights W: builtin, zero, material, or a header file.\n"
    "\n"
    "Example: tabia learn --from zero --dir run --budget 10m --config configs/learn.ini";

static LearnOptions default_options(const LearnSettings *s)
{
    return (LearnOptions){
        .common = {.seed = s->seed},
        .terms = "material-pst",
        .window = s->window,
        .random_until = s->selfplay.exploration.random_until_ply,
        .first_random_until = s->first.random_until_ply,
        .min_ply = s->filter.min_ply,
        .max_score = s->filter.max_score,
        .iterations = s->tune.fit.max_iterations,
        .patience = s->tune.fit.patience,
        .gauntlet_nodes = (int64_t)s->gauntlet_limits.nodes_soft,
    };
}

static Status apply(const LearnOptions *o, const OptionParser *parser, LearnSettings *s, Error *err)
{
    SelfplaySettings *p = &s->selfplay;

    Status status =
        play_options_apply(&o->play, parser, &p->limits, &p->opening, &p->adjudication, err);
    if (status == STATUS_OK) status = tune_options_prior(o->prior, &s->tune, err);
    if (status != STATUS_OK) return status;
    s->seed = o->common.seed;
    s->threads = options_threads(&o->common);
    s->generations = (int)o->generations;
    s->budget = (double)o->budget_ms / 1000;
    s->window = (int)o->window;
    p->hash_bytes = (size_t)o->play.hash_mb << 20;
    p->exploration.random_until_ply = (int)o->random_until;
    p->exploration.vary_margin = (int)o->vary_margin;
    p->exploration.vary_until_ply = (int)o->vary_until;
    s->first.random_until_ply = (int)o->first_random_until;
    s->filter.min_ply = (int)o->min_ply;
    s->filter.max_score = (int)o->max_score;
    s->tune.fit.max_iterations = (int)o->iterations;
    s->tune.fit.patience = (int)o->patience;
    s->gauntlet_limits.nodes_soft = (uint64_t)o->gauntlet_nodes;
    if (o->pool) {
        status = pool_parse_last(o->pool, &s->pool_last, err);
        if (status == STATUS_OK && s->pool_last == 0)
            status = error_set(err, STATUS_USAGE, "--pool is last:K, not \"%s\"", o->pool);
        if (status != STATUS_OK) return status;
    }
    status = eval_families_parse(o->terms, &s->tune.terms, err);
    if (status != STATUS_OK) return status;
    return o->sprt && *o->sprt ? match_parse_sprt(o->sprt, &s->sprt, err) : STATUS_OK;
}

enum { OWN_OPTIONS = 33 };

/* The rows that fill *o and *s; options[] has room for the shared ones and the end. */
static void fill_table(LearnOptions *o, LearnSettings *s,
                       Option options[OWN_OPTIONS + PLAY_OPTION_COUNT + 1])
{
    SelfplaySettings *p = &s->selfplay;
    const Option own[OWN_OPTIONS] = {
        {"from", OPTION_STRING, &o->from, "W", "generation 0: builtin, zero, material or a file", 0,
         0},
        {"dir", OPTION_STRING, &o->dir, "DIR", "where everything is kept", 0, 0},
        {"budget", OPTION_TIME, &o->budget_ms, "TIME", "time for everything: 90s, 10m, 8h", 1000,
         INFINITY},
        {"generations", OPTION_INT, &o->generations, "N", "stop after generation N", 1, 9999},
        {"games", OPTION_INT, &p->games, "N", "games of a generation", 1, 1e9},
        {"random-move", OPTION_DOUBLE, &p->exploration.random_move, "P",
         "probability of a random move instead of a searched one ...", 0, 1},
        {"random-until", OPTION_INT, &o->random_until, "PLY", "... before this ply", 0,
         GAME_PLIES_MAX},
        {"random-decay", OPTION_DOUBLE, &s->random_decay, "X",
         "random moves grow rarer by this factor from generation 3 on", 0, 1},
        {"vary-margin", OPTION_INT, &o->vary_margin, "CP",
         "play any of the 4 best moves within so many centipawns of the best ...", 0, 1000},
        {"vary-until", OPTION_INT, &o->vary_until, "PLY", "... before this ply", 0,
         GAME_VARIED_PLIES},
        {"first-random-move", OPTION_DOUBLE, &s->first.random_move, "P",
         "the same in generation 1, whose weights may know nothing ...", 0, 1},
        {"first-random-until", OPTION_INT, &o->first_random_until, "PLY", "... before this ply", 0,
         GAME_PLIES_MAX},
        {"pool", OPTION_STRING, &o->pool, "last:K",
         "self-play against the K latest best weights, one drawn for each game", 0, 0},
        {"window", OPTION_INT, &o->window, "N", "fit the games of the latest N generations", 1,
         9999},
        {"decay", OPTION_DOUBLE, &s->tune.fit.decay, "X",
         "weight of a generation in a fit, the next one's being 1", 0.001, 1},
        {"terms", OPTION_STRING, &o->terms, "SET",
         "families of terms to learn: material-pst, classical (all of them) or a list", 0, 0},
        {"lambda", OPTION_DOUBLE, &s->tune.fit.lambda, "X",
         "weight of the result in the target; the rest is the score", 0, 1},
        {"army", OPTION_DOUBLE, &s->tune.start_material, "CP",
         "worth of the first army: fixes the scale", 0, 1e5},
        {"prior", OPTION_STRING, &o->prior, "N",
         "pull of every square toward the best weights, in positions (3000 unless given); auto: "
         "the "
         "one that predicts held-out games best",
         0, 0},
        {"validation", OPTION_DOUBLE, &s->tune.fit.validation, "X", "part of the games held out", 0,
         0.5},
        {"iterations", OPTION_INT, &o->iterations, "N", "end a fit after so many", 1, 1e6},
        {"patience", OPTION_INT, &o->patience, "N", "... or so many without a gain; 0: never", 0,
         1e6},
        {"min-ply", OPTION_INT, &o->min_ply, "N", "first ply of a game that is fitted", 0, 1e4},
        {"max-score", OPTION_INT, &o->max_score, "CP",
         "centipawns beyond which positions are left out; 0: none", 0, 1e5},
        {"keep-checks", OPTION_FLAG, &s->filter.keep_checks, NULL, "fit positions in check", 0, 0},
        {"keep-noisy", OPTION_FLAG, &s->filter.keep_noisy, NULL,
         "fit positions where a capture or promotion was played", 0, 0},
        {"keep-unscored", OPTION_FLAG, &s->filter.keep_unscored, NULL,
         "fit positions where a random move was played", 0, 0},
        {"drop-drawn", OPTION_FLAG, &s->filter.drop_drawn, NULL, "leave out drawn games", 0, 0},
        {"require-quiet", OPTION_FLAG, &s->filter.require_quiet, NULL,
         "leave out positions with a winning capture", 0, 0},
        {"gauntlet-games", OPTION_INT, &s->gauntlet_games, "N",
         "most games of a generation against the best, an even number", 2, 1e9},
        {"gauntlet-nodes", OPTION_INT, &o->gauntlet_nodes, "N", "nodes a move in matches", 1, 1e15},
        {"sprt", OPTION_STRING, &o->sprt, "TEST",
         "elo0=X,elo1=Y[,model=...]: ends that match when decided", 0, 0},
        {"final-games", OPTION_INT, &s->final_games, "N", "games of each match at the end, even", 2,
         1e9},
    };
    memcpy(options, own, sizeof own);
    play_options_init(&o->play, &p->limits, p->hash_bytes, &p->opening, &p->adjudication,
                      options + OWN_OPTIONS);
    options[OWN_OPTIONS + PLAY_OPTION_COUNT] = (Option){.kind = OPTION_END};
}

static Status check_required(const LearnOptions *o, const OptionParser *parser, Error *err)
{
    Status status = options_require(parser, "from", err);
    if (status == STATUS_OK) status = options_require(parser, "dir", err);
    if (status == STATUS_OK && o->budget_ms == 0 && o->generations == 0)
        status = error_set(err, STATUS_USAGE, "--budget or --generations is needed");
    return status;
}

/* ---- Progress */

typedef struct Display {
    Progress progress;
    char stage[64]; /* what the line shows */
    bool quiet;
} Display;

/* A stage that is not the one on display ends that one. */
static void show_stage(Display *d, const char *stage, int64_t total, int64_t resumed)
{
    if (strcmp(stage, d->stage) == 0) return;
    if (d->stage[0]) progress_end(&d->progress);
    (void)snprintf(d->stage, sizeof d->stage, "%s", stage);
    progress_start(&d->progress, total, resumed, d->quiet);
}

static void show_selfplay(Display *d, int generation, const SelfplayProgress *p)
{
    char stage[64];

    (void)snprintf(stage, sizeof stage, "generation %d plays", generation);
    show_stage(d, stage, p->total, p->resumed);
    if (progress_due(&d->progress))
        progress_draw(&d->progress, p->done, "games", "%s: white won %lld, drew %lld, lost %lld",
                      stage, (long long)p->wins, (long long)p->draws, (long long)p->losses);
}

static void show_tune(Display *d, int generation, const FitIteration *t)
{
    char stage[64];

    (void)snprintf(stage, sizeof stage, "generation %d fits", generation);
    show_stage(d, stage, 0, 0);
    if (progress_due(&d->progress))
        progress_draw(&d->progress, t->iteration, "passes", "%s: loss %.6f", stage, t->train_loss);
}

static void show_gauntlet(Display *d, const LearnEvent *event)
{
    const GauntletProgress *p = event->gauntlet;
    char stage[64], elo[ELO_TEXT_MAX];

    (void)snprintf(stage, sizeof stage, "generation %d against %s", event->generation,
                   event->opponent);
    show_stage(d, stage, p->total, p->resumed);
    if (!progress_due(&d->progress)) return;
    match_elo_text(&p->score, &p->stats, elo);
    progress_draw(&d->progress, p->done, "games", "%s: Elo %s", stage, elo);
}

static void show_proved(Display *d, const LearnGeneration *g)
{
    char elo[ELO_TEXT_MAX], held_out[32] = "–", duration[16];
    MatchStats stats;

    if (d->stage[0]) progress_end(&d->progress);
    d->stage[0] = '\0';
    if (d->quiet) return;
    match_stats(&g->match, NULL, &stats);
    match_elo_text(&g->match, &stats, elo);
    if (isfinite(g->validation_loss))
        (void)snprintf(held_out, sizeof held_out, "%.5f", g->validation_loss);
    progress_duration(learn_generation_seconds(g), duration);
    fprintf(stderr,
            "generation %d: %lld games, %lld positions, loss %.5f, held out %s, Elo %s: %s (%s)\n",
            g->generation, (long long)g->games, (long long)g->positions, g->train_loss, held_out,
            elo, g->accepted ? "accepted" : "rejected", duration);
}

static void show(void *context, const LearnEvent *event)
{
    Display *d = context;

    if (event->selfplay) show_selfplay(d, event->generation, event->selfplay);
    if (event->tune) show_tune(d, event->generation, event->tune);
    if (event->gauntlet) show_gauntlet(d, event);
    if (event->proved) show_proved(d, event->proved);
}

/* ---- The result */

typedef void (*ReportFn)(FILE *out, const char *dir, const LearnReport *report);

static Status save_report(const char *dir, const char *file, ReportFn fn, const LearnReport *report,
                          Error *err)
{
    NewFile out;
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    Status status = new_file_open(&out, path, err);
    if (status != STATUS_OK) return status;
    fn(out.stream, dir, report);
    return new_file_commit(&out, err);
}

static Status run(const LearnOptions *o, const OptionParser *parser, LearnSettings *settings,
                  Error *err)
{
    EvalWeights weights;
    WeightsInfo info;
    LearnReport report = {0};
    Display display = {.quiet = o->common.quiet};

    Status status = check_required(o, parser, err);
    if (status == STATUS_OK) status = apply(o, parser, settings, err);
    if (status == STATUS_OK) status = weights_load(o->from, &weights, &info, err);
    if (status != STATUS_OK) return status;
    LearnStart start = {&weights, info.label, info.comment};
    status = learn_run(o->dir, &start, settings, cli_interrupted(), show, &display, &report, err);
    if (display.stage[0]) progress_end(&display.progress);
    if (status == STATUS_INTERRUPTED)
        (void)error_set(err, status, "interrupted; the same command goes on from here");
    if (status == STATUS_OK)
        status = save_report(o->dir, "results.txt", learn_report_print, &report, err);
    if (status == STATUS_OK)
        status = save_report(o->dir, "results.json", learn_report_json, &report, err);
    if (status == STATUS_OK)
        (o->common.json ? learn_report_json : learn_report_print)(stdout, o->dir, &report);
    learn_report_free(&report);
    return status;
}

static const OptionRivals rivals[] = {
    {"chess960", {"double-chess960"}},
    {"double-chess960", {"chess960"}},
    {0},
};

Status cmd_learn(int argc, char **argv, Error *err)
{
    LearnSettings settings;
    Option options[OWN_OPTIONS + PLAY_OPTION_COUNT + 1];
    OptionParser *parser = NULL;
    bool done = false;

    learn_defaults(&settings);
    LearnOptions o = default_options(&settings);
    fill_table(&o, &settings, options);
    const OptionSpec spec = {.command = "learn",
                             .sections = command_names,
                             .synopsis = "--from W --dir DIR --budget TIME | --generations N "
                                         "[options]",
                             .description = description,
                             .options = options,
                             .rivals = rivals,
                             .common = &o.common,
                             .epilogue = epilogue};
    Status status = options_parse(&spec, argc, argv, &parser, NULL, &done, err);
    if (status == STATUS_OK && !done) status = run(&o, parser, &settings, err);
    options_destroy(parser);
    return status;
}
