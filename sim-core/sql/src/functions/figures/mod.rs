//! Figures on a plane: `box`, `circle`, `line`, `lseg`, `path`, `polygon`, and what `point` does with them.

mod plane;

use rusqlite::types::Value;

pub(crate) use self::plane::apart;
use self::plane::{Corners, Line, Part};
use super::text::{own, truth};
use super::{Arguments, Function};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::cube::print_point;
use crate::value::figure::{
    self, Point, line, print_box, print_circle, print_line, print_points, same, slope,
};

const P: Type = Type::POINT;
const B: Type = Type::BOX;
const C: Type = Type::CIRCLE;
const L: Type = Type::LINE;
const S: Type = Type::LSEG;
const W: Type = Type::PATH;
const G: Type = Type::POLYGON;
const F: Type = Type::FLOAT8;
const I: Type = Type::INT4;
const BOOL: Type = Type::BOOL;

/// A row with a symbol or a name.
const fn row(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call)
}

/// Questions about a pair of figures, which have the same answers for their operators and functions.
const fn asks(
    name: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, BOOL, call)
}

/// How a figure becomes another one, by a function or a cast.
pub(super) static MADE: &[Function] =
    &[
        row("box", &[P, P], B, |a| own(print_box(point(a, 0), point(a, 1)))),
        row("box", &[P], B, |a| converted(a, P, B)),
        row("box", &[C], B, |a| converted(a, C, B)),
        row("box", &[G], B, |a| converted(a, G, B)),
        row("bound_box", &[B, B], B, |a| {
            let (one, other) = (corners(a, 0), corners(a, 1));
            let (high, low) = plane::corners_of(&[one.0, one.1, other.0, other.1]);
            own(print_box(high, low))
        }),
        row("circle", &[P, F], C, |a| own(print_circle(point(a, 0), a.real(1)))),
        row("circle", &[B], C, |a| converted(a, B, C)),
        row("circle", &[G], C, |a| converted(a, G, C)),
        row("line", &[P, P], L, |a| {
            let (from, to) = (point(a, 0), point(a, 1));
            if plane::same_point(from, to) {
                let message = "invalid line specification: must be two distinct points";
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
            own(print_line(line(from, slope(from, to))))
        }),
        row("lseg", &[P, P], S, |a| own(print_points('[', &[point(a, 0), point(a, 1)], ']'))),
        row("lseg", &[B], S, |a| converted(a, B, S)),
        row("diagonal", &[B], S, |a| converted(a, B, S)),
        row("path", &[G], W, |a| converted(a, G, W)),
        row("pclose", &[W], W, |a| own(print_points('(', &points(a, 0)?, ')'))),
        row("popen", &[W], W, |a| own(print_points('[', &points(a, 0)?, ']'))),
        row("point", &[B], P, |a| converted(a, B, P)),
        row("point", &[C], P, |a| converted(a, C, P)),
        row("point", &[S], P, |a| converted(a, S, P)),
        row("point", &[G], P, |a| converted(a, G, P)),
        row("center", &[B], P, |a| converted(a, B, P)),
        row("center", &[C], P, |a| converted(a, C, P)),
        row("@@", &[B], P, |a| converted(a, B, P)),
        row("@@", &[C], P, |a| converted(a, C, P)),
        row("@@", &[S], P, |a| converted(a, S, P)),
        row("@@", &[G], P, |a| converted(a, G, P)),
        row("polygon", &[B], G, |a| converted(a, B, G)),
        row("polygon", &[C], G, |a| converted(a, C, G)),
        row("polygon", &[W], G, |a| converted(a, W, G)),
        row("polygon", &[I, C], G, |a| {
            let count = a.int(0);
            a.budget().work(usize::try_from(count).unwrap_or(0).saturating_mul(10))?;
            own(polygon_of(count, circle(a.text(1)))?)
        }),
        row("+", &[P, P], P, |a| moved_point(a, |one, by| (one.0 + by.0, one.1 + by.1))),
        row("-", &[P, P], P, |a| moved_point(a, |one, by| (one.0 - by.0, one.1 - by.1))),
        row("*", &[P, P], P, |a| moved_point(a, times)),
        row("/", &[P, P], P, |a| divisor(a).and_then(|()| moved_point(a, over))),
        row("+", &[B, P], B, |a| moved_box(a, |one, by| (one.0 + by.0, one.1 + by.1))),
        row("-", &[B, P], B, |a| moved_box(a, |one, by| (one.0 - by.0, one.1 - by.1))),
        row("*", &[B, P], B, |a| moved_box(a, times)),
        row("/", &[B, P], B, |a| divisor(a).and_then(|()| moved_box(a, over))),
        row("+", &[W, P], W, |a| moved_path(a, |one, by| (one.0 + by.0, one.1 + by.1))),
        row("-", &[W, P], W, |a| moved_path(a, |one, by| (one.0 - by.0, one.1 - by.1))),
        row("*", &[W, P], W, |a| moved_path(a, times)),
        row("/", &[W, P], W, |a| divisor(a).and_then(|()| moved_path(a, over))),
        row("+", &[C, P], C, |a| moved_circle(a, |one, by| (one.0 + by.0, one.1 + by.1), |r, _| r)),
        row("-", &[C, P], C, |a| moved_circle(a, |one, by| (one.0 - by.0, one.1 - by.1), |r, _| r)),
        row("*", &[C, P], C, |a| moved_circle(a, times, |r, by| r * plane::length(by.0, by.1))),
        row("/", &[C, P], C, |a| {
            divisor(a).and_then(|()| moved_circle(a, over, |r, by| r / plane::length(by.0, by.1)))
        }),
        row("+", &[W, W], W, |a| {
            if is_closed(a, 0) || is_closed(a, 1) {
                return Ok(Value::Null);
            }
            own(print_points('[', &[points(a, 0)?, points(a, 1)?].concat(), ']'))
        }),
        row("#", &[B, B], B, |a| {
            let (one, other) = (corners(a, 0), corners(a, 1));
            if !plane::boxes_overlap(one, other) {
                return Ok(Value::Null);
            }
            let high = (one.0.0.min(other.0.0), one.0.1.min(other.0.1));
            own(print_box(high, (one.1.0.max(other.1.0), one.1.1.max(other.1.1))))
        }),
        row("#", &[L, L], P, |a| found(plane::crossing(whole_line(a, 0), whole_line(a, 1)))),
        row("#", &[S, S], P, |a| found(plane::meets(part(a, 0), part(a, 1)))),
        row("##", &[P, S], P, |a| found(Some(plane::nearest(part(a, 1), point(a, 0))))),
        row("##", &[P, L], P, |a| found(Some(plane::nearest_on_line(point(a, 0), whole_line(a, 1))))),
        row("##", &[P, B], P, |a| {
            let (to, corners) = (point(a, 0), corners(a, 1));
            if plane::in_box(corners, to) {
                return found(Some(to));
            }
            let nearest = plane::sides_of_box(corners).map(|side| plane::nearest(side, to));
            found(nearest.into_iter().reduce(|best, next| {
                if plane::apart(next, to) < plane::apart(best, to) { next } else { best }
            }))
        }),
    ];

/// Numbers of figures.
pub(super) static MEASURED: &[Function] = &[
    row("area", &[B], F, |a| number(width(a) * height(a))),
    row("area", &[C], F, |a| number(circle(a.text(0)).1.powi(2) * std::f64::consts::PI)),
    row("area", &[W], F, |a| {
        if !is_closed(a, 0) {
            return Ok(Value::Null);
        }
        let turns = plane::sides(&points(a, 0)?, true);
        // The side from the last point to the first comes last in PostgreSQL too.
        let area: f64 = turns.into_iter().map(|(from, to)| from.0 * to.1 - from.1 * to.0).sum();
        number(area.abs() / 2.0)
    }),
    row("width", &[B], F, |a| number(width(a))),
    row("height", &[B], F, |a| number(height(a))),
    row("diameter", &[C], F, |a| number(circle(a.text(0)).1 * 2.0)),
    row("radius", &[C], F, |a| number(circle(a.text(0)).1)),
    row("length", &[S], F, length),
    row("length", &[W], F, length),
    row("@-@", &[S], F, length),
    row("@-@", &[W], F, length),
    row("slope", &[P, P], F, |a| number(slope(point(a, 0), point(a, 1)))),
    row("npoints", &[W], I, count),
    row("npoints", &[G], I, count),
    row("#", &[W], I, count),
    row("#", &[G], I, count),
    row("<->", &[B, B], F, |a| number(plane::apart(center_of(corners(a, 0)), center_of(corners(a, 1))))),
    row("<->", &[C, C], F, |a| {
        let ((one, r1), (other, r2)) = (circle(a.text(0)), circle(a.text(1)));
        number((plane::apart(one, other) - (r1 + r2)).max(0.0))
    }),
    row("<->", &[C, P], F, |a| number(around(circle(a.text(0)), point(a, 1)))),
    row("<->", &[P, C], F, |a| number(around(circle(a.text(1)), point(a, 0)))),
    row("<->", &[B, P], F, |a| number(plane::box_apart(corners(a, 0), point(a, 1)))),
    row("<->", &[P, B], F, |a| number(plane::box_apart(corners(a, 1), point(a, 0)))),
    row("<->", &[P, L], F, |a| number(plane::from_line(point(a, 0), whole_line(a, 1)))),
    row("<->", &[L, P], F, |a| number(plane::from_line(point(a, 1), whole_line(a, 0)))),
    row("<->", &[P, S], F, |a| number(plane::from_part(point(a, 0), part(a, 1)))),
    row("<->", &[S, P], F, |a| number(plane::from_part(point(a, 1), part(a, 0)))),
    row("<->", &[S, S], F, |a| number(plane::parts_apart(part(a, 0), part(a, 1)))),
    row("<->", &[S, L], F, |a| number(plane::part_from_line(part(a, 0), whole_line(a, 1)))),
    row("<->", &[L, S], F, |a| number(plane::part_from_line(part(a, 1), whole_line(a, 0)))),
    row("<->", &[S, B], F, |a| number(from_box(part(a, 0), corners(a, 1)))),
    row("<->", &[B, S], F, |a| number(from_box(part(a, 1), corners(a, 0)))),
    row("<->", &[L, L], F, |a| {
        let (one, other) = (whole_line(a, 0), whole_line(a, 1));
        if plane::crossing(one, other).is_some() {
            return number(0.0);
        }
        let ratio = if !plane::zero(one[0]) && !plane::zero(other[0]) {
            one[0] / other[0]
        } else if !plane::zero(one[1]) && !plane::zero(other[1]) {
            one[1] / other[1]
        } else {
            1.0
        };
        number((one[2] - ratio * other[2]).abs() / plane::length(one[0], one[1]))
    }),
    row("<->", &[W, P], F, |a| from_points(a, 1, 0, is_closed(a, 0))),
    row("<->", &[P, W], F, |a| from_points(a, 0, 1, is_closed(a, 1))),
    row("<->", &[G, P], F, |a| from_polygon(a, point(a, 1), 0)),
    row("<->", &[P, G], F, |a| from_polygon(a, point(a, 0), 1)),
    row("<->", &[C, G], F, |a| circle_from_polygon(a, 0, 1)),
    row("<->", &[G, C], F, |a| circle_from_polygon(a, 1, 0)),
    row("<->", &[W, W], F, |a| apart_by_sides(a, is_closed(a, 0), is_closed(a, 1))),
    row("<->", &[G, G], F, |a| {
        let (one, other) = pair_of_points(a)?;
        if plane::polygons_overlap(&one, &other) { number(0.0) } else { apart_by_sides(a, true, true) }
    }),
];

macro_rules! placed {
    ($type:expr, $corners:expr) => {
        &[
            asks("<<", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(a.0.0, b.1.0))),
            asks("&<", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(a.0.0, b.0.0))),
            asks("&>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(b.1.0, a.1.0))),
            asks(">>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(b.0.0, a.1.0))),
            asks("<<|", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(a.0.1, b.1.1))),
            asks("&<|", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(a.0.1, b.0.1))),
            asks("|&>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(b.1.1, a.1.1))),
            asks("|>>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(b.0.1, a.1.1))),
        ]
    };
}

/// Where figures lie by their corners.
pub(super) static BOXES_PLACED: &[Function] = placed!(B, |a, at| Ok(corners(a, at)));
pub(super) static CIRCLES_PLACED: &[Function] = placed!(C, |a, at| {
    let ((x, y), radius) = circle(a.text(at));
    Ok(((x + radius, y + radius), (x - radius, y - radius)))
});
pub(super) static POLYGONS_PLACED: &[Function] = placed!(G, |a, at| Ok(plane::corners_of(&points(a, at)?)));

/// Questions.
pub(super) static ASKED: &[Function] = &[
    asks("<<", &[P, P], |a| truth(plane::less(point(a, 0).0, point(a, 1).0))),
    asks(">>", &[P, P], |a| truth(plane::less(point(a, 1).0, point(a, 0).0))),
    asks("<<|", &[P, P], |a| truth(plane::less(point(a, 0).1, point(a, 1).1))),
    asks("|>>", &[P, P], |a| truth(plane::less(point(a, 1).1, point(a, 0).1))),
    asks("<^", &[P, P], |a| truth(plane::less(point(a, 0).1, point(a, 1).1))),
    asks(">^", &[P, P], |a| truth(plane::less(point(a, 1).1, point(a, 0).1))),
    asks("&&", &[B, B], |a| truth(plane::boxes_overlap(corners(a, 0), corners(a, 1)))),
    asks("?#", &[B, B], |a| truth(plane::boxes_overlap(corners(a, 0), corners(a, 1)))),
    asks("&&", &[C, C], |a| {
        let ((one, r1), (other, r2)) = (circle(a.text(0)), circle(a.text(1)));
        truth(plane::at_most(plane::apart(one, other), r1 + r2))
    }),
    asks("&&", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::polygons_overlap(&one, &other))
    }),
    asks("~=", &[P, P], |a| truth(plane::same_point(point(a, 0), point(a, 1)))),
    asks("~=", &[B, B], |a| {
        let (one, other) = (corners(a, 0), corners(a, 1));
        truth(plane::same_point(one.0, other.0) && plane::same_point(one.1, other.1))
    }),
    asks("~=", &[C, C], |a| {
        let ((one, r1), (other, r2)) = (circle(a.text(0)), circle(a.text(1)));
        truth(same(r1, r2) && plane::same_point(one, other))
    }),
    asks("~=", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::same_polygon(&one, &other))
    }),
    asks("@>", &[B, B], |a| truth(plane::box_contains(corners(a, 0), corners(a, 1)))),
    asks("<@", &[B, B], |a| truth(plane::box_contains(corners(a, 1), corners(a, 0)))),
    asks("@>", &[B, P], |a| truth(plane::in_box(corners(a, 0), point(a, 1)))),
    asks("<@", &[P, B], |a| truth(plane::in_box(corners(a, 1), point(a, 0)))),
    asks("@>", &[C, C], |a| circle_contains(a, 0, 1)),
    asks("<@", &[C, C], |a| circle_contains(a, 1, 0)),
    asks("@>", &[C, P], |a| truth(in_circle(circle(a.text(0)), point(a, 1)))),
    asks("<@", &[P, C], |a| truth(in_circle(circle(a.text(1)), point(a, 0)))),
    asks("@>", &[G, P], |a| truth(plane::inside(point(a, 1), &points(a, 0)?))),
    asks("<@", &[P, G], |a| truth(plane::inside(point(a, 0), &points(a, 1)?))),
    asks("@>", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::polygon_contains(&one, &other))
    }),
    asks("<@", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::polygon_contains(&other, &one))
    }),
    asks("@>", &[W, P], |a| on_path(a, 0, 1)),
    asks("<@", &[P, W], |a| on_path(a, 1, 0)),
    asks("<@", &[P, L], |a| truth(plane::on_line(whole_line(a, 1), point(a, 0)))),
    asks("<@", &[P, S], |a| truth(plane::has_point(part(a, 1), point(a, 0)))),
    asks("<@", &[S, L], |a| {
        let (part, line) = (part(a, 0), whole_line(a, 1));
        truth(plane::on_line(line, part.0) && plane::on_line(line, part.1))
    }),
    asks("<@", &[S, B], |a| {
        let (part, corners) = (part(a, 0), corners(a, 1));
        truth(plane::in_box(corners, part.0) && plane::in_box(corners, part.1))
    }),
    asks("<^", &[B, B], |a| truth(plane::at_most(corners(a, 0).0.1, corners(a, 1).1.1))),
    asks(">^", &[B, B], |a| truth(plane::at_most(corners(a, 1).0.1, corners(a, 0).1.1))),
    asks("?#", &[S, S], |a| truth(plane::meets(part(a, 0), part(a, 1)).is_some())),
    asks("?#", &[L, L], |a| truth(plane::crossing(whole_line(a, 0), whole_line(a, 1)).is_some())),
    asks("?#", &[S, L], |a| truth(plane::meets_line(part(a, 0), whole_line(a, 1)).is_some())),
    asks("?#", &[S, B], |a| truth(plane::meets_box(part(a, 0), corners(a, 1)))),
    asks("?#", &[L, B], |a| {
        let line = whole_line(a, 0);
        let mut sides = plane::sides_of_box(corners(a, 1)).into_iter();
        truth(sides.any(|side| plane::meets_line(side, line).is_some()))
    }),
    asks("?#", &[W, W], |a| {
        let (one, other) = pair_of_points(a)?;
        let others = plane::sides(&other, is_closed(a, 1));
        let mut sides = plane::sides(&one, is_closed(a, 0)).into_iter();
        truth(sides.any(|side| others.iter().any(|other| plane::meets(side, *other).is_some())))
    }),
    asks("?-", &[S], |a| truth(same(part(a, 0).0.1, part(a, 0).1.1))),
    asks("ishorizontal", &[S], |a| truth(same(part(a, 0).0.1, part(a, 0).1.1))),
    asks("?-", &[L], |a| truth(plane::zero(whole_line(a, 0)[0]))),
    asks("ishorizontal", &[L], |a| truth(plane::zero(whole_line(a, 0)[0]))),
    asks("?-", &[P, P], |a| truth(same(point(a, 0).1, point(a, 1).1))),
    asks("ishorizontal", &[P, P], |a| truth(same(point(a, 0).1, point(a, 1).1))),
    asks("?|", &[S], |a| truth(same(part(a, 0).0.0, part(a, 0).1.0))),
    asks("isvertical", &[S], |a| truth(same(part(a, 0).0.0, part(a, 0).1.0))),
    asks("?|", &[L], |a| truth(plane::zero(whole_line(a, 0)[1]))),
    asks("isvertical", &[L], |a| truth(plane::zero(whole_line(a, 0)[1]))),
    asks("?|", &[P, P], |a| truth(same(point(a, 0).0, point(a, 1).0))),
    asks("isvertical", &[P, P], |a| truth(same(point(a, 0).0, point(a, 1).0))),
    asks("?||", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::slope_of(part(a, 1))))),
    asks("isparallel", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::slope_of(part(a, 1))))),
    asks("?||", &[L, L], |a| truth(plane::crossing(whole_line(a, 0), whole_line(a, 1)).is_none())),
    asks("isparallel", &[L, L], |a| truth(plane::crossing(whole_line(a, 0), whole_line(a, 1)).is_none())),
    asks("?-|", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::across(part(a, 1))))),
    asks("isperp", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::across(part(a, 1))))),
    asks("?-|", &[L, L], |a| truth(perpendicular(whole_line(a, 0), whole_line(a, 1)))),
    asks("isperp", &[L, L], |a| truth(perpendicular(whole_line(a, 0), whole_line(a, 1)))),
    asks("isclosed", &[W], |a| truth(is_closed(a, 0))),
    asks("isopen", &[W], |a| truth(!is_closed(a, 0))),
];

