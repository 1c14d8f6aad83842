/* SPDX-License-Identifier: MIT
 * In-process players. */
#include "selfplay/players/player.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/board/position_make.h"
#include "engine/notation/move_text.h"

typedef struct EnginePlayer {
    Player base;
    Search *search;
    bool several; /* best lines are wanted */
    int hashfull;
    int line_count; /* of the last completed iteration of a multi-PV search */
    PlayerLine lines[PLAYER_LINES];
} EnginePlayer;

/* Called for each line of a completed iteration, best first. */
static void note_line(void *context, const SearchInfo *info)
{
    EnginePlayer *player = context;

    player->hashfull = info->hashfull;
    if (!player->several || info->bound != 0 || info->multipv > PLAYER_LINES) return;
    player->lines[info->multipv - 1] = (PlayerLine){info->pv[0], info->score};
    player->line_count = info->multipv;
}

static Status engine_new_game(Player *player, Error *err)
{
    (void)err;
    search_new_game(((EnginePlayer *)player)->search);
    return STATUS_OK;
}

/* What a UCI engine prints at the end of its search. */
static void report_search(const EnginePlayer *player, const Position *root,
                          const SearchResult *result, PlySearch *out)
{
    Position position = *root;
    size_t used = 0;

    *out = (PlySearch){.seldepth = result->seldepth,
                       .hashfull = player->hashfull,
                       .tb_hits = (int64_t)result->tb_hits,
                       .time_ms = result->time_ms};
    for (int i = 0; i < result->pv_length && used + UCI_MOVE_MAX + 1 < sizeof out->pv; i++) {
        const Position before = position;
        if (i > 0) out->pv[used++] = ' ';
        move_to_uci(&before, result->pv[i], out->pv + used);
        used += strlen(out->pv + used);
        position_make(&position, &before, result->pv[i]);
    }
}

static Status engine_choose(Player *player, const GameView *game, const SearchLimits *limits,
                            PlayerMove *out, Error *err)
{
    EnginePlayer *p = (EnginePlayer *)player;
    bool informed = limits->multipv > 1 || game->wants_search;
    SearchResult result;
    int64_t asked = clock_us();

    (void)err;
    p->several = limits->multipv > 1;
    p->line_count = p->hashfull = 0;
    search_set_info(p->search, informed ? note_line : NULL, p);
    search_run(p->search, game->position, game->history, limits, &result);
    *out = (PlayerMove){.move = result.best,
                        .score = abs(result.score) <= VALUE_MATE ? result.score : SCORE_UNKNOWN,
                        .depth = result.depth,
                        .nodes = result.nodes,
                        .time_us = clock_us() - asked,
                        .line_count = p->line_count};
    if (game->wants_search) report_search(p, game->position, &result, &out->search);
    memcpy(out->lines, p->lines, (size_t)p->line_count * sizeof *p->lines);
    return STATUS_OK;
}

static void engine_destroy(Player *player)
{
    search_destroy(((EnginePlayer *)player)->search);
    free(player);
}

static const PlayerVtable engine_vtable = {engine_new_game, engine_choose, engine_destroy};

Player *player_create_engine(const EngineSetup *setup, Error *err)
{
    EnginePlayer *player = calloc(1, sizeof *player);

    if (!player) return ERROR_NULL(err, STATUS_FAILED, "out of memory for an engine");
    player->base.vtable = &engine_vtable;
    player->search = search_create(setup->weights, setup->hash_bytes, err);
    if (!player->search || (setup->threads > 1 &&
                            search_set_threads(player->search, setup->threads, err) != STATUS_OK)) {
        engine_destroy(&player->base);
        return NULL;
    }
    if (setup->params) search_set_params(player->search, setup->params);
    return &player->base;
}
