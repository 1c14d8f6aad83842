/* SPDX-License-Identifier: MIT
 * The steps are rows of a table; most say what is sent, and a function judges the answer. */
#include "selfplay/players/compliance.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/child_process.h"
#include "selfplay/players/uci_messages.h"

enum {
    START_MS = 20000, /* longest wait for uciok */
    ANSWER_MS = 5000, /* … for readyok, and for the end after quit */
    MOVE_MS = 10000,  /* … for a move, unless the row has another */
    QUIET_MS = 300,   /* a search that must go on is watched so long */
    LONG_GAME = 400,  /* plies */
    NODES_EXTRA = 1 << 20,
    SEND_MAX = 4096
};

/* Kinds of lines that are judged wherever they come. Those of PVs are the PvFaults. */
enum { LINES_INFO, LINES_PONDER = PV_FAULTS, LINES_OPTION, LINE_KINDS };

typedef struct LineFaults {
    int lines[LINE_KINDS];                       /* that were judged */
    char first[LINE_KINDS][COMPLIANCE_NOTE_MAX]; /* fault; "": none */
} LineFaults;

typedef struct Session {
    const UciSetup *setup;
    ChildProcess *child; /* NULL: it must be started again */
    bool handshaken;     /* once: the members up to `defaults` are known */
    bool named, authored, ponder, chess960;
    char defaults[SEND_MAX]; /* setoption lines of default values */
    Position pos;            /* of the search */
    Move best;               /* the last legal one */
    int bestmoves;           /* since the last go() */
    long long nodes;         /* of the last info line */
    int scores;              /* info lines with one, of all searches */
    char pv[PV_LINE_MAX];
    LineFaults faults;
    char line[COMPLIANCE_NOTE_MAX]; /* that was awaited */
    char note[COMPLIANCE_NOTE_MAX];
} Session;

typedef struct Step {
    const char *name;
    Verdict (*check)(Session *s, const struct Step *step);
    const char *position; /* "startpos …" or "fen …" */
    const char *send;     /* a go command, or lines before isready */
    const char *moves;    /* the engine must play one of them; NULL: any */
    const char *then;     /* sent after QUIET_MS without a move */
    int lines;            /* the kind that check_lines() looks at */
    int ms;               /* longest wait for its move; 0: MOVE_MS */
} Step;

PRINTF_LIKE(2, 3)
static Verdict fail(Session *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(s->note, sizeof s->note, format, args);
    va_end(args);
    return VERDICT_FAILED;
}

static Verdict skip(Session *s, const char *why)
{
    (void)fail(s, "%s", why);
    return VERDICT_SKIPPED;
}

/* ---- Lines of the engine */

static bool is_number(TextWord word)
{
    size_t sign = word.length > 1 && *word.at == '-';
    return word.length > sign && strspn(word.at + sign, "0123456789") >= word.length - sign;
}

static bool is_one_of(TextWord word, const char *const *words)
{
    while (*words && !text_word_is(word, *words))
        words++;
    return *words != NULL;
}

/* Notes the first fault of a kind. */
PRINTF_LIKE(3, 4)
static void note_line(Session *s, int kind, const char *format, ...)
{
    char *note = s->faults.first[kind];
    va_list args;

    va_start(args, format);
    if (!*note) (void)vsnprintf(note, COMPLIANCE_NOTE_MAX, format, args);
    va_end(args);
}

/* The first word of an info line that the protocol does not have there; its length is 0 when all
 * are right, or when the last one lacks its value: then *lacks is true. */
