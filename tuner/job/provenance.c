/* SPDX-License-Identifier: MIT
 * The comment of a weights header: the origin of the weights. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/version.h"
#include "tuner/job/tune.h"

typedef struct Text {
    char *out;
    size_t used;
} Text;

static void add(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Appends; text that does not fit is cut. */
static void add(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->out + text->used, TUNE_COMMENT_MAX - text->used, format, args);
    va_end(args);
    if (n < 0) return;
    text->used += (size_t)n;
    if (text->used >= TUNE_COMMENT_MAX) text->used = TUNE_COMMENT_MAX - 1;
}

static void add_score(Text *text, const char *name, const FitChange *change)
{
    const FitScore *before = &change->before, *after = &change->after;

    if (after->n == 0) return;
    add(text, "%s: %lld positions of %lld games, mean squared error %.6f -> %.6f", name,
        (long long)after->n, (long long)after->games, before->mse, after->mse);
    if (isfinite(after->accuracy)) add(text, ", accuracy %.4f", after->accuracy);
    add(text, "\n");
}

/* Settings that differ from the defaults are named. */
static void add_settings(Text *text, const TuneSettings *s, const TuneResult *result)
{
    static const char *const losses[] = {"squared error", "cross-entropy", "noise floor"};
    static const char *const methods[] = {"", ", by L-BFGS", ", by Adam"};
    static const char *const duplicates[] = {"", ", duplicates to their mean",
                                             ", first of duplicates"};

    add(text, "settings: %s, lambda %g, prior %g%s%s, ", losses[s->fit.loss.kind], s->fit.lambda,
        result->prior, s->fit.prior_auto ? " (chosen)" : "",
        s->fit.prior_zero ? " toward zero" : "");
    if (s->fit.folds > 0)
        add(text, "%d folds", s->fit.folds);
    else
        add(text, "validation %g", s->fit.validation);
    add(text, ", seed %llu%s%s", (unsigned long long)s->fit.seed, methods[s->fit.method],
        duplicates[s->fit.duplicates]);
    if (s->fit.draw_weight != 1) add(text, ", draws weigh %g", s->fit.draw_weight);
    if (s->fit.decay != 1) add(text, ", decay %g", s->fit.decay);
    if (s->mirror) add(text, ", mirrored squares tied");
    if (s->terms != EVAL_MATERIAL_PST) {
        char terms[EVAL_FAMILIES_TEXT_MAX];
        eval_families_text(s->terms, terms);
        add(text, ", terms %s", terms);
    }
    if (s->freeze) add(text, ", frozen: %s", s->freeze);
    add(text, "\n");
}

void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings, const TuneResult *result,
                     char out[TUNE_COMMENT_MAX])
{
    Text text = {out, 0};
    char digest[HASH_HEX_MAX];

    dataset_digest(data, digest);
    out[0] = '\0';
    add(&text, "Evaluation weights fitted by tabia tune %s.\n", TABIA_VERSION);
    add(&text, "source: %s\n", source);
    add(&text, "dataset: %lld positions of %lld games, sha256 %s\n",
        (long long)dataset_positions(data), (long long)dataset_games(data), digest);
    add(&text, "start: %s%s%s\n", start, start_hash ? ", sha256 " : "",
        start_hash ? start_hash : "");
    add_settings(&text, settings, result);
    add(&text, "k: %.6f (expected score = 1 / (1 + exp(-k * cp / 400)))\n", result->k);
    add_score(&text, "train", &result->train);
    add_score(&text, "held out by game", &result->validation);
    add(&text, "iterations: %d, best %d%s\n", result->iterations, result->best_iteration,
        result->converged ? ", converged" : "");
}
