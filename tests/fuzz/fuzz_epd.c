/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of labelled positions, in lines and in bulletformat, and of perft suites. What
 * is accepted is a position that can be written and read again. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/leaves.h"
#include "engine/notation/fen.h"
#include "tests/fuzz/support_fuzz.h"
#include "tuner/data/bullet.h"
#include "tuner/data/epd.h"
#include "tuner/data/epd_line.h"

static void check_position(const Position *pos)
{
    Position again;
    char fen[FEN_MAX];

    demand(position_is_consistent(pos));
    position_to_fen(pos, fen);
    demand(position_from_fen(&again, fen, &(Error){0}) == STATUS_OK && again.key == pos->key);
}

static void check_line(const char *at, const char *end)
{
    EpdLine line;
    Error err = {0};

    if (epd_line_parse((TextSpan){at, end}, &line, &err) == STATUS_OK) {
        check_position(&line.pos);
        demand((unsigned)line.result <= RESULT_WHITE_WINS);
        demand(!line.id.at || (line.id.at >= at && line.id.at + line.id.length <= end));
    } else {
        demand(err.status == STATUS_BAD_INPUT && err.text[0]);
    }
}

static void check_suite(const char *path)
{
    PerftSuite suite;
    Error err = {0};

    if (perft_suite_read(&suite, path, false, false, &err) != STATUS_OK) {
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
        return;
    }
    for (int i = 0; i < suite.position_count; i++)
        check_position(&suite.positions[i]);
    for (int i = 0; i < suite.count_count; i++)
        demand(suite.counts[i].position >= 0 && suite.counts[i].position < suite.position_count);
    perft_suite_free(&suite);
}

typedef Status (*ReadFn)(const char *path, const DatasetFilter *filter, int threads, Dataset **data,
                         Error *err);

static void check_dataset(const char *path, ReadFn read, bool pieces)
{
    DatasetFilter filter;
    Dataset *data = NULL;
    Error err = {0};

    dataset_filter_defaults(&filter);
    filter.pieces = pieces;
    if (read(path, &filter, 1, &data, &err) == STATUS_OK)
        dataset_destroy(data);
    else
        demand(err.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX], *text = fuzz_copy(data, size);

    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        check_line(at, stop ? stop : end);
        at = stop ? stop + 1 : end;
    }
    free(text);
    fuzz_file("epd", data, size, path);
    check_suite(path);
    check_dataset(path, dataset_from_epd, false);
    check_dataset(path, dataset_from_bullet, size % 2);
    (void)unlink(path);
    return 0;
}
