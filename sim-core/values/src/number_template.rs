//! Templates of numbers: `to_char` prints by them, `to_number` reads.

use crate::decimal::Decimal;
use crate::error::{Result, SqlError, SqlState};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    /// `9` or `0`: a digit. A leading `0` is printed.
    Digit {
        zero: bool,
    },
    Point,
    Group,
    Literal(char),
    /// `MI`: a minus at this place.
    Minus,
    /// `PL`: a plus at this place.
    Plus,
    /// `S`, `SG`: the sign.
    Sign {
        anchored: bool,
    },
    /// `PR`: angle brackets around a negative number.
    Brackets,
    Ordinal {
        capital: bool,
    },
    Roman {
        capital: bool,
    },
    Currency,
    /// `EEEE`: the whole number with an exponent.
    Exponent,
}

/// A template such as `FM9,990.00`.
pub struct Template {
    tokens: Vec<Token>,
    fill: bool,
}

impl Template {
    /// The bytes that a template takes: each of its characters may be a token.
    #[must_use]
    pub fn size(text: &str) -> usize {
        text.len().saturating_mul(size_of::<Token>())
    }

    /// Reads a template.
    ///
    /// # Errors
    ///
    /// If it is none, or has `V`.
    pub fn read(text: &str) -> Result<Template> {
        let mut template = Template { tokens: Vec::new(), fill: true };
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            let two = rest.get(..2).map(str::to_ascii_uppercase).unwrap_or_default();
            let (token, length) = match two.as_str() {
                "FM" => {
                    template.fill = false;
                    rest = &rest[2..];
                    continue;
                }
                "MI" => (Token::Minus, 2),
                "PL" => (Token::Plus, 2),
                "SG" => (Token::Sign { anchored: false }, 2),
                "PR" => (Token::Brackets, 2),
                "TH" => (Token::Ordinal { capital: character == 'T' }, 2),
                "RN" => (Token::Roman { capital: character == 'R' }, 2),
                "EE" if rest.len() == 4 && rest.eq_ignore_ascii_case("EEEE") => (Token::Exponent, 4),
                "EE" if rest.get(..4).is_some_and(|four| four.eq_ignore_ascii_case("EEEE")) => {
                    let message = "\"EEEE\" must be the last pattern used";
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
                _ => match character {
                    '9' => (Token::Digit { zero: false }, 1),
                    '0' => (Token::Digit { zero: true }, 1),
                    '.' | 'D' | 'd' => (Token::Point, 1),
                    ',' | 'G' | 'g' => (Token::Group, 1),
                    'S' | 's' => (Token::Sign { anchored: true }, 1),
                    'L' | 'l' => (Token::Currency, 1),
                    'B' | 'b' => {
                        rest = &rest[1..];
                        continue;
                    }
                    'V' | 'v' => return Err(SqlError::unsupported("the number template V")),
                    '"' => {
                        let end = rest[1..].find('"').map_or(rest.len(), |end| end + 1);
                        template.tokens.extend(rest[1..end].chars().map(Token::Literal));
                        rest = rest.get(end + 1..).unwrap_or("");
                        continue;
                    }
                    other => (Token::Literal(other), other.len_utf8()),
                },
            };
            if token == Token::Point && template.tokens.contains(&Token::Point) {
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, "multiple decimal points"));
            }
            template.tokens.push(token);
            rest = &rest[length..];
        }
        Ok(template)
    }

    /// The number as `to_char` prints it.
    #[must_use]
    pub fn print(&self, number: &Decimal) -> String {
        if let Some(Token::Roman { capital }) =
            self.tokens.iter().find(|token| matches!(token, Token::Roman { .. }))
        {
            let text = roman(&number.rounded(0));
            let text = if self.fill { format!("{text:>15}") } else { text };
            return if *capital { text } else { text.to_lowercase() };
        }
        let (before, after) = self.digits();
        if self.tokens.contains(&Token::Exponent) {
            return with_exponent(number, after);
        }
        let rounded = number.rounded(after as i64);
        let text = rounded.absolute().to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        // A zero before the point is not printed if digits follow the point.
        let bare = !self.fill && fraction.bytes().all(|digit| digit == b'0') && before > 0;
        let whole = if whole == "0" && (after > 0 || before == 0) && !bare { "" } else { whole };
        let printer = Printer {
            negative: rounded.is_negative(),
            overflow: whole.len() > before,
            whole: (" ".repeat(before.saturating_sub(whole.len())) + whole).into_bytes(),
            fraction: fraction.as_bytes().to_vec(),
            signed: self
                .tokens
                .iter()
                .any(|token| matches!(token, Token::Minus | Token::Sign { .. } | Token::Brackets)),
        };
        printer.print(self)
    }

    /// The digits of the number in a text that the template printed.
    ///
    /// # Errors
    ///
    /// If there is no digit, or a sign for which the template has no place.
    pub fn number(&self, given: &str) -> Result<String> {
        let text = given.trim();
        if text.contains(|sign: char| sign.is_ascii_digit()) && !text.chars().all(|sign| self.reads(sign)) {
            return Err(SqlError::unsupported("to_number of a text with other signs than its template has"));
        }
        let kept: String =
            text.chars().filter(|character| character.is_ascii_digit() || *character == '.').collect();
        let (before, after) = self.digits();
        let (given_whole, given_fraction) = kept.split_once('.').unwrap_or((&kept, ""));
        let whole = &given_whole[..given_whole.len().min(before)];
        let fraction = &given_fraction[..given_fraction.len().min(after)];
        // A sign behind the digits is read if the template has a place for it there, and comes to it.
        let is_read = whole.len() == given_whole.len() && fraction.len() == given_fraction.len();
        let (leading, trailing) = text.split_at(text.find(|sign: char| sign.is_ascii_digit()).unwrap_or(0));
        let negative = leading.contains('-')
            || (trailing.contains('-') && is_read && self.has_sign_behind())
            || (text.starts_with('<') && self.tokens.contains(&Token::Brackets));
        if whole.is_empty() && fraction.is_empty() {
            let shown = if given.is_empty() { " " } else { given };
            let message = format!("invalid input syntax for type numeric: \"{shown}\"");
            return Err(SqlError::new(SqlState::INVALID_TEXT, message));
        }
        let sign = if negative { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        Ok(format!("{sign}0{whole}{point}{fraction}"))
    }

    fn has_sign_behind(&self) -> bool {
        let behind = self.tokens.iter().rev().take_while(|token| !is_digit(token));
        let mut behind = behind.filter(|token| matches!(token, Token::Minus | Token::Sign { .. }));
        behind.next().is_some() || self.tokens.contains(&Token::Sign { anchored: true })
    }

    fn reads(&self, sign: char) -> bool {
        match sign {
            '.' => self.tokens.contains(&Token::Point),
            ',' => self.tokens.contains(&Token::Group),
            sign => {
                sign.is_ascii_digit()
                    || " -+<>$".contains(sign)
                    || self.tokens.contains(&Token::Literal(sign))
                    || self.tokens.iter().any(|token| matches!(token, Token::Ordinal { .. }))
            }
        }
    }

    /// The number of digits before and after the point.
    fn digits(&self) -> (usize, usize) {
        let point = self.tokens.iter().position(|token| *token == Token::Point);
        let (before, after) = self.tokens.split_at(point.unwrap_or(self.tokens.len()));
        let count =
            |tokens: &[Token]| tokens.iter().filter(|token| matches!(token, Token::Digit { .. })).count();
        (count(before), count(after))
    }
}

