//! `/v1/snippets`: SQL that users save. The service creates snippets on its web pages, so here creating,
//! changing and deleting them are control operations under `/_sim`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Kind, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema,
    View, delete, from_micros, get, micros, patch, post, view,
};

use crate::kept;
use crate::organization;
use crate::project::{self, ProjectRef};
use crate::reach;
use crate::{text_of, user};

operations![CreateSnippet, ListSnippets, GetSnippet, UpdateSnippet, DeleteSnippet];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE snippet (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        owner INTEGER NOT NULL REFERENCES user,
        updated_by INTEGER NOT NULL REFERENCES user,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        visibility TEXT NOT NULL,
        sql TEXT NOT NULL,
        favorite INTEGER NOT NULL,
        inserted_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX snippet_by_project ON snippet (project);
    CREATE INDEX snippet_by_name ON snippet (name);
    CREATE INDEX snippet_by_age ON snippet (inserted_at);
";

pub(crate) const VIEWS: &[View] = &[view(
    "snippet",
    "A snippet.",
    "SELECT snippet.id, project, owner.name AS owner, editor.name AS updated_by, snippet.name, description,
     visibility, sql, favorite, inserted_at, updated_at FROM snippet
     JOIN user AS owner ON owner.id = owner JOIN user AS editor ON editor.id = updated_by ORDER BY seq",
)];

/// A snippet in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SnippetItem {
    /// UUID.
    pub id: String,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its type.
    pub r#type: SnippetType,
    /// Its visibility.
    pub visibility: Visibility,
    /// Whether it is a favorite of its owner.
    pub favorite: bool,
    /// Its project.
    pub project: SnippetProject,
    /// The user who created it.
    pub owner: SnippetUser,
    /// The user who last changed it.
    pub updated_by: SnippetUser,
}

/// A snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Snippet {
    /// UUID.
    pub id: String,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its type.
    pub r#type: SnippetType,
    /// Its visibility.
    pub visibility: Visibility,
    /// Whether it is a favorite of its owner.
    pub favorite: bool,
    /// Its project.
    pub project: SnippetProject,
    /// The user who created it.
    pub owner: SnippetUser,
    /// The user who last changed it.
    pub updated_by: SnippetUser,
    /// The SQL.
    pub content: SnippetContent,
}

/// The type of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SnippetType {
    /// SQL.
    Sql,
}

/// The visibility of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Its owner.
    User,
    /// The users who see its project.
    Project,
    /// The members of its project's organization.
    Org,
    /// Anyone who knows its id.
    Public,
}

/// The project of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SnippetProject {
    /// Number of the project.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// A user of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SnippetUser {
    /// Number of the user.
    pub id: i64,
    /// The user's name.
    pub username: String,
}

/// The SQL of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SnippetContent {
    /// Whether it is a favorite of its owner.
    pub favorite: bool,
    /// Version of this format.
    pub schema_version: String,
    /// The SQL.
    pub sql: String,
}

const SCHEMA_VERSION: &str = "1.0";

/// A page of snippets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Snippets {
    /// The snippets.
    pub data: Vec<SnippetItem>,
    /// The cursor of the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The sort key of snippets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum SortBy {
    Name,
    #[default]
    InsertedAt,
}

/// The sort order of snippets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum SortOrder {
    Asc,
    #[default]
    Desc,
}

/// List the caller's snippets: own and shared ones.
#[derive(Clone, Debug, Default, Serialize, FromJson, ToSchema, New)]
pub struct ListSnippets {
    /// The cursor from the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Snippets on a page, 1 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        regex(pattern = r"^([1-9][0-9]?|100)$"),
        extend("x-rule" = "a whole number from 1 to 100")
    )]
    pub limit: Option<String>,
    /// The sort key; the time of creation by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort_by: Option<SortBy>,
    /// The sort order; descending by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort_order: Option<SortOrder>,
    /// Only snippets of this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_ref: Option<ProjectRef>,
}

