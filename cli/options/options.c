/* SPDX-License-Identifier: MIT
 * One declarative table per command: popt reads the command line with it. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/options/options.h"

#include <assert.h>
#include <popt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/internal.h"
#include "cli/options/suggest.h"
#include "engine/base/version.h"

enum { COMMON_COUNT = 5, THREADS_MAX = 1024 };

/* popt's return values: an option is its index + 1, its negation that plus NEGATED. */
enum { NEGATED = 1 << 16, VALUE_HELP = 1 << 17, VALUE_VERSION };

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

static void add_common(CommonOptions *c, Entry *entries)
{
    const Option table[COMMON_COUNT] = {
        {"threads", OPTION_INT, &c->threads, "N", "threads to use (default: all cores)", 0,
         THREADS_MAX},
        {"seed", OPTION_UINT64, &c->seed, "N", "seed of everything random", 0, 0},
        {"json", OPTION_FLAG, &c->json, NULL,
         "print one JSON object on standard output, nothing else", 0, 0},
        {"quiet", OPTION_FLAG, &c->quiet, NULL, "no progress on standard error", 0, 0},
        {"config", OPTION_STRING, &c->config, "FILE.ini", "defaults, which other options override",
         0, 0},
    };
    for (int i = 0; i < COMMON_COUNT; i++)
        entries[i].option = table[i];
}

static void describe(Entry *entry)
{
    char value[HELP_TEXT_MAX / 2];

    assert(strlen(entry->option.help) < HELP_TEXT_MAX / 2);
    option_default_text(&entry->option, value, sizeof value);
    (void)snprintf(entry->help, sizeof entry->help, "%.*s%s", HELP_TEXT_MAX / 2 - 1,
                   entry->option.help, value);
    (void)snprintf(entry->negation, sizeof entry->negation, "no-%s", entry->option.name);
}

/* popt's rows for entries [first, first + count), each flag with its hidden negation. */
static struct poptOption *popt_rows(Entry *entries, int first, int count)
{
    struct poptOption *rows = calloc((size_t)count * 2 + 3, sizeof *rows);
    struct poptOption *row = rows;

    if (!rows) return NULL;
    for (int i = first; i < first + count; i++) {
        Entry *e = &entries[i];
        bool flag = e->option.kind == OPTION_FLAG;
        *row++ = (struct poptOption){
            e->option.name,    '\0', flag ? POPT_ARG_NONE : POPT_ARG_STRING, NULL, i + 1, e->help,
            e->option.argument};
        if (flag)
            *row++ = (struct poptOption){
                e->negation, '\0', POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, NULL, NEGATED + i + 1,
                NULL,        NULL};
    }
    return rows;
}

static bool build_tables(OptionParser *p)
{
    struct poptOption *own = popt_rows(p->entries, 0, p->own_count);
    struct poptOption *common = popt_rows(p->entries, p->own_count, p->count - p->own_count);
    struct poptOption *root = calloc(3, sizeof *root);

    p->tables[0] = own;
    p->tables[1] = common;
    p->tables[2] = root;
    if (!own || !common || !root) return false;
    struct poptOption *row = common;
    while (row->longName)
        row++;
    *row++ = (struct poptOption){"help", 'h', POPT_ARG_NONE, NULL, VALUE_HELP, "this text", NULL};
    *row++ = (struct poptOption){"version",     '\0',          POPT_ARG_NONE, NULL,
                                 VALUE_VERSION, "the version", NULL};
    row = root;
    if (p->own_count > 0)
        *row++ = (struct poptOption){NULL, '\0', POPT_ARG_INCLUDE_TABLE, own, 0, "Options:", NULL};
    *row++ =
        (struct poptOption){NULL,   '\0', POPT_ARG_INCLUDE_TABLE,
                            common, 0,    p->own_count ? "Options of every command:" : "Options:",
                            NULL};
    return true;
}

