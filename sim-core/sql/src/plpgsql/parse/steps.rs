//! Statements of a body.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::super::tree::{Dynamic, Fragment, Kind, Placed, Receivers, Step};
use super::{Reader, Returning, SQL, keyword, syntax};
use crate::error::{Result, SqlError, SqlState};
use crate::source::is_word;

/// Reads the rest of a statement.
type Read<'t> = fn(&mut Reader<'t>) -> Result<Step>;

impl Reader<'_> {
    pub(super) fn steps(&mut self) -> Result<Vec<Placed>> {
        self.enter()?;
        let mut steps = Vec::new();
        loop {
            let ends = ["end", "exception", "elsif", "elseif", "else", "when"];
            if self.at >= self.tokens.len() || ends.iter().any(|word| self.is(word)) {
                break;
            }
            let line = self.line();
            steps.push(Placed { line, step: self.step()? });
        }
        self.depth -= 1;
        Ok(steps)
    }

    pub(super) fn step(&mut self) -> Result<Step> {
        let label = self.label()?;
        if label.is_some() || self.is("declare") || self.is("begin") {
            if self.is("declare") || self.is("begin") {
                let block = self.block(label)?;
                self.semicolon()?;
                return Ok(Step::Block(block));
            }
            return self.loop_step(label);
        }
        if ["loop", "while", "for", "foreach"].iter().any(|word| self.is(word)) {
            return self.loop_step(None);
        }
        if self.is_assignment() {
            return self.assignment();
        }
        let simple: &[(&str, Read<'_>)] = &[
            ("null", Self::null),
            ("if", Self::branches),
            ("case", Self::case),
            ("exit", Self::leave),
            ("continue", Self::leave),
            ("return", Self::return_),
            ("raise", Self::raise),
            ("assert", Self::assert),
            ("perform", Self::perform),
            ("execute", Self::execute),
            ("get", Self::diagnostics),
            ("open", Self::open),
            ("fetch", Self::fetch),
            ("move", Self::fetch),
            ("close", Self::close),
            ("commit", Self::transaction),
            ("rollback", Self::transaction),
        ];
        match simple.iter().find(|(word, _)| self.is(word)) {
            Some((_, read)) => read(self),
            None => self.sql(),
        }
    }

    /// Whether a variable, or what would have to be one, stands before `:=` or `=`.
    pub(super) fn is_assignment(&self) -> bool {
        let mut at = self.at;
        match self.tokens.get(at).map(|token| &token.token) {
            Some(Token::Word(_) | Token::Placeholder(_)) => at += 1,
            _ => return false,
        }
        let mut depth = 0_usize;
        while let Some(token) = self.tokens.get(at) {
            match &token.token {
                Token::LBracket => depth += 1,
                Token::RBracket if depth > 0 => depth -= 1,
                Token::SemiColon => return false,
                Token::Assignment | Token::Eq if depth == 0 => return true,
                Token::Period if depth == 0 => at += 1,
                _ if depth == 0 => return false,
                _ => {}
            }
            at += 1;
        }
        false
    }

    pub(super) fn assignment(&mut self) -> Result<Step> {
        let start = self.tokens.get(self.at).map(|token| token.span.start);
        let target = self.target()?;
        let parts = self.parts()?;
        if !self.token(&Token::Assignment) && !self.token(&Token::Eq) {
            return Err(self.unexpected());
        }
        let (from, to, _) = self.until(&[])?;
        let kind = start.map_or(Kind::Expression, Kind::Assignment);
        Ok(Step::Assign { target, parts, value: Fragment { kind, ..self.selected(from, to) } })
    }

    pub(super) fn null(&mut self) -> Result<Step> {
        self.at += 1;
        self.semicolon()?;
        Ok(Step::Null)
    }

    pub(super) fn branches(&mut self) -> Result<Step> {
        self.at += 1;
        let mut branches = Vec::new();
        loop {
            let (condition, _) = self.expression(&["then"])?;
            branches.push((condition, self.steps()?));
            if !self.word("elsif") && !self.word("elseif") {
                break;
            }
        }
        let otherwise = if self.word("else") { self.steps()? } else { Vec::new() };
        self.expect("end")?;
        self.expect("if")?;
        self.semicolon()?;
        Ok(Step::If { branches, otherwise })
    }

    pub(super) fn case(&mut self) -> Result<Step> {
        self.at += 1;
        let operand = if self.is("when") {
            None
        } else {
            let (from, to, _) = self.until(&["when"])?;
            self.at -= 1;
            Some((from, to))
        };
        let mut branches = Vec::new();
        while self.word("when") {
            let (from, to, _) = self.until(&["then"])?;
            if from == to {
                return Err(self.wrong("missing expression"));
            }
            let condition = match operand {
                None => self.selected(from, to),
                Some(operand) => self.one_of(operand, (from, to)),
            };
            branches.push((condition, self.steps()?));
        }
        if branches.is_empty() {
            return Err(self.unexpected());
        }
        let otherwise = if self.word("else") { Some(self.steps()?) } else { None };
        self.expect("end")?;
        self.expect("case")?;
        self.semicolon()?;
        Ok(Step::Case { branches, otherwise })
    }

    /// `(operand) IN (values)`
    pub(super) fn one_of(&self, operand: (usize, usize), values: (usize, usize)) -> Fragment {
        let punctuation = |token: Token| TokenWithSpan { token, span: Span::empty() };
        let mut tokens = vec![keyword("SELECT", Keyword::SELECT), punctuation(Token::LParen)];
        tokens.extend_from_slice(&self.tokens[operand.0..operand.1]);
        tokens.extend([punctuation(Token::RParen), keyword("IN", Keyword::IN), punctuation(Token::LParen)]);
        tokens.extend_from_slice(&self.tokens[values.0..values.1]);
        tokens.push(punctuation(Token::RParen));
        self.check(&tokens);
        Fragment { at: values.0, tokens, kind: Kind::Expression }
    }

    pub(super) fn leave(&mut self) -> Result<Step> {
        let next = self.is("continue");
        self.at += 1;
        let label = match self.peek() {
            Some(Token::Word(_)) if !self.is("when") => Some(self.ident()?),
            _ => None,
        };
        // Errors point at the label, or else at the word.
        self.at -= 1;
        let in_loop = self.labels.iter().any(|(_, is_loop)| *is_loop);
        match &label {
            Some(label) => match self.labels.iter().find(|(known, _)| known == label) {
                None => {
                    return Err(syntax(format!(
                        "there is no label \"{label}\" attached to any block or loop enclosing this statement"
                    )));
                }
                Some((_, false)) if next => {
                    return Err(syntax(format!("block label \"{label}\" cannot be used in CONTINUE")));
                }
                Some(_) => {}
            },
            None if !in_loop && next => return Err(syntax("CONTINUE cannot be used outside a loop")),
            None if !in_loop => {
                return Err(syntax("EXIT cannot be used outside a loop, unless it has a label"));
            }
            None => {}
        }
        self.at += 1;
        let condition = if self.word("when") { Some(self.expression(&[])?.0) } else { None };
        if condition.is_none() {
            self.semicolon()?;
        }
        Ok(Step::Leave { label, condition, next })
    }

    pub(super) fn return_(&mut self) -> Result<Step> {
        self.at += 1;
        if self.is("next") {
            return self.return_next();
        }
        if self.is("query") {
            if !self.returning.set {
                return self.back(Err(mismatch("cannot use RETURN QUERY in a non-SETOF function")));
            }
            self.at += 1;
            if self.word("execute") {
                return Ok(Step::ReturnExecute(self.dynamic(&[], &[])?.0));
            }
            return Ok(Step::ReturnQuery(self.statement_until_semicolon()?));
        }
        let Returning { set, void, procedure, outputs } = self.returning;
        if !(set || void || outputs) {
            return Ok(Step::Return(Some(self.expression(&[])?.0)));
        }
        if self.token(&Token::SemiColon) {
            return Ok(Step::Return(None));
        }
        Err(match (set, void, procedure) {
            (true, ..) => mismatch("RETURN cannot have a parameter in function returning set")
                .hint("Use RETURN NEXT or RETURN QUERY."),
            (.., true) => mismatch("RETURN cannot have a parameter in a procedure"),
            (_, true, _) => mismatch("RETURN cannot have a parameter in function returning void"),
            _ => mismatch("RETURN cannot have a parameter in function with OUT parameters"),
        })
    }

    fn return_next(&mut self) -> Result<Step> {
        if !self.returning.set {
            return self.back(Err(mismatch("cannot use RETURN NEXT in a non-SETOF function")));
        }
        self.at += 1;
        if !self.returning.outputs {
            return Ok(Step::ReturnNext(Some(self.expression(&[])?.0)));
        }
        if self.token(&Token::SemiColon) {
            return Ok(Step::ReturnNext(None));
        }
        Err(mismatch("RETURN NEXT cannot have a parameter in function with OUT parameters"))
    }

    pub(super) fn perform(&mut self) -> Result<Step> {
        self.at += 1;
        Ok(Step::Perform(Fragment { kind: Kind::Perform, ..self.expression(&[])?.0 }))
    }

    pub(super) fn assert(&mut self) -> Result<Step> {
        self.at += 1;
        let (condition, end) = self.expression(&[",", ";"])?;
        let message = if end == "," { Some(self.expression(&[])?.0) } else { None };
        Ok(Step::Assert { condition, message })
    }

    /// A text to run, with its values. `ends` are words that may follow besides `USING`.
    pub(super) fn dynamic(
        &mut self,
        ends: &[&'static str],
        must: &[&'static str],
    ) -> Result<(Dynamic, &'static str)> {
        let all: Vec<&'static str> = ["using"].iter().chain(ends).chain(must).copied().collect();
        let (text, mut end) = self.expression(&all)?;
        let mut using = Vec::new();
        if end == "using" {
            let rest: Vec<&'static str> = ends.iter().chain(must).copied().collect();
            (using, end) = self.expressions(&rest)?;
        }
        Ok((Dynamic { text, using }, end))
    }

    pub(super) fn execute(&mut self) -> Result<Step> {
        self.at += 1;
        let (mut dynamic, mut end) = self.dynamic(&["into"], &[])?;
        let mut into = None;
        if end == "into" {
            into = Some(self.receivers()?);
            end = if self.word("using") {
                dynamic.using = self.expressions(&[])?.0;
                ";"
            } else {
                self.semicolon()?;
                ";"
            };
        }
        debug_assert_eq!(end, ";");
        Ok(Step::Execute { dynamic, into })
    }

    pub(super) fn receivers(&mut self) -> Result<Receivers> {
        let strict = self.word("strict");
        Ok(Receivers { strict, targets: self.targets()? })
    }

    pub(super) fn sql(&mut self) -> Result<Step> {
        let known = self.peek() == Some(&Token::LParen) || SQL.iter().any(|word| self.is(word));
        if !known {
            return Err(self.unexpected());
        }
        let imports = self.is("import");
        let from = self.at;
        let (mut tokens, mut into, mut depth) = (Vec::new(), None, 0_usize);
        loop {
            let Some(token) = self.tokens.get(self.at) else {
                return Err(syntax("unexpected end of function definition at end of input"));
            };
            match &token.token {
                Token::SemiColon if depth == 0 => break,
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                Token::Word(_) if is_word(token, "into") && !imports => {
                    let before = tokens.last();
                    let target = ["insert", "merge"];
                    if !before.is_some_and(|last| target.iter().any(|word| is_word(last, word))) {
                        if into.is_some() {
                            return Err(self.wrong("INTO specified more than once"));
                        }
                        self.at += 1;
                        into = Some(self.receivers()?);
                        continue;
                    }
                }
                _ => {}
            }
            tokens.push(token.clone());
            self.at += 1;
        }
        self.at += 1;
        self.check(&tokens);
        Ok(Step::Sql { statement: Fragment { at: from, tokens, kind: Kind::Statement }, into })
    }
}

fn mismatch(message: &str) -> SqlError {
    SqlError::new(SqlState::DATATYPE_MISMATCH, message)
}
