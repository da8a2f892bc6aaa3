//! Reads a pattern of PostgreSQL character by character, and writes it in the library's syntax.

use std::collections::BTreeSet;

use super::{Options, REPEAT_MAX, SIZE_MAX, UNBALANCED, complex, invalid};
use crate::backtracking::Cost;
use crate::error::{Result, SqlError};

/// The pattern in the library's syntax, and what it costs if it has look-around or back references.
pub(super) fn translate(options: &mut Options, pattern: &str) -> Result<(String, Option<Cost>)> {
    let mut translator = Translator {
        options,
        out: String::new(),
        rest: pattern.chars().peekable(),
        open: vec![Group::default()],
        closed: BTreeSet::new(),
        groups: 0,
        backtracks: false,
        behind: 0,
    };
    translator.run()?;
    let cost = translator.done()?;
    Ok((translator.out, cost))
}

struct Translator<'a> {
    options: &'a mut Options,
    out: String,
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    /// The whole pattern, and the groups that are open.
    open: Vec<Group>,
    /// The numbers of the groups that are closed.
    closed: BTreeSet<usize>,
    /// How many groups have a number.
    groups: usize,
    /// Whether the pattern has look-around or back references.
    backtracks: bool,
    /// About the memory of all patterns that look behind, to which the library sets no limit.
    behind: usize,
}

#[derive(Default)]
struct Group {
    number: Option<usize>,
    is_look: bool,
    looks_behind: bool,
    /// Whether it is a look-around, or within one. Then its groups have no numbers.
    looks: bool,
    cost: Cost,
    /// The cost of what a quantifier would apply to.
    last: Cost,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<()> {
        let expanded = self.options.expanded;
        while let Some(character) = self.rest.next() {
            let before = self.out.len();
            match character {
                '\\' => self.escape(false)?,
                '[' if self.edge("[:<:]]") => self.out.push_str("\\b{start}"),
                '[' if self.edge("[:>:]]") => self.out.push_str("\\b{end}"),
                '[' => self.bracket()?,
                '(' => {
                    self.group()?;
                    continue;
                }
                ')' => {
                    self.close()?;
                    continue;
                }
                '{' if self.bound()? => continue,
                '{' => self.out.push_str("\\{"),
                '*' | '+' | '?' => {
                    self.out.push(character);
                    self.quantified()?;
                    if character != '?' {
                        self.repeated(Cost::endless)?;
                    }
                    continue;
                }
                '#' if expanded => {
                    while self.rest.next_if(|c| *c != '\n').is_some() {}
                    continue;
                }
                blank if expanded && blank.is_whitespace() => continue,
                other => self.out.push(other),
            }
            let atom = Cost::atom(&self.out[before..]);
            self.read(atom);
        }
        Ok(())
    }

    /// The cost of the whole pattern if it must be matched by backtracking.
    fn done(&mut self) -> Result<Option<Cost>> {
        self.read(Cost::default());
        match &self.open[..] {
            [whole] => Ok(self.backtracks.then_some(whole.cost)),
            _ => Err(invalid(UNBALANCED)),
        }
    }

    fn innermost(&mut self) -> &mut Group {
        self.open.last_mut().expect("the whole pattern is always open")
    }

    /// After a part that a quantifier may apply to.
    fn read(&mut self, cost: Cost) {
        let group = self.innermost();
        let before = std::mem::replace(&mut group.last, cost);
        group.cost.add(before);
    }

    fn repeated(&mut self, under: impl Fn(Cost) -> Result<Cost>) -> Result<()> {
        let group = self.innermost();
        group.last = under(group.last)?;
        Ok(())
    }

    /// After a quantifier.
    fn quantified(&mut self) -> Result<()> {
        let lazy = self.rest.next_if_eq(&'?').is_some();
        if lazy {
            self.out.push('?');
        }
        // What a look-around reads is no part of the match, so how much it reads does not matter.
        if !self.innermost().looks {
            self.options.lazy |= lazy;
            self.options.greedy |= !lazy;
        }
        self.no_quantifier()
    }

