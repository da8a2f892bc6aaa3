"""Each bug of the client is found by one tool of the test kit, in this process: no server, no wait."""

from __future__ import annotations

import httpx
import pytest
from deployer import AT_HOME, BLIND_RETRY, EAGER, IMPATIENT, SHOP, Deployer, Refused
from stuntdouble import StuntdoubleError, World, effect, fault
from stuntdouble.httpx_transport import HttpxTransport


def deployer(world: World, *bugs: str, token: str | None = None) -> Deployer:
    headers = {"authorization": f"Bearer {token or world.token}"}
    http = httpx.Client(transport=HttpxTransport(world), base_url="https://api.example.test", headers=headers)
    return Deployer(http, lambda seconds: world.advance(seconds=seconds), *bugs)


def test_a_release_succeeds(world: World) -> None:
    deployer(world).release()
    assert [project["status"] for project in world.call("GET", "/v1/projects")] == ["ACTIVE_HEALTHY"]


# Sweep: a fault in every call, one at a time. Without a list of effects it would be all usual ones.

EFFECTS = ["503", "lost_answer", "torn"]


def swept(world: World, *bugs: str, effects: list[str] = EFFECTS) -> list[str]:
    """The defects of the runs, as "CALL EFFECT: defect"."""
    good = world.fork()
    deployer(good, *bugs).release()
    found = []
    for point in good.sweep_points(world, effects):
        with world.fork() as run:
            run.add_fault(point["fault"])
            exit = 0
            try:
                deployer(run, *bugs).release()
            except Refused:
                exit = 1
            for trouble in run.verdict(world, good, exit=exit):
                kind = point["fault"]["effect"]["kind"]
                found.append(f"{point['method']} {point['target']} {kind}: {trouble['kind']}")
    return found


def test_a_release_survives_every_fault(world: World) -> None:
    assert swept(world) == []


def test_a_sweep_finds_the_blind_retry(world: World) -> None:
    assert "POST /v1/organizations lost_answer: double" in swept(world, BLIND_RETRY, effects=["lost_answer"])


# Lens: what the client does when it is told to wait.


def reaction(world: World, *bugs: str) -> object:
    world.add_fault(fault(effect.rate_limit(seconds=30), operation="v1-list-all-projects"))
    deployer(world, *bugs).release()
    return world.lens()["reaction"]


def test_a_release_waits_when_it_is_told_to(world: World) -> None:
    assert reaction(world) == "waits"


def test_the_lens_finds_impatience(world: World) -> None:
    with pytest.raises(Refused):
        reaction(world, IMPATIENT)
    assert world.lens()["reaction"]["calls"] > 1


# Forks: the same step at every moment of a project's start.


def at_each_moment(world: World, *bugs: str) -> list[str]:
    """What becomes of a statement right after the wait, in forks of a start that takes a minute."""
    project = deployer(world).create_project(wanted(world))
    results = []
    for second in range(0, 70, 10):
        with world.fork() as moment:
            moment.advance(seconds=second)
            client = deployer(moment, *bugs)
            client.wait_until_up(project["id"])
            try:
                client.call("POST", f"/v1/projects/{project['id']}/database/query", {"query": "select 1"})
                results.append("done")
            except Refused:
                results.append("refused")
    return results


def wanted(world: World) -> dict:
    return {**SHOP, "organization_id": world.call("GET", "/v1/organizations")[0]["id"]}


def test_a_project_is_used_when_it_is_up(world: World) -> None:
    assert at_each_moment(world) == ["done"] * 7


def test_forks_find_the_eager_client(world: World) -> None:
    assert at_each_moment(world, EAGER) == ["refused"] * 6 + ["done"]


# Trial: random histories, with the answer that each call must have.


def tried(world: World, *bugs: str) -> list[str]:
    """Where the client differs from what must come of its calls."""
    found = []
    for plan in plans(world):
        with make(world, plan) as run:
            for step in plan["steps"]:
                if "until" in step:
                    run.advance(until=step["until"])
                elif step["operation"] == "v1-create-a-project" and not step.get("setup"):
                    created = deployer(run, *bugs, token=step["token"]).create_project(step["body"])
                    found += [name for name, value in step["expect"]["body"].items() if created[name] != value]
                else:
                    follow(run, step)
    return found


def plans(world: World) -> list[dict]:
    asked = {"seed": 1, "count": 4, "operations": "v1-create-a-project", "good": "true"}
    return world.control("sim-draw-plans", asked)


def make(world: World, plan: dict) -> World:
    return World(world.control("sim-create-world", plan["world"]), world.connection)


def follow(run: World, step: dict) -> None:
    try:
        run.call(step["method"], step["path"], step.get("body"), token=step.get("token", ""))
    except StuntdoubleError as refused:
        assert refused.status == step["expect"]["status"]


def test_a_project_is_as_it_was_ordered(world: World) -> None:
    assert tried(world) == []


def test_a_trial_finds_the_wrong_region(world: World) -> None:
    assert "region" in tried(world, AT_HOME)
