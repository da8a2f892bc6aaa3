"""Published OpenTelemetry exporters send logs, spans and metrics to the analytics server, which then returns them."""

import logging
import os

import requests
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

URL = os.environ["STUNTDOUBLE_URL"]
KEY = os.environ["STUNTDOUBLE_ANALYTICS_TOKEN"]


def to(kind):
    """The address and the credentials for events of a kind."""
    requests.post(f"{URL}/api/sources", json={"name": kind}, headers={"authorization": f"Bearer {KEY}"}).raise_for_status()
    return {"endpoint": f"{URL}/api/logs/v1/{kind}?source_name={kind}", "headers": {"x-api-key": KEY}}


def stored(kind):
    params = {"sql": f"select event_message from `{kind}`"}
    answer = requests.get(f"{URL}/api/query", params=params, headers={"authorization": f"Bearer {KEY}"})
    answer.raise_for_status()
    return [row["event_message"] for row in answer.json()["result"]]


logs = LoggerProvider()
logs.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(**to("logs"))))
logger = logging.getLogger("shipped")
logger.addHandler(LoggingHandler(logger_provider=logs))
for number in range(10):
    logger.warning("shipped %s", number)
logs.shutdown()
assert sorted(stored("logs")) == [f"shipped {number}" for number in range(10)], stored("logs")

spans = TracerProvider()
spans.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(**to("traces"))))
with spans.get_tracer("shipped").start_as_current_span("outer"):
    with spans.get_tracer("shipped").start_as_current_span("inner"):
        pass
spans.shutdown()
assert sorted(stored("traces")) == ["inner", "outer"], stored("traces")

meter = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter(**to("metrics")))])
meter.get_meter("shipped").create_counter("calls").add(3)
meter.shutdown()
assert "calls" in stored("metrics"), stored("metrics")
print("shipper: 10 logs, 2 spans and a counter, as protocol buffers")
