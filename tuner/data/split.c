/* SPDX-License-Identifier: MIT
 * Dividing a data set by game. */
#include "tuner/data/split.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/fnv.h"
#include "engine/base/pcg.h"
#include "engine/base/system.h"
#include "tuner/data/fingerprint.h"
#include "tuner/data/scratch.h"

typedef struct Lot {
    uint64_t value; /* first a hash of the game, then its random number */
    int32_t game;
} Lot;

/* The games in order of their random numbers. Equal games have the same and follow each other. */
typedef struct Lots {
    int64_t games;
    Lot *lot, *spare;   /* [games] */
    uint64_t *number;   /* [games] by game */
    int32_t *positions; /* [games] of each game */
    int32_t *first;     /* [games] by game: the game itself, or an earlier one that it equals */
} Lots;

/* ---- Equal games */

/* The same in every set: FNV-1a over the features of the game's positions. Material and
 * squares identify Tabia's positions: a game is on the same side of the split whichever other terms
 * are fitted. */
static void hash_features(const Dataset *data, Lots *lots)
{
    const Occurrence *at = data->occurrence;
    unsigned columns = (unsigned)data->columns,
             kept = (columns == COLUMNS || columns == ALL_COLUMNS) && !data->foreign
                        ? SQUARE_COLUMNS
                        : columns;

    for (int32_t g = 0; g < data->games; g++)
        lots->lot[g] = (Lot){FNV_START, g};
    for (int64_t i = 0; i < data->positions && !system_must_end(); at += data->count[i], i++) {
        uint64_t *hash = &lots->lot[data->game[i]].value;
        lots->positions[data->game[i]]++;
        for (int o = 0; o < data->count[i]; o++) {
            unsigned column = at[o] % columns, step = at[o] / columns;
            if (column < kept) *hash = fnv_add(*hash, column + kept * step);
        }
    }
}

/* By value; games that ascend before ascend among equal values. Byte by byte, because qsort()
 * cannot be interrupted; the lots are whole also then. */
static void sort_lots(Lots *lots)
{
    for (int shift = 0; shift < 64; shift += CHAR_BIT) {
        int64_t place[UCHAR_MAX + 2] = {0};
        for (int64_t i = 0; i < lots->games; i++)
            place[(lots->lot[i].value >> shift & UCHAR_MAX) + 1]++;
        for (int byte = 0; byte < UCHAR_MAX; byte++)
            place[byte + 1] += place[byte];
        for (int64_t i = 0; i < lots->games && !system_must_end(); i++)
            lots->spare[place[lots->lot[i].value >> shift & UCHAR_MAX]++] = lots->lot[i];
        if (system_must_end()) return;
        Lot *sorted = lots->spare;
        lots->spare = lots->lot;
        lots->lot = sorted;
    }
}

/* The first of the games that are equal to this one. */
static int32_t first_of(const Lots *lots, int32_t game)
{
    while (lots->first[game] != game)
        game = lots->first[game] = lots->first[lots->first[game]];
    return game;
}

static void join(Lots *lots, int32_t a, int32_t b)
{
    int32_t x = first_of(lots, a), y = first_of(lots, b);

    if (x < y)
        lots->first[y] = x;
    else
        lots->first[x] = y;
}

/* A number for each game from the stream of its features; equal ones are joined. Different games
 * may have one position in common, and in a fit of few terms no features: they draw in turn. So do
 * those of other evaluations, whose features may be few. */
static void draw_numbers(Lots *lots, uint64_t seed, bool foreign)
{
    Pcg rng;

    sort_lots(lots);
    for (int64_t i = 0; i < lots->games && !system_must_end(); i++) {
        const Lot *lot = &lots->lot[i], *before = lot - (i > 0);
        bool same = i > 0 && lot->value == before->value;
        if (!same) pcg_seed(&rng, seed, lot->value);
        if (same && !foreign && lot->value != FNV_START && lots->positions[lot->game] > 1) {
            lots->number[lot->game] = lots->number[before->game];
            join(lots, before->game, lot->game);
        } else {
            lots->number[lot->game] = pcg_next64(&rng);
        }
    }
}

static void join_by_identity(Lots *lots, const Dataset *data)
{
    for (int32_t g = 0; g < data->games; g++)
        lots->lot[g] = (Lot){g < data->named ? data->identity[g] : 0, g};
    sort_lots(lots);
    for (int64_t i = 1; i < lots->games; i++)
        if (lots->lot[i].value != 0 && lots->lot[i].value == lots->lot[i - 1].value)
            join(lots, lots->lot[i - 1].game, lots->lot[i].game);
}

static void free_lots(Lots *lots)
{
    free(lots->lot);
    free(lots->spare);
    free(lots->number);
    free(lots->positions);
    free(lots->first);
}

/* Equal games have the least number among them, whichever is read first. Counts the copies. Free
 * with free_lots(), also after a failure. */
