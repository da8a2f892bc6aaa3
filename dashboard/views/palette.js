// The command palette: Ctrl-K goes anywhere and does what the top bar does, without a mouse. `/`, `g` and `?` are shortcuts.

import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { listWorlds, live, told, useLoad } from "../lib/api.js";
import { attempt, Dialog } from "../lib/ui.js";

/** The number of commands shown. */
const SHOWN = 12;

/** How long `g` waits for the letter of a view, in milliseconds. */
const WAIT = 1500;

/** Opens the palette by Ctrl-K or `?`, focuses the search of a view by `/`, goes to a view by `g` and its letter. */
export function Keys({ world, views }) {
  const [open, show] = useState(false);
  const begun = useRef(0);
  const letters = lettersOf(views);
  useEffect(() => {
    const press = (event) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        show((is) => !is);
        return;
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const view = letters.find(([letter]) => letter === event.key);
      if (view && performance.now() - begun.current < WAIT) {
        location.hash = `#/${world.name}/${view[1]}`;
      } else if (event.key === "?") {
        show(true);
      } else if (event.key === "/") {
        const search = document.querySelector('main input[type="search"]');
        if (search) event.preventDefault();
        search?.focus();
      }
      begun.current = event.key === "g" ? performance.now() : 0;
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [world.name, views.length]);
  return open && html`<${Palette} world=${world} views=${views} letters=${letters} onClose=${() => show(false)} />`;
}

/** The letter of each view: the first one of its name that no earlier view has. */
function lettersOf(views) {
  const taken = new Set(["g"]);
  return views.map(([id, title]) => {
    const letter = [...title.toLowerCase()].find((one) => !taken.has(one) && /[a-z]/.test(one));
    taken.add(letter);
    return [letter, id];
  });
}

function isTyping({ target }) {
  return target instanceof HTMLElement && (target.closest("input, textarea, select, dialog") !== null || target.isContentEditable);
}

function Palette({ world, views, letters, onClose }) {
  const [text, type] = useState("");
  const [at, move] = useState(0);
  const input = useRef();
  const worlds = useLoad(listWorlds, [], { still: true });
  const projects = useLoad(() => (world.has("management") ? world.peek("/v1/projects") : []), [world.name], { still: true });
  const all = useMemo(() => commands(world, views, letters, worlds.value ?? [], projects.value ?? []), [worlds.value, projects.value]);
  const fits = (command) => text.toLowerCase().split(/\s+/).every((word) => command.title.toLowerCase().includes(word));
  const found = [...calls(world, text), ...all.filter(fits)].slice(0, SHOWN);
  useEffect(() => input.current.focus(), []);
  const run = (command) => {
    onClose();
    command.run();
  };
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      move((at + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (found[at]) run(found[at]);
    }
  };
  return html`<${Dialog} title="Commands" onClose=${onClose}>
    <div class="palette">
      <input ref=${input} class="wanted" role="combobox" aria-label="Command" aria-expanded="true" aria-controls="commands" aria-activedescendant=${found.length > 0 ? `command-${at}` : undefined}
        placeholder="a view, a project, a world, the number of a call, advance …" value=${text} onInput=${(event) => (type(event.target.value), move(0))} onKeyDown=${press} />
      <ul id="commands" role="listbox" aria-label="Commands">
        ${found.map((command, index) => html`<li key=${command.title} id=${`command-${index}`} role="option" aria-selected=${index === at} onClick=${() => run(command)}>
          <span>${command.title}</span>${command.keys && html`<kbd>${command.keys}</kbd>`}
        </li>`)}
      </ul>
      ${found.length === 0 && html`<p class="none">No command has these words</p>`}
      <p class="dim">Arrow keys and Enter choose. Elsewhere <kbd>/</kbd> goes to the search field, <kbd>?</kbd> opens this list.</p>
    </div>
  </${Dialog}>`;
}

/** The command that a number means. */
function calls(world, text) {
  if (!/^\d+$/.test(text.trim())) return [];
  const service = world.has("management") ? "management" : "analytics";
  return [{ title: `Call ${text.trim()}`, run: () => (location.hash = `#/${world.name}/journal/${service}/${text.trim()}`) }];
}

function commands(world, views, letters, worlds, projects) {
  const go = (path) => () => (location.hash = path);
  const advance = (body) => () => attempt(async () => told(await world.control("POST", "/clock/advance", body)));
  const letter = (id) => letters.find(([, one]) => one === id)?.[0];
  return [
    ...views.map(([id, title]) => ({ title: `Go to ${title}`, run: go(`#/${world.name}/${id}`), keys: letter(id) && `g ${letter(id)}` })),
    { title: "Advance by a minute", run: advance({ ms: 60_000 }) },
    { title: "Advance by an hour", run: advance({ ms: 3_600_000 }) },
    { title: "Advance by a day", run: advance({ ms: 86_400_000 }) },
    ...(live.clock?.next_due ? [{ title: "Advance to the next work", run: advance({ to: "next_due" }) }] : []),
    { title: "Take a snapshot", run: () => attempt(() => world.control("POST", "/snapshots", { name: `call-${Object.values(live.calls).reduce((sum, one) => sum + one, 0)}` }), "Snapshot taken") },
    { title: "Fork this world", run: () => attempt(async () => go(`#/${(await world.control("POST", "/fork", {})).name}/worlds`)(), "Forked") },
    { title: "Remove all faults", run: () => attempt(() => world.control("DELETE", "/faults"), "No faults") },
    ...projects.slice(0, 500).map((one) => ({ title: `Project ${one.name} ${one.id}`, run: go(`#/${world.name}/projects/${one.id}`) })),
    ...projects.slice(0, 500).map((one) => ({ title: `SQL of ${one.name} ${one.id}`, run: go(`#/${world.name}/projects/${one.id}/database`) })),
    ...worlds.filter((one) => one.name !== world.name).map((one) => ({ title: `World ${one.name}`, run: go(`#/${one.name}/worlds`) })),
  ];
}
