// The analytics server: sources and their events, queries, saved endpoints, teams, messages.

import { html, useMemo, useState } from "../vendor/preact.js";
import { useLoad } from "../lib/api.js";
import { Chart, drawable } from "../lib/chart.js";
import { Body, Code } from "../lib/code.js";
import { Editor } from "../lib/editor.js";
import { count, instant, some } from "../lib/time.js";
import { attempt, Button, Dialog, Facts, Field, Form, Loaded, Panel, Result, Status, Table, Tabs, Wrong } from "../lib/ui.js";
import { Source } from "./search.js";

const PARTS = [["sources", "Sources"], ["query", "Query"], ["endpoints", "Endpoints"], ["teams", "Teams"], ["outbox", "Outbox"]];
const VIEWS = { sources: Sources, query: Query, endpoints: Endpoints, teams: Teams, outbox: Outbox };

export function Analytics({ world, path: [part = "sources", ...rest] }) {
  const Part = VIEWS[part] ?? Sources;
  return html`
    <${Tabs} label="Parts of the analytics server" of=${PARTS} chosen=${part} href=${(id) => `#/${world.name}/analytics/${id}`} />
    <${Part} world=${world} path=${rest} />
  `;
}

// Sources

function Sources({ world, path: [token] }) {
  const [dialog, open] = useState(false);
  const sources = useLoad(() => world.peek("/api/sources"), [world.name]);
  const href = (one) => `#/${world.name}/analytics/sources/${one.token}`;
  const columns = [
    ["Source", (one) => html`<a href=${href(one)} aria-current=${one.token === token ? "true" : undefined}>${one.name}</a>`],
    ["Events", (one) => count(one.metrics.inserts), "right mono"],
    ["Last s", (one) => one.metrics.rate, "right mono"],
    ["Avg /s", (one) => one.metrics.avg, "right mono narrow-off"],
    ["Max /s", (one) => one.metrics.max, "right mono narrow-off"],
    ["Rejected", (one) => (one.metrics.rejected ? html`<strong class="hit">${count(one.metrics.rejected)}</strong>` : html`<span class="dim">0</span>`), "right mono"],
    ["Fields", (one) => one.metrics.fields, "right mono narrow-off"],
    ["Latest", (one) => (one.metrics.latest ? instant(one.metrics.latest) : ""), "mono narrow-off"],
  ];
  const create = async ({ name }) => {
    const made = await world.act("POST", "/api/sources", { name });
    open(false);
    location.hash = href(made);
  };
  return html`
    <${Panel} title="Sources" flush short=${token !== undefined} aside=${html`<${Button} icon="plus" onClick=${() => open(true)}>New source</${Button}>`}>
      <${Loaded} from=${sources} empty="No sources: make one, and send events to it.">
        ${(all) => html`<${Table} label="Sources" columns=${columns} rows=${all} keyOf=${(one) => one.token} onRow=${(one) => (location.hash = href(one))} />`}
      </${Loaded}>
    </${Panel}>
    ${token && html`<${Source} key=${token} world=${world} source=${sources.value?.find((one) => one.token === token)} token=${token} />`}
    ${dialog && html`<${Dialog} title="New source" onClose=${() => open(false)}><${Form} submit="Create" onSubmit=${create}><${Field} label="Name"><input name="name" required /></${Field}></${Form}></${Dialog}>`}
  `;
}

// Query

const KEYWORDS = "select from where group by order limit join cross left on unnest as timestamp_trunc timestamp_sub timestamp_diff countif count sum avg min max regexp_contains safe_cast cast string int64 float64 current_timestamp interval with distinct qualify having struct array".split(" ");

