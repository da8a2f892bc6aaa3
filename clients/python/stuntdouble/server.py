"""A server of worlds, started from the binary."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from typing import Any, Optional, Union

from .world import Json, World


class Server:
    """A running `stuntdouble serve` on a free port of this machine, its clocks standing still.

    The binary is `binary`, else that which `STUNTDOUBLE_BIN` names, else `stuntdouble` on `PATH`. `flags` are further ones
    of `serve`, such as `"--analytics"`. Ends with its `with` block, by `stop`, or with the interpreter.
    """

    def __init__(self, *flags: str, binary: Optional[str] = None) -> None:
        command = [_binary(binary), "serve", "--json", "--port", "0", "--deterministic", *flags]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            raise RuntimeError(f"{command[0]} serve ended with {code}; standard error says why")
        atexit.register(self.stop)
        started: Json = json.loads(line)
        #: The world that is there from the start.
        self.main = World({"name": started["world"], **started})
        #: Where the server is, without a world's path.
        self.url: str = started["url"]

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
        """Makes a world of its own, deleted at the end of its `with` block or by `World.delete`.

        Fields are those of `POST /_sim/worlds`; what is left out is as in the world `main`, or has its default.
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
        return World(self.main.control("sim-create-world", fields))

    def worlds(self) -> list[World]:
        """The worlds on this port, by name."""
        return [World(info) for info in self.main.control("sim-list-worlds")]

    def scenarios(self) -> list[Json]:
        """Worlds to begin with: the names that `world(scenario=…)` takes, and what each is about."""
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
        """Histories by chance for worlds of their own: calls, what must come of each, and time in between.

        `operations` are those that the client under test can call, by id; all where there are none. With `good` every call
        succeeds. The same seeds give the same plans.
        """
        fields = {
            "seed": seed,
            "count": count,
            "length": length,
            "operations": ",".join(operations) or None,
            "good": str(good).lower(),
        }
        return self.main.control("sim-draw-plans", fields)

    def stop(self) -> None:
        """Ends the server, and all worlds with it. Stopping twice is stopping once."""
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


def _binary(given: Optional[str]) -> str:
    found = given or os.environ.get("STUNTDOUBLE_BIN") or shutil.which("stuntdouble")
    if not found:
        raise FileNotFoundError("no binary: set STUNTDOUBLE_BIN, or put stuntdouble on PATH")
    return found
