/* SPDX-License-Identifier: MIT
 * Fuzzes all readers of databases. The input is a command and a list of edits of a database that
 * `tabia learn` wrote, or of one of an earlier schema: values of any type in any column, bytes
 * within values, missing rows, bytes of pages. The edits are made without STRICT and CHECK, and the
 * schema is the old one afterwards. Every command ends, with success or with one of its errors. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "tests/fuzz/support_fuzz.h"

enum { WORDS_MAX = 64, PATH_BYTES = 128 };

/* The databases that are edited, without STRICT and CHECK: what `tabia learn` wrote, and
 * tests/data/version_N.sql. */
typedef enum Origin { LEARNED, VERSION_1, VERSION_2, VERSION_3, VERSION_4, ORIGINS } Origin;

static struct {
    uint8_t *bytes;
    size_t size;
} origins[ORIGINS];

static char folder[PATH_BYTES]; /* of this process */

/* Columns to edit. */
static const struct {
    const char *table, *column;
} columns[] = {
    {"weights", "sha256"},
    {"weights", "header"},
    {"weights", "label"},
    {"weights", "weights_id"},
    {"runs", "uuid"},
    {"runs", "kind"},
    {"runs", "label"},
    {"runs", "config"},
    {"runs", "seed"},
    {"runs", "generation"},
    {"runs", "started"},
    {"runs", "weights_a_id"},
    {"runs", "run_id"},
    {"players", "config"},
    {"players", "name"},
    {"players", "player_no"},
    {"games", "run_id"},
    {"games", "game_no"},
    {"games", "opening_no"},
    {"games", "start_fen"},
    {"games", "result"},
    {"games", "reason"},
    {"games", "white"},
    {"games", "black"},
    {"games", "nodes"},
    {"games", "ply_count"},
    {"games", "moves"},
    {"games", "clock"},
    {"games", "varied"},
    {"games", "game_id"},
    {"fits", "json"},
    {"fits", "fit_id"},
    {"gauntlets", "json"},
    {"gauntlets", "run_id"},
    {"generations", "json"},
    {"generations", "stage"},
    {"generations", "generation"},
    {"reasons", "reason"},
    {"reasons", "name"},
    {"positions", "score"},
    {"positions", "fen"},
    {"positions", "ply"},
    {"positions", "move"},
    {"positions", "flags"},
    {"weights", "difference"},
    {"weights", "base_id"},
};

static const int64_t integers[] = {0,         1,          -1,        2,         77,
                                   127,       -128,       32767,     65536,     INT32_MAX,
                                   INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN, 1000000000000};

/* ---- What is edited */

/* A path in our folder; valid for eight calls. */
static char *at(const char *name)
{
    static char paths[8][PATH_BYTES];
    static unsigned next;
    char *path = paths[next++ % 8];

    (void)snprintf(path, PATH_BYTES, "%.60s/%.40s", folder, name);
    return path;
}

/* Runs the words of a line, of which "@NAME" is a file in our folder. */
static Status command(Status (*run)(int, char **, Error *), const char *line, Error *err)
{
    char words[512], *argv[WORDS_MAX + 1], *state;
    int argc = 0;

    (void)snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &state); word && argc < WORDS_MAX;
         word = strtok_r(NULL, " ", &state))
        argv[argc++] = *word == '@' ? at(word + 1) : word;
    argv[argc] = NULL;
    return run(argc, argv, err);
}

static void must_run(Status (*run)(int, char **, Error *), const char *line)
{
    Error err = {0};

    if (command(run, line, &err) == STATUS_OK) return;
    (void)fprintf(stderr, "%s: %s\n", line, err.text);
    abort();
}

