//! Objects of the catalog as PostgreSQL describes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sqlparser::ast;

use super::bind::{Settings, functions_of_operators};
use super::catalog::{
    Action, Catalog, Constraint, ConstraintKind, Index, IndexKey, Oid, RecordedKind, Relation, Routine,
    Trigger, TypeDefinition, quote_identifier, quote_literal,
};
use super::ddl::functions_of;
use super::functions::{self, Function};
use super::parameters;
use super::pretty::pretty;
use super::source::Source;
use super::system;
use super::types::Type;

/// The names of roles by identifier, as a JSON object.
pub(crate) fn role_names(catalog: &Catalog) -> String {
    let roles = catalog.roles().map(|(oid, role)| (oid.to_string(), role.name.clone().into()));
    serde_json::Value::Object(roles.collect()).to_string()
}

/// The identifier of a role; 0 if there is none with this name, as for `public`.
pub(crate) fn role_oid(catalog: &Catalog, name: &str) -> Oid {
    catalog.role(name).map_or(0, |(oid, _)| oid)
}

/// The identifier of a built-in function.
pub(crate) fn builtin_function_oid(name: &str) -> Option<Oid> {
    static NUMBERS: LazyLock<BTreeMap<String, Oid>> = LazyLock::new(|| {
        builtin_functions().collect::<Vec<_>>().into_iter().rev().map(|(oid, name)| (name, oid)).collect()
    });
    NUMBERS.get(name).copied()
}

/// The identifiers and names of the built-in functions. The identifiers are this engine's.
pub(crate) fn builtin_functions() -> impl Iterator<Item = (Oid, String)> {
    let own = named_functions().map(|(oid, function)| (oid, function.name.to_owned()));
    let of_operators = functions_of_operators().enumerate();
    own.chain(of_operators.map(|(index, (name, ..))| (OF_OPERATORS + index as Oid, name)))
}

/// The built-in functions that the catalog lists, without those of operators.
pub(crate) fn named_functions() -> impl Iterator<Item = (Oid, &'static Function)> {
    let named = functions::all().enumerate().filter(|(_, function)| {
        function.name.starts_with(|c: char| c.is_ascii_lowercase())
            && !function.name.contains(['.', ' '])
            && !functions::range::is_for_own(function)
    });
    named.map(|(index, function)| (BUILTIN + index as Oid, function))
}

/// The function of an extension that the system has as well.
pub(crate) const OF_SYSTEM_TOO: &str = "gen_random_uuid";

/// The built-in functions that extensions bring, and the names of these.
pub(crate) fn functions_of_extensions() -> impl Iterator<Item = (Oid, &'static Function, &'static str)> {
    // Without their extensions, these are there as well.
    let always = ["pgcrypto", "uuid-ossp"].map(|of| (of, functions_of(of).collect::<BTreeSet<_>>()));
    named_functions().filter_map(move |(oid, function)| {
        let mut always = always.iter().filter(|_| function.name != OF_SYSTEM_TOO);
        let of = || always.find(|(_, names)| names.contains(function.name)).map(|(of, _)| *of);
        Some((oid, function, function.extension.or_else(of)?))
    })
}

/// The numbers of the first built-in function and of the first function of an operator.
pub(crate) const BUILTIN: Oid = 6_000;
pub(crate) const OF_OPERATORS: Oid = 9_200;

/// The identifier of a system relation.
pub(crate) fn system_oid(schema: Option<&str>, name: &str) -> Option<Oid> {
    system::find(schema, name).map(system::System::oid)
}

/// The identifiers and names of the system relations.
pub(crate) fn system_names() -> impl Iterator<Item = (Oid, String)> {
    system::ALL.iter().map(|system| {
        let name =
            if system.name.starts_with("information_schema.") { system.name } else { system.short_name() };
        (system.oid(), name.to_owned())
    })
}

/// The value of a parameter of the session.
pub(crate) fn setting(settings: &Settings, name: &str) -> Option<String> {
    if let Some(value) = settings.values.get(&name.to_lowercase()) {
        return Some(value.clone());
    }
    if name.eq_ignore_ascii_case("search_path") {
        let path = settings.search_path.iter().map(|schema| quote_identifier(schema));
        return Some(format!("\"$user\", {}", path.collect::<Vec<_>>().join(", ")));
    }
    match name.to_ascii_lowercase().as_str() {
        "role" => {
            let role = settings.outside.as_ref().unwrap_or(&settings.role);
            return Some(if *role == settings.session_role { "none".to_owned() } else { role.to_string() });
        }
        "session_authorization" => return Some(settings.session_role.to_string()),
        name if name.starts_with("transaction_") && name != "transaction_timeout" => {
            return setting(settings, &format!("default_{name}"));
        }
        _ => {}
    }
    parameters::find(name).map(|known| known.shown(known.value))
}

