/* SPDX-License-Identifier: MIT
 * Building and joining sets of positions. */
#include "tuner/data/dataset.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/array.h"
#include "engine/base/text.h"
#include "engine/values/value.h"
#include "tuner/data/quiescence_leaves.h"
#include "tuner/data/scratch.h"

/* "3-7" or "5": whole numbers from `least` to `most`, the second not below the first. */
static Status parse_range(NumberRange *range, const char *text, int64_t least, int64_t most,
                          Error *err)
{
    if (value_parse_range(text, &range->first, &range->last) && range->first >= least &&
        range->last <= most)
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "\"%s\" is not A-B", text);
}

static void print_range(const void *target, char out[SETTING_TEXT_MAX])
{
    const NumberRange *range = target;

    *out = '\0';
    if (range->last >= range->first)
        (void)snprintf(out, SETTING_TEXT_MAX, "%" PRId64 "-%" PRId64, range->first, range->last);
}

/* Runs are counted from 1, generations from 0. */
static Status parse_runs(void *runs, const char *text, Error *err)
{
    return parse_range(runs, text, 1, INT64_MAX, err);
}

static Status parse_generations(void *generations, const char *text, Error *err)
{
    return parse_range(generations, text, 0, INT_MAX, err);
}

static Status parse_scratch(void *scratch, const char *text, Error *err)
{
    *(const char **)scratch = text;
    return scratch_check(text, err);
}

const Setting dataset_filter_settings[] = {
    SETTING_HEADING("Positions"),
    {"generations", FIELD(DatasetFilter, generations), "A-B", "generations of --db to read",
     .parse = parse_generations, .print = print_range, .not_with = "epd features bullet window"},
    {"runs", FIELD(DatasetFilter, runs), "A-B",
     "numbers of the runs of --db to read, matches included; without: all of self-play and imports",
     .parse = parse_runs, .print = print_range, .not_with = "epd features bullet"},
    {FIELD(DatasetFilter, positions), .rows = position_filter_settings},
    {"keep-going", FIELD(DatasetFilter, keep_going), NULL,
     "leave out lines of --epd that cannot be read, and say how many",
     .not_with = "db features bullet"},
    {"scratch", FIELD(DatasetFilter, scratch), "DIR",
     "folder for files that hold the positions instead of memory", .parse = parse_scratch},
    {0},
};

const char dataset_filter_reported[] = "-scratch keep-going";

void dataset_filter_defaults(DatasetFilter *filter)
{
    *filter = (DatasetFilter){.generations.last = -1, .runs.last = -1, .terms = EVAL_MATERIAL_PST};
    settings_default(dataset_filter_settings, filter);
}

Status dataset_create(int columns, Dataset **data, Error *err)
{
    *data = calloc(1, sizeof **data);
    if (!*data) return error_set(err, STATUS_FAILED, "out of memory for a data set");
    (*data)->columns = columns;
    (*data)->terms = EVAL_MATERIAL_PST;
    (*data)->reading = -1;
    return STATUS_OK;
}

void dataset_clear(Dataset *data)
{
    data->positions = data->occurrences = 0;
    data->games = 0;
    data->named = 0;
    data->stats = (DatasetStats){0};
    data->left_out = (FaultCount){0};
}

void dataset_destroy(Dataset *data)
{
    if (!data) return;
    scratch_free(data->scratch, data->occurrence);
    scratch_free(data->scratch, data->count);
    scratch_free(data->scratch, data->phase);
    scratch_free(data->scratch, data->result);
    scratch_free(data->scratch, data->score);
    scratch_free(data->scratch, data->game);
    scratch_free(data->scratch, data->generation);
    free(data->identity);
    free(data);
}

/* The resized array. If out of memory, the old array, and *ok is false. */
static void *resized(const Dataset *data, void *array, int64_t count, size_t size, bool *ok)
{
    void *grown = scratch_resize(data->scratch, array, (size_t)(count > 0 ? count : 1) * size);
    if (!grown) *ok = false;
    return grown ? grown : array;
}

