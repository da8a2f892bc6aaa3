//! Applications that act for users by OAuth, and users' decisions at the consent page. The service has web
//! pages for both, so here they are control operations under `/_sim`.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Limits, Meta, New, Operation, Resource, Secret, Timestamp, ToSchema,
    View, delete, from_micros, get, micros, post, put, view,
};

use crate::from_text::from_text;
use crate::kept;
use crate::project::{self, ProjectRef};
use crate::{oauth, text_of, user};

operations![RegisterApp, ListApps, SetConsent, RemoveAuthorization, DeleteApp];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE oauth_app (
        client_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        secret BLOB NOT NULL,
        redirect_uris TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE oauth_consent (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        user INTEGER REFERENCES user,
        granted INTEGER NOT NULL,
        limits TEXT,
        once INTEGER NOT NULL
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "oauth_app",
    "An OAuth app, without its secret.",
    "SELECT client_id, name, redirect_uris, scopes, created_at FROM oauth_app",
)];

/// A scope of an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum OAuthScope {
    #[serde(rename = "analytics:read")]
    AnalyticsRead,
    #[serde(rename = "auth:read")]
    AuthRead,
    #[serde(rename = "auth:write")]
    AuthWrite,
    #[serde(rename = "database:read")]
    DatabaseRead,
    #[serde(rename = "database:write")]
    DatabaseWrite,
    #[serde(rename = "domains:read")]
    DomainsRead,
    #[serde(rename = "domains:write")]
    DomainsWrite,
    #[serde(rename = "edge_functions:read")]
    EdgeFunctionsRead,
    #[serde(rename = "edge_functions:write")]
    EdgeFunctionsWrite,
    #[serde(rename = "environment:read")]
    EnvironmentRead,
    #[serde(rename = "environment:write")]
    EnvironmentWrite,
    #[serde(rename = "organizations:read")]
    OrganizationsRead,
    #[serde(rename = "projects:read")]
    ProjectsRead,
    #[serde(rename = "projects:write")]
    ProjectsWrite,
    #[serde(rename = "rest:read")]
    RestRead,
    #[serde(rename = "rest:write")]
    RestWrite,
    #[serde(rename = "secrets:read")]
    SecretsRead,
    #[serde(rename = "secrets:write")]
    SecretsWrite,
    #[serde(rename = "storage:read")]
    StorageRead,
}

impl OAuthScope {
    /// All scopes.
    pub const ALL: [OAuthScope; 19] = [
        OAuthScope::AnalyticsRead,
        OAuthScope::AuthRead,
        OAuthScope::AuthWrite,
        OAuthScope::DatabaseRead,
        OAuthScope::DatabaseWrite,
        OAuthScope::DomainsRead,
        OAuthScope::DomainsWrite,
        OAuthScope::EdgeFunctionsRead,
        OAuthScope::EdgeFunctionsWrite,
        OAuthScope::EnvironmentRead,
        OAuthScope::EnvironmentWrite,
        OAuthScope::OrganizationsRead,
        OAuthScope::ProjectsRead,
        OAuthScope::ProjectsWrite,
        OAuthScope::RestRead,
        OAuthScope::RestWrite,
        OAuthScope::SecretsRead,
        OAuthScope::SecretsWrite,
        OAuthScope::StorageRead,
    ];
}

/// A new app. Its secret is shown only here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RegisteredApp {
    /// UUID.
    pub client_id: String,
    /// Its secret.
    pub client_secret: Secret,
}

/// Register an app.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterApp {
    /// Its name.
    #[schemars(length(min = 1, max = 1024))]
    pub name: String,
    /// The addresses to which browsers may return.
    #[schemars(length(min = 1, max = 1000))]
    pub redirect_uris: Vec<RedirectUri>,
    /// Its scopes.
    pub scopes: Vec<OAuthScope>,
    /// Its UUID; generated from the seed by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uuid"))]
    pub client_id: Option<String>,
    /// Its secret; generated from the seed by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<Secret>,
}

/// An address to which a browser may return: without a fragment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct RedirectUri(
    #[schemars(regex(pattern = r"^[A-Za-z][A-Za-z0-9+.-]*:[!-~]+$"), extend("x-rule" = "an address"))]
    pub  String,
);

from_text!(RedirectUri);

