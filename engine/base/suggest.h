/* SPDX-License-Identifier: MIT
 * "Did you mean …?": the nearest of the words offered. */
#ifndef TABIA_ENGINE_BASE_SUGGEST_H
#define TABIA_ENGINE_BASE_SUGGEST_H

typedef struct Suggestion {
    const char *word; /* what was typed; borrowed */
    char best[64];    /* nearest so far, "" when nothing is near enough */
    int distance;
    char text[96];
} Suggestion;

void suggest_begin(Suggestion *s, const char *word);
void suggest_offer(Suggestion *s, const char *candidate);

/* The end of an error: "; did you mean BEST?", between these texts, or ""; valid as long as *s. */
const char *suggest_text(Suggestion *s, const char *before, const char *after);

#endif
