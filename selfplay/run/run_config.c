/* SPDX-License-Identifier: MIT
 * Writing and comparing run configurations. */
#include "selfplay/run/run_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Status run_config_begin(RunConfig *config, Error *err)
{
    *config = (RunConfig){0};
    config->out = open_memstream(&config->text, &config->length);
    if (!config->out) return error_set(err, STATUS_FAILED, "out of memory for a configuration");
    (void)fputc('{', config->out);
    return STATUS_OK;
}

static void put_key(RunConfig *config, const char *prefix, const char *key)
{
    (void)fprintf(config->out, "%s\"%s%s\":", ftell(config->out) > 1 ? "," : "", prefix, key);
}

static void put_int(RunConfig *config, const char *prefix, const char *key, int64_t value)
{
    put_key(config, prefix, key);
    (void)fprintf(config->out, "%lld", (long long)value);
}

void run_config_int(RunConfig *config, const char *key, int64_t value)
{
    put_int(config, "", key, value);
}

void run_config_double(RunConfig *config, const char *key, double value)
{
    put_key(config, "", key);
    if (isfinite(value))
        (void)fprintf(config->out, "%.10g", value);
    else
        (void)fputs("null", config->out);
}

void run_config_string(RunConfig *config, const char *key, const char *value)
{
    put_key(config, "", key);
    (void)fputc('"', config->out);
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            (void)fprintf(config->out, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            (void)fprintf(config->out, "\\u%04x", (unsigned)*c);
        else
            (void)fputc(*c, config->out);
    }
    (void)fputc('"', config->out);
}

void run_config_ints(RunConfig *config, const char *key, const int64_t *values, int count)
{
    put_key(config, "", key);
    for (int i = 0; i < count; i++)
        (void)fprintf(config->out, "%c%lld", i ? ',' : '[', (long long)values[i]);
    (void)fputc(']', config->out);
}

void run_config_values(RunConfig *config, const char *key, char *const *values, int count)
{
    put_key(config, "", key);
    for (int i = 0; i < count; i++)
        (void)fprintf(config->out, "%c%s", i ? ',' : '[', values[i]);
    (void)fputs(count ? "]" : "[]", config->out);
}

Status run_config_end(RunConfig *config, char **text, Error *err)
{
    (void)fputc('}', config->out);
    bool failed = ferror(config->out) != 0;
    failed |= fclose(config->out) != 0;
    if (failed) {
        free(config->text);
        return error_set(err, STATUS_FAILED, "out of memory for a configuration");
    }
    *text = config->text;
    return STATUS_OK;
}

/* ---- Shared groups */

