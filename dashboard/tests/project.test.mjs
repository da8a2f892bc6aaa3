// The page of a project: SQL as a role, rows as CSV, secrets, branches, and a long time line.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { browse, holds, open, serve } from "./browser.mjs";

let server;
let browser;
let close;

before(async () => {
  server = await serve();
  ({ browser, close } = await browse());
});
after(async () => {
  await close?.();
  server?.stop();
});

/** A world with an active project. */
async function active(name, fields) {
  const world = await server.world({ name, scenario: "active-project", ...fields });
  return { world, id: (await world.call("GET", "/v1/projects")).body[0].id };
}

test("SQL runs as a role, with the claims of a user", async (t) => {
  const { world, id } = await active("roles");
  const users = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const query = `create table note (owner uuid, text text); alter table note enable row level security;
    grant select on note to anon, authenticated;
    create policy own on note for select to authenticated using (owner = auth.uid());
    insert into note values ('${users[0]}', 'a'), ('${users[0]}', 'b'), ('${users[1]}', 'c')`;
  assert.equal((await world.call("POST", `/v1/projects/${id}/database/query`, { query })).status, 201);
  const page = await open(t, browser, server, `#/roles/projects/${id}/database`);
  await page.getByRole("textbox", { name: "SQL" }).fill("select text, current_user as role from note order by text");
  const run = () => page.getByRole("button", { name: "Try on a fork" }).click();
  const shown = (text) => page.getByText(text, { exact: false }).waitFor();

  await run();
  await shown("3 rows");
  await page.getByLabel("Role").selectOption("anon");
  await run();
  await shown("0 rows");
  await page.getByLabel("Role").selectOption("authenticated");
  await page.getByLabel("User").fill(users[0]);
  await run();
  await shown("2 rows");
  await page.getByRole("cell", { name: "authenticated", exact: true }).first().waitFor();
  await page.getByLabel("User").fill(users[1]);
  await run();
  await shown("1 row");
  await page.getByRole("cell", { name: "c", exact: true }).waitFor();
  assert.deepEqual(page.wrongs, []);
});

test("rows are saved as CSV", async (t) => {
  const { id } = await active("csv");
  const page = await open(t, browser, server, `#/csv/projects/${id}/database`);
  await page.getByRole("textbox", { name: "SQL" }).fill(`select 1 as n, 'a, "b"' as text, null as nothing, '{"x": 1}'::json as json`);
  await page.getByRole("button", { name: "Try on a fork" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the rows as CSV" }).click()]);
  assert.match(download.suggestedFilename(), /\.csv$/);
  assert.equal(await readFile(await download.path(), "utf8"), 'n,text,nothing,json\r\n1,"a, ""b""",,"{""x"":1}"');
});

test("completions leave the buttons free", async (t) => {
  const { id } = await active("completed");
  const page = await open(t, browser, server, `#/completed/projects/${id}/database`);
  const sql = page.getByRole("textbox", { name: "SQL" });
  await sql.fill("select 1 as on");
  await page.getByRole("listbox", { name: "Completions" }).waitFor();
  const [list, button] = await Promise.all([page.locator(".offer").boundingBox(), page.getByRole("button", { name: "Run", exact: true }).boundingBox()]);
  assert.ok(list.y + list.height <= button.y, `${JSON.stringify(list)} covers ${JSON.stringify(button)}`);
  await sql.fill("select 40 + 2 as answe");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("cell", { name: "42" }).waitFor();
});

test("secrets are set, listed by their digest, and deleted", async (t) => {
  const { world, id } = await active("secrets");
  const page = await open(t, browser, server, `#/secrets/projects/${id}/secrets`);
  await page.getByLabel("Name of the secret").fill("PAYMENT_KEY");
  await page.getByLabel("Value").fill("s3cret value");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByRole("cell", { name: "PAYMENT_KEY", exact: true }).waitFor();
  assert.ok(!(await page.getByRole("main").textContent()).includes("s3cret value"));
  assert.equal(await page.getByLabel("Value").inputValue(), "");
  await holds(page, "secrets");
  await page.getByRole("button", { name: "Delete secret PAYMENT_KEY" }).click();
  await page.getByRole("cell", { name: "PAYMENT_KEY", exact: true }).waitFor({ state: "detached" });
  const calls = (await world.call("GET", "/_sim/journal")).body.map(({ method, target }) => `${method} ${target}`);
  assert.deepEqual(calls.slice(-2), [`POST /v1/projects/${id}/secrets`, `DELETE /v1/projects/${id}/secrets`]);
});

test("branches are created, pushed to, merged, reset and deleted", async (t) => {
  const { world, id } = await active("branched");
  const page = await open(t, browser, server, `#/branched/projects/${id}/branches`);
  await page.getByRole("button", { name: "New branch" }).click();
  await page.getByLabel("Name", { exact: true }).fill("develop");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: "develop" });
  await row.waitFor();
  await world.call("POST", "/_sim/clock/advance", { ms: 600_000 });
  await row.getByText("FUNCTIONS_DEPLOYED").last().waitFor();
  for (const action of ["Push", "Merge", "Reset"]) {
    await row.getByRole("button", { name: action, exact: true }).click();
    await page.getByRole("status").getByText(/^(Pushing to|Merging|Resetting) develop/).waitFor();
    await world.call("POST", "/_sim/clock/advance", { ms: 600_000 });
  }
  await row.getByRole("button", { name: "Delete branch develop" }).click();
  await row.waitFor({ state: "detached" });
  const ended = (await world.call("GET", "/_sim/journal")).body.filter((call) => call.target.includes("/branches/"));
  assert.deepEqual(
    ended.map(({ method, target, status }) => `${method} ${target.split("/").slice(4).join("/")} ${status}`),
    ["POST push 201", "POST merge 201", "POST reset 201", "DELETE  200"],
  );
  assert.deepEqual(page.wrongs, []);
});

