//! Branches: projects of their own, for trying changes.

mod create;
mod runs;
mod work;

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::action::{GetActionRun, GetActionRunLogs, ListActionRuns, UpdateActionRun};
use sim_core::management::branch::{CreateBranch, DisableBranching, FindBranch, ListBranches};
use sim_core::management::branch_config::{
    DeleteBranch, GetBranchConfig, LinkPullRequest, PushBranch, ResetBranch, UpdateBranchConfig,
};
use sim_core::management::branch_diff::DiffBranch;
use sim_core::management::branch_merge::MergeBranch;
use sim_core::management::branch_removal::RestoreBranch;
use sim_core::management::branch_seed::{GetBranchSeed, SetBranchSeed};
use sim_core::{Operation as _, Timestamp};

use self::runs::{RunKind, rerun, some_run};
use super::projects::{ENGINES, SIZES, VERSIONS};
use super::rule::{Answer, Asked, Group, Rule, done, given, number};
use super::time::{Event, later};
use super::{Model, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) use self::create::create;
pub(super) use self::runs::Run;

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[("v1-create-a-branch", |what| what)],
    next,
    works: &["create", "branch_create", "branch_migrations", "branch_functions"],
};

const NAMES: [Text; 4] = ["dev", "main", "staging", "dev/ü"];
const STATUSES: [Text; 6] = [
    "MIGRATIONS_PASSED",
    "CREATING_PROJECT",
    "RUNNING_MIGRATIONS",
    "MIGRATIONS_FAILED",
    "FUNCTIONS_DEPLOYED",
    "FUNCTIONS_FAILED",
];
/// No branch work fails here: a failed migration has the same effect on a branch as a failed seed.
const SEEDS: [Text; 3] = ["", "select 1", "create table if not exists seeded (id int)"];
const STEP: Duration = Duration::from_secs(2);
const HOUR: Duration = Duration::from_secs(3600);

