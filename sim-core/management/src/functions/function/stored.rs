//! Functions as stored, and their rows.

use sim_base::{Cx, Error};

use super::status::{Event, Status};
use super::{Function, LEGACY_ENTRYPOINT, LEGACY_IMPORT_MAP};
use crate::function_body::{self, Sources};
use crate::project::Row;
use crate::text_of;

/// A function as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) project: String,
    pub(crate) slug: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) status: Status,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) verify_jwt: bool,
    pub(crate) import_map: bool,
    /// As received; relative to the folder of its files unless it is an address.
    pub(crate) entrypoint: String,
    pub(crate) import_map_path: Option<String>,
    pub(crate) changed_by_call: u64,
    pub(crate) bundle_sha256: Option<String>,
    /// The version that brought its files. Versions with the same files are in the same folder.
    pub(crate) files_of: i64,
}

pub(super) const COLUMNS: &str = "project, slug, id, name, status, version, created_at, updated_at, verify_jwt, import_map, \
                       entrypoint, import_map_path, changed_by_call, bundle_sha256, files_of";

impl Stored {
    /// Version 1 of a function with that slug. It gets a new id, unless a bundle for it already exists.
    pub(crate) fn new(cx: &Cx<'_>, project: &Row, slug: &str) -> Stored {
        let bundled_for = function_body::bundled_for(cx, (&project.r#ref, slug));
        let now = cx.now.as_millisecond();
        Stored {
            project: project.r#ref.clone(),
            slug: slug.to_owned(),
            id: bundled_for.unwrap_or_else(|| cx.rng.uuid("function").to_string()),
            name: slug.to_owned(),
            status: Status::Active,
            version: 1,
            created_at: now,
            updated_at: now,
            verify_jwt: true,
            import_map: false,
            entrypoint: LEGACY_ENTRYPOINT.to_owned(),
            import_map_path: None,
            changed_by_call: cx.call,
            bundle_sha256: None,
            files_of: 1,
        }
    }

    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Stored> {
        let status: String = row.get(4)?;
        Ok(Stored {
            project: row.get(0)?,
            slug: row.get(1)?,
            id: row.get(2)?,
            name: row.get(3)?,
            status: serde_json::from_value(status.into()).expect("stored statuses are published ones"),
            version: row.get(5)?,
            created_at: row.get(6)?,
            updated_at: row.get(7)?,
            verify_jwt: row.get(8)?,
            import_map: row.get(9)?,
            entrypoint: row.get(10)?,
            import_map_path: row.get(11)?,
            changed_by_call: row.get::<_, i64>(12)? as u64,
            bundle_sha256: row.get(13)?,
            files_of: row.get(14)?,
        })
    }

    pub(crate) fn key(&self) -> (&str, &str) {
        (&self.project, &self.slug)
    }

    /// Sets the import map from the path or the flag. If both are absent, it does not change.
    pub(crate) fn with_import_map(mut self, flag: Option<bool>, path: Option<String>) -> Stored {
        self.import_map = flag.unwrap_or(self.import_map || path.is_some());
        self.import_map_path = match (self.import_map, path.or(self.import_map_path)) {
            (false, _) => None,
            (true, path) => Some(path.unwrap_or_else(|| LEGACY_IMPORT_MAP.to_owned())),
        };
        self
    }

    /// Paths that are addresses in a folder of its own move with its files.
    pub(crate) fn keep_paths_relative(&mut self) {
        let folders = [self.files_of, self.version].map(|version| self.folder_of(version));
        for path in std::iter::once(&mut self.entrypoint).chain(&mut self.import_map_path) {
            if let Some(relative) = folders.iter().find_map(|folder| path.strip_prefix(folder)) {
                *path = relative.to_owned();
            }
        }
    }

    /// The platform's folder for its files.
    pub(crate) fn folder(&self) -> String {
        self.folder_of(self.files_of)
    }

    fn folder_of(&self, version: i64) -> String {
        format!("file:///tmp/user_fn_{}_{}_{version}/source/", self.project, self.id)
    }

    fn address(&self, path: &str) -> String {
        if path.contains("://") { path.to_owned() } else { self.folder() + path.trim_start_matches("./") }
    }

    pub(crate) fn shown(&self) -> Function {
        Function {
            id: self.id.clone(),
            slug: self.slug.clone(),
            name: self.name.clone(),
            status: self.status,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            verify_jwt: self.verify_jwt,
            import_map: self.import_map,
            entrypoint_path: self.address(&self.entrypoint),
            import_map_path: self.import_map_path.as_deref().map(|path| self.address(path)),
            ezbr_sha256: self.bundle_sha256.clone(),
        }
    }

    /// With the digest of the bundle made of its version's sources. Other files are in a folder of this version.
    pub(crate) fn bundled(self, cx: &Cx<'_>) -> Stored {
        if function_body::bundle_sha256(cx, &self) == self.bundle_sha256 {
            return self;
        }
        let moved = Stored { files_of: self.version, ..self };
        Stored { bundle_sha256: function_body::bundle_sha256(cx, &moved), ..moved }
    }

    /// Marks the digest that the caller has `given` as ignored if the bundle has another one. `part` of the request has the field.
    pub(crate) fn compare_digest(&self, cx: &Cx<'_>, given: Option<&str>, part: &str) -> Result<(), Error> {
        match given {
            Some(given) if self.bundle_sha256.as_ref().is_none_or(|own| !own.eq_ignore_ascii_case(given)) => {
                cx.without_effect(|| format!("{part}.ezbr_sha256"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn save(self, cx: &Cx<'_>) -> Stored {
        let saved = Stored { changed_by_call: cx.call, ..self }.bundled(cx);
        cx.db.run(
            "INSERT OR REPLACE INTO function VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            rusqlite::params![
                saved.project,
                saved.slug,
                saved.id,
                saved.name,
                text_of(&saved.status),
                saved.version,
                saved.created_at,
                saved.updated_at,
                saved.verify_jwt,
                saved.import_map,
                saved.entrypoint,
                saved.import_map_path,
                saved.changed_by_call as i64,
                saved.bundle_sha256,
                saved.files_of,
            ],
        );
        saved
    }
}

/// Deploys a function of another project: `sources` becomes the next version of the function with the same
/// slug.
pub(crate) fn deploy_copy(cx: &Cx<'_>, project: &Row, mut other: Stored, sources: &Sources) {
    other.keep_paths_relative();
    let before = find(cx, project, &other.slug);
    let base = before.clone().unwrap_or_else(|| Stored::new(cx, project, &other.slug));
    let after = Stored {
        name: other.name,
        status: base.status.on(Event::Deploy).expect("new sources make any function run"),
        version: before.as_ref().map_or(1, |before| before.version.saturating_add(1)),
        updated_at: cx.now.as_millisecond(),
        verify_jwt: other.verify_jwt,
        import_map: other.import_map,
        entrypoint: other.entrypoint,
        import_map_path: other.import_map_path,
        ..base
    };
    function_body::store(cx, after.key(), &after.id, after.version, sources);
    function_body::settle(cx, after.key(), before.map(|before| before.version), after.version);
    after.save(cx);
}

/// The project's functions, by slug.
pub(crate) fn all(cx: &Cx<'_>, project: &Row) -> Vec<Stored> {
    let sql = format!("SELECT {COLUMNS} FROM function WHERE project = ?1 ORDER BY slug");
    cx.db.all(&sql, (&project.r#ref,), Stored::read)
}

/// The function, or 404.
pub(crate) fn load(cx: &Cx<'_>, project: &Row, slug: &str) -> Result<Stored, Error> {
    find(cx, project, slug).ok_or_else(|| Error::not_found("function", slug))
}

pub(crate) fn find(cx: &Cx<'_>, project: &Row, slug: &str) -> Option<Stored> {
    let sql = format!("SELECT {COLUMNS} FROM function WHERE project = ?1 AND slug = ?2");
    cx.db.maybe(&sql, (&project.r#ref, slug), Stored::read)
}
