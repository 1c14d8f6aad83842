/* SPDX-License-Identifier: MIT
 * `tabia db`: its verbs, a row each, and their options. */
#include <string.h>

#include "cli/commands/command.h"
#include "cli/db/verbs.h"
#include "cli/play/player_spec.h"
#include "engine/eval/evaluation_load.h"
#include "engine/values/value.h"

typedef struct DbVerb {
    OptionVerb verb;
    DbVerbFn run;
} DbVerb;

static const DbVerb verbs[] = {
    {{"info", "FILE", 1, 1,
      .summary = "runs, generations, games, results, lengths, phases, scores"},
     db_verb_info},
    {{"card", "FILE", 1, 1,
      .summary =
          "a page in Markdown about the games as a data set: how they were made, digests, distributions"},
     db_verb_card},
    {{"check", "FILE", 1, 1,
      .summary =
          "checks the file, every move, every result against the final position, and readable positions against the moves",
      .description = "Exit code 1 is a contradiction, 4 a damaged file."},
     db_verb_check},
    {{"digest", "FILE", 1, 1, .options = "moves",
      .summary =
          "SHA-256 of the games with their numbers in their runs, independent of machine and order of storing"},
     db_verb_digest},
    {{"sql", "FILE [\"SELECT ...\"]", 1, 2, " [--format NAME]", .options = "format header write",
      .summary = "prints the result of a query, or of those on standard input",
      .description =
          "Queries have the functions of tabia_sqlite: tabia_positions, tabia_find, tabia_tree, san, eval."},
     db_verb_sql},
    {{"materialize", "FILE", 1, 1,
      .summary = "writes the readable positions of games that lack them"},
     db_verb_materialize},
    {{"merge", "INTO FROM...", 2, 1 << 20, .options = "mixed",
      .summary = "adds the games that INTO lacks; a repetition adds nothing",
      .description = "INTO is created when absent."},
     db_verb_merge},
    {{"split", "FILE OUT OUT...", 3, 1000, " [--fractions X,Y... | --games N,N...]",
      .options = "fractions games",
      .summary = "new files of the games of FILE, chosen by their moves",
      .description = "Copies of a game, and later ones, go to the same part. "
                     "With --games, --seed chooses other games."},
     db_verb_split},
    {{"sample", "FILE OUT", 2, 2, " --games N | --positions N", .options = "games positions",
      .summary = "a new file of some of the games; --seed chooses others"},
     db_verb_sample},
    {{"dedup", "FILE OUT", 1, 2, ", or dedup FILE --report", .options = "report",
      .summary =
          "a new file without duplicate games, compared move by move; with --report it only counts duplicate games and positions"},
     db_verb_dedup},
    {{"rescore", "FILE OUT", 2, 2,
      " --weights W | --engine cmd=PROGRAM,... [--nodes N] [--tb PATHS]",
      .options = "weights engine nodes tb",
      .summary = "adds the games of FILE to OUT with the scores of new searches",
      .description =
          "OUT is created when absent. After Ctrl-C or a kill the same command continues. "
          "With --weights OUT is the same at any number of threads."},
     db_verb_rescore},
    {{"export", "FILE TO", 2, 2, " [--format NAME]",
      .options = "format filter runs pgn-fields force",
      .summary = "writes all games in the format of TO's name, a new file",
      .description =
          "TO may end in .zst, or be - for standard output. "
          "Of a damaged database the games are written that can be read; the exit code is then 1."},
     db_verb_export},
    {{"import", "FILE FROM...", 2, 1 << 20, " [--format NAME]", .options = "format keep-going",
      .summary =
          "adds the games of files, of each all or none; a repetition adds only the missing ones"},
     db_verb_import},
    {{"shuffle", "FILE TO", 2, 2, " [--seed N]", .options = "format force",
      .summary = "the positions of an exported file (epd, plain, bullet) in random order",
      .description = "TO may end in .zst, or be - for standard output. "
                     "It needs memory for a 256th of the positions."},
     db_verb_shuffle},
    {{"vacuum", "FILE", 1, 1, .summary = "rewrites the file without unused space"}, db_verb_vacuum},
    {{"upgrade", "FILE", 1, 1, .summary = "converts a file of an older version, all or nothing",
      .description = "Other commands that write do the same."},
     db_verb_upgrade},
    {{0}},
};

