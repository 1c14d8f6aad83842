/* SPDX-License-Identifier: MIT
 * The groups of a run configuration, and storing a run. */
#include "selfplay/run/run_config.h"

#include <limits.h>
#include <stdio.h>

#include "db/chess/stored_weights.h"
#include "db/store/json_read.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"

Status run_register(Store *store, RunRecord *run, const PlayerRecord *players,
                    const Evaluation *const *weights, int count, Error *err)
{
    Status status = store_begin(store, err);

    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) /* the run refers to its weights */
        if (weights[i])
            status = stored_weights_put(store, players[i].weights, players[i].name, weights[i],
                                        NULL, NULL, err);
    if (status == STATUS_OK) status = store_open_run(store, run, NULL, err);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = store_put_player(store, run->run_id, &players[i], err);
    return store_end(store, status, err);
}

void run_config_limits(JsonWriter *config, const SearchLimits *limits, size_t hash_bytes)
{
    settings_json(config, limits_settings, limits_identity, SETTINGS_IDENTITY, limits);
    json_uint(config, "hash_bytes", hash_bytes);
}

void run_config_book(JsonWriter *config, const OpeningBook *book)
{
    OpeningBook hashed = *book;

    if (!hashed.hash[0]) opening_book_hash(&hashed);
    json_string(config, "book", book->name ? book->name : "");
    json_string(config, "book_sha256", hashed.hash);
    json_int(config, "book_start", book->start);
}

/* Limits as a configuration has them. */
typedef struct StoredLimits {
    int64_t depth, nodes_soft, nodes_hard, movetime_ms, time_ms, increment_ms, session_moves;
    int64_t second_time, second_increment, second_moves, third_time, third_increment, third_moves;
} StoredLimits;

Status run_config_read_limits(Store *store, const char *config, SearchLimits *limits, Error *err)
{
    static const Field fields[] = {
        {"depth", FIELD(StoredLimits, depth)},
        {"nodes_soft", FIELD(StoredLimits, nodes_soft)},
        {"nodes_hard", FIELD(StoredLimits, nodes_hard)},
        {"movetime_ms", FIELD(StoredLimits, movetime_ms)},
        {"time_ms", FIELD(StoredLimits, time_ms)},
        {"increment_ms", FIELD(StoredLimits, increment_ms)},
        {"session_moves", FIELD(StoredLimits, session_moves)},
        {"second_time_ms", FIELD(StoredLimits, second_time)},
        {"second_increment_ms", FIELD(StoredLimits, second_increment)},
        {"second_moves", FIELD(StoredLimits, second_moves)},
        {"third_time_ms", FIELD(StoredLimits, third_time)},
        {"third_increment_ms", FIELD(StoredLimits, third_increment)},
        {"third_moves", FIELD(StoredLimits, third_moves)},
        {0},
    };
    const int64_t longest = 1000000000000; /* ms, 30 years: clocks add them up */
    const StoredLimits most = {INT_MAX, INT64_MAX, INT64_MAX, longest, longest, longest, INT_MAX,
                               longest, longest,   INT_MAX,   longest, longest, INT_MAX};
    StoredLimits s = {0};

    *limits = (SearchLimits){0};
    Status status = json_read(store, config, fields, &s, true, err);
    for (const Field *f = fields; f->kind != FIELD_END && status == STATUS_OK; f++) {
        int64_t value = field_value(f, &s).integer;
        if (value < 0 || value > field_value(f, &most).integer)
            status = error_set(err, STATUS_BAD_INPUT, "%s: %lld is out of range", f->key,
                               (long long)value);
    }
    if (status != STATUS_OK) return status;
    *limits = (SearchLimits){.depth = (int)s.depth,
                             .nodes_soft = (uint64_t)s.nodes_soft,
                             .nodes_hard = (uint64_t)s.nodes_hard,
                             .movetime_ms = s.movetime_ms,
                             .has_clock = s.time_ms > 0 || s.increment_ms > 0,
                             .time_ms = {s.time_ms, s.time_ms},
                             .increment_ms = {s.increment_ms, s.increment_ms},
                             .moves_to_go = (int)s.session_moves,
                             .later = {{(int)s.second_moves, s.second_time, s.second_increment},
                                       {(int)s.third_moves, s.third_time, s.third_increment}}};
    return STATUS_OK;
}
