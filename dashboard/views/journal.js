// The journal: all calls as they are made, and the details of one.

import { html, useState } from "../vendor/preact.js";
import { live, useLive, useLoad } from "../lib/api.js";
import { Body } from "../lib/code.js";
import { Copies } from "../lib/copies.js";
import { List, useRows } from "../lib/list.js";
import { count, instant, timeOfDay } from "../lib/time.js";
import { attempt, Button, cell, Facts, Icon, Loaded, Panel, Status, Tabs, useSettled, Wrong } from "../lib/ui.js";

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
  ["Path", (call) => call.target, "c-path mono"],
  ["Status", (call) => html`<${Status} of=${call.status} />`, "c-status mono"],
  ["Reason", (call) => call.fault ? html`<span class="fault-word"><${Icon} name="faults" />${call.fault}</span>` : call.reason, "c-reason dim"],
];

export function Journal({ world, path: [service = world.has("management") ? "management" : "analytics", number] }) {
  useLive();
  const [filter, set] = useState({ control: true });
  const change = (name) => (event) => set({ ...filter, [name]: event.target.value });
  const text = useSettled(filter.text ?? "");
  const query = new URLSearchParams({ service });
  if (text) query.set("text", text);
  if (filter.method) query.set("method", filter.method);
  if (filter.stage) query.set("refused_by", filter.stage);
  if (!filter.control) query.set("control", "false");
  if (filter.status) ["status_from", "status_to"].forEach((name, at) => query.set(name, filter.status.split("-")[at]));
  const load = async (offset, limit) => {
    const page = await world.control("GET", `/journal/search?${query}&offset=${offset}&limit=${limit}`);
    return { total: page.total, rows: page.calls, first: page.first };
  };
  const rows = useRows(load, [world.name, live.life, query.toString()], live.calls[service]);
  const at = (call) => `#/${world.name}/journal/${service}${call ? `/${call}` : ""}`;
  const isWhole = filter.control && !text && !filter.method && !filter.stage && !filter.status;
  return html`<div class=${number ? "split open" : "split"}>
    <section class="panel fill" aria-label="Calls">
      <div class="filters">
        ${world.info.service === "both" &&
        html`<${Tabs} label="Service" chosen=${service} of=${[["management", "/v1"], ["analytics", "/api"]]} href=${(one) => `#/${world.name}/journal/${one}`} />`}
        <label class="search"><${Icon} name="search" /><input type="search" aria-label="Part of path, operation or reason" placeholder="path, operation, reason" value=${filter.text} onInput=${change("text")} /></label>
        <select aria-label="Method" onChange=${change("method")}><option value="">any method</option>${METHODS.map((one) => html`<option value=${one}>${one}</option>`)}</select>
        <select aria-label="Status" onChange=${change("status")}>${STATUSES.map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select>
        <select aria-label="Refused by" onChange=${change("stage")}><option value="">any result</option>${STAGES.map((one) => html`<option value=${one}>refused by ${one.replace("_", " ")}</option>`)}</select>
        <label class="check"><input type="checkbox" checked=${filter.control} onChange=${() => set({ ...filter, control: !filter.control })} /> control calls</label>
        <span class="dim total">${count(rows.total)}</span>
      </div>
      <${Wrong} error=${rows.error} />
      <${Histogram} world=${world} service=${service} />
      <${List}
        label="Journal"
        rows=${rows}
        columns=${COLUMNS}
        start=${isWhole && number ? Number(number) - rows.first : undefined}
        isChosen=${(call) => call.call === Number(number)}
        onChoose=${(call) => {
          history.replaceState(undefined, "", at(call.call));
          dispatchEvent(new Event("hashchange"));
        }}
        empty="No calls yet. Point a client at this world, or loosen the filter."
      />
    </section>
    ${number && html`<${Call} key=${`${service} ${number}`} world=${world} service=${service} number=${Number(number)} close=${at()} />`}
  </div>`;
}

/** Counts of statuses in sixty bars, each of the same number of calls. */
const STATUSES_IN_ORDER = (service) => `with span as (select min(call) as a, max(call) as b from call where service = '${service}')
  select (call - a) * 60 / (b - a + 1) as bar, status / 100 as class, count(*) as calls, min(at) as at
  from call, span where service = '${service}' and status is not null group by 1, 2 order by 1, 2`;

