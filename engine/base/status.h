/* SPDX-License-Identifier: MIT
 * How functions report failures outside the program: files, FENs, databases, external engines. */
#ifndef TABIA_ENGINE_BASE_STATUS_H
#define TABIA_ENGINE_BASE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

/* The values are the documented exit codes of the program. */
typedef enum Status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,       /* the job failed, or a check did not hold */
    STATUS_USAGE = 2,        /* unknown option, impossible combination of options */
    STATUS_BAD_INPUT = 3,    /* malformed or missing FEN, EPD, PGN, INI or weights file */
    STATUS_DATABASE = 4,     /* SQLite error, foreign database, newer schema, full disk */
    STATUS_ENGINE = 5,       /* an external engine failed */
    STATUS_INTERRUPTED = 130 /* Ctrl-C; the run can be resumed */
} Status;

#if defined(__GNUC__)
#define MUST_CHECK        __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define MUST_CHECK
#define PRINTF_LIKE(f, a)
#endif

enum { ERROR_TEXT_MAX = 1024 };

/* One sentence for the user, without a newline: the file, the line and the cause. Caller storage;
 * zero-initialise with `{0}`. A parameter `Error *err` is never NULL: a caller that does not need
 * the sentence passes &(Error){0}. Where a function returns NULL, err->status says why. */
typedef struct Error {
    Status status;
    bool damage; /* the contents of a database are damaged; a retry does not help */
    char text[ERROR_TEXT_MAX];
} Error;

/* Sets *err and returns `status`. Text that does not fit is cut. Control characters of quoted input
 * become question marks, so that the text is one line. */
Status error_set(Error *err, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same where a pointer is returned: NULL. */
#define ERROR_NULL(...) ((void)error_set(__VA_ARGS__), NULL)

/* Puts "<formatted>: " before the text of *err, such as a file name and line before the sentence of
 * a parser. Returns the status of *err. */
Status error_prefix(Error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* What is wrong in a file that is read to its end all the same: how often, and the first. */
typedef struct FaultCount {
    int64_t count;
    Error first;
} FaultCount;

/* Counts `count` more, of which *first is the first. */
void fault_count_add(FaultCount *faults, int64_t count, const Error *first);

#endif
