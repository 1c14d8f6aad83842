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
static const char family_names[] = EVAL_FAMILY_LIST(EVAL_FAMILY_COMMA) "squares, classical";
#undef EVAL_FAMILY_COMMA

/* Sets of several families with a name; the greatest first. */
static const struct {
    const char *name;
    EvalFamilies families;
} named_sets[] = {{"classical", EVAL_CLASSICAL_FAMILIES}, {"squares", EVAL_ALL_SQUARES}};
enum { NAMED_SETS = sizeof named_sets / sizeof *named_sets };

static bool is_name(const char *name, const char *text, size_t length)
{
    return length == strlen(name) && strncmp(name, text, length) == 0;
}

/* The families of one name; 0 when the name is unknown. */
static EvalFamilies families_named(const char *name, size_t length)
{
    for (int s = 0; s < NAMED_SETS; s++)
        if (is_name(named_sets[s].name, name, length)) return named_sets[s].families;
    for (int f = 0; f < EVAL_FAMILIES; f++)
        if (is_name(eval_family_name[f], name, length)) return eval_family(f);
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

    out[0] = '\0';
    for (int s = 0; s < NAMED_SETS && used == 0; s++)
        if ((families & named_sets[s].families) == named_sets[s].families) {
            used = (size_t)snprintf(out, EVAL_FAMILIES_TEXT_MAX, "%s", named_sets[s].name);
            families &= ~named_sets[s].families;
        }
    for (int f = 0; f < EVAL_FAMILIES; f++)
        if (families & eval_family(f))
            used += (size_t)snprintf(out + used, EVAL_FAMILIES_TEXT_MAX - used, "%s%s",
                                     used ? "," : "", eval_family_name[f]);
}