impl Operation for ListSnippets {
    type Output = Snippets;
    const META: Meta = Meta {
        query: &["cursor", "limit", "sort_by", "sort_order", "project_ref"],
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to list user's SQL snippets",
        ..get("v1-list-all-snippets", "/v1/snippets")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Snippets, Error> {
        let (by, order) = (self.sort_by.unwrap_or_default(), self.sort_order.unwrap_or_default());
        let limit = match &self.limit {
            Some(limit) => limit.parse().expect("validation passes whole numbers only"),
            None => cx.policy.snippets_page,
        };
        let after = self.cursor.as_deref().map(|text| Cursor::read(text, by, order)).transpose()?;
        let (name, inserted_at, seq) = after.map(|at| (at.name, at.inserted_at, at.seq)).unwrap_or_default();
        // A cursor names the last row of its page, so rows that are added or deleted meanwhile shift nothing.
        let (beyond, direction) = match order {
            SortOrder::Asc => (">", "ASC"),
            SortOrder::Desc => ("<", "DESC"),
        };
        let (column, key) = match by {
            SortBy::Name => ("s.name", rusqlite::types::Value::from(name)),
            SortBy::InsertedAt => ("s.inserted_at", inserted_at.into()),
        };
        // Only the request's filters are in the query, so that an index gives the rest in order. Snippets are
        // joined before projects, because many projects may have none.
        let own = organization::in_callers(cx, "p.organization");
        let reached = reach::condition(cx, "p.organization", &["p.ref", "p.branch_of"]);
        let in_project = if self.project_ref.is_some() { "s.project = ?2" } else { "?2 IS NULL" };
        let later = match self.cursor {
            Some(_) => format!("({column}, s.seq) {beyond} (?3, ?4)"),
            None => "?3 IS NOT NULL AND ?4 = 0".to_owned(),
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM {TABLES_JOINED}
             WHERE {own}{reached} AND {in_project} AND {later} AND (?1 IS NULL OR s.visibility <> 'user' OR s.owner = ?1)
             ORDER BY {column} {direction}, s.seq {direction} LIMIT ?5"
        );
        let project = self.project_ref.map(|r#ref| r#ref.0);
        let params = rusqlite::params![cx.caller.user(), project, key, seq, limit + 1];
        let mut found = cx.db.all(&sql, params, |row| Ok((Row::read(row)?, row.get::<_, i64>(0)?)));
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let cursor = found.last().filter(|_| more).map(|(row, seq)| Cursor::of(row, *seq, by, order).write());
        Ok(Snippets { data: found.into_iter().map(|(row, _)| row.item()).collect(), cursor })
    }
}

/// The position where a page ended.
#[derive(Serialize, FromJson)]
struct Cursor {
    by: SortBy,
    order: SortOrder,
    name: String,
    inserted_at: i64,
    seq: i64,
}

impl Cursor {
    fn of(row: &Row, seq: i64, by: SortBy, order: SortOrder) -> Cursor {
        Cursor { by, order, name: row.0.name.clone(), inserted_at: micros(row.0.inserted_at), seq }
    }

    fn write(&self) -> String {
        BASE64URL.encode(serde_json::to_vec(self).expect("a cursor is plain data"))
    }

    fn read(text: &str, by: SortBy, order: SortOrder) -> Result<Cursor, Error> {
        let bytes = BASE64URL.decode(text).ok();
        let cursor = bytes.and_then(|bytes| serde_json::from_slice::<Cursor>(&bytes).ok());
        match cursor {
            Some(cursor) if (cursor.by, cursor.order) == (by, order) => Ok(cursor),
            Some(_) => Err(Error::invalid(
                "invalid_query.cursor",
                "cursor: belongs to a list that is sorted another way",
            )),
            None => Err(Error::invalid("invalid_query.cursor", "cursor: is not one that a page ended with")),
        }
    }
}

/// Get a snippet with its SQL.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetSnippet {
    /// UUID.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl Operation for GetSnippet {
    type Output = Snippet;
    const META: Meta = Meta {
        scope: Some(Scope("database:read")),
        also: &[406, 500],
        failure: "Failed to retrieve SQL snippet",
        ..get("v1-get-a-snippet", "/v1/snippets/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Snippet, Error> {
        let reached = reach::condition(cx, "p.organization", &["p.ref", "p.branch_of"]);
        let sql = format!(
            "SELECT {COLUMNS} FROM {TABLES_JOINED} WHERE s.id = ?1{reached} AND (
                ?2 IS NULL OR s.visibility = 'public'
                OR (p.organization IN (SELECT organization FROM member WHERE user = ?2)
                    AND (s.visibility <> 'user' OR s.owner = ?2)))"
        );
        let found = cx.db.maybe(&sql, (self.id.to_lowercase(), cx.caller.user()), Row::read);
        // The response does not show whether the snippet is missing or belongs to somebody else.
        found.map(|row| row.0).ok_or_else(|| {
            Error::new(Kind::NotAcceptable, "snippet_not_found", "Failed to retrieve SQL snippet")
                .because("snippet", &self.id, None)
        })
    }
}

/// Store a snippet for a user.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct CreateSnippet {
    /// The owner's name.
    pub user: String,
    /// Its project.
    pub project_ref: ProjectRef,
    /// Its name.
    #[schemars(length(min = 1, max = 1024))]
    pub name: String,
    /// Its purpose.
    #[serde(default)]
    #[schemars(length(max = 4096))]
    pub description: String,
    /// The SQL.
    #[schemars(length(max = kept::LONGEST))]
    pub sql: String,
    /// Its visibility; only its owner by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Whether it is a favorite of its owner.
    #[serde(default)]
    pub favorite: bool,
}

impl CreateSnippet {
    /// A snippet that is visible only to its owner.
    pub fn private(user: &str, project_ref: ProjectRef, name: &str, sql: &str) -> CreateSnippet {
        CreateSnippet {
            user: user.to_owned(),
            project_ref,
            name: name.to_owned(),
            description: String::new(),
            sql: sql.to_owned(),
            visibility: None,
            favorite: false,
        }
    }
}

