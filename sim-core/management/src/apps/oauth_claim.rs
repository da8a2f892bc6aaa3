//! `/v1/oauth/authorize/project-claim`: a user lets an app act for them, and claims a project that the app has made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Access, Cx, Edition, Error, Meta, Operation, Payload, Resource, get};

use crate::oauth::{Authorize, ChallengeMethod, Redirect, ResponseType};
use crate::project::{self, ProjectRef};

operations![AuthorizeProjectClaim];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Ask a user to let an app act for them, and to claim a project.
///
/// The project needs a claim token, which can be used once. The project goes to the first organization, by slug, that the user
/// administers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AuthorizeProjectClaim {
    /// The project's reference.
    #[serde(rename = "project_ref")]
    pub project: ProjectRef,
    /// The app.
    #[schemars(extend("format" = "uuid"))]
    pub client_id: String,
    /// The requested result; only a code is supported.
    pub response_type: ResponseType,
    /// The address to which the browser returns: one that the app registered.
    pub redirect_uri: String,
    /// Returned unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Has no effect: the answer is in the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_mode: Option<String>,
    /// The challenge, whose verifier the app must send later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub code_challenge: Option<String>,
    /// The method of the challenge; plain by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<ChallengeMethod>,
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
        let request = Authorize {
            state: self.state,
            response_mode: self.response_mode,
            code_challenge: self.code_challenge,
            code_challenge_method: self.code_challenge_method,
            response_type: self.response_type,
            ..Authorize::code(&self.client_id, &self.redirect_uri)
        };
        request.answer(cx, Some(&project))
    }

    fn payload(output: &Redirect) -> Payload {
        Payload::redirect(output.location.clone())
    }
}
