/* SPDX-License-Identifier: MIT
 * Batches in three stages. */
#include "db/files/pipeline.h"

#include <stdatomic.h>

#include "engine/base/thread_pool.h"

typedef struct Run {
    const Pipeline *pipeline;
    void *context;
    int items[PIPELINE_SLOTS]; /* 0: the slot is empty */
    int before, now, next;     /* slots */
    atomic_int taken;          /* items of the slot `now` */
    Error ended;               /* of reading */
} Run;

static void work_on_items(void *context, int thread)
{
    Run *run = context;
    int item;

    (void)thread;
    while ((item = atomic_fetch_add_explicit(&run->taken, 1, memory_order_relaxed)) <
           run->items[run->now])
        run->pipeline->work(run->context, run->now, item);
}

static void read_slot(Run *run, int slot)
{
    Status status = run->pipeline->read(run->context, slot, &run->items[slot], &run->ended);

    run->ended.status = status;
    if (status != STATUS_OK) run->items[slot] = 0;
}

/* Writes the batch before, if there is one, and reads the next unless the end was reached. */
static Status exchange_batches(Run *run, Error *err)
{
    Status status = STATUS_OK;

    if (run->items[run->before] > 0) status = run->pipeline->write(run->context, run->before, err);
    run->items[run->before] = 0;
    if (status == STATUS_OK && run->items[run->now] > 0) read_slot(run, run->next);
    return status;
}

Status pipeline_run(const Pipeline *pipeline, void *context, int threads, Error *err)
{
    Run run = {.pipeline = pipeline, .context = context, .before = 2, .now = 0, .next = 1};
    ThreadPool *pool = threads > 1 ? thread_pool_create(threads - 1, err) : NULL;
    Status status = threads > 1 && !pool ? err->status : STATUS_OK;

    if (status == STATUS_OK) read_slot(&run, run.now);
    while (status == STATUS_OK && (run.items[run.now] > 0 || run.items[run.before] > 0)) {
        int free_slot = run.before;
        atomic_store_explicit(&run.taken, 0, memory_order_relaxed);
        if (pool) thread_pool_start(pool, work_on_items, &run);
        status = exchange_batches(&run, err);
        work_on_items(&run, 0);
        if (pool) thread_pool_wait(pool);
        run.before = run.now;
        run.now = run.next;
        run.next = free_slot;
    }
    thread_pool_destroy(pool);
    if (status == STATUS_OK && run.ended.status != STATUS_OK) *err = run.ended;
    return status == STATUS_OK ? run.ended.status : status;
}
