/* SPDX-License-Identifier: MIT
 * The player that is an external engine speaking the Universal Chess Interface. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/notation.h"
#include "engine/position_make.h"
#include "selfplay/game.h"
#include "selfplay/peer.h"
#include "selfplay/player.h"

enum {
    HANDSHAKE_MS = 10000,  /* from the start of the process to uciok and readyok */
    STALL_FACTOR = 20,     /* without a clock, a move may take so many stall times in all */
    MOVES_TEXT_MAX = 16384 /* 1,024 moves of at most 6 characters, and the FEN */
};

typedef struct UciPlayer {
    Player base;
    UciSetup setup; /* its strings are borrowed */
    Peer *peer;     /* NULL: to be started again */
    bool knows_chess960, chess960;
} UciPlayer;

/* ---- Starting */

static void drop_peer(UciPlayer *p, const char *farewell)
{
    peer_stop(p->peer, farewell);
    p->peer = NULL;
}

/* Reads until a line that is `word`. */
static Status await(UciPlayer *p, const char *word, int64_t timeout_ms, Error *err)
{
    int64_t deadline = clock_ms() + timeout_ms;
    const char *line;

    for (;;) {
        PeerEvent event = peer_receive(p->peer, deadline, NULL, &line);
        if (event == PEER_GONE)
            return error_set(err, STATUS_PEER, "%s: ended instead of saying %s", p->setup.program,
                             word);
        if (event != PEER_LINE)
            return error_set(err, STATUS_PEER, "%s: did not say %s within %.1f s", p->setup.program,
                             word, (double)timeout_ms / 1000);
        if (strncmp(line, "option name UCI_Chess960 ", 25) == 0) p->knows_chess960 = true;
        if (strcmp(line, word) == 0) return STATUS_OK;
    }
}

static Status start_peer(UciPlayer *p, Error *err)
{
    p->peer = peer_start(p->setup.program, err);
    if (!p->peer) return STATUS_PEER;
    p->chess960 = false;
    (void)peer_send(p->peer, "uci"); /* a dead peer is noticed on reading */
    Status status = await(p, "uciok", HANDSHAKE_MS, err);
    for (int i = 0; status == STATUS_OK && i < p->setup.option_count; i++) {
        const char *option = p->setup.options[i], *equals = strchr(option, '=');
        int name = (int)(equals ? equals - option : (ptrdiff_t)strlen(option));
        (void)peer_send(p->peer, "setoption name %.*s%s%s", name, option, equals ? " value " : "",
                        equals ? equals + 1 : "");
    }
    if (status == STATUS_OK) {
        (void)peer_send(p->peer, "isready");
        status = await(p, "readyok", HANDSHAKE_MS, err);
    }
    if (status != STATUS_OK) drop_peer(p, NULL);
    return status;
}

/* A peer that crashed or stalled in the last game, or does so here, is started again. */
static Status uci_new_game(Player *player, Error *err)
{
    UciPlayer *p = (UciPlayer *)player;

    if (p->peer) {
        (void)peer_send(p->peer, "ucinewgame");
        (void)peer_send(p->peer, "isready");
        if (await(p, "readyok", p->setup.stall_ms, NULL) == STATUS_OK) return STATUS_OK;
        drop_peer(p, NULL);
    }
    return start_peer(p, err);
}

/* ---- A move */

/* "position fen … moves …" as the engine has to see the game; false if it is too long. */
static bool send_position(UciPlayer *p, const GameView *game)
{
    char text[MOVES_TEXT_MAX];
    Position pos, before;
    size_t used = 0;

    if (position_from_fen(&pos, game->start_fen, NULL) != STATUS_OK) return false;
    for (int i = 0; i < game->ply_count; i++) {
        char move[UCI_MOVE_MAX];
        move_to_uci(&pos, game->plies[i].move, move);
        int n = snprintf(text + used, sizeof text - used, " %s", move);
        if (n < 0 || (size_t)n >= sizeof text - used) return false;
        used += (size_t)n;
        before = pos;
        position_make(&pos, &before, game->plies[i].move);
    }
    if (p->knows_chess960 && game->position->chess960 != p->chess960) {
        p->chess960 = game->position->chess960;
        (void)peer_send(p->peer, "setoption name UCI_Chess960 value %s",
                        p->chess960 ? "true" : "false");
    }
    return peer_send(p->peer, "position fen %s%s%.*s", game->start_fen, used ? " moves" : "",
                     (int)used, text);
}

static bool send_go(UciPlayer *p, const SearchLimits *limits)
{
    char text[256];
    int n = 0;

    if (limits->has_clock)
        n += snprintf(
            text + n, sizeof text - (size_t)n, " wtime %lld btime %lld winc %lld binc %lld",
            (long long)limits->time_ms[WHITE], (long long)limits->time_ms[BLACK],
            (long long)limits->increment_ms[WHITE], (long long)limits->increment_ms[BLACK]);
    if (limits->has_clock && limits->moves_to_go > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, " movestogo %d", limits->moves_to_go);
    if (limits->movetime_ms > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, " movetime %lld",
                      (long long)limits->movetime_ms);
    if (limits->depth > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, " depth %d", limits->depth);
    if (limits->nodes_soft > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, " nodes %llu",
                      (unsigned long long)limits->nodes_soft);
    return peer_send(p->peer, "go%.*s", n, text);
}