/// All parameters of the session, by their names in small letters.
pub(crate) fn settings(settings: &Settings) -> BTreeMap<String, String> {
    let special = ["search_path", "role", "session_authorization"].map(str::to_owned);
    let known = parameters::ALL.keys().cloned().chain(special);
    let names = known.chain(settings.values.keys().map(|name| name.to_lowercase()));
    names.filter_map(|name| Some((name.clone(), setting(settings, &name)?))).collect()
}

/// A comment on an object or, unless `column` is 0, on one of its columns.
pub(crate) struct Comment {
    pub(crate) object: Oid,
    pub(crate) column: u32,
    pub(crate) class: &'static str,
    pub(crate) text: String,
}

/// All comments.
pub(crate) fn comments(catalog: &Catalog) -> Vec<Comment> {
    let mut all = Vec::new();
    let mut add = |object: Oid, column: u32, class: &'static str, text: &Option<String>| {
        all.extend(text.clone().map(|text| Comment { object, column, class, text }));
    };
    for relation in catalog.relations() {
        add(relation.oid, 0, "pg_class", &relation.comment);
        for column in &relation.columns {
            add(relation.oid, column.number, "pg_class", &column.comment);
        }
        for constraint in &relation.constraints {
            add(constraint.oid, 0, "pg_constraint", &constraint.comment);
        }
        for index in &relation.indexes {
            add(index.oid, 0, "pg_class", &index.comment);
        }
        for trigger in &relation.triggers {
            add(trigger.oid, 0, "pg_trigger", &trigger.comment);
        }
        for policy in &relation.policies {
            add(policy.oid, 0, "pg_policy", &policy.comment);
        }
        for rule in &relation.rules {
            add(rule.oid, 0, "pg_rewrite", &rule.comment);
        }
    }
    for (oid, schema) in catalog.schemas() {
        add(oid, 0, "pg_namespace", &schema.comment);
    }
    for (oid, type_) in catalog.types() {
        add(oid, 0, "pg_type", &type_.comment);
        if let TypeDefinition::Composite { attributes } = &type_.definition {
            for (attribute, number) in attributes.iter().zip(1..) {
                add(oid, number, "pg_class", &type_.check_comments.get(&attribute.name).cloned());
            }
        }
    }
    for (oid, known) in catalog.configurations() {
        add(oid, 0, "pg_ts_config", &known.comment);
    }
    for check in domain_checks(catalog) {
        let comments = catalog.user_type(Type(check.domain)).map(|domain| &domain.check_comments);
        let comment = comments.and_then(|comments| comments.get(check.name)).cloned();
        add(check.oid, 0, "pg_constraint", &comment);
    }
    for (kind, class) in [
        (RecordedKind::Wrapper, "pg_foreign_data_wrapper"),
        (RecordedKind::Server, "pg_foreign_server"),
        (RecordedKind::EventTrigger, "pg_event_trigger"),
        (RecordedKind::Statistics, "pg_statistic_ext"),
        (RecordedKind::Cast, "pg_cast"),
        (RecordedKind::Collation, "pg_collation"),
        (RecordedKind::Operator, "pg_operator"),
    ] {
        catalog.recorded(kind).for_each(|(oid, known)| add(oid, 0, class, &known.comment));
    }
    for (oid, routine) in catalog.routines() {
        add(oid, 0, "pg_proc", &routine.comment);
    }
    all
}

fn columns(relation: &Relation, numbers: &[u32]) -> String {
    let names = numbers.iter().map(|number| quote_identifier(relation.column_name(*number)));
    names.collect::<Vec<_>>().join(", ")
}

