/* SPDX-License-Identifier: MIT
 * The referee: asks players for moves, checks them, keeps the clocks and ends the game. */
#include "selfplay/game/game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/system.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/search/game_clock.h"
#include "engine/search/syzygy.h"

/* A game in progress. */
typedef struct Game {
    const GameSetup *setup;
    GameRecord *record;
    Position position;
    KeyHistory history;
    int pauses; /* of the process, when it began */
    GameClock clocks[COLORS];
    int win_streak;          /* plies in a row beyond win_score; negative: for Black */
    int draw_streak;         /* plies in a row within draw_score */
    int lost_streak[COLORS]; /* moves in a row with a losing score of the side that moved */
} Game;

static GameResult win_of(Color c)
{
    return c == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
}

/* ---- Adjudication */

/* Plies after those of the book. */
static int played(const Game *g)
{
    return g->record->ply_count - g->setup->book_count;
}

static void count_streaks(Game *g, int score)
{
    const Adjudication *a = &g->setup->adjudication;
    Color mover = opponent(position_stm(&g->position));
    bool known = score != SCORE_UNKNOWN;
    bool lost = known && (mover == WHITE ? score : -score) <= -a->win_score;

    g->lost_streak[mover] = lost ? g->lost_streak[mover] + 1 : 0;
    if (known && score >= a->win_score)
        g->win_streak = g->win_streak > 0 ? g->win_streak + 1 : 1;
    else if (known && score <= -a->win_score)
        g->win_streak = g->win_streak < 0 ? g->win_streak - 1 : -1;
    else
        g->win_streak = 0;
    if (a->draw_resets && g->position.rule50 == 0) g->draw_streak = 0;
    if (known && abs(score) <= a->draw_score && played(g) > a->draw_from_ply)
        g->draw_streak++;
    else
        g->draw_streak = 0;
}

/* The Syzygy result. */
static bool adjudicate_by_tables(const Game *g)
{
    const Adjudication *a = &g->setup->adjudication;
    const Position *pos = &g->position;
    GameRecord *record = g->record;

    if (played(g) == 0 || popcount(position_occupied(pos)) > a->table_men ||
        (pos->rule50 != 0 && !a->table_ignore_rule50))
        return false;
    SyzygyResult result = syzygy_probe(pos);
    if (result == SYZYGY_UNKNOWN) return false;
    int least_win = a->table_ignore_rule50 ? SYZYGY_CURSED_WIN : SYZYGY_WIN;
    record->reason = REASON_TABLEBASE;
    record->result = (int)result >= least_win    ? win_of(position_stm(pos))
                     : (int)result <= -least_win ? win_of(opponent(position_stm(pos)))
                                                 : RESULT_DRAW;
    return !(record->result == RESULT_DRAW ? a->table_spares_draws : a->table_spares_wins);
}

static bool adjudicate_win(const Game *g, Color *winner)
{
    const Adjudication *a = &g->setup->adjudication;

    if (a->win_plies <= 0) return false;
    if (!a->win_one_sided) {
        *winner = g->win_streak > 0 ? WHITE : BLACK;
        return abs(g->win_streak) >= a->win_plies;
    }
    *winner = 2 * g->lost_streak[BLACK] >= a->win_plies ? WHITE : BLACK;
    return 2 * g->lost_streak[!*winner] >= a->win_plies;
}

static bool adjudicate(const Game *g)
{
    const Adjudication *a = &g->setup->adjudication;
    GameRecord *record = g->record;
    Color winner;

    if (adjudicate_by_tables(g)) return true;
    record->result = RESULT_DRAW;
    if (adjudicate_win(g, &winner)) {
        record->result = win_of(winner);
        record->reason = REASON_WIN_ADJUDICATION;
    } else if (a->draw_plies > 0 && g->draw_streak >= a->draw_plies) {
        record->reason = REASON_DRAW_ADJUDICATION;
    } else if ((a->max_plies > 0 && played(g) >= a->max_plies) ||
               record->ply_count == GAME_PLIES_MAX) {
        record->reason = REASON_MAX_PLIES;
    } else {
        return false;
    }
    return true;
}

/* ---- Clocks */

static void start_clocks(Game *g)
{
    for (int c = WHITE; c < COLORS; c++) {
        const SearchLimits *limits =
            &g->setup->limits[c == WHITE ? g->setup->white : 1 - g->setup->white];
        game_clock_start(&g->clocks[c], limits, (Color)c);
    }
}

