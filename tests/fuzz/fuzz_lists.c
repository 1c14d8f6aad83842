/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of whole files that only one command has: suites of tactics, books of
 * genfens, PGN headers for ratings, positions to shuffle, numbers to tune. The first byte of the
 * input chooses the reader, the rest is the file. Each ends with success or with one of its
 * errors. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "engine/uci/uci.h"
#include "tests/fuzz/support_fuzz.h"
#include "tuner/spsa/tunables.h"

static void make_openings(const char *path)
{
    FILE *in = tmpfile();

    demand(in != NULL);
    (void)fprintf(in, "genfens 2 seed 1 book %s\n", path);
    rewind(in);
    demand(uci_main(in, stdout, 0, NULL) == 0);
    (void)fclose(in);
}

/* What is read and printed is read again, as many. */
static void read_tunables(char *path, bool options)
{
    Tunables list, again;
    Error err = {0};

    if (tunables_load(path, options, &list, &err) == STATUS_OK) {
        FILE *out = fopen(path, "w");
        demand(out != NULL);
        tunables_print(out, &list);
        (void)fclose(out);
        demand(tunables_load(path, options, &again, &err) == STATUS_OK &&
               again.count == list.count);
        tunables_free(&again);
    } else {
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
    }
    tunables_free(&list);
}

/* Runs the words of a line. */
PRINTF_LIKE(3, 4)
static Status command(Status (*run)(int, char **, Error *), Error *err, const char *format, ...)
{
    enum { WORDS_MAX = 16 };
    char line[256], *argv[WORDS_MAX + 1], *state;
    int argc = 0;
    va_list args;

    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *word = strtok_r(line, " ", &state); word && argc < WORDS_MAX;
         word = strtok_r(NULL, " ", &state))
        argv[argc++] = word;
    argv[argc] = NULL;
    return run(argc, argv, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"epd", "plain", "bullet"};
    static FILE *nowhere;
    char path[FUZZ_PATH_MAX];
    Error err = {0};
    Status status = STATUS_OK;

    if (!nowhere) nowhere = stderr = stdout = fopen("/dev/null", "w"); /* libFuzzer has its own */
    if (size == 0) return 0;
    fuzz_file("lists", data + 1, size - 1, path);
    switch (data[0] % 8) {
    case 0:
        status = command(cmd_bench, &err, "bench suite %s --nodes 1 --json", path);
        break;
    case 1:
        status = command(cmd_elo, &err, "elo --pgn %s", path);
        break;
    case 2:
        status = command(cmd_db, &err, "db shuffle %s /dev/null --format %s --quiet", path,
                         formats[data[0] / 8 % 3]);
        break;
    case 3:
        make_openings(path);
        break;
    default:
        read_tunables(path, data[0] % 2);
    }
    demand(status == STATUS_OK || status == STATUS_BAD_INPUT);
    (void)unlink(path);
    return 0;
}
