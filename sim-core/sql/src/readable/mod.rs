//! Rewrites tokens that the parser would read in another way than PostgreSQL, or not at all.

use sqlparser::ast::DataType;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::source::is_word;
use super::types::Type;

mod names;
mod subscripts;

pub(crate) use names::{PREFIXES, names};
pub(crate) use subscripts::{SUBSCRIPT, marked_subscripts, written};

/// Stands before and after the exclusion of a window's frame.
pub(crate) const EXCLUDES: char = '\u{1}';

/// Begins the name of a source that stands for its row, even where a column has that name.
pub(crate) const WHOLE: char = '\u{3}';

/// Begins the name of an argument that is the array of a variadic function's values.
pub(crate) const VARIADIC: char = '\u{2}';

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
            Token::RParen | Token::Placeholder(_) if star(1) => {
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
