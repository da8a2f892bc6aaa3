//! Functions and operators of PostgreSQL's lists, of JSON paths, and of other plain values.

mod bytes;
mod format;
mod json;
mod rows;

use sqlparser::ast::{BinaryOperator, UnaryOperator};

use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a function of values that are bound; `None` for another name.
    pub(super) fn plain_call(&mut self, name: &str, given: &[Expr]) -> Result<Option<Expr>, Refusal> {
        Ok(Some(match (name, given) {
            ("num_nulls" | "num_nonnulls", [_, ..]) => {
                let word = if name == "num_nulls" { "IS NULL" } else { "IS NOT NULL" };
                let (yes, no) = (self.target.integer(1), self.target.integer(0));
                let each = (0..given.len())
                    .map(|place| format!("(CASE WHEN {{{place}}} {word} THEN {yes} ELSE {no} END)"));
                let sum = each.collect::<Vec<_>>().join(" + ");
                Expr::filled(&format!("({sum})"), given, Type::Int64)
            }
            ("gcd" | "lcm", [left, right]) => {
                let both = [self.coerced(left, &Type::Int64)?, self.coerced(right, &Type::Int64)?];
                let template =
                    self.target.pick(format!("wh_{name}({{0}}, {{1}})"), format!("{name}({{0}}, {{1}})"));
                Expr::filled(&template, &both, Type::Int64)
            }
            ("quote_nullable", [text]) => {
                let text = self.written_out(text)?;
                let null = self.target.text("NULL");
                let quoted = self.relational("quote_literal", &[text])?;
                Expr::filled(&format!("coalesce({{0}}, {null})"), &[quoted], Type::String)
            }
            ("isfinite", [moment]) if moment.type_.reads_literals() => {
                let yes = self.target.boolean(true);
                Expr::filled(&format!("(CASE WHEN {{0}} IS NOT NULL THEN {yes} END)"), given, Type::Bool)
            }
            ("to_date" | "to_timestamp", [text, format]) => self.moment_of_text(name, text, format)?,
            ("format", [Expr { origin: Origin::Text(format), .. }, values @ ..]) => {
                self.formatted_values(format, values)?
            }
            _ => return self.call_of_lists(name, given),
        }))
    }

    fn call_of_lists(&mut self, name: &str, given: &[Expr]) -> Result<Option<Expr>, Refusal> {
        let one = Expr::new(self.target.integer(1), Type::Int64);
        let is_first = |dimension: &Expr| dimension.origin == Origin::Integer(1);
        Ok(Some(match (name, given) {
            ("array_position" | "array_positions" | "array_remove", [list, item]) => {
                let list = self.list_given(name, list)?;
                let (function, type_) = match name {
                    "array_position" => ("wh_list_position", Type::Int64),
                    "array_positions" => ("wh_list_positions", Type::Array(Box::new(Type::Int64))),
                    _ => ("wh_list_without", list.type_.clone()),
                };
                let item = self.item_of(&list, item)?;
                Expr::filled(&format!("{function}({{0}}, {{1}})"), &[list, item], type_)
            }
            ("array_replace", [list, old, new]) => {
                let list = self.list_given(name, list)?;
                let (old, new) = (self.item_of(&list, old)?, self.item_of(&list, new)?);
                let type_ = list.type_.clone();
                Expr::filled("wh_list_replaced({0}, {1}, {2})", &[list, old, new], type_)
            }
            ("array_upper", [list, dimension]) if is_first(dimension) => {
                let list = self.list_given(name, list)?;
                let length = self.function("array_length", &[list])?;
                let zero = self.target.integer(0);
                Expr::filled(&format!("nullif({{0}}, {zero})"), &[length], Type::Int64)
            }
            ("array_lower", [list, dimension]) if is_first(dimension) => {
                let list = self.list_given(name, list)?;
                let length = self.function("array_length", &[list])?;
                let template = format!("(CASE WHEN {{0}} > 0 THEN {} END)", one.sql);
                Expr::filled(&template, &[length], Type::Int64)
            }
            ("array_ndims", [list]) => {
                let list = self.list_given(name, list)?;
                let length = self.function("array_length", &[list])?;
                let template = format!("(CASE WHEN {{0}} > 0 THEN {} END)", one.sql);
                Expr::filled(&template, &[length], Type::Int64)
            }
            ("trim_array", [list, count]) => {
                let list = self.list_given(name, list)?;
                let length = self.function("array_length", std::slice::from_ref(&list))?;
                let count = self.coerced(count, &Type::Int64)?;
                let last = self.arithmetic("-", &length, &count)?;
                let type_ = list.type_.clone();
                Expr::filled("wh_list_part({0}, {1}, {2})", &[list, one, last], type_)
            }
            ("to_number", [text, format]) => {
                let texts = [self.coerced(text, &Type::String)?, self.coerced(format, &Type::String)?];
                let template = self.target.pick("wh_to_number({0}, {1})", "to_number({0}, {1})");
                Expr::filled(template, &texts, Type::Number)
            }
            _ => return self.call_of_jsonb(name, given),
        }))
    }

    fn list_given(&mut self, name: &str, list: &Expr) -> Result<Expr, Refusal> {
        if let Origin::Text(text) = &list.origin {
            return self.list_of_text(text, &Type::String);
        }
        match list.type_ {
            Type::Array(_) => Ok(list.clone()),
            _ => Err(no_signature(name, std::slice::from_ref(list))),
        }
    }

    /// A value as an element of that list.
    fn item_of(&mut self, list: &Expr, item: &Expr) -> Result<Expr, Refusal> {
        let item = match &list.type_ {
            Type::Array(of) if **of != Type::Dynamic && **of != Type::Null => {
                let type_ = of
                    .common(&item.type_)
                    .ok_or_else(|| no_signature("array", &[list.clone(), item.clone()]))?;
                self.coerced(item, &type_)?
            }
            _ => item.clone(),
        };
        let packed = self.target.packed(&item.type_, &item.sql);
        let sql = self.target.pick(
            format!("(json_array({packed}) -> 0)"),
            format!("coalesce(to_jsonb({packed}), 'null'::jsonb)"),
        );
        Ok(item.with(sql, Type::Dynamic))
    }

    /// `'{a,"b c"}'` as a list.
    pub(in crate::bind) fn list_of_text(&mut self, text: &str, of: &Type) -> Result<Expr, Refusal> {
        let malformed = || Refusal::invalid(format!("malformed array literal: \"{text}\""));
        let inside = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let parts = elements_of_text(inside.ok_or_else(malformed)?).ok_or_else(malformed)?;
        let mut elements = Vec::new();
        for part in parts {
            let element = match part {
                Some(part) => {
                    let text = self.literal_text(&part);
                    self.cast(&text, of, false)?
                }
                None => Expr::new(self.target.null(of), of.clone()),
            };
            elements.push(element);
        }
        let list = self.array(&elements)?;
        Ok(list.with(&list.sql, Type::Array(Box::new(of.clone()))))
    }

    /// An operator of lists, bits and JSON; `None` for another one.
    pub(super) fn list_operator(
        &mut self,
        operator: &BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>, Refusal> {
        use BinaryOperator as B;
        let both = [left.clone(), right.clone()];
        let are_lists = both.iter().all(|side| matches!(side.type_, Type::Array(_)));
        Ok(Some(match operator {
            B::Eq | B::NotEq if are_lists => {
                let (_, lists) = self.unified(&both, "=")?;
                let word = if *operator == B::Eq { "=" } else { "<>" };
                let sql = format!("({} {word} {})", self.grouped_operand(&lists[0]), lists[1].sql);
                Expr::of(sql, Type::Bool, &lists)
            }
            B::PGOverlap => {
                let (left, right) = (self.list_given("&&", left)?, self.list_given("&&", right)?);
                let (_, lists) = self.unified(&[left, right], "&&")?;
                Expr::filled("wh_list_overlaps({0}, {1})", &lists, Type::Bool)
            }
            B::PGStartsWith => self.function("starts_with", &both)?,
            B::PGBitwiseXor => self.function("^", &both)?,
            B::PGBitwiseShiftLeft => self.shifted_bits(&both, true, true)?,
            B::PGBitwiseShiftRight => self.shifted_bits(&both, false, true)?,
            B::QuestionPipe | B::QuestionAnd => {
                let Type::Array(_) = right.type_ else { return Err(no_signature("?|", &both)) };
                let all = *operator == B::QuestionAnd;
                let each = self.target.pick("json_each({1})", "jsonb_array_elements_text({1}) AS e(value)");
                let has = self.target.pick("wh_json_has({0}, value)", "jsonb_exists({0}, value)");
                let (found, missing) = if all { ("NOT EXISTS", "NOT ") } else { ("EXISTS", "") };
                let template = format!(
                    "(CASE WHEN {{0}} IS NOT NULL THEN {found} (SELECT 1 FROM {each} WHERE {missing}{has}) END)"
                );
                Expr::filled(&template, &both, Type::Bool)
            }
            B::Minus if left.type_ == Type::Dynamic && matches!(right.type_, Type::Array(_)) => {
                let template = self.target.pick("wh_json_without_keys({0}, {1})", "({0} - wh_texts_of({1}))");
                Expr::filled(template, &both, Type::Dynamic)
            }
            B::Minus if left.type_ == Type::Dynamic && matches!(right.origin, Origin::Integer(_)) => {
                return Err(Refusal::unsupported("JSON - integer"));
            }
            B::HashMinus => {
                let path = self.list_given("#-", right)?;
                let template = self.target.pick("wh_json_cut_path({0}, {1})", "({0} #- wh_texts_of({1}))");
                Expr::filled(template, &[left.clone(), path], Type::Dynamic)
            }
            B::AtQuestion => self.along_path("jsonb_path_exists", left, right)?,
            B::AtAt => self.along_path("jsonb_path_match", left, right)?,
            _ => return Ok(None),
        }))
    }

    /// A number whose bits are moved.
    pub(in crate::bind) fn shifted_bits(
        &mut self,
        both: &[Expr],
        left: bool,
        arithmetic: bool,
    ) -> Result<Expr, Refusal> {
        let both = both.iter().map(|side| self.coerced(side, &Type::Int64));
        let both = both
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| Refusal::invalid("bits of what is no integer"))?;
        let [left, arithmetic] = [left, arithmetic].map(|flag| self.target.boolean(flag));
        Ok(Expr::filled(&format!("wh_shift_bits({{0}}, {{1}}, {left}, {arithmetic})"), &both, Type::Int64))
    }

    /// An operator before its operand: `~5`, `|/ 16`, `@ -5`.
    pub(in crate::bind) fn postgres_sign(
        &mut self,
        operator: UnaryOperator,
        value: &Expr,
    ) -> Result<Expr, Refusal> {
        let value = std::slice::from_ref(value);
        match operator {
            UnaryOperator::BitwiseNot => {
                let whole = self.coerced(&value[0], &Type::Int64)?;
                Ok(Expr::filled("(~{0})", &[whole], Type::Int64))
            }
            UnaryOperator::PGSquareRoot => self.function("sqrt", value),
            UnaryOperator::PGCubeRoot => self.function("cbrt", value),
            UnaryOperator::PGAbs => self.function("abs", value),
            other => Err(Refusal::unsupported(&format!("the operator {other}"))),
        }
    }
}

/// The elements of a list's text without its brackets; `None` where it is malformed, or a list of lists.
fn elements_of_text(text: &str) -> Option<Vec<Option<String>>> {
    let mut elements = Vec::new();
    if text.trim().is_empty() {
        return Some(elements);
    }
    let mut signs = text.chars().peekable();
    loop {
        while signs.next_if(char::is_ascii_whitespace).is_some() {}
        let (mut element, quoted) = (String::new(), signs.next_if_eq(&'"').is_some());
        loop {
            if !quoted && matches!(signs.peek(), None | Some(',')) {
                break;
            }
            match signs.next()? {
                '\\' => element.push(signs.next()?),
                '"' if quoted => break,
                '{' | '}' | '"' if !quoted => return None,
                sign => element.push(sign),
            }
        }
        let element = if quoted { element } else { element.trim_end().to_owned() };
        elements.push(match (quoted, element.eq_ignore_ascii_case("null")) {
            (false, true) => None,
            (false, false) if element.is_empty() => return None,
            _ => Some(element),
        });
        while signs.next_if(char::is_ascii_whitespace).is_some() {}
        match signs.next() {
            None => return Some(elements),
            Some(',') => {}
            Some(_) => return None,
        }
    }
}