static TextWord odd_word(const char *line, bool *lacks)
{
    static const char *const numbers[] = {"depth",          "seldepth", "time", "nodes",  "multipv",
                                          "currmovenumber", "hashfull", "nps",  "tbhits", "sbhits",
                                          "cpuload",        "cp",       "mate", NULL};
    static const char *const moves[] = {"currmove", "pv", "refutation", "currline", NULL};
    static const char *const bare[] = {"score", "lowerbound", "upperbound", NULL};
    TextSpan rest = text_span(line);
    int wanted = 0; /* numbers */
    bool in_moves = false;
    TextWord word = text_next_word(&rest); /* info */

    while ((word = text_next_word(&rest)).length > 0) {
        bool number = is_number(word), move = uci_looks_like_move(word);
        if (wanted > 0 ? !number : number && !in_moves) return word;
        if (wanted > 0) {
            wanted--;
        } else if (text_word_is(word, "string")) {
            break;
        } else if (!(in_moves && (move || number))) {
            wanted = is_one_of(word, numbers) ? 1 : text_word_is(word, "wdl") ? 3 : 0;
            in_moves = is_one_of(word, moves);
            if (wanted == 0 && !in_moves && !is_one_of(word, bare)) return word;
        }
    }
    *lacks = wanted > 0;
    return (TextWord){"", 0};
}

static void judge_info(Session *s, const char *line)
{
    const char *nodes = strstr(line, " nodes ");
    bool lacks = false;

    TextWord odd = odd_word(line, &lacks);
    s->faults.lines[LINES_INFO]++;
    if (lacks) note_line(s, LINES_INFO, "a number is missing at the end of: %.800s", line);
    if (odd.length > 0)
        note_line(s, LINES_INFO, "\"%.*s\" is not expected in: %.800s", (int)odd.length, odd.at,
                  line);
    s->scores += strstr(line, " score ") != NULL;
    if (nodes) s->nodes = strtoll(nodes + 7, NULL, 10);
    pv_keep(s->pv, line);
}

/* id and option lines of the handshake. */
static void take_introduction(Session *s, const char *line)
{
    char wanted[SEND_MAX], option[COMPLIANCE_NOTE_MAX];
    Error fault = {0};

    s->named |= strncmp(line, "id name ", 8) == 0;
    s->authored |= strncmp(line, "id author ", 10) == 0;
    s->ponder |= strncmp(line, "option name Ponder ", 19) == 0;
    s->chess960 |= strncmp(line, "option name UCI_Chess960 ", 25) == 0;
    if (strncmp(line, "option", 6) != 0) return;
    s->faults.lines[LINES_OPTION]++;
    const char *last = strrchr(line, ' ');
    bool empty = last && strcmp(last, " default") == 0; /* the blank after it was cut */
    (void)snprintf(option, sizeof option, "%.1000s%s", line, empty ? " " : "");
    Status status = uci_option_default(option, wanted, sizeof wanted, &fault);
    if (status != STATUS_OK) note_line(s, LINES_OPTION, "%s: %.600s", fault.text, line);
    char *equals = strchr(wanted, '=');
    if (status != STATUS_OK || !equals ||
        strlen(s->defaults) + strlen(wanted) + 32 > sizeof s->defaults)
        return;
    text_append(s->defaults, sizeof s->defaults, "setoption name %.*s value %s\n",
                (int)(equals - wanted), wanted, equals + 1);
}

/* ---- Talking to it */

static void drop(Session *s)
{
    child_stop(s->child, NULL);
    s->child = NULL;
}

/* A failure shows when reading. */
static void send_lines(Session *s, const char *lines)
{
    (void)child_send(s->child, lines, strlen(lines));
    (void)child_send(s->child, "\n", 1);
}

/* Reads until a line begins with `word`, and keeps it. False at the deadline, or when the process
 * has ended: then it is dropped, and the note says so. quiet: the deadline is what is hoped for;
 * nothing is dropped and noted then. */
static bool await(Session *s, const char *word, int64_t ms, bool quiet)
{
    const int64_t deadline = clock_ms() + ms;
    char late[64], end[CHILD_END_MAX], *line;
    ChildEvent event;

    while ((event = child_receive(s->child, deadline, s->setup->cancelled, &line)) == CHILD_LINE &&
           clock_ms() <= deadline) {
        uci_join_words(line);
        text_clean(line);
        (void)snprintf(s->line, sizeof s->line, "%.1000s", line);
        if (!s->handshaken) take_introduction(s, s->line);
        TextSpan rest = text_span(line);
        TextWord first = text_next_word(&rest);
        s->bestmoves += text_word_is(first, "bestmove");
        if (text_word_is(first, "info")) judge_info(s, line);
        if (text_word_is(first, word)) return true;
    }
    if (quiet && (event == CHILD_TIMEOUT || event == CHILD_LINE)) return false;
    (void)snprintf(late, sizeof late, "timeout after %.1f s", (double)ms / 1000);
    child_describe_end(s->child, event == CHILD_LINE ? CHILD_TIMEOUT : event, late, end);
    (void)fail(s, "no %s: %s", word, end);
    drop(s);
    return false;
}

