// The lifecycle of a project: a diagram, and a time line of what happened and what is due.

import { html, useMemo, useState } from "../../vendor/preact.js";
import { now, told, useLoad } from "../../lib/api.js";
import { instant, relative, some } from "../../lib/time.js";
import { attempt, Button, Loaded, Panel, Status, tone, useTicks } from "../../lib/ui.js";
import { loadWords, phrase, Work } from "../../lib/work.js";

/** The number of calls that the time line looks at, the last ones. */
const LAST = 1000;

export function Life({ world, project }) {
  const lifecycles = useLoad(() => world.control("GET", "/lifecycles"), [], { still: true });
  const load = async () => {
    const [happened, agenda, calls, words] = await Promise.all([world.control("GET", `/history?subject=${project.id}`), world.control("GET", "/agenda"), lastCalls(world, project), loadWords(world)]);
    return { happened, due: agenda.filter((job) => job.subject === project.id), words, ...calls };
  };
  const life = useLoad(load, [world.name, project.id]);
  return html`<div class="columns life">
    <${Panel} title="Lifecycle">
      <${Loaded} from=${lifecycles}>
        ${(all) => html`<${Diagram} lifecycle=${all.find((one) => one.name === "Project")} state=${project.status} past=${life.value?.happened.map((one) => one.became) ?? []} />`}
      </${Loaded}>
    </${Panel}>
    <${Panel} title="Time line">
      <${Loaded} from=${life}>${(all) => html`<${TimeLine} world=${world} project=${project} ...${all} />`}</${Loaded}>
    </${Panel}>
  </div>`;
}

/** The last calls about a project, and the number of earlier ones. */
async function lastCalls(world, project) {
  const query = `/journal/search?service=management&text=${project.id}&control=false`;
  const { total } = await world.control("GET", `${query}&limit=0`);
  const earlier = Math.max(0, total - LAST);
  const { calls } = await world.control("GET", `${query}&limit=${LAST}&offset=${earlier}`);
  return { earlier, calls: calls.filter((call) => call.method !== "GET" && call.status < 300) };
}

/** Equal calls in succession are one entry: `POST /database/query × 12`. */
function collapsed(entries) {
  return entries.reduce((all, one) => {
    const last = all.at(-1);
    if (last?.kind === "call" && one.kind === "call" && last.what === one.what) all[all.length - 1] = { ...last, times: last.times + 1 };
    else all.push({ ...one, times: 1 });
    return all;
  }, []);
}

