/* SPDX-License-Identifier: MIT
 * `tabia tune`: fits weights to labelled positions, or measures given weights on them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/tune/options.h"
#include "cli/tune/report.h"
#include "cli/tune/weights_text.h"
#include "db/chess/stored_weights.h"
#include "db/store/store.h"
#include "db/tables/learning.h"
#include "db/tables/runs.h"
#include "engine/base/clock.h"
#include "engine/base/new_file.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"
#include "tuner/data/epd.h"
#include "tuner/data/foreign.h"
#include "tuner/data/from_store.h"

enum { SOURCE_MAX = 512 };

/* ---- The source of positions */

/* --window, the last generations of the store; --decay needs them, too. window: 0: all. */
static Status last_generations(Store *store, int window, DatasetFilter *filter, Error *err)
{
    RunRecord *runs = NULL;
    int64_t last = -1;
    int count = 0;

    Status status = store_list_runs(store, RUN_SELFPLAY, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count; i++)
        if (runs[i].generation > last) last = runs[i].generation;
    store_free_runs(runs, count);
    if (last < 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: --%s needs generations of tabia learn, and there are none; omit it",
                         store_path(store), window > 0 ? "window" : "decay");
    if (window == 0) return STATUS_OK;
    filter->generations.first = last >= window ? last - window + 1 : 0;
    filter->generations.last = last;
    return STATUS_OK;
}

/* *filter becomes what applies. weights: the ones to measure or to start from. Their terms are read
 * besides the fit's, and they choose the quiescent leaves. Zero weights would make every capture
 * worthless, so material takes their place there. */
static Status read_positions(const TuneOptions *o, Store *store, const EvalWeights *weights,
                             DatasetFilter *filter, Dataset **data, char source[SOURCE_MAX],
                             Error *err)
{
    EvalWeights zero, material;
    Status status = STATUS_OK;

    weights_zero(&zero);
    weights_material(&material);
    *filter = o->filter;
    if (o->resolve) filter->leaf_weights = weights_equal(weights, &zero) ? &material : weights;
    filter->terms = o->tune.terms | weights_families(weights);

    if (store) {
        if (o->window > 0 || o->tune.fit.weighing.decay != 1)
            status = last_generations(store, o->window, filter, err);
        if (status == STATUS_OK)
            status = dataset_from_store(store, filter, o->tune.fit.threads, data, err);
    } else {
        status = dataset_from_epd(o->epd, filter, o->tune.fit.threads, data, err);
        if (status == STATUS_OK) cli_print_faults(o->epd, "lines left out", &(*data)->left_out);
    }
    (void)snprintf(source, SOURCE_MAX, "%s", text_file_name(store ? o->db : o->epd));
    tune_describe_filter(filter, store != NULL, source, SOURCE_MAX);
    filter->leaf_weights = NULL; /* borrowed for the reading alone */
    return status;
}

/* What depends on the positions: lambda and prior, and a warning. Given weights are measured by the
 * results. */
static void settle(TuneOptions *o, const Dataset *data)
{
    if (o->score_only && o->tune.fit.lambda == FIT_LAMBDA_GAMES) o->tune.fit.lambda = 1;
    tune_settle(&o->tune, data);
    if (!o->common.quiet) tune_report_unscored(data, &o->filter, o->tune.fit.lambda);
}

/* ---- Measuring */

static Status score_data(const TuneOptions *o, const Dataset *data, const char *source,
                         const EvalWeights *weights, const char *label, Error *err)
{
    FitScore score;
    double k = 0;
    bool fitted;

    Status status = tune_score(data, weights, &o->tune, &k, &fitted, &score, err);
    if (status != STATUS_OK) return status;
    tune_report_score(label, source, data, k, &score, o->common.json);
    if (o->tune.fit.k <= 0 && !fitted && !o->common.quiet)
        fprintf(stderr, "warning: K is %g, because the weights do not determine it; --k sets it\n",
                k);
    return STATUS_OK;
}

/* ---- Fitting */

/* The comment of the weights. start_hash: NULL for columns. */
static void describe(const TuneReport *report, const char *start_hash,
                     char comment[TUNE_COMMENT_MAX])
{
    tune_provenance(report->data, report->source, report->start, start_hash, &report->options->tune,
                    &report->options->usual, report->result, comment);
}

/* Both weights and the fit between them, in a transaction. */
static Status put_fit(Store *store, const TuneReport *report, const WeightsInfo *info,
                      const Evaluation *start, const Evaluation *fitted, const char *comment,
                      Error *err)
{
    char *json = tune_report_json_text(report);

    if (!json) return error_set(err, STATUS_FAILED, "out of memory for the report of a fit");
    Status status = store_begin(store, err);
    if (status == STATUS_OK) {
        status = stored_weights_put(store, report->start_hash, info->label, start, info->comment,
                                    NULL, err);
        if (status == STATUS_OK)
            status = stored_weights_put(store, report->hash, text_file_name(report->options->out),
                                        fitted, comment, report->start_hash, err);
        if (status == STATUS_OK)
            status = store_put_fit(store, report->hash, report->start_hash, report->data->digest,
                                   json, err);
        status = store_end(store, status, err);
    }
    free(json);
    return status;
}

