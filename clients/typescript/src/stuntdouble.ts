/**
 * Controls the simulator `stuntdouble` from tests: starts its server, creates worlds, advances time, injects faults.
 *
 *     const server = await Server.start();
 *     const world = await server.createWorld({ seed: 7 });
 *     const client = new MyClient(world.url, world.token);
 *     await world.advance({ seconds: 60 });
 *
 * Needs only Node. For vitest there is `stuntdouble/vitest`; worlds without a server are in `stuntdouble/inprocess`.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "./binary.js";
import { type Connection, overSocket, StuntdoubleError } from "./http.js";
import { OPERATIONS } from "./operations.js";
import type * as t from "./types.js";

export { type Connection, StuntdoubleError } from "./http.js";
export { OPERATIONS } from "./operations.js";
export type * from "./types.js";

/** The id of a control operation. */
export type ControlOperation = keyof typeof OPERATIONS;

/** Worlds that share a server, or this process. */
export abstract class Worlds {
  /** The world that exists from the start. */
  abstract readonly main: World;

  /** Creates a world, which exists until it is deleted. */
  async createWorld(fields: t.NewWorld = {}): Promise<World> {
    return new World(await this.main.control("sim-create-world", fields), this.main.connection);
  }

  /** All worlds, by name. */
  async worlds(): Promise<World[]> {
    const all: WorldAddress[] = await this.main.control("sim-list-worlds");
    return all.map((info) => new World(info, this.main.connection));
  }

  /** The scenarios: the names that `createWorld({ scenario })` accepts, with their descriptions. */
  scenarios(): Promise<t.ScenarioInfo[]> {
    return this.main.control("sim-list-scenarios");
  }

  /**
   * Generates random call sequences, each for a world of its own: calls with their expected results, and pauses.
   * `operations` are the ids of the operations that the client under test can call. With `good`, all calls succeed. The same
   * seeds give the same plans.
   */
  async plans({ operations, ...fields }: t.WantedPlans = {}): Promise<t.Plan[]> {
    if (operations && !Array.isArray(operations)) throw new TypeError("operations: must be a list of ids");
    return this.main.control("sim-draw-plans", { ...fields, operations: operations?.join(",") });
  }
}

/** A running `stuntdouble serve` on a free port of this machine. Its clocks are paused. */
export class Server extends Worlds {
  private constructor(
    private readonly child: ChildProcess,
    /** The address of the server, without a world's path. */
    readonly url: string,
    readonly main: World,
  ) {
    super();
  }

