/* SPDX-License-Identifier: MIT
 * Reading the records of text files. */
#include "db/files/records.h"

#include "engine/base/text.h"

bool record_next(FileReader *reader, TextRecord *record)
{
    do {
        record->line = reader->line;
        record->text = reader_line(reader);
        if (!record->text) return false;
        while (text_is_blank(*record->text))
            record->text++;
    } while (*record->text == '\0' || *record->text == '#');
    return true;
}

Status records_use(FileReader *reader, RecordUse *use, void *context, Error *err)
{
    TextRecord record;
    Status status = STATUS_OK;

    if (!reader) return err->status;
    while (status == STATUS_OK && record_next(reader, &record)) {
        status = use(context, &record, err);
        if (status == STATUS_BAD_INPUT) status = reader_place_line(reader, record.line, err);
    }
    if (status == STATUS_OK) status = reader_fault(reader, err);
    reader_close(reader);
    return status;
}
