/* SPDX-License-Identifier: MIT
 * Figures of a fit as text and JSON. */
#include "cli/tune_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const piece_names[] = {"pawn", "knight", "bishop", "rook", "queen"};

/* ---- Text */

static void print_dropped(FILE *out, int64_t count, const char *why)
{
    if (count > 0) fprintf(out, "          %10" PRId64 " left out: %s\n", count, why);
}

static void print_data(FILE *out, const Dataset *data)
{
    const DatasetStats *stats = dataset_stats(data);

    fprintf(out,
            "positions %10" PRId64 " of %" PRId64 " games; %" PRId64 " duplicates, %" PRId64
            " of them with another result\n",
            dataset_positions(data), dataset_games(data), stats->duplicates, stats->contradicting);
    print_dropped(out, stats->dropped_drawn, "of drawn games");
    print_dropped(out, stats->dropped_ply, "outside the range of plies");
    print_dropped(out, stats->dropped_unscored, "a random move was played there");
    print_dropped(out, stats->dropped_score, "a mate score, or one beyond the limit");
    print_dropped(out, stats->dropped_check, "in check");
    print_dropped(out, stats->dropped_noisy, "a capture or promotion was played there");
    print_dropped(out, stats->dropped_unquiet, "a capture wins material");
}

static void print_scores(FILE *out, const char *name, const TuneScore *before,
                         const TuneScore *after)
{
    if (after->n == 0) return;
    fprintf(out,
            "%-9s %10" PRId64 " of %" PRId64
            " games; squared error %.6f -> %.6f, accuracy %.1f %% -> %.1f %%\n",
            name, after->n, after->games, before->mse, after->mse, 100 * before->accuracy,
            100 * after->accuracy);
}

static void print_pieces(FILE *out, const EvalWeights *w)
{
    fprintf(out, "%-9s", "value");
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
        fprintf(out, " %10s", piece_names[p]);
    for (int half = MG; half <= EG; half++) {
        fprintf(out, "\n%-9s", half == MG ? "  mg cp" : "  eg cp");
        for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
            fprintf(out, " %10d", w->term[EVAL_MATERIAL + p][half]);
    }
    fprintf(out, "\n%-9s", "  mean");
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
        fprintf(out, " %10.1f",
                (w->term[EVAL_MATERIAL + p][MG] + w->term[EVAL_MATERIAL + p][EG]) / 2.0);
    fputc('\n', out);
}

void tune_report_print(FILE *out, const TuneReport *report)
{
    const TuneResult *result = report->result;

    fprintf(out, "source    %s (read in %.1f s)\n", report->source, report->load_seconds);
    print_data(out, report->data);
    print_scores(out, "training", &result->train_before, &result->train_after);
    print_scores(out, "held out", &result->validation_before, &result->validation_after);
    fprintf(out, "fit       %d iterations from %s, best %d%s (%.1f s); K %.4f\n",
            result->iterations, report->start, result->best_iteration,
            result->converged ? ", converged" : ", not converged", report->fit_seconds, result->k);
    print_pieces(out, &result->weights);
    if (report->out) fprintf(out, "written   %s, weights %.12s\n", report->out, report->hash);
}

void tune_report_print_score(FILE *out, const char *label, const Dataset *data, double k,
                             const TuneScore *score)
{
    print_data(out, data);
    fprintf(out, "weights   %s\nK         %10.6f\nerror     %10.6f mean squared\n", label, k,
            score->mse);
    if (isfinite(score->accuracy))
        fprintf(out, "accuracy  %10.1f %% of decisive games' positions\n", 100 * score->accuracy);
}

/* ---- JSON */

