#!/bin/bash
# SPDX-License-Identifier: MIT
# One learning run on all nodes of a Slurm job:
#   sbatch --nodes=4 configs/slurm-learn.sh
# DIR must be on a disk of the first node: a database does not work on a network file system (docs/cluster.md).
# Submit it again with the same first node (--nodelist=NAME) when it failed or its time was over: it continues.
#SBATCH --job-name=tabia
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
set -eu

settings=${SETTINGS:---seed 1}
# shellcheck disable=SC2086
exec mpirun --map-by "ppr:1:node:PE=${SLURM_CPUS_PER_TASK:-1}" \
    tabia learn --config configs/learn.ini --from zero --dir "${DIR:-run}" --budget "${BUDGET:-1000ch}" --quiet $settings
