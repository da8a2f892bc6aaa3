//! Creating a branch.

use serde_json::Value;

use super::{Branch, STEP};
use crate::model::projects::{Project, VERSIONS, granted_size};
use crate::model::rule::{Answer, Asked};
use crate::model::time::Event;
use crate::model::{Model, SECRETS};

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

pub(in crate::model) fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
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
pub(super) fn version(parent: &Project, asked: &Asked<'_>) -> Option<usize> {
    let (engine, channel) = (asked.body("postgres_engine").as_str(), asked.body("release_channel").as_str());
    if engine.is_none() && channel.is_none() {
        return Some(parent.version);
    }
    let engine = engine.unwrap_or(parent.engine());
    VERSIONS.iter().position(|(_, one, of)| *one == engine && channel.is_none_or(|channel| channel == *of))
}
