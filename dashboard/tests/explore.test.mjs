// Finding one's way: comparing worlds, the journal's filters, zooming in, and the keyboard.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { DEMO, browse, holds, open, serve } from "./browser.mjs";

let server;
let browser;
let close;

before(async () => {
  server = await serve("--self-log");
  ({ browser, close } = await browse());
});
after(async () => {
  await close?.();
  server?.stop();
});

test("two worlds, and two states of one, are compared", async (t) => {
  const world = await server.world({ name: "before", scenario: "active-project" });
  const { id } = (await world.call("GET", "/v1/projects")).body[0];
  await world.call("POST", "/_sim/snapshots", { name: "kept" });
  await world.call("POST", "/_sim/fork", { name: "after" });
  const forked = (await world.call("GET", "/_sim/worlds")).body.find((one) => one.name === "after");
  assert.equal((await server.ask("POST", `/w/after/v1/projects/${id}/pause`, {}, forked.token ?? world.token)).status, 200);

  const page = await open(t, browser, server, "#/before/compare");
  const compare = () => page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByLabel("From").selectOption("snapshot kept");
  await compare();
  await page.getByText("snapshot kept of before and before are equal.").waitFor();
  await page.getByLabel("From").selectOption("now");
  await page.getByLabel("To").selectOption("after");
  await compare();
  await page.getByRole("status").getByText(/from before to after/i).waitFor();
  await page.getByRole("row", { name: `/v1/projects/${id} /status ACTIVE_HEALTHY PAUSING` }).waitFor();
  await page.getByRole("heading", { name: "changed project" }).waitFor();
  await holds(page, "compare");

  // From an earlier instant of the same world.
  const made = (await world.call("POST", "/v1/projects", { ...DEMO, name: "second" })).body;
  await page.getByLabel("From").selectOption("call");
  await page.getByLabel("Call (0 = its beginning)").fill("1");
  await page.getByLabel("To").selectOption("before");
  await compare();
  await page.getByRole("status").getByText("before right after call 1").waitFor();
  await page.getByRole("cell", { name: `/v1/projects/${made.id}`, exact: true }).waitFor();
  assert.deepEqual(page.wrongs, []);
});

test("the journal is filtered by project and client, and its bars show the statuses over time", async (t) => {
  const world = await server.world({ name: "filtered", service: "management" });
  const ids = [];
  for (const name of ["one", "two"]) ids.push((await world.call("POST", "/v1/projects", { ...DEMO, name })).body.id);
  await world.call("POST", "/_sim/clock/advance", { ms: 3_600_000 });
  for (const id of [ids[0], ids[1], ids[1]]) await world.call("GET", `/v1/projects/${id}`);
  await world.call("GET", `/v1/projects/${ids[1]}/nothing`);
  const page = await open(t, browser, server, "#/filtered/journal");
  const rows = (number) => page.waitForFunction((number) => document.querySelectorAll(".list-row").length === number, number);
  const bars = page.locator(".histogram span:has(i)");
  const hours = (number) => page.waitForFunction((number) => document.querySelectorAll(".histogram span:has(i)").length === number, number);
  await rows(6);
  await page.getByRole("img", { name: /^Statuses of the calls from 2026-01-01 00:00:00 to 2026-01-01 01:00:00/ }).waitFor();
  // The first and the last hour.
  await hours(2);
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "two" });
  await rows(3);
  await hours(1);
  await page.getByLabel("Part of path").fill("nothing");
  await rows(1);
  await page.getByLabel("Part of path").fill("");
  await page.getByLabel("Project", { exact: true }).selectOption("");
  await rows(6);
  await hours(2);
  await world.call("GET", "/v1/projects", undefined, "unknown");
  await rows(7);
  await page.getByLabel("Client").selectOption("without a valid token");
  await rows(1);
  await hours(1);
  await page.getByLabel("Client").selectOption("owner");
  await rows(6);
  await page.getByLabel("Client").selectOption("");
  await rows(7);
  await bars.last().click();
  await page.locator('.list-row[aria-selected="true"]').waitFor();
  await page.getByRole("complementary").getByText("2026-01-01 01:00:00").waitFor();
  await holds(page, "filtered");
});