static bool resize_positions(Dataset *data, int64_t capacity)
{
    bool ok = true;
    data->count = resized(data, data->count, capacity, sizeof *data->count, &ok);
    data->phase = resized(data, data->phase, capacity, sizeof *data->phase, &ok);
    data->result = resized(data, data->result, capacity, sizeof *data->result, &ok);
    data->score = resized(data, data->score, capacity, sizeof *data->score, &ok);
    data->game = resized(data, data->game, capacity, sizeof *data->game, &ok);
    data->generation = resized(data, data->generation, capacity, sizeof *data->generation, &ok);
    if (ok) data->positions_capacity = capacity;
    return ok;
}

static bool resize_occurrences(Dataset *data, int64_t capacity)
{
    bool ok = true;
    data->occurrence = resized(data, data->occurrence, capacity, sizeof *data->occurrence, &ok);
    if (ok) data->occurrences_capacity = capacity;
    return ok;
}

static Status reserve(Dataset *data, int64_t positions, int64_t occurrences, Error *err)
{
    bool ok = true;

    positions += data->positions;
    occurrences += data->occurrences;
    if (positions > INT32_MAX)
        return error_set(err, STATUS_BAD_INPUT, "more than %ld positions", (long)INT32_MAX);
    if (positions > data->positions_capacity)
        ok = resize_positions(data, positions + positions / 2);
    if (ok && occurrences > data->occurrences_capacity)
        ok = resize_occurrences(data, occurrences + occurrences / 2);
    if (!ok) return scratch_error(data->scratch, "the positions", err);
    return STATUS_OK;
}

/* The part of eval_features() for squares, which include the material. */
static int square_occurrences(const Position *pos, int columns, Occurrence *out)
{
    Occurrence *next = out;

    for (int type = PAWN; type <= KING; type++) {
        Bitboard white, uneven = eval_uneven_squares(pos, (PieceType)type, &white);
        while (uneven) {
            int sq = pop_lsb(&uneven);
            *next++ = occurrence_of_one(SQUARES * type + sq, !(white >> sq & 1), columns);
        }
    }
    return (int)(next - out);
}

static int piece_occurrences(const Position *pos, Occurrence *out)
{
    int count = 0;

    for (int c = 0; c < COLORS; c++)
        for (int t = 0; t < PIECE_TYPES; t++) {
            Bitboard pieces = position_pieces(pos, (Color)c, (PieceType)t);
            while (pieces)
                out[count++] =
                    (Occurrence)network_input(WHITE, (Color)c, (PieceType)t, pop_lsb(&pieces));
        }
    if (position_stm(pos) == BLACK) out[count++] = NETWORK_INPUTS;
    return count;
}

/* The position's occurrences; returns their number, or -1 where there are too many. */
static int occurrences_of(const Position *pos, EvalFamilies terms, int columns, Occurrence *out)
{
    int count = terms & EVAL_MATERIAL_PST ? square_occurrences(pos, columns, out) : 0;

    terms &= ~(EvalFamilies)EVAL_MATERIAL_PST;
    if (!terms) return count;
    EvalFeature features[EVAL_FEATURES_MAX];
    int n = eval_features(pos, terms, features);
    for (int i = 0; i < n && count >= 0; i++)
        count = occurrences_add(out, count, features[i].term - EVAL_MATERIAL_COUNT,
                                features[i].count, columns);
    return count;
}

/* Adds a position whose `count` occurrences were appended after the others. */
static void add_row(Dataset *data, int count, int phase, double result, int score, int32_t game)
{
    int64_t i = data->positions++;

    data->occurrences += count;
    data->count[i] = (uint8_t)count;
    data->phase[i] = (uint8_t)(phase < EVAL_PHASE_MAX ? phase : EVAL_PHASE_MAX);
    data->result[i] = (float)result;
    data->score[i] = (int16_t)score;
    data->game[i] = game;
    data->generation[i] = data->reading;
    if (game >= data->games) data->games = game + 1;
    data->stats.results[(int)(result + 0.5)]++;
}

