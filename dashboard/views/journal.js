// The journal: all calls as they are made, and the details of one.

import { html, useState } from "../vendor/preact.js";
import { live, useLive, useLoad } from "../lib/api.js";
import { Body, Code } from "../lib/code.js";
import { Copies } from "../lib/copies.js";
import { List, useRows } from "../lib/list.js";
import { count, DAY, instant, timeOfDay } from "../lib/time.js";
import { attempt, Button, Change, Facts, Icon, Loaded, Panel, Status, Tabs, Target, useSettled, Wrong } from "../lib/ui.js";

const STATUSES = [
  ["", "any status"],
  ["200-299", "2xx"],
  ["300-399", "3xx"],
  ["400-499", "4xx"],
  ["429-429", "429"],
  ["500-599", "5xx"],
];
const STAGES = ["fault", "credentials", "rate_limit", "route", "validation", "permission", "existence", "state", "effect"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const COLUMNS = [
  ["Call", (call) => call.call, "c-call mono dim"],
  ["Time", (call) => timeOfDay(call.at), "c-time mono dim"],
  ["Method", (call) => call.method, "c-method mono"],
  ["Path", (call) => html`<${Target} of=${call.target} />`, "c-path mono"],
  ["Status", (call) => html`<${Status} of=${call.status} />`, "c-status mono"],
  ["Reason", (call) => call.fault ? html`<span class="fault-word"><${Icon} name="faults" />${call.fault}</span>` : call.reason, "c-reason dim"],
];

export function Journal({ world, path: [service = world.has("management") ? "management" : "analytics", number] }) {
  useLive();
  const [filter, set] = useState({ control: true });
  const change = (name) => (event) => set({ ...filter, [name]: event.target.value });
  const text = useSettled(filter.text ?? "");
  const projects = useLoad(() => (world.has("management") ? world.peek("/v1/projects") : []), [world.name]);
  const tokens = useLoad(() => (service === "management" ? world.peek("/_sim/tokens") : []), [world.name, service]);
  const clients = [...new Set((tokens.value ?? []).map((token) => token.user).filter(Boolean))];
  const words = [text, filter.project].filter(Boolean).join(" ");
  const query = new URLSearchParams({ service });
  if (words) query.set("text", words);
  if (filter.method) query.set("method", filter.method);
  if (filter.stage) query.set("refused_by", filter.stage);
  if (filter.client) query.set("client", filter.client);
  if (!filter.control) query.set("control", "false");
  if (filter.status) ["status_from", "status_to"].forEach((name, at) => query.set(name, filter.status.split("-")[at]));
  const load = async (offset, limit) => {
    const page = await world.control("GET", `/journal/search?${query}&offset=${offset}&limit=${limit}`);
    return { total: page.total, rows: page.calls, first: page.first };
  };
  const rows = useRows(load, [world.name, live.life, query.toString()], live.calls[service]);
  const at = (call) => `#/${world.name}/journal/${service}${call ? `/${call}` : ""}`;
  const select = (call) => {
    history.replaceState(undefined, "", at(call));
    dispatchEvent(new Event("hashchange"));
  };
  const isWhole = filter.control && !words && !filter.method && !filter.stage && !filter.status && !filter.client;
  const isNumber = /^\d+$/.test(number ?? "");
  return html`<div class=${number ? "split open" : "split"}>
    <section class="panel fill" aria-label="Calls">
      <div class="filters">
        ${world.info.service === "both" &&
        html`<${Tabs} label="Service" chosen=${service} of=${[["management", "/v1"], ["analytics", "/api"]]} href=${(one) => `#/${world.name}/journal/${one}`} />`}
        <label class="search"><${Icon} name="search" /><input type="search" aria-label="Part of path, operation or reason" placeholder="path, operation, reason" value=${filter.text} onInput=${change("text")} /></label>
        ${service === "management" && projects.value?.length > 0 && html`<select aria-label="Project" value=${filter.project ?? ""} onChange=${change("project")}>
          <option value="">any project</option>${projects.value.slice(0, 200).map((one) => html`<option value=${one.id}>${one.name}</option>`)}
        </select>`}
        ${clients.length > 0 && html`<select aria-label="Client" value=${filter.client ?? ""} onChange=${change("client")}>
          <option value="">any client</option>${clients.slice(0, 200).map((name) => html`<option value=${name}>${name}</option>`)}<option value="nobody">without a valid token</option>
        </select>`}
        <select aria-label="Method" onChange=${change("method")}><option value="">any method</option>${METHODS.map((one) => html`<option value=${one}>${one}</option>`)}</select>
        <select aria-label="Status" onChange=${change("status")}>${STATUSES.map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select>
        <select aria-label="Refused by" onChange=${change("stage")}><option value="">any result</option>${STAGES.map((one) => html`<option value=${one}>refused by ${one.replace("_", " ")}</option>`)}</select>
        <label class="check"><input type="checkbox" checked=${filter.control} onChange=${() => set({ ...filter, control: !filter.control })} /> control calls</label>
        <span class="dim total">${count(rows.total)}</span>
      </div>
      <${Wrong} error=${rows.error} />
      <${Histogram} world=${world} service=${service} filter=${{ ...filter, words, callers: filter.client && callersOf(filter.client, tokens.value ?? []) }} onChoose=${(call) => select(call)} />
      <${List}
        label="Journal"
        rows=${rows}
        columns=${COLUMNS}
        start=${isWhole && isNumber && rows.isKnown ? Number(number) - rows.first : undefined}
        isChosen=${(call) => call.call === Number(number)}
        onChoose=${(call) => select(call.call)}
        empty="No calls yet. Point a client at this world, or loosen the filter."
      />
    </section>
    ${number && !isNumber && html`<aside class="panel fill detail"><header><h2>There is no call ${number}: calls have numbers.</h2><a class="button quiet" href=${at()} aria-label="Close the call"><${Icon} name="close" /></a></header></aside>`}
    ${isNumber && html`<${Call} key=${`${service} ${number}`} world=${world} service=${service} number=${Number(number)} close=${at()} />`}
  </div>`;
}

/** The number of bars. Each is the same length of time. */
const BARS = 60;

/** A text in SQL. */
function quoted(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The callers of a client, as the journal writes them. */
function callersOf(client, tokens) {
  const own = tokens.filter((token) => token.user === client).map((token) => JSON.stringify({ token: token.id }));
  return client === "nobody" ? ["nobody"] : own;
}

/** The condition of the calls that the list shows. */
function condition(service, { words, method, stage, control, status, callers }) {
  const text = "lower(target || ' ' || coalesce(operation, '') || ' ' || coalesce(reason, '') || ' ' || coalesce(fault, ''))";
  const has = (word) => `instr(${text}, ${quoted(word.toLowerCase())}) > 0`;
  const parts = [
    `service = ${quoted(service)}`,
    "status is not null",
    ...words.split(/\s+/).filter(Boolean).map(has),
    method && `method = ${quoted(method)}`,
    stage && `refused_by = ${quoted(stage)}`,
    !control && "caller <> 'control'",
    callers && `caller in (${callers.map(quoted).join(", ")})`,
    status && `status between ${status.replace("-", " and ")}`,
  ];
  return parts.filter(Boolean).join(" and ");
}

/** Lengths of time in milliseconds, and how much of a timestamp is equal within one: a second, a minute, an hour, a day. */
const UNITS = [[1000, 19, "Z"], [60_000, 16, ":00Z"], [3_600_000, 13, ":00:00Z"], [DAY, 10, "T00:00:00Z"]];

/** The most units whose counts are loaded. */
const UNITS_MAX = 4000;

/** Counts of statuses in the shortest unit of time that is not too short for the span of the calls. */
async function statusesInTime(world, where) {
  const query = (sql) => world.control("POST", "/journal/query", { sql });
  const [{ first, last }] = await query(`select min(at) as first, max(at) as last from call where ${where}`);
  if (!first) return undefined;
  const span = Date.parse(last) - Date.parse(first);
  const [, length, rest] = UNITS.find(([ms]) => span / ms <= UNITS_MAX) ?? UNITS.at(-1);
  const rows = await query(`select substr(at, 1, ${length}) as unit, status / 100 as class, count(*) as calls, min(call) as call from call where ${where} group by 1, 2 order by 1, 2`);
  const bar = ({ unit }) => Math.min(BARS - 1, Math.max(0, Math.floor(((Date.parse(unit + rest) - Date.parse(first)) * BARS) / (span + 1))));
  const bars = Array.from({ length: BARS }, () => new Map());
  for (const row of rows) {
    const counts = bars[bar(row)];
    const known = counts.get(row.class) ?? { class: row.class, calls: 0, call: row.call, at: row.unit + rest };
    counts.set(row.class, { ...known, calls: known.calls + row.calls });
  }
  return { first, last, bars: bars.map((counts) => [...counts.values()].sort((a, b) => a.class - b.class)) };
}

/** The statuses of the calls in the list, over time. A click on a bar shows its first call. */
function Histogram({ world, service, filter, onChoose }) {
  const where = condition(service, filter);
  const counts = useLoad(() => statusesInTime(world, where), [world.name, where], { keep: true });
  if (!counts.value) return null;
  const { first, last, bars } = counts.value;
  const sum = (bar) => bar.reduce((total, row) => total + row.calls, 0);
  const most = Math.max(...bars.map(sum));
  const about = (bar) => (bar.length === 0 ? undefined : `from ${instant(bar[0].at)}: ${bar.map((row) => `${count(row.calls)} × ${row.class}xx`).join(", ")}`);
  const height = (row) => `${Math.max(4, (100 * row.calls) / most)}%`;
  return html`<div class="over-time">
    <div class="histogram" role="img" aria-label=${`Statuses of the calls from ${instant(first)} to ${instant(last)}, at most ${count(most)} calls in a bar`}>
      ${bars.map((bar) => html`<span title=${about(bar)} onClick=${() => bar.length > 0 && onChoose(Math.min(...bar.map((row) => row.call)))}>${[...bar].reverse().map((row) => html`<i class=${`s${row.class}`} style=${{ height: height(row) }}></i>`)}</span>`)}
    </div>
    <div class="ends mono dim"><span>${instant(first)}</span><span>${instant(last)}</span></div>
  </div>`;
}

const PARTS = [["answer", "Call"], ["why", "Decision"], ["changes", "Changes"], ["code", "Repeat"]];

function Call({ world, service, number, close }) {
  const [part, show] = useState("answer");
  const tokens = useLoad(() => (service === "management" ? world.peek("/_sim/tokens") : []), [world.name, service], { still: true });
  const explained = useLoad(() => world.control("GET", `/journal/${number}/explain?service=${service}`), [world.name, service, number], { still: true });
  return html`<aside class="panel fill detail" aria-label=${`Call ${number}`}>
    ${explained.error && html`<header><h2>Call ${number}</h2><a class="button quiet" href=${close} aria-label="Close the call"><${Icon} name="close" /></a></header>`}
    <${Loaded} from=${explained}>
      ${({ call, checks, because_of }) => html`
        <header>
          <h2><span class="dim">${number}</span> <span class="mono">${call.method}</span> <${Status} of=${call.status} /></h2>
          <a class="button quiet" href=${close} aria-label="Close the call"><${Icon} name="close" /></a>
        </header>
        <div class="tabs" role="tablist" aria-label="Parts of the call">
          ${PARTS.map(([id, name]) => html`<button role="tab" id=${`tab-${id}`} aria-selected=${part === id} aria-controls="part" onClick=${() => show(id)}>${name}</button>`)}
        </div>
        <div class="body" id="part" role="tabpanel" aria-labelledby=${`tab-${part}`} tabindex="0">
          ${part === "answer" && html`<${Answer} call=${call} tokens=${tokens.value ?? []} />`}
          ${part === "why" && html`<${Decision} world=${world} service=${service} call=${call} checks=${checks} causes=${because_of} />`}
          ${part === "changes" && html`<${Changes} world=${world} service=${service} number=${number} />`}
          ${part === "code" && html`<${Repeat} world=${world} service=${service} call=${call} />`}
        </div>
      `}
    </${Loaded}>
  </aside>`;
}

function Answer({ call, tokens }) {
  const user = tokens.find((token) => token.id === call.caller.token)?.user;
  const caller = typeof call.caller === "string" ? call.caller : user ?? `token ${call.caller.token}`;
  const message = messageOf(call.response);
  return html`
    <p class="target mono">${call.target}</p>
    <${Facts}
      of=${[
        ["At", html`<span class="mono">${instant(call.at)}</span>`],
        ["Operation", call.operation && html`<code>${call.operation}</code>`],
        ["Caller", `${caller}${call.role ? `, as ${call.role}` : ""}`],
        call.state && ["Project was", html`<${Status} of=${call.state} />`],
        call.reason && ["Refused", html`<code>${call.reason}</code>`],
        call.ignored?.length > 0 && ["Ignored", html`<code>${call.ignored.join(", ")}</code>`],
        call.fault && ["Fault", call.fault],
      ]}
    />
    <h3>Request</h3>
    <${Body} label="Request" text=${call.request} />
    <h3>Response</h3>
    ${message?.trim().includes("\n") && html`<${Code} label="Message" text=${message.trimEnd()} />`}
    <${Body} label="Response" text=${call.response} />
  `;
}

function Decision({ world, service, call, checks, causes }) {
  return html`
    <${Verdict} world=${world} service=${service} call=${call} checks=${checks} causes=${causes} />
    <ol class="checks">
      ${checks.map(
        (check) => html`<li class=${check.passed ? "passed" : "refused"}>
          <span>${check.stage.replace("_", " ")}</span><span class="dim">${check.passed ? "passed" : check.stage === call.refused_by ? "refused" : "applied"}</span>
          ${check.facts?.length > 0 &&
          html`<ul>
            ${check.facts.map(
              (fact) => html`<li><span class="dim">${fact.name}</span> <code>${fact.value}</code>
                ${fact.since_call && html` since <a href=${`#/${world.name}/journal/${service}/${fact.since_call}`}>call ${fact.since_call}</a>`}</li>`,
            )}
          </ul>`}
        </li>`,
      )}
    </ol>
    ${causes.length > 0 &&
    html`<h3>Earlier calls that matter</h3>
      <ul class="causes">
        ${causes.map((cause) => html`<li><a class="mono" href=${`#/${world.name}/journal/${service}/${cause.call}`}>${cause.call} ${cause.method} ${cause.target}</a> <${Status} of=${cause.status} /></li>`)}
      </ul>`}
  `;
}

/** What was decided, as a sentence, with the service's own message and the call that led to it. */
function Verdict({ world, service, call, checks, causes }) {
  const refused = checks.find((check) => !check.passed);
  const cause = causes.at(-1);
  const message = messageOf(call.response);
  const link = cause && html` because of <a href=${`#/${world.name}/journal/${service}/${cause.call}`}>call ${cause.call}</a>`;
  if (call.fault) return html`<p class="verdict warn">The fault ${call.fault} was applied to this call.${message && html` The answer says: <q>${message}</q>`}</p>`;
  if (!call.reason) return html`<p class="verdict good">All checks passed, and the call was made: ${call.status}.</p>`;
  return html`<p class="verdict bad">Refused with ${call.status} by the check of ${(refused?.stage ?? call.refused_by ?? "the service").replace("_", " ")}, reason <code>${call.reason}</code>${link}.${message && html` The answer says: <q>${message}</q>`}</p>`;
}

function messageOf(response) {
  try {
    const value = JSON.parse(response);
    const found = value.message ?? value.error ?? value.errors?.[0]?.detail;
    return typeof found === "string" ? found : found?.message;
  } catch {
    return undefined;
  }
}

function Changes({ world, service, number }) {
  const changes = useLoad(() => world.control("GET", `/journal/${number}/changes?service=${service}`), [world.name, service, number], { still: true });
  return html`<${Loaded} from=${changes} empty="The call changed nothing.">
    ${(all) => all.map((change) => html`<${Change} change=${change} />`)}
  </${Loaded}>`;
}

function Repeat({ world, service, call }) {
  const replay = () =>
    attempt(async () => {
      const fork = await world.control("POST", "/fork", { at_call: call.call });
      location.hash = `#/${fork.name}/journal`;
    }, `A fork as it was right after call ${call.call}`);
  return html`
    <h3>Continue from here</h3>
    <p>Fork the world as it was right after this call. The fork is independent.</p>
    <div class="actions start">
      <${Button} kind="primary" icon="fork" disabled=${service !== "management" && world.info.service === "both"} onClick=${replay}>Replay from here in a fork</${Button}>
      <a class="button" href=${`${world.base}/_sim/replay?service=${service}`}>Replay file</a>
    </div>
    <${Copies} world=${world} service=${service} call=${call} />
  `;
}
