/* SPDX-License-Identifier: MIT
 * Writing and reading UCI messages. */
#include "selfplay/players/uci_messages.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

/* ---- To the engine */

/* False when it does not fit. */
static bool append(UciGameText *t, const char *format, ...) PRINTF_LIKE(2, 3);

static bool append(UciGameText *t, const char *format, ...)
{
    size_t room = sizeof t->text - t->length;
    va_list args;

    va_start(args, format);
    int n = vsnprintf(t->text + t->length, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room) return false;
    t->length += (size_t)n;
    return true;
}

/* `startpos` also works with engines that read FENs badly. */
static bool begin_game(UciGameText *t, const char *fen)
{
    if (position_from_fen(&t->position, fen, &(Error){0}) != STATUS_OK) return false;
    return strcmp(fen, START_FEN) == 0 ? append(t, "position startpos")
                                       : append(t, "position fen %s", fen);
}

static bool add_move(UciGameText *t, Move move)
{
    const Position before = t->position;
    char text[UCI_MOVE_MAX];

    move_to_uci(&before, move, text);
    if (!append(t, "%s %s", t->ply_count == 0 ? " moves" : "", text)) return false;
    position_make(&t->position, &before, move);
    t->ply_count++;
    return true;
}

static bool add_go(UciGameText *t, const SearchLimits *l)
{
    bool fits = append(t, "\ngo");

    if (l->has_clock)
        fits = fits && append(t, " wtime %lld btime %lld winc %lld binc %lld",
                              (long long)l->time_ms[WHITE], (long long)l->time_ms[BLACK],
                              (long long)l->increment_ms[WHITE], (long long)l->increment_ms[BLACK]);
    if (l->has_clock && l->moves_to_go > 0)
        fits = fits && append(t, " movestogo %d", l->moves_to_go);
    if (l->movetime_ms > 0) fits = fits && append(t, " movetime %lld", (long long)l->movetime_ms);
    if (l->depth > 0) fits = fits && append(t, " depth %d", l->depth);
    if (l->nodes_soft > 0)
        fits = fits && append(t, " nodes %llu", (unsigned long long)l->nodes_soft);
    return fits && append(t, "\n");
}

bool uci_position_and_go(UciGameText *t, const GameView *game, const SearchLimits *limits,
                         size_t *size)
{
    if (t->length == 0 && !begin_game(t, game->start_fen)) return false;
    while (t->ply_count < game->ply_count)
        if (!add_move(t, game->plies[t->ply_count].move)) return false;
    const size_t length = t->length;
    bool fits = add_go(t, limits);
    *size = t->length;
    t->length = length;
    return fits;
}

/* ---- From the engine */

/* The number after a word, clamped to [least, most]. */
static long long number_after(const char *word, long long least, long long most)
{
    const char *space = strchr(word, ' ');
    long long number = space ? strtoll(space, NULL, 10) : 0;
    return number > most ? most : number < least ? least : number;
}

static bool begins_with_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

static int score_of_cp(long long cp)
{
    const int most = VALUE_MATE_IN_MAX - 1;
    return cp > most ? most : cp < -most ? -most : (int)cp;
}

static int score_of_mate(long long moves)
{
    long long plies = moves > 0 ? 2 * moves - 1 : -2 * moves;
    if (plies >= 2 * MAX_PLY) plies = 2 * MAX_PLY - 1;
    return moves > 0 ? VALUE_MATE - (int)plies : (int)plies - VALUE_MATE;
}

/* Copies moves in UCI notation, as many as fit; anything else ends them. */
static void copy_moves(const char *text, char out[PLY_PV_MAX])
{
    size_t used = 0;

    for (;;) {
        text += strspn(text, " ");
        size_t length = strspn(text, "abcdefgh12345678nrqk");
        if (length < 4 || length > 5 || (text[length] != ' ' && text[length] != '\0') ||
            used + length + 2 > PLY_PV_MAX)
            break;
        if (used > 0) out[used++] = ' ';
        memcpy(out + used, text, length);
        used += length;
        text += length;
    }
    out[used] = '\0';
}

void uci_read_info(const char *line, PlayerMove *out, bool *exact)
{
    const long long most = 1000000000000000;
    int score = SCORE_UNKNOWN, depth = out->depth;
    uint64_t nodes = out->nodes;
    PlySearch search = out->search;
    bool bound = false;

    for (const char *word = line; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (begins_with_word(word, "depth")) depth = (int)number_after(word, 0, INT_MAX);
        if (begins_with_word(word, "nodes")) nodes = (uint64_t)number_after(word, 0, PLY_NODES_MAX);
        if (begins_with_word(word, "cp")) score = score_of_cp(number_after(word, -most, most));
        if (begins_with_word(word, "mate")) score = score_of_mate(number_after(word, -most, most));
        bound |= begins_with_word(word, "lowerbound") || begins_with_word(word, "upperbound");
        if (begins_with_word(word, "multipv") && number_after(word, 0, most) > 1) return;
        if (begins_with_word(word, "seldepth"))
            search.seldepth = (int32_t)number_after(word, 0, INT32_MAX);
        if (begins_with_word(word, "hashfull"))
            search.hashfull = (int32_t)number_after(word, 0, INT32_MAX);
        if (begins_with_word(word, "tbhits")) search.tb_hits = number_after(word, 0, most);
        if (begins_with_word(word, "time")) search.time_ms = number_after(word, 0, most);
        if (begins_with_word(word, "pv")) copy_moves(word + 2, search.pv);
        if (begins_with_word(word, "string")) break; /* free text follows */
    }
    out->nodes = nodes;
    out->search.tb_hits = search.tb_hits;
    out->search.time_ms = search.time_ms;
    if (score == SCORE_UNKNOWN) {
        if (out->score == SCORE_UNKNOWN) out->depth = depth;
        return;
    }
    if (bound && *exact) return;
    *exact = !bound;
    out->score = score;
    out->depth = depth;
    out->search = search;
}