static bool ready(Session *s)
{
    send_lines(s, "isready");
    return await(s, "readyok", ANSWER_MS, false);
}

static Status start(Session *s, Error *err)
{
    const ChildSetup setup = {
        .name = s->setup->name, .command = s->setup->command, .log = s->setup->log};

    s->child = child_start(&setup, err);
    if (!s->child) return err->status;
    send_lines(s, "uci");
    if (await(s, "uciok", START_MS, false)) {
        s->handshaken = true;
        (void)ready(s);
    }
    return STATUS_OK;
}

/* The position of a row. */
static void set_position(Session *s, const char *text)
{
    const char *moves = strstr(text, " moves ");
    TextSpan rest = text_span(moves ? moves + 7 : "");
    char fen[FEN_MAX] = START_FEN;
    TextWord word;
    Move move;

    if (*text == 'f')
        (void)snprintf(fen, sizeof fen, "%.*s",
                       (int)(moves ? moves - text : (ptrdiff_t)strlen(text)) - 4, text + 4);
    Status status = position_from_fen(&s->pos, fen, &(Error){0});
    while (status == STATUS_OK && (word = text_next_word(&rest)).length > 0) {
        const Position before = s->pos;
        status = move_from_uci(&before, word.at, &move, &(Error){0});
        if (status == STATUS_OK) position_make(&s->pos, &before, move);
    }
    assert(status == STATUS_OK);
}

static void go(Session *s, const char *position, const char *text)
{
    char lines[SEND_MAX];

    set_position(s, position);
    s->bestmoves = 0;
    s->nodes = 0;
    *s->pv = '\0';
    (void)snprintf(lines, sizeof lines, "position %s\n%s", position, text);
    send_lines(s, lines);
}

/* The move to ponder on, and the PV. */
static void judge_rest(Session *s, TextSpan rest)
{
    TextWord word = {"", 0};
    char fen[FEN_MAX];
    Position after;
    Move move;

    position_to_fen(&s->pos, fen);
    if (text_word_is(text_next_word(&rest), "ponder")) {
        TextWord ponder = text_next_word(&rest);
        position_make(&after, &s->pos, s->best);
        s->faults.lines[LINES_PONDER]++;
        if (move_from_uci(&after, ponder.at, &move, &(Error){0}) != STATUS_OK)
            note_line(s, LINES_PONDER, "%.100s in %s", s->line, fen);
    }
    if (!*s->pv) return;
    for (int i = PV_ILLEGAL; i < PV_FAULTS; i++)
        s->faults.lines[i]++;
    PvFault fault = pv_check(&s->pos, s->pv, s->best, &word);
    if (fault) note_line(s, (int)fault, "%.100s after %.700s in %s", s->line, s->pv, fen);
}

/* Waits for a legal move of the row. */
static Verdict await_move(Session *s, const Step *step)
{
    char fen[FEN_MAX], text[UCI_MOVE_MAX];

    if (!await(s, "bestmove", step->ms ? step->ms : MOVE_MS, false)) return VERDICT_FAILED;
    TextSpan rest = text_span(s->line);
    (void)text_next_word(&rest);
    TextWord word = text_next_word(&rest);
    position_to_fen(&s->pos, fen);
    if (move_from_uci(&s->pos, word.at, &s->best, &(Error){0}) != STATUS_OK)
        return fail(s, "\"%.100s\" is not a legal move in %s", s->line, fen);
    move_to_uci(&s->pos, s->best, text);
    if (!text_word_is(word, text))
        return fail(s, "\"%.100s\" is written %s in %s", s->line, text, fen);
    judge_rest(s, rest);
    TextSpan allowed = text_span(step->moves ? step->moves : text);
    while ((word = text_next_word(&allowed)).length > 0)
        if (text_word_is(word, text)) return VERDICT_PASSED;
    return fail(s, "\"%.100s\" instead of one of %s in %s", s->line, step->moves, fen);
}

