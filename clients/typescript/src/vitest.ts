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
      await lend(await beginning.fork(), task, use);
    },
  });
}

/** Gives a world to a test, tells about it if the test fails, and deletes it. */
async function lend(world: World, task: { result?: { state: string } | undefined }, use: (world: World) => Promise<void>) {
  try {
    await use(world);
  } finally {
    // A server that is gone must not hide why the test failed.
    if (task.result?.state === "fail") console.error(await told(world).catch((gone) => `world ${world.name}: can't be read, ${gone}`));
    await world[Symbol.asyncDispose]();
  }
}

/** Seed, instant and last calls of a world. */
async function told(world: World): Promise<string> {
  const { seed, now, calls } = await world.info();
  const last = await world.journal({ from: Math.max(1, calls - CALLS_SHOWN + 1) });
  return [`world ${world.name}: seed ${seed}, now ${now}, ${calls} calls`, ...last.map(line)].join("\n");
}

function line(call: t.Call): string {
  const notes = [call.reason, call["fault"]].filter(Boolean).join(", ");
  return `${String(call.call).padStart(4)} ${call.at} ${call.method} ${call.target} -> ${call.status} ${notes}`.trimEnd();
}
