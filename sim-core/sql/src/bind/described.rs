//! Functions that tell properties of objects: of indexes and their methods, of sequences, of what can be changed through a view.

use serde_json::{Map, Value as Json, json};

use super::expr::{Clause, column_name};
use super::{Binder, Scope};
use crate::catalog::{Index, IndexKey, RecordedKind, Relation, RelationKind, quote_identifier};
use crate::error::Result;
use crate::system::METHODS;
use crate::through::{self, changes};
use crate::tree::{Expr, Node};
use crate::types::{Modified, Type};

/// The properties of a method of indexes, of an index of it, and of its keys; each with the methods that have it.
const OF_METHODS: [(&str, &[&str]); 5] = [
    ("can_order", &["btree"]),
    ("can_unique", &["btree"]),
    ("can_multi_col", &["btree", "gist", "gin", "brin"]),
    ("can_exclude", &["btree", "hash", "gist", "spgist"]),
    ("can_include", &["btree", "gist", "spgist"]),
];
const OF_INDEXES: [(&str, &[&str]); 4] = [
    ("clusterable", &["btree", "gist"]),
    ("index_scan", &["btree", "hash", "gist", "spgist"]),
    ("bitmap_scan", &["btree", "hash", "gist", "gin", "brin", "spgist"]),
    ("backward_scan", &["btree", "hash"]),
];
const OF_KEYS: [(&str, &[&str]); 5] = [
    ("orderable", &["btree"]),
    ("distance_orderable", &[]),
    ("returnable", &["btree"]),
    ("search_array", &["btree"]),
    ("search_nulls", &["btree", "gist", "brin", "spgist"]),
];

