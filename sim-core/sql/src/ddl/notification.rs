//! `LISTEN`, `UNLISTEN` and `NOTIFY`. A session gets what it sends itself when its transaction has ended.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::error::Result;
use crate::run::{Done, Engine};

impl Engine<'_> {
    /// Runs the statement if it is one of these.
    pub(super) fn notification(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Done>> {
        if cursor.word("notify") {
            let channel = cursor.ident()?;
            let payload = if cursor.token(&Token::Comma) { cursor.string()? } else { String::new() };
            cursor.finish()?;
            let notify = "SELECT pg_notify(?1, ?2)";
            self.connection.query_row(notify, (channel, payload), |_| Ok(()))?;
            return Ok(Some(Done::command("NOTIFY")));
        }
        let (begins, tag) = match () {
            () if cursor.word("listen") => (true, "LISTEN"),
            () if cursor.word("unlisten") => (false, "UNLISTEN"),
            () => return Ok(None),
        };
        let channel = if !begins && cursor.token(&Token::Mul) { None } else { Some(cursor.ident()?) };
        cursor.finish()?;
        self.connection.query_row("SELECT pg_listen(?1, ?2)", (channel, begins), |_| Ok(()))?;
        Ok(Some(Done::command(tag)))
    }
}