void run_config_limits(RunConfig *config, const char *prefix, const SearchLimits *limits,
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

void run_config_opening(RunConfig *config, const OpeningSettings *opening)
{
    if (opening->base != OPENING_CHESS)
        run_config_string(config, "base",
                          opening->base == OPENING_CHESS960 ? "chess960" : "double chess960");
    run_config_int(config, "random_plies", opening->random_plies);
    run_config_int(config, "random_plies_extra", opening->random_plies_extra);
    run_config_int(config, "verify_depth", opening->verify_depth);
    run_config_int(config, "verify_nodes", opening->verify_nodes);
    run_config_int(config, "opening_max_score", opening->max_score);
}

void run_config_book(RunConfig *config, const OpeningBook *book, const char *name, int64_t start)
{
    char hash[HASH_HEX_MAX];

    sha256_hex(book->fens, (uint64_t)book->count * sizeof *book->fens, hash);
    run_config_string(config, "book", name ? name : "");
    run_config_string(config, "book_sha256", hash);
    run_config_int(config, "book_start", start);
}

void run_config_adjudication(RunConfig *config, const Adjudication *adjudication)
{
    run_config_int(config, "win_score", adjudication->win_score);
    run_config_int(config, "win_plies", adjudication->win_plies);
    if (adjudication->win_one_sided) run_config_int(config, "win_one_sided", 1);
    run_config_int(config, "draw_score", adjudication->draw_score);
    run_config_int(config, "draw_plies", adjudication->draw_plies);
    run_config_int(config, "draw_from_ply", adjudication->draw_from_ply);
    if (adjudication->draw_resets) run_config_int(config, "draw_resets", 1);
    run_config_int(config, "max_plies", adjudication->max_plies);
    if (adjudication->table_men > 0) {
        run_config_int(config, "table_men", adjudication->table_men);
        run_config_int(config, "table_count", adjudication->table_count);
        run_config_int(config, "table_ignore_rule50", adjudication->table_ignore_rule50);
        if (adjudication->table_spares_draws) run_config_int(config, "table_spares_draws", 1);
        if (adjudication->table_spares_wins) run_config_int(config, "table_spares_wins", 1);
    }
}

void run_config_exploration(RunConfig *config, const Exploration *exploration)
{
    run_config_double(config, "random_move", exploration->random_move);
    run_config_int(config, "random_until_ply", exploration->random_until_ply);
    if (exploration->vary_until_ply > 0) {
        run_config_int(config, "vary_margin", exploration->vary_margin);
        run_config_int(config, "vary_until_ply", exploration->vary_until_ply);
    }
}

/* ---- Comparing */

/* `"key":value` inside a configuration, not NUL-terminated. */
typedef struct Entry {
    const char *key, *value;
    int key_length, value_length; /* the key's quotes included */
} Entry;

/* The entry at *at, which then stands behind it; false at the end of the object. */
static bool next_entry(const char **at, Entry *entry)
{
    const char *c = *at + 1; /* past the brace or comma */
    bool quoted = false;
    int nested = 0;

    *entry = (Entry){.key = c};
    for (; *c && (quoted || nested || (*c != ',' && *c != '}')); c++) {
        if (quoted && *c == '\\' && c[1])
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (!quoted)
            nested += (*c == '[') - (*c == ']');
        if (!quoted && *c == ':' && !entry->value) {
            entry->key_length = (int)(c - entry->key);
            entry->value = c + 1;
        }
    }
    *at = c;
    if (!entry->value) return false;
    entry->value_length = (int)(c - entry->value);
    return true;
}

static bool same_text(const char *a, int length_a, const char *b, int length_b)
{
    return length_a == length_b && strncmp(a, b, (size_t)length_a) == 0;
}

/* The entry of that key; its value is "none" where there is no such key. */
static Entry find_entry(const char *config, const Entry *like)
{
    Entry entry;

    while (next_entry(&config, &entry))
        if (same_text(entry.key, entry.key_length, like->key, like->key_length)) return entry;
    return (Entry){
        .key = like->key, .key_length = like->key_length, .value = "none", .value_length = 4};
}

/* 0 where there is no such number. */
static int64_t read_int(const char *config, const char *quoted_key)
{
    const Entry like = {.key = quoted_key, .key_length = (int)strlen(quoted_key)};
    return strtoll(find_entry(config, &like).value, NULL, 10);
}

bool run_config_read_limits(const char *config, SearchLimits *limits)
{
    int64_t time_ms = read_int(config, "\"time_ms\"");
    int64_t increment_ms = read_int(config, "\"increment_ms\"");

    *limits = (SearchLimits){.depth = (int)read_int(config, "\"depth\""),
                             .nodes_soft = (uint64_t)read_int(config, "\"nodes_soft\""),
                             .nodes_hard = (uint64_t)read_int(config, "\"nodes_hard\""),
                             .movetime_ms = read_int(config, "\"movetime_ms\""),
                             .has_clock = time_ms > 0,
                             .time_ms = {time_ms, time_ms},
                             .increment_ms = {increment_ms, increment_ms},
                             .moves_to_go = (int)read_int(config, "\"session_moves\"")};
    return limits->depth > 0 || limits->nodes_soft > 0 || limits->nodes_hard > 0 ||
           limits->movetime_ms > 0 || limits->has_clock;
}

bool run_config_difference(const char *then, const char *now, char *text, size_t size)
{
    for (int pass = 0; pass < 2; pass++) { /* what is new or changed, then what is gone */
        const char *at = pass == 0 ? now : then;
        Entry entry;
        while (next_entry(&at, &entry)) {
            Entry before = find_entry(then, &entry), after = find_entry(now, &entry);
            if (same_text(before.value, before.value_length, after.value, after.value_length))
                continue;
            (void)snprintf(text, size, "%.*s %.*s instead of %.*s", entry.key_length - 2,
                           entry.key + 1, after.value_length, after.value, before.value_length,
                           before.value);
            return true;
        }
    }
    return false;
}