/* ---- How steps are judged */

static Verdict check_start(Session *s, const Step *step)
{
    (void)step;
    return s->child ? VERDICT_PASSED : VERDICT_FAILED;
}

static Verdict check_name(Session *s, const Step *step)
{
    (void)step;
    return s->named ? VERDICT_PASSED : fail(s, "there is none");
}

static Verdict check_author(Session *s, const Step *step)
{
    (void)step;
    return s->authored ? VERDICT_PASSED : fail(s, "there is none");
}

/* The lines are followed by isready, and no move comes. */
static Verdict check_ready(Session *s, const Step *step)
{
    s->bestmoves = 0;
    if (step->send) send_lines(s, step->send);
    if (!ready(s)) return VERDICT_FAILED;
    return s->bestmoves ? fail(s, "a bestmove without a search") : VERDICT_PASSED;
}

static Verdict check_defaults(Session *s, const Step *step)
{
    const Step lines = {.name = step->name, .send = s->defaults};
    return *s->defaults ? check_ready(s, &lines) : skip(s, "it has no options with a default");
}

static Verdict check_move(Session *s, const Step *step)
{
    go(s, step->position, step->send);
    return await_move(s, step);
}

static Verdict check_nodes(Session *s, const Step *step)
{
    Verdict verdict = check_move(s, step);
    long long limit = strtoll(strrchr(step->send, ' '), NULL, 10);

    if (verdict != VERDICT_PASSED || s->nodes <= 10 * limit + NODES_EXTRA) return verdict;
    return fail(s, "it searched %lld nodes", s->nodes);
}

/* A long game of knights that go out and home. */
static Verdict check_long_game(Session *s, const Step *step)
{
    static const char *const moves[] = {" g1f3", " g8f6", " f3g1", " f6g8"};
    char position[SEND_MAX] = "startpos moves";

    for (int i = 0; i < LONG_GAME; i++)
        text_append(position, sizeof position, "%s", moves[i % 4]);
    go(s, position, step->send);
    return await_move(s, step);
}

/* No move comes before step->then is sent. */
static Verdict check_wait(Session *s, const Step *step)
{
    go(s, step->position, step->send);
    if (await(s, "bestmove", QUIET_MS, true))
        return fail(s, "\"%.100s\" before %s was sent", s->line, step->then);
    if (!s->child) return VERDICT_FAILED;
    send_lines(s, step->then);
    return await_move(s, step);
}

static Verdict check_ponder(Session *s, const Step *step)
{
    return s->ponder ? check_wait(s, step) : skip(s, "it has no option Ponder");
}

/* isready is answered while it searches, and the search goes on. */
static Verdict check_busy(Session *s, const Step *step)
{
    go(s, step->position, step->send);
    if (!ready(s)) return VERDICT_FAILED;
    if (s->bestmoves) return fail(s, "isready ended the search");
    send_lines(s, "stop");
    return await_move(s, step);
}

/* One bestmove for a search, also for one that is stopped at once. */
static Verdict check_single(Session *s, const Step *step)
{
    Verdict verdict;

    go(s, step->position, step->send);
    send_lines(s, "stop");
    verdict = await_move(s, step);
    if (verdict != VERDICT_PASSED) return verdict;
    if (!ready(s)) return VERDICT_FAILED;
    return s->bestmoves == 1 ? VERDICT_PASSED : fail(s, "%d of them", s->bestmoves);
}

/* Without a legal move the answer is no move, and the engine goes on. */
static Verdict check_over(Session *s, const Step *step)
{
    go(s, step->position, step->send);
    if (!await(s, "bestmove", MOVE_MS, false)) return VERDICT_FAILED;
    TextSpan rest = text_span(s->line);
    (void)text_next_word(&rest);
    if (uci_looks_like_move(text_next_word(&rest))) return fail(s, "\"%.100s\"", s->line);
    return ready(s) ? VERDICT_PASSED : VERDICT_FAILED;
}

