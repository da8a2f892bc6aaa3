//! Creating a branch and its project.

use sim_base::{Cx, Error, Kind, micros};

use super::{Branch, CreateBranch, default_of, find, region_named, require_free_name};
use crate::backup;
use crate::branch_workflow::{self as workflow, BranchStatus};
use crate::catalog::InstanceSize;
use crate::organization;
use crate::project::{self, NewProject, Row as Project};
use crate::project_step;
use crate::v2::webhooks::event::{self, EventType};
use crate::{secret, text_of};

impl CreateBranch {
    /// Creates the branch. The request has the fields at `place`.
    pub(crate) fn create(self, cx: &mut Cx<'_>, place: &str) -> Result<Branch, Error> {
        let parent = project::load(cx, &self.r#ref)?;
        organization::require_paid(cx, &parent.organization, "Branching")?;
        if parent.branch_of.is_some() {
            let text = "A branch can't have branches of its own.";
            return Err(Error::new(Kind::Unprocessable, "project_is_branch", text));
        }
        parent.require_active()?;
        if self.is_default == Some(true) || self.asks_for_the_default(cx, &parent) {
            return self.make_default(cx, &parent, place);
        }
        let with_data = self.with_data == Some(true);
        if with_data && backup::pitr_days(cx, &parent.r#ref).is_none() {
            let text = "A branch with data needs the add-on for point-in-time recovery.";
            return Err(
                Error::new(Kind::Unprocessable, "addon_missing", text).because("add-on", "pitr", None)
            );
        }
        if default_of(cx, &parent.r#ref).is_none() {
            New::default_of(cx, &parent).insert(cx);
        }
        require_free_name(cx, &parent.r#ref, &self.branch_name, None)?;
        let own = self.insert_project(cx, &parent, place)?;
        if let Some(secrets) = &self.secrets {
            secret::set(cx, &own, secrets)?;
        }
        let branch = New {
            project: &own.r#ref,
            parent: &parent.r#ref,
            name: &self.branch_name,
            git_branch: self.git_branch.as_deref(),
            is_default: false,
            persistent: self.persistent.unwrap_or(false),
            with_data,
            notify_url: self.notify_url.as_deref(),
            status: BranchStatus::CreatingProject,
        };
        let branch = branch.insert(cx);
        workflow::begin(cx, &branch, &own);
        Ok(branch)
    }

    /// Whether the branch has the name that the default branch of the project would get with it.
    fn asks_for_the_default(&self, cx: &Cx<'_>, parent: &Project) -> bool {
        default_of(cx, &parent.r#ref).is_none() && self.branch_name == New::default_of(cx, parent).name
    }

    /// Enables branching: the project itself becomes the branch, so no project is created.
    fn make_default(&self, cx: &Cx<'_>, project: &Project, place: &str) -> Result<Branch, Error> {
        if let Some(taken_by) = default_of(cx, &project.r#ref) {
            let text = format!("This project has a default branch already, {taken_by}.");
            return Err(Error::new(Kind::Unprocessable, "default_branch_exists", text)
                .because("branch", taken_by, None));
        }
        let of_its_own = [
            ("region", self.region.is_some()),
            ("desired_instance_size", self.desired_instance_size.is_some()),
            ("release_channel", self.release_channel.is_some()),
            ("postgres_engine", self.postgres_engine.is_some()),
            ("with_data", self.with_data == Some(true)),
            ("persistent", self.persistent == Some(false)),
        ];
        for (field, _) in of_its_own.iter().filter(|(_, is_given)| *is_given) {
            cx.without_effect(|| format!("{place}.{field}"))?;
        }
        if let Some(secrets) = &self.secrets {
            secret::set(cx, project, secrets)?;
        }
        let default = New {
            name: &self.branch_name,
            git_branch: self.git_branch.as_deref(),
            notify_url: self.notify_url.as_deref(),
            ..New::default_of(cx, project)
        };
        Ok(default.insert(cx))
    }

    fn insert_project(&self, cx: &Cx<'_>, parent: &Project, place: &str) -> Result<Project, Error> {
        let wanted = self.desired_instance_size;
        let plan = organization::load(cx, &parent.organization)?.plan;
        let db_pass = cx.rng.draw("branch password").hex::<16>();
        let new = NewProject {
            organization: &parent.organization,
            name: &self.branch_name,
            region: self.region.as_deref().and_then(region_named).unwrap_or(parent.region),
            version: &self.version(cx, parent)?,
            size: InstanceSize::granted(cx, plan, wanted, || format!("{place}.desired_instance_size"))?,
            db_pass: &db_pass,
            status: project_step::ACCEPTED,
            branch_of: Some(&parent.r#ref),
        };
        Ok(new.insert(cx))
    }

    fn version(&self, cx: &Cx<'_>, parent: &Project) -> Result<sim_base::PostgresVersion, Error> {
        if (self.postgres_engine, self.release_channel) == (None, None) {
            let [version, engine, release_channel] =
                [&parent.version, &parent.engine, &parent.release_channel].map(Clone::clone);
            return Ok(sim_base::PostgresVersion { version, engine, release_channel });
        }
        let engine = self.postgres_engine.map_or(parent.engine.as_str(), |engine| engine.as_str());
        project::version(cx, Some(engine), self.release_channel).cloned()
    }
}

/// A branch about to be stored.
struct New<'a> {
    project: &'a str,
    parent: &'a str,
    name: &'a str,
    git_branch: Option<&'a str>,
    is_default: bool,
    persistent: bool,
    with_data: bool,
    notify_url: Option<&'a str>,
    status: BranchStatus,
}

impl<'a> New<'a> {
    /// The default branch, which is the project itself.
    fn default_of(cx: &'a Cx<'_>, project: &'a Project) -> New<'a> {
        let name = cx.profile.default_branch.as_str();
        New {
            project: &project.r#ref,
            parent: &project.r#ref,
            name,
            git_branch: Some(name),
            is_default: true,
            persistent: true,
            with_data: false,
            notify_url: None,
            status: BranchStatus::FunctionsDeployed,
        }
    }

    fn insert(self, cx: &Cx<'_>) -> Branch {
        let id = cx.rng.uuid("branch").to_string();
        cx.db.run(
            "INSERT INTO branch (id, project, parent, name, git_branch, is_default, persistent, with_data,
                                 status, created_at, updated_at, notify_url)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11)",
            rusqlite::params![
                id,
                self.project,
                self.parent,
                self.name,
                self.git_branch,
                self.is_default,
                self.persistent,
                self.with_data,
                text_of(&self.status),
                micros(cx.now),
                self.notify_url,
            ],
        );
        event::happened_in(cx, EventType::BranchCreated, self.parent);
        find(cx, &id).expect("the branch was just stored")
    }
}
