/** What the tests of the campaign page share: tables of their own, other people and agents at them, ways to look. */

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Actor, Campaign, Participant, Session, Table } from "../../campaign/state/types.ts";
import { Agent } from "./agent.ts";
import { at, eventually, isReal, visit } from "./browser.ts";

/** A campaign with a GM, a player, the player's actor and an NPC. */
export interface Setting {
  id: string;
  gm: string;
  player: string;
  hero: string;
  stag: string;
  /** The running session, where one was asked for. */
  session: string;
}

export async function setting(name: string, { playing = true } = {}): Promise<Setting> {
  const { id } = await post<Campaign>("campaigns", { name, gm_mode: "HUMAN" });
  const join = (display_name: string, role: string, controller: string) =>
    post<Participant>(`campaigns/${id}/participants`, { display_name, role, controller });
  const enter = (name: string, kind: string) =>
    post<Actor>(`campaigns/${id}/actors`, { name, kind, notes: "" });
  const [gm, player] = [await join("Ada", "GM", "HUMAN"), await join("Mira", "PLAYER", "HUMAN")];
  const [hero, stag] = [await enter("Thorin", "PC"), await enter("Stag", "NPC")];
  const path = `campaigns/${id}/actors/${hero.id}/controller`;
  await send("PUT", path, { controller: player.id });
  const session = playing
    ? (await post<Session>(`campaigns/${id}/sessions`, { name: "The Ford" })).id
    : "";
  return { id, gm: gm.id, player: player.id, hero: hero.id, stag: stag.id, session };
}

export interface Headers {
  [name: string]: string;
}

export async function send<T>(
  method: string,
  path: string,
  body?: object,
  headers: Headers = {},
): Promise<T> {
  const response = await fetch(at(`/campaign/${path}`), {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path}: ${await response.clone().text()}`);
  return (await response.json()) as T;
}

export function post<T>(path: string, body: object = {}, headers: Headers = {}): Promise<T> {
  return send("POST", path, body, headers);
}

export function tableOf(id: string): Promise<Table> {
  return send("GET", `campaigns/${id}`);
}

/** A roll by someone else at the table; gives its place in the record. */
export async function otherRolls({ id, hero }: Setting, difficulty = 12): Promise<number> {
  const asked = { kind: "ACTION", actor_id: hero, trait: "AGILITY", difficulty };
  return (await post<{ roll_seq: number }>(`campaigns/${id}/rolls`, asked)).roll_seq;
}

/** A roll by an agent: a tool call on the real server, and on the stand-in a request that is marked as one. */
export async function agentRolls({ id, session, hero }: Setting, difficulty = 12): Promise<number> {
  const asked = { actor_id: hero, trait: "AGILITY", difficulty };
  if (!isReal) {
    const headers = { "x-invocation-id": "inv_test" };
    const path = `campaigns/${id}/rolls`;
    return (await post<{ roll_seq: number }>(path, { kind: "ACTION", ...asked }, headers)).roll_seq;
  }
  const agent = await Agent.connect("campaign");
  try {
    const args = { campaign_id: id, session_id: session, ...asked };
    return (await agent.call<{ roll_seq: number }>("session_action_roll", args)).roll_seq;
  } finally {
    await agent.close();
  }
}

export interface Rolled {
  hope: number;
  fear: number;
  total: number;
  outcome: string;
}

/** What the record says of a roll. */
export async function rollAt(id: string, seq: number): Promise<Rolled> {
  const { events } = await send<{ events: { seq: number; payload: Rolled }[] }>(
    "GET",
    `campaigns/${id}/events?limit=100`,
  );
  const found = events.find((entry) => entry.seq === seq);
  assert.ok(found, `no entry ${seq}`);
  return found.payload;
}

export const live = (page: Page) =>
  eventually(() => page.locator("#connection").textContent(), "Live");

export async function open(
  { id }: { id: string },
  test: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await visit(
    `/campaign/#/campaign/${id}`,
    async (page) => {
      await live(page);
      await test(page);
    },
    options,
  );
}

/** The line of the log with this number. */
export const line = (page: Page, seq: number) => page.locator(`.entries [data-seq="${seq}"]`);

/** The sentences of the log, newest first. */
export const told = (page: Page) => () =>
  page.locator(".entries li:visible .what").allTextContents();

export const card = (page: Page, actor: string) => page.locator(`[data-actor="${actor}"]`);

export const pips = (page: Page, actor: string, label: string) =>
  card(page, actor).getByRole("slider", { name: label });

export const fear = (page: Page) => page.locator(".head").getByRole("slider", { name: "Fear" });

export const value = (slider: ReturnType<typeof fear>) => () =>
  slider.getAttribute("aria-valuenow");

/** The number on the face that a die of the tray turns to the viewer: the one drawn straight, neither slanted nor turned. */
export const shown = (page: Page, tone: string) => () =>
  page.locator(`.tray .die[data-tone="${tone}"]`).evaluate((die) => {
    const straight = [...die.querySelectorAll("g[transform]")].find((label) =>
      /^matrix\(1\.000 -?0\.000 -?0\.000 1\.000 /.test(label.getAttribute("transform") ?? ""),
    );
    return Number(straight?.textContent);
  });
