// Components of the views.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Lost } from "./api.js";

const ICONS = {
  worlds: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  controls: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4v6M8 14v6",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  projects: "M4 7l8-4 8 4-8 4zM4 12l8 4 8-4M4 17l8 4 8-4",
  journal: "M4 6h16M4 12h16M4 18h10",
  faults: "M13 3L5 14h6l-1 7 8-11h-6z",
  coverage: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  limits: "M4 18a8 8 0 1 1 16 0M12 18l4-6",
  analytics: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  step: "M5 5l9 7-9 7zM19 5v14",
  skip: "M4 5l7 7-7 7zM12 5l7 7-7 7z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  compare: "M8 4v16M4 8l4-4 4 4M16 20V4M12 16l4 4 4-4",
  fork: "M7 4v16M7 14c8 0 10-3 10-7M14 7l3-3 3 3",
  reset: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  camera: "M4 8h4l2-3h4l2 3h4v11H4zM12 16.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  close: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M20 20l-4.5-4.5",
  eye: "M2 12c4-7 16-7 20 0-4 7-16 7-20 0M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
};

/** An icon. Screen readers ignore it. */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
}

export function Button({ icon, children, kind = "", label, ...rest }) {
  const title = label ?? rest.title;
  return html`<button type="button" class=${`button ${kind}`} aria-label=${label} title=${title} ...${rest}>
    ${icon && html`<${Icon} name=${icon} />`}${children}
  </button>`;
}

/** The colour class of a status. */
export function tone(word) {
  const text = String(word);
  if (/FAILED|UNHEALTHY|REMOVED|REJECTED|BANNED/i.test(text)) return "bad";
  if (text === "INACTIVE") return "plain";
  if (/ACTIVE|HEALTHY|DEPLOYED|PASSED|COMPLETED|^2\d\d$/i.test(text)) return "good";
  if (/ING(_|$)|UNKNOWN|CREATED|UP$|DOWN$|PENDING/i.test(text)) return "busy";
  if (/^[45]\d\d$/.test(text)) return text[0] === "5" ? "bad" : "warn";
  return "plain";
}

/** A status, as a coloured dot and its name. */
export function Status({ of, title }) {
  return html`<span class=${`status ${tone(of)}`} title=${title}>${of}</span>`;
}

/** A box with a heading. */
export function Panel({ title, aside, children, flush, short }) {
  return html`<section class=${short ? "panel short" : "panel"}>
    ${title && html`<header><h2>${title}</h2><div class="aside">${aside}</div></header>`}
    <div class=${flush ? "body flush" : "body"}>${children}</div>
  </section>`;
}

/** An error with the service's message. `mono` keeps the columns of a message that points at a place with `^`. */
export function Wrong({ error, mono }) {
  if (!error) return null;
  // The page says once, at its top, that the server is gone.
  if (error instanceof Lost) return html`<p class="none">There was no answer</p>`;
  return html`<p class=${mono ? "wrong mono" : "wrong"} role="alert">
    ${error.status && html`<strong>${error.status}${error.reason ? ` ${error.reason}` : ""}</strong>`} ${error.message}
  </p>`;
}

/** The loaded data, or the reason why there is nothing to show. */
export function Loaded({ from, empty, children }) {
  if (from.error) return html`<${Wrong} error=${from.error} />`;
  if (from.value === undefined) return html`<p class="none">Loading …</p>`;
  if (empty && from.value.length === 0) return html`<p class="none">${empty}</p>`;
  return children(from.value);
}

