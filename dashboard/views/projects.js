// All projects, with their statuses.

import { html, useState } from "../vendor/preact.js";
import { now, useLoad } from "../lib/api.js";
import { count, instant, relative } from "../lib/time.js";
import { Button, Dialog, Field, Form, Loaded, Panel, Status, Table, Target } from "../lib/ui.js";
import { Work } from "../lib/work.js";

/** The number of projects shown at first. */
const SHOWN = 200;

export function Projects({ world }) {
  const [dialog, open] = useState(false);
  const [wanted, want] = useState("");
  const [most, show] = useState(SHOWN);
  const load = async () => {
    const [projects, agenda] = await Promise.all([world.peek("/v1/projects"), world.control("GET", "/agenda")]);
    return projects.map((project) => ({ ...project, due: agenda.find((job) => job.subject === project.id) }));
  };
  const projects = useLoad(load, [world.name]);
  const href = (project) => `#/${world.name}/projects/${project.id}`;
  const columns = [
    ["Project", (project) => html`<a href=${href(project)} title=${project.name}>${project.name}</a>`, "name"],
    ["Status", (project) => html`<${Status} of=${project.status} />`],
    ["Next", (project) => project.due && html`<${Work} job=${project.due} /> <span class="dim">${relative(project.due.due, now())}</span>`, "narrow-off wrap"],
    ["Organization", (project) => project.organization_id, "narrow-off"],
    ["Region", (project) => project.region, "narrow-off"],
    ["Postgres", (project) => project.database?.version, "mono narrow-off"],
    ["Created", (project) => instant(project.created_at), "mono narrow-off"],
    ["Reference", (project) => html`<code><${Target} of=${project.id} /></code>`],
  ];
  const fits = (project) => `${project.name} ${project.id} ${project.status} ${project.organization_id}`.toLowerCase().includes(wanted.toLowerCase());
  const aside = html`
    <input type="search" aria-label="Find a project" placeholder="name, reference, status" value=${wanted} onInput=${(event) => want(event.target.value)} />
    <${Button} icon="plus" kind="primary" onClick=${() => open(true)}>New project</${Button}>
  `;
  return html`
    <${Panel} title="Projects" flush aside=${aside}>
      <${Loaded} from=${projects} empty="No projects yet. A new one comes up within a simulated minute.">
        ${(all) => {
          const shown = all.filter(fits);
          return html`<${Table} label="Projects" columns=${columns} rows=${shown.slice(0, most)} keyOf=${(project) => project.id} onRow=${(project) => (location.hash = href(project))} />
            ${shown.length > most && html`<p class="none">The first ${count(most)} of ${count(shown.length)} <${Button} onClick=${() => show(most + SHOWN)}>Show more</${Button}></p>`}`;
        }}
      </${Loaded}>
    </${Panel}>
    ${dialog && html`<${Create} world=${world} onClose=${() => open(false)} />`}
  `;
}

const REGIONS = ["us-east-1", "us-west-1", "eu-west-1", "eu-central-1", "ap-southeast-1", "sa-east-1"];

function Create({ world, onClose }) {
  const organizations = useLoad(() => world.peek("/v1/organizations"), [world.name], { still: true });
  const create = async (fields) => {
    const made = await world.act("POST", "/v1/projects", fields);
    onClose();
    location.hash = `#/${world.name}/projects/${made.id}`;
  };
  return html`<${Dialog} title="New project" onClose=${onClose}>
    <${Form} submit="Create" onSubmit=${create}>
      <${Field} label="Name"><input name="name" required /></${Field}>
      <${Field} label="Organization">
        <select name="organization_id" required>${(organizations.value ?? []).map((one) => html`<option value=${one.id}>${one.name}</option>`)}</select>
      </${Field}>
      <${Field} label="Region"><select name="region">${REGIONS.map((one) => html`<option value=${one}>${one}</option>`)}</select></${Field}>
      <${Field} label="Database password"><input name="db_pass" type="password" autocomplete="new-password" required /></${Field}>
    </${Form}>
  </${Dialog}>`;
}
