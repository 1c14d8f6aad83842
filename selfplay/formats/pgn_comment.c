/* SPDX-License-Identifier: MIT
 * Scores, depths and times in comments of PGN games. */
#include "selfplay/formats/pgn_comment.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/types.h"

/* Largest score in centipawns; larger values are mate scores. */
static const int score_limit = VALUE_MATE_IN_MAX - 1;

static int clamp_score(double cp)
{
    double rounded = cp < 0 ? cp - 0.5 : cp + 0.5;
    return rounded > score_limit    ? score_limit
           : rounded < -score_limit ? -score_limit
                                    : (int)rounded;
}

/* The score of a mate in `plies`. */
static int mate_score(long plies, bool against)
{
    if (plies < 0 || plies > VALUE_MATE - VALUE_MATE_IN_MAX) return SCORE_UNKNOWN;
    return against ? -(VALUE_MATE - (int)plies) : VALUE_MATE - (int)plies;
}

/* strtod() of a text that begins with a digit. Up to 15 digits the quotient of two exact numbers is
 * the nearest one, too. */
static double parse_decimal(const char *text, const char **end)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    int64_t value = 0;
    const char *at = text, *point = NULL;

    for (; at - text < 16 && (isdigit((unsigned char)*at) || (*at == '.' && !point)); at++) {
        if (*at == '.')
            point = at;
        else
            value = 10 * value + (*at - '0');
    }
    if (at - text == 16 || (*at != '\0' && strchr("eExX", *at))) {
        char *after;
        double number = strtod(text, &after);
        *end = after;
        return number;
    }
    *end = at;
    return (double)value / powers[point ? at - point - 1 : 0];
}

/* "0.52s", "0.52", "132ms", "1:05" or "1:02:03" in milliseconds; -1 for anything else. */
static int64_t parse_time(const char *text)
{
    const char *end;
    double seconds = isdigit((unsigned char)*text) ? parse_decimal(text, &end) : -1;

    if (seconds < 0) return -1;
    while (*end == ':' && isdigit((unsigned char)end[1]))
        seconds = 60 * seconds + parse_decimal(end + 1, &end);
    if (strncmp(end, "ms", 2) == 0) seconds /= 1000;
    return seconds < 1e9 ? (int64_t)(1000 * seconds + 0.5) : -1;
}

/* The number after "n=" in a list separated by commas; 0 without it. */
static int64_t nodes_entry(const char *text)
{
    for (const char *at = strchr(text, ','); at; at = strchr(at, ',')) {
        at += 1 + strspn(at + 1, " \t\r\n");
        if (strncmp(at, "n=", 2) == 0) return strtoll(at + 2, NULL, 10);
    }
    return 0;
}

/* Reads "+0.31" or "-M5"; returns the text after it, or NULL. */
static const char *parse_score(const char *text, int *score)
{
    bool against = *text == '-';
    const char *number = text + (*text == '-' || *text == '+'), *end;

    if (*number == 'M' && isdigit((unsigned char)number[1])) {
        char *after;
        *score = mate_score(strtol(number + 1, &after, 10), against);
        return after;
    }
    if (!isdigit((unsigned char)*number)) return NULL;
    double pawns = parse_decimal(number, &end);
    if (!memchr(number, '.', (size_t)(end - number))) return NULL;
    *score = clamp_score(against ? -100 * pawns : 100 * pawns);
    return end;
}

/* Reads "14/20 520 12345", the whole text: depth, selective depth, milliseconds, nodes. */
static bool parse_openbench(const char *text, PgnComment *comment)
{
    char *at;
    long depth = strtol(text, &at, 10);

    if (*at != '/') return false;
    (void)strtol(at + 1, &at, 10);
    if (*at != ' ') return false;
    long long time_ms = strtoll(at, &at, 10);
    if (*at != ' ') return false;
    long long nodes = strtoll(at, &at, 10);
    if (*at != '\0' || depth < 0 || depth > INT_MAX || time_ms < 0 || nodes < 0) return false;
    comment->depth = (int)depth;
    comment->time_ms = time_ms;
    comment->nodes = nodes;
    return true;
}

/* Reads c-chess-cli's "31/14 132ms", the whole text: centipawns, depth, milliseconds. */
static bool parse_c_chess_cli(const char *text, PgnComment *comment)
{
    char *at;
    long score = strtol(text, &at, 10);

    if (at == text || *at != '/') return false;
    long depth = strtol(at + 1, &at, 10);
    if (*at != ' ' || depth < 0 || depth > INT_MAX) return false;
    long long time_ms = strtoll(at, &at, 10);
    if (strcmp(at, "ms") != 0 || time_ms < 0) return false;
    comment->score = clamp_score((double)score);
    comment->depth = (int)depth;
    comment->time_ms = time_ms;
    return true;
}

/* Reads a score with depth and time, or "0.52s". A score without depth must be the whole text and
 * have a sign, or be 0.00. */
