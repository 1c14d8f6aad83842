/* SPDX-License-Identifier: MIT
 * The store with full disks, kills at any moment, competing processes and read-only directories:
 * after each, committed data is there and nothing else. */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/tables/check.h"
#include "db/tables/digest.h"
#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

enum { PLIES = 60, BATCH = 8 };

static Error err;
static char path[256];

static void setup(void)
{
    (void)snprintf(path, sizeof path, "%s/a.db", support_temp_dir());
}

/* One transaction of BATCH games with their positions; returns errors. */
static Status put_batch(Store *store, uint64_t seed, int64_t first)
{
    static GamePly plies[PLIES];
    static PositionRow rows[PLIES];
    GameRecord game = {.result = RESULT_DRAW,
                       .reason = REASON_STALEMATE,
                       .ply_count = PLIES,
                       .plies = plies,
                       .start_fen = "somewhere"};
    RunRecord run = {.kind = RUN_SELFPLAY, .config = "{}", .seed = seed, .generation = -1};

    for (int i = 0; i < PLIES; i++) {
        plies[i].move = (uint16_t)(i + 1);
        rows[i] = (PositionRow){
            .ply = i, .fen = "a position of some length, as they are", .move = "e2e4"};
    }
    run_identify(&run);
    Status status = store_begin(store, &err);
    if (status == STATUS_OK) status = store_open_run(store, &run, NULL, &err);
    for (game.game_no = first; game.game_no < first + BATCH && status == STATUS_OK; game.game_no++)
        status = store_put_game(store, run.run_id, &game, rows, &err);
    if (status == STATUS_OK) status = store_commit(store, &err);
    if (status) store_rollback(store);
    return status;
}

/* The database must open, pass the check and hold whole batches; returns the games of a run. */
static int64_t verify(uint64_t seed)
{
    GameCounts counts = {0};
    RunRecord *runs;
    int count;

    Store *store = store_open(path, STORE_WRITE, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    MUST(store_check(store, &err));
    MUST(store_list_runs(store, 0, &runs, &count, &err));
    for (int i = 0; i < count; i++)
        if (runs[i].seed == seed) MUST(store_count_games(store, runs[i].run_id, &counts, &err));
    store_free_runs(runs, count);
    store_close(store);
    ck_assert_int_eq(counts.games % BATCH, 0);
    return counts.games;
}

/* Runs `work` in a child process; returns its exit status. */
static int in_child(void (*work)(long), long argument)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        work(argument);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Limits all files to `bytes`: write() then fails as on a full disk. */
static void limit_file_size(long bytes)
{
    struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(99);
}

/* Writes until the disk is full; exit code 10 + committed batches, or 1 on a wrong error. */
static void write_until_full(long bytes)
{
    limit_file_size(bytes);
    Store *store = store_open(path, STORE_WRITE, &err);
    for (int batch = 0; store && batch < 100; batch++) {
        if (put_batch(store, 1, batch * BATCH) == STATUS_OK) continue;
        bool reported =
            err.status == STATUS_DATABASE && strstr(err.text, path) && strstr(err.text, "disk");
        /* The store stays usable for reading. */
        bool readable = store_digest(store, (char[HASH_HEX_MAX]){0}, &(Error){0}) == STATUS_OK;
        store_close(store);
        _exit(reported && readable ? 10 + batch : 1);
    }
    _exit(store ? 2 : 3);
}

START_TEST(full_disk_loses_nothing)
{
    static const long limits[] = {100000, 131072, 200000, 262145, 300001};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        (void)remove(path);
        store_close(store_open(path, STORE_CREATE, &err));
        int code = in_child(write_until_full, limits[i]);
        ck_assert_msg(code >= 10, "limit %ld: exit code %d", limits[i], code);
        ck_assert_int_eq(verify(1), BATCH * (code - 10));
        /* With free space writing continues. */
        Store *store = store_open(path, STORE_WRITE, &err);
        MUST(put_batch(store, 1, verify(1)));
        store_close(store);
        ck_assert_int_eq(verify(1), BATCH * (code - 9));
    }
}
END_TEST

