/** One HTTP request, JSON in and out. */

/** A refused call, or an answer that broke: code checks `reason`, people read `detail`. */
export class StuntdoubleError extends Error {
  override readonly name = "StuntdoubleError";

  constructor(
    /** The status of the refusal; 0 if the answer broke. */
    readonly status: number,
    /** A stable code, such as `project_removed` or `invalid_body.name`. */
    readonly reason: string,
    /** The service's own message. */
    readonly detail: string,
    /** The call's number, for `World.explain`; `undefined` for control calls, which are not in the journal. */
    readonly call: number | undefined,
    options?: ErrorOptions,
  ) {
    super(`${status} ${reason}: ${detail}`, options);
  }

  /** The error for a connection that was reset, or closed without an answer. */
  static noAnswer(cause: unknown): StuntdoubleError {
    return new StuntdoubleError(0, "no_answer", `the connection broke, ${words(cause)}`, undefined, { cause });
  }

  /** The error for an answer whose body breaks off, or is not the JSON that it says it is. */
  static unreadable(cause: unknown): StuntdoubleError {
    return new StuntdoubleError(0, "unreadable_answer", `the body of the answer can't be read, ${words(cause)}`, undefined, { cause });
  }
}

/** What an error says, and why it came about. */
function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** How calls reach a world. */
export interface Connection {
  /**
   * Makes a request. Returns JSON as a value, and anything else as text; `undefined` if there is no body.
   *
   * Rejects with `StuntdoubleError` for a refusal, and for an answer that broke: its reason is `no_answer` if the connection was
   * reset, `unreadable_answer` if the body breaks off or is no JSON.
   */
  ask(method: string, url: string, body?: unknown, token?: string): Promise<any>;
}

/** A connection to a server. */
export const overSocket: Connection = {
  async ask(method, url, body, token) {
    const request = new Request(url, { method, ...encoded(body, token) });
    const answer = await fetch(request).catch((error: unknown) => {
      throw isRefused(error)
        ? new Error(`${url}: no server answers; its server may have been stopped`, { cause: error })
        : StuntdoubleError.noAnswer(error);
    });
    const text = await answer.text().catch((error: unknown) => {
      throw StuntdoubleError.unreadable(error);
    });
    return content(answer.status, answer.headers, text);
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
  if (!headers.get("content-type")?.includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw StuntdoubleError.unreadable(error);
  }
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
