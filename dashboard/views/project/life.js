// The lifecycle of a project: a diagram, and a time line of what happened and what is due.

import { Graph, layout as place } from "../../vendor/dagre.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact.js";
import { now, told, useLoad } from "../../lib/api.js";
import { instant, relative, some } from "../../lib/time.js";
import { attempt, Button, Loaded, Panel, Status, tone, useTicks } from "../../lib/ui.js";
import { eventOf, phrase, Work } from "../../lib/work.js";

/** The number of calls that the time line looks at, the last ones. */
const LAST = 1000;

export function Life({ world, project }) {
  const lifecycles = useLoad(() => world.control("GET", "/lifecycles"), [], { still: true });
  const load = async () => {
    const [happened, agenda, calls] = await Promise.all([world.control("GET", `/history?subject=${project.id}`), world.control("GET", "/agenda"), lastCalls(world, project)]);
    return { happened, due: agenda.filter((job) => job.subject === project.id), ...calls };
  };
  const life = useLoad(load, [world.name, project.id]);
  return html`<div class="columns life">
    <${Loaded} from=${lifecycles}>
      ${(all) => html`<${Diagram} lifecycle=${all.find((one) => one.name === "Project")} state=${project.status} happened=${life.value?.happened ?? []} />`}
    </${Loaded}>
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

function TimeLine({ world, project, happened, due, calls, earlier }) {
  useTicks(1000);
  const advance = (until) => attempt(async () => told(await world.control("POST", "/clock/advance", { until })));
  const past = [
    { at: project.created_at, what: "created", kind: "call" },
    ...happened.map((one) => ({ at: one.at, what: phrase(one), became: one.became, call: one.caused_by_call, kind: "work" })),
    ...calls.map((call) => ({ at: call.at, what: `${call.method} ${call.target.split(project.id)[1] || "/"}`, call: call.call, kind: "call" })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || (b.kind === "call") - (a.kind === "call") || (b.call ?? 0) - (a.call ?? 0));
  const shown = collapsed(past);
  return html`<ol class="line">
    ${[...due].reverse().map(
      (job) => html`<li class="future"><time class="mono" title=${instant(job.due)}>${relative(job.due, now())}</time>
        <${Work} job=${job} /><${Button} kind="quiet" icon="skip" label=${`Advance to ${job.kind}, ${instant(job.due)}`} onClick=${() => advance(job.due)} /></li>`,
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

const BOX = { width: 122, height: 26 };
const MARGIN = 6;

/** How small a diagram that is too wide may become. A wider one scrolls. */
const SMALLEST = 0.75;

/** What the diagram shows: the states next to the present one, the way so far, or all of them. */
const SHOWN = [["near", "next to this state"], ["path", "the way so far"], ["all", "all states"]];

/** The places of states and arrows, by dagre: few crossings, from left to right, or from top to bottom if that is too wide. */
function layout(states, arrows, room) {
  const [across, down] = ["LR", "TB"].map((direction) => arranged(states, arrows, direction));
  return across.width * SMALLEST <= Math.max(room, down.width * SMALLEST) ? across : down;
}

function arranged(states, arrows, rankdir) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep: 16, ranksep: 32, edgesep: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  states.forEach((state) => graph.setNode(state, { ...BOX }));
  arrows.forEach(({ from, to, event }) => graph.setEdge(from, to, {}, event));
  place(graph);
  // The size that dagre tells leaves out the bends of arrows.
  const corners = states.map((state) => graph.node(state)).flatMap(({ x, y }) => [{ x: x - BOX.width / 2, y: y - BOX.height / 2 }, { x: x + BOX.width / 2, y: y + BOX.height / 2 }]);
  const points = [...corners, ...graph.edges().flatMap((edge) => graph.edge(edge).points)];
  const [left, right] = [Math.min(...points.map(({ x }) => x)) - MARGIN, Math.max(...points.map(({ x }) => x)) + MARGIN];
  const [top, bottom] = [Math.min(...points.map(({ y }) => y)) - MARGIN, Math.max(...points.map(({ y }) => y)) + MARGIN];
  return { graph, left, top, width: right - left, height: bottom - top };
}

/** A line through points, with round corners. */
function curve(points) {
  const [first, ...rest] = points;
  const middle = (a, b) => `${(a.x + b.x) / 2} ${(a.y + b.y) / 2}`;
  const bends = rest.slice(0, -1).map((point, at) => `Q${point.x} ${point.y} ${at === rest.length - 2 ? `${rest.at(-1).x} ${rest.at(-1).y}` : middle(point, rest[at + 1])}`);
  return `M${first.x} ${first.y}${bends.length > 0 ? bends.join("") : `L${rest[0].x} ${rest[0].y}`}`;
}

/** The transitions that finished work has taken, as `from to`, with those that led to its beginning. */
function taken(arrows, happened) {
  const steps = new Set();
  let before = arrows[0]?.from;
  for (const one of happened) {
    const arrow = arrows.find(({ event, to }) => event === eventOf(one) && to === one.became);
    if (arrow) steps.add(`${before} ${arrow.from}`).add(`${arrow.from} ${arrow.to}`);
    else steps.add(`${before} ${one.became}`);
    before = one.became;
  }
  return steps;
}

function Diagram({ lifecycle, state, happened }) {
  const box = useRef();
  const [room, setRoom] = useState(600);
  const [shown, show] = useState("near");
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setRoom(entry.contentRect.width));
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  const leads = lifecycle.arrows.filter((arrow) => arrow.from === state);
  const steps = taken(lifecycle.arrows, happened);
  const fits = {
    near: (arrow) => arrow.from === state || arrow.to === state,
    path: (arrow) => steps.has(`${arrow.from} ${arrow.to}`),
    all: () => true,
  };
  const arrows = lifecycle.arrows.filter(fits[shown]);
  const near = new Set([state, ...arrows.flatMap((arrow) => [arrow.from, arrow.to])]);
  const states = lifecycle.states.filter((name) => near.has(name));
  const { graph, left, top, width, height } = useMemo(() => layout(states, arrows, room), [arrows.map(({ from, event }) => `${from} ${event}`).join(), room]);
  const seen = new Set(happened.map((one) => one.became));
  // The arrows from here are drawn last, above the others.
  const drawn = [...arrows].sort((a, b) => (a.from === state) - (b.from === state));
  const aside = html`<select aria-label="States" value=${shown} onChange=${(event) => show(event.target.value)}>${SHOWN.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select>`;
  return html`<${Panel} title="Lifecycle" aside=${aside}>
    <div class="scroll" tabindex="0" role="region" aria-label="Lifecycle of a project" ref=${box}>
      <svg class="diagram" viewBox=${`${left} ${top} ${width} ${height}`} width=${width} style=${{ minWidth: `${width * SMALLEST}px` }} role="img" aria-label=${`Lifecycle; the project is ${state}`}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
          <marker id="tip-lit" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="lit" d="M0 0L8 4L0 8z" /></marker>
        </defs>
        ${drawn.map((arrow) => {
          const lit = arrow.from === state;
          return html`<path class=${lit ? "arrow lit" : "arrow"} d=${curve(graph.edge(arrow.from, arrow.to, arrow.event).points)} marker-end=${lit ? "url(#tip-lit)" : "url(#tip)"}><title>${arrow.from} → ${arrow.event} → ${arrow.to}</title></path>`;
        })}
        ${states.map((name) => {
          const { x, y } = graph.node(name);
          const kind = name === state ? "lit" : seen.has(name) ? "seen" : "";
          return html`<g class=${`state ${kind}`} transform=${`translate(${x - BOX.width / 2} ${y - BOX.height / 2})`}><rect width=${BOX.width} height=${BOX.height} rx="6" /><text x=${BOX.width / 2} y="17">${name}</text></g>`;
        })}
      </svg>
    </div>
    <p class="leads"><span class="dim">From here:</span>
      ${leads.length === 0 ? "this state is final" : leads.map((arrow) => html`<span><code>${arrow.event}</code> → ${arrow.to}</span>`)}</p>
  </${Panel}>`;
}