/* --runs, which are counted from 1. */
static Status parse_runs(void *target, const char *text, Error *err)
{
    DbRuns *runs = target;

    if (value_parse_range(text, &runs->first, &runs->last) && runs->first > 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "\"%s\" is not A-B", text);
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const DbOptions *o = command;
    const DbVerbFn verb = verbs[options_verb(parser)].run;
    bool otherwise = options_typed(parser, "format") && strcmp(o->format, "json") != 0;

    if (verb == db_verb_sql && o->common.json && (otherwise || options_typed(parser, "header")))
        return error_set(err, STATUS_USAGE, "--json does not go with --%s",
                         otherwise ? "format" : "header");
    return verb(o, options_arguments(parser, NULL), err);
}

static const char description[] = "Works on databases of games.\n";

static const char epilogue[] =
    "Examples:\n"
    "  tabia db merge all.db games.db part2.db\n"
    "  tabia db sql all.db \"SELECT reason, count(*) FROM results\n"
    "      GROUP BY reason\"\n"
    "  tabia db sql all.db \"SELECT ply, avg(score) FROM games\n"
    "      JOIN tabia_positions USING (game_id)\n"
    "      WHERE result = 0 AND abs(score) < 30000 GROUP BY ply\" --format table\n"
    "  tabia db split all.db train.db test.db --fractions .9,.1\n"
    "  tabia db export all.db games.pgn.zst\n"
    "  tabia db export all.db positions.epd.zst --filter min-ply=16,max-score=3000\n"
    "  tabia db import theirs.db games.pgn.zst";

static const Setting options[] = {
    {"format", FIELD(DbOptions, format), "NAME",
     "export, import, shuffle: pgn, epd, plain, bullet, viri, binpack or csv, if the file's name does not say it; sql: list (the default), table, csv or json"},
    {"filter", FIELD(DbOptions, filter), "KEY=X,...",
     "export: only positions that tabia tune takes (tune), none of matches, or the same with other values of min-ply=, max-score=, checks= ...: docs/formats.md"},
    {"runs", FIELD(DbOptions, runs), "A-B",
     "export: numbers of the runs to write (default: all; with --filter all but matches)",
     .parse = parse_runs},
    {"pgn-fields", FIELD(DbOptions, pgn_fields), "LIST",
     "export to PGN: more comments on each move: nps, timeleft, eval ([%eval]), clk ([%clk]); or min: moves and result alone"},
    {"force", FIELD(DbOptions, force), NULL, "export, shuffle: replace the file TO if it exists"},
    {"keep-going", FIELD(DbOptions, keep_going), NULL,
     "import: leave out damaged games and count them"},
    {"moves", FIELD(DbOptions, moves), NULL,
     "digest: of starts, moves, scores and results alone, which exports and imports keep"},
    {"header", FIELD(DbOptions, header), NULL, "sql: lists begin with the column names"},
    {"write", FIELD(DbOptions, write), NULL, "sql: statements may change the database"},
    {"mixed", FIELD(DbOptions, mixed), NULL,
     "merge: also self-play of the same seed with other settings"},
    {"fractions", FIELD(DbOptions, fractions), "X,Y...",
     "split: shares of the parts, relative to each other (default: equal)", .not_with = "games"},
    {"games", FIELD(DbOptions, games), "N[,N...]",
     "split: games of each part, without the last number the last part gets the rest; sample: number of games",
     .not_with = "fractions positions"},
    {"positions", FIELD(DbOptions, positions), "N",
     "sample: whole games until they have this many positions", 1, 1e12, .not_with = "games"},
    {"report", FIELD(DbOptions, report), NULL, "dedup: only count"},
    {"weights", FIELD(DbOptions, weights), "W",
     "rescore: weights of the search: builtin, network, ... or a file", .words = EVALUATION_NAMES,
     .not_with = "engine"},
    {"engine", FIELD(DbOptions, engine), "KEY=X,...",
     "rescore: program that searches, with keys as in tabia gauntlet --engine", .keys = player_keys,
     .not_with = "weights"},
    {"nodes", FIELD(DbOptions, nodes), "N",
     "rescore: nodes of the search of a position (default: 5000)", 1, 1e15},
    {"tb", FIELD(DbOptions, tb), "PATHS",
     "rescore: Syzygy files, folders separated by colons: positions in them get their result"},
    {FIELD(DbOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "db",
    .synopsis = "VERB FILE [ARGUMENTS] [options]",
    .description = description,
    .settings = options,
    .verbs = &verbs->verb,
    .verb_size = sizeof *verbs,
    .epilogue = epilogue,
};

bool db_has_verb(const char *name)
{
    return options_has_verb(&spec, name);
}

Status cmd_db(int argc, char **argv, Error *err)
{
    DbOptions o = {0};

    return options_run(&spec, argc, argv, run, &o, err);
}
