/* SPDX-License-Identifier: MIT
 * Checking principal variations. */
#include "selfplay/players/pv_check.h"

#include <stdlib.h>

#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/uci_messages.h"

void pv_keep(char kept[PV_LINE_MAX], const char *line)
{
    const char *pv = strstr(line, " pv "), *text = strstr(line, " string ");
    const char *multipv = strstr(line, " multipv ");

    if ((text && (!pv || text < pv)) || (multipv && strtol(multipv + 9, NULL, 10) > 1)) return;
    if (strstr(line, " lowerbound") || strstr(line, " upperbound")) {
        *kept = '\0';
    } else if (pv && snprintf(kept, PV_LINE_MAX, "%s", line) >= PV_LINE_MAX) {
        char *blank = strrchr(kept, ' ');
        *blank = '\0';
    }
}

/* A null move is none in a game. Other words end the PV: more of the info line. */
static bool is_move(TextWord word)
{
    return text_word_is(word, "0000") || uci_looks_like_move(word);
}

/* Plies of "score mate N"; 0: another score. */
static long long mate_plies(const char *line)
{
    const char *mate = strstr(line, " mate ");
    long moves = mate ? strtol(mate + 6, NULL, 10) : 0;

    return moves > 0 ? 2LL * moves - 1 : -2LL * moves;
}

PvFault pv_check(const Position *pos, const char *line, Move best, TextWord *word)
{
    const char *pv = strstr(line, " pv ");
    const long long mate = mate_plies(line);
    TextSpan rest = text_span(pv ? pv + 4 : "");
    PvFault fault = PV_SOUND;
    Position now = *pos;
    TextWord next;
    int plies = 0;

    for (; (next = text_next_word(&rest)).length > 0 && is_move(next); plies++) {
        const Position before = now;
        Move move;
        if (move_from_uci(&before, next.at, &move, &(Error){0}) != STATUS_OK) {
            *word = next;
            return PV_ILLEGAL;
        }
        if (plies == 0 && move != best) fault = PV_OTHER_MOVE;
        position_make(&now, &before, move);
    }
    if (fault || plies == 0 || mate == 0) return fault;
    bool ended = movegen_count(&now) == 0;
    return (ended || plies >= mate) && !(ended && position_in_check(&now)) ? PV_NO_MATE : PV_SOUND;
}

const Field pv_fields[] = {
    {"pv_illegal", FIELD(PvCounts, illegal), .label = "with an illegal move",
     .zero = ZERO_NOT_IN_TEXT},
    {"pv_other_move", FIELD(PvCounts, other_move), .label = "not beginning with the best move",
     .zero = ZERO_NOT_IN_TEXT},
    {"pv_no_mate", FIELD(PvCounts, no_mate), .label = "of a mate score without the mate",
     .zero = ZERO_NOT_IN_TEXT},
    {0},
};

void pv_faults_judge(PvFaults *faults, const char *name, const Position *pos, const char *line,
                     Move best)
{
    static const char *const sentences[] = {
        [PV_ILLEGAL] = "a PV has the illegal move ",
        [PV_OTHER_MOVE] = "a PV does not begin with the best move ",
        [PV_NO_MATE] = "the PV of a mate score does not end in mate"};
    char move[UCI_MOVE_MAX], fen[FEN_MAX];
    TextWord word = {"", 0};
    int none = 0;

    PvFault fault = pv_check(pos, line, best, &word);
    if (!fault) return;
    atomic_fetch_add(&faults->counts[fault], 1);
    if (!atomic_compare_exchange_strong(&faults->states[fault], &none, 1)) return;
    move_to_uci(pos, best, move);
    if (fault == PV_OTHER_MOVE) word = (TextWord){move, strlen(move)};
    position_to_fen(pos, fen);
    (void)snprintf(faults->texts[fault], PV_WARNING_MAX, "%.80s: %s%.*s in %s: %.700s", name,
                   sentences[fault], (int)word.length, word.at, fen, line);
    atomic_store(&faults->states[fault], 2);
}

bool pv_faults_warning(PvFaults *faults, char out[PV_WARNING_MAX])
{
    for (int i = 0; i < PV_FAULTS; i++) {
        int there = 2;
        if (!atomic_compare_exchange_strong(&faults->states[i], &there, 3)) continue;
        memcpy(out, faults->texts[i], PV_WARNING_MAX);
        return true;
    }
    return false;
}

PvCounts pv_faults_counts(PvFaults *faults)
{
    return (PvCounts){atomic_load(&faults->counts[PV_ILLEGAL]),
                      atomic_load(&faults->counts[PV_OTHER_MOVE]),
                      atomic_load(&faults->counts[PV_NO_MATE])};
}

void pv_faults_add(PvFaults *faults, const PvCounts *earlier)
{
    atomic_fetch_add(&faults->counts[PV_ILLEGAL], earlier->illegal);
    atomic_fetch_add(&faults->counts[PV_OTHER_MOVE], earlier->other_move);
    atomic_fetch_add(&faults->counts[PV_NO_MATE], earlier->no_mate);
}
