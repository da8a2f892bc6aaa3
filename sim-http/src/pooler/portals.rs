//! Statements of SQL about portals of the protocol, which are cursors, too: `MOVE`, `FETCH` and `CLOSE`.

use tokio::io::{AsyncRead, AsyncWrite};

use super::codec::error;
use super::session::{Left, Session, Stop};

/// What a statement does to a portal.
#[derive(Debug, PartialEq, Eq)]
enum Action {
    Fetch,
    Move,
    Close,
}

/// A statement about a portal.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    action: Action,
    name: String,
    /// The rows that it passes; `None` if it goes elsewhere than forward.
    rows: Option<usize>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Session<S> {
    /// Runs a text that is a statement about a portal of the protocol. Whether it was one.
    pub(super) async fn query_of_portal(&mut self, query: &str) -> Result<bool, Stop> {
        let asked = asked(query).filter(|asked| self.portals.contains_key(&asked.name));
        let Some(Asked { action, name, rows }) = asked.filter(|_| self.status != b'E') else {
            return Ok(false);
        };
        if action == Action::Close {
            self.portals.remove(&name);
            self.client.complete("CLOSE CURSOR");
            return Ok(true);
        }
        let Some(rows) = rows else {
            self.fail_block().await?;
            return Err(error("55000", "cursor can only scan forward").into());
        };
        let Some(Left { result, sent, counted }) = self.left(&name).await? else { return Ok(false) };
        let end = sent.saturating_add(rows).min(result.rows.len());
        let columns = result.columns.as_deref().unwrap_or_default();
        if action == Action::Fetch {
            self.client.columns(columns, &[]);
            self.rows(&result.rows[sent..end], columns, &[]).await?;
        }
        let word = if action == Action::Fetch { "FETCH" } else { "MOVE" };
        self.client.complete(&format!("{word} {}", end - sent));
        self.keep(&name, Left { result, sent: end, counted });
        Ok(true)
    }
}

/// The one statement of a text, if it is one about a cursor.
fn asked(query: &str) -> Option<Asked> {
    let text = query.trim().trim_end_matches(';').trim_end();
    let (before, name) = match text.strip_suffix('"') {
        Some(rest) => rest.rsplit_once('"').map(|(before, name)| (before, name.to_owned()))?,
        None => text.rsplit_once(char::is_whitespace).map(|(before, name)| (before, name.to_lowercase()))?,
    };
    let words: Vec<String> = before.split_whitespace().map(str::to_lowercase).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let action = match *words.first()? {
        "fetch" => Action::Fetch,
        "move" => Action::Move,
        "close" => Action::Close,
        _ => return None,
    };
    words.remove(0);
    if matches!(words.last(), Some(&"from" | &"in")) {
        words.pop();
    }
    let rows = match words[..] {
        [] | ["next" | "forward"] => Some(1),
        ["all"] | ["forward", "all"] => Some(usize::MAX),
        [count] | ["forward", count] => count.parse().ok(),
        _ => None,
    };
    Some(Asked { action, name, rows })
}

#[cfg(test)]
mod tests {
    use super::{Action, Asked, asked};

    #[test]
    fn statements_about_cursors_are_read() {
        let of = |action, name: &str, rows| Some(Asked { action, name: name.to_owned(), rows });
        assert_eq!(asked("MOVE FORWARD 3 __portal_1__;"), of(Action::Move, "__portal_1__", Some(3)));
        assert_eq!(asked("fetch all in \"C 1\" ;"), of(Action::Fetch, "C 1", Some(usize::MAX)));
        assert_eq!(asked("FETCH Next FROM C_1"), of(Action::Fetch, "c_1", Some(1)));
        assert_eq!(asked("fetch backward 2 from c"), of(Action::Fetch, "c", None));
        assert_eq!(asked("close c"), of(Action::Close, "c", Some(1)));
        assert_eq!(asked("select 1"), None);
        assert_eq!(asked("fetch"), None);
    }
}
