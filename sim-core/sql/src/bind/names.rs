//! Functions that read the catalog. The statement gets the required part of the catalog as a JSON map, in which they look up
//! values.

use rusqlite::types::Value;
use serde_json::{Map, Value as Json, json};

use super::Binder;
use crate::catalog::{
    INFORMATION_SCHEMA, Oid, PG_CATALOG, RecordedKind, Relation, RelationKind, Routine, quote_identifier,
};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::pretty;
use crate::security::session::is_custom;
use crate::source::{self, Source};
use crate::tree::{Expr, Node};
use crate::types::{BUILTINS, Type};

/// The privileges on a new object of a kind, for everybody and for its owner.
const DEFAULT_PRIVILEGES: &str = "CASE {0} WHEN 'r' THEN json_array({1} || '=arwdDxt/' || {1}) \
    WHEN 's' THEN json_array({1} || '=rwU/' || {1}) \
    WHEN 'n' THEN json_array({1} || '=UC/' || {1}) \
    WHEN 'f' THEN json_array('=X/' || {1}, {1} || '=X/' || {1}) \
    WHEN 'l' THEN json_array('=U/' || {1}, {1} || '=U/' || {1}) \
    WHEN 'T' THEN json_array('=U/' || {1}, {1} || '=U/' || {1}) \
    WHEN 'd' THEN json_array('=Tc/' || {1}, {1} || '=CTc/' || {1}) \
    WHEN 't' THEN json_array({1} || '=C/' || {1}) \
    WHEN 'L' THEN json_array({1} || '=rw/' || {1}) \
    WHEN 'c' THEN '[]' \
    ELSE json_array({1} || '=U/' || {1}) END";

/// Whether an argument is the number zero.
fn is_zero(argument: Option<&Expr>) -> bool {
    matches!(argument, Some(Expr { node: Node::Literal(Value::Integer(0)), .. }))
}

/// Whether a definition is wanted as it is for people.
fn is_pretty(argument: Option<&Expr>) -> bool {
    argument.is_some_and(|argument| match &argument.node {
        Node::Literal(Value::Integer(value)) => *value != 0,
        Node::Untyped(text) => !matches!(text.as_str(), "f" | "false" | "off" | "no" | "0"),
        _ => true,
    })
}

