"""Refusals, as exceptions."""

from __future__ import annotations

import json
from typing import Optional
from urllib.error import HTTPError


class StuntdoubleError(Exception):
    """A call that was refused: code looks at `reason`, people read `message`."""

    def __init__(self, status: int, reason: str, message: str, call: Optional[int] = None) -> None:
        super().__init__(f"{status} {reason}: {message}")
        self.status = status
        #: A stable word, such as `project_removed` or `invalid_body.name`.
        self.reason = reason
        self.message = message
        #: The call's number, to ask `World.explain` about; None for control calls that no journal has.
        self.call = call

    @classmethod
    def of(cls, refused: HTTPError) -> StuntdoubleError:
        """The refusal that an answer is."""
        text = refused.read().decode("utf-8", "replace")
        call = refused.headers.get("x-sim-call")
        return cls(
            refused.code,
            refused.headers.get("x-sim-reason") or "unknown",
            _message(text),
            int(call) if call else None,
        )


def _message(text: str) -> str:
    try:
        body = json.loads(text)
    except ValueError:
        return text
    found = body.get("message", body.get("error")) if isinstance(body, dict) else None
    return found if isinstance(found, str) else text
