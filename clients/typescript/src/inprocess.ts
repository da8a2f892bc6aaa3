/**
 * Worlds in this process: no server, no socket.
 *
 *     const sim = new InProcess({ seed: 7 });
 *     const client = new MyClient({ fetch: sim.fetch, url: sim.main.url, token: sim.main.token });
 *     await sim.main.advance({ seconds: 60 });
 *
 * Needs the shared library, which the platform's package has.
 */

import { Dispatcher } from "./dispatcher.js";
import { type WorldFetch, fetchFrom } from "./fetch.js";
import { Native } from "./native.js";
import { World, Worlds } from "./stuntdouble.js";
import type * as t from "./types.js";

export { Dispatcher } from "./dispatcher.js";
export { type WorldFetch } from "./fetch.js";

/** A world in this process, `main`, and those that are made beside it. */
export class InProcess extends Worlds {
  readonly main: World;
  readonly #native: Native;

  constructor(settings: Omit<t.NewWorld, "name" | "speed"> = {}) {
    super();
    this.#native = new Native(settings);
    this.main = new World(this.#native.info, this.#native);
  }

  /** `fetch` for the main world, whatever the host of a URL is. */
  get fetch(): WorldFetch {
    return fetchOf(this.main);
  }

  /** Ends all worlds. Closing twice is closing once. */
  close(): void {
    this.#native.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A `fetch` that sends all requests to a world, whatever the host of a URL is. */
export function fetchOf(world: World): WorldFetch {
  return fetchFrom(nativeOf(world), world.name);
}

/** For undici: `request(url, { dispatcher })`, `setGlobalDispatcher(dispatcher)`. Sends all requests to a world. */
export function dispatcherOf(world: World): Dispatcher {
  return new Dispatcher(nativeOf(world), world.name);
}

function nativeOf(world: World): Native {
  if (world.connection instanceof Native) return world.connection;
  throw new TypeError(`${world.name} is a world of a server: give its url to the client; this is for InProcess`);
}
