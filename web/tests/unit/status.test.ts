import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, summary, type Status } from "../../home/status.ts";
import { words } from "../../kit/api.ts";

function status(ready: boolean, ...health: Status["applications"][number]["health"][]): Status {
  const mcp = { url: "", command: [] };
  const applications = health.map((each) => ({
    name: "",
    title: "",
    about: "",
    links: [],
    mcp,
    health: each,
  }));
  return {
    name: "tandem",
    version: "",
    uptime_seconds: 0,
    ready,
    auth: { required: false },
    mcp,
    applications,
  };
}

test("durations are said as people say them", () => {
  const said = [0, 59.9, 60, 3_599, 3_600, 7_500, 86_400, 90_000].map(duration);
  assert.deepEqual(said, ["0 s", "59 s", "1 min", "59 min", "1 h", "2 h 5 min", "1 d", "1 d 1 h"]);
});

test("one ill application makes the whole ill", () => {
  const ill = { status: "ill", reason: "no disk" } as const;
  assert.deepEqual(summary(status(true, { status: "well" })), { state: "well", text: "All well" });
  assert.deepEqual(summary(status(true, { status: "well" }, ill)), {
    state: "ill",
    text: "1 of 2 ill",
  });
  assert.equal(summary({ ...status(false), store: ill }).text, "Storage is ill");
  assert.deepEqual(summary(status(false, { status: "well" })), { state: "ill", text: "Not ready" });
});

test("an error is told in the server's words, with its hint", () => {
  assert.equal(words('{"error":"Universe not found"}', 404), "Universe not found");
  assert.equal(
    words('{"title":"Not Found","detail":"no star `x`","hint":"list them"}', 404),
    "no star `x`: list them",
  );
  assert.equal(words("<html>", 502), "the server answered 502");
  assert.equal(words("", 401), "the server wants a token");
});
