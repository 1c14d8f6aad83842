/* SPDX-License-Identifier: MIT
 * Training: the gradient against finite differences and a plain implementation, a planted network,
 * the same bits with any number of threads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/eval/network_file.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"
#include "tuner/data/fingerprint.h"
#include "tuner/fit/loss.h"
#include "tuner/network/model.h"
#include "tuner/network/train.h"

static Error err;

enum { HIDDEN = 32, BUCKETS = 2 };

/* Positions of random games. label: their scores, White's view; NULL: random results. */
static Dataset *random_data(int games, const Network *label)
{
    Dataset *data;
    Pcg rng;

    pcg_seed(&rng, 5, 0);
    MUST(dataset_create(NETWORK_COLUMNS, &data, &err));
    for (int g = 0; g < games; g++) {
        Position pos, next;
        MoveList list;
        GameResult result = (GameResult)pcg_below(&rng, 3);
        MUST(position_from_fen(&pos, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                               &err));
        for (int ply = 0; ply < 60; ply++) {
            movegen_all(&pos, &list);
            if (list.count == 0) break;
            int score = label ? network_evaluate(label, &pos) : 0;
            if (position_stm(&pos) == BLACK) score = -score;
            if (ply >= 8) MUST(dataset_add(data, &pos, result, score, g, &err));
            position_make(&next, &pos, list.moves[pcg_below(&rng, (uint32_t)list.count)]);
            pos = next;
        }
    }
    MUST(dataset_finish(data, 1, &err));
    return data;
}

static ModelPosition position_of(const Dataset *data, int64_t i, float target)
{
    const Occurrence *at = data->occurrence;

    for (int64_t k = 0; k < i; k++)
        at += data->count[k];
    bool black = at[data->count[i] - 1] == NETWORK_INPUTS;
    return (ModelPosition){
        .input = at, .pieces = data->count[i] - (int)black, .black = black, .target = target};
}

static int king_square(const ModelPosition *p, Color side)
{
    for (int m = 0; m < p->pieces; m++)
        if (p->input[m] / 64 == (side == WHITE ? 5 : 11)) return p->input[m] % 64;
    return -1;
}

/* A table of king buckets; index 0: none. */
static NetworkKings some_kings(int index)
{
    uint8_t table[NETWORK_KING_SQUARES];

    for (int i = 0; i < NETWORK_KING_SQUARES; i++)
        table[i] = (uint8_t)(i % 5 + i % 3);
    return network_kings(index > 0 ? table : NULL);
}

/* The output by the definition, in double precision. */
static double plain_output(const ModelShape *s, const float *model, const ModelPosition *p)
{
    int bucket = (p->pieces - 2) / ((32 + s->buckets - 1) / s->buckets);
    double output = (double)model[s->output_bias + bucket];

    for (int side = 0; side < 2; side++)
        for (int h = 0; h < s->hidden; h++) {
            double sum = (double)model[s->bias + h];
            for (int m = 0; m < p->pieces; m++) {
                int color = p->input[m] / 384, type = p->input[m] % 384 / 64, sq = p->input[m] % 64;
                Color view = p->black == (side == 0) ? BLACK : WHITE;
                int king = network_king(&s->kings, view, king_square(p, view));
                int input = network_king_input(
                    king, network_input(view, (Color)color, (PieceType)type, sq));
                sum += (double)model[input * s->hidden + h];
            }
            double c = fmin(fmax(sum, 0), 1);
            output += (double)model[s->output + (bucket * 2 + side) * s->hidden + h] *
                      (s->squared ? c * c : c);
        }
    return output;
}

static double plain_error(const ModelShape *s, const float *model, const ModelPosition *p, double k)
{
    double miss = 1 / (1 + exp(-k * plain_output(s, model, p))) - (double)p->target;
    return miss * miss;
}

