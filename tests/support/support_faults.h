/* SPDX-License-Identifier: MIT
 * A disk that fails: SQLite's own file system with a fault at a chosen moment. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_FAULTS_H
#define TABIA_TESTS_SUPPORT_SUPPORT_FAULTS_H

/* Puts the failing file system before SQLite's own, for this process. */
void faults_install(void);

/* From the countdown-th change of a file on (writing, growing, cutting, syncing, sharing; counted
 * from 0), every one fails with `code`: SQLITE_FULL, or a kind of SQLITE_IOERR. */
void faults_begin(long countdown, int code);

/* All is well again; returns how many changes there were since faults_begin(). */
long faults_end(void);

#endif