    fn no_quantifier(&mut self) -> Result<()> {
        match self.rest.peek() {
            Some('*' | '+' | '?') => Err(invalid("quantifier operand invalid")),
            _ => Ok(()),
        }
    }

    /// Consumes the rest of a bracket that means the edge of a word.
    fn edge(&mut self, rest: &str) -> bool {
        let found = self.rest.clone().take(rest.len()).eq(rest.chars());
        if found {
            self.rest.nth(rest.len() - 1);
        }
        found
    }

    fn group(&mut self) -> Result<()> {
        let looks = self.innermost().looks;
        let mut group = Group { looks, ..Group::default() };
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_some() {
            let behind = self.rest.next_if_eq(&'<').is_some();
            match self.rest.next() {
                Some(':') if !behind => self.out.push_str("?:"),
                Some(kind @ ('=' | '!')) => {
                    self.out.push_str(if behind { "?<" } else { "?" });
                    self.out.push(kind);
                    (group.is_look, group.looks, group.looks_behind) = (true, true, behind);
                    self.backtracks = true;
                }
                _ => return Err(invalid("quantifier operand invalid")),
            }
        } else if looks {
            self.out.push_str("?:");
        } else {
            self.groups += 1;
            group.number = Some(self.groups);
        }
        self.read(Cost::default());
        self.open.push(group);
        self.no_quantifier()
    }

    fn close(&mut self) -> Result<()> {
        self.out.push(')');
        self.read(Cost::default());
        let group = self.open.pop().filter(|_| !self.open.is_empty()).ok_or_else(|| invalid(UNBALANCED))?;
        self.closed.extend(group.number);
        if !group.is_look {
            self.read(group.cost);
            return Ok(());
        }
        if group.looks_behind {
            self.behind = self.behind.saturating_add(group.cost.bytes());
            if self.behind > SIZE_MAX {
                return Err(complex());
            }
        }
        self.read(group.cost.looked());
        if self.rest.peek() == Some(&'{') {
            return Err(invalid("quantifier operand invalid"));
        }
        self.no_quantifier()
    }

    /// `{m}`, `{m,}`, `{m,n}`. Returns whether it is one: a brace without a digit after it is literal.
    fn bound(&mut self) -> Result<bool> {
        if !self.rest.peek().is_some_and(char::is_ascii_digit) {
            return Ok(false);
        }
        let mut bound = String::new();
        while let Some(character) = self.rest.next_if(|c| *c != '}') {
            bound.push(character);
        }
        if self.rest.next().is_none() {
            return Err(invalid("braces {} not balanced"));
        }
        let counts: Option<Vec<usize>> =
            bound.split(',').filter(|count| !count.is_empty()).map(|count| count.parse().ok()).collect();
        let counts = counts.filter(|counts| counts.iter().all(|count| *count <= REPEAT_MAX));
        let Some(most) = counts.and_then(|counts| counts.into_iter().max()) else {
            return Err(invalid("invalid repetition count(s)"));
        };
        self.out.push_str(&format!("{{{bound}}}"));
        if bound.contains(',') {
            self.quantified()?;
        } else {
            // Greedy or not, an exact count is the same.
            self.rest.next_if_eq(&'?');
            self.no_quantifier()?;
        }
        self.repeated(|cost| Ok(cost.times(most.max(1))))?;
        if bound.ends_with(',') {
            self.repeated(Cost::endless)?;
        }
        Ok(true)
    }

