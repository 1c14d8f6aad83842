/* SPDX-License-Identifier: MIT
 * Matches: pairs of games on all cores, judged in order, kept in the store. */
#include "selfplay/gauntlet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/engine.h"
#include "selfplay/run_config.h"

static const size_t verifier_hash_bytes = 1 << 20; /* decides openings: fixed */

enum { OUTCOME_UNKNOWN = -1 }; /* else half points of player 0: 0, 1, 2 */

typedef struct GauntletContext {
    const GauntletSettings *settings;
    const GauntletPlayer *players;
    SearchLimits limits[2];
    EvalWeights neutral; /* of the opening's verifier */

    /* The writer's own. */
    int8_t *outcomes;         /* [games] */
    int64_t pairs;            /* judged: outcomes of all games before 2 * pairs are in the score */
    bool decided;             /* by the sequential test */
    GauntletGameFn take_game; /* as games finish; NULL: not, or at the end from the store */
    Error take_error;
    GauntletProgressFn progress;
    void *caller; /* context of both */
    GauntletProgress *result;
    double started;
} GauntletContext;

void gauntlet_defaults(GauntletSettings *settings)
{
    *settings = (GauntletSettings){
        .seed = 1,
        .generation = -1,
        .games = 1000,
        .adjudication = {.win_score = 2000,
                         .win_plies = 5,
                         .draw_score = 10,
                         .draw_plies = 12,
                         .draw_from_ply = 70,
                         .max_plies = 400},
        .sprt = {.alpha = 0.05, .beta = 0.05, .elo0 = 0, .elo1 = 5, .model = SPRT_NORMALIZED},
        .threads = 1,
    };
    opening_defaults(&settings->opening);
}

/* ---- Playing one game */

typedef struct GauntletWorker {
    const GauntletContext *context;
    Player *players[2];
    Search *verifier;
} GauntletWorker;

static void destroy_worker(void *pointer)
{
    GauntletWorker *worker = pointer;

    player_destroy(worker->players[0]);
    player_destroy(worker->players[1]);
    search_destroy(worker->verifier);
    free(worker);
}

static void *create_worker(void *context, Error *err)
{
    const GauntletContext *c = context;
    GauntletWorker *worker = calloc(1, sizeof *worker);

    if (!worker) {
        (void)error_set(err, STATUS_FAILED, "out of memory for a worker");
        return NULL;
    }
    worker->context = c;
    worker->verifier = search_create(&c->neutral, verifier_hash_bytes, err);
    bool made = worker->verifier != NULL;
    for (int i = 0; made && i < 2; i++) {
        const GauntletPlayer *p = &c->players[i];
        const EngineSetup ours = {p->weights, p->params, p->hash_bytes, p->threads};
        worker->players[i] =
            p->uci ? player_create_uci(p->uci, err) : player_create_engine(&ours, err);
        made = worker->players[i] != NULL;
    }
    if (!made) {
        destroy_worker(worker);
        return NULL;
    }
    return worker;
}

static void choose_opening(const GauntletWorker *worker, int64_t pair, char fen[FEN_MAX])
{
    const GauntletSettings *s = worker->context->settings;

    if (s->book)
        strcpy(fen, s->book->fens[(pair + s->book_start) % s->book->count]);
    else
        opening_random(&s->opening, s->seed, (uint64_t)pair, NULL, worker->verifier, fen);
}

static Status play_game(void *pointer, int64_t index, const atomic_int *cancelled, GameRecord *game,
                        Error *err)
{
    GauntletWorker *worker = pointer;
    const GauntletContext *c = worker->context;
    char fen[FEN_MAX];

    choose_opening(worker, index / 2, fen);
    GameSetup setup = {.players = {worker->players[0], worker->players[1]},
                       .white = (int)(index % 2),
                       .start_fen = fen,
                       .limits = {c->limits[0], c->limits[1]},
                       .margin_ms = {c->players[0].margin_ms, c->players[1].margin_ms},
                       .adjudication = c->settings->adjudication,
                       .cancelled = cancelled};
    Status status = game_play(&setup, game, err);
    game->opening_no = index / 2;
    return status;
}

/* ---- Judging */

static void report(void *context)
{
    GauntletContext *c = context;

    c->result->seconds = clock_seconds() - c->started;
    if (c->progress) c->progress(c->caller, c->result);
}

