/* SPDX-License-Identifier: MIT
 * The results and scores of labelled positions: operations of EPD and the looser labels of data
 * sets. */
#include "tuner/data/epd_line.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/search/search.h"

/* "0", "0.5", "0.73": digits, perhaps a point and more digits, worth 0 to 1. */
static bool number_result(TextWord word, double *result)
{
    char text[16];

    if (word.length == 0 || word.length >= sizeof text) return false;
    for (size_t i = 0, points = 0; i < word.length; i++) {
        bool point = word.at[i] == '.';
        points += point;
        if (points > 1 || (!point && (word.at[i] < '0' || word.at[i] > '9'))) return false;
    }
    if (word.at[0] == '.') return false;
    memcpy(text, word.at, word.length);
    text[word.length] = '\0';
    double value = strtod(text, NULL);
    if (value > 1) return false;
    *result = 2 * value;
    return true;
}

bool epd_parse_result(const char *text, size_t length, double *result)
{
    TextWord word = {text, length};
    GameResult played;

    if (word.length >= 2 && word.at[0] == '[' && word.at[word.length - 1] == ']') {
        word.at++;
        word.length -= 2;
    }
    if (!result_parse(word.at, word.length, &played)) return number_result(word, result);
    *result = played;
    return true;
}

typedef struct Labels {
    bool found;
    double result;
    bool bracketed; /* the last label was [RESULT] */
    int bars;       /* words | before */
} Labels;

static Status take_label(Labels *labels, TextWord word, const char *where, Error *err)
{
    double result;

    if (!epd_parse_result(word.at, word.length, &result))
        return error_set(err, STATUS_BAD_INPUT, "unknown label '%.*s'%s%s", (int)word.length,
                         word.at, *where ? " of " : "", where);
    if (labels->found && labels->result != result)
        return error_set(err, STATUS_BAD_INPUT, "two different results; the second is '%.*s'",
                         (int)word.length, word.at);
    labels->found = true;
    labels->result = result;
    labels->bracketed = *word.at == '[';
    return STATUS_OK;
}

static bool is_score(TextWord word, int *score)
{
    char text[16] = "", *end = text;
    long value = 0;

    if (word.length < sizeof text) {
        memcpy(text, word.at, word.length);
        value = strtol(text, &end, 10);
    }
    *score = (int)value;
    return end != text && *end == '\0' && value >= -32767 && value <= 32767;
}

/* The PGN standard counts mates from 32767 downward, others from elsewhere: those are no scores. */
static void set_score(EpdLine *line, int score, bool white_view)
{
    if (abs(score) <= VALUE_MATE)
        line->score = white_view || line->pos.stm == WHITE ? score : -score;
}

/* `ce`: centipawns from the side to move's view. */
static Status take_ce(EpdLine *line, TextWord word, Error *err)
{
    int score;

    if (!is_score(word, &score))
        return error_set(err, STATUS_BAD_INPUT,
                         "the score of opcode ce is not in centipawns: '%.*s'", (int)word.length,
                         word.at);
    set_score(line, score, false);
    return STATUS_OK;
}

/* Two forms of data sets have a score without an opcode: Ethereal's `[RESULT] SCORE`, side to
 * move's view, and bullet's `| SCORE | RESULT`, White's view. */
static Status take_word(EpdLine *line, Labels *labels, TextWord word, Error *err)
{
    int score;

    if (text_word_is(word, "|") && labels->bars < 2) {
        labels->bars++;
        return STATUS_OK;
    }
    bool placed = labels->bracketed || labels->bars == 1;
    if (!placed || line->score != SCORE_UNKNOWN || !is_score(word, &score))
        return take_label(labels, word, "", err);
    set_score(line, score, labels->bars == 1);
    return STATUS_OK;
}

static Status take_operation(const EpdOperation *operation, Labels *labels, EpdLine *line,
                             Error *err)
{
    const TextWord opcode = operation->opcode, operand = operation->operand;

    if (operation->is_label) return take_word(line, labels, opcode, err);
    if (text_word_is(opcode, "c9")) return take_label(labels, operand, "opcode c9", err);
    if (text_word_is(opcode, "c2")) return take_label(labels, operand, "opcode c2", err);
    if (text_word_is(opcode, "ce")) return take_ce(line, operand, err);
    if (text_word_is(opcode, "id") && operand.length > 0) line->id = operand;
    return STATUS_OK;
}

/* ---- CSV */

