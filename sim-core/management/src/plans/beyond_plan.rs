//! What a project has and a plan lacks. It stands in the way of moves, and is kept or ended when an organization's plan gets
//! lower.

use serde::Serialize;
use sim_base::{Cx, Error, FromJson, ToSchema};

use crate::addon::{self, Addon};
use crate::catalog::InstanceSize;
use crate::organization::Plan;
use crate::project::{ProjectRef, Row as Project};
use crate::v2::private_link;
use crate::{branch, project_row, replica, text_of};

/// Something that a project has and its organization's plan lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BeyondPlan {
    /// Add-ons.
    Addons,
    /// A machine larger than `micro`.
    InstanceSize,
    /// Read replicas.
    ReadReplicas,
    /// Branches.
    Branches,
    /// Private links.
    PrivateLinks,
}

/// What a project keeps although its organization's plan lacks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Kept {
    /// The project's reference.
    pub project: ProjectRef,
    /// What it keeps.
    pub keeps: Vec<BeyondPlan>,
}

impl BeyondPlan {
    /// The refusal of a move.
    pub(crate) fn obstacle(self, plan: Plan) -> Error {
        let error = match self {
            BeyondPlan::Addons => {
                let text = "Add-ons must be removed before the project can be moved: the plan lacks them.";
                Error::invalid("addons_present", text)
            }
            BeyondPlan::InstanceSize => {
                let text =
                    "The instance must be micro before the project can be moved: the plan lacks larger ones.";
                Error::invalid("instance_too_large", text)
            }
            BeyondPlan::ReadReplicas => {
                let text =
                    "Read replicas must be removed before the project can be moved: the plan lacks them.";
                Error::invalid("replicas_present", text)
            }
            BeyondPlan::Branches => {
                let text = "Branches must be deleted before the project can be moved: the plan lacks them.";
                Error::invalid("branches_present", text)
            }
            BeyondPlan::PrivateLinks => {
                let text =
                    "Private links must be deleted before the project can be moved: the plan lacks them.";
                Error::invalid("links_present", text)
            }
        };
        error.because("plan", plan.as_str(), None)
    }
}

/// What the project has and the plan lacks. A machine of the size `micro` is not beyond it, as paid plans have no smaller one: it
/// becomes `nano`.
pub(crate) fn of(cx: &Cx<'_>, project: &Project, plan: Plan) -> Vec<BeyondPlan> {
    let (is_free, own) = (plan == Plan::Free, &*project.r#ref);
    let all = [
        (BeyondPlan::Addons, is_free && addon::any(cx, own)),
        (BeyondPlan::InstanceSize, is_free && project.size > InstanceSize::Micro),
        (BeyondPlan::ReadReplicas, is_free && replica::any(cx, own)),
        (BeyondPlan::Branches, is_free && branch::any(cx, own)),
        (BeyondPlan::PrivateLinks, plan < private_link::LEAST_PLAN && private_link::any(cx, own)),
    ];
    all.into_iter().filter(|(_, there)| *there).map(|(one, _)| one).collect()
}

/// What each project of the organization has and the plan lacks; projects without such are left out.
pub(crate) fn of_organization(cx: &Cx<'_>, slug: &str, plan: Plan) -> Vec<Kept> {
    if plan >= private_link::LEAST_PLAN {
        return Vec::new();
    }
    let kept = |project: Project| Kept { keeps: of(cx, &project, plan), project: project.r#ref.into() };
    let projects = project_row::of_organization(cx, slug).into_iter();
    projects.map(kept).filter(|kept| !kept.keeps.is_empty()).collect()
}

/// Ends what the organization's projects have and the plan lacks. On the free plan they then run on `nano`.
pub(crate) fn end(cx: &mut Cx<'_>, slug: &str, plan: Plan) -> Result<(), Error> {
    for project in project_row::of_organization(cx, slug) {
        for one in of(cx, &project, plan) {
            match one {
                BeyondPlan::Addons => {
                    let own = |addon: &Addon| addon::has(cx, &project.r#ref, *addon);
                    let addons: Vec<Addon> = Addon::ALL.into_iter().filter(own).collect();
                    addons.into_iter().for_each(|addon| addon::set(cx, &project.r#ref, addon, false));
                }
                BeyondPlan::InstanceSize => {}
                BeyondPlan::ReadReplicas => replica::end_all(cx, &project.r#ref),
                BeyondPlan::Branches => branch::end_all(cx, &project.r#ref)?,
                BeyondPlan::PrivateLinks => private_link::end_all(cx, &project.r#ref),
            }
        }
        if plan == Plan::Free {
            let nano = text_of(&InstanceSize::Nano);
            cx.db.run("UPDATE project SET instance_size = ?2 WHERE id = ?1", (project.id, nano));
        }
    }
    Ok(())
}
