"""For clients that use `httpx`, synchronous or not: `httpx.Client(transport=HttpxTransport(world), base_url=…)`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import httpx

from .errors import BadRequest
from .inprocess import native_of
from .world import World


class HttpxTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends all requests to a world, whatever their host is. The scheme `https` counts as secure.

    A fault rule breaks the answer as it would break a connection. Nothing waits: an answer that would be later than the client's
    read timeout is a `httpx.ReadTimeout` at once, any other one arrives at once.
    """

    def __init__(self, world: World) -> None:
        self._native = native_of(world)
        self._world = (b"x-sim-world", world.name.encode())

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._response(request, request.read())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self._response(request, await request.aread())

    def _response(self, request: httpx.Request, body: bytes) -> httpx.Response:
        if request.url.scheme not in ("http", "https"):
            raise httpx.UnsupportedProtocol(f"{request.url}: must begin with http:// or https://", request=request)
        headers = [*request.headers.raw, self._world]
        try:
            answer = self._native.send(request.method, str(request.url), headers, body)
        except BadRequest as error:
            raise httpx.LocalProtocolError(str(error), request=request) from error
        limit = request.extensions.get("timeout", {}).get("read")
        if limit is not None and answer.wait_s > limit:
            raise httpx.ReadTimeout(f"a fault rule delays the answer by {answer.mishap_ms} ms", request=request)
        if answer.mishap == "reset":
            raise httpx.ReadError("a fault rule reset the connection", request=request)
        return httpx.Response(answer.status, headers=answer.raw_headers, stream=_Body(answer.body, answer.mishap == "torn"))


class _Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body, which ends too early if the connection broke."""

    def __init__(self, body: bytes, torn: bool) -> None:
        self._body = body
        self._torn = torn

    def __iter__(self) -> Iterator[bytes]:
        yield self._body
        if self._torn:
            raise httpx.RemoteProtocolError("a fault rule broke the connection in the middle of the body")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece
