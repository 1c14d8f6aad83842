/* SPDX-License-Identifier: MIT
 * Matches: pairs of games on all cores, scored pair by pair, stored. */
#include "selfplay/match/gauntlet.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/tables/cursor.h"
#include "db/tables/runs.h"
#include "engine/base/clock.h"
#include "engine/notation/fen.h"
#include "selfplay/match/gauntlet_record.h"
#include "selfplay/players/child_process.h"
#include "selfplay/run/run_config.h"

enum {
    PROGRAMS_KEPT = 4 /* external engines that a worker keeps running */
};

typedef struct GauntletContext {
    const GauntletSettings *settings;
    Evaluation neutral; /* of the opening verifier */

    /* Used by the writer only. */
    GameOutcome *outcomes; /* [total] */
    int64_t judged;        /* with SPRT: games before this index are on the board */
    bool decided;          /* by SPRT */
    const GauntletObserver *observer;
    GauntletProgress *result;
    double started;
} GauntletContext;

void gauntlet_defaults(GauntletSettings *settings)
{
    *settings = (GauntletSettings){
        .seed = 1,
        .generation = -1,
        .search = search_signature(),
        .schedule = {.players = 2, .seeds = 1},
        .games = 1000,
        .sprt = {.alpha = 0.05, .beta = 0.05, .elo0 = 0, .elo1 = 5, .model = SPRT_NORMALIZED},
        .threads = 1,
    };
    settings_default(opening_settings, &settings->opening);
    settings_default(adjudication_settings, &settings->adjudication);
    settings->adjudication.draw_resets = true;
}

/* ---- Playing one game */

typedef struct GauntletWorker {
    const GauntletContext *context;
    int programs[PROGRAMS_KEPT]; /* numbers of running external engines, last used first */
    int program_count;
    bool played; /* a game */
    Search *verifier;
    Player *players[]; /* [settings->schedule.players]: created when needed */
} GauntletWorker;

static void destroy_worker(void *pointer)
{
    GauntletWorker *worker = pointer;

    for (int i = 0; i < worker->context->settings->schedule.players; i++)
        player_destroy(worker->players[i]);
    search_destroy(worker->verifier);
    free(worker);
}

static void *create_worker(void *context, Error *err)
{
    const GauntletContext *c = context;
    size_t players = (size_t)c->settings->schedule.players;
    GauntletWorker *worker = calloc(1, sizeof *worker + players * sizeof *worker->players);

    if (!worker) return ERROR_NULL(err, STATUS_FAILED, "out of memory for a worker");
    worker->context = c;
    worker->verifier = search_create(&c->neutral, OPENING_VERIFIER_HASH, err);
    if (worker->verifier) return worker;
    destroy_worker(worker);
    return NULL;
}

/* Marks an external engine as used; may end the one unused for longest. */
static void keep_running(GauntletWorker *worker, int number)
{
    int *programs = worker->programs, at = 0;

    while (at < worker->program_count && programs[at] != number)
        at++;
    if (at == PROGRAMS_KEPT) {
        Player *stopped = worker->players[programs[--at]];
        if (stopped) player_stop_uci(stopped);
    } else if (at == worker->program_count) {
        worker->program_count++;
    }
    memmove(programs + 1, programs, (size_t)at * sizeof *programs);
    programs[0] = number;
}

/* The player with this number, created when first needed. */
static Player *player_of(GauntletWorker *worker, int number, Error *err)
{
    const GauntletPlayer *p = &worker->context->settings->players[number];

    if (p->uci) keep_running(worker, number);
    if (!worker->players[number])
        worker->players[number] =
            p->uci ? player_create_uci(p->uci, err) : player_create_engine(&p->engine, err);
    return worker->players[number];
}

/* Before another game; ends early when cancelled. */
static void pause_worker(GauntletWorker *worker, const atomic_int *cancelled)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int64_t until = clock_ms() + worker->context->settings->wait_ms;

    while (worker->played && clock_ms() < until && !(cancelled && atomic_load(cancelled)))
        (void)nanosleep(&nap, NULL);
    worker->played = true;
}