  /**
   * Starts a server: `binary`, or the program in the platform's package, or the one in `STUNTDOUBLE_BIN`, or `stuntdouble` on
   * `PATH`. `flags` are additional flags of `serve`, such as `--analytics`.
   */
  static async start(options: { flags?: string[]; binary?: string } = {}): Promise<Server> {
    const { flags = [], binary, ...others } = Object(options);
    const isList = Array.isArray(flags) && flags.every((flag) => typeof flag === "string");
    if (Object.keys(others).length > 0 || !isList) {
      throw new TypeError(`start: takes { flags: ["--seed", "7"], binary: "/path" }, received ${JSON.stringify(options)}`);
    }
    const command = binary ?? program();
    const child = spawn(command, ["serve", "--json", "--port", "0", "--deterministic", ...flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await firstLine(command, child);
    const started = parsed(line);
    if (!started) {
      child.kill();
      throw new Error(`${command}: is another program; its first line is ${JSON.stringify(line)}, not JSON`);
    }
    const kill = () => child.kill();
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    return new Server(child, started.url, new World({ ...started, name: started.world }));
  }

  /** Stops the server and deletes its worlds. Has no effect if it is stopped already. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill();
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

type WorldAddress = Pick<t.WorldInfo, "name" | "url" | "token" | "analytics_token">;

/** A world, and the control operations for it. */
export class World {
  /** Its name on the server. */
  readonly name: string;
  /** The base URL of the world, for requests with any token. */
  readonly url: string;
  /** The token of its first user; empty in a world without users. */
  readonly token: string;
  /** The token for its analytics server, if it has one in addition to the other service. */
  readonly analyticsToken: string | undefined;
  /** The forks that were made of it here; what tells about a failed test tells of them, too. */
  readonly forks: World[] = [];

  constructor(
    info: WorldAddress,
    /** How calls reach it: through a socket, or the library in this process. */
    readonly connection: Connection = overSocket,
  ) {
    this.name = info.name;
    this.url = info.url;
    this.token = info.token ?? "";
    this.analyticsToken = info.analytics_token;
  }

  /**
   * Calls the simulated service as the world's first user, or with another `token`. An empty token makes an anonymous call.
   */
  async call(method: string, path: string, body?: unknown, token = this.token): Promise<any> {
    if (typeof path !== "string" || !path.startsWith("/")) {
      throw new TypeError(`path: must begin with /, as in /v1/projects, received ${JSON.stringify(path)}`);
    }
    return this.connection.ask(method, this.url + path, body, token);
  }

  /** Calls any control operation by its id. Fields of path, query and body are given together. */
  async control(operation: ControlOperation, fields: object = {}): Promise<any> {
    if (!Object.hasOwn(OPERATIONS, operation)) {
      const near = nearest(operation, Object.keys(OPERATIONS));
      throw new TypeError(`there is no control operation ${operation}; ${near ? `did you mean ${near}?` : "OPERATIONS has all"}`);
    }
    const [method = "", template = ""] = OPERATIONS[operation].split(" ");
    if (typeof fields !== "object" || fields === null) {
      throw new TypeError(`${operation}: takes an object of fields or a list, received ${JSON.stringify(fields)}`);
    }
    if (Array.isArray(fields)) return this.connection.ask(method, this.url + template, fields);
    const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!rest.has(name)) throw new TypeError(`${operation} needs ${name}`);
      const value = encodeURIComponent(String(rest.get(name)));
      rest.delete(name);
      return value;
    });
    if (method !== "GET" && method !== "DELETE") {
      return this.connection.ask(method, this.url + path, Object.fromEntries(rest));
    }
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
    return this.connection.ask(method, this.url + path + (rest.size > 0 ? `?${query}` : ""));
  }

  // Time

  /** The time of the clock, its speed, and the time of the next scheduled work. */
  clock(): Promise<t.Clock> {
    return this.control("sim-get-clock");
  }

  /** Advances the clock. Does all work that falls due, and returns it in `happened`, with what ended by itself. */
  async advance(move: t.Move): Promise<t.Moved> {
    if (typeof move !== "object" || move === null) throw new TypeError("advance: takes an object, as in { seconds: 60 }");
    if ("seconds" in move && move.seconds !== undefined && !Number.isFinite(move.seconds)) {
      throw new TypeError(`seconds: must be a number, 0 or more, received ${move.seconds}`);
    }
    if (Object.values(move).filter((given) => given !== undefined).length !== 1) {
      throw new TypeError("advance: give exactly one of seconds, ms, until and to, as in { seconds: 60 }");
    }
    const fields = "seconds" in move && move.seconds !== undefined ? { ms: Math.round(move.seconds * 1000) } : move;
    return this.control("sim-advance-clock", fields);
  }

  /** Advances the clock to the next scheduled work and does it. Has no effect if there is none. */
  advanceToNext(): Promise<t.Moved> {
    return this.advance({ to: "next_due" });
  }

  /** Does the next piece of scheduled work, in every pace of the world. */
  step(): Promise<t.Moved> {
    return this.control("sim-step");
  }

  /** Sets the speed of the clock in simulated seconds per real second; 0 pauses it. */
  setSpeed(speed: number): Promise<t.Clock> {
    return this.control("sim-set-speed", { speed });
  }

  /**
   * Advances the clock of the world with the fake timers of vitest, or of others that have `advanceTimersByTimeAsync`, by the
   * same time in steps of `step` milliseconds: what a client waits for with a timer, and what it then asks, fit together.
   *
   *     vi.useFakeTimers();
   *     const ready = client.waitUntilReady();
   *     await world.passTime(vi, { seconds: 90 });
   */
  async passTime(
    timers: { advanceTimersByTimeAsync(ms: number): Promise<unknown> },
    { seconds, step = 1000 }: { seconds: number; step?: number },
  ): Promise<void> {
    if (!Number.isFinite(seconds) || !(step >= 1)) throw new TypeError("passTime: seconds and step must be numbers, step 1 or more");
    for (let left = Math.round(seconds * 1000); left > 0; left -= step) {
      const ms = Math.min(step, left);
      await this.advance({ ms });
      await timers.advanceTimersByTimeAsync(ms);
    }
  }

