//! What depends on what: the order in which objects are dropped, and the refusal without `CASCADE`.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::types::{BUILTINS, Type};

use crate::bind::Binder;
use crate::catalog::{
    Catalog, Column, ConstraintKind, Object, Oid, RecordedKind, Relation, RelationKind, TypeDefinition,
};
use crate::error::{Result, SqlError, SqlState};
use crate::plpgsql::with_stack;
use crate::run::Engine;

/// A thing that can be dropped. The first number is that of the table or type that it is part of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Object(Oid),
    /// A constraint, trigger, policy or rule.
    Constraint(Oid, Oid),
    Index(Oid, Oid),
    Column(Oid, u32),
    Default(Oid, u32),
    DomainCheck(Oid, String),
    Attribute(Oid, String),
    /// A publication's part that is of one table.
    Published(Oid, Oid),
}

/// A thing that depends on another one.
pub(super) struct Dependent {
    pub(super) what: What,
    /// What exactly it depends on, if that is a part of what it was found for: an array type, a key's index.
    pub(super) on: Option<String>,
}

impl Dependent {
    pub(super) fn of(what: What) -> Dependent {
        Dependent { what, on: None }
    }

    /// The order of PostgreSQL's messages: that in which things were created, but users of an array type come first.
    fn order(&self) -> (bool, Oid, bool, u32) {
        let array = self.on.as_ref().is_some_and(|on| on.ends_with("[]"));
        // Of the columns of a table, the last one comes first.
        let (oid, after, part) = match &self.what {
            What::Object(oid) | What::Constraint(_, oid) | What::Index(_, oid) => (*oid, false, 0),
            What::Published(publication, table) => (*publication, false, *table),
            What::Column(oid, number) => (*oid, false, u32::MAX - number),
            What::Default(oid, number) => (*oid, true, *number),
            What::DomainCheck(oid, _) | What::Attribute(oid, _) => (*oid, false, 1),
        };
        (!array, oid, after, part)
    }
}

