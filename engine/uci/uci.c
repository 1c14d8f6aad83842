/* SPDX-License-Identifier: MIT
 * The Universal Chess Interface: the command loop, options and positions.
 * Source: S. Meyer-Kahlen, "Description of the universal chess interface (UCI)", April 2006. */
#include "engine/uci/uci.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/version.h"
#include "engine/board/position_make.h"
#include "engine/eval/weights_file.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/syzygy.h"
#include "engine/uci/internal.h"

enum {
    HASH_DEFAULT_MB = 16,
    OVERHEAD_DEFAULT_MS = 10,
    OVERHEAD_MAX_MS = 5000,
    MULTIPV_MAX = 256,
    WORD_SHOWN = 40 /* characters of a bad word that are echoed */
};

/* ---- Talking */

void uci_say(Uci *uci, const char *format, ...)
{
    va_list args;

    flockfile(uci->out);
    va_start(args, format);
    (void)vfprintf(uci->out, format, args);
    va_end(args);
    (void)fputc('\n', uci->out);
    (void)fflush(uci->out);
    funlockfile(uci->out);
}

void uci_complain(Uci *uci, const Error *err)
{
    uci_say(uci, "info string error: %s", err->text); /* one line, whatever it quotes */
}

static void complain(Uci *uci, const char *what, const char *word)
{
    Error err = {0};

    (void)error_set(&err, STATUS_BAD_INPUT, "%s '%.*s'", what, (int)WORD_SHOWN, word);
    uci_complain(uci, &err);
}

