"""What the guide shows: a client that does not ask before it tries again."""

import pytest
from stuntdouble import World, effect, fault

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
