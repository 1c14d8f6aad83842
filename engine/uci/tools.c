/* SPDX-License-Identifier: MIT
 * Commands beyond the protocol: d, eval, perft, bench, spsa. */
#include "engine/uci/tools.h"

#include "engine/base/clock.h"
#include "engine/base/system.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/bench.h"
#include "engine/uci/go.h"

enum { PERFT_MAX_DEPTH = 30 };

void uci_display(Uci *uci)
{
    static const char letters[] = "PpNnBbRrQqKk.";
    const Position *pos = &uci->pos;
    char fen[FEN_MAX], checkers[3 * SQUARES + 1] = "", square[3];
    size_t used = 0;

    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        char row[2 * 8];
        for (int file = FILE_A; file <= FILE_H; file++) {
            row[2 * file] = letters[pos->board[make_square(file, rank)]];
            row[2 * file + 1] = file == FILE_H ? '\0' : ' ';
        }
        uci_print(uci, " %d  %s", rank + 1, row);
    }
    uci_print(uci, "    a b c d e f g h");
    position_to_fen(pos, fen);
    for (Bitboard b = pos->checkers; b;) {
        square_to_text(pop_lsb(&b), square);
        used += (size_t)snprintf(checkers + used, sizeof checkers - used, " %s", square);
    }
    uci_print(uci, "Fen: %s", fen);
    uci_print(uci, "Key: %016llX", (unsigned long long)pos->key);
    uci_print(uci, "Checkers:%s", checkers);
}

void uci_spsa(Uci *uci)
{
    for (const SearchParamInfo *info = search_param_info; info->name; info++)
        uci_print(uci, "%s, int, %d, %d, %d, %.2f, 0.002", info->name,
                  search_params_get(search_params(uci->search), info), info->least, info->most,
                  (info->most - info->least) / 20.0);
}

/* Term by term: middle game, end game and tapered, White's view. */
static void print_terms(Uci *uci, const EvalWeights *weights)
{
    EvalFeature features[EVAL_FEATURES_MAX];
    EvalFamilies families = EVAL_MATERIAL_PST | weights_families(weights);
    int n = eval_features(&uci->pos, families, features);

    uci_print(uci, "%-19s %6s %6s %6s", "term", "mg", "eg", "total");
    for (const EvalTermInfo *term = eval_term_info; term->name; term++) {
        if (!(families & eval_family(term->family))) continue;
        int sum[PHASES] = {0, 0};
        for (int i = 0; i < n; i++) {
            if (features[i].term < term->first || features[i].term >= term->first + term->count)
                continue;
            for (int phase = MG; phase < PHASES; phase++)
                sum[phase] += features[i].count * weights->term[features[i].term][phase];
        }
        uci_print(uci, "%-19s %6d %6d %6d", term->name, sum[MG], sum[EG],
                  eval_taper(sum[MG], sum[EG], uci->pos.phase));
    }
}

void uci_eval(Uci *uci)
{
    const Evaluation *evaluation = &uci->evaluation;

    if (evaluation->kind == EVALUATION_LINEAR) print_terms(uci, &evaluation->weights);
    uci_print(uci, "Evaluation: %d cp (White's view), phase %d of %d",
              evaluation_white(&uci->pos, evaluation), uci->pos.phase, (int)EVAL_PHASE_MAX);
}

void uci_perft(Uci *uci, char *line)
{
    int64_t plies;
    MoveList list;
    uint64_t total = 0;
    char text[UCI_MOVE_MAX];

    uci_settle(uci);
    if (!uci_read_number(uci, "perft", uci_next_word(&line), 1, PERFT_MAX_DEPTH, &plies)) return;
    int64_t start = clock_ms();
    movegen_all(&uci->pos, &list);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make(&next, &uci->pos, list.moves[i]);
        uint64_t nodes = plies > 1 ? perft(&next, (int)plies - 1) : 1;
        move_to_uci(&uci->pos, list.moves[i], text);
        uci_print(uci, "%s: %llu", text, (unsigned long long)nodes);
        total += nodes;
    }
    int64_t ms = clock_ms() - start;
    uci_print(uci, "Nodes searched: %llu", (unsigned long long)total);
    uci_print(uci, "info string %lld ms, %llu nps", (long long)ms,
              (unsigned long long)(total * 1000 / (uint64_t)(ms > 0 ? ms : 1)));
}

void uci_bench(Uci *uci, char *line)
{
    static const struct {
        const char *name;
        int64_t most;
    } words[] = {{"bench depth", MAX_PLY - 1},
                 {"bench threads", SEARCH_THREADS_MAX},
                 {"bench hash", UCI_HASH_MAX_MB}};
    int64_t values[] = {0, 0, 0};
    BenchResult result;
    Error err = {0};

    uci_settle(uci);
    for (int i = 0; i < 3; i++) {
        const char *word = uci_next_word(&line);
        if (!word) break;
        if (!uci_read_number(uci, words[i].name, word, 1, words[i].most, &values[i])) return;
    }
    BenchSettings settings = {.depth = (int)values[0],
                              .threads = (int)values[1],
                              .hash_bytes = (size_t)values[2] << 20,
                              .evaluation = &uci->evaluation,
                              .params = search_params(uci->search)};
    if (stack_prepare(&err) != STATUS_OK || bench_run(&settings, &result, &err) != STATUS_OK) {
        uci_print_error(uci, &err);
        return;
    }
    uci_print(uci, "%lld ms", (long long)result.time_ms);
    uci_print(uci, "%llu nodes", (unsigned long long)result.nodes);
    uci_print(uci, "%llu nps", (unsigned long long)result.nps);
}
