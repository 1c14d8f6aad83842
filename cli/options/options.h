/* SPDX-License-Identifier: MIT
 * One declarative table per command feeds the option parser (popt), the INI reader (inih), the
 * usage line, --help and the effective configuration. */
#ifndef TABIA_CLI_OPTIONS_OPTIONS_H
#define TABIA_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/status.h"

typedef enum OptionKind {
    OPTION_END,
    OPTION_FLAG,   /* bool; --NAME sets it, --no-NAME clears it; INI: as value_parse_bool() */
    OPTION_INT,    /* int64_t, decimal, with optional k/M/G suffix (1000s) */
    OPTION_UINT64, /* uint64_t: seeds */
    OPTION_DOUBLE, /* double */
    OPTION_STRING, /* const char *, the parser's own */
    OPTION_TIME,   /* int64_t milliseconds: "90", "90s", "10m", "2h", "500ms" (plain: seconds) */
    OPTION_LIST    /* OptionList: may be given several times */
} OptionKind;

typedef struct OptionList {
    int count;
    const char **items;
} OptionList;

typedef struct Option {
    const char *name; /* long option without dashes */
    OptionKind kind;
    void *target;            /* holds the default beforehand, as the kind says */
    const char *argument;    /* placeholder in the help, NULL for flags */
    const char *help;        /* one line; the default is appended by the printer, unless it is 0 */
    double minimum, maximum; /* for numbers and times (ms); both 0: no bounds; may be infinite */
} Option;

/* The options that every command has; embedded by commands next to their own table. */
typedef struct CommonOptions {
    int64_t threads; /* 0: all cores */
    uint64_t seed;
    bool json, quiet;
    const char *config;
} CommonOptions;

/* An option, and those that do not go with it: where it is on the command line, what the INI file
 * says of them does not count. That both are said in one place is the command's to refuse. */
enum { RIVALS_MAX = 27 };
typedef struct OptionRivals {
    const char *name, *others[RIVALS_MAX + 1]; /* up to the first NULL */
} OptionRivals;

typedef struct OptionParser OptionParser;

typedef struct OptionSpec {
    const char *command;         /* "selfplay" */
    const char *const *sections; /* that INI files may have, ended by NULL: the commands' names */
    const char *synopsis;        /* in the usage line: "--db FILE --games N [options]" */
    const char *description;     /* paragraph for --help */
    const Option *options;       /* ended by OPTION_END */
    const OptionRivals *rivals;  /* ended by a NULL name; or NULL */
    CommonOptions *common;       /* may be NULL */
    bool takes_arguments;        /* positional arguments are allowed */
    const char *epilogue;        /* examples for --help, or NULL */
} OptionSpec;

/* Defaults, then `--config FILE.ini` (section [command], keys = option names; an unknown key or
 * section of no known command is an error naming file and line), then the command line. --help
 * prints to standard output and sets *done; --version likewise. Errors: STATUS_USAGE for the
 * command line (names the option and its value), STATUS_BAD_INPUT for the INI file. The parser owns
 * the strings: destroy it after the last use of the options. *arguments (NULL-terminated, owned by
 * the parser) may be NULL. */
MUST_CHECK Status options_parse(const OptionSpec *spec, int argc, char **argv,
                                OptionParser **parser, const char ***arguments, bool *done,
                                Error *err);
void options_destroy(OptionParser *parser); /* NULL-safe */

/* Was the option given (on the command line or in the INI file)? */
bool options_given(const OptionParser *parser, const char *name);
/* Did a rival on the command line take the word from the INI file? */
bool options_outranked(const OptionParser *parser, const char *name);
/* STATUS_USAGE and "--name is needed" when it was not. */
MUST_CHECK Status options_require(const OptionParser *parser, const char *name, Error *err);

/* "--sprt elo0=0,elo1=5,model=normalized" and friends: splits "key=value,key=value" in place of a
 * copy (a comma in a value is written "\,"); calls fn for each pair; stops at the first error. */
typedef Status (*OptionPairFn)(void *context, const char *key, const char *value, Error *err);
MUST_CHECK Status options_parse_pairs(const char *text, OptionPairFn fn, void *context, Error *err);

/* Number of threads to use: common->threads or all cores this process may use. */
int options_threads(const CommonOptions *common);

#endif
