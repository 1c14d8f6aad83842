/* SPDX-License-Identifier: MIT
 * Records of text files: a record is a line that is neither blank nor a comment (text.h). Line ends
 * and byte order marks are those of reader_line(). */
#ifndef TABIA_DB_FILES_RECORDS_H
#define TABIA_DB_FILES_RECORDS_H

#include "db/files/reader.h"

typedef struct TextRecord {
    char *text;   /* without blanks before it; borrowed, as of reader_line(); may be changed */
    int64_t line; /* from 1; at the end of the file of what would follow */
} TextRecord;

/* Reads the next record; false when none is left. */
bool record_next(FileReader *reader, TextRecord *record);

typedef Status RecordUse(void *context, const TextRecord *record, Error *err);

/* Uses each record of the file, up to the first that is refused: then the Error begins with
 * "FILE:LINE: " if it is STATUS_BAD_INPUT. The reader is taken; NULL: it could not be opened, as
 * *err says. */
MUST_CHECK Status records_use(FileReader *reader, RecordUse *use, void *context, Error *err);

#endif
