/* SPDX-License-Identifier: MIT
 * All rays of a side's sliders at once, in the eight directions, with AVX2: no loop over pieces and
 * no table. Source: chessprogramming.org "Kogge-Stone Algorithm", "AVX2". */
#ifndef TABIA_ENGINE_BOARD_VECTOR_RAYS_H
#define TABIA_ENGINE_BOARD_VECTOR_RAYS_H

#include "engine/board/bitboard.h"

/* The same code is slower than loops where vectors have no shifts by lane. */
#if defined(__AVX2__)
#define TABIA_VECTOR_RAYS 1
#else
#define TABIA_VECTOR_RAYS 0
#endif

/* A set of squares for each of north, east, north-east and north-west, or of their opposites. */
typedef Bitboard FourRays __attribute__((vector_size(4 * sizeof(Bitboard))));

/* The squares reached in each direction, first blockers included. No square is reached twice in one
 * direction: the nearer slider stops the farther one. */
typedef struct Rays {
    FourRays up, down;
} Rays;

/* Rays from the squares `straight` along ranks and files, and from `diagonal` along diagonals. */
ALWAYS_INLINE Rays rays_fill(Bitboard straight, Bitboard diagonal, Bitboard occ)
{
    const Bitboard off_a = ~FILE_A_BB, off_h = ~FILE_H_BB; /* no step east ends on the a-file */
    const FourRays step = {8, 1, 9, 7};
    const FourRays up_ends = {~0ULL, off_a, off_a, off_h}, down_ends = {~0ULL, off_h, off_h, off_a};
    const FourRays empty = {~occ, ~occ, ~occ, ~occ};
    FourRays up = {straight, straight, diagonal, diagonal}, down = up;
    FourRays up_free = empty & up_ends, down_free = empty & down_ends;

    /* Each round doubles the steps that a ray has gone. */
    up |= up_free & (up << step);
    down |= down_free & (down >> step);
    up_free &= up_free << step;
    down_free &= down_free >> step;
    up |= up_free & (up << 2 * step);
    down |= down_free & (down >> 2 * step);
    up_free &= up_free << 2 * step;
    down_free &= down_free >> 2 * step;
    up |= up_free & (up << 4 * step);
    down |= down_free & (down >> 4 * step);
    return (Rays){(up << step) & up_ends, (down >> step) & down_ends};
}

/* The squares reached in any direction. */
ALWAYS_INLINE Bitboard rays_union(Rays rays)
{
    FourRays all = rays.up | rays.down;
    return all[0] | all[1] | all[2] | all[3];
}

/* The number of moves that end on one of `targets`. */
ALWAYS_INLINE int rays_count(Rays rays, Bitboard targets)
{
    int count = 0;

    for (int i = 0; i < 4; i++)
        count += popcount(rays.up[i] & targets) + popcount(rays.down[i] & targets);
    return count;
}

#endif
