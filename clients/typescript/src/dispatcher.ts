/** Requests of undici, answered in this process. */

import { pieces, wait } from "./delivery.js";
import { type Answer, type Native, broken } from "./native.js";

/** What undici says about a request. */
interface Options {
  origin?: string | URL;
  path: string;
  method: string;
  headers?: unknown;
  body?: unknown;
  /** How long to wait for the headers, in milliseconds; 0 for no end. */
  headersTimeout?: number | null;
  /** How long to wait for each piece of the body. */
  bodyTimeout?: number | null;
}

/** The times of undici for requests that give none. */
const TIMEOUT_MS = 300_000;

/** What undici wants to be told. Since version 7 it may have the second half of these methods instead of the first. */
interface Handler {
  onConnect?(abort: (reason?: Error) => void): void;
  onHeaders?(status: number, headers: Buffer[], resume: () => void, text: string): boolean;
  onData?(piece: Buffer): boolean;
  onComplete?(trailers: string[]): void;
  onError?(error: Error): void;
  onRequestStart?(controller: Controller, context: object): void;
  onResponseStart?(controller: Controller, status: number, headers: Record<string, string | string[]>, text: string): void;
  onResponseData?(controller: Controller, piece: Buffer): void;
  onResponseEnd?(controller: Controller, trailers: object): void;
  onResponseError?(controller: Controller, error: Error): void;
}

/**
 * A dispatcher of undici, which Node's `fetch` takes as well. A fault rule breaks an answer as it would break a connection. An
 * answer that is late is late by a timer, which fake timers move.
 */
export class Dispatcher {
  readonly #native: Native;
  readonly #name: string;

  constructor(native: Native, name: string) {
    this.#native = native;
    this.#name = name;
  }

  /** As undici calls it. */
  dispatch(options: Options, handler: Handler): boolean {
    void new Exchange(handler, options).run(() => this.#answer(options));
    return true;
  }

  /** Nothing is open. */
  async close(): Promise<void> {}

  /** Nothing is open. */
  async destroy(): Promise<void> {}

  async #answer({ origin = "http://stuntdouble.test", path, method, headers, body }: Options): Promise<Answer> {
    const form = body instanceof FormData ? new Response(body) : undefined;
    const named = [...pairs(headers), ...(form?.headers ?? []), ["x-sim-world", this.#name] as const];
    return this.#native.send(method, new URL(path, origin).href, named, await bytes(form?.body ?? body));
  }
}

/** What is done to a connection. */
class Controller {
  paused = false;
  reason: Error | null = null;

  constructor(private readonly end: (reason: Error) => void) {}

  get aborted(): boolean {
    return this.reason !== null;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  abort(reason: Error = new Error("aborted")): void {
    if (this.reason) return;
    this.reason = reason;
    this.end(reason);
  }
}

/** One request and its answer. */
class Exchange {
  readonly #handler: Handler;
  readonly #controller: Controller;
  readonly #aborted = new AbortController();

  readonly #options: Options;

  constructor(handler: Handler, options: Options) {
    this.#handler = handler;
    this.#options = options;
    this.#controller = new Controller((reason) => this.#aborted.abort(reason));
  }

  async run(ask: () => Promise<Answer>): Promise<void> {
    const { signal } = this.#aborted;
    try {
      this.#handler.onRequestStart?.(this.#controller, {});
      this.#handler.onConnect?.((reason) => this.#controller.abort(reason));
      const answer = await ask();
      signal.throwIfAborted();
      const { headersTimeout, bodyTimeout } = this.#options;
      if (answer.mishap === "delayed") await waitAtMost("Headers", headersTimeout, answer.mishapMs, signal);
      if (answer.mishap === "reset") throw broken();
      this.#start(answer);
      const slowly = (ms: number) => waitAtMost("Body", bodyTimeout, ms, signal);
      for await (const piece of pieces(answer, signal, slowly)) {
        signal.throwIfAborted();
        this.#send(piece);
      }
      this.#end();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #start({ status, headers }: Answer): void {
    const handler = this.#handler;
    if (handler.onResponseStart) {
      handler.onResponseStart(this.#controller, status, gathered(headers), "");
    } else {
      handler.onHeaders?.(status, headers.flat().map((text) => Buffer.from(text, "latin1")), () => {}, "");
    }
  }

  #send(piece: Buffer): void {
    if (this.#handler.onResponseData) this.#handler.onResponseData(this.#controller, piece);
    else this.#handler.onData?.(piece);
  }

  #end(): void {
    if (this.#handler.onResponseEnd) this.#handler.onResponseEnd(this.#controller, {});
    else this.#handler.onComplete?.([]);
  }

  #fail(error: Error): void {
    if (this.#handler.onResponseError) this.#handler.onResponseError(this.#controller, error);
    else this.#handler.onError?.(error);
  }
}

/** Waits, but no longer than the client does. */
async function waitAtMost(what: "Headers" | "Body", limit: number | null | undefined, ms: number, signal: AbortSignal): Promise<void> {
  const most = limit === 0 ? Infinity : (limit ?? TIMEOUT_MS);
  if (ms <= most) return wait(ms, signal);
  await wait(most, signal);
  const timeout = new Error(`${what} Timeout Error`);
  throw Object.assign(timeout, { name: `${what}TimeoutError`, code: `UND_ERR_${what.toUpperCase()}_TIMEOUT` });
}

/** Headers in each of the forms that undici takes. */
function* pairs(headers: unknown): Generator<[string, string]> {
  if (headers === null || headers === undefined) return;
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    for (let at = 0; at < headers.length; at += 2) yield [String(headers[at]), String(headers[at + 1])];
    return;
  }
  const entries = Symbol.iterator in Object(headers) ? (headers as Iterable<[string, unknown]>) : Object.entries(headers as object);
  for (const [name, value] of entries) {
    for (const one of Array.isArray(value) ? value : [value]) yield [name, String(one)];
  }
}

function gathered(headers: Answer["headers"]): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const before = all[name];
    all[name] = before === undefined ? value : [before, value].flat();
  }
  return all;
}

/** A body in each of the forms that undici takes. */
async function bytes(body: unknown): Promise<Uint8Array | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  const pieces: Buffer[] = [];
  for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
