/* SPDX-License-Identifier: MIT
 * `tabia db`: its verbs and options. */
#include <assert.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/db/verbs.h"
#include "engine/values/value.h"

static const OptionVerb verbs[] = {
    {"info", "FILE", 1, 1},
    {"check", "FILE", 1, 1},
    {"digest", "FILE", 1, 1},
    {"materialize", "FILE", 1, 1},
    {"sql", "FILE [\"SELECT ...\"] [--format NAME]", 1, 2},
    {"merge", "INTO FROM...", 2, 1 << 20},
    {"export", "FILE TO [--format NAME]", 2, 2},
    {"import", "FILE FROM [--format NAME]", 2, 2},
    {"split", "FILE OUT OUT... [--fractions X,Y... | --games N,N...]", 3, 1000},
    {"sample", "FILE OUT --games N | --positions N", 2, 2},
    {"dedup", "FILE OUT, or dedup FILE --report", 1, 2},
    {"shuffle", "FILE TO [--seed N]", 2, 2},
    {"vacuum", "FILE", 1, 1},
    {"upgrade", "FILE", 1, 1},
    {0},
};

/* In the same order. */
static const DbVerbFn verb_functions[] = {
    db_verb_info,  db_verb_check,   db_verb_digest, db_verb_materialize, db_verb_sql,
    db_verb_merge, db_verb_export,  db_verb_import, db_verb_split,       db_verb_sample,
    db_verb_dedup, db_verb_shuffle, db_verb_vacuum, db_verb_upgrade,
};
static_assert(sizeof verbs / sizeof *verbs == sizeof verb_functions / sizeof *verb_functions + 1,
              "a function for each verb");

/* --runs, which are counted from 1; target: DbOptions. */
static Status parse_runs(void *target, const char *text, Error *err)
{
    DbOptions *o = target;

    if (value_parse_range(text, &o->first_run, &o->last_run) && o->first_run > 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "\"%s\" is not A-B", text);
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const DbOptions *o = command;
    bool otherwise = options_typed(parser, "format") && strcmp(o->format, "json") != 0;

    if (verb_functions[options_verb(parser)] == db_verb_sql && o->common.json &&
        (otherwise || options_typed(parser, "header")))
        return error_set(err, STATUS_USAGE, "--json does not go with --%s",
                         otherwise ? "format" : "header");
    return verb_functions[options_verb(parser)](command, options_arguments(parser, NULL), err);
}

static const char description[] =
    "Works on databases of games. INTO is created when absent. TO may end in .zst, or be - for\n"
    "standard output.\n"
    "\n"
    "  info FILE              runs, generations, games, results, lengths, phases, scores\n"
    "  check FILE             checks the file, every move, every result against the final\n"
    "                         position, and readable positions against the moves; exit code\n"
    "                         1 for a contradiction, 4 for a damaged file\n"
    "  digest FILE            SHA-256 of the games with their numbers in their runs,\n"
    "                         independent of machine and order of storing\n"
    "  sql FILE [\"SELECT …\"]  prints the result of a query, or of those on standard input;\n"
    "                         with the functions tabia_positions, san, eval of tabia_sqlite\n"
    "  materialize FILE       writes the readable positions of games that lack them\n"
    "  merge INTO FROM…       adds the games that INTO lacks; a repetition adds nothing\n"
    "  split FILE OUT OUT…    new files of the games of FILE, chosen by their moves: copies\n"
    "                         of a game, and later ones, go to the same part; with --games,\n"
    "                         --seed chooses others\n"
    "  sample FILE OUT        a new file of some of the games; --seed chooses others\n"
    "  dedup FILE OUT         a new file without duplicate games, compared move by move; with\n"
    "                         --report it only counts duplicate games and positions\n"
    "  export FILE TO         writes all games in the format of TO's name, a new file; of a\n"
    "                         damaged database those that can be read (exit code 1)\n"
    "  import FILE FROM       adds the games of a file, all or none; a repetition adds only\n"
    "                         the missing ones\n"
    "  shuffle FILE TO        the positions of an exported file (epd, plain, bullet) in random\n"
    "                         order; needs memory for a 256th of them\n"
    "  vacuum FILE            rewrites the file without unused space\n"
    "  upgrade FILE           converts a file of an older version, all or nothing; other\n"
    "                         commands that write do the same";