static Verdict check_chess960(Session *s, const Step *step)
{
    if (!s->chess960) return skip(s, "it has no option UCI_Chess960");
    send_lines(s, "setoption name UCI_Chess960 value true");
    Verdict verdict = check_move(s, step);
    if (s->child) send_lines(s, "setoption name UCI_Chess960 value false");
    return verdict;
}

/* Lines of this and all earlier steps. */
static Verdict check_lines(Session *s, const Step *step)
{
    const char *fault = s->faults.first[step->lines];

    if (s->faults.lines[step->lines] == 0) return skip(s, "there was none");
    return *fault ? fail(s, "%s", fault) : VERDICT_PASSED;
}

static Verdict check_scores(Session *s, const Step *step)
{
    (void)step;
    return s->scores > 0 ? VERDICT_PASSED : fail(s, "no info line had a score");
}

/* The process ends, after quit or, without a line to send, at the end of its input. */
static Verdict check_end(Session *s, const Step *step)
{
    const int64_t deadline = clock_ms() + ANSWER_MS;
    ChildEvent event;
    char *line;

    if (step->position) go(s, step->position, "go infinite");
    if (step->send) send_lines(s, step->send);
    if (!step->send) child_close_input(s->child);
    do
        event = child_receive(s->child, deadline, s->setup->cancelled, &line);
    while (event == CHILD_LINE && clock_ms() <= deadline);
    drop(s);
    return event == CHILD_GONE ? VERDICT_PASSED
                               : fail(s, "it still ran after %.1f s", (double)ANSWER_MS / 1000);
}

/* ---- The steps */

#define OPEN_GAME   "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
#define MIDDLE_GAME "fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
#define BACK_RANK   "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"

