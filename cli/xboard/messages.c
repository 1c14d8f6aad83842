/* SPDX-License-Identifier: MIT
 * Translating between UCI and the xboard protocol. */
#include "cli/xboard/messages.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/position_make.h"
#include "engine/notation/move_text.h"

enum {
    NO_CLOCK_MS = 36000000,
    MATE_SCORE = 100000,
    MATE_MOVES_MAX = 1000,
    SCORE_MOST = 1000000 /* a line with a larger score is not thinking output */
};

/* ---- Moves */

void xboard_move_text(const Position *pos, Move move, bool san, char text[SAN_MAX])
{
    if (san || (pos->chess960 && move_is_castle(move))) {
        move_to_san(pos, move, text);
        if (!san) text[strcspn(text, "+#")] = '\0';
    } else {
        move_to_uci(pos, move, text);
    }
}

Status xboard_read_move(const Position *pos, const char *text, Move *move)
{
    if (move_from_uci(pos, text, move, &(Error){0}) == STATUS_OK) return STATUS_OK;
    return move_from_san(pos, text, move, &(Error){0});
}

/* ---- Positions */

/* Are the castling rights those of all kings and rooks on their home squares? */
static bool castles_as_it_stands(const Position *pos)
{
    static const struct {
        int king, rook;
    } homes[] = {{4, 7}, {4, 0}, {60, 63}, {60, 56}}; /* in the order of the rights */
    int rights = 0;

    for (int i = 0; i < 4; i++) {
        Color color = i < 2 ? WHITE : BLACK;
        if (pos->board[homes[i].king] == make_piece(color, KING) &&
            pos->board[homes[i].rook] == make_piece(color, ROOK))
            rights |= 1 << i;
    }
    return rights == pos->castling;
}

bool xboard_print_edit(FILE *out, const Position *pos)
{
    static const char letters[] = {'P', 'N', 'B', 'R', 'Q', 'K'};

    if (pos->chess960 || pos->ep_square != NO_SQUARE || !castles_as_it_stands(pos)) return false;
    /* A move changes the side to move; the edited board replaces the move's effect. */
    if (position_stm(pos) == BLACK) (void)fputs("a2a3\n", out);
    (void)fputs("edit\n#\n", out);
    for (Color color = WHITE; color < COLORS; color++) {
        for (int sq = 0; sq < 64; sq++)
            for (PieceType type = PAWN; type <= KING; type++)
                if (pos->board[sq] == make_piece(color, type))
                    (void)fprintf(out, "%c%c%c\n", letters[type - PAWN], 'a' + sq % 8,
                                  '1' + sq / 8);
        (void)fputs(color == WHITE ? "c\n" : ".\n", out);
    }
    return true;
}

/* ---- Clocks */

/* Minutes and seconds, rounded up, at least one: zero would mean no clock. */
static void print_base(FILE *out, int64_t ms)
{
    long long seconds = ms > 0 ? (ms + 999) / 1000 : 1;

    (void)fprintf(out, seconds % 60 ? "%lld:%02lld" : "%lld", seconds / 60, seconds % 60);
}

void xboard_print_level(FILE *out, const SearchLimits *limits, Color engine)
{
    if (limits->has_clock) {
        (void)fprintf(out, "level %d ", limits->moves_to_go);
        print_base(out, limits->time_ms[engine]);
        (void)fprintf(out, " %g\n", (double)limits->increment_ms[engine] / 1000);
    } else if (limits->movetime_ms > 0 && limits->movetime_ms % 1000 == 0) {
        (void)fprintf(out, "st %lld\n", (long long)limits->movetime_ms / 1000);
    } else if (limits->movetime_ms > 0) {
        (void)fputs("level 1 ", out);
        print_base(out, limits->movetime_ms);
        (void)fputs(" 0\n", out);
    } else {
        (void)fprintf(out, "level 0 %d 0\n", NO_CLOCK_MS / 60000);
    }
    if (limits->depth > 0) (void)fprintf(out, "sd %d\n", limits->depth);
}