impl Binder<'_> {
    /// Binds such a function.
    pub(super) fn description_function(&mut self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        let (map, type_, keys): (_, _, &[Type]) = match called {
            "pg_relation_filenode" => (self.files(Json::from), Type::OID, &[Type::REGCLASS]),
            "pg_relation_filepath" => {
                (self.files(|oid| format!("base/5/{oid}").into()), Type::TEXT, &[Type::REGCLASS])
            }
            "pg_relation_is_updatable" => (self.all_changes(), Type::INT4, &[Type::REGCLASS, Type::BOOL]),
            "pg_column_is_updatable" => {
                (self.all_column_changes(), Type::BOOL, &[Type::REGCLASS, Type::INT2, Type::BOOL])
            }
            "pg_indexam_has_property" => (properties_of_methods(), Type::BOOL, &[Type::OID, Type::TEXT]),
            "pg_index_has_property" => (self.properties(), Type::BOOL, &[Type::REGCLASS, Type::TEXT]),
            "pg_index_column_has_property" => {
                (self.key_properties(), Type::BOOL, &[Type::REGCLASS, Type::INT4, Type::TEXT])
            }
            "pg_get_function_arg_default" => (self.argument_defaults(), Type::TEXT, &[Type::OID, Type::INT4]),
            "pg_describe_object" => (self.descriptions(), Type::TEXT, &[Type::OID, Type::OID, Type::INT4]),
            "pg_get_statisticsobjdef" => (self.statistics_definitions(), Type::TEXT, &[Type::OID]),
            "pg_sequence_parameters" if arguments.first().is_some_and(|given| given.type_ != Type::JSON) => {
                let key = self.implicit(arguments[0].clone(), Type::REGCLASS)?;
                let row = Expr::new(
                    Node::Lookup { map: self.sequence_parameters(), key: Box::new(key) },
                    Type::JSON,
                );
                return self.plain_call(called, vec![row]).map(Some);
            }
            _ => return Ok(None),
        };
        if arguments.len() != keys.len() {
            return Ok(None);
        }
        let mut operands = Vec::new();
        for (argument, type_) in arguments.iter().zip(keys) {
            operands.push(match argument.type_ {
                // A number stands for any object.
                Type::OID | Type::INT4 | Type::INT8 if *type_ == Type::REGCLASS => argument.clone(),
                _ => self.implicit(argument.clone(), *type_)?,
            });
        }
        let key = match operands.len() {
            // The numbers of all objects differ.
            _ if called == "pg_describe_object" => "({1} || '.' || {2})",
            1 => "{0}",
            2 => "({0} || '.' || lower({1}))",
            _ => "({0} || '.' || {1} || '.' || lower({2}))",
        };
        let key = Expr::template(key, operands, Type::TEXT);
        Ok(Some(Expr::new(Node::Lookup { map, key: Box::new(key) }, type_)))
    }

    /// The name and the type of an index's key.
    pub(crate) fn key_of_index(&mut self, relation: &Relation, key: &IndexKey) -> (String, Modified) {
        if let Some(column) = key.column.and_then(|number| relation.column_number(number)) {
            return (column.name.clone(), column.type_);
        }
        let text = key.expression.as_deref().unwrap_or_default();
        let found = self.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            let source = binder.new_source();
            let scope = Scope::of(binder.table_of(relation, source, None)?);
            let bound = binder.expr_in(Clause::Index, &scope, &parsed)?;
            let name = Some(column_name(&parsed)).filter(|name| name != "?column?");
            Ok((
                name.unwrap_or_else(|| "expr".to_owned()),
                Modified { base: bound.type_, modifier: bound.modifier },
            ))
        });
        found.unwrap_or_else(|_| ("expr".to_owned(), Type::TEXT.plain()))
    }

    fn indexes(&self) -> impl Iterator<Item = (&Relation, &Index)> {
        self.catalog
            .relations()
            .flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)))
    }

    /// What each relation that has a file is stored in.
    fn files(&self, shown: impl Fn(u32) -> Json) -> String {
        let has_file = |relation: &&Relation| {
            relation.partitioning.is_none()
                && !matches!(relation.shown_kind(), RelationKind::View | RelationKind::Foreign)
        };
        let relations = self.catalog.relations().filter(has_file).map(|relation| relation.oid);
        let indexes = self.indexes().filter(|(relation, _)| relation.partitioning.is_none());
        let all = relations.chain(indexes.map(|(_, index)| index.oid));
        Json::Object(all.map(|oid| (oid.to_string(), shown(oid))).collect()).to_string()
    }

    fn all_changes(&self) -> String {
        let relations = self.catalog.relations().flat_map(|relation| {
            [false, true].map(|triggers| {
                let key = format!("{}.{}", relation.oid, u8::from(triggers));
                (key, changes(self.catalog, relation, triggers, None).into())
            })
        });
        let indexes = self
            .indexes()
            .flat_map(|(_, index)| [0, 1].map(|triggers| (format!("{}.{triggers}", index.oid), 0.into())));
        Json::Object(relations.chain(indexes).collect()).to_string()
    }

    fn all_column_changes(&self) -> String {
        let mut all = Map::new();
        for relation in self.catalog.relations() {
            for (column, triggers) in
                relation.columns.iter().flat_map(|column| [(column, false), (column, true)])
            {
                let key = format!("{}.{}.{}", relation.oid, column.number, u8::from(triggers));
                let both = through::UPDATE | through::DELETE;
                let changes = changes(self.catalog, relation, triggers, Some(&column.name));
                all.insert(key, u8::from(changes & both == both).into());
            }
        }
        Json::Object(all).to_string()
    }

    fn properties(&self) -> String {
        let all = self.indexes().flat_map(|(_, index)| {
            OF_INDEXES.iter().map(move |(name, methods)| {
                let has = methods.contains(&index.method.as_str());
                (format!("{}.{name}", index.oid), u8::from(has).into())
            })
        });
        Json::Object(all.collect()).to_string()
    }

    fn key_properties(&self) -> String {
        let mut all = Map::new();
        for (_, index) in self.indexes() {
            let method = index.method.as_str();
            for (number, key) in (1..).zip(&index.keys) {
                let nulls_first = key.nulls_first.unwrap_or(key.descending);
                let order = [
                    ("asc", !key.descending),
                    ("desc", key.descending),
                    ("nulls_first", nulls_first),
                    ("nulls_last", !nulls_first),
                ];
                let order = order.map(|(name, holds)| (name, holds && method == "btree"));
                let others = OF_KEYS.map(|(name, methods)| (name, methods.contains(&method)));
                for (name, holds) in order.into_iter().chain(others) {
                    all.insert(format!("{}.{number}.{name}", index.oid), u8::from(holds).into());
                }
            }
            for number in (index.keys.len() + 1..).take(index.include.len()) {
                let of =
                    |name: &str, has: bool| (format!("{}.{number}.{name}", index.oid), u8::from(has).into());
                all.extend([of("returnable", method == "btree"), of("orderable", false)]);
                all.extend([of("distance_orderable", false)]);
            }
        }
        Json::Object(all).to_string()
    }

    /// What the objects are and how they are called.
    fn descriptions(&self) -> String {
        let catalog = self.catalog;
        let mut all = Map::new();
        let mut add = |oid: u32, part: u32, text: String| all.insert(format!("{oid}.{part}"), text.into());
        for relation in catalog.relations() {
            let name = catalog.relation_name(relation);
            let whole = format!("{} {name}", relation.word());
            for column in &relation.columns {
                add(relation.oid, column.number, format!("column {} of {whole}", column.name));
            }
            for index in &relation.indexes {
                add(index.oid, 0, format!("index {}", catalog.qualified(relation.schema, &index.name)));
            }
            let constraints = relation.constraints.iter().map(|known| ("constraint", known.oid, &known.name));
            let triggers = relation.triggers.iter().map(|known| ("trigger", known.oid, &known.name));
            let policies = relation.policies.iter().map(|known| ("policy", known.oid, &known.name));
            for (word, oid, part) in constraints.chain(triggers).chain(policies) {
                add(oid, 0, format!("{word} {part} on {whole}"));
            }
            add(relation.oid, 0, whole);
        }
        for (oid, _) in catalog.types() {
            add(oid, 0, format!("type {}", catalog.type_name(Type(oid), -1)));
            add(oid + 1, 0, format!("type {}", catalog.type_name(Type(oid + 1), -1)));
        }
        for (oid, routine) in catalog.shown_routines() {
            let word = if routine.procedure { "procedure" } else { "function" };
            add(oid, 0, format!("{word} {}", self.signature(&routine)));
        }
        for (oid, schema) in catalog.schemas() {
            add(oid, 0, format!("schema {}", schema.name));
        }
        for (oid, extension) in catalog.extensions() {
            add(oid, 0, format!("extension {}", extension.name));
        }
        for (oid, role) in catalog.roles() {
            add(oid, 0, format!("role {}", role.name));
        }
        Json::Object(all).to_string()
    }

    fn argument_defaults(&self) -> String {
        let all = self.catalog.routines().flat_map(|(oid, routine)| {
            let taken = (1..).zip(&routine.arguments);
            taken.filter_map(move |(number, argument)| {
                Some((format!("{oid}.{number}"), argument.default.clone()?.into()))
            })
        });
        Json::Object(all.collect()).to_string()
    }

    fn statistics_definitions(&self) -> String {
        let seen = super::names_seen(self.catalog, self.settings);
        let texts = self.catalog.recorded(RecordedKind::Statistics).filter_map(|(oid, known)| {
            let relation = self.catalog.relation(known.of?)?;
            let letters = known.words.get("kinds").map_or("", String::as_str);
            let kinds = [('d', "ndistinct"), ('f', "dependencies"), ('m', "mcv")];
            let named = kinds.iter().filter(|(letter, _)| letters.contains(*letter)).map(|(_, word)| *word);
            let named: Vec<&str> = named.collect();
            let kinds = if named.len() == 3 { String::new() } else { format!(" ({})", named.join(", ")) };
            let numbers =
                known.words.get("keys")?.split_whitespace().filter_map(|number| number.parse().ok());
            let columns: Vec<String> =
                numbers.map(|number| quote_identifier(relation.column_name(number))).collect();
            let name = quote_identifier(&known.name);
            let schema = quote_identifier(self.catalog.schema_name(known.schema?));
            let table = seen.qualified(relation.schema, &relation.name);
            let text =
                format!("CREATE STATISTICS {schema}.{name}{kinds} ON {} FROM {table}", columns.join(", "));
            Some((oid.to_string(), text.into()))
        });
        Json::Object(texts.collect()).to_string()
    }

    /// The one row of `pg_sequence_parameters`, for each sequence.
    fn sequence_parameters(&self) -> String {
        let rows = self.catalog.relations().filter_map(|relation| {
            let options = relation.sequence.as_ref()?;
            let row = json!([[
                options.start,
                options.minimum,
                options.maximum,
                options.increment,
                u8::from(options.cycle),
                options.cache,
                options.type_.0
            ]]);
            Some((relation.oid.to_string(), row.to_string().into()))
        });
        Json::Object(rows.collect()).to_string()
    }
}

fn properties_of_methods() -> String {
    let all = METHODS.iter().filter(|(_, method)| *method != "heap").flat_map(|(oid, method)| {
        OF_METHODS.iter().map(move |(name, methods)| {
            (format!("{oid}.{name}"), Json::from(u8::from(methods.contains(method))))
        })
    });
    Json::Object(all.collect()).to_string()
}
