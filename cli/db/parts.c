/* SPDX-License-Identifier: MIT
 * `tabia db split`, `sample` and `dedup`: new databases of some of the games of another.
 *
 * A game is chosen by a hash of its start and its moves. So the choice depends on nothing else: a
 * game and its copies always go to the same part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "db/chess/replay.h"
#include "db/store/new_store.h"
#include "db/tables/cursor.h"
#include "db/tables/merge.h"
#include "engine/base/array.h"
#include "engine/base/new_file.h"
#include "engine/base/pcg.h"

typedef struct GameKey {
    uint64_t hash; /* game_record_hash() */
    int64_t game_id;
    int plies;
    GameResult result;
} GameKey;

/* The games of a database, and where they go. */
typedef struct KeyList {
    GameKey *keys; /* in canonical order: runs by uuid, games by number */
    int *part;     /* of each game: the number of its new database, or -1 for none */
    int64_t count, capacity;
} KeyList;

enum { RESULT_BITS = 2 }; /* the lowest bits of a position's key hold the result */

/* All positions that were moved from: 8 bytes for each. */
typedef struct PositionKeys {
    int64_t *keys;
    int64_t count, capacity;
} PositionKeys;

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory for the list of games");
}

/* Replays a game. */
static Status add_positions(PositionKeys *keys, const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = ARRAY_RESERVE(keys->keys, keys->capacity, keys->count + game->ply_count, err);
    if (status == STATUS_OK) status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count) {
        keys->keys[keys->count++] =
            (int64_t)(replay_position(&replay)->key >> RESULT_BITS << RESULT_BITS |
                      (uint64_t)game->result);
        status = replay_next(&replay, err);
    }
    return status;
}

/* Before the work: the files are new, and differ. */
static Status check_names(const char **to, Error *err)
{
    for (int i = 0; to[i]; i++) {
        if (access(to[i], F_OK) == 0)
            return error_set(err, STATUS_USAGE, "%s exists already; name a new file", to[i]);
        for (int k = 0; k < i; k++)
            if (file_is_same(to[i], to[k]))
                return error_set(err, STATUS_USAGE, "%s: named twice", to[i]);
    }
    return STATUS_OK;
}

/* Of the database names[0], which become those after it. The list is empty before; free_keys() in
 * any case. positions NULL: they are not read. */
static Status read_keys(const char **names, KeyList *list, PositionKeys *positions, Error *err)
{
    const char *path = names[0];
    const GameRecord *game;
    int64_t game_id;

    Status named = check_names(names + 1, err);
    if (named != STATUS_OK) return named;
    Store *store = store_open_watched(path, STORE_READ, cli_interrupted(), err);
    bool begun = store && store_begin_reading(store, err) == STATUS_OK; /* another may write */
    GameCursor *cursor = begun ? store_read_games(store, NULL, 0, 0, err) : NULL;
    Status status = cursor ? STATUS_OK : err->status;
    while (status == STATUS_OK) {
        status = game_cursor_next(cursor, &game, &game_id, NULL, err);
        if (status || !game) break;
        status = ARRAY_RESERVE(list->keys, list->capacity, list->count + 1, err);
        if (status == STATUS_OK)
            list->keys[list->count++] =
                (GameKey){game_record_hash(game), game_id, game->ply_count, game->result};
        if (status == STATUS_OK && positions) status = add_positions(positions, game, err);
        if (status == STATUS_BAD_INPUT) status = error_prefix(err, "%s", path);
    }
    game_cursor_close(cursor);
    store_close(store);
    list->part = malloc(((size_t)list->count + 1) * sizeof *list->part);
    return status == STATUS_OK && !list->part ? out_of_memory(err) : status;
}

static void free_keys(KeyList *list)
{
    free(list->keys);
    free(list->part);
}

/* ---- Writing a part */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

typedef struct Part {
    const char *file;
    int64_t games, plies;
    NewStore fresh;
    bool named; /* it has its name */
} Part;

static const Field part_fields[] = {
    {"file", FIELD(Part, file)},
    {"games", FIELD(Part, games), .label = "games"},
    {"plies", FIELD(Part, plies), .label = "plies"},
    {0},
};

