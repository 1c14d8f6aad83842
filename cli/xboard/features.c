/* SPDX-License-Identifier: MIT
 * Features and options of xboard engines. */
#include "cli/xboard/features.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/text.h"

enum { VALUE_MAX = 2048, HASH_MOST = 1048576, THREADS_MOST = 1024 };

void xboard_features_init(XboardFeatures *features)
{
    *features = (XboardFeatures){.time = true, .reuse = true};
}

void xboard_features_free(XboardFeatures *features)
{
    for (int i = 0; i < features->option_count; i++)
        free(features->options[i].uci);
}

/* ---- Options */

/* Is `word` among names that commas separate? */
static bool lists(const char *names, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = names; (at = strstr(at, word)); at += length) {
        bool begins = at == names || at[-1] == ',' || at[-1] == ' ';
        if (begins && strchr(", ", at[length])) return true; /* or the end */
    }
    return false;
}

/* "A /// *B /// C": values, the default with an asterisk. */
static void print_combo(FILE *out, char *values)
{
    const char *first = NULL, *chosen = NULL;

    for (char *value = values, *next; value; value = next) {
        char *end = strstr(value, "///");
        next = end ? end + 3 : NULL;
        if (end) *end = '\0';
        value += strspn(value, " ");
        for (size_t n = strlen(value); n > 0 && value[n - 1] == ' '; n--)
            value[n - 1] = '\0';
        if (*value == '*') chosen = ++value;
        if (!first) first = value;
        (void)fprintf(out, " var %s", value);
    }
    (void)fprintf(out, " default %s", chosen ? chosen : first);
}

/* Numbers with blanks between them; false when there are fewer. */
static bool read_numbers(const char *text, long *numbers, int count)
{
    char *end;

    for (int i = 0; i < count; i++, text = end) {
        numbers[i] = strtol(text, &end, 10);
        if (end == text) return false;
    }
    return true;
}

/* "-spin 1 0 10" and the like as UCI types; false for a type that UCI does not have. */
static bool print_type(FILE *out, char *definition)
{
    size_t word = strcspn(definition, " ");
    char *rest = definition + word + strspn(definition + word, " ");
    long spin[3]; /* value, least, most */

    definition[word] = '\0';
    if (strcmp(definition, "-button") == 0 || strcmp(definition, "-save") == 0 ||
        strcmp(definition, "-reset") == 0) {
        (void)fputs("type button", out);
    } else if (strcmp(definition, "-check") == 0) {
        (void)fprintf(out, "type check default %s", strtol(rest, NULL, 10) ? "true" : "false");
    } else if (strcmp(definition, "-spin") == 0 || strcmp(definition, "-slider") == 0) {
        if (!read_numbers(rest, spin, 3)) return false;
        (void)fprintf(out, "type spin default %ld min %ld max %ld", spin[0], spin[1], spin[2]);
    } else if (strcmp(definition, "-combo") == 0) {
        (void)fputs("type combo", out);
        print_combo(out, rest);
    } else if (strcmp(definition, "-string") == 0 || strcmp(definition, "-file") == 0 ||
               strcmp(definition, "-path") == 0) {
        (void)fprintf(out, "type string default %s", *rest ? rest : "<empty>");
    } else {
        return false;
    }
    return true;
}

static const XboardOption *find_option(const XboardFeatures *f, const char *name)
{
    for (int i = 0; i < f->option_count; i++)
        if (strcasecmp(f->options[i].name, name) == 0) return &f->options[i];
    return NULL;
}

/* "NAME -TYPE …"; the name may have blanks and hyphens. False when it cannot be read. */
static bool add_option(XboardFeatures *f, char *text)
{
    XboardOption *option = &f->options[f->option_count];
    char *type = strstr(text, " -");
    TextStream uci;

    if (!type || f->option_count == XBOARD_OPTIONS_MAX) return false;
    *type = '\0';
    if (strlen(text) >= sizeof option->name || find_option(f, text)) return false;
    if (!text_stream_open(&uci)) return false;
    bool known = print_type(uci.out, type + 1);
    if (!text_stream_close(&uci) || !known) {
        text_stream_discard(&uci);
        return false;
    }
    (void)snprintf(option->name, sizeof option->name, "%s", text);
    option->uci = uci.text;
    f->option_count++;
    return true;
}

/* ---- Features */

static bool set_text(XboardFeatures *f, const char *name, char *value)
{
    if (strcmp(name, "myname") == 0)
        (void)snprintf(f->name, sizeof f->name, "%s", value);
    else if (strcmp(name, "variants") == 0)
        f->chess960 = lists(value, "fischerandom");
    else if (strcmp(name, "egt") == 0)
        f->syzygy = lists(value, "syzygy");
    else if (strcmp(name, "option") == 0)
        return add_option(f, value);
    else
        return false;
    return true;
}

