/* SPDX-License-Identifier: MIT
 * EPD with results: a position a line, `FEN4 c9 "1-0"; id "game"; ce 35; sm Nf3;`.
 *
 * c9: the result; id: the game; ce: the score from the side to move's view in centipawns (omitted
 * for mates and without a search); sm: the move played. */
#include <stdlib.h>

#include "db/files/reader.h"
#include "engine/notation/epd.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/formats/internal.h"
#include "selfplay/formats/joined_positions.h"

/* ---- Writing */

char *epd_put(char *out, const ExportGame *game, int ply)
{
    const GameRecord *record = game->record;
    const Position *pos = &game->positions[ply];
    int score = record->plies[ply].score;

    position_to_fen(pos, out);
    out += epd_fields_length(out);
    out = text_put(text_put(out, "c9 \""), result_text(record->result));
    out = text_put(text_put(out, "\"; id \""), game->run->uuid);
    out = text_put_int(text_put(out, "/"), record->game_no);
    out = text_put(out, "\";");
    if (!value_is_mate(score)) {
        out = text_put_int(text_put(out, " ce "), position_stm(pos) == WHITE ? score : -score);
        out = text_put(out, ";");
    }
    out = text_put(out, " sm ");
    move_to_san(pos, record->plies[ply].move, out);
    return text_put(out + strlen(out), ";\n");
}

/* ---- Reading */

/* The word as a string; false when it is too long. */
static bool copy_word(TextWord word, char *out, size_t size)
{
    if (word.length >= size) return false;
    memcpy(out, word.at, word.length);
    out[word.length] = '\0';
    return true;
}

static Status take_operation(const EpdOperation *operation, ListedPosition *position,
                             bool *has_result, Error *err)
{
    char text[64] = "";
    char *end;

    if (text_word_is(operation->opcode, "id")) {
        if (!copy_word(operation->operand, position->id, sizeof position->id))
            return error_set(err, STATUS_BAD_INPUT, "the operand of id is too long");
        return STATUS_OK;
    }
    bool fits = copy_word(operation->operand, text, sizeof text);
    if (text_word_is(operation->opcode, "c9")) {
        *has_result = fits && result_parse(text, strlen(text), &position->result);
        if (!*has_result)
            return error_set(err, STATUS_BAD_INPUT, "opcode c9: \"%.40s\" is not a result", text);
    } else if (text_word_is(operation->opcode, "sm")) {
        return move_from_any(&position->pos, text, &position->move, err);
    } else if (text_word_is(operation->opcode, "ce")) {
        long score = strtol(text, &end, 10);
        if (end > text && score > -VALUE_MATE_IN_MAX && score < VALUE_MATE_IN_MAX)
            position->score = (int)(position_stm(&position->pos) == WHITE ? score : -score);
    }
    return STATUS_OK;
}

/* Reads the position at the start of the line; *text moves past it. */
static Status take_position(TextSpan *text, const Position *expected, Position *pos, Error *err)
{
    char fen[FEN_MAX];

    if (expected) {
        position_to_fen(expected, fen);
        size_t length = epd_fields_length(fen);
        if (strncmp(text->at, fen, length) == 0) {
            *pos = *expected;
            pos->rule50 = 0; /* as EPD has it */
            pos->game_ply = position_stm(pos) == BLACK;
            text->at += length;
            return STATUS_OK;
        }
    }
    return epd_read_position(text, pos, err);
}

static Status parse_record(const char *record, const Position *expected, ListedPosition *position,
                           Error *err)
{
    bool has_result = false;
    TextSpan text = text_span(record);
    EpdOperation operation;

    position->move = MOVE_NONE;
    position->score = SCORE_UNKNOWN;
    position->counted = false;
    position->id[0] = '\0';
    Status status = take_position(&text, expected, &position->pos, err);
    while (status == STATUS_OK && epd_next_operation(&text, &operation))
        status = take_operation(&operation, position, &has_result, err);
    if (status != STATUS_OK) return status;
    if (!has_result) return error_set(err, STATUS_BAD_INPUT, "no result (opcode c9)");
    if (position->move == MOVE_NONE)
        return error_set(
            err, STATUS_BAD_INPUT,
            "no move (opcode sm): positions without moves are read by tabia tune --epd");
    return STATUS_OK;
}

static Status read_record(FileReader *text, const Position *expected, ListedPosition *position,
                          bool *found, Error *err)
{
    TextRecord record;

    *found = false;
    if (!record_next(text, &record)) return STATUS_OK;
    position->line = record.line;
    Status status = parse_record(record.text, expected, position, err);
    *found = status == STATUS_OK;
    return status == STATUS_OK ? status : reader_place_line(text, record.line, err);
}

GameSource *epd_open(const char *path, Error *err)
{
    return joined_open(path, read_record, err);
}
