//! Queries in forms that the parser does not read, as the same queries in forms that it reads.

use sqlparser::ast;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::source::{is_word, keyword};

/// Begins the keys of a `GROUP BY DISTINCT`.
pub(crate) const DISTINCT_SETS: &str = "\u{4}distinct";

/// Ends the sources of `ROWS FROM`, as a source that is joined to them; the second one is for those with an ordinal number.
pub(crate) const ROWS: [&str; 2] = ["\u{4}rows", "\u{4}rows with ordinality"];

/// The name of a function of `ROWS FROM` for which columns are defined.
pub(crate) const DEFINED: &str = "\u{4}row";

/// The names of the queries that stand for clauses of the recursive query before them.
pub(crate) const CLAUSES: [&str; 3] = ["\u{4}search depth", "\u{4}search breadth", "\u{4}cycle"];

/// What an open bracket is written for.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Any,
    /// A list of values that becomes a query.
    Values,
    /// The functions of `ROWS FROM`, which become a join.
    Rows,
}

/// The name of a list of values in a query that is made from them.
pub(crate) const VALUES: &str = "*VALUES*";

/// Rewrites `TABLE t`, `ANY (VALUES …)`, `(VALUES …)` as a value, `SELECT` without targets, `ROWS FROM`, and the quantifiers of `GROUP BY`.
pub(crate) fn rewrite(statement: &mut Vec<TokenWithSpan>) {
    if !(0..statement.len()).any(|at| may_be_in_a_form(statement, at)) {
        return;
    }
    let mut out = Vec::with_capacity(statement.len());
    let mut open: Vec<Open> = Vec::new();
    let mut skipped = 0;
    for (at, token) in statement.iter().enumerate() {
        if skipped > 0 {
            skipped -= 1;
            continue;
        }
        let is = |at: usize, word: &str| statement.get(at).is_some_and(|token| is_word(token, word));
        let added = |new: Token| TokenWithSpan { token: new, span: empty(token) };
        match &token.token {
            Token::LParen if after_rows_from(&out, statement, at) => {
                open.push(Open::Rows);
                out.truncate(out.len() - 2);
                if out.last().is_some_and(|last| is_word(last, "lateral")) {
                    out.pop();
                }
                out.push(token.clone());
            }
            Token::LParen => {
                if open.last() == Some(&Open::Rows) && at > 0 && is(at - 1, "as") {
                    out.push(added(Token::make_word(DEFINED, Some('"'))));
                }
                let values = is(at + 1, "values") && holds_a_query(statement, at);
                open.push(if values { Open::Values } else { Open::Any });
                out.push(token.clone());
                if values {
                    out.extend(["select", "*", "from"].map(|word| added(symbol(word))));
                    out.push(added(Token::LParen));
                }
            }
            Token::RParen => {
                let closed = open.pop();
                if closed == Some(Open::Values) {
                    out.extend([Token::RParen, symbol("as"), Token::make_word(VALUES, Some('"'))].map(added));
                }
                if closed == Some(Open::Rows) {
                    let numbered = is(at + 1, "with") && is(at + 2, "ordinality");
                    skipped = if numbered { 2 } else { 0 };
                    let name = Token::make_word(ROWS[usize::from(numbered)], Some('"'));
                    out.extend([symbol("cross"), symbol("join"), name].map(added));
                }
                out.push(token.clone());
            }
            Token::Comma if open.last() == Some(&Open::Rows) => {
                out.extend(["cross", "join"].map(|word| added(symbol(word))));
            }
            _ if out.last().is_some_and(|last| last.token == Token::RParen)
                && let Some((clause, read)) = clause_of_recursion(&statement[at..]) =>
            {
                out.extend(clause);
                skipped = read - 1;
            }
            _ if is_word(token, "table") && begins_a_query(statement, at) => {
                out.extend(["select", "*", "from"].map(|word| added(symbol(word))));
            }
            _ if is_word(token, "select") && has_no_targets(statement, at) => {
                out.push(token.clone());
                let number = Token::Number("1".to_owned(), false);
                let row = [symbol("from"), Token::LParen, symbol("select"), number, Token::RParen];
                let named = [symbol("as"), Token::make_word(VALUES, Some('"'))];
                let span = Span { start: token.span.end, end: token.span.end };
                out.extend(row.into_iter().chain(named).map(|token| TokenWithSpan { token, span }));
            }
            _ if at > 1 && is(at - 1, "by") && is(at - 2, "group") && is_word(token, "all") => {}
            _ if at > 1 && is(at - 1, "by") && is(at - 2, "group") && is_word(token, "distinct") => {
                out.extend([Token::make_word(DISTINCT_SETS, Some('"')), Token::Comma].map(added));
            }
            _ => out.push(token.clone()),
        }
    }
    *statement = out;
}