const RULES: &[Rule] = &[
    Rule::develop(CreateBranch::META, "environment:write", create)
        .call(|dice, _, what| {
            let persistent = dice.one_in(4).then(|| json!(!dice.one_in(3)));
            let engine = dice.one_in(4).then(|| json!(dice.pick(&ENGINES)));
            let channel = dice.one_in(6).then(|| json!(dice.pick(&["ga", "alpha", "preview"])));
            let size = dice.one_in(4).then(|| json!(dice.pick(&SIZES)));
            let secrets = dice.one_in(3).then(|| match dice.one_in(3) {
                true => json!({ "A": "1", "B": "2", "C": "3", "D": "4" }),
                false => json!({ "A": "1" }),
            });
            what.with(given([
                ("branch_name", Some(json!(dice.pick(&NAMES)))),
                ("persistent", persistent),
                ("is_default", dice.one_in(8).then(|| json!(!dice.one_in(4)))),
                ("postgres_engine", engine),
                ("release_channel", channel),
                ("desired_instance_size", size),
                ("with_data", dice.one_in(6).then(|| json!(true))),
                ("secrets", secrets),
            ]))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "branch_name": "" }),
                json!({ "branch_name": "x", "persistent": "yes" }),
                json!({ "branch_name": "x", "region": "moon-1" }),
                json!({ "branch_name": "x", "secrets": { "PLATFORM_A": "b" } }),
                json!({ "branch_name": "x", "secrets": { "A": 7 } }),
                json!({ "branch_name": "x", "secrets": { "": "b" } }),
                json!({ "branch_name": "x", "secrets": { "x".repeat(257): "b" } }),
            ]
        })
        .makes(&[("branch", "/id"), ("project", "/project_ref")]),
    Rule::read(ListBranches::META, "environment:read", |model, asked| {
        let mine: Vec<_> = model.branches_of(asked.project()).collect();
        if model.projects[asked.project()].is_branch || (mine.is_empty() && model.is_free(asked.project())) {
            return Err(403);
        }
        Ok(mine.into_iter().map(|number| model.shown_branch(number)).collect())
    }),
    Rule::develop(DisableBranching::META, "environment:write", |model, asked| {
        let mine: Vec<_> = model.branches_of(asked.project()).collect();
        if mine.is_empty() {
            return Err(422);
        }
        // The project itself does not prevent it: it stays.
        let mut others = mine.iter().filter(|branch| !model.branches[**branch].is_default);
        if others.any(|branch| model.is_upgrading(*branch)) {
            return Err(400);
        }
        mine.into_iter().for_each(|branch| model.drop_branch(branch));
        done()
    }),
    Rule::control(SetBranchSeed::META, |model, asked| {
        model.projects[asked.project()].settings.branch_seed = asked.text("sql").to_owned();
        done()
    })
    .call(|dice, _, what| what.with(json!({ "sql": dice.pick(&SEEDS) })))
    .bodies(|| vec![json!({}), json!({ "sql": 7 }), json!({ "sql": null })]),
    Rule::control(GetBranchSeed::META, |model, asked| {
        Ok(json!({ "sql": model.projects[asked.project()].settings.branch_seed }))
    }),
    Rule::read(GetBranchConfig::META, "environment:read", |model, asked| {
        let branch = &model.branches[model.branch(asked)?];
        let own = &model.projects[branch.project];
        let (version, engine, _) = VERSIONS[own.version];
        let trusted = model.ranked(asked.user, own.organization, "Developer").is_ok();
        Ok(json!({
            "ref": format!("{{project {}}}", branch.project),
            "status": own.status,
            "postgres_version": version,
            "postgres_engine": engine,
            "db_user": trusted.then_some("postgres"),
        }))
    }),
    Rule::develop(UpdateBranchConfig::META, "environment:write", update)
        .call(|dice, _, what| {
            let name = dice.one_in(3).then(|| json!(dice.pick(&NAMES)));
            let persistent = dice.one_in(3).then(|| json!(dice.one_in(2)));
            let status = dice.one_in(3).then(|| json!(dice.pick(&STATUSES)));
            let git = dice.one_in(3).then(|| json!("feature"));
            what.with(given([
                ("branch_name", name),
                ("persistent", persistent),
                ("status", status),
                ("git_branch", git),
            ]))
        })
        .bodies(|| {
            vec![
                json!({ "branch_name": "" }),
                json!({ "persistent": "no" }),
                json!({ "status": "DONE" }),
                json!({ "git_branch": 1 }),
            ]
        }),
    Rule::develop(PushBranch::META, "environment:write", |model, asked| rerun(model, asked, RunKind::Push))
        .call(
            |dice, _, what| {
                if dice.one_in(2) { what.with(json!({ "migration_version": "1" })) } else { what }
            },
        )
        .bodies(|| vec![json!({ "migration_version": 1 })])
        .makes(&[("run", "/workflow_run_id")]),
    Rule::develop(ResetBranch::META, "environment:write", |model, asked| rerun(model, asked, RunKind::Reset))
        .bodies(|| vec![json!({ "migration_version": [] })])
        .makes(&[("run", "/workflow_run_id")]),
    Rule::develop(DeleteBranch::META, "environment:write", |model, asked| {
        let number = model.branch(asked)?;
        let branch = &model.branches[number];
        if branch.is_default || branch.persistent {
            return Err(422);
        }
        if asked.what.asked("force") == Some("false") {
            model.agenda.cancel(|event| *event == Event::RemoveBranch { branch: number });
            model.after(HOUR, Event::RemoveBranch { branch: number });
            model.branches[number].removed_at = Some(later(model.now, HOUR));
            return Ok(json!({ "message": "ok" }));
        }
        if model.is_upgrading(number) {
            return Err(400);
        }
        model.drop_branch(number);
        Ok(json!({ "message": "ok" }))
    })
    .call(|dice, _, what| match dice.one_in(3) {
        true => what.asking("force", dice.pick(&["false", "true"])),
        false => what,
    })
    .queries(&["force=perhaps"]),
    Rule::control(LinkPullRequest::META, |model, asked| {
        let number = model.branch(asked)?;
        model.branches[number].pull_request = asked.body("pr_number").as_i64();
        Ok(model.shown_branch(number))
    })
    .call(|dice, _, what| {
        let request = Some(json!(7)).filter(|_| !dice.one_in(3));
        what.with(given([("pr_number", request)]))
    })
    .bodies(|| vec![json!({ "pr_number": "7" }), json!({ "pull": 7 })]),
    Rule::read(FindBranch::META, "environment:read", |model, asked| {
        let name = asked.what.part("name");
        let found = model.branches_of(asked.project()).find(|one| model.branches[*one].name == name);
        Ok(model.shown_branch(found.ok_or(404_u16)?))
    })
    .call(|dice, _, what| what.at("name", dice.pick(&NAMES))),
    Rule::develop(MergeBranch::META, "environment:write", |model, asked| rerun(model, asked, RunKind::Merge))
        .bodies(|| vec![json!({ "migration_version": 1 })])
        .makes(&[("run", "/workflow_run_id")]),
    Rule::develop(RestoreBranch::META, "environment:write", |model, asked| {
        let number = model.branch(asked)?;
        model.branches[number].removed_at.take().ok_or(422_u16)?;
        model.agenda.cancel(|event| *event == Event::RemoveBranch { branch: number });
        Ok(json!({ "message": "Branch restoration initiated" }))
    }),
    Rule::develop(DiffBranch::META, "environment:write", |model, asked| {
        let Branch { project, parent, .. } = model.branches[model.branch(asked)?];
        let answer = [project, parent].iter().all(|one| model.projects[*one].answers("db"));
        // The model does not know what is in the catalogs.
        answer.then(|| json!([])).ok_or(544)
    })
    .call(|dice, _, what| match dice.one_in(2) {
        true => what.asking("included_schemas", dice.pick(&["public", "public,other"])),
        false => what,
    }),
    Rule::read(ListActionRuns::META, "environment:read", |model, asked| {
        let (offset, limit) = (asked.what.asked("offset"), asked.what.asked("limit"));
        let number = |text: Option<&str>, preset| text.map_or(preset, |text| text.parse().unwrap_or(preset));
        let mine = model.runs.iter().filter(|run| model.is_run_of(run, asked.project()));
        Ok(mine.skip(number(offset, 0)).take(number(limit, 20)).map(|_| json!({})).collect())
    })
    .call(|dice, _, what| {
        let what = if dice.one_in(3) { what.asking("offset", dice.pick(&["0", "1"])) } else { what };
        if dice.one_in(3) { what.asking("limit", dice.pick(&["10", "100"])) } else { what }
    })
    .queries(&["offset=-1", "limit=9", "limit=101"]),
    Rule::read(GetActionRun::META, "environment:read", |model, asked| {
        let run = model.run(asked)?;
        Ok(json!({ "id": asked.what.part("run_id"), "check_run_id": null, "run_steps": model.runs[run].shown() }))
    })
    .call(some_run),
    Rule::read(GetActionRunLogs::META, "environment:read", |model, asked| {
        model.run(asked)?;
        Ok(json!(["RUNNING_MIGRATIONS"]))
    })
    .call(some_run),
    Rule::develop(UpdateActionRun::META, "environment:write", |model, asked| {
        let run = model.run(asked)?;
        for (name, status) in model.runs[run].steps.iter_mut() {
            *status = asked.body(name).as_str().map_or_else(|| status.clone(), str::to_owned);
        }
        Ok(json!({ "message": "ok" }))
    })
    .call(|dice, model, what| {
        let deploy = dice.one_in(2).then(|| json!("EXITED"));
        let seed = dice.one_in(2).then(|| json!(dice.pick(&["PAUSED", "DEAD"])));
        some_run(dice, model, what).with(given([("deploy", deploy), ("seed", seed)]))
    })
    .bodies(|| vec![json!({ "deploy": "DONE" }), json!({ "clone": 1 })]),
];

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let mine: Vec<_> = model.there().filter(|branch| !model.branches[*branch].is_default).collect();
    if mine.is_empty() || dice.one_in(4) {
        return Some(rule_of::<CreateBranch>().for_project(dice, model, 0));
    }
    let branch = &model.branches[dice.pick(&mine)];
    // A run in progress fails when its project is deleted.
    if ["RUNNING_MIGRATIONS", "MIGRATIONS_PASSED"].contains(&&*branch.status) && dice.one_in(3) {
        return Some(super::projects::pause(dice, model, branch.project));
    }
    if branch.removed_at.is_some() && dice.one_in(2) {
        return Some(
            What::of(rule_of::<RestoreBranch>()).at("branch_id", format!("{{project {}}}", branch.project)),
        );
    }
    let told = model.runs.iter().find(|run| run.told_as.is_some() && model.is_run_of(run, branch.parent));
    if let Some(run) = told.filter(|_| dice.one_in(4)) {
        let rule = dice.pick(&[
            rule_of::<GetActionRun>(),
            rule_of::<GetActionRunLogs>(),
            rule_of::<UpdateActionRun>(),
            rule_of::<UpdateActionRun>(),
        ]);
        let what = rule.for_project(dice, model, branch.parent);
        return Some(what.at("run_id", format!("{{run {}}}", run.told_as.unwrap_or_default())));
    }
    if dice.one_in(10) {
        let what =
            What::of(rule_of::<DeleteBranch>()).at("branch_id", format!("{{project {}}}", branch.project));
        return Some(what.asking("force", "false"));
    }
    let rule = dice.pick(&[
        rule_of::<SetBranchSeed>(),
        rule_of::<UpdateBranchConfig>(),
        rule_of::<PushBranch>(),
        rule_of::<PushBranch>(),
        rule_of::<ResetBranch>(),
        rule_of::<DeleteBranch>(),
        rule_of::<MergeBranch>(),
    ]);
    Some(rule.draw(dice, model))
}