static void create_within(long bytes)
{
    limit_file_size(bytes);
    Store *store = store_open(path, STORE_CREATE, &err);
    if (!store && err.status != STATUS_DATABASE) _exit(1);
    store_close(store);
}

START_TEST(creation_is_all_or_nothing)
{
    for (long bytes = 0; bytes < 150000; bytes += 3001) {
        (void)remove(path);
        ck_assert_int_eq(in_child(create_within, bytes), 0);
        Store *store = store_open(path, STORE_CREATE, &err);
        ck_assert_msg(store != NULL, "after a disk of %ld bytes: %s", bytes, err.text);
        MUST(put_batch(store, 1, 0));
        store_close(store);
        ck_assert_int_eq(verify(1), BATCH);
    }
}
END_TEST

/* Writes a byte to `pipe_end` after each commit. */
static void write_forever(int pipe_end)
{
    Store *store = store_open(path, STORE_CREATE, &err);
    for (int64_t first = 0; store; first += BATCH)
        if (put_batch(store, 1, first) != STATUS_OK || write(pipe_end, "", 1) != 1) break;
    fprintf(stderr, "%s\n", err.text);
    _exit(1);
}

/* Kills a writer some time after it reported `commits` commits. */
static void kill_writer(int commits, long microseconds)
{
    int ends[2], status;
    char byte;

    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) write_forever(ends[1]);
    (void)close(ends[1]);
    for (int i = 0; i < commits; i++)
        ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status), "the writer ended by itself");
    (void)close(ends[0]);
}

START_TEST(a_kill_leaves_whole_transactions)
{
    /* The first writers die while the database is created. */
    int commits = _i < 12 ? 0 : _i % 5;
    char digest[HASH_HEX_MAX], again[HASH_HEX_MAX];

    kill_writer(commits, 211L * _i);
    Store *store = store_open(path, STORE_CREATE, &err);
    ck_assert_msg(store != NULL, "%s", err.text);
    MUST(store_digest(store, digest, &err));
    store_close(store);
    int64_t games = verify(1);
    ck_assert_int_ge(games, commits * BATCH); /* reported commits are there */

    /* Writing all games again adds the missing ones alone. */
    store = store_open(path, STORE_CREATE, &err);
    for (int64_t first = 0; first < games; first += BATCH)
        MUST(put_batch(store, 1, first));
    MUST(store_digest(store, again, &err));
    store_close(store);
    ck_assert_str_eq(digest, again);
}
END_TEST

static void write_some(long seed)
{
    Store *store = store_open(path, STORE_CREATE, &err);
    for (int64_t i = 0; store && i < 3; i++)
        if (put_batch(store, (uint64_t)seed, i * BATCH) != STATUS_OK) break;
    store_close(store);
    if (err.status) fprintf(stderr, "%s\n", err.text);
    _exit(err.status ? 1 : 0);
}

START_TEST(rivals_take_turns)
{
    enum { RIVALS = 8 };
    pid_t children[RIVALS];

    for (int i = 0; i < RIVALS; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        if (children[i] == 0) write_some(i);
    }
    for (int i = 0; i < RIVALS; i++) {
        int status;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_int_eq(status, 0);
    }
    for (uint64_t seed = 0; seed < RIVALS; seed++)
        ck_assert_int_eq(verify(seed), 3 * BATCH);
}
END_TEST

/* Root may write everywhere, so it becomes another user first. */
static void use_without_permission(long unused)
{
    (void)unused;
    if (geteuid() == 0 && setuid(65534) != 0) _exit(99);
    Store *store = store_open(path, STORE_READ, &err);
    if (!store) _exit(1);
    if (store_check(store, &err) != STATUS_OK) _exit(2);
    store_close(store);
    if (store_open(path, STORE_WRITE, &err)) _exit(3);
    if (err.status != STATUS_DATABASE || !strstr(err.text, path)) _exit(4);
    char beside[300];
    (void)snprintf(beside, sizeof beside, "%s.new", path);
    if (store_open(beside, STORE_CREATE, &err)) _exit(5);
    if (err.status != STATUS_DATABASE || !strstr(err.text, beside)) _exit(6);
    if (access(beside, F_OK) == 0) _exit(7);
}

