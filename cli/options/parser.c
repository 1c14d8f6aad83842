/* SPDX-License-Identifier: MIT
 * Entries of the option parser, and the rules between them. */
#include "cli/options/parser.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/new_file.h"
#include "engine/base/text.h"

/* ---- Entries */

int parser_flatten(const Option *options, Entry *entries)
{
    int count = 0;

    for (const Option *o = options; o && o->kind != OPTION_END; o++) {
        if (o->kind == OPTION_TABLE)
            count += parser_flatten(o->target, entries ? entries + count : NULL);
        else if (entries)
            entries[count++].option = *o;
        else
            count++;
    }
    return count;
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
        if (strcmp(p->entries[i].option.name, name) == 0) return &p->entries[i];
    return NULL;
}

void parser_suggest(const OptionParser *p, const char *name, Suggestion *s)
{
    suggest_begin(s, name);
    for (int i = 0; i < p->count; i++)
        suggest_offer(s, p->entries[i].option.name);
}

/* The command line's items replace the INI file's; within one origin they add up. */
static Status append(Entry *e, const char *text, Origin origin, Error *err)
{
    OptionList *list = &e->list;

    if (e->origin != origin) list->count = 0;
    const char **grown =
        realloc((void *)list->items, ((size_t)list->count + 1) * sizeof *list->items);
    if (!grown) return error_set(err, STATUS_FAILED, "out of memory");
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

/* ---- Rules */

/* The next word of a list of names; false at its end. */
static bool next_name(const char **names, char name[64])
{
    if (!*names) return false;
    *names += strspn(*names, " ");
    size_t length = strcspn(*names, " ");
    (void)snprintf(name, 64, "%.*s", (int)length, *names);
    *names += length;
    return length > 0;
}

/* Given, and for a flag other than its default. */
static bool is_given(const Entry *e)
{
    if (e->origin == FROM_DEFAULT) return false;
    return !option_is_flag(&e->option) || *(const bool *)e->option.target != e->preset;
}

bool option_names_hold(const char *names, const char *wanted)
{
    char name[64];

    while (next_name(&names, name))
        if (strcmp(name, wanted) == 0) return true;
    return false;
}

bool parser_excluded(const OptionParser *p, const Entry *e)
{
    for (int i = 0; i < p->count; i++) {
        const Entry *other = &p->entries[i];
        bool apart = option_names_hold(e->option.not_with, other->option.name) ||
                     option_names_hold(other->option.not_with, e->option.name);
        if (apart && other->last > 0 && !other->turned_off) return true;
    }
    return false;
}

static Status check_company(const OptionParser *p, const Entry *e, Error *err)
{
    const char *not_with = e->option.not_with, *needs = e->option.needs;
    char name[64], first[64] = "", second[64] = "";

    while (next_name(&not_with, name)) {
        const Entry *other = parser_find(p, name);
        if (other && is_given(other))
            return error_set(err, STATUS_USAGE, "--%s%s does not go with --%s; give one of them",
                             e->turned_off ? "no-" : "", e->option.name, name);
    }
    if (e->origin != FROM_COMMAND_LINE || !needs) return STATUS_OK;
    while (next_name(&needs, name)) {
        const Entry *other = parser_find(p, name);
        if (other && is_given(other)) return STATUS_OK;
        (void)snprintf(*first ? second : first, sizeof first, "%s", name);
    }
    return error_set(err, STATUS_USAGE, "--%s needs --%s%s%s", e->option.name, first,
                     *second ? " or --" : "", second);
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

void verb_usage(const OptionVerb *verb, char out[VERB_USAGE_MAX])
{
    (void)snprintf(out, VERB_USAGE_MAX, "%s%s", verb->arguments, verb->with ? verb->with : "");
}

void spec_takers(const OptionSpec *spec, const char *option, char names[VERB_NAMES_MAX])
{
    const OptionVerb *verb;

    names[0] = '\0';
    for (int i = 0; (verb = spec_verb(spec, i)); i++)
        if (option_names_hold(verb->options, option))
            text_append(names, VERB_NAMES_MAX, "%s%s", *names ? " " : "", verb->name);
}

static Status check_verb(const OptionParser *p, const Entry *e, Error *err)
{
    const OptionVerb *verb = p->verb >= 0 ? spec_verb(p->spec, p->verb) : NULL;
    char takers[VERB_NAMES_MAX];

    if (!verb || e->origin != FROM_COMMAND_LINE) return STATUS_OK;
    spec_takers(p->spec, e->option.name, takers);
    if (!*takers || option_names_hold(takers, verb->name)) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s does not use --%s; it is for: %s", verb->name,
                     e->option.name, takers);
}

static Status check_entries(const OptionParser *p, Error *err)
{
    Status status = STATUS_OK;

    for (int i = 0; i < p->count && status == STATUS_OK; i++) {
        const Entry *e = &p->entries[i];
        if (e->option.required && !is_given(e))
            return error_set(err, STATUS_USAGE, "--%s is needed", e->option.name);
        if (!is_given(e)) continue;
        status = check_verb(p, e, err);
        if (status == STATUS_OK) status = check_company(p, e, err);
    }
    return status;
}

/* The INI file is an input: no other file that is named may be it. */
static Status check_config(const OptionParser *p, Error *err)
{
    const char *config = p->spec->common ? p->spec->common->config : NULL;

    for (int i = 0; config && i < p->count; i++) {
        const Option *o = &p->entries[i].option;
        if (o->kind != OPTION_STRING || strncmp(o->argument, "FILE", 4) != 0) continue;
        const char *path = *(const char *const *)o->target;
        if (path && path != config && file_is_same(path, config))
            return error_set(err, STATUS_FAILED, "--%s %s is the INI file of --config", o->name,
                             path);
    }
    for (int i = 0; config && i < p->argument_count; i++)
        if (file_is_same(p->arguments[i], config))
            return error_set(err, STATUS_FAILED, "%s is the INI file of --config", config);
    return STATUS_OK;
}

static Status find_verb(OptionParser *p, Error *err)
{
    const OptionVerb *v;
    Suggestion s;

    if (p->argument_count == 0)
        return error_set(err, STATUS_USAGE, "missing verb; usage: tabia %s %s", p->spec->command,
                         p->spec->synopsis);
    suggest_begin(&s, p->arguments[0]);
    for (int i = 0; (v = spec_verb(p->spec, i)); i++) {
        int given = p->argument_count - 1;
        char usage[VERB_USAGE_MAX];
        suggest_offer(&s, v->name);
        if (strcmp(v->name, p->arguments[0]) != 0) continue;
        p->verb = i;
        if (given >= v->least && given <= v->most) return STATUS_OK;
        verb_usage(v, usage);
        return error_set(err, STATUS_USAGE, "usage: tabia %s %s%s%s%s%s", p->spec->command, v->name,
                         *usage ? " " : "", usage, v->meaning ? "; " : "",
                         v->meaning ? v->meaning : "");
    }
    return error_set(err, STATUS_USAGE, "unknown verb \"%s\"%s", p->arguments[0],
                     suggest_text(&s, "", ""));
}

/* "--engine=cmd=X" or "cmd=X" */
static bool has_pair(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals && (*word != '-' || strchr(equals + 1, '='));
}

/* A blank between the pairs of one option's value leaves the second pair as an argument. */
static Status refuse_argument(const OptionParser *p, Error *err)
{
    const char *argument = p->arguments[0], *before = "";

    for (int i = 1; p->words[i] && strcmp(p->words[i], argument) != 0; i++)
        before = p->words[i];
    if (has_pair(before) && has_pair(argument))
        return error_set(err, STATUS_USAGE,
                         "unexpected argument \"%s\"; join pairs by commas: %s,%s", argument,
                         before, argument);
    return error_set(err, STATUS_USAGE, "unexpected argument \"%s\"", argument);
}

Status parser_check(OptionParser *p, Error *err)
{
    Status status = STATUS_OK;

    p->verb = -1;
    if (p->spec->verbs)
        status = find_verb(p, err);
    else if (p->argument_count > 0 && !p->spec->takes_arguments)
        status = refuse_argument(p, err);
    if (status == STATUS_OK) status = check_entries(p, err);
    return status == STATUS_OK ? check_config(p, err) : status;
}
