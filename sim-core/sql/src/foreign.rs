//! Words and clauses of other databases, which the parser reads and PostgreSQL does not.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::source::{is_reserved_word, is_word, keyword};

/// Words that only other databases have as keywords.
const WORDS: &[Keyword] = &[
    Keyword::ANTI,
    Keyword::ASOF,
    Keyword::DISTRIBUTE,
    Keyword::DIV,
    Keyword::GLOB,
    Keyword::MATCH_RECOGNIZE,
    Keyword::MEMBER,
    Keyword::MINUS,
    Keyword::PIVOT,
    Keyword::PREWHERE,
    Keyword::QUALIFY,
    Keyword::REGEXP,
    Keyword::RLIKE,
    Keyword::SAFE_CAST,
    Keyword::SAMPLE,
    Keyword::SEMI,
    Keyword::SETTINGS,
    Keyword::SORT,
    Keyword::TOP,
    Keyword::TRY_CAST,
    Keyword::UNPIVOT,
];

/// Words that are names where a name may follow without `AS`: behind a table or an expression, and before what ends it.
const LABELS: &[Keyword] = &[
    Keyword::CLUSTER,
    Keyword::CONNECT,
    Keyword::EXCLUDE,
    Keyword::EXPLAIN,
    Keyword::FORMAT,
    Keyword::GLOBAL,
    Keyword::MATCH,
    Keyword::OPEN,
    Keyword::OPERATOR,
    Keyword::OUTPUT,
    Keyword::PARTITION,
    Keyword::VIEW,
];

/// What follows a name of a table or of an expression.
const ENDS: &[Keyword] = &[
    Keyword::CROSS,
    Keyword::EXCEPT,
    Keyword::FETCH,
    Keyword::FOR,
    Keyword::FROM,
    Keyword::FULL,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::INNER,
    Keyword::INTERSECT,
    Keyword::JOIN,
    Keyword::LEFT,
    Keyword::LIMIT,
    Keyword::NATURAL,
    Keyword::OFFSET,
    Keyword::ON,
    Keyword::ORDER,
    Keyword::RETURNING,
    Keyword::RIGHT,
    Keyword::SET,
    Keyword::UNION,
    Keyword::USING,
    Keyword::WHERE,
    Keyword::WINDOW,
];

/// Words before an expression.
const BEFORE_EXPRESSIONS: &[Keyword] = &[
    Keyword::AND,
    Keyword::BETWEEN,
    Keyword::BY,
    Keyword::CASE,
    Keyword::DISTINCT,
    Keyword::ELSE,
    Keyword::HAVING,
    Keyword::LIKE,
    Keyword::NOT,
    Keyword::ON,
    Keyword::OR,
    Keyword::RETURNING,
    Keyword::SELECT,
    Keyword::THEN,
    Keyword::WHEN,
    Keyword::WHERE,
];

/// Statements in which a type can't follow a bracket or a comma.
const WITHOUT_TYPES: &[Keyword] = &[
    Keyword::DELETE,
    Keyword::INSERT,
    Keyword::MERGE,
    Keyword::SELECT,
    Keyword::UPDATE,
    Keyword::VALUES,
    Keyword::WITH,
];

/// What `CREATE OR REPLACE` may make.
const REPLACEABLE: &[&str] = &[
    "aggregate",
    "constraint",
    "function",
    "language",
    "procedural",
    "procedure",
    "recursive",
    "rule",
    "temp",
    "temporary",
    "transform",
    "trigger",
    "trusted",
    "view",
];

