/* SPDX-License-Identifier: MIT
 * Labelled lines and files become the positions that they describe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "engine/search/search.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"
#include "tests/support/support_tuner.h"
#include "tuner/data/epd.h"
#include "tuner/data/epd_line.h"
#include "tuner/data/fingerprint.h"

#define KINGS   "4k3/8/8/8/8/8/8/4K3"
#define PAWN_UP "4k3/8/8/8/8/8/4P3/4K3"

static Error err;

/* ---- Lines */

static Status parse(const char *text, EpdLine *line)
{
    return epd_line_parse(text_span(text), line, &err);
}

static void expect_result(const char *text, double result)
{
    EpdLine line;
    ck_assert_msg(parse(text, &line) == STATUS_OK, "%s: %s", text, err.text);
    ck_assert_msg(line.result == result, "%s gave %g", text, line.result);
}

static void expect_refused(const char *text, const char *because)
{
    EpdLine line;
    ck_assert_msg(parse(text, &line) == STATUS_BAD_INPUT, "%s was taken", text);
    ck_assert_msg(strstr(err.text, because) != NULL, "%s: %s", text, err.text);
}

START_TEST(label_forms)
{
    expect_result(KINGS " w - - c9 \"1-0\";", RESULT_WHITE_WINS);
    expect_result(KINGS " b - - c9 \"0-1\"; id \"x\";", RESULT_BLACK_WINS);
    expect_result(KINGS " w - - id \"x; y\"; c9 \"1/2-1/2\"", RESULT_DRAW);
    expect_result(KINGS " w - - c2 \"1-0\";", RESULT_WHITE_WINS);
    expect_result(KINGS " w - - bm e4 d4; c0 \"a \"; c9 0-1;", RESULT_BLACK_WINS);
    expect_result(KINGS " w - - [1.0]", RESULT_WHITE_WINS);
    expect_result(KINGS " w - - 0 1 [0.5]", RESULT_DRAW);
    expect_result(KINGS " b - - 13 57 [0.0]\r", RESULT_BLACK_WINS);
    expect_result(KINGS " w - - 1-0", RESULT_WHITE_WINS);
    expect_result(KINGS " w - - 0 1 \"1/2-1/2\"", RESULT_DRAW);
    expect_result(KINGS " w - - 0.5", RESULT_DRAW);
    expect_result(KINGS " w - - 1", RESULT_WHITE_WINS);
    expect_result(KINGS " w - - 3 7 0", RESULT_BLACK_WINS);
    expect_result(KINGS " w - - bm e4,d4; 1-0", RESULT_WHITE_WINS);
    expect_result(KINGS " w - - 3 7;1.000", RESULT_WHITE_WINS);
    expect_result(KINGS " w - - 0 1,35,0.5,e1e2,7", RESULT_DRAW);
    expect_result(KINGS " w - - [1.0] c9 \"1-0\";", RESULT_WHITE_WINS);
}
END_TEST

START_TEST(lines_refused)
{
    expect_refused(KINGS " w - -", "no label");
    expect_refused(KINGS " w - - 0 1", "no label");
    expect_refused(KINGS " w - - id \"g\";", "no label");
    expect_refused(KINGS " w - - c9 \"*\";", "unknown label '*' of opcode c9");
    expect_refused(KINGS " w - - [1.01]", "unknown label '[1.01]'");
    expect_refused(KINGS " w - - -0.5", "unknown label '-0.5'");
    expect_refused(KINGS " w - -,35", "unknown label '' of column RESULT");
    expect_refused(KINGS " w - -,1.5,0.5", "the eval is not in centipawns: '1.5'");
    expect_refused("fen,result,eval", "the columns of CSV are FEN,EVAL,RESULT, in this order");
    expect_refused(",fen,score,result", "the columns of CSV are FEN,EVAL,RESULT, in this order");
    expect_refused(KINGS " w - - 2", "half-move clock '2' without a move number");
    expect_refused(KINGS " w - - .", "unknown label '.'");
    expect_refused(KINGS " w - - 1.0.0", "unknown label '1.0.0'");
    expect_refused(KINGS " w - - 0.5; ce 32768;",
                   "the score of opcode ce is not in centipawns: '32768'");
    expect_refused(KINGS " w - - 0.5; ce -32768;",
                   "the score of opcode ce is not in centipawns: '-32768'");
    expect_refused(KINGS " w - - [1.0] c9 \"0-1\";", "two different results");
    expect_refused(KINGS " w - - ce x; 1-0", "ce");
    expect_refused("4k3/8/8/8/8/8/8/8 w - - 1-0", "");
    expect_refused("4k3/8/8 w", "not a FEN or EPD position: 4k3/8/8 w");
    expect_refused("", "not a FEN or EPD position");
}
END_TEST

