// A client to be tested: it deploys a shop. It can be given four bugs, each of which such clients have had.

export type Bug =
  /** Creates again after a lost answer, without a look at what is there. */
  | "blind retry"
  /** Does not wait as long as `retry-after` says. */
  | "impatient"
  /** Takes a project that was just created for one that is up. */
  | "eager"
  /** Creates a project elsewhere than it was told to. */
  | "at home";

/** The service said no, and no other attempt would help. */
export class Refused extends Error {}

interface Settings {
  fetch: typeof globalThis.fetch;
  url: string;
  token: string;
  sleep: (seconds: number) => Promise<unknown>;
  bugs?: Bug[];
}

interface Named {
  id: string;
  name: string;
  status?: string;
}

/** The body of a create. */
interface Wanted {
  name: string;
  [field: string]: unknown;
}

const ATTEMPTS = 8;
export const SHOP = { name: "shop", region: "eu-west-1", db_pass: "a-password" };

export class Deployer {
  constructor(private readonly settings: Settings) {}

  /** The shop is there: an organization, a project that is up, a secret, a table. */
  async release(): Promise<void> {
    const shop = await this.ensure("/v1/organizations", { name: "Shop" });
    const { id } = await this.createProject({ ...SHOP, organization_id: shop.id });
    await this.waitUntilUp(id);
    await this.call("POST", `/v1/projects/${id}/secrets`, [{ name: "MODE", value: "live" }]);
    await this.call("POST", `/v1/projects/${id}/database/query`, { query: "create table if not exists item (name text)" });
  }

  /** The project of that name, created unless it is there. */
  createProject(wanted: Wanted): Promise<Named> {
    return this.ensure("/v1/projects", this.has("at home") ? { ...wanted, region: "us-east-1" } : wanted);
  }

  /** Waits until a project can be used, for ten minutes at most. */
  async waitUntilUp(ref: string): Promise<void> {
    for (let look = 0; look < 30; look += 1) {
      const projects: Named[] = await this.call("GET", "/v1/projects");
      if (this.has("eager") || projects.some(({ id, status }) => id === ref && status === "ACTIVE_HEALTHY")) return;
      await this.settings.sleep(20);
    }
    throw new Refused("the project did not come up");
  }

  /** What has that name in the list at `path`; created unless it is there. */
  async ensure(path: string, wanted: Wanted): Promise<Named> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt === 0 || !this.has("blind retry")) {
        const all: Named[] = await this.call("GET", path);
        const there = all.find(({ name }) => name === wanted.name);
        if (there) return there;
      }
      const created = await this.attempt("POST", path, wanted);
      if (created?.id) return created;
    }
    throw new Refused(`${path}: no answer to ${ATTEMPTS} attempts`);
  }

  /** Makes a call that can be made twice without harm, until it succeeds. */
  async call(method: string, path: string, body?: unknown): Promise<any> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const answer = await this.attempt(method, path, body);
      if (answer) return answer;
    }
    throw new Refused(`${method} ${path}: no answer to ${ATTEMPTS} attempts`);
  }

  /** The answer, {} if it is empty. Nothing, after a wait, if there was none or another attempt may succeed. */
  private async attempt(method: string, path: string, body: unknown): Promise<any> {
    const { fetch, url, token, sleep } = this.settings;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    let status: number, text: string, asked: number;
    try {
      const answer = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
      [status, text, asked] = [answer.status, await answer.text(), Number(answer.headers.get("retry-after") ?? 1)];
    } catch {
      await sleep(1);
      return undefined;
    }
    if (status === 429 || status >= 500) {
      await sleep(this.has("impatient") ? 0.1 : asked);
      return undefined;
    }
    if (status >= 400) throw new Refused(`${method} ${path}: ${status} ${text}`);
    if (text === "" && method !== "GET") return {};
    try {
      return JSON.parse(text);
    } catch {
      await sleep(1);
      return undefined;
    }
  }

  private has(bug: Bug): boolean {
    return this.settings.bugs?.includes(bug) ?? false;
  }
}
