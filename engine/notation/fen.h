/* SPDX-License-Identifier: MIT
 * Positions as text: FEN, X-FEN, Shredder-FEN and the four fields of an EPD. */
#ifndef TABIA_ENGINE_NOTATION_FEN_H
#define TABIA_ENGINE_NOTATION_FEN_H

#include "engine/base/text.h"
#include "engine/board/position.h"

enum {
    FEN_MAX = 128, /* longest FEN written, with its NUL */
    EPD_FIELDS = 4,
    FEN_FIELDS = 6 /* those of an EPD and the counters */
};

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* What a user names: START_FEN for "startpos" and NULL, else the text itself. */
const char *fen_of(const char *text);

/* Reads a FEN (six fields) or the four fields of an EPD (then rule50 0, move 1). X-FEN and Shredder
 * castling letters set `chess960` when they need it. Text after the last field is an error.
 * STATUS_BAD_INPUT with a sentence for positions that cannot be played: kings missing or doubled,
 * the side not to move in check, pawns on the first or last rank, more than 16 pieces or 8 pawns a
 * side. The sixteen pieces may be any, also such as no game has. *pos is unchanged on error.
 *
 * Castling rights without their king and rook and an impossible en passant square are dropped: on
 * STATUS_OK err->text names the first of them, or is empty. An en passant square without a legal
 * capture is dropped, too, but is no fault. */
MUST_CHECK Status position_from_fen(Position *pos, const char *fen, Error *err);

/* The same from fields that are cut already. */
MUST_CHECK Status position_from_fields(Position *pos, const TextWord fields[FEN_FIELDS],
                                       Error *err);

/* The counters of a position that has none: fields 4 and 5. */
extern const TextWord fen_counters[2];

/* Writes the FEN, with the en passant square only where a capture is legal. */
void position_to_fen(const Position *pos, char out[FEN_MAX]);

void position_set_start(Position *pos);

/* "e4"; "-" for NO_SQUARE. */
void square_to_text(int sq, char out[3]);

/* The square that two characters name, or NO_SQUARE. */
int square_from_text(const char *text);

#endif
