import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, addressesOf } from "../../ui/page/place.ts";
import { isMeant, parseKey } from "../../ui/render/keys.ts";
import { keysOf, plan } from "../../ui/state/match.ts";
import { inOrder, Outbox } from "../../ui/state/outbox.ts";
import { parsePath, propertiesOf } from "../../ui/state/path.ts";
import { messagesOf, type Batch, type Message } from "../../ui/state/wire.ts";
import { cut, errorText, treeOf } from "../../ui/variables/rows.ts";
import { ago, variablesOf } from "../../ui-home/sessions.ts";

const create = (id: number, parentId: number, priority = ""): Message => ({
  type: "create",
  data: { id, parentId, properties: priority ? { priority } : {} },
});
const update = (varId: number): Message => ({ type: "update", data: { varId, value: null } });
const ids = (messages: Message[]) =>
  messages.map(({ data }) => ("id" in data ? data.id : "varId" in data ? data.varId : 0));
const turn = () => new Promise((done) => setTimeout(done, 0));

test("a path is divided into what the server walks and what it is told beside", () => {
  const path = parsePath("people.0.name?access=r&item=Row&keypress&scrollOnOutput=false&x=a=b");
  assert.equal(path.path, "people.0.name");
  assert.deepEqual(path.properties, { access: "r", itemWrapper: "Row", x: "a=b" });
  assert.deepEqual([...path.flags], ["keypress"]);
  assert.deepEqual(propertiesOf(path, { access: "rw" })["access"], "r");
});

test("how a path ends says how it may be used", () => {
  const endings = ["a.b", "a()", "a.b(_)", "a()?access=rw", "a().b"].map(
    (text) => parsePath(text).ending,
  );
  assert.deepEqual(endings, ["field", "call", "setter", "call", "field"]);
});

test("messages of one turn are one batch, in their order", async () => {
  const sent: Batch[] = [];
  const outbox = new Outbox((batch) => sent.push(batch));
  outbox.push(update(1));
  outbox.push(update(2));
  assert.equal(sent.length, 0);
  await turn();
  assert.deepEqual(
    sent.map(({ messages }) => ids(messages)),
    [[1, 2]],
  );
  assert.equal(sent[0]?.userEvent, false);
});

test("what a person did is sent before the turn ends, with what was waiting, in one batch", async () => {
  const sent: Batch[] = [];
  const outbox = new Outbox((batch) => sent.push(batch));
  outbox.push(update(1));
  outbox.userEvent(() => {
    outbox.push(update(2));
    outbox.userEvent(() => outbox.push(update(3)));
    assert.equal(sent.length, 0);
  });
  assert.deepEqual(
    sent.map(({ userEvent, messages }) => [userEvent, ids(messages)]),
    [[true, [1, 2, 3]]],
  );
  await turn();
  assert.equal(sent.length, 1);
});

test("creates are answered at once, whoever caused them", async () => {
  const sent: Batch[] = [];
  const outbox = new Outbox((batch) => sent.push(batch));
  outbox.push(create(2, 1));
  await turn();
  assert.equal(sent[0]?.userEvent, true);
});

test("high priority comes first among creates, never before its parent, and edits stay before actions", () => {
  const low = create(2, 1, "low");
  const child = create(4, 2, "high");
  assert.deepEqual(ids(inOrder([low, create(3, 1), child, create(5, 1, "high")])), [5, 3, 2, 4]);
  assert.deepEqual(
    ids(inOrder([update(9), create(2, 1), create(3, 1, "high"), update(8)])),
    [9, 3, 2, 8],
  );
});

test("a frame is one message or several, and what is none is left out", () => {
  assert.equal(messagesOf('{"type":"update","data":{"varId":1}}').length, 1);
  assert.equal(messagesOf('[{"type":"x","data":{}},{"type":"update"},3,null]').length, 1);
});

test("rows are known by their object, twice the same by count, others by their place", () => {
  assert.deepEqual(keysOf([{ obj: 5 }, { obj: 7 }, { obj: 5 }, "x", null]), [
    "5",
    "7",
    "5 1",
    "at 3",
    "at 4",
  ]);
});

test("the fewest rows move", () => {
  const moved = (old: string, next: string) => {
    const { from, stay, gone } = plan([...old], [...next]);
    return {
      from,
      moves: from.filter((source, index) => source >= 0 && !stay.has(index)).length,
      gone,
    };
  };
  assert.deepEqual(moved("abcd", "bcda"), { from: [1, 2, 3, 0], moves: 1, gone: [] });
  assert.deepEqual(moved("abcd", "dabc"), { from: [3, 0, 1, 2], moves: 1, gone: [] });
  assert.deepEqual(moved("abcd", "xabd"), { from: [-1, 0, 1, 3], moves: 0, gone: [2] });
  assert.deepEqual(moved("abcde", "edcba").moves, 4);
  assert.deepEqual(moved("", "ab"), { from: [-1, -1], moves: 0, gone: [] });
});

