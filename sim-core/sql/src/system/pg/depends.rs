//! What depends on what. Dumps are ordered by it, and tools ask it which sequence is of which column.

use std::collections::BTreeSet;

use serde_json::json;

use super::Rows;
use crate::bind::{Settings, showing};
use crate::catalog::{
    Catalog, ConstraintKind, Extension, Object, Oid, Relation, RelationKind, TypeDefinition,
};
use crate::describe::functions_of_extensions;
use crate::functions::text_search::UNACCENT;
use crate::system::functions_of_extension;
use crate::system::operator_classes::Classes;
use crate::types::{BUILTINS, Type};

/// The system relations that objects are rows of.
const TYPE: Oid = 1247;
const PROC: Oid = 1255;
const CLASS: Oid = 1259;
const DEFAULT: Oid = 2604;
const CONSTRAINT: Oid = 2606;
const OPERATOR_CLASS: Oid = 2616;
const DICTIONARY: Oid = 3600;
const REWRITE: Oid = 2618;
const TRIGGER: Oid = 2620;
const NAMESPACE: Oid = 2615;
const EXTENSION: Oid = 3079;
const POLICY: Oid = 3256;

/// An object, and the number of its column or 0.
type Place = (Oid, Oid, u32);

struct Depends<'c> {
    catalog: &'c Catalog,
    settings: &'c Settings,
    rows: Rows,
}

pub(super) fn depends(catalog: &Catalog, settings: &Settings) -> Rows {
    let mut depends = Depends { catalog, settings, rows: Rows::new() };
    catalog.relations().for_each(|relation| depends.relation(relation));
    for (oid, known) in catalog.types() {
        if !matches!(known.definition, TypeDefinition::Row { .. }) {
            depends.on((TYPE, oid, 0), (NAMESPACE, known.schema, 0), 'n');
        }
        match &known.definition {
            TypeDefinition::Row { relation } => depends.on((TYPE, oid, 0), (CLASS, *relation, 0), 'i'),
            TypeDefinition::Composite { attributes } => {
                for (attribute, number) in attributes.iter().zip(1..) {
                    depends.on_type((CLASS, oid, number), attribute.type_.base);
                }
                depends.on((CLASS, oid, 0), (TYPE, oid, 0), 'i');
            }
            TypeDefinition::Domain { base, .. } => depends.on_type((TYPE, oid, 0), base.base),
            TypeDefinition::Enum { .. } | TypeDefinition::Range { .. } => {}
        }
    }
    for (oid, routine) in catalog.routines() {
        let mut types: Vec<Type> = routine.arguments.iter().map(|argument| argument.type_).collect();
        types.push(routine.returns);
        depends.on((PROC, oid, 0), (NAMESPACE, routine.schema, 0), 'n');
        types.sort_unstable();
        types.dedup();
        types.into_iter().for_each(|type_| depends.on_type((PROC, oid, 0), type_));
    }
    for (extension, known) in catalog.extensions() {
        for member in &known.members {
            let class = match catalog.objects.get(member) {
                Some(Object::Relation(_)) => CLASS,
                Some(Object::Type(_)) => TYPE,
                Some(Object::Routine(_)) => PROC,
                _ => continue,
            };
            depends.on((class, *member, 0), (EXTENSION, extension, 0), 'e');
        }
    }
    if let Some((extension, _)) = catalog.extensions().find(|(_, known)| known.name == "unaccent") {
        depends.on((DICTIONARY, UNACCENT, 0), (EXTENSION, extension, 0), 'e');
    }
    for (class, extension) in Classes::of(catalog).extensions() {
        depends.on((OPERATOR_CLASS, class, 0), (EXTENSION, extension, 0), 'e');
    }
    let extensions: Vec<(Oid, &Extension)> = catalog.extensions().collect();
    let built_in = functions_of_extensions().filter(|(.., of)| functions_of_extension(of).is_empty());
    let built_in = built_in.map(|(function, _, of)| ((PROC, function, 0), of));
    let listed = extensions.iter().flat_map(|(_, known)| {
        functions_of_extension(&known.name).iter().map(|(oid, _)| ((PROC, *oid, 0), known.name.as_str()))
    });
    let functions = built_in.chain(listed);
    let types = BUILTINS.iter().filter_map(|type_| Some(((TYPE, type_.id.0, 0), type_.id.extension()?)));
    for (place, of) in functions.chain(types) {
        if let Some((extension, _)) = extensions.iter().find(|(_, known)| known.name == of) {
            depends.on(place, (EXTENSION, *extension, 0), 'e');
        }
    }
    for (oid, extension) in extensions {
        depends.on((EXTENSION, oid, 0), (NAMESPACE, extension.schema, 0), 'n');
    }
    depends.rows
}

