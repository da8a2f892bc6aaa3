//! `COPY` between a table and the client: the rows are lines of text, or CSV.

use std::rc::Rc;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Block, ClientState, Reply};
use crate::catalog::quote_identifier;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Engine, Session, in_call};
use crate::source::{Source, is_word};

/// The most rows that one `INSERT` writes.
const ROWS_AT_ONCE: usize = 200;

/// What a `COPY` asks of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copying {
    /// Whether the client sends the rows; otherwise it gets them.
    pub from_client: bool,
    /// The number of columns.
    pub columns: usize,
}

/// Finds out what a `COPY` asks of the client.
pub fn copy_of(session: &mut Session<'_>, state: &ClientState, block: Block, text: &str) -> Result<Copying> {
    in_call(session, text, |mut engine| {
        engine.begin_for_client(state, block)?;
        let copy = Copy::read(&engine.source)?;
        let columns = engine.columns_of(&copy)?.len();
        Ok(Copying { from_client: copy.from_client, columns })
    })
}

/// Runs `COPY … FROM STDIN` with the rows that the client has sent.
pub fn copy_from(
    session: &mut Session<'_>,
    state: &mut ClientState,
    block: Block,
    text: &str,
    data: &str,
) -> Result<Reply> {
    in_call(session, text, |mut engine| {
        engine.begin_for_client(state, block)?;
        let copy = Copy::read(&engine.source)?;
        let columns = engine.columns_of(&copy)?;
        let rows = copy.format.rows(data, &engine)?;
        let count = rows.len();
        let context = format!("COPY {}", copy.name);
        for rows in rows.chunks(ROWS_AT_ONCE) {
            let values = rows.iter().map(|row| values(row, &columns));
            let values = values.collect::<Result<Vec<_>>>()?.join(",");
            let names: Vec<_> = columns.iter().map(|column| quote_identifier(column)).collect();
            let (into, names) = (&copy.target, names.join(","));
            let sql = format!("insert into {into} ({names}) overriding system value values {values}");
            engine.run_text(&sql).map_err(|error| error.nowhere().inside(&context))?;
        }
        engine.check_deferred()?;
        Ok(Reply { tag: format!("COPY {count}"), wrote: engine.has_written(), ..Reply::default() })
    })
}

/// Runs `COPY … TO STDOUT`; also returns the lines for the client.
pub fn copy_to(
    session: &mut Session<'_>,
    state: &mut ClientState,
    block: Block,
    text: &str,
) -> Result<(Reply, Vec<String>)> {
    in_call(session, text, |mut engine| {
        engine.begin_for_client(state, block)?;
        let copy = Copy::read(&engine.source)?;
        let query = match &copy.query {
            Some(query) => query.clone(),
            None => {
                let names = engine.columns_of(&copy)?;
                let names: Vec<_> = names.iter().map(|name| quote_identifier(name)).collect();
                format!("select {} from {}", names.join(","), copy.target)
            }
        };
        let done = engine.run_text(&query)?;
        let reply = engine.reply(done)?;
        let Some(columns) = &reply.columns else {
            let message = "COPY query must have a RETURNING clause";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        };
        let head = columns.iter().map(|column| Some(column.name.clone())).collect();
        let head: Option<Vec<Option<String>>> = copy.format.header.then_some(head);
        let lines = head.iter().chain(&reply.rows).map(|row| copy.format.line(row)).collect();
        Ok((Reply { tag: format!("COPY {}", reply.rows.len()), columns: None, ..reply }, lines))
    })
}

/// The statement, as it was read.
struct Copy {
    from_client: bool,
    /// The table as written.
    target: String,
    /// Its name alone, for messages.
    name: String,
    columns: Vec<String>,
    query: Option<String>,
    format: Format,
}

/// How rows are written.
#[derive(Debug, PartialEq)]
struct Format {
    csv: bool,
    header: bool,
    delimiter: char,
    null: String,
    quote: char,
    escape: char,
}

impl Copy {
    fn read(source: &Source) -> Result<Copy> {
        let statements = source.statements()?;
        let [tokens] = &statements[..] else { return Err(crate::run::several_with_values()) };
        let end = || source.syntax_error_at_end(tokens);
        let mut depth = 0_usize;
        let place = tokens.iter().position(|token| {
            match token.token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (is_word(token, "from") || is_word(token, "to"))
        });
        let place = place.ok_or_else(end)?;
        let text = |tokens: &[TokenWithSpan]| {
            let from = tokens.first().and_then(|first| source.offset(first.span.start));
            let to = tokens.last().and_then(|last| source.offset(last.span.end));
            from.zip(to).and_then(|(from, to)| source.text.get(from..to)).unwrap_or("").to_owned()
        };
        let target = tokens.get(1..place).filter(|target| !target.is_empty()).ok_or_else(end)?;
        let format = Format::read(source, tokens.get(place + 2..).unwrap_or_default())?;
        let from_client = is_word(&tokens[place], "from");
        if target[0].token == Token::LParen {
            let query = Some(text(&target[1..target.len() - 1]));
            return Ok(Copy {
                from_client,
                target: String::new(),
                name: String::new(),
                columns: Vec::new(),
                query,
                format,
            });
        }
        let bracket = target.iter().position(|token| token.token == Token::LParen).unwrap_or(target.len());
        let words = |tokens: &[TokenWithSpan]| {
            let word = |token: &TokenWithSpan| match &token.token {
                Token::Word(word) if word.quote_style.is_some() => Some(word.value.clone()),
                Token::Word(word) => Some(word.value.to_lowercase()),
                _ => None,
            };
            tokens.iter().filter_map(word).collect::<Vec<_>>()
        };
        let (name, columns) = target.split_at(bracket);
        let short = words(name).pop().ok_or_else(end)?;
        Ok(Copy {
            from_client,
            target: text(name),
            name: short,
            columns: words(columns),
            query: None,
            format,
        })
    }
}

