// Finding one's way: comparing worlds, the journal's filters, zooming in, and the keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, holds, open, serve } from "./browser.mjs";

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

const DEMO = { name: "demo", organization_id: "acme", region: "us-east-1", db_pass: "correct horse battery" };

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

test("the journal is filtered by project, and its bars show the statuses over time", async (t) => {
  const world = await server.world({ name: "filtered", service: "management" });
  const ids = [];
  for (const name of ["one", "two"]) ids.push((await world.call("POST", "/v1/projects", { ...DEMO, name })).body.id);
  await world.call("POST", "/_sim/clock/advance", { ms: 3_600_000 });
  for (const id of [ids[0], ids[1], ids[1]]) await world.call("GET", `/v1/projects/${id}`);
  await world.call("GET", `/v1/projects/${ids[1]}/nothing`);
  const page = await open(t, browser, server, "#/filtered/journal");
  const rows = (number) => page.waitForFunction((number) => document.querySelectorAll(".list-row").length === number, number);
  const bars = page.locator(".histogram span:has(i)");
  await rows(6);
  await page.getByRole("img", { name: /^Statuses of the calls from 2026-01-01 00:00:00 to 2026-01-01 01:00:00/ }).waitFor();
  assert.equal(await bars.count(), 2, "the first and the last hour");
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "two" });
  await rows(3);
  await page.waitForFunction(() => document.querySelectorAll(".histogram span:has(i)").length === 1);
  await page.getByLabel("Part of path").fill("nothing");
  await rows(1);
  await page.getByLabel("Part of path").fill("");
  await page.getByLabel("Project", { exact: true }).selectOption("");
  await rows(6);
  await bars.last().click();
  await page.locator('.list-row[aria-selected="true"]').waitFor();
  await page.getByRole("complementary").getByText("2026-01-01 01:00:00").waitFor();
  await holds(page, "journal");
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
