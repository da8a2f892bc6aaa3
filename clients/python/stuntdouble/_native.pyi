"""What `sim-c/python` compiles."""

from collections.abc import Iterable
from typing import Literal, Union

class World:
    def __init__(self, settings: str) -> None: ...
    @property
    def info(self) -> str: ...
    def send(
        self,
        method: str,
        url: str,
        headers: Iterable[tuple[Union[str, bytes], Union[str, bytes]]],
        body: Union[bytes, bytearray, None] = None,
    ) -> Answer: ...
    def close(self) -> None: ...

class Answer:
    """An answer, and what happens to it on its way."""

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> list[tuple[str, str]]:
        """Names are in lower case. A text has a character for each byte, as those of `http.client`."""

    @property
    def raw_headers(self) -> list[tuple[bytes, bytes]]: ...
    @property
    def body(self) -> bytes: ...
    @property
    def mishap(self) -> Literal["none", "delayed", "reset", "torn", "slow"]:
        """How a fault rule changes the delivery of the answer."""

    @property
    def mishap_ms(self) -> int:
        """How late it is, or how long its body takes."""

    @property
    def wait_s(self) -> float:
        """The longest time for which a reader of the answer sees nothing of it, in seconds. A slow body comes in ten pieces."""