/* The next column, without blanks and quotes around it; *text moves past its comma. */
static TextWord next_column(TextSpan *text)
{
    const char *comma = memchr(text->at, ',', (size_t)(text->end - text->at));
    const char *at = text->at, *end = comma ? comma : text->end;

    text->at = comma ? comma + 1 : text->end;
    while (at < end && (text_is_blank(*at) || *at == '"'))
        at++;
    while (end > at && (text_is_blank(end[-1]) || end[-1] == '"'))
        end--;
    return (TextWord){at, (size_t)(end - at)};
}

/* A FEN of four or six fields before the first comma; operands may have commas, too. */
static bool is_csv(TextSpan text)
{
    int words = 0;
    bool counted = false; /* the fifth is a number */

    if (!memchr(text.at, ',', (size_t)(text.end - text.at))) return false;
    const TextWord fen = next_column(&text);
    TextSpan rest = {fen.at, fen.at + fen.length};
    for (TextWord word; (word = text_next_word(&rest)).length > 0;)
        if (++words == 5) counted = *word.at >= '0' && *word.at <= '9';
    return words == 4 || (words == 6 && counted);
}

/* In any case. */
static bool column_is(TextWord column, const char *name)
{
    return column.length == strlen(name) && strncasecmp(column.at, name, column.length) == 0;
}

bool epd_line_is_header(TextSpan text)
{
    static const char *const names[][2] = {{"fen", "fen"}, {"eval", "score"}, {"result", "result"}};

    for (size_t i = 0; i < 3; i++) {
        TextWord column = next_column(&text);
        if (!column_is(column, names[i][0]) && !column_is(column, names[i][1])) return false;
    }
    return true;
}

/* A header with columns in another order, or with one before them. */
static bool is_other_header(TextSpan text)
{
    while (text.at < text.end)
        if (column_is(next_column(&text), "fen")) return true;
    return false;
}

/* The score of a column, whose numbers other programs may have made real: -29.0. */
static bool is_csv_score(TextWord column, int *score)
{
    size_t length = column.length;

    while (length > 1 && column.at[length - 1] == '0')
        length--;
    bool real = length > 1 && column.at[length - 1] == '.';
    return is_score((TextWord){column.at, real ? length - 1 : column.length}, score);
}

/* The game's run and number in our own files, after move and ply: "UUID,12". */
static TextWord game_id(TextSpan text)
{
    (void)next_column(&text), (void)next_column(&text);
    const TextWord run = next_column(&text), game = next_column(&text);
    bool ours = run.length == 36 && game.length > 0 && run.at[8] == '-' && run.at[13] == '-' &&
                run.at[18] == '-' && run.at[23] == '-';
    return ours ? (TextWord){run.at, (size_t)(game.at - run.at) + game.length}
                : (TextWord){NULL, 0};
}

static Status parse_csv(TextSpan text, EpdLine *line, Labels *labels, Error *err)
{
    const TextWord fen = next_column(&text), eval = next_column(&text), result = next_column(&text);
    TextSpan position = {fen.at, fen.at + fen.length};
    int score;

    line->id = game_id(text);
    Status status = epd_read_position(&position, &line->pos, err);
    if (status != STATUS_OK) return status;
    if (position.at != position.end)
        return error_set(err, STATUS_BAD_INPUT, "expected FEN,EVAL,RESULT");
    if (is_csv_score(eval, &score))
        set_score(line, score, true);
    else if (eval.length > 0 && *eval.at != '#')
        return error_set(err, STATUS_BAD_INPUT, "the eval is not in centipawns: '%.*s'",
                         (int)eval.length, eval.at);
    return take_label(labels, result, "column RESULT", err);
}

/* ---- The line */

static Status parse_operations(TextSpan text, EpdLine *line, Labels *labels, Error *err)
{
    EpdOperation operation;

    Status status = epd_read_position(&text, &line->pos, err);
    while (status == STATUS_OK && epd_next_operation(&text, &operation))
        status = take_operation(&operation, labels, line, err);
    return status;
}

Status epd_line_parse(TextSpan text, EpdLine *line, Error *err)
{
    Labels labels = {0};

    line->score = SCORE_UNKNOWN;
    line->id = (TextWord){NULL, 0};
    Status status = is_csv(text) ? parse_csv(text, line, &labels, err)
                                 : parse_operations(text, line, &labels, err);
    if (status == STATUS_BAD_INPUT && is_other_header(text))
        return error_set(err, STATUS_BAD_INPUT,
                         "the columns of CSV are FEN,EVAL,RESULT, in this order, then any others");
    if (status != STATUS_OK) return status;
    if (!labels.found)
        return error_set(err, STATUS_BAD_INPUT,
                         "no label: expected c9 \"1-0\", [1.0], or a result at the end");
    line->result = labels.result;
    return STATUS_OK;
}