/* The word behind `key` in a line of words, or NULL. */
static const char *word_after(const char *line, const char *key)
{
    size_t length = strlen(key);

    for (const char *at = line; (at = strstr(at, key)); at += length)
        if ((at == line || at[-1] == ' ') && at[length] == ' ') return at + length + 1;
    return NULL;
}

/* Mates come in moves; ours are in plies. */
static void read_info(const char *line, PlayerMove *out)
{
    const char *word;

    if (strncmp(line, "info string", 11) == 0) return;
    if ((word = word_after(line, "multipv")) && atoi(word) > 1) return;
    if ((word = word_after(line, "nodes"))) out->nodes = strtoull(word, NULL, 10);
    if ((word = word_after(line, "depth"))) out->depth = atoi(word);
    if ((word = word_after(line, "cp"))) {
        int cp = atoi(word), most = VALUE_MATE_IN_MAX - 1;
        out->score = cp > most ? most : cp < -most ? -most : cp;
    } else if ((word = word_after(line, "mate"))) {
        int moves = atoi(word);
        int plies = moves > 0 ? 2 * moves - 1 : -2 * moves;
        if (plies < 2 * MAX_PLY) out->score = moves > 0 ? VALUE_MATE - plies : plies - VALUE_MATE;
    }
}

/* By when the peer must have said something, and by when it must have moved. */
static int64_t last_moment(const UciPlayer *p, const SearchLimits *limits, Color stm, int64_t asked)
{
    if (limits->has_clock) return asked + limits->time_ms[stm] + p->setup.stall_ms;
    return asked + limits->movetime_ms + STALL_FACTOR * p->setup.stall_ms;
}

static Status listen(UciPlayer *p, const GameView *game, const SearchLimits *limits,
                     PlayerMove *out, Error *err)
{
    int64_t heard = clock_ms();
    const int64_t end = last_moment(p, limits, position_stm(game->position), heard);
    bool timed = limits->has_clock || limits->movetime_ms > 0;

    for (const char *line;;) {
        int64_t silent = heard + p->setup.stall_ms;
        PeerEvent event =
            peer_receive(p->peer, timed || end < silent ? end : silent, game->cancelled, &line);
        if (event == PEER_CANCELLED) return error_set(err, STATUS_INTERRUPTED, "interrupted");
        if (event != PEER_LINE) {
            out->fault = event == PEER_GONE ? PLAYER_CRASHED : PLAYER_STALLED;
            return STATUS_OK;
        }
        heard = clock_ms();
        if (heard >= end) {
            out->fault = PLAYER_STALLED;
            return STATUS_OK;
        }
        if (strncmp(line, "info ", 5) == 0) read_info(line, out);
        if (strncmp(line, "bestmove ", 9) == 0) {
            /* What is no legal move stays MOVE_NONE, which the referee refuses. */
            if (move_from_uci(game->position, line + 9, &out->move, NULL) != STATUS_OK)
                out->move = MOVE_NONE;
            return STATUS_OK;
        }
    }
}

static Status uci_choose(Player *player, const GameView *game, const SearchLimits *limits,
                         PlayerMove *out, Error *err)
{
    UciPlayer *p = (UciPlayer *)player;
    Status status = STATUS_OK;
    int64_t asked = 0;

    *out = (PlayerMove){.move = MOVE_NONE, .score = SCORE_UNKNOWN};
    bool sent = send_position(p, game);
    if (sent) {
        /* Before it is sent: the peer may run, and we wait, as soon as it is. */
        asked = clock_us();
        sent = send_go(p, limits);
    }
    if (sent)
        status = listen(p, game, limits, out, err);
    else
        out->fault = PLAYER_CRASHED;
    /* An answer that was there before the question takes no time, but gains none either. */
    int64_t received = peer_received_us(p->peer);
    out->time_us = received > asked ? received - asked : 0;
    /* What it may still say belongs to a move that is over. */
    if (out->fault != PLAYER_SOUND || status != STATUS_OK) drop_peer(p, NULL);
    return status;
}

static void uci_destroy(Player *player)
{
    drop_peer((UciPlayer *)player, "quit");
    free(player);
}

static const PlayerVtable uci_vtable = {uci_new_game, uci_choose, uci_destroy};

Player *player_create_uci(const UciSetup *setup, Error *err)
{
    UciPlayer *player = calloc(1, sizeof *player);

    if (!player) {
        (void)error_set(err, STATUS_FAILED, "out of memory for an engine");
        return NULL;
    }
    player->base.vtable = &uci_vtable;
    player->setup = *setup;
    if (start_peer(player, err) != STATUS_OK) {
        free(player);
        return NULL;
    }
    return &player->base;
}
