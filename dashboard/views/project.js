// One project: its lifecycle, its parts, and its database.

import { html, useState } from "../vendor/preact.js";
import { useLoad } from "../lib/api.js";
import { attempt, Button, Dialog, Icon, Status, Tabs, Wrong } from "../lib/ui.js";
import { ProjectControls } from "./controls.js";
import { Backups } from "./project/backups.js";
import { Sql, Types } from "./project/database.js";
import { Life } from "./project/life.js";
import { Branches, Functions, Secrets, Settings } from "./project/parts.js";

const PARTS = [
  ["life", "Life"],
  ["database", "SQL"],
  ["backups", "Backups"],
  ["branches", "Branches"],
  ["functions", "Functions"],
  ["secrets", "Secrets"],
  ["settings", "Settings"],
  ["types", "Types"],
  ["controls", "Controls"],
];

const VIEWS = { life: Life, database: Sql, backups: Backups, branches: Branches, functions: Functions, secrets: Secrets, settings: Settings, types: Types, controls: ProjectControls };

export function Project({ world, path: [ref, part = "life", ...rest] }) {
  const project = useLoad(() => world.peek(`/v1/projects/${encodeURIComponent(ref)}`), [world.name, ref]);
  const Part = VIEWS[part];
  const found = project.value;
  return html`
    <div class="title">
      <a href=${`#/${world.name}/projects`} class="button quiet" aria-label="All projects"><${Icon} name="back" /></a>
      <h2>${found?.name ?? ref}</h2>
      ${found && html`<${Status} of=${found.status} />`}
      ${found && html`<code>${ref}</code>`}
      ${found && html`<span class="dim narrow-off">${found.organization_id} · ${found.region} · Postgres ${found.database?.version}</span>`}
      ${found && html`<${Actions} world=${world} project=${found} />`}
    </div>
    <${Wrong} error=${project.error} />
    ${project.error && html`<p><a href=${`#/${world.name}/projects`}>All projects of ${world.name}</a></p>`}
    ${!project.error && html`<${Tabs} label="Parts of the project" of=${PARTS} chosen=${part} href=${(id) => `#/${world.name}/projects/${ref}/${id}`} />`}
    ${found && !Object.hasOwn(VIEWS, part) && html`<p class="none">A project has no view ${part}.</p>`}
    ${found && Object.hasOwn(VIEWS, part) && html`<${Part} world=${world} project=${found} path=${rest} />`}
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
      <div class="actions"><${Button} onClick=${() => ask(false)}>Cancel</${Button}><${Button} kind="danger" onClick=${() => (ask(false), act("DELETE", "", "Going down"))}>Delete</${Button}></div>
    </${Dialog}>`}
  </div>`;
}
