//! Operator classes: the ways in which the methods of indexes look at the values of a type.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::facts::is_binary_coercible;
use super::pg::{METHODS, flag};
use crate::catalog::{Catalog, IndexKey, Oid, PG_CATALOG, TypeDefinition};
use crate::types::Type;
use crate::value::range::is_several;

/// An operator class.
#[derive(Clone, Copy)]
struct Class {
    oid: Oid,
    method: Oid,
    name: &'static str,
    schema: Oid,
    family: Oid,
    type_: Type,
    default: bool,
    key_type: Oid,
    /// The extension that it is of.
    extension: Option<Oid>,
}

impl Class {
    fn row(&self) -> Vec<Json> {
        vec![
            json!(self.oid),
            json!(self.method),
            json!(self.name),
            json!(self.schema),
            json!(10),
            json!(self.family),
            json!(self.type_.0),
            flag(self.default),
            json!(self.key_type),
        ]
    }
}

/// The classes that come with the server.
static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let number = |place: usize| parts.get(place).and_then(|part| part.parse().ok()).unwrap_or(0);
        Class {
            oid: number(0),
            method: number(1),
            name: parts[2],
            schema: PG_CATALOG,
            family: number(5),
            type_: Type(number(6)),
            default: parts[7] == "t",
            key_type: number(8),
            extension: None,
        }
    };
    include_str!("pg_opclass.txt").lines().map(read).collect()
});

/// The classes of extensions, each with the name of its extension.
static OF_EXTENSIONS: LazyLock<Vec<(&str, Class)>> = LazyLock::new(|| {
    let read = |(line, oid): (&'static str, Oid)| {
        let [of, method, name, type_, default] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let class = Class {
            oid,
            method: method_named(method),
            name,
            schema: PG_CATALOG,
            family: 0,
            type_: type_named(type_)?,
            default: default == "t",
            key_type: 0,
            extension: None,
        };
        Some((of, class))
    };
    include_str!("extension_classes.txt").lines().zip(FIRST..).filter_map(read).collect()
});

/// The first identifier of a class of an extension.
const FIRST: Oid = 13_500;

fn type_named(name: &str) -> Option<Type> {
    match name.strip_suffix("[]") {
        Some(element) => Type::named(element)?.array(),
        None if name == "anyenum" => Some(Type::ANYENUM),
        None if name == "\"char\"" => Some(Type::QCHAR),
        None => Type::named(name),
    }
}

/// The rows of `pg_opclass`.
pub(super) fn rows(catalog: &Catalog) -> Vec<Vec<Json>> {
    CLASSES.iter().chain(&Classes::of(catalog).of_extensions).map(Class::row).collect()
}

/// The operator classes of a database.
pub(super) struct Classes {
    of_extensions: Vec<Class>,
}

/// The class of a key of an index, where it has one that fits.
pub(crate) enum Fit {
    Default,
    Other,
    /// No class of this name is there for the method.
    Unknown,
    /// The class that it names is for other types.
    Unfit,
    /// Its type has no default class.
    NoDefault,
}

/// How an operator class fits a type: the one that has this name, in a schema if one is named, or the default one.
pub(crate) fn fit_of_class(
    catalog: &Catalog,
    method: &str,
    (schema, name): (Option<Oid>, Option<&str>),
    type_: Type,
) -> Fit {
    let classes = Classes::of(catalog);
    let type_ = catalog.base_type(type_);
    let default = classes.default_of(catalog, method, type_);
    let Some(name) = name else { return if default.is_some() { Fit::Default } else { Fit::NoDefault } };
    let mut named = classes.of_method(method).filter(|class| class.name == name);
    match named.find(|class| schema.is_none_or(|schema| class.schema == schema)) {
        None => Fit::Unknown,
        Some(class) if !accepts(catalog, class.type_, type_) => Fit::Unfit,
        Some(class) if default.is_some_and(|default| default.oid == class.oid) => Fit::Default,
        Some(_) => Fit::Other,
    }
}

/// The schema of the extension that an operator class belongs to.
pub(crate) fn schema_of_class(catalog: &Catalog, name: &str) -> Option<Oid> {
    let classes = Classes::of(catalog);
    classes.of_extensions.iter().find(|class| class.name == name).map(|class| class.schema)
}

impl Classes {
    pub(super) fn of(catalog: &Catalog) -> Classes {
        let created: BTreeMap<&str, (Oid, Oid)> =
            catalog.extensions().map(|(oid, known)| (known.name.as_str(), (oid, known.schema))).collect();
        let class = |(of, class): &(&str, Class)| {
            let (extension, schema) = *created.get(of)?;
            Some(Class { schema, extension: Some(extension), ..*class })
        };
        Classes { of_extensions: OF_EXTENSIONS.iter().filter_map(class).collect() }
    }

    /// The classes of extensions, each with its extension.
    pub(super) fn extensions(&self) -> impl Iterator<Item = (Oid, Oid)> {
        self.of_extensions.iter().filter_map(|class| Some((class.oid, class.extension?)))
    }

    fn of_method(&self, method: &str) -> impl Iterator<Item = &Class> {
        let method = method_named(method);
        CLASSES.iter().chain(&self.of_extensions).filter(move |class| class.method == method)
    }

    /// The class of a key of an index: the one that it names, or the default one of its type.
    pub(super) fn of_key(&self, catalog: &Catalog, method: &str, key: &IndexKey, type_: Type) -> Oid {
        let found = match key.class_name() {
            Some(name) => {
                let name = name.rsplit('.').next().unwrap_or(name).trim_matches('"');
                self.of_method(method).find(|class| class.name == name)
            }
            None => self.default_of(catalog, method, type_),
        };
        found.map_or(0, |class| class.oid)
    }

    /// The default class of a type: the one declared for it, or for a type that its values are of as they are.
    fn default_of(&self, catalog: &Catalog, method: &str, type_: Type) -> Option<&Class> {
        let base = catalog.base_type(type_);
        let mut exact = self.of_method(method).filter(|class| class.default && class.type_ == base);
        exact.next().or_else(|| {
            let accepting = |class: &&Class| class.default && accepts(catalog, class.type_, type_);
            let fitting: Vec<&Class> = self.of_method(method).filter(accepting).collect();
            match fitting[..] {
                [only] => Some(only),
                _ => fitting.into_iter().find(|class| class.type_ == Type::TEXT),
            }
        })
    }
}

fn method_named(name: &str) -> Oid {
    METHODS.iter().find(|(_, method)| *method == name).map_or(0, |(oid, _)| *oid)
}

/// Whether a class for one type can be that of a key of another.
fn accepts(catalog: &Catalog, class: Type, type_: Type) -> bool {
    let base = catalog.base_type(type_);
    let definition = catalog.user_type(base).map(|known| &known.definition);
    match class {
        Type::ANYARRAY => base.element().is_some(),
        Type::ANYENUM => matches!(definition, Some(TypeDefinition::Enum { .. })),
        Type::RECORD => {
            base == Type::RECORD
                || matches!(definition, Some(TypeDefinition::Composite { .. } | TypeDefinition::Row { .. }))
        }
        Type::ANYRANGE => base.category() == 'R' && !is_several(base),
        Type::ANYMULTIRANGE => base.category() == 'R' && is_several(base),
        Type::OID if base.is_reg() => true,
        Type::TEXT if base == Type::CITEXT => true,
        _ => class == base || is_binary_coercible(base, class),
    }
}
