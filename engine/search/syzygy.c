/* SPDX-License-Identifier: MIT
 * Syzygy probes through the Fathom library; without it, every probe fails. */
#include "engine/search/syzygy.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Files */

enum { PATH_ROOM = 4096 };

/* The pieces in the name of a WDL file, one letter each: "KRvK.rtbw"; 0 for other names. */
static int men_of_name(const char *name)
{
    static const char ending[] = ".rtbw";
    size_t length = strlen(name), letters = strspn(name, "KQRBNPv");

    if (letters + strlen(ending) != length || strcmp(name + letters, ending) != 0) return 0;
    return (int)letters - 1;
}

/* Is the file also in a folder of `paths` before `end`? */
static bool is_in_earlier_folder(const char *paths, const char *end, const char *name)
{
    char path[PATH_ROOM];

    for (const char *at = paths; at < end; at += strcspn(at, ":") + 1) {
        (void)snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(at, ":"), at, name);
        if (access(path, F_OK) == 0) return true;
    }
    return false;
}

int syzygy_count(const char *paths, int pieces)
{
    char folder[PATH_ROOM];
    int count = 0;

    for (const char *at = paths; *at; at += strcspn(at, ":"), at += *at == ':') {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)strcspn(at, ":"), at);
        DIR *dir = opendir(folder);
        if (!dir) continue;
        for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
            int of = men_of_name(entry->d_name);
            count += of > 0 && of <= pieces && !is_in_earlier_folder(paths, at, entry->d_name);
        }
        (void)closedir(dir);
    }
    return count;
}

int syzygy_value(SyzygyResult result, bool rule50, int ply)
{
    if (result == SYZYGY_WIN || (result == SYZYGY_CURSED_WIN && !rule50)) return VALUE_TB_WIN - ply;
    if (result == SYZYGY_LOSS || (result == SYZYGY_BLESSED_LOSS && !rule50))
        return -VALUE_TB_WIN + ply;
    return VALUE_DRAW + result;
}

#ifdef TABIA_FATHOM

/* ---- With Fathom */

#include <pthread.h>
#include <tbprobe.h>

enum {
    RANK_SURE = 900 /* Fathom's least rank of a win in spite of the fifty-move rule, and with minus
                       the greatest of such a loss; ranks between are draws by the rule */
};

/* Once a process, like Fathom's own state. Root probes are not thread-safe. Debian's library is
 * built without the locks that other probes need when they map a file. A probe takes about 1 us. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int largest; /* Fathom does not reset its own count when files are closed */

bool syzygy_built(void)
{
    return true;
}

Status syzygy_open(const char *paths, Error *err)
{
    bool none = paths[0] == '\0' || strcmp(paths, "<empty>") == 0;

    if (!tb_init(none ? "" : paths))
        return error_set(err, STATUS_FAILED, "Fathom cannot be started");
    largest = none ? 0 : (int)TB_LARGEST;
    if (!none && largest == 0)
        return error_set(err, STATUS_BAD_INPUT, "no Syzygy files in %s", paths);
    return STATUS_OK;
}

int syzygy_pieces(void)
{
    return largest;
}

static bool is_covered(const Position *pos)
{
    return pos->castling == 0 && popcount(position_occupied(pos)) <= largest;
}

static unsigned ep_square(const Position *pos)
{
    return pos->ep_square == NO_SQUARE ? 0 : pos->ep_square;
}

SyzygyResult syzygy_probe(const Position *pos)
{
    const Bitboard *t = pos->by_type;

    if (!is_covered(pos)) return SYZYGY_UNKNOWN;
    (void)pthread_mutex_lock(&lock);
    unsigned found =
        tb_probe_wdl(pos->by_color[WHITE], pos->by_color[BLACK], t[KING], t[QUEEN], t[ROOK],
                     t[BISHOP], t[KNIGHT], t[PAWN], 0, 0, ep_square(pos), pos->stm == WHITE);
    (void)pthread_mutex_unlock(&lock);
    return found == TB_RESULT_FAILED ? SYZYGY_UNKNOWN : (SyzygyResult)((int)found - (int)TB_DRAW);
}

