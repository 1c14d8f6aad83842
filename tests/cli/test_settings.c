/* SPDX-License-Identifier: MIT
 * Tables of settings: no member of a settings struct lacks its row, and what identities, defaults
 * and reports make of the rows. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "tuner/learn/settings.h"

/* Marks the bytes of the members that have rows. */
static void mark(const Setting *rows, size_t base, unsigned char *marked)
{
    for (const Setting *row = rows; row->kind != FIELD_END; row++) {
        if (row->rows)
            mark(row->rows, base + (row->name ? 0 : row->offset), marked);
        else if (!row->heading)
            memset(marked + base + row->offset, 1, row->size ? row->size : 1);
    }
}

/* A member that is no setting. */
typedef struct Other {
    size_t offset, size;
} Other;

#define OTHER(type, member)                                                                        \
    {                                                                                              \
        offsetof(type, member), sizeof(((type *)0)->member)                                        \
    }

static const Other of_positions[] = {OTHER(PositionFilter, left_out), {0}};
static const Other of_filter[] = {OTHER(DatasetFilter, positions.left_out),
                                  OTHER(DatasetFilter, leaf_weights),
                                  OTHER(DatasetFilter, td),
                                  OTHER(DatasetFilter, td_scale),
                                  OTHER(DatasetFilter, takes_run),
                                  OTHER(DatasetFilter, context),
                                  OTHER(DatasetFilter, terms),
                                  OTHER(DatasetFilter, pieces),
                                  {0}};
static const Other of_fit[] = {OTHER(FitSettings, threads), {0}};
static const Other of_tune[] = {OTHER(TuneSettings, fit.threads), {0}};
static const Other of_train[] = {OTHER(TrainSettings, stream_above),
                                 OTHER(TrainSettings, threads),
                                 OTHER(TrainSettings, from),
                                 OTHER(TrainSettings, from_hash),
                                 {0}};
/* What searches outside of games have. */
static const Other of_limits[] = {OTHER(SearchLimits, time_ms),
                                  OTHER(SearchLimits, increment_ms),
                                  OTHER(SearchLimits, multipv),
                                  OTHER(SearchLimits, mate),
                                  OTHER(SearchLimits, infinite),
                                  OTHER(SearchLimits, ponder),
                                  OTHER(SearchLimits, alone),
                                  OTHER(SearchLimits, root_moves),
                                  OTHER(SearchLimits, root_move_count),
                                  OTHER(SearchLimits, interrupted),
                                  {0}};
static const Other none[] = {{0}};

static const struct {
    const Setting *rows;
    size_t size;
    const Other *others;
} tables[] = {
    {position_filter_settings, sizeof(PositionFilter), of_positions},
    {dataset_filter_settings, sizeof(DatasetFilter), of_filter},
    {fit_settings, sizeof(FitSettings), of_fit},
    {tune_settings, sizeof(TuneSettings), of_tune},
    {train_settings, sizeof(TrainSettings), of_train},
    {opening_settings, sizeof(OpeningSettings), none},
    {adjudication_settings, sizeof(Adjudication), none},
    {exploration_settings, sizeof(Exploration), none},
    {limits_settings, sizeof(SearchLimits), of_limits},
};

/* Bytes that no row has are padding: fewer than a pointer's, and before an aligned place. A lone
 * bool between a bool and a double would look so, too. */
START_TEST(every_member_has_a_row)
{
    unsigned char marked[1024] = {0};
    size_t size = tables[_i].size, gap = 0;

    ck_assert_uint_le(size, sizeof marked);
    mark(tables[_i].rows, 0, marked);
    for (const Other *other = tables[_i].others; other->size > 0; other++)
        memset(marked + other->offset, 1, other->size);
    for (size_t at = 0; at < size; at++) {
        gap = marked[at] ? 0 : gap + 1;
        ck_assert_msg(gap < sizeof(void *), "table %d: bytes %zu to %zu have no row", _i,
                      at + 1 - gap, at);
        if (gap > 0 && at + 1 < size && marked[at + 1])
            ck_assert_msg((at + 1) % sizeof(int) == 0, "table %d: byte %zu", _i, at);
    }
}
END_TEST

static char *identity(const Setting *rows, const char *names, SettingsUse use, const void *object)
{
    Error err = {0};
    JsonWriter w;
    char *text;

    json_begin_text(&w, true);
    settings_json(&w, rows, names, use, object);
    ck_assert_int_eq(json_finish_text(&w, &text, &err), STATUS_OK);
    return text;
}

START_TEST(identities_leave_out_what_is_neutral)
{
    FitSettings fit = {0};

    settings_default(fit_settings, &fit);
    char *text =
        identity(fit_settings, "decay noise-floor iterations prior", SETTINGS_IDENTITY, &fit);
    ck_assert_str_eq(text, "{\"max_iterations\":100,\"prior\":20}");
    free(text);
    fit.weighing.decay = 0.5;
    fit.loss.kind = LOSS_NOISE_FLOOR;
    fit.prior = FIT_PRIOR_AUTO;
    text = identity(fit_settings, "decay noise-floor iterations prior", SETTINGS_REPORT, &fit);
    ck_assert_str_eq(text, "{\"decay\":0.5,\"noise_floor\":0.02,\"iterations\":100,"
                           "\"prior\":\"auto\"}");
    free(text);
}
END_TEST

START_TEST(comments_name_what_differs)
{
    FitSettings usual = {0}, fit;
    char text[256] = "";

    settings_default(fit_settings, &usual);
    fit = usual;
    fit.lambda = 0.25;
    fit.prior_zero = true;
    settings_append(fit_settings, "lambda prior-toward folds", &fit, &usual, text, sizeof text);
    ck_assert_str_eq(text, "lambda 0.25, prior-toward zero");
}
END_TEST

START_TEST(pairs_and_their_end)
{
    Adjudication a = {0};
    Error err = {0};
    char text[SETTING_TEXT_MAX];
    const Setting *win = adjudication_settings;

    settings_default(adjudication_settings, &a);
    setting_text(win, &a, text);
    ck_assert_str_eq(text, "score=2000,plies=5");
    ck_assert_int_eq(setting_set(win, &a, "--", "sides=one,plies=3", &err), STATUS_OK);
    setting_text(win, &a, text);
    ck_assert_str_eq(text, "score=2000,plies=3,sides=one");
    ck_assert_int_eq(setting_set(win, &a, "--", "none", &err), STATUS_OK);
    ck_assert_int_eq(a.win_plies, 0);
    setting_text(win, &a, text);
    ck_assert_str_eq(text, "none");
    ck_assert_int_eq(setting_set(win, &a, "--", "plies=0", &err), STATUS_USAGE);
    ck_assert_str_eq(err.text, "--adjudicate-win: plies must be from 1 to 32000, not 0");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, identities_leave_out_what_is_neutral, comments_name_what_differs,
              pairs_and_their_end);
    tcase_add_loop_test(c, every_member_has_a_row, 0, (int)(sizeof tables / sizeof *tables));
    return support_run(c);
}