/* Against differences of the plain implementation, for inputs, biases and output weights. */
START_TEST(gradient_is_exact)
{
    enum { UNITS = 80 }; /* a wide block and a narrow one */
    Dataset *data = random_data(3, NULL);
    static ModelTile tile;
    const double k = 1.3;

    for (int kind = 0; kind < 3; kind++) {
        const NetworkKings kings = some_kings(kind == 2);
        ModelShape s = model_shape(UNITS, BUCKETS, kind > 0, &kings);
        float *model = malloc((size_t)s.numbers * sizeof *model);
        float *gradient = calloc((size_t)s.numbers, sizeof *gradient);
        ck_assert(model && gradient);
        model_start(&s, 3, model);
        for (int64_t i = 0; i < data->positions; i += 37) {
            ModelPosition p = position_of(data, i, 0.8F);
            memset(gradient, 0, (size_t)s.numbers * sizeof *gradient);
            double error = model_gradient(&s, model, &p, 1, (float)k, gradient, &tile);
            ck_assert_double_eq_tol(error, plain_error(&s, model, &p, k), 1e-5);
            ck_assert_double_eq_tol((double)model_output(&s, model, &p),
                                    plain_output(&s, model, &p), 1e-5);
            uint16_t us[SQUARES], them[SQUARES];
            (void)model_inputs(&s, &p, 0, us);
            (void)model_inputs(&s, &p, 1, them);
            int at[] = {us[0] * UNITS + 5,
                        them[3] * UNITS + 71,
                        s.bias + 7,
                        s.output + 2,
                        s.output + 2 * UNITS + UNITS + 9,
                        s.output_bias,
                        s.output_bias + 1};
            for (size_t n = 0; n < sizeof at / sizeof *at; n++) {
                const float h = 0x1p-10F, here = model[at[n]];
                model[at[n]] = here + h;
                double above = plain_error(&s, model, &p, k);
                model[at[n]] = here - h;
                double below = plain_error(&s, model, &p, k);
                model[at[n]] = here;
                ck_assert_double_eq_tol((double)gradient[at[n]], (above - below) / (2 * (double)h),
                                        2e-4);
            }
        }
        free(model);
        free(gradient);
    }
    dataset_destroy(data);
}
END_TEST

/* Positions that are taken together give the bits of one after the other, buckets mixed. */
START_TEST(tile_adds_in_order)
{
    Dataset *data = random_data(4, NULL);
    static ModelTile tile;
    static ModelPosition positions[MODEL_TILE];
    ModelShape s = model_shape(80, 4, true, NULL);
    size_t size = (size_t)s.numbers * sizeof(float);
    float *model = malloc(size), *together = calloc(1, size), *single = calloc(1, size);
    double error = 0;

    ck_assert(model && together && single);
    ck_assert_int_ge(data->positions, MODEL_TILE);
    model_start(&s, 3, model);
    for (int i = 0; i < MODEL_TILE; i++) {
        positions[i] = position_of(data, data->positions - 1 - i, (float)(i % 3) / 2);
        positions[i].flip = i % 2 ? MIRROR_FILES : 0;
        error += model_gradient(&s, model, &positions[i], 1, 1.3F, single, &tile);
    }
    ck_assert(model_gradient(&s, model, positions, MODEL_TILE, 1.3F, together, &tile) == error);
    ck_assert_mem_eq(together, single, size);
    free(model);
    free(together);
    free(single);
    dataset_destroy(data);
}
END_TEST

/* Integers give the floating-point output, but for rounding: a few centipawns. */
START_TEST(rounding_is_small)
{
    Dataset *data = random_data(2, NULL);
    const NetworkKings kings = some_kings(_i);
    ModelShape s = model_shape(64, 1, true, &kings);
    float *model = malloc((size_t)s.numbers * sizeof *model);

    ck_assert_ptr_nonnull(model);
    model_start(&s, 4, model);
    Network *n = model_quantise(&s, model);
    ck_assert_ptr_nonnull(n);
    for (int64_t i = 0; i < data->positions; i += 7) {
        ModelPosition p = position_of(data, i, 0);
        double cp = NETWORK_SCALE * (double)model_output(&s, model, &p);
        ck_assert_double_eq_tol(model_quantised_output(n, &p), cp, 12);
    }
    network_destroy(n);
    free(model);
    dataset_destroy(data);
}
END_TEST

