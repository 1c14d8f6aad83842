/* SPDX-License-Identifier: MIT
 * Values that are lists of key=value. */
#include "cli/options/pairs.h"

#include <string.h>

#include "cli/options/parser.h"

Status options_set_pair(void *table, const char *key, const char *value, Error *err)
{
    char names[256] = "";
    size_t used = 0;
    Suggestion s;

    suggest_begin(&s, key);
    for (const Option *row = table; row->kind != OPTION_END; row++) {
        const Setting setting = option_row(row);
        if (strcmp(row->name, key) == 0) return setting_set(&setting, row->target, "", value, err);
        suggest_offer(&s, row->name);
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     row->name);
    }
    return error_set(err, STATUS_USAGE, "unknown key \"%s\"; the keys are %s%s", key, names,
                     suggest_text(&s, "", ""));
}
