//! The organizations and projects that a limited token reaches.

use sim_base::{Caller, Cx, Error, Limits, NO_PRIVILEGES};

use crate::project::Row as Project;

/// Refuses with 403 a caller whose token is limited to other organizations or projects. Without a project, the call is
/// about the organization itself, which no token that is limited to projects reaches.
pub(crate) fn require(cx: &Cx<'_>, organization: &str, project: Option<&Project>) -> Result<(), Error> {
    let Some(Limits { organizations, projects, .. }) = limits(cx) else { return Ok(()) };
    if let Some(reached) = organizations
        && !reached.iter().any(|one| one == organization)
    {
        return Err(refusal("organizations of the token", reached, "organization", organization));
    }
    let Some(reached) = projects else { return Ok(()) };
    let is_in = |one: &String| {
        project.is_some_and(|project| *one == project.r#ref || Some(one) == project.branch_of.as_ref())
    };
    if reached.iter().any(is_in) {
        return Ok(());
    }
    Err(match project {
        Some(project) => refusal("projects of the token", reached, "project", &project.r#ref),
        None => refusal("projects of the token", reached, "organization", organization),
    })
}

/// Refuses with 403 a caller whose token is limited, for what lies beyond every limit.
pub(crate) fn require_unlimited(cx: &Cx<'_>, needed: &str, value: &str) -> Result<(), Error> {
    let Some(Limits { organizations, projects, .. }) = limits(cx) else { return Ok(()) };
    match (organizations, projects) {
        (Some(reached), _) => Err(refusal("organizations of the token", reached, needed, value)),
        (None, Some(reached)) => Err(refusal("projects of the token", reached, needed, value)),
        (None, None) => Ok(()),
    }
}

/// The condition, beginning with `AND`, that a row belongs to what the caller's token reaches; nothing if the token is
/// not limited. `organization` is the column of the organization. `projects` are the columns of the project's references;
/// without them, the organizations of the projects are reached.
pub(crate) fn condition(cx: &Cx<'_>, organization: &str, projects: &[&str]) -> String {
    let Some(limits) = limits(cx) else { return String::new() };
    let mut condition = String::new();
    if let Some(reached) = &limits.organizations {
        condition = format!(" AND {organization} IN ({})", literals(reached));
    }
    if let Some(reached) = &limits.projects {
        let reached = literals(reached);
        let is_reached = match projects {
            [] => format!("{organization} IN (SELECT organization FROM project WHERE ref IN ({reached}))"),
            columns => {
                let each = columns.iter().map(|column| format!("{column} IN ({reached})"));
                each.collect::<Vec<_>>().join(" OR ")
            }
        };
        condition += &format!(" AND ({is_reached})");
    }
    condition
}

fn limits<'c>(cx: &Cx<'c>) -> Option<&'c Limits> {
    match cx.caller {
        Caller::Token(bearer) => bearer.limits.as_deref(),
        Caller::Control | Caller::Anyone => None,
    }
}

fn literals(names: &[String]) -> String {
    let quoted = names.iter().map(|name| format!("'{}'", name.replace('\'', "''")));
    quoted.collect::<Vec<_>>().join(", ")
}

fn refusal(name: &str, reached: &[String], needed: &str, value: &str) -> Error {
    Error::forbidden("token_limited", NO_PRIVILEGES).because(name, reached.join(", "), None).because(
        &format!("{needed} needed"),
        value,
        None,
    )
}
