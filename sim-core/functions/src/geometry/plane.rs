//! Measures and relations of shapes in the plane.

use sim_values::budget::Budget;
use sim_values::value::geometry::{Coordinate, Kind, Shape};

use sim_values::error::Result;

/// The parts of a shape by their dimension.
#[derive(Default)]
pub(super) struct Parts<'a> {
    pub(super) points: Vec<&'a Coordinate>,
    pub(super) lines: Vec<&'a [Coordinate]>,
    pub(super) areas: Vec<&'a [Vec<Coordinate>]>,
}

type Segment<'a> = (&'a Coordinate, &'a Coordinate);

impl<'a> Parts<'a> {
    pub(super) fn of(shape: &'a Shape) -> Parts<'a> {
        let mut parts = Parts::default();
        parts.add(shape);
        parts
    }

    fn add(&mut self, shape: &'a Shape) {
        match shape {
            Shape::Point(at) => self.points.extend(at),
            Shape::Line(line) if line.is_empty() => {}
            Shape::Line(line) => self.lines.push(line),
            Shape::Polygon(rings) if rings.is_empty() => {}
            Shape::Polygon(rings) => self.areas.push(rings),
            Shape::Collection(_, members) => members.iter().for_each(|member| self.add(member)),
        }
    }

    /// The highest dimension of its parts.
    pub(super) fn dimension(&self) -> u8 {
        match (self.areas.is_empty(), self.lines.is_empty()) {
            (false, _) => 2,
            (true, false) => 1,
            (true, true) => 0,
        }
    }

    /// The pieces of lines and borders; a point is a piece without a length.
    pub(super) fn segments(&self) -> Vec<Segment<'a>> {
        let points = self.points.iter().map(|at| (*at, *at));
        points.chain(self.lines.iter().flat_map(|line| pieces(line))).chain(self.borders()).collect()
    }

    fn borders(&self) -> impl Iterator<Item = Segment<'a>> {
        self.areas.iter().flat_map(|rings| rings.iter()).flat_map(|ring| pieces(ring))
    }

    /// One point of each part.
    fn samples(&self) -> impl Iterator<Item = &'a Coordinate> {
        let lines = self.lines.iter().filter_map(|line| line.first());
        let areas = self.areas.iter().filter_map(|rings| rings.first()?.first());
        self.points.iter().copied().chain(lines).chain(areas)
    }

    fn place(&self, at: &Coordinate) -> Place {
        let places = self.areas.iter().map(|rings| place(at, rings));
        places.fold(Place::Outside, Place::or)
    }

    fn has_on_a_line(&self, at: &Coordinate) -> bool {
        self.lines.iter().flat_map(|line| pieces(line)).any(|piece| is_on(at, piece))
    }

    fn has_point(&self, at: &Coordinate) -> bool {
        self.points.iter().any(|point| is_same(point, at))
    }
}

fn pieces(line: &[Coordinate]) -> impl Iterator<Item = Segment<'_>> {
    line.windows(2).map(|pair| (&pair[0], &pair[1]))
}

/// Where a point is, as an area sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Border,
    Outside,
}

impl Place {
    /// Its place for two areas together.
    fn or(self, other: Place) -> Place {
        match (self, other) {
            (Place::Inside, _) | (_, Place::Inside) => Place::Inside,
            (Place::Border, _) | (_, Place::Border) => Place::Border,
            _ => Place::Outside,
        }
    }
}

fn is_same(left: &Coordinate, right: &Coordinate) -> bool {
    (left.x, left.y) == (right.x, right.y)
}

/// Positive if `at` is on the left of the way from `from` to `to`.
fn side(from: &Coordinate, to: &Coordinate, at: &Coordinate) -> f64 {
    (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x)
}

fn is_on(at: &Coordinate, (from, to): Segment<'_>) -> bool {
    let is_between = |a: f64, b: f64, value: f64| a.min(b) <= value && value <= a.max(b);
    is_between(from.x, to.x, at.x) && is_between(from.y, to.y, at.y) && side(from, to, at) == 0.0
}