static void json_data(JsonWriter *w, const Dataset *data)
{
    const DatasetStats *stats = dataset_stats(data);
    char digest[HASH_HEX_MAX];

    dataset_digest(data, digest);
    json_string(w, "digest", digest);
    json_int(w, "white_wins", stats->results[RESULT_WHITE_WINS]);
    json_int(w, "draws", stats->results[RESULT_DRAW]);
    json_int(w, "black_wins", stats->results[RESULT_BLACK_WINS]);
    json_int(w, "duplicates", stats->duplicates);
    json_int(w, "contradicting", stats->contradicting);
    json_object(w, "dropped");
    json_int(w, "drawn", stats->dropped_drawn);
    json_int(w, "ply", stats->dropped_ply);
    json_int(w, "unscored", stats->dropped_unscored);
    json_int(w, "score", stats->dropped_score);
    json_int(w, "check", stats->dropped_check);
    json_int(w, "noisy", stats->dropped_noisy);
    json_int(w, "unquiet", stats->dropped_unquiet);
    json_end_object(w);
}

static void json_scores(JsonWriter *w, const char *key, const TuneScore *before,
                        const TuneScore *after)
{
    json_object(w, key);
    json_int(w, "n", after->n);
    json_int(w, "games", after->games);
    json_double(w, "mse_before", before->mse, 12);
    json_double(w, "mse", after->mse, 12);
    json_double(w, "accuracy_before", before->accuracy, 12);
    json_double(w, "accuracy", after->accuracy, 12);
    json_end_object(w);
}

static void json_settings(JsonWriter *w, const TuneSettings *settings)
{
    json_object(w, "settings");
    json_double(w, "lambda", settings->lambda, 12);
    json_double(w, "k", settings->k, 12);
    json_double(w, "army", settings->army, 12);
    json_double(w, "prior", settings->prior, 12);
    json_double(w, "validation", settings->validation, 12);
    json_int(w, "iterations", settings->max_iterations);
    json_int(w, "patience", settings->patience);
    json_uint(w, "seed", settings->seed);
    json_end_object(w);
}

static void json_pieces(JsonWriter *w, const EvalWeights *weights)
{
    json_object(w, "pieces");
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++) {
        json_array(w, piece_names[p]);
        json_int(w, NULL, weights->term[EVAL_MATERIAL + p][MG]);
        json_int(w, NULL, weights->term[EVAL_MATERIAL + p][EG]);
        json_end_array(w);
    }
    json_end_object(w);
}

void tune_report_json(JsonWriter *w, const TuneReport *report)
{
    const TuneResult *result = report->result;

    json_string(w, "source", report->source);
    json_int(w, "n", dataset_positions(report->data));
    json_int(w, "games", dataset_games(report->data));
    json_double(w, "k", result->k, 12);
    json_double(w, "mse", result->train_after.mse, 12);
    json_double(w, "accuracy", result->train_after.accuracy, 12);
    json_data(w, report->data);
    json_string(w, "start", report->start);
    json_string(w, "start_hash", report->start_hash);
    json_string(w, "weights_hash", report->hash);
    json_settings(w, report->settings);
    json_double(w, "k_start", result->k_start, 12);
    json_bool(w, "k_fitted", result->k_fitted);
    json_double(w, "scale", result->scale, 12);
    json_int(w, "iterations", result->iterations);
    json_int(w, "best_iteration", result->best_iteration);
    json_int(w, "passes", result->passes);
    json_bool(w, "converged", result->converged);
    json_scores(w, "train", &result->train_before, &result->train_after);
    json_scores(w, "validation", &result->validation_before, &result->validation_after);
    json_pieces(w, &result->weights);
}

char *tune_report_json_text(const TuneReport *report)
{
    char *text = NULL;
    size_t size;
    JsonWriter w;
    FILE *memory = open_memstream(&text, &size);

    if (!memory) return NULL;
    json_begin(&w, memory);
    json_object(&w, NULL);
    tune_report_json(&w, report);
    json_end_object(&w);
    if (fclose(memory) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

void tune_report_json_score(JsonWriter *w, const char *label, const char *source,
                            const Dataset *data, double k, const TuneScore *score)
{
    json_string(w, "source", source);
    json_string(w, "weights", label);
    json_int(w, "n", score->n);
    json_int(w, "games", score->games);
    json_double(w, "k", k, 12);
    json_double(w, "mse", score->mse, 12);
    json_double(w, "accuracy", score->accuracy, 12);
    json_data(w, data);
}
