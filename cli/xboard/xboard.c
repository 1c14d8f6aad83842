/* SPDX-License-Identifier: MIT
 * Between UCI on our standard input and output, and an engine of the xboard protocol. One loop,
 * which waits for either side; what is said to the engine is gathered and sent at once. */
#include "cli/xboard/xboard.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/xboard/features.h"
#include "cli/xboard/messages.h"
#include "db/chess/game_builder.h"
#include "engine/base/clock.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/child_process.h"

enum {
    INPUT_MAX = 1 << 16,
    PROTOVER_MS = 2000, /* so long an engine has to tell its features, as xboard has it */
    CLAIM_MS = 300,     /* between a claim and the move that it may be about */
    FAREWELL_MS = 300,  /* less than whoever runs us allows */
    NEVER_MS = 3600000
};

typedef struct Session {
    const XboardSetup *setup;
    ChildProcess *child;
    XboardFeatures features;
    FILE *out; /* to the engine, gathered in text */
    char *text;
    size_t length;

    GameBuilder wanted; /* the game as UCI has it … */
    GameBuilder told;   /* … and as the engine has it */
    bool chess960;      /* UCI's option */
    bool begun;         /* the engine was told of a game */
    bool virgin;        /* and of no position, move or clock of it yet; or of no game at all */
    bool playing;       /* it answers a move by a move: not in force mode */
    bool thinking;
    bool hurried;               /* told to move now */
    SearchLimits limits, level; /* of this move; as the engine was told, once a game */

    int64_t deadline_ms; /* of what is waited for: features, or a move behind a claim */
    bool greeting;       /* it is still telling its features */
    int pings, pongs;    /* readyok is due for each ping that was not answered */
    char claim[64];      /* "": none is pending */
    char last_move[16];  /* told to it */
    bool over, ended;    /* by quit; the second: by the end of the input */
    char input[INPUT_MAX];
    size_t input_length;
} Session;

/* ---- To the engine */

/* Sends what was gathered. A dead engine is noticed on reading. */
static void flush(Session *s)
{
    (void)fflush(s->out);
    if (s->length > 0) (void)child_send(s->child, s->text, s->length);
    rewind(s->out);
    s->length = 0;
}

static void say(Session *s, const char *line)
{
    (void)fprintf(s->out, "%s\n", line);
}

static void forget_told(Session *s, const Position *start)
{
    game_builder_start(&s->told, start);
    s->playing = s->thinking = false;
    s->last_move[0] = s->claim[0] = '\0';
}

/* The engine is in force mode afterwards, at the start of chess. */
static Status begin_game(Session *s, Error *err)
{
    Position start;

    if (!s->virgin && !s->features.reuse)
        return error_set(err, STATUS_ENGINE, "%s plays one game only: it needs restart=on",
                         s->setup->program);
    say(s, "new");
    if (s->chess960) say(s, "variant fischerandom");
    say(s, "force\npost\neasy");
    position_set_start(&start);
    forget_told(s, &start);
    s->begun = s->virgin = true;
    s->level = (SearchLimits){.depth = -1}; /* none was told: unlike any that is asked for */
    return STATUS_OK;
}

static Status set_up(Session *s, Error *err)
{
    Position start;

    if (position_from_fen(&start, s->wanted.record.start_fen, err) != STATUS_OK) return err->status;
    forget_told(s, &start);
    s->virgin = false;
    if (s->features.setboard)
        (void)fprintf(s->out, "setboard %s\n", s->wanted.record.start_fen);
    else if (!xboard_print_edit(s->out, &start))
        return error_set(err, STATUS_ENGINE, "%s: it has no setboard, and cannot be told of %s",
                         s->setup->program, s->wanted.record.start_fen);
    return STATUS_OK;
}

static Status tell_move(Session *s, Move move, Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out) return error_set(err, STATUS_FAILED, "out of memory");
    xboard_print_move(out, &s->told.pos, move, s->features.san);
    (void)fclose(out);
    (void)snprintf(s->last_move, sizeof s->last_move, "%s", text);
    free(text);
    (void)fprintf(s->out, "%s%s\n", s->features.usermove ? "usermove " : "", s->last_move);
    s->virgin = false;
    return game_builder_add(&s->told, move, SCORE_UNKNOWN, err);
}

/* Is what the engine knows the beginning of what it should know? */
static bool continues(const Session *s)
{
    const GameRecord *told = &s->told.record, *wanted = &s->wanted.record;

    if (strcmp(told->start_fen, wanted->start_fen) != 0 || told->ply_count > wanted->ply_count)
        return false;
    for (int i = 0; i < told->ply_count; i++)
        if (told->plies[i].move != wanted->plies[i].move) return false;
    return true;
}

