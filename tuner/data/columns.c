/* SPDX-License-Identifier: MIT
 * Conversion between weights of the engine and columns of the fit. */
#include "tuner/data/columns.h"

#include <math.h>
#include <string.h>

bool column_occurs(int column)
{
    int term = column + EVAL_MATERIAL_COUNT;
    bool pawn = column < SQUARES ||
                (term >= EVAL_PAWN_OWN_KING && term <= EVAL_PAWN_OWN_KING_LAST) ||
                (term >= EVAL_PAWN_OTHER_KING && term <= EVAL_PAWN_OTHER_KING_LAST);
    int rank = square_rank((column < SQUARES ? column : term - EVAL_KING_SQUARES) % SQUARES);
    return !pawn || (rank != RANK_1 && rank != RANK_8);
}

const EvalTermInfo *column_info(int column)
{
    const EvalTermInfo *info = eval_term_info;

    while (column + EVAL_MATERIAL_COUNT >= info->first + info->count)
        info++;
    return info;
}

static int table_material(int table)
{
    return table == KING ? -1 : EVAL_MATERIAL + table;
}

void columns_from_weights(const EvalWeights *w, int columns, double *value)
{
    for (int half = MG; half <= EG; half++)
        for (int c = 0; c < columns; c++) {
            int table = c / SQUARES;
            int material = table < COLUMN_TABLES ? table_material(table) : -1;
            int sum = w->term[c + EVAL_MATERIAL_COUNT][half];
            if (material >= 0) sum += w->term[material][half];
            value[half * columns + c] = sum;
        }
}

/* Mean of a table's 64 values over the squares its piece can stand on. */
static double table_mean(const double *square, int table)
{
    double sum = 0;
    int squares = 0;
    for (int sq = 0; sq < SQUARES; sq++) {
        if (!column_occurs(table * SQUARES + sq)) continue;
        sum += square[sq];
        squares++;
    }
    return sum / squares;
}

static bool is_clamped(double value)
{
    return fabs(value) > COLUMN_VALUE_MAX;
}

static int round_clamped(double value)
{
    if (value > COLUMN_VALUE_MAX) return COLUMN_VALUE_MAX;
    if (value < -COLUMN_VALUE_MAX) return -COLUMN_VALUE_MAX;
    return (int)lround(value);
}

/* Writes one table, and its mean into the piece's value where it has one. Returns the number of
 * values that are clamped. */
static int write_table(const double *column, int table, int half, EvalWeights *w)
{
    int material = table_material(table), first = table * SQUARES, clamped = 0;
    /* The king's squares are moved, then rounded; other pieces' are rounded, then split, so that
     * what the engine adds up was rounded once and writing it out again gives the same. */
    double rounded[SQUARES], shift = material < 0 ? table_mean(column + first, table) : 0;

    for (int sq = 0; sq < SQUARES; sq++) {
        double value = column[first + sq] - shift;
        rounded[sq] = round_clamped(value);
        clamped += column_occurs(first + sq) && is_clamped(value);
    }
    int centre = material < 0 ? 0 : round_clamped(table_mean(rounded, table));
    if (material >= 0) w->term[material][half] = (int16_t)centre;
    for (int sq = 0; sq < SQUARES; sq++)
        if (column_occurs(first + sq))
            w->term[first + sq + EVAL_MATERIAL_COUNT][half] = (int16_t)((int)rounded[sq] - centre);
    return clamped;
}

int columns_to_weights(const double *value, int columns, EvalWeights *w)
{
    int clamped = 0;

    weights_zero(w);
    for (int half = MG; half <= EG; half++) {
        const double *column = value + half * columns;
        for (int table = 0; table < COLUMN_TABLES; table++)
            clamped += write_table(column, table, half, w);
        for (int c = COLUMN_TABLES * SQUARES; c < columns; c++) {
            w->term[c + EVAL_MATERIAL_COUNT][half] = (int16_t)round_clamped(column[c]);
            clamped += is_clamped(column[c]);
        }
    }
    return clamped;
}

void columns_centre(const EvalWeights *w, EvalWeights *out)
{
    double value[DIMENSIONS];
    EvalWeights centred;

    columns_from_weights(w, COLUMNS, value);
    (void)columns_to_weights(value, COLUMNS, &centred);
    /* King squares are not centred. */
    memcpy(centred.term[EVAL_KING_SQUARES], w->term[EVAL_KING_SQUARES],
           (EVAL_TERMS - EVAL_KING_SQUARES) * sizeof w->term[0]);
    *out = centred;
}
