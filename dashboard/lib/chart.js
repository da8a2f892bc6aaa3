// Charts: uPlot in the page's colours.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { count, instant } from "./time.js";
import { Button } from "./ui.js";

/** A colour of the page in the light or dark theme. */
function colour(place, name) {
  place.style.color = `var(${name})`;
  return getComputedStyle(place).color;
}

/** The colours of the series. */
const TONES = ["--accent", "--good", "--warn", "--bad", "--busy", "--dim"];

const DAY_S = 86_400;

/** Simulated time is UTC. In a long range, the first mark of a day has its date. */
function clockTimes(_, seconds) {
  const texts = seconds.map((at) => new Date(at * 1000).toISOString());
  if (seconds.at(-1) - seconds[0] <= DAY_S) return texts.map((text) => text.slice(11, 19));
  const isNewDay = (text, at) => text.slice(0, 10) !== texts[at - 1]?.slice(0, 10);
  return texts.map((text, at) => (isNewDay(text, at) ? text.slice(5, 10) : text.slice(11, 16)));
}

/** Increases when the theme changes. */
function useTheme() {
  const [theme, set] = useState(0);
  useEffect(() => {
    const turn = () => set((n) => n + 1);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("themechange", turn);
    dark.addEventListener("change", turn);
    return () => {
      removeEventListener("themechange", turn);
      dark.removeEventListener("change", turn);
    };
  }, []);
  return theme;
}

/** The most points that a chart still marks, each with a dot. */
const DOTS = 40;

/** A part of a range about its middle: half of it, or twice as much, inside `whole`. */
function scaled([from, to], factor, whole) {
  const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
  return [Math.max(whole[0], middle - half), Math.min(whole[1], middle + half)];
}

/**
 * `series` are `{ label, values }` over `xs`: seconds since the epoch if `time`, otherwise numbers. Drawn as bars or lines. Drag
 * over a part, or press the buttons, to zoom in; new data keep the zoom. `onZoom` gets the visible range, or nothing.
 */
export function Chart({ label, xs, series, time = true, bars = false, height = 140, onZoom }) {
  const place = useRef();
  const theme = useTheme();
  const [zoom, setZoom] = useState();
  const [pointed, point] = useState();
  // A bar begins at its value. The last one is drawn whole.
  const step = bars && xs.length > 1 ? xs[1] - xs[0] : 0;
  const whole = [Math.floor(xs[0]), Math.ceil(xs.at(-1) + step)];
  const pointedAt = ({ cursor, posToVal }) => (cursor.left < 0 || !bars ? cursor.idx : xs.findLastIndex((x) => x <= posToVal(cursor.left, "x")));
  const show = (range) => {
    const isPart = range && (range[0] > whole[0] || range[1] < whole[1]);
    setZoom(isPart ? range : undefined);
    onZoom?.(isPart ? range : undefined);
  };
  useEffect(() => {
    const tones = TONES.map((name) => colour(place.current, name));
    const axis = { stroke: colour(place.current, "--dim"), grid: { stroke: colour(place.current, "--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui", size: 34 };
    const paths = bars ? uPlot.paths.bars({ size: [0.8, 40], radius: 0.15, align: 1 }) : undefined;
    const drawn = (one, index) => ({
      label: one.label,
      stroke: tones[index % tones.length],
      fill: bars ? tones[index % tones.length] : undefined,
      width: bars ? 0 : 1.5,
      points: { show: !bars && xs.length < DOTS },
      paths,
    });
    const chart = new uPlot(
      {
        width: place.current.clientWidth || 300,
        height,
        legend: { show: series.length > 1 },
        cursor: { y: false, drag: { setScale: false }, bind: { dblclick: () => () => show(undefined) } },
        hooks: { setCursor: [(chart) => point(pointedAt(chart) ?? undefined)], setSelect: [(chart) => chart.select.width > 4 && show([chart.select.left, chart.select.left + chart.select.width].map((at) => chart.posToVal(at, "x")))] },
        scales: { x: { time, range: () => zoom ?? whole }, y: { range: (_, least, most) => [Math.min(0, least), most > 0 ? most * 1.08 : 1] } },
        axes: [{ ...axis, space: 80, values: time ? clockTimes : undefined }, { ...axis, size: 46 }],
        series: [{}, ...series.map(drawn)],
      },
      [xs, ...series.map((one) => one.values)],
      place.current,
    );
    const watcher = new ResizeObserver(([entry]) => chart.setSize({ width: entry.contentRect.width, height }));
    watcher.observe(place.current);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [JSON.stringify([xs, series, zoom]), theme]);
  const shown = zoom ?? whole;
  const text = (x) => (time ? instant(x * 1000) : x.toFixed(0));
  return html`<div class="chart" role="img" aria-label=${label} ref=${place}></div>
    <div class="zoom">
      <span class="dim">${pointed === undefined || xs[pointed] === undefined ? `${text(shown[0])} to ${text(shown[1])}` : `${text(xs[pointed])}: ${series.map((one) => `${count(one.values[pointed])} ${one.label}`).join(", ")}`}</span>
      <${Button} kind="quiet" icon="plus" label=${`Zoom in on ${label}`} onClick=${() => show(scaled(shown, 0.5, whole))} />
      <${Button} kind="quiet" icon="minus" label=${`Zoom out of ${label}`} disabled=${!zoom} onClick=${() => show(scaled(shown, 2, whole))} />
      ${zoom && html`<${Button} onClick=${() => show(undefined)}>Show all</${Button}>`}
    </div>`;
}

/**
 * The columns of a query's rows that can be drawn: numbers over times, or over the first column. One number with one text for
 * each time is a series for each text.
 */
export function drawable(rows) {
  if (!Array.isArray(rows) || rows.length < 2) return undefined;
  const names = Object.keys(rows[0]);
  const x = names.find((name) => isInstant(rows[0][name])) ?? names[0];
  const numbers = names.filter((name) => name !== x && rows.every((row) => typeof row[name] === "number"));
  if (numbers.length === 0) return undefined;
  const time = isInstant(rows[0][x]);
  const others = names.filter((name) => name !== x && !numbers.includes(name));
  if (time && numbers.length === 1 && others.length === 1) return { time, ...grouped(rows, x, others[0], numbers[0]) };
  const points = rows.map((row, index) => ({ x: time ? seconds(row[x]) : index, row })).sort((a, b) => a.x - b.x);
  return {
    time,
    xs: points.map((point) => point.x),
    series: numbers.slice(0, TONES.length).map((label) => ({ label, values: points.map(({ row }) => row[label]) })),
  };
}

/** A series for each value of the column `group`, those with the most rows first. */
function grouped(rows, x, group, number) {
  const xs = [...new Set(rows.map((row) => seconds(row[x])))].sort((a, b) => a - b);
  const groups = new Map();
  for (const row of rows) {
    const label = String(row[group]);
    if (!groups.has(label)) groups.set(label, new Map());
    groups.get(label).set(seconds(row[x]), row[number]);
  }
  const largest = [...groups].sort(([, a], [, b]) => b.size - a.size).slice(0, TONES.length);
  return { xs, series: largest.map(([label, values]) => ({ label, values: xs.map((at) => values.get(at) ?? 0) })) };
}

/** Whether a value is a time: microseconds since the epoch, or a timestamp as text. */
function isInstant(value) {
  return typeof value === "number" ? value > 1e15 && value < 1e17 : /^\d{4}-\d\d-\d\d[T ]/.test(value);
}

function seconds(value) {
  return typeof value === "number" ? value / 1e6 : Date.parse(value) / 1000;
}
