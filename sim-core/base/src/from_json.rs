//! What `#[derive(FromJson)]` stands on: `Deserialize` of structs and of enums without values.
//!
//! The code that serde derives is generic: each crate that reads a type compiles it anew, and for the hundreds of types of an API it is
//! most of what the compiler does. Here the generic part is written once. It reads a struct's fields as JSON values, of which the derived
//! code, which is not generic, makes the struct.

use std::fmt;

use serde::de::{
    self, DeserializeOwned, Deserializer, EnumAccess, IgnoredAny, MapAccess, VariantAccess as _, Visitor,
};
use serde_json::{Error, Value};

/// A struct that is made of its fields. `#[derive(FromJson)]` implements it.
pub trait FromJson: Sized {
    /// Its name.
    const NAME: &'static str;
    /// The names of its fields on the wire.
    const FIELDS: &'static [&'static str];
    /// Whether other fields are refused, or else ignored.
    const CLOSED: bool;

    /// Makes it of its fields, which have the order of [`FromJson::FIELDS`].
    ///
    /// Fails with the message that serde has when a field is missing or of another type.
    fn from_fields(fields: Fields) -> Result<Self, Error>;
}

/// Reads a struct.
///
/// Fails as [`FromJson::from_fields`], and for a field that occurs twice.
pub fn structure<'de, T: FromJson, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let mut made = None;
    let make: &mut dyn Make = &mut Made::<T>(&mut made);
    let fields = Structure { name: T::NAME, names: T::FIELDS, closed: T::CLOSED, make };
    deserializer.deserialize_struct(T::NAME, T::FIELDS, fields)?;
    // No combinators or `?` where a type is known: they would be compiled anew for each.
    match made {
        Some(made) => Ok(made),
        None => unreachable!("the deserializer has read a struct"),
    }
}

/// A place for a struct.
struct Made<'m, T>(&'m mut Option<T>);

/// Makes the struct of its fields.
trait Make {
    fn make(&mut self, fields: Fields) -> Result<(), Error>;
}

impl<T: FromJson> Make for Made<'_, T> {
    fn make(&mut self, fields: Fields) -> Result<(), Error> {
        match T::from_fields(fields) {
            Ok(made) => *self.0 = Some(made),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// The fields of a struct, of which some may be left out.
#[derive(Debug)]
pub struct Fields {
    names: &'static [&'static str],
    values: Vec<Option<Value>>,
}

impl Fields {
    /// Takes the value of a field out.
    pub fn take(&mut self, index: usize) -> Option<Value> {
        self.values[index].take()
    }

    /// A field that must be there.
    ///
    /// Fails if it is not, or is of another type.
    pub fn required<T: DeserializeOwned>(&mut self, index: usize) -> Result<T, Error> {
        match self.take(index) {
            Some(value) => T::deserialize(value),
            None => Err(self.missing(index)),
        }
    }

    /// A field that may be left out.
    ///
    /// Fails if it is of another type.
    pub fn or<T: DeserializeOwned>(&mut self, index: usize, default: fn() -> T) -> Result<T, Error> {
        match self.take(index) {
            Some(value) => T::deserialize(value),
            None => Ok(default()),
        }
    }

    /// The error of a field that is not there.
    pub fn missing(&self, index: usize) -> Error {
        de::Error::missing_field(self.names[index])
    }
}

/// Reads fields and passes them on. It is the same for all structs.
struct Structure<'f> {
    name: &'static str,
    names: &'static [&'static str],
    closed: bool,
    make: &'f mut dyn Make,
}

impl<'de> Visitor<'de> for Structure<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let names = self.names;
        let mut values = vec![None; names.len()];
        while let Some(found) =
            map.next_key_seed(Name { names, kind: Kind::Field { closed: self.closed } })?
        {
            match found {
                Some(index) if values[index].is_some() => {
                    return Err(de::Error::duplicate_field(names[index]));
                }
                Some(index) => values[index] = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        self.make.make(Fields { names, values }).map_err(de::Error::custom)
    }
}

/// Reads the name of a variant, and returns its index in `names`.
///
/// Fails if there is no such variant.
pub fn variant<'de, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
    names: &'static [&'static str],
) -> Result<usize, D::Error> {
    deserializer.deserialize_enum(name, names, Variant { name, names })
}

struct Variant {
    name: &'static str,
    names: &'static [&'static str],
}

impl<'de> Visitor<'de> for Variant {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "enum {}", self.name)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<usize, A::Error> {
        let (index, variant) = access.variant_seed(Name { names: self.names, kind: Kind::Variant })?;
        variant.unit_variant()?;
        Ok(index.expect("another name is refused"))
    }
}

/// The index of a name in a list; `None` for another one.
#[derive(Clone, Copy)]
struct Name {
    names: &'static [&'static str],
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Field { closed: bool },
    Variant,
}

impl<'de> de::DeserializeSeed<'de> for Name {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Field { .. } => "field identifier",
            Kind::Variant => "variant identifier",
        })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Option<usize>, E> {
        let index = self.names.iter().position(|name| *name == text);
        match (index, self.kind) {
            (None, Kind::Field { closed: true }) => Err(E::unknown_field(text, self.names)),
            (None, Kind::Variant) => Err(E::unknown_variant(text, self.names)),
            _ => Ok(index),
        }
    }
}
