/** One HTTP request, JSON in and out. */

/** A refused call: code checks `reason`, people read `detail`. */
export class StuntdoubleError extends Error {
  override readonly name = "StuntdoubleError";

  constructor(
    readonly status: number,
    /** A stable code, such as `project_removed` or `invalid_body.name`. */
    readonly reason: string,
    /** The service's own message. */
    readonly detail: string,
    /** The call's number, for `World.explain`; `undefined` for control calls, which are not in the journal. */
    readonly call: number | undefined,
  ) {
    super(`${status} ${reason}: ${detail}`);
  }
}

/** How calls reach a world. */
export interface Connection {
  /**
   * Makes a request. Returns JSON as a value, and anything else as text; `undefined` if there is no body.
   *
   * Rejects with `StuntdoubleError` for a refusal, and with the error of `fetch` if the connection is reset.
   */
  ask(method: string, url: string, body?: unknown, token?: string): Promise<any>;
}

/** A connection to a server. */
export const overSocket: Connection = {
  async ask(method, url, body, token) {
    const answer = await fetch(url, { method, ...encoded(body, token) }).catch((error: unknown) => {
      throw isRefused(error) ? new Error(`${url}: no server answers; its server may have been stopped`, { cause: error }) : error;
    });
    return content(answer.status, answer.headers, await answer.text());
  },
};

/** Whether nothing listens at the address. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return cause?.code === "ECONNREFUSED";
}

/** Headers and body of a request. */
export function encoded(body: unknown, token: string | undefined): { headers: Record<string, string>; body?: string } {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  if (body === undefined) return { headers };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The content of an answer. Throws `StuntdoubleError` if it is a refusal. */
export function content(status: number, headers: Headers, text: string): any {
  if (status >= 400) {
    const call = headers.get("x-sim-call");
    const reason = headers.get("x-sim-reason") ?? "unknown";
    throw new StuntdoubleError(status, reason, message(text), call === null ? undefined : Number(call));
  }
  if (text === "") return undefined;
  return headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}

function message(text: string): string {
  try {
    const body = JSON.parse(text);
    const found = body?.message ?? body?.error;
    return typeof found === "string" ? found : text;
  } catch {
    return text;
  }
}
