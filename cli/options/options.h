/* SPDX-License-Identifier: MIT
 * One table of settings per command feeds the option parser (popt), the INI reader (inih), the
 * usage line, --help, manual pages and completion. */
#ifndef TABIA_CLI_OPTIONS_OPTIONS_H
#define TABIA_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "engine/values/setting.h"

enum { THREADS_MAX = 1024 };

/* The options that every command has: the last row of its table is this struct, of these rows. */
typedef struct CommonOptions {
    int threads; /* 0: all processors */
    uint64_t seed;
    bool json, quiet;
    const char *config;
} CommonOptions;
extern const Setting common_settings[];

/* The first positional argument of some commands: what they do. Commands put it first in a row of
 * their own, beside the function that does it. */
typedef struct OptionVerb {
    const char *name;
    const char *arguments;   /* "FILE OUT OUT..." */
    int least, most;         /* arguments after the verb */
    const char *with;        /* options to show after them: " --games N | --positions N"; or NULL */
    const char *meaning;     /* of the arguments, for the usage error; or NULL */
    const char *options;     /* that it takes. On the command line an option that other verbs name
                                here is refused; one that none names is for all */
    const char *summary;     /* for the list of verbs in the help, which wraps it */
    const char *description; /* what else its own page says, likewise; or NULL */
} OptionVerb;

typedef struct OptionParser OptionParser;

/* The program's commands, ended by NULL, are the sections that an INI file may have. The program
 * defines them. */
extern const char *const command_names[];

typedef struct OptionSpec {
    const char *command;      /* "selfplay" */
    const char *synopsis;     /* in the usage line: "--db FILE --games N [options]" */
    const char *description;  /* paragraph for --help */
    const Setting *settings;  /* members of the struct that options_parse() fills */
    const OptionVerb *verbs;  /* ended by a NULL name; or NULL: the command has none */
    size_t verb_size;         /* of a row that begins with an OptionVerb; 0: it is no more */
    const char *threads_help; /* of --threads; NULL: all processors are the default */
    const char *bare;         /* options that bare words are likely meant for; or NULL */
    const char *hint;         /* after "unknown option"; or NULL */
    bool takes_arguments;     /* positional arguments are allowed; a verb always is */
    const char *reads_again;  /* the option after which run() parses once more; or NULL */
    bool options_first;       /* the first of them ends the options: it is a command */
    const char *epilogue;     /* examples for --help, or NULL */
} OptionSpec;

/* Is it a verb of the command? */
bool options_has_verb(const OptionSpec *spec, const char *name);

/* Sets the members of `command`, which holds the defaults: first from `--config FILE.ini` (section
 * [command], keys = option names; an unknown key or section of no known command is an error naming
 * file and line; so is a file whose keys are all for other commands), then the command line. --help
 * prints to standard output and sets *done, after a verb the page of that verb;
 * --version likewise. Errors: STATUS_USAGE for the command line (names the option and its value)
 * and for options that do not go together, STATUS_BAD_INPUT for the INI file. The parser owns the
 * strings: destroy it after the last use of the options. An INI file may have keys for any verb.
 * STATUS_FAILED when the INI file is also named where a file is asked for. A build without OpenMP
 * warns of several threads on standard error. */
MUST_CHECK Status options_parse(const OptionSpec *spec, void *command, int argc, char **argv,
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

/* ---- manual.c, complete.c: on standard output */

/* The head of a manual page (mdoc) and its section NAME. */
void manual_begin(const char *name, const char *summary);

/* A help text. Indented lines become a literal block. */
void manual_text(const char *text);

/* Environment, files and exit status, of the parser's options or all (NULL); examples, if the text
 * is not empty; and the title of what follows, "see also". */
void manual_end(const OptionParser *parser, const char *examples);

/* Of the program, with their meanings. */
extern const char exit_codes[];

/* A candidate for the completion scripts of shells: prints "<dashes><name> TAB <help>" if that
 * begins with `begun`. */
void complete_offer(const char *begun, const char *dashes, const char *name, const char *help);

#endif