test("any order can be reached by moving only what does not stay", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 16807) % 2147483647) % below;
  const shuffled = (text: string) =>
    [...text]
      .map((c) => [random(1e6), c] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, c]) => c);
  for (let round = 0; round < 300; round += 1) {
    const old = shuffled("abcdefgh").slice(0, random(9));
    const next = shuffled("abcdefgh").slice(0, random(9));
    const { from, stay, gone } = plan(old, next);
    const left = old.filter((_, index) => !gone.includes(index));
    const kept = [...stay].sort((a, b) => a - b).map((index) => next[index] as string);
    // What stays is in its order already.
    assert.deepEqual(
      kept,
      left.filter((key) => kept.includes(key)),
    );
    assert.deepEqual(
      from.map((source) => old[source] ?? null),
      next.map((key) => (old.includes(key) ? key : null)),
    );
  }
});

test("after a restart, rows whose objects have other ids go on by their order", () => {
  const { from, gone } = plan(["2", "3", "4"], ["12", "3", "14", "15"], true);
  assert.deepEqual(from, [0, 1, 2, -1]);
  assert.deepEqual(gone, []);
  assert.deepEqual(plan(["2", "3"], ["9"], true), { from: [0], stay: new Set([0]), gone: [1] });
});

test("keys have exactly their modifiers", () => {
  const pressed = (key: string, more = {}) => ({
    key,
    code: "",
    ctrlKey: false,
    shiftKey: false,
    altKey: false,
    metaKey: false,
    ...more,
  });
  const key = (text: string) => parseKey(text) ?? assert.fail(text);
  assert.equal(isMeant(pressed("s", { ctrlKey: true }), key("ctrl-s")), true);
  assert.equal(isMeant(pressed("s"), key("ctrl-s")), false);
  assert.equal(isMeant(pressed("S", { ctrlKey: true, shiftKey: true }), key("ctrl-s")), false);
  assert.equal(isMeant(pressed("!", { shiftKey: true, code: "Digit1" }), key("shift-1")), true);
  assert.equal(isMeant(pressed(" "), key("SPACE")), true);
  assert.equal(isMeant(pressed("F12"), key("f12")), true);
  assert.deepEqual(
    [parseKey("ctrl-"), parseKey("hyper-a"), parseKey("f13"), parseKey("ab")],
    Array(4).fill(undefined),
  );
});

test("where the page is: said by the server, or by its address", () => {
  const documentWith = (metas: Record<string, string>) =>
    ({
      querySelector: (selector: string) => {
        const content = metas[/name="([^"]+)"/.exec(selector)?.[1] ?? ""];
        return content === undefined ? null : { getAttribute: () => content };
      },
    }) as unknown as Document;
  assert.deepEqual(placeOf(documentWith({}), "/7/some/path"), { session: "7", base: "/" });
  const place = placeOf(documentWith({ "ui-session": "2", "ui-base": "/ui/s" }), "/ui/s/2/");
  assert.deepEqual(place, { session: "2", base: "/ui/s/" });
  const { socket, page, variables } = addressesOf(place, "https://host:1");
  assert.equal(socket, "wss://host:1/ui/s/ws/2");
  assert.equal(page, "https://host:1/ui/s/2/");
  assert.equal(variables, "https://host:1/ui/s/2/variables.json");
});

test("the debug tree: parents hold their children, long values are cut, errors are words", () => {
  const tree = treeOf([
    { id: 1, parentId: 0 },
    { id: 3, parentId: 1 },
    { id: 9, parentId: 77 },
  ]);
  assert.deepEqual(
    tree.map(({ id, children }) => [id, children.map((child) => child.id)]),
    [
      [1, [3]],
      [9, []],
    ],
  );
  assert.equal(cut("x".repeat(100)), "x".repeat(100));
  assert.equal(cut("ü".repeat(101)), `${"ü".repeat(100)}…`);
  assert.equal(errorText({ code: "lua-error", description: "no" }), "lua-error: no");
});

test("times of the overview in words", () => {
  const now = 1_000_000_000;
  const words = [0, 59, 61, 3_600, 200_000].map((seconds) => ago(now - seconds * 1000, now));
  assert.deepEqual(words, [
    "just now",
    "59 seconds ago",
    "1 minute ago",
    "1 hour ago",
    "2 days ago",
  ]);
  const session = { id: "1", url: "http://h/1", type: "", connections: 0 };
  assert.equal(variablesOf(session), "http://h/1/variables");
});
