"""Worlds in this process, and the clients that are led to them."""

import asyncio
import gc
import io
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import IncompleteRead

import httpx
import pytest
import requests
import urllib3
from stuntdouble import InProcess, StuntdoubleError, World, binary, effect, fault
from stuntdouble.errors import BadRequest
from stuntdouble.httpx_transport import HttpxTransport
from stuntdouble.inprocess import native_of
from stuntdouble.requests_adapter import RequestsAdapter, mount

pytest_plugins = ["pytester"]

DEMO = {"name": "demo", "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password"}
FAR = "https://api.example.test"


def create(world: World, name: str = "demo") -> str:
    return world.call("POST", "/v1/projects", {**DEMO, "name": name})["id"]


def by_httpx(world: World, **settings: object) -> httpx.Client:
    headers = {"authorization": f"Bearer {world.token}"}
    return httpx.Client(transport=HttpxTransport(world), base_url=FAR, headers=headers, **settings)


def by_requests(world: World) -> requests.Session:
    session = requests.Session()
    session.headers["authorization"] = f"Bearer {world.token}"
    mount(session, world)
    return session


def test_a_world_in_process_is_driven_like_one_of_a_server(world: World) -> None:
    project = create(world)
    world.snapshot("before")
    assert world.advance(seconds=60)["happened"][0]["became"] == "ACTIVE_HEALTHY"
    assert world.call("GET", f"/v1/projects/{project}")["status"] == "ACTIVE_HEALTHY"
    world.restore("before")
    assert world.call("GET", f"/v1/projects/{project}")["status"] == "COMING_UP"
    with pytest.raises(StuntdoubleError, match="project_exists") as refused:
        create(world)
    assert world.explain(refused.value.call)["call"]["reason"] == "project_exists"


def test_each_test_has_a_fork_of_the_beginning(world: World, stuntdouble_beginning: World) -> None:
    create(world)
    with world.fork() as fork:
        create(fork, "other")
        assert len(fork.call("GET", "/v1/projects")) == 2
    assert len(world.call("GET", "/v1/projects")) == 1
    assert stuntdouble_beginning.info()["calls"] == 0


def test_settings_are_those_of_a_world() -> None:
    with InProcess(scenario="paused-project", seed=7) as sim:
        assert sim.main.info()["seed"] == 7
        assert sim.main.call("GET", "/v1/projects")[0]["status"] == "INACTIVE"
        assert sim.world(seed=8).info()["seed"] == 8
        assert sim.plans(count=2)[1]["steps"]
    with pytest.raises(ValueError, match="this simulator is closed"):
        sim.main.info()
    with pytest.raises(ValueError, match="unknown field `sed`"):
        InProcess(sed=7)
    with pytest.raises(ValueError, match="speed: is for worlds of a server"):
        InProcess(speed=1)
    with pytest.raises(ValueError, match="policy.rate_limit.enabled: invalid type"):
        InProcess(policy={"rate_limit": {"enabled": "no"}})
    for path in ("/v1/a b", "/v1/caf\u00e9"):
        with InProcess() as sim, pytest.raises(ValueError, match="path: must be percent-encoded"):
            sim.main.call("GET", path)


def test_without_the_extension_it_is_said_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "find_spec", lambda _: None)
    monkeypatch.delenv("STUNTDOUBLE_PYTHON_LIB", raising=False)
    with pytest.raises(FileNotFoundError, match="no extension: install the wheel"):
        binary.extension.__wrapped__()
    monkeypatch.setenv("STUNTDOUBLE_PYTHON_LIB", "/nowhere/libstuntdouble_python.so")
    with pytest.raises(ImportError, match="/nowhere"):
        binary.extension.__wrapped__()


def test_the_same_seed_gives_the_same_answers() -> None:
    def history() -> list:
        with InProcess(seed=7) as sim:
            create(sim.main)
            return [sim.main.token, sim.main.journal()]

    assert history() == history()


def test_a_world_of_a_server_is_no_world_of_this_process(stuntdouble: World) -> None:
    with pytest.raises(TypeError, match="give its url to the client"):
        HttpxTransport(stuntdouble)


