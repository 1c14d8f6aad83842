/* SPDX-License-Identifier: MIT
 * The options of `tabia tune`: the table, and what must fit together. */
#include "cli/tune/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/output_file.h"
#include "db/store/store.h"
#include "engine/values/value.h"
#include "selfplay/formats/formats.h"
#include "tuner/data/scratch.h"

static const char description[] =
    "Fits weights to the results of games: minimises the squared error of the prediction\n"
    "1 / (1 + exp(-K cp / 400)) and writes a header that compiles into the engine. A share of the\n"
    "games is held out. The report shows the quality of the fit and the error of each weight.";

static const char epilogue[] =
    "Weights W: builtin, zero, material, or a header file.\n"
    "\n"
    "Examples:\n"
    "  tabia tune --db games.db --start zero --out new.h\n"
    "  tabia tune --epd positions.epd.zst --out new.h --folds 5 --prior auto\n"
    "  tabia tune --db games.db --out new.h --freeze 'KING_PST,MATERIAL'\n"
    "  tabia tune --features counts.features --out counts.weights --folds 5\n"
    "  tabia tune --score-only --weights material --epd positions.epd.zst --json";

/* "3-7" or "5": whole numbers from `least` to `most`, the second not below the first. */
static Status parse_range(const char *text, int64_t least, int64_t most, int64_t *first,
                          int64_t *last, Error *err)
{
    if (value_parse_range(text, first, last) && *first >= least && *last <= most) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "\"%s\" is not A-B", text);
}

/* Runs are counted from 1. */
Status tune_parse_runs(void *target, const char *text, Error *err)
{
    DatasetFilter *f = target;
    return parse_range(text, 1, INT64_MAX, &f->first_run, &f->last_run, err);
}

Status tune_parse_generations(void *target, const char *text, Error *err)
{
    DatasetFilter *f = target;
    return parse_range(text, 0, INT_MAX, &f->first_generation, &f->last_generation, err);
}

static Status parse_prior(void *settings, const char *text, Error *err)
{
    TuneSettings *t = settings;

    t->fit.prior_auto = strcmp(text, "auto") == 0;
    if (t->fit.prior_auto ||
        (value_parse_double(text, &t->fit.prior) && t->fit.prior >= 0 && t->fit.prior <= 1e12))
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "\"%s\" is neither auto nor a number from 0", text);
}

static Status parse_terms(void *families, const char *text, Error *err)
{
    return eval_families_parse(text, families, err);
}

static Status parse_freeze(void *freeze, const char *text, Error *err)
{
    if (!*text) return error_set(err, STATUS_USAGE, "no term is named");
    *(const char **)freeze = text;
    return STATUS_OK;
}

Status tune_parse_scratch(void *scratch, const char *text, Error *err)
{
    *(const char **)scratch = text;
    return scratch_check(text, err);
}

/* ---- After parsing */

#define NOISE_FLOOR 0.02 /* the default, which a file of settings may name with any loss */

/* First-order steps are short and many. */
enum { ADAM_ITERATIONS = 10000, ADAM_PATIENCE = 500 };

static void apply_method(TuneOptions *o, const OptionParser *parser)
{
    if (o->tune.fit.method == OPTIMISER_NEWTON) return;
    o->usual.fit.max_iterations = ADAM_ITERATIONS;
    o->usual.fit.patience = ADAM_PATIENCE;
    if (!options_given(parser, "iterations")) o->tune.fit.max_iterations = ADAM_ITERATIONS;
    if (!options_given(parser, "patience")) o->tune.fit.patience = ADAM_PATIENCE;
}

/* A file of settings may name a hold-out besides the folds. */
static Status check_folds(const TuneOptions *o, const OptionParser *parser, Error *err)
{
    if (o->tune.fit.folds == 1)
        return error_set(err, STATUS_USAGE, "--folds must be at least 2, or 0 for none");
    if (o->tune.fit.folds > 0 && options_typed(parser, "validation"))
        return error_set(err, STATUS_USAGE,
                         "--validation does not go with --folds; give one of them");
    if ((o->tune.fit.folds > 0 || o->tune.fit.validation <= 0) && o->tune.fit.patience > 0 &&
        options_typed(parser, "patience"))
        return error_set(err, STATUS_USAGE, "--patience needs a --validation part");
    return STATUS_OK;
}

