#!/bin/sh
# The same by Open MPI, one process a node: gpuadvise-fleet.sh HOSTFILE [TEST...]. A record goes to a folder that all nodes share.
# The hosts of the file, whose lines may say slots=8, must each have left one.
hosts=$1
shift
records=${GPUADVISE_RECORDS:-$PWD/gpuadvise-fleet}
mkdir -p "$records"
# bench --record exits 0 whatever it finds: mpirun ends the whole job when a process of it does not.
mpirun --hostfile "$hosts" --map-by ppr:1:node --bind-to none gpuadvise bench "$@" --record "$records"
expected=$(sed 's/#.*//; s/[[:space:]].*//' "$hosts")
gpuadvise bench fleet "$records" --expect "$(echo $expected | tr ' ' ,)" --format slurm -o "$records/drain.sh"
gpuadvise bench fleet "$records" --expect "$(echo $expected | tr ' ' ,)"
