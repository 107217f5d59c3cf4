import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "./agent.ts";
import { isReal, eventually } from "./browser.ts";
import { body, choose, drawn, open, place, universe } from "./universes.ts";

// The stand-in speaks no MCP.
const skip = isReal ? false : "needs a running `tandem serve` in TANDEM_URL";

test(
  "an agent's command moves what the page shows, and the page says that it was an agent",
  { skip },
  async () => {
    const id = await universe("With an agent", [
      body("sol", "Sol"),
      body("earth", "Earth", { parentId: "sol", orbitalDistance: 8, orbitalSpeed: 90 }),
    ]);
    const agent = await Agent.connect();
    const send = (command: object) =>
      agent.call<{ events: object[] }>("send_universe_command", {
        universeId: id,
        command,
        state: "none",
      });
    await open(id, async (page) => {
      await drawn(page, 2);
      await eventually(place(page, "earth"), [8, 0, 0]);
      await send({ type: "tick", dt: 1 });
      await eventually(place(page, "earth"), [0, 0, 8]);
      await send({ type: "updateStar", id: "earth", payload: { orbitalDistance: 30 } });
      await eventually(place(page, "earth"), [0, 0, 30]);
      await page
        .locator(".ticker li[data-via=mcp]")
        .getByText("changed orbitalDistance of Earth")
        .waitFor();
      await send({ type: "setClock", playing: true, rate: 5 });
      await page.getByRole("button", { name: "Pause for everyone" }).waitFor();
      await send({ type: "setClock", playing: false });
      await page.getByRole("button", { name: "Play for everyone" }).waitFor();
    });
    await agent.close();
  },
);

test("a person's edit in the page reaches an agent that subscribed", { skip }, async () => {
  const id = await universe("Watched", [body("sol", "Sol")]);
  const agent = await Agent.connect();
  await open(id, async (page) => {
    const { told } = await agent.subscribe(`universe://${id}`);
    await choose(page, "Sol");
    await page.getByLabel("Mass").fill("321");
    await page.getByRole("button", { name: "Save" }).click();
    assert.equal(await told, `universe://${id}`);
    const state = await agent.call<{ stars: Record<string, { mass: number }> }>(
      "get_universe_state",
      { universeId: id },
    );
    assert.equal(state.stars["sol"]?.mass, 321);
  });
  await agent.close();
});
