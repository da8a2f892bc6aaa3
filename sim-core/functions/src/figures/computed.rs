//! Reads figures from arguments, and computes with them.

use rusqlite::types::Value;

use super::plane::{self, Corners, Line, Part, apart};
use super::{B, C, F, G, P, S, W};
use crate::Arguments;
use crate::text::{own, truth};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::cube::print_point;
use sim_values::value::figure::{self, Point, print_box, print_circle, print_points, same};

pub(super) fn same_part(one: Part, other: Part) -> bool {
    plane::same_point(one.0, other.0) && plane::same_point(one.1, other.1)
}

pub(super) fn part_length(a: &Arguments<'_, '_>, at: usize) -> f64 {
    let part = part(a, at);
    apart(part.0, part.1)
}

pub(super) fn sized(
    a: &Arguments<'_, '_>,
    size: impl Fn(&Arguments<'_, '_>, usize) -> f64,
    is: fn(f64, f64) -> bool,
) -> Result<Value> {
    truth(is(size(a, 0), size(a, 1)))
}

/// One of the points of a figure, from zero on.
pub(crate) fn point_at(a: &Arguments<'_, '_>) -> Result<Value> {
    let at = usize::try_from(a.int(1)).ok();
    found(at.and_then(|at| figure::points(a.text(0)).get(at).copied()))
}

/// One of the numbers of a figure, from zero on.
pub(crate) fn number_at(a: &Arguments<'_, '_>) -> Result<Value> {
    let at = usize::try_from(a.int(1)).ok();
    Ok(at.and_then(|at| figure::numbers(a.text(0)).get(at).copied()).map_or(Value::Null, Value::Real))
}

pub(super) fn point(a: &Arguments<'_, '_>, at: usize) -> Point {
    figure::points(a.text(at)).first().copied().unwrap_or_default()
}

pub(super) fn part(a: &Arguments<'_, '_>, at: usize) -> Part {
    let points = figure::points(a.text(at));
    (points.first().copied().unwrap_or_default(), points.get(1).copied().unwrap_or_default())
}

/// The upper right and the lower left corner, in which order a box has them.
pub(super) fn corners(a: &Arguments<'_, '_>, at: usize) -> Corners {
    part(a, at)
}

pub(super) fn points(a: &Arguments<'_, '_>, at: usize) -> Result<Vec<Point>> {
    a.budget().work(a.text(at).len() / 4)?;
    Ok(figure::points(a.text(at)))
}

/// The points of both arguments, with the cost of comparing each with each.
pub(super) fn pair_of_points(a: &Arguments<'_, '_>) -> Result<(Vec<Point>, Vec<Point>)> {
    let (one, other) = (points(a, 0)?, points(a, 1)?);
    a.budget().work(one.len().saturating_mul(other.len()).saturating_mul(2))?;
    Ok((one, other))
}

pub(super) fn circle(stored: &str) -> (Point, f64) {
    match figure::numbers(stored)[..] {
        [x, y, radius] => ((x, y), radius),
        _ => ((0.0, 0.0), 0.0),
    }
}

pub(super) fn whole_line(a: &Arguments<'_, '_>, at: usize) -> Line {
    figure::numbers(a.text(at)).try_into().unwrap_or_default()
}

pub(super) fn is_closed(a: &Arguments<'_, '_>, at: usize) -> bool {
    !a.text(at).starts_with('[')
}

pub(super) fn number(value: f64) -> Result<Value> {
    if value.is_finite() { Ok(Value::Real(value)) } else { Err(crate::out_of_range(F)) }
}

pub(super) fn found(point: Option<Point>) -> Result<Value> {
    point.map_or(Ok(Value::Null), |point| own(print_point(point)))
}

pub(super) fn center_of((high, low): Corners) -> Point {
    ((high.0 + low.0) / 2.0, (high.1 + low.1) / 2.0)
}

pub(super) fn width(a: &Arguments<'_, '_>) -> f64 {
    let (high, low) = corners(a, 0);
    high.0 - low.0
}

pub(super) fn height(a: &Arguments<'_, '_>) -> f64 {
    let (high, low) = corners(a, 0);
    high.1 - low.1
}