#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) project: usize,
    pub(super) parent: usize,
    name: String,
    git_branch: Option<String>,
    pull_request: Option<i64>,
    is_default: bool,
    persistent: bool,
    with_data: bool,
    status: String,
    is_deleted: bool,
    /// When it will be deleted.
    removed_at: Option<Timestamp>,
    run: RunKind,
    /// The last migration that the run applies; `None` for all.
    up_to: Option<String>,
    /// Its number among the branches whose UUID a create has returned; the default branch has none.
    told_as: Option<usize>,
}

impl Branch {
    fn default_of(project: usize) -> Branch {
        Branch {
            project,
            parent: project,
            name: "main".to_owned(),
            git_branch: Some("main".to_owned()),
            pull_request: None,
            is_default: true,
            persistent: true,
            with_data: false,
            status: "FUNCTIONS_DEPLOYED".to_owned(),
            is_deleted: false,
            removed_at: None,
            run: RunKind::Create,
            up_to: None,
            told_as: None,
        }
    }
}

fn update(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = model.branch(asked)?;
    let Branch { project, parent, .. } = model.branches[number];
    if asked.body("persistent") == true && model.is_free(project) {
        return Err(402);
    }
    let name = asked.body("branch_name").as_str();
    let is_other = |other: &usize| *other != number && Some(model.branches[*other].name.as_str()) == name;
    if model.branches_of(parent).any(|other| is_other(&other)) {
        return Err(422);
    }
    if let Some(status) = asked.body("status").as_str() {
        model.set_branch(number, status);
    }
    let branch = &mut model.branches[number];
    branch.name = name.map_or_else(|| branch.name.clone(), str::to_owned);
    branch.persistent = asked.body("persistent").as_bool().unwrap_or(branch.persistent);
    if let Some(git) = asked.body("git_branch").as_str() {
        branch.git_branch = Some(git.to_owned());
    }
    Ok(model.shown_branch(number))
}

