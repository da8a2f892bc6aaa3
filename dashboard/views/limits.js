// The rate limit: the use of the window by each user, and the refused calls.

import { html, useState } from "../vendor/preact.js";
import { live, now, told, useLoad } from "../lib/api.js";
import { count, instant, length, some } from "../lib/time.js";
import { attempt, Button, Loaded, Panel, Status, Table, Target, useSettled, useTicks } from "../lib/ui.js";

export function Limits({ world }) {
  useTicks(live.clock?.speed > 0 ? 500 : 5000);
  const windows = useLoad(() => world.control("GET", "/rate-windows"), [world.name]);
  const policy = useLoad(() => world.control("GET", "/policy"), [world.name], { still: true });
  const loadRefused = async () => {
    const query = "/journal/search?service=management&refused_by=rate_limit";
    const { total } = await world.control("GET", `${query}&limit=0`);
    const { calls } = await world.control("GET", `${query}&limit=100&offset=${Math.max(0, total - 100)}`);
    return { total, calls: calls.reverse() };
  };
  const refused = useLoad(loadRefused, [world.name]);
  const limit = policy.value?.rate_limit;
  const columns = [
    ["Call", (call) => html`<a href=${`#/${world.name}/journal/management/${call.call}`}>${call.call}</a>`, "mono"],
    ["At", (call) => instant(call.at), "mono narrow-off"],
    ["Request", (call) => html`${call.method} <${Target} of=${call.target} />`, "mono clip"],
    ["Status", (call) => html`<${Status} of=${call.status} />`],
  ];
  const about = limit && (limit.enabled ? `${limit.count} calls in ${length(limit.window_ms)}, then a block of ${length(limit.block_ms)}` : "off by policy");
  return html`
    <${Panel} title="Rate limit" aside=${html`<span class="dim">${about}</span>`}>
      <${Loaded} from=${windows} empty=${limit?.enabled === false ? "The policy of this world has no rate limit, so calls are not counted." : "No window is open: nobody has called since the last one ended."}>
        ${(all) => html`<ul class="windows">${all.map((one) => html`<${Window} key=${`${one.user} ${one.app}`} world=${world} window=${one} />`)}</ul>`}
      </${Loaded}>
    </${Panel}>
    <${Lens} world=${world} />
    <${Panel} title="Calls refused as too many" flush aside=${html`<span class="dim">${count(refused.value?.total)}</span>`}>
      <${Loaded} from=${refused}>
        ${({ calls }) => (calls.length === 0 ? html`<p class="none">None</p>` : html`<${Table} label="Calls refused as too many" columns=${columns} rows=${calls} keyOf=${(call) => call.call} />`)}
      </${Loaded}>
    </${Panel}>
  `;
}

/** What a run like this one uses of the limit, and how long several at a time take. */
function Lens({ world }) {
  const [runners, set] = useState("1, 10");
  const wanted = useSettled(runners).split(/[\s,]+/).filter(Boolean).join();
  const lens = useLoad(() => world.control("GET", `/lens?${new URLSearchParams({ runners: wanted || "1" })}`), [world.name, wanted], { keep: true });
  const operations = [["Operation", (one) => html`<code>${one.operation}</code>`], ["Calls", (one) => count(one.calls), "right mono"]];
  const forecasts = [
    ["Runs at a time", (one) => count(one.runners), "mono"],
    ["They take", (one) => length(one.wall_ms), "right mono"],
    ["Calls refused", (one) => count(one.refused), "right mono"],
  ];
  const aside = html`<label class="check">runs at a time <input size="8" aria-label="Numbers of runs" value=${runners} onInput=${(event) => set(event.target.value)} /></label>`;
  return html`<${Panel} title="Use of the limit by these calls" aside=${aside}>
    <${Loaded} from=${lens}>
      ${(seen) => seen.calls === 0 ? html`<p class="none">No calls yet. This panel says how long several runs of your client take, once it has made calls.</p>` : html`
        <p>${some(seen.calls, "call")}, of which ${count(seen.busiest)} in the busiest ${length(seen.limit.window_ms)}: <strong>${count(seen.budget_percent)} %</strong> of the limit of ${count(seen.limit.count)}.</p>
        <div class="columns even">
          <${Table} label="Forecasts" columns=${forecasts} rows=${seen.forecasts} />
          <${Table} label="Calls by operation" columns=${operations} rows=${seen.operations.slice(0, 20)} />
        </div>
      `}
    </${Loaded}>
  </${Panel}>`;
}

function Window({ world, window: { user, app, limit, used, remaining, ends_at, blocked } }) {
  const left = ends_at ? Date.parse(ends_at) - now() : 0;
  const open = left > 0;
  const share = blocked && open ? 1 : open ? used / limit : 0;
  const wait = () => attempt(async () => told(await world.control("POST", "/clock/advance", { until: ends_at })));
  const kind = blocked && open ? "bad" : share > 0.8 ? "warn" : "good";
  return html`<li class=${kind}>
    <div class="who"><strong>${user}</strong> ${app && html`<span class="tag">${app}</span>`}
      <span class="dim">${blocked && open ? `refused for ${length(left)} more` : open ? `window ends in ${length(left)}` : "no window open"}</span>
      ${open && html`<${Button} kind="quiet" icon="skip" label=${`Advance to the end of the window of ${user}`} onClick=${wait} />`}</div>
    <div class="gauge" role="img" aria-label=${`${used} of ${limit} used`}><i style=${{ width: `${100 * share}%` }}></i></div>
    <div class="numbers mono"><span>${open ? (blocked ? "blocked" : `${used} used`) : "0 used"}</span><span>${open ? remaining : limit} left of ${limit}</span></div>
  </li>`;
}
