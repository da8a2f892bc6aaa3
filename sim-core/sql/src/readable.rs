//! Rewrites tokens that the parser would read in another way than PostgreSQL, or not at all.

use sqlparser::ast::DataType;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::source::is_word;
use super::types::Type;

/// Stands before and after the exclusion of a window's frame.
pub(crate) const EXCLUDES: char = '\u{1}';

/// Begins the name of a source that stands for its row, even where a column has that name.
pub(crate) const WHOLE: char = '\u{3}';

/// Begins the name of an argument that is the array of a variadic function's values.
pub(crate) const VARIADIC: char = '\u{2}';

/// Begins the part of a name that stands for a subscript.
pub(crate) const SUBSCRIPT: char = '\u{1}';

/// The tokens with the subscripts of what they assign to, which the parser can't read, as parts of names: `a[1]` is `a."1"`. Each
/// comes with its place in the statement. `None` if there are none.
pub(crate) fn marked_subscripts(statement: &[TokenWithSpan]) -> Option<Vec<(usize, TokenWithSpan)>> {
    if !statement.iter().any(|token| token.token == Token::LBracket) {
        return None;
    }
    let mut found = Vec::new();
    for (at, token) in statement.iter().enumerate() {
        if is_word(token, "set") {
            found.extend(in_assignments(statement, at + 1));
        } else if is_word(token, "insert") {
            found.extend(in_columns(statement, at + 1));
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return None;
    }
    let mut marked: Vec<(usize, TokenWithSpan)> = statement.iter().cloned().enumerate().collect();
    for (open, close) in found.into_iter().rev() {
        let text: Vec<String> = statement[open + 1..close].iter().map(written).collect();
        let name = Token::make_word(&format!("{SUBSCRIPT}{}", text.join(" ")), Some('"'));
        let span = Span { start: statement[open].span.start, end: statement[close].span.end };
        let parts = [Token::Period, name].map(|token| (open, TokenWithSpan { token, span }));
        marked.splice(open..=close, parts);
    }
    Some(marked)
}

/// A token as text that has the same token.
pub(crate) fn written(token: &TokenWithSpan) -> String {
    match &token.token {
        Token::SingleQuotedString(text) => format!("'{}'", text.replace('\'', "''")),
        other => other.to_string(),
    }
}

/// The places of the brackets in the targets of assignments that begin at `at`.
fn in_assignments(tokens: &[TokenWithSpan], at: usize) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), Some(at));
    while let Some(from) = at {
        let mut brackets = Vec::new();
        let end = match tokens.get(from).map(|token| &token.token) {
            Some(Token::LParen) => listed(tokens, from + 1, &mut brackets).map(|close| close + 1),
            _ => path(tokens, from, &mut brackets),
        };
        if end.and_then(|end| tokens.get(end)).is_some_and(|token| token.token == Token::Eq) {
            found.extend(brackets);
        }
        at = next_assignment(tokens, from);
    }
    found
}

/// The places of the brackets in the list of columns of an `INSERT`, whose first word is before `at`.
fn in_columns(tokens: &[TokenWithSpan], at: usize) -> Vec<(usize, usize)> {
    let mut brackets = Vec::new();
    let mut at = at;
    if tokens.get(at).is_some_and(|token| is_word(token, "into")) {
        at = path(tokens, at + 1, &mut brackets).unwrap_or(at);
        if tokens.get(at).is_some_and(|token| is_word(token, "as")) {
            at += 2;
        }
    }
    if tokens.get(at).is_none_or(|token| token.token != Token::LParen) {
        return Vec::new();
    }
    let queries = ["select", "with", "values", "table"];
    if tokens.get(at + 1).is_some_and(|token| queries.iter().any(|word| is_word(token, word))) {
        return Vec::new();
    }
    brackets.clear();
    listed(tokens, at + 1, &mut brackets).map_or_else(Vec::new, |_| brackets)
}

/// The bracket that closes a list of targets, if there is nothing else in it.
fn listed(tokens: &[TokenWithSpan], at: usize, brackets: &mut Vec<(usize, usize)>) -> Option<usize> {
    let mut at = at;
    loop {
        at = path(tokens, at, brackets)?;
        match tokens.get(at)?.token {
            Token::Comma => at += 1,
            Token::RParen => return Some(at),
            _ => return None,
        }
    }
}

