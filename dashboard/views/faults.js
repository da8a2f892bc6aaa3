// Faults: the fault rules, with their counts.

import { html, useState } from "../vendor/preact.js";
import { useLoad } from "../lib/api.js";
import { attempt, Button, Field, Form, Loaded, Panel, Table, Tabs } from "../lib/ui.js";

/** The effects of rules: name, description, and their numbers with defaults. */
const EFFECTS = [
  ["status", "refuse with a status", [["status", 503], ["retry_after_s", ""]]],
  ["rate_limit", "refuse as one call too many", [["seconds", 60]]],
  ["latency", "answer late", [["ms", 1000]]],
  ["reset", "reset the connection, nothing done", []],
  ["lost_answer", "do it, lose the answer", []],
  ["late", "reset the connection, do it later", [["ms", 1000]]],
  ["twice", "do it twice", []],
  ["stale", "read what was there before", [["calls", 1]]],
  ["empty", "answer without a body", []],
  ["torn", "break off in the middle of the answer", []],
  ["garbage", "answer what is no JSON", []],
  ["slow", "answer piece by piece", [["ms", 1000]]],
  ["lean", "answer without optional members", []],
  ["rich", "answer with all optional members and an unknown one", []],
  ["varied", "answer in another form that the schema allows", []],
  ["reorder", "answer in reverse order", []],
  ["partial", "do the first items of a list, then refuse", [["done", 1], ["status", 500]]],
];
const LABELS = { status: "Status", retry_after_s: "Retry after, seconds", seconds: "Seconds", ms: "Milliseconds", calls: "Calls ago", done: "Items done" };

export function Faults({ world, path: [service = world.has("management") ? "management" : "analytics"] }) {
  const query = `?service=${service}`;
  const rules = useLoad(() => world.peek(`/_sim/faults${query}`), [world.name, service]);
  const operations = useLoad(() => world.operations(service), [world.name, service], { still: true });
  const drop = (id) => attempt(() => world.control("DELETE", `/faults/${id}${query}`));
  const clear = () => attempt(() => world.control("PUT", `/faults${query}`, []), "No faults any more");
  const columns = [
    ["Rule", (one) => one.id, "mono dim"],
    ["Strikes", (one) => html`<${On} on=${one.rule.on} />`, "wrap"],
    ["Does", (one) => effect(one.rule.effect)],
    ["When", (one) => when(one.rule)],
    ["Met", (one) => one.met, "right mono"],
    ["Struck", (one) => html`<strong class=${one.struck ? "hit" : "dim"}>${one.struck}</strong>`, "right mono"],
    ["", (one) => html`<${Button} kind="quiet" icon="bin" label=${`Take away rule ${one.id}`} onClick=${() => drop(one.id)} />`, "right"],
  ];
  return html`
    ${world.info.service === "both" &&
    html`<${Tabs} label="Service" chosen=${service} of=${[["management", "/v1"], ["analytics", "/api"]]} href=${(one) => `#/${world.name}/faults/${one}`} />`}
    <div class="columns faults">
      <${Panel} title="Rules" flush aside=${rules.value?.length > 0 && html`<${Button} onClick=${clear}>End all</${Button}>`}>
        <${Loaded} from=${rules} empty="No faults: every call gets what it would get. Add a rule to see how a client takes it.">
          ${(all) => html`<${Table} label="Rules" columns=${columns} rows=${all} keyOf=${(one) => one.id} />`}
        </${Loaded}>
      </${Panel}>
      <${Add} world=${world} query=${query} operations=${operations.value ?? []} />
    </div>
  `;
}

function On({ on }) {
  const words = Object.entries(on).filter(([, value]) => value !== null);
  return words.map(([name, value]) => html`<span class="pair"><span class="dim">${name}</span> <code>${value}</code></span>`);
}

function effect({ kind, ...rest }) {
  const numbers = Object.entries(rest).filter(([, value]) => value !== null);
  return html`<code>${kind}</code> <span class="dim">${numbers.map(([name, value]) => `${name} ${value}`).join(", ")}</span>`;
}

function when({ nth, times, probability }) {
  const from = nth === 1 ? "" : `from the ${nth}. on, `;
  const number = times === 0 ? "each" : times === 1 ? "once" : `${times} times`;
  return `${from}${number}${probability === null || probability === undefined ? "" : `, with chance ${probability}`}`;
}

function Add({ world, query, operations }) {
  const [kind, choose] = useState("status");
  const [, , numbers] = EFFECTS.find(([name]) => name === kind);
  const add = async ({ operation, method, path, project, caller, nth, times, probability, ...given }) => {
    const effect = { kind };
    numbers.forEach(([name]) => given[`effect_${name}`] && (effect[name] = Number(given[`effect_${name}`])));
    if (given.message) effect.message = given.message;
    const number = (text) => (text === undefined ? undefined : Number(text));
    const rule = { on: { operation, method, path, project, caller }, nth: number(nth), times: number(times), probability: number(probability), effect };
    await world.control("POST", `/faults${query}`, rule);
  };
  return html`<${Panel} title="Add a rule">
    <${Form} submit="Add the rule" onSubmit=${add}>
      <fieldset><legend>Which calls</legend>
        <${Field} label="Operation"><input name="operation" list="operations" placeholder="any" autocomplete="off" /></${Field}>
        <datalist id="operations">${operations.map((one) => html`<option value=${one.id}>${one.method} ${one.path}</option>`)}</datalist>
        <${Field} label="Path"><input name="path" placeholder="/v1/projects/*" /></${Field}>
        <div class="pair-fields">
          <${Field} label="Method"><select name="method"><option value="">any</option>${["GET", "POST", "PUT", "PATCH", "DELETE"].map((one) => html`<option value=${one}>${one}</option>`)}</select></${Field}>
          <${Field} label="User"><input name="caller" placeholder="any" /></${Field}>
        </div>
        <${Field} label="Project"><input name="project" placeholder="any reference" /></${Field}>
      </fieldset>
      <fieldset><legend>What happens to them</legend>
        <${Field} label="Effect">
          <select value=${kind} onChange=${(event) => choose(event.target.value)}>${EFFECTS.map(([name, about]) => html`<option value=${name}>${about}</option>`)}</select>
        </${Field}>
        <div class="pair-fields">
          ${numbers.map(([name, usual]) => html`<${Field} key=${`${kind} ${name}`} label=${LABELS[name]}><input name=${`effect_${name}`} type="number" min="0" defaultValue=${usual} /></${Field}>`)}
        </div>
        ${kind === "status" && html`<${Field} label="Message"><input name="message" placeholder="the service's own" /></${Field}>`}
      </fieldset>
      <fieldset><legend>How often</legend>
        <div class="pair-fields">
          <${Field} label="From the nth on"><input name="nth" type="number" min="1" defaultValue="1" /></${Field}>
          <${Field} label="Times, 0 is each"><input name="times" type="number" min="0" defaultValue="1" /></${Field}>
          <${Field} label="Chance"><input name="probability" type="number" min="0" max="1" step="any" placeholder="1" /></${Field}>
        </div>
      </fieldset>
    </${Form}>
  </${Panel}>`;
}
