/* SPDX-License-Identifier: MIT
 * The rows of a match. A player's configuration is one JSON object in players.config. The run's
 * configuration holds all of them, and with them everything that decides the games. */
#include "selfplay/match/gauntlet_record.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/tables/learning.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/version.h"
#include "selfplay/run/run_config.h"

enum { PATH_MAX_BYTES = 4096 };

/* The players as they are stored. */
typedef struct Roster {
    int count;
    int64_t search;
    char (*hashes)[HASH_HEX_MAX]; /* [count]: of weights, "" of programs */
    char **configs;               /* [count]: JSON objects */
} Roster;

/* ---- What identifies a player */

/* The hash of the file that will be started: another build of an engine is another player. "" when
 * it is not found; starting it will then fail. */
static void hash_program(const UciSetup *uci, char hash[HASH_HEX_MAX])
{
    char path[PATH_MAX_BYTES];
    const char *program = uci->program, *folder = getenv("PATH");

    if (uci->dir && program[0] != '/') {
        (void)snprintf(path, sizeof path, "%s/%s", uci->dir, program);
        if (sha256_file(path, hash)) return;
    }
    hash[0] = '\0';
    if (strchr(program, '/')) {
        (void)sha256_file(program, hash);
        return;
    }
    while (folder && !hash[0]) {
        int length = (int)strcspn(folder, ":");
        (void)snprintf(path, sizeof path, "%.*s/%s", length, folder, program);
        (void)sha256_file(path, hash);
        folder = folder[length] ? folder + length + 1 : NULL;
    }
}

/* Only what differs from the built-in constants. */
static void config_params(JsonWriter *config, const SearchParams *params)
{
    for (const SearchParamInfo *info = search_param_info; info->name; info++) {
        int value = search_params_get(params, info);
        if (value != info->value) json_int(config, info->name, value);
    }
}

static void config_program(JsonWriter *config, const UciSetup *uci)
{
    char key[32], hash[HASH_HEX_MAX];

    hash_program(uci, hash);
    json_string(config, "program", uci->program);
    json_string(config, "program_sha256", hash);
    if (uci->dir) json_string(config, "dir", uci->dir); /* it may hold the engine's files */
    if (uci->adapter) json_string(config, "protocol", "xboard");
    for (int i = 0; uci->args && uci->args[i]; i++) {
        (void)snprintf(key, sizeof key, "arg_%d", i + 1);
        json_string(config, key, uci->args[i]);
    }
    for (int i = 0; i < uci->option_count; i++) {
        (void)snprintf(key, sizeof key, "option_%d", i + 1);
        json_string(config, key, uci->options[i]);
    }
}

/* id_name, which is not part of the identity, is added when not NULL. */
static Status player_config(const GauntletPlayer *player, const char *hash, int64_t search,
                            const char *id_name, char **text, Error *err)
{
    SearchLimits limits = game_limits(&player->limits);
    JsonWriter config;

    Status status = json_begin_text(&config, true, err);
    if (status != STATUS_OK) return status;
    if (player->uci) {
        config_program(&config, player->uci);
    } else {
        json_string(&config, "weights", hash);
        if (player->params) config_params(&config, player->params);
        if (player->threads > 1) json_int(&config, "threads", player->threads);
        json_int(&config, "search", search);
    }
    run_config_limits(&config, "", &limits, player->uci ? 0 : player->hash_bytes);
    if (player->margin_ms > 0) json_int(&config, "margin_ms", player->margin_ms);
    if (id_name) json_string(&config, "id_name", id_name);
    return json_finish_text(&config, text, err);
}

static void free_roster(Roster *roster)
{
    for (int i = 0; i < roster->count; i++) {
        if (roster->configs) free(roster->configs[i]);
    }
    free(roster->configs);
    free(roster->hashes);
}

