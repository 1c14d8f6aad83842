/* SPDX-License-Identifier: MIT
 * One declarative table per command: popt reads the command line with it. */
#include "cli/options/options.h"

#include <assert.h>
#include <ctype.h>
#include <popt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/parser.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/base/version.h"

enum { VERB_COLUMNS = 90 /* of texts about verbs */ };

/* popt's return values: an option is its index + 1, its negation that plus NEGATED. */
enum { NEGATED = 1 << 16, VALUE_HELP = 1 << 17, VALUE_VERSION, VALUE_MANUAL, VALUE_COMPLETE };

/* One option as it stands on the command line. */
typedef struct Occurrence {
    int entry;
    bool negated;
    const char *text; /* NULL for flags */
} Occurrence;

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory");
}

/* ---- Construction */

const Setting common_settings[] = {
    SETTING_HEADING("Options of every command"),
    {"threads", FIELD(CommonOptions, threads), "N", "number of threads (default: all processors)",
     0, THREADS_MAX},
    {"seed", FIELD(CommonOptions, seed), "N", "seed of all random numbers"},
    {"json", FIELD(CommonOptions, json), NULL,
     "print one JSON object on standard output, nothing else"},
    {"quiet", FIELD(CommonOptions, quiet), NULL, "no progress on standard error"},
    {"config", FIELD(CommonOptions, config), "FILE.ini",
     "INI file with defaults for options, or the name of an installed one, such as learn"},
    {0},
};

/* " (default 5)", or what else the help says of the value that the setting has, or "": 0 stands for
 * "none" or "required", as the help line says. */
static void default_text(const Entry *e, char *out, size_t size)
{
    const Setting *row = &e->row;
    char value[SETTING_TEXT_MAX];

    *out = '\0';
    if (setting_is_flag(row)) {
        if (entry_flag(e) == (row->form != FORM_OPPOSITE))
            (void)snprintf(out, size, " (default; --no-%s turns it off)", row->name);
        return;
    }
    setting_text(row, e->object, value);
    bool integer = row->kind == FIELD_INT || row->kind == FIELD_INT64 ||
                   (row->kind == FIELD_UINT64 && row->maximum > 0);
    bool none = integer && (strcmp(value, "0") == 0 || strcmp(value, "0s") == 0);
    const char *text = row->parse && !row->print ? row->preset_text : value;
    if (row->kind == FIELD_LIST)
        (void)snprintf(out, size, " (may be repeated)");
    else if (!none && text && *text)
        (void)snprintf(out, size, " (default %s)", text);
}

static void describe(Entry *entry)
{
    char value[HELP_TEXT_MAX / 2];

    assert(strlen(entry->row.help) < HELP_TEXT_MAX / 2);
    default_text(entry, value, sizeof value);
    entry->preset = setting_is_flag(&entry->row) && entry_flag(entry);
    (void)snprintf(entry->help, sizeof entry->help, "%.*s%s", HELP_TEXT_MAX / 2 - 1,
                   entry->row.help, value);
    (void)snprintf(entry->negation, sizeof entry->negation, "no-%s", entry->row.name);
}

/* popt's rows of the entries, each flag with its negation, and of what every command answers. */
static struct poptOption *popt_rows(Entry *entries, int count)
{
    static const struct poptOption answers[] = {
        {"help", 'h', POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, .val = VALUE_HELP},
        {"version", .val = VALUE_VERSION},
        /* For the build and the shells: command.c has the options that users see. */
        {"manual", .val = VALUE_MANUAL},
        {"complete", .val = VALUE_COMPLETE},
        {0},
    };
    struct poptOption *rows = calloc((size_t)count * 2 + 5, sizeof *rows);
    struct poptOption *row = rows;

    if (!rows) return NULL;
    for (int i = 0; i < count; i++) {
        Entry *e = &entries[i];
        bool flag = setting_is_flag(&e->row);
        *row++ = (struct poptOption){e->row.name,    '\0',  flag ? POPT_ARG_NONE : POPT_ARG_STRING,
                                     NULL,           i + 1, e->help,
                                     e->row.argument};
        if (flag)
            *row++ = (struct poptOption){e->negation,     '\0', POPT_ARG_NONE, NULL,
                                         NEGATED + i + 1, NULL, NULL};
    }
    memcpy(row, answers, sizeof answers);
    return rows;
}

