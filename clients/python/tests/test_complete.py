"""The client has all control operations of the server, and no others."""

import inspect
from collections.abc import Iterator

import pytest
from stuntdouble import OPERATIONS, Server, World, effect


@pytest.fixture(scope="module")
def both() -> Iterator[World]:
    """A world with both services, which has all control operations."""
    with Server("--analytics") as server:
        yield server.main


def test_every_control_operation_is_known(both: World) -> None:
    documents = [both.control("sim-get-openapi", fields) for fields in ({}, {"service": "analytics"})]
    documented = {
        operation["operationId"]: f"{method.upper()} {path}"
        for document in documents
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    }
    assert OPERATIONS == documented


def test_every_effect_has_a_constructor(both: World) -> None:
    shapes = both.control("sim-get-openapi")["components"]["schemas"]["Effect"]["oneOf"]
    documented = {shape["properties"]["kind"]["const"]: set(shape["properties"]) - {"kind"} for shape in shapes}
    constructors = dict(inspect.getmembers(effect, inspect.isfunction))
    assert {name: set(inspect.signature(made).parameters) for name, made in constructors.items()} == documented


def test_a_server_that_cannot_start_says_so() -> None:
    with pytest.raises(RuntimeError, match="serve ended with 2"):
        Server("--no-such-flag")
    with pytest.raises(FileNotFoundError):
        Server(binary="./no-such-binary")


def test_the_analytics_server_is_driven_too(both: World) -> None:
    assert both.analytics_token
    assert both.outbox() == []
