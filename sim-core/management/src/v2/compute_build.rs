//! The life of a program that runs next to a project: each deploy builds it, and its instances end after it is deleted.

use std::time::Duration;

use serde::Serialize;
use sim_base::jobs::Step;
use sim_base::{Cx, FromJson, Task, ToSchema};

use crate::lifecycles;
use crate::outcome::{self, Work};
use crate::project::Row;
use crate::{named, text_of};

/// Where the last build of a program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BuildState {
    /// It goes on.
    Building,
    /// Its result runs.
    Active,
    /// It has no result; what ran before runs on.
    Failed,
}

/// What can happen to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson)]
pub enum BuildEvent {
    /// Somebody deploys it.
    Deploy,
    /// Its build is done.
    Finish,
    /// Its build fails.
    Fail,
}

impl BuildEvent {
    /// Every event.
    pub const ALL: [BuildEvent; 3] = [BuildEvent::Deploy, BuildEvent::Finish, BuildEvent::Fail];
}

impl BuildState {
    /// Every state.
    pub const ALL: [BuildState; 3] = [BuildState::Building, BuildState::Active, BuildState::Failed];

    /// The whole lifecycle of a program. `None`: the event does not apply in this state.
    pub const fn on(self, event: BuildEvent) -> Option<BuildState> {
        use BuildEvent::*;
        use BuildState::*;
        Some(match (self, event) {
            (Building, Finish) => Active,
            (Building, Fail) => Failed,
            (Active | Failed, Deploy) => Building,
            (Building, Deploy) | (Active | Failed, Finish | Fail) => return None,
        })
    }

    pub(super) const fn reason(self) -> Option<&'static str> {
        match self {
            BuildState::Failed => Some("The build failed."),
            BuildState::Building | BuildState::Active => None,
        }
    }
}

/// How long a build takes, in milliseconds.
const BUILD_MS: u64 = 30_000;

/// How long instances take to end.
const END: Duration = Duration::from_secs(5);

/// Later work on a program.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct ComputeStep {
    /// Number of the program.
    program: String,
    /// What happens to its build; `None` ends its instances.
    event: Option<BuildEvent>,
}

/// Builds the program of that number, which is in the state for it.
pub(super) fn begin(cx: &Cx<'_>, project: &Row, id: i64) {
    let end = outcome::of(cx, Work::Deploy, &project.r#ref, BUILD_MS);
    let event = Some(end.pick(BuildEvent::Finish, BuildEvent::Fail));
    end.schedule(cx, &ComputeStep { program: id.to_string(), event });
}

/// Deletes the program of that number a little later.
pub(super) fn begin_delete(cx: &Cx<'_>, id: i64) {
    cx.db.run("UPDATE compute_instance SET deleting = TRUE WHERE id = ?1", (id,));
    let step = ComputeStep { program: id.to_string(), event: None };
    cx.cancel::<ComputeStep>(&step.program);
    cx.after(END, &step);
}

impl Task for ComputeStep {
    const KIND: &'static str = "compute";
    const NAME: Option<&'static str> = Some("SELECT name FROM compute_instance WHERE id = ?1");

    fn subject(&self) -> &str {
        &self.program
    }

    fn step(&self) -> Option<Step> {
        lifecycles::step(self.event?, &BuildState::ALL, BuildState::on)
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let find = "SELECT state FROM compute_instance WHERE id = ?1";
        let found = cx.db.maybe(find, (&self.program,), |row| Ok(named(row.get_ref(0)?.as_str()?)));
        // Its project may have been removed, and the program with it.
        let Some(state): Option<BuildState> = found else { return "gone".to_owned() };
        let Some(event) = self.event else {
            cx.db.run("DELETE FROM compute_instance WHERE id = ?1", (&self.program,));
            return "deleted".to_owned();
        };
        let next = state.on(event).expect("a step that no longer applies is cancelled");
        let sql = "UPDATE compute_instance SET state = ?2, live = iif(?3, declared, live) WHERE id = ?1";
        cx.db.run(sql, (&self.program, text_of(&next), next == BuildState::Active));
        text_of(&next)
    }
}
