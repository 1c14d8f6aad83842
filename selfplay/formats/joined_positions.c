/* SPDX-License-Identifier: MIT
 * Joining positions to games. */
#include "selfplay/formats/joined_positions.h"

#include <string.h>

typedef struct JoinedSource {
    GameSource source;
    ListReader *read;
    ListedPosition first; /* of source.game */
    ListedPosition next;  /* with `waiting`: read and not yet in a game */
    bool waiting, done;   /* done: the game was returned */
    bool reported;        /* a read error of the file was */
} JoinedSource;

static bool continues(const JoinedSource *s)
{
    const Position *here = &s->source.game.pos, *next = &s->next.pos;

    return here->key == next->key && s->first.result == s->next.result &&
           strcmp(s->first.id, s->next.id) == 0 &&
           (!s->next.counted || (here->rule50 == next->rule50 && here->game_ply == next->game_ply));
}

static Status read_next(JoinedSource *s, Error *err)
{
    const Position *expected = s->source.game.record.ply_count > 0 ? &s->source.game.pos : NULL;

    err->text[0] = '\0';
    Status status = s->read(s->source.file, expected, &s->next, &s->waiting, err);
    if (status == STATUS_OK && s->waiting) game_source_note(&s->source, s->next.line, err);
    if (s->source.file->fault.status == STATUS_OK || s->waiting) return status;
    if (s->reported) return STATUS_OK;
    s->reported = true;
    return reader_fault(s->source.file, err);
}

static Status joined_next(GameSource *source, const GameRecord **game, Error *err)
{
    JoinedSource *s = (JoinedSource *)source;
    Status status = STATUS_OK;

    *game = NULL;
    if (s->done) s->source.game.record.ply_count = 0;
    s->done = false;
    for (;;) {
        if (!s->waiting) status = read_next(s, err);
        if (status != STATUS_OK) return status; /* the next call returns the game so far */
        if (!s->waiting || (s->source.game.record.ply_count > 0 && !continues(s))) break;
        if (s->source.game.record.ply_count == 0) {
            s->first = s->next;
            game_builder_start(&s->source.game, &s->first.pos);
        }
        status = game_builder_add(&s->source.game, s->next.move, s->next.score, err);
        if (status != STATUS_OK) return status;
        s->waiting = false;
    }
    if (s->source.game.record.ply_count == 0) return STATUS_OK;
    s->done = true;
    status = game_builder_end(&s->source.game, s->first.result, (GameReason)0, err);
    if (status != STATUS_OK) return reader_place_line(s->source.file, s->first.line, err);
    *game = &s->source.game.record;
    return STATUS_OK;
}

GameSource *joined_open(const char *path, ListReader *read, Error *err)
{
    GameSource *source =
        game_source_open(sizeof(JoinedSource), reader_open_text(path, err), joined_next, err);

    if (source) ((JoinedSource *)source)->read = read;
    return source;
}
