//! Projects and their lifecycle.

mod project;

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::outcome::{DeleteNextOutcome, ListNextOutcomes, SetNextOutcome};
use sim_core::management::project::{CreateProject, DeleteProject, GetProject, ListProjects, PauseProject};
use sim_core::management::project_change::{RenameProject, UpdateDatabasePassword};
use sim_core::management::restore::{CancelRestoration, ListRestoreVersions, RestoreProject};

use self::project::GONE;
use super::rule::{Answer, Asked, Group, Rule, done};
use super::time::{Event, MINUTE};
use super::{Model, merged, rule_of, rule_with};
use crate::strategies::{Dice, Text, What};

pub(super) use self::project::Project;

pub(super) const GROUP: Group =
    Group { rules: RULES, first: &[], next, works: &["create", "pause", "restore"] };

const NAMES: [Text; 5] = ["second", "beta", "gamma", "delta", "ünï ço∂e"];
const WORKS: [Text; 11] = [
    "pause",
    "create",
    "restore",
    "upgrade",
    "branch_migrations",
    "branch_functions",
    "pitr_restore",
    "replica",
    "certificate",
    "accept",
    "branch_create",
];
pub(super) const ENGINES: [Text; 3] = ["15", "17", "17-oriole"];
/// Sizes of machines, smallest first.
pub(super) const SIZES: [Text; 7] = ["pico", "nano", "micro", "small", "medium", "large", "16xlarge"];
/// Versions of Postgres on offer: version, engine, release channel.
pub(super) const VERSIONS: [(Text, Text, Text); 4] = [
    ("15.8.1.040", "15", "ga"),
    ("15.8.1.102", "15", "ga"),
    ("17.4.1.043", "17", "ga"),
    ("17.0.1.074", "17-oriole", "alpha"),
];

