// Backups of a project, on a time axis.

import { html, useState } from "../../vendor/preact.js";
import { now, useLoad } from "../../lib/api.js";
import { DAY, day, instant } from "../../lib/time.js";
import { attempt, Button, Dialog, Facts, Loaded, Panel, Status, Table } from "../../lib/ui.js";

export function Backups({ world, project }) {
  const backups = useLoad(() => world.peek(`/v1/projects/${project.id}/database/backups`), [project.id]);
  const [target, aim] = useState();
  const restore = async () => {
    const { at, point } = target;
    aim(undefined);
    if (point) {
      await attempt(() => world.act("POST", `/v1/projects/${project.id}/database/backups/restore-pitr`, { recovery_time_target_unix: Math.floor(at / 1000) }), `Restoring to ${instant(at)}`);
    } else {
      await attempt(() => world.control("POST", `/projects/${project.id}/backups/restore`, { day: new Date(at).toISOString() }), `Restoring to the backup of ${day(at)}`);
    }
  };
  const columns = [
    ["Made", (one) => instant(one.inserted_at), "mono wrap"],
    ["Status", (one) => html`<${Status} of=${one.status} />`],
    ["Kind", (one) => (one.is_physical_backup ? "files" : "dump"), "narrow-off"],
    ["", (one) => one.status === "COMPLETED" && html`<${Button} onClick=${() => aim({ at: Date.parse(one.inserted_at) })}>Restore to here</${Button}>`, "right"],
  ];
  return html`<${Panel} title="Backups" flush>
    <${Loaded} from=${backups}>
      ${(all) => html`
        <${Axis} project=${project} backups=${all} onAim=${aim} />
        <${Facts} of=${[["Region", all.region], ["To any second", all.pitr_enabled ? "yes" : "no: the project lacks that add-on"], ["Log is archived", all.walg_enabled ? "yes" : "no"]]} />
        ${all.backups.length === 0 ? html`<p class="none">No daily backup yet: they are made once a day, on plans that have them.</p>` : html`<${Table} label="Daily backups" columns=${columns} rows=${all.backups} />`}
      `}
    </${Loaded}>
    ${target &&
    html`<${Dialog} title="Restore to here" onClose=${() => aim(undefined)}>
      <p>The database becomes what it was at <strong class="mono">${instant(target.at)}</strong>. ${target.point ? "" : "That is the daily backup of then. "}Meanwhile the project is RESTORING.</p>
      <div class="actions"><${Button} onClick=${() => aim(undefined)}>Cancel</${Button}><${Button} kind="primary" onClick=${restore}>Restore</${Button}></div>
    </${Dialog}>`}
  </${Panel}>`;
}

/** The time from the project's creation, or the oldest backup, to now. */
function Axis({ project, backups: { backups, physical_backup_data: span }, onAim }) {
  const present = now();
  const oldest = Math.min(Date.parse(project.created_at), ...backups.map((one) => Date.parse(one.inserted_at)));
  const from = Math.max(oldest, present - 40 * DAY);
  const place = (at) => 2 + (96 * (at - from)) / Math.max(1, present - from);
  const first = span.earliest_physical_backup_date_unix * 1000;
  const last = span.latest_physical_backup_date_unix * 1000;
  const point = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    // A click by keyboard has no position; it means the latest point in time.
    const share = event.detail === 0 ? 1 : (event.clientX - left) / width;
    onAim({ at: first + share * (last - first), point: true });
  };
  return html`<div class="axis">
    ${last > first && html`<button class="span" style=${{ left: `${place(first)}%`, width: `${place(last) - place(first)}%` }} onClick=${point}>any second</button>`}
    ${backups.map((one) => {
      const at = Date.parse(one.inserted_at);
      return at >= from && html`<button class=${`mark ${one.status === "COMPLETED" ? "good" : "bad"}`} style=${{ left: `${place(at)}%` }} title=${`${instant(at)} ${one.status}`} aria-label=${`Restore to the backup of ${day(at)}`} disabled=${one.status !== "COMPLETED"} onClick=${() => onAim({ at })}></button>`;
    })}
    <span class="end mono">${day(from)}</span><span class="end last mono">now</span>
  </div>`;
}
