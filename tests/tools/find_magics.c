/* SPDX-License-Identifier: MIT
 * Finds the factors in engine/board/magics.c and prints that file:
 *
 *   build/dev/find_magics >engine/board/magics.c
 *
 * Candidates are sparse random numbers. One is rejected when two occupancies with different attacks
 * have the same index. */
#include <stdio.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/bitboard.h"

enum { SUBSETS_MAX = 4096 };

/* The occupancies of a square's mask and what the slider attacks under each. */
typedef struct Occupancies {
    int count, shift;
    Bitboard occ[SUBSETS_MAX];
    Bitboard attacks[SUBSETS_MAX];
} Occupancies;

static void list_occupancies(Occupancies *list, const SliderAttacks *slider)
{
    Bitboard occ = 0;

    list->count = 0;
    list->shift = 64 - popcount(slider->mask);
    do {
        list->occ[list->count] = occ;
        list->attacks[list->count++] = slider_attacks(slider, occ);
        occ = (occ - slider->mask) & slider->mask;
    } while (occ);
}

static bool is_magic(const Occupancies *list, Bitboard magic)
{
    Bitboard seen[SUBSETS_MAX]; /* 0: free; every slider attacks something */

    memset(seen, 0, sizeof seen[0] * (size_t)list->count);
    for (int i = 0; i < list->count; i++) {
        Bitboard *entry = &seen[list->occ[i] * magic >> list->shift];
        if (*entry && *entry != list->attacks[i]) return false;
        *entry = list->attacks[i];
    }
    return true;
}

static void print_magics(const char *name, const SliderAttacks sliders[SQUARES], Pcg *rng)
{
    static Occupancies list;

    printf("\nconst Bitboard %s[SQUARES] = {\n", name);
    for (int sq = 0; sq < SQUARES; sq++) {
        Bitboard magic;
        list_occupancies(&list, &sliders[sq]);
        do
            magic = pcg_next64(rng) & pcg_next64(rng) & pcg_next64(rng);
        while (!is_magic(&list, magic));
        printf("%s0x%016llx,%s", sq % 4 ? " " : "    ", (unsigned long long)magic,
               sq % 4 == 3 ? "\n" : "");
    }
    printf("};\n");
}

int main(void)
{
    Pcg rng;

    bitboard_init();
    pcg_seed(&rng, 0, 0);
    printf("/* SPDX-License-Identifier: MIT\n"
           " * Factors for magic bitboards, printed by tests/tools/find_magics.c. */\n"
           "#include \"engine/board/magics.h\"\n");
    print_magics("bishop_magics", bitboard_tables.bishop, &rng);
    print_magics("rook_magics", bitboard_tables.rook, &rng);
    return 0;
}
