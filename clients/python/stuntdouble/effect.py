"""The effects of fault rules, in the form that `/_sim/faults` accepts."""

from __future__ import annotations

from typing import Any, Optional

Effect = dict[str, Any]


def status(
    status: int,
    message: Optional[str] = None,
    retry_after_s: Optional[int] = None,
    members: Optional[dict[str, Any]] = None,
    headers: Optional[dict[str, str]] = None,
) -> Effect:
    """The call is refused with this status, in the service's own format. The answer has these additional members and
    headers."""
    given = {"message": message, "retry_after_s": retry_after_s, "members": members, "headers": headers}
    return {"kind": "status", "status": status, **{name: value for name, value in given.items() if value is not None}}


def alter(
    status: Optional[int] = None,
    set: Optional[dict[str, Any]] = None,
    drop: Optional[list[str]] = None,
    rename: Optional[dict[str, str]] = None,
    reorder: Optional[list[str]] = None,
    headers: Optional[dict[str, str]] = None,
) -> Effect:
    """The call is made; its answer is changed: members are renamed, then removed, then set, then reordered. Places are JSON
    pointers, in which `*` matches every element or member."""
    given = {"status": status, "set": set, "drop": drop, "rename": rename, "reorder": reorder, "headers": headers}
    return {"kind": "alter", **{name: value for name, value in given.items() if value is not None}}


def rate_limit(seconds: int) -> Effect:
    """The call is refused by the rate limit, and so are all calls of that caller for some time."""
    return {"kind": "rate_limit", "seconds": seconds}


def latency(ms: int) -> Effect:
    """The answer is late by `ms` milliseconds of real time; the world's clock does not move."""
    return {"kind": "latency", "ms": ms}


def reset() -> Effect:
    """The connection is reset before the call is made."""
    return {"kind": "reset"}


def empty() -> Effect:
    """The call is made; its answer has no body."""
    return {"kind": "empty"}


def torn() -> Effect:
    """The call is made; the connection breaks in the middle of the answer."""
    return {"kind": "torn"}


def garbage() -> Effect:
    """The call is made; its answer is not JSON."""
    return {"kind": "garbage"}


def slow(ms: int) -> Effect:
    """The call is made; the body of its answer arrives in pieces, over `ms` milliseconds."""
    return {"kind": "slow", "ms": ms}


def lost_answer() -> Effect:
    """The call is made; the connection is reset before the answer."""
    return {"kind": "lost_answer"}


def late(ms: int) -> Effect:
    """The connection is reset, and the call is made `ms` milliseconds of simulated time later."""
    return {"kind": "late", "ms": ms}


def twice() -> Effect:
    """The call is made twice; the answer is the first one."""
    return {"kind": "twice"}


def stale(calls: int) -> Effect:
    """The call reads the state of the world `calls` calls ago, at most 100."""
    return {"kind": "stale", "calls": calls}


def lean() -> Effect:
    """The call is made; its answer has no optional members."""
    return {"kind": "lean"}


def rich() -> Effect:
    """The call is made; its answer has all optional members, one that no edition knows, and instants with an offset."""
    return {"kind": "rich"}


def varied() -> Effect:
    """The call is made; members, their order and the spelling of timestamps vary within the schema of the answer."""
    return {"kind": "varied"}


def reorder() -> Effect:
    """The call is made; lists and the members of objects in its answer are in reverse order."""
    return {"kind": "reorder"}


def partial(done: int, status: int) -> Effect:
    """Of a call with a list, only the first `done` items are done; then it is refused with `status`."""
    return {"kind": "partial", "done": done, "status": status}
