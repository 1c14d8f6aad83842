/* SPDX-License-Identifier: MIT
 * Workers and one writer around a reorder buffer. */
#include "selfplay/run/runner.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "db/chess/replay.h"
#include "db/tables/games.h"
#include "engine/base/clock.h"
#include "engine/base/system.h"

enum {
    WINDOW_BASE = 64, /* games in the buffer, so that a slow commit does not stop workers … */
    WINDOW_PER_THREAD = 16, /* … and more a thread, so that one long game does not either */
    BATCH_GAMES = 64,       /* commit when this many games wait … */
    BATCH_MS = 1000,        /* … or the oldest has waited this long */
    TICK_MS = 200
};

/* A place in the reorder buffer: game number n is in slot n % window. */
typedef struct Slot {
    bool filled;        /* played, or failed, and not yet saved */
    bool judged, saved; /* used by the writer only */
    GameRecord game;
    PositionRow *rows; /* NULL when not wanted */
    Error error;       /* STATUS_OK: the slot holds a game */
    double cpu;        /* seconds of playing it */
    GamePly plies[GAME_PLIES_MAX];
    PlyClock clock[GAME_PLIES_MAX];
    PlySearch search[GAME_PLIES_MAX];
} Slot;

/* Games are numbered by their places in options->indices; saved <= issued always. Games between
 * them are judged in order, or with options->at_once judged and saved in any order. */
typedef struct Run {
    const RunnerOptions *options;
    const RunnerJob *job;
    int threads; /* workers of this process */
    int team;    /* threads: those, one for each remote worker, and the writer */
    Slot *slots;
    int64_t window;

    pthread_mutex_t mutex; /* guards the fields up to the blank line, and Slot.filled */
    pthread_cond_t ready;  /* for the writer: a game finished or a worker ended */
    pthread_cond_t space;  /* for the workers: a slot was freed or the run ends */
    int64_t issued;        /* games given to workers */
    int64_t saved;         /* games whose slots are free again */
    int workers;           /* not ended yet */
    bool closed;           /* no new games */
    Error worker_error;    /* of the first worker that could not be created */

    /* Used by the writer only. */
    int64_t judged;    /* games passed to `finished` */
    int64_t waiting;   /* of them not saved */
    int64_t oldest_ms; /* when the oldest of those was judged */
    bool stopped;      /* by `finished` */
    bool ended;        /* by that, or by an error: later games are dropped */
    Error error;       /* the first in index order */
    int pauses;        /* of the process, of which `paused` was called */
    atomic_int cancelled;
} Run;

static bool is_interrupted(const Run *run)
{
    return run->options->interrupted && atomic_load(run->options->interrupted);
}

static Slot *slot_of(const Run *run, int64_t number)
{
    return &run->slots[number % run->window];
}

/* ---- Playing */

static Status fill_rows(Slot *slot)
{
    slot->rows = malloc((size_t)slot->game.ply_count * sizeof *slot->rows + 1);
    if (!slot->rows) return error_set(&slot->error, STATUS_FAILED, "out of memory for positions");
    return replay_positions(&slot->game, slot->rows, &slot->error);
}

/* CPU seconds of the calling thread. */
static double thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Plays a game into its slot, which only this thread uses until it is filled. worker NULL: the
 * remote worker of this number plays it. */
static void play_game(Run *run, void *worker, int remote, int64_t number,
                      const atomic_int *cancelled)
{
    Slot *slot = slot_of(run, number);
    int64_t index = run->options->indices[number];
    GameRecord *game = &slot->game;

    double started = thread_seconds();
    Status status;
    do {
        slot->error.status = STATUS_OK;
        *game = (GameRecord){.plies = slot->plies,
                             .clock = run->options->clock ? slot->clock : NULL,
                             .search = run->options->search ? slot->search : NULL};
        status = worker ? run->job->play(worker, index, cancelled, game, &slot->error)
                        : remote_workers_play(run->options->remote, remote, index, game, &slot->cpu,
                                              &slot->error);
    } while (status == STATUS_INTERRUPTED && worker && !atomic_load(cancelled) &&
             !is_interrupted(run));
    if (worker) slot->cpu = thread_seconds() - started;
    game->game_no = index;
    if (status == STATUS_OK && run->options->store && run->options->positions)
        status = fill_rows(slot);
    slot->error.status = status;
}

static void wait_for_space(Run *run)
{
    double started = clock_seconds();

    (void)pthread_cond_wait(&run->space, &run->mutex);
    if (run->options->times) run->options->times->waiting += clock_seconds() - started;
}

