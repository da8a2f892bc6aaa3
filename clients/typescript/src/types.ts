/** What goes to the server and comes from it. */

/** A world, as the server describes it. */
export interface WorldInfo {
  name: string;
  url: string;
  service: Service;
  token?: string;
  analytics_token?: string;
  seed: number;
  now: string;
  calls: number;
  /** How many of them the journal no longer holds. */
  dropped_calls: number;
}

/** What a new world is like; what is left out is as in the world `main`, or has its default. */
export interface NewWorld {
  name?: string;
  service?: Service;
  self_log?: boolean;
  seed?: number;
  /** The instant at which it begins. */
  start?: string;
  policy?: Json;
  profile?: Json;
  /** Who is in it. */
  world?: Json;
  /** A seed file, as an object or as its text. */
  seed_file?: Json | string;
  /** The name of a world to begin with. */
  scenario?: string;
  /** Simulated seconds for each real one; 0 is a clock that stands. */
  speed?: number;
}

export type Service = "management" | "analytics" | "both";

/** An object whose fields are described by `world.control("sim-get-openapi")`. */
export type Json = Record<string, any>;

export interface Clock {
  now: string;
  next_due: string | null;
  pace: "clock" | "instant" | "manual";
  speed: number;
}

/** What a move of the clock did. */
export interface Moved {
  now: string;
  next_due: string | null;
  happened: Happened[];
}

/** Which plans are wanted. */
export interface WantedPlans {
  /** The first plan's; each further plan has the next. */
  seed?: number;
  count?: number;
  /** Steps in each, after those that make it ready. */
  length?: number;
  operations?: string[];
  good?: boolean;
}

/** A history, and what must come of it. */
export interface Plan {
  seed: number;
  /** The world that it is about. */
  world: NewWorld;
  steps: ({ until: string } | PlannedCall)[];
}

/** A call, and what must come of it. */
export interface PlannedCall {
  operation: string;
  /** Whether it is for the test to make, because the client under test has no part in it. */
  setup?: boolean;
  method: string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The body where it is not JSON. */
  text?: string;
  expect: { status: number; reason?: string; body?: unknown };
}

/** Work that was done. */
export interface Happened {
  at: string;
  kind: string;
  subject: string;
  task: string;
  became: string;
  caused_by_call?: number;
}

/** Scheduled work. */
export interface Due {
  due: string;
  seq: number;
  kind: string;
  subject: string;
  task: string;
  caused_by_call?: number;
}

/** By how much the clock moves, or to what. */
export type Move = { seconds: number } | { ms: number } | { until: string } | { to: "next_due" };

/** A fault rule. It matches the calls that fit every field of `on`, and applies to `times` of them (0: all) from the `nth` on. */
export interface Fault {
  on: On;
  nth?: number;
  times?: number;
  /** For how long it applies after the first time, in simulated milliseconds. */
  for_ms?: number;
  /** The probability that it applies to a matching call, from 0 to 1; the world's seed decides. */
  probability?: number;
  effect: Effect;
}

/** Which calls a rule matches; `*` in a path matches any text. */
export interface On {
  operation?: string;
  method?: string;
  path?: string;
  project?: string;
  caller?: string;
  from?: string;
  until?: string;
}

/** What a rule does to a call. */
export type Effect =
  | {
      kind: "status";
      status: number;
      message?: string;
      retry_after_s?: number;
      /** Further members of the body. */
      members?: Record<string, unknown>;
      headers?: Record<string, string>;
    }
  | {
      /** Members are renamed, then left out, then set. A place is a JSON pointer; `*` in it is every element or member. */
      kind: "alter";
      status?: number;
      set?: Record<string, unknown>;
      drop?: string[];
      rename?: Record<string, string>;
      headers?: Record<string, string>;
    }
  | { kind: "rate_limit"; seconds: number }
  | { kind: "latency" | "slow" | "late"; ms: number }
  | { kind: "reset" | "empty" | "torn" | "garbage" | "lost_answer" | "twice" }
  | { kind: "stale"; calls: number };

/** A rule, with its counts: calls that it matched, and calls that it applied to. */
export interface FaultStanding {
  id: number;
  rule: Fault;
  met: number;
  struck: number;
  /** When it applied for the first time. */
  since?: string;
}

/** What a sweep does to a call: `fault` is for a fork of the world before the run. */
export interface SweepPoint {
  service: "management" | "analytics";
  call: number;
  method: string;
  target: string;
  fault: Fault;
}

/** A defect of a run. */
export interface Trouble {
  kind: "hang" | "killed" | "exit" | "double" | "garbage" | "missing" | "lost" | "different";
  what: string;
}

/** A world to begin with. */
export interface ScenarioInfo {
  name: string;
  about: string;
}

export interface SnapshotInfo {
  name: string;
  now: string;
  calls: number;
}

/** A call in the journal. */
export interface Call extends Json {
  call: number;
  at: string;
  operation?: string;
  method: string;
  target: string;
  status: number;
  reason?: string;
}

/** Which check said what about a call, and which earlier calls are to blame. */
export interface Explanation {
  call: Call;
  checks: Json[];
  because_of: Call[];
}

export interface Coverage {
  reached: Json[];
  followed: Json[];
}
