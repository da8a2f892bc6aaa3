// Worlds in this process, and the clients that are led to them.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { request } from "undici";
import { afterEach, expect, vi } from "vitest";
import { library } from "../src/binary.js";
import { InProcess, dispatcherOf, fetchOf } from "../src/inprocess.js";
import { Server, type World } from "../src/stuntdouble.js";
import { testInProcess } from "../src/vitest.js";

const DEMO = { name: "demo", organization_id: "acme", region: "us-east-1", db_pass: "a-password" };
const APP = { client_id: "6f1c2a30-8d7b-4e51-9a64-0b3f5c7d9e12", client_secret: "app-secret" };
const FAR = "https://api.example.test";

const test = testInProcess({ seed: 7 });

afterEach(() => {
  vi.useRealTimers();
});

const create = (world: World, name = "demo") => world.call("POST", "/v1/projects", { ...DEMO, name });
const headers = (world: World) => ({ authorization: `Bearer ${world.token}`, "content-type": "application/json" });

test("a world in process is driven like one of a server", async ({ world }) => {
  const project = await create(world);
  await world.snapshot("before");
  expect(await world.advance({ seconds: 60 })).toMatchObject({ happened: [{ became: "ACTIVE_HEALTHY" }] });
  await world.restore("before");
  expect(await world.call("GET", `/v1/projects/${project.id}`)).toMatchObject({ status: "COMING_UP" });
  const refused = create(world);
  await expect(refused).rejects.toMatchObject({ reason: "project_exists", call: 3 });
  expect(await world.explain(3)).toMatchObject({ call: { reason: "project_exists" } });
});

test("each test has a fork of the beginning", async ({ world, beginning }) => {
  await create(world);
  const fork = await world.fork();
  await create(fork, "other");
  expect(await fork.call("GET", "/v1/projects")).toHaveLength(2);
  expect(await world.call("GET", "/v1/projects")).toHaveLength(1);
  expect(await beginning.info()).toMatchObject({ calls: 0 });
});

test("settings are those of a world", async () => {
  const sim = new InProcess({ scenario: "paused-project" });
  expect(await sim.main.call("GET", "/v1/projects")).toMatchObject([{ status: "INACTIVE" }]);
  expect(await (await sim.createWorld({ seed: 8 })).info()).toMatchObject({ seed: 8 });
  sim.close();
  sim.close();
  await expect(sim.main.info()).rejects.toThrow("this simulator is closed");
  expect(() => new InProcess({ sed: 7 } as object)).toThrow("unknown field `sed`");
  const wrong = { policy: { rate_limit: { enabled: "no" } } };
  expect(() => new InProcess(wrong)).toThrow("policy.rate_limit.enabled: invalid type");
});

test("paths and addresses are those of a connection", async ({ world }) => {
  await expect(world.call("GET", "/v1/caf\u00e9 au lait")).rejects.toThrow("Cannot GET /v1/caf%C3%A9%20au%20lait");
  await expect(world.call("GET", undefined as unknown as string)).rejects.toThrow("path: must begin with /");
  for (const url of ["ftp://api.example.test/v1/projects", "data:text/plain,hello"]) {
    await expect(fetchOf(world)(url)).rejects.toMatchObject({ message: "fetch failed", cause: { message: "unknown scheme" } });
  }
  const answer = await fetchOf(world)(`${FAR}/v1/projects`, { headers: headers(world) });
  expect(answer.headers.get("content-length")).toBe(`${(await answer.text()).length}`);
});

test("each thread has worlds of its own", async () => {
  const script = `
    const { parentPort, workerData } = require("node:worker_threads");
    const addon = { exports: {} };
    process.dlopen(addon, workerData);
    const worlds = [7, 7, 8].map((seed) => new addon.exports.World(JSON.stringify({ seed })));
    parentPort.postMessage(worlds.map((world) => JSON.parse(world.info).token));`;
  const tokens = await Promise.all(
    [1, 2].map(async () => (await once(new Worker(script, { eval: true, workerData: library() }), "message"))[0]),
  );
  const [seven, eight] = [7, 8].map((seed) => new InProcess({ seed }).main.token);
  expect(tokens).toEqual([[seven, seven, eight], [seven, seven, eight]]);
});

test("fetch reaches a world under any host", async ({ world }) => {
  const fetch = fetchOf(world);
  const made = await fetch(`${FAR}/v1/projects`, { method: "POST", headers: headers(world), body: JSON.stringify(DEMO) });
  expect([made.status, made.headers.get("x-sim-call")]).toEqual([201, "1"]);
  const { id } = (await made.json()) as { id: string };
  await world.advance({ seconds: 60 });
  const form = new FormData();
  form.set("metadata", JSON.stringify({ name: "hello", entrypoint_path: "a.ts" }));
  form.set("file", new Blob(["export {}"]), "a.ts");
  const { authorization } = headers(world);
  const url = `${FAR}/v1/projects/${id}/functions/deploy?slug=hello`;
  const deployed = await fetch(url, { method: "POST", headers: { authorization }, body: form });
  expect(await deployed.json()).toMatchObject({ slug: "hello" });
  expect((await fetch(new Request(`${FAR}/v1/projects/nothing`, { headers: headers(world) }))).status).toBe(400);
});

