"""Refusals, as exceptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Optional


class StuntdoubleError(Exception):
    """A refused call, or an answer that broke: code checks `reason`, people read `message`."""

    def __init__(self, status: int, reason: str, message: str, call: Optional[int] = None) -> None:
        super().__init__(f"{status} {reason}: {message}")
        #: The status of the refusal; 0 if the answer broke.
        self.status = status
        #: A stable code, such as `project_removed` or `invalid_body.name`.
        self.reason = reason
        self.message = message
        #: The call's number, for `World.explain`; None for control calls, which are not in the journal.
        self.call = call

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str], text: str) -> StuntdoubleError:
        """The error for a refusal."""
        call = headers.get("x-sim-call")
        return cls(status, headers.get("x-sim-reason") or "unknown", _message(text), int(call) if call else None)


class NoAnswer(StuntdoubleError, ConnectionResetError):
    """A connection that was reset, or closed without an answer: its `reason` is `no_answer`."""

    def __init__(self, why: str) -> None:
        super().__init__(0, "no_answer", why)


class UnreadableAnswer(StuntdoubleError, ValueError):
    """An answer whose body breaks off, is empty, or is not the JSON that it says it is: its `reason` is `unreadable_answer`."""

    def __init__(self, why: str) -> None:
        super().__init__(0, "unreadable_answer", why)


class BadRequest(ValueError):
    """A request to a world in this process that no connection could carry."""


def _message(text: str) -> str:
    try:
        body = json.loads(text)
    except ValueError:
        return text
    found = body.get("message", body.get("error")) if isinstance(body, dict) else None
    return found if isinstance(found, str) else text
