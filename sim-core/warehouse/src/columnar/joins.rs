//! Joins: with at most one partner (`ANY`), with the nearest one (`ASOF`), and those that test (`SEMI`, `ANTI`).

use std::rc::Rc;

use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, ObjectName, TableFactor};
use sqlparser::dialect::ClickHouseDialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::behind::Behind;
use super::text::{is_word, significant, space_at, word};
use super::{Writer, name};
use crate::refusal::Refusal;

/// The first condition, or the first key, of a join with at most one partner, or with the nearest one.
const ANY: &str = "any_join";
const ASOF: &str = "asof_join";

const SIDES: [&str; 7] = ["join", "left", "right", "inner", "full", "semi", "anti"];

/// Takes `ANY` and `ASOF`, which the parser does not know, out of joins, and puts them before their conditions.
pub(super) fn marked(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = significant(&tokens[at + 1..]).map(|(_, token)| token).next();
        let last = significant(&out).next_back().map(|(_, token)| token.clone());
        let is = |word: &str| is_word(Some(&token.token), word);
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        if (is("any") || is("asof"))
            && SIDES.iter().any(|side| is_word(next, side))
            && !matches!(last, Some(Token::Period | Token::Comma))
        {
            open.push((depth, if is("any") { ANY } else { ASOF }));
            continue;
        }
        out.push(token.clone());
        let condition = open.last().filter(|(at, _)| *at == depth).map(|(_, kind)| *kind);
        let (Some(kind), true) = (condition, is("on") || is("using")) else { continue };
        open.pop();
        out.extend([space_at(token.span), TokenWithSpan { token: word(kind), span: token.span }]);
        if is("on") {
            out.extend([
                space_at(token.span),
                TokenWithSpan { token: Token::make_word("and", None), span: token.span },
            ]);
        }
    }
    out
}

/// Whether that is what stands before the keys of such a join.
pub(super) fn is_mark(token: &Token) -> bool {
    [ANY, ASOF].iter().any(|mark| is_word(Some(token), mark))
}

/// Whether the condition is one of `ANY JOIN`.
pub(super) fn is_any(on: &JoinConstraint) -> bool {
    match on {
        JoinConstraint::On(condition) => {
            let mut all = Vec::new();
            conjuncts(condition, &mut all);
            matches!(all.first(), Some(Expr::Identifier(mark)) if mark.value == ANY)
        }
        JoinConstraint::Using(columns) => keys(columns).first().is_some_and(|mark| mark == ANY),
        _ => false,
    }
}

/// How many partners a row has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Partners {
    All,
    One,
    Nearest,
}

/// What a join is about: its two tables and its condition.
struct Parts<'a> {
    /// The name of the partner's table, and its columns.
    own: String,
    columns: Vec<String>,
    partner: &'a TableFactor,
    partners: Partners,
    /// The conditions, or the keys that both tables have.
    on: Vec<&'a Expr>,
    using: Vec<String>,
}

