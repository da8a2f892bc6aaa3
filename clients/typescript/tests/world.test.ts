// Control of worlds from TypeScript.
import { expect } from "vitest";
import { type Fault, Server, type World } from "../src/stuntdouble.js";
import { test } from "../src/vitest.js";

const DEMO = { organization_id: "acme", region: "us-east-1", db_pass: "a-password" };

async function create(world: World, name = "demo"): Promise<string> {
  return (await world.call("POST", "/v1/projects", { ...DEMO, name })).id;
}

async function projects(world: World): Promise<string[]> {
  const all: { name: string }[] = await world.call("GET", "/v1/projects");
  return all.map(({ name }) => name);
}

const names = (all: { name: string }[]) => all.map(({ name }) => name);

test("each test has a world of its own", async ({ world, server }) => {
  await create(world);
  const other = await server.createWorld({ name: "other" });
  expect(await projects(other)).toEqual([]);
  expect(names(await server.worlds())).toContain("other");
  await other.delete();
  expect(names(await server.worlds())).not.toContain("other");
  expect(await projects(world)).toEqual(["demo"]);
  expect(await projects(server.main)).toEqual([]);
});

test("time goes by only when told", async ({ world }) => {
  await create(world);
  const begun = await world.clock();
  expect(begun.now).toBe("2026-01-01T00:00:00Z");
  expect((await world.agenda())[0]?.due).toBe(begun.next_due);
  expect((await world.advance({ ms: 1 })).happened).toEqual([]);
  const moved = await world.advanceToNext();
  expect(moved).toMatchObject({ now: begun.next_due, happened: [{ became: "ACTIVE_HEALTHY" }] });
  expect((await world.advance({ until: "2026-01-02T00:00:00Z" })).now).toBe("2026-01-02T00:00:00Z");
  expect(await world.history()).toHaveLength(1);
});

test("speed is of the clock", async ({ world }) => {
  expect((await world.setSpeed(60)).speed).toBe(60);
  expect((await world.setSpeed(0)).speed).toBe(0);
});

test("a fork goes its own way", async ({ world }) => {
  await create(world, "one");
  await create(world, "two");
  const [now, then] = [await world.fork(), await world.fork({ at_call: 1 })];
  expect(await projects(now)).toEqual(["one", "two"]);
  expect(await projects(then)).toEqual(["one"]);
  await create(then, "three");
  expect(await projects(world)).toEqual(["one", "two"]);
});

test("a snapshot is restored and a world reset", async ({ world }) => {
  await create(world, "one");
  await world.snapshot("before");
  await create(world, "two");
  await world.restore("before");
  expect(await projects(world)).toEqual(["one"]);
  await world.reset();
  expect(await projects(world)).toEqual([]);
  expect(names(await world.snapshots())).toEqual(["before"]);
  await world.deleteSnapshot("before");
  expect(await world.snapshots()).toEqual([]);
});

test("a world is exported and made again", async ({ world, server }) => {
  await create(world);
  const again = await server.createWorld({ seed_file: await world.export() });
  expect(await again.call("GET", "/v1/projects", undefined, world.token)).toEqual(
    await world.call("GET", "/v1/projects"),
  );
  expect(names(await server.scenarios())).toContain("paused-project");
  const paused = await server.createWorld({ scenario: "paused-project" });
  expect(await paused.call("GET", "/v1/projects")).toMatchObject([{ status: "INACTIVE" }]);
});

test("faults strike and are taken away", async ({ world }) => {
  const busy: Fault = {
    on: { path: "/v1/*" },
    nth: 2,
    times: 0,
    effect: { kind: "status", status: 503, retry_after_s: 5 },
  };
  const added = await world.addFault(busy);
  expect(await projects(world)).toEqual([]);
  await expect(projects(world)).rejects.toMatchObject({ status: 503, reason: "fault" });
  expect(await world.faults()).toMatchObject([{ met: 2, struck: 1 }]);
  await world.deleteFault(added.id);
  expect(await projects(world)).toEqual([]);
  expect(await world.setFaults([busy, busy])).toHaveLength(2);
  expect(await world.setFaults([])).toEqual([]);
});

test("a refusal has a word, a text and an explanation", async ({ world }) => {
  const project = await create(world);
  await world.call("DELETE", `/v1/projects/${project}`);
  const refused = world.call("GET", `/v1/projects/${project}`);
  await expect(refused).rejects.toThrow("400 project_removed: Resource has been removed");
  await expect(refused).rejects.toMatchObject({ name: "StuntdoubleError", call: 3 });
  expect((await world.explain(3)).because_of).toMatchObject([{ call: 2 }]);
  await expect(world.advance({ seconds: -1 })).rejects.toMatchObject({ reason: "invalid_body.ms" });
});

