import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addCommand,
  initialValues,
  removeCommand,
  updateCommand,
} from "../../universe/editors/commands.ts";
import {
  isSame,
  KINDS,
  pathOf,
  sectionsOf,
  TABLES,
  valueAt,
} from "../../universe/editors/fields.ts";
import { body, world } from "./bodies.ts";
import { emptyState, reduce, type State } from "../mock/reducer.ts";

const maps = Object.keys(TABLES) as (keyof typeof TABLES)[];

test("no two fields of a form have the same place", () => {
  for (const map of maps) {
    for (const [kind] of KINDS) {
      const paths = sectionsOf(map, kind).flatMap((section) =>
        section.fields.map((field) => pathOf(section, field)),
      );
      assert.deepEqual(paths, [...new Set(paths)], `${map} ${kind}`);
    }
  }
});

test("every field that must be there has a value to start with", () => {
  for (const map of maps) {
    for (const { fields } of TABLES[map]) {
      for (const { key, optional, initial, kind } of fields) {
        assert.ok(optional || initial !== undefined, `${map}.${key}`);
        if (kind === "number" && typeof initial === "number" && !Number.isNaN(initial))
          assert.ok(Number.isFinite(initial));
      }
    }
  }
});

test("a body has the fields of its kind and no others", () => {
  const titles = (kind: string) => sectionsOf("stars", kind).map(({ title }) => title);
  assert.ok(titles("comet").includes("Comet"));
  assert.ok(!titles("comet").includes("Black hole"));
  assert.ok(!titles("rogue").includes("Orbit"));
});

test("a change names only what was changed", () => {
  const ref = { map: "stars", id: "a" } as const;
  assert.deepEqual(updateCommand(ref, body("a"), new Map([["mass", 5]])), {
    type: "updateStar",
    id: "a",
    payload: { mass: 5 },
  });
  assert.deepEqual(updateCommand({ map: "nebulae", id: "n" }, {}, new Map([["radius", 5]])), {
    type: "updateNebula",
    id: "n",
    patch: { radius: 5 },
  });
});

test("an object inside is sent whole, with the change in it", () => {
  const comet = { hasTail: true, tailLengthBase: 3 };
  const command = updateCommand(
    { map: "stars", id: "a" },
    { comet },
    new Map([["comet.tailLengthBase", 9]]),
  );
  assert.deepEqual(command["payload"], { comet: { hasTail: true, tailLengthBase: 9 } });
});

test("a ring and a parent have commands of their own, unless more was changed", () => {
  const ref = { map: "stars", id: "a" } as const;
  const only = (values: [string, unknown][]) =>
    updateCommand(ref, { ring: { opacity: 1 } }, new Map(values));
  assert.deepEqual(only([["ring.opacity", 0.5]]), {
    type: "updateRing",
    planetId: "a",
    patch: { opacity: 0.5 },
  });
  assert.deepEqual(only([["parentId", "b"]]), { type: "attachStar", childId: "a", parentId: "b" });
  assert.deepEqual(only([["parentId", null]]), { type: "detachStar", childId: "a" });
  const both = only([
    ["ring.opacity", 0.5],
    ["mass", 2],
  ]);
  assert.deepEqual(both, {
    type: "updateStar",
    id: "a",
    payload: { ring: { opacity: 0.5 }, mass: 2 },
  });
});

test("what a form starts with is accepted as it is, for every kind of thing", () => {
  const held = world([body("sun")]);
  let state: State = { ...emptyState(), stars: { sun: { ...body("sun"), children: [] } } };
  const add = (map: keyof typeof TABLES, kind: string) => {
    const values = initialValues(map, kind);
    for (const key of ["hostStarId", "centralStarId"]) if (values.has(key)) values.set(key, "sun");
    const before = state;
    state = reduce(state, addCommand(map, kind, `${map}-${kind}`, values, held)).state;
    assert.notEqual(state, before, `${map} ${kind}`);
  };
  for (const [kind] of KINDS) add("stars", kind);
  for (const map of maps.filter((one) => one !== "stars")) add(map, "");
  assert.equal(Object.keys(state.stars).length, KINDS.length + 1);
  assert.equal(Object.keys(state.smallBodyFields).length, 1);
  assert.equal(state.stars["stars-rogue"]?.isRoguePlanet, true);
  assert.equal(state.stars["stars-comet"]?.comet?.hasTail, true);
});

test("one more belt or nebula keeps those that are there", () => {
  const held = world([body("sun")]);
  held.apply({ nebulae: { old: { id: "old" } as never } });
  const command = addCommand("nebulae", "", "new", initialValues("nebulae", ""), held);
  assert.deepEqual(Object.keys(command["nebulae"] as object), ["old", "new"]);
});

test("removing has a command for each kind of thing", () => {
  assert.deepEqual(removeCommand({ map: "groups", id: "g" }), { type: "removeGroup", id: "g" });
  assert.deepEqual(removeCommand({ map: "smallBodyFields", id: "f" }), {
    type: "removeSmallBodyField",
    id: "f",
  });
});

test("values are compared as a reader would", () => {
  assert.ok(isSame("#FFAA00", "#ffaa00"));
  assert.ok(!isSame("Ab", "ab"));
  assert.ok(isSame(undefined, null));
  assert.ok(isSame({ x: 1 }, { x: 1 }));
  assert.equal(valueAt({ ring: { opacity: 1 } }, "ring.opacity"), 1);
  assert.equal(valueAt({ ring: null }, "ring.opacity"), undefined);
});
