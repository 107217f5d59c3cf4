"""What every Python client must be able to do, whatever its version; `checks.mjs` in Python."""

import argparse
import json
import os
import sys
import time
import traceback

import anyio

LONGEST_SECONDS = 20


def read_arguments():
    """`--target FILE` and either `--url URL` or a command after `--`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", required=True)
    parser.add_argument("--url")
    parser.add_argument("--era", default="auto")
    parser.add_argument("command", nargs="*")
    arguments = parser.parse_args()
    with open(arguments.target, encoding="utf-8") as file:
        return arguments, json.load(file)


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    async def check(self, name, body):
        try:
            with anyio.fail_after(LONGEST_SECONDS):
                await body()
            self.passed += 1
        except Exception:
            self.failed += 1
            print(f"FAILED {name}: {traceback.format_exc()}", file=sys.stderr)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(0 if self.failed == 0 else 1)


async def run(connected, target):
    """Connects with `connected`, an asynchronous context manager, runs the checks and leaves."""
    tally = Tally()
    try:
        async with connected as client:
            tally.passed += 1
            await everything(tally, target, client)
        tally.passed += 1
    except Exception:
        tally.failed += 1
        print(f"FAILED to connect or to end: {traceback.format_exc()}", file=sys.stderr)
    tally.finish()


async def everything(tally, target, client):
    """Runs every check that the target has. `client` is the adapter of one version."""

    async def lists_tools():
        names = await client.tools()
        assert set(target["tools"]) <= set(names), names

    async def calls_a_tool():
        call = target["call"]
        is_error, text, structured = await client.call(call["name"], call["arguments"])
        assert not is_error, text
        assert "structured" not in call or structured == call["structured"], structured
        assert call.get("contains", "") in text, text

    async def is_told_which_argument_is_bad():
        bad = target["bad"]
        is_error, text, _ = await client.call(bad["name"], bad["arguments"])
        assert is_error and all(name in text for name in bad["names"]), text

    async def is_refused_an_unknown_tool():
        unknown = target["unknown"]
        code, message = await client.refusal(unknown["name"])
        assert code == -32602 and all(name in message for name in unknown["names"]), (code, message)

    async def is_refused_a_call_without_its_arguments():
        refused = target["refused"]
        code, message = await client.refusal(refused["name"])
        assert code == -32602 and all(name in message for name in refused["names"]), (code, message)

    async def gets_an_answer_of_several_resources():
        blocks = target["blocks"]
        is_error, text, _ = await client.call(blocks["name"], blocks["arguments"])
        assert not is_error and blocks["contains"] in text, text
        assert len(text.splitlines()) == len(blocks["parts"]), text

    async def reads_that_a_resource_is_not_there():
        text = await client.read(target["missing"]["uri"])
        assert target["missing"]["contains"] in text, text

    async def reads_a_resource():
        text = await client.read(target["read"]["uri"])
        assert target["read"]["contains"] in text, text

    async def hears_that_a_resource_changed():
        watch = target["watch"]
        changed = await client.watch(watch["uri"], watch["trigger"])
        assert changed == watch["uri"], changed

    async def gets_a_prompt():
        prompt = target["prompt"]
        text = await client.prompt(prompt["name"], prompt["arguments"])
        assert prompt["contains"] in text, text

    async def hears_of_progress():
        progress = target["progress"]
        seen = []

        async def told(done, _total, _message):
            seen.append(done)

        await client.call(progress["name"], progress["arguments"], told)
        assert seen == progress["seen"], seen

    async def cancels_a_call():
        cancel = target["cancel"]
        name = f"cancelled-{os.getpid()}-{time.time_ns()}"
        step = lambda which: (cancel[which]["name"], {cancel[which]["key"]: name})
        async with anyio.create_task_group() as group:
            scope = anyio.CancelScope()

            async def held():
                with scope:
                    await client.hold(*step("hold"))

            group.start_soon(held)
            await client.call(*step("begun"))
            scope.cancel()
        await client.after_cancel()
        await client.call(*step("ended"))

    await tally.check("lists tools", lists_tools)
    await tally.check("calls a tool", calls_a_tool)
    await tally.check("is told which argument is bad", is_told_which_argument_is_bad)
    await tally.check("is refused an unknown tool with -32602", is_refused_an_unknown_tool)
    if "refused" in target:
        await tally.check("is refused a call without its arguments", is_refused_a_call_without_its_arguments)
    if "blocks" in target:
        await tally.check("gets an answer of several resources", gets_an_answer_of_several_resources)
    if "missing" in target:
        await tally.check("reads that a resource is not there", reads_that_a_resource_is_not_there)
    if "read" in target:
        await tally.check("reads a resource", reads_a_resource)
    if "watch" in target:
        await tally.check("hears that a resource changed", hears_that_a_resource_changed)
    if "prompt" in target:
        await tally.check("gets a prompt", gets_a_prompt)
    if "progress" in target:
        await tally.check("hears of progress", hears_of_progress)
    if "cancel" in target:
        await tally.check("cancels a call", cancels_a_call)


def text_of(content):
    said = [getattr(block.resource, "text", None) if block.type == "resource" else getattr(block, "text", None) for block in content]
    return "\n".join(text for text in said if text is not None)
