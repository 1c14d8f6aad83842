/* SPDX-License-Identifier: MIT
 * Genuine Syzygy tables of all endings with three pieces, by retrograde analysis. The simplest
 * encoding that the format allows: codes of equal length, one a value, in place of Huffman codes
 * over repeated pairs; no checksum in the last 16 bytes, which no prober reads. Source of the
 * format: Ronald de Man's Syzygy tables as the Fathom library reads them. */
#include "tests/support/support_syzygy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/bitboard.h"

/* ---- Retrograde analysis: a king with one piece (strong side) against a bare king (weak side) */

enum { STRONG, WEAK, SIDES };
enum { UNKNOWN = 255 }; /* not won: a draw, or no legal position */

/* Plies to mate or to a winning pawn move: [side to move][strong king][weak king][piece]. Odd and
 * won with the strong side to move, even and lost with the weak one. The strong side moves up the
 * board. */
typedef struct Table {
    PieceType man;
    uint8_t plies[SIDES][SQUARES][SQUARES][SQUARES];
} Table;

static Bitboard man_attacks(PieceType man, int sq, Bitboard occupied)
{
    switch (man) {
    case PAWN:
        return pawn_attacks(WHITE, sq);
    case KNIGHT:
        return knight_attacks(sq);
    case BISHOP:
        return bishop_attacks(sq, occupied);
    case ROOK:
        return rook_attacks(sq, occupied);
    default:
        return bishop_attacks(sq, occupied) | rook_attacks(sq, occupied);
    }
}

static bool is_legal(PieceType man, int side, int strong, int weak, int sq)
{
    if (strong == weak || strong == sq || weak == sq) return false;
    if (man == PAWN && (sq < 8 || sq >= 56)) return false;
    if (king_attacks(strong) & square_bb(weak)) return false;
    Bitboard occupied = square_bb(strong) | square_bb(weak);
    return side == WEAK || !(man_attacks(man, sq, occupied) & square_bb(weak));
}

/* Is the weak side, to move, lost: mated, or with no moves but into positions known as won? */
static bool is_lost(const Table *t, int strong, int weak, int sq)
{
    Bitboard targets = king_attacks(weak) & ~king_attacks(strong);
    bool stuck = true;

    if (targets & square_bb(sq)) return false; /* captures the piece */
    while (targets) {
        int to = pop_lsb(&targets);
        if (man_attacks(t->man, sq, square_bb(strong) | square_bb(to)) & square_bb(to)) continue;
        if (t->plies[STRONG][strong][to][sq] == UNKNOWN) return false;
        stuck = false;
    }
    Bitboard occupied = square_bb(strong) | square_bb(weak);
    return !stuck || (man_attacks(t->man, sq, occupied) & square_bb(weak)) != 0;
}

/* Can the strong side, to move, reach a position lost in exactly `plies` without a pawn move? */
static bool reaches(const Table *t, int strong, int weak, int sq, int plies)
{
    Bitboard targets = king_attacks(strong) & ~king_attacks(weak) & ~square_bb(sq);

    while (targets)
        if (t->plies[WEAK][pop_lsb(&targets)][weak][sq] == plies) return true;
    if (t->man == PAWN) return false;
    Bitboard kings = square_bb(strong) | square_bb(weak);
    targets = man_attacks(t->man, sq, kings) & ~kings;
    while (targets)
        if (t->plies[WEAK][strong][weak][pop_lsb(&targets)] == plies) return true;
    return false;
}

/* Does a pawn move win? Needs the tables of all pieces, and of pawns further up the board. */
static bool wins_by_pawn_move(const Table *tables, int strong, int weak, int sq)
{
    const Bitboard kings = square_bb(strong) | square_bb(weak);
    int to = sq + 8;

    if (kings & square_bb(to)) return false;
    if (to >= 56) {
        for (PieceType man = KNIGHT; man <= QUEEN; man++)
            if (tables[man].plies[WEAK][strong][weak][to] != UNKNOWN) return true;
        return false;
    }
    if (tables[PAWN].plies[WEAK][strong][weak][to] != UNKNOWN) return true;
    to += 8;
    return sq < 16 && !(kings & square_bb(to)) &&
           tables[PAWN].plies[WEAK][strong][weak][to] != UNKNOWN;
}

