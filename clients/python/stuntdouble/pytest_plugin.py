"""Fixtures for pytest: a server for the session, a world for each test.

    def test_creates(stuntdouble):
        client = MyClient(stuntdouble.url, stuntdouble.token)
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .server import Server
from .world import World


@pytest.fixture(scope="session")
def stuntdouble_flags() -> list[str]:
    """Flags of `stuntdouble serve`. To set them, define a fixture with this name in a conftest."""
    return []


@pytest.fixture(scope="session")
def stuntdouble_server(stuntdouble_flags: list[str]) -> Iterator[Server]:
    """A server that runs during the session."""
    with Server(*stuntdouble_flags) as server:
        yield server


@pytest.fixture
def stuntdouble(stuntdouble_server: Server) -> Iterator[World]:
    """A separate world for a test, deleted after it."""
    with stuntdouble_server.world() as world:
        yield world
