//! Calls of functions as the catalog shows them: arguments, orders, windows, and forms with words between the arguments.

use sqlparser::ast::{self, FunctionArg, FunctionArgExpr, FunctionArguments, Value};

use super::{BARE, plain};
use crate::bind::call::GRAMMAR;
use crate::bind::call::Given;
use crate::bind::{Binder, Scope};
use crate::catalog::{Oid, quote_identifier, quote_literal};
use crate::readable::EXCLUDES;
use crate::security::session::SEARCH_PATH;
use crate::source::{self, name};
use crate::tree::Node;
use crate::types::Type;

/// Calls whose arguments are shown by themselves, also where the text is run.
const PLAINLY: &[&str] =
    &["currval", "current_setting", "date", "greatest", "least", "nextval", "nullif", "set_config", "setval"];

/// Whether a function converts between these types; others are converted by their texts, or are the same.
fn converts(from: Type, to: Type) -> bool {
    const TIMES: [Type; 5] = [Type::DATE, Type::TIME, Type::TIMESTAMP, Type::TIMESTAMPTZ, Type::INTERVAL];
    let number =
        |type_: Type| type_.is_integer() || [Type::NUMERIC, Type::FLOAT4, Type::FLOAT8].contains(&type_);
    from != to
        && (number(from) && number(to)
            || TIMES.contains(&from) && TIMES.contains(&to)
            || from == Type::JSONB && (number(to) || to == Type::BOOL)
            || [from, to] == [Type::BOOL, Type::INT4]
            || [from, to] == [Type::INT4, Type::BOOL])
}

