// Charts: uPlot in the page's colours.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";

/** A colour of the page in the light or dark theme. */
function colour(place, name) {
  place.style.color = `var(${name})`;
  return getComputedStyle(place).color;
}

const DAY_S = 86_400;

/** Simulated time is UTC. */
function clockTimes(_, seconds) {
  const texts = seconds.map((at) => new Date(at * 1000).toISOString());
  const long = seconds.at(-1) - seconds[0] > DAY_S;
  return texts.map((text) => (long ? text.slice(5, 10) : text.slice(11, 19)));
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

/**
 * `series` are `{ label, values }` over `xs`: seconds since the epoch if `time`, otherwise numbers. Drawn as bars or lines.
 */
export function Chart({ label, xs, series, time = true, bars = false, height = 140 }) {
  const place = useRef();
  const theme = useTheme();
  useEffect(() => {
    const tones = ["--accent", "--good", "--warn", "--bad"].map((name) => colour(place.current, name));
    const axis = { stroke: colour(place.current, "--dim"), grid: { stroke: colour(place.current, "--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui", size: 34 };
    const paths = bars ? uPlot.paths.bars({ size: [0.8, 40], radius: 0.15 }) : undefined;
    const drawn = (one, index) => ({
      label: one.label,
      stroke: tones[index % tones.length],
      fill: bars ? tones[index % tones.length] : undefined,
      width: bars ? 0 : 1.5,
      points: { show: !bars && xs.length < 40 },
      paths,
    });
    const chart = new uPlot(
      {
        width: place.current.clientWidth || 300,
        height,
        legend: { show: series.length > 1 },
        cursor: { y: false },
        scales: { x: { time }, y: { range: (_, least, most) => [Math.min(0, least), most > 0 ? most * 1.08 : 1] } },
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
  }, [JSON.stringify([xs, series]), theme]);
  return html`<div class="chart" role="img" aria-label=${label} ref=${place}></div>`;
}

/** The columns of a query's rows that can be drawn: numbers over times, or over the first column. */
export function drawable(rows) {
  if (!Array.isArray(rows) || rows.length < 2) return undefined;
  const names = Object.keys(rows[0]);
  const x = names.find((name) => isInstant(rows[0][name])) ?? names[0];
  const numbers = names.filter((name) => name !== x && rows.every((row) => typeof row[name] === "number"));
  if (numbers.length === 0) return undefined;
  const time = isInstant(rows[0][x]);
  const points = rows.map((row, index) => ({ x: time ? seconds(row[x]) : index, row })).sort((a, b) => a.x - b.x);
  return {
    time,
    xs: points.map((point) => point.x),
    series: numbers.slice(0, 4).map((label) => ({ label, values: points.map(({ row }) => row[label]) })),
  };
}

/** Whether a value is a time: microseconds since the epoch, or a timestamp as text. */
function isInstant(value) {
  return typeof value === "number" ? value > 1e15 && value < 1e17 : /^\d{4}-\d\d-\d\d[T ]/.test(value);
}

function seconds(value) {
  return typeof value === "number" ? value / 1e6 : Date.parse(value) / 1000;
}
