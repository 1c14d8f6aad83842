/* SPDX-License-Identifier: MIT
 * tabia learn: options and display of the loop of generations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/cluster_command.h"
#include "cli/commands/command.h"
#include "cli/learn/report.h"
#include "cli/match/statistics_text.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/output/terminal.h"
#include "cli/page/page.h"
#include "cli/play/play_options.h"
#include "db/chess/stored_weights.h"
#include "engine/base/clock.h"
#include "engine/base/new_file.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "tuner/fit/loss.h"
#include "tuner/learn/derived_settings.h"
#include "tuner/learn/learn.h"
#include "tuner/learn/serve.h"
#include "tuner/learn/stored_run.h"

typedef struct LearnCommand {
    Cluster cluster;
    CommonOptions common;
    LearnSettings settings;
    PlayOptions play; /* of self-play; openings, hash and adjudication also of the matches */
    const char *from; /* weights of generation 0 */
    const char *dir;
    bool dry_run, resume;
    int argc; /* the command line, which --resume reads again */
    char **argv;
} LearnCommand;

static const char description[] =
    "Learns evaluation weights by self-play, generation by generation: games of the best weights so\n"
    "far, and a fit to the games of the latest generations, which replaces them at once or after a\n"
    "match (--gauntlet-games). Matches at the end show the gain. --from zero starts with the rules of\n"
    "chess alone. After an interruption the same command continues; so does --resume, with the\n"
    "settings that the run began with.";

static const char epilogue[] =
    "DIR gets learn.db (all games and fits), weights/gen-NNN.h, best.h, results.txt, results.json\n"
    "and report.html, a page of charts that is also written after each generation. The same\n"
    "command writes lost or changed files of weights again, from learn.db.\n"
    "Weights W: builtin, classical, tables, pesto, zero, material, or a header file.\n"
    "\n"
    "Examples:\n"
    "  tabia learn --from zero --dir run --budget 10m\n"
    "  tabia learn --from zero --dir run --budget 10m --dry-run\n"
    "  tabia learn --from new.h --dir better --generations 5 --terms classical\n"
    "  tabia learn --dir better --resume --generations 10\n"
    "  tabia learn --from zero --dir night --budget 8h --config learn";

/* ---- Progress */

typedef struct LearnDisplay {
    Progress progress;
    char stage[64]; /* on display */
    bool quiet;
    bool checked; /* the database, by the first page: a check reads all games */
    const char *dir;
    const LearnSettings *settings;
} LearnDisplay;

/* ---- The page */

/* While a run goes on, a browser reads the page again after this many seconds. */
enum { PAGE_REFRESH = 10 };

/* progress: of a run that goes on; NULL: it has ended. */
static Status save_page(LearnDisplay *d, const char *progress, Error *err)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/report.html", d->dir);
    const PageSettings settings = {.source = d->dir,
                                   .out = path,
                                   .refresh = progress ? PAGE_REFRESH : 0,
                                   .progress = progress,
                                   .checked = progress && d->checked};
    Status status = page_write(&settings, err);
    d->checked |= status == STATUS_OK;
    return status;
}

/* ---- What standard error shows */

enum { BUDGET_TEXT_MAX = 48 };

/* "30 core-minutes", "5 core-seconds" or "15m00s". */
static void budget_text(double seconds, bool cpu, char out[BUDGET_TEXT_MAX])
{
    if (!cpu)
        progress_duration(seconds, out);
    else if (seconds < 60)
        (void)snprintf(out, BUDGET_TEXT_MAX, "%.3g core-seconds", seconds);
    else
        (void)snprintf(out, BUDGET_TEXT_MAX, "%.4g core-minutes", seconds / 60);
}

/* On standard error, as wide as the terminal. */
static void print_line(const char *text)
{
    (void)text_wrap(stderr, 2, terminal_columns(stderr), text);
    fputc('\n', stderr);
}

