import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../ui/state/store.ts";
import type { Owner, Variable } from "../../ui/state/variable.ts";
import type { Batch, Failure, Message } from "../../ui/state/wire.ts";

function setUp() {
  const sent: Batch[] = [];
  const failures: Failure[] = [];
  const heard: string[] = [];
  const store = new Store((batch) => sent.push(batch), {
    viewdefs: (text) => heard.push(`viewdefs ${text}`),
    failure: (failure) => failures.push(failure),
    offline: () => heard.push("offline"),
  });
  store.connected();
  sent.length = 0;
  const owner = (name: string, structural = false): Owner => ({
    structural,
    changed: (variable: Variable) => heard.push(`${name} ${JSON.stringify(variable.value)}`),
  });
  return { store, sent, failures, heard, owner };
}

const update = (varId: number, data: object): Message => ({
  type: "update",
  data: { varId, ...data },
});
const messages = (sent: Batch[]) => sent.flatMap((batch) => batch.messages);
const turn = () => new Promise((done) => setTimeout(done, 0));

test("ids count from 2, and creates of one turn are one batch", async () => {
  const { store, sent } = setUp();
  const first = store.create(store.root, { path: "a" });
  store.create(first, { path: "b" });
  await turn();
  assert.deepEqual(sent, [
    {
      userEvent: true,
      messages: [
        { type: "create", data: { id: 2, parentId: 1, properties: { path: "a" } } },
        { type: "create", data: { id: 3, parentId: 2, properties: { path: "b" } } },
      ],
    },
  ]);
});

test("a value is kept before it is sent, and not sent when it is there already", () => {
  const { store, sent } = setUp();
  const variable = store.create(store.root, { path: "a" });
  const action = store.create(store.root, { path: "b()", access: "action" });
  store.userEvent(() => store.write(variable, "x"));
  assert.equal(variable.value, "x");
  store.userEvent(() => store.write(variable, "x"));
  store.userEvent(() => store.write(action, null));
  store.userEvent(() => store.write(action, null));
  const updates = messages(sent).filter(({ type }) => type === "update");
  assert.deepEqual(
    updates.map(({ data }) => (data as { varId: number }).varId),
    [2, 3, 3],
  );
});

test("a frame is taken in whole, views and lists hear of it first, from the outside in", () => {
  const { store, heard, owner } = setUp();
  const list = store.create(store.root, { path: "l" });
  const inner = store.create(list, { path: "0" });
  const text = store.create(store.root, { path: "t" });
  list.owner = owner("list", true);
  inner.owner = owner("inner", true);
  text.owner = owner("text");
  store.apply([
    update(text.id, { value: "t" }),
    update(inner.id, { value: { obj: 4 } }),
    update(list.id, { value: [{ obj: 4 }] }),
    update(1, { properties: { viewdefs: "{}" } }),
  ]);
  assert.deepEqual(heard, ["viewdefs {}", 'list [{"obj":4}]', 'inner {"obj":4}', 'text "t"']);
});

test("who was taken away by a list does not hear of the change any more", () => {
  const { store, heard, owner } = setUp();
  const list = store.create(store.root, { path: "l" });
  const item = store.create(list, { path: "0" });
  item.owner = owner("item");
  list.owner = { structural: true, changed: () => store.destroy(item) };
  store.apply([update(list.id, { value: [] }), update(item.id, { value: 1 })]);
  assert.deepEqual(heard, []);
});

test("one broken element does not keep the others from hearing", () => {
  const { store, heard, owner } = setUp();
  const [first, second] = [store.create(store.root, {}), store.create(store.root, {})];
  const thrown: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => thrown.push(error) });
  first.owner = {
    structural: false,
    changed: () => {
      throw new Error("broken");
    },
  };
  second.owner = owner("second");
  store.apply([update(first.id, { value: 1 }), update(second.id, { value: 2 })]);
  assert.deepEqual(heard, ["second 2"]);
  assert.equal(thrown.length, 1);
});

test("an empty update means: ask again", async () => {
  const { store, sent } = setUp();
  const variable = store.create(store.root, { path: "a" });
  await turn();
  sent.length = 0;
  store.apply([update(variable.id, {})]);
  await turn();
  assert.deepEqual(messages(sent), [{ type: "watch", data: { varId: 2 } }]);
});

test("what waits for answers goes on when each variable was answered, by a value or an error", () => {
  const { store } = setUp();
  const [a, b] = [store.create(store.root, { path: "a" }), store.create(store.root, { path: "b" })];
  const action = store.create(store.root, { path: "c()", access: "action" });
  let done = 0;
  store.whenAnswered([a, b, action], () => (done += 1));
  store.apply([update(a.id, { value: null })]);
  assert.equal(done, 0);
  store.apply([{ type: "error", data: { varId: b.id, code: "lua-error", description: "x" } }]);
  assert.equal(done, 1);
  store.whenAnswered([a, action], () => (done += 1));
  assert.equal(done, 2, "at once when there is nothing to wait for");
});

test("an error lasts until the next success", () => {
  const { store, failures, heard, owner } = setUp();
  const field = store.create(store.root, { path: "a" });
  const action = store.create(store.root, { path: "b()", access: "action" });
  field.owner = owner("field");
  const error = (varId: number): Message => ({
    type: "error",
    data: { varId, code: "lua-error", description: "no" },
  });
  store.apply([error(field.id), error(action.id)]);
  assert.equal(field.error?.code, "lua-error");
  assert.deepEqual(
    failures.map(({ varId }) => varId),
    [action.id],
    "a field shows its own",
  );
  store.write(action, null);
  assert.equal(action.error, undefined);
  store.apply([update(field.id, { value: 1 })]);
  assert.equal(field.error, undefined);
  assert.equal(heard.length, 2);
});

test("destroying takes all below along and is told once", async () => {
  const { store, sent } = setUp();
  const parent = store.create(store.root, { path: "a" });
  const child = store.create(parent, { path: "b" });
  await turn();
  sent.length = 0;
  store.destroy(parent);
  store.destroy(child);
  await turn();
  assert.deepEqual(messages(sent), [{ type: "destroy", data: { varId: 2 } }]);
  assert.equal(store.size, 1);
  store.apply([{ type: "destroy", data: { varId: 3 } }, update(3, { value: 1 })]);
  assert.equal(store.size, 1);
});

test("a new connection is told everything, parents first, and what was edited meanwhile", () => {
  const { store, sent, heard } = setUp();
  const a = store.create(store.root, { path: "a" });
  const b = store.create(a, { path: "b" });
  const action = store.create(a, { path: "c()", access: "action" });
  store.apply([
    update(a.id, { value: { obj: 2 }, properties: { type: "T" } }),
    update(b.id, { value: 1 }),
  ]);
  store.disconnected();
  store.userEvent(() => store.write(b, 5));
  store.userEvent(() => store.write(action, null));
  assert.deepEqual(heard, ["offline"], "a click is not kept for later");
  sent.length = 0;
  store.connected();
  assert.deepEqual(
    messages(sent).map(({ type, data }) => [type, Object.values(data as object)[0]]),
    [
      ["watch", 1],
      ["create", 2],
      ["create", 3],
      ["create", 4],
      ["update", 3],
    ],
  );
  assert.equal(a.type, "T", "until the server says otherwise");
  store.apply([update(a.id, { value: null })]);
  assert.equal(a.type, "");
  assert.deepEqual(a.properties, { path: "a" });
});
