/* SPDX-License-Identifier: MIT
 * `tabia xboard`: an engine of the xboard protocol as a UCI engine. */
#include "cli/commands/command.h"
#include "cli/output/process.h"
#include "cli/xboard/xboard.h"

static Status run(void *command, const OptionParser *parser, Error *err)
{
    XboardSetup *setup = command;
    const char *const *words = (const char *const *)options_arguments(parser, NULL);

    if (!*words) return error_set(err, STATUS_USAGE, "missing PROGRAM");
    setup->program = *words;
    setup->args = words + 1;
    return xboard_serve(setup, err);
}

static const Setting options[] = {
    {"white-scores", FIELD(XboardSetup, white_scores), NULL,
     "scores of the engine are White's, not those of the side to move"},
    {"log", FIELD(XboardSetup, log), "FILE",
     "file to which the messages to and from the engine are appended, with times"},
    {0},
};

static const OptionSpec spec = {
    .command = "xboard",
    .synopsis = "[options] PROGRAM [ARGUMENTS]",
    .description =
        "Starts an engine of the xboard protocol (Chess Engine Communication Protocol, version 2, or\n"
        "1 after two seconds) and serves UCI on standard input and output. tabia gauntlet does the\n"
        "same with proto=xboard. The UCI options are those that the engine announces, and Hash,\n"
        "Threads, SyzygyPath and UCI_Chess960 where it has the commands memory, cores, egtpath and\n"
        "variant. The protocol has no node limit: the adapter sends \"?\" (move now) when the thinking\n"
        "output shows that the limit of nodes or depth is passed.",
    .settings = options,
    .takes_arguments = true,
    .options_first = true,
    .epilogue = "Examples:\n"
                "  tabia xboard phalanx\n"
                "  tabia gauntlet --engine weights=builtin --engine cmd=phalanx,proto=xboard \\\n"
                "                 --tc 10+0.1 --games 100\n"
                "  fastchess -engine cmd=tabia args=\"xboard phalanx\" name=phalanx \\\n"
                "            -engine cmd=tabia-engine name=tabia -each tc=10+0.1",
};

Status cmd_xboard(int argc, char **argv, Error *err)
{
    XboardSetup setup = {.interrupted = cli_interrupted()};

    return options_run(&spec, argc, argv, run, &setup, err);
}
