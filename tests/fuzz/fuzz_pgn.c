/* SPDX-License-Identifier: MIT
 * Fuzzes the PGN reader: the input is a file. Every game is refused with an error that names the
 * file, or is legal and survives a round trip through our writer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/chess/replay.h"
#include "selfplay/formats/pgn_read.h"
#include "selfplay/formats/pgn_write.h"
#include "tests/fuzz/support_fuzz.h"

static void check_again(const GameRecord *game)
{
    char path[FUZZ_PATH_MAX];
    char *text;
    size_t length;
    const PgnGame *again = NULL;
    FILE *out = open_memstream(&text, &length);

    demand(out && pgn_write(out, &(PgnOutput){0}, game, &(Error){0}) == STATUS_OK &&
           fclose(out) == 0);
    fuzz_file("again", text, length, path);
    free(text);
    GameSource *reader = pgn_open(path, &(Error){0});
    demand(reader && pgn_next(reader, &again, &(Error){0}) == STATUS_OK && again);
    demand(again->record->ply_count == game->ply_count && again->record->result == game->result &&
           again->record->reason == game->reason &&
           strcmp(again->record->start_fen, game->start_fen) == 0);
    for (int i = 0; i < game->ply_count; i++)
        demand(again->record->plies[i].move == game->plies[i].move);
    game_source_close(reader);
    (void)unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    const PgnGame *game;
    Error err = {0};

    fuzz_file("pgn", data, size, path);
    GameSource *reader = pgn_open(path, &err);
    for (int calls = 0; reader; calls++) {
        demand(calls <= (int)size + 2); /* every call reads something */
        err = (Error){0};
        Status status = pgn_next(reader, &game, &err);
        demand(status == STATUS_OK || (status == STATUS_BAD_INPUT && strstr(err.text, path)));
        if (status == STATUS_OK && !game) break;
        if (status != STATUS_OK || !game->finished) continue;
        demand(replay_check(game->record, &(Error){0}) == STATUS_OK);
        check_again(game->record);
    }
    game_source_close(reader);
    (void)unlink(path);
    return 0;
}
