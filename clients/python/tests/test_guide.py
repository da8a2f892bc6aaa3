"""Examples: a project that comes up, a lost answer, and a sweep of a client."""

import pytest
from stuntdouble import StuntdoubleError, World, effect, fault

DEMO = {"name": "demo", "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password"}


def test_a_project_comes_up(stuntdouble: World) -> None:
    project = stuntdouble.call("POST", "/v1/projects", DEMO)
    stuntdouble.advance(seconds=60)
    assert stuntdouble.call("GET", f"/v1/projects/{project['id']}")["status"] == "ACTIVE_HEALTHY"


def test_a_lost_answer_is_not_a_lost_project(stuntdouble: World) -> None:
    stuntdouble.add_fault(fault(effect.lost_answer(), operation="v1-create-a-project"))
    with pytest.raises(ConnectionResetError):
        stuntdouble.call("POST", "/v1/projects", DEMO)
    assert [project["name"] for project in stuntdouble.call("GET", "/v1/projects")] == ["demo"]


def careful(world: World) -> None:
    """Makes an organization, and looks before it tries again."""
    for _ in range(3):
        try:
            if "Shop" in [one["name"] for one in world.call("GET", "/v1/organizations")]:
                return
            world.call("POST", "/v1/organizations", {"name": "Shop"})
        except (OSError, StuntdoubleError):
            world.advance(seconds=1)


def test_every_fault_in_every_call(stuntdouble: World) -> None:
    good = stuntdouble.fork()
    careful(good)
    for point in good.sweep_points(stuntdouble, ["503", "lost_answer", "late"]):
        run = stuntdouble.fork()
        run.add_fault(point["fault"])
        careful(run)
        assert run.verdict(stuntdouble, good) == [], point
