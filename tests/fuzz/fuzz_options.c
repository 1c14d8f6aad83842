/* SPDX-License-Identifier: MIT
 * Fuzzes INI files and the texts of options: the first byte of the input chooses the reader, the
 * rest is its text. Each text is refused with a sentence, or has one value, which is printed and
 * read again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "cli/match/statistics_text.h"
#include "cli/play/play_options.h"
#include "cli/play/player_spec.h"
#include "cli/play/time_control.h"
#include "engine/values/value.h"
#include "selfplay/formats/pgn_write.h"
#include "selfplay/match/stats.h"
#include "tests/fuzz/support_fuzz.h"

/* An option of each kind, and the rows that playing commands share. */
typedef struct Everything {
    bool flag, clear, either;
    int number, choice;
    int64_t large, time;
    uint64_t seed;
    size_t bytes, hash;
    double real;
    const char *text;
    TextList list;
    SprtSettings sprt;
    SearchLimits clock, limits;
    OpeningSettings opening;
    Adjudication adjudication;
    PlayOptions play;
    CommonOptions common;
} Everything;

static const Setting options[] = {
    {"flag", FIELD(Everything, flag), .help = "a flag", .not_with = "clear"},
    {"clear", FIELD(Everything, clear), .help = "a flag", .form = FORM_OPPOSITE},
    {"either", FIELD(Everything, either), "HOW", .help = "one of two", .words = "one|two"},
    {"number", FIELD(Everything, number), "N", "a number", 1, 1000},
    {"choice", FIELD_ENUM, offsetof(Everything, choice), sizeof(int), "HOW", .help = "one of three",
     .words = "a|b|c"},
    {"large", FIELD(Everything, large), "N", .help = "a number", .needs = "flag"},
    {"time", FIELD(Everything, time), "TIME", "a time", 1, INFINITY, .form = FORM_TIME},
    {"salt", FIELD(Everything, seed), "N", .help = "a number"},
    {"bytes", FIELD(Everything, bytes), "MB", "a size", 1, 65536, .form = FORM_MEGABYTES},
    {"real", FIELD(Everything, real), "X", "a number", 0, 1},
    {"text", FIELD(Everything, text), "TEXT", .help = "a text"},
    {"list", FIELD(Everything, list), "TEXT", .help = "texts"},
    {"sprt", FIELD(Everything, sprt), "TEST", .help = "a test", .parse = sprt_parse},
    {"clock", FIELD(Everything, clock), "TC", .help = "a clock", .parse = time_control_set},
    {FIELD(Everything, limits), .rows = limits_settings},
    {FIELD(Everything, hash), .rows = hash_settings},
    {FIELD(Everything, opening), .rows = opening_settings},
    {FIELD(Everything, adjudication), .rows = adjudication_settings},
    {FIELD(Everything, play), .rows = play_settings},
    {FIELD(Everything, common), .rows = common_settings},
    {0},
};

static void parse(int argc, char **argv)
{
    Everything e = {.number = 1, .large = 5, .real = 1};
    const OptionSpec spec = {.command = "selfplay",
                             .synopsis = "[options]",
                             .description = "All kinds.",
                             .settings = options,
                             .takes_arguments = true};
    OptionParser *parser = NULL;
    Error err = {0};
    bool done = false;

    if (options_parse(&spec, &e, argc, argv, &parser, &done, &err) == STATUS_OK) {
        demand(done || (e.number >= 1 && e.number <= 1000 && e.real >= 0 && e.real <= 1));
        demand(done || (e.choice >= 0 && e.choice < 3));
    } else {
        demand((err.status == STATUS_USAGE || err.status == STATUS_BAD_INPUT) && err.text[0]);
    }
    options_destroy(parser);
}

static void check_ini(const char *text, size_t size)
{
    char path[FUZZ_PATH_MAX], name[] = "selfplay", config[] = "--config";
    char *argv[] = {name, config, path, NULL};

    fuzz_file("options", text, size, path);
    parse(3, argv);
    (void)unlink(path);
}

/* A word a line. --help would print, and --config read any file. */
static void check_command_line(char *text)
{
    enum { WORDS = 16 };
    char name[] = "selfplay", *state, *argv[WORDS + 2] = {name};
    int argc = 1;

    if (strstr(text, "-h") || strstr(text, "config") || strstr(text, "--v")) return;
    for (char *word = strtok_r(text, "\n", &state); word && argc <= WORDS;
         word = strtok_r(NULL, "\n", &state))
        argv[argc++] = word;
    parse(argc, argv);
}

static void check_values(const char *text)
{
    char again[TIME_TEXT_MAX];
    int64_t number, same;
    uint64_t natural;
    double real;
    bool flag;

    if (value_parse_time(text, &number)) {
        value_format_time(number, again);
        demand(value_parse_time(again, &same) && same == number);
    }
    if (value_parse_double(text, &real)) demand(isfinite(real));
    (void)value_parse_int(text, &number);
    (void)value_parse_uint64(text, &natural);
    (void)value_parse_core_time(text, &number);
    (void)value_parse_bool(text, &flag);
}

static void check_clock(const char *text)
{
    SearchLimits limits = {0}, again = {0};
    char written[PGN_TIME_CONTROL_MAX];
    Error err = {0};

    if (time_control_set_move(&limits, text, &err) == STATUS_OK) demand(limits.movetime_ms > 0);
    if (time_control_set(&limits, text, &err) != STATUS_OK) {
        demand(err.status == STATUS_USAGE && err.text[0]);
        return;
    }
    if (!limits.has_clock) return; /* inf */
    pgn_time_control(&limits, written);
    demand(time_control_set(&again, written, &err) == STATUS_OK);
    demand(again.time_ms[0] == limits.time_ms[0] && again.moves_to_go == limits.moves_to_go &&
           again.increment_ms[0] == limits.increment_ms[0]);
}

/* Without keys that open files. */
static void check_player(const char *text)
{
    static PlayerSpec spec;
    Error err = {0};

    if (strstr(text, "log") || strstr(text, "weights=")) return;
    if (player_spec_parse(&spec, text, &(PlayerDefaults){0}, &err) != STATUS_OK)
        demand(err.status == STATUS_USAGE && err.text[0]);
    player_spec_free(&spec);
}

static void check_sprt(const char *text)
{
    SprtSettings sprt = {0};
    Error err = {0};

    if (sprt_parse(&sprt, text, &err) == STATUS_OK)
        demand(isfinite(sprt.elo0) && isfinite(sprt.elo1) && sprt.elo0 < sprt.elo1);
    else
        demand(err.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char *text = fuzz_copy(data + 1, size - 1);

    switch (data[0] % 8) {
    case 0:
    case 1:
        check_ini(text, size - 1);
        break;
    case 2:
        check_command_line(text);
        break;
    case 3:
        check_values(text);
        break;
    case 4:
        check_clock(text);
        break;
    case 5:
        check_player(text);
        break;
    default:
        check_sprt(text);
        break;
    }
    free(text);
    return 0;
}
