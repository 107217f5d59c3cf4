"""What `cargo xtask bench campaign` measures Tandem against: the same tools on the official Python SDK, in the fastest of
the ways it offers (JSON answers, uvicorn with uvloop and httptools), with SQLite as strict as Tandem's: a write-ahead
log, on the disk before the answer.

    python server.py DATABASE

It prints the address it listens on as its first line. It ends when its standard input does.
"""

import json
import secrets
import socket
import sqlite3
import sys
import threading
import uuid
from datetime import datetime, timezone
from typing import Annotated, Literal

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field, StringConstraints
from typing_extensions import NotRequired, TypedDict

GmMode = Literal["HUMAN", "AI", "HYBRID"]
Role = Literal["GM", "PLAYER"]
Controller = Literal["HUMAN", "AI"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1024)]
Die = Annotated[int, Field(ge=1, le=12)]


class Campaign(TypedDict):
    id: str
    name: str
    gm_mode: GmMode
    participant_count: int
    actor_count: int
    theme_prompt: str


class Participant(TypedDict):
    id: str
    campaign_id: str
    display_name: str
    role: Role
    controller: Controller
    created_at: str
    updated_at: str


class Roll(TypedDict):
    hope: Die
    fear: Die
    modifier: int
    difficulty: NotRequired[int]
    total: int
    is_crit: bool
    meets_difficulty: bool
    outcome: Literal[
        "ROLL_WITH_HOPE",
        "ROLL_WITH_FEAR",
        "SUCCESS_WITH_HOPE",
        "SUCCESS_WITH_FEAR",
        "FAILURE_WITH_HOPE",
        "FAILURE_WITH_FEAR",
        "CRITICAL_SUCCESS",
    ]


# Transactions are begun and ended here, not by the module.
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.row_factory = sqlite3.Row
database.executescript("""
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table campaigns (
        id text primary key, name text not null, gm_mode text not null, theme_prompt text not null,
        participant_count integer not null default 0, actor_count integer not null default 0);
    create table participants (
        id text primary key, campaign_id text not null references campaigns (id), display_name text not null,
        role text not null, controller text not null, created_at text not null, updated_at text not null);
""")

mcp = MCPServer("campaign", log_level="WARNING")


# The tools are `async` so that they run in the event loop: a thread for each call would cost more than the call.
@mcp.tool()
async def campaign_create(name: Name, gm_mode: GmMode, theme_prompt: str = "") -> Campaign:
    """Create a campaign."""
    given = (f"camp_{uuid.uuid4()}", name, gm_mode, theme_prompt)
    made = database.execute(
        "insert into campaigns (id, name, gm_mode, theme_prompt) values (?, ?, ?, ?) returning *", given
    )
    return Campaign(**made.fetchone())


@mcp.tool()
async def participant_create(
    campaign_id: str, display_name: Name, role: Role, controller: Controller = "HUMAN"
) -> Participant:
    """Let somebody join a campaign."""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = Participant(
        id=f"part_{uuid.uuid4()}",
        campaign_id=campaign_id,
        display_name=display_name,
        role=role,
        controller=controller,
        created_at=now,
        updated_at=now,
    )
    # Commits at the end of the block, or rolls back what an error left.
    with database:
        database.execute("begin immediate")
        counted = database.execute(
            "update campaigns set participant_count = participant_count + 1 where id = ?", (campaign_id,)
        )
        if counted.rowcount == 0:
            raise ToolError("NotFound: campaign not found")
        database.execute(
            "insert into participants (id, campaign_id, display_name, role, controller, created_at, updated_at)"
            " values (:id, :campaign_id, :display_name, :role, :controller, :created_at, :updated_at)",
            made,
        )
    return made


@mcp.tool(annotations=ToolAnnotations(read_only_hint=True))
async def duality_action_roll(
    modifier: int = 0, difficulty: Annotated[int | None, Field(ge=0)] = None
) -> Roll:
    """Roll the Duality dice."""
    hope = 1 + secrets.randbelow(12)
    fear = 1 + secrets.randbelow(12)
    total = hope + fear + modifier
    is_crit = hope == fear
    meets_difficulty = difficulty is not None and (is_crit or total >= difficulty)
    ruling = "ROLL" if difficulty is None else "SUCCESS" if meets_difficulty else "FAILURE"
    roll = Roll(
        hope=hope,
        fear=fear,
        modifier=modifier,
        total=total,
        is_crit=is_crit,
        meets_difficulty=meets_difficulty,
        outcome="CRITICAL_SUCCESS" if is_crit else f"{ruling}_WITH_{'HOPE' if hope > fear else 'FEAR'}",
    )
    if difficulty is not None:
        roll["difficulty"] = difficulty
    return roll


@mcp.resource("campaigns://list", mime_type="application/json")
async def campaigns() -> str:
    rows = database.execute("select * from campaigns order by rowid")
    return json.dumps({"campaigns": [dict(row) for row in rows]})


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    app = mcp.streamable_http_app(json_response=True)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        log_level="warning",
        access_log=False,
        # The load keeps its connections open longer than uvicorn's default of five seconds.
        timeout_keep_alive=600,
    )
    server = uvicorn.Server(config)

    def end_with_input() -> None:
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=end_with_input, daemon=True).start()
    print(f"127.0.0.1:{listener.getsockname()[1]}", flush=True)
    server.run(sockets=[listener])


main()
