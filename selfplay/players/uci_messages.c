/* SPDX-License-Identifier: MIT
 * Writing and reading UCI messages. */
#include "selfplay/players/uci_messages.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/suggest.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

/* ---- To the engine */

/* False when it does not fit. */
PRINTF_LIKE(2, 3)
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

void uci_join_words(char *line)
{
    char *end = line;

    for (const char *at = line; *(at += strspn(at, " \t")); at += strcspn(at, " \t")) {
        size_t length = strcspn(at, " \t");
        if (end > line) *end++ = ' ';
        memmove(end, at, length);
        end += length;
    }
    *end = '\0';
}

bool uci_looks_like_move(TextWord word)
{
    return word.length >= 4 && word.length <= 5 && strspn(word.at, "abcdefgh12345678") >= 4;
}

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

/* ---- Options of the engine */

/* The text after `key`, up to the first of `ends` or the end; .at is NULL without the key. */
static TextWord words_after(const char *line, const char *key, const char *const *ends)
{
    const char *start = strstr(line, key);

    if (!start) return (TextWord){NULL, 0};
    start += strlen(key);
    const char *end = start + strlen(start);
    for (; *ends; ends++) {
        const char *at = strstr(start > line ? start - 1 : start, *ends);
        if (at && at < end) end = at;
    }
    return (TextWord){start, end > start ? (size_t)(end - start) : 0};
}

/* Of "option name NAME type TYPE …": a name may hold the other keywords. */
static TextWord option_name(const char *line)
{
    return words_after(line, "option name ", (const char *const[]){" type ", NULL});
}

/* From " type " on; "" without. */
static const char *after_name(const char *line)
{
    const char *type = strstr(line, " type ");
    return type ? type : "";
}

static TextWord option_part(const char *line, const char *key)
{
    return words_after(after_name(line), key,
                       (const char *const[]){" default ", " min ", " max ", " var ", NULL});
}

static TextWord name_of_wanted(const char *wanted)
{
    const char *equals = strchr(wanted, '=');
    return (TextWord){wanted, equals ? (size_t)(equals - wanted) : strlen(wanted)};
}

static bool read_number(const char *text, long long *value)
{
    char *end;

    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && !errno && (*end == '\0' || *end == ' ');
}

static Status check_spin(const char *line, const char *wanted, const char *value, Error *err)
{
    long long number, least, most;
    TextWord min = option_part(line, " min "), max = option_part(line, " max ");

    if (!read_number(value, &number) || strchr(value, ' '))
        return error_set(err, STATUS_ENGINE, "%s: the option's value must be a number", wanted);
    if ((min.at && read_number(min.at, &least) && number < least) ||
        (max.at && read_number(max.at, &most) && number > most))
        return error_set(err, STATUS_ENGINE, "%s: the option's value must be from %.*s to %.*s",
                         wanted, (int)min.length, min.at ? min.at : "", (int)max.length,
                         max.at ? max.at : "");
    return STATUS_OK;
}

static Status check_combo(const char *line, const char *wanted, const char *value, Error *err)
{
    const char *first = strstr(after_name(line), " var ");
    size_t length = strlen(value);

    for (const char *at = first; at; at = strstr(at + 4, " var ")) {
        const char *end = at + strlen(" var ") + length;
        if (strncmp(at + strlen(" var "), value, length) == 0 &&
            (!*end || strncmp(end, " var ", 5) == 0 || strncmp(end, " default ", 9) == 0))
            return STATUS_OK;
    }
    return error_set(err, STATUS_ENGINE, "%s: the option does not have this value; it has:%.200s",
                     wanted, first ? first : " none");
}

static Status check_value(const char *line, const char *wanted, Error *err)
{
    TextWord type = option_part(line, " type ");
    const char *equals = strchr(wanted, '='), *value = equals ? equals + 1 : NULL;

    if (text_word_is(type, "button"))
        return !value || !*value
                   ? STATUS_OK
                   : error_set(err, STATUS_ENGINE, "%s: a button takes no value", wanted);
    if (!value) return error_set(err, STATUS_ENGINE, "%s: the option needs a value", wanted);
    if (text_word_is(type, "spin")) return check_spin(line, wanted, value, err);
    if (text_word_is(type, "combo")) return check_combo(line, wanted, value, err);
    if (text_word_is(type, "check") && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return error_set(err, STATUS_ENGINE, "%s: the option's value must be true or false",
                         wanted);
    return STATUS_OK;
}

Status uci_option_default(const char *line, char *wanted, size_t size, Error *err)
{
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    TextWord name = option_name(line), type = option_part(line, " type ");
    TextWord value = option_part(line, " default ");
    int kind = 0;

    *wanted = '\0';
    while (kind < 5 && !text_word_is(type, types[kind]))
        kind++;
    if (!name.at || name.length == 0) return error_set(err, STATUS_ENGINE, "no name");
    if (kind == 5) return error_set(err, STATUS_ENGINE, "no type that UCI has");
    if (kind > 2) return STATUS_OK;
    if (!value.at) return error_set(err, STATUS_ENGINE, "no default");
    if (kind == 1 && !(option_part(line, " min ").at && option_part(line, " max ").at))
        return error_set(err, STATUS_ENGINE, "no min and max");
    (void)snprintf(wanted, size, "%.*s=%.*s", (int)name.length, name.at, (int)value.length,
                   value.at);
    return check_value(line, wanted, err);
}

static void add_name(UciOptionCheck *check, TextWord name)
{
    size_t used = strlen(check->names);

    if (used + name.length + sizeof ", " <= sizeof check->names)
        (void)snprintf(check->names + used, sizeof check->names - used, "%s%.*s", used ? ", " : "",
                       (int)name.length, name.at);
}

Status uci_option_line(UciOptionCheck *check, const char *line, Error *err)
{
    if (strncmp(line, "option name ", 12) != 0) return STATUS_OK;
    TextWord name = option_name(line);
    add_name(check, name);
    for (int i = 0; i < check->count; i++) {
        TextWord wanted = name_of_wanted(check->wanted[i]);
        if (wanted.length != name.length || memcmp(wanted.at, name.at, name.length) != 0) continue;
        check->known[i] = true;
        check->button[i] = text_word_is(option_part(line, " type "), "button");
        Status status = check_value(line, check->wanted[i], err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Offers the names of the engine's options. */
static const char *nearest(const UciOptionCheck *check, TextWord name, Suggestion *s)
{
    char wanted[UCI_OPTION_NAMES_MAX], names[UCI_OPTION_NAMES_MAX];

    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)name.length, name.at);
    (void)snprintf(names, sizeof names, "%s", check->names);
    suggest_begin(s, wanted);
    for (char *at = names, *next; at; at = next) {
        next = strstr(at, ", ");
        if (next) *next = '\0', next += 2;
        suggest_offer(s, at);
    }
    return suggest_text(s, "", "");
}

Status uci_option_end(const UciOptionCheck *check, Error *err)
{
    for (int i = 0; i < check->count; i++) {
        TextWord name = name_of_wanted(check->wanted[i]);
        if (check->known[i] || strcmp(check->wanted[i], "Threads=1") == 0) continue;
        Suggestion s;
        return error_set(err, STATUS_ENGINE, "no option %.*s%s%s%s", (int)name.length, name.at,
                         check->names[0] ? "; its options are " : "; it has no options",
                         check->names, nearest(check, name, &s));
    }
    return STATUS_OK;
}
