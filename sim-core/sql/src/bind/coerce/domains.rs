//! Values of domains: their checks run where a value becomes one.

use super::ELEMENTS;
use crate::bind::Binder;
use crate::catalog::TypeDefinition;
use crate::error::Result;
use crate::tree::{Candidates, Expr, Field, Node};
use crate::types::{Modified, Type};

impl Binder<'_> {
    /// The domains that check a value of type `from` in a cast to `to`, in order, and the type that it has before.
    pub(super) fn domains_between(&self, from: Type, to: Type) -> (Modified, Vec<Type>) {
        let mut base = to.plain();
        let mut domains = Vec::new();
        while base.base != from
            && let Some(next) = self.catalog.next_under(base.base)
        {
            domains.push(base.base);
            base = next;
        }
        domains.reverse();
        (base, domains)
    }

    fn definition(&self, type_: Type) -> Option<&TypeDefinition> {
        self.catalog.user_type(type_).map(|user_type| &user_type.definition)
    }

    /// The same for the elements of an array; `None` if these are no values of domains, or were before.
    pub(super) fn domains_of_elements(&self, from: Type, to: Type) -> Option<(Modified, Vec<Type>)> {
        let (from, to) = (from.element().unwrap_or(Type::UNKNOWN), to.element().filter(|to| to.is_user())?);
        let (base, domains) = self.domains_between(from, to);
        let array = Modified { base: base.base.array()?, modifier: base.modifier };
        (!domains.is_empty()).then_some((array, domains))
    }

    /// Whether a domain refuses no value.
    fn is_free(&self, domain: Type) -> bool {
        match self.definition(domain) {
            Some(TypeDefinition::Domain { not_null, checks, .. }) => !not_null && checks.is_empty(),
            _ => true,
        }
    }

    /// Checks the elements of an array for domains.
    pub(super) fn to_domain_elements(&self, array: Expr, type_: Type, domains: &[Type]) -> Result<Expr> {
        if domains.iter().all(|domain| self.is_free(*domain)) {
            return Ok(array.known_as(type_));
        }
        let (mut operands, values) = self.bind_once(vec![array])?;
        let array = operands.pop().expect("one operand gives one column");
        let around = self.begin_around(&values);
        let source = self.sources + ELEMENTS;
        let element = domains.first().map_or(Type::TEXT, |domain| self.catalog.base_type(*domain));
        let element = Expr::new(Node::Column { source, field: Field::Value }, element);
        let refusals = domains
            .iter()
            .try_fold(Vec::new(), |branches, domain| self.refusals(*domain, &element, type_, branches));
        let checked = refusals.map(|refusals| {
            let branches = refusals.into_iter().map(|(refused, error)| {
                let comparison = Box::new(refused);
                let flat = Expr::template("pg_unnest_anyarray({0})", vec![array.clone()], array.type_);
                let over = Box::new(Candidates::Array(flat));
                let any = Expr::boolean(Node::Quantified { comparison, source, over, all: false });
                let there = Node::IsNull { expr: Box::new(array.clone()), negated: true };
                (Expr::boolean(Node::And(Box::new(Expr::boolean(there)), Box::new(any))), error)
            });
            let otherwise = Some(Box::new(array.clone().known_as(type_)));
            Expr::new(Node::Case { operand: None, branches: branches.collect(), otherwise }, type_)
        });
        self.end_around(around, values, checked)
    }

    /// Checks a value for domains, each of which is based on the previous one.
    pub(super) fn to_domains(&self, expr: Expr, domains: &[Type]) -> Result<Expr> {
        let Some(type_) = domains.last().copied() else { return Ok(expr) };
        if domains.iter().all(|domain| self.is_free(*domain)) {
            return Ok(expr.known_as(type_));
        }
        let (mut operands, values) = self.bind_once(vec![expr])?;
        let value = operands.pop().expect("one operand gives one column");
        let around = self.begin_around(&values);
        let checked = domains
            .iter()
            .try_fold(Vec::new(), |branches, domain| self.refusals(*domain, &value, type_, branches))
            .map(|branches| {
                let otherwise = Some(Box::new(value.known_as(type_)));
                Expr::new(Node::Case { operand: None, branches, otherwise }, type_)
            });
        self.end_around(around, values, checked)
    }

    /// Adds the conditions under which a domain refuses a value, with the errors.
    fn refusals(
        &self,
        domain: Type,
        value: &Expr,
        type_: Type,
        mut branches: Vec<(Expr, Expr)>,
    ) -> Result<Vec<(Expr, Expr)>> {
        let Some(TypeDefinition::Domain { not_null, checks, .. }) = self.definition(domain) else {
            return Ok(branches);
        };
        let name = self.catalog.type_name(domain, -1);
        // In an index SQLite wants functions that always give the same.
        let [of_null, of_check] = match self.once.without_queries {
            false => ["pg_raise('23502', {0})", "pg_raise('23514', {0})"],
            true => ["pg_raise_always('23502', {0})", "pg_raise_always('23514', {0})"],
        };
        if *not_null {
            let message = Expr::literal(format!("domain {name} does not allow null values"), Type::TEXT);
            self.once.charge(value)?;
            let null = Node::IsNull { expr: Box::new(value.clone()), negated: false };
            let refusal = Expr::template(of_null, vec![message], type_);
            branches.push((Expr::boolean(null), refusal));
        }
        for (check, text) in checks {
            let condition = self.domain_check(text, value, domain)?;
            let message = format!("value for domain {name} violates check constraint \"{check}\"");
            let message = Expr::literal(message, Type::TEXT);
            let fails = Node::Is { expr: Box::new(condition), value: false, negated: false };
            let refusal = Expr::template(of_check, vec![message], type_);
            branches.push((Expr::boolean(fails), refusal));
        }
        Ok(branches)
    }

    /// Lets `VALUE` stand for a value of the type under a domain.
    pub(crate) fn take_value_for(&mut self, base: Modified) {
        let node = Node::Column { source: usize::MAX, field: Field::Column(1) };
        let value = Expr::new(node, self.catalog.base_type(base.base));
        self.arguments = Some(vec![(Some("value".to_owned()), value)]);
    }

    /// The check of a domain, as stored, as this session sees it.
    pub(crate) fn domain_text(&mut self, base: Modified, text: &str) -> Option<String> {
        let shown = self.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            binder.take_value_for(base);
            Ok(binder.shown(&crate::bind::Scope::default(), &parsed, Type::BOOL))
        });
        shown.ok().flatten()
    }

    fn domain_check(&self, text: &str, value: &Expr, type_: Type) -> Result<Expr> {
        let mut binder = Binder::new(self.catalog, self.source.clone(), self.settings, &[]);
        binder.sources = self.sources + 10_000;
        (binder.depth, binder.nesting, binder.length) = (self.depth, self.nesting, self.length);
        binder.once = self.once.clone();
        let value = value.clone().known_as(self.catalog.base_type(type_));
        let condition = binder.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            binder.arguments = Some(vec![(Some("value".to_owned()), value)]);
            let scope = crate::bind::Scope::default();
            binder.condition(&scope, &parsed)
        });
        self.once.take_from(&binder.once);
        if let Some(denied) = binder.denied_call {
            self.once.deny(denied);
        }
        condition
    }
}