static const Step steps[] = {
    {"uci is answered by uciok, isready by readyok", check_start},
    {"the engine has an id name", check_name},
    {"the engine has an id author", check_author},
    {"option lines have a name, a type, and what the type needs", check_lines,
     .lines = LINES_OPTION},
    {"setoption takes the defaults", check_defaults},
    {"ucinewgame", check_ready, .send = "ucinewgame"},
    {"debug on and off", check_ready, .send = "debug on\ndebug off"},
    {"white space between words", check_ready, .send = "  debug \t off\t"},
    {"a line that ends with CR LF", check_ready, .send = "debug off\r"},
    {"an empty line is ignored", check_ready, .send = ""},
    {"an unknown command is ignored", check_ready, .send = "xyzzy plugh"},
    {"setoption of an unknown option is ignored", check_ready,
     .send = "setoption name No Such Option value 1"},
    {"stop without a search is ignored", check_ready, .send = "stop"},
    {"an illegal move in position does not end the engine", check_ready,
     .send = "position startpos moves e2e4 e2e5"},
    {"go depth, startpos", check_move, "startpos", "go depth 3"},
    {"go depth, startpos moves", check_move, OPEN_GAME, "go depth 3"},
    {"go depth, fen", check_move, MIDDLE_GAME, "go depth 3"},
    {"go depth, fen with Black to move", check_move,
     "fen rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R b KQkq - 1 5", "go depth 3"},
    {"moves: castling", check_move, MIDDLE_GAME " moves e1g1 b7b6", "go depth 3"},
    {"moves: en passant", check_move, "fen 7k/8/8/8/1pP5/8/8/K7 b - c3 0 1 moves b4c3",
     "go depth 3", "a1a2 a1b1"},
    {"moves: promotion", check_move, "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n h7h8",
     "go depth 3", "a8b6 a8c7 a1a2 a1b1 a1b2"},
    {"moves: a game of 400 plies", check_long_game, .send = "go depth 2"},
    {"a promotion is written in lower case", check_move, "fen 8/P7/8/8/8/6k1/6p1/6K1 w - - 0 1",
     "go depth 2", "a7a8q a7a8r a7a8b a7a8n"},
    {"a check is answered", check_move, "fen 4k3/8/8/8/8/8/4r3/3QK3 w - - 0 1", "go depth 2",
     "d1e2 e1e2 e1f1"},
    {"the only legal move is played", check_move, "fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1",
     "go wtime 10000 btime 10000", "a1b2"},
    {"go nodes", check_nodes, OPEN_GAME, "go nodes 2000"},
    {"go movetime", check_move, OPEN_GAME, "go movetime 100", .ms = 1500},
    {"go wtime btime", check_move, OPEN_GAME, "go wtime 1000 btime 1000", .ms = 2000},
    {"go with increments, Black to move", check_move, "startpos moves d2d4",
     "go btime 500 binc 50 wtime 60000 winc 1000", .ms = 1500},
    {"go with movestogo", check_move, OPEN_GAME, "go wtime 500 btime 60000 movestogo 5",
     .ms = 1500},
    {"go with 50 ms on the clock", check_move, OPEN_GAME, "go wtime 50 btime 50", .ms = 1000},
    {"go searchmoves", check_move, OPEN_GAME, "go depth 3 searchmoves b5a4 b5c6", "b5a4 b5c6"},
    {"go mate", check_move, BACK_RANK, "go mate 1", "a1a8"},
    {"a mate in one is found", check_move, BACK_RANK, "go depth 4", "a1a8"},
    {"go infinite ends at stop", check_wait, OPEN_GAME, "go infinite", .then = "stop", .ms = 2000},
    {"go infinite goes on after a mate is found", check_wait, BACK_RANK, "go infinite",
     .then = "stop", .ms = 2000},
    {"isready is answered during a search", check_busy, OPEN_GAME, "go infinite", .ms = 2000},
    {"one bestmove for each search", check_single, OPEN_GAME, "go infinite", .ms = 2000},
    {"go ponder, ponderhit", check_ponder, OPEN_GAME, "go ponder wtime 1000 btime 1000",
     .then = "ponderhit"},
    {"go ponder, stop", check_ponder, OPEN_GAME, "go ponder wtime 60000 btime 60000",
     .then = "stop", .ms = 2000},
    {"a position that is mate has no bestmove", check_over, "fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
     "go depth 2"},
    {"a position that is stalemate has no bestmove", check_over,
     "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 2"},
    {"Chess960: castling is king takes rook", check_chess960,
     "fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1 moves e1g1", "go depth 3"},
    {"info lines have the protocol's words and numbers", check_lines, .lines = LINES_INFO},
    {"info lines have scores", check_scores},
    {"moves of PVs are legal", check_lines, .lines = PV_ILLEGAL},
    {"a PV begins with the best move", check_lines, .lines = PV_OTHER_MOVE},
    {"the PV of a mate score ends in mate", check_lines, .lines = PV_NO_MATE},
    {"moves to ponder on are legal", check_lines, .lines = LINES_PONDER},
    {"quit ends the engine", check_end, .send = "quit"},
    {"quit during a search ends the engine", check_end, OPEN_GAME, "quit"},
    {"the end of its input ends the engine", check_end},
};

Status compliance_run(const UciSetup *setup,
                      void (*take)(void *context, const ComplianceStep *step), void *context,
                      Error *err)
{
    Session *s = calloc(1, sizeof *s);
    Verdict last = VERDICT_PASSED;

    if (!s) return error_set(err, STATUS_FAILED, "out of memory for a session");
    s->setup = setup;
    Status status = start(s, err);
    for (int i = 0; status == STATUS_OK && i < (int)(sizeof steps / sizeof *steps); i++) {
        if (last == VERDICT_FAILED) drop(s); /* later output would belong to the next step */
        if (i > 0 && !s->child && last != VERDICT_SKIPPED) status = start(s, err);
        if (status != STATUS_OK) break;
        if (i > 0) *s->note = '\0';
        last = i > 0 && !s->child ? skip(s, "the engine does not start")
                                  : steps[i].check(s, &steps[i]);
        if (setup->cancelled && atomic_load(setup->cancelled))
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
        else
            take(context, &(ComplianceStep){i + 1, steps[i].name, last, s->note});
    }
    drop(s);
    free(s);
    return status;
}