/* "  NAME ARGUMENTS  summary": a line for each verb, more where it is long. */
static void list_verbs(const OptionSpec *spec, FILE *out)
{
    char line[HELP_TEXT_MAX];
    int widest = 0;
    const OptionVerb *verb;

    for (int i = 0; (verb = spec_verb(spec, i)); i++) {
        int width = text_columns(verb->name) + 1 + text_columns(verb->arguments);
        if (width > widest) widest = width;
    }
    for (int i = 0; (verb = spec_verb(spec, i)); i++) {
        int gap = widest - text_columns(verb->name) - text_columns(verb->arguments);
        (void)snprintf(line, sizeof line, "  %s %s%*s %s", verb->name, verb->arguments, gap, "",
                       verb->summary);
        (void)putc('\n', out);
        (void)text_wrap(out, widest + 4, VERB_COLUMNS, line);
    }
}

/* What the help says before the options. */
static void put_command(const OptionParser *p, FILE *out)
{
    (void)fputs(p->spec->description, out);
    if (!p->spec->verbs) return;
    list_verbs(p->spec, out);
    fprintf(out, "\n\nThe page of a verb: tabia help %s VERB", p->spec->command);
}

/* "Adds the games that INTO lacks." and what else the page of a verb says. */
static void put_verb(const OptionParser *p, FILE *out)
{
    const OptionVerb *verb = p->page;
    char text[2 * HELP_TEXT_MAX];

    (void)snprintf(text, sizeof text, "%s.%s%s", verb->summary, verb->description ? " " : "",
                   verb->description ? verb->description : "");
    text[0] = (char)toupper((unsigned char)text[0]);
    (void)text_wrap(out, 0, VERB_COLUMNS, text);
}

/* The command's examples of the verb, each with its further lines. */
static void put_examples(const OptionParser *p, FILE *out)
{
    const char *line = p->spec->epilogue, *before = "Examples:\n";
    size_t title = strlen(p->title);
    bool wanted = false;

    for (size_t length; line && *line; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        if (strncmp(line, "  tabia", 7) == 0)
            wanted = strncmp(line + 2, p->title, title) == 0 && line[2 + title] == ' ';
        if (!wanted) continue;
        fprintf(out, "%s%.*s", before, (int)length, line);
        before = "\n";
    }
}

/* What `put` prints, as the parser's own text; NULL when memory ran out. */
static const char *keep_printed(OptionParser *p, void (*put)(const OptionParser *p, FILE *out))
{
    TextStream stream;

    if (!text_stream_open(&stream)) return NULL;
    put(p, stream.out);
    bool whole = text_stream_close(&stream);
    return whole ? parser_keep(p, stream.text) : NULL;
}

/* Help and manual are then those of the verb, with the options that it takes: the parser is of no
 * other use. False when memory ran out. */
static bool narrow(OptionParser *p, const OptionVerb *verb)
{
    char usage[VERB_USAGE_MAX], takers[VERB_NAMES_MAX];
    int count = 0, own = 0;

    for (int i = 0; i < p->count; i++) {
        if (!spec_takes(p->spec, verb, p->entries[i].row.name, takers)) continue;
        own += i < p->own_count;
        p->entries[count++] = p->entries[i];
    }
    p->count = count;
    p->own_count = own;
    p->page = verb;
    text_append(p->title, sizeof p->title, " %s", verb->name);
    verb_usage(verb, usage);
    (void)snprintf(p->synopsis, sizeof p->synopsis, "%s%s[options]", usage, *usage ? " " : "");
    p->description = keep_printed(p, put_verb);
    p->epilogue = keep_printed(p, put_examples);
    return p->description && p->epilogue;
}

static OptionParser *parser_create(const OptionSpec *spec, void *command)
{
    OptionParser *p = calloc(1, sizeof *p);

    if (!p) return NULL;
    p->spec = spec;
    p->count = parser_flatten(spec, command, NULL);
    p->entries = calloc((size_t)p->count + 1, sizeof *p->entries);
    if (!p->entries) goto fail;
    (void)parser_flatten(spec, command, p->entries);
    Entry *threads = parser_find(p, "threads");
    if (threads && spec->threads_help) threads->row.help = spec->threads_help;
    for (int i = 0; i < p->count; i++) {
        describe(&p->entries[i]);
        p->own_count += p->entries[i].table != common_settings;
    }
    (void)snprintf(p->title, sizeof p->title, "tabia %s", spec->command);
    (void)snprintf(p->synopsis, sizeof p->synopsis, "%s", spec->synopsis);
    p->epilogue = spec->epilogue;
    p->rows = popt_rows(p->entries, p->count);
    if (!p->rows) goto fail;
    if (!spec->description || (p->description = keep_printed(p, put_command))) return p;
fail:
    options_destroy(p);
    return NULL;
}

