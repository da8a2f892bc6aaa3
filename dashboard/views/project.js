// One project: its lifecycle, its parts, and its database.

import { html, useMemo, useState } from "../vendor/preact.js";
import { now, told, useLoad } from "../lib/api.js";
import { Code } from "../lib/code.js";
import { Editor } from "../lib/editor.js";
import { DAY, day, instant, relative, some } from "../lib/time.js";
import { attempt, Button, copy, Dialog, Facts, Icon, Loaded, Panel, Result, Status, Table, Tabs, useTicks, Wrong } from "../lib/ui.js";

const PARTS = [
  ["life", "Life"],
  ["database", "SQL"],
  ["backups", "Backups"],
  ["branches", "Branches"],
  ["functions", "Functions"],
  ["secrets", "Secrets"],
  ["settings", "Settings"],
  ["types", "Types"],
];

const VIEWS = { life: Life, database: Sql, backups: Backups, branches: Branches, functions: Functions, secrets: Secrets, settings: Settings, types: Types };

export function Project({ world, path: [ref, part = "life", ...rest] }) {
  const project = useLoad(() => world.peek(`/v1/projects/${encodeURIComponent(ref)}`), [world.name, ref]);
  const Part = Object.hasOwn(VIEWS, part) ? VIEWS[part] : Life;
  const found = project.value;
  return html`
    <div class="title">
      <a href=${`#/${world.name}/projects`} class="button quiet" aria-label="All projects"><${Icon} name="back" /></a>
      <h2>${found?.name ?? ref}</h2>
      ${found && html`<${Status} of=${found.status} />`}
      <code>${ref}</code>
      ${found && html`<span class="dim narrow-off">${found.organization_id} · ${found.region} · Postgres ${found.database?.version}</span>`}
      ${found && html`<${Actions} world=${world} project=${found} />`}
    </div>
    <${Wrong} error=${project.error} />
    <${Tabs} label="Parts of the project" of=${PARTS} chosen=${part} href=${(id) => `#/${world.name}/projects/${ref}/${id}`} />
    ${found && html`<${Part} world=${world} project=${found} path=${rest} />`}
  `;
}

function Actions({ world, project }) {
  const [asked, ask] = useState(false);
  const act = (method, path, done) => attempt(() => world.act(method, `/v1/projects/${project.id}${path}`), done);
  const { status } = project;
  return html`<div class="group push">
    ${/^ACTIVE|COMING_UP|PAUSE_FAILED/.test(status) && html`<${Button} onClick=${() => act("POST", "/pause", "Pausing")}>Pause</${Button}>`}
    ${status === "INACTIVE" && html`<${Button} onClick=${() => act("POST", "/restore", "Restoring")}>Restore</${Button}>`}
    <${Button} kind="danger" icon="bin" label="Delete the project" onClick=${() => ask(true)} />
    ${asked &&
    html`<${Dialog} title=${`Delete ${project.name}`} onClose=${() => ask(false)}>
      <p>The call is made as the world's first user; it is in the journal like any other.</p>
      <div class="actions"><${Button} onClick=${() => ask(false)}>Keep it</${Button}><${Button} kind="danger" onClick=${() => (ask(false), act("DELETE", "", "Going down"))}>Delete</${Button}></div>
    </${Dialog}>`}
  </div>`;
}

// Lifecycle

function Life({ world, project }) {
  const lifecycles = useLoad(() => world.control("GET", "/lifecycles"), [], { still: true });
  const load = async () => {
    const [happened, agenda, calls] = await Promise.all([
      world.control("GET", `/history?subject=${project.id}`),
      world.control("GET", "/agenda"),
      world.control("GET", `/journal/search?service=management&text=${project.id}&control=false&limit=1000`),
    ]);
    return { happened, due: agenda.filter((job) => job.subject === project.id), calls: calls.calls.filter((call) => call.method !== "GET" && call.status < 300) };
  };
  const life = useLoad(load, [world.name, project.id]);
  return html`<div class="columns life">
    <${Panel} title="Lifecycle">
      <${Loaded} from=${lifecycles}>
        ${(all) => html`<${Diagram} lifecycle=${all.find((one) => one.name === "Project")} state=${project.status} past=${life.value?.happened.map((one) => one.became) ?? []} />`}
      </${Loaded}>
    </${Panel}>
    <${Panel} title="Time line">
      <${Loaded} from=${life}>${(all) => html`<${TimeLine} world=${world} project=${project} ...${all} />`}</${Loaded}>
    </${Panel}>
  </div>`;
}

function TimeLine({ world, project, happened, due, calls }) {
  useTicks(1000);
  const advance = (until) => attempt(async () => told(await world.control("POST", "/clock/advance", { until })));
  const past = [
    { at: project.created_at, what: "created", kind: "call" },
    ...happened.map((one) => ({ at: one.at, what: one.kind, became: one.became, call: one.caused_by_call, kind: "work" })),
    ...calls.map((call) => ({ at: call.at, what: `${call.method} ${call.target.split(project.id)[1] || "/"}`, call: call.call, kind: "call" })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || (b.kind === "call") - (a.kind === "call"));
  return html`<ol class="line">
    ${[...due].reverse().map(
      (job) => html`<li class="future"><time class="mono" title=${instant(job.due)}>${relative(job.due, now())}</time>
        <span>${job.kind}</span><${Button} kind="quiet" icon="skip" label=${`Advance to ${job.kind}, ${instant(job.due)}`} onClick=${() => advance(job.due)} /></li>`,
    )}
    <li class="present"><time class="mono">${instant(now())}</time><${Status} of=${project.status} /></li>
    ${past.slice(0, 200).map(
      (one) => html`<li class=${one.kind}><time class="mono">${instant(one.at)}</time><span>${one.what}</span>
        ${one.became && html`<${Status} of=${one.became} />`}
        ${one.call > 0 && html`<a class="dim" href=${`#/${world.name}/journal/management/${one.call}`}>call ${one.call}</a>`}</li>`,
    )}
  </ol>`;
}

const BOX = { width: 132, height: 26, across: 166, down: 44 };

/** States in columns by their distance from the first, ordered so that few arrows cross. */
function layout({ states, arrows }) {
  const rank = new Map([[states[0], 0]]);
  for (const state of rank.keys()) {
    arrows.filter((arrow) => arrow.from === state && !rank.has(arrow.to)).forEach((arrow) => rank.set(arrow.to, rank.get(state) + 1));
  }
  states.filter((state) => !rank.has(state)).forEach((state) => rank.set(state, 0));
  const columns = [];
  states.forEach((state) => (columns[rank.get(state)] ??= []).push(state));
  const place = new Map();
  const settle = () => columns.forEach((column, x) => column.forEach((state, y) => place.set(state, { x, y: y - (column.length - 1) / 2 })));
  settle();
  for (let round = 0; round < 6; round++) {
    for (const column of columns) {
      const middle = (state) => {
        const near = arrows.filter((a) => a.from === state || a.to === state).map((a) => place.get(a.from === state ? a.to : a.from).y);
        return near.reduce((sum, y) => sum + y, 0) / (near.length || 1);
      };
      column.sort((a, b) => middle(a) - middle(b));
    }
    settle();
  }
  const tallest = Math.max(...columns.map((column) => column.length));
  const at = new Map([...place].map(([state, { x, y }]) => [state, { x: x * BOX.across + 4, y: (y + (tallest - 1) / 2) * BOX.down + 8 }]));
  return { at, width: columns.length * BOX.across - (BOX.across - BOX.width) + 8, height: tallest * BOX.down + 8 };
}

function Diagram({ lifecycle, state, past }) {
  const { at, width, height } = useMemo(() => layout(lifecycle), [lifecycle]);
  const leads = lifecycle.arrows.filter((arrow) => arrow.from === state);
  const curve = ({ from, to }) => {
    const [a, b] = [at.get(from), at.get(to)];
    const middle = BOX.height / 2;
    if (a.x === b.x) {
      const side = a.x + BOX.width;
      return `M${side} ${a.y + middle} C${side + 34} ${a.y + middle} ${side + 34} ${b.y + middle} ${side} ${b.y + middle}`;
    }
    const forward = b.x > a.x;
    const [x1, x2] = forward ? [a.x + BOX.width, b.x] : [a.x, b.x + BOX.width];
    const bend = (x2 - x1) / 2;
    const off = forward ? -3 : 3;
    return `M${x1} ${a.y + middle + off} C${x1 + bend} ${a.y + middle + off} ${x2 - bend} ${b.y + middle + off} ${x2} ${b.y + middle + off}`;
  };
  const drawn = [...lifecycle.arrows].sort((a, b) => (a.from === state) - (b.from === state));
  const seen = new Set(past);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Lifecycle of a project">
      <svg class="diagram" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img" aria-label=${`Lifecycle; the project is ${state}`}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
          <marker id="tip-lit" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="lit" d="M0 0L8 4L0 8z" /></marker>
        </defs>
        ${drawn.map((arrow) => {
          const lit = arrow.from === state;
          return html`<path class=${lit ? "arrow lit" : "arrow"} d=${curve(arrow)} marker-end=${lit ? "url(#tip-lit)" : "url(#tip)"}><title>${arrow.from} → ${arrow.event} → ${arrow.to}</title></path>`;
        })}
        ${lifecycle.states.map((name) => {
          const { x, y } = at.get(name);
          const kind = name === state ? "lit" : seen.has(name) ? "seen" : "";
          return html`<g class=${`state ${kind}`} transform=${`translate(${x} ${y})`}><rect width=${BOX.width} height=${BOX.height} rx="6" /><text x=${BOX.width / 2} y="17">${name}</text></g>`;
        })}
      </svg>
    </div>
    <p class="leads"><span class="dim">From here:</span>
      ${leads.length === 0 ? "nothing leads on" : leads.map((arrow) => html`<span><code>${arrow.event}</code> → ${arrow.to}</span>`)}</p>
  `;
}

