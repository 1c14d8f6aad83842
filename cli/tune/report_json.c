/* SPDX-License-Identifier: MIT
 * Figures of a fit as JSON. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "cli/tune/report.h"
#include "cli/tune/weights_text.h"

static void json_data(JsonWriter *w, const Dataset *data)
{
    const DatasetStats *stats = dataset_stats(data);
    char digest[HASH_HEX_MAX];

    dataset_digest(data, digest);
    json_string(w, "digest", digest);
    json_int(w, "white_wins", stats->results[RESULT_WHITE_WINS]);
    json_int(w, "draws", stats->results[RESULT_DRAW]);
    json_int(w, "black_wins", stats->results[RESULT_BLACK_WINS]);
    json_int(w, "duplicates", stats->duplicates);
    json_int(w, "contradicting", stats->contradicting);
    json_object(w, "dropped");
    json_int(w, "drawn", stats->dropped_drawn);
    json_int(w, "ply", stats->dropped_ply);
    json_int(w, "unscored", stats->dropped_unscored);
    json_int(w, "score", stats->dropped_score);
    json_int(w, "check", stats->dropped_check);
    json_int(w, "noisy", stats->dropped_noisy);
    json_int(w, "unquiet", stats->dropped_unquiet);
    json_int(w, "phase", stats->dropped_phase);
    json_end_object(w);
}

static void json_scores(JsonWriter *w, const char *key, const FitScore *before,
                        const FitScore *after)
{
    json_object(w, key);
    json_int(w, "n", after->n);
    json_int(w, "games", after->games);
    json_double(w, "mse_before", before->mse, 12);
    json_double(w, "mse", after->mse, 12);
    json_double(w, "accuracy_before", before->accuracy, 12);
    json_double(w, "accuracy", after->accuracy, 12);
    json_end_object(w);
}

static void json_settings(JsonWriter *w, const TuneSettings *settings)
{
    static const char *const losses[] = {"mse", "cross-entropy", "noise-floor"};
    static const char *const methods[] = {"newton", "lbfgs", "adam"};
    static const char *const duplicates[] = {"keep", "mean", "first"};

    char terms[EVAL_FAMILIES_TEXT_MAX];

    eval_families_text(settings->terms, terms);
    json_object(w, "settings");
    json_string(w, "terms", terms);
    json_double(w, "lambda", settings->fit.lambda, 12);
    json_string(w, "loss", losses[settings->fit.loss.kind]);
    if (settings->fit.loss.kind == LOSS_NOISE_FLOOR)
        json_double(w, "noise_floor", settings->fit.loss.floor, 12);
    json_string(w, "optimiser", methods[settings->fit.method]);
    json_double(w, "k", settings->fit.k, 12);
    json_double(w, "army", settings->start_material, 12);
    if (settings->fit.prior_auto)
        json_string(w, "prior", "auto");
    else
        json_double(w, "prior", settings->fit.prior, 12);
    json_string(w, "prior_toward", settings->fit.prior_zero ? "zero" : "start");
    json_double(w, "validation", settings->fit.validation, 12);
    json_int(w, "folds", settings->fit.folds);
    json_string(w, "duplicates", duplicates[settings->fit.duplicates]);
    json_double(w, "draw_weight", settings->fit.draw_weight, 12);
    json_double(w, "decay", settings->fit.decay, 12);
    json_string(w, "mirror", settings->mirror ? "tied" : "free");
    json_string(w, "freeze", settings->freeze);
    json_int(w, "iterations", settings->fit.max_iterations);
    json_int(w, "patience", settings->fit.patience);
    json_uint(w, "seed", settings->fit.seed);
    json_end_object(w);
}

/* ---- What the fit says about itself */