impl Writer {
    /// The join, and what it makes of the table on its left side.
    pub(super) fn join<'a>(&mut self, join: &'a Join, left: &mut Left<'a>) -> Result<String, Refusal> {
        let (word, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => ("join", Some(constraint)),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                ("left join", Some(constraint))
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                ("right join", Some(constraint))
            }
            JoinOperator::FullOuter(constraint) => ("full join", Some(constraint)),
            JoinOperator::CrossJoin(_) => ("cross join", None),
            JoinOperator::LeftSemi(on) | JoinOperator::Semi(on) => {
                return self.semi(&join.relation, on, left);
            }
            JoinOperator::LeftAnti(on) | JoinOperator::Anti(on) => {
                return self.test(&join.relation, on, "not ", left);
            }
            JoinOperator::RightSemi(on) => {
                let partner = left.swap(&join.relation, self)?;
                return self.semi(partner, on, left);
            }
            JoinOperator::RightAnti(on) => {
                let partner = left.swap(&join.relation, self)?;
                return self.test(partner, on, "not ", left);
            }
            _ => return Err(Refusal::unsupported("this kind of JOIN")),
        };
        if let Some(constraint) = constraint {
            let parts = self.parts(&join.relation, constraint);
            match parts.partners {
                // With OR the mark is no condition of its own.
                Partners::All
                    if [ANY, ASOF].iter().any(|mark| constraint_text(constraint).contains(mark)) =>
                {
                    return Err(unclear("ANY or ASOF"));
                }
                Partners::All => {}
                Partners::One => return self.with_one_partner(word, &parts, left),
                Partners::Nearest => return self.with_nearest(word, &parts),
            }
        }
        let condition = match constraint {
            Some(JoinConstraint::On(condition)) => format!(" on {}", self.expr(condition)?),
            Some(JoinConstraint::Using(columns)) => format!(" using ({})", list(&keys(columns))),
            _ => String::new(),
        };
        Ok(format!(" {word} {}{condition}", self.table(&join.relation)?))
    }

    fn parts<'a>(&self, partner: &'a TableFactor, constraint: &'a JoinConstraint) -> Parts<'a> {
        let (own, columns) = self.columns_of_table(partner).unwrap_or_default();
        let mut parts =
            Parts { own, columns, partner, partners: Partners::All, on: Vec::new(), using: Vec::new() };
        match constraint {
            JoinConstraint::On(condition) => conjuncts(condition, &mut parts.on),
            JoinConstraint::Using(columns) => parts.using = keys(columns),
            _ => {}
        }
        let mark = match (parts.on.first(), parts.using.first()) {
            (Some(Expr::Identifier(mark)), _) => mark.value.clone(),
            (None, Some(mark)) => mark.clone(),
            _ => return parts,
        };
        parts.partners = match mark.as_str() {
            ANY => Partners::One,
            ASOF => Partners::Nearest,
            _ => return parts,
        };
        if parts.using.is_empty() {
            parts.on.remove(0);
        } else {
            parts.using.remove(0);
        }
        parts
    }

    /// The keys of the partner by which a join is made, and those of the other side.
    fn keys_of(&mut self, parts: &Parts<'_>, kind: &str) -> Result<Vec<(String, String)>, Refusal> {
        if !parts.using.is_empty() {
            return Ok(parts.using.iter().map(|key| (name(key), name(key))).collect());
        }
        let mut all = Vec::new();
        for condition in &parts.on {
            let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else {
                return Err(Refusal::unsupported(&format!("{kind} JOIN of other than equal columns")));
            };
            let (own, other) = parts.sides(left, right).ok_or_else(|| unclear(kind))?;
            all.push((self.expr(own)?, self.expr(other)?));
        }
        match all.is_empty() {
            true => Err(unclear(kind)),
            false => Ok(all),
        }
    }

    /// A join in which a row has at most one partner: the first with its key.
    fn with_one_partner(
        &mut self,
        word: &str,
        parts: &Parts<'_>,
        left: &mut Left<'_>,
    ) -> Result<String, Refusal> {
        let mut keys = self.keys_of(parts, "ANY")?;
        if left.behind.is_some() {
            for (_, other) in &mut keys {
                *other = self.of_table(std::mem::take(other));
            }
        }
        let (own, other): (Vec<String>, Vec<String>) = keys.into_iter().unzip();
        let condition = match parts.using.as_slice() {
            [] => {
                let on = parts.on.iter().map(|condition| self.expr(condition));
                format!("on {}", on.collect::<Result<Vec<_>, _>>()?.join(" and "))
            }
            _ if left.behind.is_some() => {
                let partner = name(&parts.own);
                let same = own.iter().zip(&other).map(|(own, other)| format!("{other} = {partner}.{own}"));
                format!("on {}", same.collect::<Vec<_>>().join(" and "))
            }
            keys => format!("using ({})", list(keys)),
        };
        if matches!(word, "join" | "right join") {
            left.first_of_each(&other, self)?;
        }
        let partner = match word {
            "right join" => self.table(parts.partner)?,
            "join" | "left join" => self.first_of_each(parts.partner, &own)?,
            _ => return Err(Refusal::unsupported("ANY JOIN of this side")),
        };
        Ok(format!(" {word} {partner} {condition}"))
    }

    /// A table with the first row for each key.
    fn first_of_each(&mut self, table: &TableFactor, keys: &[String]) -> Result<String, Refusal> {
        let (own, columns) = self.columns_of_table(table).ok_or_else(|| unclear("ANY"))?;
        let rows = self.table(table)?;
        Ok(format!("{}{}", first_rows(&rows, &columns, keys), alias(&own)))
    }

    /// A join with the nearest partner: the last one before, or the first one after, by the condition that is no equality.
    fn with_nearest(&mut self, word: &str, parts: &Parts<'_>) -> Result<String, Refusal> {
        if !matches!(word, "join" | "left join") || parts.columns.is_empty() {
            return Err(unclear("ASOF"));
        }
        let rows = self.table(parts.partner)?;
        if let Some((at, keys)) = parts.using.split_last() {
            let others = parts.columns.iter().filter(|column| *column != at && !keys.contains(column));
            let renamed =
                keys.iter().enumerate().map(|(place, key)| format!("{} as `asof_key_{place}`", name(key)));
            let at = name(at);
            let columns: Vec<_> = others.map(|column| name(column)).chain(renamed).collect();
            let by = partition(keys.iter().map(|key| name(key)));
            let more = if columns.is_empty() { String::new() } else { format!("{}, ", columns.join(", ")) };
            let same: Vec<_> = keys
                .iter()
                .enumerate()
                .map(|(place, key)| format!("{} = `asof_key_{place}` and ", name(key)))
                .collect();
            return Ok(format!(
                " {word} (select {more}{at} as `asof_at`, lead({at}) over ({by}order by {at}) as `asof_next` from {rows}){} on {}{at} >= `asof_at` and (`asof_next` is null or {at} < `asof_next`)",
                alias(&parts.own),
                same.concat()
            ));
        }
        let nearest =
            |condition: &&&Expr| !matches!(condition, Expr::BinaryOp { op: BinaryOperator::Eq, .. });
        let found: Vec<_> = parts.on.iter().filter(nearest).collect();
        let [Expr::BinaryOp { left, op, right }] = found.as_slice() else { return Err(unclear("ASOF")) };
        let (own, other) = parts.sides(left, right).ok_or_else(|| unclear("ASOF"))?;
        let op = if std::ptr::eq(own, &raw const **left) { turned(op) } else { Some(op.clone()) };
        // The partner before the row ends where the next one begins, and one after it begins where the last one ends.
        let (step, bound) = match op {
            Some(BinaryOperator::GtEq) => ("lead", "<"),
            Some(BinaryOperator::Gt) => ("lead", "<="),
            Some(BinaryOperator::LtEq) => ("lag", ">"),
            Some(BinaryOperator::Lt) => ("lag", ">="),
            _ => return Err(unclear("ASOF")),
        };
        let equal = Parts {
            on: Vec::new(),
            using: Vec::new(),
            own: parts.own.clone(),
            columns: Vec::new(),
            ..*parts
        };
        let equal = Parts { on: parts.on.iter().filter(|on| !nearest(on)).copied().collect(), ..equal };
        let keys = if equal.on.is_empty() { Vec::new() } else { self.keys_of(&equal, "ASOF")? };
        let (at, place) = (self.expr(own)?, self.expr(other)?);
        let by = partition(keys.iter().map(|(own, _)| own.clone()));
        let on = parts.on.iter().map(|condition| self.expr(condition)).collect::<Result<Vec<_>, _>>()?;
        let columns: Vec<_> = parts.columns.iter().map(|column| name(column)).collect();
        Ok(format!(
            " {word} (select {}, {step}({at}) over ({by}order by {at}) as `asof_next` from {rows}){} on {} and (`asof_next` is null or {place} {bound} `asof_next`)",
            columns.join(", "),
            alias(&parts.own),
            on.join(" and ")
        ))
    }

    /// A join that keeps the rows with a partner, with one of them where the query tells its columns.
    fn semi(
        &mut self,
        partner: &TableFactor,
        on: &JoinConstraint,
        left: &mut Left<'_>,
    ) -> Result<String, Refusal> {
        let parts = self.parts(partner, on);
        if parts.columns.is_empty() {
            return self.test(partner, on, "", left);
        }
        let Ok(keys) = self.keys_of(&parts, "SEMI") else { return self.test(partner, on, "", left) };
        let own: Vec<_> = keys.into_iter().map(|(own, _)| own).collect();
        let condition = match on {
            JoinConstraint::On(condition) => format!("on {}", self.expr(condition)?),
            _ => format!("using ({})", list(&parts.using)),
        };
        Ok(format!(" join {} {condition}", self.first_of_each(partner, &own)?))
    }

    /// A join that tests whether there is a partner: a condition.
    fn test(
        &mut self,
        partner: &TableFactor,
        on: &JoinConstraint,
        not: &str,
        left: &mut Left<'_>,
    ) -> Result<String, Refusal> {
        let condition = match on {
            JoinConstraint::On(condition) => self.expr(condition)?,
            JoinConstraint::Using(columns) => {
                let (mine, theirs) = (left.named("left_side", self), alias_name(partner, self, "partner"));
                let same = keys(columns).into_iter().map(|key| {
                    let key = name(&key);
                    format!("{}.{key} = {}.{key}", name(&mine), name(&theirs))
                });
                same.collect::<Vec<_>>().join(" and ")
            }
            _ => return Err(Refusal::unsupported("SEMI or ANTI JOIN without ON or USING")),
        };
        let has_name = alias_name(partner, self, "").is_empty();
        let partner = self.table(partner)?;
        let partner = if has_name { format!("{partner} as `partner`") } else { partner };
        self.tests.push(format!("({not}exists (select 1 from {partner} where {condition}))"));
        Ok(String::new())
    }
}

