//! `DECLARE`, `FETCH`, `MOVE`, `CLOSE`.

use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::cursors::{Asked, Portal, Way, refuse_changes};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine, Returned, known_rows};
use crate::source::Source;
use crate::types::Type;

/// The options of `DECLARE`, as they are written.
#[derive(Default)]
struct Options {
    binary: bool,
    insensitive: bool,
    asensitive: bool,
    scroll: bool,
    no_scroll: bool,
    hold: bool,
}

impl Engine<'_> {
    /// `DECLARE`, after this word.
    pub(super) fn declare_cursor(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let done = Ok(Done::command("DECLARE CURSOR"));
        let name = cursor.ident()?;
        let options = options(cursor)?;
        let reads = ["select", "values", "with", "table"].iter().any(|word| cursor.is(word));
        if !reads && cursor.peek().is_none_or(|token| token.token != Token::LParen) {
            return Err(cursor.unexpected());
        }
        let parsed = self.source.parse(cursor.rest(), Parser::parse_query)?;
        check(&options, &parsed)?;
        let bound = self.bind_cursor(&parsed)?;
        if self.describes() {
            return done;
        }
        if !options.hold && self.calls == 0 && !self.in_block && self.alone {
            let message = "DECLARE CURSOR can only be used in transaction blocks";
            return Err(SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message));
        }
        self.known.cursors.borrow().require_new(&name)?;
        let scrolls = if options.no_scroll { Some(false) } else { options.scroll.then_some(true) };
        let (holdable, binary) = (options.hold, options.binary);
        let asked = Asked { statement: self.source.text.clone(), holdable, binary, scrolls, created: 0 };
        let opened = self.run_cursor(bound)?;
        self.open_cursor(Some(name), asked, opened)?;
        done
    }

    /// `FETCH` and `MOVE`.
    pub(super) fn fetch_cursor(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let moves = cursor.is("move");
        cursor.at += 1;
        let way = way(cursor)?;
        let name = cursor.ident()?;
        cursor.finish()?;
        if self.describes() {
            let columns = self.known.cursors.borrow().find(&name).map(Portal::columns);
            let returned = columns.filter(|_| !moves).map(|columns| Returned { columns, rows: Vec::new() });
            let returned = returned.map(|returned| self.shown_rows(&name, returned)).transpose()?;
            return Ok(Done { tag: "FETCH".to_owned(), returned });
        }
        if moves {
            let passed = self.known.cursors.borrow_mut().skip(&name, way)?;
            return Ok(Done::command(format!("MOVE {passed}")));
        }
        let returned = self.fetch_cursor_rows(&name, way)?;
        let returned = self.shown_rows(&name, returned)?;
        Ok(Done { tag: format!("FETCH {}", returned.rows.len()), returned: Some(returned) })
    }

    /// The rows of a cursor, with values as texts whose format depends on the catalog.
    fn shown_rows(&mut self, name: &str, returned: Returned) -> Result<Returned> {
        let shown = |type_: Type| {
            self.is_shown(type_) || type_ == Type::RECORD || type_.element() == Some(Type::RECORD)
        };
        if self.frame.is_some() || !returned.columns.iter().any(|column| shown(column.type_.base)) {
            return Ok(returned);
        }
        let all =
            Source::stored(&format!("SELECT * FROM {}", crate::catalog::quote_identifier(name))).query()?;
        let columns: Vec<_> = returned.columns.iter().map(|column| column.name.clone()).collect();
        let mut rows = self.rows_of(&all, vec![known_rows(name.to_owned(), returned)])?;
        for (column, name) in rows.columns.iter_mut().zip(columns) {
            column.name = name;
        }
        Ok(rows)
    }

    /// `CLOSE`, after this word.
    pub(super) fn close_cursor(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if cursor.word("all") {
            cursor.finish()?;
            self.known.cursors.borrow_mut().close_all();
            return Ok(Done::command("CLOSE CURSOR ALL"));
        }
        let name = cursor.ident()?;
        cursor.finish()?;
        self.known.cursors.borrow_mut().close(&name)?;
        Ok(Done::command("CLOSE CURSOR"))
    }
}

