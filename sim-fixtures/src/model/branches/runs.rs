//! Runs of branches, and the steps of a run.

use serde_json::{Value, json};

use super::Branch;
use crate::model::Model;
use crate::model::rule::{Answer, Asked};
use crate::strategies::{Dice, Text, What};

/// A run of a branch, and the state of its steps.
#[derive(Clone, Debug)]
pub(in crate::model) struct Run {
    pub(super) branch: usize,
    /// Its number among the runs whose UUID a response has shown.
    pub(super) told_as: Option<usize>,
    pub(super) steps: [(Text, String); 7],
}

const STEPS: [Text; 7] = ["clone", "pull", "health", "configure", "migrate", "seed", "deploy"];

impl Run {
    pub(super) fn shown(&self) -> Value {
        self.steps.iter().map(|(name, status)| json!({ "name": name, "status": status })).collect()
    }

    /// The step it is at or failed at, or that it has finished all steps.
    fn stand_at(&mut self, at: Option<Text>, has_failed: bool) {
        let place = at.and_then(|at| STEPS.iter().position(|step| *step == at)).unwrap_or(STEPS.len());
        for (index, (_, status)) in self.steps.iter_mut().enumerate() {
            *status = match index.cmp(&place) {
                std::cmp::Ordering::Less => "EXITED",
                std::cmp::Ordering::Equal if has_failed => "DEAD",
                std::cmp::Ordering::Equal => "RUNNING",
                std::cmp::Ordering::Greater => "CREATED",
            }
            .to_owned();
        }
    }
}

pub(super) fn some_run(dice: &mut Dice, model: &Model, what: What) -> What {
    let told = model.runs.iter().filter(|run| run.told_as.is_some()).count();
    what.at("run_id", format!("{{run {}}}", dice.below(told + 1)))
}

/// The purpose of the branch's run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RunKind {
    Create,
    Push,
    Reset,
    Merge,
}

pub(super) fn rerun(model: &mut Model, asked: &Asked<'_>, run: RunKind) -> Answer {
    let number = model.branch(asked)?;
    if model.branches[number].is_default {
        return Err(422);
    }
    if !model.projects[model.branches[number].project].is_active() {
        return Err(400);
    }
    if run != RunKind::Reset && !model.projects[model.branches[number].parent].is_active() {
        return Err(400);
    }
    let Branch { project, parent, .. } = model.branches[number];
    let from = if run == RunKind::Push { parent } else { project };
    let known = model.projects[from].migrations.at(model.now);
    if asked.body("migration_version").as_str().is_some_and(|version| !known.contains_key(version)) {
        return Err(400);
    }
    model.set_branch(number, "RUNNING_MIGRATIONS");
    let told = model.runs.iter().filter(|run| run.told_as.is_some()).count();
    model.begin_run(number, Some(told), "migrate");
    model.branches[number].run = run;
    model.branches[number].up_to = asked.body("migration_version").as_str().map(str::to_owned);
    model.run_migrations(number);
    Ok(json!({ "message": "ok" }))
}

impl Model {
    /// A run belongs to the branch's project and to its parent, as long as both exist.
    pub(super) fn is_run_of(&self, run: &Run, project: usize) -> bool {
        let Branch { project: own, parent, .. } = self.branches[run.branch];
        let are_there = !self.projects[own].is_gone() && !self.projects[parent].is_gone();
        are_there && (own == project || parent == project)
    }

    /// The run that a call names.
    pub(super) fn run(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        let (told, project) = (asked.number("run_id"), asked.project());
        let is_meant = |run: &Run| run.told_as == Some(told) && self.is_run_of(run, project);
        self.runs.iter().position(is_meant).ok_or(404)
    }

    pub(super) fn begin_run(&mut self, branch: usize, told_as: Option<usize>, at: Text) {
        let mut run = Run { branch, told_as, steps: STEPS.map(|step| (step, String::new())) };
        run.stand_at(Some(at), false);
        self.runs.push(run);
    }

    /// Ends the current step of the branch's last run as DEAD.
    pub(super) fn break_off_run(&mut self, branch: usize) {
        let Some(last) = self.runs.iter_mut().rfind(|run| run.branch == branch) else { return };
        for (_, status) in last.steps.iter_mut().filter(|(_, status)| status == "RUNNING") {
            *status = "DEAD".to_owned();
        }
    }

    pub(super) fn reach_run(&mut self, branch: usize, status: &str) {
        let Some(last) = self.runs.iter_mut().rfind(|run| run.branch == branch) else { return };
        match status {
            "RUNNING_MIGRATIONS" => last.stand_at(Some("migrate"), false),
            "MIGRATIONS_PASSED" => last.stand_at(Some("deploy"), false),
            "MIGRATIONS_FAILED" => last.stand_at(Some("migrate"), true),
            "FUNCTIONS_FAILED" => last.stand_at(Some("deploy"), true),
            _ => last.stand_at(None, false),
        }
    }
}
