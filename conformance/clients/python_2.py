"""The official Python SDK, second generation: finds out the era by itself, or is told it by `--era legacy`."""

import warnings
from contextlib import asynccontextmanager

import anyio
from mcp import Client, MCPError, StdioServerParameters

from checks import read_arguments, run, text_of

warnings.filterwarnings("ignore", category=DeprecationWarning)


class Adapter:
    def __init__(self, era):
        self.era = era
        self.updated_send, self.updated = anyio.create_memory_object_stream(16)

    async def on_message(self, message):
        if getattr(message, "method", None) == "notifications/resources/updated":
            await self.updated_send.send(str(message.params.uri))

    @asynccontextmanager
    async def connected(self, arguments):
        server = arguments.url
        if server is None:
            command, *args = arguments.command
            server = StdioServerParameters(command=command, args=args)
        async with Client(server, mode=self.era, message_handler=self.on_message) as self.client:
            expected = "2026-07-28" if self.era == "auto" else "2025-11-25"
            assert self.client.protocol_version == expected, self.client.protocol_version
            yield self

    async def tools(self):
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, name, arguments, told=None):
        result = await self.client.call_tool(name, arguments, progress_callback=told)
        return result.is_error, text_of(result.content), result.structured_content

    async def refusal(self, name):
        try:
            answer = await self.call(name, {})
        except MCPError as error:
            return error.error.code, error.error.message
        raise AssertionError(answer)

    async def read(self, uri):
        return (await self.client.read_resource(uri)).contents[0].text

    async def prompt(self, name, arguments):
        return (await self.client.get_prompt(name, arguments)).messages[0].content.text

    async def watch(self, uri, trigger):
        if self.era == "auto":
            async with self.client.listen(resource_subscriptions=[uri]) as changes:
                await self.call(trigger["name"], trigger["arguments"])
                return str((await anext(changes)).uri)
        await self.client.subscribe_resource(uri)
        await self.call(trigger["name"], trigger["arguments"])
        changed = await self.updated.receive()
        await self.client.unsubscribe_resource(uri)
        return changed

    async def hold(self, name, arguments):
        await self.call(name, arguments)

    async def after_cancel(self):
        """This generation tells the server by itself."""


arguments, target = read_arguments()
anyio.run(run, Adapter(arguments.era).connected(arguments), target)