function TimeLine({ world, project, happened, due, calls, earlier, words }) {
  useTicks(1000);
  const advance = (until) => attempt(async () => told(await world.control("POST", "/clock/advance", { until })));
  const past = [
    { at: project.created_at, what: "created", kind: "call" },
    ...happened.map((one) => ({ at: one.at, what: phrase(one), became: one.became, call: one.caused_by_call, kind: "work" })),
    ...calls.map((call) => ({ at: call.at, what: `${call.method} ${call.target.split(project.id)[1] || "/"}`, call: call.call, kind: "call" })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || (b.kind === "call") - (a.kind === "call"));
  const shown = collapsed(past);
  return html`<ol class="line">
    ${[...due].reverse().map(
      (job) => html`<li class="future"><time class="mono" title=${instant(job.due)}>${relative(job.due, now())}</time>
        <${Work} job=${job} words=${words} /><${Button} kind="quiet" icon="skip" label=${`Advance to ${job.kind}, ${instant(job.due)}`} onClick=${() => advance(job.due)} /></li>`,
    )}
    <li class=${`present ${tone(project.status)}`}><time class="mono">${instant(now())}</time><${Status} of=${project.status} /></li>
    ${shown.map(
      (one) => html`<li class=${one.kind}><time class="mono">${instant(one.at)}</time><span>${one.what}${one.times > 1 && html` <span class="dim">× ${one.times}</span>`}</span>
        ${one.became && html`<${Status} of=${one.became} />`}
        ${one.call > 0 && html`<a class="dim" href=${`#/${world.name}/journal/management/${one.call}`}>call ${one.call}</a>`}</li>`,
    )}
    ${earlier > 0 && html`<li class="more"><span class="dim">${some(earlier, "earlier call")} about this project: see the <a href=${`#/${world.name}/journal`}>journal</a>.</span></li>`}
  </ol>`;
}

const BOX = { width: 132, height: 26, across: 166, down: 44 };

/** States in columns by their distance from the first, ordered so that few arrows cross. */
function layout({ states, arrows }) {
  const rank = new Map([[states[0], 0]]);
  for (const state of rank.keys()) {
    arrows.filter((arrow) => arrow.from === state && !rank.has(arrow.to)).forEach((arrow) => rank.set(arrow.to, rank.get(state) + 1));
  }
  states.filter((state) => !rank.has(state)).forEach((state) => rank.set(state, 0));
  const columns = [];
  states.forEach((state) => (columns[rank.get(state)] ??= []).push(state));
  const place = new Map();
  const settle = () => columns.forEach((column, x) => column.forEach((state, y) => place.set(state, { x, y: y - (column.length - 1) / 2 })));
  settle();
  for (let round = 0; round < 6; round++) {
    for (const column of columns) {
      const middle = (state) => {
        const near = arrows.filter((a) => a.from === state || a.to === state).map((a) => place.get(a.from === state ? a.to : a.from).y);
        return near.reduce((sum, y) => sum + y, 0) / (near.length || 1);
      };
      column.sort((a, b) => middle(a) - middle(b));
    }
    settle();
  }
  const tallest = Math.max(...columns.map((column) => column.length));
  const at = new Map([...place].map(([state, { x, y }]) => [state, { x: x * BOX.across + 4, y: (y + (tallest - 1) / 2) * BOX.down + 8 }]));
  return { at, width: columns.length * BOX.across - (BOX.across - BOX.width) + 8, height: tallest * BOX.down + 8 };
}

function Diagram({ lifecycle, state, past }) {
  const { at, width, height } = useMemo(() => layout(lifecycle), [lifecycle]);
  const leads = lifecycle.arrows.filter((arrow) => arrow.from === state);
  const curve = ({ from, to }) => {
    const [a, b] = [at.get(from), at.get(to)];
    const middle = BOX.height / 2;
    if (a.x === b.x) {
      const side = a.x + BOX.width;
      return `M${side} ${a.y + middle} C${side + 34} ${a.y + middle} ${side + 34} ${b.y + middle} ${side} ${b.y + middle}`;
    }
    const forward = b.x > a.x;
    const [x1, x2] = forward ? [a.x + BOX.width, b.x] : [a.x, b.x + BOX.width];
    const bend = (x2 - x1) / 2;
    const off = forward ? -3 : 3;
    return `M${x1} ${a.y + middle + off} C${x1 + bend} ${a.y + middle + off} ${x2 - bend} ${b.y + middle + off} ${x2} ${b.y + middle + off}`;
  };
  const [whole, draw] = useState(false);
  const path = new Set(past.slice(1).map((name, at) => `${past[at]} ${name}`));
  const isNear = (arrow) => whole || arrow.from === state || arrow.to === state || path.has(`${arrow.from} ${arrow.to}`);
  const drawn = lifecycle.arrows.filter(isNear).sort((a, b) => (a.from === state) - (b.from === state));
  const seen = new Set(past);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Lifecycle of a project">
      <svg class="diagram" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img" aria-label=${`Lifecycle; the project is ${state}`}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
          <marker id="tip-lit" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="lit" d="M0 0L8 4L0 8z" /></marker>
        </defs>
        ${drawn.map((arrow) => {
          const lit = arrow.from === state;
          return html`<path class=${lit ? "arrow lit" : "arrow"} d=${curve(arrow)} marker-end=${lit ? "url(#tip-lit)" : "url(#tip)"}><title>${arrow.from} → ${arrow.event} → ${arrow.to}</title></path>`;
        })}
        ${lifecycle.states.map((name) => {
          const { x, y } = at.get(name);
          const kind = name === state ? "lit" : seen.has(name) ? "seen" : "";
          return html`<g class=${`state ${kind}`} transform=${`translate(${x} ${y})`}><rect width=${BOX.width} height=${BOX.height} rx="6" /><text x=${BOX.width / 2} y="17">${name}</text></g>`;
        })}
      </svg>
    </div>
    <label class="check"><input type="checkbox" checked=${whole} onChange=${() => draw(!whole)} /> all transitions</label>
    <p class="leads"><span class="dim">From here:</span>
      ${leads.length === 0 ? "this state is final" : leads.map((arrow) => html`<span><code>${arrow.event}</code> → ${arrow.to}</span>`)}</p>
  `;
}