impl Operation for CreateSnippet {
    type Output = Snippet;
    const META: Meta =
        Meta { access: Access::Control, also: &[404], ..post("sim-create-snippet", "/_sim/snippets") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Snippet, Error> {
        let owner = user::named(cx, &self.user)?.id;
        let project = project::load(cx, &self.project_ref)?;
        let id = cx.rng.uuid("snippet").to_string();
        cx.db.run(
            "INSERT INTO snippet (id, project, owner, updated_by, name, description, visibility, sql, favorite,
                                  inserted_at, updated_at)
             VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
            rusqlite::params![
                id,
                project.r#ref,
                owner,
                self.name,
                self.description,
                text_of(&self.visibility.unwrap_or(Visibility::User)),
                self.sql,
                self.favorite,
                micros(cx.now),
            ],
        );
        kept::require_room(cx)?;
        load(cx, &id)
    }
}

/// Change a snippet. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct UpdateSnippet {
    /// UUID.
    pub id: String,
    /// Name of the user who changes it; the owner by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1024))]
    pub name: Option<String>,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4096))]
    pub description: Option<String>,
    /// The SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = kept::LONGEST))]
    pub sql: Option<String>,
    /// Its visibility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Whether it is a favorite of its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favorite: Option<bool>,
}

impl Operation for UpdateSnippet {
    type Output = Snippet;
    const META: Meta = Meta { access: Access::Control, ..patch("sim-update-snippet", "/_sim/snippets/{id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Snippet, Error> {
        let snippet = load(cx, &self.id)?;
        let by = match &self.user {
            Some(name) => user::named(cx, name)?.id,
            None => snippet.owner.id,
        };
        cx.db.run(
            "UPDATE snippet SET updated_by = ?2, updated_at = ?3, name = ifnull(?4, name),
                 description = ifnull(?5, description), sql = ifnull(?6, sql),
                 visibility = ifnull(?7, visibility), favorite = ifnull(?8, favorite)
             WHERE id = ?1",
            rusqlite::params![
                self.id,
                by,
                micros(cx.now),
                self.name,
                self.description,
                self.sql,
                self.visibility.map(|visibility| text_of(&visibility)),
                self.favorite,
            ],
        );
        kept::require_room(cx)?;
        load(cx, &self.id)
    }
}

/// Delete a snippet.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteSnippet {
    /// UUID.
    pub id: String,
}

impl Operation for DeleteSnippet {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..delete("sim-delete-snippet", "/_sim/snippets/{id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        match cx.db.run("DELETE FROM snippet WHERE id = ?1", (&self.id,)) {
            0 => Err(Error::not_found("snippet", &self.id)),
            _ => Ok(Empty {}),
        }
    }
}

const COLUMNS: &str = "s.seq, s.id, s.inserted_at, s.updated_at, s.name, s.description, s.visibility, p.id, p.name, \
    o.id, o.name, u.id, u.name, s.favorite, s.sql";

const TABLES_JOINED: &str = "snippet s CROSS JOIN project p ON p.ref = s.project \
    JOIN user o ON o.id = s.owner JOIN user u ON u.id = s.updated_by";

fn load(cx: &Cx<'_>, id: &str) -> Result<Snippet, Error> {
    let found =
        cx.db.maybe(&format!("SELECT {COLUMNS} FROM {TABLES_JOINED} WHERE s.id = ?1"), (id,), Row::read);
    found.map(|row| row.0).ok_or_else(|| Error::not_found("snippet", id))
}

/// A snippet as stored.
struct Row(Snippet);

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
        Ok(Row(Snippet {
            id: row.get(1)?,
            inserted_at: from_micros(row.get(2)?),
            updated_at: from_micros(row.get(3)?),
            name: row.get(4)?,
            description: row.get(5)?,
            r#type: SnippetType::Sql,
            visibility: serde_json::from_value(row.get::<_, String>(6)?.into())
                .expect("stored visibilities are published ones"),
            favorite: row.get(13)?,
            project: SnippetProject { id: row.get(7)?, name: row.get(8)? },
            owner: SnippetUser { id: row.get(9)?, username: row.get(10)? },
            updated_by: SnippetUser { id: row.get(11)?, username: row.get(12)? },
            content: SnippetContent {
                favorite: row.get(13)?,
                schema_version: SCHEMA_VERSION.to_owned(),
                sql: row.get(14)?,
            },
        }))
    }

    fn item(self) -> SnippetItem {
        let Snippet { id, inserted_at, updated_at, name, description, r#type, visibility, .. } = self.0;
        let Snippet { favorite, project, owner, updated_by, .. } = self.0;
        SnippetItem {
            id,
            inserted_at,
            updated_at,
            name,
            description,
            r#type,
            visibility,
            favorite,
            project,
            owner,
            updated_by,
        }
    }
}