impl Parts<'_> {
    /// The side of a comparison that is the partner's, and the other one.
    fn sides<'e>(&self, left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
        match (self.is_own(left)?, self.is_own(right)?) {
            (true, false) => Some((left, right)),
            (false, true) => Some((right, left)),
            // A bare name may be a column of both; then the other side tells.
            (true, true) if is_bare(left) && !is_bare(right) => Some((right, left)),
            (true, true) if !is_bare(left) && is_bare(right) => Some((left, right)),
            _ => None,
        }
    }

    /// Whether an expression is of the partner's columns; `None` if it is of both tables'.
    fn is_own(&self, expr: &Expr) -> Option<bool> {
        let text = expr.to_string();
        let tokens = Tokenizer::new(&ClickHouseDialect {}, &text).tokenize().ok()?;
        let (mut own, mut other) = (false, false);
        for (at, token) in tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            let is_part = at.checked_sub(1).is_some_and(|before| tokens[before] == Token::Period);
            let is_mine = match tokens.get(at + 1) {
                _ if is_part => continue,
                Some(Token::LParen) => continue,
                Some(Token::Period) => word.value == self.own,
                _ if self.columns.contains(&word.value) => true,
                _ if word.keyword != Keyword::NoKeyword => continue,
                _ => false,
            };
            own |= is_mine;
            other |= !is_mine;
        }
        (!(own && other)).then_some(own)
    }
}

