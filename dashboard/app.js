// The frame of all pages: choice of world and view, and the world's clock.

import { html, render, useEffect, useRef, useState } from "./vendor/preact.js";
import { choose, listWorlds, live, now, told, useLive, World } from "./lib/api.js";
import { instant, relative, some } from "./lib/time.js";
import { attempt, Button, Corner, Icon, useTicks } from "./lib/ui.js";
import { Analytics } from "./views/analytics.js";
import { Compare } from "./views/compare.js";
import { Controls } from "./views/controls.js";
import { Coverage } from "./views/coverage.js";
import { Faults } from "./views/faults.js";
import { Journal } from "./views/journal.js";
import { Limits } from "./views/limits.js";
import { Keys } from "./views/palette.js";
import { Project } from "./views/project.js";
import { Projects } from "./views/projects.js";
import { Worlds } from "./views/worlds.js";

/** The views: id, title, component, and the service that the world must have. */
const VIEWS = [
  ["worlds", "Worlds", Worlds],
  ["projects", "Projects", ({ world, path }) => (path[0] ? html`<${Project} world=${world} path=${path} />` : html`<${Projects} world=${world} />`), "management"],
  ["journal", "Journal", Journal],
  ["faults", "Faults", Faults],
  ["controls", "Controls", Controls],
  ["compare", "Compare", Compare],
  ["coverage", "Coverage", Coverage],
  ["limits", "Rate limit", Limits, "management"],
  ["analytics", "Analytics", Analytics, "analytics"],
];

/** The path of each service. */
const PATHS = { management: "/v1", analytics: "/api" };

/** Parses `#/main/journal/management/17`; `wrong` is the error if the page can't be shown. */
function route() {
  let parts;
  try {
    parts = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return { name: "main", view: "worlds", path: [], wrong: `The part ${location.hash} of the address can't be read.` };
  }
  const [name = "", view = "", ...path] = parts;
  const at = { name: name || "main", view: view || "worlds", path };
  const isKnown = VIEWS.some(([id]) => id === at.view);
  return isKnown ? at : { ...at, view: "worlds", path: [], wrong: `There is no view ${at.view}.` };
}

