/* SPDX-License-Identifier: MIT
 * The groups of a run configuration. */
#include "selfplay/run/run_config.h"

#include <limits.h>
#include <stdio.h>

#include "db/store/json_read.h"

static void put_int(JsonWriter *config, const char *prefix, const char *key, int64_t value)
{
    char name[64];

    (void)snprintf(name, sizeof name, "%s%s", prefix, key);
    json_int(config, name, value);
}

void run_config_limits(JsonWriter *config, const char *prefix, const SearchLimits *limits,
                       size_t hash_bytes)
{
    put_int(config, prefix, "depth", limits->depth);
    put_int(config, prefix, "nodes_soft", (int64_t)limits->nodes_soft);
    put_int(config, prefix, "nodes_hard", (int64_t)limits->nodes_hard);
    if (limits->movetime_ms > 0) put_int(config, prefix, "movetime_ms", limits->movetime_ms);
    if (limits->has_clock) {
        put_int(config, prefix, "time_ms", limits->time_ms[WHITE]);
        put_int(config, prefix, "increment_ms", limits->increment_ms[WHITE]);
        if (limits->moves_to_go > 0) put_int(config, prefix, "session_moves", limits->moves_to_go);
    }
    put_int(config, prefix, "hash_bytes", (int64_t)hash_bytes);
}

void run_config_opening(JsonWriter *config, const OpeningSettings *opening)
{
    if (opening->base != OPENING_CHESS)
        json_string(config, "base",
                    opening->base == OPENING_CHESS960 ? "chess960" : "double chess960");
    json_int(config, "random_plies", opening->random_plies);
    json_int(config, "random_plies_extra", opening->random_plies_extra);
    json_int(config, "verify_depth", opening->verify_depth);
    json_int(config, "verify_nodes", opening->verify_nodes);
    json_int(config, "opening_max_score", opening->max_score);
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
    json_int(config, "win_score", adjudication->win_score);
    json_int(config, "win_plies", adjudication->win_plies);
    if (adjudication->win_one_sided) json_int(config, "win_one_sided", 1);
    json_int(config, "draw_score", adjudication->draw_score);
    json_int(config, "draw_plies", adjudication->draw_plies);
    json_int(config, "draw_from_ply", adjudication->draw_from_ply);
    if (adjudication->draw_resets) json_int(config, "draw_resets", 1);
    json_int(config, "max_plies", adjudication->max_plies);
    if (adjudication->table_men > 0) {
        json_int(config, "table_men", adjudication->table_men);
        json_int(config, "table_count", adjudication->table_count);
        json_int(config, "table_ignore_rule50", adjudication->table_ignore_rule50);
        if (adjudication->table_spares_draws) json_int(config, "table_spares_draws", 1);
        if (adjudication->table_spares_wins) json_int(config, "table_spares_wins", 1);
    }
}

void run_config_exploration(JsonWriter *config, const Exploration *exploration)
{
    json_double(config, "random_move", exploration->random_move, 10);
    json_int(config, "random_until_ply", exploration->random_until_ply);
    if (exploration->vary_until_ply > 0) {
        json_int(config, "vary_margin", exploration->vary_margin);
        json_int(config, "vary_until_ply", exploration->vary_until_ply);
    }
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
