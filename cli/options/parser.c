/* SPDX-License-Identifier: MIT
 * Entries of the option parser, and the rules between them. */
#include "cli/options/parser.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/new_file.h"
#include "engine/base/text.h"

/* ---- Entries */

/* Where entries are put; NULL entries: they are only counted. */
typedef struct Flat {
    Entry *entries;
    int count;
    const char *heading; /* of the next ones */
} Flat;

/* Settings with a help text, in the order of the table; those of the names, or all. */
static void flatten(const Setting *rows, const char *names, void *object, Flat *flat)
{
    for (const Setting *row = rows; row->kind != FIELD_END; row++) {
        if (row->heading) {
            flat->heading = row->heading;
        } else if (row->rows && !row->name) {
            flatten(row->rows, row->names ? row->names : names, (char *)object + row->offset, flat);
        } else if (row->help && (!names || setting_names_hold(names, row->name))) {
            if (flat->entries)
                flat->entries[flat->count] =
                    (Entry){.row = *row, .object = object, .table = rows, .heading = flat->heading};
            flat->count++;
        }
    }
}

int parser_flatten(const OptionSpec *spec, void *command, Entry *entries)
{
    Flat flat = {entries, 0, "Options"};

    flatten(spec->settings, NULL, command, &flat);
    return flat.count;
}

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
        if (strcmp(p->entries[i].row.name, name) == 0) return &p->entries[i];
    return NULL;
}

int parser_group(const OptionParser *p, int entry)
{
    int first = 0;

    while (strcmp(p->entries[first].heading, p->entries[entry].heading) != 0)
        first++;
    return first;
}

void parser_suggest(const OptionParser *p, const char *name, Suggestion *s)
{
    suggest_begin(s, name);
    for (int i = 0; i < p->count; i++)
        suggest_offer(s, p->entries[i].row.name);
}

/* The command line's items replace the INI file's; within one origin they add up. */
static Status append(Entry *e, const char *text, Origin origin, Error *err)
{
    TextList *list = &e->list;

    if (e->origin != origin) list->count = 0;
    const char **grown =
        realloc((void *)list->items, ((size_t)list->count + 1) * sizeof *list->items);
    if (!grown) return error_set(err, STATUS_FAILED, "out of memory");
    list->items = grown;
    list->items[list->count++] = text;
    *(TextList *)((char *)e->object + e->row.offset) = *list;
    return STATUS_OK;
}

Status entry_set(Entry *e, const char *text, Origin origin, Error *err)
{
    const char *dashes = origin == FROM_COMMAND_LINE ? "--" : "";
    Status status = e->row.kind == FIELD_LIST ? append(e, text, origin, err)
                                              : setting_set(&e->row, e->object, dashes, text, err);

    if (status == STATUS_OK) e->origin = origin;
    return status;
}

/* ---- Rules */

bool entry_flag(const Entry *e)
{
    return *(const bool *)((const char *)e->object + e->row.offset);
}

static const char *entry_string(const Entry *e)
{
    return *(const char *const *)((const char *)e->object + e->row.offset);
}

/* Given, and for a flag other than its default. */
static bool is_given(const Entry *e)
{
    if (e->origin == FROM_DEFAULT) return false;
    return !setting_is_flag(&e->row) || entry_flag(e) != e->preset;
}

bool parser_excluded(const OptionParser *p, const Entry *e)
{
    for (int i = 0; i < p->count; i++) {
        const Entry *other = &p->entries[i];
        bool apart = setting_names_hold(e->row.not_with, other->row.name) ||
                     setting_names_hold(other->row.not_with, e->row.name);
        if (apart && other->last > 0 && !other->turned_off) return true;
    }
    return false;
}

/* "--loss noise-floor", "--late-from above 0", "--openings" */
static void append_need(const OptionParser *p, const char *need, char *out, size_t size)
{
    char name[SETTING_WORD_MAX];
    size_t length = strcspn(need, "=");

    (void)snprintf(name, sizeof name, "%.*s", (int)length, need);
    const Entry *other = parser_find(p, name);
    text_append(out, size, "%s--%s", *out ? " or " : "", name);
    if (need[length])
        text_append(out, size, " %s", need + length + 1);
    else if (other && other->row.maximum > 0)
        text_append(out, size, " above %g", other->row.neutral);
}

