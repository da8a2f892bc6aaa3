//! The parameters of a client's statement: types that it has declared, and types that follow from their places.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::Parameter;
use crate::catalog::Catalog;
use crate::types::Type;

/// Begins and ends the text that stands for a parameter whose type is being asked for. No text of a client contains it.
const MARK: char = '\0';

/// What is known of the parameters of a statement.
#[derive(Debug)]
pub(crate) struct Placeholders {
    declared: Vec<Option<Type>>,
    /// The types that follow from the places of the others.
    found: RefCell<BTreeMap<usize, Type>>,
    /// Whether the statement is only described.
    pub(crate) describes: bool,
}

impl Placeholders {
    /// Those of a statement that runs.
    pub(super) fn given(catalog: &Catalog, parameters: &[Parameter]) -> Rc<Placeholders> {
        let declared = parameters.iter().map(|parameter| known(catalog, parameter.type_oid)).collect();
        Rc::new(Placeholders { declared, found: RefCell::default(), describes: false })
    }

    /// Those of a statement with `count` parameters that is described.
    pub(crate) fn asked(catalog: &Catalog, types: &[u32], count: usize) -> Rc<Placeholders> {
        let declared = |index| known(catalog, types.get(index).copied().unwrap_or(0));
        let declared = (0..count).map(declared).collect();
        Rc::new(Placeholders { declared, found: RefCell::default(), describes: true })
    }

    /// The declared type of a parameter, counted from zero.
    pub(crate) fn declared(&self, index: usize) -> Option<Type> {
        *self.declared.get(index)?
    }

    /// The text that stands for a parameter without a declared type.
    pub(crate) fn mark(index: usize) -> String {
        format!("{MARK}{index}{MARK}")
    }

    /// Notes the type of the parameter that `text` stands for; whether it stands for one.
    pub(crate) fn find(&self, text: &str, type_: Type) -> bool {
        let inner = text.strip_prefix(MARK).and_then(|rest| rest.strip_suffix(MARK));
        let Some(index) = inner.filter(|_| self.describes).and_then(|inner| inner.parse().ok()) else {
            return false;
        };
        self.found.borrow_mut().entry(index).or_insert(type_);
        true
    }

    /// The types of all parameters. One that has its type from nowhere is a text.
    pub(super) fn types(&self) -> Vec<u32> {
        let found = self.found.borrow();
        let type_of = |(index, declared): (usize, &Option<Type>)| {
            declared.or_else(|| found.get(&index).copied()).unwrap_or(Type::TEXT).0
        };
        self.declared.iter().enumerate().map(type_of).collect()
    }
}

/// The type of an identifier; `None` if the client leaves the type open.
fn known(catalog: &Catalog, oid: u32) -> Option<Type> {
    let type_ = Type(oid);
    let is_known = type_.builtin().is_some()
        || type_.element().is_some_and(|element| !element.is_user() || catalog.has_type(element))
        || catalog.has_type(type_);
    (is_known && type_ != Type::UNKNOWN).then_some(type_)
}
