/** `fetch`, answered in this process. */

import { type Answer, type Native, broken } from "./native.js";
import { pieces, wait } from "./delivery.js";

/** A `fetch`. */
export type WorldFetch = typeof globalThis.fetch;

/** No shared memory, which `fetch` refuses. */
type Bytes = Uint8Array<ArrayBuffer>;

/** As many as a browser follows. */
const REDIRECTS_MAX = 20;

/** A `fetch` that sends all requests to the world `name`, whatever their host is. */
export function fetchFrom(native: Native, name: string): WorldFetch {
  return async (input, init) => {
    let request = new Request(input, init);
    for (let hop = 0; ; hop += 1) {
      request.signal.throwIfAborted();
      const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
      const answer = native.send(request.method, request.url, [...request.headers, ["x-sim-world", name]], body);
      if (answer.mishap === "delayed") await wait(answer.mishapMs, request.signal);
      if (answer.mishap === "reset") throw failed(broken());
      const next = redirected(request, answer, body);
      if (!next) return response(request, answer);
      if (request.redirect === "error" || hop === REDIRECTS_MAX) throw failed(new Error("unexpected redirect"));
      request = next;
    }
  };
}

/** What `fetch` throws. */
function failed(cause: Error): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** The request that a redirect asks for. */
function redirected(request: Request, { status, headers }: Answer, body: Bytes | undefined): Request | undefined {
  const location = headers.find(([name]) => name === "location")?.[1];
  if (request.redirect === "manual" || location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const keeps = status === 307 || status === 308 || ["GET", "HEAD"].includes(request.method);
  const { headers: sent, redirect, signal } = request;
  const kept = keeps && body !== undefined ? { body } : {};
  return new Request(new URL(location, request.url), { method: keeps ? request.method : "GET", headers: sent, redirect, signal, ...kept });
}

function response(request: Request, answer: Answer): Response {
  const { status, headers } = answer;
  const body = [101, 204, 205, 304].includes(status) ? null : content(request, answer);
  const made = new Response(body, { status, headers });
  return Object.defineProperty(made, "url", { value: request.url });
}

/** The body: as bytes, unless it arrives in pieces or not whole. */
function content(request: Request, answer: Answer): BodyInit {
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
