/* SPDX-License-Identifier: MIT
 * The inside of the UCI front end, shared by its files. */
#ifndef TABIA_ENGINE_UCI_INTERNAL_H
#define TABIA_ENGINE_UCI_INTERNAL_H

#include <pthread.h>
#include <stdio.h>

#include "engine/notation/polyglot.h"
#include "engine/search/search.h"
#include "engine/uci/uci.h"

/* The opening book and how it is used. */
typedef struct UciBook {
    PolyglotBook *file; /* owned; NULL: none */
    bool on;            /* option OwnBook */
    int depth;          /* plies of the game from which on it is left alone */
    uint64_t seed;
    uint64_t games; /* begun in this session, by ucinewgame */
} UciBook;

enum { UCI_HASH_MAX_MB = 65536 };

typedef struct Uci {
    FILE *out; /* lines are printed whole, under its lock, and flushed */
    Search *search;
    EvalWeights weights;
    Position pos;
    KeyHistory history;
    bool chess960;     /* option UCI_Chess960 */
    bool pos_chess960; /* the position's own FEN needs it, whatever the option */
    int multipv;
    UciBook book;
    SearchSyzygy syzygy; /* as asked for; men may be more than there are */

    /* The running search. `thread` is joined before anything it reads is changed: all of this, the
     * instance and the weights, but not the position above. */
    bool running;
    pthread_t thread;
    Position root;
    KeyHistory root_history;
    SearchLimits limits;
    Move root_moves[MAX_MOVES];
    uint64_t last_info_nodes; /* in the last line of progress */
    int last_info_hashfull;
    pthread_mutex_t lock;
    pthread_cond_t released;
    bool hold; /* guarded by lock: bestmove must wait for stop or ponderhit */
} Uci;

/* Prints one line, whole. */
void uci_say(Uci *uci, const char *format, ...) PRINTF_LIKE(2, 3);

/* "info string error: <sentence>". */
void uci_complain(Uci *uci, const Error *err);

/* The next word of a command, cut out of the line in place; NULL at its end. */
char *uci_next_word(char **line);

/* Reads a whole number in [least, most]; on failure complains, naming `what`, and returns false.
 * Numbers beyond 64 bits count as the greatest or least of them. */
bool uci_read_number(Uci *uci, const char *what, const char *word, int64_t least, int64_t most,
                     int64_t *value);

/* Reads "true" or "false" of a check option; on failure complains and returns false. */
bool uci_read_check(Uci *uci, const char *name, const char *word, bool *value);

/* uci_book.c: the options of the opening book. */
void uci_book_init(UciBook *book);
void uci_book_free(UciBook *book);
void uci_set_own_book(Uci *uci, const char *value);
void uci_set_book_file(Uci *uci, const char *value);
void uci_set_book_depth(Uci *uci, const char *value);
void uci_set_book_seed(Uci *uci, const char *value);
/* Answers `go` with a book move, if the book is on and has one for the position and no analysis is
 * asked for by uci->limits. */
bool uci_book_answer(Uci *uci);

/* uci_tables.c: the options of the endgame tables. */
void uci_tables_init(Uci *uci);
void uci_set_syzygy_path(Uci *uci, const char *value);
void uci_set_probe_depth(Uci *uci, const char *value);
void uci_set_probe_limit(Uci *uci, const char *value);
void uci_set_fifty_move_rule(Uci *uci, const char *value);

/* uci_go.c: the command `go` after its first word; the search starts in its own thread. */
void uci_go(Uci *uci, char *line);
void uci_stop(Uci *uci);
void uci_ponderhit(Uci *uci);
/* Waits for a running search that ends by itself; stops one that would not. */
void uci_settle(Uci *uci);

/* uci_tools.c: commands beyond the protocol. */
void uci_display(Uci *uci);
void uci_eval(Uci *uci);
void uci_spsa(Uci *uci);
void uci_perft(Uci *uci, const char *depth);
/* The words after `bench`: [depth [threads [hash MiB]]]. */
void uci_bench(Uci *uci, char *line);

/* genfens.c: `genfens N seed S book <None|file> [frc|dfrc]`, the words after the first. Prints N
 * lines `info string genfens <fen>` of random, roughly balanced openings of chess, Chess960 or
 * double Chess960; a function of its arguments. */
void uci_genfens(Uci *uci, char *line);

#endif