/* False for features that the adapter does not use. */
static bool set_feature(XboardFeatures *f, const char *name, char *value)
{
    bool unused; /* of what the adapter never sends */
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"ping", &f->ping},         {"setboard", &f->setboard}, {"time", &f->time},
                 {"usermove", &f->usermove}, {"san", &f->san},           {"memory", &f->memory},
                 {"smp", &f->smp},           {"reuse", &f->reuse},       {"done", &f->done},
                 {"sigint", &unused},        {"sigterm", &unused},       {"debug", &unused},
                 {"colors", &unused},        {"analyze", &unused}};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(name, flags[i].name) == 0) {
            *flags[i].flag = strtol(value, NULL, 10) != 0;
            if (flags[i].flag == &f->done) f->waits = !f->done;
            return true;
        }
    return set_text(f, name, value);
}

/* Reads the next NAME=VALUE at *at and moves *at past it. */
static bool next_feature(const char **at, char name[XBOARD_NAME_MAX], char value[VALUE_MAX])
{
    const char *start = *at + strspn(*at, " \t,"), *equals = strchr(start, '=');
    if (!equals) return false;
    (void)snprintf(name, XBOARD_NAME_MAX, "%.*s", (int)strcspn(start, " \t="), start);
    const char *text = equals + 1 + strspn(equals + 1, " \t");
    bool quoted = *text == '"' || *text == '\'';
    const char ends[] = {quoted ? *text : ' ', '\0'};
    text += quoted;
    size_t length = strcspn(text, ends);
    (void)snprintf(value, VALUE_MAX, "%.*s", (int)length, text);
    *at = text + length + (quoted && text[length]);
    return true;
}

void xboard_features_read(XboardFeatures *features, const char *line, FILE *answer)
{
    char name[XBOARD_NAME_MAX], value[VALUE_MAX];

    while (next_feature(&line, name, value))
        (void)fprintf(answer, "%s %s\n",
                      set_feature(features, name, value) ? "accepted" : "rejected", name);
}

/* ---- As UCI has them */

void xboard_features_print(const XboardFeatures *f, FILE *out)
{
    if (f->memory && !find_option(f, "Hash"))
        (void)fprintf(out, "option name Hash type spin default 64 min 1 max %d\n", HASH_MOST);
    if (f->smp && !find_option(f, "Threads"))
        (void)fprintf(out, "option name Threads type spin default 1 min 1 max %d\n", THREADS_MOST);
    if (f->syzygy) (void)fputs("option name SyzygyPath type string default <empty>\n", out);
    if (f->chess960) (void)fputs("option name UCI_Chess960 type check default false\n", out);
    for (int i = 0; i < f->option_count; i++)
        (void)fprintf(out, "option name %s %s\n", f->options[i].name, f->options[i].uci);
}

bool xboard_read_check(const char *value, bool *set)
{
    const bool yes = strcasecmp(value, "true") == 0;

    if (!yes && strcasecmp(value, "false") != 0) return false;
    *set = yes;
    return true;
}

static bool is_number(const char *value, long least, long most)
{
    char *end;
    long number = strtol(value, &end, 10);
    return end > value && !*end && number >= least && number <= most;
}

/* `word` must be in the text. */
static long number_after(const char *text, const char *word)
{
    return strtol(strstr(text, word) + strlen(word), NULL, 10);
}

/* The length of a value of a combo, and its spelling; 0 if it has none of this name. */
static int find_choice(const XboardOption *combo, const char *value, const char **choice)
{
    size_t length = strlen(value);

    for (const char *at = combo->uci; (at = strstr(at, " var "));) {
        *choice = at += strlen(" var ");
        bool ends =
            strncasecmp(at, value, length) == 0 &&
            (strncmp(at + length, " var ", 5) == 0 || strncmp(at + length, " default ", 9) == 0);
        if (ends) return (int)length;
    }
    return 0;
}

static bool set_own(const XboardOption *own, const char *value, FILE *command)
{
    const char *text = value;
    int length = (int)strlen(value);
    bool set;

    if (strncmp(own->uci, "type button", 11) == 0) {
        (void)fprintf(command, "option %s\n", own->name);
        return true;
    }
    if (strncmp(own->uci, "type check", 10) == 0) {
        if (!xboard_read_check(value, &set)) return false;
        text = set ? "1" : "0";
        length = 1;
    } else if (strncmp(own->uci, "type spin", 9) == 0) {
        if (!is_number(value, number_after(own->uci, " min "), number_after(own->uci, " max ")))
            return false;
    } else if (strncmp(own->uci, "type combo", 10) == 0) {
        if ((length = find_choice(own, value, &text)) == 0) return false;
    }
    (void)fprintf(command, "option %s=%.*s\n", own->name, length, text);
    return true;
}

bool xboard_features_set(const XboardFeatures *f, const char *name, const char *value,
                         FILE *command)
{
    const XboardOption *own = find_option(f, name);

    if (own) return set_own(own, value, command);
    if (f->memory && strcasecmp(name, "Hash") == 0 && is_number(value, 1, HASH_MOST))
        return fprintf(command, "memory %s\n", value) > 0;
    if (f->smp && strcasecmp(name, "Threads") == 0 && is_number(value, 1, THREADS_MOST))
        return fprintf(command, "cores %s\n", value) > 0;
    if (f->syzygy && strcasecmp(name, "SyzygyPath") == 0)
        return fprintf(command, "egtpath syzygy %s\n", value) > 0;
    return false;
}
