/* SPDX-License-Identifier: MIT
 * Signals and the folder of temporary files. */
#include "cli/output/process.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine/base/clock.h"

/* Signals that arrive within this time are one request: timeout(1) sends its signal twice, to the
 * process and to its group. */
enum { SAME_REQUEST_MS = 1000 };

/* The only mutable variables at file scope: a signal handler has no other place to write to. */
static atomic_int interrupted;
static _Atomic int64_t interrupted_ms = INT64_MAX; /* when it was */

const atomic_int *cli_interrupted(void)
{
    return &interrupted;
}

const char *cli_temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* The second request has its default effect. SIGHUP is exempt: the shell and the system may both
 * send one when a terminal closes. */
static void on_signal(int number)
{
    int64_t now = clock_ms();

    if (!atomic_exchange(&interrupted, 1)) {
        atomic_store(&interrupted_ms, now);
    } else if (number != SIGHUP && now - atomic_load(&interrupted_ms) >= SAME_REQUEST_MS) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

void cli_end_with_reader(void)
{
    (void)signal(SIGPIPE, SIG_DFL);
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, present;

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &present) == 0 && present.sa_handler != SIG_IGN)
        (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}
