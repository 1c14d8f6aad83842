/* SPDX-License-Identifier: MIT
 * The table of commands: choosing one, its exit code and error line. */
#include "cli/commands/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/process.h"
#include "db/files/input_file.h"
#include "engine/base/suggest.h"
#include "engine/base/system.h"
#include "engine/base/version.h"
#include "engine/board/bitboard.h"

typedef struct Command {
    const char *name, *summary;
    Status (*run)(int argc, char **argv, Error *err);
} Command;

static const Command commands[] = {
#define ROW(name, summary) {#name, summary, cmd_##name},
    COMMANDS(ROW)
#undef ROW
        {NULL, NULL, NULL},
};

const char *const command_names[] = {
#define NAME(name, summary) #name,
    COMMANDS(NAME)
#undef NAME
        NULL,
};

/* The commands with verbs. */
static const struct {
    const char *command;
    bool (*has_verb)(const char *name);
} with_verbs[] = {{"db", db_has_verb}, {"weights", weights_has_verb}, {"bench", bench_has_verb}};
enum { WITH_VERBS = sizeof with_verbs / sizeof with_verbs[0] };

/* The first of them that has this verb, or NULL; `command`, if it is not NULL, or else any. */
static const char *command_of_verb(const char *command, const char *verb)
{
    for (int i = 0; i < WITH_VERBS; i++) {
        if (command && strcmp(command, with_verbs[i].command) != 0) continue;
        if (with_verbs[i].has_verb(verb)) return with_verbs[i].command;
    }
    return NULL;
}

static void print_commands(void)
{
    printf("Tabia learns a chess evaluation by playing itself: play, store, fit, prove, repeat.\n"
           "\n"
           "Usage: tabia COMMAND [options]\n"
           "       tabia help COMMAND [VERB]\n"
           "       tabia --version\n"
           "\n"
           "Commands:\n");
    for (const Command *c = commands; c->name; c++)
        printf("  %-9s  %s\n", c->name, c->summary);
    printf("\nExit codes: %s", exit_codes);
}

