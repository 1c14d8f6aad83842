/* SPDX-License-Identifier: MIT
 * The keys of --engine. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "cli/play/player_spec.h"

#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/options.h"
#include "cli/options/value.h"
#include "cli/play/time_control.h"
#include "engine/eval/weights_file.h"

enum { STALL_MS = 30000, INIT_MS = 30000, MARGIN_MAX_MS = 60000, HASH_MAX_MB = 65536 };

/* ---- One key */

static Status set_text(char **field, const char *value, Error *err)
{
    free(*field);
    *field = strdup(value);
    return *field ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory for a player");
}

static Status parse_count(const char *key, const char *value, int64_t maximum, int64_t *out,
                          Error *err)
{
    if (!value_parse_int(value, out) || *out < 1 || *out > maximum)
        return error_set(err, STATUS_USAGE, "%s=%s is out of range", key, value);
    return STATUS_OK;
}

/* "option.Hash=16"; one that was given before gets another value. */
static Status add_option(PlayerSpec *spec, const char *name, const char *value, Error *err)
{
    size_t length = strlen(name), size = length + strlen(value) + 2;
    int i = 0;

    while (i < spec->uci.option_count &&
           (strncmp(spec->options[i], name, length) != 0 || spec->options[i][length] != '='))
        i++;
    if (i == UCI_OPTIONS_MAX)
        return error_set(err, STATUS_USAGE, "more than %d options", UCI_OPTIONS_MAX);
    free(spec->options[i]);
    spec->options[i] = malloc(size);
    if (!spec->options[i]) return error_set(err, STATUS_FAILED, "out of memory for a player");
    (void)snprintf(spec->options[i], size, "%s=%s", name, value);
    if (i == spec->uci.option_count) spec->uci.option_count++;
    return STATUS_OK;
}

/* Limits of the search: each replaces the others. Status as parse_pair's; *found: was it one? */
static Status parse_limit(PlayerSpec *spec, const char *key, const char *value, bool *found,
                          Error *err)
{
    int64_t number = 0;
    Status status = STATUS_OK;

    *found = true;
    if (strcmp(key, "nodes") == 0) {
        status = parse_count(key, value, INT64_MAX / 16, &number, err);
        spec->limits = (SearchLimits){.nodes_soft = (uint64_t)number};
    } else if (strcmp(key, "depth") == 0 || strcmp(key, "plies") == 0) {
        status = parse_count(key, value, MAX_PLY - 1, &number, err);
        spec->limits = (SearchLimits){.depth = (int)number};
    } else if (strcmp(key, "tc") == 0) {
        status = time_control_parse(value, &spec->limits, err);
    } else if (strcmp(key, "st") == 0) {
        status = time_control_parse_move(value, &spec->limits, err);
    } else {
        *found = false;
    }
    return status;
}

/* Shell-like words. */
static Status set_args(PlayerSpec *spec, const char *value, Error *err)
{
    int count;

    free(spec->args);
    spec->args = NULL;
    if (value[strspn(value, " ")] && poptParseArgvString(value, &count, &spec->args) != 0)
        return error_set(err, STATUS_USAGE, "args=%s: a quotation does not end", value);
    return STATUS_OK;
}

