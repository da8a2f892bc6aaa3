"""Makes the calls of random plans, and compares the answers with those that the plans expect."""

from typing import Any

import pytest
from stuntdouble import Server, StuntdoubleError, World


class MyClient:
    """Stands for yours."""

    def __init__(self, url: str, token: str) -> None:
        self.api = World({"name": "", "url": url, "token": token})

    def projects(self) -> list:
        return self.api.call("GET", "/v1/projects")

    def create(self, project: dict) -> dict:
        return self.api.call("POST", "/v1/projects", project)

    def project(self, ref: str) -> dict:
        return self.api.call("GET", f"/v1/projects/{ref}")

    def pause(self, ref: str) -> None:
        self.api.call("POST", f"/v1/projects/{ref}/pause")


# How it makes the calls that it knows.
CALLS = {
    "v1-list-all-projects": lambda client, step: client.projects(),
    "v1-create-a-project": lambda client, step: client.create(step["body"]),
    "v1-get-project": lambda client, step: client.project(step["path"].split("/")[3]),
    "v1-pause-a-project": lambda client, step: client.pause(step["path"].split("/")[3]),
}


def perform(world: World, step: dict) -> Any:
    token = step.get("token", "")
    if step.get("setup"):
        return world.call(step["method"], step["path"], step.get("body"), token=token)
    return CALLS[step["operation"]](MyClient(world.url, token), step)


@pytest.mark.parametrize("seed", range(20))
def test_my_client_keeps_to_the_plan(stuntdouble_server: Server, seed: int) -> None:
    [plan] = stuntdouble_server.plans(seed=seed, operations=CALLS)
    with stuntdouble_server.world(**plan["world"]) as world:
        for step in plan["steps"]:
            if "until" in step:
                world.advance(until=step["until"])
                continue
            expected = step["expect"]
            try:
                seen = perform(world, step)
                assert expected["status"] < 400, f"it should have been refused: {step}"
                assert seen in (None, expected["body"]), step
            except StuntdoubleError as refused:
                assert (refused.status, refused.reason) == (expected["status"], expected.get("reason")), step
