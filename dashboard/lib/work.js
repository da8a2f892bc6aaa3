// Scheduled work in words: what will happen, to which resource.

import { html } from "../vendor/preact.js";
import { Status } from "./ui.js";

/** What the pages need to put work into words: the lifecycles, and names and pages of projects and sources. */
export async function loadWords(world) {
  const list = (service, path) => (world.has(service) ? world.peek(path).catch(() => []) : []);
  const [lifecycles, projects, sources] = await Promise.all([world.control("GET", "/lifecycles"), list("management", "/v1/projects"), list("analytics", "/api/sources")]);
  const becomes = new Map(lifecycles.flatMap((one) => one.arrows.map((arrow) => [arrow.event, arrow.to])));
  const named = [...projects.map((one) => [one.id, { name: one.name, page: `projects/${one.id}` }]), ...sources.map((one) => [one.token, { name: one.name, page: `analytics/sources/${one.token}` }])];
  return { becomes, named: new Map(named) };
}

/** The lifecycle event of a piece of work, if it has one: `FinishPause`. */
export function eventOf(job) {
  try {
    const { event } = JSON.parse(job.task);
    return typeof event === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}

/** A piece of work in words: `finish pause`. */
export function phrase(job) {
  return (eventOf(job) ?? job.kind).replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** `finish pause → INACTIVE` */
export function Work({ job, words }) {
  const to = words?.becomes.get(eventOf(job));
  return html`<span>${phrase(job)}${to && html` → <${Status} of=${to} />`}</span>`;
}

/** The name of a project or a source, linked, or the subject as it is. */
export function Subject({ world, subject, name, words }) {
  const found = words?.named.get(subject);
  if (!found) return html`<code title=${subject}>${name ?? subject}</code>`;
  return html`<a href=${`#/${world.name}/${found.page}`} title=${subject}>${found.name}</a>`;
}