/* What the budget allows. */
static void show_budget(const LearnDisplay *d, const LearnCost *earlier)
{
    const LearnBudget *b = &d->settings->budget;
    char all[BUDGET_TEXT_MAX], used[BUDGET_TEXT_MAX], wall[16], text[256] = "";

    if (d->quiet || b->seconds <= 0) return;
    budget_text(b->seconds, b->cpu, all);
    budget_text(b->cpu ? earlier->cpu : earlier->wall, b->cpu, used);
    text_append(text, sizeof text, "budget: %s", all);
    if (b->cpu) {
        progress_duration(b->seconds / d->settings->threads, wall);
        text_append(text, sizeof text, " (%s with %d free cores)", wall, d->settings->threads);
    }
    text_append(text, sizeof text, " for generations, then final matches in at most a tenth of it");
    if (earlier->wall > 0) text_append(text, sizeof text, "; %s were spent before", used);
    print_line(text);
}

/* "gen 12 · play · 3.1 of 10 cm", "gen 12 of 20 · play · 5m10s" */
static void set_head(LearnDisplay *d, double spent)
{
    const LearnBudget *b = &d->settings->budget;
    double unit = b->seconds < 60 ? 1 : 60;
    char used[16], all[16], text[48];

    progress_duration(spent, used);
    progress_duration(b->seconds, all);
    if (b->seconds <= 0)
        (void)snprintf(text, sizeof text, "%s", used);
    else if (b->cpu)
        (void)snprintf(text, sizeof text, "%.1f of %.4g %s", spent / unit, b->seconds / unit,
                       unit > 1 ? "cm" : "cs");
    else
        (void)snprintf(text, sizeof text, "%s of %s", used, all);
    (void)snprintf(d->progress.head, sizeof d->progress.head, "%s · %s", d->stage, text);
}

/* "12", "12 of 20". */
static void generation_text(const LearnDisplay *d, int generation, char text[24])
{
    bool last = d->settings->generations > 0 && d->settings->budget.seconds <= 0;

    (void)snprintf(text, 24, last ? "%d of %d" : "%d", generation, d->settings->generations);
}

enum { PAGE_PROGRESS_MAX = 192 };

/* "generation 12 of 20 took 20.1s, 5m10s in all", "generation 12 took 20.1s, 3.1 core-minutes of a
 * budget of 10 core-minutes are used" */
static void page_progress(const LearnDisplay *d, const LearnEvent *event,
                          char text[PAGE_PROGRESS_MAX])
{
    const LearnBudget *b = &d->settings->budget;
    char generation[24], took[16], used[BUDGET_TEXT_MAX], all[BUDGET_TEXT_MAX];

    generation_text(d, event->generation, generation);
    progress_duration(learn_generation_cost(event->proved).wall, took);
    budget_text(event->spent, b->cpu && b->seconds > 0, used);
    budget_text(b->seconds, b->cpu, all);
    *text = '\0';
    text_append(text, PAGE_PROGRESS_MAX, "generation %s took %s, %s", generation, took, used);
    if (b->seconds > 0)
        text_append(text, PAGE_PROGRESS_MAX, " of a budget of %s are used", all);
    else
        text_append(text, PAGE_PROGRESS_MAX, " in all");
}

/* A new stage, or a match made longer, ends the display of the previous one. Is it time to draw? */
static bool show_stage(LearnDisplay *d, const LearnEvent *event, const char *what,
                       const char *opponent, int64_t total, int64_t resumed)
{
    char stage[sizeof d->stage], generation[24];

    generation_text(d, event->generation, generation);
    (void)snprintf(stage, sizeof stage, "gen %s · %s%s", generation, what, opponent);
    if (strcmp(stage, d->stage) != 0 || total != d->progress.total) {
        if (d->stage[0]) progress_end(&d->progress);
        memcpy(d->stage, stage, sizeof stage);
        progress_start(&d->progress, total, resumed, d->quiet);
    }
    set_head(d, event->spent);
    if (isfinite(event->seconds_left)) d->progress.end = clock_seconds() + event->seconds_left;
    return progress_due(&d->progress);
}

static void show_selfplay(LearnDisplay *d, const LearnEvent *event)
{
    const SelfplayProgress *p = event->selfplay;

    if (show_stage(d, event, "play", "", p->total, p->resumed))
        progress_draw(&d->progress, p->done, "games", "white won %lld, drew %lld, lost %lld",
                      (long long)p->wins, (long long)p->draws, (long long)p->losses);
}

static void show_tune(LearnDisplay *d, const LearnEvent *event)
{
    const FitIteration *t = event->tune;

    if (show_stage(d, event, "fit", "", 0, 0))
        progress_draw(&d->progress, t->iteration, "passes", "loss %.6f", t->train_loss);
}