pub(super) fn converted(a: &Arguments<'_, '_>, from: Type, to: Type) -> Result<Value> {
    a.budget().work(a.text(0).len() / 4)?;
    own(convert(a.text(0), from, to)?)
}

/// A figure as another one, as casts have it.
pub fn convert(stored: &str, from: Type, to: Type) -> Result<String> {
    let points = || figure::points(stored);
    // The engine stores whole figures only; what SQLite calls with anything else gets the origin.
    let point = |at: usize| points().get(at).copied().unwrap_or_default();
    let corners = || (point(0), point(1));
    Ok(match (from, to) {
        (P, B) => print_box(point(0), point(0)),
        (C, B) => {
            let ((x, y), radius) = circle(stored);
            let reach = radius / std::f64::consts::SQRT_2;
            print_box((x + reach, y + reach), (x - reach, y - reach))
        }
        (G, B) => {
            let (high, low) = plane::corners_of(&points());
            print_box(high, low)
        }
        (B, C) => {
            let center = center_of(corners());
            print_circle(center, plane::apart(center, corners().0))
        }
        (G, C) => {
            let (center, radius) = circle_around(&points());
            print_circle(center, radius)
        }
        (B, S) => print_points('[', &points(), ']'),
        (G, W) => stored.to_owned(),
        (B, P) | (S, P) => print_point(center_of(corners())),
        (C, P) => print_point(circle(stored).0),
        (G, P) => print_point(circle_around(&points()).0),
        (B, G) => {
            let (high, low) = corners();
            print_points('(', &[low, (low.0, high.1), high, (high.0, low.1)], ')')
        }
        (C, G) => polygon_of(12, circle(stored))?,
        (W, G) if stored.starts_with('[') => {
            let message = "open path cannot be converted to polygon";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        _ => stored.to_owned(),
    })
}

/// The middle of points, and how far they are from it on average.
fn circle_around(points: &[Point]) -> (Point, f64) {
    let count = points.len() as f64;
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let center = (sum.0 / count, sum.1 / count);
    let radius: f64 = points.iter().map(|point| plane::apart(*point, center)).sum();
    (center, radius / count)
}

pub(super) fn polygon_of(count: i64, (center, radius): (Point, f64)) -> Result<String> {
    if plane::zero(radius) {
        let message = "cannot convert circle with radius zero to polygon";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
    }
    if count < 2 {
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, "must request at least 2 points"));
    }
    let step = 2.0 * std::f64::consts::PI / count as f64;
    let points = (0..count).map(|at| {
        let angle = step * at as f64;
        (center.0 - radius * libm::cos(angle), center.1 + radius * libm::sin(angle))
    });
    Ok(print_points('(', &points.collect::<Vec<_>>(), ')'))
}

pub(super) type Move = fn(Point, Point) -> Point;

pub(super) fn times(one: Point, by: Point) -> Point {
    (one.0 * by.0 - one.1 * by.1, one.0 * by.1 + one.1 * by.0)
}

pub(super) fn over(one: Point, by: Point) -> Point {
    let whole = by.0 * by.0 + by.1 * by.1;
    ((one.0 * by.0 + one.1 * by.1) / whole, (by.0 * one.1 - by.1 * one.0) / whole)
}

pub(super) fn divisor(a: &Arguments<'_, '_>) -> Result<()> {
    let (x, y) = point(a, 1);
    if x == 0.0 && y == 0.0 {
        return Err(SqlError::new(SqlState::new("22012"), "division by zero"));
    }
    Ok(())
}

pub(super) fn moved_point(a: &Arguments<'_, '_>, by: Move) -> Result<Value> {
    own(print_point(by(point(a, 0), point(a, 1))))
}

pub(super) fn moved_box(a: &Arguments<'_, '_>, by: Move) -> Result<Value> {
    let ((high, low), to) = (corners(a, 0), point(a, 1));
    own(print_box(by(high, to), by(low, to)))
}

pub(super) fn moved_path(a: &Arguments<'_, '_>, by: Move) -> Result<Value> {
    let to = point(a, 1);
    let points: Vec<Point> = points(a, 0)?.into_iter().map(|one| by(one, to)).collect();
    let [left, right] = if is_closed(a, 0) { ['(', ')'] } else { ['[', ']'] };
    own(print_points(left, &points, right))
}

