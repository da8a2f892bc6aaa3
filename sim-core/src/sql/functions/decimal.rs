//! Exact decimal arithmetic with PostgreSQL's rules for how many digits a result has.

use std::fmt;

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use super::arithmetic::division_by_zero;
use crate::sql::error::{Result, SqlError, SqlState};

/// How many digits a quotient, a root or a logarithm has at least.
const DIGITS_MIN: i64 = 16;
/// How many digits after the point a quotient, a root or a logarithm has at most.
const SCALE_MAX: i64 = 1_000;
/// How many digits after the point a product has at most.
const PRODUCT_SCALE_MAX: usize = 16_383;
/// How many digits a number has at most.
const LENGTH_MAX: i64 = 150_000;
/// PostgreSQL keeps numbers in base 10000, and its rules count these digits.
const GROUP: i64 = 4;
/// How many digits series are summed up with beyond those of the result.
const GUARD: usize = 12;

/// A finite number: `unscaled / 10^scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) unscaled: BigInt,
    pub(crate) scale: usize,
}

impl Decimal {
    /// A whole number.
    pub(crate) fn whole(value: impl Into<BigInt>) -> Decimal {
        Decimal { unscaled: value.into(), scale: 0 }
    }

    /// Reads a canonical text. Fails for infinities and numbers beyond PostgreSQL's limits; `NaN` is the caller's.
    pub(crate) fn read(text: &str) -> Result<Decimal> {
        if text.ends_with("Infinity") {
            return Err(SqlError::unsupported("arithmetic with infinite numerics"));
        }
        if text.len() as i64 > LENGTH_MAX {
            return Err(overflow());
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let unscaled = format!("{whole}{fraction}").parse().unwrap_or_default();
        Ok(Decimal { unscaled, scale: fraction.len() })
    }

    /// The nearest number to `value` with fifteen significant digits, as casts from floating point make it.
    pub(crate) fn from_float(value: f64) -> Result<Decimal> {
        if !value.is_finite() {
            return Err(SqlError::unsupported("the numeric value of an infinite number"));
        }
        let text = crate::sql::value::numeric::parse(&format!("{value:.14e}")).unwrap_or_default();
        Ok(Decimal::read(&text)?.trimmed())
    }

    /// The nearest floating-point number.
    pub(crate) fn to_float(&self) -> f64 {
        self.to_string().parse().unwrap_or(0.0)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.unscaled.is_zero()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.unscaled.is_negative()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.trimmed().scale == 0
    }

    /// -1, 0 or 1.
    pub(crate) fn signum(&self) -> i32 {
        match self.unscaled.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// The same without zeros at the end of its fraction.
    pub(crate) fn trimmed(&self) -> Decimal {
        let mut text = self.to_string();
        if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        Decimal { unscaled: &self.unscaled / power_of_ten(self.scale - scale), scale }
    }

    /// The same number with more digits after the point.
    fn widened(&self, scale: usize) -> BigInt {
        &self.unscaled * power_of_ten(scale - self.scale)
    }

    fn aligned(&self, other: &Decimal) -> (BigInt, BigInt, usize) {
        let scale = self.scale.max(other.scale);
        (self.widened(scale), other.widened(scale), scale)
    }

    pub(crate) fn add(&self, other: &Decimal) -> Decimal {
        let (left, right, scale) = self.aligned(other);
        Decimal { unscaled: left + right, scale }
    }

    pub(crate) fn subtract(&self, other: &Decimal) -> Decimal {
        self.add(&other.negated())
    }

    pub(crate) fn negated(&self) -> Decimal {
        Decimal { unscaled: -&self.unscaled, scale: self.scale }
    }

    pub(crate) fn absolute(&self) -> Decimal {
        Decimal { unscaled: self.unscaled.abs(), scale: self.scale }
    }

    pub(crate) fn multiply(&self, other: &Decimal) -> Result<Decimal> {
        let scale = self.scale + other.scale;
        let product = Decimal { unscaled: &self.unscaled * &other.unscaled, scale };
        if product.exponent() > LENGTH_MAX {
            return Err(overflow());
        }
        Ok(if scale > PRODUCT_SCALE_MAX { product.rounded(PRODUCT_SCALE_MAX as i64) } else { product })
    }

    /// The quotient with at least sixteen significant digits.
    pub(crate) fn divide(&self, other: &Decimal) -> Result<Decimal> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        let (weight, first) = self.leading_group();
        let (other_weight, other_first) = other.leading_group();
        let quotient_weight = weight - other_weight - i64::from(first <= other_first);
        let scale = result_scale(DIGITS_MIN - quotient_weight * GROUP, &[self.scale, other.scale]);
        Ok(self.quotient(other, scale))
    }

    /// The quotient with `scale` digits after the point, rounded half away from zero.
    fn quotient(&self, other: &Decimal, scale: usize) -> Decimal {
        let (left, right, _) = self.aligned(other);
        let wide = left * power_of_ten(scale + 1) / right;
        Decimal { unscaled: wide, scale: scale + 1 }.rounded(scale as i64)
    }

    /// The whole part of the quotient.
    pub(crate) fn divide_whole(&self, other: &Decimal) -> Result<Decimal> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        let (left, right, _) = self.aligned(other);
        Ok(Decimal::whole(left / right))
    }

