/**
 * The 3D view of a universe.
 *
 * Draws only when something moved: a paused sky costs nothing. Content is made anew at most once a frame, however many
 * changes arrived; places are one loop over typed arrays each frame (`math/tracks.ts`).
 */

import { Scene, Vector3, WebGLRenderer, Matrix4, type DataTexture } from "three";
import { pick } from "../math/pick.ts";
import { Tracks } from "../math/tracks.ts";
import type { Point } from "../state/types.ts";
import { kindOf, World, type Ref } from "../state/world.ts";
import { Backdrop } from "./backdrop.ts";
import { Bodies, lightOf } from "./bodies.ts";
import { extent } from "./extent.ts";
import { Eye } from "./camera.ts";
import { Comets } from "./comets.ts";
import { Disks } from "./disks.ts";
import { Groups } from "./groups.ts";
import { Holes } from "./holes.ts";
import { Labels } from "./labels.ts";
import { Marks } from "./marks.ts";
import { Nebulae } from "./nebulae.ts";
import { noiseTexture } from "./noise.ts";
import { Orbits } from "./orbits.ts";
import { Particles } from "./particles.ts";
import { Pace } from "./quality.ts";
import { Rings } from "./rings.ts";
import { Rogues } from "./rogues.ts";
import { Stars } from "./stars.ts";
import { placesTexture, sharedUniforms, type Layer, type Shared } from "./stuff.ts";

export interface ViewEvents {
  select(ref: Ref | null): void;
  ride(id: string): void;
}

/** What the view costs, in milliseconds of the script, as means since the last time it was asked. */
export interface Cost {
  frames: number;
  move: number;
  render: number;
  level: number;
  bodies: number;
  calls: number;
}

/** Parts of the sky that a person can switch off. */
export interface Options {
  orbits: boolean;
  labels: boolean;
  groups: boolean;
}

/** With less motion wanted, the sky steps on once in this time. */
const CALM_MS = 1000;
/** Farther than this between press and release is no click. */
const CLICK_PX = 5;

export class View {
  readonly element: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #eye: Eye;
  readonly #shared: Shared;
  readonly #marks: Marks;
  readonly #orbits: Orbits;
  readonly #groups: Groups;
  readonly #layers: Layer[];
  readonly #labels: Labels;
  readonly #pace: Pace;
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  readonly #matrix = new Matrix4();
  readonly #events: ViewEvents;
  readonly #watch: ResizeObserver;
  #world = new World();
  #tracks = new Tracks(this.#world);
  #places: DataTexture | undefined;
  #radii = new Float32Array(1);
  #shown: (id: string) => boolean = () => true;
  #time: () => number = () => 0;
  #stale = true;
  #dirty = true;
  #lastTime = NaN;
  #lastFrame = 0;
  #lastMove = 0;
  #frame = 0;
  #cost = { frames: 0, move: 0, render: 0 };
  #selected: string | undefined;
  #hovered: string | undefined;

