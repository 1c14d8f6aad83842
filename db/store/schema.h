/* SPDX-License-Identifier: MIT
 * The schema (schema.sql): making it, recognising it, bringing older ones up to date. */
#ifndef TABIA_DB_STORE_SCHEMA_H
#define TABIA_DB_STORE_SCHEMA_H

#include "db/store/connection.h"

enum { STORE_APPLICATION_ID = 0x54414249 /* "TABI" */, STORE_SCHEMA_VERSION = 2 };

/* What a file looks like before SQLite is let near it. Reading the header ourselves guarantees that
 * nothing of somebody else's database (its journal, its WAL) is replayed, rolled back or
 * checkpointed by merely opening it. */
typedef enum FileKind {
    FILE_ABSENT,
    FILE_EMPTY,  /* no bytes, or SQLite's header without any table: may become ours */
    FILE_OURS,   /* carries our application_id */
    FILE_FOREIGN /* an Error says what it is instead */
} FileKind;

/* FILE_FOREIGN sets err. */
FileKind schema_identify_file(const char *path, Error *err);

/* Makes the schema in one transaction, unless the database has it already (somebody else may have
 * been faster): a crash leaves an empty file or a whole schema. Refuses a database that has tables
 * of another program. */
MUST_CHECK Status schema_create(Store *store, Error *err);

/* Checks application_id and user_version through SQLite; upgrades an older version when the store
 * was opened for writing. */
MUST_CHECK Status schema_verify(Store *store, Error *err);

/* Brings the database from its version to `target` in one transaction, steps[v] being the SQL that
 * leads from v to v + 1 (NULL: there is no way): all of it or nothing. Foreign keys rest meanwhile,
 * so that a step may rebuild tables, and must hold at the end. A version that is reached already is
 * no error. */
MUST_CHECK Status schema_upgrade(Store *store, const char *const *steps, int target, Error *err);

#endif
