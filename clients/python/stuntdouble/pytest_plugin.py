"""Fixtures for pytest: a world for each test, in this process or on a server.

    def test_creates(world):                     # a fork of `stuntdouble_beginning`, in this process
        client = httpx.Client(transport=HttpxTransport(world))

    def test_creates(stuntdouble):               # a world of the session's server
        client = MyClient(stuntdouble.url, stuntdouble.token)

A test that fails shows the seed of its world and the end of its journal.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Generator, Iterator
from typing import Any, Union

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
def stuntdouble(request: pytest.FixtureRequest, stuntdouble_server: Server) -> Iterator[World]:
    """A separate world for a test, deleted after it."""
    with stuntdouble_server.world() as world:
        yield from _lend(request.node, "stuntdouble", world)


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
def world(request: pytest.FixtureRequest, stuntdouble_beginning: World) -> Iterator[World]:
    """A fork of the beginning for a test, deleted at its end."""
    with stuntdouble_beginning.fork() as fork:
        stuntdouble_beginning.forks.remove(fork)
        yield from _lend(request.node, "world", fork)


@pytest.fixture
def stuntdouble_sleep(request: pytest.FixtureRequest) -> Iterator[World]:
    """`time.sleep` and `asyncio.sleep` advance the clock of the test's world: that of `stuntdouble` if the test has it, else that
    of `world`."""
    name = "stuntdouble" if "stuntdouble" in request.fixturenames else "world"
    used: World = request.getfixturevalue(name)
    with used.sleeps():
        yield used


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    """Adds what the test's worlds have been through to the report of its first phase that fails."""
    outcome = yield
    report = outcome.get_result()
    if report.failed and not item.stash.get(_TOLD, False):
        item.stash[_TOLD] = True
        for name, lent in item.stash.get(_LENT, {}).items():
            report.sections.extend(lent if isinstance(lent, list) else _sections(name, lent))


#: The worlds of a test, by the names of their fixtures; what there is to tell of one that is deleted.
_LENT = pytest.StashKey[dict[str, Union[World, list[tuple[str, str]]]]]()
#: Whether a report of the test has its journal.
_TOLD = pytest.StashKey[bool]()


def _lend(item: pytest.Item, name: str, world: World) -> Iterator[World]:
    """Gives a world to a test, and warns of its fault rules and decisions that had no effect."""
    lent = item.stash.setdefault(_LENT, {})
    lent[name] = world
    yield world
    # Another fixture may fail after the world is gone.
    lent[name] = _sections(name, world)
    for title, one in _family(name, world):
        for kind, what in _unused(one):
            warnings.warn(pytest.PytestWarning(f"{item.nodeid}: {kind} of {title} had no effect: {json.dumps(what)}"), stacklevel=1)


def _sections(name: str, world: World) -> list[tuple[str, str]]:
    return [(f"journal of {title}", _told(one)) for title, one in _family(name, world)]


def _family(name: str, world: World) -> Iterator[tuple[str, World]]:
    """A world and its forks, with words for them."""
    yield name, world
    for fork in world.forks:
        yield from _family(f"{name}, fork {fork.name}", fork)


def _unused(world: World) -> list[tuple[str, Json]]:
    """The fault rules that no call met, and the decisions that no work used. None of a world that is gone."""
    try:
        rules = [("a fault rule", rule["rule"]) for rule in world.faults() if rule["struck"] == 0]
        if world.info()["service"] == "analytics":
            return rules
        return rules + [("a decision", one) for one in world.next_outcomes() if one["used"] == 0]
    except (OSError, StuntdoubleError, ValueError):
        return []


def _told(world: World) -> str:
    """Seed, instant and last calls of a world; why, where it can't be asked any more."""
    try:
        info = world.info()
        count, last = _last_calls(world, info)
    except (OSError, StuntdoubleError, ValueError) as gone:
        return f"can't be read: {gone}"
    head = f"seed {info['seed']}, now {info['now']}, {count} call{'' if count == 1 else 's'}"
    return "\n".join([head, *map(_line, last)])


def _last_calls(world: World, info: Json) -> tuple[int, list[Json]]:
    """The number of calls to both services, and the last ones in their order."""
    services = ("management", "analytics") if info["service"] == "both" else (info["service"],)
    count, calls = 0, []
    for service in services:
        found = {"service": service, "text": "", "control": "false", "limit": 0}
        total = world.control("sim-search-journal", found)["total"]
        count += total
        last = {**found, "limit": CALLS_SHOWN, "offset": max(0, total - CALLS_SHOWN)}
        calls += world.control("sim-search-journal", last)["calls"]
    return count, sorted(calls, key=lambda call: call["at"])[-CALLS_SHOWN:]


def _line(call: Json) -> str:
    notes = [call[key] for key in ("reason", "fault") if call.get(key)]
    line = f"{call['call']:4} {call['at']} {call['method']} {call['target']} -> {call['status']}"
    return f"{line} {', '.join(notes)}".rstrip()