static bool same_level(const SearchLimits *a, const SearchLimits *b)
{
    return a->has_clock == b->has_clock && a->movetime_ms == b->movetime_ms && a->depth == b->depth;
}

/* Tells it of the position, as little as will do, and has it think. */
static Status think(Session *s, Error *err)
{
    const GameRecord *told = &s->told.record, *wanted = &s->wanted.record;
    const Color engine = position_stm(&s->wanted.pos);
    Status status = STATUS_OK;

    if (!s->begun || (!continues(s) && !s->virgin)) status = begin_game(s, err);
    if (status == STATUS_OK && !continues(s)) status = set_up(s, err);
    if (status != STATUS_OK) return status;
    bool answers =
        s->playing && told->ply_count + 1 == wanted->ply_count && same_level(&s->level, &s->limits);
    if (s->playing && !answers) say(s, "force");
    while (status == STATUS_OK && told->ply_count + answers < wanted->ply_count)
        status = tell_move(s, wanted->plies[told->ply_count].move, err);
    if (!same_level(&s->level, &s->limits)) xboard_print_level(s->out, &s->limits, engine);
    s->level = s->limits;
    if (s->features.time) xboard_print_clocks(s->out, &s->limits, engine);
    if (answers && status == STATUS_OK)
        status = tell_move(s, wanted->plies[told->ply_count].move, err);
    else
        say(s, "go");
    s->virgin = s->hurried = false;
    s->playing = s->thinking = true;
    flush(s);
    return status;
}

static void hurry(Session *s)
{
    if (!s->thinking || s->hurried) return;
    say(s, "?");
    flush(s);
    s->hurried = true;
}

/* ---- From the engine */

static void answer(Session *s, const char *format, ...) PRINTF_LIKE(2, 3);

/* To UCI's side, whole. */
static void answer(Session *s, const char *format, ...)
{
    va_list args;

    (void)s;
    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)putchar('\n');
    (void)fflush(stdout);
}

/* The engine's move, or what it does instead: then it is out of the game. */
static void end_thinking(Session *s, const char *bestmove)
{
    s->thinking = false;
    s->claim[0] = '\0';
    answer(s, "bestmove %s", bestmove);
}

static void take_move(Session *s, const char *text)
{
    char uci[UCI_MOVE_MAX];
    Move move;

    if (!s->thinking) return;
    if (xboard_read_move(&s->told.pos, text, &move, NULL) != STATUS_OK) {
        s->begun = false; /* nobody knows what it has on its board */
        end_thinking(s, text);
        return;
    }
    move_to_uci(&s->told.pos, move, uci);
    if (game_builder_add(&s->told, move, SCORE_UNKNOWN, NULL) != STATUS_OK) s->begun = false;
    end_thinking(s, uci);
}

static void take_loss(Session *s)
{
    s->begun = false;
    end_thinking(s, "resign");
}

/* Of a game that is not over by our own rules, for then it would not be asked to move. What comes
 * behind its move is the referee's affair. */
static void take_claim(Session *s, const char *line)
{
    Color stm = position_stm(&s->told.pos);

    if (!s->thinking) return;
    if (strncmp(line, stm == WHITE ? "0-1" : "1-0", 3) == 0) {
        take_loss(s);
        return;
    }
    (void)snprintf(s->claim, sizeof s->claim, "(claims %s)", line);
    s->deadline_ms = clock_ms() + CLAIM_MS;
}

static void refuse_claim(Session *s)
{
    char claim[sizeof s->claim];

    memcpy(claim, s->claim, sizeof claim);
    s->begun = false;
    end_thinking(s, claim);
}

/* "Illegal move (reason): e7e8k". Some engines say it of commands that they do not know. */
static void take_refusal(Session *s, const char *line)
{
    const char *colon = strrchr(line, ':');
    char text[64];

    answer(s, "info string %s: %s", s->setup->program, line);
    if (!colon || !s->thinking) return;
    const char *move = colon + 1 + strspn(colon + 1, " ");
    if (!s->last_move[0] || strncmp(move, s->last_move, strlen(s->last_move)) != 0) return;
    (void)snprintf(text, sizeof text, "(refuses %s)", s->last_move);
    s->begun = false;
    end_thinking(s, text);
}

static void take_thinking(Session *s, const XboardThinking *thinking)
{
    const SearchLimits *l = &s->limits;

    xboard_print_info(stdout, thinking, &s->told.pos, s->setup->white_scores);
    (void)fflush(stdout);
    if ((l->depth > 0 && thinking->depth > l->depth) ||
        (l->nodes_soft > 0 && (uint64_t)thinking->nodes >= l->nodes_soft))
        hurry(s);
}

