/* SPDX-License-Identifier: MIT
 * Completion of command lines from option tables. */
#include "cli/options/complete.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/parser.h"

void complete_offer(const char *begun, const char *dashes, const char *name, const char *help)
{
    char word[128];

    (void)snprintf(word, sizeof word, "%s%s", dashes, name);
    if (strncmp(word, begun, strlen(begun)) == 0) printf("%s\t%s\n", word, help);
}

/* The verb among the words before `last`; NULL: none yet. */
static const char *verb_before(const OptionParser *p, const char **words, const char **last)
{
    for (const OptionVerb *v = p->spec->verbs; v && v->name; v++)
        for (const char **word = words; word < last; word++)
            if (strcmp(*word, v->name) == 0) return v->name;
    return NULL;
}

void parser_complete(const OptionParser *p, const char **words)
{
    const char **last = words;
    char word[SETTING_WORD_MAX];

    if (!*words) return;
    while (last[1])
        last++;
    bool after_option = last > words && strncmp(last[-1], "--", 2) == 0;
    const Entry *valued = after_option ? parser_find(p, last[-1] + 2) : NULL;
    const char *verb = verb_before(p, words, last);

    if (valued && !setting_is_flag(&valued->row)) {
        for (int i = 0; setting_word(&valued->row, i, word); i++)
            complete_offer(*last, "", word, valued->help);
    } else if (**last == '-') {
        for (int i = 0; i < p->count; i++) {
            const Setting *row = &p->entries[i].row;
            if (!verb || !row->verbs || option_names_hold(row->verbs, verb))
                complete_offer(*last, "--", row->name, p->entries[i].help);
        }
        complete_offer(*last, "--", "help", "this text");
    } else {
        for (const OptionVerb *v = p->spec->verbs; !verb && v && v->name; v++)
            complete_offer(*last, "", v->name, v->arguments);
    }
}
