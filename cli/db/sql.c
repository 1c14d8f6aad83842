/* SPDX-License-Identifier: MIT
 * `tabia db sql`: results of queries as a list, a table, CSV or JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "db/chess/extension.h"
#include "db/store/query.h"
#include "db/store/store.h"
#include "db/tables/positions.h"
#include "db/tables/weights.h"
#include "engine/base/array.h"
#include "engine/base/json.h"
#include "engine/base/system.h"
#include "engine/base/text.h"

typedef struct Cell {
    char *text;
    bool is_number;
} Cell;

/* State of a format between rows. */
typedef struct Printer {
    JsonWriter json; /* one object for each row of all statements */
    /* A table is printed at its end, when the widths are known. */
    Cell *cells; /* rows of `columns` cells, the names first */
    int columns;
    bool titled; /* a table with a title was printed */
    size_t cell_count;
    int64_t cell_capacity;
} Printer;

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory for the result");
}

/* ---- CSV (RFC 4180), always with the names */

static void csv_text(const char *text, size_t size)
{
    if (!memchr(text, ',', size) && !memchr(text, '"', size) && !memchr(text, '\n', size) &&
        !memchr(text, '\r', size)) {
        (void)fwrite(text, 1, size, stdout);
        return;
    }
    (void)putchar('"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') (void)putchar('"');
        (void)putchar(text[i]);
    }
    (void)putchar('"');
}

static Status csv_row(void *context, int columns, const SqlValue *values, Error *err)
{
    (void)context;
    (void)err;
    for (int i = 0; i < columns; i++) {
        if (values[i].kind == SQL_BLOB)
            sql_blob_print(&values[i], stdout);
        else if (values[i].text)
            csv_text(values[i].text, values[i].size);
        (void)fputs(i + 1 < columns ? "," : "\r\n", stdout);
    }
    return STATUS_OK;
}

/* ---- JSON */

static Status json_row(void *context, int columns, const SqlValue *values, Error *err)
{
    Printer *p = context;

    (void)err;
    json_object(&p->json, NULL);
    for (int i = 0; i < columns; i++) {
        const SqlValue *v = &values[i];
        TextStream hex;
        switch (v->kind) {
        case SQL_INTEGER:
            json_int(&p->json, v->name, v->integer);
            break;
        case SQL_REAL:
            json_double(&p->json, v->name, v->real, 17);
            break;
        case SQL_BLOB:
            if (!text_stream_open(&hex)) return out_of_memory(err);
            sql_blob_print(v, hex.out);
            if (!text_stream_close(&hex)) return out_of_memory(err);
            json_string(&p->json, v->name, hex.text);
            text_stream_discard(&hex);
            break;
        case SQL_NULL:
        case SQL_TEXT:
            json_string(&p->json, v->name, v->text);
            break;
        }
    }
    json_end_object(&p->json);
    return STATUS_OK;
}

/* ---- Tables */

/* The lines of comment directly above a statement are its title. */
static void table_title(void *context, const char *sql)
{
    Printer *p = context;
    const char *title = NULL;

    for (;; sql += strcspn(sql, "\n") + 1) {
        const char *word = sql + strspn(sql, " \t\r");
        bool comment = strncmp(word, "--", 2) == 0;
        if (!comment && *word != '\n') break;
        title = !comment || word > sql ? NULL : title ? title : sql;
    }
    if (!title) return;
    if (p->titled) (void)putchar('\n');
    p->titled = true;
    for (; title < sql; title += strcspn(title, "\n") + 1) {
        const char *text = title + 2 + strspn(title + 2, " ");
        printf("%.*s\n", (int)strcspn(text, "\r\n"), text);
    }
}

static bool add_cell(Printer *p, const char *text, bool is_number)
{
    if (ARRAY_RESERVE(p->cells, p->cell_capacity, (int64_t)p->cell_count + 1, NULL)) return false;
    char *copy = strdup(text);
    if (!copy) return false;
    p->cells[p->cell_count++] = (Cell){copy, is_number};
    return true;
}

static Status table_row(void *context, int columns, const SqlValue *values, Error *err)
{
    Printer *p = context;

    p->columns = columns;
    for (int i = 0; i < columns; i++) {
        const SqlValue *v = &values[i];
        char blob[32];
        bool number = v->kind == SQL_INTEGER || v->kind == SQL_REAL;
        (void)snprintf(blob, sizeof blob, "(%zu bytes)", v->size);
        const char *text = v->kind == SQL_BLOB ? blob : v->text ? v->text : "";
        if (!add_cell(p, text, number)) return out_of_memory(err);
    }
    return STATUS_OK;
}

static void print_cell(const Cell *cell, int width, bool last)
{
    int pad = width - text_columns(cell->text);

    if (cell->is_number) printf("%*s", pad, "");
    (void)fputs(cell->text, stdout);
    if (last)
        (void)putchar('\n');
    else
        printf("%*s", 2 + (cell->is_number ? 0 : pad), "");
}

static void free_cells(Printer *p)
{
    for (size_t i = 0; i < p->cell_count; i++)
        free(p->cells[i].text);
    p->cell_count = 0;
}