// The database

const RELATIONS = `select table_schema, table_name, column_name from information_schema.columns
where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, ordinal_position`;
const KEYWORDS = "select from where insert into values update set delete create table alter drop index view primary key references not null default order by group having limit offset join left on union all distinct returning with explain".split(" ");

function Sql({ world, project }) {
  const target = `/v1/projects/${project.id}/database/query`;
  const [text, type] = useState("select table_schema, table_name\nfrom information_schema.tables\nwhere table_schema not in ('pg_catalog', 'information_schema');");
  const [state, set] = useState({});
  const columns = useLoad(() => world.peek(target, { method: "POST", body: { query: RELATIONS } }).catch(() => []), [project.id]);
  const words = useMemo(() => {
    const rows = Array.isArray(columns.value) ? columns.value : [];
    const tables = [...new Set(rows.map((row) => (row.table_schema === "public" ? row.table_name : `${row.table_schema}.${row.table_name}`)))];
    const names = [...new Set(rows.map((row) => row.column_name))];
    return [...tables.map((one) => ({ text: one, kind: "table" })), ...names.map((one) => ({ text: one, kind: "column" })), ...KEYWORDS.map((one) => ({ text: one, kind: "keyword" }))];
  }, [columns.value]);
  const run = async (really) => {
    set({ busy: true });
    const begun = performance.now();
    try {
      const body = { query: text };
      const rows = really ? await world.act("POST", target, body) : await world.peek(target, { method: "POST", body });
      set({ rows, really, took: performance.now() - begun });
    } catch (error) {
      set({ error });
    }
  };
  return html`<${Panel} title="SQL editor" aside=${html`<span class="dim narrow-off">Ctrl-Enter runs it</span>`}>
    <${Editor} label="SQL" value=${text} onInput=${type} onRun=${() => run(true)} words=${words} />
    <div class="actions start">
      <${Button} kind="primary" icon="play" disabled=${state.busy} onClick=${() => run(true)}>Run</${Button}>
      <${Button} disabled=${state.busy} onClick=${() => run(false)} title="On a fork that nobody sees: nothing changes, and no call is counted">Try on a fork</${Button}>
      ${state.rows && html`<span class="dim">${some(state.rows.length, "row")} in ${state.took.toFixed(0)} ms${state.really ? "" : ", on a fork"}</span>`}
    </div>
    <${Wrong} error=${state.error} />
    ${state.rows && html`<${Result} label="Result" rows=${state.rows} />`}
  </${Panel}>`;
}

