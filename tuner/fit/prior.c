/* SPDX-License-Identifier: MIT
 * The prior of a fit. */
#include "tuner/fit/optimise.h"

#include <string.h>

static int group_size(const Space *space, int group)
{
    int size = 0;
    for (int c = 0; c < space->columns; c++)
        size += space->group[c] == group;
    return size;
}

void prior_apply(const Space *space, const double *d, double *rd)
{
    memcpy(rd, d, (size_t)space->dimensions * sizeof *rd);
    for (int half = 0; half < space->dimensions; half += space->columns)
        for (int g = 0; g < space->groups; g++) {
            double sum = 0;
            int size = group_size(space, g);
            for (int c = 0; c < space->columns; c++)
                if (space->group[c] == g) sum += d[half + c];
            for (int c = 0; c < space->columns; c++)
                if (space->group[c] == g) rd[half + c] -= (1 - space->mean_pull[g]) * sum / size;
        }
}

void prior_add_hessian(const Space *space, double ridge, double *hessian)
{
    const size_t dimensions = (size_t)space->dimensions;
    const int n = space->columns;

    for (size_t i = 0; i < dimensions; i++)
        hessian[i * dimensions + i] += 2 * ridge;
    for (int g = 0; g < space->groups; g++) {
        double shared = 2 * ridge * (1 - space->mean_pull[g]) / (group_size(space, g) + 1e-300);
        for (int half = 0; half < 2 * n; half += n)
            for (int i = 0; i < n; i++)
                for (int j = i; j < n && space->group[i] == g; j++)
                    if (space->group[j] == g)
                        hessian[(size_t)(half + i) * dimensions + (size_t)(half + j)] -= shared;
    }
}
