/* SPDX-License-Identifier: MIT
 * The options of `tabia tune`: the table, and what must fit together. */
#include "cli/tune/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/output_file.h"
#include "db/store/store.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "engine/values/value.h"
#include "selfplay/formats/formats.h"
#include "tuner/data/scratch.h"

const Setting tune_option_settings[] = {
    SETTING_HEADING("The run"),
    {"db", FIELD(TuneOptions, db), "FILE", "database of games", .not_with = "epd features",
     .first = true},
    {"epd", FIELD(TuneOptions, epd), "FILE",
     "positions labelled c9 \"1-0\", [1.0], c2 \"1-0\", or with a result at the end of the line; id \"...\" names the game; plain or .zst",
     .not_with = "db features", .first = true},
    {"features", FIELD(TuneOptions, features), "FILE",
     "features of any evaluation, \"label i:v i:v ...\": docs/foreign-features.md",
     .not_with = "db epd", .first = true},
    {"start", FIELD(TuneOptions, start), "W", "weights that the fit starts from",
     .words = WEIGHTS_NAMES, .preset_text = "builtin", .not_with = "features score-only",
     .first = true},
    {"score-only", FIELD(TuneOptions, score_only), NULL, "fit K alone and measure --weights",
     .not_with = "features"},
    {"weights", FIELD(TuneOptions, weights), "W", "weights that --score-only measures",
     .words = WEIGHTS_NAMES, .preset_text = "builtin", .not_with = "features",
     .needs = "score-only"},
    {"window", FIELD(TuneOptions, window), "N", "number of latest generations of --db to read", 0,
     1e6, .not_with = "epd features generations"},
    {"resolve", FIELD(TuneOptions, resolve), NULL,
     "replace each position by its quiescence leaf under the start weights",
     .not_with = "features"},
    {FIELD(TuneOptions, filter), .rows = dataset_filter_settings},
    {FIELD(TuneOptions, tune), .rows = tune_settings},
    SETTING_HEADING("Output"),
    {"out", FIELD(TuneOptions, out), "FILE.h",
     "weights header to write (with --features: list of weights)", .not_with = "score-only",
     .first = true},
    {"diff", FIELD(TuneOptions, diff), NULL,
     "print the changes of the start weights, with standard errors",
     .not_with = "features score-only"},
    {"emit", FIELD(TuneOptions, emit), "FILE", "file for the weights as arrays of C",
     .not_with = "features score-only"},
    {"emit-order", FIELD(TuneOptions, rank8_first), "SQUARE",
     "first square of those arrays: a8 (rank 8 first) or a1 (rank 1 first)", .words = "a1|a8",
     .preset = 1, .needs = "emit"},
    {FIELD(TuneOptions, common), .rows = common_settings},
    {0},
};

void tune_options_init(TuneOptions *o)
{
    *o = (TuneOptions){0};
    settings_default(tune_option_settings, o);
    dataset_filter_defaults(&o->filter);
    tune_defaults(&o->tune);
    o->tune.diagnostics = true;
    o->tune.fit.lambda = FIT_LAMBDA_GAMES;
    o->tune.fit.prior = FIT_PRIOR_GAMES;
    o->usual = o->tune;
    o->common.seed = o->tune.fit.seed;
}

/* ---- After parsing */

/* First-order steps are short and many. */
enum { ADAM_ITERATIONS = 10000, ADAM_PATIENCE = 500 };

static void apply_method(TuneOptions *o, const OptionParser *parser)
{
    /* A strong prior would hold features and zeros at a start that knows nothing. */
    if (o->tune.fit.prior == FIT_PRIOR_GAMES && (o->features || strcmp(o->start, "zero") == 0))
        o->tune.fit.prior = o->usual.fit.prior = FIT_PRIOR_LEAST;
    /* Such a prior leaves nothing for an early stop, which few held-out games decide at random. */
    if (o->tune.fit.prior == FIT_PRIOR_GAMES && !options_given(parser, "patience"))
        o->tune.fit.patience = o->usual.fit.patience = 0;
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
        return error_set(
            err, STATUS_USAGE,
            "--army does not go with --k or --freeze, which keep the scale of the start; give one of them");
    return STATUS_OK;
}

static Status check(const TuneOptions *o, Error *err)
{
    if ((o->db != NULL) + (o->epd != NULL) + (o->features != NULL) != 1)
        return error_set(err, STATUS_USAGE,
                         "one of --db FILE, --epd FILE and --features FILE is needed");
    const GameFormat *format = o->epd ? game_format_of(o->epd, true) : NULL;
    if (format && format->write)
        return error_set(
            err, STATUS_USAGE,
            "--epd %s: a file of games; tabia db import games.db %s makes a database for --db games.db",
            o->epd, o->epd);
    if (o->epd && store_recognises(o->epd))
        return error_set(err, STATUS_USAGE, "--epd %s: a database; use --db %s", o->epd, o->epd);
    if (!o->score_only && !o->out) return error_set(err, STATUS_USAGE, "--out is needed");
    if (o->tune.fit.prior == FIT_PRIOR_AUTO && o->tune.fit.folds == 0 &&
        o->tune.fit.validation <= 0)
        return error_set(err, STATUS_USAGE, "--prior auto needs --folds or a --validation part");
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
    if (status == STATUS_OK && o->out && text_ends_in(o->out, ".net"))
        status = error_set(err, STATUS_USAGE,
                           "--out %s: a fit writes a header; tabia train makes networks", o->out);
    if (status == STATUS_OK && !o->features) status = output_check_plain(o->out, err);
    if (status == STATUS_OK) status = output_needs_file(o->tune.checkpoint, "checkpoint", err);
    if (status == STATUS_OK) status = output_needs_file(o->emit, "emit", err);
    return status;
}

Status tune_options_apply(TuneOptions *o, const OptionParser *parser, Error *err)
{
    o->tune.fit.seed = o->common.seed;
    o->tune.fit.threads = options_threads(&o->common);
    apply_method(o, parser);
    Status status = check(o, err);
    if (status == STATUS_OK) status = check_folds(o, parser, err);
    o->army_typed = options_typed(parser, "army");
    if (status == STATUS_OK) status = check_army(o, parser, err);
    if (status == STATUS_OK) status = check_outputs(o, err);
    return status;
}
