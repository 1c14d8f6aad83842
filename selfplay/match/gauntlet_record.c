/* SPDX-License-Identifier: MIT
 * The rows of a match. A player's configuration is one JSON object in players.config. The run's
 * configuration holds all of them, and with them everything that decides the games. */
#include "selfplay/match/gauntlet_record.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/stored_weights.h"
#include "db/files/input_file.h"
#include "db/store/json_read.h"
#include "db/tables/learning.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "selfplay/match/stats.h"
#include "selfplay/players/child_guard.h"
#include "selfplay/run/run_config.h"

/* ---- What identifies a player */

/* Only what differs from the built-in constants. */
static void config_params(JsonWriter *config, const SearchParams *params)
{
    for (const SearchParamInfo *info = search_param_info; info->name; info++) {
        int value = search_params_get(params, info);
        if (value != info->value) json_int(config, info->name, value);
    }
}

/* With `files`, also the hashes of the files that arguments and options name. */
static Status config_program(JsonWriter *config, const UciSetup *uci, bool files, Error *err)
{
    const ProgramCommand *command = &uci->command;
    const EngineIdentity *identity = uci->identity;
    EngineIdentity found = {0};
    char key[32];

    if (!identity) {
        Status status = engine_identity_find(&found, uci, err);
        if (status != STATUS_OK) return status;
        identity = &found;
    }
    /* Another build of an engine is another player. A program that is not found cannot start. */
    const char *hash = engine_identity_hash(identity, "program");
    json_string(config, "program", command->program);
    json_string(config, "program_sha256", hash ? hash : "");
    if (command->dir) json_string(config, "dir", command->dir); /* it may hold the engine's files */
    if (uci->adapter.program) json_string(config, "protocol", "xboard");
    if (uci->white_scores) json_int(config, "white_scores", 1);
    for (int i = 0; command->args && command->args[i]; i++) {
        (void)snprintf(key, sizeof key, "arg_%d", i + 1);
        json_string(config, key, command->args[i]);
    }
    for (int i = 0; i < uci->option_count; i++) {
        (void)snprintf(key, sizeof key, "option_%d", i + 1);
        json_string(config, key, uci->options[i]);
    }
    for (int i = 0; files && i < identity->file_count; i++) {
        const EngineFile *file = &identity->files[i];
        if (!file->key[0] || strcmp(file->key, "program") == 0) continue;
        (void)snprintf(key, sizeof key, "%s_sha256", file->key);
        json_string(config, key, file->hash);
    }
    engine_identity_free(&found);
    return STATUS_OK;
}

Status gauntlet_record_player(JsonWriter *config, const GauntletPlayer *player, const char *hash,
                              int64_t search, bool files, Error *err)
{
    SearchLimits limits = game_limits(&player->limits);
    Status status = STATUS_OK;

    if (player->uci) {
        status = config_program(config, player->uci, files, err);
    } else {
        json_string(config, "weights", hash);
        if (player->engine.params) config_params(config, player->engine.params);
        if (player->engine.threads > 1) json_int(config, "threads", player->engine.threads);
        json_int(config, "search", search);
    }
    run_config_limits(config, &limits, player->uci ? 0 : player->engine.hash_bytes);
    if (player->margin_ms > 0) json_int(config, "margin_ms", player->margin_ms);
    return status;
}

/* The players as they are stored; their configurations also hold id_name, which is not part of the
 * identity. Free *records with store_free_players(), also after a failure. */
