/* SPDX-License-Identifier: MIT
 * What every unit test program needs: running a suite, finding test data, temporary folders. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_H
#define TABIA_TESTS_SUPPORT_SUPPORT_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

/* Check would write to a file for each assertion that holds, to say after which one a test crashed:
 * most of the time of tests that have many. */
#define _mark_point(file, line) ((void)0)

/* 1 in a build with sanitizers, where tests that only repeat themselves do so less often. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Adds tests to a TCase. */
#define ADD_TESTS(tests, ...) support_add_tests(tests, (const TTest *const[]){__VA_ARGS__, NULL})
void support_add_tests(TCase *tests, const TTest *const *list); /* ended by NULL */

/* Calls bitboard_init(), runs the tests, prints Check's summary; returns the exit code. No OpenMP
 * region may run before this in the parent: Check forks. */
int support_run(TCase *tests);

/* Path of a file below the shared test data ($TABIA_DATA, else ../shared/data beside the source),
 * in a static buffer; NULL, with a line on standard error, where the data is absent: the test then
 * returns early. */
const char *support_data(const char *relative);

/* A fresh directory below $TMPDIR (or /tmp), removed with its contents when the suite has run;
 * static buffer. */
const char *support_temp_dir(void);

/* The path of a file in such a directory; static buffer. */
const char *support_temp_path(const char *name);

/* Reads a whole file into a malloc'ed NUL-terminated string, or fails the test. */
char *support_read_file(const char *path);
void support_write_file(const char *path, const char *text);

#endif
