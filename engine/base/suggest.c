/* SPDX-License-Identifier: MIT
 * "Did you mean …?": the nearest of the words offered. */
#include "engine/base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 32 };

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Insertions, deletions and replacements that turn a into b, row by row.
 * Source: R. A. Wagner and M. J. Fischer, "The String-to-String Correction Problem", 1974. */
static int edit_distance(const char *a, const char *b)
{
    int row[WORD_MAX + 1];
    size_t n = strlen(b);

    if (strlen(a) > WORD_MAX || n > WORD_MAX) return WORD_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (size_t i = 0; a[i]; i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 0; j < n; j++) {
            int above = row[j + 1];
            row[j + 1] = min3(above + 1, row[j] + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
        }
    }
    return row[n];
}

void suggest_begin(Suggestion *s, const char *word)
{
    s->word = word;
    s->best[0] = '\0';
    /* Near: one error, and one more for every third letter, but not an error for each letter. */
    int length = (int)strlen(word);
    s->distance = length < 2 ? length : length / 3 + 2;
}

void suggest_offer(Suggestion *s, const char *candidate)
{
    int distance = edit_distance(s->word, candidate);

    if (distance < s->distance) {
        s->distance = distance;
        (void)snprintf(s->best, sizeof s->best, "%s", candidate);
    }
}

const char *suggest_text(Suggestion *s, const char *before, const char *after)
{
    s->text[0] = '\0';
    if (s->best[0])
        (void)snprintf(s->text, sizeof s->text, "; did you mean %s%s%s?", before, s->best, after);
    return s->text;
}
