"""Worlds, and a server of them that is started from the binary."""

from __future__ import annotations

import atexit
import json
import subprocess
from collections.abc import Iterable
from typing import Any, Optional, Union

from .binary import program
from .world import Json, World


class Worlds:
    """Worlds that share a server, or this process."""

    #: The world that exists from the start.
    main: World

    def world(
        self,
        name: Optional[str] = None,
        *,
        seed: Optional[int] = None,
        start: Optional[str] = None,
        policy: Optional[Json] = None,
        profile: Optional[Json] = None,
        world: Optional[Json] = None,
        seed_file: Union[Json, str, None] = None,
        scenario: Optional[str] = None,
        service: Optional[str] = None,
        self_log: Optional[bool] = None,
        speed: Optional[float] = None,
    ) -> World:
        """Creates a world. It is deleted at the end of its `with` block, or by `World.delete`.

        The fields are those of `POST /_sim/worlds`. Omitted fields are those of the world `main`, or have their defaults.
        """
        fields = {
            "name": name,
            "seed": seed,
            "start": start,
            "policy": policy,
            "profile": profile,
            "world": world,
            "seed_file": seed_file,
            "scenario": scenario,
            "service": service,
            "self_log": self_log,
            "speed": speed,
        }
        return World(self.main.control("sim-create-world", fields), self.main.connection)

    def worlds(self) -> list[World]:
        """All worlds, by name."""
        return [World(info, self.main.connection) for info in self.main.control("sim-list-worlds")]

    def scenarios(self) -> list[Json]:
        """The scenarios: the names that `world(scenario=…)` accepts, with their descriptions."""
        return self.main.control("sim-list-scenarios")

    def plans(
        self,
        *,
        seed: int = 0,
        count: int = 1,
        length: int = 20,
        operations: Iterable[str] = (),
        good: bool = False,
    ) -> list[Json]:
        """Generates random call sequences, each for a world of its own: calls with their expected results, and pauses.

        `operations` are the ids of the operations that the client under test can call; all by default. With `good`, all
        calls succeed. The same seeds give the same plans.
        """
        if isinstance(operations, str):
            raise TypeError(f"operations: must be a list of ids, as in [{operations!r}], received a text")
        fields = {
            "seed": seed,
            "count": count,
            "length": length,
            "operations": ",".join(operations) or None,
            "good": str(good).lower(),
        }
        return self.main.control("sim-draw-plans", fields)


class Server(Worlds):
    """A running `stuntdouble serve` on a free port of this machine. Its clocks are paused.

    The program is `binary`, or the one in the wheel, or the one in `STUNTDOUBLE_BIN`, or `stuntdouble` on `PATH`. `flags` are
    additional flags of `serve`, such as `"--analytics"`. The server stops at the end of its `with` block, by `stop`, or with the
    interpreter.
    """

    def __init__(self, *flags: str, binary: Optional[str] = None) -> None:
        for flag in flags:
            if not isinstance(flag, str):
                raise TypeError(f"flags: must be texts, as in Server('--seed', '7'), received {flag!r}")
        command = [binary or program(), "serve", "--json", "--port", "0", "--deterministic", *flags]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise type(error)(f"can't start {command[0]}: {error}; set STUNTDOUBLE_BIN, or put stuntdouble on PATH") from error
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            self._process.stdout.close()
            raise RuntimeError(f"{command[0]} serve ended with {code}; standard error says why")
        atexit.register(self.stop)
        try:
            started: Json = json.loads(line)
        except ValueError as error:
            self.stop()
            raise RuntimeError(f"{command[0]}: is another program; its first line is {line.rstrip()!r}, not JSON") from error
        self.main = World({"name": started["world"], **started})
        #: The address of the server, without a world's path.
        self.url: str = started["url"]

    def stop(self) -> None:
        """Stops the server and deletes its worlds. Has no effect if it is stopped already."""
        atexit.unregister(self.stop)
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()
