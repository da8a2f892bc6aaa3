// Parts of a project: branches, functions, secrets, settings.

import { html, useState } from "../../vendor/preact.js";
import { useLoad } from "../../lib/api.js";
import { Code } from "../../lib/code.js";
import { instant } from "../../lib/time.js";
import { attempt, Button, copy, Dialog, Facts, Field, Form, Loaded, Panel, Status, Table } from "../../lib/ui.js";

export function Branches({ world, project }) {
  const load = async () => {
    const branches = await world.peek(`/v1/projects/${project.id}/branches`);
    return [...branches].sort((a, b) => b.is_default - a.is_default);
  };
  const branches = useLoad(load, [project.id]);
  const [open, show] = useState(false);
  const act = (branch, method, path, done, body) => attempt(() => world.act(method, `/v1/branches/${branch.id}${path}`, body), done);
  const columns = [
    ["Branch", (one) => html`<a href=${`#/${world.name}/projects/${one.project_ref}`}>${one.name}</a>${one.is_default ? html` <span class="tag">default</span>` : ""}${one.persistent && !one.is_default ? html` <span class="tag">persistent</span>` : ""}<span class="short"><br /><${Status} of=${one.status} /></span>`],
    ["Status", (one) => html`<${Status} of=${one.status} />`, "narrow-off"],
    ["Git branch", (one) => one.git_branch && html`<code>${one.git_branch}</code>`, "narrow-off"],
    ["Pull request", (one) => one.pr_number && `#${one.pr_number}`, "narrow-off"],
    ["Updated", (one) => instant(one.updated_at), "mono narrow-off"],
    ["", (one) => !one.is_default && html`
      <${Button} onClick=${() => act(one, "POST", "/push", `Pushing to ${one.name}`, {})}>Push</${Button}>
      <${Button} onClick=${() => act(one, "POST", "/merge", `Merging ${one.name}`, {})}>Merge</${Button}>
      <${Button} onClick=${() => act(one, "POST", "/reset", `Resetting ${one.name}`, {})}>Reset</${Button}>
      <${Button} kind="quiet" icon="bin" label=${`Delete branch ${one.name}`} onClick=${() => act(one, "DELETE", "", `${one.name} deleted`)} />`, "right acts"],
  ];
  const create = async ({ branch_name }) => {
    await world.act("POST", `/v1/projects/${project.id}/branches`, { branch_name });
    show(false);
  };
  return html`<${Panel} title="Branches" flush aside=${html`<${Button} icon="plus" onClick=${() => show(true)}>New branch</${Button}>`}>
    <${Loaded} from=${branches} empty="No branches. The first one made enables branching.">
      ${(all) => html`<${Table} label="Branches" columns=${columns} rows=${all} keyOf=${(one) => one.id} />`}
    </${Loaded}>
    ${open && html`<${Dialog} title="New branch" onClose=${() => show(false)}><${Form} submit="Create" onSubmit=${create}><${Field} label="Name"><input name="branch_name" required /></${Field}></${Form}></${Dialog}>`}
  </${Panel}>`;
}

export function Functions({ world, project, path: [slug] }) {
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
      <${Loaded} from=${functions} empty="No functions. A client makes one with POST /v1/projects/{ref}/functions/deploy.">${(all) => html`<${Table} label="Functions" columns=${columns} rows=${all} keyOf=${(one) => one.slug} />`}</${Loaded}>
    </${Panel}>
    ${slug && html`<${Source} key=${slug} world=${world} project=${project} slug=${slug} />`}
  `;
}

/** The files of a function, as they were uploaded. */
function Source({ world, project, slug }) {
  const load = async () => filesOf(await world.peek(`/v1/projects/${project.id}/functions/${slug}/body`, { accept: "multipart/form-data" }));
  const source = useLoad(load, [project.id, slug]);
  return html`<${Panel} title=${`Source of ${slug}`}>
    <${Loaded} from=${source} empty="No files">
      ${(files) => files.map((file) => html`<h3><code>${file.name}</code></h3><${Code} label=${`Source of ${slug}, ${file.name}`} language="code" text=${file.text} />`)}
    </${Loaded}>
  </${Panel}>`;
}

/** The files of a multipart body, which begins with its boundary. */
function filesOf(body) {
  const boundary = body.slice(0, body.indexOf("\r\n"));
  return body.split(boundary).flatMap((part) => {
    const name = /filename="([^"]*)"/.exec(part)?.[1];
    const at = part.indexOf("\r\n\r\n");
    return name === undefined ? [] : [{ name, text: part.slice(at + 4).replace(/\r\n$/, "") }];
  });
}

export function Secrets({ world, project }) {
  const secrets = useLoad(() => world.peek(`/v1/projects/${project.id}/secrets`), [project.id]);
  const keys = useLoad(() => world.peek(`/v1/projects/${project.id}/api-keys`), [project.id]);
  const columns = [
    ["Name", (one) => html`<code>${one.name}</code>`],
    ["SHA-256 of the value", (one) => html`<code class="dim" title=${one.value}>${one.value?.slice(0, 16)}…</code>`],
    ["Updated", (one) => one.updated_at && instant(one.updated_at), "mono narrow-off"],
    ["", (one) => html`<${Button} kind="quiet" icon="bin" label=${`Delete secret ${one.name}`} onClick=${() => drop(one.name)} />`, "right"],
  ];
  const set = (secret) => world.act("POST", `/v1/projects/${project.id}/secrets`, [secret]);
  const drop = (name) => attempt(() => world.act("DELETE", `/v1/projects/${project.id}/secrets`, [name]), `${name} deleted`);
  const keyColumns = [
    ["Name", (one) => html`<code>${one.name}</code>`],
    ["Type", (one) => one.type ?? "", "dim"],
    ["Key", (one) => html`<code class="dim">••••••••</code> <${Button} kind="quiet" icon="copy" label=${`Copy the key ${one.name}`} onClick=${() => copy(one.api_key, `Key ${one.name}`)} />`],
  ];
  return html`<div class="columns">
    <${Panel} title="Secrets" flush>
      <${Form} kind="inline" submit="Set" onSubmit=${set}><input name="name" aria-label="Name of the secret" placeholder="NAME" required /><input name="value" aria-label="Value" type="password" autocomplete="new-password" placeholder="value" required /></${Form}>
      <${Loaded} from=${secrets} empty="No secrets">${(all) => html`<${Table} label="Secrets" columns=${columns} rows=${all} keyOf=${(one) => one.name} />`}</${Loaded}></${Panel}>
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

export function Settings({ world, project }) {
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