static void parse_search(const char *text, PgnComment *comment)
{
    int score;
    char *end;
    const char *moves_end = *text == '(' ? strchr(text, ')') : NULL; /* Arena's */

    if (moves_end) text = moves_end + 1 + strspn(moves_end + 1, " \t\r\n");
    if (parse_c_chess_cli(text, comment)) return;
    const char *rest = parse_score(text, &score);

    if (!rest) return;
    if (*rest == ' ' && parse_openbench(rest + 1, comment)) {
        comment->score = score;
        return;
    }
    if (isdigit((unsigned char)*text) && *rest == 's' &&
        (rest[1] == '\0' || rest[1] == ',' || rest[1] == ' ')) {
        comment->time_ms = parse_time(text);
        comment->nodes = nodes_entry(rest);
        return;
    }
    if (*rest != '/') {
        const char *next = rest + strspn(rest, " \t\r\n");
        bool is_all = *next == '\0' || *rest == ',' || strncmp(next, "[%", 2) == 0;
        if (is_all && (strchr("+-", *text) || strncmp(text, "0.00", 4) == 0))
            comment->score = score;
        return;
    }
    if (!isdigit((unsigned char)rest[1])) return;
    comment->score = score;
    comment->depth = (int)strtol(rest + 1, &end, 10);
    if (*end == '/') end += 1 + strspn(end + 1, "0123456789"); /* a selective depth */
    comment->time_ms = parse_time(end + (*end == ',') + strspn(end + (*end == ','), " \t\r\n"));
    comment->nodes = nodes_entry(end);
}

/* "900", or of TCEC until 2019 "00:01:05". */
static int64_t parse_milliseconds(const char *text)
{
    char *end;
    int64_t value = strtoll(text, &end, 10);

    if (*end != ':') return value;
    while (*end == ':' && value < INT_MAX)
        value = 60 * value + strtoll(end + 1, &end, 10) % 60;
    return 1000 * value;
}

/* TCEC's list of NAME=VALUE, separated by commas. */
static void parse_list(const char *text, bool white_moved, PgnComment *comment)
{
    int score;

    if (text[strspn(text, "abcdefghijklmnopqrstuvwxyz")] != '=') return;
    for (const char *at = text; at; at = strchr(at, ',')) {
        at += strspn(at, ", \t\r\n");
        if (strncmp(at, "d=", 2) == 0 && isdigit((unsigned char)at[2]))
            comment->depth = (int)strtol(at + 2, NULL, 10);
        else if (strncmp(at, "mt=", 3) == 0 && isdigit((unsigned char)at[3]))
            comment->time_ms = parse_milliseconds(at + 3);
        else if (strncmp(at, "n=", 2) == 0)
            comment->nodes = strtoll(at + 2, NULL, 10);
        else if (strncmp(at, "wv=", 3) == 0 && parse_score(at + 3, &score))
            comment->score = white_moved || score == SCORE_UNKNOWN ? score : -score;
    }
}

static void parse_eval(const char *text, bool white_moved, PgnComment *comment)
{
    static const char opening[] = "[%eval ";
    const char *at = strstr(text, opening);

    if (!at) return;
    at += strlen(opening);
    const char *number = at + strspn(at, "#M+-"), *end;
    const bool mate =
        memchr(at, '#', (size_t)(number - at)) || memchr(at, 'M', (size_t)(number - at));
    const bool negative = memchr(at, '-', (size_t)(number - at)) != NULL;
    if (!isdigit((unsigned char)*number)) return;
    if (mate) {
        long moves = strtol(number, NULL, 10);
        bool mater_to_move = negative == white_moved;
        if (moves < VALUE_MATE)
            comment->next_score = mate_score(2 * moves - mater_to_move, negative);
        return;
    }
    double pawns = parse_decimal(number, &end);
    /* Whole numbers are ChessBase's centipawns, in its view or the mover's. */
    if (pawns != 0 && !memchr(number, '.', (size_t)(end - number))) return;
    comment->next_score = clamp_score(negative ? -100 * pawns : 100 * pawns);
}

static GameReason parse_reason(const char *text)
{
    if (!islower((unsigned char)*text)) return (GameReason)0; /* mostly a figure or sign */
    for (int i = REASON_CHECKMATE; strcmp(reason_name((GameReason)i), "unknown") != 0; i++)
        if (strcmp(text, reason_name((GameReason)i)) == 0) return (GameReason)i;
    return (GameReason)0;
}

void pgn_comment_parse(char *text, size_t length, bool white_moved, PgnComment *comment)
{
    *comment = (PgnComment){.score = SCORE_UNKNOWN, .next_score = SCORE_UNKNOWN, .time_ms = -1};
    while (length > 0 && isspace((unsigned char)*text))
        text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    parse_search(text, comment);
    parse_list(text, white_moved, comment);
    parse_eval(text, white_moved, comment);
    comment->reason = parse_reason(text);
}
