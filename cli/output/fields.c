/* SPDX-License-Identifier: MIT
 * Fields of a struct as text. */
#include "cli/output/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/base/text.h"

enum { VALUE_MAX = 64 };

const char *text_shown(const char *text, char room[TEXT_SHOWN_MAX])
{
    (void)snprintf(room, TEXT_SHOWN_MAX, "%s", text);
    text_clean(room);
    return room;
}

int text_columns(const char *text)
{
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

int text_wrap(FILE *out, int indent, int columns, const char *text)
{
    int used = 0;

    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " "), shown = 0;
        for (int i = 0; i < length; i++)
            shown += ((unsigned char)word[i] & 0xc0) != 0x80;
        if (word > text && columns > 0 && used + 1 + shown > columns) {
            (void)fprintf(out, "\n%*s", indent, "");
            used = indent;
        } else if (word > text) {
            (void)fputc(' ', out);
            used++;
        }
        (void)fwrite(word, 1, (size_t)length, out);
        used += shown;
        word += length + (word[length] == ' ');
    }
    return used;
}

void cell_put(FILE *out, int width, const char *text)
{
    int columns = text_columns(text);

    if (width >= 0) {
        (void)fprintf(out, "%*s%s", columns < width ? width - columns : 0, "", text);
        return;
    }
    (void)fputs("  ", out);
    for (int left = -width; *text && (left > 0 || ((unsigned char)*text & 0xc0) == 0x80); text++) {
        left -= ((unsigned char)*text & 0xc0) != 0x80;
        (void)putc(*text, out);
    }
    (void)fprintf(out, "%*s", columns < -width ? -width - columns : 0, "");
}

void cell_put_int(FILE *out, int width, int64_t value)
{
    (void)fprintf(out, "%*" PRId64, width, value);
}

/* The value as text, in `room` or in the struct. */
static const char *text_of(const Field *f, const void *object, char room[VALUE_MAX])
{
    FieldValue value = field_value(f, object);

    if (f->kind == FIELD_BOOL) return value.integer ? "yes" : "no";
    if (f->kind == FIELD_ARRAY || f->kind == FIELD_STRING) return value.string ? value.string : "–";
    if (f->kind == FIELD_DOUBLE && !isfinite(value.number)) return "–";
    if (f->kind == FIELD_DOUBLE)
        (void)snprintf(room, VALUE_MAX, f->sign ? "%+.*f" : "%.*f", f->decimals,
                       value.number * (f->scale != 0 ? f->scale : 1));
    else if (f->kind == FIELD_UINT64)
        (void)snprintf(room, VALUE_MAX, "%" PRIu64, (uint64_t)value.integer);
    else
        (void)snprintf(room, VALUE_MAX, "%" PRId64, value.integer);
    return room;
}

static bool is_in_text(const Field *f, const void *object)
{
    return f->label && (f->zero == ZERO_SHOWN || !field_value_is_zero(field_value(f, object)));
}

void fields_sentence(FILE *out, const Field *fields, const void *object)
{
    char room[VALUE_MAX];
    const char *separator = "";

    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        if (!is_in_text(f, object)) continue;
        (void)fprintf(out, "%s%s %s", separator, text_of(f, object, room), f->label);
        separator = ", ";
    }
}

void fields_print(bool json, const char *head, const Field *fields, const void *object)
{
    if (json) {
        fields_json_line(stdout, fields, object);
        return;
    }
    (void)printf("%s: ", text_shown(head, (char[TEXT_SHOWN_MAX]){0}));
    fields_sentence(stdout, fields, object);
    (void)putchar('\n');
}

static int label_width(const Field *fields)
{
    int width = 0;

    for (const Field *f = fields; f->kind != FIELD_END; f++)
        if (f->label && text_columns(f->label) > width) width = text_columns(f->label);
    return width;
}

/* A line for each field: its label, and the values of the objects in columns of this width. */
static void put_lines(FILE *out, const Field *fields, int column, const void *objects, size_t size,
                      int count)
{
    char first[VALUE_MAX], room[VALUE_MAX], shown[TEXT_SHOWN_MAX];
    const char *const object = objects;
    int width = label_width(fields);

    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        if (!is_in_text(f, object)) continue;
        const char *text = text_of(f, object, first);
        bool same = true;
        (void)fprintf(out, "%s%*s", f->label, width - text_columns(f->label), "");
        cell_put(out, column, text_shown(text, shown));
        for (int i = 1; i < count; i++)
            same &= strcmp(text, text_of(f, object + (size_t)i * size, room)) == 0;
        for (int i = 1; i < count && !same; i++)
            cell_put(out, column, text_of(f, object + (size_t)i * size, room));
        (void)putc('\n', out);
    }
}

void fields_columns(FILE *out, const Field *fields, const char *const *heads, const void *objects,
                    size_t size, int count)
{
    enum { COLUMN = 11 };

    (void)fprintf(out, "%*s", label_width(fields), "");
    for (int i = 0; i < count; i++)
        cell_put(out, COLUMN, text_shown(heads[i], (char[TEXT_SHOWN_MAX]){0}));
    (void)putc('\n', out);
    put_lines(out, fields, COLUMN, objects, size, count);
}

void fields_list(FILE *out, const Field *fields, const void *object)
{
    put_lines(out, fields, 14, object, 0, 1);
}

int fields_width(const Field *fields)
{
    int width = 0;

    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        int label = f->label ? text_columns(f->label) : 0;
        int column = f->width < 0 ? 2 - f->width : f->width;
        if (f->label) width += label > column ? label : column;
    }
    return width;
}

void fields_fit(Field *fields, int width)
{
    while (width > 0 && fields_width(fields) > width) {
        Field *last = fields;
        for (Field *f = fields; f->kind != FIELD_END; f++)
            if (f->label && f->drop > last->drop) last = f;
        if (last->drop == 0) return;
        last->label = NULL;
    }
}

void fields_header(FILE *out, const Field *fields)
{
    for (const Field *f = fields; f->kind != FIELD_END; f++)
        if (f->label) cell_put(out, f->width, f->label);
    (void)putc('\n', out);
}

void fields_row(FILE *out, const Field *fields, const void *object)
{
    char room[VALUE_MAX];

    for (const Field *f = fields; f->kind != FIELD_END; f++)
        if (f->label) cell_put(out, f->width, text_of(f, object, room));
    (void)putc('\n', out);
}
