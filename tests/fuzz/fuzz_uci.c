/* SPDX-License-Identifier: MIT
 * Fuzzes the UCI front end: the input is what a GUI sends. Searches are short. Commands that run
 * long by design, or that allocate as much memory as the input asks for, are left out. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/uci/uci.h"
#include "tests/fuzz/support_fuzz.h"

/* Does the line contain the word, in upper or lower case? */
static bool holds(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= length; i++) {
        size_t same = 0;
        while (same < n && tolower((unsigned char)line[i + same]) == word[same])
            same++;
        if (same == n) return true;
    }
    return false;
}

static bool is_long_work(const char *line, size_t length)
{
    static const char *const words[] = {"bench",   "perft", "genfens", "hash",
                                        "threads", "file",  "path"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (holds(line, length, words[i])) return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = (const char *)data, *end = line + size;
    FILE *in = tmpfile(), *out = fopen("/dev/null", "w");

    demand(in && out);
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = stop ? (size_t)(stop - line) : (size_t)(end - line);
        if (!is_long_work(line, length)) {
            (void)fwrite(line, 1, length, in);
            /* The last of several limits counts. */
            if (holds(line, length, "go")) (void)fputs(" nodes 100", in);
            if (stop) (void)fputc('\n', in);
        }
        line += length + (stop != NULL);
    }
    rewind(in);
    demand(uci_main(in, out, 0, NULL) == 0);
    (void)fclose(in);
    (void)fclose(out);
    return 0;
}
