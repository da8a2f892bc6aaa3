// Worlds: how to connect, what the chosen world is doing, and all worlds: choose, create, fork, reset.

import { html, useState } from "../vendor/preact.js";
import { live, listWorlds, now, told, useLoad } from "../lib/api.js";
import { count, instant, relative } from "../lib/time.js";
import { attempt, Button, Dialog, Facts, Field, Form, Loaded, Panel, Status, Table, Target } from "../lib/ui.js";
import { loadWords, phrase, Subject, Work } from "../lib/work.js";
import { Connect } from "./connect.js";

const SERVICES = { management: "/v1", analytics: "/api", both: "/v1 and /api" };

export function Worlds({ world }) {
  const [dialog, open] = useState();
  const worlds = useLoad(listWorlds, []);
  const close = () => open(undefined);
  const go = (name) => (location.hash = `#/${name}/worlds`);
  const remove = async (name) => {
    await attempt(() => world.control("DELETE", `/worlds/${name}`), `${name} deleted`);
    if (name === world.name) go("main");
    worlds.reload();
  };
  const columns = [
    ["World", (one) => html`<a href=${`#/${one.name}/worlds`}>${one.name}</a>${one.name === world.name ? html` <span class="tag">chosen</span>` : ""}`],
    ["Services", (one) => SERVICES[one.service]],
    ["Simulated time", (one) => instant(one.now), "mono"],
    ["Calls", (one) => count(one.calls), "right mono"],
    ["Seed", (one) => one.seed, "right mono narrow-off"],
    ["Base URL", (one) => html`<code>${one.url}</code>`, "narrow-off"],
    ["", (one) => one.name !== "main" && html`<${Button} kind="quiet" icon="bin" label=${`Delete ${one.name}`} onClick=${() => remove(one.name)} />`, "right"],
  ];
  const actions = html`
    <${Button} icon="plus" kind="primary" onClick=${() => open("create")}>New world</${Button}>
    <${Button} icon="fork" onClick=${() => open("fork")}>Fork ${world.name}</${Button}>
  `;
  return html`
    <div class="columns even">
      <${Connect} world=${world} />
      <div>
        ${world.has("management") && html`<${Projects} world=${world} />`}
        <${Refusals} world=${world} />
      </div>
    </div>
    <div class="columns even">
      <${Agenda} world=${world} />
      <div>
        <${About} world=${world} onReset=${() => open("reset")} />
        <${Snapshots} world=${world} />
      </div>
    </div>
    <${Panel} title="Worlds on this port" flush aside=${actions}>
      <${Loaded} from=${worlds}>${(all) => html`<${Table} label="Worlds" columns=${columns} rows=${all} keyOf=${(one) => one.name} />`}</${Loaded}>
    </${Panel}>
    ${dialog === "create" && html`<${Create} world=${world} onClose=${close} onDone=${go} />`}
    ${dialog === "fork" && html`<${Fork} world=${world} onClose=${close} onDone=${go} />`}
    ${dialog === "reset" && html`<${Reset} world=${world} onClose=${close} />`}
  `;
}

function About({ world, onReset }) {
  const policy = useLoad(() => world.control("GET", "/policy"), [world.name], { still: true });
  const { info } = world;
  return html`<${Panel} title=${`About ${world.name}`} aside=${html`<${Button} icon="reset" kind="danger" onClick=${onReset}>Reset</${Button}>`}>
    <${Facts}
      of=${[
        ["Services", SERVICES[info.service]],
        ["Pace", html`<${Status} of=${live.clock?.pace ?? "clock"} />`],
        ["Seed", html`<code>${info.seed}</code>`],
        ["Rate limit", policy.value && (policy.value.rate_limit.enabled ? `${policy.value.rate_limit.count} calls in ${policy.value.rate_limit.window_ms / 1000} s` : "off")],
        ["Journal keeps", policy.value && `${count(policy.value.journal_calls)} calls`],
        ["Documents", html`<a href=${`${world.base}/openapi.json`}>API</a>, <a href=${`${world.base}/_sim/openapi.json`}>control API</a>, <a href=${`${world.base}/_sim/replay`}>replay file</a>, <a href=${`${world.base}/_sim/export`} download=${`${world.name}.json`}>seed file</a>`],
      ]}
    />
  </${Panel}>`;
}

/** The number of projects in each status. */
function Projects({ world }) {
  const projects = useLoad(() => world.peek("/v1/projects"), [world.name]);
  return html`<${Panel} title="Projects" aside=${html`<a href=${`#/${world.name}/projects`}>Show all</a>`}>
    <${Loaded} from=${projects} empty="No projects yet. Create one with the lines at the left, or in the view Projects.">
      ${(all) => {
        const counts = new Map();
        for (const { status } of all) counts.set(status, (counts.get(status) ?? 0) + 1);
        return html`<p class="tally">${[...counts].map(([status, number]) => html`<span><strong>${count(number)}</strong> <${Status} of=${status} /></span>`)}</p>`;
      }}
    </${Loaded}>
  </${Panel}>`;
}

/** The last refused calls: what a user looks for first. */
function Refusals({ world }) {
  const service = world.has("management") ? "management" : "analytics";
  const load = async () => {
    const query = `/journal/search?service=${service}&control=false&status_from=400&status_to=599`;
    const { total } = await world.control("GET", `${query}&limit=0`);
    return (await world.control("GET", `${query}&limit=5&offset=${Math.max(0, total - 5)}`)).calls.reverse();
  };
  const refused = useLoad(load, [world.name]);
  const columns = [
    ["Call", (call) => html`<a href=${`#/${world.name}/journal/${service}/${call.call}`}>${call.call}</a>`, "mono"],
    ["Request", (call) => html`${call.method} <${Target} of=${call.target} />`, "mono clip half"],
    ["Status", (call) => html`<${Status} of=${call.status} />`],
    ["Reason", (call) => call.fault ?? call.reason, "dim clip half"],
  ];
  return html`<${Panel} title="Last refusals" flush aside=${html`<a href=${`#/${world.name}/journal`}>Journal</a>`}>
    <${Loaded} from=${refused} empty="No call was refused.">${(calls) => html`<${Table} label="Last refusals" columns=${columns} rows=${calls} keyOf=${(call) => call.call} />`}</${Loaded}>
  </${Panel}>`;
}

function Agenda({ world }) {
  const load = async () => ({ jobs: await world.control("GET", "/agenda"), words: await loadWords(world) });
  const agenda = useLoad(load, [world.name]);
  const advance = (until) => attempt(async () => told(await world.control("POST", "/clock/advance", { until })));
  const step = () => attempt(async () => told(await world.control("POST", "/clock/step")));
  const columns = (words) => [
    ["", (job) => html`<${Button} kind="quiet" icon="skip" label=${`Advance to ${phrase(job)} of ${job.name ?? job.subject}`} onClick=${() => advance(job.due)} />`],
    ["Due", (job) => html`<span title=${instant(job.due)}>${relative(job.due, now())}</span>`, "mono"],
    ["Work", (job) => html`<${Work} job=${job} />`, "wrap"],
    ["For", (job) => html`<${Subject} world=${world} subject=${job.subject} name=${job.name} words=${words} />`, "clip"],
    ["Caused by", (job) => (job.caused_by_call ? html`<a href=${`#/${world.name}/journal/management/${job.caused_by_call}`}>call ${job.caused_by_call}</a>` : job.kind.startsWith("end of ") ? "" : "the world's start"), "narrow-off"],
  ];
  return html`<${Panel} title="Agenda" flush aside=${html`<${Button} icon="step" onClick=${step} title="Do the next piece of work, at any pace">Step</${Button}>`}>
    <${Loaded} from=${agenda}>
      ${({ jobs, words }) => (jobs.length === 0
        ? html`<p class="none">Nothing is scheduled. This table shows work that calls start, such as a project coming up, and what ends by itself, such as a ban.</p>`
        : html`<${Table} label="Agenda" columns=${columns(words)} rows=${jobs.slice(0, 200)} keyOf=${(job) => `${job.due} ${job.seq} ${job.kind}`} />
        ${jobs.length > 200 && html`<p class="none">The first 200 of ${count(jobs.length)}</p>`}`)}
    </${Loaded}>
  </${Panel}>`;
}

function Snapshots({ world }) {
  const snapshots = useLoad(() => world.control("GET", "/snapshots"), [world.name]);
  const keep = async ({ name }) => {
    await world.control("POST", "/snapshots", { name: name ?? `call-${Object.values(live.calls).reduce((sum, one) => sum + one, 0)}` });
    snapshots.reload();
  };
  const drop = async (name) => {
    await attempt(() => world.control("DELETE", `/snapshots/${name}`));
    snapshots.reload();
  };
  const columns = [
    ["Name", (one) => one.name],
    ["Time", (one) => instant(one.now), "mono"],
    ["Calls", (one) => count(one.calls), "right mono"],
    [
      "",
      (one) => html`<${Button} onClick=${() => attempt(() => world.control("POST", `/snapshots/${one.name}/restore`), `${world.name} is as it was in ${one.name}`)}>Restore</${Button}>
        <${Button} kind="quiet" icon="bin" label=${`Delete snapshot ${one.name}`} onClick=${() => drop(one.name)} />`,
      "right",
    ],
  ];
  return html`<${Panel} title="Snapshots" flush>
    <${Form} kind="inline" submit="Take a snapshot" onSubmit=${keep}>
      <input name="name" aria-label="Name of the snapshot" placeholder="call-17" pattern="[\\w.\\-]{1,64}" />
    </${Form}>
    <${Loaded} from=${snapshots} empty="No snapshots">
      ${(all) => html`<${Table} label="Snapshots" columns=${columns} rows=${all} keyOf=${(one) => one.name} />`}
    </${Loaded}>
  </${Panel}>`;
}

/** The choice of a file instead of a scenario. */
const FILE = "file:";

function Create({ world, onClose, onDone }) {
  const scenarios = useLoad(() => world.control("GET", "/scenarios"), [], { still: true });
  const [scenario, begin] = useState("");
  const create = async ({ name, seed, pace, speed, service, file }) => {
    const body = { name, seed: seed && Number(seed), speed: speed && Number(speed), scenario: scenario === FILE ? undefined : scenario || undefined };
    if (scenario === FILE) body.seed_file = await file.text();
    if (!scenario && service) Object.assign(body, service === "self_log" ? { self_log: true } : { service });
    if (pace) body.policy = { pace };
    onDone((await world.control("POST", "/worlds", body)).name);
    onClose();
  };
  const about = scenarios.value?.find((one) => one.name === scenario)?.about;
  return html`<${Dialog} title="New world" onClose=${onClose}>
    <${Form} submit="Create" onSubmit=${create}>
      <${Field} label="Name"><input name="name" placeholder="made up" pattern="[\\w.\\-]{1,64}" /></${Field}>
      <${Field} label="Begins with" hint=${about}>
        <select value=${scenario} onChange=${(event) => begin(event.target.value)}>
          <option value="">one user, nothing else</option>
          <option value=${FILE}>a seed file</option>
          ${(scenarios.value ?? []).map((one) => html`<option value=${one.name}>${one.name}</option>`)}
        </select>
      </${Field}>
      ${scenario === FILE && html`<${Field} label="Seed file" hint="TOML or JSON, written by hand or exported from a world"><input name="file" type="file" accept=".toml,.json" required /></${Field}>`}
      <${Field} label="Services">
        <select name="service" disabled=${scenario !== ""}>
          <option value="">those of main</option>
          <option value="management">/v1</option>
          <option value="both">/v1 and /api</option>
          <option value="self_log">/v1 and /api, which logs /v1</option>
          <option value="analytics">/api</option>
        </select>
      </${Field}>
      <${Field} label="Seed"><input name="seed" type="number" min="0" placeholder="0" /></${Field}>
      <${Field} label="Pace">
        <select name="pace">
          <option value="">that of main</option>
          <option value="clock">clock: work takes its time</option>
          <option value="instant">instant: work is done at once</option>
          <option value="manual">manual: work waits for a step</option>
        </select>
      </${Field}>
      <${Field} label="Speed" hint="Simulated seconds for each real one"><input name="speed" type="number" min="0" step="any" placeholder="that of the server" /></${Field}>
    </${Form}>
  </${Dialog}>`;
}

function Fork({ world, onClose, onDone }) {
  const fork = async ({ name, at_call }) => {
    const made = await world.control("POST", "/fork", { name, at_call: at_call && Number(at_call) });
    onDone(made.name);
    onClose();
  };
  return html`<${Dialog} title=${`Fork ${world.name}`} onClose=${onClose}>
    <${Form} submit="Fork" onSubmit=${fork}>
      <${Field} label="Name"><input name="name" placeholder="made up" pattern="[\\w.\\-]{1,64}" /></${Field}>
      <${Field} label="As it was right after call" hint="0 is its beginning; left out, as it is now"><input name="at_call" type="number" min="0" max=${live.calls.management} /></${Field}>
    </${Form}>
  </${Dialog}>`;
}

function Reset({ world, onClose }) {
  const reset = async () => {
    await attempt(() => world.control("POST", "/reset"), `${world.name} is reset`);
    onClose();
  };
  return html`<${Dialog} title="Reset" onClose=${onClose}>
    <p>State, clock and journal of <strong>${world.name}</strong> become as they were when it was created. Its snapshots are kept.</p>
    <div class="actions"><${Button} onClick=${onClose}>Cancel</${Button}><${Button} kind="danger" onClick=${reset}>Reset</${Button}></div>
  </${Dialog}>`;
}
