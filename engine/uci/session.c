/* SPDX-License-Identifier: MIT
 * Printing lines and reading words of a UCI session. */
#include "engine/uci/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/posix.h"
#include "engine/base/text.h"

enum { WORD_SHOWN = 40 /* characters of a bad word that are printed */ };

void uci_print(Uci *uci, const char *format, ...)
{
    va_list args;

    flockfile(uci->out);
    va_start(args, format);
    (void)vfprintf(uci->out, format, args);
    va_end(args);
    (void)fputc('\n', uci->out);
    (void)fflush(uci->out);
    funlockfile(uci->out);
}

void uci_put(Uci *uci, const char *line)
{
    (void)fprintf(uci->out, "%s\n", line);
}

void uci_flush(Uci *uci)
{
    (void)fflush(uci->out);
}

void uci_print_fault(Uci *uci, const char *format, ...)
{
    char sentence[ERROR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    text_clean(sentence); /* one line */
    uci->failed = true;
    uci_print(uci, "info string error: %s", sentence);
}

void uci_print_error(Uci *uci, const Error *err)
{
    uci_print_fault(uci, "%s", err->text);
}

void uci_print_bad_word(Uci *uci, const char *what, const char *word)
{
    uci_print_fault(uci, "%s '%.*s'", what, (int)WORD_SHOWN, word);
}

char *uci_next_word(char **line)
{
    static const char blanks[] = " \t\r\n\v\f";
    char *word = *line + strspn(*line, blanks);

    if (*word == '\0') {
        *line = word;
        return NULL;
    }
    char *end = word + strcspn(word, blanks);
    *line = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

bool uci_read_number(Uci *uci, const char *name, const char *word, int64_t least, int64_t most,
                     int64_t *value)
{
    char *end;

    if (!word) {
        uci_print_fault(uci, "%s needs a number", name);
        return false;
    }
    errno = 0;
    long long read = strtoll(word, &end, 10);
    if (end == word || *end || errno == ERANGE || read < least || read > most) {
        uci_print_fault(uci, "%s must be a number from %lld to %lld, not '%.*s'", name,
                        (long long)least, (long long)most, (int)WORD_SHOWN, word);
        return false;
    }
    *value = read;
    return true;
}

bool uci_read_check(Uci *uci, const char *name, const char *word, bool *value)
{
    bool yes = strcasecmp(word, "true") == 0;

    if (!yes && strcasecmp(word, "false") != 0) {
        uci_print_fault(uci, "%s must be true or false, not '%.*s'", name, (int)WORD_SHOWN, word);
        return false;
    }
    *value = yes;
    return true;
}
