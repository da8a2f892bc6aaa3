// Plans: random call sequences with the expected answer of each call, for clients in any language.

import { html, useState } from "../vendor/preact.js";
import { instant, some } from "../lib/time.js";
import { Button, Field, Form, Panel, save, Status, Table } from "../lib/ui.js";

export function Plans({ world }) {
  const [plans, set] = useState();
  const draw = async (fields) => set(await world.control("GET", `/plans?${new URLSearchParams(fields)}`));
  const columns = [
    ["Operation", (step) => step.operation && html`<code>${step.operation}</code>`, "narrow-off"],
    ["Step", (step) => (step.until ? html`<span class="dim">advance to ${instant(step.until)}</span>` : `${step.method} ${step.path}`), "mono clip most"],
    ["Expected", (step) => step.expect && html`<${Status} of=${step.expect.status} />`],
  ];
  const lines = () => plans.map((plan) => JSON.stringify(plan)).join("\n");
  const aside = plans && html`<${Button} icon="download" onClick=${() => save("plans.jsonl", `${lines()}\n`, "application/jsonl")}>Save as lines</${Button}>`;
  return html`<${Panel} title="Random call sequences" aside=${aside}>
    <p class="dim lead">A plan is a random, valid sequence of calls with the expected answer of each, for a world of its own. The same seed gives the same plans.</p>
    <${Form} submit="Generate" onSubmit=${draw} keep>
      <div class="pair-fields wide-fields">
        <${Field} label="Seed"><input name="seed" type="number" min="0" defaultValue="0" /></${Field}>
        <${Field} label="Plans, up to 100"><input name="count" type="number" min="1" max="100" defaultValue="1" /></${Field}>
        <${Field} label="Calls in each, up to 100"><input name="length" type="number" min="1" max="100" defaultValue="20" /></${Field}>
        <${Field} label="Operations, with commas"><input name="operations" class="mono" placeholder="all" /></${Field}>
        <${Field} label="Answers"><select name="good"><option value="false">also refusals</option><option value="true">successes only</option></select></${Field}>
      </div>
    </${Form}>
    ${plans?.map((plan) => html`<details key=${plan.seed} open=${plans.length === 1}>
      <summary>Seed ${plan.seed} <span class="dim">${some(plan.steps.length, "step")}</span></summary>
      <${Table} label=${`Plan ${plan.seed}`} columns=${columns} rows=${plan.steps.filter((step) => !step.setup)} />
    </details>`)}
  </${Panel}>`;
}