macro_rules! compared {
    ($type:expr, $size:expr) => {
        &[
            asks("=", &[$type, $type], |a| sized(a, $size, same)),
            asks("<", &[$type, $type], |a| sized(a, $size, plane::less)),
            asks("<=", &[$type, $type], |a| sized(a, $size, plane::at_most)),
            asks(">", &[$type, $type], |a| sized(a, $size, |a, b| plane::less(b, a))),
            asks(">=", &[$type, $type], |a| sized(a, $size, |a, b| plane::at_most(b, a))),
        ]
    };
}

/// Comparisons by size: of areas, and of the number of points.
pub(super) static BOXES_COMPARED: &[Function] = compared!(B, |a, at| {
    let (high, low) = corners(a, at);
    (high.0 - low.0) * (high.1 - low.1)
});
pub(super) static CIRCLES_COMPARED: &[Function] =
    compared!(C, |a, at| circle(a.text(at)).1.powi(2) * std::f64::consts::PI);
pub(super) static PATHS_COMPARED: &[Function] = compared!(W, |a, at| figure::points(a.text(at)).len() as f64);

/// Comparisons of other kinds.
pub(super) static COMPARED: &[Function] = &[
    asks("<>", &[P, P], |a| truth(!plane::same_point(point(a, 0), point(a, 1)))),
    asks("<>", &[C, C], |a| {
        let area = |at| circle(a.text(at)).1.powi(2) * std::f64::consts::PI;
        truth(!same(area(0), area(1)))
    }),
    asks("=", &[S, S], |a| truth(same_part(part(a, 0), part(a, 1)))),
    asks("<>", &[S, S], |a| truth(!same_part(part(a, 0), part(a, 1)))),
    asks("<", &[S, S], |a| sized(a, part_length, plane::less)),
    asks("<=", &[S, S], |a| sized(a, part_length, plane::at_most)),
    asks(">", &[S, S], |a| sized(a, part_length, |a, b| plane::less(b, a))),
    asks(">=", &[S, S], |a| sized(a, part_length, |a, b| plane::at_most(b, a))),
    asks("=", &[L, L], |a| {
        let (one, other) = (whole_line(a, 0), whole_line(a, 1));
        let at = (0..3).find(|at| !plane::zero(other[*at]));
        let ratio = at.map_or(1.0, |at| one[at] / other[at]);
        truth((0..3).all(|at| same(one[at], ratio * other[at])))
    }),
];