START_TEST(names_and_scores)
{
    EpdLine line;

    ck_assert_int_eq(parse(KINGS " b - - c9 \"1-0\"; id \"game 7\"; ce 35;", &line), STATUS_OK);
    ck_assert_int_eq(line.score, -35);
    ck_assert_uint_eq(line.id.length, 6);
    ck_assert_int_eq(strncmp(line.id.at, "game 7", 6), 0);
    ck_assert_int_eq(parse(KINGS " w - - c9 \"1-0\";", &line), STATUS_OK);
    ck_assert_int_eq(line.score, SCORE_UNKNOWN);
    ck_assert_ptr_null(line.id.at);
    /* A mate as in the PGN standard */
    ck_assert_int_eq(parse(KINGS " w - - c9 \"1-0\"; ce 32765;", &line), STATUS_OK);
    ck_assert_int_eq(line.score, SCORE_UNKNOWN);
}
END_TEST

/* Scores without an opcode, as Ethereal's and bullet's data sets have them. */
START_TEST(scores_beside_results)
{
    static const struct {
        const char *text;
        double result; /* White's half points */
        int score;     /* White's view */
    } lines[] = {{KINGS " w - - 1 48 [0.5] -89", RESULT_DRAW, -89},
                 {KINGS " b - - 1 48 [1.0] -89", RESULT_WHITE_WINS, 89},
                 {KINGS " b - - [0.0] 1", RESULT_BLACK_WINS, -1},
                 {KINGS " w - - 0 1 | 12 | 1.0", RESULT_WHITE_WINS, 12},
                 {KINGS " b - - 0 1 | -12 | 0.5", RESULT_DRAW, -12},
                 {KINGS " b - - 0 1 | 0 | 0", RESULT_BLACK_WINS, 0},
                 {KINGS " b - - 0 1|-10|0.5", RESULT_DRAW, -10},
                 {KINGS " b - -|-10| 0.5", RESULT_DRAW, -10},
                 {KINGS " w - - 0 1 | 0.5", RESULT_DRAW, SCORE_UNKNOWN},
                 {KINGS " b - - 0 1 | 12 | 0.625", 1.25, 12},
                 {KINGS " w - - [0.25]", 0.5, SCORE_UNKNOWN},
                 {KINGS " b - - c9 \"0.75\"; c0 \"a, b\"; ce 7;", 1.5, -7},
                 {KINGS " b - - 0 1,35,0.75", 1.5, 35},
                 {"\"" KINGS " w - - 0 1\", -35 , \"1-0\"\r", RESULT_WHITE_WINS, -35},
                 {KINGS " w - -,#-3,0", RESULT_BLACK_WINS, SCORE_UNKNOWN},
                 {KINGS " w - - 3 4,,1", RESULT_WHITE_WINS, SCORE_UNKNOWN}};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        EpdLine line;
        expect_result(lines[i].text, lines[i].result);
        ck_assert_int_eq(parse(lines[i].text, &line), STATUS_OK);
        ck_assert_int_eq(line.score, lines[i].score);
    }
    expect_refused(KINGS " w - - 0 1 | 12", "no label");
    expect_refused(KINGS " w - - [0.5] 35 36", "unknown label '36'");
    expect_refused(KINGS " w - - [0.5] 3x", "unknown label '3x'");
    expect_refused(KINGS " w - - 0 1 | 12 | 1.0 | 7", "unknown label '|'");
    expect_refused(KINGS " w - - 1-0 35", "unknown label '35'");
}
END_TEST

