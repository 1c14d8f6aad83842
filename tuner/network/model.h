/* SPDX-License-Identifier: MIT
 * The network in floating point, and the gradient of its loss. */
#ifndef TABIA_TUNER_NETWORK_MODEL_H
#define TABIA_TUNER_NETWORK_MODEL_H

#include <stdalign.h>

#include "engine/eval/network.h"
#include "tuner/data/dataset.h"

/* Numbers in the order of the network's file: inputs, bias, output weights, output bias. */
typedef struct ModelShape {
    int hidden, buckets;
    bool squared;
    NetworkKings kings;
    int set;                                /* numbers of a set of columns */
    int bias, output, output_bias, numbers; /* where they begin, and all */
} ModelShape;

/* kings NULL: without king buckets. */
ModelShape model_shape(int hidden, int buckets, bool squared, const NetworkKings *kings);

/* Small random numbers; those of all sets of columns are the same. */
void model_start(const ModelShape *shape, uint64_t seed, float *model);

/* Replaces them by those of a network with as many buckets, or one, and no more units; the units
 * that it lacks keep their inputs, and add nothing to the output at first. Its king buckets are the
 * same or one set, which all begin with; if that was not mirrored, the values stay where both kings
 * stand on files e to h. */
void model_start_from(const ModelShape *shape, const Network *network, float *model);

enum { MIRROR_FILES = 7 }; /* on squares by exclusive or */

/* A position: the inputs of its pieces as White sees them, from a dataset of pieces. */
typedef struct ModelPosition {
    const Occurrence *input;
    int pieces;
    bool black; /* to move */
    int flip;   /* MIRROR_FILES: turned left to right; 0: as it is */
    float target;
} ModelPosition;

/* The inputs of the side to move (0) or the other (1); returns its network_king(). */
int model_inputs(const ModelShape *shape, const ModelPosition *position, int side,
                 uint16_t input[SQUARES]);

/* Positions that are taken together: what is kept of them stays in the cache. */
enum { MODEL_TILE = 128 };
typedef struct ModelTile {
    /* Of a row, a position as one side sees it: the sums of its units, blocks of units one after
     * the other, and later the slopes of the error by them. */
    alignas(64) float sum[COLORS * MODEL_TILE * NETWORK_HIDDEN_MAX];
    float total[COLORS * MODEL_TILE][NETWORK_HIDDEN_STEP]; /* parts of the output */
    float output[MODEL_TILE];
    uint16_t input[COLORS * MODEL_TILE][SQUARES];
    uint16_t row[COLORS * MODEL_TILE * SQUARES]; /* sorted by input */
} ModelTile;

/* Adds the gradient of the squared errors of up to MODEL_TILE positions to
 * gradient[shape->numbers]; returns the sum of the errors. k: of the sigmoid. */
double model_gradient(const ModelShape *shape, const float *model, const ModelPosition *positions,
                      int count, float k, float *gradient, ModelTile *tile);

/* The network's output in units of its scale, without a gradient: what tests compare with. */
float model_output(const ModelShape *shape, const float *model, const ModelPosition *position);

/* Rounds to the network's integers; numbers beyond 16 bits are clamped. NULL without memory. */
Network *model_quantise(const ModelShape *shape, const float *model);

/* Its output for a position of a dataset; centipawns, side to move's view. */
int model_quantised_output(const Network *network, const ModelPosition *position);

#endif
