/* SPDX-License-Identifier: MIT
 * Between weights as the engine has them and columns as the fit has them. */
#include "tuner/columns.h"

#include <math.h>

bool column_occurs(int column)
{
    if (column >= SQUARES) return true;
    int rank = square_rank(column);
    return rank != RANK_1 && rank != RANK_8;
}

static int table_material(int table)
{
    return table == KING ? -1 : EVAL_MATERIAL + table;
}

void columns_from_weights(const EvalWeights *w, double *value)
{
    for (int half = MG; half <= EG; half++)
        for (int c = 0; c < COLUMNS; c++) {
            int table = c / SQUARES;
            int material = table < COLUMN_TABLES ? table_material(table) : -1;
            int sum = w->term[c + EVAL_MATERIAL_COUNT][half];
            if (material >= 0) sum += w->term[material][half];
            value[half * COLUMNS + c] = sum;
        }
}

/* Mean of a table over the squares its piece can stand on; half: the mg or eg columns. */
static double table_mean(const double *half, int table)
{
    double sum = 0;
    int squares = 0;
    for (int sq = 0; sq < SQUARES; sq++) {
        int c = table * SQUARES + sq;
        if (!column_occurs(c)) continue;
        sum += half[c];
        squares++;
    }
    return sum / squares;
}

static int round_clamped(double value)
{
    if (value > COLUMN_VALUE_MAX) return COLUMN_VALUE_MAX;
    if (value < -COLUMN_VALUE_MAX) return -COLUMN_VALUE_MAX;
    return (int)lround(value);
}

void columns_to_weights(const double *value, EvalWeights *w)
{
    weights_zero(w);
    for (int half = MG; half <= EG; half++) {
        const double *column = value + half * COLUMNS;
        for (int table = 0; table < COLUMN_TABLES; table++) {
            double mean = table_mean(column, table);
            int material = table_material(table), centre = round_clamped(mean);

            if (material >= 0) w->term[material][half] = (int16_t)centre;
            for (int c = table * SQUARES; c < (table + 1) * SQUARES; c++) {
                if (!column_occurs(c)) continue;
                int square = material >= 0 ? round_clamped(column[c]) - centre
                                           : round_clamped(column[c] - mean);
                w->term[c + EVAL_MATERIAL_COUNT][half] = (int16_t)square;
            }
        }
        for (int c = COLUMN_TABLES * SQUARES; c < COLUMNS; c++)
            w->term[c + EVAL_MATERIAL_COUNT][half] = (int16_t)round_clamped(column[c]);
    }
}

double columns_army(const double *value)
{
    static const int men[] = {[PAWN] = 8, [KNIGHT] = 2, [BISHOP] = 2, [ROOK] = 2, [QUEEN] = 1};
    double sum = 0;

    for (int half = MG; half <= EG; half++)
        for (int table = PAWN; table <= QUEEN; table++)
            sum += men[table] * table_mean(value + half * COLUMNS, table);
    return sum / PHASES;
}
