//! `/v1/branches/{branch_id}/restore`: scheduled deletion of a branch, and how to cancel it.

use std::time::Duration;

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Resource, Role, Scope, Task, TaskEntry,
    ToSchema, act, later, micros,
};

use crate::branch::{self, Branch, BranchId};
use crate::outcome::{self, Work};

operations![RestoreBranch];

pub(crate) const RESOURCE: Resource =
    Resource { tables: "", operations: OPERATIONS, tasks: &[TaskEntry::of::<Removal>()] };

/// A branch that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RestoredBranch {
    /// The message.
    pub message: RestoreMessage,
}

/// The service's answer when it restores a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum RestoreMessage {
    /// It is kept.
    #[serde(rename = "Branch restoration initiated")]
    Initiated,
}

/// Keep a branch that was to be deleted later.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RestoreBranch {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
}

impl Operation for RestoreBranch {
    type Output = RestoredBranch;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        failure: "Failed to restore database branch",
        ..act("v1-restore-a-branch", "/v1/branches/{branch_id}/restore")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RestoredBranch, Error> {
        let branch = branch::load(cx, &self.branch_id)?;
        if branch.deletion_scheduled_at.is_none() {
            let text = "The branch is not scheduled for deletion.";
            return Err(Error::new(Kind::Unprocessable, "branch_not_scheduled", text));
        }
        cx.cancel::<Removal>(&branch.id);
        cx.db.run("UPDATE branch SET removed_at = NULL WHERE id = ?1", (&branch.id,));
        Ok(RestoredBranch { message: RestoreMessage::Initiated })
    }
}

/// Schedules the branch's deletion; a second call postpones it.
pub(crate) fn schedule(cx: &Cx<'_>, branch: &Branch) {
    let usual_ms = cx.policy.durations.branch_removal_ms;
    let end = outcome::of(cx, Work::BranchRemoval, &branch.project_ref.0, usual_ms);
    let wait = end.wait().unwrap_or(Duration::from_millis(usual_ms));
    cx.cancel::<Removal>(&branch.id);
    end.schedule(cx, &Removal { branch: branch.id.clone() });
    cx.db.run("UPDATE branch SET removed_at = ?2 WHERE id = ?1", (&branch.id, micros(later(cx.now, wait))));
}

/// Deletes a branch whose deletion was not cancelled.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Removal {
    branch: String,
}

impl Task for Removal {
    const KIND: &'static str = "branch removal";
    const NAME: Option<&'static str> = Some("SELECT name FROM branch WHERE id = ?1");

    fn subject(&self) -> &str {
        &self.branch
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        // It is deleted with its project.
        let Some(branch) = branch::find(cx, &self.branch) else { return "gone".to_owned() };
        match branch::remove(cx, &branch) {
            Ok(()) => "removed".to_owned(),
            // Its project can't be deleted now; try again later.
            Err(_) => {
                schedule(cx, &branch);
                "put off".to_owned()
            }
        }
    }
}