const RULES: &[Rule] = &[
    Rule::control(SetNextOutcome::META, |model, asked| {
        let (work, outcome) = (asked.what.part("work"), asked.text("outcome"));
        if (work, outcome) == ("accept", "fail") {
            return Err(400);
        }
        model.outcomes.insert(work.to_owned(), outcome.to_owned());
        done()
    })
    .call(|dice, _, what| {
        let work = dice.pick(&WORKS);
        let can_stick = ["create", "pause", "restore", "accept", "branch_create"].contains(&work);
        let last = if can_stick { "never" } else { "succeed" };
        let outcome = dice.pick(&["fail", "fail", "succeed", last]);
        what.at("work", work).with(json!({ "outcome": outcome }))
    })
    .bodies(|| vec![json!({}), json!({ "outcome": "maybe" }), json!({ "outcome": false })]),
    Rule::control(ListNextOutcomes::META, |model, _| {
        let decided = |(work, outcome): (&String, &String)| json!({ "work": work, "outcome": outcome, "lasting": false, "used": 0 });
        Ok(model.outcomes.iter().map(decided).collect())
    }),
    Rule::control(DeleteNextOutcome::META, |model, asked| {
        model.outcomes.remove(asked.what.part("work")).map_or(Err(404), |_| done())
    })
    .call(|dice, _, what| what.at("work", dice.pick(&WORKS))),
    Rule::write(CreateProject::META, "projects:write", create)
        .call(|dice, model, what| {
            let organization = model.some_organization(dice);
            let name = dice.pick(&NAMES);
            let mut body = good_project(&format!("{{organization {organization}}}"), name);
            if dice.one_in(3) {
                let (kind, code) = dice.pick(&[("smartGroup", "emea"), ("specific", "ap-south-1")]);
                body["region_selection"] = json!({ "type": kind, "code": code });
            }
            if dice.one_in(3) {
                body["postgres_engine"] = dice.pick(&ENGINES).into();
            }
            if dice.one_in(2) {
                // The smallest is for branches only.
                body["desired_instance_size"] = dice.pick(&SIZES[1..]).into();
            }
            if dice.one_in(3) {
                body["organization_slug"] = body["organization_id"].take();
                body.as_object_mut().expect("it is an object").remove("organization_id");
            }
            what.with(body)
        })
        .bodies(wrong_projects)
        .makes(&[("project", "/id")]),
    Rule::open(ListProjects::META, "projects:read", |model, asked| {
        let mine = |project: &Project| model.organizations[project.organization].has(asked.user);
        let there = model.projects.iter().enumerate().filter(|(_, project)| project.is_listed());
        let reached = |number, project: &Project| model.reaches(project.organization, Some(number));
        let shown = there.filter(|(number, project)| mine(project) && reached(*number, project));
        Ok(shown.map(|(number, project)| project.shown_whole(number)).collect())
    }),
    Rule::read(GetProject::META, "projects:read", |model, asked| {
        let project = &model.projects[asked.project()];
        if project.is_branch { Err(404) } else { Ok(project.shown_whole(asked.project())) }
    }),
    Rule::write(PauseProject::META, "projects:write", |model, asked| {
        let pausable = ["UNKNOWN", "COMING_UP", "ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY", "PAUSE_FAILED"];
        if !pausable.contains(&model.projects[asked.project()].status) {
            return Err(400);
        }
        model.begin_pause(asked.project());
        done()
    }),
    Rule::write(DeleteProject::META, "projects:write", delete),
    Rule::read(ListRestoreVersions::META, "projects:read", |model, asked| {
        let versions = model.projects[asked.project()].on_offer().map(|version| VERSIONS[version]);
        let shown = versions.map(|(version, engine, channel)| {
            json!({ "version": version, "postgres_engine": engine, "release_channel": channel })
        });
        Ok(json!({ "available_versions": shown.collect::<Vec<_>>() }))
    }),
    Rule::write(RestoreProject::META, "projects:write", restore)
        .call(|dice, _, what| match dice.one_in(3) {
            true => what.with(json!({ "postgres_engine": dice.pick(&ENGINES) })),
            false => what,
        })
        .bodies(|| {
            vec![
                json!([]),
                json!({ "postgres_engine": "12" }),
                json!({ "postgres_engine": 15 }),
                json!({ "release_channel": "nightly" }),
            ]
        }),
    Rule::write(CancelRestoration::META, "projects:write", |model, asked| {
        if model.projects[asked.project()].status != "RESTORING" {
            return Err(400);
        }
        model.turn(asked.project(), "INACTIVE");
        done()
    }),
    Rule::write(RenameProject::META, "projects:write", |model, asked| {
        let (project, name) = (asked.project(), asked.text("name"));
        let Project { organization, is_branch, .. } = model.projects[project];
        let siblings = model.projects.iter().enumerate().filter(|(number, one)| {
            *number != project && one.organization == organization && one.is_listed()
        });
        if !is_branch && siblings.into_iter().any(|(_, one)| one.name == name) {
            return Err(400);
        }
        model.projects[project].name = name.to_owned();
        Ok(json!({ "ref": format!("{{project {project}}}"), "name": name }))
    })
    .call(|dice, _, what| what.with(json!({ "name": dice.pick(&NAMES) })))
    .bodies(|| {
        vec![
            json!({}),
            json!({ "name": "" }),
            json!({ "name": "with.dot" }),
            json!({ "name": "x".repeat(257) }),
        ]
    }),
    Rule::write(UpdateDatabasePassword::META, "database:write", |model, asked| {
        let found = &model.projects[asked.project()];
        if !found.is_active() {
            return Err(400);
        }
        found.answers("db").then(|| json!({})).ok_or(544)
    })
    .call(|dice, _, what| what.with(json!({ "password": dice.pick(&["hunter23", "1234"]) })))
    .bodies(|| vec![json!({}), json!({ "password": "abc" }), json!({ "password": 1234 })]),
];

/// A call that makes the next piece of `work` fail.
pub(super) fn next_fails(work: Text) -> What {
    What::of(rule_of::<SetNextOutcome>()).at("work", work).with(json!({ "outcome": "fail" }))
}

/// A call that pauses the project.
pub(super) fn pause(dice: &mut Dice, model: &Model, project: usize) -> What {
    rule_of::<PauseProject>().for_project(dice, model, project)
}

/// Calls that are valid in the current states of the projects.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let project = model.some_project(dice);
    let operation = match model.projects.get(project)?.status {
        "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" => PauseProject::META.id,
        "INACTIVE" => RestoreProject::META.id,
        "RESTORING" => CancelRestoration::META.id,
        _ => GetProject::META.id,
    };
    Some(rule_with(operation).for_project(dice, model, project))
}

fn good_project(organization: &str, name: &str) -> Value {
    json!({ "db_pass": "hunter22", "name": name, "organization_id": organization, "region": "eu-west-1" })
}

