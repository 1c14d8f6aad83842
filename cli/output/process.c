/* SPDX-License-Identifier: MIT
 * Signals and the folder of temporary files. */
#include "cli/output/process.h"

#include <signal.h>
#include <stdlib.h>

/* The one mutable variable at file scope: a signal handler has no other place to write to. */
static atomic_int interrupted;

const atomic_int *cli_interrupted(void)
{
    return &interrupted;
}

const char *cli_temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* The second signal has its default effect. SIGHUP is exempt: the shell and the system may both
 * send one when a terminal closes. */
static void on_signal(int number)
{
    if (atomic_exchange(&interrupted, 1) && number != SIGHUP) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
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