static void json_rows(JsonWriter *w, const char *key, const BreakdownRow *rows, int count)
{
    json_array(w, key);
    for (int i = 0; i < count; i++) {
        const BreakdownRow *r = &rows[i];
        double n = (double)r->n;
        if (r->n == 0) continue;
        json_object(w, NULL);
        if (r->low != INT_MIN) json_int(w, "from", r->low);
        if (r->high != INT_MAX) json_int(w, "to", r->high);
        json_int(w, "n", r->n);
        json_double(w, "predicted", r->predicted / n, 9);
        json_double(w, "scored", r->outcome / n, 9);
        json_double(w, "mse", r->squared_error / n, 9);
        json_double(w, "accuracy",
                    r->decisive > 0 ? (double)r->right / (double)r->decisive : (double)NAN, 9);
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

static void json_folds(JsonWriter *w, const Diagnostics *d)
{
    double error;

    if (d->fold_count == 0) return;
    double mse = diagnostics_fold_mse(d, &error);
    json_object(w, "folds");
    json_double(w, "mse", mse, 12);
    json_double(w, "mse_error", error, 9);
    json_array(w, "each");
    for (int f = 0; f < d->fold_count; f++) {
        json_object(w, NULL);
        json_int(w, "n", d->folds[f].held_out.n);
        json_int(w, "games", d->folds[f].held_out.games);
        json_double(w, "train_mse", d->folds[f].train_mse, 12);
        json_double(w, "mse", d->folds[f].held_out.mse, 12);
        json_double(w, "accuracy", d->folds[f].held_out.accuracy, 12);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

static void json_trials(JsonWriter *w, const Diagnostics *d)
{
    if (d->trial_count == 0) return;
    json_array(w, "prior_trials");
    for (int t = 0; t < d->trial_count; t++) {
        json_object(w, NULL);
        json_double(w, "prior", d->trials[t].prior, 12);
        json_double(w, "mse", d->trials[t].mse, 12);
        json_end_object(w);
    }
    json_end_array(w);
}

/* Every free weight, tied ones by that which they share: [mg, eg] of its value, its standard error
 * and the resolution. */
static void json_weights(JsonWriter *w, const Diagnostics *d)
{
    int columns = d->space->columns;

    json_object(w, "weights");
    for (int c = 0; c < columns; c++) {
        int shared = d->space->tied_to[c];
        if (d->space->fixed[c] && d->space->fixed[columns + c] && shared == c) continue;
        json_object(w, d->space->name[c]);
        json_array(w, "cp");
        for (int half = 0; half < 2; half++)
            json_double(w, NULL, d->value[half * columns + c], 8);
        json_end_array(w);
        json_array(w, "error");
        for (int half = 0; half < 2; half++)
            json_double(w, NULL, diagnostics_error(d, half * columns + c), 5);
        json_end_array(w);
        json_array(w, "told");
        for (int half = 0; half < 2; half++)
            json_double(w, NULL, d->errors->resolution[half * columns + shared], 4);
        json_end_array(w);
        json_int(w, "games", d->errors->games[shared]);
        json_end_object(w);
    }
    json_end_object(w);
}

static void json_diagnostics(JsonWriter *w, const Diagnostics *d)
{
    const StandardErrors *e = d->errors;

    json_trials(w, d);
    json_folds(w, d);
    json_double(w, "k_error", e->k_error, 6);
    json_double(w, "effective_positions", e->positions, 9);
    json_double(w, "design_effect", e->design_effect, 9);
    json_double(w, "effective_parameters", e->parameters, 9);
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

void tune_report_json(JsonWriter *w, const TuneReport *report)
{
    const TuneResult *result = report->result;

    json_string(w, "source", report->source);
    json_int(w, "n", dataset_positions(report->data));
    json_int(w, "games", dataset_games(report->data));
    json_double(w, "k", result->k, 12);
    json_double(w, "mse", result->train_after.mse, 12);
    json_double(w, "accuracy", result->train_after.accuracy, 12);
    json_data(w, report->data);
    json_string(w, "start", report->start);
    if (!report->foreign) {
        json_string(w, "start_hash", report->start_hash);
        json_string(w, "weights_hash", report->hash);
    }
    json_settings(w, report->settings);
    json_double(w, "k_start", result->k_start, 12);
    json_bool(w, "k_fitted", result->k_fitted);
    json_double(w, "scale", result->scale, 12);
    json_int(w, "iterations", result->iterations);
    json_int(w, "best_iteration", result->best_iteration);
    json_int(w, "passes", result->passes);
    json_bool(w, "converged", result->converged);
    json_scores(w, "train", &result->train_before, &result->train_after);
    json_scores(w, "validation", &result->validation_before, &result->validation_after);
    json_double(w, "prior", result->prior, 12);
    if (!report->foreign) {
        weights_json_pieces(w, &result->weights);
        weights_json(w, "terms", &result->weights);
    }
    if (result->diagnostics) json_diagnostics(w, result->diagnostics);
}

char *tune_report_json_text(const TuneReport *report)
{
    char *text = NULL;
    JsonWriter w;

    if (json_begin_text(&w, false, NULL) != STATUS_OK) return NULL;
    tune_report_json(&w, report);
    return json_finish_text(&w, &text, NULL) == STATUS_OK ? text : NULL;
}

void tune_report_json_score(JsonWriter *w, const char *label, const char *source,
                            const Dataset *data, double k, const FitScore *score)
{
    json_string(w, "source", source);
    json_string(w, "weights", label);
    json_int(w, "n", score->n);
    json_int(w, "games", score->games);
    json_double(w, "k", k, 12);
    json_double(w, "mse", score->mse, 12);
    json_double(w, "accuracy", score->accuracy, 12);
    json_data(w, data);
}
