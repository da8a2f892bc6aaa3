"""For clients that use `requests`: `mount(session, world)`."""

from __future__ import annotations

import io
from http.client import IncompleteRead
from collections.abc import Mapping
from typing import Any, Optional, Union

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPHeaderDict, HTTPResponse, Timeout

from .inprocess import native_of
from .world import World


def mount(session: requests.Session, world: World) -> None:
    """Lets a session send all its requests to a world."""
    for scheme in ("http://", "https://"):
        session.mount(scheme, RequestsAdapter(world))


class RequestsAdapter(HTTPAdapter):
    """Sends all requests to a world, whatever their host is. The scheme `https` counts as secure.

    A fault rule breaks the answer as it would break a connection. Nothing waits: an answer that would be later than the client's
    read timeout is a `requests.ReadTimeout` at once, any other one arrives at once.
    """

    def __init__(self, world: World) -> None:
        super().__init__()
        self._native = native_of(world)
        self._name = world.name

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Union[None, float, tuple[Optional[float], Optional[float]], Timeout] = None,
        verify: Union[bool, str] = True,
        cert: Any = None,
        proxies: Optional[Mapping[str, str]] = None,
    ) -> requests.Response:
        headers = [*request.headers.items(), ("x-sim-world", self._name)]
        limit = _read_timeout(timeout)
        answer = self._native.send(request.method or "GET", request.url or "", headers, _bytes(request.body))
        if limit is not None and answer.wait_s > limit:
            raise requests.ReadTimeout(f"a fault rule delays the answer by {answer.mishap_ms} ms", request=request)
        if answer.mishap == "reset":
            raise requests.ConnectionError("a fault rule reset the connection", request=request)
        received = HTTPHeaderDict(answer.headers)
        torn, body = answer.mishap == "torn", answer.body
        if torn:
            received["content-length"] = str(2 * len(body) + 1)
        raw = HTTPResponse(
            body=_Torn(body) if torn else io.BytesIO(body),
            headers=received,
            status=answer.status,
            preload_content=False,
            enforce_content_length=True,
            request_method=request.method,
        )
        return self.build_response(request, raw)


class _Torn(io.BytesIO):
    """A body whose connection breaks at its end."""

    def read(self, size: Optional[int] = -1, /) -> bytes:
        piece = super().read(size)
        if size is None or size < 0 or (size > 0 and not piece):
            raise IncompleteRead(piece)
        return piece


def _read_timeout(timeout: Any) -> Optional[float]:
    """The time that a client waits for bytes, in seconds; None if it waits for ever. Raises `ValueError` for what is no timeout."""
    if not isinstance(timeout, Timeout):
        connect, read = timeout if isinstance(timeout, tuple) else (timeout, timeout)
        timeout = Timeout(connect=connect, read=read)
    asked = timeout.clone()
    # Without a beginning it does not know how much of its total is left.
    asked.start_connect()
    return asked.read_timeout if isinstance(asked.read_timeout, (int, float)) else None


def _bytes(body: Any) -> Union[bytes, bytearray, None]:
    """A body: text, bytes, a file, or pieces."""
    if body is None or isinstance(body, (bytes, bytearray)):
        return body
    if isinstance(body, memoryview):
        return bytes(body)
    pieces = [body] if isinstance(body, str) else [body.read()] if hasattr(body, "read") else body
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
