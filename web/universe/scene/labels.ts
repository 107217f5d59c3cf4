/** Names on the sky: elements of the page, so that they are sharp, can be clicked and need no font of their own. */

import { h } from "../../kit/dom.ts";
import { layout } from "../math/layout.ts";
import { project } from "../math/pick.ts";
import type { Tracks } from "../math/tracks.ts";
import { kindOf, type Kind, type Ref, type World } from "../state/world.ts";

const MOST = 36;
/** Names are chosen anew this often; in between they only move. */
const CHOOSE_MS = 400;
/** Pixels between two names. */
const APART = { x: 90, y: 20 };

const WEIGHT: Record<Kind, number> = {
  star: 60,
  blackHole: 80,
  planet: 8,
  rogue: 12,
  comet: 6,
  moon: 2,
  asteroid: 0.2,
  lagrangePoint: 0.15,
};

interface Label {
  element: HTMLElement;
  ref: Ref;
  slot: number;
  at: { x: number; y: number; z: number };
  lift: number;
}

interface Screen {
  matrix: ArrayLike<number>;
  width: number;
  height: number;
  scale: number;
}

export class Labels {
  readonly element = h("div", { className: "labels" });
  readonly #pick: (ref: Ref) => void;
  #labels: Label[] = [];
  #chosen = -Infinity;
  /** Named whatever else is: the selection and what the pointer is on. */
  #always = new Set<string>();
  on = true;

  constructor(pick: (ref: Ref) => void) {
    this.#pick = pick;
  }

  always(...ids: (string | undefined)[]): void {
    this.#always = new Set(ids.filter((id) => id !== undefined));
    this.#chosen = -Infinity;
  }

  refresh(): void {
    this.#chosen = -Infinity;
  }

  /** Nothing of radius 0 in `radii` is named: it is not to be seen. */
  update(world: World, tracks: Tracks, screen: Screen, radii: Float32Array, now: number): void {
    if (now - this.#chosen > CHOOSE_MS) {
      this.#chosen = now;
      this.#choose(world, tracks, screen, radii);
    }
    for (const label of this.#labels) {
      if (label.slot > 0) {
        const at = label.slot * 4;
        label.at = {
          x: tracks.places[at] ?? 0,
          y: tracks.places[at + 1] ?? 0,
          z: tracks.places[at + 2] ?? 0,
        };
      }
      const spot = project(screen, label.at.x, label.at.y, label.at.z);
      label.element.hidden = spot === null;
      if (!spot) continue;
      const lift = (label.lift * screen.scale) / spot.depth + 7;
      label.element.style.transform = `translate(-50%, -100%) translate(${spot.x.toFixed(1)}px, ${(spot.y - lift).toFixed(1)}px)`;
    }
  }

  #choose(world: World, tracks: Tracks, screen: Screen, radii: Float32Array): void {
    const wanted = [...this.#bodies(world, tracks, screen, radii), ...this.#places(world, screen)];
    wanted.sort((a, b) => b.score - a.score);
    const taken: { x: number; y: number }[] = [];
    const kept: Wanted[] = [];
    for (const one of wanted) {
      if (kept.length >= MOST) break;
      const { x, y } = one.spot;
      const crowded = taken.some(
        (other) => Math.abs(other.x - x) < APART.x && Math.abs(other.y - y) < APART.y,
      );
      if (crowded && one.score < Infinity) continue;
      taken.push({ x, y });
      kept.push(one);
    }
    this.#draw(kept);
  }

  *#bodies(world: World, tracks: Tracks, screen: Screen, radii: Float32Array): Generator<Wanted> {
    for (let slot = 1; slot < tracks.ids.length; slot++) {
      const id = tracks.ids[slot] ?? "";
      const body = world.stars.get(id);
      if (!body || radii[slot] === 0) continue;
      const must = this.#always.has(id);
      if (!this.on && !must) continue;
      const at = slot * 4;
      const place = {
        x: tracks.places[at] ?? 0,
        y: tracks.places[at + 1] ?? 0,
        z: tracks.places[at + 2] ?? 0,
      };
      const spot = inside(screen, place);
      if (!spot) continue;
      const size = (body.radius * screen.scale) / spot.depth;
      const score = must ? Infinity : WEIGHT[kindOf(body)] * (size + 0.8);
      if (score < 14) continue;
      const kind = kindOf(body);
      yield {
        ref: { map: "stars", id },
        name: body.name,
        kind,
        slot,
        at: place,
        lift: body.radius,
        spot,
        score,
      };
    }
  }

  *#places(world: World, screen: Screen): Generator<Wanted> {
    if (!this.on) return;
    for (const [id, { centre, edge }] of layout(world).boxes) {
      const place = { x: centre.x, y: centre.y + edge / 2, z: centre.z };
      const spot = inside(screen, place);
      const group = world.groups.get(id);
      const size = spot ? (edge * screen.scale) / spot.depth : 0;
      if (!spot || !group || size < 40 || size > screen.width * 2) continue;
      const name = group.icon ? `${group.icon} ${group.name}` : group.name;
      yield {
        ref: { map: "groups", id },
        name,
        kind: "group",
        slot: 0,
        at: place,
        lift: 0,
        spot,
        score: 900 + size,
      };
    }
    for (const nebula of world.nebulae.values()) {
      const spot = inside(screen, nebula.position);
      if (!spot || nebula.visible === false) continue;
      const ref: Ref = { map: "nebulae", id: nebula.id };
      yield {
        ref,
        name: nebula.name,
        kind: "nebula",
        slot: 0,
        at: nebula.position,
        lift: 0,
        spot,
        score: 50,
      };
    }
  }

  #draw(kept: Wanted[]): void {
    const old = new Map(this.#labels.map((label) => [key(label.ref), label]));
    this.#labels = kept.map(({ ref, name, kind, slot, at, lift }) => {
      const known = old.get(key(ref));
      old.delete(key(ref));
      const element = known?.element ?? this.#make(ref);
      if (element.textContent !== name) element.textContent = name;
      element.dataset["kind"] = kind;
      element.classList.toggle("must", this.#always.has(ref.id));
      return { element, ref, slot, at, lift };
    });
    old.forEach(({ element }) => element.remove());
  }

  /** For the pointer only: the tree is where a keyboard finds the same things. */
  #make(ref: Ref): HTMLElement {
    const element = h("button", {
      type: "button",
      className: "label",
      tabIndex: -1,
      "aria-hidden": "true",
    });
    element.addEventListener("click", () => this.#pick(ref));
    this.element.append(element);
    return element;
  }
}

interface Wanted {
  ref: Ref;
  name: string;
  kind: string;
  slot: number;
  at: { x: number; y: number; z: number };
  lift: number;
  spot: { x: number; y: number };
  score: number;
}

/** Pixels at the top that the title and the buttons need. */
const HEAD = 52;

function inside(screen: Screen, { x, y, z }: { x: number; y: number; z: number }) {
  const spot = project(screen, x, y, z);
  if (!spot || spot.x < 0 || spot.y < HEAD || spot.x > screen.width || spot.y > screen.height)
    return null;
  return spot;
}

function key({ map, id }: Ref): string {
  return `${map} ${id}`;
}