Status dataset_add(Dataset *data, const Position *pos, double result, int score, int32_t game,
                   Error *err)
{
    bool pieces = data->columns == NETWORK_COLUMNS;
    assert(pieces || data->columns == columns_of(data->terms));
    Status status = reserve(data, 1, OCCURRENCES_MAX, err);
    if (status != STATUS_OK) return status;
    Occurrence *out = data->occurrence + data->occurrences;
    int count =
        pieces ? piece_occurrences(pos, out) : occurrences_of(pos, data->terms, data->columns, out);
    if (count < 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "a position has more than %d features; fit fewer families of terms",
                         (int)OCCURRENCES_MAX);
    add_row(data, count, pos->phase, result, score, game);
    return STATUS_OK;
}

Status dataset_read(Dataset *data, const DatasetFilter *filter, DropReason reason,
                    const Position *pos, double result, int score, int32_t game, Error *err)
{
    Position leaf;

    data->stats.positions_read++;
    if (reason != DROP_NONE) {
        data->stats.dropped[reason]++;
        return STATUS_OK;
    }
    if (filter->counting) {
        data->stats.pieces[popcount(position_occupied(pos))]++;
        return STATUS_OK;
    }
    if (!filter->leaf_weights) return dataset_add(data, pos, result, score, game, err);
    quiescence_leaf(pos, filter->leaf_weights, &leaf);
    return dataset_add(data, &leaf, result, score, game, err);
}

Status dataset_add_features(Dataset *data, const Occurrence *occurrence, int count, int phase,
                            double result, int score, int32_t game, Error *err)
{
    assert(count >= 0 && count <= OCCURRENCES_MAX);
    Status status = reserve(data, 1, OCCURRENCES_MAX, err);
    if (status != STATUS_OK) return status;
    memcpy(data->occurrence + data->occurrences, occurrence, (size_t)count * sizeof *occurrence);
    add_row(data, count, phase, result, score, game);
    return STATUS_OK;
}

Status dataset_identify_game(Dataset *data, int32_t game, uint64_t identity, Error *err)
{
    Status status = ARRAY_RESERVE(data->identity, data->identity_capacity, (int64_t)game + 1, err);

    if (status != STATUS_OK) return status;
    while (data->named <= game)
        data->identity[data->named++] = 0;
    data->identity[game] = identity;
    return STATUS_OK;
}

static void add_stats(DatasetStats *sum, const DatasetStats *part)
{
    sum->positions_read += part->positions_read;
    for (int reason = 0; reason < DROP_REASONS; reason++)
        sum->dropped[reason] += part->dropped[reason];
    for (int n = 0; n <= PIECES_MAX; n++)
        sum->pieces[n] += part->pieces[n];
    for (int r = 0; r < 3; r++)
        sum->results[r] += part->results[r];
}

Status dataset_append(Dataset *data, const Dataset *part, int32_t game_offset, Error *err)
{
    Status status = reserve(data, part->positions, part->occurrences, err);
    if (status != STATUS_OK) return status;

    int64_t at = data->positions, n = part->positions;
    if (part->occurrences > 0)
        memcpy(data->occurrence + data->occurrences, part->occurrence,
               (size_t)part->occurrences * sizeof *part->occurrence);
    if (n > 0) {
        memcpy(data->count + at, part->count, (size_t)n);
        memcpy(data->phase + at, part->phase, (size_t)n);
        memcpy(data->result + at, part->result, (size_t)n * sizeof *part->result);
        memcpy(data->score + at, part->score, (size_t)n * sizeof *part->score);
        memcpy(data->generation + at, part->generation, (size_t)n * sizeof *part->generation);
    }
    for (int64_t i = 0; i < n; i++)
        data->game[at + i] = part->game[i] + game_offset;
    data->positions += n;
    data->occurrences += part->occurrences;
    if (game_offset + part->games > data->games) data->games = game_offset + part->games;
    add_stats(&data->stats, &part->stats);
    for (int32_t g = 0; g < part->named && status == STATUS_OK; g++)
        status = dataset_identify_game(data, game_offset + g, part->identity[g], err);
    return status;
}

/* A set of bare kings has no occurrence, but an array. */
Status dataset_trim(Dataset *data, Error *err)
{
    int64_t occurrences = data->occurrences > 0 ? data->occurrences : 1;

    if (!resize_positions(data, data->positions) || !resize_occurrences(data, occurrences))
        return scratch_error(data->scratch, "the positions", err);
    return STATUS_OK;
}
