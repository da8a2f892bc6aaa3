//! The relations of `pg_catalog` about rules, foreign data, event triggers and statistics.

use serde_json::{Value as Json, json};

use super::System;
use super::pg::{list, vector};
use crate::catalog::{Catalog, Object, Oid, Recorded, RecordedKind, RelationKind};
use crate::describe;

type Rows = Vec<Vec<Json>>;

pub(super) fn relations() -> Vec<System> {
    vec![
        System {
            name: "pg_event_trigger",
            columns: &["oid", "evtname", "evtevent", "evtowner", "evtfoid", "evtenabled", "evttags"],
            rows: |catalog, _| {
                rows(catalog, RecordedKind::EventTrigger, |known| {
                    let tags: Vec<&String> = known.options.iter().map(|(tag, _)| tag).collect();
                    vec![
                        json!(known.words.get("event")),
                        json!(describe::role_oid(catalog, &known.owner)),
                        json!(known.of),
                        json!(known.words.get("enabled")),
                        if tags.is_empty() { Json::Null } else { list(tags) },
                    ]
                })
            },
        },
        System {
            name: "pg_foreign_data_wrapper",
            columns: &["oid", "fdwname", "fdwowner", "fdwhandler", "fdwvalidator", "fdwacl", "fdwoptions"],
            rows: |catalog, _| {
                rows(catalog, RecordedKind::Wrapper, |known| {
                    vec![
                        json!(describe::role_oid(catalog, &known.owner)),
                        json!(function(catalog, known.words.get("handler"))),
                        json!(function(catalog, known.words.get("validator"))),
                        Json::Null,
                        options(&known.options),
                    ]
                })
            },
        },
        System {
            name: "pg_foreign_server",
            columns: &[
                "oid",
                "srvname",
                "srvowner",
                "srvfdw",
                "srvtype",
                "srvversion",
                "srvacl",
                "srvoptions",
            ],
            rows: |catalog, _| {
                rows(catalog, RecordedKind::Server, |known| {
                    vec![
                        json!(describe::role_oid(catalog, &known.owner)),
                        json!(known.of),
                        json!(known.words.get("type")),
                        json!(known.words.get("version")),
                        Json::Null,
                        options(&known.options),
                    ]
                })
            },
        },
        System {
            name: "pg_user_mapping",
            columns: &["oid", "umuser", "umserver", "umoptions"],
            rows: |catalog, _| {
                let known = catalog.recorded(RecordedKind::Mapping);
                known
                    .map(|(oid, known)| {
                        vec![
                            json!(oid),
                            json!(user(catalog, known)),
                            json!(known.of),
                            options(&known.options),
                        ]
                    })
                    .collect()
            },
        },
        System {
            name: "pg_user_mappings",
            columns: &["umid", "srvid", "srvname", "umuser", "usename", "umoptions"],
            rows: |catalog, _| {
                let known = catalog.recorded(RecordedKind::Mapping);
                known
                    .map(|(oid, known)| {
                        let server = known.of.and_then(|server| match catalog.objects.get(&server) {
                            Some(Object::Recorded(server)) => Some(&server.name),
                            _ => None,
                        });
                        vec![
                            json!(oid),
                            json!(known.of),
                            json!(server),
                            json!(user(catalog, known)),
                            json!(known.name),
                            options(&known.options),
                        ]
                    })
                    .collect()
            },
        },
        System {
            name: "pg_foreign_table",
            columns: &["ftrelid", "ftserver", "ftoptions"],
            rows: |catalog, _| {
                let tables = catalog
                    .relations()
                    .filter_map(|relation| Some((relation.oid, relation.foreign.as_ref()?)));
                tables.map(|(oid, far)| vec![json!(oid), json!(far.server), options(&far.options)]).collect()
            },
        },
        System {
            name: "pg_statistic_ext",
            columns: &["oid", "stxname", "stxrelid", "stxnamespace", "stxowner", "stxkeys", "stxkind"],
            rows: |catalog, _| {
                rows(catalog, RecordedKind::Statistics, |known| {
                    let kinds = known.words.get("kinds").into_iter().flat_map(|kinds| kinds.chars());
                    vec![
                        json!(known.of),
                        json!(known.schema),
                        json!(describe::role_oid(catalog, &known.owner)),
                        numbers(known.words.get("keys")),
                        list(kinds.map(String::from)),
                    ]
                })
            },
        },
        System {
            name: "pg_rewrite",
            columns: &["oid", "rulename", "ev_class", "ev_type", "ev_enabled", "is_instead"],
            rows: rewrites,
        },
        System {
            name: "pg_rules",
            columns: &["schemaname", "tablename", "rulename", "definition"],
            rows: |catalog, settings| {
                crate::bind::showing(catalog, settings, |binder| {
                    let mut rows = Rows::new();
                    for relation in catalog.relations() {
                        let schema = catalog.schema_name(relation.schema);
                        for rule in &relation.rules {
                            let text = binder.rule_text(relation, rule, false);
                            rows.push(vec![
                                json!(schema),
                                json!(relation.name),
                                json!(rule.name),
                                json!(text),
                            ]);
                        }
                    }
                    rows
                })
            },
        },
    ]
}

/// A row for each object of a kind: number and name, and what `rest` tells.
fn rows(catalog: &Catalog, kind: RecordedKind, rest: impl Fn(&Recorded) -> Vec<Json>) -> Rows {
    let known = catalog.recorded(kind);
    known.map(|(oid, known)| [vec![json!(oid), json!(known.name)], rest(known)].concat()).collect()
}

fn rewrites(catalog: &Catalog, _: &crate::bind::Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        if matches!(relation.shown_kind(), RelationKind::View | RelationKind::MaterializedView) {
            // The rule of a view has no number of its own. Odd numbers are free here.
            rows.push(vec![
                json!(relation.oid + 1),
                json!("_RETURN"),
                json!(relation.oid),
                json!("1"),
                json!("O"),
                json!(1),
            ]);
        }
        for rule in &relation.rules {
            let event = match rule.event.as_str() {
                "UPDATE" => "2",
                "INSERT" => "3",
                _ => "4",
            };
            let instead = u8::from(rule.instead);
            rows.push(vec![
                json!(rule.oid),
                json!(rule.name),
                json!(relation.oid),
                json!(event),
                json!(rule.enabled.to_string()),
                json!(instead),
            ]);
        }
    }
    rows
}

fn options(options: &[(String, String)]) -> Json {
    if options.is_empty() {
        return Json::Null;
    }
    list(options.iter().map(|(name, value)| format!("{name}={value}")))
}

/// The number of a function by name; 0 without one.
fn function(catalog: &Catalog, name: Option<&String>) -> Oid {
    let name = name.map(|name| name.rsplit('.').next().unwrap_or(name));
    let mut routines = catalog.routines().filter(|(_, known)| Some(&*known.name) == name);
    routines.next().map_or(0, |(oid, _)| oid)
}

/// The role of a user mapping; 0 for everybody.
fn user(catalog: &Catalog, mapping: &Recorded) -> Oid {
    if mapping.name == "public" { 0 } else { describe::role_oid(catalog, &mapping.name) }
}

/// The numbers in a text, as a list that counts from 0.
fn numbers(text: Option<&String>) -> Json {
    let words = text.iter().flat_map(|text| text.split_ascii_whitespace());
    vector(&words.filter_map(|word| word.parse::<i64>().ok()).collect::<Vec<_>>())
}
