// One source: search in its events, with their volume over time, and new ones as they come.

import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { useLive, useLoad, live } from "../lib/api.js";
import { Chart } from "../lib/chart.js";
import { Body } from "../lib/code.js";
import { Editor } from "../lib/editor.js";
import { List, useRows } from "../lib/list.js";
import { instant, length, some, timeOfDay } from "../lib/time.js";
import { attempt, Button, cell, Form, Loaded, Panel, Wrong } from "../lib/ui.js";

/** Time ranges, each with its filter. */
const RANGES = [["", "All time"], ["t:last@15min", "Last 15 minutes"], ["t:last@1hour", "Last hour"], ["t:last@1day", "Last day"], ["t:today", "Today"], ["t:yesterday", "Yesterday"], ["t:last@7days", "Last 7 days"]];

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** Words that any search may have. */
const WORDS = [
  ...RANGES.slice(1).map(([text, kind]) => ({ text, kind })),
  ...LEVELS.map((level) => ({ text: `m.level:${level}`, kind: "level" })),
  { text: "m.level:>=warning", kind: "level" },
];

/** What a search may consist of, up to the caret. */
const PART = /[^\s"]*$/;

export function Source({ world, source, token }) {
  useLive();
  const [typed, type] = useState("");
  const [search, look] = useState("");
  const [range, choose] = useState("");
  const [paths, setPaths] = useChosenPaths(world.name, token);
  const filter = [search, range].filter(Boolean).join(" ");
  const schema = source?.[`${world.called("wh")}_table_schema`] ?? {};
  const fields = Object.keys(schema).filter((path) => !["id", "timestamp", "event_message"].includes(path)).map(short).sort();
  const words = useMemo(() => [...fields.map((path) => ({ text: `${path}:`, kind: "field" })), ...WORDS], [fields.join()]);
  const run = () => look(typed.trim());
  const open = (one) => {
    type(one);
    look(one);
    choose("");
  };
  const show = (event) => setPaths([...paths, event.target.value]);
  return html`
    <${Panel} title=${`Search in ${source?.name ?? token}`} aside=${html`<${Saved} world=${world} source=${source} filter=${filter} onOpen=${open} />`}>
      <${Editor} label="Search" rows=${1} single part=${PART} language="text" value=${typed} onInput=${type} onRun=${run} words=${words} />
      <div class="actions start">
        <${Button} kind="primary" icon="search" onClick=${run}>Search</${Button}>
        <select aria-label="Time range" value=${range} onChange=${(event) => choose(event.target.value)}>${RANGES.map(([id, title]) => html`<option value=${id}>${title}</option>`)}</select>
        <select aria-label="Add a column" value="" onChange=${show}>
          <option value="">Add a column …</option>
          ${fields.filter((path) => !paths.includes(path)).map((path) => html`<option value=${path}>${path}</option>`)}
        </select>
        ${paths.map((path) => html`<${Button} key=${path} kind="quiet" icon="close" label=${`Remove the column ${path}`} onClick=${() => setPaths(paths.filter((one) => one !== path))}>${path}</${Button}>`)}
      </div>
    </${Panel}>
    <${Found} world=${world} token=${token} filter=${filter} paths=${paths} />
  `;
}

/** The numbers of bars in the chart, before and after zooming in. */
const COARSE = 60;
const FINE = 900;

/** The events that a filter finds, and their volume. */
function Found({ world, token, filter, paths }) {
  const [chosen, choose] = useState();
  const wanted = new URLSearchParams(filter ? { search: filter } : {});
  const [isZoomed, zoom] = useState(false);
  const volume = useLoad(() => world.peek(`/_sim/sources/${token}/volume?stretches=${isZoomed ? FINE : COARSE}&${wanted}`), [token, filter, isZoomed], { keep: true });
  const load = async (offset, limit) => {
    const page = await world.peek(`/_sim/sources/${token}/events?offset=${offset}&limit=${limit}&${wanted}`);
    return { total: page.total, rows: page.events };
  };
  const rows = useRows(load, [world.name, live.life, token, filter], live.version);
  const send = async ({ message }) => {
    let event = { event_message: message };
    try {
      event = JSON.parse(message);
    } catch {
      // It is a plain message.
    }
    await world.act("POST", `/api/logs?source=${token}`, event);
  };
  const isLong = filter !== "" || (volume.value?.stretch_us ?? 0) * (volume.value?.counts.length ?? 0) > 86_400e6;
  const columns = [
    ["Time", (event) => html`<span title=${instant(event.timestamp / 1000)}>${isLong ? instant(event.timestamp / 1000).slice(5) : timeOfDay(event.timestamp / 1000)}</span>`, "c-time mono dim"],
    ["Level", (event) => event.metadata?.level ?? event.level ?? "", "c-level mono"],
    ...paths.map((path) => [path, (event) => valueAt(event, path), "mono"]),
    ["Message", (event) => event.event_message ?? "", "c-message mono"],
  ];
  return html`
    <${Panel} title="Volume" aside=${volume.value?.from && html`<span class="dim">events in each ${length(volume.value.stretch_us / 1000)}</span>`}>
      <${Loaded} from=${volume}>
        ${({ from, stretch_us, counts }) =>
          from
            ? html`<${Chart} key=${filter} label="Events over time" bars onZoom=${(range) => zoom(range !== undefined)} series=${[{ label: "events", values: counts }]} xs=${counts.map((_, at) => Date.parse(from) / 1000 + (at * stretch_us) / 1e6)} />`
            : html`<p class="none">${filter ? "No event is found" : "No events yet"}</p>`}
      </${Loaded}>
    </${Panel}>
    <div class=${chosen ? "split open" : "split"}>
      <section class="panel fill tail" aria-label="Live tail" style=${{ "--columns": "minmax(0, 140px) ".repeat(paths.length) }}>
        <div class="filters">
          <h2>Live tail</h2><span class="dim total">${some(rows.total, "event")}</span>
          <${Form} kind="inline push" submit="Send" onSubmit=${send}><input name="message" aria-label="Event to send" placeholder="a message, or JSON" required /></${Form}>
        </div>
        <${Wrong} error=${rows.error} />
        <${List} label="Events" rows=${rows} columns=${columns} isChosen=${(event) => event.id === chosen?.id} onChoose=${choose} empty=${filter ? "No event is found" : "No events yet"} />
      </section>
      ${chosen &&
      html`<aside class="panel fill detail" aria-label="Event">
        <header><h2>Event</h2><${Button} kind="quiet" icon="close" label="Close the event" onClick=${() => choose(undefined)} /></header>
        <div class="body"><${Body} label="Event" text=${JSON.stringify(chosen)} /></div>
      </aside>`}
    </div>
  `;
}

/** Searches that are kept: endpoints of the world in the language of searches. */
function Saved({ world, source, filter, onOpen }) {
  const endpoints = useLoad(() => world.peek("/api/endpoints"), [world.name]);
  const from = `f:"${source?.name}" `;
  const own = (endpoints.value ?? []).filter((one) => one.language === "lql" && one.query.startsWith(from));
  const save = async (event) => {
    event.preventDefault();
    const name = new FormData(event.target).get("name");
    event.target.reset();
    await attempt(() => world.act("POST", "/api/endpoints", { name, language: "lql", query: from + filter }), `Saved as ${name}`);
    endpoints.reload();
  };
  return html`
    ${own.length > 0 &&
    html`<select aria-label="Saved searches" value="" onChange=${(event) => onOpen(event.target.value)}>
      <option value="">Saved searches …</option>
      ${own.map((one) => html`<option value=${one.query.slice(from.length)}>${one.name}</option>`)}
    </select>`}
    <form class="inline push" onSubmit=${save}>
      <input name="name" aria-label="Name of the search" placeholder="name of the search" required />
      <button class="button" disabled=${filter === ""}>Save the search</button>
    </form>
  `;
}

/** The columns of a source that this browser shows. */
function useChosenPaths(world, token) {
  const key = `columns ${world} ${token}`;
  const [paths, set] = useState(() => {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
      return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
    } catch {
      return [];
    }
  });
  useEffect(() => localStorage.setItem(key, JSON.stringify(paths)), [key, paths]);
  return [paths, set];
}

/** A path as searches spell it. */
function short(path) {
  return path.replace(/^metadata\./, "m.");
}

/** The value at a path, through the lists on the way. */
function valueAt(event, path) {
  const steps = path.replace(/^m\./, "metadata.").split(".");
  const found = steps.reduce((values, step) => values.flatMap((value) => value?.[step] ?? []), [event]);
  return found.length === 0 ? "" : found.map(cell);
}
