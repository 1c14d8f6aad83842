/* SPDX-License-Identifier: MIT
 * The table of commands. */
#ifndef TABIA_CLI_COMMANDS_COMMAND_H
#define TABIA_CLI_COMMANDS_COMMAND_H

#include <stdatomic.h>

#include "cli/options/options.h"
#include "engine/base/status.h"

typedef struct Command {
    const char *name;
    const char *summary;                              /* one line for the list of commands */
    Status (*run)(int argc, char **argv, Error *err); /* argv[0] is the command's name */
} Command;

/* One cmd_*.c a command; what it returns becomes the exit code, and the Error its one line on
 * standard error ("tabia gauntlet: …"). STATUS_OK with nothing to say is success. */
Status cmd_bench(int argc, char **argv, Error *err);
Status cmd_db(int argc, char **argv, Error *err);
Status cmd_elo(int argc, char **argv, Error *err);
Status cmd_gauntlet(int argc, char **argv, Error *err);
Status cmd_learn(int argc, char **argv, Error *err);
Status cmd_openings(int argc, char **argv, Error *err);
Status cmd_perft(int argc, char **argv, Error *err);
Status cmd_search(int argc, char **argv, Error *err);
Status cmd_selfplay(int argc, char **argv, Error *err);
Status cmd_tune(int argc, char **argv, Error *err);
Status cmd_weights(int argc, char **argv, Error *err);
Status cmd_xboard(int argc, char **argv, Error *err);

/* The commands in the order of the help text, ended by a row whose name is NULL. */
const Command *command_table(void);
/* NULL when there is no such command. */
const Command *command_find(const char *name);

/* The whole program; returns the process's exit code. */
int cli_main(int argc, char **argv);

/* Set by Ctrl-C and SIGTERM: long work looks at it and ends cleanly with STATUS_INTERRUPTED. A
 * second Ctrl-C kills. */
const atomic_int *cli_interrupted(void);

/* Where temporary files go: $TMPDIR or /tmp. */
const char *cli_temp_folder(void);

#endif
