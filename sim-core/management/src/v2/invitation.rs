//! `/v2/organizations/{slug}/members/invitations`: inviting people to become members. A person who has an account accepts or
//! declines when a control operation says so.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Body, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Resource, Role, ToSchema, View,
    delete, micros, post, put, view,
};

use super::document::{Given, Many, kind};
use super::member::{self, EMAIL, MemberRole, ScopedProject, require_scope_fits, store_scope};
use super::webhooks::event::{self, EventType};
use crate::{named, text_of};

operations![CreateInvitations, DeleteInvitations, AcceptInvitation];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE invitation (
        organization TEXT NOT NULL,
        email TEXT NOT NULL,
        role TEXT NOT NULL,
        projects TEXT,
        require_sso INTEGER NOT NULL,
        invited_at INTEGER NOT NULL,
        PRIMARY KEY (organization, email)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "invitation",
    "An invitation to become a member.",
    "SELECT organization, email, role, projects, require_sso, invited_at FROM invitation",
)];

kind! {
    /// An invitation.
    InvitationKind = "organization_invitation";
}

/// The person to invite, and their roles as a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NewInvitation {
    /// The address.
    #[schemars(regex(pattern = EMAIL), extend("x-rule" = "an email address"))]
    pub email: String,
    /// The role.
    pub role: MemberRole,
    /// The projects to which it applies; all of the organization by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub projects: Option<Vec<ScopedProject>>,
    /// Whether they must sign in through the organization's identity provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require_sso: Option<bool>,
}

/// The recipient of an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Invited {
    /// The address.
    #[schemars(regex(pattern = EMAIL), extend("x-rule" = "an email address"))]
    pub email: String,
}

/// The invitations that were sent, and the reasons why others were not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Invitations {
    /// The invitations that were sent.
    pub data: Vec<Given<InvitationKind, Invited>>,
    /// The reasons why others were not sent; absent if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<InvitationsError>,
}

/// The reasons why some invitations were not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct InvitationsError {
    /// A stable code.
    pub code: String,
    /// The message.
    pub message: String,
    /// One issue for each invitation.
    pub issues: Vec<InvitationIssue>,
}

/// The reason why an invitation was not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct InvitationIssue {
    /// A stable code.
    pub code: String,
    /// The message.
    pub message: String,
    /// The name.
    pub meta: Invited,
}

/// Invite people to become members of an organization. Existing members and people who are already invited are listed as issues.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateInvitations {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// The people to invite.
    #[schemars(length(min = 1, max = 50))]
    pub data: Vec<Given<InvitationKind, NewInvitation>>,
}

impl Operation for CreateInvitations {
    type Output = Invitations;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to create the invitations",
        ..post("v2-create-organization-invitations", "/v2/organizations/{slug}/members/invitations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Invitations, Error> {
        if self.data.iter().any(|one| one.attributes.role == MemberRole::Owner) {
            // As with giving a member that role.
            cx.require_role(&self.slug, Role::Owner)?;
        }
        let (mut data, mut issues) = (Vec::new(), Vec::new());
        for Given { attributes, .. } in self.data {
            let meta = Invited { email: attributes.email.clone() };
            match invite(cx, &self.slug, attributes) {
                Ok(()) => data.push(Given::new(meta)),
                Err(error) => {
                    let code = error.reason.into_owned();
                    issues.push(InvitationIssue { code, message: error.message, meta });
                }
            }
        }
        let error = (!issues.is_empty()).then(|| InvitationsError {
            code: "organization_invitations_partially_failed".to_owned(),
            message: "Some invitations were not sent; see the issues.".to_owned(),
            issues,
        });
        Ok(Invitations { data, error })
    }
}

