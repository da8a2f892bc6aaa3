//! Branches: projects of their own, for trying changes.

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

use super::projects::{ENGINES, Project, SIZES, VERSIONS, granted_size};
use super::rule::{Answer, Asked, Group, Rule, done, given, number};
use super::time::{Event, later};
use super::{Model, SECRETS, rule_of};
use crate::strategies::{Dice, Text, What};

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

/// Makes the project itself the default branch, under the given name.
fn make_default(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    if model.branches_of(project).any(|branch| model.branches[branch].is_default) {
        return Err(422);
    }
    let given = asked.body("secrets").as_object().cloned().unwrap_or_default();
    let secret =
        |(name, value): (String, Value)| (name, (value.as_str().unwrap_or_default().to_owned(), model.now));
    let mut secrets = model.projects[project].secrets.clone();
    secrets.extend(given.into_iter().map(secret));
    if secrets.len() > SECRETS {
        return Err(400);
    }
    model.projects[project].secrets = secrets;
    let told_as = Some(model.branches.iter().filter(|other| other.told_as.is_some()).count());
    let (name, git_branch) = (asked.text("branch_name").to_owned(), None);
    model.branches.push(Branch { name, git_branch, told_as, ..Branch::default_of(project) });
    Ok(model.shown_branch(model.branches.len() - 1))
}

pub(super) fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let parent = asked.project();
    if model.is_free(parent) {
        return Err(402);
    }
    if model.projects[parent].is_branch {
        return Err(422);
    }
    if !model.projects[parent].is_active() {
        return Err(400);
    }
    let is_first = model.branches_of(parent).next().is_none();
    if asked.body("is_default") == true || is_first && asked.text("branch_name") == "main" {
        return make_default(model, asked);
    }
    let with_data = asked.body("with_data") == true;
    if with_data && model.projects[parent].pitr().is_none() {
        return Err(422);
    }
    // The first create also adds the project itself as a branch.
    let name = asked.text("branch_name");
    let is_taken = model.branches_of(parent).any(|other| model.branches[other].name == name);
    if is_taken {
        return Err(422);
    }
    let version = version(&model.projects[parent], asked).ok_or(400_u16)?;
    let secrets = asked.body("secrets").as_object().cloned().unwrap_or_default();
    if secrets.len() > SECRETS {
        return Err(400);
    }
    if is_first {
        model.branches.push(Branch::default_of(parent));
    }
    let size = granted_size(false, asked.body("desired_instance_size").as_str());
    let mut own = Project::new(model.projects[parent].organization, name, version, size);
    own.is_branch = true;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    own.secrets = secrets.iter().map(|(name, value)| (name.clone(), (text(value), model.now))).collect();
    let told = model.branches.iter().filter(|other| other.told_as.is_some()).count();
    model.projects.push(own);
    let branch = Branch {
        project: model.projects.len() - 1,
        name: name.to_owned(),
        git_branch: None,
        is_default: false,
        persistent: asked.body("persistent") == true,
        with_data,
        status: "CREATING_PROJECT".to_owned(),
        told_as: Some(told),
        ..Branch::default_of(parent)
    };
    let project = branch.project;
    model.branches.push(branch);
    model.begin_run(model.branches.len() - 1, None, "health");
    let own = if model.outcomes.contains_key("branch_create") { "branch_create" } else { "create" };
    let end = match &*model.next_outcome(own) {
        "never" => None,
        "fail" => Some("INIT_FAILED"),
        _ => Some("ACTIVE_HEALTHY"),
    };
    match end {
        None => model.turn(project, "COMING_UP"),
        Some(end) => {
            model.set_off(project, "COMING_UP", STEP.as_secs(), end);
            model.after(STEP, Event::Branch { branch: model.branches.len() - 1, step: "ready" });
        }
    }
    Ok(model.shown_branch(model.branches.len() - 1))
}

