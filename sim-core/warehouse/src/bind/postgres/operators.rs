//! Operators that only PostgreSQL has: those of JSON and of patterns.

use sqlparser::ast::{self, BinaryOperator};

use super::super::Binder;
use super::super::expr::{Expr, Origin};
use super::super::scope::Scope;
use super::super::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds an operator that only PostgreSQL has; `None` for any other operator.
    pub(in crate::bind) fn postgres_operator(
        &mut self,
        operator: &BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>, Refusal> {
        use BinaryOperator as B;
        if let Some(known) = self.list_operator(operator, left, right)? {
            return Ok(Some(known));
        }
        if let Some(known) = self.interval_operator(operator, left, right)? {
            return Ok(Some(known));
        }
        Ok(Some(match operator {
            B::Arrow => self.step_into(left, right)?,
            B::LongArrow => {
                let found = self.step_into(left, right)?;
                self.coerced(&found, &Type::String)?
            }
            B::HashArrow => self.follow(left, right)?,
            B::HashLongArrow => {
                let found = self.follow(left, right)?;
                self.coerced(&found, &Type::String)?
            }
            B::PGRegexMatch => self.matched(left, right, "", false)?,
            B::PGRegexIMatch => self.matched(left, right, "(?i)", false)?,
            B::PGRegexNotMatch => self.matched(left, right, "", true)?,
            B::PGRegexNotIMatch => self.matched(left, right, "(?i)", true)?,
            B::Modulo => self.function("mod", &[left.clone(), right.clone()])?,
            B::PGExp => self.relational("power", &[left.clone(), right.clone()])?,
            B::PGLikeMatch | B::PGNotLikeMatch => {
                let found = self.function("like", &[left.clone(), right.clone()])?;
                negated_if(*operator == B::PGNotLikeMatch, found)
            }
            B::PGILikeMatch | B::PGNotILikeMatch => {
                let lowered = [left, right].map(|side| self.function("lower", std::slice::from_ref(side)));
                let [left, right] = lowered;
                let found = self.function("like", &[left?, right?])?;
                negated_if(*operator == B::PGNotILikeMatch, found)
            }
            B::Question => self.relational("jsonb_exists", &[left.clone(), right.clone()])?,
            B::AtArrow => {
                let (left, right) = (self.literal_json(left)?, self.literal_json(right)?);
                self.relational("jsonb_contains", &[left, right])?
            }
            B::ArrowAt => {
                let (left, right) = (self.literal_json(left)?, self.literal_json(right)?);
                self.relational("jsonb_contained", &[left, right])?
            }
            B::StringConcat if matches!((&left.type_, &right.type_), (Type::Array(_), other) | (other, Type::Array(_)) if !matches!(other, Type::Array(_) | Type::Null)) =>
            {
                if let Origin::Text(text) =
                    [&left.origin, &right.origin][usize::from(matches!(left.type_, Type::Array(_)))]
                {
                    return Err(Refusal::invalid(format!("malformed array literal: \"{text}\"")));
                }
                let lists = [left, right].map(|side| match side.type_ {
                    Type::Array(_) => Ok(side.clone()),
                    _ => self.array(std::slice::from_ref(side)),
                });
                let [left, right] = lists;
                self.lists(&[left?, right?])?
            }
            // A written text beside JSON is JSON.
            B::StringConcat if left.type_ == Type::Dynamic && matches!(right.origin, Origin::Text(_)) => {
                let right = self.literal_json(right)?;
                self.relational("jsonb_concat", &[left.clone(), right])?
            }
            B::StringConcat if left.type_ == Type::Dynamic && right.type_ == Type::Dynamic => {
                self.relational("jsonb_concat", &[left.clone(), right.clone()])?
            }
            // The other operand of a text becomes a text.
            B::StringConcat if [left, right].iter().any(|side| side.type_ == Type::String) => {
                let texts = [left, right].map(|side| self.cast(side, &Type::String, false));
                let [left, right] = texts;
                self.special("concat", &[left?, right?])?
            }
            B::Minus if left.type_ == Type::Dynamic && right.type_ == Type::String => {
                self.relational("jsonb_delete", &[left.clone(), right.clone()])?
            }
            B::Plus if left.type_ == Type::Date => self.moved_by(left, right, 1)?,
            B::Minus if left.type_ == Type::Date => self.moved_by(left, right, -1)?,
            // The quotient of integers is an integer.
            B::Divide if left.type_ == Type::Int64 && right.type_ == Type::Int64 => {
                self.function("div", &[left.clone(), right.clone()])?
            }
            _ => return Ok(None),
        }))
    }

    /// A written text as the JSON that it is.
    pub(in crate::bind) fn literal_json(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        match &value.origin {
            Origin::Text(text) if serde_json::from_str::<serde_json::Value>(text).is_ok() => {
                self.function("parse_json", std::slice::from_ref(value))
            }
            Origin::Text(_) => Err(Refusal::invalid("invalid input syntax for type json")),
            _ => Ok(value.clone()),
        }
    }

    /// `json -> 'key'`, `json -> 0`
    pub(super) fn step_into(&mut self, json: &Expr, step: &Expr) -> Result<Expr, Refusal> {
        if json.type_ != Type::Dynamic {
            return Err(no_signature("->", &[json.clone(), step.clone()]));
        }
        match &step.origin {
            Origin::Text(key) => Ok(self.member(json, key)),
            Origin::Integer(index @ 0..) => Ok(self.at(json, *index)),
            Origin::Integer(index) => {
                let index = index.to_string();
                let template = self.target.pick(
                    format!("(wh_only_list({{0}}) -> ('$[#{index}]'))"),
                    format!("(wh_only_list({{0}}) -> ({index}))"),
                );
                Ok(json.with(
                    self.target.unpacked(&Type::Dynamic, &template.replace("{0}", &json.sql)),
                    Type::Dynamic,
                ))
            }
            _ => Err(Refusal::unsupported("-> with what is no text or number in the query")),
        }
    }

    /// A member, which is null where there is none.
    fn member(&self, json: &Expr, name: &str) -> Expr {
        Expr::of(self.target.field(&json.sql, name), Type::Dynamic, [json])
    }

    fn at(&self, json: &Expr, index: i64) -> Expr {
        let yes = self.target.boolean(true);
        let value = format!("wh_at(wh_only_list({}), {}, {yes})", json.sql, self.target.integer(index));
        Expr::of(self.target.unpacked(&Type::Dynamic, &value), Type::Dynamic, [json])
    }

    /// `json #> '{a,0,b}'`
    fn follow(&mut self, json: &Expr, path: &Expr) -> Result<Expr, Refusal> {
        if let (Type::Dynamic, Type::Array(_)) = (&json.type_, &path.type_) {
            let template = self.target.pick("wh_json_follow({0}, {1})", "({0} #> wh_texts_of({1}))");
            let found = Expr::filled(template, &[json.clone(), path.clone()], Type::Dynamic);
            return Ok(found.with(self.target.unpacked(&Type::Dynamic, &found.sql), Type::Dynamic));
        }
        let (Type::Dynamic, Origin::Text(path)) = (&json.type_, &path.origin) else {
            return Err(no_signature("#>", &[json.clone(), path.clone()]));
        };
        let inside = path.strip_prefix('{').and_then(|path| path.strip_suffix('}'));
        let inside =
            inside.ok_or_else(|| Refusal::invalid(format!("malformed array literal: \"{path}\"")))?;
        let mut found = json.clone();
        for step in
            inside.split(',').map(|step| step.trim().trim_matches('"')).filter(|step| !step.is_empty())
        {
            found = match step.parse::<u32>() {
                Ok(index) => self.at(&found, index.into()),
                Err(_) => self.member(&found, step),
            };
        }
        Ok(found)
    }

    fn matched(&mut self, text: &Expr, pattern: &Expr, flags: &str, negated: bool) -> Result<Expr, Refusal> {
        let pattern = match &pattern.origin {
            Origin::Text(pattern) => self.literal_text(&format!("{flags}{pattern}")),
            _ if flags.is_empty() => pattern.clone(),
            _ => return Err(Refusal::unsupported("~* with what is no text in the query")),
        };
        let found = self.function("regexp_contains", &[text.clone(), pattern])?;
        Ok(negated_if(negated, found))
    }

    /// `text ILIKE pattern`
    pub(in crate::bind) fn ilike(
        &mut self,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let operands = [self.expr(expr, scope)?, self.expr(pattern, scope)?];
        let operands = operands.iter().map(|operand| self.function("lower", std::slice::from_ref(operand)));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let found = self.function("like", &operands)?;
        Ok(negated_if(negated, found))
    }

    /// `text SIMILAR TO pattern`, with a pattern in the query: an expression for the whole text, in which `%` and `_` are those of LIKE.
    pub(in crate::bind) fn similar(
        &mut self,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (text, pattern) = (self.expr(expr, scope)?, self.expr(pattern, scope)?);
        let Origin::Text(pattern) = &pattern.origin else {
            return Err(Refusal::unsupported("SIMILAR TO with what is no text in the query"));
        };
        // On a server, a point is any character of itself.
        let flag = self.target.pick("(?s)", "");
        let pattern = self.literal_text(&similar_pattern(pattern, flag)?);
        let found = self.function("regexp_contains", &[text, pattern])?;
        Ok(negated_if(negated, found))
    }

    /// `text IS JSON OBJECT`
    pub(in crate::bind) fn is_json(
        &mut self,
        value: &Expr,
        kind: Option<&ast::JsonPredicateType>,
        negated: bool,
    ) -> Result<Expr, Refusal> {
        let json = match value.type_ {
            Type::Dynamic => value.clone(),
            _ => {
                let text = self.coerced(value, &Type::String)?;
                Expr::filled("wh_try_json({0})", &[text], Type::Dynamic)
            }
        };
        let kind = kind.map_or_else(|| "value".to_owned(), |kind| kind.to_string().to_lowercase());
        let found = match kind.as_str() {
            "value" => "IS NOT NULL",
            "object" => "= 'object'",
            "array" => "= 'array'",
            _ => "NOT IN ('object', 'array')",
        };
        let type_of = self.target.pick("wh_json_type({1})", "jsonb_typeof({1})");
        let not = if negated { "NOT " } else { "" };
        let template =
            format!("(CASE WHEN {{0}} IS NOT NULL THEN {not}coalesce({type_of} {found}, false) END)");
        let template = if kind == "value" {
            format!("(CASE WHEN {{0}} IS NOT NULL THEN {not}({type_of} IS NOT NULL) END)")
        } else {
            template
        };
        Ok(Expr::filled(&template, &[value.clone(), json], Type::Bool))
    }

    /// `overlay(text placing part from first for length)`; the length is that of the part unless given.
    pub(in crate::bind) fn overlaid(&mut self, given: &[Expr]) -> Result<Expr, Refusal> {
        let [text, part, first, length @ ..] = given else { return Err(no_signature("overlay", given)) };
        let length = match length {
            [length] => self.coerced(length, &Type::Int64)?,
            _ => self.function("char_length", std::slice::from_ref(part))?,
        };
        let first = self.coerced(first, &Type::Int64)?;
        let one = Expr::new(self.target.integer(1), Type::Int64);
        let before = Expr::filled("({0} - 1)", std::slice::from_ref(&first), Type::Int64);
        let after = Expr::filled("({0} + {1})", &[first, length], Type::Int64);
        let begin = self.part_of_text(&[text.clone(), one, before])?;
        let end = self.part_of_text(&[text.clone(), after])?;
        self.special("concat", &[begin, part.clone(), end])
    }

    /// `x LIKE pattern ESCAPE sign`, with a pattern and a sign in the query.
    pub(in crate::bind) fn like_with_escape(
        &mut self,
        operands: [&ast::Expr; 2],
        escape: &ast::Expr,
        ignores_case: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (value, pattern) = (self.expr(operands[0], scope)?, self.expr(operands[1], scope)?);
        let escape = self.expr(escape, scope)?;
        let (Origin::Text(text), Origin::Text(escape)) = (&pattern.origin, &escape.origin) else {
            return Err(Refusal::unsupported("LIKE ... ESCAPE with what is no text in the query"));
        };
        let pattern = self.literal_text(&escaped_pattern(text, escape)?);
        let mut both = [value, pattern];
        if ignores_case {
            for operand in &mut both {
                *operand = self.function("lower", std::slice::from_ref(operand))?;
            }
        }
        self.function("like", &both)
    }
}