/* Waits for room in the buffer; -1 when there is nothing more to play. The lowest unfinished game
 * has the first slot and never waits, so there is no deadlock. Called with the mutex held. */
static int64_t take_game(Run *run)
{
    while (!run->closed && run->issued < run->options->count &&
           run->issued - run->saved >= run->window)
        wait_for_space(run);
    if (run->closed || run->issued >= run->options->count || is_interrupted(run)) return -1;
    return run->issued++;
}

static void play_until_closed(Run *run, void *worker, int remote)
{
    (void)pthread_mutex_lock(&run->mutex);
    for (int64_t number; (number = take_game(run)) >= 0;) {
        (void)pthread_mutex_unlock(&run->mutex);
        play_game(run, worker, remote, number, &run->cancelled);
        (void)pthread_mutex_lock(&run->mutex);
        slot_of(run, number)->filled = true;
        /* Games in progress continue, so that the first error by index is the one reported. */
        if (slot_of(run, number)->error.status != STATUS_OK) run->closed = true;
        (void)pthread_cond_signal(&run->ready);
    }
    (void)pthread_mutex_unlock(&run->mutex);
}

static void end_worker(Run *run, const Error *error)
{
    (void)pthread_mutex_lock(&run->mutex);
    if (error->status != STATUS_OK) {
        if (run->worker_error.status == STATUS_OK) run->worker_error = *error;
        run->closed = true;
        (void)pthread_cond_broadcast(&run->space);
    }
    run->workers--;
    (void)pthread_cond_signal(&run->ready);
    (void)pthread_mutex_unlock(&run->mutex);
}

/* number: from 0. */
static void worker_thread(Run *run, int number)
{
    const Affinity *affinity = run->options->affinity;
    Error error = {0};

    if (affinity) affinity_bind(affinity, number);
    void *worker = run->job->create_worker(run->job->context, &error);
    if (worker) {
        play_until_closed(run, worker, 0);
        run->job->destroy_worker(worker);
    } else if (error.status == STATUS_OK) {
        (void)error_set(&error, STATUS_FAILED, "a worker could not be created");
    }
    end_worker(run, &error);
    if (affinity) affinity_release(affinity); /* OpenMP reuses the thread */
}

/* ---- Writing */

/* Starts no new games and cancels those in progress. */
static void cancel_games(Run *run)
{
    atomic_store(&run->cancelled, 1);
    (void)pthread_mutex_lock(&run->mutex);
    run->closed = true;
    (void)pthread_cond_broadcast(&run->space);
    (void)pthread_mutex_unlock(&run->mutex);
}

/* Drops everything after the games judged so far. */
static void end_run(Run *run)
{
    run->ended = true;
    cancel_games(run);
}

/* The next game to be judged, or -1. Called with the mutex held. */
static int64_t next_to_judge(const Run *run)
{
    for (int64_t n = run->saved; n < run->issued; n++) {
        const Slot *slot = slot_of(run, n);
        if (slot->filled && !slot->judged) return n;
        if (!slot->filled && !run->options->at_once) break;
    }
    return -1;
}

static int64_t find_game(Run *run)
{
    (void)pthread_mutex_lock(&run->mutex);
    int64_t number = next_to_judge(run);
    (void)pthread_mutex_unlock(&run->mutex);
    return number;
}

/* Ends the run with this error. With at_once, games that still finish are kept. */
static void fail_game(Run *run, Slot *slot)
{
    if (run->error.status == STATUS_OK || run->error.status == STATUS_INTERRUPTED)
        run->error = slot->error;
    slot->judged = slot->saved = true;
    if (run->options->at_once)
        cancel_games(run);
    else
        end_run(run);
}

/* Passes the next finished games to `finished`, at most a batch ahead of the commits. */
static void judge_games(Run *run)
{
    int64_t number;

    while (!run->ended && run->waiting < BATCH_GAMES && (number = find_game(run)) >= 0) {
        Slot *slot = slot_of(run, number);
        if (slot->error.status != STATUS_OK) {
            fail_game(run, slot);
            continue;
        }
        if (run->options->times) run->options->times->playing += slot->cpu;
        if (run->waiting++ == 0) run->oldest_ms = clock_ms();
        run->judged++;
        slot->judged = true;
        if (!run->job->finished(run->job->context, &slot->game)) {
            run->stopped = true;
            end_run(run);
        }
    }
}

