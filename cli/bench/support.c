/* SPDX-License-Identifier: MIT
 * What benches share. */
#include "cli/bench/support.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/output/process.h"
#include "db/store/store.h"
#include "engine/base/clock.h"
#include "engine/base/new_file.h"
#include "engine/base/system.h"
#include "selfplay/players/child_process.h"
#include "tuner/data/epd.h"
#include "tuner/data/from_store.h"

static double cpu_seconds(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0) return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

BenchTimes bench_times(void)
{
    return (BenchTimes){clock_seconds(), cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN)};
}

BenchTimes bench_times_since(BenchTimes start)
{
    BenchTimes now = bench_times();
    return (BenchTimes){now.wall - start.wall, now.cpu - start.cpu};
}

BenchStep bench_step(BenchTimes spent, int64_t positions)
{
    const double count = (double)positions;
    return (BenchStep){spent.wall, spent.cpu, count / fmax(spent.wall, 1e-9),
                       count / fmax(spent.cpu, 1e-9)};
}

static void remove_folder(const char *folder)
{
    char path[1024];
    DIR *dir = opendir(folder);

    for (const struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') (void)unlink(path);
    }
    if (dir) (void)closedir(dir);
    (void)rmdir(folder);
}

Status bench_in_scratch(Status (*work)(void *context, const char *folder, Error *err),
                        void *context, Error *err)
{
    char folder[512];

    (void)snprintf(folder, sizeof folder, "%s/tabia-bench-XXXXXX", cli_temp_folder());
    if (!mkdtemp(folder))
        return error_set(err, STATUS_FAILED, "%s: cannot be created: %s", folder, strerror(errno));
    Status status = work(context, folder, err);
    remove_folder(folder);
    return status;
}

const char *bench_stockfish(void)
{
    static const char *const places[] = {"/usr/games/stockfish", "/usr/bin/stockfish",
                                         "/usr/local/bin/stockfish"};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (access(places[i], X_OK) == 0) return places[i];
    return NULL;
}

FILE *bench_command_run(const char *command, int *exit_code, Error *err)
{
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    char path[512];
    FILE *output = NULL;

    (void)snprintf(path, sizeof path, "%s/tabia-bench-XXXXXX", cli_temp_folder());
    int fd = mkstemp(path);
    if (fd < 0 || !(output = fdopen(fd, "r"))) {
        (void)error_set(err, STATUS_FAILED, "%s: cannot be created: %s", path, strerror(errno));
        if (fd >= 0) (void)close(fd);
        return NULL;
    }
    Status status = child_run(argv, path, cli_interrupted(), exit_code, err);
    (void)unlink(path);
    if (status == STATUS_OK) return output;
    (void)fclose(output);
    return NULL;
}

/* ---- Rounds */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

BenchSpread bench_spread(const double values[], int count)
{
    double sorted[BENCH_ROUNDS_MAX];

    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    return (BenchSpread){sorted[(count - 1) / 2], sorted[0], sorted[count - 1]};
}

static char *column(const BenchRounds *r, int i)
{
    return r->columns + (size_t)i * r->size;
}

static void summarise(const BenchRounds *r)
{
    double values[BENCH_ROUNDS_MAX];

    for (int c = 0; c < BENCH_COLUMNS; c++)
        memcpy(column(r, c), column(r, BENCH_COLUMNS + r->count - 1), r->size);
    for (const Field *f = r->fields; f->kind != FIELD_END; f++) {
        if (f->kind > FIELD_DOUBLE) continue; /* no number */
        for (int i = 0; i < r->count; i++)
            values[i] = field_number(f->kind, column(r, BENCH_COLUMNS + i) + f->offset);
        BenchSpread spread = bench_spread(values, r->count);
        field_set_number(f->kind, column(r, BENCH_MEDIAN) + f->offset, spread.median);
        field_set_number(f->kind, column(r, BENCH_LEAST) + f->offset, spread.least);
        field_set_number(f->kind, column(r, BENCH_GREATEST) + f->offset, spread.greatest);
    }
}

Status bench_rounds_run(BenchRounds *r, const BenchOptions *options, BenchRoundFn run,
                        void *context, Error *err)
{
    Status status = STATUS_OK;

    r->count = options->rounds > 0 ? options->rounds : 3;
    r->columns = calloc(BENCH_COLUMNS + (size_t)r->count, r->size);
    if (!r->columns) return error_set(err, STATUS_FAILED, "out of memory for rounds");
    for (int i = 0; i < r->count && status == STATUS_OK; i++) {
        status = run(context, column(r, BENCH_COLUMNS + i), err);
        if (system_check_end(err) != STATUS_OK) status = STATUS_INTERRUPTED;
    }
    if (status == STATUS_OK) summarise(r);
    return status;
}

void bench_rounds_free(BenchRounds *r)
{
    free(r->columns);
}

void bench_rounds_print(const BenchRounds *r)
{
    enum { SHOWN_MAX = 5 };
    static const char *const heads[] = {"median",  "least",   "greatest", "round 1",
                                        "round 2", "round 3", "round 4",  "round 5"};

    fields_columns(stdout, r->fields, heads, r->columns, r->size,
                   BENCH_COLUMNS + (r->count <= SHOWN_MAX ? r->count : 0));
}

void bench_rounds_json(JsonWriter *w, const BenchRounds *r)
{
    fields_json(w, r->fields, column(r, BENCH_MEDIAN));
    json_object(w, "least");
    fields_json(w, r->fields, column(r, BENCH_LEAST));
    json_end_object(w);
    json_object(w, "greatest");
    fields_json(w, r->fields, column(r, BENCH_GREATEST));
    json_end_object(w);
    fields_json_array(w, "rounds", r->fields, column(r, BENCH_COLUMNS), r->size, r->count);
}

Status bench_rounds_report(const Field *fields, size_t size, const BenchOptions *options,
                           BenchRoundFn run, void *context, Error *err)
{
    BenchRounds rounds = {.fields = fields, .size = size};

    Status status = bench_rounds_run(&rounds, options, run, context, err);
    if (status == STATUS_OK && options->common.json) {
        JsonWriter w;
        json_begin(&w, stdout);
        bench_rounds_json(&w, &rounds);
        json_finish(&w);
    } else if (status == STATUS_OK) {
        bench_rounds_print(&rounds);
    }
    bench_rounds_free(&rounds);
    return status;
}

Status bench_load(const char *path, const DatasetFilter *filter, int threads, Dataset **data,
                  Error *err)
{
    if (access(path, R_OK) != 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (!file_is_database(path)) return dataset_from_epd(path, filter, threads, data, err);
    Store *store = store_open(path, STORE_READ, err);
    if (!store) return err->status;
    Status status = dataset_from_store(store, filter, threads, data, err);
    store_close(store);
    return status;
}