static OptionParser *parser_create(const OptionSpec *spec)
{
    OptionParser *p = calloc(1, sizeof *p);

    if (!p) return NULL;
    p->spec = spec;
    while (spec->options && spec->options[p->own_count].kind != OPTION_END)
        p->own_count++;
    p->count = p->own_count + (spec->common ? COMMON_COUNT : 0);
    p->entries = calloc((size_t)p->count + 1, sizeof *p->entries);
    if (!p->entries) goto fail;
    for (int i = 0; i < p->own_count; i++)
        p->entries[i].option = spec->options[i];
    if (spec->common) add_common(spec->common, p->entries + p->own_count);
    for (int i = 0; i < p->count; i++)
        describe(&p->entries[i]);
    (void)snprintf(p->title, sizeof p->title, "tabia %s", spec->command);
    if (build_tables(p)) return p;
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
    for (int i = 0; i < POPT_TABLES; i++)
        free(p->tables[i]);
    free(p->strings);
    free(p->entries);
    free(p->arguments);
    free(p);
}

/* ---- Entries */

const char *parser_keep(OptionParser *p, char *text)
{
    if (!text) return NULL;
    char **grown = realloc(p->strings, ((size_t)p->string_count + 1) * sizeof *grown);
    if (!grown) {
        free(text);
        return NULL;
    }
    p->strings = grown;
    p->strings[p->string_count++] = text;
    return text;
}

Entry *parser_find(const OptionParser *p, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->entries[i].option.name, name) == 0) return &p->entries[i];
    return NULL;
}

const char *parser_nearest(const OptionParser *p, const char *name)
{
    Suggestion s;

    suggest_begin(&s, name);
    for (int i = 0; i < p->count; i++)
        suggest_offer(&s, p->entries[i].option.name);
    return s.best;
}

/* The command line's items replace the INI file's; within one origin they add up. */
static Status append(Entry *e, const char *text, Origin origin, Error *err)
{
    OptionList *list = &e->list;

    if (e->origin != origin) list->count = 0;
    const char **grown =
        realloc((void *)list->items, ((size_t)list->count + 1) * sizeof *list->items);
    if (!grown) return out_of_memory(err);
    list->items = grown;
    list->items[list->count++] = text;
    *(OptionList *)e->option.target = *list;
    return STATUS_OK;
}

Status entry_set(Entry *e, const char *text, Origin origin, Error *err)
{
    Status status =
        e->option.kind == OPTION_LIST
            ? append(e, text, origin, err)
            : option_set(&e->option, origin == FROM_COMMAND_LINE ? "--" : "", text, err);

    if (status == STATUS_OK) e->origin = origin;
    return status;
}

/* ---- The command line */

static void print_help(const OptionParser *p, poptContext context)
{
    if (p->spec->description) printf("%s\n\n", p->spec->description);
    if (p->spec->synopsis) poptSetOtherOptionHelp(context, p->spec->synopsis);
    poptPrintHelp(context, stdout, 0);
    if (p->spec->epilogue) printf("\n%s\n", p->spec->epilogue);
}

static Status popt_error(const OptionParser *p, poptContext context, int code, Error *err)
{
    const char *option = poptBadOption(context, POPT_BADOPTION_NOALIAS);
    char name[64] = "";
    const char *near;

    switch (code) {
    case POPT_ERROR_BADOPT:
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
        near = strncmp(name, "--", 2) == 0 ? parser_nearest(p, name + 2) : NULL;
        return error_set(err, STATUS_USAGE, "unknown option %s%s%s%s", name,
                         near ? "; did you mean --" : "", near ? near : "", near ? "?" : "");
    case POPT_ERROR_NOARG:
        return error_set(err, STATUS_USAGE, "%s needs a value", option);
    case POPT_ERROR_UNWANTEDARG:
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
        return error_set(err, STATUS_USAGE, "%s takes no value", name);
    default:
        return error_set(err, STATUS_USAGE, "%s: %s", option, poptStrerror(code));
    }
}

