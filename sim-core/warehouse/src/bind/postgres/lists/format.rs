//! `format`, `to_date` and `to_timestamp`.

use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::format::WIDTH_MAX;
use crate::bind::time_patterns::OF_TO_CHAR;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// `to_date(text, format)` and `to_timestamp(text, format)`
    pub(super) fn moment_of_text(&mut self, name: &str, text: &Expr, format: &Expr) -> Result<Expr, Refusal> {
        let Origin::Text(format) = &format.origin else {
            return Err(Refusal::unsupported(&format!("{name} with a format that is no text in the query")));
        };
        let elements = OF_TO_CHAR.elements(format)?;
        // Only these are read in the same way on both targets.
        let known = ["%Y", "%m", "%d", "%H", "%M", "%S", "%b", "%B"];
        let rest = known.iter().fold(elements.clone(), |rest, element| rest.replace(element, ""));
        if rest.contains('%') {
            return Err(Refusal::unsupported(&format!("{name} with the format {format:?}")));
        }
        let elements = self.literal_text(&elements);
        let known = if name == "to_date" { "parse_date" } else { "parse_timestamp" };
        self.function(known, &[elements, text.clone()])
    }

    /// `format('%s %I %L', …)`
    pub(super) fn formatted_values(&mut self, format: &str, values: &[Expr]) -> Result<Expr, Refusal> {
        let mut parts: Vec<Expr> = Vec::new();
        let (mut plain, mut next) = (String::new(), 0);
        let mut signs = format.chars().peekable();
        while let Some(sign) = signs.next() {
            if sign != '%' {
                plain.push(sign);
                continue;
            }
            let mut digits = || {
                let mut digits = String::new();
                while let Some(digit) = signs.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                digits
            };
            let (mut place, mut width) = (next, digits());
            if signs.next_if_eq(&'$').is_some() {
                place =
                    width.parse::<usize>().ok().and_then(|place| place.checked_sub(1)).unwrap_or(usize::MAX);
                width = String::new();
            }
            let left = width.is_empty() && signs.next_if_eq(&'-').is_some();
            if width.is_empty() {
                while let Some(digit) = signs.next_if(char::is_ascii_digit) {
                    width.push(digit);
                }
            }
            if signs.next_if_eq(&'*').is_some() {
                // The width is an argument, which must be a number of the query.
                let Some(Expr { origin: Origin::Integer(given @ 0..), .. }) = values.get(place) else {
                    return Err(Refusal::unsupported("a width in format that is no number in the query"));
                };
                (width, place) = (given.to_string(), place + 1);
            }
            let kind =
                signs.next().ok_or_else(|| Refusal::invalid("unterminated format() type specifier"))?;
            if kind == '%' {
                plain.push('%');
                continue;
            }
            let value =
                values.get(place).ok_or_else(|| Refusal::invalid("too few arguments for format()"))?;
            next = place + 1;
            let text = self.written_out(value)?;
            parts.push(self.literal_text(&std::mem::take(&mut plain)));
            let shown = match kind {
                's' => {
                    let nothing = self.literal_text("");
                    self.special("coalesce", &[text, nothing])?
                }
                'I' => self.relational("quote_ident", &[text])?,
                'L' => {
                    let null = self.literal_text("NULL");
                    let quoted = self.relational("quote_literal", &[text])?;
                    self.special("coalesce", &[quoted, null])?
                }
                other => {
                    return Err(Refusal::invalid(format!(
                        "unrecognized format() type specifier \"{other}\""
                    )));
                }
            };
            parts.push(match width.parse::<usize>() {
                Err(_) if width.is_empty() => shown,
                Ok(0) => shown,
                Ok(width) if width <= WIDTH_MAX => {
                    let flags = self.target.text(if left { "-" } else { "" });
                    Expr::filled(&format!("wh_directive({{0}}, {flags}, {width})"), &[shown], Type::String)
                }
                _ => return Err(Refusal::invalid(format!("format: {width} is more than {WIDTH_MAX}"))),
            });
        }
        parts.push(self.literal_text(&plain));
        self.special("concat", &parts)
    }
}
