"""A client to be tested: it deploys a shop. It can be given four bugs, each of which such clients have had."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

#: Creates again after a lost answer, without a look at what is there.
BLIND_RETRY = "blind retry"
#: Does not wait as long as `retry-after` says.
IMPATIENT = "impatient"
#: Takes a project that was just created for one that is up.
EAGER = "eager"
#: Creates a project elsewhere than it was told to.
AT_HOME = "at home"

ATTEMPTS = 8
SHOP = {"name": "shop", "region": "eu-west-1", "db_pass": "a-password"}


class Refused(Exception):
    """The service said no, and no other attempt would help."""


class Deployer:
    """`http` has address and token. `sleep` waits so many seconds."""

    def __init__(self, http: httpx.Client, sleep: Callable[[float], Any], *bugs: str) -> None:
        self.http = http
        self.sleep = sleep
        self.bugs = bugs

    def release(self) -> None:
        """The shop is there: an organization, a project that is up, a secret, a table."""
        shop = self.ensure("/v1/organizations", {"name": "Shop"})
        project = self.create_project({**SHOP, "organization_id": shop["id"]})
        self.wait_until_up(project["id"])
        path = f"/v1/projects/{project['id']}"
        self.call("POST", f"{path}/secrets", [{"name": "MODE", "value": "live"}])
        self.call("POST", f"{path}/database/query", {"query": "create table if not exists item (name text)"})

    def create_project(self, wanted: dict) -> dict:
        """The project of that name, created unless it is there."""
        if AT_HOME in self.bugs:
            wanted = {**wanted, "region": "us-east-1"}
        return self.ensure("/v1/projects", wanted)

    def wait_until_up(self, ref: str) -> None:
        """Waits until a project can be used, for ten minutes at most."""
        for _ in range(30):
            projects = self.call("GET", "/v1/projects")
            if EAGER in self.bugs or (ref, "ACTIVE_HEALTHY") in [(one["id"], one["status"]) for one in projects]:
                return
            self.sleep(20)
        raise Refused("the project did not come up")

    def ensure(self, path: str, wanted: dict) -> dict:
        """What has that name in the list at `path`; created unless it is there."""
        for attempt in range(ATTEMPTS):
            if attempt == 0 or BLIND_RETRY not in self.bugs:
                there = [one for one in self.call("GET", path) if one["name"] == wanted["name"]]
                if there:
                    return there[0]
            created = self.attempt("POST", path, wanted)
            if created:
                return created
        raise Refused(f"{path}: no answer to {ATTEMPTS} attempts")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Makes a call that can be made twice without harm, until it succeeds."""
        for _ in range(ATTEMPTS):
            answer = self.attempt(method, path, body)
            if answer is not None:
                return answer
        raise Refused(f"{method} {path}: no answer to {ATTEMPTS} attempts")

    def attempt(self, method: str, path: str, body: Any) -> Any:
        """The answer, {} if it is empty. None, after a wait, if there was none or another attempt may succeed."""
        try:
            answer = self.http.request(method, path, json=body)
            if answer.status_code == 429 or answer.status_code >= 500:
                asked = float(answer.headers.get("retry-after", 1))
                self.sleep(0.1 if IMPATIENT in self.bugs else asked)
                return None
            if answer.is_error:
                raise Refused(f"{method} {path}: {answer.status_code} {answer.text}")
            return answer.json() if answer.content or method == "GET" else {}
        except (httpx.TransportError, ValueError):
            self.sleep(1)
            return None
