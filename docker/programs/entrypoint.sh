#!/bin/sh
# engram-pg, with the password of the database from the file that ENGRAM_PASSWORD_FILE names.
set -eu
if [ -n "${ENGRAM_PASSWORD_FILE:-}" ]; then
    PGPASSWORD=$(cat "$ENGRAM_PASSWORD_FILE")
    export PGPASSWORD
fi
exec engram-pg "$@"
