/* SPDX-License-Identifier: MIT
 * The UCI command `go`: limits, the opening book, the search thread and its output. */
#include "engine/uci/go.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/thread_pool.h"
#include "engine/board/position_make.h"
#include "engine/notation/move_text.h"
#include "engine/uci/strength.h"
#include "engine/uci/wdl.h"

enum {
    INFO_MAX = 2048,            /* characters of an info line */
    BOUND_INFO_AFTER_MS = 3000, /* bounds are not printed in shorter searches */
    FLUSH_AFTER_MS = 20,        /* earlier info lines are written together with the next line */
    SHORT_NODES = 10000,        /* searched in milliseconds, without a thread of its own */
    UNSTOPPABLE_MS = 1000       /* limit of a search that no `stop` can reach */
};

/* ---- Output of the search */

/* "cp 31" or "mate -2", side to move's view. */
static int print_score(char *out, size_t room, int score)
{
    if (score >= VALUE_MATE_IN_MAX)
        return snprintf(out, room, "mate %d", (VALUE_MATE - score + 1) / 2);
    if (score <= -VALUE_MATE_IN_MAX)
        return snprintf(out, room, "mate %d", -(VALUE_MATE + score) / 2);
    return snprintf(out, room, "cp %d", score);
}

static void put_info(Uci *uci, const SearchInfo *info)
{
    char line[INFO_MAX], score[64], move[UCI_MOVE_MAX];
    int64_t ms = info->time_ms > 0 ? info->time_ms : 1;

    int length = print_score(score, sizeof score, info->score);
    if (uci->show_wdl) {
        Wdl wdl = wdl_of_score(info->score, &uci->root);
        (void)snprintf(score + length, sizeof score - (size_t)length, " wdl %d %d %d", wdl.win,
                       wdl.draw, wdl.loss);
    }
    int used = snprintf(
        line, sizeof line,
        "info depth %d seldepth %d multipv %d score %s%s nodes %llu nps %llu hashfull %d tbhits %llu time %lld pv",
        info->depth, info->seldepth, info->multipv, score,
        info->bound > 0   ? " lowerbound"
        : info->bound < 0 ? " upperbound"
                          : "",
        (unsigned long long)info->nodes, (unsigned long long)(info->nodes * 1000 / (uint64_t)ms),
        info->hashfull, (unsigned long long)info->tb_hits, (long long)info->time_ms);
    for (int i = 0; i < info->pv_length && used < INFO_MAX - UCI_MOVE_MAX - 1; i++) {
        move_to_uci(&uci->root, info->pv[i], move);
        used += snprintf(line + used, sizeof line - (size_t)used, " %s", move);
    }
    uci_put(uci, line);
    if (info->time_ms >= FLUSH_AFTER_MS) uci_flush(uci);
    uci->last_info_nodes = info->nodes;
    uci->last_info_multipv = info->multipv;
}

static void print_info(void *context, const SearchInfo *info)
{
    Uci *uci = context;

    uci->last_info_hashfull = info->hashfull;
    if (info->bound == 0 || info->time_ms >= BOUND_INFO_AFTER_MS) put_info(uci, info);
}

/* The last info line, if the search went on after the line before. Several lines have been printed
 * together at its end. */
static void print_totals(Uci *uci, const SearchResult *result)
{
    int seldepth = result->seldepth > result->depth ? result->seldepth : result->depth;
    SearchInfo info = {.depth = result->depth,
                       .seldepth = seldepth,
                       .multipv = 1,
                       .score = result->score,
                       .bound = result->bound,
                       .nodes = result->nodes,
                       .time_ms = result->time_ms,
                       .hashfull = uci->last_info_hashfull,
                       .tb_hits = result->tb_hits,
                       .pv = result->pv,
                       .pv_length = result->pv_length};

    if (result->nodes == uci->last_info_nodes || uci->last_info_multipv > 1) return;
    if (result->depth == 0) info.score = search_static_score(uci->search, &uci->root);
    put_info(uci, &info);
}

