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
    char word[SETTING_WORD_MAX], usage[VERB_USAGE_MAX], takers[VERB_NAMES_MAX];
    const OptionVerb *v;

    if (!*words) return;
    while (last[1])
        last++;
    bool after_option = last > words && strncmp(last[-1], "--", 2) == 0;
    const Entry *valued = after_option ? parser_find(p, last[-1] + 2) : NULL;
    const OptionVerb *verb = verb_before(p, words, last);

    if (valued && !setting_is_flag(&valued->row)) {
        for (int i = 0; setting_word(&valued->row, i, word); i++)
            complete_offer(*last, "", word, valued->help);
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
