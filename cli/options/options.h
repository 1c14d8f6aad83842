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
#include "engine/values/setting.h"

typedef enum OptionKind {
    OPTION_END,
    OPTION_FLAG,      /* bool; --NAME sets it, --no-NAME clears it; INI: as value_parse_bool() */
    OPTION_CLEAR,     /* the opposite flag: --NAME clears the bool, --no-NAME sets it */
    OPTION_INT,       /* int; whole numbers may have a suffix k, M or G (1000s) */
    OPTION_INT64,     /* int64_t, or a uint64_t that holds no more */
    OPTION_UINT64,    /* uint64_t: seeds, without suffix */
    OPTION_MEGABYTES, /* size_t, bytes; the text is a number of MiB */
    OPTION_DOUBLE,    /* double */
    OPTION_CHOICE,    /* int or enum: the number of the word in `words`, from 0 */
    OPTION_EITHER,    /* bool: false for the first of two words, true for the second */
    OPTION_STRING,    /* const char *, the parser's own */
    OPTION_TIME,      /* int64_t milliseconds: "90", "90s", "10m", "2h", "500ms" (plain: seconds) */
    OPTION_LIST,      /* OptionList: may be given several times */
    OPTION_CUSTOM,    /* what `parse` makes of the text, which lives as long as the parser */
    OPTION_TABLE,     /* no option: the rows of another table, `target`, ended by OPTION_END */
    OPTION_HEADING,   /* no option: a heading of the help, `help` */
    OPTION_SETTINGS   /* no option: `settings` of the struct `target`, those of `names` or all */
} OptionKind;

typedef TextList OptionList;

/* STATUS_USAGE and a sentence, which is prefixed with the option's name, for a text it refuses. */
typedef Status (*OptionParseFn)(void *target, const char *text, Error *err);

/* Trailing fields may be left out. Names in lists are separated by spaces. */
typedef struct Option {
    const char *name; /* long option without dashes */
    OptionKind kind;
    void *target;         /* holds the default beforehand, as the kind says */
    const char *argument; /* name of the value in the help: "FILE"; NULL for flags */
    const char *help;     /* one line; the printer appends the default, unless it is 0 or nothing */
    double minimum, maximum; /* for numbers and times (ms); both 0: no bounds; may be infinite */
    const char *words;       /* of OPTION_CHOICE and OPTION_EITHER: "one|two|three" */
    OptionParseFn parse;     /* of OPTION_CUSTOM, called once with the text that counts */
    const char *preset;      /* of OPTION_CUSTOM: the default as help shows it, or NULL */
    /* Which options go together. A flag counts as given when it differs from its default. */
    bool required;        /* an error when it is not given */
    const char *not_with; /* it is refused beside any of these, whether they come from the command
                             line or the INI file. In the INI file it is ignored when one of these,
                             or one that names it, is on the command line */
    const char *needs;    /* on the command line it is refused without one of these */
    const Setting *settings;
    const char *names;
    bool first; /* most runs need it: it is in the short help */
} Option;

enum { THREADS_MAX = 1024 };

/* The options that every command has; embedded by commands next to their own table. */
typedef struct CommonOptions {
    int threads; /* 0: all processors */
    uint64_t seed;
    bool json, quiet;
    const char *config;
} CommonOptions;

/* The first positional argument of some commands: what they do. Commands put it first in a row of
 * their own, beside the function that does it. */
typedef struct OptionVerb {
    const char *name;
    const char *arguments; /* "FILE OUT OUT..." */
    int least, most;       /* arguments after the verb */
    const char *with;      /* options to show after them: " --games N | --positions N"; or NULL */
    const char *meaning;   /* of the arguments, for the usage error; or NULL */
    const char *options;   /* that it takes. On the command line an option that other verbs name
                              here is refused; one that none names is for all */
    const char *summary;   /* for the list of verbs in the help, which wraps it */
} OptionVerb;

typedef struct OptionParser OptionParser;

typedef struct OptionSpec {
    const char *command;         /* "selfplay" */
    const char *const *sections; /* that INI files may have, ended by NULL: the commands' names */
    const char *synopsis;        /* in the usage line: "--db FILE --games N [options]" */
    const char *description;     /* paragraph for --help */
    const Option *options;       /* ended by OPTION_END */
    const OptionVerb *verbs;     /* ended by a NULL name; or NULL: the command has none */
    size_t verb_size;            /* of a row that begins with an OptionVerb; 0: it is no more */
    CommonOptions *common;       /* may be NULL */
    const char *threads_help;    /* of --threads; NULL: all processors are the default */
    bool takes_arguments;        /* positional arguments are allowed; a verb always is */
    const char *epilogue;        /* examples for --help, or NULL */
} OptionSpec;

/* Defaults, then `--config FILE.ini` (section [command], keys = option names; an unknown key or
 * section of no known command is an error naming file and line; so is a file whose keys are all for
 * other commands), then the command line. --help prints to standard output and sets *done;
 * --version likewise. Errors: STATUS_USAGE for the command line (names the option and its value)
 * and for options that do not go together, STATUS_BAD_INPUT for the INI file. The parser owns the
 * strings: destroy it after the last use of the options. An INI file may have keys for any verb.
 * STATUS_FAILED when the INI file is also named where a file is asked for. */
MUST_CHECK Status options_parse(const OptionSpec *spec, int argc, char **argv,
                                OptionParser **parser, bool *done, Error *err);
void options_destroy(OptionParser *parser); /* NULL-safe */

/* A command's work; `command` is its own struct of options. */
typedef Status (*OptionRunFn)(void *command, const OptionParser *parser, Error *err);

/* options_parse(), then run() unless --help or --version was answered, then options_destroy(). */
MUST_CHECK Status options_run(const OptionSpec *spec, int argc, char **argv, OptionRunFn run,
                              void *command, Error *err);

/* Was the option given (on the command line or in the INI file)? */
bool options_given(const OptionParser *parser, const char *name);
/* On the command line? */
bool options_typed(const OptionParser *parser, const char *name);

/* The positional arguments after the verb, NULL-terminated, owned by the parser. */
const char **options_arguments(const OptionParser *parser, int *count);

/* Number of the row in spec->verbs. */
int options_verb(const OptionParser *parser);

/* Number of threads to use: common->threads, or all processors that this process may use. */
int options_threads(const CommonOptions *common);

#endif
