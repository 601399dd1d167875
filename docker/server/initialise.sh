#!/usr/bin/env bash
# Makes the data folder: roles, the database engram, the schema in it, its jobs, the roles of the programs, and the SQL in
# /etc/engram/init.d.
# It gets its name at the very end, so one that was interrupted is begun anew.
set -euo pipefail

say() { echo "engram: $*" >&2; }

# The value of a variable, or what is in the file that the variable with _FILE names.
secret() {
    local file="$1_FILE"
    if [[ -n ${!file:-} ]]; then
        [[ -s ${!file} ]] || { say "$file names ${!file}, which is not there or empty"; return 1; }
        cat "${!file}"
    else
        printf '%s' "${!1:-}"
    fi
}

ENGRAM_PASSWORD=$(secret ENGRAM_PASSWORD)
POSTGRES_PASSWORD=$(secret POSTGRES_PASSWORD)
ENGRAM_WORKER_PASSWORD=$(secret ENGRAM_WORKER_PASSWORD)
ENGRAM_MCP_PASSWORD=$(secret ENGRAM_MCP_PASSWORD)
export ENGRAM_PASSWORD POSTGRES_PASSWORD
if [[ -z $ENGRAM_PASSWORD ]]; then
    say "the role engram needs a password: set ENGRAM_PASSWORD_FILE to a file that holds it, or ENGRAM_PASSWORD"
    exit 1
fi

new=$PGDATA.new
sockets=$(mktemp -d)
rm -rf "$new"

say "making the data folder $PGDATA"
initdb --pgdata="$new" --username=postgres --encoding=UTF8 --locale=C.UTF-8 --locale-provider=builtin \
    --builtin-locale=C.UTF-8 --auth=peer --data-checksums --no-instructions >/dev/null
echo "include_dir '/etc/engram/conf.d'" >> "$new/postgresql.conf"

# pg_cron looks for its database when the server starts.
postgres --single -D "$new" -c shared_preload_libraries= -c log_min_messages=error postgres >/dev/null <<'SQL'
create role engram login
create database engram owner engram
SQL

pg_ctl start --wait --silent --pgdata="$new" --log="$sockets/log" \
    --options="-c listen_addresses='' -c unix_socket_directories='$sockets'" \
    || { cat "$sockets/log" >&2; exit 1; }
export PGHOST=$sockets PGDATABASE=engram
run() { psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$1" "${@:2}"; }

run postgres <<'SQL'
\getenv engram_password ENGRAM_PASSWORD
\getenv postgres_password POSTGRES_PASSWORD
alter role engram password :'engram_password';
select :'postgres_password' <> '' as given \gset
\if :given
    alter role postgres password :'postgres_password';
\endif
create extension vector;
create extension pg_cron;
grant usage on schema cron to engram;
SQL

say "installing the schema"
gunzip --stdout /usr/share/engram/engram.sql.gz | run engram
run engram --output=/dev/null --command='select * from engram.schedule()'

# A role that logs in and may do what its level says, if it is given a password.
program() {
    local role=$1 level=$2
    [[ -n $3 ]] || return 0
    say "making the role $role, a $level"
    password=$3 run postgres --set=role="$role" <<'SQL'
\getenv password password
create role :"role" login password :'password';
SQL
    run engram --output=/dev/null --set=role="$role" --set=level="$level" <<<"select engram.grant_usage(:'role', :'level');"
}
program engram_worker worker "$ENGRAM_WORKER_PASSWORD"
program engram_mcp writer "$ENGRAM_MCP_PASSWORD"

shopt -s nullglob
for file in /etc/engram/init.d/*.sql /etc/engram/init.d/*.sql.gz; do
    say "running $file"
    case $file in
        *.gz) gunzip --stdout "$file" ;;
        *) cat "$file" ;;
    esac | run postgres
done

pg_ctl stop --wait --silent --mode=fast --pgdata="$new"
rm -rf "$sockets"
mv "$new" "$PGDATA"
say "ready to start"
