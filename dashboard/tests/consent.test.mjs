// The page at which a user lets an OAuth app act for them, from the metadata to the tokens.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { DEMO, browse, holds, serve } from "./browser.mjs";

let app;
let server;
let browser;
let close;

before(async () => {
  app = createServer((request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><html lang=en><title>The app</title><main><h1>Back</h1></main>");
  });
  await new Promise((listening) => app.listen(0, "127.0.0.1", listening));
  server = await serve();
  ({ browser, close } = await browse());
});
after(async () => {
  await close?.();
  server?.stop();
  app?.close();
});

const back = () => `http://127.0.0.1:${app.address().port}/back`;

/** A world that asks at the page, its metadata, and a client that has registered itself. */
async function client(name) {
  const world = await server.world({ name, policy: { oauth_consent_page: true } });
  const metadata = (await server.ask("GET", `/w/${name}/.well-known/oauth-authorization-server`)).body;
  const body = JSON.stringify({ client_name: "Bob & <Co>", redirect_uris: [back()], scope: "projects:read secrets:read" });
  const headers = { "content-type": "application/json" };
  const registered = await fetch(metadata.registration_endpoint, { method: "POST", headers, body });
  assert.equal(registered.status, 201);
  return { world, metadata, ...(await registered.json()) };
}

/** A page at the authorization of the client, which the server sends to the consent page. */
async function asked(t, { metadata, client_id }) {
  const page = await browser.newPage();
  t.after(() => page.close());
  page.wrongs = [];
  page.on("console", (message) => message.type() === "error" && page.wrongs.push(message.text()));
  page.on("pageerror", (error) => page.wrongs.push(error.stack));
  page.setDefaultTimeout(20_000);
  const query = new URLSearchParams({ client_id, response_type: "code", redirect_uri: back(), state: "a state" });
  await page.goto(`${metadata.authorization_endpoint}?${query}`);
  return page;
}

test("a user allows an app, for one of two projects, and the app gets tokens for it", async (t) => {
  const asking = await client("allowing");
  const { world, metadata, client_id, client_secret } = asking;
  const one = (await world.call("POST", "/v1/projects", DEMO)).body.id;
  await world.call("POST", "/v1/projects", { ...DEMO, name: "other" });
  await world.call("POST", "/_sim/users", { name: "ben" });

  const page = await asked(t, asking);
  await page.getByRole("heading", { name: "Allow Bob & <Co> to act for you?" }).waitFor();
  await page.getByText("secrets:read").waitFor();
  await holds(page, "consent");
  await page.getByLabel("User").selectOption("owner");
  await page.getByLabel("demo").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Back" }).waitFor();

  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get("state"), "a state");
  const form = { grant_type: "authorization_code", code: searchParams.get("code"), redirect_uri: back(), client_id, client_secret };
  const answer = await fetch(metadata.token_endpoint, { method: "POST", body: new URLSearchParams(form) });
  assert.equal(answer.status, 201);
  const tokens = await answer.json();
  assert.deepEqual(tokens.project_refs, [one]);
  const listed = await world.call("GET", "/v1/projects", undefined, tokens.access_token);
  assert.deepEqual(listed.body.map(({ name }) => name), ["demo"]);
});

test("a user who presses Deny sends the app away", async (t) => {
  const asking = await client("denying");
  const page = await asked(t, asking);
  // A person can do it with the keyboard too.
  await page.getByRole("button", { name: "Deny" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Back" }).waitFor();
  const { searchParams } = new URL(page.url());
  assert.deepEqual([searchParams.get("error"), searchParams.get("code"), searchParams.get("state")], ["access_denied", null, "a state"]);
  const decided = (await asking.world.call("GET", "/_sim/journal")).body.filter(({ target }) => target === "/_sim/oauth/consent");
  assert.equal(decided.length, 1, "the decision is in the journal");
});