impl Format {
    fn read(source: &Source, options: &[TokenWithSpan]) -> Result<Format> {
        let mut found = Format {
            csv: false,
            header: false,
            delimiter: '\t',
            null: "\\N".to_owned(),
            quote: '"',
            escape: '"',
        };
        let is_csv = options.iter().any(|token| is_word(token, "csv"));
        if is_csv {
            (found.csv, found.delimiter, found.null) = (true, ',', String::new());
        }
        let mut rest = options.iter().filter(|token| {
            !matches!(token.token, Token::LParen | Token::RParen | Token::Comma) && !is_word(token, "with")
        });
        while let Some(option) = rest.next() {
            let Token::Word(word) = &option.token else { return Err(source.syntax_error_at(option)) };
            let name = word.value.to_lowercase();
            match name.as_str() {
                "csv" => continue,
                "header" => {
                    let off = rest
                        .clone()
                        .next()
                        .filter(|next| ["false", "true", "on", "off"].iter().any(|word| is_word(next, word)));
                    if off.is_some() {
                        rest.next();
                    }
                    found.header = !off.is_some_and(|off| is_word(off, "false") || is_word(off, "off"));
                    continue;
                }
                "format" | "delimiter" | "delimiters" | "null" | "quote" | "escape" | "encoding" => {}
                other => return Err(SqlError::unsupported(format!("the option {other} of COPY"))),
            }
            let mut value = rest.next();
            if value.is_some_and(|token| is_word(token, "as")) {
                value = rest.next();
            }
            let value = match value.map(|token| &token.token) {
                Some(Token::SingleQuotedString(text) | Token::EscapedStringLiteral(text)) => text.clone(),
                Some(Token::Word(word)) => word.value.to_lowercase(),
                _ => return Err(source.syntax_error_at(option)),
            };
            let single =
                value.chars().next().filter(|first| first.len_utf8() == value.len() && value.len() == 1);
            let one = || {
                let message = format!("COPY {name} must be a single one-byte character");
                single.ok_or_else(|| SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
            };
            match name.as_str() {
                "format" if value == "binary" => return Err(SqlError::unsupported("COPY in binary format")),
                "format" if !["text", "csv"].contains(&value.as_str()) => {
                    let message = format!("COPY format \"{value}\" not recognized");
                    return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
                }
                "delimiter" | "delimiters" => found.delimiter = one()?,
                "null" => found.null = value,
                "quote" => (found.quote, found.escape) = (one()?, one()?),
                "escape" => found.escape = one()?,
                "encoding" if !value.eq_ignore_ascii_case("utf8") && !value.eq_ignore_ascii_case("utf-8") => {
                    return Err(SqlError::unsupported(format!("COPY in the encoding {value}")));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// The rows of what the client has sent.
    fn rows(&self, data: &str, engine: &Engine<'_>) -> Result<Vec<Vec<Option<String>>>> {
        engine.budget.work(data.len())?;
        let mut rows = if self.csv { self.csv_rows(data)? } else { self.text_rows(data) };
        if self.header && !rows.is_empty() {
            rows.remove(0);
        }
        Ok(rows)
    }

    fn text_rows(&self, data: &str) -> Vec<Vec<Option<String>>> {
        let data = data.strip_suffix('\n').unwrap_or(data);
        if data.is_empty() {
            return Vec::new();
        }
        let lines = data.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let lines = lines.take_while(|line| *line != "\\.");
        let field = |text: &str| (text != self.null).then(|| unescaped(text));
        lines.map(|line| line.split(self.delimiter).map(field).collect()).collect()
    }

    fn csv_rows(&self, data: &str) -> Result<Vec<Vec<Option<String>>>> {
        let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
        let (mut quoted, mut inside) = (false, false);
        let end = |field: &mut String, quoted: &mut bool| {
            let text = std::mem::take(field);
            (std::mem::take(quoted) || text != self.null).then_some(text)
        };
        let mut characters = data.chars().peekable();
        while let Some(character) = characters.next() {
            if inside {
                match characters.peek() {
                    Some(next)
                        if character == self.escape && (*next == self.quote || *next == self.escape) =>
                    {
                        field.extend(characters.next());
                    }
                    _ if character == self.quote => inside = false,
                    _ => field.push(character),
                }
            } else if character == self.quote {
                (inside, quoted) = (true, true);
            } else if character == self.delimiter {
                row.push(end(&mut field, &mut quoted));
            } else if character == '\n' {
                if field == "\\." && row.is_empty() && !quoted {
                    return Ok(rows);
                }
                row.push(end(&mut field, &mut quoted));
                rows.push(std::mem::take(&mut row));
            } else if character != '\r' || characters.peek() != Some(&'\n') {
                field.push(character);
            }
        }
        if inside {
            return Err(SqlError::new(SqlState::new("22P04"), "unterminated CSV quoted field"));
        }
        if (!field.is_empty() || quoted || !row.is_empty()) && field != "\\." {
            row.push(end(&mut field, &mut quoted));
            rows.push(row);
        }
        Ok(rows)
    }

    /// A row as a line for the client.
    fn line(&self, row: &[Option<String>]) -> String {
        let fields = row.iter().map(|value| match value {
            None => self.null.clone(),
            Some(text) if self.csv => self.csv_field(text, row.len() == 1),
            Some(text) => escaped(text, self.delimiter),
        });
        let mut line = fields.collect::<Vec<_>>().join(&self.delimiter.to_string());
        line.push('\n');
        line
    }

    fn csv_field(&self, text: &str, alone: bool) -> String {
        let special = [self.delimiter, self.quote, '\n', '\r'];
        if text != self.null && !text.contains(special) && !(alone && text == "\\.") {
            return text.to_owned();
        }
        let mut field = String::from(self.quote);
        for character in text.chars() {
            if character == self.quote || character == self.escape {
                field.push(self.escape);
            }
            field.push(character);
        }
        field.push(self.quote);
        field
    }
}

impl Engine<'_> {
    /// Runs a statement that stands for the client's.
    fn run_text(&mut self, text: &str) -> Result<crate::run::Done> {
        let own = std::mem::replace(&mut self.source, Rc::new(Source::stored(text)));
        let source = self.source.clone();
        let statements = source.statements()?;
        let [tokens] = &statements[..] else { return Err(crate::run::several_with_values()) };
        let done = self.statement(tokens).and_then(|done| self.check_new_partitions().map(|()| done));
        self.source = own;
        done
    }

    /// The columns of a `COPY`: those that it names, or all that are not generated.
    fn columns_of(&mut self, copy: &Copy) -> Result<Vec<String>> {
        if copy.query.is_some() && copy.from_client {
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \"from\""));
        }
        if !copy.columns.is_empty() {
            return Ok(copy.columns.clone());
        }
        let query = match &copy.query {
            Some(query) => format!("select * from ({query}) as copied limit 0"),
            None => format!("select * from {} limit 0", copy.target),
        };
        let returned = self.run_text(&query)?.returned;
        let mut names: Vec<String> = returned
            .iter()
            .flat_map(|returned| &returned.columns)
            .map(|column| column.name.clone())
            .collect();
        let generated = if copy.query.is_some() { Vec::new() } else { self.generated_columns(&copy.target)? };
        names.retain(|name| !generated.contains(name));
        Ok(names)
    }

    fn generated_columns(&self, target: &str) -> Result<Vec<String>> {
        let source = Source::stored(target);
        let tokens = source.tokens()?;
        let name = source.parse(&tokens, |parser| parser.parse_object_name(false))?;
        let relation = self.plain_binder().find_relation(&name)?;
        let generated = relation.columns.iter().filter(|column| column.generated.is_some());
        Ok(generated.map(|column| column.name.clone()).collect())
    }
}

/// A row in brackets, for `INSERT`.
fn values(row: &[Option<String>], columns: &[String]) -> Result<String> {
    let wrong = |message: String| SqlError::new(SqlState::new("22P04"), message);
    if let Some(missing) = columns.get(row.len()) {
        return Err(wrong(format!("missing data for column \"{missing}\"")));
    }
    if row.len() > columns.len() {
        return Err(wrong("extra data after last expected column".to_owned()));
    }
    let value = |value: &Option<String>| match value {
        Some(text) => format!("'{}'", text.replace('\'', "''")),
        None => "null".to_owned(),
    };
    Ok(format!("({})", row.iter().map(value).collect::<Vec<_>>().join(",")))
}

fn unescaped(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text.chars().peekable());
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('v') => out.push('\u{b}'),
            Some(digit @ '0'..='7') => {
                let mut code = digit.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(next) = rest.peek().and_then(|next| next.to_digit(8)) else { break };
                    code = code * 8 + next;
                    rest.next();
                }
                out.extend(char::from_u32(code & 0x7f));
            }
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

fn escaped(text: &str, delimiter: char) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            other if other == delimiter => {
                out.push('\\');
                out.push(other);
            }
            other => out.push(other),
        }
    }
    out
}
