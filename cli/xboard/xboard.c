/* SPDX-License-Identifier: MIT
 * An adapter between UCI on standard input and output and an engine of the xboard protocol. One
 * loop waits for both sides. Lines to the engine are collected and sent in one write. */
#include "cli/xboard/xboard.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/play/player_spec.h"
#include "cli/xboard/features.h"
#include "cli/xboard/messages.h"
#include "db/chess/game_builder.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/board/chess960.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/child_process.h"

enum {
    INPUT_MAX = 1 << 16,
    FEATURES_MS = 2000, /* time for an engine to announce its features, as in xboard */
    MOVE_NOW_MS = 2000, /* wait for the move of a search that a new game cuts off */
    CLAIM_MS = 300,     /* wait after a claim for the move that it may belong to */
    QUIT_MS = 300,      /* must be less than the GUI waits for us to exit */
    NEVER_MS = 3600000,
    NUMBER_MAX = 2000000000 /* larger limits of go count as this */
};

typedef struct Session {
    const XboardSetup *setup;
    ChildProcess *child;
    XboardFeatures features;
    TextStream lines; /* for the engine */

    GameBuilder wanted; /* the game of UCI's last position command */
    bool refused;       /* that command had a fault: wanted is of an earlier one */
    GameBuilder sent;   /* the game that was sent to the engine */
    bool chess960;      /* UCI's option */
    bool started;       /* "new" was sent */
    bool fresh;         /* no game was sent, or no position, move or clock after "new" */
    bool answers_moves; /* the engine is not in force mode: it answers a move with its own */
    bool thinking;
    bool stopping;              /* "?" (move now) was sent */
    bool owes_move;             /* its claim or refusal was the answer: a move may still follow */
    SearchLimits limits, level; /* of this move; as last sent to the engine */
    bool endless;               /* go infinite or ponder: no bestmove before stop or ponderhit */
    char held[64];              /* the bestmove that waits for it; "": none */

    int64_t deadline_ms;     /* for the features, or for a move after a claim */
    bool awaits_features;    /* the engine may still announce features */
    int pings, pongs;        /* sent and answered; readyok is due for the difference */
    char claim[64];          /* "": none is pending */
    char last_move[SAN_MAX]; /* that was sent */
    bool quit, input_ended;  /* end the session; standard input is at its end */
    char input[INPUT_MAX];
    size_t input_length;
} Session;

/* ---- To the engine */

/* Sends the collected lines. An engine that has ended is detected on reading. */
static void send_text(Session *s)
{
    if (text_stream_flush(&s->lines) && s->lines.length > 0)
        (void)child_send(s->child, s->lines.text, s->lines.length);
    s->lines.length = 0;
}

static void add_line(Session *s, const char *line)
{
    (void)fprintf(s->lines.out, "%s\n", line);
}

static void reset_sent(Session *s, const Position *start)
{
    game_builder_start(&s->sent, start);
    s->answers_moves = s->thinking = s->owes_move = false;
    s->last_move[0] = s->claim[0] = '\0';
}

/* The engine is in force mode afterwards, at the start of chess. */
static Status begin_game(Session *s, Error *err)
{
    Position start;

    if (!s->fresh && !s->features.reuse)
        return error_set(err, STATUS_ENGINE, "%s plays one game only; give it restart=on",
                         s->setup->program);
    if (s->owes_move && !s->features.ping)
        return error_set(
            err, STATUS_ENGINE,
            "%s: no feature ping; a late move of its last game would count in the next one",
            s->setup->program);
    add_line(s, "new");
    if (s->chess960) add_line(s, "variant fischerandom");
    add_line(s, "force\npost\neasy");
    position_set_start(&start);
    reset_sent(s, &start);
    s->started = s->fresh = true;
    s->level = (SearchLimits){.depth = -1}; /* none was sent: differs from every request */
    return STATUS_OK;
}

