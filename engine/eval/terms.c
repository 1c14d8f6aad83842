/* SPDX-License-Identifier: MIT
 * The evaluation terms as data, and sets of their families as text. */
#include "engine/eval/terms.h"

#include <stdio.h>
#include <string.h>

#define EVAL_TERM_ROW(FAMILY, NAME, n, text)                                                       \
    {#NAME, EVAL_FAMILY_##FAMILY, EVAL_##NAME, (n), (text)},
const EvalTermInfo eval_term_info[] = {EVAL_TERM_LIST(EVAL_TERM_ROW){NULL, 0, 0, 0, NULL}};
#undef EVAL_TERM_ROW

#define EVAL_FAMILY_NAME(NAME, name) name,
const char *const eval_family_name[] = {EVAL_FAMILY_LIST(EVAL_FAMILY_NAME)};
#undef EVAL_FAMILY_NAME

#define EVAL_FAMILY_COMMA(NAME, name) name ", "
static const char family_names[] = EVAL_FAMILY_LIST(EVAL_FAMILY_COMMA) "classical";
#undef EVAL_FAMILY_COMMA

/* The families of one name; 0 when the name is unknown. */
static EvalFamilies families_named(const char *name, size_t length)
{
    if (length == strlen("classical") && strncmp(name, "classical", length) == 0)
        return EVAL_ALL_FAMILIES;
    for (int f = 0; f < EVAL_FAMILIES; f++)
        if (length == strlen(eval_family_name[f]) &&
            strncmp(name, eval_family_name[f], length) == 0)
            return eval_family(f);
    return 0;
}

Status eval_families_parse(const char *text, EvalFamilies *families, Error *err)
{
    EvalFamilies set = EVAL_MATERIAL_PST;

    for (const char *name = text;; name++) {
        size_t length = strcspn(name, ",");
        EvalFamilies named = families_named(name, length);
        if (!named)
            return error_set(err, STATUS_USAGE, "unknown family of terms '%.*s'; known are %s",
                             (int)(length < 40 ? length : 40), name, family_names);
        set |= named;
        name += length;
        if (*name == '\0') break;
    }
    *families = set;
    return STATUS_OK;
}

void eval_families_text(EvalFamilies families, char out[EVAL_FAMILIES_TEXT_MAX])
{
    size_t used = 0;

    if (families == EVAL_ALL_FAMILIES) {
        (void)snprintf(out, EVAL_FAMILIES_TEXT_MAX, "classical");
        return;
    }
    out[0] = '\0';
    for (int f = 0; f < EVAL_FAMILIES; f++)
        if (families & eval_family(f))
            used += (size_t)snprintf(out + used, EVAL_FAMILIES_TEXT_MAX - used, "%s%s",
                                     used ? "," : "", eval_family_name[f]);
}
