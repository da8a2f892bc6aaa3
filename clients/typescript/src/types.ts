/** The types of requests and answers. */

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
  /** The number of calls that the journal has dropped. */
  dropped_calls: number;
}

/** The settings of a new world. Omitted settings are those of the world `main`, or have their defaults. */
export interface NewWorld {
  name?: string;
  service?: Service;
  self_log?: boolean;
  seed?: number;
  /** The time of its clock at the start. */
  start?: string;
  policy?: Json;
  profile?: Json;
  /** Its users and organizations. */
  world?: Json;
  /** A seed file, as an object or as its text. */
  seed_file?: Json | string;
  /** The name of a scenario. */
  scenario?: string;
  /** Simulated seconds per real second; 0 is a paused clock. */
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

/** The result of advancing the clock. */
export interface Moved {
  now: string;
  next_due: string | null;
  happened: Happened[];
}

/** The plans to generate. */
export interface WantedPlans {
  /** The seed of the first plan; each further plan has the next number. */
  seed?: number;
  count?: number;
  /** Steps of each plan, after its setup. */
  length?: number;
  operations?: string[];
  good?: boolean;
}

/** A call sequence with its expected results. */
export interface Plan {
  seed: number;
  /** The world for the plan. */
  world: NewWorld;
  steps: ({ until: string } | PlannedCall)[];
}

/** A call, and its expected result. */
export interface PlannedCall {
  operation: string;
  /** Whether the test makes the call, because it is setup and not part of the client under test. */
  setup?: boolean;
  method: string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The body, if it is not JSON. */
  text?: string;
  expect: { status: number; reason?: string; body?: unknown };
}

/** Finished work, or something that ended by itself. */
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
  /** The name of the subject, where the subject is an id or a reference. */
  name?: string;
  /** The event of a lifecycle that the work is, if it is one: `FinishPause`. */
  event?: string;
  /** The state that its subject will have then: `INACTIVE`. */
  becomes?: string;
  task: string;
  caused_by_call?: number;
}

/** A decision about work to come. */
export interface NextOutcome {
  work: string;
  outcome: "succeed" | "fail" | "never";
  after_ms?: number;
  /** The project that it is about; any if there is none. */
  project?: string;
  /** Whether it applies to all work of that kind. */
  lasting: boolean;
  used: number;
  /** When the daily backup that it is about is made. */
  due_at?: string;
  set_by_call: number;
}

/** The amount or target of an advance of the clock. */
export type Move = { seconds: number } | { ms: number } | { until: string } | { to: "next_due" };

/** A fault rule. It matches the calls that fit every field of `on`, and applies to `times` of them (0: all) from the `nth` on. */
export interface Fault {
  on: On;
  nth?: number;
  times?: number;
  /** How long it applies after the first time, in simulated milliseconds. */
  for_ms?: number;
  /** The probability that it applies to a matching call, from 0 to 1. The world's seed determines the result. */
  probability?: number;
  effect: Effect;
}

/** The calls that a rule matches; `*` in a path matches any text. */
export interface On {
  operation?: string;
  method?: string;
  path?: string;
  project?: string;
  caller?: string;
  from?: string;
  until?: string;
}

/** The effect of a rule on a call. */
export type Effect =
  | {
      kind: "status";
      status: number;
      message?: string;
      retry_after_s?: number;
      /** Additional members of the body. */
      members?: Record<string, unknown>;
      headers?: Record<string, string>;
    }
  | {
      /**
       * Members are renamed, then removed, then set, then reordered. Places are JSON pointers, in which `*` matches every element or
       * member.
       */
      kind: "alter";
      status?: number;
      set?: Record<string, unknown>;
      drop?: string[];
      rename?: Record<string, string>;
      /** Places of lists and objects whose elements or members come in reverse order. */
      reorder?: string[];
      headers?: Record<string, string>;
    }
  | { kind: "rate_limit"; seconds: number }
  | { kind: "latency" | "slow" | "late"; ms: number }
  | { kind: "reset" | "empty" | "torn" | "garbage" | "lost_answer" | "twice" | "lean" | "rich" | "varied" | "reorder" }
  | { kind: "partial"; done: number; status: number }
  | { kind: "stale"; calls: number };

/** A rule, with the numbers of calls that it matched and applied to. */
export interface FaultStanding {
  id: number;
  rule: Fault;
  met: number;
  struck: number;
  /** When it applied for the first time. */
  since?: string;
}

/** A fault of a sweep: `fault` is the rule for a fork of the world before the run. */
export interface SweepPoint {
  service: "management" | "analytics";
  call: number;
  method: string;
  target: string;
  fault: Fault;
}

/** A defect of a run. */
export interface Trouble {
  kind: "hang" | "killed" | "exit" | "double" | "garbage" | "missing" | "lost" | "different" | "impatient";
  what: string;
}

/** A scenario: a prepared world. */
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

/** An explanation of a call's answer: the check that refused it, and the earlier calls that caused this. */
export interface Explanation {
  call: Call;
  checks: Json[];
  /** Why the call was refused, and since which call, in one sentence. */
  gate?: string;
  because_of: Call[];
}

export interface Coverage {
  reached: Json[];
  followed: Json[];
}

/** A row that was inserted, changed or deleted. */
export interface RowChange {
  table: string;
  key: Record<string, unknown>;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** What is different between two worlds: rows, and values of answers by JSON pointer. */
export interface Difference {
  rows: RowChange[];
  answers: { path: string; changes: { pointer: string; before?: unknown; after?: unknown }[] }[];
}
