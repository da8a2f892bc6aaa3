//! Expressions of a given type over the columns in scope. None of them fails on values, so the order of
//! evaluating conditions does not matter; some contain a type error on purpose.

use super::rules::{named, rules};
use super::tape::Tape;
use super::types::{ALL, Ty};

/// A column in scope.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) text: String,
    pub(super) ty: Ty,
}

/// The scope of expressions.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) columns: Vec<Column>,
    /// A table for subqueries: its name and columns.
    pub(super) tables: Vec<(String, Vec<Column>)>,
}

pub(super) const DEPTH: usize = 3;

impl Scope {
    /// An expression of type `ty`.
    pub(super) fn expr(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        if tape.may_err && tape.once_in(60) {
            tape.may_err = false;
            return match tape.below(3) {
                0 => "no_such_column".to_owned(),
                1 => "no_such_function(1)".to_owned(),
                _ => {
                    let other = *tape.pick(ALL);
                    self.expr(tape, other, depth)
                }
            };
        }
        match tape.below(if depth == 0 { 4 } else { 10 }) {
            0 => ty.literal(tape),
            1..=3 => self.column(tape, ty),
            4 => self.chosen(tape, ty, depth - 1),
            _ => self.operation(tape, ty, depth - 1),
        }
    }

    fn column(&self, tape: &mut Tape<'_>, ty: Ty) -> String {
        let fitting: Vec<&Column> = self.columns.iter().filter(|column| column.ty == ty).collect();
        if fitting.is_empty() { ty.literal(tape) } else { tape.pick(&fitting).text.clone() }
    }

    /// Expressions for every type.
    fn chosen(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        let one = |tape: &mut Tape<'_>| self.expr(tape, ty, depth);
        match tape.below(5) {
            0 => format!("coalesce({}, {})", one(tape), one(tape)),
            1 => {
                let test = self.expr(tape, Ty::Bool, depth);
                format!("case when {test} then {} else {} end", one(tape), one(tape))
            }
            2 => format!("nullif({}, {})", one(tape), one(tape)),
            3 if ty != Ty::Json => {
                format!("{}({}, {})", tape.word(&["greatest", "least"]), one(tape), one(tape))
            }
            _ => {
                let test = self.expr(tape, Ty::Int, depth);
                format!("case {test} when 1 then {} when 2 then {} end", one(tape), one(tape))
            }
        }
    }

    fn operation(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        let rule = tape.word(rules(ty));
        if ty == Ty::Bool && rule.is_empty() {
            return self.comparison(tape, depth);
        }
        self.fill(tape, rule, depth)
    }

    /// A rule with an expression for each `{…}`, which contains the first letters of a type.
    pub(super) fn fill(&self, tape: &mut Tape<'_>, rule: &str, depth: usize) -> String {
        let mut text = String::new();
        let mut rest = rule;
        while let Some((before, after)) = rest.split_once('<') {
            let Some((name, after)) = after.split_once('>') else { break };
            let Some(ty) = named(name) else {
                text.push_str(&format!("{before}<"));
                rest = rest.split_once('<').map_or("", |(_, after)| after);
                continue;
            };
            text.push_str(before);
            text.push_str(&self.expr(tape, ty, depth));
            rest = after;
        }
        text + rest
    }

    fn comparison(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        let ty = *tape.pick(ALL);
        let one = |tape: &mut Tape<'_>| self.expr(tape, ty, depth);
        match tape.below(10) {
            0..=3 => {
                let operator = tape.word(&["=", "<>", "<", "<=", ">", ">="]);
                format!("({} {operator} {})", one(tape), one(tape))
            }
            4 => format!("({} {})", one(tape), tape.word(&["is null", "is not null"])),
            5 => format!("({} is {}distinct from {})", one(tape), tape.word(&["", "not "]), one(tape)),
            // In a list, PostgreSQL compares some rows that have a cast as if they had none.
            6 if ty != Ty::Pair => format!(
                "({} {}in ({}, {}))",
                one(tape),
                tape.word(&["", "not "]),
                one(tape),
                ty.literal(tape)
            ),
            7 => {
                let not = tape.word(&["", "not ", "symmetric "]);
                let (not, symmetric) = if not == "symmetric " { ("", not) } else { (not, "") };
                format!("({} {not}between {symmetric}{} and {})", one(tape), one(tape), one(tape))
            }
            8 => self.asked(tape, ty, depth),
            _ => {
                let other = *tape.pick(ALL);
                let operator = tape.word(&["=", "<>", "<", ">="]);
                let (a, b) = (self.expr(tape, other, 0), self.expr(tape, other, 0));
                format!("(({}, {a}) {operator} ({}, {b}))", one(tape), one(tape))
            }
        }
    }

    /// A condition on another table.
    fn asked(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        if self.tables.is_empty() {
            return format!("({} is null)", self.expr(tape, ty, depth));
        }
        let (table, columns) = tape.pick(&self.tables);
        let inner: Vec<Column> = columns
            .iter()
            .map(|column| Column { text: format!("q.{}", column.text), ty: column.ty })
            .collect();
        let both = Scope { columns: [inner.clone(), self.columns.clone()].concat(), tables: Vec::new() };
        let inner = Scope { columns: inner, tables: Vec::new() };
        let test = both.expr(tape, Ty::Bool, depth);
        match tape.below(4) {
            0 => format!("exists (select 1 from {table} q where {test})"),
            1 => {
                let not = tape.word(&["", "not "]);
                let (tested, target) = (self.expr(tape, ty, depth), inner.expr(tape, ty, 0));
                format!("({tested} {not}in (select {target} from {table} q where {test}))")
            }
            2 => {
                let operator = tape.word(&["= any", "<> all", "< any", ">= all"]);
                let (tested, target) = (self.expr(tape, ty, depth), inner.expr(tape, ty, 0));
                format!("({tested} {operator} (select {target} from {table} q where {test}))")
            }
            _ => format!("((select count(*) from {table} q where {test}) > {})", tape.below(4)),
        }
    }
}
