"""Control of worlds from Python."""

from datetime import datetime

import pytest
from stuntdouble import Server, StuntdoubleError, World, effect, fault

DEMO = {"name": "demo", "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password"}


def projects(world: World) -> list:
    return [project["name"] for project in world.call("GET", "/v1/projects")]


def create(world: World, name: str = "demo") -> str:
    return world.call("POST", "/v1/projects", {**DEMO, "name": name})["id"]


def test_each_test_has_a_world_of_its_own(stuntdouble: World, stuntdouble_server: Server) -> None:
    create(stuntdouble)
    with stuntdouble_server.world(name="other") as other:
        assert projects(other) == []
        assert other.name in [world.name for world in stuntdouble_server.worlds()]
    assert other.name not in [world.name for world in stuntdouble_server.worlds()]
    assert projects(stuntdouble) == ["demo"]
    assert projects(stuntdouble_server.main) == []


def test_time_goes_by_only_when_told(stuntdouble: World) -> None:
    create(stuntdouble)
    begun = stuntdouble.clock()
    assert begun["now"] == "2026-01-01T00:00:00Z"
    assert stuntdouble.agenda()[0]["due"] == begun["next_due"]
    assert stuntdouble.advance(ms=1)["happened"] == []
    moved = stuntdouble.advance_to_next()
    assert (moved["now"], moved["happened"][0]["became"]) == (begun["next_due"], "ACTIVE_HEALTHY")
    assert stuntdouble.advance(until="2026-01-02T00:00:00Z")["now"] == "2026-01-02T00:00:00Z"
    assert len(stuntdouble.history()) == 1


def test_speed_is_of_the_clock(stuntdouble: World) -> None:
    assert stuntdouble.set_speed(60)["speed"] == 60
    assert stuntdouble.set_speed(0)["speed"] == 0


def test_a_fork_goes_its_own_way(stuntdouble: World) -> None:
    create(stuntdouble, "one")
    create(stuntdouble, "two")
    with stuntdouble.fork() as now, stuntdouble.fork(at_call=1) as then:
        assert projects(now) == ["one", "two"]
        assert projects(then) == ["one"]
        create(then, "three")
    assert projects(stuntdouble) == ["one", "two"]


def test_a_snapshot_is_restored_and_a_world_reset(stuntdouble: World) -> None:
    create(stuntdouble, "one")
    stuntdouble.snapshot("before")
    create(stuntdouble, "two")
    stuntdouble.restore("before")
    assert projects(stuntdouble) == ["one"]
    stuntdouble.reset()
    assert projects(stuntdouble) == []
    assert [one["name"] for one in stuntdouble.snapshots()] == ["before"]
    stuntdouble.delete_snapshot("before")
    assert stuntdouble.snapshots() == []


def test_a_world_is_exported_and_made_again(stuntdouble: World, stuntdouble_server: Server) -> None:
    create(stuntdouble)
    with stuntdouble_server.world(seed_file=stuntdouble.export()) as again:
        assert again.call("GET", "/v1/projects", token=stuntdouble.token) == stuntdouble.call("GET", "/v1/projects")
    assert "paused-project" in [one["name"] for one in stuntdouble_server.scenarios()]
    with stuntdouble_server.world(scenario="paused-project") as paused:
        assert [project["status"] for project in paused.call("GET", "/v1/projects")] == ["INACTIVE"]


def test_faults_strike_and_are_taken_away(stuntdouble: World) -> None:
    busy = fault(effect.status(503, retry_after_s=5), path="/v1/*", nth=2, times=0)
    added = stuntdouble.add_fault(busy)
    assert projects(stuntdouble) == []
    with pytest.raises(StuntdoubleError) as refused:
        projects(stuntdouble)
    assert (refused.value.status, refused.value.reason) == (503, "fault")
    assert [(one["met"], one["struck"]) for one in stuntdouble.faults()] == [(2, 1)]
    stuntdouble.delete_fault(added["id"])
    assert projects(stuntdouble) == []
    assert len(stuntdouble.set_faults([busy, busy])) == 2
    assert stuntdouble.set_faults([]) == []


def test_a_refusal_has_a_word_a_text_and_an_explanation(stuntdouble: World) -> None:
    project = create(stuntdouble)
    stuntdouble.call("DELETE", f"/v1/projects/{project}")
    with pytest.raises(StuntdoubleError, match="^400 project_removed: Resource has been removed$") as refused:
        stuntdouble.call("GET", f"/v1/projects/{project}")
    assert refused.value.call == 3
    assert [call["call"] for call in stuntdouble.explain(3)["because_of"]] == [2]
    with pytest.raises(StuntdoubleError) as refused:
        stuntdouble.advance(seconds=-1)
    assert refused.value.reason == "invalid_body.ms"


def test_the_journal_answers(stuntdouble: World) -> None:
    create(stuntdouble)
    projects(stuntdouble)
    assert [call["call"] for call in stuntdouble.journal(first=2)] == [2]
    assert stuntdouble.query_journal("select count(*) as calls from call") == [{"calls": 2}]
    reached = [one["operation"] for one in stuntdouble.coverage()["reached"]]
    assert "v1-create-a-project" in reached
    assert len(stuntdouble.replay_file()["calls"]) == 2
    assert stuntdouble.info()["calls"] == 2


