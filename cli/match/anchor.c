/* SPDX-License-Identifier: MIT
 * A player and its given rating. */
#include "cli/match/anchor.h"

#include <math.h>
#include <string.h>

#include "engine/values/value.h"

static int find_player(const Anchor *anchor, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strncmp(names[i], anchor->name, (size_t)anchor->length) == 0 &&
            !names[i][anchor->length])
            return i;
    return -1;
}

Status anchor_parse(const char *text, bool bare, const char *const *names, int count,
                    Anchor *anchor, Error *err)
{
    const char *equals = strrchr(text, '=');

    *anchor = (Anchor){.name = text, .length = (int)strlen(text), .player = -1};
    if (bare) anchor->player = find_player(anchor, names, count);
    if (anchor->player >= 0 || (bare && !equals)) return STATUS_OK;
    if (!equals || !value_parse_double(equals + 1, &anchor->elo) ||
        !(fabs(anchor->elo) <= ANCHOR_ELO_MAX))
        return error_set(err, STATUS_USAGE,
                         "--anchor: \"%s\" is not %sNAME=ELO, with an Elo of at most %d", text,
                         bare ? "NAME or " : "", ANCHOR_ELO_MAX);
    anchor->length = (int)(equals - text);
    anchor->player = find_player(anchor, names, count);
    if (bare || anchor->player >= 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--anchor: no player has the name \"%.*s\"", anchor->length,
                     text);
}
