//! Headlines of several fragments: the parts of a text that match, each widened to a number of words.

use sim_values::budget::Budget;
use sim_values::value::tsquery::{Query, Word};

use super::{Options, Token, cover, start};
use sim_values::error::Result;

/// A part that matches: its first and last token, its words, and how many of them the query has.
struct Cover {
    first: usize,
    last: usize,
    words: usize,
    found: usize,
    /// Whether it is taken, or has tokens of one that is.
    done: bool,
}

/// The first tokens and the ends of the best fragments, in the order of the text.
pub(super) fn fragments(
    tokens: &[Token],
    query: &Query,
    words: &[&Word],
    options: &Options,
    budget: &Budget,
) -> Result<Vec<(usize, usize)>> {
    let mut covers = covers(tokens, query, words, options, budget)?;
    let mut taken = vec![false; tokens.len()];
    for _ in 0..options.fragments {
        budget.work(covers.len())?;
        let open = (0..covers.len()).filter(|at| !covers[*at].done && covers[*at].found > 0);
        let Some(best) = open.min_by_key(|at| (usize::MAX - covers[*at].found, covers[*at].words)) else {
            break;
        };
        let (first, last) = widened(tokens, &covers[best], &taken, options);
        budget.work(last - first)?;
        taken[first..=last].fill(true);
        for cover in &mut covers {
            let inside = |at: usize| (first..=last).contains(&at);
            cover.done |=
                inside(cover.first) || inside(cover.last) || cover.first < first && cover.last > last;
        }
        covers[best].done = true;
    }
    if !taken.contains(&true) {
        return Ok(vec![start(tokens, options)]);
    }
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, _) in taken.iter().enumerate().filter(|(_, taken)| **taken) {
        match found.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => found.push((at, at + 1)),
        }
    }
    Ok(found)
}

/// The shortest parts that match, cut where they are too long.
fn covers(
    tokens: &[Token],
    query: &Query,
    words: &[&Word],
    options: &Options,
    budget: &Budget,
) -> Result<Vec<Cover>> {
    let mut covers = Vec::new();
    let mut from = 0;
    while let Some((begin, last)) = cover(tokens, from, query, words, options, budget)? {
        budget.work(1 + last - begin)?;
        let mut first = begin;
        while first <= last {
            let part = cut(tokens, first, last, options.most);
            first = part.last + 1;
            covers.push(part);
        }
        from = begin + 1;
    }
    Ok(covers)
}

/// The beginning of a part that has at most so many words, from a word of the query to another.
fn cut(tokens: &[Token], first: usize, last: usize, most: usize) -> Cover {
    let is_found = |at: usize| !tokens[at].items.is_empty();
    let first = (first..=last).find(|at| is_found(*at)).unwrap_or(last);
    let (mut words, mut found, mut at) = (0, 0, first);
    while at <= last && words < most {
        words += usize::from(!tokens[at].is_no_word());
        found += usize::from(is_found(at));
        at += 1;
    }
    let mut end = last;
    if last > at {
        end = first;
        for place in (first..=at).rev() {
            end = place;
            if is_found(place) {
                break;
            }
            words = words.saturating_sub(usize::from(!tokens[place].is_no_word()));
        }
    }
    Cover { first, last: end, words, found, done: false }
}

/// The first and last token of a part with words from before and after it.
fn widened(tokens: &[Token], cover: &Cover, taken: &[bool], options: &Options) -> (usize, usize) {
    let Cover { mut first, mut last, mut words, .. } = *cover;
    if words >= options.most {
        return (first, last);
    }
    let word = |at: usize| usize::from(!tokens[at].is_no_word());
    let bad = |at: usize| tokens[at].is_bad_end(options.short);
    let share = (options.most - words) / 2;
    let (mut added, mut begin) = (0, first);
    for at in (0..first).rev() {
        if added >= share || taken[at] {
            break;
        }
        added += word(at);
        begin = at;
    }
    words += added;
    while begin < first && bad(begin) {
        words -= word(begin);
        begin += 1;
    }
    first = begin;
    let mut end = last;
    for (at, taken) in taken.iter().enumerate().skip(last + 1) {
        if words >= options.most || *taken {
            break;
        }
        words += word(at);
        end = at;
    }
    while end > last && bad(end) {
        end -= 1;
    }
    last = end;
    (first, last)
}
