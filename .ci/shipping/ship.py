"""Published OpenTelemetry exporters, told only the server's address, and a pipeline of log agents: all that they send is stored."""

import gzip
import json
import logging
import os
import time

import requests

URL = os.environ["STUNTDOUBLE_URL"]
KEY = os.environ["STUNTDOUBLE_ANALYTICS_TOKEN"]
BEARER = {"authorization": f"Bearer {KEY}"}


def source(name):
    made = requests.post(f"{URL}/api/sources", json={"name": name}, headers=BEARER)
    made.raise_for_status()
    return made.json()["token"]


def stored(name, condition="true"):
    sql = f"select count(*) as n from `{name}` as t where {condition}"
    answer = requests.get(f"{URL}/api/query", params={"sql": sql}, headers=BEARER)
    answer.raise_for_status()
    return answer.json()["result"][0]["n"]


def told(name, sent, found):
    print(f"{name}: sent {sent}, stored {found}")
    assert sent == found, name


def exporters(compression):
    """Exporters read the environment when they are imported, so each run is a process of its own."""
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = f"telemetry {compression}"
    token = source(name)
    os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = URL
    os.environ["OTEL_EXPORTER_OTLP_HEADERS"] = f"x-api-key={KEY},x-source={token}"
    os.environ["OTEL_EXPORTER_OTLP_COMPRESSION"] = compression
    resource = Resource.create({"service.name": "shop"})

    logs = LoggerProvider(resource=resource)
    logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
    logger = logging.getLogger(name)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(LoggingHandler(logger_provider=logs))
    for number in range(1000):
        logger.log([logging.DEBUG, logging.INFO, logging.ERROR][number % 3], "shipped %s", number, extra={"list": [0.5, 1]})
    logs.shutdown()
    told(f"OpenTelemetry Python, logs, {compression}", 1000, stored(name, "t.metadata.type = 'otel_log'"))

    spans = TracerProvider(resource=resource)
    spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    for number in range(250):
        with spans.get_tracer("shop").start_as_current_span("outer", attributes={"number": number}) as span:
            span.add_event("happened")
            with spans.get_tracer("shop").start_as_current_span("inner"):
                pass
    spans.shutdown()
    told(f"OpenTelemetry Python, spans, {compression}", 500, stored(name, "t.metadata.type = 'span'"))
    told(f"OpenTelemetry Python, events of spans, {compression}", 250, stored(name, "t.metadata.type = 'event'"))

    meter = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())], resource=resource)
    shop = meter.get_meter("shop")
    for number in range(10):
        shop.create_counter(f"calls.{number}").add(3)
        shop.create_histogram(f"time.{number}").record(1.5)
        shop.create_up_down_counter(f"open.{number}").add(-1)
    meter.shutdown()
    told(f"OpenTelemetry Python, points of metrics, {compression}", 30, stored(name, "t.metadata.type = 'metric'"))


def agents():
    """Posts as agents with an HTTP output do: lists of objects, compressed, with the agent's own time, again after no answer."""
    name = "agent"
    token = source(name)
    session = requests.Session()
    for batch in range(20):
        events = [
            {
                "id": f"{batch}-{number}",
                "event_message": f'GET /{number} {"200" if number % 5 else "500"}',
                "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{number:06}Z",
                "project": "default",
                "metadata": {"host": "db", "parsed": {"backend_type": "client backend", "error_severity": "LOG"}, "n": number},
            }
            for number in range(100)
        ]
        body = gzip.compress(json.dumps(events).encode())
        headers = {"x-api-key": KEY, "content-type": "application/json", "content-encoding": "gzip"}
        for _ in range(2 if batch == 7 else 1):
            session.post(f"{URL}/api/logs?source={token}", data=body, headers=headers).raise_for_status()
    told("agent, batches of 100, gzip, one sent again", 2000, stored(name))

    lines = source("agent lines")
    body = "".join(json.dumps({"message": f"line {number}", "n": number}) + "\n" for number in range(1000))
    headers = {"x-api-key": KEY, "content-type": "application/x-ndjson"}
    session.post(f"{URL}/api/logs?source={lines}", data=body, headers=headers).raise_for_status()
    told("agent, lines of JSON", 1000, stored("agent lines"))


agents()
for compression in ["none", "gzip"]:
    if os.fork() == 0:
        try:
            exporters(compression)
        except BaseException as error:
            print(f"{compression}: {error!r}", flush=True)
            os._exit(1)
        os._exit(0)
    assert os.wait()[1] == 0, compression