/* Ranks all moves by DTZ files, else by WDL files. */
static bool rank_moves(const Position *pos, bool repeated, bool rule50, struct TbRootMoves *ranked)
{
    const Bitboard *t = pos->by_type, white = pos->by_color[WHITE], black = pos->by_color[BLACK];
    const bool turn = pos->stm == WHITE;

    return tb_probe_root_dtz(white, black, t[KING], t[QUEEN], t[ROOK], t[BISHOP], t[KNIGHT],
                             t[PAWN], pos->rule50, 0, ep_square(pos), turn, repeated, rule50,
                             ranked) ||
           tb_probe_root_wdl(white, black, t[KING], t[QUEEN], t[ROOK], t[BISHOP], t[KNIGHT],
                             t[PAWN], pos->rule50, 0, ep_square(pos), turn, rule50, ranked);
}

static SyzygyResult result_of_rank(int rank, bool rule50)
{
    int sure = rule50 ? RANK_SURE : 1;
    return rank >= sure    ? SYZYGY_WIN
           : rank > 0      ? SYZYGY_CURSED_WIN
           : rank == 0     ? SYZYGY_DRAW
           : rank <= -sure ? SYZYGY_LOSS
                           : SYZYGY_BLESSED_LOSS;
}

static bool is_same_move(Move m, TbMove theirs)
{
    static const unsigned promotions[] = {
        [KNIGHT] = TB_PROMOTES_KNIGHT,
        [BISHOP] = TB_PROMOTES_BISHOP,
        [ROOK] = TB_PROMOTES_ROOK,
        [QUEEN] = TB_PROMOTES_QUEEN,
    };
    unsigned promotion = move_is_promotion(m) ? promotions[move_promotion(m)] : TB_PROMOTES_NONE;
    return move_from(m) == TB_MOVE_FROM(theirs) && move_to(m) == TB_MOVE_TO(theirs) &&
           promotion == TB_MOVE_PROMOTES(theirs);
}

SyzygyResult syzygy_best_moves(const Position *pos, bool repeated, bool rule50, MoveList *best)
{
    struct TbRootMoves ranked = {.size = 0};
    MoveList legal;
    int top = INT32_MIN;

    best->count = 0;
    movegen_all(pos, &legal);
    if (!is_covered(pos) || legal.count == 0) return SYZYGY_UNKNOWN;
    (void)pthread_mutex_lock(&lock);
    bool known = rank_moves(pos, repeated, rule50, &ranked);
    (void)pthread_mutex_unlock(&lock);
    if (!known) return SYZYGY_UNKNOWN;

    for (unsigned i = 0; i < ranked.size; i++)
        if (ranked.moves[i].tbRank > top) top = ranked.moves[i].tbRank;
    for (int i = 0; i < legal.count; i++)
        for (unsigned k = 0; k < ranked.size; k++)
            if (ranked.moves[k].tbRank == top && is_same_move(legal.moves[i], ranked.moves[k].move))
                best->moves[best->count++] = legal.moves[i];
    return best->count > 0 ? result_of_rank(top, rule50) : SYZYGY_UNKNOWN;
}

#else

/* ---- Without */

bool syzygy_built(void)
{
    return false;
}

Status syzygy_open(const char *paths, Error *err)
{
    if (paths[0] == '\0' || strcmp(paths, "<empty>") == 0) return STATUS_OK;
    return error_set(err, STATUS_FAILED,
                     "this build has no Syzygy support; build with the Fathom library");
}

int syzygy_pieces(void)
{
    return 0;
}

SyzygyResult syzygy_probe(const Position *pos)
{
    (void)pos;
    return SYZYGY_UNKNOWN;
}

SyzygyResult syzygy_best_moves(const Position *pos, bool repeated, bool rule50, MoveList *best)
{
    (void)pos;
    (void)repeated;
    (void)rule50;
    best->count = 0;
    return SYZYGY_UNKNOWN;
}

#endif