function Types({ world, project }) {
  const types = useLoad(() => world.peek(`/v1/projects/${project.id}/types/typescript`), [project.id]);
  return html`<${Panel} title="Generated types" aside=${types.value && html`<${Button} icon="copy" onClick=${() => copy(types.value.types, "Types")}>Copy</${Button}>`}>
    <${Loaded} from=${types}>${({ types }) => html`<${Code} label="Generated types" language="code" text=${types} />`}</${Loaded}>
  </${Panel}>`;
}

// Backups

function Backups({ world, project }) {
  const backups = useLoad(() => world.peek(`/v1/projects/${project.id}/database/backups`), [project.id]);
  const [target, aim] = useState();
  const restore = async () => {
    const { at, point } = target;
    aim(undefined);
    if (point) {
      await attempt(() => world.act("POST", `/v1/projects/${project.id}/database/backups/restore-pitr`, { recovery_time_target_unix: Math.floor(at / 1000) }), `Restoring to ${instant(at)}`);
    } else {
      await attempt(() => world.control("POST", `/projects/${project.id}/backups/restore`, { day: new Date(at).toISOString() }), `Restoring to the backup of ${day(at)}`);
    }
  };
  const columns = [
    ["Made", (one) => instant(one.inserted_at), "mono"],
    ["Status", (one) => html`<${Status} of=${one.status} />`],
    ["Kind", (one) => (one.is_physical_backup ? "files" : "dump")],
    ["", (one) => one.status === "COMPLETED" && html`<${Button} onClick=${() => aim({ at: Date.parse(one.inserted_at) })}>Restore to here</${Button}>`, "right"],
  ];
  return html`<${Panel} title="Backups" flush>
    <${Loaded} from=${backups}>
      ${(all) => html`
        <${Axis} project=${project} backups=${all} onAim=${aim} />
        <${Facts} of=${[["Region", all.region], ["To any second", all.pitr_enabled ? "yes" : "no: the project lacks that add-on"], ["Log is archived", all.walg_enabled ? "yes" : "no"]]} />
        ${all.backups.length === 0 ? html`<p class="none">No daily backup yet: they are made once a day, on plans that have them.</p>` : html`<${Table} label="Daily backups" columns=${columns} rows=${all.backups} />`}
      `}
    </${Loaded}>
    ${target &&
    html`<${Dialog} title="Restore to here" onClose=${() => aim(undefined)}>
      <p>The database becomes what it was at <strong class="mono">${instant(target.at)}</strong>. ${target.point ? "" : "That is the daily backup of then. "}Meanwhile the project is RESTORING.</p>
      <div class="actions"><${Button} onClick=${() => aim(undefined)}>Leave it</${Button}><${Button} kind="primary" onClick=${restore}>Restore</${Button}></div>
    </${Dialog}>`}
  </${Panel}>`;
}

