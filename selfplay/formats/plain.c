/* SPDX-License-Identifier: MIT
 * Stockfish's plain text: a position a block of lines. Source: the tools branch of Stockfish,
 * docs/transform.md and convert.
 *
 *     fen  FEN          six fields
 *     move e2e4         UCI; castling in Chess960 is king takes rook
 *     score 35          the side to move's view; mates 32000 - plies; 32002 none
 *     ply 12            by the FEN's move number
 *     result 1          the side to move's view: 1 won, 0 drawn, -1 lost
 *     e
 *
 * Our scores are centipawns; Stockfish writes its internal units. */
#include <stdio.h>
#include <stdlib.h>

#include "db/files/reader.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/formats/internal.h"
#include "selfplay/formats/joined_positions.h"

enum { LINE_BYTES = 256 };

/* ---- Writing */

char *plain_put(char *out, const ExportGame *game, int number)
{
    const Position *pos = &game->positions[number];
    const GamePly ply = game->record->plies[number];
    int sign = position_stm(pos) == WHITE ? 1 : -1;

    out = text_put(out, "fen ");
    position_to_fen(pos, out);
    out = text_put(out + strlen(out), "\nmove ");
    move_to_uci(pos, ply.move, out);
    out = text_put(out + strlen(out), "\nscore ");
    out = text_put_int(out, ply.score == SCORE_UNKNOWN ? STOCKFISH_SCORE_NONE : sign * ply.score);
    out = text_put_int(text_put(out, "\nply "), pos->game_ply);
    out =
        text_put_int(text_put(out, "\nresult "), sign * ((int)game->record->result - RESULT_DRAW));
    return text_put(out, "\ne\n");
}

/* ---- Reading */

/* The lines of a block. */
enum { HAS_FEN = 1, HAS_MOVE = 2, HAS_SCORE = 4, HAS_RESULT = 8, HAS_ALL = 15 };

typedef struct Block {
    int has;
    char fen[LINE_BYTES], move[LINE_BYTES];
    int score, result; /* the side to move's view */
} Block;

static Status parse_int(const char *text, int limit, int *out, Error *err)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < -limit || value > limit)
        return error_set(err, STATUS_BAD_INPUT, "\"%.40s\" is not a number from -%d to %d", text,
                         limit, limit);
    *out = (int)value;
    return STATUS_OK;
}

/* The text after the keyword, if the line begins with it. */
static const char *value_of(const char *line, const char *keyword)
{
    size_t length = strlen(keyword);
    return strncmp(line, keyword, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static Status read_line(Block *block, const char *line, Error *err)
{
    const char *value;

    if ((value = value_of(line, "fen")) != NULL) {
        (void)snprintf(block->fen, sizeof block->fen, "%s", value);
        block->has |= HAS_FEN;
    } else if ((value = value_of(line, "move")) != NULL) {
        (void)snprintf(block->move, sizeof block->move, "%s", value);
        block->has |= HAS_MOVE;
    } else if ((value = value_of(line, "score")) != NULL) {
        block->has |= HAS_SCORE;
        return parse_int(value, STOCKFISH_SCORE_NONE, &block->score, err);
    } else if ((value = value_of(line, "result")) != NULL) {
        block->has |= HAS_RESULT;
        return parse_int(value, 1, &block->result, err);
    } else if (!value_of(line, "ply")) { /* the FEN has it */
        return error_set(err, STATUS_BAD_INPUT, "not Stockfish's plain text: %.40s", line);
    }
    return STATUS_OK;
}

static Status take_fen(const char *fen, const Position *expected, Position *pos, Error *err)
{
    char text[FEN_MAX];

    if (expected) {
        position_to_fen(expected, text);
        if (strcmp(text, fen) == 0) {
            *pos = *expected;
            return STATUS_OK;
        }
    }
    return position_from_fen(pos, fen, err);
}

static Status take_block(const Block *block, const Position *expected, ListedPosition *position,
                         Error *err)
{
    if (block->has != HAS_ALL)
        return error_set(err, STATUS_BAD_INPUT, "a position without %s",
                         !(block->has & HAS_FEN)     ? "fen"
                         : !(block->has & HAS_MOVE)  ? "move"
                         : !(block->has & HAS_SCORE) ? "score"
                                                     : "result");
    Status status = take_fen(block->fen, expected, &position->pos, err);
    if (status == STATUS_OK)
        status = move_from_uci(&position->pos, block->move, &position->move, err);
    if (status != STATUS_OK) return status;
    int sign = position_stm(&position->pos) == WHITE ? 1 : -1;
    position->score =
        abs(block->score) == STOCKFISH_SCORE_NONE ? SCORE_UNKNOWN : sign * block->score;
    position->result = (GameResult)(RESULT_DRAW + sign * block->result);
    position->counted = true;
    position->id[0] = '\0';
    return STATUS_OK;
}

/* Reads up to the line "e", also after an error, which is returned then. */
static Status read_block(FileReader *text, const Position *expected, ListedPosition *position,
                         bool *found, Error *err)
{
    Block block = {0};
    Status status = STATUS_OK;
    TextRecord line;
    int64_t wrong = 0;

    *found = false;
    bool more = record_next(text, &line);
    if (!more) return STATUS_OK;
    position->line = line.line;
    for (; more && strcmp(line.text, "e") != 0; more = record_next(text, &line)) {
        if (status != STATUS_OK) continue;
        wrong = line.line;
        status = read_line(&block, line.text, err);
    }
    if (status == STATUS_OK) {
        wrong = more ? position->line : line.line;
        status = more ? take_block(&block, expected, position, err)
                      : error_set(err, STATUS_BAD_INPUT, "the file ends within a position");
    }
    *found = status == STATUS_OK;
    return status == STATUS_OK ? status : reader_place_line(text, wrong, err);
}

GameSource *plain_open(const char *path, Error *err)
{
    return joined_open(path, read_block, err);
}