impl Engine<'_> {
    /// Drops things and, with `cascade`, all that depend on them.
    pub(super) fn drop_all(&mut self, first: Vec<What>, cascade: bool) -> Result<()> {
        let mut seen: BTreeSet<What> = first.iter().cloned().collect();
        let mut found = Vec::new();
        for what in &first {
            self.find_dependents(what, &mut seen, &mut found)?;
        }
        // The partitions of a table go with it, and the parts of whatever is dropped.
        let whole = |what: &What| if let What::Object(oid) = what { Some(*oid) } else { None };
        let dropped = first.iter().chain(found.iter().map(|(dependent, _)| &dependent.what));
        let dropped: BTreeSet<Oid> = dropped.filter_map(whole).collect();
        let goes_along = |what: &What| match what {
            What::Object(oid) => self.is_partition(*oid),
            What::Constraint(of, _) | What::Index(of, _) | What::Column(of, _) | What::Default(of, _) => {
                let columns = self.columns_of_part(what).into_iter();
                dropped.contains(of)
                    || columns.map(|column| What::Column(*of, column)).any(|of| seen.contains(&of))
            }
            What::DomainCheck(of, _) | What::Attribute(of, _) => dropped.contains(of),
            What::Published(publication, table) => dropped.contains(publication) || dropped.contains(table),
        };
        let refuses = found.iter().any(|(dependent, _)| !goes_along(&dependent.what));
        if !cascade && refuses {
            let subject = |(dependent, on): &(Dependent, What)| {
                dependent.on.clone().unwrap_or_else(|| self.name_of(on))
            };
            let details = found
                .iter()
                .filter(|(dependent, _)| !goes_along(&dependent.what))
                .rev()
                .map(|pair| format!("{} depends on {}", self.name_of(&pair.0.what), subject(pair)));
            let mut named = first.iter().filter(|what| !self.is_member(what, &first));
            let message = match (named.next(), named.next()) {
                (Some(only), None) => {
                    format!("cannot drop {} because other objects depend on it", self.name_of(only))
                }
                _ => "cannot drop desired object(s) because other objects depend on them".to_owned(),
            };
            return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
                .detail(details.collect::<Vec<_>>().join("\n"))
                .hint("Use DROP ... CASCADE to drop the dependent objects too."));
        }
        let cascades = found.iter().rev().filter(|(dependent, _)| !goes_along(&dependent.what));
        self.report_cascade(cascades.map(|(dependent, _)| self.name_of(&dependent.what)).collect())?;
        found.iter().try_for_each(|(dependent, _)| self.remove(&dependent.what))?;
        first.iter().rev().try_for_each(|what| self.remove(what))
    }

    /// Whether something goes because the extension goes that has created it.
    fn is_member(&self, what: &What, dropped: &[What]) -> bool {
        let What::Object(member) = what else { return false };
        dropped.iter().any(|other| match other {
            What::Object(oid) => match self.catalog.objects.get(oid) {
                Some(Object::Extension(extension)) => extension.members.contains(member),
                _ => false,
            },
            _ => false,
        })
    }

    /// Tells which other things go too.
    fn report_cascade(&self, names: Vec<String>) -> Result<()> {
        let lines: Vec<String> = names.iter().map(|name| format!("drop cascades to {name}")).collect();
        let notice = |message: String| SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message);
        match &lines[..] {
            [] => Ok(()),
            [only] => self.report("NOTICE", &notice(only.clone())),
            _ => {
                let content = notice(format!("drop cascades to {} other objects", lines.len()));
                self.report("NOTICE", &content.detail(lines.join("\n")))
            }
        }
    }

    /// Finds all that depend on a thing, each with what it depends on: dependents before what they depend on.
    fn find_dependents(
        &self,
        what: &What,
        seen: &mut BTreeSet<What>,
        found: &mut Vec<(Dependent, What)>,
    ) -> Result<()> {
        self.budget.work(self.catalog.objects.len() / 4)?;
        let mut direct = self.dependents(what);
        if let What::Object(oid) = what {
            let is_dropped = |table: Oid| seen.contains(&What::Object(table));
            direct.extend(self.references_above(*oid, is_dropped));
        }
        direct.sort_by_key(|dependent| Reverse(dependent.order()));
        for dependent in direct {
            if seen.insert(dependent.what.clone()) {
                with_stack(self.catalog.stack, || self.find_dependents(&dependent.what, seen, found))?;
                found.push((dependent, what.clone()));
            }
        }
        Ok(())
    }

    /// The foreign keys to the tables above a partition that is dropped without them.
    fn references_above(&self, oid: Oid, is_dropped: impl Fn(Oid) -> bool) -> Vec<Dependent> {
        let above = self.catalog.relation(oid).and_then(|relation| relation.partition.as_ref());
        let Some(parent) = above.map(|partition| partition.parent).filter(|parent| !is_dropped(*parent))
        else {
            return Vec::new();
        };
        let references = self.catalog.references_to(parent);
        let of_others = references.filter(|(child, _)| !self.catalog.is_within(child, parent));
        let mut found: Vec<Dependent> = of_others
            .map(|(child, constraint)| Dependent::of(What::Constraint(child.oid, constraint.oid)))
            .collect();
        found.extend(self.references_above(parent, is_dropped));
        found
    }

    /// The columns with which a part of a table goes.
    fn columns_of_part(&self, what: &What) -> Vec<u32> {
        let found = match what {
            What::Default(_, number) => Some(vec![*number]),
            What::Constraint(table, oid) => self.catalog.relation(*table).and_then(|relation| {
                let constraint = relation.constraints.iter().find(|known| known.oid == *oid)?;
                Some(constraint.columns.clone())
            }),
            What::Index(table, oid) => self.catalog.relation(*table).and_then(|relation| {
                let index = relation.indexes.iter().find(|known| known.oid == *oid)?;
                Some(index.keys.iter().filter_map(|key| key.column).collect())
            }),
            _ => None,
        };
        found.unwrap_or_default()
    }

    fn is_partition(&self, oid: Oid) -> bool {
        self.catalog.relation(oid).is_some_and(|relation| relation.partition.is_some())
    }

    pub(super) fn name_of(&self, what: &What) -> String {
        let catalog = &self.catalog;
        let table = |oid: &Oid| {
            catalog.relation(*oid).map_or_else(String::new, |relation| catalog.relation_name(relation))
        };
        match what {
            What::Object(oid) => match catalog.objects.get(oid) {
                Some(Object::Schema(schema)) => format!("schema {}", schema.name),
                Some(Object::Relation(relation)) => {
                    format!("{} {}", relation.word(), catalog.relation_name(relation))
                }
                Some(Object::Type(_)) => format!("type {}", catalog.type_name(Type(*oid), -1)),
                // Here PostgreSQL calls a procedure so too.
                Some(Object::Routine(_)) => format!("function {}", self.signature(*oid)),
                Some(Object::Extension(extension)) => format!("extension {}", extension.name),
                Some(Object::TextSearch(known)) => format!("text search configuration {}", known.name),
                Some(Object::Publication(publication)) => format!("publication {}", publication.name),
                Some(Object::Role(role)) => format!("role {}", role.name),
                Some(Object::Recorded(recorded)) => self.name_of_recorded(recorded),
                Some(Object::DefaultAcl(known)) => format!("default privileges of role {}", known.role),
                Some(Object::SessionStart(_)) => "setting of later sessions".into(),
                Some(Object::Database(_)) => format!("database {}", crate::catalog::DATABASE),
                None => String::new(),
            },
            What::Constraint(relation, oid) => {
                let (word, name) = self.part(*relation, *oid).unwrap_or_default();
                format!("{word} {name} on table {}", table(relation))
            }
            What::Index(relation, oid) => {
                let relation = catalog.relation(*relation);
                let index =
                    relation.and_then(|known| Some((known, known.indexes.iter().find(|i| i.oid == *oid)?)));
                let name = index.map(|(relation, index)| catalog.qualified(relation.schema, &index.name));
                format!("index {}", name.unwrap_or_default())
            }
            What::Column(relation, number) | What::Default(relation, number) => {
                let column = catalog.relation(*relation).map_or("", |relation| relation.column_name(*number));
                let word =
                    if matches!(what, What::Default(..)) { "default value for column" } else { "column" };
                format!("{word} {column} of table {}", table(relation))
            }
            What::DomainCheck(_, name) => format!("constraint {name}"),
            What::Attribute(type_, name) => {
                format!("column {name} of composite type {}", catalog.type_name(Type(*type_), -1))
            }
            What::Published(publication, of) => {
                let known = catalog.publications().find(|(oid, _)| oid == publication);
                let name = known.map_or("", |(_, known)| &known.name);
                format!("publication of table {} in publication {name}", table(of))
            }
        }
    }

    /// The kind and the name of a constraint, trigger, policy or rule.
    fn part(&self, relation: Oid, oid: Oid) -> Option<(&'static str, &str)> {
        let relation = self.catalog.relation(relation)?;
        let constraint = relation.constraints.iter().find(|known| known.oid == oid);
        let trigger = relation.triggers.iter().find(|known| known.oid == oid);
        let policy = relation.policies.iter().find(|known| known.oid == oid);
        let rule = relation.rules.iter().find(|known| known.oid == oid);
        constraint
            .map(|known| ("constraint", &*known.name))
            .or_else(|| trigger.map(|known| ("trigger", &*known.name)))
            .or_else(|| policy.map(|known| ("policy", &*known.name)))
            .or_else(|| rule.map(|known| ("rule", &*known.name)))
    }

    fn dependents(&self, what: &What) -> Vec<Dependent> {
        let catalog = &self.catalog;
        let mut found = match what {
            What::Object(oid) => match catalog.objects.get(oid) {
                Some(Object::Relation(relation)) => self.of_relation(relation),
                Some(Object::Type(_)) => self.of_type_or_range(Type(*oid)),
                Some(Object::Schema(_)) => {
                    members(catalog, *oid).into_iter().map(|oid| Dependent::of(What::Object(oid))).collect()
                }
                Some(Object::Routine(routine)) => self.of_routine(*oid, &routine.name),
                Some(Object::Recorded(_)) => self.of_recorded(*oid),
                Some(Object::Extension(extension)) => self.of_extension(*oid, &extension.name),
                _ => Vec::new(),
            },
            What::Column(table, number) => {
                let mut found = self.of_column(*table, *number);
                let bodies = self.bodies_using(*table, *number).into_iter();
                found.extend(bodies.map(|oid| Dependent::of(What::Object(oid))));
                let publications = catalog.publications_about(*table, *number).into_iter();
                found.extend(publications.map(|oid| Dependent::of(What::Published(oid, *table))));
                found
            }
            What::Constraint(table, oid) => self.of_constraint(*table, *oid),
            _ => Vec::new(),
        };
        found.extend(self.dependent_policies(what));
        if let What::Object(oid) = what {
            let bodies = self.bodies_needing(*oid).into_iter();
            found.extend(bodies.map(|oid| Dependent::of(What::Object(oid))));
        }
        found
    }

    /// What uses the types of an extension, and the views that use its functions.
    fn of_extension(&self, oid: Oid, name: &str) -> Vec<Dependent> {
        let types = BUILTINS.iter().filter(|builtin| builtin.id.extension() == Some(name));
        let users = types.flat_map(|builtin| {
            let on = format!("type {}", self.catalog.type_name(builtin.id, -1));
            self.of_type(builtin.id, Some(on))
        });
        let views = self.catalog.relations().filter(|relation| relation.definition.is_some()).collect();
        let views = self.failing_without(oid, views).into_iter();
        users.chain(views.map(|view| Dependent::of(What::Object(view)))).collect()
    }

    /// The servers of a wrapper, the mappings and foreign tables of a server.
    fn of_recorded(&self, oid: Oid) -> Vec<Dependent> {
        let users = self.catalog.objects.iter().filter(|(_, object)| match object {
            Object::Recorded(recorded) => recorded.of == Some(oid),
            Object::Relation(relation) => relation.foreign.as_ref().is_some_and(|far| far.server == oid),
            _ => false,
        });
        let users = users.map(|(user, _)| Dependent::of(What::Object(*user)));
        let columns = self.catalog.relations().flat_map(|relation| {
            let sorted = relation
                .columns
                .iter()
                .filter(|column| column.collation.as_ref().is_some_and(|collation| collation.is_own(oid)));
            sorted.map(move |column| Dependent::of(What::Column(relation.oid, column.number)))
        });
        let views = self.catalog.relations().filter(|relation| {
            relation.definition.as_ref().is_some_and(|query| query.to_lowercase().contains("collate"))
        });
        let is_collation = self.catalog.recorded(RecordedKind::Collation).any(|(known, _)| known == oid);
        let views = if is_collation { self.failing_without(oid, views.collect()) } else { Vec::new() };
        let views = views.into_iter().map(|view| Dependent::of(What::Object(view)));
        users.chain(columns).chain(views).collect()
    }

    fn of_relation(&self, relation: &Relation) -> Vec<Dependent> {
        let (catalog, oid) = (&self.catalog, relation.oid);
        let children = catalog.references_to(oid).filter(|(child, _)| child.oid != oid);
        let mut found: Vec<Dependent> = children
            .map(|(child, constraint)| Dependent::of(What::Constraint(child.oid, constraint.oid)))
            .collect();
        let directly =
            |view: &Oid| catalog.relation(*view).is_some_and(|view| catalog.reads_directly(view, relation));
        let views = self.views_of(oid).into_iter().filter(directly);
        found.extend(views.map(|view| Dependent::of(What::Object(view))));
        found.extend(
            catalog.partitions_of(oid).map(|(partition, _)| Dependent::of(What::Object(partition.oid))),
        );
        if relation.kind == RelationKind::Sequence {
            for table in catalog.relations() {
                let columns = table.columns.iter().filter(|column| draws(column, relation, catalog));
                found.extend(columns.map(|column| Dependent::of(What::Default(table.oid, column.number))));
            }
        }
        if let Some(row) = catalog.row_type(oid) {
            let on = format!("type {}", catalog.type_name(row, -1));
            let users = self.of_type(row, Some(on)).into_iter();
            found.extend(users.filter(|user| !matches!(user.what, What::Column(table, _) if table == oid)));
        }
        found
    }

    /// What uses a type, or the type of several of its ranges.
    fn of_type_or_range(&self, type_: Type) -> Vec<Dependent> {
        let mut found = Vec::new();
        if let Some((own, range)) = self.catalog.own_range(type_)
            && own == type_
        {
            let on = format!("type {}", self.catalog.type_name(range.pair, -1));
            found.extend(self.of_type(range.pair, Some(on)));
        }
        found.extend(self.of_type(type_, None));
        found
    }

    /// What uses a type: columns, attributes, domains and functions. `on` is the type's description, if it is a row's.
    fn of_type(&self, type_: Type, on: Option<String>) -> Vec<Dependent> {
        let catalog = &self.catalog;
        // `None`: not of the type. Users of an array of it depend on that.
        let of_type = |other: Type| {
            let array = other.element() == Some(type_);
            let on = if array { Some(format!("type {}", catalog.type_name(other, -1))) } else { on.clone() };
            (array || other == type_).then_some(on)
        };
        let mut found = Vec::new();
        for relation in catalog.relations().filter(|relation| relation.kind != RelationKind::View) {
            for column in &relation.columns {
                if let Some(on) = of_type(column.type_.base) {
                    found.push(Dependent { what: What::Column(relation.oid, column.number), on });
                }
            }
        }
        for (oid, user_type) in catalog.types() {
            match &user_type.definition {
                TypeDefinition::Composite { attributes } => {
                    for attribute in attributes {
                        if let Some(on) = of_type(attribute.type_.base) {
                            found.push(Dependent { what: What::Attribute(oid, attribute.name.clone()), on });
                        }
                    }
                }
                TypeDefinition::Domain { base, .. } => {
                    found.extend(of_type(base.base).map(|on| Dependent { what: What::Object(oid), on }));
                }
                _ => {}
            }
        }
        for (oid, routine) in catalog.routines() {
            let mut types = std::iter::once(routine.returns).chain(routine.arguments.iter().map(|a| a.type_));
            found.extend(types.find_map(of_type).map(|on| Dependent { what: What::Object(oid), on }));
        }
        for (oid, cast, _) in catalog.own_casts() {
            let mut types = [cast.source, cast.target].into_iter();
            found.extend(types.find_map(of_type).map(|on| Dependent { what: What::Object(oid), on }));
        }
        for operator in catalog.own_operators() {
            let mut types = operator.types().into_iter();
            let on = types.find_map(of_type);
            found.extend(on.map(|on| Dependent { what: What::Object(operator.oid), on }));
        }
        let users = self.users_in_texts(&self.names_type(type_));
        found.extend(users.into_iter().map(|user| Dependent { on: on.clone(), ..user }));
        found
    }

    /// The views that become invalid without an object.
    fn failing_without(&self, oid: Oid, views: Vec<&Relation>) -> Vec<Oid> {
        if views.is_empty() {
            return Vec::new();
        }
        let mut without = self.catalog.as_ref().clone();
        without.objects.remove(&oid);
        let stands = |view: &Relation| {
            let mut binder = Binder::new(&without, self.source.clone(), &self.settings, &[]);
            binder.view_query(view).is_ok()
        };
        views.into_iter().filter(|view| !stands(view)).map(|view| view.oid).collect()
    }

    fn of_column(&self, table: Oid, number: u32) -> Vec<Dependent> {
        let mut found = Vec::new();
        for (child, constraint) in self.catalog.references_to(table) {
            if matches!(&constraint.kind, ConstraintKind::Foreign { columns, .. } if columns.contains(&number))
            {
                found.push(Dependent::of(What::Constraint(child.oid, constraint.oid)));
            }
        }
        found.extend(
            self.views_using(table, number).into_iter().map(|view| Dependent::of(What::Object(view))),
        );
        if let Some(relation) = self.catalog.relation(table) {
            let name = relation.column_name(number);
            let generated = relation.columns.iter().filter(|column| {
                let generated = column.generated.as_deref();
                generated.is_some_and(|text| self.reads_column(relation, text, number))
            });
            found.extend(generated.map(|column| Dependent::of(What::Column(table, column.number))));
            let triggers = relation.triggers.iter().filter(|trigger| {
                let reads = |text: &String| self.condition_reads_column(relation, text, number);
                trigger.columns.iter().any(|column| column == name)
                    || trigger.condition.as_ref().is_some_and(reads)
            });
            found.extend(triggers.map(|trigger| Dependent::of(What::Constraint(table, trigger.oid))));
        }
        found
    }

    /// Refuses a change of the type of a column that a view, a trigger or a policy uses.
    pub(super) fn refuse_other_type(&self, table: Oid, number: u32) -> Result<()> {
        let found = self.dependents(&What::Column(table, number)).into_iter();
        let used = found.filter_map(|Dependent { what, .. }| match &what {
            What::Constraint(relation, part) => match self.part(*relation, *part)?.0 {
                "trigger" => Some(("in a trigger definition", self.name_of(&what))),
                "policy" => Some(("in a policy definition", self.name_of(&what))),
                _ => None,
            },
            What::Object(oid) if self.catalog.routine(*oid).is_some() => {
                Some(("by a function or procedure", self.name_of(&what)))
            }
            What::Object(oid) => {
                self.catalog.relation(*oid)?;
                Some(("by a view or rule", format!("rule _RETURN on {}", self.name_of(&what))))
            }
            What::Published(..) => Some(("by a publication WHERE clause", self.name_of(&what))),
            _ => None,
        });
        let used =
            self.rule_using(table, number).map(|rule| ("by a view or rule", rule)).into_iter().chain(used);
        let Some((place, what)) = used.into_iter().next() else { return Ok(()) };
        let column = self.catalog.relation(table).map_or("", |relation| relation.column_name(number));
        let message = format!("cannot alter type of a column used {place}");
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
            .detail(format!("{what} depends on column \"{column}\"")))
    }

    /// The foreign keys that need a key.
    fn of_constraint(&self, table: Oid, oid: Oid) -> Vec<Dependent> {
        let relation = self.catalog.relation(table);
        let constraint =
            relation.and_then(|relation| relation.constraints.iter().find(|known| known.oid == oid));
        let is_key = |kind: &ConstraintKind| {
            matches!(kind, ConstraintKind::Primary { .. } | ConstraintKind::Unique { .. })
        };
        let Some(key) = constraint.filter(|constraint| is_key(&constraint.kind)) else { return Vec::new() };
        let refers = |kind: &ConstraintKind| matches!(kind, ConstraintKind::Foreign { columns, .. } if *columns == key.columns);
        let foreign = self.catalog.references_to(table).filter(|(_, foreign)| refers(&foreign.kind));
        foreign
            .map(|(child, foreign)| Dependent {
                what: What::Constraint(child.oid, foreign.oid),
                on: Some(format!("index {}", key.name)),
            })
            .collect()
    }

    /// What calls a function: triggers, and the texts of defaults, constraints, indexes, policies, views, domains and arguments.
    fn of_routine(&self, oid: Oid, name: &str) -> Vec<Dependent> {
        let catalog = &self.catalog;
        let mut found = Vec::new();
        let mut add = |what: What| found.push(Dependent::of(what));
        for kind in [RecordedKind::EventTrigger, RecordedKind::Cast, RecordedKind::Operator] {
            for (user, recorded) in catalog.recorded(kind) {
                if recorded.of == Some(oid) {
                    add(What::Object(user));
                }
            }
        }
        for (type_, known) in catalog.types() {
            if let TypeDefinition::Range { distance: Some(by), .. } = &known.definition
                && by.function == Some(oid)
            {
                add(What::Object(type_));
            }
        }
        for (aggregate, routine) in catalog.routines() {
            if routine.aggregation.as_ref().is_some_and(|known| known.routines().any(|part| part == oid)) {
                add(What::Object(aggregate));
            }
        }
        for relation in catalog.relations() {
            for trigger in relation.triggers.iter().filter(|trigger| trigger.function == oid) {
                add(What::Constraint(relation.oid, trigger.oid));
            }
        }
        found.extend(self.users_in_texts(&|text, form| self.calls_in(text, form, oid, name)));
        found
    }

    /// The views that become invalid without a column.
    pub(super) fn views_using(&self, table: Oid, number: u32) -> Vec<Oid> {
        let Some(relation) = self.catalog.relation(table) else { return Vec::new() };
        let mut views = self.views_of(table);
        let directly = |view: &Oid| {
            self.catalog.relation(*view).is_some_and(|view| self.catalog.reads_directly(view, relation))
        };
        views.retain(directly);
        if views.is_empty() {
            return views;
        }
        let mut without = self.catalog.as_ref().clone();
        if let Some(relation) = without.relation_mut(table) {
            relation.columns.retain(|column| column.number != number);
        }
        let stands = |view: &Oid| {
            let Some(relation) = without.relation(*view) else { return false };
            let mut binder = Binder::new(&without, self.source.clone(), &self.settings, &[]);
            binder.view_query(relation).is_ok_and(|query| query.columns.len() == relation.columns.len())
        };
        views.into_iter().filter(|view| !stands(view)).collect()
    }
}

