//! Operators, and the choice among overloads.

use sqlparser::ast::BinaryOperator;

use super::Binder;
use super::comparison::comparison;
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::{self, Form, Function, Kind};
use crate::tree::{Call, Expr, Node};
use crate::types::{Modified, Type};

/// An operator's symbol.
pub(super) fn symbol(operator: &BinaryOperator) -> Result<String> {
    Ok(match operator {
        BinaryOperator::Custom(symbol) => symbol.clone(),
        BinaryOperator::PGCustomBinaryOperator(parts) => parts.last().cloned().unwrap_or_default(),
        BinaryOperator::Overlaps => "overlaps".to_owned(),
        BinaryOperator::NotEq => "<>".to_owned(),
        BinaryOperator::PGExp | BinaryOperator::BitwiseXor => "^".to_owned(),
        operator => operator.to_string(),
    })
}

impl Binder<'_> {
    /// Binds an operation on two operands.
    pub(crate) fn operation(&mut self, symbol: &str, left: Expr, right: Expr) -> Result<Expr> {
        if symbol == "overlaps" {
            return self.overlaps(left, right);
        }
        if let Some(own) = self.own_operation(symbol, Some(&left), &right, true)? {
            return Ok(own);
        }
        if let Some(row) = self.hstore_operation(symbol, &left, &right)? {
            return Ok(row);
        }
        if let Some(operator) = comparison(symbol) {
            return self.compare(operator, left, right);
        }
        let symbol = self.without_case(symbol, left.type_, right.type_);
        let pattern = match symbol {
            "~~" => Some("pg_like({*})"),
            "!~~" => Some("(NOT pg_like({*}))"),
            "~~*" => Some("pg_ilike({*})"),
            "!~~*" => Some("(NOT pg_ilike({*}))"),
            _ => None,
        };
        if let Some(text) = pattern {
            let (left_type, right_type) = (left.type_, right.type_);
            let operands =
                [left, right].map(|operand| self.coerce(operand, Type::TEXT.plain(), Context::Implicit));
            let operands: Option<Vec<Expr>> = operands.into_iter().collect::<Result<_>>()?;
            let operands = operands.ok_or_else(|| self.no_operator(symbol, Some(left_type), right_type))?;
            return Ok(Expr::template(text, operands, Type::BOOL));
        }
        self.resolved_operation(symbol, left, right)
    }

    /// An operation of the table of functions.
    pub(super) fn resolved_operation(&mut self, symbol: &str, left: Expr, right: Expr) -> Result<Expr> {
        let types = [left.type_, right.type_];
        match self.resolve(symbol, vec![left.clone(), right.clone()], false)? {
            Ok(expr) => Ok(expr),
            Err(true) => Err(self.not_unique(symbol, &types)),
            Err(false) => match self.own_operation(symbol, Some(&left), &right, false)? {
                Some(own) => Ok(own),
                None => Err(self.no_operator(symbol, Some(types[0]), types[1])),
            },
        }
    }

    /// The operator that matches a pattern, if the text on its left has no case.
    pub(super) fn without_case<'s>(&self, symbol: &'s str, left: Type, right: Type) -> &'s str {
        let text = if left == Type::UNKNOWN { right } else { left };
        match symbol {
            _ if self.catalog.base_type(text) != Type::CITEXT => symbol,
            "~~" => "~~*",
            "!~~" => "!~~*",
            "~" => "~*",
            "!~" => "!~*",
            "similar" => "similar*",
            other => other,
        }
    }

    pub(super) fn prefix_operation(&mut self, symbol: &str, operand: Expr) -> Result<Expr> {
        let type_ = operand.type_;
        match self.resolve(symbol, vec![operand.clone()], false)? {
            Ok(expr) => Ok(expr),
            Err(_) => match self.own_operation(symbol, None, &operand, false)? {
                Some(own) => Ok(own),
                None => Err(self.no_operator(symbol, None, type_)),
            },
        }
    }

    pub(super) fn no_operator(&self, symbol: &str, left: Option<Type>, right: Type) -> SqlError {
        let types: Vec<Type> = left.into_iter().chain([right]).collect();
        // The range of an element can have any range type.
        if matches!((symbol, &types[..]), ("<@", [.., Type::UNKNOWN]) | ("@>", [Type::UNKNOWN, _])) {
            return self.not_unique(symbol, &types);
        }
        if let Some(refusal) = super::known::operator(self, symbol, &types) {
            return refusal;
        }
        if left.is_none() && right == Type::UNKNOWN && ["-", "+", "@", "~"].contains(&symbol) {
            let message = format!("operator is not unique: {symbol} unknown");
            return SqlError::new(SqlState::AMBIGUOUS_FUNCTION, message).hint(
                "Could not choose a best candidate operator. You might need to add explicit type casts.",
            );
        }
        let right = self.catalog.type_name(right, -1);
        let shown = match left {
            Some(left) => format!("{} {symbol} {right}", self.catalog.type_name(left, -1)),
            None => format!("{symbol} {right}"),
        };
        let arguments = if left.is_some() { "argument types" } else { "argument type" };
        SqlError::new(SqlState::UNDEFINED_FUNCTION, format!("operator does not exist: {shown}")).hint(
            format!(
                "No operator matches the given name and {arguments}. You might need to add {}.",
                if left.is_some() { "explicit type casts" } else { "an explicit type cast" }
            ),
        )
    }

    fn not_unique(&self, symbol: &str, types: &[Type]) -> SqlError {
        let names: Vec<String> = types.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
        let message = format!("operator is not unique: {}", names.join(&format!(" {symbol} ")));
        SqlError::new(SqlState::AMBIGUOUS_FUNCTION, message)
            .hint("Could not choose a best candidate operator. You might need to add explicit type casts.")
    }

    /// Chooses among the overloads of `name` and binds the call. The inner error says whether the choice was ambiguous; otherwise
    /// there is no such overload.
    pub(super) fn resolve(
        &mut self,
        name: &str,
        arguments: Vec<Expr>,
        function: bool,
    ) -> Result<std::result::Result<Expr, bool>> {
        let types: Vec<Type> = arguments.iter().map(|argument| argument.type_).collect();
        if let Some(exact) = self.same_typed(name, &types).filter(|_| !function) {
            return Ok(Ok(self.call(exact, arguments)?));
        }
        let candidates: Vec<Candidate> = functions::overloads(name)
            .iter()
            .filter(|known| {
                (known.kind == Kind::Scalar || function) && self.has(known) && known.takes(types.len())
            })
            .filter_map(|known| self.candidate(known, &types))
            .collect();
        match self.best(candidates, &types) {
            Ok(Some(candidate)) => Ok(Ok(self.call(candidate, arguments)?)),
            Ok(None) => Ok(Err(false)),
            Err(()) => Ok(Err(true)),
        }
    }

    /// The operator for two operands of one type. An untyped literal takes the type of the other operand.
    fn same_typed(&self, name: &str, types: &[Type]) -> Option<Candidate> {
        let known = match *types {
            [Type::UNKNOWN, Type::UNKNOWN] => return None,
            [Type::UNKNOWN, known] | [known, Type::UNKNOWN] => self.catalog.operand_type(known),
            [left, right] if left == right => self.catalog.operand_type(left),
            _ => return None,
        };
        let both = [known, known];
        let candidates = functions::overloads(name)
            .iter()
            .filter(|function| function.kind == Kind::Scalar && self.has(function) && function.takes(2));
        let mut exact = candidates
            .filter_map(|function| self.candidate(function, &both))
            .filter(|candidate| candidate.wanted == both);
        let first = exact.next()?;
        std::iter::once(first)
            .chain(exact)
            .min_by_key(|candidate| candidate.declared.iter().filter(|type_| type_.is_polymorphic()).count())
    }

    /// Whether a function exists. That of an extension exists once the extension is created.
    fn has(&self, function: &Function) -> bool {
        let is_there = function.extension.is_none_or(|name| self.catalog.has_extension(name));
        is_there && (!functions::range::is_for_own(function) || self.catalog.has_own_ranges())
    }

    /// The signatures of the system's functions of a name that can be called with arguments of these types. Those of an extension
    /// come with the extension.
    pub(super) fn system_signatures(
        &self,
        name: &str,
        types: &[Type],
    ) -> Vec<(Option<&'static str>, Vec<Type>)> {
        let known = functions::overloads(name).iter();
        known
            .filter(|known| {
                !matches!(known.form, Form::Unsupported) && self.has(known) && known.takes(types.len())
            })
            .filter_map(|known| Some((known.extension, self.candidate(known, types)?.declared)))
            .collect()
    }

    /// A function that can be called with arguments of these types.
    fn candidate(&self, function: &'static Function, types: &[Type]) -> Option<Candidate> {
        let declared: Vec<Type> = function.types_for(types.len());
        let out_of_place = declared.iter().zip(types).any(|(declared, given)| {
            // The operator for any other type does not accept arrays, and some functions accept only arrays or only rows. The row for
            // arrays of `numeric` is used instead of the one with a placeholder.
            let given = self.catalog.operand_type(*given);
            let array = given.element().is_some();
            let list = array || given == Type::UNKNOWN;
            (function.name == "||" && *declared == Type::AS_TEXT && array)
                || (function.name == "array_to_string" && *declared == Type::AS_TEXT && !list)
                || (function.name == "array_to_json" && *declared == Type::AS_JSON && !list)
                || (function.name == "row_to_json" && *declared == Type::AS_JSON && !self.is_row_type(given))
                || (matches!(declared.element(), Some(Type::NUMERIC | Type::CITEXT))
                    && array
                    && given != *declared)
        });
        if out_of_place {
            return None;
        }
        let element = self.polymorphic(&declared, types)?;
        let wanted: Vec<Type> = declared
            .iter()
            .zip(types)
            .map(|(declared, given)| match *declared {
                Type::ANYELEMENT | Type::ANYNONARRAY | Type::ANYENUM | Type::ANYCOMPATIBLE => {
                    element.unwrap_or(*given)
                }
                Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY => element.and_then(Type::array).unwrap_or(*given),
                Type::ANY | Type::AS_TEXT | Type::AS_OUTPUT | Type::AS_JSON | Type::AS_JSONB => *given,
                other => other,
            })
            .collect();
        let applicable = wanted.iter().zip(types).zip(&declared).all(|((wanted, given), declared)| {
            matches!(*declared, Type::ANY | Type::AS_TEXT | Type::AS_OUTPUT | Type::AS_JSON | Type::AS_JSONB)
                || self.castable(*given, *wanted) == Some(Context::Implicit)
        });
        applicable.then_some(Candidate { function, declared, wanted, element })
    }

    pub(super) fn is_row_type(&self, type_: Type) -> bool {
        [Type::RECORD, Type::UNKNOWN].contains(&type_) || self.catalog.attributes(type_).is_some()
    }

    /// The type that `anyelement` and similar types stand for; `None` if the arguments contradict each other, `Some(None)` if the
    /// signature has no such type.
    pub(super) fn polymorphic(&self, declared: &[Type], types: &[Type]) -> Option<Option<Type>> {
        let (mut elements, mut bounds): (Vec<Type>, Vec<Type>) = (Vec::new(), Vec::new());
        for (declared, given) in declared.iter().zip(types) {
            let (given, own) = (self.catalog.operand_type(*given), *given);
            match *declared {
                Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY if given != Type::UNKNOWN => {
                    elements.push(given.element()?);
                }
                Type::ANYRANGE
                | Type::ANYCOMPATIBLERANGE
                | Type::ANYMULTIRANGE
                | Type::ANYCOMPATIBLEMULTIRANGE
                    if given != Type::UNKNOWN =>
                {
                    // The type of its bounds says all of a range of the system only.
                    let kind = crate::value::range::kind(given)?;
                    if crate::catalog::of_element(*declared, kind.bound) != given {
                        return None;
                    }
                    bounds.push(kind.bound);
                    elements.push(kind.bound);
                }
                Type::ANYNONARRAY | Type::ANYCOMPATIBLENONARRAY if given.element().is_some() => return None,
                Type::ANYENUM if self.catalog.labels(given).is_none() && given != Type::UNKNOWN => {
                    return None;
                }
                Type::ANYELEMENT
                | Type::ANYNONARRAY
                | Type::ANYENUM
                | Type::ANYCOMPATIBLE
                | Type::ANYCOMPATIBLENONARRAY
                    if given != Type::UNKNOWN =>
                {
                    elements.push(own);
                }
                _ => {}
            }
        }
        if elements.is_empty() {
            let asks = declared.iter().any(|type_| type_.is_polymorphic());
            return Some(asks.then_some(Type::TEXT));
        }
        let compatible = declared.iter().any(|type_| type_.is_compatible_placeholder());
        let same = elements.iter().all(|element| *element == elements[0]);
        if same {
            return Some(Some(elements[0]));
        }
        let common = self.common_type(&elements, "arguments").ok();
        // No range is converted to another one.
        common.filter(|common| compatible && bounds.iter().all(|bound| bound == common)).map(Some)
    }

    /// PostgreSQL's choice. Fails if the call is ambiguous.
    fn best(
        &self,
        mut candidates: Vec<Candidate>,
        types: &[Type],
    ) -> std::result::Result<Option<Candidate>, ()> {
        let signatures: Vec<&[Type]> = candidates.iter().map(|candidate| &candidate.declared[..]).collect();
        let accepts = |index: usize, slot: usize, type_: Type| {
            let wanted = candidates[index].wanted[slot];
            wanted == Type::UNKNOWN || self.castable(type_, wanted) == Some(Context::Implicit)
        };
        let mut left = self.choose(&signatures, types, accepts);
        // The table may have several rows for the same function.
        let typed = |index: &usize| signatures[*index].iter().filter(|type_| !type_.is_polymorphic()).count();
        let most = left.iter().map(typed).max();
        left.retain(|index| Some(typed(index)) == most);
        match left[..] {
            [] => Ok(None),
            [only] => Ok(Some(candidates.swap_remove(only))),
            _ => Err(()),
        }
    }

    /// `(start, end) OVERLAPS (start, end)`, where an interval may stand for an end.
    fn overlaps(&mut self, left: Expr, right: Expr) -> Result<Expr> {
        let mut arguments = Vec::new();
        for (side, pair) in [("left", left), ("right", right)] {
            let Node::Row(mut items, _) = pair.node else {
                return Err(SqlError::unsupported("OVERLAPS of anything but rows that are written out"));
            };
            let (Some(end), Some(start), true) = (items.pop(), items.pop(), items.is_empty()) else {
                let message = format!("wrong number of parameters on {side} side of OVERLAPS expression");
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            };
            let end = match end.type_ {
                Type::INTERVAL => {
                    self.once.charge(&start)?;
                    self.operation("+", start.clone(), end)?
                }
                _ => end,
            };
            arguments.extend([start, end]);
        }
        self.plain_call("overlaps", arguments)
    }

    /// The text that clients get of a value. It differs from a cast to text for truth values.
    pub(super) fn output_of(&self, expr: Expr) -> Result<Expr> {
        match self.catalog.base_type(expr.type_) {
            Type::BOOL => Ok(Expr::template("substr('ft', {0} + 1, 1)", vec![expr], Type::TEXT)),
            // A cast to text would remove trailing blanks.
            Type::BPCHAR => Ok(Expr { type_: Type::TEXT, modifier: -1, ..expr }),
            _ => self.cast(expr, Type::TEXT.plain()),
        }
    }

    /// `json_agg` writes rows and arrays on lines of their own.
    fn for_rows(&self, function: &'static Function, arguments: &[Expr]) -> &'static Function {
        let lines = arguments.first().is_some_and(|argument| {
            let type_ = self.catalog.base_type(argument.type_);
            type_ == Type::RECORD || type_.element().is_some() || self.catalog.attributes(type_).is_some()
        });
        let known = functions::overloads(functions::collect::ROWS).first();
        known.filter(|_| lines && function.name == "json_agg").copied().unwrap_or(function)
    }

    /// Converts the arguments to the types of the chosen function.
    fn call(&mut self, candidate: Candidate, arguments: Vec<Expr>) -> Result<Expr> {
        let Candidate { function, declared, wanted, element } = candidate;
        if matches!(function.form, Form::Unsupported) {
            return Err(SqlError::unsupported(format!("the function {}", function.name)));
        }
        check_polymorphic(function.name, &declared, &arguments)?;
        let returns = function.returns;
        let base = element.map(|element| self.catalog.base_type(element));
        let function = self.for_rows(function, &arguments);
        let given: Vec<Type> = arguments.iter().map(|argument| argument.type_).collect();
        let pairs = arguments.into_iter().zip(declared.iter().zip(wanted));
        let aggregate = matches!(function.kind, Kind::Aggregate { .. });
        let arguments = pairs.map(|(argument, (declared, wanted))| match *declared {
            Type::ANY | Type::ANYNONARRAY | Type::ANYELEMENT
                if aggregate && matches!(argument.node, Node::Row(..)) =>
            {
                let row = argument.clone();
                let settled = self.settle(argument)?;
                Ok(self.unless_absent(&row, settled))
            }
            // Functions write a truth value as clients see it; the operator casts it.
            Type::AS_TEXT if argument.type_ == Type::BOOL && function.name != "||" => {
                let text = "CASE {0} WHEN 1 THEN 't' WHEN 0 THEN 'f' END";
                Ok(Expr::template(text, vec![argument], Type::TEXT))
            }
            Type::AS_TEXT => self.cast(argument, Type::TEXT.plain()),
            Type::AS_OUTPUT => self.output_of(argument),
            Type::AS_JSON => self.json_of(argument, Type::JSON),
            Type::AS_JSONB => self.json_of(argument, Type::JSONB),
            Type::ANY => self.settle(argument),
            _ => self.implicit(argument, wanted),
        });
        let mut arguments = arguments.collect::<Result<Vec<_>>>()?;
        if function.name == "cardinality" && given[0].element() == Some(Type::RECORD) {
            // Rows are no dimension.
            return Ok(Expr::template("json_array_length({0})", arguments, Type::INT4));
        }
        if functions::text_search::takes_setting(function) {
            arguments.push(self.session_configuration()?);
        }
        if functions::arrays::compares_elements(function) {
            let parts = self.catalog.parts(base.unwrap_or(Type::TEXT));
            arguments.resize(function.arguments.len(), Expr::null());
            arguments.push(Expr::literal(parts.written(), Type::TEXT));
        }
        if let Some(call) = self.call_in_zone(function, &arguments)? {
            return Ok(call);
        }
        if let Some((name, default)) = functions::trigrams::parameter(function) {
            let value = crate::describe::setting(self.settings, name);
            let value = value.and_then(|value| value.parse::<f64>().ok());
            let value = value.unwrap_or_else(|| default.parse().unwrap_or_default());
            // The parameter is a double, and the result that it is compared with is not.
            arguments.push(Expr::literal(f64::from(value as f32), Type::FLOAT8));
        }
        let type_ = match returns {
            Type::ANYELEMENT | Type::ANYNONARRAY | Type::ANYENUM | Type::ANYCOMPATIBLE => {
                element.unwrap_or(Type::TEXT)
            }
            Type::ANYARRAY
                if !declared.contains(&Type::ANYARRAY)
                    && base.is_some_and(|base| base.element().is_some()) =>
            {
                let name = self.catalog.type_name(element.unwrap_or(Type::TEXT), -1);
                let message = format!("could not find array type for data type {name}");
                return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
            }
            Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY => {
                let element = element.unwrap_or(Type::TEXT);
                if element.element().is_some() { element } else { element.array().unwrap_or(Type::TEXT) }
            }
            other => other,
        };
        let type_ = self.own_range_type(type_, &given);
        Ok(Expr::new(Node::Call(Box::new(Call::plain(function, arguments))), type_))
    }

    /// The range of a user among the types of the arguments for whose values a function of the system is called.
    fn own_range_type(&self, type_: Type, given: &[Type]) -> Type {
        let element = type_.element().filter(|element| element.is_under_ranges());
        if let Some(element) = element {
            return self.own_range_type(element, given).array().unwrap_or(type_);
        }
        if !type_.is_under_ranges() {
            return type_;
        }
        let of = |given: &Type| self.catalog.own_range(given.element().unwrap_or(*given));
        match given.iter().find_map(of) {
            Some((own, range)) if range.base == type_ => own,
            Some((_, range)) => range.pair,
            None => type_,
        }
    }

    /// A call of the function that makes a range, or several of them, of its bounds or its ranges.
    pub(super) fn made_range(
        &mut self,
        schema: Option<&str>,
        called: &str,
        arguments: &[Expr],
    ) -> Result<Option<Expr>> {
        if !self.catalog.has_own_ranges() || !functions::overloads(called).is_empty() {
            return Ok(None);
        }
        let schemas = match schema {
            Some(schema) => self.schema_to_use(schema)?.into_iter().collect(),
            None => self.function_path(),
        };
        let Some((own, base)) = self.catalog.range_made_by(&schemas, called) else { return Ok(None) };
        let maker = base.builtin().map_or("", |builtin| builtin.name);
        let made = self.resolve(maker, arguments.to_vec(), true)?.ok();
        Ok(made.map(|made| made.known_as(own)))
    }

    /// The types of a call's columns if its signature is polymorphic.
    pub(super) fn instantiate(&self, declared: Type, returns: Type) -> Modified {
        if declared.is_polymorphic() { returns.plain() } else { declared.plain() }
    }
}

/// Refuses a call if no argument determines the types of its placeholders.
fn check_polymorphic(name: &str, declared: &[Type], arguments: &[Expr]) -> Result<()> {
    let asks = |type_: Type| {
        matches!(type_, Type::ANYARRAY | Type::ANYELEMENT | Type::ANYNONARRAY | Type::ANYENUM)
            || (matches!(type_, Type::AS_JSON | Type::AS_JSONB)
                && matches!(name, "to_json" | "to_jsonb" | "json_agg" | "jsonb_agg" | "array_to_json"))
    };
    let mut asked = declared.iter().zip(arguments).filter(|(declared, _)| asks(**declared)).peekable();
    if asked.peek().is_some() && asked.all(|(_, given)| given.type_ == Type::UNKNOWN) {
        let message = "could not determine polymorphic type because input has type unknown";
        return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
    }
    Ok(())
}

/// An overload, with the types of its signature in this call.
struct Candidate {
    function: &'static Function,
    declared: Vec<Type>,
    wanted: Vec<Type>,
    element: Option<Type>,
}
