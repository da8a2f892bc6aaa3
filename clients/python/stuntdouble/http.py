"""One HTTP request, JSON in and out."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Optional, Protocol

from .errors import StuntdoubleError

# The server is on this machine, so proxies from the environment are not used.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Connection(Protocol):
    """How calls reach a world."""

    def ask(self, method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
        """Makes a request. Returns JSON as a value, and anything else as text; None if there is no body.

        Raises `StuntdoubleError` for a refusal, and `ConnectionResetError` if the connection is reset.
        """


class Socket:
    """A connection to a server."""

    def ask(self, method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
        """As in `Connection`."""
        if not re.fullmatch(r"[!-~]+", url):
            raise ValueError(f"path: must be percent-encoded, as in /v1/a%20b, received {url!r}")
        headers, data = encoded(body, token)
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with _direct.open(request) as answer:
                return content(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refused:
            status, answered, text = refused.code, refused.headers, refused.read()
        except urllib.error.URLError as gone:
            raise _unreachable(url, gone) from gone
        return content(status, answered, text)


def _unreachable(url: str, gone: urllib.error.URLError) -> ConnectionError:
    """The error for a server that does not answer, of the kind that the system reports."""
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
    if not text:
        return None
    return json.loads(text) if "json" in headers.get("content-type", "") else text
