"""A call and a fork from Python."""

import time

import httpx
import requests
from stuntdouble import InProcess, Server
from stuntdouble.httpx_transport import HttpxTransport
from stuntdouble.requests_adapter import mount

BATCHES, CALLS = 210, 10
UNLIMITED = {"rate_limit": {"enabled": False}}


def measure(name, work):
    def batch():
        began = time.perf_counter()
        for _ in range(CALLS):
            work()
        return (time.perf_counter() - began) / CALLS * 1e6

    print(f"python  {name:28} {min(batch() for _ in range(BATCHES)):8.1f} us")


def forked(world):
    with world.fork():
        pass


with InProcess(seed=7, policy=UNLIMITED) as sim, Server() as server, server.world(policy=UNLIMITED) as there:
    world, headers = sim.main, {"authorization": f"Bearer {sim.main.token}"}
    sent = list(headers.items())
    measure("fork per test, in process", lambda: forked(world))
    measure("world per test, socket", lambda: forked(there))
    measure("bytes, in process", lambda: world.connection.send("GET", "/v1/organizations", sent))
    measure("world.call, in process", lambda: world.call("GET", "/v1/organizations"))
    measure("world.call, socket", lambda: there.call("GET", "/v1/organizations"))
    with httpx.Client(transport=HttpxTransport(world), base_url="http://a.test", headers=headers) as client:
        measure("httpx, in process", lambda: client.get("/v1/organizations"))
    kept = world.connection.send("GET", "/v1/organizations", sent).raw_headers
    nobody = httpx.MockTransport(lambda _: httpx.Response(200, headers=kept, content=b"[]"))
    with httpx.Client(transport=nobody, base_url="http://a.test", headers=headers) as client:
        measure("httpx, asking nobody", lambda: client.get("/v1/organizations"))
    with httpx.Client(base_url=there.url, headers={"authorization": f"Bearer {there.token}"}) as client:
        measure("httpx, socket", lambda: client.get("/v1/organizations"))
    with requests.Session() as session:
        session.headers.update(headers)
        mount(session, world)
        measure("requests, in process", lambda: session.get("http://a.test/v1/organizations"))
    with requests.Session() as session:
        session.headers["authorization"] = f"Bearer {there.token}"
        measure("requests, socket", lambda: session.get(f"{there.url}/v1/organizations"))
