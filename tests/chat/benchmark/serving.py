import asyncio
from contextlib import asynccontextmanager


@asynccontextmanager
async def serving(answer):
    """A server on this event loop that ends after all answers; yields its port."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
