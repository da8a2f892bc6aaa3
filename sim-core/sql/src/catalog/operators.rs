//! Operators that a project has made, as recorded objects.

use super::{Catalog, Oid, Recorded, RecordedKind};
use crate::types::Type;

/// An operator: its operands' types, of which a prefix has only the right one, and its function.
#[derive(Clone, Debug)]
pub(crate) struct OwnOperator<'c> {
    pub(crate) oid: Oid,
    pub(crate) symbol: &'c str,
    pub(crate) schema: Oid,
    pub(crate) left: Option<Type>,
    pub(crate) right: Type,
    pub(crate) function: Oid,
    pub(crate) recorded: &'c Recorded,
}

impl OwnOperator<'_> {
    /// The operator that a recorded object is, if it is one.
    pub(crate) fn of(oid: Oid, recorded: &Recorded) -> Option<OwnOperator<'_>> {
        if recorded.kind != RecordedKind::Operator {
            return None;
        }
        let type_ = |word: &str| recorded.words.get(word).and_then(|oid| oid.parse().ok()).map(Type);
        Some(OwnOperator {
            oid,
            symbol: &recorded.name,
            schema: recorded.schema?,
            left: type_("left"),
            right: type_("right")?,
            function: recorded.of?,
            recorded,
        })
    }

    /// The types of its operands.
    pub(crate) fn types(&self) -> Vec<Type> {
        self.left.into_iter().chain([self.right]).collect()
    }
}

impl Catalog {
    pub(crate) fn own_operators(&self) -> impl Iterator<Item = OwnOperator<'_>> {
        self.recorded(RecordedKind::Operator).filter_map(|(oid, recorded)| OwnOperator::of(oid, recorded))
    }
}
