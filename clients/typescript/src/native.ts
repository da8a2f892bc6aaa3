/** The shared library, which Node loads as an addon. */

import { library } from "./binary.js";
import { type Connection, content, encoded, StuntdoubleError } from "./http.js";

/** How a fault rule changes the delivery of an answer. */
export type Mishap = "none" | "delayed" | "reset" | "torn" | "slow";

const MISHAPS: Mishap[] = ["none", "delayed", "reset", "torn", "slow"];

/** An answer, and what happens to it on its way. */
export interface Answer {
  status: number;
  /** Names are in lower case. */
  headers: [name: string, value: string][];
  body: Buffer;
  mishap: Mishap;
  /** How late it is, or how long its body takes. */
  mishapMs: number;
}

/** What would end a header, or a text of C. */
const ENDS = /[\0\r\n]/;

/** The part of a request, if a connection could carry it. */
function whole(part: string): string {
  if (ENDS.test(part)) throw new TypeError(`a request has no line breaks and no zero characters: ${JSON.stringify(part)}`);
  return part;
}

/** A world in this process, its forks, and the worlds made beside it. Nothing waits: see `Answer.mishap`. */
export class Native implements Connection {
  #held: Held | undefined;

  constructor(settings: object) {
    const { World } = loaded();
    this.#held = typed(() => new World(JSON.stringify(settings)));
  }

  /** The first world: name, address, tokens. */
  get info(): any {
    return JSON.parse(this.#open().info);
  }

  /** Sends a request, and returns the answer to it. */
  send(method: string, url: string, headers: Iterable<readonly [string, string]> = [], body?: Uint8Array): Answer {
    let lines = "";
    for (const part of [method, url]) whole(part);
    for (const [name, value] of headers) lines += `${whole(name)}: ${whole(value)}\n`;
    const held = this.#open();
    const raw = typed(() => held.handle(method, url, lines, body));
    return {
      status: raw.status,
      headers: latin1(raw.headers).split("\n").slice(0, -1).map(header),
      body: raw.body,
      mishap: MISHAPS[raw.mishap] ?? "none",
      mishapMs: raw.mishapMs,
    };
  }

  async ask(method: string, url: string, body?: unknown, token?: string): Promise<any> {
    const request = encoded(body, token);
    const data = request.body === undefined ? undefined : Buffer.from(request.body);
    // A connection encodes what is no character of URLs, too.
    const answer = this.send(method, new URL(url).href, Object.entries(request.headers), data);
    if (answer.mishap === "reset") throw StuntdoubleError.noAnswer(broken());
    if (answer.mishap === "torn") throw StuntdoubleError.unreadable(broken());
    return content(answer.status, new Headers(answer.headers), answer.body.toString());
  }

  /** Ends all worlds. Closing twice is closing once. */
  close(): void {
    this.#held?.close();
    this.#held = undefined;
  }

  #open(): Held {
    if (!this.#held) throw new TypeError("this simulator is closed");
    return this.#held;
  }
}

/** What a client gets whose connection a fault rule broke. */
export function broken(): Error {
  return Object.assign(new Error("a fault rule broke the connection"), { code: "ECONNRESET" });
}

/** A character for each byte, as in the headers of a connection. */
function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function header(line: string): [string, string] {
  const end = line.indexOf(": ");
  return [line.slice(0, end), line.slice(end + 2)];
}

/** What the library says of a wrong argument, as the error that JavaScript has for one. */
function typed<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new TypeError((error as Error).message);
  }
}

/** A world in the library, as `sim-c/src/node.rs` has it. */
interface Held {
  readonly info: string;
  handle(method: string, target: string, headers: string, body?: Uint8Array): Raw;
  close(): void;
}

interface Raw {
  status: number;
  headers: string;
  body: Buffer;
  mishap: number;
  mishapMs: number;
}

interface Addon {
  World: new (settings: string) => Held;
}

let known: Addon | undefined;

/** The library, loaded at the first use. */
function loaded(): Addon {
  known ??= load();
  return known;
}

function load(): Addon {
  const addon = { exports: {} as Addon };
  process.dlopen(addon, library());
  return addon.exports;
}
