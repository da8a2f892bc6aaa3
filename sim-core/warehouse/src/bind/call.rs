//! Calls: functions with a syntax of their own, and the lookup of all others.

use sqlparser::ast::{
    self, DuplicateTreatment, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    NullTreatment,
};

use super::expr::{Expr, Origin};
use super::ordered_set::ORDERED;
use super::scope::Scope;
use super::value::{no_signature, only_column};
use super::{Binder, Bound};
use crate::refusal::Refusal;
use crate::types::Type;
use crate::{Column, Dialect, Target};

/// The parts of a call.
pub(super) struct Call<'q> {
    /// In lower case.
    pub(super) name: String,
    pub(super) arguments: Vec<&'q ast::Expr>,
    /// Whether the argument is `*`.
    pub(super) star: bool,
    pub(super) distinct: bool,
    /// `HAVING MAX x`: only rows in which `x` is greatest, or least, count.
    pub(super) having: Option<&'q ast::HavingBound>,
    /// `FILTER (WHERE …)`
    pub(super) filter: Option<&'q ast::Expr>,
    pub(super) order: &'q [ast::OrderByExpr],
    /// `WITHIN GROUP (ORDER BY …)`
    pub(super) within: &'q [ast::OrderByExpr],
    pub(super) limit: Option<&'q ast::Expr>,
    pub(super) ignore_nulls: bool,
    pub(super) over: Option<&'q ast::WindowType>,
}

impl Call<'_> {
    /// Whether it has only a name and arguments.
    fn check_plain(&self) -> Result<(), Refusal> {
        let more = self.star
            || self.distinct
            || self.having.is_some()
            || self.filter.is_some()
            || !self.order.is_empty()
            || !self.within.is_empty()
            || self.limit.is_some()
            || self.ignore_nulls;
        match (more, self.over) {
            (true, _) => {
                Err(Refusal::invalid(format!("{} is no aggregate function", self.name.to_uppercase())))
            }
            (_, Some(_)) => {
                Err(Refusal::invalid(format!("{} is no analytic function", self.name.to_uppercase())))
            }
            _ => Ok(()),
        }
    }
}

/// Functions that reveal more than the data.
const RESTRICTED: [&str; 2] = ["session_user", "external_query"];

/// Functions that have a result for all arguments of their types.
const NEVER_FAIL: [&str; 33] = [
    "abs",
    "array_length",
    "array_reverse",
    "array_to_string",
    "byte_length",
    "ceil",
    "char_length",
    "coalesce",
    "concat",
    "contains_substr",
    "ends_with",
    "floor",
    "if",
    "ifnull",
    "initcap",
    "instr",
    "json_query",
    "json_value",
    "length",
    "lower",
    "ltrim",
    "nullif",
    "replace",
    "reverse",
    "rtrim",
    "split",
    "starts_with",
    "strpos",
    "to_base64",
    "to_hex",
    "to_json_string",
    "trim",
    "upper",
];

