/* SPDX-License-Identifier: MIT
 * tabia learn: options and display of the loop of generations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/learn/learn.h"
#include "cli/learn/report.h"
#include "cli/match/statistics_text.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/page/page.h"
#include "cli/play/play_options.h"
#include "cli/play/pool.h"
#include "cli/tune/options.h"
#include "engine/base/new_file.h"
#include "engine/eval/weights_file.h"

typedef struct LearnOptions {
    CommonOptions common;
    LearnSettings settings;
    Option exploration[EXPLORATION_OPTIONS];
    FitOptions fit;
    PlayOptions play; /* of self-play; openings, hash and adjudication also of the matches */
    const char *from, *dir;
    int64_t budget_ms;
} LearnOptions;

static const char description[] =
    "Learns evaluation weights by self-play, generation by generation: games of the best weights "
    "so\n"
    "far, a fit to the games of the latest generations, and a match that decides whether the fit\n"
    "replaces the best weights. --from zero starts with the rules of chess alone. After an\n"
    "interruption the same command continues.";

static const char epilogue[] =
    "DIR gets learn.db (all games and fits), weights/gen-NNN.h, best.h, results.txt, results.json\n"
    "and report.html, a page of charts that is also written after each generation.\n"
    "Weights W: builtin, zero, material, or a header file.\n"
    "\n"
    "Example: tabia learn --from zero --dir run --budget 10m --config configs/learn.ini";

/* ---- Options */

/* --pool last:K, whose target is an int. */
static Status parse_pool(void *last, const char *text, Error *err)
{
    Status status = pool_parse_last(text, last, err);

    if (status != STATUS_OK || *(int *)last > 0) return status;
    return error_set(err, STATUS_USAGE, "\"%s\" is not last:K", text);
}

/* An empty text keeps the default test. */
static Status parse_sprt(void *sprt, const char *text, Error *err)
{
    return *text ? match_set_sprt(sprt, text, err) : STATUS_OK;
}

/* ---- Progress */

typedef struct Display {
    Progress progress;
    char stage[64]; /* on display */
    bool quiet;
    const char *dir;
} Display;

/* ---- The page */

/* While a run goes on, a browser reads the page again after this many seconds. */
enum { PAGE_REFRESH = 10 };

static Status save_page(const char *dir, int refresh, Error *err)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/report.html", dir);
    const PageSettings settings = {.source = dir, .out = path, .refresh = refresh};
    return page_write(&settings, err);
}

/* A new stage ends the display of the previous one. Is it time to draw? */
static bool show_stage(Display *d, int generation, const char *what, const char *opponent,
                       int64_t total, int64_t resumed)
{
    char stage[sizeof d->stage];

    (void)snprintf(stage, sizeof stage, "generation %d %s%s", generation, what, opponent);
    if (strcmp(stage, d->stage) != 0) {
        if (d->stage[0]) progress_end(&d->progress);
        memcpy(d->stage, stage, sizeof stage);
        progress_start(&d->progress, total, resumed, d->quiet);
    }
    return progress_due(&d->progress);
}

static void show_selfplay(Display *d, int generation, const SelfplayProgress *p)
{
    if (show_stage(d, generation, "plays", "", p->total, p->resumed))
        progress_draw(&d->progress, p->done, "games", "%s: white won %lld, drew %lld, lost %lld",
                      d->stage, (long long)p->wins, (long long)p->draws, (long long)p->losses);
}

static void show_tune(Display *d, int generation, const FitIteration *t)
{
    if (show_stage(d, generation, "fits", "", 0, 0))
        progress_draw(&d->progress, t->iteration, "passes", "%s: loss %.6f", d->stage,
                      t->train_loss);
}

static void show_gauntlet(Display *d, const LearnEvent *event)
{
    const GauntletProgress *p = event->gauntlet;
    char elo[ELO_TEXT_MAX];

    if (!show_stage(d, event->generation, "against ", event->opponent, p->total, p->resumed))
        return;
    match_elo_text(&p->stats, elo);
    progress_draw(&d->progress, p->done, "games", "%s: Elo %s", d->stage, elo);
}