void options_destroy(OptionParser *p)
{
    if (!p) return;
    for (int i = 0; p->entries && i < p->count; i++)
        free(p->entries[i].list.items);
    for (int i = 0; i < p->string_count; i++)
        free(p->strings[i]);
    free(p->rows);
    free(p->strings);
    free(p->entries);
    free(p->arguments);
    free(p);
}

/* ---- The command line */

static Status popt_error(const OptionParser *p, poptContext context, int code, Error *err)
{
    const char *option = poptBadOption(context, POPT_BADOPTION_NOALIAS);
    char name[64];
    Suggestion near;

    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
    size_t dashes = strspn(name, "-");
    switch (code) {
    case POPT_ERROR_BADOPT:
        parser_suggest(p, name + dashes, &near);
        return error_set(err, STATUS_USAGE, "unknown option %s%s%s%s", name,
                         dashes < 2 ? "; options begin with two dashes" : "",
                         suggest_text(&near, "--", ""), p->spec->hint ? p->spec->hint : "");
    case POPT_ERROR_NOARG:
        return error_set(err, STATUS_USAGE, "%s needs a value", option);
    case POPT_ERROR_UNWANTEDARG:
        return error_set(err, STATUS_USAGE, "%s takes no value", name);
    default:
        return error_set(err, STATUS_USAGE, "%s: %s", option, poptStrerror(code));
    }
}

/* An argument beside --help or --manual is the verb whose page is wanted. */
static Status choose_page(OptionParser *p, const char *argument, Error *err)
{
    int verb;

    if (!argument || !p->spec->verbs) return STATUS_OK;
    Status status = parser_find_verb(p, argument, &verb, err);
    if (status != STATUS_OK || narrow(p, spec_verb(p->spec, verb))) return status;
    return out_of_memory(err);
}

/* The value, "all" or a verb, may be the next word. */
static Status answer_help(OptionParser *p, const char *value, const char *argument, Error *err)
{
    bool all = value && strcmp(value, "all") == 0;

    if (value && !all && !p->spec->verbs && !p->spec->options_first)
        return error_set(err, STATUS_USAGE, "--help or --help=all, not --help=%s", value);
    Status status = choose_page(p, value && !all ? value : argument, err);
    return status == STATUS_OK ? parser_print_help(p, all, err) : status;
}

static Status answer_manual(OptionParser *p, const char *argument, Error *err)
{
    if (argument && !p->spec->verbs && !p->spec->options_first)
        return error_set(err, STATUS_USAGE, "unexpected argument \"%s\"", argument);
    Status status = choose_page(p, argument, err);
    if (status == STATUS_OK) parser_print_manual(p);
    return status;
}

static Status answer(OptionParser *p, poptContext context, int code, Error *err)
{
    char *value = poptGetOptArg(context);
    Status status = STATUS_OK;

    cli_end_with_reader();
    while (poptGetNextOpt(context) > 0)
        free(poptGetOptArg(context));
    const char **arguments = poptGetArgs(context), *argument = arguments ? *arguments : NULL;
    if (code == VALUE_HELP)
        status = answer_help(p, value, argument, err);
    else if (code == VALUE_MANUAL)
        status = answer_manual(p, argument, err);
    else if (code == VALUE_COMPLETE)
        parser_complete(p, p->words + 2);
    else
        printf("tabia %s\n", TABIA_VERSION);
    free(value);
    return status;
}

/* Reads the options into found[] (room for argc), answering --help and --version at once. */
static Status scan(OptionParser *p, poptContext context, Occurrence *found, int *found_count,
                   bool *done, Error *err)
{
    int code;

    while ((code = poptGetNextOpt(context)) > 0) {
        if (code >= VALUE_HELP) {
            *done = true;
            return answer(p, context, code, err);
        }
        bool negated = code >= NEGATED;
        int entry = (negated ? code - NEGATED : code) - 1;
        const char *text = NULL;
        if (!setting_is_flag(&p->entries[entry].row)) {
            text = parser_keep(p, poptGetOptArg(context));
            if (!text) return out_of_memory(err);
        }
        if (p->entries[entry].last > 0 && p->entries[entry].row.kind == FIELD_STRING)
            return error_set(err, STATUS_USAGE, "--%s is given twice", p->entries[entry].row.name);
        found[(*found_count)++] = (Occurrence){entry, negated, text};
        p->entries[entry].last = *found_count;
        p->entries[entry].turned_off = negated;
    }
    return code == -1 ? STATUS_OK : popt_error(p, context, code, err);
}

