/* SPDX-License-Identifier: MIT
 * The space of a fit. */
#include "tuner/data/space.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/eval/king_squares.h"
#include "tuner/data/columns.h"

/* Part of the prior on a piece's mean value: enough to hold that of a piece that never occurs. */
static const double PULL_OF_MEAN = 1e-3;
/* Of a frozen mean. */
static const double PULL_OF_FROZEN_MEAN = 1e6;

Status space_create(int columns, Space **out, Error *err)
{
    size_t n = (size_t)columns;
    Space *space = calloc(1, sizeof *space);

    *out = space;
    if (space)
        *space = (Space){.columns = columns,
                         .dimensions = 2 * columns,
                         .tables = columns,
                         .table_pull = 1,
                         .group = malloc((n + 1) * sizeof *space->group),
                         .mean_pull = calloc(n + 1, sizeof *space->mean_pull),
                         .fixed = calloc(2 * n + 1, sizeof *space->fixed),
                         .tied_to = malloc((n + 1) * sizeof *space->tied_to),
                         .worth = calloc(n + 1, sizeof *space->worth),
                         .scale = calloc(2 * n + 1, sizeof *space->scale),
                         .name = calloc(n + 1, sizeof *space->name)};
    if (!space || !space->group || !space->mean_pull || !space->fixed || !space->tied_to ||
        !space->worth || !space->scale || !space->name) {
        space_destroy(space);
        *out = NULL;
        return error_set(err, STATUS_FAILED, "out of memory for %d columns", columns);
    }
    for (int c = 0; c < columns; c++) {
        space->group[c] = -1;
        space->tied_to[c] = (uint16_t)c;
    }
    return STATUS_OK;
}

void space_destroy(Space *space)
{
    if (!space) return;
    free(space->group);
    free(space->mean_pull);
    free(space->fixed);
    free(space->tied_to);
    free(space->worth);
    free(space->scale);
    free(space->name);
    free(space);
}

/* ---- Tabia's evaluation */

static void name_column(int column, char out[SPACE_NAME_MAX])
{
    const EvalTermInfo *info = column_info(column);
    int index = column + EVAL_MATERIAL_COUNT - info->first, king = 0;

    while (king_bucket[king] != index / SQUARES && king < SQUARES - 1)
        king++;
    if (column < COLUMN_TABLES * SQUARES)
        (void)snprintf(out, SPACE_NAME_MAX, "%s.%c%d", info->name, 'a' + index % 8, index / 8 + 1);
    else if (info->family == EVAL_FAMILY_KING_SQUARES)
        (void)snprintf(out, SPACE_NAME_MAX, "%s.%c%d.%c%d", info->name, 'a' + king % 8,
                       king / 8 + 1, 'a' + index % 8, index / 8 % 8 + 1);
    else if (info->count == 1)
        (void)snprintf(out, SPACE_NAME_MAX, "%s", info->name);
    else
        (void)snprintf(out, SPACE_NAME_MAX, "%s.%d", info->name, index);
}

Status space_of_evaluation(EvalFamilies terms, int columns, Space **out, Error *err)
{
    static const int8_t worth[COLUMN_TABLES] = {1, 3, 3, 5, 9, 0};
    static const int pieces[COLUMN_TABLES] = {8, 2, 2, 2, 1, 0}; /* of a side at the start */
    Status status = space_create(columns, out, err);

    if (status != STATUS_OK) return status;
    Space *space = *out;
    space->groups = COLUMN_TABLES;
    space->tables = COLUMNS;
    for (int table = 0; table < COLUMN_TABLES; table++)
        space->mean_pull[table] = table == KING ? 1 : PULL_OF_MEAN; /* a king has no value */
    for (int c = 0; c < columns; c++) {
        int table = c / SQUARES;
        name_column(c, space->name[c]);
        if (!column_occurs(c) || !(terms & eval_family(column_info(c)->family)))
            space->fixed[c] = space->fixed[columns + c] = 1;
        if (table >= COLUMN_TABLES || !column_occurs(c)) continue;
        space->group[c] = (int16_t)table;
        space->worth[c] = worth[table];
        int squares = table == PAWN ? SQUARES - 16 : SQUARES;
        space->scale[c] = space->scale[columns + c] = pieces[table] * (1.0 / squares) / PHASES;
    }
    return STATUS_OK;
}

void space_tie_mirrored(Space *space)
{
    for (int c = 0; c < COLUMN_TABLES * SQUARES; c++) {
        int mirrored = c ^ 7; /* file a is file h */
        if (mirrored > c || space->fixed[c] || space->fixed[mirrored]) continue;
        space->tied_to[c] = (uint16_t)mirrored;
        space->group[c] = -1;
        space->fixed[c] = space->fixed[space->columns + c] = 1;
        /* The mean over squares counts the other one for both. */
        for (int half = 0; half < space->dimensions; half += space->columns) {
            space->scale[half + mirrored] += space->scale[half + c];
            space->scale[half + c] = 0;
        }
    }
}

/* ---- Choosing by name */

static bool matches(const char *pattern, const char *name)
{
    char term[SPACE_NAME_MAX];

    (void)snprintf(term, sizeof term, "%.*s", (int)strcspn(name, "."), name);
    return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, term, 0) == 0;
}

static int freeze_one(Space *space, const char *pattern)
{
    int found = 0;

    if (space->groups > 0 && fnmatch(pattern, "MATERIAL", 0) == 0)
        for (found = 0; found < space->groups; found++)
            space->mean_pull[found] = PULL_OF_FROZEN_MEAN;
    for (int c = 0; c < space->columns; c++) {
        if (!matches(pattern, space->name[c])) continue;
        space->fixed[c] = space->fixed[space->columns + c] = 1;
        found++;
    }
    return found;
}

Status space_freeze(Space *space, const char *patterns, Error *err)
{
    for (const char *at = patterns; *at; at += *at == ',') {
        char pattern[SPACE_NAME_MAX];
        size_t length = strcspn(at, ",");
        if (length >= sizeof pattern)
            return error_set(err, STATUS_USAGE, "--freeze: \"%.*s\" is longer than any name",
                             (int)length, at);
        (void)snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        at += length;
        if (freeze_one(space, pattern) == 0)
            return error_set(err, STATUS_USAGE, "--freeze: no term is called \"%s\"", pattern);
    }
    space->frozen = true;
    return STATUS_OK;
}

/* ---- Ties */

void space_join(const Space *space, double *value)
{
    for (int half = 0; half < space->dimensions; half += space->columns)
        for (int c = 0; c < space->columns; c++) {
            int to = space->tied_to[c];
            if (to == c) continue;
            value[half + to] = value[half + c] = (value[half + to] + value[half + c]) / 2;
        }
}

void space_spread(const Space *space, double *value)
{
    for (int half = 0; half < space->dimensions; half += space->columns)
        for (int c = 0; c < space->columns; c++)
            value[half + c] = value[half + space->tied_to[c]];
}

double space_scale(const Space *space, const double *value)
{
    double sum = 0;
    for (int i = 0; i < space->dimensions; i++)
        sum += space->scale[i] * value[i];
    return sum;
}