static Status play_game(void *pointer, int64_t index, const atomic_int *cancelled, GameRecord *game,
                        Error *err)
{
    GauntletWorker *worker = pointer;
    const GauntletContext *c = worker->context;
    const GauntletSettings *s = c->settings;
    ScheduledGame scheduled = schedule_game(&s->schedule, index);
    GameSetup setup = {.white = scheduled.white,
                       .adjudication = s->adjudication,
                       .stop_on_fault = s->stop_on_fault,
                       .cancelled = cancelled,
                       .measured = gauntlet_unrepeatable(s) != NULL};
    GameOpening opening;

    for (int i = 0; i < 2; i++) {
        int number = scheduled.players[i];
        setup.players[i] = player_of(worker, number, err);
        if (!setup.players[i]) return err->status;
        setup.limits[i] = game_limits(&s->players[number].limits);
        setup.margin_ms[i] = s->players[number].margin_ms;
    }
    if (s->wait_ms > 0) pause_worker(worker, cancelled);
    Status status = opening_of_game(&s->opening, s->seed, s->book, scheduled.opening,
                                    worker->verifier, &opening, err);
    if (status != STATUS_OK) return status;
    setup.start_fen = opening.start_fen;
    setup.book_moves = opening.moves;
    setup.book_count = opening.move_count;
    status = game_play(&setup, game, err);
    if (status == STATUS_ENGINE) status = error_prefix(err, "game %lld", (long long)index + 1);
    game->opening_no = scheduled.opening;
    game->white = scheduled.players[scheduled.white];
    game->black = scheduled.players[1 - scheduled.white];
    return status;
}

/* ---- Judging */

static void report(void *context)
{
    GauntletContext *c = context;

    c->result->seconds = clock_seconds() - c->started;
    if (c->observer->progress) c->observer->progress(c->observer->context, c->result);
}

static void judge_pair(GauntletContext *c, int64_t first)
{
    GauntletProgress *r = c->result;

    if (scoreboard_add_pair(&r->board, first, &c->outcomes[first]) && c->observer->repeats)
        c->observer->repeats(
            c->observer->context,
            &r->board.pairings[schedule_game(&c->settings->schedule, first).pairing]);
    r->score = scoreboard_player(&r->board, 0);
    match_stats(&r->score, &c->settings->sprt, &r->stats);
    c->decided = r->stats.decision == SPRT_ACCEPT_H0 || r->stats.decision == SPRT_ACCEPT_H1;
}

static bool is_whole(const GauntletContext *c, int64_t first)
{
    return c->outcomes[first].known && c->outcomes[first + 1].known;
}

/* Records a game. A finished pair goes on the board; with SPRT not before all earlier pairs. */
static void take_outcome(GauntletContext *c, const GameRecord *game)
{
    int64_t first = game->game_no - game->game_no % 2;
    int loser = game->result == RESULT_WHITE_WINS ? game->black : game->white;

    c->outcomes[game->game_no] = game_outcome(&c->settings->schedule, game);
    c->result->done++;
    c->result->forfeits += c->outcomes[game->game_no].fault && c->settings->players[loser].uci;
    if (!c->settings->sprt.enabled) {
        if (is_whole(c, first)) judge_pair(c, first);
        return;
    }
    for (; !c->decided && c->judged < c->result->total && is_whole(c, c->judged); c->judged += 2)
        judge_pair(c, c->judged);
}

static bool game_finished(void *context, const GameRecord *game)
{
    GauntletContext *c = context;
    const GauntletObserver *o = c->observer;

    take_outcome(c, game);
    if (o->fault && c->outcomes[game->game_no].fault) o->fault(o->context, game);
    report(c);
    return !c->decided;
}

static Status game_saved(void *context, const GameRecord *game, Error *err)
{
    const GauntletContext *c = context;
    const GauntletObserver *o = c->observer;

    return o->take_game ? o->take_game(o->context, game, false, err) : STATUS_OK;
}

static void games_repeated(void *context, int games)
{
    const GauntletContext *c = context;

    if (c->observer->paused) c->observer->paused(c->observer->context, games);
}

static RunnerJob job_of(GauntletContext *context)
{
    return (RunnerJob){.context = context,
                       .create_worker = create_worker,
                       .destroy_worker = destroy_worker,
                       .play = play_game,
                       .finished = game_finished,
                       .saved = game_saved,
                       .paused = games_repeated,
                       .tick = report};
}

/* ---- The run in the store */

