//! Functions that read the catalog. The statement gets the required part of the catalog as a JSON map, in which they look up
//! values.

mod definitions;
mod objects;
mod settings;

use std::collections::BTreeMap;

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::Binder;
use crate::catalog::{Oid, Relation, RelationKind};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::source;
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
            "pg_get_ruledef" => self.rule_definitions(is_pretty(arguments.get(1))),
            "pg_get_function_sqlbody" => Json::Object(self.sql_bodies()).to_string(),
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
            "pg_typeof" if arguments.len() == 1 => {
                let argument = arguments.first().cloned().unwrap_or_else(Expr::null);
                let number = Expr::literal(i64::from(argument.type_.0), Type::REGTYPE);
                // An aggregate makes one row of many, also where only its type matters.
                if !argument.any(&mut |part| matches!(part.node, Node::Call(_))) {
                    return Ok(Some(number));
                }
                let test = Expr::boolean(Node::IsNull { expr: Box::new(argument), negated: false });
                let (branches, otherwise) = (vec![(test, number.clone())], Some(Box::new(number)));
                return Ok(Some(Expr::new(Node::Case { operand: None, branches, otherwise }, Type::REGTYPE)));
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
            "set_limit" if arguments.len() == 1 && self.catalog.has_extension("pg_trgm") => {
                let limit = self.implicit(arguments[0].clone(), Type::FLOAT4)?;
                let shown = self.cast(limit.clone(), Type::TEXT.plain())?;
                let refusal = "(case when {1} < 0 or {1} > 1 then pg_raise('22023', {0} || ' is outside the valid range for parameter \
                               \"pg_trgm.similarity_threshold\" (0 .. 1)') else {0} end)";
                let limit = Expr::template(refusal, vec![shown, limit], Type::TEXT);
                let name = Expr::literal("pg_trgm.similarity_threshold".to_owned(), Type::TEXT);
                let set = self.set_config(&[name, limit, Expr::literal(0_i64, Type::BOOL)])?;
                return self.cast(set, Type::FLOAT4.plain()).map(Some);
            }
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

    /// The sequences that columns own, by table and column.
    fn owned_sequences(&self) -> BTreeMap<(Oid, u32), &Relation> {
        let owner = |sequence: &Relation| sequence.sequence.as_ref().and_then(|options| options.owner);
        let mut owned: BTreeMap<_, _> =
            self.catalog.relations().filter_map(|sequence| Some((owner(sequence)?, sequence))).collect();
        for relation in self.catalog.relations() {
            for column in &relation.columns {
                if let Some(sequence) = column.sequence.and_then(|oid| self.catalog.relation(oid)) {
                    owned.insert((relation.oid, column.number), sequence);
                }
            }
        }
        owned
    }

    fn format_type(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let mut names = Map::new();
        let catalog = &*super::names_seen(self.catalog, self.settings);
        for builtin in BUILTINS {
            let name = match builtin.id.extension() {
                Some(_) => catalog.type_name(builtin.id, -1),
                None => builtin.display.to_owned(),
            };
            if let Some(array) = builtin.id.array() {
                names.insert(array.0.to_string(), format!("{name}[]").into());
            }
            names.insert(builtin.id.0.to_string(), name.into());
        }
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
        // Without a length, `character` would be one of length 1.
        let text = "case when {1} = 1042 and {2} = -1 then 'bpchar' when {1} = 1014 and {2} = -1 then 'bpchar[]' \
                    else pg_format_type({0},{1},{2}) end";
        Ok(Expr::template(text, vec![name, key, modifier], Type::TEXT))
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
            let sequence = self.owned_sequences().get(&(relation.oid, found.number)).copied();
            let shown = sequence.map(|sequence| self.catalog.quoted_name(sequence));
            return Ok(Expr::literal(shown.map_or(rusqlite::types::Value::Null, Into::into), Type::TEXT));
        }
        let table = self.cast(table.clone(), Type::TEXT.plain())?;
        let table = self.cast(table, Type::REGCLASS.plain())?;
        let column = self.cast(column.clone(), Type::TEXT.plain())?;
        let key = Expr::template("({0} || '.' || {1})", vec![table, column], Type::TEXT);
        let mut names = Map::new();
        let owned = self.owned_sequences();
        for relation in self.catalog.relations() {
            for column in &relation.columns {
                if let Some(sequence) = owned.get(&(relation.oid, column.number)) {
                    let key = format!("{}.{}", relation.oid, column.name);
                    names.insert(key, self.catalog.quoted_name(sequence).into());
                }
            }
        }
        let map = Json::Object(names).to_string();
        Ok(Expr::new(Node::Lookup { map, key: Box::new(key) }, Type::TEXT))
    }
}

impl Binder<'_> {}

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