static Status keep_arguments(OptionParser *p, poptContext context, Error *err)
{
    const char **given = poptGetArgs(context);

    while (given && given[p->argument_count])
        p->argument_count++;
    p->arguments = calloc((size_t)p->argument_count + 1, sizeof *p->arguments);
    if (!p->arguments) return out_of_memory(err);
    for (int i = 0; i < p->argument_count; i++) {
        p->arguments[i] = parser_keep(p, strdup(given[i]));
        if (!p->arguments[i]) return out_of_memory(err);
    }
    return STATUS_OK;
}

static Status read_all(OptionParser *p, poptContext context, Occurrence *found, bool *done,
                       Error *err)
{
    int count = 0;
    Status status = scan(p, context, found, &count, done, err);

    if (status != STATUS_OK || *done) return status;
    const Entry *config = parser_find(p, "config");
    if (config && config->last > 0) status = ini_read(p, found[config->last - 1].text, err);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        const char *flag = found[i].negated ? "false" : "true";
        Entry *e = &p->entries[found[i].entry];
        if (e->row.parse && e->last != i + 1) continue;
        status = entry_set(e, found[i].text ? found[i].text : flag, FROM_COMMAND_LINE, err);
    }
    if (status == STATUS_OK) status = keep_arguments(p, context, err);
    return status == STATUS_OK ? parser_check(p, err) : status;
}

/* What searches and pipelines do on threads of their own is the smaller part. */
static void warn_of_threads(const OptionParser *p)
{
#ifdef _OPENMP
    (void)p;
#else
    const Entry *e = parser_find(p, "threads");
    if (e && *(const int *)((const char *)e->object + e->row.offset) > 1)
        fprintf(stderr, "warning: this build has no OpenMP: most work is done by one thread\n");
#endif
}

Status options_parse(const OptionSpec *spec, void *command, int argc, char **argv,
                     OptionParser **parser, bool *done, Error *err)
{
    Status status = STATUS_FAILED;
    const char **words = calloc((size_t)argc + 2, sizeof *words);
    Occurrence *found = calloc((size_t)argc + 1, sizeof *found);
    OptionParser *p = parser_create(spec, command);
    poptContext context = NULL;

    *parser = NULL;
    *done = false;
    if (!words || !found || !p) {
        status = out_of_memory(err);
        goto cleanup;
    }
    words[0] = p->title; /* what popt's usage line begins with */
    for (int i = 1; i < argc; i++)
        words[i] = argv[i];
    /* popt obeys POSIXLY_CORRECT: options would end at the first argument. */
    const char *posix = getenv("POSIXLY_CORRECT");
    if (posix) (void)unsetenv("POSIXLY_CORRECT");
    context = poptGetContext("tabia", argc > 0 ? argc : 1, words, p->rows,
                             spec->options_first ? POPT_CONTEXT_POSIXMEHARDER : 0);
    if (posix) (void)setenv("POSIXLY_CORRECT", posix, 1);
    if (!context) {
        status = out_of_memory(err);
        goto cleanup;
    }
    p->words = words;
    status = read_all(p, context, found, done, err);
    p->words = NULL;
    if (status == STATUS_OK) {
        if (!*done) warn_of_threads(p);
        *parser = p;
        p = NULL;
    }
cleanup:
    if (context) (void)poptFreeContext(context);
    options_destroy(p);
    free((void *)words);
    free(found);
    return status;
}

Status options_run(const OptionSpec *spec, int argc, char **argv, OptionRunFn run, void *command,
                   Error *err)
{
    OptionParser *parser;
    bool done;

    Status status = options_parse(spec, command, argc, argv, &parser, &done, err);
    if (status == STATUS_OK && !done) status = run(command, parser, err);
    options_destroy(parser);
    return status;
}

/* ---- After parsing */

bool options_given(const OptionParser *p, const char *name)
{
    const Entry *e = parser_find(p, name);
    return e && e->origin != FROM_DEFAULT;
}

bool options_typed(const OptionParser *p, const char *name)
{
    const Entry *e = parser_find(p, name);
    return e && e->origin == FROM_COMMAND_LINE;
}

const char **options_arguments(const OptionParser *p, int *count)
{
    int after = p->verb >= 0;

    if (count) *count = p->argument_count - after;
    return p->arguments + after;
}

int options_verb(const OptionParser *p)
{
    return p->verb;
}

int options_threads(const CommonOptions *common)
{
    return common->threads > 0 ? common->threads : system_processors();
}
