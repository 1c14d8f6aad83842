/* SPDX-License-Identifier: MIT
 * What the files of the option parser share: its entries and how they get their values. */
#ifndef TABIA_CLI_OPTIONS_INTERNAL_H
#define TABIA_CLI_OPTIONS_INTERNAL_H

#include "cli/options/options.h"

enum { POPT_TABLES = 3, HELP_TEXT_MAX = 512 };

/* Where a value comes from; later ones override earlier ones. */
typedef enum Origin { FROM_DEFAULT, FROM_INI, FROM_COMMAND_LINE } Origin;

/* An option of the command or of all commands, and what is known of it in this run. */
typedef struct Entry {
    Option option;
    Origin origin;
    bool outranked;           /* by a rival on the command line: the INI file's does not count */
    OptionList list;          /* owned array behind an OPTION_LIST's target */
    char help[HELP_TEXT_MAX]; /* with the default appended */
    char negation[64];        /* "no-NAME" of a flag */
} Entry;

struct OptionParser {
    const OptionSpec *spec;
    Entry *entries; /* the command's own, then the common ones */
    int count, own_count;
    char **strings; /* every text that a target may point to */
    int string_count;
    struct poptOption *tables[POPT_TABLES]; /* own, common, root: what popt wants */
    char title[64];                         /* "tabia selfplay" */
    const char **arguments;                 /* positional, NULL-terminated; texts in strings */
};

/* " (default 5)", or what else the help says of the value that the option has, or "". */
void option_default_text(const Option *option, char *out, size_t size);

/* Gives an option that is no list its value; text, which an OPTION_STRING keeps, is borrowed.
 * `dashes` is "--" for the command line and "" for INI keys. STATUS_USAGE with a sentence. */
MUST_CHECK Status option_set(const Option *option, const char *dashes, const char *text,
                             Error *err);

/* Gives the entry its value, or one more of an OPTION_LIST; text belongs to the parser. */
MUST_CHECK Status entry_set(Entry *entry, const char *text, Origin origin, Error *err);

/* NULL when there is none of that name, or none like it. */
Entry *parser_find(const OptionParser *parser, const char *name);
const char *parser_nearest(const OptionParser *parser, const char *name);

/* Takes a malloc'ed text (NULL: memory was short) and gives it back as the parser's own. */
const char *parser_keep(OptionParser *parser, char *text);

/* Keys of the section [command]; STATUS_BAD_INPUT, naming file and line. */
MUST_CHECK Status parser_read_ini(OptionParser *parser, const char *path, Error *err);

#endif
