//! `/v2/projects/{ref}/notebooks`: pages of text, queries and charts that members of an organization keep with a project.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, Role, Scope, Timestamp,
    ToSchema, View, delete, from_micros, get, micros, patch, post, view,
};

use super::document::{Asked, Given, Object, One, PAGING, Page, kind};
use super::notebook_cell::{Cell, Content};
use crate::kept;
use crate::project::{self, ProjectRef};

operations![CreateNotebook, ListNotebooks, GetNotebook, UpdateNotebook, DeleteNotebook];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// The most cells of a notebook.
const CELLS_MAX: usize = 100_000;

const TABLES: &str = "
    CREATE TABLE notebook (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        description TEXT,
        favorite INTEGER NOT NULL,
        cells TEXT NOT NULL,
        owner INTEGER,
        inserted_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        updated_by INTEGER
    ) STRICT;
    CREATE INDEX notebook_by_project ON notebook (project, seq);
    CREATE TABLE notebook_gone (
        id TEXT PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notebook_gone_by_project ON notebook_gone (project);
";

pub(crate) const VIEWS: &[View] = &[view(
    "notebook",
    "A notebook.",
    "SELECT id, project, name, description, favorite, cells, owner, inserted_at, updated_at, updated_by
     FROM notebook ORDER BY seq",
)];

kind! {
    /// A notebook.
    NotebookKind = "notebook";
}

/// The attributes of a notebook, without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "Notebook")]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// Its purpose.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub description: Option<String>,
    /// Whether it is a favorite.
    pub favorite: bool,
    /// The user who created it.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub owner: Option<Author>,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
    /// The user who last changed it.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub updated_by: Option<Author>,
}

/// A notebook with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schemars(rename = "NotebookWithContent")]
pub struct Whole {
    /// What it is.
    #[serde(flatten)]
    pub summary: Summary,
    /// Its cells.
    pub content: StoredContent,
}

/// The content of a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "NotebookContent")]
pub struct StoredContent {
    /// The version of its format.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub schema_version: u32,
    /// Its cells, from the top.
    pub cells: Vec<Cell>,
}

/// The user who created or changed a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "NotebookAuthor")]
pub struct Author {
    /// Number of the user.
    pub id: i64,
    /// Name of the user.
    pub username: String,
}

/// A notebook to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NewNotebook {
    /// Its name.
    #[schemars(length(min = 1, max = 255))]
    pub name: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 10_000))]
    pub description: Option<String>,
    /// Whether it is a favorite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favorite: Option<bool>,
    /// Its cells.
    pub content: Content,
}

/// Changes of a notebook. Omitted fields do not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NotebookChanges {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 255))]
    pub name: Option<String>,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 10_000))]
    pub description: Option<String>,
    /// Whether it is a favorite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favorite: Option<bool>,
    /// All its cells. A cell with an identifier must already exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
}

/// An order of notebooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum NotebookOrder {
    /// By name.
    #[serde(rename = "name")]
    Name,
    /// By name, descending.
    #[serde(rename = "-name")]
    NameDescending,
    /// The oldest first.
    #[serde(rename = "inserted_at")]
    Oldest,
    /// The newest first.
    #[serde(rename = "-inserted_at")]
    Newest,
}

impl NotebookOrder {
    const fn sql(self) -> &'static str {
        match self {
            NotebookOrder::Name => "name, seq",
            NotebookOrder::NameDescending => "name DESC, seq DESC",
            NotebookOrder::Oldest => "seq",
            NotebookOrder::Newest => "seq DESC",
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            NotebookOrder::Name => "name",
            NotebookOrder::NameDescending => "-name",
            NotebookOrder::Oldest => "inserted_at",
            NotebookOrder::Newest => "-inserted_at",
        }
    }
}

const fn of_notebooks(meta: Meta, scope: &'static str) -> Meta {
    Meta {
        since: Edition::V2026_11,
        scope: Some(Scope(scope)),
        also: &[500],
        failure: "Failed to reach the notebooks",
        ..meta
    }
}

/// Create a notebook. Each of its cells gets an identifier.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateNotebook {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The notebook.
    pub data: Given<NotebookKind, NewNotebook>,
}