/* Are these the players that the schedule has for the game? */
static bool has_its_players(const GauntletContext *c, const GameRecord *game)
{
    ScheduledGame scheduled = schedule_game(&c->settings->schedule, game->game_no);

    return game->white == scheduled.players[scheduled.white] &&
           game->black == scheduled.players[1 - scheduled.white];
}

/* Records the stored games and passes them to the observer. *longer: there are games beyond those
 * of the settings, of a longer match. */
static Status read_games(Store *store, const RunRecord *run, GauntletContext *c, bool *longer,
                         Error *err)
{
    const GauntletObserver *o = c->observer;
    const GameRecord *game;
    int64_t game_id, run_id;

    *longer = false;
    GameCursor *cursor = store_read_games(store, &run->run_id, 1, 0, err);

    if (!cursor) return err->status;
    Status status = game_cursor_next(cursor, &game, &game_id, &run_id, err);
    while (status == STATUS_OK && game) {
        bool scheduled = game->game_no < c->result->total;
        *longer |= !scheduled;
        if (scheduled && !has_its_players(c, game))
            status = error_set(err, STATUS_DATABASE,
                               "%s: game %lld of run %lld has players that it cannot have",
                               store_path(store), (long long)game->game_no, (long long)run_id);
        if (status == STATUS_OK && scheduled) take_outcome(c, game);
        if (status == STATUS_OK && scheduled && o->take_game)
            status = o->take_game(o->context, game, true, err);
        if (status == STATUS_OK) status = game_cursor_next(cursor, &game, &game_id, &run_id, err);
    }
    game_cursor_close(cursor);
    return status;
}

/* ---- The match */

const GauntletPlayer *gauntlet_unrepeatable(const GauntletSettings *settings)
{
    for (int i = 0; i < settings->schedule.players; i++) {
        const GauntletPlayer *p = &settings->players[i];
        if (p->uci || p->engine.threads > 1 || p->limits.has_clock || p->limits.movetime_ms > 0)
            return p;
    }
    return NULL;
}

static Status check_settings(const GauntletSettings *s, Error *err)
{
    int count = s->schedule.players;

    if (count < 2 || count > PLAYERS_MAX)
        return error_set(err, STATUS_USAGE, "a match needs 2 to %d players", PLAYERS_MAX);
    if (s->games < 0 || s->games % 2 != 0)
        return error_set(err, STATUS_USAGE, "a match needs an even number of games, not %lld",
                         (long long)s->games);
    if (s->schedule.seeds < 1 || s->schedule.seeds >= count)
        return error_set(err, STATUS_USAGE, "with %d players at most %d can be seeds", count,
                         count - 1);
    if (s->sprt.enabled && count > 2)
        return error_set(err, STATUS_USAGE, "a sequential test needs two players, not %d", count);
    for (int i = 0; i < count; i++)
        if (!game_is_limited(&s->players[i].limits))
            return error_set(err, STATUS_USAGE, "%s needs a limit of nodes, depth or time",
                             s->players[i].name);
    return STATUS_OK;
}

/* What all games at once need of descriptors and processes: an engine has a guard, and so has its
 * adapter. */
static Status check_limits(const GauntletContext *c, Error *err)
{
    const GauntletSettings *s = c->settings;
    int64_t games = c->result->total < s->threads ? c->result->total : s->threads;
    int engines = 0, processes = 0;

    for (int i = 0; i < s->schedule.players && engines < PROGRAMS_KEPT; i++) {
        const UciSetup *uci = s->players[i].uci;
        if (!uci) continue;
        engines++;
        processes += uci->adapter.program ? 4 : 2;
    }
    if (engines == 0) return STATUS_OK;
    return child_check_limits(games * engines, games * (processes + 1), err);
}

static Status play_missing(Store *store, GauntletContext *c, int64_t run_id,
                           const atomic_int *interrupted, Error *err)
{
    int64_t total = c->result->total;
    int64_t *missing = malloc(((size_t)total + 1) * sizeof *missing);
    const RunnerJob job = job_of(c);
    RunnerOptions options = {.threads = c->settings->threads,
                             .indices = missing,
                             .store = store,
                             .run_id = run_id,
                             .at_once = gauntlet_unrepeatable(c->settings) != NULL,
                             .clock = true,
                             .search = c->settings->searches,
                             .affinity = c->settings->affinity,
                             .remote = c->settings->remote,
                             .interrupted = interrupted};

    if (!missing) return error_set(err, STATUS_FAILED, "out of memory for the list of games");
    for (int64_t i = 0; i < total && !c->decided; i++)
        if (!c->outcomes[i].known) missing[options.count++] = i;
    Status status = store && options.count > 0 ? store_reopen_run(store, run_id, err) : STATUS_OK;
    if (store) store_watch(store, NULL); /* games that end before Ctrl-C are committed after it */
    if (status == STATUS_OK) status = runner_run(&options, &job, err);
    report(c);
    free(missing);
    return status;
}

