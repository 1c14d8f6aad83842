/* SPDX-License-Identifier: MIT
 * The classical terms: templates by colour, by families and by what is tallied, inlined into the
 * two functions at the end. */
#include "engine/eval/classical.h"

#include <string.h>

/* The sum or the counts. One of the two pointers is NULL, which is known at compile time. */
typedef struct Tally {
    const Score *value; /* weights to be summed */
    Score sum;
    int16_t *count; /* or applications to be counted */
} Tally;

ALWAYS_INLINE void add(Tally *t, Color us, int term, int times)
{
    int signed_times = us == WHITE ? times : -times;
    if (t->count)
        t->count[term - EVAL_CLASSICAL] = (int16_t)(t->count[term - EVAL_CLASSICAL] + signed_times);
    else
        t->sum += signed_times * t->value[term - EVAL_CLASSICAL];
}

/* ---- Geometry */

ALWAYS_INLINE int relative_rank(Color us, int sq)
{
    return us == WHITE ? square_rank(sq) : RANK_8 - square_rank(sq);
}

/* The ranks from n on, as `us` counts them from 0. */
ALWAYS_INLINE Bitboard ranks_from(Color us, int n)
{
    return us == WHITE ? ~0ULL << 8 * n : ~0ULL >> 8 * n;
}

ALWAYS_INLINE Bitboard ranks_ahead(Color us, int sq)
{
    return us == WHITE ? (~RANK_1_BB) << (sq & 56) : ~(~0ULL << (sq & 56));
}

/* Squares next to a set on its ranks. */
ALWAYS_INLINE Bitboard beside(Bitboard b)
{
    return (b & ~FILE_H_BB) << 1 | (b & ~FILE_A_BB) >> 1;
}

/* Nearest to the home rank of `us`; the set is not empty. */
ALWAYS_INLINE int nearest_home(Color us, Bitboard b)
{
    return us == WHITE ? lsb(b) : 63 - __builtin_clzll(b);
}

