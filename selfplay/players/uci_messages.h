/* SPDX-License-Identifier: MIT
 * UCI messages: the position and go commands, info lines, and options. It is checked that an engine
 * has the options that are wanted, and accepts their values. Without the check a misspelt option
 * would silently measure something else. */
#ifndef TABIA_SELFPLAY_PLAYERS_UCI_MESSAGES_H
#define TABIA_SELFPLAY_PLAYERS_UCI_MESSAGES_H

#include <stdbool.h>

#include "engine/base/status.h"
#include "engine/base/text.h"
#include "selfplay/players/player.h"

/* 1,024 moves of at most 6 characters, the FEN, and `go`. */
enum { UCI_GAME_TEXT_MAX = 8192 };

/* The position command of a game. It grows with the game, so that each move is formatted once. */
typedef struct UciGameText {
    char text[UCI_GAME_TEXT_MAX];
    size_t length; /* of "position … moves …", without an end; 0 before a game */
    int ply_count; /* the moves in it */
    Position position;
} UciGameText;

/* Brings *t, zeroed before a game, up to the current position, and appends the `go` of `limits`, so
 * that both are sent in one write: t->text holds *size bytes of whole lines. False when the game is
 * too long or its start position is invalid. */
bool uci_position_and_go(UciGameText *t, const GameView *game, const SearchLimits *limits,
                         size_t *size);

/* UCI allows any white space: leaves one blank between two words, and none around them. */
void uci_join_words(char *line);

/* Four or five characters in coordinates, as e2e4: it may be no legal move. */
bool uci_looks_like_move(TextWord word);

/* Copies score, depth, nodes and out->search of a line "info …" to *out. Only the first of several
 * best lines is read. A bound is used until there is an exact score; *exact says whether there is
 * one, and must be false before the search. UCI counts mates in moves, *out in plies. Numbers are
 * cut to what can be stored. */
void uci_read_info(const char *line, PlayerMove *out, bool *exact);

enum { UCI_OPTIONS_MAX = 256, UCI_OPTION_NAMES_MAX = 512 };

/* Compares the options that are wanted with those that the engine announces. Set `wanted` and
 * `count`, the rest zeroed. */
typedef struct UciOptionCheck {
    const char *const *wanted; /* "Name=value", or the name of a button; borrowed */
    int count;
    bool known[UCI_OPTIONS_MAX], button[UCI_OPTIONS_MAX];
    char names[UCI_OPTION_NAMES_MAX]; /* of its options, as many as fit; for the error */
} UciOptionCheck;

/* Takes a line "option name N type T …"; other lines are ignored. Names are compared exactly. An
 * Error (STATUS_ENGINE) when the option does not accept the value that is wanted. */
MUST_CHECK Status uci_option_line(UciOptionCheck *check, const char *line, Error *err);

/* Checks a line "option name N type T …" by itself. wanted[size]: "N=default" of a check, spin or
 * combo, else "". STATUS_ENGINE with what is wrong. */
MUST_CHECK Status uci_option_default(const char *line, char *wanted, size_t size, Error *err);

/* At `uciok`: an Error (STATUS_ENGINE) when an option that is wanted was not announced. Threads=1
 * is granted to all: an engine that has no such option has one thread. */
MUST_CHECK Status uci_option_end(const UciOptionCheck *check, Error *err);

#endif
