//! Texts of definitions and comments that functions of the catalog return.

use serde_json::{Map, Value as Json, json};

use crate::bind::Binder;
use crate::catalog::{Oid, RecordedKind, Relation, Routine, quote_identifier};
use crate::describe;
use crate::pretty;
use crate::types::BUILTINS;

impl Binder<'_> {
    pub(super) fn constraint_definitions(&self, is_pretty: bool) -> String {
        let shown = |text: String| {
            let checks = is_pretty && text.starts_with("CHECK ");
            Json::from(if checks { pretty::pretty(&text) } else { text })
        };
        let catalog = &*self.seen();
        let all = catalog.relations().flat_map(|relation| {
            let constraints = relation.constraints.iter();
            constraints.map(move |constraint| {
                (constraint.oid.to_string(), shown(describe::constraint(catalog, relation, constraint)))
            })
        });
        let domains = describe::domain_checks(catalog);
        let domains = domains.map(|check| (check.oid.to_string(), shown(format!("CHECK ({})", check.text))));
        let triggers = self.catalog.relations().flat_map(|relation| &relation.triggers);
        let triggers = triggers.filter_map(|trigger| {
            let text = describe::trigger_constraint_text(trigger);
            Some((describe::trigger_constraint(trigger)?.to_string(), text.into()))
        });
        Json::Object(all.chain(domains).chain(triggers).collect()).to_string()
    }

    /// The definitions of all indexes by their numbers, and their columns by `number.column`.
    pub(super) fn index_definitions(&self, is_pretty: bool) -> String {
        let catalog = &*self.seen();
        let indexes = catalog
            .relations()
            .flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)));
        let all = indexes.flat_map(|(relation, index)| {
            let whole = (index.oid.to_string(), describe::index(catalog, relation, index, is_pretty));
            let columns = describe::index_columns(relation, index, is_pretty).into_iter().zip(1..);
            let columns = columns.map(|(text, place)| (format!("{}.{place}", index.oid), text));
            std::iter::once(whole).chain(columns)
        });
        Json::Object(all.map(|(key, text)| (key, text.into())).collect()).to_string()
    }

    pub(super) fn view_definitions(&self, plain: bool) -> String {
        crate::bind::showing(self.catalog, self.settings, |binder| {
            let views = self.catalog.relations().filter_map(|relation| {
                Some((relation.oid.to_string(), Json::from(binder.view_text(relation, plain)?)))
            });
            Json::Object(views.collect()).to_string()
        })
    }

    pub(super) fn routine_texts(&self, what: &str) -> String {
        // A procedure has no result.
        let shown = |routine: &Routine| !routine.procedure || what != "pg_get_function_result";
        let catalog = &*self.seen();
        let bodies = match what {
            "pg_get_functiondef" => self.sql_bodies(),
            _ => Map::new(),
        };
        let texts = catalog.shown_routines().filter(|(_, routine)| shown(routine)).map(|(oid, routine)| {
            let routine = &*routine;
            let body = bodies.get(&oid.to_string()).and_then(Json::as_str);
            let text = match what {
                "pg_get_functiondef" => describe::routine(catalog, routine, body),
                "pg_get_function_arguments" => describe::routine_arguments(catalog, routine, true),
                "pg_get_function_result" => describe::routine_result(catalog, routine),
                _ => describe::routine_arguments(catalog, routine, false),
            };
            (oid.to_string(), text.into())
        });
        Json::Object(texts.collect()).to_string()
    }

    /// The bodies of functions in SQL's own form.
    pub(super) fn sql_bodies(&self) -> Map<String, Json> {
        crate::bind::showing(self.catalog, self.settings, |binder| {
            let bodies = self.catalog.routines();
            let bodies = bodies.filter_map(|(oid, routine)| {
                Some((oid.to_string(), Json::from(binder.sql_body_text(routine)?)))
            });
            bodies.collect()
        })
    }

    pub(super) fn trigger_definitions(&self, plain: bool) -> String {
        crate::bind::showing(self.catalog, self.settings, |binder| {
            let mut texts = serde_json::Map::new();
            for relation in self.catalog.relations() {
                for trigger in &relation.triggers {
                    let text = binder.trigger_text(relation, trigger, plain);
                    texts.insert(trigger.oid.to_string(), text.into());
                }
            }
            Json::Object(texts).to_string()
        })
    }

    /// The text of each rule.
    pub(super) fn rule_definitions(&self, plain: bool) -> String {
        let mut texts = Map::new();
        crate::bind::showing(self.catalog, self.settings, |binder| {
            for relation in self.catalog.relations() {
                for rule in &relation.rules {
                    texts.insert(rule.oid.to_string(), binder.rule_text(relation, rule, plain).into());
                }
                let Some(query) = binder.view_text(relation, true) else { continue };
                let schema = quote_identifier(self.catalog.schema_name(relation.schema));
                let name = quote_identifier(&relation.name);
                let text = format!(
                    "CREATE RULE \"_RETURN\" AS\n    ON SELECT TO {schema}.{name} DO INSTEAD {query}"
                );
                texts.insert((relation.oid + 1).to_string(), text.into());
            }
        });
        Json::Object(texts).to_string()
    }

    /// The columns of each object of extended statistics.
    pub(super) fn statistics_columns(&self) -> String {
        let texts = self.catalog.recorded(RecordedKind::Statistics).filter_map(|(oid, known)| {
            let relation = self.catalog.relation(known.of?)?;
            let numbers =
                known.words.get("keys")?.split_whitespace().filter_map(|number| number.parse().ok());
            let names: Vec<String> =
                numbers.map(|number| quote_identifier(relation.column_name(number))).collect();
            Some((oid.to_string(), names.join(", ").into()))
        });
        Json::Object(texts.collect()).to_string()
    }

    /// Each partition and partitioned table, with what it is part of: itself first, the root last.
    pub(super) fn partition_ancestors(&self) -> String {
        let parts = self
            .catalog
            .relations()
            .filter(|relation| relation.partition.is_some() || relation.partitioning.is_some());
        let lines = parts.map(|relation| {
            let parent = |oid: &Oid| {
                let relation = self.catalog.relation(*oid)?;
                relation.partition.as_ref().map(|partition| partition.parent)
            };
            let line: Vec<Json> = std::iter::successors(Some(relation.oid), parent).map(Json::from).collect();
            (relation.oid.to_string(), Json::Array(line).to_string().into())
        });
        Json::Object(lines.collect()).to_string()
    }

    /// The rows of `pg_partition_tree`, for each partitioned table and partition.
    pub(super) fn partition_trees(&self) -> String {
        let parts = self
            .catalog
            .relations()
            .filter(|relation| relation.partition.is_some() || relation.partitioning.is_some());
        let trees = parts.map(|relation| {
            let mut rows = Vec::new();
            self.partition_tree(relation, 0, &mut rows);
            (relation.oid.to_string(), Json::Array(rows).to_string().into())
        });
        Json::Object(trees.collect()).to_string()
    }

    fn partition_tree(&self, relation: &Relation, level: i64, rows: &mut Vec<Json>) {
        let parent = relation.partition.as_ref().map(|partition| partition.parent);
        rows.push(json!([relation.oid, parent, u8::from(relation.partitioning.is_none()), level]));
        for (partition, _) in self.catalog.partitions_of(relation.oid) {
            self.partition_tree(partition, level + 1, rows);
        }
    }

    pub(super) fn comments(&self) -> String {
        let all = describe::comments(self.catalog).into_iter().filter(|comment| comment.column == 0);
        Json::Object(all.map(|comment| (comment.object.to_string(), comment.text.into())).collect())
            .to_string()
    }

    pub(super) fn column_comments(&self) -> String {
        let all = describe::comments(self.catalog).into_iter().filter(|comment| comment.column > 0);
        let texts =
            all.map(|comment| (format!("{}.{}", comment.object, comment.column), comment.text.into()));
        Json::Object(texts.collect()).to_string()
    }

    /// Which objects are visible without a schema, as a JSON map from identifiers.
    pub(super) fn visible(&self) -> String {
        let path = self.search_path();
        let mut all = Map::new();
        for relation in self.catalog.relations() {
            all.insert(relation.oid.to_string(), u8::from(path.contains(&relation.schema)).into());
            for index in &relation.indexes {
                all.insert(index.oid.to_string(), u8::from(path.contains(&relation.schema)).into());
            }
        }
        for (oid, type_) in self.catalog.types() {
            all.insert(oid.to_string(), u8::from(path.contains(&type_.schema)).into());
        }
        for (oid, routine) in self.catalog.shown_routines() {
            all.insert(oid.to_string(), u8::from(path.contains(&routine.schema)).into());
        }
        for builtin in BUILTINS {
            all.insert(builtin.id.0.to_string(), 1.into());
        }
        Json::Object(all).to_string()
    }
}
