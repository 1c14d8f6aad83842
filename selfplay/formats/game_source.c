/* SPDX-License-Identifier: MIT
 * Opening and closing sources of games. */
#include "selfplay/formats/game_source.h"

#include <stdlib.h>

GameSource *game_source_open(size_t size, FileReader *file, GameSourceNext *next, Error *err)
{
    GameSource *source = file ? calloc(1, size) : NULL;

    if (source) {
        source->next = next;
        source->file = file;
    } else if (file) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        reader_close(file);
    }
    return source;
}

void game_source_note(GameSource *source, int64_t line, Error *note)
{
    if (!note->text[0]) return;
    (void)reader_place_line(source->file, line, note);
    fault_count_add(&source->dropped, 1, note);
    note->text[0] = '\0';
}

Status game_source_take(GameSource *source, size_t size, const uint8_t **data, Error *err)
{
    Status status = reader_take(source->file, size, data, err);
    if (status != STATUS_OK || *data) return status;
    return error_set(err, STATUS_BAD_INPUT, "%s: the file ends within the game from byte %lld",
                     input_path(source->file->file), (long long)source->start);
}

void game_source_close(GameSource *source)
{
    if (!source) return;
    reader_close(source->file);
    game_builder_free(&source->game);
    free(source);
}