/* --emit: *file is complete, but not in place; NULL without it. */
static Status write_arrays(const TuneOptions *o, const EvalWeights *weights, const char *comment,
                           OutputFile **file, Error *err)
{
    *file = NULL;
    if (!o->emit) return STATUS_OK;
    *file = output_open(o->emit, err);
    if (!*file) return err->status;
    weights_emit_c(output_stream(*file), weights, o->rank8_first, comment);
    return output_finish(*file, err);
}

/* The weights as a header, and as arrays. The fit goes into the store that the games came from.
 * All is written before the store's commit, and put in place after it. */
static Status write_weights(Store *store, TuneReport *report, const WeightsInfo *info, Error *err)
{
    const TuneOptions *o = report->options;
    const Evaluation start = evaluation_of_weights(report->start_weights),
                     fitted = evaluation_of_weights(&report->result->weights);
    char comment[TUNE_COMMENT_MAX];
    NewFile header = {0};
    OutputFile *arrays = NULL;

    Status status = stored_weights_hash(&start, report->start_hash, err);
    if (status == STATUS_OK) status = stored_weights_hash(&fitted, report->hash, err);
    if (status != STATUS_OK) return status;
    describe(report, report->start_hash, comment);
    status = evaluation_write(&header, o->out, &fitted, comment, err);
    if (status == STATUS_OK) status = write_arrays(o, &fitted.weights, comment, &arrays, err);
    if (status == STATUS_OK && store)
        status = put_fit(store, report, info, &start, &fitted, comment, err);
    if (status == STATUS_OK) {
        if (arrays) status = output_commit(arrays, err);
        arrays = NULL;
        if (status == STATUS_OK) status = new_file_commit(&header, err);
        if (status != STATUS_OK && store)
            (void)error_prefix(err, "%s has the fit, but its files are not all in place",
                               store_path(store));
    }
    output_discard(arrays);
    new_file_discard(&header);
    return status;
}

/* The weights of another evaluation as text, one line a column (docs/foreign-features.md). base: of
 * the columns' numbers. */
static Status write_columns(const TuneReport *report, int base, Error *err)
{
    const Diagnostics *d = report->result->diagnostics;
    const StandardErrors *e = d->errors;
    char comment[TUNE_COMMENT_MAX];
    int columns = d->space->columns;
    OutputFile *file = output_open(report->options->out, err);

    if (!file) return err->status;
    FILE *out = output_stream(file);
    describe(report, NULL, comment);
    weights_print_comment(out, "# ", comment);
    fprintf(out, "# column name mg eg%s\n", e ? " mg_error eg_error mg_told eg_told games" : "");
    for (int c = 0; c < columns; c++) {
        fprintf(out, "%d %s %.4f %.4f", c + base, d->space->name[c], d->value[c],
                d->value[columns + c]);
        if (e)
            fprintf(out, " %.3f %.3f %.3f %.3f %lld", diagnostics_error(d, c),
                    diagnostics_error(d, columns + c), e->resolution[c], e->resolution[columns + c],
                    (long long)e->games[c]);
        fputc('\n', out);
    }
    return output_commit(file, err);
}

/* Standard errors of the held-out gain below which fits lost to their starts: l160 to l252 of
 * docs/data/learning.csv. */
static const double CLEAR_GAIN = 2;

/* Of what a header cannot say. Full diagnostics have the first warning, too. */
static void warn_of_result(const TuneReport *report)
{
    const TuneResult *result = report->result;
    const double gain = fit_gain_mean(&result->gain), error = fit_gain_error(&result->gain);
    EvalWeights start;

    columns_centre(report->start_weights, &start);
    if (result->clamped > 0 && !(result->diagnostics && result->diagnostics->errors))
        fprintf(stderr, "warning: weights beyond %d cp are cut to it: %d\n", COLUMN_VALUE_MAX,
                result->clamped);
    if (weights_equal(&result->weights, &start))
        fprintf(
            stderr, "warning: the weights are those of the start: %s\n",
            result->validation.after.n > 0
                ? "by the games held out, no step made them better; more games or a larger --prior may help"
                : "the fit moved none of them by half a centipawn");
    else if (gain < CLEAR_GAIN * error)
        fprintf(
            stderr,
            "warning: the held-out games do not show that these weights are better: squared error %.6f ± %.6f below the start's; a match shows it: tabia gauntlet --a %s --b %s\n",
            gain, error, report->options->out, report->options->start);
}

/* From the positions of the report to its end. set: foreign features, whose space is taken; NULL:
 * the fit starts from the report's weights. */
