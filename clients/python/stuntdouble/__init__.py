"""Controls the simulator `stuntdouble` from tests: starts its server, creates worlds, advances time, injects faults.

    with Server() as server, server.world(seed=7) as world:
        client = MyClient(world.url, world.token)
        ...
        world.advance(seconds=60)

The same in this process, without a server: `InProcess`. Needs only the standard library. For pytest there are fixtures
in `stuntdouble.pytest_plugin`.
"""

from __future__ import annotations

from . import effect
from .errors import StuntdoubleError
from .inprocess import InProcess
from .operations import OPERATIONS
from .server import Server
from .world import Json, World, fault

__all__ = ["OPERATIONS", "InProcess", "Json", "Server", "StuntdoubleError", "World", "effect", "fault"]
