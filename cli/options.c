/* SPDX-License-Identifier: MIT
 * One declarative table per command: popt reads the command line with it, inih the INI file. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/options.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <popt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/value.h"
#include "engine/engine.h"

enum { COMMON_COUNT = 5, POPT_TABLES = 3, HELP_TEXT_MAX = 256, THREADS_MAX = 1024 };

/* popt's return values: an option is its index + 1, its negation that plus NEGATED. */
enum { NEGATED = 1 << 16, VALUE_HELP = 1 << 17, VALUE_VERSION };

/* Where a value comes from; later ones override earlier ones. */
typedef enum Origin { FROM_DEFAULT, FROM_INI, FROM_COMMAND_LINE } Origin;

/* An option of the command or of all commands, and what is known of it in this run. */
typedef struct Entry {
    Option option;
    Origin origin;
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

static void format_default(const Option *o, char *out, size_t size)
{
    char time[TIME_TEXT_MAX];

    *out = '\0';
    switch (o->kind) {
    case OPTION_FLAG:
        if (*(const bool *)o->target)
            (void)snprintf(out, size, " (default; --no-%s turns it off)", o->name);
        break;
    case OPTION_INT: /* 0 stands for "none" or "required": the help line says which */
        if (*(const int64_t *)o->target)
            (void)snprintf(out, size, " (default %lld)", (long long)*(const int64_t *)o->target);
        break;
    case OPTION_UINT64:
        (void)snprintf(out, size, " (default %llu)",
                       (unsigned long long)*(const uint64_t *)o->target);
        break;
    case OPTION_DOUBLE:
        (void)snprintf(out, size, " (default %g)", *(const double *)o->target);
        break;
    case OPTION_STRING:
        if (*(const char *const *)o->target)
            (void)snprintf(out, size, " (default %s)", *(const char *const *)o->target);
        break;
    case OPTION_TIME:
        if (*(const int64_t *)o->target == 0) break;
        value_format_time(*(const int64_t *)o->target, time);
        (void)snprintf(out, size, " (default %s)", time);
        break;
    case OPTION_LIST:
        (void)snprintf(out, size, " (may be repeated)");
        break;
    case OPTION_END:
        break;
    }
}

static void describe(Entry *entry)
{
    char value[HELP_TEXT_MAX / 2];

    format_default(&entry->option, value, sizeof value);
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

/* Takes a malloc'ed text (NULL: memory was short) and gives it back as the parser's own. */
static const char *keep(OptionParser *p, char *text)
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

/* ---- Values */

/* `dashes` is "--" for the command line and "" for INI keys. */
static Status refuse(const Option *o, const char *dashes, const char *wants, const char *text,
                     Error *err)
{
    return error_set(err, STATUS_USAGE, "%s%s needs %s, not \"%s\"", dashes, o->name, wants, text);
}

static Status check_bounds(const Option *o, const char *dashes, double value, const char *text,
                           Error *err)
{
    double scale = o->kind == OPTION_TIME ? 1000 : 1;
    const char *unit = o->kind == OPTION_TIME ? "s" : "";
    double low = o->minimum / scale, high = o->maximum / scale;

    if ((o->minimum == 0 && o->maximum == 0) || (value >= o->minimum && value <= o->maximum))
        return STATUS_OK;
    if (isinf(o->maximum))
        return error_set(err, STATUS_USAGE, "%s%s must be at least %g%s, not %s", dashes, o->name,
                         low, unit, text);
    if (isinf(o->minimum))
        return error_set(err, STATUS_USAGE, "%s%s must be at most %g%s, not %s", dashes, o->name,
                         high, unit, text);
    return error_set(err, STATUS_USAGE, "%s%s must be from %g%s to %g%s, not %s", dashes, o->name,
                     low, unit, high, unit, text);
}

static Status set_int(const Option *o, const char *dashes, const char *text, Error *err)
{
    int64_t value;
    bool time = o->kind == OPTION_TIME;

    if (time ? !value_parse_time(text, &value) : !value_parse_int(text, &value))
        return refuse(o, dashes, time ? "a time such as 90s, 10m or 2h" : "a whole number", text,
                      err);
    Status status = check_bounds(o, dashes, (double)value, text, err);
    if (status == STATUS_OK) *(int64_t *)o->target = value;
    return status;
}

static Status set_double(const Option *o, const char *dashes, const char *text, Error *err)
{
    double value;

    if (!value_parse_double(text, &value)) return refuse(o, dashes, "a number", text, err);
    Status status = check_bounds(o, dashes, value, text, err);
    if (status == STATUS_OK) *(double *)o->target = value;
    return status;
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

/* Gives the option its value; text belongs to the parser. */
static Status set_value(Entry *e, const char *text, Origin origin, Error *err)
{
    const Option *o = &e->option;
    const char *dashes = origin == FROM_COMMAND_LINE ? "--" : "";
    Status status = STATUS_OK;

    switch (o->kind) {
    case OPTION_FLAG:
        if (!value_parse_bool(text, o->target))
            status = refuse(o, dashes, "true or false", text, err);
        break;
    case OPTION_INT:
    case OPTION_TIME:
        status = set_int(o, dashes, text, err);
        break;
    case OPTION_UINT64:
        if (!value_parse_uint64(text, o->target))
            status = refuse(o, dashes, "a whole number from 0 to 2^64 - 1", text, err);
        break;
    case OPTION_DOUBLE:
        status = set_double(o, dashes, text, err);
        break;
    case OPTION_STRING:
        *(const char **)o->target = text;
        break;
    case OPTION_LIST:
        status = append(e, text, origin, err);
        break;
    case OPTION_END:
        break;
    }
    if (status == STATUS_OK) e->origin = origin;
    return status;
}

static Entry *find_entry(const OptionParser *p, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->entries[i].option.name, name) == 0) return &p->entries[i];
    return NULL;
}

static const char *nearest_option(const OptionParser *p, const char *name)
{
    Suggestion s;

    suggest_begin(&s, name);
    for (int i = 0; i < p->count; i++)
        suggest_offer(&s, p->entries[i].option.name);
    return s.best;
}

/* ---- The INI file */

typedef struct IniReader {
    OptionParser *parser;
    FILE *file;
    const char *path;
    int line;      /* of what the handler is given */
    Status status; /* of the first fault, whose sentence is in err */
    Error *err;
} IniReader;

/* inih's fgets; counts lines, which its handler is not told, and refuses those that it would tear.
 */
static char *ini_line(char *buffer, int size, void *stream)
{
    IniReader *r = stream;

    if (r->status != STATUS_OK || !fgets(buffer, size, r->file)) return NULL;
    r->line++;
    size_t length = strlen(buffer);
    if (length + 1 == (size_t)size && buffer[length - 1] != '\n') {
        r->status = error_set(r->err, STATUS_BAD_INPUT, "%s:%d: a line has at most %d characters",
                              r->path, r->line, size - 2);
        return NULL;
    }
    return buffer;
}

static Status ini_unknown_section(IniReader *r, const char *section)
{
    Suggestion s;

    if (!*section)
        return error_set(r->err, STATUS_BAD_INPUT, "the key stands before the first [section]");
    suggest_begin(&s, section);
    for (const Command *c = command_table(); c->name; c++)
        suggest_offer(&s, c->name);
    return error_set(r->err, STATUS_BAD_INPUT, "[%s] is no command%s%s%s", section,
                     s.best ? "; did you mean [" : "", s.best ? s.best : "", s.best ? "]?" : "");
}

static Status ini_pair(IniReader *r, const char *section, const char *name, const char *value)
{
    OptionParser *p = r->parser;

    if (strcmp(section, p->spec->command) != 0)
        return command_find(section) ? STATUS_OK : ini_unknown_section(r, section);
    Entry *e = find_entry(p, name);
    if (e && strcmp(name, "config") == 0)
        return error_set(r->err, STATUS_BAD_INPUT, "config cannot stand in an INI file");
    if (!e) {
        const char *near = nearest_option(p, name);
        return error_set(r->err, STATUS_BAD_INPUT, "unknown key %s in [%s]%s%s%s", name, section,
                         near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    }
    if (e->origin == FROM_INI && e->option.kind != OPTION_LIST)
        return error_set(r->err, STATUS_BAD_INPUT,
                         "%s is given twice (an indented line goes on with the key above)", name);
    const char *text = keep(p, strdup(value));
    return text ? set_value(e, text, FROM_INI, r->err) : out_of_memory(r->err);
}

static int ini_handle(void *user, const char *section, const char *name, const char *value)
{
    IniReader *r = user;

    if (r->status != STATUS_OK) return 0;
    if (ini_pair(r, section, name, value) == STATUS_OK) return 1;
    (void)error_prefix(r->err, "%s:%d", r->path, r->line);
    r->status = STATUS_BAD_INPUT;
    return 0;
}

static Status read_ini(OptionParser *p, const char *path, Error *err)
{
    Error local = {0};
    IniReader r = {.parser = p, .path = path, .err = err ? err : &local};

    r.file = fopen(path, "r");
    if (!r.file)
        return error_set(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    int line = ini_parse_stream(ini_line, &r, ini_handle, &r);
    if (r.status == STATUS_OK && ferror(r.file))
        r.status = error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (r.status == STATUS_OK && line != 0)
        r.status = error_set(err, STATUS_BAD_INPUT, "%s:%d: neither [section] nor key = value",
                             path, line);
    (void)fclose(r.file);
    return r.status;
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
        near = strncmp(name, "--", 2) == 0 ? nearest_option(p, name + 2) : NULL;
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
            text = keep(p, poptGetOptArg(context));
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
        p->arguments[i] = keep(p, strdup(given[i]));
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

static Status read_all(OptionParser *p, poptContext context, Occurrence *found, bool *done,
                       Error *err)
{
    int count = 0;
    Status status = scan(p, context, found, &count, done, err);

    if (status != STATUS_OK || *done) return status;
    const char *path = p->spec->common ? config_file(p, found, count) : NULL;
    if (path) status = read_ini(p, path, err);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        const char *flag = found[i].negated ? "false" : "true";
        status = set_value(&p->entries[found[i].entry], found[i].text ? found[i].text : flag,
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
    const Entry *e = find_entry(p, name);
    return e && e->origin != FROM_DEFAULT;
}

Status options_require(const OptionParser *p, const char *name, Error *err)
{
    if (options_given(p, name)) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--%s is needed", name);
}

/* Ends a pair at its comma and returns what follows, or NULL. A comma behind a backslash is one in
 * the value. */
static char *cut_pair(char *pair)
{
    char *out = pair, *in = pair;

    for (; *in && *in != ','; *out++ = *in++)
        in += in[0] == '\\' && in[1] == ',';
    char *next = *in ? in + 1 : NULL;
    *out = '\0';
    return next;
}

Status options_parse_pairs(const char *text, OptionPairFn fn, void *context, Error *err)
{
    Status status = STATUS_OK;
    char *copy = strdup(text);

    if (!copy) return out_of_memory(err);
    for (char *pair = copy, *next; status == STATUS_OK && pair; pair = next) {
        next = cut_pair(pair);
        char *equals = strchr(pair, '=');
        if (!equals || equals == pair) {
            status =
                error_set(err, STATUS_USAGE, "\"%s\" is not KEY=VALUE (in \"%s\")", pair, text);
            break;
        }
        *equals = '\0';
        status = fn(context, pair, equals + 1, err);
    }
    free(copy);
    return status;
}

int options_threads(const CommonOptions *common)
{
    cpu_set_t cpus;

    if (common->threads > 0) return (int)common->threads;
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return CPU_COUNT(&cpus);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
