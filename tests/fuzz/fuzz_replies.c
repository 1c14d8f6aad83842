/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of a UCI engine's lines: info, options, the name, and moves. What is read can
 * be stored and printed. */
#include <stdlib.h>
#include <string.h>

#include "db/store/game_record.h"
#include "engine/base/text.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/players/uci_messages.h"
#include "tests/fuzz/support_fuzz.h"

static const char *const wanted[] = {"Hash=16", "Style=Very Risky", "Clear Hash", "Slow=true",
                                     "Book File=a b"};

static void check_info(const char *line, PlayerMove *out, bool *exact)
{
    uci_read_info(line, out, exact);
    demand(out->depth >= 0 && out->nodes <= 1000000000000000);
    demand(out->score >= -VALUE_MATE && (out->score <= VALUE_MATE || out->score == SCORE_UNKNOWN));
}

static void check_move(const char *line)
{
    Position pos;
    Move move;

    position_set_start(&pos);
    if (move_from_uci(&pos, line, &move, &(Error){0}) == STATUS_OK)
        demand(movegen_is_legal(&pos, move));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PlayerMove out = {.score = SCORE_UNKNOWN};
    UciOptionCheck check = {.wanted = wanted, .count = sizeof wanted / sizeof *wanted};
    Error err = {0};
    bool exact = false;
    char *text = fuzz_copy(data, size), *state;

    for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        check_info(line, &out, &exact);
        check_move(line);
        if (uci_option_line(&check, line, &err) != STATUS_OK) demand(err.text[0] != '\0');
        text_clean(line);
        for (const char *c = line; *c; c++)
            demand((unsigned char)*c >= ' ' && *c != 0x7f);
    }
    if (uci_option_end(&check, &err) != STATUS_OK) demand(err.text[0] != '\0');
    free(text);
    return 0;
}