/* A mirrored position is that of the mirrored pieces; with king buckets it is the position. */
START_TEST(mirrored_positions_are_exact)
{
    Dataset *data = random_data(2, NULL);
    const NetworkKings kings = some_kings(_i);
    ModelShape s = model_shape(HIDDEN, BUCKETS, true, &kings);
    float *model = malloc((size_t)s.numbers * sizeof *model);

    ck_assert_ptr_nonnull(model);
    model_start(&s, 6, model);
    for (int64_t i = 0; i < data->positions; i += 11) {
        Occurrence mirrored[64];
        ModelPosition p = position_of(data, i, 0), flipped = p;
        for (int m = 0; m < p.pieces; m++)
            mirrored[m] = p.input[m] ^ 7;
        flipped.flip = MIRROR_FILES;
        if (_i == 0) p.input = mirrored;
        ck_assert(model_output(&s, model, &flipped) == model_output(&s, model, &p));
    }
    free(model);
    dataset_destroy(data);
}
END_TEST

static TrainSettings quick(void)
{
    TrainSettings s;

    train_defaults(&s);
    s.hidden = HIDDEN;
    s.buckets = BUCKETS;
    s.batch = 2048;
    s.rate = 0.01;
    s.lambda = 0;
    s.mirror = false;
    return s;
}

/* Labels of a network are learned: the held-out error falls far below that of a constant. */
START_TEST(planted_network_is_found)
{
    ModelShape shape = model_shape(16, 1, true, NULL);
    float *model = malloc((size_t)shape.numbers * sizeof *model);
    TrainSettings s = quick();
    TrainResult result;
    double sum = 0, squares = 0;

    ck_assert_ptr_nonnull(model);
    model_start(&shape, 8, model);
    for (int i = shape.output; i < shape.output_bias; i++)
        model[i] *= 4;
    Network *planted = model_quantise(&shape, model);
    Dataset *data = random_data(SANITIZED ? 50 : 1500, planted);
    s.king_buckets = _i == 0 ? 0 : 2;
    s.k = 1;
    s.epochs = SANITIZED ? 2 : 30;
    s.threads = 2;
    MUST(train_network(data, &s, NULL, NULL, NULL, &result, &err));
    for (int64_t i = 0; i < data->positions; i++) {
        double y = 1 / (1 + exp(-data->score[i] / 400.0));
        sum += y;
        squares += y * y;
    }
    double n = (double)data->positions, variance = squares / n - sum * sum / (n * n);
    ck_assert_msg(SANITIZED || result.validation_loss < (_i == 0 ? 0.1 : 0.32) * variance,
                  "loss %g of %g", result.validation_loss, variance);
    ck_assert_double_eq(result.k, 1);
    train_result_free(&result);
    dataset_destroy(data);
    network_destroy(planted);
    free(model);
}
END_TEST

START_TEST(threads_do_not_matter)
{
    Dataset *data = random_data(200, NULL);
    TrainSettings s = quick();
    TrainResult one, three, other;

    s.king_buckets = _i == 0 ? 0 : 3;
    s.batch = _i == 0 ? 2048 : 8192; /* several parts */
    s.lambda = 1;
    s.epochs = 2;
    MUST(train_network(data, &s, NULL, NULL, NULL, &one, &err));
    s.threads = 3;
    MUST(train_network(data, &s, NULL, NULL, NULL, &three, &err));
    s.seed = 2;
    MUST(train_network(data, &s, NULL, NULL, NULL, &other, &err));
    size_t size = 2 * network_numbers(one.network);
    ck_assert_mem_eq(one.network->input, three.network->input, size);
    ck_assert_mem_ne(one.network->input, other.network->input, size);
    ck_assert(one.train_loss == three.train_loss && one.validation_loss == three.validation_loss);
    train_result_free(&one);
    train_result_free(&three);
    train_result_free(&other);
    dataset_destroy(data);
}
END_TEST