static Status make_records(const GauntletSettings *s, bool files, PlayerRecord **records,
                           Error *err)
{
    int count = s->schedule.players;
    Status status = STATUS_OK;

    *records = calloc((size_t)count, sizeof **records);
    if (!*records) return error_set(err, STATUS_FAILED, "out of memory for the players");
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const GauntletPlayer *player = &s->players[i];
        PlayerRecord *record = &(*records)[i];
        JsonWriter config;
        char *text = NULL;
        record->player_no = i;
        (void)snprintf(record->name, sizeof record->name, "%s", player->name);
        if (!player->uci)
            status = stored_weights_hash(player->engine.weights, record->weights, err);
        if (status != STATUS_OK) break;
        json_begin_text(&config, true);
        status = gauntlet_record_player(&config, player, record->weights, s->search, files, err);
        if (player->id_name) json_string(&config, "id_name", player->id_name);
        Status written = json_finish_text(&config, &text, status ? &(Error){0} : err);
        record->config = text;
        if (status == STATUS_OK) status = written;
    }
    return status;
}

/* ---- The run */

static Status config_text(const GauntletSettings *s, bool files, const PlayerRecord *records,
                          char **text, Error *err)
{
    const Schedule *schedule = &s->schedule;
    Status status = STATUS_OK;
    JsonWriter config;

    json_begin_text(&config, true);
    json_array(&config, "players");
    for (int i = 0; i < schedule->players && status == STATUS_OK; i++) {
        json_object(&config, NULL);
        status = gauntlet_record_player(&config, &s->players[i], records[i].weights, s->search,
                                        files, err);
        json_end_object(&config);
    }
    json_end_array(&config);
    json_int(&config, "seeds", schedule->seeds);
    if (!schedule->shared_openings && schedule_pairings(schedule) > 1)
        json_int(&config, "own_openings", 1); /* of each pairing */
    if (schedule->single_openings) json_int(&config, "single_openings", 1);
    if (s->book) run_config_book(&config, s->book);
    if (!s->book || s->opening.random_plies > 0)
        settings_json(&config, opening_settings, NULL, SETTINGS_IDENTITY, &s->opening);
    settings_json(&config, adjudication_settings, NULL, SETTINGS_IDENTITY, &s->adjudication);
    if (s->opening.random_plies > 0) /* the search verifies openings */
        json_int(&config, "search", s->search);
    Status written = json_finish_text(&config, text, status ? &(Error){0} : err);
    return status == STATUS_OK ? written : status;
}

static void label_run(const GauntletPlayer *players, int count, char label[LABEL_MAX])
{
    char a[29], b[29];

    text_copy_utf8(a, sizeof a, players[0].name);
    text_copy_utf8(b, sizeof b, players[1].name);
    if (count == 2)
        (void)snprintf(label, LABEL_MAX, "%s vs %s", a, b);
    else
        (void)snprintf(label, LABEL_MAX, "%s and %d others", a, count - 1);
}

/* Makes the run and its players; *config and *records are owned by the caller, also on failure. */
static Status describe(const GauntletSettings *settings, bool files, RunRecord *run, char **config,
                       PlayerRecord **records, Error *err)
{
    *config = NULL;
    *run = (RunRecord){
        .kind = RUN_GAUNTLET, .seed = settings->seed, .generation = settings->generation};
    Status status = make_records(settings, files, records, err);
    if (status == STATUS_OK) status = config_text(settings, files, *records, config, err);
    if (status != STATUS_OK) return status;
    run->config = *config;
    label_run(settings->players, settings->schedule.players, run->label);
    (void)snprintf(run->program, sizeof run->program, "%s", TABIA_VERSION);
    for (int i = 0; i < 2; i++)
        memcpy(run->weights[i], (*records)[i].weights, HASH_HEX_MAX);
    run_identify(run);
    return STATUS_OK;
}

Status gauntlet_record_identify(const GauntletSettings *settings, char uuid[UUID_MAX], Error *err)
{
    PlayerRecord *records;
    RunRecord run;
    char *config;

    Status status = describe(settings, true, &run, &config, &records, err);
    if (status == STATUS_OK) memcpy(uuid, run.uuid, UUID_MAX);
    free(config);
    if (records) store_free_players(records, settings->schedule.players);
    return status;
}

