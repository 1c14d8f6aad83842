/* SPDX-License-Identifier: MIT
 * The settings of a fit of Tabia's evaluation. */
#ifndef TABIA_TUNER_JOB_SETTINGS_H
#define TABIA_TUNER_JOB_SETTINGS_H

#include "engine/eval/terms.h"
#include "tuner/data/dataset.h"
#include "tuner/fit/settings.h"

typedef struct TuneSettings {
    FitSettings fit;
    double start_material; /* centipawns: the scale (tune.h) */
    bool mirror;           /* squares that mirror each other share a weight */
    EvalFamilies terms;    /* the others stay as they are */
    double king_prior;     /* of king squares, toward 0, in the unit of fit.prior */
    /* Terms that stay as they are (space_freeze()), and with them the scale of the start weights.
     * NULL: none. Borrowed. */
    const char *freeze;
    /* A file with the state of the fit: written every few seconds and on interruption, read if it
     * exists. NULL: none. Borrowed. The caller removes it after storing the weights
     * (checkpoint.h). */
    const char *checkpoint;
    bool diagnostics; /* fill in TuneResult.diagnostics */
} TuneSettings;

/* Those of the fit included. */
extern const Setting tune_settings[];
/* Lists of rows: for a report; what a checkpoint belongs to, besides K and prior as they were
 * fitted, weights and data; and for the comment of a header where they differ from the defaults. */
extern const char tune_reported[], tune_identity[], tune_remarked[];

/* Gives lambda and prior that are left to the number of games their values. */
void tune_settle(TuneSettings *settings, const Dataset *data);

/* The defaults, without diagnostics, on one thread. */
void tune_defaults(TuneSettings *settings);

#endif