START_TEST(a_read_only_directory_can_be_read)
{
    char dir[256];
    (void)snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(path, '/') - path), path);
    Store *store = store_open(path, STORE_CREATE, &err);
    MUST(put_batch(store, 1, 0));
    store_close(store);
    ck_assert_int_eq(chmod(path, 0444), 0);
    ck_assert_int_eq(chmod(dir, 0555), 0);
    int code = in_child(use_without_permission, 0);
    ck_assert_int_eq(chmod(dir, 0755), 0);
    ck_assert_int_eq(code, 0);
}
END_TEST

static char link_path[256];

/* Exit code 0: the link leads to a database with that many games. */
static void count_through_link(long games)
{
    if (geteuid() == 0 && setuid(65534) != 0) _exit(99);
    Store *store = store_open(link_path, STORE_READ, &err);
    if (!store) _exit(1);
    if (support_count_rows(store, "games") != games) _exit(2);
    store_close(store);
}

/* The folder of the file decides whether it is read as one without a writer, not the link's. */
START_TEST(a_link_is_read_where_it_leads)
{
    const char *dir = support_temp_dir();
    char open[200], closed[200], log[300];

    (void)snprintf(open, sizeof open, "%s/open", dir);
    (void)snprintf(closed, sizeof closed, "%s/closed", dir);
    ck_assert(mkdir(open, 0777) == 0 && mkdir(closed, 0777) == 0);
    ck_assert(chmod(dir, 0755) == 0 && chmod(open, 0777) == 0);

    /* A log beside the file holds the last games. */
    (void)snprintf(path, sizeof path, "%s/a.db", open);
    (void)snprintf(link_path, sizeof link_path, "%s/link.db", closed);
    Store *store = store_open(path, STORE_CREATE, &err);
    MUST(put_batch(store, 1, 0));
    store_close(store);
    store = store_open(path, STORE_WRITE, &err);
    MUST(put_batch(store, 1, BATCH));
    ck_assert_int_eq(chmod(path, 0666), 0);
    (void)snprintf(log, sizeof log, "%s-wal", path);
    ck_assert_int_eq(chmod(log, 0666), 0);
    (void)snprintf(log, sizeof log, "%s-shm", path);
    ck_assert_int_eq(chmod(log, 0666), 0);
    ck_assert_int_eq(symlink(path, link_path), 0);
    ck_assert_int_eq(chmod(closed, 0555), 0);
    int code = in_child(count_through_link, 2L * BATCH);
    store_close(store);
    ck_assert_int_eq(chmod(closed, 0755), 0);
    ck_assert_int_eq(code, 0);

    /* The file's own folder is closed. */
    (void)snprintf(path, sizeof path, "%s/b.db", closed);
    (void)snprintf(link_path, sizeof link_path, "%s/link.db", open);
    store = store_open(path, STORE_CREATE, &err);
    MUST(put_batch(store, 1, 0));
    store_close(store);
    ck_assert_int_eq(symlink(path, link_path), 0);
    ck_assert_int_eq(chmod(closed, 0555), 0);
    code = in_child(count_through_link, BATCH);
    ck_assert_int_eq(chmod(closed, 0755), 0);
    ck_assert_int_eq(code, 0);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, setup, NULL);
    ADD_TESTS(c, full_disk_loses_nothing, creation_is_all_or_nothing,
              a_read_only_directory_can_be_read, a_link_is_read_where_it_leads);
    tcase_add_loop_test(c, a_kill_leaves_whole_transactions, 0, 40);
    tcase_add_loop_test(c, rivals_take_turns, 0, 10);
    return support_run(c);
}
