/* SPDX-License-Identifier: MIT
 * What the files of this room share: the parser's entries and how they get their values. */
#ifndef TABIA_CLI_OPTIONS_PARSER_H
#define TABIA_CLI_OPTIONS_PARSER_H

#include "cli/options/options.h"
#include "engine/base/suggest.h"

enum { HELP_TEXT_MAX = 512, SYNOPSIS_MAX = 256 };

/* Where a value comes from; later ones override earlier ones. */
typedef enum Origin { FROM_DEFAULT, FROM_INI, FROM_COMMAND_LINE } Origin;

/* An option of the command or of all commands, and its state in this run. */
typedef struct Entry {
    Setting row;
    void *object;         /* what the row's member is in */
    const Setting *table; /* that the row is of */
    const char *heading;  /* above it in the help */
    Origin origin;
    int last;        /* number of its last occurrence on the command line, from 1; 0: none */
    bool turned_off; /* that one is its negation */
    bool preset;     /* of a flag: the default of its bool */
    TextList list;   /* owned array of a list */
    char help[HELP_TEXT_MAX]; /* with the default appended */
    char negation[64];        /* "no-NAME" of a flag */
} Entry;

struct OptionParser {
    const OptionSpec *spec;
    Entry *entries; /* the command's own, then the common ones */
    int count, own_count;
    char **strings; /* every text that a target may point to */
    int string_count;
    struct poptOption *rows; /* what popt wants */
    char title[64];          /* "tabia selfplay" */
    /* For help and manual page: of the command, the description with the verbs; or of one verb. */
    const char *description, *epilogue; /* or NULL */
    char synopsis[SYNOPSIS_MAX];
    const OptionVerb *page; /* NULL: of the command */
    const char **words;     /* the command line, NULL-terminated; borrowed while it is parsed */
    const char **arguments; /* positional, NULL-terminated; texts in strings */
    int argument_count;
    int verb; /* index in spec->verbs; -1: the command has none */
};

/* Gives the entry its value, or a list one more; text belongs to the parser. */
MUST_CHECK Status entry_set(Entry *entry, const char *text, Origin origin, Error *err);

/* The value of a flag. */
bool entry_flag(const Entry *entry);

/* NULL when there is none of that name. */
Entry *parser_find(const OptionParser *parser, const char *name);

/* Begins a suggestion for a name and offers all options. */
void parser_suggest(const OptionParser *parser, const char *name, Suggestion *s);

/* Takes a malloc'ed text (NULL: memory was short) and gives it back as the parser's own. */
const char *parser_keep(OptionParser *parser, char *text);

/* Entries of the command's settings with a help text; returns how many. NULL entries: only
 * counts. */
int parser_flatten(const OptionSpec *spec, void *command, Entry *entries);

/* Is the value of this entry in the INI file to be ignored, because an option that excludes it is
 * on the command line? */
bool parser_excluded(const OptionParser *parser, const Entry *entry);

/* The verb of that number; NULL after the last one. */
const OptionVerb *spec_verb(const OptionSpec *spec, int number);

/* What follows the verb on the command line: its arguments, and options to show with them. */
enum { VERB_USAGE_MAX = 128 };
void verb_usage(const OptionVerb *verb, char out[VERB_USAGE_MAX]);

/* Does the verb take the option? The names of those that do; "": it is for all verbs. */
enum { VERB_NAMES_MAX = 256 };
bool spec_takes(const OptionSpec *spec, const OptionVerb *verb, const char *option,
                char names[VERB_NAMES_MAX]);

/* Number of the first entry under the heading of that one. */
int parser_group(const OptionParser *parser, int entry);

/* The verb of that name, number *verb; STATUS_USAGE for another name. */
MUST_CHECK Status parser_find_verb(const OptionParser *parser, const char *name, int *verb,
                                   Error *err);

/* Required options, options that do not go together, verb and arguments: STATUS_USAGE. To be called
 * after all values are set. */
MUST_CHECK Status parser_check(OptionParser *parser, Error *err);

/* ---- help.c, manual.c, complete.c: on standard output */

/* Description, options and examples: of a command with many options those that most runs need, or
 * all. */
MUST_CHECK Status parser_print_help(const OptionParser *parser, bool all, Error *err);

/* The manual page of the command, after manual_begin(), or the whole page of a verb. */
void parser_print_manual(const OptionParser *parser);

/* Candidates for the last of the words after the command; none where a file or a value that has no
 * list is expected. `words` is ended by NULL. */
void parser_complete(const OptionParser *parser, const char **words);

/* ---- ini.c */

/* Sets the keys of the section [command]; STATUS_BAD_INPUT, naming file and line. */
MUST_CHECK Status ini_read(OptionParser *parser, const char *path, Error *err);

#endif