/* One step: decides the positions of exactly `plies` with the piece on `squares`; returns their
 * number. */
static int solve_step(Table *tables, Table *t, Bitboard squares, int plies)
{
    const int side = plies % 2 == 1 ? STRONG : WEAK;
    int found = 0;

    for (int strong = 0; strong < SQUARES; strong++)
        for (int weak = 0; weak < SQUARES; weak++)
            for (Bitboard left = squares; left;) {
                int sq = pop_lsb(&left);
                uint8_t *value = &t->plies[side][strong][weak][sq];
                if (*value != UNKNOWN || !is_legal(t->man, side, strong, weak, sq)) continue;
                bool decided = side == WEAK ? is_lost(t, strong, weak, sq)
                                            : reaches(t, strong, weak, sq, plies - 1);
                if (t->man == PAWN && plies == 1)
                    decided = decided || wins_by_pawn_move(tables, strong, weak, sq);
                if (!decided) continue;
                *value = (uint8_t)plies;
                found++;
            }
    return found;
}

static void solve_squares(Table *tables, Table *t, Bitboard squares)
{
    (void)solve_step(tables, t, squares, 0);
    for (int plies = 1; solve_step(tables, t, squares, plies) > 0;)
        plies++;
}

/* Pieces before pawns, pawns from the seventh rank down: each needs the tables before it. */
static Table *solve_all(void)
{
    Table *tables = malloc(KING * sizeof *tables);

    if (!tables) return NULL;
    for (PieceType man = QUEEN + 1; man-- > PAWN;) {
        tables[man].man = man;
        memset(tables[man].plies, UNKNOWN, sizeof tables[man].plies);
        if (man != PAWN) solve_squares(tables, &tables[man], ~0ULL);
    }
    for (int rank = RANK_7; rank >= RANK_2; rank--)
        solve_squares(tables, &tables[PAWN], 0xffULL << 8 * rank);
    return tables;
}

static int longest(const Table *t)
{
    int most = 0;
    for (int strong = 0; strong < SQUARES; strong++)
        for (int weak = 0; weak < SQUARES; weak++)
            for (int sq = 0; sq < SQUARES; sq++) {
                int plies = t->plies[STRONG][strong][weak][sq];
                if (plies != UNKNOWN && plies > most) most = plies;
            }
    return most;
}

/* ---- The format's numbering of positions */

enum { PIECE_INDICES = 31332, PAWN_INDICES = 6 * 63 * 62, FILES_STORED = 4 };

/* Numbers the squares below the diagonal of a square board of size + 1 files, row by row. */
static int below_diagonal(int sq, int size)
{
    int file = square_file(sq), rank = square_rank(sq);
    return rank * size - rank * (rank - 1) / 2 + file - rank - 1;
}

static int transpose(int sq)
{
    return make_square(square_rank(sq), square_file(sq));
}

static bool on_diagonal(int sq)
{
    return square_file(sq) == square_rank(sq);
}

/* Three different pieces: the first is brought into the triangle a1-d1-d4, the first that is off
 * the diagonal below it. */
static int piece_index(int a, int b, int c)
{
    const int flip = (square_file(a) > FILE_D ? 7 : 0) | (square_rank(a) > RANK_4 ? 56 : 0);

    a ^= flip, b ^= flip, c ^= flip;
    int off = !on_diagonal(a) ? a : !on_diagonal(b) ? b : c;
    if (square_rank(off) > square_file(off)) a = transpose(a), b = transpose(b), c = transpose(c);

    const int b_skips = b > a, c_skips = (c > a) + (c > b);
    if (!on_diagonal(a)) return (below_diagonal(a, 3) * 63 + b - b_skips) * 62 + c - c_skips;
    int index = 6 * 63 * 62, diagonal = square_file(a);
    if (!on_diagonal(b)) return index + (diagonal * 28 + below_diagonal(b, 7)) * 62 + c - c_skips;
    index += 4 * 28 * 62;
    const int b_diagonal = square_file(b) - b_skips;
    if (!on_diagonal(c)) return index + (diagonal * 7 + b_diagonal) * 28 + below_diagonal(c, 7);
    index += 4 * 7 * 28;
    return index + (diagonal * 7 + b_diagonal) * 6 + square_file(c) - c_skips;
}