impl Operation for CreateNotebook {
    type Output = One<Object<NotebookKind, Whole>>;
    const META: Meta = Meta {
        role: Role::Developer,
        ..of_notebooks(post("v2-create-notebook", "/v2/projects/{ref}/notebooks"), "database:write")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<NotebookKind, Whole>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let new = self.data.attributes;
        let cells = named_cells(cx, new.content.cells, None)?;
        let sql = "INSERT INTO notebook (id, project, name, description, favorite, cells, owner, inserted_at,
                   updated_at, updated_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?7)";
        let id = cx.rng.uuid("notebook").to_string();
        let favorite = new.favorite.unwrap_or(false);
        let row = rusqlite::params![
            id,
            project.r#ref,
            new.name,
            new.description,
            favorite,
            stored(&cells),
            cx.caller.user(),
            micros(cx.now),
        ];
        cx.db.insert(sql, row);
        kept::require_room(cx)?;
        load(cx, &project.r#ref, &id).map(One::of)
    }
}

/// List a project's notebooks, without their content.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListNotebooks {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Only notebooks whose name contains this text, in any case.
    #[serde(rename = "filter[name]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// Their order; oldest first by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<NotebookOrder>,
    /// Only items after this one.
    #[serde(rename = "page[after]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub after: Option<String>,
    /// Only items before this one.
    #[serde(rename = "page[before]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub before: Option<String>,
    /// The maximum number; 100 by default.
    #[serde(rename = "page[size]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub size: Option<u32>,
}

