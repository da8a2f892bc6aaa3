// A server and a browser for tests, and the checks that every page must pass.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The browser opens only connections of the test. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The body of a call that creates a project. */
export const DEMO = { name: "demo", organization_id: "acme", region: "us-east-1", db_pass: "correct horse battery" };

const DESKTOP = { width: 1280, height: 760 };

/** A server from the binary in STUNTDOUBLE_BIN, with paused clocks. */
export async function serve(...flags) {
  const args = ["serve", "--json", "--port", "0", "--deterministic", ...flags];
  const child = spawn(process.env.STUNTDOUBLE_BIN ?? "stuntdouble", args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await Promise.race([
    createInterface({ input: child.stdout })[Symbol.asyncIterator]().next().then(({ value }) => [value]),
    new Promise((_, refuse) => child.once("error", refuse)),
  ]);
  return new Server(child, JSON.parse(line));
}

class Server {
  constructor(child, { url, token, analytics_token }) {
    Object.assign(this, { child, url, token, analytics_token });
  }

  async ask(method, path, body, token) {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text && JSON.parse(text) };
  }

  /** A new world. */
  async world(fields) {
    const { status, body } = await this.ask("POST", "/_sim/worlds", fields);
    assert.equal(status, 201, JSON.stringify(body));
    const base = `/w/${body.name}`;
    return { ...body, call: (method, path, sent, token = body.token) => this.ask(method, base + path, sent, token) };
  }

  stop() {
    this.child.kill();
  }
}

export async function browse(...flags) {
  const profile = await mkdtemp(join(tmpdir(), "dashboard-"));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: [...FLAGS, ...flags], headless: true, viewport: DESKTOP });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** A page that records all errors until test `t` ends. */
export async function open(t, browser, server, hash) {
  const page = await browser.newPage();
  t.after(() => page.close());
  page.wrongs = [];
  page.on("console", (message) => message.type() === "error" && page.wrongs.push(message.text()));
  page.on("pageerror", (error) => page.wrongs.push(error.stack));
  page.on("requestfailed", (request) => {
    // The page itself gives up its requests when it is left or loaded again, and a stream when another world is chosen.
    const { errorText } = request.failure();
    if (errorText !== "net::ERR_ABORTED") page.wrongs.push(`${request.url()} ${errorText}`);
  });
  page.on("request", (request) => request.url().startsWith(server.url) || page.wrongs.push(`${request.url()} is elsewhere`));
  page.setDefaultTimeout(20_000);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(`${server.url}/dashboard${hash}`);
  await page.locator("main > *:nth-child(2)").first().waitFor();
  return page;
}

/** Checks that a page had no errors, is accessible in light and dark, and fits on a small screen. */
export async function holds(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(`${AXE}; axe.run().then(({ violations }) => violations)`);
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join("\n")}`);
    assert.deepEqual(told, [], `${name} in ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await picture(page, name);
  assert.deepEqual(await page.evaluate(misplaced), [], name);
  await page.setViewportSize({ width: 390, height: 800 });
  assert.deepEqual(await page.evaluate(misplaced), [], `${name} on a phone`);
  const [wanted, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wanted <= there, `${name} is ${wanted} wide on a phone`);
  await page.setViewportSize(DESKTOP);
  assert.deepEqual(await page.evaluate(untold), [], name);
  assert.deepEqual(page.wrongs, [], name);
}

/**
 * Runs in the page: buttons and statuses of tables that can't be seen without scrolling sideways or are under a button, and headings of
 * lists that are not in one row.
 */
function misplaced() {
  const right = (one) => one.getBoundingClientRect().right;
  const isUnderButton = (one) => {
    const last = one.closest("tr").lastElementChild;
    return last !== one.closest("td") && last.querySelector("button") && right(one) > last.getBoundingClientRect().left;
  };
  const isCut = (one) => right(one) > right(one.closest(".panel") ?? document.body) || isUnderButton(one);
  const cut = [...document.querySelectorAll("td button, td .status")].filter((one) => isCut(one));
  const isStacked = ({ children: [first, ...others] }) => others.some((one) => one.offsetTop >= first.offsetTop + first.offsetHeight && one.offsetHeight > 0);
  const stacked = [...document.querySelectorAll(".list-head")].filter((one) => isStacked(one));
  return [...cut, ...stacked].map((one) => one.outerHTML);
}

/** Runs in the page: texts that show a value which is not there, or has no text. Generated types have `| undefined`. */
function untold() {
  const texts = [...document.querySelectorAll("td, dd, p, summary, h1, h2, .list-row")].map((one) => one.innerText);
  const isEmpty = (text) => /(?<!\| )\bundefined\b|\bNaN\b/.test(text);
  return [...texts.filter(isEmpty), ...document.body.innerText.match(/\[object \w+\]/g) ?? []];
}

/** The pages pictured in the guide. */
const PICTURES = ["worlds", "projects", "project", "sql", "backups", "journal", "faults", "controls", "compare", "coverage", "limits", "sources", "query"];

/** Takes the guide's picture of the page, if STUNTDOUBLE_PICTURES names a folder. */
async function picture(page, name) {
  const folder = process.env.STUNTDOUBLE_PICTURES;
  if (!folder || !PICTURES.includes(name)) return;
  await page.locator("main").evaluate((main) => main.scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
