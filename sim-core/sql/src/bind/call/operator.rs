//! Calls of the functions that implement PostgreSQL's operators, such as `int4pl` and `textcat`.

use crate::bind::Binder;
use crate::cast::Context;
use crate::error::Result;
use crate::tree::Expr;
use crate::types::Type;

/// How the names of such functions begin, the type of their operands, and how the names end.
const TYPES: [(&str, Type, &str); 15] = [
    ("int2", Type::INT2, "pl mi mul div mod eq ne lt le gt ge larger smaller"),
    ("int4", Type::INT4, "pl mi mul div mod eq ne lt le gt ge larger smaller"),
    ("int8", Type::INT8, "pl mi mul div mod eq ne lt le gt ge larger smaller"),
    ("float4", Type::FLOAT4, "pl mi mul div eq ne lt le gt ge larger smaller"),
    ("float8", Type::FLOAT8, "pl mi mul div eq ne lt le gt ge larger smaller"),
    ("numeric_", Type::NUMERIC, "add sub mul div mod eq ne lt le gt ge larger smaller"),
    ("interval_", Type::INTERVAL, "pl mi eq ne lt le gt ge larger smaller"),
    ("text", Type::TEXT, "cat eq ne"),
    ("text_", Type::TEXT, "lt le gt ge larger smaller"),
    ("bool", Type::BOOL, "eq ne lt le gt ge"),
    ("uuid_", Type::UUID, "eq ne lt le gt ge"),
    ("date_", Type::DATE, "eq ne lt le gt ge larger smaller"),
    ("timestamp_", Type::TIMESTAMP, "eq ne lt le gt ge larger smaller"),
    ("citext_", Type::CITEXT, "eq ne lt le gt ge larger smaller"),
    ("timestamptz_", Type::TIMESTAMPTZ, "eq ne lt le gt ge larger smaller"),
];

const TEXTS: Type = Type(1009);

/// Other such functions: the types of their operands, and the operators.
const OTHERS: &[(&str, Type, Type, &str)] = &[
    ("jsonb_exists", Type::JSONB, Type::TEXT, "?"),
    ("jsonb_exists_any", Type::JSONB, TEXTS, "?|"),
    ("jsonb_exists_all", Type::JSONB, TEXTS, "?&"),
    ("jsonb_contains", Type::JSONB, Type::JSONB, "@>"),
    ("jsonb_contained", Type::JSONB, Type::JSONB, "<@"),
    ("jsonb_concat", Type::JSONB, Type::JSONB, "||"),
    ("jsonb_delete", Type::JSONB, Type::TEXT, "-"),
    ("jsonb_delete", Type::JSONB, Type::INT4, "-"),
    ("jsonb_delete_path", Type::JSONB, TEXTS, "#-"),
    ("jsonb_object_field", Type::JSONB, Type::TEXT, "->"),
    ("jsonb_object_field_text", Type::JSONB, Type::TEXT, "->>"),
    ("jsonb_array_element", Type::JSONB, Type::INT4, "->"),
    ("jsonb_array_element_text", Type::JSONB, Type::INT4, "->>"),
    ("json_object_field", Type::JSON, Type::TEXT, "->"),
    ("json_object_field_text", Type::JSON, Type::TEXT, "->>"),
    ("json_array_element", Type::JSON, Type::INT4, "->"),
    ("json_array_element_text", Type::JSON, Type::INT4, "->>"),
    ("jsonb_eq", Type::JSONB, Type::JSONB, "="),
    ("jsonb_ne", Type::JSONB, Type::JSONB, "<>"),
    ("like", Type::TEXT, Type::TEXT, "~~"),
    ("notlike", Type::TEXT, Type::TEXT, "!~~"),
    ("textlike", Type::TEXT, Type::TEXT, "~~"),
    ("textnlike", Type::TEXT, Type::TEXT, "!~~"),
    ("texticlike", Type::TEXT, Type::TEXT, "~~*"),
    ("texticnlike", Type::TEXT, Type::TEXT, "!~~*"),
    ("textregexeq", Type::TEXT, Type::TEXT, "~"),
    ("textregexne", Type::TEXT, Type::TEXT, "!~"),
    ("texticregexeq", Type::TEXT, Type::TEXT, "~*"),
    ("texticregexne", Type::TEXT, Type::TEXT, "!~*"),
    ("tsq_mcontains", Type::TSQUERY, Type::TSQUERY, "@>"),
    ("tsq_mcontained", Type::TSQUERY, Type::TSQUERY, "<@"),
];

