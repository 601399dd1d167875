#!/usr/bin/env bash
# Makes the data folder the first time, then becomes the server. Another command than postgres is run as it is.
set -euo pipefail

if [[ $# -eq 0 || $1 == -* ]]; then
    set -- postgres "$@"
fi
if [[ $1 != postgres ]]; then
    exec "$@"
fi

if [[ ! -s $PGDATA/PG_VERSION ]]; then
    initialise.sh
fi

# A parallel build of an index shares its memory in /dev/shm, and fails where that is too small.
shared_mb=$(($(df --output=size --block-size=1M /dev/shm | tail -n 1)))
if ((shared_mb < 300)); then
    echo "engram: /dev/shm has ${shared_mb} MB, so indexes are built by one process; start the container with --shm-size=1g" >&2
    set -- "$@" -c max_parallel_maintenance_workers=0
fi

exec "$@"
