/* SPDX-License-Identifier: MIT
 * Files of openings on the command line. */
#include "cli/play/opening_options.h"

#include "selfplay/openings/book_load.h"
#include "selfplay/openings/opening.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void opening_options_init(OpeningOptions *o, Option rows[OPENING_OPTION_COUNT])
{
    *o = (OpeningOptions){.order = "random", .start = 1};
    const Option table[OPENING_OPTION_COUNT] = {
        {"openings", OPTION_STRING, &o->file, "FILE",
         "start positions instead of random openings: EPD or FEN, lines of PGN, each of these also "
         ".zst, or a Polyglot book (.bin)",
         0, 0},
        {"order", OPTION_STRING, &o->order, "HOW",
         "random or sequential; random lines of Polyglot are drawn by their weights", 0, 0},
        {"opening-plies", OPTION_INT, &o->plies, "N",
         "so deep into lines of PGN (else to their end) and Polyglot (else 8)", 1,
         OPENING_PLIES_MAX},
        {"opening-start", OPTION_INT, &o->start, "N", "begin with the Nth opening of that order", 1,
         OPENING_BOOK_MAX},
    };
    memcpy(rows, table, sizeof table);
}

static Status refuse_without_file(const OptionParser *parser, Error *err)
{
    static const char *const names[] = {"order", "opening-plies", "opening-start"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (options_given(parser, names[i]))
            return error_set(err, STATUS_USAGE, "--%s needs --openings", names[i]);
    return STATUS_OK;
}

Status opening_options_load(const OpeningOptions *o, const OptionParser *parser, uint64_t seed,
                            int64_t needed, Openings *openings, Error *err)
{
    OpeningChoice choice = {
        .plies = (int)o->plies, .random = strcmp(o->order, "random") == 0, .seed = seed};

    *openings = (Openings){.start = o->start - 1};
    if (!choice.random && strcmp(o->order, "sequential") != 0)
        return error_set(err, STATUS_USAGE, "--order is random or sequential, not \"%s\"",
                         o->order);
    if (!o->file) return refuse_without_file(parser, err);
    Status status = opening_book_load(o->file, &choice, &openings->book, err);
    if (status == STATUS_OK && o->unique) status = opening_book_unique(&openings->book, err);
    if (status == STATUS_OK && o->start > openings->book.count)
        status = error_set(err, STATUS_BAD_INPUT, "--opening-start %" PRId64 ": %s has %d openings",
                           o->start, o->file, openings->book.count);
    if (status != STATUS_OK) {
        opening_book_free(&openings->book);
        return status;
    }
    const char *slash = strrchr(o->file, '/');
    openings->name = slash ? slash + 1 : o->file;
    if (needed > openings->book.count)
        fprintf(stderr, "note: %s has %d openings for %" PRId64 ": they repeat\n", o->file,
                openings->book.count, needed);
    return STATUS_OK;
}
