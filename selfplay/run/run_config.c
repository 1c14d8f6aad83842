/* SPDX-License-Identifier: MIT
 * The groups of a run configuration, and storing a run. */
#include "selfplay/run/run_config.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

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

Status run_config_read_limits(Store *store, const char *config, SearchLimits *limits, Error *err)
{
    enum { ROWS_MOST = 16 };
    const int64_t longest = 1000000000000; /* ms, 30 years: clocks add them up */
    char keys[ROWS_MOST][SETTING_WORD_MAX];
    Field fields[ROWS_MOST + 1] = {{0}};
    int64_t values[ROWS_MOST] = {0};

    *limits = (SearchLimits){0};
    for (int i = 0; limits_settings[i].kind != FIELD_END; i++) {
        const Setting *row = &limits_settings[i];
        assert(i < ROWS_MOST);
        (void)snprintf(keys[i], sizeof keys[i], "%s", row->key ? row->key : row->name);
        for (char *c = keys[i]; (c = strchr(c, '-'));)
            *c = '_';
        fields[i] =
            (Field){.key = keys[i], .kind = FIELD_INT64, .offset = (size_t)i * sizeof *values};
    }
    Status status = json_read(store, config, fields, values, true, err);
    for (int i = 0; fields[i].key && status == STATUS_OK; i++) {
        const FieldKind kind = limits_settings[i].kind;
        const int64_t most = kind == FIELD_INT      ? INT_MAX
                             : kind == FIELD_UINT64 ? INT64_MAX
                                                    : longest;
        if (values[i] < 0 || values[i] > most)
            status = error_set(err, STATUS_BAD_INPUT, "%s: %lld is out of range", keys[i],
                               (long long)values[i]);
        else
            field_set_number(kind, (char *)limits + limits_settings[i].offset, (double)values[i]);
    }
    limits->time_ms[BLACK] = limits->time_ms[WHITE];
    limits->increment_ms[BLACK] = limits->increment_ms[WHITE];
    limits->has_clock = limits->time_ms[WHITE] > 0 || limits->increment_ms[WHITE] > 0;
    if (status != STATUS_OK) *limits = (SearchLimits){0};
    return status;
}