/// The function that adds one to a number.
const INCREMENT: &str = "int8inc";

/// The operators, by the ends of the names.
const SYMBOLS: [(&str, &str); 16] = [
    ("cat", "||"),
    ("pl", "+"),
    ("add", "+"),
    ("mi", "-"),
    ("sub", "-"),
    ("mul", "*"),
    ("div", "/"),
    ("mod", "%"),
    ("eq", "="),
    ("ne", "<>"),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
    ("larger", "greatest"),
    ("smaller", "least"),
];

impl Binder<'_> {
    /// The call of an operator's function; `None` if the name is not of that form.
    pub(super) fn function_of_operator(&mut self, called: &str, given: &[Expr]) -> Result<Option<Expr>> {
        if let (INCREMENT, [number]) = (called, given) {
            let Some(number) = self.coerce(number.clone(), Type::INT8.plain(), Context::Implicit)? else {
                return Ok(None);
            };
            return self.operation("+", number, Expr::literal(1, Type::INT8)).map(Some);
        }
        let [left, right] = given else { return Ok(None) };
        for (name, first, second, symbol) in OTHERS {
            // Of overloads, the one whose second operand has its type already, or the first.
            let exact = |type_: &Type| right.type_ == *type_;
            let overloaded = OTHERS.iter().any(|(other, _, type_, _)| other == name && exact(type_));
            if called != *name || overloaded && !exact(second) {
                continue;
            }
            let left = self.coerce(left.clone(), first.plain(), Context::Implicit)?;
            let right = self.coerce(right.clone(), second.plain(), Context::Implicit)?;
            let (Some(left), Some(right)) = (left, right) else { continue };
            return self.operation(symbol, left, right).map(Some);
        }
        let Some((type_, symbol)) = named(called) else { return Ok(None) };
        if type_.extension().is_some_and(|name| !self.catalog.has_extension(name)) {
            return Ok(None);
        }
        let as_operand =
            |binder: &Self, operand: &Expr| binder.coerce(operand.clone(), type_.plain(), Context::Implicit);
        let (Some(left), Some(right)) = (as_operand(self, left)?, as_operand(self, right)?) else {
            return Ok(None);
        };
        match symbol {
            "greatest" | "least" => self.greatest_of(symbol, vec![left, right]),
            _ => self.operation(symbol, left, right),
        }
        .map(Some)
    }
}

/// The operands' type and the operator of a function's name.
fn named(called: &str) -> Option<(Type, &'static str)> {
    TYPES.into_iter().find_map(|(prefix, type_, ends)| {
        let rest = called.strip_prefix(prefix)?;
        let end = ends.split(' ').find(|end| *end == rest)?;
        let (_, symbol) = SYMBOLS.into_iter().find(|(known, _)| *known == end)?;
        Some((type_, symbol))
    })
}

/// The names of all such functions, with the types of their operands and results.
pub(crate) fn functions_of_operators() -> impl Iterator<Item = (String, Vec<Type>, Type)> {
    let of_two = TYPES.into_iter().flat_map(|(prefix, type_, ends)| {
        ends.split(' ').map(move |end| {
            let compares = matches!(end, "eq" | "ne" | "lt" | "le" | "gt" | "ge");
            let result = if compares { Type::BOOL } else { type_ };
            (format!("{prefix}{end}"), vec![type_, type_], result)
        })
    });
    of_two.chain([(INCREMENT.to_owned(), vec![Type::INT8], Type::INT8)])
}
