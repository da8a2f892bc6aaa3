// Faults: the fault rules, with their counts.

import { html, useState } from "../vendor/preact.js";
import { useLoad } from "../lib/api.js";
import { Code } from "../lib/code.js";
import { Fields, filled } from "../lib/schema.js";
import { attempt, Button, Field, Form, Loaded, Panel, Table, Tabs } from "../lib/ui.js";

export function Faults({ world, path: [service = world.has("management") ? "management" : "analytics"] }) {
  const query = `?service=${service}`;
  const rules = useLoad(() => world.peek(`/_sim/faults${query}`), [world.name, service]);
  const operations = useLoad(() => world.operations(service), [world.name, service], { still: true });
  const schemas = useLoad(async () => (await world.control("GET", "/openapi.json")).components.schemas, [world.name], { still: true });
  const drop = (id) => attempt(() => world.control("DELETE", `/faults/${id}${query}`));
  const clear = () => attempt(() => world.control("PUT", `/faults${query}`, []), "All rules deleted");
  const columns = [
    ["Rule", (one) => one.id, "mono dim narrow-off"],
    ["Calls", (one) => html`<${On} on=${one.rule.on} />`, "tight"],
    ["Effect", (one) => effect(one.rule.effect), "tight"],
    ["When", (one) => when(one.rule), "narrow-off"],
    ["Matched", (one) => one.met, "right mono narrow-off"],
    ["Applied", (one) => html`<strong class=${one.struck ? "hit" : "dim"}>${one.struck}</strong>`, "right mono"],
    ["", (one) => html`<${Button} kind="quiet" icon="bin" label=${`Delete rule ${one.id}`} onClick=${() => drop(one.id)} />`, "right"],
  ];
  return html`
    ${world.info.service === "both" &&
    html`<${Tabs} label="Service" chosen=${service} of=${[["management", "/v1"], ["analytics", "/api"]]} href=${(one) => `#/${world.name}/faults/${one}`} />`}
    <div class="columns faults">
      <${Panel} title="Rules" flush aside=${rules.value?.length > 0 && html`<${Button} onClick=${clear}>Delete all</${Button}>`}>
        <${Loaded} from=${rules} empty="No faults. Add a rule to see how your client reacts.">
          ${(all) => html`<${Table} label="Rules" columns=${columns} rows=${all} keyOf=${(one) => one.id} />`}
        </${Loaded}>
      </${Panel}>
      ${schemas.value && html`<${Add} world=${world} query=${query} operations=${operations.value ?? []} schemas=${schemas.value} />`}
    </div>
  `;
}

function On({ on }) {
  const words = Object.entries(on).filter(([, value]) => value !== null);
  return words.map(([name, value]) => html`<span class="pair"><span class="dim">${name}</span> <code>${value}</code></span>`);
}

function effect({ kind, ...rest }) {
  const numbers = Object.entries(rest).filter(([, value]) => value !== null);
  return html`<code>${kind}</code> <span class="dim">${numbers.map(([name, value]) => (name === kind ? value : `${name} ${value}`)).join(", ")}</span>`;
}

function when({ nth, times, probability }) {
  const from = nth === 1 ? "" : `, from match ${nth}`;
  const number = times === 0 ? "always" : times === 1 ? "once" : `${times} times`;
  return `${number}${from}${probability === null || probability === undefined ? "" : `, probability ${probability}`}`;
}

/** The part of a rule that says what it does: the schema of the effect, as a member of an object. */
const EFFECT = { properties: { effect: { $ref: "#/components/schemas/Effect" } }, required: ["effect"] };

/** Numbers that a form begins with. */
const USUAL = { effect: { status: 503, seconds: 60, ms: 1000, calls: 1, done: 1 } };

function Add({ world, query, operations, schemas }) {
  const [preview, show] = useState();
  const rule = ({ operation, method, path, project, caller, nth, times, for_ms, probability, ...given }) => {
    const number = (text) => (text === undefined ? undefined : Number(text));
    return { on: { operation, method, path, project, caller }, nth: number(nth), times: number(times), for_ms: number(for_ms), probability: number(probability), ...filled(EFFECT, schemas, given) };
  };
  const add = (fields) => world.control("POST", `/faults${query}`, rule(fields));
  const look = (event) => {
    const fields = Object.fromEntries([...new FormData(event.currentTarget.querySelector("form"))].filter(([, value]) => value !== ""));
    try {
      show(JSON.stringify(rule(fields), null, 2));
    } catch (error) {
      show(error.message);
    }
  };
  return html`<${Panel} title="Add a rule">
    <div onInput=${look}>
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
        <${Fields} schema=${EFFECT} schemas=${schemas} given=${USUAL} />
        <fieldset><legend>How often</legend>
          <div class="pair-fields">
            <${Field} label="First match"><input name="nth" type="number" min="1" defaultValue="1" /></${Field}>
            <${Field} label="Limit (0 = no limit)"><input name="times" type="number" min="0" defaultValue="1" /></${Field}>
            <${Field} label="For, ms"><input name="for_ms" type="number" min="1" placeholder="no end" /></${Field}>
            <${Field} label="Probability"><input name="probability" type="number" min="0" max="1" step="any" placeholder="1" /></${Field}>
          </div>
        </fieldset>
      </${Form}>
    </div>
    ${preview && html`<h3>The rule</h3><${Code} label="The rule" language="json" text=${preview} />`}
  </${Panel}>`;
}
