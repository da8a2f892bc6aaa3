//! `/v1/oauth/authorize/project-claim`: a user lets an app act for them and takes over the project that the app made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Access, Cx, Edition, Error, Meta, Operation, Payload, Resource, get};

use crate::oauth::{Authorize, ChallengeMethod, Redirect, ResponseType};
use crate::project::{self, ProjectRef};

operations![AuthorizeProjectClaim];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Ask a user to let an app act for them, and to take a project over.
///
/// The project needs a claim token, which is used up. It goes to the first organization, by slug, that the user
/// administers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AuthorizeProjectClaim {
    /// The project's reference.
    #[serde(rename = "project_ref")]
    pub project: ProjectRef,
    /// The app.
    #[schemars(extend("format" = "uuid"))]
    pub client_id: String,
    /// What it wants back; only a code can be had.
    pub response_type: ResponseType,
    /// Where the browser goes back to: one of those that the app registered.
    pub redirect_uri: String,
    /// Comes back as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Makes no difference: the answer is in the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_mode: Option<String>,
    /// What the app will have to know the verifier of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub code_challenge: Option<String>,
    /// How the challenge was made; plain unless given.
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
