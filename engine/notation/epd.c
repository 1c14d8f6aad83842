/* SPDX-License-Identifier: MIT
 * Reading lines of EPD and FEN. */
#include "engine/notation/epd.h"

#include <stdio.h>
#include <string.h>

enum { COUNTER_DIGITS = 6 };

static void skip_blanks(TextSpan *text)
{
    while (text->at < text->end && text_is_blank(*text->at))
        text->at++;
}

static bool at_end(const TextSpan *text)
{
    return text->at == text->end;
}

/* The next word or string in quotes; length 0 at a semicolon and at the end. A bar is a word of its
 * own where bars separate fields, as bullet's. */
static TextWord next_word(TextSpan *text, bool bars)
{
    skip_blanks(text);
    TextWord word = {text->at, 0};

    if (!at_end(text) && *text->at == '"') {
        word.at = ++text->at;
        while (!at_end(text) && *text->at != '"')
            text->at++;
        word.length = (size_t)(text->at - word.at);
        if (!at_end(text)) text->at++;
        return word;
    }
    if (bars && !at_end(text) && *text->at == '|')
        text->at++;
    else
        while (!at_end(text) && !text_is_blank(*text->at) && *text->at != ';' &&
               !(bars && *text->at == '|'))
            text->at++;
    word.length = (size_t)(text->at - word.at);
    return word;
}

static bool is_whole_number(TextWord word)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.at[i] < '0' || word.at[i] > '9') return false;
    return word.length > 0;
}

/* ---- Positions */

static Status refuse_line(const TextSpan *line, Error *err)
{
    int length = (int)(line->end - line->at < 60 ? line->end - line->at : 60);
    return error_set(err, STATUS_BAD_INPUT, "not a FEN or EPD position: %.*s", length, line->at);
}

/* The counters of an EPD are operations. */
static void find_counters(TextSpan text, TextWord counter[2])
{
    EpdOperation operation;

    memcpy(counter, fen_counters, sizeof fen_counters);
    /* Both opcodes have a v: a line without one, as most are, is read once, not twice. */
    if (!memchr(text.at, 'v', (size_t)(text.end - text.at))) return;
    while (epd_next_operation(&text, &operation)) {
        const TextWord operand = operation.operand;
        if (!is_whole_number(operand) || operand.length > COUNTER_DIGITS) continue;
        if (text_word_is(operation.opcode, "hmvc")) counter[0] = operand;
        if (text_word_is(operation.opcode, "fmvn")) counter[1] = operand;
    }
}

Status epd_read_position(TextSpan *text, Position *pos, Error *err)
{
    TextWord field[FEN_FIELDS];
    const TextSpan line = *text;

    for (int i = 0; i < EPD_FIELDS; i++) {
        field[i] = next_word(text, true);
        if (field[i].length == 0) return refuse_line(&line, err);
    }
    TextSpan ahead = *text;
    TextWord *counter = &field[EPD_FIELDS];
    counter[0] = next_word(&ahead, true);
    counter[1] = next_word(&ahead, true);
    if (is_whole_number(counter[0]) && is_whole_number(counter[1]))
        *text = ahead;
    else if (!is_whole_number(counter[0]) || text_word_is(counter[0], "0") ||
             text_word_is(counter[0], "1"))
        find_counters(*text, counter);
    else
        return error_set(
            err, STATUS_BAD_INPUT,
            "half-move clock '%.*s' without a move number; a FEN has both, an EPD neither",
            (int)(counter[0].length < 20 ? counter[0].length : 20), counter[0].at);
    return position_from_fields(pos, field, err);
}

/* ---- Operations */

static bool begins_with_letter(TextWord word)
{
    char c = word.length > 0 ? word.at[0] : '\0';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool epd_next_operation(TextSpan *text, EpdOperation *operation)
{
    while (!at_end(text) && (text_is_blank(*text->at) || *text->at == ';'))
        text->at++;
    if (at_end(text)) return false;

    bool quoted = *text->at == '"';
    operation->opcode = next_word(text, true);
    operation->is_label = quoted || !begins_with_letter(operation->opcode);
    skip_blanks(text);
    operation->operand = (TextWord){text->at, 0};
    if (operation->is_label) return true;
    if (!at_end(text) && *text->at != ';') operation->operand = next_word(text, false);
    /* The other operands; a string may hold semicolons. */
    for (skip_blanks(text); !at_end(text) && *text->at != ';'; skip_blanks(text))
        (void)next_word(text, false);
    return true;
}

size_t epd_fields_length(const char *fen)
{
    const char *at = fen;

    for (int i = 0; i < 4; i++)
        at = strchr(at, ' ') + 1;
    return (size_t)(at - fen);
}

void epd_from_fen(const char *fen, char out[EPD_MAX])
{
    size_t length = epd_fields_length(fen), rule50 = strcspn(fen + length, " ");

    (void)snprintf(out, EPD_MAX, "%.*shmvc %.*s; fmvn %s;", (int)length, fen, (int)rule50,
                   fen + length, fen + length + rule50 + 1);
}
