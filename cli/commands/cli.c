/* SPDX-License-Identifier: MIT
 * The table of commands and what surrounds them: choosing one, signals, exit code, error line. */
#include "cli/commands/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/suggest.h"
#include "engine/base/version.h"
#include "engine/board/bitboard.h"

/* Every cmd_*.c has its row here. */
static const Command commands[] = {
    {"learn", "learn an evaluation: self-play, tune, gauntlet, generation by generation",
     cmd_learn},
    {"selfplay", "play games of an engine against itself into a database", cmd_selfplay},
    {"tune", "fit evaluation weights to labelled positions, or measure weights on them", cmd_tune},
    {"weights", "look at weights, compare them, give them to other engines", cmd_weights},
    {"gauntlet", "measure Elo between two sets of weights or engines", cmd_gauntlet},
    {"xboard", "an engine that speaks the xboard protocol, looking like one of UCI", cmd_xboard},
    {"elo", "statistics of a match from its counts", cmd_elo},
    {"db", "look at databases, prove, merge and export them", cmd_db},
    {"openings", "make a book of random balanced openings, none twice", cmd_openings},
    {"bench", "measure speed: search, move generation, games, store, tuner; solved positions",
     cmd_bench},
    {"perft", "count the leaves of the game tree: move generator test and speed", cmd_perft},
    {"search", "search one position, or compare minimax, alpha-beta and pvs", cmd_search},
    {NULL, NULL, NULL},
};

/* The one mutable variable at file scope: a signal handler has no other way to tell anything. */
static atomic_int interrupted;

const Command *command_table(void)
{
    return commands;
}

const Command *command_find(const char *name)
{
    for (const Command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

const atomic_int *cli_interrupted(void)
{
    return &interrupted;
}

const char *cli_temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* The first signal asks for a clean end, the second one gets what it would have got without us. Not
 * so SIGHUP: of a closed terminal both the shell and, when that ends, the system send one. */
static void on_signal(int number)
{
    if (atomic_exchange(&interrupted, 1) && number != SIGHUP) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

static void install_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, present;

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    /* So does a terminal that is closed, unless nohup has seen to that. */
    if (sigaction(SIGHUP, NULL, &present) == 0 && present.sa_handler != SIG_IGN)
        (void)sigaction(SIGHUP, &action, NULL);
    /* A closed pipe and a limit on the size of files are errors like any other: EPIPE, EFBIG. */
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

static void print_commands(FILE *out)
{
    fprintf(out,
            "Tabia learns a chess evaluation by playing itself: play, store, fit, prove, repeat.\n"
            "\n"
            "Usage: tabia COMMAND [options]\n"
            "       tabia help COMMAND\n"
            "       tabia --version\n"
            "\n"
            "Commands:\n");
    for (const Command *c = commands; c->name; c++)
        fprintf(out, "  %-9s  %s\n", c->name, c->summary);
    fprintf(out, "\n"
                 "Exit codes: 0 done, 1 failed or measured false, 2 usage, 3 bad input data,\n"
                 "4 database, 5 a peer engine, 130 interrupted\n");
}

static Status unknown_command(const char *name, Error *err)
{
    Suggestion s;

    suggest_begin(&s, name);
    for (const Command *c = commands; c->name; c++)
        suggest_offer(&s, c->name);
    if (s.best)
        return error_set(err, STATUS_USAGE, "unknown command \"%s\"; did you mean %s?", name,
                         s.best);
    return error_set(err, STATUS_USAGE, "unknown command \"%s\" (see tabia help)", name);
}

static Status run_help(int argc, char **argv, const Command **command, Error *err)
{
    char help[] = "--help";

    if (argc < 2) {
        print_commands(stdout);
        return STATUS_OK;
    }
    *command = command_find(argv[1]);
    if (!*command) return unknown_command(argv[1], err);
    return (*command)->run(2, (char *[]){argv[1], help, NULL}, err);
}

/* argv[0] is the first word after `tabia`. *command is set when one was found. */
static Status run_words(int argc, char **argv, const Command **command, Error *err)
{
    if (argc < 1 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_commands(stdout);
        return STATUS_OK;
    }
    if (strcmp(argv[0], "--version") == 0) {
        printf("tabia %s\n", TABIA_VERSION);
        return STATUS_OK;
    }
    if (strcmp(argv[0], "help") == 0) return run_help(argc, argv, command, err);
    *command = command_find(argv[0]);
    if (!*command) return unknown_command(argv[0], err);
    return (*command)->run(argc, argv, err);
}

int cli_main(int argc, char **argv)
{
    Error err = {0};
    const Command *command = NULL;

    bitboard_init();
    install_signals();
    Status status = run_words(argc - 1, argv + 1, &command, &err);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK)
        status = error_set(&err, STATUS_FAILED, "cannot write to standard output%s%s",
                           errno ? ": " : "", errno ? strerror(errno) : "");
    if (status != STATUS_OK && err.text[0]) {
        fprintf(stderr, "tabia%s%s: %s", command ? " " : "", command ? command->name : "",
                err.text);
        if (command && status == STATUS_USAGE)
            fprintf(stderr, " (see tabia %s --help)", command->name);
        fputc('\n', stderr);
    }
    return (int)status;
}
