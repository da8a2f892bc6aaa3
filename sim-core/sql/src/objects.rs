//! The objects of a catalog, by identifier and by name. Clones share all objects; a change copies the changed object and a small
//! part of the lists around it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::catalog::{Object, Oid, RecordedKind};

/// Objects in the order of their identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    /// The objects, in chunks of neighbouring identifiers: a change copies one chunk, and the list of chunks.
    chunks: BTreeMap<Oid, Arc<Chunk>>,
    names: Names,
    /// The objects of the kinds of which there are few however large a database is.
    few: Arc<BTreeMap<Few, BTreeSet<Oid>>>,
    /// Objects that were borrowed for a change, which may change their names. Their names are not in `names`.
    changed: BTreeSet<Oid>,
}

/// The kinds of which there are few: all but relations, types and routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Few {
    Schema,
    Publication,
    Extension,
    Role,
    DefaultAcl,
    TextSearch,
    Recorded(RecordedKind),
    SessionStart,
    Database,
}

impl Few {
    fn of(object: &Object) -> Option<Few> {
        Some(match object {
            Object::Relation(_) | Object::Type(_) | Object::Routine(_) => return None,
            Object::Schema(_) => Few::Schema,
            Object::Publication(_) => Few::Publication,
            Object::Extension(_) => Few::Extension,
            Object::Role(_) => Few::Role,
            Object::DefaultAcl(_) => Few::DefaultAcl,
            Object::TextSearch(_) => Few::TextSearch,
            Object::Recorded(recorded) => Few::Recorded(recorded.kind),
            Object::SessionStart(_) => Few::SessionStart,
            Object::Database(_) => Few::Database,
        })
    }
}

type Chunk = BTreeMap<Oid, Arc<Object>>;

/// The identifiers of a chunk.
const CHUNK: Oid = 256;

impl Objects {
    pub(crate) fn get(&self, oid: &Oid) -> Option<&Object> {
        self.chunks.get(&(oid / CHUNK))?.get(oid).map(|object| &**object)
    }

    pub(crate) fn get_mut(&mut self, oid: &Oid) -> Option<&mut Object> {
        let object = Arc::make_mut(self.chunks.get_mut(&(oid / CHUNK))?).get_mut(oid)?;
        if self.changed.insert(*oid) {
            self.names.remove(*oid, object);
        }
        Some(Arc::make_mut(object))
    }

    pub(crate) fn insert(&mut self, oid: Oid, object: Object) {
        self.remove(&oid);
        self.names.insert(oid, &object);
        if let Some(kind) = Few::of(&object) {
            Arc::make_mut(&mut self.few).entry(kind).or_default().insert(oid);
        }
        Arc::make_mut(self.chunks.entry(oid / CHUNK).or_default()).insert(oid, Arc::new(object));
    }