test("a chart is zoomed by dragging and by buttons, and new events keep the zoom", async (t) => {
  const world = await server.world({ name: "zoomed", self_log: true });
  for (let minute = 0; minute < 12; minute++) {
    await world.call("GET", "/v1/projects");
    await world.call("POST", "/_sim/clock/advance", { ms: 60_000 });
  }
  const { body } = await world.call("GET", "/api/sources", undefined, world.analytics_token);
  const { token } = body.find((source) => source.name === "gateway.logs.prod");
  const page = await open(t, browser, server, `#/zoomed/analytics/sources/${token}`);
  const range = page.locator(".zoom > span");
  await range.waitFor();
  const whole = await range.textContent();
  const area = await page.locator(".u-over").boundingBox();
  await page.mouse.move(area.x + 2, area.y + 40);
  await page.getByText("2026-01-01 00:00:00: 1 events").waitFor();
  await page.mouse.move(area.x + area.width * 0.25, area.y + 40);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width * 0.5, area.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.getByText("2026-01-01 00:02:", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Show all" }).waitFor();
  const zoomed = await range.textContent();
  assert.notEqual(zoomed, whole);
  await page.getByText("events in each 1 s").waitFor();
  await world.call("GET", "/v1/projects");
  await page.getByText("13 events").waitFor();
  assert.equal(await range.textContent(), zoomed);
  await page.getByRole("button", { name: "Zoom in on Events over time" }).click();
  await page.waitForFunction((text) => document.querySelector(".zoom > span").textContent !== text, zoomed);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("button", { name: "Show all" }).waitFor({ state: "detached" });
  await holds(page, "source");
});

test("a chart has a series for each group", async (t) => {
  const world = await server.world({ name: "grouped", self_log: true });
  for (let minute = 0; minute < 4; minute++) {
    for (const path of ["/v1/projects", "/v1/projects", "/v1/nothing"]) await world.call("GET", path);
    await world.call("POST", "/_sim/clock/advance", { ms: 60_000 });
  }
  const page = await open(t, browser, server, "#/grouped/analytics/query");
  await page.getByRole("textbox", { name: "Query" }).fill("select timestamp_trunc(timestamp, minute) as minute, event_message, count(*) as calls from `gateway.logs.prod` group by 1, 2");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("img", { name: "Result as a chart" }).waitFor();
  const labels = await page.locator(".u-legend .u-label").allTextContents();
  assert.deepEqual(labels.filter((label) => label.startsWith("GET")).sort(), ["GET /v1/nothing 404", "GET /v1/projects 200"]);
  await holds(page, "grouped");
});

test("the use of the rate limit is measured and forecast", async (t) => {
  const world = await server.world({ name: "used", service: "management" });
  for (let call = 0; call < 30; call++) await world.call("GET", "/v1/projects");
  const page = await open(t, browser, server, "#/used/limits");
  await page.getByText("30 calls, of which 30 in the busiest 1 min: 50 % of the limit of 60.").waitFor();
  const forecasts = page.getByRole("region", { name: "Forecasts" });
  await page.getByLabel("Numbers of runs").fill("1, 4");
  await forecasts.getByRole("cell", { name: "4", exact: true }).waitFor();
  await page.getByRole("region", { name: "Calls by operation" }).getByText("v1-list-all-projects").waitFor();
  await holds(page, "lens");
});

test("plans are generated and saved", async (t) => {
  const world = await server.world({ name: "planned", service: "management" });
  const page = await open(t, browser, server, "#/planned/coverage");
  await page.getByLabel("Plans, up to 100").fill("2");
  await page.getByLabel("Calls in each, up to 100").fill("3");
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByText("Seed 1").click();
  await page.getByRole("region", { name: "Plan 1" }).getByText("advance to 2026-01-01 00:01:00").first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as lines" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines, (await world.call("GET", "/_sim/plans?seed=0&count=2&length=3&good=false")).body);
  await holds(page, "plans");
});

test("a world is exported to a file, and created from it", async (t) => {
  const world = await server.world({ name: "source", scenario: "paused-project" });
  const page = await open(t, browser, server, "#/source/worlds");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "seed file" }).click()]);
  await page.getByRole("button", { name: "New world" }).click();
  await page.getByLabel("Name", { exact: true }).fill("copied");
  await page.getByLabel("Begins with").selectOption("a seed file");
  await page.locator('input[type="file"]').setInputFiles(await download.path());
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "About copied" }).waitFor();
  const listed = (await server.ask("GET", "/w/copied/v1/projects", undefined, world.token)).body;
  assert.deepEqual(listed, (await world.call("GET", "/v1/projects")).body);
  assert.deepEqual(page.wrongs, []);
});