char *uci_next_word(char **line)
{
    static const char blanks[] = " \t\r\n\v\f";
    char *word = *line + strspn(*line, blanks);

    if (*word == '\0') {
        *line = word;
        return NULL;
    }
    char *end = word + strcspn(word, blanks);
    *line = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

bool uci_read_number(Uci *uci, const char *what, const char *word, int64_t least, int64_t most,
                     int64_t *value)
{
    Error err = {0};
    char *end;

    if (!word) {
        (void)error_set(&err, STATUS_BAD_INPUT, "%s needs a number", what);
        uci_complain(uci, &err);
        return false;
    }
    long long read = strtoll(word, &end, 10);
    if (end == word || *end || read < least || read > most) {
        (void)error_set(&err, STATUS_BAD_INPUT, "%s must be a number from %lld to %lld, not '%.*s'",
                        what, (long long)least, (long long)most, (int)WORD_SHOWN, word);
        uci_complain(uci, &err);
        return false;
    }
    *value = read;
    return true;
}

bool uci_read_check(Uci *uci, const char *name, const char *word, bool *value)
{
    Error err = {0};
    bool yes = strcasecmp(word, "true") == 0;

    if (!yes && strcasecmp(word, "false") != 0) {
        (void)error_set(&err, STATUS_BAD_INPUT, "%s must be true or false, not '%.*s'", name,
                        (int)WORD_SHOWN, word);
        uci_complain(uci, &err);
        return false;
    }
    *value = yes;
    return true;
}

/* ---- Options */

static void set_hash(Uci *uci, const char *value)
{
    int64_t mb;
    Error err = {0};
    if (!uci_read_number(uci, "Hash", value, 1, UCI_HASH_MAX_MB, &mb)) return;
    if (search_resize(uci->search, (size_t)mb << 20, &err) != STATUS_OK) uci_complain(uci, &err);
}

static void set_clear_hash(Uci *uci, const char *value)
{
    (void)value;
    search_new_game(uci->search);
}

static void set_threads(Uci *uci, const char *value)
{
    int64_t n;
    Error err = {0};
    if (!uci_read_number(uci, "Threads", value, 1, SEARCH_THREADS_MAX, &n)) return;
    if (search_set_threads(uci->search, (int)n, &err) != STATUS_OK) uci_complain(uci, &err);
}

static void set_ponder(Uci *uci, const char *value)
{
    (void)uci;
    (void)value;
}

static void set_multipv(Uci *uci, const char *value)
{
    int64_t n;
    if (uci_read_number(uci, "MultiPV", value, 1, MULTIPV_MAX, &n)) uci->multipv = (int)n;
}

static void set_move_overhead(Uci *uci, const char *value)
{
    int64_t ms;
    if (uci_read_number(uci, "Move Overhead", value, 0, OVERHEAD_MAX_MS, &ms))
        search_set_move_overhead(uci->search, ms);
}

static void set_chess960(Uci *uci, const char *value)
{
    if (uci_read_check(uci, "UCI_Chess960", value, &uci->chess960))
        uci->pos.chess960 = uci->pos_chess960 || uci->chess960;
}

static void set_eval_file(Uci *uci, const char *value)
{
    EvalWeights read;
    Error err = {0};
    bool builtin = value[0] == '\0' || strcmp(value, "<empty>") == 0;

    if (weights_load(builtin ? "builtin" : value, &read, NULL, &err) != STATUS_OK) {
        uci_complain(uci, &err);
        return;
    }
    uci->weights = read;
    search_set_weights(uci->search, &uci->weights);
}

/* A constant of the search: an option that `uci` does not list, for tuning (see `spsa`). */
static void set_search_param(Uci *uci, const char *name, const char *value)
{
    SearchParams params = *search_params(uci->search);
    Error err = {0};

    if (search_params_set(&params, name, value, &err) == STATUS_OK)
        search_set_params(uci->search, &params);
    else
        uci_complain(uci, &err);
}

static const struct UciOption {
    const char *name;
    const char *type; /* what `uci` prints after the name */
    void (*set)(Uci *uci, const char *value);
} options[] = {
    {"Hash", "type spin default 16 min 1 max 65536", set_hash},
    {"Clear Hash", "type button", set_clear_hash},
    {"Threads", "type spin default 1 min 1 max 1024", set_threads},
    {"Ponder", "type check default false", set_ponder},
    {"MultiPV", "type spin default 1 min 1 max 256", set_multipv},
    {"Move Overhead", "type spin default 10 min 0 max 5000", set_move_overhead},
    {"UCI_Chess960", "type check default false", set_chess960},
    {"EvalFile", "type string default <empty>", set_eval_file},
    {"OwnBook", "type check default false", uci_set_own_book},
    {"BookFile", "type string default <empty>", uci_set_book_file},
    {"BookDepth", "type spin default 255 min 0 max 1000", uci_set_book_depth},
    {"BookSeed", "type spin default 0 min 0 max 2147483647", uci_set_book_seed},
    {"SyzygyPath", "type string default <empty>", uci_set_syzygy_path},
    {"SyzygyProbeDepth", "type spin default 1 min 1 max 100", uci_set_probe_depth},
    {"Syzygy50MoveRule", "type check default true", uci_set_fifty_move_rule},
    {"SyzygyProbeLimit", "type spin default 7 min 0 max 7", uci_set_probe_limit},
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* A build without endgame tables has no options of them. */
static bool is_offered(const struct UciOption *option)
{
    return syzygy_built() || strncmp(option->name, "Syzygy", 6) != 0;
}

/* The text between two places of a line, without the blanks around it; cut out in place. */
static char *trimmed(char *from, char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    *to = '\0';
    return from;
}

/* Finds a whole word; NULL where it is absent. */
static char *find_word(char *line, const char *word)
{
    size_t n = strlen(word);
    for (char *at = line; (at = strstr(at, word)) != NULL; at += n)
        if ((at == line || isspace((unsigned char)at[-1])) &&
            (at[n] == '\0' || isspace((unsigned char)at[n])))
            return at;
    return NULL;
}

/* "name <words> [value <words>]"; both may contain blanks. */
static void do_setoption(Uci *uci, char *line)
{
    char *end = line + strlen(line);
    char *name = find_word(line, "name");
    if (!name) {
        complain(uci, "setoption without a name:", line);
        return;
    }
    char *value = find_word(name + 4, "value");
    char *value_text = value ? trimmed(value + 5, end) : end;
    name = trimmed(name + 4, value ? value : end);

    for (int i = 0; i < OPTIONS; i++)
        if (is_offered(&options[i]) && strcasecmp(options[i].name, name) == 0) {
            uci_settle(uci);
            options[i].set(uci, value_text);
            return;
        }
    if (search_params_known(name)) {
        uci_settle(uci);
        set_search_param(uci, name, value_text);
    } else {
        complain(uci, "no such option", name);
    }
}

static void do_uci(Uci *uci)
{
    uci_say(uci, "id name Tabia %s", TABIA_VERSION);
    uci_say(uci, "id author the Tabia authors");
    for (int i = 0; i < OPTIONS; i++)
        if (is_offered(&options[i]))
            uci_say(uci, "option name %s %s", options[i].name, options[i].type);
    uci_say(uci, "uciok");
}

/* ---- Positions */

/* Joins the words up to "moves" or the end; returns false when they cannot be a FEN. */
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

/* Reads everything before it changes anything: after an error the old position stands. */
static void do_position(Uci *uci, char *line)
{
    Position pos, next;
    KeyHistory history = {.count = 0};
    Error err = {0};
    char fen[2 * FEN_MAX];
    char *word = uci_next_word(&line);

    if (word && strcmp(word, "startpos") == 0) {
        position_set_start(&pos);
        word = uci_next_word(&line);
        if (word && strcmp(word, "moves") != 0) {
            complain(uci, "expected moves, not", word);
            return;
        }
    } else if (word && strcmp(word, "fen") == 0) {
        if (!join_fen(&line, fen, sizeof fen)) {
            complain(uci, "this is no FEN:", fen);
            return;
        }
        if (position_from_fen(&pos, fen, &err) != STATUS_OK) {
            uci_complain(uci, &err);
            return;
        }
    } else {
        complain(uci, "position needs startpos or fen, not", word ? word : "");
        return;
    }
    bool pos_chess960 = pos.chess960;
    pos.chess960 = pos_chess960 || uci->chess960;

    while ((word = uci_next_word(&line)) != NULL) {
        Move m;
        if (move_from_uci(&pos, word, &m, &err) != STATUS_OK) {
            uci_complain(uci, &err);
            return;
        }
        key_history_push(&history, &pos);
        position_make(&next, &pos, m);
        pos = next;
    }
    uci->pos = pos;
    uci->pos_chess960 = pos_chess960;
    uci->history = history;
}

/* ---- The loop */

/* Obeys the command that begins with `word`, but for `quit`; false if there is none such. */
static bool obey_command(Uci *uci, const char *word, char *line)
{
    if (strcmp(word, "uci") == 0) {
        do_uci(uci);
    } else if (strcmp(word, "isready") == 0) {
        uci_say(uci, "readyok");
    } else if (strcmp(word, "setoption") == 0) {
        do_setoption(uci, line);
    } else if (strcmp(word, "ucinewgame") == 0) {
        uci_settle(uci);
        search_new_game(uci->search);
        uci->book.games++;
    } else if (strcmp(word, "position") == 0) {
        do_position(uci, line);
    } else if (strcmp(word, "go") == 0) {
        uci_go(uci, line);
    } else if (strcmp(word, "stop") == 0) {
        uci_stop(uci);
    } else if (strcmp(word, "ponderhit") == 0) {
        uci_ponderhit(uci);
    } else if (strcmp(word, "d") == 0) {
        uci_display(uci);
    } else if (strcmp(word, "eval") == 0) {
        uci_eval(uci);
    } else if (strcmp(word, "spsa") == 0) {
        uci_spsa(uci);
    } else if (strcmp(word, "bench") == 0) {
        uci_bench(uci, line);
    } else if (strcmp(word, "perft") == 0) {
        uci_perft(uci, uci_next_word(&line));
    } else if (strcmp(word, "genfens") == 0) {
        uci_genfens(uci, line);
    } else {
        return strcmp(word, "debug") == 0 || strcmp(word, "register") == 0;
    }
    return true;
}

/* Obeys one line; false on `quit`. Words before a command are skipped, as the protocol has it. */
static bool obey(Uci *uci, char *line)
{
    bool told = false;
    char *word;

    while ((word = uci_next_word(&line)) != NULL) {
        if (strcmp(word, "quit") == 0) return false;
        if (obey_command(uci, word, line)) break;
        if (!told) complain(uci, "unknown command", word);
        told = true;
    }
    return true;
}

static Status uci_init(Uci *uci, FILE *out, Error *err)
{
    memset(uci, 0, sizeof *uci);
    uci->out = out;
    uci->multipv = 1;
    uci_book_init(&uci->book);
    weights_builtin(&uci->weights);
    position_set_start(&uci->pos);
    uci->search = search_create(&uci->weights, (size_t)HASH_DEFAULT_MB << 20, err);
    if (!uci->search) return STATUS_FAILED;
    search_set_move_overhead(uci->search, OVERHEAD_DEFAULT_MS);
    uci_tables_init(uci);
    if (pthread_mutex_init(&uci->lock, NULL) != 0 || pthread_cond_init(&uci->released, NULL) != 0) {
        search_destroy(uci->search);
        return error_set(err, STATUS_FAILED, "cannot create a lock");
    }
    return STATUS_OK;
}

int uci_main(FILE *in, FILE *out, int argc, char **argv)
{
    Uci uci;
    Error err = {0};
    bool going = true;

    if (uci_init(&uci, out, &err) != STATUS_OK) {
        fprintf(stderr, "tabia-engine: %s\n", err.text);
        return STATUS_FAILED;
    }
    for (int i = 0; going && i < argc; i++)
        going = obey(&uci, argv[i]);
    if (argc > 0) {
        /* Commands on the command line are a whole session; what they started may finish. */
        uci_settle(&uci);
    } else {
        char *line = NULL;
        size_t room = 0;
        ssize_t length;
        while (going && (length = getline(&line, &room, in)) >= 0)
            if (memchr(line, '\0', (size_t)length))
                complain(&uci, "a line with a NUL byte:", line);
            else
                going = obey(&uci, line);
        free(line);
        uci_stop(&uci);
    }
    (void)pthread_cond_destroy(&uci.released);
    (void)pthread_mutex_destroy(&uci.lock);
    search_destroy(uci.search);
    uci_book_free(&uci.book);
    return STATUS_OK;
}
