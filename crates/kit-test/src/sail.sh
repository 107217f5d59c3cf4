# Starts a Spark Connect server ($1 is the program), says `ready` and where, waits for the end of its input, stops it.
set -u
home=$(mktemp -d)
"$1" spark server --port 0 --directory "$home" >"$home/log" 2>&1 </dev/null &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$home"' EXIT
place=
for _ in $(seq 300); do
    place=$(sed -n 's/.*server on \([0-9.]*:[0-9]*\).*/\1/p' "$home/log")
    [ -n "$place" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$place" ]; then
    cat "$home/log"
    exit 1
fi
echo "ready $place"
cat >/dev/null