/// A constraint as `pg_get_constraintdef` prints it.
pub(crate) fn constraint(catalog: &Catalog, relation: &Relation, constraint: &Constraint) -> String {
    let own = columns(relation, &constraint.columns);
    let mut text = match &constraint.kind {
        ConstraintKind::Primary { index } => format!("PRIMARY KEY ({own}){}", included(relation, *index)),
        ConstraintKind::Unique { index } => {
            let nulls = relation.indexes.iter().any(|known| known.oid == *index && known.nulls_not_distinct);
            let nulls = if nulls { "NULLS NOT DISTINCT " } else { "" };
            format!("UNIQUE {nulls}({own}){}", included(relation, *index))
        }
        ConstraintKind::Check { expression } => format!("CHECK ({expression})"),
        ConstraintKind::Exclude { index, operators } => exclusion(catalog, relation, *index, operators),
        ConstraintKind::Foreign { table, columns: referenced, on_delete, on_update, set, full } => {
            let target = catalog.relation(*table);
            let name = target.map_or_else(String::new, |target| catalog.relation_name(target));
            let referenced = target.map_or_else(String::new, |target| columns(target, referenced));
            let full = if *full { " MATCH FULL" } else { "" };
            let mut text = format!("FOREIGN KEY ({own}) REFERENCES {name}({referenced}){full}");
            for (event, action) in [("UPDATE", on_update), ("DELETE", on_delete)] {
                if *action != Action::NoAction {
                    text.push_str(&format!(" ON {event} {}", action.words()));
                }
            }
            if !set.is_empty() {
                text.push_str(&format!(" ({})", columns(relation, set)));
            }
            text
        }
    };
    if constraint.deferrable {
        text.push_str(" DEFERRABLE");
    }
    if constraint.deferred {
        text.push_str(" INITIALLY DEFERRED");
    }
    if constraint.no_inherit {
        text.push_str(" NO INHERIT");
    }
    if !constraint.validated {
        text.push_str(" NOT VALID");
    }
    text
}

/// The columns that an index has besides its key.
fn included(relation: &Relation, index: Oid) -> String {
    match relation.indexes.iter().find(|known| known.oid == index) {
        Some(index) if !index.include.is_empty() => {
            format!(" INCLUDE ({})", columns(relation, &index.include))
        }
        _ => String::new(),
    }
}

fn exclusion(catalog: &Catalog, relation: &Relation, index: Oid, operators: &[String]) -> String {
    let Some(index) = relation.indexes.iter().find(|known| known.oid == index) else { return String::new() };
    let keys = index_keys(catalog, relation, index, false);
    let keys = keys.iter().zip(operators).zip(&index.keys).map(|((shown, operator), key)| {
        let column = key.column.and_then(|number| relation.column_number(number));
        let schema =
            column.and_then(|column| catalog.extension_of_type(catalog.base_type(column.type_.base)));
        match schema.filter(|schema| !catalog.shows_bare(*schema)) {
            Some(schema) => {
                let schema = quote_identifier(catalog.schema_name(schema));
                format!("{shown} WITH OPERATOR({schema}.{operator})")
            }
            None => format!("{shown} WITH {operator}"),
        }
    });
    let mut text = format!("EXCLUDE USING {} ({})", index.method, keys.collect::<Vec<_>>().join(", "));
    if let Some(predicate) = &index.predicate {
        text.push_str(&format!(" WHERE ({predicate})"));
    }
    text
}

impl Action {
    /// The action in SQL.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Action::NoAction => "NO ACTION",
            Action::Restrict => "RESTRICT",
            Action::Cascade => "CASCADE",
            Action::SetNull => "SET NULL",
            Action::SetDefault => "SET DEFAULT",
        }
    }
}

/// A key of an index, without its operator class and order.
fn index_key(relation: &Relation, key: &IndexKey, is_pretty: bool) -> String {
    match (&key.column, &key.expression) {
        (Some(number), _) => quote_identifier(relation.column_name(*number)),
        (None, Some(expression)) => {
            let shown = if is_pretty { pretty(expression) } else { expression.clone() };
            if is_call(expression) { shown } else { format!("({shown})") }
        }
        (None, None) => String::new(),
    }
}

/// The keys of an index, as messages about their values name them.
pub(crate) fn key_names(relation: &Relation, index: &Index) -> String {
    let names = index.keys.iter().map(|key| index_key(relation, key, true));
    names.collect::<Vec<_>>().join(", ")
}

/// The columns of an index, one by one, as `pg_get_indexdef` prints them.
pub(crate) fn index_columns(relation: &Relation, index: &Index, is_pretty: bool) -> Vec<String> {
    let keys = index.keys.iter().map(|key| index_key(relation, key, is_pretty));
    keys.chain(index.include.iter().map(|number| quote_identifier(relation.column_name(*number)))).collect()
}

