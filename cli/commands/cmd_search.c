/* SPDX-License-Identifier: MIT
 * tabia search: one position, by the engine's search, or by each step from minimax to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "engine/base/json.h"
#include "engine/base/system.h"
#include "engine/board/position_make.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/search.h"

enum { DEFAULT_DEPTH = 10, COMPARED_DEPTH = 5, COMPARED_NODES = 100000000, HASH_BYTES = 64 << 20 };

typedef struct SearchOptions {
    CommonOptions common;
    const char *fen, *weights;
    int depth;
    uint64_t nodes;
    bool compare;
} SearchOptions;

typedef struct Report {
    const Position *pos;
    bool json, quiet;
    int count;
    SearchResult iterations[MAX_PLY]; /* without the moves best and ponder */
} Report;

static void score_text(int score, char out[16])
{
    if (score >= VALUE_MATE_IN_MAX)
        (void)snprintf(out, 16, "mate %d", (VALUE_MATE - score + 1) / 2);
    else if (score <= -VALUE_MATE_IN_MAX)
        (void)snprintf(out, 16, "mate %d", -(VALUE_MATE + score) / 2);
    else
        (void)snprintf(out, 16, "%+.2f", score / 100.0);
}

static void print_line(const Position *root, const Move *pv, int length)
{
    Position pos = *root, next;
    char san[SAN_MAX];

    for (int i = 0; i < length; i++) {
        move_to_san(&pos, pv[i], san);
        printf(" %s", san);
        position_make(&next, &pos, pv[i]);
        pos = next;
    }
    printf("\n");
}

static void add_iteration(Report *report, const SearchResult *it)
{
    char score[16];

    report->iterations[report->count++] = *it;
    if (report->json || report->quiet) return;
    score_text(it->score, score);
    printf("depth %2d/%-2d  score %8s  nodes %11llu  %7lld ms  pv", it->depth, it->seldepth, score,
           (unsigned long long)it->nodes, (long long)it->time_ms);
    print_line(report->pos, it->pv, it->pv_length);
}

/* ---- Searching */

static void on_info(void *context, const SearchInfo *info)
{
    SearchResult it = {.depth = info->depth,
                       .seldepth = info->seldepth,
                       .score = info->score,
                       .nodes = info->nodes,
                       .time_ms = info->time_ms,
                       .pv_length = info->pv_length};
    Report *report = context;

    if (info->bound != 0) return;
    memcpy(it.pv, info->pv, (size_t)info->pv_length * sizeof(Move));
    add_iteration(report, &it);
}

static Status run_engine(const SearchOptions *o, const Evaluation *weights, Report *report,
                         SearchResult *result, Error *err)
{
    SearchLimits limits = {
        .depth = o->depth, .nodes_hard = o->nodes, .interrupted = cli_interrupted()};
    Search *search = search_create(weights, HASH_BYTES, err);

    if (!search) return STATUS_FAILED;
    if (o->depth == 0 && o->nodes == 0) limits.depth = DEFAULT_DEPTH;
    search_set_info(search, on_info, report);
    search_run(search, report->pos, NULL, &limits, result);
    if (result->depth == 0 && result->best != MOVE_NONE)
        result->score = search_static_score(search, report->pos);
    search_destroy(search);
    return STATUS_OK;
}

/* ---- Results */

/* Of a whole tree of this depth with as many nodes; undefined at depth 0. */
static double effective_branching_factor(const SearchResult *result)
{
    return pow((double)result->nodes, 1.0 / result->depth);
}

static void print_summary(const Report *report, const SearchResult *result)
{
    char san[SAN_MAX] = "-", uci[UCI_MOVE_MAX], score[16];

    if (result->best != MOVE_NONE) move_to_san(report->pos, result->best, san);
    move_to_uci(report->pos, result->best, uci);
    score_text(result->score, score);
    printf("best %s (%s)  score %s  nodes %llu", san, uci, score,
           (unsigned long long)result->nodes);
    if (result->depth > 0)
        printf("  effective branching factor %.2f", effective_branching_factor(result));
    printf("\n");
}

static void json_move(JsonWriter *w, const char *key, const Position *pos, Move m)
{
    char uci[UCI_MOVE_MAX];
    move_to_uci(pos, m, uci);
    json_string(w, key, m == MOVE_NONE ? NULL : uci);
}