function Histogram({ world, service }) {
  const counts = useLoad(() => world.control("POST", "/journal/query", { sql: STATUSES_IN_ORDER(service) }), [world.name, service]);
  const rows = counts.value ?? [];
  if (rows.length === 0) return null;
  const bars = Array.from({ length: 60 }, (_, bar) => rows.filter((row) => row.bar === bar));
  const sum = (bar) => bar.reduce((total, row) => total + row.calls, 0);
  const most = Math.max(...bars.map(sum));
  const about = (bar) => (bar.length === 0 ? undefined : `from ${instant(bar[0].at)}: ${bar.map((row) => `${count(row.calls)} × ${row.class}xx`).join(", ")}`);
  return html`<div class="histogram" role="img" aria-label="Statuses of the calls, oldest first">
    ${bars.map((bar) => html`<span title=${about(bar)}>${[...bar].reverse().map((row) => html`<i class=${`s${row.class}`} style=${{ height: `${Math.max(4, (100 * row.calls) / most)}%` }}></i>`)}</span>`)}
  </div>`;
}

const PARTS = [["answer", "Call"], ["why", "Decision"], ["changes", "Changes"], ["code", "Repeat"]];

function Call({ world, service, number, close }) {
  const [part, show] = useState("answer");
  const tokens = useLoad(() => (service === "management" ? world.peek("/_sim/tokens") : []), [world.name, service], { still: true });
  const explained = useLoad(() => world.control("GET", `/journal/${number}/explain?service=${service}`), [world.name, service, number], { still: true });
  return html`<aside class="panel fill detail" aria-label=${`Call ${number}`}>
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
  return html`
    <p class="target mono">${call.target}</p>
    <${Facts}
      of=${[
        ["At", html`<span class="mono">${instant(call.at)}</span>`],
        ["Operation", call.operation && html`<code>${call.operation}</code>`],
        ["Caller", `${caller}${call.role ? `, ${call.role}` : ""}`],
        call.state && ["Project was", html`<${Status} of=${call.state} />`],
        call.reason && ["Refused", html`<code>${call.reason}</code>`],
        call.ignored?.length > 0 && ["Ignored", html`<code>${call.ignored.join(", ")}</code>`],
        call.fault && ["Fault", call.fault],
      ]}
    />
    <h3>Request</h3>
    <${Body} label="Request" text=${call.request} />
    <h3>Response</h3>
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

function Change({ change: { table, key, before, after } }) {
  const kind = !before ? "new" : !after ? "gone" : "changed";
  const names = Object.keys({ ...before, ...after });
  return html`<section class=${`change ${kind}`}>
    <h3><span class="tag">${kind}</span> ${table} <code>${Object.values(key).join(" · ")}</code></h3>
    <dl>
      ${names.map(
        (name) => html`<div><dt>${name}</dt><dd class="mono">
          ${before && html`<del>${cell(before[name])}</del>`} ${before && after && "→"} ${after && html`<ins>${cell(after[name])}</ins>`}
        </dd></div>`,
      )}
    </dl>
  </section>`;
}

function Repeat({ world, service, call }) {
  const replay = () =>
    attempt(async () => {
      const fork = await world.control("POST", "/fork", { at_call: call.call });
      location.hash = `#/${fork.name}/journal`;
    }, `A fork as it was right after call ${call.call}`);
  const hides = call.request?.includes("•••");
  return html`
    <h3>Continue from here</h3>
    <p>Fork the world as it was right after this call. The fork is independent.</p>
    <div class="actions start">
      <${Button} kind="primary" icon="fork" disabled=${service !== "management" && world.info.service === "both"} onClick=${replay}>Replay from here in a fork</${Button}>
      <a class="button" href=${`${world.base}/_sim/replay?service=${service}`}>Replay file</a>
    </div>
    ${hides && html`<p class="dim">The journal masks secrets. Replace each ••• with yours.</p>`}
    <${Copies} world=${world} service=${service} call=${call} />
  `;
}
