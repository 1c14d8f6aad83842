/* SPDX-License-Identifier: MIT
 * `tabia report`: a page of charts from a database. */
#include "cli/commands/command.h"
#include "cli/output/output_file.h"
#include "cli/page/page.h"
#include "engine/eval/evaluation_load.h"

typedef struct ReportOptions {
    CommonOptions common;
    PageSettings page;
} ReportOptions;

static Status run(void *command, const OptionParser *parser, Error *err)
{
    ReportOptions *o = command;
    int count;
    const char **arguments = options_arguments(parser, &count);

    if (count != 1)
        return error_set(err, STATUS_USAGE, "one folder of tabia learn or one database is needed");
    o->page.source = arguments[0];
    if (o->common.json) o->page.json = stdout;
    if (o->common.json && output_needs_file(o->page.out, "out", err) != STATUS_OK)
        return err->status;
    return page_write(&o->page, err);
}

static const Setting options[] = {
    {"out", FIELD(ReportOptions, page.out), "FILE.html", "page to write", .required = true},
    {"anchor", FIELD(ReportOptions, page.anchor), "NAME[=ELO]",
     "player with a given rating (default material=0, else generation 0, else the player with the most games)"},
    {"reference", FIELD(ReportOptions, page.reference), "W",
     "weights that those of the page are compared with", .words = EVALUATION_NAMES},
    {"refresh", FIELD(ReportOptions, page.refresh), "S",
     "seconds after which a browser reads the page again; 0: never", 0, 86400},
    {FIELD(ReportOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "report",
    .synopsis = "DIR | FILE.db  --out FILE.html [options]",
    .description =
        "Writes one HTML page of charts and tables, without scripts or other files: of a\n"
        "folder of tabia learn its progress, of a database its matches, games and fits. Each\n"
        "figure names the commands and the SQL that give its numbers.",
    .settings = options,
    .threads_help = "no effect",
    .takes_arguments = true,
    .epilogue = "Weights W: builtin, classical, tables, network, pesto, zero, material,\n"
                "or a header or network file.\n"
                "\n"
                "Examples:\n"
                "  tabia report run --out report.html\n"
                "  tabia report games.db --out report.html --anchor builtin=3000",
};

Status cmd_report(int argc, char **argv, Error *err)
{
    ReportOptions o = {0};

    return options_run(&spec, argc, argv, run, &o, err);
}