def test_broken_connections_are_errors(world: World) -> None:
    world.add_fault(fault(effect.lost_answer(), operation="v1-create-a-project"))
    with pytest.raises(ConnectionResetError):
        create(world)
    for broken, reason in [(effect.reset(), "no_answer"), (effect.torn(), "unreadable_answer"), (effect.garbage(), "unreadable_answer")]:
        world.add_fault(fault(broken, path="*"))
        with pytest.raises(StuntdoubleError) as error:
            world.call("GET", "/v1/projects")
        assert (error.value.status, error.value.reason) == (0, reason)
    assert len(world.call("GET", "/v1/projects")) == 1


def test_httpx_reaches_a_world_under_any_host(world: World) -> None:
    with by_httpx(world) as client:
        made = client.post("/v1/projects", json=DEMO)
        assert (made.status_code, made.http_version, made.headers["x-sim-call"]) == (201, "HTTP/1.1", "1")
        assert client.get("/v1/projects").json()[0]["name"] == "demo"
        assert client.get("/v1/projects/nothing").status_code == 400
        files = {"metadata": (None, '{"name": "hello", "entrypoint_path": "a.ts"}'), "file": ("a.ts", b"export {}")}
        world.advance(seconds=60)
        deployed = client.post(f"/v1/projects/{made.json()['id']}/functions/deploy?slug=hello", files=files)
        assert (deployed.status_code, deployed.json()["slug"]) == (201, "hello")


@pytest.mark.parametrize("url", ["/v1/projects", "ftp://api.example.test/v1/projects"])
def test_httpx_refuses_what_is_no_address_of_a_server(world: World, url: str) -> None:
    with httpx.Client(transport=HttpxTransport(world)) as client, pytest.raises(httpx.UnsupportedProtocol):
        client.get(url)


def test_answers_say_their_length(world: World) -> None:
    with by_httpx(world) as client:
        for answer in (client.get("/v1/projects"), client.head("/v1/projects"), client.get("/v1/nothing")):
            assert answer.headers["content-length"] == str(len(answer.content) or 2)


def test_httpx_without_waiting_for_each_other(world: World) -> None:
    async def many() -> list:
        headers = {"authorization": f"Bearer {world.token}"}
        async with httpx.AsyncClient(transport=HttpxTransport(world), base_url=FAR, headers=headers) as client:
            made = [client.post("/v1/projects", json={**DEMO, "name": f"demo-{n}"}) for n in range(5)]
            return [answer.status_code for answer in await asyncio.gather(*made)]

    assert asyncio.run(many()) == [201] * 5


def test_httpx_meets_faults_as_on_a_connection(world: World) -> None:
    with by_httpx(world, timeout=2) as client:
        for broken, error in [
            (effect.reset(), httpx.ReadError),
            (effect.torn(), httpx.RemoteProtocolError),
            (effect.latency(3_000), httpx.ReadTimeout),
            (effect.slow(30_000), httpx.ReadTimeout),
        ]:
            world.set_faults([fault(broken, path="*")])
            with pytest.raises(error):
                client.get("/v1/projects")
        world.set_faults([fault(effect.latency(1_000), path="*"), fault(effect.slow(10_000), path="*")])
        assert [client.get("/v1/projects").json() for _ in range(2)] == [[], []]


@pytest.mark.parametrize("value", ["caf\u00e9", "a\u2028b\u0085c"])
def test_headers_of_answers_are_the_bytes_of_a_connection(world: World, value: str) -> None:
    world.add_fault(fault(effect.status(503, headers={"x-note": value}), path="/v1/projects", times=0))
    with pytest.raises(StuntdoubleError):
        world.call("GET", "/v1/projects")
    for answer in (by_httpx(world).get("/v1/projects"), by_requests(world).get(f"{FAR}/v1/projects")):
        given = answer.headers["x-note"]
        assert given == value or given.encode("latin-1").decode() == value


def test_sleep_moves_the_clock_of_the_world(world: World, stuntdouble_sleep: World) -> None:
    project = create(world)
    while world.call("GET", f"/v1/projects/{project}")["status"] != "ACTIVE_HEALTHY":
        time.sleep(5)
    asyncio.run(asyncio.sleep(30))
    assert world.clock()["now"] > "2026-01-01T00:00:30"


