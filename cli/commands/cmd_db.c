/* SPDX-License-Identifier: MIT
 * `tabia db`: looking at databases, proving them, joining them, and getting things out of them. */
#include <string.h>

#include "cli/commands/command.h"
#include "cli/db/verbs.h"
#include "cli/options/suggest.h"

typedef struct DbVerb {
    const char *name, *synopsis;
    int least, most; /* arguments after the verb */
    DbVerbFn run;
} DbVerb;

static const DbVerb verbs[] = {
    {"info", "info FILE", 1, 1, db_verb_info},
    {"check", "check FILE", 1, 1, db_verb_check},
    {"digest", "digest FILE", 1, 1, db_verb_digest},
    {"materialize", "materialize FILE", 1, 1, db_verb_materialize},
    {"sql", "sql FILE [\"SELECT …\"] [--format NAME]", 1, 2, db_verb_sql},
    {"merge", "merge INTO FROM…", 2, 1 << 20, db_verb_merge},
    {"export", "export FILE TO [--format NAME]", 2, 2, db_verb_export},
    {"import", "import FILE FROM [--format NAME]", 2, 2, db_verb_import},
    {"split", "split FILE OUT OUT… [--fractions X,Y… | --games N,N…]", 3, 1000, db_verb_split},
    {"sample", "sample FILE OUT --games N | --positions N", 2, 2, db_verb_sample},
    {"dedup", "dedup FILE OUT, or dedup FILE --report", 1, 2, db_verb_dedup},
    {"shuffle", "shuffle FILE TO [--seed N]", 2, 2, db_verb_shuffle},
    {"vacuum", "vacuum FILE", 1, 1, db_verb_vacuum},
    {"upgrade", "upgrade FILE", 1, 1, db_verb_upgrade},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static const DbVerb *find_verb(const char *name, Error *err)
{
    Suggestion s;

    suggest_begin(&s, name);
    for (int i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
        suggest_offer(&s, verbs[i].name);
    }
    (void)error_set(err, STATUS_USAGE, "unknown verb \"%s\"%s%s", name,
                    s.best ? "; did you mean " : "", s.best ? s.best : "");
    return NULL;
}

static Status run_verb(const DbOptions *options, const char **arguments, Error *err)
{
    int count = 0;

    if (!arguments[0]) return error_set(err, STATUS_USAGE, "what to do with which file?");
    const DbVerb *verb = find_verb(arguments[0], err);
    if (!verb) return err->status;
    while (arguments[1 + count])
        count++;
    if (count < verb->least || count > verb->most)
        return error_set(err, STATUS_USAGE, "it is: tabia db %s", verb->synopsis);
    return verb->run(options, count, arguments + 1, err);
}

Status cmd_db(int argc, char **argv, Error *err)
{
    DbOptions options = {0};
    OptionParser *parser = NULL;
    const char **arguments;
    bool done;
    const Option table[] = {
        {"format", OPTION_STRING, &options.format, "NAME",
         "export, import: pgn, epd, plain, bullet or viri, if the file's name does not "
         "tell; sql: "
         "list (the default), table, csv or json",
         0, 0},
        {"filter", OPTION_STRING, &options.filter, "KEY=X,...",
         "export: only positions that tabia tune takes (tune), or but for min-ply=, max-score=, "
         "checks= …: docs/formats.md",
         0, 0},
        {"keep-going", OPTION_FLAG, &options.keep_going, NULL,
         "import: leave damaged games out, and count them", 0, 0},
        {"moves", OPTION_FLAG, &options.moves, NULL,
         "digest: of starts, moves, scores and results alone, which exports and imports keep", 0,
         0},
        {"header", OPTION_FLAG, &options.header, NULL, "sql: lists begin with the columns' names",
         0, 0},
        {"write", OPTION_FLAG, &options.write, NULL, "sql: statements may change the database", 0,
         0},
        {"mixed", OPTION_FLAG, &options.mixed, NULL,
         "merge: also self-play of the same seed with other settings", 0, 0},
        {"fractions", OPTION_STRING, &options.fractions, "X,Y...",
         "split: shares of the parts (default: equal)", 0, 0},
        {"games", OPTION_STRING, &options.games, "N[,N...]",
         "split: games of the parts, one may take the rest; sample: games", 0, 0},
        {"positions", OPTION_INT, &options.positions, "N",
         "sample: whole games until there are as many positions", 1, 1e12},
        {"report", OPTION_FLAG, &options.report, NULL, "dedup: only count", 0, 0},
        {NULL, OPTION_END, NULL, NULL, NULL, 0, 0},
    };
    const OptionSpec spec = {
        .command = "db",
        .sections = command_names,
        .synopsis = "VERB FILE [ARGUMENTS] [options]",
        .description =
            "Looks at databases of games and works on them. INTO is made when it is absent; TO "
            "may\n"
            "end in .zst, or be - for standard output.\n"
            "\n"
            "  info FILE              runs, generations, games, results, lengths, phases, scores\n"
            "  check FILE             proves it: the file sound, every move legal, every result\n"
            "                         borne out by the final position, readable positions equal\n"
            "                         to what the moves give; exit code 1 if anything is not\n"
            "                         so, 4 when the file itself is damaged\n"
            "  digest FILE            SHA-256 of what was played, whatever the machine or order\n"
            "  sql FILE [\"SELECT …\"]  answers questions (without them: those on standard "
            "input);\n"
            "                         has the functions tabia_positions, san, eval of "
            "tabia_sqlite\n"
            "  materialize FILE       writes the readable positions of games that lack them\n"
            "  merge INTO FROM…       adds what INTO does not have; doing it again adds nothing\n"
            "  split FILE OUT OUT…    new files of the games of FILE, chosen by what was played:\n"
            "                         copies of a game, and later ones, fall on the same side\n"
            "  sample FILE OUT        a new file of some of the games; --seed gives others\n"
            "  dedup FILE OUT         a new file without games that were played before, move by\n"
            "                         move; with --report alone counts games and positions\n"
            "  export FILE TO         writes all games in a format of others, by TO's name; of a\n"
            "                         damaged database what can be read (exit code 1)\n"
            "  import FILE FROM       adds the games of a file, all or none; the same file again\n"
            "                         adds what is missing of it\n"
            "  shuffle FILE TO        the positions of an exported file (epd, plain, bullet) in\n"
            "                         random order; memory for a 256th of them\n"
            "  vacuum FILE            rewrites the file without holes\n"
            "  upgrade FILE           brings a file of an older version up to date, whole or not\n"
            "                         at all; other commands that write do the same",
        .options = table,
        .common = &options.common,
        .takes_arguments = true,
        .epilogue =
            "Examples:\n"
            "  tabia db merge all.db part1.db part2.db\n"
            "  tabia db sql all.db \"SELECT reason, count(*) FROM results GROUP BY reason\"\n"
            "  tabia db sql all.db \"SELECT ply, avg(score) FROM games JOIN tabia_positions\"\n"
            "                      \" USING (game_id) WHERE result = 0 GROUP BY ply\" --format "
            "table\n"
            "  tabia db split all.db train.db test.db --fractions .9,.1\n"
            "  tabia db export all.db games.pgn.zst\n"
            "  tabia db export all.db positions.bullet --filter min-ply=16,max-score=3000\n"
            "  tabia db import all.db theirs.plain.zst",
    };

    Status status = options_parse(&spec, argc, argv, &parser, &arguments, &done, err);
    if (status == STATUS_OK && !done) status = run_verb(&options, arguments, err);
    options_destroy(parser);
    return status;
}
