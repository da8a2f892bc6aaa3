"""A world on a server, and the control operations for it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from math import isfinite
from typing import Any, Optional, Union
from unittest.mock import patch
from urllib.parse import quote, urlencode

from .effect import Effect
from .errors import StuntdoubleError
from .http import Connection, Socket
from .operations import OPERATIONS

#: An object as the server sends it; its fields are described by `World.control("sim-get-openapi")`.
Json = dict[str, Any]


def fault(
    effect: Effect,
    *,
    operation: Optional[str] = None,
    method: Optional[str] = None,
    path: Optional[str] = None,
    project: Optional[str] = None,
    caller: Optional[str] = None,
    from_: Optional[str] = None,
    until: Optional[str] = None,
    nth: int = 1,
    times: int = 1,
    for_ms: Optional[int] = None,
    probability: Optional[float] = None,
) -> Json:
    """A fault rule. It matches the calls that match every given field, and applies to `times` of them (0: all) from the
    `nth` on.

    `*` in a path matches any text. `for_ms` limits how long the rule applies after the first time, in simulated
    milliseconds. `probability` is from 0 to 1; the world's seed determines the result.
    """
    on = {
        "operation": operation,
        "method": method,
        "path": path,
        "project": project,
        "caller": caller,
        "from": from_,
        "until": until,
    }
    rule = {
        "on": _given(on),
        "nth": nth,
        "times": times,
        "for_ms": for_ms,
        "probability": probability,
        "effect": effect,
    }
    return _given(rule)


class World:
    """A world. Deleted at the end of its `with` block."""

    def __init__(self, info: Json, connection: Optional[Connection] = None) -> None:
        #: How calls reach it: through a socket, or the library in this process.
        self.connection: Connection = connection or Socket()
        #: Its name on the server.
        self.name: str = info["name"]
        #: The base URL of the world, for requests with any token.
        self.url: str = info["url"]
        #: The token of its first user.
        self.token: Optional[str] = info.get("token")
        #: The token for its analytics server, if it has one in addition to the other service.
        self.analytics_token: Optional[str] = info.get("analytics_token")
        #: The forks that were made of it here; what shows a failed test tells of them, too.
        self.forks: list[World] = []

    def call(self, method: str, path: str, body: Any = None, *, token: Optional[str] = None) -> Any:
        """Calls the simulated service as the world's first user, or with another `token`. An empty token makes an anonymous
        call."""
        if not isinstance(path, str) or not path.startswith("/"):
            raise ValueError(f"path: must begin with /, as in /v1/projects, received {path!r}")
        if not re.fullmatch(r"[!-~]+", path):
            raise ValueError(f"path: must be percent-encoded, as in /v1/a%20b, received {path!r}")
        return self.connection.ask(method, self.url + path, body, self.token if token is None else token)

    def control(self, operation: str, fields: Union[Mapping[str, Any], Sequence[Any], None] = None) -> Any:
        """Calls any control operation by its id. Fields of path, query and body are given together; None means absent."""
        if operation not in OPERATIONS:
            near = get_close_matches(operation, OPERATIONS, 1)
            question = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"there is no control operation {operation!r}{question}")
        method, template = OPERATIONS[operation].split(" ")
        if isinstance(fields, (str, bytes)) or not isinstance(fields, (Mapping, Sequence, type(None))):
            raise TypeError(f"{operation}: takes a mapping of fields or a list, received {fields!r}")
        if isinstance(fields, Sequence):
            return self.connection.ask(method, self.url + template, list(fields))
        rest = _given(fields or {})
        missing = set(re.findall(r"\{(\w+)\}", template)) - rest.keys()
        if missing:
            raise ValueError(f"{operation} needs {', '.join(sorted(missing))}")
        path = re.sub(r"\{(\w+)\}", lambda found: quote(str(rest.pop(found[1])), safe=""), template)
        if method in ("GET", "DELETE"):
            query = f"?{urlencode(rest)}" if rest else ""
            return self.connection.ask(method, self.url + path + query)
        return self.connection.ask(method, self.url + path, rest)

    # Time

    def clock(self) -> Json:
        """The time of the clock, its speed, and the time of the next scheduled work."""
        return self.control("sim-get-clock")

    def advance(
        self, *, seconds: Optional[float] = None, ms: Optional[int] = None, until: Optional[str] = None
    ) -> Json:
        """Advances the clock, by exactly one of these. Does all work that falls due, and returns it in `happened`,
        with what ended by itself."""
        if sum(given is not None for given in (seconds, ms, until)) != 1:
            raise ValueError("give exactly one of seconds, ms and until, as in advance(seconds=60)")
        if seconds is not None:
            if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not isfinite(seconds):
                raise ValueError(f"seconds: must be a number, 0 or more, received {seconds!r}")
            ms = round(seconds * 1000)
        if until is not None and not isinstance(until, str):
            raise TypeError(f"until: must be a text, as in '2026-01-01T00:00:00Z', received {until!r}")
        return self.control("sim-advance-clock", {"ms": ms, "until": until})

    def advance_to_next(self) -> Json:
        """Advances the clock to the next scheduled work and does it. Has no effect if there is none."""
        return self.control("sim-advance-clock", {"to": "next_due"})

    def step(self) -> Json:
        """Does the next piece of scheduled work, in every pace of the world."""
        return self.control("sim-step")

    def set_speed(self, speed: float) -> Json:
        """Sets the speed of the clock in simulated seconds per real second; 0 pauses it."""
        return self.control("sim-set-speed", {"speed": speed})

    @contextmanager
    def sleeps(self) -> Iterator[None]:
        """In this block, `time.sleep` and `asyncio.sleep` advance the clock of the world instead of waiting, so that a client
        that polls or waits before it tries again needs no time. They apply to the whole process."""

        def sleep(seconds: float) -> None:
            self.advance(seconds=float(seconds))

        async def sleep_async(delay: float, result: Any = None) -> Any:
            if delay > 0:
                self.advance(seconds=float(delay))
            await _asleep(0)
            return result

        _asleep = asyncio.sleep
        with patch.object(time, "sleep", sleep), patch.object(asyncio, "sleep", sleep_async):
            yield

    def agenda(self) -> list[Json]:
        """The scheduled work, in order."""
        return self.control("sim-get-agenda")

    def history(self, subject: Optional[str] = None) -> list[Json]:
        """The finished work, oldest first: all, or the work on one subject, such as a project's reference."""
        return self.control("sim-get-history", {"subject": subject})

    # Copies of this world

    def fork(
        self,
        name: Optional[str] = None,
        *,
        at_call: Optional[int] = None,
        service: Optional[str] = None,
        at: Optional[str] = None,
    ) -> World:
        """Creates a copy of the world in its present state, or as it was right after a call to a service, or at a time."""
        asked = {"name": name, "at_call": at_call, "service": service, "at": at}
        fork = World(self.control("sim-fork-world", asked), self.connection)
        self.forks.append(fork)
        return fork

    def diff(self, to: Optional[str] = None, *, at_call: Optional[int] = None, snapshot: Optional[str] = None) -> Json:
        """Compares this world, or an earlier state of it, with the world `to`: rows, and answers to GET requests."""
        return self.control("sim-diff-worlds", {"to": to, "at_call": at_call, "snapshot": snapshot})

    def snapshot(self, name: str) -> Json:
        """Takes a snapshot of the world with a name. It replaces an earlier snapshot with that name."""
        return self.control("sim-create-snapshot", {"name": name})

    def snapshots(self) -> list[Json]:
        """The snapshots, by name."""
        return self.control("sim-list-snapshots")

    def restore(self, name: str) -> Json:
        """Restores the world from a snapshot, including clock and journal."""
        return self.control("sim-restore-snapshot", {"name": name})

    def delete_snapshot(self, name: str) -> None:
        """Deletes a snapshot."""
        self.control("sim-delete-snapshot", {"name": name})

    def reset(self) -> None:
        """Resets the world to its beginning. Its snapshots are kept."""
        self.control("sim-reset-world")

    def export(self) -> Json:
        """Exports the world as a seed file, including its secrets. `Server.world(seed_file=…)` creates the world again."""
        return self.control("sim-export-world")

    def info(self) -> Json:
        """Name, address, seed, time, and number of calls."""
        return self.control("sim-get-world", {"name": self.name})

    def delete(self) -> None:
        """Deletes the world."""
        self.control("sim-delete-world", {"name": self.name})

    # Faults and outcomes

    def add_fault(self, rule: Json) -> Json:
        """Adds a fault rule, made by `fault`, after the existing rules."""
        return self.control("sim-add-fault", rule)

    def set_faults(self, rules: Sequence[Json]) -> list[Json]:
        """Replaces all fault rules; without any, all faults end."""
        return self.control("sim-set-faults", rules)

    def faults(self) -> list[Json]:
        """The fault rules in the order in which they are tried, with the numbers of calls that they matched and applied to."""
        return self.control("sim-list-faults")

    def delete_fault(self, id: int) -> None:
        """Removes a fault rule."""
        self.control("sim-delete-fault", {"id": id})

    def set_next_outcome(
        self,
        work: str,
        outcome: str,
        *,
        after_ms: Optional[int] = None,
        project: Optional[str] = None,
        lasting: Optional[bool] = None,
    ) -> None:
        """Decides the result of the next work of a kind (`create`, `pause`, `restore` …): `succeed`, `fail` or `never`. Also
        decides its duration, its project, and whether the decision applies to all later work of that kind."""
        given = {"after_ms": after_ms, "project": project, "lasting": lasting}
        given = {name: value for name, value in given.items() if value is not None}
        self.control("sim-set-next-outcome", {"work": work, "outcome": outcome, **given})

    def next_outcomes(self) -> list[Json]:
        """The decisions about work to come, by kind of work."""
        return self.control("sim-list-next-outcomes")

    def delete_next_outcome(self, work: str, *, project: Optional[str] = None) -> None:
        """Takes back the decision about the next work of a kind, on one project or on any."""
        self.control("sim-delete-next-outcome", {"work": work, "project": project})

    # Journal

    def journal(self, first: Optional[int] = None, limit: Optional[int] = None) -> list[Json]:
        """The calls from number `first` on, oldest first."""
        return self.control("sim-get-journal", {"from": first, "limit": limit})

    def query_journal(self, sql: str) -> list[Json]:
        """Rows of a query in SQLite's SQL over `call`, `event`, `due` and the rows of resources, such as `project`."""
        return self.control("sim-query-journal", {"sql": sql})

    def explain(self, call: int) -> Json:
        """Explains the answer to a call: the check that refused it, and the earlier calls that caused this."""
        return self.control("sim-explain", {"call": call})

    def coverage(self) -> Json:
        """What the calls have covered: operations, states, roles and outcomes, and the outcomes that followed each."""
        return self.control("sim-get-coverage")

    def lens(
        self, runners: Sequence[int] = (1,), *, limit: Optional[str] = None, first: Optional[int] = None
    ) -> Json:
        """The use of the rate limit (`60/60`) by the calls from number `first` on, and a forecast for simultaneous runs."""
        asked = {"from": first, "limit": limit, "runners": ",".join(map(str, runners))}
        return self.control("sim-get-lens", asked)

    def sweep_points(
        self, beginning: World, effects: Optional[Sequence[str]] = None, *, outage: Optional[str] = None
    ) -> list[Json]:
        """The faults to inject into the run from `beginning` to this world; each has the `fault` for a fork of `beginning`."""
        asked = {"beginning": beginning.name, "effects": effects, "outage": outage}
        points: list[Json] = self.control("sim-list-sweep-points", asked)["points"]
        return points

    def verdict(self, beginning: World, good: World, *, exit: int = 0, allowed: Sequence[int] = ()) -> list[Json]:
        """The defects of the run that led to this world, compared with the good one; empty if there are none."""
        asked = {"beginning": beginning.name, "good": good.name, "ending": {"exit": exit}, "allowed_exits": allowed}
        troubles: list[Json] = self.control("sim-judge-run", asked)["troubles"]
        return troubles

    def replay_file(self) -> Json:
        """The replay file of the world, for `stuntdouble replay FILE`."""
        return self.control("sim-get-replay")

    def outbox(self, after: Optional[int] = None) -> list[Json]:
        """The messages that the analytics server has sent; only those with a number greater than `after`."""
        return self.control("sim-list-outbox", {"after": after})

    # Users

    def users(self) -> list[Json]:
        """All users."""
        return self.control("sim-list-users")

    def create_user(self, name: str, *, email: Optional[str] = None, mfa_enabled: Optional[bool] = None) -> Json:
        """Creates a user, without a token."""
        return self.control("sim-create-user", {"name": name, "email": email, "mfa_enabled": mfa_enabled})

    def tokens(self) -> list[Json]:
        """All tokens, without their texts."""
        return self.control("sim-list-tokens")

    def create_token(
        self,
        user: str,
        *,
        token: Optional[str] = None,
        name: Optional[str] = None,
        scopes: Optional[Sequence[str]] = None,
        permissions: Optional[Sequence[str]] = None,
        organizations: Optional[Sequence[str]] = None,
        projects: Optional[Sequence[str]] = None,
        lasts_s: Optional[int] = None,
    ) -> str:
        """Creates a token for a user, and returns its text. `permissions` make a fine-grained token."""
        fields = {
            "user": user,
            "token": token,
            "name": name,
            "scopes": scopes,
            "permissions": permissions,
            "organizations": organizations,
            "projects": projects,
            "lasts_s": lasts_s,
        }
        created: str = self.control("sim-create-token", fields)["token"]
        return created

    def introspect_token(self, token: str, operation: Optional[str] = None) -> Json:
        """Says what a token may do, and what it lacks for an operation, or for each."""
        answer: Json = self.control("sim-introspect-token", {"token": token, "operation": operation})
        return answer

    def revoke_token(self, id: int) -> None:
        """Revokes a token. Calls with it are refused from now on."""
        self.control("sim-revoke-token", {"id": id})

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            self.delete()
        except StuntdoubleError as refused:
            # The block has deleted it, or the world that it is part of.
            if refused.reason != "world_not_found":
                raise


def _given(fields: Mapping[str, Any]) -> Json:
    return {name: value for name, value in fields.items() if value is not None}