impl Model {
    /// Whether the project has branches in addition to itself.
    pub(super) fn has_branches(&self, project: usize) -> bool {
        self.branches_of(project).any(|branch| !self.branches[branch].is_default)
    }

    /// Whether the project is that of a persistent branch.
    pub(super) fn is_persistent_branch(&self, project: usize) -> bool {
        let is_its = |one: &&Branch| one.project == project && !one.is_default && !one.is_deleted;
        self.branches.iter().find(is_its).is_some_and(|branch| branch.persistent)
    }

    /// A branch by any form of address: its UUID, its project's reference, or an invalid one.
    pub(super) fn some_branch(&self, dice: &mut Dice) -> String {
        let mine: Vec<_> = self.there().collect();
        let told = self.branches.iter().filter(|branch| branch.told_as.is_some()).count();
        match dice.below(8) {
            0..7 if !mine.is_empty() => {
                let branch = &self.branches[dice.pick(&mine)];
                match branch.told_as {
                    Some(told) if dice.below(2) == 0 => format!("{{branch {told}}}"),
                    _ => format!("{{project {}}}", branch.project),
                }
            }
            0..7 => format!("{{branch {}}}", dice.below(told + 1)),
            _ => format!("{{project {}}}", self.some_project(dice)),
        }
    }