/* Frees the slots of saved games up to the first unsaved one. */
static void free_slots(Run *run)
{
    (void)pthread_mutex_lock(&run->mutex);
    for (; run->saved < run->issued && slot_of(run, run->saved)->saved; run->saved++) {
        Slot *slot = slot_of(run, run->saved);
        free(slot->rows);
        slot->rows = NULL;
        slot->filled = slot->judged = slot->saved = false;
    }
    (void)pthread_cond_broadcast(&run->space);
    (void)pthread_mutex_unlock(&run->mutex);
}

/* Puts the judged games into the store. */
static Status put_games(Run *run, Error *err)
{
    Status status = STATUS_OK;
    int64_t left = run->waiting;

    for (int64_t n = run->saved; left > 0 && status == STATUS_OK; n++) {
        Slot *slot = slot_of(run, n);
        if (!slot->judged || slot->saved) continue;
        left--;
        status =
            store_put_game(run->options->store, run->options->run_id, &slot->game, slot->rows, err);
    }
    return status;
}

/* Marks the judged games saved, and announces them unless they could not be saved. */
static Status announce_games(Run *run, Status status, Error *err)
{
    int64_t left = run->waiting;

    for (int64_t n = run->saved; left > 0; n++) {
        Slot *slot = slot_of(run, n);
        if (!slot->judged || slot->saved) continue;
        left--;
        slot->saved = true;
        if (status == STATUS_OK && run->job->saved)
            status = run->job->saved(run->job->context, &slot->game, err);
    }
    return status;
}

/* Commits the judged games in one transaction, so that the database is locked for milliseconds. */
static void save_games(Run *run)
{
    Store *store = run->options->store;
    Error error = {0};

    if (run->waiting == 0) return;
    Status status = store ? store_begin(store, &error) : STATUS_OK;
    if (store && status == STATUS_OK) status = put_games(run, &error);
    if (store && status == STATUS_OK) status = store_commit(store, &error);
    if (store && status != STATUS_OK) store_rollback(store);
    status = announce_games(run, status, &error);
    if (status != STATUS_OK) {
        error.status = status;
        run->error = error; /* by index it comes before any other error */
        end_run(run);
    }
    run->waiting = 0;
    free_slots(run);
}

static bool save_is_due(const Run *run)
{
    return run->waiting >= BATCH_GAMES || (run->waiting > 0 && run->options->at_once) ||
           (run->waiting > 0 && clock_ms() - run->oldest_ms >= BATCH_MS);
}

/* Sleeps until a game finishes, a commit may be due or it is time to tick; false when all workers
 * have ended and no game is left to judge. */
static bool wait_for_games(Run *run)
{
    struct timespec until;
    bool more = true;

    (void)clock_gettime(SYSTEM_COND_CLOCK, &until);
    until.tv_nsec += TICK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    const int64_t asked = clock_ms();
    (void)pthread_mutex_lock(&run->mutex);
    for (;;) {
        bool next = next_to_judge(run) >= 0;
        more = run->workers > 0 || next;
        if (next || !more) break;
        if (pthread_cond_timedwait(&run->ready, &run->mutex, &until) == ETIMEDOUT) break;
    }
    (void)pthread_mutex_unlock(&run->mutex);
    system_note_pause(clock_ms() - asked - TICK_MS);
    return more;
}

/* Reports games in progress that a pause of the process has spoilt. */
static void report_pause(Run *run)
{
    int pauses = system_pauses(), games = 0;

    if (pauses == run->pauses) return;
    run->pauses = pauses;
    (void)pthread_mutex_lock(&run->mutex);
    for (int64_t n = run->saved; n < run->issued; n++)
        games += !slot_of(run, n)->filled;
    (void)pthread_mutex_unlock(&run->mutex);
    if (games > 0 && run->options->at_once && run->job->paused)
        run->job->paused(run->job->context, games);
}

static void writer_thread(Run *run)
{
    int64_t ticked = clock_ms();

    while (wait_for_games(run)) {
        report_pause(run);
        if (is_interrupted(run)) cancel_games(run);
        judge_games(run);
        if (save_is_due(run)) save_games(run);
        if (run->ended) break;
        if (run->job->tick && clock_ms() - ticked >= TICK_MS) {
            run->job->tick(run->job->context);
            ticked = clock_ms();
        }
    }
    save_games(run);
}

