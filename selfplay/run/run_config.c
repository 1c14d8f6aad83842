/* SPDX-License-Identifier: MIT
 * The groups of a run configuration. */
#include "selfplay/run/run_config.h"

#include <limits.h>
#include <stdio.h>

#include "db/store/json_read.h"

void run_config_limits(JsonWriter *config, const SearchLimits *limits, size_t hash_bytes)
{
    settings_json(config, limits_settings, limits_identity, SETTINGS_IDENTITY, limits);
    json_uint(config, "hash_bytes", hash_bytes);
}

void run_config_opening(JsonWriter *config, const OpeningSettings *opening)
{
    settings_json(config, opening_settings, opening_identity, SETTINGS_IDENTITY, opening);
}

void run_config_book(JsonWriter *config, const OpeningBook *book)
{
    OpeningBook hashed = *book;

    if (!hashed.hash[0]) opening_book_hash(&hashed);
    json_string(config, "book", book->name ? book->name : "");
    json_string(config, "book_sha256", hashed.hash);
    json_int(config, "book_start", book->start);
}

void run_config_adjudication(JsonWriter *config, const Adjudication *adjudication)
{
    settings_json(config, adjudication_settings, adjudication_identity, SETTINGS_IDENTITY,
                  adjudication);
}

void run_config_exploration(JsonWriter *config, const Exploration *exploration)
{
    settings_json(config, exploration_settings, exploration_identity, SETTINGS_IDENTITY,
                  exploration);
}

Status run_config_read_limits(Store *store, const char *config, SearchLimits *limits, bool *known,
                              Error *err)
{
    enum { DEPTH, NODES_SOFT, NODES_HARD, MOVETIME, TIME, INCREMENT, SESSION, COUNT };
    static const char *const keys[COUNT] = {"depth",        "nodes_soft", "nodes_hard",
                                            "movetime_ms",  "time_ms",    "increment_ms",
                                            "session_moves"};
    const int64_t longest = 1000000000000; /* ms, 30 years: clocks add them up */
    const int64_t most[COUNT] = {INT_MAX, INT64_MAX, INT64_MAX, longest, longest, longest, INT_MAX};
    int64_t values[COUNT] = {0};
    JsonField fields[COUNT];

    for (int i = 0; i < COUNT; i++)
        fields[i] = (JsonField){keys[i], JSON_INT, &values[i], .optional = true};
    *known = false;
    *limits = (SearchLimits){0};
    Status status = json_read(store, config, fields, COUNT, err);
    for (int i = 0; i < COUNT && status == STATUS_OK; i++)
        if (values[i] < 0 || values[i] > most[i])
            status = error_set(err, STATUS_BAD_INPUT, "%s: %lld is out of range", keys[i],
                               (long long)values[i]);
    if (status != STATUS_OK) return status;
    *limits = (SearchLimits){.depth = (int)values[DEPTH],
                             .nodes_soft = (uint64_t)values[NODES_SOFT],
                             .nodes_hard = (uint64_t)values[NODES_HARD],
                             .movetime_ms = values[MOVETIME],
                             .has_clock = values[TIME] > 0,
                             .time_ms = {values[TIME], values[TIME]},
                             .increment_ms = {values[INCREMENT], values[INCREMENT]},
                             .moves_to_go = (int)values[SESSION]};
    *known = game_is_limited(limits);
    return STATUS_OK;
}