/* Free it also after a failure. */
static Status make_roster(const GauntletPlayer *players, int count, int64_t search, Roster *roster,
                          Error *err)
{
    size_t n = (size_t)count;

    *roster = (Roster){.count = count,
                       .search = search,
                       .hashes = calloc(n, sizeof *roster->hashes),
                       .configs = calloc(n, sizeof *roster->configs)};
    if (!roster->hashes || !roster->configs)
        return error_set(err, STATUS_FAILED, "out of memory for the players");
    for (int i = 0; i < count; i++) {
        Status status = players[i].uci
                            ? STATUS_OK
                            : stored_weights_hash(players[i].weights, roster->hashes[i], err);
        if (status != STATUS_OK) return status;
        status =
            player_config(&players[i], roster->hashes[i], search, NULL, &roster->configs[i], err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* ---- The run */

static Status config_text(const GauntletSettings *s, const Schedule *schedule, const Roster *roster,
                          char **text, Error *err)
{
    JsonWriter config;

    Status status = json_begin_text(&config, true, err);
    if (status != STATUS_OK) return status;
    json_array(&config, "players");
    for (int i = 0; i < roster->count; i++)
        json_raw(&config, NULL, roster->configs[i]);
    json_end_array(&config);
    json_int(&config, "seeds", schedule->seeds);
    if (!schedule->shared_openings && schedule_pairings(schedule) > 1)
        json_int(&config, "own_openings", 1); /* of each pairing */
    if (s->book)
        run_config_book(&config, s->book, s->book_name, s->book_start);
    else
        run_config_opening(&config, &s->opening);
    run_config_adjudication(&config, &s->adjudication);
    if (!s->book && s->opening.random_plies > 0) /* the search verifies openings */
        json_int(&config, "search", s->search);
    return json_finish_text(&config, text, err);
}

static Status put_weights(Store *store, const GauntletPlayer *players, const Roster *roster,
                          Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < roster->count && status == STATUS_OK; i++)
        if (!players[i].uci)
            status = stored_weights_put(store, roster->hashes[i], players[i].name,
                                        players[i].weights, NULL, NULL, err);
    return status;
}

static Status put_players(Store *store, int64_t run_id, const GauntletPlayer *players,
                          const Roster *roster, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < roster->count && status == STATUS_OK; i++) {
        PlayerRecord player = {.player_no = i};
        char *config = NULL;
        (void)snprintf(player.name, sizeof player.name, "%s", players[i].name);
        memcpy(player.weights, roster->hashes[i], sizeof player.weights);
        status = player_config(&players[i], roster->hashes[i], roster->search, players[i].id_name,
                               &config, err);
        player.config = config;
        if (status == STATUS_OK) status = store_put_player(store, run_id, &player, err);
        free(config);
    }
    return status;
}

static void label_run(const GauntletPlayer *players, int count, char label[LABEL_MAX])
{
    if (count == 2)
        (void)snprintf(label, LABEL_MAX, "%.28s vs %.28s", players[0].name, players[1].name);
    else
        (void)snprintf(label, LABEL_MAX, "%.28s and %d others", players[0].name, count - 1);
}

Status gauntlet_record_open(Store *store, const GauntletPlayer *players,
                            const GauntletSettings *settings, const GauntletProgress *progress,
                            RunRecord *run, Error *err)
{
    const Schedule *schedule = &progress->board.schedule;
    Roster roster;
    char *config = NULL;

    *run = (RunRecord){
        .kind = RUN_GAUNTLET, .seed = settings->seed, .generation = settings->generation};
    Status status = make_roster(players, schedule->players, settings->search, &roster, err);
    if (status == STATUS_OK) status = config_text(settings, schedule, &roster, &config, err);
    if (status == STATUS_OK) status = store_begin(store, err);
    if (status == STATUS_OK) {
        run->config = config;
        label_run(players, schedule->players, run->label);
        (void)snprintf(run->program, sizeof run->program, "%s", TABIA_VERSION);
        memcpy(run->weights, roster.hashes, sizeof run->weights);
        run_identify(run);
        status = put_weights(store, players, &roster, err);
        if (status == STATUS_OK) status = store_open_run(store, run, NULL, err);
        if (status == STATUS_OK) status = put_players(store, run->run_id, players, &roster, err);
        if (status == STATUS_OK)
            status = gauntlet_record_state(store, run, "running", progress, err);
        status = store_end(store, status, err);
    }
    run->config = NULL;
    free(config);
    free_roster(&roster);
    return status;
}

/* ---- The outcome */

Status gauntlet_record_state(Store *store, const RunRecord *run, const char *state,
                             const GauntletProgress *progress, Error *err)
{
    static const char *const decisions[] = {"none", "continue", "H0", "H1"};
    const MatchStats *s = &progress->stats;
    GauntletRow row = {.run_id = run->run_id, .state = state};
    JsonWriter json;
    char *text = NULL;

    Status status = json_begin_text(&json, true, err);
    if (status != STATUS_OK) return status;
    json_int(&json, "games", s->games);
    json_int(&json, "wins", progress->score.wins);
    json_int(&json, "draws", progress->score.draws);
    json_int(&json, "losses", progress->score.losses);
    json_ints(&json, "ptnml", progress->score.ptnml, 5);
    json_double(&json, "score", s->score, 10);
    json_double(&json, "elo", s->elo, 10);
    json_double(&json, "elo95", s->elo95, 10);
    json_double(&json, "nelo", s->nelo, 10);
    json_double(&json, "nelo95", s->nelo95, 10);
    json_double(&json, "los", s->los, 10);
    json_double(&json, "llr", s->llr, 10);
    json_string(&json, "sprt", decisions[s->decision]);
    status = json_finish_text(&json, &text, err);
    if (status != STATUS_OK) return status;
    row.json = text;
    memcpy(row.hash_a, run->weights[0], HASH_HEX_MAX);
    memcpy(row.hash_b, run->weights[1], HASH_HEX_MAX);
    status = store_put_gauntlet(store, &row, err);
    free(text);
    return status;
}
