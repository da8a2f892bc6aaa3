//! Arithmetic of amounts of money.

use rusqlite::types::Value;

use super::text::own;
use super::{Accumulator, Arguments, Function, out_of_range};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const M: Type = Type::MONEY;
const I8: Type = Type::INT8;
const F8: Type = Type::FLOAT8;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("+", &[M, M], M, |a| whole(a.int(0).checked_add(a.int(1)))),
    Function::rust("-", &[M, M], M, |a| whole(a.int(0).checked_sub(a.int(1)))),
    Function::rust("-", &[M], M, |a| whole(a.int(0).checked_neg())),
    Function::rust("*", &[M, I8], M, |a| whole(a.int(0).checked_mul(a.int(1)))),
    Function::rust("*", &[I8, M], M, |a| whole(a.int(0).checked_mul(a.int(1)))),
    Function::rust("*", &[M, F8], M, |a| rounded(a.int(0) as f64 * a.real(1))),
    Function::rust("*", &[F8, M], M, |a| rounded(a.real(0) * a.int(1) as f64)),
    Function::rust("/", &[M, I8], M, |a| {
        require_divisor(a.int(1) != 0)?;
        whole(a.int(0).checked_div(a.int(1)))
    }),
    Function::rust("/", &[M, F8], M, |a| {
        require_divisor(a.real(1) != 0.0)?;
        rounded(a.int(0) as f64 / a.real(1))
    }),
    Function::rust("/", &[M, M], F8, |a| {
        require_divisor(a.int(1) != 0)?;
        Ok(Value::Real(a.int(0) as f64 / a.int(1) as f64))
    }),
    Function::rust("cash_words", &[M], Type::TEXT, |a| own(in_words(a.int(0)))),
    Function::aggregate("sum", &[M], M, || Box::new(Total::default())),
    Function::aggregate_template("min", &[M], M, "min({0})"),
    Function::aggregate_template("max", &[M], M, "max({0})"),
];

fn whole(amount: Option<i64>) -> Result<Value> {
    amount.map(Value::Integer).ok_or_else(|| out_of_range(M))
}

fn rounded(amount: f64) -> Result<Value> {
    sim_values::value::float_to_integer(I8, amount).map_err(|_| out_of_range(M))
}

fn require_divisor(holds: bool) -> Result<()> {
    if holds { Ok(()) } else { Err(SqlError::new(SqlState::new("22012"), "division by zero")) }
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The words of a number below a thousand.
fn words(number: u64) -> String {
    let (hundreds, rest) = (number as usize / 100, number as usize % 100);
    let below = match (rest / 10, rest % 10) {
        (0 | 1, _) => SMALL[rest].to_owned(),
        (tens, 0) => TENS[tens].to_owned(),
        (tens, ones) => format!("{} {}", TENS[tens], SMALL[ones]),
    };
    match (hundreds, rest) {
        (0, _) => below,
        (hundreds, 0) => format!("{} hundred", SMALL[hundreds]),
        (hundreds, 1..20) => format!("{} hundred and {below}", SMALL[hundreds]),
        (hundreds, _) => format!("{} hundred {below}", SMALL[hundreds]),
    }
}

/// An amount in words.
fn in_words(amount: i64) -> String {
    const UNITS: [(u64, &str); 5] = [
        (1_000_000_000_000_000, "quadrillion"),
        (1_000_000_000_000, "trillion"),
        (1_000_000_000, "billion"),
        (1_000_000, "million"),
        (1_000, "thousand"),
    ];
    let (dollars, cents) = (amount.unsigned_abs() / 100, amount.unsigned_abs() % 100);
    let mut text = String::new();
    for (unit, name) in UNITS {
        if dollars / unit % 1_000 > 0 {
            text.push_str(&format!("{} {name} ", words(dollars / unit % 1_000)));
        }
    }
    if dollars % 1_000 > 0 || text.is_empty() {
        text.push_str(&words(dollars % 1_000));
    }
    let (dollar, cent) =
        (if dollars == 1 { "dollar" } else { "dollars" }, if cents == 1 { "cent" } else { "cents" });
    let text =
        format!("{}{text} {dollar} and {} {cent}", if amount < 0 { "minus " } else { "" }, words(cents));
    text[..1].to_uppercase() + &text[1..]
}

/// The sum of a group, if it has rows.
#[derive(Default)]
struct Total(Option<i64>);

impl Accumulator for Total {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let sum = self.0.unwrap_or(0).checked_add(a.int(0));
        self.0 = Some(sum.ok_or_else(|| out_of_range(M))?);
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(self.0.map_or(Value::Null, Value::Integer))
    }
}
