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

/**
 * Makes a request. Returns JSON as a value, and anything else as text; `undefined` if there is no body.
 *
 * Rejects with `StuntdoubleError` for a refusal, and with the error of `fetch` if the connection is reset.
 */
export async function ask(method: string, url: string, body?: unknown, token?: string): Promise<any> {
  const headers: Record<string, string> = {};
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) {
    const call = answer.headers.get("x-sim-call");
    const reason = answer.headers.get("x-sim-reason") ?? "unknown";
    throw new StuntdoubleError(answer.status, reason, message(text), call === null ? undefined : Number(call));
  }
  if (text === "") return undefined;
  return answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
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
