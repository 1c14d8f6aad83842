/* SPDX-License-Identifier: MIT
 * How a game ends: by the rules, or by its source. */
#include "db/chess/game_end.h"

#include "engine/board/movegen.h"

bool game_over(const Position *pos, const KeyHistory *history, GameResult *result,
               GameReason *reason)
{
    *result = RESULT_DRAW;
    if (movegen_count(pos) == 0) {
        bool mate = position_in_check(pos);
        if (mate) *result = pos->stm == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
        *reason = mate ? REASON_CHECKMATE : REASON_STALEMATE;
    } else if (position_is_insufficient_material(pos)) {
        *reason = REASON_MATERIAL;
    } else if (pos->rule50 >= 100) {
        *reason = REASON_FIFTY_MOVES;
    } else if (key_history_repetitions(history, pos) >= 2) {
        *reason = REASON_REPETITION;
    } else {
        return false;
    }
    return true;
}

bool game_end_is_decision(GameReason reason, GameResult result)
{
    switch (reason) {
    case REASON_MAX_PLIES:
    case REASON_DRAW_ADJUDICATION:
        return result == RESULT_DRAW;
    case REASON_WIN_ADJUDICATION:
        return result != RESULT_DRAW;
    case REASON_TIME:
    case REASON_ILLEGAL_MOVE:
    case REASON_CRASH:
    case REASON_STALL:
    case REASON_TABLEBASE:
        return true;
    default:
        return false;
    }
}

Status game_end_decide(GameRecord *game, const Position *end, const KeyHistory *history,
                       GameReason stated, Error *err)
{
    GameResult result;
    GameReason reason;
    bool over = game_over(end, history, &result, &reason);

    if (over && result == game->result) {
        game->reason = reason;
        return STATUS_OK;
    }
    if (over && (reason == REASON_CHECKMATE || reason == REASON_STALEMATE))
        return error_set(err, STATUS_BAD_INPUT, "the game ends by %s, which is %s, not %s",
                         reason_name(reason), result_text(result), result_text(game->result));
    if (game_end_is_decision(stated, game->result))
        game->reason = stated;
    else
        game->reason =
            game->result == RESULT_DRAW ? REASON_DRAW_ADJUDICATION : REASON_WIN_ADJUDICATION;
    return STATUS_OK;
}