/* A file of settings may name a scale besides them. */
static Status check_army(const TuneOptions *o, const OptionParser *parser, Error *err)
{
    bool kept = options_typed(parser, "k") || options_typed(parser, "freeze");
    if (kept && o->tune.start_material > 0 && o->army_typed)
        return error_set(err, STATUS_USAGE,
                         "--army does not go with --k or --freeze, which keep the scale of the "
                         "start; give one of them");
    return STATUS_OK;
}

static Status check(const TuneOptions *o, Error *err)
{
    if ((o->db != NULL) + (o->epd != NULL) + (o->features != NULL) != 1)
        return error_set(err, STATUS_USAGE,
                         "one of --db FILE, --epd FILE and --features FILE is needed");
    const GameFormat *format = o->epd ? game_format_of(o->epd, true) : NULL;
    if (format && format->write)
        return error_set(err, STATUS_USAGE,
                         "--epd %s: a file of games; tabia db import games.db %s makes a database "
                         "for --db games.db",
                         o->epd, o->epd);
    if (o->epd && store_recognises(o->epd))
        return error_set(err, STATUS_USAGE, "--epd %s: a database; use --db %s", o->epd, o->epd);
    if (!o->score_only && !o->out) return error_set(err, STATUS_USAGE, "--out is needed");
    if (o->tune.fit.prior_auto && o->tune.fit.folds == 0 && o->tune.fit.validation <= 0)
        return error_set(err, STATUS_USAGE, "--prior auto needs --folds or a --validation part");
    if (o->tune.fit.loss.floor != NOISE_FLOOR && o->tune.fit.loss.kind != LOSS_NOISE_FLOOR)
        return error_set(err, STATUS_USAGE, "--noise-floor needs --loss noise-floor");
    if (o->filter.positions.min_phase > o->filter.positions.max_phase)
        return error_set(err, STATUS_USAGE, "--min-phase must not be above --max-phase");
    if (o->db && o->filter.positions.max_ply > 0 &&
        o->filter.positions.min_ply > o->filter.positions.max_ply)
        return error_set(err, STATUS_USAGE, "--min-ply must not be above --max-ply");
    return STATUS_OK;
}

static Status check_outputs(const TuneOptions *o, Error *err)
{
    const char *const inputs[] = {o->db, o->epd, o->features, o->start, o->weights};
    const char *const outputs[] = {o->out, o->emit, o->tune.checkpoint, NULL, NULL};

    Status status = outputs_check(outputs, inputs, 5, err);
    if (status == STATUS_OK) status = output_needs_file(o->out, "out", err);
    if (status == STATUS_OK && !o->features) status = output_check_plain(o->out, err);
    if (status == STATUS_OK) status = output_needs_file(o->tune.checkpoint, "checkpoint", err);
    if (status == STATUS_OK) status = output_needs_file(o->emit, "emit", err);
    return status;
}