fn place_in_ring(at: &Coordinate, ring: &[Coordinate]) -> Place {
    let mut is_inside = false;
    for (from, to) in pieces(ring) {
        if is_on(at, (from, to)) {
            return Place::Border;
        }
        let crosses_level = (from.y > at.y) != (to.y > at.y);
        if crosses_level && (side(from, to, at) > 0.0) == (to.y > from.y) {
            is_inside = !is_inside;
        }
    }
    if is_inside { Place::Inside } else { Place::Outside }
}

fn place(at: &Coordinate, rings: &[Vec<Coordinate>]) -> Place {
    let Some((outer, holes)) = rings.split_first() else { return Place::Outside };
    let mut found = place_in_ring(at, outer);
    for hole in holes {
        match place_in_ring(at, hole) {
            Place::Inside => return Place::Outside,
            Place::Border if found == Place::Inside => found = Place::Border,
            _ => {}
        }
    }
    found
}

fn meet((a, b): Segment<'_>, (c, d): Segment<'_>) -> bool {
    let opposite = |left: f64, right: f64| left > 0.0 && right < 0.0 || left < 0.0 && right > 0.0;
    opposite(side(a, b, c), side(a, b, d)) && opposite(side(c, d, a), side(c, d, b))
        || is_on(a, (c, d))
        || is_on(b, (c, d))
        || is_on(c, (a, b))
        || is_on(d, (a, b))
}

/// Charges so many units for each pair of a piece of one shape and a piece of another.
pub(super) fn charge(left: &Parts<'_>, right: &Parts<'_>, units: usize, budget: &Budget) -> Result<()> {
    let pairs = left.segments().len().saturating_mul(right.segments().len());
    budget.work(pairs.saturating_mul(units))
}

/// Charges for a relation. It looks where each part is that the pieces of one shape are cut into by those of the other.
pub(super) fn charge_relation(left: &Parts<'_>, right: &Parts<'_>, budget: &Budget) -> Result<()> {
    charge(left, right, 1, budget)?;
    let (pieces, others) = (left.segments(), right.segments());
    let cuts = pieces.iter().map(|piece| others.iter().filter(|other| meet(*piece, **other)).count());
    let all = pieces.len() + others.len();
    let parts = (3 * all).saturating_add(cuts.sum::<usize>() * 2);
    budget.work(parts.saturating_mul(all))
}

/// Whether two shapes have a point in common.
pub(super) fn intersects(left: &Parts<'_>, right: &Parts<'_>) -> bool {
    left.samples().any(|at| right.place(at) != Place::Outside)
        || right.samples().any(|at| left.place(at) != Place::Outside)
        || left.segments().iter().any(|piece| right.segments().iter().any(|other| meet(*piece, *other)))
}

/// Whether no point of `inner` is outside of `outer`.
pub(super) fn covers(outer: &Parts<'_>, inner: &Parts<'_>) -> bool {
    let has =
        |at: &Coordinate| outer.place(at) != Place::Outside || outer.has_on_a_line(at) || outer.has_point(at);
    let cuts = outer.segments();
    let is_empty = inner.segments().is_empty() || cuts.is_empty();
    let is_within = |piece: &Segment<'_>| parts_of(*piece, &cuts).iter().all(has);
    // A hole inside of the inner area is outside.
    let holes = outer.areas.iter().flat_map(|rings| rings.iter().skip(1)).filter_map(|hole| hole.first());
    let has_hole = holes.clone().any(|at| inner.place(at) == Place::Inside);
    let only_lines = outer.areas.is_empty() && !inner.areas.is_empty();
    !is_empty && !has_hole && !only_lines && inner.segments().iter().all(is_within)
}

/// The ends of a piece, and a point of each part that it is cut into.
fn parts_of((from, to): Segment<'_>, cuts: &[Segment<'_>]) -> Vec<Coordinate> {
    if is_same(from, to) {
        return vec![*from];
    }
    let mut at: Vec<f64> = cuts.iter().flat_map(|cut| crossings((from, to), *cut)).collect();
    at.extend([0.0, 1.0]);
    at.sort_by(f64::total_cmp);
    at.dedup();
    let point = |share: f64| between(from, to, share);
    let middles = at.windows(2).map(|pair| point(f64::midpoint(pair[0], pair[1])));
    [*from, *to].into_iter().chain(middles).collect()
}