  /** The scheduled work, in order. */
  agenda(): Promise<t.Due[]> {
    return this.control("sim-get-agenda");
  }

  /** The finished work, oldest first: all, or the work on one subject, such as a project's reference. */
  history(subject?: string): Promise<t.Happened[]> {
    return this.control("sim-get-history", { subject });
  }

  // Copies of this world

  /** Creates a copy of the world in its present state, or as it was right after a call, or at a time. */
  async fork(fields: { name?: string; at_call?: number; service?: "management" | "analytics"; at?: string } = {}): Promise<World> {
    const fork = new World(await this.control("sim-fork-world", fields), this.connection);
    this.forks.push(fork);
    return fork;
  }

  /** Compares this world, or an earlier state of it, with the world `to`: rows, and answers to GET requests. */
  diff(fields: { to?: string; at_call?: number; snapshot?: string }): Promise<t.Difference> {
    return this.control("sim-diff-worlds", fields);
  }

  /** Takes a snapshot of the world with a name. It replaces an earlier snapshot with that name. */
  snapshot(name: string): Promise<t.SnapshotInfo> {
    return this.control("sim-create-snapshot", { name });
  }

  /** The snapshots, by name. */
  snapshots(): Promise<t.SnapshotInfo[]> {
    return this.control("sim-list-snapshots");
  }

  /** Restores the world from a snapshot, including clock and journal. */
  restore(name: string): Promise<t.SnapshotInfo> {
    return this.control("sim-restore-snapshot", { name });
  }

  /** Deletes a snapshot. */
  async deleteSnapshot(name: string): Promise<void> {
    await this.control("sim-delete-snapshot", { name });
  }

  /** Resets the world to its beginning. Its snapshots are kept. */
  async reset(): Promise<void> {
    await this.control("sim-reset-world");
  }

  /** Exports the world as a seed file, including its secrets. `createWorld({ seed_file })` creates the world again. */
  export(): Promise<t.Json> {
    return this.control("sim-export-world");
  }

  /** Name, address, seed, time, and number of calls. */
  info(): Promise<t.WorldInfo> {
    return this.control("sim-get-world", { name: this.name });
  }

  /** Deletes the world. */
  async delete(): Promise<void> {
    await this.control("sim-delete-world", { name: this.name });
  }

  /** Deletes the world, if it is still there. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof StuntdoubleError) || error.reason !== "world_not_found") throw error;
    });
  }

  // Faults and outcomes

  /** Adds a fault rule after the existing rules. */
  addFault(rule: t.Fault): Promise<t.FaultStanding> {
    return this.control("sim-add-fault", rule);
  }

  /** Replaces all fault rules; without any, all faults end. */
  setFaults(rules: t.Fault[]): Promise<t.FaultStanding[]> {
    return this.control("sim-set-faults", rules);
  }

  /** The fault rules in the order in which they are tried, with the numbers of calls that they matched and applied to. */
  faults(): Promise<t.FaultStanding[]> {
    return this.control("sim-list-faults");
  }

  /** Removes a fault rule. */
  async deleteFault(id: number): Promise<void> {
    await this.control("sim-delete-fault", { id });
  }

  /** Decides the result of the next work of a kind (`create`, `pause`, `restore` …). */
  async setNextOutcome(
    work: string,
    outcome: "succeed" | "fail" | "never",
    more: { after_ms?: number; project?: string; lasting?: boolean } = {},
  ): Promise<void> {
    await this.control("sim-set-next-outcome", { work, outcome, ...more });
  }

  /** The decisions about work to come, by kind of work. */
  nextOutcomes(): Promise<t.NextOutcome[]> {
    return this.control("sim-list-next-outcomes");
  }

  /** Takes back the decision about the next work of a kind, on one project or on any. */
  async deleteNextOutcome(work: string, more: { project?: string } = {}): Promise<void> {
    await this.control("sim-delete-next-outcome", { work, ...more });
  }

  // Journal

  /** The calls from number `from` on, oldest first. */
  journal(page: { from?: number; limit?: number } = {}): Promise<t.Call[]> {
    return this.control("sim-get-journal", page);
  }