/** The time from the project's creation, or the oldest backup, to now. */
function Axis({ project, backups: { backups, physical_backup_data: span }, onAim }) {
  const present = now();
  const oldest = Math.min(Date.parse(project.created_at), ...backups.map((one) => Date.parse(one.inserted_at)));
  const from = Math.max(oldest, present - 40 * DAY);
  const place = (at) => 2 + (96 * (at - from)) / Math.max(1, present - from);
  const first = span.earliest_physical_backup_date_unix * 1000;
  const last = span.latest_physical_backup_date_unix * 1000;
  const point = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    // A click by keyboard has no position; it means the latest point in time.
    const share = event.detail === 0 ? 1 : (event.clientX - left) / width;
    onAim({ at: first + share * (last - first), point: true });
  };
  return html`<div class="axis">
    ${last > first && html`<button class="span" style=${{ left: `${place(first)}%`, width: `${place(last) - place(first)}%` }} onClick=${point}>any second</button>`}
    ${backups.map((one) => {
      const at = Date.parse(one.inserted_at);
      return at >= from && html`<button class=${`mark ${one.status === "COMPLETED" ? "good" : "bad"}`} style=${{ left: `${place(at)}%` }} title=${`${instant(at)} ${one.status}`} aria-label=${`Restore to the backup of ${day(at)}`} disabled=${one.status !== "COMPLETED"} onClick=${() => onAim({ at })}></button>`;
    })}
    <span class="end mono">${day(from)}</span><span class="end last mono">now</span>
  </div>`;
}

// Parts

function Branches({ world, project }) {
  const load = async () => {
    const branches = await world.peek(`/v1/projects/${project.id}/branches`);
    return [...branches].sort((a, b) => b.is_default - a.is_default);
  };
  const branches = useLoad(load, [project.id]);
  return html`<${Panel} title="Branches">
    <${Loaded} from=${branches} empty="No branches. The first one made enables branching.">
      ${(all) => {
        const root = all.find((branch) => branch.is_default);
        const leaves = all.filter((branch) => branch !== root);
        const show = (branch) => html`
          <a href=${`#/${world.name}/projects/${branch.project_ref}`}>${branch.name}</a> <${Status} of=${branch.status} />
          ${branch.git_branch && html`<code>${branch.git_branch}</code>`} ${branch.pr_number && html`<span class="tag">#${branch.pr_number}</span>`}
          ${branch.persistent && html`<span class="tag">persistent</span>`} <span class="dim mono narrow-off">${instant(branch.updated_at)}</span>`;
        return html`<ul class="tree"><li>${root ? show(root) : project.name}
          <ul>${leaves.map((branch) => html`<li>${show(branch)}</li>`)}</ul></li></ul>`;
      }}
    </${Loaded}>
  </${Panel}>`;
}