test("fetch follows redirects unless it is told not to", async ({ world }) => {
  await world.control("sim-register-oauth-app", { ...APP, name: "App", redirect_uris: [`${FAR}/back`], scopes: [] });
  const asked = new URLSearchParams({ client_id: APP.client_id, redirect_uri: `${FAR}/back`, response_type: "code" });
  const url = `${FAR}/v1/oauth/authorize?${asked}`;
  const manual = await fetchOf(world)(url, { redirect: "manual" });
  expect([manual.status, manual.headers.get("location")]).toEqual([303, expect.stringContaining(`${FAR}/back?code=`)]);
  expect(manual.redirected).toBe(false);
  const followed = await fetchOf(world)(url);
  expect(followed.redirected).toBe(true);
  expect([followed.status, followed.url]).toEqual([401, expect.stringContaining(`${FAR}/back?code=`)]);
  await expect(fetchOf(world)(url, { redirect: "error" })).rejects.toThrow("fetch failed");
});

test("the global fetch takes a dispatcher", async ({ world }) => {
  const dispatcher = dispatcherOf(world);
  const get = () => fetch(`${FAR}/v1/projects`, { headers: headers(world), dispatcher } as RequestInit);
  expect(await (await get()).json()).toEqual([]);
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "torn" } }]);
  const torn = await get();
  await expect(torn.text()).rejects.toThrow("terminated");
});

test("undici reaches a world under any host", async ({ world }) => {
  // The types of another version of undici; at run time it is asked for what it has.
  const dispatcher = dispatcherOf(world) as any;
  const body = JSON.stringify(DEMO);
  const made = await request(`${FAR}/v1/projects`, { method: "POST", headers: headers(world), body, dispatcher });
  expect([made.statusCode, made.headers["x-sim-call"]]).toEqual([201, "1"]);
  expect(await made.body.json()).toMatchObject({ name: "demo" });
  await world.addFault({ on: { path: "*" }, effect: { kind: "reset" } });
  await expect(request(`${FAR}/v1/projects`, { dispatcher })).rejects.toMatchObject({ code: "ECONNRESET" });
});

test("undici waits no longer than it is told", async ({ world }) => {
  const dispatcher = dispatcherOf(world) as any;
  const get = (more: object) => request(`${FAR}/v1/projects`, { headers: headers(world), dispatcher, ...more });
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "latency", ms: 60_000 } }]);
  await expect(get({ headersTimeout: 20 })).rejects.toMatchObject({ name: "HeadersTimeoutError", code: "UND_ERR_HEADERS_TIMEOUT" });
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "slow", ms: 600_000 } }]);
  const slow = await get({ bodyTimeout: 20 });
  await expect(slow.body.text()).rejects.toMatchObject({ name: "BodyTimeoutError", code: "UND_ERR_BODY_TIMEOUT" });
});

test("headers of answers are the bytes of a connection", async ({ world }) => {
  const value = "caf\u00e9 \u2028";
  await world.addFault({ on: { path: "*" }, times: 0, effect: { kind: "status", status: 503, headers: { "x-note": value } } } as never);
  await expect(world.call("GET", "/v1/projects")).rejects.toMatchObject({ status: 503 });
  const answer = await fetchOf(world)(`${FAR}/v1/projects`);
  expect(Buffer.from(answer.headers.get("x-note") ?? "", "latin1").toString()).toBe(value);
});

test("a broken answer has a reason", async ({ world }) => {
  const server = await Server.start();
  for (const one of [world, server.main]) {
    for (const [kind, reason] of [["reset", "no_answer"], ["torn", "unreadable_answer"], ["garbage", "unreadable_answer"]] as const) {
      await one.setFaults([{ on: { path: "*" }, effect: { kind } }]);
      await expect(one.call("GET", "/v1/projects")).rejects.toMatchObject({ status: 0, reason });
    }
  }
  await server.stop();
});

test("fake timers and the clock of the world pass together", async ({ world }) => {
  const { id } = await create(world);
  vi.useFakeTimers();
  const ready = (async () => {
    while ((await world.call("GET", `/v1/projects/${id}`)).status !== "ACTIVE_HEALTHY") await new Promise((done) => setTimeout(done, 5_000));
    return true;
  })();
  await world.passTime(vi, { seconds: 90 });
  expect(await ready).toBe(true);
});

test("fetch meets faults as on a connection", async ({ world }) => {
  const get = (init?: RequestInit) => fetchOf(world)(`${FAR}/v1/projects`, { headers: headers(world), ...init });
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "reset" } }]);
  await expect(get()).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "torn" } }]);
  const torn = await get();
  await expect(torn.text()).rejects.toThrow("terminated");
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "latency", ms: 60_000 } }]);
  vi.useFakeTimers();
  const controller = new AbortController();
  const late = get({ signal: controller.signal });
  const refused = expect(late).rejects.toThrow("too late");
  await vi.advanceTimersByTimeAsync(5_000);
  controller.abort(new Error("too late"));
  await refused;
  await world.setFaults([{ on: { path: "*" }, effect: { kind: "slow", ms: 60_000 } }]);
  const slow = get().then((answer) => answer.json());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await slow).toEqual([]);
});

test("a header that no connection carries is refused", async ({ world }) => {
  const dispatcher = dispatcherOf(world) as any;
  for (const value of ["a\nauthorization: Bearer b", "a\r\nx-other: b", "a\0b"]) {
    const asked = request(`${FAR}/v1/organizations`, { headers: { "x-value": value }, dispatcher });
    await expect(asked).rejects.toThrow("no line breaks and no zero characters");
  }
});

test("a world of a server is no world of this process", async () => {
  const server = await Server.start();
  expect(() => fetchOf(server.main)).toThrow("give its url to the client");
  await server.stop();
});