static void print_best_move(Uci *uci, const SearchResult *result)
{
    char best[UCI_MOVE_MAX], ponder[UCI_MOVE_MAX];

    if (result->best == MOVE_NONE && result->depth == 0)
        uci_print(uci, "info depth 0 score %s", result->score == VALUE_DRAW ? "cp 0" : "mate 0");
    move_to_uci(&uci->root, result->best, best);
    if (result->ponder == MOVE_NONE) {
        uci_print(uci, "bestmove %s", best);
    } else {
        Position next;
        position_make(&next, &uci->root, result->best);
        move_to_uci(&next, result->ponder, ponder);
        uci_print(uci, "bestmove %s ponder %s", best, ponder);
    }
}

/* ---- The search thread */

static void *run_search(void *context)
{
    Uci *uci = context;
    SearchResult result;

    search_run(uci->search, &uci->root, &uci->root_history, &uci->limits, &result);
    print_totals(uci, &result);
    /* Under `infinite` and `ponder` a finished search does not print its move yet. */
    (void)pthread_mutex_lock(&uci->lock);
    if (uci->hold) uci_flush(uci);
    while (uci->hold)
        (void)pthread_cond_wait(&uci->released, &uci->lock);
    (void)pthread_mutex_unlock(&uci->lock);
    print_best_move(uci, &result);
    return NULL;
}

static void release(Uci *uci)
{
    (void)pthread_mutex_lock(&uci->lock);
    uci->hold = false;
    (void)pthread_cond_signal(&uci->released);
    (void)pthread_mutex_unlock(&uci->lock);
}

static void join(Uci *uci)
{
    if (uci->running) (void)pthread_join(uci->thread, NULL);
    uci->running = false;
}

void uci_stop(Uci *uci)
{
    if (uci->running) search_stop(uci->search);
    release(uci);
    join(uci);
}

void uci_ponderhit(Uci *uci)
{
    if (!uci->running || !uci->limits.ponder) return;
    search_ponderhit(uci->search);
    if (!uci->limits.infinite) release(uci);
}

/* May the search go on for ever? One for a mate does where there is none. */
static bool is_endless(const SearchLimits *l)
{
    return l->infinite ||
           (l->depth == 0 && l->nodes_hard == 0 && l->movetime_ms == 0 && !l->has_clock);
}

static bool is_held(Uci *uci)
{
    (void)pthread_mutex_lock(&uci->lock);
    bool held = uci->hold;
    (void)pthread_mutex_unlock(&uci->lock);
    return held;
}

void uci_settle(Uci *uci)
{
    if (is_held(uci) || is_endless(&uci->limits))
        uci_stop(uci);
    else
        join(uci);
}

void uci_await(Uci *uci)
{
    if (uci->limits.mate > 0 && !is_held(uci))
        join(uci);
    else
        uci_settle(uci);
}

void uci_finish(Uci *uci)
{
    bool timed = uci->limits.movetime_ms > 0 || uci->limits.has_clock;
    (timed ? uci_settle : uci_stop)(uci);
}

/* ---- Limits */

/* A parameter of `go` with a number: its target and its range. A number out of range becomes the
 * nearest one in range. */
typedef struct GoNumber {
    const char *name;
    int64_t *target;
    int64_t least, most;
} GoNumber;

enum { GO_NUMBERS = 9 };

/* NULL if the word is none of them. */
static const GoNumber *find_number(const GoNumber numbers[GO_NUMBERS], const char *word)
{
    for (int i = 0; i < GO_NUMBERS; i++)
        if (strcmp(numbers[i].name, word) == 0) return &numbers[i];
    return NULL;
}

/* False if `word`, which may be NULL, is not a number. */
static bool store_number(const GoNumber *number, const char *word)
{
    if (!word) return false;
    char *end;
    int64_t value = strtoll(word, &end, 10);
    if (end == word || *end) return false;
    if (value < number->least) value = number->least;
    if (value > number->most) value = number->most;
    *number->target = value;
    return true;
}