function Functions({ world, project, path: [slug] }) {
  const functions = useLoad(() => world.peek(`/v1/projects/${project.id}/functions`), [project.id]);
  const columns = [
    ["Function", (one) => html`<a href=${`#/${world.name}/projects/${project.id}/functions/${one.slug}`}>${one.name}</a>`],
    ["Slug", (one) => html`<code>${one.slug}</code>`],
    ["Status", (one) => html`<${Status} of=${one.status} />`],
    ["Version", (one) => one.version, "right mono"],
    ["Checks tokens", (one) => (one.verify_jwt ? "yes" : "no"), "narrow-off"],
    ["Updated", (one) => instant(one.updated_at), "mono narrow-off"],
  ];
  return html`
    <${Panel} title="Functions" flush>
      <${Loaded} from=${functions} empty="No functions">${(all) => html`<${Table} label="Functions" columns=${columns} rows=${all} keyOf=${(one) => one.slug} />`}</${Loaded}>
    </${Panel}>
    ${slug && html`<${Source} key=${slug} world=${world} project=${project} slug=${slug} />`}
  `;
}

function Source({ world, project, slug }) {
  const source = useLoad(() => world.peek(`/v1/projects/${project.id}/functions/${slug}/body`), [project.id, slug]);
  return html`<${Panel} title=${`Source of ${slug}`}>
    <${Loaded} from=${source}>${(text) => html`<${Code} label=${`Source of ${slug}`} language="code" text=${typeof text === "string" ? text : JSON.stringify(text, null, 2)} />`}</${Loaded}>
  </${Panel}>`;
}

function Secrets({ world, project }) {
  const secrets = useLoad(() => world.peek(`/v1/projects/${project.id}/secrets`), [project.id]);
  const keys = useLoad(() => world.peek(`/v1/projects/${project.id}/api-keys`), [project.id]);
  const columns = [
    ["Name", (one) => html`<code>${one.name}</code>`],
    ["Value", (one) => html`<span class="dim" title=${`SHA-256 ${one.value}`}>••••••••</span> <code class="dim">${one.value.slice(0, 12)}…</code>`],
    ["Updated", (one) => one.updated_at && instant(one.updated_at), "mono narrow-off"],
  ];
  const keyColumns = [
    ["Name", (one) => html`<code>${one.name}</code>`],
    ["Key", (one) => html`<span class="dim">••••••••</span> <${Button} kind="quiet" icon="copy" label=${`Copy the key ${one.name}`} onClick=${() => copy(one.api_key, `Key ${one.name}`)} />`],
  ];
  return html`<div class="columns">
    <${Panel} title="Secrets" flush><${Loaded} from=${secrets} empty="No secrets">${(all) => html`<${Table} label="Secrets" columns=${columns} rows=${all} keyOf=${(one) => one.name} />`}</${Loaded}></${Panel}>
    <${Panel} title="API keys" flush><${Loaded} from=${keys} empty="No keys">${(all) => html`<${Table} label="API keys" columns=${keyColumns} rows=${all} keyOf=${(one) => one.name} />`}</${Loaded}></${Panel}>
  </div>`;
}

const SETTINGS = [
  ["Auth", "config/auth"],
  ["Database", "config/database/postgres"],
  ["Pooler", "config/database/pgbouncer"],
  ["REST", "postgrest"],
  ["Storage", "config/storage"],
  ["SSL", "ssl-enforcement"],
  ["Networks", "network-restrictions"],
  ["Read-only mode", "readonly"],
  ["Upgrade", "upgrade/eligibility"],
];

/** Names of fields whose values are not shown. */
const SECRET = /secret|pass(word)?$|_key$|token$|api_key/i;

function Settings({ world, project }) {
  const [wanted, want] = useState("");
  const load = () => Promise.all(SETTINGS.map(([, path]) => world.peek(`/v1/projects/${project.id}/${path}`).catch((error) => ({ error: error.message }))));
  const settings = useLoad(load, [project.id]);
  const show = (name, value) => (SECRET.test(name) && value ? html`<span class="dim">••••••••</span>` : html`<code>${JSON.stringify(value)}</code>`);
  return html`<${Panel} title="Settings" flush aside=${html`<input type="search" aria-label="Find a setting" placeholder="name" value=${wanted} onInput=${(event) => want(event.target.value)} />`}>
    <${Loaded} from=${settings}>
      ${(all) => all.map((one, at) => {
        const rows = Object.entries(one ?? {}).filter(([name]) => name.toLowerCase().includes(wanted.toLowerCase()));
        return rows.length > 0 && html`<details open=${wanted !== "" || rows.length < 12}><summary>${SETTINGS[at][0]} <span class="dim">${rows.length}</span></summary>
          <${Facts} of=${rows.map(([name, value]) => [name, show(name, value)])} /></details>`;
      })}
    </${Loaded}>
  </${Panel}>`;
}
