//! Blocks and declarations.

use sqlparser::tokenizer::Token;

use super::super::tree::{Block, Condition, Declaration, Declared, Fragment, Handler, Kind, TypeName};
use super::{Nature, Reader, is_state, known_states, name_of, near, syntax};
use crate::error::{Result, SqlError, SqlState};
use crate::source::is_word;

impl Reader<'_> {
    /// `[DECLARE …] BEGIN … [EXCEPTION …] END`
    pub(super) fn block(&mut self, label: Option<String>) -> Result<Block> {
        self.enter()?;
        self.scopes.push(Vec::new());
        self.labels.extend(label.clone().map(|label| (label, false)));
        let mut declarations = Vec::new();
        while self.word("declare") {
            while !self.is("begin") && !self.is("declare") {
                declarations.push(self.declaration()?);
            }
        }
        self.expect("begin")?;
        let steps = self.steps()?;
        let mut handlers = Vec::new();
        let mut line = self.line();
        if self.word("exception") {
            if !self.is("when") {
                return Err(self.unexpected());
            }
            while self.word("when") {
                let mut conditions = vec![self.condition(line)?];
                while self.word("or") {
                    conditions.push(self.condition(line)?);
                }
                line = self.line();
                self.expect("then")?;
                handlers.push(Handler { conditions, steps: self.steps()? });
            }
        }
        self.expect("end")?;
        self.end_label(label.as_deref())?;
        if label.is_some() {
            self.labels.pop();
        }
        self.scopes.pop();
        let scopes = self.scopes.len();
        self.natures.retain(|(scope, ..)| *scope < scopes);
        self.depth -= 1;
        Ok(Block { label, declarations, steps, handlers })
    }

    fn condition(&mut self, line: usize) -> Result<Condition> {
        if self.word("sqlstate") {
            return Ok(Condition::States(vec![self.state()?]));
        }
        let name = self.ident()?;
        if name == "others" {
            return Ok(Condition::Others);
        }
        let states = known_states(&name).map_err(|error| near(line, error));
        Ok(Condition::States(states?.into_iter().map(str::to_owned).collect()))
    }

    /// The text of an SQLSTATE.
    pub(super) fn state(&mut self) -> Result<String> {
        let Some(Token::SingleQuotedString(state)) = self.peek() else { return Err(self.unexpected()) };
        let state = state.clone();
        if !is_state(&state) {
            return Err(self.wrong("invalid SQLSTATE code"));
        }
        self.at += 1;
        Ok(state)
    }

    pub(super) fn declaration(&mut self) -> Result<Declaration> {
        if self.at >= self.tokens.len() || self.peek() == Some(&Token::SemiColon) {
            return Err(self.unexpected());
        }
        let line = self.line();
        let name = self.ident()?;
        let duplicate = self.scopes.last().is_some_and(|scope| scope.contains(&name));
        if duplicate {
            self.at -= 1;
            return Err(self.wrong("duplicate declaration"));
        }
        if self.words(&["alias", "for"]) {
            let names = self.path()?;
            let of = names.last().cloned().unwrap_or_default();
            if !of.starts_with('$') && !self.knows(&names) {
                let message = format!("variable \"{of}\" does not exist");
                return self.back(Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message)));
            }
            self.semicolon()?;
            self.declare(&name);
            return Ok(Declaration { line, name, declared: Declared::Alias(of) });
        }
        let declared = self.declared(&name)?;
        let nature = match &declared {
            Declared::Variable { constant: true, .. } => Some(Nature::Constant),
            Declared::Variable { type_: TypeName::Record | TypeName::RowOf(_), .. } => Some(Nature::Row),
            Declared::Cursor { .. } => Some(Nature::Cursor),
            Declared::Variable { type_: TypeName::Written(tokens), .. }
                if !tokens.last().is_some_and(|token| is_word(token, "refcursor")) =>
            {
                Some(Nature::Plain)
            }
            _ => None,
        };
        self.natures.extend(nature.map(|nature| (self.scopes.len() - 1, name.clone(), nature)));
        Ok(Declaration { line, name, declared })
    }

    pub(super) fn declare(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.to_owned());
        }
    }

    pub(super) fn declared(&mut self, name: &str) -> Result<Declared> {
        let scrolls = self.scrolls();
        if self.is("cursor")
            && (scrolls.is_some() || self.is_at(1, "for") || self.is_at(1, "is") || self.cursor_arguments())
        {
            self.at += 1;
            let arguments = if self.token(&Token::LParen) {
                let mut arguments = Vec::new();
                loop {
                    let argument = self.ident()?;
                    arguments.push((argument, self.type_name(&[Token::Comma, Token::RParen])?));
                    if !self.token(&Token::Comma) {
                        break;
                    }
                }
                if !self.token(&Token::RParen) {
                    return Err(self.unexpected());
                }
                arguments
            } else {
                Vec::new()
            };
            if !self.word("for") && !self.word("is") {
                return Err(self.unexpected());
            }
            self.declare(name);
            let query = Fragment { kind: Kind::Rows, ..self.statement_until_semicolon()? };
            return Ok(Declared::Cursor { arguments, query, scrolls });
        }
        let constant = self.word("constant");
        let type_ = self.type_name(&[Token::Assignment, Token::Eq, Token::SemiColon])?;
        if self.word("collate") {
            self.path()?;
        }
        let start = self.at;
        let not_null = self.words(&["not", "null"]);
        let with_default = self.word("default") || self.token(&Token::Assignment) || self.token(&Token::Eq);
        let default = if with_default { Some(self.expression(&[])?.0) } else { None };
        if !with_default {
            self.semicolon()?;
        }
        if not_null && default.is_none() {
            let message =
                format!("variable \"{name}\" must have a default value, since it's declared NOT NULL");
            self.at = start;
            return Err(SqlError::new(SqlState::new("22004"), message));
        }
        self.declare(name);
        Ok(Declared::Variable { type_, constant, not_null, default })
    }

    /// Whether brackets with arguments, and then the query of a cursor, follow the next word.
    pub(super) fn cursor_arguments(&self) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| token.token == Token::LParen)
    }

    /// A type, up to one of `ends` or a word that can follow it.
    pub(super) fn type_name(&mut self, ends: &[Token]) -> Result<TypeName> {
        if self.is("record") {
            self.at += 1;
            return Ok(TypeName::Record);
        }
        let from = self.at;
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth > 0 => depth -= 1,
                token if depth == 0 && ends.contains(token) => break,
                Token::SemiColon => break,
                _ if depth == 0 && self.is("begin") => return Err(self.unexpected()),
                _ if depth == 0 && (self.is("default") || self.is("collate")) => break,
                _ if depth == 0 && self.is("not") && self.is_at(1, "null") => break,
                _ => {}
            }
            self.at += 1;
        }
        let tokens = &self.tokens[from..self.at];
        if tokens.is_empty() {
            return Err(self.wrong("missing data type declaration"));
        }
        if self.at >= self.tokens.len() {
            return Err(syntax("incomplete data type declaration at end of input"));
        }
        if let [rest @ .., percent, kind] = tokens
            && percent.token == Token::Mod
        {
            let names = rest.iter().filter_map(|token| match &token.token {
                Token::Word(word) => Some(name_of(word)),
                _ => None,
            });
            let names: Vec<String> = names.collect();
            if is_word(kind, "type") {
                return Ok(TypeName::Like(names, self.source.place(percent.span.start)));
            }
            if is_word(kind, "rowtype") {
                return Ok(TypeName::RowOf(names));
            }
        }
        Ok(TypeName::Written(tokens.to_vec()))
    }
}