/// Valid bodies of a create, each with one defect added.
fn wrong_projects() -> Vec<Value> {
    let changed = |field: &str, value: Value| merged(good_project("acme", "wrong"), json!({ field: value }));
    let without = |field: &str| {
        let mut body = good_project("acme", "wrong");
        body.as_object_mut().expect("it is an object").remove(field);
        body
    };
    vec![
        json!([]),
        json!({}),
        without("db_pass"),
        without("name"),
        without("organization_id"),
        without("region"),
        changed("db_pass", json!("abc")),
        changed("db_pass", json!(["hunter22"])),
        changed("name", json!("")),
        changed("name", json!("x".repeat(257))),
        changed("name", json!(null)),
        changed("name", json!("with.dot")),
        changed("organization_id", json!(1)),
        changed("region", json!("moon-1")),
        changed("region", json!(["eu-west-1"])),
        changed("region_selection", json!("eu-west-1")),
        changed("region_selection", json!({ "type": "specific" })),
        changed("region_selection", json!({ "type": "nearest", "code": "emea" })),
        changed("region_selection", json!({ "type": "specific", "code": "emea" })),
        changed("region_selection", json!({ "type": "smartGroup", "code": "eu-west-1" })),
        changed("plan", json!("gold")),
        changed("kps_enabled", json!("true")),
        changed("desired_instance_size", json!("huge")),
        changed("template_url", json!("not a url")),
        changed("postgres_engine", json!("9.6")),
        changed("surprise", json!(1)),
    ]
}

/// The oldest version of an engine.
pub(super) fn first_of(engine: &str) -> usize {
    VERSIONS.iter().position(|(_, one, _)| *one == engine).expect("engines are on offer")
}

pub(super) fn rank(size: &str) -> usize {
    SIZES.iter().position(|one| *one == size).expect("sizes are on the list")
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let slug = asked.body("organization_slug").as_str().unwrap_or(asked.text("organization_id"));
    let organization = super::rule::number(slug);
    let is_free = model.organization(asked.user, organization, "Administrator")?.plan == "free";
    let mut siblings =
        model.projects.iter().filter(|one| one.organization == organization && one.is_listed());
    if siblings.any(|one| one.name == asked.text("name")) || model.is_quota_full(organization, None) {
        return Err(400);
    }
    let version = first_of(asked.body("postgres_engine").as_str().unwrap_or("15"));
    let wanted = asked.body("desired_instance_size").as_str();
    let number = model.projects.len();
    model.projects.push(Project::new(
        organization,
        asked.text("name"),
        version,
        granted_size(is_free, wanted),
    ));
    match asked.body("region_selection")["code"].as_str() {
        Some("emea") => model.projects[number].region = "eu-central-1".to_owned(),
        Some(region) => model.projects[number].region = region.to_owned(),
        None => {}
    }
    let answered = model.projects[number].shown(number);
    if model.next_outcome("accept") == "never" {
        return Ok(answered);
    }
    match &*model.next_outcome("create") {
        "never" => model.turn(number, "COMING_UP"),
        "fail" => model.set_off(number, "COMING_UP", 60, "INIT_FAILED"),
        _ => model.set_off(number, "COMING_UP", 60, "ACTIVE_HEALTHY"),
    }
    Ok(answered)
}

/// Free projects run on nano, all others on micro or larger.
pub(super) fn granted_size(is_free: bool, wanted: Option<&str>) -> &str {
    match wanted {
        _ if is_free => "nano",
        Some(wanted) if rank(wanted) > rank("micro") => wanted,
        _ => "micro",
    }
}

fn delete(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    let branches: Vec<_> =
        model.branch_projects(project).filter(|one| model.projects[*one].is_live()).collect();
    if model.is_persistent_branch(project) {
        return Err(422);
    }
    let all = || branches.iter().copied().chain([project]);
    if all().any(|one| model.projects[one].status == "UPGRADING") {
        return Err(400);
    }
    all().for_each(|one| model.remove(one));
    let name = &model.projects[project].name;
    Ok(json!({ "name": name, "ref": format!("{{project {project}}}") }))
}

fn restore(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let found = &model.projects[asked.project()];
    let engine = asked.body("postgres_engine").as_str().unwrap_or(found.engine());
    let newest = found.on_offer().rev().find(|version| VERSIONS[*version].1 == engine).ok_or(400_u16)?;
    if found.status != "INACTIVE" {
        return Err(400);
    }
    if model.is_quota_full(found.organization, Some(asked.project())) {
        return Err(403);
    }
    match &*model.next_outcome("restore") {
        "never" => model.turn(asked.project(), "RESTORING"),
        "fail" => model.set_off(asked.project(), "RESTORING", 120, "RESTORE_FAILED"),
        _ => model.set_off_with(asked.project(), "RESTORING", 120, "ACTIVE_HEALTHY", Some(newest), None),
    }
    done()
}