/* White's king stands on `king` of the first rank; the score grows with the file of Black's. */
static Dataset *one_sided_data(const char *king, int games)
{
    Dataset *data;
    Position pos;
    char fen[80];

    MUST(dataset_create(NETWORK_COLUMNS, &data, &err));
    for (int g = 0; g < games; g++)
        for (int file = 1; file < 7; file++) {
            (void)snprintf(fen, sizeof fen, "%dk%d/8/8/8/8/8/8/%s w - - 0 1", file, 7 - file, king);
            MUST(position_from_fen(&pos, fen, &err));
            MUST(dataset_add(data, &pos, RESULT_DRAW, 40 * file, g, &err));
        }
    MUST(dataset_finish(data, 1, &err));
    return data;
}

/* Sets of columns whose kings do not occur have the shared part. */
START_TEST(shared_part_is_learned)
{
    Dataset *data = one_sided_data("3K4", 20); /* on d1, and b8 to g8 */
    TrainSettings s = quick();
    TrainResult result;

    s.king_buckets = 3; /* 8 */
    s.k = 1;
    s.epochs = 3;
    s.validation = 0;
    MUST(train_network(data, &s, NULL, NULL, NULL, &result, &err));
    const size_t set = (size_t)NETWORK_INPUTS * HIDDEN;
    const int16_t *input = result.network->input;
    ModelShape shape = model_shape(HIDDEN, BUCKETS, true, NULL);
    float *model = malloc((size_t)shape.numbers * sizeof *model);
    ck_assert_ptr_nonnull(model);
    model_start(&shape, s.seed, model);
    Network *start = model_quantise(&shape, model);
    ck_assert_mem_eq(input + 5 * set, input + 7 * set, 2 * set);
    for (size_t seen = 1; seen <= 3; seen++)
        ck_assert_mem_ne(input + seen * set, input + 7 * set, 2 * set);
    ck_assert_mem_ne(input + 7 * set, start->input, 2 * set);
    network_destroy(start);
    free(model);
    train_result_free(&result);
    dataset_destroy(data);
}
END_TEST

/* The difference between a position and its mirror image. */
static double one_sidedness(const Dataset *data, bool mirror)
{
    TrainSettings s = quick();
    TrainResult result;
    Position left, right;

    s.batch = 64;
    s.epochs = 10;
    s.k = 1;
    s.validation = 0;
    s.mirror = mirror;
    MUST(train_network(data, &s, NULL, NULL, NULL, &result, &err));
    MUST(position_from_fen(&left, "1k6/8/8/8/8/8/8/3K4 w - - 0 1", &err));
    MUST(position_from_fen(&right, "6k1/8/8/8/8/8/8/4K3 w - - 0 1", &err));
    double difference =
        network_evaluate(result.network, &right) - network_evaluate(result.network, &left);
    train_result_free(&result);
    return fabs(difference);
}

START_TEST(mirroring_takes_sides_away)
{
    Dataset *free_king = one_sided_data("3K4", 200), *home = one_sided_data("4K3", 200);

    ck_assert_double_gt(one_sidedness(free_king, false), 100);
    ck_assert_double_lt(one_sidedness(free_king, true), 30);
    ck_assert(one_sidedness(home, true) == one_sidedness(home, false)); /* it may castle */
    dataset_destroy(free_king);
    dataset_destroy(home);
}
END_TEST

