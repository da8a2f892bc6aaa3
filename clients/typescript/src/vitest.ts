/**
 * For vitest: `test` with a `world` of its own for each test. That of `testWith` is on a `server` for each worker, that of
 * `testInProcess` in the worker itself. A test that fails prints the seed of its world and the end of its journal.
 */

import { test as base } from "vitest";
import { InProcess } from "./inprocess.js";
import { Server, type World } from "./stuntdouble.js";
import type * as t from "./types.js";

/** How many calls of the journal a test that fails prints. */
const CALLS_SHOWN = 15;

/** A `test` on a server with other options, as in `testWith({ flags: ["--analytics"] })`. */
export function testWith(options: Parameters<typeof Server.start>[0]) {
  return base.extend<{ world: World; server: Server }>({
    server: [
      async ({}, use) => {
        const server = await Server.start(options);
        try {
          await use(server);
        } finally {
          await server.stop();
        }
      },
      { scope: "worker" },
    ],
    world: async ({ server, task }, use) => {
      await lend(await server.createWorld(), task, use);
    },
  });
}

export const test = testWith({});

export { expect } from "vitest";

/**
 * `test` with a fork per test of one world in the worker, as in `testInProcess({ seed: 7 })`. `prepare` makes in that world what
 * all tests need.
 */
export function testInProcess(
  settings: ConstructorParameters<typeof InProcess>[0] = {},
  prepare: (world: World) => Promise<void> = async () => {},
) {
  return base.extend<{ world: World; beginning: World }>({
    beginning: [
      async ({}, use) => {
        const sim = new InProcess(settings);
        try {
          await prepare(sim.main);
          await use(sim.main);
        } finally {
          sim.close();
        }
      },
      { scope: "worker" },
    ],
    world: async ({ beginning, task }, use) => {
      const fork = await beginning.fork();
      beginning.forks.splice(0);
      await lend(fork, task, use);
    },
  });
}

/** Gives a world to a test, tells about it if the test fails, and deletes it. */
async function lend(world: World, task: { name: string; result?: { state: string } | undefined }, use: (world: World) => Promise<void>) {
  try {
    await use(world);
  } finally {
    // A server that is gone must not hide why the test failed.
    for (const one of family(world)) {
      if (task.result?.state === "fail") console.error(await told(one).catch((gone) => `world ${one.name}: can't be read, ${gone}`));
      for (const [kind, what] of await unused(one)) console.warn(`${task.name}: ${kind} of world ${one.name} had no effect: ${JSON.stringify(what)}`);
    }
    await world[Symbol.asyncDispose]();
  }
}

/** A world and its forks. */
function family(world: World): World[] {
  return [world, ...world.forks.flatMap(family)];
}

/** The fault rules that no call met, and the decisions that no work used. None of a world that is gone, or without such work. */
async function unused(world: World): Promise<[string, unknown][]> {
  const rules = await world.faults().catch(() => []);
  const decided = await world.nextOutcomes().catch(() => []);
  return [
    ...rules.filter((rule) => rule.struck === 0).map(({ rule }): [string, unknown] => ["a fault rule", rule]),
    ...decided.filter((one) => one.used === 0).map((one): [string, unknown] => ["a decision", one]),
  ];
}

/** Seed, instant and last calls of a world. */
async function told(world: World): Promise<string> {
  const { seed, now, service } = await world.info();
  const found: t.Call[] = [];
  let count = 0;
  for (const one of service === "both" ? ["management", "analytics"] : [service]) {
    const asked = { service: one, text: "", control: false };
    const { total } = await world.control("sim-search-journal", { ...asked, limit: 0 });
    const offset = Math.max(0, total - CALLS_SHOWN);
    const { calls } = await world.control("sim-search-journal", { ...asked, limit: CALLS_SHOWN, offset });
    found.push(...calls);
    count += total;
  }
  const last = found.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-CALLS_SHOWN);
  return [`world ${world.name}: seed ${seed}, now ${now}, ${count} ${count === 1 ? "call" : "calls"}`, ...last.map(line)].join("\n");
}

function line(call: t.Call): string {
  const notes = [call.reason, call["fault"]].filter(Boolean).join(", ");
  return `${String(call.call).padStart(4)} ${call.at} ${call.method} ${call.target} -> ${call.status} ${notes}`.trimEnd();
}
