/* SPDX-License-Identifier: MIT
 * The keys of --engine. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "cli/play/player_spec.h"

#include <math.h>
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/play/time_control.h"
#include "engine/base/new_file.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "engine/values/value.h"

enum { STALL_MS = 30000, INIT_MS = 30000, MARGIN_MAX_MS = 60000, HASH_MAX_MB = 65536 };

/* Takes a text from malloc, which is returned; NULL and an error for none. */
static char *own(PlayerSpec *spec, char *text, Error *err)
{
    if (text)
        spec->owned[spec->owned_count++] = text;
    else
        (void)error_set(err, STATUS_FAILED, "out of memory for a player");
    return text;
}

/* ---- One key */

/* PGN and tables take names as they are; what PGN could not give back is refused. */
static Status set_name(void *target, const char *value, Error *err)
{
    char *name = target;

    text_copy_utf8(name, PLAYER_NAME_MAX, value);
    text_clean(name);
    if (!value[strspn(value, " ")]) return error_set(err, STATUS_USAGE, "the name is empty");
    if (strcmp(name, value) == 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "at most %d bytes of UTF-8, without control characters",
                     PLAYER_NAME_MAX - 1);
}

/* A name that was not given: cut and cleaned instead. */
static void find_name(PlayerSpec *spec, const char *name)
{
    text_copy_utf8(spec->name, sizeof spec->name, name);
    text_clean(spec->name);
}

/* Makes "Hash=16" of the neighbours again; a repeated name replaces the value. */
static Status add_option(PlayerSpec *spec, char *name, char *value, Error *err)
{
    size_t length = strlen(name) + 1;
    int i = 0;

    value[-1] = '=';
    while (i < spec->uci.option_count && strncmp(spec->options[i], name, length) != 0)
        i++;
    if (i == UCI_OPTIONS_MAX)
        return error_set(err, STATUS_USAGE, "at most %d options are allowed", UCI_OPTIONS_MAX);
    spec->options[i] = name;
    if (i == spec->uci.option_count) spec->uci.option_count++;
    return STATUS_OK;
}

static Status set_program(void *target, const char *value, Error *err)
{
    if (value[0] == '\0') return error_set(err, STATUS_USAGE, "the program's name is empty");
    *(const char **)target = value;
    return STATUS_OK;
}

/* Shell-like words. */
static Status set_args(void *target, const char *value, Error *err)
{
    const char ***args = target;
    int count;

    free(*args);
    *args = NULL;
    if (value[strspn(value, " ")] && poptParseArgvString(value, &count, args) != 0)
        return error_set(err, STATUS_USAGE, "the quotation in \"%s\" does not end", value);
    return STATUS_OK;
}

