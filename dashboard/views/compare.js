// Compare: what is different between two worlds, or between two states of one.

import { html, useState } from "../vendor/preact.js";
import { listWorlds, live, useLoad } from "../lib/api.js";
import { count, instant, some } from "../lib/time.js";
import { Change, Field, Form, Loaded, Panel, Table, cell } from "../lib/ui.js";

/** The most differences of a kind that are shown. */
const SHOWN = 200;

/** The longest value that is shown whole, in characters. */
const LONG = 160;

export function Compare({ world }) {
  const worlds = useLoad(listWorlds, []);
  const snapshots = useLoad(() => world.control("GET", "/snapshots"), [world.name]);
  const [state, set] = useState();
  const compare = async ({ from, at_call, to }) => {
    const query = new URLSearchParams();
    if (to && to !== world.name) query.set("to", to);
    if (from === "call") query.set("at_call", at_call ?? "0");
    if (from?.startsWith("snapshot ")) query.set("snapshot", from.slice("snapshot ".length));
    set(undefined);
    set({ ...(await world.control("GET", `/diff?${query}`)), from: earlier(world, from, at_call), to: to ?? world.name });
  };
  return html`
    <${Panel} title="Compare">
      <p class="dim lead">See which rows, and which answers to GET requests, are different. To see what your client changed, take a snapshot before you run it.</p>
      <${Choice} world=${world} worlds=${worlds.value ?? []} snapshots=${snapshots.value ?? []} onSubmit=${compare} />
    </${Panel}>
    ${state && html`<${Difference} ...${state} />`}
  `;
}

/** The earlier state in words. */
function earlier(world, from, call) {
  if (from === "call") return `${world.name} right after call ${call ?? 0}`;
  return from?.startsWith("snapshot ") ? `${from} of ${world.name}` : world.name;
}

function Choice({ world, worlds, snapshots, onSubmit }) {
  const [from, begin] = useState("call");
  const others = worlds.filter((one) => one.name !== world.name);
  return html`<${Form} submit="Compare" onSubmit=${onSubmit} keep>
    <div class="pair-fields wide-fields">
      <${Field} label="From">
        <select name="from" value=${from} onChange=${(event) => begin(event.target.value)}>
          <option value="call">${world.name} as it was right after a call</option>
          ${snapshots.map((one) => html`<option value=${`snapshot ${one.name}`}>snapshot ${one.name}, ${instant(one.now)}</option>`)}
          ${others.length > 0 && html`<option value="now">${world.name} as it is now</option>`}
        </select>
      </${Field}>
      ${from === "call" && html`<${Field} label="Call (0 = its beginning)"><input name="at_call" type="number" min="0" max=${live.calls.management ?? live.calls.analytics} defaultValue="0" required /></${Field}>`}
      <${Field} label="To">
        <select name="to">
          ${from !== "now" && html`<option value=${world.name}>${world.name} as it is now</option>`}
          ${others.map((one) => html`<option value=${one.name}>${one.name} as it is now</option>`)}
        </select>
      </${Field}>
    </div>
  </${Form}>`;
}

function Difference({ from, to, rows, answers }) {
  if (rows.length + answers.length === 0) return html`<${Panel} title="Difference"><p class="none">${from} and ${to} are equal.</p></${Panel}>`;
  const values = answers.flatMap((answer) => answer.changes.map((change) => ({ path: answer.path, ...change })));
  const columns = [
    ["Path", (one) => one.path, "mono broken path"],
    ["Place", (one) => one.pointer || html`<span class="dim">all</span>`, "mono broken"],
    ["Before", (one) => html`<${Value} of=${one.before} />`, "mono broken"],
    ["After", (one) => html`<${Value} of=${one.after} />`, "mono broken"],
  ];
  return html`
    <p role="status">From <strong>${from}</strong> to <strong>${to}</strong>: ${some(rows.length, "row")} and ${some(values.length, "value")} of ${some(answers.length, "answer")} are different.</p>
    ${values.length > 0 &&
    html`<${Panel} title="Answers" flush>
      <${Table} label="Different answers" columns=${columns} rows=${values.slice(0, SHOWN)} keyOf=${(one) => `${one.path} ${one.pointer}`} />
      <${More} all=${values} />
    </${Panel}>`}
    ${rows.length > 0 &&
    html`<${Panel} title="Rows">
      ${rows.slice(0, SHOWN).map((change) => html`<${Change} change=${change} />`)}
      <${More} all=${rows} />
    </${Panel}>`}
  `;
}

/** A value, shortened, with all of it as its title. */
function Value({ of }) {
  if (of === undefined) return html`<span class="dim">–</span>`;
  const text = typeof of === "object" ? JSON.stringify(of) : String(of);
  return text.length <= LONG ? cell(of) : html`<span title=${text}>${text.slice(0, LONG)} …</span>`;
}

function More({ all }) {
  return all.length > SHOWN && html`<p class="none">The first ${SHOWN} of ${count(all.length)}. <code>stuntdouble diff</code> prints all.</p>`;
}