static Status set_up(Session *s, Error *err)
{
    Position start;

    if (position_from_fen(&start, s->wanted.record.start_fen, err) != STATUS_OK) return err->status;
    reset_sent(s, &start);
    s->fresh = false;
    if (s->features.setboard)
        (void)fprintf(s->lines.out, "setboard %s\n", s->wanted.record.start_fen);
    else if (!xboard_print_edit(s->lines.out, &start))
        return error_set(err, STATUS_ENGINE,
                         "%s: no feature setboard; the position %s cannot be set up",
                         s->setup->program, s->wanted.record.start_fen);
    return STATUS_OK;
}

static Status send_move(Session *s, Move move, Error *err)
{
    xboard_move_text(&s->sent.pos, move, s->features.san, s->last_move);
    (void)fprintf(s->lines.out, "%s%s\n", s->features.usermove ? "usermove " : "", s->last_move);
    s->fresh = false;
    return game_builder_add(&s->sent, move, SCORE_UNKNOWN, err);
}

/* Is the game that was sent the beginning of the wanted one? */
static bool continues(const Session *s)
{
    const GameRecord *sent = &s->sent.record, *wanted = &s->wanted.record;

    if (strcmp(sent->start_fen, wanted->start_fen) != 0 || sent->ply_count > wanted->ply_count)
        return false;
    for (int i = 0; i < sent->ply_count; i++)
        if (sent->plies[i].move != wanted->plies[i].move) return false;
    return true;
}

static bool same_level(const SearchLimits *a, const SearchLimits *b)
{
    return a->has_clock == b->has_clock && a->movetime_ms == b->movetime_ms && a->depth == b->depth;
}

/* Sends only what the engine lacks of the position, and starts its search. */
static Status think(Session *s, Error *err)
{
    const GameRecord *sent = &s->sent.record, *wanted = &s->wanted.record;
    const Color engine = position_stm(&s->wanted.pos);
    Status status = STATUS_OK;

    if (!s->started || (!continues(s) && !s->fresh)) status = begin_game(s, err);
    if (status == STATUS_OK && !continues(s)) status = set_up(s, err);
    if (status != STATUS_OK) return status;
    bool answers = s->answers_moves && sent->ply_count + 1 == wanted->ply_count &&
                   same_level(&s->level, &s->limits);
    if (s->answers_moves && !answers) add_line(s, "force");
    while (status == STATUS_OK && sent->ply_count + answers < wanted->ply_count)
        status = send_move(s, wanted->plies[sent->ply_count].move, err);
    if (!same_level(&s->level, &s->limits)) xboard_print_level(s->lines.out, &s->limits, engine);
    s->level = s->limits;
    if (s->features.time) xboard_print_clocks(s->lines.out, &s->limits, engine);
    if (answers && status == STATUS_OK)
        status = send_move(s, wanted->plies[sent->ply_count].move, err);
    else
        add_line(s, "go");
    s->fresh = s->stopping = false;
    s->answers_moves = s->thinking = true;
    send_text(s);
    return status;
}

static void move_now(Session *s)
{
    if (!s->thinking || s->stopping) return;
    add_line(s, "?");
    send_text(s);
    s->stopping = true;
}

/* ---- From the engine */

/* One line to the UCI side, flushed. */
PRINTF_LIKE(1, 2) static void reply(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)putchar('\n');
    (void)fflush(stdout);
}

/* bestmove: the engine's move, or its illegal text, resignation or claim. */
static void end_thinking(Session *s, const char *bestmove)
{
    s->thinking = false;
    if (s->endless)
        (void)snprintf(s->held, sizeof s->held, "%s", bestmove);
    else
        reply("bestmove %s", bestmove);
    s->claim[0] = '\0'; /* bestmove may be the claim */
}

/* stop or ponderhit: the answer need not wait. */
static void release(Session *s)
{
    s->endless = false;
    if (s->held[0]) reply("bestmove %s", s->held);
    s->held[0] = '\0';
}

