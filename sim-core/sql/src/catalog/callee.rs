//! Which routine a call means.

use std::borrow::Cow;

use super::{Catalog, Object, Oid, Routine};
use crate::types::Type;
use crate::value::range;

/// The routine that a call means, with types in place of `anyelement` and similar types.
pub(crate) struct Callee {
    pub(crate) number: CallNumber,
    pub(crate) routine: Routine,
}

/// How the text of a query names a routine: its OID in the lower half, and in the upper half the type that stands for `anyelement`,
/// or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallNumber(pub(crate) i64);

impl CallNumber {
    pub(crate) fn new(oid: Oid, element: Option<Type>) -> CallNumber {
        let element = element.map_or(0, |element| i64::from(element.0));
        CallNumber(element << 32 | i64::from(oid))
    }

    pub(crate) fn oid(self) -> Oid {
        (self.0 & i64::from(u32::MAX)) as Oid
    }

    fn element(self) -> Option<Type> {
        Some(Type((self.0 >> 32) as u32)).filter(|element| element.0 > 0)
    }
}

impl Catalog {
    /// The routine that a call in the text of a query runs.
    pub(crate) fn callee(&self, number: CallNumber) -> Option<Cow<'_, Routine>> {
        let Object::Routine(routine) = self.objects.get(&number.oid())? else { return None };
        Some(match number.element() {
            Some(element) => Cow::Owned(routine.of_element(element)),
            None => Cow::Borrowed(routine),
        })
    }
}

impl Routine {
    /// Whether its calls decide its types.
    pub(crate) fn is_polymorphic(&self) -> bool {
        self.arguments.iter().any(|argument| argument.type_.is_polymorphic())
    }

    /// The routine with `element` for `anyelement` and similar types.
    pub(crate) fn of_element(&self, element: Type) -> Routine {
        let mut routine = self.clone();
        routine.returns = of_element(self.returns, element);
        for argument in &mut routine.arguments {
            argument.type_ = of_element(argument.type_, element);
        }
        if let Some(aggregation) = &mut routine.aggregation {
            aggregation.state = of_element(aggregation.state, element);
        }
        routine
    }
}

/// The type of each argument that a variadic one of type `declared` collects.
pub(crate) fn repeated_type(declared: Type) -> Type {
    match declared {
        Type::ANYARRAY => Type::ANYELEMENT,
        Type::ANYCOMPATIBLEARRAY => Type::ANYCOMPATIBLE,
        array => array.element().unwrap_or(array),
    }
}

/// The type that a placeholder of a signature stands for.
pub(crate) fn of_element(declared: Type, element: Type) -> Type {
    match declared {
        Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY => element.array().unwrap_or(declared),
        Type::ANYRANGE | Type::ANYCOMPATIBLERANGE => range::over(element).map_or(declared, |kind| kind.range),
        Type::ANYMULTIRANGE | Type::ANYCOMPATIBLEMULTIRANGE => {
            range::over(element).map_or(declared, |kind| kind.multirange)
        }
        declared if declared.is_polymorphic() => element,
        declared => declared,
    }
}