static Status fit_positions(Store *store, const WeightsInfo *info, ForeignSet *set,
                            TuneReport *report, Error *err)
{
    const TuneOptions *o = report->options;
    TuneResult result;
    Progress progress;
    const FitHooks hooks = {
        .interrupted = cli_interrupted(), .progress = tune_report_progress, .context = &progress};
    double started = clock_seconds();
    Status status;

    report->result = &result;
    progress_start(&progress, 0, 0, o->common.quiet);
    if (set) {
        Space *space = set->space;
        set->space = NULL;
        status = tune_fit_columns(set->data, space, set->start, &o->tune, &hooks, &result, err);
    } else {
        status = tune_fit(report->data, report->start_weights, &o->tune, &hooks, &result, err);
    }
    progress_end(&progress);
    report->fit_seconds = clock_seconds() - started;
    if (status == STATUS_OK)
        status =
            set ? write_columns(report, set->base, err) : write_weights(store, report, info, err);
    bool cut = o->tune.diagnostics && !(result.diagnostics && result.diagnostics->errors);
    if (status == STATUS_OK && o->tune.checkpoint && !cut) (void)unlink(o->tune.checkpoint);
    if (status == STATUS_OK) tune_report_print(report);
    if (status == STATUS_OK && !set && !o->common.quiet) warn_of_result(report);
    if (status == STATUS_OK && cut)
        status = error_set(
            err, STATUS_INTERRUPTED,
            "interrupted: the weights are complete, but there are no standard errors, calibration and warnings");
    tune_result_free(&result);
    return status;
}

static Status fit_features(TuneOptions *o, Error *err)
{
    ForeignSet set = {0};
    double started = clock_seconds();

    Status status = foreign_read(o->features, o->filter.scratch, o->tune.fit.threads, &set, err);
    if (status == STATUS_OK) {
        TuneReport report = {.options = o,
                             .source = text_file_name(o->features),
                             .start = "the file's start",
                             .data = set.data,
                             .load_seconds = clock_seconds() - started};
        settle(o, set.data);
        status = fit_positions(NULL, NULL, &set, &report, err);
    }
    foreign_free(&set);
    return status;
}

/* ---- The command */

static const char description[] =
    "Fits weights to the results of games: minimises the squared error of the prediction\n"
    "1 / (1 + exp(-K cp / 400)) and writes a header that compiles into the engine. A share of the\n"
    "games is held out. The report shows the quality of the fit and the error of each weight.";

static const char epilogue[] =
    "Weights W: builtin, classical, tables, pesto, zero, material, or a header file.\n"
    "\n"
    "Examples:\n"
    "  tabia tune --db games.db --start zero --out new.h\n"
    "  tabia tune --epd positions.epd.zst --out new.h --folds 5 --prior auto\n"
    "  tabia tune --db games.db --out new.h --freeze 'KING_PST,MATERIAL'\n"
    "  tabia tune --features counts.features --out counts.weights --folds 5\n"
    "  tabia tune --score-only --weights material --epd positions.epd.zst --json";

static Status run(void *command, const OptionParser *parser, Error *err)
{
    TuneOptions *o = command;
    char source[SOURCE_MAX];
    EvalWeights weights;
    WeightsInfo info;
    DatasetFilter filter;
    Dataset *data = NULL;
    Store *store = NULL;

    Status status = tune_options_apply(o, parser, err);
    if (status != STATUS_OK) return status;
    if (o->features) return fit_features(o, err);
    if (o->db) {
        store = store_open_watched(o->db, o->score_only ? STORE_READ : STORE_WRITE,
                                   cli_interrupted(), err);
        if (!store) return err->status;
    }
    double started = clock_seconds();
    status = weights_load(o->score_only ? o->weights : o->start, &weights, &info, err);
    if (status == STATUS_OK && o->army_typed && o->tune.start_material > 0 &&
        weights_families(&weights) & ~o->tune.terms)
        status = error_set(
            err, STATUS_USAGE,
            "--army does not go with a start whose terms are not all fitted: they keep its scale; --terms names them");
    if (status == STATUS_OK)
        status = read_positions(o, store, &weights, &filter, &data, source, err);
    if (status == STATUS_OK) settle(o, data);
    if (store) store_watch(store, NULL); /* Ctrl-C after a fit does not stop its storing */
    if (status == STATUS_OK && o->score_only) {
        status = score_data(o, data, source, &weights, info.label, err);
    } else if (status == STATUS_OK) {
        TuneReport report = {.options = o,
                             .source = source,
                             .filter = &filter,
                             .start = info.label,
                             .data = data,
                             .start_weights = &weights,
                             .load_seconds = clock_seconds() - started};
        status = fit_positions(store, &info, NULL, &report, err);
    }
    dataset_destroy(data);
    store_close(store);
    return status;
}

static const OptionSpec spec = {
    .command = "tune",
    .synopsis = "--db FILE | --epd FILE | --features FILE  --out FILE | --score-only  [options]",
    .description = description,
    .settings = tune_option_settings,
    .epilogue = epilogue,
};

Status cmd_tune(int argc, char **argv, Error *err)
{
    TuneOptions o;

    tune_options_init(&o);
    return options_run(&spec, argc, argv, run, &o, err);
}