static const char epilogue[] =
    "Examples:\n"
    "  tabia db merge all.db games.db part2.db\n"
    "  tabia db sql all.db \"SELECT reason, count(*) FROM results GROUP BY reason\"\n"
    "  tabia db sql all.db \"SELECT ply, avg(score) FROM games JOIN tabia_positions\n"
    "                       USING (game_id) WHERE result = 0 GROUP BY ply\" --format table\n"
    "  tabia db split all.db train.db test.db --fractions .9,.1\n"
    "  tabia db export all.db games.pgn.zst\n"
    "  tabia db export all.db positions.epd.zst --filter min-ply=16,max-score=3000\n"
    "  tabia db import theirs.db games.pgn.zst";

Status cmd_db(int argc, char **argv, Error *err)
{
    DbOptions options = {0};
    const Option table[] = {
        {"format", OPTION_STRING, &options.format, "NAME",
         "export, import, shuffle: pgn, epd, plain, bullet, viri or binpack, if the file's name "
         "does not "
         "say "
         "it; sql: list (the default), table, csv or json",
         .verbs = "sql export import shuffle"},
        {"filter", OPTION_STRING, &options.filter, "KEY=X,...",
         "export: only positions that tabia tune takes (tune), none of matches, or the same with "
         "other values of min-ply=, max-score=, checks= ...: docs/formats.md",
         .verbs = "export"},
        {"runs", OPTION_CUSTOM, &options, "A-B",
         "export: numbers of the runs to write (default: all; with --filter all but matches)",
         .parse = parse_runs, .verbs = "export"},
        {"pgn-fields", OPTION_STRING, &options.pgn_fields, "LIST",
         "export to PGN: more comments on each move: nps, timeleft, eval ([%eval]), clk ([%clk]); "
         "or min: moves and result alone",
         .verbs = "export"},
        {"force", OPTION_FLAG, &options.force, NULL,
         "export, shuffle: replace the file TO if it exists", .verbs = "export shuffle"},
        {"keep-going", OPTION_FLAG, &options.keep_going, NULL,
         "import: leave out damaged games and count them", .verbs = "import"},
        {"moves", OPTION_FLAG, &options.moves, NULL,
         "digest: of starts, moves, scores and results alone, which exports and imports keep",
         .verbs = "digest"},
        {"header", OPTION_FLAG, &options.header, NULL, "sql: lists begin with the column names",
         .verbs = "sql"},
        {"write", OPTION_FLAG, &options.write, NULL, "sql: statements may change the database",
         .verbs = "sql"},
        {"mixed", OPTION_FLAG, &options.mixed, NULL,
         "merge: also self-play of the same seed with other settings", .verbs = "merge"},
        {"fractions", OPTION_STRING, &options.fractions, "X,Y...",
         "split: shares of the parts, relative to each other (default: equal)", .verbs = "split",
         .not_with = "games"},
        {"games", OPTION_STRING, &options.games, "N[,N...]",
         "split: games of each part, without the last number the last part gets the rest; sample: "
         "number of games",
         .verbs = "split sample", .not_with = "fractions positions"},
        {"positions", OPTION_INT64, &options.positions, "N",
         "sample: whole games until they have this many positions", 1, 1e12, .verbs = "sample",
         .not_with = "games"},
        {"report", OPTION_FLAG, &options.report, NULL, "dedup: only count", .verbs = "dedup"},
        {0},
    };
    const OptionSpec spec = {
        .command = "db",
        .sections = command_names,
        .synopsis = "VERB FILE [ARGUMENTS] [options]",
        .description = description,
        .options = table,
        .common = &options.common,
        .verbs = verbs,
        .epilogue = epilogue,
    };

    return options_run(&spec, argc, argv, run, &options, err);
}