  /** Rows of a query in SQLite's SQL over `call`, `event`, `due` and the rows of resources, such as `project`. */
  queryJournal(sql: string): Promise<t.Json[]> {
    return this.control("sim-query-journal", { sql });
  }

  /** Explains the answer to a call: the check that refused it, and the earlier calls that caused this. */
  explain(call: number): Promise<t.Explanation> {
    return this.control("sim-explain", { call });
  }

  /** What the calls have covered: operations, states, roles and outcomes, and the outcomes that followed each. */
  coverage(): Promise<t.Coverage> {
    return this.control("sim-get-coverage");
  }

  /** The use of the rate limit (`60/60`) by the calls from number `from` on, and a forecast for simultaneous runs. */
  lens(runners: number[] = [1], asked: { from?: number; limit?: string } = {}): Promise<t.Json> {
    return this.control("sim-get-lens", { ...asked, runners: runners.join(",") });
  }

  /** The faults to inject into the run from `beginning` to this world; each has the `fault` for a fork of `beginning`. */
  async sweepPoints(beginning: World, asked: { effects?: string[]; outage?: string } = {}): Promise<t.SweepPoint[]> {
    const { points } = await this.control("sim-list-sweep-points", {
      ...asked,
      beginning: beginning.name,
    });
    return points;
  }

  /** The defects of the run that led to this world, compared with the good one; empty if there are none. */
  async verdict(beginning: World, good: World, asked: { exit?: number; allowed?: number[] } = {}): Promise<t.Trouble[]> {
    const { troubles } = await this.control("sim-judge-run", {
      beginning: beginning.name,
      good: good.name,
      ending: { exit: asked.exit ?? 0 },
      allowed_exits: asked.allowed ?? [],
    });
    return troubles;
  }

  /** The replay file of the world, for `stuntdouble replay FILE`. */
  replayFile(): Promise<t.Json> {
    return this.control("sim-get-replay");
  }

  /** The messages that the analytics server has sent; only those with a number greater than `after`. */
  outbox(after?: number): Promise<t.Json[]> {
    return this.control("sim-list-outbox", { after });
  }

  // Users

  /** All users. */
  users(): Promise<t.Json[]> {
    return this.control("sim-list-users");
  }

  /** Creates a user, without a token. */
  createUser(fields: { name: string; email?: string; mfa_enabled?: boolean }): Promise<t.Json> {
    return this.control("sim-create-user", fields);
  }

  /** All tokens, without their texts. */
  tokens(): Promise<t.Json[]> {
    return this.control("sim-list-tokens");
  }

  /** Creates a token for a user, and returns its text. `permissions` make a fine-grained token. */
  async createToken(
    user: string,
    fields: {
      token?: string;
      name?: string;
      scopes?: string[];
      permissions?: string[];
      organizations?: string[];
      projects?: string[];
      lasts_s?: number;
    } = {},
  ): Promise<string> {
    const created: { token: string } = await this.control("sim-create-token", { ...fields, user });
    return created.token;
  }

  /** Says what a token may do, and what it lacks for an operation, or for each. */
  introspectToken(token: string, operation?: string): Promise<t.Json> {
    return this.control("sim-introspect-token", { token, operation });
  }

  /** Revokes a token. Calls with it are refused from now on. */
  async revokeToken(id: number): Promise<void> {
    await this.control("sim-revoke-token", { id });
  }
}

/** The name that differs least from another, unless all differ much. */
function nearest(asked: string, names: string[]): string | undefined {
  const [best] = names.map((name) => ({ name, far: distance(asked, name) })).sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(2, asked.length / 3) ? best.name : undefined;
}

/** The number of letters to insert, remove or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let other = 0; other < to.length; other += 1) {
      const replaced = (row[other] ?? 0) + (letter === to[other] ? 0 : 1);
      next.push(Math.min(replaced, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A line of JSON. */
function parsed(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The line that a server prints when it accepts connections. */
function firstLine(command: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout) createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", (cause) => {
      reject(new Error(`cannot start ${command}: set STUNTDOUBLE_BIN, or put stuntdouble on PATH`, { cause }));
    });
    child.once("exit", (code) => {
      reject(new Error(`${command} serve ended with ${code}; standard error says why`));
    });
  });
}
