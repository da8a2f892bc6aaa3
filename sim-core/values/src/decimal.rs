//! Exact decimal arithmetic, with PostgreSQL's rules for the number of digits of a result.

use std::fmt;

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use crate::error::{Result, SqlError, SqlState, division_by_zero};

/// The least number of digits of a quotient, a root or a logarithm.
const DIGITS_MIN: i64 = 16;
/// The most digits after the point of a quotient, a root or a logarithm.
const SCALE_MAX: i64 = 1_000;
/// The most digits after the point of a product.
const PRODUCT_SCALE_MAX: usize = 16_383;
/// The most digits of a number.
const LENGTH_MAX: i64 = 150_000;
/// The decimal digits of one of PostgreSQL's digits: it stores numbers in base 10000, and its rules count these digits.
const GROUP: i64 = 4;
/// The power of ten below which a result is zero in all its digits.
const MAGNITUDE_MIN: i64 = -SCALE_MAX - 20;
/// The power of ten above which logarithms are not computed by a series.
const MAGNITUDE_MAX: f64 = 2_000.0;
/// The number of additional digits with which series are computed.
const GUARD: usize = 12;

/// A finite number: `unscaled / 10^scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The digits.
    pub unscaled: BigInt,
    /// How many of them are behind the point.
    pub scale: usize,
}

impl Decimal {
    /// A whole number.
    pub fn whole(value: impl Into<BigInt>) -> Decimal {
        Decimal { unscaled: value.into(), scale: 0 }
    }

