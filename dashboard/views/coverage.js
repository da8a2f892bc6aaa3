// Coverage: the outcomes of each operation that the calls of this world have had, and the missing ones.

import { html, useMemo, useState } from "../vendor/preact.js";
import { useLoad } from "../lib/api.js";
import { count } from "../lib/time.js";
import { Loaded, Panel, Tabs } from "../lib/ui.js";
import { Plans } from "./plans.js";

const SHOWN = [["met", "called"], ["all", "all operations"], ["holes", "called, with holes"], ["never", "never called"]];

export function Coverage({ world, path: [service = world.has("management") ? "management" : "analytics"] }) {
  const load = async () => {
    const operations = await world.operations(service);
    const own = new Set(operations.map((one) => one.id));
    // The world's coverage has the calls of both services.
    const { reached } = await world.control("GET", "/coverage");
    return { operations, reached: reached.filter((one) => own.has(one.operation)) };
  };
  const coverage = useLoad(load, [world.name, service]);
  const [shown, show] = useState("met");
  const [wanted, want] = useState("");
  const aside = html`
    <input type="search" aria-label="Find an operation" placeholder="path or operation" value=${wanted} onInput=${(event) => want(event.target.value)} />
    <select aria-label="Which operations" value=${shown} onChange=${(event) => show(event.target.value)}>${SHOWN.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select>
  `;
  return html`
    ${world.info.service === "both" &&
    html`<${Tabs} label="Service" chosen=${service} of=${[["management", "/v1"], ["analytics", "/api"]]} href=${(one) => `#/${world.name}/coverage/${one}`} />`}
    <${Panel} title="Coverage" flush aside=${aside}>
      <${Loaded} from=${coverage}>${(all) => html`<${Matrix} ...${all} shown=${shown} wanted=${wanted.toLowerCase()} />`}</${Loaded}>
    </${Panel}>
    ${service === "management" && html`<${Plans} world=${world} />`}
  `;
}

function Matrix({ operations, reached, shown, wanted }) {
  const [chosen, choose] = useState();
  const counts = useMemo(() => {
    const counts = new Map();
    for (const one of reached) {
      const key = `${one.operation} ${one.status}`;
      counts.set(key, [...(counts.get(key) ?? []), one]);
    }
    return counts;
  }, [reached]);
  const sum = (id, status) => (counts.get(`${id} ${status}`) ?? []).reduce((total, one) => total + one.count, 0);
  const called = new Set(reached.map((one) => one.operation));
  const fits = (one) => {
    if (wanted && !`${one.id} ${one.path}`.toLowerCase().includes(wanted)) return false;
    if (shown === "met") return called.has(one.id);
    if (shown === "never") return !called.has(one.id);
    return shown !== "holes" || (called.has(one.id) && one.statuses.some((status) => sum(one.id, status) === 0));
  };
  const rows = operations.filter(fits);
  const statuses = [...new Set([...rows.flatMap((one) => one.statuses), ...reached.map((one) => one.status)])].sort((a, b) => a - b);
  const possible = operations.reduce((total, one) => total + one.statuses.length, 0);
  const met = operations.reduce((total, one) => total + one.statuses.filter((status) => sum(one.id, status) > 0).length, 0);
  const cell = (one, status) => {
    const number = sum(one.id, status);
    const known = one.statuses.includes(status);
    if (number > 0) return html`<td class=${`met s${String(status)[0]}`}><button title=${`${one.id}: ${status}, ${number} times`} onClick=${() => choose([one.id, status])}>${number > 999 ? `${Math.round(number / 1000)}k` : number}</button></td>`;
    return html`<td class=${known ? "hole" : "none-here"}>${known ? html`<span class="hidden">never reached</span>` : ""}</td>`;
  };
  const details = chosen && counts.get(chosen.join(" "));
  return html`
    <p class="sum"><strong>${called.size}</strong> of ${operations.length} operations called, <strong>${met}</strong> of ${possible} outcomes reached
      <span class="meter" role="img" aria-label=${`${Math.round((100 * met) / possible)} per cent`}><i style=${{ width: `${(100 * met) / possible}%` }}></i></span></p>
    ${details &&
    html`<div class="details"><strong>${chosen[0]}</strong> ${chosen[1]}:
      ${details.map((one) => html` <span class="pair"><code>${one.state || "no project"}</code> <span class="dim">${one.role || "nobody"}</span> ${one.reason && html`<code>${one.reason}</code>`} × ${count(one.count)}</span>`)}</div>`}
    <div class="scroll tall" tabindex="0" role="region" aria-label="Operations and outcomes">
      <table class="matrix">
        <thead><tr><th scope="col">Operation</th>${statuses.map((status) => html`<th scope="col" class=${`s${String(status)[0]}`}>${status}</th>`)}</tr></thead>
        <tbody>
          ${rows.length === 0 && html`<tr><td class="none" colspan=${statuses.length + 1}>${called.size === 0 ? "No operation was called yet." : "No such operation"}</td></tr>`}
          ${rows.map(
            (one) => html`<tr key=${one.id} class=${called.has(one.id) ? "" : "never"}><th scope="row" title=${`${one.id}: ${one.summary}`}><span class="verb">${one.method}</span> <span class="long">${one.path}</span><span class="short">${one.path.replace(/^\/v\d\/projects\/\{ref\}\//, "…/")}</span></th>
              ${statuses.map((status) => cell(one, status))}</tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}
