// Controls: every operation under /_sim that changes a world, as a form. The forms come from the control API's OpenAPI document.

import { html, useState } from "../vendor/preact.js";
import { useLoad } from "../lib/api.js";
import { Body } from "../lib/code.js";
import { Fields, filled, resolved } from "../lib/schema.js";
import { attempt, Button, Field, Form, Loaded, Panel, Table } from "../lib/ui.js";

/** Operations that have their place in another view, or need a client that they return something to. */
const ELSEWHERE = /^\/_sim\/(peek|sweep|events|journal|worlds|fork|reset|snapshots|faults|clock)/;

/** Groups by the first part of the path, with a title of what they do. */
const GROUPS = {
  outcomes: "Decide how work ends",
  projects: "Projects",
  organizations: "Organizations and members",
  branches: "Branches",
  users: "Users and tokens",
  tokens: "Users and tokens",
  oauth: "OAuth apps and consent",
  dns: "What the simulator finds outside",
  documents: "What the simulator finds outside",
  snippets: "SQL snippets",
};

export function Controls({ world }) {
  const [wanted, want] = useState("");
  const controls = useLoad(() => listControls(world), [world.name], { still: true });
  const aside = html`<input type="search" aria-label="Find a control" placeholder="what to change" value=${wanted} onInput=${(event) => want(event.target.value)} />`;
  return html`
    <${Panel} title="Controls" aside=${aside}>
      <p class="dim">Each form is one call of the control API. It changes the world from outside, as its owners, its machines or the code host would.</p>
    </${Panel}>
    ${world.has("management") && html`<${Decided} world=${world} />`}
    <${Loaded} from=${controls}>
      ${(all) => {
        const fits = all.filter((one) => `${one.path} ${one.summary}`.toLowerCase().includes(wanted.toLowerCase()));
        const titles = [...new Set(fits.map((one) => one.group))];
        return titles.map((title) => html`<${Panel} key=${title} title=${title} flush>
          ${fits.filter((one) => one.group === title).map((one) => html`<${Control} key=${one.method + one.path} world=${world} control=${one} open=${wanted !== "" && fits.length < 4} />`)}
        </${Panel}>`);
      }}
    </${Loaded}>
  `;
}

/** The decisions about work to come, which can be taken back. */
function Decided({ world }) {
  const decided = useLoad(() => world.peek("/_sim/outcomes"), [world.name]);
  const take = ({ work, project }) => attempt(() => world.control("DELETE", `/outcomes/${work}${project ? `?project=${project}` : ""}`));
  const columns = [
    ["Work", (one) => `${one.lasting ? "each" : "the next"} ${one.work.replaceAll("_", " ")}`],
    ["Ends", (one) => html`<code>${one.outcome}</code>${one.after_ms !== undefined && html` <span class="dim">after ${one.after_ms} ms</span>`}`],
    ["Project", (one) => (one.project ? html`<a href=${`#/${world.name}/projects/${one.project}`}><code>${one.project}</code></a>` : html`<span class="dim">any</span>`), "clip narrow-off"],
    ["Used", (one) => one.used, "right mono narrow-off"],
    ["Decided by", (one) => (one.set_by_call ? html`<a href=${`#/${world.name}/journal/management/${one.set_by_call}`}>call ${one.set_by_call}</a>` : "the world's start"), "narrow-off"],
    ["", (one) => html`<${Button} kind="quiet" icon="bin" label=${`Take back the decision about ${one.work}`} onClick=${() => take(one)} />`, "right"],
  ];
  return html`<${Panel} title="Decided outcomes" flush>
    <${Loaded} from=${decided} empty="All work ends as usual. A decision stays here until work has used it.">
      ${(all) => html`<${Table} label="Decided outcomes" columns=${columns} rows=${all} keyOf=${(one) => `${one.work} ${one.project}`} />`}
    </${Loaded}>
  </${Panel}>`;
}

/** The controls of one project, with its reference filled in. */
export function ProjectControls({ world, project }) {
  const controls = useLoad(() => listControls(world), [world.name], { still: true });
  const known = { ref: project.id, project: project.id, slug: project.organization_slug ?? project.organization_id };
  return html`<${Panel} title="Change this project from outside" flush>
    <${Loaded} from=${controls}>
      ${(all) => all
        .filter((one) => one.path.includes("/projects/{ref}") || one.path.startsWith("/_sim/outcomes") || one.path.endsWith("/plan"))
        .map((one) => html`<${Control} key=${one.method + one.path} world=${world} control=${one} known=${known} />`)}
    </${Loaded}>
  </${Panel}>`;
}

async function listControls(world) {
  const { paths, components } = await world.control("GET", "/openapi.json");
  const { schemas } = components;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ["post", "put", "patch", "delete"].includes(method))
      .map(([method, one]) => ({
        method: method.toUpperCase(),
        path,
        summary: one.summary,
        group: GROUPS[path.split("/")[2]],
        parameters: one.parameters?.filter((parameter) => parameter.in === "path") ?? [],
        body: one.requestBody && resolved(one.requestBody.content["application/json"]?.schema, schemas),
        schemas,
      })),
  );
  const titles = Object.values(GROUPS);
  return all.filter((one) => !ELSEWHERE.test(one.path)).map((one) => ({ ...one, group: one.group ?? "Others" }))
    .sort((a, b) => (titles.indexOf(a.group) + 1 || 99) - (titles.indexOf(b.group) + 1 || 99));
}

function Control({ world, control, known = {}, open = false }) {
  const [shown, show] = useState(open);
  const [answer, set] = useState();
  const { method, path, summary, parameters, body, schemas } = control;
  const asked = { properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])), required: parameters.map((one) => one.name) };
  const send = async (fields) => {
    const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name] ?? fields[name]));
    set(undefined);
    set({ value: await world.control(method, target.replace("/_sim", ""), body && filled(body, schemas, fields)) });
  };
  return html`<details open=${shown} onToggle=${(event) => show(event.target.open)}>
    <summary>${title(summary)} <code class="dim narrow-off">${method} ${path}</code></summary>
    ${shown && html`<div class="control">
      <${Form} submit=${method === "DELETE" ? "Delete" : "Send"} onSubmit=${send} keep>
        <div class="pair-fields wide-fields">
          <${Fields} schema=${asked} schemas=${schemas} skip=${Object.keys(known)} />
          ${body && html`<${Fields} schema=${body} schemas=${schemas} given=${known} />`}
        </div>
      </${Form}>
      ${answer && (isEmpty(answer.value) ? html`<p class="dim">Done.</p>` : html`<${Body} label="Answer" text=${JSON.stringify(answer.value)} />`)}
    </div>`}
  </details>`;
}

/** The first sentence of a summary. */
function title(summary) {
  return summary.split(/\. /)[0].replace(/\.$/, "");
}

function isEmpty(value) {
  return value === undefined || Object.keys(value).length === 0;
}
