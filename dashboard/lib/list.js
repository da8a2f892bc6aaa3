// Lists of any length: only the visible rows are loaded and rendered.

import { html, useCallback, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

/** The number of rows loaded at once. */
const PAGE = 100;

/** The number of pages kept. */
const PAGES = 60;

/** The largest height that browsers support. In longer lists, a step of the scroll bar is more than a row. */
const HEIGHT_MAX = 8_000_000;

/** How long scrolling must pause before the visible rows are loaded, in milliseconds. */
const REST = 40;

/**
 * Loads rows page by page. `load(offset, limit)` returns a promise of `{ total, rows, first }`. If `first` changes, rows
 * were dropped at the beginning. `keys` identify the list. A larger `version` means that there may be more rows.
 */
export function useRows(load, keys, version) {
  const place = JSON.stringify(keys);
  const store = useRef();
  const [, redraw] = useState(0);
  if (store.current?.place !== place) {
    store.current = { place, pages: new Map(), asked: new Set(), again: new Set() };
  }
  const own = store.current;
  const fetchPage = useCallback(
    async (page) => {
      if (own.asked.has(page)) {
        own.again.add(page);
        return;
      }
      own.asked.add(page);
      try {
        const { total, rows, first } = await load(page * PAGE, PAGE);
        if (first !== own.first || total < own.total) own.pages.clear();
        Object.assign(own, { total, first, error: undefined });
        own.pages.delete(page);
        own.pages.set(page, rows);
        if (own.pages.size > PAGES) own.pages.delete(own.pages.keys().next().value);
      } catch (error) {
        own.error = error;
      }
      own.asked.delete(page);
      if (store.current !== own) return;
      redraw((n) => n + 1);
      if (own.again.delete(page)) fetchPage(page);
    },
    [place],
  );
  // New rows are at the end, so the last page is loaded again.
  useEffect(() => {
    fetchPage(own.total === undefined ? 0 : Math.floor(own.total / PAGE));
  }, [place, version]);
  return {
    place,
    first: own.first,
    total: own.total ?? 0,
    isKnown: own.total !== undefined,
    error: own.error,
    row: (index) => own.pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    want: (first, last) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
        const there = Math.min(PAGE, (own.total ?? 0) - page * PAGE);
        if (there > (own.pages.get(page)?.length ?? 0)) fetchPage(page);
      }
    },
  };
}

/**
 * A list of `rows`, newest last. `columns` are `[title, cell, className]`. If it is scrolled to its end, it stays there. The
 * arrow keys move the selection. `start` is the index of a row to show first, if it is known.
 */
export function List({ label, rows, columns, rowHeight = 26, isChosen, onChoose, empty, start }) {
  const box = useRef();
  const follows = useRef(true);
  const choice = useRef();
  const [view, set] = useState({ top: 0, height: 600 });
  const whole = rows.total * rowHeight;
  const height = Math.min(whole, HEIGHT_MAX);
  const room = Math.max(1, height - view.height);
  // The position of the scroll bar, in rows.
  const at = whole <= HEIGHT_MAX ? view.top / rowHeight : (view.top / room) * (rows.total - view.height / rowHeight);
  const first = Math.max(0, Math.floor(at));
  const last = Math.min(rows.total - 1, first + Math.ceil(view.height / rowHeight));

  const look = () => {
    const { scrollTop, clientHeight, scrollHeight } = box.current;
    follows.current = scrollTop + clientHeight >= scrollHeight - rowHeight;
    set({ top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => box.current && look());
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(() => {
    follows.current = true;
    choice.current = undefined;
  }, [rows.place]);
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (isPlaced.current || !rows.isKnown) return;
    isPlaced.current = true;
    if (start === undefined || start < 0 || start >= rows.total) return;
    follows.current = false;
    choice.current = start;
    box.current.scrollTop = whole > HEIGHT_MAX ? (start / rows.total) * height : Math.max(0, (start + 0.5) * rowHeight - view.height / 2);
  }, [rows.isKnown, start]);
  useLayoutEffect(() => {
    if (follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [rows.total, rows.place, view.height]);
  useEffect(() => {
    const wait = setTimeout(() => rows.want(first, last), REST);
    return () => clearTimeout(wait);
  });

  const choose = (index) => {
    choice.current = index;
    if (rows.row(index)) onChoose(rows.row(index));
  };
  const show = (index) => {
    if (whole > HEIGHT_MAX) {
      box.current.scrollTop = (index / rows.total) * height;
    } else if (index * rowHeight < box.current.scrollTop) {
      box.current.scrollTop = index * rowHeight;
    } else if ((index + 1) * rowHeight > box.current.scrollTop + view.height) {
      box.current.scrollTop = (index + 1) * rowHeight - view.height;
    }
  };
  const onKey = (event) => {
    const page = Math.floor(view.height / rowHeight);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || rows.total === 0) return;
    event.preventDefault();
    const from = choice.current ?? (step > 0 ? first - 1 : last + 1);
    const to = Math.max(0, Math.min(rows.total - 1, from + step));
    show(to);
    choose(to);
  };

  const shown = [];
  for (let index = first; index <= last; index++) shown.push(index);
  return html`<div class="list" role="grid" aria-label=${label} aria-rowcount=${rows.total + 1}>
    <div class="list-head" role="row" aria-rowindex="1">
      ${columns.map(([title, , kind]) => html`<span role="columnheader" class=${kind}>${title}</span>`)}
    </div>
    <div class="list-body" role="rowgroup" ref=${box} tabindex="0" aria-label=${label} onScroll=${look} onKeyDown=${onKey}>
      <div class="list-height" role="presentation" style=${{ height: `${height}px` }}>
        <div class="list-rows" role="presentation" style=${{ transform: `translateY(${-(at - first) * rowHeight}px)` }}>
          ${shown.map((index) => {
            const row = rows.row(index);
            return html`<div
              key=${index}
              role="row"
              aria-rowindex=${index + 2}
              aria-selected=${row !== undefined && isChosen(row)}
              class="list-row"
              style=${{ height: `${rowHeight}px` }}
              onClick=${() => choose(index)}
            >
              ${columns.map(([, cell, kind]) => html`<span role="gridcell" class=${kind}>${row ? cell(row, index) : ""}</span>`)}
            </div>`;
          })}
        </div>
      </div>
      ${rows.isKnown && rows.total === 0 && html`<div role="row"><p role="gridcell" class="none">${empty}</p></div>`}
    </div>
  </div>`;
}
