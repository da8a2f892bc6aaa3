//! Trigonometric functions of angles in degrees. Multiples of 30 and 45 degrees have exact results, for which PostgreSQL scales each
//! formula by its own result at such an angle.

const RADIANS: f64 = std::f64::consts::PI / 180.0;

/// The sine of an angle from 0 to 30 degrees.
fn sine_to_30(x: f64) -> f64 {
    libm::sin(x * RADIANS) / libm::sin(30.0 * RADIANS) / 2.0
}

/// The cosine of an angle from 0 to 60 degrees.
fn cosine_to_60(x: f64) -> f64 {
    let one_minus_cosine = |x: f64| 1.0 - libm::cos(x * RADIANS);
    1.0 - one_minus_cosine(x) / one_minus_cosine(60.0) / 2.0
}

/// The sine of an angle from 0 to 90 degrees.
fn sine_to_90(x: f64) -> f64 {
    if x <= 30.0 { sine_to_30(x) } else { cosine_to_60(90.0 - x) }
}

/// The cosine of an angle from 0 to 90 degrees.
fn cosine_to_90(x: f64) -> f64 {
    if x <= 60.0 { cosine_to_60(x) } else { sine_to_30(90.0 - x) }
}

/// Reduces an angle to one from 0 to 90 degrees, and multiplies the result for it by the signs for a negative angle, for one of more
/// than 180 degrees, and for one of more than 90.
fn reduced(x: f64, [negative, above_180, above_90]: [f64; 3], of: impl Fn(f64) -> f64) -> f64 {
    let (mut x, mut sign) = (x % 360.0, 1.0);
    if x < 0.0 {
        (x, sign) = (-x, sign * negative);
    }
    if x > 180.0 {
        (x, sign) = (360.0 - x, sign * above_180);
    }
    if x > 90.0 {
        (x, sign) = (180.0 - x, sign * above_90);
    }
    sign * of(x)
}

pub(super) fn sine(x: f64) -> f64 {
    reduced(x, [-1.0, -1.0, 1.0], sine_to_90)
}

pub(super) fn cosine(x: f64) -> f64 {
    reduced(x, [1.0, 1.0, -1.0], cosine_to_90)
}

pub(super) fn tangent(x: f64) -> f64 {
    let of = |x| sine_to_90(x) / cosine_to_90(x);
    // Zero has no sign here.
    reduced(x, [-1.0; 3], |x| of(x) / of(45.0)) + 0.0
}

pub(super) fn cotangent(x: f64) -> f64 {
    let of = |x| cosine_to_90(x) / sine_to_90(x);
    reduced(x, [-1.0; 3], |x| of(x) / of(45.0)) + 0.0
}

/// The angle in degrees of a result of an arc tangent.
pub(super) fn of_arc(arc: f64) -> f64 {
    arc / libm::atan(1.0) * 45.0
}

/// The arc sine of a number up to 0.5.
fn arc_sine_to_half(x: f64) -> f64 {
    libm::asin(x) / libm::asin(0.5) * 30.0
}

/// The arc cosine of a number from 0.5.
fn arc_cosine_from_half(x: f64) -> f64 {
    libm::acos(x) / libm::acos(0.5) * 60.0
}

pub(super) fn arc_sine(x: f64) -> f64 {
    let size = x.abs();
    let arc = if size <= 0.5 { arc_sine_to_half(size) } else { 90.0 - arc_cosine_from_half(size) };
    if x >= 0.0 { arc } else { -arc }
}

pub(super) fn arc_cosine(x: f64) -> f64 {
    match x {
        x if x > 0.5 => arc_cosine_from_half(x),
        x if x >= 0.0 => 90.0 - arc_sine_to_half(x),
        x => 90.0 + arc_sine(-x),
    }
}
