//! `/v1/projects/{ref}/restart`: restarts a project's database, as settings do that need a restart.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Resource, Scope, ToSchema, act};

use crate::outcome::{self, Work};
use crate::project::{self, Event, ProjectRef, Row, Step};

operations![RestartProject];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Restart a project.
///
/// It is RESTARTING for a while and can't be reached.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RestartProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for RestartProject {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("projects:write")),
        ..act("v1-restart-a-project", "/v1/projects/{ref}/restart")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        restart(cx, &project)?;
        Ok(Empty {})
    }
}

/// Restarts the database of an active project, which is RESTARTING for a while. In other states 400.
pub(crate) fn restart(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let status = project.status;
    project.apply(cx, Event::Restart).map_err(|refused| {
        refused("project_not_active", format!("This project is not in an active state, it is {status}"))
    })?;
    let end = outcome::of(cx, Work::Restart, &project.r#ref, cx.policy.durations.restart_ms);
    end.schedule(cx, &Step::to(project, Event::FinishRestart));
    Ok(())
}