static void must_sql(sqlite3 *db, const char *sql)
{
    demand(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void remove_files(void)
{
    char line[PATH_BYTES + 16];

    (void)snprintf(line, sizeof line, "rm -rf %s", folder);
    (void)!system(line); /* NOLINT(cert-env33-c): our own folder */
}

/* Of a whole file; malloc'ed, with a NUL appended. */
static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");

    demand(in && fseek(in, 0, SEEK_END) == 0);
    *size = (size_t)ftell(in);
    uint8_t *bytes = calloc(1, *size + 1);
    rewind(in);
    demand(bytes && fread(bytes, 1, *size, in) == *size);
    (void)fclose(in);
    return bytes;
}

static void keep_origin(Origin origin, const char *path)
{
    static const char loosen[] =
        "PRAGMA journal_mode = DELETE; PRAGMA foreign_keys = OFF;"
        "CREATE TABLE kept AS SELECT name AS n, sql AS s FROM sqlite_schema WHERE sql LIKE "
        "'%STRICT%';"
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
        " replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')')"
        " WHERE name <> 'kept'; PRAGMA writable_schema = RESET";
    sqlite3 *db;

    demand(sqlite3_open(path, &db) == SQLITE_OK);
    must_sql(db, loosen);
    demand(sqlite3_close(db) == SQLITE_OK);
    origins[origin].bytes = read_whole(path, &origins[origin].size);
}

#define LEARN                                                                                      \
    "learn --from zero --dir @d --games 10 --nodes 20 --gauntlet-games 2 --gauntlet-nodes 20"      \
    " --final-games 2 --validation 0 --iterations 2 --max-plies 60 --threads 1 --quiet "

static void make_origins(void)
{
    size_t size;
    sqlite3 *db;

    must_run(cmd_learn, LEARN "--generations 1");
    must_run(cmd_db, "db materialize @d/learn.db --quiet --threads 1");
    keep_origin(LEARNED, at("d/learn.db"));
    for (int version = 1; version < ORIGINS; version++) {
        char name[64];
        (void)snprintf(name, sizeof name, "tests/data/version_%d.sql", version);
        uint8_t *sql = read_whole(name, &size); /* the working directory is that of the sources */
        (void)snprintf(name, sizeof name, "version_%d.db", version);
        demand(sqlite3_open(at(name), &db) == SQLITE_OK);
        must_sql(db, (const char *)sql);
        demand(sqlite3_close(db) == SQLITE_OK);
        free(sql);
        keep_origin((Origin)version, at(name));
    }
}

static void prepare(void)
{
    (void)snprintf(folder, sizeof folder, "%s/tabia-fuzz-database-%ld",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    char mkdir_line[PATH_BYTES + 16];
    (void)snprintf(mkdir_line, sizeof mkdir_line, "mkdir -p %s", folder);
    demand(system(mkdir_line) == 0); /* NOLINT(cert-env33-c) */
    demand(freopen("/dev/null", "w", stdout) != NULL);
    make_origins();
    (void)atexit(remove_files);
}

/* ---- Edits */

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

static unsigned take(Bytes *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static void bind_value(sqlite3_stmt *stmt, Bytes *in, unsigned kind)
{
    double real = 0;

    unsigned length = take(in) % 64;
    if (length > (size_t)(in->end - in->at)) length = (unsigned)(in->end - in->at);
    if (kind == 0) {
        (void)sqlite3_bind_int64(stmt, 1, integers[length % (sizeof integers / sizeof *integers)]);
    } else if (kind == 1) {
        memcpy(&real, in->at, length < sizeof real ? length : sizeof real);
        (void)sqlite3_bind_double(stmt, 1, real);
    } else if (kind == 2) {
        (void)sqlite3_bind_text(stmt, 1, (const char *)in->at, (int)length, SQLITE_TRANSIENT);
    } else if (kind == 3) {
        (void)sqlite3_bind_blob(stmt, 1, in->at, (int)length, SQLITE_TRANSIENT);
    }
    if (kind >= 1 && kind <= 3) in->at += length;
}

/* Another value, or a part of the value replaced, or no row. */
static void edit(sqlite3 *db, Bytes *in)
{
    unsigned which = take(in) % (sizeof columns / sizeof *columns), row = take(in),
             kind = take(in) % 8;
    const char *table = columns[which].table, *column = columns[which].column;
    const char *key = strcmp(table, "players") == 0     ? "(run_id, player_no)"
                      : strcmp(table, "positions") == 0 ? "(game_id, ply)"
                                                        : "(rowid)";
    sqlite3_stmt *stmt;
    char *sql, *place = sqlite3_mprintf("%s IN (SELECT %.*s FROM %s LIMIT 1 OFFSET %u)", key,
                                        (int)strlen(key) - 2, key + 1, table, row % 16);

    if (kind == 7)
        sql = sqlite3_mprintf("DELETE FROM %s WHERE %s", table, place);
    else if (kind >= 5) /* a part of it, which keeps the rest of a JSON or of moves */
        sql = sqlite3_mprintf(
            "UPDATE %s SET %s = CAST(substr(%s, 1, %u) || ?1 || substr(%s, %u) AS %s) WHERE %s",
            table, column, column, take(in), column, take(in),
            strcmp(column, "moves") == 0 || strcmp(column, "clock") == 0 ? "BLOB" : "TEXT", place);
    else
        sql = sqlite3_mprintf("UPDATE %s SET %s = ?1 WHERE %s", table, column, place);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
        if (kind < 7) bind_value(stmt, in, kind >= 5 ? 2 + kind % 2 : kind);
        (void)sqlite3_step(stmt); /* unique columns refuse some values */
        (void)sqlite3_finalize(stmt);
    }
    sqlite3_free(sql);
    sqlite3_free(place);
}

static void restore_schema(sqlite3 *db)
{
    must_sql(db, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
                 " (SELECT s FROM kept WHERE n = name) WHERE name IN (SELECT n FROM kept);"
                 "PRAGMA writable_schema = RESET; DROP TABLE kept");
}

static void write_file(Origin origin, const char *path)
{
    FILE *out = fopen(path, "wb");

    demand(out &&
           fwrite(origins[origin].bytes, 1, origins[origin].size, out) == origins[origin].size &&
           fclose(out) == 0);
}

/* Bytes of pages, after everything else. */
static void damage(const char *path, Bytes *in, unsigned count)
{
    FILE *out = fopen(path, "r+b");

    demand(out && fseek(out, 0, SEEK_END) == 0);
    long size = ftell(out);
    for (unsigned i = 0; i < count; i++) {
        long at = (long)(take(in) | take(in) << 8 | take(in) << 16) % size;
        (void)fseek(out, at, SEEK_SET);
        (void)fputc((int)take(in), out);
    }
    (void)fclose(out);
}

static void craft(Origin origin, const char *path, Bytes *in)
{
    sqlite3 *db;

    write_file(origin, path);
    unsigned edits = take(in) % 8, bytes = take(in) % 8;
    demand(sqlite3_open(path, &db) == SQLITE_OK);
    must_sql(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;"
                 "PRAGMA ignore_check_constraints = ON");
    for (unsigned i = 0; i < edits && in->at < in->end; i++)
        edit(db, in);
    restore_schema(db);
    demand(sqlite3_close(db) == SQLITE_OK);
    if (bytes > 4) damage(path, in, bytes - 4);
}

/* ---- Commands */

static const struct {
    Status (*run)(int, char **, Error *);
    const char *line; /* @a.db: the database, unless `file` names it */
    Origin origin;
    const char *file;
} lines[] = {
    {cmd_db, "db info @a.db --quiet"},
    {cmd_db, "db check @a.db --quiet --threads 1"},
    {cmd_db, "db digest @a.db --quiet"},
    {cmd_db, "db digest @a.db --moves --quiet"},
    {cmd_db, "db export @a.db @out.pgn --force --quiet --threads 1"},
    {cmd_db, "db export @a.db @out.epd --force --filter min-ply=2 --quiet --threads 1"},
    {cmd_db, "db materialize @a.db --quiet --threads 1"},
    {cmd_db, "db merge @b.db @a.db --quiet"},
    {cmd_db, "db dedup @a.db @b.db --quiet"},
    {cmd_db, "db split @a.db @b.db @c.db --quiet"},
    {cmd_db, "db sample @a.db @b.db --games 3 --quiet"},
    {cmd_db, "db vacuum @a.db --quiet"},
    {cmd_db, "db sql @a.db SELECT*FROM(standings),pairings,results --quiet"},
    {cmd_db, "db sql @a.db SELECT*FROM(tabia_find('*/*/*/*/*/*/*/*')) --quiet"},
    {cmd_report, "report @a.db --out @r.html --quiet --threads 1"},
    {cmd_tune, "tune --score-only --weights zero --db @a.db --quiet --threads 1"},
    {cmd_gauntlet, "gauntlet --a zero --b material --games 2 --nodes 20 --max-plies 20 --seed 1 "
                   "--db @a.db --quiet"
                   " --threads 1"},
    {cmd_selfplay, "selfplay --db @a.db --games 2 --nodes 20 --max-plies 20 --quiet --threads 1"},
    {cmd_elo, "elo --db @a.db --quiet"},
    {cmd_train, "train --db @a.db --out @n.net --hidden 16 --epochs 1 --quiet --threads 1"},
    {cmd_tune,
     "tune --start zero --no-errors --db @a.db --out @n.h --iterations 1 --quiet --threads 1"},
    {cmd_spsa, "spsa --params scales --db @a.db --iterations 1 --games 2 --nodes 20 --max-plies 20"
               " --weights-out @n.h --quiet --threads 1"},
    {cmd_learn, LEARN "--generations 2", .file = "d/learn.db"},
    {cmd_db, "db upgrade @a.db --quiet", VERSION_1},
    {cmd_db, "db upgrade @a.db --quiet", VERSION_2},
    {cmd_db, "db upgrade @a.db --quiet", VERSION_3},
    {cmd_tune, "tune --score-only --weights zero --db @a.db --quiet --threads 1", VERSION_1},
    {cmd_gauntlet,
     "gauntlet --a zero --b material --games 2 --nodes 20 --max-plies 20 --seed 1 "
     "--db @a.db --quiet --threads 1",
     VERSION_2},
    {cmd_db, "db upgrade @a.db --quiet", VERSION_4},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const leftovers[] = {
        "a.db-wal",         "a.db-shm",         "b.db",
        "b.db-wal",         "b.db-shm",         "c.db",
        "salvaged-out.pgn", "salvaged-out.epd", "d/learn.db-wal",
        "d/learn.db-shm"};
    Bytes in = {data, data + size};
    Error err = {0};

    if (!origins[LEARNED].bytes) prepare();
    unsigned which = take(&in) % (sizeof lines / sizeof *lines);
    craft(lines[which].origin, at(lines[which].file ? lines[which].file : "a.db"), &in);
    Status status = command(lines[which].run, lines[which].line, &err);
    demand(status == STATUS_OK || (status <= STATUS_ENGINE && err.text[0]));
    for (size_t i = 0; i < sizeof leftovers / sizeof *leftovers; i++)
        (void)unlink(at(leftovers[i]));
    return 0;
}