/** A table. `columns` are `[title, cell, className]`. */
export function Table({ label, columns, rows, onRow, keyOf }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>${columns.map(([title, , kind]) => html`<th scope="col" class=${kind}>${title || html`<span class="hidden">Actions</span>`}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, index) =>
            html`<tr key=${keyOf ? keyOf(row) : index} class=${onRow ? "link" : ""} onClick=${onRow && (() => onRow(row))}>
              ${columns.map(([, cell, kind]) => html`<${Cell} kind=${kind} of=${cell(row, index)} />`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A cell. A text that may be too long for its column is also shown on hover. */
function Cell({ kind, of }) {
  return html`<td class=${kind} title=${typeof of === "string" && of.length > 20 ? of : undefined}>${of}</td>`;
}

/** Whether a value is a number of microseconds since the epoch. */
function isTime(value) {
  return typeof value === "number" && value > 1e15 && value < 1e16;
}

/** A value of a row. Microseconds since the epoch are shown as a timestamp. */
export function cell(value) {
  if (value === null || value === undefined) return html`<span class="null">null</span>`;
  if (typeof value === "object") return JSON.stringify(value);
  if (isTime(value)) return html`<span title=${value}>${new Date(value / 1000).toISOString()}</span>`;
  return String(value);
}

/** A changed row: the old and the new value of each changed column. */
export function Change({ change: { table, key, before, after } }) {
  const kind = !before ? "new" : !after ? "gone" : "changed";
  const names = Object.keys({ ...before, ...after });
  return html`<section class=${`change ${kind}`}>
    <h3><span class="tag">${kind}</span> ${table} <code>${Object.values(key).join(" · ")}</code></h3>
    <dl>
      ${names.map(
        (name) => html`<div><dt>${name}</dt><dd class="mono">
          ${before && html`<del>${cell(before[name])}</del>`} ${before && after && "→"} ${after && html`<ins>${cell(after[name])}</ins>`}
        </dd></div>`,
      )}
    </dl>
  </section>`;
}

/** A table with the rows of a query. */
export function Result({ rows, label }) {
  if (!Array.isArray(rows) || rows.length === 0) return html`<p class="none">No rows</p>`;
  const shown = rows.slice(0, 500);
  const names = [...new Set(shown.flatMap((row) => Object.keys(row ?? {})))];
  const isNumber = (name) => shown.every((row) => row?.[name] === null || (typeof row?.[name] === "number" && !isTime(row[name])));
  const columns = names.map((name) => [name, (row) => cell(row[name]), isNumber(name) ? "right mono" : "mono"]);
  return html`<${Table} label=${label} columns=${columns} rows=${shown} />
    ${rows.length > shown.length && html`<p class="none">The first ${shown.length} of ${rows.length} rows</p>`}`;
}

/** Names and values. */
export function Facts({ of }) {
  return html`<dl class="facts">
    ${of.filter(Boolean).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Tabs; `of` are `[id, title]`. */
export function Tabs({ of, chosen, href, label }) {
  const place = useRef();
  // On a narrow screen the chosen tab may be out of sight.
  useEffect(() => {
    const tab = place.current.querySelector("[aria-current]");
    if (tab) place.current.scrollLeft = tab.offsetLeft - (place.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  return html`<nav class="tabs" aria-label=${label} ref=${place}>
    ${of.map(([id, title]) => html`<a href=${href(id)} aria-current=${id === chosen ? "page" : undefined}>${title}</a>`)}
  </nav>`;
}

export function Field({ label, children, hint }) {
  return html`<label class="field"><span>${label}</span>${children}${hint && html`<small>${hint}</small>`}</label>`;
}

/** A dialog, closed by Escape. */
export function Dialog({ title, onClose, children }) {
  const place = useRef();
  useEffect(() => {
    place.current.showModal();
  }, []);
  return html`<dialog ref=${place} aria-label=${title} onClose=${onClose}>
    <header><h2>${title}</h2><${Button} kind="quiet" icon="close" label="Close" onClick=${onClose} /></header>
    ${children}
  </dialog>`;
}

/** A form with one action, which shows the error if that fails. The fields are emptied afterwards unless `keep`. */
export function Form({ onSubmit, submit, children, kind = "form", keep = false }) {
  const [state, set] = useState({});
  const send = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== ""));
    set({ busy: true });
    try {
      await onSubmit(fields);
      set({});
      if (!keep) event.target.reset();
    } catch (error) {
      set({ error });
    }
  };
  return html`<form class=${kind} onSubmit=${send}>
    ${children}
    <${Wrong} error=${state.error} />
    <div class="actions"><button class="button primary" disabled=${state.busy}>${submit}</button></div>
  </form>`;
}

let show = () => {};

/** Shows in a corner that an action succeeded, or its error. */
export function say(text, kind = "plain") {
  show({ text, kind, at: Math.random() });
}

/** Runs an action, and shows its error. */
export async function attempt(work, done) {
  try {
    const value = await work();
    if (done) say(done);
    return value;
  } catch (error) {
    say(error.status ? `${error.status} ${error.reason ?? ""} ${error.message}` : error.message, "bad");
    return undefined;
  }
}

export function Corner() {
  const [word, set] = useState();
  show = set;
  useEffect(() => {
    const wait = setTimeout(() => set(undefined), word?.kind === "bad" ? 8000 : 3000);
    return () => clearTimeout(wait);
  }, [word]);
  return html`<div class="corner" role="status">${word && html`<p class=${word.kind}>${word.text}</p>`}</div>`;
}

/** Copies a text to the clipboard. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${what} copied`);
}

/** Saves a text as a file. */
export function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Renders at regular intervals, for views that depend on the time. */
export function useTicks(ms) {
  const [, set] = useState(0);
  useEffect(() => {
    const ticks = setInterval(() => set((n) => n + 1), ms);
    return () => clearInterval(ticks);
  }, [ms]);
}

/** Waits until typing pauses. */
export function useSettled(value, ms = 200) {
  const [settled, set] = useState(value);
  useEffect(() => {
    const wait = setTimeout(() => set(value), ms);
    return () => clearTimeout(wait);
  }, [value]);
  return settled;
}

/** A path. Where it is narrow, references are cut, so that the part that differs is still there. */
export function Target({ of }) {
  const short = of.replace(/\b[a-z]{20}\b/g, (reference) => `${reference.slice(0, 4)}…`);
  if (short === of) return of;
  return html`<span class="long" title=${of}>${of}</span><span class="short" title=${of}>${short}</span>`;
}
