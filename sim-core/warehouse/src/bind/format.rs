//! `FORMAT`, with a format text that is known when the query is translated.

use super::Binder;
use super::expr::{Expr, Origin};
use super::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

/// The largest width that a directive may have.
pub(super) const WIDTH_MAX: usize = 10_000;

/// The most digits after the point that a directive may have.
const PRECISION_MAX: usize = 15;

/// The parts of a directive such as `%-8.3f`.
#[derive(Default)]
struct Directive {
    flags: String,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

enum Piece {
    Text(String),
    Directive(Directive),
}

impl Binder<'_> {
    pub(super) fn formatted_text(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let [Expr { origin: Origin::Text(format), .. }, values @ ..] = arguments else {
            return Err(Refusal::unsupported("FORMAT with a format that is no text in the query"));
        };
        let mut values = values.iter();
        let mut parts = Vec::new();
        for piece in pieces(format)? {
            parts.push(match piece {
                Piece::Text(text) => Expr::new(self.target.text(&text), Type::String),
                Piece::Directive(directive) => {
                    let value =
                        values.next().ok_or_else(|| Refusal::invalid("FORMAT has too few arguments"))?;
                    self.directed(&directive, value).map_err(|refusal| match refusal {
                        Refusal { kind: crate::RefusalKind::Unsupported, .. } => refusal,
                        _ => no_signature("format", arguments),
                    })?
                }
            });
        }
        if values.next().is_some() {
            return Err(Refusal::invalid("FORMAT has too many arguments"));
        }
        if parts.is_empty() {
            return Ok(Expr::new(self.target.text(""), Type::String));
        }
        self.concatenated(&parts)
    }

    fn directed(&mut self, directive: &Directive, value: &Expr) -> Result<Expr, Refusal> {
        let text = match directive.letter {
            's' => self.coerced(value, &Type::String)?,
            't' => self.any_text(value)?,
            'd' | 'i' => {
                let whole = self.coerced(value, &Type::Int64)?;
                self.cast(&whole, &Type::String, false)?
            }
            'x' | 'X' => {
                let whole = self.coerced(value, &Type::Int64)?;
                let lower = self.target.pick("printf('%x', {0})", "to_hex({0})");
                let upper = self.target.pick("printf('%X', {0})", "upper(to_hex({0}))");
                Expr::filled(if directive.letter == 'x' { lower } else { upper }, &[whole], Type::String)
            }
            'f' | 'F' => {
                let float = self.coerced(value, &Type::Float64)?;
                let digits = directive.precision.unwrap_or(6);
                Expr::filled(&format!("wh_fixed({{0}}, {digits})"), &[float], Type::String)
            }
            'T' => self.literal_form(value)?,
            'p' | 'P' if value.type_ == Type::Dynamic && directive.letter == 'p' => {
                self.function("to_json_string", std::slice::from_ref(value))?
            }
            'o' => {
                let whole = self.coerced(value, &Type::Int64)?;
                Expr::filled(
                    self.target
                        .pick("printf('%o', wh_within({0}, 0, 9223372036854775807, '%o'))", "wh_octal({0})"),
                    &[whole],
                    Type::String,
                )
            }
            'e' | 'E' | 'g' | 'G' => {
                let float = self.coerced(value, &Type::Float64)?;
                let digits = directive.precision.unwrap_or(6);
                let name = if matches!(directive.letter, 'e' | 'E') { "exponent" } else { "shortest_form" };
                let text = Expr::filled(&format!("wh_{name}({{0}}, {digits})"), &[float], Type::String);
                match directive.letter {
                    'E' | 'G' => self.function("ascii_upper", &[text])?,
                    _ => text,
                }
            }
            other => return Err(Refusal::unsupported(&format!("the directive %{other} of FORMAT"))),
        };
        let text = match (directive.letter, directive.precision) {
            ('s' | 't', Some(most)) => {
                Expr::filled(&format!("wh_left({{0}}, {most})"), &[text], Type::String)
            }
            _ => text,
        };
        if directive.flags.is_empty() && directive.width == 0 {
            return Ok(text);
        }
        let flags = self.target.text(&directive.flags);
        let template = format!("wh_directive({{0}}, {flags}, {})", directive.width);
        Ok(Expr::filled(&template, &[text], Type::String))
    }