/* Every prefix of a good line, and every line with a byte changed, is taken or refused, no more. */
START_TEST(lines_cut_and_damaged)
{
    static const char good[] = PAWN_UP " w - - 0 1 c9 \"1-0\"; id \"a\"; ce -3;";
    EpdLine line;

    for (size_t length = 0; length < sizeof good; length++) {
        char *exact = malloc(length + 1); /* so that a sanitizer sees a read beyond */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, good, length);
        for (int byte = 0; byte < 256 && length > 0; byte += 5) {
            char kept = exact[length / 2];
            exact[length / 2] = (char)byte;
            (void)!epd_line_parse((TextSpan){exact, exact + length}, &line, &err);
            exact[length / 2] = kept;
        }
        free(exact);
    }
}
END_TEST

/* ---- Files */

static Dataset *read_file(const char *name, int threads)
{
    Dataset *data = NULL;
    DatasetFilter filter;

    dataset_filter_defaults(&filter);
    ck_assert_msg(dataset_from_epd(name, &filter, threads, &data, &err) == STATUS_OK, "%s",
                  err.text);
    return data;
}

START_TEST(games_by_id)
{
    const char *file = support_temp_path("ids.epd");
    support_write_file(file,
                       "# a comment\n" PAWN_UP " w - - c9 \"1-0\"; id \"b\";\n\n" KINGS
                       " w - - [0.5]\n" KINGS " b - - c9 \"0-1\"; id \"\";\n" PAWN_UP
                       " b - - c9 \"1-0\"; id \"b\";\n" PAWN_UP " b - - c9 \"0-1\"; id \"\";");
    Dataset *data = read_file(file, 1);
    static const int games[] = {0, 1, 2, 0, 3};

    ck_assert_int_eq(data->positions, 5);
    ck_assert_int_eq(data->games, 4);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(data->game[i], games[i]);
    ck_assert_float_eq(data->result[2], RESULT_BLACK_WINS);
    ck_assert_int_eq(data->stats.duplicates, 3);
    ck_assert_int_eq(data->stats.contradicting, 2);
    dataset_destroy(data);
}
END_TEST

/* CSV with a header; a count of results takes the nearest one. */
START_TEST(soft_labels)
{
    const char *file = support_temp_path("soft.csv");
    support_write_file(file, "FEN,Eval,Result\n" PAWN_UP " b - - 0 1,35,0.75\n\n" KINGS
                             " w - -,,0.73\n" PAWN_UP " w - - 0 1,-7,1\n");
    Dataset *data = read_file(file, 2);

    ck_assert_int_eq(data->positions, 3);
    ck_assert_float_eq(data->result[0], 1.5F);
    ck_assert_float_eq(data->result[1], 1.46F);
    ck_assert_int_eq(data->score[0], 35);
    ck_assert_int_eq(data->score[1], SCORE_UNKNOWN);
    ck_assert_int_eq(data->stats.results[RESULT_DRAW], 1);
    ck_assert_int_eq(data->stats.results[RESULT_WHITE_WINS], 2);
    dataset_destroy(data);
}
END_TEST