/// The point at a share of the way.
pub(super) fn between(from: &Coordinate, to: &Coordinate, share: f64) -> Coordinate {
    let value = |from: f64, to: f64| from + (to - from) * share;
    Coordinate {
        x: value(from.x, to.x),
        y: value(from.y, to.y),
        z: value(from.z, to.z),
        m: value(from.m, to.m),
    }
}

/// Where on the way from `from` to `to` another piece touches it, as shares of the way.
fn crossings((from, to): Segment<'_>, (c, d): Segment<'_>) -> Vec<f64> {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let (other_x, other_y) = (d.x - c.x, d.y - c.y);
    let share = |at: &Coordinate| ((at.x - from.x) * x + (at.y - from.y) * y) / (x * x + y * y);
    let cross = x * other_y - y * other_x;
    if cross == 0.0 {
        let touching = [c, d].into_iter().filter(|at| is_on(at, (from, to)));
        return touching.map(share).collect();
    }
    let first = ((c.x - from.x) * other_y - (c.y - from.y) * other_x) / cross;
    let second = ((c.x - from.x) * y - (c.y - from.y) * x) / cross;
    let is_on_both = (0.0..=1.0).contains(&first) && (0.0..=1.0).contains(&second);
    if is_on_both { vec![first] } else { Vec::new() }
}

/// Whether `inner` has no point outside of `outer`, and some that is not on its border.
pub(super) fn contains(outer: &Parts<'_>, inner: &Parts<'_>) -> bool {
    let ends = |at: &Coordinate| {
        let count = |line: &&[Coordinate]| {
            let (first, last) = (line.first(), line.last());
            usize::from(first.is_some_and(|end| is_same(end, at)))
                + usize::from(last.is_some_and(|end| is_same(end, at)))
        };
        outer.lines.iter().map(count).sum::<usize>() % 2 == 1
    };
    let is_interior = |at: &Coordinate| {
        outer.place(at) == Place::Inside || outer.has_point(at) || outer.has_on_a_line(at) && !ends(at)
    };
    let cuts = outer.segments();
    let has_interior =
        || inner.segments().iter().any(|piece| parts_of(*piece, &cuts).iter().any(is_interior));
    covers(outer, inner) && (!inner.areas.is_empty() || has_interior())
}

/// The shortest distance; `None` if one of them is empty.
pub(super) fn distance(left: &Parts<'_>, right: &Parts<'_>) -> Option<f64> {
    let (pieces, others) = (left.segments(), right.segments());
    if pieces.is_empty() || others.is_empty() {
        return None;
    }
    if intersects(left, right) {
        return Some(0.0);
    }
    let pairs = pieces.iter().flat_map(|piece| others.iter().map(move |other| apart(*piece, *other)));
    pairs.min_by(f64::total_cmp)
}

/// The distance of two pieces that do not meet.
fn apart((a, b): Segment<'_>, (c, d): Segment<'_>) -> f64 {
    let distances =
        [from_piece(a, (c, d)), from_piece(b, (c, d)), from_piece(c, (a, b)), from_piece(d, (a, b))];
    distances.into_iter().fold(f64::INFINITY, f64::min)
}

/// The distance of a point from a piece.
pub(super) fn from_piece(at: &Coordinate, (from, to): Segment<'_>) -> f64 {
    let nearest = between(from, to, nearest_share(at, (from, to)));
    (at.x - nearest.x).hypot(at.y - nearest.y)
}

/// The share of the way that is nearest to a point.
pub(super) fn nearest_share(at: &Coordinate, (from, to): Segment<'_>) -> f64 {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let square = x * x + y * y;
    if square == 0.0 {
        return 0.0;
    }
    (((at.x - from.x) * x + (at.y - from.y) * y) / square).clamp(0.0, 1.0)
}

pub(super) fn length(line: &[Coordinate]) -> f64 {
    pieces(line).map(|(from, to)| (to.x - from.x).hypot(to.y - from.y)).sum()
}

