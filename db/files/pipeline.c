/* SPDX-License-Identifier: MIT
 * Batches of items in three stages. */
#include "db/files/pipeline.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "engine/base/thread_pool.h"

/* A batch. */
typedef struct Slot {
    int count; /* items that are held */
    char *items;
    Error *faults; /* of `work`, one an item */
} Slot;

enum { SLOTS = 3 };

typedef struct Run {
    const Pipeline *pipeline;
    void *context;
    Slot slots[SLOTS];
    Slot *before, *now, *next;
    atomic_int taken; /* items of the slot `now` */
    bool at_end;      /* of reading */
    Error end;        /* why it ended; STATUS_OK: nothing is left */
} Run;

static void *item_at(const Run *run, const Slot *slot, int number)
{
    return slot->items + (size_t)number * run->pipeline->size;
}

static void work_on_items(void *context, int thread)
{
    Run *run = context;
    Slot *slot = run->now;
    int i;

    (void)thread;
    while ((i = atomic_fetch_add_explicit(&run->taken, 1, memory_order_relaxed)) < slot->count)
        slot->faults[i].status =
            run->pipeline->work(run->context, item_at(run, slot, i), &slot->faults[i]);
}

static void read_slot(Run *run, Slot *slot)
{
    const Pipeline *p = run->pipeline;

    while (slot->count < p->batch && !run->at_end) {
        bool found = false;
        Status status = p->read(run->context, item_at(run, slot, slot->count), &found, &run->end);
        run->end.status = status;
        run->at_end = status != STATUS_OK || !found;
        slot->count += !run->at_end;
    }
}

/* Empties the slot. */
static Status write_slot(Run *run, Slot *slot, Error *err)
{
    const Pipeline *p = run->pipeline;
    Status status = STATUS_OK;
    int count = slot->count;

    slot->count = 0;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = slot->faults[i].status;
        if (status != STATUS_OK)
            *err = slot->faults[i];
        else
            status = p->write(run->context, item_at(run, slot, i), err);
    }
    return status == STATUS_OK && count > 0 && p->after ? p->after(run->context, err) : status;
}

static Status run_batches(Run *run, ThreadPool *pool, Error *err)
{
    Status status = STATUS_OK;

    read_slot(run, run->now);
    while (status == STATUS_OK && (run->now->count > 0 || run->before->count > 0)) {
        Slot *written = run->before;
        atomic_store_explicit(&run->taken, 0, memory_order_relaxed);
        if (pool) thread_pool_start(pool, work_on_items, run);
        status = write_slot(run, written, err);
        if (status == STATUS_OK) read_slot(run, run->next);
        work_on_items(run, 0);
        if (pool) thread_pool_wait(pool);
        run->before = run->now;
        run->now = run->next;
        run->next = written;
    }
    if (status == STATUS_OK && run->end.status != STATUS_OK) *err = run->end;
    return status == STATUS_OK ? run->end.status : status;
}

Status pipeline_run(const Pipeline *pipeline, void *context, int threads, Error *err)
{
    Run run = {.pipeline = pipeline, .context = context};
    const size_t batch = (size_t)pipeline->batch;
    Status status = STATUS_OK;

    run.before = &run.slots[0];
    run.now = &run.slots[1];
    run.next = &run.slots[2];
    for (int s = 0; s < SLOTS && status == STATUS_OK; s++) {
        run.slots[s].items = calloc(batch, pipeline->size);
        run.slots[s].faults = calloc(batch, sizeof *run.slots[s].faults);
        if (!run.slots[s].items || !run.slots[s].faults)
            status = error_set(err, STATUS_FAILED, "out of memory for a batch");
    }
    ThreadPool *pool =
        threads > 1 && status == STATUS_OK ? thread_pool_create(threads - 1, err) : NULL;
    if (status == STATUS_OK && threads > 1 && !pool) status = err->status;
    if (status == STATUS_OK) status = run_batches(&run, pool, err);
    thread_pool_destroy(pool);
    for (int s = 0; s < SLOTS; s++) {
        for (size_t i = 0; run.slots[s].items && i < batch; i++)
            pipeline->release(item_at(&run, &run.slots[s], (int)i));
        free(run.slots[s].items);
        free(run.slots[s].faults);
    }
    return status;
}
