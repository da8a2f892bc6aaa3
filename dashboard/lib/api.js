// The server: what it is asked, and how it tells what happens.
//
// A look leaves no trace: what is inside a world is read by `peek`, on a fork that nobody sees. Only what a person asks
// for in so many words, such as pausing a project, is a call that the journal has.

import { useEffect, useState } from "../vendor/preact.js";

/** A refusal, with the service's own words. */
export class Refusal extends Error {
  constructor(status, reason, text) {
    super(text || reason || String(status));
    this.status = status;
    this.reason = reason;
  }
}

async function ask(method, path, body, headers = {}) {
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return read(answer.status, answer.headers.get("x-sim-reason"), await answer.text());
}

function read(status, reason, text) {
  let value = text;
  try {
    value = text === "" ? undefined : JSON.parse(text);
  } catch {
    // Not everything is JSON.
  }
  if (status >= 400) throw new Refusal(status, reason, message(value) ?? text);
  return value;
}

function message(value) {
  const found = value?.message ?? value?.error;
  return typeof found === "string" ? found : found?.message;
}

/** A world by name, and what can be asked of it. */
export class World {
  constructor(name) {
    this.name = name;
    this.base = `/w/${encodeURIComponent(name)}`;
  }

  /** A control operation, by method and the path under `/_sim`. */
  control(method, path, body) {
    return ask(method, `${this.base}/_sim${path}`, body);
  }

  /** What whoever drives the simulator would be answered. */
  async peek(target, { method = "GET", body } = {}) {
    const peeked = await this.control("POST", "/peek", { method, target, body });
    return read(peeked.status, peeked.reason, peeked.body);
  }

  /** A call that is really made, as the first user of the service that has the path. */
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

  /** What the world's profile calls a neutral word. */
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

/** Everything about the chosen world that is told as it happens. Views look at it through `useLive`. */
export const live = {
  world: null,
  clock: null,
  /** When, by this machine's clock, `clock` was told. */
  heard: 0,
  /** How many calls each service has answered. */
  calls: {},
  /** Goes up whenever something happened. */
  version: 0,
  /** Goes up whenever the world went back to what it was: what was seen of it before counts no more. */
  life: 0,
  /** Whether the stream is open. */
  open: false,
};

const listeners = new Set();
let stream;

function changed() {
  live.version += 1;
  listeners.forEach((listener) => listener(live.version));
}

/** Watches `world` from now on, in place of any other. */
export async function choose(world) {
  stream?.close();
  Object.assign(live, { world, clock: null, calls: {}, open: false });
  world.info = await world.control("GET", `/worlds/${encodeURIComponent(world.name)}`);
  world.names = (await world.control("GET", "/profile")).names;
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
      live.open = open;
      changed();
    });
  }
}

// Browsers keep few connections to a server; pages that nobody looks at leave theirs to others.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream?.close();
  else if (live.world?.info) watch();
});

/** Takes in a clock that an answer told. */
export function told(clock) {
  live.clock = { ...live.clock, ...clock };
  live.heard = performance.now();
  changed();
}

/** The simulated instant by now, in milliseconds. */
export function now() {
  if (!live.clock) return 0;
  const gone = live.clock.pace === "manual" ? 0 : (performance.now() - live.heard) * live.clock.speed;
  return Date.parse(live.clock.now) + gone;
}

/** Draws the view again whenever something happens; returns a number that goes up with it. */
export function useLive() {
  const [version, set] = useState(live.version);
  useEffect(() => {
    listeners.add(set);
    set(live.version);
    return () => listeners.delete(set);
  }, []);
  return version;
}

/** How long a view waits at least before it loads the same again. */
const CALM = 250;

/**
 * What `load` finds: `{ value, error, loading, reload }`. Loads again when `keys` change, and, unless `still`, when
 * something happens in the world.
 */
export function useLoad(load, keys, { still = false } = {}) {
  const version = useLive();
  const [state, set] = useState({ loading: true });
  const [asked, ask] = useState(0);
  const place = JSON.stringify(keys);
  useEffect(() => set((old) => ({ ...old, value: undefined, error: undefined, loading: true })), [place]);
  useEffect(() => {
    let isWanted = true;
    const begin = async () => {
      try {
        const value = await load();
        if (isWanted) set({ value, loading: false });
      } catch (error) {
        if (isWanted) set({ error, loading: false });
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

/** The id of an operation as the journal has it: the document of the newest edition writes it in camel case. */
function journalled(id) {
  return /^v\d+[A-Z]/.test(id) ? id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : id;
}