/* The result of a part does not replace that of the longer match. */
static Status record_state(Store *store, const RunRecord *run, const GauntletContext *c,
                           bool longer, const char *state, Error *err)
{
    return longer ? STATUS_OK
                  : gauntlet_record_state(store, run, state, c->settings, c->result, err);
}

/* A match whose games and result are stored. */
static Status run_stored(Store *store, GauntletContext *c, const atomic_int *interrupted,
                         Error *err)
{
    RunRecord run;
    bool longer = false;
    char difference[256];

    store_watch(store, interrupted);
    Status status = gauntlet_record_open(store, c->settings, &run, err);
    if (status == STATUS_OK) status = read_games(store, &run, c, &longer, err);
    if (status == STATUS_OK) status = gauntlet_record_read_pvs(store, &run, c->settings, err);
    if (status == STATUS_OK)
        status = gauntlet_record_difference(store, &run, &c->settings->sprt, difference,
                                            sizeof difference, err);
    if (status == STATUS_OK && c->result->done > 0 && *difference && c->observer->test_changed)
        c->observer->test_changed(c->observer->context, difference);
    bool complete = c->decided || c->result->done == c->result->total;
    /* Only now: the result of the stored games is not replaced by an empty one. */
    if (status == STATUS_OK && !complete)
        status = record_state(store, &run, c, longer, "running", err);
    if (status != STATUS_OK) {
        store_watch(store, NULL);
        return status;
    }
    c->result->resumed = c->result->done;
    report(c);
    status = play_missing(store, c, run.run_id, interrupted, err);
    store_watch(store, NULL); /* also when it played nothing */
    if (status != STATUS_OK) {
        Status also = record_state(store, &run, c, longer, "interrupted", &(Error){0});
        (void)also; /* the first failure is the one to report */
        return status;
    }
    status = record_state(store, &run, c, longer, "finished", err);
    return status == STATUS_OK && !longer ? store_finish_run(store, run.run_id, err) : status;
}

/* Completes context and result. */
static Status prepare(GauntletContext *c, Error *err)
{
    const Schedule *schedule = &c->settings->schedule;
    GauntletProgress *r = c->result;

    evaluation_material(&c->neutral);
    r->total = schedule_games(schedule, c->settings->games / 2);
    c->outcomes = calloc((size_t)r->total + 1, sizeof *c->outcomes);
    if (!c->outcomes) return error_set(err, STATUS_FAILED, "out of memory for the results");
    return scoreboard_init(&r->board, schedule, err);
}

Status gauntlet_run(Store *store, const GauntletSettings *settings,
                    const GauntletObserver *observer, const atomic_int *interrupted,
                    GauntletProgress *result, Error *err)
{
    const GauntletObserver no_observer = {0};
    GauntletContext c = {.settings = settings,
                         .observer = observer ? observer : &no_observer,
                         .result = result,
                         .started = clock_seconds()};

    *result = (GauntletProgress){0};
    match_stats(&result->score, &settings->sprt, &result->stats);
    Status status = check_settings(settings, err);
    if (status == STATUS_OK) status = prepare(&c, err);
    if (status == STATUS_OK) status = check_limits(&c, err);
    if (status == STATUS_OK)
        status = store ? run_stored(store, &c, interrupted, err)
                       : play_missing(NULL, &c, 0, interrupted, err);
    if (settings->remote) remote_workers_dismiss(settings->remote);
    free(c.outcomes);
    return status;
}

Status gauntlet_serve(const GauntletSettings *settings, const atomic_int *interrupted, Error *err)
{
    GauntletContext c = {.settings = settings};
    const RunnerJob job = job_of(&c);

    Status status = check_settings(settings, err);
    if (status != STATUS_OK) return status;
    evaluation_material(&c.neutral);
    runner_serve(settings->threads, &job, interrupted);
    return STATUS_OK;
}