/// The area of a ring; negative if it runs clockwise.
pub(super) fn area_of_ring(ring: &[Coordinate]) -> f64 {
    let Some(origin) = ring.first() else { return 0.0 };
    pieces(ring).map(|(from, to)| side(origin, from, to)).sum::<f64>() / 2.0
}

pub(super) fn area(parts: &Parts<'_>) -> f64 {
    let of = |rings: &&[Vec<Coordinate>]| {
        let mut areas = rings.iter().map(|ring| area_of_ring(ring).abs());
        areas.next().unwrap_or_default() - areas.sum::<f64>()
    };
    parts.areas.iter().map(of).sum()
}

/// The centre of the parts of the highest dimension.
pub(super) fn centroid(parts: &Parts<'_>) -> Option<Coordinate> {
    let mut weighted = (0.0, 0.0, 0.0);
    let mut add = |x: f64, y: f64, weight: f64| {
        weighted = (weighted.0 + x * weight, weighted.1 + y * weight, weighted.2 + weight);
    };
    for rings in &parts.areas {
        for (index, ring) in rings.iter().enumerate() {
            let Some(origin) = ring.first() else { continue };
            let turn = area_of_ring(ring).signum() * if index == 0 { 1.0 } else { -1.0 };
            for (from, to) in pieces(ring) {
                let weight = side(origin, from, to) * turn;
                add((origin.x + from.x + to.x) / 3.0, (origin.y + from.y + to.y) / 3.0, weight);
            }
        }
    }
    if weighted.2 == 0.0 {
        let mut add = |x: f64, y: f64, weight: f64| {
            weighted = (weighted.0 + x * weight, weighted.1 + y * weight, weighted.2 + weight);
        };
        for (from, to) in parts.lines.iter().flat_map(|line| pieces(line)).chain(parts.borders()) {
            let middle = between(from, to, 0.5);
            add(middle.x, middle.y, (to.x - from.x).hypot(to.y - from.y));
        }
    }
    if weighted.2 == 0.0 {
        for at in parts.segments().iter().map(|(from, _)| from) {
            weighted = (weighted.0 + at.x, weighted.1 + at.y, weighted.2 + 1.0);
        }
    }
    (weighted.2 != 0.0).then(|| Coordinate::of(weighted.0 / weighted.2, weighted.1 / weighted.2))
}

/// The box around a shape: least and greatest `x` and `y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) least: Coordinate,
    pub(super) most: Coordinate,
}

impl Bounds {
    pub(super) fn of(shape: &Shape) -> Option<Bounds> {
        let mut bounds: Option<Bounds> = None;
        shape.each(&mut |at| {
            let known = bounds.get_or_insert(Bounds { least: *at, most: *at });
            *known = known.with(at);
        });
        bounds
    }

    pub(super) fn with(&self, at: &Coordinate) -> Bounds {
        let choose = |a: &Coordinate, choose: fn(f64, f64) -> f64| Coordinate {
            x: choose(a.x, at.x),
            y: choose(a.y, at.y),
            z: choose(a.z, at.z),
            m: choose(a.m, at.m),
        };
        Bounds { least: choose(&self.least, f64::min), most: choose(&self.most, f64::max) }
    }

    pub(super) fn meets(&self, other: &Bounds) -> bool {
        let (a, b) = (self, other);
        a.least.x <= b.most.x && b.least.x <= a.most.x && a.least.y <= b.most.y && b.least.y <= a.most.y
    }

    pub(super) fn contains(&self, other: &Bounds) -> bool {
        let (a, b) = (self, other);
        a.least.x <= b.least.x && b.most.x <= a.most.x && a.least.y <= b.least.y && b.most.y <= a.most.y
    }

    /// The box as a shape: a point or a line if it has no width or no height.
    pub(super) fn shape(&self) -> Shape {
        let (least, most) = (self.least, self.most);
        let at = Coordinate::of;
        if least.x == most.x && least.y == most.y {
            return Shape::Point(Some(at(least.x, least.y)));
        }
        if least.x == most.x || least.y == most.y {
            return Shape::Line(vec![at(least.x, least.y), at(most.x, most.y)]);
        }
        self.area()
    }

