//! Upgrades of Postgres, in eleven steps.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::upgrade::{
    GetUpgradeEligibility, GetUpgradeStatus, SetUpgradeError, UpgradeProject,
};
use sim_core::management::upgrade_obstacles::SetUpgradeObstacles;
use sim_core::{Operation as _, Timestamp};

use super::projects::VERSIONS;
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::time::{later, since};
use super::{Model, rule_with};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &["upgrade"] };

/// Steps of an upgrade, and the failure of each except the first two.
const STEPS: [Text; 11] = [
    "0_requested",
    "1_started",
    "2_launched_upgraded_instance",
    "3_detached_volume_from_upgraded_instance",
    "4_attached_volume_to_original_instance",
    "5_initiated_data_upgrade",
    "6_completed_data_upgrade",
    "7_detached_volume_from_original_instance",
    "8_attached_volume_to_upgraded_instance",
    "9_completed_upgrade",
    "10_completed_post_physical_backup",
];
const ERRORS: [Text; 9] = [
    "1_upgraded_instance_launch_failed",
    "2_volume_detachchment_from_upgraded_instance_failed",
    "3_volume_attachment_to_original_instance_failed",
    "4_data_upgrade_initiation_failed",
    "5_data_upgrade_completion_failed",
    "6_volume_detachchment_from_original_instance_failed",
    "7_volume_attachment_to_upgraded_instance_failed",
    "8_upgrade_completion_failed",
    "9_post_physical_backup_failed",
];
const UPGRADE_STEP: Duration = Duration::from_secs(42);

const RULES: &[Rule] = &[
    Rule::read(GetUpgradeEligibility::META, "projects:read", |model, asked| {
        let found = &model.projects[asked.project()];
        let targets = model.targets(asked.project(), None);
        let app = |version: usize| format!("platform-postgres-{}", VERSIONS[version].0);
        let shown = targets.iter().map(|version| {
            let (_, engine, channel) = VERSIONS[*version];
            json!({ "postgres_version": engine, "release_channel": channel, "app_version": app(*version) })
        });
        let plan = &found.upgrade;
        Ok(json!({
            "eligible": model.can_upgrade(asked.project(), &targets),
            "current_app_version": app(found.version),
            "latest_app_version": app(targets.last().copied().unwrap_or(found.version)),
            "target_upgrade_versions": shown.collect::<Vec<_>>(),
            "potential_breaking_changes": plan.breaking,
            "extension_dependent_objects": plan.dependent,
        }))
    }),
    Rule::write(UpgradeProject::META, "projects:write", upgrade)
        .call(|dice, _, what| {
            let channel = dice.one_in(3).then(|| json!(dice.pick(&["ga", "alpha", "preview"])));
            let target = dice.pick(&["17", "15.8.1.102", "platform-postgres-17.4.1.043", "17-oriole", "99"]);
            what.with(given([("target_version", Some(json!(target))), ("release_channel", channel)]))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "target_version": 17 }),
                json!({ "target_version": "" }),
                json!({ "target_version": "17", "release_channel": "nightly" }),
            ]
        })
        .makes(&[("upgrade", "/tracking_id")]),
    Rule::read(GetUpgradeStatus::META, "projects:read", |model, asked| {
        let meant = asked.what.asked("tracking_id").map(super::rule::number);
        let mut mine =
            model.upgrades.iter().enumerate().filter(|(_, upgrade)| upgrade.project == asked.project());
        let found = mine.rfind(|(number, _)| meant.is_none_or(|meant| meant == *number));
        Ok(json!({ "databaseUpgradeStatus": found.map(|(_, upgrade)| upgrade.shown(model.now)) }))
    })
    .call(|dice, model, what| match dice.one_in(3) {
        true => what.asking("tracking_id", format!("{{upgrade {}}}", dice.below(model.upgrades.len() + 1))),
        false => what,
    }),
    Rule::control(SetUpgradeObstacles::META, |model, asked| {
        let plan = &mut model.projects[asked.project()].upgrade;
        plan.breaking = asked.texts("potential_breaking_changes");
        plan.dependent = asked.texts("extension_dependent_objects");
        done()
    })
    .call(|dice, _, what| {
        let list = |dice: &mut Dice| dice.one_in(4).then(|| json!(["view old"]));
        let (breaking, dependent) = (list(dice), list(dice));
        what.with(given([
            ("potential_breaking_changes", breaking),
            ("extension_dependent_objects", dependent),
        ]))
    })
    .bodies(|| vec![json!({ "potential_breaking_changes": "all" }), json!({ "obstacles": [] })]),
    Rule::control(SetUpgradeError::META, |model, asked| {
        let error = ERRORS.iter().position(|error| *error == asked.text("error"));
        model.projects[asked.project()].upgrade.fails = error.map(|error| error as u32 + 1);
        done()
    })
    .call(|dice, _, what| {
        let error = Some(json!(dice.pick(&ERRORS))).filter(|_| !dice.one_in(3));
        what.with(given([("error", error)]))
    })
    .bodies(|| vec![json!({ "error": "0_nothing" }), json!({ "error": 1 })]),
];

