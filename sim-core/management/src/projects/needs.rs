//! What operations need of a project: that it is set up, and that its services answer. Each operation declares it
//! (`Meta::needs`).

use sim_base::{Cx, Error, Kind, Meta, Needs};

use crate::health;
use crate::project::{Row, Status};
use crate::service_start;

/// The status with which an operation is refused while its project is in `status`; `None` if it is not for that reason.
///
/// ```
/// use sim_core::engine::Needs;
/// use sim_core::management::{needs, project::Status};
///
/// assert_eq!(needs::refused_in(Needs::DATABASE, Status::Inactive), Some(544));
/// assert_eq!(needs::refused_in(Needs::SET_UP, Status::ComingUp), Some(400));
/// assert_eq!(needs::refused_in(Needs::ACTIVE, Status::Restoring), Some(400));
/// ```
pub const fn refused_in(needs: Needs, status: Status) -> Option<u16> {
    let is_being_set_up = matches!(status, Status::Unknown | Status::ComingUp);
    if (needs.set_up && is_being_set_up) || (needs.active && !status.is_active()) {
        Some(Kind::Invalid.status())
    } else if !needs.services.is_empty() && !status.is_active() {
        Some(Kind::Unreachable.status())
    } else {
        None
    }
}

/// Refuses the call if the project lacks a state or service that the operation needs. For a removed project, the operation itself
/// refuses.
pub(crate) fn require(cx: &Cx<'_>, project: &Row, meta: &Meta) -> Result<(), Error> {
    if meta.needs == Needs::NOTHING || project.status == Status::Removed {
        return Ok(());
    }
    match refused_in(meta.needs, project.status) {
        Some(400) => project.require_active(),
        _ => meta
            .needs
            .services
            .iter()
            .try_for_each(|service| require_service(cx, project, service, meta.failure)),
    }
}

/// Refuses if the project's database does not answer, with the error that its clients see.
pub(crate) fn require_database(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    require_service(cx, project, "db", "Failed to run sql query")
}

/// Refuses a new connection of that database user if something on its way does not answer. `pooled`: it comes through the pooler.
pub(crate) fn require_entrance(cx: &Cx<'_>, project: &Row, user: &str, pooled: bool) -> Result<(), Error> {
    let lead = "Failed to connect to the database";
    require_service(cx, project, "db", lead)?;
    if pooled {
        require_service(cx, project, "pooler", lead)?;
    }
    if user == "postgres" { require_service(cx, project, "db_postgres_user", lead) } else { Ok(()) }
}

/// Refuses if the project's service does not answer: the project is not active, or the service is broken or coming up.
fn require_service(cx: &Cx<'_>, project: &Row, service: &str, lead: &str) -> Result<(), Error> {
    if !project.status.is_active() {
        return Err(unreachable(project, service, lead));
    }
    let broken = || health::broken_since(cx, &project.r#ref, service);
    let broken = if project.status == Status::ActiveUnhealthy { broken() } else { None };
    let coming_up = || service_start::coming_up_since(cx, &project.r#ref, service);
    let (status, since) = match broken {
        Some(since) => ("UNHEALTHY", since),
        None => match coming_up() {
            Some(since) => ("COMING_UP", since),
            None => return Ok(()),
        },
    };
    Err(unreachable(project, service, lead).because("service.status", status, Some(since)))
}

/// The error that one of the project's services does not answer. `lead` is the beginning of the service's message.
pub(crate) fn unreachable(project: &Row, service: &str, lead: &str) -> Error {
    let text = format!("{}: Connection terminated due to connection timeout", lead.trim_end_matches('.'));
    Error::new(Kind::Unreachable, "service_unreachable", text).because("service", service, None).because(
        "project.status",
        project.status,
        Some(project.changed_by_call),
    )
}
