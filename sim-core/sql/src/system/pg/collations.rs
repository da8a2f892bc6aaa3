//! `pg_collation`: the collations of every server, those of its libraries that columns have, and the project's.

use serde_json::{Value as Json, json};

use super::{Rows, flag};
use crate::bind::Settings;
use crate::catalog::{Catalog, Oid, PG_CATALOG, RecordedKind};
use crate::collations::{OF_SERVER, numbered_others};
use crate::describe;

/// The encoding of databases.
const UTF8: i32 = 6;

fn row(
    (oid, name): (Oid, &str),
    (schema, owner): (Oid, Oid),
    (provider, encoding): (&str, i32),
    (collate, character): (Option<&str>, Option<&str>),
) -> Vec<Json> {
    let by_icu = provider == "i";
    vec![
        json!(oid),
        json!(name),
        json!(schema),
        json!(owner),
        json!(provider),
        flag(true),
        json!(encoding),
        json!(collate.filter(|_| !by_icu)),
        json!(character.filter(|_| !by_icu)),
        json!(collate.filter(|_| by_icu)),
    ]
}

pub(super) fn rows(catalog: &Catalog, _: &Settings) -> Rows {
    let system = (PG_CATALOG, 10);
    let of_server = OF_SERVER.iter().map(|(oid, name, provider, locale)| {
        let encoding = if name.contains("utf8") || *name == "ucs_basic" { UTF8 } else { -1 };
        row((*oid, name), system, (provider, encoding), (*locale, *locale))
    });
    let others = numbered_others(catalog).map(|(oid, name)| {
        match name.strip_suffix("-x-icu").or_else(|| (name == "unicode").then_some("und")) {
            Some(locale) => row((oid, name), system, ("i", -1), (Some(locale), Some(locale))),
            None => row((oid, name), system, ("c", UTF8), (Some(name), Some(name))),
        }
    });
    let own = catalog.recorded(RecordedKind::Collation).map(|(oid, known)| {
        let word = |word: &str| known.words.get(word).map(String::as_str);
        let provider = word("provider").unwrap_or("c");
        let encoding = word("encoding").and_then(|number| number.parse().ok()).unwrap_or(UTF8);
        let owner = describe::role_oid(catalog, &known.owner);
        row(
            (oid, &known.name),
            (known.schema.unwrap_or(PG_CATALOG), owner),
            (provider, encoding),
            (word("collate"), word("character")),
        )
    });
    of_server.chain(others).chain(own).collect()
}