static Status table_end(void *context, Error *err)
{
    Printer *p = context;
    size_t columns = (size_t)p->columns;
    int *widths = calloc(columns, sizeof *widths);

    if (!widths) return out_of_memory(err);
    for (size_t i = 0; i < p->cell_count; i++) {
        int width = text_columns(p->cells[i].text);
        if (width > widths[i % columns]) widths[i % columns] = width;
    }
    for (size_t i = 0; i < p->cell_count; i++) {
        print_cell(&p->cells[i], widths[i % columns], (i + 1) % columns == 0);
        if (i + 1 != columns) continue;
        for (size_t c = 0; c < columns; c++) {
            for (int k = 0; k < widths[c]; k++)
                (void)putchar('-');
            (void)fputs(c + 1 < columns ? "  " : "\n", stdout);
        }
    }
    free(widths);
    free_cells(p);
    return STATUS_OK;
}

/* ---- The verb */

typedef struct SqlFormat {
    const char *name;
    SqlSink sink;
} SqlFormat;

static const SqlFormat formats[] = {
    {"list", {0}}, /* the store's own */
    {"table", {.title = table_title, .begin = table_row, .row = table_row, .end = table_end}},
    {"csv", {.begin = csv_row, .row = csv_row}},
    {"json", {.row = json_row}},
};

static const SqlFormat *find_format(const DbOptions *options, Error *err)
{
    const char *name = options->common.json ? "json" : options->format ? options->format : "list";

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    (void)error_set(err, STATUS_USAGE, "unknown format \"%s\"; use list, table, csv or json", name);
    return NULL;
}

/* All of standard input, malloc'ed. */
static char *read_input(Error *err)
{
    char *text = NULL;
    size_t capacity = 0;

    system_may_wait_for("/dev/stdin");
    ssize_t size = getdelim(&text, &capacity, '\0', stdin);
    if (size <= 0 && feof(stdin)) { /* nothing: no statements */
        free(text);
        size = 1;
        text = calloc(1, 1);
    }
    if (atomic_load(cli_interrupted()))
        (void)error_set(err, STATUS_INTERRUPTED, "interrupted");
    else if (ferror(stdin))
        (void)error_set(err, STATUS_BAD_INPUT, "standard input cannot be read: %s",
                        strerror(errno));
    else if (!text || size < 0)
        (void)out_of_memory(err);
    else if (!feof(stdin))
        (void)error_set(err, STATUS_BAD_INPUT, "standard input is not text: it has a NUL byte");
    else
        return text;
    free(text);
    return NULL;
}

static Status print_rows(Store *store, const char *sql, const SqlFormat *format, Error *err)
{
    Printer printer = {.json = {.out = stdout}};
    SqlSink sink = format->sink;
    bool json = strcmp(format->name, "json") == 0;

    sink.context = &printer;
    if (json) json_array(&printer.json, NULL);
    Status status = store_query(store, sql, &sink, err);
    if (json && status == STATUS_OK) {
        json_end_array(&printer.json);
        putchar('\n');
    }
    free_cells(&printer);
    free(printer.cells);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = error_set(err, STATUS_FAILED, "the result cannot be written");
    return status;
}

/* Does the text read the table, or the view scored_positions? A column may be called positions, and
 * the function tabia_positions needs no rows. */
static bool names_positions(const char *sql)
{
    const char *word = "", *at = sql;

    while (*at) {
        at += strspn(at, " \t\r\n(");
        size_t length = strcspn(at, " \t\r\n(),;");
        bool named = (length == 9 && strncasecmp(at, "positions", 9) == 0) ||
                     (length == 16 && strncasecmp(at, "scored_positions", 16) == 0);
        if (named && (strncasecmp(word, "from", 4) == 0 || strncasecmp(word, "join", 4) == 0))
            return true;
        word = at;
        at += length > 0 ? length : *at != '\0';
    }
    return false;
}

/* An empty result would mislead where a command must fill the table first. */
static Status note_lacking_positions(Store *store, const char *sql, Error *err)
{
    bool lacking = false;

    Status status = names_positions(sql) ? store_lacks_positions(store, &lacking, err) : STATUS_OK;
    if (status == STATUS_OK && lacking)
        fprintf(
            stderr,
            "note: the table positions is empty; tabia db materialize %s fills it, or read tabia_positions instead\n",
            store_path(store));
    return status;
}

Status db_verb_sql(const DbOptions *options, const char **arguments, Error *err)
{
    char *input = NULL;

    const SqlFormat *format = find_format(options, err);
    if (!format) return err->status;
    if (!arguments[1] && strchr(arguments[0], ' ') && !store_recognises(arguments[0]))
        return error_set(err, STATUS_USAGE, "the database comes first: tabia db sql FILE \"%s\"",
                         arguments[0]);
    if (!options->write) cli_end_with_reader();
    if (!arguments[1] && !(input = read_input(err))) return err->status;
    Store *store = store_open_watched(arguments[0], options->write ? STORE_WRITE : STORE_READ,
                                      cli_interrupted(), err);
    Status status = store ? store_extend(store, sqlite3_tabiasqlite_init, err) : err->status;
    if (status == STATUS_OK && !options->write) status = store_show_headers(store, err);
    if (status == STATUS_OK) {
        const char *sql = arguments[1] ? arguments[1] : input;
        status = format->sink.row ? print_rows(store, sql, format, err)
                                  : store_sql(store, sql, options->header, stdout, err);
        if (status == STATUS_OK && !options->common.quiet)
            status = note_lacking_positions(store, sql, err);
    }
    store_close(store);
    free(input);
    return status;
}