static bool add_root_move(Uci *uci, const char *word)
{
    Error err = {0};
    Move m;

    if (move_from_uci(&uci->pos, word, &m, &err) != STATUS_OK) return false;
    if (uci->limits.root_move_count < MAX_MOVES) uci->root_moves[uci->limits.root_move_count++] = m;
    uci->limits.root_moves = uci->root_moves;
    return true;
}

/* Prints only the first error of a line. */
static void print_ignored(Uci *uci, bool *reported, const char *word, const char *why)
{
    if (!*reported) uci_print_fault(uci, "go: ignored '%.40s'%s", word, why);
    *reported = true;
}

/* Reads all words of the line; reports and skips unknown ones, as the protocol demands. False if a
 * number is missing. */
static bool read_words(Uci *uci, char *line, const GoNumber numbers[GO_NUMBERS])
{
    SearchLimits *limits = &uci->limits;
    bool numbered = true, moves_follow = false, reported = false;
    char *next;

    for (char *word = uci_next_word(&line); word; word = next) {
        const GoNumber *number = find_number(numbers, word);
        next = uci_next_word(&line);
        if (number && store_number(number, next)) {
            next = uci_next_word(&line);
        } else if (number) {
            print_ignored(uci, &reported, word, ": needs a number");
            numbered = false;
        } else if (strcmp(word, "infinite") == 0) {
            limits->infinite = true;
        } else if (strcmp(word, "ponder") == 0) {
            limits->ponder = true;
        } else if (strcmp(word, "searchmoves") == 0) {
            moves_follow = true;
        } else if (!moves_follow) {
            print_ignored(uci, &reported, word, "");
        } else if (!add_root_move(uci, word)) {
            print_ignored(uci, &reported, word, ": not a legal move");
        }
    }
    if (moves_follow && !limits->root_moves)
        uci_print_fault(uci, "go: no legal move after searchmoves; all moves are searched");
    return numbered;
}

/* A clock of either side is a limit: who has none stated has the other's time, and with increments
 * alone none is left. */
static void set_clock(SearchLimits *limits, int64_t unstated)
{
    int64_t *time = limits->time_ms;

    limits->has_clock = time[WHITE] != unstated || time[BLACK] != unstated ||
                        limits->increment_ms[WHITE] > 0 || limits->increment_ms[BLACK] > 0;
    for (int c = WHITE; c < COLORS; c++)
        if (time[c] == unstated) time[c] = time[!c] == unstated ? 0 : time[!c];
}

static void read_limits(Uci *uci, char *line)
{
    const int64_t forever = INT64_MAX / 4; /* the sum of two still fits */
    const int64_t unstated = INT64_MIN;
    SearchLimits *limits = &uci->limits;
    int64_t depth = 0, nodes = 0, mate = 0, moves_to_go = 0;
    const GoNumber numbers[GO_NUMBERS] = {
        {"wtime", &limits->time_ms[WHITE], -forever, forever},
        {"btime", &limits->time_ms[BLACK], -forever, forever},
        {"winc", &limits->increment_ms[WHITE], -forever, forever},
        {"binc", &limits->increment_ms[BLACK], -forever, forever},
        {"movestogo", &moves_to_go, 0, INT32_MAX},
        {"depth", &depth, 1, MAX_PLY - 1},
        {"nodes", &nodes, 1, INT64_MAX},
        {"mate", &mate, 1, MAX_PLY},
        {"movetime", &limits->movetime_ms, 1, forever},
    };

    memset(limits, 0, sizeof *limits);
    limits->time_ms[WHITE] = limits->time_ms[BLACK] = unstated;
    bool numbered = read_words(uci, line, numbers);
    set_clock(limits, unstated);
    limits->depth = (int)depth;
    limits->nodes_hard = (uint64_t)nodes;
    limits->mate = (int)mate;
    limits->moves_to_go = (int)moves_to_go;
    limits->multipv = uci->multipv;
    /* A limit without its number: the GUI expects a move. */
    if (!numbered && !limits->infinite && is_endless(limits)) limits->depth = 1;
}

