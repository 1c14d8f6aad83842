/* SPDX-License-Identifier: MIT
 * Values that are lists of key=value. */
#include "cli/options/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/parser.h"

/* Ends a pair at its comma and returns what follows, or NULL. A comma after a backslash belongs to
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

    if (!copy) return error_set(err, STATUS_FAILED, "out of memory");
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

Status options_set_pair(void *table, const char *key, const char *value, Error *err)
{
    char names[256] = "";
    size_t used = 0;
    Suggestion s;

    suggest_begin(&s, key);
    for (const Option *row = table; row->kind != OPTION_END; row++) {
        if (strcmp(row->name, key) == 0) return option_set(row, "", value, err);
        suggest_offer(&s, row->name);
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     row->name);
    }
    return error_set(err, STATUS_USAGE, "unknown key \"%s\"; the keys are %s%s", key, names,
                     suggest_text(&s, "", ""));
}
