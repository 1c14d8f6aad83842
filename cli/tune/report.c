/* SPDX-License-Identifier: MIT
 * Figures of a fit, as text and as JSON from the same tables of fields. */
#include "cli/tune/report.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "cli/output/fields.h"
#include "cli/output/progress.h"
#include "cli/output/terminal.h"
#include "cli/tune/weights_text.h"
#include "engine/base/text.h"

void tune_report_progress(void *progress, const FitIteration *iteration)
{
    if (!progress_due(progress)) return;
    if (isnan(iteration->validation_loss))
        progress_draw(progress, iteration->iteration, "iterations", "loss %.6f",
                      iteration->train_loss);
    else
        progress_draw(progress, iteration->iteration, "iterations", "loss %.6f, held out %.6f",
                      iteration->train_loss, iteration->validation_loss);
}

enum { REPORT_INDENT = 10, REPORT_COLUMNS = 80 };

/* ---- Positions */

static const Field data_fields[] = {
    {"white_wins", FIELD(DatasetStats, results[RESULT_WHITE_WINS]), .label = "White wins"},
    {"draws", FIELD(DatasetStats, results[RESULT_DRAW]), .label = "draws"},
    {"black_wins", FIELD(DatasetStats, results[RESULT_BLACK_WINS]), .label = "Black wins"},
    {"duplicates", FIELD(DatasetStats, duplicates), .label = "duplicates"},
    {"contradicting", FIELD(DatasetStats, contradicting), .label = "of them with another result"},
    {"shared", FIELD(DatasetStats, shared), .label = "of them from another game"},
    {0},
};

static void print_data(FILE *out, const Dataset *data)
{
    char left_out[DROPPED_TEXT_MAX];

    fprintf(out, "positions %" PRId64 " of %d games: ", data->positions, data->games);
    fields_sentence(out, data_fields, &data->stats);
    dropped_text(data->stats.dropped, left_out);
    fprintf(out, "%s%s\n", *left_out ? "\nleft out  " : "", left_out);
}

static void json_data(JsonWriter *w, const Dataset *data)
{
    json_string(w, "digest", data->digest);
    fields_json(w, data_fields, &data->stats);
    fields_json_object(w, "dropped", drop_fields, data->stats.dropped);
}

void tune_report_unscored(const Dataset *data, const DatasetFilter *filter, double lambda)
{
    int64_t unscored = 0;

    if (lambda == 1 || filter->positions.keep_unscored) return;
    for (int64_t i = 0; i < data->positions; i++)
        unscored += data->score[i] == SCORE_UNKNOWN;
    if (unscored > 0)
        fprintf(
            stderr,
            "warning: %" PRId64 " of %" PRId64
            " positions have no search score: their target is the result alone, without --lambda %g\n",
            unscored, data->positions, lambda);
}

/* ---- Measured weights */

#define MSE      .digits = 12, .decimals = 6
#define ACCURACY .digits = 12, .decimals = 1, .scale = 100

/* The head of every report: of given weights, or of a fit on its training positions. */
typedef struct Summary {
    const char *source, *weights; /* weights: NULL for a fit */
    double k;
    FitScore score;
} Summary;

static const Field summary_fields[] = {
    {"source", FIELD(Summary, source)},
    {"weights", FIELD(Summary, weights), .label = "weights", .zero = ZERO_LEFT_OUT},
    {"n", FIELD(Summary, score.n)},
    {"games", FIELD(Summary, score.games)},
    {"k", FIELD(Summary, k), .label = "K", .digits = 12, .decimals = 6},
    {"mse", FIELD(Summary, score.mse), .label = "squared error", MSE},
    {"accuracy", FIELD(Summary, score.accuracy), .label = "accuracy %", ACCURACY},
    {0},
};

void tune_report_score(const char *label, const char *source, const Dataset *data, double k,
                       const FitScore *score, bool json)
{
    const Summary summary = {source, label, k, *score};
    JsonWriter w;

    if (json) {
        json_begin(&w, stdout);
        fields_json(&w, summary_fields, &summary);
        json_data(&w, data);
        json_finish(&w);
    } else {
        print_data(stdout, data);
        fields_list(stdout, summary_fields, &summary);
    }
}

static const Field change_fields[] = {
    {"n", FIELD(FitChange, after.n), .label = "positions", .width = 10},
    {"games", FIELD(FitChange, after.games), .label = "games", .width = 7},
    {"mse_before", FIELD(FitChange, before.mse), .label = "error before", .width = 13, MSE},
    {"mse", FIELD(FitChange, after.mse), .label = "error", .width = 10, MSE},
    {"accuracy_before", FIELD(FitChange, before.accuracy), .label = "accuracy % before",
     .width = 18, ACCURACY},
    {"accuracy", FIELD(FitChange, after.accuracy), .label = "accuracy %", .width = 11, ACCURACY},
    {0},
};

