/* SPDX-License-Identifier: MIT
 * What a terminal can do. */
#define _GNU_SOURCE /* TIOCGWINSZ */
#include "cli/output/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 80, DEFAULT_ROWS = 24 };

/* Open MPI gives rank 0 a terminal, wherever its own output goes. */
static bool is_shown(FILE *out)
{
    int fd = fileno(out); /* -1: a stream into memory */
    return fd >= 0 && isatty(fd) && !getenv("OMPI_COMM_WORLD_SIZE");
}

bool terminal_is(FILE *out)
{
    const char *kind = getenv("TERM");
    return is_shown(out) && kind && *kind && strcmp(kind, "dumb") != 0;
}

void terminal_size(FILE *out, int *columns, int *rows)
{
    struct winsize size;
    bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;

    *columns = known ? size.ws_col : DEFAULT_COLUMNS;
    *rows = known ? size.ws_row : DEFAULT_ROWS;
}

int terminal_columns(FILE *out)
{
    int columns, rows;

    if (!is_shown(out)) return 0;
    terminal_size(out, &columns, &rows);
    return columns;
}

bool terminal_has_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR");
    return terminal_is(out) && !(no && *no);
}

const char *terminal_coloured(FILE *out, Colour colour, const char *text, char room[COLOURED_MAX])
{
    if (colour == COLOUR_NONE || !terminal_has_colour(out)) return text;
    (void)snprintf(room, COLOURED_MAX, "\033[%dm%s\033[0m", colour == COLOUR_GREEN ? 32 : 31, text);
    return room;
}

void terminal_put(FILE *out, Colour colour, const char *text)
{
    char room[COLOURED_MAX];
    (void)fputs(terminal_coloured(out, colour, text, room), out);
}
