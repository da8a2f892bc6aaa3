// Formats times and durations.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `2026-01-01 00:01:00`; simulated time is UTC. */
export function instant(at) {
  return new Date(at).toISOString().replace("T", " ").slice(0, 19);
}

/** `00:01:00.250`, for rows that are close in time. */
export function timeOfDay(at) {
  return new Date(at).toISOString().slice(11, 23);
}

/** `2026-01-01` */
export function day(at) {
  return new Date(at).toISOString().slice(0, 10);
}

/** `2 h 5 min`: the two largest units. */
export function length(ms) {
  const left = Math.abs(ms);
  if (left < SECOND) return `${Math.round(left)} ms`;
  if (left < MINUTE) return `${Math.floor(left / SECOND)} s`;
  if (left < HOUR) return pair(left, MINUTE, "min", SECOND, "s");
  if (left < DAY) return pair(left, HOUR, "h", MINUTE, "min");
  return pair(left, DAY, "d", HOUR, "h");
}

function pair(ms, large, largeName, small, smallName) {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest ? ` ${rest} ${smallName}` : ""}`;
}

/** `in 5 s`, `3 min ago`. */
export function relative(at, now) {
  const ms = new Date(at) - new Date(now);
  if (Math.abs(ms) < SECOND) return "now";
  return ms > 0 ? `in ${length(ms)}` : `${length(ms)} ago`;
}

const NUMBER = new Intl.NumberFormat("en-US");

/** `12,345` */
export function count(number) {
  return NUMBER.format(number ?? 0);
}

/** `1 row`, `12,345 rows` */
export function some(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}