function Query({ world }) {
  const sources = useLoad(() => world.peek("/api/sources"), [world.name]);
  const warehouse = world.called("wh");
  const dialects = [[`${warehouse}_sql`, world.called("warehouse")], ["pg_sql", "PostgreSQL"]];
  const [dialect, speak] = useState(dialects[0][0]);
  const [text, type] = useState();
  const [state, set] = useState({});
  const [name, call] = useState("");
  const first = sources.value?.find((one) => one.metrics.inserts > 0) ?? sources.value?.[0];
  // Computed once, before the user can type: the text of the field must not change while typing.
  const begun = useMemo(() => first && `select timestamp, event_message\nfrom \`${first.name}\`\norder by timestamp desc\nlimit 100`, [world.name, first === undefined]);
  const shown = text ?? begun ?? "";
  const words = useMemo(() => {
    const all = sources.value ?? [];
    const fields = new Set(all.flatMap((one) => Object.keys(one[`${warehouse}_table_schema`] ?? {})).flatMap((path) => [path, path.split(".").at(-1)]));
    return [
      ...all.map((one) => ({ text: /^\w+$/.test(one.name) ? one.name : `\`${one.name}\``, kind: "source" })),
      ...[...fields].map((one) => ({ text: one, kind: "field" })),
      ...KEYWORDS.map((one) => ({ text: one, kind: "keyword" })),
    ];
  }, [sources.value]);
  const run = async () => {
    const begun = performance.now();
    set({ busy: true });
    try {
      const { result } = await world.peek(`/api/query?${new URLSearchParams({ [dialect]: shown })}`);
      set({ rows: result, took: performance.now() - begun });
    } catch (error) {
      set({ error });
    }
  };
  const save = () => attempt(() => world.act("POST", "/api/endpoints", { name, query: shown, language: dialect }), `Saved as ${name}`);
  const drawing = drawable(state.rows);
  return html`
    <${Panel} title="Query" aside=${html`<select aria-label="Dialect" value=${dialect} onChange=${(event) => speak(event.target.value)}>${dialects.map(([id, one]) => html`<option value=${id}>${one}</option>`)}</select>`}>
      <${Editor} label="Query" value=${shown} onInput=${type} onRun=${run} words=${words} disabled=${sources.loading} />
      <div class="actions start">
        <${Button} kind="primary" icon="play" disabled=${state.busy} onClick=${run}>Run</${Button}>
        <input aria-label="Name of the endpoint" placeholder="name of an endpoint" value=${name} onInput=${(event) => call(event.target.value)} />
        <${Button} disabled=${name === ""} onClick=${save}>Save as endpoint</${Button}>
        ${state.rows && html`<span class="dim">${some(state.rows.length, "row")} in ${state.took.toFixed(0)} ms</span>`}
      </div>
      <${Wrong} error=${state.error} />
    </${Panel}>
    ${drawing && html`<${Panel} title="Chart"><${Chart} label="Result as a chart" ...${drawing} /></${Panel}>`}
    ${state.rows && html`<${Panel} title="Rows" flush><${Result} label="Rows" rows=${state.rows} /></${Panel}>`}
  `;
}

// Endpoints

function Endpoints({ world, path: [token] }) {
  const endpoints = useLoad(() => world.peek("/api/endpoints"), [world.name]);
  const href = (one) => `#/${world.name}/analytics/endpoints/${one.token}`;
  const columns = [
    ["Endpoint", (one) => html`<a href=${href(one)}>${one.name}</a>`],
    ["Language", (one) => one.language],
    ["Cached for", (one) => (one.cache_duration_seconds ? `${count(one.cache_duration_seconds)} s` : "no"), "narrow-off"],
    ["Refreshed", (one) => (one.proactive_requerying_seconds ? `every ${count(one.proactive_requerying_seconds)} s` : "no"), "narrow-off"],
    ["Token needed", (one) => (one.enable_auth ? "yes" : "no")],
    ["Sandbox", (one) => (one.sandboxable ? "yes" : "no"), "narrow-off"],
  ];
  const chosen = endpoints.value?.find((one) => one.token === token);
  return html`
    <${Panel} title="Endpoints" flush>
      <${Loaded} from=${endpoints} empty="No endpoints. A query can be saved as one.">
        ${(all) => html`<${Table} label="Endpoints" columns=${columns} rows=${all} keyOf=${(one) => one.token} onRow=${(one) => (location.hash = href(one))} />`}
      </${Loaded}>
    </${Panel}>
    ${chosen && html`<${Endpoint} key=${token} world=${world} endpoint=${chosen} />`}
  `;
}

