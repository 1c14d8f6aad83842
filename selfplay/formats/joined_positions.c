/* SPDX-License-Identifier: MIT
 * Joining listed positions to games. */
#include "selfplay/formats/joined_positions.h"

#include <stdlib.h>
#include <string.h>

#include "db/chess/game_builder.h"

typedef struct JoinedSource {
    GameSource source;
    FileReader *text;
    ListReader read;
    GameBuilder game;
    char id[128]; /* of game, as its result and line */
    GameResult result;
    int64_t line;
    ListedPosition next; /* read, and not yet in a game, if `waiting` */
    bool waiting, done;  /* done: game was handed out */
    bool told;           /* of a fault of the file */
} JoinedSource;

static bool continues(const JoinedSource *s)
{
    const Position *here = &s->game.pos, *next = &s->next.pos;

    return here->key == next->key && s->result == s->next.result &&
           strcmp(s->id, s->next.id) == 0 &&
           (!s->next.counted || (here->rule50 == next->rule50 && here->game_ply == next->game_ply));
}

static void begin_game(JoinedSource *s)
{
    game_builder_start(&s->game, &s->next.pos);
    memcpy(s->id, s->next.id, sizeof s->id);
    s->result = s->next.result;
    s->line = s->next.line;
}

static Status read_next(JoinedSource *s, Error *err)
{
    const Position *expected = s->game.record.ply_count > 0 ? &s->game.pos : NULL;
    Status status = s->read(s->text, expected, &s->next, &s->waiting, err);

    if (s->text->fault.status == STATUS_OK || s->waiting) return status;
    if (s->told) return STATUS_OK;
    s->told = true;
    if (err) *err = s->text->fault;
    return s->text->fault.status;
}

static Status joined_next(GameSource *source, const GameRecord **game, Error *err)
{
    JoinedSource *s = (JoinedSource *)source;
    Status status = STATUS_OK;

    *game = NULL;
    if (s->done) s->game.record.ply_count = 0;
    s->done = false;
    for (;;) {
        if (!s->waiting) status = read_next(s, err);
        if (status != STATUS_OK) return status; /* the game so far comes with the next call */
        if (!s->waiting || (s->game.record.ply_count > 0 && !continues(s))) break;
        if (s->game.record.ply_count == 0) begin_game(s);
        status = game_builder_add(&s->game, s->next.move, s->next.score, err);
        if (status != STATUS_OK) return status;
        s->waiting = false;
    }
    if (s->game.record.ply_count == 0) return STATUS_OK;
    s->done = true;
    status = game_builder_end(&s->game, s->result, (GameReason)0, err);
    if (status != STATUS_OK) return reader_place_line(s->text, s->line, err);
    *game = &s->game.record;
    return STATUS_OK;
}

static int64_t joined_consumed(const GameSource *source)
{
    return input_consumed(((const JoinedSource *)source)->text->file);
}

static void joined_close(GameSource *source)
{
    JoinedSource *s = (JoinedSource *)source;

    reader_close(s->text);
    game_builder_free(&s->game);
    free(s);
}

GameSource *joined_open(const char *path, ListReader read, Error *err)
{
    static const GameSourceVtable vtable = {joined_next, joined_consumed, joined_close};
    JoinedSource *s = calloc(1, sizeof *s);

    if (!s) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        return NULL;
    }
    s->source.vtable = &vtable;
    s->read = read;
    s->text = reader_open_text(path, err);
    if (s->text) return &s->source;
    free(s);
    return NULL;
}
