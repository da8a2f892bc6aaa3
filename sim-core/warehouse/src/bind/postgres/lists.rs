//! Functions and operators of PostgreSQL's lists, of JSON paths, and of other plain values.

use sqlparser::ast::{self, BinaryOperator, UnaryOperator};

use super::super::Binder;
use super::super::expr::{Expr, Origin};
use super::super::value::no_signature;
use sim_values::jsonpath::Path;

use crate::Target;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a function of values that are bound; `None` for another name.
    pub(super) fn plain_call(&mut self, name: &str, given: &[Expr]) -> Result<Option<Expr>, Refusal> {
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
            ("row_to_json", [row]) if matches!(row.type_, Type::Struct(_)) => {
                self.special("to_json", given.to_vec())?
            }
            ("to_hex", [number]) => {
                let number = self.coerced(number, &Type::Int64)?;
                // A number of the type `integer` has 32 bits.
                let is_small =
                    matches!(number.origin, Origin::Integer(number) if i32::try_from(number).is_ok());
                let template = match (self.target, is_small) {
                    (Target::Sqlite, true) => "printf('%x', {0} & 4294967295)",
                    (Target::Sqlite, false) => "printf('%x', {0})",
                    (Target::Postgres, true) => "to_hex({0}::integer)",
                    (Target::Postgres, false) => "to_hex({0})",
                };
                Expr::filled(template, &[number], Type::String)
            }
            ("isfinite", [moment]) if moment.type_.reads_literals() => {
                let yes = self.target.boolean(true);
                Expr::filled(&format!("(CASE WHEN {{0}} IS NOT NULL THEN {yes} END)"), given, Type::Bool)
            }
            ("jsonb_object" | "json_object", [keys, values]) => {
                let both = [self.list_given(name, keys)?, self.list_given(name, values)?];
                let template = self
                    .target
                    .pick("wh_object_of({0}, {1})", "jsonb_object(wh_texts_of({0}), wh_texts_of({1}))");
                Expr::filled(template, &both, Type::Dynamic)
            }
            ("jsonb_object" | "json_object", [pairs]) => {
                let pairs = self.list_given(name, pairs)?;
                let template = self.target.pick("wh_object_of({0})", "jsonb_object(wh_texts_of({0}))");
                Expr::filled(template, &[pairs], Type::Dynamic)
            }
            ("jsonb_insert", [json, path, value]) => self.json_with(json, path, value, false)?,
            ("jsonb_insert", [json, path, value, Expr { sql, .. }])
                if [true, false].iter().any(|after| sql == self.target.boolean(*after)) =>
            {
                let after = sql == self.target.boolean(true);
                self.json_with(json, path, value, after)?
            }
            ("jsonb_set", [json, path, value, Expr { sql, .. }]) if sql == self.target.boolean(false) => {
                let (path, value) = (self.path_text(path)?, self.json_to_put(value)?);
                let template = self
                    .target
                    .pick("wh_json_set({0}, {1}, {2}, 0)", "jsonb_set({0}, ({1})::text[], {2}, false)");
                Expr::filled(template, &[json.clone(), path, value], Type::Dynamic)
            }
            (
                "jsonb_path_query_array"
                | "jsonb_path_exists"
                | "jsonb_path_match"
                | "jsonb_path_query_first",
                [json, path],
            ) => self.along_path(name, json, path)?,
            ("to_date" | "to_timestamp", [text, format]) => self.moment_of_text(name, text, format)?,
            ("encode", [bytes, Expr { origin: Origin::Text(form), .. }]) => {
                let bytes = self.bytes_given(bytes)?;
                match form.to_lowercase().as_str() {
                    "hex" => self.function("to_hex", &[bytes])?,
                    "base64" => self.function("to_base64", &[bytes])?,
                    _ => return Err(Refusal::unsupported(&format!("encode as {form}"))),
                }
            }
            ("decode", [text, Expr { origin: Origin::Text(form), .. }]) => match form.to_lowercase().as_str()
            {
                "hex" => self.function("from_hex", std::slice::from_ref(text))?,
                "base64" => self.function("from_base64", std::slice::from_ref(text))?,
                _ => return Err(Refusal::unsupported(&format!("decode from {form}"))),
            },
            ("to_number", [text, format]) => {
                let texts = [self.coerced(text, &Type::String)?, self.coerced(format, &Type::String)?];
                let template = self.target.pick("wh_to_number({0}, {1})", "to_number({0}, {1})");
                Expr::filled(template, &texts, Type::Number)
            }
            ("sha256" | "sha512", [bytes]) if bytes.type_ == Type::Bytes => {
                let text = self.cast(bytes, &Type::String, false)?;
                self.function(name, &[text])?
            }
            ("convert_from", [bytes, Expr { origin: Origin::Text(form), .. }])
                if matches!(form.to_lowercase().as_str(), "utf8" | "utf-8") =>
            {
                let bytes = self.bytes_given(bytes)?;
                self.cast(&bytes, &Type::String, false)?
            }
            ("convert_to", [text, Expr { origin: Origin::Text(form), .. }])
                if matches!(form.to_lowercase().as_str(), "utf8" | "utf-8") =>
            {
                self.cast(text, &Type::Bytes, false)?
            }
            ("format", [Expr { origin: Origin::Text(format), .. }, values @ ..]) => {
                self.formatted_values(format, values)?
            }
            _ => return Ok(None),
        }))
    }

    /// `jsonb_insert(json, path, value, after)`
    fn json_with(&mut self, json: &Expr, path: &Expr, value: &Expr, after: bool) -> Result<Expr, Refusal> {
        let json = self.literal_json(json)?;
        if json.type_ != Type::Dynamic {
            return Err(no_signature("jsonb_insert", &[json]));
        }
        let (path, value) = (self.path_text(path)?, self.json_to_put(value)?);
        let template = self.target.pick(
            format!("wh_json_insert({{0}}, {{1}}, {{2}}, {})", i32::from(after)),
            format!("jsonb_insert({{0}}, ({{1}})::text[], {{2}}, {after})"),
        );
        Ok(Expr::filled(&template, &[json, path, value], Type::Dynamic))
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

    fn bytes_given(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        match value.type_ {
            Type::Bytes => Ok(value.clone()),
            _ if matches!(value.origin, Origin::Text(_)) => self.cast(value, &Type::Bytes, false),
            _ => Err(no_signature("bytea", std::slice::from_ref(value))),
        }
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

    /// `jsonb_path_query_array(json, path)` and its siblings, with a path in the query.
    pub(super) fn along_path(&mut self, name: &str, json: &Expr, path: &Expr) -> Result<Expr, Refusal> {
        let json = match (&json.type_, &json.origin) {
            (Type::Dynamic, _) => json.clone(),
            (_, Origin::Text(_)) => self.literal_json(json)?,
            _ => return Err(no_signature(name, std::slice::from_ref(json))),
        };
        let Origin::Text(text) = &path.origin else {
            return Err(Refusal::unsupported("a JSON path that is no text in the query"));
        };
        Path::parse(text).map_err(|error| Refusal::invalid(error.message.clone()))?;
        let quoted = format!("'{}'", text.replace('\'', "''"));
        let path = self.target.pick(quoted.clone(), format!("{quoted}::jsonpath"));
        let postgres = |name: &str| format!("{name}({{0}}, {path})");
        let (sqlite, postgres, type_) = match name {
            "jsonb_path_exists" => {
                (format!("wh_json_path_exists({{0}}, {path})"), format!("({{0}} @? {path})"), Type::Bool)
            }
            "jsonb_path_match" => {
                (format!("wh_json_path_match({{0}}, {path})"), format!("({{0}} @@ {path})"), Type::Bool)
            }
            "jsonb_path_query_first" => {
                (format!("(wh_json_path({{0}}, {path}) -> 0)"), postgres(name), Type::Dynamic)
            }
            _ => (
                format!("wh_json_path({{0}}, {path})"),
                postgres("jsonb_path_query_array"),
                Type::Array(Box::new(Type::Dynamic)),
            ),
        };
        Ok(Expr::filled(&self.target.pick(sqlite, postgres), &[json], type_))
    }

    /// `to_date(text, format)` and `to_timestamp(text, format)`
    fn moment_of_text(&mut self, name: &str, text: &Expr, format: &Expr) -> Result<Expr, Refusal> {
        let Origin::Text(format) = &format.origin else {
            return Err(Refusal::unsupported(&format!("{name} with a format that is no text in the query")));
        };
        let elements = super::times::elements_of(format)?;
        // What is read in the same way on both targets.
        let known = ["%Y", "%m", "%d", "%H", "%M", "%S", "%b", "%B"];
        let rest = known.iter().fold(elements.clone(), |rest, element| rest.replace(element, ""));
        if rest.contains('%') {
            return Err(Refusal::unsupported(&format!("{name} with the format {format:?}")));
        }
        let elements = self.literal_text(&elements);
        let known = if name == "to_date" { "parse_date" } else { "parse_timestamp" };
        self.function(known, &[elements, text.clone()])
    }

    /// `format('%s %I %L', …)`
    fn formatted_values(&mut self, format: &str, values: &[Expr]) -> Result<Expr, Refusal> {
        let mut parts: Vec<Expr> = Vec::new();
        let (mut plain, mut next) = (String::new(), 0);
        let mut signs = format.chars().peekable();
        while let Some(sign) = signs.next() {
            if sign != '%' {
                plain.push(sign);
                continue;
            }
            let mut digits = String::new();
            while let Some(digit) = signs.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            let place = match digits.as_str() {
                "" => next,
                digits => {
                    if signs.next() != Some('$') {
                        return Err(Refusal::unsupported("a width in format"));
                    }
                    digits.parse::<usize>().ok().and_then(|place| place.checked_sub(1)).unwrap_or(usize::MAX)
                }
            };
            let kind =
                signs.next().ok_or_else(|| Refusal::invalid("unterminated format() type specifier"))?;
            if kind == '%' {
                plain.push('%');
                continue;
            }
            let value =
                values.get(place).ok_or_else(|| Refusal::invalid("too few arguments for format()"))?;
            next = place + 1;
            let text = self.written_out(value)?;
            parts.push(self.literal_text(&std::mem::take(&mut plain)));
            parts.push(match kind {
                's' => {
                    let nothing = self.literal_text("");
                    self.special("coalesce", vec![text, nothing])?
                }
                'I' => self.relational("quote_ident", &[text])?,
                'L' => {
                    let null = self.literal_text("NULL");
                    let quoted = self.relational("quote_literal", &[text])?;
                    self.special("coalesce", vec![quoted, null])?
                }
                other => {
                    return Err(Refusal::invalid(format!(
                        "unrecognized format() type specifier \"{other}\""
                    )));
                }
            });
        }
        parts.push(self.literal_text(&plain));
        self.special("concat", parts)
    }

    /// Rows that are compared: `(a, b) < (c, d)`; `None` unless both sides are rows of plain values.
    pub(in crate::bind) fn compared_rows(
        &mut self,
        left: &[Expr],
        operator: &BinaryOperator,
        right: &[Expr],
    ) -> Result<Option<Expr>, Refusal> {
        use BinaryOperator as B;
        if left.len() != right.len() || left.is_empty() {
            return Err(Refusal::invalid("unequal number of entries in row expressions"));
        }
        let pairs = left.iter().zip(right);
        let joined = |parts: Vec<Expr>, word: &str| {
            let sql = parts.iter().map(|part| part.sql.clone()).collect::<Vec<_>>().join(word);
            Expr::of(format!("({sql})"), Type::Bool, &parts)
        };
        let (last, strict) = match operator {
            B::Eq | B::NotEq => {
                let each = pairs.map(|(left, right)| self.compared(left, "=", right));
                let all = joined(each.collect::<Result<_, _>>()?, " AND ");
                return Ok(Some(match operator {
                    B::Eq => all,
                    _ => Expr::filled("(NOT {0})", &[all], Type::Bool),
                }));
            }
            B::Overlaps => return self.overlapping(left, right).map(Some),
            B::Lt => ("<", "<"),
            B::LtEq => ("<=", "<"),
            B::Gt => (">", ">"),
            B::GtEq => (">=", ">"),
            _ => return Ok(None),
        };
        // The first pair that differs decides.
        let mut result: Option<Expr> = None;
        for (left, right) in pairs.rev() {
            result = Some(match result {
                None => self.compared(left, last, right)?,
                Some(rest) => {
                    let first = self.compared(left, strict, right)?;
                    let same = self.compared(left, "=", right)?;
                    let later = joined(vec![same, rest], " AND ");
                    joined(vec![first, later], " OR ")
                }
            });
        }
        Ok(result)
    }

    /// `(begin, end) OVERLAPS (begin, end)`, of moments in order.
    fn overlapping(&mut self, left: &[Expr], right: &[Expr]) -> Result<Expr, Refusal> {
        let ([begin, end], [from, to]) = (left, right) else {
            return Err(Refusal::invalid("wrong number of parameters on side of OVERLAPS expression"));
        };
        let mut ends = Vec::new();
        for (begin, end) in [(begin, end), (from, to)] {
            let end = match end.type_ {
                Type::Interval => {
                    let sum = self.interval_operator(&BinaryOperator::Plus, begin, end)?;
                    sum.ok_or_else(|| no_signature("overlaps", left))?
                }
                _ => end.clone(),
            };
            ends.extend([begin.clone(), end]);
        }
        let (_, ends) = self.unified(&ends, "overlaps")?;
        let (least, most) = self.target.pick(("min", "max"), ("least", "greatest"));
        let template = format!(
            "(CASE WHEN {{0}} = {{1}} OR {{2}} = {{3}} THEN \
             {least}({{0}}, {{1}}) <= {most}({{2}}, {{3}}) AND {least}({{2}}, {{3}}) <= {most}({{0}}, {{1}}) \
             AND ({least}({{0}}, {{1}}) < {most}({{2}}, {{3}}) OR {least}({{0}}, {{1}}) = {least}({{2}}, {{3}})) \
             AND ({least}({{2}}, {{3}}) < {most}({{0}}, {{1}}) OR {least}({{0}}, {{1}}) = {least}({{2}}, {{3}})) \
             ELSE {least}({{0}}, {{1}}) < {most}({{2}}, {{3}}) AND {least}({{2}}, {{3}}) < {most}({{0}}, {{1}}) END)"
        );
        Ok(Expr::filled(&template, &ends, Type::Bool))
    }

    /// The values of a row in brackets; `None` for what is none.
    pub(in crate::bind) fn row_of<'q>(&self, expr: &'q ast::Expr) -> Option<Vec<&'q ast::Expr>> {
        match expr {
            ast::Expr::Tuple(values) => Some(values.iter().collect()),
            ast::Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("row") => {
                let ast::FunctionArguments::List(list) = &function.args else { return None };
                let values = list.args.iter().map(|argument| match argument {
                    ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(value)) => Some(value),
                    _ => None,
                });
                values.collect()
            }
            _ => None,
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
