/* SPDX-License-Identifier: MIT
 * Completion of command lines from option tables. */
#include "cli/options/parser.h"

#include <stdio.h>
#include <string.h>

void complete_offer(const char *begun, const char *dashes, const char *name, const char *help)
{
    char word[128];

    (void)snprintf(word, sizeof word, "%s%s", dashes, name);
    if (strncmp(word, begun, strlen(begun)) == 0) printf("%s\t%s\n", word, help);
}

/* A candidate that keeps the first bytes of the word. */
static void offer(const char *word, size_t kept, const char *name, const char *after,
                  const char *help)
{
    if (strncmp(name, word + kept, strlen(word + kept)) == 0)
        printf("%.*s%s%s\t%s\n", (int)kept, word, name, after, help);
}

/* Values of an option, after the first bytes of the word; of a list, for its last item. */
static void offer_values(const Entry *e, const char *word, size_t kept)
{
    const Setting *row = &e->row, *key = row->form == FORM_PAIRS ? row->rows : row->keys;
    const char *comma = strrchr(word + kept, ',');
    char text[SETTING_WORD_MAX];

    if (comma) kept = (size_t)(comma - word) + 1;
    size_t length = strcspn(word + kept, "=");
    if (key && word[kept + length]) {
        while (key->kind != FIELD_END &&
               (strncmp(key->name, word + kept, length) != 0 || key->name[length]))
            key++;
        row = key;
        key = NULL;
        kept += length + 1;
    }
    for (; key && key->kind != FIELD_END; key++)
        offer(word, kept, key->name, "=", e->help);
    for (int i = 0; setting_word(row, i, text); i++)
        offer(word, kept, text, "", e->help);
}

/* The option whose value the last word holds from byte *kept on; NULL: it is no value. */
static const Entry *find_valued(const OptionParser *p, const char **words, const char **last,
                                size_t *kept)
{
    char name[SETTING_WORD_MAX];
    size_t length = strcspn(*last, "=");

    if (strncmp(*last, "--", 2) == 0 && (*last)[length]) {
        (void)snprintf(name, sizeof name, "%.*s", (int)length - 2, *last + 2);
        *kept = length + 1;
    } else if (last > words && strncmp(last[-1], "--", 2) == 0) {
        (void)snprintf(name, sizeof name, "%s", last[-1] + 2);
        *kept = 0;
    } else {
        return NULL;
    }
    const Entry *e = parser_find(p, name);
    return e && !setting_is_flag(&e->row) ? e : NULL;
}

/* The verb among the words before `last`; NULL: none yet. */
static const OptionVerb *verb_before(const OptionParser *p, const char **words, const char **last)
{
    const OptionVerb *verb;

    for (int i = 0; (verb = spec_verb(p->spec, i)); i++)
        for (const char **word = words; word < last; word++)
            if (strcmp(*word, verb->name) == 0) return verb;
    return NULL;
}

void parser_complete(const OptionParser *p, const char **words)
{
    const char **last = words;
    char usage[VERB_USAGE_MAX], takers[VERB_NAMES_MAX];
    const OptionVerb *v;
    size_t kept;

    if (!*words) return;
    while (last[1])
        last++;
    const Entry *valued = find_valued(p, words, last, &kept);
    const OptionVerb *verb = verb_before(p, words, last);

    if (valued) {
        offer_values(valued, *last, kept);
    } else if (**last == '-') {
        for (int i = 0; i < p->count; i++) {
            const Setting *row = &p->entries[i].row;
            if (!verb || spec_takes(p->spec, verb, row->name, takers))
                complete_offer(*last, "--", row->name, p->entries[i].help);
        }
        complete_offer(*last, "--", "help", "this text");
    } else {
        for (int i = 0; !verb && (v = spec_verb(p->spec, i)); i++) {
            verb_usage(v, usage);
            complete_offer(*last, "", v->name, usage);
        }
    }
}
