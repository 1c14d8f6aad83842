/* SPDX-License-Identifier: MIT
 * Foreign features: both formats, their errors, and a fit to them. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/pcg.h"
#include "tests/support/support.h"
#include "tuner/data/dataset.h"
#include "tuner/data/foreign.h"
#include "tuner/job/tune.h"

static Error err;

static const char good[] = "# a comment\n"
                           "@columns 4\n"
                           "@name 1 MOBILITY # counts\n"
                           "@start 0 80 100\n"
                           "@fixed 3\n"
                           "\n"
                           "1-0 p:24 g:a 0:1 1:-3\n"
                           "0.5 p:11 s:-35 g:b 1:2.0 2:0\r\n"
                           "[0.0] g:a 0:-1 3:4000\n";

/* Reads the bytes from a file x. */
static Status read_bytes(const void *bytes, size_t length, ForeignSet *set)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/x", support_temp_dir());
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return foreign_read(path, NULL, 1, set, &err);
}

START_TEST(text_is_read)
{
    ForeignSet set;

    ck_assert_msg(read_bytes(good, strlen(good), &set) == STATUS_OK, "%s", err.text);
    const Dataset *d = set.data;
    ck_assert_int_eq(d->positions, 3);
    ck_assert_int_eq(d->games, 2);
    ck_assert_int_eq(d->game[2], d->game[0]);
    ck_assert_int_eq(d->phase[1], 11);
    ck_assert_int_eq(d->phase[2], 24);
    ck_assert_int_eq(d->score[0], SCORE_UNKNOWN);
    ck_assert_int_eq(d->score[1], -35);
    ck_assert_float_eq(d->result[0], RESULT_WHITE_WINS);
    ck_assert_float_eq(d->result[2], RESULT_BLACK_WINS);
    ck_assert_int_eq(d->count[1], 1); /* a coefficient of 0 is none */
    int sum = 0;
    for (int j = 1; j < d->count[2]; j++) {
        Occurrence o = d->occurrence[d->count[0] + d->count[1] + j];
        ck_assert_int_eq(occurrence_column(o, 4), 3);
        sum += occurrence_value(o, 4);
    }
    ck_assert_int_eq(sum, 4000);
    ck_assert_str_eq(set.space->name[1], "MOBILITY");
    ck_assert_str_eq(set.space->name[2], "2");
    ck_assert(set.space->fixed[3] && set.space->fixed[7] && !set.space->fixed[2]);
    ck_assert_double_eq(set.start[0], 80);
    ck_assert_double_eq(set.start[4], 100);
    foreign_free(&set);
}
END_TEST

static void refuse(const char *text, const char *part)
{
    ForeignSet set;
    ck_assert_int_eq(read_bytes(text, strlen(text), &set), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, part) != NULL, "no \"%s\" in: %s", part, err.text);
}

START_TEST(bad_text_is_refused)
{
    refuse("", "x: no positions");
    refuse("1-0 0:1\n", "x:1: @columns");
    refuse("@columns 0\n", "x:1: expected 1 to 16384 columns");
    refuse("@columns 99999\n", "x:1: expected 1 to 16384 columns");
    refuse("@columns 3\n@name 2 A\n@name 0 A\n1-0 0:1\n",
           "x: columns 0 and 2 are both named \"A\"");
    refuse("@columns 2\n@name 0 1\n1-0 0:1\n", "x: columns 0 and 1 are both named \"1\"");
    refuse("@columns 2\n@columns 2\n", "x:2: @columns must come once");
    refuse("@columns 2\n@nonsense\n", "x:2: \"@nonsense\"");
    refuse("@columns 2\n@name 2 A\n", "x:2: expected the index");
    refuse("@columns 2\n@start 1 nan 0\n", "x:2: expected centipawns");
    refuse("@columns 2\n@start 1 1e9 0\n", "x:2: expected centipawns");
    refuse("@columns 2\n0:1 1:1\n", "x:2: unknown label '0:1'");
    refuse("@columns 2\n1.7 1:1\n", "x:2: unknown label '1.7'");
    refuse("@columns 2\n1-0 0:1\n1-0 2:1\n", "x:3: index 2");
    refuse("@columns 2\n1-0 -1:1\n", "x:2: index -1");
    refuse("@columns 2\n1-0 1:1 0:1\n", "x:2: index 0 is not above the one before it");
    refuse("@columns 2\n1-0 1:1 1:1\n", "x:2: index 1 is not above the one before it");
    refuse("@columns 2\n1-0 p:24 p:24 1:1\n", "x:2: \"p:\" comes twice");
    refuse("@columns 2\n1-0 g:a 1:1 g:b\n", "x:2: \"g:\" comes twice");
    refuse("@columns 2\n1-0 s:3 s:3\n", "x:2: \"s:\" comes twice");
    refuse("@columns 2\n1-0 1:0.5\n", "x:2: expected a whole number");
    refuse("@columns 2\n1-0 1:\n", "x:2: expected a whole number");
    refuse("@columns 2\n1-0 1:99999\n", "x:2: coefficient 99999");
    refuse("@columns 2\n1-0 1:5\n1-0 0:9000 1:32767\n", "x:3: more than 255 features");
    refuse("@columns 2\n1-0 1\n", "x:2: expected index:coefficient");
    refuse("@columns 2\n1-0 p:25 1:1\n", "x:2: expected a phase");
    refuse("@columns 2\n1-0 g: 1:1\n", "x:2: expected the name of a game");
    refuse("@columns 2\n1-0 s:x 1:1\n", "x:2: expected a score");
    refuse("@one-based\n@columns 2\n1-0 0:1\n", "x:3: index 0");
    refuse("@columns 1\n@untapered\n1-0 p:24 0:1\n1-0 p:12 0:1\n",
           "x:4: \"p:12\" does not go with @untapered");
}
END_TEST

