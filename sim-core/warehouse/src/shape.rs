//! Which fields a value of an event can have.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The fields that a value can have, and theirs in turn. A list has those of its elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Any.
    #[default]
    Open,
    /// These. A value that is no record has none.
    Fields(Arc<BTreeMap<String, Shape>>),
}

impl Shape {
    /// The fields at these paths, whose names are separated by dots, and no others.
    pub fn of_paths<'p>(paths: impl IntoIterator<Item = &'p str>) -> Shape {
        let mut inside = BTreeMap::<&str, Vec<&str>>::new();
        for path in paths {
            let (first, rest) = path.split_once('.').unwrap_or((path, ""));
            let below = inside.entry(first).or_default();
            below.extend((!rest.is_empty()).then_some(rest));
        }
        inside.into_iter().map(|(name, below)| (name.to_owned(), Shape::of_paths(below))).collect()
    }

    /// The shape of a field; `None` if the value can't have it. Upper and lower case are the same.
    pub fn field(&self, name: &str) -> Option<Shape> {
        self.named(name).map(|(_, shape)| shape)
    }

    /// A field's name as it is stored, and its shape.
    pub(crate) fn named(&self, name: &str) -> Option<(String, Shape)> {
        match self {
            Shape::Open => Some((name.to_owned(), Shape::Open)),
            Shape::Fields(fields) => {
                let found = fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                found.map(|(name, shape)| (name.clone(), shape.clone()))
            }
        }
    }

    /// The shape of a value that has one of both.
    pub(crate) fn or(self, other: &Shape) -> Shape {
        let (Shape::Fields(one), Shape::Fields(more)) = (&self, other) else { return Shape::Open };
        if one == more {
            return self;
        }
        let mut fields = BTreeMap::clone(one);
        for (name, shape) in more.iter() {
            let both = fields.remove(name).map_or_else(|| shape.clone(), |known| known.or(shape));
            fields.insert(name.clone(), both);
        }
        fields.into_iter().collect()
    }
}

impl FromIterator<(String, Shape)> for Shape {
    fn from_iter<I: IntoIterator<Item = (String, Shape)>>(fields: I) -> Shape {
        Shape::Fields(Arc::new(fields.into_iter().collect()))
    }
}