static void print_manual(void)
{
    manual_begin("tabia", "learn a chess evaluation by playing itself");
    printf(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar options\n.Sh DESCRIPTION\n.Bl -tag -width Ds\n");
    for (const Command *c = commands; c->name; c++) {
        printf(".It Xr tabia\\-%s 1\n", c->name);
        manual_text(c->summary);
    }
    printf(".El\n");
    manual_end(NULL, "  tabia learn --from zero --dir run --budget 10m\n");
    printf(".Xr tabia\\-engine 1\n");
}

static Status find_command(const char *name, const Command **command, Error *err)
{
    Suggestion s;

    suggest_begin(&s, name);
    for (const Command *c = commands; c->name; c++) {
        suggest_offer(&s, c->name);
        if (strcmp(c->name, name) != 0) continue;
        *command = c;
        return STATUS_OK;
    }
    const char *before = command_of_verb(NULL, name);
    if (before)
        return error_set(err, STATUS_USAGE, "unknown command \"%s\"; did you mean tabia %s %s?",
                         name, before, name);
    if (strcmp(name, "version") == 0)
        return error_set(err, STATUS_USAGE,
                         "unknown command \"version\"; did you mean tabia --version?");
    return error_set(err, STATUS_USAGE, "unknown command \"%s\"%s", name,
                     s.best[0] ? suggest_text(&s, "", "") : " (see tabia help)");
}

/* tabia --manual [COMMAND [VERB]]: a manual page. */
static Status run_manual(int argc, char **argv, const Command **command, Error *err)
{
    char page[64];

    cli_end_with_reader();
    if (argc < 2) {
        print_manual();
        return STATUS_OK;
    }
    Status status = find_command(argv[1], command, err);
    if (status != STATUS_OK) return status;
    if (argc > 2) return (*command)->run(3, (char *[]){argv[1], argv[0], argv[2], NULL}, err);
    (void)snprintf(page, sizeof page, "tabia-%s", (*command)->name);
    manual_begin(page, (*command)->summary);
    return (*command)->run(2, (char *[]){argv[1], argv[0], NULL}, err);
}

/* tabia --complete WORD...: candidates for the last word of a command line. */
static Status run_complete(int argc, char **argv, const Command **command, Error *err)
{
    bool help = argc > 2 && strcmp(argv[1], "help") == 0;

    if (argc > 2 + help) { /* after the command, as after `help` */
        char *option = argv[0];
        argc -= help;
        argv += help;
        Status status = find_command(argv[1], command, err);
        argv[0] = argv[1];
        argv[1] = option;
        return status == STATUS_OK ? (*command)->run(argc, argv, err) : status;
    }
    cli_end_with_reader();
    for (const Command *c = commands; c->name; c++)
        complete_offer(argv[argc - 1], "", c->name, c->summary);
    if (argc == 2) complete_offer(argv[1], "", "help", "the options of a command");
    return STATUS_OK;
}

/* The compiler, the instructions that it may use, and the libraries that not every build has. */
#ifdef __clang__
#define COMPILER ""
#else
#define COMPILER "GCC "
#endif
#ifdef __AVX512VBMI2__
#define PROCESSOR "x86-64 with AVX-512"
#elif defined __AVX2__
#define PROCESSOR "x86-64 with AVX2"
#elif defined __x86_64__
#define PROCESSOR "x86-64"
#elif defined __aarch64__
#define PROCESSOR "arm64"
#else
#define PROCESSOR "another processor"
#endif

#ifndef TABIA_COMMIT
#define TABIA_COMMIT ""
#endif

static void print_version(void)
{
    static const char *const with[] = {
#ifdef _OPENMP
        "OpenMP",
#endif
#ifdef TABIA_MPI
        "MPI",
#endif
#ifdef TABIA_FATHOM
        "Syzygy",
#endif
        NULL};
    char packings[INPUT_PACKINGS_MAX];
    const char *by;
    const int threads = system_processors_by(&by);

    input_packings(packings);
    printf("tabia %s%s\ncompiled by %s%s for %s", TABIA_VERSION, TABIA_COMMIT, COMPILER,
           __VERSION__, PROCESSOR);
    for (int i = 0; with[i]; i++)
        printf("%s%s", i == 0 ? "; with " : ", ", with[i]);
    printf("\nreads %s\nthreads by default: %d (%s)\n", packings, threads, by);
}

/* argv[0] is the first word after `tabia`. *command is set when one was found. */
static Status run_words(int argc, char **argv, const Command **command, Error *err)
{
    char option[] = "--help";
    bool help = argc > 0 && strcmp(argv[0], "help") == 0;
    const char *name = argc > 0 ? argv[help] : NULL;

    if (!name || (!help && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0))) {
        cli_end_with_reader();
        print_commands();
        return STATUS_OK;
    }
    if (!help && strcmp(name, "--version") == 0) {
        print_version();
        return STATUS_OK;
    }
    if (strcmp(name, "--manual") == 0) return run_manual(argc, argv, command, err);
    if (strcmp(name, "--complete") == 0 && argc > 1) return run_complete(argc, argv, command, err);
    Status status = find_command(name, command, err);
    if (status != STATUS_OK) return status;
    if (!help) return (*command)->run(argc, argv, err);
    if (argc > 2) return (*command)->run(3, (char *[]){argv[1], option, argv[2], NULL}, err);
    return (*command)->run(2, (char *[]){argv[1], option, NULL}, err);
}

int cli_main(int argc, char **argv)
{
    Error err = {0};
    const Command *command = NULL;

    cli_open_standard_streams();
    bitboard_init();
    cli_catch_signals();
    Status status = cli_prepare_stacks(&err);
    if (status == STATUS_OK) status = run_words(argc - 1, argv + 1, &command, &err);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK)
        status = error_set(&err, STATUS_FAILED, "cannot write to standard output%s%s",
                           errno ? ": " : "", errno ? strerror(errno) : "");
    if (status != STATUS_OK && err.text[0]) {
        fprintf(stderr, "tabia%s%s: %s", command ? " " : "", command ? command->name : "",
                err.text);
        if (command && status == STATUS_USAGE) {
            if (argc > 2 && command_of_verb(command->name, argv[2]))
                fprintf(stderr, " (see tabia help %s %s)", command->name, argv[2]);
            else
                fprintf(stderr, " (see tabia %s --help)", command->name);
        }
        fputc('\n', stderr);
    }
    return (int)status;
}