static const char *behind(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length + strspn(line + length, " \t:") : NULL;
}

static void take_line(Session *s, const char *line)
{
    XboardThinking thinking;
    const char *rest;

    if ((rest = behind(line, "feature "))) {
        xboard_features_read(&s->features, rest, s->out);
        flush(s);
        if (s->greeting && s->features.waits && !s->ended) s->deadline_ms = clock_ms() + NEVER_MS;
        if (s->features.done) s->greeting = false;
    } else if ((rest = behind(line, "pong "))) {
        const long number = strtol(rest, NULL, 10);
        for (; number <= s->pings && s->pongs < number; s->pongs++)
            answer(s, "readyok");
    } else if ((rest = behind(line, "move ")) || (rest = behind(line, "My move is"))) {
        take_move(s, rest);
    } else if (behind(line, "resign") || behind(line, "tellics resign")) {
        if (s->thinking) take_loss(s);
    } else if (behind(line, "1-0") || behind(line, "0-1") || behind(line, "1/2-1/2")) {
        take_claim(s, line);
    } else if (behind(line, "Illegal move")) {
        take_refusal(s, line);
    } else if (behind(line, "Error") || behind(line, "telluser")) {
        answer(s, "info string %s: %s", s->setup->program, line);
    } else if (s->thinking && xboard_read_thinking(line, &thinking)) {
        take_thinking(s, &thinking);
    }
}

/* ---- From UCI's side */

static void do_uci(Session *s)
{
    answer(s, "id name %s", s->features.name[0] ? s->features.name : s->setup->program);
    xboard_features_print(&s->features, stdout);
    answer(s, "uciok");
}

static void do_isready(Session *s)
{
    if (s->thinking || !s->features.ping) {
        answer(s, "readyok");
        return;
    }
    (void)fprintf(s->out, "ping %d\n", ++s->pings);
    flush(s);
}

static Status do_newgame(Session *s, Error *err)
{
    hurry(s);
    Status status = begin_game(s, err); /* clearing its tables is not on its clock */
    flush(s);
    return status;
}

/* "name NAME [value VALUE]" */
static void do_setoption(Session *s, char *rest)
{
    char *name = strncmp(rest, "name ", 5) == 0 ? rest + 5 : rest, *value = strstr(name, " value ");

    if (value) *value = '\0';
    value = value ? value + strlen(" value ") : rest + strlen(rest);
    if (strcmp(name, "UCI_Chess960") == 0) {
        s->chess960 = strcmp(value, "true") == 0;
        s->begun = false;
        return;
    }
    xboard_features_set(&s->features, name, value, s->out);
    flush(s);
}

/* "startpos|fen FEN [moves MOVE…]" */
static Status do_position(Session *s, char *rest, Error *err)
{
    char *moves = strstr(rest, "moves"), *word, *state;
    Position start;

    if (moves) *moves = '\0';
    position_set_start(&start);
    Status status =
        strncmp(rest, "fen ", 4) == 0 ? position_from_fen(&start, rest + 4, err) : STATUS_OK;
    if (status != STATUS_OK) return status;
    start.chess960 |= s->chess960;
    game_builder_start(&s->wanted, &start);
    word = moves ? strtok_r(moves + strlen("moves"), " ", &state) : NULL;
    for (; status == STATUS_OK && word; word = strtok_r(NULL, " ", &state)) {
        Move move;
        status = move_from_uci(&s->wanted.pos, word, &move, err);
        if (status == STATUS_OK) status = game_builder_add(&s->wanted, move, SCORE_UNKNOWN, err);
    }
    return status;
}

static void read_limits(Session *s, char *rest)
{
    SearchLimits *l = &s->limits;
    char *state, *word;

    *l = (SearchLimits){0};
    for (word = strtok_r(rest, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        const struct {
            const char *name;
            int64_t *value;
        } times[] = {{"wtime", &l->time_ms[WHITE]},
                     {"btime", &l->time_ms[BLACK]},
                     {"winc", &l->increment_ms[WHITE]},
                     {"binc", &l->increment_ms[BLACK]},
                     {"movetime", &l->movetime_ms}};
        bool has_number = strcmp(word, "infinite") != 0 && strcmp(word, "ponder") != 0;
        char *text = has_number ? strtok_r(NULL, " ", &state) : NULL;
        long long number = text ? strtoll(text, NULL, 10) : 0;
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            if (strcmp(word, times[i].name) == 0) *times[i].value = number < 0 ? 0 : number;
        l->has_clock |= strcmp(word, "wtime") == 0;
        if (strcmp(word, "movestogo") == 0) l->moves_to_go = (int)number;
        if (strcmp(word, "depth") == 0) l->depth = (int)number;
        if (strcmp(word, "nodes") == 0) l->nodes_soft = (uint64_t)number;
    }
}

static Status do_command(Session *s, char *line, Error *err)
{
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
    } else if (strcmp(line, "go") == 0 && !s->thinking) {
        read_limits(s, rest);
        return think(s, err);
    } else if (strcmp(line, "stop") == 0) {
        hurry(s);
    } else if (strcmp(line, "quit") == 0) {
        s->over = true;
        s->ended = false; /* there is time for a farewell */
    }
    return STATUS_OK;
}

