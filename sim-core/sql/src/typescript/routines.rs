//! Functions.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::Generator;
use super::layout::{Lines, key, order, quoted};
use crate::catalog::{Oid, Relation, Routine, TypeDefinition};
use crate::types::Type;

impl Generator<'_> {
    pub(super) fn functions(&self, lines: &mut Lines, schema: Oid) -> usize {
        let callable: Vec<Cow<'_, Routine>> = self.callable(schema).collect();
        let mut by_name: BTreeMap<_, Vec<&Routine>> = BTreeMap::new();
        for routine in &callable {
            by_name.entry((order(&routine.name), &routine.name)).or_default().push(routine);
        }
        for ((_, name), overloads) in &by_name {
            lines.open(&format!("{}: ", key(name)));
            self.arguments(lines, overloads);
            self.returns(lines, overloads[0]);
            if self.internals.is_some() {
                self.embedding(lines, overloads[0]);
            }
            lines.close("");
        }
        by_name.len()
    }

    /// The functions that a client can call: those with names for all arguments, or with a single argument.
    fn callable(&self, schema: Oid) -> impl Iterator<Item = Cow<'_, Routine>> {
        let members: BTreeSet<Oid> =
            self.catalog.extensions().flat_map(|(_, extension)| extension.members.iter().copied()).collect();
        let all = self.catalog.shown_routines();
        // Of the functions of a stand-in, those that begin so are its own.
        let of_stand_in = move |(oid, routine): &(Oid, Cow<'_, Routine>)| {
            routine.name.starts_with('_') && members.contains(oid)
        };
        let of_service = all.filter(move |found| !of_stand_in(found)).map(|(_, routine)| routine);
        of_service.filter(move |routine| {
            let named = routine.inputs().all(|argument| argument.name.is_some());
            routine.schema == schema
                && !routine.procedure
                && routine.aggregation.is_none()
                && !matches!(routine.returns, Type::TRIGGER | Type::EVENT_TRIGGER)
                && (named || routine.inputs().count() == 1)
        })
    }

    fn arguments(&self, lines: &mut Lines, overloads: &[&Routine]) {
        if overloads.iter().all(|routine| routine.inputs().next().is_none()) {
            let nothing = if self.internals.is_some() { "never" } else { "Record<PropertyKey, never>" };
            return lines.line(&format!("Args: {nothing}"));
        }
        let alternatives: Vec<Vec<String>> = overloads
            .iter()
            .map(|routine| {
                let arguments = routine.inputs().map(|argument| {
                    let mark = if argument.default.is_some() { "?" } else { "" };
                    let name = key(argument.name.as_deref().unwrap_or(""));
                    format!("{name}{mark}: {}", self.type_(argument.type_))
                });
                arguments.collect()
            })
            .collect();
        lines.object("Args", &alternatives);
    }

    fn returns(&self, lines: &mut Lines, routine: &Routine) {
        let many = if routine.returns_set { "[]" } else { "" };
        let columns: Vec<_> =
            routine.arguments.iter().filter(|argument| matches!(argument.mode, 't' | 'o' | 'b')).collect();
        let of_relation = self.relation_of(routine.returns);
        let mut members: Vec<(String, String)> = columns
            .iter()
            .map(|column| (column.name.clone().unwrap_or_default(), self.type_(column.type_)))
            .collect();
        if let Some(relation) = of_relation.filter(|_| members.is_empty()) {
            members = self.members(relation);
        } else if !(columns.len() > 1 || columns.iter().any(|column| column.mode == 't')) {
            return lines.line(&format!("Returns: {}{many}", self.type_(routine.returns)));
        }
        lines.open("Returns: ");
        for (name, type_) in members {
            lines.line(&format!("{}: {type_}", key(&name)));
        }
        lines.close(many);
    }

    /// How clients embed the result of a function that returns rows of a relation.
    fn embedding(&self, lines: &mut Lines, routine: &Routine) {
        let Some(to) = self.relation_of(routine.returns) else { return };
        let inputs: Vec<_> = routine.inputs().collect();
        let from = match inputs.as_slice() {
            [only] => self.relation_of(only.type_),
            _ => None,
        };
        let many = routine.returns_set && routine.rows.is_none_or(|rows| rows > 1.0);
        lines.open("SetofOptions: ");
        lines.line(&format!("from: {}", quoted(from.map_or("*", |from| from.name.as_str()))));
        lines.line(&format!("to: {}", quoted(&to.name)));
        lines.line(&format!("isOneToOne: {}", !many));
        lines.line(&format!("isSetofReturn: {}", routine.returns_set));
        lines.close("");
    }

    /// The relation whose rows are the values of `type_`.
    fn relation_of(&self, type_: Type) -> Option<&Relation> {
        match &self.catalog.user_type(type_)?.definition {
            TypeDefinition::Row { relation } => self.catalog.relation(*relation),
            _ => None,
        }
    }

    /// The columns of a relation as members of an object.
    fn members(&self, relation: &Relation) -> Vec<(String, String)> {
        let mut members: Vec<(String, String)> = relation
            .columns
            .iter()
            .map(|column| {
                let null = if column.not_null { "" } else { " | null" };
                (column.name.clone(), format!("{}{null}", self.type_(column.type_.base)))
            })
            .collect();
        members.sort_by_key(|(name, _)| order(name));
        members
    }

    /// Functions whose only argument is a row of `table`. Clients read them like columns.
    pub(super) fn computed(&self, table: &Relation) -> Vec<(String, String)> {
        let row = self.catalog.row_type(table.oid);
        let mut fields: Vec<(String, String)> = self
            .catalog
            .routines()
            .map(|(_, routine)| routine)
            .filter(|routine| routine.schema == table.schema && !routine.procedure && !routine.returns_set)
            .filter(|routine| {
                let inputs: Vec<_> = routine.inputs().collect();
                matches!(inputs.as_slice(), [only] if Some(only.type_) == row)
            })
            .map(|routine| (routine.name.clone(), self.type_(routine.returns)))
            .collect();
        fields.sort_by_key(|(name, _)| order(name));
        fields
    }
}