/// The project's version, unless the call asks for another engine or channel.
fn version(parent: &Project, asked: &Asked<'_>) -> Option<usize> {
    let (engine, channel) = (asked.body("postgres_engine").as_str(), asked.body("release_channel").as_str());
    if engine.is_none() && channel.is_none() {
        return Some(parent.version);
    }
    let engine = engine.unwrap_or(parent.engine());
    VERSIONS.iter().position(|(_, one, of)| *one == engine && channel.is_none_or(|channel| channel == *of))
}

/// A run of a branch, and the state of its steps.
#[derive(Clone, Debug)]
pub(super) struct Run {
    branch: usize,
    /// Its number among the runs whose UUID a response has shown.
    told_as: Option<usize>,
    steps: [(Text, String); 7],
}

const STEPS: [Text; 7] = ["clone", "pull", "health", "configure", "migrate", "seed", "deploy"];

impl Run {
    fn shown(&self) -> Value {
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

fn some_run(dice: &mut Dice, model: &Model, what: What) -> What {
    let told = model.runs.iter().filter(|run| run.told_as.is_some()).count();
    what.at("run_id", format!("{{run {}}}", dice.below(told + 1)))
}

/// The purpose of the branch's run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RunKind {
    Create,
    Push,
    Reset,
    Merge,
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

fn rerun(model: &mut Model, asked: &Asked<'_>, run: RunKind) -> Answer {
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

    /// A run belongs to the branch's project and to its parent, as long as both exist.
    fn is_run_of(&self, run: &Run, project: usize) -> bool {
        let Branch { project: own, parent, .. } = self.branches[run.branch];
        let are_there = !self.projects[own].is_gone() && !self.projects[parent].is_gone();
        are_there && (own == project || parent == project)
    }

    /// The run that a call names.
    fn run(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        let (told, project) = (asked.number("run_id"), asked.project());
        let is_meant = |run: &Run| run.told_as == Some(told) && self.is_run_of(run, project);
        self.runs.iter().position(is_meant).ok_or(404)
    }

    fn begin_run(&mut self, branch: usize, told_as: Option<usize>, at: Text) {
        let mut run = Run { branch, told_as, steps: STEPS.map(|step| (step, String::new())) };
        run.stand_at(Some(at), false);
        self.runs.push(run);
    }

    /// Ends the current step of the branch's last run as DEAD.
    fn break_off_run(&mut self, branch: usize) {
        let Some(last) = self.runs.iter_mut().rfind(|run| run.branch == branch) else { return };
        for (_, status) in last.steps.iter_mut().filter(|(_, status)| status == "RUNNING") {
            *status = "DEAD".to_owned();
        }
    }

    fn reach_run(&mut self, branch: usize, status: &str) {
        let Some(last) = self.runs.iter_mut().rfind(|run| run.branch == branch) else { return };
        match status {
            "RUNNING_MIGRATIONS" => last.stand_at(Some("migrate"), false),
            "MIGRATIONS_PASSED" => last.stand_at(Some("deploy"), false),
            "MIGRATIONS_FAILED" => last.stand_at(Some("migrate"), true),
            "FUNCTIONS_FAILED" => last.stand_at(Some("deploy"), true),
            _ => last.stand_at(None, false),
        }
    }

    fn is_upgrading(&self, branch: usize) -> bool {
        self.projects[self.branches[branch].project].status == "UPGRADING"
    }

    /// Deletes the branch and removes its project, unless the branch is the project itself.
    fn drop_branch(&mut self, number: usize) {
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

    fn set_branch(&mut self, number: usize, status: &str) {
        self.agenda.cancel(|event| matches!(event, Event::Branch { branch, .. } if *branch == number));
        self.branches[number].status = status.to_owned();
        self.break_off_run(number);
    }

    fn run_migrations(&mut self, branch: usize) {
        let step = if self.next_fails("branch_migrations") { "fail" } else { "pass" };
        self.after(STEP, Event::Branch { branch, step });
    }

    /// A non-persistent branch is deleted when it expires. If its project can't be removed at that time, it
    /// is kept for another hour.
    pub(super) fn remove_branch(&mut self, branch: usize) {
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
    fn migrate(&mut self, branch: usize) {
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

    pub(super) fn step_branch(&mut self, branch: usize, step: Text) {
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