/// Whether the word at `at` may be one of a form that is rewritten.
fn may_be_in_a_form(statement: &[TokenWithSpan], at: usize) -> bool {
    match keyword(&statement[at]) {
        Keyword::CYCLE
        | Keyword::DISTINCT
        | Keyword::GROUP
        | Keyword::ROWS
        | Keyword::SEARCH
        | Keyword::TABLE
        | Keyword::VALUES => true,
        Keyword::SELECT => has_no_targets(statement, at),
        _ => false,
    }
}

/// A `SEARCH` or `CYCLE` clause as one more query of the `WITH`, whose columns are its words, and the number of its tokens.
fn clause_of_recursion(tokens: &[TokenWithSpan]) -> Option<(Vec<TokenWithSpan>, usize)> {
    let is = |at: usize, words: &[&str]| {
        tokens.get(at).is_some_and(|token| words.iter().any(|word| is_word(token, word)))
    };
    let (kind, mut at) = match () {
        () if is(0, &["cycle"]) => (2, 1),
        () if is(0, &["search"]) && is(1, &["depth", "breadth"]) && is(2, &["first"]) && is(3, &["by"]) => {
            (usize::from(is(1, &["breadth"])), 4)
        }
        () => return None,
    };
    let added = |new: Token| TokenWithSpan { token: new, span: empty(&tokens[0]) };
    let name = Token::make_word(CLAUSES[kind], Some('"'));
    let mut clause: Vec<TokenWithSpan> =
        [Token::Comma, name, symbol("as"), Token::LParen, symbol("select")].map(added).into();
    let word = |at: &mut usize, clause: &mut Vec<TokenWithSpan>| {
        let token = tokens.get(*at).filter(|token| matches!(token.token, Token::Word(_)))?;
        clause.push(token.clone());
        *at += 1;
        Some(())
    };
    loop {
        word(&mut at, &mut clause)?;
        clause.push(added(Token::Comma));
        if tokens.get(at)?.token != Token::Comma {
            break;
        }
        at += 1;
    }
    is(at, &["set"]).then_some(())?;
    at += 1;
    word(&mut at, &mut clause)?;
    if kind == 2 {
        for (begins, ends, usual) in [("to", "default", "true"), ("default", "using", "false")] {
            clause.push(added(Token::Comma));
            if !is(at, &[begins]) {
                clause.push(added(symbol(usual)));
                continue;
            }
            let length = tokens[at + 1..].iter().position(|token| is_word(token, ends))?;
            clause.extend_from_slice(&tokens[at + 1..at + 1 + length]);
            at += 1 + length;
        }
        is(at, &["using"]).then_some(())?;
        at += 1;
        clause.push(added(Token::Comma));
        word(&mut at, &mut clause)?;
    }
    clause.push(added(Token::RParen));
    Some((clause, at))
}

/// The list of values that a query was written as.
pub(crate) fn values_alone(select: &ast::Select) -> Option<&ast::Query> {
    let ([ast::SelectItem::Wildcard(_)], [from]) = (&select.projection[..], &select.from[..]) else {
        return None;
    };
    match &from.relation {
        ast::TableFactor::Derived { subquery, alias: Some(alias), .. } if alias.name.value == VALUES => {
            Some(&**subquery).filter(|_| from.joins.is_empty())
        }
        _ => None,
    }
}

/// The place before a token, for those that are put there.
fn empty(token: &TokenWithSpan) -> Span {
    Span { start: token.span.start, end: token.span.start }
}

fn symbol(word: &str) -> Token {
    if word == "*" { Token::Mul } else { Token::make_word(word, None) }
}

/// Whether the bracket at `at`, with a list of values in it, is a value, the operand of `ANY` or `ALL`, or the source of an assignment.
fn holds_a_query(tokens: &[TokenWithSpan], at: usize) -> bool {
    const BEFORE: [&str; 26] = [
        "all",
        "and",
        "any",
        "between",
        "by",
        "case",
        "distinct",
        "else",
        "having",
        "ilike",
        "is",
        "like",
        "limit",
        "not",
        "offset",
        "on",
        "or",
        "return",
        "returning",
        "select",
        "set",
        "similar",
        "some",
        "then",
        "when",
        "where",
    ];
    let Some(before) = at.checked_sub(1) else { return false };
    let word = |words: &[&str]| words.iter().any(|word| is_word(&tokens[before], word));
    match tokens[before].token {
        Token::Comma => is_among_values(tokens, before),
        Token::LParen => before > 0 && (holds_a_query(tokens, before) || is_call(tokens, before)),
        Token::Word(_) => word(&BEFORE) || is_target(tokens, before),
        Token::RParen | Token::Period | Token::RBracket | Token::SemiColon => false,
        _ => true,
    }
}