static void note_outcome(GauntletContext *c, const GameRecord *game)
{
    c->outcomes[game->game_no] =
        (int8_t)(game->white == 0 ? (int)game->result : RESULT_WHITE_WINS - (int)game->result);
    c->result->done++;
}

static void score_game(MatchScore *score, int outcome)
{
    score->losses += outcome == 0;
    score->draws += outcome == 1;
    score->wins += outcome == 2;
}

/* Takes whole pairs into the score in index order, up to the sequential test's decision. */
static void judge_pairs(GauntletContext *c)
{
    GauntletProgress *r = c->result;

    while (!c->decided && 2 * c->pairs < c->settings->games) {
        const int8_t *pair = &c->outcomes[2 * c->pairs];
        if (pair[0] == OUTCOME_UNKNOWN || pair[1] == OUTCOME_UNKNOWN) break;
        score_game(&r->score, pair[0]);
        score_game(&r->score, pair[1]);
        r->score.ptnml[pair[0] + pair[1]]++;
        c->pairs++;
        match_stats(&r->score, &c->settings->sprt, &r->stats);
        c->decided = r->stats.decision == SPRT_ACCEPT_H0 || r->stats.decision == SPRT_ACCEPT_H1;
    }
}

static bool game_finished(void *context, const GameRecord *game)
{
    GauntletContext *c = context;

    note_outcome(c, game);
    judge_pairs(c);
    report(c);
    if (c->take_game)
        c->take_error.status = c->take_game(c->caller, c->players, game, &c->take_error);
    return !c->decided && c->take_error.status == STATUS_OK;
}

/* ---- The run in the store */

/* Only what differs from the built-in constants. */
static void config_params(RunConfig *config, const char *prefix, const SearchParams *params)
{
    char key[64];

    for (const SearchParamInfo *info = search_param_info; info->name; info++) {
        int value = search_params_get(params, info);
        if (value == info->value) continue;
        (void)snprintf(key, sizeof key, "%s%s", prefix, info->name);
        run_config_int(config, key, value);
    }
}

static void config_player(RunConfig *config, const char *prefix, const GauntletPlayer *player,
                          const SearchLimits *limits)
{
    char key[32];

    run_config_limits(config, prefix, limits, player->uci ? 0 : player->hash_bytes);
    if (player->margin_ms > 0) {
        (void)snprintf(key, sizeof key, "%smargin_ms", prefix);
        run_config_int(config, key, player->margin_ms);
    }
    if (!player->uci) {
        if (player->params) config_params(config, prefix, player->params);
        (void)snprintf(key, sizeof key, "%sthreads", prefix);
        if (player->threads > 1) run_config_int(config, key, player->threads);
        return;
    }
    (void)snprintf(key, sizeof key, "%sprogram", prefix);
    run_config_string(config, key, player->uci->program);
    for (int i = 0; player->uci->args && player->uci->args[i]; i++) {
        (void)snprintf(key, sizeof key, "%sarg_%d", prefix, i + 1);
        run_config_string(config, key, player->uci->args[i]);
    }
    for (int i = 0; i < player->uci->option_count; i++) {
        (void)snprintf(key, sizeof key, "%soption_%d", prefix, i + 1);
        run_config_string(config, key, player->uci->options[i]);
    }
}

static Status config_text(const GauntletContext *c, char **text, Error *err)
{
    const GauntletSettings *s = c->settings;
    RunConfig config;

    Status status = run_config_begin(&config, err);
    if (status != STATUS_OK) return status;
    config_player(&config, "a_", &c->players[0], &c->limits[0]);
    config_player(&config, "b_", &c->players[1], &c->limits[1]);
    if (s->book)
        run_config_book(&config, s->book, s->book_name, s->book_start);
    else
        run_config_opening(&config, &s->opening);
    run_config_adjudication(&config, &s->adjudication);
    return run_config_end(&config, text, err);
}

static Status put_weights(Store *store, const GauntletPlayer *player, char hash[HASH_HEX_MAX],
                          Error *err)
{
    hash[0] = '\0';
    if (player->uci) return STATUS_OK; /* nobody's weights */
    char *text = weights_canonical(player->weights);

    if (!text) return error_set(err, STATUS_FAILED, "out of memory for the weights");
    sha256_hex(text, strlen(text), hash);
    Status status = store_put_weights(store, hash, player->name, text, NULL, err);
    free(text);
    return status;
}

