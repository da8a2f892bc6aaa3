//! Background work on a project.

use std::time::Duration;

use serde::Serialize;
use sim_base::{Cx, FromJson, Pace, PostgresVersion, Task, micros};

use crate::backup_span;
use crate::catalog::InstanceSize;
use crate::database;
use crate::idle_pause;
use crate::lifecycles;
use crate::organization;
use crate::outcome::{self, Ending, Work};
use crate::project_lifecycle::{Event, Status};
use crate::project_row::{self, Row, find};
use crate::restore_point;
use crate::service_start;
use crate::text_of;
use crate::v2::webhooks::event;

/// Background work that does the next step of a project.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Step {
    r#ref: String,
    /// The number of the project, which finds it faster.
    id: i64,
    event: Event,
    /// The project's version of Postgres after the step, if it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<PostgresVersion>,
    /// The size of its machine after the step, if it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<InstanceSize>,
    /// The timestamp to which the step restores the database, in microseconds, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    back_to: Option<i64>,
    /// The number of the restore point to which the step restores the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    back_to_point: Option<i64>,
}

impl Step {
    pub(crate) fn to(project: &Row, event: Event) -> Step {
        let (r#ref, id) = (project.r#ref.clone(), project.id);
        Step { r#ref, id, event, version: None, size: None, back_to: None, back_to_point: None }
    }

    pub(crate) fn with_version(self, version: &PostgresVersion) -> Step {
        Step { version: Some(version.clone()), ..self }
    }

    pub(crate) fn with_size(self, size: InstanceSize) -> Step {
        Step { size: Some(size), ..self }
    }

    pub(crate) fn back_to(self, instant: i64) -> Step {
        Step { back_to: Some(instant), ..self }
    }

    pub(crate) fn back_to_point(self, number: i64) -> Step {
        Step { back_to_point: Some(number), ..self }
    }

    /// Schedules the step from status `from` after `wait`. Without a wait the step is done at once, unless
    /// all steps are triggered by hand.
    pub(crate) fn after(self, cx: &mut Cx<'_>, from: Status, wait: Duration) {
        if is_at_once(cx, wait) {
            self.take(cx, from);
        } else {
            cx.after(wait, &self);
        }
    }

    fn take(self, cx: &mut Cx<'_>, from: Status) -> Status {
        let status = from.on(self.event).expect("a step that no longer applies is cancelled");
        enter(cx, self.id, &self.r#ref, (from, status));
        if let (Some(version), Event::FinishRestore) = (&self.version, self.event) {
            set_version(cx, &self.r#ref, version);
        }
        if let (Some(instant), Event::FinishRestore) = (self.back_to, self.event) {
            let project = find(cx, &self.r#ref).expect("a project outlives its steps");
            database::go_back(cx, &project, instant);
        }
        if let (Some(number), Event::FinishRestore) = (self.back_to_point, self.event) {
            let project = find(cx, &self.r#ref).expect("a project outlives its steps");
            restore_point::go_back(cx, &project, number);
        }
        if let Some(size) = self.size {
            let sql = "UPDATE project SET instance_size = ?2 WHERE id = ?1";
            cx.db.run(sql, (self.id, text_of(&size)));
        }
        self.lead_on(cx);
        status
    }

    /// Schedules the next step.
    fn lead_on(self, cx: &Cx<'_>) {
        let durations = &cx.policy.durations;
        match self.event {
            Event::Accept => {
                let end = outcome::of(cx, Work::Create, &self.r#ref, durations.create_ms);
                let event = end.pick(Event::FinishCreate, Event::FailCreate);
                end.schedule(cx, &Step { event, ..self });
            }
            Event::FinishDelete => {
                cx.after(Duration::from_millis(durations.removed_ms), &Forget { r#ref: self.r#ref });
            }
            _ => {}
        }
    }
}

impl Task for Step {
    const KIND: &'static str = "project";
    const NAME: Option<&'static str> = project_row::NAME;
    const IN_ROWS: bool = true;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn row(&self) -> i64 {
        self.id
    }

    fn step(&self) -> Option<sim_base::jobs::Step> {
        lifecycles::step(self.event, &Status::ALL, Status::on)
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let from = self.event.only_in().expect("a step ends the one state in which there is such work");
        self.take(cx, from).to_string()
    }
}

/// Deletes a REMOVED project.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Forget {
    r#ref: String,
}

impl Task for Forget {
    const KIND: &'static str = "forget project";
    const NAME: Option<&'static str> = project_row::NAME;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        // Its belongings are deleted with it: every table that refers to a project cascades. A branch's
        // project is removed by its own step at the same time, or by this one, whichever comes first.
        database::forget_all(cx, &self.r#ref);
        for gone in project_row::with_branches(cx, &self.r#ref) {
            organization::count(cx, &gone.organization, &gone, -1);
        }
        cx.db.run("DELETE FROM project WHERE ref = ?1", (&self.r#ref,));
        "gone".to_owned()
    }
}

/// The first status of a new project after it is accepted.
pub(crate) const ACCEPTED: Status = Status::Unknown.on(Event::Accept).expect("a new project can be accepted");

/// The status in which a new project is stored. If accepting takes no time, it is already accepted.
pub(crate) fn first(cx: &Cx<'_>, acceptance: Ending) -> Status {
    match acceptance.wait() {
        Some(wait) if is_at_once(cx, wait) => ACCEPTED,
        _ => Status::Unknown,
    }
}

/// Starts the lifecycle of a project that was stored in its [`first`] status.
pub(crate) fn begin(cx: &Cx<'_>, project: &Row, acceptance: Ending) {
    let accept = Step::to(project, Event::Accept);
    match project.status {
        Status::Unknown => acceptance.schedule(cx, &accept),
        _ => accept.lead_on(cx),
    }
}

/// Whether a step after `wait` is done at once: without a wait, unless all steps are triggered by hand.
fn is_at_once(cx: &Cx<'_>, wait: Duration) -> bool {
    wait.is_zero() && cx.policy.pace != Pace::Manual
}

/// Moves a project from its present status to the next.
pub(crate) fn enter(cx: &Cx<'_>, id: i64, r#ref: &str, (from, to): (Status, Status)) {
    if from == Status::ActiveUnhealthy {
        cx.db.run("DELETE FROM service_fault WHERE project = ?1", (r#ref,));
    }
    if from.is_active() {
        backup_span::settle_until_now(cx, r#ref);
    }
    let sql = "UPDATE project SET status = ?2, changed_by_call = ?3, backed_up_since = ?4 WHERE id = ?1 AND status = ?5";
    let changed = cx.db.run(sql, (id, to.as_str(), cx.call as i64, micros(cx.now), from.as_str()));
    assert_eq!(changed, 1, "work that no longer applies is cancelled: {ref} is not {from}");
    match (from.is_active(), to.is_active()) {
        (false, true) => {
            service_start::begin(cx, r#ref);
            idle_pause::watch(cx, r#ref);
        }
        (true, false) => service_start::end(cx, r#ref),
        _ => {}
    }
    if from.is_resting() != to.is_resting() {
        let of_no_branch = "SELECT organization FROM project WHERE id = ?1 AND branch_of IS NULL";
        let slug: Option<String> = cx.db.maybe(of_no_branch, (id,), |row| row.get(0));
        slug.into_iter().for_each(|slug| organization::count_resting(cx, &slug, to.is_resting()));
    }
    event::status_changed(cx, r#ref, from, to);
}

/// Sets a project's version of Postgres.
pub(crate) fn set_version(cx: &Cx<'_>, r#ref: &str, version: &PostgresVersion) {
    let sql = "UPDATE project SET version = ?2, engine = ?3, release_channel = ?4 WHERE ref = ?1";
    cx.db.run(sql, (r#ref, &version.version, &version.engine, &version.release_channel));
}