/// Makes names of the words that are keywords of the parser and not of PostgreSQL at their places.
pub(crate) fn make_names(tokens: &mut [TokenWithSpan]) {
    let mut has_no_types = false;
    let mut before: Option<usize> = None;
    for at in 0..tokens.len() {
        let Token::Word(word) = &tokens[at].token else {
            match tokens[at].token {
                Token::Whitespace(_) => {}
                Token::DoubleEq => {
                    tokens[at].token = Token::CustomBinaryOperator("==".to_owned());
                    before = Some(at);
                }
                Token::SemiColon => (has_no_types, before) = (false, None),
                _ => before = Some(at),
            }
            continue;
        };
        let known = word.keyword;
        if before.is_none() {
            has_no_types = WITHOUT_TYPES.contains(&known);
        }
        if known != Keyword::NoKeyword {
            let next = tokens[at + 1..].iter().find(|token| !matches!(token.token, Token::Whitespace(_)));
            let previous = before.map(|at| &tokens[at]);
            if is_name(known, previous, next, has_no_types)
                && let Token::Word(word) = &mut tokens[at].token
            {
                word.keyword = Keyword::NoKeyword;
            }
        }
        before = Some(at);
    }
}

/// Whether a keyword is a name between these tokens. `has_no_types` says whether the statement is one of [`WITHOUT_TYPES`].
fn is_name(
    word: Keyword,
    before: Option<&TokenWithSpan>,
    next: Option<&TokenWithSpan>,
    has_no_types: bool,
) -> bool {
    match word {
        Keyword::TRIM => next.is_none_or(|next| next.token != Token::LParen),
        Keyword::INTERVAL => !begins_a_value(next) && follows_an_operator(before, has_no_types),
        _ if LABELS.contains(&word) => before.is_some_and(is_named) && ends_a_name(next),
        _ => WORDS.contains(&word),
    }
}

fn begins_a_value(next: Option<&TokenWithSpan>) -> bool {
    next.is_some_and(|next| {
        matches!(
            next.token,
            Token::SingleQuotedString(_)
                | Token::EscapedStringLiteral(_)
                | Token::UnicodeStringLiteral(_)
                | Token::DollarQuotedString(_)
                | Token::LParen
        )
    })
}

/// Whether an expression begins after this token, and no type.
fn follows_an_operator(before: Option<&TokenWithSpan>, has_no_types: bool) -> bool {
    let Some(before) = before else { return true };
    match &before.token {
        Token::Comma | Token::LParen => has_no_types,
        Token::Word(word) => BEFORE_EXPRESSIONS.contains(&word.keyword),
        Token::DoubleColon | Token::Period | Token::RParen | Token::RBracket => false,
        Token::SingleQuotedString(_) | Token::Number(..) | Token::Placeholder(_) => false,
        _ => true,
    }
}

/// Whether a bracket after this token has arguments in it.
pub(crate) fn is_called(before: &TokenWithSpan) -> bool {
    matches!(before.token, Token::Word(_)) && !follows_an_operator(Some(before), true)
}

/// Whether a token may end what a name follows.
fn is_named(token: &TokenWithSpan) -> bool {
    const VERBS: [&str; 12] = [
        "alter",
        "attach",
        "comment",
        "detach",
        "drop",
        "explain",
        "is",
        "label",
        "local",
        "materialized",
        "replace",
        "revoke",
    ];
    match &token.token {
        Token::Word(word) if word.quote_style.is_some() => true,
        Token::Word(word) => {
            let text = word.value.to_ascii_lowercase();
            !is_reserved_word(&text) && !VERBS.contains(&text.as_str())
        }
        Token::RParen | Token::RBracket | Token::SingleQuotedString(_) | Token::Number(..) => true,
        _ => false,
    }
}

fn ends_a_name(next: Option<&TokenWithSpan>) -> bool {
    let Some(next) = next else { return true };
    match &next.token {
        Token::Word(word) => ENDS.contains(&word.keyword),
        Token::Comma | Token::RParen | Token::SemiColon | Token::Period => true,
        _ => false,
    }
}

/// What a bracket, or the statement, contains.
#[derive(Default)]
struct Frame {
    /// Whether rows are changed in it, so that neither `ORDER BY` nor `LIMIT` may follow.
    changes: bool,
    /// The number of joins whose condition is still to come.
    joins: usize,
    /// The number of square brackets that are open.
    brackets: usize,
}

