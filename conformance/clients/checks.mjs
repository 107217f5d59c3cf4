// What every TypeScript client must be able to do, whatever its version.
//
// A client script brings an adapter (connect, tools, call, read, watch, prompt, terminate); the target
// file says what the server under test offers. Parts that a target does not have are not checked.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const LONGEST_MS = 20_000;

/** `--target FILE` and either `--url URL` or a command after `--`. */
export function readArguments() {
  const { values, positionals } = parseArgs({
    options: { target: { type: "string" }, url: { type: "string" }, era: { type: "string", default: "auto" } },
    allowPositionals: true,
  });
  const target = JSON.parse(readFileSync(values.target, "utf8"));
  const [command, ...args] = positionals;
  return { target, url: values.url, era: values.era, command, args };
}

/** Runs every check that the target has, prints the tally and sets the exit code. */
export async function runChecks(target, client) {
  const tally = { passed: 0, failed: 0 };
  const check = async (name, body) => {
    try {
      await within(LONGEST_MS, name, body());
      tally.passed += 1;
    } catch (error) {
      tally.failed += 1;
      console.error(`FAILED ${name}: ${error?.stack ?? error}`);
    }
  };
  await check("connects", () => client.connect());
  if (tally.failed === 0) {
    await everything(check, target, client);
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exit(tally.failed === 0 ? 0 : 1);
}

async function everything(check, target, client) {
  await check("lists tools", async () => {
    const names = await client.tools();
    for (const name of target.tools) assert.ok(names.includes(name), `${name} is not in ${names}`);
  });
  await check("calls a tool", async () => {
    const result = await client.call(target.call.name, target.call.arguments);
    assert.notEqual(result.isError, true, JSON.stringify(result));
    if (target.call.structured) assert.deepEqual(result.structuredContent, target.call.structured);
    if (target.call.contains) includes(textOf(result), target.call.contains);
  });
  await check("is told which argument is bad", async () => {
    const result = await client.call(target.bad.name, target.bad.arguments);
    assert.equal(result.isError, true, JSON.stringify(result));
    for (const name of target.bad.names) includes(textOf(result), name);
  });
  await check("is refused an unknown tool with -32602", async () => {
    const refused = await rejection(client.call(target.unknown.name, {}));
    assert.equal(refused.code, -32602, String(refused));
    for (const name of target.unknown.names) includes(refused.message, name);
  });
  if (target.refused) {
    await check("is refused a call without its arguments", async () => {
      const refused = await rejection(client.call(target.refused.name, {}));
      assert.equal(refused.code, -32602, String(refused));
      for (const name of target.refused.names) includes(refused.message, name);
    });
  }
  if (target.blocks) {
    await check("gets an answer of several resources", async () => {
      const result = await client.call(target.blocks.name, target.blocks.arguments);
      const uris = result.content.map(({ resource }) => resource.uri);
      assert.deepEqual(uris.map((uri) => uri.split("#")[1]), target.blocks.parts);
      includes(textOf(result), target.blocks.contains);
    });
  }
  if (target.missing) {
    await check("reads that a resource is not there", async () => {
      includes(await client.read(target.missing.uri), target.missing.contains);
    });
  }
  if (target.read) {
    await check("reads a resource", async () => {
      includes(await client.read(target.read.uri), target.read.contains);
    });
  }
  if (target.watch) await check("hears that a resource changed", () => watches(target.watch, client));
  if (target.prompt) {
    await check("gets a prompt", async () => {
      includes(await client.prompt(target.prompt.name, target.prompt.arguments), target.prompt.contains);
    });
  }
  if (target.progress) {
    await check("hears of progress", async () => {
      const seen = [];
      const onprogress = ({ progress }) => seen.push(progress);
      await client.call(target.progress.name, target.progress.arguments, { onprogress });
      assert.deepEqual(seen, target.progress.seen);
    });
  }
  if (target.cancel) await check("cancels a call", () => cancels(target.cancel, client));
  await check("ends the connection", () => client.terminate());
}

async function watches({ uri, trigger }, client) {
  const updated = Promise.withResolvers();
  const stop = await client.watch(uri, (changed) => updated.resolve(changed));
  await client.call(trigger.name, trigger.arguments);
  assert.equal(await updated.promise, uri);
  await stop();
}

/** The server itself says when the call began and when it was given up, so nothing here waits blindly. */
async function cancels({ hold, begun, ended }, client) {
  const name = `cancelled-${process.pid}-${Date.now()}`;
  const abort = new AbortController();
  const held = rejection(client.call(hold.name, { [hold.key]: name }, { signal: abort.signal }));
  await client.call(begun.name, { [begun.key]: name });
  abort.abort("the check cancels it");
  await held;
  await client.call(ended.name, { [ended.key]: name });
}

export function textOf(result) {
  const said = ({ type, text, resource }) => (type === "text" ? text : type === "resource" ? resource.text : undefined);
  return result.content.map(said).filter((text) => text !== undefined).join("\n");
}

/** A stdio server must end by itself, and well, when its input ends. */
export function exitOf(transport) {
  const exited = Promise.withResolvers();
  transport._process.once("exit", (code, signal) => exited.resolve({ code, signal }));
  return exited.promise;
}

export function includes(text, part) {
  assert.ok(text.includes(part), `\`${part}\` is not in: ${text}`);
}

async function rejection(promise) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a refusal, got ${JSON.stringify(answer)}`);
}

async function within(ms, name, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end of \`${name}\` in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
