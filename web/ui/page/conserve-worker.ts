/**
 * Knows the tabs of one session: a tab that asks is told of one other that lives, if there is one.
 *
 * A tab says goodbye when it can, but a crashed one cannot. So each holds a lock, which the browser gives back when the tab is
 * gone; where there are no locks, a tab is asked and has to answer.
 */

export type ToWorker =
  | { kind: "here"; lock: string | undefined }
  | { kind: "alive" }
  | { kind: "bye" }
  | { kind: "ask" }
  | { kind: "alert" };

export type FromWorker = { kind: "others"; count: number } | { kind: "ping" } | { kind: "alert" };

interface Tab {
  port: MessagePort;
  lock: string | undefined;
  heard: number;
}

/** Long enough for a busy tab, short enough not to be felt. */
const PATIENCE_MS = 300;
const tabs = new Map<MessagePort, Tab>();

const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void };
scope.onconnect = ({ ports }) => {
  const port = ports[0] as MessagePort;
  port.onmessage = ({ data }) => void take(port, data as ToWorker);
};

async function take(port: MessagePort, message: ToWorker): Promise<void> {
  switch (message.kind) {
    case "here":
      tabs.set(port, { port, lock: message.lock, heard: performance.now() });
      return;
    case "alive": {
      const tab = tabs.get(port);
      if (tab) tab.heard = performance.now();
      return;
    }
    case "bye":
      tabs.delete(port);
      return;
    case "ask":
      return say(port, { kind: "others", count: (await living(port)).length });
    case "alert": {
      const [first] = await living(port);
      if (first) say(first.port, { kind: "alert" });
    }
  }
}

/** The tabs other than that of `port` that live; those that do not are forgotten. */
async function living(port: MessagePort): Promise<Tab[]> {
  const others = [...tabs.values()].filter((tab) => tab.port !== port);
  const held = await heldLocks();
  const asked = performance.now();
  const unsure = others.filter(({ lock }) => !lock || !held.has(lock));
  for (const tab of unsure) say(tab.port, { kind: "ping" });
  const silent = () => unsure.filter(({ heard }) => heard < asked);
  while (silent().length > 0 && performance.now() - asked < PATIENCE_MS) {
    await new Promise((done) => setTimeout(done, 20));
  }
  for (const tab of silent()) tabs.delete(tab.port);
  return others.filter((tab) => tabs.has(tab.port));
}

async function heldLocks(): Promise<Set<string | undefined>> {
  // Locks exist in secure contexts only.
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name }) => name));
}

function say(port: MessagePort, message: FromWorker): void {
  port.postMessage(message);
}
