/** Building the search index: one at a time, however many buttons ask for it. */

import { buildIndex } from "./server.ts";
import { tell } from "./words.ts";

export class IndexBuild {
  running = false;
  /** Why the last one failed. */
  problem = "";
  readonly #listeners = new Set<() => void>();

  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async run(): Promise<void> {
    if (this.running) return;
    this.#set(true, "");
    try {
      await buildIndex();
      this.#set(false, "");
    } catch (error) {
      const { said, hint } = tell(error);
      this.#set(false, `${said} ${hint}`.trim());
    }
  }

  #set(running: boolean, problem: string): void {
    this.running = running;
    this.problem = problem;
    for (const changed of this.#listeners) changed();
  }
}
