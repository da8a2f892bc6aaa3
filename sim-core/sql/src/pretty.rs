//! Expressions without the brackets that are not needed: those of PostgreSQL's definitions for people.

/// What an expression is at its outermost level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A name, a literal, a call.
    Atom,
    /// An operator between two operands; its rank if it is arithmetic.
    Operator(Option<u8>),
    /// `IS NULL` and `IS NOT NULL`, or another test.
    Null,
    Test,
    /// `= ANY (…)`, `EXISTS (…)`
    Sought,
    And,
    Or,
    Not,
    Case,
}

/// An expression in which each operation has its brackets, without those that are not needed.
pub(crate) fn pretty(text: &str) -> String {
    match bracketed(text) {
        Some(inner) if is_query(inner) => text.to_owned(),
        Some(inner) if seeks(inner) || is_zoned(inner) => format!("({})", bare(inner)),
        inner => bare(inner.unwrap_or(text)),
    }
}

/// Whether a text within brackets is a query, which is already without needless ones.
fn is_query(inner: &str) -> bool {
    [" SELECT ", " SELECT\n", " VALUES ", " WITH "].iter().any(|word| inner.starts_with(word))
}

/// Whether an expression is `x AT TIME ZONE y`, which keeps its brackets.
fn is_zoned(text: &str) -> bool {
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if text[at..].starts_with(" AT TIME ZONE ") {
            return true;
        }
        at = if matches!(next, '(' | '[' | '\'' | '"') { end_of(text, at) } else { at + next.len_utf8() };
    }
    false
}

/// Whether an expression asks something of a query, as `EXISTS` does. Its brackets belong to it.
fn seeks(text: &str) -> bool {
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let end =
            if matches!(next, '(' | '[' | '\'' | '"') { end_of(text, at) } else { at + next.len_utf8() };
        if next == '(' && end == text.len() {
            let sought = [" IN ", "EXISTS ", " ANY ", " ALL "].iter().any(|word| text[..at].ends_with(word));
            return sought && is_query(&text[at + 1..end - 1]);
        }
        at = end;
    }
    false
}

/// The text between brackets that enclose all of it.
fn bracketed(text: &str) -> Option<&str> {
    (text.starts_with('(') && end_of(text, 0) == text.len()).then(|| &text[1..text.len() - 1])
}

/// The same for what stands between brackets.
fn bare(text: &str) -> String {
    let parent = kind_of(text);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(next) = text[at..].chars().next() {
        let end =
            if matches!(next, '(' | '[' | '\'' | '"') { end_of(text, at) } else { at + next.len_utf8() };
        let part = &text[at..end];
        match next {
            '(' => {
                let inner = &part[1..part.len() - 1];
                let is_first = out.is_empty();
                let cast = text[end..].starts_with("::");
                let kept = match (is_ordered(&text[..at]), inner.strip_prefix("WHERE ")) {
                    _ if text[..at].ends_with("POSITION") => Some(inner.to_owned()),
                    (true, _) => Some(window(inner)),
                    (_, Some(condition)) => Some(format!("WHERE {}", pretty(condition))),
                    _ if text[end..].starts_with(['[', '.']) => Some(bare(inner)),
                    _ => None,
                };
                if let Some(kept) = kept {
                    out.push_str(&format!("({kept})"));
                    at = end;
                    continue;
                }
                if is_query(inner) {
                    let operand =
                        matches!(parent, Kind::Operator(_) | Kind::Null | Kind::Test | Kind::Sought);
                    let own = is_call(text, at) || !operand;
                    out.push_str(&if own { part.to_owned() } else { format!("({part})") });
                } else if cast && bracketed(inner).is_some_and(is_query) {
                    out.push_str(part);
                } else if is_call(text, at) {
                    out.push_str(&format!("({})", list(inner)));
                } else if is_needed(kind_of(inner), parent, cast, is_first) || seeks(inner) || is_zoned(inner)
                {
                    out.push_str(&format!("({})", bare(inner)));
                } else {
                    out.push_str(&bare(inner));
                }
            }
            '[' => out.push_str(&format!("[{}]", list(&part[1..part.len() - 1]))),
            _ => out.push_str(part),
        }
        at = end;
    }
    out
}

/// Whether what follows in brackets has keys of an order.
fn is_ordered(before: &str) -> bool {
    before.ends_with("OVER ") || before.ends_with("WITHIN GROUP ")
}

