/* SPDX-License-Identifier: MIT
 * Figures of a fit as text. */
#include "cli/tune/report.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "cli/output/progress.h"
#include "cli/tune/weights_text.h"

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

/* ---- Text */

static void print_dropped(FILE *out, int64_t count, const char *why)
{
    if (count > 0) fprintf(out, "          %10" PRId64 " left out: %s\n", count, why);
}

static void print_data(FILE *out, const Dataset *data)
{
    const DatasetStats *stats = dataset_stats(data);

    fprintf(out,
            "positions %10" PRId64 " of %" PRId64 " games; %" PRId64 " duplicates, %" PRId64
            " of them with another result\n",
            dataset_positions(data), dataset_games(data), stats->duplicates, stats->contradicting);
    print_dropped(out, stats->dropped_drawn, "of drawn games");
    print_dropped(out, stats->dropped_ply, "outside the range of plies");
    print_dropped(out, stats->dropped_unscored, "a random move was played there");
    print_dropped(out, stats->dropped_score, "a mate score, or one beyond the limit");
    print_dropped(out, stats->dropped_check, "in check");
    print_dropped(out, stats->dropped_noisy, "a capture or promotion was played there");
    print_dropped(out, stats->dropped_unquiet, "a capture wins material");
    print_dropped(out, stats->dropped_phase, "outside the range of phases");
}

static void print_scores(FILE *out, const char *name, const FitScore *before, const FitScore *after)
{
    if (after->n == 0) return;
    fprintf(out, "%-9s %10" PRId64 " of %" PRId64 " games; squared error %.6f -> %.6f", name,
            after->n, after->games, before->mse, after->mse);
    if (isfinite(after->accuracy)) /* there are decided games */
        fprintf(out, ", accuracy %.1f %% -> %.1f %%", 100 * before->accuracy,
                100 * after->accuracy);
    fputc('\n', out);
}

/* "82 ±1.5", without the error where there is none. */
static void print_value(FILE *out, double value, int digits, double error)
{
    char text[48];

    if (isfinite(error))
        (void)snprintf(text, sizeof text, "%.*f ±%.1f", digits, value, error);
    else
        (void)snprintf(text, sizeof text, "%.*f", digits, value);
    /* The sign takes two bytes. */
    fprintf(out, " %*s", isfinite(error) ? 14 : 13, text);
}

static void print_pieces(FILE *out, const EvalWeights *w, const Diagnostics *diagnostics)
{
    TermErrors errors;

    if (diagnostics) diagnostics_term_errors(diagnostics, &errors);
    fprintf(out, "%-9s", "value");
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
        fprintf(out, " %13s", weights_pieces[p]);
    for (int half = MG; half <= EG; half++) {
        fprintf(out, "\n%-9s", half == MG ? "  mg cp" : "  eg cp");
        for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
            print_value(out, w->term[EVAL_MATERIAL + p][half], 0,
                        diagnostics ? errors.term[EVAL_MATERIAL + p][half] : (double)NAN);
    }
    fprintf(out, "\n%-9s", "  mean");
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
        print_value(out, (w->term[EVAL_MATERIAL + p][MG] + w->term[EVAL_MATERIAL + p][EG]) / 2.0, 1,
                    diagnostics ? errors.material_mean[p] : (double)NAN);
    fputc('\n', out);
}

/* The weights of a foreign evaluation, as many as one likes to look at; the file has all. */
static void print_columns(FILE *out, const Diagnostics *d)
{
    enum { SHOWN = 30 };
    int columns = d->space->columns;

    fprintf(out, "%-26s %16s %16s %9s\n", "weight", "mg cp", "eg cp", "games");
    for (int c = 0; c < columns && c < SHOWN; c++)
        fprintf(out, "  %-24s %8.1f ±%-6.1f %8.1f ±%-6.1f %9" PRId64 "\n", d->space->name[c],
                d->value[c], diagnostics_error(d, c), d->value[columns + c],
                diagnostics_error(d, columns + c), d->errors->games[c]);
    if (columns > SHOWN) fprintf(out, "  ... and %d more\n", columns - SHOWN);
}

/* ---- What the fit says about itself */

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
        const BreakdownRow *r = &rows[i];
        double n = (double)r->n;
        char name[32];
        if (r->n == 0) continue;
        row_name(r, unit, name);
        fprintf(out, "  %-22s %10" PRId64 " %10.4f %10.4f %10.6f", name, r->n, r->predicted / n,
                r->outcome / n, r->squared_error / n);
        if (r->decisive > 0)
            fprintf(out, " %8.1f %%", 100 * (double)r->right / (double)r->decisive);
        fputc('\n', out);
    }
}

