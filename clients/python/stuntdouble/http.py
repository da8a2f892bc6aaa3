"""One HTTP request, JSON in and out."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, IncompleteRead
from typing import Any, Optional, Protocol

from .errors import NoAnswer, StuntdoubleError, UnreadableAnswer

# The server is on this machine, so proxies from the environment are not used.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Connection(Protocol):
    """How calls reach a world."""

    def ask(self, method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
        """Makes a request. Returns JSON as a value, and anything else as text; None if there is no body.

        Raises `StuntdoubleError` for a refusal and for an answer that broke. If the connection broke, the error is a
        `ConnectionResetError`, too, and its reason is `no_answer`; if the body breaks off or is no JSON, it is `unreadable_answer`.
        """


class Socket:
    """A connection to a server."""

    def ask(self, method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
        """As in `Connection`."""
        headers, data = encoded(body, token)
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            return content(*_received(request))
        except IncompleteRead as broken:
            raise UnreadableAnswer(f"{url}: the body of the answer breaks off") from broken
        except urllib.error.URLError as gone:
            raise _unreachable(url, gone) from gone
        except (ConnectionError, HTTPException) as broken:
            if isinstance(broken, NoAnswer):
                raise
            raise NoAnswer(f"{url}: the connection broke, {broken!r}") from broken


def _received(request: urllib.request.Request) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body of the answer, whether it is a refusal or not."""
    try:
        with _direct.open(request) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def _unreachable(url: str, gone: urllib.error.URLError) -> ConnectionError:
    """The error for a server that does not answer, of the kind that the system reports."""
    if isinstance(gone.reason, ConnectionResetError):
        return NoAnswer(f"{url}: the connection broke, {gone.reason}")
    kind = type(gone.reason) if isinstance(gone.reason, ConnectionError) else ConnectionError
    return kind(f"{url}: no server answers, {gone.reason}; its server may have been stopped")


def encoded(body: Any, token: Optional[str]) -> tuple[dict[str, str], Optional[bytes]]:
    """Headers and bytes of a request."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    if body is None:
        return headers, None
    return {**headers, "content-type": "application/json"}, json.dumps(body).encode()


def content(status: int, headers: Mapping[str, str], body: bytes) -> Any:
    """The content of an answer. Raises `StuntdoubleError` if it is a refusal."""
    text = body.decode("utf-8", "replace")
    if status >= 400:
        raise StuntdoubleError.of(status, headers, text)
    if "json" not in headers.get("content-type", ""):
        return text or None
    if not text:
        raise UnreadableAnswer(f"the body of the answer with status {status} is empty")
    try:
        return json.loads(text)
    except ValueError as error:
        raise UnreadableAnswer(f"the answer with status {status} is no JSON, {error}") from error