fn index_keys(catalog: &Catalog, relation: &Relation, index: &Index, is_pretty: bool) -> Vec<String> {
    let keys = index.keys.iter().map(|key| {
        let mut text = index_key(relation, key, is_pretty);
        let of_column = key.column.and_then(|number| relation.column_number(number)?.collation.as_ref());
        let of_column = of_column.map_or("default", |collation| collation.name(catalog).1);
        let collation = key.collation.as_ref().filter(|name| *name != of_column);
        text.extend(collation.map(|name| format!(" COLLATE {}", quote_identifier(name))));
        text.extend(key.class.iter().map(|class| format!(" {}", shown_class(catalog, key, class))));
        text.push_str(if key.descending { " DESC" } else { "" });
        match (key.nulls_first, key.descending) {
            (Some(true), false) => text.push_str(" NULLS FIRST"),
            (Some(false), true) => text.push_str(" NULLS LAST"),
            _ => {}
        }
        text
    });
    keys.collect()
}

/// An operator class with the schema of its extension, where the session does not see that.
fn shown_class(catalog: &Catalog, key: &IndexKey, class: &str) -> String {
    let schema = key.class_name().and_then(|name| system::schema_of_class(catalog, name));
    match schema.filter(|schema| !catalog.shows_bare(*schema)) {
        Some(schema) => format!("{}.{class}", quote_identifier(catalog.schema_name(schema))),
        None => class.to_owned(),
    }
}

/// An index as `pg_get_indexdef` prints it.
pub(crate) fn index(catalog: &Catalog, relation: &Relation, index: &Index, is_pretty: bool) -> String {
    let unique = if index.unique { "UNIQUE " } else { "" };
    let keys = index_keys(catalog, relation, index, is_pretty);
    let only = if relation.partitioning.is_some() { "ONLY " } else { "" };
    let table = match is_pretty {
        true => catalog.relation_name(relation),
        false => catalog.quoted_name(relation),
    };
    let mut text = format!(
        "CREATE {unique}INDEX {} ON {only}{table} USING {} ({})",
        quote_identifier(&index.name),
        index.method,
        keys.join(", ")
    );
    if !index.include.is_empty() {
        text.push_str(&format!(" INCLUDE ({})", columns(relation, &index.include)));
    }
    if index.nulls_not_distinct {
        text.push_str(" NULLS NOT DISTINCT");
    }
    if !index.options.is_empty() {
        let options = index.options.iter().filter_map(|option| option.split_once('='));
        let options = options.map(|(name, value)| match quote_identifier(value) == value {
            true => format!("{name}={value}"),
            false => format!("{name}={}", quote_literal(value)),
        });
        text.push_str(&format!(" WITH ({})", options.collect::<Vec<_>>().join(", ")));
    }
    if let Some(predicate) = &index.predicate {
        let shown = if is_pretty { pretty(predicate) } else { predicate.clone() };
        text.push_str(&format!(" WHERE {shown}"));
    }
    text
}

/// Whether an expression is shown without brackets around it: a call, or what has its own.
fn is_call(expression: &str) -> bool {
    if expression.starts_with('(') && expression.contains(" AT TIME ZONE ") {
        let parsed = Source::stored(expression).expression();
        return matches!(parsed, Ok(ast::Expr::Nested(inner)) if matches!(*inner, ast::Expr::AtTimeZone { .. }));
    }
    let name = expression.split('(').next().unwrap_or("");
    expression.ends_with(')')
        && !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '"'))
}