void fit_options_init(FitOptions *o, TuneSettings *tune, DatasetFilter *filter)
{
    const Option table[] = {
        {"lambda", OPTION_DOUBLE, &tune->fit.lambda, "X",
         "weight of the game's result in the target; the rest is the search score", 0, 1},
        {"army", OPTION_DOUBLE, &tune->start_material, "CP",
         "value of the start position's pieces, centipawns: fixes the scale; 0: that of the start "
         "weights",
         0, 1e5, .not_with = "features score-only"},
        {"prior", OPTION_CUSTOM, tune, "N",
         "strength of the pull toward the start weights, in positions per weight; auto: chosen by "
         "the loss on held-out games",
         .parse = parse_prior, .preset = o->prior, .not_with = "score-only"},
        {"terms", OPTION_CUSTOM, &tune->terms, "SET",
         "families of terms that are fitted: material-pst, classical (all of them), or a list as "
         "in docs/eval-terms.md",
         .parse = parse_terms, .preset = "material-pst", .not_with = "features score-only"},
        {"validation", OPTION_DOUBLE, &tune->fit.validation, "X", "share of the games held out", 0,
         0.5, .not_with = "score-only"},
        {"decay", OPTION_DOUBLE, &tune->fit.decay, "X",
         "weight of a generation relative to the next one", 0.001, 1,
         .not_with = "epd features score-only"},
        {"iterations", OPTION_INT, &tune->fit.max_iterations, "N", "most iterations", 1, 1e6,
         .not_with = "score-only"},
        {"patience", OPTION_INT, &tune->fit.patience, "N",
         "iterations without a better held-out loss that end the fit; 0: no such limit", 0, 1e6,
         .not_with = "score-only"},
        {"min-ply", OPTION_INT, &filter->positions.min_ply, "N",
         "first ply of a stored game that is read", 0, 1e4, .not_with = "epd features"},
        {"max-score", OPTION_INT, &filter->positions.max_score, "CP",
         "absolute score beyond which positions are left out, centipawns; 0: only mates are", 0,
         1e5, .not_with = "epd features"},
        {"keep-checks", OPTION_FLAG, &filter->positions.keep_checks, NULL,
         "read positions in check", .not_with = "epd features"},
        {"keep-noisy", OPTION_FLAG, &filter->positions.keep_noisy, NULL,
         "read positions where a capture or promotion was played", .not_with = "epd features"},
        {"keep-unscored", OPTION_FLAG, &filter->positions.keep_unscored, NULL,
         "read positions without a search score: a random move was played",
         .not_with = "epd features"},
        {"drop-drawn", OPTION_FLAG, &filter->positions.drop_drawn, NULL, "leave out drawn games",
         .not_with = "features"},
        {"require-quiet", OPTION_FLAG, &filter->positions.require_quiet, NULL,
         "leave out positions where a capture wins material", .not_with = "epd features"},
        {0},
    };
    (void)snprintf(o->prior, sizeof o->prior, "%g", tune->fit.prior);
    memcpy(o->rows, table, sizeof table);
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    TuneOptions *o = command;

    o->tune.fit.seed = o->common.seed;
    o->tune.fit.threads = options_threads(&o->common);
    apply_method(o, parser);
    Status status = check(o, err);
    if (status == STATUS_OK) status = check_folds(o, parser, err);
    o->army_typed = options_typed(parser, "army");
    if (status == STATUS_OK) status = check_army(o, parser, err);
    if (status == STATUS_OK) status = check_outputs(o, err);
    return status == STATUS_OK ? o->run(o, err) : status;
}

