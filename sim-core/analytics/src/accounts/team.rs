//! `/api/teams`: a user and the users invited by that user.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, ToSchema, View,
    post, view,
};

use crate::account::{self, User};
use crate::manner::{
    TAKEN, change, create, not_found, read, read_one, remove, replace, require_text, unprocessable,
};
use crate::notifications::is_email;

operations![CreateTeam, ListTeams, GetTeam, UpdateTeam, PatchTeam, DeleteTeam, AddTeamUser];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE team (
        id INTEGER PRIMARY KEY,
        user INTEGER NOT NULL UNIQUE REFERENCES user,
        token TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL
    ) STRICT;
    CREATE TABLE team_user (
        id INTEGER PRIMARY KEY,
        team INTEGER NOT NULL REFERENCES team ON DELETE CASCADE,
        token TEXT NOT NULL UNIQUE,
        email TEXT NOT NULL,
        name TEXT NOT NULL,
        UNIQUE (team, email)
    ) STRICT;
    CREATE INDEX team_user_by_email ON team_user (email);
";

pub(crate) const VIEWS: &[View] = &[
    view("team", "A team.", "SELECT id, token, name FROM team"),
    view(
        "team_user",
        "A member of a team.",
        "SELECT team.name AS team, team_user.email, team_user.name FROM team_user JOIN team ON team.id = team",
    ),
];

/// A team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Team {
    /// Name.
    pub name: String,
    /// UUID.
    pub token: String,
    /// The owner.
    pub user: User,
    /// The other members, in the order in which they joined.
    pub team_users: Vec<TeamUser>,
}

/// A member of a team, other than its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct TeamUser {
    /// Email address.
    pub email: String,
    /// Name.
    pub name: String,
}

/// Create a team.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateTeam {
    /// Name.
    pub name: String,
}

impl Operation for CreateTeam {
    type Output = Team;
    const META: Meta = create("analytics-create-team", "/api/teams");

    fn run(self, cx: &mut Cx<'_>) -> Result<Team, Error> {
        require_text("name", &self.name)?;
        let user = account::caller(cx)?;
        if cx.db.maybe("SELECT 1 FROM team WHERE user = ?1", (user,), |_| Ok(())).is_some() {
            return Err(unprocessable("user_id", TAKEN));
        }
        let token = cx.rng.uuid("team").to_string();
        let sql = "INSERT INTO team (user, token, name) VALUES (?1, ?2, ?3)";
        cx.db.run(sql, (user, &token, &self.name));
        Ok(show(cx, load(cx, &token)?))
    }
}

/// List the teams that the user owns or has joined.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListTeams {}

impl Operation for ListTeams {
    type Output = Vec<Team>;
    const META: Meta = read("analytics-list-teams", "/api/teams");

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Team>, Error> {
        let user = account::caller(cx)?;
        let sql = "SELECT id, user, token, name FROM team
                   WHERE user = ?1 OR id IN (SELECT team FROM team_user WHERE email = ?2) ORDER BY id";
        let rows = cx.db.all(sql, (user, account::email(cx, user)), row);
        Ok(rows.into_iter().map(|row| show(cx, row)).collect())
    }
}

/// Fetch a team.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetTeam {
    /// The token of the team or of one of its users.
    pub token: String,
}

impl Operation for GetTeam {
    type Output = Team;
    const META: Meta = read_one("analytics-get-team", "/api/teams/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Team, Error> {
        Ok(show(cx, load(cx, &self.token)?))
    }
}

/// Update a team. Only its owner can.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateTeam {
    /// The team's token.
    pub token: String,
    /// Name.
    pub name: String,
}

impl Operation for UpdateTeam {
    type Output = Team;
    const META: Meta = replace("analytics-update-team", "/api/teams/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Team, Error> {
        PatchTeam { token: self.token, name: Some(self.name) }.run(cx)
    }
}

