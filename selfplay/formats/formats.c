/* SPDX-License-Identifier: MIT
 * The table of formats. */
#include "selfplay/formats/formats.h"

#include <string.h>

const GameFormat game_formats[] = {
    {"pgn", "games, with scores in comments", ".pgn", false, pgn_export, pgn_open},
    {"epd", "positions: c9 \"result\"; id \"game\"; ce score; sm move;", ".epd", true, epd_write,
     epd_open},
    {"plain", "positions in Stockfish's plain text", ".plain", true, plain_write, plain_open},
    {"bullet", "positions in bulletformat, 32 bytes each", ".bullet", true, bullet_write, NULL},
    {"viri", "games in viriformat, 4 bytes a ply", ".viri", false, viri_write, viri_open},
    {NULL, NULL, NULL, false, NULL, NULL},
};

const GameFormat *game_format_find(const char *name, Error *err)
{
    char known[256] = "";

    for (const GameFormat *f = game_formats; f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", f->name);
    }
    (void)error_set(err, STATUS_USAGE, "unknown format \"%s\": use one of %s", name, known);
    return NULL;
}

static bool ends_in(const char *text, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length >= n && memcmp(text + length - n, ending, n) == 0;
}

const GameFormat *game_format_of(const char *path, bool reading)
{
    size_t length = strlen(path);

    if (ends_in(path, length, ".zst") || (reading && ends_in(path, length, ".bz2")))
        length -= strlen(".zst");
    for (const GameFormat *f = game_formats; f->name; f++)
        if (ends_in(path, length, f->ending)) return f;
    return NULL;
}
