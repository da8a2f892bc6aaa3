// A text field for queries, with syntax highlighting and completion of known words. Completions have a line of their own under
// the text, so they never cover a button.

import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { highlight } from "./code.js";

/** The number of words offered at once. */
const OFFERED = 8;

/** The part of a query that completions continue, up to the caret. */
const PART = /[\w.`]*$/;

/** `words` are `{ text, kind }`; Ctrl-Enter calls `onRun`, in a `single` line Enter too. `part` is what completions continue. */
export function Editor({ value, onInput, onRun, words = [], label, rows = 7, language = "sql", disabled = false, single = false, part = PART }) {
  const area = useRef();
  const back = useRef();
  const [offer, set] = useState({ words: [], at: 0 });
  const [caret, setCaret] = useState();

  useLayoutEffect(() => {
    if (caret !== undefined) area.current.setSelectionRange(caret, caret);
    setCaret(undefined);
  }, [caret]);

  const typed = (event) => {
    onInput(event.target.value);
    const begun = wordBefore(event.target, part);
    set({ words: begun.length < 1 ? [] : matching(words, begun), at: 0 });
  };
  const take = (word) => {
    const { selectionStart } = area.current;
    const start = selectionStart - wordBefore(area.current, part).length;
    onInput(value.slice(0, start) + word.text + value.slice(selectionStart));
    setCaret(start + word.text.length);
    set({ words: [], at: 0 });
    area.current.focus();
  };
  const onKey = (event) => {
    if (event.key === "Enter" && (single || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      set({ words: [], at: 0 });
      onRun?.();
      return;
    }
    if (offer.words.length === 0) {
      if (event.key === " " && event.ctrlKey) {
        event.preventDefault();
        set({ words: matching(words, wordBefore(area.current, part)), at: 0 });
      }
      return;
    }
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      set({ ...offer, at: (offer.at + move + offer.words.length) % offer.words.length });
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      take(offer.words[offer.at]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      set({ words: [], at: 0 });
    }
  };
  const follow = () => {
    back.current.scrollTop = area.current.scrollTop;
    back.current.scrollLeft = area.current.scrollLeft;
  };

  return html`<div class="editor">
    <pre aria-hidden="true" ref=${back}>${highlight(value, language)}${"\n"}</pre>
    <textarea
      ref=${area}
      rows=${rows}
      disabled=${disabled}
      spellcheck="false"
      autocapitalize="off"
      autocomplete="off"
      aria-label=${label}
      value=${value}
      onInput=${typed}
      onKeyDown=${onKey}
      onScroll=${follow}
      onBlur=${() => set({ words: [], at: 0 })}
    ></textarea>
    <div class="offer">
      ${offer.words.length > 0
        ? html`<ul role="listbox" aria-label="Completions">
            ${offer.words.map(
              (word, index) =>
                html`<li key=${word.text} role="option" aria-selected=${index === offer.at} onMouseDown=${(event) => (event.preventDefault(), take(word))}>
                  <span>${word.text}</span><small>${word.kind}</small>
                </li>`,
            )}
          </ul>`
        : html`<span class="dim">Ctrl-Enter runs it, Ctrl-Space completes a word</span>`}
    </div>
  </div>`;
}

function wordBefore(area, part) {
  return part.exec(area.value.slice(0, area.selectionStart))[0];
}

/** The words that start with the typed text, then those that contain it. */
function matching(words, begun) {
  const wanted = begun.toLowerCase();
  const at = (word) => word.text.toLowerCase().indexOf(wanted);
  const fitting = words.filter((word) => at(word) >= 0 && word.text.toLowerCase() !== wanted);
  return fitting.sort((a, b) => at(a) - at(b) || a.text.length - b.text.length).slice(0, OFFERED);
}
