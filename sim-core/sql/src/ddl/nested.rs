//! A bound for rows within rows. To read, write or compare a row takes an expression for each of its fields, and for each field of
//! the rows within; where types use others twice, there would be countless ones.

use crate::catalog::{Catalog, Object, TypeDefinition, UserType};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// The greatest number of fields of a type, table or view in which there are rows, with the fields of these.
const FIELDS_MAX: usize = 4_000;

/// Refuses a definition if a type, table or view has too many fields with it.
pub(super) fn require_few_fields(before: &Catalog, after: &Catalog) -> Result<()> {
    let mut is_changed = false;
    for (oid, object) in after.objects.differences(&before.objects) {
        match (before.objects.get(&oid).map(types), object) {
            (None, Some(object)) => require_few(after, object)?,
            (Some(old), Some(new)) => is_changed |= old != types(new),
            (_, None) => {}
        }
    }
    if is_changed {
        // Any other may use it.
        after.objects.iter().try_for_each(|(_, object)| require_few(after, object))?;
    }
    Ok(())
}

fn require_few(catalog: &Catalog, object: &Object) -> Result<()> {
    let (name, types) = types(object);
    if !types.iter().any(|of| of.is_user()) {
        return Ok(());
    }
    let mut count = 0;
    for of in types {
        count += fields(catalog, of, FIELDS_MAX);
        if count > FIELDS_MAX {
            let message =
                format!("\"{name}\" would have more than {FIELDS_MAX} fields, with those of the rows within");
            return Err(SqlError::new(SqlState::new("54011"), message));
        }
    }
    Ok(())
}

/// The name of a type, table or view, and the types of its fields; of others there are none.
fn types(object: &Object) -> (&str, Vec<Type>) {
    match object {
        Object::Relation(relation) => {
            (&relation.name, relation.columns.iter().map(|column| column.type_.base).collect())
        }
        Object::Type(UserType { name, definition: TypeDefinition::Composite { attributes }, .. }) => {
            (name, attributes.iter().map(|attribute| attribute.type_.base).collect())
        }
        _ => ("", Vec::new()),
    }
}

/// The fields of a value of the type, with those within; counted up to a bound.
fn fields(catalog: &Catalog, of: Type, bound: usize) -> usize {
    let of = catalog.base_type(of);
    let of = of.element().map_or(of, |element| catalog.base_type(element));
    let attributes = if of.is_user() { catalog.attributes(of) } else { None };
    let mut count = 1;
    for attribute in attributes.into_iter().flatten() {
        if count >= bound {
            break;
        }
        count += fields(catalog, attribute.type_.base, bound - count);
    }
    count
}
