/* SPDX-License-Identifier: MIT
 * Sums of predictions and outcomes by row. */
#include "tuner/report/breakdown.h"

#include <limits.h>
#include <math.h>

#include "engine/base/system.h"
#include "tuner/data/scratch.h"

static void name_rows(Breakdown *b)
{
    static const int material[BREAKDOWN_MATERIAL + 1] = {INT_MIN, -4, -2, 0, 1, 3, 5, INT_MAX};

    *b = (Breakdown){0};
    for (int i = 0; i < BREAKDOWN_PHASES; i++) {
        b->phase[i].low = 5 * i;
        b->phase[i].high = i == BREAKDOWN_PHASES - 1 ? EVAL_PHASE_MAX : 5 * i + 4;
    }
    for (int i = 0; i < BREAKDOWN_PREDICTIONS; i++) {
        b->prediction[i].low = 100 / BREAKDOWN_PREDICTIONS * i;
        b->prediction[i].high = 100 / BREAKDOWN_PREDICTIONS * (i + 1);
    }
    for (int i = 0; i < BREAKDOWN_MATERIAL; i++) {
        b->material[i].low = material[i];
        b->material[i].high = material[i + 1] == INT_MAX ? INT_MAX : material[i + 1] - 1;
    }
}

static void add(BreakdownRow *row, double predicted, double outcome, double cp)
{
    double error = predicted - outcome;

    row->n++;
    row->decisive += outcome != 0.5;
    row->right += (outcome > 0.5 && cp > 0) || (outcome < 0.5 && cp < 0);
    row->predicted += predicted;
    row->scored += outcome;
    row->mse += error * error;
}

static BreakdownRow *find_row(BreakdownRow *rows, int count, int key)
{
    for (int i = 0; i < count - 1; i++)
        if (key <= rows[i].high) return &rows[i];
    return &rows[count - 1];
}

/* Pawns that White is ahead by, from the occurrences of the batch. */
static int material_ahead(const Batch *b, const Space *space, const Occurrence *at, int count)
{
    int sum = 0;
    for (int j = 0; j < count; j++)
        sum += b->code_value[at[j]] * space->worth[b->column[b->code_of[at[j]]]];
    return sum;
}

static void add_run(const Dataset *data, const Space *space, const Batch *batch,
                    const BatchRun *run, const double *cp, double k, Breakdown *b)
{
    for (int64_t i = 0; i < run->count; i++) {
        int64_t slot = run->first + i;
        int32_t position = batch->index[slot];
        const Occurrence *at = batch->occurrence + run->occurrence + i * run->occurrences;
        double x = cp[slot] * (k / LOSS_CP_SCALE), p, outcome = (double)data->result[position] / 2;
        loss_sigmoid(&x, &p, 1);
        int ahead = material_ahead(batch, space, at, run->occurrences);
        add(find_row(b->phase, BREAKDOWN_PHASES, data->phase[position]), p, outcome, cp[slot]);
        add(find_row(b->material, BREAKDOWN_MATERIAL, ahead), p, outcome, cp[slot]);
        int decile = (int)(p * BREAKDOWN_PREDICTIONS);
        if (decile == BREAKDOWN_PREDICTIONS) decile--;
        add(&b->prediction[decile], p, outcome, cp[slot]);
    }
}

/* Divides the sums of the rows. */
static void take_means(BreakdownRow *rows, int count)
{
    for (int i = 0; i < count; i++) {
        double n = (double)rows[i].n;
        rows[i].predicted /= n;
        rows[i].scored /= n;
        rows[i].mse /= n;
        rows[i].accuracy = (double)rows[i].right / (double)rows[i].decisive;
    }
}

Status breakdown_measure(const Dataset *data, const Space *space, Loss *loss, const double *value,
                         double k, Breakdown *b, Error *err)
{
    const Batch *batch = loss_batch(loss);
    double *cp;

    Status status = loss_evaluations(loss, value, "measuring weights", &cp, err);
    if (status != STATUS_OK) return status;
    name_rows(b);
    for (int r = 0; r < batch->run_count && !system_must_end(); r++)
        add_run(data, space, batch, &batch->runs[r], cp, k, b);
    for (int i = 0; i < BREAKDOWN_PREDICTIONS; i++)
        b->calibration_error +=
            fabs(b->prediction[i].predicted - b->prediction[i].scored) / (double)batch->positions;
    take_means(b->phase, BREAKDOWN_PHASES);
    take_means(b->material, BREAKDOWN_MATERIAL);
    take_means(b->prediction, BREAKDOWN_PREDICTIONS);
    scratch_free(batch->scratch, cp);
    return system_check_end(err);
}

bool breakdown_has_material(const Breakdown *b)
{
    int rows = 0;
    for (int i = 0; i < BREAKDOWN_MATERIAL; i++)
        rows += b->material[i].n > 0;
    return rows > 1;
}