/* Reads the options into found[] (room for argc), answering --help and --version at once. */
static Status scan(OptionParser *p, poptContext context, Occurrence *found, int *found_count,
                   bool *done, Error *err)
{
    int code;

    while ((code = poptGetNextOpt(context)) > 0) {
        if (code == VALUE_HELP) {
            print_help(p, context);
            *done = true;
            return STATUS_OK;
        }
        if (code == VALUE_VERSION) {
            printf("tabia %s\n", TABIA_VERSION);
            *done = true;
            return STATUS_OK;
        }
        bool negated = code >= NEGATED;
        int entry = (negated ? code - NEGATED : code) - 1;
        const char *text = NULL;
        if (p->entries[entry].option.kind != OPTION_FLAG) {
            text = parser_keep(p, poptGetOptArg(context));
            if (!text) return out_of_memory(err);
        }
        found[(*found_count)++] = (Occurrence){entry, negated, text};
    }
    return code == -1 ? STATUS_OK : popt_error(p, context, code, err);
}

static Status keep_arguments(OptionParser *p, poptContext context, Error *err)
{
    const char **given = poptGetArgs(context);
    size_t count = 0;

    while (given && given[count])
        count++;
    if (count > 0 && !p->spec->takes_arguments)
        return error_set(err, STATUS_USAGE, "unexpected argument \"%s\"", given[0]);
    p->arguments = calloc(count + 1, sizeof *p->arguments);
    if (!p->arguments) return out_of_memory(err);
    for (size_t i = 0; i < count; i++) {
        p->arguments[i] = parser_keep(p, strdup(given[i]));
        if (!p->arguments[i]) return out_of_memory(err);
    }
    return STATUS_OK;
}

static const char *config_file(const OptionParser *p, const Occurrence *found, int count)
{
    const char *path = NULL;

    for (int i = 0; i < count; i++)
        if (strcmp(p->entries[found[i].entry].option.name, "config") == 0) path = found[i].text;
    return path;
}

static void outrank_rivals(OptionParser *p, const char *name)
{
    for (const OptionRivals *r = p->spec->rivals; r && r->name; r++) {
        if (strcmp(r->name, name) != 0) continue;
        for (int i = 0; r->others[i]; i++) {
            Entry *rival = parser_find(p, r->others[i]);
            assert(rival);
            rival->outranked = true;
        }
    }
}

static Status read_all(OptionParser *p, poptContext context, Occurrence *found, bool *done,
                       Error *err)
{
    int count = 0;
    Status status = scan(p, context, found, &count, done, err);

    if (status != STATUS_OK || *done) return status;
    const char *path = p->spec->common ? config_file(p, found, count) : NULL;
    for (int i = 0; path && i < count; i++)
        if (!found[i].negated) outrank_rivals(p, p->entries[found[i].entry].option.name);
    if (path) status = parser_read_ini(p, path, err);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        const char *flag = found[i].negated ? "false" : "true";
        status = entry_set(&p->entries[found[i].entry], found[i].text ? found[i].text : flag,
                           FROM_COMMAND_LINE, err);
    }
    if (status == STATUS_OK) status = keep_arguments(p, context, err);
    return status;
}

Status options_parse(const OptionSpec *spec, int argc, char **argv, OptionParser **parser,
                     const char ***arguments, bool *done, Error *err)
{
    Status status = STATUS_FAILED;
    const char **words = calloc((size_t)argc + 2, sizeof *words);
    Occurrence *found = calloc((size_t)argc + 1, sizeof *found);
    OptionParser *p = parser_create(spec);
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
    context = poptGetContext("tabia", argc > 0 ? argc : 1, words, p->tables[2], 0);
    if (!context) {
        status = out_of_memory(err);
        goto cleanup;
    }
    status = read_all(p, context, found, done, err);
    if (status == STATUS_OK) {
        if (arguments) *arguments = p->arguments;
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

/* ---- What commands ask afterwards */

bool options_given(const OptionParser *p, const char *name)
{
    const Entry *e = parser_find(p, name);
    return e && e->origin != FROM_DEFAULT;
}

bool options_outranked(const OptionParser *p, const char *name)
{
    const Entry *e = parser_find(p, name);
    return e && e->outranked;
}

Status options_require(const OptionParser *p, const char *name, Error *err)
{
    if (options_given(p, name)) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--%s is needed", name);
}

int options_threads(const CommonOptions *common)
{
    cpu_set_t cpus;

    if (common->threads > 0) return (int)common->threads;
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return CPU_COUNT(&cpus);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
