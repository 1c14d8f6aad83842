/* SPDX-License-Identifier: MIT
 * The training: positions, their order, checkpoints. */
#include "tuner/network/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/eval/network_file.h"
#include "tuner/fit/checkpoint.h"
#include "tuner/fit/loss.h"
#include "tuner/network/step.h"

/* Positions that are neighbours in the set and are read together, and those that are shuffled among
 * each other: 80 MB. */
enum { STREAM_BLOCK = 4096, STREAM_GROUP = 1 << 21 };

const Setting train_settings[] = {
    SETTING_HEADING("Networks"),
    {"hidden", FIELD(TrainSettings, hidden), "N", "hidden units: a multiple of 16",
     NETWORK_HIDDEN_STEP, NETWORK_HIDDEN_MAX, .preset = 64, .first = true},
    {"buckets", FIELD(TrainSettings, buckets), "N", "output buckets, by number of pieces", 1,
     NETWORK_BUCKETS_MAX, .preset = 1},
    {"activation", FIELD(TrainSettings, squared), "NAME",
     "of hidden units: clipped, or clipped and squared", .words = "crelu|screlu", .preset = 1},
    {"king-buckets", FIELD(TrainSettings, king_buckets), "N",
     "sets of inputs, by the square of the own king, from a board mirrored so that it stands on files a to d; 1: mirrored only; 0: neither",
     .words = TRAIN_KING_WORDS},
    {"epochs", FIELD(TrainSettings, epochs), "N", "passes over the positions", 1, 10000,
     .preset = 20, .first = true},
    {"batch", FIELD(TrainSettings, batch), "N", "positions of a step", 1, 65536, .preset = 16384},
    {"rate", FIELD(TrainSettings, rate), "X", "learning rate of the first step", 1e-9, 1,
     .preset = 0.005},
    {"decay", FIELD(TrainSettings, decay), "X", "weight decay", 0, 1, .preset = 0.01},
    {"lambda", FIELD(TrainSettings, lambda), "X",
     "weight of the game's result in the target; the rest is the search score", 0, 1, .preset = 0.1,
     .first = true},
    {"k", FIELD(TrainSettings, k), "X", "K of the sigmoid; 0: fitted to the scores", 0, 1000},
    {"td", FIELD(TrainSettings, td), "X",
     "part of a score that comes from the next one of its game, and so from all later ones and the result",
     0, 0.99, .not_with = "epd bullet", .needs = "k"},
    {"validation", FIELD(TrainSettings, validation), "X", "share of the games held out", 0, 0.5,
     .preset = 0.1},
    {"mirror", FIELD(TrainSettings, mirror), NULL,
     "mirror half of the positions left to right in each epoch, but none with a king on e1 or e8, which may castle; --no-mirror: none",
     .preset = 1, .needs = "king-buckets=0"},
    {"seed", FIELD(TrainSettings, seed), .preset = 1},
    {"checkpoint", FIELD(TrainSettings, checkpoint), "FILE",
     "state after each epoch, from which a killed training goes on; removed at the end"},
    {0},
};

void train_defaults(TrainSettings *settings)
{
    *settings = (TrainSettings){.stream_above = 1 << 25, .threads = 1};
    settings_default(train_settings, settings);
}

void train_filter(const TrainSettings *s, DatasetFilter *filter)
{
    filter->pieces = true;
    filter->td = s->k > 0 ? s->td : 0;
    filter->td_scale = s->k / LOSS_CP_SCALE;
}

/* Those of train_settings that are not left out. */
static void append_settings(const TrainSettings *s, const char *left_out, char *out, size_t size)
{
    char names[SETTING_TEXT_MAX];

    (void)snprintf(names, sizeof names, "-%s%s", s->td > 0 ? "" : "td ", left_out);
    settings_append(train_settings, names, s, NULL, out, size);
}

/* ---- King buckets */