static void show_proved(Display *d, const LearnGeneration *g)
{
    char elo[ELO_TEXT_MAX], held_out[32] = "–", duration[16];
    MatchStats stats;

    if (d->stage[0]) progress_end(&d->progress);
    d->stage[0] = '\0';
    if (d->quiet) return;
    match_stats(&g->match, NULL, &stats);
    match_elo_text(&stats, elo);
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
    if (!event->proved) return;
    show_proved(d, event->proved);
    Error ignored = {0}; /* best effort: the end of the run reports a failure */
    Status status = save_page(d->dir, PAGE_REFRESH, &ignored);
    (void)status;
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

static Status run(void *command, const OptionParser *parser, Error *err)
{
    LearnOptions *o = command;
    LearnSettings *settings = &o->settings;
    EvalWeights weights;
    WeightsInfo info;
    LearnReport report = {0};
    Display display = {.quiet = o->common.quiet, .dir = o->dir};

    if (o->budget_ms == 0 && settings->generations == 0)
        return error_set(err, STATUS_USAGE, "--budget or --generations is needed");
    settings->seed = o->common.seed;
    settings->threads = options_threads(&o->common);
    settings->budget = (double)o->budget_ms / 1000;
    Status status = play_options_apply(&o->play, parser, err);
    if (status == STATUS_OK) status = weights_load(o->from, &weights, &info, err);
    if (status != STATUS_OK) return status;
    LearnStart start = {&weights, info.label, info.comment};
    status = learn_run(o->dir, &start, settings, cli_interrupted(), show, &display, &report, err);
    if (display.stage[0]) progress_end(&display.progress);
    if (status == STATUS_INTERRUPTED)
        (void)error_set(err, status, "interrupted; the same command continues");
    if (status == STATUS_OK)
        status = save_report(o->dir, "results.txt", learn_report_print, &report, err);
    if (status == STATUS_OK)
        status = save_report(o->dir, "results.json", learn_report_json, &report, err);
    if (status == STATUS_OK) status = save_page(o->dir, 0, err);
    if (status == STATUS_OK)
        (o->common.json ? learn_report_json : learn_report_print)(stdout, o->dir, &report);
    learn_report_free(&report);
    return status;
}

Status cmd_learn(int argc, char **argv, Error *err)
{
    LearnOptions o = {0};
    LearnSettings *s = &o.settings;
    learn_defaults(s);
    o.common.seed = s->seed;
    exploration_options_init(o.exploration, &s->selfplay.exploration);
    fit_options_init(&o.fit, &s->tune, &s->filter);
    play_options_init(&o.play, &s->selfplay.limits, &s->selfplay.hash_bytes, &s->selfplay.opening,
                      &s->selfplay.adjudication);
    const Option options[] = {
        {"from", OPTION_STRING, &o.from, "W",
         "weights of generation 0: builtin, zero, material or a file", .required = true},
        {"dir", OPTION_STRING, &o.dir, "DIR", "folder of all results", .required = true},
        {"budget", OPTION_TIME, &o.budget_ms, "TIME", "time for everything: 90s, 10m, 8h", 1000,
         INFINITY},
        {"generations", OPTION_INT, &s->generations, "N", "number of the last generation", 1, 9999},
        {"games", OPTION_INT64, &s->selfplay.games, "N", "games of a generation", 1, 1e9},
        {.kind = OPTION_TABLE, .target = o.exploration},
        {"random-decay", OPTION_DOUBLE, &s->random_decay, "X",
         "factor on the probability of random moves for each generation from 3 on", 0, 1},
        {"first-random-move", OPTION_DOUBLE, &s->first.random_move, "P",
         "probability of a random move in generation 1 ...", 0, 1},
        {"first-random-until", OPTION_INT, &s->first.random_until_ply, "PLY", "... before this ply",
         0, GAME_PLIES_MAX},
        {"pool", OPTION_CUSTOM, &s->pool_last, "last:K",
         "self-play opponents: the K latest best weights, one drawn for each game",
         .parse = parse_pool},
        {"nodes-growth", OPTION_DOUBLE, &s->nodes_growth, "X",
         "factor on --nodes for each generation from 2 on ...", 1, 10},
        {"nodes-max", OPTION_INT64, &s->nodes_max, "N", "... up to this limit", 1, 1e15},
        {"mirror-until", OPTION_INT, &s->mirror_until, "N",
         "last generation in whose fit squares that mirror each other share a weight", 0, 9999},
        {"window", OPTION_INT, &s->window, "N", "number of latest generations in a fit", 1, 9999},
        {.kind = OPTION_TABLE, .target = o.fit.rows},
        {"gauntlet-games", OPTION_INT64, &s->gauntlet_games, "N",
         "most games of a generation's match against the best, an even number; 0: none, every "
         "generation replaces the best",
         0, 1e9},
        {"gauntlet-nodes", OPTION_INT64, &s->gauntlet_limits.nodes_soft, "N",
         "soft limit of nodes a move in matches", 1, 1e15},
        {"sprt", OPTION_CUSTOM, &s->sprt, "TEST",
         "sequential test of that match: elo0=X,elo1=Y[,model=...]", .parse = parse_sprt},
        {"final-games", OPTION_INT64, &s->final_games, "N",
         "games of each match at the end, an even number", 2, 1e9},
        {.kind = OPTION_TABLE, .target = o.play.rows},
        {0},
    };
    const OptionSpec spec = {.command = "learn",
                             .sections = command_names,
                             .synopsis = "--from W --dir DIR --budget TIME | --generations N "
                                         "[options]",
                             .description = description,
                             .options = options,
                             .common = &o.common,
                             .epilogue = epilogue};
    return options_run(&spec, argc, argv, run, &o, err);
}