    /// What a division leaves; it has the sign of `self`.
    pub(crate) fn remainder(&self, other: &Decimal) -> Result<Decimal> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        let (left, right, scale) = self.aligned(other);
        Ok(Decimal { unscaled: left % right, scale })
    }

    /// Rounded half away from zero to `scale` digits after the point, or to tens, hundreds … when it is negative.
    pub(crate) fn rounded(&self, scale: i64) -> Decimal {
        self.cut(scale, true)
    }

    /// The same without what is beyond `scale` digits after the point.
    pub(crate) fn truncated(&self, scale: i64) -> Decimal {
        self.cut(scale, false)
    }

    fn cut(&self, scale: i64, round: bool) -> Decimal {
        let target = usize::try_from(scale).unwrap_or(0).min(PRODUCT_SCALE_MAX);
        let drop = self.scale as i64 - scale;
        if drop <= 0 {
            return Decimal { unscaled: self.widened(target.max(self.scale)), scale: target.max(self.scale) };
        }
        if self.exponent() + 1 < -scale {
            return Decimal { unscaled: BigInt::zero(), scale: target };
        }
        let unit = power_of_ten(drop as usize);
        let (mut kept, rest) = self.unscaled.div_rem(&unit);
        if round && rest.abs() * 2 >= unit {
            kept += self.signum();
        }
        let restored = if scale < 0 { kept * power_of_ten(scale.unsigned_abs() as usize) } else { kept };
        Decimal { unscaled: restored, scale: target }
    }

    /// The greatest whole number that is not greater.
    pub(crate) fn floor(&self) -> Decimal {
        Decimal::whole(self.unscaled.div_floor(&power_of_ten(self.scale)))
    }

    /// The least whole number that is not less.
    pub(crate) fn ceiling(&self) -> Decimal {
        self.negated().floor().negated()
    }

    /// The power of ten of the first digit.
    fn exponent(&self) -> i64 {
        if self.is_zero() {
            return 0;
        }
        // The bits tell the exponent, but for one.
        let least = ((self.unscaled.bits() - 1) as f64 * std::f64::consts::LOG10_2) as usize;
        let digits = least + 1 + usize::from(self.unscaled.abs() >= power_of_ten(least + 1));
        digits as i64 - 1 - self.scale as i64
    }

    /// The weight and value of the first digit in base 10000.
    fn leading_group(&self) -> (i64, i64) {
        if self.is_zero() {
            return (0, 0);
        }
        let weight = self.exponent().div_euclid(GROUP);
        let shift = weight * GROUP + self.scale as i64;
        let digits = self.unscaled.abs();
        let first = match usize::try_from(shift) {
            Ok(shift) => digits / power_of_ten(shift),
            Err(_) => digits * power_of_ten(shift.unsigned_abs() as usize),
        };
        (weight, first.to_i64().unwrap_or(0))
    }

    /// The square root with at least sixteen significant digits.
    pub(crate) fn square_root(&self) -> Result<Decimal> {
        if self.is_negative() {
            return Err(SqlError::new(
                SqlState::new("2201F"),
                "cannot take square root of a negative number",
            ));
        }
        let weight = self.leading_group().0 * GROUP / 2 + 1;
        Ok(self.square_root_to(result_scale(DIGITS_MIN - weight, &[self.scale])))
    }

    /// The square root of a number that is not negative, with `scale` digits after the point.
    pub(crate) fn square_root_to(&self, scale: usize) -> Decimal {
        let wide = (2 * scale + 2).max(self.scale + self.scale % 2);
        Decimal { unscaled: self.widened(wide).sqrt(), scale: wide / 2 }.rounded(scale as i64)
    }

    /// `e` to this power.
    pub(crate) fn exponential(&self) -> Result<Decimal> {
        let magnitude = self.to_float() * std::f64::consts::LOG10_E;
        let scale = result_scale(DIGITS_MIN - check_magnitude(magnitude)?, &[self.scale]);
        Ok(exp(self, scale + GUARD).rounded(scale as i64))
    }

    /// The natural logarithm.
    pub(crate) fn logarithm(&self) -> Result<Decimal> {
        self.check_logarithm()?;
        let scale = result_scale(DIGITS_MIN - self.logarithm_weight(), &[self.scale]);
        Ok(ln(self, scale + GUARD).rounded(scale as i64))
    }

    /// The logarithm of `self` in base `base`.
    pub(crate) fn logarithm_in(&self, base: &Decimal) -> Result<Decimal> {
        self.check_logarithm()?;
        base.check_logarithm()?;
        let weight = self.logarithm_weight() - base.logarithm_weight();
        let scale = result_scale(DIGITS_MIN - weight, &[self.scale, base.scale]);
        let precision = scale + 2 * GUARD;
        let divisor = ln(base, precision);
        if divisor.is_zero() {
            return Err(division_by_zero());
        }
        Ok(ln(self, precision).quotient(&divisor, scale))
    }

    fn check_logarithm(&self) -> Result<()> {
        let refuse = |message| Err(SqlError::new(SqlState::new("2201E"), message));
        match self.signum() {
            0 => refuse("cannot take logarithm of zero"),
            -1 => refuse("cannot take logarithm of a negative number"),
            _ => Ok(()),
        }
    }

    /// About how many digits before the point the natural logarithm has, as PostgreSQL guesses it.
    fn logarithm_weight(&self) -> i64 {
        let near_one = Decimal { unscaled: BigInt::from(9), scale: 1 }.subtract(self).signum() <= 0
            && self.subtract(&Decimal { unscaled: BigInt::from(11), scale: 1 }).signum() <= 0;
        if near_one {
            let distance = self.subtract(&Decimal::whole(1));
            if distance.is_zero() {
                return 0;
            }
            return distance.exponent();
        }
        let estimate = self.exponent() as f64 * std::f64::consts::LN_10 + libm::log(self.mantissa());
        libm::log10(estimate.abs()) as i64
    }

    /// The number with its point after the first digit.
    fn mantissa(&self) -> f64 {
        let digits = self.unscaled.abs().to_string();
        let head = &digits[..digits.len().min(17)];
        format!("{}.{}", &head[..1], &head[1..]).trim_end_matches('.').parse().unwrap_or(1.0)
    }

    /// `self` to the power of `exponent`.
    pub(crate) fn power(&self, exponent: &Decimal) -> Result<Decimal> {
        if self.is_zero() && exponent.is_negative() {
            return Err(SqlError::new(
                SqlState::new("2201F"),
                "zero raised to a negative power is undefined",
            ));
        }
        if let (true, Some(whole)) = (exponent.is_whole(), exponent.trimmed().unscaled.to_i32()) {
            return self.whole_power(whole);
        }
        if self.is_negative() {
            return Err(SqlError::new(
                SqlState::new("2201F"),
                "a negative number raised to a non-integer power yields a complex result",
            ));
        }
        if self.is_zero() {
            return Ok(Decimal { unscaled: BigInt::zero(), scale: DIGITS_MIN as usize });
        }
        let natural = self.exponent() as f64 * std::f64::consts::LN_10 + libm::log(self.mantissa());
        let magnitude = check_magnitude(natural * exponent.to_float() * std::f64::consts::LOG10_E)?;
        let scale = result_scale(DIGITS_MIN - magnitude, &[self.scale, exponent.scale]);
        let precision = scale + 2 * GUARD + magnitude.unsigned_abs() as usize;
        let product = ln(self, precision).multiply(exponent)?;
        Ok(exp(&product, scale + GUARD).rounded(scale as i64))
    }

    fn whole_power(&self, exponent: i32) -> Result<Decimal> {
        let scale = result_scale(DIGITS_MIN, &[self.scale]);
        let magnitude = (self.exponent().abs() + 1) * i64::from(exponent).abs();
        if magnitude > LENGTH_MAX {
            return match exponent > 0 && self.exponent() >= 0 && self.unscaled.abs() > BigInt::one() {
                true => Err(overflow()),
                false => Ok(Decimal { unscaled: BigInt::zero(), scale }),
            };
        }
        let base = self.trimmed();
        let steps = exponent.unsigned_abs();
        if base.scale as i64 * i64::from(steps) > LENGTH_MAX {
            return Err(SqlError::unsupported("a power with this many digits"));
        }
        let raised = Decimal { unscaled: base.unscaled.pow(steps), scale: base.scale * steps as usize };
        Ok(match exponent < 0 {
            true => Decimal::whole(1).quotient(&raised, scale),
            false => raised.rounded(scale as i64),
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0>width$}", self.unscaled.abs().to_string(), width = self.scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - self.scale);
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

/// At least `wanted` digits after the point and those of the operands, within the limits.
fn result_scale(wanted: i64, operands: &[usize]) -> usize {
    let operands = operands.iter().map(|scale| *scale as i64).max().unwrap_or(0);
    wanted.max(operands).clamp(0, SCALE_MAX) as usize
}

fn power_of_ten(exponent: usize) -> BigInt {
    BigInt::from(10).pow(exponent as u32)
}

/// The whole digits of a result of about `10^magnitude`, unless no number can be so great.
fn check_magnitude(magnitude: f64) -> Result<i64> {
    if magnitude > LENGTH_MAX as f64 { Err(overflow()) } else { Ok(magnitude.max(-2_000.0) as i64) }
}

fn overflow() -> SqlError {
    SqlError::new(SqlState::OUT_OF_RANGE, "value overflows numeric format")
}

/// `e^x`, right in about `precision` digits after the point.
fn exp(x: &Decimal, precision: usize) -> Decimal {
    // e^x = (e^(x / 2^k))^(2^k); the series is short for small arguments.
    let halvings = (x.exponent().max(0) as usize * 4 + 8).min(400);
    let magnitude = (x.to_float().abs() * std::f64::consts::LOG10_E) as usize;
    let precision = precision + halvings + magnitude;
    let one = power_of_ten(precision);
    let argument = x.rounded(precision as i64).unscaled >> halvings;
    let (mut sum, mut term, mut n) = (one.clone(), one.clone(), 1_u32);
    while !term.is_zero() {
        term = term * &argument / &one / n;
        sum += &term;
        n += 1;
    }
    for _ in 0..halvings {
        sum = &sum * &sum / &one;
    }
    Decimal { unscaled: sum, scale: precision }
}

/// The natural logarithm of a positive number, right in about `precision` digits after the point.
fn ln(x: &Decimal, precision: usize) -> Decimal {
    let exponent = x.exponent();
    let precision = precision + 10;
    let one = power_of_ten(precision);
    // x = m * 10^exponent with m in [1, 10)
    let shift = precision as i64 - exponent - x.scale as i64;
    let mantissa = match usize::try_from(shift) {
        Ok(shift) => &x.unscaled * power_of_ten(shift),
        Err(_) => &x.unscaled / power_of_ten(shift.unsigned_abs() as usize),
    };
    let tens =
        if exponent == 0 { BigInt::zero() } else { ln_small(&(BigInt::from(10) * &one), &one) * exponent };
    Decimal { unscaled: ln_small(&mantissa, &one) + tens, scale: precision }
}

/// The logarithm of `x / one`, which is in [1, 10], times `one`.
fn ln_small(x: &BigInt, one: &BigInt) -> BigInt {
    // Roots bring the argument near one; each doubles the logarithm afterwards.
    let mut root = x.clone();
    let mut doublings = 0_u32;
    while (&root - one) * 10 > *one {
        root = (root * one).sqrt();
        doublings += 1;
    }
    let argument = (&root - one) * one / (&root + one);
    let square = &argument * &argument / one;
    let (mut sum, mut term, mut n) = (argument.clone(), argument, 3_u32);
    while !term.is_zero() {
        term = term * &square / one;
        sum += &term / n;
        n += 2;
    }
    sum << (doublings + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Decimal {
        Decimal::read(text).unwrap()
    }

    /// Each expected text is what PostgreSQL answers.
    #[test]
    fn results_have_the_digits_that_postgres_gives_them() {
        let rows: [(&str, Result<Decimal>, &str); 30] = [
            ("1/3", read("1").divide(&read("3")), "0.33333333333333333333"),
            ("10.0/3", read("10.0").divide(&read("3")), "3.3333333333333333"),
            ("2/3.0", read("2").divide(&read("3.0")), "0.66666666666666666667"),
            ("1234567.0/7", read("1234567.0").divide(&read("7")), "176366.714285714286"),
            ("0.00001/3", read("0.00001").divide(&read("3")), "0.000003333333333333333333"),
            ("1.000/1", read("1.000").divide(&read("1")), "1.00000000000000000000"),
            ("sqrt(0.5)", read("0.5").square_root(), "0.70710678118654752"),
            ("sqrt(1e-10)", read("0.0000000001").square_root(), "0.000010000000000000000"),
            ("sqrt(100000)", read("100000").square_root(), "316.2277660168379"),
            ("sqrt(12345678901234567890)", read("12345678901234567890").square_root(), "3513641828.8201443"),
            ("sqrt(0)", read("0").square_root(), "0.000000000000000"),
            ("10.0^20", read("10.0").power(&read("20")), "100000000000000000000.0000000000000000"),
            ("2.5^-3", read("2.5").power(&read("-3")), "0.0640000000000000"),
            (
                "1.000000000000000001^3",
                read("1.000000000000000001").power(&read("3")),
                "1.000000000000000003",
            ),
            ("2.0^0", read("2.0").power(&read("0")), "1.0000000000000000"),
            ("10.5^2.5", read("10.5").power(&read("2.5")), "357.25083099973330"),
            ("0.5^0.5", read("0.5").power(&read("0.5")), "0.7071067811865475"),
            ("-2.0^3", read("-2.0").power(&read("3")), "-8.0000000000000000"),
            ("ln(2.0)", read("2.0").logarithm(), "0.6931471805599453"),
            ("ln(100000.0)", read("100000.0").logarithm(), "11.512925464970228"),
            ("ln(1.05)", read("1.05").logarithm(), "0.048790164169432003"),
            ("log(100.0)", read("100.0").logarithm_in(&read("10")), "2.0000000000000000"),
            ("log(2.0, 10)", read("10").logarithm_in(&read("2.0")), "3.3219280948873623"),
            ("log(0.5)", read("0.5").logarithm_in(&read("10")), "-0.3010299956639812"),
            ("exp(10.0)", read("10.0").exponential(), "22026.465794806717"),
            ("exp(-5.5)", read("-5.5").exponential(), "0.004086771438464067"),
            ("exp(100.0)", read("100.0").exponential(), "26881171418161354484126255515800135873611118.8"),
            ("round(1234.5, -2)", Ok(read("1234.5").rounded(-2)), "1200"),
            ("round(5, -1)", Ok(read("5").rounded(-1)), "10"),
            ("round(-0.4)", Ok(read("-0.4").rounded(0)), "0"),
        ];
        for (expression, result, expected) in rows {
            assert_eq!(result.unwrap().to_string(), expected, "{expression}");
        }
    }
}
