/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of games in other programs' formats: the first byte of the input chooses the
 * format, the rest is the file. Games are legal, errors name the file, and the reading ends. */
#include <string.h>
#include <unistd.h>

#include "db/chess/replay.h"
#include "selfplay/formats/formats.h"
#include "tests/fuzz/support_fuzz.h"

/* The formats that can be read, in the order of their table; from its start again after the last.
 */
static const GameFormat *readable_format(int number)
{
    const GameFormat *format = game_formats;

    while (!format->open || number-- > 0)
        if (!(++format)->name) format = game_formats;
    return format;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const GameRecord *game;
    char path[FUZZ_PATH_MAX];
    Error err = {0};

    if (size == 0) return 0;
    const GameFormat *format = readable_format(data[0]);
    fuzz_file("formats", data + 1, size - 1, path);
    GameSource *source = format->open(path, &err);
    for (size_t calls = 0; source; calls++) {
        demand(calls <= size + 2);
        err = (Error){0};
        Status status = game_source_next(source, &game, &err);
        if (status == STATUS_OK && !game) break;
        if (status == STATUS_OK)
            demand(replay_check(game, &(Error){0}) == STATUS_OK);
        else
            demand(status == STATUS_BAD_INPUT && strstr(err.text, path));
    }
    game_source_close(source);
    (void)unlink(path);
    return 0;
}
