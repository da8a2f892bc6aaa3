/** `fetch`, answered in this process. */

import { type Answer, type Native, broken } from "./native.js";
import { pieces, wait } from "./delivery.js";

/** A `fetch`. */
export type WorldFetch = typeof globalThis.fetch;

/** No shared memory, which `fetch` refuses. */
type Bytes = Uint8Array<ArrayBuffer>;

/** As many as a browser follows. */
const REDIRECTS_MAX = 20;

/** A request, and how its answer is read. */
interface Asked {
  method: string;
  url: string;
  headers: Headers;
  body: Bytes | undefined;
  redirect: string;
  signal: AbortSignal | undefined;
}

/** A `fetch` that sends all requests to the world `name`, whatever their host is. */
export function fetchFrom(native: Native, name: string): WorldFetch {
  return async (input, init) => {
    let asked = plain(input, init) ?? (await whole(new Request(input, init)));
    for (let hop = 0; ; hop += 1) {
      asked.signal?.throwIfAborted();
      if (!/^https?:/.test(asked.url)) throw failed(new Error("unknown scheme"));
      const answer = native.send(asked.method, asked.url, [...asked.headers, ["x-sim-world", name]], asked.body);
      if (answer.mishap === "delayed") await wait(answer.mishapMs, asked.signal);
      if (answer.mishap === "reset") throw failed(broken());
      const next = redirected(asked, answer);
      if (!next) return response(asked, answer, hop > 0);
      if (asked.redirect === "error" || hop === REDIRECTS_MAX) throw failed(new Error("unexpected redirect"));
      asked = await whole(next);
    }
  };
}

/** Methods that `fetch` neither rewrites nor refuses. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What most clients ask, without a `Request`, which takes as long as a call. Nothing for whatever is unusual. */
function plain(input: Parameters<WorldFetch>[0], init: RequestInit = {}): Asked | undefined {
  const { method = "GET", headers: given, body = null, signal, ...rest } = init;
  if (typeof input !== "string" || !METHODS.includes(method) || Object.keys(rest).length > 0) return undefined;
  if (body !== null && (typeof body !== "string" || method === "GET")) return undefined;
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (!url || url.username || url.password) return undefined;
  const headers = new Headers(given);
  if (body !== null && !headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
  const bytes = body === null ? undefined : new TextEncoder().encode(body);
  return { method, url: url.href, headers, body: bytes, redirect: "follow", signal: signal ?? undefined };
}

async function whole(request: Request): Promise<Asked> {
  const { method, url, headers, redirect, signal } = request;
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { method, url, headers, body, redirect, signal };
}

/** What `fetch` throws. */
function failed(cause: Error): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** The request that a redirect asks for. */
function redirected(request: Asked, { status, headers }: Answer): Request | undefined {
  const location = headers.find(([name]) => name === "location")?.[1];
  if (request.redirect === "manual" || location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const keeps = status === 307 || status === 308 || ["GET", "HEAD"].includes(request.method);
  const { headers: sent, redirect, signal = null, body } = request;
  const kept = keeps && body !== undefined ? { body } : {};
  const asked = { method: keeps ? request.method : "GET", headers: sent, redirect: redirect as RequestRedirect, signal, ...kept };
  return new Request(new URL(location, request.url), asked);
}

function response(request: Asked, answer: Answer, redirected: boolean): Response {
  const { status, headers } = answer;
  const body = [101, 204, 205, 304].includes(status) ? null : content(request, answer);
  const made = new Response(body, { status, headers });
  return Object.defineProperties(made, { url: { value: request.url }, redirected: { value: redirected } });
}

/** The body: as bytes, unless it arrives in pieces or not whole. */
function content(request: Asked, answer: Answer): BodyInit {
  if (answer.mishap !== "slow" && answer.mishap !== "torn") return answer.body as Bytes;
  const arriving = pieces(answer, request.signal);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await arriving.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(new TypeError("terminated", { cause }));
      }
    },
  });
}