impl Operation for ListNotebooks {
    type Output = Page<Object<NotebookKind, Summary>>;
    const META: Meta = Meta {
        query: &["filter[name]", "sort", PAGING[0], PAGING[1], PAGING[2]],
        ..of_notebooks(get("v2-list-notebooks", "/v2/projects/{ref}/notebooks"), "database:read")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Page<Object<NotebookKind, Summary>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let order = self.sort.unwrap_or(NotebookOrder::Oldest);
        let sql = format!(
            "SELECT {COLUMNS} FROM notebook n WHERE project = ?1 AND (?2 IS NULL OR instr(lower(name), lower(?2)) > 0)
             ORDER BY {}",
            order.sql()
        );
        let all =
            cx.db.all(&sql, (&project.r#ref, &self.name), |row| Ok(Object::new(id(row)?, summary(row)?)));
        let target = format!("/v2/projects/{}/notebooks", project.r#ref);
        let filters =
            [("filter[name]", self.name.as_deref()), ("sort", self.sort.map(NotebookOrder::as_str))];
        let asked = Asked::of(self.after.as_ref(), self.before.as_ref(), self.size);
        let gone = |_: &[_], cursor: &str| self.place_of_gone(cx, &project.r#ref, order, cursor);
        asked.of_those_left(all, |one: &Object<_, _>| one.id.clone(), gone, &target, &filters)
    }
}

impl ListNotebooks {
    /// How many of the listed notebooks come before one that was deleted.
    fn place_of_gone(&self, cx: &Cx<'_>, project: &str, order: NotebookOrder, id: &str) -> Option<usize> {
        let sql = "SELECT seq, name FROM notebook_gone WHERE project = ?1 AND id = ?2";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
        let (seq, name) = cx.db.maybe(sql, (project, id), read)?;
        let comes_before = match order {
            NotebookOrder::Name => "(name, seq) < (?3, ?4)",
            NotebookOrder::NameDescending => "(name, seq) > (?3, ?4)",
            NotebookOrder::Oldest => "seq < ?4",
            NotebookOrder::Newest => "seq > ?4",
        };
        let sql = format!(
            "SELECT count(*) FROM notebook WHERE project = ?1 AND (?2 IS NULL OR instr(lower(name), lower(?2)) > 0)
             AND (?3 IS NOT NULL) AND {comes_before}"
        );
        let place = cx.db.one(&sql, (project, &self.name, name, seq), |row| row.get::<_, i64>(0));
        usize::try_from(place).ok()
    }
}

/// Get a notebook with its content.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetNotebook {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the notebook.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl Operation for GetNotebook {
    type Output = One<Object<NotebookKind, Whole>>;
    const META: Meta =
        of_notebooks(get("v2-get-notebook", "/v2/projects/{ref}/notebooks/{id}"), "database:read");

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<NotebookKind, Whole>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        load(cx, &project.r#ref, &self.id).map(One::of)
    }
}

/// Change a notebook. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateNotebook {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the notebook.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// The changes.
    pub data: Given<NotebookKind, NotebookChanges>,
}

impl Operation for UpdateNotebook {
    type Output = One<Object<NotebookKind, Whole>>;
    const META: Meta = Meta {
        role: Role::Developer,
        ..of_notebooks(patch("v2-update-notebook", "/v2/projects/{ref}/notebooks/{id}"), "database:write")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<NotebookKind, Whole>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let Object { id, attributes: Whole { summary: old, content }, .. } =
            load(cx, &project.r#ref, &self.id)?;
        let changes = self.data.attributes;
        let cells = match changes.content {
            Some(new) => named_cells(cx, new.cells, Some(&content.cells))?,
            None => content.cells,
        };
        let sql =
            "UPDATE notebook SET name = ?2, description = ?3, favorite = ?4, cells = ?5, updated_at = ?6,
                   updated_by = ?7 WHERE id = ?1";
        let row = (
            &id,
            changes.name.unwrap_or(old.name),
            changes.description.or(old.description),
            changes.favorite.unwrap_or(old.favorite),
            stored(&cells),
            micros(cx.now),
            cx.caller.user(),
        );
        cx.db.run(sql, row);
        kept::require_room(cx)?;
        load(cx, &project.r#ref, &id).map(One::of)
    }
}

/// Delete a notebook.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteNotebook {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the notebook.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl Operation for DeleteNotebook {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        role: Role::Developer,
        ..of_notebooks(delete("v2-delete-notebook", "/v2/projects/{ref}/notebooks/{id}"), "database:write")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        // Pages go on from the place that it had.
        let sql = "INSERT INTO notebook_gone SELECT id, project, seq, name FROM notebook WHERE project = ?1 AND id = ?2";
        cx.db.run(sql, (&project.r#ref, self.id.to_lowercase()));
        let sql = "DELETE FROM notebook WHERE project = ?1 AND id = ?2";
        match cx.db.run(sql, (&project.r#ref, self.id.to_lowercase())) {
            0 => Err(Error::not_found("notebook", &self.id)),
            _ => Ok(Empty {}),
        }
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// The cells, each with an identifier. Given identifiers must be unique, and those of `old` cells if there are any.
fn named_cells(cx: &Cx<'_>, mut cells: Vec<Cell>, old: Option<&[Cell]>) -> Result<Vec<Cell>, Error> {
    if cells.len() > CELLS_MAX {
        let field = "data.attributes.content.cells";
        let text = format!("{field}: Array must contain at most {CELLS_MAX} element(s)");
        return Err(Error::invalid(format!("invalid_body.{field}"), &text).field(field, text));
    }
    let old: Option<BTreeSet<&str>> = old.map(|old| old.iter().filter_map(Cell::id).collect());
    let mut seen = BTreeSet::new();
    for (index, cell) in cells.iter_mut().enumerate() {
        let field = format!("data.attributes.content.cells.{index}.id");
        let id = match cell.id() {
            Some(id) if old.as_ref().is_some_and(|old| !old.contains(id)) => {
                let text =
                    format!("{field}: the notebook has no such cell; leave the identifier out for a new one");
                return Err(Error::invalid("notebook_cell_unknown", &text).field(field, text));
            }
            Some(id) => id.to_owned(),
            None => cx.rng.uuid("notebook cell").to_string(),
        };
        if !seen.insert(id.clone()) {
            let text = format!("{field}: two cells have this identifier");
            return Err(Error::invalid("notebook_cell_duplicate", &text).field(field, text));
        }
        cell.complete(id);
    }
    Ok(cells)
}

fn stored(cells: &[Cell]) -> String {
    serde_json::to_string(cells).expect("cells are plain data")
}

const COLUMNS: &str = "id, name, description, favorite, owner, inserted_at, updated_at, updated_by, cells,
    (SELECT u.name FROM user u WHERE u.id = n.owner), (SELECT u.name FROM user u WHERE u.id = n.updated_by)";

fn id(row: &rusqlite::Row<'_>) -> rusqlite::Result<String> {
    row.get(0)
}

fn summary(row: &rusqlite::Row<'_>) -> rusqlite::Result<Summary> {
    let author = |number: usize, name: usize| -> rusqlite::Result<Option<Author>> {
        let (id, username): (Option<i64>, Option<String>) = (row.get(number)?, row.get(name)?);
        Ok(id.zip(username).map(|(id, username)| Author { id, username }))
    };
    Ok(Summary {
        name: row.get(1)?,
        description: row.get(2)?,
        favorite: row.get(3)?,
        owner: author(4, 9)?,
        inserted_at: from_micros(row.get(5)?),
        updated_at: from_micros(row.get(6)?),
        updated_by: author(7, 10)?,
    })
}

fn load(cx: &Cx<'_>, project: &str, asked: &str) -> Result<Object<NotebookKind, Whole>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM notebook n WHERE project = ?1 AND id = ?2");
    let found = cx.db.maybe(&sql, (project, asked.to_lowercase()), |row| {
        let cells: String = row.get(8)?;
        let cells = serde_json::from_str(&cells).expect("cells were stored by the same type");
        let content = StoredContent { schema_version: 1, cells };
        Ok(Object::new(id(row)?, Whole { summary: summary(row)?, content }))
    });
    found.ok_or_else(|| Error::not_found("notebook", asked))
}