static bool is_limit(const char *key)
{
    static const char *const keys[] = {"nodes", "depth", "plies", "tc", "st"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

const Setting player_keys[] = {
    {"name", FIELD(PlayerSpec, name), .parse = set_name},
    {"weights", FIELD(PlayerSpec, weights_spec), .words = EVALUATION_NAMES},
    {"cmd", FIELD(PlayerSpec, uci.command.program), .parse = set_program},
    {"args", FIELD(PlayerSpec, args), .parse = set_args},
    {"dir", FIELD(PlayerSpec, uci.command.dir)},
    {"log", FIELD(PlayerSpec, log_path)},
    {"option.NAME", FIELD_OTHER}, /* for the list of keys */
    {"nodes", FIELD(PlayerSpec, player.limits.nodes_soft), .minimum = 1, .maximum = 1e15},
    {"depth", FIELD(PlayerSpec, player.limits.depth), .minimum = 1, .maximum = MAX_PLY - 1},
    {"plies", FIELD(PlayerSpec, player.limits.depth), .minimum = 1, .maximum = MAX_PLY - 1},
    {"tc", FIELD(PlayerSpec, player.limits), .parse = time_control_set},
    {"st", FIELD(PlayerSpec, player.limits), .parse = time_control_set_move},
    {"timemargin", FIELD(PlayerSpec, player.margin_ms), .maximum = MARGIN_MAX_MS},
    {"stall", FIELD(PlayerSpec, uci.stall_ms), .form = FORM_TIME, .minimum = 1,
     .maximum = INFINITY},
    {"init", FIELD(PlayerSpec, uci.init_ms), .form = FORM_TIME, .minimum = 1, .maximum = INFINITY},
    {"restart", FIELD(PlayerSpec, uci.restart)},
    {"proto", FIELD(PlayerSpec, xboard), .words = "uci|xboard"},
    {"whitepov", FIELD(PlayerSpec, uci.white_scores)},
    {"hash", FIELD(PlayerSpec, player.engine.hash_bytes), .form = FORM_MEGABYTES, .minimum = 1,
     .maximum = HASH_MAX_MB},
    {"threads", FIELD(PlayerSpec, player.engine.threads), .minimum = 1,
     .maximum = SEARCH_THREADS_MAX},
    {0},
};

static Status parse_pair(void *context, char *key, char *value, Error *err)
{
    PlayerSpec *spec = context;

    if (strncmp(key, "option.", 7) == 0) return add_option(spec, key + 7, value, err);
    if (is_limit(key) && strcmp(value, "inf") != 0) {
        spec->player.limits = (SearchLimits){0}; /* each replaces the others */
        spec->limited = true;
    }
    return settings_set_pair(player_keys, spec, key, value, err);
}

/* ---- The whole */

/* The options of an engine in this process are its search parameters. */
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

static bool is_log_of_another(const char *path, const PlayerDefaults *defaults)
{
    for (int i = 0; i < defaults->earlier_count; i++)
        if (defaults->earlier[i].log_path && file_is_same(defaults->earlier[i].log_path, path))
            return true;
    return false;
}

/* NAME.log in a folder, or NAME-2.log and so on where another player has it; a slash in NAME
 * becomes '_'. */
static Status name_log(PlayerSpec *spec, const PlayerDefaults *defaults, Error *err)
{
    const char *dir = defaults->log_dir;
    size_t size = strlen(dir) + strlen(spec->name) + sizeof "/-.log" + 11;
    char *path = own(spec, malloc(size), err);

    if (!path) return STATUS_FAILED;
    int length = snprintf(path, size, "%s/%s", dir, spec->name);
    for (char *c = path + strlen(dir) + 1; *c; c++)
        if (*c == '/') *c = '_';
    char *end = path + length;
    (void)snprintf(end, size - (size_t)length, ".log");
    spec->log_path = path;
    for (int n = 2; is_log_of_another(path, defaults); n++)
        (void)snprintf(end, size - (size_t)length, "-%d.log", n);
    return STATUS_OK;
}

/* Runs the program under `tabia xboard [options] --`, which appends to the same log. */
static Status set_adapter(PlayerSpec *spec, Error *err)
{
    char *log = spec->log_path ? realpath(spec->log_path, NULL) : NULL; /* its folder may differ */
    int words = 0, count = 0;

    while (spec->args && spec->args[words])
        words++;
    if (log) spec->log_path = own(spec, log, err);
    spec->adapter = calloc((size_t)words + 7, sizeof *spec->adapter);
    if (!spec->adapter) return error_set(err, STATUS_FAILED, "out of memory for a player");
    if (!system_executable(spec->tabia, sizeof spec->tabia))
        (void)snprintf(spec->tabia, sizeof spec->tabia, "tabia"); /* from PATH */
    spec->adapter[count++] = "xboard";
    if (spec->uci.white_scores) spec->adapter[count++] = "--white-scores";
    if (log) {
        spec->adapter[count++] = "--log";
        spec->adapter[count++] = log;
    }
    spec->adapter[count++] = "--";
    spec->adapter[count++] = spec->uci.command.program;
    for (int i = 0; i < words; i++)
        spec->adapter[count++] = spec->args[i];
    spec->uci.adapter = (ProgramCommand){spec->tabia, spec->adapter, spec->uci.command.dir};
    return STATUS_OK;
}

/* "cmd=sf nodes=1000" as one word names no program. */
static Status check_commas(const char *program, Error *err)
{
    const char *blank = strrchr(program, ' ');

    if (!blank || !strchr(blank, '=') || access(program, F_OK) == 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE,
                     "cmd=%s: no such file; pairs are joined by commas: cmd=%.*s,%s", program,
                     (int)(blank - program), program, blank + 1);
}

/* The default name is that of the program's file. */
static Status prepare_program(PlayerSpec *spec, const PlayerDefaults *defaults, Error *err)
{
    int64_t threads;

    if (spec->player.engine.threads > 0)
        return error_set(err, STATUS_USAGE,
                         "threads is a key of Tabia's engine; use option.Threads=%d",
                         spec->player.engine.threads);
    if (spec->player.engine.hash_bytes != defaults->hash_bytes)
        return error_set(err, STATUS_USAGE, "hash is a key of Tabia's engine; use option.Hash=%zu",
                         spec->player.engine.hash_bytes >> 20);
    for (int i = 0; i < spec->uci.option_count; i++)
        if (strncmp(spec->options[i], "Threads=", 8) == 0 &&
            value_parse_int(spec->options[i] + 8, &threads) && threads <= SEARCH_THREADS_MAX)
            spec->player.engine.threads = (int)threads; /* for sharing out the processors */
    spec->player.uci = &spec->uci;
    spec->uci.command.args = spec->args;
    spec->named = spec->name[0];
    Status status = check_commas(spec->uci.command.program, err);
    if (!spec->named) find_name(spec, text_file_name(spec->uci.command.program));
    if (status == STATUS_OK && !spec->log_path && defaults->log_dir)
        status = name_log(spec, defaults, err);
    return status;
}

static Status prepare_weights(PlayerSpec *spec, Error *err)
{
    WeightsInfo info = {0};

    spec->named = spec->name[0];
    Status status = evaluation_load(spec->weights_spec, &spec->weights, &info, err);
    if (status == STATUS_OK) status = set_params(spec, err);
    if (!spec->named) find_name(spec, info.label);
    return status;
}

static void begin(PlayerSpec *spec, const PlayerDefaults *defaults)
{
    *spec =
        (PlayerSpec){.uci = {.name = spec->name,
                             .options = (const char *const *)spec->options,
                             .stall_ms = STALL_MS,
                             .init_ms = INIT_MS,
                             .cancelled = defaults->cancelled,
                             .identity = &spec->identity},
                     .player = {.name = spec->name,
                                .engine = {&spec->weights, &spec->params, defaults->hash_bytes, 0},
                                .limits = defaults->limits}};
}

static Status check_kind(const PlayerSpec *spec, Error *err)
{
    const ProgramCommand *command = &spec->uci.command;

    if (!spec->weights_spec == !command->program)
        return error_set(err, STATUS_USAGE, "either weights=W or cmd=PROGRAM is needed");
    if (!command->program &&
        (spec->args || command->dir || spec->log_path || spec->uci.restart || spec->xboard))
        return error_set(err, STATUS_USAGE, "args, dir, log, restart and proto need cmd=PROGRAM");
    if (spec->uci.white_scores && !spec->xboard)
        return error_set(err, STATUS_USAGE, "whitepov needs proto=xboard");
    return STATUS_OK;
}

/* The fields borrow from a copy of the text. */
static Status parse_pairs(PlayerSpec *spec, const char *text, Error *err)
{
    char *copy;

    Status status = setting_pairs(text, &copy, parse_pair, spec, err);
    return own(spec, copy, err) ? status : STATUS_FAILED;
}

static Status parse_each(PlayerSpec *spec, const PlayerDefaults *defaults, Error *err)
{
    begin(spec, defaults);
    if (!defaults->each) return STATUS_OK;
    Status status = parse_pairs(spec, defaults->each, err);
    return status == STATUS_OK ? STATUS_OK : error_prefix(err, "--each");
}

Status player_spec_parse(PlayerSpec *spec, const char *text, const PlayerDefaults *defaults,
                         Error *err)
{
    Status status = parse_each(spec, defaults, err);

    if (status != STATUS_OK) return status;
    const UciSetup each = spec->uci;
    status = strchr(text, '=')
                 ? parse_pairs(spec, text, err)
                 : error_set(err, STATUS_USAGE, "a program is cmd=%s, and weights are weights=%s",
                             text, text);
    if (status == STATUS_OK) status = check_kind(spec, err);
    if (status == STATUS_OK && spec->weights_spec &&
        (spec->uci.stall_ms != each.stall_ms || spec->uci.init_ms != each.init_ms))
        status = error_set(err, STATUS_USAGE, "stall and init need cmd=PROGRAM");
    if (status != STATUS_OK) return error_prefix(err, "--engine");
    return spec->weights_spec ? prepare_weights(spec, err) : prepare_program(spec, defaults, err);
}

Status player_spec_of_weights(PlayerSpec *spec, const char *weights, const PlayerDefaults *defaults,
                              Error *err)
{
    begin(spec, defaults);
    spec->weights_spec = weights;
    return prepare_weights(spec, err);
}

Status player_spec_of_program(PlayerSpec *spec, const char *program, const char *name,
                              const PlayerDefaults *defaults, Error *err)
{
    Status status = parse_each(spec, defaults, err);

    if (status != STATUS_OK) return status;
    if (spec->name[0] || spec->uci.command.program || spec->weights_spec)
        return error_set(err, STATUS_USAGE, "--each: a revision has its own name and cmd");
    spec->uci.command.program = own(spec, strdup(program), err);
    if (!spec->uci.command.program) return STATUS_FAILED;
    find_name(spec, name);
    if (check_kind(spec, err) != STATUS_OK) return error_prefix(err, "--each");
    return prepare_program(spec, defaults, err);
}

Status player_spec_open(PlayerSpec *spec, Error *err)
{
    if (spec->log_path && !(spec->uci.log = engine_log_open(spec->log_path, err)))
        return err->status;
    return spec->xboard ? set_adapter(spec, err) : STATUS_OK;
}

Status player_spec_try(PlayerSpec *spec, Error *err)
{
    if (!spec->player.uci) return STATUS_OK;
    if (!spec->xboard) spec->uci.pv = &spec->pv;
    Status status = player_spec_open(spec, err);
    if (status == STATUS_OK) status = player_ask_name(&spec->uci, spec->id_name, err);
    if (status != STATUS_OK || !spec->id_name[0]) return status;
    spec->player.id_name = spec->id_name;
    if (!spec->named) memcpy(spec->name, spec->id_name, sizeof spec->name);
    return STATUS_OK;
}

void player_log_warn(EngineLog *log)
{
    char warning[ENGINE_LOG_WARNING_MAX];
    if (engine_log_warning(log, warning)) fprintf(stderr, "warning: %s\n", warning);
}

void player_spec_free(PlayerSpec *spec)
{
    player_log_warn(spec->uci.log);
    engine_log_close(spec->uci.log);
    engine_identity_free(&spec->identity);
    free(spec->args);
    free(spec->adapter);
    for (int i = 0; i < spec->owned_count; i++)
        free(spec->owned[i]);
    *spec = (PlayerSpec){0};
}
