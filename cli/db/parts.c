/* SPDX-License-Identifier: MIT
 * `tabia db split`, `sample` and `dedup`: new databases of some of the games of another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "db/chess/game_pick.h"
#include "engine/base/new_file.h"

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

/* Of the database names[0], which become those after it. */
static Status read_games(const DbOptions *options, const char **names, bool with_positions,
                         GamePick *pick, Error *err)
{
    Status status = check_names(names + 1, err);
    if (status != STATUS_OK) return status;
    return game_pick_read(pick, names[0], options->common.seed, with_positions, cli_interrupted(),
                          err);
}

static const Field part_fields[] = {
    {"file", FIELD(GamePart, file)},
    {"games", FIELD(GamePart, games), .label = "games"},
    {"plies", FIELD(GamePart, plies), .label = "plies"},
    {0},
};

static void print_parts(bool json, const GamePart *made, int parts)
{
    JsonWriter w;

    for (int i = 0; !json && i < parts; i++)
        fields_print(false, made[i].file, part_fields, &made[i]);
    if (!json) return;
    json_begin(&w, stdout);
    fields_json_array(&w, "parts", part_fields, made, sizeof *made, parts);
    json_finish(&w);
}

/* The parts of the database names[0] become the files after it. */
static Status write_parts(const DbOptions *options, const char **names, GamePick *pick, int parts,
                          Error *err)
{
    GamePart *made = calloc((size_t)parts, sizeof *made);

    if (!made) return error_set(err, STATUS_FAILED, "out of memory for the list of parts");
    for (int i = 0; i < parts; i++)
        made[i].file = names[1 + i];
    Status status = game_pick_write(pick, names[0], made, parts, cli_interrupted(), err);
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

/* numbers[parts] is room for those of --games. */
static Status split_by_games(const DbOptions *options, const char *from, GamePick *pick,
                             double *numbers, int parts, Error *err)
{
    double wanted = 0;
    int count;

    Status status = parse_numbers("games", options->games, true, numbers, parts, &count, err);
    if (status != STATUS_OK) return status;
    if (count < parts - 1)
        return error_set(err, STATUS_USAGE, "--games has %d numbers for %d parts", count, parts);
    for (int k = 0; k < count; k++)
        wanted += numbers[k];
    if (wanted > (double)pick->count)
        return error_set(err, STATUS_BAD_INPUT, "%s has %lld games, fewer than --games %s", from,
                         (long long)pick->count, options->games);
    game_pick_counts(pick, numbers, parts, count < parts);
    return STATUS_OK;
}

/* numbers[parts] is room for those of --fractions. */
static Status split_by_fractions(const DbOptions *options, GamePick *pick, double *numbers,
                                 int parts, Error *err)
{
    double sum = 0;
    int count = parts;

    for (int k = 0; k < parts; k++)
        numbers[k] = 1;
    Status status = options->fractions ? parse_numbers("fractions", options->fractions, false,
                                                       numbers, parts, &count, err)
                                       : STATUS_OK;
    if (status != STATUS_OK) return status;
    if (count != parts)
        return error_set(err, STATUS_USAGE, "--fractions has %d numbers for %d parts", count,
                         parts);
    for (int k = 0; k < parts; k++) {
        sum += numbers[k];
        if (!(numbers[k] > 0))
            return error_set(err, STATUS_USAGE, "--fractions: every part needs a share above 0");
    }
    if (!isfinite(sum))
        return error_set(err, STATUS_USAGE, "--fractions: the numbers are too large");
    game_pick_shares(pick, numbers, parts);
    return STATUS_OK;
}

Status db_verb_split(const DbOptions *options, const char **arguments, Error *err)
{
    GamePick pick = {0};
    int parts = 0;

    while (arguments[1 + parts])
        parts++;
    double *numbers = calloc((size_t)parts, sizeof *numbers);
    Status status = numbers ? read_games(options, arguments, false, &pick, err)
                            : error_set(err, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = options->games ? split_by_games(options, arguments[0], &pick, numbers, parts, err)
                                : split_by_fractions(options, &pick, numbers, parts, err);
    if (status == STATUS_OK) status = write_parts(options, arguments, &pick, parts, err);
    free(numbers);
    game_pick_free(&pick);
    return status;
}

/* ---- Sample */

Status db_verb_sample(const DbOptions *options, const char **arguments, Error *err)
{
    GamePick pick = {0};
    double games = INFINITY, positions = INFINITY;
    int numbers;

    if (!options->games == !options->positions)
        return error_set(err, STATUS_USAGE, "sample needs --games N or --positions N");
    Status status = STATUS_OK;
    if (options->games)
        status = parse_numbers("games", options->games, true, &games, 1, &numbers, err);
    else
        positions = (double)options->positions;
    if (status == STATUS_OK) status = read_games(options, arguments, false, &pick, err);
    if (status == STATUS_OK && options->games && games > (double)pick.count &&
        !options->common.quiet)
        fprintf(stderr, "note: %s has %lld games, fewer than --games %s\n",
                text_shown(arguments[0], (char[TEXT_SHOWN_MAX]){0}), (long long)pick.count,
                options->games);
    game_pick_sample(&pick, games, positions);
    if (status == STATUS_OK) status = write_parts(options, arguments, &pick, 1, err);
    game_pick_free(&pick);
    return status;
}

/* ---- Dedup */

static const Field duplicate_fields[] = {
    {"games", FIELD(DuplicateGames, games), .label = "games"},
    {"duplicate_games", FIELD(DuplicateGames, duplicates), .label = "played before"},
    {"contradicting_games", FIELD(DuplicateGames, contradicting), .label = "with another result"},
    {"positions", FIELD(DuplicateGames, positions), .label = "positions"},
    {"different_positions", FIELD(DuplicateGames, different_positions),
     .label = "different positions"},
    {"contradicting_positions", FIELD(DuplicateGames, contradicting_positions),
     .label = "positions with more than one result"},
    {0},
};

Status db_verb_dedup(const DbOptions *options, const char **arguments, Error *err)
{
    DuplicateGames found;
    GamePick pick = {0};

    if (!arguments[1] == !options->report)
        return error_set(err, STATUS_USAGE, "dedup needs either OUT or --report");
    Status status = read_games(options, arguments, options->report, &pick, err);
    game_pick_different(&pick, &found);
    if (status == STATUS_OK && options->report)
        fields_print(options->common.json, arguments[0], duplicate_fields, &found);
    else if (status == STATUS_OK)
        status = write_parts(options, arguments, &pick, 1, err);
    game_pick_free(&pick);
    return status;
}
