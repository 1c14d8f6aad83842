/* SPDX-License-Identifier: MIT
 * Signals and the folder of temporary files. */
#include "cli/output/process.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/system.h"

/* Signals that arrive within this time are one request: timeout(1) sends its signal twice, to the
 * process and to its group. */
enum { SAME_REQUEST_MS = 1000 };

/* Mutable variables at file scope: a signal handler has no other place to write to. */
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

/* The null device, opened the wrong way round: reading or writing fails as on a closed stream. */
void cli_open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* The second request has its default effect. SIGHUP is exempt: the shell and the system may both
 * send one when a terminal closes. */
static void on_signal(int number)
{
    int64_t now = clock_ms();

    if (!atomic_exchange(&interrupted, 1)) {
        atomic_store(&interrupted_ms, now);
        system_end_waits();
    } else if (number != SIGHUP && now - atomic_load(&interrupted_ms) >= SAME_REQUEST_MS) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

/* After Ctrl-Z and fg, for example. */
static void on_continue(int number)
{
    (void)number;
    system_note_continued();
}

void cli_end_with_reader(void)
{
    (void)signal(SIGPIPE, SIG_DFL);
}

/* Bytes of "64", "64k" or "1 M": kibibytes without a letter; infinity for any other text. */
static double stack_bytes(const char *text)
{
    static const char units[] = "bkmg";
    char *end;
    double size = strtod(text, &end);
    const char *unit = strchr(units, tolower((unsigned char)end[strspn(end, " ")]));

    if (end == text || !unit) return INFINITY;
    return ldexp(size, *unit ? 10 * (int)(unit - units) : 10);
}

Status cli_prepare_stacks(Error *err)
{
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        if (text && stack_bytes(text) < STACK_LEAST)
            return error_set(err, STATUS_FAILED, "%s=%s is too small; omit it, or use %d", names[i],
                             text, STACK_LEAST >> 10);
    }
    return stack_prepare(err);
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, present;

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &present) == 0 && present.sa_handler != SIG_IGN)
        (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = on_continue;
    (void)sigaction(SIGCONT, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

void cli_print_note(const Error *note)
{
    if (note->text[0]) fprintf(stderr, "note: %s\n", note->text);
}

void cli_print_faults(const char *path, const char *what, const FaultCount *faults)
{
    if (faults->count > 0)
        fprintf(stderr, "note: %s: %s: %lld, the first: %s\n", path, what, (long long)faults->count,
                faults->first.text);
}
