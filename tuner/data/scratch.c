/* SPDX-License-Identifier: MIT
 * Arrays in unlinked, memory-mapped files. */
#include "tuner/data/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/system.h"

/* Stands before each block of a file. */
typedef struct BlockHeader {
    size_t mapped; /* bytes, this included */
    int fd;
} BlockHeader;

enum { HEADER_BYTES = 64 };
_Static_assert(sizeof(BlockHeader) <= HEADER_BYTES, "the block stays aligned");

static int open_file(const char *dir)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/tabia-scratch-XXXXXX", dir);

    if (n < 0 || n >= (int)sizeof path) return -1;
    int fd = mkstemp(path);
    if (fd >= 0) (void)unlink(path);
    return fd;
}

Status scratch_check(const char *dir, Error *err)
{
    if (!*dir) return error_set(err, STATUS_USAGE, "no folder is named");

    int fd = open_file(dir);
    if (fd < 0)
        return error_set(err, STATUS_FAILED, "%s: cannot create scratch files there: %s", dir,
                         strerror(errno));
    (void)close(fd);
    return STATUS_OK;
}

/* Reserves the disk space at once: on a full disk a later write would kill the process. */
static BlockHeader *map_file(int fd, size_t bytes)
{
    int full = system_reserve(fd, (off_t)bytes);
    if (full != 0) {
        errno = full;
        return NULL;
    }
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) return NULL;
    BlockHeader *header = at;
    *header = (BlockHeader){bytes, fd};
    return header;
}

static BlockHeader *header_of(void *block)
{
    return (BlockHeader *)(void *)((char *)block - HEADER_BYTES);
}

void *scratch_resize(const char *dir, void *block, size_t bytes)
{
    if (!dir) return realloc(block, bytes ? bytes : 1);
    BlockHeader old = block ? *header_of(block) : (BlockHeader){0, -1};
    int fd = block ? old.fd : open_file(dir);
    if (fd < 0) return NULL;
    BlockHeader *header = map_file(fd, bytes + HEADER_BYTES);
    if (!header) {
        int cause = errno;
        if (!block) (void)close(fd);
        errno = cause;
        return NULL;
    }
    if (block) (void)munmap(header_of(block), old.mapped);
    if (old.mapped > header->mapped && ftruncate(fd, (off_t)header->mapped) != 0) {
        /* The disk space stays reserved; nothing else is wrong. */
    }
    return (char *)header + HEADER_BYTES;
}

Status scratch_error(const char *dir, const char *what, Error *err)
{
    if (!dir) return error_set(err, STATUS_FAILED, "out of memory for %s", what);
    return error_set(err, STATUS_FAILED, "%s: no room for %s: %s", dir, what, strerror(errno));
}

void scratch_free(const char *dir, void *block)
{
    if (!dir) {
        free(block);
    } else if (block) {
        BlockHeader header = *header_of(block);
        (void)munmap(header_of(block), header.mapped);
        (void)close(header.fd);
    }
}