/// Whether a column takes its default from a sequence.
fn draws(column: &Column, sequence: &Relation, catalog: &Catalog) -> bool {
    let identity = column.identity.is_some() && column.sequence == Some(sequence.oid);
    identity || column.default.as_ref().is_some_and(|default| catalog.is_drawn_in(sequence, default))
}

/// The objects in a schema.
fn members(catalog: &Catalog, schema: Oid) -> Vec<Oid> {
    let relations = catalog.relations().filter(|relation| relation.schema == schema);
    let columns = relations.flat_map(|relation| &relation.columns);
    let owned: BTreeSet<Oid> = columns.filter_map(|column| column.sequence).collect();
    let members = catalog.objects.iter().filter(|(_, object)| match object {
        // A sequence is dropped with the column that owns it.
        Object::Relation(relation) => relation.schema == schema && !owned.contains(&relation.oid),
        Object::Type(user_type) => {
            user_type.schema == schema && !matches!(user_type.definition, TypeDefinition::Row { .. })
        }
        Object::Routine(routine) => routine.schema == schema,
        Object::Extension(extension) => extension.schema == schema,
        Object::TextSearch(configuration) => configuration.schema == schema,
        Object::Recorded(recorded) => recorded.schema == Some(schema),
        Object::Schema(_)
        | Object::Publication(_)
        | Object::Role(_)
        | Object::DefaultAcl(_)
        | Object::SessionStart(_)
        | Object::Database(_) => false,
    });
    members.map(|(oid, _)| *oid).collect()
}
