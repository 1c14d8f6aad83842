/* SPDX-License-Identifier: MIT
 * Settings are data: a table beside each settings struct has one row a setting. From it come the
 * default, the option with its help, the INI key, the JSON of a run's identity and of a report, and
 * the words in a header's comment.
 *
 * CONTRIBUTING.md says how one is added. */
#ifndef TABIA_ENGINE_VALUES_SETTING_H
#define TABIA_ENGINE_VALUES_SETTING_H

#include "engine/base/status.h"
#include "engine/values/field.h"

/* How a value is written, where its kind leaves that open. */
typedef enum SettingForm {
    FORM_OF_KIND,   /* a number, a word, a text; of a bool: true or false */
    FORM_OPPOSITE,  /* of a bool: the option's name stands for false */
    FORM_MEGABYTES, /* of bytes: a number of MiB; in JSON bytes */
    FORM_TIME,      /* of ms: "90", "90s", "10m", "2h", "500ms" (plain: seconds) */
    FORM_PAIRS      /* "score=2000,plies=5": `rows` of the same struct, whose names are the keys.
                       `words` is the text that makes the row among them that is `first` neutral */
} SettingForm;

/* STATUS_USAGE and a sentence, which is prefixed with the setting's name, for a text it refuses.
 * The target is the member; the text lives as long as the settings. */
typedef Status (*SettingParseFn)(void *target, const char *text, Error *err);
/* The inverse; an empty text: none. */
enum { SETTING_TEXT_MAX = 256 };
typedef void (*SettingPrintFn)(const void *target, char out[SETTING_TEXT_MAX]);

/* Trailing members may be left out. Names in lists are separated by blanks. */
typedef struct Setting {
    const char *name; /* of option and INI key: "max-score"; NULL: of a table or a heading */
    FieldKind kind;   /* kind, offset and size by FIELD(); FIELD_END ends a table */
    size_t offset, size;
    const char *argument;    /* name of the value in help: "CP"; NULL for flags */
    const char *help;        /* noun phrase with its unit; NULL: the setting has no option */
    double minimum, maximum; /* of numbers and times (ms); both 0: no bounds; may be infinite */
    const char *words; /* "one|two": of a bool or an enum, its values from 0; of a number, texts
                          that stand for -1, -2, ...; of a text, some that completion offers */
    SettingForm form;
    SettingParseFn parse;    /* instead of the kind */
    SettingPrintFn print;    /* likewise */
    double preset;           /* the default: of numbers, words and flags */
    const char *preset_text; /* of texts, and of what `parse` reads */
    /* Which settings go together. */
    bool required;        /* an error when it is not given */
    const char *not_with; /* it is refused beside any of these, whether they come from the command
                             line or the INI file. In the INI file it is ignored when one of these,
                             or one that names it, is on the command line */
    const char *needs;    /* it has no effect unless one of these has: "late-from", which is not
                             neutral, or "loss=noise-floor". On the command line it is refused
                             then; an identity leaves it out */
    const char *key;      /* in identities; NULL: as in reports the name with _ for - */
    double
        neutral;   /* the value without effect; a fact of stored runs, independent of the default */
    bool optional; /* identities leave it out when it is neutral */
    bool first;    /* most runs need it: it is at the top of the help */
    /* Instead of a setting: a heading of the help, above the rows that follow, SETTING_HEADING() …
     */
    const char *heading;
    /* … or the rows of a member that is a struct: those of the names, or all. The prefix comes
     * before their names in lists and keys. */
    const struct Setting *rows;
    const char *names, *prefix;
    const struct Setting *keys; /* of a text "key=value,...", for completion */
} Setting;

#define SETTING_HEADING(text)                                                                      \
    {                                                                                              \
        .kind = FIELD_OTHER, .heading = (text)                                                     \
    }

/* Gives every setting of the table its default. */
void settings_default(const Setting *rows, void *object);

/* Gives a setting its value. `dashes` is "--" for the command line and "" otherwise. A text that
 * stays text is borrowed. STATUS_USAGE with a sentence. */
MUST_CHECK Status setting_set(const Setting *row, void *object, const char *dashes,
                              const char *text, Error *err);

/* The value as setting_set() reads it, "" for none. */
void setting_text(const Setting *row, const void *object, char out[SETTING_TEXT_MAX]);

enum { SETTING_WORD_MAX = 64 };
/* Copies word number `index` of row->words; false when there is none of that number. */
bool setting_word(const Setting *row, int index, char word[SETTING_WORD_MAX]);

/* Is it a bool with its two spellings, --NAME and --no-NAME? */
bool setting_is_flag(const Setting *row);

/* Is a need met that a row of the same table names: "late-from", "loss=noise-floor"? */
bool settings_meet(const Setting *rows, const void *object, const char *need);

/* Keys and values of a list of names, also of tables in the table; without those whose needs are
 * not met. NULL: all in order; "-seed checkpoint": all but these. In an identity bools are 0 and 1
 * and doubles have ten digits: its bytes are hashed. */
typedef enum SettingsUse { SETTINGS_IDENTITY, SETTINGS_REPORT } SettingsUse;
void settings_json(JsonWriter *w, const Setting *rows, const char *names, SettingsUse use,
                   const void *object);

/* A stored value by its key: the number, or the text of what has one; false: there is none. */
typedef bool (*SettingValueFn)(void *context, const char *key, double *number,
                               char text[SETTING_TEXT_MAX]);
/* The inverse of an identity, whose list may have no texts: a setting that it leaves out is neutral
 * if it is `optional`, and stays as it is otherwise. STATUS_BAD_INPUT for impossible values. */
MUST_CHECK Status settings_read(const Setting *rows, const char *names, void *object,
                                SettingValueFn value, void *context, Error *err);

/* Appends "loss mse, lambda 0.5, mirror tied" of such a list, without those that equal the settings
 * of `usual` (NULL: with all), each after ", " if out[size] holds something. */
void settings_append(const Setting *rows, const char *names, const void *object, const void *usual,
                     char *out, size_t size);

/* "key=value,key=value" (a comma in a value is written "\,"): calls fn for each pair; stops at the
 * first error. Key and value are neighbours in *copy, with a NUL for the "="; free it in any case.
 */
typedef Status (*SettingPairFn)(void *context, char *key, char *value, Error *err);
MUST_CHECK Status setting_pairs(const char *text, char **copy, SettingPairFn fn, void *context,
                                Error *err);

/* Gives the setting of that name its value; STATUS_USAGE lists the names when there is none. A text
 * is borrowed. */
MUST_CHECK Status settings_set_pair(const Setting *rows, void *object, const char *key,
                                    const char *value, Error *err);
/* The same for each pair of a text; not for texts. */
MUST_CHECK Status settings_set_pairs(const Setting *rows, void *object, const char *text,
                                     Error *err);

/* The next name of a list of names; false at its end. */
bool setting_next_name(const char **names, char name[SETTING_WORD_MAX]);
bool setting_names_hold(const char *names, const char *wanted);

#endif