/// Words at which a list of tables ends.
const ENDS_OF_TABLES: &[Keyword] = &[
    Keyword::EXCEPT,
    Keyword::FETCH,
    Keyword::FOR,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::INTERSECT,
    Keyword::LIMIT,
    Keyword::OFFSET,
    Keyword::ORDER,
    Keyword::RETURNING,
    Keyword::SET,
    Keyword::UNION,
    Keyword::WHERE,
    Keyword::WINDOW,
];

/// The token of a statement at which PostgreSQL stumbles and the parser does not; the number of tokens for its end.
pub(crate) fn stumbles_at(tokens: &[TokenWithSpan]) -> Option<usize> {
    made_otherwise(tokens).or_else(|| in_queries(tokens))
}

fn in_queries(tokens: &[TokenWithSpan]) -> Option<usize> {
    let word = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
    let is = |at: usize, wanted: &Token| tokens.get(at).is_some_and(|token| token.token == *wanted);
    let queries = tokens.first().is_some_and(|first| WITHOUT_TYPES.contains(&keyword(first)));
    let mut frames = vec![Frame::default()];
    for (at, token) in tokens.iter().enumerate() {
        let last = frames.len() - 1;
        let frame = &mut frames[last];
        let found = match &token.token {
            Token::RParen | Token::Comma | Token::SemiColon if frame.joins > 0 => return Some(at),
            Token::LParen => {
                frames.push(Frame::default());
                continue;
            }
            Token::RParen if last > 0 => {
                frames.pop();
                continue;
            }
            Token::LBracket => {
                let begins = at > 0 && queries && begins_an_expression(&tokens[at - 1]);
                if begins && frame.brackets == 0 {
                    return Some(at);
                }
                frame.brackets += 1;
                continue;
            }
            Token::RBracket => {
                frame.brackets = frame.brackets.saturating_sub(1);
                continue;
            }
            Token::SemiColon => {
                *frame = Frame::default();
                continue;
            }
            Token::SingleQuotedString(_) if queries && at > 0 && word(at - 1, "as") => return Some(at),
            Token::Word(found) => found.keyword,
            _ => continue,
        };
        match found {
            Keyword::DELETE if word(at + 1, "from") && begins_a_change(tokens, at) => frame.changes = true,
            Keyword::UPDATE if begins_a_change(tokens, at) => frame.changes = true,
            Keyword::DO if queries && at > 0 && tokens[at - 1].token == Token::LParen => return Some(at),
            Keyword::ORDER | Keyword::LIMIT if frame.changes => return Some(at),
            Keyword::WITH if queries && is(at + 1, &Token::LParen) => return Some(at),
            Keyword::VALUE if last == 0 && is_list_of_values(tokens, at) => return Some(at),
            Keyword::FETCH if queries && at > 0 => {
                if let Some(end) = ends_without_only(tokens, at) {
                    return Some(end);
                }
            }
            Keyword::BIGINT
            | Keyword::BOOLEAN
            | Keyword::INT
            | Keyword::INTEGER
            | Keyword::REAL
            | Keyword::SMALLINT
                if is(at + 1, &Token::LParen) && at > 0 && !names_a_table(&tokens[at - 1]) =>
            {
                return Some(at + 1);
            }
            Keyword::JOIN if at > 0 && !is(at + 1, &Token::Eq) && !has_no_condition(tokens, at) => {
                frame.joins += 1;
            }
            Keyword::ON | Keyword::USING => frame.joins = frame.joins.saturating_sub(1),
            end if frame.joins > 0 && ENDS_OF_TABLES.contains(&end) => return Some(at),
            _ => {}
        }
    }
    frames.iter().any(|frame| frame.joins > 0).then_some(tokens.len())
}