static void json_iteration(JsonWriter *w, const Position *pos, const SearchResult *it)
{
    json_object(w, NULL);
    json_int(w, "depth", it->depth);
    json_int(w, "seldepth", it->seldepth);
    json_int(w, "score", it->score);
    json_uint(w, "nodes", it->nodes);
    json_int(w, "ms", it->time_ms);
    json_array(w, "pv");
    for (int i = 0; i < it->pv_length; i++)
        json_move(w, NULL, pos, it->pv[i]);
    json_end_array(w);
    json_end_object(w);
}

static void print_json(const Report *report, const SearchResult *result)
{
    JsonWriter w;
    char fen[FEN_MAX], san[SAN_MAX];

    position_to_fen(report->pos, fen);
    if (result->best != MOVE_NONE) move_to_san(report->pos, result->best, san);
    json_begin(&w, stdout);
    json_string(&w, "fen", fen);
    json_move(&w, "best", report->pos, result->best);
    json_string(&w, "san", result->best == MOVE_NONE ? NULL : san);
    json_int(&w, "score", result->score);
    json_int(&w, "depth", result->depth);
    json_uint(&w, "nodes", result->nodes);
    json_uint(&w, "nps",
              result->nodes * 1000 / (uint64_t)(result->time_ms > 0 ? result->time_ms : 1));
    if (result->depth > 0) json_double(&w, "ebf", effective_branching_factor(result), 5);
    json_array(&w, "iterations");
    for (int i = 0; i < report->count; i++)
        json_iteration(&w, report->pos, &report->iterations[i]);
    json_end_array(&w);
    json_finish(&w);
}

/* ---- Comparing */

typedef struct Step {
    const char *name, *meaning;
} Step;

/* By SearchStep; the last is the engine. */
static const Step steps[] = {
    {"minimax", "Every line to the depth; its end is evaluated (von Neumann 1928, Shannon 1950)."},
    {"alpha-beta", "Omits what cannot change the value (analysed by Knuth and Moore 1975)."},
    {"+ move ordering", "Captures, killer moves, history heuristic (Schaeffer 1983) come first."},
    {"+ hash table",
     "Looks up positions that were reached before (Greenblatt 1967, Zobrist 1970)."},
    {"+ iterative deepening",
     "Depths 1, 2, ... find the moves to try first (Slate and Atkin 1977)."},
    {"+ principal variation search",
     "Null windows after the first move (Pearl 1980, Marsland and Campbell 1982)."},
    {"+ quiescence search", "Plays out captures before it evaluates a position (Shannon 1950)."},
    {"the engine's search",
     "Also prunes and reduces: null move (Donninger 1993) and more; may err."},
};
_Static_assert(sizeof steps / sizeof steps[0] == SEARCH_STEPS + 1, "a row for each SearchStep");

typedef struct Row {
    Step step;
    uint64_t nodes;
    int64_t ms;
    double score, share; /* NAN: unknown, since a row was stopped */
    char value[16];      /* the score as text */
    bool stopped;
} Row;

static const Field columns[] = {
    {"step", FIELD(Row, step.name), .label = "step", .width = -28},
    {"nodes", FIELD(Row, nodes), .label = "nodes", .width = 12},
    {"ms", FIELD(Row, ms), .label = "ms", .width = 8},
    {"score", FIELD(Row, score)},
    {NULL, FIELD(Row, value), .label = "value", .width = 10},
    {"share", FIELD(Row, share), .label = "% of row before", .decimals = 1, .scale = 100,
     .width = 18},
    {"stopped", FIELD(Row, stopped)},
    {"meaning", FIELD(Row, step.meaning)},
    {0},
};

/* `before` is the row before, or NULL. */
static Row make_row(int step, const SearchResult *r, uint64_t most, const Row *before)
{
    Row row = {.step = steps[step],
               .nodes = r->nodes,
               .ms = r->time_ms,
               .score = NAN,
               .share = NAN,
               .value = "–",
               .stopped = r->nodes >= most};

    if (row.stopped) return row;
    row.score = r->score;
    score_text(r->score, row.value);
    if (before && !before->stopped && before->nodes > 0)
        row.share = (double)r->nodes / (double)before->nodes;
    return row;
}

static void print_row(const Row *row, uint64_t most)
{
    fields_row(stdout, columns, row);
    printf("    %s\n", row->step.meaning);
    if (row->stopped) printf("    Stopped after %llu nodes (--nodes).\n", (unsigned long long)most);
    (void)fflush(stdout);
}

