//! Patterns with greedy and non-greedy quantifiers, whose matches end where PostgreSQL ends them.
//!
//! In PostgreSQL the first quantifier of a pattern decides for the whole match: it is the longest, or the shortest, of those that begin
//! at its place. Within that, each part in turn takes as much, or as little, as leaves the rest a match. The library decides at
//! each quantifier by itself, so `<a.*>.*?</a>` would end at the first `</a>`, and ends at the last one.

use std::ops::Range;

use parking_lot::Mutex;
use regex_automata::hybrid::dfa::{Cache, DFA, OverlappingState};
use regex_automata::nfa::thompson::{Config, NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, GroupKind, RepetitionKind, RepetitionRange};
use regex_syntax::hir::Hir;
use regex_syntax::hir::translate::{Translator, TranslatorBuilder};

use super::{Options, SIZE_MAX, complex};
use crate::budget::Budget;
use crate::error::{Result, SqlError};

/// The places of a match and of its groups.
type Groups = Vec<Option<Range<usize>>>;

/// A pattern that mixes greedy and non-greedy quantifiers.
pub(super) struct Mixed {
    whole: Automaton,
    is_short: bool,
    part: Part,
    groups: usize,
}

/// A part of a pattern, as far as its groups need it.
enum Part {
    /// It has no groups.
    Plain,
    Group(usize, Box<Part>),
    Sequence(Vec<Step>),
    /// Alternatives, of which the first that fits counts.
    Choice(Vec<(Automaton, Part)>),
    /// It may be absent.
    Optional(Box<(Automaton, Part)>),
}

/// A part of a sequence.
struct Step {
    part: Part,
    is_short: bool,
    /// Finds where it may end; `None` for the last step.
    ends: Option<(Automaton, Automaton)>,
}

impl Mixed {
    /// Reads a pattern in the library's syntax; `None` if it repeats a group, whose place then depends on each repetition.
    pub(super) fn new(pattern: &str, options: Options) -> Result<Option<Mixed>> {
        let ast = Parser::new().parse(pattern).map_err(|error| super::unread(&error.to_string()))?;
        let mut reader = Reader { pattern, options, groups: 0 };
        let Some(part) = reader.part(&ast)? else { return Ok(None) };
        let whole = Automaton::new(&reader.hir(&ast)?, false)?;
        let is_short = prefers(&ast).unwrap_or_default();
        Ok(Some(Mixed { whole, is_short, part, groups: reader.groups + 1 }))
    }

    /// The match that begins at the byte `start`, where there must be one.
    pub(super) fn groups(&self, budget: &Budget, text: &str, start: usize) -> Result<Groups> {
        let mut groups = vec![None; self.groups];
        let search = Search { budget, text };
        let end = search.end(&self.whole, start, self.is_short)?;
        groups[0] = Some(start..end);
        search.divide(&self.part, start..end, &mut groups)?;
        Ok(groups)
    }
}

/// Whether a pattern takes as little as it can; `None` if it has no choice.
fn prefers(ast: &Ast) -> Option<bool> {
    match ast {
        Ast::Repetition(repetition) => match repetition.op.kind {
            RepetitionKind::Range(RepetitionRange::Exactly(_)) => prefers(&repetition.ast),
            _ => Some(!repetition.greedy),
        },
        Ast::Group(group) => prefers(&group.ast),
        Ast::Alternation(_) => Some(false),
        Ast::Concat(parts) => parts.asts.iter().find_map(prefers),
        _ => None,
    }
}

fn is_once(kind: &RepetitionKind) -> bool {
    matches!(kind, RepetitionKind::Range(RepetitionRange::Exactly(1) | RepetitionRange::Bounded(1, 1)))
}

fn has_groups(ast: &Ast) -> bool {
    match ast {
        Ast::Repetition(repetition) => has_groups(&repetition.ast),
        Ast::Group(group) => !matches!(group.kind, GroupKind::NonCapturing(_)) || has_groups(&group.ast),
        Ast::Alternation(choice) => choice.asts.iter().any(has_groups),
        Ast::Concat(parts) => parts.asts.iter().any(has_groups),
        _ => false,
    }
}

