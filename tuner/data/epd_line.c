/* SPDX-License-Identifier: MIT
 * Reading labelled positions: the EPD standard's operations and the looser labels of data sets. */
#include "tuner/data/epd_line.h"

#include <stdlib.h>
#include <string.h>

#include "engine/notation/fen.h"
#include "engine/search/search.h"

/* A stretch of the line. */
typedef struct Span {
    const char *at;
    size_t length;
} Span;

typedef struct Scanner {
    const char *at, *end;
} Scanner;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_spaces(Scanner *s)
{
    while (s->at < s->end && is_space(*s->at))
        s->at++;
}

static bool at_end(const Scanner *s)
{
    return s->at == s->end;
}

/* The next word, a quoted string (given without quotes) or a [bracketed] one (with them). */
static Span next_token(Scanner *s)
{
    skip_spaces(s);
    Span token = {s->at, 0};
    if (at_end(s)) return token;

    if (*s->at == '"') {
        token.at = ++s->at;
        while (!at_end(s) && *s->at != '"')
            s->at++;
        token.length = (size_t)(s->at - token.at);
        if (!at_end(s)) s->at++;
        return token;
    }
    while (!at_end(s) && !is_space(*s->at) && *s->at != ';')
        s->at++;
    token.length = (size_t)(s->at - token.at);
    return token;
}

static bool span_is(Span span, const char *text)
{
    return span.length == strlen(text) && memcmp(span.at, text, span.length) == 0;
}

static bool is_integer(Span span)
{
    for (size_t i = 0; i < span.length; i++)
        if (span.at[i] < '0' || span.at[i] > '9') return false;
    return span.length > 0;
}

/* "0", "0.5", "1.000": digits, perhaps a point and more digits, worth 0, 1/2 or 1. */
static bool number_result(Span span, GameResult *result)
{
    char text[16];

    if (span.length == 0 || span.length >= sizeof text) return false;
    for (size_t i = 0, points = 0; i < span.length; i++) {
        bool point = span.at[i] == '.';
        points += point;
        if (points > 1 || (!point && (span.at[i] < '0' || span.at[i] > '9'))) return false;
    }
    if (span.at[0] == '.') return false;
    memcpy(text, span.at, span.length);
    text[span.length] = '\0';
    double value = strtod(text, NULL);
    if (value != 0 && value != 0.5 && value != 1) return false;
    *result = (GameResult)(2 * value);
    return true;
}

bool epd_parse_result(const char *text, size_t length, GameResult *result)
{
    Span span = {text, length};

    if (span.length >= 2 && span.at[0] == '[' && span.at[span.length - 1] == ']') {
        span.at++;
        span.length -= 2;
    }
    return result_parse(span.at, span.length, result) || number_result(span, result);
}

static bool is_opcode(Span span)
{
    char c = span.length > 0 ? span.at[0] : '\0';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Cuts the position off the front of the line and sets it up. */
static Status parse_position(Scanner *s, Position *pos, Error *err)
{
    char fen[FEN_MAX + 32];
    size_t used = 0;
    Span field[6];
    int fields = 4;

    for (int i = 0; i < 4; i++) {
        field[i] = next_token(s);
        if (field[i].length == 0)
            return error_set(err, STATUS_BAD_INPUT, "expected the four fields of a position");
    }
    /* Move counters are there when two whole numbers follow; one alone is a label. */
    Scanner ahead = *s;
    field[4] = next_token(&ahead);
    field[5] = next_token(&ahead);
    if (is_integer(field[4]) && is_integer(field[5])) {
        fields = 6;
        *s = ahead;
    }
    for (int i = 0; i < fields; i++) {
        if (used + field[i].length + 2 > sizeof fen)
            return error_set(err, STATUS_BAD_INPUT, "the position is too long");
        memcpy(fen + used, field[i].at, field[i].length);
        used += field[i].length;
        fen[used++] = i + 1 < fields ? ' ' : '\0';
    }
    return position_from_fen(pos, fen, err);
}

typedef struct Labels {
    bool found;
    GameResult result;
} Labels;

static Status take_label(Labels *labels, Span span, const char *where, Error *err)
{
    GameResult result;

    if (!epd_parse_result(span.at, span.length, &result))
        return error_set(err, STATUS_BAD_INPUT, "unknown label '%.*s'%s%s", (int)span.length,
                         span.at, *where ? " of " : "", where);
    if (labels->found && labels->result != result)
        return error_set(err, STATUS_BAD_INPUT, "two labels that disagree, the second '%.*s'",
                         (int)span.length, span.at);
    labels->found = true;
    labels->result = result;
    return STATUS_OK;
}

/* `ce`: centipawns from the side to move's view. */
static Status take_score(EpdLine *line, Span span, Error *err)
{
    char text[16], *end;

    if (span.length == 0 || span.length >= sizeof text) goto bad;
    memcpy(text, span.at, span.length);
    text[span.length] = '\0';
    long value = strtol(text, &end, 10);
    if (*end != '\0' || value < -VALUE_MATE || value > VALUE_MATE) goto bad;
    line->score = (int)(line->pos.stm == WHITE ? value : -value);
    return STATUS_OK;

bad:
    return error_set(err, STATUS_BAD_INPUT, "opcode ce wants centipawns, not '%.*s'",
                     (int)span.length, span.at);
}

/* An operation, its opcode already read, up to its semicolon. */
static Status take_operation(Scanner *s, Span opcode, Labels *labels, EpdLine *line, Error *err)
{
    Span operand = {s->at, 0};
    Status status = STATUS_OK;

    skip_spaces(s);
    if (!at_end(s) && *s->at != ';') operand = next_token(s);
    if (span_is(opcode, "c9") || span_is(opcode, "c2")) {
        status = take_label(labels, operand, opcode.at[1] == '9' ? "opcode c9" : "opcode c2", err);
    } else if (span_is(opcode, "id")) {
        line->id = operand.at;
        line->id_length = operand.length;
    } else if (span_is(opcode, "ce")) {
        status = take_score(line, operand, err);
    }
    /* What is left of an operation that we do not know, strings with semicolons included. */
    for (skip_spaces(s); !at_end(s) && *s->at != ';'; skip_spaces(s))
        (void)next_token(s);
    return status;
}

bool epd_line_is_empty(const char *text, size_t length)
{
    Scanner s = {text, text + length};
    skip_spaces(&s);
    return at_end(&s) || *s.at == '#';
}

Status epd_line_parse(const char *text, size_t length, EpdLine *line, Error *err)
{
    Scanner s = {text, text + length};
    Labels labels = {0};

    line->score = SCORE_UNKNOWN;
    line->id = NULL;
    line->id_length = 0;
    Status status = parse_position(&s, &line->pos, err);
    while (status == STATUS_OK) {
        skip_spaces(&s);
        while (!at_end(&s) && *s.at == ';') {
            s.at++;
            skip_spaces(&s);
        }
        if (at_end(&s)) break;
        bool quoted = *s.at == '"';
        Span token = next_token(&s);
        if (!quoted && is_opcode(token))
            status = take_operation(&s, token, &labels, line, err);
        else
            status = take_label(&labels, token, "", err);
    }
    if (status != STATUS_OK) return status;
    if (!labels.found)
        return error_set(err, STATUS_BAD_INPUT,
                         "no label: expected c9 \"1-0\", [1.0], or a result at the end");
    line->result = labels.result;
    return STATUS_OK;
}
