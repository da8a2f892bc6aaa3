//! Where figures meet, how far they are apart, what is inside of them. Numbers count as equal within a millionth, as in PostgreSQL.

use sim_values::value::figure::{EPSILON, Point, line, same, slope};

/// A part of a line between two points.
pub(super) type Part = (Point, Point);

/// The upper right and the lower left corner.
pub(super) type Corners = (Point, Point);

/// A line `Ax + By + C = 0`.
pub(super) type Line = [f64; 3];

pub(super) fn zero(a: f64) -> bool {
    a.abs() <= EPSILON
}

pub(super) fn less(a: f64, b: f64) -> bool {
    b - a > EPSILON
}

pub(super) fn at_most(a: f64, b: f64) -> bool {
    a - b <= EPSILON
}

pub(super) fn same_point(a: Point, b: Point) -> bool {
    same(a.0, b.0) && same(a.1, b.1)
}

pub(crate) fn apart(a: Point, b: Point) -> f64 {
    length(a.0 - b.0, a.1 - b.1)
}

/// The hypotenuse, by the steps of PostgreSQL: those of the library differ in the last digit.
pub(super) fn length(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if y == 0.0 {
        return x;
    }
    let part = y / x;
    x * (1.0 + part * part).sqrt()
}

/// The slope of what is perpendicular to a part of a line.
pub(super) fn across(part: Part) -> f64 {
    let ((x1, y1), (x2, y2)) = part;
    if same(x1, x2) {
        0.0
    } else if same(y1, y2) {
        f64::MAX
    } else {
        (x1 - x2) / (y2 - y1)
    }
}

pub(super) fn slope_of(part: Part) -> f64 {
    slope(part.0, part.1)
}

/// Where two lines meet.
pub(super) fn crossing([a1, b1, c1]: Line, [a2, b2, c2]: Line) -> Option<Point> {
    let x = || (b1 * c2 - b2 * c1) / (a1 * b2 - a2 * b1) + 0.0;
    if !zero(b1) {
        (!same(a2, a1 * (b2 / b1))).then(|| (x(), -(a1 * x() + c1) / b1 + 0.0))
    } else if !zero(b2) {
        (!same(a1, a2 * (b1 / b2))).then(|| (x(), -(a2 * x() + c2) / b2 + 0.0))
    } else {
        None
    }
}

pub(super) fn line_of(part: Part) -> Line {
    line(part.0, slope_of(part))
}

pub(super) fn has_point(part: Part, point: Point) -> bool {
    same(apart(point, part.0) + apart(point, part.1), apart(part.0, part.1))
}

pub(super) fn on_line([a, b, c]: Line, (x, y): Point) -> bool {
    zero(a * x + b * y + c)
}

/// Where a part meets a line.
pub(super) fn meets_line(part: Part, line: Line) -> Option<Point> {
    let found = crossing(line_of(part), line).filter(|found| has_point(part, *found))?;
    let ends = [part.0, part.1];
    Some(ends.into_iter().find(|end| same_point(*end, found)).unwrap_or(found))
}

/// Where two parts meet.
pub(super) fn meets(a: Part, b: Part) -> Option<Point> {
    meets_line(a, line_of(b)).filter(|found| has_point(b, *found))
}

/// The point of a line that is nearest to another.
pub(super) fn nearest_on_line(to: Point, along: Line) -> Point {
    let [a, b, _] = along;
    let across = if zero(a) {
        f64::MAX
    } else if zero(b) {
        0.0
    } else {
        b / a
    };
    crossing(line(to, across), along).unwrap_or(to)
}

pub(super) fn from_line(point: Point, line: Line) -> f64 {
    apart(point, nearest_on_line(point, line))
}

/// The point of a part that is nearest to a line.
fn nearest_to_line(part: Part, line: Line) -> Point {
    meets_line(part, line)
        .unwrap_or_else(|| if from_line(part.0, line) < from_line(part.1, line) { part.0 } else { part.1 })
}

/// The point of a part that is nearest to another point.
pub(super) fn nearest(part: Part, point: Point) -> Point {
    nearest_to_line(part, line(point, across(part)))
}

pub(super) fn from_part(point: Point, part: Part) -> f64 {
    apart(nearest(part, point), point)
}