fn is_bare(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_))
}

/// The table on the left side of the joins.
pub(super) struct Left<'a> {
    relation: &'a TableFactor,
    /// Whether it is still the only one.
    alone: bool,
    /// The columns of the tables before, if the next join needs them as one.
    behind: Option<Rc<Behind>>,
    pub(super) sql: String,
}

impl<'a> Left<'a> {
    pub(super) fn of(
        relation: &'a TableFactor,
        alone: bool,
        sql: String,
        behind: Option<Rc<Behind>>,
    ) -> Left<'a> {
        Left { relation, alone, behind, sql }
    }

    pub(super) fn relation(&self) -> &'a TableFactor {
        self.relation
    }

    /// Keeps the first row for each key.
    fn first_of_each(&mut self, keys: &[String], writer: &Writer) -> Result<(), Refusal> {
        if let Some(behind) = &self.behind {
            let rows = first_rows(&behind.table(&self.sql), &behind.columns(), keys);
            self.sql = format!("{rows}{}", alias(Behind::alias()));
            return Ok(());
        }
        let known = writer.columns_of_table(self.relation).filter(|_| self.alone);
        let (own, columns) = known.ok_or_else(|| Refusal::unsupported("ANY JOIN after another join"))?;
        self.sql = format!("{}{}", first_rows(&self.sql, &columns, keys), alias(&own));
        Ok(())
    }

    /// Puts the other table on the left side; returns the one that was there.
    fn swap(&mut self, other: &'a TableFactor, writer: &mut Writer) -> Result<&'a TableFactor, Refusal> {
        if !self.alone {
            return Err(Refusal::unsupported("RIGHT SEMI or ANTI JOIN after another join"));
        }
        self.sql = writer.table(other)?;
        Ok(std::mem::replace(&mut self.relation, other))
    }

    /// The name of the table; it gets one if it has none.
    fn named(&mut self, given: &str, writer: &Writer) -> String {
        let own = alias_name(self.relation, writer, "");
        if !own.is_empty() {
            return own;
        }
        self.sql.push_str(&alias(given));
        given.to_owned()
    }
}