/* The limits for player `number`, to move. Without a clock the opponent has the same time. */
static SearchLimits limits_now(const Game *g, int number)
{
    const Color stm = position_stm(&g->position), them = opponent(stm);
    SearchLimits limits = g->setup->limits[number];
    const SearchLimits *other = &g->setup->limits[1 - number];

    if (!limits.has_clock) return limits;
    limits.time_ms[stm] = g->clocks[stm].left_us / 1000;
    limits.time_ms[them] = g->clocks[other->has_clock ? them : stm].left_us / 1000;
    limits.increment_ms[stm] = g->clocks[stm].increment_us / 1000;
    limits.increment_ms[them] = other->has_clock ? g->clocks[them].increment_us / 1000 : 0;
    limits.moves_to_go = g->clocks[stm].moves_to_go;
    return limits;
}

/* Subtracts the time of a move from the clock of player `number`, to move, and adds increment
 * and session time. False when the time is exceeded. */
static bool charge_clock(Game *g, int number, int64_t used_us)
{
    Color stm = position_stm(&g->position);
    const SearchLimits *limits = &g->setup->limits[number];
    GameClock *clock = &g->clocks[stm];
    int64_t margin_us = g->setup->margin_ms[number] * 1000;

    if (limits->movetime_ms > 0 && used_us > limits->movetime_ms * 1000 + margin_us) return false;
    if (!limits->has_clock) return true;
    if (used_us > clock->left_us + margin_us) return false;
    game_clock_charge(clock, limits, stm, used_us);
    return true;
}

/* ---- One ply */

/* answer: time, nodes and depth of the move; its score is ignored. */
static void play_move(Game *g, Move move, int white_score, const PlayerMove *answer)
{
    Position before = g->position;
    uint64_t ms = (uint64_t)(answer->time_us + 500) / 1000;
    int ply = g->record->ply_count++;

    g->record->plies[ply] = (GamePly){move, (int16_t)white_score};
    if (g->record->clock) g->record->clock[ply] = ply_clock(ms, answer->nodes, answer->depth);
    if (g->record->search) g->record->search[ply] = answer->search;
    key_history_push(&g->history, &before);
    position_make(&g->position, &before, move);
    count_streaks(g, white_score);
}

static Move random_move(const Game *g)
{
    MoveList list;
    movegen_all(&g->position, &list);
    return list.moves[pcg_below(g->setup->rng, (uint32_t)list.count)];
}

static bool wants_random_move(const Game *g)
{
    const Exploration *e = &g->setup->exploration;
    return g->setup->rng && played(g) < e->random_until_ply &&
           pcg_unit(g->setup->rng) < e->random_move;
}

static bool wants_varied_move(const Game *g)
{
    const Exploration *e = &g->setup->exploration;
    return g->setup->rng && played(g) < e->vary_until_ply &&
           g->record->ply_count < GAME_VARIED_PLIES;
}

/* A random move among those within vary_margin of the best. */
static Move varied_move(Game *g, const PlayerMove *answer)
{
    int least = answer->score - g->setup->exploration.vary_margin, count = 0;
    Move moves[PLAYER_LINES];

    if (value_is_mate(answer->score)) return answer->move;
    for (int i = 0; i < answer->line_count; i++)
        if (answer->lines[i].score >= least) moves[count++] = answer->lines[i].move;
    if (count == 0) return answer->move;
    Move move = moves[pcg_below(g->setup->rng, (uint32_t)count)];
    if (move != answer->move) g->record->varied |= (int64_t)1 << g->record->ply_count;
    return move;
}

static void note_lateness(const Game *g, const SearchLimits *limits, int64_t used_us)
{
    int64_t had_ms =
        limits->has_clock ? limits->time_ms[position_stm(&g->position)] : limits->movetime_ms;

    (void)snprintf(g->record->note, sizeof g->record->note, "its move took %lld ms of %lld",
                   (long long)(used_us / 1000), (long long)had_ms);
}

static Status check_cancelled(const Game *g, Error *err)
{
    if (g->setup->measured && system_pauses() != g->pauses)
        return error_set(err, STATUS_INTERRUPTED, "the process was stopped");
    if (!g->setup->cancelled || !atomic_load(g->setup->cancelled)) return STATUS_OK;
    return error_set(err, STATUS_INTERRUPTED, "interrupted");
}

