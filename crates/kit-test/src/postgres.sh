# Starts a PostgreSQL in a new directory, prints `ready <directory>`, and removes both when its input ends.
# $1: the directory of PostgreSQL's programs.
# Nothing but the end of the input ends this script, not even that nobody hears `ready` any more.
trap '' INT TERM HUP PIPE
cd /
directory=$(mktemp -d 2>/dev/null || mktemp -d /tmp/tmp.XXXXXXXXXX) || exit 1
log=$directory/log

start() {
    "$1/initdb" -D "$directory/data" -U postgres --auth=trust -E UTF8 --locale=C --no-sync >"$log" 2>&1 || return 1
    # No waiting for the disk: the tests kill clients, never the machine under the server.
    "$1/pg_ctl" start -w -s -D "$directory/data" -l "$log" \
        -o "-k $directory -c listen_addresses= -c max_connections=400 -F" >>"$log" 2>&1
}

if start "$1"; then
    echo "ready $directory" 2>/dev/null
    cat >/dev/null
    "$1/pg_ctl" stop -s -m immediate -D "$directory/data" >/dev/null 2>&1
else
    cat "$log"
fi
rm -rf "$directory"