static void handle_move(Session *s, const char *text)
{
    char uci[UCI_MOVE_MAX];
    Move move;

    if (!s->thinking) return;
    if (xboard_read_move(&s->sent.pos, text, &move) != STATUS_OK) {
        s->started = false; /* the position on its board is unknown */
        end_thinking(s, text);
        return;
    }
    move_to_uci(&s->sent.pos, move, uci);
    if (game_builder_add(&s->sent, move, SCORE_UNKNOWN, &(Error){0}) != STATUS_OK)
        s->started = false;
    end_thinking(s, uci);
}

static void handle_loss(Session *s)
{
    s->started = false;
    end_thinking(s, "resign");
}

/* Handles a claim while the engine thinks: by our rules the game is not over. The referee judges
 * claims that follow a move. */
static void handle_claim(Session *s, const char *line)
{
    Color stm = position_stm(&s->sent.pos);

    if (!s->thinking) return;
    if (strncmp(line, stm == WHITE ? "0-1" : "1-0", 3) == 0) {
        handle_loss(s);
        return;
    }
    (void)snprintf(s->claim, sizeof s->claim, "(claims %s)", line);
    s->deadline_ms = clock_ms() + CLAIM_MS;
}

/* "Illegal move (reason): e7e8k". Some engines also print it for unknown commands. */
static void handle_refusal(Session *s, const char *line)
{
    const char *colon = strrchr(line, ':');
    char text[64];

    reply("info string %s: %s", s->setup->program, line);
    if (!colon || !s->thinking) return;
    const char *move = colon + 1 + strspn(colon + 1, " ");
    if (!s->last_move[0] || strncmp(move, s->last_move, strlen(s->last_move)) != 0) return;
    (void)snprintf(text, sizeof text, "(refuses %s)", s->last_move);
    s->started = false;
    s->owes_move = true;
    end_thinking(s, text);
}

static void handle_thinking(Session *s, const XboardThinking *thinking)
{
    const SearchLimits *l = &s->limits;

    xboard_print_info(stdout, thinking, &s->sent.pos, s->setup->white_scores);
    (void)fflush(stdout);
    if ((l->depth > 0 && thinking->depth > l->depth) ||
        (l->nodes_soft > 0 && (uint64_t)thinking->nodes >= l->nodes_soft))
        move_now(s);
}

static const char *after_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length + strspn(line + length, " \t:") : NULL;
}

static void handle_line(Session *s, const char *line)
{
    XboardThinking thinking;
    const char *rest;

    if ((rest = after_word(line, "feature "))) {
        xboard_features_read(&s->features, rest, s->lines.out);
        send_text(s);
        if (s->awaits_features && s->features.waits && !s->input_ended)
            s->deadline_ms = clock_ms() + NEVER_MS;
        if (s->features.done) s->awaits_features = false;
    } else if ((rest = after_word(line, "pong "))) {
        const long number = strtol(rest, NULL, 10);
        for (; number <= s->pings && s->pongs < number; s->pongs++)
            reply("readyok");
    } else if ((rest = after_word(line, "move ")) || (rest = after_word(line, "My move is"))) {
        handle_move(s, rest);
    } else if (after_word(line, "resign") || after_word(line, "tellics resign")) {
        if (s->thinking) handle_loss(s);
    } else if (after_word(line, "1-0") || after_word(line, "0-1") || after_word(line, "1/2-1/2")) {
        handle_claim(s, line);
    } else if (after_word(line, "Illegal move")) {
        handle_refusal(s, line);
    } else if (after_word(line, "Error") || after_word(line, "telluser")) {
        reply("info string %s: %s", s->setup->program, line);
    } else if (s->thinking && xboard_read_thinking(line, &thinking)) {
        handle_thinking(s, &thinking);
    }
}

/* ---- From UCI's side */

