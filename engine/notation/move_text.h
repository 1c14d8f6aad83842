/* SPDX-License-Identifier: MIT
 * Moves as text: UCI's coordinates and the PGN standard's SAN, both ways. */
#ifndef TABIA_ENGINE_NOTATION_MOVE_TEXT_H
#define TABIA_ENGINE_NOTATION_MOVE_TEXT_H

#include "engine/board/position.h"

enum { UCI_MOVE_MAX = 8, SAN_MAX = 12 }; /* with the NUL */

/* "e2e4", "e7e8q"; castling as the king's two steps ("e1g1"), or king takes rook ("e1h1") when the
 * position is Chess960; MOVE_NONE as "0000". */
void move_to_uci(const Position *pos, Move m, char out[UCI_MOVE_MAX]);

/* Sets *m to a legal move, or sets *err. Accepts both spellings of castling in either mode
 * where they are unambiguous. `text` ends at NUL or white space. */
MUST_CHECK Status move_from_uci(const Position *pos, const char *text, Move *m, Error *err);

/* "Nbd7", "exd6", "e8=Q+", "O-O-O", "Rxf7#"; minimal disambiguation, as the PGN standard (8.2.3)
 * has it. */
void move_to_san(const Position *pos, Move m, char out[SAN_MAX]);

/* Accepts the standard's import format: missing or needless + # ! ? x and =, 0-0,
 * "ep" or "e.p." after the square, over-disambiguation. `text` ends at NUL or white space. */
MUST_CHECK Status move_from_san(const Position *pos, const char *text, Move *m, Error *err);

/* The same for either form: of files whose programs write coordinates, too. The error is of the SAN. */
MUST_CHECK Status move_from_any(const Position *pos, const char *text, Move *m, Error *err);

#endif
