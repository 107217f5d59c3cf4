/** What the tests of the universe page share: universes of their own, commands as an agent would send them, ways to look. */

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { at, eventually, removeAtEnd, visit } from "./browser.ts";

/** What the page lets a test look at. */
interface Hook {
  positionOf(id: string): { x: number; y: number; z: number } | null;
  spotOf(id: string): { x: number; y: number } | null;
  time(): number;
  revision(): number;
  cost(): { bodies: number; frames: number } | null;
}

declare global {
  var __universe: Hook;
}

export function own(id: string): void {
  removeAtEnd(() => fetch(at(`/universe/universes/${id}`), { method: "DELETE" }));
}

/** A universe of this test's own. */
export async function universe(name: string, stars: object[] = []): Promise<string> {
  const { id } = await post<{ id: string }>("universes", { name, state: {} });
  own(id);
  for (const star of stars) {
    await command(id, { type: "addStar", id: (star as { id: string }).id, payload: star });
  }
  return id;
}

/** What an agent or another program would send. */
export function command(id: string, body: object): Promise<{ applied: boolean }> {
  return post(`universes/${id}/commands`, body);
}

export async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(at(`/universe/${path}`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return (await response.json()) as T;
}

export async function get<T>(path: string): Promise<T> {
  return (await (await fetch(at(`/universe/${path}`))).json()) as T;
}

export function body(id: string, name: string, more: object = {}): object {
  return {
    id,
    name,
    mass: 10,
    radius: 1,
    color: "#FFD27A",
    parentId: null,
    orbitalDistance: 0,
    orbitalSpeed: 0,
    ...more,
  };
}

/** The names in the tree. */
export const names = (page: Page) => () => page.locator(".tree .name").allTextContents();
export const live = (page: Page) =>
  eventually(() => page.locator("#connection").textContent(), "Live");

/** Where a body is drawn, rounded. */
export const place = (page: Page, id: string) => () =>
  page.evaluate((body) => {
    const found = __universe.positionOf(body);
    return found && [found.x, found.y, found.z].map((value) => Math.round(value) + 0);
  }, id);

/** Waits until the sky has drawn `bodies` bodies. */
export const drawn = (page: Page, bodies: number) =>
  eventually(() => page.evaluate(() => __universe.cost()?.bodies), bodies);

export async function open(
  id: string,
  test: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await visit(
    `/universe/#${id}`,
    async (page) => {
      await live(page);
      await test(page);
    },
    options,
  );
}

/** Chooses a thing in the tree, which opens its form. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.locator(".tree .pick", { hasText: name }).first().click();
  await page.locator("#panel-details").getByRole("heading", { name }).waitFor();
}
