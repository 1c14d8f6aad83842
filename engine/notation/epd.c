/* SPDX-License-Identifier: MIT
 * Reading lines of EPD and FEN. */
#include "engine/notation/epd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/notation/fen.h"

enum { FEN_FIELDS = 6, EPD_FIELDS = 4, COUNTER_MAX = 1000000 };

static const char blanks[] = " \t\r";

/* The first `fields` fields of the line, one blank between them; false when there are fewer or the
 * text does not fit. */
static bool take_fields(const char *line, int fields, char *out, size_t size, const char **rest)
{
    size_t used = 0;

    for (int i = 0; i < fields; i++) {
        line += strspn(line, blanks);
        size_t n = strcspn(line, " \t\r;");
        if (n == 0 || used + n + 2 > size) return false;
        if (i > 0) out[used++] = ' ';
        memcpy(out + used, line, n);
        used += n;
        line += n;
    }
    out[used] = '\0';
    *rest = line;
    return true;
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* The counters of an EPD are operations. */
static void read_counters(const char *operations, int *half_moves, int *move_number)
{
    EpdOperation operation;

    *half_moves = 0;
    *move_number = 1;
    while (epd_next_operation(&operations, &operation)) {
        int *counter = epd_operation_is(&operation, "hmvc")   ? half_moves
                       : epd_operation_is(&operation, "fmvn") ? move_number
                                                              : NULL;
        long value = counter ? strtol(operation.operand, NULL, 10) : 0;
        if (value > 0 && value < COUNTER_MAX) *counter = (int)value;
    }
}

Status epd_read_position(const char *line, Position *pos, const char **rest, Error *err)
{
    char fen[2 * FEN_MAX], counter[64];
    const char *behind, *end;
    int half_moves, move_number;

    if (!take_fields(line, EPD_FIELDS, fen, FEN_MAX, &behind))
        return error_set(err, STATUS_BAD_INPUT, "not a FEN or EPD position: %.60s", line);
    size_t used = strlen(fen);
    if (take_fields(behind, 1, counter, sizeof counter, &end) && is_number(counter)) {
        if (!take_fields(line, FEN_FIELDS, fen, sizeof fen, &behind))
            return error_set(err, STATUS_BAD_INPUT, "half a FEN: %.60s", line);
    } else {
        read_counters(behind, &half_moves, &move_number);
        (void)snprintf(fen + used, sizeof fen - used, " %d %d", half_moves, move_number);
    }
    if (rest) *rest = behind;
    return position_from_fen(pos, fen, err);
}

/* A word, or a string in quotes, which are left out. */
static const char *take_operand(const char *text, const char **operand, size_t *length)
{
    bool quoted = *text == '"';

    *operand = text += quoted;
    *length = strcspn(text, quoted ? "\"" : " \t\r;");
    text += *length;
    return text + (quoted && *text == '"');
}

bool epd_next_operation(const char **rest, EpdOperation *operation)
{
    const char *text = *rest + strspn(*rest, " \t\r;"), *other;
    size_t length;

    *rest = text;
    if (!*text) return false;
    text = take_operand(text, &operation->opcode, &operation->opcode_length);
    text += strspn(text, blanks);
    operation->operand = text;
    operation->operand_length = 0;
    for (bool first = true; *text && *text != ';'; first = false) {
        text = take_operand(text, &other, &length);
        text += strspn(text, blanks);
        if (!first) continue;
        operation->operand = other;
        operation->operand_length = length;
    }
    *rest = text;
    return true;
}

bool epd_operation_is(const EpdOperation *operation, const char *opcode)
{
    return operation->opcode_length == strlen(opcode) &&
           memcmp(operation->opcode, opcode, operation->opcode_length) == 0;
}
