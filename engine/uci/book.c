/* SPDX-License-Identifier: MIT
 * The UCI options of the opening book, and the answer it gives instead of a search. */
#include <string.h>

#include "engine/notation/move_text.h"
#include "engine/uci/internal.h"

enum { BOOK_DEPTH_DEFAULT = 255, BOOK_DEPTH_MAX = 1000 };

void uci_book_init(UciBook *book)
{
    *book = (UciBook){.depth = BOOK_DEPTH_DEFAULT};
}

void uci_book_free(UciBook *book)
{
    polyglot_close(book->file);
    book->file = NULL;
}

void uci_set_own_book(Uci *uci, const char *value)
{
    (void)uci_read_check(uci, "OwnBook", value, &uci->book.on);
}

void uci_set_book_file(Uci *uci, const char *value)
{
    Error err = {0};
    PolyglotBook *file = NULL;
    bool none = value[0] == '\0' || strcmp(value, "<empty>") == 0;

    if (!none && !(file = polyglot_open(value, &err))) {
        uci_complain(uci, &err); /* the old book stays */
        return;
    }
    uci_book_free(&uci->book);
    uci->book.file = file;
}

void uci_set_book_depth(Uci *uci, const char *value)
{
    int64_t plies;
    if (uci_read_number(uci, "BookDepth", value, 0, BOOK_DEPTH_MAX, &plies))
        uci->book.depth = (int)plies;
}

void uci_set_book_seed(Uci *uci, const char *value)
{
    int64_t seed;
    if (uci_read_number(uci, "BookSeed", value, 0, INT32_MAX, &seed))
        uci->book.seed = (uint64_t)seed;
}

/* Analysis is asked for what a book cannot tell. */
static bool wants_search(const SearchLimits *limits)
{
    return limits->infinite || limits->ponder || limits->mate > 0 || limits->root_moves ||
           limits->multipv > 1;
}

/* The choice is a function of seed, number of the game and position: another in each game, the same
 * in a repeated session. */
static const PolyglotMove *choose(const Uci *uci, const PolyglotMoves *list)
{
    Pcg rng;
    pcg_seed(&rng, uci->book.seed ^ uci->pos.key, uci->book.games);
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
        uci_complain(uci, &err);
        return false;
    }
    const PolyglotMove *chosen = choose(uci, &list);
    if (!chosen) return false;
    move_to_uci(&uci->pos, chosen->move, text);
    uci_say(uci, "info string book move, one of %d", list.count);
    uci_say(uci, "bestmove %s", text);
    return true;
}
