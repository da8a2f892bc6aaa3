//! Collations. Those of a server exist by name, projects create others; all texts sort by their bytes.

use serde::{Deserialize, Serialize};

use crate::bind::Binder;
use crate::catalog::{Catalog, Oid, PG_CATALOG, RecordedKind};
use crate::error::{Result, SqlError, SqlState};

/// The collation of a column or an index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Collation {
    /// The number of one that the project has created.
    own: Option<Oid>,
    /// The name of one of the server.
    name: String,
}

/// The collations of every server, with their numbers, providers and locales.
pub(crate) const OF_SERVER: [(Oid, &str, &str, Option<&str>); 5] = [
    (100, "default", "d", None),
    (950, "C", "c", Some("C")),
    (951, "POSIX", "c", Some("POSIX")),
    (12_341, "ucs_basic", "c", Some("C")),
    (12_342, "C.utf8", "c", Some("C.utf8")),
];

/// The number of the first collation of a library that a column has.
const OTHERS: Oid = 12_400;

/// Whether a server has a collation of this name: those of every one, of the library for Unicode, and of its operating system.
pub(crate) fn is_collation(name: &str) -> bool {
    let known = ["default", "C", "POSIX", "ucs_basic", "unicode", "C.utf8", "C.UTF-8"];
    known.contains(&name) || name.ends_with("-x-icu") || is_of_system(name)
}

/// Whether it is of the form `de_DE`, `de_DE.utf8` or `de_DE.UTF-8`.
pub(crate) fn is_of_system(name: &str) -> bool {
    let place = name.strip_suffix(".utf8").or_else(|| name.strip_suffix(".UTF-8")).unwrap_or(name);
    let Some((language, country)) = place.split_once('_') else { return false };
    let letters = |text: &str, is: fn(&char) -> bool| text.chars().all(|c| is(&c));
    (2..4).contains(&language.len())
        && country.len() == 2
        && letters(language, char::is_ascii_lowercase)
        && letters(country, char::is_ascii_uppercase)
}

impl Collation {
    pub(crate) fn is_own(&self, oid: Oid) -> bool {
        self.own == Some(oid)
    }

    /// The schema and the name.
    pub(crate) fn name<'c>(&'c self, catalog: &'c Catalog) -> (Oid, &'c str) {
        let own =
            self.own.and_then(|oid| catalog.recorded(RecordedKind::Collation).find(|known| known.0 == oid));
        own.map_or((PG_CATALOG, &*self.name), |(_, known)| (known.schema.unwrap_or(PG_CATALOG), &*known.name))
    }

    /// The number in the catalog.
    pub(crate) fn oid(&self, catalog: &Catalog) -> Oid {
        let of_server = || OF_SERVER.iter().find(|(_, name, ..)| *name == self.name).map(|(oid, ..)| *oid);
        self.own.or_else(of_server).unwrap_or_else(|| {
            let others = others(catalog);
            others.iter().position(|name| *name == self.name).map_or(0, |at| OTHERS + at as Oid)
        })
    }
}

/// The collations of libraries that columns have, by name.
pub(crate) fn others(catalog: &Catalog) -> Vec<&str> {
    let columns = catalog.relations().flat_map(|relation| &relation.columns);
    let used = columns.filter_map(|column| column.collation.as_ref()).filter(|used| used.own.is_none());
    let mut names: Vec<&str> = used.map(|used| &*used.name).collect();
    names.retain(|name| OF_SERVER.iter().all(|(_, known, ..)| known != name));
    names.sort_unstable();
    names.dedup();
    names
}

/// The collations of libraries that columns have, with their numbers.
pub(crate) fn numbered_others(catalog: &Catalog) -> impl Iterator<Item = (Oid, &str)> {
    (OTHERS..).zip(others(catalog))
}

impl Binder<'_> {
    /// A collation by name. Refuses one that is not there.
    pub(crate) fn collation(&self, schema: Option<&str>, name: &str) -> Result<Collation> {
        if is_collation(name) && schema.is_none_or(|schema| schema == "pg_catalog") {
            return Ok(Collation { own: None, name: name.to_owned() });
        }
        let schemas = match schema.map(|name| (name, self.catalog.schema_named(name))) {
            Some((_, Some(schema))) => vec![schema],
            Some((name, None)) => {
                let message = format!("schema \"{name}\" does not exist");
                return Err(SqlError::new(SqlState::INVALID_SCHEMA, message));
            }
            None => self.function_path(),
        };
        let known = |schema: Oid| {
            let mut own = self.catalog.recorded(RecordedKind::Collation);
            own.find(|(_, known)| known.schema == Some(schema) && known.name == name)
        };
        if let Some((oid, _)) = schemas.into_iter().find_map(known) {
            return Ok(Collation { own: Some(oid), name: String::new() });
        }
        let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
        let message = format!("collation \"{shown}\" for encoding \"UTF8\" does not exist");
        Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message))
    }
}