static void expect_bad_file(const char *file, const char *where)
{
    Dataset *data = NULL;
    DatasetFilter filter;

    dataset_filter_defaults(&filter);
    ck_assert_int_eq(dataset_from_epd(file, &filter, 2, &data, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_null(data);
    ck_assert_msg(strstr(err.text, where) != NULL, "no %s in: %s", where, err.text);
}

START_TEST(errors_name_file_and_line)
{
    const char *file = support_temp_path("bad.epd");
    enum { LINES = 30000, BAD = 20007 };
    static const char good[] = KINGS " w - - [0.5]\n";
    char *text = malloc(LINES * sizeof good), *at = text;

    ck_assert_ptr_nonnull(text);
    for (int i = 1; i <= LINES; i++)
        at = stpcpy(at, i == BAD || i == BAD + 9000 ? KINGS " w - - [1.6]\n" : good);
    support_write_file(file, text);
    free(text);
    expect_bad_file(file, "bad.epd:20007: unknown label '[1.6]'");
    support_write_file(file, KINGS " w - - 1-0\n\n" KINGS "K w - - 1-0\n");
    expect_bad_file(file, "bad.epd:3: ");
    support_write_file(file, "\n# nothing\n");
    expect_bad_file(file, "no positions");
    expect_bad_file("/nonexistent/x.epd", "/nonexistent/x.epd: ");
    expect_bad_file(support_temp_dir(), "");
}
END_TEST

static void write_bytes(const char *file, const void *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

/* Plain, compressed, compressed in two frames: one data set; cut off: an error. */
START_TEST(compressed_files)
{
    enum { LINES = 200000 };
    static const char *const lines[] = {KINGS " w - - [0.5]\n", PAWN_UP " w - - [1.0]\n",
                                        PAWN_UP " b - - 0 1 c9 \"1-0\"; id \"x\";\n"};
    char *text = malloc(LINES * 64), *at = text, digest[2][HASH_HEX_MAX];
    ck_assert_ptr_nonnull(text);
    for (int i = 0; i < LINES; i++)
        at = stpcpy(at, lines[i * 7 % 11 % 3]);
    size_t length = (size_t)(at - text), half = length / 2 + 5, room = ZSTD_compressBound(length);
    char *packed = malloc(2 * room);
    ck_assert_ptr_nonnull(packed);

    const char *file = support_temp_path("x.epd.zst");
    support_write_file(file, text);
    Dataset *data = read_file(file, 1);
    memcpy(digest[0], data->digest, sizeof data->digest);
    ck_assert_int_eq(data->positions, LINES);
    dataset_destroy(data);

    size_t first = ZSTD_compress(packed, room, text, half, 3);
    size_t second = ZSTD_compress(packed + first, room, text + half, length - half, 3);
    write_bytes(file, packed, first + second);
    data = read_file(file, 2);
    memcpy(digest[1], data->digest, sizeof data->digest);
    ck_assert_str_eq(digest[0], digest[1]);
    dataset_destroy(data);

    write_bytes(file, packed, first + second / 2);
    expect_bad_file(file, "cut off");
    packed[first / 2] ^= 0x55;
    packed[first / 2 + 1] ^= 0x55;
    write_bytes(file, packed, first + second);
    expect_bad_file(file, "x.epd.zst");
    free(packed);
    free(text);
}
END_TEST

/* ---- Positions */

typedef struct FeatureCheck {
    const EvalWeights *weights;
    EvalFamilies terms;
    double value[ALL_DIMENSIONS];
    int positions;
} FeatureCheck;

static double evaluate_one(const Position *pos, const FeatureCheck *check)
{
    Dataset *data;
    double cp;

    ck_assert_int_eq(dataset_create(columns_of(check->terms), &data, &err), STATUS_OK);
    data->terms = check->terms;
    ck_assert_int_eq(dataset_add(data, pos, RESULT_DRAW, 0, 0, &err), STATUS_OK);
    tuner_evaluate(data, check->value, &cp);
    dataset_destroy(data);
    return cp;
}

static void check_features(const Position *pos, const MoveList *list, void *context)
{
    FeatureCheck *check = context;
    Position mirror;

    (void)list;
    double cp = evaluate_one(pos, check);
    ck_assert_double_le(cp - eval_white(pos, check->weights), 1 - 1e-9);
    ck_assert_double_ge(cp - eval_white(pos, check->weights), -1 + 1e-9);
    board_mirror(&mirror, pos);
    ck_assert_double_eq_tol(evaluate_one(&mirror, check), -cp, 1e-9);
    check->positions++;
}

/* Up to the taper's truncation a data set evaluates as the engine does: by material and squares,
 * by classical terms, and with king squares. */
START_TEST(features_are_the_evaluations)
{
    EvalWeights w;
    FeatureCheck check = {.weights = &w};
    Pcg rng;
    static const EvalFamilies sets[] = {EVAL_MATERIAL_PST, EVAL_CLASSICAL_FAMILIES,
                                        EVAL_ALL_SQUARES};

    check.terms = sets[_i];
    pcg_seed(&rng, 5, 5);
    weights_zero(&w);
    for (const EvalTermInfo *t = eval_term_info; t->name; t++)
        for (int i = t->first; check.terms & eval_family(t->family) && i < t->first + t->count; i++)
            for (int half = MG; half <= EG; half++)
                w.term[i][half] = (int16_t)((int)pcg_below(&rng, 1001) - 500);
    columns_from_weights(&w, columns_of(check.terms), check.value);
    board_walk(3, 2, 40, NULL, check_features, &check);
    ck_assert_int_gt(check.positions, 1000);
}
END_TEST

/* One byte of the set, by number; the arrays move when a set is finished. */
static uint8_t *byte_of(Dataset *data, int which)
{
    int64_t i = data->positions / 2;
    switch (which) {
    case 0:
        return (uint8_t *)&data->result[i];
    case 1:
        return &data->phase[i];
    case 2:
        return (uint8_t *)&data->score[i];
    case 3:
        return (uint8_t *)&data->game[i];
    case 4:
        return (uint8_t *)&data->occurrence[data->occurrences / 2];
    default:
        return (uint8_t *)&data->result[data->positions - 1];
    }
}

START_TEST(digest_sees_everything)
{
    Dataset *data = tuner_random_data(1, 1), *other = tuner_random_data(1, 1);
    char digest[HASH_HEX_MAX];

    memcpy(digest, data->digest, sizeof data->digest);
    for (int change = 0; change < 6; change++) {
        ck_assert_int_eq(dataset_finish(other, change % 3 + 1, &err), STATUS_OK);
        ck_assert_str_eq(digest, other->digest);
        *byte_of(other, change) ^= 1;
        ck_assert_int_eq(dataset_finish(other, 1, &err), STATUS_OK);
        ck_assert_str_ne(digest, other->digest);
        *byte_of(other, change) ^= 1;
    }
    dataset_destroy(data);
    dataset_destroy(other);
}
END_TEST

/* ---- Duplicates */

enum { KINDS = 30000, MANY = 150000 }; /* several blocks of hashes, several parts of the search */

/* Kinds differ in length, phase, or one of the last two features. */
static void add_kind(Dataset *data, int kind, int32_t game)
{
    Occurrence at[9];
    int length = 2 + kind % 8, phase = kind / 8 % 2, rest = kind / 16;

    for (int i = 0; i < length; i++)
        at[i] = (Occurrence)i;
    at[length - 2] = (Occurrence)(100 + rest % 40);
    at[length - 1] = (Occurrence)(200 + rest / 40);
    ck_assert_int_eq(dataset_add_features(data, at, length, phase, RESULT_DRAW, 0, game, &err),
                     STATUS_OK);
}

static void check_duplicates(const Dataset *data, const int *kind, const uint8_t *take, int threads)
{
    static int32_t first_of[KINDS];
    int32_t *first;

    memset(first_of, -1, sizeof first_of);
    ck_assert_int_eq(dataset_duplicates(data, take, 1, threads, &first, &err), STATUS_OK);
    for (int i = 0; i < MANY; i++) {
        bool taken = !take || take[data->game[i]] == 1;
        if (taken && first_of[kind[i]] < 0) first_of[kind[i]] = i;
        ck_assert_int_eq(first[i], taken ? first_of[kind[i]] : -1);
    }
    free(first);
}

START_TEST(duplicates_name_their_first_position)
{
    static int kind[MANY];
    const uint8_t take[3] = {1, 0, 1};
    Dataset *data;
    Pcg rng;

    pcg_seed(&rng, 3, 3);
    ck_assert_int_eq(dataset_create(512, &data, &err), STATUS_OK);
    for (int i = 0; i < MANY; i++) {
        kind[i] = (int)pcg_below(&rng, KINDS);
        add_kind(data, kind[i], i % 3);
    }
    for (int threads = 1; threads <= 3; threads++) {
        check_duplicates(data, kind, NULL, threads);
        check_duplicates(data, kind, take, threads);
    }
    dataset_destroy(data);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, label_forms, lines_refused, names_and_scores, scores_beside_results,
              lines_cut_and_damaged, games_by_id, soft_labels, errors_name_file_and_line,
              compressed_files, digest_sees_everything, duplicates_name_their_first_position);
    tcase_add_loop_test(c, features_are_the_evaluations, 0, 3);
    return support_run(c);
}
