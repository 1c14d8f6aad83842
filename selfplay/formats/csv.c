/* SPDX-License-Identifier: MIT
 * CSV: a position a line, for programs that read tables. No field needs quotes.
 *
 * score: centipawns, White's view; a mate in n plies is 32000 - n; empty without a search. result:
 * White's points. ply: of the stored game, from 0. run: its uuid; game: its number in the run. */
#include <string.h>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/formats/internal.h"

const char csv_head[] = "fen,score,result,move,ply,run,game\n";

char *csv_put(char *out, const ExportGame *game, int ply)
{
    static const char *const points[] = {
        [RESULT_BLACK_WINS] = ",0,", [RESULT_DRAW] = ",0.5,", [RESULT_WHITE_WINS] = ",1,"};
    const GameRecord *record = game->record;
    const Position *pos = &game->positions[ply];
    int score = record->plies[ply].score;

    position_to_fen(pos, out);
    out = text_put(out + strlen(out), ",");
    if (score != SCORE_UNKNOWN) out = text_put_int(out, score);
    out = text_put(out, points[record->result]);
    move_to_uci(pos, record->plies[ply].move, out);
    out = text_put_int(text_put(out + strlen(out), ","), ply);
    out = text_put(text_put(out, ","), game->run->uuid);
    return text_put(text_put_int(text_put(out, ","), record->game_no), "\n");
}
