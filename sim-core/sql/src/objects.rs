//! The objects of a catalog, by identifier. Clones share all objects; a change copies only the changed object.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalog::{Object, Oid};

/// Objects in the order of their identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects(BTreeMap<Oid, Arc<Object>>);

impl Objects {
    pub(crate) fn get(&self, oid: &Oid) -> Option<&Object> {
        self.0.get(oid).map(|object| &**object)
    }

    pub(crate) fn get_mut(&mut self, oid: &Oid) -> Option<&mut Object> {
        self.0.get_mut(oid).map(Arc::make_mut)
    }

    pub(crate) fn insert(&mut self, oid: Oid, object: Object) {
        self.0.insert(oid, Arc::new(object));
    }

    pub(crate) fn remove(&mut self, oid: &Oid) {
        self.0.remove(oid);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Oid, &Object)> {
        self.0.iter().map(|(oid, object)| (oid, &**object))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Object> {
        self.0.values().map(|object| &**object)
    }

    /// The objects that differ from `before`, in the order of their identifiers; `None` for a removed object.
    pub(crate) fn differences(&self, before: &Objects) -> Vec<(Oid, Option<&Object>)> {
        let mut found = Vec::new();
        let (mut new, mut old) = (self.0.iter().peekable(), before.0.iter().peekable());
        loop {
            let (oid, is_new, is_old) = match (new.peek(), old.peek()) {
                (None, None) => return found,
                (Some((oid, _)), None) => (**oid, true, false),
                (None, Some((oid, _))) => (**oid, false, true),
                (Some((new, _)), Some((old, _))) => (**new.min(old), new <= old, old <= new),
            };
            let new = if is_new { new.next() } else { None };
            let old = if is_old { old.next() } else { None };
            let same = new.zip(old).is_some_and(|((_, new), (_, old))| Arc::ptr_eq(new, old) || new == old);
            if !same {
                found.push((oid, new.map(|(_, object)| &**object)));
            }
        }
    }
}
