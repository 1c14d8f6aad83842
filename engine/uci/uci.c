/* SPDX-License-Identifier: MIT
 * The Universal Chess Interface: the command loop and positions.
 * Source: S. Meyer-Kahlen, "Description of the universal chess interface (UCI)", April 2006. */
#include "engine/uci/uci.h"
#include "engine/board/chess960.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/posix.h"
#include "engine/base/version.h"
#include "engine/board/position_make.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/uci/genfens.h"
#include "engine/uci/go.h"
#include "engine/uci/options.h"
#include "engine/uci/tools.h"

/* ---- Positions */

/* Joins the words up to "moves" or the end; false if they cannot be a FEN. */
static bool join_fen(char **line, char *fen, size_t room)
{
    size_t used = 0;
    char *word;

    fen[0] = '\0';
    while ((word = uci_next_word(line)) != NULL && strcmp(word, "moves") != 0) {
        int n = snprintf(fen + used, room - used, "%s%s", used ? " " : "", word);
        if (n < 0 || (size_t)n >= room - used) return false;
        used += (size_t)n;
    }
    return used > 0;
}

/* Reads the whole line before it changes anything: after an error the old position stays, for the
 * commands that show it, but `go` refuses to search it. */
static void do_position(Uci *uci, char *line)
{
    Position pos, next;
    KeyHistory history = {.count = 0};
    Error err = {0};
    char fen[2 * FEN_MAX];
    char *word = uci_next_word(&line);

    uci->refused = true;
    if (word && strcmp(word, "startpos") == 0) {
        position_set_start(&pos);
        word = uci_next_word(&line);
        if (word && strcmp(word, "moves") != 0) {
            uci_print_bad_word(uci, "position: expected moves, not", word);
            return;
        }
    } else if (word && strcmp(word, "fen") == 0) {
        if (!join_fen(&line, fen, sizeof fen)) {
            uci_print_bad_word(uci, "position: not a FEN:", fen);
            return;
        }
        if (position_from_fen(&pos, fen, &err) != STATUS_OK) {
            uci_print_error(uci, &err);
            return;
        }
        if (err.text[0]) uci_print(uci, "info string %s", err.text);
    } else {
        uci_print_bad_word(uci, "position: expected startpos or fen, not", word ? word : "");
        return;
    }
    bool pos_chess960 = chess960_is_needed(&pos);
    pos.chess960 = pos_chess960 || uci->chess960;

    while ((word = uci_next_word(&line)) != NULL) {
        Move m;
        if (move_from_uci(&pos, word, &m, &err) != STATUS_OK) {
            uci_print_error(uci, &err);
            return;
        }
        key_history_push(&history, &pos);
        position_make(&next, &pos, m);
        pos = next;
    }
    uci->pos = pos;
    uci->pos_chess960 = pos_chess960;
    uci->history = history;
    uci->refused = false;
}

/* ---- The loop */

static void do_uci(Uci *uci)
{
    uci_print(uci, "id name Tabia %s", TABIA_VERSION);
    uci_print(uci, "id author the Tabia authors");
    uci_options_print(uci);
    uci_print(uci, "uciok");
}

static void do_ucinewgame(Uci *uci)
{
    uci_settle(uci);
    search_new_game(uci->search);
    uci->book.games++;
}

/* "go perft DEPTH" is a command of its own. */
static void do_go(Uci *uci, char *line)
{
    char *rest = line;

    if (strncmp(line + strspn(line, " \t"), "perft", 5) != 0) {
        uci_go(uci, line);
        return;
    }
    (void)uci_next_word(&rest);
    uci_perft(uci, rest);
}

/* Runs the command of this name, except `quit`; false if there is none. */
static bool run_command(Uci *uci, const char *name, char *line)
{
    if (strcmp(name, "uci") == 0)
        do_uci(uci);
    else if (strcmp(name, "isready") == 0)
        uci_print(uci, "readyok");
    else if (strcmp(name, "setoption") == 0)
        uci_set_option(uci, line);
    else if (strcmp(name, "ucinewgame") == 0)
        do_ucinewgame(uci);
    else if (strcmp(name, "position") == 0)
        do_position(uci, line);
    else if (strcmp(name, "go") == 0)
        do_go(uci, line);
    else if (strcmp(name, "stop") == 0)
        uci_stop(uci);
    else if (strcmp(name, "ponderhit") == 0)
        uci_ponderhit(uci);
    else if (strcmp(name, "d") == 0)
        uci_display(uci);
    else if (strcmp(name, "eval") == 0)
        uci_eval(uci);
    else if (strcmp(name, "spsa") == 0)
        uci_spsa(uci);
    else if (strcmp(name, "bench") == 0)
        uci_bench(uci, line);
    else if (strcmp(name, "perft") == 0)
        uci_perft(uci, line);
    else if (strcmp(name, "genfens") == 0)
        uci_genfens(uci, line);
    else
        return strcmp(name, "debug") == 0 || strcmp(name, "register") == 0; /* no effect */
    return true;
}

/* Runs one line; false on `quit`. Words before a command are skipped, as the protocol demands; an
 * error names the first. */
static bool run_line(Uci *uci, char *line)
{
    bool reported = false;
    char *word;

    while ((word = uci_next_word(&line)) != NULL) {
        if (strcmp(word, "quit") == 0) return false;
        if (run_command(uci, word, line)) break;
        if (!reported) uci_print_bad_word(uci, "unknown command", word);
        reported = true;
    }
    return true;
}

static Status uci_init(Uci *uci, FILE *out, Error *err)
{
    memset(uci, 0, sizeof *uci);
    uci->out = out;
    position_set_start(&uci->pos);
    Status status = evaluation_builtin(&uci->evaluation, err);
    if (status == STATUS_OK) status = uci_options_init(uci, err);
    if (status != STATUS_OK) return STATUS_FAILED;
    if (pthread_mutex_init(&uci->lock, NULL) != 0 || pthread_cond_init(&uci->released, NULL) != 0) {
        search_destroy(uci->search);
        return error_set(err, STATUS_FAILED, "cannot create a lock");
    }
    return STATUS_OK;
}

int uci_main(FILE *in, FILE *out, int argc, char **argv)
{
    static Uci uci; /* too large for little stacks */
    Error err = {0};
    bool running = true;

    if (uci_init(&uci, out, &err) != STATUS_OK) {
        fprintf(stderr, "tabia-engine: %s\n", err.text);
        return STATUS_FAILED;
    }
    for (int i = 0; running && i < argc; i++)
        running = run_line(&uci, argv[i]);
    if (argc > 0) {
        /* Commands as arguments are a whole session; without `quit` a search may finish. */
        (running ? uci_await : uci_stop)(&uci);
    } else {
        char *line = NULL;
        size_t room = 0;
        ssize_t length;
        while (running && (length = getline(&line, &room, in)) >= 0)
            if (memchr(line, '\0', (size_t)length)) {
                uci.refused |= strstr(line, "position") != NULL;
                uci_print_bad_word(&uci, "line ignored, it has a NUL byte:", line);
            } else {
                line[strcspn(line, "\r\n")] = '\0';
                running = run_line(&uci, line);
            }
        free(line);
        (running ? uci_finish : uci_stop)(&uci);
    }
    bool written = fflush(out) == 0 && !ferror(out);
    (void)pthread_cond_destroy(&uci.released);
    (void)pthread_mutex_destroy(&uci.lock);
    search_destroy(uci.search);
    polyglot_close(uci.book.file);
    return !written || (argc > 0 && uci.failed) ? STATUS_FAILED : STATUS_OK;
}