/// The end of a name with fields and subscripts.
fn path(tokens: &[TokenWithSpan], at: usize, brackets: &mut Vec<(usize, usize)>) -> Option<usize> {
    let is_name = |at: usize| matches!(tokens.get(at).map(|token| &token.token), Some(Token::Word(_)));
    if !is_name(at) {
        return None;
    }
    let mut at = at + 1;
    loop {
        match tokens.get(at).map(|token| &token.token) {
            Some(Token::Period) if is_name(at + 1) => at += 2,
            Some(Token::LBracket) => {
                let close = closing(tokens, at)?;
                brackets.push((at, close));
                at = close + 1;
            }
            _ => return Some(at),
        }
    }
}

/// The bracket that closes the one at `at`.
fn closing(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    let mut depth = 0;
    let closes = |token: &TokenWithSpan| {
        depth += match token.token {
            Token::LBracket => 1,
            Token::RBracket => -1,
            _ => 0,
        };
        depth == 0
    };
    tokens[at..].iter().position(closes).map(|close| at + close)
}

/// Where the assignment after the one at `at` begins.
fn next_assignment(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    let (mut depth, mut cases) = (0, 0);
    for (at, token) in tokens.iter().enumerate().skip(at) {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return None,
            Token::RParen | Token::RBracket => depth -= 1,
            Token::Comma if depth == 0 => return Some(at + 1),
            _ if depth > 0 => {}
            _ if is_word(token, "case") => cases += 1,
            _ if is_word(token, "end") => cases -= 1,
            _ if is_word(token, "from") && is_word(&tokens[at - 1], "distinct") => {}
            _ if cases == 0
                && ["from", "where", "returning", "when"].iter().any(|word| is_word(token, word)) =>
            {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// Moves `EXCLUDE …` of window frames, which the parser can't read, before the name of the window's base.
pub(crate) fn mark_exclusions(statement: &mut Vec<TokenWithSpan>) {
    const EXCLUSIONS: [[&str; 2]; 4] = [["current", "row"], ["no", "others"], ["group", ")"], ["ties", ")"]];
    const CLAUSES: [&str; 5] = ["partition", "order", "rows", "range", "groups"];
    /// The most exclusions of a statement. Each is moved to the beginning of its window.
    const EXCLUSIONS_MAX: usize = 200;
    let (mut at, mut left) = (statement.len(), EXCLUSIONS_MAX);
    while at > 0 && left > 0 {
        at -= 1;
        if !is_word(&statement[at], "exclude") {
            continue;
        }
        let is = |ahead: usize, word: &str| {
            let token = statement.get(at + ahead);
            token.is_some_and(|token| is_word(token, word) || word == ")" && token.token == Token::RParen)
        };
        let found = EXCLUSIONS.iter().find(|[first, second]| is(1, first) && is(2, second));
        let Some((&[first, second], open)) = found.zip(opening(&statement[..at])) else { continue };
        left -= 1;
        let words = if second == ")" { 2 } else { 3 };
        let exclusion = if second == ")" { first.to_owned() } else { format!("{first} {second}") };
        statement.drain(at..at + words);
        let next = statement.get(open + 1);
        let clause = next.is_some_and(|next| CLAUSES.iter().any(|word| is_word(next, word)));
        let base = match next.map(|next| &next.token) {
            Some(Token::Word(word)) if word.quote_style.is_some() => Some(word.value.clone()),
            Some(Token::Word(word)) if !clause => Some(word.value.to_lowercase()),
            _ => None,
        };
        let marked = format!("{EXCLUDES}{exclusion}{EXCLUDES}{}", base.clone().unwrap_or_default());
        let token = Token::make_word(&marked, Some('"'));
        let span = statement[open].span;
        match base {
            Some(_) => statement[open + 1].token = token,
            None => statement.insert(open + 1, TokenWithSpan { token, span }),
        }
    }
}

/// The bracket that is still open at the end of `tokens`.
fn opening(tokens: &[TokenWithSpan]) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().rposition(|token| {
        depth += match token.token {
            Token::RParen => 1,
            Token::LParen => -1,
            _ => 0,
        };
        depth < 0
    })
}

/// The number of words by which a lock is weaker than the parser knows. The engine has no other transactions, so all are the same.
fn lock_strength(tokens: &[TokenWithSpan]) -> Option<usize> {
    let is = |words: &[&str]| {
        words.iter().enumerate().all(|(at, word)| tokens.get(at).is_some_and(|token| is_word(token, word)))
    };
    if is(&["for", "no", "key", "update"]) { Some(2) } else { is(&["for", "key", "share"]).then_some(1) }
}

/// The number of words of a lock at `at`, if the query there reads no rows: the parser would take `FOR` for the name of a column.
fn lock_without_rows(statement: &[TokenWithSpan], at: usize) -> usize {
    const LOCKS: [&[&str]; 4] =
        [&["for", "update"], &["for", "share"], &["for", "key", "share"], &["for", "no", "key", "update"]];
    let is = |from: usize, words: &[&str]| {
        (from..).zip(words).all(|(at, word)| statement.get(at).is_some_and(|token| is_word(token, word)))
    };
    let Some(lock) = LOCKS.iter().find(|words| is(at, words)) else { return 0 };
    let end = at + lock.len();
    let waits = [&["nowait"][..], &["skip", "locked"]].into_iter().find(|words| is(end, words));
    let words = lock.len() + waits.map_or(0, <[&str]>::len);
    let mut depth = 0_usize;
    for token in statement[..at].iter().rev() {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => return 0,
            Token::LParen => depth -= 1,
            _ if depth > 0 => {}
            _ if is_word(token, "select") => return if is(at + words, &["of"]) { 0 } else { words },
            _ if is_word(token, "from") => return 0,
            _ => {}
        }
    }
    0
}

/// A change of a token.
enum Edit {
    Remove,
    /// The name of another function.
    Name(&'static str),
    /// A `*` becomes the name of a field.
    Field,
    /// The `AS` before a list of columns without a name becomes the name of the function.
    Alias(String),
    /// `ISNULL` becomes `IS NULL`.
    Null,
    /// A bracket around a query that an argument is.
    Twice,
    /// The name of a type, and the text that follows it, become a cast.
    Cast,
}

/// Rewrites syntax that the parser cannot read: `BETWEEN SYMMETRIC`, which the binder finds in the text, weak locks, `(alias).*`,
/// `trim(both from x)`, `f() AS (a int)`, `alias.* IS NULL`, `(call()).*`, and literals such as `inet '10.0.0.1'`.
pub(crate) fn make_readable(statement: &mut Vec<TokenWithSpan>) {
    super::collated::bracket_casts(statement);
    let mut edits = edits(statement).into_iter().peekable();
    if edits.peek().is_none() {
        return;
    }
    let mut tokens = std::mem::take(statement).into_iter().enumerate();
    while let Some((at, mut token)) = tokens.next() {
        match edits.next_if(|(place, _)| *place == at).map(|(_, edit)| edit) {
            Some(Edit::Remove) => continue,
            Some(Edit::Name(name)) => token.token = Token::make_word(name, None),
            Some(Edit::Alias(name)) => token.token = Token::make_word(&name, Some('"')),
            Some(Edit::Null) => {
                let start = token.span.start;
                let is = Token::make_keyword("IS");
                statement.push(TokenWithSpan { token: is, span: Span { start, end: start } });
                token.token = Token::make_keyword("NULL");
            }
            Some(Edit::Twice) => {
                // The second one stands at no place of its own.
                let start = token.span.start;
                let span = Span { start, end: start };
                statement.push(TokenWithSpan { token: token.token.clone(), span });
            }
            Some(Edit::Field) => token.token = Token::make_word("*", Some('"')),
            Some(Edit::Cast) => {
                let Some((_, mut text)) = tokens.next() else { break };
                // Places stay in order: the text from the first token to the last is the same.
                let start = token.span.start;
                let before = Span { start, end: start };
                token.span.end = text.span.end;
                text.span = before;
                statement.extend([text, TokenWithSpan { token: Token::DoubleColon, span: before }]);
            }
            None => {}
        }
        statement.push(token);
    }
}

/// The changes that make a statement readable, in order.
fn edits(statement: &[TokenWithSpan]) -> Vec<(usize, Edit)> {
    let mut edits = Vec::new();
    let literals = !statement.first().is_some_and(|first| is_word(first, "copy"))
        && !statement.iter().any(|token| is_word(token, "options"));
    let mut at = 0;
    while at < statement.len() {
        let next = |ahead: usize| statement.get(at + ahead).map(|token| &token.token);
        let star = |ahead: usize| next(ahead) == Some(&Token::Period) && next(ahead + 1) == Some(&Token::Mul);
        let symmetric = |token: &TokenWithSpan| is_word(token, "symmetric");
        match &statement[at].token {
            Token::Word(_)
                if is_word(&statement[at], "between") && statement.get(at + 1).is_some_and(symmetric) =>
            {
                edits.push((at + 1, Edit::Remove));
                at += 1;
            }
            Token::Word(_) if lock_without_rows(statement, at) > 0 => {
                let words = lock_without_rows(statement, at);
                edits.extend((0..words).map(|ahead| (at + ahead, Edit::Remove)));
                at += words - 1;
            }
            Token::Word(_) if lock_strength(&statement[at..]).is_some() => {
                let words = lock_strength(&statement[at..]).unwrap_or(0);
                edits.extend((1..=words).map(|ahead| (at + ahead, Edit::Remove)));
                at += words;
            }
            Token::LParen
                if matches!(next(1), Some(Token::Word(_))) && next(2) == Some(&Token::RParen) && star(3) =>
            {
                edits.extend([(at, Edit::Remove), (at + 2, Edit::Remove)]);
                at += 4;
            }
            Token::Word(_) if is_word(&statement[at], "fetch") => edits.extend(as_limit(statement, at)),
            Token::Word(_) if is_word(&statement[at], "substring") && next(1) == Some(&Token::LParen) => {
                edits.extend(without_similar(statement, at + 1));
            }
            Token::LParen if at > 1 && is_bound_of_fetch(statement, at) => {
                edits.extend([(at, Edit::Remove), (at + 2, Edit::Remove)]);
                at += 2;
            }
            Token::SingleQuotedString(_) if is_distance(&statement[at + 1..]) => {
                edits.extend([(at + 1, Edit::Remove), (at + 2, Edit::Remove)]);
                at += 2;
            }
            Token::RParen if star(1) => {
                edits.push((at + 2, Edit::Field));
                at += 2;
            }
            Token::Word(_) if is_word(&statement[at], "as") && function_of_list(statement, at).is_some() => {
                edits.extend(function_of_list(statement, at).map(|name| (at, Edit::Alias(name))));
            }
            Token::Word(_) if at > 0 && is_word(&statement[at], "isnull") => {
                let operand = match &statement[at - 1].token {
                    Token::Word(_) => !is_word(&statement[at - 1], "as"),
                    Token::RParen | Token::RBracket | Token::Number(..) | Token::SingleQuotedString(_) => {
                        true
                    }
                    _ => false,
                };
                if operand && next(1) != Some(&Token::LParen) {
                    edits.push((at, Edit::Null));
                }
            }
            Token::Word(_) if super::quantified::marked(statement, at).is_some() => {
                edits.extend(super::quantified::marked(statement, at).map(|name| (at, Edit::Alias(name))));
                if let Some(close) = super::quantified::end_of_query(statement, at + 1) {
                    edits.extend([(at + 1, Edit::Twice), (close, Edit::Twice)]);
                    at += 1;
                }
            }
            Token::Word(_) if is_only(statement, at) => edits.push((at, Edit::Remove)),
            Token::Word(_) if is_word(&statement[at], "trim") => {
                if let Some((name, words)) = trim_of_blanks(&statement[at + 1..]) {
                    edits.push((at, Edit::Name(name)));
                    edits.extend((0..words).map(|word| (at + 2 + word, Edit::Remove)));
                    at += 1 + words;
                }
            }
            Token::Word(name)
                if star(1)
                    && next(3) == Some(&Token::DoubleColon)
                    && (at == 0 || statement[at - 1].token != Token::Period) =>
            {
                let marked = [(at, whole(name)), (at + 1, Edit::Remove), (at + 2, Edit::Remove)];
                edits.extend(marked);
                at += 2;
            }
            Token::LParen
                if star(2)
                    && next(4) == Some(&Token::RParen)
                    && next(5) == Some(&Token::DoubleColon)
                    && (at == 0 || !crate::foreign::is_called(&statement[at - 1])) =>
            {
                if let Some(Token::Word(name)) = next(1) {
                    let marked = [(at + 1, whole(name)), (at + 2, Edit::Remove), (at + 3, Edit::Remove)];
                    edits.extend(marked);
                }
                at += 4;
            }
            Token::Word(_)
                if is_word(&statement[at], "national")
                    && statement
                        .get(at + 1)
                        .is_some_and(|next| is_word(next, "character") || is_word(next, "char")) =>
            {
                edits.push((at, Edit::Remove));
            }
            Token::Word(_) if is_word(&statement[at], "variadic") => {
                if let (Some(Token::Word(name)), Some(Token::RArrow | Token::Assignment)) = (next(1), next(2))
                {
                    let name = if name.quote_style.is_some() {
                        name.value.clone()
                    } else {
                        name.value.to_lowercase()
                    };
                    edits.extend([(at, Edit::Remove), (at + 1, Edit::Alias(format!("{VARIADIC}{name}")))]);
                    at += 1;
                }
            }
            Token::Word(_) if star(1) && is_operand(statement, at) => {
                edits.extend([(at + 1, Edit::Remove), (at + 2, Edit::Remove)]);
                at += 2;
            }
            Token::Word(_) if literals && is_typed_literal(statement, at) => {
                edits.push((at, Edit::Cast));
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    edits.sort_by_key(|(at, _)| *at);
    edits
}

/// The name of a source for its row.
fn whole(name: &sqlparser::tokenizer::Word) -> Edit {
    let name = if name.quote_style.is_some() { name.value.clone() } else { name.value.to_lowercase() };
    Edit::Alias(format!("{WHOLE}{name}"))
}

/// The function whose columns a list without a name declares, in `f() AS (a int, b text)`. `at` is the place of `AS`.
fn function_of_list(statement: &[TokenWithSpan], at: usize) -> Option<String> {
    let token = |place: usize| statement.get(place).map(|token| &token.token);
    let (Some(Token::LParen), Some(Token::Word(_)), Some(Token::Word(_))) =
        (token(at + 1), token(at + 2), token(at + 3))
    else {
        return None;
    };
    let queries = ["select", "with", "values", "table", "insert", "update", "delete", "merge"];
    if queries.iter().any(|word| is_word(&statement[at + 2], word))
        || token(at.checked_sub(1)?) != Some(&Token::RParen)
    {
        return None;
    }
    let mut depth = 0_usize;
    let opening = statement[..at].iter().rposition(|token| {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    match token(opening.checked_sub(1)?)? {
        Token::Word(word) if word.quote_style.is_some() => Some(word.value.clone()),
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    }
}

/// Whether the word at `at` is the `ONLY` before the name of a table. The binder finds it in the text.
fn is_only(statement: &[TokenWithSpan], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| statement.get(before));
    let begins = ["from", "join", "update", "into", "using"];
    is_word(&statement[at], "only")
        && before.is_some_and(|before| {
            before.token == Token::Comma || begins.iter().any(|word| is_word(before, word))
        })
        && matches!(statement.get(at + 1).map(|next| &next.token), Some(Token::Word(_)))
}

/// The function that `trim` with the tokens after it calls, and the number of words in its bracket that say so: it is `trim(both from x)`
/// or `trim(from x)`, which name no characters before `FROM`.
fn trim_of_blanks(after: &[TokenWithSpan]) -> Option<(&'static str, usize)> {
    let [bracket, first, second, ..] = after else { return None };
    if bracket.token != Token::LParen {
        return None;
    }
    let sides = [("both", "trim"), ("leading", "ltrim"), ("trailing", "rtrim")];
    let side = sides.into_iter().find(|(side, _)| is_word(first, side) && is_word(second, "from"));
    side.map(|(_, name)| (name, 2)).or_else(|| is_word(first, "from").then_some(("trim", 1)))
}

/// Whether the bracket at `at` holds the one value of `FETCH FIRST (1)`.
fn is_bound_of_fetch(statement: &[TokenWithSpan], at: usize) -> bool {
    let first = is_word(&statement[at - 1], "first") || is_word(&statement[at - 1], "next");
    first
        && is_word(&statement[at - 2], "fetch")
        && matches!(
            statement.get(at + 1).map(|token| &token.token),
            Some(Token::Number(..) | Token::Placeholder(_))
        )
        && statement.get(at + 2).is_some_and(|token| token.token == Token::RParen)
}

/// Where the round bracket at `open` closes.
fn end_of_bracket(statement: &[TokenWithSpan], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let close = statement[open..].iter().position(|token| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    close.map(|close| open + close)
}

/// `FETCH FIRST (expression) ROWS ONLY` as `LIMIT (expression)`.
fn as_limit(statement: &[TokenWithSpan], at: usize) -> Vec<(usize, Edit)> {
    let is = |at: usize, words: [&str; 2]| {
        statement.get(at).is_some_and(|token| words.iter().any(|word| is_word(token, word)))
    };
    let open = at + 2;
    let opens = statement.get(open).is_some_and(|token| token.token == Token::LParen);
    if !is(at + 1, ["first", "next"]) || !opens || is_bound_of_fetch(statement, open) {
        return Vec::new();
    }
    match end_of_bracket(statement, open) {
        Some(close) if is(close + 1, ["row", "rows"]) && is(close + 2, ["only", "only"]) => vec![
            (at, Edit::Name("limit")),
            (at + 1, Edit::Remove),
            (close + 1, Edit::Remove),
            (close + 2, Edit::Remove),
        ],
        _ => Vec::new(),
    }
}

/// `substring(text SIMILAR pattern ESCAPE sign)`, of which `FROM` and `FOR` say the same.
fn without_similar(statement: &[TokenWithSpan], open: usize) -> Vec<(usize, Edit)> {
    let Some(close) = end_of_bracket(statement, open) else { return Vec::new() };
    let mut depth = 0_usize;
    let mut found = [None, None];
    for at in open..close {
        match statement[at].token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth != 1 => {}
            _ if is_word(&statement[at], "similar") && !is_word(&statement[at + 1], "to") => {
                found[0] = Some(at);
            }
            _ if is_word(&statement[at], "escape") && found[0].is_some() => found[1] = Some(at),
            _ => {}
        }
    }
    match found {
        [Some(similar), Some(escape)] => vec![(similar, Edit::Name("from")), (escape, Edit::Name("for"))],
        _ => Vec::new(),
    }
}

/// Whether a cast to an interval follows a text that is a distance of a window's frame, where the text alone says the same.
fn is_distance(after: &[TokenWithSpan]) -> bool {
    let [cast, type_, word, ..] = after else { return false };
    cast.token == Token::DoubleColon
        && is_word(type_, "interval")
        && (is_word(word, "preceding") || is_word(word, "following"))
}

/// Whether `row.*` at `at` is an operand: the row itself.
fn is_operand(statement: &[TokenWithSpan], at: usize) -> bool {
    let compares = |token: &TokenWithSpan| {
        matches!(token.token, Token::Eq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq)
    };
    let after = statement.get(at + 3).is_some_and(|after| compares(after) || is_word(after, "is"));
    let before = at > 0 && compares(&statement[at - 1])
        || at > 1 && is_word(&statement[at - 1], "from") && is_word(&statement[at - 2], "distinct");
    after || before
}

/// Whether the parser reads the name of a type as that of any type.
fn is_custom(name: &TokenWithSpan) -> bool {
    let mut parser = Parser::new(&PostgreSqlDialect {}).with_tokens_with_locations(vec![name.clone()]);
    matches!(parser.parse_data_type(), Ok(DataType::Custom(..)))
}

/// Whether a name of a type, which the parser does not know as one, stands before a text at `at`.
fn is_typed_literal(statement: &[TokenWithSpan], at: usize) -> bool {
    let (Token::Word(word), Some(TokenWithSpan { token: Token::SingleQuotedString(_), .. })) =
        (&statement[at].token, statement.get(at + 1))
    else {
        return false;
    };
    let builtin = word.quote_style.is_none() && Type::named(&word.value.to_lowercase()).is_some();
    if word.keyword != Keyword::NoKeyword && !(builtin && is_custom(&statement[at])) {
        return false;
    }
    // In these places an expression begins.
    let begins = [
        "select", "and", "or", "not", "then", "else", "when", "case", "where", "default", "return", "like",
        "between", "distinct",
    ];
    at.checked_sub(1).and_then(|before| statement.get(before)).is_none_or(|before| match &before.token {
        Token::Word(_) => begins.iter().any(|word| is_word(before, word)),
        Token::RParen
        | Token::RBracket
        | Token::Period
        | Token::SingleQuotedString(_)
        | Token::Number(..)
        | Token::DoubleColon => false,
        _ => true,
    })
}

/// The tokens with names and arguments in a form that the parser reads, and the places of added ones: `pg_catalog.substr(…)` is a plain
/// call, `f(a := 1)` is the older form of
/// `f(a => 1)`, `f(variadic array[1])` is read as a named argument, and `interval` before an operator is the name of a column.
pub(crate) fn names(tokens: &[TokenWithSpan]) -> (Vec<TokenWithSpan>, Vec<usize>) {
    let (mut out, mut added) = (Vec::with_capacity(tokens.len()), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|next| &next.token);
        let with = |token: &TokenWithSpan, new: Token| TokenWithSpan { token: new, span: token.span };
        if token.token == Token::Assignment {
            out.push(with(token, Token::RArrow));
        } else if let Some(called) = plain_call(tokens, at) {
            out.push(with(token, Token::make_word(called, Some('"'))));
        } else if let Some(called) = qualified_call(tokens, at) {
            out.push(with(token, Token::make_word(called, Some('"'))));
        } else if is_word(token, "variadic") && next.is_some_and(|next| is_value(next, tokens.get(at + 2))) {
            out.push(token.clone());
            added.push(out.len());
            out.push(with(token, Token::RArrow));
        } else if is_prefix(tokens, at) {
            out.push(with(token, Token::AtDashAt));
        } else if is_word(token, "interval") && next.is_some_and(is_operator) && begins_operand(tokens, at) {
            out.push(with(token, Token::make_word("interval", Some('"'))));
        } else {
            out.push(token.clone());
        }
    }
    (out, added)
}

/// Prefix operators that the parser does not know. It is given another one, and the binder finds them in the text.
pub(crate) const PREFIXES: [&str; 2] = ["%%", "%#"];

/// Whether one of these operators stands at `at`, where an operand begins.
fn is_prefix(tokens: &[TokenWithSpan], at: usize) -> bool {
    match &tokens[at].token {
        Token::CustomBinaryOperator(name) => PREFIXES.contains(&name.as_str()) && begins_operand(tokens, at),
        _ => false,
    }
}

/// Functions that have a syntax of their own, unless a schema is named before them.
const WITH_SYNTAX: [&str; 6] = ["extract", "overlay", "position", "substr", "substring", "trim"];

/// Functions that the parser reads in a form of other databases, and that are called like any other.
const PLAIN: [&str; 3] = ["ceil", "ceiling", "floor"];

/// The function at `at` if it is one of these.
fn plain_call(tokens: &[TokenWithSpan], at: usize) -> Option<&'static str> {
    let called = tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen);
    PLAIN.into_iter().find(|name| called && is_word(&tokens[at], name))
}

/// The function at `at` if it is one of these and is called with its schema, as `pg_catalog.substr(…)`.
fn qualified_call(tokens: &[TokenWithSpan], at: usize) -> Option<&'static str> {
    let before = at.checked_sub(1).map(|before| &tokens[before].token);
    let after = tokens.get(at + 1).map(|after| &after.token);
    if before != Some(&Token::Period) || after != Some(&Token::LParen) {
        return None;
    }
    WITH_SYNTAX.into_iter().find(|name| is_word(&tokens[at], name))
}

/// Whether a value begins with this token, rather than the name and type of a parameter.
fn is_value(token: &Token, next: Option<&TokenWithSpan>) -> bool {
    match token {
        Token::Word(word) => {
            let plain = |name| word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name);
            // The name of a parameter has its type after it, and a type without a name has square brackets or is one of these.
            let is_type = plain("any") || plain("anyarray") || plain("anycompatiblearray");
            let ends =
                |next: &TokenWithSpan| matches!(next.token, Token::LParen | Token::RParen | Token::Period);
            plain("array") || plain("null") || !is_type && next.is_some_and(ends)
        }
        Token::RParen | Token::Comma | Token::Period | Token::RArrow => false,
        _ => true,
    }
}

fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(word) => {
            word.quote_style.is_none()
                && ["in", "is", "not", "like", "ilike", "between", "when", "then", "else", "end"]
                    .iter()
                    .any(|one| word.value.eq_ignore_ascii_case(one))
        }
        Token::Eq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq => true,
        _ => false,
    }
}

/// Whether an operand of an expression begins at `at`, rather than the type of something.
fn begins_operand(tokens: &[TokenWithSpan], at: usize) -> bool {
    let words = ["and", "or", "not", "where", "when", "then", "else", "select", "on", "by", "having", "case"];
    at.checked_sub(1).is_none_or(|before| {
        let before = &tokens[before];
        matches!(before.token, Token::LParen | Token::Comma | Token::Eq)
            || words.iter().any(|word| is_word(before, word))
    })
}