/* One thread that plays and writes in turn. */
static void run_serially(Run *run)
{
    const atomic_int *cancelled = run->options->interrupted;
    void *worker = run->job->create_worker(run->job->context, &run->worker_error);

    if (!worker) return;
    if (!cancelled) cancelled = &run->cancelled;
    while (!run->ended && !run->closed && run->issued < run->options->count &&
           !is_interrupted(run)) {
        int64_t number = run->issued++;
        play_game(run, worker, 0, number, cancelled);
        slot_of(run, number)->filled = true;
        judge_games(run);
        if (save_is_due(run)) save_games(run);
        if (run->job->tick) run->job->tick(run->job->context);
    }
    save_games(run);
    run->job->destroy_worker(worker);
}

static int team_size(void)
{
#ifdef _OPENMP
    return omp_get_num_threads();
#else
    return 1;
#endif
}

/* 0 is the calling thread. */
static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* The calling thread writes, the others play or wait for the games of a remote worker. If there are
 * no others, it does both. */
static void run_in_parallel(Run *run)
{
#pragma omp parallel num_threads(run->team) default(none) shared(run)
    {
#pragma omp single
        run->workers = team_size() - 1;
        if (team_size() == 1)
            run_serially(run);
        else if (thread_number() == 0)
            writer_thread(run);
        else if (thread_number() <= run->threads)
            worker_thread(run, thread_number() - 1);
        else {
            play_until_closed(run, NULL, thread_number() - 1 - run->threads);
            end_worker(run, &(Error){0});
        }
    }
}

/* ---- The run */

static Status run_init(Run *run, Error *err)
{
    int remote = run->options->remote ? run->options->remote->count : 0;

    run->threads = run->options->threads < 1 ? 1 : run->options->threads;
    int workers = run->threads + remote;
    run->team = 1 + (workers < run->options->count ? workers : (int)run->options->count);
    run->window = WINDOW_BASE + (int64_t)WINDOW_PER_THREAD * workers;
    if (run->window > run->options->count) run->window = run->options->count;
    run->slots = calloc((size_t)run->window, sizeof *run->slots);
    if (!run->slots)
        return error_set(err, STATUS_FAILED, "out of memory for the games in progress");
    (void)pthread_mutex_init(&run->mutex, NULL);
    system_cond_init(&run->ready);
    system_cond_init(&run->space);
    return STATUS_OK;
}

static void run_free(Run *run)
{
    for (int64_t i = 0; i < run->window; i++)
        free(run->slots[i].rows);
    free(run->slots);
    (void)pthread_cond_destroy(&run->space);
    (void)pthread_cond_destroy(&run->ready);
    (void)pthread_mutex_destroy(&run->mutex);
}

static Status run_outcome(const Run *run, Error *err)
{
    const Error *error = &run->error;

    if (error->status == STATUS_OK) {
        if (run->stopped || run->judged == run->options->count) return STATUS_OK;
        error = &run->worker_error;
    }
    if (error->status == STATUS_OK || error->status == STATUS_INTERRUPTED)
        return error_set(err, STATUS_INTERRUPTED, "interrupted");
    return error_set(err, error->status, "%s", error->text);
}

Status runner_run(const RunnerOptions *options, const RunnerJob *job, Error *err)
{
    Run run = {.options = options, .job = job, .pauses = system_pauses()};

    if (options->count == 0) return STATUS_OK;
    Status status = run_init(&run, err);
    if (status != STATUS_OK) return status;
    run_in_parallel(&run);
    status = run_outcome(&run, err);
    run_free(&run);
    return status;
}

/* ---- Serving */

/* Every request gets an answer, so that rank 0 does not wait for ever: without memory for one, MPI
 * must end the job. */
static void serve(int thread, const RunnerJob *job, const atomic_int *interrupted)
{
    Error failure = {0};
    GameMessage *message = malloc(sizeof *message);

    if (!message) abort();
    void *worker = job->create_worker(job->context, &failure);
    if (!worker && failure.status == STATUS_OK)
        (void)error_set(&failure, STATUS_FAILED, "a worker could not be created");
    for (int64_t index; (index = remote_workers_next(thread)) >= 0;) {
        double started = thread_seconds();
        *message = (GameMessage){.error = failure};
        message->game = (GameRecord){.plies = message->plies, .clock = message->clock};
        if (worker)
            message->error.status =
                job->play(worker, index, interrupted, &message->game, &message->error);
        message->cpu = thread_seconds() - started;
        remote_workers_answer(thread, message);
    }
    if (worker) job->destroy_worker(worker);
    free(message);
}

void runner_serve(int threads, const RunnerJob *job, const atomic_int *interrupted)
{
#pragma omp parallel num_threads(threads) default(none) shared(job, interrupted)
    serve(thread_number(), job, interrupted);
}
