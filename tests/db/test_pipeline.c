/* SPDX-License-Identifier: MIT
 * Batches in three stages: order, errors, numbers of threads. */
#include <check.h>
#include <string.h>

#include "db/files/pipeline.h"
#include "tests/support/support.h"

enum { BATCH = 7, ALL = 100, NONE = -1 };

/* Squares of 0, 1 … ALL - 1. */
typedef struct Squares {
    int number[PIPELINE_SLOTS][BATCH], square[PIPELINE_SLOTS][BATCH], count[PIPELINE_SLOTS];
    int read, written, unreadable, unwritable; /* numbers of items, or NONE */
} Squares;

static Status read_numbers(void *context, int slot, int *items, Error *err)
{
    Squares *s = context;

    for (*items = 0; *items < BATCH && s->read < ALL; ++*items) {
        if (s->read == s->unreadable)
            return error_set(err, STATUS_BAD_INPUT, "unreadable %d", s->read);
        s->number[slot][*items] = s->read++;
        s->square[slot][*items] = 0;
    }
    s->count[slot] = *items;
    return STATUS_OK;
}

static void compute_square(void *context, int slot, int item)
{
    Squares *s = context;
    s->square[slot][item] += s->number[slot][item] * s->number[slot][item];
}

static Status check_squares(void *context, int slot, Error *err)
{
    Squares *s = context;

    for (int i = 0; i < s->count[slot]; i++) {
        if (s->written == s->unwritable)
            return error_set(err, STATUS_FAILED, "unwritable %d", s->written);
        ck_assert_int_eq(s->number[slot][i], s->written);
        ck_assert_int_eq(s->square[slot][i], s->written * s->written);
        s->written++;
    }
    return STATUS_OK;
}

static const int thread_counts[] = {1, 2, 8};

/* What was read before an unreadable batch is written; an error of writing comes first. */
START_TEST(in_order)
{
    static const struct {
        int unreadable, unwritable, written;
        const char *error;
    } cases[] = {{NONE, NONE, ALL, ""},           {0, NONE, 0, "unreadable 0"},
                 {40, NONE, 35, "unreadable 40"}, {40, 30, 30, "unwritable 30"},
                 {40, 0, 0, "unwritable 0"},      {NONE, 99, 99, "unwritable 99"}};
    static const Pipeline pipeline = {read_numbers, compute_square, check_squares};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Squares s = {.unreadable = cases[i].unreadable, .unwritable = cases[i].unwritable};
        Error err = {0};
        Status status = pipeline_run(&pipeline, &s, thread_counts[_i], &err);
        ck_assert_int_eq(status, err.status);
        ck_assert_str_eq(err.text, cases[i].error);
        ck_assert_int_eq(s.written, cases[i].written);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_loop_test(c, in_order, 0, sizeof thread_counts / sizeof *thread_counts);
    return support_run(c);
}