test("the time line of more than 1,000 calls ends with the last ones, and says how many are left out", async (t) => {
  const { world, id } = await active("busy", { policy: { rate_limit: { enabled: false } } });
  for (let call = 0; call < 1010; call++) await world.call("GET", `/v1/projects/${id}/health?services=db`);
  await world.call("POST", `/v1/projects/${id}/pause`);
  const page = await open(t, browser, server, `#/busy/projects/${id}`);
  const line = page.locator(".line");
  await line.getByText("POST /pause").waitFor();
  await line.getByText(/^1[0-9] earlier calls about this project/).waitFor();
  assert.deepEqual(page.wrongs, []);
});

test("the lifecycle shows the states next to the present one, the way so far, or all", async (t) => {
  const { world, id } = await active("lives");
  for (const action of ["pause", "restore"]) {
    await world.call("POST", `/v1/projects/${id}/${action}`);
    await world.call("POST", "/_sim/clock/advance", { ms: 900_000 });
  }
  const page = await open(t, browser, server, `#/lives/projects/${id}`);
  const diagram = page.getByRole("img", { name: "Lifecycle; the project is ACTIVE_HEALTHY" });
  const states = () => diagram.locator("g.state").count();
  await diagram.waitFor();
  const near = await states();
  await page.getByLabel("States").selectOption("path");
  await diagram.getByText("INACTIVE", { exact: true }).waitFor();
  const way = await states();
  await page.getByLabel("States").selectOption("all");
  await diagram.getByText("RESTORE_FAILED", { exact: true }).waitFor();
  assert.ok(near < (await states()) && way < (await states()), `${near}, ${way}, ${await states()}`);
  // No state covers another one, and none is outside.
  const boxes = await diagram.locator("rect").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  const outer = await diagram.boundingBox();
  for (const [at, a] of boxes.entries()) {
    assert.ok(a.left >= outer.x && a.right <= outer.x + outer.width && a.top >= outer.y && a.bottom <= outer.y + outer.height);
    for (const b of boxes.slice(at + 1)) assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top);
  }
  await holds(page, "life");
});
