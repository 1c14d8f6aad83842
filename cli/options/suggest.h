/* SPDX-License-Identifier: MIT
 * "Did you mean …?": the nearest of the words offered. */
#ifndef TABIA_CLI_OPTIONS_SUGGEST_H
#define TABIA_CLI_OPTIONS_SUGGEST_H

typedef struct Suggestion {
    const char *word; /* what was typed; borrowed */
    const char *best; /* nearest so far, NULL when nothing is near enough; borrowed */
    int distance;
} Suggestion;

void suggest_begin(Suggestion *s, const char *word);
void suggest_offer(Suggestion *s, const char *candidate);

#endif
