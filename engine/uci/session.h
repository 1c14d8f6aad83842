/* SPDX-License-Identifier: MIT
 * The state of a UCI session, and what its commands share. Private to engine/uci. */
#ifndef TABIA_ENGINE_UCI_SESSION_H
#define TABIA_ENGINE_UCI_SESSION_H

#include <pthread.h>
#include <stdio.h>

#include "engine/notation/polyglot.h"
#include "engine/search/search.h"

enum { UCI_HASH_MAX_MB = 65536 };

/* The opening book and its options. */
typedef struct UciBook {
    PolyglotBook *file; /* owned; NULL: none */
    bool on;            /* option OwnBook */
    int depth;          /* plies of the game from which on it is not used */
    int seed;
    uint64_t games; /* begun in this session, by ucinewgame */
} UciBook;

typedef struct Uci {
    FILE *out; /* lines are printed whole, under its lock */
    Search *search;
    Evaluation evaluation;
    Position pos;
    KeyHistory history;
    bool pos_chess960; /* the position's own FEN needs it, even without the option */
    bool refused;      /* the last `position` was: pos is of an earlier one */
    bool failed;       /* an error was printed */

    /* Options. */
    int hash_mb, threads, multipv, move_overhead_ms;
    bool chess960;
    bool show_wdl;       /* chances of win, draw, loss beside each score */
    bool limit_strength; /* to the rating `elo` */
    int elo;
    UciBook book;
    SearchSyzygy syzygy; /* pieces may be more than the files have */

    /* The running search. `thread` is joined before its input is changed: all of this, the instance
     * and the evaluation, but not the position above. */
    bool running;
    pthread_t thread;
    Position root;
    KeyHistory root_history;
    SearchLimits limits;
    Move root_moves[MAX_MOVES];
    uint64_t last_info_nodes; /* in the last info line */
    int last_info_hashfull, last_info_multipv;
    pthread_mutex_t lock;
    pthread_cond_t released;
    bool hold; /* guarded by lock: bestmove must wait for stop or ponderhit */
} Uci;

/* Prints one whole line. */
void uci_print(Uci *uci, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same, but it may wait in the buffer for the next uci_print() or uci_flush(). */
void uci_put(Uci *uci, const char *line);
void uci_flush(Uci *uci);

/* "info string error: <sentence>". */
void uci_print_fault(Uci *uci, const char *format, ...) PRINTF_LIKE(2, 3);
void uci_print_error(Uci *uci, const Error *err);

/* The same: "<what> '<word>'", the word cut to a reasonable length. */
void uci_print_bad_word(Uci *uci, const char *what, const char *word);

/* The next word of a command, cut out of the line in place; NULL at its end. */
char *uci_next_word(char **line);

/* Reads a whole number in [least, most]. False: none; an error with `name` is printed. */
bool uci_read_number(Uci *uci, const char *name, const char *word, int64_t least, int64_t most,
                     int64_t *value);

/* Reads "true" or "false" of a check option. On failure prints an error and returns false. */
bool uci_read_check(Uci *uci, const char *name, const char *word, bool *value);

#endif