function useRoute() {
  const [at, set] = useState(route);
  useEffect(() => {
    const follow = () => set(route());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return at;
}

const SPEEDS = [0, 1, 60, 3600, 86400];
const SPEED_NAMES = { 0: "paused", 1: "real time", 60: "1 min/s", 3600: "1 h/s", 86400: "1 d/s" };

/** The clock of the world, and the buttons that advance it. */
function Clock({ world }) {
  useLive();
  useTicks(live.clock?.speed > 0 ? 200 : 5000);
  if (!live.clock) return html`<div class="clock"></div>`;
  const { next_due, pace, speed } = live.clock;
  const move = (body) => attempt(async () => told(await world.control("POST", "/clock/advance", body)));
  const setSpeed = (event) => attempt(async () => told(await world.control("PATCH", "/clock", { speed: Number(event.target.value) })));
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed];
  return html`<div class="clock">
    <time class="mono" title="Simulated time, UTC; pace: ${pace}">${instant(now())}</time>
    <label class="speed"><span class="hidden">Speed</span>
      <select aria-label="Speed" value=${speed} onChange=${setSpeed}>
        ${speeds.map((one) => html`<option value=${one}>${SPEED_NAMES[one] ?? `${one} ×`}</option>`)}
      </select>
    </label>
    <div class="group">
      <${Button} onClick=${() => move({ ms: 60_000 })} title="Advance by a minute">+1 min</${Button}>
      <${Button} onClick=${() => move({ ms: 3_600_000 })} title="Advance by an hour">+1 h</${Button}>
      <${Button} onClick=${() => move({ ms: 86_400_000 })} title="Advance by a day">+1 d</${Button}>
      <${Button} icon="skip" disabled=${!next_due} onClick=${() => move({ to: "next_due" })} title="Advance to the next work">
        ${next_due ? html`<span class="wide">next ${relative(next_due, now())}</span>` : html`<span class="wide">nothing due</span>`}
      </${Button}>
    </div>
  </div>`;
}

function Theme() {
  const turn = () => {
    const { theme } = document.documentElement.dataset;
    const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = localStorage.theme = dark ? "light" : "dark";
    dispatchEvent(new Event("themechange"));
  };
  return html`<${Button} kind="quiet" icon="theme" label="Light or dark" onClick=${turn} />`;
}

function Picker({ name, view }) {
  useLive();
  const [worlds, set] = useState([]);
  useEffect(() => {
    listWorlds().then(set, () => {});
  }, [name, live.world, Math.floor(live.version / 10)]);
  const names = worlds.map((world) => world.name);
  const all = names.includes(name) ? names : [...names, name];
  return html`<select class="picker" aria-label="World" value=${name} onChange=${(event) => (location.hash = `#/${event.target.value}/${view}`)}>
    ${all.map((one) => html`<option value=${one}>${one}</option>`)}
  </select>`;
}

function App() {
  const at = useRoute();
  const [state, set] = useState({});
  useLive();
  useEffect(() => {
    const world = new World(at.name);
    // The answer about a world that was left meanwhile must not replace the present one.
    let left = false;
    const show = (state) => left || set(state);
    choose(world).then(
      () => show({ world }),
      (error) => show({ error }),
    );
    return () => (left = true);
  }, [at.name]);
  const { world, error } = state;
  const isHere = world?.name === at.name && !at.wrong;
  const isGone = isHere && !live.open && live.lost !== undefined;
  const [, title, View, service] = VIEWS.find(([id]) => id === at.view) ?? VIEWS[0];
  useEffect(() => {
    document.title = `${title} · ${at.name} · Stuntdouble`;
  }, [title, at.name]);
  const nav = useRef();
  // On a narrow screen the views are a row, and the chosen one may be out of sight.
  useEffect(() => {
    const chosen = nav.current.querySelector("[aria-current]");
    if (chosen) nav.current.scrollLeft = chosen.offsetLeft - (nav.current.clientWidth - chosen.offsetWidth) / 2;
  }, [at.view, isHere]);
  const views = VIEWS.filter(([, , , needs]) => !needs || !isHere || world.has(needs));
  const calls = Object.entries(live.calls);
  return html`
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), document.getElementById("main").focus())}>Skip to content</a>
    <header class="top">
      <a class="brand" href=${`#/${at.name}/worlds`}><img src="/dashboard/icon.svg" alt="" width="22" height="22" /><span>Stuntdouble</span></a>
      <${Picker} name=${at.name} view=${at.view} />
      <span class=${`pulse ${live.open ? "on" : ""}`} title=${live.open ? "Connected" : "Not connected: the server does not answer"}>${live.open || calls.length > 0 ? calls.map(([service, number]) => `${calls.length > 1 ? `${PATHS[service]} ` : ""}${some(number, "call")}`).join(" · ") : "not connected"}</span>
      ${isHere && html`<${Clock} world=${world} />`}
      <${Theme} />
    </header>
    <nav class="side" aria-label="Views" ref=${nav}>
      ${views.map(
        ([id, name]) => html`<a href=${`#/${at.name}/${id}`} aria-current=${id === at.view ? "page" : undefined}><${Icon} name=${id} /><span>${name}</span></a>`,
      )}
    </nav>
    <main id="main" tabindex="-1" class=${`view-${at.view}`}>
      <h1 class="hidden">${title}</h1>
      ${isGone && html`<p class="wrong gone" role="alert">The server does not answer. Is it still running? What you see is its last state.</p>`}
      ${at.wrong && html`<p class="wrong" role="alert">${at.wrong} <a href=${`#/${encodeURIComponent(at.name)}/worlds`}>Show the worlds</a></p>`}
      ${!at.wrong && !isGone && error && html`<p class="wrong" role="alert">${error.message} <a href="#/main/worlds">Go to the world main</a></p>`}
      ${isHere && (!service || world.has(service)) && html`<${View} key=${at.name} world=${world} path=${at.path} />`}
      ${isHere && service && !world.has(service) && html`<p class="none">This world has no ${service === "analytics" ? "analytics server" : "management API"}.</p>`}
    </main>
    ${isHere && html`<${Keys} world=${world} views=${views} />`}
    <${Corner} />
  `;
}

if (localStorage.theme) document.documentElement.dataset.theme = localStorage.theme;
render(html`<${App} />`, document.body);