static void print_change(FILE *out, const char *side, const FitChange *change)
{
    if (change->after.n == 0) return;
    cell_put(out, -9, side);
    fields_row(out, change_fields, change);
}

/* ---- The hold-out, the choice of the prior, and folds */

static const Field split_fields[] = {
    {"held_out", FIELD(SplitCounts, held_out), .label = "positions held out"},
    {"shared", FIELD(SplitCounts, shared), .label = "of them also in training"},
    {"duplicate_games", FIELD(SplitCounts, copies), .label = "games equal to another"},
    {0},
};

static void print_split(FILE *out, const Diagnostics *d)
{
    if (d->split.held_out == 0) return;
    fputs("split     ", out);
    fields_sentence(out, split_fields, &d->split);
    fputc('\n', out);
}

static const Field trial_fields[] = {
    {"prior", FIELD(FitTrial, prior), .label = "prior", .width = 11, .digits = 12},
    {"mse", FIELD(FitTrial, mse), .label = "held-out error", .width = 16, MSE},
    {0},
};

static const Field fold_fields[] = {
    {"n", FIELD(FitFold, held_out.n), .label = "positions", .width = 11},
    {"games", FIELD(FitFold, held_out.games), .label = "games", .width = 9},
    {"train_mse", FIELD(FitFold, train_mse), .label = "training error", .width = 16, MSE},
    {"mse", FIELD(FitFold, held_out.mse), .label = "held-out error", .width = 16, MSE},
    {"accuracy", FIELD(FitFold, held_out.accuracy), .label = "accuracy %", .width = 12, ACCURACY},
    {0},
};

static const Field fold_mean_fields[] = {
    {"mse", FIELD(FoldMean, mse), .label = "held-out squared error", MSE},
    {"mse_error", FIELD(FoldMean, error), .label = "standard error", .digits = 9, .decimals = 6},
    {0},
};

static void print_choice(FILE *out, const Diagnostics *d)
{
    if (d->trial_count > 0) fields_header(out, trial_fields);
    for (int t = 0; t < d->trial_count; t++)
        fields_row(out, trial_fields, &d->trials[t]);
    if (d->fold_count == 0) return;
    const FoldMean mean = diagnostics_fold_mean(d);
    fields_header(out, fold_fields);
    for (int f = 0; f < d->fold_count; f++)
        fields_row(out, fold_fields, &d->folds[f]);
    fputs("folds     ", out);
    fields_sentence(out, fold_mean_fields, &mean);
    fputc('\n', out);
}

static void json_choice(JsonWriter *w, const Diagnostics *d)
{
    fields_json_object(w, "split", split_fields, &d->split);
    if (d->trial_count > 0)
        fields_json_array(w, "prior_trials", trial_fields, d->trials, sizeof *d->trials,
                          d->trial_count);
    if (d->fold_count == 0) return;
    const FoldMean mean = diagnostics_fold_mean(d);
    json_object(w, "folds");
    fields_json(w, fold_mean_fields, &mean);
    fields_json_array(w, "each", fold_fields, d->folds, sizeof *d->folds, d->fold_count);
    json_end_object(w);
}

/* ---- Calibration */

#define SHARE .digits = 9, .decimals = 4
static const Field row_fields[] = {
    {"n", FIELD(BreakdownRow, n), .label = "positions", .width = 11},
    {"predicted", FIELD(BreakdownRow, predicted), .label = "predicted", .width = 11, SHARE},
    {"scored", FIELD(BreakdownRow, scored), .label = "scored", .width = 9, SHARE},
    {"mse", FIELD(BreakdownRow, mse), .label = "error", .width = 10, .digits = 9, .decimals = 6},
    {"accuracy", FIELD(BreakdownRow, accuracy), .label = "accuracy %", .width = 12, .digits = 9,
     .decimals = 1, .scale = 100},
    {0},
};

static void row_name(const BreakdownRow *row, const char *unit, char out[32])
{
    if (row->low == INT_MIN)
        (void)snprintf(out, 32, "%s to %+d", unit, row->high);
    else if (row->high == INT_MAX)
        (void)snprintf(out, 32, "%s from %+d", unit, row->low);
    else if (row->low == row->high)
        (void)snprintf(out, 32, "%s %d", unit, row->low);
    else
        (void)snprintf(out, 32, "%s %d to %d", unit, row->low, row->high);
}

