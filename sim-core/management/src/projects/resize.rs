//! The size of a project's machine, as control operations under `/_sim`. Owners use `billing`.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, ToSchema, get, put};

use crate::catalog::InstanceSize;
use crate::organization;
use crate::outcome::{self, Work};
use crate::project::{self, Event, ProjectRef, Row, Step};
use crate::text_of;

operations![ResizeProject, GetInstanceSize];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The size of a project's machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Instance {
    /// The size.
    pub instance_size: InstanceSize,
}

/// Move a project to a machine of another size. The project is RESIZING for a while.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct ResizeProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The new size.
    pub instance_size: InstanceSize,
}

impl Operation for ResizeProject {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        also: &[402],
        ..put("sim-resize-project", "/_sim/projects/{ref}/instance-size")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        begin(cx, &project, self.instance_size)?;
        Ok(Empty {})
    }
}

/// Starts to resize the project's machine, or refuses.
pub(crate) fn begin(cx: &Cx<'_>, project: &Row, instance_size: InstanceSize) -> Result<(), Error> {
    if instance_size > InstanceSize::Nano {
        organization::require_paid(cx, &project.organization, "An instance larger than nano")?;
    }
    if project.size == instance_size {
        let text = format!("This project's instance is {} already.", text_of(&project.size));
        return Err(Error::invalid("same_size", text));
    }
    let status = project.status;
    project.apply(cx, Event::Resize).map_err(|refused| {
        refused("project_not_active", format!("This project is not in an active state, it is {status}"))
    })?;
    let step = Step::to(project, Event::FinishResize).with_size(instance_size);
    outcome::of(cx, Work::Resize, &project.r#ref, cx.policy.durations.resize_ms).schedule(cx, &step);
    Ok(())
}

/// Get the size of a project's machine.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetInstanceSize {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetInstanceSize {
    type Output = Instance;
    const META: Meta = Meta {
        access: Access::Control,
        ..get("sim-get-instance-size", "/_sim/projects/{ref}/instance-size")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Instance, Error> {
        Ok(Instance { instance_size: project::load(cx, &self.r#ref)?.size })
    }
}