/// Change a team. Only its owner can.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct PatchTeam {
    /// The team's token.
    pub token: String,
    /// Name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Operation for PatchTeam {
    type Output = Team;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..change("analytics-patch-team", "/api/teams/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Team, Error> {
        let team = owned(cx, &self.token)?;
        if let Some(name) = &self.name {
            require_text("name", name)?;
            cx.db.run("UPDATE team SET name = ?2 WHERE id = ?1", (team.id, name));
        }
        Ok(show(cx, load(cx, &self.token)?))
    }
}

/// Delete a team. Only its owner can.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteTeam {
    /// The team's token.
    pub token: String,
}

impl Operation for DeleteTeam {
    type Output = Empty;
    const META: Meta = remove("analytics-delete-team", "/api/teams/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let team = owned(cx, &self.token)?;
        cx.db.run("DELETE FROM team WHERE id = ?1", (team.id,));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// Add a member to a team, as the service does on its web pages.
///
/// A user with that email address sees the team from now on.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct AddTeamUser {
    /// The team's token.
    pub token: String,
    /// Email address.
    pub email: String,
    /// Name.
    pub name: String,
}

impl Operation for AddTeamUser {
    type Output = AddedTeamUser;
    const META: Meta =
        Meta { access: Access::Control, ..post("sim-add-team-user", "/_sim/teams/{token}/users") };

    fn run(self, cx: &mut Cx<'_>) -> Result<AddedTeamUser, Error> {
        let found = cx.db.maybe("SELECT id FROM team WHERE token = ?1", (&self.token,), |row| row.get(0));
        let team: i64 = found.ok_or_else(|| not_found("team_not_found", &self.token))?;
        require_text("name", &self.name)?;
        if !is_email(&self.email) {
            return Err(unprocessable("email", "must be an email address"));
        }
        let sql = "SELECT 1 FROM team_user WHERE team = ?1 AND email = ?2";
        if cx.db.maybe(sql, (team, &self.email), |_| Ok(())).is_some() {
            return Err(unprocessable("email", TAKEN));
        }
        let token = cx.rng.uuid("team_user").to_string();
        let sql = "INSERT INTO team_user (team, token, email, name) VALUES (?1, ?2, ?3, ?4)";
        let id = cx.db.insert(sql, (team, &token, &self.email, &self.name));
        Ok(AddedTeamUser { id: id.to_string(), token })
    }
}

/// The new member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AddedTeamUser {
    /// Number, as in a source's notifications.
    pub id: String,
    /// UUID, with which the team can also be found.
    pub token: String,
}

struct Row {
    id: i64,
    user: i64,
    token: String,
    name: String,
}

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row { id: row.get(0)?, user: row.get(1)?, token: row.get(2)?, name: row.get(3)? })
}

fn show(cx: &Cx<'_>, Row { id, user, token, name }: Row) -> Team {
    let sql = "SELECT email, name FROM team_user WHERE team = ?1 ORDER BY id";
    let team_users = cx.db.all(sql, (id,), |row| Ok(TeamUser { email: row.get(0)?, name: row.get(1)? }));
    Team { name, token, user: account::load(cx, user), team_users }
}

/// The team that the caller owns or has joined, by its token or the token of one of its users; or 404.
fn load(cx: &Cx<'_>, token: &str) -> Result<Row, Error> {
    let user = account::caller(cx)?;
    let sql = "SELECT t.id, t.user, t.token, t.name FROM team t
               WHERE (t.token = ?1 OR t.id IN (SELECT team FROM team_user WHERE token = ?1))
               AND (t.user = ?2 OR t.id IN (SELECT team FROM team_user WHERE email = ?3))";
    let found = cx.db.maybe(sql, (token, user, account::email(cx, user)), row);
    found.ok_or_else(|| not_found("team_not_found", token))
}

/// The team that the caller owns, by its token; or 404.
fn owned(cx: &Cx<'_>, token: &str) -> Result<Row, Error> {
    let user = account::caller(cx)?;
    let sql = "SELECT id, user, token, name FROM team WHERE token = ?1 AND user = ?2";
    cx.db.maybe(sql, (token, user), row).ok_or_else(|| not_found("team_not_found", token))
}