/* The games of `from` with these game_ids as a new database, still without its name. Sorts ids. */
static Status write_part(const char *from, Part *part, int64_t *ids, Error *err)
{
    MergeCounts counts;

    qsort(ids, (size_t)part->games, sizeof *ids, by_number);
    Status status = new_store_open(&part->fresh, part->file, err);
    if (status) return status;
    const MergeOptions options = {.game_ids = ids, .count = part->games, .mixed = true};
    store_watch(part->fresh.store, cli_interrupted());
    status = store_merge(part->fresh.store, from, &options, &counts, err);
    if (status == STATUS_OK && counts.added != part->games)
        status = error_set(err, STATUS_FAILED,
                           "%s: another process changed it meanwhile; repeat the command", from);
    return status == STATUS_OK ? new_store_close(&part->fresh, err) : status;
}

/* Writes the games of one part. */
static Status write_keys(const char *from, const KeyList *list, int which, Part *part, Error *err)
{
    int64_t *ids = malloc(((size_t)list->count + 1) * sizeof *ids);

    if (!ids) return out_of_memory(err);
    for (int64_t i = 0; i < list->count; i++) {
        if (list->part[i] != which) continue;
        ids[part->games++] = list->keys[i].game_id;
        part->plies += list->keys[i].plies;
    }
    Status status = write_part(from, part, ids, err);
    free(ids);
    return status;
}

static void print_parts(bool json, const Part *made, int parts)
{
    JsonWriter w;

    if (!json) {
        for (int i = 0; i < parts; i++)
            fields_print(false, made[i].file, part_fields, &made[i]);
        return;
    }
    json_begin(&w, stdout);
    fields_json_array(&w, "parts", part_fields, made, sizeof *made, parts);
    json_finish(&w);
}

/* Writes the files to[0 … parts - 1]: all of them appear, or none; a kill between their names can
 * leave the first ones, each whole. */
static Status make_parts(const char *from, const char **to, const KeyList *list, Part *made,
                         int parts, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < parts && status == STATUS_OK; i++) {
        made[i].file = to[i];
        status = write_keys(from, list, i, &made[i], err);
    }
    for (int i = 0; i < parts && status == STATUS_OK; i++) {
        status = new_store_commit(&made[i].fresh, err);
        made[i].named = status == STATUS_OK;
    }
    for (int i = 0; i < parts; i++) {
        new_store_discard(&made[i].fresh);
        if (status != STATUS_OK && made[i].named) store_remove(to[i]);
    }
    return status;
}

/* The parts of the database from[0] become the files after it. */
static Status write_parts(const DbOptions *options, const char **from, int parts,
                          const KeyList *list, Error *err)
{
    Part *made = calloc((size_t)parts, sizeof *made);

    if (!made) return out_of_memory(err);
    Status status = make_parts(*from, from + 1, list, made, parts, err);
    if (status == STATUS_OK) print_parts(options->common.json, made, parts);
    free(made);
    return status;
}

/* ---- Split */

/* "0.9,0.1" or, whole, "1000,200" into at most `most` numbers >= 0; *count of them. */
static Status parse_numbers(const char *option, const char *text, bool whole, double *numbers,
                            int most, int *count, Error *err)
{
    for (*count = 0; *count < most; ++*count) {
        char *end;
        numbers[*count] = strtod(text, &end);
        if (end == text || !(numbers[*count] >= 0) || !isfinite(numbers[*count])) break;
        if (whole && numbers[*count] != floor(numbers[*count])) {
            if (most == 1) break;
            return error_set(err, STATUS_USAGE, "--%s needs whole numbers; shares are --fractions",
                             option);
        }
        text = end + (*end == ',');
        if (*end == '\0') {
            ++*count;
            return STATUS_OK;
        }
        if (*end != ',') break;
    }
    if (most == 1) return error_set(err, STATUS_USAGE, "--%s needs a whole number", option);
    return error_set(err, STATUS_USAGE,
                     "--%s needs one number for each part (%d), separated by commas", option, most);
}

/* The hash as a number in [0, 1): below the first fraction of their sum is part 0, and so on. */
static void split_by_fraction(KeyList *list, const double *fractions, int parts)
{
    double sum = 0;

    for (int k = 0; k < parts; k++)
        sum += fractions[k];
    for (int64_t i = 0; i < list->count; i++) {
        double at = (double)(list->keys[i].hash >> 11) * 0x1p-53 * sum, end = fractions[0];
        int k = 0;
        while (k < parts - 1 && at >= end)
            end += fractions[++k];
        list->part[i] = k;
    }
}

