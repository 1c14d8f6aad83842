/* SPDX-License-Identifier: MIT
 * External engines over the Universal Chess Interface. */
#include "selfplay/players/player_uci.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/child_process.h"
#include "selfplay/players/uci_messages.h"

enum {
    STALL_FACTOR = 20,       /* longest move without a clock, in stall times */
    STOP_MS = 1000,          /* longest wait for bestmove after `stop` */
    FAILED_STARTS = 3,       /* failed starts in a row that end the match … */
    FAILED_STARTS_MS = 3000, /* … when the first is older than this */
    RETRY_MS = 100,          /* between two of them */
    NODES_FACTOR = 10,       /* an engine that searches 10 times its nodes … */
    NODES_EXTRA = 1 << 20,   /* … and a million more ignores `go nodes` */
    OPTION_LINE_MAX = 8192,
    NOTE_MAX = GAME_NOTE_MAX
};

typedef struct UciPlayer {
    Player base;
    UciSetup setup;      /* its strings are borrowed */
    ChildProcess *child; /* NULL: it must be started again */
    bool knows_chess960, chess960;
    bool has_played; /* of this process */
    UciGameText game;
    char id_name[PLAYER_NAME_MAX];
    char note[NOTE_MAX];
    char pv[PV_LINE_MAX]; /* the line to judge, with setup.pv */
} UciPlayer;

/* Sets the note to "NAME: …", without a newline. */
PRINTF_LIKE(3, 4)
static void set_note(UciPlayer *p, PlayerMove *out, const char *format, ...)
{
    int used = snprintf(p->note, sizeof p->note, "%.80s: ", p->setup.name);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(p->note + used, sizeof p->note - (size_t)used, format, args);
    va_end(args);
    out->note = p->note;
}

/* ---- Starting */

static void drop_process(UciPlayer *p, const char *last_message)
{
    child_stop(p->child, last_message);
    p->child = NULL;
}

/* As child_receive(). Control characters are replaced: lines go to notes, errors and names. */
static ChildEvent receive_line(UciPlayer *p, int64_t until, const atomic_int *cancelled,
                               const char **line)
{
    char *text = NULL;

    ChildEvent event = child_receive(p->child, until, cancelled, &text);
    if (event == CHILD_LINE) {
        uci_join_words(text);
        text_clean(text);
    }
    *line = text;
    return event;
}

/* Reads up to a line that is `word`. `check` receives all lines; it may be NULL. */
static Status await(UciPlayer *p, const char *word, int64_t timeout_ms, UciOptionCheck *check,
                    Error *err)
{
    int64_t deadline = clock_ms() + timeout_ms;
    char late[96], end[CHILD_END_MAX];
    const char *line;

    for (;;) {
        ChildEvent event = receive_line(p, deadline, p->setup.cancelled, &line);
        if (event == CHILD_CANCELLED) return error_set(err, STATUS_INTERRUPTED, "interrupted");
        if (event == CHILD_LINE && clock_ms() > deadline) event = CHILD_TIMEOUT;
        if (event != CHILD_LINE) {
            (void)snprintf(late, sizeof late, "timeout after %.1f s%s", (double)timeout_ms / 1000,
                           strcmp(word, "uciok") == 0 && !p->setup.adapter.program
                               ? " (if it is an xboard engine, add proto=xboard)"
                               : "");
            child_describe_end(p->child, event, late, end);
            return error_set(err, STATUS_ENGINE, "%s: no %s: %s", p->setup.name, word, end);
        }
        if (strncmp(line, "option name UCI_Chess960 ", 25) == 0) p->knows_chess960 = true;
        if (strncmp(line, "id name ", 8) == 0) {
            text_copy_utf8(p->id_name, sizeof p->id_name, line + 8);
            text_clean(p->id_name);
        }
        if (check && uci_option_line(check, line, err) != STATUS_OK)
            return error_prefix(err, "%s", p->setup.name);
        if (strcmp(line, word) == 0) return STATUS_OK;
    }
}

/* False when it is too long. Notes UCI_Chess960. An empty value is UCI's <empty>, but a button has
 * none. */
