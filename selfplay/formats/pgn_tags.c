/* SPDX-License-Identifier: MIT
 * Reading the tags of a PGN game. */
#include "selfplay/formats/pgn_tags.h"

#include <string.h>
#include <strings.h>

#include "db/store/run_record.h"
#include "engine/base/text.h"

enum {
    TAG_MAX = 4096,
    SECTION_MAX = 1 << 14 /* of tags, in which a tag of the game before is searched */
};

static const char spaces[] = " \t\v\f", blanks[] = " \t\r\n\v\f";
static const char tag_name_ends[] = " \t\r\n\v\f\"]";

/* The tag with which the text begins; TAGS: another. */
static int tag_number(const char *text)
{
    static const char *const names[TAGS] = {"Event", "White",       "Black",   "Result",
                                            "FEN",   "Termination", "Variant", "Round"};
    const char *name = text + 1 + strspn(text + 1, blanks);
    size_t length = strcspn(name, tag_name_ends);
    int i = 0;

    while (i < TAGS && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0))
        i++;
    return i;
}

/* Copies a value; a backslash escapes quotes and backslashes. */
static void copy_value(const char *from, const char *end, char *to)
{
    size_t n = 0;

    for (; from < end && n < PGN_VALUE_MAX - 1; from++) {
        if (*from == '\\' && from + 1 < end && (from[1] == '"' || from[1] == '\\')) from++;
        to[n++] = *from;
    }
    to[n] = '\0';
}

/* The closing quote of a value: the bracket follows. Quotes and brackets inside need no escape if
 * the line ends then, or another tag begins; else the first one counts, and moves follow.
 * With `escapes` a quote after a backslash closes nothing. */
static const char *closing_quote(const char *text, bool escapes, const char **rest)
{
    const char *found = NULL, *line_end = text + strcspn(text, "\r\n");

    for (const char *c = text; c < line_end && !(found && *c == '[');
         c += escapes && *c == '\\' ? 2 : 1) {
        if (*c != '"') continue;
        const char *at = c + 1 + strspn(c + 1, blanks);
        if (*at != ']') continue;
        bool last = strchr("[;\r\n", at[1 + strspn(at + 1, spaces)]) != NULL; /* or '\0' */
        if (found && !last) continue;
        found = c;
        *rest = at + 1;
        if (last) break;
    }
    return found;
}

/* Finds the tag with which the text begins. *rest is what follows it, or NULL if that is beyond a
 * long line's cut. */
static Status find_tag(const char *text, bool cut, PgnTags *tags, const char **rest, Error *err)
{
    const char *name = text + 1 + strspn(text + 1, blanks);
    size_t length = strcspn(name, tag_name_ends);
    const char *value = name + length + strspn(name + length, blanks);

    *rest = NULL;
    if (length == 0 || *value != '"') {
        size_t line = strcspn(text, "\r\n");
        return error_set(err, STATUS_BAD_INPUT, "not a tag like [Name \"value\"]: %.*s",
                         line < 41 ? (int)line : 41, text);
    }
    const char *end = closing_quote(++value, true, rest);
    if (!end) end = closing_quote(value, false, rest); /* as in "C:\" */
    const char *line_end = value + strcspn(value, "\r\n");
    if (!end && (*line_end || !cut))
        return error_set(err, STATUS_BAD_INPUT, "the value of the tag %.*s is not closed",
                         length < 40 ? (int)length : 40, name);
    int tag = tag_number(text);
    if (tag < TAGS) copy_value(value, end ? end : line_end, tags->value[tag]);
    return STATUS_OK;
}

static void skip_line(FileReader *file)
{
    (void)reader_take_past(file, '\n', NULL, 0, &(size_t){0});
}