typedef struct Ranked {
    uint64_t rank;
    int64_t at;
} Ranked;

static int by_rank(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The games in an order that `seed` decides; malloc'ed. */
static Ranked *rank_games(const KeyList *list, uint64_t seed, Error *err)
{
    Ranked *ranked = malloc(((size_t)list->count + 1) * sizeof *ranked);

    if (!ranked) {
        (void)out_of_memory(err);
        return NULL;
    }
    for (int64_t i = 0; i < list->count; i++)
        ranked[i] = (Ranked){mix64(list->keys[i].hash ^ mix64(seed)), i};
    qsort(ranked, (size_t)list->count, sizeof *ranked, by_rank);
    return ranked;
}

/* counts[k] games to part k, in that order, and copies of its last one with it; the last part also
 * takes what is left when `rest`. */
static Status split_by_count(KeyList *list, const double *counts, int parts, bool rest,
                             uint64_t seed, Error *err)
{
    Ranked *ranked = rank_games(list, seed, err);
    int64_t at = 0;

    if (!ranked) return err->status;
    for (int64_t i = 0; i < list->count; i++)
        list->part[i] = rest ? parts - 1 : -1;
    for (int k = 0; k < parts; k++)
        for (int64_t n = 0; at < list->count; n++, at++) {
            bool copy = n > 0 && ranked[at].rank == ranked[at - 1].rank;
            if ((double)n >= counts[k] && !copy) break;
            list->part[ranked[at].at] = k;
        }
    free(ranked);
    return STATUS_OK;
}

static Status choose_parts(const DbOptions *options, const char *from, KeyList *list, int parts,
                           Error *err)
{
    double *numbers = calloc((size_t)parts, sizeof *numbers), wanted = 0;
    int count;
    Status status;

    if (!numbers) return error_set(err, STATUS_FAILED, "out of memory");
    if (options->games) {
        status = parse_numbers("games", options->games, true, numbers, parts, &count, err);
        if (status == STATUS_OK && count < parts - 1)
            status =
                error_set(err, STATUS_USAGE, "--games has %d numbers for %d parts", count, parts);
        for (int k = 0; k < count && status == STATUS_OK; k++)
            wanted += numbers[k];
        if (status == STATUS_OK && wanted > (double)list->count)
            status = error_set(err, STATUS_BAD_INPUT, "%s has %lld games, fewer than --games %s",
                               from, (long long)list->count, options->games);
        if (status == STATUS_OK)
            status = split_by_count(list, numbers, parts, count < parts, options->common.seed, err);
    } else {
        status = STATUS_OK;
        for (count = 0; count < parts; count++)
            numbers[count] = 1;
        if (options->fractions)
            status =
                parse_numbers("fractions", options->fractions, false, numbers, parts, &count, err);
        if (status == STATUS_OK && count != parts)
            status = error_set(err, STATUS_USAGE, "--fractions has %d numbers for %d parts", count,
                               parts);
        for (int k = 0; status == STATUS_OK && k < parts; k++) {
            wanted += numbers[k];
            if (!(numbers[k] > 0))
                status =
                    error_set(err, STATUS_USAGE, "--fractions: every part needs a share above 0");
        }
        if (status == STATUS_OK && !isfinite(wanted))
            status = error_set(err, STATUS_USAGE, "--fractions: the numbers are too large");
        if (status == STATUS_OK) split_by_fraction(list, numbers, parts);
    }
    free(numbers);
    return status;
}

Status db_verb_split(const DbOptions *options, const char **arguments, Error *err)
{
    KeyList list = {0};
    int parts = 0;

    while (arguments[1 + parts])
        parts++;
    Status status = read_keys(arguments, &list, NULL, err);
    if (status == STATUS_OK) status = choose_parts(options, arguments[0], &list, parts, err);
    if (status == STATUS_OK) status = write_parts(options, arguments, parts, &list, err);
    free_keys(&list);
    return status;
}

/* ---- Sample */

static Status choose_sample(const DbOptions *options, KeyList *list, double games, Error *err)
{
    Ranked *ranked = rank_games(list, options->common.seed, err);
    int64_t plies = 0;

    if (!ranked) return err->status;
    for (int64_t i = 0; i < list->count; i++) {
        bool taken = options->games ? (double)i < games : plies < options->positions;
        list->part[ranked[i].at] = taken ? 0 : -1;
        if (taken) plies += list->keys[ranked[i].at].plies;
    }
    free(ranked);
    return STATUS_OK;
}

Status db_verb_sample(const DbOptions *options, const char **arguments, Error *err)
{
    KeyList list = {0};
    double games = INFINITY;
    int numbers;

    if (!options->games == !options->positions)
        return error_set(err, STATUS_USAGE, "sample needs --games N or --positions N");
    Status status = STATUS_OK;
    if (options->games)
        status = parse_numbers("games", options->games, true, &games, 1, &numbers, err);
    if (status == STATUS_OK) status = read_keys(arguments, &list, NULL, err);
    if (status == STATUS_OK && options->games && games > (double)list.count &&
        !options->common.quiet)
        fprintf(stderr, "note: %s has %lld games, fewer than --games %s\n", arguments[0],
                (long long)list.count, options->games);
    if (status == STATUS_OK) status = choose_sample(options, &list, games, err);
    if (status == STATUS_OK) status = write_parts(options, arguments, 1, &list, err);
    free_keys(&list);
    return status;
}

/* ---- Dedup */

typedef struct Duplicates {
    int64_t games, duplicates, contradicting;
    int64_t positions;           /* that were moved from */
    int64_t different_positions; /* by placement, side to move, castling and en passant rights */
    int64_t contradicting_positions; /* of these, in games of different results */
} Duplicates;

static const Field duplicate_fields[] = {
    {"games", FIELD(Duplicates, games), .label = "games"},
    {"duplicate_games", FIELD(Duplicates, duplicates), .label = "played before"},
    {"contradicting_games", FIELD(Duplicates, contradicting), .label = "with another result"},
    {"positions", FIELD(Duplicates, positions), .label = "positions"},
    {"different_positions", FIELD(Duplicates, different_positions), .label = "different positions"},
    {"contradicting_positions", FIELD(Duplicates, contradicting_positions),
     .label = "positions with more than one result"},
    {0},
};

/* The first of each game goes to part 0, its copies to none. */
static Status find_duplicates(KeyList *list, Duplicates *found, Error *err)
{
    Ranked *ranked = rank_games(list, 0, err); /* copies of a game follow each other */
    int64_t first = 0;

    if (!ranked) return err->status;
    found->games = list->count;
    for (int64_t i = 0; i < list->count; i++) {
        bool copy = i > 0 && ranked[i].rank == ranked[i - 1].rank;
        if (!copy) first = ranked[i].at;
        list->part[ranked[i].at] = copy ? -1 : 0;
        found->duplicates += copy;
        found->contradicting += copy && list->keys[ranked[i].at].result != list->keys[first].result;
    }
    free(ranked);
    return STATUS_OK;
}

/* Sorts the keys. */
static void count_positions(PositionKeys *keys, Duplicates *found)
{
    bool contradicts = false;

    found->positions = keys->count;
    if (keys->count > 0) qsort(keys->keys, (size_t)keys->count, sizeof *keys->keys, by_number);
    for (int64_t i = 0; i < keys->count; i++) {
        bool same = i > 0 && keys->keys[i] >> RESULT_BITS == keys->keys[i - 1] >> RESULT_BITS;
        if (!same) {
            found->different_positions++;
            contradicts = false;
        } else if (!contradicts && keys->keys[i] != keys->keys[i - 1]) {
            found->contradicting_positions++;
            contradicts = true;
        }
    }
}

Status db_verb_dedup(const DbOptions *options, const char **arguments, Error *err)
{
    Duplicates found = {0};
    PositionKeys positions = {0};
    KeyList list = {0};

    if (!arguments[1] == !options->report)
        return error_set(err, STATUS_USAGE, "dedup needs either OUT or --report");
    Status status = read_keys(arguments, &list, options->report ? &positions : NULL, err);
    if (status == STATUS_OK) status = find_duplicates(&list, &found, err);
    if (status == STATUS_OK && !options->report)
        status = write_parts(options, arguments, 1, &list, err);
    if (status == STATUS_OK && options->report) {
        count_positions(&positions, &found);
        fields_print(options->common.json, arguments[0], duplicate_fields, &found);
    }
    free(positions.keys);
    free_keys(&list);
    return status;
}
