/* SPDX-License-Identifier: MIT
 * How functions report that the world (a file, a FEN, a database, an external engine) let them
 * down. */
#ifndef TABIA_ENGINE_BASE_STATUS_H
#define TABIA_ENGINE_BASE_STATUS_H

/* The values are the documented exit codes of the program. */
typedef enum Status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,       /* the job failed, or what was measured came out false */
    STATUS_USAGE = 2,        /* unknown option, impossible combination of options */
    STATUS_BAD_INPUT = 3,    /* malformed or missing FEN, EPD, PGN, INI or weights file */
    STATUS_DATABASE = 4,     /* SQLite error, foreign database, newer schema, full disk */
    STATUS_ENGINE = 5,       /* an external engine misbehaved */
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

/* The human side of a failure: one clear sentence without a trailing newline or full stop's worth
 * of jargon, naming the file, the line and the cause. Caller storage; zero-initialise with `{0}`.
 */
typedef struct Error {
    Status status;
    char text[ERROR_TEXT_MAX];
} Error;

/* Sets err (which may be NULL) and returns `status`, so that `return error_set(err, …)` reads well.
 * Text that does not fit is cut, never overrun; control characters, as quoted input may have them,
 * become question marks, so that it is one line. */
Status error_set(Error *err, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* Puts "<formatted>: " before the text already in err (which may be NULL); returns err's status,
 * or STATUS_FAILED when err is NULL. For adding a file name and line to a parser's sentence. */
Status error_prefix(Error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
