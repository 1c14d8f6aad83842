/* SPDX-License-Identifier: MIT
 * Lines of EPD: a position and operations, as the PGN standard (16.2) has them; lines of FEN too.
 */
#ifndef TABIA_ENGINE_NOTATION_EPD_H
#define TABIA_ENGINE_NOTATION_EPD_H

#include <stddef.h>

#include "engine/board/position.h"

/* Reads the position that the line begins with: the six fields of a FEN, or the four of an EPD, of
 * whose operations hmvc and fmvn are understood here. *rest (may be NULL) is what follows it.
 * STATUS_BAD_INPUT with a sentence; *pos is unchanged then. */
MUST_CHECK Status epd_read_position(const char *line, Position *pos, const char **rest, Error *err);

/* "opcode operand …;" */
typedef struct EpdOperation {
    const char *opcode, *operand; /* within the line; operand: the first, without its quotes */
    size_t opcode_length, operand_length;
} EpdOperation;

/* The next operation of *rest, which is moved behind it; false at the end of the line. Tolerates a
 * missing semicolon at the end. */
bool epd_next_operation(const char **rest, EpdOperation *operation);

bool epd_operation_is(const EpdOperation *operation, const char *opcode);

#endif