/* Time was exceeded, perhaps because the process was stopped: other threads, which wait shorter,
 * then note that. */
static Status check_paused(const Game *g, Error *err)
{
    const struct timespec nap = {.tv_nsec = 250000000};

    if (!g->setup->measured) return STATUS_OK;
    (void)nanosleep(&nap, NULL);
    return check_cancelled(g, err);
}

/* Asks the side to move for its move; *over is true when that ended the game. */
static Status ask_player(Game *g, bool *over, Error *err)
{
    Color stm = position_stm(&g->position);
    int number = stm == WHITE ? g->setup->white : 1 - g->setup->white;
    SearchLimits limits = limits_now(g, number);
    bool vary = wants_varied_move(g);
    GameView view = {.start_fen = g->setup->start_fen,
                     .plies = g->record->plies,
                     .ply_count = g->record->ply_count,
                     .position = &g->position,
                     .history = &g->history,
                     .margin_ms = g->setup->margin_ms[number],
                     .cancelled = g->setup->cancelled,
                     .wants_search = g->record->search != NULL};
    PlayerMove answer = {0};

    if (vary) limits.multipv = PLAYER_LINES;
    limits.interrupted = g->setup->cancelled;
    Status status = player_choose(g->setup->players[number], &view, &limits, &answer, err);
    if (status == STATUS_OK) status = check_cancelled(g, err); /* it was cut off */
    if (status != STATUS_OK) return status;
    if (!answer.lost && !charge_clock(g, number, answer.time_us)) {
        answer.lost = REASON_TIME;
        note_lateness(g, &limits, answer.time_us);
    }
    if (answer.lost == REASON_TIME || answer.lost == REASON_STALL) status = check_paused(g, err);
    if (status != STATUS_OK) return status;
    g->record->nodes += (int64_t)answer.nodes;
    *over = true;
    if (answer.note && g->setup->stop_on_fault)
        return error_set(err, STATUS_ENGINE, "%s", answer.note);
    if (answer.note) (void)snprintf(g->record->note, sizeof g->record->note, "%s", answer.note);
    if (!answer.lost && !movegen_is_legal(&g->position, answer.move))
        answer.lost = REASON_ILLEGAL_MOVE;
    if (answer.lost) {
        g->record->result = win_of(opponent(position_stm(&g->position)));
        g->record->reason = answer.lost;
        return STATUS_OK;
    }
    int score = answer.score == SCORE_UNKNOWN || stm == WHITE ? answer.score : -answer.score;
    play_move(g, vary ? varied_move(g, &answer) : answer.move, score, &answer);
    *over = false;
    return STATUS_OK;
}

static const PlayerMove no_search = {.search = {-1, -1, -1, -1, ""}};

static Status play_to_end(Game *g, Error *err)
{
    GameRecord *record = g->record;
    bool over = false;

    while (!over && !game_over(&g->position, &g->history, &record->result, &record->reason) &&
           !adjudicate(g)) {
        Status status = check_cancelled(g, err);
        if (status != STATUS_OK) return status;
        if (wants_random_move(g)) {
            play_move(g, random_move(g), SCORE_UNKNOWN, &no_search);
            continue;
        }
        status = ask_player(g, &over, err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

Status game_play(const GameSetup *setup, GameRecord *game, Error *err)
{
    Game g = {.setup = setup, .record = game, .pauses = system_pauses()};
    GamePly *plies = game->plies;
    PlyClock *clock = game->clock;
    PlySearch *search = game->search;

    assert(setup->white == 0 || setup->white == 1);
    assert(strlen(setup->start_fen) < sizeof game->start_fen);
    assert(setup->exploration.vary_until_ply <= GAME_VARIED_PLIES);
    *game = (GameRecord){.plies = plies,
                         .clock = clock,
                         .search = search,
                         .white = setup->white,
                         .black = 1 - setup->white};
    if (setup->players[0] == setup->players[1]) game->white = game->black = 0;
    strcpy(game->start_fen, setup->start_fen);
    start_clocks(&g);

    Status status = position_from_fen(&g.position, setup->start_fen, err);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        if (i == 0 || setup->players[1] != setup->players[0])
            status = player_new_game(setup->players[i], err);
    for (int i = 0; status == STATUS_OK && i < setup->book_count; i++)
        play_move(&g, setup->book_moves[i], SCORE_UNKNOWN, &no_search);
    return status == STATUS_OK ? play_to_end(&g, err) : status;
}