static bool send_option(UciPlayer *p, const char *option, bool button)
{
    const char *equals = strchr(option, '=');
    const char *value = equals ? equals + 1 : "";
    int name = (int)(equals ? equals - option : (ptrdiff_t)strlen(option));
    char line[OPTION_LINE_MAX];

    int n = snprintf(line, sizeof line, "setoption name %.*s%s%s\n", name, option,
                     button ? "" : " value ", *value || button ? value : "<empty>");
    if (n < 0 || (size_t)n >= sizeof line) return false;
    if (strncmp(option, "UCI_Chess960=", 13) == 0) p->chess960 = strcmp(value, "true") == 0;
    (void)child_send(p->child, line, (size_t)n); /* a failure shows when reading */
    return true;
}

static Status shake_hands(UciPlayer *p, Error *err)
{
    UciOptionCheck check = {.wanted = p->setup.options, .count = p->setup.option_count};

    (void)child_send_line(p->child, "uci");
    Status status = await(p, "uciok", p->setup.init_ms, &check, err);
    if (status != STATUS_OK) return status;
    if (uci_option_end(&check, err) != STATUS_OK) return error_prefix(err, "%s", p->setup.name);
    for (int i = 0; i < p->setup.option_count; i++)
        if (!send_option(p, p->setup.options[i], check.button[i]))
            return error_set(err, STATUS_ENGINE, "%s: the option %.40s... is longer than %d bytes",
                             p->setup.name, p->setup.options[i], OPTION_LINE_MAX);
    (void)child_send_line(p->child, "isready");
    return await(p, "readyok", p->setup.init_ms, NULL, err);
}

static Status start_process(UciPlayer *p, Error *err)
{
    const UciSetup *s = &p->setup;
    const ChildSetup setup = {
        .name = s->name, .command = s->adapter.program ? s->adapter : s->command, .log = s->log};

    p->child = child_start(&setup, err);
    if (!p->child) return err->status;
    p->id_name[0] = '\0';
    p->has_played = p->chess960 = p->knows_chess960 = false;
    Status status = shake_hands(p, err);
    if (status != STATUS_OK) drop_process(p, NULL);
    return status;
}

static Status make_ready(UciPlayer *p, Error *err)
{
    static const char words[] = "ucinewgame\nisready\n";

    (void)child_send(p->child, words, sizeof words - 1);
    Status status = await(p, "readyok", p->setup.stall_ms, NULL, err);
    if (status != STATUS_OK) drop_process(p, NULL);
    return status;
}

/* Is it the engine that the match began with? Without an answer, only its files are compared. */
static Status check_identity(const UciPlayer *p, bool answered, Error *err)
{
    const EngineIdentity *identity = p->setup.identity;

    if (!identity) return STATUS_OK;
    if (engine_identity_check(identity, answered ? p->id_name : identity->id_name,
                              p->setup.cancelled, err) == STATUS_OK)
        return STATUS_OK;
    return error_prefix(err, "%s", p->setup.name);
}

/* Starts it for a game, with retries: a program may be absent while it is built again, and other
 * processes may free what this one lacks. */
