#!/bin/sh
# Adds the MCP server of spox to .mcp.json; other entries stay as they are. May be run any number of times.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
if command -v spox >/dev/null 2>&1; then
    exec spox init --path "$root" --mcp-json
fi
if command -v tandem >/dev/null 2>&1; then
    exec tandem spox init --path "$root" --mcp-json
fi
echo "error: neither \`spox\` nor \`tandem\` is on the PATH" >&2
exit 1
