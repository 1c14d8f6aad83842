/* SPDX-License-Identifier: MIT
 * Writing games in PGN's export format. */
#include "selfplay/pgn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/notation.h"
#include "engine/search.h"
#include "selfplay/replay.h"

enum { LINE_MAX_LENGTH = 79, TOKEN_MAX = 48 };

/* Words separated by blanks, with line breaks where a line would pass 79 characters. */
typedef struct MoveText {
    FILE *out;
    size_t column;
} MoveText;

static void put_token(MoveText *text, const char *token)
{
    size_t length = strlen(token);

    if (text->column > 0) {
        bool wrap = text->column + 1 + length > LINE_MAX_LENGTH;
        (void)fputc(wrap ? '\n' : ' ', text->out);
        text->column = wrap ? 0 : text->column + 1;
    }
    (void)fputs(token, text->out);
    text->column += length;
}

/* Tag values escape quotes and backslashes and hold no control characters (PGN standard, 7). */
static void put_tag(FILE *out, const char *name, const char *value)
{
    (void)fprintf(out, "[%s \"", name);
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\') (void)fputc('\\', out);
        (void)fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    (void)fputs("\"]\n", out);
}

static const char *termination(GameReason reason)
{
    switch (reason) {
    case REASON_TIME:
        return "time forfeit";
    case REASON_ILLEGAL_MOVE:
        return "rules infraction";
    case REASON_CRASH:
    case REASON_STALL:
        return "abandoned";
    case REASON_WIN_ADJUDICATION:
    case REASON_DRAW_ADJUDICATION:
    case REASON_MAX_PLIES:
    case REASON_TABLEBASE:
        return "adjudication";
    default:
        return "normal";
    }
}

/* Castling from other files than usual, or an array of the pieces that is not the usual one though
 * its castling is. */
static bool is_chess960(const GameRecord *game, const Position *start)
{
    const Bitboard home = rank_bb(RANK_1) | rank_bb(RANK_2) | rank_bb(RANK_7) | rank_bb(RANK_8);
    bool usual = strncmp(game->start_fen, START_FEN, strcspn(START_FEN, " ")) == 0;

    return start->chess960 || (position_occupied(start) == home && !usual);
}

static void put_tags(FILE *out, const PgnTags *tags, const GameRecord *game, const Position *start)
{
    char round[24] = "?", plies[24];

    if (tags->round > 0) (void)snprintf(round, sizeof round, "%lld", (long long)tags->round);
    (void)snprintf(plies, sizeof plies, "%d", game->ply_count);
    put_tag(out, "Event", tags->event ? tags->event : "?");
    put_tag(out, "Site", tags->site ? tags->site : "?");
    put_tag(out, "Date", tags->date ? tags->date : "????.??.??");
    put_tag(out, "Round", round);
    put_tag(out, "White", tags->white ? tags->white : "?");
    put_tag(out, "Black", tags->black ? tags->black : "?");
    put_tag(out, "Result", result_text(game->result));
    if (strcmp(game->start_fen, START_FEN) != 0) {
        put_tag(out, "SetUp", "1");
        put_tag(out, "FEN", game->start_fen);
    }
    if (is_chess960(game, start)) put_tag(out, "Variant", "Chess960");
    put_tag(out, "PlyCount", plies);
    put_tag(out, "Termination", termination(game->reason));
    (void)fputc('\n', out);
}

/* "{+0.35}", "{-M4}": the mover's view; mates are counted in plies, as fastchess and cutechess do.
 */
static void put_score(MoveText *text, int white_score, Color mover)
{
    char comment[TOKEN_MAX];
    int score = mover == WHITE ? white_score : -white_score;

    if (white_score == SCORE_UNKNOWN) return;
    if (abs(score) > VALUE_MATE_IN_MAX)
        (void)snprintf(comment, sizeof comment, "{%cM%d}", score > 0 ? '+' : '-',
                       VALUE_MATE - abs(score));
    else
        (void)snprintf(comment, sizeof comment, "{%c%d.%02d}", score < 0 ? '-' : '+',
                       abs(score) / 100, abs(score) % 100);
    put_token(text, comment);
}

static Status put_moves(FILE *out, const GameRecord *game, Replay *replay, Error *err)
{
    MoveText text = {.out = out};
    bool commented = false;
    char token[TOKEN_MAX];

    while (replay->ply < game->ply_count) {
        const GamePly *ply = &game->plies[replay->ply];
        Position before = replay->pos;
        Color mover = position_stm(&before);
        int number = before.game_ply / 2 + 1;
        Status status = replay_next(replay, err); /* proves the move legal */
        if (status != STATUS_OK) return status;
        if (mover == WHITE || replay->ply == 1 || commented) {
            (void)snprintf(token, sizeof token, mover == WHITE ? "%d." : "%d...", number);
            put_token(&text, token);
        }
        char san[SAN_MAX];
        move_to_san(&before, ply->move, san);
        put_token(&text, san);
        put_score(&text, ply->score, mover);
        commented = ply->score != SCORE_UNKNOWN;
    }
    if (game->reason >= REASON_MAX_PLIES) { /* ended by somebody, not by the board */
        (void)snprintf(token, sizeof token, "{%s}", reason_name(game->reason));
        put_token(&text, token);
    }
    put_token(&text, result_text(game->result));
    (void)fputs("\n\n", out);
    return STATUS_OK;
}

Status pgn_write(FILE *out, const PgnTags *tags, const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    if (status != STATUS_OK) return status;
    put_tags(out, tags, game, &replay.pos);
    status = put_moves(out, game, &replay, err);
    if (status == STATUS_OK && ferror(out))
        status = error_set(err, STATUS_FAILED, "cannot write PGN: %s", strerror(errno));
    return status;
}
