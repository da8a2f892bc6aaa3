//! Restarts a project's database, for settings that need a restart.

use std::time::Duration;

use sim_base::{Cx, Error};

use crate::project::{Event, Row, Step};

/// Restarts the database of an active project, which is RESTARTING for a while. In other states 400.
pub(crate) fn restart(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let status = project.status;
    project.apply(cx, Event::Restart).map_err(|refused| {
        refused("project_not_active", format!("This project is not in an active state, it is {status}"))
    })?;
    cx.after(Duration::from_millis(cx.policy.durations.restart_ms), &Step::to(project, Event::FinishRestart));
    Ok(())
}
