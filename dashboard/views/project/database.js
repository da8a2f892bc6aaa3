// A project's database: SQL with its tables, as any role, and the generated types.

import { html, useMemo, useState } from "../../vendor/preact.js";
import { useLoad } from "../../lib/api.js";
import { Code } from "../../lib/code.js";
import { Editor } from "../../lib/editor.js";
import { some } from "../../lib/time.js";
import { Button, copy, Loaded, Panel, Result, save, Wrong } from "../../lib/ui.js";

const RELATIONS = `select table_schema, table_name, column_name, data_type from information_schema.columns
where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, ordinal_position`;
const KEYWORDS = "select from where insert into values update set delete create table alter drop index view primary key references not null default order by group having limit offset join left on union all distinct returning with explain".split(" ");
const FIRST = "select table_schema, table_name\nfrom information_schema.tables\nwhere table_schema not in ('pg_catalog', 'information_schema');";

/** Roles to run as. Row security does not bind `postgres`. */
const ROLES = ["postgres", "anon", "authenticated", "service_role"];

/** The number of earlier statements that are offered again. */
const REMEMBERED = 20;

/** Earlier statements of each project, last first; they are kept while the page is open. */
const histories = new Map();

export function Sql({ world, project }) {
  const target = `/v1/projects/${project.id}/database/query`;
  const [text, type] = useState(FIRST);
  const [role, choose] = useState("postgres");
  const [user, name] = useState("");
  const [state, set] = useState({});
  const relations = useLoad(() => world.peek(target, { method: "POST", body: { query: RELATIONS } }), [project.id]);
  const tables = useMemo(() => tablesOf(relations.value), [relations.value]);
  const words = useMemo(() => wordsOf(tables), [tables]);
  const history = histories.get(project.id) ?? [];
  const run = async (really) => {
    set({ busy: true });
    const begun = performance.now();
    try {
      const body = { query: asRole(role, user) + text };
      const rows = really ? await world.act("POST", target, body) : await world.peek(target, { method: "POST", body });
      histories.set(project.id, [text, ...history.filter((one) => one !== text)].slice(0, REMEMBERED));
      set({ rows, really, took: performance.now() - begun });
    } catch (error) {
      set({ error });
    }
  };
  return html`<div class="columns sql">
    <${Panel} title="Tables" flush>
      <${Loaded} from=${relations}>${() => html`<${Tables} tables=${tables} onChoose=${(table) => type(`select * from ${table} limit 100;`)} />`}</${Loaded}>
    </${Panel}>
    <${Panel} title="SQL editor">
      <${Editor} label="SQL" value=${text} onInput=${type} onRun=${() => run(true)} words=${words} />
      <div class="actions start">
        <${Button} kind="primary" icon="play" disabled=${state.busy} onClick=${() => run(true)}>Run</${Button}>
        <${Button} disabled=${state.busy} onClick=${() => run(false)} title="Runs on a private fork: nothing changes, and the journal has no call">Try on a fork</${Button}>
        <select aria-label="Role" value=${role} onChange=${(event) => choose(event.target.value)}>${ROLES.map((one) => html`<option value=${one}>as ${one}</option>`)}</select>
        ${role === "authenticated" && html`<input class="mono" aria-label="User" placeholder="id of a user" value=${user} onInput=${(event) => name(event.target.value)} />`}
        ${history.length > 0 && html`<select aria-label="Earlier statements" value="" onChange=${(event) => type(history[event.target.value])}>
          <option value="">Earlier …</option>${history.map((one, at) => html`<option value=${at}>${one.replace(/\s+/g, " ").slice(0, 80)}</option>`)}
        </select>`}
        ${state.rows && html`<span class="dim">${some(state.rows.length, "row")} in ${state.took.toFixed(0)} ms${state.really ? "" : ", on a fork"}</span>`}
        ${state.rows?.length > 0 && html`<${Button} kind="quiet" icon="download" label="Save the rows as CSV" onClick=${() => save(`${project.name}.csv`, csv(state.rows), "text/csv")} />`}
      </div>
      <${Wrong} error=${state.error} mono />
      ${state.rows && html`<${Result} label="Result" rows=${state.rows} />`}
    </${Panel}>
  </div>`;
}

/** Statements that make the rest of a call run as another role, as the API of the project's data does. */
function asRole(role, user) {
  if (role === "postgres") return "";
  const claims = JSON.stringify({ role, ...(user && { sub: user }) }).replaceAll("'", "''");
  return `set local request.jwt.claims = '${claims}'; set local role ${role};\n`;
}

/** Tables with their columns, those of `public` first. */
function tablesOf(rows) {
  const tables = new Map();
  for (const row of Array.isArray(rows) ? rows : []) {
    const name = row.table_schema === "public" ? row.table_name : `${row.table_schema}.${row.table_name}`;
    if (!tables.has(name)) tables.set(name, []);
    tables.get(name).push(row);
  }
  return [...tables].map(([name, columns]) => ({ name, columns })).sort((a, b) => a.name.includes(".") - b.name.includes(".") || (a.name < b.name ? -1 : 1));
}

function wordsOf(tables) {
  const columns = [...new Set(tables.flatMap((table) => table.columns.map((one) => one.column_name)))];
  return [...tables.map(({ name }) => ({ text: name, kind: "table" })), ...columns.map((one) => ({ text: one, kind: "column" })), ...KEYWORDS.map((one) => ({ text: one, kind: "keyword" }))];
}

function Tables({ tables, onChoose }) {
  const [wanted, want] = useState("");
  const own = tables.filter((table) => !table.name.includes("."));
  const fits = tables.filter((table) => (wanted === "" ? own.length === 0 || own.includes(table) : table.name.includes(wanted)));
  return html`
    <div class="filters"><input type="search" aria-label="Find a table" placeholder=${`find in ${some(tables.length, "table")}`} value=${wanted} onInput=${(event) => want(event.target.value)} /></div>
    <div class="scroll tall" tabindex="0" role="region" aria-label="Tables">
      ${fits.length === 0 && html`<p class="none">No table with that name</p>`}
      ${fits.map((table) => html`<details key=${table.name}>
        <summary><code>${table.name}</code></summary>
        <ul class="fields">
          ${table.columns.map((one) => html`<li><code>${one.column_name}</code> <span class="dim">${one.data_type}</span></li>`)}
          <li><${Button} onClick=${() => onChoose(table.name)}>Show its rows</${Button}></li>
        </ul>
      </details>`)}
    </div>`;
}

function csv(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const field = (value) => {
    const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((line) => line.map(field).join(",")).join("\r\n");
}

export function Types({ world, project }) {
  const types = useLoad(() => world.peek(`/v1/projects/${project.id}/types/typescript`), [project.id]);
  return html`<${Panel} title="Generated types" aside=${types.value && html`<${Button} icon="copy" onClick=${() => copy(types.value.types, "Types")}>Copy</${Button}>`}>
    <${Loaded} from=${types}>${({ types }) => html`<${Code} label="Generated types" language="code" text=${types} />`}</${Loaded}>
  </${Panel}>`;
}
