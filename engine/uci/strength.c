/* SPDX-License-Identifier: MIT
 * Nodes by rating, measured: docs/engine.md has the matches. */
#include "engine/uci/strength.h"

#include <math.h>

typedef struct Rung {
    int elo, nodes;
} Rung;

/* Ascending; between two the logarithm of the nodes is linear. */
static const Rung ladder[] = {{1140, 10}, {1215, 40}, {1285, 160}, {1390, 320}, {2160, 40960}};

enum { RUNGS = sizeof ladder / sizeof ladder[0] };

uint64_t strength_nodes(int elo)
{
    int i = 1;

    while (i < RUNGS - 1 && elo > ladder[i].elo)
        i++;
    const Rung *low = &ladder[i - 1], *high = &ladder[i];
    double part = (double)(elo - low->elo) / (high->elo - low->elo);
    return (uint64_t)lround(low->nodes * pow((double)high->nodes / low->nodes, part));
}