/// A number with one digit before the point and an exponent.
fn with_exponent(number: &Decimal, after: usize) -> String {
    let text = number.absolute().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let leading = i64::try_from(all.len() - digits.len()).unwrap_or(0);
    let mut exponent = i64::try_from(whole.len()).unwrap_or(0) - 1 - leading;
    if digits.is_empty() {
        exponent = 0;
    }
    let mut kept: Vec<u8> = digits.bytes().chain(std::iter::repeat(b'0')).take(after + 1).collect();
    if digits.as_bytes().get(after + 1).is_some_and(|next| *next >= b'5') {
        let nines = kept.iter().rev().take_while(|digit| **digit == b'9').count();
        let end = kept.len();
        kept[end - nines..].fill(b'0');
        match end.checked_sub(nines + 1) {
            Some(last) => kept[last] += 1,
            None => {
                kept[0] = b'1';
                exponent += 1;
            }
        }
    }
    let digits: String = kept.into_iter().map(char::from).collect();
    let sign = if number.is_negative() { '-' } else { ' ' };
    let (first, rest) = digits.split_at(1);
    let point = if after > 0 { "." } else { "" };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}{point}{rest}e{exponent_sign}{:02}", exponent.abs())
}

struct Printer {
    negative: bool,
    overflow: bool,
    /// The digits before the point, padded with blanks.
    whole: Vec<u8>,
    fraction: Vec<u8>,
    signed: bool,
}

