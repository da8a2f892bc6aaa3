//! Casts that a project has made, as recorded objects.

use std::collections::BTreeMap;

use super::{Catalog, Oid, Recorded, RecordedKind};
use crate::cast::Context;
use crate::types::Type;

/// A cast between two types of which one is the project's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnCast {
    pub(crate) source: Type,
    pub(crate) target: Type,
    pub(crate) context: Context,
    /// Whether it reads the text of a value, and calls no function.
    pub(crate) through_text: bool,
}

impl OwnCast {
    /// The cast that a recorded object is, if it is one.
    pub(crate) fn of(recorded: &Recorded) -> Option<OwnCast> {
        if recorded.kind != RecordedKind::Cast {
            return None;
        }
        let type_ = |word: &str| recorded.words.get(word).and_then(|oid| oid.parse().ok()).map(Type);
        Some(OwnCast {
            source: type_("source")?,
            target: type_("target")?,
            context: Context::of_letter(recorded.words.get("context").map_or("", String::as_str)),
            through_text: recorded.of.is_none(),
        })
    }

    /// What is recorded of it.
    pub(crate) fn words(&self) -> BTreeMap<String, String> {
        let word = |name: &str, value: String| (name.to_owned(), value);
        let context = self.context.letter().to_owned();
        let (source, target) = (self.source.0.to_string(), self.target.0.to_string());
        [word("source", source), word("target", target), word("context", context)].into_iter().collect()
    }
}

impl Catalog {
    /// The casts, each with its identifier and its function.
    pub(crate) fn own_casts(&self) -> impl Iterator<Item = (Oid, OwnCast, Option<Oid>)> {
        let casts = self.recorded(RecordedKind::Cast);
        casts.filter_map(|(oid, recorded)| Some((oid, OwnCast::of(recorded)?, recorded.of)))
    }

    pub(crate) fn own_cast(&self, source: Type, target: Type) -> Option<(Oid, OwnCast, Option<Oid>)> {
        if !source.is_user() && !target.is_user() {
            return None;
        }
        self.own_casts().find(|(_, cast, _)| (cast.source, cast.target) == (source, target))
    }
}
