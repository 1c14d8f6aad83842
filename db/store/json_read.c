/* SPDX-License-Identifier: MIT
 * Reading JSON objects with SQLite's JSON functions. */
#include "db/store/json_read.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/stmt.h"

static Status check_object(Store *store, const char *text, Error *err)
{
    Stmt stmt =
        stmt_open(store, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) END IS 'object'", err);
    stmt_bind_text(&stmt, 1, text);
    if (stmt_row(&stmt) && !stmt_int(&stmt, 0))
        stmt.status = error_set(err, STATUS_BAD_INPUT, "not a JSON object: %.60s", text);
    return stmt_close(&stmt);
}

/* The member from a row of (type, value as SQL, value as JSON); false: of another type. */
static bool take_value(Stmt *stmt, const Field *field, void *member)
{
    const char *type = stmt_text(stmt, 0);
    bool integer = strcmp(type, "integer") == 0, yes = strcmp(type, "true") == 0;

    switch (field->kind) {
    case FIELD_INT64: /* a number with a point or an exponent is another type */
        if (integer) *(int64_t *)member = stmt_int(stmt, 1);
        return integer;
    case FIELD_DOUBLE:
        if (strcmp(type, "null") == 0)
            *(double *)member = NAN;
        else if (integer || strcmp(type, "real") == 0)
            *(double *)member = strtod(stmt_text(stmt, 2), NULL); /* SQLite's may be a bit off */
        else
            return false;
        return true;
    case FIELD_BOOL:
        if (!yes && strcmp(type, "false") != 0) return false;
        *(bool *)member = yes;
        return true;
    case FIELD_ARRAY:
        if (strcmp(type, "text") != 0) return false;
        (void)snprintf(member, field->size, "%s", stmt_text(stmt, 1)); /* as it is */
        return true;
    default:
        assert(false); /* a kind that is not read */
        return false;
    }
}

Status json_read(Store *store, const char *object, const Field *fields, void *out, bool optional,
                 Error *err)
{
    Status status = check_object(store, object, err);
    if (status) return status;
    Stmt stmt = stmt_open(
        store, "SELECT json_type(?1, '$.' || ?2), ?1 ->> ('$.' || ?2), ?1 -> ('$.' || ?2)", err);
    for (const Field *f = fields; f->kind != FIELD_END && stmt.status == STATUS_OK; f++) {
        stmt_bind_text(&stmt, 1, object);
        stmt_bind_text(&stmt, 2, f->key);
        if (stmt_row(&stmt) && !take_value(&stmt, f, (char *)out + f->offset) && !optional)
            stmt.status =
                error_set(err, STATUS_BAD_INPUT, "field %s is missing or of another type", f->key);
        stmt_reset(&stmt);
    }
    return stmt_close(&stmt);
}

Status json_difference(Store *store, const char *then, const char *now, char *text, size_t size,
                       Error *err)
{
    text[0] = '\0';
    Status status = check_object(store, then, err);
    if (status == STATUS_OK) status = check_object(store, now, err);
    if (status) return status;
    Stmt stmt =
        stmt_open(store,
                  "SELECT e.key, ifnull(?2 -> e.fullkey, 'none'), ifnull(?1 -> e.fullkey, 'none')"
                  " FROM (SELECT 1 AS pass, id, key, fullkey FROM json_each(?2) UNION ALL"
                  " SELECT 2, id, key, fullkey FROM json_each(?1)) AS e"
                  " WHERE ?1 -> e.fullkey IS NOT ?2 -> e.fullkey ORDER BY e.pass, e.id LIMIT 1",
                  err);
    stmt_bind_text(&stmt, 1, then);
    stmt_bind_text(&stmt, 2, now);
    if (stmt_row(&stmt))
        (void)snprintf(text, size, "%s %s instead of %s", stmt_text(&stmt, 0), stmt_text(&stmt, 1),
                       stmt_text(&stmt, 2));
    return stmt_close(&stmt);
}