test("a server that is gone is said once, and its clock does not run on", async (t) => {
  const gone = await serve();
  t.after(() => gone.stop());
  const page = await open(t, browser, gone, "#/main/worlds");
  await page.getByLabel("Speed").selectOption("3600");
  await page.waitForFunction(() => !document.querySelector(".clock time").textContent.endsWith("00:00:00"));
  gone.stop();
  await page.getByTitle("Not connected: the server does not answer").waitFor();
  const stopped = await page.locator(".clock time").textContent();
  await page.getByRole("button", { name: "+1 h" }).click();
  await page.getByRole("status").getByText("The server does not answer").waitFor();
  assert.equal(await page.getByRole("alert").count(), 1);
  assert.equal(await page.locator(".clock time").textContent(), stopped);
});

test("many projects are shown page by page", async (t) => {
  const world = await server.world({ name: "crowded", service: "management", policy: { rate_limit: { enabled: false } } });
  for (let at = 0; at < 230; at++) assert.equal((await world.call("POST", "/v1/projects", { ...DEMO, name: `p${at}` })).status, 201);
  const page = await open(t, browser, server, "#/crowded/projects");
  await page.getByText("The first 200 of 230").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 230);
  await page.getByLabel("Find a project").fill("p17");
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 11);
});

test("long names leave the other columns in sight", async (t) => {
  const world = await server.world({ name: "wordy", service: "management" });
  for (const name of ["long words ".repeat(20), "x".repeat(150)]) assert.equal((await world.call("POST", "/v1/projects", { ...DEMO, name })).status, 201);
  await world.call("POST", "/_sim/faults", { on: { path: "*" }, effect: { kind: "status", status: 503, message: "z".repeat(400) } });
  for (const [view, heading] of [["projects", "Reference"], ["faults", "Applied"]]) {
    const page = await open(t, browser, server, `#/wordy/${view}`);
    const last = page.getByRole("columnheader", { name: heading });
    await last.waitFor();
    const { x, width } = await last.boundingBox();
    assert.ok(x + width <= 1280, `${heading} of ${view} ends at ${x + width}`);
    await holds(page, `wordy-${view}`);
  }
});

test("all views and actions are reached by the keyboard", async (t) => {
  const world = await server.world({ name: "keyed", scenario: "paused-project" });
  const { id, name } = (await world.call("GET", "/v1/projects")).body[0];
  const page = await open(t, browser, server, "#/keyed/worlds");
  const at = (hash) => page.waitForFunction((hash) => location.hash === hash, hash);
  await page.getByRole("heading", { name: "About keyed" }).waitFor();
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox", { name: "Command" });
  await input.waitFor();
  await holds(page, "palette");
  await input.fill("go fau");
  await page.keyboard.press("Enter");
  await at("#/keyed/faults");
  await page.keyboard.press("Control+k");
  await input.fill(`sql ${name}`);
  await page.getByRole("option", { name: `SQL of ${name} ${id}` }).waitFor();
  await page.keyboard.press("Enter");
  await at(`#/keyed/projects/${id}/database`);
  await page.getByRole("link", { name: "All projects" }).focus();
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await at("#/keyed/journal");
  await page.getByRole("grid").waitFor();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.type), "search");
  await page.keyboard.type("g?");
  assert.equal(await page.getByLabel("Part of path").inputValue(), "g?", "letters in a field are text");
  await page.keyboard.press("Control+k");
  const before = await page.locator(".clock time").textContent();
  await input.fill("advance hour");
  await page.keyboard.press("Enter");
  await page.waitForFunction((before) => document.querySelector(".clock time").textContent > before, before);
  await page.keyboard.press("Control+k");
  await input.fill("1");
  await page.keyboard.press("Enter");
  await at("#/keyed/journal/management/1");
  await page.keyboard.press("Control+k");
  await input.fill("no such command");
  await page.getByText("No command has these words").waitFor();
  await page.keyboard.press("Escape");
  await input.waitFor({ state: "detached" });
  assert.deepEqual(page.wrongs, []);
});
