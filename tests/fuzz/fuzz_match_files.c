/* SPDX-License-Identifier: MIT
 * Fuzzes what a match reads of the files that it continues: the input is such a PGN file. A torn
 * game at its end is removed, once, and nothing else changes. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/match/output.h"
#include "tests/fuzz/support_fuzz.h"

static size_t size_of(const char *path)
{
    struct stat info;

    demand(stat(path, &info) == 0);
    return (size_t)info.st_size;
}

static void check_held(const char *path, Status (*read)(HeldGames *, const char *, Error *))
{
    HeldGames held = {0};
    Error err = {0};

    if (read(&held, path, &err) == STATUS_OK) {
        for (int64_t i = 0, count = held.count; i < count; i++)
            demand(held_games_take(&held, held.keys[i]));
        for (int64_t i = 0; i < held.count; i++)
            demand(!held_games_take(&held, held.keys[i]));
    } else {
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
    }
    held_games_free(&held);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];

    fuzz_file("match", data, size, path);
    check_held(path, held_games_read_pgn);
    check_held(path, held_games_read_lines);
    demand(torn_game_remove(path, "e", &(Error){0}) == STATUS_OK);
    size_t whole = size_of(path);
    demand(whole <= size);
    demand(strncmp((const char *)data + whole, "[Event \"e\"",
                   size - whole < 10 ? size - whole : 10) == 0);
    demand(torn_game_remove(path, NULL, &(Error){0}) == STATUS_OK);
    demand(size_of(path) <= whole);
    (void)unlink(path);
    return 0;
}
