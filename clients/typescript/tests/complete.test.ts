// The client has all control operations of the server, and no others.
import { expect } from "vitest";
import { type Effect, type Json, OPERATIONS, Server } from "../src/stuntdouble.js";
import { testWith } from "../src/vitest.js";

// A world with both services, which has all control operations.
const test = testWith({ flags: ["--analytics"] });

test("every control operation is known", async ({ world }) => {
  const asked = [{}, { service: "analytics" }].map((fields) => world.control("sim-get-openapi", fields));
  const documented: Record<string, string> = {};
  for (const document of await Promise.all(asked)) {
    for (const [path, methods] of Object.entries<Record<string, Json>>(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        if (method !== "parameters") documented[operationId] = `${method.toUpperCase()} ${path}`;
      }
    }
  }
  expect(OPERATIONS).toEqual(documented);
});

// The compiler requires each kind of effect that the client has, with its fields.
const EFFECTS: { [K in Effect["kind"]]: Required<Effect & { kind: K }> } = {
  status: { kind: "status", status: 503, message: "", retry_after_s: 1, members: {}, headers: {} },
  alter: { kind: "alter", status: 200, set: {}, drop: [], rename: {}, reorder: [], headers: {} },
  rate_limit: { kind: "rate_limit", seconds: 1 },
  latency: { kind: "latency", ms: 1 },
  slow: { kind: "slow", ms: 1 },
  late: { kind: "late", ms: 1 },
  reset: { kind: "reset" },
  empty: { kind: "empty" },
  torn: { kind: "torn" },
  garbage: { kind: "garbage" },
  lost_answer: { kind: "lost_answer" },
  twice: { kind: "twice" },
  lean: { kind: "lean" },
  rich: { kind: "rich" },
  varied: { kind: "varied" },
  reorder: { kind: "reorder" },
  partial: { kind: "partial", done: 1, status: 500 },
  stale: { kind: "stale", calls: 1 },
};

test("every effect has a type", async ({ world }) => {
  const document = await world.control("sim-get-openapi");
  const shapes: Json[] = document.components.schemas.Effect.oneOf;
  const documented = shapes.map(({ properties }) => [properties["kind"].const, Object.keys(properties).sort()]);
  const known = Object.entries(EFFECTS).map(([kind, effect]) => [kind, Object.keys(effect).sort()]);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(documented));
});

test("the analytics server is driven too", async ({ world }) => {
  expect(world.analyticsToken).toBeTruthy();
  expect(await world.outbox()).toEqual([]);
});

test("a server that can't start says why", async () => {
  await expect(Server.start({ binary: "./no-such-binary" })).rejects.toThrow("set STUNTDOUBLE_BIN");
  await expect(Server.start({ flags: ["--no-such-flag"] })).rejects.toThrow("serve ended with 2");
});