def test_the_lens_looks_at_the_calls(stuntdouble: World) -> None:
    for _ in range(40):
        projects(stuntdouble)
    seen = stuntdouble.lens([1, 4])
    assert seen["budget_percent"] == 67
    assert [one["wall_ms"] for one in seen["forecasts"]] == [0, 120000]


def test_a_sweep_finds_what_is_made_twice(stuntdouble: World) -> None:
    def careless(world: World) -> None:
        for _ in range(2):
            try:
                world.call("POST", "/v1/organizations", {"name": "Shop"})
                return
            except OSError:
                pass

    good = stuntdouble.fork()
    careless(good)
    found = []
    for point in good.sweep_points(stuntdouble, ["lost_answer", "reset"]):
        run = stuntdouble.fork()
        run.add_fault(point["fault"])
        careless(run)
        found += [trouble["kind"] for trouble in run.verdict(stuntdouble, good)]
    assert found == ["double"]


def test_the_next_work_fails_when_told(stuntdouble: World) -> None:
    stuntdouble.set_next_outcome("create", "fail")
    create(stuntdouble)
    assert stuntdouble.advance(seconds=600)["happened"][0]["became"] == "INIT_FAILED"


def test_people_come_with_tokens(stuntdouble: World) -> None:
    stuntdouble.create_user("ada")
    token = stuntdouble.create_token("ada", name="laptop")
    assert "ada" in [user["name"] for user in stuntdouble.users()]
    assert stuntdouble.call("GET", "/v1/organizations", token=token) == []
    with pytest.raises(StuntdoubleError, match="401 token_missing"):
        stuntdouble.call("GET", "/v1/organizations", token="")
    stuntdouble.revoke_token(stuntdouble.tokens()[-1]["id"])
    with pytest.raises(StuntdoubleError) as refused:
        stuntdouble.call("GET", "/v1/organizations", token=token)
    assert refused.value.reason == "token_revoked"


def test_a_control_operation_goes_by_its_id(stuntdouble: World) -> None:
    stuntdouble.control("sim-set-dns", {"name": "api.example.test", "txt": ["a b"]})
    assert stuntdouble.control("sim-get-dns", {"name": "api.example.test"})["txt"] == ["a b"]
    with pytest.raises(ValueError, match="no control operation 'sim-nothing'"):
        stuntdouble.control("sim-nothing")
    with pytest.raises(ValueError, match="did you mean 'sim-set-dns'"):
        stuntdouble.control("sim-set-dsn")
    with pytest.raises(ValueError, match="path: must begin with /"):
        stuntdouble.call("GET", "v1/projects")
    with pytest.raises(ValueError, match="sim-get-dns needs name"):
        stuntdouble.control("sim-get-dns")


def test_wrong_arguments_are_named(stuntdouble: World, stuntdouble_server: Server) -> None:
    for wrong, told in [
        (lambda: stuntdouble.advance(), "exactly one of seconds, ms and until"),
        (lambda: stuntdouble.advance(seconds=1, ms=1), "exactly one of seconds, ms and until"),
        (lambda: stuntdouble.advance(seconds="1"), "seconds: must be a number, 0 or more, received '1'"),  # type: ignore[arg-type]
        (lambda: stuntdouble.advance(seconds=float("nan")), "seconds: must be a number, 0 or more, received nan"),
        (lambda: stuntdouble.advance(until=datetime(2026, 1, 2)), "until: must be a text"),  # type: ignore[arg-type]
        (lambda: stuntdouble.call("GET", "/v1/a b"), "path: must be percent-encoded"),
        (lambda: stuntdouble.call("GET", None), "path: must begin with /, as in /v1/projects, received None"),
        (lambda: stuntdouble.add_fault("reset"), "sim-add-fault: takes a mapping of fields"),  # type: ignore[arg-type]
        (lambda: stuntdouble.set_faults("reset"), "sim-set-faults: takes a mapping of fields or a list"),  # type: ignore[arg-type]
        (lambda: stuntdouble_server.plans(operations="v1-get-project"), "operations: must be a list of ids"),
        (lambda: Server(5), "flags: must be texts"),  # type: ignore[arg-type]
    ]:
        with pytest.raises((TypeError, ValueError), match=told):
            wrong()


def test_a_block_may_delete_its_world(stuntdouble: World) -> None:
    with stuntdouble.fork() as fork:
        fork.delete()
    with pytest.raises(StuntdoubleError, match="world_not_found"):
        fork.clock()


def test_a_server_that_is_gone_is_named() -> None:
    with Server() as server:
        world = server.world()
    with pytest.raises(ConnectionRefusedError, match="/_sim/clock: no server answers"):
        world.clock()


def test_another_program_is_no_server() -> None:
    with pytest.raises(RuntimeError, match="echo: is another program; its first line is 'serve"):
        Server(binary="/bin/echo")


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="can't start /nowhere: .*; set STUNTDOUBLE_BIN"):
        Server(binary="/nowhere")
