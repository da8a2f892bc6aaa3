// Published exporters and logging libraries: all that they send is stored.
import assert from "node:assert/strict";
import { diag, DiagConsoleLogger, DiagLogLevel } from "@opentelemetry/api";
import { HttpTransport } from "@loglayer/transport-http";
import { OTLPLogExporter as JsonLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import glossy from "glossy";
import { LogLayer } from "loglayer";
import pino from "pino";
import winston from "winston";

const url = process.env.STUNTDOUBLE_URL;
const key = process.env.STUNTDOUBLE_ANALYTICS_TOKEN;
const bearer = { authorization: `Bearer ${key}` };
diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.WARN);

async function source(name) {
  const made = await fetch(`${url}/api/sources`, { method: "POST", headers: { ...bearer, "content-type": "application/json" }, body: JSON.stringify({ name }) });
  return (await made.json()).token;
}

async function stored(name, condition = "true") {
  const sql = `select count(*) as n from \`${name}\` as t where ${condition}`;
  const answer = await fetch(`${url}/api/query?${new URLSearchParams({ sql })}`, { headers: bearer });
  return (await answer.json()).result[0].n;
}

/** Some libraries do not tell when they have sent everything, so the end is asked for. */
async function told(what, sent, name, condition) {
  let found;
  for (let tries = 0; tries < 100 && found !== sent; tries++) {
    if (tries > 0) await new Promise((done) => setTimeout(done, 100));
    found = await stored(name, condition);
  }
  console.log(`${what}: sent ${sent}, stored ${found}`);
  assert.equal(found, sent, what);
}

async function telemetry() {
  const token = await source("telemetry js");
  const to = (signal, more = {}) => ({ url: `${url}/v1/${signal}`, headers: { "x-api-key": key, "x-source": token }, ...more });
  for (const [kind, exporter] of [["protobuf", new OTLPLogExporter(to("logs"))], ["protobuf, gzip", new OTLPLogExporter(to("logs", { compression: "gzip" }))], ["JSON", new JsonLogExporter(to("logs"))]]) {
    const logs = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] });
    const logger = logs.getLogger("shop");
    for (let number = 0; number < 500; number++) {
      logger.emit({ severityText: "INFO", body: number % 2 ? `shipped ${number}` : { list: [0.5, 1, number] }, attributes: { kind, number } });
    }
    await logs.shutdown();
    await told(`OpenTelemetry JS, logs, ${kind}`, 500, "telemetry js", `t.attributes.kind = '${kind}'`);
  }
  const spans = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(to("traces")))] });
  for (let number = 0; number < 200; number++) {
    spans.getTracer("shop").startSpan(`span ${number}`, { attributes: { number, ratio: number / 2 } }).end();
  }
  await spans.shutdown();
  await told("OpenTelemetry JS, spans", 200, "telemetry js", "t.metadata.type = 'span'");
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(to("metrics")) })] });
  for (let number = 0; number < 20; number++) meters.getMeter("shop").createCounter(`calls.${number}`).add(number);
  await meters.shutdown();
  await told("OpenTelemetry JS, points of metrics", 20, "telemetry js", "t.metadata.type = 'metric'");
}

async function syslog() {
  const token = await source("syslog");
  const producer = new glossy.Produce({ type: "RFC5424" });
  const older = new glossy.Produce({ type: "BSD" });
  const line = (number) =>
    (number % 2 ? producer : older).produce({ facility: "local4", severity: "error", host: "web.test", appName: "shop", pid: number, date: new Date(), message: `failed ${number}` });
  const lines = Array.from({ length: 500 }, (_, number) => line(number));
  const send = (path, type, body) => fetch(`${url}${path}?source=${token}`, { method: "POST", headers: { "x-api-key": key, "content-type": type }, body });
  assert.equal((await send("/logs/syslog", "text/plain", lines.join("\n"))).status, 200);
  const frames = lines.map((one) => `${Buffer.byteLength(one)} ${one}`).join("");
  assert.equal((await send("/logs/logplex", "application/logplex-1", frames)).status, 200);
  await told("syslog, lines and counted", 1000, "syslog", "t.metadata.level = 'error' and t.metadata.facility = 'local4' and starts_with(t.event_message, 'failed ')");
}

async function libraries() {
  const winstonSource = await source("winston");
  const { hostname: host, port } = new URL(url);
  const to = (source) => ({ host, port: Number(port), path: `/api/logs/json?source=${source}`, headers: { "x-api-key": key }, batch: true, batchCount: 50, batchInterval: 200 });
  const logger = winston.createLogger({ level: "debug", transports: [new winston.transports.Http(to(winstonSource))] });
  for (let number = 0; number < 300; number++) logger.log(["debug", "info", "error"][number % 3], `shipped ${number}`, { number });
  await told("winston, batches of 50", 300, "winston");

  const layerSource = await source("loglayer");
  const layer = new LogLayer({
    transport: new HttpTransport({
      url: `${url}/api/logs?source=${layerSource}`,
      headers: { "x-api-key": key },
      compression: true,
      batchSize: 40,
      batchSendTimeout: 200,
      batchMode: "array",
      payloadTemplate: ({ logLevel, message, data }) => JSON.stringify({ message, metadata: { ...data, level: logLevel } }),
    }),
  });
  for (let number = 0; number < 300; number++) layer.withMetadata({ number }).info(`shipped ${number}`);
  await told("loglayer, batches of 40, gzip", 300, "loglayer", "t.metadata.level = 'info'");

  const pinoSource = await source("pino");
  const lines = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  for (let number = 0; number < 300; number++) log.info({ number }, `shipped ${number}`);
  while (lines.length > 0) {
    const headers = { "x-api-key": key, "content-type": "application/x-ndjson" };
    const answer = await fetch(`${url}/logs?source=${pinoSource}`, { method: "POST", headers, body: lines.splice(0, 50).join("") });
    assert.equal(answer.status, 200);
  }
  await told("pino, batches of 50 lines", 300, "pino", "t.metadata.level = 30 and t.metadata.number >= 0");
}

await telemetry();
await syslog();
await libraries();