static void do_uci(Session *s)
{
    reply("id name %s", s->features.name[0] ? s->features.name : s->setup->program);
    reply("id author unknown"); /* the protocol has no such feature */
    xboard_features_print(&s->features, stdout);
    reply("uciok");
}

static void do_isready(Session *s)
{
    if (s->thinking || !s->features.ping) {
        reply("readyok");
        return;
    }
    (void)fprintf(s->lines.out, "ping %d\n", ++s->pings);
    send_text(s);
}

static Status do_newgame(Session *s, Error *err)
{
    const int64_t until = clock_ms() + MOVE_NOW_MS;
    char *line;

    release(s);
    move_now(s);
    child_watch_input(s->child, false);
    while (s->thinking &&
           child_receive(s->child, until, s->setup->interrupted, &line) == CHILD_LINE)
        handle_line(s, line);
    if (s->thinking) {
        end_thinking(s, "0000");
        s->owes_move = true;
    }
    Status status =
        begin_game(s, err); /* the engine clears its hash table before its clock starts */
    send_text(s);
    return status;
}

/* Cuts off the blanks around a text. */
static char *trimmed(char *text)
{
    text += strspn(text, " ");
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
        text[n - 1] = '\0';
    return text;
}

/* "name NAME [value VALUE]" */
static void do_setoption(Session *s, char *rest)
{
    char *name = strncmp(rest, "name ", 5) == 0 ? rest + 5 : rest, *value = strstr(name, " value ");
    bool known;

    if (value) *value = '\0';
    value = value ? trimmed(value + strlen(" value ")) : rest + strlen(rest);
    name = trimmed(name);
    if (strcasecmp(name, "UCI_Chess960") == 0) {
        known = xboard_read_check(value, &s->chess960);
        if (known) s->started = false;
    } else {
        known = xboard_features_set(&s->features, name, value, s->lines.out);
        send_text(s);
    }
    if (!known) reply("info string error: setoption: no such option or value: %s", name);
}

/* "startpos|fen FEN [moves MOVE…]". After an error the old position stays. */
static Status do_position(Session *s, char *rest, Error *err)
{
    char *moves = strstr(rest, "moves"), *word, *state;
    GameBuilder wanted = {0};
    Position start;
    Status status = STATUS_OK;

    if (moves) *moves = '\0';
    position_set_start(&start);
    if (strncmp(rest, "fen ", 4) == 0) {
        status = position_from_fen(&start, rest + 4, err);
        if (status == STATUS_OK && err->text[0]) reply("info string %s", err->text);
    } else if (strncmp(rest, "startpos", 8) != 0) {
        status = error_set(err, STATUS_BAD_INPUT, "position: expected startpos or fen");
    }
    if (status == STATUS_OK) start.chess960 = s->chess960 || chess960_is_needed(&start);
    if (status == STATUS_OK) game_builder_start(&wanted, &start);
    word = moves ? strtok_r(moves + strlen("moves"), " ", &state) : NULL;
    for (; status == STATUS_OK && word; word = strtok_r(NULL, " ", &state)) {
        Move move;
        status = move_from_uci(&wanted.pos, word, &move, err);
        if (status == STATUS_OK) status = game_builder_add(&wanted, move, SCORE_UNKNOWN, err);
    }
    s->refused = status != STATUS_OK;
    if (status == STATUS_OK) {
        game_builder_free(&s->wanted);
        s->wanted = wanted;
        return STATUS_OK;
    }
    game_builder_free(&wanted);
    if (status != STATUS_BAD_INPUT) return status;
    reply("info string error: %s", err->text);
    return STATUS_OK;
}

