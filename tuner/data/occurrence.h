/* SPDX-License-Identifier: MIT
 * Features of a position, as a data set keeps them. */
#ifndef TABIA_TUNER_DATA_OCCURRENCE_H
#define TABIA_TUNER_DATA_OCCURRENCE_H

#include <stdbool.h>
#include <stdint.h>

/* A feature: its column (columns.h) and coefficient in one number,
 *
 *     column + columns * step,   step = 2 (c - 1) for a coefficient c > 0, 2 (-c - 1) + 1 for c <
 * 0.
 *
 * A coefficient that is too great for that is split into several. Occurrences of a position ascend
 * by column. */
typedef uint16_t Occurrence;

/* Of a position. Tabia's evaluation gives at most 32 by squares and 30 by mobility, one a piece,
 * and of the other families fewer than 140, one for each term that can meet others. */
enum { OCCURRENCES_MAX = 255 };

static inline int occurrence_column(Occurrence o, int columns)
{
    return o % columns;
}
static inline int occurrence_value(Occurrence o, int columns)
{
    int step = o / columns;
    return step % 2 ? -(step / 2 + 1) : step / 2 + 1;
}
/* value: from 1 to occurrence_value_max() in magnitude. */
static inline Occurrence occurrence_make(int column, int value, int columns)
{
    int step = value > 0 ? 2 * (value - 1) : 2 * (-value - 1) + 1;
    return (Occurrence)(column + columns * step);
}
/* Of a coefficient that is 1 or -1: without a branch, which would be unpredictable. */
static inline Occurrence occurrence_of_one(int column, bool negative, int columns)
{
    return (Occurrence)(column + columns * (int)negative);
}
static inline int occurrence_value_max(int columns)
{
    int steps = (UINT16_MAX + 1) / columns;
    return steps / 2 < INT8_MAX ? steps / 2 : INT8_MAX;
}

/* Adds `value` (not 0) of a column to the occurrences out[count]; returns the new count, or -1 when
 * they are more than OCCURRENCES_MAX. */
static inline int occurrences_add(Occurrence *out, int count, int column, int value, int columns)
{
    int most = occurrence_value_max(columns);

    while (value != 0) {
        int part = value > most ? most : value < -most ? -most : value;
        if (count == OCCURRENCES_MAX) return -1;
        out[count++] = occurrence_make(column, part, columns);
        value -= part;
    }
    return count;
}

#endif