/* A pawn, then the kings; one table a file of the pawn, a to d. */
static int pawn_index(int pawn, int strong, int weak, int *file)
{
    const int flip = square_file(pawn) > FILE_D ? 7 : 0;

    pawn ^= flip, strong ^= flip, weak ^= flip;
    *file = square_file(pawn);
    int first = strong - (strong > pawn), second = weak - (weak > pawn) - (weak > strong);
    return (second * 63 + first) * 6 + square_rank(pawn) - 1;
}

/* ---- Writing */

typedef enum Kind { WDL, DTZ } Kind;

enum {
    BLOCK_BITS = 6, /* blocks of 64 bytes */
    SPAN_BITS = 10, /* values an entry of the sparse index */
    SINGLE_VALUE = 0x80,
    DTZ_IN_PLIES = 4 | 8
};

/* One array of values as it is stored. */
typedef struct Pairs {
    uint8_t *values;
    int count;
    int symbols; /* values are below this */
    int bits;    /* of a code */
} Pairs;

static void put(FILE *f, unsigned value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        (void)fputc((int)(value >> 8 * i & 255), f);
}

static void pad(FILE *f, int alignment)
{
    while (ftell(f) % alignment != 0)
        (void)fputc(0, f);
}

static bool is_single(const Pairs *p)
{
    return memcmp(p->values, p->values + 1, (size_t)p->count - 1) == 0;
}

static int per_block(const Pairs *p)
{
    return (8 << BLOCK_BITS) / p->bits;
}

static int block_count(const Pairs *p)
{
    return (p->count + per_block(p) - 1) / per_block(p);
}

static void put_header(FILE *f, const Pairs *p, Kind kind)
{
    const unsigned flags = kind == DTZ ? DTZ_IN_PLIES : 0;

    if (is_single(p)) {
        put(f, flags | SINGLE_VALUE, 1);
        put(f, kind == WDL ? p->values[0] : 0, 1);
        return;
    }
    put(f, flags, 1);
    put(f, BLOCK_BITS, 1);
    put(f, SPAN_BITS, 1);
    put(f, 0, 1); /* no blocks of padding */
    put(f, (unsigned)block_count(p), 4);
    put(f, (unsigned)p->bits, 1); /* longest and shortest code */
    put(f, (unsigned)p->bits, 1);
    put(f, 0, 2); /* first symbol of that length */
    put(f, (unsigned)p->symbols, 2);
    for (int s = 0; s < p->symbols; s++)
        put(f, (unsigned)s | 0xfff000, 3); /* a value, not a pair of symbols */
    if (p->symbols % 2) put(f, 0, 1);
}

/* Block and place in it of the value in the middle of each span. */
static void put_index(FILE *f, const Pairs *p)
{
    if (is_single(p)) return;
    for (int first = 0; first < p->count; first += 1 << SPAN_BITS) {
        int middle = first + (1 << (SPAN_BITS - 1));
        int block = middle < p->count ? middle / per_block(p) : block_count(p);
        int start = middle < p->count ? block * per_block(p) : p->count;
        put(f, (unsigned)block, 4);
        put(f, (unsigned)(middle - start), 2);
    }
}

static void put_sizes(FILE *f, const Pairs *p)
{
    if (is_single(p)) return;
    for (int first = 0; first < p->count; first += per_block(p)) {
        int left = p->count - first;
        put(f, (unsigned)(left < per_block(p) ? left : per_block(p)) - 1, 2);
    }
}

/* Codes from the highest bit down. */
static void put_data(FILE *f, const Pairs *p)
{
    if (is_single(p)) return;
    pad(f, 64);
    for (int first = 0; first < p->count; first += per_block(p)) {
        uint8_t block[1 << BLOCK_BITS] = {0};
        for (int i = 0; i < per_block(p) && first + i < p->count; i++)
            for (int b = 0; b < p->bits; b++) {
                int at = i * p->bits + b;
                int bit = p->values[first + i] >> (p->bits - 1 - b) & 1;
                block[at / 8] |= (uint8_t)(bit << (7 - at % 8));
            }
        (void)fwrite(block, 1, sizeof block, f);
    }
}

/* Both sides of a WDL table, the strong one of a DTZ table. */
static int side_count(Kind kind)
{
    return kind == WDL ? 2 : 1;
}

