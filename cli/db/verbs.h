/* SPDX-License-Identifier: MIT
 * The verbs of `tabia db`: one function each, one file a subject; cmd_db.c has their table. */
#ifndef TABIA_CLI_DB_VERBS_H
#define TABIA_CLI_DB_VERBS_H

#include "cli/options/options.h"

/* The options of all verbs. */
typedef struct DbOptions {
    CommonOptions common;
    const char *format; /* of output, export or import; NULL: the verb's default */
    bool header, write; /* sql */
    bool mixed;         /* merge */
    const char *games;  /* split, sample: "N" or "N,N,…" */
    const char *fractions;
    int64_t positions;           /* sample */
    bool report;                 /* dedup */
    bool keep_going;             /* import */
    bool moves;                  /* digest */
    const char *filter;          /* export */
    const char *pgn_fields;      /* export */
    int64_t first_run, last_run; /* export; last 0: not given */
    bool force;                  /* export, shuffle */
} DbOptions;

/* arguments[0] is the database; as many arguments as the table allows, then NULL. */
typedef Status (*DbVerbFn)(const DbOptions *options, const char **arguments, Error *err);

/* STATUS_USAGE if a regular file has this name, for verbs without --force; "-" is no file. Devices
 * and pipes are written to. */
MUST_CHECK Status db_refuse_existing(const char *path, Error *err);

Status db_verb_info(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_check(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_digest(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_materialize(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_sql(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_merge(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_export(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_import(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_upgrade(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_split(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_sample(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_dedup(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_vacuum(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_shuffle(const DbOptions *options, const char **arguments, Error *err);

#endif