void xboard_print_clocks(FILE *out, const SearchLimits *limits, Color engine)
{
    int64_t ms = limits->movetime_ms > 0 ? limits->movetime_ms : NO_CLOCK_MS, other = ms;

    if (limits->has_clock) {
        ms = limits->time_ms[engine];
        other = limits->time_ms[!engine];
    }
    (void)fprintf(out, "time %lld\notim %lld\n", (long long)ms / 10, (long long)other / 10);
}

/* ---- Thinking */

/* Reads the number at *at and moves *at past it; false when there is none. */
static bool take_number(const char **at, long long *number)
{
    char *end;

    *number = strtoll(*at, &end, 10);
    if (end == *at) return false;
    *at = end;
    return true;
}

/* Reads further numbers if a tab ends them; the first is the selective depth. */
static void read_more(const char *text, XboardThinking *t)
{
    const char *tab = strrchr(text, '\t');
    long long number;

    t->line = text;
    if (!tab || strspn(text, " \t0123456789") < (size_t)(tab - text)) return;
    if (take_number(&text, &number) && text <= tab && number <= MAX_PLY)
        t->selective_depth = (int)number; /* not a move number after the tab */
    t->line = tab;
}

bool xboard_read_thinking(const char *text, XboardThinking *t)
{
    const char *at = text + strspn(text, " \t");
    long long depth, score;

    *t = (XboardThinking){0};
    if (!isdigit((unsigned char)*at) || !take_number(&at, &depth)) return false;
    if (*at && !isspace((unsigned char)*at)) at++; /* "9.", "9+": the state of the search */
    if (!isspace((unsigned char)*at) || !take_number(&at, &score) ||
        !take_number(&at, &t->time_cs) || !take_number(&at, &t->nodes))
        return false;
    if (depth > MAX_PLY || t->nodes < 0 || t->time_cs < 0 || t->time_cs > LLONG_MAX / 10 ||
        score > SCORE_MOST || score < -SCORE_MOST)
        return false;
    t->depth = (int)depth;
    t->score = (long)score;
    read_more(at, t);
    t->line += strspn(t->line, " \t");
    return true;
}

static void print_score(FILE *out, long score)
{
    long size = labs(score);

    if (size > MATE_SCORE && size <= MATE_SCORE + MATE_MOVES_MAX)
        (void)fprintf(out, " score mate %ld", score > 0 ? size - MATE_SCORE : MATE_SCORE - size);
    else
        (void)fprintf(out, " score cp %ld", score);
}

/* Moves in any notation, with numbers between them, up to the first other word. */
static void print_line(FILE *out, const char *text, Position pos)
{
    bool any = false;

    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        const char *word = text + strspn(text, "0123456789");
        word = *word == '.' ? word + strspn(word, ".") : text; /* "12.e4" or "12." */
        text = word + strcspn(word, " \t");
        if (word == text) continue;
        char uci[UCI_MOVE_MAX];
        Move move;
        if (xboard_read_move(&pos, word, &move) != STATUS_OK) return;
        move_to_uci(&pos, move, uci);
        (void)fprintf(out, "%s %s", any ? "" : " pv", uci);
        any = true;
        const Position before = pos;
        position_make(&pos, &before, move);
    }
}

void xboard_print_info(FILE *out, const XboardThinking *t, const Position *pos, bool white_scores)
{
    size_t length = strlen(t->line);
    char last = length > 0 ? t->line[length - 1] : '\0';

    (void)fprintf(out, "info depth %d", t->depth);
    if (t->selective_depth > 0) (void)fprintf(out, " seldepth %d", t->selective_depth);
    print_score(out, white_scores && position_stm(pos) == BLACK ? -t->score : t->score);
    if (last == '?' || last == '!') (void)fputs(last == '?' ? " upperbound" : " lowerbound", out);
    (void)fprintf(out, " time %lld nodes %lld", 10 * t->time_cs, t->nodes);
    print_line(out, t->line, *pos);
    (void)fputc('\n', out);
}