    /// The text of a literal with the value: `"a"`, `DATE "2026-03-01"`, `[1, 2]`.
    fn literal_form(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        let word = match &value.type_ {
            Type::Int64 | Type::Bool | Type::Null => return self.any_text(value),
            Type::String => "",
            Type::Date => "DATE ",
            Type::Datetime => "DATETIME ",
            Type::Timestamp => "TIMESTAMP ",
            Type::Time => "TIME ",
            Type::Array(of) if matches!(**of, Type::Int64 | Type::String | Type::Bool) => {
                let quoted = self.target.boolean(true);
                let template = format!("wh_list_text({{0}}, {quoted})");
                return Ok(Expr::filled(&template, std::slice::from_ref(value), Type::String));
            }
            type_ => {
                return Err(Refusal::unsupported(&format!("%T of a value of type {type_} in FORMAT")));
            }
        };
        let text = self.cast(value, &Type::String, false)?;
        let word = self.target.text(word);
        let null = self.target.text("NULL");
        let template = self.target.pick(
            format!("coalesce({word} || wh_quoted_text({{0}}), {null})"),
            format!("coalesce({word} || wh_quoted_text({{0}}), {null})"),
        );
        Ok(Expr::filled(&template, &[text], Type::String))
    }

    /// The text of any value; of a null, `NULL`.
    fn any_text(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        let text = match &value.type_ {
            Type::Array(of)
                if matches!(**of, Type::Int64 | Type::String | Type::Bool | Type::Float64 | Type::Number) =>
            {
                let quoted = self.target.boolean(false);
                Expr::filled(
                    &format!("wh_list_text({{0}}, {quoted})"),
                    std::slice::from_ref(value),
                    Type::String,
                )
            }
            Type::Array(_) | Type::Struct(_) | Type::Bytes => {
                return Err(Refusal::unsupported(&format!(
                    "%t of a value of type {} in FORMAT",
                    value.type_
                )));
            }
            _ => self.cast(value, &Type::String, false)?,
        };
        let null = self.target.text("NULL");
        Ok(Expr::filled(&format!("coalesce({{0}}, {null})"), &[text], Type::String))
    }
}

fn pieces(format: &str) -> Result<Vec<Piece>, Refusal> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut signs = format.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign != '%' {
            text.push(sign);
            continue;
        }
        let mut directive = Directive::default();
        while let Some(flag) = signs.next_if(|sign| matches!(sign, '-' | '+' | ' ' | '0' | '\'')) {
            directive.flags.push(flag);
        }
        let mut number = || {
            let mut digits = String::new();
            while let Some(digit) = signs.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            let point = signs.next_if_eq(&'.').is_some();
            (digits, point)
        };
        let (width, point) = number();
        let precision = point.then(|| number().0);
        let parsed = |digits: &str, most: usize| match digits {
            "" => Ok(0),
            digits => digits
                .parse()
                .ok()
                .filter(|number| *number <= most)
                .ok_or_else(|| Refusal::invalid(format!("FORMAT: {digits} is more than {most}"))),
        };
        directive.width = parsed(&width, WIDTH_MAX)?;
        directive.letter = signs.next().ok_or_else(|| Refusal::invalid("FORMAT ends with %"))?;
        let most = if matches!(directive.letter, 's' | 't') { WIDTH_MAX } else { PRECISION_MAX };
        directive.precision = precision.map(|digits| parsed(&digits, most)).transpose()?;
        if directive.letter == '%' {
            text.push('%');
            continue;
        }
        pieces.extend((!text.is_empty()).then(|| Piece::Text(std::mem::take(&mut text))));
        pieces.push(Piece::Directive(directive));
    }
    pieces.extend((!text.is_empty()).then_some(Piece::Text(text)));
    Ok(pieces)
}