/* ---- The binary format */

typedef struct Bytes {
    size_t length;
    unsigned char at[4096];
} Bytes;

static void put(Bytes *b, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        b->at[b->length++] = (unsigned char)(value >> 8 * i);
}

static void put_header(Bytes *b, unsigned version, unsigned columns, uint64_t positions)
{
    b->length = 8;
    memcpy(b->at, "TABIAFEA", 8);
    put(b, version, 4);
    put(b, columns, 4);
    put(b, positions, 8);
}

static void put_record(Bytes *b, int label, int phase, int score, unsigned game, int column,
                       int value)
{
    put(b, (uint64_t)label, 1);
    put(b, (uint64_t)phase, 1);
    put(b, 1, 2);
    put(b, (uint16_t)score, 2);
    put(b, game, 4);
    put(b, (uint64_t)column, 2);
    put(b, (uint16_t)value, 2);
}

START_TEST(binary_is_read)
{
    ForeignSet set;
    Bytes b;

    put_header(&b, 1, 3, 2);
    put_record(&b, 2, 24, 32767, 900, 1, -3);
    put_record(&b, 0, 7, -12, 900, 2, 5);
    ck_assert_msg(read_bytes(b.at, b.length, &set) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(set.data->positions, 2);
    ck_assert(set.data->foreign);
    ck_assert_int_eq(set.data->games, 1);
    ck_assert_int_eq(set.data->score[0], SCORE_UNKNOWN);
    ck_assert_int_eq(set.data->score[1], -12);
    ck_assert_int_eq(occurrence_value(set.data->occurrence[0], 3), -3);
    ck_assert_int_eq(occurrence_column(set.data->occurrence[1], 3), 2);
    foreign_free(&set);
    Bytes many = b;
    put_header(&many, 1, 70000, 2);
    ck_assert_int_eq(read_bytes(many.at, b.length, &set), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "not 70000"));
    for (size_t cut = 0; cut < b.length; cut++) /* at every length it is refused */
        ck_assert_int_eq(read_bytes(b.at, cut, &set), STATUS_BAD_INPUT);
    b.length++;
    ck_assert_int_eq(read_bytes(b.at, b.length, &set), STATUS_BAD_INPUT);
}
END_TEST

static void refuse_record(int label, int phase, int column, const char *part)
{
    ForeignSet set;
    Bytes b;

    put_header(&b, 1, 3, 1);
    put_record(&b, label, phase, 0, 0, column, 1);
    ck_assert_int_eq(read_bytes(b.at, b.length, &set), STATUS_BAD_INPUT);
    ck_assert_msg(strstr(err.text, part) != NULL, "no \"%s\" in: %s", part, err.text);
}

START_TEST(bad_binary_is_refused)
{
    ForeignSet set;
    Bytes b;

    refuse_record(3, 0, 0, "x: record 0: label 3");
    refuse_record(1, 25, 0, "phase 25");
    refuse_record(1, 24, 3, "index 3");
    put_header(&b, 2, 3, 0);
    ck_assert_int_eq(read_bytes(b.at, b.length, &set), STATUS_BAD_INPUT);
    put_header(&b, 1, 0xffffffff, 0);
    ck_assert_int_eq(read_bytes(b.at, b.length, &set), STATUS_BAD_INPUT);
    put_header(&b, 1, 3, UINT64_MAX);
    ck_assert_int_eq(read_bytes(b.at, b.length, &set), STATUS_BAD_INPUT);
}
END_TEST

