/* SPDX-License-Identifier: MIT
 * A disk that fails: SQLite's own file system with a fault at a chosen moment. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_FAULTS_H
#define TABIA_TESTS_SUPPORT_SUPPORT_FAULTS_H

/* Makes the failing file system the default of this process. */
void faults_install(void);

/* From change number `countdown` on (from 0), every change of a file fails with `code`: SQLITE_FULL
 * or a kind of SQLITE_IOERR. Changes are writes, growing, truncation, syncs and shared memory. */
void faults_begin(long countdown, int code);

/* Ends the faults; returns the number of changes since faults_begin(). */
long faults_end(void);

#endif
