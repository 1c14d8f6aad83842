/* SPDX-License-Identifier: MIT
 * INI files as a source of option values; inih reads them. */
#include "cli/options/parser.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <string.h>

#include "engine/base/system.h"

enum { LINES_MAX = 10000 };

typedef struct IniReader {
    OptionParser *parser;
    FILE *file;
    const char *path;
    int line;       /* of the pair that the handler gets */
    bool used;      /* there was a key of this command */
    char other[64]; /* the last section of another command */
    Status status;  /* of the first error */
    Error *err;
} IniReader;

/* What is wrong with the line of a section, or NULL. The library ignores text after it, with all
 * the keys of a file whose lines end as on old Macs. */
static const char *wrong_section(const char *line)
{
    line += strspn(line, " \t");
    if (*line != '[') return NULL;
    const char *end = strchr(line, ']');
    if (!end) return "a [section] has no ]";
    end += 1 + strspn(end + 1, " \t\r\n");
    return *end && *end != ';' && *end != '#' ? "a [section] stands alone on its line" : NULL;
}

/* inih's fgets. It counts lines, which inih does not pass to its handler, and refuses those that
 * are no text or that inih would split. */
static char *ini_line(char *buffer, int size, void *stream)
{
    IniReader *r = stream;
    char too_long[48];
    const char *wrong = NULL;
    int length = 0, c = '\0';

    if (r->status != STATUS_OK) return NULL;
    r->line++;
    while (c != '\n' && length < size - 1 && (c = getc(r->file)) != EOF && !wrong) {
        if (c == '\0') wrong = "not a text file: it has a NUL byte";
        buffer[length++] = (char)c;
    }
    if (length == 0) return NULL;
    buffer[length] = '\0';
    (void)snprintf(too_long, sizeof too_long, "a line has at most %d characters", size - 2);
    if (length == size - 1 && c != '\n') wrong = too_long;
    if (!wrong) wrong = wrong_section(buffer);
    if (r->line > LINES_MAX) wrong = "too many lines for settings";
    if (!wrong) return buffer;
    r->status = error_set(r->err, STATUS_BAD_INPUT, "%s:%d: %s", r->path, r->line, wrong);
    return NULL;
}

/* STATUS_OK when the section is another command's. */
static Status ini_other_section(IniReader *r, const char *section)
{
    Suggestion s;

    if (!*section) return error_set(r->err, STATUS_BAD_INPUT, "a key must follow a [section]");
    suggest_begin(&s, section);
    for (const char *const *name = command_names; *name; name++) {
        if (strcmp(*name, section) == 0) {
            (void)snprintf(r->other, sizeof r->other, "%s", section);
            return STATUS_OK;
        }
        suggest_offer(&s, *name);
    }
    return error_set(r->err, STATUS_BAD_INPUT, "[%s] is not a command%s", section,
                     suggest_text(&s, "[", "]"));
}

static Status ini_pair(IniReader *r, const char *section, const char *name, const char *value)
{
    OptionParser *p = r->parser;

    if (strcmp(section, p->spec->command) != 0) return ini_other_section(r, section);
    r->used = true;
    Entry *e = parser_find(p, name);
    if (e && strcmp(name, "config") == 0)
        return error_set(r->err, STATUS_BAD_INPUT, "config is not allowed in an INI file");
    if (!e) {
        Suggestion s;
        parser_suggest(p, name, &s);
        return error_set(r->err, STATUS_BAD_INPUT, "unknown key %s in [%s]%s", name, section,
                         suggest_text(&s, "", ""));
    }
    if (e->origin == FROM_INI && e->row.kind != FIELD_LIST)
        return error_set(r->err, STATUS_BAD_INPUT,
                         "%s is given twice (an indented line continues the key above)", name);
    if (parser_excluded(p, e) || (e->last > 0 && e->row.parse)) return STATUS_OK;
    const char *text = parser_keep(p, strdup(value));
    return text ? entry_set(e, text, FROM_INI, r->err)
                : error_set(r->err, STATUS_FAILED, "out of memory");
}

static int ini_handle(void *user, const char *section, const char *name, const char *value)
{
    IniReader *r = user;

    if (r->status != STATUS_OK) return 0;
    if (ini_pair(r, section, name, value) == STATUS_OK) return 1;
    (void)error_prefix(r->err, "%s:%d", r->path, r->line);
    r->status = STATUS_BAD_INPUT;
    return 0;
}

/* NAME without a dot or slash is configs/NAME.ini of the program. */
static const char *find_config(const char *name, char *found, size_t size)
{
    char file[64];
    int length = snprintf(file, sizeof file, "%s.ini", name);

    return !strpbrk(name, "./") && length < (int)sizeof file &&
                   system_find_config(file, found, size)
               ? found
               : name;
}

Status ini_read(OptionParser *p, const char *name, Error *err)
{
    char found[PATH_MAX];
    const char *path = find_config(name, found, sizeof found);
    IniReader r = {.parser = p, .path = path, .err = err};

    system_may_wait_for(path);
    r.file = fopen(path, "r");
    if (!r.file && system_must_end()) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    if (!r.file)
        return error_set(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    int line = ini_parse_stream(ini_line, &r, ini_handle, &r);
    if (r.status == STATUS_OK && ferror(r.file) && system_must_end())
        r.status = error_set(err, STATUS_INTERRUPTED, "interrupted");
    if (r.status == STATUS_OK && ferror(r.file))
        r.status = error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (r.status == STATUS_OK && line != 0)
        r.status = error_set(err, STATUS_BAD_INPUT, "%s:%d: expected [section] or key = value",
                             path, line);
    if (r.status == STATUS_OK && !r.used && *r.other)
        r.status = error_set(err, STATUS_BAD_INPUT, "%s: the keys are in [%s], none in [%s]", path,
                             r.other, p->spec->command);
    (void)fclose(r.file);
    return r.status;
}
