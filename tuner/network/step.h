/* SPDX-License-Identifier: MIT
 * A step of the training: the gradient of a batch, and the weights moved by it. */
#ifndef TABIA_TUNER_NETWORK_STEP_H
#define TABIA_TUNER_NETWORK_STEP_H

#include "tuner/network/model.h"
#include "tuner/network/train.h"

/* Positions of a part of a batch, and parts of the largest batch. Where there are several sets of
 * columns, larger parts: each has a gradient of some of them. */
enum { TRAINER_PART = 1024, TRAINER_SHARED_PART = 2 * TRAINER_PART, TRAINER_PARTS_MAX = 64 };

/* What training needs of a position, in one place. */
typedef struct Sample {
    int64_t begin; /* of its occurrences */
    float target;  /* side to move's view */
    uint8_t pieces;
    bool black;    /* to move */
    bool mirror;   /* it may be turned left to right: no king on e1 or e8 */
    uint8_t kings; /* 16 times the smaller king bucket of both sides, and the other; 0 where there
                      is no shared part */
} Sample;

typedef struct Trainer {
    const Dataset *data;
    const TrainSettings *settings;
    ModelShape shape;
    Sample *sample; /* [positions] */
    int32_t *order; /* [count] the positions that are trained on */
    int64_t count;
    int32_t *sorted; /* [count] the same, ascending, and … */
    int32_t *block;  /* … numbers of its blocks; both NULL where positions are shuffled at once */
    int32_t *held;   /* [held_count] the others */
    int64_t held_count;
    /* [numbers], and then the shared part of the sets of columns: each is the sum of it and of what
     * is its own, and both are moved ("factoriser"). */
    float *model, *mean, *square; /* the last two: of AdamW */
    int shared;                   /* its numbers; 0 with a single set */
    float *gradient;              /* [parts][numbers] */
    const int32_t *batch;         /* [batch_count] the positions of the step */
    int64_t batch_count;
    int32_t *gathered;                /* room for them */
    uint32_t sets[TRAINER_PARTS_MAX]; /* of columns, a bit each, that the gradients of parts have */
    int64_t step;
    TrainResult *result; /* of which K, the division and the number of steps are known early */
} Trainer;

/* Position i as it was played. */
static inline ModelPosition trainer_position(const Trainer *t, int64_t i)
{
    const Sample *s = &t->sample[i];
    return (ModelPosition){.input = t->data->occurrence + s->begin,
                           .pieces = s->pieces,
                           .black = s->black,
                           .target = s->target};
}

/* The batch of `order` from `first` on; returns the sum of its errors. */
double trainer_step(Trainer *t, int epoch, int64_t first);

#endif