impl Binder<'_> {
    pub(super) fn call(&mut self, function: &ast::Function, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let mut name = function.name.to_string().replace('`', "").to_lowercase();
        if let (true, Some(same)) = (self.is_postgres(), super::postgres::aggregate_of(&name)) {
            name = same.to_owned();
        }
        if let (true, Some(same)) = (self.is_postgres(), super::postgres::of_jsonb(&name)) {
            name = same;
        }
        if RESTRICTED.contains(&name.as_str())
            || (self.is_postgres() && super::postgres::is_restricted(&name))
        {
            return Err(Refusal::restricted(&name));
        }
        if let (FunctionArguments::Subquery(query), "array") = (&function.args, name.as_str()) {
            return self.array_of_rows(query, scope);
        }
        if let (true, "make_interval", FunctionArguments::List(list)) =
            (self.is_postgres(), name.as_str(), &function.args)
        {
            return self.make_interval(&list.args, scope);
        }
        let call = written(name, function, self.dialect)?;
        if let ("normalize", [text, ast::Expr::Identifier(form)]) =
            (call.name.as_str(), call.arguments.as_slice())
        {
            let form = form.value.to_uppercase();
            let form = Expr {
                origin: Origin::Text(form.clone()),
                ..Expr::new(self.target.text(&form), Type::String)
            };
            let text = self.expr(text, scope)?;
            return self.special("normalize", vec![text, form]);
        }
        if call.over.is_some() {
            return self.window_call(&call, scope);
        }
        if let ("grouping", [key]) = (call.name.as_str(), call.arguments.as_slice()) {
            return self.grouping(key, scope);
        }
        if let Some(aggregate) = self.relational_aggregate(&call, scope)? {
            return Ok(aggregate);
        }
        if let Some(aggregate) = self.aggregate(&call, scope)? {
            return Ok(aggregate);
        }
        call.check_plain()?;
        if self.is_postgres()
            && let Some(known) = self.postgres_call(&call.name, &call.arguments, scope)?
        {
            return Ok(known);
        }
        if let Some(moment) = self.moment_call(&call.name, &call.arguments, scope)? {
            return Ok(moment);
        }
        let arguments: Vec<Expr> =
            call.arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
        match call.name.strip_prefix("safe.") {
            Some(name) => self.safe_call(name, arguments),
            None => self.special(&call.name, arguments),
        }
    }

    pub(super) fn special(&mut self, name: &str, arguments: Vec<Expr>) -> Result<Expr, Refusal> {
        match (name, arguments.as_slice()) {
            ("if", [condition, yes, no]) => {
                let condition = self.coerced(condition, &Type::Bool)?;
                let given = [yes.clone(), no.clone()];
                let (type_, results) = self.unified(&given, "IF")?;
                let shape = Expr::shape_of(&given);
                Ok(Expr { shape, ..self.choice(&[condition], &results, true, type_) })
            }
            ("coalesce", [_, ..]) | ("ifnull", [_, _]) => {
                let (type_, unified) = self.unified(&arguments, name)?;
                let template = if unified.len() == 1 { "{0}" } else { "coalesce({*})" };
                let shape = Expr::shape_of(&arguments);
                Ok(Expr { shape, ..Expr::filled(template, &unified, type_) })
            }
            ("nullif", [left, right]) => {
                let first = left;
                let (left, right) = self.comparable(first, right, "nullif")?;
                if first.type_ == Type::Dynamic || first.type_ == left.type_ {
                    let sql = format!("nullif({}, {})", self.grouped_operand(&left), right.sql);
                    return Ok(Expr::of(sql, left.type_.clone(), [&left, &right]));
                }
                first.once(|first| {
                    let (left, right) = self.comparable(first, &right, "nullif")?;
                    let same = self.equal(&left, &right);
                    let sql = format!("(CASE WHEN {} THEN NULL ELSE {} END)", same.sql, first.sql);
                    Ok(Expr::of(sql, first.type_.clone(), [&same, first]))
                })
            }
            ("greatest" | "least", [_, ..]) => self.extreme(name, &arguments),
            ("concat", [_, ..]) => self.concatenated(&arguments),
            ("array_concat", [_, ..]) => self.lists(&arguments),
            ("format", [_, ..]) => self.formatted_text(&arguments),
            ("json_array", _) => Ok(self.json_of("json_array", "jsonb_build_array", &arguments)),
            ("json_object", _) => self.json_object(&arguments),
            ("json_set", [json, changes @ ..]) if !changes.is_empty() && changes.len().is_multiple_of(2) => {
                let mut json = self.json_given(json)?;
                for pair in changes.chunks(2) {
                    let [path, value] = pair else { continue };
                    let steps = self.members_of(name, path)?;
                    let value = self.as_json(value);
                    json = Expr::filled("wh_json_put({0}, {1}, {2})", &[json, steps, value], Type::Dynamic);
                }
                Ok(json)
            }
            ("json_remove", [json, paths @ ..]) if !paths.is_empty() => {
                let mut json = self.json_given(json)?;
                for path in paths {
                    let steps = self.members_of(name, path)?;
                    json = Expr::filled("wh_json_cut({0}, {1})", &[json, steps], Type::Dynamic);
                }
                Ok(json)
            }
            ("array_first" | "array_last", [list]) => {
                let Type::Array(of) = &list.type_ else { return Err(no_signature(name, &arguments)) };
                let (zero, one) = (self.target.integer(0), self.target.integer(1));
                let length = self.target.pick("json_array_length({0})", "jsonb_array_length({0})::bigint");
                let place = if name == "array_first" { zero } else { format!("{length} - {one}") };
                let no = self.target.boolean(false);
                let json = Expr::filled(&format!("wh_at({{0}}, {place}, {no})"), &arguments, Type::Dynamic);
                Ok(json.with(self.target.unpacked(of, &json.sql), (**of).clone()))
            }
            ("parse_numeric" | "parse_bignumeric", [text]) if text.type_ == Type::String => {
                // Its digits may have commas, and its sign may stand apart from them or after them.
                let text = Expr::filled("wh_numeric_text({0})", std::slice::from_ref(text), Type::String);
                self.cast(&text, &Type::Number, false)
            }
            ("string" | "int64" | "float64" | "bool", [value]) => self.out_of_json(name, value, false),
            ("lax_string" | "lax_int64" | "lax_float64" | "lax_bool", [value]) => {
                self.out_of_json(name.trim_start_matches("lax_"), value, true)
            }
            // What the columnar dialect is written with, by the type of the argument; see `columnar`.
            ("plain_text", [value]) => match &value.type_ {
                Type::Float64 | Type::Number => {
                    Ok(Expr::filled("wh_float_text({0})", &arguments, Type::String))
                }
                Type::Dynamic => Ok(Expr::filled("wh_shown({0})", &arguments, Type::String)),
                Type::Array(of) if is_shown(of) => {
                    Ok(Expr::filled("wh_shown({0})", &arguments, Type::String))
                }
                Type::Struct(fields) if fields.iter().all(|(_, of)| is_shown(of)) => {
                    Ok(Expr::filled("wh_shown({0})", &arguments, Type::String))
                }
                Type::Array(_) | Type::Struct(_) => {
                    Err(Refusal::unsupported("the text of a list or tuple with days or instants"))
                }
                Type::Timestamp => {
                    let local = self.cast(value, &Type::Datetime, false)?;
                    self.cast(&local, &Type::String, false)
                }
                _ => self.cast(value, &Type::String, false),
            },
            ("plain_reverse", [value]) => match value.type_ {
                Type::Array(_) => self.function("array_reverse", &arguments),
                _ => self.function("reverse", &arguments),
            },
            // A map that the query makes keeps the types of its values.
            ("map_values", [map]) if map.sql.starts_with("wh_map_of(") => {
                let values = Type::Array(Box::new(Type::Dynamic));
                Ok(Expr::filled("wh_map_values({0})", &arguments, values))
            }
            ("size_of", [value]) => match value.type_ {
                Type::Array(_) => self.function("array_length", &arguments),
                // A map.
                Type::Dynamic => {
                    let keys = self.function("map_keys", &arguments)?;
                    self.function("array_length", &[keys])
                }
                _ => self.function("byte_length", &arguments),
            },
            ("plain_number", [value]) => match value.type_ {
                Type::Bool => self.cast(value, &Type::Int64, false),
                _ => Ok(value.clone()),
            },
            ("plain_whole", [value]) => self.plain_whole(value),
            ("round_even", [value, digits]) if value.type_ == Type::Int64 => {
                let rounded = self.function("round", &[value.clone(), digits.clone()])?;
                self.cast(&rounded, &Type::Int64, false)
            }
            ("as_moment", [value]) => match value.type_ {
                Type::Date => self.cast(value, &Type::Timestamp, false),
                _ => Ok(value.clone()),
            },
            ("truth_of", [value]) => match value.type_ {
                Type::Null => Ok(Expr::new(self.target.null(&Type::Bool), Type::Bool)),
                Type::Int64 | Type::Float64 | Type::Number => {
                    Ok(Expr::filled("({0} <> 0)", &arguments, Type::Bool))
                }
                _ => self.coerced(value, &Type::Bool),
            },
            ("list_top_items", [list, Expr { origin: Origin::Integer(_), .. }]) => {
                let Type::Array(of) = &list.type_ else { return Err(no_signature(name, &arguments)) };
                let counts = ["count", "error"].map(|name| (name.to_owned(), Type::Int64));
                let fields = std::iter::once(("item".to_owned(), (**of).clone())).chain(counts).collect();
                let type_ = Type::Array(Box::new(Type::Struct(fields)));
                Ok(Expr::filled("wh_top_items({0}, {1})", &arguments, type_))
            }
            // A number is of seconds.
            ("moment_of", [value]) => match value.type_ {
                Type::Int64 => self.function("timestamp_seconds", &arguments),
                _ => self.cast(value, &Type::Timestamp, false),
            },
            // Digits of whole bytes, or the bytes of a text.
            ("hex_of" | "bin_of", [value]) => {
                let hex = match value.type_ {
                    Type::Int64 => {
                        let template = self.target.pick(
                            "printf('%X', wh_within({0}, 0, 9223372036854775807, 'hex'))",
                            "upper(to_hex(wh_within({0}, 0, 9223372036854775807, 'hex')))",
                        );
                        let digits = Expr::filled(template, &arguments, Type::String);
                        let template = "(CASE WHEN length({0}) % 2 = 1 THEN '0' || {0} ELSE {0} END)";
                        Expr::filled(template, &[digits], Type::String)
                    }
                    _ => {
                        let bytes = self.cast(value, &Type::Bytes, false)?;
                        let digits = self.function("to_hex", &[bytes])?;
                        self.function("ascii_upper", &[digits])?
                    }
                };
                if name == "hex_of" {
                    return Ok(hex);
                }
                // Each digit as a letter first, so that no new digit is taken for an old one.
                let letters = "ghijklmnopqrstuv";
                let mut sql = self.target.pick("wh_translate", "translate").to_owned();
                sql = format!("{sql}({{0}}, '0123456789ABCDEF', '{letters}')");
                let replace = self.target.pick("wh_replace", "replace");
                for (number, letter) in letters.chars().enumerate() {
                    sql = format!("{replace}({sql}, '{letter}', '{number:04b}')");
                }
                Ok(Expr::filled(&sql, &[hex], Type::String))
            }
            ("lists_equal", [one, other]) => {
                let (type_, lists) = self.unified(&[one.clone(), other.clone()], "=")?;
                if !matches!(type_, Type::Array(_)) {
                    return self.comparable(one, other, "=").map(|(one, other)| self.equal(&one, &other));
                }
                Ok(self.equal(&lists[0], &lists[1]))
            }
            ("list_merged", [list, distinct]) => {
                let inside = match &list.type_ {
                    Type::Array(of) => match &**of {
                        Type::Struct(fields) => fields.first().map(|(_, type_)| type_.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(type_ @ Type::Array(_)) = inside else {
                    return Err(no_signature("groupArrayArray", &arguments));
                };
                Ok(Expr::filled("wh_list_merged({0}, {1})", &[list.clone(), distinct.clone()], type_))
            }
            ("top_values", [list]) => {
                let of = match &list.type_ {
                    Type::Array(of) => match &**of {
                        Type::Struct(fields) => fields.first().map(|(_, type_)| type_.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let of = of.ok_or_else(|| no_signature(name, &arguments))?;
                let template = self
                    .target
                    .pick("wh_json_path({0}, '$[*].value')", "jsonb_path_query_array({0}, '$[*].value')");
                Ok(Expr::filled(template, &arguments, Type::Array(Box::new(of))))
            }
            ("list_flat", [list]) => {
                let mut of = &list.type_;
                while let Type::Array(inside) = of {
                    of = inside;
                }
                let of = if matches!(list.type_, Type::Array(_)) { of.clone() } else { Type::Dynamic };
                let list = match list.type_ {
                    Type::Array(_) => list.clone(),
                    _ => self.coerced(list, &Type::Array(Box::new(Type::Dynamic)))?,
                };
                Ok(Expr::filled("wh_list_flat({0})", &[list], Type::Array(Box::new(of))))
            }
            ("plain_concat", [_, ..]) if arguments.iter().any(|one| matches!(one.type_, Type::Array(_))) => {
                self.lists(&arguments)
            }
            ("plain_concat", [_, ..]) => {
                let text = |one: &Expr| self.special("plain_text", vec![one.clone()]);
                let texts = arguments.iter().map(text).collect::<Result<Vec<_>, _>>()?;
                self.concatenated(&texts)
            }
            ("times", [left, right]) => self.arithmetic_of("*", left, right, true),
            ("moved_by", [left, right, Expr { origin: Origin::Integer(sign), .. }]) => {
                self.moved_by(left, right, *sign)
            }
            ("same_moment", [value, other]) => match (&value.type_, &other.type_) {
                (Type::Date, Type::Timestamp) => self.cast(value, &Type::Timestamp, false),
                _ => Ok(value.clone()),
            },
            ("tuple_element", [value, Expr { origin: Origin::Integer(place), .. }]) => {
                self.tuple_element(value, *place)
            }
            ("map_entries", [map]) => {
                let pair = vec![(String::new(), Type::String), (String::new(), Type::String)];
                let map = self.coerced(map, &Type::Dynamic)?;
                Ok(Expr::filled("wh_map_entries({0})", &[map], Type::Array(Box::new(Type::Struct(pair)))))
            }
            ("map_of", [pairs]) => match &pairs.type_ {
                Type::Array(of) if matches!(&**of, Type::Struct(pair) if pair.len() == 2) => {
                    Ok(Expr::filled("wh_map_of({0})", &arguments, Type::Dynamic))
                }
                _ => Err(no_signature(name, &arguments)),
            },
            ("plain_mod", [one, other]) => {
                match [one, other]
                    .iter()
                    .all(|value| matches!(value.type_, Type::Int64 | Type::Dynamic | Type::Bool))
                {
                    true => self.function("mod", &arguments),
                    false => self.function("float_mod", &arguments),
                }
            }
            ("zero_of", [value]) => Ok(self.zero_of(&value.type_)),
            // What searches are written with.
            ("values_along", [value, path]) => {
                let value = if value.type_ == Type::Dynamic { value.clone() } else { self.as_json(value) };
                let found = Type::Array(Box::new(Type::Dynamic));
                let path = self.coerced(path, &Type::String)?;
                Ok(Expr::filled("wh_along({0}, {1})", &[value, path], found))
            }
            ("to_json", [value]) => Ok(self.as_json(value)),
            ("to_json_string", [value]) if !matches!(value.type_, Type::Dynamic) => {
                let json = self.as_json(value);
                Ok(Expr::filled("wh_json_text({0})", &[json], Type::String))
            }
            ("json_value" | "json_query" | "json_extract" | "json_extract_scalar", [_]) => {
                let path = Expr::new(self.target.text("$"), Type::String);
                let mut arguments = arguments;
                arguments.push(path);
                self.function(name, &arguments)
            }
            ("zeroifnull", [value]) => {
                let zero =
                    Expr { origin: Origin::Integer(0), ..Expr::new(self.target.integer(0), Type::Int64) };
                self.special("coalesce", vec![value.clone(), zero])
            }
            ("nullifzero", [value]) => {
                let zero =
                    Expr { origin: Origin::Integer(0), ..Expr::new(self.target.integer(0), Type::Int64) };
                self.special("nullif", vec![value.clone(), zero])
            }
            ("normalize", [text, form @ ..]) if form.len() < 2 => {
                let form = match form {
                    [] => "NFC",
                    [Expr { origin: Origin::Text(form), .. }]
                        if matches!(form.as_str(), "NFC" | "NFD" | "NFKC" | "NFKD") =>
                    {
                        form
                    }
                    _ => return Err(Refusal::invalid("NORMALIZE takes NFC, NFD, NFKC or NFKD")),
                };
                let template = format!("wh_normalize({{0}}, '{form}')");
                let text = self.coerced(text, &Type::String)?;
                Ok(Expr::filled(&template, &[text], Type::String))
            }
            ("code_points_to_bytes", [list]) => {
                let text = self.function("code_points_to_string", std::slice::from_ref(list))?;
                Ok(Expr::filled(
                    self.target.pick("wh_latin_bytes({0})", "convert_to({0}, 'LATIN1')"),
                    &[text],
                    Type::Bytes,
                ))
            }
            ("to_code_points", [bytes]) if bytes.type_ == Type::Bytes => {
                Err(Refusal::unsupported("TO_CODE_POINTS of BYTES"))
            }
            ("edit_distance", [_, _, most]) if !matches!(most.type_, Type::Null) => {
                let whole = self.function(name, &arguments[..2])?;
                let most = self.coerced(most, &Type::Int64)?;
                self.extreme("least", &[whole, most])
            }
            ("is_inf", [value]) => {
                let value = self.coerced(value, &Type::Float64)?;
                let template = self.target.pick("(abs({0}) = 9e999)", "(abs({0}) = 'Infinity'::float8)");
                Ok(Expr::filled(template, &[value], Type::Bool))
            }
            ("is_nan", [value]) => {
                let value = self.coerced(value, &Type::Float64)?;
                let template = self.target.pick("({0} <> {0})", "({0} = 'NaN'::float8)");
                Ok(Expr::filled(template, &[value], Type::Bool))
            }
            _ => self.function(name, &arguments),
        }
    }

    /// A value as a whole number, without its fraction.
    fn plain_whole(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        match value.type_ {
            Type::Timestamp => self.function("unix_seconds", std::slice::from_ref(value)),
            Type::Float64 | Type::Number => {
                let cut = self.function("trunc", std::slice::from_ref(value))?;
                self.cast(&cut, &Type::Int64, false)
            }
            _ => self.cast(value, &Type::Int64, false),
        }
    }

    /// A sum or difference of numbers, of an instant and seconds, of a day and days, or the seconds between instants.
    pub(super) fn moved_by(&mut self, left: &Expr, right: &Expr, sign: i64) -> Result<Expr, Refusal> {
        let (minus, word) = if sign < 0 { (true, "-") } else { (false, "+") };
        let million = Expr::new(self.target.integer(1_000_000), Type::Int64);
        let micros = |binder: &mut Self, at: &Expr| binder.function("unix_micros", std::slice::from_ref(at));
        match (&left.type_, &right.type_) {
            (Type::Timestamp, Type::Timestamp) if minus => {
                let (left, right) = (micros(self, left)?, micros(self, right)?);
                let between = self.arithmetic("-", &left, &right)?;
                self.function("/", &[between, million])
            }
            (Type::Timestamp, Type::Int64) => {
                let at = micros(self, left)?;
                let by = self.arithmetic("*", right, &million)?;
                let moved = self.arithmetic(word, &at, &by)?;
                self.function("timestamp_micros", &[moved])
            }
            // Only days of the years 1 to 9999 are days.
            (Type::Date, Type::Int64) => {
                let template = self.target.pick(
                    format!("wh_date_of(wh_shift({{0}} * 86400000000, {word} {{1}}, 'day'))"),
                    format!("wh_day_in_range({{0}} {word} {{1}}::integer)"),
                );
                Ok(Expr::filled(&template, &[left.clone(), right.clone()], Type::Date))
            }
            (Type::Date, Type::Date) if minus => {
                let template = self.target.pick("({0} - {1})", "({0} - {1})::bigint");
                Ok(Expr::filled(template, &[left.clone(), right.clone()], Type::Int64))
            }
            // The columnar store has infinite results.
            _ => self.arithmetic_of(word, left, right, !self.is_postgres()),
        }
    }

    /// The element of a tuple, counted from 1.
    pub(super) fn tuple_element(&self, value: &Expr, place: i64) -> Result<Expr, Refusal> {
        let Type::Struct(fields) = &value.type_ else {
            return Err(Refusal::invalid(format!("A value of type {} is no tuple", value.type_)));
        };
        let index = usize::try_from(place - 1).ok().filter(|index| *index < fields.len());
        let index = index.ok_or_else(|| Refusal::invalid(format!("The tuple has no element {place}")))?;
        let (name, type_) = &fields[index];
        let json = self.target.field(&value.sql, &crate::encode::field_key(name, index));
        Ok(value.with(self.target.unpacked(type_, &json), type_.clone()))
    }

    /// What the columnar dialect has in place of nothing: zero, or an empty text.
    pub(super) fn zero_of(&self, type_: &Type) -> Expr {
        let sql = match type_ {
            Type::Int64 => self.target.integer(0),
            Type::Float64 => self.target.float(0.0),
            Type::Bool => self.target.boolean(false).to_owned(),
            Type::String => self.target.text(""),
            Type::Timestamp => self.target.moment(type_, 0),
            _ => self.target.null(type_),
        };
        Expr::new(sql, type_.clone())
    }

    /// `INT64(json)` and similar functions, and `STRING(moment)`.
    fn out_of_json(&mut self, name: &str, value: &Expr, safe: bool) -> Result<Expr, Refusal> {
        let to = match name {
            "string" => Type::String,
            "int64" => Type::Int64,
            "float64" => Type::Float64,
            _ => Type::Bool,
        };
        match &value.type_ {
            Type::Dynamic => self.cast(value, &to, safe),
            moment if moment.reads_literals() && to == Type::String && !safe => self.cast(value, &to, false),
            _ => Err(no_signature(name, std::slice::from_ref(value))),
        }
    }

    /// The first argument of a function that changes JSON.
    fn json_given(&mut self, json: &Expr) -> Result<Expr, Refusal> {
        match json.type_ {
            Type::Dynamic | Type::Null => self.coerced(json, &Type::Dynamic),
            _ => Err(no_signature("json", std::slice::from_ref(json))),
        }
    }

    /// The names of members in a path such as `$.a.b`, separated by dots.
    fn members_of(&self, function: &str, path: &Expr) -> Result<Expr, Refusal> {
        let is_name =
            |step: &str| !step.is_empty() && step.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
        let steps = match &path.origin {
            Origin::Text(path) => path.strip_prefix("$.").filter(|steps| steps.split('.').all(is_name)),
            _ => None,
        };
        let steps = steps.ok_or_else(|| {
            Refusal::unsupported(&format!("{} with another path than $.name", function.to_uppercase()))
        })?;
        Ok(Expr::new(self.target.text(steps), Type::String))
    }

    /// `JSON_OBJECT('key', value, …)`
    fn json_object(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let keys_are_texts = arguments.iter().step_by(2).all(|key| matches!(key.origin, Origin::Text(_)));
        if !keys_are_texts || !arguments.len().is_multiple_of(2) {
            return Err(Refusal::unsupported(
                "JSON_OBJECT without texts in the query as keys, each with a value",
            ));
        }
        Ok(self.json_of("json_object", "jsonb_build_object", arguments))
    }

    fn json_of(&self, sqlite: &str, postgres: &str, arguments: &[Expr]) -> Expr {
        let keyed = sqlite == "json_object";
        let part = |(index, argument): (usize, &Expr)| match keyed && index.is_multiple_of(2) {
            true => argument.sql.clone(),
            false => self.target.packed(&Type::Dynamic, &self.as_json(argument).sql),
        };
        let parts: Vec<String> = arguments.iter().enumerate().map(part).collect();
        let sql = format!("{}({})", self.target.pick(sqlite, postgres), parts.join(", "));
        Expr::of(sql, Type::Dynamic, arguments)
    }

    /// `SAFE.` before the name of a function: the result is null instead of an error.
    fn safe_call(&mut self, name: &str, arguments: Vec<Expr>) -> Result<Expr, Refusal> {
        let own = format!("safe.{name}");
        if super::functions::is_known(&own) {
            return self.function(&own, &arguments);
        }
        if matches!(name, "int64" | "float64" | "bool" | "string") && arguments.len() == 1 {
            return self.out_of_json(name, &arguments[0], true);
        }
        let moment = match name {
            "timestamp" => Some(Type::Timestamp),
            "datetime" => Some(Type::Datetime),
            "date" => Some(Type::Date),
            "time" => Some(Type::Time),
            "parse_numeric" | "parse_bignumeric" => Some(Type::Number),
            _ => None,
        };
        if let (Some(type_), [text]) = (moment, arguments.as_slice())
            && text.type_ == Type::String
        {
            return self.cast(text, &type_, true);
        }
        let guard = match name {
            "lpad" | "rpad" if arguments.len() == 2 => "{1} >= 0",
            "chr" => "({0} BETWEEN 1 AND 55295 OR {0} BETWEEN 57344 AND 1114111)",
            "substr" | "substring" if arguments.len() == 3 => "{2} >= 0",
            "left" | "right" | "repeat" => "{1} >= 0",
            "ln" | "log" if arguments.len() == 1 => "{0} > 0",
            "log10" => "{0} > 0",
            "sqrt" => "{0} >= 0",
            "div" | "mod" => "{1} <> 0",
            name if NEVER_FAIL.contains(&name) => return self.special(name, arguments),
            _ => return Err(Refusal::unsupported(&format!("SAFE. before {name}"))),
        };
        // The guard needs numbers, as the call itself does.
        let guarded: Vec<Expr> = arguments.iter().map(|argument| self.as_number(argument)).collect();
        let value = self.special(name, arguments)?;
        let condition = Expr::filled(guard, &guarded, Type::Bool);
        let type_ = value.type_.clone();
        Ok(self.choice(&[condition], &[value], false, type_))
    }

    fn as_number(&mut self, argument: &Expr) -> Expr {
        self.numeric(argument, "SAFE").unwrap_or_else(|_| argument.clone())
    }

    /// The greatest or least value; null if any argument is null.
    fn extreme(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let (type_, unified) = self.unified(arguments, name)?;
        if type_.is_json() {
            return Err(no_signature(name, arguments));
        }
        let ordered: Vec<String> =
            unified.iter().map(|expr| self.target.ordered(&expr.type_, &expr.sql)).collect();
        let list = ordered.join(", ");
        let sql = match (self.target, name, unified.len()) {
            (_, _, 1) => unified[0].sql.clone(),
            (Target::Sqlite, "greatest", _) => format!("max({list})"),
            (Target::Sqlite, _, _) => format!("min({list})"),
            (Target::Postgres, ..) => {
                let slots = (0..unified.len()).map(|index| format!("{{{index}}}"));
                let slots: Vec<String> =
                    slots.zip(&unified).map(|(slot, expr)| self.target.ordered(&expr.type_, &slot)).collect();
                let nulls = (0..unified.len()).map(|index| format!("{{{index}}} IS NULL"));
                let nulls = nulls.collect::<Vec<_>>().join(" OR ");
                let list = slots.join(", ");
                let template = format!("(CASE WHEN {nulls} THEN NULL ELSE {name}({list}) END)");
                return Ok(Expr::filled(&template, &unified, type_));
            }
        };
        Ok(Expr::of(sql, type_, &unified))
    }

    /// Concatenates lists.
    pub(super) fn lists(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let dynamic = Type::Array(Box::new(Type::Dynamic));
        let lists: Vec<Expr> = arguments
            .iter()
            .map(|list| match list.type_ {
                Type::Dynamic => self.coerced(list, &dynamic),
                _ => Ok(list.clone()),
            })
            .collect::<Result<_, Refusal>>()?;
        let (type_, lists) = self.unified(&lists, "array_concat")?;
        if !matches!(type_, Type::Array(_)) {
            return Err(no_signature("array_concat", arguments));
        }
        let template = match self.target {
            Target::Sqlite => "wh_array_concat({*})".to_owned(),
            Target::Postgres => {
                let slots: Vec<String> = (0..lists.len()).map(|index| format!("{{{index}}}")).collect();
                format!("({})", slots.join(" || "))
            }
        };
        let shape = Expr::shape_of(arguments);
        Ok(Expr { shape, ..Expr::filled(&template, &lists, type_) })
    }

    /// `ARRAY(SELECT …)`
    fn array_of_rows(&mut self, query: &ast::Query, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let (bound, loose) = self.inner_query(query, scope)?;
        self.list_of_rows(&bound, loose)
    }

    /// The values of a query's only column as a list.
    pub(super) fn list_of_rows(&mut self, bound: &Bound, loose: Option<String>) -> Result<Expr, Refusal> {
        let Column { type_: element, shape, .. } = only_column(bound)?;
        let packed = self.target.packed(&element, "c1");
        let sql = match self.target {
            Target::Sqlite => {
                let filter = self.target.collecting("c1", None);
                format!("(SELECT json_group_array({packed}){filter} FROM ({}) AS q)", bound.sql)
            }
            Target::Postgres => {
                format!("(SELECT coalesce(jsonb_agg({packed}), '[]'::jsonb) FROM ({}) AS q)", bound.sql)
            }
        };
        let element = if element == Type::Null { Type::Int64 } else { element };
        Ok(Expr { loose, shape, ..Expr::new(sql, Type::Array(Box::new(element))) })
    }
}

/// Whether the columnar dialect's text of such an element follows from its JSON.
fn is_shown(type_: &Type) -> bool {
    match type_ {
        Type::Array(of) => is_shown(of),
        Type::Struct(fields) => fields.iter().all(|(_, of)| is_shown(of)),
        type_ => !type_.reads_literals() && *type_ != Type::Bytes,
    }
}

/// The refusal of an unknown function in `FROM`.
pub(super) fn unknown_table_function(name: &str) -> Refusal {
    let name = name.to_lowercase();
    match RESTRICTED.contains(&name.as_str()) {
        true => Refusal::restricted(&name),
        false => Refusal::unsupported(&format!("the table function {name}")),
    }
}

/// Splits a call into its parts.
fn written(name: String, function: &ast::Function, dialect: Dialect) -> Result<Call<'_>, Refusal> {
    let mut call = Call {
        name,
        arguments: Vec::new(),
        star: false,
        distinct: false,
        having: None,
        filter: None,
        order: &[],
        within: &function.within_group,
        limit: None,
        ignore_nulls: matches!(function.null_treatment, Some(NullTreatment::IgnoreNulls)),
        over: function.over.as_ref(),
    };
    call.filter = function.filter.as_deref();
    let is_ordered = dialect == Dialect::Postgres && ORDERED.contains(&call.name.as_str());
    if (call.filter.is_some() && dialect == Dialect::Warehouse) || (!call.within.is_empty() && !is_ordered) {
        return Err(Refusal::unsupported("FILTER or WITHIN GROUP"));
    }
    let list = match &function.args {
        FunctionArguments::List(list) => list,
        FunctionArguments::None => return Ok(call),
        FunctionArguments::Subquery(_) => {
            return Err(Refusal::unsupported(&format!("a query as the argument of {}", call.name)));
        }
    };
    call.distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    for argument in &list.args {
        match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => call.arguments.push(expr),
            FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => call.star = true,
            other => return Err(Refusal::unsupported(&format!("the argument {other}"))),
        }
    }
    for clause in &list.clauses {
        match clause {
            FunctionArgumentClause::OrderBy(order) => call.order = order,
            FunctionArgumentClause::Having(bound) => call.having = Some(bound),
            FunctionArgumentClause::Limit(limit) => call.limit = Some(limit),
            FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => {
                call.ignore_nulls = *treatment == NullTreatment::IgnoreNulls;
            }
            other => return Err(Refusal::unsupported(&other.to_string())),
        }
    }
    Ok(call)
}