static void print_breakdown(FILE *out, const char *name, const Breakdown *b)
{
    fprintf(out, "%-24s %10s %10s %10s %10s %10s\n", name, "positions", "predicted", "scored",
            "error", "accuracy");
    print_rows(out, b->phase, BREAKDOWN_PHASES, "phase");
    if (breakdown_has_material(b)) print_rows(out, b->material, BREAKDOWN_MATERIAL, "pawns ahead");
    print_rows(out, b->prediction, BREAKDOWN_PREDICTIONS, "predicted %");
    fprintf(out, "  mean |predicted - scored| by prediction: %.4f\n", b->calibration_error);
}

static void print_choice(FILE *out, const Diagnostics *d)
{
    double error;

    if (d->trial_count > 0) fprintf(out, "prior     ");
    for (int t = d->trial_count - 1; t >= 0; t--)
        fprintf(out, "%s%g: %.6f", t < d->trial_count - 1 ? ", " : "", d->trials[t].prior,
                d->trials[t].mse);
    if (d->trial_count > 0) fprintf(out, " (held out)\n");
    if (d->fold_count == 0) return;
    double mse = diagnostics_fold_mse(d, &error);
    fprintf(out, "folds     %d by game; held-out squared error %.6f ±%.6f:", d->fold_count, mse,
            error);
    for (int f = 0; f < d->fold_count; f++)
        fprintf(out, " %.6f", d->folds[f].held_out.mse);
    fputc('\n', out);
}

/* Names of weights that the prior settles, as many as fit on a line or two. */
static void print_held(FILE *out, const Diagnostics *d)
{
    enum { SHOWN = 12 };
    int shown = 0;

    if (d->held_count == 0) return;
    fprintf(out,
            "held      %d weights are the prior's more than the data's, %d of them never seen:",
            d->held_count, d->unseen_count);
    for (int i = 0; i < d->space->dimensions && shown < SHOWN; i++) {
        if (!diagnostics_is_held(d, i)) continue;
        fprintf(out, " %s%s", d->space->name[i % d->space->columns],
                i < d->space->columns ? " mg" : " eg");
        fputs(++shown < d->held_count ? "," : "", out);
    }
    fputs(d->held_count > SHOWN ? " ...\n" : "\n", out);
}

static void print_diagnostics(FILE *out, const Diagnostics *d)
{
    const StandardErrors *e = d->errors;

    fprintf(out,
            "worth     %.0f effective positions (those of a game repeat one another %.1f times) "
            "for %.0f effective parameters\n",
            e->positions, e->design_effect, e->parameters);
    print_held(out, d);
    print_breakdown(out, d->has_validation ? "held out" : "training",
                    d->has_validation ? &d->validation : &d->train);
}

void tune_report_print(FILE *out, const TuneReport *report)
{
    const TuneResult *result = report->result;
    const Diagnostics *diagnostics = result->diagnostics;

    fprintf(out, "source    %s (read in %.1f s)\n", report->source, report->load_seconds);
    print_data(out, report->data);
    print_scores(out, "training", &result->train_before, &result->train_after);
    print_scores(out, "held out", &result->validation_before, &result->validation_after);
    if (diagnostics) print_choice(out, diagnostics);
    fprintf(out, "fit       %d iterations from %s, best %d%s (%.1f s); K %.4f", result->iterations,
            report->start, result->best_iteration,
            result->converged ? ", converged" : ", not converged", report->fit_seconds, result->k);
    if (diagnostics && diagnostics->errors->k_error > 0)
        fprintf(out, " ±%.4f", diagnostics->errors->k_error);
    fprintf(out, ", prior %g\n", result->prior);
    if (report->foreign) {
        print_columns(out, diagnostics);
    } else {
        print_pieces(out, &result->weights, diagnostics);
        weights_print_terms(out, &result->weights);
    }
    if (diagnostics) print_diagnostics(out, diagnostics);
    for (int i = 0; diagnostics && i < diagnostics->warning_count; i++)
        fprintf(out, "warning   %s\n", diagnostics->warnings[i]);
    if (report->foreign)
        fprintf(out, "written   %s\n", report->out);
    else if (report->out)
        fprintf(out, "written   %s, weights %.12s\n", report->out, report->hash);
}

void tune_report_print_score(FILE *out, const char *label, const Dataset *data, double k,
                             const FitScore *score)
{
    print_data(out, data);
    fprintf(out, "weights   %s\nK         %10.6f\nerror     %10.6f mean squared\n", label, k,
            score->mse);
    if (isfinite(score->accuracy))
        fprintf(out, "accuracy  %10.1f %% of decisive games' positions\n", 100 * score->accuracy);
}
