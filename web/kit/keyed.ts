/** Lists whose items stay the same elements while what they show changes, so that focus and half-typed text survive. */

export interface Item<T> {
  readonly element: HTMLElement;
  show(value: T): void;
}

export class Keyed<T> {
  readonly #parent: HTMLElement;
  readonly #keyOf: (value: T) => string;
  readonly #make: (value: T) => Item<T>;
  readonly #items = new Map<string, Item<T>>();

  constructor(parent: HTMLElement, keyOf: (value: T) => string, make: (value: T) => Item<T>) {
    this.#parent = parent;
    this.#keyOf = keyOf;
    this.#make = make;
  }

  show(values: readonly T[]): void {
    const keys = new Set(values.map(this.#keyOf));
    for (const [key, item] of this.#items) {
      if (keys.has(key)) continue;
      item.element.remove();
      this.#items.delete(key);
    }
    values.forEach((value, index) => {
      const key = this.#keyOf(value);
      const item = this.#items.get(key) ?? this.#make(value);
      this.#items.set(key, item);
      item.show(value);
      const there = this.#parent.children[index] ?? null;
      // Only what is in the wrong place moves: moving an element takes the focus out of it.
      if (there !== item.element) this.#parent.insertBefore(item.element, there);
    });
  }
}
