/* SPDX-License-Identifier: MIT
 * Standard errors of the header's terms, and the warnings of a fit. */
#include "tuner/report/diagnostics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tuner/data/columns.h"

void diagnostics_destroy(Diagnostics *diagnostics)
{
    if (!diagnostics) return;
    space_destroy(diagnostics->space);
    standard_errors_destroy(diagnostics->errors);
    free(diagnostics->value);
    free(diagnostics);
}

/* The dimension that a tied one shares its weight with. */
static int partner(const Diagnostics *d, int dimension)
{
    int column = dimension % d->space->columns;
    return dimension - column + d->space->tied_to[column];
}

bool diagnostics_is_held(const Diagnostics *d, int dimension)
{
    return !d->space->fixed[dimension] && d->errors->resolution[dimension] < 0.5;
}

double diagnostics_error(const Diagnostics *d, int dimension)
{
    const double one = 1;
    int at = partner(d, dimension);
    return sqrt(standard_errors_variance(d->errors, &at, &one, 1));
}

/* ---- Standard errors of the header's terms */

typedef struct Combination {
    int count;
    int dimension[2 * SQUARES + 1];
    double factor[2 * SQUARES + 1];
} Combination;

static void add(const Diagnostics *d, Combination *c, int dimension, double factor)
{
    c->dimension[c->count] = partner(d, dimension);
    c->factor[c->count++] = factor;
}

/* The mean over the squares where a piece can stand, times factor. */
static void add_table_mean(const Diagnostics *d, Combination *c, int table, int half, double factor)
{
    int squares = 0;

    for (int sq = 0; sq < SQUARES; sq++)
        squares += column_occurs(table * SQUARES + sq);
    for (int sq = 0; sq < SQUARES; sq++)
        if (column_occurs(table * SQUARES + sq))
            add(d, c, half * d->space->columns + table * SQUARES + sq, factor / squares);
}

static double error_of(const Diagnostics *d, const Combination *c)
{
    return sqrt(standard_errors_variance(d->errors, c->dimension, c->factor, c->count));
}

void diagnostics_term_errors(const Diagnostics *d, TermErrors *errors)
{
    *errors = (TermErrors){0};
    for (int piece = 0; piece < EVAL_MATERIAL_COUNT; piece++) {
        Combination both = {0};
        for (int half = MG; half <= EG; half++) {
            Combination c = {0};
            add_table_mean(d, &c, piece, half, 1);
            add_table_mean(d, &both, piece, half, 0.5);
            errors->term[EVAL_MATERIAL + piece][half] = error_of(d, &c);
        }
        errors->material_mean[piece] = error_of(d, &both);
    }
    for (int column = 0; column < COLUMNS; column++)
        for (int half = MG; half <= EG; half++) {
            Combination c = {0};
            if (!column_occurs(column)) continue;
            add(d, &c, half * d->space->columns + column, 1);
            if (column < COLUMN_TABLES * SQUARES) add_table_mean(d, &c, column / SQUARES, half, -1);
            errors->term[column + EVAL_MATERIAL_COUNT][half] = error_of(d, &c);
        }
}

FoldMean diagnostics_fold_mean(const Diagnostics *d)
{
    double sum = 0, n = 0, squares = 0;

    for (int f = 0; f < d->fold_count; f++) {
        sum += d->folds[f].held_out.mse * (double)d->folds[f].held_out.n;
        n += (double)d->folds[f].held_out.n;
    }
    double mean = sum / n;
    for (int f = 0; f < d->fold_count; f++)
        squares += (d->folds[f].held_out.mse - mean) * (d->folds[f].held_out.mse - mean);
    return (FoldMean){mean, sqrt(squares / (d->fold_count * (d->fold_count - 1.0)))};
}

/* ---- Warnings */

PRINTF_LIKE(2, 3) static void warn(Diagnostics *d, const char *format, ...)
{
    va_list args;

    if (d->warning_count == DIAGNOSTICS_WARNINGS_MAX) return;
    va_start(args, format);
    (void)vsnprintf(d->warnings[d->warning_count++], DIAGNOSTICS_WARNING_BYTES, format, args);
    va_end(args);
}

/* Below this number of effective positions for each parameter a fit is mostly noise. The rule of
 * thumb of regression is 10 to 20. */
static const double POSITIONS_PER_PARAMETER = 10;
/* Overfitting is a held-out loss above the training loss by this part. */
static const double OVERFIT = 0.05;

/* Instead of SPLIT_SHARED_MAX for other programs' features, which may be few, and then equal by
 * chance. */
static const double SHARED_FOREIGN = 0.1;

void diagnostics_judge(Diagnostics *d, const Fit *fit, int clamped, double train, double held_out)
{
    const FitSettings *s = fit->settings;
    const StandardErrors *e = d->errors;
    /* Merged or weighted training positions do not compare with held-out ones. */
    bool alike = weighing_is_none(&s->weighing);
    bool foreign = fit->data->foreign;
    char shared[SPLIT_WARNING_MAX];
    int free_weights = 0;
    bool starts = false; /* at weights other than zero, which have no K */

    for (int i = 0; i < d->space->dimensions; i++) {
        starts |= fit->start[i] != 0;
        free_weights += !d->space->fixed[i];
        if (!diagnostics_is_held(d, i)) continue;
        d->held_count++;
        d->unseen_count += e->games[i % d->space->columns] == 0;
    }
    if (e->positions < POSITIONS_PER_PARAMETER * e->parameters)
        warn(
            d,
            "the set is too small: %.0f effective positions for %.0f effective parameters; use more games, a stronger prior, --mirror tied or --freeze",
            e->positions, e->parameters);
    else if (2 * d->held_count > free_weights)
        warn(
            d,
            "the set is too small: the prior determines %d of the %d weights more than the data do; use more games or a weaker prior",
            d->held_count, free_weights);
    double open = free_weights - d->unseen_count - e->parameters;
    if (foreign && fit->result.prior == 0 && open > 0.5)
        warn(
            d,
            "columns depend on each other: the data leave %.0f combination%s of weights open, and --prior 0 does not hold them; their values and errors mean nothing",
            open, open < 1.5 ? "" : "s");
    if (d->fold_count > 0) {
        held_out = diagnostics_fold_mean(d).mse;
        train = 0;
        for (int f = 0; f < d->fold_count; f++)
            train += d->folds[f].train_mse / d->fold_count;
    }
    if (alike && held_out > (1 + OVERFIT) * train)
        warn(d, "overfitted: the held-out error %.6f is %.0f %% above the training error", held_out,
             100 * (held_out / train - 1));
    if (foreign && (double)d->split.shared > SHARED_FOREIGN * (double)d->split.held_out)
        warn(
            d,
            "%lld of %lld held-out positions have the features of one in training: the columns tell few positions apart, or positions occur twice",
            (long long)d->split.shared, (long long)d->split.held_out);
    else if (!foreign && split_warning(&d->split, SPLIT_SHARED_MAX, shared))
        warn(d, "%s; leave out early plies or use more openings", shared);
    if (!fit->result.converged)
        warn(d, "the fit stopped at iteration %d before it converged", fit->result.iterations);
    if (starts && s->k <= 0 && !fit->result.k_fitted)
        warn(d, "K is %g, because the start weights do not determine it; --k sets it",
             fit->result.k);
    if (clamped > 0)
        warn(d, "weights beyond %d cp are cut to it: %d; a smaller --army or start avoids that",
             COLUMN_VALUE_MAX, clamped);
}
