/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of FEN, SAN and UCI moves: the input is a FEN, then moves, a line each. What
 * is accepted must be consistent and come back from its own text. */
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "engine/position_make.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    engine_init();
    return 0;
}

static void demand(bool condition)
{
    if (!condition) abort();
}

static void check_position(const Position *pos)
{
    Position again;
    MoveList list, noisy, quiet;
    char fen[FEN_MAX];

    demand(position_is_consistent(pos));
    position_to_fen(pos, fen);
    demand(position_from_fen(&again, fen, NULL) == STATUS_OK && again.key == pos->key);
    movegen_all(pos, &list);
    movegen_noisy(pos, &noisy);
    movegen_quiet(pos, &quiet);
    demand(list.count == movegen_count(pos) && list.count == noisy.count + quiet.count);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make(&next, pos, list.moves[i]);
        demand(movegen_is_legal(pos, list.moves[i]));
        demand(movegen_gives_check(pos, list.moves[i]) == position_in_check(&next));
        demand(position_is_consistent(&next));
    }
}

static void check_move(const Position *pos, Move m)
{
    char uci[UCI_MOVE_MAX], san[SAN_MAX];
    Move again;

    demand(movegen_is_legal(pos, m));
    move_to_uci(pos, m, uci);
    demand(move_from_uci(pos, uci, &again, NULL) == STATUS_OK && again == m);
    move_to_san(pos, m, san);
    demand(move_from_san(pos, san, &again, NULL) == STATUS_OK && again == m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Position pos, next;
    Error err = {0};
    char *text = malloc(size + 1); /* of exact size, so that every read beyond it is seen */
    demand(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';

    char *line = text, *rest = strchr(text, '\n');
    if (rest) *rest++ = '\0';
    if (position_from_fen(&pos, line, &err) == STATUS_OK) {
        check_position(&pos);
        while (rest) {
            Move m;
            line = rest;
            rest = strchr(line, '\n');
            if (rest) *rest++ = '\0';
            if (move_from_san(&pos, line, &m, &err) != STATUS_OK &&
                move_from_uci(&pos, line, &m, &err) != STATUS_OK)
                continue;
            check_move(&pos, m);
            position_make(&next, &pos, m);
            check_position(&next);
            pos = next;
        }
    }
    free(text);
    return 0;
}
