/* SPDX-License-Identifier: MIT
 * Dividing a data set by game. */
#include "tuner/data/dataset.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"

typedef struct Lot {
    uint64_t value; /* first the hash of the game, then its random number */
    int32_t game;
} Lot;

/* The same in every set: FNV-1a (draft-eastlake-fnv) over the positions of the game. Material and
 * squares identify Tabia's positions: a game is on the same side of the split whichever other terms
 * are fitted. */
static void identify_games(const Dataset *data, Lot *lots)
{
    const Occurrence *at = data->occurrence;
    unsigned columns = (unsigned)data->columns,
             kept = columns == COLUMNS ? SQUARE_COLUMNS : columns;

    for (int32_t g = 0; g < data->games; g++)
        lots[g] = (Lot){0xcbf29ce484222325ULL, g};
    for (int64_t i = 0; i < data->positions; at += data->count[i], i++) {
        uint64_t *hash = &lots[data->game[i]].value;
        for (int o = 0; o < data->count[i]; o++) {
            unsigned column = at[o] % columns, step = at[o] / columns;
            if (column < kept) *hash = (*hash ^ (column + kept * step)) * 0x100000001b3ULL;
        }
    }
}

static int compare_lots(const void *a, const void *b)
{
    const Lot *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->game > y->game) - (x->game < y->game);
}

/* Equal games, which sorting makes neighbours, draw in turn from the same stream. */
static void draw_lots(Lot *lots, size_t games, uint64_t seed)
{
    uint64_t hash = 0;
    Pcg rng;

    qsort(lots, games, sizeof *lots, compare_lots);
    for (size_t i = 0; i < games; i++) {
        if (i == 0 || lots[i].value != hash) pcg_seed(&rng, seed, lots[i].value);
        hash = lots[i].value;
        lots[i].value = pcg_next64(&rng);
    }
    qsort(lots, games, sizeof *lots, compare_lots);
}

/* malloc'ed: the games in order of their random numbers. */
static Lot *sorted_lots(const Dataset *data, uint64_t seed, Error *err)
{
    size_t games = (size_t)data->games;
    Lot *lots = malloc((games + 1) * sizeof *lots);

    if (lots) {
        identify_games(data, lots);
        draw_lots(lots, games, seed);
    } else {
        (void)error_set(err, STATUS_FAILED, "out of memory for dividing the games");
    }
    return lots;
}

Status split_hold_out(const Dataset *data, double share, uint64_t seed, uint8_t *take, Error *err)
{
    int64_t wanted = (int64_t)(share * (double)data->games + 0.5);
    Lot *lots = sorted_lots(data, seed, err);

    if (!lots) return STATUS_FAILED;
    memset(take, 0, (size_t)data->games);
    for (int64_t i = 0; i < wanted; i++)
        take[lots[i].game] = 1;
    free(lots);
    return STATUS_OK;
}

Status split_folds(const Dataset *data, int folds, uint64_t seed, uint8_t *fold, Error *err)
{
    Lot *lots = sorted_lots(data, seed, err);

    if (!lots) return STATUS_FAILED;
    for (int64_t i = 0; i < data->games; i++)
        fold[lots[i].game] = (uint8_t)(i * folds / data->games);
    free(lots);
    return STATUS_OK;
}
