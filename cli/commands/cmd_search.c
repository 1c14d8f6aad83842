/* SPDX-License-Identifier: MIT
 * tabia search: one position, by the real search or by a reference algorithm that shows what
 * pruning saves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/output/process.h"
#include "engine/base/json.h"
#include "engine/base/system.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/search.h"

enum { DEFAULT_DEPTH = 10, REFERENCE_DEPTH = 4, HASH_BYTES = 64 << 20, BRANCHING_DEPTH_MAX = 4 };

typedef struct SearchOptions {
    CommonOptions common;
    const char *fen, *weights;
    int algorithm; /* a SearchAlgorithm; -1: the real search */
    int depth;
    uint64_t nodes;
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

/* Prints the iteration with its nodes divided by those of the previous one. */
static void add_iteration(Report *report, const SearchResult *it)
{
    double ebf = 0;
    char score[16];

    if (report->count > 0 && report->iterations[report->count - 1].nodes > 0)
        ebf = (double)it->nodes / (double)report->iterations[report->count - 1].nodes;
    report->iterations[report->count++] = *it;
    if (report->json || report->quiet) return;
    score_text(it->score, score);
    printf("depth %2d/%-2d  score %8s  nodes %11llu  ebf %5.2f  %7lld ms  pv", it->depth,
           it->seldepth, score, (unsigned long long)it->nodes, ebf, (long long)it->time_ms);
    print_line(report->pos, it->pv, it->pv_length);
}

static const char *const algorithm_names[] = {"minimax", "alphabeta", "pvs"};

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