    /// The box as an area.
    pub(super) fn area(&self) -> Shape {
        let (least, most) = (self.least, self.most);
        let corners =
            [(least.x, least.y), (least.x, most.y), (most.x, most.y), (most.x, least.y), (least.x, least.y)];
        Shape::Polygon(vec![corners.into_iter().map(|(x, y)| Coordinate::of(x, y)).collect()])
    }
}

/// The smallest area without a bend inwards that covers all points.
pub(super) fn hull(shape: &Shape) -> Shape {
    let mut points = Vec::new();
    shape.each(&mut |at| points.push(Coordinate::of(at.x, at.y)));
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    match &points[..] {
        [] => return Shape::Collection(Kind::GeometryCollection, Vec::new()),
        [only] => return Shape::Point(Some(*only)),
        _ => {}
    }
    // The way along the top, then back along the bottom.
    let mut ring = chain(points.iter());
    ring.pop();
    ring.extend(chain(points.iter().rev()));
    if ring.len() < 4 { Shape::Line(ring[..2].to_vec()) } else { Shape::Polygon(vec![ring]) }
}

fn chain<'a>(points: impl Iterator<Item = &'a Coordinate>) -> Vec<Coordinate> {
    let mut kept: Vec<Coordinate> = Vec::new();
    for at in points {
        while let [.., before, last] = &kept[..]
            && side(before, last, at) >= 0.0
        {
            kept.pop();
        }
        kept.push(*at);
    }
    kept
}

/// A line without the points that are nearer than `tolerance` to what is left.
pub(super) fn simplified(line: &[Coordinate], tolerance: f64, budget: &Budget) -> Result<Vec<Coordinate>> {
    let mut keep = vec![false; line.len()];
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((from, to)) = open.pop() {
        budget.work(to - from)?;
        keep[from] = true;
        keep[to] = true;
        let far = |at: &usize| from_piece(&line[*at], (&line[from], &line[to]));
        let farthest = (from + 1..to).max_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(at) = farthest.filter(|at| far(at) > tolerance) {
            open.extend([(from, at), (at, to)]);
        }
    }
    Ok(line.iter().zip(keep).filter(|(_, keep)| *keep).map(|(at, _)| *at).collect())
}

/// Whether two shapes have points in common, but only such of a border or an end.
pub(super) fn touches(left: &Parts<'_>, right: &Parts<'_>) -> bool {
    let is_inner = |parts: &Parts<'_>, at: &Coordinate| {
        let ends = parts.lines.iter().flat_map(|line| [line.first(), line.last()]).flatten();
        parts.place(at) == Place::Inside
            || parts.has_point(at)
            || parts.has_on_a_line(at) && ends.filter(|end| is_same(end, at)).count() % 2 == 0
    };
    let share_inner = |one: &Parts<'_>, other: &Parts<'_>| {
        let cuts = other.segments();
        let points = one.segments().into_iter().flat_map(|piece| parts_of(piece, &cuts)).collect::<Vec<_>>();
        points.iter().any(|at| {
            is_inner(one, at) && is_inner(other, at) || {
                // A border inside of another area has points of both on one of its sides.
                !one.areas.is_empty() && other.place(at) == Place::Inside
            }
        })
    };
    let same_area = !left.areas.is_empty() && covers(left, right) && covers(right, left);
    intersects(left, right) && !same_area && !share_inner(left, right) && !share_inner(right, left)
}

/// Whether a ring crosses itself or another ring.
pub(super) fn has_crossing(rings: &[Vec<Coordinate>]) -> bool {
    let pieces: Vec<Segment<'_>> = rings.iter().flat_map(|ring| pieces(ring)).collect();
    let opposite = |left: f64, right: f64| left > 0.0 && right < 0.0 || left < 0.0 && right > 0.0;
    pieces.iter().enumerate().any(|(index, (a, b))| {
        pieces[index + 1..]
            .iter()
            .any(|(c, d)| opposite(side(a, b, c), side(a, b, d)) && opposite(side(c, d, a), side(c, d, b)))
    })
}