static Status check_company(const OptionParser *p, const Entry *e, Error *err)
{
    const char *not_with = e->row.not_with, *needs = e->row.needs;
    char name[SETTING_WORD_MAX], all[256] = "";

    while (setting_next_name(&not_with, name)) {
        const Entry *other = parser_find(p, name);
        if (other && is_given(other))
            return error_set(err, STATUS_USAGE, "--%s%s does not go with --%s; give one of them",
                             e->turned_off ? "no-" : "", e->row.name, name);
    }
    if (e->origin != FROM_COMMAND_LINE || !needs) return STATUS_OK;
    const Entry *again = p->spec->reads_again ? parser_find(p, p->spec->reads_again) : NULL;
    if (again && is_given(again)) return STATUS_OK;
    while (setting_next_name(&needs, name)) {
        if (settings_meet(e->table, e->object, name)) return STATUS_OK;
        append_need(p, name, all, sizeof all);
    }
    return error_set(err, STATUS_USAGE, "--%s needs %s", e->row.name, all);
}

/* ---- Verbs */

const OptionVerb *spec_verb(const OptionSpec *spec, int number)
{
    size_t size = spec->verb_size ? spec->verb_size : sizeof *spec->verbs;

    if (!spec->verbs) return NULL;
    const OptionVerb *verb =
        (const OptionVerb *)(const void *)((const char *)spec->verbs + (size_t)number * size);
    return verb->name ? verb : NULL;
}

bool options_has_verb(const OptionSpec *spec, const char *name)
{
    const OptionVerb *verb;
    int number = 0;

    while ((verb = spec_verb(spec, number)) && strcmp(verb->name, name) != 0)
        number++;
    return verb != NULL;
}

void verb_usage(const OptionVerb *verb, char out[VERB_USAGE_MAX])
{
    (void)snprintf(out, VERB_USAGE_MAX, "%s%s", verb->arguments, verb->with ? verb->with : "");
}

bool spec_takes(const OptionSpec *spec, const OptionVerb *verb, const char *option,
                char names[VERB_NAMES_MAX])
{
    const OptionVerb *other;

    names[0] = '\0';
    for (int i = 0; (other = spec_verb(spec, i)); i++)
        if (setting_names_hold(other->options, option))
            text_append(names, VERB_NAMES_MAX, "%s%s", *names ? " " : "", other->name);
    return !*names || setting_names_hold(names, verb->name);
}

static Status check_verb(const OptionParser *p, const Entry *e, Error *err)
{
    const OptionVerb *verb = p->verb >= 0 ? spec_verb(p->spec, p->verb) : NULL;
    char takers[VERB_NAMES_MAX];

    if (!verb || e->origin != FROM_COMMAND_LINE) return STATUS_OK;
    if (spec_takes(p->spec, verb, e->row.name, takers)) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s does not use --%s; it is for: %s", verb->name,
                     e->row.name, takers);
}

static bool takes_pairs(const Setting *row)
{
    return row->keys || row->form == FORM_PAIRS;
}

/* Other programs' -pgnout file=x.pgn. */
static Status check_bare_name(const Entry *e, Error *err)
{
    if (e->row.kind != FIELD_STRING || takes_pairs(&e->row)) return STATUS_OK;
    const char *value = entry_string(e);
    if (!value || strncmp(value, "file=", 5) != 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--%s takes %s alone, without \"file=\": --%s %s",
                     e->row.name, e->row.argument, e->row.name, value + 5);
}

static Status check_entries(const OptionParser *p, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < p->count && status == STATUS_OK; i++) {
        const Entry *e = &p->entries[i];
        if (e->row.required && !is_given(e))
            return error_set(err, STATUS_USAGE, "--%s is needed", e->row.name);
        if (!is_given(e)) continue;
        status = check_verb(p, e, err);
        if (status == STATUS_OK) status = check_company(p, e, err);
        if (status == STATUS_OK) status = check_bare_name(e, err);
    }
    return status;
}

/* The INI file is an input: no other file that is named may be it. */
static Status check_config(const OptionParser *p, Error *err)
{
    const Entry *named = parser_find(p, "config");
    const char *config = named ? entry_string(named) : NULL;

    for (int i = 0; config && i < p->count; i++) {
        const Entry *e = &p->entries[i];
        if (e->row.kind != FIELD_STRING || strncmp(e->row.argument, "FILE", 4) != 0) continue;
        const char *path = entry_string(e);
        if (path && path != config && file_is_same(path, config))
            return error_set(err, STATUS_FAILED, "--%s %s is the INI file of --config", e->row.name,
                             path);
    }
    for (int i = 0; config && i < p->argument_count; i++)
        if (file_is_same(p->arguments[i], config))
            return error_set(err, STATUS_FAILED, "%s is the INI file of --config", config);
    return STATUS_OK;
}