static Status start_for_game(UciPlayer *p, Error *err)
{
    const struct timespec nap = {.tv_nsec = RETRY_MS * 1000000};
    const int64_t until = clock_ms() + FAILED_STARTS_MS;
    Status status;

    for (int tries = 1;; tries++) {
        status = start_process(p, err);
        if (status == STATUS_OK) status = make_ready(p, err);
        if (status == STATUS_OK || status == STATUS_INTERRUPTED ||
            (tries >= FAILED_STARTS && clock_ms() >= until))
            break;
        (void)nanosleep(&nap, NULL);
        if (p->setup.cancelled && atomic_load(p->setup.cancelled))
            return error_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    Error change = {0};
    if ((status != STATUS_OK && status != STATUS_ENGINE) ||
        check_identity(p, status == STATUS_OK, &change) == STATUS_OK)
        return status;
    drop_process(p, NULL);
    *err = change; /* it explains the failure, if there was one */
    return change.status;
}

static Status uci_new_game(Player *player, Error *err)
{
    UciPlayer *p = (UciPlayer *)player;

    p->game = (UciGameText){.length = 0};
    if (p->child && p->setup.restart && p->has_played) drop_process(p, "quit");
    if (p->child) {
        Status status = make_ready(p, err);
        if (status == STATUS_OK || status == STATUS_INTERRUPTED) return status;
    }
    return start_for_game(p, err);
}

/* ---- A move */

static bool is_timed(const SearchLimits *limits)
{
    return limits->has_clock || limits->movetime_ms > 0;
}

/* The moment by which it must have moved. */
static int64_t due_moment(const UciPlayer *p, const GameView *game, const SearchLimits *limits,
                          int64_t asked)
{
    if (!is_timed(limits)) return asked + STALL_FACTOR * p->setup.stall_ms;
    int64_t time = limits->movetime_ms;
    if (limits->has_clock) time = limits->time_ms[game->position->stm];
    if (limits->has_clock && limits->movetime_ms > 0 && limits->movetime_ms < time)
        time = limits->movetime_ms;
    return asked + time + game->margin_ms + 1;
}

/* An illegal move becomes MOVE_NONE, which the referee refuses. */
static void read_bestmove(UciPlayer *p, const GameView *game, const char *line, PlayerMove *out)
{
    const char *move = line + strlen("bestmove");
    char fen[FEN_MAX];

    move += *move == ' ';
    if (strcmp(move, "resign") == 0) { /* of USI (shogi) and of our xboard adapter */
        out->lost = REASON_WIN_ADJUDICATION;
        return;
    }
    if (move_from_uci(game->position, move, &out->move, &(Error){0}) == STATUS_OK) {
        if (p->setup.pv)
            pv_faults_judge(p->setup.pv, p->setup.name, game->position, p->pv, out->move);
        return;
    }
    out->move = MOVE_NONE;
    position_to_fen(game->position, fen);
    set_note(p, out, "\"%.40s\" is not a legal move in %s", line, fen);
}

static void forfeit(UciPlayer *p, PlayerMove *out, ChildEvent event, bool late)
{
    char end[CHILD_END_MAX];

    out->lost = event != CHILD_TIMEOUT ? REASON_CRASH : late ? REASON_TIME : REASON_STALL;
    child_describe_end(p->child, event,
                       late ? "exceeded its time and does not stop" : "does not answer", end);
    set_note(p, out, "%s", end);
}

/* Forfeits the game of an engine that ignores its limit of nodes. */
static bool forfeit_by_nodes(UciPlayer *p, const SearchLimits *limits, PlayerMove *out)
{
    if (limits->nodes_soft == 0 || out->nodes / NODES_FACTOR <= limits->nodes_soft + NODES_EXTRA)
        return false;
    out->lost = REASON_STALL;
    set_note(p, out, "searched %llu nodes instead of %llu: limit it by depth, st or tc",
             (unsigned long long)out->nodes, (unsigned long long)limits->nodes_soft);
    return true;
}

static Status receive_move(UciPlayer *p, const GameView *game, const SearchLimits *limits,
                           PlayerMove *out, Error *err)
{
    const int64_t asked = clock_ms(), stall = p->setup.stall_ms;
    const int64_t due = due_moment(p, game, limits, asked);
    const bool timed = is_timed(limits);
    int64_t until = timed || due < asked + stall ? due : asked + stall;
    bool stopped = false, exact = false;

    for (const char *line;;) {
        ChildEvent event = receive_line(p, until, game->cancelled, &line);
        if (event == CHILD_CANCELLED) return error_set(err, STATUS_INTERRUPTED, "interrupted");
        int64_t now = clock_ms();
        if (event == CHILD_LINE) {
            if (strncmp(line, "bestmove", 8) == 0) {
                read_bestmove(p, game, line, out);
                return STATUS_OK;
            }
            if (strncmp(line, "info ", 5) == 0) {
                uci_read_info(line, out, &exact);
                if (p->setup.pv) pv_keep(p->pv, line);
            }
            if (forfeit_by_nodes(p, limits, out)) return STATUS_OK;
            if (now < until) {
                if (!timed) until = due < now + stall ? due : now + stall;
                continue;
            }
            event = CHILD_TIMEOUT; /* it prints lines but does not move */
        }
        if (event == CHILD_TIMEOUT && timed && !stopped) {
            (void)child_send_line(p->child, "stop");
            stopped = true;
            until = now + STOP_MS;
            continue;
        }
        forfeit(p, out, event, stopped);
        return STATUS_OK;
    }
}

/* Sets UCI_Chess960 as the game needs it, when that changed. */
static Status set_chess960(UciPlayer *p, const GameView *game, Error *err)
{
    bool wanted = game->position->chess960;

    if (wanted == p->chess960) return STATUS_OK;
    if (!p->knows_chess960)
        return error_set(err, STATUS_ENGINE,
                         "%s: no option UCI_Chess960, but the opening is a Chess960 position",
                         p->setup.name);
    (void)send_option(p, wanted ? "UCI_Chess960=true" : "UCI_Chess960=false", false);
    return STATUS_OK;
}

/* Sends position and go in one write. *asked_us is taken just before, since the engine may run
 * before this thread does. */
static bool send_go(UciPlayer *p, const GameView *game, const SearchLimits *limits,
                    int64_t *asked_us)
{
    size_t size;

    child_drain(p->child);
    if (!uci_position_and_go(&p->game, game, limits, &size)) return false;
    *asked_us = clock_us();
    return child_send(p->child, p->game.text, size);
}

static Status uci_choose(Player *player, const GameView *game, const SearchLimits *limits,
                         PlayerMove *out, Error *err)
{
    UciPlayer *p = (UciPlayer *)player;
    int64_t asked_us = 0;

    *out = (PlayerMove){.move = MOVE_NONE, .score = SCORE_UNKNOWN, .search = {-1, -1, -1, -1, ""}};
    *p->pv = '\0';
    Status status = set_chess960(p, game, err);
    if (status == STATUS_OK && send_go(p, game, limits, &asked_us))
        status = receive_move(p, game, limits, out, err);
    else if (status == STATUS_OK)
        forfeit(p, out, CHILD_GONE, false);
    p->has_played = true;
    /* An answer received before the question counts as no time. */
    int64_t received_us = child_received_us(p->child);
    out->time_us = received_us > asked_us ? received_us - asked_us : 0;
    /* Later output would belong to this move. */
    bool faulty = out->lost && out->lost != REASON_WIN_ADJUDICATION;
    if (faulty || status != STATUS_OK) drop_process(p, NULL);
    return status;
}

void player_stop_uci(Player *player)
{
    drop_process((UciPlayer *)player, "quit");
}

static void uci_destroy(Player *player)
{
    player_stop_uci(player);
    free(player);
}

static const PlayerVtable uci_vtable = {uci_new_game, uci_choose, uci_destroy};

Player *player_create_uci(const UciSetup *setup, Error *err)
{
    UciPlayer *player = calloc(1, sizeof *player);

    if (!player) return ERROR_NULL(err, STATUS_FAILED, "out of memory for an engine");
    player->base.vtable = &uci_vtable;
    player->setup = *setup;
    return &player->base;
}

Status player_ask_name(const UciSetup *setup, char name[PLAYER_NAME_MAX], Error *err)
{
    EngineIdentity *identity = setup->identity;
    UciPlayer *player = (UciPlayer *)player_create_uci(setup, err);

    if (!player) return STATUS_FAILED;
    Status status = identity ? engine_identity_find(identity, setup, err) : STATUS_OK;
    if (status == STATUS_OK) status = start_process(player, err);
    memcpy(name, player->id_name, PLAYER_NAME_MAX);
    if (status == STATUS_OK && identity) {
        engine_identity_drop_logs(identity);
        memcpy(identity->id_name, name, PLAYER_NAME_MAX);
    }
    player_destroy(&player->base);
    if (status == STATUS_OK && identity)
        engine_identity_drop_logs(identity); /* written at its end */
    return status;
}
