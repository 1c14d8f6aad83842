/* SPDX-License-Identifier: MIT
 * The list of commands. */
#ifndef TABIA_CLI_COMMANDS_COMMAND_H
#define TABIA_CLI_COMMANDS_COMMAND_H

#include "cli/options/options.h"
#include "engine/base/status.h"

/* The commands in the order of the help text, each with one line for the list of commands. */
#define COMMANDS(C)                                                                                \
    C(learn, "learn an evaluation: self-play, fit, match, generation by generation")               \
    C(selfplay, "play games of an engine against itself into a database")                          \
    C(tune, "fit evaluation weights to labelled positions, or measure weights on them")            \
    C(train, "train a small network on positions of games")                                        \
    C(weights, "show weights, compare them, write them for other engines")                         \
    C(spsa, "tune constants of the search, weights, or another engine, by matches")                \
    C(gauntlet, "measure Elo between two or more sets of weights or engines")                      \
    C(report, "write a page of charts: what was learned, played and fitted")                       \
    C(xboard, "run an engine of the xboard protocol as a UCI engine")                              \
    C(elo, "rate the players of PGN files or a database, or judge the counts of a match")          \
    C(db, "inspect, check, merge, split, import and export databases")                             \
    C(openings, "make a book of random balanced openings without repetitions")                     \
    C(bench, "measure speed (search, move generation, games, store, tuner) and solved positions")  \
    C(perft, "count the leaves of the game tree: test and speed of the move generator")            \
    C(search, "search one position, or compare minimax, alpha-beta and pvs")

/* cmd_NAME.c has the function cmd_NAME(), which runs the command; argv[0] is its name. What it
 * returns becomes the exit code, and the Error its one line on standard error ("tabia gauntlet:
 * ..."). STATUS_OK with an empty Error is success. */
#define DECLARE(name, summary) Status cmd_##name(int argc, char **argv, Error *err);
COMMANDS(DECLARE)
#undef DECLARE

/* Is it a verb of `tabia db`, `tabia weights`, `tabia bench`? */
bool db_has_verb(const char *name);
bool weights_has_verb(const char *name);
bool bench_has_verb(const char *name);

/* The whole program; returns the process's exit code. */
int cli_main(int argc, char **argv);

#endif