/// Makes parts of a pattern.
struct Reader<'p> {
    pattern: &'p str,
    options: Options,
    groups: usize,
}

impl Reader<'_> {
    fn part(&mut self, ast: &Ast) -> Result<Option<Part>> {
        if !has_groups(ast) {
            return Ok(Some(Part::Plain));
        }
        match ast {
            Ast::Group(group) => {
                let GroupKind::CaptureIndex(index) = group.kind else { return self.part(&group.ast) };
                self.groups = self.groups.max(index as usize);
                let inner = self.part(&group.ast)?;
                Ok(inner.map(|inner| Part::Group(index as usize, Box::new(inner))))
            }
            Ast::Alternation(choice) => {
                let mut parts = Vec::new();
                for one in &choice.asts {
                    let Some(part) = self.part(one)? else { return Ok(None) };
                    parts.push((Automaton::new(&self.hir(one)?, false)?, part));
                }
                Ok(Some(Part::Choice(parts)))
            }
            Ast::Concat(sequence) => self.sequence(&sequence.asts),
            Ast::Repetition(repetition) if is_once(&repetition.op.kind) => self.part(&repetition.ast),
            Ast::Repetition(repetition) if matches!(repetition.op.kind, RepetitionKind::ZeroOrOne) => {
                let Some(part) = self.part(&repetition.ast)? else { return Ok(None) };
                let automaton = Automaton::new(&self.hir(&repetition.ast)?, false)?;
                Ok(Some(Part::Optional(Box::new((automaton, part)))))
            }
            _ => Ok(None),
        }
    }

    /// Parts that follow each other. Neighbours without groups that want the same are one.
    fn sequence(&mut self, asts: &[Ast]) -> Result<Option<Part>> {
        let mut runs: Vec<&[Ast]> = Vec::new();
        let mut rest = asts;
        while let Some(first) = rest.first() {
            let joins = |ast: &&Ast| {
                !has_groups(ast) && prefers(ast).is_none_or(|short| prefers(first) == Some(short))
            };
            let more =
                if has_groups(first) { 0 } else { rest[1..].iter().take_while(|ast| joins(ast)).count() };
            let (run, others) = rest.split_at(1 + more);
            runs.push(run);
            rest = others;
        }
        let mut steps = Vec::new();
        let mut at = 0;
        for run in runs {
            at += run.len();
            let part = match run {
                [only] => self.part(only)?,
                _ => Some(Part::Plain),
            };
            let Some(part) = part else { return Ok(None) };
            let is_short = run.iter().find_map(prefers).unwrap_or_default();
            let ends = match &asts[at..] {
                [] => None,
                rest => {
                    let (own, rest) = (self.joined(run)?, self.joined(rest)?);
                    Some((Automaton::new(&own, false)?, Automaton::new(&rest, true)?))
                }
            };
            steps.push(Step { part, is_short, ends });
        }
        Ok(Some(Part::Sequence(steps)))
    }

    fn joined(&self, asts: &[Ast]) -> Result<Hir> {
        Ok(Hir::concat(asts.iter().map(|ast| self.hir(ast)).collect::<Result<_>>()?))
    }

    fn hir(&self, ast: &Ast) -> Result<Hir> {
        let mut translator: Translator = TranslatorBuilder::new()
            .case_insensitive(self.options.insensitive)
            .dot_matches_new_line(!self.options.newlines_stop_dots)
            .multi_line(self.options.newlines_are_ends)
            .build();
        translator.translate(self.pattern, ast).map_err(|error| super::unread(&error.to_string()))
    }
}

/// Finds the ends of matches, or their beginnings from their end on.
struct Automaton {
    dfa: DFA,
    cache: Mutex<Cache>,
}

