// Access to the server: requests, and events of the chosen world.
//
// Viewing leaves no trace: views read a world by `peek`, on a private fork. Only explicit actions of the user, such as
// pausing a project, are calls in the journal.

import { useEffect, useState } from "../vendor/preact.js";

/** A refusal, with the service's own message. */
export class Refusal extends Error {
  constructor(status, reason, text) {
    super(text || reason || String(status));
    this.status = status;
    this.reason = reason;
  }
}

/** There was no answer. */
export class Lost extends Error {}

async function ask(method, path, body, headers = {}) {
  if (body !== undefined) headers["content-type"] = "application/json";
  const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const answer = await fetch(path, request).catch(() => {
    throw new Lost("The server does not answer. Is it still running?");
  });
  return read(answer.status, answer.headers.get("x-sim-reason"), await answer.text());
}

function read(status, reason, text) {
  let value = text;
  try {
    value = text === "" ? undefined : JSON.parse(text);
  } catch {
    // Some answers are not JSON.
  }
  if (status >= 400) throw new Refusal(status, reason, message(value) ?? text);
  return value;
}

function message(value) {
  const found = value?.message ?? value?.error;
  return typeof found === "string" ? found : found?.message;
}

/** A world by name, and the requests to it. */
export class World {
  constructor(name) {
    this.name = name;
    this.base = `/w/${encodeURIComponent(name)}`;
  }

  /** A control operation, by method and the path under `/_sim`. */
  control(method, path, body) {
    return ask(method, `${this.base}/_sim${path}`, body);
  }

  /** Reads the answer to a request of the simulator's driver, without leaving a trace. */
  async peek(target, { method = "GET", body, accept } = {}) {
    const peeked = await this.control("POST", "/peek", { method, target, body, accept });
    return read(peeked.status, peeked.reason, peeked.body);
  }

  /** Makes a real call as the first user of the service with that path. */
  act(method, target, body) {
    const token = /^\/(api|logs|endpoints)\b/.test(target) ? this.info.analytics_token ?? this.info.token : this.info.token;
    return ask(method, this.base + target, body, token ? { authorization: `Bearer ${token}` } : {});
  }

  /** The operations of a service: `{ id, method, path, statuses, summary }`. */
  async operations(service) {
    const document = await ask("GET", `${this.base}/openapi.json?service=${service}`);
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, one]) => one.operationId)
        .map(([method, one]) => ({ id: journalled(one.operationId), method: method.toUpperCase(), path, summary: one.summary, statuses: Object.keys(one.responses).map(Number) })),
    );
  }

  /** The profile's name for a neutral word. */
  called(word) {
    return this.names?.[word] ?? word;
  }

  has(service) {
    return this.info?.service === service || this.info?.service === "both";
  }
}

export function listWorlds() {
  return ask("GET", "/_sim/worlds");
}

/** The events of the chosen world. Views use them through `useLive`. */
export const live = {
  world: null,
  clock: null,
  /** The time on this machine's clock at which `clock` was received. */
  heard: 0,
  /** The number of calls to each service. */
  calls: {},
  /** Increases with every event. */
  version: 0,
  /** Increases when the world is reset or restored, which makes everything loaded before invalid. */
  life: 0,
  /** Whether the stream is open. */
  open: false,
  /** When the stream broke off, on this machine's clock. */
  lost: undefined,
};

const listeners = new Set();
let stream;

function changed() {
  live.version += 1;
  listeners.forEach((listener) => listener(live.version));
}

/** Watches `world` from now on, instead of another one. */
export async function choose(world) {
  stream?.close();
  Object.assign(live, { world, clock: null, calls: {}, open: false, lost: undefined });
  world.info = await world.control("GET", `/worlds/${encodeURIComponent(world.name)}`);
  world.names = (await world.control("GET", "/profile")).names;
  if (live.world !== world) return;
  watch();
  changed();
}

function watch() {
  stream?.close();
  stream = new EventSource(`${live.world.base}/_sim/events`);
  stream.addEventListener("news", (event) => {
    const news = JSON.parse(event.data);
    live.clock = news.clock;
    live.heard = performance.now();
    live.life += news.went_back ? 1 : 0;
    for (const { service, calls } of news.services) live.calls[service] = calls;
    changed();
  });
  for (const [event, open] of [["open", true], ["error", false]]) {
    stream.addEventListener(event, () => {
      if (live.open && !open) live.lost = performance.now();
      if (open) live.lost = undefined;
      live.open = open;
      changed();
    });
  }
}

// Browsers limit the connections to a server, so hidden pages close theirs.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream?.close();
  else if (live.world?.info) watch();
});

/** Updates the clock from an answer. */
export function told(clock) {
  live.clock = { ...live.clock, ...clock };
  live.heard = performance.now();
  changed();
}

/** The current simulated time in milliseconds. */
export function now() {
  if (!live.clock) return 0;
  // Without a server the clock is where it was last seen.
  const until = live.open ? performance.now() : live.lost ?? live.heard;
  const gone = live.clock.pace === "manual" ? 0 : Math.max(0, until - live.heard) * live.clock.speed;
  return Date.parse(live.clock.now) + gone;
}

/** Renders the view again after every event; returns a number that increases with each. */
export function useLive() {
  const [version, set] = useState(live.version);
  useEffect(() => {
    listeners.add(set);
    set(live.version);
    return () => listeners.delete(set);
  }, []);
  return version;
}

/** The shortest time between two loads of the same data. */
const CALM = 250;

/**
 * The result of `load`: `{ value, error, loading, reload }`. Loads again when `keys` change and, unless `still`, after every
 * event of the world. With `keep`, the old value is shown until the new one is there.
 */
export function useLoad(load, keys, { still = false, keep = false } = {}) {
  const version = useLive();
  const [state, set] = useState({ loading: true });
  const [asked, ask] = useState(0);
  const place = JSON.stringify(keys);
  useEffect(() => set((old) => ({ value: keep ? old.value : undefined, error: undefined, loading: true })), [place]);
  useEffect(() => {
    let isWanted = true;
    const begin = async () => {
      try {
        const value = await load();
        if (isWanted) set({ value, loading: false });
      } catch (error) {
        // What was loaded before stays: the page says once that the server is gone.
        if (isWanted) set((old) => (error instanceof Lost && old.value !== undefined ? { ...old, loading: false } : { error, loading: false }));
      }
    };
    const wait = setTimeout(begin, state.value === undefined ? 0 : CALM);
    return () => {
      isWanted = false;
      clearTimeout(wait);
    };
  }, [place, asked, still ? 0 : version]);
  return { ...state, reload: () => ask((n) => n + 1) };
}

/** The operation's id as in the journal: the document of the newest edition has it in camel case. */
function journalled(id) {
  return /^v\d+[A-Z]/.test(id) ? id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : id;
}
