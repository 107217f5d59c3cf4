/** The eye: turns around a point, flies to things, rides along with a body. */

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const FLIGHT_MS = 1000;
/** Distance of a rider, in radii of the body. */
const RIDE_RADII = 10;

interface Flight {
  since: number;
  fromEye: Vector3;
  fromTarget: Vector3;
  /** Where the eye ends, from the target. */
  offset: Vector3;
  /** The target, which may move meanwhile. */
  to: (out: Vector3) => void;
}

export class Eye {
  readonly camera = new PerspectiveCamera(50, 1, 0.01, 100_000);
  readonly #controls: OrbitControls;
  readonly #calm: boolean;
  #flight: Flight | undefined;
  #follow: ((out: Vector3) => void) | undefined;
  readonly #last = new Vector3();
  readonly #now = new Vector3();

  /** `moved` is called whenever the person moves the view. */
  constructor(element: HTMLElement, calm: boolean, moved: () => void) {
    this.#calm = calm;
    this.camera.position.set(20, 24, 30);
    this.#controls = new OrbitControls(this.camera, element);
    this.#controls.enableDamping = !calm;
    this.#controls.dampingFactor = 0.12;
    this.#controls.minDistance = 0.02;
    this.#controls.maxDistance = 30_000;
    this.#controls.zoomToCursor = false;
    this.#controls.addEventListener("change", moved);
    // The arrow keys move the view, with shift they turn it.
    this.#controls.listenToKeyEvents(element);
    element.addEventListener("keydown", ({ key }) => this.#zoomBy(key));
    // Taking hold of the view ends a flight where it is.
    this.#controls.addEventListener("start", () => (this.#flight = undefined));
  }

  get target(): Vector3 {
    return this.#controls.target;
  }

  /** Looks at all of a ball. */
  fit(centre: Vector3, radius: number): void {
    this.#follow = undefined;
    const half = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect);
    const direction = this.camera.position.clone().sub(this.target).normalize();
    if (direction.y < 0.25) direction.setY(0.45).normalize();
    this.#fly((out) => out.copy(centre), direction.multiplyScalar((radius * 1.08) / half));
  }

  /**
   * Goes to a body of this radius and along with it; `place` tells where it is, at any moment. `light` is the direction its
   * light comes from: from there one sees its day, and a bit of its night.
   */
  ride(place: (out: Vector3) => void, radius: number, light: Vector3 | null): void {
    this.#follow = place;
    const offset = this.camera.position.clone().sub(this.target).normalize();
    if (offset.lengthSq() === 0) offset.set(0, 0.4, 1).normalize();
    if (light) {
      const aside = new Vector3(0, 1, 0).cross(light);
      if (aside.dot(offset) < 0) aside.negate();
      offset
        .copy(light)
        .addScaledVector(aside, 0.9)
        .setY(offset.y + 0.35)
        .normalize();
    }
    // A narrow window sees less to the sides.
    const width = Math.max(0.5, Math.min(1, this.camera.aspect));
    this.#fly(place, offset.multiplyScalar(Math.max((radius * RIDE_RADII) / width, 0.15)));
  }

  leave(): void {
    this.#follow = undefined;
  }

  /** Moves on to this moment; gives whether anything moved. */
  update(now: number): boolean {
    const flew = this.#advance(now);
    if (!flew && this.#follow) {
      this.#follow(this.#now);
      this.camera.position.add(this.#now).sub(this.#last);
      this.target.copy(this.#now);
      this.#last.copy(this.#now);
    }
    const moved = this.#controls.update();
    const distance = this.camera.position.distanceTo(this.target);
    this.camera.near = Math.max(0.002, Math.min(1, distance * 0.004));
    this.camera.far = Math.max(8_000, distance * 40);
    this.camera.updateProjectionMatrix();
    return flew || moved || this.#follow !== undefined;
  }

  #zoomBy(key: string): void {
    const factor = { "+": 0.85, "=": 0.85, "-": 1.18 }[key];
    if (factor === undefined) return;
    this.camera.position.sub(this.target).multiplyScalar(factor).add(this.target);
  }

  #fly(to: (out: Vector3) => void, offset: Vector3): void {
    this.#flight = {
      since: performance.now(),
      fromEye: this.camera.position.clone(),
      fromTarget: this.target.clone(),
      offset,
      to,
    };
  }

  #advance(now: number): boolean {
    const flight = this.#flight;
    if (!flight) return false;
    const part = this.#calm ? 1 : Math.min(1, Math.max(0, (now - flight.since) / FLIGHT_MS));
    const eased = part * part * (3 - 2 * part);
    flight.to(this.#now);
    this.target.lerpVectors(flight.fromTarget, this.#now, eased);
    this.#last.copy(this.#now);
    this.#now.add(flight.offset);
    this.camera.position.lerpVectors(flight.fromEye, this.#now, eased);
    this.camera.lookAt(this.target);
    if (part >= 1) this.#flight = undefined;
    return true;
  }

  dispose(): void {
    this.#controls.dispose();
  }
}
