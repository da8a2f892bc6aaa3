// Scheduled work in words: what will happen, to which resource.

import { html } from "../vendor/preact.js";
import { Status } from "./ui.js";

/** What the pages need to put work into words: names and pages of projects and sources. */
export async function loadWords(world) {
  const list = (service, path) => (world.has(service) ? world.peek(path).catch(() => []) : []);
  const [projects, sources] = await Promise.all([list("management", "/v1/projects"), list("analytics", "/api/sources")]);
  const named = [...projects.map((one) => [one.id, { name: one.name, page: `projects/${one.id}` }]), ...sources.map((one) => [one.token, { name: one.name, page: `analytics/sources/${one.token}` }])];
  return { named: new Map(named) };
}

/** The lifecycle event of a piece of work, if it has one: `FinishPause`. Finished work has it in its task alone. */
export function eventOf(job) {
  if (job.event) return job.event;
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
export function Work({ job }) {
  return html`<span>${phrase(job)}${job.becomes && html` → <${Status} of=${job.becomes} />`}</span>`;
}

/** The name of a project or a source, linked, or the subject as it is. */
export function Subject({ world, subject, name, words }) {
  const found = words?.named.get(subject);
  if (!found) return html`<code title=${subject}>${name ?? subject}</code>`;
  return html`<a href=${`#/${world.name}/${found.page}`} title=${subject}>${found.name}</a>`;
}