/* K of a training whose games, 13 of 20 won, have this score; *fitted as of the result. */
static double k_of_score(int score, bool *fitted)
{
    Dataset *data;
    TrainSettings s = quick();
    TrainResult result;
    Position pos;

    MUST(dataset_create(NETWORK_COLUMNS, &data, &err));
    MUST(position_from_fen(&pos, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", &err));
    for (int g = 0; g < 20; g++)
        MUST(dataset_add(data, &pos, g < 13 ? RESULT_WHITE_WINS : RESULT_BLACK_WINS, score, g,
                         &err));
    MUST(dataset_finish(data, 1, &err));
    s.epochs = 1;
    s.validation = 0;
    MUST(train_network(data, &s, NULL, NULL, NULL, &result, &err));
    double k = result.k;
    *fitted = result.k_fitted;
    train_result_free(&result);
    dataset_destroy(data);
    return k;
}

START_TEST(k_is_that_of_the_scores)
{
    bool fitted;

    for (int score = 20; score <= 5000; score *= 2) { /* K 12.4 … 0.05 */
        ck_assert_double_eq_tol(k_of_score(score, &fitted) * score / 400, log(13 / 7.), 1e-7);
        ck_assert(fitted);
    }
    ck_assert_double_eq(k_of_score(-300, &fitted), CALIBRATE_K_REFERENCE);
    ck_assert(!fitted);
    ck_assert_double_eq(k_of_score(SCORE_UNKNOWN, &fitted), CALIBRATE_K_REFERENCE);
    ck_assert(!fitted);
}
END_TEST

/* Weights that grow as far as they may make a network that the engine takes. */
START_TEST(large_weights_do_not_overflow)
{
    Dataset *data = random_data(SANITIZED ? 10 : 60, NULL);
    TrainSettings s = quick();
    TrainResult result;

    s.hidden = NETWORK_HIDDEN_MAX;
    s.squared = _i != 1;
    s.king_buckets = _i == 2 ? 2 : 0;
    s.lambda = 1;
    s.rate = 1;
    s.decay = 0;
    s.batch = 128;
    s.epochs = SANITIZED ? 1 : 2;
    MUST(train_network(data, &s, NULL, NULL, NULL, &result, &err));
    train_result_free(&result);
    dataset_destroy(data);
}
END_TEST

/* Without steps the loss is that of each position once, in whatever order. */
START_TEST(blocks_hold_each_position_once)
{
    Dataset *data = random_data(200, NULL);
    TrainSettings s = quick();
    TrainResult whole, blocks, moved;

    s.lambda = 1;
    s.epochs = 3;
    s.rate = 0;
    s.decay = 0;
    MUST(train_network(data, &s, NULL, NULL, NULL, &whole, &err));
    s.stream_above = 0;
    MUST(train_network(data, &s, NULL, NULL, NULL, &blocks, &err));
    ck_assert_double_eq_tol(whole.train_loss, blocks.train_loss, 1e-9);
    s.rate = 0.001;
    MUST(train_network(data, &s, NULL, NULL, NULL, &moved, &err));
    ck_assert_double_lt(moved.train_loss, blocks.train_loss);
    train_result_free(&whole);
    train_result_free(&blocks);
    train_result_free(&moved);
    dataset_destroy(data);
}
END_TEST

START_TEST(bad_settings_are_refused)
{
    Dataset *data = random_data(2, NULL), *terms;
    TrainSettings s = quick();
    TrainResult result;

    s.hidden = 24;
    ck_assert_int_eq(train_network(data, &s, NULL, NULL, NULL, &result, &err), STATUS_USAGE);
    s = quick();
    s.batch = 1 << 17;
    ck_assert_int_eq(train_network(data, &s, NULL, NULL, NULL, &result, &err), STATUS_USAGE);
    MUST(dataset_create(COLUMNS, &terms, &err));
    s = quick();
    ck_assert_int_eq(train_network(terms, &s, NULL, NULL, NULL, &result, &err), STATUS_BAD_INPUT);
    dataset_destroy(terms);
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, gradient_is_exact, tile_adds_in_order, shared_part_is_learned,
              mirroring_takes_sides_away, k_is_that_of_the_scores, blocks_hold_each_position_once,
              bad_settings_are_refused);
    tcase_add_loop_test(c, planted_network_is_found, 0, 2);
    tcase_add_loop_test(c, rounding_is_small, 0, 2);
    tcase_add_loop_test(c, mirrored_positions_are_exact, 0, 2);
    tcase_add_loop_test(c, threads_do_not_matter, 0, 2);
    tcase_add_loop_test(c, large_weights_do_not_overflow, 0, 3);
    return support_run(c);
}