  constructor(software: boolean, events: ViewEvents) {
    this.#events = events;
    this.#canvas = document.createElement("canvas");
    this.#canvas.setAttribute(
      "aria-label",
      "The universe. The list of bodies holds the same things.",
    );
    this.#canvas.setAttribute("role", "img");
    this.#canvas.tabIndex = 0;
    this.#renderer = new WebGLRenderer({
      canvas: this.#canvas,
      antialias: !software,
      powerPreference: "high-performance",
    });
    this.#renderer.setClearColor(0x05060c);
    this.#pace = new Pace(software ? 1 : 3);
    this.#shared = sharedUniforms(noiseTexture());
    this.#marks = new Marks(this.#shared);
    this.#orbits = new Orbits(this.#shared);
    this.#groups = new Groups(this.#shared);
    this.#layers = [
      new Backdrop(this.#shared),
      new Nebulae(this.#shared),
      new Disks(this.#shared),
      this.#orbits,
      new Rogues(this.#shared),
      new Bodies(this.#shared),
      new Rings(this.#shared),
      new Particles(this.#shared),
      new Comets(this.#shared),
      new Stars(this.#shared),
      new Holes(this.#shared),
      this.#groups,
      this.#marks,
    ];
    this.#layers.forEach(({ object }) => this.#scene.add(object));
    this.#labels = new Labels((ref) => events.select(ref));
    this.element = document.createElement("div");
    this.element.className = "sky";
    this.element.append(this.#canvas, this.#labels.element);
    this.#eye = new Eye(this.#canvas, this.#calm, () => (this.#dirty = true));
    this.#watch = new ResizeObserver(() => this.#resize());
    this.#watch.observe(this.element);
    this.#listen();
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  /** Shows a universe, or what became of it. `time` gives the moment to show. */
  show(world: World, time: () => number): void {
    this.#world = world;
    this.#time = time;
    this.#stale = true;
  }

  /** Shows only some bodies. */
  filter(shown: (id: string) => boolean): void {
    this.#shown = shown;
    this.#stale = true;
  }

  options({ orbits, labels, groups }: Options): void {
    this.#orbits.object.visible = orbits;
    this.#groups.object.visible = groups;
    this.#labels.on = labels;
    this.#labels.refresh();
    this.#dirty = true;
  }

  select(id: string | undefined): void {
    this.#selected = id;
    this.#marks.select(id ?? "");
    this.#labels.always(id, this.#hovered);
    this.#dirty = true;
  }

  flash(id: string, colour: string): void {
    this.#marks.flash(id, colour);
    this.#dirty = true;
  }

  /** Looks at everything, or at one thing. */
  fit(ref?: Ref): void {
    this.#resize();
    this.#refresh();
    const { centre, radius } = extent(this.#world, this.#tracks, ref);
    this.#eye.fit(new Vector3(centre.x, centre.y, centre.z), radius);
    this.#dirty = true;
  }

  /** Goes along with a body, until `leave`. */
  ride(id: string): boolean {
    this.#refresh();
    const body = this.#world.stars.get(id);
    if (!body) return false;
    const place = (out: Vector3) => {
      const slot = this.#tracks.slots.get(id);
      if (slot !== undefined) out.set(...this.#tracks.place(slot));
    };
    const { shadowRadius = 0, accretionOuterRadius = 0 } = body.blackHole ?? {};
    const radius = Math.max(body.radius, shadowRadius, accretionOuterRadius * 0.3);
    this.#eye.ride(place, radius, this.#lightOn(id));
    this.#dirty = true;
    return true;
  }

  /** The direction that a body's light comes from, if it has any. */
  #lightOn(id: string): Vector3 | null {
    const slot = this.#tracks.slots.get(id) ?? 0;
    const source = lightOf(this.#world, this.#tracks, slot);
    if (source === 0) return null;
    const from = new Vector3(...this.#tracks.place(slot));
    return new Vector3(...this.#tracks.place(source)).sub(from).normalize();
  }

  leave(): void {
    this.#eye.leave();
  }

  /** Where a body was drawn last. */
  positionOf(id: string): Point | null {
    const slot = this.#tracks.slots.get(id);
    if (slot === undefined) return null;
    const [x, y, z] = this.#tracks.place(slot);
    return { x, y, z };
  }

  /** Where a body is on the screen, in pixels of the page. */
  spotOf(id: string): { x: number; y: number } | null {
    const place = this.positionOf(id);
    if (!place) return null;
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const { x, y } = new Vector3(place.x, place.y, place.z).project(this.#eye.camera);
    return { x: left + ((x + 1) / 2) * width, y: top + ((1 - y) / 2) * height };
  }

  cost(): Cost {
    const { frames, move, render } = this.#cost;
    this.#cost = { frames: 0, move: 0, render: 0 };
    const each = (sum: number) => (frames === 0 ? 0 : sum / frames);
    return {
      frames,
      move: each(move),
      render: each(render),
      level: this.#pace.level,
      bodies: this.#tracks.ids.length - 1,
      calls: this.#renderer.info.render.calls,
    };
  }

  /** Draws now, and waits until the graphics card is done; gives the milliseconds. For measuring. */
  drawNow(): { move: number; submit: number; finish: number } {
    this.#refresh();
    const start = performance.now();
    this.#move();
    const moved = performance.now();
    this.#paint();
    const submitted = performance.now();
    const gl = this.#renderer.getContext();
    // Reading a pixel waits for all that was asked for.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return {
      move: moved - start,
      submit: submitted - moved,
      finish: performance.now() - submitted,
    };
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#watch.disconnect();
    this.#eye.dispose();
    this.#renderer.dispose();
    // A browser keeps few contexts; one that waits for the collector would cost another page its sky.
    this.#renderer.forceContextLoss();
    this.element.remove();
  }

  #tick(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#tick(next));
    this.#refresh();
    const time = this.#time();
    const runs = time !== this.#lastTime && (!this.#calm || now - this.#lastMove >= CALM_MS);
    const flashes = this.#marks.tick();
    if (runs) {
      const start = performance.now();
      this.#move(time);
      this.#cost.move += performance.now() - start;
      this.#lastMove = now;
    }
    const moved = this.#eye.update(now);
    if (!runs && !moved && !flashes && !this.#dirty) {
      this.#lastFrame = 0;
      return;
    }
    this.#dirty = false;
    this.#draw(now);
    if (this.#lastFrame > 0 && this.#pace.count(now - this.#lastFrame)) this.#setQuality();
    this.#lastFrame = now;
  }

  #draw(now: number): void {
    const start = performance.now();
    this.#paint();
    this.#labels.update(this.#world, this.#tracks, this.#screen(), this.#radii, now);
    this.#cost.render += performance.now() - start;
    this.#cost.frames += 1;
  }

  #paint(): void {
    const { camera } = this.#eye;
    const { clientWidth, clientHeight } = this.element;
    this.#layers.forEach((layer) =>
      layer.before?.(this.#renderer, camera, clientWidth, clientHeight),
    );
    this.#renderer.render(this.#scene, camera);
  }

  /** Moves everything to the moment on show. */
  #move(time = this.#time()): void {
    this.#lastTime = time;
    this.#tracks.update(time);
    this.#shared.time.value = time;
    if (this.#places) this.#places.needsUpdate = true;
  }

  /** Makes the content anew, if it changed. */
  #refresh(): void {
    if (!this.#stale) return;
    this.#stale = false;
    this.#tracks = new Tracks(this.#world);
    this.#places?.dispose();
    this.#places = placesTexture(this.#tracks);
    this.#shared.places.value = this.#places;
    this.#radii = Float32Array.from(this.#tracks.ids, (id) => this.#reach(id));
    this.#rebuild();
    this.#move();
    this.#labels.refresh();
    this.#dirty = true;
  }

  #rebuild(): void {
    const scenery = {
      world: this.#world,
      tracks: this.#tracks,
      quality: this.#pace.quality,
      shown: this.#shown,
    };
    this.#layers.forEach((layer) => layer.rebuild(scenery));
  }

  #reach(id: string): number {
    const body = this.#world.stars.get(id);
    if (!body || !this.#shown(id)) return 0;
    return kindOf(body) === "blackHole"
      ? (body.blackHole?.shadowRadius ?? body.radius)
      : Math.max(body.radius, 1e-6);
  }

  #setQuality(): void {
    this.#resize();
    this.#rebuild();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, this.#pace.quality.pixels);
    this.#renderer.setPixelRatio(ratio);
    this.#shared.ratio.value = ratio;
    this.#renderer.setSize(width, height, false);
    const { camera } = this.#eye;
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    // In pixels of the page, so that things keep their size when fewer pixels are drawn.
    this.#shared.pixel.value = (2 * Math.tan((camera.fov * Math.PI) / 360)) / height;
    this.#dirty = true;
  }

  #screen() {
    const { camera } = this.#eye;
    this.#matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const { clientWidth: width, clientHeight: height } = this.element;
    return { matrix: this.#matrix.elements, width, height, scale: 1 / this.#shared.pixel.value };
  }

  #at({ offsetX: x, offsetY: y }: MouseEvent): string | undefined {
    return this.#tracks.ids[
      pick(this.#tracks.places, this.#radii, { ...this.#screen(), x, y }) || -1
    ];
  }

  #listen(): void {
    let pressed = { x: 0, y: 0 };
    const canvas = this.#canvas;
    canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (pressed = { x, y }));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PX) return;
      const id = this.#at(event);
      this.#events.select(id === undefined ? null : { map: "stars", id });
    });
    canvas.addEventListener("dblclick", (event) => {
      const id = this.#at(event);
      if (id !== undefined) this.#events.ride(id);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      this.#hover(this.#at(event));
    });
    canvas.addEventListener("pointerleave", () => this.#hover(undefined));
  }

  #hover(id: string | undefined): void {
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.#canvas.classList.toggle("pointing", id !== undefined);
    this.#labels.always(this.#selected, id);
    this.#dirty = true;
  }
}