/* Has the section of tags, at a line of it, a tag that is `seen` and that no game has twice? */
static bool repeats_tag(FileReader *file, const bool seen[TAGS + 1])
{
    size_t length = SECTION_MAX;
    char *text = reader_ahead(file, &length), after = text[length];
    bool repeats = false;

    text[length] = '\0';
    for (const char *line = text, *end; !repeats && *line == '['; line = end) {
        int tag = tag_number(line);
        repeats = tag < TAGS_ONCE && seen[tag];
        end = line + strcspn(line, "\r\n");
        if (end[-1] != ']') break; /* moves, or the middle of a tag */
        end += *end == '\r';
        end += *end == '\n';
    }
    text[length] = after;
    return repeats;
}

/* Reads the tag that follows. `again`: it belongs to the next game, and is not taken. `seen`: of
 * the section, which last_line is the last line of. */
static Status read_tag(FileReader *file, PgnTags *tags, bool seen[TAGS + 1], int64_t *last_line,
                       bool *again, Error *err)
{
    const bool next_section = file->line > *last_line + 1 && repeats_tag(file, seen);
    size_t length = TAG_MAX - 1;
    char *text = reader_ahead(file, &length), after = text[length];
    Status status = STATUS_OK;
    const char *rest = NULL;
    const int64_t here = file->line;

    text[length] = '\0';
    int tag = tag_number(text);
    *again = next_section || (tag == TAG_EVENT && seen[tag]);
    if (!*again) {
        *last_line = here;
        tags->any = seen[tag] = true;
        status = find_tag(text, length == TAG_MAX - 1, tags, &rest, err);
        if (status != STATUS_OK) tags->fault_line = here;
    }
    text[length] = after;
    if (rest)
        reader_advance(file, (size_t)(rest - text));
    else if (!*again)
        skip_line(file);
    return status;
}

Status pgn_tags_read(FileReader *file, PgnTags *tags, Error *err)
{
    Status status = STATUS_OK;
    bool seen[TAGS + 1] = {false}, again = false;
    int64_t last_line = file->line; /* of a tag */

    *tags = (PgnTags){0};
    while (!again) {
        int c = reader_peek(file);
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            (void)reader_next(file);
        else if (c == '[' && status == STATUS_OK)
            status = read_tag(file, tags, seen, &last_line, &again, err);
        else if (c == '[' || c == '%' || c == ';')
            skip_line(file);
        else
            break;
    }
    return status;
}

/* ---- What they say */

/* The names are those that programs use for chess, Chess960 and set-up positions. */
bool pgn_tags_are_chess(const PgnTags *tags)
{
    static const char *const names[] = {
        "",          "standard",     "normal",        "chess",          "from position", "chess960",
        "chess 960", "fischerandom", "fischerrandom", "fischer random", "frc",           "dfrc"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(tags->value[TAG_VARIANT], names[i]) == 0) return true;
    return false;
}

GameReason pgn_tags_reason(const PgnTags *tags)
{
    const char *termination = tags->value[TAG_TERMINATION];
    static const struct {
        const char *words;
        GameReason reason;
    } known[] = {{"time forfeit", REASON_TIME},
                 {"timeout", REASON_TIME},
                 {"rules infraction", REASON_ILLEGAL_MOVE},
                 {"illegal move", REASON_ILLEGAL_MOVE},
                 {"abandoned", REASON_CRASH},
                 {"disconnect", REASON_CRASH},
                 {"stalled connection", REASON_STALL}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(termination, known[i].words) == 0) return known[i].reason;
    /* chess.com: "NAME won on time", "NAME won - game abandoned" */
    return text_ends_in(termination, " won on time")            ? REASON_TIME
           : text_ends_in(termination, " won - game abandoned") ? REASON_CRASH
                                                                : (GameReason)0;
}

static void clean_name(char name[PGN_VALUE_MAX])
{
    char clean[PLAYER_NAME_MAX];

    text_copy_utf8(clean, sizeof clean, name);
    text_clean(clean);
    memcpy(name, clean, strlen(clean) + 1);
}

void pgn_tags_clean_names(PgnTags *tags)
{
    clean_name(tags->value[TAG_WHITE]);
    clean_name(tags->value[TAG_BLACK]);
}
