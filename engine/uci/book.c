/* SPDX-License-Identifier: MIT
 * The opening book's move as the answer to `go`. */
#include "engine/uci/book.h"

#include "engine/notation/move_text.h"

/* Analysis, or what a book cannot answer. */
static bool wants_search(const SearchLimits *limits)
{
    return limits->infinite || limits->ponder || limits->mate > 0 || limits->root_moves ||
           limits->multipv > 1;
}

/* The choice is a function of seed, number of the game and position: it varies from game to game
 * and repeats with the session. */
static const PolyglotMove *choose(const Uci *uci, const PolyglotMoves *list)
{
    Pcg rng;
    pcg_seed(&rng, (uint64_t)uci->book.seed ^ uci->pos.key, uci->book.games);
    return polyglot_draw(list, &rng);
}

bool uci_book_answer(Uci *uci)
{
    const UciBook *book = &uci->book;
    PolyglotMoves list;
    Error err = {0};
    char text[UCI_MOVE_MAX];

    if (!book->on || !book->file || uci->pos.game_ply >= book->depth || wants_search(&uci->limits))
        return false;
    if (polyglot_moves(book->file, &uci->pos, &list, &err) != STATUS_OK) {
        uci_print_error(uci, &err);
        return false;
    }
    const PolyglotMove *chosen = choose(uci, &list);
    if (!chosen) return false;
    move_to_uci(&uci->pos, chosen->move, text);
    uci_print(uci, "info string book move, one of %d", list.count);
    uci_print(uci, "bestmove %s", text);
    return true;
}