/// Whether the name that ends at `at` is that of the table of an `INSERT`.
fn is_target(tokens: &[TokenWithSpan], at: usize) -> bool {
    match at.checked_sub(1).map(|before| &tokens[before].token) {
        Some(Token::Period) => at > 1 && is_target(tokens, at - 2),
        Some(_) => is_word(&tokens[at - 1], "into"),
        None => false,
    }
}

/// Whether the bracket at `at` has the arguments of a call or a row of values in it.
fn is_call(tokens: &[TokenWithSpan], at: usize) -> bool {
    const TABLES: [&str; 12] = [
        "as",
        "except",
        "exists",
        "from",
        "in",
        "intersect",
        "join",
        "lateral",
        "materialized",
        "only",
        "union",
        "using",
    ];
    match &tokens[at - 1].token {
        Token::Word(_) => !TABLES.iter().any(|word| is_word(&tokens[at - 1], word)),
        Token::Comma => is_among_values(tokens, at - 1),
        _ => false,
    }
}

/// Whether the comma at `at` stands in a list of values, and not in one of tables.
fn is_among_values(tokens: &[TokenWithSpan], at: usize) -> bool {
    let mut depth = 0;
    for place in (0..at).rev() {
        match tokens[place].token {
            Token::RParen | Token::RBracket => depth += 1,
            Token::LParen | Token::LBracket if depth == 0 => {
                return place > 0 && (is_call(tokens, place) || tokens[place].token == Token::LBracket);
            }
            Token::LParen | Token::LBracket => depth -= 1,
            Token::Word(_) if depth == 0 => {
                let is = |words: &[&str]| words.iter().any(|word| is_word(&tokens[place], word));
                if is(&["from", "using", "with"]) {
                    return false;
                }
                if is(&["select", "by", "set", "returning", "execute"]) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether the bracket at `at` follows the words `ROWS FROM` and opens a list of functions. `rows` may also be the last target of a
/// query of a bracket.
fn after_rows_from(before: &[TokenWithSpan], tokens: &[TokenWithSpan], at: usize) -> bool {
    let [.., introduced, rows, from] = before else { return false };
    let joined = ["from", "join", "lateral", "using"].iter().any(|word| is_word(introduced, word));
    let joined = joined || matches!(introduced.token, Token::Comma | Token::LParen);
    let next = |ahead: usize| tokens.get(at + ahead).map(|token| &token.token);
    joined
        && is_word(rows, "rows")
        && is_word(from, "from")
        && matches!(next(1), Some(Token::Word(_)))
        && matches!(next(2), Some(Token::LParen | Token::Period))
}

/// Whether `TABLE` at a place is a query, not a word of a definition.
fn begins_a_query(statement: &[TokenWithSpan], at: usize) -> bool {
    const QUERIES: [&str; 9] =
        ["select", "with", "values", "insert", "table", "explain", "declare", "update", "delete"];
    let only = statement.get(at + 1).is_some_and(|token| is_word(token, "only"));
    if !names_a_table(statement.get(at + 1 + usize::from(only))) {
        return false;
    }
    let first = |words: &[&str]| words.iter().any(|word| is_word(&statement[0], word));
    match at.checked_sub(1).map(|before| &statement[before]) {
        None => true,
        Some(before) if before.token == Token::LParen => true,
        // Any word may be the name of a result.
        Some(before) if is_word(before, "as") => first(&["create", "prepare"]),
        // `SELECT … INTO TEMP TABLE t` creates one.
        Some(before)
            if ["into", "temp", "temporary", "unlogged"].iter().any(|word| is_word(before, word)) =>
        {
            false
        }
        Some(before) => before.token != Token::Period && first(&QUERIES),
    }
}

fn names_a_table(token: Option<&TokenWithSpan>) -> bool {
    token.is_some_and(|token| matches!(token.token, Token::Word(_)))
}

/// Whether the `SELECT` at `at` ends there, or reads no rows and has only a condition.
fn has_no_targets(tokens: &[TokenWithSpan], at: usize) -> bool {
    let begins = at == 0
        || tokens[at - 1].token == Token::LParen
        || ["all", "as", "except", "intersect", "union"].iter().any(|word| is_word(&tokens[at - 1], word));
    begins
        && match tokens.get(at + 1) {
            None => true,
            Some(next) => {
                next.token == Token::RParen
                    || ["except", "intersect", "union", "where"].iter().any(|word| is_word(next, word))
            }
        }
}
