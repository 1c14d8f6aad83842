/* SPDX-License-Identifier: MIT
 * Files of openings on the command line. */
#include "cli/play/opening_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"

const Setting opening_option_settings[] = {
    {"openings", FIELD(OpeningOptions, file), "FILE",
     "start positions instead of the usual one: EPD or FEN, PGN, each also .zst, or a Polyglot book (.bin)",
     .not_with = "chess960 double-chess960"},
    {"order", FIELD(OpeningOptions, choice.random), "HOW",
     "order of the openings; random draws lines of a Polyglot book by their weights",
     .words = "sequential|random", .preset = 1, .needs = "openings"},
    {"opening-plies", FIELD(OpeningOptions, choice.plies), "N",
     "plies of a line of PGN (without it to the end) or Polyglot (8) that are played", 1,
     OPENING_PLIES_MAX, .needs = "openings"},
    {"opening-start", FIELD(OpeningOptions, start), "N",
     "number of the first opening in that order", 1, OPENING_BOOK_MAX, .preset = 1,
     .needs = "openings"},
    {0},
};

Status opening_options_load(const OpeningOptions *o, uint64_t seed, OpeningBook *book, Error *err)
{
    OpeningChoice choice = o->choice;

    *book = (OpeningBook){0};
    if (!o->file) return STATUS_OK;
    choice.seed = seed;
    Status status = opening_book_load(o->file, &choice, book, err);
    if (status == STATUS_OK && o->unique) status = opening_book_unique(book, err);
    if (status == STATUS_OK && o->start > book->count)
        status = error_set(err, STATUS_BAD_INPUT, "--opening-start %d: %s has %d openings",
                           o->start, o->file, book->count);
    if (status != STATUS_OK) {
        opening_book_free(book);
        return status;
    }
    book->name = text_file_name(o->file);
    book->start = o->start - 1;
    opening_book_hash(book);
    return STATUS_OK;
}

/* Half of the openings have the extra ply. Positions have about 20 moves, that of chess exactly. */
static Status check_random(const OpeningSettings *random, int64_t bases, int64_t needed, bool exact,
                           Error *err)
{
    int plies = random->random_plies;
    double drawn = (double)needed / (1 + random->random_plies_extra);

    if (drawn <= (double)bases * pow(20, plies)) return STATUS_OK;
    if (exact)
        return error_set(
            err, STATUS_USAGE,
            "--random-plies %d gives too few openings for the %" PRId64
            " of the match: these players would play the same games again, which prove nothing; play fewer games, or more random plies",
            plies, needed);
    fprintf(stderr,
            "note: --random-plies %d gives too few openings for the %" PRId64
            " of the match: they repeat; use more random plies or play fewer games\n",
            plies, needed);
    return STATUS_OK;
}

Status opening_options_check(const OpeningOptions *o, const OpeningBook *book,
                             const OpeningSettings *random, int64_t needed, bool exact, Error *err)
{
    const char *source = o->file ? o->file : "chess without random plies";
    int64_t count = book->count > 0 ? book->count : opening_bases(random);

    if (random->random_plies > 0) return check_random(random, count, needed, exact, err);
    if (needed <= count) return STATUS_OK;
    if (exact)
        return error_set(
            err, STATUS_USAGE,
            "%s has %" PRId64 " opening%s, the match needs %" PRId64
            ": these players would play the same games again, which prove nothing; play fewer games, or from more openings",
            source, count, count > 1 ? "s" : "", needed);
    fprintf(stderr,
            "note: %s has %" PRId64 " opening%s, the match needs %" PRId64
            ": they repeat; use a larger file or play fewer games\n",
            source, count, count > 1 ? "s" : "", needed);
    return STATUS_OK;
}