    /// Reads a canonical text. Fails for infinities and for numbers beyond PostgreSQL's limits. The caller must handle `NaN`.
    pub fn read(text: &str) -> Result<Decimal> {
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

    /// The nearest number to `value` with fifteen significant digits, as in casts from floating-point numbers.
    pub fn from_float(value: f64) -> Result<Decimal> {
        if !value.is_finite() {
            return Err(SqlError::unsupported("the numeric value of an infinite number"));
        }
        let text = crate::value::numeric::parse(&format!("{value:.14e}")).unwrap_or_default();
        Ok(Decimal::read(&text)?.trimmed())
    }

    /// The nearest floating-point number.
    pub fn to_float(&self) -> f64 {
        self.to_string().parse().unwrap_or(0.0)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.unscaled.is_zero()
    }

    /// Whether it is less than 0.
    pub fn is_negative(&self) -> bool {
        self.unscaled.is_negative()
    }

    /// Whether it has no fraction.
    pub fn is_whole(&self) -> bool {
        self.trimmed().scale == 0
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.unscaled.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// The number without trailing zeros in its fraction.
    pub fn trimmed(&self) -> Decimal {
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

    /// The sum.
    pub fn add(&self, other: &Decimal) -> Decimal {
        let (left, right, scale) = self.aligned(other);
        Decimal { unscaled: left + right, scale }
    }

    /// The difference.
    pub fn subtract(&self, other: &Decimal) -> Decimal {
        self.add(&other.negated())
    }

    /// The number with the other sign.
    pub fn negated(&self) -> Decimal {
        Decimal { unscaled: -&self.unscaled, scale: self.scale }
    }

    /// The number without its sign.
    pub fn absolute(&self) -> Decimal {
        Decimal { unscaled: self.unscaled.abs(), scale: self.scale }
    }

    /// The product.
    ///
    /// # Errors
    ///
    /// 22003 if it has too many digits.
    pub fn multiply(&self, other: &Decimal) -> Result<Decimal> {
        let scale = self.scale + other.scale;
        let product = Decimal { unscaled: &self.unscaled * &other.unscaled, scale };
        if product.exponent() > LENGTH_MAX {
            return Err(overflow());
        }
        Ok(if scale > PRODUCT_SCALE_MAX { product.rounded(PRODUCT_SCALE_MAX as i64) } else { product })
    }

    /// The quotient with at least sixteen significant digits.
    pub fn divide(&self, other: &Decimal) -> Result<Decimal> {
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
    pub fn divide_whole(&self, other: &Decimal) -> Result<Decimal> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        let (left, right, _) = self.aligned(other);
        Ok(Decimal::whole(left / right))
    }

    /// The remainder of a division; it has the sign of `self`.
    pub fn remainder(&self, other: &Decimal) -> Result<Decimal> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        let (left, right, scale) = self.aligned(other);
        Ok(Decimal { unscaled: left % right, scale })
    }

    /// Rounds half away from zero to `scale` digits after the point; a negative `scale` rounds to tens, hundreds …
    pub fn rounded(&self, scale: i64) -> Decimal {
        self.cut(scale, true)
    }

    /// Cuts off all digits beyond `scale` digits after the point.
    pub fn truncated(&self, scale: i64) -> Decimal {
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

    /// The greatest integer that is not greater than the number.
    pub fn floor(&self) -> Decimal {
        Decimal::whole(self.unscaled.div_floor(&power_of_ten(self.scale)))
    }

    /// The least integer that is not less than the number.
    pub fn ceiling(&self) -> Decimal {
        self.negated().floor().negated()
    }

    /// The power of ten of the first digit.
    fn exponent(&self) -> i64 {
        if self.is_zero() {
            return 0;
        }
        // The number of bits determines the exponent, except for one possible carry.
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
    pub fn square_root(&self) -> Result<Decimal> {
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
    pub fn square_root_to(&self, scale: usize) -> Decimal {
        let wide = (2 * scale + 2).max(self.scale + self.scale % 2);
        Decimal { unscaled: self.widened(wide).sqrt(), scale: wide / 2 }.rounded(scale as i64)
    }

    /// `e` to this power.
    pub fn exponential(&self) -> Result<Decimal> {
        let magnitude = check_magnitude(self.to_float() * std::f64::consts::LOG10_E)?;
        let scale = result_scale(DIGITS_MIN - magnitude, &[self.scale]);
        if magnitude < MAGNITUDE_MIN {
            return Ok(zero(scale));
        }
        Ok(exp(self, scale + GUARD).rounded(scale as i64))
    }

    /// The natural logarithm.
    pub fn logarithm(&self) -> Result<Decimal> {
        self.check_logarithm()?;
        let scale = result_scale(DIGITS_MIN - self.logarithm_weight(), &[self.scale]);
        Ok(ln(self, scale + GUARD).rounded(scale as i64))
    }

    /// The logarithm of `self` in base `base`.
    pub fn logarithm_in(&self, base: &Decimal) -> Result<Decimal> {
        base.check_logarithm()?;
        self.check_logarithm()?;
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

    /// PostgreSQL's estimate of the number of digits before the point of the natural logarithm.
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
    pub fn power(&self, exponent: &Decimal) -> Result<Decimal> {
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
            return Ok(zero(DIGITS_MIN as usize));
        }
        let magnitude = check_magnitude(self.log10() * exponent.to_float())?;
        let scale = result_scale(DIGITS_MIN - magnitude, &[self.scale, exponent.scale]);
        self.power_by_logarithm(exponent, magnitude, scale)
    }

    /// The approximate decimal logarithm of the absolute value.
    fn log10(&self) -> f64 {
        self.exponent() as f64 + libm::log10(self.mantissa())
    }

    fn power_by_logarithm(&self, exponent: &Decimal, magnitude: i64, scale: usize) -> Result<Decimal> {
        if magnitude < MAGNITUDE_MIN {
            return Ok(zero(scale));
        }
        let precision = scale + 2 * GUARD + magnitude.unsigned_abs() as usize + exponent.scale;
        let product = ln(self, precision).multiply(exponent)?;
        Ok(exp(&product, scale + GUARD).rounded(scale as i64))
    }

    fn whole_power(&self, exponent: i32) -> Result<Decimal> {
        let scale = result_scale(DIGITS_MIN, &[self.scale]);
        if self.is_zero() {
            return Ok(if exponent == 0 { Decimal::whole(1).rounded(scale as i64) } else { zero(scale) });
        }
        let base = self.trimmed();
        let steps = exponent.unsigned_abs();
        let magnitude = self.log10() * f64::from(exponent);
        let digits = (base.exponent() + 1 + base.scale as i64).max(base.scale as i64);
        if magnitude.abs() < f64::from(LENGTH_MAX as i32) && digits * i64::from(steps) <= LENGTH_MAX {
            let raised = Decimal { unscaled: base.unscaled.pow(steps), scale: base.scale * steps as usize };
            return Ok(match exponent < 0 {
                true => Decimal::whole(1).quotient(&raised, scale),
                false => raised.rounded(scale as i64),
            });
        }
        let power = base.absolute().power_by_logarithm(
            &Decimal::whole(exponent),
            check_magnitude(magnitude)?,
            scale,
        )?;
        Ok(if self.is_negative() && steps % 2 == 1 { power.negated() } else { power })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.unscaled.abs().to_string();
        let digits = "0".repeat((self.scale + 1).saturating_sub(digits.len())) + &digits;
        let (whole, fraction) = digits.split_at(digits.len() - self.scale);
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

/// The digits after the point of a result: at least `wanted`, and at least those of the operands, within the limits.
fn result_scale(wanted: i64, operands: &[usize]) -> usize {
    let operands = operands.iter().map(|scale| *scale as i64).max().unwrap_or(0);
    wanted.max(operands).clamp(0, SCALE_MAX) as usize
}

fn power_of_ten(exponent: usize) -> BigInt {
    BigInt::from(10).pow(exponent as u32)
}

/// The digits before the point of a result of about `10^magnitude`. Refuses results whose many digits would take too long.
fn check_magnitude(magnitude: f64) -> Result<i64> {
    if magnitude > LENGTH_MAX as f64 {
        return Err(overflow());
    }
    if magnitude > MAGNITUDE_MAX {
        return Err(SqlError::unsupported("a power with this many digits"));
    }
    Ok(magnitude.max(2.0 * MAGNITUDE_MIN as f64) as i64)
}

fn zero(scale: usize) -> Decimal {
    Decimal { unscaled: BigInt::zero(), scale }
}

fn overflow() -> SqlError {
    SqlError::new(SqlState::OUT_OF_RANGE, "value overflows numeric format")
}

/// `e^x`, exact to about `precision` digits after the point.
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

/// The natural logarithm of a positive number, exact to about `precision` digits after the point.
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
