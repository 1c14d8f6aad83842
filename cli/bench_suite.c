/* SPDX-License-Identifier: MIT
 * tabia bench suite: how many positions of an EPD file with known best (bm) or bad (am) moves the
 * search solves within a number of nodes.
 * Source of the format: S. J. Edwards, "Portable Game Notation Specification", section 16.2. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/command.h"
#include "cli/json.h"
#include "engine/notation.h"
#include "engine/position_make.h"
#include "engine/search.h"

enum { DEFAULT_NODES = 200000, HASH_BYTES = 64 << 20, FIELDS_MAX = 256, SUITE_MOVES_MAX = 16 };

typedef struct SuitePosition {
    Position pos;
    int best_count, avoid_count;
    Move best[SUITE_MOVES_MAX], avoid[SUITE_MOVES_MAX];
    char id[64];
} SuitePosition;

typedef struct Tally {
    int solved, total;
} Tally;

/* Cuts the first four words of the line out as the position. */
static Status read_fields(const char *line, const char **rest, Position *pos, Error *err)
{
    char fields[FIELDS_MAX];
    size_t length = 0;

    for (int word = 0; word < 4; word++) {
        length += strspn(line + length, " \t");
        length += strcspn(line + length, " \t\r\n");
    }
    if (length >= sizeof fields) return error_set(err, STATUS_BAD_INPUT, "no position");
    memcpy(fields, line, length);
    fields[length] = '\0';
    *rest = line + length;
    return position_from_fen(pos, fields, err);
}

/* The moves of one operation; "+" standing alone, as loose files have it, is no move. */
static Status read_moves(const Position *pos, const char *text, Move *moves, int *count, Error *err)
{
    char copy[FIELDS_MAX], *save = NULL;

    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
        if (strcmp(word, "+") == 0 || *count == SUITE_MOVES_MAX) continue;
        Status status = move_from_san(pos, word, &moves[*count], err);
        if (status != STATUS_OK) return status;
        ++*count;
    }
    return STATUS_OK;
}

/* Reads a line; an id is optional. `line` is cut up. */
static Status read_line(char *line, SuitePosition *p, Error *err)
{
    const char *rest = line;
    char *save = NULL;

    memset(p, 0, sizeof *p);
    Status status = read_fields(line, &rest, &p->pos, err);
    char *operations = line + (rest - line);
    for (char *op = strtok_r(operations, ";\r\n", &save); op && status == STATUS_OK;
         op = strtok_r(NULL, ";\r\n", &save)) {
        op += strspn(op, " \t-0123456789");
        if (strncmp(op, "bm ", 3) == 0)
            status = read_moves(&p->pos, op + 3, p->best, &p->best_count, err);
        else if (strncmp(op, "am ", 3) == 0)
            status = read_moves(&p->pos, op + 3, p->avoid, &p->avoid_count, err);
        else if (strncmp(op, "id ", 3) == 0)
            (void)snprintf(p->id, sizeof p->id, "%s", op + 3);
    }
    if (status == STATUS_OK && p->best_count + p->avoid_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "neither bm nor am");
    return status;
}

static bool contains(const Move *moves, int count, Move m)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == m) return true;
    return false;
}

static bool solves(Search *search, const SuitePosition *p, uint64_t nodes)
{
    SearchLimits limits = {.nodes_hard = nodes};
    SearchResult result;

    search_new_game(search);
    search_run(search, &p->pos, NULL, &limits, &result);
    return (p->best_count == 0 || contains(p->best, p->best_count, result.best)) &&
           !contains(p->avoid, p->avoid_count, result.best);
}

/* One file; prints the ids it could not solve. */
static Status run_file(Search *search, const char *path, uint64_t nodes, bool say, Tally *tally,
                       Error *err)
{
    FILE *f = fopen(path, "r");
    if (!f) return error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));

    Status status = STATUS_OK;
    char *line = NULL;
    size_t room = 0;
    int number = 0;
    if (say) printf("%s: not solved:", path);
    while (status == STATUS_OK && getline(&line, &room, f) >= 0) {
        SuitePosition p;
        number++;
        if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#') continue;
        if (atomic_load(cli_interrupted())) {
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
        } else if ((status = read_line(line, &p, err)) != STATUS_OK) {
            (void)error_prefix(err, "%s:%d", path, number);
        } else {
            bool solved = solves(search, &p, nodes);
            tally->total++;
            tally->solved += solved;
            if (say && !solved) printf(" %s", p.id[0] ? p.id : "?");
        }
    }
    if (say) printf("\n");
    if (status == STATUS_OK && ferror(f))
        status = error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    free(line);
    (void)fclose(f);
    return status;
}

static void print_json(const BenchOptions *options, const Tally *tally, uint64_t nodes)
{
    JsonWriter w;
    (void)options;
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_uint(&w, "nodes", nodes);
    json_int(&w, "solved", tally->solved);
    json_int(&w, "total", tally->total);
    json_end_object(&w);
    json_finish(&w);
}

Status bench_suite(const BenchOptions *options, Error *err)
{
    EvalWeights weights;
    Tally all = {0, 0};
    uint64_t nodes = options->nodes > 0 ? (uint64_t)options->nodes : DEFAULT_NODES;
    bool json = options->common.json, quiet = options->common.quiet || json;

    if (!options->files[0]) return error_set(err, STATUS_USAGE, "suite needs an EPD file");
    Status status = weights_load(options->weights, &weights, NULL, err);
    if (status != STATUS_OK) return status;
    Search *search = search_create(&weights, HASH_BYTES, err);
    if (!search) return STATUS_FAILED;

    for (const char *const *path = options->files; *path && status == STATUS_OK; path++) {
        Tally tally = {0, 0};
        status = run_file(search, *path, nodes, !quiet, &tally, err);
        if (status == STATUS_OK && !json)
            printf("%s: %d of %d solved at %llu nodes\n", *path, tally.solved, tally.total,
                   (unsigned long long)nodes);
        all.solved += tally.solved;
        all.total += tally.total;
    }
    search_destroy(search);
    if (status == STATUS_OK && json) print_json(options, &all, nodes);
    return status;
}