/// The arguments of a function, optionally with defaults.
pub(crate) fn routine_arguments(catalog: &Catalog, routine: &Routine, with_defaults: bool) -> String {
    let inputs = routine.arguments.iter().filter(|argument| argument.mode != 't');
    let texts = inputs.map(|argument| {
        let mode = match argument.mode {
            'o' => "OUT ",
            'b' => "INOUT ",
            'v' => "VARIADIC ",
            _ if routine.procedure => "IN ",
            _ => "",
        };
        let name =
            argument.name.as_ref().map_or_else(String::new, |name| format!("{} ", quote_identifier(name)));
        let default = argument.default.as_ref().filter(|_| with_defaults);
        let default = default.map_or_else(String::new, |default| format!(" DEFAULT {default}"));
        format!("{mode}{name}{}{default}", catalog.type_name(argument.type_, -1))
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The result type of a function.
pub(crate) fn routine_result(catalog: &Catalog, routine: &Routine) -> String {
    let table: Vec<String> = routine
        .arguments
        .iter()
        .filter(|argument| argument.mode == 't')
        .map(|argument| {
            let name = quote_identifier(argument.name.as_deref().unwrap_or(""));
            format!("{name} {}", catalog.type_name(argument.type_, -1))
        })
        .collect();
    if !table.is_empty() {
        return format!("TABLE({})", table.join(", "));
    }
    let set = if routine.returns_set { "SETOF " } else { "" };
    format!("{set}{}", catalog.type_name(routine.returns, -1))
}

/// A function as `pg_get_functiondef` prints it.
/// The statement that makes a function, with its body in SQL's own form if it has one.
pub(crate) fn routine(catalog: &Catalog, routine: &Routine, sql_body: Option<&str>) -> String {
    let kind = if routine.procedure { "PROCEDURE" } else { "FUNCTION" };
    let name = format!(
        "{}.{}",
        quote_identifier(catalog.schema_name(routine.schema)),
        quote_identifier(&routine.name)
    );
    let mut text =
        format!("CREATE OR REPLACE {kind} {name}({})\n", routine_arguments(catalog, routine, true));
    if !routine.procedure {
        text.push_str(&format!(" RETURNS {}\n", routine_result(catalog, routine)));
    }
    text.push_str(&format!(" LANGUAGE {}\n", routine.language));
    let volatility = match routine.volatility {
        'i' => " IMMUTABLE",
        's' => " STABLE",
        _ => "",
    };
    let strict = if routine.strict { " STRICT" } else { "" };
    let definer = if routine.security_definer { " SECURITY DEFINER" } else { "" };
    let parallel = match routine.parallel {
        's' => " PARALLEL SAFE",
        'r' => " PARALLEL RESTRICTED",
        _ => "",
    };
    let leakproof = if routine.leakproof { " LEAKPROOF" } else { "" };
    let (cost, rows) = routine.estimates();
    let cost = if cost == routine.usual_cost() { String::new() } else { format!(" COST {cost}") };
    let rows = if rows == 0.0 || rows == 1000.0 { String::new() } else { format!(" ROWS {rows}") };
    let options = format!("{volatility}{parallel}{strict}{definer}{leakproof}{cost}{rows}");
    if !options.is_empty() {
        text.push_str(&format!("{options}\n"));
    }
    for setting in &routine.settings {
        text.push_str(&format!(" SET {}\n", shown_setting(setting)));
    }
    if let Some(body) = sql_body {
        text.push_str(&format!("{body}\n"));
        return text;
    }
    let tag = if routine.procedure { "procedure" } else { "function" };
    text.push_str(&format!("AS ${tag}${}${tag}$\n", routine.body));
    text
}

/// A setting of a function: `search_path TO 'public', 'extensions'`.
fn shown_setting(setting: &str) -> String {
    let Some((name, value)) = setting.split_once(" TO ") else { return setting.to_owned() };
    let parts: Vec<&str> = if name == "search_path" { value.split(',').collect() } else { vec![value] };
    let parts = parts.iter().map(|part| quote_literal(part.trim().trim_matches(['"', '\''])));
    format!("{} TO {}", quote_identifier(name), parts.collect::<Vec<_>>().join(", "))
}

/// The number of the constraint that a trigger is. Odd numbers are free here.
pub(crate) fn trigger_constraint(trigger: &Trigger) -> Option<Oid> {
    trigger.constraint.then_some(trigger.oid + 1)
}

/// The text of the constraint that a trigger is.
pub(crate) fn trigger_constraint_text(trigger: &Trigger) -> &'static str {
    match (trigger.deferrable, trigger.deferred) {
        (_, true) => "TRIGGER DEFERRABLE INITIALLY DEFERRED",
        (true, false) => "TRIGGER DEFERRABLE",
        (false, false) => "TRIGGER",
    }
}

/// A check of a domain.
pub(crate) struct DomainCheck<'c> {
    /// Checks of domains have no number of their own. These are above all others.
    pub(crate) oid: Oid,
    pub(crate) domain: Oid,
    pub(crate) schema: Oid,
    pub(crate) name: &'c str,
    pub(crate) text: &'c str,
}

/// The checks of all domains.
pub(crate) fn domain_checks(catalog: &Catalog) -> impl Iterator<Item = DomainCheck<'_>> {
    const FIRST: Oid = 2_000_000_000;
    const EACH: Oid = 64;
    catalog.types().flat_map(|(domain, user_type)| {
        let checks: &[(String, String)] = match &user_type.definition {
            TypeDefinition::Domain { checks, .. } => checks,
            _ => &[],
        };
        checks.iter().zip(0..).map(move |((name, text), place)| {
            let oid = FIRST.wrapping_add(domain.wrapping_mul(EACH)).wrapping_add(place);
            DomainCheck { oid, domain, schema: user_type.schema, name, text }
        })
    })
}