static void show_train(LearnDisplay *d, const LearnEvent *event)
{
    const TrainProgress *t = event->train;

    if (show_stage(d, event, "train", "", t->total, 0))
        progress_draw(&d->progress, t->done, "positions", "epoch %d, loss %.6f", t->epoch, t->loss);
}

static void show_gauntlet(LearnDisplay *d, const LearnEvent *event)
{
    const GauntletProgress *p = event->gauntlet;
    char elo[ELO_TEXT_MAX];

    if (!show_stage(d, event, "against ", event->opponent, p->total, p->resumed)) return;
    match_elo_text(&p->stats, elo);
    progress_draw(&d->progress, p->done, "games", "Elo %s", elo);
}

/* Losses of generations with different targets do not compare. */
static void note_target(const LearnSettings *s, int generation)
{
    char text[192] = "";

    if (generation < 2) return;
    if (learn_trains(s, generation)) {
        if (generation == s->network_phase.from)
            text_append(text, sizeof text, "networks are trained from here on, --lambda %g",
                        s->network.lambda);
        else if (learn_hidden(s, generation) != learn_hidden(s, generation - 1))
            text_append(text, sizeof text, "networks have %d hidden units from here on",
                        learn_hidden(s, generation));
    } else if (generation == s->late_from) {
        text_append(text, sizeof text,
                    "fits have --lambda %g and use drawn games from here on, so losses differ",
                    s->late_lambda);
    }
    if (learn_terms(s, generation) != learn_terms(s, generation - 1) &&
        !learn_trains(s, generation))
        text_append(text, sizeof text, "%sfits have king squares from here on", *text ? "; " : "");
    char line[256] = "";
    text_append(line, sizeof line, "generation %d: note: %s", generation, text);
    if (*text) print_line(line);
}

static void show_proved(LearnDisplay *d, const LearnGeneration *g)
{
    char elo[ELO_TEXT_MAX], held_out[32] = "–", duration[16], text[320] = "";
    char warning[SPLIT_WARNING_MAX];
    MatchStats stats;
    bool rated = match_games(&g->strength) > 0;

    if (d->stage[0]) progress_end(&d->progress);
    d->stage[0] = '\0';
    if (d->quiet) return;
    match_stats(rated ? &g->strength : &g->match, NULL, &stats);
    match_elo_text(&stats, elo);
    if (isfinite(g->validation_loss))
        (void)snprintf(held_out, sizeof held_out, "%.5f", g->validation_loss);
    progress_duration(learn_generation_cost(g).wall, duration);
    text_append(text, sizeof text, "generation %d: %lld games, ", g->generation,
                (long long)g->games);
    text_append(text, sizeof text, "%lld positions, loss %.5f, held out %s, Elo %s",
                (long long)g->positions, g->train_loss, held_out, elo);
    if (rated) text_append(text, sizeof text, " over generation %d", g->anchor);
    text_append(text, sizeof text, ": %s (%s)", g->accepted ? "accepted" : "rejected", duration);
    print_line(text);
    note_target(d->settings, g->generation);
    if (split_warning(&g->split, SPLIT_SHARED_MAX, warning)) {
        (void)snprintf(text, sizeof text, "generation %d: warning: %s", g->generation, warning);
        print_line(text);
    }
    if (learn_trains(d->settings, g->generation) && g->k == CALIBRATE_K_REFERENCE) {
        (void)snprintf(text, sizeof text,
                       "generation %d: warning: K is %g, because no scores predict the results",
                       g->generation, g->k);
        print_line(text);
    }
}

static void show(void *context, const LearnEvent *event)
{
    LearnDisplay *d = context;

    if (event->earlier) show_budget(d, event->earlier);
    if (event->selfplay) show_selfplay(d, event);
    if (event->tune) show_tune(d, event);
    if (event->train) show_train(d, event);
    if (event->gauntlet) show_gauntlet(d, event);
    if (!event->proved) return;
    show_proved(d, event->proved);
    char progress[PAGE_PROGRESS_MAX];
    page_progress(d, event, progress);
    Error ignored = {0}; /* best effort: the end of the run reports a failure */
    Status status = save_page(d, progress, &ignored);
    (void)status;
}

/* ---- The result */

