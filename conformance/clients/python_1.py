"""The official Python SDK, first generation: revisions up to 2025-11-25."""

import os
from contextlib import asynccontextmanager

import anyio
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

from checks import read_arguments, run, text_of


class Adapter:
    def __init__(self):
        self.updated_send, self.updated = anyio.create_memory_object_stream(16)

    async def on_message(self, message):
        root = getattr(message, "root", None)
        if isinstance(root, types.ResourceUpdatedNotification):
            await self.updated_send.send(str(root.params.uri))

    @asynccontextmanager
    async def connected(self, arguments):
        if arguments.url:
            transport = streamable_http_client(arguments.url)
        else:
            command, *args = arguments.command
            parameters = StdioServerParameters(command=command, args=args)
            transport = stdio_client(parameters, errlog=open(os.devnull, "w"))
        async with transport as (read, write, *_):
            async with ClientSession(read, write, message_handler=self.on_message) as self.session:
                result = await self.session.initialize()
                assert result.protocolVersion == "2025-11-25", result.protocolVersion
                yield self

    async def tools(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call(self, name, arguments, told=None):
        result = await self.session.call_tool(name, arguments, progress_callback=told)
        return result.isError, text_of(result.content), result.structuredContent

    async def refusal(self, name):
        try:
            answer = await self.call(name, {})
        except McpError as error:
            return error.error.code, error.error.message
        raise AssertionError(answer)

    async def read(self, uri):
        return (await self.session.read_resource(AnyUrl(uri))).contents[0].text

    async def prompt(self, name, arguments):
        return (await self.session.get_prompt(name, arguments)).messages[0].content.text

    async def watch(self, uri, trigger):
        await self.session.subscribe_resource(AnyUrl(uri))
        await self.call(trigger["name"], trigger["arguments"])
        changed = await self.updated.receive()
        await self.session.unsubscribe_resource(AnyUrl(uri))
        return changed

    async def hold(self, name, arguments):
        self.held = self.session._request_id
        await self.call(name, arguments)

    async def after_cancel(self):
        # This generation only stops waiting; telling the server is left to the caller.
        params = types.CancelledNotificationParams(requestId=self.held, reason="the check cancels it")
        notification = types.CancelledNotification(method="notifications/cancelled", params=params)
        await self.session.send_notification(types.ClientNotification(notification))


arguments, target = read_arguments()
anyio.run(run, Adapter().connected(arguments), target)