    fn escape(&mut self, in_bracket: bool) -> Result<()> {
        let Some(character) = self.rest.next() else { return Err(invalid("invalid escape \\ sequence")) };
        match character {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => self.out.extend(['\\', character]),
            'A' if !in_bracket => self.out.push_str("\\A"),
            'Z' if !in_bracket => self.out.push_str("\\z"),
            'y' if !in_bracket => self.out.push_str("\\b"),
            'Y' if !in_bracket => self.out.push_str("\\B"),
            'm' if !in_bracket => self.out.push_str("\\b{start}"),
            'M' if !in_bracket => self.out.push_str("\\b{end}"),
            'a' | 'f' | 'n' | 'r' | 't' | 'v' => self.out.extend(['\\', character]),
            'b' => self.out.push_str("\\x08"),
            'B' => self.out.push_str("\\\\"),
            'e' => self.out.push_str("\\x1b"),
            '0' => self.out.push_str("\\x00"),
            'u' => self.code(4)?,
            'U' => self.code(8)?,
            'x' => {
                let mut digits = String::new();
                while let Some(digit) = self.rest.next_if(char::is_ascii_hexdigit) {
                    digits.push(digit);
                }
                self.push_code(&digits)?;
            }
            '1'..='9' if !in_bracket => self.back_reference(character)?,
            other if other.is_alphanumeric() => return Err(invalid("invalid escape \\ sequence")),
            other => self.out.push_str(&regex::escape(&other.to_string())),
        }
        Ok(())
    }

    /// Two digits refer to a group if there are so many; otherwise the second is read like any other.
    fn back_reference(&mut self, first: char) -> Result<()> {
        let mut number = first as usize - '0' as usize;
        if let Some(second) = self.rest.peek().and_then(|next| next.to_digit(10)) {
            let both = number * 10 + second as usize;
            if both > self.groups {
                return Err(SqlError::unsupported("an octal code in a regular expression"));
            }
            self.rest.next();
            number = both;
        }
        if self.innermost().looks || !self.closed.contains(&number) {
            return Err(invalid("invalid backreference number"));
        }
        self.backtracks = true;
        self.out.push_str(&format!("(?:\\{number})"));
        Ok(())
    }

    fn code(&mut self, length: usize) -> Result<()> {
        let digits: String = self.rest.by_ref().take(length).collect();
        self.push_code(&digits)
    }

    fn push_code(&mut self, digits: &str) -> Result<()> {
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        let character = character.ok_or_else(|| invalid("invalid escape \\ sequence"))?;
        self.out.push_str(&regex::escape(&character.to_string()));
        Ok(())
    }

    fn bracket(&mut self) -> Result<()> {
        self.out.push('[');
        let negated = self.rest.next_if_eq(&'^').is_some();
        if negated {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let Some(character) = self.rest.next() else { return Err(invalid("brackets [] not balanced")) };
            match character {
                ']' if !first => break,
                '[' => self.class()?,
                '\\' => self.escape(true)?,
                // The library has set operations; here these characters are literal.
                ']' | '&' | '~' | '^' => self.out.extend(['\\', character]),
                '-' if first || self.rest.peek() == Some(&']') => self.out.push_str("\\-"),
                other => self.out.push(other),
            }
            first = false;
        }
        if negated && self.options.newlines_stop_dots {
            self.out.push_str("\\n");
        }
        self.out.push(']');
        Ok(())
    }

    /// `[:alpha:]` in a bracket, or a literal bracket.
    fn class(&mut self) -> Result<()> {
        match self.rest.peek() {
            Some(':') => {
                let mut name = String::new();
                while let Some(character) = self.rest.next_if(|c| *c != ']') {
                    name.push(character);
                }
                self.rest.next();
                // Letters of every alphabet, as in PostgreSQL.
                self.out.push_str(match name.trim_matches(':') {
                    "alpha" => "\\p{Alphabetic}",
                    "alnum" => "\\p{Alphabetic}\\p{Nd}",
                    "lower" => "\\p{Lowercase}",
                    "upper" => "\\p{Uppercase}",
                    "digit" => "\\d",
                    "space" => "\\s",
                    "word" => "\\w",
                    "punct" => "[:punct:]",
                    "xdigit" => "0-9A-Fa-f",
                    "blank" => " \\t",
                    "cntrl" => "\\x00-\\x1f\\x7f",
                    "print" => "\\x20-\\x7e",
                    "graph" => "\\x21-\\x7e",
                    _ => return Err(invalid("invalid character class")),
                });
            }
            Some('.' | '=') => {
                return Err(SqlError::unsupported("a collating element in a regular expression"));
            }
            _ => self.out.push_str("\\["),
        }
        Ok(())
    }
}