fn same_part(one: Part, other: Part) -> bool {
    plane::same_point(one.0, other.0) && plane::same_point(one.1, other.1)
}

fn part_length(a: &Arguments<'_, '_>, at: usize) -> f64 {
    let part = part(a, at);
    apart(part.0, part.1)
}

fn sized(
    a: &Arguments<'_, '_>,
    size: impl Fn(&Arguments<'_, '_>, usize) -> f64,
    is: fn(f64, f64) -> bool,
) -> Result<Value> {
    truth(is(size(a, 0), size(a, 1)))
}

/// One of the points of a figure, from zero on.
pub(super) fn point_at(a: &Arguments<'_, '_>) -> Result<Value> {
    let at = usize::try_from(a.int(1)).ok();
    found(at.and_then(|at| figure::points(a.text(0)).get(at).copied()))
}

/// One of the numbers of a figure, from zero on.
pub(super) fn number_at(a: &Arguments<'_, '_>) -> Result<Value> {
    let at = usize::try_from(a.int(1)).ok();
    Ok(at.and_then(|at| figure::numbers(a.text(0)).get(at).copied()).map_or(Value::Null, Value::Real))
}

fn point(a: &Arguments<'_, '_>, at: usize) -> Point {
    figure::points(a.text(at)).first().copied().unwrap_or_default()
}

