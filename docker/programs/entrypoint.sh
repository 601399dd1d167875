#!/bin/sh
# engram-pg, with the password of the database from the file that ENGRAM_PASSWORD_FILE names, and the key of a model's server
# from the one of ENGRAM_EMBEDDING_KEY_FILE.
set -eu
if [ -n "${ENGRAM_PASSWORD_FILE:-}" ]; then
    PGPASSWORD=$(cat "$ENGRAM_PASSWORD_FILE")
    export PGPASSWORD
fi
if [ -n "${ENGRAM_EMBEDDING_KEY_FILE:-}" ]; then
    ENGRAM_EMBEDDING_KEY=$(cat "$ENGRAM_EMBEDDING_KEY_FILE")
    export ENGRAM_EMBEDDING_KEY
fi
exec engram-pg "$@"
