/* SPDX-License-Identifier: MIT
 * Fitting evaluation weights to game outcomes: the whole job behind `tabia tune`.
 *
 * The scale. Multiplying all weights by a number and dividing K by it changes no prediction, so the
 * data do not determine what a centipawn is. Unless K is given, the weights are multiplied so that
 * the start material of a side (8 P, 2 N, 2 B, 2 R, Q; mean of mg and eg) is worth 3900 cp, as
 * under 100-300-300-500-900, and K is divided by the same number. So fits from different starts end
 * on the same weights, centipawns mean the same in every header, and the search's margins stay
 * valid from one generation to the next. (The data determine the sum far better than the pawn
 * alone.) During the fit K is the one that fits the start weights, or 2 if they predict nothing. */
#ifndef TABIA_TUNER_JOB_TUNE_H
#define TABIA_TUNER_JOB_TUNE_H

#include "engine/eval/weights.h"
#include "tuner/job/settings.h"
#include "tuner/report/diagnostics.h"

typedef struct TuneResult {
    FitResult fit;               /* fit.k: before rescaling */
    double k;                    /* of `weights` */
    double scale;                /* factor applied to the fit; 1: the scale of the start weights */
    bool scaled;                 /* to start_material */
    FitChange train, validation; /* from the start weights to `weights` */
    SplitCounts split;           /* of the hold-out or the folds */
    FitGain gain;                /* over the start, on the hold-out or the folds */
    EvalWeights weights;         /* rounded to centipawns, tables centred */
    int clamped;                 /* of them, beyond COLUMN_VALUE_MAX before */
    /* Owned. NULL after an interruption, also one that came after the fit, and without
     * settings.diagnostics for tune_fit(). */
    Diagnostics *diagnostics;
} TuneResult;

void tune_result_free(TuneResult *result);

/* Fits starting from *start; a checkpoint is in the settings, not in the hooks. Bit-identical for
 * any number of threads. STATUS_BAD_INPUT if the set or one side of the split is empty,
 * or a weight that stays is beyond COLUMN_VALUE_MAX. After
 * STATUS_INTERRUPTED the result is that of the best iteration, not measured, or all zero if it came
 * during the folds. hooks may be NULL. */
MUST_CHECK Status tune_fit(const Dataset *data, const EvalWeights *start,
                           const TuneSettings *settings, const FitHooks *hooks, TuneResult *result,
                           Error *err);

/* The same over columns that are not Tabia's evaluation (foreign.h): the weights are
 * result->diagnostics->value, which is there without settings->diagnostics, too, but then with
 * nothing else; result->weights mean nothing. Takes space, also on failure. */
MUST_CHECK Status tune_fit_columns(const Dataset *data, Space *space, const double *start,
                                   const TuneSettings *settings, const FitHooks *hooks,
                                   TuneResult *result, Error *err);

/* Fits K alone (or uses settings->k) and measures the given weights over the whole set. Weights
 * that predict nothing are measured at the reference K, and *k_fitted is false. */
MUST_CHECK Status tune_score(const Dataset *data, const EvalWeights *weights,
                             const TuneSettings *settings, double *k, bool *k_fitted,
                             FitScore *score, Error *err);

/* Appends to out[size], a name of the data, the filters that apply to it. stored: the data are
 * stored games. */
void tune_describe_filter(const DatasetFilter *filter, bool stored, char *out, size_t size);

enum { TUNE_COMMENT_MAX = 2048 };

/* The header's opening comment: the origin of the weights. source: a description of the data,
 * without directories; start: a name of the start weights; start_hash: their SHA-256, or NULL;
 * defaults: of the command. Reproducible. */
void tune_provenance(const Dataset *data, const char *source, const char *start,
                     const char *start_hash, const TuneSettings *settings,
                     const TuneSettings *defaults, const TuneResult *result,
                     char out[TUNE_COMMENT_MAX]);

#endif