fn invite(cx: &Cx<'_>, slug: &str, new: NewInvitation) -> Result<(), Error> {
    let scope = require_scope_fits(cx, slug, new.role, new.projects.as_deref())?;
    let sql = "SELECT EXISTS (SELECT 1 FROM member m JOIN user u ON u.id = m.user
               WHERE m.organization = ?1 AND lower(u.email) = lower(?2))";
    if cx.db.one(sql, (slug, &new.email), |row| row.get(0)) {
        return Err(Error::invalid("member_exists", "This user is a member already.")
            .because("member", new.email, None));
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM invitation WHERE organization = ?1 AND lower(email) = lower(?2))";
    if cx.db.one(sql, (slug, &new.email), |row| row.get(0)) {
        return Err(Error::invalid("invitation_exists", "This address was invited already.").because(
            "invitation",
            new.email,
            None,
        ));
    }
    let projects = scope.map(|scope| serde_json::to_string(&scope).expect("references are plain data"));
    let sql = "INSERT INTO invitation VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let require_sso = new.require_sso.unwrap_or(false);
    cx.db.run(sql, (slug, &new.email, text_of(&new.role), projects, require_sso, micros(cx.now)));
    event::happened(cx, EventType::InvitationCreated, slug, None);
    Ok(())
}

/// Withdraw invitations. Unknown invitations are ignored.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteInvitations {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// The invitations.
    #[schemars(length(min = 1, max = 100))]
    pub data: Vec<Given<InvitationKind, Invited>>,
}

impl Operation for DeleteInvitations {
    type Output = Many<Given<InvitationKind, Invited>>;
    const META: Meta = Meta {
        body: Body::Fields,
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to delete the invitations",
        ..delete("v2-delete-organization-invitations", "/v2/organizations/{slug}/members/invitations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Many<Given<InvitationKind, Invited>>, Error> {
        let addresses: Vec<&str> = self.data.iter().map(|one| &*one.attributes.email).collect();
        if invites_owner(cx, &self.slug, &addresses) {
            cx.require_role(&self.slug, Role::Owner)?;
        }
        let mut data = Vec::new();
        for (place, one) in self.data.into_iter().enumerate() {
            let sql = "DELETE FROM invitation WHERE organization = ?1 AND lower(email) = lower(?2)";
            if cx.db.run(sql, (&self.slug, &one.attributes.email)) > 0 {
                data.push(one);
            } else {
                cx.without_effect(|| format!("body.data.{place}.attributes.email"))?;
            }
        }
        for _ in &data {
            event::happened(cx, EventType::InvitationCanceled, &self.slug, None);
        }
        Ok(Many { data })
    }
}

/// Whether one of the addresses was invited as an owner.
fn invites_owner(cx: &Cx<'_>, slug: &str, addresses: &[&str]) -> bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM invitation
                              WHERE organization = ?1 AND lower(email) = lower(?2) AND role = ?3)";
    let owner = text_of(&MemberRole::Owner);
    addresses.iter().any(|address| cx.db.one(sql, (slug, address, &owner), |row| row.get(0)))
}

/// Accept an invitation for a user, as with the link in its email.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct AcceptInvitation {
    /// The organization's slug.
    pub slug: String,
    /// The user's name; the invitation is for the user's address.
    pub user: String,
}

impl Operation for AcceptInvitation {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-accept-invitation", "/_sim/organizations/{slug}/invitations/{user}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let user = crate::user::named(cx, &self.user)?;
        let sql = "DELETE FROM invitation WHERE organization = ?1 AND lower(email) = lower(?2)
                   RETURNING role, projects";
        let found = cx.db.maybe(sql, (&self.slug, &user.email), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
        });
        let (role, projects) = found.ok_or_else(|| Error::not_found("invitation", &user.email))?;
        member::give_role(cx, &self.slug, user.id, named::<MemberRole>(&role).rank());
        let projects = projects.map(|text| -> Vec<String> {
            serde_json::from_str(&text).expect("a stored scope was written as a list")
        });
        store_scope(cx, &self.slug, user.id, projects.as_deref());
        Ok(Empty {})
    }
}