pub(super) fn moved_circle(a: &Arguments<'_, '_>, by: Move, grow: fn(f64, Point) -> f64) -> Result<Value> {
    let ((center, radius), to) = (circle(a.text(0)), point(a, 1));
    own(print_circle(by(center, to), grow(radius, to)))
}

pub(super) fn length(a: &Arguments<'_, '_>) -> Result<Value> {
    let is_path = !a.text(0).starts_with('[');
    number(plane::sides(&points(a, 0)?, is_path).into_iter().map(|(from, to)| plane::apart(from, to)).sum())
}

pub(super) fn count(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(Value::Integer(points(a, 0)?.len() as i64))
}

pub(super) fn around((center, radius): (Point, f64), point: Point) -> f64 {
    (plane::apart(center, point) - radius).max(0.0)
}

pub(super) fn in_circle((center, radius): (Point, f64), point: Point) -> bool {
    plane::apart(center, point) <= radius
}

pub(super) fn circle_contains(a: &Arguments<'_, '_>, whole: usize, part: usize) -> Result<Value> {
    let ((one, r1), (other, r2)) = (circle(a.text(whole)), circle(a.text(part)));
    truth(plane::at_most(plane::apart(one, other), r1 - r2))
}

pub(super) fn from_box(part: Part, corners: Corners) -> f64 {
    if plane::meets_box(part, corners) {
        return 0.0;
    }
    plane::smallest(plane::sides_of_box(corners).into_iter().map(|side| plane::parts_apart(part, side)))
}

fn distance_to(point: Point, points: &[Point], closed: bool) -> f64 {
    match points {
        [only] => plane::apart(*only, point),
        _ => plane::smallest(
            plane::sides(points, closed).into_iter().map(|side| plane::from_part(point, side)),
        ),
    }
}

pub(super) fn from_points(a: &Arguments<'_, '_>, point_at: usize, at: usize, closed: bool) -> Result<Value> {
    number(distance_to(point(a, point_at), &points(a, at)?, closed))
}

fn outside(a: &Arguments<'_, '_>, point: Point, at: usize) -> Result<f64> {
    let points = points(a, at)?;
    Ok(if plane::inside(point, &points) { 0.0 } else { distance_to(point, &points, true) })
}

pub(super) fn from_polygon(a: &Arguments<'_, '_>, point: Point, at: usize) -> Result<Value> {
    number(outside(a, point, at)?)
}

pub(super) fn circle_from_polygon(a: &Arguments<'_, '_>, circle_at: usize, at: usize) -> Result<Value> {
    let (center, radius) = circle(a.text(circle_at));
    number((outside(a, center, at)? - radius).max(0.0))
}

pub(super) fn apart_by_sides(a: &Arguments<'_, '_>, one_closed: bool, other_closed: bool) -> Result<Value> {
    let (one, other) = pair_of_points(a)?;
    let others = plane::sides(&other, other_closed);
    let all = plane::sides(&one, one_closed).into_iter();
    let apart = all.flat_map(|side| others.iter().map(move |other| plane::parts_apart(side, *other)));
    apart.reduce(f64::min).map_or(Ok(Value::Null), number)
}

pub(super) fn beside(
    a: &Arguments<'_, '_>,
    corners: impl Fn(&Arguments<'_, '_>, usize) -> Result<Corners>,
    is: fn(Corners, Corners) -> bool,
) -> Result<Value> {
    truth(is(corners(a, 0)?, corners(a, 1)?))
}

pub(super) fn on_path(a: &Arguments<'_, '_>, at: usize, point_at: usize) -> Result<Value> {
    let (points, point) = (points(a, at)?, point(a, point_at));
    if is_closed(a, at) {
        return truth(plane::inside(point, &points));
    }
    truth(plane::sides(&points, false).into_iter().any(|side| plane::has_point(side, point)))
}

pub(super) fn perpendicular([a1, b1, _]: Line, [a2, b2, _]: Line) -> bool {
    match () {
        () if plane::zero(a1) => plane::zero(b2),
        () if plane::zero(a2) => plane::zero(b1),
        () if plane::zero(b1) => plane::zero(a2),
        () if plane::zero(b2) => plane::zero(a1),
        () => same((a1 * a2) / (b1 * b2), -1.0),
    }
}
