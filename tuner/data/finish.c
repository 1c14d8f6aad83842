/* SPDX-License-Identifier: MIT
 * Duplicates, the digest, and the refusal of empty sets. */
#include "tuner/data/finish.h"

#include "tuner/data/duplicates.h"
#include "tuner/data/fingerprint.h"
#include "tuner/data/scratch.h"

static void count_duplicates(Dataset *data, const int32_t *first)
{
    for (int64_t i = 0; i < data->positions; i++) {
        if (first[i] == i) continue;
        data->stats.duplicates++;
        data->stats.contradicting += data->result[i] != data->result[first[i]];
        data->stats.shared += data->game[i] != data->game[first[i]];
    }
}

Status dataset_finish(Dataset *data, int threads, Error *err)
{
    uint64_t *hash;
    int32_t *first = NULL;

    Status status = dataset_trim(data, err);
    if (status != STATUS_OK) return status;
    status = fingerprint_positions(data, threads, &hash, err);
    if (status == STATUS_OK) status = fingerprint_digest(data, hash, threads, err);
    if (status == STATUS_OK) status = dataset_duplicates(data, hash, NULL, 0, threads, &first, err);
    if (status == STATUS_OK) count_duplicates(data, first);
    scratch_free(data->scratch, first);
    scratch_free(data->scratch, hash);
    return status;
}

static Status check(const Dataset *data, const char *source, Error *err)
{
    const DatasetStats *s = &data->stats;
    char left_out[DATASET_LEFT_OUT_MAX];

    if (data->positions > 0) return STATUS_OK;
    if (s->positions_read == 0) return error_set(err, STATUS_BAD_INPUT, "%s: no positions", source);
    dataset_left_out(s, left_out);
    return error_set(err, STATUS_BAD_INPUT, "%s: no position passes the filters; left out: %s%s",
                     source, left_out,
                     s->dropped[DROP_UNSCORED] == s->positions_read ? "; --keep-unscored reads them"
                                                                    : "");
}

Status dataset_finish_reading(Status status, const char *source, int threads, Dataset **data,
                              Error *err)
{
    if (status == STATUS_OK) status = check(*data, source, err);
    if (status == STATUS_OK) status = dataset_finish(*data, threads, err);
    if (status == STATUS_OK) return STATUS_OK;
    dataset_destroy(*data);
    *data = NULL;
    return status;
}
