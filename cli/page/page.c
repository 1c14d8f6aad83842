/* SPDX-License-Identifier: MIT
 * The page: opening the database, one section after the other, the file. */
#include "cli/page/page.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/page/sections.h"
#include "db/chess/extension.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/weights.h"
#include "engine/base/text.h"

typedef struct Section {
    const char *id, *title;
    void (*write)(Page *page);
} Section;

static const Section sections[] = {
    {"strength", "Strength", section_strength},
    {"matches", "Matches", section_matches},
    {"tuning", "Tuning", section_tuning},
    {"weights", "Weights", section_weights},
    {"chosen", "Games to look at", section_chosen_games},
    {"learning", "Learning", section_learning},
    {"calibration", "Calibration", section_calibration},
    {"games", "Games", section_games},
    {"fits", "Fits", section_fits},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* ---- The database */

static Status open_database(const PageSettings *settings, Store **store, Error *err)
{
    const char *source = settings->source;
    char path[4096];
    struct stat info;
    bool folder = stat(source, &info) == 0 && S_ISDIR(info.st_mode);

    int length = snprintf(path, sizeof path, "%s%s", source, folder ? "/learn.db" : "");
    if (length >= (int)sizeof path)
        return error_set(err, STATUS_USAGE, "%.60s…: the name is too long", source);
    if (folder && stat(path, &info) != 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s has no learn.db; name a folder of tabia learn or a database", source);
    *store = store_open_watched(path, STORE_READ, cli_interrupted(), err);
    if (!*store) return err->status;
    Status status = store_extend(*store, sqlite3_tabiasqlite_init, err);
    if (status == STATUS_OK) status = store_show_headers(*store, err);
    if (status == STATUS_OK) status = store_begin_reading(*store, err);
    return status == STATUS_OK && !settings->checked ? store_check_values(*store, err) : status;
}

/* ---- Commands that the page names */

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory for the page");
}

static Status name_commands(Page *page, TextStream *database, TextStream *command, Error *err)
{
    const char *anchor = page->settings->anchor;

    if (text_stream_open(database)) shell_word(database->out, store_path(page->store));
    if (!text_stream_close(database)) return out_of_memory(err);
    if (text_stream_open(command)) {
        fprintf(command->out, "tabia report %s", database->text);
        if (anchor) fputs(" --anchor ", command->out);
        if (anchor) shell_word(command->out, anchor);
        fputs(" --out /dev/null --json", command->out);
    }
    if (!text_stream_close(command)) return out_of_memory(err);
    page->database = database->text;
    page->report_command = command->text;
    return STATUS_OK;
}

/* ---- The sections */

bool page_query(Page *page, const char *sql, Rows *rows)
{
    *rows = (Rows){0};
    if (page->status != STATUS_OK) return false;
    page->status = rows_query(page->store, sql, rows, page->err);
    if (page->status != STATUS_OK) rows_free(rows);
    return rows->count > 0;
}

void *page_alloc(Page *page, int count, size_t size)
{
    void *memory = page->status == STATUS_OK ? calloc((size_t)count + 1, size) : NULL;

    if (!memory && page->status == STATUS_OK) page->status = out_of_memory(page->err);
    return memory;
}

static void write_sections(Page *page, TextStream *texts)
{
    bool any = false;

    for (int i = 0; i < SECTIONS && page->status == STATUS_OK; i++) {
        bool opened = text_stream_open(&texts[i]);
        page->out = texts[i].out;
        if (opened) sections[i].write(page);
        bool whole = text_stream_close(&texts[i]);
        if (!whole && page->status == STATUS_OK) page->status = out_of_memory(page->err);
        any |= texts[i].length > 0;
    }
    if (page->status == STATUS_OK && !any)
        page->status = error_set(page->err, STATUS_BAD_INPUT,
                                 "%s has no games and no fits to report", store_path(page->store));
}

static void put_together(FILE *out, const Page *page, const char *headline, const TextStream *texts)
{
    html_head(out, page->settings->source, page->settings->refresh);
    fputs(headline, out);
    fputs("<nav aria-label=\"Sections\">\n<ul>\n", out);
    for (int i = 0; i < SECTIONS; i++)
        if (texts[i].length > 0)
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    fputs("</ul>\n</nav>\n", out);
    for (int i = 0; i < SECTIONS; i++)
        if (texts[i].length > 0)
            fprintf(
                out,
                "<section id=\"%s\">\n<h2>%s</h2>\n<div class=\"grid\">\n%s</div>\n</section>\n",
                sections[i].id, sections[i].title, texts[i].text);
    html_foot(out);
}

/* The first lines and the sections as texts, and the object of --json. */
static Status collect(Page *page, TextStream *headline, TextStream *texts, char **json)
{
    json_begin_text(&page->json, false);
    json_string(&page->json, "page", page->settings->out);
    write_sections(page, texts);
    if (page->status == STATUS_OK && text_stream_open(headline)) page_headline(page, headline->out);
    if (!text_stream_close(headline) && page->status == STATUS_OK)
        page->status = out_of_memory(page->err);
    Error *err = page->status == STATUS_OK ? page->err : &(Error){0};
    Status ended = json_finish_text(&page->json, json, err);
    return page->status == STATUS_OK ? ended : page->status;
}

Status page_write(const PageSettings *settings, Error *err)
{
    Page page = {.settings = settings, .err = err};
    TextStream database = {0}, command = {0}, headline = {0}, texts[SECTIONS] = {0};
    OutputFile *file = NULL;
    char *json = NULL;

    Status status = outputs_check(&settings->out, &settings->reference, 1, err);
    if (status == STATUS_OK) status = open_database(settings, &page.store, err);
    if (status == STATUS_OK) status = name_commands(&page, &database, &command, err);
    if (status == STATUS_OK) status = collect(&page, &headline, texts, &json);
    if (status == STATUS_OK && !(file = output_open(settings->out, err))) status = err->status;
    if (status == STATUS_OK) {
        put_together(output_stream(file), &page, headline.text, texts);
        status = output_commit(file, err);
    }
    if (status == STATUS_OK && settings->json) fprintf(settings->json, "%s\n", json);
    for (int i = 0; i < SECTIONS; i++)
        text_stream_discard(&texts[i]);
    text_stream_discard(&headline);
    text_stream_discard(&database);
    text_stream_discard(&command);
    free(json);
    store_close(page.store);
    return status;
}