fn negated_if(negated: bool, found: Expr) -> Expr {
    if negated { Expr::filled("(NOT {0})", &[found], Type::Bool) } else { found }
}

/// The regular expression of a pattern of `SIMILAR TO`.
fn similar_pattern(pattern: &str, flag: &str) -> Result<String, Refusal> {
    let mut out = format!("{flag}^(?:");
    let (mut signs, mut in_brackets) = (pattern.chars(), false);
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => {
                let hidden = signs.next();
                let hidden = hidden.ok_or_else(|| {
                    Refusal::invalid("SIMILAR TO pattern must not end with escape character")
                })?;
                out.push_str(&regex::escape(&hidden.to_string()));
            }
            '[' | ']' => {
                in_brackets = sign == '[';
                out.push(sign);
            }
            _ if in_brackets => out.push(sign),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '.' | '^' | '$' => out.extend(['\\', sign]),
            '(' => out.push_str("(?:"),
            sign => out.push(sign),
        }
    }
    out.push_str(")$");
    Ok(out)
}

/// A pattern of LIKE whose escape sign is a backslash instead of another sign, or of none.
fn escaped_pattern(pattern: &str, escape: &str) -> Result<String, Refusal> {
    let mut signs = escape.chars();
    let (escape, None) = (signs.next(), signs.next()) else {
        return Err(Refusal::invalid("invalid escape string"));
    };
    let mut out = String::new();
    let mut signs = pattern.chars();
    while let Some(sign) = signs.next() {
        match sign {
            sign if Some(sign) == escape => {
                let next = signs.next();
                let next =
                    next.ok_or_else(|| Refusal::invalid("LIKE pattern must not end with escape character"))?;
                out.extend(['\\', next]);
            }
            '\\' => out.push_str("\\\\"),
            sign => out.push(sign),
        }
    }
    Ok(out)
}