/// The parts of a window, whose keys keep their brackets.
fn window(text: &str) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(next) = text[at..].chars().next() {
        let end =
            if matches!(next, '(' | '[' | '\'' | '"') { end_of(text, at) } else { at + next.len_utf8() };
        let part = &text[at..end];
        out.push_str(&match next {
            '(' if is_call(text, at) => format!("({})", list(&part[1..part.len() - 1])),
            '(' if text[end..].starts_with("::") => {
                let inner = &part[1..part.len() - 1];
                let bracketed = is_needed(kind_of(inner), Kind::Atom, true, true);
                if bracketed { format!("({})", bare(inner)) } else { bare(inner) }
            }
            '(' => format!("({})", bare(&part[1..part.len() - 1])),
            _ => part.to_owned(),
        });
        at = end;
    }
    out
}

/// The same for each expression of a list. Those of an order at its end keep their brackets.
pub(crate) fn list(text: &str) -> String {
    let (mut items, mut from, mut at, mut order) = (Vec::new(), 0, 0, text.len());
    while let Some(next) = text[at..].chars().next() {
        if order == text.len() && text[at..].starts_with(" ORDER BY ") {
            order = at;
        }
        if next == ',' && at < order {
            items.push(&text[from..at]);
            from = at + 1;
        }
        at = if matches!(next, '(' | '[' | '\'' | '"') { end_of(text, at) } else { at + next.len_utf8() };
    }
    items.push(&text[from..order]);
    let shown = items.iter().map(|item| {
        let trimmed = item.trim_start();
        format!("{}{}", &item[..item.len() - trimmed.len()], pretty(trimmed))
    });
    shown.collect::<Vec<_>>().join(",") + &window(&text[order..])
}

/// Whether an expression within another keeps its brackets.
fn is_needed(inner: Kind, parent: Kind, cast: bool, is_first: bool) -> bool {
    match (inner, parent) {
        (Kind::Atom | Kind::Case, _) => false,
        (_, Kind::Case) => false,
        _ if cast => true,
        (Kind::Operator(Some(own)), Kind::Operator(Some(of))) => own < of || own == of && !is_first,
        (Kind::Operator(_) | Kind::Null | Kind::Test, Kind::And | Kind::Or | Kind::Not) => false,
        (Kind::And | Kind::Not, Kind::And | Kind::Or) | (Kind::Or, Kind::Or) => false,
        _ => true,
    }
}

/// Whether a bracket at `at` begins the arguments of a call, or what else belongs to the word before it.
fn is_call(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let words = ["CHECK ", "ANY ", "ALL ", "OVER ", "IN ", "EXISTS ", "FILTER ", "ARRAY", "ROW"];
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"')
        || words.iter().any(|word| before.ends_with(word))
}

fn kind_of(text: &str) -> Kind {
    if text.starts_with("NOT ") {
        return Kind::Not;
    }
    if text.trim_start().starts_with("CASE") && text.ends_with("END") {
        return Kind::Case;
    }
    if text.starts_with("EXISTS ") {
        return Kind::Sought;
    }
    if text.starts_with("- ") {
        return Kind::Operator(None);
    }
    let (mut at, mut found) = (0, Kind::Atom);
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with(" AND ") {
            return Kind::And;
        }
        if rest.starts_with(" OR ") {
            return Kind::Or;
        }
        if rest.starts_with(" IS ") {
            let null = rest == " IS NULL" || rest == " IS NOT NULL";
            found = if null { Kind::Null } else { Kind::Test };
        } else if rest.starts_with(" IN (") || rest.starts_with(" ANY (") || rest.starts_with(" ALL (") {
            return Kind::Sought;
        } else if next == ' ' && found == Kind::Atom {
            let word: String = rest[1..].chars().take_while(|c| *c != ' ').collect();
            if word.starts_with("OPERATOR(") {
                found = Kind::Operator(None);
            }
            let is_operator =
                !word.is_empty() && word.chars().all(|c| "+-*/<>=~!@#%^&|`?".contains(c)) && at > 0;
            if is_operator {
                found = Kind::Operator(match word.as_str() {
                    "+" | "-" => Some(1),
                    "*" | "/" | "%" => Some(2),
                    _ => None,
                });
            }
        }
        at = if matches!(next, '(' | '[' | '\'' | '"') { end_of(text, at) } else { at + next.len_utf8() };
    }
    found
}

/// The end of the bracket, literal or quoted name that begins at `at`.
fn end_of(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    if matches!(bytes[at], b'\'' | b'"') {
        let end = text[at + 1..].find(char::from(bytes[at]));
        return end.map_or(text.len(), |end| at + end + 2);
    }
    let (mut depth, mut place) = (0_usize, at);
    while let Some(byte) = bytes.get(place) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'\'' | b'"' => {
                place = end_of(text, place);
                continue;
            }
            _ => {}
        }
        place += 1;
        if depth == 0 {
            return place;
        }
    }
    text.len()
}
