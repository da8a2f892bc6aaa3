// Scheduled work in words: what will happen, to which resource.

import { html } from "../vendor/preact.js";
import { Status } from "./ui.js";

/** What the pages need to put work into words: the lifecycles, and the names of projects. */
export async function loadWords(world) {
  const [lifecycles, projects] = await Promise.all([world.control("GET", "/lifecycles"), world.has("management") ? world.peek("/v1/projects").catch(() => []) : []]);
  const becomes = new Map(lifecycles.flatMap((one) => one.arrows.map((arrow) => [arrow.event, arrow.to])));
  return { becomes, names: new Map(projects.map((project) => [project.id, project.name])) };
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

/** The name of a project, linked, or the subject as it is. */
export function Subject({ world, subject, words }) {
  const name = words?.names.get(subject);
  if (!name) return html`<code>${subject}</code>`;
  return html`<a href=${`#/${world.name}/projects/${subject}`} title=${subject}>${name}</a>`;
}