fn options(cursor: &mut Cursor<'_>) -> Result<Options> {
    let mut options = Options::default();
    loop {
        match () {
            () if cursor.word("cursor") => break,
            () if cursor.word("binary") => options.binary = true,
            () if cursor.word("insensitive") => options.insensitive = true,
            () if cursor.word("asensitive") => options.asensitive = true,
            () if cursor.word("scroll") => options.scroll = true,
            () if cursor.words("no scroll") => options.no_scroll = true,
            () => return Err(cursor.unexpected()),
        }
    }
    options.hold = cursor.words("with hold");
    if !options.hold {
        cursor.words("without hold");
    }
    cursor.expect_word("for")?;
    Ok(options)
}

/// Refuses options that exclude each other, or that the query excludes.
fn check(options: &Options, query: &sqlparser::ast::Query) -> Result<()> {
    let invalid = |message: &str| Err(SqlError::new(SqlState::new("42P11"), message));
    if options.scroll && options.no_scroll {
        return invalid("cannot specify both SCROLL and NO SCROLL");
    }
    if options.asensitive && options.insensitive {
        return invalid("cannot specify both ASENSITIVE and INSENSITIVE");
    }
    refuse_changes(query)?;
    let Some(lock) = query.locks.first() else { return Ok(()) };
    let lock = match lock.lock_type {
        sqlparser::ast::LockType::Share => "FOR SHARE",
        sqlparser::ast::LockType::Update => "FOR UPDATE",
    };
    let refused = |message: String, detail: &str| {
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).detail(detail))
    };
    if options.hold {
        let message = format!("DECLARE CURSOR WITH HOLD ... {lock} is not supported");
        return refused(message, "Holdable cursors must be READ ONLY.");
    }
    if options.scroll {
        let message = format!("DECLARE SCROLL CURSOR ... {lock} is not supported");
        return refused(message, "Scrollable cursors must be READ ONLY.");
    }
    if options.insensitive {
        let message = format!("DECLARE INSENSITIVE CURSOR ... {lock} is not valid");
        let detail = "Insensitive cursors must be READ ONLY.";
        return Err(SqlError::new(SqlState::new("42P11"), message).detail(detail));
    }
    Ok(())
}

/// The direction of `FETCH` or `MOVE`, up to the name of the cursor.
fn way(cursor: &mut Cursor<'_>) -> Result<Way> {
    let known = [
        ("next", Way::Forward(Some(1))),
        ("prior", Way::Backward(Some(1))),
        ("first", Way::Absolute(1)),
        ("last", Way::Absolute(-1)),
    ];
    // A last word is the name.
    let is_last = cursor.at + 1 >= cursor.tokens.len();
    let found = known.into_iter().find(|(word, _)| !is_last && cursor.word(word));
    let way = match found {
        Some((_, way)) => way,
        None if !is_last && cursor.word("absolute") => Way::Absolute(count(cursor)?),
        None if !is_last && cursor.word("relative") => Way::Relative(count(cursor)?),
        None => {
            let backward = !is_last && cursor.word("backward");
            if !backward && !is_last {
                cursor.word("forward");
            }
            let steps = match cursor.peek().map(|token| &token.token) {
                Some(Token::Number(..) | Token::Minus | Token::Plus) => Some(count(cursor)?),
                _ if cursor.word("all") => None,
                _ => Some(1),
            };
            if backward { Way::Backward(steps) } else { Way::Forward(steps) }
        }
    };
    if !cursor.word("from") {
        cursor.word("in");
    }
    Ok(way)
}

/// A number of rows.
fn count(cursor: &mut Cursor<'_>) -> Result<i64> {
    cursor.token(&Token::Plus);
    let at = cursor.at;
    let count = cursor.integer()?;
    if i32::try_from(count).is_ok() {
        return Ok(count);
    }
    cursor.at = at;
    Err(cursor.unexpected())
}
