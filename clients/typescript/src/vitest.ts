/** For vitest: a `test` with a separate `world` for each test, on one `server` per worker. */

import { test as base } from "vitest";
import { Server, type World } from "./stuntdouble.js";

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
    world: async ({ server }, use) => {
      const world = await server.createWorld();
      try {
        await use(world);
      } finally {
        await world.delete();
      }
    },
  });
}

export const test = testWith({});
