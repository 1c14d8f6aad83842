/* SPDX-License-Identifier: MIT
 * What tabia-engine uses of POSIX and C11 where mingw-w64, for Windows, lacks it. */
#ifndef TABIA_ENGINE_BASE_POSIX_H
#define TABIA_ENGINE_BASE_POSIX_H

#ifdef _WIN32

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/types.h>

#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define free_aligned                   _aligned_free
#define flockfile                      _lock_file
#define funlockfile                    _unlock_file

enum { O_CLOEXEC = _O_NOINHERIT, O_NONBLOCK = 0 };

ssize_t getline(char **line, size_t *room, FILE *in);
/* Always binary, in any mode of `fd`. */
ssize_t pread(int fd, void *bytes, size_t size, off_t at);

#else

#define free_aligned free /* what aligned_alloc() returned */

#endif

#endif