static inline int distance(int a, int b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

/* ---- Pawns alone */

/* Returns the passed ones. */
ALWAYS_INLINE Bitboard tally_pawns(const Position *pos, Color us, EvalFamilies families, Tally *t)
{
    const Bitboard own = position_pieces(pos, us, PAWN);
    const Bitboard enemy = position_pieces(pos, opponent(us), PAWN);
    const Bitboard checked = enemy | pawns_attack(opponent(us), enemy);
    Bitboard passed = 0;

    for (Bitboard left = own; left;) {
        const int sq = pop_lsb(&left), rank = relative_rank(us, sq) - 1;
        const Bitboard file = file_bb(square_file(sq)), files_beside = beside(file);
        const Bitboard ahead = ranks_ahead(us, sq), neighbours = own & files_beside;
        const bool doubled = (own & file & ahead) != 0;

        if (!doubled && !(enemy & (file | files_beside) & ahead)) {
            passed |= square_bb(sq);
            if (families & eval_family(EVAL_FAMILY_PASSED)) add(t, us, EVAL_PASSED_PAWN + rank, 1);
        }
        if (!(families & eval_family(EVAL_FAMILY_PAWNS))) continue;
        const bool isolated = !neighbours;
        const bool backward =
            neighbours && !(neighbours & ~ahead) && (shift_forward(us, square_bb(sq)) & checked);
        if (isolated) add(t, us, EVAL_ISOLATED_PAWN + rank, 1);
        if (backward) add(t, us, EVAL_BACKWARD_PAWN + rank, 1);
        if (doubled) add(t, us, EVAL_DOUBLED_PAWN + rank, 1);
        if (beside(square_bb(sq)) & own) add(t, us, EVAL_PHALANX_PAWN + rank, 1);
        if (pawn_attacks(opponent(us), sq) & own) add(t, us, EVAL_DEFENDED_PAWN + rank, 1);
        if ((isolated || backward) && !(enemy & file & ahead))
            add(t, us, EVAL_WEAK_PAWN_EXPOSED, 1);
    }
    return passed;
}

/* ---- Attacks, found once for a position */

typedef struct Attacks {
    Bitboard by[COLORS][PIECE_TYPES]; /* squares attacked by a side's pawns, knights, … */
    Bitboard all[COLORS];
    Bitboard twice[COLORS];  /* by two pieces or more */
    Bitboard mobile[COLORS]; /* the mobility area */
    Bitboard zone[COLORS];   /* around the king of that side */
    int attackers[COLORS];   /* pieces that reach the other side's zone … */
    int danger[COLORS];      /* … and the weight of it */
} Attacks;

ALWAYS_INLINE void attack(Attacks *a, Color us, PieceType type, Bitboard squares)
{
    a->twice[us] |= a->all[us] & squares;
    a->all[us] |= squares;
    a->by[us][type] |= squares;
}

/* Pawns and king of a side. */
ALWAYS_INLINE void attack_first(Attacks *a, const Position *pos, Color us)
{
    const Bitboard pawns = position_pieces(pos, us, PAWN);
    const int king = position_king(pos, us), file = square_file(king), rank = square_rank(king);
    const int centre = make_square(file < FILE_B   ? FILE_B
                                   : file > FILE_G ? FILE_G
                                                   : file,
                                   rank < RANK_2   ? RANK_2
                                   : rank > RANK_7 ? RANK_7
                                                   : rank);

    attack(a, us, PAWN, shift_forward_west(us, pawns));
    attack(a, us, PAWN, shift_forward_east(us, pawns));
    attack(a, us, KING, king_attacks(king));
    a->zone[us] = king_attacks(centre) | square_bb(centre);
}

/* Needs the other side's pawn attacks. */
ALWAYS_INLINE void find_mobile(Attacks *a, const Position *pos, Color us)
{
    const Bitboard pawns = position_pieces(pos, us, PAWN);
    const Bitboard blocked = shift_forward(opponent(us), position_occupied(pos));
    const Bitboard low = ~ranks_from(us, RANK_4);
    const Bitboard king = position_pieces(pos, us, KING);

    a->mobile[us] = ~((pawns & (blocked | low)) | king | a->by[opponent(us)][PAWN]);
}

/* The attacks of a side's pieces of one type, and mobility on the way. */
ALWAYS_INLINE void attack_with(Attacks *a, const Position *pos, Color us, PieceType type,
                               EvalFamilies families, Tally *t)
{
    static const int first_term[PIECE_TYPES] = {
        0, EVAL_KNIGHT_MOBILITY, EVAL_BISHOP_MOBILITY, EVAL_ROOK_MOBILITY, EVAL_QUEEN_MOBILITY, 0};
    static const int weight[PIECE_TYPES] = {0, 2, 2, 3, 5, 0};
    const Bitboard zone = a->zone[opponent(us)];
    Bitboard solid = position_occupied(pos);

    if (type == BISHOP || type == ROOK) solid &= ~position_pieces(pos, us, QUEEN);
    if (type == ROOK) solid &= ~position_pieces(pos, us, ROOK);
    for (Bitboard left = position_pieces(pos, us, type); left;) {
        const Bitboard squares = piece_attacks(type, pop_lsb(&left), solid);
        attack(a, us, type, squares);
        if (families & eval_family(EVAL_FAMILY_MOBILITY))
            add(t, us, first_term[type] + popcount(squares & a->mobile[us]), 1);
        if ((families & eval_family(EVAL_FAMILY_ATTACK)) && (squares & zone)) {
            a->attackers[us]++;
            a->danger[us] += weight[type] * popcount(squares & zone);
        }
    }
}

ALWAYS_INLINE void attack_with_all(Attacks *a, const Position *pos, Color us, EvalFamilies families,
                                   Tally *t)
{
    attack_with(a, pos, us, KNIGHT, families, t);
    attack_with(a, pos, us, BISHOP, families, t);
    attack_with(a, pos, us, ROOK, families, t);
    attack_with(a, pos, us, QUEEN, families, t);
}

/* ---- Families that need no attacks */

/* Files of a set of squares, whole. */
ALWAYS_INLINE Bitboard whole_files(Bitboard b)
{
    b |= b >> 8 | b << 8;
    b |= b >> 16 | b << 16;
    return b | b >> 32 | b << 32;
}

/* Squares that the pawns of c attack or may come to attack by advancing. */
ALWAYS_INLINE Bitboard attack_spans(Color c, Bitboard pawns)
{
    Bitboard span = pawns_attack(c, pawns);
    span |= shift_forward(c, span);
    span |= shift_forward(c, shift_forward(c, span));
    return span | (c == WHITE ? span << 32 : span >> 32);
}

ALWAYS_INLINE void tally_pieces(const Position *pos, Color us, Tally *t)
{
    const Bitboard pawns = position_pieces(pos, us, PAWN);
    const Bitboard enemy = position_pieces(pos, opponent(us), PAWN);
    const Bitboard knights = position_pieces(pos, us, KNIGHT);
    const Bitboard bishops = position_pieces(pos, us, BISHOP);
    const Bitboard rooks = position_pieces(pos, us, ROOK) & ~whole_files(pawns);
    const Bitboard behind = shift_forward(opponent(us), pos->by_type[PAWN]);
    const Bitboard outposts = ranks_from(us, RANK_4) & ~ranks_from(us, RANK_7) &
                              pawns_attack(us, pawns) & ~attack_spans(opponent(us), enemy);

    if (more_than_one(bishops)) add(t, us, EVAL_BISHOP_PAIR, 1);
    for (Bitboard left = bishops; left;) {
        const bool light = square_bb(pop_lsb(&left)) & LIGHT_SQUARES_BB;
        const Bitboard color = light ? LIGHT_SQUARES_BB : ~LIGHT_SQUARES_BB;
        add(t, us, EVAL_BISHOP_PAWNS + popcount(pawns & color), 1);
    }
    add(t, us, EVAL_OUTPOST, popcount(knights & outposts));
    add(t, us, EVAL_OUTPOST + 1, popcount(bishops & outposts));
    add(t, us, EVAL_MINOR_BEHIND_PAWN, popcount((knights | bishops) & behind));
    if (!rooks) return;
    const Bitboard half_open = whole_files(enemy);
    add(t, us, EVAL_ROOK_OPEN_FILE, popcount(rooks & ~half_open));
    add(t, us, EVAL_ROOK_HALF_OPEN_FILE, popcount(rooks & half_open));
}

ALWAYS_INLINE void tally_shelter(const Position *pos, Color us, Tally *t)
{
    enum { RANKS = 7 }; /* none, or rank 2 to 7 */
    const int king = position_king(pos, us), king_file = square_file(king);
    const int centre = king_file < FILE_B ? FILE_B : king_file > FILE_G ? FILE_G : king_file;
    const Bitboard before = ranks_from(us, relative_rank(us, king));
    const Bitboard own = position_pieces(pos, us, PAWN) & before;
    const Bitboard enemy = position_pieces(pos, opponent(us), PAWN) & before;

    for (int file = centre - 1; file <= centre + 1; file++) {
        const Bitboard ours = own & file_bb(file), theirs = enemy & file_bb(file);
        const int shelter = ours ? relative_rank(us, nearest_home(us, ours)) : 0;
        const int storm = theirs ? relative_rank(us, nearest_home(us, theirs)) : 0;
        const int edge = file < FILE_E ? file : FILE_H - file;

        add(t, us, EVAL_SHELTER + RANKS * edge + shelter, 1);
        if (shelter > 0 && storm == shelter + 1)
            add(t, us, EVAL_STORM_BLOCKED + storm - RANK_3, 1);
        else
            add(t, us, EVAL_STORM + RANKS * edge + storm, 1);
    }
}

/* ---- Families that need all attacks */

ALWAYS_INLINE void tally_passed(const Position *pos, Color us, const Attacks *a, Bitboard passed,
                                Tally *t)
{
    const Bitboard occupied = position_occupied(pos);
    const Bitboard unsafe = a->all[opponent(us)] | pos->by_color[opponent(us)];

    for (Bitboard left = passed & pos->by_color[us]; left;) {
        const int sq = pop_lsb(&left), rank = relative_rank(us, sq) - 1;
        const int step = us == WHITE ? sq + 8 : sq - 8;
        const Bitboard way = file_bb(square_file(sq)) & ranks_ahead(us, sq);

        if (occupied & square_bb(step))
            add(t, us, EVAL_PASSED_BLOCKED + rank, 1);
        else if (!(unsafe & way))
            add(t, us, EVAL_PASSED_FREE_WAY + rank, 1);
        else if (!(unsafe & square_bb(step)))
            add(t, us, EVAL_PASSED_FREE_STEP + rank, 1);
        if (rank + 1 < RANK_4) continue;
        add(t, us, EVAL_PASSED_OWN_KING + distance(position_king(pos, us), step), 1);
        add(t, us, EVAL_PASSED_ENEMY_KING + distance(position_king(pos, opponent(us)), step), 1);
    }
}

ALWAYS_INLINE void tally_attack(const Position *pos, Color us, const Attacks *a, Tally *t)
{
    const Color them = opponent(us);
    const int king = position_king(pos, them);
    const Bitboard occupied = position_occupied(pos);

    const int most = EVAL_KING_ATTACKERS_COUNT, steps = EVAL_KING_DANGER_COUNT;
    const int attackers = a->attackers[us], danger = a->danger[us] / 3;
    if (attackers == 0) return;
    const Bitboard weak = a->zone[them] & a->all[us] & ~a->twice[them] &
                          (~a->all[them] | a->by[them][QUEEN] | a->by[them][KING]);
    add(t, us, EVAL_KING_ATTACKERS + (attackers < most ? attackers : most) - 1, 1);
    if (danger > 0) add(t, us, EVAL_KING_DANGER + (danger < steps ? danger : steps) - 1, 1);
    add(t, us, EVAL_KING_WEAK_SQUARE, popcount(weak));

    const Bitboard safe =
        ~pos->by_color[us] & (~a->all[them] | (a->by[them][KING] & a->twice[us] & ~a->twice[them]));
    const Bitboard straight = rook_attacks(king, occupied) & safe;
    const Bitboard diagonal = bishop_attacks(king, occupied) & safe;
    if (a->by[us][KNIGHT] & knight_attacks(king) & safe) add(t, us, EVAL_SAFE_CHECK, 1);
    if (a->by[us][BISHOP] & diagonal) add(t, us, EVAL_SAFE_CHECK + 1, 1);
    if (a->by[us][ROOK] & straight) add(t, us, EVAL_SAFE_CHECK + 2, 1);
    if (a->by[us][QUEEN] & (straight | diagonal)) add(t, us, EVAL_SAFE_CHECK + 3, 1);
}

ALWAYS_INLINE void tally_threats(const Position *pos, Color us, const Attacks *a, Tally *t)
{
    const Color them = opponent(us);
    const Bitboard targets = pos->by_color[them] & ~pos->by_type[KING];
    const Bitboard attacked = targets & a->all[us], pieces = attacked & ~pos->by_type[PAWN];
    const Bitboard guarded = a->by[them][PAWN] | (a->twice[them] & ~a->twice[us]);
    const Bitboard weak = attacked & ~guarded;
    const Bitboard by_minor = a->by[us][KNIGHT] | a->by[us][BISHOP];
    const Bitboard queens = attacked & pos->by_type[QUEEN];
    const Bitboard to_minor = (pieces | weak) & by_minor,
                   to_rook = (queens | weak) & a->by[us][ROOK];
    const Bitboard hanging = attacked & ~a->all[them];

    for (Bitboard left = attacked; left;) {
        const int sq = pop_lsb(&left), type = (int)piece_type(pos->board[sq]);
        /* Adding 0 times is faster than a branch. */
        add(t, us, EVAL_PAWN_THREAT + type, (int)(a->by[us][PAWN] >> sq & 1));
        add(t, us, EVAL_MINOR_THREAT + type, (int)(to_minor >> sq & 1));
        add(t, us, EVAL_ROOK_THREAT + type, (int)(to_rook >> sq & 1));
        add(t, us, EVAL_HANGING + type, (int)(hanging >> sq & 1));
    }
    add(t, us, EVAL_KING_THREAT, popcount(weak & a->by[us][KING]));

    const Bitboard empty = ~position_occupied(pos);
    Bitboard pushed = shift_forward(us, position_pieces(pos, us, PAWN)) & empty;
    pushed |= shift_forward(us, pushed & ~ranks_from(us, RANK_4)) & empty;
    pushed &= ~a->by[them][PAWN] & (a->all[us] | ~a->all[them]);
    add(t, us, EVAL_PUSH_THREAT,
        popcount(pawns_attack(us, pushed) & targets & ~pos->by_type[PAWN]));
}

ALWAYS_INLINE void tally_space(const Position *pos, Color us, const Attacks *a, Tally *t)
{
    const Bitboard pawns = position_pieces(pos, us, PAWN);
    const Bitboard centre =
        (file_bb(FILE_C) | file_bb(FILE_D) | file_bb(FILE_E) | file_bb(FILE_F)) &
        ranks_from(us, RANK_2) & ~ranks_from(us, RANK_5);
    const Bitboard safe = centre & ~pawns & ~a->by[opponent(us)][PAWN];
    Bitboard behind = pawns | shift_forward(opponent(us), pawns);
    behind |= shift_forward(opponent(us), shift_forward(opponent(us), behind));

    add(t, us, EVAL_SPACE, popcount(safe) + popcount(safe & behind & ~a->all[opponent(us)]));
}

/* ---- The whole */

ALWAYS_INLINE void tally_shelters(const Position *pos, EvalFamilies families, Tally *t)
{
    if (!(families & eval_family(EVAL_FAMILY_SHELTER))) return;
    tally_shelter(pos, WHITE, t);
    tally_shelter(pos, BLACK, t);
}

/* All but pawns and shelter; `passed` are the passed pawns. */
ALWAYS_INLINE void tally_rest(const Position *pos, EvalFamilies families, Bitboard passed, Tally *t)
{
    const EvalFamilies with_attacks =
        eval_family(EVAL_FAMILY_MOBILITY) | eval_family(EVAL_FAMILY_PASSED) |
        eval_family(EVAL_FAMILY_ATTACK) | eval_family(EVAL_FAMILY_THREATS) |
        eval_family(EVAL_FAMILY_SPACE);

    if (families & eval_family(EVAL_FAMILY_TEMPO)) add(t, position_stm(pos), EVAL_TEMPO, 1);
    if (families & eval_family(EVAL_FAMILY_PIECES)) {
        tally_pieces(pos, WHITE, t);
        tally_pieces(pos, BLACK, t);
    }
    if (!(families & with_attacks)) return;
    Attacks a = {0};
    attack_first(&a, pos, WHITE);
    attack_first(&a, pos, BLACK);
    find_mobile(&a, pos, WHITE);
    find_mobile(&a, pos, BLACK);
    attack_with_all(&a, pos, WHITE, families, t);
    attack_with_all(&a, pos, BLACK, families, t);
    if ((families & eval_family(EVAL_FAMILY_PASSED)) && passed) {
        tally_passed(pos, WHITE, &a, passed, t);
        tally_passed(pos, BLACK, &a, passed, t);
    }
    if (families & eval_family(EVAL_FAMILY_ATTACK)) {
        tally_attack(pos, WHITE, &a, t);
        tally_attack(pos, BLACK, &a, t);
    }
    if (families & eval_family(EVAL_FAMILY_THREATS)) {
        tally_threats(pos, WHITE, &a, t);
        tally_threats(pos, BLACK, &a, t);
    }
    if (families & eval_family(EVAL_FAMILY_SPACE)) {
        tally_space(pos, WHITE, &a, t);
        tally_space(pos, BLACK, &a, t);
    }
}

void classical_set_weights(Classical *c, const EvalWeights *w)
{
    c->families = weights_families(w) & ~(EvalFamilies)EVAL_ALL_SQUARES;
    if (!c->families) return;
    memset(c->pawns, 0, sizeof c->pawns);
    for (int i = 0; i < EVAL_CLASSICAL_TERMS; i++)
        c->value[i] = make_score(w->term[EVAL_CLASSICAL + i][MG], w->term[EVAL_CLASSICAL + i][EG]);
}

/* The entry of the position's pawns and kings, filled. */
static inline const PawnEntry *find_pawns(Classical *c, const Position *pos)
{
    PawnEntry *entry = &c->pawns[pos->pawn_key & (PAWN_ENTRIES - 1)];
    const int white_king = position_king(pos, WHITE), black_king = position_king(pos, BLACK);
    const bool known = entry->filled && entry->key == pos->pawn_key;

    if (!known) {
        Tally t = {.value = c->value};
        entry->passed = tally_pawns(pos, WHITE, c->families, &t);
        entry->passed |= tally_pawns(pos, BLACK, c->families, &t);
        entry->score = t.sum;
        entry->key = pos->pawn_key;
        entry->filled = 1;
    }
    if (!known || entry->king[WHITE] != white_king || entry->king[BLACK] != black_king) {
        Tally t = {.value = c->value};
        tally_shelters(pos, c->families, &t);
        entry->shelter = t.sum;
        entry->king[WHITE] = (uint8_t)white_king;
        entry->king[BLACK] = (uint8_t)black_king;
    }
    return entry;
}

Score classical_score(Classical *c, const Position *pos)
{
    const EvalFamilies all = EVAL_CLASSICAL_FAMILIES & ~EVAL_MATERIAL_PST;
    const EvalFamilies proven = all & ~eval_family(EVAL_FAMILY_SPACE); /* docs/eval-terms.md */
    const PawnEntry *pawns = find_pawns(c, pos);
    Tally t = {.value = c->value, .sum = pawns->score + pawns->shelter};

    /* Constant sets of families, for the usual weights: no test of each family. */
    if (c->families == proven)
        tally_rest(pos, proven, pawns->passed, &t);
    else if (c->families == all)
        tally_rest(pos, all, pawns->passed, &t);
    else
        tally_rest(pos, c->families, pawns->passed, &t);
    return t.sum;
}

void classical_counts(const Position *pos, EvalFamilies families,
                      int16_t count[EVAL_CLASSICAL_TERMS])
{
    Tally t = {.count = count};

    memset(count, 0, EVAL_CLASSICAL_TERMS * sizeof *count);
    Bitboard passed = tally_pawns(pos, WHITE, families, &t);
    passed |= tally_pawns(pos, BLACK, families, &t);
    tally_shelters(pos, families, &t);
    tally_rest(pos, families, passed, &t);
}