/* Kings stand on the back rank most of the time, and the positions of all other buckets are few. */
static const uint8_t king_tables[][NETWORK_KING_SQUARES] = {
    {0},
    {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
     3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
    {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6,
     7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
    {0,  1,  2,  3,  4,  5,  6,  7,  8,  8,  9,  9,  10, 10, 11, 11,
     12, 12, 13, 13, 12, 12, 13, 13, 14, 14, 15, 15, 14, 14, 15, 15},
};

static NetworkKings kings_of(unsigned king_buckets)
{
    return network_kings(king_buckets > 0 ? king_tables[king_buckets - 1] : NULL);
}

bool train_set_kings(TrainSettings *settings, const NetworkKings *kings)
{
    for (unsigned i = 0; i <= sizeof king_tables / sizeof *king_tables; i++) {
        const NetworkKings these = kings_of(i);
        settings->king_buckets = i;
        if (network_kings_equal(&these, kings)) return true;
    }
    return false;
}

/* ---- Positions */

static Sample sample_of(const Dataset *data, int64_t i, int64_t begin)
{
    enum { WHITE_HOME = KING * SQUARES + 4, BLACK_HOME = NETWORK_INPUTS / 2 + KING * SQUARES + 60 };
    const Occurrence *input = data->occurrence + begin;
    int count = data->count[i];
    Sample s = {.begin = begin, .black = input[count - 1] == NETWORK_INPUTS, .mirror = true};

    s.pieces = (uint8_t)(count - (int)s.black);
    for (int m = 0; m < s.pieces; m++)
        if (input[m] == WHITE_HOME || input[m] == BLACK_HOME) s.mirror = false;
    return s;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Of the scores as predictions of the games' results. */
static double slope_by_k(const void *dataset, double k, double *curvature)
{
    const Dataset *data = dataset;
    double slope = 0;

    *curvature = 0;
    for (int64_t i = 0; i < data->positions && !system_must_end(); i++) {
        if (data->score[i] == SCORE_UNKNOWN) continue;
        double x = data->score[i] / LOSS_CP_SCALE, p = sigmoid(k * x), d = p * (1 - p) * x;
        slope += (p - 0.5 * (double)data->result[i]) * d;
        *curvature += d * d;
    }
    return slope;
}

static void set_samples(Trainer *t)
{
    const Dataset *d = t->data;

    for (int64_t i = 0, at = 0; i < d->positions && !system_must_end(); at += d->count[i++]) {
        Sample *s = &t->sample[i];
        *s = sample_of(d, i, at);
        double white = 0.5 * (double)d->result[i], lambda = t->settings->lambda;
        if (d->score[i] != SCORE_UNKNOWN)
            white =
                lambda * white + (1 - lambda) * sigmoid(t->result->k * d->score[i] / LOSS_CP_SCALE);
        s->target = (float)(s->black ? 1 - white : white);
        if (t->shared == 0) continue;
        const ModelPosition p = trainer_position(t, i);
        uint16_t input[SQUARES];
        int us = model_inputs(&t->shape, &p, 0, input) / 2;
        int them = model_inputs(&t->shape, &p, 1, input) / 2;
        s->kings = (uint8_t)(us < them ? 16 * us + them : 16 * them + us);
    }
}

static Status divide(Trainer *t, Error *err)
{
    const Dataset *d = t->data;
    uint8_t *take = calloc((size_t)d->games + 1, 1);
    Status status = take ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");

    if (status == STATUS_OK && t->settings->validation > 0) {
        status = split_hold_out(d, t->settings->validation, t->settings->seed, take,
                                &t->result->split.copies, err);
        if (status == STATUS_OK)
            status = split_measure(d, take, false, t->settings->threads, &t->result->split, err);
    }
    if (status == STATUS_OK) status = system_check_end(err); /* of the samples, too */
    for (int64_t i = 0; i < d->positions && status == STATUS_OK; i++)
        if (take[d->game[i]])
            t->held[t->held_count++] = (int32_t)i;
        else
            t->order[t->count++] = (int32_t)i;
    free(take);
    if (status == STATUS_OK && t->count == 0)
        return error_set(err, STATUS_BAD_INPUT, "no position is left to train on");
    if (status == STATUS_OK && t->settings->validation > 0 && t->held_count == 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "too few games to hold out %g of them; set --validation 0",
                         t->settings->validation);
    return status;
}

static Status prepare_blocks(Trainer *t, Error *err)
{
    size_t blocks = (size_t)(t->count + STREAM_BLOCK - 1) / STREAM_BLOCK;

    if (t->count <= t->settings->stream_above) return STATUS_OK;
    t->sorted = malloc((size_t)t->count * sizeof *t->sorted);
    t->block = malloc(blocks * sizeof *t->block);
    if (!t->sorted || !t->block) return error_set(err, STATUS_FAILED, "out of memory for training");
    memcpy(t->sorted, t->order, (size_t)t->count * sizeof *t->sorted);
    for (size_t i = 0; i < blocks; i++)
        t->block[i] = (int32_t)i;
    return STATUS_OK;
}

/* The shared part is at first the mean of the sets. */
static void set_shared(Trainer *t)
{
    float *shared = t->model + t->shape.numbers;

    for (int i = 0; i < t->shared; i++) {
        float sum = 0;
        for (int at = i; at < t->shape.bias; at += t->shape.set)
            sum += t->model[at];
        shared[i] = sum / (float)t->shape.kings.sets;
    }
}

static Status prepare(Trainer *t, Error *err)
{
    size_t n = (size_t)t->data->positions, numbers = (size_t)t->shape.numbers;
    size_t all = numbers + (size_t)t->shared;
    int parts = (t->settings->batch + TRAINER_PART - 1) / TRAINER_PART;

    t->sample = malloc(n * sizeof *t->sample);
    t->order = malloc(n * sizeof *t->order);
    t->held = malloc(n * sizeof *t->held);
    t->model = malloc(all * sizeof *t->model);
    t->mean = calloc(all, sizeof *t->mean);
    t->square = calloc(all, sizeof *t->square);
    t->gradient = malloc((size_t)parts * numbers * sizeof *t->gradient);
    t->gathered = malloc((size_t)t->settings->batch * sizeof *t->gathered);
    if (!t->sample || !t->order || !t->held || !t->model || !t->mean || !t->square ||
        !t->gradient || !t->gathered)
        return error_set(err, STATUS_FAILED, "out of memory for training");
    t->result->k = t->settings->k;
    if (t->result->k <= 0)
        t->result->k_fitted = calibrate_root(slope_by_k, t->data, 1e-9, &t->result->k);
    set_samples(t);
    model_start(&t->shape, t->settings->seed, t->model);
    if (t->settings->from) model_start_from(&t->shape, t->settings->from, t->model);
    set_shared(t);
    Status status = divide(t, err);
    return status == STATUS_OK ? prepare_blocks(t, err) : status;
}

static void release(Trainer *t)
{
    free(t->sample);
    free(t->order);
    free(t->sorted);
    free(t->block);
    free(t->held);
    free(t->model);
    free(t->mean);
    free(t->square);
    free(t->gradient);
    free(t->gathered);
}

/* ---- The order of an epoch */

static void shuffle_numbers(Pcg *rng, int32_t *number, int64_t count)
{
    for (int64_t i = count - 1; i > 0 && !system_must_end(); i--) {
        int64_t j = (int64_t)pcg_below(rng, (uint32_t)i + 1);
        int32_t moved = number[i];
        number[i] = number[j];
        number[j] = moved;
    }
}

/* Blocks of neighbours in random order, and then the positions of each group of blocks. */
static void shuffle_blocks(Trainer *t, Pcg *rng)
{
    int64_t blocks = (t->count + STREAM_BLOCK - 1) / STREAM_BLOCK, filled = 0;

    shuffle_numbers(rng, t->block, blocks);
    for (int64_t i = 0; i < blocks; i++) {
        int64_t first = (int64_t)t->block[i] * STREAM_BLOCK, left = t->count - first;
        int64_t size = left < STREAM_BLOCK ? left : STREAM_BLOCK;
        memcpy(t->order + filled, t->sorted + first, (size_t)size * sizeof *t->order);
        filled += size;
    }
    for (int64_t i = 0; i < t->count; i += STREAM_GROUP) {
        int64_t left = t->count - i;
        shuffle_numbers(rng, t->order + i, left < STREAM_GROUP ? left : STREAM_GROUP);
    }
}

/* The order of an epoch, which follows from the one before. */
static void shuffle(Trainer *t, int epoch)
{
    Pcg rng;

    pcg_seed(&rng, t->settings->seed, (uint64_t)epoch);
    if (t->sorted)
        shuffle_blocks(t, &rng);
    else
        shuffle_numbers(&rng, t->order, t->count);
}

/* ---- Checkpoints: what an epoch leaves */

enum { STATE_EPOCH, STATE_LOSS, STATE_HEAD };

static void identify(const Trainer *t, char identity[CHECKPOINT_IDENTITY_MAX])
{
    (void)snprintf(identity, CHECKPOINT_IDENTITY_MAX, "network, positions %s", t->data->digest);
    if (t->settings->from)
        text_append(identity, CHECKPOINT_IDENTITY_MAX, ", from %s", t->settings->from_hash);
    append_settings(t->settings, "checkpoint", identity, CHECKPOINT_IDENTITY_MAX);
}

/* Between the trainer and the numbers of a checkpoint. */
static void move_state(Trainer *t, double *state, bool out)
{
    float *const parts[] = {t->model, t->mean, t->square};
    size_t numbers = (size_t)t->shape.numbers + (size_t)t->shared;

    for (size_t i = 0; i < 3 * numbers; i++) {
        float *number = &parts[i / numbers][i % numbers];
        if (out)
            state[STATE_HEAD + i] = (double)*number;
        else
            *number = (float)state[STATE_HEAD + i];
    }
}

static int state_size(const Trainer *t)
{
    return STATE_HEAD + 3 * (t->shape.numbers + t->shared);
}

static Status keep_state(Trainer *t, int epoch, double loss, Error *err)
{
    char identity[CHECKPOINT_IDENTITY_MAX];

    if (!t->settings->checkpoint) return STATUS_OK;
    double *state = malloc((size_t)state_size(t) * sizeof *state);
    if (!state) return error_set(err, STATUS_FAILED, "out of memory for a checkpoint");
    state[STATE_EPOCH] = epoch;
    state[STATE_LOSS] = loss;
    move_state(t, state, true);
    identify(t, identity);
    Status status = checkpoint_write(t->settings->checkpoint, identity, state, state_size(t), err);
    free(state);
    return status;
}

/* *epoch is the last one that is done; 0 without a checkpoint. */
static Status resume(Trainer *t, int *epoch, double *loss, Error *err)
{
    char identity[CHECKPOINT_IDENTITY_MAX];
    bool found = false;

    *epoch = 0;
    if (!t->settings->checkpoint) return STATUS_OK;
    double *state = malloc((size_t)state_size(t) * sizeof *state);
    if (!state) return error_set(err, STATUS_FAILED, "out of memory for a checkpoint");
    identify(t, identity);
    Status status =
        checkpoint_read(t->settings->checkpoint, identity, state, state_size(t), &found, err);
    if (status == STATUS_OK && found) {
        double done = state[STATE_EPOCH];
        if (done >= 1 && done <= t->settings->epochs && done == floor(done)) {
            *epoch = (int)done;
            *loss = state[STATE_LOSS];
            move_state(t, state, false);
        } else {
            status = error_set(err, STATUS_BAD_INPUT, "%s:2: no epoch of this training",
                               t->settings->checkpoint);
        }
    }
    for (int i = 1; i <= *epoch; i++)
        shuffle(t, i); /* each goes on from the one before */
    free(state);
    return status;
}

/* ---- The whole */

static double held_out_loss(const Trainer *t, const Network *network)
{
    double sum = 0;

    for (int64_t i = 0; i < t->held_count && !system_must_end(); i++) {
        const ModelPosition p = trainer_position(t, t->held[i]);
        double cp = model_quantised_output(network, &p);
        double miss = sigmoid(t->result->k * cp / LOSS_CP_SCALE) - (double)p.target;
        sum += miss * miss;
    }
    return t->held_count > 0 ? sum / (double)t->held_count : NAN;
}

static Status run_epochs(Trainer *t, TrainProgressFn progress, void *context,
                         const atomic_int *interrupted, Error *err)
{
    const TrainSettings *s = t->settings;
    TrainResult *result = t->result;
    TrainProgress now = {.total = t->count * s->epochs};
    int done;

    Status status = resume(t, &done, &result->train_loss, err);
    result->resumed = done;
    now.resumed = t->count * done;
    result->positions = t->count;
    result->steps = (t->count + s->batch - 1) / s->batch * s->epochs;
    t->step = result->steps / s->epochs * done;
    for (now.epoch = done + 1; now.epoch <= s->epochs && status == STATUS_OK; now.epoch++) {
        double sum = 0;
        shuffle(t, now.epoch);
        for (int64_t first = 0; first < t->count; first += s->batch) {
            if (interrupted && atomic_load(interrupted))
                return error_set(err, STATUS_INTERRUPTED, "interrupted in epoch %d", now.epoch);
            sum += trainer_step(t, now.epoch, first);
            int64_t end = first + s->batch < t->count ? first + s->batch : t->count;
            now.done = (now.epoch - 1) * t->count + end;
            now.loss = sum / (double)end;
            if (progress) progress(context, &now);
        }
        result->train_loss = now.loss;
        status = keep_state(t, now.epoch, now.loss, err);
    }
    return status;
}

static Status check_settings(const Dataset *data, const TrainSettings *s, Error *err)
{
    if (data->columns != NETWORK_COLUMNS)
        return error_set(err, STATUS_BAD_INPUT, "the positions are not kept as pieces");
    if (!network_sizes(s->hidden, s->buckets))
        return error_set(err, STATUS_USAGE,
                         "hidden units are a multiple of %d up to %d, buckets 1 to %d",
                         NETWORK_HIDDEN_STEP, NETWORK_HIDDEN_MAX, NETWORK_BUCKETS_MAX);
    const Network *n = s->from;
    const NetworkKings kings = kings_of(s->king_buckets);
    if (n && !network_kings_equal(&n->kings, &kings) && (n->kings.sets > 1 || !kings.mirrored))
        return error_set(err, STATUS_BAD_INPUT,
                         "the network to begin with has other king buckets; they may become more "
                         "where there are none, or one set");
    if (n && (n->hidden > s->hidden || (n->buckets != s->buckets && n->buckets != 1) ||
              n->squared != s->squared || n->scale != NETWORK_SCALE))
        return error_set(
            err, STATUS_BAD_INPUT,
            "the network to begin with has %d hidden units of %s, %d output buckets and scale %d; units may become more, and buckets if there is one",
            n->hidden, n->squared ? "screlu" : "crelu", n->buckets, n->scale);
    if (s->batch < 1 || s->batch > TRAINER_PART * TRAINER_PARTS_MAX)
        return error_set(err, STATUS_USAGE, "a batch has 1 to %d positions",
                         TRAINER_PART * TRAINER_PARTS_MAX);
    return STATUS_OK;
}

Status train_network(const Dataset *data, const TrainSettings *settings, TrainProgressFn progress,
                     void *context, const atomic_int *interrupted, TrainResult *result, Error *err)
{
    Trainer t = {.data = data, .settings = settings, .result = result};

    *result = (TrainResult){.network = NULL};
    Status status = check_settings(data, settings, err);
    if (status != STATUS_OK) return status;
    const NetworkKings kings = kings_of(settings->king_buckets);
    t.shape = model_shape(settings->hidden, settings->buckets, settings->squared, &kings);
    t.shared = kings.sets > 1 ? t.shape.set : 0;
    status = prepare(&t, err);
    if (status == STATUS_OK) status = run_epochs(&t, progress, context, interrupted, err);
    if (status == STATUS_OK) {
        result->network = model_quantise(&t.shape, t.model);
        if (!result->network) status = error_set(err, STATUS_FAILED, "out of memory for a network");
    }
    if (status == STATUS_OK) status = network_check(result->network, "the trained network", err);
    if (status == STATUS_OK) {
        result->validation_loss = held_out_loss(&t, result->network);
        status = system_check_end(err);
    }
    release(&t);
    return status;
}

void train_provenance(const Dataset *data, const char *source, const TrainSettings *s,
                      TrainResult *result)
{
    char *out = result->network->comment, settings[SETTING_TEXT_MAX] = "";

    *out = '\0';
    text_append(out, NETWORK_COMMENT_MAX, "Network trained by tabia %s.\nsource: %s\n",
                TABIA_FIT_VERSION, source);
    text_append(out, NETWORK_COMMENT_MAX, "dataset: %lld positions", (long long)data->positions);
    if (data->games < data->positions) /* else the games may be unknown */
        text_append(out, NETWORK_COMMENT_MAX, " of %lld games", (long long)data->games);
    text_append(out, NETWORK_COMMENT_MAX, ", sha256 %s\n", data->digest);
    append_settings(s,
                    s->king_buckets > 0 ? "hidden buckets activation k checkpoint"
                                        : "hidden buckets activation king-buckets k checkpoint",
                    settings, sizeof settings);
    if (s->from) text_append(out, NETWORK_COMMENT_MAX, "from: sha256 %s\n", s->from_hash);
    text_append(out, NETWORK_COMMENT_MAX, "settings: %s\n", settings);
    text_append(out, NETWORK_COMMENT_MAX, "k: %.6f\nloss: %.6f", result->k, result->train_loss);
    if (isfinite(result->validation_loss))
        text_append(out, NETWORK_COMMENT_MAX, ", held out %.6f", result->validation_loss);
    text_append(out, NETWORK_COMMENT_MAX, "\n");
}

void train_result_free(TrainResult *result)
{
    network_destroy(result->network);
    result->network = NULL;
}