Status parser_find_verb(const OptionParser *p, const char *name, int *verb, Error *err)
{
    const OptionVerb *v;
    Suggestion s;

    suggest_begin(&s, name);
    for (int i = 0; (v = spec_verb(p->spec, i)); i++) {
        suggest_offer(&s, v->name);
        if (strcmp(v->name, name) != 0) continue;
        *verb = i;
        return STATUS_OK;
    }
    if (strchr(name, '.'))
        return error_set(err, STATUS_USAGE, "\"%s\" without a verb; did you mean tabia %s %s %s?",
                         name, p->spec->command, spec_verb(p->spec, 0)->name, name);
    return error_set(err, STATUS_USAGE, "unknown verb \"%s\"%s", name, suggest_text(&s, "", ""));
}

static Status read_verb(OptionParser *p, Error *err)
{
    char usage[VERB_USAGE_MAX];
    int given = p->argument_count - 1;

    if (given < 0)
        return error_set(err, STATUS_USAGE, "missing verb; usage: tabia %s %s", p->spec->command,
                         p->spec->synopsis);
    Status status = parser_find_verb(p, p->arguments[0], &p->verb, err);
    if (status != STATUS_OK) return status;
    const OptionVerb *v = spec_verb(p->spec, p->verb);
    if (given >= v->least && given <= v->most) return STATUS_OK;
    verb_usage(v, usage);
    return error_set(err, STATUS_USAGE, "usage: tabia %s %s%s%s%s%s", p->spec->command, v->name,
                     *usage ? " " : "", usage, v->meaning ? "; " : "",
                     v->meaning ? v->meaning : "");
}

/* "--engine=cmd=X" or "cmd=X" */
static bool has_pair(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals && (*word != '-' || strchr(equals + 1, '='));
}

/* What the words without an option were meant for: the option that has their ending as its name, as
 * --db of games.db, or those of spec->bare. */
static void suggest_options(const OptionParser *p, char *out, size_t size)
{
    const char *bare = p->spec->bare;
    char name[SETTING_WORD_MAX];

    *out = '\0';
    for (int i = 0; i < p->argument_count; i++) {
        const char *argument = p->arguments[i], *dot = strrchr(argument, '.');
        bool by_ending = dot && dot[1] && parser_find(p, dot + 1);
        if (by_ending) (void)snprintf(name, sizeof name, "%s", dot + 1);
        if (!by_ending && (!bare || strchr(argument, '=') || !setting_next_name(&bare, name)))
            break;
        text_append(out, size, "%s--%s %s", *out ? " " : "; did you mean ", name, argument);
    }
    if (*out) text_append(out, size, "?");
}

/* The entry whose value or option the word is: "--pgn" or "--pgn=x"; or NULL. */
static const Entry *entry_of_word(const OptionParser *p, const char *word)
{
    char name[SETTING_WORD_MAX];

    if (strncmp(word, "--", 2) != 0) return NULL;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return parser_find(p, name);
}

/* A blank between the pairs of one option's value leaves the second pair as an argument. */
static Status refuse_argument(const OptionParser *p, Error *err)
{
    const char *argument = p->arguments[0], *before = "";
    const Entry *entry = NULL, *other;
    char meant[256];

    for (int i = 1; p->words[i] && strcmp(p->words[i], argument) != 0; i++) {
        before = p->words[i];
        if ((other = entry_of_word(p, before))) entry = other;
    }
    if (has_pair(argument) && entry && takes_pairs(&entry->row) && has_pair(before))
        return error_set(err, STATUS_USAGE,
                         "unexpected argument \"%s\"; join pairs by commas: %s,%s", argument,
                         before, argument);
    if (has_pair(argument) && entry && has_pair(before))
        return error_set(err, STATUS_USAGE,
                         "unexpected argument \"%s\"; --%s takes %s alone, without key=value",
                         argument, entry->row.name, entry->row.argument);
    suggest_options(p, meant, sizeof meant);
    return error_set(err, STATUS_USAGE, "unexpected argument \"%s\"%s", argument, meant);
}

Status parser_check(OptionParser *p, Error *err)
{
    Status status = STATUS_OK;

    p->verb = -1;
    if (p->spec->verbs)
        status = read_verb(p, err);
    else if (p->argument_count > 0 && !p->spec->takes_arguments)
        status = refuse_argument(p, err);
    if (status == STATUS_OK) status = check_entries(p, err);
    return status == STATUS_OK ? check_config(p, err) : status;
}