/* ---- Files */

/* Reads the bytes from a file, with scratch files, and expects the digest. Without the last
 * byte the file is refused. */
static void read_from_file(const void *bytes, size_t length, const char *digest)
{
    const char *dir = support_temp_dir();
    char path[4096];
    ForeignSet set = {0};

    (void)snprintf(path, sizeof path, "%s/features", dir);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert(write(fd, bytes, length) == (ssize_t)length);
    ck_assert_msg(foreign_read(path, dir, 2, &set, &err) == STATUS_OK, "%s", err.text);
    ck_assert_str_eq(set.data->digest, digest);
    ck_assert_str_eq(set.data->scratch, dir);
    foreign_free(&set);
    ck_assert_int_eq(ftruncate(fd, (off_t)length - 2), 0);
    ck_assert_int_eq(foreign_read(path, NULL, 1, &set, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, path));
    ck_assert_int_eq(close(fd), 0);
}

START_TEST(files_are_read)
{
    static const char text[] = "@columns 3\n1 g:900 1:-3\n0 p:7 s:-12 g:900 2:5";
    ForeignSet set;
    Bytes b;

    put_header(&b, 1, 3, 2);
    put_record(&b, 2, 24, 32767, 900, 1, -3);
    put_record(&b, 0, 7, -12, 900, 2, 5);
    ck_assert_int_eq(read_bytes(b.at, b.length, &set), STATUS_OK);
    read_from_file(b.at, b.length, set.data->digest);
    read_from_file(text, strlen(text), set.data->digest);
    foreign_free(&set);
}
END_TEST

/* ---- A fit */

/* The fit finds planted weights within a few standard errors; the fixed one keeps its value. */
START_TEST(foreign_weights_come_back)
{
    enum { C = 5, POSITIONS = 30000 };
    static const double truth[2 * C] = {90, 12, -30, 250, 40, 130, 25, -10, 330, 40};
    static char text[POSITIONS * 64];
    size_t used = (size_t)sprintf(text, "@columns %d\n@start 4 40 40\n@fixed 4\n", C);
    ForeignSet set;
    TuneSettings settings;
    TuneResult result;
    Pcg rng;

    pcg_seed(&rng, 1, 2);
    for (int n = 0; n < POSITIONS; n++) {
        int v[C], phase = (int)pcg_below(&rng, 25);
        double cp = 0;
        for (int c = 0; c < C; c++) {
            v[c] = (int)pcg_below(&rng, c == 1 ? 41 : 5) - (c == 1 ? 20 : 2);
            cp += v[c] * (truth[c] * phase + truth[C + c] * (24 - phase)) / 24;
        }
        bool won = pcg_unit(&rng) < 1 / (1 + exp(-1.2 * cp / 400));
        used += (size_t)sprintf(text + used, "%d p:%d 0:%d 1:%d 2:%d 3:%d 4:%d\n", won, phase, v[0],
                                v[1], v[2], v[3], v[4]);
    }
    ck_assert_msg(read_bytes(text, used, &set) == STATUS_OK, "%s", err.text);
    tune_defaults(&settings);
    settings.diagnostics = true;
    settings.fit.prior = 0;
    settings.fit.k = 1.2;
    Status status =
        tune_fit_columns(set.data, set.space, set.start, &settings, NULL, &result, &err);
    set.space = NULL;
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    for (int i = 0; i < 2 * C; i++) {
        double error = diagnostics_error(result.diagnostics, i);
        if (i % C == 4) {
            ck_assert_double_eq(result.diagnostics->value[i], 40);
            ck_assert_double_eq(error, 0);
        } else {
            ck_assert_double_gt(error, 0);
            ck_assert_double_lt(error, 15);
            ck_assert_double_le(fabs(result.diagnostics->value[i] - truth[i]), 3.5 * error);
        }
    }
    ck_assert_int_eq(result.diagnostics->warning_count, 0);
    tune_result_free(&result);
    foreign_free(&set);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, text_is_read, bad_text_is_refused, binary_is_read, bad_binary_is_refused,
              files_are_read, foreign_weights_come_back);
    return support_run(c);
}