typedef void (*ReportFn)(FILE *out, const char *dir, const LearnReport *report,
                         const Ratings *ratings);

static Status save_report(const char *dir, const char *file, ReportFn fn, const LearnReport *report,
                          const Ratings *ratings, Error *err)
{
    NewFile out;
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    Status status = new_file_open(&out, path, err);
    if (status != STATUS_OK) return status;
    fn(out.stream, dir, report, ratings);
    return new_file_commit(&out, err);
}

static Status read_ratings(const char *dir, Ratings *ratings, Error *err)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/learn.db", dir);
    Store *store = store_open(path, STORE_READ, err);
    if (!store) return err->status;
    Status status = ratings_read(store, NULL, ratings, err);
    store_close(store);
    return status;
}

static Status report_results(const LearnCommand *o, LearnDisplay *display,
                             const LearnReport *report, Error *err)
{
    Ratings ratings = {0};

    Status status = read_ratings(o->dir, &ratings, err);
    if (status == STATUS_OK)
        status = save_report(o->dir, "results.txt", learn_report_print, report, &ratings, err);
    if (status == STATUS_OK)
        status = save_report(o->dir, "results.json", learn_report_json, report, &ratings, err);
    if (status == STATUS_OK) status = save_page(display, NULL, err);
    if (status == STATUS_OK)
        (o->common.json ? learn_report_json : learn_report_print)(stdout, o->dir, report, &ratings);
    ratings_free(&ratings);
    return status;
}

/* A folder that is absent is made later. */
static Status check_outputs(const char *dir, Error *err)
{
    enum { OUTPUTS = 3 };
    static const char *const names[OUTPUTS] = {"results.txt", "results.json", "report.html"};
    const char *outputs[OUTPUTS], *inputs[OUTPUTS] = {NULL};
    char paths[OUTPUTS][4096];

    if (access(dir, F_OK) != 0) return STATUS_OK;
    for (int i = 0; i < OUTPUTS; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/%s", dir, names[i]);
        outputs[i] = paths[i];
    }
    return outputs_check(outputs, inputs, OUTPUTS, err);
}

/* Refuses half of a rule, which would have no effect; settles what depends on several options. */
static Status apply_options(LearnCommand *o, const OptionParser *parser, Error *err)
{
    LearnSettings *s = &o->settings;
    SelfplaySettings *selfplay = &s->selfplay;

    Status status = STATUS_OK;
    if (!o->resume) status = exploration_options_check(&selfplay->exploration, parser, err);
    if (status == STATUS_OK && !o->resume)
        status = exploration_check_rule(parser, "first-random-move", s->first.random_move > 0,
                                        "first-random-until", s->first.random_until_ply, err);
    if (status != STATUS_OK) return status;
    s->seed = o->common.seed;
    s->threads = options_threads(&o->common);
    return play_options_apply(&o->play, &selfplay->limits, &selfplay->opening,
                              &selfplay->adjudication, false, parser, err);
}

static Status show_plan(const LearnCommand *o, const LearnStart *start, Error *err)
{
    LearnPlan plan;

    Status status = learn_plan(o->dir, start, &o->settings, cli_interrupted(), &plan, err);
    if (status == STATUS_OK) (o->common.json ? learn_plan_json : learn_plan_print)(&plan);
    return status;
}

/* All processes must learn the same. */
static Status agree(const LearnCommand *o, const Evaluation *weights, Error *err)
{
    char hash[HASH_HEX_MAX], *text = NULL;

    Status status = stored_weights_hash(weights, hash, err);
    if (status == STATUS_OK) status = learn_settings_json(&o->settings, hash, &text, err);
    if (status == STATUS_OK) status = cluster_agree(&o->cluster, text, err);
    free(text);
    return status;
}

