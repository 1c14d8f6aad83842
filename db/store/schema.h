/* SPDX-License-Identifier: MIT
 * The schema (schema.sql): creating, recognising and upgrading it. */
#ifndef TABIA_DB_STORE_SCHEMA_H
#define TABIA_DB_STORE_SCHEMA_H

#include "db/store/connection.h"

enum { STORE_APPLICATION_ID = 0x54414249 /* "TABI" */, STORE_SCHEMA_VERSION = 5 };

/* What a file is, before SQLite opens it. Opening another program's database with SQLite could
 * replay, roll back or checkpoint its journal or WAL; reading the header ourselves cannot. */
typedef enum FileKind {
    FILE_ABSENT,
    FILE_EMPTY,  /* no bytes, or SQLite's header without tables: may become ours */
    FILE_OURS,   /* has our application_id */
    FILE_FOREIGN /* anything else, named in the Error */
} FileKind;

/* Sets err for FILE_FOREIGN alone. */
FileKind schema_identify_file(const char *path, Error *err);

/* Creates the schema in one transaction, unless another process has already done so: a crash leaves
 * an empty file or the whole schema. Refuses a database with tables of another program. */
MUST_CHECK Status schema_create(Store *store, Error *err);

/* Checks application_id and user_version through SQLite; upgrades an older version. Refuses a
 * database whose tables and views, with their columns and constraints, are not those of schema.sql,
 * or which has others or triggers. More indexes of columns, which are not UNIQUE, and SQLite's
 * statistics are allowed. */
MUST_CHECK Status schema_verify(Store *store, Error *err);

/* Upgrades the database to version `target` in one transaction; steps[v] is the SQL from version v
 * to v + 1, NULL where none exists. Foreign keys are not enforced during the steps, so that a step
 * may rebuild tables, and are checked at the end. Being at `target` already is no error. */
MUST_CHECK Status schema_upgrade(Store *store, const char *const *steps, int target, Error *err);

#endif