pub(super) fn parts_apart(a: Part, b: Part) -> f64 {
    if meets(a, b).is_some() {
        return 0.0;
    }
    let ends = [from_part(b.0, a), from_part(b.1, a), from_part(a.0, b), from_part(a.1, b)];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

pub(super) fn part_from_line(part: Part, line: Line) -> f64 {
    from_line(nearest_to_line(part, line), line)
}

/// The smallest of distances; zero of none.
pub(super) fn smallest(all: impl Iterator<Item = f64>) -> f64 {
    all.reduce(f64::min).unwrap_or(0.0)
}

/// The sides of points one after the other; from the last to the first too if it is closed.
pub(super) fn sides(points: &[Point], closed: bool) -> Vec<Part> {
    let mut sides: Vec<Part> = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
    if let (true, Some(first), Some(last)) = (closed, points.first(), points.last()) {
        sides.push((*last, *first));
    }
    sides
}

pub(super) fn corners_of(points: &[Point]) -> Corners {
    let of = |choose: fn(f64, f64) -> f64, start: f64| {
        points.iter().fold((start, start), |all, point| (choose(all.0, point.0), choose(all.1, point.1)))
    };
    (of(f64::max, f64::NEG_INFINITY), of(f64::min, f64::INFINITY))
}

pub(super) fn sides_of_box((high, low): Corners) -> [Part; 4] {
    let (left, right) = ((low.0, high.1), (high.0, low.1));
    [(low, left), (left, high), (high, right), (right, low)]
}

pub(super) fn in_box((high, low): Corners, (x, y): Point) -> bool {
    low.0 <= x && x <= high.0 && low.1 <= y && y <= high.1
}

pub(super) fn box_apart(corners: Corners, point: Point) -> f64 {
    if in_box(corners, point) {
        return 0.0;
    }
    smallest(sides_of_box(corners).into_iter().map(|side| from_part(point, side)))
}

pub(super) fn boxes_overlap(a: Corners, b: Corners) -> bool {
    at_most(a.1.0, b.0.0) && at_most(b.1.0, a.0.0) && at_most(a.1.1, b.0.1) && at_most(b.1.1, a.0.1)
}

pub(super) fn box_contains(a: Corners, b: Corners) -> bool {
    at_most(b.0.0, a.0.0) && at_most(a.1.0, b.1.0) && at_most(b.0.1, a.0.1) && at_most(a.1.1, b.1.1)
}

pub(super) fn meets_box(part: Part, corners: Corners) -> bool {
    in_box(corners, part.0)
        || in_box(corners, part.1)
        || sides_of_box(corners).into_iter().any(|side| meets(part, side).is_some())
}

/// Whether a point is inside of a polygon or on its sides.
pub(super) fn inside(point: Point, polygon: &[Point]) -> bool {
    let seen: Vec<Point> = polygon.iter().map(|(x, y)| (x - point.0, y - point.1)).collect();
    let mut total = 0;
    for (before, now) in sides(&seen, true) {
        match turn(now, before) {
            Some(turned) => total += turned,
            None => return true,
        }
    }
    total != 0
}

/// How often a side goes around the origin, in halves. `None` if it goes through it.
fn turn((x, y): Point, (before_x, before_y): Point) -> Option<i32> {
    let above = |number: f64| less(0.0, number);
    let below = |number: f64| less(number, 0.0);
    if zero(y) {
        if zero(x) {
            return None;
        }
        if zero(before_y) {
            return if above(x) == above(before_x) && !zero(before_x) { Some(0) } else { None };
        }
        return Some(match (above(x), below(before_y)) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => -1,
        });
    }
    let sign = if above(y) { 1 } else { -1 };
    if zero(before_y) {
        return Some(if below(before_x) { 0 } else { sign });
    }
    if (sign < 0 && below(before_y)) || (sign > 0 && above(before_y)) {
        return Some(0);
    }
    if at_most(0.0, x) && above(before_x) {
        return Some(2 * sign);
    }
    if below(x) && at_most(before_x, 0.0) {
        return Some(0);
    }
    let z = (x - before_x) * y - (y - before_y) * x;
    if zero(z) {
        return None;
    }
    let passes = (sign < 0 && below(z)) || (sign > 0 && above(z));
    Some(if passes { 0 } else { 2 * sign })
}

pub(super) fn polygons_overlap(a: &[Point], b: &[Point]) -> bool {
    if !boxes_overlap(corners_of(a), corners_of(b)) {
        return false;
    }
    let others = sides(b, true);
    sides(a, true).into_iter().any(|side| others.iter().any(|other| meets(side, *other).is_some()))
        || a.first().is_some_and(|point| inside(*point, b))
        || b.first().is_some_and(|point| inside(*point, a))
}

/// Whether all of a polygon is inside of another one: the pieces of its sides between the other's sides are.
pub(super) fn polygon_contains(whole: &[Point], part: &[Point]) -> bool {
    if !box_contains(corners_of(whole), corners_of(part)) {
        return false;
    }
    let walls = sides(whole, true);
    sides(part, true).into_iter().all(|side| {
        let mut stops: Vec<Point> = walls.iter().filter_map(|wall| meets(side, *wall)).collect();
        // A corner of the whole may lie on a side that runs along a wall.
        stops.extend(whole.iter().filter(|corner| has_point(side, **corner)));
        stops.extend([side.0, side.1]);
        stops.sort_by(|a, b| apart(side.0, *a).total_cmp(&apart(side.0, *b)));
        let middle =
            |pair: &[Point]| (f64::midpoint(pair[0].0, pair[1].0), f64::midpoint(pair[0].1, pair[1].1));
        inside(side.0, whole)
            && inside(side.1, whole)
            && stops.windows(2).all(|pair| inside(middle(pair), whole))
    })
}

/// Whether two polygons have the same corners in the same order, from any corner on and in either direction.
pub(super) fn same_polygon(a: &[Point], b: &[Point]) -> bool {
    let count = a.len();
    if count != b.len() {
        return false;
    }
    (0..count).filter(|start| same_point(a[0], b[*start])).any(|start| {
        (0..count).all(|at| same_point(a[at], b[(start + at) % count]))
            || (0..count).all(|at| same_point(a[at], b[(start + count - at) % count]))
    })
}