/// An upgrade of a project that allows one; more than half of them with a failure.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let project = model.some_project(dice);
    let found = model.projects.get(project)?;
    let operation = match found.status {
        "ACTIVE_HEALTHY" if found.upgrade.fails.is_some() => UpgradeProject::META.id,
        "ACTIVE_HEALTHY" => dice.pick(&[UpgradeProject::META.id, SetUpgradeError::META.id]),
        _ => GetUpgradeStatus::META.id,
    };
    Some(rule_with(operation).for_project(dice, model, project))
}

/// The obstacles to an upgrade of a project.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    breaking: Vec<String>,
    dependent: Vec<String>,
    /// The failure that the next upgrade meets, from 1.
    fails: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Upgrade {
    project: usize,
    since: Timestamp,
    target: usize,
    /// The number of the failure that it meets, from 1. The failure replaces the step after the step of that
    /// number.
    fails: Option<u32>,
}

impl Upgrade {
    /// The last step done, and whether the upgrade has failed since.
    fn progress(&self, now: Timestamp) -> (u32, bool) {
        let steps = (since(self.since, now).as_micros() / UPGRADE_STEP.as_micros()).min(10) as u32;
        match self.fails {
            Some(error) if steps > error => (error, true),
            _ => (steps, false),
        }
    }

    fn is_running(&self, now: Timestamp) -> bool {
        let (step, failed) = self.progress(now);
        step < 10 && !failed
    }

    fn shown(&self, now: Timestamp) -> Value {
        let (step, failed) = self.progress(now);
        let latest = later(self.since, UPGRADE_STEP * (step + u32::from(failed)));
        json!({
            "initiated_at": self.since.to_string(),
            "latest_status_at": latest.to_string(),
            "target_version": VERSIONS[self.target].1,
            "error": self.fails.filter(|_| failed).map(|error| ERRORS[error as usize - 1]),
            "progress": STEPS[step as usize],
            "status": if failed { 2 } else { u8::from(step == 10) },
        })
    }
}

fn upgrade(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    let targets = model.targets(project, asked.body("release_channel").as_str());
    if !model.can_upgrade(project, &targets) {
        return Err(400);
    }
    let wanted = asked.text("target_version").trim_start_matches("platform-postgres-");
    let is_meant = |version: &&usize| VERSIONS[**version].0 == wanted || VERSIONS[**version].1 == wanted;
    let target = *targets.iter().rfind(is_meant).ok_or(400_u16)?;
    let planned = model.projects[project].upgrade.fails.take();
    // Unless a call has chosen one, it is the fifth failure.
    let fails = planned.or_else(|| model.next_fails("upgrade").then_some(5));
    model.upgrades.push(Upgrade { project, since: model.now, target, fails });
    // The last failure is that of the backup, after the new version has started.
    let (steps, version) = match fails.filter(|error| *error < 9) {
        Some(error) => (u64::from(error) + 1, None),
        None => (9, Some(target)),
    };
    let seconds = UPGRADE_STEP.as_secs() * steps;
    model.set_off_with(project, "UPGRADING", seconds, "ACTIVE_HEALTHY", version, None);
    Ok(json!({ "tracking_id": format!("{{upgrade {}}}", model.upgrades.len() - 1) }))
}

impl Model {
    /// When upgrades do their next step.
    pub(super) fn ends_of_steps(&self) -> impl Iterator<Item = Timestamp> {
        let running = self.upgrades.iter().filter(|upgrade| upgrade.is_running(self.now));
        running.map(|one| later(one.since, UPGRADE_STEP * (one.progress(self.now).0 + 1)))
    }

    /// Later versions of the channel, or of the channels that the organization may use.
    fn targets(&self, project: usize, channel: Option<&str>) -> Vec<usize> {
        let found = &self.projects[project];
        let allowed = &self.organizations[found.organization].channels;
        let fits = |version: &usize| match channel {
            Some(channel) => channel == VERSIONS[*version].2,
            None => allowed.iter().any(|channel| channel == VERSIONS[*version].2),
        };
        (found.version + 1..VERSIONS.len()).filter(fits).collect()
    }

    fn can_upgrade(&self, project: usize, targets: &[usize]) -> bool {
        let found = &self.projects[project];
        let plan = &found.upgrade;
        let mut mine = self.upgrades.iter().filter(|upgrade| upgrade.project == project);
        found.status == "ACTIVE_HEALTHY"
            && !mine.any(|upgrade| upgrade.is_running(self.now))
            && self.replicas_of(project).next().is_none()
            && !targets.is_empty()
            && plan.breaking.is_empty()
            && plan.dependent.is_empty()
    }
}
