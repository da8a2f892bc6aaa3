//! `/api/account`: the user of the token, and the users' data that only the analytics server has.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Bearer, Caller, Cx, Edition, Error, FromJson, Meta, New, NewToken, Operation, Resource, Secret, ToSchema,
    UserSpec, create_user, hex, register_token,
};

use crate::manner::{read, unauthorized};

operations![GetAccount];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE account (
        user INTEGER PRIMARY KEY REFERENCES user,
        token TEXT NOT NULL UNIQUE,
        api_key TEXT NOT NULL UNIQUE -- secret
    ) STRICT;
";

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "AnalyticsUser")]
pub struct User {
    /// Name.
    pub name: String,
    /// Email address.
    pub email: String,
    /// UUID.
    pub token: String,
    /// The older kind of token, for ingestion and queries.
    pub api_key: Secret,
    /// Quota of events per second over all sources, measured over 60 s.
    pub api_quota: i64,
    /// The identity provider of the user.
    pub provider: String,
    /// Another email address for mail.
    #[schemars(extend("x-nullable" = true))]
    pub email_preferred: Option<String>,
    /// Whether the user receives mail about the product.
    pub email_me_product: bool,
    /// Company.
    #[schemars(extend("x-nullable" = true))]
    pub company: Option<String>,
    /// Picture.
    #[schemars(extend("x-nullable" = true))]
    pub image: Option<String>,
    /// Telephone number.
    #[schemars(extend("x-nullable" = true))]
    pub phone: Option<String>,
    /// The warehouse project that stores the user's events.
    pub warehouse_project_id: String,
    /// The dataset in it.
    pub warehouse_dataset_id: String,
    /// The location of the dataset.
    pub warehouse_dataset_location: String,
}

/// Get the user of the token.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetAccount {}

impl Operation for GetAccount {
    type Output = User;
    const META: Meta = Meta { since: Edition::V2026_11, ..read("analytics-get-account", "/api/account") };

    fn run(self, cx: &mut Cx<'_>) -> Result<User, Error> {
        Ok(load(cx, caller(cx)?))
    }
}

/// The user who calls. The control API acts as the first user.
pub(crate) fn caller(cx: &Cx<'_>) -> Result<i64, Error> {
    match cx.caller {
        Caller::Token(bearer) => Ok(bearer.user),
        Caller::Control => {
            let first = cx.db.maybe("SELECT min(user) FROM account", (), |row| row.get(0));
            first.flatten().ok_or_else(|| unauthorized("token_missing"))
        }
        Caller::Anyone => Err(unauthorized("token_missing")),
    }
}

/// Whether the call's token is valid for that source.
pub(crate) fn may_ingest(cx: &Cx<'_>, source: i64) -> bool {
    let Caller::Token(Bearer { scopes: Some(scopes), .. }) = cx.caller else { return true };
    scopes.split(' ').any(|scope| match scope.split(':').collect::<Vec<_>>()[..] {
        ["ingest", _, id] => id.parse() == Ok(source),
        [scope] => ["private", "public", "ingest", "api_key", ""].contains(&scope),
        _ => false,
    })
}

/// Whether the caller may run that endpoint of that user.
pub(crate) fn may_query(cx: &Cx<'_>, user: i64, endpoint: i64) -> bool {
    let bearer = match cx.caller {
        Caller::Control => return true,
        Caller::Anyone => return false,
        Caller::Token(bearer) => bearer,
    };
    let Some(scopes) = &bearer.scopes else { return bearer.user == user };
    let covers = |scope: &str| match scope.split(':').collect::<Vec<_>>()[..] {
        ["query", _, id] => id.parse() == Ok(endpoint),
        ["public" | ""] => cx.policy.analytics.public_tokens_query,
        [scope] => ["private", "query", "api_key"].contains(&scope),
        _ => false,
    };
    bearer.user == user && scopes.split(' ').any(covers)
}

/// The user with that number.
pub(crate) fn load(cx: &Cx<'_>, user: i64) -> User {
    let sql = "SELECT u.name, u.email, a.token, a.api_key FROM account a JOIN user u ON u.id = a.user
               WHERE a.user = ?1";
    let location = cx.policy.analytics.warehouse.as_ref().map_or("US", |warehouse| &warehouse.location);
    cx.db.one(sql, (user,), |row| {
        Ok(User {
            name: row.get(0)?,
            email: row.get(1)?,
            token: row.get(2)?,
            api_key: Secret(row.get(3)?),
            api_quota: cx.policy.analytics.user_quota,
            provider: "email".to_owned(),
            email_preferred: None,
            email_me_product: false,
            company: None,
            image: None,
            phone: None,
            warehouse_project_id: warehouse_project(cx).to_owned(),
            warehouse_dataset_id: dataset(cx, user),
            warehouse_dataset_location: location.to_owned(),
        })
    })
}

/// The project of the datasets: the active warehouse's, or the one in the profile.
pub(crate) fn warehouse_project<'a>(cx: &Cx<'a>) -> &'a str {
    let active = cx.policy.analytics.warehouse.as_ref();
    active.map_or(&cx.profile.warehouse_project, |warehouse| &warehouse.project_id)
}

/// The name of the user's dataset.
pub(crate) fn dataset(cx: &Cx<'_>, user: i64) -> String {
    format!("{user}{}", cx.profile.dataset_suffix)
}

/// The user's address.
pub(crate) fn email(cx: &Cx<'_>, user: i64) -> String {
    cx.db.one("SELECT email FROM user WHERE id = ?1", (user,), |row| row.get(0))
}

/// Stores a user of a new world, whose tokens may do everything, and an API key for the user.
pub(crate) fn seed(cx: &Cx<'_>, spec: &UserSpec) -> Result<(), Error> {
    let user = create_user(cx, spec)?;
    give_key(cx, user, None).map(drop)
}

/// Gives a user an API key, generated by default; returns its number among the tokens.
pub(crate) fn give_key(cx: &Cx<'_>, user: i64, api_key: Option<&str>) -> Result<i64, Error> {
    let drawn = || hex(&cx.rng.draw("api_key").bytes::<16>());
    let key = api_key.map_or_else(drawn, str::to_owned);
    let scopes = Some(("api_key".to_owned(), "api_key".to_owned()));
    let new = NewToken { name: "api_key".to_owned(), grant: scopes, limits: None, lasts: None };
    let number = register_token(cx, user, &new, &key)?;
    let token = cx.rng.uuid("account").to_string();
    cx.db.run("INSERT INTO account VALUES (?1, ?2, ?3)", (user, token, key));
    Ok(number)
}
