"""The shared library, described by its header `stuntdouble.h`, called through `ctypes`."""

from __future__ import annotations

import ctypes
import functools
import json
import re
import weakref
from collections.abc import Iterable
from enum import IntEnum
from typing import Any, NamedTuple, Optional

from . import binary
from .errors import NoAnswer, UnreadableAnswer
from .http import content, encoded


#: What would end a header, or a text of C.
_ENDS = re.compile("[\0\r\n]")


class Mishap(IntEnum):
    """How a fault rule changes the delivery of an answer."""

    NONE = 0
    DELAYED = 1
    RESET = 2
    TORN = 3
    SLOW = 4


class Answer(NamedTuple):
    """An answer, and what happens to it on its way."""

    status: int
    #: A text has a character for each byte, as those of `http.client`.
    headers: list[tuple[str, str]]
    body: bytes
    mishap: Mishap
    #: How late it is, or how long its body takes.
    mishap_ms: int

    @property
    def wait_s(self) -> float:
        """The longest time for which a reader of this answer sees nothing of it, in seconds. A slow body comes in ten pieces."""
        if self.mishap is Mishap.DELAYED:
            return self.mishap_ms / 1000
        return self.mishap_ms / 10_000 if self.mishap is Mishap.SLOW else 0


class BadRequest(ValueError):
    """A request that no connection could carry."""


class Native:
    """A world in this process, its forks, and the worlds made beside it. Nothing waits: see `Answer.mishap`."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._library = _load(binary.library())
        held = self._library.stuntdouble_new(json.dumps(settings).encode())
        if not held:
            raise ValueError(self._error())
        self._held = held
        self.close = weakref.finalize(self, self._library.stuntdouble_free, held)

    @property
    def info(self) -> dict[str, Any]:
        """The first world: name, address, tokens."""
        return json.loads(self._library.stuntdouble_info(self._open()))

    def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]] = (), body: Optional[bytes] = None
    ) -> Answer:
        """Sends a request, and returns the answer to it."""
        headers = list(headers)
        for part in (method, url, *(text for header in headers for text in header)):
            if _ENDS.search(part):
                raise BadRequest(f"a request has no line breaks and no zero characters: {part!r}")
        lines = "".join(f"{name}: {value}\n" for name, value in headers)
        found = self._library.stuntdouble_handle(
            self._open(), method.encode(), url.encode(), lines.encode(), body, len(body or b"")
        )
        if not found:
            raise BadRequest(self._error())
        try:
            raw = found.contents
            answered = [tuple(line.split(": ", 1)) for line in raw.headers.decode("latin-1").split("\n")[:-1]]
            body = ctypes.string_at(raw.body, raw.body_length)
            return Answer(raw.status, answered, body, Mishap(raw.mishap), raw.mishap_ms)
        finally:
            self._library.stuntdouble_response_free(found)

    def ask(self, method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
        """As in `Connection`."""
        headers, data = encoded(body, token)
        answer = self.send(method, url, headers.items(), data)
        if answer.mishap is Mishap.RESET:
            raise NoAnswer("a fault rule reset the connection")
        if answer.mishap is Mishap.TORN:
            raise UnreadableAnswer("the body of the answer breaks off, by a fault rule")
        return content(answer.status, dict(answer.headers), answer.body)

    def _open(self) -> int:
        if not self.close.alive:
            raise ValueError("this simulator is closed")
        return self._held

    def _error(self) -> str:
        return self._library.stuntdouble_last_error().decode()


class _Response(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_uint16),
        ("mishap", ctypes.c_uint32),
        ("mishap_ms", ctypes.c_uint64),
        ("headers", ctypes.c_char_p),
        ("body", ctypes.c_void_p),
        ("body_length", ctypes.c_size_t),
    ]


@functools.cache
def _load(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    text, world, response = ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(_Response)
    for name, result, arguments in (
        ("new", world, [text]),
        ("free", None, [world]),
        ("info", text, [world]),
        ("handle", response, [world, text, text, text, text, ctypes.c_size_t]),
        ("response_free", None, [response]),
        ("last_error", text, []),
    ):
        function = getattr(library, f"stuntdouble_{name}")
        function.restype, function.argtypes = result, arguments
    return library