function Endpoint({ world, endpoint }) {
  const [state, set] = useState({});
  const kept = useLoad(() => world.peek(`/_sim/endpoints/${endpoint.token}/cache`), [endpoint.token]);
  const names = [...new Set([...endpoint.query.matchAll(/@(\w+)/g)].map((match) => match[1]))];
  const run = async (fields) => {
    const answer = await world.act("GET", `/api/endpoints/query/${endpoint.token}?${new URLSearchParams(fields)}`);
    set({ rows: answer.result ?? [] });
    if (answer.error) throw new Error(typeof answer.error === "string" ? answer.error : JSON.stringify(answer.error));
  };
  const columns = [
    ["Parameters", (one) => html`<code>${JSON.stringify(one.parameters)}</code>`],
    ["Made", (one) => instant(one.made_at), "mono"],
    ["Refreshed", (one) => instant(one.refreshed_at), "mono narrow-off"],
    ["Kept until", (one) => instant(one.expires_at), "mono"],
    ["Answered", (one) => one.hits, "right mono"],
    ["Rows", (one) => one.rows, "right mono"],
  ];
  return html`
    <${Panel} title=${endpoint.name}>
      <${Code} label="Query of the endpoint" language="sql" text=${endpoint.query} />
      <${Form} kind="inline wrap" submit="Run" onSubmit=${run}>
        ${names.map((name) => html`<${Field} key=${name} label=${name}><input name=${name} /></${Field}>`)}
      </${Form}>
      ${state.rows && html`<${Result} label="Result of the endpoint" rows=${state.rows} />`}
    </${Panel}>
    <${Panel} title="Kept results" flush>
      <${Loaded} from=${kept} empty="None is kept right now.">${(all) => html`<${Table} label="Kept results" columns=${columns} rows=${all} />`}</${Loaded}>
    </${Panel}>
  `;
}

// Teams and messages

function Teams({ world }) {
  const [dialog, open] = useState(false);
  const teams = useLoad(() => world.peek("/api/teams"), [world.name]);
  const create = async ({ name }) => {
    await world.act("POST", "/api/teams", { name });
    open(false);
    teams.reload();
  };
  const columns = [
    ["Team", (one) => one.name],
    ["Owner", (one) => one.user?.email],
    ["Members", (one) => one.team_users.map((user) => user.email).join(", ") || html`<span class="dim">nobody yet</span>`],
    ["Token", (one) => html`<code>${one.token}</code>`, "narrow-off"],
  ];
  return html`<${Panel} title="Teams" flush aside=${html`<${Button} icon="plus" onClick=${() => open(true)}>New team</${Button}>`}>
    <${Loaded} from=${teams} empty="No teams">${(all) => html`<${Table} label="Teams" columns=${columns} rows=${all} keyOf=${(one) => one.token} />`}</${Loaded}>
    ${dialog && html`<${Dialog} title="New team" onClose=${() => open(false)}><${Form} submit="Create" onSubmit=${create}><${Field} label="Name"><input name="name" required /></${Field}></${Form}></${Dialog}>`}
  </${Panel}>`;
}

function Outbox({ world }) {
  const [chosen, choose] = useState();
  const messages = useLoad(async () => (await world.peek("/_sim/outbox")).reverse(), [world.name]);
  const columns = [
    ["Message", (one) => html`<${Button} kind="quiet" label=${`Message ${one.id}`} onClick=${() => choose(one)}>${one.id}</${Button}>`, "mono"],
    ["Sent", (one) => instant(one.at), "mono narrow-off"],
    ["By", (one) => one.channel],
    ["To", (one) => one.recipient, "clip mono half"],
    ["Subject", (one) => one.subject, "narrow-off"],
    ["Answered", (one) => (one.status ? html`<${Status} of=${one.status} />` : html`<span class="dim">${one.answer ?? "waits"}</span>`), "wrap"],
  ];
  return html`
    <${Panel} title="Outbox" flush>
      <${Loaded} from=${messages} empty="Nothing was sent yet. Notifications of sources, and alerts, are listed here.">
        ${(all) => html`<${Table} label="Messages" columns=${columns} rows=${all} keyOf=${(one) => one.id} onRow=${choose} />`}
      </${Loaded}>
    </${Panel}>
    ${chosen &&
    html`<${Panel} title=${`Message ${chosen.id}`} aside=${html`<${Button} kind="quiet" icon="close" label="Close the message" onClick=${() => choose(undefined)} />`}>
      <${Facts} of=${[["To", chosen.recipient], chosen.source && ["Source", chosen.source], chosen.alert && ["Alert", chosen.alert], chosen.answer && ["Answer", chosen.answer]]} />
      <${Body} label="Message" text=${chosen.body} />
    </${Panel}>`}
  `;
}