test("the journal answers", async ({ world }) => {
  await create(world);
  await projects(world);
  expect(await world.journal({ from: 2 })).toMatchObject([{ call: 2, status: 200 }]);
  expect(await world.queryJournal("select count(*) as calls from call")).toEqual([{ calls: 2 }]);
  expect((await world.coverage()).reached.map((one) => one["operation"])).toContain("v1-create-a-project");
  expect((await world.replayFile())["calls"]).toHaveLength(2);
  expect((await world.info()).calls).toBe(2);
});

test("the lens looks at the calls", async ({ world }) => {
  for (let call = 0; call < 40; call += 1) {
    await projects(world);
  }
  const seen = await world.lens([1, 4]);
  expect(seen).toMatchObject({ budget_percent: 67, forecasts: [{ wall_ms: 0 }, { wall_ms: 120000 }] });
});

test("a sweep finds what is made twice", async ({ world }) => {
  const create = (run: World) => run.call("POST", "/v1/organizations", { name: "Shop" });
  const careless = (run: World) => create(run).catch(() => create(run));
  const good = await world.fork();
  await careless(good);
  const found: string[] = [];
  for (const { fault } of await good.sweepPoints(world, { effects: ["lost_answer", "reset"] })) {
    const run = await world.fork();
    await run.addFault(fault);
    await careless(run);
    found.push(...(await run.verdict(world, good)).map((trouble) => trouble.kind));
  }
  expect(found).toEqual(["double"]);
});

test("the next work fails when told", async ({ world }) => {
  await world.setNextOutcome("create", "fail");
  await create(world);
  expect(await world.advance({ seconds: 600 })).toMatchObject({ happened: [{ became: "INIT_FAILED" }] });
});

test("people come with tokens", async ({ world }) => {
  await world.createUser({ name: "ada" });
  const token = await world.createToken("ada", { name: "laptop" });
  expect((await world.users()).map((user) => user["name"])).toContain("ada");
  expect(await world.call("GET", "/v1/organizations", undefined, token)).toEqual([]);
  await expect(world.call("GET", "/v1/organizations", undefined, "")).rejects.toThrow("401 token_missing");
  await world.revokeToken((await world.tokens()).at(-1)?.["id"]);
  const refused = world.call("GET", "/v1/organizations", undefined, token);
  await expect(refused).rejects.toMatchObject({ reason: "token_revoked" });
});

test("a control operation goes by its id", async ({ world }) => {
  await world.control("sim-set-dns", { name: "api.example.test", txt: ["a b"] });
  expect(await world.control("sim-get-dns", { name: "api.example.test" })).toMatchObject({ txt: ["a b"] });
  await expect(world.control("sim-get-dns")).rejects.toThrow("sim-get-dns needs name");
  await expect(world.control("sim-get-dsn" as "sim-get-dns")).rejects.toThrow("there is no control operation sim-get-dsn; did you mean sim-get-dns?");
  await expect(world.call("GET", "v1/projects")).rejects.toThrow("path: must begin with /");
  await expect(world.advance(60 as never)).rejects.toThrow("takes an object");
  await expect(world.advance({ seconds: 5, ms: 3 } as never)).rejects.toThrow("exactly one");
});

test("wrong arguments are named", async ({ world, server }) => {
  const untyped = (value: unknown) => value as never;
  const refused: [() => Promise<unknown>, string][] = [
    [() => world.advance({ seconds: Number.NaN }), "seconds: must be a number, 0 or more, received NaN"],
    [() => world.advance(untyped({ seconds: "soon" })), "seconds: must be a number, 0 or more, received soon"],
    [() => world.control("sim-set-faults", untyped("reset")), "sim-set-faults: takes an object of fields or a list"],
    [() => server.plans({ operations: untyped("v1-get-project") }), "operations: must be a list of ids"],
    [() => Server.start(untyped("--analytics")), "start: takes { flags"],
    [() => Server.start(untyped({ flag: ["--analytics"] })), "start: takes { flags"],
  ];
  for (const [wrong, told] of refused) await expect(wrong()).rejects.toThrow(told);
});

test("a world may be deleted before its block ends", async ({ world }) => {
  const fork = await world.fork();
  await fork.delete();
  await fork[Symbol.asyncDispose]();
  await expect(fork.clock()).rejects.toThrow("world_not_found");
});

test("a server that is gone, and a program that is no server, are named", async () => {
  const server = await Server.start();
  const world = await server.createWorld();
  await server.stop();
  await expect(world.clock()).rejects.toThrow("/_sim/clock: no server answers");
  await expect(Server.start({ binary: "/bin/echo" })).rejects.toThrow("/bin/echo: is another program; its first line is");
});
