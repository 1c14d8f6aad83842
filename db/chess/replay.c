/* SPDX-License-Identifier: MIT
 * Replaying stored games. */
#include "db/chess/replay.h"

#include <assert.h>
#include <stdlib.h>

#include "db/chess/game_end.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

static Status refuse_move(const GameRecord *game, int ply, const Position *pos, Error *err)
{
    Move move = game->plies[ply].move;
    char fen[FEN_MAX], from[3], to[3];

    position_to_fen(pos, fen);
    square_to_text(move_from(move), from);
    square_to_text(move_to(move), to);
    return error_set(err, STATUS_BAD_INPUT, "game %lld, ply %d: %s%s (0x%04x) is not legal in %s",
                     (long long)game->game_no, ply, from, to, (unsigned)move, fen);
}

Status replay_start(Replay *replay, const GameRecord *game, Error *err)
{
    replay->game = game;
    replay->history.count = 0;
    replay->ply = 0;
    Status status = position_from_fen(&replay->pos[0], game->start_fen, err);
    if (status)
        status = error_prefix(err, "game %lld: start position '%s'", (long long)game->game_no,
                              game->start_fen);
    return status;
}

Status replay_next(Replay *replay, Error *err)
{
    const GameRecord *game = replay->game;
    const Position *pos = replay_position(replay);
    assert(replay->ply < game->ply_count);
    Move move = game->plies[replay->ply].move;

    if (!movegen_is_legal(pos, move)) return refuse_move(game, replay->ply, pos, err);
    key_history_push(&replay->history, pos);
    position_make(&replay->pos[~replay->ply & 1], pos, move);
    replay->ply++;
    return STATUS_OK;
}

static Status check_scores(const GameRecord *game, Error *err)
{
    for (int i = 0; i < game->ply_count; i++) {
        int score = game->plies[i].score;
        if (abs(score) > VALUE_MATE && score != SCORE_UNKNOWN)
            return error_set(err, STATUS_BAD_INPUT, "game %lld, ply %d: %d is no score",
                             (long long)game->game_no, i, score);
    }
    return STATUS_OK;
}

Status replay_line(const GameRecord *game, Position *positions, Error *err)
{
    Replay replay;

    Status status = check_scores(game, err);
    if (status == STATUS_OK) status = replay_start(&replay, game, err);
    for (int i = 0; status == STATUS_OK; i++) {
        positions[i] = *replay_position(&replay);
        if (i == game->ply_count) break;
        status = replay_next(&replay, err);
    }
    return status;
}

unsigned replay_flags(const Replay *replay)
{
    int at = replay->ply - 1;
    GamePly ply = replay->game->plies[at];
    unsigned flags = 0;

    if (position_in_check(replay_before(replay))) flags |= POSITION_IN_CHECK;
    if (move_is_noisy(ply.move)) flags |= POSITION_NOISY_MOVE;
    if (ply.score != SCORE_UNKNOWN && value_is_mate(ply.score)) flags |= POSITION_MATE_SCORE;
    if (position_in_check(replay_position(replay))) flags |= POSITION_GIVES_CHECK;
    if (at < GAME_VARIED_PLIES && (replay->game->varied >> at & 1) != 0)
        flags |= POSITION_VARIED_MOVE;
    return flags;
}

Status replay_positions(const GameRecord *game, PositionRow *rows, Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    for (int i = 0; i < game->ply_count && status == STATUS_OK; i++) {
        PositionRow *row = &rows[i];
        status = replay_next(&replay, err);
        if (status) break;
        row->ply = i;
        row->score = game->plies[i].score;
        row->flags = replay_flags(&replay);
        position_to_fen(replay_before(&replay), row->fen);
        move_to_uci(replay_before(&replay), game->plies[i].move, row->move);
    }
    return status;
}

/* Do result and reason of the record agree with the final position? */
static bool end_is_sound(const Replay *end)
{
    const Position *pos = replay_position(end);
    GameResult result = end->game->result;
    bool draw = result == RESULT_DRAW;
    bool stuck = movegen_count(pos) == 0;
    bool mate = stuck && position_in_check(pos);

    switch (end->game->reason) {
    case REASON_CHECKMATE:
        return mate &&
               result == (position_stm(pos) == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS);
    case REASON_STALEMATE:
        return draw && stuck && !mate;
    case REASON_REPETITION:
        return draw && !stuck && key_history_repetitions(&end->history, pos) >= 2;
    case REASON_FIFTY_MOVES:
        return draw && !mate && pos->rule50 >= 100;
    case REASON_MATERIAL:
        return draw && position_is_insufficient_material(pos);
    default:
        return !stuck && game_end_is_decision(end->game->reason, result);
    }
}

Status replay_check(const GameRecord *game, Error *err)
{
    char fen[FEN_MAX];
    Replay replay;

    Status status = check_scores(game, err);
    if (status == STATUS_OK) status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count)
        status = replay_next(&replay, err);
    if (status) return status;
    if (end_is_sound(&replay)) return STATUS_OK;
    position_to_fen(replay_position(&replay), fen);
    return error_set(err, STATUS_BAD_INPUT, "game %lld: does not end %s by %s in %s",
                     (long long)game->game_no, result_text(game->result), reason_name(game->reason),
                     fen);
}