@pytest.mark.parametrize("value", ["a\nauthorization: Bearer b", "a\r\nx-other: b", "a\0b"])
def test_a_header_that_no_connection_carries_is_refused(world: World, value: str) -> None:
    with pytest.raises(httpx.LocalProtocolError, match="no line breaks and no zero characters"):
        by_httpx(world).get("/v1/organizations", headers={"x-value": value})


def test_what_no_connection_carries_names_the_part(world: World) -> None:
    send = native_of(world).send
    for method, url, headers, message in [
        ("GE T", "/", [], "method: .*GE T.* is no HTTP method"),
        ("GET", "/v1/organizations\0/x", [], "target: "),
        ("GET", "no path", [], "target: .*no path"),
        ("GET", "/", [("x y", "1")], "the header .*x y"),
        ("GET", "/", [("x-name", "\u20ac")], "Latin-1 or bytes"),
    ]:
        with pytest.raises(BadRequest, match=message):
            send(method, url, headers)
    for headers in ([("x-name",)], [("x-name", 1)], ["x-name: 1"], 7):
        with pytest.raises((TypeError, ValueError)):
            send("GET", "/", headers)
    with pytest.raises(TypeError, match="the body must be bytes, received a value of <class 'str'>"):
        send("POST", "/", [], "text")


def test_headers_and_bodies_are_the_bytes_that_a_client_gives(world: World) -> None:
    headers = [(b"Authorization", f"Bearer {world.token}"), ("x-note", "caf\u00e9".encode("latin-1")), ("x-sim-world", world.name)]
    answer = native_of(world).send("POST", "/v1/organizations", headers, bytearray(b'{"name": "shop"}'))
    assert (answer.status, answer.mishap, answer.wait_s) == (201, "none", 0)
    assert [(name.decode(), value.decode("latin-1")) for name, value in answer.raw_headers] == answer.headers
    session = by_requests(world)
    body = bytearray(b'{"name": "mart"}')
    made = session.post(f"{FAR}/v1/organizations", data=body, headers={"x-note": "caf\u00e9", "content-type": "application/json"})
    assert made.json()["name"] == "mart"


def test_threads_share_a_world_and_have_their_own(world: World) -> None:
    def read(_: int) -> int:
        return len(world.call("GET", "/v1/organizations"))

    def own(seed: int) -> int:
        with InProcess(seed=seed) as sim:
            create(sim.main)
            with sim.main.fork() as fork, fork.fork() as other:
                create(other, "other")
                return len(other.call("GET", "/v1/projects"))

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(read, range(50))) == {1}
        assert set(threads.map(own, range(8))) == {2}


def test_a_simulator_that_is_closed_in_a_call_ends_after_it() -> None:
    sim = InProcess(seed=7)
    ended: list[Exception] = []

    def calls() -> None:
        try:
            while True:
                sim.main.clock()
        except ValueError as error:
            ended.append(error)

    threads = [threading.Thread(target=calls) for _ in range(4)]
    for thread in threads:
        thread.start()
    sim.close()
    for thread in threads:
        thread.join()
    assert [str(error) for error in ended] == ["this simulator is closed"] * 4
    with pytest.raises(ValueError, match="this simulator is closed"):
        sim.main.fork()
    with pytest.raises(ValueError, match="this simulator is closed"):
        by_httpx(sim.main).get("/v1/projects")


def test_a_world_lives_as_long_as_something_uses_it() -> None:
    fork = InProcess(seed=7).main.fork()
    gc.collect()
    assert fork.call("GET", "/v1/projects") == []


def test_requests_reaches_a_world_under_any_host(world: World) -> None:
    session = by_requests(world)
    made = session.post(f"{FAR}/v1/projects", json=DEMO)
    assert (made.status_code, made.json()["name"], made.url) == (201, "demo", f"{FAR}/v1/projects")
    assert session.get(f"{FAR}/v1/projects").json()[0]["name"] == "demo"
    sql = session.post(f"{FAR}/v1/projects/{made.json()['id']}/database/query", data=iter([b'{"query"', b': "select 1"}']))
    assert (sql.status_code, sql.headers["x-sim-reason"]) == (544, "service_unreachable")


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "caf\u00e9"}',
        bytearray(b'{"name": "caf\xc3\xa9"}'),
        memoryview(b'{"name": "caf\xc3\xa9"}'),
        io.BytesIO(b'{"name": "caf\xc3\xa9"}'),
        ['{"name"', ': "caf\u00e9"}'],
        [b'{"name"', memoryview(b': "caf\xc3\xa9"}')],
    ],
    ids=lambda body: type(body).__name__,
)
def test_requests_sends_every_kind_of_body(world: World, body: object) -> None:
    kept = {"content-type": "application/json"}
    request = requests.Request("POST", f"{FAR}/v1/organizations", headers=kept)
    session = by_requests(world)
    prepared = session.prepare_request(request)
    prepared.body = body
    assert session.send(prepared).json()["name"] == "caf\u00e9"


