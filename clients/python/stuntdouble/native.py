"""Worlds that the extension has, as a `Connection`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional, Union

from . import binary
from .errors import NoAnswer, UnreadableAnswer
from .http import content, encoded

if TYPE_CHECKING:
    from ._native import Answer


class Native:
    """A world in this process, its forks, and the worlds made beside it. Nothing waits: see `Answer.mishap`."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._world = binary.extension().World(json.dumps(settings))

    @property
    def info(self) -> dict[str, Any]:
        """The first world: name, address, tokens."""
        return json.loads(self._world.info)

    def send(
        self,
        method: str,
        url: str,
        headers: Iterable[tuple[Union[str, bytes], Union[str, bytes]]] = (),
        body: Union[bytes, bytearray, None] = None,
    ) -> Answer:
        """Sends a request, and returns the answer to it. Raises `BadRequest` for one that no connection could carry."""
        return self._world.send(method, url, headers, body)

    def ask(self, method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
        """As in `Connection`."""
        headers, data = encoded(body, token)
        answer = self._world.send(method, url, headers.items(), data)
        if answer.mishap == "reset":
            raise NoAnswer("a fault rule reset the connection")
        if answer.mishap == "torn":
            raise UnreadableAnswer("the body of the answer breaks off, by a fault rule")
        return content(answer.status, dict(answer.headers), answer.body)

    def close(self) -> None:
        """Ends all worlds. Closing twice is closing once."""
        self._world.close()