impl Binder<'_> {
    /// The parts of a window, without its brackets.
    pub(super) fn shown_window(&mut self, scope: &Scope<'_>, window: &ast::WindowSpec) -> Option<String> {
        let named = window.window_name.as_ref().map(name).unwrap_or_default();
        let (exclusion, base) =
            match named.strip_prefix(EXCLUDES).and_then(|named| named.split_once(EXCLUDES)) {
                Some((exclusion, base)) => (format!("EXCLUDE {}", exclusion.to_uppercase()), base.to_owned()),
                None => (String::new(), named),
            };
        let keys = window.partition_by.iter().map(|key| self.shown_key(scope, key));
        let keys = keys.collect::<Option<Vec<_>>>()?.join(", ");
        let order = self.shown_keys(scope, &window.order_by)?;
        let frame = match &window.window_frame {
            Some(frame) => self.shown_frame(scope, frame)?,
            None => String::new(),
        };
        let base = if base.is_empty() { base } else { quote_identifier(&base) };
        let parts = [("", base), ("PARTITION BY ", keys), ("ORDER BY ", order), ("", frame), ("", exclusion)];
        let parts = parts.into_iter().filter(|(_, part)| !part.is_empty());
        let parts: Vec<String> = parts.map(|(words, part)| format!("{words}{part}")).collect();
        Some(parts.join(" "))
    }

    pub(super) fn shown_frame(&mut self, scope: &Scope<'_>, frame: &ast::WindowFrame) -> Option<String> {
        let start = self.shown_bound(scope, &frame.start_bound)?;
        Some(match &frame.end_bound {
            Some(end) => format!("{} BETWEEN {start} AND {}", frame.units, self.shown_bound(scope, end)?),
            None => format!("{} {start}", frame.units),
        })
    }

    pub(super) fn shown_bound(&mut self, scope: &Scope<'_>, bound: &ast::WindowFrameBound) -> Option<String> {
        let (distance, word) = match bound {
            ast::WindowFrameBound::CurrentRow => return Some("CURRENT ROW".to_owned()),
            ast::WindowFrameBound::Preceding(distance) => (distance, "PRECEDING"),
            ast::WindowFrameBound::Following(distance) => (distance, "FOLLOWING"),
        };
        Some(match distance.as_deref() {
            None => format!("UNBOUNDED {word}"),
            Some(ast::Expr::Value(value)) if matches!(value.value, Value::SingleQuotedString(_)) => {
                format!("{} {word}", self.shown(scope, &ast::Expr::Value(value.clone()), Type::INTERVAL)?)
            }
            Some(distance) => format!("{} {word}", self.shown(scope, distance, Type::INT8)?),
        })
    }

    /// The keys of `WITHIN GROUP`, with casts to these types.
    pub(super) fn shown_within(
        &mut self,
        scope: &Scope<'_>,
        keys: &[ast::OrderByExpr],
        types: Vec<Type>,
    ) -> Option<String> {
        let shown = keys.iter().zip(types).map(|(key, type_)| {
            let bare = self.shown(scope, &key.expr, type_)?;
            let text = self.shown_as(scope, &key.expr, type_)?;
            let text = if text == bare { self.shown_key(scope, &key.expr)? } else { format!("({text})") };
            Some(format!("{text}{}", super::query::direction(key)))
        });
        Some(shown.collect::<Option<Vec<_>>>()?.join(", "))
    }

    /// Functions whose arguments are separated by words.
    pub(super) fn shown_grammar(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Option<String> {
        let mut text = |expr: &ast::Expr| self.shown(scope, expr, Type::TEXT);
        match expr {
            ast::Expr::Position { expr, r#in } => {
                Some(format!("POSITION(({}) IN ({}))", text(expr)?, text(r#in)?))
            }
            ast::Expr::Trim { expr, trim_where, trim_what, trim_characters: None } => {
                let side = match trim_where {
                    Some(ast::TrimWhereField::Leading) => "LEADING",
                    Some(ast::TrimWhereField::Trailing) => "TRAILING",
                    Some(ast::TrimWhereField::Both) | None => "BOTH",
                };
                let what = match trim_what {
                    Some(what) => format!("{} ", text(what)?),
                    None => String::new(),
                };
                Some(format!("TRIM({side} {what}FROM {})", text(expr)?))
            }
            ast::Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let length = match overlay_for {
                    Some(length) => format!(" FOR {}", text(length)?),
                    None => String::new(),
                };
                let (expr, what, from) = (text(expr)?, text(overlay_what)?, text(overlay_from)?);
                Some(format!("OVERLAY({expr} PLACING {what} FROM {from}{length})"))
            }
            ast::Expr::Substring { expr, substring_from, substring_for, special, shorthand } => {
                let is_number = match substring_from.as_deref()? {
                    ast::Expr::Value(value) => matches!(value.value, Value::Number(..)),
                    _ => return None,
                };
                let from = self.shown(scope, substring_from.as_deref()?, Type::TEXT)?;
                let length = match substring_for {
                    Some(length) => Some(self.shown(scope, length, Type::TEXT)?),
                    None => None,
                };
                if is_number && !special && !shorthand {
                    let text = self.shown(scope, expr, Type::TEXT)?;
                    let length = length.map_or_else(String::new, |length| format!(" FOR {length}"));
                    return Some(format!("SUBSTRING({text} FROM {from}{length})"));
                }
                let text = self.shown_as(scope, expr, Type::TEXT)?;
                let name = if *shorthand { "substr" } else { "\"substring\"" };
                let length = length.map_or_else(String::new, |length| format!(", {length}"));
                Some(format!("{name}({text}, {from}{length})"))
            }
            _ => None,
        }
    }

    /// An argument of a function that takes several types.
    pub(super) fn shown_argument(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        (called, result): (&str, Type),
    ) -> Option<String> {
        let own = self.expr(scope, expr).ok()?.type_;
        match called {
            // Integers of two sizes are compared as they are.
            "nullif" if own.is_integer() && result.is_integer() => self.shown(scope, expr, own),
            "nullif" if self.catalog.base_type(own) != own => {
                let text = self.shown(scope, expr, own)?;
                Some(format!("({text})::{}", self.shown_type(self.catalog.base_type(own).plain())))
            }
            "greatest" | "least" | "nullif" => self.shown_as(scope, expr, result),
            _ if own != Type::UNKNOWN => self.shown(scope, expr, own),
            "current_setting" | "set_config" | "string_agg" => self.shown(scope, expr, Type::TEXT),
            "nextval" | "currval" | "setval" => self.shown(scope, expr, Type::REGCLASS),
            // A literal that is any value keeps no type.
            "json_build_object" | "jsonb_build_object" | "json_build_array" | "jsonb_build_array" => {
                match expr {
                    ast::Expr::Value(ast::ValueWithSpan {
                        value: Value::SingleQuotedString(text), ..
                    }) => Some(quote_literal(text)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The schema with which a function is shown. `None` if it stands alone, as it is found by the usual path, or by that of the session
    /// that looks.
    fn shown_schema(&self, written: Option<&str>, called: &str) -> Option<String> {
        let schema = match written {
            Some(schema) => schema.to_owned(),
            None => self.schema_of_call(called)?,
        };
        let of_extension = self.catalog.extension_of_function(called).is_some();
        let usual: &[&str] = if written.is_some() && !of_extension { &["public"] } else { &SEARCH_PATH };
        let usual: Vec<Oid> = usual.iter().filter_map(|name| self.catalog.schema_named(name)).collect();
        let bare = schema == "pg_catalog"
            || self
                .catalog
                .schema_named(&schema)
                .is_some_and(|schema| self.catalog.leaves_out(schema, &usual));
        (!bare).then_some(schema)
    }

    /// The schema where a function is found.
    fn schema_of_call(&self, called: &str) -> Option<String> {
        let has = |schema: Oid| {
            self.catalog.routines().any(|(_, known)| known.schema == schema && known.name == *called)
        };
        if let Some(schema) = self.catalog.extension_of_function(called) {
            return Some(self.catalog.schema_name(schema).to_owned());
        }
        if crate::describe::builtin_function_oid(called).is_some() {
            return None;
        }
        let found = self.function_path().into_iter().skip(1).find(|schema| has(*schema))?;
        Some(self.catalog.schema_name(found).to_owned())
    }

    /// The arguments of a routine with a body, as its parameters take them; `None` for other calls.
    fn shown_routine(
        &mut self,
        scope: &Scope<'_>,
        (schema, called): (Option<&str>, &str),
        arguments: &[FunctionArg],
    ) -> Option<Vec<String>> {
        if !self.catalog.routines().any(|(_, known)| known.name == *called) {
            return None;
        }
        let mut given = Given::default();
        arguments.iter().try_for_each(|argument| self.one_given(scope, argument, &mut given)).ok()?;
        let (callee, _) = self.user_routine(schema, called, &given).ok()??;
        let inputs: Vec<_> = callee.routine.inputs().cloned().collect();
        let collected = !given.variadic
            && inputs.last().is_some_and(|last| last.mode == 'v')
            && given.positional.len() >= inputs.len();
        let mut shown: Vec<String> = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let (named, expr) = match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(ast::Expr::Prefixed { value, .. })) => {
                    (None, &**value)
                }
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => (None, expr),
                FunctionArg::Named { name: called, arg: FunctionArgExpr::Expr(expr), .. }
                | FunctionArg::ExprNamed {
                    name: ast::Expr::Identifier(called),
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                } => (Some(name(called)), expr),
                _ => return None,
            };
            let named = named.filter(|named| inputs.iter().any(|input| input.name.as_ref() == Some(named)));
            let input = match &named {
                Some(named) => inputs.iter().find(|input| input.name.as_ref() == Some(named)),
                None => inputs.get(at).or(inputs.last()),
            }?;
            let is_element = collected && at + 1 >= inputs.len();
            let type_ = if is_element { input.type_.element()? } else { input.type_ };
            let text = match type_.is_polymorphic() || type_ == Type::RECORD {
                true => {
                    let own = self.expr(scope, expr).ok()?.type_;
                    self.shown(scope, expr, own)?
                }
                false => self.shown_as(scope, expr, type_)?,
            };
            let word = if given.variadic && at + 1 == arguments.len() { "VARIADIC " } else { "" };
            shown.push(match named {
                Some(named) => format!("{} => {text}", quote_identifier(&named)),
                None => format!("{word}{text}"),
            });
        }
        if collected {
            let items = shown.split_off(inputs.len() - 1).join(", ");
            shown.push(format!("VARIADIC ARRAY[{items}]"));
        }
        Some(shown)
    }

    /// A call with names of arguments.
    fn shown_named(
        &mut self,
        scope: &Scope<'_>,
        called: &str,
        given: &[(Option<String>, ast::Expr)],
    ) -> Option<String> {
        let given = given.iter().map(|(named, expr)| {
            let own = self.expr(scope, expr).ok()?.type_;
            if own == Type::UNKNOWN {
                return None;
            }
            let shown = self.shown(scope, expr, own)?;
            Some(named.as_ref().map_or_else(|| shown.clone(), |named| format!("{named} => {shown}")))
        });
        Some(format!("{called}({})", given.collect::<Option<Vec<_>>>()?.join(", ")))
    }

    /// A key of an order or of a window: a call gets brackets.
    pub(super) fn shown_key(&mut self, scope: &Scope<'_>, key: &ast::Expr) -> Option<String> {
        let shown = self.shown(scope, key, Type::TEXT)?;
        Some(if self.is_call(scope, key) { format!("({shown})") } else { shown })
    }

    /// Whether an expression is a call of a function, as are some forms with words and casts by a function.
    pub(super) fn is_call(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> bool {
        match plain(expr) {
            ast::Expr::Function(function) => {
                let called = source::schema_and_name(&function.name).map(|(_, called)| called);
                !called.is_ok_and(|called| {
                    GRAMMAR.contains(&called.as_str())
                        || ["array", "row"].contains(&called.as_str())
                        || BARE.contains(&called.as_str()) && matches!(function.args, FunctionArguments::None)
                })
            }
            ast::Expr::Extract { .. }
            | ast::Expr::Trim { .. }
            | ast::Expr::Substring { .. }
            | ast::Expr::Position { .. }
            | ast::Expr::Overlay { .. }
            | ast::Expr::AtTimeZone { .. } => true,
            ast::Expr::Cast { expr, data_type, .. } => {
                let (Ok(from), Ok(to)) = (self.expr(scope, expr), self.data_type(data_type)) else {
                    return false;
                };
                let to_length = from.type_ == to.base && to.modifier >= 0;
                to_length && from.modifier != to.modifier || converts(from.type_, to.base)
            }
            _ => false,
        }
    }

    /// The keys of an order within a call.
    pub(super) fn shown_keys(&mut self, scope: &Scope<'_>, keys: &[ast::OrderByExpr]) -> Option<String> {
        let mut shown = Vec::new();
        for key in keys {
            let down = matches!(key.options.sort, Some(ast::OrderBySort::Desc));
            let nulls = match key.options.nulls_first.filter(|first| *first != down) {
                Some(true) => " NULLS FIRST",
                Some(false) => " NULLS LAST",
                None => "",
            };
            let text = self.shown_key(scope, &key.expr)?;
            shown.push(format!("{text}{}{nulls}", if down { " DESC" } else { "" }));
        }
        Some(shown.join(", "))
    }

    /// `FILTER` and `OVER` after a call.
    pub(super) fn shown_rest(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Option<String> {
        let mut text = String::new();
        if let Some(filter) = &function.filter {
            text.push_str(&format!(" FILTER (WHERE {})", self.shown(scope, filter, Type::BOOL)?));
        }
        match &function.over {
            None => {}
            Some(ast::WindowType::WindowSpec(window)) => {
                text.push_str(&format!(" OVER ({})", self.shown_window(scope, window)?));
            }
            Some(ast::WindowType::NamedWindow(window)) => {
                text.push_str(&format!(" OVER {}", quote_identifier(&name(window))));
            }
        }
        Some(text)
    }

    pub(super) fn shown_call(
        &mut self,
        scope: &Scope<'_>,
        whole: &ast::Expr,
        function: &ast::Function,
    ) -> Option<String> {
        let (schema, called) = source::schema_and_name(&function.name).ok()?;
        let is_plain = function.over.is_none() && function.filter.is_none();
        if !(is_plain && function.within_group.is_empty() || self.once.qualified) {
            return None;
        }
        let shown_name = match self.shown_schema(schema.as_deref(), &called) {
            Some(schema) => format!("{}.{}", quote_identifier(&schema), quote_identifier(&called)),
            None => quote_identifier(&called),
        };
        let list = match &function.args {
            FunctionArguments::Subquery(query) if called == "array" => {
                return Some(format!("ARRAY{}", self.shown_subquery(scope, query)?));
            }
            FunctionArguments::None if BARE.contains(&called.as_str()) => return Some(called.to_uppercase()),
            FunctionArguments::List(list)
                if list.clauses.is_empty() && list.duplicate_treatment.is_none() || self.once.qualified =>
            {
                list
            }
            _ => return None,
        };
        let distinct = match list.duplicate_treatment {
            Some(ast::DuplicateTreatment::Distinct) => "DISTINCT ",
            _ => "",
        };
        if let [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] = &list.args[..]
            && self.once.qualified
        {
            let rest = self.shown_rest(scope, function)?;
            return Some(format!("{shown_name}(*){rest}"));
        }
        if let Some(shown) = self.shown_routine(scope, (schema.as_deref(), &called), &list.args) {
            let rest = self.shown_rest(scope, function)?;
            return Some(format!("{shown_name}({}){rest}", shown.join(", ")));
        }
        let mut arguments = Vec::new();
        let mut given = Vec::new();
        for argument in &list.args {
            given.push(match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => (None, expr.clone()),
                FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(table)) => {
                    (None, ast::Expr::Identifier(source::parts(table).last().map(|ident| (*ident).clone())?))
                }
                FunctionArg::Named { name: called, arg: FunctionArgExpr::Expr(expr), .. }
                | FunctionArg::ExprNamed {
                    name: ast::Expr::Identifier(called),
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                } => (Some(quote_identifier(&name(called))), expr.clone()),
                _ => return None,
            });
        }
        if let (None, "row") = (&schema, called.as_str()) {
            let items: Vec<&ast::Expr> = given.iter().map(|(_, expr)| expr).collect();
            return self.shown_row(scope, &items);
        }
        if given.iter().any(|(named, _)| named.is_some()) {
            return self.shown_named(scope, &shown_name, &given);
        }
        arguments.extend(given.iter().map(|(_, expr)| expr));
        let bound = self.expr(scope, whole).ok()?;
        let texts: Option<Vec<String>> = match &bound.node {
            _ if arguments.is_empty() => Some(Vec::new()),
            Node::Coalesce(_) => {
                arguments.iter().map(|expr| self.shown_as(scope, expr, bound.type_)).collect()
            }
            Node::Call(call) if call.arguments.len() == arguments.len() + function.within_group.len() => {
                let declared = call.function.arguments;
                let declared = (0..).map(|place| declared.get(place).or(declared.last()));
                let pairs = arguments.iter().zip(&call.arguments).zip(declared);
                pairs
                    .map(|((expr, bound), declared)| match declared {
                        Some(&(Type::AS_OUTPUT | Type::AS_JSON | Type::AS_JSONB)) => {
                            self.shown_anything(scope, expr)
                        }
                        Some(&Type::AS_TEXT) if called.ends_with("object_agg") => {
                            self.shown_anything(scope, expr)
                        }
                        Some(&Type::AS_TEXT) => {
                            let own = self.expr(scope, expr).ok()?.type_;
                            self.shown(scope, expr, if own == Type::UNKNOWN { Type::TEXT } else { own })
                        }
                        Some(declared) if declared.is_polymorphic() => {
                            self.shown_as(scope, expr, bound.type_)
                        }
                        _ => self.shown_as(scope, expr, self.catalog.base_type(bound.type_)),
                    })
                    .collect()
            }
            _ if called == "generate_series" => {
                let step = match bound.type_ {
                    Type::TIMESTAMP | Type::TIMESTAMPTZ => Type::INTERVAL,
                    type_ => type_,
                };
                let types = [bound.type_, bound.type_, step, Type::TEXT];
                arguments.iter().zip(types).map(|(expr, type_)| self.shown_as(scope, expr, type_)).collect()
            }
            _ if self.once.qualified || PLAINLY.contains(&called.as_str()) => {
                let types = (called.as_str(), bound.type_);
                arguments.iter().map(|expr| self.shown_argument(scope, expr, types)).collect()
            }
            _ => None,
        };
        let mut order = String::new();
        for clause in &list.clauses {
            let ast::FunctionArgumentClause::OrderBy(keys) = clause else { return None };
            order = format!(" ORDER BY {}", self.shown_keys(scope, keys)?);
        }
        let mut rest = self.shown_rest(scope, function)?;
        if let (false, Node::Call(call)) = (function.within_group.is_empty(), &bound.node) {
            let types = call.arguments.iter().skip(arguments.len()).map(|argument| argument.type_);
            let keys = self.shown_within(scope, &function.within_group, types.collect())?;
            rest = format!(" WITHIN GROUP (ORDER BY {keys}){rest}");
        }
        let grammar = GRAMMAR.contains(&called.as_str());
        let shown_name = if grammar { called.to_uppercase() } else { shown_name };
        Some(format!("{shown_name}({distinct}{}{order}){rest}", texts?.join(", ")))
    }
}
