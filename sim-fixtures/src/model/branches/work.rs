//! Background work of a branch: migrations, functions, removal.

use super::runs::RunKind;
use super::{Branch, HOUR, STEP};
use crate::model::Model;
use crate::model::time::{Event, later};
use crate::strategies::Text;

impl Model {
    /// Deletes the branch and removes its project, unless the branch is the project itself.
    pub(super) fn drop_branch(&mut self, number: usize) {
        self.agenda.cancel(|event| {
            matches!(event, Event::Branch { branch, .. } | Event::RemoveBranch { branch } if *branch == number)
        });
        let Branch { project, is_default, .. } = self.branches[number];
        self.branches[number].is_deleted = true;
        self.break_off_run(number);
        if !is_default && self.projects[project].is_live() {
            self.remove(project);
        }
    }

    pub(super) fn set_branch(&mut self, number: usize, status: &str) {
        self.agenda.cancel(|event| matches!(event, Event::Branch { branch, .. } if *branch == number));
        self.branches[number].status = status.to_owned();
        self.break_off_run(number);
    }

    pub(super) fn run_migrations(&mut self, branch: usize) {
        let step = if self.next_fails("branch_migrations") { "fail" } else { "pass" };
        self.after(STEP, Event::Branch { branch, step });
    }

    /// A non-persistent branch is deleted when it expires. If its project can't be removed at that time, it
    /// is kept for another hour.
    pub(in crate::model) fn remove_branch(&mut self, branch: usize) {
        if self.branches[branch].is_deleted || self.projects[self.branches[branch].project].is_gone() {
            return;
        }
        if self.is_upgrading(branch) {
            self.after(HOUR, Event::RemoveBranch { branch });
            self.branches[branch].removed_at = Some(later(self.now, HOUR));
        } else {
            self.drop_branch(branch);
        }
    }

    /// The effect of a run on recorded migrations.
    pub(super) fn migrate(&mut self, branch: usize) {
        let Branch { project, parent, run, up_to, with_data, .. } = self.branches[branch].clone();
        let (from, to) = if run == RunKind::Merge { (project, parent) } else { (parent, project) };
        let (now, up_to) = (self.now, up_to.as_deref());
        let other = self.projects[from].migrations.clone();
        let own = &mut self.projects[to].migrations;
        match run {
            RunKind::Reset => own.reset(now, up_to),
            RunKind::Create if with_data => *own = other,
            RunKind::Create | RunKind::Push | RunKind::Merge => own.take(now, &other, up_to),
        }
        self.projects[to].settings.bytes_unknown = true;
    }

    pub(in crate::model) fn step_branch(&mut self, branch: usize, step: Text) {
        let up = self.projects[self.branches[branch].project].is_active();
        if self.branches[branch].is_deleted || self.projects[self.branches[branch].project].is_gone() {
            return;
        }
        let Branch { project, parent, run, .. } = self.branches[branch];
        let merges = run == RunKind::Merge;
        let target_up = !merges || self.projects[parent].is_active();
        let status = match step {
            "ready" if !up => return,
            "ready" => "RUNNING_MIGRATIONS",
            "pass" if up && target_up => "MIGRATIONS_PASSED",
            "pass" | "fail" => "MIGRATIONS_FAILED",
            "deploy" if up && target_up && (!merges || self.copy_functions(project, parent)) => {
                "FUNCTIONS_DEPLOYED"
            }
            _ => "FUNCTIONS_FAILED",
        };
        self.branches[branch].status = status.to_owned();
        self.reach_run(branch, status);
        match status {
            "RUNNING_MIGRATIONS" => self.run_migrations(branch),
            "MIGRATIONS_PASSED" => {
                self.migrate(branch);
                let step = if self.next_fails("branch_functions") { "miss" } else { "deploy" };
                self.after(STEP, Event::Branch { branch, step });
            }
            _ => {}
        }
    }
}