fn alias_name(table: &TableFactor, writer: &Writer, otherwise: &str) -> String {
    let own = match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            alias.name.value.clone()
        }
        TableFactor::Table { name, args: None, .. } => name.to_string().replace(['`', '"'], ""),
        _ => writer.columns_of_table(table).map(|(own, _)| own).unwrap_or_default(),
    };
    if own.is_empty() { otherwise.to_owned() } else { own }
}

/// The first row for each key: of events the earliest, of others the first that is read.
fn first_rows(rows: &str, columns: &[String], keys: &[String]) -> String {
    // After other joins a column's name begins with its table's.
    let named = |key: &str| {
        let ending = format!("__{key}");
        columns.iter().find(|column| *column == key || column.ends_with(&ending)).map(|column| name(column))
    };
    let order: Vec<_> = ["timestamp", "id"].into_iter().filter_map(named).collect();
    let order = if order.is_empty() { String::new() } else { format!(" order by {}", order.join(", ")) };
    let columns: Vec<_> = columns.iter().map(|column| name(column)).collect();
    let keys = keys.join(", ");
    format!(
        "(select {} from {rows} qualify row_number() over (partition by {keys}{order}) = 1)",
        columns.join(", ")
    )
}

fn conjuncts<'a>(condition: &'a Expr, all: &mut Vec<&'a Expr>) {
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            conjuncts(left, all);
            conjuncts(right, all);
        }
        Expr::Nested(inner) => conjuncts(inner, all),
        one => all.push(one),
    }
}

/// The comparison with its sides exchanged.
fn turned(op: &BinaryOperator) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOperator::GtEq => BinaryOperator::LtEq,
        BinaryOperator::Gt => BinaryOperator::Lt,
        BinaryOperator::LtEq => BinaryOperator::GtEq,
        BinaryOperator::Lt => BinaryOperator::Gt,
        _ => return None,
    })
}

fn unclear(kind: &str) -> Refusal {
    Refusal::unsupported(&format!("{kind} JOIN with a table or condition of this form"))
}

fn partition(keys: impl Iterator<Item = String>) -> String {
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() { String::new() } else { format!("partition by {} ", keys.join(", ")) }
}

fn alias(own: &str) -> String {
    if own.is_empty() { String::new() } else { format!(" as {}", name(own)) }
}

fn keys(columns: &[ObjectName]) -> Vec<String> {
    columns.iter().map(|column| column.to_string().replace(['`', '"'], "")).collect()
}

fn list(keys: &[String]) -> String {
    keys.iter().map(|key| name(key)).collect::<Vec<_>>().join(", ")
}

fn constraint_text(constraint: &JoinConstraint) -> String {
    match constraint {
        JoinConstraint::On(condition) => condition.to_string(),
        _ => String::new(),
    }
}