impl Depends<'_> {
    /// Adds a row: `n` where the other can't be dropped alone, `a` and `i` for parts of it, `e` for parts of an extension.
    fn on(&mut self, (class, oid, column): Place, (of_class, of, of_column): Place, kind: char) {
        let kind = kind.to_string();
        let row = [class, oid, column, of_class, of, of_column].map(|number| json!(number));
        self.rows.push(row.into_iter().chain([json!(kind)]).collect());
    }

    fn on_type(&mut self, place: Place, type_: Type) {
        let element = type_.element().unwrap_or(type_);
        if element.is_user() || element.extension().is_some() {
            self.on(place, (TYPE, type_.0, 0), 'n');
        }
    }

    /// The functions that a text calls.
    fn on_calls(&mut self, place: Place, text: &str) {
        for routine in self.catalog.routines_called_in(text) {
            self.on(place, (PROC, routine, 0), 'n');
        }
    }

    fn relation(&mut self, relation: &Relation) {
        let place = (CLASS, relation.oid, 0);
        self.on(place, (NAMESPACE, relation.schema, 0), 'n');
        if let Some(partition) = &relation.partition {
            self.on(place, (CLASS, partition.parent, 0), 'a');
        }
        for column in &relation.columns {
            let place = (CLASS, relation.oid, column.number);
            self.on_type(place, column.type_.base);
            if let Some(sequence) = column.sequence {
                let kind = if column.identity.is_some() { 'i' } else { 'a' };
                self.on((CLASS, sequence, 0), place, kind);
            }
        }
        for (oid, column, text) in relation.defaults() {
            let kind = if column.generated.is_some() { 'i' } else { 'a' };
            self.on((DEFAULT, oid, 0), (CLASS, relation.oid, column.number), kind);
            for sequence in self.catalog.sequences_in(text) {
                self.on((DEFAULT, oid, 0), (CLASS, sequence, 0), 'n');
            }
            self.on_calls((DEFAULT, oid, 0), text);
        }
        let is_view = matches!(relation.shown_kind(), RelationKind::View | RelationKind::MaterializedView);
        if let Some(query) = relation.definition.as_ref().filter(|_| is_view) {
            let rule = (REWRITE, relation.oid + 1, 0);
            self.on(rule, place, 'i');
            self.on_calls(rule, query);
            for read in self.catalog.read_directly(relation) {
                self.on(rule, (CLASS, read, 0), 'n');
            }
            for key in self.grouping_keys(relation) {
                self.on(rule, (CONSTRAINT, key, 0), 'n');
            }
        }
        for constraint in &relation.constraints {
            let of = (CONSTRAINT, constraint.oid, 0);
            for column in &constraint.columns {
                self.on(of, (CLASS, relation.oid, *column), 'a');
            }
            if let Some(parent) = constraint.parent {
                self.part(of, (CONSTRAINT, parent, 0), place);
            }
            match &constraint.kind {
                ConstraintKind::Primary { index }
                | ConstraintKind::Unique { index }
                | ConstraintKind::Exclude { index, .. } => self.on((CLASS, *index, 0), of, 'i'),
                ConstraintKind::Foreign { table, columns, .. } => {
                    columns.iter().for_each(|column| self.on(of, (CLASS, *table, *column), 'n'));
                    if let Some(index) = self.catalog.index_of_key(*table, columns) {
                        self.on(of, (CLASS, index, 0), 'n');
                    }
                }
                ConstraintKind::Check { expression } => {
                    if constraint.columns.is_empty() {
                        self.on(of, place, 'a');
                    }
                    self.on_calls(of, expression);
                }
            }
        }
        self.parts(relation);
    }

    /// A part, in a partition, of what the table above has.
    fn part(&mut self, part: Place, of: Place, partition: Place) {
        self.on(part, of, 'P');
        self.on(part, partition, 'S');
    }

    /// The primary keys without which the query of a view could not leave columns out of its grouping.
    fn grouping_keys(&self, view: &Relation) -> Vec<Oid> {
        let groups = view.definition.as_ref().is_some_and(|query| query.to_lowercase().contains("group"));
        if !groups {
            return Vec::new();
        }
        showing(self.catalog, self.settings, |binder| {
            let _ = binder.view_query(view);
            binder.once.grouping_keys()
        })
    }

    /// Indexes, triggers and policies.
    fn parts(&mut self, relation: &Relation) {
        let place = (CLASS, relation.oid, 0);
        for index in &relation.indexes {
            let of_constraint = relation.constraints.iter().any(|constraint| match &constraint.kind {
                ConstraintKind::Primary { index: own }
                | ConstraintKind::Unique { index: own }
                | ConstraintKind::Exclude { index: own, .. } => *own == index.oid,
                _ => false,
            });
            let own = (CLASS, index.oid, 0);
            let columns = index.keys.iter().filter_map(|key| key.column).chain(index.include.iter().copied());
            let columns: BTreeSet<u32> = columns.collect();
            if !of_constraint {
                columns.iter().for_each(|column| self.on(own, (CLASS, relation.oid, *column), 'a'));
                if columns.is_empty() {
                    self.on(own, place, 'a');
                }
            }
            if let Some(parent) = index.parent {
                self.part(own, (CLASS, parent, 0), place);
            }
            let texts = index.keys.iter().filter_map(|key| key.expression.as_ref());
            texts.chain(&index.predicate).for_each(|text| self.on_calls((CLASS, index.oid, 0), text));
        }
        for trigger in &relation.triggers {
            self.on((TRIGGER, trigger.oid, 0), place, 'a');
            self.on((TRIGGER, trigger.oid, 0), (PROC, trigger.function, 0), 'n');
        }
        for policy in &relation.policies {
            self.on((POLICY, policy.oid, 0), place, 'a');
            let texts = policy.using.iter().chain(&policy.check);
            texts.for_each(|text| self.on_calls((POLICY, policy.oid, 0), text));
        }
    }
}
