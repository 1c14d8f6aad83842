/* SPDX-License-Identifier: MIT
 * Lines of FEN and EPD: a position, then operations and labels.
 * Source: the PGN standard, section 16.2.
 *
 * The position is the four fields of an EPD. Two whole numbers after them are the counters of a
 * FEN. One whole number alone is a label and must be 0 or 1; any other is refused, because it is
 * the half-move clock of a FEN that has lost its move number. Without the counters of a FEN the
 * operations hmvc and fmvn give them, else they are 0 and 1.
 *
 * An operation is `opcode operands;`, and its opcode begins with a letter. The last semicolon may
 * be missing. Any other word, quoted or not, is a label, as data sets have them for results: 1-0,
 * [0.5], "1/2-1/2", 1. A label needs no semicolon. */
#ifndef TABIA_ENGINE_NOTATION_EPD_H
#define TABIA_ENGINE_NOTATION_EPD_H

#include "engine/base/text.h"
#include "engine/board/position.h"
#include "engine/notation/fen.h"

/* Reads the position that the rest *text of a line begins with and moves *text past it.
 * STATUS_BAD_INPUT with a sentence when there is none that can be played from; *pos is unchanged
 * then. What is dropped is noted as position_from_fen() does. */
MUST_CHECK Status epd_read_position(TextSpan *text, Position *pos, Error *err);

typedef struct EpdOperation {
    TextWord opcode;  /* or the label */
    TextWord operand; /* the first; length 0 when there is none */
    bool is_label;
} EpdOperation;

/* Reads the next operation or label and moves *text past it; false at the end of the line. */
bool epd_next_operation(TextSpan *text, EpdOperation *operation);

/* The length of the four fields that a FEN begins with, and the blank after them. */
size_t epd_fields_length(const char *fen);

enum { EPD_MAX = FEN_MAX + 16 };
/* A FEN with its counters as operations: "... w KQkq - hmvc 0; fmvn 1;". */
void epd_from_fen(const char *fen, char out[EPD_MAX]);

#endif