impl RegisterApp {
    /// An app of that name and address.
    pub fn new(name: &str, redirect_uri: &str, scopes: &[OAuthScope]) -> RegisterApp {
        RegisterApp {
            name: name.to_owned(),
            redirect_uris: vec![RedirectUri(redirect_uri.to_owned())],
            scopes: scopes.to_vec(),
            client_id: None,
            client_secret: None,
        }
    }
}

impl Operation for RegisterApp {
    type Output = RegisteredApp;
    const META: Meta = Meta { access: Access::Control, ..post("sim-register-oauth-app", "/_sim/oauth/apps") };

    fn run(self, cx: &mut Cx<'_>) -> Result<RegisteredApp, Error> {
        let client_id = self.client_id.map(|id| id.to_lowercase());
        let new = NewApp { name: &self.name, redirect_uris: &self.redirect_uris, scopes: &self.scopes };
        let app = new.register(cx, client_id, self.client_secret)?;
        kept::require_room(cx)?;
        Ok(app)
    }
}

/// An app to be registered.
pub(crate) struct NewApp<'a> {
    pub(crate) name: &'a str,
    pub(crate) redirect_uris: &'a [RedirectUri],
    pub(crate) scopes: &'a [OAuthScope],
}

impl NewApp<'_> {
    /// Registers it. Draws its id and its secret unless they are given; refuses an id that is in use.
    pub(crate) fn register(
        &self,
        cx: &Cx<'_>,
        client_id: Option<String>,
        client_secret: Option<Secret>,
    ) -> Result<RegisteredApp, Error> {
        let mut draw = cx.rng.draw("oauth app");
        let client_id = client_id.unwrap_or_else(|| draw.uuid().to_string());
        let client_secret = client_secret.unwrap_or_else(|| Secret(draw.hex::<20>()));
        if load(cx, &client_id).is_ok() {
            let text = format!("client_id: an app {client_id} is registered already");
            return Err(Error::invalid("oauth_app_exists", text).because("app", client_id, None));
        }
        let uris = serde_json::to_string(self.redirect_uris).expect("addresses are plain data");
        let mut scopes: Vec<String> = self.scopes.iter().map(text_of).collect();
        scopes.sort_unstable();
        scopes.dedup();
        let secret: [u8; 32] = Sha256::digest(&client_secret.0).into();
        let sql = "INSERT INTO oauth_app VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let row = (&client_id, self.name, &secret[..], uris, scopes.join(" "), micros(cx.now));
        cx.db.run(sql, row);
        Ok(RegisteredApp { client_id, client_secret })
    }
}

/// An app, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ListedApp {
    /// UUID.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// The addresses to which browsers may return.
    pub redirect_uris: Vec<String>,
    /// Its scopes, separated by blanks.
    pub scopes: String,
    /// When it was registered.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
}

/// List all apps.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListApps {}

impl Operation for ListApps {
    type Output = Vec<ListedApp>;
    const META: Meta = Meta { access: Access::Control, ..get("sim-list-oauth-apps", "/_sim/oauth/apps") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<ListedApp>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM oauth_app ORDER BY created_at, client_id");
        Ok(cx.db.all(&sql, (), |row| {
            let App { client_id, name, redirect_uris, scopes, created_at, .. } = App::read(row)?;
            Ok(ListedApp { client_id, name, redirect_uris, scopes, created_at })
        }))
    }
}

/// Set the user of the consent page, and the user's answers, from now on.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetConsent {
    /// The user's name; the first user of the world by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Whether they agree.
    pub granted: bool,
    /// The projects to which the user limits the app, with their branches; all of the user by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub projects: Option<Vec<ProjectRef>>,
    /// Whether this is only the answer to the next authorization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<bool>,
}

impl Operation for SetConsent {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, also: &[404], ..put("sim-set-oauth-consent", "/_sim/oauth/consent") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let user = self.user.map(|name| user::named(cx, &name)).transpose()?.map(|user| user.id);
        self.projects.iter().flatten().try_for_each(|project| project::load(cx, project).map(drop))?;
        let projects = self.projects.map(|list| list.into_iter().map(|project| project.0).collect());
        let limits = Limits { projects, ..Limits::default() }.or_none();
        let sql = "INSERT INTO oauth_consent (id, user, granted, once, limits) VALUES (1, ?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET user = ?1, granted = ?2, once = ?3, limits = ?4";
        let limits = limits.as_ref().map(Limits::stored);
        cx.db.run(sql, (user, self.granted, self.once.unwrap_or(false), limits));
        Ok(Empty {})
    }
}

