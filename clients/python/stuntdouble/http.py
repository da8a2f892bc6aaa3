"""One HTTP request, JSON in and out."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, Optional

from .errors import StuntdoubleError

# The server is on this machine, so proxies from the environment are not used.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(method: str, url: str, body: Any = None, token: Optional[str] = None) -> Any:
    """Makes a request. Returns JSON as a value, and anything else as text; None if there is no body.

    Raises `StuntdoubleError` for a refusal, and `ConnectionResetError` if the connection is reset.
    """
    headers = {"authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["content-type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with _direct.open(request) as answer:
            text = answer.read().decode()
            is_json = "json" in answer.headers.get("content-type", "")
    except urllib.error.HTTPError as refused:
        raise StuntdoubleError.of(refused) from None
    if not text:
        return None
    return json.loads(text) if is_json else text
