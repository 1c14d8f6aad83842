/* SPDX-License-Identifier: MIT
 * The search's tunable constants by name. */
#include "engine/search/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const SearchParamInfo search_param_info[] = {
#define SEARCH_PARAM_ROW(name, value, least, most, text)                                           \
    {#name, value, least, most, offsetof(SearchParams, name), text},
    SEARCH_PARAM_LIST(SEARCH_PARAM_ROW)
#undef SEARCH_PARAM_ROW
        {NULL, 0, 0, 0, 0, NULL}};

const SearchParamInfo *search_param_find(const char *name)
{
    const SearchParamInfo *info = search_param_info;
    while (info->name && strcmp(info->name, name) != 0)
        info++;
    return info->name ? info : NULL;
}

static int *field(SearchParams *params, const SearchParamInfo *info)
{
    return (int *)((char *)params + info->offset);
}

void search_params_defaults(SearchParams *params)
{
    for (const SearchParamInfo *info = search_param_info; info->name; info++)
        *field(params, info) = info->value;
}

Status search_params_set(SearchParams *params, const char *name, const char *value, Error *err)
{
    const SearchParamInfo *info = search_param_find(name);
    char *end;

    if (!info)
        return error_set(err, STATUS_USAGE,
                         "the search has no constant \"%s\"; tabia-engine spsa lists them", name);
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno || number < info->least || number > info->most)
        return error_set(err, STATUS_USAGE, "%s must be a number from %d to %d, not \"%s\"", name,
                         info->least, info->most, value);
    *field(params, info) = (int)number;
    return STATUS_OK;
}
