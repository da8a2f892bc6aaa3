// The main action of each view, in a browser.

import assert from "node:assert/strict";
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

/** The only project of a world. */
async function project(world) {
  return (await world.call("GET", "/v1/projects")).body[0].id;
}

test("a world is created, advanced, kept and reset", async (t) => {
  const page = await open(t, browser, server, "#/main/worlds");
  await page.getByRole("button", { name: "New world" }).click();
  await page.getByLabel("Name", { exact: true }).fill("made");
  await page.getByLabel("Begins with").selectOption("new-project");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "About made" }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/made/worlds");

  await page.getByRole("button", { name: "Take a snapshot" }).click();
  await page.getByRole("button", { name: "Restore", exact: true }).waitFor();
  await page.getByText("in 1 min", { exact: true }).waitFor();
  await holds(page, "worlds");

  await page.getByRole("button", { name: /^next in/ }).click();
  await page.getByText("Nothing is scheduled").waitFor();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("in 1 min", { exact: true }).waitFor();
  await page.getByRole("button", { name: "+1 h" }).click();
  await page.getByText("Nothing is scheduled").waitFor();
  await page.getByRole("button", { name: "Reset" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await page.getByText("in 1 min", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Fork made" }).click();
  await page.getByLabel("Name", { exact: true }).fill("forked");
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  await page.getByRole("heading", { name: "About forked" }).waitFor();
  await page.getByRole("button", { name: "Delete made" }).click();
  await page.getByRole("link", { name: "made", exact: true }).waitFor({ state: "detached" });
  assert.deepEqual(page.wrongs, []);
});

test("a project is made, comes up as time goes by, and is paused", async (t) => {
  const world = await server.world({ name: "projects" });
  const page = await open(t, browser, server, "#/projects/projects");
  await page.getByRole("button", { name: "New project" }).click();
  await page.getByLabel("Name", { exact: true }).fill("demo");
  await page.getByLabel("Database password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("img", { name: "the project is COMING_UP" }).waitFor();
  await page.getByRole("button", { name: /^Advance to project/ }).click();
  await page.getByRole("img", { name: "the project is ACTIVE_HEALTHY" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("img", { name: "the project is PAUSING" }).waitFor();
  await page.getByText("POST /pause").waitFor();
  await holds(page, "project");

  await page.getByRole("link", { name: "All projects" }).click();
  await page.getByRole("cell", { name: "PAUSING" }).waitFor();
  const calls = (await world.call("GET", "/_sim/journal")).body.map((call) => call.operation);
  assert.deepEqual(calls, ["v1-create-a-project", "v1-pause-a-project"], "looking leaves no trace");
});

test("all projects stand in one table", async (t) => {
  await server.world({ name: "many", scenario: "all-at-once" });
  const page = await open(t, browser, server, "#/many/projects");
  const rows = page.locator("tbody tr");
  await rows.first().waitFor();
  const all = await rows.count();
  await page.getByLabel("Find a project").fill("inactive");
  await page.waitForFunction((all) => document.querySelectorAll("tbody tr").length < all, all);
  await page.getByRole("cell", { name: "INACTIVE" }).first().waitFor();
  await page.getByLabel("Find a project").fill("");
  await holds(page, "projects");
});

test("a project's parts are all there", async (t) => {
  const world = await server.world({ name: "shop", scenario: "shop" });
  const id = await project(world);
  await world.call("POST", "/_sim/clock/advance", { ms: 4 * 86_400_000 });
  const page = await open(t, browser, server, `#/shop/projects/${id}/database`);
  const part = (name) => page.getByRole("link", { name, exact: true }).click();

  const sql = page.getByRole("textbox", { name: "SQL" });
  await sql.fill("select 40 + 2 as answer");
  await page.getByRole("button", { name: "Try on a fork" }).click();
  await page.getByRole("cell", { name: "42" }).waitFor();
  await sql.fill("select * from ite");
  await page.getByRole("option", { name: "item" }).waitFor();
  await sql.press("Enter");
  assert.equal(await sql.inputValue(), "select * from item");
  await sql.press("Control+Enter");
  await page.getByText(/\d+ rows? in \d+ ms$/).waitFor();
  await holds(page, "sql");

  await part("Backups");
  await page.getByRole("button", { name: "Restore to here" }).last().click();
  await holds(page, "restore");
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.locator(".title").getByText("RESTORING").waitFor();
  await holds(page, "backups");

  for (const [name, text] of [["Branches", "main"], ["Functions", "ACTIVE"], ["Secrets", "••••"], ["Settings", "Auth"]]) {
    await part(name);
    await page.getByRole("main").getByText(text).first().waitFor();
    await holds(page, name.toLowerCase());
  }
  await page.getByLabel("Find a setting").fill("site_url");
  await page.getByText("site_url", { exact: true }).waitFor();
  await part("Functions");
  await page.locator("tbody a").first().click();
  await page.getByRole("region", { name: /^Source of/ }).waitFor();
  await page.getByRole("button", { name: /^next in/ }).click();
  await part("Types");
  await page.getByRole("region", { name: "Generated types" }).getByText("Database").first().waitFor();
  await holds(page, "types");
});

test("the journal tells of calls as they come, and of one of them all there is", async (t) => {
  const world = await server.world({ name: "calls", service: "management" });
  const page = await open(t, browser, server, "#/calls/journal");
  await page.getByText("No calls yet").waitFor();
  await world.call("GET", "/v1/projects");
  await world.call("POST", "/v1/projects", DEMO);
  await world.call("GET", "/v1/projects/abcdefghijklmnopqrst");
  const rows = page.getByRole("row");
  await rows.nth(3).waitFor();

  await page.getByLabel("Part of path").fill("not_found");
  await page.waitForFunction(() => document.querySelectorAll(".list-row").length === 1);
  await page.getByLabel("Part of path").fill("");
  await page.getByLabel("Method").selectOption("POST");
  await page.waitForFunction(() => document.querySelectorAll(".list-row").length === 1);
  await page.getByLabel("Method").selectOption("");
  await rows.nth(3).waitFor();

  // With the keyboard: from the last call up.
  await page.locator(".list-body").focus();
  await page.keyboard.press("End");
  const call = page.getByRole("complementary");
  await call.getByText("project_not_found", { exact: true }).first().waitFor();
  await call.getByRole("tab", { name: "Decision" }).click();
  await call.getByText("refused", { exact: true }).waitFor();
  await holds(page, "decision");
  await page.locator(".list-body").focus();
  await page.keyboard.press("ArrowUp");
  await call.getByRole("region", { name: "Request" }).getByText("•••").waitFor();
  await holds(page, "journal");
  await call.getByRole("tab", { name: "Changes" }).click();
  await call.getByText("COMING_UP").first().waitFor();
  await holds(page, "changes");
  await call.getByRole("tab", { name: "Repeat" }).click();
  await call.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("curl line copied").waitFor();
  for (const [form, text] of [["Rust test", /at_call\(1\)[\s\S]*201/], ["Python test", /httpx[\s\S]*status_code == 201/], ["TypeScript test", /fetch[\s\S]*toBe\(201\)/]]) {
    await call.getByRole("tab", { name: form }).click();
    const copied = await call.getByRole("region", { name: form }).textContent();
    assert.match(copied, text);
    assert.doesNotMatch(copied, /•••|TOKEN_OF_/);
  }
  await holds(page, "repeat");
  assert.equal((await world.call("GET", "/_sim/journal")).body.length, 3, "looking leaves no trace");
  await call.getByRole("button", { name: "Replay from here in a fork" }).click();
  await page.waitForFunction(() => location.hash.endsWith("/journal"));
  await page.waitForFunction(() => document.querySelectorAll(".list-row").length === 2);
  assert.deepEqual(page.wrongs, []);
});

test("a permanent link to a call shows its row and its decision", async (t) => {
  const world = await server.world({ name: "linked", service: "management" });
  for (let call = 0; call < 120; call++) await world.call("GET", "/v1/organizations");
  await world.call("POST", "/_sim/clock/advance", { ms: 300_000 });
  const page = await open(t, browser, server, "#/linked/journal/management/30");
  await page.locator('.list-row[aria-selected="true"]').getByText("30", { exact: true }).waitFor();
  await page.getByRole("columnheader", { name: "Reason" }).waitFor();
  await page.getByRole("img", { name: "Statuses of the calls" }).waitFor();
  assert.deepEqual(page.wrongs, []);
});

test("a call without a token is repeated without one, and a word in the place of a call or a view is told", async (t) => {
  const world = await server.world({ name: "anonymous", scenario: "active-project" });
  await fetch(`${server.url}/w/anonymous/v1/projects`);
  const page = await open(t, browser, server, "#/anonymous/journal/management/2");
  const call = page.getByRole("complementary");
  await call.getByRole("tab", { name: "Repeat" }).click();
  for (const form of ["curl", "Python test"]) {
    await call.getByRole("tab", { name: form }).click();
    assert.doesNotMatch(await call.getByRole("region", { name: form }).textContent(), /Bearer/);
  }
  // Another user's token is not known to the page.
  await world.call("POST", "/_sim/users", { name: "ada" });
  await world.call("POST", "/_sim/users/ada/tokens", { token: "token-of-ada" });
  await world.call("GET", "/v1/projects", undefined, "token-of-ada");
  await page.evaluate(() => (location.hash = "#/anonymous/journal/management/5"));
  await call.getByText("5", { exact: true }).waitFor();
  await call.getByRole("tab", { name: "Repeat" }).click();
  await call.getByRole("tab", { name: "curl" }).click();
  await call.getByText("Bearer TOKEN_OF_ada").first().waitFor();
  await page.evaluate(() => (location.hash = "#/anonymous/journal/management/abc"));
  await page.getByText("There is no call abc").waitFor();
  await page.evaluate(() => (location.hash = "#/anonymous/projects"));
  await page.getByRole("link", { name: "demo" }).first().click();
  await page.waitForFunction(() => location.hash.split("/").length === 4);
  await page.evaluate(() => (location.hash += "/nothing"));
  await page.getByText("A project has no view nothing.").waitFor();
  assert.deepEqual(page.wrongs, []);
});

test("a control is a form", async (t) => {
  await server.world({ name: "controlled", scenario: "active-project" });
  const page = await open(t, browser, server, "#/controlled/controls");
  await page.getByText("Change the plan of an organization").click();
  await page.getByLabel("Slug *").fill("acme");
  await page.getByLabel("Plan *").selectOption("team");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("region", { name: "Answer" }).getByText("team").waitFor();
  await page.getByText("Create a user").click();
  await page.getByLabel("Find a control").fill("user");
  await holds(page, "controls");
});

test("a decided outcome is shown and taken back", async (t) => {
  const world = await server.world({ name: "decided", scenario: "active-project" });
  await world.call("PUT", "/_sim/outcomes/restore", { outcome: "fail", after_ms: 5000 });
  const page = await open(t, browser, server, "#/decided/controls");
  const row = page.getByRole("row", { name: /the next restore fail after 5000 ms any/ });
  await row.getByRole("link", { name: /^call \d+$/ }).waitFor();
  await holds(page, "decided outcomes");
  await row.getByRole("button", { name: "Take back the decision about restore" }).click();
  await page.getByText("All work ends as usual.").waitFor();
});

test("walk: why was my call refused?", async (t) => {
  const world = await server.world({ name: "refused", scenario: "active-project" });
  const id = await project(world);
  await world.call("POST", `/v1/projects/${id}/pause`);
  await world.call("GET", `/v1/projects/${id}/branches`);
  await world.call("POST", `/v1/projects/${id}/database/query`, { query: "select 1" });
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(server.url);
  await page.getByLabel("World", { exact: true }).selectOption("refused");
  await page.getByRole("region", { name: "Last refusals" }).getByRole("link").first().click();
  const call = page.getByRole("complementary");
  await call.getByRole("tab", { name: "Decision" }).click();
  await call.getByText(/^Refused with 544 by the check of state/).waitFor();
  await call.locator(".verdict a").click();
  await call.getByText(`/v1/projects/${id}/pause`).first().waitFor();
});

test("walk: make the restore fail and watch my client", async (t) => {
  const world = await server.world({ name: "failing", scenario: "paused-project" });
  const id = await project(world);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(server.url);
  await page.getByLabel("World", { exact: true }).selectOption("failing");
  await page.getByRole("link", { name: "Projects", exact: true }).click();
  await page.getByRole("cell", { name: "INACTIVE" }).click();
  // The view of all controls has the same name: the project's own is there with its other parts.
  await page.getByRole("link", { name: "Life" }).waitFor();
  await page.getByRole("link", { name: "Controls" }).last().click();
  await page.getByText("Decide how the next piece of background work").click();
  await page.getByLabel("Work *").selectOption("restore");
  await page.getByLabel("Outcome *").selectOption("fail");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Done.").waitFor();
  await page.getByRole("link", { name: "Life" }).click();
  assert.equal((await world.call("POST", `/v1/projects/${id}/restore`)).status, 200);
  await page.getByRole("img", { name: "the project is RESTORING" }).waitFor();
  await page.getByRole("button", { name: /^next in/ }).click();
  await page.getByRole("img", { name: "the project is RESTORE_FAILED" }).waitFor();
  assert.equal((await world.call("GET", `/v1/projects/${id}`)).body.status, "RESTORE_FAILED");
});

test("a fault that is added is applied, and is counted", async (t) => {
  const world = await server.world({ name: "faulty", service: "management" });
  const page = await open(t, browser, server, "#/faulty/faults");
  await page.getByText("No faults").waitFor();
  await page.getByLabel("Operation").fill("v1-list-all-projects");
  await page.getByLabel("Limit (0 = no limit)").fill("2");
  await page.getByRole("button", { name: "Add the rule" }).click();
  await page.getByRole("row", { name: /^1 operation v1-list-all-projects/ }).waitFor();
  assert.equal((await world.call("GET", "/v1/projects")).status, 503);
  await page.locator("strong.hit", { hasText: "1" }).waitFor();
  await page.getByLabel("Effect *").selectOption("latency");
  await page.getByLabel("Path").fill("/v1/organizations");
  await page.getByRole("button", { name: "Add the rule" }).click();
  await page.getByRole("row", { name: /^2 .*path \/v1\/organizations/ }).waitFor();
  await holds(page, "faults");
  await page.getByRole("button", { name: "Delete rule 1" }).click();
  await page.getByRole("row", { name: /^1 operation/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete all" }).click();
  await page.getByText("No faults").first().waitFor();
});

test("coverage shows what was met, and what was not", async (t) => {
  const world = await server.world({ name: "covered", scenario: "shop" });
  await world.call("GET", "/v1/projects");
  await world.call("GET", "/v1/projects/abcdefghijklmnopqrst");
  const page = await open(t, browser, server, "#/covered/coverage");
  const cell = page.getByTitle("v1-get-project: 404, 1 times");
  await cell.click();
  await page.getByText("project_not_found").waitFor();
  await holds(page, "coverage");
  await page.getByLabel("Which operations").selectOption("never");
  await cell.waitFor({ state: "detached" });
});

test("coverage counts the operations of one service", async (t) => {
  const world = await server.world({ name: "both", service: "both" });
  await world.call("GET", "/v1/projects");
  await world.call("GET", "/api/sources", undefined, world.analytics_token);
  await world.call("GET", "/api/teams", undefined, world.analytics_token);
  const page = await open(t, browser, server, "#/both/coverage");
  await page.getByText(/^1\s+of \d+ operations called/).waitFor();
  await page.getByRole("link", { name: "/api", exact: true }).click();
  await page.getByText(/^2\s+of \d+ operations called/).waitFor();
});

test("the rate limit fills up, blocks, and is over in time", async (t) => {
  const policy = { rate_limit: { enabled: true, count: 5, window_ms: 60_000, block_ms: 60_000 } };
  const world = await server.world({ name: "limited", service: "management", policy });
  for (let call = 0; call < 4; call++) await world.call("GET", "/v1/projects");
  const page = await open(t, browser, server, "#/limited/limits");
  await page.getByText("1 left of 5").waitFor();
  for (let call = 0; call < 3; call++) await world.call("GET", "/v1/projects");
  await page.getByText("refused for 1 min more").waitFor();
  await page.getByRole("cell", { name: "429" }).first().waitFor();
  await holds(page, "limits");
  await page.getByRole("button", { name: "Advance to the end of the window of owner" }).click();
  await page.getByText("no window open").waitFor();
});

test("events are sent, seen, queried, drawn and kept", async (t) => {
  const world = await server.world({ name: "events", self_log: true });
  for (let minute = 0; minute < 12; minute++) {
    for (let call = 0; call <= minute % 5; call++) await world.call("GET", "/v1/projects");
    await world.call("POST", "/_sim/clock/advance", { ms: 60_000 });
  }
  const page = await open(t, browser, server, "#/events/analytics");
  await page.getByRole("link", { name: "gateway.logs.prod" }).click();
  await page.getByRole("row", { name: /GET \/v1\/projects 200/ }).last().click();
  await page.getByRole("complementary", { name: "Event" }).waitFor();
  await page.getByLabel("Event to send").fill('{"event_message": "by hand", "level": "info"}');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("row", { name: /by hand/ }).waitFor();
  await holds(page, "sources");

  const part = (name) => page.getByRole("link", { name, exact: true }).click();
  await part("Query");
  const query = page.getByRole("textbox", { name: "Query" });
  await query.fill("select timestamp_trunc(timestamp, minute) as minute, count(*) as calls from gate");
  await query.press("Enter");
  await query.press("Control+End");
  await query.pressSequentially(" group by 1 order by 1");
  assert.match(await query.inputValue(), /from `gateway\.logs\.prod` group by 1/);
  await query.press("Control+Enter");
  await page.getByRole("img", { name: "Result as a chart" }).waitFor();
  await holds(page, "query");

  await query.fill("select count(t.id) as calls from `gateway.logs.prod` t");
  await page.getByLabel("Name of the endpoint").fill("calls.all");
  await page.getByRole("button", { name: "Save as endpoint" }).click();
  await page.getByText("Saved as calls.all").waitFor();
  await part("Endpoints");
  await page.getByRole("link", { name: "calls.all" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("region", { name: "Result of the endpoint" }).waitFor();
  await page.getByRole("region", { name: "Kept results" }).waitFor();
  await holds(page, "endpoints");

  await part("Teams");
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name", { exact: true }).fill("operators");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("cell", { name: "operators" }).waitFor();
  await holds(page, "teams");

  const { body } = await world.call("GET", "/api/sources", undefined, world.analytics_token);
  const { token } = body.find((source) => source.name === "gateway.logs.prod");
  await world.call("PATCH", `/api/sources/${token}`, { webhook_notification_url: "http://127.0.0.1:9/", notifications_every: 1000 }, world.analytics_token);
  await world.call("GET", "/v1/projects");
  await world.call("POST", "/_sim/clock/advance", { ms: 60_000 });
  await part("Outbox");
  await page.getByRole("cell", { name: "http://127.0.0.1:9/" }).first().click();
  await page.getByRole("region", { name: "Message" }).last().waitFor();
  await holds(page, "outbox");
});

test("a source is searched by words, times and fields", async (t) => {
  const world = await server.world({ name: "searched", service: "analytics" });
  const { body: source } = await world.call("POST", "/api/sources", { name: "shop logs" });
  const start = Date.parse("2026-01-01") * 1000;
  const event = (at) => ({
    event_message: `order ${at}`,
    timestamp: start - at * 60e6,
    metadata: { level: at % 4 === 0 ? "error" : "info", shop: { name: `shop ${at % 3}` }, items: [{ sku: "a" }, { sku: `b${at}` }] },
  });
  const { status } = await world.call("POST", `/api/logs?source=${source.token}`, Array.from({ length: 40 }, (_, at) => event(at)));
  assert.equal(status, 200);
  const page = await open(t, browser, server, `#/searched/analytics/sources/${source.token}`);
  const box = page.getByRole("textbox", { name: "Search", exact: true });
  await page.getByText("40 events").waitFor();

  await box.pressSequentially("m.lev");
  await page.getByRole("option", { name: /^m\.level:error/ }).click();
  assert.equal(await box.inputValue(), "m.level:error");
  await box.press("Enter");
  await page.getByText("10 events").waitFor();
  await page.getByRole("img", { name: "Events over time" }).waitFor();
  await page.getByLabel("Time range").selectOption("t:last@15min");
  await page.getByText("4 events").waitFor();

  await page.getByLabel("Add a column").selectOption("m.shop.name");
  await page.getByRole("columnheader", { name: "m.shop.name" }).waitFor();
  await page.getByRole("row", { name: /error shop 0 order 12/ }).click();
  await page.getByRole("complementary", { name: "Event" }).getByText('"sku"').first().waitFor();
  await holds(page, "search");

  await page.getByLabel("Name of the search").fill("late errors");
  await page.getByRole("button", { name: "Save the search" }).click();
  await page.getByText("Saved as late errors").waitFor();
  await page.getByLabel("Time range").selectOption("");
  await box.fill("m.items.sku:b7");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("1 event", { exact: true }).waitFor();
  await page.getByLabel("Saved searches").selectOption({ label: "late errors" });
  assert.equal(await box.inputValue(), "m.level:error t:last@15min");
  await page.getByText("4 events").waitFor();

  // New events come as they are sent.
  await page.getByLabel("Event to send").fill('{"event_message": "by hand", "metadata": {"level": "error"}}');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("row", { name: /by hand/ }).waitFor();
  await page.getByText("5 events").waitFor();

  await box.fill("m.level:");
  await box.press("Enter");
  await page.getByRole("alert").filter({ hasText: "a value is missing" }).first().waitFor();
  await page.reload();
  await page.getByRole("columnheader", { name: "m.shop.name" }).waitFor();
  await page.getByRole("button", { name: "Remove the column m.shop.name" }).click();
  await page.getByRole("columnheader", { name: "m.shop.name" }).waitFor({ state: "detached" });
  assert.deepEqual(page.wrongs.filter((wrong) => !wrong.includes("400")), []);
});

test("of long lists only the rows in sight are there", async (t) => {
  const world = await server.world({ name: "long", service: "analytics" });
  const { body: source } = await world.call("POST", "/api/sources", { name: "long" });
  const start = Date.parse("2026-01-01") * 1000;
  const of = (at) => ({ event_message: `event ${at}`, timestamp: start + at * 1000 });
  for (let from = 0; from < 5000; from += 1000) {
    const { status } = await world.call("POST", `/api/logs?source=${source.token}`, Array.from({ length: 1000 }, (_, at) => of(from + at)));
    assert.equal(status, 200);
    // Advances to the next minutes, which have a new quota.
    await world.call("POST", "/_sim/clock/advance", { ms: 120_000 });
  }
  const page = await open(t, browser, server, `#/long/analytics/sources/${source.token}`);
  const rows = page.locator(".list-row");
  const scroll = (share) => page.locator(".list-body").evaluate((list, share) => list.scrollTo(0, share * list.scrollHeight), share);
  for (const [share, name] of [[1, "event 4999"], [0, "event 0"], [0.5, "event 2500"]]) {
    await scroll(share);
    await page.getByRole("gridcell", { name, exact: true }).waitFor();
    assert.ok((await rows.count()) < 40, `${await rows.count()} rows`);
  }
  assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "5001");
  assert.deepEqual(page.wrongs, []);
});

test("an address that means nothing has a notice", async (t) => {
  const world = await server.world({ name: "addressed", scenario: "active-project" });
  const ref = await project(world);
  const views = ["worlds", "projects", `projects/${ref}`, "journal", "journal/management", "faults", "coverage", "limits", "analytics", "analytics/sources"];
  const broken = ["%E0%A4%A", "%", "%zz", "%ED%A0%80"];
  const odd = ["nothing", "__proto__", "constructor", "..", "%2F..%2F", "%00", "%3Cb%3E", "-1", "1e99"];
  const page = await open(t, browser, server, "#/addressed/worlds");
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.stack));
  const go = (hash) => page.evaluate((hash) => (location.hash = hash), hash);
  for (const part of broken) {
    for (const hash of [`#/${part}`, `#/w/${part}`, ...views.map((view) => `#/addressed/${view}/${part}`)]) {
      await go(hash);
      await page.getByRole("alert").filter({ hasText: `The part ${hash} of the address can't be read` }).waitFor();
    }
  }
  for (const part of odd) {
    await go(`#/addressed/${part}`);
    await page.getByRole("alert").filter({ hasText: "There is no view" }).waitFor();
    for (const hash of [`#/${part}/worlds`, ...views.map((view) => `#/addressed/${view}/${part}`)]) {
      await go(hash);
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      await page.locator("main > *:nth-child(2)").first().waitFor();
      assert.deepEqual(errors, [], hash);
    }
  }
  await page.getByRole("link", { name: "Worlds" }).click();
  await page.getByRole("heading", { name: "About addressed" }).waitFor();
});

test("a late answer about a world that was left does not replace the present one", async (t) => {
  const page = await open(t, browser, server, "#/main/worlds");
  const asked = new Promise((resolve) => page.route("**/_sim/worlds/nobody", resolve));
  const go = (hash) => page.evaluate((hash) => (location.hash = hash), hash);
  await go("#/nobody/worlds");
  const late = await asked;
  await go("#/main/worlds");
  await page.getByRole("heading", { name: "About main" }).waitFor();
  const answered = page.waitForResponse("**/_sim/worlds/nobody");
  await late.continue();
  await (await answered).finished();
  await page.waitForTimeout(300); // Long enough to draw.
  assert.ok(await page.getByRole("heading", { name: "About main" }).isVisible());
});

test("light or dark is remembered", async (t) => {
  const page = await open(t, browser, server, "#/main/worlds");
  await page.getByRole("button", { name: "Light or dark" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "About main" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.evaluate(() => localStorage.clear());
});