/// Whether the `VALUE` at `at` stands for `VALUES` in an `INSERT`.
fn is_list_of_values(tokens: &[TokenWithSpan], at: usize) -> bool {
    let before = &tokens[..at];
    is_word(&tokens[0], "insert")
        && at > 2
        && tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen)
        && !is_word(&tokens[at - 1], "into")
        && tokens[at - 1].token != Token::Period
        && !before.iter().any(|token| ["select", "values", "with"].iter().any(|word| is_word(token, word)))
}

/// The token behind `FETCH FIRST … ROWS`, if that is neither `ONLY` nor `WITH TIES`.
fn ends_without_only(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    let word = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
    let rows = (at + 2..at + 6).find(|place| word(*place, "row") || word(*place, "rows"))?;
    let counts = word(at + 1, "first") || word(at + 1, "next");
    (counts && !word(rows + 1, "only") && !word(rows + 1, "with")).then_some(rows + 1)
}

/// Whether the `DELETE` or `UPDATE` at `at` is a statement, not a word of another.
fn begins_a_change(tokens: &[TokenWithSpan], at: usize) -> bool {
    const BEFORE: [&str; 6] = ["also", "analyze", "as", "explain", "instead", "verbose"];
    at == 0
        || matches!(tokens[at - 1].token, Token::LParen | Token::RParen | Token::SemiColon)
        || BEFORE.iter().any(|word| is_word(&tokens[at - 1], word))
}

fn begins_an_expression(before: &TokenWithSpan) -> bool {
    matches!(before.token, Token::Comma | Token::LParen | Token::Eq)
        || BEFORE_EXPRESSIONS.contains(&keyword(before))
}

fn names_a_table(before: &TokenWithSpan) -> bool {
    before.token == Token::Period
        || ["exists", "from", "into", "join", "on", "table", "update"]
            .iter()
            .any(|word| is_word(before, word))
}

/// Whether the `JOIN` at `at` is one of all rows, or of columns of the same name.
fn has_no_condition(tokens: &[TokenWithSpan], at: usize) -> bool {
    let kinds = ["left", "right", "full", "inner", "outer"];
    let before = tokens[..at].iter().rev().find(|token| !kinds.iter().any(|kind| is_word(token, kind)));
    before.is_some_and(|token| {
        is_word(token, "cross") || is_word(token, "natural") || token.token == Token::Period
    })
}

/// Where a definition has words of other databases.
fn made_otherwise(tokens: &[TokenWithSpan]) -> Option<usize> {
    let word = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
    let end = tokens.len();
    let is_last = |at: usize| at > 0 && (word(at, "cascade") || word(at, "restrict"));
    match () {
        () if word(0, "create") && word(1, "or") && word(2, "replace") => {
            (end > 3 && !REPLACEABLE.iter().any(|each| word(3, each))).then_some(3)
        }
        () if word(0, "create") && (word(1, "temp") || word(1, "temporary")) => {
            ["aggregate", "function", "procedure", "trigger", "type"]
                .iter()
                .any(|each| word(2, each))
                .then_some(2)
        }
        () if word(0, "create") && word(1, "view") => {
            (end > 4 && word(end - 2, "with") && word(end - 1, "data")).then_some(end - 1)
        }
        () if word(0, "create") && (word(1, "index") || word(2, "index")) => {
            let at = tokens.iter().take(9).position(|token| is_word(token, "exists"))? + 1;
            word(at, "on").then_some(at)
        }
        () if word(0, "alter") && word(1, "type") => {
            let at = tokens.iter().take(8).position(|token| is_word(token, "value"))?;
            let at = at + if word(at + 1, "if") { 4 } else { 1 };
            let is_text = tokens.get(at).is_none_or(|token| {
                matches!(token.token, Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_))
            });
            let is_added = [2, 5].iter().any(|back| at >= *back && word(at - back, "add"));
            (is_added && !is_text).then_some(at)
        }
        () if word(0, "drop") => (end > 2 && is_last(end - 1) && is_last(end - 2)).then_some(end - 1),
        () => None,
    }
}
