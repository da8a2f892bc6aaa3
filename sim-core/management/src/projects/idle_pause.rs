//! Pauses projects on the free plan that nobody uses, if the policy says after how many days.

use std::time::Duration;

use serde::Serialize;
use sim_base::{Cx, FromJson, Resource, Task, TaskEntry, Timestamp, View, from_micros, later, micros, view};

use crate::organization::{self, Plan};
use crate::project;

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: &[], tasks: &[TaskEntry::of::<IdlePause>()] };

/// A project has a row if the policy pauses idle projects.
const TABLES: &str = "
    CREATE TABLE project_use (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "project_use",
    "When a project was last used, if idle projects are paused.",
    "SELECT project, used_at FROM project_use",
)];

/// Notes that the project is used now.
pub(crate) fn note_use(cx: &Cx<'_>, r#ref: &str) {
    if cx.policy.idle_pause_days.is_some() {
        cx.db.run("INSERT OR REPLACE INTO project_use VALUES (?1, ?2)", (r#ref, micros(cx.now)));
    }
}

/// Watches a project that has become active.
pub(crate) fn watch(cx: &Cx<'_>, r#ref: &str) {
    if let Some(days) = cx.policy.idle_pause_days {
        note_use(cx, r#ref);
        cx.cancel::<IdlePause>(r#ref);
        cx.by_the_clock(length(days), &IdlePause { r#ref: r#ref.to_owned() });
    }
}

const fn length(days: u32) -> Duration {
    Duration::from_secs(days as u64 * 24 * 3600)
}

/// Pauses the project if it was not used for so long, otherwise looks again when that may be so.
#[derive(Clone, Debug, Serialize, FromJson)]
pub(crate) struct IdlePause {
    r#ref: String,
}

impl IdlePause {
    /// When the project was last used.
    fn used_at(&self, cx: &Cx<'_>) -> Timestamp {
        let sql = "SELECT used_at FROM project_use WHERE project = ?1";
        cx.db.maybe(sql, (&self.r#ref,), |row| row.get(0)).map_or(cx.now, from_micros)
    }
}

impl Task for IdlePause {
    const KIND: &'static str = "idle project";
    const NAME: Option<&'static str> = project::NAME;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let Some(length) = cx.policy.idle_pause_days.map(length) else {
            return "watched no longer".to_owned();
        };
        let Some(project) = project::find(cx, &self.r#ref).filter(|project| project.status.is_active())
        else {
            return "not active".to_owned();
        };
        let plan = organization::load(cx, &project.organization).map(|organization| organization.plan);
        let idle_at = later(self.used_at(cx), length);
        if idle_at <= cx.now && plan.is_ok_and(|plan| plan == Plan::Free) {
            project::begin_pause(cx, &project).expect("an active project can be paused");
            return "PAUSING".to_owned();
        }
        let wait = Duration::try_from(idle_at.duration_since(cx.now)).ok().filter(|wait| !wait.is_zero());
        cx.by_the_clock(wait.unwrap_or(length), &self);
        project.status.to_string()
    }
}
