/* SPDX-License-Identifier: MIT
 * For LD_PRELOAD, with glibc: the allocation number FAIL_MALLOC of a process fails, or with
 * FAIL_MALLOC=N+ each from number N on. With FAIL_MALLOC=0 their count is printed at the exit. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long allocations;

static bool fails(void)
{
    const char *wanted = getenv("FAIL_MALLOC");
    char *end;
    long number = atomic_fetch_add(&allocations, 1) + 1,
         first = wanted ? strtol(wanted, &end, 10) : 0;

    if (first <= 0 || number < first || (number > first && *end != '+')) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

__attribute__((destructor)) static void print_count(void)
{
    const char *wanted = getenv("FAIL_MALLOC");
    if (wanted && strtol(wanted, NULL, 10) == 0)
        (void)fprintf(stderr, "%ld\n", atomic_load(&allocations));
}
