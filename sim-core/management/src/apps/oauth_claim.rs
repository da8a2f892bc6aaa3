//! `/v1/oauth/authorize/project-claim`: a user lets an app act for them, and claims a project that the app has made.

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Access, Cx, Edition, Error, Meta, New, Operation, Payload, Resource, ToSchema, get};

use crate::oauth::{CodeRequest, Redirect};
use crate::project::{self, ProjectRef};

operations![AuthorizeProjectClaim];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Ask a user to let an app act for them, and to claim a project.
///
/// The project needs a claim token, which can be used once. The project goes to the first organization, by slug, that the user
/// administers.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct AuthorizeProjectClaim {
    /// The project's reference.
    #[serde(rename = "project_ref")]
    pub project: ProjectRef,
    /// The request.
    #[serde(flatten)]
    pub request: CodeRequest,
}

impl Operation for AuthorizeProjectClaim {
    type Output = Redirect;
    const META: Meta = Meta {
        status: 303,
        beta: true,
        access: Access::Public,
        query: &[
            "project_ref",
            "client_id",
            "response_type",
            "redirect_uri",
            "state",
            "response_mode",
            "code_challenge",
            "code_challenge_method",
        ],
        since: Edition::V2026_11,
        also: &[404],
        ..get("v1-oauth-authorize-project-claim", "/v1/oauth/authorize/project-claim")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Redirect, Error> {
        let project = project::load(cx, &self.project)?;
        self.request.answer(cx, None, Some(&project))
    }

    fn payload(output: &Redirect) -> Payload {
        Payload::redirect(output.location.clone())
    }
}
