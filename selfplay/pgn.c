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

/* How long the moves took together. */
static void put_duration(FILE *out, const GameRecord *game)
{
    int64_t ms = 0;
    char text[32];

    for (int i = 0; i < game->ply_count; i++)
        ms += game->clock[i].time_ms;
    int64_t seconds = (ms + 500) / 1000;
    (void)snprintf(text, sizeof text, "%02lld:%02d:%02d", (long long)(seconds / 3600),
                   (int)(seconds / 60 % 60), (int)(seconds % 60));
    put_tag(out, "GameDuration", text);
}

static void put_time_controls(FILE *out, const char *white, const char *black)
{
    if (white && black && strcmp(white, black) == 0) {
        put_tag(out, "TimeControl", white);
        return;
    }
    if (white) put_tag(out, "WhiteTimeControl", white);
    if (black) put_tag(out, "BlackTimeControl", black);
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
    if (game->clock) put_duration(out, game);
    put_tag(out, "PlyCount", plies);
    put_tag(out, "Termination", termination(game->reason));
    put_time_controls(out, tags->white_tc, tags->black_tc);
    (void)fputc('\n', out);
}

/* "+0.35", "-M4": the mover's view; mates are counted in plies, as fastchess and cutechess do. */
static void format_score(int score, char *text, size_t size)
{
    char sign = score < 0 ? '-' : '+';

    if (abs(score) > VALUE_MATE_IN_MAX)
        (void)snprintf(text, size, "%cM%d", sign, VALUE_MATE - abs(score));
    else
        (void)snprintf(text, size, "%c%d.%02d", sign, abs(score) / 100, abs(score) % 100);
}

/* What is known of a move; false where nothing is. */
static bool put_comment(MoveText *text, const GameRecord *game, int ply, Color mover)
{
    const PlyClock *clock = game->clock ? &game->clock[ply] : NULL;
    int white_score = game->plies[ply].score;
    char comment[TOKEN_MAX], score[16];

    if (white_score == SCORE_UNKNOWN) return false;
    format_score(mover == WHITE ? white_score : -white_score, score, sizeof score);
    if (clock)
        (void)snprintf(comment, sizeof comment, "{%s/%d %u.%03us}", score, clock->depth,
                       (unsigned)(clock->time_ms / 1000), (unsigned)(clock->time_ms % 1000));
    else
        (void)snprintf(comment, sizeof comment, "{%s}", score);
    put_token(text, comment);
    return true;
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
        commented = put_comment(&text, game, replay->ply - 1, mover);
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
