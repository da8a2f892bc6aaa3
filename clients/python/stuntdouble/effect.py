"""What a fault does to a call: the shapes that `/_sim/faults` takes."""

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
    """It is refused with that status, in the service's own form, with further members of the body and headers."""
    given = {"message": message, "retry_after_s": retry_after_s, "members": members, "headers": headers}
    return {"kind": "status", "status": status, **{name: value for name, value in given.items() if value is not None}}


def alter(
    status: Optional[int] = None,
    set: Optional[dict[str, Any]] = None,
    drop: Optional[list[str]] = None,
    rename: Optional[dict[str, str]] = None,
    headers: Optional[dict[str, str]] = None,
) -> Effect:
    """It is done, and its answer is altered: members are renamed, then left out, then set. A place is a JSON pointer, in
    which `*` stands for every element or member."""
    given = {"status": status, "set": set, "drop": drop, "rename": rename, "headers": headers}
    return {"kind": "alter", **{name: value for name, value in given.items() if value is not None}}


def rate_limit(seconds: int) -> Effect:
    """It is refused as one too many, and so is every call of that caller for so many seconds."""
    return {"kind": "rate_limit", "seconds": seconds}


def latency(ms: int) -> Effect:
    """It is answered late, by milliseconds of the client's time; the world's clock is not moved."""
    return {"kind": "latency", "ms": ms}


def reset() -> Effect:
    """The connection is reset before anything was done."""
    return {"kind": "reset"}


def empty() -> Effect:
    """It is done, but the body of the answer is missing."""
    return {"kind": "empty"}


def torn() -> Effect:
    """It is done, but the connection breaks in the middle of the answer."""
    return {"kind": "torn"}


def garbage() -> Effect:
    """It is done, but the answer is no JSON."""
    return {"kind": "garbage"}


def slow(ms: int) -> Effect:
    """It is done, and the body of the answer arrives piece by piece, in so many milliseconds."""
    return {"kind": "slow", "ms": ms}


def lost_answer() -> Effect:
    """It is done, but the connection is reset before the answer."""
    return {"kind": "lost_answer"}


def late(ms: int) -> Effect:
    """The connection is reset, and the call is done later, by milliseconds of simulated time."""
    return {"kind": "late", "ms": ms}


def twice() -> Effect:
    """It is done twice; the answer is the first one's."""
    return {"kind": "twice"}


def stale(calls: int) -> Effect:
    """What it reads is what there was so many calls ago, at most 100."""
    return {"kind": "stale", "calls": calls}