/* ---- The opening book */

/* Analysis, or what a book cannot answer. */
static bool wants_search(const SearchLimits *limits)
{
    return limits->infinite || limits->ponder || limits->mate > 0 || limits->root_moves ||
           limits->multipv > 1;
}

/* The choice is a function of seed, number of the game and position: it varies from game to game
 * and repeats with the session. */
static const PolyglotMove *choose(const Uci *uci, const PolyglotMoves *list)
{
    Pcg rng;
    pcg_seed(&rng, (uint64_t)uci->book.seed ^ uci->pos.key, uci->book.games);
    return polyglot_draw(list, &rng);
}

/* Prints a book move as the answer to `go`. False, and no answer, if the book is off, has no move
 * for the position, or the limits request analysis. */
static bool answer_from_book(Uci *uci)
{
    const UciBook *book = &uci->book;
    PolyglotMoves list;
    Error err = {0};
    char text[UCI_MOVE_MAX];

    if (!book->on || !book->file || uci->pos.game_ply >= book->depth || wants_search(&uci->limits))
        return false;
    if (polyglot_moves(book->file, &uci->pos, &list, &err) != STATUS_OK) {
        uci_print_error(uci, &err);
        return false;
    }
    const PolyglotMove *chosen = choose(uci, &list);
    if (!chosen) return false;
    move_to_uci(&uci->pos, chosen->move, text);
    uci_print(uci, "info string book move, one of %d", list.count);
    uci_print(uci, "bestmove %s", text);
    return true;
}

/* ---- Starting */

/* Fewer nodes for a lower rating. Endless searches are analysis, which stays as it is. */
static void limit_strength(Uci *uci)
{
    uint64_t nodes = strength_nodes(uci->elo);
    SearchLimits *limits = &uci->limits;

    if (!uci->limit_strength || is_endless(limits)) return;
    limits->alone = true;
    limits->nodes_soft = nodes;
    if (limits->nodes_hard == 0 || limits->nodes_hard > 8 * nodes) limits->nodes_hard = 8 * nodes;
}

/* For a search in the reading thread, where no `stop` or `ponderhit` can be read. */
static void make_bounded(Uci *uci)
{
    uci_print_fault(uci, "go: cannot create a search thread; stop has no effect");
    uci->limits.infinite = uci->limits.ponder = false;
    if (is_endless(&uci->limits)) uci->limits.movetime_ms = UNSTOPPABLE_MS;
    search_begin(uci->search, false);
}

/* Does it end before a `stop` could matter? */
static bool is_short(const SearchLimits *l)
{
    return !l->infinite && !l->ponder && l->nodes_hard > 0 && l->nodes_hard <= SHORT_NODES;
}

void uci_go(Uci *uci, char *line)
{
    uci_settle(uci);
    if (uci->refused) {
        uci_print(uci, "info string go: no move, as the last position was refused");
        uci_print(uci, "bestmove 0000");
        return;
    }
    read_limits(uci, line);
    limit_strength(uci);
    if (answer_from_book(uci)) return;
    uci->root = uci->pos;
    uci->root_history = uci->history;
    uci->last_info_nodes = 0;
    uci->last_info_hashfull = uci->last_info_multipv = 0;
    uci->hold = uci->limits.infinite || uci->limits.ponder;
    search_set_info(uci->search, print_info, uci);
    search_begin(uci->search, uci->limits.ponder);
    /* On a busy machine a new thread may start too late. */
    bool here = is_short(&uci->limits) ||
                search_is_urgent(uci->search, &uci->limits, position_stm(&uci->root));
    if (!here && thread_pool_create_thread(&uci->thread, run_search, uci) == 0) {
        uci->running = true;
        return;
    }
    /* Without a thread the search runs here. */
    if (!here) make_bounded(uci);
    uci->hold = false;
    (void)run_search(uci);
}