impl Printer {
    fn print(&self, template: &Template) -> String {
        let mut out = String::new();
        let first_zero = self.first_forced(template);
        let last_kept = self.last_kept(template);
        let (mut index, mut place, mut in_fraction, mut sign_done) = (0, 0, false, self.signed);
        let mut pending_sign = false;
        for (at, token) in template.tokens.iter().enumerate() {
            match *token {
                Token::Digit { .. } if in_fraction => {
                    let digit = self.fraction.get(place).copied().unwrap_or(b'0');
                    if template.fill || self.overflow || place < last_kept {
                        out.push(if self.overflow { '#' } else { char::from(digit) });
                    }
                    place += 1;
                }
                Token::Digit { .. } => {
                    let digit = self.whole.get(index).copied().unwrap_or(b' ');
                    let shown = digit != b' ' || index >= first_zero || self.overflow;
                    if shown && !sign_done {
                        out.push_str(self.leading_sign(template.fill));
                        sign_done = true;
                    }
                    if shown && pending_sign {
                        out.push(if self.negative { '-' } else { '+' });
                        pending_sign = false;
                    }
                    match (shown, digit) {
                        _ if self.overflow => out.push('#'),
                        (true, b' ') => out.push('0'),
                        (true, digit) => out.push(char::from(digit)),
                        (false, _) if template.fill => out.push(' '),
                        (false, _) => {}
                    }
                    index += 1;
                }
                Token::Group => {
                    let started =
                        self.whole.get(..index).is_some_and(|digits| digits.iter().any(|d| *d != b' '))
                            || index > first_zero;
                    match (started, template.fill) {
                        (true, _) => out.push(','),
                        (false, true) => out.push(' '),
                        (false, false) => {}
                    }
                }
                Token::Point => {
                    if !sign_done {
                        out.push_str(self.leading_sign(template.fill));
                        sign_done = true;
                    }
                    if pending_sign {
                        out.push(if self.negative { '-' } else { '+' });
                        pending_sign = false;
                    }
                    in_fraction = true;
                    if template.digits().1 > 0 || self.overflow {
                        out.push('.');
                    }
                }
                Token::Minus => match (self.negative, template.fill) {
                    (true, _) => out.push('-'),
                    (false, true) => out.push(' '),
                    (false, false) => {}
                },
                Token::Plus => match (self.negative, template.fill) {
                    (false, _) => out.push('+'),
                    (true, true) => out.push(' '),
                    (true, false) => {}
                },
                Token::Sign { anchored: true } if template.tokens[at..].iter().any(is_digit) => {
                    pending_sign = true;
                }
                Token::Sign { .. } => out.push(if self.negative { '-' } else { '+' }),
                Token::Ordinal { capital } if !self.negative && !in_fraction && !self.overflow => {
                    let suffix = ordinal(&out);
                    out.push_str(&if capital { suffix.to_uppercase() } else { suffix.to_owned() });
                }
                Token::Ordinal { .. } | Token::Brackets | Token::Roman { .. } | Token::Exponent => {}
                Token::Currency if template.fill => out.push(' '),
                Token::Currency => {}
                Token::Literal(character) => out.push(character),
            }
        }
        self.bracketed(template, out)
    }

    fn bracketed(&self, template: &Template, out: String) -> String {
        if !template.tokens.contains(&Token::Brackets) {
            return out;
        }
        match (self.negative, template.fill) {
            (true, _) => {
                let digits = out.trim_start();
                format!("{}<{digits}>", &out[..out.len() - digits.len()])
            }
            (false, true) => format!(" {out} "),
            (false, false) => out,
        }
    }

    fn leading_sign(&self, fill: bool) -> &'static str {
        match (self.negative, fill) {
            (true, _) => "-",
            (false, true) => " ",
            (false, false) => "",
        }
    }

    /// The first position before the point that is always printed.
    fn first_forced(&self, template: &Template) -> usize {
        let digits = template.tokens.iter().take_while(|token| **token != Token::Point);
        let mut zeros = digits.filter_map(|token| match token {
            Token::Digit { zero } => Some(*zero),
            _ => None,
        });
        zeros.position(|zero| zero).unwrap_or(usize::MAX)
    }

    /// The number of digits after the point that are printed without fill. Trailing zeros are left out unless requested.
    fn last_kept(&self, template: &Template) -> usize {
        let significant = self.fraction.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        let fraction = template.tokens.iter().skip_while(|token| **token != Token::Point);
        let zeros: Vec<bool> = fraction
            .filter_map(|token| match token {
                Token::Digit { zero } => Some(*zero),
                _ => None,
            })
            .collect();
        significant.max(zeros.iter().rposition(|zero| *zero).map_or(0, |last| last + 1))
    }
}

fn is_digit(token: &Token) -> bool {
    matches!(token, Token::Digit { .. })
}

fn roman(number: &Decimal) -> String {
    const PARTS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = number.to_float() as i64;
    if !(1..4000).contains(&left) {
        return "#".repeat(15);
    }
    let mut text = String::new();
    for (value, letters) in PARTS {
        while left >= value {
            text.push_str(letters);
            left -= value;
        }
    }
    text
}

/// `st`, `nd`, `rd` or `th`.
#[must_use]
pub fn ordinal(digits: &str) -> &'static str {
    let digits = digits.trim();
    let teen = digits.len() > 1 && digits.as_bytes()[digits.len() - 2] == b'1';
    match digits.bytes().last() {
        Some(b'1') if !teen => "st",
        Some(b'2') if !teen => "nd",
        Some(b'3') if !teen => "rd",
        _ => "th",
    }
}
