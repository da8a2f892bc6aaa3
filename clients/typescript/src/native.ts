/** The shared library, described by its header `stuntdouble.h`, called through `koffi`. */

import { createRequire } from "node:module";
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
  readonly #library: Library;
  #held: unknown;

  constructor(settings: object) {
    this.#library = loaded();
    this.#held = this.#library.new(JSON.stringify(settings));
    if (!this.#held) throw new TypeError(this.#library.lastError());
  }

  /** The first world: name, address, tokens. */
  get info(): any {
    return JSON.parse(this.#library.info(this.#open()));
  }

  /** Sends a request, and returns the answer to it. */
  send(method: string, url: string, headers: Iterable<readonly [string, string]> = [], body?: Uint8Array): Answer {
    let lines = "";
    for (const part of [method, url]) whole(part);
    for (const [name, value] of headers) lines += `${whole(name)}: ${whole(value)}\n`;
    const found = this.#library.handle(this.#open(), method, url, lines, body ?? null, body?.byteLength ?? 0);
    if (!found) throw new TypeError(this.#library.lastError());
    try {
      const raw = this.#library.decode(found);
      const bytes = Buffer.from(this.#library.view(raw.body, raw.body_length));
      return {
        status: raw.status,
        headers: latin1(raw.headers).split("\n").slice(0, -1).map(header),
        // A copy, because the library frees its own.
        body: Buffer.from(bytes),
        mishap: MISHAPS[raw.mishap] ?? "none",
        mishapMs: Number(raw.mishap_ms),
      };
    } finally {
      this.#library.responseFree(found);
    }
  }

  async ask(method: string, url: string, body?: unknown, token?: string): Promise<any> {
    const request = encoded(body, token);
    const data = request.body === undefined ? undefined : Buffer.from(request.body);
    const answer = this.send(method, url, Object.entries(request.headers), data);
    if (answer.mishap === "reset") throw StuntdoubleError.noAnswer(broken());
    if (answer.mishap === "torn") throw StuntdoubleError.unreadable(broken());
    return content(answer.status, new Headers(answer.headers), answer.body.toString());
  }

  /** Ends all worlds. Closing twice is closing once. */
  close(): void {
    if (this.#held) this.#library.free(this.#held);
    this.#held = undefined;
  }

  #open(): unknown {
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

interface Raw {
  status: number;
  mishap: number;
  mishap_ms: number | bigint;
  headers: string;
  body: unknown;
  body_length: number;
}

interface Library {
  new: (settings: string) => unknown;
  free: (world: unknown) => void;
  info: (world: unknown) => string;
  handle: (...asked: [unknown, string, string, string, Uint8Array | null, number]) => unknown;
  responseFree: (response: unknown) => void;
  lastError: () => string;
  decode: (response: unknown) => Raw;
  view: (place: unknown, length: number) => ArrayBuffer;
}

let known: Library | undefined;

/** The library, loaded at the first use: `koffi` is needed only then. */
function loaded(): Library {
  known ??= load();
  return known;
}

function load(): Library {
  const koffi = createRequire(import.meta.url)("koffi");
  const shared = koffi.load(library());
  const response = koffi.struct({
    status: "uint16_t",
    mishap: "uint32_t",
    mishap_ms: "uint64_t",
    headers: "const char *",
    body: "void *",
    body_length: "size_t",
  });
  return {
    new: shared.func("void *stuntdouble_new(const char *settings)"),
    free: shared.func("void stuntdouble_free(void *world)"),
    info: shared.func("const char *stuntdouble_info(const void *world)"),
    handle: shared.func(
      "void *stuntdouble_handle(const void *world, const char *method, const char *target, const char *headers, const uint8_t *body, size_t body_length)",
    ),
    responseFree: shared.func("void stuntdouble_response_free(void *response)"),
    lastError: shared.func("const char *stuntdouble_last_error()"),
    decode: (found) => koffi.decode(found, response),
    view: (place, length) => koffi.view(place, length),
  };
}