static void put_table(FILE *f, const Table *t, Kind kind, const Pairs *pairs, int arrays)
{
    static const unsigned char magic[][4] = {{0x71, 0xe8, 0x23, 0x5d}, {0xd7, 0x66, 0x0c, 0xa5}};
    const unsigned strong = 6, weak = 14, man = (unsigned)t->man + 1; /* the format's pieces */
    const unsigned order[3] = {t->man == PAWN ? man : strong, t->man == PAWN ? strong : weak,
                               t->man == PAWN ? weak : man};

    (void)fwrite(magic[kind], 1, 4, f);
    put(f, 1 | (t->man == PAWN ? 2 : 0), 1); /* the sides differ; there are pawns */
    for (int i = 0; i < arrays / side_count(kind); i++) {
        put(f, 0, 1);
        for (int k = 0; k < 3; k++)
            put(f, order[k] | order[k] << 4, 1); /* the same order for both sides to move */
    }
    pad(f, 2);
    for (int i = 0; i < arrays; i++)
        put_header(f, &pairs[i], kind);
    pad(f, 2);
    for (int i = 0; i < arrays; i++)
        put_index(f, &pairs[i]);
    for (int i = 0; i < arrays; i++)
        put_sizes(f, &pairs[i]);
    for (int i = 0; i < arrays; i++)
        put_data(f, &pairs[i]);
    pad(f, 64);
    for (int i = 0; i < 16; i++)
        put(f, 0, 1);
}

/* What is stored for a position: 0 lost … 2 drawn … 4 won; plies less one. */
static uint8_t stored_value(Kind kind, int side, uint8_t plies)
{
    if (kind == DTZ) return plies == UNKNOWN ? 0 : (uint8_t)(plies - 1);
    return plies == UNKNOWN ? 2 : side == STRONG ? 4 : 0;
}

static void fill(const Table *t, Kind kind, Pairs *pairs)
{
    for (int side = 0; side < side_count(kind); side++)
        for (int strong = 0; strong < SQUARES; strong++)
            for (int weak = 0; weak < SQUARES; weak++)
                for (int sq = 0; sq < SQUARES; sq++) {
                    int file = 0;
                    if (!is_legal(t->man, side, strong, weak, sq)) continue;
                    int index = t->man == PAWN ? pawn_index(sq, strong, weak, &file)
                                               : piece_index(strong, weak, sq);
                    pairs[file * side_count(kind) + side].values[index] =
                        stored_value(kind, side, t->plies[side][strong][weak][sq]);
                }
}

static bool write_table(const char *folder, const Table *t, Kind kind)
{
    const int arrays = side_count(kind) * (t->man == PAWN ? FILES_STORED : 1);
    const int count = t->man == PAWN ? PAWN_INDICES : PIECE_INDICES;
    const int symbols = kind == WDL ? 5 : longest(t) + 1;
    Pairs pairs[2 * FILES_STORED];
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/K%cvK.rtb%c", folder, "PNBRQ"[t->man],
                   kind == WDL ? 'w' : 'z');
    FILE *f = fopen(path, "wb");
    bool good = f != NULL;
    for (int i = 0; i < arrays; i++) {
        pairs[i] = (Pairs){malloc((size_t)count), count, symbols, 1};
        while (1 << pairs[i].bits < symbols)
            pairs[i].bits++;
        good = good && pairs[i].values;
        if (pairs[i].values) memset(pairs[i].values, kind == WDL ? 2 : 0, (size_t)count);
    }
    if (good) {
        fill(t, kind, pairs);
        put_table(f, t, kind, pairs, arrays);
        good = !ferror(f);
    }
    if (f && fclose(f) != 0) good = false;
    if (!good) fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    for (int i = 0; i < arrays; i++)
        free(pairs[i].values);
    return good;
}

bool support_make_syzygy(const char *folder, int longest_plies[KING])
{
    Table *tables = solve_all();
    bool good = tables != NULL;

    for (PieceType man = PAWN; good && man <= QUEEN; man++) {
        good = write_table(folder, &tables[man], WDL) && write_table(folder, &tables[man], DTZ);
        longest_plies[man] = longest(&tables[man]);
    }
    free(tables);
    return good;
}