/* stored: what --resume continues, or NULL. */
static Status learn(LearnCommand *o, const StoredRun *stored, const OptionParser *parser,
                    Error *err)
{
    LearnSettings *settings = &o->settings;
    Evaluation weights;
    WeightsInfo info;
    LearnReport report = {0};
    LearnDisplay display = {.quiet = o->common.quiet, .dir = o->dir, .settings = settings};

    if (!o->from && !stored) return error_set(err, STATUS_USAGE, "--from or --resume is needed");
    if (settings->budget.seconds <= 0 && settings->generations == 0)
        return error_set(err, STATUS_USAGE, "--budget or --generations is needed");
    Status status = apply_options(o, parser, err);
    bool may_be_network = learn_trains(settings, 1);
    if (stored) {
        weights = stored->weights;
        info = stored->info;
    }
    if (status == STATUS_OK && o->from) status = evaluation_load(o->from, &weights, &info, err);
    if (status == STATUS_OK && !may_be_network)
        status = evaluation_require_weights(&weights, o->from, err);
    if (status != STATUS_OK) return status;
    LearnStart start = {&weights, info.label, info.comment};
    if (o->dry_run) {
        (void)cluster_go(&o->cluster, false);
        return show_plan(o, &start, err);
    }
    if (o->cluster.rank == 0 && check_outputs(o->dir, err) != STATUS_OK) return err->status;
    if (o->cluster.rank == 0) (void)cluster_go(&o->cluster, true);
    status = agree(o, &weights, err);
    if (status != STATUS_OK) return status;
    settings->cluster = &o->cluster;
    settings->threads = cluster_command_threads(&o->cluster, &o->common);
    if (o->cluster.rank > 0) return learn_serve(settings, cli_interrupted(), err);
    status = learn_run(o->dir, &start, settings, cli_interrupted(), show, &display, &report, err);
    if (display.stage[0]) progress_end(&display.progress);
    if (status == STATUS_INTERRUPTED)
        (void)error_set(err, status, "interrupted; the same command continues");
    if (status == STATUS_OK) status = report_results(o, &display, &report, err);
    learn_report_free(&report);
    return status;
}

static const Setting options[] = {
    SETTING_HEADING("The run"),
    {"dir", FIELD(LearnCommand, dir), "DIR", "folder of all results", .required = true},
    {"resume", FIELD(LearnCommand, resume), NULL,
     "continue the run of --dir with its settings; without --generations and --budget to the end of its last generation",
     .first = true},
    {"dry-run", FIELD(LearnCommand, dry_run), NULL,
     "prints what would be done and an estimate of its cost, and does nothing"},
    {"from", FIELD(LearnCommand, from), "W",
     "weights of generation 0: builtin, classical, tables, pesto, zero, material or a file",
     .words = WEIGHTS_NAMES, .first = true},
    {FIELD(LearnCommand, settings), .rows = learn_settings},
    SETTING_HEADING(opening_heading),
    {FIELD(LearnCommand, play), .rows = play_settings},
    {FIELD(LearnCommand, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "learn",
    .synopsis = "--dir DIR --from W | --resume --budget TIME | --generations N [options]",
    .description = description,
    .settings = options,
    .reads_again = "resume",
    .epilogue = epilogue};

/* With --resume the settings of the run are the defaults of a second reading of the options. */
static Status run(void *command, const OptionParser *parser, Error *err)
{
    LearnCommand *o = command;
    OptionParser *again = NULL;
    OptionSpec last = spec;
    StoredRun stored;
    bool done;

    if (!o->resume) return learn(o, NULL, parser, err);
    Status status = stored_run_read(o->dir, &stored, err);
    if (status != STATUS_OK) return status;
    const OpeningBase base = stored.settings.selfplay.opening.base;
    o->settings = stored.settings;
    o->common.seed = stored.settings.seed;
    o->play.base = (BaseOptions){base == OPENING_CHESS960, base == OPENING_DOUBLE_CHESS960};
    last.reads_again = NULL;
    status = options_parse(&last, o, o->argc, o->argv, &again, &done, err);
    if (base == OPENING_CHESS960 && o->play.base.double_chess960) o->play.base.chess960 = false;
    if (o->settings.generations == 0 && o->settings.budget.seconds <= 0) {
        o->settings.generations = stored.last;
        if (!o->common.quiet)
            fprintf(stderr,
                    "to the end of generation %d, the last begun; --generations N goes on\n",
                    stored.last);
    }
    if (status == STATUS_OK) status = learn(o, &stored, again, err);
    options_destroy(again);
    return status;
}

Status cmd_learn(int argc, char **argv, Error *err)
{
    LearnCommand o = {.argc = argc, .argv = argv};

    learn_defaults(&o.settings);
    o.common.seed = o.settings.seed;
    return cluster_command_run(&o.cluster, &spec, argc, argv, run, &o, err);
}