/// Revoke a user's grant to an app, as the user does on the service's web pages.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveAuthorization {
    /// The app.
    pub client_id: String,
    /// The user's name.
    pub user: String,
}

impl Operation for RemoveAuthorization {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..delete("sim-remove-oauth-authorization", "/_sim/oauth/apps/{client_id}/authorizations/{user}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let app = load(cx, &self.client_id)?;
        match oauth::revoke_all(cx, &app.client_id, Some(user::named(cx, &self.user)?.id)) {
            0 => Err(Error::not_found("authorization", &self.user)),
            _ => Ok(Empty {}),
        }
    }
}

/// Delete an app. All its tokens become invalid.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteApp {
    /// The app.
    pub client_id: String,
}

impl Operation for DeleteApp {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..delete("sim-delete-oauth-app", "/_sim/oauth/apps/{client_id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let app = load(cx, &self.client_id)?;
        oauth::revoke_all(cx, &app.client_id, None);
        cx.db.run("DELETE FROM oauth_app WHERE client_id = ?1", (app.client_id,));
        Ok(Empty {})
    }
}

/// An app as stored.
pub(crate) struct App {
    pub(crate) client_id: String,
    pub(crate) name: String,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) scopes: String,
    created_at: Timestamp,
    secret: Vec<u8>,
}

const COLUMNS: &str = "client_id, name, redirect_uris, scopes, created_at, secret";

impl App {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<App> {
        Ok(App {
            client_id: row.get(0)?,
            name: row.get(1)?,
            redirect_uris: serde_json::from_str(&row.get::<_, String>(2)?)
                .expect("stored addresses are a list of texts"),
            scopes: row.get(3)?,
            created_at: from_micros(row.get(4)?),
            secret: row.get(5)?,
        })
    }

    /// Refuses callers without the app's secret with 401.
    pub(crate) fn require_secret(&self, secret: &str) -> Result<(), Error> {
        if same(&Sha256::digest(secret), &self.secret) {
            return Ok(());
        }
        Err(Error::unauthorized("client_secret_wrong").because("app", &self.client_id, None))
    }
}

/// The app, or 400 with the service's message.
pub(crate) fn load(cx: &Cx<'_>, client_id: &str) -> Result<App, Error> {
    let sql = format!("SELECT {COLUMNS} FROM oauth_app WHERE client_id = ?1");
    let found = cx.db.maybe(&sql, (client_id.to_lowercase(),), App::read);
    found.ok_or_else(|| {
        Error::invalid("client_unknown", "Unrecognized client_id").because("client_id", client_id, None)
    })
}

/// The decision at the consent page.
pub(crate) struct Consent {
    pub(crate) user: i64,
    pub(crate) granted: bool,
    /// What the user limits the app to.
    pub(crate) limits: Option<Limits>,
}

impl Consent {
    /// The same decision, limited to the organization that the app asked for, unless the user has limited it to projects.
    pub(crate) fn within(mut self, organization: Option<&str>) -> Consent {
        if let (Some(slug), None) = (organization, &self.limits) {
            let organizations = Some(vec![slug.to_owned()]);
            self.limits = Some(Limits { organizations, ..Limits::default() });
        }
        self
    }
}

/// Whether the answer at the consent page is decided.
pub(crate) fn is_decided(cx: &Cx<'_>) -> bool {
    cx.db.maybe("SELECT 1 FROM oauth_consent", (), |_| Ok(())).is_some()
}

/// The current decision at the consent page, or 400 in a world without users.
pub(crate) fn consent(cx: &Cx<'_>) -> Result<Consent, Error> {
    let set = cx.db.maybe("SELECT user, granted, limits FROM oauth_consent", (), |row| {
        let limits = row.get::<_, Option<String>>(2)?.map(|text| Limits::read(&text));
        Ok((row.get(0)?, row.get(1)?, limits))
    });
    let (user, granted, limits): (Option<i64>, bool, _) =
        set.unwrap_or((None, cx.policy.oauth_consent, None));
    let first = || cx.db.maybe("SELECT id FROM user ORDER BY id LIMIT 1", (), |row| row.get(0));
    let user = user
        .or_else(first)
        .ok_or_else(|| Error::invalid("no_user", "There is no user who could let the app act for them."))?;
    cx.db.run("DELETE FROM oauth_consent WHERE once", ());
    Ok(Consent { user, granted, limits })
}

/// Compares in a time that depends only on the length.
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |diff, (x, y)| diff | (x ^ y)) == 0
}