Status gauntlet_record_open(Store *store, const GauntletSettings *settings, RunRecord *run,
                            Error *err)
{
    const Evaluation *weights[PLAYERS_MAX];
    int count = settings->schedule.players;
    PlayerRecord *records = NULL;
    Status status = STATUS_OK;
    char *config = NULL;
    int64_t found = 0;

    for (int i = 0; i < count; i++)
        weights[i] = settings->players[i].uci ? NULL : settings->players[i].engine.weights;
    /* Matches of earlier versions were stored without the hashes of the files that options name. */
    for (int files = 0; files < 2 && status == STATUS_OK && found == 0; files++) {
        free(config);
        if (records) store_free_players(records, count);
        status = describe(settings, files != 0, run, &config, &records, err);
        if (status == STATUS_OK) status = store_find_run(store, run->uuid, &found, err);
    }
    if (status == STATUS_OK) status = run_register(store, run, records, weights, count, err);
    run->config = NULL;
    free(config);
    if (records) store_free_players(records, count);
    return status;
}

/* ---- The outcome */

Status gauntlet_record_difference(Store *store, const RunRecord *run, const SprtSettings *sprt,
                                  char *text, size_t size, Error *err)
{
    JsonWriter json;
    char *then = NULL, *now = NULL;

    *text = '\0';
    if (!sprt->enabled) return STATUS_OK;
    json_begin_text(&json, true);
    sprt_json(&json, sprt);
    Status status = json_finish_text(&json, &now, err);
    if (status == STATUS_OK) status = store_get_gauntlet(store, run, "sprt_%", &then, err);
    if (status == STATUS_OK && then) status = json_difference(store, then, now, text, size, err);
    free(then);
    free(now);
    return status;
}

enum { PV_FIELDS = 3 };

/* pv_fields with keys of this player. */
static void fields_of_player(int player, char keys[PV_FIELDS][32], Field fields[PV_FIELDS + 1])
{
    for (int i = 0; i < PV_FIELDS; i++) {
        fields[i] = pv_fields[i];
        fields[i].zero = ZERO_LEFT_OUT;
        (void)snprintf(keys[i], sizeof keys[i], "%s_%d", pv_fields[i].key, player);
        fields[i].key = keys[i];
    }
    fields[PV_FIELDS] = (Field){0};
}

Status gauntlet_record_read_pvs(Store *store, const RunRecord *run,
                                const GauntletSettings *settings, Error *err)
{
    Field fields[PV_FIELDS + 1];
    char keys[PV_FIELDS][32], *json = NULL;

    Status status = store_get_gauntlet(store, run, "pv_%", &json, err);
    for (int i = 0; json && i < settings->schedule.players && status == STATUS_OK; i++) {
        const UciSetup *uci = settings->players[i].uci;
        PvCounts counts = {0};
        if (!uci || !uci->pv) continue;
        fields_of_player(i, keys, fields);
        status = json_read(store, json, fields, &counts, true, err);
        pv_faults_add(uci->pv, &counts);
    }
    free(json);
    return status;
}

Status gauntlet_record_state(Store *store, const RunRecord *run, const char *state,
                             const GauntletSettings *settings, const GauntletProgress *progress,
                             Error *err)
{
    Field fields[PV_FIELDS + 1];
    char keys[PV_FIELDS][32], *text = NULL;
    JsonWriter json;

    json_begin_text(&json, true);
    match_json_stored(&json, &progress->score, &progress->stats);
    sprt_json(&json, &settings->sprt);
    for (int i = 0; i < settings->schedule.players; i++) {
        const UciSetup *uci = settings->players[i].uci;
        PvCounts counts = {0};
        if (uci && uci->pv) counts = pv_faults_counts(uci->pv);
        fields_of_player(i, keys, fields);
        fields_json(&json, fields, &counts);
    }
    Status status = json_finish_text(&json, &text, err);
    if (status != STATUS_OK) return status;
    status = store_put_gauntlet(store, run, state, text, err);
    free(text);
    return status;
}
