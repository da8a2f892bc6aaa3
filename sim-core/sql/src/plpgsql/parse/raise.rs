//! `RAISE`, `GET DIAGNOSTICS`, and statements about cursors and transactions.

use sqlparser::tokenizer::Token;

use super::super::tree::{Fragment, Going, Kind, Opened, Raise, RaiseOption, Step, Steps};
use super::{Nature, Reader, check_format, known_states, near, syntax};
use crate::error::{Result, SqlError, SqlState};

impl Reader<'_> {
    pub(super) fn raise(&mut self) -> Result<Step> {
        let line = self.line();
        self.at += 1;
        let mut raise =
            Raise { level: None, format: None, arguments: Vec::new(), condition: None, options: Vec::new() };
        if self.token(&Token::SemiColon) {
            return Ok(Step::Raise(raise));
        }
        let levels = ["debug", "log", "info", "notice", "warning"];
        raise.level = levels.into_iter().find(|word| self.word(word));
        if raise.level.is_none() {
            self.word("exception");
        }
        let mut end = None;
        match self.peek() {
            Some(
                Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_) | Token::DollarQuotedString(_),
            ) => {
                raise.format = Some(self.format_text());
                if self.token(&Token::Comma) {
                    let (arguments, ended) = self.expressions(&["using"])?;
                    (raise.arguments, end) = (arguments, Some(ended));
                }
                check_format(&raise).map_err(|error| near(line, error))?;
            }
            Some(Token::Word(_)) if !self.is("using") => {
                let condition = if self.word("sqlstate") {
                    let state = self.state()?;
                    (state.clone(), state)
                } else {
                    let name = self.ident()?;
                    let states = known_states(&name).map_err(|error| near(line, error));
                    let state = states?[0].to_owned();
                    (name, state)
                };
                raise.condition = Some(condition);
            }
            _ => {}
        }
        if end.is_none() {
            end = Some(if self.word("using") {
                "using"
            } else {
                self.semicolon()?;
                ";"
            });
        }
        if end == Some("using") {
            raise.options = self.raise_options()?;
        }
        Ok(Step::Raise(raise))
    }

    /// The format of `RAISE`, whose parts may stand on consecutive lines.
    pub(super) fn format_text(&mut self) -> String {
        let mut text = String::new();
        while let Some(Token::SingleQuotedString(part) | Token::EscapedStringLiteral(part)) = self.peek() {
            text.push_str(part);
            self.at += 1;
        }
        if let Some(Token::DollarQuotedString(part)) = self.peek() {
            text.push_str(&part.value);
            self.at += 1;
        }
        text
    }

    pub(super) fn raise_options(&mut self) -> Result<Vec<(RaiseOption, Fragment)>> {
        let mut options: Vec<(RaiseOption, Fragment)> = Vec::new();
        loop {
            let Some(Token::Word(_)) = self.peek() else {
                return Err(self.wrong("unrecognized RAISE statement option"));
            };
            let name = self.ident()?;
            let option = match name.as_str() {
                "errcode" => RaiseOption::Code,
                "message" => RaiseOption::Message,
                "detail" => RaiseOption::Detail,
                "hint" => RaiseOption::Hint,
                "column" => RaiseOption::About(b'c'),
                "constraint" => RaiseOption::About(b'n'),
                "datatype" => RaiseOption::About(b'd'),
                "table" => RaiseOption::About(b't'),
                "schema" => RaiseOption::About(b's'),
                _ => {
                    self.at -= 1;
                    return Err(self.wrong("unrecognized RAISE statement option"));
                }
            };
            if !self.token(&Token::Eq) && !self.token(&Token::Assignment) {
                return Err(self.unexpected());
            }
            let (value, end) = self.expression(&[",", ";"])?;
            options.push((option, value));
            if end == ";" {
                return Ok(options);
            }
        }
    }

    pub(super) fn diagnostics(&mut self) -> Result<Step> {
        let start = self.at;
        self.at += 1;
        let stacked = self.word("stacked");
        if !stacked {
            self.word("current");
        }
        self.expect("diagnostics")?;
        let mut items = Vec::new();
        loop {
            let target = self.target()?;
            if !self.token(&Token::Eq) && !self.token(&Token::Assignment) {
                return Err(self.unexpected());
            }
            let item = self.ident()?;
            let current = ["row_count", "pg_context", "pg_routine_oid"];
            let of_errors = [
                "returned_sqlstate",
                "message_text",
                "pg_exception_detail",
                "pg_exception_hint",
                "pg_exception_context",
                "column_name",
                "constraint_name",
                "pg_datatype_name",
                "table_name",
                "schema_name",
            ];
            if !current.contains(&item.as_str()) && !of_errors.contains(&item.as_str()) {
                self.at -= 1;
                return Err(self.wrong("unrecognized GET DIAGNOSTICS item"));
            }
            if stacked != of_errors.contains(&item.as_str()) {
                let which = if stacked { "STACKED" } else { "CURRENT" };
                self.at = start;
                return Err(syntax(format!(
                    "diagnostics item {} is not allowed in GET {which} DIAGNOSTICS",
                    item.to_uppercase()
                )));
            }
            items.push((target, item));
            if !self.token(&Token::Comma) {
                break;
            }
        }
        self.semicolon()?;
        Ok(Step::Diagnostics { stacked, items })
    }

    pub(super) fn open(&mut self) -> Result<Step> {
        self.at += 1;
        let names = self.cursor()?;
        let is_bound = self.is_a(&names, Nature::Cursor);
        let cursor = names.into_iter().next_back().unwrap_or_default();
        let scrolls = self.scrolls();
        if is_bound && (scrolls.is_some() || self.is("for")) {
            self.at -= usize::from(scrolls.is_some());
            return Err(self.unexpected());
        }
        let query = if self.word("for") {
            if self.word("execute") {
                Opened::Execute(self.dynamic(&[], &[])?.0)
            } else {
                Opened::Query(Fragment { kind: Kind::Rows, ..self.statement_until_semicolon()? })
            }
        } else {
            let arguments = self.cursor_values()?;
            self.semicolon()?;
            Opened::Bound(arguments)
        };
        Ok(Step::Open { cursor, query, scrolls })
    }

    /// The variable that names a cursor.
    fn cursor(&mut self) -> Result<Vec<String>> {
        let names = self.target()?.names;
        if self.is_a(&names, Nature::Plain) {
            let message = format!("variable \"{}\" must be of type cursor or refcursor", names[0]);
            return self.back(Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message)));
        }
        Ok(names)
    }

    /// `SCROLL` or `NO SCROLL`.
    pub(super) fn scrolls(&mut self) -> Option<bool> {
        if self.words(&["no", "scroll"]) {
            return Some(false);
        }
        self.word("scroll").then_some(true)
    }

    pub(super) fn fetch(&mut self) -> Result<Step> {
        let moves = self.is("move");
        self.at += 1;
        let going = self.going()?;
        let several = match going.steps {
            Steps::All | Steps::Computed(_) => going.from.is_none(),
            Steps::These(_) => false,
        };
        if several && !moves {
            let message = "FETCH statement cannot return multiple rows";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let names = self.cursor()?;
        let cursor = names.into_iter().next_back().unwrap_or_default();
        let into = if moves {
            None
        } else {
            self.expect("into")?;
            Some(self.targets()?)
        };
        self.semicolon()?;
        Ok(Step::Fetch { cursor, going, into })
    }

    /// The direction of `FETCH` or `MOVE`, up to the name of the cursor.
    fn going(&mut self) -> Result<Going> {
        let known = [
            ("next", false, None, 1),
            ("prior", true, None, 1),
            ("first", false, Some("absolute"), 1),
            ("last", false, Some("absolute"), -1),
        ];
        let found = known.into_iter().find(|(word, ..)| !self.names_cursor() && self.is(word));
        if let Some((_, backward, from, count)) = found {
            self.at += 1;
            let _ = self.word("from") || self.word("in");
            return Ok(Going { backward, from, steps: Steps::These(count) });
        }
        let kinds = [
            ("absolute", false, Some("absolute")),
            ("relative", false, Some("relative")),
            ("forward", false, None),
            ("backward", true, None),
        ];
        let found = kinds.into_iter().find(|(word, ..)| !self.names_cursor() && self.is(word));
        self.at += usize::from(found.is_some());
        let (_, backward, from) = found.unwrap_or(("", false, None));
        let steps = match () {
            () if from.is_none() && self.word("all") => Steps::All,
            () if from.is_none() && (self.names_cursor() || self.is("from") || self.is("in")) => {
                Steps::These(1)
            }
            () => {
                let steps = Steps::Computed(self.expression(&["from", "in"])?.0);
                return Ok(Going { backward, from, steps });
            }
        };
        let _ = self.word("from") || self.word("in");
        Ok(Going { backward, from, steps })
    }

    /// Whether the next word is the last one before the targets, and so the name of the cursor.
    fn names_cursor(&self) -> bool {
        let next = self.tokens.get(self.at + 1).map(|token| &token.token);
        matches!(self.peek(), Some(Token::Word(_)))
            && (next == Some(&Token::SemiColon) || self.is_at(1, "into"))
    }

    pub(super) fn close(&mut self) -> Result<Step> {
        self.at += 1;
        let names = self.cursor()?;
        self.semicolon()?;
        Ok(Step::Close(names.into_iter().next_back().unwrap_or_default()))
    }

    pub(super) fn transaction(&mut self) -> Result<Step> {
        let command = if self.is("commit") { "COMMIT" } else { "ROLLBACK" };
        self.at += 1;
        let _ = self.words(&["and", "no", "chain"]) || self.words(&["and", "chain"]);
        self.semicolon()?;
        Ok(Step::Transaction(command))
    }
}