    /// The existing branches.
    fn there(&self) -> impl Iterator<Item = usize> {
        (0..self.branches.len()).filter(|branch| {
            let Branch { is_deleted, project, .. } = self.branches[*branch];
            !is_deleted && !self.projects[project].is_gone()
        })
    }

    fn branches_of(&self, parent: usize) -> impl Iterator<Item = usize> {
        self.there().filter(move |branch| self.branches[*branch].parent == parent)
    }

    /// The projects of all branches that a project has had.
    pub(super) fn branch_projects(&self, parent: usize) -> impl Iterator<Item = usize> {
        let branches =
            self.branches.iter().filter(move |branch| branch.parent == parent && !branch.is_default);
        branches.map(|branch| branch.project)
    }

    /// The project that this project is a branch of.
    pub(super) fn parent_of(&self, project: usize) -> Option<usize> {
        let branch = self.branches.iter().find(|branch| branch.project == project && !branch.is_default);
        branch.map(|branch| branch.parent)
    }

    /// The branch at the address in the path.
    pub(super) fn branch(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        let (address, meant) = (asked.what.part("branch_id"), asked.number("branch_id"));
        let found = self.there().find(|branch| match address.starts_with("{branch") {
            true => self.branches[*branch].told_as == Some(meant),
            false => self.branches[*branch].project == number(address),
        });
        found.ok_or(404)
    }

    fn is_upgrading(&self, branch: usize) -> bool {
        self.projects[self.branches[branch].project].status == "UPGRADING"
    }

    fn shown_branch(&self, number: usize) -> Value {
        let branch = &self.branches[number];
        let shown = json!({
            "name": branch.name,
            "project_ref": format!("{{project {}}}", branch.project),
            "parent_project_ref": format!("{{project {}}}", branch.parent),
            "git_branch": branch.git_branch,
            "pr_number": branch.pull_request,
            "is_default": branch.is_default,
            "persistent": branch.persistent,
            "with_data": branch.with_data,
            "status": branch.status,
            "deletion_scheduled_at": branch.removed_at.map(|at| at.to_string()),
        });
        match branch.told_as {
            Some(told) => super::merged(shown, json!({ "id": format!("{{branch {told}}}") })),
            None => shown,
        }
    }
}