    pub(crate) fn remove(&mut self, oid: &Oid) {
        let Some(chunk) = self.chunks.get_mut(&(oid / CHUNK)).filter(|chunk| chunk.contains_key(oid)) else {
            return;
        };
        if let Some(kind) = chunk.get(oid).and_then(|object| Few::of(object)) {
            Arc::make_mut(&mut self.few).entry(kind).or_default().remove(oid);
        }
        let chunk = Arc::make_mut(chunk);
        if let Some(object) = chunk.remove(oid).filter(|_| !self.changed.remove(oid)) {
            self.names.remove(*oid, &object);
        }
        if chunk.is_empty() {
            self.chunks.remove(&(oid / CHUNK));
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Oid, &Object)> {
        self.chunks.values().flat_map(|chunk| chunk.iter()).map(|(oid, object)| (oid, &**object))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Object> {
        self.iter().map(|(_, object)| object)
    }

    /// The objects of a kind, in the order of their identifiers.
    pub(crate) fn few(&self, kind: Few) -> impl Iterator<Item = (&Oid, &Object)> {
        let oids = self.few.get(&kind).into_iter().flatten();
        oids.filter_map(|oid| self.get(oid).map(|object| (oid, object)))
    }

    /// The number of objects.
    pub(crate) fn len(&self) -> usize {
        self.chunks.values().map(|chunk| chunk.len()).sum()
    }

    /// Objects that may have this name, or an index of this name, in the order of their identifiers. No object that has it is missing.
    pub(crate) fn maybe_named(&self, name: &str) -> impl Iterator<Item = (Oid, &Object)> {
        let mut oids: Vec<Oid> = self.names.find(name).collect();
        if !self.changed.is_empty() {
            oids.extend(&self.changed);
            oids.sort_unstable();
            oids.dedup();
        }
        oids.into_iter().filter_map(move |oid| self.get(&oid).map(|object| (oid, object)))
    }

    /// Lists the names of the objects that were changed.
    pub(crate) fn settle(&mut self) {
        for oid in std::mem::take(&mut self.changed) {
            let object = self.chunks.get(&(oid / CHUNK)).and_then(|chunk| chunk.get(&oid)).cloned();
            object.iter().for_each(|object| self.names.insert(oid, object));
        }
    }

    /// The objects that differ from `before`, in the order of their identifiers; `None` for a removed object.
    pub(crate) fn differences(&self, before: &Objects) -> Vec<(Oid, Option<&Object>)> {
        let none = Arc::default();
        let numbers: BTreeSet<Oid> = self.chunks.keys().chain(before.chunks.keys()).copied().collect();
        let pairs = numbers.into_iter().map(|number| {
            (self.chunks.get(&number).unwrap_or(&none), before.chunks.get(&number).unwrap_or(&none))
        });
        let mut found = Vec::new();
        for (new, old) in pairs.filter(|(new, old)| !Arc::ptr_eq(new, old)) {
            let oids: BTreeSet<Oid> = new.keys().chain(old.keys()).copied().collect();
            for oid in oids {
                let (new, old) = (new.get(&oid), old.get(&oid));
                let same = new.zip(old).is_some_and(|(new, old)| Arc::ptr_eq(new, old) || new == old);
                if !same {
                    found.push((oid, self.get(&oid).filter(|_| new.is_some())));
                }
            }
        }
        found
    }
}

/// The objects that have a name, by the hash of the name. A change copies one of the parts.
#[derive(Clone, Debug, Default)]
struct Names(BTreeMap<u64, Arc<BTreeSet<(u64, Oid)>>>);

/// The number of parts.
const PARTS: u64 = 64;

impl Names {
    fn insert(&mut self, oid: Oid, object: &Object) {
        for hash in names(object).into_iter().map(hash) {
            Arc::make_mut(self.0.entry(hash % PARTS).or_default()).insert((hash, oid));
        }
    }

    fn remove(&mut self, oid: Oid, object: &Object) {
        for hash in names(object).into_iter().map(hash) {
            if let Some(part) = self.0.get_mut(&(hash % PARTS)) {
                Arc::make_mut(part).remove(&(hash, oid));
            }
        }
    }

    fn find(&self, name: &str) -> impl Iterator<Item = Oid> {
        let hash = hash(name);
        let part = self.0.get(&(hash % PARTS)).into_iter();
        part.flat_map(move |part| part.range((hash, 0)..=(hash, Oid::MAX)).map(|(_, oid)| *oid))
    }
}

/// The names by which an object is looked up.
fn names(object: &Object) -> Vec<&str> {
    match object {
        Object::Relation(relation) => {
            let indexes = relation.indexes.iter().map(|index| &*index.name);
            std::iter::once(&*relation.name).chain(indexes).collect()
        }
        Object::Schema(schema) => vec![&schema.name],
        Object::Type(user_type) => vec![&user_type.name],
        Object::Role(role) => vec![&role.name],
        Object::Routine(routine) => vec![&routine.name],
        _ => Vec::new(),
    }
}

/// FNV-1a.
fn hash(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