static Status run_real(const SearchOptions *o, const Evaluation *weights, Report *report,
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

/* Searches each depth from 1 separately, to show the growth of the tree. */
static Status run_reference(const SearchOptions *o, const Evaluation *weights, Report *report,
                            SearchResult *result, Error *err)
{
    int depth = o->depth > 0 ? o->depth : REFERENCE_DEPTH;

    for (int d = 1; d <= depth && !atomic_load(cli_interrupted()); d++) {
        SearchResult r;
        SearchLimits limits = {
            .depth = d, .nodes_hard = o->nodes, .interrupted = cli_interrupted()};
        Status status =
            search_reference((SearchAlgorithm)o->algorithm, report->pos, weights, &limits, &r, err);
        if (status != STATUS_OK) return status;
        if (r.score == VALUE_NONE) break; /* stopped: the previous depth counts */
        *result = r;
        r.depth = d;
        if (r.seldepth < d) r.seldepth = d;
        add_iteration(report, &r);
    }
    if (report->count == 0 && !atomic_load(cli_interrupted()))
        return error_set(err, STATUS_FAILED, "%llu nodes are not enough for depth 1",
                         (unsigned long long)o->nodes);
    return STATUS_OK;
}

/* ---- Results */

/* Mean number of legal moves: the d-th root of the leaves at depth d. */
static double mean_branching(const Position *pos, int depth)
{
    int d = depth < BRANCHING_DEPTH_MAX ? depth : BRANCHING_DEPTH_MAX;
    uint64_t leaves = perft(pos, d);
    return leaves > 0 ? pow((double)leaves, 1.0 / d) : 0;
}

static void print_summary(const SearchOptions *o, const Report *report, const SearchResult *result)
{
    const SearchResult *last = &report->iterations[report->count > 0 ? report->count - 1 : 0];
    char san[SAN_MAX] = "-", uci[UCI_MOVE_MAX], score[16];

    if (result->best != MOVE_NONE) move_to_san(report->pos, result->best, san);
    move_to_uci(report->pos, result->best, uci);
    score_text(result->score, score);
    printf("best %s (%s)  score %s  nodes %llu", san, uci, score,
           (unsigned long long)result->nodes);
    if (report->count > 0)
        printf("  effective branching factor %.2f",
               pow((double)result->nodes, 1.0 / (last->depth > 0 ? last->depth : 1)));
    printf("\n");
    if (o->algorithm < 0 || report->count == 0) return;
    double b = mean_branching(report->pos, last->depth);
    printf(
        "mean legal moves b %.2f: full tree b^%d = %.0f leaves, alpha-beta's bound b^(%d/2) = %.0f (nodes count quiescence too)\n",
        b, last->depth, pow(b, last->depth), last->depth, pow(b, last->depth / 2.0));
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

static void print_json(const SearchOptions *o, const Report *report, const SearchResult *result)
{
    JsonWriter w;
    char fen[FEN_MAX], san[SAN_MAX];

    position_to_fen(report->pos, fen);
    if (result->best != MOVE_NONE) move_to_san(report->pos, result->best, san);
    json_begin(&w, stdout);
    json_string(&w, "fen", fen);
    json_string(&w, "algorithm", o->algorithm < 0 ? NULL : algorithm_names[o->algorithm]);
    json_move(&w, "best", report->pos, result->best);
    json_string(&w, "san", result->best == MOVE_NONE ? NULL : san);
    json_int(&w, "score", result->score);
    json_int(&w, "depth", result->depth);
    json_uint(&w, "nodes", result->nodes);
    json_uint(&w, "nps",
              result->nodes * 1000 / (uint64_t)(result->time_ms > 0 ? result->time_ms : 1));
    if (result->depth > 0)
        json_double(&w, "ebf", pow((double)result->nodes, 1.0 / result->depth), 5);
    if (o->algorithm >= 0 && result->depth > 0) {
        double b = mean_branching(report->pos, result->depth);
        json_double(&w, "branching", b, 5);
        json_double(&w, "bound", pow(b, result->depth / 2.0), 8);
    }
    json_array(&w, "iterations");
    for (int i = 0; i < report->count; i++)
        json_iteration(&w, report->pos, &report->iterations[i]);
    json_end_array(&w);
    json_finish(&w);
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
    memset(&result, 0, sizeof result);
    Status status = evaluation_load(o->weights, &weights, NULL, err);
    if (status == STATUS_OK) status = position_from_fen(&pos, fen_of(o->fen), err);
    if (status != STATUS_OK) return status;
    cli_print_note(err);

    status = o->algorithm >= 0 ? run_reference(o, &weights, &report, &result, err)
                               : run_real(o, &weights, &report, &result, err);
    if (status != STATUS_OK) return status;
    (o->common.json ? print_json : print_summary)(o, &report, &result);
    return system_check_end(err);
}

static const Setting options[] = {
    {"fen", FIELD(SearchOptions, fen), "FEN", "position", .preset_text = START_FEN},
    {"depth", FIELD(SearchOptions, depth), "N",
     "depth, plies (default 10 without --nodes; with --algorithm 4)", 1, MAX_PLY - 1},
    {"nodes", FIELD(SearchOptions, nodes), "N", "node limit", 1, 1e15},
    {"algorithm", FIELD_ENUM, offsetof(SearchOptions, algorithm), sizeof(int), "A",
     "minimax, alphabeta or pvs: exact, without the heuristics of the real search",
     .words = "minimax|alphabeta|pvs", .preset = -1},
    {"weights", FIELD(SearchOptions, weights), "W",
     "builtin, classical, tables, network, pesto, zero, material, or the path of a weights header or network",
     .words = EVALUATION_NAMES, .preset_text = "builtin"},
    {FIELD(SearchOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "search",
    .sections = command_names,
    .synopsis = "[--fen FEN] [--depth N] [options]",
    .description =
        "Searches one position by iterative deepening. With --algorithm a plain algorithm searches\n"
        "each depth separately: all three give the same score, and their nodes show what pruning\n"
        "saves.",
    .bare = "fen",
    .settings = options,
    .threads_help = "no effect: one thread searches",
    .epilogue = "Examples:\n"
                "  tabia search --depth 12\n"
                "  tabia search --fen '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' --nodes 1M\n"
                "  tabia search --depth 4 --algorithm alphabeta"};

Status cmd_search(int argc, char **argv, Error *err)
{
    SearchOptions o = {0};

    settings_default(options, &o);

    return options_run(&spec, argc, argv, run_search, &o, err);
}
