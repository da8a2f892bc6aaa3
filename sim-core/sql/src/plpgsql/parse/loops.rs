//! Loops.

use sqlparser::tokenizer::Token;

use super::super::tree::{Argument, Fragment, Kind, Over, Step, Target};
use super::{Nature, Reader, name_of, syntax};
use crate::error::Result;

impl Reader<'_> {
    pub(super) fn loop_step(&mut self, label: Option<String>) -> Result<Step> {
        self.enter()?;
        self.labels.push((label.clone().unwrap_or_default(), true));
        self.scopes.push(Vec::new());
        let over = self.over()?;
        let steps = self.steps()?;
        self.expect("end")?;
        self.expect("loop")?;
        self.end_label(label.as_deref())?;
        self.semicolon()?;
        self.scopes.pop();
        self.labels.pop();
        self.depth -= 1;
        Ok(Step::Loop { label, over, steps })
    }

    pub(super) fn over(&mut self) -> Result<Over> {
        if self.word("loop") {
            return Ok(Over::Forever);
        }
        if self.word("while") {
            return Ok(Over::While(self.expression(&["loop"])?.0));
        }
        if self.word("foreach") {
            let start = self.at;
            if !self.path().is_ok_and(|names| self.knows(&names)) {
                self.at = start;
                return Err(syntax("loop variable of FOREACH must be a known variable or list of variables"));
            }
            self.at = start;
            let targets = self.targets()?;
            let slice = match (self.word("slice"), self.peek()) {
                (true, Some(Token::Number(number, _))) => {
                    let slice = number.parse().unwrap_or(0);
                    self.at += 1;
                    slice
                }
                (true, _) => return Err(self.unexpected()),
                (false, _) => 0,
            };
            self.expect("in")?;
            self.expect("array")?;
            return Ok(Over::Array { targets, slice, array: self.expression(&["loop"])?.0 });
        }
        if !self.word("for") {
            return Err(self.unexpected());
        }
        self.over_for()
    }

    pub(super) fn over_for(&mut self) -> Result<Over> {
        let (start, known) = (self.at, self.scopes.concat());
        let names = self.path()?;
        if self.peek() == Some(&Token::Comma) && self.is_a(&names, Nature::Row) {
            return Err(self.unexpected());
        }
        let others = self.other_targets(&names)?;
        self.expect("in")?;
        let labelled = self.labels.iter().any(|(label, _)| *label == names[0]);
        let rows = |others: Vec<Target>| {
            if !known.contains(&names[0]) && !labelled {
                return Err(syntax(
                    "loop variable of loop over rows must be a record variable or list of scalar variables",
                ));
            }
            let first = Target { names: names.clone() };
            Ok(std::iter::once(first).chain(others).collect::<Vec<_>>())
        };
        if self.is("execute") {
            let execute = self.at + 1;
            self.at = start;
            let targets = rows(others)?;
            self.at = execute;
            return Ok(Over::Execute { targets, dynamic: self.dynamic(&[], &["loop"])?.0 });
        }
        let reverse = self.is("reverse");
        let begin = self.at + usize::from(reverse);
        self.at = begin;
        let is_range = self.until(&["..", "loop"]).is_ok_and(|(_, _, end)| end == "..");
        self.at = begin;
        if is_range {
            let [variable] = &names[..] else { return Err(self.unexpected()) };
            let variable = variable.clone();
            let (from, _) = self.expression(&["..", "loop"])?;
            let (to, end) = self.expression(&["by", "loop"])?;
            let by = if end == "by" { Some(self.expression(&["loop"])?.0) } else { None };
            self.declare(&variable);
            return Ok(Over::Integers { variable, from, to, by, reverse });
        }
        if reverse {
            return Err(syntax("cannot specify REVERSE in query FOR loop"));
        }
        if let (Some(Token::Word(word)), true) = (self.peek(), others.is_empty()) {
            let cursor = name_of(word);
            let next = self.tokens.get(self.at + 1).map(|token| &token.token);
            let bare = self.is_at(1, "loop") || next == Some(&Token::LParen);
            if bare && known.contains(&cursor) {
                self.at += 1;
                let arguments = self.cursor_values()?;
                self.expect("loop")?;
                let variable = names[0].clone();
                self.declare(&variable);
                return Ok(Over::Cursor { variable, cursor, arguments });
            }
        }
        let targets = match rows(others) {
            Ok(targets) => targets,
            Err(error) => {
                self.at = start;
                return Err(error);
            }
        };
        let (from, to, _) = self.until(&["loop"])?;
        if from == to {
            self.at = to;
            return Err(self.wrong("missing expression"));
        }
        Ok(Over::Query { targets, query: Fragment { kind: Kind::Rows, ..self.statement(from, to) } })
    }

    /// The arguments of a cursor in brackets, if there are any.
    pub(super) fn cursor_values(&mut self) -> Result<Vec<Argument>> {
        if !self.token(&Token::LParen) {
            return Ok(Vec::new());
        }
        let (mut arguments, mut end) = (Vec::new(), ",");
        while end == "," {
            let mut named = None;
            if let (Some(Token::Word(_)), Some(Token::Assignment)) =
                (self.peek(), self.tokens.get(self.at + 1).map(|token| &token.token))
            {
                named = Some(self.ident()?);
                self.at += 1;
            }
            let argument;
            (argument, end) = self.expression(&[",", ")"])?;
            arguments.push((named, argument));
        }
        Ok(arguments)
    }
}
