/* SPDX-License-Identifier: MIT
 * The table of formats. */
#include "selfplay/formats.h"

#include <string.h>

const GameFormat game_formats[] = {
    {"pgn", "games, with scores in comments", ".pgn", false, pgn_format_write, pgn_format_open},
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
    (void)error_set(err, STATUS_USAGE, "unknown format \"%s\": %s are known", name, known);
    return NULL;
}

const GameFormat *game_format_of(const char *path)
{
    static const char packed[] = ".zst";
    size_t length = strlen(path), tail = strlen(packed);

    if (length >= tail && strcmp(path + length - tail, packed) == 0) length -= tail;
    for (const GameFormat *f = game_formats; f->name; f++) {
        size_t n = strlen(f->ending);
        if (length >= n && memcmp(path + length - n, f->ending, n) == 0) return f;
    }
    return NULL;
}
