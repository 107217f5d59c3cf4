// Programs under test: servers on ports of their own choosing, and clients run to their end.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts a server for as long as `body` takes, and gives it the URL that the server prints first, or first after `word`. */
export async function withServer([command, ...args], body, word = "") {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    return await body(await addressOf(child, word));
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function addressOf(child, word) {
  for await (const line of createInterface({ input: child.stdout })) {
    const found = line.match(/http:\/\/[^\s"]+/);
    if (found && line.includes(word)) {
      // What it says later is of no interest, but a full pipe would stop it.
      child.stdout.resume();
      return found[0];
    }
  }
  throw new Error(`${child.spawnfile} ended before it said where it listens`);
}

/** Runs a program to its end and returns its exit code and what it wrote. */
export async function run([command, ...args]) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk) => (text.stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (text.stderr += chunk));
  const [code] = await once(child, "close");
  return { code, ...text };
}