/* Reads what there is. After the end, lines that wait for the engine's features do so no longer
 * than those may take. */
static Status take_input(Session *s, Error *err)
{
    ssize_t got = read(STDIN_FILENO, s->input + s->input_length, sizeof s->input - s->input_length);

    if (got < 0 && errno == EINTR) return STATUS_OK;
    s->ended = got <= 0;
    if (s->ended)
        s->deadline_ms = clock_ms() + PROTOVER_MS;
    else
        s->input_length += (size_t)got;
    if (s->input_length == sizeof s->input && !memchr(s->input, '\n', sizeof s->input))
        return error_set(err, STATUS_BAD_INPUT, "a line of more than %d bytes", INPUT_MAX);
    return STATUS_OK;
}

/* Obeys the lines that were read; while the engine is still telling its features they wait. */
static Status obey(Session *s, Error *err)
{
    Status status = STATUS_OK;
    char *line = s->input, *end;

    while (status == STATUS_OK && !s->over && !s->greeting &&
           (end = memchr(line, '\n', s->input_length - (size_t)(line - s->input)))) {
        *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        status = do_command(s, line, err);
        line = end + 1;
    }
    s->input_length -= (size_t)(line - s->input);
    memmove(s->input, line, s->input_length);
    s->over |= s->ended && !(s->greeting && s->input_length > 0);
    return status;
}

/* ---- The loop */

static void take_timeout(Session *s)
{
    if (s->greeting)
        s->greeting = false;
    else if (s->claim[0])
        refuse_claim(s);
}

static Status serve(Session *s, Error *err)
{
    char words[CHILD_WORDS_MAX];
    Status status = STATUS_OK;
    const char *line;

    say(s, "xboard\nprotover 2");
    flush(s);
    s->greeting = true;
    s->deadline_ms = clock_ms() + PROTOVER_MS;
    while (status == STATUS_OK && !s->over) {
        bool waits = s->greeting || s->claim[0];
        int64_t until = waits ? s->deadline_ms : clock_ms() + NEVER_MS;
        child_watch_input(s->child, !s->ended && s->input_length < sizeof s->input);
        ChildEvent event = child_receive(s->child, until, s->setup->interrupted, &line);
        if (event == CHILD_LINE) {
            take_line(s, line);
        } else if (event == CHILD_INPUT) {
            status = take_input(s, err);
        } else if (event == CHILD_TIMEOUT) {
            take_timeout(s);
        } else if (event == CHILD_CANCELLED) {
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
        } else {
            child_last_words(s->child, event, "", words);
            status = error_set(err, STATUS_ENGINE, "%s: %s", s->setup->program, words);
        }
        if (status == STATUS_OK) status = obey(s, err);
    }
    return status;
}

/* Asks it to go; child_stop() then does not ask. */
static void say_farewell(Session *s)
{
    const int64_t until = clock_ms() + FAREWELL_MS;
    const char *line;
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
    ChildSetup child = {.name = setup->program,
                        .program = setup->program,
                        .args = setup->args,
                        .dir = ".",
                        .watch_input = true};
    Position start;

    if (!s) return error_set(err, STATUS_FAILED, "out of memory");
    s->setup = setup;
    s->virgin = true;
    xboard_features_init(&s->features);
    position_set_start(&start);
    game_builder_start(&s->wanted, &start);
    s->out = open_memstream(&s->text, &s->length);
    Status status = s->out ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK && setup->log && !(child.log = engine_log_open(setup->log, err)))
        status = STATUS_FAILED;
    if (status == STATUS_OK && !(s->child = child_start(&child, err))) status = err->status;
    if (status == STATUS_OK) status = serve(s, err);
    if (s->ended) { /* whoever runs us is about to kill us: the engine goes before */
        child_kill(s->child);
    } else {
        if (s->child && status == STATUS_OK) say_farewell(s);
        child_stop(s->child, NULL);
    }
    engine_log_close(child.log);
    if (s->out) (void)fclose(s->out);
    free(s->text);
    xboard_features_free(&s->features);
    game_builder_free(&s->wanted);
    game_builder_free(&s->told);
    free(s);
    return status;
}