static Status draw_lots(const Dataset *data, uint64_t seed, Lots *lots, int64_t *copies, Error *err)
{
    size_t games = (size_t)data->games + 1; /* no allocation of size 0 */

    *copies = 0;
    *lots = (Lots){.games = data->games,
                   .lot = malloc(games * sizeof *lots->lot),
                   .spare = malloc(games * sizeof *lots->spare),
                   .number = malloc(games * sizeof *lots->number),
                   .positions = calloc(games, sizeof *lots->positions),
                   .first = malloc(games * sizeof *lots->first)};
    if (!lots->lot || !lots->spare || !lots->number || !lots->positions || !lots->first)
        return error_set(err, STATUS_FAILED, "out of memory for dividing the games");
    for (int32_t g = 0; g < data->games; g++)
        lots->first[g] = g;
    hash_features(data, lots);
    draw_numbers(lots, seed, data->foreign);
    if (data->named > 0) join_by_identity(lots, data);
    for (int32_t g = 0; g < data->games; g++) {
        uint64_t *least = &lots->number[first_of(lots, g)];
        if (lots->number[g] < *least) *least = lots->number[g];
    }
    for (int32_t g = 0; g < data->games; g++) {
        int32_t first = first_of(lots, g);
        *copies += first != g;
        lots->lot[g] = (Lot){lots->number[first], g};
    }
    sort_lots(lots);
    return system_check_end(err);
}

/* The end of the equal games that begin at place i. */
static int64_t end_of_equals(const Lots *lots, int64_t i)
{
    int32_t first = first_of(lots, lots->lot[i].game);

    while (i < lots->games && first_of(lots, lots->lot[i].game) == first)
        i++;
    return i;
}

/* ---- Sides */

/* Equal games of which at most half are too many are marked, others are passed over. */
Status split_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take,
                      int64_t *copies, Error *err)
{
    int64_t wanted = (int64_t)(share * (double)data->games + 0.5), taken = 0;
    Lots lots;

    Status status = draw_lots(data, seed, &lots, copies, err);
    if (status == STATUS_OK) memset(take, 0, (size_t)data->games);
    for (int64_t i = 0, end; status == STATUS_OK && i < lots.games; i = end) {
        end = end_of_equals(&lots, i);
        if (2 * taken + (end - i) > 2 * wanted) continue;
        taken += end - i;
        for (int64_t k = i; k < end; k++)
            take[lots.lot[k].game] = 1;
    }
    free_lots(&lots);
    return status;
}

Status split_folds(const Dataset *data, int folds, uint64_t seed, uint8_t *fold, int64_t *copies,
                   Error *err)
{
    Lots lots;

    Status status = draw_lots(data, seed, &lots, copies, err);
    int64_t different = data->games - *copies, number = 0;
    if (status == STATUS_OK && different < folds)
        status =
            error_set(err, STATUS_BAD_INPUT, "%lld game%s too few for %d folds; use fewer --folds",
                      (long long)different, different == 1 ? " is" : "s are", folds);
    for (int64_t i = 0, end; status == STATUS_OK && i < lots.games; i = end, number++) {
        end = end_of_equals(&lots, i);
        for (int64_t k = i; k < end; k++)
            fold[lots.lot[k].game] = (uint8_t)(number * folds / different);
    }
    free_lots(&lots);
    return status;
}

/* ---- What the sides share */

enum { MIXED = UINT8_MAX }; /* positions with these features are on more than one side */

/* sides[first]: one plus the side of the positions whose first occurrence that is, or MIXED. */
static void find_sides(const Dataset *data, const uint8_t *side, const int32_t *first,
                       uint8_t *sides)
{
    memset(sides, 0, (size_t)data->positions);
    for (int64_t i = 0; i < data->positions && !system_must_end(); i++) {
        uint8_t *at = &sides[first[i]], here = (uint8_t)(side[data->game[i]] + 1);
        *at = *at == 0 || *at == here ? here : MIXED;
    }
}

Status split_measure(const Dataset *data, const uint8_t *side, bool all_held_out, int threads,
                     SplitCounts *counts, Error *err)
{
    int32_t *first;

    counts->held_out = counts->shared = 0;
    Status status = dataset_duplicates(data, NULL, 0, threads, &first, err);
    if (status != STATUS_OK) return status;
    uint8_t *sides = scratch_resize(data->scratch, NULL, (size_t)data->positions + 1);
    if (sides) {
        find_sides(data, side, first, sides);
        for (int64_t i = 0; i < data->positions && !system_must_end(); i++) {
            bool held_out = all_held_out || side[data->game[i]] == 1;
            counts->held_out += held_out;
            counts->shared += held_out && sides[first[i]] == MIXED;
        }
    } else {
        status = scratch_error(data->scratch, "what the hold-out shares", err);
    }
    scratch_free(data->scratch, sides);
    scratch_free(data->scratch, first);
    return status == STATUS_OK ? system_check_end(err) : status;
}

bool split_warning(const SplitCounts *c, double most, char out[SPLIT_WARNING_MAX])
{
    *out = '\0';
    if ((double)c->shared <= most * (double)c->held_out) return false;
    (void)snprintf(
        out, SPLIT_WARNING_MAX,
        "%.1f %% of the held-out positions are also in training (%lld of %lld), so the held-out error is too low for new games",
        100.0 * (double)c->shared / (double)c->held_out, (long long)c->shared,
        (long long)c->held_out);
    return true;
}
