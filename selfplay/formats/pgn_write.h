/* SPDX-License-Identifier: MIT
 * Games as Portable Game Notation (export format: seven tag roster, SAN, lines of
 * 79 characters where no comment is longer). */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_WRITE_H
#define TABIA_SELFPLAY_FORMATS_PGN_WRITE_H

#include <stdio.h>

#include "db/store/game_record.h"
#include "engine/search/search.h"

/* Additional fields in comments. PGN_MIN: no comments, and no tags beyond the roster. PGN_SELDEPTH
 * to PGN_PV need GameRecord.search. */
enum {
    PGN_NODES = 1,
    PGN_NPS = 2,
    PGN_TIME_LEFT = 4,
    PGN_MIN = 8,
    PGN_SELDEPTH = 16,
    PGN_HASHFULL = 32,
    PGN_TBHITS = 64,
    PGN_LATENCY = 128, /* time measured minus time by the engine's clock */
    PGN_PV = 256,
    PGN_EVAL = 512, /* [%eval 0.35], as Lichess writes it: White's view, mates in moves */
    PGN_CLK = 1024, /* [%clk 0:01:59.5]: time left, of moves with a clock */
    /* Not in the database. */
    PGN_OF_SEARCH = PGN_SELDEPTH | PGN_HASHFULL | PGN_TBHITS | PGN_LATENCY | PGN_PV
};

/* What a written game has beside its moves. */
typedef struct PgnOutput {
    const char *event, *site, *date, *white, *black; /* NULL becomes "?" (date: "????.??.??") */
    int64_t round;                                   /* 0 becomes "?" */
    int game;                           /* of the round, as in a pair: "12.1"; 0: the round alone */
    unsigned fields;                    /* PGN_NODES | … */
    const SearchLimits *limits[COLORS]; /* the clocks at the start, for the tags, PGN_TIME_LEFT and
                                           PGN_CLK; NULL: unknown */
} PgnOutput;

enum { PGN_TIME_CONTROL_MAX = 64 };

/* The clock of the limits as PGN and other programs write it: "40/60+0.5", "0.1/move"; "-" without
 * one. */
void pgn_time_control(const SearchLimits *limits, char out[PGN_TIME_CONTROL_MAX]);

/* "eval,clk" as PGN_EVAL | PGN_CLK, as --pgn-fields takes them; NULL is 0. STATUS_USAGE. */
MUST_CHECK Status pgn_read_fields(const char *text, unsigned *fields, Error *err);

/* Of these fields one that is not in the database, or NULL. */
const char *pgn_field_not_stored(unsigned fields);

/* Writes one game, with FEN and SetUp tags unless it starts from the initial position, and a
 * Termination tag. After each move follows a comment as fastchess writes it: "{+0.35/12 0.500s,
 * tl=1.200s, latency=0.001s, n=4321, sd=20, nps=8642, hashfull=12, tbhits=0, pv="e2e4 e7e5" [%eval
 * 0.35] [%clk 0:00:01.2]}": score (the mover's view; mates "+M5" in plies), depth, time, and
 * the wanted fields. Without times the comment is the score only. A game that did not end on the
 * board closes with a comment that gives the reason, and the game's note of an illegal move.
 * STATUS_BAD_INPUT for an illegal record, STATUS_FAILED when writing fails. */
MUST_CHECK Status pgn_write(FILE *out, const PgnOutput *tags, const GameRecord *game, Error *err);

#endif