fn part(a: &Arguments<'_, '_>, at: usize) -> Part {
    let points = figure::points(a.text(at));
    (points.first().copied().unwrap_or_default(), points.get(1).copied().unwrap_or_default())
}

/// The upper right and the lower left corner, in which order a box has them.
fn corners(a: &Arguments<'_, '_>, at: usize) -> Corners {
    part(a, at)
}

fn points(a: &Arguments<'_, '_>, at: usize) -> Result<Vec<Point>> {
    a.budget().work(a.text(at).len() / 4)?;
    Ok(figure::points(a.text(at)))
}

/// The points of both arguments, with the cost of comparing each with each.
fn pair_of_points(a: &Arguments<'_, '_>) -> Result<(Vec<Point>, Vec<Point>)> {
    let (one, other) = (points(a, 0)?, points(a, 1)?);
    a.budget().work(one.len().saturating_mul(other.len()).saturating_mul(2))?;
    Ok((one, other))
}

fn circle(stored: &str) -> (Point, f64) {
    match figure::numbers(stored)[..] {
        [x, y, radius] => ((x, y), radius),
        _ => ((0.0, 0.0), 0.0),
    }
}

fn whole_line(a: &Arguments<'_, '_>, at: usize) -> Line {
    figure::numbers(a.text(at)).try_into().unwrap_or_default()
}

