// Each bug of the client is found by one tool of the test kit, in this process: no server, no wait.
import { StuntdoubleError, World } from "stuntdouble";
import { fetchOf } from "stuntdouble/inprocess";
import { testInProcess } from "stuntdouble/vitest";
import { expect } from "vitest";
import { type Bug, Deployer, Refused, SHOP } from "./deployer.js";

const test = testInProcess();

function deployer(world: World, bugs: Bug[] = [], token = world.token): Deployer {
  const sleep = (seconds: number) => world.advance({ seconds });
  return new Deployer({ fetch: fetchOf(world), url: "https://api.example.test", token, sleep, bugs });
}

test("a release succeeds", async ({ world }) => {
  await deployer(world).release();
  expect(await world.call("GET", "/v1/projects")).toMatchObject([{ status: "ACTIVE_HEALTHY" }]);
});

// Sweep: a fault in every call, one at a time. Without a list of effects it would be all usual ones.

const EFFECTS = ["503", "lost_answer", "torn"];

/** The defects of the runs, as "CALL EFFECT: defect". */
async function swept(world: World, bugs: Bug[] = [], effects = EFFECTS): Promise<string[]> {
  const good = await world.fork();
  await deployer(good, bugs).release();
  const found: string[] = [];
  for (const { method, target, fault } of await good.sweepPoints(world, { effects })) {
    const run = await world.fork();
    await run.addFault(fault);
    const exit = await deployer(run, bugs).release().then(() => 0, failed);
    const troubles = await run.verdict(world, good, { exit });
    found.push(...troubles.map(({ kind }) => `${method} ${target} ${fault.effect.kind}: ${kind}`));
    await run.delete();
  }
  return found;
}

function failed(error: unknown): number {
  if (error instanceof Refused) return 1;
  throw error;
}

test("a release survives every fault", async ({ world }) => {
  expect(await swept(world)).toEqual([]);
});

test("a sweep finds the blind retry", async ({ world }) => {
  expect(await swept(world, ["blind retry"], ["lost_answer"])).toContain("POST /v1/organizations lost_answer: double");
});

// Lens: what the client does when it is told to wait.

async function reaction(world: World, bugs: Bug[] = []): Promise<unknown> {
  await world.addFault({ on: { operation: "v1-list-all-projects" }, effect: { kind: "rate_limit", seconds: 30 } });
  await deployer(world, bugs).release().catch(failed);
  return (await world.lens())["reaction"];
}

test("a release waits when it is told to", async ({ world }) => {
  expect(await reaction(world)).toBe("waits");
});

test("the lens finds impatience", async ({ world }) => {
  expect(await reaction(world, ["impatient"])).toEqual({ calls: expect.any(Number) });
});

// Forks: the same step at every moment of a project's start.

/** What becomes of a statement right after the wait, in forks of a start that takes a minute. */
async function atEachMoment(world: World, bugs: Bug[] = []): Promise<string[]> {
  const [{ id: organization_id }] = await world.call("GET", "/v1/organizations");
  const { id } = await deployer(world).createProject({ ...SHOP, organization_id });
  const results: string[] = [];
  for (let seconds = 0; seconds < 70; seconds += 10) {
    const moment = await world.fork();
    await moment.advance({ seconds });
    const client = deployer(moment, bugs);
    await client.waitUntilUp(id);
    const asked = client.call("POST", `/v1/projects/${id}/database/query`, { query: "select 1" });
    results.push(await asked.then(() => "done", () => "refused"));
    await moment.delete();
  }
  return results;
}

test("a project is used when it is up", async ({ world }) => {
  expect(await atEachMoment(world)).toEqual(Array(7).fill("done"));
});

test("forks find the eager client", async ({ world }) => {
  expect(await atEachMoment(world, ["eager"])).toEqual([...Array(6).fill("refused"), "done"]);
});

// Trial: random histories, with the answer that each call must have.

/** Where the client differs from what must come of its calls. */
async function tried(world: World, bugs: Bug[] = []): Promise<string[]> {
  const found: string[] = [];
  const asked = { seed: 1, count: 4, operations: "v1-create-a-project", good: true };
  for (const plan of await world.control("sim-draw-plans", asked)) {
    const run = new World(await world.control("sim-create-world", plan.world), world.connection);
    for (const step of plan.steps) {
      if ("until" in step) {
        await run.advance({ until: step.until });
      } else if (step.operation === "v1-create-a-project" && !step.setup) {
        const created = await deployer(run, bugs, step.token).createProject(step.body);
        const expected = Object.entries(step.expect.body);
        found.push(...expected.filter(([name, value]) => !same(created, name, value)).map(([name]) => name));
      } else {
        await run.call(step.method, step.path, step.body, step.token ?? "").catch(expectStatus(step.expect.status));
      }
    }
    await run.delete();
  }
  return found;
}

const same = (created: object, name: string, value: unknown) =>
  JSON.stringify((created as Record<string, unknown>)[name]) === JSON.stringify(value);

const expectStatus = (status: number) => (error: unknown) => {
  expect(error).toBeInstanceOf(StuntdoubleError);
  expect(error).toMatchObject({ status });
};

test("a project is as it was ordered", async ({ world }) => {
  expect(await tried(world)).toEqual([]);
});

test("a trial finds the wrong region", async ({ world }) => {
  expect(await tried(world, ["at home"])).toContain("region");
});
