/**
 * Drives the simulator `stuntdouble` from tests: a server from its binary, worlds on it, control of their time and luck.
 *
 *     const server = await Server.start();
 *     const world = await server.createWorld({ seed: 7 });
 *     const client = new MyClient(world.url, world.token);
 *     await world.advance({ seconds: 60 });
 *
 * Needs nothing but Node. For vitest there is `stuntdouble/vitest`.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ask } from "./http.js";
import { OPERATIONS } from "./operations.js";
import type * as t from "./types.js";

export { StuntdoubleError } from "./http.js";
export { OPERATIONS } from "./operations.js";
export type * from "./types.js";

/** The id of a control operation. */
export type ControlOperation = keyof typeof OPERATIONS;

/** A running `stuntdouble serve` on a free port of this machine, its clocks standing still. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    /** Where the server is, without a world's path. */
    readonly url: string,
    /** The world that is there from the start. */
    readonly main: World,
  ) {}

  /**
   * Starts a server: `binary`, else what `STUNTDOUBLE_BIN` names, else `stuntdouble` on `PATH`.
   * `flags` are further ones of `serve`, such as `--analytics`.
   */
  static async start({ flags = [], binary }: { flags?: string[]; binary?: string } = {}): Promise<Server> {
    const command = binary ?? process.env["STUNTDOUBLE_BIN"] ?? "stuntdouble";
    const child = spawn(command, ["serve", "--json", "--port", "0", "--deterministic", ...flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const started = JSON.parse(await firstLine(command, child));
    const kill = () => child.kill();
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    return new Server(child, started.url, new World({ ...started, name: started.world }));
  }

  /** Makes a world. It lasts until it is deleted. */
  async createWorld(fields: t.NewWorld = {}): Promise<World> {
    return new World(await this.main.control("sim-create-world", fields));
  }

  /** The worlds on this port, by name. */
  async worlds(): Promise<World[]> {
    const all: WorldAddress[] = await this.main.control("sim-list-worlds");
    return all.map((info) => new World(info));
  }

  /** Worlds to begin with: the names that `createWorld({ scenario })` takes, and what each is about. */
  scenarios(): Promise<t.ScenarioInfo[]> {
    return this.main.control("sim-list-scenarios");
  }

  /**
   * Histories by chance for worlds of their own: calls, what must come of each, and time in between. `operations` are those
   * that the client under test can call, by id; with `good` every call succeeds. The same seeds give the same plans.
   */
  plans({ operations, ...fields }: t.WantedPlans = {}): Promise<t.Plan[]> {
    return this.main.control("sim-draw-plans", { ...fields, operations: operations?.join(",") });
  }

  /** Ends the server, and all worlds with it. Stopping twice is stopping once. */
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

/** A world, and the control calls that drive it. */
export class World {
  /** Its name on the server. */
  readonly name: string;
  /** The base URL that leads to it, whatever the token. */
  readonly url: string;
  /** The token of its first user; empty in a world without users. */
  readonly token: string;
  /** The token of its analytics server, where it has one beside the other service. */
  readonly analyticsToken: string | undefined;

  constructor(info: WorldAddress) {
    this.name = info.name;
    this.url = info.url;
    this.token = info.token ?? "";
    this.analyticsToken = info.analytics_token;
  }

  /** Calls the simulated service, as the world's first user unless there is a token; an empty one is nobody's. */
  call(method: string, path: string, body?: unknown, token = this.token): Promise<any> {
    return ask(method, this.url + path, body, token);
  }

  /** Any control operation, by its id. Fields of its path, query and body are given together. */
  async control(operation: ControlOperation, fields: object = {}): Promise<any> {
    const [method = "", template = ""] = OPERATIONS[operation].split(" ");
    if (Array.isArray(fields)) return ask(method, this.url + template, fields);
    const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!rest.has(name)) throw new TypeError(`${operation} needs ${name}`);
      const value = encodeURIComponent(String(rest.get(name)));
      rest.delete(name);
      return value;
    });
    if (method !== "GET" && method !== "DELETE") {
      return ask(method, this.url + path, Object.fromEntries(rest));
    }
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
    return ask(method, this.url + path + (rest.size > 0 ? `?${query}` : ""));
  }

  // Time

  /** What the clock shows, how fast it goes, and when the next work falls due. */
  clock(): Promise<t.Clock> {
    return this.control("sim-get-clock");
  }

  /** Moves the clock; all work that falls due is done, and told in `happened`. */
  advance(move: t.Move): Promise<t.Moved> {
    const fields = "seconds" in move ? { ms: Math.round(move.seconds * 1000) } : move;
    return this.control("sim-advance-clock", fields);
  }

  /** Moves the clock to the next work, and does it; nowhere when there is none. */
  advanceToNext(): Promise<t.Moved> {
    return this.advance({ to: "next_due" });
  }

  /** Does the next piece of work, whatever the world's pace. */
  step(): Promise<t.Moved> {
    return this.control("sim-step");
  }

  /** Lets the clock go by itself: simulated seconds for each real one, 0 to stop it. */
  setSpeed(speed: number): Promise<t.Clock> {
    return this.control("sim-set-speed", { speed });
  }

  /** The work that is still to be done, in order. */
  agenda(): Promise<t.Due[]> {
    return this.control("sim-get-agenda");
  }

  /** The work that was done, oldest first; that on one subject, such as a project's reference, or all. */
  history(subject?: string): Promise<t.Happened[]> {
    return this.control("sim-get-history", { subject });
  }

  // Other worlds like this one

  /** A second world, equal to this one as it is, was right after a call, or was at an instant. */
  async fork(fields: { name?: string; at_call?: number; service?: "management" | "analytics"; at?: string } = {}): Promise<World> {
    return new World(await this.control("sim-fork-world", fields));
  }

  /** Keeps the world as it is now under a name, in place of an older snapshot of that name. */
  snapshot(name: string): Promise<t.SnapshotInfo> {
    return this.control("sim-create-snapshot", { name });
  }

  /** The snapshots, by name. */
  snapshots(): Promise<t.SnapshotInfo[]> {
    return this.control("sim-list-snapshots");
  }

  /** Makes the world what it was, clock and journal included. */
  restore(name: string): Promise<t.SnapshotInfo> {
    return this.control("sim-restore-snapshot", { name });
  }

  /** Forgets a snapshot. */
  async deleteSnapshot(name: string): Promise<void> {
    await this.control("sim-delete-snapshot", { name });
  }

  /** Begins the world anew. Its snapshots stay. */
  async reset(): Promise<void> {
    await this.control("sim-reset-world");
  }

  /** The world as a seed file, secrets and all: `createWorld({ seed_file })` makes it again. */
  export(): Promise<t.Json> {
    return this.control("sim-export-world");
  }

  /** Name, address, seed, instant, and how many calls it has answered. */
  info(): Promise<t.WorldInfo> {
    return this.control("sim-get-world", { name: this.name });
  }

  /** Deletes the world. */
  async delete(): Promise<void> {
    await this.control("sim-delete-world", { name: this.name });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.delete();
  }

  // Luck

  /** Adds a rule after those that there are. */
  addFault(rule: t.Fault): Promise<t.FaultStanding> {
    return this.control("sim-add-fault", rule);
  }

  /** Puts rules in the place of all that there are; none ends all faults. */
  setFaults(rules: t.Fault[]): Promise<t.FaultStanding[]> {
    return this.control("sim-set-faults", rules);
  }

  /** The rules in the order in which they are tried, with how many calls they met and struck. */
  faults(): Promise<t.FaultStanding[]> {
    return this.control("sim-list-faults");
  }

  /** Takes a rule away. */
  async deleteFault(id: number): Promise<void> {
    await this.control("sim-delete-fault", { id });
  }

  /** Decides how the next work of a kind (`create`, `pause`, `restore` …) ends. */
  async setNextOutcome(
    work: string,
    outcome: "succeed" | "fail" | "never",
    more: { after_ms?: number; project?: string; lasting?: boolean } = {},
  ): Promise<void> {
    await this.control("sim-set-next-outcome", { work, outcome, ...more });
  }

  // What happened

  /** The calls from number `from` on, oldest first. */
  journal(page: { from?: number; limit?: number } = {}): Promise<t.Call[]> {
    return this.control("sim-get-journal", page);
  }

  /** Rows of a query, in SQLite's SQL, over `call`, `event`, `due` and the rows of resources, such as `project`. */
  queryJournal(sql: string): Promise<t.Json[]> {
    return this.control("sim-query-journal", { sql });
  }

  /** Which check said what about a call, and which earlier calls are to blame. */
  explain(call: number): Promise<t.Explanation> {
    return this.control("sim-explain", { call });
  }

  /** What calls have reached: operation, state, role and outcome, and what came after what. */
  coverage(): Promise<t.Coverage> {
    return this.control("sim-get-coverage");
  }

  /** What the calls from number `from` on mean for the rate limit (`60/60`), for so many runs at a time. */
  lens(runners: number[] = [1], asked: { from?: number; limit?: string } = {}): Promise<t.Json> {
    return this.control("sim-get-lens", { ...asked, runners: runners.join(",") });
  }

  /** What to do to which call of the run that led from `beginning` to this world; each has the `fault` for a fork of it. */
  async sweepPoints(beginning: World, asked: { effects?: string[]; outage?: string } = {}): Promise<t.SweepPoint[]> {
    const { points } = await this.control("sim-list-sweep-points", {
      ...asked,
      beginning: beginning.name,
    });
    return points;
  }

  /** What is wrong with the run that led here, beside the good one; nothing where it is fine. */
  async verdict(beginning: World, good: World, asked: { exit?: number; allowed?: number[] } = {}): Promise<t.Trouble[]> {
    const { troubles } = await this.control("sim-judge-run", {
      beginning: beginning.name,
      good: good.name,
      ending: { exit: asked.exit ?? 0 },
      allowed_exits: asked.allowed ?? [],
    });
    return troubles;
  }

  /** What `stuntdouble replay FILE` lives the world again from. */
  replayFile(): Promise<t.Json> {
    return this.control("sim-get-replay");
  }

  /** The messages that the analytics server sent; only those with a number greater than `after`. */
  outbox(after?: number): Promise<t.Json[]> {
    return this.control("sim-list-outbox", { after });
  }

  // People

  /** All users. */
  users(): Promise<t.Json[]> {
    return this.control("sim-list-users");
  }

  /** Creates a user, who has no token yet. */
  createUser(fields: { name: string; email?: string; mfa_enabled?: boolean }): Promise<t.Json> {
    return this.control("sim-create-user", fields);
  }

  /** All tokens, without their texts. */
  tokens(): Promise<t.Json[]> {
    return this.control("sim-list-tokens");
  }

  /** Creates a token for a user, and returns its text. */
  async createToken(
    user: string,
    fields: { token?: string; name?: string; scopes?: string[]; lasts_s?: number } = {},
  ): Promise<string> {
    const created: { token: string } = await this.control("sim-create-token", { ...fields, user });
    return created.token;
  }

  /** Revokes a token: calls that bear it are refused from now on. */
  async revokeToken(id: number): Promise<void> {
    await this.control("sim-revoke-token", { id });
  }
}

/** The line that a server prints as soon as it accepts connections. */
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