fn is_closed(a: &Arguments<'_, '_>, at: usize) -> bool {
    !a.text(at).starts_with('[')
}

fn number(value: f64) -> Result<Value> {
    if value.is_finite() { Ok(Value::Real(value)) } else { Err(super::out_of_range(F)) }
}

fn found(point: Option<Point>) -> Result<Value> {
    point.map_or(Ok(Value::Null), |point| own(print_point(point)))
}

fn center_of((high, low): Corners) -> Point {
    ((high.0 + low.0) / 2.0, (high.1 + low.1) / 2.0)
}

fn width(a: &Arguments<'_, '_>) -> f64 {
    let (high, low) = corners(a, 0);
    high.0 - low.0
}

fn height(a: &Arguments<'_, '_>) -> f64 {
    let (high, low) = corners(a, 0);
    high.1 - low.1
}

fn converted(a: &Arguments<'_, '_>, from: Type, to: Type) -> Result<Value> {
    a.budget().work(a.text(0).len() / 4)?;
    own(convert(a.text(0), from, to)?)
}

/// A figure as another one, as casts have it.
pub(crate) fn convert(stored: &str, from: Type, to: Type) -> Result<String> {
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

fn polygon_of(count: i64, (center, radius): (Point, f64)) -> Result<String> {
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

type Move = fn(Point, Point) -> Point;

fn times(one: Point, by: Point) -> Point {
    (one.0 * by.0 - one.1 * by.1, one.0 * by.1 + one.1 * by.0)
}

fn over(one: Point, by: Point) -> Point {
    let whole = by.0 * by.0 + by.1 * by.1;
    ((one.0 * by.0 + one.1 * by.1) / whole, (by.0 * one.1 - by.1 * one.0) / whole)
}

fn divisor(a: &Arguments<'_, '_>) -> Result<()> {
    let (x, y) = point(a, 1);
    if x == 0.0 && y == 0.0 {
        return Err(SqlError::new(SqlState::new("22012"), "division by zero"));
    }
    Ok(())
}

fn moved_point(a: &Arguments<'_, '_>, by: Move) -> Result<Value> {
    own(print_point(by(point(a, 0), point(a, 1))))
}

fn moved_box(a: &Arguments<'_, '_>, by: Move) -> Result<Value> {
    let ((high, low), to) = (corners(a, 0), point(a, 1));
    own(print_box(by(high, to), by(low, to)))
}

fn moved_path(a: &Arguments<'_, '_>, by: Move) -> Result<Value> {
    let to = point(a, 1);
    let points: Vec<Point> = points(a, 0)?.into_iter().map(|one| by(one, to)).collect();
    let [left, right] = if is_closed(a, 0) { ['(', ')'] } else { ['[', ']'] };
    own(print_points(left, &points, right))
}

fn moved_circle(a: &Arguments<'_, '_>, by: Move, grow: fn(f64, Point) -> f64) -> Result<Value> {
    let ((center, radius), to) = (circle(a.text(0)), point(a, 1));
    own(print_circle(by(center, to), grow(radius, to)))
}

fn length(a: &Arguments<'_, '_>) -> Result<Value> {
    let is_path = !a.text(0).starts_with('[');
    number(plane::sides(&points(a, 0)?, is_path).into_iter().map(|(from, to)| plane::apart(from, to)).sum())
}

fn count(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(Value::Integer(points(a, 0)?.len() as i64))
}

fn around((center, radius): (Point, f64), point: Point) -> f64 {
    (plane::apart(center, point) - radius).max(0.0)
}

fn in_circle((center, radius): (Point, f64), point: Point) -> bool {
    plane::apart(center, point) <= radius
}

fn circle_contains(a: &Arguments<'_, '_>, whole: usize, part: usize) -> Result<Value> {
    let ((one, r1), (other, r2)) = (circle(a.text(whole)), circle(a.text(part)));
    truth(plane::at_most(plane::apart(one, other), r1 - r2))
}

fn from_box(part: Part, corners: Corners) -> f64 {
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

fn from_points(a: &Arguments<'_, '_>, point_at: usize, at: usize, closed: bool) -> Result<Value> {
    number(distance_to(point(a, point_at), &points(a, at)?, closed))
}

fn outside(a: &Arguments<'_, '_>, point: Point, at: usize) -> Result<f64> {
    let points = points(a, at)?;
    Ok(if plane::inside(point, &points) { 0.0 } else { distance_to(point, &points, true) })
}

fn from_polygon(a: &Arguments<'_, '_>, point: Point, at: usize) -> Result<Value> {
    number(outside(a, point, at)?)
}

fn circle_from_polygon(a: &Arguments<'_, '_>, circle_at: usize, at: usize) -> Result<Value> {
    let (center, radius) = circle(a.text(circle_at));
    number((outside(a, center, at)? - radius).max(0.0))
}

fn apart_by_sides(a: &Arguments<'_, '_>, one_closed: bool, other_closed: bool) -> Result<Value> {
    let (one, other) = pair_of_points(a)?;
    let others = plane::sides(&other, other_closed);
    let all = plane::sides(&one, one_closed).into_iter();
    let apart = all.flat_map(|side| others.iter().map(move |other| plane::parts_apart(side, *other)));
    apart.reduce(f64::min).map_or(Ok(Value::Null), number)
}

fn beside(
    a: &Arguments<'_, '_>,
    corners: impl Fn(&Arguments<'_, '_>, usize) -> Result<Corners>,
    is: fn(Corners, Corners) -> bool,
) -> Result<Value> {
    truth(is(corners(a, 0)?, corners(a, 1)?))
}

fn on_path(a: &Arguments<'_, '_>, at: usize, point_at: usize) -> Result<Value> {
    let (points, point) = (points(a, at)?, point(a, point_at));
    if is_closed(a, at) {
        return truth(plane::inside(point, &points));
    }
    truth(plane::sides(&points, false).into_iter().any(|side| plane::has_point(side, point)))
}

fn perpendicular([a1, b1, _]: Line, [a2, b2, _]: Line) -> bool {
    match () {
        () if plane::zero(a1) => plane::zero(b2),
        () if plane::zero(a2) => plane::zero(b1),
        () if plane::zero(b1) => plane::zero(a2),
        () if plane::zero(b2) => plane::zero(a1),
        () => same((a1 * a2) / (b1 * b2), -1.0),
    }
}
