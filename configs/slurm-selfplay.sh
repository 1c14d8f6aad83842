#!/bin/bash
# SPDX-License-Identifier: MIT
# A range of a self-play run for each job of a Slurm array:
#   sbatch --array=0-99 configs/slurm-selfplay.sh
# Afterwards, anywhere: tabia db merge all.db part-*.db
# Submit a job that failed again by its number (--array=17): its saved games are kept, and those that a killed try left
# on the disk of the same node.
#SBATCH --job-name=tabia
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=64
#SBATCH --signal=B:TERM@60
set -eu

games=${GAMES:-10000}                       # of a job
settings=${SETTINGS:---nodes 5000 --seed 1} # the same for all jobs: they are one run
part=part-$(printf %04d "$SLURM_ARRAY_TASK_ID").db
run=$(printf '%s %s %s' "$PWD" "$games" "$settings" | cksum | cut -d ' ' -f 1)
scratch=${SLURM_TMPDIR:-${TMPDIR:-/tmp}}/tabia-$run-$SLURM_ARRAY_TASK_ID

# The job plays on the node's own disk and continues the file of an earlier try, together with what a killed try left on
# this disk. At the end, or a minute before the time limit (Slurm's signal above), the file is copied back.
exec 9>"$scratch.lock"
flock -w 60 9 || { echo "an earlier try of this job is still running" >&2; exit 1; } # a killed one may need a while
mkdir -p "$scratch"
if [ -e "$part" ]; then
    cp "$part" "$scratch/earlier.db"
    tabia db merge --quiet "$scratch/$part" "$scratch/earlier.db" >/dev/null
fi
save() {
    trap '' TERM
    if [ -e "$scratch/$part" ]; then
        tabia db upgrade "$scratch/$part" >/dev/null # takes in what a killed program left in the write-ahead log
        cp "$scratch/$part" "$part.new"
        mv "$part.new" "$part"
    fi
    rm -r "$scratch"
}
trap 'kill -TERM "$player" 2>/dev/null || true; wait "$player" || true; save; exit 1' TERM

# shellcheck disable=SC2086
tabia selfplay --db "$scratch/$part" --first-game $((SLURM_ARRAY_TASK_ID * games)) --games "$games" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --compact --quiet $settings &
player=$!
status=0
wait "$player" || status=$?
save
exit $status
