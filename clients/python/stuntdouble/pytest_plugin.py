"""Fixtures for pytest: a world for each test, in this process or on a server.

    def test_creates(world):                     # a fork of `stuntdouble_beginning`, in this process
        client = httpx.Client(transport=HttpxTransport(world))

    def test_creates(stuntdouble):               # a world of the session's server
        client = MyClient(stuntdouble.url, stuntdouble.token)

A test that fails shows the seed of its world and the end of its journal.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from .errors import StuntdoubleError
from .inprocess import InProcess
from .server import Server
from .world import Json, World

#: How many calls of the journal a test that fails shows.
CALLS_SHOWN = 15


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


@pytest.fixture(scope="session")
def stuntdouble_settings() -> Json:
    """Settings of `InProcess`; a fixture of this name in a conftest gives others."""
    return {}


@pytest.fixture(scope="session")
def stuntdouble_beginning(stuntdouble_settings: Json) -> Iterator[World]:
    """The world that each test begins with, in this process. Make here what all tests need."""
    with InProcess(**stuntdouble_settings) as sim:
        yield sim.main


@pytest.fixture
def world(stuntdouble_beginning: World) -> Iterator[World]:
    """A fork of the beginning for a test, deleted at its end."""
    with stuntdouble_beginning.fork() as fork:
        yield fork


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    """Adds what the test's worlds have been through to its report."""
    outcome = yield
    report = outcome.get_result()
    if report.when != "call" or not report.failed:
        return
    for name in ("world", "stuntdouble"):
        used = getattr(item, "funcargs", {}).get(name)
        if isinstance(used, World):
            report.sections.append((f"journal of {name}", _told(used)))


def _told(world: World) -> str:
    """Seed, instant and last calls of a world; why, where it can't be asked any more."""
    try:
        info = world.info()
        last = world.journal(first=max(1, info["calls"] - CALLS_SHOWN + 1))
    except (OSError, StuntdoubleError, ValueError) as gone:
        return f"can't be read: {gone}"
    head = f"seed {info['seed']}, now {info['now']}, {info['calls']} calls"
    return "\n".join([head, *map(_line, last)])


def _line(call: Json) -> str:
    notes = [call[key] for key in ("reason", "fault") if call.get(key)]
    line = f"{call['call']:4} {call['at']} {call['method']} {call['target']} -> {call['status']}"
    return f"{line} {', '.join(notes)}".rstrip()
