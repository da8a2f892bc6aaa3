// Pages of other sites, in the browser of a user who runs a server, can neither read nor change anything.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { browse, serve } from "./browser.mjs";

const TOKEN = "known-to-the-page";

let site;
let server;
let context;

before(async () => {
  site = createServer((request, response) => response.setHeader("content-type", "text/html").end("<!doctype html><title>A site</title>"));
  await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
  server = await serve("--self-log", "--token", TOKEN);
  // Names of other sites, which the browser resolves to this machine.
  context = await browse("--host-resolver-rules=MAP *.test 127.0.0.1");
});
after(async () => {
  await context?.close();
  server?.stop();
  site?.close();
});

/** The worlds, and all calls except those for an icon, which the browser itself makes. */
async function state(of) {
  const [worlds, journal] = await Promise.all(["/_sim/worlds", "/_sim/journal"].map((path) => of.ask("GET", path)));
  const calls = journal.body.map(({ method, target }) => `${method} ${target}`);
  return { worlds: worlds.body.map(({ name }) => name), calls: calls.filter((call) => call !== "GET /favicon.ico") };
}

/** Sends everything that a page can send to a server at `url`; returns what the page learnt from each attempt. */
async function attempts({ url, token }) {
  const tried = {};
  const attempt = async (name, work) => {
    const late = new Promise((_, refuse) => setTimeout(() => refuse(new Error("late")), 5000));
    tried[name] = await Promise.race([work(), late]).then((found) => (found instanceof Element ? "loaded" : found ?? "nothing"), (error) => error.name);
  };
  const authorization = `Bearer ${token}`;
  const json = JSON.stringify({ name: "Made by a page" });
  const paths = ["/v1/organizations", "/api/sources", "/_sim/worlds", "/_sim/reset", "/w/main/v1/organizations", "/dashboard/app.js", "/"];
  for (const path of paths) {
    await attempt(`GET ${path}`, async () => (await fetch(url + path)).status);
    await attempt(`GET ${path} with the token`, async () => (await fetch(url + path, { headers: { authorization } })).status);
    await attempt(`POST ${path}`, async () => (await fetch(url + path, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: json })).status);
    await attempt(`simple POST ${path}`, async () => (await fetch(`${url}${path}?api_key=${token}`, { method: "POST", body: json })).status);
    await attempt(`POST ${path} unseen`, async () => (await fetch(`${url}${path}?api_key=${token}`, { method: "POST", mode: "no-cors", body: json })).type);
    await attempt(`GET ${path} unseen`, async () => (await fetch(`${url}${path}?api_key=${token}`, { mode: "no-cors", credentials: "include" })).type);
    await attempt(`beacon ${path}`, async () => void navigator.sendBeacon(`${url}${path}?api_key=${token}`, json));
    const element = (tag, fields) =>
      new Promise((loaded, refuse) => {
        const made = Object.assign(document.createElement(tag), fields);
        made.addEventListener("load", () => loaded(made));
        made.addEventListener("error", () => refuse(new Error("refused")));
        document.body.append(made);
      });
    await attempt(`script ${path}`, () => element("script", { src: url + path }));
    await attempt(`module ${path}`, () => element("script", { src: url + path, type: "module" }));
    await attempt(`style ${path}`, () => element("link", { href: url + path, rel: "stylesheet" }));
    await attempt(`image ${path}`, () => element("img", { src: url + path }));
    await attempt(`form ${path}`, async () => {
      const frame = await element("iframe", { name: `frame-of-${path}` });
      const sent = new Promise((loaded) => frame.addEventListener("load", () => loaded()));
      const form = Object.assign(document.createElement("form"), { action: `${url}${path}?api_key=${token}`, method: "post", target: frame.name, enctype: "text/plain" });
      form.append(Object.assign(document.createElement("input"), { name: '{"name":"', value: 'Made by a page"}' }));
      document.body.append(form);
      form.submit();
      await sent;
      return frame.contentDocument === null ? "unreadable" : "readable";
    });
    await attempt(`socket ${path}`, () =>
      new Promise((opened, refuse) => {
        const socket = new WebSocket(`${url.replace(/^http/, "ws")}${path}?api_key=${token}`);
        socket.onopen = () => opened("open");
        socket.onerror = () => refuse(new Error("refused"));
      }));
  }
  await attempt("events", () =>
    new Promise((opened, refuse) => {
      const events = new EventSource(`${url}/_sim/events`);
      events.onopen = () => opened("open");
      events.onerror = () => (events.close(), refuse(new Error("refused")));
    }));
  return tried;
}

for (const [who, host] of [["another site", "evil.test"], ["another port of this machine", "localhost"]]) {
  test(`a page of ${who} reads and changes nothing`, async () => {
    const page = await context.browser.newPage();
    const before = await state(server);
    await page.goto(`http://${host}:${site.address().port}/`);
    const tried = await page.evaluate(attempts, { url: server.url, token: TOKEN });
    for (const [name, found] of Object.entries(tried)) {
      const isSent = /^(form|beacon) /.test(name);
      assert.ok((isSent ? ["unreadable", "nothing"] : ["TypeError", "Error"]).includes(found), `${name}: ${found}`);
    }
    assert.deepEqual(await state(server), before);
    await page.close();
  });
}

test("a page whose name was made to lead here reads and changes nothing", async () => {
  const page = await context.browser.newPage();
  const before = await state(server);
  const url = `http://evil.test:${new URL(server.url).port}`;
  const answer = await page.goto(`${url}/dashboard`);
  assert.equal(answer.status(), 403);
  // The page that was shown before now has the same origin as the server.
  const statuses = await page.evaluate(
    async ([token, paths]) => {
      const statuses = [];
      for (const path of paths) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const options = { method, headers: { authorization: `Bearer ${token}` }, body: method === "POST" ? "{}" : undefined };
          statuses.push((await fetch(path, options)).status);
        }
      }
      return statuses;
    },
    [TOKEN, ["/v1/organizations", "/api/sources", "/_sim/worlds", "/_sim/reset", "/w/main/v1/organizations", "/dashboard/app.js", "/"]],
  );
  assert.deepEqual(new Set(statuses), new Set([403]));
  assert.deepEqual(await state(server), before);
  await page.close();
});

test("a page of an allowed origin reads and changes what it is told to", async (t) => {
  const origin = `http://friend.test:${site.address().port}`;
  const open = await serve("--token", TOKEN, "--allow-origin", origin);
  t.after(() => open.stop());
  const page = await context.browser.newPage();
  await page.goto(origin);
  const status = await page.evaluate(
    async ([url, token]) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return (await fetch(`${url}/v1/organizations`, { method: "POST", headers, body: '{"name":"Shop"}' })).status;
    },
    [open.url, TOKEN],
  );
  assert.equal(status, 201);
  await page.close();
});