Status tune_options_run(const char *const *sections, int argc, char **argv,
                        Status (*run_tune)(const TuneOptions *options, Error *err), Error *err)
{
    TuneOptions o = {
        .run = run_tune, .start = "builtin", .weights = "builtin", .rank8_first = true};
    DatasetFilter *filter = &o.filter;
    TuneSettings *tune = &o.tune;
    dataset_filter_defaults(filter);
    tune_defaults(tune);
    tune->diagnostics = true;
    tune->fit.loss.floor = NOISE_FLOOR;
    o.usual = *tune;
    o.common.seed = tune->fit.seed;
    fit_options_init(&o.fit, tune, filter);
    const Option options[] = {
        {"db", OPTION_STRING, &o.db, "FILE", "database of games", .not_with = "epd features"},
        {"epd", OPTION_STRING, &o.epd, "FILE",
         "positions labelled c9 \"1-0\", [1.0], c2 \"1-0\", or with a result at the end of the "
         "line; "
         "id \"...\" names the game; plain or .zst",
         .not_with = "db features"},
        {"features", OPTION_STRING, &o.features, "FILE",
         "features of any evaluation, \"label i:v i:v ...\": docs/foreign-features.md",
         .not_with = "db epd"},
        {"out", OPTION_STRING, &o.out, "FILE.h",
         "weights header to write (with --features: list of weights)", .not_with = "score-only"},
        {"start", OPTION_STRING, &o.start, "W", "weights that the fit starts from",
         .not_with = "features score-only"},
        {"diff", OPTION_FLAG, &o.diff, NULL,
         "print the changes of the start weights, with standard errors",
         .not_with = "features score-only"},
        {"emit", OPTION_STRING, &o.emit, "FILE", "file for the weights as arrays of C",
         .not_with = "features score-only"},
        {"emit-order", OPTION_EITHER, &o.rank8_first, "SQUARE",
         "first square of those arrays: a8 (rank 8 first) or a1 (rank 1 first)", .words = "a1|a8",
         .needs = "emit"},
        {"score-only", OPTION_FLAG, &o.score_only, NULL, "fit K alone and measure --weights",
         .not_with = "features"},
        {"weights", OPTION_STRING, &o.weights, "W", "weights that --score-only measures",
         .not_with = "features", .needs = "score-only"},
        {"loss", OPTION_CHOICE, &tune->fit.loss.kind, "FORM",
         "mse, cross-entropy, or noise-floor: mse of a sigmoid from --noise-floor to 1 minus that",
         .words = "mse|cross-entropy|noise-floor", .not_with = "score-only"},
        {"noise-floor", OPTION_DOUBLE, &tune->fit.loss.floor, "X", "lowest value of that sigmoid",
         0, 0.49, .not_with = "score-only", .needs = "loss"},
        {"k", OPTION_DOUBLE, &tune->fit.k, "X", "K of the sigmoid; 0: fitted", 0, 1000},
        {"prior-toward", OPTION_EITHER, &tune->fit.prior_zero, "W",
         "weights that --prior pulls toward: start or zero", .words = "start|zero",
         .not_with = "score-only"},
        {"freeze", OPTION_CUSTOM, &tune->freeze, "GLOBS",
         "terms that are not fitted: 'KING_PST,PAWN_PST.?2', or MATERIAL", .parse = parse_freeze,
         .not_with = "score-only"},
        {"mirror", OPTION_EITHER, &tune->mirror, "HOW",
         "free, or tied: squares that mirror each other share a weight", .words = "free|tied",
         .not_with = "features score-only"},
        {"folds", OPTION_INT, &tune->fit.folds, "K",
         "number of folds of the games for cross-validation, before a fit to all of them; 0: none",
         0, FIT_FOLDS_MAX, .not_with = "score-only"},
        {"duplicates", OPTION_CHOICE, &tune->fit.duplicates, "HOW",
         "positions with equal features: keep, mean (one with their mean target) or first",
         .words = "keep|mean|first", .not_with = "score-only"},
        {"draw-weight", OPTION_DOUBLE, &tune->fit.draw_weight, "X",
         "weight of a drawn game's positions relative to a decided one's", 0, 1,
         .not_with = "score-only"},
        {"optimiser", OPTION_CHOICE, &tune->fit.method, "NAME",
         "newton; lbfgs and adam are first-order cross-checks, with "
         "--iterations 10000 and --patience 500 unless given",
         .words = "newton|lbfgs|adam", .not_with = "score-only"},
        {"checkpoint", OPTION_STRING, &tune->checkpoint, "FILE",
         "file that saves the state of a long fit, which a later run continues",
         .not_with = "score-only"},
        {"scratch", OPTION_CUSTOM, &filter->scratch, "DIR",
         "folder for files that hold the positions instead of memory", .parse = tune_parse_scratch},
        {"errors", OPTION_FLAG, &tune->diagnostics, NULL,
         "compute standard errors, calibration and warnings; --no-errors: the fit alone",
         .not_with = "score-only"},
        {"generations", OPTION_CUSTOM, filter, "A-B", "generations of --db to read",
         .parse = tune_parse_generations, .not_with = "epd features window"},
        {"window", OPTION_INT, &o.window, "N", "number of latest generations of --db to read", 0,
         1e6, .not_with = "epd features generations"},
        {"runs", OPTION_CUSTOM, filter, "A-B",
         "numbers of the runs of --db to read, matches included; without: all of self-play and "
         "imports",
         .parse = tune_parse_runs, .not_with = "epd features"},
        {"min-phase", OPTION_INT, &filter->positions.min_phase, "N",
         "lowest game phase of a position: 24 with all pieces, 0 without", 0, EVAL_PHASE_MAX,
         .not_with = "features"},
        {"max-phase", OPTION_INT, &filter->positions.max_phase, "N",
         "highest game phase of a position", 0, EVAL_PHASE_MAX, .not_with = "features"},
        {"resolve", OPTION_FLAG, &o.resolve, NULL,
         "replace each position by its quiescence leaf under the start weights",
         .not_with = "features"},
        {"max-ply", OPTION_INT, &filter->positions.max_ply, "N",
         "last ply of a stored game that is read; 0: the end", 0, 1e4, .not_with = "epd features"},
        {.kind = OPTION_TABLE, .target = o.fit.rows},
        {0},
    };
    const OptionSpec spec = {
        .command = "tune",
        .sections = sections,
        .synopsis =
            "--db FILE | --epd FILE | --features FILE  --out FILE | --score-only  [options]",
        .description = description,
        .options = options,
        .common = &o.common,
        .epilogue = epilogue,
    };

    return options_run(&spec, argc, argv, run, &o, err);
}