impl Automaton {
    fn new(hir: &Hir, reverse: bool) -> Result<Automaton> {
        let config =
            Config::new().reverse(reverse).nfa_size_limit(Some(SIZE_MAX)).which_captures(WhichCaptures::None);
        let nfa = NFA::compiler().configure(config).build_from_hir(hir).map_err(|_| complex())?;
        let config = DFA::config().match_kind(MatchKind::All).unicode_word_boundary(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).map_err(|_| complex())?;
        let cache = Mutex::new(dfa.create_cache());
        Ok(Automaton { dfa, cache })
    }
}

/// A search in a text.
struct Search<'s> {
    budget: &'s Budget,
    text: &'s str,
}

impl Search<'_> {
    /// Where the longest or shortest match that begins at `start` ends.
    fn end(&self, automaton: &Automaton, start: usize, is_short: bool) -> Result<usize> {
        self.budget.work(10 + (self.text.len() - start) / 8)?;
        let input = Input::new(self.text).range(start..).anchored(Anchored::Yes).earliest(is_short);
        let found =
            automaton.dfa.try_search_fwd(&mut automaton.cache.lock(), &input).map_err(|_| unclear())?;
        Ok(found.ok_or_else(unclear)?.offset())
    }

    /// All places in a range where a match of the whole of its beginning ends, or in reverse one of its end begins, in order.
    fn places(&self, automaton: &Automaton, range: Range<usize>, reverse: bool) -> Result<Vec<usize>> {
        self.budget.work(10 + range.len() / 4)?;
        let input = Input::new(self.text).range(range).anchored(Anchored::Yes);
        let (mut cache, mut state) = (automaton.cache.lock(), OverlappingState::start());
        let mut places = Vec::new();
        loop {
            let step = match reverse {
                false => automaton.dfa.try_search_overlapping_fwd(&mut cache, &input, &mut state),
                true => automaton.dfa.try_search_overlapping_rev(&mut cache, &input, &mut state),
            };
            step.map_err(|_| unclear())?;
            match state.get_match() {
                Some(found) => places.push(found.offset()),
                None => break,
            }
        }
        if reverse {
            places.reverse();
        }
        Ok(places)
    }

    /// Finds the groups of a part that matches a range.
    fn divide(&self, part: &Part, range: Range<usize>, groups: &mut Groups) -> Result<()> {
        match part {
            Part::Plain => Ok(()),
            Part::Group(index, inner) => {
                groups[*index] = Some(range.clone());
                self.divide(inner, range, groups)
            }
            Part::Optional(inner) => match self.fits(&inner.0, range.clone())? {
                true => self.divide(&inner.1, range, groups),
                false => Ok(()),
            },
            Part::Choice(parts) => {
                for (automaton, part) in parts {
                    if self.fits(automaton, range.clone())? {
                        return self.divide(part, range, groups);
                    }
                }
                Err(unclear())
            }
            Part::Sequence(steps) => {
                let mut start = range.start;
                for step in steps {
                    let end = match &step.ends {
                        Some((own, rest)) => self.split(own, rest, start..range.end, step.is_short)?,
                        None => range.end,
                    };
                    self.divide(&step.part, start..end, groups)?;
                    start = end;
                }
                Ok(())
            }
        }
    }

    fn fits(&self, automaton: &Automaton, range: Range<usize>) -> Result<bool> {
        let end = range.end;
        Ok(self.places(automaton, range, false)?.last() == Some(&end))
    }

    /// Where a step ends, so that the rest fits behind it.
    fn split(&self, own: &Automaton, rest: &Automaton, range: Range<usize>, is_short: bool) -> Result<usize> {
        let ends = self.places(own, range.clone(), false)?;
        let starts = self.places(rest, range, true)?;
        let fits = |end: &usize| starts.binary_search(end).is_ok();
        let mut ends = ends.into_iter();
        let found = if is_short { ends.find(fits) } else { ends.rfind(fits) };
        found.ok_or_else(unclear)
    }
}

/// Where it matters what a word is in other alphabets, the automata give up.
fn unclear() -> SqlError {
    SqlError::unsupported("a regular expression with greedy and non-greedy quantifiers in this text")
}