static Status set_time(const char *key, const char *value, int64_t *ms, Error *err)
{
    if (value_parse_time(value, ms) && *ms > 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s=%s is no time", key, value);
}

/* How an external engine is run. */
static Status parse_running(PlayerSpec *spec, const char *key, const char *value, bool *found,
                            Error *err)
{
    *found = true;
    if (strcmp(key, "cmd") == 0) return set_text(&spec->program, value, err);
    if (strcmp(key, "args") == 0) return set_args(spec, value, err);
    if (strcmp(key, "dir") == 0) return set_text(&spec->dir, value, err);
    if (strcmp(key, "log") == 0) return set_text(&spec->log_path, value, err);
    if (strcmp(key, "stall") == 0) return set_time(key, value, &spec->uci.stall_ms, err);
    if (strcmp(key, "init") == 0) return set_time(key, value, &spec->uci.init_ms, err);
    if (strcmp(key, "restart") == 0) {
        if (value_parse_bool(value, &spec->uci.restart)) return STATUS_OK;
        return error_set(err, STATUS_USAGE, "restart=%s is neither on nor off", value);
    }
    if (strcmp(key, "proto") == 0) {
        spec->xboard = strcmp(value, "xboard") == 0;
        if (spec->xboard || strcmp(value, "uci") == 0) return STATUS_OK;
        return error_set(err, STATUS_USAGE, "proto=%s is neither uci nor xboard", value);
    }
    if (strcmp(key, "whitepov") == 0) {
        if (value_parse_bool(value, &spec->white_scores)) return STATUS_OK;
        return error_set(err, STATUS_USAGE, "whitepov=%s is neither on nor off", value);
    }
    *found = false;
    return STATUS_OK;
}

static Status parse_pair(void *context, const char *key, const char *value, Error *err)
{
    PlayerSpec *spec = context;
    int64_t number = 0;
    bool found;

    Status status = parse_limit(spec, key, value, &found, err);
    if (!found) status = parse_running(spec, key, value, &found, err);
    if (found) return status;
    if (strcmp(key, "name") == 0) return set_text(&spec->name, value, err);
    if (strcmp(key, "weights") == 0) return set_text(&spec->weights_spec, value, err);
    if (strncmp(key, "option.", 7) == 0) return add_option(spec, key + 7, value, err);
    if (strcmp(key, "timemargin") == 0) {
        if (value_parse_int(value, &spec->margin_ms) && spec->margin_ms >= 0 &&
            spec->margin_ms <= MARGIN_MAX_MS)
            return STATUS_OK;
        return error_set(err, STATUS_USAGE, "timemargin=%s: no milliseconds up to %d", value,
                         MARGIN_MAX_MS);
    }
    if (strcmp(key, "hash") == 0) {
        status = parse_count(key, value, HASH_MAX_MB, &number, err);
        spec->hash_bytes = (size_t)number << 20;
        return status;
    }
    if (strcmp(key, "threads") == 0) {
        status = parse_count(key, value, SEARCH_THREADS_MAX, &number, err);
        spec->threads = (int)number;
        return status;
    }
    return error_set(err, STATUS_USAGE,
                     "\"%s\" is none of name, weights, cmd, args, dir, option.X, nodes, depth, tc, "
                     "st, timemargin, stall, init, restart, log, proto, whitepov, hash, threads",
                     key);
}

/* ---- The whole */

/* The options of an engine of ours are constants of its search. */
static Status set_params(PlayerSpec *spec, Error *err)
{
    search_params_defaults(&spec->params);
    for (int i = 0; i < spec->uci.option_count; i++) {
        char *text = spec->options[i], *equals = strchr(text, '=');
        *equals = '\0';
        Status status = search_params_set(&spec->params, text, equals + 1, err);
        *equals = '=';
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* NAME.log in a folder; what is no part of a file name in NAME becomes '_'. */
static Status name_log(PlayerSpec *spec, const char *dir, Error *err)
{
    size_t size = strlen(dir) + strlen(spec->name) + sizeof "/.log";

    spec->log_path = malloc(size);
    if (!spec->log_path) return error_set(err, STATUS_FAILED, "out of memory for a player");
    (void)snprintf(spec->log_path, size, "%s/%s.log", dir, spec->name);
    for (char *c = spec->log_path + strlen(dir) + 1; *c; c++)
        if (*c == '/') *c = '_';
    return STATUS_OK;
}

/* This program, once more: `tabia xboard [options] --`. It adds to the same log. */
static void set_adapter(PlayerSpec *spec)
{
    ssize_t length = readlink("/proc/self/exe", spec->tabia, sizeof spec->tabia - 1);
    char *log = spec->log_path ? realpath(spec->log_path, NULL) : NULL; /* it may run elsewhere */
    int count = 0;

    if (length <= 0) (void)snprintf(spec->tabia, sizeof spec->tabia, "tabia"); /* in PATH, then */
    spec->adapter[count++] = spec->tabia;
    spec->adapter[count++] = "xboard";
    if (spec->white_scores) spec->adapter[count++] = "--white-scores";
    if (log) {
        free(spec->log_path);
        spec->log_path = log;
        spec->adapter[count++] = "--log";
        spec->adapter[count++] = log;
    }
    spec->adapter[count++] = "--";
    spec->adapter[count] = NULL;
    spec->uci.adapter = spec->adapter;
}

/* A program's name is that of its file. */
static Status prepare_program(PlayerSpec *spec, const PlayerDefaults *defaults, Error *err)
{
    const char *slash = strrchr(spec->program, '/');
    Status status = STATUS_OK;
    int64_t threads;

    if (spec->threads > 0)
        return error_set(err, STATUS_USAGE, "a program is told its threads by option.Threads=%d",
                         spec->threads);
    if (spec->hash_bytes != defaults->hash_bytes)
        return error_set(err, STATUS_USAGE, "a program is told its hash table by option.Hash=%zu",
                         spec->hash_bytes >> 20);
    for (int i = 0; i < spec->uci.option_count; i++)
        if (strncmp(spec->options[i], "Threads=", 8) == 0 &&
            value_parse_int(spec->options[i] + 8, &threads) && threads <= SEARCH_THREADS_MAX)
            spec->threads = (int)threads; /* for whoever gives out the processors */
    spec->named = spec->name != NULL;
    if (!spec->named) status = set_text(&spec->name, slash ? slash + 1 : spec->program, err);
    if (status == STATUS_OK && !spec->log_path && defaults->log_dir)
        status = name_log(spec, defaults->log_dir, err);
    if (status != STATUS_OK) return status;
    if (spec->log_path && !(spec->uci.log = engine_log_open(spec->log_path, err)))
        return STATUS_FAILED;
    if (spec->xboard) set_adapter(spec);
    spec->uci.name = spec->name;
    spec->uci.program = spec->program;
    spec->uci.args = spec->args;
    spec->uci.dir = spec->dir;
    spec->uci.options = (const char *const *)spec->options;
    return STATUS_OK;
}

static Status prepare_weights(PlayerSpec *spec, Error *err)
{
    WeightsInfo info = {0};

    Status status = weights_load(spec->weights_spec, &spec->weights, &info, err);
    if (status == STATUS_OK) status = set_params(spec, err);
    if (status != STATUS_OK || spec->name) return status;
    return set_text(&spec->name, info.label, err);
}

static void begin(PlayerSpec *spec, const PlayerDefaults *defaults)
{
    *spec = (PlayerSpec){
        .uci = {.stall_ms = STALL_MS, .init_ms = INIT_MS, .cancelled = defaults->cancelled},
        .limits = defaults->limits,
        .hash_bytes = defaults->hash_bytes};
}

static Status check_kind(const PlayerSpec *spec, Error *err)
{
    if (!spec->weights_spec == !spec->program)
        return error_set(err, STATUS_USAGE, "either weights=W or cmd=PROGRAM is needed");
    if (!spec->program &&
        (spec->args || spec->dir || spec->log_path || spec->uci.restart || spec->xboard))
        return error_set(err, STATUS_USAGE,
                         "args, dir, log, restart and proto go with cmd=PROGRAM");
    if (spec->white_scores && !spec->xboard)
        return error_set(err, STATUS_USAGE, "whitepov goes with proto=xboard");
    return STATUS_OK;
}

Status player_spec_parse(PlayerSpec *spec, const char *text, const PlayerDefaults *defaults,
                         Error *err)
{
    Status status = STATUS_OK;

    begin(spec, defaults);
    if (defaults->each) status = options_parse_pairs(defaults->each, parse_pair, spec, err);
    if (status != STATUS_OK) return error_prefix(err, "--each");
    status = options_parse_pairs(text, parse_pair, spec, err);
    if (status == STATUS_OK) status = check_kind(spec, err);
    if (status != STATUS_OK) return error_prefix(err, "--engine");
    return spec->program ? prepare_program(spec, defaults, err) : prepare_weights(spec, err);
}

Status player_spec_of_weights(PlayerSpec *spec, const char *weights, const PlayerDefaults *defaults,
                              Error *err)
{
    begin(spec, defaults);
    Status status = set_text(&spec->weights_spec, weights, err);
    return status == STATUS_OK ? prepare_weights(spec, err) : status;
}

Status player_spec_of_program(PlayerSpec *spec, const char *program, const char *name,
                              const PlayerDefaults *defaults, Error *err)
{
    begin(spec, defaults);
    Status status = set_text(&spec->program, program, err);
    if (status == STATUS_OK) status = set_text(&spec->name, name, err);
    return status == STATUS_OK ? prepare_program(spec, defaults, err) : status;
}

Status player_spec_try(PlayerSpec *spec, Error *err)
{
    char name[PLAYER_NAME_MAX] = "";

    if (!spec->program) return STATUS_OK;
    Status status = player_ask_name(&spec->uci, name, err);
    if (status != STATUS_OK || !name[0]) return status;
    status = set_text(&spec->id_name, name, err);
    if (status != STATUS_OK || spec->named) return status;
    status = set_text(&spec->name, name, err);
    spec->uci.name = spec->name;
    return status;
}

void player_spec_free(PlayerSpec *spec)
{
    free(spec->name);
    free(spec->weights_spec);
    free(spec->program);
    free(spec->args);
    free(spec->dir);
    free(spec->id_name);
    free(spec->log_path);
    engine_log_close(spec->uci.log);
    for (int i = 0; i < spec->uci.option_count; i++)
        free(spec->options[i]);
    *spec = (PlayerSpec){0};
}

GauntletPlayer player_spec_player(const PlayerSpec *spec)
{
    return (GauntletPlayer){.name = spec->name,
                            .weights = &spec->weights,
                            .params = &spec->params,
                            .uci = spec->program ? &spec->uci : NULL,
                            .id_name = spec->id_name,
                            .limits = spec->limits,
                            .margin_ms = spec->margin_ms,
                            .hash_bytes = spec->hash_bytes,
                            .threads = spec->threads};
}