impl Binder<'_> {
    /// Binds a function that reads the catalog or a sequence.
    pub(super) fn catalog_function(&mut self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        if let Some(expr) = self.sequence_function(called, arguments)? {
            return Ok(Some(expr));
        }
        if let Some(expr) = self.privilege_function(called, arguments)? {
            return Ok(Some(expr));
        }
        let always = |value: bool| Ok(Some(Expr::literal(i64::from(value), Type::BOOL)));
        let number = |binder: &Self, index: usize| -> Result<Expr> {
            let given = arguments.get(index).cloned().unwrap_or_else(Expr::null);
            if given.type_ == Type::UNKNOWN { binder.implicit(given, Type::REGCLASS) } else { Ok(given) }
        };
        let map = match called {
            "format_type" => return self.format_type(arguments).map(Some),
            "pg_get_expr" => {
                let text = arguments.first().cloned().unwrap_or_else(Expr::null);
                let text = Expr { type_: Type::TEXT, ..text };
                return Ok(Some(match is_pretty(arguments.get(2)) {
                    true => Expr::template("pg_pretty({0})", vec![text], Type::TEXT),
                    false => text,
                }));
            }
            "pg_get_constraintdef" => self.constraint_definitions(is_pretty(arguments.get(1))),
            "pg_get_indexdef" if arguments.len() == 1 => self.index_definitions(false),
            "pg_get_indexdef" => {
                let column = self.implicit(arguments[1].clone(), Type::INT4)?;
                let key = "iif({1} = 0, {0}, {0} || '.' || {1})";
                let key = Expr::template(key, vec![number(self, 0)?, column], Type::TEXT);
                let definitions = self.index_definitions(is_pretty(arguments.get(2)));
                let found = lookup(definitions, key, Type::TEXT);
                let none = Expr::literal(String::new(), Type::TEXT);
                return Ok(Some(Expr::new(Node::Coalesce(vec![found, none]), Type::TEXT)));
            }
            "pg_get_ruledef" => self.rule_definitions(),
            "pg_get_function_sqlbody" => return Ok(Some(Expr::literal(Value::Null, Type::TEXT))),
            "getdatabaseencoding" => return Ok(Some(Expr::literal("UTF8".to_owned(), Type::NAME))),
            "acldefault" => {
                let kind =
                    self.implicit(arguments.first().cloned().unwrap_or_else(Expr::null), Type::QCHAR)?;
                let owner = lookup(describe::role_names(self.catalog), number(self, 1)?, Type::NAME);
                return Ok(Some(Expr::template(DEFAULT_PRIVILEGES, vec![kind, owner], Type(1003))));
            }
            "aclexplode" if arguments.len() == 1 => {
                let list = self.implicit(arguments[0].clone(), Type::NAME.array().unwrap_or(Type::TEXT))?;
                let roles = self.catalog.roles().map(|(oid, role)| (role.name.clone(), oid.into()));
                let roles = Json::Object(roles.collect()).to_string();
                return self.plain_call(called, vec![list, Expr::literal(roles, Type::JSON)]).map(Some);
            }
            "pg_partition_tree" if arguments.first().is_some_and(|tree| tree.type_ != Type::JSON) => {
                let tree = lookup(self.partition_trees(), number(self, 0)?, Type::JSON);
                return self.plain_call(called, vec![tree]).map(Some);
            }
            "pg_partition_root" => {
                let ancestors = lookup(self.partition_ancestors(), number(self, 0)?, Type::TEXT);
                let root = Expr::template("({0}->>'$[#-1]')", vec![ancestors], Type::REGCLASS);
                return Ok(Some(root));
            }
            "pg_get_partition_constraintdef" => {
                let texts = self.catalog.relations().filter_map(|relation| {
                    Some((relation.oid.to_string(), self.catalog.partition_constraint(relation)?.into()))
                });
                Json::Object(texts.collect()).to_string()
            }
            "pg_partition_ancestors" if arguments.first().is_some_and(|of| of.type_ != Type(2210)) => {
                let ancestors = lookup(self.partition_ancestors(), number(self, 0)?, Type(2210));
                return self.plain_call(called, vec![ancestors]).map(Some);
            }
            "pg_get_viewdef" => self.view_definitions(is_pretty(arguments.get(1))),
            "pg_get_partkeydef" => {
                let keys = self.catalog.relations().filter_map(|relation| {
                    Some((relation.oid.to_string(), self.catalog.partition_key_text(relation)?.into()))
                });
                Json::Object(keys.collect()).to_string()
            }
            "pg_get_functiondef"
            | "pg_get_function_arguments"
            | "pg_get_function_identity_arguments"
            | "pg_get_function_result" => self.routine_texts(called),
            "pg_get_triggerdef" => self.trigger_definitions(is_pretty(arguments.get(1))),
            "obj_description" | "shobj_description" => self.comments(),
            "col_description" => {
                let key = Expr::template(
                    "({0} || '.' || {1})",
                    vec![number(self, 0)?, arguments[1].clone()],
                    Type::TEXT,
                );
                return Ok(Some(lookup(self.column_comments(), key, Type::TEXT)));
            }
            "pg_relation_is_publishable" => {
                let key = number(self, 0)?;
                let tables = self.catalog.relations().filter(|relation| relation.kind == RelationKind::Table);
                let map = Json::Object(tables.map(|table| (table.oid.to_string(), 1.into())).collect());
                let updatable = lookup(map.to_string(), key, Type::BOOL);
                return Ok(Some(Expr::new(
                    Node::Coalesce(vec![updatable, Expr::literal(0, Type::BOOL)]),
                    Type::BOOL,
                )));
            }
            "pg_get_userbyid" => {
                let key = number(self, 0)?;
                return Ok(Some(lookup(describe::role_names(self.catalog), key, Type::NAME)));
            }
            "to_regclass" | "to_regtype" | "to_regnamespace" | "to_regproc" | "to_regprocedure"
            | "to_regrole" => {
                let type_ = Type::named(&called[3..]).unwrap_or(Type::REGCLASS);
                if let Some(Expr { node: Node::Untyped(text), .. }) = arguments.first() {
                    let found = self.named_object(type_, text).ok();
                    let found = found.map_or(Value::Null, |oid| Value::Integer(oid.into()));
                    return Ok(Some(Expr::literal(found, type_)));
                }
                let key = self.implicit(arguments.first().cloned().unwrap_or_else(Expr::null), Type::TEXT)?;
                let kind = Expr::literal(self.catalog.type_name(type_, -1), Type::TEXT);
                let key = Expr::template("pg_object_name({0},{1})", vec![key, kind], Type::TEXT);
                return Ok(Some(lookup(self.object_numbers(type_), key, type_)));
            }
            "pg_typeof" => {
                let type_ = arguments.first().map_or(Type::UNKNOWN, |argument| argument.type_);
                return Ok(Some(Expr::literal(i64::from(type_.0), Type::REGTYPE)));
            }
            "pg_column_size" => {
                let value = arguments.first().cloned().unwrap_or_else(Expr::null);
                return self.stored_size(value).map(Some);
            }
            "pg_table_is_visible" | "pg_type_is_visible" | "pg_function_is_visible" => {
                let key = number(self, 0)?;
                return Ok(Some(Expr::new(
                    Node::Coalesce(vec![
                        lookup(self.visible(), key, Type::BOOL),
                        Expr::literal(0, Type::BOOL),
                    ]),
                    Type::BOOL,
                )));
            }
            "pg_collation_is_visible"
            | "pg_conversion_is_visible"
            | "pg_opclass_is_visible"
            | "pg_operator_is_visible"
            | "pg_opfamily_is_visible"
            | "pg_statistics_obj_is_visible"
            | "pg_ts_config_is_visible"
            | "pg_ts_dict_is_visible"
            | "pg_ts_parser_is_visible"
            | "pg_ts_template_is_visible" => return always(true),
            "pg_get_statisticsobjdef_columns" => self.statistics_columns(),
            "pg_is_in_recovery" | "pg_is_other_temp_schema" => return always(false),
            "row_security_active" => self.active_policies(),
            "current_schemas" => return Ok(Some(self.current_schemas(arguments)?)),
            "current_schema" => return Ok(Some(Expr::literal(self.current_schema(), Type::NAME))),
            "current_setting" => return self.current_setting(arguments).map(Some),
            "set_config" => return self.set_config(arguments).map(Some),
            "enum_range" | "enum_first" | "enum_last" => return self.enum_labels(called, arguments),
            "oidvectortypes" => {
                let [types] = arguments else { return Ok(None) };
                let types =
                    self.cast(types.clone(), Type::REGTYPE.array().unwrap_or(Type::REGTYPE).plain())?;
                let arguments =
                    vec![self.names_of_elements(types), Expr::literal(", ".to_owned(), Type::TEXT)];
                return Ok(self.resolve("array_to_string", arguments, true)?.ok());
            }
            "pg_get_serial_sequence" => return self.serial_sequence(arguments).map(Some),
            "pg_get_statisticsobjdef_expressions" => {
                return Ok(Some(Expr::literal(Value::Null, Type::TEXT.array().unwrap_or(Type::TEXT))));
            }
            "timeofday" if arguments.is_empty() => {
                let now = Expr::template("{now}", Vec::new(), Type::TIMESTAMPTZ);
                let format = Expr::literal("Dy Mon DD HH24:MI:SS.US YYYY TZ".to_owned(), Type::TEXT);
                return self.plain_call("to_char", vec![now, format]).map(Some);
            }
            _ => return self.description_function(called, arguments),
        };
        let key = number(self, 0)?;
        let type_ = if called == "row_security_active" { Type::BOOL } else { Type::TEXT };
        Ok(Some(lookup(map, key, type_)))
    }

    /// How many bytes PostgreSQL takes for a value: its type's size, or its text with a header.
    fn stored_size(&mut self, value: Expr) -> Result<Expr> {
        let fixed = value.type_.builtin().map_or(-1, |known| known.length);
        if fixed > 0 {
            let operands = vec![value, Expr::literal(i64::from(fixed), Type::INT4)];
            return Ok(Expr::template("CASE WHEN {0} IS NOT NULL THEN {1} END", operands, Type::INT4));
        }
        let text = self.cast(value, Type::TEXT.plain())?;
        Ok(Expr::template("(length(CAST({0} AS BLOB)) + 4)", vec![text], Type::INT4))
    }

    fn sequence_function(&mut self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        let text = match (called, arguments.len()) {
            ("nextval", 1) => "pg_nextval({0})",
            ("currval", 1) => "pg_currval({0})",
            ("setval", 2) => "pg_setval({0},{1},1)",
            ("setval", 3) => "pg_setval({0},{1},{2})",
            ("lastval", 0) => "pg_lastval()",
            ("pg_sequence_last_value", 1) => {
                "CASE WHEN pg_sequence_called({0}) THEN pg_sequence_value({0}) END"
            }
            _ => return Ok(None),
        };
        if let Some(Expr { node: Node::Untyped(text), .. }) = arguments.first() {
            let oid = self.named_object(Type::REGCLASS, text)?;
            if self.catalog.relation(oid).is_none_or(|relation| relation.sequence.is_none()) {
                let message = format!("\"{text}\" is not a sequence");
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
            }
        }
        let mut operands = Vec::new();
        for (argument, type_) in arguments.iter().zip([Type::REGCLASS, Type::INT8, Type::BOOL]) {
            operands.push(self.implicit(argument.clone(), type_)?);
        }
        let sequence = match operands.first().map(|operand| &operand.node) {
            Some(Node::Literal(Value::Integer(oid))) => Oid::try_from(*oid).ok(),
            _ => None,
        };
        self.use_sequence(sequence);
        if let Some(relation) = sequence.and_then(|oid| self.catalog.relation(oid)) {
            self.require_sequence(relation, called);
        }
        Ok(Some(Expr::template(text, operands, Type::INT8)))
    }

    fn format_type(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let mut names = Map::new();
        for builtin in BUILTINS {
            names.insert(builtin.id.0.to_string(), builtin.display.into());
            if let Some(array) = builtin.id.array() {
                names.insert(array.0.to_string(), format!("{}[]", builtin.display).into());
            }
        }
        let catalog = &*super::names_seen(self.catalog, self.settings);
        for (oid, _) in catalog.types() {
            for oid in [oid, oid + 1] {
                names.insert(oid.to_string(), catalog.type_name(Type(oid), -1).into());
            }
        }
        let key = self.implicit(arguments.first().cloned().unwrap_or_else(Expr::null), Type::OID)?;
        let name = lookup(Json::Object(names).to_string(), key.clone(), Type::TEXT);
        let modifier = arguments.get(1).cloned().unwrap_or_else(Expr::null);
        if modifier.is_null_literal() {
            return Ok(name);
        }
        let modifier = self.implicit(modifier, Type::INT4)?;
        Ok(Expr::template("pg_format_type({0},{1},{2})", vec![name, key, modifier], Type::TEXT))
    }

    fn constraint_definitions(&self, is_pretty: bool) -> String {
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
    fn index_definitions(&self, is_pretty: bool) -> String {
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

    fn view_definitions(&self, plain: bool) -> String {
        super::showing(self.catalog, self.settings, |binder| {
            let views = self.catalog.relations().filter_map(|relation| {
                Some((relation.oid.to_string(), Json::from(binder.view_text(relation, plain)?)))
            });
            Json::Object(views.collect()).to_string()
        })
    }

    fn routine_texts(&self, what: &str) -> String {
        // A procedure has no result.
        let shown = |routine: &Routine| !routine.procedure || what != "pg_get_function_result";
        let catalog = &*self.seen();
        let texts = catalog.routines().filter(|(_, routine)| shown(routine)).map(|(oid, routine)| {
            let text = match what {
                "pg_get_functiondef" => describe::routine(catalog, routine),
                "pg_get_function_arguments" => describe::routine_arguments(catalog, routine, true),
                "pg_get_function_result" => describe::routine_result(catalog, routine),
                _ => describe::routine_arguments(catalog, routine, false),
            };
            (oid.to_string(), text.into())
        });
        Json::Object(texts.collect()).to_string()
    }

    fn trigger_definitions(&self, plain: bool) -> String {
        super::showing(self.catalog, self.settings, |binder| {
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
    fn rule_definitions(&self) -> String {
        let texts = self.catalog.relations().flat_map(|relation| {
            let text = |rule| describe::rule_definition(self.catalog, relation, rule);
            relation.rules.iter().map(move |rule| (rule.oid.to_string(), text(rule).into()))
        });
        Json::Object(texts.collect()).to_string()
    }

    /// The columns of each object of extended statistics.
    fn statistics_columns(&self) -> String {
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
    fn partition_ancestors(&self) -> String {
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
    fn partition_trees(&self) -> String {
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

    fn comments(&self) -> String {
        let all = describe::comments(self.catalog).into_iter().filter(|comment| comment.column == 0);
        Json::Object(all.map(|comment| (comment.object.to_string(), comment.text.into())).collect())
            .to_string()
    }

    fn column_comments(&self) -> String {
        let all = describe::comments(self.catalog).into_iter().filter(|comment| comment.column > 0);
        let texts =
            all.map(|comment| (format!("{}.{}", comment.object, comment.column), comment.text.into()));
        Json::Object(texts.collect()).to_string()
    }

    /// Which objects are visible without a schema, as a JSON map from identifiers.
    fn visible(&self) -> String {
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
        for (oid, routine) in self.catalog.routines() {
            all.insert(oid.to_string(), u8::from(path.contains(&routine.schema)).into());
        }
        for builtin in BUILTINS {
            all.insert(builtin.id.0.to_string(), 1.into());
        }
        Json::Object(all).to_string()
    }

    fn current_schemas(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let implicit = arguments.first().is_some_and(|argument| {
            matches!(argument.node, Node::Literal(rusqlite::types::Value::Integer(1)))
        });
        let path = self.path().iter().filter(|schema| self.catalog.schema_named(schema).is_some());
        let names = implicit.then(|| "pg_catalog".to_owned()).into_iter().chain(path.cloned());
        let names: Vec<String> = names.collect();
        Ok(Expr::literal(json!(names).to_string(), Type::NAME.array().unwrap_or(Type::TEXT)))
    }

    fn current_setting(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let missing_ok = arguments.len() > 1 && !is_zero(arguments.get(1));
        let Some(Expr { node: Node::Untyped(name), .. }) = arguments.first() else {
            return self.setting_by_name(arguments.first().cloned().unwrap_or_else(Expr::null), missing_ok);
        };
        let value = describe::setting(self.settings, name);
        if is_custom(name) && self.may_change_settings() {
            let name = Expr::literal(name.to_lowercase(), Type::TEXT);
            let value = value.map_or(rusqlite::types::Value::Null, Into::into);
            let missing_ok = Expr::literal(i64::from(missing_ok), Type::BOOL);
            let operands = vec![name, Expr::literal(value, Type::TEXT), missing_ok];
            return Ok(Expr::template("pg_setting({*})", operands, Type::TEXT));
        }
        match value {
            Some(value) => Ok(Expr::literal(value, Type::TEXT)),
            None if missing_ok => Ok(Expr::literal(rusqlite::types::Value::Null, Type::TEXT)),
            None => {
                // A definition may read a parameter that only a later session has.
                let message = format!("unrecognized configuration parameter \"{name}\"");
                let message = Expr::literal(message, Type::TEXT);
                Ok(Expr::template("pg_raise('42704', {0})", vec![message], Type::TEXT))
            }
        }
    }

    /// Whether the statement at hand may change a setting before it reads it: by itself, or by a function that it calls.
    fn may_change_settings(&mut self) -> bool {
        const CHANGES: [&str; 4] = ["set_config", "SET_CONFIG", "set local", "SET LOCAL"];
        let changes = |text: &str| CHANGES.iter().any(|words| text.contains(words));
        if self.clause.is_of_definition() {
            return false;
        }
        if self.sets || changes(&self.source.text) {
            return true;
        }
        let catalog = self.catalog;
        *self.setters.get_or_insert_with(|| catalog.routines().any(|(_, routine)| changes(&routine.body)))
    }

    /// The value of a setting whose name is computed.
    fn setting_by_name(&mut self, name: Expr, missing_ok: bool) -> Result<Expr> {
        let name = self.implicit(name, Type::TEXT)?;
        let values = json!(describe::settings(self.settings)).to_string();
        self.once(name, |binder, name| {
            let key = Expr::template("lower({0})", vec![name.clone()], Type::TEXT);
            let value = lookup(values, key, Type::TEXT);
            if missing_ok {
                return Ok(value);
            }
            binder.once.charge(&name)?;
            let text = "CASE WHEN {0} IS NULL THEN NULL ELSE pg_raise('42704', 'unrecognized configuration parameter \"' || {0} || '\"') END";
            let refusal = Expr::template(text, vec![name], Type::TEXT);
            Ok(Expr::new(Node::Coalesce(vec![value, refusal]), Type::TEXT))
        })
    }

    /// A change of a setting. The engine makes it when the statement has run.
    fn set_config(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let types = [Type::TEXT, Type::TEXT, Type::BOOL];
        if arguments.len() != types.len() {
            return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, "function set_config does not exist"));
        }
        self.sets = true;
        let given = arguments.iter().zip(types);
        let operands = given.map(|(argument, type_)| self.implicit(argument.clone(), type_));
        Ok(Expr::template("pg_set_config({0},{1},{2})", operands.collect::<Result<_>>()?, Type::TEXT))
    }

    /// `pg_get_serial_sequence(table, column)`. Texts that are only known when the statement runs are looked up in a map of all.
    fn serial_sequence(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let [table, column] = arguments else {
            return Err(SqlError::unsupported("pg_get_serial_sequence with these arguments"));
        };
        if let (Node::Untyped(table), Node::Untyped(column)) = (&table.node, &column.node) {
            let (schema, name) = split_name(table);
            let relation = self.relation_by_name(schema.as_deref(), &name)?;
            let Some(found) = relation.column(column) else {
                let message = format!("column \"{column}\" of relation \"{}\" does not exist", relation.name);
                return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
            };
            let sequence = found.sequence.and_then(|sequence| self.catalog.relation(sequence));
            let shown = sequence.map(|sequence| self.catalog.quoted_name(sequence));
            return Ok(Expr::literal(shown.map_or(rusqlite::types::Value::Null, Into::into), Type::TEXT));
        }
        let table = self.cast(table.clone(), Type::TEXT.plain())?;
        let table = self.cast(table, Type::REGCLASS.plain())?;
        let column = self.cast(column.clone(), Type::TEXT.plain())?;
        let key = Expr::template("({0} || '.' || {1})", vec![table, column], Type::TEXT);
        let mut names = Map::new();
        for relation in self.catalog.relations() {
            for column in &relation.columns {
                if let Some(sequence) = column.sequence.and_then(|oid| self.catalog.relation(oid)) {
                    let key = format!("{}.{}", relation.oid, column.name);
                    names.insert(key, self.catalog.quoted_name(sequence).into());
                }
            }
        }
        let map = Json::Object(names).to_string();
        Ok(Expr::new(Node::Lookup { map, key: Box::new(key) }, Type::TEXT))
    }

    /// The object with the given name, as text of a `reg` type.
    pub(super) fn named_object(&self, type_: Type, text: &str) -> Result<Oid> {
        if let Ok(number) = text.trim().parse::<Oid>() {
            return Ok(number);
        }
        let (schema, name) = split_name(text);
        let missing = |code: SqlState, message: String| Err(SqlError::new(code, message));
        match type_ {
            Type::REGCLASS => {
                if let Some(oid) = describe::system_oid(schema.as_deref(), &name) {
                    return Ok(oid);
                }
                if let Ok(relation) = self.relation_by_name(schema.as_deref(), &name) {
                    return Ok(relation.oid);
                }
                let schemas = schema.as_deref().map_or_else(
                    || self.search_path(),
                    |schema| self.catalog.schema_named(schema).into_iter().collect(),
                );
                let index = schemas.into_iter().find_map(|schema| self.catalog.index_named(schema, &name));
                match index {
                    Some((_, index)) => Ok(index.oid),
                    None => {
                        let shown = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
                        missing(SqlState::UNDEFINED_TABLE, format!("relation \"{shown}\" does not exist"))
                    }
                }
            }
            Type::REGTYPE if text.trim() == "\"char\"" => Ok(Type::QCHAR.0),
            Type::REGTYPE => {
                let source = Source::sent(text);
                let tokens = source.statements()?.into_iter().next().unwrap_or_default();
                let parsed = source.parse(&tokens, sqlparser::parser::Parser::parse_data_type)?;
                Ok(self.data_type(&parsed).map_err(SqlError::nowhere)?.base.0)
            }
            Type::REGNAMESPACE => match self.catalog.schema_named(&crate::names::single_name(text)?) {
                Some(oid) => Ok(oid),
                None => missing(SqlState::INVALID_SCHEMA, format!("schema \"{name}\" does not exist")),
            },
            Type::REGROLE => match self.catalog.role(&crate::names::single_name(text)?) {
                Some((oid, _)) => Ok(oid),
                None => missing(SqlState::UNDEFINED_OBJECT, format!("role \"{name}\" does not exist")),
            },
            Type::REGPROCEDURE => self.procedure_named(text),
            _ => self.function_named(text),
        }
    }

    /// The name of a relation or index, qualified unless it is what `path` finds by the bare name.
    fn shown_relation(&self, path: &[Oid], schema: Oid, name: &str) -> String {
        let earlier = path.iter().position(|one| *one == schema).map(|at| &path[..at]);
        let hides = |one: &Oid| *one != PG_CATALOG && self.catalog.relation_exists(*one, name);
        let bare = quote_identifier(name);
        match earlier {
            Some(earlier) if !earlier.iter().any(hides) => bare,
            _ => format!("{}.{bare}", quote_identifier(self.catalog.schema_name(schema))),
        }
    }

    /// The names of all objects of a `reg` type, as a JSON map from identifiers.
    pub(super) fn object_names(&self, type_: Type) -> String {
        let mut names: Map<String, Json> = match type_ {
            Type::REGCLASS => {
                let path = self.search_path();
                let path = &path;
                let relations = self.catalog.relations().flat_map(|relation| {
                    let shown = |name: &str| self.shown_relation(path, relation.schema, name);
                    let indexes = relation.indexes.iter().map(move |index| (index.oid, shown(&index.name)));
                    std::iter::once((relation.oid, shown(&relation.name))).chain(indexes)
                });
                relations
                    .chain(describe::system_names())
                    .map(|(oid, name)| (oid.to_string(), name.into()))
                    .collect()
            }
            Type::REGNAMESPACE => {
                let schemas = self
                    .catalog
                    .schemas()
                    .map(|(oid, schema)| (oid.to_string(), quote_identifier(&schema.name).into()));
                let system = [(PG_CATALOG, "pg_catalog"), (INFORMATION_SCHEMA, "information_schema")];
                schemas.chain(system.map(|(oid, name)| (oid.to_string(), name.into()))).collect()
            }
            Type::REGTYPE => {
                let builtins = BUILTINS.iter().map(|builtin| builtin.id.0);
                let arrays = BUILTINS.iter().map(|builtin| builtin.array).filter(|array| *array != 0);
                let own = self.catalog.types().flat_map(|(oid, _)| [oid, oid + 1]);
                let all = builtins.chain(arrays).chain(own);
                let catalog = super::names_seen(self.catalog, self.settings);
                all.map(|oid| (oid.to_string(), catalog.type_name(Type(oid), -1).into())).collect()
            }
            Type::REGROLE => {
                let roles = self.catalog.roles();
                roles.map(|(oid, role)| (oid.to_string(), quote_identifier(&role.name).into())).collect()
            }
            Type::REGPROCEDURE => self
                .catalog
                .routines()
                .map(|(oid, routine)| (oid.to_string(), self.signature(routine).into()))
                .collect(),
            _ => {
                let all = describe::builtin_functions().chain(self.function_names());
                all.map(|(oid, name)| (oid.to_string(), name.into())).collect()
            }
        };
        names.insert("0".to_owned(), "-".into());
        Json::Object(names).to_string()
    }

    /// The identifiers of all objects of a `reg` type, as a JSON map from all their names.
    /// Names are quoted where PostgreSQL quotes them, as `pg_object_name` writes them.
    pub(crate) fn object_numbers(&self, type_: Type) -> String {
        let mut numbers = Map::new();
        match type_ {
            Type::REGCLASS => {
                for (oid, name) in describe::system_names() {
                    numbers.insert(format!("pg_catalog.{name}"), oid.into());
                    numbers.insert(name, oid.into());
                }
                let path = self.search_path();
                for relation in self.catalog.relations() {
                    let indexes = relation.indexes.iter().map(|index| (&index.name, index.oid));
                    for (name, oid) in std::iter::once((&relation.name, relation.oid)).chain(indexes) {
                        let name = quote_identifier(name);
                        let schema = quote_identifier(self.catalog.schema_name(relation.schema));
                        numbers.insert(format!("{schema}.{name}"), oid.into());
                        if path.contains(&relation.schema) {
                            numbers.insert(name, oid.into());
                        }
                    }
                }
            }
            Type::REGPROC => {
                for (oid, name) in describe::builtin_functions() {
                    numbers.insert(format!("pg_catalog.{}", quote_identifier(&name)), oid.into());
                    numbers.insert(quote_identifier(&name), oid.into());
                }
                let path = self.search_path();
                for (oid, routine) in self.catalog.routines() {
                    let name = quote_identifier(&routine.name);
                    let schema = quote_identifier(self.catalog.schema_name(routine.schema));
                    numbers.insert(format!("{schema}.{name}"), oid.into());
                    if path.contains(&routine.schema) {
                        numbers.insert(name, oid.into());
                    }
                }
            }
            _ => {
                let names: Map<String, Json> =
                    serde_json::from_str(&self.object_names(type_)).unwrap_or_default();
                for (oid, name) in names {
                    let name = name.as_str().unwrap_or_default().to_owned();
                    numbers.insert(name, oid.parse::<Oid>().unwrap_or(0).into());
                }
                if type_ == Type::REGTYPE {
                    self.number_types(&mut numbers);
                }
                if type_ == Type::REGPROCEDURE {
                    for (oid, routine) in self.catalog.routines() {
                        let name = self.signature(routine);
                        let schema = quote_identifier(self.catalog.schema_name(routine.schema));
                        if self.search_path().contains(&routine.schema) {
                            numbers.insert(format!("{schema}.{name}"), oid.into());
                        }
                    }
                }
                let of_types = type_ == Type::REGTYPE;
                for builtin in BUILTINS.iter().filter(|_| of_types) {
                    numbers.insert(builtin.name.to_owned(), builtin.id.0.into());
                    numbers.insert(format!("pg_catalog.{}", builtin.name), builtin.id.0.into());
                    if builtin.array > 0 {
                        numbers.insert(format!("{}[]", builtin.name), builtin.array.into());
                    }
                }
                for (alias, type_) in ALIASES.iter().filter(|_| of_types) {
                    numbers.insert((*alias).to_owned(), type_.0.into());
                    let array = type_.array().map_or(0, |array| array.0);
                    numbers.insert(format!("{alias}[]"), array.into());
                }
            }
        }
        Json::Object(numbers).to_string()
    }
}

impl Binder<'_> {
    /// Adds the project's types by all their names, and by those of their arrays.
    fn number_types(&self, numbers: &mut Map<String, Json>) {
        let path = self.search_path();
        for (oid, type_) in self.catalog.types() {
            let schema = quote_identifier(self.catalog.schema_name(type_.schema));
            let (name, array) =
                (quote_identifier(&type_.name), quote_identifier(&format!("_{}", type_.name)));
            for (name, oid) in [(format!("{name}[]"), oid + 1), (name, oid), (array, oid + 1)] {
                numbers.insert(format!("{schema}.{name}"), oid.into());
                if path.contains(&type_.schema) {
                    numbers.entry(name).or_insert_with(|| oid.into());
                }
            }
        }
    }
}

/// Other names of types.
const ALIASES: &[(&str, Type)] = &[
    ("int", Type::INT4),
    ("decimal", Type::NUMERIC),
    ("dec", Type::NUMERIC),
    ("float", Type::FLOAT8),
    ("char", Type::BPCHAR),
];

fn lookup(map: String, key: Expr, type_: Type) -> Expr {
    Expr::new(Node::Lookup { map, key: Box::new(key) }, type_)
}

/// Splits `schema.name`; each part may be quoted.
pub(crate) fn split_name(text: &str) -> (Option<String>, String) {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    let mut characters = text.trim().chars().peekable();
    while let Some(character) = characters.next() {
        let last = parts.len() - 1;
        match character {
            '"' if quoted && characters.next_if_eq(&'"').is_some() => parts[last].push('"'),
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            other if quoted => parts[last].push(other),
            other => parts[last].extend(other.to_lowercase()),
        }
    }
    let mut parts = parts.into_iter().rev().map(source::cut);
    let name = parts.next().unwrap_or_default();
    (parts.next(), name)
}
