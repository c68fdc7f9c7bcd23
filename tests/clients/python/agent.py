"""An agent on the official Python client, steered over standard input and output.

Started with one JSON argument that says which server to start and how to speak
with it. Each line on standard input is an order; each answer repeats its id:

    {"id": 1, "call": {"tool": "search", "arguments": {"query": "tea"}}}
    {"id": 1, "result": {...}}          or  {"id": 1, "error": "..."}

A question for the person comes as {"ask": 1, "message": ..., "schema": ...} and
waits for {"answer": 1, "result": {"action": "accept", "content": {...}}}.
"""

import asyncio
import itertools
import json
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult, Implementation


def tell(message):
    print(json.dumps(message), flush=True)


class Person:
    """The one who is asked; the answers come from the story."""

    def __init__(self):
        self._numbers = itertools.count(1)
        self._open = {}

    async def ask(self, _context, params):
        number = next(self._numbers)
        self._open[number] = asyncio.get_running_loop().create_future()
        tell({"ask": number, "message": params.message, "schema": params.requested_schema})
        return ElicitResult(**await self._open[number])

    def answer(self, number, result):
        self._open.pop(number).set_result(result)


async def obey(client, order):
    if "call" in order:
        call = order["call"]
        result = await client.call_tool(call["tool"], call["arguments"])
    elif "read" in order:
        result = await client.read_resource(order["read"])
    elif "list" in order:
        result = await getattr(client, f"list_{order['list']}")()
    else:
        raise ValueError(f"no such order: {order}")
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def answer(client, order):
    try:
        tell({"id": order["id"], "result": await obey(client, order)})
    except Exception as error:  # the story decides what an error means
        tell({"id": order["id"], "error": f"{type(error).__name__}: {error}"})


async def main():
    settings = json.loads(sys.argv[1])
    person = Person()
    options = {"elicitation_callback": person.ask} if settings["person"] else {}
    server = StdioServerParameters(command=settings["command"], args=settings["args"], env=settings["env"])
    info = Implementation(name=settings["name"], version="1.0.0")
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)

    async with Client(server, client_info=info, mode=settings["mode"], **options) as client:
        tell({"ready": {"protocol": client.protocol_version, "instructions": client.instructions}})
        async with asyncio.TaskGroup() if hasattr(asyncio, "TaskGroup") else Tasks() as tasks:
            while line := await lines.readline():
                order = json.loads(line)
                if "answer" in order:
                    person.answer(order["answer"], order["result"])
                else:
                    tasks.create_task(answer(client, order))


class Tasks:
    """What Python 3.10 lacks of task groups."""

    def __init__(self):
        self._tasks = []

    def create_task(self, work):
        self._tasks.append(asyncio.create_task(work))

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await asyncio.gather(*self._tasks)


asyncio.run(main())
