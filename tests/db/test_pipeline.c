/* SPDX-License-Identifier: MIT
 * Batches in three stages: order, errors, numbers of threads. */
#include <check.h>
#include <string.h>

#include "db/files/pipeline.h"
#include "tests/support/support.h"

enum { BATCH = 7, ALL = 100, NONE = -1 };

typedef struct Item {
    int number, square;
} Item;

/* Squares of 0, 1 … ALL - 1. */
typedef struct Squares {
    int read, written, batches;
    int unreadable, unworkable, unwritable; /* numbers of items, or NONE */
} Squares;

static int released;

static Status read_number(void *context, void *item, bool *found, Error *err)
{
    Squares *s = context;

    if (s->read == s->unreadable) return error_set(err, STATUS_BAD_INPUT, "unreadable %d", s->read);
    *found = s->read < ALL;
    *(Item *)item = (Item){.number = s->read++};
    return STATUS_OK;
}

static Status compute_square(void *context, void *pointer, Error *err)
{
    const Squares *s = context;
    Item *item = pointer;

    item->square += item->number * item->number;
    if (item->number != s->unworkable) return STATUS_OK;
    return error_set(err, STATUS_FAILED, "unworkable %d", item->number);
}

static Status check_square(void *context, void *pointer, Error *err)
{
    Squares *s = context;
    const Item *item = pointer;

    if (s->written == s->unwritable)
        return error_set(err, STATUS_FAILED, "unwritable %d", s->written);
    ck_assert_int_eq(item->number, s->written);
    ck_assert_int_eq(item->square, s->written * s->written);
    s->written++;
    return STATUS_OK;
}

static Status count_batch(void *context, Error *err)
{
    (void)err;
    ((Squares *)context)->batches++;
    return STATUS_OK;
}

static void count_release(void *item)
{
    (void)item;
    released++;
}

static const int thread_counts[] = {1, 2, 8};

/* What was read before an unreadable item is written; the first error in the order of items counts.
 */
START_TEST(in_order)
{
    static const struct {
        int unreadable, unworkable, unwritable, written;
        const char *error;
    } cases[] = {{NONE, NONE, NONE, ALL, ""},           {0, NONE, NONE, 0, "unreadable 0"},
                 {40, NONE, NONE, 40, "unreadable 40"}, {40, NONE, 30, 30, "unwritable 30"},
                 {40, NONE, 0, 0, "unwritable 0"},      {NONE, NONE, 99, 99, "unwritable 99"},
                 {NONE, 50, NONE, 50, "unworkable 50"}, {40, 20, 21, 20, "unworkable 20"}};
    static const Pipeline pipeline = {sizeof(Item), BATCH,       read_number,  compute_square,
                                      check_square, count_batch, count_release};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Squares s = {.unreadable = cases[i].unreadable,
                     .unworkable = cases[i].unworkable,
                     .unwritable = cases[i].unwritable};
        Error err = {0};
        released = 0;
        Status status = pipeline_run(&pipeline, &s, thread_counts[_i], &err);
        ck_assert_int_eq(status, err.status);
        ck_assert_str_eq(err.text, cases[i].error);
        ck_assert_int_eq(s.written, cases[i].written);
        ck_assert_int_ge(s.batches, cases[i].written / BATCH);
        ck_assert_int_eq(released, 3 * BATCH);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_loop_test(c, in_order, 0, sizeof thread_counts / sizeof *thread_counts);
    return support_run(c);
}