def test_requests_refuses_what_is_no_timeout(world: World) -> None:
    session = by_requests(world)
    for wrong in (0, -1, "soon", (1, 0), (1, 2, 3)):
        with pytest.raises(ValueError):
            session.get(f"{FAR}/v1/projects", timeout=wrong)
    for timeout in (None, 2, (1, 2), (None, None), urllib3.Timeout(total=2), urllib3.Timeout(connect=1)):
        assert session.get(f"{FAR}/v1/projects", timeout=timeout).status_code == 200
    world.set_faults([fault(effect.latency(3_000), path="*")])
    with pytest.raises(requests.ReadTimeout):
        session.get(f"{FAR}/v1/projects", timeout=urllib3.Timeout(total=2))


def test_requests_meets_faults_as_on_a_connection(world: World) -> None:
    session = by_requests(world)
    for broken, error in [
        (effect.reset(), requests.ConnectionError),
        (effect.torn(), requests.exceptions.ChunkedEncodingError),
        (effect.latency(3_000), requests.ReadTimeout),
    ]:
        world.set_faults([fault(broken, path="*")])
        with pytest.raises(error):
            session.get(f"{FAR}/v1/projects", timeout=(1, 2))
    assert session.get(f"{FAR}/v1/projects").json() == []
    world.set_faults([fault(effect.torn(), path="*")])
    with pytest.raises((IncompleteRead, urllib3.exceptions.ProtocolError)):
        session.get(f"{FAR}/v1/projects", stream=True).raw.read()
    world.set_faults([fault(effect.latency(3_000), path="*")])
    with pytest.raises(requests.ReadTimeout):
        session.get(f"{FAR}/v1/projects", timeout=urllib3.Timeout(connect=1, read=2))
    assert RequestsAdapter(world).max_retries.total == 0


def test_a_test_that_fails_shows_seed_and_journal(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture(scope="session")
        def stuntdouble_settings():
            return {"seed": 11}

        def test_fails(world):
            world.call("GET", "/v1/projects")
            world.call("GET", "/v1/projects/nothing")
        """
    )
    shown = pytester.runpytest("-p", "no:cacheprovider").stdout
    shown.fnmatch_lines(["*journal of world*", "seed 11, now 2026-01-01T00:00:00Z, 2 calls"])
    shown.fnmatch_lines(["*1 2026-01-01T00:00:00Z GET /v1/projects -> 200", "*GET /v1/projects/nothing -> 400 *"])


def test_a_fixture_that_fails_shows_the_journal_and_rules_without_effect_are_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from stuntdouble import effect, fault

        @pytest.fixture
        def shop(world):
            world.call("GET", "/v1/projects/nothing")

        @pytest.fixture
        def left(world):
            yield
            world.call("GET", "/v1/later")

        def test_set_up(shop):
            pass

        def test_torn_down(world, left):
            world.add_fault(fault(effect.reset(), operation="v1-pause-a-project"))
            world.set_next_outcome("restore", "fail")

        def test_fork(world):
            fork = world.fork("other")
            fork.call("GET", "/v1/in-the-fork")
        """
    )
    shown = pytester.runpytest("-p", "no:cacheprovider").stdout
    shown.fnmatch_lines(["*journal of world*", "seed 0, now 2026-01-01T00:00:00Z, 1 call", "*GET /v1/projects/nothing -> 400 *"])
    shown.fnmatch_lines(["*GET /v1/later -> 404*"])
    shown.fnmatch_lines(["*journal of world, fork other*", "*GET /v1/in-the-fork -> 404*"])
    shown.fnmatch_lines(["*::test_torn_down: a fault rule of world had no effect: *v1-pause-a-project*"])
    shown.fnmatch_lines(["*::test_torn_down: a decision of world had no effect: *restore*fail*"])