/* A number belongs to the known word before it; unknown words take none. */
static void read_limits(Session *s, char *rest)
{
    SearchLimits *l = &s->limits;
    int64_t depth = 0, nodes = 0, moves_to_go = 0, *wanted = NULL;
    const struct {
        const char *name;
        int64_t *value;
    } numbers[] = {{"wtime", &l->time_ms[WHITE]},
                   {"btime", &l->time_ms[BLACK]},
                   {"winc", &l->increment_ms[WHITE]},
                   {"binc", &l->increment_ms[BLACK]},
                   {"movetime", &l->movetime_ms},
                   {"movestogo", &moves_to_go},
                   {"depth", &depth},
                   {"nodes", &nodes}};
    char *state, *end;

    bool stated[COLORS] = {false}; /* who has no clock stated has the other's time */

    *l = (SearchLimits){0};
    s->endless = false;
    for (char *word = strtok_r(rest, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        const long long number = strtoll(word, &end, 10);
        if (wanted && end > word && !*end) {
            *wanted = number < 0 ? 0 : number < NUMBER_MAX ? number : NUMBER_MAX;
            stated[WHITE] |= wanted == &l->time_ms[WHITE];
            stated[BLACK] |= wanted == &l->time_ms[BLACK];
        }
        wanted = NULL;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (strcmp(word, numbers[i].name) == 0) wanted = numbers[i].value;
        s->endless |= strcmp(word, "infinite") == 0 || strcmp(word, "ponder") == 0;
        if (strcmp(word, "searchmoves") == 0 || strcmp(word, "mate") == 0)
            reply("info string go: ignored '%s'", word);
    }
    l->has_clock = stated[WHITE] || stated[BLACK];
    for (int c = WHITE; c < COLORS; c++)
        if (!stated[c]) l->time_ms[c] = l->time_ms[!c];
    l->depth = (int)depth;
    l->nodes_soft = (uint64_t)nodes;
    l->moves_to_go = (int)moves_to_go;
}

static Status do_command(Session *s, char *line, Error *err)
{
    for (char *tab = line; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    line += strspn(line, " ");
    char *rest = line + strcspn(line, " ");
    if (*rest) *rest++ = '\0';
    rest += strspn(rest, " ");
    if (strcmp(line, "uci") == 0) {
        do_uci(s);
    } else if (strcmp(line, "isready") == 0) {
        do_isready(s);
    } else if (strcmp(line, "ucinewgame") == 0) {
        return do_newgame(s, err);
    } else if (strcmp(line, "setoption") == 0) {
        do_setoption(s, rest);
    } else if (strcmp(line, "position") == 0) {
        return do_position(s, rest, err);
    } else if (strcmp(line, "go") == 0 && s->refused) {
        reply("info string go: no move, as the last position was refused");
        reply("bestmove 0000");
    } else if (strcmp(line, "go") == 0 && !s->thinking && !s->held[0]) {
        read_limits(s, rest);
        return think(s, err);
    } else if (strcmp(line, "stop") == 0) {
        release(s);
        move_now(s);
    } else if (strcmp(line, "ponderhit") == 0) {
        release(s);
    } else if (strcmp(line, "quit") == 0) {
        s->quit = true;
        s->input_ended = false; /* then quit is sent before the kill */
    }
    return STATUS_OK;
}

/* Reads the available input. After its end, lines wait at most FEATURES_MS for the features. */
static Status handle_input(Session *s, Error *err)
{
    ssize_t got = read(STDIN_FILENO, s->input + s->input_length, sizeof s->input - s->input_length);

    if (got < 0 && errno == EINTR) return STATUS_OK;
    s->input_ended = got <= 0;
    if (s->input_ended)
        s->deadline_ms = clock_ms() + FEATURES_MS;
    else
        s->input_length += (size_t)got;
    if (s->input_length == sizeof s->input && !memchr(s->input, '\n', sizeof s->input))
        return error_set(err, STATUS_BAD_INPUT, "a line of more than %d bytes", INPUT_MAX);
    return STATUS_OK;
}

/* Runs the commands that were read; they wait while the engine may announce features. */
static Status run_commands(Session *s, Error *err)
{
    Status status = STATUS_OK;
    char *line = s->input, *end;

    while (status == STATUS_OK && !s->quit && !s->awaits_features &&
           (end = memchr(line, '\n', s->input_length - (size_t)(line - s->input)))) {
        *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        status = do_command(s, line, err);
        line = end + 1;
    }
    s->input_length -= (size_t)(line - s->input);
    memmove(s->input, line, s->input_length);
    s->quit |= s->input_ended && !(s->awaits_features && s->input_length > 0);
    return status;
}

/* ---- The loop */

/* Of the features, or of the move that a claim may belong to: then the claim is the answer. */
static void handle_timeout(Session *s)
{
    if (s->awaits_features) {
        s->awaits_features = false;
    } else if (s->claim[0]) {
        s->started = false;
        s->owes_move = true;
        end_thinking(s, s->claim);
    }
}

static Status run_session(Session *s, Error *err)
{
    char end[CHILD_END_MAX];
    Status status = STATUS_OK;
    char *line;

    add_line(s, "xboard\nprotover 2");
    send_text(s);
    s->awaits_features = true;
    s->deadline_ms = clock_ms() + FEATURES_MS;
    while (status == STATUS_OK && !s->quit) {
        bool waits = s->awaits_features || s->claim[0];
        int64_t until = waits ? s->deadline_ms : clock_ms() + NEVER_MS;
        child_watch_input(s->child, !s->input_ended && s->input_length < sizeof s->input);
        ChildEvent event = child_receive(s->child, until, s->setup->interrupted, &line);
        if (event == CHILD_LINE) {
            handle_line(s, line);
        } else if (event == CHILD_INPUT) {
            status = handle_input(s, err);
        } else if (event == CHILD_TIMEOUT) {
            handle_timeout(s);
        } else if (event == CHILD_CANCELLED) {
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
        } else {
            release(s);
            child_describe_end(s->child, event, "", end);
            status = error_set(err, STATUS_ENGINE, "%s: %s", s->setup->program, end);
        }
        if (status == STATUS_OK) status = run_commands(s, err);
        if (status == STATUS_OK && s->lines.lost)
            status = error_set(err, STATUS_FAILED, "out of memory");
    }
    return status;
}

/* Sends quit and waits for the end, so that child_stop() need not send it. */
static void send_quit(Session *s)
{
    const int64_t until = clock_ms() + QUIT_MS;
    char *line;
    ChildEvent event;

    (void)child_send_line(s->child, "quit");
    child_watch_input(s->child, false);
    do
        event = child_receive(s->child, until, NULL, &line);
    while (event == CHILD_LINE);
}

Status xboard_serve(const XboardSetup *setup, Error *err)
{
    Session *s = calloc(1, sizeof *s);
    ChildSetup child = {
        .name = setup->program, .command = {setup->program, setup->args, "."}, .watch_input = true};
    Position start;

    if (!s) return error_set(err, STATUS_FAILED, "out of memory");
    s->setup = setup;
    s->fresh = true;
    xboard_features_init(&s->features);
    position_set_start(&start);
    game_builder_start(&s->wanted, &start);
    bool opened = text_stream_open(&s->lines);
    Status status = opened ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK && setup->log && !(child.log = engine_log_open(setup->log, err)))
        status = err->status;
    if (status == STATUS_OK && !(s->child = child_start(&child, err))) status = err->status;
    if (status == STATUS_OK) status = run_session(s, err);
    if (s->input_ended) { /* the GUI may kill us now: end the engine first */
        child_kill(s->child);
    } else {
        if (s->child && status == STATUS_OK) send_quit(s);
        child_stop(s->child, NULL);
    }
    player_log_warn(child.log);
    engine_log_close(child.log);
    text_stream_discard(&s->lines);
    xboard_features_free(&s->features);
    game_builder_free(&s->wanted);
    game_builder_free(&s->sent);
    free(s);
    return status;
}