static void print_rows_json(const Position *pos, const SearchOptions *o, const Row *rows)
{
    char fen[FEN_MAX];
    JsonWriter w;

    position_to_fen(pos, fen);
    json_begin(&w, stdout);
    json_string(&w, "fen", fen);
    json_int(&w, "depth", o->depth);
    json_uint(&w, "limit", o->nodes);
    fields_json_array(&w, "steps", columns, rows, sizeof *rows, SEARCH_STEPS + 1);
    json_finish(&w);
}

static Status compare(SearchOptions o, const Evaluation *weights, const Position *pos, Error *err)
{
    Row rows[SEARCH_STEPS + 1];
    Report report = {.pos = pos, .quiet = true};

    if (o.depth == 0) o.depth = COMPARED_DEPTH;
    if (o.nodes == 0) o.nodes = COMPARED_NODES;
    SearchLimits limits = {
        .depth = o.depth, .nodes_hard = o.nodes, .interrupted = cli_interrupted()};
    if (!o.common.json) fields_header(stdout, columns);
    for (int i = 0; i <= SEARCH_STEPS; i++) {
        SearchResult r;
        Status status = i < SEARCH_STEPS
                            ? search_reference((SearchStep)i, pos, weights, &limits, &r, err)
                            : run_engine(&o, weights, &report, &r, err);
        if (status == STATUS_OK) status = system_check_end(err);
        if (status != STATUS_OK) return status;
        rows[i] = make_row(i, &r, o.nodes, i > 0 ? &rows[i - 1] : NULL);
        if (!o.common.json) print_row(&rows[i], o.nodes);
    }
    if (o.common.json) print_rows_json(pos, &o, rows);
    return STATUS_OK;
}

/* ---- The command */

static Status run_search(void *command, const OptionParser *parser, Error *err)
{
    const SearchOptions *o = command;
    Evaluation weights;
    Position pos;
    SearchResult result;
    Report report = {.pos = &pos, .json = o->common.json, .quiet = o->common.quiet};

    (void)parser;
    cli_end_with_reader();
    memset(&result, 0, sizeof result);
    Status status = evaluation_load(o->weights, &weights, NULL, err);
    if (status == STATUS_OK) status = position_from_fen(&pos, fen_of(o->fen), err);
    if (status != STATUS_OK) return status;
    cli_print_note(err);
    if (o->compare) return compare(*o, &weights, &pos, err);

    status = run_engine(o, &weights, &report, &result, err);
    if (status != STATUS_OK) return status;
    (o->common.json ? print_json : print_summary)(&report, &result);
    return system_check_end(err);
}

static const Setting options[] = {
    {"fen", FIELD(SearchOptions, fen), "FEN", "position", .preset_text = START_FEN},
    {"depth", FIELD(SearchOptions, depth), "N",
     "depth, plies (default 10 without --nodes; with --compare 5)", 1, MAX_PLY - 1},
    {"nodes", FIELD(SearchOptions, nodes), "N",
     "node limit; with --compare that of each row (default 100000000)", 1, 1e15},
    {"compare", FIELD(SearchOptions, compare), NULL,
     "a table of the steps from minimax to the engine's search: nodes, time and value of each"},
    {"weights", FIELD(SearchOptions, weights), "W",
     "builtin, classical, tables, network, pesto, zero, material, or the path of a weights header or network",
     .words = EVALUATION_NAMES, .preset_text = "builtin"},
    {FIELD(SearchOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "search",
    .synopsis = "[--fen FEN] [--depth N] [options]",
    .description =
        "Searches one position by iterative deepening. With --compare it is searched to the same\n"
        "depth by minimax, by alpha-beta and so on to the engine's search. Each row has what those\n"
        "before it have, and one thing more. All rows before quiescence have the same value.\n"
        "A row that needs more nodes than --nodes is stopped. Draws by repetition and by the\n"
        "fifty-move rule count in the last row alone.",
    .bare = "fen",
    .settings = options,
    .threads_help = "no effect: one thread searches",
    .epilogue = "Examples:\n"
                "  tabia search --depth 12\n"
                "  tabia search --fen '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' --nodes 1M\n"
                "  tabia search --compare --depth 5"};

Status cmd_search(int argc, char **argv, Error *err)
{
    SearchOptions o = {0};

    settings_default(options, &o);

    return options_run(&spec, argc, argv, run_search, &o, err);
}