static void print_rows(FILE *out, const BreakdownRow *rows, int count, const char *unit)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        if (rows[i].n == 0) continue;
        row_name(&rows[i], unit, name);
        cell_put(out, -22, name);
        fields_row(out, row_fields, &rows[i]);
    }
}

static void print_breakdown(FILE *out, const Breakdown *b)
{
    cell_put(out, -22, "calibration");
    fields_header(out, row_fields);
    print_rows(out, b->phase, BREAKDOWN_PHASES, "phase");
    if (breakdown_has_material(b)) print_rows(out, b->material, BREAKDOWN_MATERIAL, "pawns ahead");
    print_rows(out, b->prediction, BREAKDOWN_PREDICTIONS, "predicted %");
    fprintf(out, "  mean |predicted - scored| by prediction: %.4f\n", b->calibration_error);
}

static void json_rows(JsonWriter *w, const char *key, const BreakdownRow *rows, int count)
{
    json_array(w, key);
    for (int i = 0; i < count; i++) {
        if (rows[i].n == 0) continue;
        json_object(w, NULL);
        if (rows[i].low != INT_MIN) json_int(w, "from", rows[i].low);
        if (rows[i].high != INT_MAX) json_int(w, "to", rows[i].high);
        fields_json(w, row_fields, &rows[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

static void json_breakdown(JsonWriter *w, const char *key, const Breakdown *b)
{
    json_object(w, key);
    json_rows(w, "by_phase", b->phase, BREAKDOWN_PHASES);
    json_rows(w, "by_material", b->material, BREAKDOWN_MATERIAL);
    json_rows(w, "by_prediction", b->prediction, BREAKDOWN_PREDICTIONS);
    json_double(w, "calibration_error", b->calibration_error, 9);
    json_end_object(w);
}

/* ---- Standard errors, and what the prior determines */

static const Field certainty_fields[] = {
    {"k_error", FIELD(StandardErrors, k_error), .digits = 6},
    {"effective_positions", FIELD(StandardErrors, positions), .label = "effective positions",
     .digits = 9},
    {"design_effect", FIELD(StandardErrors, design_effect), .label = "design effect of games",
     .digits = 9, .decimals = 1},
    {"effective_parameters", FIELD(StandardErrors, parameters), .label = "effective parameters",
     .digits = 9},
    {0},
};

/* The first weights that the prior determines. */
static void print_held(FILE *out, const Diagnostics *d)
{
    enum { SHOWN = 12 };
    int shown = 0;

    if (d->held_count == 0) return;
    fprintf(out, "held      %d weights by the prior more than by the data (%d never seen):",
            d->held_count, d->unseen_count);
    for (int i = 0; i < d->space->dimensions && shown < SHOWN; i++) {
        if (!diagnostics_is_held(d, i)) continue;
        fprintf(out, " %s%s", d->space->name[i % d->space->columns],
                i < d->space->columns ? " mg" : " eg");
        fputs(++shown < d->held_count ? "," : "", out);
    }
    fputs(d->held_count > SHOWN ? " ...\n" : "\n", out);
}

static void json_pair(JsonWriter *w, const char *key, double mg, double eg, int digits)
{
    json_array(w, key);
    json_double(w, NULL, mg, digits);
    json_double(w, NULL, eg, digits);
    json_end_array(w);
}

/* What is known of a column besides its weights; of a tied one the resolution and games are those
 * of the weight it shares. */
static void json_certainty(JsonWriter *w, const Diagnostics *d, int column)
{
    const StandardErrors *e = d->errors;
    int columns = d->space->columns, shared = d->space->tied_to[column];

    json_pair(w, "error", diagnostics_error(d, column), diagnostics_error(d, columns + column), 5);
    json_pair(w, "told", e->resolution[shared], e->resolution[columns + shared], 4);
    json_int(w, "games", e->games[shared]);
}

/* Every free weight. */
static void json_weights(JsonWriter *w, const Diagnostics *d)
{
    int columns = d->space->columns;

    json_object(w, "weights");
    for (int c = 0; c < columns; c++) {
        bool tied = d->space->tied_to[c] != c;
        if (d->space->fixed[c] && d->space->fixed[columns + c] && !tied) continue;
        json_object(w, d->space->name[c]);
        json_pair(w, "cp", d->value[c], d->value[columns + c], 8);
        if (d->errors) json_certainty(w, d, c);
        json_end_object(w);
    }
    json_end_object(w);
}

static void print_diagnostics(FILE *out, const Diagnostics *d)
{
    fputs("worth     ", out);
    fields_sentence(out, certainty_fields, d->errors);
    fputc('\n', out);
    print_held(out, d);
    print_breakdown(out, d->has_validation ? &d->validation : &d->train);
    for (int i = 0; i < d->warning_count; i++)
        fprintf(out, "warning   %s\n", d->warnings[i]);
}

static void json_diagnostics(JsonWriter *w, const Diagnostics *d)
{
    json_choice(w, d);
    fields_json(w, certainty_fields, d->errors);
    json_breakdown(w, "train_breakdown", &d->train);
    if (d->has_validation) json_breakdown(w, "validation_breakdown", &d->validation);
    json_array(w, "held_by_prior");
    for (int i = 0; i < d->space->dimensions; i++) {
        char name[SPACE_NAME_MAX + 4];
        if (!diagnostics_is_held(d, i)) continue;
        (void)snprintf(name, sizeof name, "%s %s", d->space->name[i % d->space->columns],
                       i < d->space->columns ? "mg" : "eg");
        json_string(w, NULL, name);
    }
    json_end_array(w);
    json_weights(w, d);
    json_array(w, "warnings");
    for (int i = 0; i < d->warning_count; i++)
        json_string(w, NULL, d->warnings[i]);
    json_end_array(w);
}

/* ---- Weights as text */

static void print_pieces(FILE *out, const EvalWeights *w, const Diagnostics *diagnostics)
{
    TermErrors errors;

    if (diagnostics) diagnostics_term_errors(diagnostics, &errors);
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++) {
        const int16_t *v = w->term[EVAL_MATERIAL + p];
        const double *e = errors.term[EVAL_MATERIAL + p], mean = (v[MG] + v[EG]) / 2.0;
        fprintf(out, "%-9s", weights_pieces[p]);
        if (diagnostics)
            fprintf(out, " mg %4d ±%-5.1f  eg %4d ±%-5.1f  mean %6.1f ±%.1f cp\n", v[MG], e[MG],
                    v[EG], e[EG], mean, errors.material_mean[p]);
        else
            fprintf(out, " mg %4d  eg %4d  mean %6.1f cp\n", v[MG], v[EG], mean);
    }
}

/* A weight and its standard error, if that is known. */
static void print_weight(FILE *out, const Diagnostics *d, int dimension)
{
    if (d->errors)
        fprintf(out, " %8.1f ±%-6.1f", d->value[dimension], diagnostics_error(d, dimension));
    else
        fprintf(out, " %16.1f", d->value[dimension]);
}

/* The first weights of a foreign evaluation; the file has all. */
static void print_columns(FILE *out, const Diagnostics *d)
{
    enum { SHOWN = 30 };
    int columns = d->space->columns;

    fprintf(out, "%-26s %16s %16s%s\n", "weight", "mg cp", "eg cp", d->errors ? "     games" : "");
    for (int c = 0; c < columns && c < SHOWN; c++) {
        fprintf(out, "  %-24s", d->space->name[c]);
        print_weight(out, d, c);
        print_weight(out, d, columns + c);
        if (d->errors) fprintf(out, " %9" PRId64, d->errors->games[c]);
        fputc('\n', out);
    }
    if (columns > SHOWN) fprintf(out, "  ... and %d more\n", columns - SHOWN);
}

/* ---- The whole */

/* NULL where the fit has none. */
static const Diagnostics *full_diagnostics(const TuneResult *result)
{
    return result->diagnostics && result->diagnostics->errors ? result->diagnostics : NULL;
}

static const Field result_fields[] = {
    {"k_start", FIELD(TuneResult, fit.k), .digits = 12},
    {"k_fitted", FIELD(TuneResult, fit.k_fitted)},
    {"scale", FIELD(TuneResult, scale), .digits = 12},
    {"iterations", FIELD(TuneResult, fit.iterations), .label = "iterations"},
    {"best_iteration", FIELD(TuneResult, fit.best_iteration), .label = "to the best"},
    {"passes", FIELD(TuneResult, fit.passes), .label = "passes"},
    {"converged", FIELD(TuneResult, fit.converged)},
    {0},
};

static void print_text(FILE *out, const TuneReport *report)
{
    const TuneResult *result = report->result;
    const Diagnostics *diagnostics = full_diagnostics(result);

    fprintf(out, "source    %s (read in %.1f s)\n",
            text_shown(report->source, (char[TEXT_SHOWN_MAX]){0}), report->load_seconds);
    print_data(out, report->data);
    cell_put(out, -9, "");
    fields_header(out, change_fields);
    print_change(out, "training", &result->train);
    print_change(out, "held out", &result->validation);
    if (result->gain.n > 0)
        fprintf(
            out,
            "gain      %.6f of squared error over the start on held-out games, standard error %.6f\n",
            fit_gain_mean(&result->gain), fit_gain_error(&result->gain));
    if (diagnostics) print_split(out, diagnostics);
    if (diagnostics) print_choice(out, diagnostics);
    fprintf(out, "fit       from %s: ", text_shown(report->start, (char[TEXT_SHOWN_MAX]){0}));
    fields_sentence(out, result_fields, result);
    fprintf(out, ", %sconverged (%.1f s); K %.4f", result->fit.converged ? "" : "not ",
            report->fit_seconds, result->k);
    if (diagnostics && diagnostics->errors->k_error > 0)
        fprintf(out, " ±%.4f", diagnostics->errors->k_error);
    fprintf(out, ", lambda %g, prior %g\n", report->options->tune.fit.lambda, result->fit.prior);
    if (!report->start_weights) {
        print_columns(out, result->diagnostics);
    } else {
        print_pieces(out, &result->weights, diagnostics);
        weights_print_terms(out, &result->weights);
    }
    if (diagnostics) print_diagnostics(out, diagnostics);
    if (!report->start_weights)
        fprintf(out, "written   %s\n", text_shown(report->options->out, (char[TEXT_SHOWN_MAX]){0}));
    else
        fprintf(out, "written   %s, weights %.12s\n",
                text_shown(report->options->out, (char[TEXT_SHOWN_MAX]){0}), report->hash);
}

static void report_json(JsonWriter *w, const TuneReport *report)
{
    const TuneResult *result = report->result;
    Summary summary = {report->source, NULL, result->k, result->train.after};

    summary.score.n = report->data->positions;
    summary.score.games = report->data->games;
    fields_json(w, summary_fields, &summary);
    json_data(w, report->data);
    json_string(w, "start", report->start);
    if (report->start_weights) {
        json_string(w, "start_hash", report->start_hash);
        json_string(w, "weights_hash", report->hash);
    }
    json_object(w, "settings");
    settings_json(w, tune_settings, tune_reported, SETTINGS_REPORT, &report->options->tune);
    json_end_object(w);
    if (report->filter) {
        json_object(w, "filter");
        settings_json(w, dataset_filter_settings, dataset_filter_reported, SETTINGS_REPORT,
                      report->filter);
        json_bool(w, "resolve", report->options->resolve);
        json_end_object(w);
    }
    fields_json(w, result_fields, result);
    fields_json_object(w, "train", change_fields, &result->train);
    fields_json_object(w, "validation", change_fields, &result->validation);
    json_double(w, "gain", fit_gain_mean(&result->gain), 9);
    json_double(w, "gain_error", fit_gain_error(&result->gain), 9);
    json_double(w, "prior", result->fit.prior, 12);
    if (report->start_weights) {
        weights_json_pieces(w, &result->weights);
        weights_json(w, "terms", &result->weights);
    }
    if (full_diagnostics(result))
        json_diagnostics(w, result->diagnostics);
    else if (result->diagnostics)
        json_weights(w, result->diagnostics);
}

/* Against the start in the fit's own scale, which is the start's if weights are given. */
static void print_difference(const TuneReport *report)
{
    TermErrors errors;
    EvalWeights start;
    const Diagnostics *diagnostics = report->result->diagnostics;

    columns_centre(report->start_weights, &start);
    if (diagnostics) diagnostics_term_errors(diagnostics, &errors);
    weights_print_difference(stdout, &start, &report->result->weights, diagnostics ? &errors : NULL,
                             terminal_has_colour(stdout));
}

/* Lines with a head are wrapped; tables fit. */
static void print_wrapped(const TuneReport *report)
{
    TextStream text;

    if (!text_stream_open(&text)) {
        print_text(stdout, report);
        return;
    }
    print_text(text.out, report);
    if (text_stream_close(&text))
        for (char *line = text.text, *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            (void)text_wrap(stdout, REPORT_INDENT, *line == ' ' ? 0 : REPORT_COLUMNS, line);
            putchar('\n');
        }
    text_stream_discard(&text);
}

void tune_report_print(const TuneReport *report)
{
    JsonWriter w;

    if (!report->options->common.json) {
        print_wrapped(report);
        if (report->options->diff) print_difference(report);
        return;
    }
    json_begin(&w, stdout);
    report_json(&w, report);
    if (report->start_weights) weights_json(&w, "start_terms", report->start_weights);
    json_finish(&w);
}

char *tune_report_json_text(const TuneReport *report)
{
    char *text = NULL;
    JsonWriter w;

    json_begin_text(&w, false);
    report_json(&w, report);
    return json_finish_text(&w, &text, &(Error){0}) == STATUS_OK ? text : NULL;
}
