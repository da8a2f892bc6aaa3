"""Worlds in this process: no server, no socket, no wait.

    with InProcess(seed=7) as sim:
        client = httpx.Client(transport=HttpxTransport(sim.main), base_url="https://api.example.test")
        ...
        sim.main.advance(seconds=60)

Needs the extension, which the wheel has. `stuntdouble.httpx_transport` and `stuntdouble.requests_adapter` lead clients here.
"""

from __future__ import annotations

from typing import Any

from .native import Native
from .server import Worlds
from .world import World


class InProcess(Worlds):
    """A world in this process, `main`, and those that are made beside it. Its settings are the fields of `Worlds.world`, except
    `name` and `speed`. Ends with its `with` block, by `close`, or when nothing uses it."""

    def __init__(self, **settings: Any) -> None:
        native = Native(settings)
        self.main = World(native.info, native)
        self._native = native

    def close(self) -> None:
        """Ends all worlds. Closing twice is closing once."""
        self._native.close()

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def native_of(world: World) -> Native:
    """The connection to this world. Refuses worlds of a server."""
    if not isinstance(world.connection, Native):
        raise TypeError(f"{world.name} is a world of a server: give its url to the client; transports are for InProcess")
    return world.connection