static Status put_players(Store *store, const RunRecord *run, const GauntletContext *c, Error *err)
{
    for (int i = 0; i < 2; i++) {
        PlayerRecord player = {.player_no = i};
        RunConfig config;
        char *text = NULL;
        Status status = run_config_begin(&config, err);
        if (status != STATUS_OK) return status;
        config_player(&config, "", &c->players[i], &c->limits[i]);
        status = run_config_end(&config, &text, err);
        if (status != STATUS_OK) return status;
        player.config = text;
        (void)snprintf(player.name, sizeof player.name, "%s", c->players[i].name);
        memcpy(player.weights, run->weights[i], sizeof player.weights);
        status = store_put_player(store, run->run_id, &player, err);
        free(text);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static Status put_state(Store *store, const RunRecord *run, const char *state,
                        const GauntletProgress *result, Error *err)
{
    static const char *const decisions[] = {"none", "continue", "H0", "H1"};
    const MatchStats *s = &result->stats;
    GauntletRow row = {.run_id = run->run_id, .state = state};
    RunConfig json;
    char *text = NULL;

    Status status = run_config_begin(&json, err);
    if (status != STATUS_OK) return status;
    run_config_int(&json, "games", s->games);
    run_config_int(&json, "wins", result->score.wins);
    run_config_int(&json, "draws", result->score.draws);
    run_config_int(&json, "losses", result->score.losses);
    run_config_ints(&json, "ptnml", result->score.ptnml, 5);
    run_config_double(&json, "score", s->score);
    run_config_double(&json, "elo", s->elo);
    run_config_double(&json, "elo95", s->elo95);
    run_config_double(&json, "nelo", s->nelo);
    run_config_double(&json, "nelo95", s->nelo95);
    run_config_double(&json, "los", s->los);
    run_config_double(&json, "llr", s->llr);
    run_config_string(&json, "sprt", decisions[s->decision]);
    status = run_config_end(&json, &text, err);
    if (status != STATUS_OK) return status;
    row.json = text;
    memcpy(row.hash_a, run->weights[0], HASH_HEX_MAX);
    memcpy(row.hash_b, run->weights[1], HASH_HEX_MAX);
    status = store_put_gauntlet(store, &row, err);
    free(text);
    return status;
}

/* Weights, run and the gauntlet's row, together or not at all. */
static Status register_run(Store *store, const GauntletContext *c, RunRecord *run, Error *err)
{
    char *config = NULL;

    Status status = config_text(c, &config, err);
    if (status != STATUS_OK) return status;
    run->config = config;
    (void)snprintf(run->label, sizeof run->label, "%.28s vs %.28s", c->players[0].name,
                   c->players[1].name);
    (void)snprintf(run->program, sizeof run->program, "%s", TABIA_VERSION);
    status = store_begin(store, err);
    if (status == STATUS_OK) {
        status = put_weights(store, &c->players[0], run->weights[0], err);
        if (status == STATUS_OK) status = put_weights(store, &c->players[1], run->weights[1], err);
        run_identify(run);
        if (status == STATUS_OK) status = store_open_run(store, run, NULL, err);
        if (status == STATUS_OK) status = put_players(store, run, c, err);
        if (status == STATUS_OK) status = put_state(store, run, "running", c->result, err);
        if (status == STATUS_OK) status = store_commit(store, err);
        if (status != STATUS_OK) store_rollback(store);
    }
    run->config = NULL;
    free(config);
    return status;
}

static Status for_each_game(Store *store, const RunRecord *run, GauntletContext *c,
                            Status (*fn)(GauntletContext *, const GameRecord *, Error *),
                            Error *err)
{
    const GameRecord *game;
    int64_t game_id, run_id;
    GameCursor *cursor = store_read_games(store, &run->run_id, 1, 0, err);

    if (!cursor) return err ? err->status : STATUS_DATABASE;
    Status status = game_cursor_next(cursor, &game, &game_id, &run_id, err);
    while (status == STATUS_OK && game) {
        if (game->game_no < c->settings->games) status = fn(c, game, err);
        if (status == STATUS_OK) status = game_cursor_next(cursor, &game, &game_id, &run_id, err);
    }
    game_cursor_close(cursor);
    return status;
}

static Status resume_game(GauntletContext *c, const GameRecord *game, Error *err)
{
    (void)err;
    note_outcome(c, game);
    return STATUS_OK;
}

static Status hand_out_game(GauntletContext *c, const GameRecord *game, Error *err)
{
    return c->take_game(c->caller, c->players, game, err);
}

/* ---- The match */

static Status check_settings(const GauntletPlayer players[2], const GauntletSettings *s, Error *err)
{
    if (s->games < 0 || s->games % 2 != 0)
        return error_set(err, STATUS_USAGE, "a gauntlet needs an even number of games");
    for (int i = 0; i < 2; i++) {
        const SearchLimits *l = &players[i].limits;
        if (l->depth <= 0 && l->nodes_soft == 0 && l->nodes_hard == 0 && l->movetime_ms <= 0 &&
            !l->has_clock)
            return error_set(err, STATUS_USAGE, "%s needs a limit of nodes, depth or time",
                             players[i].name);
    }
    return STATUS_OK;
}

static Status play_missing(Store *store, GauntletContext *c, int64_t run_id,
                           const atomic_int *interrupted, Error *err)
{
    int64_t games = c->settings->games;
    int64_t *missing = malloc(((size_t)games + 1) * sizeof *missing);
    RunnerJob job = {.context = c,
                     .create_worker = create_worker,
                     .destroy_worker = destroy_worker,
                     .play = play_game,
                     .finished = game_finished,
                     .tick = report};
    RunnerOptions options = {.threads = c->settings->threads,
                             .indices = missing,
                             .store = store,
                             .run_id = run_id,
                             .clock = true,
                             .interrupted = interrupted};

    if (!missing) return error_set(err, STATUS_FAILED, "out of memory for the list of games");
    for (int64_t i = 0; i < games && !c->decided; i++)
        if (c->outcomes[i] == OUTCOME_UNKNOWN) missing[options.count++] = i;
    Status status = runner_run(&options, &job, err);
    if (status == STATUS_OK && c->take_error.status != STATUS_OK)
        status = error_set(err, c->take_error.status, "%s", c->take_error.text);
    report(c);
    free(missing);
    return status;
}

/* The match with its games and result in the store. */
static Status run_stored(Store *store, GauntletContext *c, GauntletGameFn take_game,
                         const atomic_int *interrupted, Error *err)
{
    RunRecord run = {
        .kind = RUN_GAUNTLET, .seed = c->settings->seed, .generation = c->settings->generation};

    Status status = register_run(store, c, &run, err);
    if (status == STATUS_OK) status = for_each_game(store, &run, c, resume_game, err);
    if (status != STATUS_OK) return status;
    c->result->resumed = c->result->done;
    judge_pairs(c);
    report(c);
    status = play_missing(store, c, run.run_id, interrupted, err);
    if (status != STATUS_OK) {
        Status also = put_state(store, &run, "interrupted", c->result, NULL);
        (void)also; /* the first failure is the one to report */
        return status;
    }
    status = put_state(store, &run, "finished", c->result, err);
    if (status == STATUS_OK) status = store_finish_run(store, run.run_id, err);
    c->take_game = take_game;
    if (status == STATUS_OK && take_game)
        status = for_each_game(store, &run, c, hand_out_game, err);
    return status;
}

Status gauntlet_run(Store *store, const GauntletPlayer players[2], const GauntletSettings *settings,
                    const atomic_int *interrupted, GauntletGameFn take_game,
                    GauntletProgressFn progress, void *context, GauntletProgress *result,
                    Error *err)
{
    GauntletContext c = {
        .settings = settings,
        .players = players,
        .limits = {game_limits(&players[0].limits), game_limits(&players[1].limits)},
        .progress = progress,
        .caller = context,
        .result = result,
        .started = clock_seconds()};

    *result = (GauntletProgress){.total = settings->games};
    match_stats(&result->score, &settings->sprt, &result->stats);
    Status status = check_settings(players, settings, err);
    if (status != STATUS_OK) return status;
    weights_material(&c.neutral);
    c.outcomes = malloc((size_t)settings->games + 1);
    if (!c.outcomes) return error_set(err, STATUS_FAILED, "out of memory for the results");
    memset(c.outcomes, OUTCOME_UNKNOWN, (size_t)settings->games + 1);
    if (store) {
        status = run_stored(store, &c, take_game, interrupted, err);
    } else {
        c.take_game = take_game;
        status = play_missing(NULL, &c, 0, interrupted, err);
    }
    free(c.outcomes);
    return status;
}
