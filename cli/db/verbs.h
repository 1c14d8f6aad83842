/* SPDX-License-Identifier: MIT
 * The verbs of `tabia db`: one function each, one file a subject; cmd_db.c has their table.
 *
 * Verbs that move games are pipelines. A source gives games one after another, a filter drops games
 * or positions, a pick selects or orders them, a sink writes them. Each stage is library code; a
 * verb connects them, shows progress and prints the counts.
 *
 *             source               filter                     pick               sink
 *     export  stored_games.h       runs, position_filter.h    all                a format
 *     import  a format             finished, without damage   the missing games  import.h
 *     merge   a database           checked                    the missing games  merge.h
 *     split   a database           -                          game_pick.h        new databases
 *     sample  a database           -                          game_pick.h        a new database
 *     dedup   a database           -                          game_pick.h        a new database
 *     rescore a database           new scores                 the missing games  rescore.h
 *     shuffle a list of positions  blank lines and comments   shuffle.h          the same format
 *
 * Formats (formats.h) are sources and sinks: a GameSource gives the games of a file, and
 * game_format_write() writes an ExportGame. A stage that chooses positions works on that
 * ExportGame, between stored_game_replay() and game_format_write(). */
#ifndef TABIA_CLI_DB_VERBS_H
#define TABIA_CLI_DB_VERBS_H

#include "cli/options/options.h"
#include "selfplay/formats/formats.h"

/* Numbers of runs. */
typedef struct DbRuns {
    int64_t first, last; /* last 0: not given */
} DbRuns;

/* The options of all verbs. */
typedef struct DbOptions {
    CommonOptions common;
    const char *format; /* of output, export or import; NULL: the verb's default */
    bool header, write; /* sql */
    bool mixed;         /* merge */
    const char *games;  /* split, sample: "N" or "N,N,…" */
    const char *fractions;
    int64_t positions;      /* sample */
    bool report;            /* dedup */
    bool keep_going;        /* import */
    bool moves;             /* digest */
    const char *filter;     /* export */
    const char *pgn_fields; /* export */
    DbRuns runs;            /* export */
    bool force;             /* export, shuffle */
    /* rescore */
    const char *weights, *engine, *tb;
    int64_t nodes; /* 0: not given */
} DbOptions;

/* arguments[0] is the database; as many arguments as the table allows, then NULL. */
typedef Status (*DbVerbFn)(const DbOptions *options, const char **arguments, Error *err);

/* STATUS_USAGE if a regular file has this name, for verbs without --force; "-" is not a file.
 * Devices and pipes are written to. */
MUST_CHECK Status db_refuse_existing(const char *path, Error *err);

/* By --format or the ending of the file's name; PGN for standard output. NULL and STATUS_USAGE. */
const GameFormat *db_choose_format(const DbOptions *options, const char *path, bool reading,
                                   Error *err);

Status db_verb_info(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_card(const DbOptions *options, const char **arguments, Error *err);
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
Status db_verb_rescore(const DbOptions *options, const char **arguments, Error *err);
Status db_verb_shuffle(const DbOptions *options, const char **arguments, Error *err);

#endif