impl Model {
    /// The status of each listed project, in order of creation.
    pub fn statuses(&self) -> Vec<(usize, &'static str)> {
        let there = self.projects.iter().enumerate().filter(|(_, project)| project.is_listed());
        there.map(|(number, project)| (number, project.status)).collect()
    }

    /// Mostly an existing project, sometimes a removed or unknown one.
    pub(super) fn some_project(&self, dice: &mut Dice) -> usize {
        let live: Vec<_> = (0..self.projects.len()).filter(|one| self.projects[*one].is_live()).collect();
        match dice.below(16) {
            0..15 if !live.is_empty() => dice.pick(&live),
            _ => dice.below(self.projects.len() + 1),
        }
    }

    /// The project: 404 if there is none, 403 unless `user` has at least `role`, 400 once it is removed.
    pub(super) fn live_project(
        &self,
        user: Option<usize>,
        number: usize,
        role: &str,
    ) -> Result<&Project, u16> {
        let found = self.projects.get(number).filter(|project| !project.is_gone()).ok_or(404_u16)?;
        self.ranked(user, found.organization, role)?;
        self.require_reach(found.organization, Some(number))?;
        if found.status == "REMOVED" { Err(400) } else { Ok(found) }
    }

    /// Whether some administrator of a free organization already has two active free projects, without `but`.
    pub(super) fn is_quota_full(&self, organization: usize, but: Option<usize>) -> bool {
        let is_counted = |number: usize, project: &Project, user| {
            let organization = &self.organizations[project.organization];
            let rests = ["INACTIVE", "PAUSING", GONE].contains(&project.status) || project.is_branch;
            organization.plan == "free"
                && organization.is_administered_by(user)
                && !rests
                && Some(number) != but
        };
        let active = |user| {
            let all = self.projects.iter().enumerate();
            all.filter(|(number, project)| is_counted(*number, project, user)).count()
        };
        let organization = &self.organizations[organization];
        organization.plan == "free"
            && (0..self.users.len()).any(|user| organization.is_administered_by(user) && active(user) >= 2)
    }

    /// Changes the project's status to `status` now, and to `end` after `seconds`.
    pub(super) fn set_off(&mut self, project: usize, status: Text, seconds: u64, end: Text) {
        self.set_off_with(project, status, seconds, end, None, None);
    }

    /// `set_off` with another version or size at the end.
    pub(super) fn set_off_with(
        &mut self,
        project: usize,
        status: Text,
        seconds: u64,
        end: Text,
        version: Option<usize>,
        size: Option<String>,
    ) {
        self.turn(project, status);
        self.after(
            Duration::from_secs(seconds),
            Event::Turn { project, status: end, version, size, back_to: None, point: None },
        );
    }

    /// Sets the project's status; a transition in progress is dropped.
    pub(super) fn turn(&mut self, project: usize, status: Text) {
        self.agenda.cancel(|event| matches!(event, Event::Turn { project: other, .. } if *other == project));
        let found = &mut self.projects[project];
        let was_active = found.is_active();
        found.status = status;
        if status != "ACTIVE_UNHEALTHY" {
            found.broken.clear();
        }
        match (was_active, found.is_active()) {
            (false, true) => self.begin_slowly(project),
            (true, false) => found.rising.clear(),
            _ => {}
        }
    }

    /// Begins to pause the project.
    pub(super) fn begin_pause(&mut self, project: usize) {
        match &*self.next_outcome("pause") {
            "never" => self.turn(project, "PAUSING"),
            "fail" => self.set_off(project, "PAUSING", 20, "PAUSE_FAILED"),
            _ => self.set_off(project, "PAUSING", 20, "INACTIVE"),
        }
    }

    pub(super) fn remove(&mut self, project: usize) {
        self.turn(project, "REMOVED");
        self.after(MINUTE, Event::Forget { project });
    }

    pub(super) fn forget(&mut self, project: usize) {
        self.turn(project, GONE);
        self.agenda.cancel(|event| matches!(event, Event::Forget { project: other } if *other == project));
        for branch in self.branch_projects(project).collect::<Vec<_>>() {
            self.turn(branch, GONE);
        }
    }
}
