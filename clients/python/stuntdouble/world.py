"""A world on a server, and the control calls that drive it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union
from urllib.parse import quote, urlencode

from .effect import Effect
from .http import ask
from .operations import OPERATIONS

#: An object as the server sends it; its fields are described by `World.control("sim-get-openapi")`.
Json = dict[str, Any]


def fault(
    effect: Effect,
    *,
    operation: Optional[str] = None,
    method: Optional[str] = None,
    path: Optional[str] = None,
    project: Optional[str] = None,
    caller: Optional[str] = None,
    from_: Optional[str] = None,
    until: Optional[str] = None,
    nth: int = 1,
    times: int = 1,
    for_ms: Optional[int] = None,
    probability: Optional[float] = None,
) -> Json:
    """A fault rule. It matches the calls that fit every given field, and applies to `times` of them (0: all) from the
    `nth` on.

    `*` in a path matches any text. `for_ms` is for how long the rule applies after the first time, in simulated
    milliseconds. `probability` is from 0 to 1, and the world's seed decides.
    """
    on = {
        "operation": operation,
        "method": method,
        "path": path,
        "project": project,
        "caller": caller,
        "from": from_,
        "until": until,
    }
    rule = {
        "on": _given(on),
        "nth": nth,
        "times": times,
        "for_ms": for_ms,
        "probability": probability,
        "effect": effect,
    }
    return _given(rule)


class World:
    """A world. Deleted at the end of its `with` block."""

    def __init__(self, info: Json) -> None:
        #: Its name on the server.
        self.name: str = info["name"]
        #: The base URL that leads to it, whatever the token.
        self.url: str = info["url"]
        #: The token of its first user.
        self.token: Optional[str] = info.get("token")
        #: The token of its analytics server, where it has one beside the other service.
        self.analytics_token: Optional[str] = info.get("analytics_token")

    def call(self, method: str, path: str, body: Any = None, *, token: Optional[str] = None) -> Any:
        """Calls the simulated service, as the world's first user unless there is a token; an empty one is nobody's."""
        return ask(method, self.url + path, body, self.token if token is None else token)

    def control(self, operation: str, fields: Union[Mapping[str, Any], Sequence[Any], None] = None) -> Any:
        """Any control operation, by its id. Fields of its path, query and body are given together; None is left out."""
        if operation not in OPERATIONS:
            raise ValueError(f"there is no control operation {operation!r}")
        method, template = OPERATIONS[operation].split(" ")
        if isinstance(fields, Sequence):
            return ask(method, self.url + template, list(fields))
        rest = _given(fields or {})
        missing = set(re.findall(r"\{(\w+)\}", template)) - rest.keys()
        if missing:
            raise ValueError(f"{operation} needs {', '.join(sorted(missing))}")
        path = re.sub(r"\{(\w+)\}", lambda found: quote(str(rest.pop(found[1])), safe=""), template)
        if method in ("GET", "DELETE"):
            query = f"?{urlencode(rest)}" if rest else ""
            return ask(method, self.url + path + query)
        return ask(method, self.url + path, rest)

    # Time

    def clock(self) -> Json:
        """What the clock shows, how fast it goes, and when the next work falls due."""
        return self.control("sim-get-clock")

    def advance(
        self, *, seconds: Optional[float] = None, ms: Optional[int] = None, until: Optional[str] = None
    ) -> Json:
        """Moves the clock, by exactly one of these; all work that falls due is done, and told in `happened`."""
        if seconds is not None:
            if ms is not None:
                raise ValueError("give seconds or ms, not both")
            ms = round(seconds * 1000)
        return self.control("sim-advance-clock", {"ms": ms, "until": until})

    def advance_to_next(self) -> Json:
        """Moves the clock to the next work, and does it; nowhere when there is none."""
        return self.control("sim-advance-clock", {"to": "next_due"})

    def step(self) -> Json:
        """Does the next piece of work, whatever the world's pace."""
        return self.control("sim-step")

    def set_speed(self, speed: float) -> Json:
        """Lets the clock go by itself: simulated seconds for each real one, 0 to stop it."""
        return self.control("sim-set-speed", {"speed": speed})

    def agenda(self) -> list[Json]:
        """The work that is still to be done, in order."""
        return self.control("sim-get-agenda")

    def history(self, subject: Optional[str] = None) -> list[Json]:
        """The work that was done, oldest first; that on one subject, such as a project's reference, or all."""
        return self.control("sim-get-history", {"subject": subject})

    # Other worlds like this one

    def fork(
        self,
        name: Optional[str] = None,
        *,
        at_call: Optional[int] = None,
        service: Optional[str] = None,
        at: Optional[str] = None,
    ) -> World:
        """A second world, equal to this one as it is, was right after a call to a service, or was at an instant."""
        asked = {"name": name, "at_call": at_call, "service": service, "at": at}
        return World(self.control("sim-fork-world", asked))

    def snapshot(self, name: str) -> Json:
        """Keeps the world as it is now under a name, in place of an older snapshot of that name."""
        return self.control("sim-create-snapshot", {"name": name})

    def snapshots(self) -> list[Json]:
        """The snapshots, by name."""
        return self.control("sim-list-snapshots")

    def restore(self, name: str) -> Json:
        """Makes the world what it was, clock and journal included."""
        return self.control("sim-restore-snapshot", {"name": name})

    def delete_snapshot(self, name: str) -> None:
        """Forgets a snapshot."""
        self.control("sim-delete-snapshot", {"name": name})

    def reset(self) -> None:
        """Begins the world anew. Its snapshots stay."""
        self.control("sim-reset-world")

    def export(self) -> Json:
        """The world as a seed file, secrets and all: `Server.world(seed_file=…)` makes it again."""
        return self.control("sim-export-world")

    def info(self) -> Json:
        """Name, address, seed, instant, and how many calls it has answered."""
        return self.control("sim-get-world", {"name": self.name})

    def delete(self) -> None:
        """Deletes the world."""
        self.control("sim-delete-world", {"name": self.name})

    # Luck

    def add_fault(self, rule: Json) -> Json:
        """Adds a rule, made by `fault`, after those that there are."""
        return self.control("sim-add-fault", rule)

    def set_faults(self, rules: Sequence[Json]) -> list[Json]:
        """Puts rules in the place of all that there are; none ends all faults."""
        return self.control("sim-set-faults", rules)

    def faults(self) -> list[Json]:
        """The rules in the order in which they are tried, with how many calls they met and struck."""
        return self.control("sim-list-faults")

    def delete_fault(self, id: int) -> None:
        """Takes a rule away."""
        self.control("sim-delete-fault", {"id": id})

    def set_next_outcome(
        self,
        work: str,
        outcome: str,
        *,
        after_ms: Optional[int] = None,
        project: Optional[str] = None,
        lasting: Optional[bool] = None,
    ) -> None:
        """Decides how the next work of a kind (`create`, `pause`, `restore` …) ends: `succeed`, `fail` or `never`; when; for
        which project; and whether all later work of that kind ends so too."""
        given = {"after_ms": after_ms, "project": project, "lasting": lasting}
        given = {name: value for name, value in given.items() if value is not None}
        self.control("sim-set-next-outcome", {"work": work, "outcome": outcome, **given})

    # What happened

    def journal(self, first: Optional[int] = None, limit: Optional[int] = None) -> list[Json]:
        """The calls from number `first` on, oldest first."""
        return self.control("sim-get-journal", {"from": first, "limit": limit})

    def query_journal(self, sql: str) -> list[Json]:
        """Rows of a query, in SQLite's SQL, over `call`, `event`, `due` and the rows of resources, such as `project`."""
        return self.control("sim-query-journal", {"sql": sql})

    def explain(self, call: int) -> Json:
        """Which check said what about a call, and which earlier calls are to blame."""
        return self.control("sim-explain", {"call": call})

    def coverage(self) -> Json:
        """What calls have reached: operation, state, role and outcome, and what came after what."""
        return self.control("sim-get-coverage")

    def lens(
        self, runners: Sequence[int] = (1,), *, limit: Optional[str] = None, first: Optional[int] = None
    ) -> Json:
        """What the calls from number `first` on mean for the rate limit (`60/60`), for so many runs at a time."""
        asked = {"from": first, "limit": limit, "runners": ",".join(map(str, runners))}
        return self.control("sim-get-lens", asked)

    def sweep_points(
        self, beginning: World, effects: Optional[Sequence[str]] = None, *, outage: Optional[str] = None
    ) -> list[Json]:
        """What to do to which call of the run that led from `beginning` to this world; each has the `fault` for a fork of it."""
        asked = {"beginning": beginning.name, "effects": effects, "outage": outage}
        points: list[Json] = self.control("sim-list-sweep-points", asked)["points"]
        return points

    def verdict(self, beginning: World, good: World, *, exit: int = 0, allowed: Sequence[int] = ()) -> list[Json]:
        """What is wrong with the run that led here, beside the good one; nothing where it is fine."""
        asked = {"beginning": beginning.name, "good": good.name, "ending": {"exit": exit}, "allowed_exits": allowed}
        troubles: list[Json] = self.control("sim-judge-run", asked)["troubles"]
        return troubles

    def replay_file(self) -> Json:
        """What `stuntdouble replay FILE` lives the world again from."""
        return self.control("sim-get-replay")

    def outbox(self, after: Optional[int] = None) -> list[Json]:
        """The messages that the analytics server sent; only those with a number greater than `after`."""
        return self.control("sim-list-outbox", {"after": after})

    # People

    def users(self) -> list[Json]:
        """All users."""
        return self.control("sim-list-users")

    def create_user(self, name: str, *, email: Optional[str] = None, mfa_enabled: Optional[bool] = None) -> Json:
        """Creates a user, who has no token yet."""
        return self.control("sim-create-user", {"name": name, "email": email, "mfa_enabled": mfa_enabled})

    def tokens(self) -> list[Json]:
        """All tokens, without their texts."""
        return self.control("sim-list-tokens")

    def create_token(
        self,
        user: str,
        *,
        token: Optional[str] = None,
        name: Optional[str] = None,
        scopes: Optional[Sequence[str]] = None,
        lasts_s: Optional[int] = None,
    ) -> str:
        """Creates a token for a user, and returns its text."""
        fields = {"user": user, "token": token, "name": name, "scopes": scopes, "lasts_s": lasts_s}
        created: str = self.control("sim-create-token", fields)["token"]
        return created

    def revoke_token(self, id: int) -> None:
        """Revokes a token: calls that bear it are refused from now on."""
        self.control("sim-revoke-token", {"id": id})

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: Any) -> None:
        self.delete()


def _given(fields: Mapping[str, Any]) -> Json:
    return {name: value for name, value in fields.items() if value is not None}
