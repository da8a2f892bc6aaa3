// Measures the dashboard's speed: `node measure.mjs [CALLS] [EVENTS]`. Prints the page's size, the time to its first
// meaningful paint, and how evenly long lists scroll.

import { mkdtempSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, serve } from "./browser.mjs";

const [calls = 100_000, events = 1_000_000] = process.argv.slice(2).map(Number);
const policy = join(mkdtempSync(join(tmpdir(), "dashboard-")), "policy.toml");
writeFileSync(policy, `journal_calls = ${calls + 10_000}\n[rate_limit]\nenabled = false\n[analytics]\nuser_quota = 1000000000\n`);
const server = await serve("--analytics", "--policy", policy);
const { browser, close } = await browse();

/** Runs `work` for 0, 1, …, `times` times, some of them at once. */
async function often(times, work) {
  let next = 0;
  const worker = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
function send(method, path, body, token = server.token) {
  return new Promise((done, refuse) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const asked = request(server.url + path, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => done(answer.statusCode));
    });
    asked.on("error", refuse);
    asked.end(body);
  });
}

await often(calls, (at) => send("GET", at % 7 ? "/v1/projects" : "/v1/organizations"));
const { body: source } = await server.ask("POST", "/api/sources", { name: "many", api_quota: 10_000_000 }, server.analytics_token);
const start = Date.parse("2026-01-01") * 1000;
const batch = 5000;
await often(events / batch, async (number) => {
  const of = (_, at) => ({ event_message: `event ${number * batch + at}`, timestamp: start + (number * batch + at) * 1000 });
  const status = await send("POST", `/api/logs?source=${source.token}`, JSON.stringify(Array.from({ length: batch }, of)), server.analytics_token);
  if (status !== 200) throw new Error(`events are answered ${status}`);
});

/** Milliseconds from navigation to the rows of the view, the best of some runs; and the bytes received. */
async function paint(hash, sign) {
  const times = [];
  const bodies = [];
  for (let round = 0; round < 5; round++) {
    const page = await browser.newPage();
    page.on("response", (answer) => round === 0 && answer.url().includes("/dashboard") && bodies.push(answer.body()));
    await page.addInitScript((sign) => {
      new MutationObserver(() => {
        if (window.meant === undefined && document.querySelector(sign)) requestAnimationFrame(() => (window.meant = performance.now()));
      }).observe(document, { childList: true, subtree: true });
    }, sign);
    await page.goto(`${server.url}/dashboard${hash}`);
    await page.waitForFunction(() => window.meant !== undefined);
    const first = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    const meant = await page.evaluate(() => window.meant);
    times.push({ first, meant });
    if (round === 0) await Promise.all(bodies);
    await page.close();
  }
  const weight = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
  return { weight, ...times.sort((a, b) => a.meant - b.meant)[0] };
}

/** Frames while scrolling through a whole list: their number, the longest, and the largest number of rows in the page. */
async function scroll(page) {
  return page.locator(".list-body").evaluate(async (list) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const steps = 240;
    let [last, longest, rows] = [performance.now(), 0, 0];
    const begun = last;
    for (let step = 0; step <= steps; step++) {
      list.scrollTop = (step / steps) * list.scrollHeight;
      await frame();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      rows = Math.max(rows, list.querySelectorAll(".list-row").length);
    }
    return { average: (last - begun) / steps, longest, rows };
  });
}

async function list(name, hash, total) {
  const page = await browser.newPage();
  await page.goto(`${server.url}/dashboard${hash}`);
  await page.waitForFunction((total) => Number(document.querySelector(".list")?.getAttribute("aria-rowcount")) > total, total - 1);
  const { average, longest, rows } = await scroll(page);
  console.log(`${name}: ${total} rows, ${average.toFixed(1)} ms a frame, the longest ${longest.toFixed(0)} ms, ${rows} rows in the page`);
  await page.close();
}

const { weight, first, meant } = await paint("#/main/worlds", ".facts dd");
console.log(`page: ${weight} bytes, first paint ${first.toFixed(0)} ms, with content ${meant.toFixed(0)} ms`);
await list("journal", "#/main/journal/management", calls);
await list("events", `#/main/analytics/sources/${source.token}`, events);
await close();
agent.destroy();
server.stop();
