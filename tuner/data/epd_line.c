/* SPDX-License-Identifier: MIT
 * The results and scores of labelled positions: operations of EPD and the looser labels of data
 * sets. */
#include "tuner/data/epd_line.h"

#include <stdlib.h>
#include <string.h>

#include "engine/search/search.h"

/* "0", "0.5", "1.000": digits, perhaps a point and more digits, worth 0, 1/2 or 1. */
static bool number_result(TextWord word, GameResult *result)
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
    if (value != 0 && value != 0.5 && value != 1) return false;
    *result = (GameResult)(2 * value);
    return true;
}

bool epd_parse_result(const char *text, size_t length, GameResult *result)
{
    TextWord word = {text, length};

    if (word.length >= 2 && word.at[0] == '[' && word.at[word.length - 1] == ']') {
        word.at++;
        word.length -= 2;
    }
    return result_parse(word.at, word.length, result) || number_result(word, result);
}

typedef struct Labels {
    bool found;
    GameResult result;
    bool bracketed; /* the last label was [RESULT] */
    int bars;       /* words | before */
} Labels;

static Status take_label(Labels *labels, TextWord word, const char *where, Error *err)
{
    GameResult result;

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

Status epd_line_parse(TextSpan text, EpdLine *line, Error *err)
{
    Labels labels = {0};
    EpdOperation operation;

    line->score = SCORE_UNKNOWN;
    line->id = (TextWord){NULL, 0};
    Status status = epd_read_position(&text, &line->pos, err);
    while (status == STATUS_OK && epd_next_operation(&text, &operation))
        status = take_operation(&operation, &labels, line, err);
    if (status != STATUS_OK) return status;
    if (!labels.found)
        return error_set(err, STATUS_BAD_INPUT,
                         "no label: expected c9 \"1-0\", [1.0], or a result at the end");
    line->result = labels.result;
    return STATUS_OK;
}
