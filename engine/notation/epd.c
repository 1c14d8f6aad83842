/* SPDX-License-Identifier: MIT
 * Reading lines of EPD and FEN. */
#include "engine/notation/epd.h"

#include <stdio.h>

#include "engine/notation/fen.h"

enum { EPD_FIELDS = 4, FEN_FIELDS = 6, COUNTER_DIGITS = 6 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(EpdText *text)
{
    while (text->at < text->end && is_blank(*text->at))
        text->at++;
}

static bool at_end(const EpdText *text)
{
    return text->at == text->end;
}

/* The next word or string in quotes; length 0 at a semicolon and at the end. */
static EpdWord next_word(EpdText *text)
{
    skip_blanks(text);
    EpdWord word = {text->at, 0};

    if (!at_end(text) && *text->at == '"') {
        word.at = ++text->at;
        while (!at_end(text) && *text->at != '"')
            text->at++;
        word.length = (size_t)(text->at - word.at);
        if (!at_end(text)) text->at++;
        return word;
    }
    while (!at_end(text) && !is_blank(*text->at) && *text->at != ';')
        text->at++;
    word.length = (size_t)(text->at - word.at);
    return word;
}

static bool is_whole_number(EpdWord word)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.at[i] < '0' || word.at[i] > '9') return false;
    return word.length > 0;
}

bool epd_is_empty(EpdText text)
{
    skip_blanks(&text);
    return at_end(&text) || *text.at == '#';
}

/* ---- Positions */

static Status refuse_line(const EpdText *line, Error *err)
{
    int length = (int)(line->end - line->at < 60 ? line->end - line->at : 60);
    return error_set(err, STATUS_BAD_INPUT, "not a FEN or EPD position: %.*s", length, line->at);
}

/* The fields of the position and, where it is a FEN, its counters; *text moves past them. */
static Status read_fields(EpdText *text, EpdWord field[FEN_FIELDS], int *count, Error *err)
{
    const EpdText line = *text;

    for (int i = 0; i < EPD_FIELDS; i++) {
        field[i] = next_word(text);
        if (field[i].length == 0) return refuse_line(&line, err);
    }
    *count = EPD_FIELDS;
    EpdText ahead = *text;
    field[4] = next_word(&ahead);
    if (!is_whole_number(field[4])) return STATUS_OK;
    field[5] = next_word(&ahead);
    if (is_whole_number(field[5])) {
        *count = FEN_FIELDS;
        *text = ahead;
        return STATUS_OK;
    }
    if (epd_word_is(field[4], "0") || epd_word_is(field[4], "1")) return STATUS_OK; /* a label */
    return error_set(err, STATUS_BAD_INPUT,
                     "half-move clock '%.*s' without a move number; a FEN has both, an EPD neither",
                     (int)(field[4].length < 20 ? field[4].length : 20), field[4].at);
}

/* The counters of an EPD are operations. */
static void read_counters(EpdText text, int *half_moves, int *move_number)
{
    EpdOperation operation;

    *half_moves = 0;
    *move_number = 1;
    /* Both opcodes have a v, and most lines have none: such a line is read once, not twice. */
    if (!memchr(text.at, 'v', (size_t)(text.end - text.at))) return;
    while (epd_next_operation(&text, &operation)) {
        const EpdWord operand = operation.operand;
        int *counter = epd_word_is(operation.opcode, "hmvc")   ? half_moves
                       : epd_word_is(operation.opcode, "fmvn") ? move_number
                                                               : NULL;
        if (!counter || !is_whole_number(operand) || operand.length > COUNTER_DIGITS) continue;
        *counter = 0;
        for (size_t i = 0; i < operand.length; i++)
            *counter = 10 * *counter + (operand.at[i] - '0');
    }
}

Status epd_read_position(EpdText *text, Position *pos, Error *err)
{
    char fen[2 * FEN_MAX];
    EpdWord field[FEN_FIELDS];
    const EpdText line = *text;
    int count, half_moves, move_number;
    size_t used = 0;

    Status status = read_fields(text, field, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count; i++) {
        if (used + field[i].length + 1 >= FEN_MAX) return refuse_line(&line, err);
        memcpy(fen + used, field[i].at, field[i].length);
        used += field[i].length;
        fen[used++] = ' ';
    }
    fen[used] = '\0';
    if (count == EPD_FIELDS) {
        read_counters(*text, &half_moves, &move_number);
        if (half_moves != 0 || move_number != 1)
            (void)snprintf(fen + used, sizeof fen - used, "%d %d", half_moves, move_number);
    }
    return position_from_fen(pos, fen, err);
}

/* ---- Operations */

static bool begins_with_letter(EpdWord word)
{
    char c = word.length > 0 ? word.at[0] : '\0';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool epd_next_operation(EpdText *text, EpdOperation *operation)
{
    while (!at_end(text) && (is_blank(*text->at) || *text->at == ';'))
        text->at++;
    if (at_end(text)) return false;

    bool quoted = *text->at == '"';
    operation->opcode = next_word(text);
    operation->is_label = quoted || !begins_with_letter(operation->opcode);
    skip_blanks(text);
    operation->operand = (EpdWord){text->at, 0};
    if (operation->is_label) return true;
    if (!at_end(text) && *text->at != ';') operation->operand = next_word(text);
    /* The other operands; a string may hold semicolons. */
    for (skip_blanks(text); !at_end(text) && *text->at != ';'; skip_blanks(text))
        (void)next_word(text);
    return true;
}
